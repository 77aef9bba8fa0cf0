#include "contact/operator.h"

#include "contact/few.h"
#include "contact/pairs.h"
#include "contact/rolling.h"
#include "contact/system.h"

#include <stdlib.h>
#include <string.h>

/* Measured (see docs/architecture.md): from this many blocks a row, walking over velocities is
 * cheaper than walking over the blocks of W. */
static const double VELOCITY_FROM_BLOCKS = 6;

/* From so many contacts on methods that sweep visit pairs of bodies by fours, which takes a
 * fraction of the time of a walk over blocks, however few these are. */
static const double FOURS_FROM_BLOCKS = 2;

/* A W with more than this share of non-zero entries is kept dense, up to a size whose square
 * still fits in memory with ease. */
static const double DENSE_FROM_FILL = 0.5;
static const int32_t DENSE_UP_TO = 8000;

SlipStatus slipi_operator_blocks(const SlipiOperator *op, SlipiArena *arena, SlipiBsr *W,
                                 SlipError *error) {
  const SlipProblem *problem = op->problem;
  return problem->form == SLIP_FORM_LOCAL
             ? slipi_bsr_from_csr(arena, &problem->W, problem->d, &op->stop, W, error)
             : slipi_mass_reduce(op->mass, problem, arena, W, error);
}

double slipi_operator_set_shift(SlipiOperator *op, double shift) {
  double before = op->own.shift;
  op->own.shift = shift;
  return before;
}

/* Products of fewer unknowns and degrees of freedom take no time that counts. */
enum { ASKS_FROM = 3000 };

SlipStatus slipi_operator_apply(SlipiOperator *op, const double *r, double *u, SlipError *error) {
  if (op->m > ASKS_FROM - op->problem->dof && slipi_is_stopped(&op->stop))
    return slipi_fail_stopped(error);
  SlipStatus status = op->table->apply(op, r, u, error);
  const SlipiOwn *own = slipi_operator_own(op);
  for (int32_t contact = 0; own && contact < op->nc; contact++) {
    int64_t at = (int64_t)contact * op->d;
    slipi_own_add(own, op->d, contact, r + at, u + at);
  }
  return status;
}

SlipStatus slipi_operator_contact_velocity(SlipiOperator *op, const double *r, const double *q,
                                           double *u, SlipError *error) {
  SlipStatus status = slipi_operator_apply(op, r, u, error);
  for (int32_t k = 0; status == SLIP_OK && k < op->m; k++)
    u[k] += q[k];
  return status;
}

void slipi_operator_block(const SlipiOperator *op, int32_t row, int32_t k, double *block) {
  const SlipiBsr *W = op->matrix;
  size_t size = (size_t)W->d * (size_t)W->d;
  memcpy(block, W->x + (size_t)k * size, size * sizeof *block);
  if (W->j[k] == row)
    slipi_own_block(&op->own, op->d, row, block);
}

/* Moments depend on the impulse of the contact before: W gets blocks of zeros for the two where it
 * has none, so that matrices of its pattern can hold their coupling. */
static SlipStatus complete_rolling(SlipiOperator *op, SlipError *error) {
  const SlipiLaw *law = op->problem->law;
  if (!slipi_rolling_has(law, op->nc))
    return SLIP_OK;
  SlipiBsr *whole = SLIPI_ARENA_NEW(&op->arena, SlipiBsr, 1);
  int32_t *mate = SLIPI_ARENA_NEW(&op->arena, int32_t, op->nc);
  if (op->arena.failed)
    return slipi_fail_memory(error, "W");
  for (int32_t a = 0; a < op->nc; a++)
    mate[a] = law[a].rolls ? a + 1 : law[a].kind == SLIPI_ROLLING ? a - 1 : a;
  SlipStatus status = slipi_bsr_complete(&op->arena, op->matrix, mate, whole, error);
  if (status == SLIP_OK)
    op->matrix = whole;
  return status;
}

