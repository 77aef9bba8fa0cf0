#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* y = A x + shift, A in the CSR the library hands out; shift may be NULL. */
static void multiply(const SlipMatrix *A, const double *x, const double *shift, double *y) {
  for (int32_t i = 0; i < A->rows; i++) {
    long double sum = shift ? shift[i] : 0;
    for (int32_t k = A->p[i]; k < A->p[i + 1]; k++)
      sum += (long double)A->x[k] * x[A->i[k]];
    y[i] = (double)sum;
  }
}

/* y = A' x + shift. */
static int multiply_transposed(const SlipMatrix *A, const double *x, const double *shift,
                               double *y) {
  long double *sum = calloc((size_t)A->cols + 1, sizeof *sum);
  if (!sum)
    return -1;
  for (int32_t i = 0; i < A->rows; i++)
    for (int32_t k = A->p[i]; k < A->p[i + 1]; k++)
      sum[A->i[k]] += (long double)A->x[k] * x[i];
  for (int32_t j = 0; j < A->cols; j++)
    y[j] = (double)(sum[j] + (shift ? shift[j] : 0));
  free(sum);
  return 0;
}

/* The envelope of A: row i of L and column i of U both reach back to first[i]. */
typedef struct Envelope {
  int32_t n;
  int32_t *first;
  size_t *start; /* of row i of L and column i of U */
  long double *L, *U, *D;
} Envelope;

static void envelope_free(Envelope *e) {
  free(e->first);
  free(e->start);
  free(e->L);
  free(e->U);
  free(e->D);
}

static int envelope_alloc(Envelope *e, const SlipMatrix *A) {
  size_t n = (size_t)A->rows;
  e->n = A->rows;
  e->first = malloc((n + 1) * sizeof *e->first);
  e->start = malloc((n + 1) * sizeof *e->start);
  e->D = calloc(n + 1, sizeof *e->D);
  if (!e->first || !e->start || !e->D)
    return -1;
  for (int32_t i = 0; i < e->n; i++)
    e->first[i] = i;
  for (int32_t i = 0; i < e->n; i++)
    for (int32_t k = A->p[i]; k < A->p[i + 1]; k++) {
      int32_t low = A->i[k] < i ? A->i[k] : i, high = A->i[k] < i ? i : A->i[k];
      if (low < e->first[high])
        e->first[high] = low;
    }
  e->start[0] = 0;
  for (int32_t i = 0; i < e->n; i++)
    e->start[i + 1] = e->start[i] + (size_t)(i - e->first[i]);
  e->L = calloc(e->start[n] + 1, sizeof *e->L);
  e->U = calloc(e->start[n] + 1, sizeof *e->U);
  return e->L && e->U ? 0 : -1;
}

/* Sum over the common part of row i of L (or column) and column j of U (or row), below `end`. */
static long double envelope_dot(const Envelope *e, const long double *X, int32_t i,
                                const long double *Y, int32_t j, int32_t end) {
  int32_t from = e->first[i] > e->first[j] ? e->first[i] : e->first[j];
  long double sum = 0;
  for (int32_t k = from; k < end; k++)
    sum += X[e->start[i] + (size_t)(k - e->first[i])] * Y[e->start[j] + (size_t)(k - e->first[j])];
  return sum;
}

/* A = L U without pivoting, U with the diagonal D: right for a positive definite A, symmetric
 * or not. */
static int envelope_factor(Envelope *e, const SlipMatrix *A) {
  if (envelope_alloc(e, A))
    return -1;
  for (int32_t i = 0; i < e->n; i++)
    for (int32_t k = A->p[i]; k < A->p[i + 1]; k++) {
      int32_t j = A->i[k];
      if (j < i)
        e->L[e->start[i] + (size_t)(j - e->first[i])] = A->x[k];
      else if (j > i)
        e->U[e->start[j] + (size_t)(i - e->first[j])] = A->x[k];
      else
        e->D[i] = A->x[k];
    }
  for (int32_t i = 0; i < e->n; i++) {
    for (int32_t j = e->first[i]; j < i; j++) {
      size_t at = e->start[i] + (size_t)(j - e->first[i]);
      e->L[at] = (e->L[at] - envelope_dot(e, e->L, i, e->U, j, j)) / e->D[j];
      e->U[at] -= envelope_dot(e, e->U, i, e->L, j, j);
    }
    e->D[i] -= envelope_dot(e, e->L, i, e->U, i, i);
    if (e->D[i] == 0)
      return -1;
  }
  return 0;
}

