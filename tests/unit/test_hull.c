/* Hulls: convex, closed, all points inside, whole faces, an order that follows from the points;
 * sets without volume and bad numbers are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "geom/hull.h"
#include "geom/vec.h"

/* Every point is inside up to `slack`; every vertex of a face lies in its plane up to `slack`;
 * every vertex is one of the points; edges and faces know each other. */
static void expect_hull(const SlipiHull *hull, const double *points, int32_t count, double slack) {
  for (int32_t f = 0; f < hull->faces; f++) {
    const double *n = hull->normal + 3 * f;
    assert_true(fabs(slipi_length(n) - 1) < 1e-14);
    for (int32_t p = 0; p < count; p++)
      assert_true(slipi_dot3(n, points + 3 * p) <= hull->offset[f] + slack);
    for (int32_t v = 0; v < hull->vertices; v++)
      assert_true(slipi_dot3(n, hull->vertex + 3 * v) <= hull->offset[f]);
    int32_t start = hull->face_start[f], corners = hull->face_start[f + 1] - start;
    assert_true(corners >= (hull->edges ? 3 : 2));
    for (int32_t k = 0; k < corners; k++) {
      const double *x = hull->vertex + 3 * hull->face_vertex[start + k];
      assert_true(fabs(slipi_dot3(n, x) - hull->offset[f]) <= slack);
    }
  }
  for (int32_t v = 0; v < hull->vertices; v++) {
    bool found = false;
    for (int32_t p = 0; p < count && !found; p++)
      found = memcmp(hull->vertex + 3 * v, points + 3 * p, 3 * sizeof(double)) == 0;
    assert_true(found);
  }
}

static bool goes(const SlipiHull *hull, int32_t face, int32_t from, int32_t to) {
  int32_t start = hull->face_start[face], count = hull->face_start[face + 1] - start;
  for (int32_t k = 0; k < count; k++)
    if (hull->face_vertex[start + k] == from && hull->face_vertex[start + (k + 1) % count] == to)
      return true;
  return false;
}

/* The first face of an edge goes along it, the second back; faces are convex, up to
 * the tolerance, and counterclockwise. */
static void expect_edges(const SlipiHull *hull) {
  assert_int_equal(hull->vertices - hull->edges + hull->faces, 2);
  for (int32_t e = 0; e < hull->edges; e++) {
    const int32_t *edge = hull->edge + 4 * e;
    assert_true(edge[0] < edge[1]);
    assert_true(goes(hull, edge[2], edge[0], edge[1]) && goes(hull, edge[3], edge[1], edge[0]));
  }
  for (int32_t f = 0; f < hull->faces; f++) {
    int32_t start = hull->face_start[f], count = hull->face_start[f + 1] - start;
    for (int32_t k = 0; k < count; k++) {
      const double *a = hull->vertex + 3 * hull->face_vertex[start + k];
      const double *b = hull->vertex + 3 * hull->face_vertex[start + (k + 1) % count];
      const double *c = hull->vertex + 3 * hull->face_vertex[start + (k + 2) % count];
      double ab[3], bc[3], cross[3];
      slipi_sub(b, a, ab);
      slipi_sub(c, b, bc);
      slipi_cross(ab, bc, cross);
      assert_true(slipi_dot3(cross, hull->normal + 3 * f) >
                  -1e-7 * hull->width * (slipi_length(ab) + slipi_length(bc)));
    }
  }
}

static const SlipiHull *make(const double *points, int32_t count, int dimension,
                             SlipiArena *arena) {
  const SlipiHull *hull;
  SlipError error;
  SlipStatus status = slipi_hull_make(points, count, dimension, arena, &hull, &error);
  if (status != SLIP_OK)
    fail_msg("%s", error.text);
  return hull;
}

/* A cube with points on its faces, edges and inside, each point twice: 8, 6 and 12 at any size,
 * place and turn. */
