/* Meshes: points are welded, triangles without area are gone, neighbours, bends and rings are
 * right, the tree finds what a look at every triangle finds, and bad input is refused with the
 * value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "geom/mesh.h"

/* A cube of side 1, each face of two triangles with points of their own, as an STL file has it. */
static const double corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const int32_t faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                     {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                     {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

typedef struct Soup {
  double points[3 * 3 * 14];
  int32_t triangles[3 * 14];
  int32_t count;
} Soup;

static Soup cube_soup(void) {
  Soup soup = {.count = 12};
  for (int t = 0; t < 12; t++)
    for (int k = 0; k < 3; k++) {
      memcpy(soup.points + 9 * t + 3 * k, corners[faces[t][k]], 3 * sizeof(double));
      soup.triangles[3 * t + k] = 3 * t + k;
    }
  return soup;
}

static const SlipiMesh *make(const double *points, int32_t point_count, const int32_t *triangles,
                             int32_t count, SlipiArena *arena) {
  const SlipiMesh *mesh;
  SlipError error;
  if (slipi_mesh_make(points, point_count, triangles, count, arena, &mesh, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return mesh;
}

static void test_cube(void **state) {
  (void)state;
  Soup soup = cube_soup();
  SlipiArena arena = {0};
  soup.points[0] = -0.0; /* the same number */
  const double line[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
  memcpy(soup.points + 9 * 12, line, sizeof line); /* no area */
  for (int k = 0; k < 3; k++) {
    soup.triangles[36 + k] = 36 + k;
    soup.triangles[39 + k] = k < 2 ? 0 : 5; /* one point twice */
  }
  const SlipiMesh *mesh = make(soup.points, 39, soup.triangles, 14, &arena);
  assert_int_equal(mesh->vertices, 8);
  assert_int_equal(mesh->triangles, 12);
  int flat = 0;
  for (int32_t h = 0; h < 36; h++) {
    int32_t other = mesh->neighbour[h];
    assert_true(other >= 0 && mesh->neighbour[other] == h && other / 3 != h / 3);
    assert_true(mesh->bend[h] != SLIPI_BEND_CONCAVE);
    flat += mesh->bend[h] == SLIPI_BEND_FLAT;
  }
  assert_int_equal(flat, 12); /* six diagonals from both sides */
  assert_int_equal(mesh->ring_start[8], 36);
  for (int v = 0; v < 8; v++) {
    assert_false(mesh->vertex_flat[v]);
    for (int32_t i = mesh->ring_start[v]; i < mesh->ring_start[v + 1]; i++)
      assert_true(mesh->ring[i] != v && mesh->ring[i] >= 0 && mesh->ring[i] < 8);
  }
  for (int t = 0; t < 12; t++) { /* outward */
    double arm[3];
    const double centre[3] = {0.5, 0.5, 0.5};
    slipi_sub(mesh->vertex + 3 * mesh->triangle[3 * t], centre, arm);
    assert_true(fabs(slipi_dot3(arm, mesh->normal + 3 * t) - 0.5) < 1e-15);
  }
  slipi_arena_free(&arena);
}

/* Turned inside out, the cube is a room: all its edges are hollow. */
static void test_bends(void **state) {
  (void)state;
  Soup soup = cube_soup();
  SlipiArena arena = {0};
  for (int t = 0; t < 12; t++) {
    int32_t swap = soup.triangles[3 * t];
    soup.triangles[3 * t] = soup.triangles[3 * t + 1];
    soup.triangles[3 * t + 1] = swap;
  }
  const SlipiMesh *mesh = make(soup.points, 36, soup.triangles, 12, &arena);
  for (int32_t h = 0; h < 36; h++)
    assert_true(mesh->bend[h] == SLIPI_BEND_FLAT || mesh->bend[h] == SLIPI_BEND_CONCAVE);
  /* An edge of three triangles has no neighbours, and two triangles that look to different sides
   * are none of each other. */
  const double points[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0};
  const int32_t fan[9] = {0, 1, 2, 0, 1, 3, 1, 0, 4}, turned[6] = {0, 1, 2, 0, 1, 4};
  mesh = make(points, 5, fan, 3, &arena);
  for (int h = 0; h < 9; h++)
    assert_true(mesh->neighbour[h] == -1 && mesh->bend[h] == SLIPI_BEND_CONVEX);
  mesh = make(points, 5, turned, 2, &arena);
  for (int h = 0; h < 6; h++)
    assert_int_equal(mesh->neighbour[h], -1);
  slipi_arena_free(&arena);
}

static bool mark(void *user, int32_t triangle) {
  ((int *)user)[triangle]++;
  return true;
}

static bool stop(void *user, int32_t triangle) {
  (void)triangle;
  return ++*(int *)user < 3;
}

static void test_tree(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  double *points = malloc(9 * COUNT * sizeof *points);
  int32_t *triangles = malloc(3 * COUNT * sizeof *triangles);
  int *seen = malloc(COUNT * sizeof *seen);
  SlipiRandom random;
  slipi_random_seed(&random, 50);
  for (int round = 0; round < 4; round++) {
    for (int t = 0; t < COUNT; t++)
      for (int k = 0; k < 9; k++) {
        double place = round == 2 ? 0 : pow(2, -(double)(t % 60)) * (round == 3);
        points[9 * t + k] = (round < 2 ? t % 50 * 0.2 : place) +
                            (round == 1 && k % 3 == 2 ? 0 : slipi_random_between(&random, 0, 0.3));
        triangles[3 * t + k / 3] = 3 * t + k / 3;
      }
    SlipiArena arena = {0};
    const SlipiMesh *mesh = make(points, 3 * COUNT, triangles, COUNT, &arena);
    for (int query = 0; query < 50; query++) {
      double low[3], high[3];
      for (int k = 0; k < 3; k++) {
        low[k] = slipi_random_between(&random, -1, 11);
        high[k] = low[k] + slipi_random_between(&random, 0, query % 5);
      }
      memset(seen, 0, COUNT * sizeof *seen);
      assert_true(slipi_mesh_each(mesh, low, high, mark, seen));
      for (int32_t t = 0; t < mesh->triangles; t++) {
        bool meet = true;
        for (int k = 0; k < 3; k++) {
          double least = INFINITY, most = -INFINITY;
          for (int c = 0; c < 3; c++) {
            double x = mesh->vertex[3 * mesh->triangle[3 * t + c] + k];
            least = fmin(least, x);
            most = fmax(most, x);
          }
          meet = meet && least <= high[k] && low[k] <= most;
        }
        assert_int_equal(seen[t], meet);
      }
    }
    int visits = 0;
    const double all[2][3] = {{-100, -100, -100}, {100, 100, 100}};
    assert_false(slipi_mesh_each(mesh, all[0], all[1], stop, &visits));
    assert_int_equal(visits, 3);
    slipi_arena_free(&arena);
  }
  free(points);
  free(triangles);
  free(seen);
}

static void refuse(const double *points, int32_t point_count, const int32_t *triangles,
                   int32_t count, const char *sentence) {
  SlipiArena arena = {0};
  const SlipiMesh *mesh;
  SlipError error;
  assert_int_equal(slipi_mesh_make(points, point_count, triangles, count, &arena, &mesh, &error),
                   SLIP_ERROR_PROBLEM);
  assert_null(mesh);
  assert_string_equal(error.text, sentence);
  slipi_arena_free(&arena);
}

static void test_refused(void **state) {
  (void)state;
  const double points[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, bad[9] = {0, 0, 0, 1, INFINITY, 0, 2, 0, 0};
  const int32_t flat[3] = {0, 1, 2}, wrong[3] = {0, 1, 3}, below[3] = {0, -1, 2};
  refuse(points, 3, flat, 0, "mesh: it has no triangles");
  refuse(NULL, 3, flat, 1, "mesh: it has no triangles");
  refuse(points, 3, flat, 1, "mesh: none of its triangles has an area");
  refuse(points, 3, wrong, 1, "mesh: triangle 0 names the point 3, but there are 3");
  refuse(points, 3, below, 1, "mesh: triangle 0 names the point -1, but there are 3");
  refuse(bad, 3, flat, 1, "mesh: point 1 has the coordinate inf");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cube),
      cmocka_unit_test(test_bends),
      cmocka_unit_test(test_tree),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
