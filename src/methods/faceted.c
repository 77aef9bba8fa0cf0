/* The convex relaxation (g off) over faceted cones, whose facets are managed on the way (Acary,
 * Cadoux, Lemaréchal, Malick 2011, section 6, iv): each contact has rays d = (1, mu cos, mu sin) of
 * its cone, and
 *
 *     r = sum lambda_i d_i,   lambda_i >= 0
 *
 * makes the problem a quadratic program with bounds only. It is solved by sweeps over the contacts,
 * whose own programs, at most three lambda of which are not 0, are solved by an active set. Columns
 * are generated: of all rays of the cone the one opposite to u_T has the least d'u, u = W r + q;
 * where that is negative it joins the others, in the place of one that bears nothing. (On a facet
 * between two rays it is the one half way between them.) In two dimensions the cone has two rays
 * and nothing is left out.
 *
 * Other contacts have the rays, positive or of any sign, of their own sets.
 */
#include "methods/method.h"

#include <string.h>

#include "contact/residual.h"
#include "linalg/dense3.h"
#include "methods/common_projected.h"

enum { OPTION_FACETS, OPTION_COLUMNS };

enum { FACETS_MOST = 12, COLUMNS = 8, RAYS = FACETS_MOST + COLUMNS };

static const SlipOptionInfo options[] = {
    {"facets", SLIP_OPTION_INT, "4", 3, FACETS_MOST, NULL, "rays of a cone that are always there"},
    {"columns", SLIP_OPTION_INT, "3", 0, 1000, NULL, "rays generated for a contact in a sweep"},
};

/* Slopes within rounding, relative to the vectors they are made of. */
static const double ROUNDING = 1e-14;
/* Pivots of the little systems, relative to their diagonals, of rays that depend on others. */
static const double DEPENDENT = 1e-14;
enum { EXCHANGES = 30 };

typedef struct Contact {
  double W[9];         /* diagonal block */
  int count;           /* of rays */
  int fixed;           /* the first ones, which are not replaced */
  int next;            /* to be replaced */
  bool free;           /* lambda of any sign */
  double d[RAYS][3];   /* the rays */
  double lambda[RAYS]; /* of each; at most three are not 0 */
} Contact;

typedef struct Faceted {
  Contact *contact; /* nc */
  double *r_old;    /* m */
  SlipiRowState rows;
} Faceted;

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Faceted *s = SLIPI_ARENA_NEW(run->arena, Faceted, 1);
  if (!s)
    return slipi_fail_memory(error, "the faceted method");
  run->state = s;
  s->contact = SLIPI_ARENA_NEW(run->arena, Contact, run->nc);
  s->r_old = SLIPI_ARENA_NEW(run->arena, double, run->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the faceted method");
  return slipi_row_state_create(run->op, run->arena, &s->rows, error);
}

/* ---- Rays ---------------------------------------------------------------------------------- */

static void set_ray(Contact *c, int at, double n, double t1, double t2) {
  c->d[at][0] = n;
  c->d[at][1] = t1;
  c->d[at][2] = t2;
  c->lambda[at] = 0;
}

static void add_cone(Contact *c, double mu, int32_t dimension, int facets) {
  static const double whole = 6.283185307179586;
  c->count = c->fixed = dimension == 2 ? 2 : facets;
  for (int k = 0; k < c->count; k++) {
    double angle = whole * k / c->count;
    set_ray(c, k, 1, mu * cos(angle), dimension == 2 ? 0 : mu * sin(angle));
  }
  c->next = c->fixed;
}

/* r, brought into the cone, as a sum of the rays along and opposite to its tangent. */
static void set_start(Contact *c, double mu, int32_t dimension, double r[3]) {
  double n = fmax(0, r[0]), t = slipi_tangent_norm(r), bound = fmin(t, mu * n);
  double e1 = t > 0 ? r[1] / t : 1, e2 = t > 0 ? r[2] / t : 0;
  int along = e1 < 0, opposite = !along; /* in 2D the two there are */
  if (dimension == 3) {
    along = c->count++;
    opposite = c->count++;
    set_ray(c, along, 1, mu * e1, mu * e2);
    set_ray(c, opposite, 1, -mu * e1, -mu * e2);
  }
  c->lambda[along] = 0.5 * (n + bound / mu);
  c->lambda[opposite] = 0.5 * (n - bound / mu);
  r[0] = n;
  r[1] = bound * e1;
  r[2] = bound * e2;
}

