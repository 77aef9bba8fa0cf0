#include "contact/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/system_velocity.h"
#include "linalg/blocklu.h"
#include "linalg/dense3.h"
#include "linalg/frontal.h"
#include "linalg/vector.h"

/* Refinement ends when a step does not halve the residual, when it is rounding, and after this many
 * steps, the second number while the residual is still too large; the effect of a step on a
 * residual that is small already need not be looked at. Residuals are relative to the largest
 * vector in them. */
enum { REFINEMENTS = 3, REFINEMENTS_MOST = 12 };
static const double ROUNDING = 1e-16, SMALL = 1e-12;
/* A residual that calls for a safer factorisation, in terms of the largest vector in it; how many
 * further factorisations are then made in that way at once. */
static const double TOO_LARGE = 1e-10;
/* W x may be small where x is large, and no residual is smaller than x's rounding: x counts for
 * this much among the terms, so that 1e-14 of it is not too large. */
static const double CANCELLED = 1e-4;
enum { HOLD = 4 };
enum { PAIR_REFINEMENTS = 5 }; /* with bodies */
enum { DISSECT_FROM = 4000 };  /* contacts that may be ordered by dissection: fewer are soon done */
static const double VELOCITY_SHARE = 0.8; /* of the work: what velocity space takes at most */

struct SlipiSystem {
  SlipiOperator *op;
  bool analysed; /* else everything waits to be made anew, in the memory that is here */
  int32_t nc, m;
  /* impulse space */
  SlipiBsr J; /* W's pattern; values from the first use on */
  int32_t *size;
  int64_t *offset;
  SlipiFrontal *frontal;
  SlipiBlocklu pivoted; /* made when it is needed first */
  /* velocity space */
  SlipiBodyMatrix *bodies; /* NULL: not to be had */
  SlipiBodyMatrix *room;   /* the same, also of a problem before */
  /* 9 a contact: B with A times the contact's own part of W times C added, its inverse, and
   * root C inverse A root; what K adds to that, from its first use on */
  double *full, *inverse, *E, *coupling;
  double *z, *z_residual, *z_correction;
  /* the last factorisation */
  SlipiSystemSpace first, space;
  int hold;
  const SlipiScaled *scaled;
  const double *A, *B, *C, *K;
  double *residual, *correction, *t; /* m */
  SlipiArena arena;
};

/* ---- Creation ---- */

static SlipStatus analyse_impulse(SlipiSystem *s, SlipError *error) {
  const SlipiBsr *W;
  SlipStatus status = slipi_operator_matrix(s->op, &W, error);
  if (status != SLIP_OK)
    return status;
  int64_t blocks = W->p[W->n];
  s->J = *W;
  s->J.d = 3;
  s->J.x = NULL;
  s->size = SLIPI_ARENA_NEW(&s->arena, int32_t, s->nc);
  s->offset = SLIPI_ARENA_NEW(&s->arena, int64_t, blocks);
  if (s->arena.failed)
    return slipi_fail_memory(error, "a contact system");
  for (int32_t a = 0; a < s->nc; a++)
    s->size[a] = 3;
  for (int64_t k = 0; k < blocks; k++)
    s->offset[k] = 9 * k;
  SlipiNodes nodes = {.n = s->nc, .size = s->size, .p = s->J.p, .j = s->J.j, .offset = s->offset};
  SlipiOperator *op = s->op;
  return s->frontal ? slipi_frontal_set(s->frontal, &nodes, op->team, &op->stop, error)
                    : slipi_frontal_create(&nodes, op->team, &op->stop, &s->frontal, error);
}

