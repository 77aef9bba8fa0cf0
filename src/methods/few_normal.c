#include "methods/few_normal.h"

#include <float.h>
#include <math.h>

#include "contact/residual.h"
#include "linalg/vector.h"
#include "methods/few_dense.h"

/* What is added to W's diagonal, as a share of its largest entry. W of few bodies is singular:
 * where contacts stick, it takes the shortest step of the many. */
static const double REGULARISATION = 1e-9;
/* Newton's points go further at once where rho is some times that of the contact alone: the other
 * contacts leave less of its mobility. */
static const double FURTHER = 5;
/* Eigenvalues of P' below this count as 0: Newton is as quick. */
static const double LEAST = 1e-10;

/* Whether all flows are normal, and some K is no product of axes: of these Newton's method finds
 * the states at once. */
static bool are_normal(const SlipiRun *run) {
  bool flat = true;
  for (int32_t a = 0; a < run->nc; a++) {
    const SlipiLaw *law = &run->law[a];
    bool slides = slipi_law_type(law)->g && law->flow == SLIP_FLOW_COULOMB;
    if (slides || law->rolls || law->kind == SLIPI_ROLLING)
      return false;
    flat = flat && slipi_law_is_flat(law);
  }
  return !flat;
}

SlipiFewNormal *slipi_few_normal_create(const SlipiRun *run) {
  SlipiArena *arena = run->arena;
  int32_t d = run->d, m = run->m, nc = run->nc;
  if (!are_normal(run))
    return NULL;
  SlipiFewNormal *s = SLIPI_ARENA_RAW(arena, SlipiFewNormal, 1);
  double *vectors = SLIPI_ARENA_RAW(arena, double, (d + 4) * m + 2 * nc);
  bool *sticks = SLIPI_ARENA_RAW(arena, bool, nc);
  int32_t *first = SLIPI_ARENA_RAW(arena, int32_t, nc + 1);
  SlipiRound *round = SLIPI_ARENA_RAW(arena, SlipiRound, nc);
  if (arena->failed)
    return NULL;
  *s = (SlipiFewNormal){.F = vectors,
                        .t = vectors + m,
                        .B = vectors + (ptrdiff_t)2 * m,
                        .row = vectors + (ptrdiff_t)(2 + d) * m,
                        .b = vectors + (ptrdiff_t)(3 + d) * m,
                        .rho = vectors + (ptrdiff_t)(4 + d) * m,
                        .root = vectors + (ptrdiff_t)(4 + d) * m + nc,
                        .sticks = sticks,
                        .first = first,
                        .round = round};
  return s;
}

static bool is_symmetric(const double *W, int32_t m, double largest) {
  double enough = 8 * DBL_EPSILON * largest;
  for (int32_t i = 0; i < m; i++) {
    for (int32_t j = 0; j < i; j++) {
      if (!(fabs(W[i * m + j] - W[j * m + i]) <= enough))
        return false;
    }
  }
  return true;
}

void slipi_few_normal_prepare(const SlipiRun *run, const double *W, double largest,
                              SlipiFewNormal *s) {
  int32_t d = run->d, m = run->m;
  s->alpha = REGULARISATION * largest;
  s->applies = are_normal(run) && is_symmetric(W, m, largest);
  for (int32_t a = 0; s->applies && a < run->nc; a++) {
    const SlipiLawType *type = slipi_law_type(&run->law[a]);
    double size = 0;
    for (int32_t k = 0; k < d; k++) {
      const double *row = W + (a * d + k) * m + a * d;
      size += slipi_dot(row, row, d);
    }
    s->rho[a] = size > 0 ? (type->cone ? 1 : FURTHER) / sqrt(size) : 1;
    s->root[a] = sqrt(s->rho[a]);
    if (type->prepare)
      type->prepare(&run->law[a], &s->round[a]);
  }
}

