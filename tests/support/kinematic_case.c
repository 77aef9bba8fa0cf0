#include "kinematic_case.h"
#include "data.h"

#include <math.h>
#include <stdlib.h>

typedef struct Draft {
  const KinematicCase *wanted;
  SlipiRandom *random;
  int32_t d, nc, dof, entries;
  int32_t *body; /* two per contact */
  double *H;     /* two blocks of dof_each x d per contact */
  double *r, *w, *mu, *v;
  int *loaded;
} Draft;

/* A point inside (or for depth 0: on) the cone |x_T| <= slope x_N with the normal part given. */
static void cone_point(SlipiRandom *random, int d, double slope, double normal, double depth,
                       double *x) {
  double angle = slipi_random_between(random, 0, 6.283185307179586);
  double reach = slope * normal * (1 - depth);
  x[0] = normal;
  if (d == 2) {
    x[1] = angle > 3 ? reach : -reach;
    return;
  }
  x[1] = reach * cos(angle);
  x[2] = reach * sin(angle);
}

static double *block(const Draft *draft, int32_t contact, int side) {
  int64_t size = (int64_t)draft->wanted->dof_each * draft->d;
  return draft->H + (2 * (int64_t)contact + side) * size;
}

/* Random blocks; then each row of H is turned off r by changing one loaded block. */
static void fill_H(Draft *draft) {
  int d = draft->d, each = draft->wanted->dof_each;
  double *sum = calloc((size_t)draft->dof + 1, sizeof *sum);
  int32_t *last = calloc((size_t)draft->wanted->bodies + 1, sizeof *last);
  for (int32_t c = 0; c < draft->nc; c++)
    for (int side = 0; side < 2; side++) {
      int32_t body = draft->body[2 * c + side];
      double *h = block(draft, c, side);
      for (int k = 0; k < each * d; k++)
        h[k] = slipi_random_normal(draft->random);
      if (draft->loaded[c])
        last[body] = 2 * c + side + 1;
      for (int j = 0; j < each; j++)
        for (int k = 0; k < d; k++)
          sum[each * body + j] += h[j * d + k] * draft->r[d * c + k];
    }
  for (int32_t body = 0; body < draft->wanted->bodies; body++) {
    if (!last[body])
      continue;
    int32_t c = (last[body] - 1) / 2;
    double *h = block(draft, c, (last[body] - 1) % 2), *r = draft->r + d * c, square = 0;
    for (int k = 0; k < d; k++)
      square += r[k] * r[k];
    for (int j = 0; j < each; j++)
      for (int k = 0; k < d; k++)
        h[j * d + k] -= sum[each * body + j] / square * r[k];
  }
  free(sum);
  free(last);
}

/* u with the wanted margin everywhere and u.r = margin r_N where r is loaded, then w = u - H' v. */
static void fill_w(Draft *draft) {
  int d = draft->d, each = draft->wanted->dof_each;
  for (int32_t c = 0; c < draft->nc; c++) {
    double *w = draft->w + d * c, *r = draft->r + d * c, mu = draft->mu[c];
    double s = draft->wanted->margin;
    if (draft->loaded[c]) {
      /* on the ray of K* across r: u - s e is orthogonal to r */
      double slide = slipi_random_between(draft->random, 0, 1);
      w[0] = s + (mu > 0 ? mu * mu * slide : 0);
      for (int k = 1; k < d; k++)
        w[k] = mu > 0 ? -slide * r[k] / r[0] : slipi_random_normal(draft->random);
    } else {
      double room = slipi_random_between(draft->random, 0.1, 1);
      cone_point(draft->random, d, mu > 0 ? 1 / mu : 1, room, 0.3, w);
      w[0] += fmax(s, 0);
    }
    for (int side = 0; side < 2; side++) {
      const double *h = block(draft, c, side), *v = draft->v + each * draft->body[2 * c + side];
      for (int k = 0; k < d; k++)
        for (int j = 0; j < each; j++)
          w[k] -= h[j * d + k] * v[j];
    }
  }
}