/* x in: b, out: A^-1 b. */
static int envelope_solve(const Envelope *e, double *x) {
  long double *y = malloc(((size_t)e->n + 1) * sizeof *y);
  if (!y)
    return -1;
  for (int32_t i = 0; i < e->n; i++) {
    y[i] = x[i];
    for (int32_t j = e->first[i]; j < i; j++)
      y[i] -= e->L[e->start[i] + (size_t)(j - e->first[i])] * y[j];
  }
  for (int32_t i = e->n; i-- > 0;) {
    y[i] /= e->D[i];
    for (int32_t j = e->first[i]; j < i; j++)
      y[j] -= e->U[e->start[i] + (size_t)(j - e->first[i])] * y[i];
    x[i] = (double)y[i];
  }
  free(y);
  return 0;
}

/* out[s] = H' M^-1 (H in[s] + f) + w for `count` vectors; f and w may be NULL. */
static int global_velocity(const SlipGlobalData *data, int count, const double *in, const double *f,
                           const double *w, double *out) {
  Envelope e = {0};
  size_t m = (size_t)data->H.cols;
  double *v = calloc((size_t)data->M.rows + 1, sizeof *v);
  int bad = !v || envelope_factor(&e, &data->M);
  for (int s = 0; s < count && !bad; s++) {
    multiply(&data->H, in + (size_t)s * m, f, v);
    bad = envelope_solve(&e, v) || multiply_transposed(&data->H, v, w, out + (size_t)s * m);
  }
  envelope_free(&e);
  free(v);
  return bad ? -1 : 0;
}

/* u += C r; C may be NULL. */
static void add_compliance(const double *C, int32_t d, int32_t contacts, const double *r,
                           double *u) {
  for (int32_t i = 0; C && i < d * contacts; i++) {
    long double sum = u[i];
    for (int32_t k = 0; k < d; k++)
      sum += (long double)C[(int64_t)i * d + k] * r[i / d * d + k];
    u[i] = (double)sum;
  }
}

int reference_velocity(const SlipProblem *problem, const double *r, double *u) {
  if (slip_problem_form(problem) == SLIP_FORM_GLOBAL) {
    SlipGlobalData data = slip_default_global_data();
    if (slip_problem_global_data(problem, &data, NULL) != SLIP_OK)
      return -1;
    int bad = global_velocity(&data, 1, r, data.f, data.w, u);
    add_compliance(data.compliance, data.dimension, data.contacts, r, u);
    return bad;
  }
  SlipLocalData data = slip_default_local_data();
  if (slip_problem_local_data(problem, &data, NULL) != SLIP_OK)
    return -1;
  multiply(&data.W, r, data.q, u);
  add_compliance(data.compliance, data.dimension, data.contacts, r, u);
  return 0;
}

/* W += C, row-major; C may be NULL. */
static void add_blocks(const double *C, int32_t d, int32_t contacts, double *W) {
  int64_t m = (int64_t)d * contacts;
  for (int64_t i = 0; C && i < m; i++)
    for (int32_t k = 0; k < d; k++)
      W[i * m + i / d * d + k] += C[i * d + k];
}

/* Where the matrix falls apart into blocks along the diagonal: block_end[i] is one past the last
 * row of the block that begins at i, for rows i at which a block begins. */
static int32_t *envelope_blocks(const Envelope *e) {
  int32_t *block_end = malloc(((size_t)e->n + 1) * sizeof *block_end), end = e->n;
  int32_t least = e->n;
  for (int32_t i = e->n; block_end && i-- > 0;) {
    least = e->first[i] < least ? e->first[i] : least;
    block_end[i] = -1;
    if (least == i) {
      block_end[i] = end;
      end = i;
      least = i;
    }
  }
  return block_end;
}

/* h' A^-1 h over the rows from `first` to `end` of a block; x holds h there, and is 0 after it. */
static long double envelope_square(const Envelope *e, int32_t first, int32_t end, long double *x,
                                   long double *y) {
  long double sum = 0;
  for (int32_t i = first; i < end; i++) {
    y[i] = x[i];
    for (int32_t j = e->first[i]; j < i; j++)
      y[i] -= e->L[e->start[i] + (size_t)(j - e->first[i])] * y[j];
  }
  for (int32_t i = end; i-- > first;) {
    y[i] /= e->D[i];
    for (int32_t j = e->first[i]; j < i; j++)
      y[j] -= e->U[e->start[i] + (size_t)(j - e->first[i])] * y[i];
    sum += x[i] * y[i];
    x[i] = 0;
  }
  return sum;
}

