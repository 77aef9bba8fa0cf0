/* Meshes of Gmsh: elements, groups, and files that are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "io/gmsh.h"

static const char head[] = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
static const char names[] =
    "$PhysicalNames\n2\n2 7 \"lower side\"\n3 1 \"body\"\n$EndPhysicalNames\n";
static const char entities[] = "$Entities\n0 0 1 1\n5 0 0 0 1 1 0 1 7 0\n1 0 0 0 1 1 1 2 1 4 1 5\n"
                               "$EndEntities\n";
static const char nodes[] = "$Nodes\n2 6 1 9\n2 5 1 3\n1\n2\n3\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n"
                            "3 1 0 3\n4\n8\n9\n0 0 1\n1 1 1.5\n7 7 7\n$EndNodes\n";
static const char elements[] =
    "$Elements\n2 3 1 3\n2 5 2 1\n1 1 3 2\n3 1 4 2\n2 1 2 3 4\n3 2 8 3 4\n$EndElements\n";

static SlipError error;

static SlipStatus read_parts(int dimension, SlipiArena *arena, SlipiGmsh *mesh, const char *n,
                             const char *e) {
  char text[2048];
  snprintf(text, sizeof text, "%s%s%s%s%s", head, names, entities, n, e);
  return slipi_gmsh_read_memory(text, strlen(text), dimension, arena, mesh, &error);
}

/* Node 9 belongs to no element, and is left out; nodes of the surface have parameters. */
static void test_read(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiGmsh mesh;
  assert_int_equal(read_parts(3, &arena, &mesh, nodes, elements), SLIP_OK);
  assert_int_equal(mesh.point_count, 5);
  assert_int_equal(mesh.element_count, 2);
  assert_int_equal(mesh.kinds[1], SLIP_ELEMENT_T4);
  assert_true(mesh.points[3 * 4 + 2] == 1.5 && mesh.points[3 * 3 + 2] == 1);
  assert_memory_equal(mesh.elements, ((int32_t[]){0, 1, 2, 3, 1, 4, 2, 3}), 8 * sizeof(int32_t));
  assert_int_equal(mesh.set_count, 3);
  assert_string_equal(mesh.sets[0].name, "lower side");
  assert_int_equal(mesh.sets[0].node_count, 3);
  assert_string_equal(mesh.sets[1].name, "body");
  assert_int_equal(mesh.sets[1].node_count, 8);
  assert_string_equal(mesh.sets[2].name, "4");
  slipi_arena_free(&arena);
}

/* The middles of a 10-node tetrahedron's edges come in the order of VTK. */
static void test_quadratic(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiGmsh mesh;
  static const char ten[] =
      "$Nodes\n1 10 1 10\n3 1 0 10\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n"
      "1 0 0\n1 1 0\n0 1 0\n0 0 1\n0 1 1\n1 0 1\n$EndNodes\n";
  static const char one[] = "$Elements\n1 1 1 1\n3 1 11 1\n1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
  assert_int_equal(read_parts(3, &arena, &mesh, ten, one), SLIP_OK);
  const int32_t *node = mesh.elements; /* 13 and 23 */
  assert_true(mesh.points[3 * node[8]] == 1 && mesh.points[3 * node[8] + 1] == 0);
  assert_true(mesh.points[3 * node[9]] == 0 && mesh.points[3 * node[9] + 1] == 1);
  slipi_arena_free(&arena);
}

static void refuse(int dimension, const char *n, const char *e, const char *expected) {
  SlipiArena arena = {0};
  SlipiGmsh mesh;
  assert_int_not_equal(read_parts(dimension, &arena, &mesh, n, e), SLIP_OK);
  if (!strstr(error.text, expected))
    print_message("%s\n", error.text);
  assert_non_null(strstr(error.text, expected));
  assert_null(mesh.points);
  slipi_arena_free(&arena);
}

static void test_wrong(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiGmsh mesh;
  const char *wrong[][2] = {{"", "file ends"},
                            {"solid", "'solid'"},
                            {"$MeshFormat\n2.2 0 8\n", "'2.2' is not version 4.1"},
                            {"$MeshFormat\n4.1 1 8\n", "binary"},
                            {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\nxx", "line 4"},
                            {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Other\n1 2", "truncated"},
                            {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n", "no elements"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    assert_int_not_equal(
        slipi_gmsh_read_memory(wrong[k][0], strlen(wrong[k][0]), 3, &arena, &mesh, &error),
        SLIP_OK);
    if (!strstr(error.text, wrong[k][1]))
      print_message("%s\n", error.text);
    assert_non_null(strstr(error.text, wrong[k][1]));
  }
  slipi_arena_free(&arena);
  refuse(3, "$Nodes\n1 3 1 3\n3 1 0 4\n", "", "only 3 are left");
  refuse(3, "$Nodes\n1 3 1 3\n3 1 0 2\n1\n2\n0 0 0\n1 0 nan\n", "", "'nan'");
  refuse(3, "$Nodes\n1 2000000000 1 3\n", "", "more than the file has");
  refuse(3, "$Nodes\n1 3 1 3\n3 1 0 2\n1\n1\n0 0 0\n1 0 0\n$EndNodes\n", "", "3 are announced");
  refuse(3, nodes, "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 5\n$EndElements\n", "node 5");
  refuse(3, nodes, "$Elements\n1 1 1 1\n3 1 6 1\n1 1 2 3 4 8 9\n$EndElements\n", "type 6");
  refuse(3, nodes, "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3\n", "truncated");
  refuse(2, "$Nodes\n0 0 0 0\n$EndNodes\n", "$Elements\n0 0 0 0\n$EndElements\n", "dimension 2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read),
      cmocka_unit_test(test_quadratic),
      cmocka_unit_test(test_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