/* The rays of a contact whose K is a product of axes. */
static void set_axes(Contact *c, const SlipiLaw *law, int32_t dimension, double r[3]) {
  c->count = 0;
  for (int32_t k = 0; k < 3; k++) {
    SlipiAxis axis = k < dimension ? slipi_law_axis(law, k) : SLIPI_AXIS_NONE;
    double value = axis == SLIPI_AXIS_NONE ? 0 : axis == SLIPI_AXIS_FREE ? r[k] : fmax(0, r[k]);
    if (axis != SLIPI_AXIS_NONE) {
      set_ray(c, c->count, k == 0, k == 1, k == 2);
      c->lambda[c->count++] = value;
    }
    r[k] = value;
  }
  c->fixed = c->count;
}

static SlipStatus prepare(SlipiRun *run, int32_t a, Contact *c, SlipError *error) {
  const SlipiLaw *law = &run->law[a];
  double block[9], r[3];
  SlipStatus status = slipi_operator_diagonal(run->op, a, block, error);
  memset(c->W, 0, sizeof c->W);
  for (int32_t k = 0; status == SLIP_OK && k < run->d * run->d; k++)
    c->W[3 * (k / run->d) + k % run->d] = block[k];
  slipi_load(run->r, run->d, a, r);
  c->free = !slipi_law_is_second_order(law);
  if (law->kind == SLIPI_COULOMB) {
    add_cone(c, law->mu, run->d, (int)run->options[OPTION_FACETS]);
    set_start(c, law->mu, run->d, r);
  } else {
    set_axes(c, law, run->d, r);
  }
  slipi_store(r, run->d, a, run->r);
  return status;
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Faceted *s = run->state;
  SlipStatus status = SLIP_OK;
  for (int32_t a = 0; status == SLIP_OK && a < run->nc; a++)
    status = prepare(run, a, &s->contact[a], error);
  if (status == SLIP_OK)
    slipi_operator_row_start(run->op, run->r, &s->rows);
  return status;
}

/* A ray that bears something, along which the objective neither falls nor rises; NULL: none. */
static const double *bearing(const Contact *c) {
  for (int k = 0; k < c->count; k++) {
    if (c->lambda[k] > 0)
      return c->d[k];
  }
  return NULL;
}

/* The slope d'u along a ray, as the difference to a bearing one where there is one: it is of
 * second order in their angle, which d'u itself would round away. 0 within rounding. */
static double slope_of(const double *d, const double *bears, const double u[3]) {
  double x[3];
  for (int k = 0; k < 3; k++)
    x[k] = d[k] - (bears ? bears[k] : 0);
  double slope = slipi_dense3_dot(x, u);
  return fabs(slope) > ROUNDING * slipi_dense3_norm(x) * slipi_dense3_norm(u) ? slope : 0;
}

/* Add the ray opposite to u_T where the objective falls along it; false where it does not. */
static bool generate(Contact *c, double mu, const double u[3]) {
  double t = slipi_tangent_norm(u);
  double ray[3] = {1, t > 0 ? -mu * u[1] / t : mu, t > 0 ? -mu * u[2] / t : 0};
  if (!(slope_of(ray, bearing(c), u) < 0))
    return false;
  int at = c->count;
  if (c->count < RAYS) {
    c->count++;
  } else { /* at most three bear something */
    do
      c->next = c->next + 1 < RAYS ? c->next + 1 : c->fixed;
    while (c->lambda[c->next] > 0);
    at = c->next;
  }
  set_ray(c, at, 1, ray[1], ray[2]);
  return true;
}

/* ---- The program of one contact ------------------------------------------------------------ */

/* r = sum lambda d, u = W r + q. */
static void state_of(const Contact *c, const double q[3], double r[3], double u[3]) {
  r[0] = r[1] = r[2] = 0;
  for (int k = 0; k < c->count; k++) {
    for (int i = 0; i < 3 && c->lambda[k] != 0; i++)
      r[i] += c->lambda[k] * c->d[k][i];
  }
  slipi_dense3_multiply(c->W, r, u);
  for (int i = 0; i < 3; i++)
    u[i] += q[i];
}

/* z of the n <= 3 rays `of` with d'(W sum z d + q) = 0. Rays may be very close to each other: the
 * unknowns are the sum of z, on the first ray, and z of the differences of the others to it. */
