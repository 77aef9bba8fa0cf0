#include "methods/nsgs_fours.h"

#include <math.h>
#include <string.h>

#include "base/wide.h"
#include "contact/onecontact_exact.h"

/* ---- Choosing ---- */

enum { OPEN_MOST = 12 }; /* fours that wait for their last contacts */

typedef struct Open {
  int32_t contact[4];
  int count;
} Open;

typedef struct Choice {
  const SlipiPairs *pairs;
  const SlipiOneContact *one;
  int32_t spare; /* the place that contacts without bodies share */
  Open open[OPEN_MOST];
  int opened;
} Choice;

static bool share_body(const Choice *choice, int32_t a, int32_t b) {
  const int32_t *x = choice->pairs->first + 2 * (int64_t)a;
  const int32_t *y = choice->pairs->first + 2 * (int64_t)b;
  for (int k = 0; k < 4; k++) {
    if (x[k / 2] == y[k % 2] && x[k / 2] != choice->spare)
      return true;
  }
  return false;
}

static bool fits(const Choice *choice, const Open *open, int32_t contact) {
  for (int i = 0; i < open->count; i++) {
    if (share_body(choice, open->contact[i], contact))
      return false;
  }
  return true;
}

/* Put a contact into the first four that it fits; the four's number, -1 where there is none. */
static int place(Choice *choice, int32_t contact) {
  int k = 0;
  while (k < choice->opened && !fits(choice, &choice->open[k], contact))
    k++;
  if (k == OPEN_MOST)
    return -1;
  if (k == choice->opened)
    choice->open[choice->opened++].count = 0;
  choice->open[k].contact[choice->open[k].count++] = contact;
  return k;
}

/* The oldest stay first. */
static void close_four(Choice *choice, int k) {
  choice->opened--;
  memmove(choice->open + k, choice->open + k + 1,
          (size_t)(choice->opened - k) * sizeof *choice->open);
}

static void keep_four(SlipiFour *four, const SlipiPairs *pairs, const int32_t contact[4]) {
  for (int l = 0; l < 4; l++) {
    four->contact[l] = contact[l];
    for (int side = 0; side < 2; side++)
      four->first[side][l] = pairs->first[2 * (int64_t)contact[l] + side];
  }
}

/* The fours of one chunk, from place `filled` on; returns the place after them. */
static int32_t choose(SlipiFours *fours, Choice *choice, int32_t first, int32_t end, int32_t filled,
                      int32_t *alone) {
  choice->opened = 0;
  for (int32_t a = first; a < end; a++) {
    int k = slipi_fours_suit(&choice->one[a]) ? place(choice, a) : -1;
    if (k < 0) {
      fours->alone[(*alone)++] = a;
    } else if (choice->open[k].count == 4) {
      keep_four(&fours->four[filled++], fours->pairs, choice->open[k].contact);
      close_four(choice, k);
    }
  }
  for (int k = 0; k < choice->opened; k++) {
    for (int i = 0; i < choice->open[k].count; i++)
      fours->alone[(*alone)++] = choice->open[k].contact[i];
  }
  return filled;
}

SlipStatus slipi_fours_create(const SlipiPairs *pairs, const SlipiChunks *chunks, SlipiArena *arena,
                              SlipiFours *fours, SlipError *error) {
  *fours = (SlipiFours){.pairs = pairs, .wide = slipi_has_wide_registers()};
  fours->four = SLIPI_ARENA_RAW(arena, SlipiFour, chunks->nc / 4 + 1);
  fours->alone = SLIPI_ARENA_RAW(arena, int32_t, chunks->nc);
  fours->start = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)chunks->count + 1);
  fours->single = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)chunks->count + 1);
  return arena->failed ? slipi_fail_memory(error, "the fours of a sweep") : SLIP_OK;
}

void slipi_fours_choose(SlipiFours *fours, int32_t places, const SlipiChunks *chunks,
                        const SlipiOneContact *one) {
  Choice choice = {.pairs = fours->pairs, .one = one, .spare = places};
  int32_t filled = 0, alone = 0;
  for (int32_t chunk = 0; chunk < chunks->count; chunk++) {
    fours->start[chunk] = filled;
    fours->single[chunk] = alone;
    filled = choose(fours, &choice, slipi_chunk_first(chunks, chunk),
                    slipi_chunk_end(chunks, chunk), filled, &alone);
  }
  fours->start[chunks->count] = filled;
  fours->single[chunks->count] = alone;
}

