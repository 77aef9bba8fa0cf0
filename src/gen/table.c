/* The kinds of built-in problems: names, defaults, checks, and the way from a draft to a
 * problem. */
#include "gen/gen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"

enum { ONLY_3D = 1, NO_MU = 2, SINGLE = 4, NOT_EMPTY = 8, ONLY_2D = 16 };
enum { ROD = SLIP_TAKES_ANGLE | SLIP_TAKES_SPEED | SLIP_TAKES_GRAVITY };

typedef struct Kind {
  SlipGenerateInfo info;
  SlipGenerate defaults; /* condition 0: the kind does not choose it */
  int flags;
  SlipiGenBuild build;
} Kind;

/* Every kind has the seed 1 unless the caller gives another. */
#define DEFAULTS(...)                                                                              \
  { .size = sizeof(SlipGenerate), .seed = 1, __VA_ARGS__ }

static const Kind kinds[] = {
    {{"random", "sparse symmetric W with the given condition number", 1, 0},
     DEFAULTS(.contacts = 100, .dimension = 3, .mu = 0.5, .condition = 1e2),
     0,
     slipi_gen_random},
    {{"ill", "as random, badly conditioned", 1, 0},
     DEFAULTS(.contacts = 100, .dimension = 3, .mu = 0.5, .condition = 1e10),
     0,
     slipi_gen_random},
    {{"deficient", "as random, W of half rank", 1, 0},
     DEFAULTS(.contacts = 100, .dimension = 3, .mu = 0.5, .condition = 1e2),
     0,
     slipi_gen_deficient},
    {{"deficient-global", "global form with half as many degrees of freedom as unknowns", 1, 0},
     DEFAULTS(.contacts = 100, .dimension = 3, .mu = 0.5),
     0,
     slipi_gen_deficient_global},
    {{"unsymmetric", "as random, with a skew part in W", 1, 0},
     DEFAULTS(.contacts = 100, .dimension = 3, .mu = 0.5, .condition = 1e2),
     0,
     slipi_gen_unsymmetric},
    {{"frictionless", "as random, all contacts without friction", 1, 0},
     DEFAULTS(.contacts = 100, .dimension = 3, .condition = 1e2),
     NO_MU,
     slipi_gen_frictionless},
    {{"bilateral", "as random, every fourth contact bilateral", 1, 0},
     DEFAULTS(.contacts = 100, .dimension = 3, .mu = 0.5, .condition = 1e2),
     0,
     slipi_gen_bilateral},
    {{"joints", "as bilateral, but each of these contacts binds some of its components only", 1, 0},
     DEFAULTS(.contacts = 100, .dimension = 3, .mu = 0.5, .condition = 1e2),
     0,
     slipi_gen_joints},
    {{"dense", "dense symmetric W with the given condition number", 1, 0},
     DEFAULTS(.contacts = 50, .dimension = 3, .mu = 0.5, .condition = 1e2),
     0,
     slipi_gen_dense},
    {{"stack", "boxes on top of each other, at rest", 0, 0},
     DEFAULTS(.contacts = 20, .dimension = 3, .mu = 0.7),
     NOT_EMPTY,
     slipi_gen_stack},
    {{"wall", "a brick wall in running bond, shaken sideways", 0, 0},
     DEFAULTS(.contacts = 200, .dimension = 3, .mu = 0.7),
     NOT_EMPTY,
     slipi_gen_wall},
    {{"slope", "boxes and spheres on an incline of angle atan(mu), some sliding", 0, 0},
     DEFAULTS(.contacts = 50, .dimension = 3, .mu = 0.5),
     NOT_EMPTY,
     slipi_gen_slope},
    {{"pile", "spheres of unequal radii in a box, settling", 0, 0},
     DEFAULTS(.contacts = 1000, .dimension = 3, .mu = 0.5),
     NOT_EMPTY,
     slipi_gen_pile},
    {{"elastic", "an elastic block of finite elements landing askew on the ground", 0, 0},
     DEFAULTS(.contacts = 100, .dimension = 3, .mu = 0.3),
     NOT_EMPTY,
     slipi_gen_elastic},
    {{"mixed", "columns of spheres that lean on each other, on an elastic block", 0, 0},
     DEFAULTS(.contacts = 500, .dimension = 3, .mu = 0.4),
     NOT_EMPTY,
     slipi_gen_mixed},
    {{"painleve", "a rod whose upper end moves sideways, the lower on the ground: may jam", 0, ROD},
     DEFAULTS(.contacts = 1, .dimension = 2, .mu = 0.8, .angle = 0.5235987755982988, .speed = 1,
              .gravity = -1),
     ONLY_2D | SINGLE,
     slipi_gen_painleve},
    {{"painleve-up", "the same rod under reversed gravity: two solutions", 0, ROD},
     DEFAULTS(.contacts = 1, .dimension = 2, .mu = 2, .angle = 0.7853981633974483, .speed = 1,
              .gravity = 1),
     ONLY_2D | SINGLE,
     slipi_gen_painleve},
    {{"crushed", "a ball between the ground and a plate that comes down", 0, SLIP_TAKES_SPEED},
     DEFAULTS(.contacts = 2, .dimension = 3, .mu = 0.5, .speed = 1),
     NOT_EMPTY,
     slipi_gen_crushed},
    {{"walls", "a box between two walls that move at an angle to the horizontal", 0,
      SLIP_TAKES_ANGLE | SLIP_TAKES_SPEED},
     DEFAULTS(.contacts = 12, .dimension = 3, .mu = 0.5, .speed = 0.1),
     NOT_EMPTY,
     slipi_gen_walls},
    {{"drum", "spheres in a drum that turns", 0, SLIP_TAKES_SPEED},
     DEFAULTS(.contacts = 100, .dimension = 3, .mu = 0.5, .speed = 1),
     NOT_EMPTY,
     slipi_gen_drum},
    {{"press", "the pile under a lid that comes down on its highest layer", 0, SLIP_TAKES_SPEED},
     DEFAULTS(.contacts = 1000, .dimension = 3, .mu = 0.5, .speed = 0.1),
     NOT_EMPTY,
     slipi_gen_press},
    {{"one", "the single contact of Bonnefon and Daviet 2011, section 5", 0, 0},
     DEFAULTS(.contacts = 1, .dimension = 3, .mu = 0.6),
     ONLY_3D | SINGLE,
     slipi_gen_one},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

int slip_generate_count(void) {
  return KIND_COUNT;
}

const SlipGenerateInfo *slip_generate_info(int index) {
  return index >= 0 && index < KIND_COUNT ? &kinds[index].info : NULL;
}

static SlipStatus kind_find(const char *name, const Kind **kind, SlipError *error) {
  if (!name)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the kind of problem to generate is NULL");
  for (int k = 0; k < KIND_COUNT; k++)
    if (strcmp(kinds[k].info.name, name) == 0) {
      *kind = &kinds[k];
      return SLIP_OK;
    }
  char names[SLIP_ERROR_TEXT / 2] = "";
  size_t used = 0;
  for (int k = 0; k < KIND_COUNT && used < sizeof names; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "",
                             kinds[k].info.name);
  return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no kind '%.64s'; the kinds are %s", name,
                    names);
}

