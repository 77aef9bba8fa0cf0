#include "contact/onecontact_exact.h"
#include "methods/nsgs_fours.h"
#include "methods/nsgs_lanes.h"

/* ---- Any contacts ---- */

/* u += A' z. */
SLIPI_INLINE void add_rows(const SlipiFour *four, const double *z, Vector u[3]) {
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 6; k += 2) {
      Vector value[2];
      gather_two(z, four->head.first[side], k, value);
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
      gather_two(z, four->head.first[side], k, value);
      for (int i = 0; i < 2; i++) {
        Vector a[3];
        for (int c = 0; c < 3; c++)
          widen(four->a[12 * c + 6 * side + k + i], &a[c]);
        value[i] += (a[0] * change[0] + a[1] * change[1]) + a[2] * change[2];
      }
      scatter_two(value, four->head.first[side], k, z);
    }
  }
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
  memcpy(&x.mu, four->head.mu, sizeof x.mu);
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
    solve_alone(&one[four->head.contact[l]], ul, rl, x);
    for (int k = 0; k < 3; k++)
      solved[k][l] = x[k];
  }
  for (int k = 0; k < 3; k++)
    memcpy(&next[k], solved[k], sizeof next[k]);
}

/* ---- Contacts of spheres ---- */

/* What the visit reads of the bodies, which no other contact of the four has: it is written back
 * from here. */
typedef struct Bodies {
  Vector z[2][6];
} Bodies;

SLIPI_INLINE void gather_bodies(const SlipiFourHead *head, const double *z, Bodies *bodies) {
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 6; k += 2)
      gather_two(z, head->first[side], k, &bodies->z[side][k]);
  }
}

/* u += (n.V, t1.V + t2.A, t2.V - t1.A). */
SLIPI_INLINE void add_sphere_rows(const SlipiSphereFour *four, const Bodies *bodies, Vector u[3]) {
  Vector move[2], arm[2], n, t1, t2;
  for (int side = 0; side < 2; side++) {
    widen(four->move[side], &move[side]);
    widen(four->arm[side], &arm[side]);
  }
  for (int k = 0; k < 3; k++) {
    Vector V = move[0] * bodies->z[0][k] + move[1] * bodies->z[1][k];
    Vector A = arm[0] * bodies->z[0][3 + k] + arm[1] * bodies->z[1][3 + k];
    widen(four->frame[k], &n);
    widen(four->frame[3 + k], &t1);
    widen(four->frame[6 + k], &t2);
    u[0] += n * V;
    u[1] += t1 * V + t2 * A;
    u[2] += t2 * V - t1 * A;
  }
}

/* The bodies move, and z with them. Where a contact has one body only, its place is the second's,
 * too: that one is written last. */
SLIPI_INLINE void move_spheres(const SlipiSphereFour *four, const Vector change[3], Bodies *bodies,
                               double *z) {
  Vector move, arm, n, t1, t2, V[3], A[3];
  for (int k = 0; k < 3; k++) {
    widen(four->frame[k], &n);
    widen(four->frame[3 + k], &t1);
    widen(four->frame[6 + k], &t2);
    V[k] = (n * change[0] + t1 * change[1]) + t2 * change[2];
    A[k] = t2 * change[1] - t1 * change[2];
  }
  for (int side = 0; side < 2; side++) {
    widen(four->move[side], &move);
    widen(four->arm[side], &arm);
    for (int k = 0; k < 3; k++) {
      bodies->z[side][k] += move * V[k];
      bodies->z[side][3 + k] += arm * A[k];
    }
    for (int k = 0; k < 6; k += 2)
      scatter_two(&bodies->z[side][k], four->head.first[side], k, z);
  }
}

/* next from w = u + q at r. W is diagonal: the normal impulse is that without friction, and the
 * tangential one is cut to its length. */
SLIPI_INLINE void solve_spheres(const SlipiSphereFour *four, const Vector w[3], const Vector r[3],
                                Vector next[3]) {
  Vector k[2], mu, T, zero = {0}, one = {1, 1, 1, 1};
  widen(four->k[0], &k[0]);
  widen(four->k[1], &k[1]);
  memcpy(&mu, four->head.mu, sizeof mu);
  next[0] = r[0] - k[0] * w[0];
  next[1] = r[1] - k[1] * w[1];
  next[2] = r[2] - k[1] * w[2];
  Mask open = next[0] <= zero; /* no contact, no approach */
  Vector limit = mu * next[0], square = next[1] * next[1] + next[2] * next[2];
  Mask stick = square <= limit * limit, slide = ~(open | stick);
  if (any(&slide)) {
    root(&square, &T);
    Vector cut = limit / T;
    choose_lanes(&slide, &cut, &one, &cut);
    next[1] *= cut;
    next[2] *= cut;
  }
  for (int i = 0; i < 3; i++) /* all bits of a number, or none */
    next[i] = (Vector)((Mask)next[i] & ~open);
}

