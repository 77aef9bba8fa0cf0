#include "contact/residual.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/mass.h"
#include "contact/rolling.h"
#include "contact/shift.h"
#include "contact/units.h"
#include "linalg/vector.h"

/* Contacts whose terms are added together before they are added to the exact sum of all. A chunk of
 * a sweep, which one process has, is made of such pieces. */
enum { PIECE = 256, ROUND = 512 };
_Static_assert(SLIPI_CHUNK % PIECE == 0, "a chunk is made of whole pieces");

double slipi_contacts_norm(const double *x, int32_t d, int32_t nc, const SlipiShare *share) {
  if (nc <= PIECE && !share) /* the exact sum of one term */
    return sqrt(slipi_dot(x, x, (int64_t)d * nc));
  SlipiExact sum = {{0}};
  slipi_exact_add_square(&sum, x, (int64_t)d * nc, (int64_t)d * PIECE);
  return sqrt(slipi_share_sum(share, &sum));
}

double slipi_residual_scale(const double *q, int32_t d, int32_t nc, const SlipiShare *share) {
  double norm = slipi_contacts_norm(q, d, nc, share);
  return norm > 0 ? norm : 1.0;
}

/* The two blocks of a contact that rolls, of which `block` is one; returns where that begins among
 * the six components. */
static int load_rolling(int32_t d, const SlipiLaw *law, int32_t block, const double *u,
                        const double *r, SlipiRolling *rolling, double u6[6], double r6[6]) {
  int32_t first = law[block].rolls ? block : block - 1;
  *rolling = slipi_rolling(&law[first], &law[first + 1]);
  for (int32_t k = 0; k < 2; k++) {
    slipi_load(u, d, first + k, u6 + (ptrdiff_t)3 * k);
    slipi_load(r, d, first + k, r6 + (ptrdiff_t)3 * k);
  }
  return 3 * (block - first);
}

static bool is_rolling(const SlipiLaw *law) {
  return law->rolls || law->kind == SLIPI_ROLLING;
}

/* The natural map of the last contact that rolls. */
typedef struct Rolled {
  int64_t first; /* of its blocks */
  double e[6];
} Rolled;

/* The part of one block in the natural map of its contact, squared. */
static double rolling_square(int32_t d, const SlipiLaw *law, int32_t block, const double *u,
                             const double *r, Rolled *last) {
  if (last->first != block - 1) {
    SlipiRolling rolling;
    double u6[6], r6[6];
    last->first = block - load_rolling(d, law, block, u, r, &rolling, u6, r6) / 3;
    slipi_rolling_natural_map(&rolling, 1, u6, r6, last->e);
  }
  const double *e = last->e + (ptrdiff_t)3 * (block - last->first);
  return e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
}

/* The squares of the contacts from..to, added in order. */
static double chunk_square(int32_t d, const SlipiLaw *law, const double *u, const double *r,
                           double *contact_norm, int64_t from, int64_t to) {
  double sum = 0;
  Rolled last = {.first = -2};
  for (int64_t contact = from; contact < to; contact++) {
    double uc[3], rc[3], e[3];
    slipi_load(u, d, (int32_t)contact, uc);
    slipi_load(r, d, (int32_t)contact, rc);
    double square = is_rolling(&law[contact])
                        ? rolling_square(d, law, (int32_t)contact, u, r, &last)
                        : slipi_law_natural_map(&law[contact], 1.0, uc, rc, e);
    sum += square;
    if (contact_norm)
      contact_norm[contact] = sqrt(square);
  }
  return sum;
}

/* A round of pieces: needs no memory that grows with nc. */
typedef struct Round {
  int32_t d, nc;
  const SlipiLaw *law;
  const double *u, *r;
  double *contact_norm;
  int64_t first; /* contact */
  double partial[ROUND];
} Round;

static void round_piece(void *user, int32_t piece) {
  Round *round = user;
  int64_t from = round->first + (int64_t)piece * PIECE;
  int64_t to = from + PIECE < round->nc ? from + PIECE : round->nc;
  round->partial[piece] =
      chunk_square(round->d, round->law, round->u, round->r, round->contact_norm, from, to);
}