static SlipStatus analyse_velocity(SlipiSystem *s, SlipError *error) {
  SlipStatus status = s->room ? slipi_body_matrix_set(s->room, s->op, error)
                              : slipi_body_matrix_create(s->op, &s->room, error);
  if (status != SLIP_OK)
    return status;
  s->bodies = s->room;
  s->full = SLIPI_ARENA_NEW(&s->arena, double, 9 * (int64_t)s->nc);
  s->inverse = SLIPI_ARENA_NEW(&s->arena, double, 9 * (int64_t)s->nc);
  s->E = SLIPI_ARENA_NEW(&s->arena, double, 9 * (int64_t)s->nc);
  s->z = SLIPI_ARENA_NEW(&s->arena, double, s->bodies->rows);
  s->z_residual = SLIPI_ARENA_NEW(&s->arena, double, s->bodies->rows);
  s->z_correction = SLIPI_ARENA_NEW(&s->arena, double, s->bodies->rows);
  return s->arena.failed ? slipi_fail_memory(error, "a contact system") : SLIP_OK;
}

static SlipStatus analyse(SlipiSystem *s, SlipError *error) {
  if (s->nc > INT32_MAX / 3)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%d contacts are too many for a linear system",
                      (int)s->nc);
  s->m = 3 * s->nc;
  s->first = s->space = SLIPI_SYSTEM_IMPULSE;
  double **vectors[] = {&s->residual, &s->correction, &s->t};
  for (int k = 0; k < 3; k++)
    *vectors[k] = SLIPI_ARENA_NEW(&s->arena, double, s->m);
  SlipStatus status = s->op->share ? SLIP_OK : analyse_impulse(s, error);
  if (status == SLIP_OK && slipi_problem_has_mass(s->op->problem) && s->op->mass->blocks)
    status = analyse_velocity(s, error);
  if (status == SLIP_OK &&
      (s->op->share || slipi_system_work_in(s, SLIPI_SYSTEM_VELOCITY) <
                           VELOCITY_SHARE * slipi_system_work_in(s, SLIPI_SYSTEM_IMPULSE)))
    s->first = s->space = SLIPI_SYSTEM_VELOCITY;
  SlipiFrontal *used = s->first == SLIPI_SYSTEM_VELOCITY ? s->bodies->frontal : s->frontal;
  bool dissects = status == SLIP_OK && !s->op->share && s->nc > DISSECT_FROM;
  return dissects ? slipi_frontal_dissect(used, error) : status;
}

SlipStatus slipi_system_of(SlipiOperator *op, SlipiSystem **system, SlipError *error) {
  *system = NULL;
  SlipStatus status = SLIP_OK;
  if (!op->system && !(op->system = calloc(1, sizeof *op->system)))
    return slipi_fail_memory(error, "a contact system");
  if (!op->system->analysed) {
    slipi_system_forget(op->system);
    op->system->op = op;
    op->system->nc = op->nc;
    status = analyse(op->system, error);
    op->system->analysed = status == SLIP_OK;
  }
  if (status == SLIP_OK)
    *system = op->system;
  return status;
}

void slipi_system_forget(SlipiSystem *system) {
  if (!system)
    return;
  SlipiArena arena = system->arena;
  slipi_blocklu_free(&system->pivoted);
  slipi_arena_reset(&arena);
  *system = (SlipiSystem){.frontal = system->frontal, .room = system->room, .arena = arena};
}

void slipi_system_free(SlipiSystem *system) {
  if (!system)
    return;
  slipi_frontal_free(system->frontal);
  slipi_blocklu_free(&system->pivoted);
  slipi_body_matrix_free(system->room);
  slipi_arena_free(&system->arena);
  free(system);
}

void slipi_system_start(SlipiSystem *system) {
  if (!system)
    return;
  system->hold = 0;
  system->space = system->first;
}

bool slipi_system_prefer(SlipiSystem *s, SlipiSystemSpace space) {
  if (space == SLIPI_SYSTEM_VELOCITY && !s->bodies)
    return false;
  s->first = space;
  s->hold = 0;
  return true;
}

SlipiSystemSpace slipi_system_space(const SlipiSystem *s) {
  return s->space;
}