static void test_cube(void **state) {
  (void)state;
  enum { SIDE = 5, COUNT = 2 * SIDE * SIDE * SIDE };
  double points[3 * COUNT];
  const double sizes[] = {1, 1e-150, 1e100, 3e-7}, q[4] = {0.5, 0.5, 0.1, 0.7};
  double R[9], unit[4], length = sqrt(0.25 + 0.25 + 0.01 + 0.49);
  for (int k = 0; k < 4; k++)
    unit[k] = q[k] / length;
  slipi_quaternion_matrix(unit, R);
  for (int round = 0; round < 16; round++) {
    double size = sizes[round % 4];
    for (int p = 0; p < COUNT; p++) {
      int g = p / 2;
      double y[3] = {g % SIDE, g / SIDE % SIDE, g / SIDE / SIDE % SIDE};
      if (round >= 4)
        slipi_rotate(R, y, y);
      for (int k = 0; k < 3; k++)
        points[3 * p + k] = size * (y[k] + (round >= 8 ? 1000 : 0));
      if (round >= 12) /* rounded to single precision, as files have it */
        for (int k = 0; k < 3 && size > 1e-30 && size < 1e30; k++)
          points[3 * p + k] = (float)(points[3 * p + k] - 1000 * size);
    }
    SlipiArena arena = {0};
    const SlipiHull *hull = make(points, COUNT, 3, &arena);
    assert_int_equal(hull->vertices, 8);
    assert_int_equal(hull->faces, 6);
    assert_int_equal(hull->edges, 12);
    expect_hull(hull, points, COUNT, (round < 8 ? 1e-14 : 1e-6) * size * 4);
    expect_edges(hull);
    assert_true(fabs(hull->width - (SIDE - 1) * size) < 1e-6 * size);
    assert_true(fabs(hull->radius - sqrt(3) / 2 * (SIDE - 1) * size) < 1e-6 * size);
    slipi_arena_free(&arena);
  }
}

static void test_random(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  for (int round = 0; round < 200; round++) {
    int32_t count = 4 + (int32_t)slipi_random_below(&random, 200);
    double points[3 * 204];
    for (int32_t k = 0; k < 3 * count; k++) {
      double x = slipi_random_normal(&random) * (k % 3 == 2 && round % 3 == 0 ? 1e-4 : 1);
      points[k] = round % 5 == 0 ? floor(3 * x) / 3 + (k % 3 == 2 ? 1e-3 * x : 0) : x;
    }
    SlipiArena arena = {0};
    const SlipiHull *hull = make(points, count, 3, &arena);
    expect_hull(hull, points, count, 1e-6 * hull->radius);
    expect_edges(hull);
    slipi_arena_free(&arena);
  }
}

/* Points of a sphere are all vertices; a prism of many sides has two large faces. */
static void test_round(void **state) {
  (void)state;
  enum { COUNT = 2000, SIDES = 64 };
  double *points = malloc(3 * COUNT * sizeof *points);
  SlipiRandom random;
  slipi_random_seed(&random, 8);
  for (int p = 0; p < COUNT; p++) {
    double *x = points + 3 * p;
    for (int k = 0; k < 3; k++)
      x[k] = slipi_random_normal(&random);
    double length = slipi_length(x);
    for (int k = 0; k < 3; k++)
      x[k] /= length;
  }
  SlipiArena arena = {0};
  const SlipiHull *hull = make(points, COUNT, 3, &arena);
  assert_int_equal(hull->vertices, COUNT);
  assert_int_equal(hull->faces, 2 * COUNT - 4);
  expect_edges(hull);
  for (int p = 0; p < 2 * SIDES; p++) {
    double angle = 2 * 3.14159265358979323846 * (p / 2) / SIDES;
    points[3 * p] = cos(angle);
    points[3 * p + 1] = sin(angle);
    points[3 * p + 2] = p % 2 ? 1 : -1;
  }
  hull = make(points, 2 * SIDES, 3, &arena);
  assert_int_equal(hull->faces, SIDES + 2);
  assert_int_equal(hull->edges, 3 * SIDES);
  expect_hull(hull, points, 2 * SIDES, 1e-13);
  expect_edges(hull);
  slipi_arena_free(&arena);
  free(points);
}

