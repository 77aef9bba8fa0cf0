/* Which way the contact problem of a step with deformable bodies goes, by counted work:
 *
 * - W is formed (soft_pose.c). Most of what that takes is kept: the inverse of A between the nodes
 *   that have touched. It grows like the square of the contacts.
 * - W is left as H' A^-1 H: each product with it is a solve with the factors, by a method that
 * needs no rows. That is less where bodies are long and thin, whose factors are sparse, and much of
 *   their surface touches.
 *
 * Work is counted, not timed: the same scene takes the same way on every machine. The user's option
 * `operator` decides where it is given. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/operator.h"
#include "contact/problem.h"
#include "sim/soft.h"

/* Nominal nanoseconds, of which only the ratios matter. */
static const double COLUMN = 0.2; /* an entry of the factors in a solve among many columns */
static const double SOLVE = 1.5;  /* and alone */
static const double TURN = 12;    /* an entry of W made from what is known, checked and copied */
static const double SWEEP = 0.5;  /* an entry of W in a sweep */
static const double ENTRY = 100;  /* an entry of A in a global problem made and taken apart */
/* How often: sweeps over W, products in its place. Nodes that touch go on
 * touching: what they take is shared by so many steps. */
static const double SWEEPS = 40, PRODUCTS = 150, STEPS = 10;
/* An entry of W with its copies. */
static const double BYTES_ENTRY = 36;

typedef struct Ways {
  double formed, factored; /* nanoseconds */
  double bytes, entries;   /* of W formed */
} Ways;

/* Nodes of a body that touch, and its contacts. What is known already does not count: a simulation
 * that goes on from a snapshot knows nothing yet, and must take the same way. */
static bool count_nodes(SlipSim *sim, int32_t s, double *nodes, double *contacts) {
  const SlipiSofts *softs = sim->softs;
  const SlipiSoft *soft = softs->at[s];
  bool *seen = SLIPI_ARENA_NEW(&sim->softs->scratch, bool, soft->nodes);
  *nodes = *contacts = 0;
  for (int32_t t = 0; seen && t < softs->touches; t++) {
    const SlipiSoftTouch *touch = &softs->touch[t];
    *contacts += touch->soft[0] == s || touch->soft[1] == s;
    for (int side = 0; side < 2; side++)
      for (int32_t e = touch->first[side]; touch->soft[side] == s && e < touch->end[side]; e++) {
        *nodes += !seen[softs->node[e]];
        seen[softs->node[e]] = true;
      }
  }
  return seen != NULL;
}

static bool count_ways(SlipSim *sim, Ways *ways) {
  SlipiSofts *softs = sim->softs;
  double all = 0;
  bool counted = true;
  *ways = (Ways){0};
  for (int32_t s = 0; s < softs->count && counted; s++) {
    const SlipiSoft *soft = softs->at[s];
    double d = slipi_soft_d(soft), nodes, contacts, inL = slipi_factor_entries(soft->factor);
    counted = count_nodes(sim, s, &nodes, &contacts);
    ways->formed += d * nodes * inL * COLUMN / STEPS;
    ways->factored += PRODUCTS * inL * SOLVE + ENTRY * soft->matrices.K.p[soft->matrices.K.rows];
    ways->bytes += 8 * d * nodes * d * nodes;
    all += d * contacts * d * contacts;
  }
  ways->entries = all;
  ways->formed += all * (TURN + SWEEPS * SWEEP);
  ways->bytes += BYTES_ENTRY * all;
  slipi_arena_reset(&softs->scratch);
  return counted;
}

/* Whether a method without rows can treat the problem by factors that bodies have: they are those
 * of large symmetric matrices. */
static bool can_factor(const SlipSim *sim, const SlipiSimRows *rows) {
  enum { LARGE = 64 };
  bool can = !rows->rolls;
  for (int32_t s = 0; s < sim->softs->count; s++) {
    const SlipiSoft *soft = sim->softs->at[s];
    can = can && soft->free > LARGE && soft->factor && slipi_factor_entries(soft->factor) > 0;
  }
  return can;
}