double slipi_system_work_in(const SlipiSystem *s, SlipiSystemSpace space) {
  if (space == SLIPI_SYSTEM_VELOCITY)
    return s->bodies ? slipi_body_matrix_work(s->bodies) : INFINITY;
  return slipi_frontal_work(s->frontal);
}

double slipi_system_work(const SlipiSystem *s) {
  return slipi_system_work_in(s, s->first);
}

/* ---- Factorisation ---- */

/* J = A W C + B of one block row, but for B. */
static void set_row(SlipiSystem *s, int32_t row) {
  const SlipiBsr *W = &s->scaled->W;
  int64_t first = W->p[row], count = W->p[row + 1] - first;
  if (!s->A)
    memcpy(s->J.x + 9 * first, W->x + 9 * first, 9 * (size_t)count * sizeof *W->x);
  for (int64_t k = first; s->A && k < first + count; k++)
    slipi_dense3_product(s->A + 9 * (int64_t)row, W->x + 9 * k, s->J.x + 9 * k);
  for (int64_t k = first; s->C && k < first + count; k++) {
    double AW[9];
    memcpy(AW, s->J.x + 9 * k, sizeof AW);
    slipi_dense3_product(AW, s->C + 9 * (int64_t)W->j[k], s->J.x + 9 * k);
  }
}

/* J += K in one block row; W has a block there, if only of zeros. */
static void add_coupling(SlipiSystem *s, int32_t row) {
  const SlipiBsr *W = &s->scaled->W;
  for (int32_t k = W->p[row]; k < W->p[row + 1]; k++) {
    for (int i = 0; W->j[k] == row - 1 && i < 9; i++)
      s->J.x[9 * (int64_t)k + i] += s->K[9 * (int64_t)row + i];
  }
}

/* J = A W C + B (+ K). */
static SlipStatus set_matrix(SlipiSystem *s, SlipError *error) {
  const SlipiBsr *W = &s->scaled->W;
  int64_t blocks = W->p[W->n];
  double unasked = 0;
  s->arena.failed = false; /* there may be memory again */
  if (!s->J.x)
    s->J.x = SLIPI_ARENA_NEW(&s->arena, double, 9 * blocks);
  if (!s->J.x)
    return slipi_fail_memory(error, "a contact system");
  for (int32_t row = 0; row < W->n; row++) {
    int64_t count = W->p[row + 1] - W->p[row];
    set_row(s, row);
    double *J = s->J.x + 9 * (int64_t)W->diagonal[row];
    for (int k = 0; k < 9; k++)
      J[k] += s->B[9 * (int64_t)row + k];
    if (s->K)
      add_coupling(s, row);
    if (slipi_stops_after(&s->op->stop, &unasked, 9.0 * (double)count, SLIPI_ASK_VISITS))
      return slipi_fail_stopped(error);
  }
  return SLIP_OK;
}

static SlipStatus factor_impulse(SlipiSystem *s, int *sign, SlipError *error) {
  SlipStatus status = set_matrix(s, error);
  return status == SLIP_OK ? slipi_frontal_factor(s->frontal, s->J.x, sign, error) : status;
}

static SlipStatus factor_pivoted(SlipiSystem *s, int *sign, SlipError *error) {
  SlipStatus status = set_matrix(s, error);
  if (status == SLIP_OK && !s->pivoted.lu)
    status = slipi_blocklu_create(&s->J, &s->op->stop, &s->arena, &s->pivoted, error);
  return status == SLIP_OK ? slipi_blocklu_factor(&s->pivoted, sign, error) : status;
}

/* The part of a contact's scaled block of W that does not come from H: the contact's own, and the
 * third direction of a 2D problem. */