static SlipProblem *finish(Draft *draft) {
  int d = draft->d, each = draft->wanted->dof_each;
  int64_t count = 0, most = 2 * (int64_t)draft->nc * each * d;
  int32_t *row = calloc((size_t)most + 1, sizeof *row),
          *col = calloc((size_t)most + 1, sizeof *col);
  double *x = calloc((size_t)most + 1, sizeof *x),
         *one = calloc((size_t)draft->dof + 1, sizeof *one);
  double *f = calloc((size_t)draft->dof + 1, sizeof *f);
  int32_t *diagonal = calloc((size_t)draft->dof + 1, sizeof *diagonal);
  for (int32_t c = 0; c < draft->nc; c++)
    for (int side = 0; side < 2; side++)
      for (int j = 0; j < each; j++)
        for (int k = 0; k < d; k++) {
          row[count] = each * draft->body[2 * c + side] + j;
          col[count] = d * c + k;
          x[count++] = block(draft, c, side)[j * d + k];
        }
  for (int32_t j = 0; j < draft->dof; j++) {
    diagonal[j] = j;
    one[j] = 1;
    f[j] = slipi_random_normal(draft->random);
  }
  SlipGlobalData data =
      GLOBAL_DATA(.dimension = d, .contacts = draft->nc,
                  .M = {SLIP_TRIPLET, draft->dof, draft->dof, draft->dof, diagonal, diagonal, one},
                  .H = {SLIP_TRIPLET, draft->dof, d * draft->nc, count, col, row, x}, .f = f,
                  .w = draft->w, .laws = LAWS(.mu = draft->mu));
  SlipProblem *problem = NULL;
  slip_problem_create_global(&data, &problem, NULL);
  free(row);
  free(col);
  free(x);
  free(one);
  free(f);
  free(diagonal);
  return problem;
}

SlipProblem *kinematic_problem(const KinematicCase *wanted, SlipiRandom *random) {
  Draft draft = {.wanted = wanted,
                 .random = random,
                 .d = wanted->dimension,
                 .nc = wanted->contacts,
                 .dof = wanted->bodies * wanted->dof_each};
  size_t nc = (size_t)draft.nc, m = nc * (size_t)draft.d;
  draft.body = calloc(2 * nc, sizeof *draft.body);
  draft.loaded = calloc(nc, sizeof *draft.loaded);
  draft.H = calloc(2 * m * (size_t)wanted->dof_each, sizeof *draft.H);
  draft.r = calloc(m, sizeof *draft.r);
  draft.w = calloc(m, sizeof *draft.w);
  draft.mu = calloc(nc, sizeof *draft.mu);
  draft.v = calloc((size_t)draft.dof, sizeof *draft.v);
  for (int32_t c = 0; c < draft.nc; c++) {
    uint32_t bodies = (uint32_t)wanted->bodies;
    draft.body[2 * c] = (int32_t)slipi_random_below(random, bodies);
    draft.body[2 * c + 1] =
        (int32_t)((draft.body[2 * c] + 1 + slipi_random_below(random, bodies - 1)) % bodies);
    int slippery = wanted->frictionless || slipi_random_below(random, 8) == 0;
    draft.mu[c] = slippery ? 0 : slipi_random_between(random, 0.05, wanted->mu_most);
  }
  /* A body with one loaded contact would have a whole block of H turned to 0 along r: load the
   * contacts among the first bodies only, so that they share them. */
  for (int32_t c = 0; c < draft.nc; c++) {
    int32_t some = (int32_t)fmax(2, wanted->loaded * wanted->bodies);
    draft.loaded[c] = draft.body[2 * c] < some && draft.body[2 * c + 1] < some;
  }
  draft.loaded[0] = 1;
  double sum = 0;
  for (int32_t c = 0; c < draft.nc; c++)
    if (draft.loaded[c]) {
      cone_point(random, draft.d, draft.mu[c], slipi_random_between(random, 0.2, 1), 0,
                 draft.r + draft.d * c);
      sum += draft.r[draft.d * c];
    }
  for (size_t k = 0; k < m; k++)
    draft.r[k] /= sum;
  for (int32_t j = 0; j < draft.dof; j++)
    draft.v[j] = slipi_random_normal(random);
  fill_H(&draft);
  fill_w(&draft);
  SlipProblem *problem = finish(&draft);
  free(draft.body);
  free(draft.loaded);
  free(draft.H);
  free(draft.r);
  free(draft.w);
  free(draft.mu);
  free(draft.v);
  return problem;
}

