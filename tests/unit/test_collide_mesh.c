/* Solids on triangle meshes: a flat mesh is as good as a plane, a closed convex one as its hull, a
 * rough one as the distance to all of its triangles; nothing touches from behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "geom/collide.h"
#include "geom/mesh.h"

static const SlipShapeKind solids[] = {SLIP_SHAPE_SPHERE, SLIP_SHAPE_CAPSULE, SLIP_SHAPE_BOX,
                                       SLIP_SHAPE_HULL, SLIP_SHAPE_CYLINDER};
enum { SOLIDS = sizeof solids / sizeof solids[0] };

/* ---- Shapes and poses -------------------------------------------------------------------- */

static void make(const SlipShapeDef *def, SlipiArena *arena, SlipiShape *shape) {
  SlipError error;
  if (slipi_shape_make(def, 3, arena, shape, &error) != SLIP_OK)
    fail_msg("%s", error.text);
}

static void random_solid(SlipiRandom *random, SlipShapeKind kind, double scale, SlipiArena *arena,
                         SlipiShape *shape) {
  SlipShapeDef def = slip_default_shape_def();
  double points[3 * 12];
  def.kind = kind;
  def.radius = scale * slipi_random_between(random, 0.1, 0.4);
  def.length = scale * slipi_random_between(random, 0.1, 1);
  for (int k = 0; k < 3; k++)
    def.edges[k] = scale * slipi_random_between(random, 0.2, 1);
  for (int k = 0; k < 36; k++)
    points[k] = scale * slipi_random_between(random, -0.5, 0.5);
  def.points = points;
  def.point_count = 12;
  make(&def, arena, shape);
}

static void make_mesh(const double *points, int32_t point_count, const int32_t *triangles,
                      int32_t count, SlipiArena *arena, SlipiShape *shape) {
  SlipShapeDef def = slip_default_shape_def();
  def.kind = SLIP_SHAPE_MESH;
  def.points = points;
  def.point_count = point_count;
  def.triangles = triangles;
  def.triangle_count = count;
  make(&def, arena, shape);
}

static SlipiPose random_pose(SlipiRandom *random, double spread) {
  SlipiPose pose;
  double q[4], length = 0;
  bool square = slipi_random_below(random, 3) == 0;
  for (int k = 0; k < 4; k++) {
    q[k] = square ? (double)slipi_random_below(random, 3) - 1 : slipi_random_normal(random);
    length += q[k] * q[k];
  }
  if (length == 0)
    q[0] = length = 1;
  for (int k = 0; k < 4; k++)
    q[k] /= sqrt(length);
  slipi_quaternion_matrix(q, pose.R);
  for (int k = 0; k < 3; k++)
    pose.position[k] = slipi_random_between(random, -spread, spread);
  return pose;
}

/* A height over a grid of cells by cells, each cut along one of its diagonals; the corner of the
 * grid is at -edge/2. */
enum { CELLS = 12, POINTS = (CELLS + 1) * (CELLS + 1), TRIANGLES = 2 * CELLS * CELLS };

typedef struct Grid {
  double points[3 * POINTS];
  int32_t triangles[3 * TRIANGLES];
} Grid;

static void fill_grid(Grid *grid, double edge, double rough, SlipiRandom *random) {
  for (int p = 0; p < POINTS; p++) {
    grid->points[3 * p] = edge * (p % (CELLS + 1)) / CELLS - edge / 2;
    grid->points[3 * p + 1] = edge * (p / (CELLS + 1)) / CELLS - edge / 2;
    grid->points[3 * p + 2] = rough * slipi_random_between(random, -1, 1);
  }
  for (int c = 0; c < CELLS * CELLS; c++) {
    int32_t p = c / CELLS * (CELLS + 1) + c % CELLS, q = p + CELLS + 1;
    const int32_t one[6] = {p, p + 1, q + 1, p, q + 1, q}, two[6] = {p, p + 1, q, p + 1, q + 1, q};
    memcpy(grid->triangles + 6 * c, slipi_random_below(random, 2) ? one : two, sizeof one);
  }
}