/* ---- Filling ---- */

static void fill_lane(SlipiFour *four, int l, const double *a, const SlipiOneContact *one) {
  const SlipiSlide *slide = &one->slide;
  for (int k = 0; k < 36; k++)
    four->a[k][l] = (float)a[k];
  four->mu[l] = one->law.mu;
  four->k[l] = (float)slide->k;
  four->a1[l] = (float)slide->a1;
  four->a2[l] = (float)slide->a2;
  four->b1[l] = (float)slide->b1;
  four->b2[l] = (float)slide->b2;
  four->c[l] = slide->c;
  four->s[l] = slide->s;
  four->inverse[0][l] = (float)(1 / slide->s1);
  four->inverse[1][l] = (float)(1 / slide->s2);
  four->scale[l] = (float)one->scale;
  four->lambda[l] = 0;
}

void slipi_fours_fill(SlipiFours *fours, const SlipiChunks *chunks, const SlipiOneContact *one) {
  for (int32_t k = 0; k < fours->start[chunks->count]; k++) {
    SlipiFour *four = &fours->four[k];
    for (int l = 0; l < 4; l++)
      fill_lane(four, l, fours->pairs->a + 36 * (int64_t)four->contact[l], &one[four->contact[l]]);
  }
}

void slipi_fours_forget(SlipiFours *fours, const SlipiChunks *chunks) {
  for (int32_t k = 0; k < fours->start[chunks->count]; k++)
    memset(fours->four[k].lambda, 0, sizeof fours->four[k].lambda);
}

/* ---- Visiting ---- */

typedef double Vector __attribute__((vector_size(32)));
typedef long long Mask __attribute__((vector_size(32)));

/* Written out, because compilers make one instruction of it. */
SLIPI_INLINE void widen(const float x[4], Vector *to) {
  *to = (Vector){x[0], x[1], x[2], x[3]};
}

/* The first and the second values of four pairs. */
SLIPI_INLINE void transpose(const SlipiTwo x[4], Vector to[2]) {
  Vector even = __builtin_shufflevector(x[0], x[2], 0, 1, 2, 3);
  Vector odd = __builtin_shufflevector(x[1], x[3], 0, 1, 2, 3);
  to[0] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
  to[1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
}

/* And back. */
SLIPI_INLINE void transpose_back(const Vector from[2], SlipiTwo x[4]) {
  Vector even = __builtin_shufflevector(from[0], from[1], 0, 4, 2, 6);
  Vector odd = __builtin_shufflevector(from[0], from[1], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(even, even, 0, 1);
  x[1] = __builtin_shufflevector(odd, odd, 0, 1);
  x[2] = __builtin_shufflevector(even, even, 2, 3);
  x[3] = __builtin_shufflevector(odd, odd, 2, 3);
}

/* Values k and k + 1 of four bodies, one value of all beside the other. */
SLIPI_INLINE void gather_two(const double *z, const int32_t first[4], int k, Vector to[2]) {
  SlipiTwo x[4];
  for (int l = 0; l < 4; l++)
    x[l] = slipi_load_two(z + first[l] + k);
  transpose(x, to);
}

SLIPI_INLINE void scatter_two(const Vector from[2], const int32_t first[4], int k, double *z) {
  SlipiTwo x[4];
  transpose_back(from, x);
  for (int l = 0; l < 4; l++)
    memcpy(z + first[l] + k, &x[l], sizeof x[l]);
}

/* Three values of four contacts, and back. */
SLIPI_INLINE void gather_three(const double *x, const int32_t contact[4], Vector to[3]) {
  SlipiTwo pair[4], third[2];
  for (int l = 0; l < 4; l++)
    pair[l] = slipi_load_two(x + 3 * (int64_t)contact[l]);
  transpose(pair, to);
  for (int l = 0; l < 2; l++)
    third[l] =
        (SlipiTwo){x[3 * (int64_t)contact[2 * l] + 2], x[3 * (int64_t)contact[2 * l + 1] + 2]};
  to[2] = __builtin_shufflevector(third[0], third[1], 0, 1, 2, 3);
}

SLIPI_INLINE void scatter_three(const Vector from[3], const int32_t contact[4], double *x) {
  SlipiTwo pair[4];
  transpose_back(from, pair);
  for (int l = 0; l < 4; l++) {
    memcpy(x + 3 * (int64_t)contact[l], &pair[l], sizeof pair[l]);
    x[3 * (int64_t)contact[l] + 2] = from[2][l];
  }
}

/* u += A' z. */
SLIPI_INLINE void add_rows(const SlipiFour *four, const double *z, Vector u[3]) {
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 6; k += 2) {
      Vector value[2];
      gather_two(z, four->first[side], k, value);
      for (int c = 0; c < 3; c++) {
        Vector a0, a1;
        widen(four->a[12 * c + 6 * side + k], &a0);
        widen(four->a[12 * c + 6 * side + k + 1], &a1);
        u[c] += a0 * value[0] + a1 * value[1];
      }
    }
  }
}