void slipi_few_normal_start(const SlipiRun *run, SlipiFewNormal *s) {
  for (int32_t a = 0; a < run->nc; a++)
    s->round[a].lambda = 0;
}

/* Columns B with B B' = rho P, by Cholesky's method with pivots; returns how many. */
static int32_t factor_projection(int32_t d, double rho, double P[9], double *B) {
  int32_t rank = 0;
  for (; rank < d; rank++) {
    int32_t pivot = P[4] > P[0] ? 1 : 0;
    if (d == 3 && P[8] > P[4 * pivot])
      pivot = 2;
    if (!(P[4 * pivot] > LEAST))
      break;
    double *column = B + rank * d, inverse = 1 / P[4 * pivot], scale = sqrt(rho * inverse);
    double kept[3] = {P[3 * pivot], P[3 * pivot + 1], P[3 * pivot + 2]};
    for (int32_t i = 0; i < d && i < 3; i++)
      column[i] = scale * kept[i];
    for (int32_t i = 0; i < 3; i++) {
      double share = kept[i] * inverse;
      for (int32_t j = 0; j < 3; j++)
        P[3 * i + j] -= share * kept[j];
    }
    P[4 * pivot] = 0;
  }
  return rank;
}

/* F and B at r. */
static void look(const SlipiRun *run, SlipiFewNormal *s, const double *u, const double *r) {
  int32_t d = run->d;
  s->first[0] = 0;
  for (int32_t a = 0; a < run->nc; a++) {
    const SlipiLaw *law = &run->law[a];
    double v[3], x[3], z[3], p[3], P[9], F[3], rho = s->rho[a];
    slipi_load(u, d, a, v);
    slipi_load(r, d, a, x);
    for (int k = 0; k < 3; k++)
      z[k] = x[k] - rho * v[k];
    if (slipi_law_type(law)->look) {
      slipi_law_type(law)->look(&s->round[a], z, p, P);
    } else {
      slipi_law_project(law, z, p);
      slipi_law_project_derivative(law, z, P);
    }
    for (int k = 0; k < 3; k++)
      F[k] = x[k] - p[k];
    slipi_store(F, d, a, s->F);
    s->sticks[a] = P[0] == 1 && P[4] == 1 && (d == 2 || P[8] == 1);
    s->first[a + 1] =
        s->first[a] + (s->sticks[a] ? d : factor_projection(d, rho, P, s->B + a * d * d));
  }
}

/* row = b' W for the own rows of W of contact a, from its own columns on. */
static inline void combine(const double *restrict own, int32_t from, int32_t m, int32_t d,
                           const double b[3], double *restrict row) {
  const double *restrict second = own + m, *restrict last = own + (d - 1) * m;
  double b0 = b[0], b1 = b[1], b2 = d == 3 ? b[2] : 0;
  for (int32_t j = from; j < m; j++)
    row[j] = b0 * own[j] + b1 * second[j] + b2 * last[j];
}

/* to = scale row B of the contacts from a on. */
static inline void project_row(const SlipiFewNormal *s, int32_t a, int32_t nc, int32_t d,
                               double scale, const double *restrict row, double *restrict to) {
  for (int32_t b = a; b < nc; b++) {
    const double *part = row + b * d, *B = s->B + b * d * d;
    double *x = to + s->first[b], root = s->root[b] * scale;
    const double p[3] = {part[0], part[1], part[d - 1]};
    int32_t rank = s->first[b + 1] - s->first[b];
    if (s->sticks[b]) {
      for (int32_t k = 0; k < d; k++)
        x[k] = root * p[k];
      continue;
    }
    for (int32_t j = 0; j < rank; j++, B += d)
      x[j] = scale * (p[0] * B[0] + p[1] * B[1] + (d == 3 ? p[2] * B[2] : 0));
  }
}

