/* Finite elements: patch tests, convergence of a cantilever, frequencies of a bar, symmetric and
 * definite matrices, surfaces, and meshes that are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "fem/assemble.h"
#include "linalg/factor.h"

static const SlipiElementKind kinds[] = {SLIPI_T3, SLIPI_Q4, SLIPI_T4, SLIPI_T10, SLIPI_H8};

static SlipiFemMesh *make_box(SlipiElementKind kind, double lx, double ly, double lz, int32_t nx,
                              int32_t ny, int32_t nz) {
  SlipiMeshPlan plan = {.kind = kind, .edges = {lx, ly, lz}, .cells = {nx, ny, nz}};
  SlipiFemMesh *mesh;
  assert_int_equal(slipi_fem_mesh_make(&plan, &mesh, NULL), SLIP_OK);
  return mesh;
}

/* Solve K u = f where some values of u are given. */
static void solve(const SlipiFemMesh *mesh, const SlipiFemMatrices *matrices, const uint8_t *given,
                  const double *f, double *u) {
  SlipiArena arena = {0};
  int32_t n = mesh->d * mesh->nodes, count = 0;
  int32_t *number = SLIPI_ARENA_NEW(&arena, int32_t, n);
  double *b = SLIPI_ARENA_NEW(&arena, double, n), *x = SLIPI_ARENA_NEW(&arena, double, n);
  SlipiCsr A;
  SlipiFactor *factor;
  for (int32_t k = 0; k < n; k++)
    number[k] = given[k] ? -1 : count++;
  assert_int_equal(slipi_fem_combine(matrices, 0, 1, number, &arena, &A, NULL), SLIP_OK);
  for (int32_t row = 0; row < n; row++) {
    if (given[row])
      continue;
    b[number[row]] = f ? f[row] : 0;
    for (int32_t k = matrices->K.p[row]; k < matrices->K.p[row + 1]; k++)
      b[number[row]] -= given[matrices->K.i[k]] ? matrices->K.x[k] * u[matrices->K.i[k]] : 0;
  }
  assert_int_equal(slipi_factor_create(&A, "K", NULL, NULL, &factor, NULL), SLIP_OK);
  assert_int_equal(slipi_factor_solve(factor, b, x, NULL), SLIP_OK);
  for (int32_t k = 0; k < n; k++)
    u[k] = given[k] ? u[k] : x[number[k]];
  slipi_factor_free(factor);
  slipi_arena_free(&arena);
}

/* ---- Patch tests ---- */

/* Nodes inside moved at random; the middles of T10's edges stay in the middle. */
static void distort(SlipiFemMesh *mesh, double by) {
  SlipiRandom random;
  uint8_t *surface = calloc((size_t)mesh->nodes, 1);
  slipi_random_seed(&random, 3);
  assert_true(slipi_fem_mesh_select(mesh, "surface", surface));
  for (int32_t k = 0; k < mesh->nodes; k++)
    for (int c = 0; c < mesh->d; c++)
      mesh->x[3 * k + c] += surface[k] ? 0 : by * slipi_random_between(&random, -1, 1);
  static const int8_t edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
  for (int32_t e = 0; e < mesh->elements && mesh->kind[e] == SLIPI_T10; e++)
    for (int k = 0; k < 6; k++) {
      const int32_t *node = mesh->node + mesh->first[e];
      for (int c = 0; c < 3; c++)
        mesh->x[3 * node[4 + k] + c] =
            (mesh->x[3 * node[edge[k][0]] + c] + mesh->x[3 * node[edge[k][1]] + c]) / 2;
    }
  free(surface);
}