/* z += B change, M being symmetric: B = A. Both bodies of a contact may be one: the first is
 * written before the second is read. */
SLIPI_INLINE void update(const SlipiFour *four, const Vector change[3], double *z) {
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 6; k += 2) {
      Vector value[2];
      gather_two(z, four->first[side], k, value);
      for (int i = 0; i < 2; i++) {
        Vector a[3];
        for (int c = 0; c < 3; c++)
          widen(four->a[12 * c + 6 * side + k + i], &a[c]);
        value[i] += (a[0] * change[0] + a[1] * change[1]) + a[2] * change[2];
      }
      scatter_two(value, four->first[side], k, z);
    }
  }
}

/* x where the mask is set, y elsewhere. */
SLIPI_INLINE void choose_lanes(const Mask *where, const Vector *x, const Vector *y, Vector *to) {
  *to = (Vector)(((Mask)*x & *where) | ((Mask)*y & ~*where));
}

SLIPI_INLINE void root(const Vector *x, Vector *to) {
  double y[4];
  memcpy(y, x, sizeof y);
  for (int l = 0; l < 4; l++)
    y[l] = sqrt(y[l]);
  memcpy(to, y, sizeof y);
}

SLIPI_INLINE bool any(const Mask *mask) {
  return ((*mask)[0] | (*mask)[1] | (*mask)[2] | (*mask)[3]) != 0;
}

/* The one-contact problems of four contacts in turned tangents. */
typedef struct Turned {
  Vector k, a1, a2, mu;
  Vector r[3], w[3]; /* the impulse there is, and velocities with the normal row eliminated */
  Vector next[3];    /* the impulse to be found */
} Turned;

enum { SLIDE_STEPS = 4 };
static const double SETTLED = 1e-6; /* a relative correction of lambda that leaves its square */

/* Newton's method on mu r_N/|r_T| = 1 in lambda, which is nearly linear. *slide keeps the places
 * where the iteration has not settled. */
SLIPI_INLINE void slide_four(SlipiFour *four, Turned *x, Mask *slide) {
  Vector one = {1, 1, 1, 1}, s1, s2, lambda, correction, T, t1, t2, g1, g2, n, square, zero = {0};
  widen(four->inverse[0], &s1);
  widen(four->inverse[1], &s2);
  widen(four->lambda, &lambda);
  s1 = one / s1;
  s2 = one / s2;
  Vector p1 = s1 * x->r[1] - x->w[1], p2 = s2 * x->r[2] - x->w[2];
  Vector n0 = x->r[0] - x->k * x->w[0] + (x->a1 * x->r[1] + x->a2 * x->r[2]);
  Mask sought = *slide, unsettled = *slide;
  for (int step = 0; step < SLIDE_STEPS && any(&unsettled); step++) {
    g1 = one / (s1 + lambda);
    g2 = one / (s2 + lambda);
    t1 = p1 * g1;
    t2 = p2 * g2;
    square = t1 * t1 + t2 * t2;
    root(&square, &T);
    n = n0 - (x->a1 * t1 + x->a2 * t2);
    Vector dn = x->a1 * t1 * g1 + x->a2 * t2 * g2, dT = (t1 * t1 * g1 + t2 * t2 * g2) / T;
    correction = T * (x->mu * n - T) / (x->mu * (dn * T + n * dT));
    Vector next = lambda - correction;
    Mask inside = next > zero;
    choose_lanes(&inside, &next, &zero, &lambda);
    Vector size = SETTLED * (lambda + s1);
    unsettled = sought & ~((correction <= size) & (correction >= -size) & inside);
  }
  t1 = p1 / (s1 + lambda);
  t2 = p2 / (s2 + lambda);
  square = t1 * t1 + t2 * t2;
  root(&square, &T);
  const Vector found[3] = {T / x->mu, t1, t2};
  Mask good = sought & ~unsettled;
  for (int k = 0; k < 3; k++)
    choose_lanes(&good, &found[k], &x->next[k], &x->next[k]);
  for (int l = 0; l < 4; l++) {
    if (good[l])
      four->lambda[l] = (float)lambda[l];
  }
  *slide = unsettled;
}

