/* Where a run starts from: impulses the caller gives, or those of the last result, carried over to
 * another problem by the keys of its contacts. */
#include "solver/solver.h"

#include <string.h>

void slipi_solver_start_cold(SlipSolver *solver) {
  if (solver->warm)
    memset(solver->r_start, 0, (size_t)solver->run.m * sizeof *solver->r_start);
  solver->warm = false;
}

/* The squares of larger impulses, and their sums, are not finite. */
static const double LARGEST_START = 1e150;

static SlipStatus check_start(const SlipSolver *solver, const double *r, SlipError *error) {
  int32_t count = solver->run.m;
  SlipStatus status = slipi_problem_check_vector("r", r, count, error);
  double most = ldexp(LARGEST_START, solver->units.q - solver->units.W);
  for (int32_t k = 0; status == SLIP_OK && k < count; k++)
    if (fabs(r[k]) > most)
      status = slipi_fail(error, SLIP_ERROR_PROBLEM,
                          "r[%d] is %g: impulses above %g are too large to start from", (int)k,
                          r[k], most);
  return status;
}

SlipStatus slip_solver_warm_start(SlipSolver *solver, const double *r, SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_SOLVER(solver) || !solver->problem || (!r && solver->run.m > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "r or solver is null or freed, or without a problem");
  SlipStatus status = check_start(solver, r, error);
  if (status == SLIP_OK && solver->run.m > 0)
    memcpy(solver->r_start, r, (size_t)solver->run.m * sizeof *r);
  solver->warm = solver->warm || status == SLIP_OK;
  return status;
}

/* ---- Contacts of two problems by their keys ---- */

/* Open addressing; places hold a contact + 1, or 0. */
typedef struct KeyTable {
  const uint64_t *key;
  int32_t *place;
  uint64_t mask;
} KeyTable;

/* Bits of all of the key in the lowest ones (the finaliser of splitmix64). */
static uint64_t mix(uint64_t key) {
  key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
  key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
  return key ^ (key >> 31);
}

/* The place of a key, or the empty one where it would stand. */
static int32_t *find_place(const KeyTable *table, uint64_t key) {
  uint64_t at = mix(key) & table->mask;
  while (table->place[at] != 0 && table->key[table->place[at] - 1] != key)
    at = (at + 1) & table->mask;
  return &table->place[at];
}

static bool make_table(SlipiArena *arena, const SlipiLast *last, KeyTable *table) {
  uint64_t size = 2;
  while (size < 2 * (uint64_t)last->nc)
    size *= 2;
  *table = (KeyTable){.key = last->key, .mask = size - 1};
  table->place = SLIPI_ARENA_NEW(arena, int32_t, size);
  for (int32_t a = 0; table->place && a < last->nc; a++) {
    int32_t *place = find_place(table, last->key[a]);
    if (*place == 0) /* of contacts with the same key the first counts */
      *place = a + 1;
  }
  return table->place != NULL;
}

/* The rows of a contact's frame are its axes in the world. */

void slipi_solver_keep_world(SlipSolver *solver) {
  int32_t d = solver->run.d;
  const double *frame = solver->problem->frame, *r = solver->r_best;
  double *world = solver->world;
  for (int32_t a = 0; a < solver->run.nc; a++, frame += d * d, r += d, world += d) {
    for (int32_t x = 0; x < d; x++) {
      world[x] = 0;
      for (int32_t k = 0; k < d; k++)
        world[x] += frame[k * d + x] * r[k];
    }
  }
}

static inline void to_frame(const double *frame, const double *world, int32_t d, double *r) {
  for (int32_t k = 0; k < d; k++) {
    double sum = 0;
    for (int32_t x = 0; x < d; x++)
      sum += frame[k * d + x] * world[x];
    r[k] = sum;
  }
}

void slipi_turn_to_frame(const double *frame, const double *world, int32_t d, double *r) {
  to_frame(frame, world, d, r);
}

static void carry_over(SlipSolver *solver, int32_t old, int32_t contact) {
  const SlipiLast *last = &solver->last;
  const double *frame = solver->problem->frame;
  int64_t d = last->d;
  double *r = solver->r_start + contact * d;
  if (!last->world || !frame)
    memcpy(r, last->r + old * d, (size_t)d * sizeof *r);
  else if (d == 3) /* loops of fixed length */
    to_frame(frame + 9 * (int64_t)contact, last->world + old * d, 3, r);
  else
    to_frame(frame + 4 * (int64_t)contact, last->world + old * d, 2, r);
}

/* Contacts mostly keep their order from step to step: the next one in it is looked at before the
 * table, which is made when that fails for the first time. */
static SlipStatus match_keys(SlipSolver *solver, SlipError *error) {
  const SlipiLast *last = &solver->last;
  KeyTable table = {0};
  int32_t next = 0;
  for (int32_t a = 0; a < solver->run.nc; a++) {
    int32_t old = -1;
    if (next < last->nc && last->key[next] == solver->key[a]) {
      old = next;
    } else {
      if (!table.place && !make_table(&solver->arena, last, &table))
        return slipi_fail_memory(error, "a table of contacts");
      old = *find_place(&table, solver->key[a]) - 1;
    }
    if (old >= 0) {
      carry_over(solver, old, a);
      next = old + 1;
    }
  }
  return SLIP_OK;
}

SlipStatus slip_solver_warm_start_last(SlipSolver *solver, SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_SOLVER(solver) || !solver->problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null, freed or without a problem");
  size_t bytes = (size_t)solver->run.m * sizeof(double);
  slipi_solver_start_cold(solver);
  if (solver->has_result) {
    memcpy(solver->r_start, solver->r_best, bytes);
    solver->warm = true;
    return SLIP_OK;
  }
  if (!solver->key || solver->last.nc == 0 || solver->last.d != solver->run.d)
    return SLIP_OK;
  SlipStatus status = match_keys(solver, error);
  solver->warm = true;
  if (status != SLIP_OK)
    slipi_solver_start_cold(solver);
  return status;
}