/* Any linear displacement on the surface gives the same one inside, and a uniform stress. */
static void patch_test(SlipiElementKind kind, bool plane_stress) {
  static const double G[3][3] = {{1e-3, 2e-3, -1e-3}, {3e-4, -2e-3, 1e-3}, {-1e-3, 5e-4, 7e-4}};
  SlipiFemMesh *mesh = make_box(kind, 1, 2, 1.5, 3, 3, 3);
  distort(mesh, 0.08);
  int d = mesh->d;
  SlipiArena arena = {0};
  SlipiElasticity elasticity = slipi_elasticity(d, plane_stress, 2.1, 0.3, 1);
  SlipiFemMatrices matrices;
  assert_int_equal(slipi_fem_assemble(mesh, &elasticity, &arena, &matrices, NULL), SLIP_OK);
  uint8_t *surface = SLIPI_ARENA_NEW(&arena, uint8_t, mesh->nodes);
  uint8_t *given = SLIPI_ARENA_NEW(&arena, uint8_t, d * mesh->nodes);
  double *u = SLIPI_ARENA_NEW(&arena, double, d * mesh->nodes);
  double *exact = SLIPI_ARENA_NEW(&arena, double, d * mesh->nodes);
  double *u3 = SLIPI_ARENA_NEW(&arena, double, 3 * mesh->nodes);
  double *stress = SLIPI_ARENA_NEW(&arena, double, 6 * mesh->nodes);
  double *room = SLIPI_ARENA_NEW(&arena, double, mesh->nodes);
  slipi_fem_mesh_select(mesh, "surface", surface);
  bool inside = false;
  for (int32_t k = 0; k < d * mesh->nodes; k++) {
    for (int c = 0; c < d; c++)
      exact[k] += G[k % d][c] * mesh->x[3 * (k / d) + c];
    given[k] = surface[k / d];
    u[k] = given[k] ? exact[k] : 0;
    inside = inside || !given[k];
  }
  assert_true(inside);
  solve(mesh, &matrices, given, NULL, u);
  for (int32_t k = 0; k < d * mesh->nodes; k++) {
    assert_true(fabs(u[k] - exact[k]) < 1e-12 * 5e-3);
    u3[3 * (k / d) + k % d] = u[k];
  }
  slipi_fem_node_stress(mesh, &elasticity, u3, stress, room);
  double trace = G[0][0] + G[1][1] + (d == 3 ? G[2][2] : 0), E = 2.1, nu = 0.3;
  double lame = E * nu / ((1 + nu) * (1 - 2 * nu)), shear = E / (2 * (1 + nu));
  double xx = plane_stress ? E / (1 - nu * nu) * (G[0][0] + nu * G[1][1])
                           : lame * trace + 2 * shear * G[0][0];
  double zz = d == 3 ? lame * trace + 2 * shear * G[2][2] : plane_stress ? 0 : lame * trace;
  for (int32_t k = 0; k < mesh->nodes; k++) {
    assert_true(fabs(stress[6 * k] - xx) < 1e-12);
    assert_true(fabs(stress[6 * k + 2] - zz) < 1e-12);
    assert_true(fabs(stress[6 * k + 3] - shear * (G[0][1] + G[1][0])) < 1e-12);
  }
  slipi_arena_free(&arena);
  slipi_fem_mesh_free(mesh);
}

static void test_patch(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    patch_test(kinds[k], false);
  patch_test(SLIPI_T3, true);
  patch_test(SLIPI_Q4, true);
}

/* ---- Symmetric, definite, of the right mass; rigid motions cost nothing ---- */

static void test_matrices(void **state) {
  (void)state;
  for (size_t which = 0; which < sizeof kinds / sizeof *kinds; which++) {
    SlipiFemMesh *mesh = make_box(kinds[which], 1, 2, 1.5, 3, 3, 3);
    distort(mesh, 0.08);
    int d = mesh->d, n = d * mesh->nodes;
    SlipiArena arena = {0};
    SlipiElasticity elasticity = slipi_elasticity(d, false, 2.1, 0.3, 7);
    SlipiFemMatrices matrices;
    assert_int_equal(slipi_fem_assemble(mesh, &elasticity, &arena, &matrices, NULL), SLIP_OK);
    double asymmetry, norm, mass = 0, *v = SLIPI_ARENA_NEW(&arena, double, n);
    double *Kv = SLIPI_ARENA_NEW(&arena, double, n);
    slipi_csr_asymmetry(&matrices.K, NULL, &asymmetry, &norm, NULL);
    assert_true(asymmetry <= 1e-15 * norm);
    for (int32_t k = 0; k < mesh->nodes; k++)
      mass += matrices.lumped[k];
    assert_true(fabs(mass - 7 * 2 * (d == 3 ? 1.5 : 1)) < 1e-12 * mass);
    for (int mode = 0; mode < (d == 3 ? 6 : 3); mode++) {
      for (int32_t k = 0; k < mesh->nodes; k++)
        for (int c = 0; c < d; c++) {
          int a = d == 3 ? (mode + 1) % 3 : 0, b = d == 3 ? (mode + 2) % 3 : 1;
          double turn = c == a ? -mesh->x[3 * k + b] : c == b ? mesh->x[3 * k + a] : 0;
          v[d * k + c] = mode < d ? c == mode : turn;
        }
      slipi_csr_multiply(&matrices.K, v, Kv);
      for (int32_t k = 0; k < n; k++)
        assert_true(fabs(Kv[k]) < 1e-13 * norm);
    }
    /* K + a little of M has Cholesky factors, and K less a little has not. */
    SlipiCsr A;
    SlipiFactor *factor;
    assert_int_equal(slipi_fem_combine(&matrices, 1e-6, 1, NULL, &arena, &A, NULL), SLIP_OK);
    assert_int_equal(slipi_factor_create(&A, "K", NULL, NULL, &factor, NULL), SLIP_OK);
    slipi_factor_free(factor);
    assert_int_equal(slipi_fem_combine(&matrices, -1e-6, 1, NULL, &arena, &A, NULL), SLIP_OK);
    assert_int_not_equal(slipi_factor_create(&A, "K", NULL, NULL, &factor, NULL), SLIP_OK);
    assert_int_equal(slipi_fem_combine(&matrices, 1, 0, NULL, &arena, &A, NULL), SLIP_OK);
    assert_int_equal(slipi_factor_create(&A, "M", NULL, NULL, &factor, NULL), SLIP_OK);
    slipi_factor_free(factor);
    slipi_arena_free(&arena);
    slipi_fem_mesh_free(mesh);
  }
}

