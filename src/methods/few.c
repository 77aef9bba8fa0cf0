/* A few contacts: Gauss-Seidel sweeps and dense Newton steps in turn, without the overhead of
 * libraries made for large matrices.
 *
 * One iteration is some sweeps (118), then Newton steps on Alart-Curnier's equations (62):
 *
 *     (Phi_rr + Phi_ru (W + alpha I)) dr = -F(u, r)                                        (156)
 *
 * Where all flows are normal to K they are on the natural map, by a definite matrix
 * (methods/few_normal.h).
 *
 * The first sweeps go on where they converge so fast that those left cost less than Newton steps.
 * alpha is of the size of rounding: where W is singular and contacts stick, it takes the shortest
 * step of the many. When Newton gets nowhere, the sweeps of the next iteration are twice as many.
 * One contact is solved by the first sweep.
 */
#include "methods/method.h"

#include <float.h>
#include <string.h>

#include "contact/disc.h"
#include "contact/few.h"
#include "contact/nonsmooth.h"
#include "contact/onecontact_exact.h"
#include "contact/onecontact_rolling.h"
#include "contact/residual.h"
#include "contact/rolling.h"
#include "linalg/vector.h"
#include "methods/few_dense.h"
#include "methods/few_normal.h"

enum { SWEEPS_MOST = 64, NEWTON_MOST = 12, NORMAL_TIMES = 2 };
/* Where some K is curved, Newton goes on to this share of the tolerance: one more step costs less
 * than an iteration, and the second measure often does not confirm what the first finds good. */
static const double CURVED_BELOW = 0.1;
static const double NEWTON_WORTH = 2.5; /* Newton steps that first sweeps may cost */
/* alpha, as a share of the largest diagonal entry of W, in every other iteration: the larger for a
 * singular W, the smaller for one that nearly is. */
static const double REGULARISATION[] = {1e-11, 1e-14};

typedef struct Few {
  const double *W;      /* m x m by rows: the operator's, or our own */
  double *own;          /* room for it; NULL while the operator's serves */
  SlipiOneContact *one; /* nc */
  SlipiSteps *rho;      /* nc */
  /* Of each block of moments: both parts of its contact. NULL: no contact rolls. */
  SlipiRollingContact *rolling;
  double largest; /* diagonal entry of W */
  double *u;      /* m: W r + q */
  double *trial;  /* m */
  double *J;      /* m rows, each with one more value, F, and zeros up to the stride */
  int32_t stride;
  double *F;              /* m */
  SlipiFewNormal *normal; /* NULL: some flow is not normal to K */
  int sweeps;
  int first;          /* the iteration whose sweeps may go on */
  double unconfirmed; /* the error before the last iteration */
  double accuracy;    /* of the problems of contacts alone that are solved by iterations */
  double below;       /* Newton's aim, as a share of the tolerance */
} Few;

static SlipStatus create(SlipiRun *run, SlipError *error) {
  SlipiArena *arena = run->arena;
  int32_t m = run->m;
  Few *s = SLIPI_ARENA_RAW(arena, Few, 1);
  SlipiOneContact *one = SLIPI_ARENA_RAW(arena, SlipiOneContact, run->nc); /* prepared by start */
  SlipiSteps *rho = SLIPI_ARENA_RAW(arena, SlipiSteps, run->nc);
  double *vectors = SLIPI_ARENA_RAW(arena, double, 3 * m);
  int32_t stride = slipi_few_stride(m);
  double *J = SLIPI_ARENA_RAW(arena, double, m *stride);
  double *own = slipi_operator_dense(run->op) ? NULL : SLIPI_ARENA_RAW(arena, double, m *m);
  SlipiRollingContact *rolling = NULL;
  if (slipi_rolling_has(run->law, run->nc))
    rolling = SLIPI_ARENA_NEW(arena, SlipiRollingContact, run->nc);
  SlipiFewNormal *normal = slipi_few_normal_create(run);
  if (arena->failed)
    return slipi_fail_memory(error, "the method for a few contacts");
  *s = (Few){.own = own,
             .one = one,
             .rho = rho,
             .rolling = rolling,
             .u = vectors,
             .trial = vectors + m,
             .F = vectors + 2 * (ptrdiff_t)m,
             .J = J,
             .stride = stride,
             .normal = normal};
  run->state = s;
  return SLIP_OK;
}

