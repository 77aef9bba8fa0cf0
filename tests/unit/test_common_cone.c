/* The Newton steps of interior-point methods: the linearised equations they solve, held against
 * finite differences of the equations themselves, in velocity and impulse space, in 2D and 3D. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "methods/common_cone.h"
#include "solving.h"

typedef struct Case {
  SlipProblem *problem;
  SlipiMass *mass;
  SlipiOperator *op;
  SlipiArena arena;
  SlipiCone cone;
  int32_t m, rows;
  double *q, *r, *u, *c, *f, *dr, *du;
  double *z, *g, *dz;
} Case;

static void random_inside(const Case *k, SlipiRandom *random, double *x) {
  for (int32_t a = 0; a < k->problem->nc; a++) {
    double *xa = x + 3 * (size_t)a;
    if (!slipi_cone_has(&k->cone, a))
      continue;
    xa[1] = slipi_random_between(random, -1, 1);
    xa[2] = k->problem->d == 3 ? slipi_random_between(random, -1, 1) : 0;
    xa[0] = slipi_soc_tangent(xa) + slipi_random_between(random, 0.1, 1);
  }
}

static void random_all(const Case *k, SlipiRandom *random, double *x) {
  for (int32_t i = 0; i < k->m; i++)
    x[i] = k->problem->d == 2 && i % 3 == 2 ? 0 : slipi_random_between(random, -1, 1);
}

static void open_case(Case *k, const char *kind, int32_t contacts, int32_t d) {
  *k = (Case){.problem = generate_problem(kind, contacts, d, NULL)};
  bool local = k->problem->form == SLIP_FORM_LOCAL;
  if (!local)
    assert_int_equal(slipi_mass_create(k->problem, &k->mass, NULL), SLIP_OK);
  assert_int_equal(slipi_operator_create(k->problem, k->mass,
                                         local ? SLIPI_OPERATOR_BLOCK : SLIPI_OPERATOR_FACTORED, 1,
                                         &k->op, NULL),
                   SLIP_OK);
  assert_int_equal(slipi_cone_create(k->op, &k->arena, &k->cone, NULL), SLIP_OK);
  k->m = k->cone.scaled->m;
  k->rows = slipi_system_body_rows(k->cone.system);
  double **vectors[] = {&k->q, &k->r, &k->u, &k->c, &k->f, &k->dr, &k->du};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = SLIPI_ARENA_NEW(&k->arena, double, k->m);
  double **of_bodies[] = {&k->z, &k->g, &k->dz};
  for (size_t i = 0; i < sizeof of_bodies / sizeof of_bodies[0]; i++)
    *of_bodies[i] = SLIPI_ARENA_NEW(&k->arena, double, k->rows);
  SlipiRandom random;
  slipi_random_seed(&random, (uint64_t)contacts);
  random_all(k, &random, k->q);
  assert_int_equal(slipi_cone_set(&k->cone, k->problem->law, k->q, true, NULL), SLIP_OK);
  random_inside(k, &random, k->r);
  random_inside(k, &random, k->u);
  random_all(k, &random, k->c);
  random_all(k, &random, k->f);
  for (int32_t i = 0; i < k->rows; i++) {
    k->z[i] = slipi_random_between(&random, -1, 1);
    k->g[i] = slipi_random_between(&random, -1, 1);
  }
}

static void close_case(Case *k) {
  slipi_operator_free(k->op);
  slipi_mass_free(k->mass);
  slip_problem_free(k->problem);
  slipi_arena_free(&k->arena);
}

/* F = u - |u_T| e - W r at a point moved by t along the step; with bodies W r is A_b' z. */
static void equation(Case *k, double t, bool bodies, double *F) {
  double *r = test_calloc((size_t)k->m, sizeof *r);
  double *z = test_calloc((size_t)k->rows + 1, sizeof *z);
  for (int32_t i = 0; i < k->m; i++)
    r[i] = k->r[i] + t * k->dr[i];
  for (int32_t i = 0; i < k->rows; i++)
    z[i] = k->z[i] + t * k->dz[i];
  if (bodies)
    slipi_system_spread(k->cone.system, k->cone.scaled, z, r, F);
  else
    slipi_bsr_multiply(&k->cone.scaled->W, r, F, NULL);
  for (int32_t a = 0; a < k->problem->nc; a++) {
    double u[3];
    for (int i = 0; i < 3; i++) {
      u[i] = k->u[3 * (size_t)a + i] + t * k->du[3 * (size_t)a + i];
      F[3 * (size_t)a + i] = u[i] - F[3 * (size_t)a + i];
    }
    F[3 * (size_t)a] -= slipi_cone_g(&k->cone, a, u);
  }
  test_free(r);
  test_free(z);
}