/* The columns of H as lists: column c has rows row[p[c]] ... */
static void columns_of(const SlipMatrix *H, int32_t *p, int32_t *row, double *x) {
  for (int32_t k = 0; k < H->p[H->rows]; k++)
    p[H->i[k] + 1]++;
  for (int32_t c = 0; c < H->cols; c++)
    p[c + 1] += p[c];
  for (int32_t i = H->rows; i-- > 0;)
    for (int32_t k = H->p[i]; k < H->p[i + 1]; k++) {
      int32_t to = --p[H->i[k] + 1];
      row[to] = i;
      x[to] = H->x[k];
    }
  for (int32_t c = 0; c < H->cols; c++)
    p[c] = p[c + 1];
  p[H->cols] = H->p[H->rows];
}

/* One diagonal entry of W: the rows of a column of H, block by block of M. */
static long double global_diagonal(const Envelope *e, const int32_t *block, const int32_t *row,
                                   const double *h, int32_t count, long double *x, long double *y) {
  long double sum = 0;
  for (int32_t k = 0; k < count; k++)
    x[row[k]] += h[k];
  for (int32_t k = 0; k < count; k++) {
    int32_t first = row[k];
    while (block[first] < 0)
      first--;
    sum += envelope_square(e, first, block[first], x, y); /* 0 when it was summed before */
  }
  return sum;
}

/* The diagonal entry of a compliance in one component, 0 where there is none. */
static double own_compliance(const double *C, int32_t d, int32_t component) {
  return C ? C[(int64_t)component * d + component % d] : 0;
}

static int global_mobility(const SlipProblem *problem, double *w) {
  SlipGlobalData data = slip_default_global_data();
  if (slip_problem_global_data(problem, &data, NULL) != SLIP_OK)
    return -1;
  Envelope e = {0};
  size_t dof = (size_t)data.M.rows, entries = (size_t)data.H.p[data.H.rows];
  int32_t *p = calloc((size_t)data.H.cols + 2, sizeof *p), *block = NULL;
  int32_t *row = malloc((entries + 1) * sizeof *row);
  double *h = malloc((entries + 1) * sizeof *h);
  long double *x = calloc(dof + 1, sizeof *x), *y = calloc(dof + 1, sizeof *y);
  int bad = !p || !row || !h || !x || !y || envelope_factor(&e, &data.M) ||
            !(block = envelope_blocks(&e));
  if (!bad)
    columns_of(&data.H, p, row, h);
  for (int32_t c = 0; c < data.H.cols && !bad; c++) {
    long double own = global_diagonal(&e, block, row + p[c], h + p[c], p[c + 1] - p[c], x, y) +
                      own_compliance(data.compliance, data.dimension, c);
    w[c / data.dimension] = fmax(w[c / data.dimension], (double)fabsl(own));
  }
  envelope_free(&e);
  free(p);
  free(row);
  free(h);
  free(x);
  free(y);
  free(block);
  return bad ? -1 : 0;
}

int reference_mobility(const SlipProblem *problem, double *w) {
  int32_t nc = slip_problem_contacts(problem);
  memset(w, 0, (size_t)nc * sizeof *w);
  if (slip_problem_form(problem) == SLIP_FORM_GLOBAL)
    return global_mobility(problem, w);
  SlipLocalData data = slip_default_local_data();
  if (slip_problem_local_data(problem, &data, NULL) != SLIP_OK)
    return -1;
  for (int32_t i = 0; i < data.W.rows; i++)
    for (int32_t k = data.W.p[i]; k < data.W.p[i + 1]; k++)
      if (data.W.i[k] == i)
        w[i / data.dimension] =
            fmax(w[i / data.dimension],
                 fabs(data.W.x[k] + own_compliance(data.compliance, data.dimension, i)));
  return 0;
}