/* W by its columns, where the operator does not hold it. */
static SlipStatus assemble(SlipiRun *run, Few *s, SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; s->own && k < run->m && status == SLIP_OK; k++) {
    memset(s->trial, 0, (size_t)run->m * sizeof *s->trial);
    s->trial[k] = 1;
    status = slipi_operator_apply(run->op, s->trial, s->u, error);
    for (int32_t j = 0; j < run->m; j++)
      s->own[j * run->m + k] = s->u[j];
  }
  return status;
}

/* Both parts of the contact whose moments are block b. */
static void prepare_rolling(const SlipiRun *run, Few *s, int32_t b) {
  int32_t d = run->d, first = (b - 1) * d;
  double *W = s->rolling[b].W;
  memset(W, 0, sizeof s->rolling[b].W);
  for (int32_t i = 0; i < 2 * d; i++) {
    for (int32_t k = 0; k < 2 * d; k++)
      W[6 * (i / d * 3 + i % d) + k / d * 3 + k % d] = s->W[(first + i) * run->m + first + k];
  }
  for (int32_t k = 0; k < 18 && d == 2; k++) /* as padded */
    W[6 * (k / 3) + 3 * (k / 9) + k % 3] = s->one[b - 1 + k / 9].W[k % 9];
  slipi_rolling_prepare(&s->rolling[b], &s->one[b - 1], &s->one[b]);
}

static SlipStatus prepare(SlipiRun *run, Few *s, SlipError *error) {
  int32_t d = run->d, m = run->m;
  SlipStatus status = assemble(run, s, error);
  s->W = s->own ? s->own : slipi_operator_dense(run->op); /* the operator may hold another since */
  double largest = 0;
  for (int32_t k = 0; k < m; k++)
    largest = fmax(largest, s->W[k * m + k]);
  s->largest = largest;
  s->below = 1;
  for (int32_t a = 0; status == SLIP_OK && a < run->nc; a++) {
    double block[9], W[9];
    for (int32_t k = 0; k < d; k++)
      memcpy(block + k * d, s->W + (a * d + k) * m + a * d, (size_t)d * sizeof *block);
    if (d == 2)
      slipi_one_contact_pad(block, W);
    else
      memcpy(W, block, sizeof W);
    slipi_one_contact_prepare(&s->one[a], W, run->law[a]);
    s->rho[a].size = 0; /* filled by the first Newton step */
    if (slipi_law_type(&run->law[a])->look)
      s->below = CURVED_BELOW;
    if (run->law[a].kind == SLIPI_ROLLING)
      prepare_rolling(run, s, a);
  }
  if (status == SLIP_OK && s->normal)
    slipi_few_normal_prepare(run, s->W, largest, s->normal);
  return status;
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Few *s = run->state;
  SlipStatus status = run->laws_changed ? prepare(run, s, error) : SLIP_OK;
  for (int32_t a = 0; a < run->nc; a++)
    s->one[a].lambda = 0;
  if (s->normal)
    slipi_few_normal_start(run, s->normal);
  s->sweeps = s->first = 1;
  s->unconfirmed = INFINITY;
  return status;
}

/* A slide of a contact in 2D, r_T = side mu r_N: whether it holds. */
static bool planar_slide(const SlipiOneContact *one, const double q[3], double side, double r[2]) {
  const double *W = one->W;
  double tangent = side * one->law.mu;
  r[0] = -q[0] / (W[0] + tangent * W[1]);
  r[1] = tangent * r[0];
  double u = W[3] * r[0] + W[4] * r[1] + q[1];
  return r[0] > 0 && isfinite(r[0]) && side * u <= 0;
}

/* Coulomb's law in 2D where the block is singular, so that nothing has been prepared: of the two
 * slides the one that holds, and where both do the one nearer to r. */
static bool solve_planar(const SlipiOneContact *one, const double q[3], double r[3]) {
  double least = INFINITY, found[2] = {0};
  if (!slipi_law_is_coulomb(&one->law) || !(q[0] < 0))
    return false;
  for (int side = -1; side <= 1; side += 2) {
    double x[2];
    if (planar_slide(one, q, side, x) && fabs(x[1] - r[1]) < least) {
      least = fabs(x[1] - r[1]);
      memcpy(found, x, sizeof x);
    }
  }
  if (least == INFINITY)
    return false;
  r[0] = found[0];
  r[1] = found[1];
  return true;
}

static const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
/* Contacts with a curved K are solved by iterations, before Newton's first steps to this share of
 * the error: sweeps are far from a solution then. */
static const double CURVED_SHARE = 0.1;