/* dF = -f along the step, and lambda o (S^-1 du + S dr) = c. */
static void check_step(Case *k, bool bodies) {
  const double h = 1e-5;
  double *before = test_calloc((size_t)k->m, sizeof *before), size = 1;
  double *after = test_calloc((size_t)k->m, sizeof *after);
  equation(k, -h, bodies, before);
  equation(k, h, bodies, after);
  for (int32_t i = 0; i < k->m; i++)
    size = fmax(size, fmax(fabs(k->dr[i]), fabs(k->du[i])));
  for (int32_t a = 0; a < k->problem->nc; a++) {
    size_t at = 3 * (size_t)a;
    double x[3], y[3], sum[3], c[3];
    if (!slipi_cone_has(&k->cone, a)) /* held by a weight of 1e-10 only */
      continue;
    for (int i = 0; i < 3; i++)
      assert_true(fabs((after[at + i] - before[at + i]) / (2 * h) + k->f[at + i]) <
                  1e-7 * size * size);
    slipi_soc_apply(&k->cone.scaling[a], k->dr + at, x);
    slipi_soc_apply_inverse(&k->cone.scaling[a], k->du + at, y);
    for (int i = 0; i < 3; i++)
      sum[i] = x[i] + y[i];
    slipi_soc_product(k->cone.scaling[a].lambda, sum, c);
    for (int i = 0; i < 3; i++)
      assert_true(fabs(c[i] - k->c[at + i]) < 1e-9 * size);
  }
  test_free(before);
  test_free(after);
}

static void check_kind(const char *kind, int32_t contacts, int32_t d) {
  Case k;
  int sign;
  bool finite;
  open_case(&k, kind, contacts, d);
  for (int space = SLIPI_SYSTEM_VELOCITY; space <= SLIPI_SYSTEM_IMPULSE; space++) {
    if (!slipi_system_prefer(k.cone.system, (SlipiSystemSpace)space))
      continue;
    assert_int_equal(slipi_cone_factor(&k.cone, k.u, k.r, 1, &sign, NULL), SLIP_OK);
    assert_int_not_equal(sign, 0);
    assert_int_equal(slipi_cone_solve(&k.cone, k.c, k.f, k.dr, k.du, &finite, NULL), SLIP_OK);
    assert_true(finite);
    check_step(&k, false);
    if (!slipi_cone_has_bodies(&k.cone))
      continue;
    slipi_cone_solve_bodies(&k.cone, k.c, k.f, k.g, 1e-13, k.dr, k.du, k.dz, &finite);
    assert_true(finite);
    check_step(&k, true);
    double *gathered = test_calloc((size_t)k.rows, sizeof *gathered);
    slipi_system_gather(k.cone.system, k.cone.scaled, k.dr, gathered);
    for (int32_t i = 0; i < k.rows; i++)
      assert_true(fabs(k.dz[i] - gathered[i] - k.g[i]) < 1e-9);
    test_free(gathered);
  }
  close_case(&k);
}

static void test_steps(void **state) {
  (void)state;
  static const char *const kinds[] = {"wall",   "stack",       "pile",
                                      "random", "unsymmetric", "bilateral"};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    for (int32_t d = 2; d <= 3; d++)
      check_kind(kinds[k], 30, d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