static double least_gap(const SlipiTouchList *list) {
  double least = INFINITY;
  for (int k = 0; k < list->count; k++)
    least = fmin(least, list->points[k].gap);
  return least;
}

static void expect_sound(const SlipiTouchList *list, double reach, double scale) {
  for (int k = 0; k < list->count; k++) {
    const SlipiTouchPoint *p = &list->points[k];
    assert_true(p->gap <= reach);
    assert_true(fabs(slipi_length(p->normal) - 1) < 1e-13);
    for (int i = 0; i < 3; i++)
      assert_true(fabs(p->on_a[i] - p->on_b[i] - p->gap * p->normal[i]) < 1e-12 * scale);
  }
}

/* ---- A flat mesh is a plane -------------------------------------------------------------- */

static bool has_point(const SlipiTouchList *list, const SlipiTouchPoint *point) {
  for (int k = 0; k < list->count; k++) {
    double apart[3];
    slipi_sub(list->points[k].on_a, point->on_a, apart);
    if (slipi_length(apart) < 1e-8 && fabs(list->points[k].gap - point->gap) < 1e-9 &&
        slipi_dot3(list->points[k].normal, point->normal) > 1 - 1e-12)
      return true;
  }
  return false;
}

static void test_flat(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 40);
  SlipiTouchList mesh_list = {0}, plane_list = {0};
  Grid *grid = malloc(sizeof *grid);
  int touching = 0;
  for (int round = 0; round < 2000; round++) {
    SlipiArena arena = {0};
    SlipiShape mesh, plane, solid;
    SlipShapeDef def = slip_default_shape_def();
    def.kind = SLIP_SHAPE_HALF_SPACE;
    def.normal[2] = 1;
    make(&def, &arena, &plane);
    fill_grid(grid, 6, 0, &random);
    make_mesh(grid->points, POINTS, grid->triangles, TRIANGLES, &arena, &mesh);
    random_solid(&random, solids[round % SOLIDS], 1, &arena, &solid);
    SlipiPose pose_b = random_pose(&random, 10), pose_a = random_pose(&random, 1), posed;
    double low[3], high[3], depth = slipi_random_between(&random, -0.05, 0.02) * solid.size;
    slipi_shape_bounds(&solid, &pose_a, low, high);
    pose_a.position[2] += depth - low[2];
    if (round % 3 == 0) /* with vertices over lines of the mesh */
      pose_a.position[0] = pose_a.position[1] = 0.5;
    posed = pose_a;
    slipi_pose_point(&pose_b, pose_a.position, posed.position);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double column[3] = {pose_a.R[j], pose_a.R[3 + j], pose_a.R[6 + j]};
        posed.R[3 * i + j] = slipi_dot3(pose_b.R + 3 * i, column);
      }
    double reach = 0.02 * solid.size;
    mesh_list.count = plane_list.count = 0;
    assert_true(slipi_collide(&solid, &posed, &mesh, &pose_b, reach, &mesh_list));
    assert_true(slipi_collide(&solid, &posed, &plane, &pose_b, reach, &plane_list));
    expect_sound(&mesh_list, reach, 1);
    for (int k = 0; k < mesh_list.count; k++) {
      double normal[3];
      slipi_rotate(pose_b.R, plane.normal, normal);
      assert_true(slipi_dot3(normal, mesh_list.points[k].normal) > 1 - 1e-13);
    }
    assert_true(plane_list.count > 0);
    assert_true(fabs(least_gap(&mesh_list) - least_gap(&plane_list)) < 1e-10);
    /* The lowest face of the solid has the same corners; vertices that are above and beside it and
     * within reach may be missing. */
    for (int k = 0; k < mesh_list.count; k++)
      assert_true(has_point(&plane_list, &mesh_list.points[k]));
    touching += mesh_list.count;
    slipi_arena_free(&arena);
  }
  assert_true(touching > 2000);
  free(grid);
  slipi_touch_list_free(&mesh_list);
  slipi_touch_list_free(&plane_list);
}