SlipStatus slip_generate_defaults(const char *kind, SlipGenerate *options, SlipError *error) {
  slipi_error_clear(error);
  if (!options)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the options to fill in are NULL");
  const Kind *found;
  SlipGenerate nothing = slip_default_generate();
  SlipStatus status = slipi_versioned_check("generate", options, error);
  if (status != SLIP_OK)
    return status;
  status = kind_find(kind, &found, error);
  slipi_versioned_write(status == SLIP_OK ? &found->defaults : &nothing, options, sizeof nothing);
  return status;
}

static SlipStatus check_sizes(const Kind *kind, const SlipGenerate *options, SlipError *error) {
  const char *name = kind->info.name;
  int least = (kind->flags & (SINGLE | NOT_EMPTY)) ? 1 : 0;
  if (options->dimension != 2 && options->dimension != 3)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the dimension is 2 or 3, not %d",
                      options->dimension);
  if (options->dimension == 2 && kind->flags & ONLY_3D)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "kind %s exists in dimension 3 only", name);
  if (options->dimension == 3 && kind->flags & ONLY_2D)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "kind %s exists in dimension 2 only", name);
  if (options->contacts < least)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the number of contacts of kind %s is at least %d, not %d", name, least,
                      options->contacts);
  if (options->contacts > 1 && kind->flags & SINGLE)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "kind %s has one contact, not %d", name,
                      options->contacts);
  /* Matrices are counted with 32 bits; no kind needs fewer than 16 entries for a contact. */
  if (options->contacts > INT32_MAX / 16)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%d contacts are too many, %d are possible",
                      options->contacts, INT32_MAX / 16);
  return SLIP_OK;
}