int reference_dense(const SlipProblem *problem, double *W) {
  size_t m = (size_t)slip_problem_dimension(problem) * (size_t)slip_problem_contacts(problem);
  memset(W, 0, m * m * sizeof *W);
  if (slip_problem_form(problem) == SLIP_FORM_LOCAL) {
    SlipLocalData data = slip_default_local_data();
    if (slip_problem_local_data(problem, &data, NULL) != SLIP_OK)
      return -1;
    for (size_t i = 0; i < m; i++)
      for (int32_t k = data.W.p[i]; k < data.W.p[i + 1]; k++)
        W[i * m + (size_t)data.W.i[k]] = data.W.x[k];
    add_blocks(data.compliance, data.dimension, data.contacts, W);
    return 0;
  }
  SlipGlobalData data = slip_default_global_data();
  double *unit = calloc(m * m + 1, sizeof *unit), *columns = malloc((m * m + 1) * sizeof *columns);
  int bad = !unit || !columns || slip_problem_global_data(problem, &data, NULL) != SLIP_OK;
  if (!bad) {
    for (size_t j = 0; j < m; j++)
      unit[j * m + j] = 1;
    bad = global_velocity(&data, (int)m, unit, NULL, NULL, columns);
    for (size_t i = 0; i < m && !bad; i++)
      for (size_t j = 0; j < m; j++)
        W[i * m + j] = columns[j * m + i];
    if (!bad)
      add_blocks(data.compliance, data.dimension, data.contacts, W);
  }
  free(unit);
  free(columns);
  return bad ? -1 : 0;
}

/* Whether the contact slides along its plane: Coulomb's law, not relaxed. */
static int slides(const SlipLaws *laws, int32_t a) {
  int32_t law = laws->kind ? laws->kind[a] : SLIP_COULOMB;
  return (law == SLIP_COULOMB || law == SLIP_COHESIVE) &&
         (!laws->flow || laws->flow[a] == SLIP_FLOW_COULOMB);
}

/* mu, of rough contacts as docs/theory.md has it: not where all contacts are relaxed. */
static double mu_of(const SlipLaws *laws, int32_t a, int relaxed) {
  return slides(laws, a) && !relaxed ? fmin(laws->mu[a], 1e6) : laws->mu[a];
}

/* The nearest point of the cone |z_T| <= mu z_N, t = |z_T|. */
static void project_cone(double mu, int d, long double t, long double *z) {
  if (z[0] >= 0 && t <= mu * z[0])
    return;
  /* The nearest point of the ray (1, mu) in the plane of the normal and z_T. */
  long double along = (z[0] + mu * t) / (1 + (long double)mu * mu);
  if (along < 0)
    along = 0;
  z[0] = along;
  for (int k = 1; k < d; k++)
    z[k] *= t > 0 ? mu * along / t : 0;
}

/* The sum of the cone |z_T| <= mu z_N and a spheroid of half-axes a and b, up to z_N = cap. */
typedef struct Rounded {
  long double mu, a, b, cap;
} Rounded;

static Rounded rounded_of(const SlipLaws *laws, int32_t a) {
  Rounded set = {laws->mu[a], laws->ball[a], laws->ball[a], INFINITY};
  if (laws->ball_tangential)
    set.b = laws->ball_tangential[a];
  if (laws->kind[a] == SLIP_CAPPED)
    set.cap = laws->cap[a];
  return set;
}

/* The tip, (-a cos x, b sin x) for x from 0 to the angle at which its tangent is (1, mu): the
 * nearest point by halving, since the distance falls and then rises. */
static void nearest_on_tip(const Rounded *set, long double n, long double t, long double to[2]) {
  long double low = 0, high = atan2l(set->b, set->mu * set->a);
  for (int k = 0; k < 80; k++) {
    long double x = (low + high) / 2, p = -set->a * cosl(x), s = set->b * sinl(x);
    if ((p - n) * set->a * sinl(x) + (s - t) * set->b * cosl(x) < 0)
      low = x;
    else
      high = x;
  }
  to[0] = -set->a * cosl(low);
  to[1] = set->b * sinl(low);
}

static int is_in_rounded(const Rounded *set, long double n, long double t, long double side) {
  long double a = set->a, b = set->b;
  if (n > set->cap || n < -a || t > set->mu * n + side)
    return 0;
  return a == 0 || n >= -set->mu * a * a / side || n * n / (a * a) + t * t / (b * b) <= 1;
}

