/* Surfaces of convex shapes: every polygon looks outward, away from the middle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geom/vec.h"
#include "record/surface.h"

static void check_outward(int kind, const SlipiSurface *surface) {
  assert_true(surface->polygons > 3);
  for (int32_t k = 0; k < surface->polygons; k++) {
    const int32_t *corner = surface->corner + surface->first[k];
    const double *first = surface->point + (ptrdiff_t)3 * corner[0];
    double area[3] = {0};
    for (int32_t c = 1; c + 1 < surface->first[k + 1] - surface->first[k]; c++) {
      double p[3], q[3], part[3];
      slipi_sub(surface->point + (ptrdiff_t)3 * corner[c], first, p);
      slipi_sub(surface->point + (ptrdiff_t)3 * corner[c + 1], first, q);
      slipi_cross(p, q, part);
      slipi_along(area, 1, part, area);
    }
    if (!(slipi_dot3(area, first) > -1e-12)) /* at the poles of a ball they have no area */
      fail_msg("kind %d: polygon %d looks inward", kind, k);
  }
}

static void test_outward(void **state) {
  (void)state;
  static const double corners[] = {0.3, 0, -0.2, -0.3, 0.1, -0.2, 0, -0.3, -0.2, 0, 0, 0.4};
  static const SlipShapeKind kinds[] = {SLIP_SHAPE_SPHERE, SLIP_SHAPE_BOX, SLIP_SHAPE_CAPSULE,
                                        SLIP_SHAPE_CYLINDER, SLIP_SHAPE_HULL};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    SlipShapeDef def = slip_default_shape_def();
    SlipiArena arena = {0};
    SlipiSurface surface = {0};
    def.kind = kinds[k];
    def.radius = 0.5;
    def.length = 1;
    def.edges[0] = def.edges[1] = def.edges[2] = 1;
    def.points = corners;
    def.point_count = 4;
    assert_int_equal(slipi_surface_make(&def, 3, 1, &arena, &surface, NULL), SLIP_OK);
    check_outward((int)kinds[k], &surface);
    slipi_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_outward)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