SlipStatus slipi_operator_matrix(SlipiOperator *op, const SlipiBsr **W, SlipError *error) {
  *W = NULL;
  SlipStatus status = SLIP_OK;
  if (!op->matrix) {
    bool held = op->table->kind == SLIPI_OPERATOR_BLOCK;
    SlipiBsr *made = held ? op->data : SLIPI_ARENA_NEW(&op->arena, SlipiBsr, 1);
    if (!made)
      return slipi_fail_memory(error, "W");
    status = held ? SLIP_OK : slipi_operator_blocks(op, &op->arena, made, error);
    if (status != SLIP_OK)
      return status;
    op->matrix = made;
    status = complete_rolling(op, error);
    if (status != SLIP_OK)
      op->matrix = NULL;
  }
  *W = op->matrix;
  return status;
}

bool slipi_operator_is_stopped(const SlipiOperator *op) {
  return slipi_is_stopped(&op->stop);
}

void slipi_operator_reload(SlipiOperator *op) {
  op->table->reload(op);
  if (op->matrix && op->matrix != op->data)
    slipi_bsr_set_values(&op->problem->W, op->matrix);
}

SlipStatus slipi_row_state_create(const SlipiOperator *op, SlipiArena *arena, SlipiRowState *state,
                                  SlipError *error) {
  enum { SPARE = 6 };
  *state = (SlipiRowState){.size = op->places};
  if (op->places == 0)
    return SLIP_OK;
  state->z = SLIPI_ARENA_NEW(arena, double, (int64_t)op->places + SPARE);
  return state->z ? SLIP_OK : slipi_fail_memory(error, "the state of a sweep");
}

const double *slipi_operator_dense(const SlipiOperator *op) {
  return op->table->kind == SLIPI_OPERATOR_DENSE && !slipi_operator_own(op) ? op->data : NULL;
}

static SlipStatus check_kind(const SlipProblem *problem, const SlipiMass *mass,
                             SlipiOperatorKind kind, SlipError *error) {
  bool factored = kind == SLIPI_OPERATOR_VELOCITY || kind == SLIPI_OPERATOR_FACTORED;
  if (factored && problem->form == SLIP_FORM_LOCAL)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "the problem is local: without M and H only the dense and block operators "
                      "can be made");
  if (kind == SLIPI_OPERATOR_VELOCITY && mass->small == 0 && !mass->blocks)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "M couples %d degrees of freedom: the velocity operator needs a mass matrix "
                      "of small blocks; use the block operator",
                      (int)mass->largest);
  return SLIP_OK;
}

SlipStatus slipi_operator_set(SlipiOperator *op, const SlipProblem *problem, SlipiMass *mass,
                              SlipiOperatorKind kind, int threads, SlipError *error) {
  SlipStatus status = check_kind(problem, mass, kind, error);
  if (status != SLIP_OK)
    return status;
  SlipiArena arena = op->arena;
  SlipiTeam *team = op->team;
  slipi_system_forget(op->system);
  slipi_arena_reset(&arena);
  *op = (SlipiOperator){.problem = problem,
                        .mass = mass,
                        .f = problem->f,
                        .w = problem->w,
                        .d = problem->d,
                        .nc = problem->nc,
                        .m = problem->m,
                        .team = team,
                        .share = op->share,
                        .system = op->system,
                        .own = {.C = problem->C},
                        .stop = op->stop,
                        .arena = arena};
  if (!team)
    status = slipi_team_create(threads, &op->team, error);
  if (status != SLIP_OK)
    return status;
  if (mass)
    mass->team = op->team;
  static SlipStatus (*const init[])(SlipiOperator *, SlipError *) = {
      slipi_operator_init_dense, slipi_operator_init_block, slipi_operator_init_velocity,
      slipi_operator_init_factored};
  return init[kind](op, error);
}

SlipStatus slipi_operator_new(SlipiOperator **op, SlipError *error) {
  *op = calloc(1, sizeof **op);
  return *op ? SLIP_OK : slipi_fail_memory(error, "an operator");
}