/* ---- Visits ---- */

SLIPI_INLINE void ask_ahead(const SlipiFourHead *head, const double *z) {
  for (int side = 0; side < 2; side++) {
    for (int l = 0; l < 4; l++)
      slipi_prefetch(z + head->first[side][l], 6 * sizeof(double));
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
SLIPI_INLINE void note_four(const SlipiFourHead *head, const Vector change[3], const Vector next[3],
                            const Vector start[3], SlipiMomentumContact *contact, Vector *against) {
  Vector scale, product = {0};
  widen(head->scale, &scale);
  for (int k = 0; k < 3; k++)
    product -= change[k] * (next[k] - start[k]);
  product *= scale;
  *against += product;
  for (int l = 0; contact && l < 4; l++)
    contact[head->contact[l]].against = product[l];
}

SLIPI_INLINE void note_settled(const SlipiFourHead *head, const SlipiFoursState *s,
                               const Vector *square, SlipiFoursSums *sums) {
  Vector scale;
  widen(head->scale, &scale);
  scale *= *square;
  double weighted = sum_lanes(&scale);
  sums->weighted += weighted;
  sums->visited += 4;
  slipi_note_rest(&s->rest[head->contact[0]], weighted < 4 * s->settled);
}

/* The impulses that a visit begins with, pushed by momentum, and those that it has to be compared
 * with afterwards. */
SLIPI_INLINE void begin(const SlipiFourHead *head, const SlipiFoursState *s, Vector r[3],
                        Vector start[3]) {
  SlipiMomentum *momentum = s->momentum;
  Vector before[3];
  gather_three(s->r, head->contact, r);
  memcpy(start, r, 3 * sizeof *start);
  if (momentum)
    gather_three(momentum->before, head->contact, before);
  if (momentum && s->uniform) {
    scatter_three(r, head->contact, momentum->before);
    for (int k = 0; k < 3; k++)
      r[k] += momentum->share * (r[k] - before[k]);
  } else if (momentum) {
    memcpy(start, before, sizeof before);
  }
}

/* One visit to four contacts, of spheres or any; adds to the sums, a place for each of the four. */
SLIPI_INLINE void visit(SlipiFourHead *head, bool spheres, const SlipiFoursState *s,
                        Vector *changed, Vector *against, SlipiFoursSums *sums) {
  SlipiFour *any_four = (SlipiFour *)head; /* a four begins with its head */
  SlipiSphereFour *sphere_four = (SlipiSphereFour *)head;
  Vector r[3], u[3], next[3], change[3], start[3];
  Bodies bodies;
  Mask left;
  begin(head, s, r, start);
  gather_three(s->q, head->contact, u);
  if (spheres) {
    gather_bodies(head, s->z, &bodies);
    add_sphere_rows(sphere_four, &bodies, u);
    solve_spheres(sphere_four, u, r, next);
  } else {
    add_rows(any_four, s->z, u);
    solve_four(any_four, u, r, next, &left);
    if (any(&left))
      solve_left(any_four, s->one, &left, u, r, next);
  }
  if (s->damper)
    damp_four(s->damper, head->contact, r, next);
  for (int k = 0; k < 3; k++)
    change[k] = next[k] - r[k];
  scatter_three(next, head->contact, s->r);
  if (spheres)
    move_spheres(sphere_four, change, &bodies, s->z);
  else
    update(any_four, change, s->z);
  Vector square = (change[0] * change[0] + change[1] * change[1]) + change[2] * change[2];
  *changed += square;
  if (s->rest)
    note_settled(head, s, &square, sums);
  if (s->momentum)
    note_four(head, change, next, start, s->uniform ? NULL : s->momentum->contact, against);
}

/* Back in the cones. */
SLIPI_INLINE void project_four(const SlipiFourHead *head, Vector x[3]) {
  Vector mu, T, square = x[1] * x[1] + x[2] * x[2], one = {1, 1, 1, 1}, zero = {0};
  memcpy(&mu, head->mu, sizeof mu);
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

/* The shares of momentum of four contacts; false where all are 0. */
SLIPI_INLINE bool shares_of(const SlipiFourHead *head, const SlipiFoursState *s, const bool *whole,
                            Vector *share) {
  double shares[4];
  bool some = false;
  for (int l = 0; l < 4; l++) {
    int32_t a = head->contact[l];
    double factor = s->damper[a].factor;
    bool here = whole ? *whole : slipi_momentum_restarts(s->momentum, a);
    shares[l] = slipi_momentum_share(&s->momentum->contact[a].t, here);
    if (factor < 0.9)
      shares[l] *= factor * factor;
    some = some || shares[l] != 0;
  }
  memcpy(share, shares, sizeof *share);
  return some;
}

SLIPI_INLINE void push_four(const SlipiFourHead *head, bool spheres, const SlipiFoursState *s,
                            const bool *whole) {
  SlipiMomentum *momentum = s->momentum;
  Vector r[3], before[3], next[3], change[3], share;
  bool some = shares_of(head, s, whole, &share);
  gather_three(s->r, head->contact, r);
  gather_three(momentum->before, head->contact, before);
  scatter_three(r, head->contact, momentum->before);
  if (!some)
    return;
  for (int k = 0; k < 3; k++)
    next[k] = r[k] + share * (r[k] - before[k]);
  project_four(head, next);
  for (int k = 0; k < 3; k++)
    change[k] = next[k] - r[k];
  scatter_three(next, head->contact, s->r);
  if (spheres) {
    Bodies bodies;
    gather_bodies(head, s->z, &bodies);
    move_spheres((const SlipiSphereFour *)head, change, &bodies, s->z);
  } else {
    update((const SlipiFour *)head, change, s->z);
  }
}

enum { AHEAD = 3 }; /* fours between the wish for the bodies' data and their use */

static SlipiFourHead *any_head(const SlipiFours *fours, int32_t k) {
  return &fours->four[k].head;
}

static SlipiFourHead *sphere_head(const SlipiFours *fours, int32_t k) {
  return &fours->sphere[k].head;
}

/* The fours of one kind. */
SLIPI_INLINE void visit_kind(const SlipiFours *fours, bool spheres, int32_t chunk,
                             const SlipiFoursState *s, SlipiFoursSums *sums) {
  SlipiFourHead *(*const head_of)(const SlipiFours *, int32_t) = spheres ? sphere_head : any_head;
  const int32_t *start = spheres ? fours->sphere_start : fours->start;
  Vector changed = {0}, against = {0};
  int32_t end = start[chunk + 1];
  for (int32_t k = start[chunk]; k < end; k++) {
    SlipiFourHead *head = head_of(fours, k);
    if (s->rest && slipi_rests(&s->rest[head->contact[0]]))
      continue;
    if (k + AHEAD < end)
      ask_ahead(head_of(fours, k + AHEAD), s->z);
    visit(head, spheres, s, &changed, &against, sums);
  }
  sums->changed += sum_lanes(&changed);
  sums->against += sum_lanes(&against);
}

SLIPI_INLINE SlipiFoursSums visit_all(const SlipiFours *fours, int32_t chunk,
                                      const SlipiFoursState *s) {
  SlipiFoursSums sums = {0};
  visit_kind(fours, true, chunk, s, &sums);
  visit_kind(fours, false, chunk, s, &sums);
  return sums;
}

SLIPI_INLINE void push_kind(const SlipiFours *fours, bool spheres, int32_t chunk,
                            const SlipiFoursState *s, const bool *whole) {
  SlipiFourHead *(*const head_of)(const SlipiFours *, int32_t) = spheres ? sphere_head : any_head;
  const int32_t *start = spheres ? fours->sphere_start : fours->start;
  int32_t end = start[chunk + 1];
  for (int32_t k = start[chunk]; k < end; k++) {
    if (k + AHEAD < end)
      ask_ahead(head_of(fours, k + AHEAD), s->z);
    push_four(head_of(fours, k), spheres, s, whole);
  }
}

SLIPI_INLINE void push_all(const SlipiFours *fours, int32_t chunk, const SlipiFoursState *s,
                           const bool *whole) {
  push_kind(fours, true, chunk, s, whole);
  push_kind(fours, false, chunk, s, whole);
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