/* The solutions next of four contacts from w = u + q at r; places where it is not found are marked
 * in `left`. */
SLIPI_INLINE void solve_four(SlipiFour *four, const Vector w[3], const Vector r[3], Vector next[3],
                             Mask *left) {
  Turned x;
  Vector b1, b2, c, s, inverse[2], limit, zero = {0};
  widen(four->k, &x.k);
  widen(four->a1, &x.a1);
  widen(four->a2, &x.a2);
  widen(four->b1, &b1);
  widen(four->b2, &b2);
  memcpy(&c, four->c, sizeof c);
  memcpy(&s, four->s, sizeof s);
  widen(four->inverse[0], &inverse[0]);
  widen(four->inverse[1], &inverse[1]);
  memcpy(&x.mu, four->mu, sizeof x.mu);
  x.r[0] = r[0];
  x.r[1] = c * r[1] - s * r[2];
  x.r[2] = s * r[1] + c * r[2];
  x.w[0] = w[0];
  x.w[1] = (c * w[1] - s * w[2]) - b1 * w[0];
  x.w[2] = (s * w[1] + c * w[2]) - b2 * w[0];
  Vector pull = x.r[0] - x.k * x.w[0], d1 = x.w[1] * inverse[0], d2 = x.w[2] * inverse[1];
  Mask open = pull + (x.a1 * x.r[1] + x.a2 * x.r[2]) <= zero; /* no contact, no approach */
  x.next[0] = pull + (x.a1 * d1 + x.a2 * d2);
  x.next[1] = x.r[1] - d1;
  x.next[2] = x.r[2] - d2;
  limit = x.mu * x.next[0];
  Mask stick = (limit >= zero) & (x.next[1] * x.next[1] + x.next[2] * x.next[2] <= limit * limit);
  *left = ~(open | stick);
  if (any(left))
    slide_four(four, &x, left);
  next[0] = x.next[0];
  next[1] = c * x.next[1] + s * x.next[2];
  next[2] = c * x.next[2] - s * x.next[1];
  for (int k = 0; k < 3; k++) /* all bits of a number, or none */
    next[k] = (Vector)((Mask)next[k] & ~open);
}

/* The way of a visit alone. */
static void solve_alone(SlipiOneContact *one, const double u[3], const double r[3],
                        double next[3]) {
  static const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
  double q[3];
  const double *W = one->W;
  memcpy(next, r, 3 * sizeof *next);
  for (int k = 0; k < 3; k++)
    q[k] = u[k] - (W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2]);
  if (!slipi_one_contact_exact(one, q, next))
    slipi_one_contact_solve(one, &rule, q, next);
}

SLIPI_INLINE void solve_left(const SlipiFour *four, SlipiOneContact *one, const Mask *left,
                             const Vector u[3], const Vector r[3], Vector next[3]) {
  double us[3][4], rs[3][4], solved[3][4];
  for (int k = 0; k < 3; k++) {
    memcpy(us[k], &u[k], sizeof u[k]);
    memcpy(rs[k], &r[k], sizeof r[k]);
    memcpy(solved[k], &next[k], sizeof next[k]);
  }
  for (int l = 0; l < 4; l++) {
    const double ul[3] = {us[0][l], us[1][l], us[2][l]}, rl[3] = {rs[0][l], rs[1][l], rs[2][l]};
    double x[3];
    if (!(*left)[l])
      continue;
    solve_alone(&one[four->contact[l]], ul, rl, x);
    for (int k = 0; k < 3; k++)
      solved[k][l] = x[k];
  }
  for (int k = 0; k < 3; k++)
    memcpy(&next[k], solved[k], sizeof next[k]);
}