/* Sums over pieces of fixed size, added exactly: threads and processes only decide who computes a
 * piece. */
double slipi_residual_norm(int32_t d, int32_t nc, const SlipiLaw *law, const double *u,
                           const double *r, double *contact_norm, SlipiTeam *team,
                           const SlipiShare *share) {
  SlipiExact total = {{0}};
  if (nc <= PIECE && !share)
    return sqrt(chunk_square(d, law, u, r, contact_norm, 0, nc));
  Round round = {.d = d, .nc = nc, .law = law, .u = u, .r = r, .contact_norm = contact_norm};
  for (; round.first < nc; round.first += PIECE * ROUND) {
    int64_t left = (nc - round.first + PIECE - 1) / PIECE;
    int32_t pieces = left < ROUND ? (int32_t)left : ROUND;
    slipi_team_each(team, pieces, round_piece, &round);
    for (int32_t piece = 0; piece < pieces; piece++)
      slipi_exact_add(&total, round.partial[piece]);
  }
  return sqrt(slipi_share_sum(share, &total));
}

/* |W||r| + |q| of a local problem. */
static double local_row(const SlipiCsr *W, int32_t row, const double *q, const double *r) {
  double sum = fabs(q[row]);
  for (int32_t k = W->p[row]; k < W->p[row + 1]; k++)
    sum += fabs(W->x[k] * r[W->i[k]]);
  return sum;
}

/* |C| |r| of one row. */
static double absolute_own(const SlipProblem *problem, int32_t row, const double *r) {
  int32_t d = problem->d, first = row / d * d;
  double sum = 0;
  for (int32_t k = 0; problem->C && k < d; k++)
    sum += fabs(problem->C[(int64_t)row * d + k] * r[first + k]);
  return sum;
}

void slipi_residual_velocity(const SlipProblem *problem, const double *q, const double *r,
                             double *u) {
  const SlipiCsr *W = &problem->W;
  int32_t d = problem->d;
  for (int32_t row = 0; row < problem->m; row++) {
    long double sum = q[row];
    for (int32_t k = W->p[row]; k < W->p[row + 1]; k++)
      sum += (long double)W->x[k] * r[W->i[k]];
    for (int32_t k = 0; problem->C && k < d; k++)
      sum += (long double)problem->C[(int64_t)row * d + k] * r[row / d * d + k];
    u[row] = (double)sum;
  }
}

double slipi_residual_floor(const SlipProblem *problem, const double *q, const double *f,
                            const double *w, const double *r, double *room) {
  bool local = !slipi_problem_has_mass(problem);
  double square = 0, *diagonal = room + problem->dof;
  if (!local) {
    slipi_problem_gather_bound(problem, r, room);
    slipi_problem_mass_diagonal(problem, diagonal); /* which is positive */
  }
  for (int32_t row = 0; row < problem->dof; row++)
    room[row] = (room[row] + fabs(f[row])) / diagonal[row];
  for (int32_t row = 0; row < problem->m; row++) {
    double size = local ? local_row(&problem->W, row, q, r)
                        : slipi_problem_spread_bound(problem, row, room) + fabs(w[row]);
    size += absolute_own(problem, row, r) + fabs(r[row]);
    square += size * size;
  }
  return DBL_EPSILON * sqrt(square);
}

double slipi_residual_gap(int32_t d, int32_t nc, const SlipiLaw *law, const double *u,
                          const double *r, const SlipiShare *share) {
  SlipiExact gap = {{0}};
  for (int32_t contact = 0; contact < nc; contact++) {
    double uc[3], rc[3];
    slipi_load(u, d, contact, uc);
    slipi_load(r, d, contact, rc);
    SlipiLaw room;
    slipi_exact_add(&gap, slipi_law_gap(slipi_law_at(law, d, contact, r, &room), uc, rc));
  }
  return slipi_share_sum(share, &gap);
}

static SlipContactStatus rolling_status(int32_t d, const SlipiLaw *law, int32_t block,
                                        const double *u, const double *r, double rho) {
  SlipiRolling rolling;
  double u6[6], r6[6], e[6];
  int at = load_rolling(d, law, block, u, r, &rolling, u6, r6);
  SlipiRollingStatus status = slipi_rolling_natural_map(&rolling, rho, u6, r6, e);
  if (r6[0] == 0 && r6[1] == 0 && r6[2] == 0)
    return SLIP_CONTACT_OPEN;
  return at == 0 ? status.contact : status.moments;
}