static void solve_active(const Contact *c, const int of[3], int n, const double q[3], double z[3]) {
  double A[3][4] = {{0}}, column[3][3];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++)
      column[i][k] = c->d[of[i]][k] - (i > 0 && !c->free ? c->d[of[0]][k] : 0);
  }
  for (int i = 0; i < n; i++) {
    double Wd[3];
    slipi_dense3_multiply(c->W, column[i], Wd);
    for (int j = 0; j < n; j++)
      A[j][i] = slipi_dense3_dot(column[j], Wd);
    A[i][n] = -slipi_dense3_dot(column[i], q);
  }
  double least[3] = {DEPENDENT * A[0][0], DEPENDENT * A[1][1], DEPENDENT * A[2][2]};
  for (int i = 0; i < n; i++) {
    for (int row = i + 1; row < n && A[i][i] > least[i]; row++) {
      double factor = A[row][i] / A[i][i];
      for (int j = i; j <= n; j++)
        A[row][j] -= factor * A[i][j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    z[i] = A[i][n];
    for (int j = i + 1; j < n; j++)
      z[i] -= A[i][j] * z[j];
    z[i] = A[i][i] > least[i] ? z[i] / A[i][i] : 0; /* else the others do what it does */
  }
  for (int i = 1; i < n && !c->free; i++)
    z[0] -= z[i];
}

/* Go towards the minimum over the rays `of` until a lambda is 0, drop its ray, and so on. */
static int descend(Contact *c, int of[3], int n, const double q[3]) {
  while (n > 0) {
    double z[3], t = 1;
    int first = -1;
    solve_active(c, of, n, q, z);
    for (int i = 0; i < n && !c->free; i++) {
      double now = c->lambda[of[i]];
      if (!(z[i] > 0) && !(now > t * (now - z[i]))) {
        t = now > 0 ? now / (now - z[i]) : 0;
        first = i;
      }
    }
    for (int i = 0; i < n; i++)
      c->lambda[of[i]] += t * (z[i] - c->lambda[of[i]]);
    if (first < 0)
      return n;
    c->lambda[of[first]] = 0;
    of[first] = of[--n];
  }
  return n;
}

/* The lambda that solve the program with the rays there are; r and u with them. */
static void correct(Contact *c, const double q[3], double r[3], double u[3]) {
  int of[3] = {0}, n = 0;
  for (int k = 0; k < c->count && n < 3; k++) {
    if (c->lambda[k] > 0 || c->free)
      of[n++] = k;
  }
  n = descend(c, of, n, q);
  for (int exchange = 0; exchange < EXCHANGES; exchange++) {
    int enters = -1;
    state_of(c, q, r, u);
    const double *bears = bearing(c);
    double least = 0;
    for (int k = 0; k < c->count && n < 3 && !c->free; k++) {
      double slope = slope_of(c->d[k], bears, u);
      if (c->lambda[k] == 0 && slope < least) {
        least = slope;
        enters = k;
      }
    }
    if (enters < 0)
      return;
    of[n++] = of[0]; /* the new one first: where it depends on others, one of those goes */
    of[0] = enters;
    n = descend(c, of, n, q);
  }
  state_of(c, q, r, u);
}

static void visit(SlipiRun *run, Contact *c, int32_t a, SlipiRowState *rows) {
  double own[3], q[3], before[3], r[3], u[3], known[3];
  slipi_operator_row(run->op, a, run->r, rows, own);
  slipi_load(own, run->d, 0, u);
  slipi_load(run->q, run->d, a, q);
  slipi_load(run->r, run->d, a, before);
  slipi_dense3_multiply(c->W, before, known);
  for (int k = 0; k < 3; k++)
    q[k] += u[k] - known[k];
  correct(c, q, r, u);
  bool curved = run->law[a].kind == SLIPI_COULOMB && run->d == 3;
  for (int k = 0; k < (int)run->options[OPTION_COLUMNS] && curved; k++) {
    if (!generate(c, run->law[a].mu, u))
      break;
    correct(c, q, r, u);
  }
  slipi_store(r, run->d, a, run->r);
  for (int k = 0; k < 3; k++)
    r[k] -= before[k];
  slipi_operator_row_update(run->op, a, r, rows);
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  (void)error;
  Faceted *s = run->state;
  memcpy(s->r_old, run->r, (size_t)run->m * sizeof *run->r);
  if (run->iteration % SLIPI_ROW_SWEEPS == 0)
    slipi_operator_row_start(run->op, run->r, &s->rows);
  for (int32_t a = 0; a < run->nc; a++)
    visit(run, &s->contact[a], a, &s->rows);
  run->cheap_error = slipi_projected_change(run, s->r_old);
  return SLIP_OK;
}

static const SlipiMethod methods[] = {
    {.info = {.name = "soclcp-faceted",
              .family = "convex",
              .summary = "convex relaxation (g off) over faceted cones, columns generated",
              SLIPI_OPTIONS(options),
              .associated = 1},
     .needs = SLIPI_NEED_ROWS,
     .laws = SLIPI_LAWS_SECOND_ORDER,
     .create = create,
     .start = start,
     .step = step},
};

const SlipiFamily slipi_family_faceted = SLIPI_FAMILY(methods);