static void set_own(const SlipiSystem *s, int32_t c, double S[9]) {
  const double *root = s->scaled->root + 3 * (int64_t)c;
  double block[9] = {0};
  int32_t d = s->op->d;
  slipi_own_block(&s->op->own, d, c, block);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      S[3 * i + j] = i < d && j < d ? root[i] * block[i * d + j] * root[j] : 0;
  }
  if (d == 2)
    S[8] = s->scaled->W.x[9 * (int64_t)s->scaled->W.diagonal[c] + 8];
}

/* Whether contacts have a part of W that does not come from H. */
static bool has_own(const SlipiSystem *s) {
  return slipi_operator_own(s->op) || s->op->d == 2;
}

static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* `full`, `inverse` and E of one contact: A (W + S) C + B = A W C + (A S C + B). Returns the sign
 * of det full. */
static int set_block(SlipiSystem *s, int32_t c) {
  int64_t at = 9 * (int64_t)c;
  const double *A = s->A ? s->A + at : unit, *root = s->scaled->root + 3 * (int64_t)c;
  const double *C = s->C ? s->C + at : unit;
  double *full = s->full + at, *E = s->E + at, CX[9];
  memcpy(full, s->B + at, 9 * sizeof *full);
  if (has_own(s)) {
    double S[9], AS[9], ASC[9];
    set_own(s, c, S);
    slipi_dense3_product(A, S, AS);
    slipi_dense3_product(AS, C, ASC);
    for (int k = 0; k < 9; k++)
      full[k] += ASC[k];
  }
  int sign = slipi_dense3_invert(full, s->inverse + at);
  if (sign == 0)
    return 0;
  slipi_dense3_product(C, s->inverse + at, CX);
  slipi_dense3_product(CX, A, E);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      E[3 * i + j] *= root[i] * root[j];
  }
  return sign;
}

/* With K, B + K has the inverse [X 0; -Y K X, Y] of X and Y, those of a contact and of its moments:
 * what E = (B + K)^-1 A has beside its diagonal. */
static void set_coupling(SlipiSystem *s, int32_t c) {
  int64_t at = 9 * (int64_t)c;
  const double *root = s->scaled->root + 3 * (int64_t)c;
  double *E = s->coupling + at, XA[9], KXA[9];
  slipi_dense3_product(s->inverse + at - 9, s->A ? s->A + at - 9 : unit, XA);
  slipi_dense3_product(s->K + at, XA, KXA);
  slipi_dense3_product(s->inverse + at, KXA, E);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      E[3 * i + j] *= -root[i] * root[j - 3];
  }
}

static SlipStatus factor_velocity(SlipiSystem *s, int *sign, SlipError *error) {
  int blocks = 1;
  *sign = 0;
  s->arena.failed = false; /* there may be memory again */
  if (s->K && !s->coupling &&
      !(s->coupling = SLIPI_ARENA_NEW(&s->arena, double, 9 * (int64_t)s->nc)))
    return slipi_fail_memory(error, "a contact system");
  for (int32_t c = 0; c < s->nc && blocks != 0; c++) {
    blocks *= set_block(s, c);
    if (s->K && c > 0 && blocks != 0)
      set_coupling(s, c);
  }
  if (slipi_share_any(s->op->share, blocks == 0))
    return SLIP_OK;
  SlipStatus status =
      slipi_body_matrix_factor(s->bodies, s->E, s->K ? s->coupling : NULL, sign, error);
  *sign *= blocks; /* of the own contacts' blocks only, where processes share them */
  return status;
}

/* Factor in s->space, or a safer one where that fails. */
static SlipStatus factor(SlipiSystem *s, int *sign, SlipError *error) {
  static SlipStatus (*const ways[])(SlipiSystem *, int *, SlipError *) = {
      factor_velocity, factor_impulse, factor_pivoted};
  SlipStatus status = ways[s->space](s, sign, error);
  while (status == SLIP_OK && *sign == 0 && s->space < SLIPI_SYSTEM_PIVOTED && !s->op->share &&
         !slipi_operator_is_stopped(s->op)) {
    s->space++;
    status = ways[s->space](s, sign, error);
  }
  return status;
}