SLIPI_INLINE void ask_ahead(const SlipiFour *four, const double *z) {
  for (int side = 0; side < 2; side++) {
    for (int l = 0; l < 4; l++)
      slipi_prefetch(z + four->first[side][l], 6 * sizeof(double));
  }
}

/* Shorten the changes of contacts that swing: next = r + share (next - r). */
SLIPI_INLINE void damp_four(SlipiDamper *damper, const int32_t contact[4], const Vector r[3],
                            Vector next[3]) {
  double change[3][4], shares[4];
  Vector share, one = {1, 1, 1, 1};
  for (int k = 0; k < 3; k++) {
    Vector x = next[k] - r[k];
    memcpy(change[k], &x, sizeof x);
  }
  for (int l = 0; l < 4; l++) {
    const double own[3] = {change[0][l], change[1][l], change[2][l]};
    shares[l] = slipi_damper_share(&damper[contact[l]], own);
  }
  memcpy(&share, shares, sizeof share);
  Mask whole = share >= one;
  for (int k = 0; k < 3; k++) {
    Vector x = r[k] + share * (next[k] - r[k]);
    choose_lanes(&whole, &next[k], &x, &next[k]);
  }
}

/* How far momentum has carried the contacts: the changes against their movement since `start`. */
SLIPI_INLINE void note_four(const SlipiFour *four, const Vector change[3], const Vector next[3],
                            const Vector start[3], SlipiMomentumContact *contact, Vector *against) {
  Vector scale, product = {0};
  widen(four->scale, &scale);
  for (int k = 0; k < 3; k++)
    product -= change[k] * (next[k] - start[k]);
  product *= scale;
  *against += product;
  for (int l = 0; contact && l < 4; l++)
    contact[four->contact[l]].against = product[l];
}

/* The sum over the places, always in this order. */
SLIPI_INLINE double sum_lanes(const Vector *x) {
  return ((*x)[0] + (*x)[1]) + ((*x)[2] + (*x)[3]);
}

SLIPI_INLINE void note_settled(const SlipiFour *four, const SlipiFoursState *s,
                               const Vector *square, SlipiFoursSums *sums) {
  Vector scale;
  widen(four->scale, &scale);
  scale *= *square;
  double weighted = sum_lanes(&scale);
  sums->weighted += weighted;
  sums->visited += 4;
  slipi_note_rest(&s->rest[four->contact[0]], weighted < 4 * s->settled);
}

/* One visit to four contacts; adds to the sums, a place for each of the four. */
SLIPI_INLINE void visit(SlipiFour *four, const SlipiFoursState *s, Vector *changed, Vector *against,
                        SlipiFoursSums *sums) {
  SlipiMomentum *momentum = s->momentum;
  Vector r[3], u[3], next[3], change[3], before[3], start[3];
  Mask left;
  gather_three(s->r, four->contact, r);
  memcpy(start, r, sizeof start);
  if (momentum)
    gather_three(momentum->before, four->contact, before);
  if (momentum && s->uniform) {
    scatter_three(r, four->contact, momentum->before);
    for (int k = 0; k < 3; k++)
      r[k] += momentum->share * (r[k] - before[k]);
  } else if (momentum) {
    memcpy(start, before, sizeof start);
  }
  gather_three(s->q, four->contact, u);
  add_rows(four, s->z, u);
  solve_four(four, u, r, next, &left);
  if (any(&left))
    solve_left(four, s->one, &left, u, r, next);
  if (s->damper)
    damp_four(s->damper, four->contact, r, next);
  for (int k = 0; k < 3; k++)
    change[k] = next[k] - r[k];
  scatter_three(next, four->contact, s->r);
  update(four, change, s->z);
  Vector square = (change[0] * change[0] + change[1] * change[1]) + change[2] * change[2];
  *changed += square;
  if (s->rest)
    note_settled(four, s, &square, sums);
  if (momentum)
    note_four(four, change, next, start, s->uniform ? NULL : momentum->contact, against);
}

