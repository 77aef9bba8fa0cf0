/* The nearest point to the origin of the difference of two polyhedra: a simplex of its vertices is
 * exchanged, vertex by vertex, until none lies nearer. */
#include "geom/gjk.h"

#include <float.h>

typedef struct Corner {
  double w[3], b[3]; /* a's vertex less b's, and b's */
  int32_t vertex_a, vertex_b;
  double weight;
} Corner;

typedef struct Simplex {
  Corner corner[4];
  int count;
  double v[3], squared; /* its point nearest to the origin */
} Simplex;

static void farthest(const SlipiSolids *solids, const double n[3], Corner *corner) {
  double back[3] = {-n[0], -n[1], -n[2]}, on_a[3];
  corner->vertex_a = slipi_solid_support(&solids->a, back, on_a);
  corner->vertex_b = slipi_solid_support(&solids->b, n, corner->b);
  slipi_sub(on_a, corner->b, corner->w);
}

/* Take over the face of a simplex spanned by its newest corner (the last) and the chosen others,
 * where the foot of the origin is inside and nearer than what was found before. */
static void offer(const Simplex *from, const int *chosen, const double *weight, int others,
                  const double v[3], Simplex *best) {
  double squared = slipi_dot3(v, v), rest = 1;
  for (int i = 0; i < others; i++) {
    if (!(weight[i] > 0))
      return;
    rest -= weight[i];
  }
  if (!(rest > 0) || !(squared < best->squared))
    return;
  best->count = others + 1;
  best->squared = squared;
  for (int i = 0; i < others; i++) {
    best->corner[i] = from->corner[chosen[i]];
    best->corner[i].weight = weight[i];
  }
  best->corner[others] = from->corner[from->count - 1];
  best->corner[others].weight = rest;
  for (int k = 0; k < 3; k++)
    best->v[k] = v[k];
}

static void try_segment(const Simplex *from, const double p[3], int i, Simplex *best) {
  double q[3], v[3];
  slipi_sub(from->corner[i].w, p, q);
  double squared = slipi_dot3(q, q), weight = -slipi_dot3(p, q) / squared;
  slipi_along(p, weight, q, v);
  /* Once more: v is to be across q as a direction, also where it is short. */
  slipi_along(v, -slipi_dot3(v, q) / squared, q, v);
  offer(from, &i, &weight, 1, v, best);
}

static void try_triangle(const Simplex *from, const double p[3], int i, int j, Simplex *best) {
  double q[3], r[3], n[3], c[3], v[3] = {0, 0, 0}, weight[2];
  slipi_sub(from->corner[i].w, p, q);
  slipi_sub(from->corner[j].w, p, r);
  slipi_cross(q, r, n);
  double squared = slipi_dot3(n, n);
  if (!(squared > 0))
    return;
  slipi_cross(r, p, c);
  weight[0] = slipi_dot3(c, n) / squared;
  slipi_cross(p, q, c);
  weight[1] = slipi_dot3(c, n) / squared;
  slipi_along(v, slipi_dot3(p, n) / squared, n, v);
  offer(from, (const int[]){i, j}, weight, 2, v, best);
}

static void try_tetrahedron(const Simplex *from, const double p[3], Simplex *best) {
  static const int all[3] = {0, 1, 2};
  static const double origin[3] = {0, 0, 0};
  double q[3][3], c[3], weight[3];
  for (int i = 0; i < 3; i++)
    slipi_sub(from->corner[i].w, p, q[i]);
  slipi_cross(q[1], q[2], c);
  double volume = slipi_dot3(q[0], c);
  if (volume == 0)
    return;
  for (int i = 0; i < 3; i++) {
    slipi_cross(q[(i + 1) % 3], q[(i + 2) % 3], c);
    weight[i] = -slipi_dot3(p, c) / volume;
  }
  offer(from, all, weight, 3, origin, best);
}

/* The face of the simplex that is nearest to the origin, with the newest corner in it. */
static void reduce(const Simplex *from, Simplex *best) {
  int others = from->count - 1;
  const double *p = from->corner[others].w;
  best->squared = HUGE_VAL;
  best->count = 0;
  offer(from, NULL, NULL, 0, p, best);
  for (int i = 0; i < others; i++)
    try_segment(from, p, i, best);
  for (int i = 0; i < others; i++)
    for (int j = i + 1; j < others; j++)
      try_triangle(from, p, i, j, best);
  if (others == 3)
    try_tetrahedron(from, p, best);
}

static bool holds(const Simplex *simplex, const Corner *corner) {
  for (int i = 0; i < simplex->count; i++)
    if (simplex->corner[i].vertex_a == corner->vertex_a &&
        simplex->corner[i].vertex_b == corner->vertex_b)
      return true;
  return false;
}

static void report(const Simplex *simplex, const double guess[3], SlipiNearest *nearest) {
  nearest->distance = simplex->count == 4 ? 0 : sqrt(simplex->squared);
  for (int k = 0; k < 3; k++) {
    nearest->n[k] = nearest->distance > 0 ? simplex->v[k] / nearest->distance : guess[k];
    nearest->on_b[k] = 0;
    for (int i = 0; i < simplex->count; i++)
      nearest->on_b[k] += simplex->corner[i].weight * simplex->corner[i].b[k];
  }
  nearest->vertex_a = simplex->corner[0].vertex_a;
  nearest->vertex_b = simplex->corner[0].vertex_b;
}

/* The corner farthest against the direction of the simplex's nearest point, and how far that
 * direction separates the solids: as far as the point is away where it is the nearest of all. */
static double look(const SlipiSolids *solids, const Simplex *simplex, Corner *corner) {
  double length = sqrt(simplex->squared), n[3];
  for (int k = 0; k < 3; k++)
    n[k] = simplex->v[k] / length;
  farthest(solids, n, corner);
  return slipi_dot3(n, corner->w);
}

/* Whether the next simplex is better: nearer to the origin, or as near up to rounding and along a
 * direction that separates more. Beside a long edge the distance does not change in its last digit
 * while the direction turns by the root of that. */
static bool is_better(const SlipiSolids *solids, const Simplex *next, double squared,
                      double apart) {
  Corner corner;
  if (next->squared < squared)
    return true;
  return next->count < 4 && next->squared <= squared * (1 + 8 * DBL_EPSILON) &&
         look(solids, next, &corner) > apart;
}

void slipi_gjk(const SlipiSolids *solids, const double guess[3], double far,
               SlipiNearest *nearest) {
  Simplex simplex = {.count = 1}, next = {.count = 0};
  farthest(solids, guess, &simplex.corner[0]);
  simplex.corner[0].weight = 1;
  for (int k = 0; k < 3; k++)
    simplex.v[k] = simplex.corner[0].w[k];
  simplex.squared = slipi_dot3(simplex.v, simplex.v);
  /* Each round comes nearer to the origin, over finitely many simplices; the bound is far more than
   * any pair has needed, and the last simplex is a valid answer to rounding. */
  for (int round = 0; round < 256 && simplex.count < 4 && simplex.squared > 0; round++) {
    Corner *corner = &simplex.corner[simplex.count];
    double apart = look(solids, &simplex, corner), length = sqrt(simplex.squared);
    if (apart > far || holds(&simplex, corner) || length - apart <= 1e-15 * length)
      break;
    simplex.count++;
    reduce(&simplex, &next);
    simplex.count--;
    if (!is_better(solids, &next, simplex.squared, apart))
      break;
    simplex = next;
  }
  report(&simplex, guess, nearest);
}
