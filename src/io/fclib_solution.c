/* /solution and /guesses of FCLIB files. */
#include "io/fclib_solution.h"

#include <stdio.h>

#include "io/equalities.h"
#include "io/fclib_rolling.h"

/* v is there in files of global problems, of both forms, and where a writer has kept it. */
static SlipStatus read_velocity(const SlipiH5Group *group, const SlipProblem *problem,
                                SlipiArena *arena, SlipSolution *solution, SlipError *error) {
  bool found = false;
  int64_t length = slip_problem_dof(problem);
  SlipStatus status = slipi_h5_has(group, "v", &found, error);
  if (status == SLIP_OK && found)
    status = slipi_h5_length(group, "v", NULL, &found, error);
  if (status != SLIP_OK || !found)
    return status;
  if (slip_problem_form(problem) == SLIP_FORM_LOCAL)
    status = slipi_h5_length(group, "v", &length, NULL, error);
  if (status == SLIP_OK && length > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s/v has %lld values, beyond 32 bits", group->path,
                      (long long)length);
  double *v = NULL;
  if (status == SLIP_OK)
    status = slipi_h5_reals(group, "v", SLIPI_H5_EXACTLY, length, arena, &v, error);
  solution->v = v;
  solution->dof = (int32_t)length;
  return status;
}

/* r and u of all contacts: at those that the equalities make up, r is l and u is 0. */
static SlipStatus join_solution(const SlipiH5Group *group, const SlipiEqualities *equalities,
                                SlipiArena *arena, double **r, double **u, SlipError *error) {
  double *l = NULL;
  SlipStatus status =
      slipi_h5_reals(group, "l", SLIPI_H5_EXACTLY, equalities->count, arena, &l, error);
  if (status == SLIP_OK)
    status = slipi_equalities_vector(equalities, arena, *r, l, r, error);
  if (status == SLIP_OK)
    status = slipi_equalities_vector(equalities, arena, *u, NULL, u, error);
  return status;
}

static SlipStatus read_open_solution(const SlipiH5Group *group, SlipiFile *file,
                                     SlipSolution *solution, SlipError *error) {
  double *r = NULL, *u = NULL;
  SlipiArena *arena = &file->arena;
  const SlipProblem *problem = file->file.problem;
  *solution = slip_default_solution();
  solution->contacts = slip_problem_contacts(problem);
  solution->dimension = slip_problem_dimension(problem);
  int64_t size = (int64_t)solution->dimension * file->equalities.first;
  if (file->rolling > 0)
    size = (int64_t)slipi_rolling_width(solution->dimension) * file->rolling;
  SlipStatus status = slipi_h5_reals(group, "u", SLIPI_H5_EXACTLY, size, arena, &u, error);
  if (status == SLIP_OK)
    status = slipi_h5_reals(group, "r", SLIPI_H5_EXACTLY, size, arena, &r, error);
  if (status == SLIP_OK && file->equalities.count > 0)
    status = join_solution(group, &file->equalities, arena, &r, &u, error);
  if (status == SLIP_OK && file->rolling > 0) {
    u = slipi_rolling_spread(arena, solution->dimension, file->rolling, u);
    r = slipi_rolling_spread(arena, solution->dimension, file->rolling, r);
    if (!u || !r)
      return slipi_fail_memory(error, "a solution");
  }
  solution->u = u;
  solution->r = r;
  return status == SLIP_OK ? read_velocity(group, problem, arena, solution, error) : status;
}

/* A /solution whose r, u or l was never written is none. */
static SlipStatus read_solution(const SlipiH5Group *root, SlipiFile *file, SlipError *error) {
  bool found = false, r = false, u = false, l = true;
  SlipiH5Group group;
  SlipStatus status = slipi_h5_has(root, "solution", &found, error);
  if (status != SLIP_OK || !found)
    return status;
  status = slipi_h5_group(root, "solution", &group, error);
  if (status == SLIP_OK)
    status = slipi_h5_length(&group, "r", NULL, &r, error);
  if (status == SLIP_OK)
    status = slipi_h5_length(&group, "u", NULL, &u, error);
  if (status == SLIP_OK && file->equalities.count > 0)
    status = slipi_h5_length(&group, "l", NULL, &l, error);
  if (status == SLIP_OK && r && u && l) {
    SlipSolution *solution = SLIPI_ARENA_NEW(&file->arena, SlipSolution, 1);
    status = solution ? read_open_solution(&group, file, solution, error)
                      : slipi_fail_memory(error, "the solution");
    file->file.solution = solution;
  }
  slipi_h5_group_close(&group);
  return status;
}

static SlipStatus read_guess(const SlipiH5Group *parent, int32_t number, SlipiFile *file,
                             SlipSolution *guess, SlipError *error) {
  char name[16];
  SlipiH5Group group;
  snprintf(name, sizeof name, "%d", number);
  SlipStatus status = slipi_h5_group(parent, name, &group, error);
  if (status == SLIP_OK)
    status = read_open_solution(&group, file, guess, error);
  slipi_h5_group_close(&group);
  return status;
}

static SlipStatus read_open_guesses(const SlipiH5Group *group, SlipiFile *file, SlipError *error) {
  int32_t count = 0;
  H5G_info_t info;
  SlipStatus status = slipi_h5_int(group, "number_of_guesses", &count, error);
  if (status != SLIP_OK)
    return status;
  if (H5Gget_info(group->id, &info) < 0)
    return slipi_fail(error, slipi_h5_status(), "%s cannot be listed", group->path);
  if (count < 0 || (hsize_t)count > info.nlinks)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s/number_of_guesses is %d, but the group has %llu members", group->path,
                      count, (unsigned long long)info.nlinks);
  SlipSolution *guesses = SLIPI_ARENA_NEW(&file->arena, SlipSolution, count);
  const SlipSolution **places = SLIPI_ARENA_NEW(&file->arena, const SlipSolution *, count);
  if (!guesses || !places)
    return slipi_fail_memory(error, group->path);
  for (int32_t k = 0; status == SLIP_OK && k < count; k++) {
    places[k] = &guesses[k];
    status = read_guess(group, k + 1, file, &guesses[k], error);
  }
  file->file.guesses = count > 0 ? places : NULL;
  file->file.guess_count = count;
  return status;
}

static SlipStatus read_guesses(const SlipiH5Group *root, SlipiFile *file, SlipError *error) {
  bool found = false;
  SlipiH5Group group;
  SlipStatus status = slipi_h5_has(root, "guesses", &found, error);
  if (status != SLIP_OK || !found)
    return status;
  status = slipi_h5_group(root, "guesses", &group, error);
  if (status == SLIP_OK)
    status = read_open_guesses(&group, file, error);
  slipi_h5_group_close(&group);
  return status;
}

SlipStatus slipi_fclib_read_solutions(const SlipiH5Group *root, SlipiFile *file, SlipError *error) {
  SlipStatus status = read_solution(root, file, error);
  return status == SLIP_OK ? read_guesses(root, file, error) : status;
}