SlipStatus slipi_operator_create(const SlipProblem *problem, SlipiMass *mass,
                                 SlipiOperatorKind kind, int threads, SlipiOperator **op,
                                 SlipError *error) {
  *op = NULL;
  SlipiOperator *made;
  SlipStatus status = slipi_operator_new(&made, error);
  if (status != SLIP_OK)
    return status;
  status = slipi_operator_set(made, problem, mass, kind, threads, error);
  if (status == SLIP_OK)
    *op = made;
  else
    slipi_operator_free(made);
  return status;
}

void slipi_operator_free(SlipiOperator *op) {
  if (!op)
    return;
  slipi_system_free(op->system);
  slipi_team_free(op->team);
  slipi_arena_free(&op->arena);
  free(op);
}

/* Whether sweeps over velocities are quicker than a few contacts with W. */
static bool rolls_by_bodies(const SlipProblem *problem, const SlipiMass *mass) {
  return problem->d == 3 && problem->nc > SLIPI_FEW_ROLLING && mass->blocks &&
         slipi_rolling_has(problem->law, problem->nc);
}

/* From how many blocks a row on a sweep walks over velocities. */
static double velocity_from(const SlipProblem *problem, const SlipiMass *mass) {
  bool fours = problem->d == 3 && problem->nc >= SLIPI_PAIRS_FROM && mass->blocks && !problem->C &&
               !slipi_rolling_has(problem->law, problem->nc);
  return fours ? FOURS_FROM_BLOCKS : VELOCITY_FROM_BLOCKS;
}

/* Blocks of W that come from sparse factors, so many a row, must fit in memory. */
static SlipStatus check_size(const SlipProblem *problem, double blocks, SlipError *error) {
  double block = problem->d * problem->d * (double)sizeof(double) + sizeof(int32_t);
  double bytes = problem->nc * blocks * block;
  if (bytes <= SLIPI_W_BYTES_MOST)
    return SLIP_OK;
  return slipi_fail(error, SLIP_ERROR_MISMATCH,
                    "the method needs the rows of W, which would take %.3g GB between %d contacts; "
                    "methods that need no rows, as fp-vi-accelerated, take the factors of M in its "
                    "place (operator=block forms W all the same)",
                    1e-9 * bytes, (int)problem->nc);
}

SlipStatus slipi_operator_choose(const SlipProblem *problem, SlipiMass *mass, bool rows,
                                 SlipiOperatorKind *kind, SlipError *error) {
  double m = problem->m, fill;
  if (problem->form == SLIP_FORM_LOCAL) {
    fill = problem->W.p[problem->m] / (m * m);
  } else {
    *kind = mass->blocks ? SLIPI_OPERATOR_VELOCITY : SLIPI_OPERATOR_FACTORED;
    if (!rows)
      return SLIP_OK;
    double blocks, large = 0, least = velocity_from(problem, mass);
    SlipStatus status = slipi_mass_row_blocks(mass, problem, least, &blocks, error);
    if (status == SLIP_OK && mass->small > 0)
      status = slipi_mass_large_blocks(mass, problem, &large, error);
    bool few = slipi_is_few(problem->nc, problem->d == 2);
    if (few && rolls_by_bodies(problem, mass)) {
      *kind = SLIPI_OPERATOR_VELOCITY;
      return status;
    }
    /* Blocks of large components are read in either form: velocities save the blocks of the others
     * only. */
    bool velocity = mass->small > 0 && blocks - large >= least && !few;
    if (velocity)
      *kind = SLIPI_OPERATOR_VELOCITY;
    if (status == SLIP_OK && mass->factor)
      status = check_size(problem, mass->small > 0 ? large : blocks, error);
    if (status != SLIP_OK || velocity)
      return status;
    fill = blocks / problem->nc;
  }
  bool dense = (fill >= DENSE_FROM_FILL && problem->m <= DENSE_UP_TO) ||
               slipi_is_few(problem->nc, problem->d == 2);
  *kind = dense ? SLIPI_OPERATOR_DENSE : SLIPI_OPERATOR_BLOCK;
  return SLIP_OK;
}