/* (n, t) becomes the nearest of: the tip's point, the side's, the cap's. */
static void project_rounded(const Rounded *set, long double *n, long double *t) {
  long double mu = set->mu, side = sqrtl(mu * mu * set->a * set->a + set->b * set->b);
  long double n1 = side > 0 ? -mu * set->a * set->a / side : 0, found[3][2], least = INFINITY;
  if (is_in_rounded(set, *n, *t, side))
    return;
  nearest_on_tip(set, *n, *t, found[0]);
  found[1][0] = fminl(set->cap, fmaxl(n1, (*n + mu * (*t - side)) / (1 + mu * mu)));
  found[1][1] = mu * found[1][0] + side;
  found[2][0] = fminl(set->cap, fmaxl(n1, *n)); /* of points above the cap; on the axis otherwise */
  found[2][1] = fminl(*t, mu * found[2][0] + side);
  long double x = *n, y = *t;
  for (int k = 0; k < 3; k++) {
    long double away = hypotl(found[k][0] - x, found[k][1] - y);
    if (away < least) {
      least = away;
      *n = found[k][0];
      *t = found[k][1];
    }
  }
}

/* z becomes the point of the set of contact a nearest to it. */
static void project(const SlipLaws *laws, int32_t a, int relaxed, int d, long double *z) {
  int32_t law = laws->kind ? laws->kind[a] : SLIP_COULOMB;
  if (law == SLIP_BILATERAL) {
    for (int k = 0; k < d; k++)
      if (laws->bound && !(laws->bound[a] & 1 << k))
        z[k] = 0;
    return;
  }
  long double t = d == 3 ? sqrtl(z[1] * z[1] + z[2] * z[2]) : fabsl(z[1]);
  if (law == SLIP_TRESCA) {
    z[0] = z[0] > 0 ? z[0] : 0;
    for (int k = 1; k < d; k++)
      z[k] *= t > laws->radius[a] ? laws->radius[a] / t : 1;
    return;
  }
  if (law == SLIP_ROUNDED || law == SLIP_CAPPED) {
    Rounded set = rounded_of(laws, a);
    long double s = t;
    project_rounded(&set, &z[0], &s);
    for (int k = 1; k < d; k++)
      z[k] *= t > 0 ? s / t : 0;
    return;
  }
  double mu = law == SLIP_FRICTIONLESS ? 0 : mu_of(laws, a, relaxed);
  long double apex = law == SLIP_COHESIVE ? -(long double)laws->cohesion[a] : 0;
  z[0] -= apex;
  project_cone(mu, d, t, z);
  z[0] += apex;
}

void reference_project(const SlipLaws *laws, int32_t a, int dimension, long double *z) {
  project(laws, a, 0, dimension, z);
}

/* The three parts that the normal impulse bounds: sliding, spinning, rolling. */
typedef struct Bounded {
  long double size, mu;
  int first, end; /* components */
} Bounded;

static void bounded_parts(const SlipLaws *laws, int32_t a, int d, const long double *z,
                          Bounded part[3]) {
  int32_t law = laws->kind ? laws->kind[a] : SLIP_COULOMB;
  part[0] = (Bounded){.mu = law == SLIP_FRICTIONLESS ? 0 : mu_of(laws, a, 0), .first = 1, .end = d};
  part[1] = (Bounded){
      .mu = laws->spinning && d == 3 ? laws->spinning[a + 1] : 0, .first = d, .end = d + 1};
  part[2] = (Bounded){.mu = laws->mu[a + 1], .first = d + 1, .end = 2 * d};
  for (int i = 0; i < 3; i++) {
    for (int k = part[i].first; k < part[i].end; k++)
      part[i].size += z[k] * z[k];
    part[i].size = sqrtl(part[i].size);
  }
}

/* The distance to (p, parts cut at mu_i p) is convex in p: its least value by halving. */
void reference_project_rolling(const SlipLaws *laws, int32_t a, int dimension, long double *z) {
  Bounded part[3];
  int32_t law = laws->kind ? laws->kind[a] : SLIP_COULOMB;
  long double apex = law == SLIP_COHESIVE ? -(long double)laws->cohesion[a] : 0;
  z[0] -= apex;
  bounded_parts(laws, a, dimension, z, part);
  long double low = 0, high = fabsl(z[0]);
  for (int i = 0; i < 3; i++)
    high += part[i].mu * part[i].size;
  for (int k = 0; k < 200; k++) {
    long double p = (low + high) / 2, slope = p - z[0];
    for (int i = 0; i < 3; i++)
      slope -= part[i].mu * fmaxl(0, part[i].size - part[i].mu * p);
    if (slope < 0)
      low = p;
    else
      high = p;
  }
  z[0] = low + apex;
  for (int i = 0; i < 3; i++)
    for (int k = part[i].first; k < part[i].end; k++)
      z[k] *= part[i].size > part[i].mu * low ? part[i].mu * low / part[i].size : 1;
}

