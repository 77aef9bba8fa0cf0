#include "convex.h"

#include <math.h>
#include <string.h>

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static int normalize(double n[3]) {
  double length = sqrt(dot(n, n));
  if (!(length > 0))
    return 0;
  for (int k = 0; k < 3; k++)
    n[k] /= length;
  return 1;
}

static void place(const SlipiPose *pose, const double origin[3], const double y[3], double x[3]) {
  for (int i = 0; i < 3; i++) {
    x[i] = pose->position[i] - origin[i];
    for (int j = 0; j < 3; j++)
      x[i] += pose->R[3 * i + j] * y[j];
  }
}

static void add_edge(Convex *body, const double d[3]) {
  double *e = body->edge[body->edges];
  memcpy(e, d, 3 * sizeof *e);
  body->edges += normalize(e);
}

/* Every pair of vertices is taken for an edge and every three for a face: too many do no harm. */
static void add_hull(Convex *body) {
  for (int i = 0; i < body->vertices; i++)
    for (int j = 0; j < i; j++) {
      double d[3];
      subtract(body->vertex[i], body->vertex[j], d);
      add_edge(body, d);
      for (int k = 0; k < j; k++) {
        double e[3], *f = body->face[body->faces];
        subtract(body->vertex[k], body->vertex[j], e);
        cross(d, e, f);
        body->faces += normalize(f);
      }
    }
}

static void add_box(Convex *body, const SlipiShape *shape, const SlipiPose *pose,
                    const double origin[3]) {
  body->vertices = 8;
  for (int v = 0; v < 8; v++) {
    double y[3];
    for (int k = 0; k < 3; k++)
      y[k] = (v & 1 << k) ? shape->half[k] : -shape->half[k];
    place(pose, origin, y, body->vertex[v]);
  }
  for (int k = 0; k < 3; k++) {
    double d[3] = {pose->R[k], pose->R[3 + k], pose->R[6 + k]};
    add_edge(body, d);
    memcpy(body->face[body->faces++], d, sizeof d);
  }
}

void convex_make(const SlipiShape *shape, const SlipiPose *pose, const double origin[3],
                 Convex *body) {
  const double zero[3] = {0, 0, 0};
  body->vertices = body->edges = body->faces = body->cylinder = body->half_space = 0;
  body->radius = body->ring = body->half = 0;
  place(pose, origin, zero, body->centre);
  for (int k = 0; k < 3; k++)
    body->axis[k] = pose->R[3 * k + 2];
  switch (shape->kind) {
  case SLIP_SHAPE_BOX:
    add_box(body, shape, pose, origin);
    break;
  case SLIP_SHAPE_HULL:
    body->vertices = shape->hull->vertices;
    for (int v = 0; v < body->vertices; v++)
      place(pose, origin, shape->hull->vertex + 3 * v, body->vertex[v]);
    add_hull(body);
    break;
  case SLIP_SHAPE_CYLINDER:
    body->cylinder = 1;
    body->ring = shape->radius;
    body->half = shape->half[2];
    break;
  case SLIP_SHAPE_HALF_SPACE:
    body->half_space = 1;
    for (int i = 0; i < 3; i++)
      body->axis[i] = dot(pose->R + 3 * i, shape->normal);
    break;
  default: /* sphere, capsule */
    body->radius = shape->radius;
    body->vertices = shape->kind == SLIP_SHAPE_SPHERE ? 1 : 2;
    for (int v = 0; v < body->vertices; v++) {
      double y[3] = {0, 0, body->vertices == 1 ? 0 : v ? shape->half[2] : -shape->half[2]};
      place(pose, origin, y, body->vertex[v]);
    }
    add_hull(body);
  }
}

double convex_support(const Convex *body, const double n[3]) {
  if (body->half_space)
    return dot(n, body->axis) >= 1 - 1e-12 ? dot(body->axis, body->centre) : HUGE_VAL;
  if (body->cylinder) {
    double across[3], c = dot(n, body->axis);
    for (int k = 0; k < 3; k++)
      across[k] = n[k] - c * body->axis[k];
    return dot(n, body->centre) + body->ring * sqrt(dot(across, across)) + body->half * fabs(c);
  }
  double most = -HUGE_VAL;
  for (int v = 0; v < body->vertices; v++)
    most = fmax(most, dot(n, body->vertex[v]));
  return most + body->radius;
}