void slipi_residual_status(int32_t d, int32_t nc, const SlipiLaw *law, const double *u,
                           const double *r, double scale, const SlipiShare *share,
                           int32_t *status) {
  /* At a solution the branch is the same for every step; near one, a step that brings velocities to
   * the size of r keeps noise in either from deciding. Where all is at rest, all of u is noise. */
  double ru = slipi_contacts_norm(r, d, nc, share);
  double uu = fmax(slipi_contacts_norm(u, d, nc, share), scale);
  double rho = ru > 0 && uu > 0 ? ru / uu : 1.0;
  for (int32_t contact = 0; contact < nc; contact++) {
    double uc[3], rc[3], z[3];
    if (is_rolling(&law[contact])) {
      status[contact] = rolling_status(d, law, contact, u, r, rho);
      continue;
    }
    slipi_load(u, d, contact, uc);
    slipi_load(r, d, contact, rc);
    z[0] = rc[0] - rho * (uc[0] + slipi_law_g(&law[contact], uc));
    z[1] = rc[1] - rho * uc[1];
    z[2] = rc[2] - rho * uc[2];
    status[contact] = slipi_law_project(&law[contact], z, z);
    bool no_impulse = rc[0] == 0 && rc[1] == 0 && rc[2] == 0;
    if (no_impulse && slipi_law_type(&law[contact])->one_sided)
      status[contact] = SLIP_CONTACT_OPEN;
  }
}

static SlipStatus global_velocity(const SlipProblem *problem, const double *r, double *u, double *v,
                                  SlipError *error) {
  SlipiMass *mass;
  SlipStatus status = slipi_mass_create(problem, &mass, error);
  if (status != SLIP_OK)
    return status;
  SlipiArena scratch = {0};
  double *velocity = v ? v : SLIPI_ARENA_NEW(&scratch, double, problem->dof);
  if (!velocity)
    status = slipi_fail_memory(error, "a velocity");
  if (status == SLIP_OK)
    status = slipi_mass_velocity(mass, problem, r, problem->f, velocity, error);
  if (status == SLIP_OK && u) {
    slipi_problem_spread(problem, velocity, u);
    for (int32_t k = 0; k < problem->m; k++)
      u[k] += problem->w[k];
  }
  slipi_arena_free(&scratch);
  slipi_mass_free(mass);
  return status;
}

static SlipStatus velocity(const SlipProblem *problem, const double *r, double *u, double *v,
                           SlipError *error) {
  SlipStatus status = SLIP_OK;
  const SlipiOwn own = {.C = problem->C};
  if (slipi_problem_has_mass(problem)) {
    status = global_velocity(problem, r, u, v, error);
  } else if (u) {
    slipi_csr_multiply(&problem->W, r, u);
    for (int32_t k = 0; k < problem->m; k++)
      u[k] += problem->q[k];
  }
  for (int32_t contact = 0; own.C && u && contact < problem->nc; contact++) {
    int64_t at = (int64_t)contact * problem->d;
    slipi_own_add(&own, problem->d, contact, r + at, u + at);
  }
  return status;
}