/* q of one block's own problem. */
static void local_q(const SlipiRun *run, const Few *s, int32_t a, const double r[3], double q[3]) {
  int32_t d = run->d, m = run->m;
  for (int32_t k = 0; k < d; k++) {
    const double *W = &s->one[a].W[3 * k];
    q[k] = run->q[a * d + k];
    if (run->nc > 1)
      q[k] +=
          slipi_dot(s->W + (a * d + k) * m, run->r, m) - (W[0] * r[0] + W[1] * r[1] + W[2] * r[2]);
  }
}

/* A visit to both parts of the contact whose moments are block b, solving for them together. */
static void visit_both(SlipiRun *run, Few *s, int32_t b) {
  int32_t d = run->d, m = run->m;
  const SlipiRollingContact *both = &s->rolling[b];
  double q[6] = {0}, r[6];
  slipi_load(run->r, d, b - 1, r);
  slipi_load(run->r, d, b, r + 3);
  for (int32_t i = 0; i < 2 * d; i++) {
    int32_t at = i / d * 3 + i % d, row = (b - 1) * d + i;
    q[at] = run->q[row];
    if (run->nc > 2)
      q[at] += slipi_dot(s->W + row * m, run->r, m) - slipi_dot(both->W + 6 * (ptrdiff_t)at, r, 6);
  }
  slipi_rolling_solve(both, &s->one[b - 1], &s->one[b], &rule, q, r);
  slipi_store(r, d, b - 1, run->r);
  slipi_store(r + 3, d, b, run->r);
}

/* The impulse first and then the moments that it allows: as good, and much cheaper. One contact
 * alone is solved by a visit, and later sweeps are for problems that this did not do for. */
static void visit_rolling(SlipiRun *run, Few *s, int32_t b) {
  if (run->nc == 2 || run->iteration > 1) {
    visit_both(run, s, b);
    return;
  }
  for (int32_t a = b - 1; a <= b; a++) {
    SlipiOneContact *one = &s->one[a];
    double q[3] = {0}, r[3];
    slipi_load(run->r, run->d, a, r);
    local_q(run, s, a, r, q);
    if (a == b) {
      one->law = slipi_rolling_under(one->law, run->r[(b - 1) * run->d]);
      slipi_disc_solve_both(one, q, r);
    } else if (!one->exact || !slipi_one_contact_exact(one, q, r)) {
      slipi_one_contact_solve(one, &rule, q, r);
    }
    slipi_store(r, run->d, a, run->r);
  }
}

/* Square of the distance between the impulses of a block and others. */
static double distance2(const SlipiRun *run, int32_t a, const double r[3]) {
  double sum = 0;
  for (int32_t k = 0; k < run->d && k < 3; k++) {
    double change = run->r[a * run->d + k] - r[k];
    sum += change * change;
  }
  return sum;
}

/* Returns the square of the change of r; of contacts that roll that of their impulses. */
static double sweep(SlipiRun *run, Few *s) {
  int32_t d = run->d;
  double sum = 0;
  for (int32_t a = 0; a < run->nc; a++) {
    SlipiOneContact *one = &s->one[a];
    double q[3] = {0}, r[3];
    slipi_load(run->r, d, a, r);
    if (run->law[a].rolls) {
      visit_rolling(run, s, a + 1);
      sum += distance2(run, a++, r);
      continue;
    }
    local_q(run, s, a, r, q);
    bool found = one->exact && (slipi_one_contact_exact(one, q, r) ||
                                (r[0] == 0 && slipi_one_contact_exact_any(one, q, r)));
    if (!found && d == 2 && !one->exact)
      found = solve_planar(one, q, r);
    if (!found) {
      SlipiOneContactRule loose = rule;
      loose.tol = s->accuracy;
      slipi_one_contact_solve(one, slipi_law_type(&one->law)->look ? &loose : &rule, q, r);
    }
    sum += distance2(run, a, r);
    slipi_store(r, d, a, run->r);
  }
  return sum;
}

/* The error (131) of r; leaves u. */
static double error_of(const SlipiRun *run, const Few *s, const double *r) {
  for (int32_t k = 0; k < run->m; k++)
    s->u[k] = slipi_dot(s->W + k * run->m, r, run->m) + run->q[k];
  return slipi_residual_norm(run->d, run->nc, run->law, s->u, r, NULL, NULL, NULL) / run->scale;
}

/* The steps rho of a contact's equations. The natural map of a curved K has one, and Newton's
 * points go further at once where it is some times that of the contact alone: the other contacts
 * leave less of its mobility. */