double convex_apart(const Convex *a, const Convex *b, const double n[3]) {
  double back[3] = {-n[0], -n[1], -n[2]};
  return -convex_support(a, back) - convex_support(b, n);
}

typedef struct Search {
  const Convex *a, *b;
  double gap, n[3];
} Search;

static void try_one(Search *search, const double n[3]) {
  double gap = convex_apart(search->a, search->b, n);
  if (gap > search->gap) {
    search->gap = gap;
    memcpy(search->n, n, sizeof search->n);
  }
}

static void try_both(Search *search, double d[3]) {
  if (!normalize(d))
    return;
  try_one(search, d);
  double back[3] = {-d[0], -d[1], -d[2]};
  try_one(search, back);
}

/* Across a vertex of one and each line through vertices of the other. */
static void try_vertex(Search *search, const double p[3], const Convex *other) {
  for (int v = 0; v < other->vertices; v++) {
    double d[3];
    subtract(p, other->vertex[v], d);
    for (int e = 0; e < other->edges; e++) {
      double across[3] = {d[0], d[1], d[2]};
      for (int pass = 0; pass < 2; pass++) {
        double along = dot(across, other->edge[e]);
        for (int k = 0; k < 3; k++)
          across[k] -= along * other->edge[e][k];
      }
      try_both(search, across);
    }
    try_both(search, d);
  }
}

static void try_polyhedra(Search *search) {
  const Convex *a = search->a, *b = search->b;
  double d[3];
  for (int side = 0; side < 2; side++) {
    const Convex *own = side ? b : a, *other = side ? a : b;
    for (int f = 0; f < own->faces; f++) {
      memcpy(d, own->face[f], sizeof d);
      try_both(search, d);
    }
    for (int v = 0; v < own->vertices; v++)
      try_vertex(search, own->vertex[v], other);
  }
  for (int e = 0; e < a->edges; e++)
    for (int f = 0; f < b->edges; f++) {
      cross(a->edge[e], b->edge[f], d);
      try_both(search, d);
    }
}

static void random_direction(SlipiRandom *random, double n[3]) {
  do
    for (int k = 0; k < 3; k++)
      n[k] = slipi_random_normal(random);
  while (!normalize(n));
}

/* Random steps from the best direction, longer after a success and shorter after a failure. */
static void climb(Search *search, SlipiRandom *random) {
  double step = 0.3;
  for (int trial = 0; trial < 3000 && step > 1e-12; trial++) {
    double d[3], before = search->gap;
    random_direction(random, d);
    for (int k = 0; k < 3; k++)
      d[k] = search->n[k] + step * d[k];
    if (normalize(d))
      try_one(search, d);
    step *= search->gap > before ? 1.5 : 0.9;
  }
}

double convex_gap(const Convex *a, const Convex *b, SlipiRandom *random, int samples, double n[3]) {
  Search search = {.a = a, .b = b, .gap = -HUGE_VAL};
  if (b->half_space) {
    memcpy(n, b->axis, sizeof search.n);
    return convex_apart(a, b, n);
  }
  for (int k = 0; k < 3; k++) {
    double d[3] = {k == 0, k == 1, k == 2}; /* where nothing else is a direction */
    for (int e = 0; e < a->edges + b->edges; e++) {
      double across[3];
      cross(d, e < a->edges ? a->edge[e] : b->edge[e - a->edges], across);
      try_both(&search, across);
    }
    try_both(&search, d);
  }
  try_polyhedra(&search);
  for (int i = 0; (a->cylinder || b->cylinder) && i < samples; i++) {
    Search local = {.a = a, .b = b, .gap = -HUGE_VAL};
    double d[3];
    random_direction(random, d);
    try_one(&local, d);
    climb(&local, random);
    if (local.gap > search.gap)
      search = local;
  }
  memcpy(n, search.n, sizeof search.n);
  return search.gap;
}

double convex_outside(const Convex *body, const double x[3], SlipiRandom *random) {
  Convex point = {.vertices = 1};
  double n[3];
  memcpy(point.vertex[0], x, sizeof point.vertex[0]);
  if (body->cylinder) {
    double d[3];
    subtract(x, body->centre, d);
    double along = dot(d, body->axis), across = sqrt(fmax(0, dot(d, d) - along * along));
    return fmax(0, fmax(across - body->ring, fabs(along) - body->half));
  }
  return fmax(0, convex_gap(&point, body, random, 0, n));
}