/* A box that lies flat has its four corners, also right over edges and vertices of the mesh. */
static void test_box_on_grid(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 41);
  SlipiArena arena = {0};
  SlipiShape mesh, box;
  Grid *grid = malloc(sizeof *grid);
  fill_grid(grid, 6, 0, &random);
  make_mesh(grid->points, POINTS, grid->triangles, TRIANGLES, &arena, &mesh);
  SlipShapeDef def = slip_default_shape_def();
  def.kind = SLIP_SHAPE_BOX;
  memcpy(def.edges, (double[]){1, 2, 0.5}, sizeof def.edges);
  make(&def, &arena, &box);
  SlipiTouchList list = {0};
  for (int step = 0; step <= 100; step++) {
    SlipiPose at = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, pose = at;
    memcpy(pose.position, (double[]){-1 + 0.02 * step, 0.01 * step, 0.2499}, sizeof pose.position);
    list.count = 0;
    assert_true(slipi_collide(&box, &pose, &mesh, &at, 0.01, &list));
    assert_int_equal(list.count, 4);
    for (int k = 0; k < 4; k++)
      assert_true(fabs(list.points[k].gap + 0.0001) < 1e-12 && list.points[k].normal[2] == 1);
  }
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
  free(grid);
}

/* ---- A closed convex mesh is a hull, at any scale ---------------------------------------- */

static void mesh_of_hull(const SlipiHull *hull, SlipiArena *arena, SlipiShape *mesh) {
  int32_t triangles[3 * 400], count = 0;
  for (int32_t f = 0; f < hull->faces; f++)
    for (int32_t k = hull->face_start[f] + 1; k + 1 < hull->face_start[f + 1]; k++) {
      const int32_t corner[3] = {hull->face_vertex[hull->face_start[f]], hull->face_vertex[k],
                                 hull->face_vertex[k + 1]};
      memcpy(triangles + 3 * count++, corner, sizeof corner);
    }
  make_mesh(hull->vertex, hull->vertices, triangles, count, arena, mesh);
}

static void test_convex(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 42);
  SlipiTouchList mesh_list = {0}, hull_list = {0};
  int touching = 0, deep = 0;
  for (int round = 0; round < 4000; round++) {
    SlipiArena arena = {0};
    SlipiShape mesh, hull, solid;
    double scale = pow(10, (double)(round % 3 - 1) * 3); /* millimetres, metres, kilometres */
    random_solid(&random, SLIP_SHAPE_HULL, scale, &arena, &hull);
    mesh_of_hull(hull.hull, &arena, &mesh);
    random_solid(&random, solids[round % SOLIDS], scale, &arena, &solid);
    SlipiPose pose_b = random_pose(&random, scale), pose_a = random_pose(&random, 1.5 * scale);
    double reach = 0.1 * scale, target = scale * slipi_random_between(&random, -0.005, 0.12);
    hull_list.count = 0; /* bring them near to each other */
    assert_true(slipi_collide(&solid, &pose_a, &hull, &pose_b, 10 * scale, &hull_list));
    assert_true(hull_list.count > 0);
    slipi_along(pose_a.position, target - least_gap(&hull_list), hull_list.points[0].normal,
                pose_a.position);
    mesh_list.count = hull_list.count = 0;
    assert_true(slipi_collide(&solid, &pose_a, &mesh, &pose_b, reach, &mesh_list));
    assert_true(slipi_collide(&solid, &pose_a, &hull, &pose_b, reach, &hull_list));
    expect_sound(&mesh_list, reach, scale);
    double gap = least_gap(&hull_list), own = least_gap(&mesh_list);
    if (hull_list.count == 0)
      assert_int_equal(mesh_list.count, 0);
    else if (gap > -0.01 * fmin(solid.size, hull.size)) {
      if (!(fabs(gap - own) < 1e-9 * scale))
        fail_msg("round %d kind %d: gap %.12g, on the mesh %.12g", round, (int)solid.kind, gap,
                 own);
      touching++;
      deep += gap < 0;
    }
    slipi_arena_free(&arena);
  }
  assert_true(touching > 2500 && deep > 80);
  slipi_touch_list_free(&mesh_list);
  slipi_touch_list_free(&hull_list);
}