/* J of the next factorisation, and the space it is to be made in. */
static void begin(SlipiSystem *s, const SlipiScaled *scaled, const double *A, const double *B,
                  const double *C, const double *K) {
  s->scaled = scaled;
  s->A = A;
  s->B = B;
  s->C = C;
  s->K = K;
  s->space = s->hold > 0 ? s->space : s->first;
  s->hold -= s->hold > 0;
}

SlipStatus slipi_system_factor(SlipiSystem *s, const SlipiScaled *scaled, const double *A,
                               const double *B, int *sign, SlipError *error) {
  return slipi_system_factor_between(s, scaled, A, B, NULL, sign, error);
}

SlipStatus slipi_system_factor_between(SlipiSystem *s, const SlipiScaled *scaled, const double *A,
                                       const double *B, const double *C, int *sign,
                                       SlipError *error) {
  begin(s, scaled, A, B, C, NULL);
  return factor(s, sign, error);
}

SlipStatus slipi_system_factor_coupled(SlipiSystem *s, const SlipiScaled *scaled, const double *A,
                                       const double *B, const double *K, int *sign,
                                       SlipError *error) {
  begin(s, scaled, A, B, NULL, K);
  if (K && s->space == SLIPI_SYSTEM_VELOCITY && !slipi_body_matrix_together(s->bodies, K))
    s->space = SLIPI_SYSTEM_IMPULSE;
  return factor(s, sign, error);
}

double slipi_system_rcond(const SlipiSystem *s) {
  if (s->op->share)
    return 1;
  if (s->space == SLIPI_SYSTEM_PIVOTED)
    return s->pivoted.rcond;
  return slipi_frontal_rcond(s->space == SLIPI_SYSTEM_IMPULSE ? s->frontal : s->bodies->frontal);
}

/* ---- Solution ---- */

/* x = (full + K)^-1 b of one contact, from the first to the last; b and x may be the same. */
static inline void solve_own(const SlipiSystem *s, int32_t c, const double b[3], double *x) {
  int64_t at = 3 * (int64_t)c;
  double rest[3], coupled[3] = {0};
  if (s->K && c > 0)
    slipi_dense3_multiply(s->K + 3 * at, x + at - 3, coupled);
  for (int k = 0; k < 3; k++)
    rest[k] = b[k] - coupled[k];
  slipi_dense3_multiply(s->inverse + 3 * at, rest, x + at);
}

/* x = (full + K)^-1 (b - A root A_b' z) with (I + B_b E A_b') z = B_b root C (full + K)^-1 b + g
 * (NULL: 0), A_b and B_b of the bodies; z is left in s->z. */
static void solve_velocity(SlipiSystem *s, const double *b, const double *g, double *x) {
  const double *root = s->scaled->root;
  for (int32_t c = 0; c < s->nc; c++)
    solve_own(s, c, b + 3 * (int64_t)c, s->t);
  for (int32_t c = 0; c < s->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    if (s->C)
      slipi_dense3_multiply(s->C + 3 * at, s->t + at, s->t + at);
    for (int k = 0; k < 3; k++)
      s->t[at + k] *= root[at + k];
  }
  slipi_body_matrix_gather(s->bodies, s->t, s->z);
  for (int32_t k = 0; g && k < s->bodies->rows; k++)
    s->z[k] += g[k];
  slipi_body_matrix_solve(s->bodies, s->z);
  slipi_body_matrix_spread(s->bodies, s->z, s->t);
  for (int32_t c = 0; c < s->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    double y[3] = {root[at] * s->t[at], root[at + 1] * s->t[at + 1], root[at + 2] * s->t[at + 2]};
    if (s->A)
      slipi_dense3_multiply(s->A + 3 * at, y, y);
    for (int k = 0; k < 3; k++)
      y[k] = b[at + k] - y[k];
    solve_own(s, c, y, x);
  }
}

