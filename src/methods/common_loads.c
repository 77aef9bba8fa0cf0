#include "methods/common_loads.h"

#include <string.h>

#include "contact/pairs.h"
#include "linalg/vector.h"

enum { BODY = 6, ROW = 2 * BODY };
/* Visits to each contact of a body until it counts as at rest. */
enum { VISITS = 4 };

static int32_t body_of(const SlipiPairs *pairs, int32_t contact, int side) {
  return pairs->first[2 * (int64_t)contact + side] / BODY;
}

static bool on_ground(const SlipiPairs *pairs, int32_t contact) {
  return body_of(pairs, contact, 0) == body_of(pairs, contact, 1);
}

/* Most contacts that one body has. `count` has room for all bodies and is left with zeros. */
static int32_t most_contacts(const SlipiPairs *pairs, int32_t nc, int32_t bodies, int32_t *count) {
  int32_t largest = 0;
  for (int64_t k = 0; k < 2 * (int64_t)nc; k++) {
    int32_t has = ++count[pairs->first[k] / BODY];
    largest = has > largest ? has : largest;
  }
  memset(count, 0, (size_t)bodies * sizeof *count);
  return largest;
}

SlipStatus slipi_loads_create(SlipiRun *run, SlipiLoads *loads, SlipError *error) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  *loads = (SlipiLoads){0};
  if (!pairs)
    return SLIP_OK;
  SlipStatus status = slipi_row_state_create(run->op, run->arena, &loads->free, error);
  if (status != SLIP_OK)
    return status;
  int32_t bodies = loads->free.size / BODY;
  loads->side = SLIPI_ARENA_NEW(run->arena, uint8_t, run->nc);
  loads->first = SLIPI_ARENA_NEW(run->arena, int32_t, (int64_t)bodies + 2);
  loads->contact = SLIPI_ARENA_NEW(run->arena, int32_t, run->nc);
  loads->above = SLIPI_ARENA_NEW(run->arena, int32_t, (int64_t)bodies + 1);
  loads->queue = SLIPI_ARENA_NEW(run->arena, int32_t, bodies);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the loads of bodies");
  int32_t largest = most_contacts(pairs, run->nc, bodies + 1, loads->above);
  loads->one = SLIPI_ARENA_NEW(run->arena, SlipiOneContact, largest);
  if (!loads->one)
    return slipi_fail_memory(error, "the loads of bodies");
  loads->bodies = bodies;
  return SLIP_OK;
}

/* u = A' z of one contact, for the z of one of its bodies. */
static void half_row(const double *a, const double *z, double u[3]) {
  for (int c = 0; c < 3; c++) {
    u[c] = 0;
    for (int k = 0; k < BODY; k++)
      u[c] += a[ROW * c + k] * z[k];
  }
}

/* Which body of each contact is the upper one; how many contacts each body lies on, and under. */
static void find_order(const SlipiRun *run, const SlipiPairs *pairs, SlipiLoads *loads) {
  memset(loads->first, 0, ((size_t)loads->bodies + 2) * sizeof *loads->first);
  memset(loads->above, 0, ((size_t)loads->bodies + 1) * sizeof *loads->above);
  for (int32_t a = 0; a < run->nc; a++) {
    double own[2][3];
    for (int side = 0; side < 2; side++)
      half_row(pairs->a + 36 * (int64_t)a + (ptrdiff_t)BODY * side,
               loads->free.z + (ptrdiff_t)BODY * body_of(pairs, a, side), own[side]);
    int upper = !on_ground(pairs, a) && own[1][0] < own[0][0];
    loads->side[a] = (uint8_t)upper;
    loads->first[body_of(pairs, a, upper) + 2]++;
    if (!on_ground(pairs, a))
      loads->above[body_of(pairs, a, !upper)]++;
  }
  for (int32_t b = 0; b < loads->bodies; b++)
    loads->first[b + 2] += loads->first[b + 1];
  for (int32_t a = 0; a < run->nc; a++) /* afterwards body b's begin at first[b] */
    loads->contact[loads->first[body_of(pairs, a, loads->side[a]) + 1]++] = a;
}