/* ---- Cantilever ---- */

enum { LONG = 4 };

/* Timoshenko and Goodier's cantilever, of height 1, with the parabolic load at x = LONG. */
static double beam(double E, double nu, double x, double y, int c) {
  double EI = E / 12, L = LONG;
  return c == 0   ? y / (6 * EI) * ((6 * L - 3 * x) * x + (2 + nu) * (y * y - 0.25))
         : c == 1 ? -1 / (6 * EI) *
                        (3 * nu * y * y * (L - x) + (4 + 5 * nu) * x / 4 + (3 * L - x) * x * x)
                  : 0;
}

/* Error of the tip's deflection, n cells across; plane strain in 3D, where nothing moves along z.
 */
static double cantilever(SlipiElementKind kind, int32_t n) {
  static const double E = 1000, NU = 0.3;
  SlipiFemMesh *mesh = make_box(kind, LONG, 1, 1.0 / n, LONG * n, n, 1);
  int d = mesh->d;
  SlipiArena arena = {0};
  SlipiFemMatrices matrices;
  SlipiElasticity elasticity = slipi_elasticity(d, d == 2, E, NU, 1);
  double E2 = d == 2 ? E : E / (1 - NU * NU), nu2 = d == 2 ? NU : NU / (1 - NU);
  for (int32_t k = 0; k < mesh->nodes; k++)
    mesh->x[3 * k] += LONG / 2.0;
  assert_int_equal(slipi_fem_assemble(mesh, &elasticity, &arena, &matrices, NULL), SLIP_OK);
  uint8_t *given = SLIPI_ARENA_NEW(&arena, uint8_t, d * mesh->nodes);
  uint8_t *root = SLIPI_ARENA_NEW(&arena, uint8_t, mesh->nodes);
  uint8_t *tip = SLIPI_ARENA_NEW(&arena, uint8_t, mesh->nodes);
  double *u = SLIPI_ARENA_NEW(&arena, double, d * mesh->nodes);
  double *f = SLIPI_ARENA_NEW(&arena, double, d * mesh->nodes);
  slipi_fem_mesh_select(mesh, "xmin", root);
  slipi_fem_mesh_select(mesh, "xmax", tip);
  for (int32_t k = 0; k < d * mesh->nodes; k++) {
    given[k] = root[k / d] || k % d == 2;
    u[k] = given[k] ? beam(E2, nu2, mesh->x[3 * (k / d)], mesh->x[3 * (k / d) + 1], k % d) : 0;
  }
  for (int32_t face = 0; face < mesh->faces; face++) {
    double x[SLIPI_FACE_NODES][3], N[SLIPI_FACE_NODES], dN[SLIPI_FACE_NODES][2];
    int nodes = mesh->face_first[face + 1] - mesh->face_first[face], on = 0;
    const int32_t *node = mesh->face_node + mesh->face_first[face];
    for (int a = 0; a < nodes; a++) {
      memcpy(x[a], mesh->x + 3 * node[a], sizeof x[a]);
      on += tip[node[a]];
    }
    for (int point = 0; on == nodes && point < slipi_face_points(nodes); point++) {
      double xi[2], normal[3], y = 0, weight = slipi_face_point(nodes, point, xi);
      slipi_face_shape(nodes, xi, N, dN);
      slipi_face_normal(nodes, (const double(*)[3])x, xi, normal);
      for (int a = 0; a < nodes; a++)
        y += N[a] * x[a][1];
      for (int a = 0; a < nodes; a++)
        f[d * node[a] + 1] -= weight * normal[0] * N[a] * 6 * (0.25 - y * y);
    }
  }
  solve(mesh, &matrices, given, f, u);
  double off = 0;
  for (int32_t k = 0; k < mesh->nodes; k++)
    if (tip[k] && mesh->x[3 * k + 1] == 0)
      off = fabs(u[d * k + 1] / beam(E2, nu2, LONG, 0, 1) - 1);
  slipi_arena_free(&arena);
  slipi_fem_mesh_free(mesh);
  return off;
}