SlipStatus slipi_system_solve_once(SlipiSystem *s, const double *b, double *x, SlipError *error) {
  if (s->space == SLIPI_SYSTEM_PIVOTED)
    return slipi_blocklu_solve(&s->pivoted, b, x, error);
  if (s->space == SLIPI_SYSTEM_IMPULSE)
    slipi_frontal_solve(s->frontal, b, x);
  else
    solve_velocity(s, b, NULL, x);
  return SLIP_OK;
}

/* residual = b - A W C x - (B + K) x; returns its norm, and in *size the norm of its terms. */
static double set_residual(SlipiSystem *s, const double *b, const double *x, double *size) {
  double square = 0, terms = 0, square_x = 0;
  for (int32_t c = 0; s->C && c < s->nc; c++)
    slipi_dense3_multiply(s->C + 9 * (int64_t)c, x + 3 * (int64_t)c, s->t + 3 * (int64_t)c);
  slipi_bsr_multiply(&s->scaled->W, s->C ? s->t : x, s->residual, NULL);
  for (int32_t c = 0; c < s->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    double *y = s->residual + at, z[3];
    if (s->A)
      slipi_dense3_multiply(s->A + 3 * at, y, y);
    slipi_dense3_multiply(s->B + 3 * at, x + at, z);
    if (s->K && c > 0) {
      double coupled[3];
      slipi_dense3_multiply(s->K + 3 * at, x + at - 3, coupled);
      for (int k = 0; k < 3; k++)
        z[k] += coupled[k];
    }
    for (int k = 0; k < 3; k++) {
      double rest = b[at + k] - y[k] - z[k];
      terms += b[at + k] * b[at + k] + y[k] * y[k] + z[k] * z[k];
      square_x += x[at + k] * x[at + k];
      square += rest * rest;
      y[k] = rest;
    }
  }
  *size = sqrt(terms) + CANCELLED * sqrt(square_x);
  return sqrt(square);
}

static void add(int32_t m, double factor, const double *x, double *y) {
  for (int32_t k = 0; k < m; k++)
    y[k] += factor * x[k];
}

/* Solve and refine with the present factors; *error_size is the residual's share of its terms. */
static SlipStatus solve_refined(SlipiSystem *s, const double *b, double *x, double *error_size,
                                SlipError *error) {
  double size, next_size;
  SlipStatus status = slipi_system_solve_once(s, b, x, error);
  if (status != SLIP_OK || s->space == SLIPI_SYSTEM_PIVOTED) /* refines by itself */
    return status;
  double norm = set_residual(s, b, x, &size);
  for (int k = 0; k < REFINEMENTS_MOST && norm > ROUNDING * size; k++) {
    status = slipi_system_solve_once(s, s->residual, s->correction, error);
    if (status != SLIP_OK)
      return status;
    add(s->m, 1, s->correction, x);
    if (norm <= SMALL * size)
      break;
    double next = set_residual(s, b, x, &next_size);
    if (!(next < norm)) {
      add(s->m, -1, s->correction, x);
      break;
    }
    bool enough = next <= TOO_LARGE * next_size, slow = next > (enough ? 0.5 : 0.9) * norm;
    norm = next;
    size = next_size;
    if (slow || (enough && k + 1 >= REFINEMENTS))
      break;
  }
  *error_size = size > 0 ? norm / size : norm;
  return SLIP_OK;
}

SlipStatus slipi_system_solve(SlipiSystem *s, const double *b, double *x, SlipError *error) {
  double error_size = 0;
  SlipStatus status = solve_refined(s, b, x, &error_size, error);
  while (status == SLIP_OK && !(error_size <= TOO_LARGE) && s->space < SLIPI_SYSTEM_PIVOTED &&
         !slipi_operator_is_stopped(s->op)) {
    int sign;
    s->space++;
    s->hold = HOLD;
    status = factor(s, &sign, error);
    if (status != SLIP_OK || sign == 0)
      return status;
    error_size = 0;
    status = solve_refined(s, b, x, &error_size, error);
  }
  return status;
}