/* Back in the cones. */
SLIPI_INLINE void project_four(const SlipiFour *four, Vector x[3]) {
  Vector mu, T, square = x[1] * x[1] + x[2] * x[2], one = {1, 1, 1, 1}, zero = {0};
  memcpy(&mu, four->mu, sizeof mu);
  root(&square, &T);
  Mask inside = T <= mu * x[0], out = mu * T <= -x[0];
  Vector normal = (x[0] + mu * T) / (one + mu * mu), factor = mu * normal / T;
  const Vector on[3] = {normal, factor * x[1], factor * x[2]};
  for (int k = 0; k < 3; k++) {
    choose_lanes(&inside, &x[k], &on[k], &x[k]);
    Mask away = out & ~inside;
    choose_lanes(&away, &zero, &x[k], &x[k]);
  }
}

SLIPI_INLINE void push_four(const SlipiFour *four, const SlipiFoursState *s, const bool *whole) {
  SlipiMomentum *momentum = s->momentum;
  Vector r[3], before[3], next[3], change[3], share;
  double shares[4];
  for (int l = 0; l < 4; l++) {
    int32_t a = four->contact[l];
    double factor = s->damper[a].factor;
    bool here = whole ? *whole : slipi_momentum_restarts(momentum, a);
    shares[l] = slipi_momentum_share(&momentum->contact[a].t, here);
    if (factor < 0.9)
      shares[l] *= factor * factor;
  }
  memcpy(&share, shares, sizeof share);
  gather_three(s->r, four->contact, r);
  gather_three(momentum->before, four->contact, before);
  scatter_three(r, four->contact, momentum->before);
  if (shares[0] == 0 && shares[1] == 0 && shares[2] == 0 && shares[3] == 0)
    return;
  for (int k = 0; k < 3; k++)
    next[k] = r[k] + share * (r[k] - before[k]);
  project_four(four, next);
  for (int k = 0; k < 3; k++)
    change[k] = next[k] - r[k];
  scatter_three(next, four->contact, s->r);
  update(four, change, s->z);
}

enum { AHEAD = 3 }; /* fours between the wish for the bodies' data and their use */

SLIPI_INLINE SlipiFoursSums visit_all(const SlipiFours *fours, int32_t chunk,
                                      const SlipiFoursState *s) {
  Vector changed = {0}, against = {0};
  SlipiFoursSums sums = {0};
  int32_t end = fours->start[chunk + 1];
  for (int32_t k = fours->start[chunk]; k < end; k++) {
    if (s->rest && slipi_rests(&s->rest[fours->four[k].contact[0]]))
      continue;
    if (k + AHEAD < end)
      ask_ahead(&fours->four[k + AHEAD], s->z);
    visit(&fours->four[k], s, &changed, &against, &sums);
  }
  sums.changed = sum_lanes(&changed);
  sums.against = sum_lanes(&against);
  return sums;
}

SLIPI_INLINE void push_all(const SlipiFours *fours, int32_t chunk, const SlipiFoursState *s,
                           const bool *whole) {
  int32_t end = fours->start[chunk + 1];
  for (int32_t k = fours->start[chunk]; k < end; k++) {
    if (k + AHEAD < end)
      ask_ahead(&fours->four[k + AHEAD], s->z);
    push_four(&fours->four[k], s, whole);
  }
}

SLIPI_WIDE static SlipiFoursSums visit_wide(const SlipiFours *fours, int32_t chunk,
                                            const SlipiFoursState *state) {
  return visit_all(fours, chunk, state);
}

SLIPI_WIDE static void push_wide(const SlipiFours *fours, int32_t chunk,
                                 const SlipiFoursState *state, const bool *whole) {
  push_all(fours, chunk, state, whole);
}

SlipiFoursSums slipi_fours_visit(const SlipiFours *fours, int32_t chunk,
                                 const SlipiFoursState *state) {
  return fours->wide ? visit_wide(fours, chunk, state) : visit_all(fours, chunk, state);
}

void slipi_fours_push(const SlipiFours *fours, int32_t chunk, const SlipiFoursState *state,
                      const bool *whole) {
  if (fours->wide)
    push_wide(fours, chunk, state, whole);
  else
    push_all(fours, chunk, state, whole);
}