/* Halving the cells divides the error by four, or more with T10. */
static void test_cantilever(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    int32_t n = kinds[k] == SLIPI_T10 ? 2 : 8;
    double coarse = cantilever(kinds[k], n), fine = cantilever(kinds[k], 2 * n);
    double order = log2(coarse / fine);
    print_message("%s: errors %.2e, %.2e, order %.2f\n", slipi_element_type(kinds[k])->name, coarse,
                  fine, order);
    assert_true(order > 1.85);
    assert_true(fine < 0.03);
  }
}

/* ---- Frequencies ---- */

/* A bar that is held at one end and moves along x only: its lowest frequency, by inverse iteration.
 */
static double bar_frequency(SlipiElementKind kind, int32_t n) {
  SlipiFemMesh *mesh = make_box(kind, 1, 0.2, 0.2, n, 1, 1);
  int d = mesh->d;
  int32_t count = 0;
  SlipiArena arena = {0};
  SlipiElasticity elasticity = slipi_elasticity(d, true, 4, 0, 1);
  SlipiFemMatrices matrices;
  SlipiCsr K, M;
  SlipiFactor *factor;
  assert_int_equal(slipi_fem_assemble(mesh, &elasticity, &arena, &matrices, NULL), SLIP_OK);
  int32_t *number = SLIPI_ARENA_NEW(&arena, int32_t, d * mesh->nodes);
  uint8_t *root = SLIPI_ARENA_NEW(&arena, uint8_t, mesh->nodes);
  slipi_fem_mesh_select(mesh, "xmin", root);
  for (int32_t k = 0; k < d * mesh->nodes; k++)
    number[k] = root[k / d] || k % d != 0 ? -1 : count++;
  slipi_fem_combine(&matrices, 0, 1, number, &arena, &K, NULL);
  slipi_fem_combine(&matrices, 1, 0, number, &arena, &M, NULL);
  assert_int_equal(slipi_factor_create(&K, "K", NULL, NULL, &factor, NULL), SLIP_OK);
  double *v = SLIPI_ARENA_NEW(&arena, double, count), *Mv = SLIPI_ARENA_NEW(&arena, double, count);
  double square = 0;
  for (int32_t k = 0; k < count; k++)
    v[k] = 1;
  for (int round = 0; round < 60; round++) {
    double up = 0, down = 0;
    slipi_csr_multiply(&M, v, Mv);
    assert_int_equal(slipi_factor_solve(factor, Mv, v, NULL), SLIP_OK);
    for (int32_t k = 0; k < count; k++)
      up += v[k] * Mv[k];
    slipi_csr_multiply(&M, v, Mv);
    for (int32_t k = 0; k < count; k++)
      down += v[k] * Mv[k];
    square = up / down;
    for (int32_t k = 0; k < count; k++)
      v[k] /= sqrt(down);
  }
  slipi_factor_free(factor);
  slipi_arena_free(&arena);
  slipi_fem_mesh_free(mesh);
  return sqrt(square);
}

static void test_bar(void **state) {
  (void)state;
  const double PI = 3.141592653589793, exact = 2 * PI / 2;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    double coarse = bar_frequency(kinds[k], 8), fine = bar_frequency(kinds[k], 16);
    double order = log2((coarse - exact) / (fine - exact));
    assert_true(kinds[k] == SLIPI_T10 ? order > 3.5 : order > 1.9);
    assert_true(fabs(fine / exact - 1) < 1e-3);
    if (kinds[k] == SLIPI_Q4 || kinds[k] == SLIPI_H8) { /* of linear elements, in closed form */
      double c = cos(PI / 2 / 16), known = 2 * 16 * sqrt(6 * (1 - c) / (2 + c));
      assert_true(fabs(fine / known - 1) < 1e-10);
    }
  }
}

