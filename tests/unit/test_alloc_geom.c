/* Every allocation of a hull, a polygon, a mesh and a mesh file fails once: no leak, no crash, a
 * clear status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_wrap.h"
#include "geom/collide.h"
#include "io/mesh_file.h"

static const double cube[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                              0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const double square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
static const int32_t sides[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static SlipShapeDef def_of(SlipShapeKind kind) {
  SlipShapeDef def = slip_default_shape_def();
  def.kind = kind;
  def.points = kind == SLIP_SHAPE_POLYGON ? square : cube;
  def.point_count = kind == SLIP_SHAPE_POLYGON ? 4 : 8;
  def.triangles = sides;
  def.triangle_count = 4;
  return def;
}

static SlipStatus make_shape(void *user, SlipError *error) {
  const SlipShapeDef *def = user;
  SlipiArena arena = {0};
  SlipiShape shape;
  SlipStatus status =
      slipi_shape_make(def, def->kind == SLIP_SHAPE_POLYGON ? 2 : 3, &arena, &shape, error);
  slipi_arena_free(&arena);
  return status;
}

static void test_shapes(void **state) {
  (void)state;
  const SlipShapeKind kinds[] = {SLIP_SHAPE_HULL, SLIP_SHAPE_POLYGON, SLIP_SHAPE_MESH};
  for (int k = 0; k < 3; k++) {
    SlipShapeDef def = def_of(kinds[k]);
    assert_true(alloc_fail_each(make_shape, &def) > 5);
  }
}

static SlipStatus read_file(void *user, SlipError *error) {
  SlipiArena arena = {0};
  SlipiTriangles mesh;
  SlipStatus status =
      slipi_mesh_read_memory(user, strlen(user), SLIPI_MESH_OBJ, &arena, &mesh, error);
  slipi_arena_free(&arena);
  return status;
}

static void test_files(void **state) {
  (void)state;
  char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  assert_true(alloc_fail_each(read_file, text) >= 2);
}

/* The list of a box on a mesh, and one in 2D. */
static SlipStatus collide(void *user, SlipError *error) {
  const SlipiShape *shapes = user;
  SlipiPose at = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, above = at;
  SlipiTouchList list = {0};
  above.position[2] = shapes[1].kind == SLIP_SHAPE_MESH ? 1.5 : 0;
  bool found = slipi_collide(&shapes[0], &above, &shapes[1], &at, 0.1, &list);
  assert_true(!found || list.count > 0);
  slipi_touch_list_free(&list);
  return found ? SLIP_OK : slipi_fail_memory(error, "contact points");
}

static void test_lists(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiShape solid[2], flat[2];
  SlipShapeDef def = def_of(SLIP_SHAPE_BOX);
  for (int k = 0; k < 3; k++)
    def.edges[k] = 1;
  assert_int_equal(slipi_shape_make(&def, 3, &arena, &solid[0], NULL), SLIP_OK);
  def = def_of(SLIP_SHAPE_MESH);
  assert_int_equal(slipi_shape_make(&def, 3, &arena, &solid[1], NULL), SLIP_OK);
  def = def_of(SLIP_SHAPE_POLYGON);
  assert_int_equal(slipi_shape_make(&def, 2, &arena, &flat[0], NULL), SLIP_OK);
  assert_int_equal(slipi_shape_make(&def, 2, &arena, &flat[1], NULL), SLIP_OK);
  assert_true(alloc_fail_each(collide, solid) > 0);
  assert_true(alloc_fail_each(collide, flat) > 0);
  slipi_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