/* The upper body's block of W: that of the contact if the lower one could not move. */
static void half_block(const SlipiPairs *pairs, int32_t contact, int side, double W[9]) {
  const double *a = pairs->a + 36 * (int64_t)contact + (ptrdiff_t)BODY * side;
  const double *b = pairs->b + 36 * (int64_t)contact + (ptrdiff_t)BODY * side;
  for (int s = 0; s < 3; s++)
    for (int t = 0; t < 3; t++) {
      W[3 * s + t] = 0;
      for (int k = 0; k < BODY; k++)
        W[3 * s + t] += a[ROW * s + k] * b[ROW * t + k];
    }
}

/* One visit to a contact of a body with velocity z, against a support that stands still. */
static void rest_on(const SlipiRun *run, const SlipiPairs *pairs, const SlipiLoads *loads,
                    int32_t contact, SlipiOneContact *one, double *z) {
  const SlipiOneContactRule rule = {.kind = SLIPI_ONE_HYBRID, .tol = 1e-10, .max_iter = 100};
  int side = loads->side[contact];
  const double *at = pairs->a + 36 * (int64_t)contact + (ptrdiff_t)BODY * side;
  const double *b = pairs->b + 36 * (int64_t)contact + (ptrdiff_t)BODY * side;
  const double *w = loads->w + 3 * (int64_t)contact, *W = one->W;
  const SlipiOwn *own = slipi_operator_own(run->op);
  double q[3], next[3], *r = run->r + 3 * (int64_t)contact;
  half_row(at, z, q);
  if (own)
    slipi_own_add(own, 3, contact, r, q);
  for (int k = 0; k < 3; k++) {
    q[k] += w[k] - (W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2]);
    next[k] = r[k];
  }
  slipi_one_contact_solve(one, &rule, q, next);
  for (int c = 0; c < 3; c++) {
    for (int k = 0; k < BODY; k++)
      z[k] += b[ROW * c + k] * (next[c] - r[c]);
    r[c] = next[c];
  }
}

/* Bring one body to rest; those it lies on get the loads, and their turn with the last one. */
static int32_t settle(SlipiRun *run, const SlipiPairs *pairs, SlipiLoads *loads,
                      SlipiRowState *rows, int32_t body, int32_t queued) {
  const int32_t *list = loads->contact + loads->first[body];
  int32_t count = loads->first[body + 1] - loads->first[body];
  const SlipiOwn *own = slipi_operator_own(run->op);
  double z[BODY], W[9];
  for (int k = 0; k < BODY; k++)
    z[k] = loads->free.z[BODY * body + k] + rows->z[BODY * body + k];
  for (int32_t k = 0; k < count; k++) {
    half_block(pairs, list[k], loads->side[list[k]], W);
    if (own)
      slipi_own_block(own, 3, list[k], W);
    slipi_one_contact_prepare(&loads->one[k], W, run->law[list[k]]);
  }
  for (int visit = 0; visit < VISITS; visit++)
    for (int32_t k = 0; k < count; k++)
      rest_on(run, pairs, loads, list[k], &loads->one[k], z);
  for (int32_t k = 0; k < count; k++) {
    slipi_pairs_update(pairs, list[k], run->r + 3 * (int64_t)list[k], rows->z);
    int32_t lower = body_of(pairs, list[k], !loads->side[list[k]]);
    if (lower != body && --loads->above[lower] == 0)
      loads->queue[queued++] = lower;
  }
  loads->above[body] = -1; /* done, also where it had to go before its turn */
  return queued;
}

bool slipi_loads_hand_down(SlipiRun *run, SlipiLoads *loads, SlipiRowState *rows) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  if (loads->bodies == 0 || !pairs || !slipi_all_zero(run->r, run->m))
    return false;
  loads->w = slipi_operator_free_velocity(run->op, run->q, loads->free.z);
  if (!loads->w)
    return false;
  find_order(run, pairs, loads);
  int32_t taken = 0, queued = 0, next = 0;
  for (int32_t b = 0; b < loads->bodies; b++) {
    if (loads->above[b] == 0)
      loads->queue[queued++] = b;
  }
  for (;;) {
    if (taken < queued) {
      queued = settle(run, pairs, loads, rows, loads->queue[taken++], queued);
      continue;
    }
    /* The bodies left lie on each other in circles: these are opened anywhere. */
    while (next < loads->bodies && loads->above[next] < 0)
      next++;
    if (next == loads->bodies)
      return true;
    queued = settle(run, pairs, loads, rows, next, queued);
  }
}