/* ---- Meshes ---- */

static void test_surface(void **state) {
  (void)state;
  const double PI = 3.141592653589793;
  const struct {
    SlipiMeshShape shape;
    SlipiElementKind kind;
    double area;
  } cases[] = {{SLIPI_MESH_BOX, SLIPI_H8, 6},   {SLIPI_MESH_BOX, SLIPI_T4, 6},
               {SLIPI_MESH_BOX, SLIPI_T10, 6},  {SLIPI_MESH_BOX, SLIPI_Q4, 4},
               {SLIPI_MESH_BALL, SLIPI_H8, PI}, {SLIPI_MESH_CYLINDER, SLIPI_H8, 1.5 * PI},
               {SLIPI_MESH_BALL, SLIPI_T3, PI}, {SLIPI_MESH_BALL, SLIPI_T4, PI}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    SlipiMeshPlan plan = {
        .shape = cases[k].shape, .kind = cases[k].kind, .edges = {1, 1, 1}, .cells = {12, 12, 12}};
    SlipiFemMesh *mesh;
    assert_int_equal(slipi_fem_mesh_make(&plan, &mesh, NULL), SLIP_OK);
    double *force = calloc(3 * (size_t)mesh->nodes, sizeof *force), sum[3] = {0};
    uint8_t *all = calloc((size_t)mesh->nodes, 1);
    slipi_fem_mesh_select(mesh, "all", all);
    double area = slipi_fem_surface_load(mesh, mesh->x, all, (double[3]){0}, 1, force), volume = 0;
    for (int32_t i = 0; i < 3 * mesh->nodes; i++) {
      sum[i % 3] += force[i];
      volume -= force[i] * mesh->x[i] / mesh->d; /* of the normal outward */
    }
    for (int c = 0; c < 3; c++)
      assert_true(fabs(sum[c]) < 1e-12);
    assert_true(fabs(area / cases[k].area - 1) < (cases[k].shape == SLIPI_MESH_BOX ? 1e-12 : 0.02));
    if (cases[k].shape == SLIPI_MESH_BOX)
      assert_true(fabs(volume - 1) < 1e-12);
    free(all);
    free(force);
    slipi_fem_mesh_free(mesh);
  }
}

static void refuse(const double *points, int32_t count, const int32_t *node, int32_t elements,
                   const char *expected) {
  SlipiFemMesh *mesh;
  SlipError error;
  assert_int_not_equal(
      slipi_fem_mesh_given(points, count, NULL, SLIPI_T3, node, elements, &mesh, &error), SLIP_OK);
  assert_null(mesh);
  assert_non_null(strstr(error.text, expected));
}

static void test_wrong(void **state) {
  (void)state;
  double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, bad[12];
  memcpy(bad, x, sizeof bad);
  bad[4] = NAN;
  refuse(bad, 3, (int32_t[]){0, 1, 2}, 1, "point 1");
  refuse(x, 3, (int32_t[]){0, 1, 3}, 1, "node 3 of 3");
  refuse(x, 3, (int32_t[]){0, -1, 2}, 1, "node -1");
  refuse(x, 3, (int32_t[]){0, 1, 1}, 1, "twice");
  refuse(x, 3, (int32_t[]){0, 2, 1}, 1, "inside out");
  refuse(x, 4, (int32_t[]){0, 1, 2}, 1, "node 3 belongs to no element");
  refuse(x, 0, (int32_t[]){0, 1, 2}, 1, "0 points");
  refuse(x, 4, (int32_t[]){0, 1, 3, 0, 1, 2, 0, 1, 2}, 3, "share a face");
  SlipiMeshPlan plan = {.kind = SLIPI_H8, .edges = {1, 1, 1}, .cells = {1, 0, 1}};
  SlipiFemMesh *mesh;
  SlipError error;
  assert_int_not_equal(slipi_fem_mesh_make(&plan, &mesh, &error), SLIP_OK);
  assert_non_null(strstr(error.text, "0 cells"));
  plan.cells[1] = 10000, plan.cells[0] = 10000;
  assert_int_not_equal(slipi_fem_mesh_make(&plan, &mesh, &error), SLIP_OK);
  assert_non_null(strstr(error.text, "more than"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_patch),      cmocka_unit_test(test_matrices),
      cmocka_unit_test(test_cantilever), cmocka_unit_test(test_bar),
      cmocka_unit_test(test_surface),    cmocka_unit_test(test_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