SlipStatus slip_problem_velocity(const SlipProblem *problem, const double *r, double *u, double *v,
                                 SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_PROBLEM(problem) || (!r && problem->m > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem or r is null, or the problem freed");
  if (v && problem->form == SLIP_FORM_LOCAL)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a local problem has no velocities v");
  SlipStatus status = slipi_problem_check_vector("r", r, problem->m, error);
  return status == SLIP_OK ? velocity(problem, r, u, v, error) : status;
}

SlipStatus slipi_problem_status(const SlipProblem *problem, const double *u, const double *r,
                                int32_t *status, SlipError *error) {
  SlipiArena scratch = {0};
  double *zero = SLIPI_ARENA_NEW(&scratch, double, problem->m);
  double *q = SLIPI_ARENA_NEW(&scratch, double, problem->m);
  SlipStatus done = zero && q ? velocity(problem, zero, q, NULL, error)
                              : slipi_fail_memory(error, "the statuses of contacts");
  if (done == SLIP_OK)
    slipi_residual_status(problem->d, problem->nc, problem->law, u, r,
                          slipi_residual_scale(q, problem->d, problem->nc, NULL), NULL, status);
  slipi_arena_free(&scratch);
  return done;
}

/* What the error of a point is computed of, with no cone shifted, in moderate units; but q. */
typedef struct Point {
  double *q, *u, *r; /* m */
  SlipiLaw *law;     /* nc */
} Point;

/* q = H' M^-1 f + w is u at r = 0. */
static SlipStatus fill_point(const SlipProblem *problem, const double *r, Point *point,
                             SlipError *error) {
  int32_t m = problem->m;
  SlipStatus status = velocity(problem, point->r, point->q, NULL, error);
  if (status == SLIP_OK)
    status = velocity(problem, r, point->u, NULL, error);
  if (status != SLIP_OK)
    return status;
  SlipiUnits units = {.W = slipi_units_of_W(problem, NULL),
                      .q = slipi_units_of_q(point->q, m, 0, NULL)};
  for (int32_t k = 0; k < m; k++)
    point->r[k] = r[k];
  slipi_shift_impulses(problem, 1, point->r);
  for (int32_t k = 0; k < problem->nc; k++)
    point->law[k] = slipi_units_law(slipi_shift_law(problem->law[k]), units.W - units.q);
  slipi_units_scale(point->q, m, -units.q);
  slipi_units_scale(point->u, m, -units.q);
  slipi_units_scale(point->r, m, units.W - units.q);
  return SLIP_OK;
}

/* The mu of a rough contact folded so that its error is least. */
static SlipiLaw best_fold(SlipiLaw given, const double u[3], const double r[3]) {
  SlipiLaw best = given;
  double e[3], least = INFINITY, fold = SLIPI_FOLD_LEAST;
  while (fold < given.mu) {
    SlipiLaw law = slipi_law_folded(given, fold);
    double square = slipi_law_natural_map(&law, 1, u, r, e);
    if (square < least) {
      least = square;
      best = law;
    }
    fold *= SLIPI_FOLD_FACTOR;
  }
  return slipi_law_natural_map(&given, 1, u, r, e) < least ? given : best;
}

static void fold_laws(const Point *point, int32_t d, int32_t nc) {
  for (int32_t k = 0; k < nc; k++) {
    double u[3], r[3];
    if (point->law[k].mu <= SLIPI_ROUGH)
      continue;
    slipi_load(point->u, d, k, u);
    slipi_load(point->r, d, k, r);
    point->law[k] = best_fold(point->law[k], u, r);
  }
}

SlipStatus slip_problem_residual(const SlipProblem *problem, const double *r, double *residual,
                                 double *contact_residual, SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_PROBLEM(problem) || !residual || (!r && problem->m > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "problem, r or residual is null, or the problem freed");
  SlipStatus status = slipi_problem_check_vector("r", r, problem->m, error);
  if (status != SLIP_OK)
    return status;
  int32_t d = problem->d, nc = problem->nc, m = problem->m;
  SlipiArena scratch = {0};
  double *room = SLIPI_ARENA_NEW(&scratch, double, 3 * (int64_t)m);
  Point point = {.law = SLIPI_ARENA_NEW(&scratch, SlipiLaw, nc)};
  if (scratch.failed || !room || !point.law)
    status = slipi_fail_memory(error, "the error of a point");
  if (status == SLIP_OK) {
    point.q = room;
    point.u = room + m;
    point.r = room + 2 * (int64_t)m;
    status = fill_point(problem, r, &point, error);
  }
  if (status == SLIP_OK) {
    double scale = slipi_residual_scale(point.q, d, nc, NULL);
    fold_laws(&point, d, nc);
    *residual =
        slipi_residual_norm(d, nc, point.law, point.u, point.r, contact_residual, NULL, NULL) /
        scale;
    for (int32_t k = 0; contact_residual && k < nc; k++)
      contact_residual[k] /= scale;
  }
  slipi_arena_free(&scratch);
  return status;
}
