/* STL and OBJ files: what is in them, and a sentence with the place and the value for what is
 * wrong.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "io/mesh_file.h"

static const char facet[] = "  facet normal 0 0 nan\n    outer loop\n      vertex 0 0 0.5\n"
                            "      vertex 1.5e0 0 0\n      vertex 0 -2 0\n    endloop\n"
                            "  endfacet\n";

static SlipiTriangles must_read(const char *bytes, size_t size, SlipiMeshFormat format,
                                SlipiArena *arena) {
  SlipiTriangles mesh;
  SlipError error;
  if (slipi_mesh_read_memory(bytes, size, format, arena, &mesh, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return mesh;
}

/* All triangles are the facet, and its points are there once. */
static void expect_facets(const SlipiTriangles *mesh, int32_t count) {
  const double expected[9] = {0, 0, 0.5, 1.5, 0, 0, 0, -2, 0};
  assert_int_equal(mesh->triangle_count, count);
  assert_int_equal(mesh->point_count, 3);
  assert_memory_equal(mesh->points, expected, sizeof expected);
  for (int k = 0; k < 3 * count; k++)
    assert_int_equal(mesh->triangles[k], k % 3);
}

static void test_stl_text(void **state) {
  (void)state;
  SlipiArena arena = {0};
  char text[2000];
  for (int capitals = 0; capitals < 2; capitals++) {
    snprintf(text, sizeof text, "solid facet of a name\n%s%sendsolid\r\nsolid\n%sendsolid two\n\n",
             facet, facet, facet);
    for (char *c = text; *c && capitals; c++)
      *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
    SlipiTriangles mesh = must_read(text, strlen(text), SLIPI_MESH_STL, &arena);
    expect_facets(&mesh, 3);
  }
  slipi_arena_free(&arena);
}

static size_t binary_stl(char *bytes, const char *header, uint32_t count, const float *points) {
  memset(bytes, 0, 84);
  memcpy(bytes, header, strlen(header));
  for (int k = 0; k < 4; k++)
    bytes[80 + k] = (char)(count >> 8 * k);
  char *at = bytes + 84;
  for (uint32_t t = 0; t < count; t++, at += 50) {
    memset(at, 0x7f, 50); /* normals and the rest are not looked at */
    for (int k = 0; k < 9; k++) {
      uint32_t bits;
      memcpy(&bits, &points[9 * t + k], sizeof bits);
      for (int b = 0; b < 4; b++)
        at[12 + 4 * k + b] = (char)(bits >> 8 * b);
    }
  }
  return (size_t)(at - bytes);
}

static const float two[18] = {0, 0, 0.5F, 1.5F, 0, 0, 0, -2, 0, 0, 0, 0.5F, 1.5F, 0, 0, 0, -2, 0};

static void test_stl_binary(void **state) {
  (void)state;
  SlipiArena arena = {0};
  char bytes[300];
  for (int solid = 0; solid < 2; solid++) { /* a header that looks like text is no text */
    size_t size = binary_stl(bytes, solid ? "solid thing" : "made by hand", 2, two);
    SlipiTriangles mesh = must_read(bytes, size, SLIPI_MESH_STL, &arena);
    expect_facets(&mesh, 2);
  }
  slipi_arena_free(&arena);
}

static void test_obj(void **state) {
  (void)state;
  const char *text = "# f 1 2 3\nmtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\n  v\t0 1 0 # v 9\n"
                     "v 0 0 1\r\nvt 0 0\nvn 0 0 1\ns off\n"
                     "f 1 2/7 3//1\nf 1/2/3 2 3 4 5\nf -1 -2 -3\nf 1 \\\n 2 \\\r\n 3\nv 5 5 5\n";
  const int32_t expected[] = {0, 1, 2, 0, 1, 2, 0, 2, 3, 0, 3, 4, 3, 2, 1, 0, 1, 2};
  SlipiArena arena = {0};
  SlipiTriangles mesh = must_read(text, strlen(text), SLIPI_MESH_OBJ, &arena);
  assert_int_equal(mesh.point_count, 5); /* also one that is written after it is used */
  assert_int_equal(mesh.triangle_count, 6);
  assert_memory_equal(mesh.triangles, expected, sizeof expected);
  assert_true(mesh.points[3] == 1 && mesh.points[7] == 1 && mesh.points[14] == 5);
  slipi_arena_free(&arena);
}

/* A comma as decimal point in the program's locale changes nothing. */
static void test_locale(void **state) {
  (void)state;
  const char *text = "v 0.5 0 0\nv 1 0 0\nv 0 1.25 0\nf 1 2 3\n";
  SlipiArena arena = {0};
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
    skip();
  SlipiTriangles mesh = must_read(text, strlen(text), SLIPI_MESH_OBJ, &arena);
  setlocale(LC_NUMERIC, "C");
  assert_true(mesh.points[0] == 0.5 && mesh.points[7] == 1.25);
  slipi_arena_free(&arena);
}

static void refuse_bytes(const char *bytes, size_t size, SlipiMeshFormat format,
                         const char *sentence) {
  SlipiArena arena = {0};
  SlipiTriangles mesh;
  SlipError error;
  assert_int_equal(slipi_mesh_read_memory(bytes, size, format, &arena, &mesh, &error),
                   SLIP_ERROR_FORMAT);
  assert_string_equal(error.text, sentence);
  assert_true(!mesh.points && !mesh.triangles && mesh.triangle_count == 0);
  slipi_arena_free(&arena);
}

static void refuse(const char *text, SlipiMeshFormat format, const char *sentence) {
  refuse_bytes(text, strlen(text), format, sentence);
}