static SlipStatus check_numbers(const Kind *kind, const SlipGenerate *options, SlipError *error) {
  const char *name = kind->info.name;
  if (!(options->mu >= 0) || isinf(options->mu))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "mu is a number of at least 0, not %g",
                      options->mu);
  if (options->mu != 0 && kind->flags & NO_MU)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "kind %s has mu = 0, not %g", name, options->mu);
  if (kind->defaults.condition == 0) {
    if (options->condition != 0)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "kind %s does not choose the condition of W: leave it 0, not %g", name,
                        options->condition);
  } else if (!(options->condition >= 1) || isinf(options->condition)) {
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the condition of W is a number of at least 1, not %g", options->condition);
  }
  return SLIP_OK;
}

/* The options only some kinds have. */
static SlipStatus check_special(const Kind *kind, const SlipGenerate *options, SlipError *error) {
  static const char *const names[] = {"angle", "speed", "gravity"};
  const double values[] = {options->angle, options->speed, options->gravity};
  for (int k = 0; k < 3; k++) {
    if (!isfinite(values[k]))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the %s is a number, not %g", names[k],
                        values[k]);
    if (values[k] != 0 && !(kind->info.takes & 1 << k))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "kind %s has no %s: leave it 0, not %g",
                        kind->info.name, names[k], values[k]);
  }
  return SLIP_OK;
}

static SlipMatrix entries_view(const SlipiEntries *entries, int32_t rows, int32_t cols) {
  return (SlipMatrix){SLIP_TRIPLET, rows,         cols,      entries->count,
                      entries->col, entries->row, entries->x};
}

static SlipStatus draft_finish(const SlipiDraft *draft, SlipProblem **problem, SlipError *error) {
  int32_t m = draft->d * draft->nc;
  SlipLaws laws = slip_default_laws();
  laws.kind = draft->law;
  laws.mu = draft->mu;
  laws.bound = draft->bound;
  if (draft->form == SLIP_FORM_GLOBAL) {
    SlipGlobalData data = slip_default_global_data();
    data.dimension = draft->d;
    data.contacts = draft->nc;
    data.M = entries_view(&draft->M, draft->dof, draft->dof);
    data.H = entries_view(&draft->H, draft->dof, m);
    data.f = draft->f;
    data.w = draft->w;
    data.laws = &laws;
    return slip_problem_create_global(&data, problem, error);
  }
  SlipLocalData data = slip_default_local_data();
  data.dimension = draft->d;
  data.contacts = draft->nc;
  data.W = draft->dense ? slip_dense(m, m, draft->dense) : entries_view(&draft->W, m, m);
  data.q = draft->q;
  data.laws = &laws;
  return slip_problem_create_local(&data, problem, error);
}

/* The solution as memory of its own. */
static SlipStatus copy_solution(const SlipiDraft *draft, double **r, SlipError *error) {
  size_t bytes = (size_t)draft->d * (size_t)draft->nc * sizeof **r;
  *r = malloc(bytes + 1);
  if (!*r)
    return slipi_fail_memory(error, "a known solution");
  memcpy(*r, draft->r, bytes);
  return SLIP_OK;
}

SlipStatus slip_generate(const char *kind, const SlipGenerate *options, SlipProblem **problem,
                         double **r, SlipError *error) {
  slipi_error_clear(error);
  if (r)
    *r = NULL;
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the place for the generated problem is NULL");
  *problem = NULL;
  const Kind *found;
  SlipStatus status = kind_find(kind, &found, error);
  if (status != SLIP_OK)
    return status;
  SlipGenerate known = found->defaults;
  if (options)
    status = slipi_versioned_read("generate", options, &known, sizeof known, error);
  options = &known;
  if (status == SLIP_OK)
    status = check_sizes(found, options, error);
  if (status == SLIP_OK)
    status = check_numbers(found, options, error);
  if (status == SLIP_OK)
    status = check_special(found, options, error);
  if (status != SLIP_OK)
    return status;
  SlipiRandom random;
  slipi_random_seed(&random, options->seed);
  SlipiDraft draft = {.random = &random};
  status = found->build(options, &draft, error);
  if (status == SLIP_OK)
    status = draft_finish(&draft, problem, error);
  if (status == SLIP_OK && r && draft.r)
    status = copy_solution(&draft, r, error);
  slipi_arena_free(&draft.arena);
  if (status != SLIP_OK) {
    slip_problem_free(*problem);
    *problem = NULL;
  }
  return status;
}

void slip_generate_free_r(double *r) {
  free(r);
}