double reference_margin(const SlipProblem *problem, const double *v) {
  SlipGlobalData data = slip_default_global_data();
  if (slip_problem_global_data(problem, &data, NULL))
    return NAN;
  int d = data.dimension;
  long double *u = calloc((size_t)d * (size_t)data.contacts + 1, sizeof *u), least = INFINITY;
  for (int32_t j = 0; j < data.H.rows; j++)
    for (int32_t e = data.H.p[j]; e < data.H.p[j + 1]; e++)
      u[data.H.i[e]] += (long double)data.H.x[e] * v[j];
  for (int32_t c = 0; c < data.contacts; c++) {
    long double normal = u[d * c] + data.w[d * c], square = 0;
    for (int k = 1; k < d; k++)
      square += (u[d * c + k] + data.w[d * c + k]) * (u[d * c + k] + data.w[d * c + k]);
    least = fminl(least, normal - data.laws->mu[c] * sqrtl(square));
  }
  free(u);
  return (double)least;
}

ReferenceImpulse reference_impulse(const SlipProblem *problem, const double *r) {
  SlipGlobalData data = slip_default_global_data();
  ReferenceImpulse found = {NAN, NAN, NAN, NAN};
  if (slip_problem_global_data(problem, &data, NULL))
    return found;
  int d = data.dimension;
  long double outside = 0, imbalance = 0, work = 0, sum = 0;
  for (int32_t c = 0; c < data.contacts; c++) {
    long double square = 0;
    for (int k = 1; k < d; k++)
      square += (long double)r[d * c + k] * r[d * c + k];
    outside =
        fmaxl(outside, fmaxl(-r[d * c], sqrtl(square) - data.laws->mu[c] * (long double)r[d * c]));
    sum += r[d * c];
    for (int k = 0; k < d; k++)
      work += (long double)data.w[d * c + k] * r[d * c + k];
  }
  for (int32_t j = 0; j < data.H.rows; j++) {
    long double row = 0, largest = 0;
    for (int32_t e = data.H.p[j]; e < data.H.p[j + 1]; e++) {
      row += (long double)data.H.x[e] * r[data.H.i[e]];
      largest = fmaxl(largest, fabsl(data.H.x[e]));
    }
    imbalance = fmaxl(imbalance, largest > 0 ? fabsl(row) / largest : 0);
  }
  return (ReferenceImpulse){(double)outside, (double)imbalance, (double)work, (double)sum};
}

KinematicCase kinematic_random(SlipiRandom *random, int32_t contacts_most) {
  KinematicCase wanted = {.dimension = 2 + (int32_t)slipi_random_below(random, 2),
                          .contacts =
                              2 + (int32_t)slipi_random_below(random, (uint32_t)contacts_most - 1),
                          .dof_each = 3 + (int32_t)slipi_random_below(random, 4),
                          .mu_most = slipi_random_unit(random) < 0.5 ? 0.5 : 2,
                          .loaded = slipi_random_between(random, 0.1, 1),
                          .frictionless = slipi_random_below(random, 5) == 0};
  wanted.bodies = 2 + (int32_t)(wanted.contacts * slipi_random_between(random, 0.1, 0.7));
  return wanted;
}