static SlipiSteps steps_of(const SlipiLaw *law, const double W[9]) {
  static const double CURVED_FURTHER = 5;
  SlipiSteps rho = slipi_nonsmooth_steps(slipi_nonsmooth_rule(SLIPI_NONSMOOTH_AC, law), W);
  if (slipi_law_type(law)->look)
    rho.normal = rho.tangent = CURVED_FURTHER * rho.normal;
  return rho;
}

/* What the moments of block b have in J for the impulse that bounds them. */
static void couple(const SlipiRun *run, Few *s, const SlipiLaw *law, int32_t b, const double u[3],
                   const double r[3]) {
  int32_t d = run->d;
  double K[9];
  slipi_rolling_slope(law, s->rho[b].normal, u, r, K);
  for (int32_t i = 0; i < d; i++) {
    for (int32_t k = 0; k < d; k++)
      s->J[(b * d + i) * s->stride + (b - 1) * d + k] += K[3 * i + k];
  }
}

/* row = f' W of the d rows of one block, and zeros behind. */
static void combine(const double f[3], const double *W, int32_t d, int32_t m, int32_t stride,
                    double *row) {
  bool last = d == 3 && f[2] != 0;
  int count = (f[0] != 0) + (f[1] != 0) + last, single = f[0] != 0 ? 0 : f[1] != 0 ? 1 : 2;
  const double *one = W + single * m, *two = W + m, *three = W + (d - 1) * m;
  memset(row + m, 0, (size_t)(stride - m) * sizeof *row);
  if (count == 0)
    memset(row, 0, (size_t)m * sizeof *row);
  for (int32_t j = 0; count == 1 && j < m; j++)
    row[j] = f[single] * one[j];
  for (int32_t j = 0; count > 1 && j < m; j++)
    row[j] = f[0] * W[j] + f[1] * two[j] + (last ? f[2] : 0) * three[j];
}

/* J and, in the column behind it, -F at s->trial, of which s->u is the velocity. */
static void linearise(const SlipiRun *run, Few *s) {
  int32_t d = run->d, m = run->m, stride = s->stride;
  double alpha = REGULARISATION[run->iteration % 2] * s->largest;
  for (int32_t a = 0; a < run->nc; a++) {
    double u[3], r[3], F[3], Phi_ru[9], Phi_rr[9];
    slipi_load(s->u, d, a, u);
    slipi_load(s->trial, d, a, r);
    SlipiLaw room;
    const SlipiLaw *law = slipi_law_at(run->law, d, a, s->trial, &room);
    if (s->rho[a].size == 0)
      s->rho[a] = steps_of(&run->law[a], s->one[a].W);
    slipi_nonsmooth(SLIPI_NONSMOOTH_AC, law, s->rho[a], u, r, F, Phi_ru, Phi_rr);
    for (int32_t i = 0; i < d; i++) {
      double *row = s->J + (a * d + i) * stride;
      combine(Phi_ru + (ptrdiff_t)3 * i, s->W + a * d * m, d, m, stride, row);
      for (int32_t k = 0; k < d; k++)
        row[a * d + k] += Phi_rr[3 * i + k] + Phi_ru[3 * i + k] * alpha;
      row[m] = -F[i];
    }
    if (law->kind == SLIPI_ROLLING)
      couple(run, s, law, a, u, r);
  }
}

/* s->trial moves by one step; its velocity is s->u. */
static bool newton_step(const SlipiRun *run, Few *s) {
  linearise(run, s);
  if (!slipi_few_eliminate(run->m, s->stride, s->J, s->F))
    return false;
  for (int32_t j = 0; j < run->m; j++)
    s->trial[j] += s->F[j];
  return true;
}

/* Newton steps from run->r, of the given error: the first time as long as the error falls, later
 * so many whatever it does, and one at least. Where all flows are normal the error may rise from
 * the start: a step that finds the states of contacts often has a large one. Should that have led
 * nowhere twice, the steps are those of other flows. run->r becomes the best of their points. */
static void newton(SlipiRun *run, Few *s, double error) {
  size_t bytes = (size_t)run->m * sizeof *run->r;
  bool first = run->iteration == s->first;
  bool normal = s->normal && s->normal->applies && run->iteration < s->first + NORMAL_TIMES;
  double enough = first ? run->tol : 0;
  memcpy(s->trial, run->r, bytes);
  for (int k = 0; k < NEWTON_MOST && error > enough; k++) {
    bool moved = normal ? slipi_few_normal_step(run, s->normal, s->W, s->u, s->J, s->trial)
                        : newton_step(run, s);
    if (!moved)
      return;
    double next = error_of(run, s, s->trial);
    if (!isfinite(next) || (first && !normal && next > error))
      return;
    if (next < error)
      memcpy(run->r, s->trial, bytes);
    error = fmin(error, next);
    enough = s->below * run->tol;
  }
}