SlipStatus slipi_soft_choose(SlipSim *sim, const SlipiSimRows *rows, const SlipSettings *settings,
                             bool *factored, SlipError *error) {
  int wanted = (int)settings->common[SLIPI_COMMON_OPERATOR]; /* 0: auto */
  Ways ways;
  *factored = false;
  if (sim->softs->refused || !can_factor(sim, rows) ||
      (wanted != 0 && wanted != 1 + SLIPI_OPERATOR_FACTORED))
    return SLIP_OK;
  if (!count_ways(sim, &ways))
    return slipi_fail_memory(error, "the contact problem of a step");
  *factored = wanted != 0 || ways.factored < ways.formed || ways.bytes > SLIPI_W_BYTES_MOST ||
              ways.entries > INT32_MAX;
  return SLIP_OK;
}

/* ---- Blocks of A^-1 at nodes ---- */

/* Columns of a chunk of nodes, by the part of the factors that these few reach: nodes that follow
 * each other are near each other, and reach little. */
static SlipStatus solve_nodes(SlipiSoft *soft, const int32_t *node, int32_t count,
                              SlipiArena *arena, SlipError *error) {
  int d = slipi_soft_d(soft);
  SlipiWithin *within = NULL;
  bool *marked = SLIPI_ARENA_NEW(arena, bool, soft->free);
  SlipStatus status = marked ? SLIP_OK : slipi_fail_memory(error, "the diagonal of W");
  for (int32_t k = 0; k < d * count && status == SLIP_OK; k++) {
    int32_t row = soft->number[(int64_t)d * node[k / d] + k % d];
    if (row >= 0)
      marked[row] = true;
  }
  if (status == SLIP_OK)
    status = slipi_factor_within(soft->factor, marked, arena, &within, error);
  int64_t places = within ? slipi_within_places(within) : soft->free;
  int64_t room = within ? slipi_within_room(within) : 2 * places * d * count;
  double *X = status == SLIP_OK ? SLIPI_ARENA_NEW(arena, double, room) : NULL;
  if (status == SLIP_OK && !X)
    status = slipi_fail_memory(error, "the diagonal of W");
  if (status != SLIP_OK)
    return status;
  double *solved = within ? X : X + places * d * count;
  for (int32_t k = 0; k < d * count; k++) {
    int32_t row = soft->number[(int64_t)d * node[k / d] + k % d];
    if (row >= 0)
      X[k * places + (within ? slipi_within_place(within, row) : row)] = 1;
  }
  if (within)
    (void)slipi_within_solve(within, 0, d * count, NULL, X); /* nothing stops it */
  else
    status = slipi_factor_solve_many(soft->factor, d * count, X, solved, error);
  for (int32_t k = 0; k < d * count && status == SLIP_OK; k++)
    for (int c = 0; c < d; c++) {
      int32_t row = soft->number[(int64_t)d * node[k / d] + c];
      int32_t column = soft->number[(int64_t)d * node[k / d] + k % d];
      int64_t at = row < 0 ? 0 : within ? slipi_within_place(within, row) : row;
      soft->own[((int64_t)node[k / d] * d + k % d) * d + c] =
          row < 0 || column < 0 ? 0 : solved[k * places + at];
    }
  return status;
}

enum { NODES = SLIPI_WITHIN_COLUMNS / 3 }; /* of a chunk */

/* Room for the blocks of all nodes; those that are not known are NaN. */
static bool make_room(SlipiSoft *soft) {
  int64_t values = (int64_t)soft->nodes * slipi_soft_d(soft) * slipi_soft_d(soft);
  if (soft->own)
    return true;
  soft->own = malloc((size_t)values * sizeof *soft->own);
  for (int64_t k = 0; soft->own && k < values; k++)
    soft->own[k] = NAN;
  return soft->own != NULL;
}

/* Those of nodes that touch; they stay as long as the factors. Chunks are of nodes that may touch,
 * by their numbers: the same bits whichever of them came first. */