/* ---- A rough mesh and a ball: the distance to all triangles ------------------------------ */

/* The distance of a point to a triangle, by the least over a fine search of barycentric weights
 * that is refined around the best. */
static double triangle_distance(const double *a, const double *b, const double *c,
                                const double x[3]) {
  double best = INFINITY, u0 = 0.5, v0 = 0.5, width = 0.5;
  for (int level = 0; level < 40; level++) {
    double u1 = u0, v1 = v0;
    for (int i = -4; i <= 4; i++)
      for (int j = -4; j <= 4; j++) {
        double u = fmin(fmax(u0 + width * i / 4, 0), 1), v = fmin(fmax(v0 + width * j / 4, 0), 1);
        double s = u, t = v * (1 - u), y[3]; /* the whole triangle from the square */
        for (int k = 0; k < 3; k++)
          y[k] = a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]) - x[k];
        double distance = slipi_length(y);
        if (distance < best) {
          best = distance;
          u1 = u;
          v1 = v;
        }
      }
    u0 = u1;
    v0 = v1;
    width *= 0.6;
  }
  return best;
}

static void test_rough(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 43);
  SlipiTouchList list = {0};
  Grid *grid = malloc(sizeof *grid);
  int touching = 0;
  for (int round = 0; round < 120; round++) {
    SlipiArena arena = {0};
    SlipiShape mesh, ball;
    fill_grid(grid, 6, 0.3, &random);
    make_mesh(grid->points, POINTS, grid->triangles, TRIANGLES, &arena, &mesh);
    SlipShapeDef def = slip_default_shape_def();
    def.radius = slipi_random_between(&random, 0.1, 0.8);
    make(&def, &arena, &ball);
    SlipiPose at = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, pose = random_pose(&random, 1.5);
    pose.position[2] = slipi_random_between(&random, 0.35, 0.35 + def.radius); /* above all */
    double least = INFINITY, reach = 0.1;
    for (int t = 0; t < TRIANGLES; t++) {
      const int32_t *c = grid->triangles + 3 * t;
      least = fmin(least, triangle_distance(grid->points + 3 * c[0], grid->points + 3 * c[1],
                                            grid->points + 3 * c[2], pose.position));
    }
    list.count = 0;
    assert_true(slipi_collide(&ball, &pose, &mesh, &at, reach, &list));
    expect_sound(&list, reach, 1);
    if (least - def.radius < reach - 1e-6) {
      assert_true(fabs(least_gap(&list) - (least - def.radius)) < 1e-6);
      touching++;
    } else if (least - def.radius > reach + 1e-6) {
      assert_int_equal(list.count, 0);
    }
    slipi_arena_free(&arena);
  }
  assert_true(touching > 30);
  free(grid);
  slipi_touch_list_free(&list);
}

/* ---- Special places ---------------------------------------------------------------------- */

/* A groove of two slopes of 45 degrees along y, and a ridge, which is the same turned over. */
static const double fold_points[] = {-2, -2, 2, 0, -2, 0, 2, -2, 2, -2, 2, 2, 0, 2, 0, 2, 2, 2};
static const int32_t groove[] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
static const int32_t ridge[] = {0, 4, 1, 0, 3, 4, 1, 5, 2, 1, 4, 5};