static int rolls(const SlipLaws *laws, int32_t a, int32_t contacts) {
  return laws->kind && a + 1 < contacts && laws->kind[a + 1] == SLIP_ROLLING;
}

/* |r - P_K(r - u - g(u))|^2 of a contact and its moments. */
static long double rolling_map(const SlipLaws *laws, int32_t a, int d, const double *u,
                               const double *r) {
  long double z[6], v[6], sum = 0;
  Bounded part[3];
  for (int k = 0; k < 2 * d; k++) {
    v[k] = u[k];
    z[k] = (long double)r[k] - u[k];
  }
  bounded_parts(laws, a, d, v, part);
  for (int i = 0; i < 3; i++)
    z[0] -= part[i].mu * part[i].size;
  reference_project_rolling(laws, a, d, z);
  for (int k = 0; k < 2 * d; k++)
    sum += (r[k] - z[k]) * (r[k] - z[k]);
  return sum;
}

/* |r - P_K(r - u - g(u))|^2 of one contact, g(u) = 0 if it is relaxed, as all are if `relaxed`. */
static long double natural_map(const SlipLaws *laws, int32_t a, int relaxed, int d, const double *u,
                               const double *r) {
  long double z[3] = {0}, slide = 0, sum = 0;
  for (int k = 1; k < d; k++)
    slide += (long double)u[k] * u[k];
  for (int k = 0; k < d; k++)
    z[k] = (long double)r[k] - u[k];
  if (slides(laws, a) && !relaxed)
    z[0] -= mu_of(laws, a, relaxed) * sqrtl(slide);
  project(laws, a, relaxed, d, z);
  for (int k = 0; k < d; k++)
    sum += (r[k] - z[k]) * (r[k] - z[k]);
  return sum;
}

/* The laws of either form. */
static const SlipLaws *laws_of(const SlipProblem *problem) {
  SlipLocalData local = slip_default_local_data();
  SlipGlobalData global = slip_default_global_data();
  if (slip_problem_form(problem) == SLIP_FORM_LOCAL)
    return slip_problem_local_data(problem, &local, NULL) == SLIP_OK ? local.laws : NULL;
  return slip_problem_global_data(problem, &global, NULL) == SLIP_OK ? global.laws : NULL;
}

static double error_of(const SlipProblem *problem, const double *r, int relaxed) {
  int d = slip_problem_dimension(problem);
  int32_t nc = slip_problem_contacts(problem);
  size_t m = (size_t)d * (size_t)nc;
  const SlipLaws *laws = laws_of(problem);
  double *u = malloc((m + 1) * sizeof *u), *q = malloc((m + 1) * sizeof *q);
  double *zero = calloc(m + 1, sizeof *zero);
  double error = NAN;
  if (u && q && zero && laws && !reference_velocity(problem, r, u) &&
      !reference_velocity(problem, zero, q)) {
    long double sum = 0, scale = 0;
    for (int32_t a = 0; a < nc; a++) {
      const double *ua = u + (size_t)d * (size_t)a, *ra = r + (size_t)d * (size_t)a;
      if (rolls(laws, a, nc))
        sum += rolling_map(laws, a++, d, ua, ra);
      else
        sum += natural_map(laws, a, relaxed, d, ua, ra);
    }
    for (size_t k = 0; k < m; k++)
      scale += (long double)q[k] * q[k];
    scale = sqrtl(scale);
    error = (double)(sqrtl(sum) / (scale > 0 ? scale : 1));
  }
  free(u);
  free(q);
  free(zero);
  return error;
}

double reference_error(const SlipProblem *problem, const double *r) {
  return error_of(problem, r, 0);
}

double reference_error_associated(const SlipProblem *problem, const double *r) {
  return error_of(problem, r, 1);
}