static SlipStatus find_own(SlipSim *sim, SlipiSoft *soft, int32_t s, SlipError *error) {
  SlipiSofts *softs = sim->softs;
  int64_t block = (int64_t)slipi_soft_d(soft) * slipi_soft_d(soft);
  bool *wanted = SLIPI_ARENA_NEW(&softs->kept, bool, soft->nodes / NODES + 1);
  if (!make_room(soft) || !wanted)
    return slipi_fail_memory(error, "the diagonal of W");
  for (int32_t t = 0; t < softs->touches; t++)
    for (int side = 0; side < 2; side++)
      for (int32_t e = softs->touch[t].first[side];
           softs->touch[t].soft[side] == s && e < softs->touch[t].end[side]; e++)
        wanted[softs->node[e] / NODES] |= isnan(soft->own[softs->node[e] * block]) != 0;
  SlipStatus status = SLIP_OK;
  for (int32_t chunk = 0; chunk <= soft->nodes / NODES && status == SLIP_OK; chunk++) {
    int32_t list[NODES], count = 0, end = (chunk + 1) * NODES;
    for (int32_t node = chunk * NODES; node < end && node < soft->nodes && wanted[chunk]; node++) {
      if (soft->on_surface[node])
        list[count++] = node;
    }
    if (count > 0)
      status = solve_nodes(soft, list, count, &softs->scratch, error);
    slipi_arena_reset(&softs->scratch);
  }
  return status;
}

/* Add the block of one side of a contact. Of several nodes it is the mean of theirs, which bounds
 * it: w'A^-1 w is convex in the weights. */
static void add_own(const SlipSim *sim, const SlipiContact *contact, const SlipiSoftTouch *touch,
                    int side, double *block) {
  const SlipiSofts *softs = sim->softs;
  const SlipiSoft *soft = softs->at[touch->soft[side]];
  int d = slipi_soft_d(soft);
  double mean[9] = {0}, sum = 0, F[9];
  for (int32_t e = touch->first[side]; e < touch->end[side]; e++)
    sum += fabs(softs->weight[e]);
  for (int32_t e = touch->first[side]; e < touch->end[side]; e++)
    for (int k = 0; k < d * d; k++)
      mean[k] += sum * fabs(softs->weight[e]) * soft->own[(int64_t)softs->node[e] * d * d + k];
  for (int c = 0; c < d; c++) {
    double turned[3];
    slipi_rotate_back(soft->mid_R, contact->frame[c], turned);
    memcpy(F + (ptrdiff_t)d * c, turned, (size_t)d * sizeof *F);
  }
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      for (int k = 0; k < d * d; k++)
        block[d * i + j] += F[d * i + k / d] * mean[k] * F[d * j + k % d];
}

/* The share of rigid bodies: H' M^-1 H of each, M solved by elimination. */
static void add_rigid_own(const SlipSim *sim, const SlipiSimRows *rows, int32_t row, int side,
                          double *block) {
  int d = sim->def.dimension, n = slipi_body_dof(d);
  int32_t body = rows->body[2 * (int64_t)row + side];
  const double *M = rows->M + (int64_t)body * n * n;
  const double *H = rows->H + (2 * (int64_t)row + side) * d * n;
  double A[36], B[18];
  memcpy(A, M, (size_t)(n * n) * sizeof *A);
  memcpy(B, H, (size_t)(d * n) * sizeof *B);
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double factor = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++)
        A[i * n + j] -= factor * A[k * n + j];
      for (int c = 0; c < d; c++)
        B[c * n + i] -= factor * B[c * n + k];
    }
  for (int c = 0; c < d; c++)
    for (int k = n - 1; k >= 0; k--) {
      for (int j = k + 1; j < n; j++)
        B[c * n + k] -= A[k * n + j] * B[c * n + j];
      B[c * n + k] /= A[k * n + k];
    }
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      for (int k = 0; k < n; k++)
        block[d * i + j] += H[i * n + k] * B[j * n + k];
}