/* ---- Bodies ---- */

int32_t slipi_system_body_rows(const SlipiSystem *s) {
  return s->bodies ? s->bodies->rows : 0;
}

/* Multiply by root, in s->t. */
static void scale_by_root(const SlipiSystem *s, const SlipiScaled *scaled, const double *r) {
  for (int32_t k = 0; k < s->m; k++)
    s->t[k] = scaled->root[k] * r[k];
}

void slipi_system_gather(const SlipiSystem *s, const SlipiScaled *scaled, const double *r,
                         double *z) {
  scale_by_root(s, scaled, r);
  slipi_body_matrix_gather(s->bodies, s->t, z);
}

void slipi_system_spread(SlipiSystem *s, const SlipiScaled *scaled, const double *z,
                         const double *r, double *u) {
  s->scaled = scaled;
  slipi_body_matrix_spread(s->bodies, z, u);
  for (int32_t k = 0; k < s->m; k++)
    u[k] *= scaled->root[k];
  for (int32_t c = 0; has_own(s) && c < s->nc; c++) {
    double S[9], own[3];
    set_own(s, c, S);
    slipi_dense3_multiply(S, r + 3 * (int64_t)c, own);
    for (int k = 0; k < 3; k++)
      u[3 * (int64_t)c + k] += own[k];
  }
}

/* residual = b - A A_b' z - full x, z_residual = g - z + B_b C x; returns their norm. */
static double set_residuals(SlipiSystem *s, const double *b, const double *g, const double *x,
                            const double *z) {
  const double *root = s->scaled->root;
  double square = 0;
  slipi_body_matrix_spread(s->bodies, z, s->residual);
  for (int32_t c = 0; c < s->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    double *y = s->residual + at, own[3];
    for (int k = 0; k < 3; k++)
      y[k] *= root[at + k];
    if (s->A)
      slipi_dense3_multiply(s->A + 3 * at, y, y);
    slipi_dense3_multiply(s->full + 3 * at, x + at, own);
    slipi_dense3_multiply(s->C ? s->C + 3 * at : unit, x + at, s->t + at);
    for (int k = 0; k < 3; k++) {
      y[k] = b[at + k] - y[k] - own[k];
      square += y[k] * y[k];
    }
  }
  scale_by_root(s, s->scaled, s->t);
  slipi_body_matrix_gather(s->bodies, s->t, s->z_residual);
  for (int32_t k = 0; k < s->bodies->rows; k++)
    s->z_residual[k] += g[k] - z[k];
  square += slipi_body_matrix_square(s->bodies, s->z_residual);
  return sqrt(slipi_share_added(s->op->share, square));
}

void slipi_system_solve_bodies(SlipiSystem *s, const double *b, const double *g, double enough,
                               double *x, double *z) {
  int32_t rows = s->bodies->rows;
  double size = sqrt(slipi_share_added(s->op->share, slipi_dot(b, b, s->m) +
                                                         slipi_body_matrix_square(s->bodies, g)));
  solve_velocity(s, b, g, x);
  memcpy(z, s->z, (size_t)rows * sizeof *z);
  double norm = set_residuals(s, b, g, x, z);
  for (int k = 0; k < PAIR_REFINEMENTS && norm > enough * size; k++) {
    solve_velocity(s, s->residual, s->z_residual, s->correction);
    memcpy(s->z_correction, s->z, (size_t)rows * sizeof *z);
    add(s->m, 1, s->correction, x);
    add(rows, 1, s->z_correction, z);
    double next = set_residuals(s, b, g, x, z);
    if (!(next < norm)) {
      add(s->m, -1, s->correction, x);
      add(rows, -1, s->z_correction, z);
      break;
    }
    bool slow = next > 0.5 * norm;
    norm = next;
    if (slow)
      break;
  }
}