static void test_polygon(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 6);
  for (int round = 0; round < 300; round++) {
    int32_t count = 3 + (int32_t)slipi_random_below(&random, 60);
    double points[3 * 64];
    for (int32_t k = 0; k < 3 * count; k++) {
      double x = slipi_random_normal(&random);
      points[k] = k % 3 == 2  ? 0
                  : round % 2 ? x
                              : floor(3 * x + (k < 9) * (k / 3 * k % 3)) + 0.1 * k / count;
    }
    SlipiArena arena = {0};
    const SlipiHull *hull = make(points, count, 2, &arena);
    assert_int_equal(hull->faces, hull->vertices);
    assert_int_equal(hull->edges, 0);
    expect_hull(hull, points, count, 1e-6 * hull->radius);
    for (int32_t k = 0; k < hull->faces; k++) {
      assert_int_equal(hull->face_vertex[2 * k], k);
      assert_int_equal(hull->face_vertex[2 * k + 1], (k + 1) % hull->vertices);
    }
    slipi_arena_free(&arena);
  }
  /* A square with points on its sides and inside. */
  double grid[75];
  for (int p = 0; p < 25; p++)
    memcpy(grid + 3 * p, (double[]){p % 5 * 0.1, p / 5 * 0.1, 0}, 3 * sizeof *grid);
  SlipiArena arena = {0};
  const SlipiHull *hull = make(grid, 25, 2, &arena);
  assert_int_equal(hull->vertices, 4);
  assert_true(fabs(hull->width - 0.4) < 1e-15);
  slipi_arena_free(&arena);
}

static void test_same(void **state) {
  (void)state;
  double points[3 * 50];
  SlipiRandom random;
  slipi_random_seed(&random, 9);
  for (int k = 0; k < 150; k++)
    points[k] = floor(4 * slipi_random_normal(&random));
  SlipiArena arena = {0};
  const SlipiHull *a = make(points, 50, 3, &arena), *b = make(points, 50, 3, &arena);
  assert_int_equal(a->faces, b->faces);
  assert_memory_equal(a->vertex, b->vertex, 3 * (size_t)a->vertices * sizeof(double));
  assert_memory_equal(a->edge, b->edge, 4 * (size_t)a->edges * sizeof(int32_t));
  assert_memory_equal(a->normal, b->normal, 3 * (size_t)a->faces * sizeof(double));
  slipi_arena_free(&arena);
}

static void refuse(const double *points, int32_t count, int dimension, const char *sentence) {
  SlipiArena arena = {0};
  const SlipiHull *hull;
  SlipError error;
  assert_int_not_equal(slipi_hull_make(points, count, dimension, &arena, &hull, &error), SLIP_OK);
  assert_null(hull);
  assert_string_equal(error.text, sentence);
  slipi_arena_free(&arena);
}

static void test_refused(void **state) {
  (void)state;
  const char *flat = "hull: the points lie in one plane, so it has no volume";
  const char *line = "polygon: the points lie on one line, so it has no area";
  const double bad[] = {0, 0, 0, 1, 0, 0, 0, NAN, 0, 0, 0, 1};
  const double off[] = {0, 0, 0, 1, 0, 0, 0, 1, 0.25};
  double same[15] = {0}, plane[24], row[15];
  refuse(bad, 3, 3, "hull: 3 points are too few, 4 are needed");
  refuse(NULL, 4, 3, "hull: points is null");
  refuse(bad, 4, 3, "hull: point 2 has the coordinate nan");
  refuse(off, 3, 2, "polygon: point 2 has z = 0.25, but in 2D z is 0");
  refuse(off, 2, 2, "polygon: 2 points are too few, 3 are needed");
  refuse(same, 5, 3, flat);
  refuse(same, 5, 2, line);
  for (int p = 0; p < 8; p++) /* in one plane, up to rounding and by much less than the extent */
    memcpy(plane + 3 * p,
           (double[]){cos(p), sin(2 * p), 0.3 * cos(p) + 0.7 * sin(2 * p) + 1e-11 * (p % 3)},
           3 * sizeof *plane);
  refuse(plane, 8, 3, flat);
  for (int p = 0; p < 5; p++)
    memcpy(row + 3 * p, (double[]){0.1 * p, 0.3 * p, 0}, 3 * sizeof *row);
  refuse(row, 5, 2, line);
  refuse(row, 5, 3, flat);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cube),    cmocka_unit_test(test_random), cmocka_unit_test(test_round),
      cmocka_unit_test(test_polygon), cmocka_unit_test(test_same),   cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
