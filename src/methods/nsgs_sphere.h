/* Contacts of spheres that roll (nsgs_joined.c). Where the blocks of both bodies are multiples of
 * I, all rows of a contact and of its moments are multiples of the three directions n, t1, t2 of
 * its frame, W has no entry beside its diagonal but those between r_T and m_R, and a visit is
 * solved by projections: a fifth of the numbers to read, half of the operations. */
#ifndef SLIPI_METHODS_NSGS_SPHERE_H
#define SLIPI_METHODS_NSGS_SPHERE_H

#include "contact/onecontact.h"
#include "contact/pairs.h"

/* The rows of a contact of spheres, without moments: with v and w the first and last three values
 * of each body in the row state,
 *
 *     u = (n.V, t1.V + t2.A, t2.V - t1.A),  V = sum move v,  A = sum arm w   over both bodies */
typedef struct SlipiSphereRows {
  double frame[9]; /* n, t1, t2 */
  double move[2], arm[2];
  int side; /* a body that moves */
} SlipiSphereRows;

/* Whether the 36 values of a contact's rows are of that form, but for a share `rounding` of them.
 */
bool slipi_sphere_rows(const double *own, double rounding, SlipiSphereRows *rows);

/* With v and w the first and last three values of each body in the row state,
 *
 *     u = (n.V, t1.V + t2.A, t2.V - t1.A),  omega = (n.T, t1.T, t2.T)
 *     V = sum move v,  A = sum arm w,  T = sum turn w   over both bodies */
typedef struct SlipiSphere {
  double frame[9]; /* n, t1, t2 */
  double move[2], turn[2], arm[2];
  double k[2], kappa[2]; /* 1/W of impulse and moments: normal, tangents */
  double cross;          /* what t1 of the impulse turns about t2 */
  bool applies;
  bool single; /* only the body `side` moves: the other is at rest for good */
  int side;
} SlipiSphere;

/* Of the contact whose moments are block b; `cross` is the block of W between both. */
void slipi_sphere_prepare(SlipiSphere *sphere, const SlipiPairs *pairs, int32_t b,
                          const SlipiOneContact *contact, const SlipiOneContact *moments,
                          const double cross[9]);

/* Three values with names, which compilers keep in registers: arrays are written to memory one by
 * one, read again in pairs, and processors wait for that. */
typedef struct SlipiThree {
  double n, x, y;
} SlipiThree;

static inline SlipiThree slipi_three(const double *x) {
  return (SlipiThree){x[0], x[1], x[2]};
}

static inline void slipi_three_store(SlipiThree x, double *to) {
  to[0] = x.n;
  to[1] = x.x;
  to[2] = x.y;
}

static inline SlipiThree slipi_three_minus(SlipiThree x, SlipiThree y) {
  return (SlipiThree){x.n - y.n, x.x - y.x, x.y - y.y};
}

static inline double slipi_three_dot(SlipiThree x, SlipiThree y) {
  return x.n * y.n + x.x * y.x + x.y * y.y;
}

/* a x + b y. */
static inline SlipiThree slipi_three_sum(double a, const double *x, double b, const double *y) {
  return (SlipiThree){a * x[0] + b * y[0], a * x[1] + b * y[1], a * x[2] + b * y[2]};
}

/* u and omega of the contact whose moments are block b. */
static inline void slipi_sphere_read(const SlipiSphere *s, const SlipiPairs *pairs, int32_t b,
                                     const double *z, SlipiThree *u, SlipiThree *omega) {
  const double *x = z + pairs->first[2 * (int64_t)b], *y = z + pairs->first[2 * (int64_t)b + 1];
  SlipiThree n = slipi_three(s->frame), t1 = slipi_three(s->frame + 3);
  SlipiThree t2 = slipi_three(s->frame + 6);
  if (s->single) {
    const double *own = s->side ? y : x;
    double move = s->move[s->side], arm = s->arm[s->side], turn = s->turn[s->side];
    SlipiThree v = slipi_three(own), w = slipi_three(own + 3);
    SlipiThree W = {slipi_three_dot(n, w), slipi_three_dot(t1, w), slipi_three_dot(t2, w)};
    u->n = move * slipi_three_dot(n, v);
    u->x = move * slipi_three_dot(t1, v) + arm * W.y;
    u->y = move * slipi_three_dot(t2, v) - arm * W.x;
    *omega = (SlipiThree){turn * W.n, turn * W.x, turn * W.y};
    return;
  }
  SlipiThree V = slipi_three_sum(s->move[0], x, s->move[1], y);
  SlipiThree A = slipi_three_sum(s->arm[0], x + 3, s->arm[1], y + 3);
  SlipiThree T = slipi_three_sum(s->turn[0], x + 3, s->turn[1], y + 3);
  u->n = slipi_three_dot(n, V);
  u->x = slipi_three_dot(t1, V) + slipi_three_dot(t2, A);
  u->y = slipi_three_dot(t2, V) - slipi_three_dot(t1, A);
  *omega = (SlipiThree){slipi_three_dot(n, T), slipi_three_dot(t1, T), slipi_three_dot(t2, T)};
}

/* The row state with the changes of both. Both bodies may be one, so the first is written before
 * the second is read. */
static inline void slipi_sphere_update(const SlipiSphere *s, const SlipiPairs *pairs, int32_t b,
                                       SlipiThree r, SlipiThree m, double *z) {
  SlipiThree n = slipi_three(s->frame), t1 = slipi_three(s->frame + 3);
  SlipiThree t2 = slipi_three(s->frame + 6);
  int first = s->single ? s->side : 0, last = s->single ? s->side : 1;
  for (int side = first; side <= last; side++) {
    double *to = z + pairs->first[2 * (int64_t)b + side];
    double move = s->move[side], arm = s->arm[side], turn = s->turn[side];
    double a = move * r.n, a1 = move * r.x, a2 = move * r.y;
    double c = turn * m.n, c1 = turn * m.x - arm * r.y, c2 = turn * m.y + arm * r.x;
    to[0] += n.n * a + t1.n * a1 + t2.n * a2;
    to[1] += n.x * a + t1.x * a1 + t2.x * a2;
    to[2] += n.y * a + t1.y * a1 + t2.y * a2;
    to[3] += n.n * c + t1.n * c1 + t2.n * c2;
    to[4] += n.x * c + t1.x * c1 + t2.x * c2;
    to[5] += n.y * c + t1.y * c1 + t2.y * c2;
  }
}

#endif