/* Row i of a contact that sticks: B = root I, so that I - B'B / rho vanishes. */
static inline void fill_sticking(const SlipiRun *run, const SlipiFewNormal *s, const double *W,
                                 int32_t a, int32_t i, int32_t d, double *to) {
  int32_t at = a * d + i;
  project_row(s, a, run->nc, d, s->root[a], W + at * run->m, to);
  to[s->first[a] + i] += s->rho[a] * s->alpha;
  to[s->first[run->nc]] = s->root[a] * s->b[at];
}

static inline void fill_sliding(const SlipiRun *run, const SlipiFewNormal *s, const double *W,
                                int32_t a, int32_t i, int32_t d, double *to) {
  int32_t m = run->m, first = s->first[a];
  const double *own = s->B + a * d * d, *b = own + i * d, *right = s->b + a * d;
  double less = s->alpha - 1 / s->rho[a];
  combine(W + a * d * m, a * d, m, d, b, s->row);
  project_row(s, a, run->nc, d, 1, s->row, to);
  for (int32_t j = 0; j < s->first[a + 1] - first; j++) {
    const double *c = own + j * d;
    double both = b[0] * c[0] + b[1] * c[1] + (d == 3 ? b[2] * c[2] : 0);
    to[first + j] += (i == j) + both * less;
  }
  to[s->first[run->nc]] = b[0] * right[0] + b[1] * right[1] + (d == 3 ? b[2] * right[2] : 0);
}

/* b = (W + alpha I) F - F / rho: the right-hand side is B'b. */
static void right_hand_side(const SlipiRun *run, const SlipiFewNormal *s, const double *W) {
  for (int32_t k = 0; k < run->m; k++) {
    double less = s->alpha - 1 / s->rho[k / run->d];
    s->b[k] = slipi_dot(W + k * run->m, s->F, run->m) + less * s->F[k];
  }
}

/* The rows of contact a, from the diagonal on, with the right-hand side behind. */
static inline void fill(const SlipiRun *run, const SlipiFewNormal *s, const double *W, int32_t a,
                        int32_t d, int32_t stride, double *A) {
  int32_t n = s->first[run->nc];
  for (int32_t i = 0; i < s->first[a + 1] - s->first[a]; i++) {
    double *to = A + (s->first[a] + i) * stride;
    for (int32_t j = n + 1; j < stride; j++)
      to[j] = 0;
    for (int32_t j = s->first[a] - 1; j >= 0 && j > s->first[a] - SLIPI_FEW_LANES; j--)
      to[j] = 0; /* the loops over lanes reach there */
    if (s->sticks[a])
      fill_sticking(run, s, W, a, i, d, to);
    else
      fill_sliding(run, s, W, a, i, d, to);
  }
}

bool slipi_few_normal_step(const SlipiRun *run, SlipiFewNormal *s, const double *W, const double *u,
                           double *A, double *r) {
  int32_t d = run->d;
  look(run, s, u, r);
  right_hand_side(run, s, W);
  int32_t n = s->first[run->nc], stride = slipi_few_stride(n);
  for (int32_t a = 0; a < run->nc; a++) {
    if (d == 3) /* so that loops over a block are written out */
      fill(run, s, W, a, 3, stride, A);
    else
      fill(run, s, W, a, 2, stride, A);
  }
  if (!slipi_few_eliminate_definite(n, stride, A, s->t))
    return false;
  for (int32_t k = 0; k < run->m; k++)
    r[k] -= s->F[k];
  for (int32_t a = 0; a < run->nc; a++) {
    const double *B = s->B + a * d * d;
    for (int32_t k = 0; s->sticks[a] && k < d; k++)
      r[a * d + k] += s->root[a] * s->t[s->first[a] + k];
    for (int32_t j = s->sticks[a] ? s->first[a + 1] : s->first[a]; j < s->first[a + 1];
         j++, B += d) {
      for (int32_t k = 0; k < d; k++)
        r[a * d + k] += B[k] * s->t[j];
    }
  }
  return true;
}