static SlipStatus make_own(SlipSim *sim, const SlipiSimRows *rows, double *own, SlipError *error) {
  const SlipiSofts *softs = sim->softs;
  int d = sim->def.dimension;
  SlipStatus status = SLIP_OK;
  for (int32_t s = 0; s < softs->count && status == SLIP_OK; s++)
    status = find_own(sim, softs->at[s], s, error);
  for (int32_t k = 0; k < rows->count && status == SLIP_OK; k++) {
    const int32_t *from = rows->from + 2 * (int64_t)k;
    const SlipiContact *contact = from[0] >= 0 ? NULL : &sim->contacts.at[from[1]];
    const SlipiSoftTouch *touch =
        contact && contact->soft > 0 ? &softs->touch[contact->soft - 1] : NULL;
    for (int side = 0; side < 2; side++) {
      double *block = own + (int64_t)k * d * d;
      if (touch && touch->soft[side] >= 0)
        add_own(sim, contact, touch, side, block);
      else if (rows->body[2 * (int64_t)k + side] >= 0)
        add_rigid_own(sim, rows, k, side, block);
    }
  }
  return status;
}

/* ---- The problem ---- */

static SlipStatus lend(SlipSim *sim, const SlipiSimRows *rows, SlipError *error) {
  SlipiSofts *softs = sim->softs;
  int d = sim->def.dimension, n = slipi_body_dof(d);
  slipi_arena_reset(&softs->kept);
  int32_t *first = SLIPI_ARENA_NEW(&softs->kept, int32_t, (int64_t)softs->count + 1);
  SlipiFactor **factor = SLIPI_ARENA_NEW(&softs->kept, SlipiFactor *, softs->count);
  double *own = SLIPI_ARENA_NEW(&softs->kept, double, (int64_t)rows->count *d *d);
  if (softs->kept.failed)
    return slipi_fail_memory(error, "the contact problem of a step");
  first[0] = rows->bodies * n;
  for (int32_t s = 0; s < softs->count; s++) {
    first[s + 1] = first[s] + softs->at[s]->free;
    factor[s] = softs->at[s]->factor;
  }
  softs->lent = (SlipiLent){softs->count, first, factor, own};
  return make_own(sim, rows, own, error);
}

/* The user's settings, with a method that needs no rows. */
static SlipSettings rowless(const SlipSettings *given) {
  SlipSettings settings = *given;
  settings.common[SLIPI_COMMON_OPERATOR] = 0;
  if (slipi_method_needs(given->method, given->own) & SLIPI_NEED_ROWS) {
    settings.method = slipi_method_find("fp-vi-accelerated");
    slipi_method_defaults(settings.method, settings.own);
  }
  return settings;
}

void slipi_soft_take_solver(SlipiSofts *softs, SlipiSimRows *rows, bool factored) {
  if (softs->factored == factored)
    return;
  SlipSolver *before = rows->solver;
  rows->solver = softs->idle;
  softs->idle = before;
  softs->factored = factored;
}

SlipStatus slipi_soft_pose_factored(SlipSim *sim, SlipiSimRows *rows, const SlipSettings *given,
                                    SlipError *error) {
  SlipiSofts *softs = sim->softs;
  SlipProblem *problem = NULL;
  SlipSettings settings = rowless(given);
  softs->posed = false; /* `kept` is used otherwise */
  SlipStatus status = lend(sim, rows, error);
  if (status == SLIP_OK)
    status = slipi_soft_global(sim, &problem, error);
  if (status != SLIP_OK)
    return status;
  slipi_soft_take_solver(softs, rows, true);
  problem->lent = &softs->lent;
  status = rows->solver ? slip_solver_set_problem(rows->solver, problem, error)
                        : slip_solver_create(problem, &settings, &rows->solver, error);
  problem->lent = NULL; /* for others it is a problem as any */
  if (status != SLIP_OK) {
    slip_problem_free(problem);
    return status;
  }
  slip_problem_free(rows->problem);
  rows->problem = problem;
  return slip_solver_warm_start(rows->solver, rows->r, error);
}

bool slipi_soft_refuse(SlipSim *sim, const SlipResult *result) {
  SlipiSofts *softs = sim->softs;
  if (!softs || !softs->factored || softs->count == 0)
    return false;
  bool stopped = result->outcome == SLIP_TIME_LIMIT || result->outcome == SLIP_INTERRUPTED;
  bool wanted = sim->settings.common[SLIPI_COMMON_OPERATOR] != 0;
  softs->refused = result->outcome != SLIP_SOLVED && !stopped && !wanted;
  return softs->refused;
}