/* How many sweeps a Newton step costs: one-contact problems and products against an elimination,
 * four products to make the matrix and the error, and each contact's part in these. Nominal
 * nanoseconds, measured on one machine; only their ratios matter. */
static double newton_in_sweeps(const SlipiRun *run) {
  const double visit = 55, rolling = 60, curved = 250, product = 0.3, elimination = 0.25;
  const double slope = 100;
  double m = run->m, visits = 0;
  for (int32_t a = 0; a < run->nc; a++)
    visits += run->law[a].kind == SLIPI_ROLLING    ? rolling
              : slipi_law_type(&run->law[a])->look ? curved
                                                   : visit;
  return (elimination * m * m * m + 4 * product * m * m + slope * run->nc) /
         (visits + product * m * m);
}

/* So many sweeps at most, and no more than bring the given error to the tolerance by the changes of
 * r, which fall as the error does; to see the error itself costs as much as a sweep. At least two
 * tell how fast they fall, unless fewer are expected to do. Returns how many there were. */
static int sweep_by_change(SlipiRun *run, Few *s, double error, double expected, double most) {
  double first = 0, before, change = 0;
  int count = 0, least = expected < 2 ? 1 : 2;
  bool goes_on = true;
  while (goes_on) {
    before = change;
    change = sqrt(sweep(run, s));
    first = count++ == 0 ? change : first;
    double next = error * change / first * (change / before); /* after this sweep */
    double left = log(next / run->tol) / log(before / change);
    goes_on = count < least ||
              (count > 1 && next > run->tol && change < before && count + left + 1 <= most);
  }
  return count;
}

/* Sweeps, while they reduce the error so fast that a Newton step would cost more than those that
 * are left. `before`: the error before the last sweep, `error` after it. Returns the last error. */
static double sweep_on(SlipiRun *run, Few *s, double before, double error) {
  double most = NEWTON_WORTH * newton_in_sweeps(run), sweeps = 1;
  while (error > run->tol) {
    double left = sweeps * log(error / run->tol) / log(before / error);
    if (!(error < before && left + 1 <= most)) /* to see the error costs as much as a sweep */
      break;
    before = error;
    s->accuracy = fmax(CURVED_SHARE * error, rule.tol);
    sweeps = sweep_by_change(run, s, error, left, most);
    most -= sweeps + 1;
    error = error_of(run, s, run->r);
  }
  return error;
}

/* Whether at most one contact has an impulse: then a sweep has most likely solved the problem. */
static bool is_alone(const SlipiRun *run) {
  int32_t count = 0;
  for (int32_t a = 0; a < run->nc && count < 2; a++)
    count += run->r[a * run->d] != 0;
  return count < 2;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Few *s = run->state;
  double before = run->error;
  (void)error;
  /* Of what is good but for the measure that confirms it, sweeps may lose some: Newton is first. */
  bool unconfirmed = before <= run->tol && before < s->unconfirmed;
  s->unconfirmed = before;
  s->accuracy = run->iteration == s->first ? fmax(CURVED_SHARE * before, rule.tol) : rule.tol;
  for (int k = 0; k < s->sweeps && !unconfirmed; k++)
    sweep(run, s);
  run->cheap_error = INFINITY; /* the driver evaluates the error */
  if (run->iteration == 1 && is_alone(run)) {
    s->first = 2;
    return SLIP_OK;
  }
  double after = error_of(run, s, run->r);
  if (run->iteration == s->first)
    after = sweep_on(run, s, before, after);
  /* Of more contacts a step costs tens of sweeps: others may be quicker, and get their turn. */
  if (run->iteration > s->first || slipi_is_few(run->nc, run->d == 2))
    newton(run, s, after);
  if (s->sweeps < SWEEPS_MOST)
    s->sweeps *= 2;
  return SLIP_OK;
}

static const SlipiMethod methods[] = {
    {.info = {.name = "few",
              .family = "few contacts",
              .summary = "sweeps and dense Newton steps in turn, for at most 32 contacts"},
     .needs = SLIPI_NEED_ROWS,
     .laws = SLIPI_LAWS_ALL,
     .contacts_most = SLIPI_FEW_MOST,
     .evaluate_each = true,
     .follows_W = true,
     .patience = 500,
     .create = create,
     .start = start,
     .step = step},
};

const SlipiFamily slipi_family_few = SLIPI_FAMILY(methods);