static void test_wrong_text(void **state) {
  (void)state;
  char text[1000];
  refuse("", SLIPI_MESH_STL, "is empty");
  refuse("hello", SLIPI_MESH_STL,
         "is no STL file: it does not begin with 'solid', and a binary one has 84 bytes before its "
         "triangles, this 5 in all");
  refuse("solid\nendsolid\n", SLIPI_MESH_STL, "has no triangles");
  refuse("solid\n", SLIPI_MESH_STL, "line 2: facet or endsolid: the file ends here (truncated)");
  refuse("solid\nfact", SLIPI_MESH_STL, "line 2: facet or endsolid: 'fact' stands in its place");
  refuse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero", SLIPI_MESH_STL,
         "line 4: vertex: 'zero' is not a finite number");
  refuse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 inf 0", SLIPI_MESH_STL,
         "line 4: vertex: 'inf' is not a finite number");
  refuse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 1e999 0", SLIPI_MESH_STL,
         "line 4: vertex: '1e999' is not a finite number");
  refuse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0", SLIPI_MESH_STL,
         "line 4: vertex: the file ends here (truncated)");
  snprintf(text, sizeof text, "solid\n%sendsolid\nrest", facet);
  refuse(text, SLIPI_MESH_STL, "line 10: solid: 'rest' stands in its place");
}

static void test_wrong_binary(void **state) {
  (void)state;
  char bytes[300];
  float points[18];
  size_t size = binary_stl(bytes, "x", 2, two);
  refuse_bytes(bytes, size - 1, SLIPI_MESH_STL,
               "byte 80: 2 triangles are announced, which take 184 bytes, but the file has 183 "
               "(truncated)");
  refuse_bytes(bytes, size + 1, SLIPI_MESH_STL,
               "byte 80: 2 triangles are announced, which take 184 bytes, but the file goes on to "
               "185");
  memset(bytes + 80, 0xff, 4);
  refuse_bytes(
      bytes, size, SLIPI_MESH_STL,
      "byte 80: 4294967295 triangles are announced, which take 214748364834 bytes, but the "
      "file has 184 (truncated)");
  memcpy(points, two, sizeof points);
  points[10] = strtof("nan", NULL);
  size = binary_stl(bytes, "x", 2, points);
  refuse_bytes(bytes, size, SLIPI_MESH_STL,
               "byte 150: triangle 1 has the coordinate nan, which is not finite");
  size = binary_stl(bytes, "x", 0, points);
  refuse_bytes(bytes, size, SLIPI_MESH_STL, "has no triangles");
}

static void test_wrong_obj(void **state) {
  (void)state;
  refuse("v 0 0 0\nv 1 0 0\n", SLIPI_MESH_OBJ, "has no triangles");
  refuse("v 0 0 0\nv 1 zwei 0\n", SLIPI_MESH_OBJ, "line 2: v: 'zwei' is not a finite number");
  refuse("v 0 0\nf 1 1 1\n", SLIPI_MESH_OBJ, "line 1: v: the line ends too soon");
  refuse("v 0 0 0\n\nf 1 1 2\n", SLIPI_MESH_OBJ, "line 3: f: '2' names a point that is not there");
  refuse("v 0 0 0\nf 1 0 1\n", SLIPI_MESH_OBJ, "line 2: f: '0' names a point that is not there");
  refuse("v 0 0 0\nf 1 -2 1\n", SLIPI_MESH_OBJ, "line 2: f: '-2' names a point that is not there");
  refuse("v 0 0 0\nf 1 /1 1\n", SLIPI_MESH_OBJ, "line 2: f: '/1' is not the number of a point");
  refuse("v 0 0 0\nf 1 99999999999 1\n", SLIPI_MESH_OBJ,
         "line 2: f: '99999999999' is not the number of a point");
  refuse("v 0 0 0\nf 1 1\n", SLIPI_MESH_OBJ, "line 2: f: the line ends too soon");
}

/* Files cut off or damaged anywhere are read or refused; sanitizers look on. */
static void test_damaged(void **state) {
  (void)state;
  char text[2000], bytes[300], copy[2000];
  SlipiRandom random;
  slipi_random_seed(&random, 70);
  snprintf(text, sizeof text, "solid\n%s%sendsolid\n", facet, facet);
  size_t sizes[3] = {strlen(text), binary_stl(bytes, "x", 2, two), 0};
  const char *obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf -1 -2 -3\n";
  sizes[2] = strlen(obj);
  const char *sources[3] = {text, bytes, obj};
  int refused = 0;
  for (int round = 0; round < 6000; round++) {
    int which = round % 3;
    size_t size = sizes[which];
    memcpy(copy, sources[which], size);
    if (round % 2)
      size = slipi_random_below(&random, (uint32_t)size);
    for (int change = 0; change < 3 && size > 0; change++)
      copy[slipi_random_below(&random, (uint32_t)size)] = (char)slipi_random_below(&random, 256);
    char *exact = malloc(size ? size : 1);
    memcpy(exact, copy, size);
    SlipiArena arena = {0};
    SlipiTriangles mesh;
    SlipError error;
    SlipStatus status = slipi_mesh_read_memory(
        exact, size, which == 2 ? SLIPI_MESH_OBJ : SLIPI_MESH_STL, &arena, &mesh, &error);
    refused += status != SLIP_OK;
    assert_true(status == SLIP_OK || error.text[0]);
    slipi_arena_free(&arena);
    free(exact);
  }
  assert_true(refused > 3000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stl_text),   cmocka_unit_test(test_stl_binary),
      cmocka_unit_test(test_obj),        cmocka_unit_test(test_locale),
      cmocka_unit_test(test_wrong_text), cmocka_unit_test(test_wrong_binary),
      cmocka_unit_test(test_wrong_obj),  cmocka_unit_test(test_damaged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