static void test_folds(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiShape hollow, sharp, ball, box;
  make_mesh(fold_points, 6, groove, 4, &arena, &hollow);
  make_mesh(fold_points, 6, ridge, 4, &arena, &sharp);
  SlipShapeDef def = slip_default_shape_def();
  def.radius = 0.5;
  make(&def, &arena, &ball);
  def.kind = SLIP_SHAPE_BOX;
  memcpy(def.edges, (double[]){1, 1, 1}, sizeof def.edges);
  make(&def, &arena, &box);
  SlipiTouchList list = {0};
  SlipiPose at = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, pose = at;
  pose.position[2] = sqrt(0.5) - 0.001; /* in the groove: one point on each side */
  assert_true(slipi_collide(&ball, &pose, &hollow, &at, 0.01, &list));
  assert_int_equal(list.count, 2);
  for (int k = 0; k < 2; k++) {
    assert_true(fabs(list.points[k].gap + 0.001 * sqrt(0.5)) < 1e-12);
    assert_true(fabs(list.points[k].normal[2] - sqrt(0.5)) < 1e-12);
  }
  list.count = 0; /* above the ridge, which looks down: from behind */
  assert_true(slipi_collide(&ball, &pose, &sharp, &at, 0.01, &list));
  assert_int_equal(list.count, 0);
  pose.position[2] = -0.499; /* on the ridge */
  assert_true(slipi_collide(&ball, &pose, &sharp, &at, 0.01, &list));
  assert_int_equal(list.count, 1);
  assert_true(fabs(list.points[0].gap + 0.001) < 1e-12);
  assert_true(fabs(list.points[0].normal[2] + 1) < 1e-12);
  list.count = 0;
  assert_true(slipi_collide(&box, &pose, &sharp, &at, 0.01, &list));
  assert_true(list.count >= 2); /* the ends of the line in which its top lies on the ridge */
  double width = 0;
  for (int k = 0; k < list.count; k++) {
    assert_true(fabs(list.points[k].gap + 0.001) < 1e-12);
    assert_true(fabs(list.points[k].normal[2] + 1) < 1e-12);
    width = fmax(width, fabs(list.points[k].on_a[1] - list.points[0].on_a[1]));
  }
  assert_true(fabs(width - 1) < 1e-9);
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
}

/* A ball rolls over a rough mesh in small steps: normals turn, they do not jump back against the
 * way at edges in one plane. */
static void test_no_catching(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 44);
  SlipiArena arena = {0};
  SlipiShape mesh, solid[SOLIDS];
  Grid *grid = malloc(sizeof *grid);
  fill_grid(grid, 6, 0, &random);
  for (int p = 0; p < POINTS; p++) /* a slope, then level ground: one line is hollow */
    grid->points[3 * p + 2] = fmax(0, -0.5 * grid->points[3 * p]);
  make_mesh(grid->points, POINTS, grid->triangles, TRIANGLES, &arena, &mesh);
  SlipiTouchList list = {0};
  for (int s = 0; s < SOLIDS; s++) {
    random_solid(&random, solids[s], 1, &arena, &solid[s]);
    for (int step = 0; step < 300; step++) {
      SlipiPose at = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, pose = random_pose(&random, 0);
      double low[3], high[3];
      slipi_shape_bounds(&solid[s], &pose, low, high);
      pose.position[0] = 0.8 + 0.004 * step;
      pose.position[1] = 0.002 * step;
      pose.position[2] = -low[2] - 1e-3;
      list.count = 0;
      assert_true(slipi_collide(&solid[s], &pose, &mesh, &at, 1e-3, &list));
      assert_true(list.count > 0);
      for (int k = 0; k < list.count; k++)
        assert_true(list.points[k].normal[2] > 1 - 1e-12);
    }
  }
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
  free(grid);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flat),   cmocka_unit_test(test_box_on_grid),
      cmocka_unit_test(test_convex), cmocka_unit_test(test_rough),
      cmocka_unit_test(test_folds),  cmocka_unit_test(test_no_catching),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
