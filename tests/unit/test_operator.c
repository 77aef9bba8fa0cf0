/* Every kind of operator against an independent dense W, on problems of every structure. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "base/random.h"
#include "bodies_case.h"
#include "compliance_case.h"
#include "contact/operator.h"
#include "reference.h"

static const char *const local_kinds[] = {"random", "dense", "unsymmetric", NULL};
static const char *const global_kinds[] = {"deficient-global", NULL};

typedef struct Case {
  SlipProblem *problem;
  SlipiMass *mass;
  double *W; /* dense, from the reference */
} Case;

static void open_problem(Case *c, SlipProblem *problem) {
  size_t m = (size_t)problem->m;
  c->problem = problem;
  c->mass = NULL;
  c->W = calloc(m * m + 1, sizeof *c->W);
  assert_int_equal(reference_dense(problem, c->W), 0);
  if (problem->form == SLIP_FORM_GLOBAL)
    assert_int_equal(slipi_mass_create(problem, &c->mass, NULL), SLIP_OK);
}

static void open_case(Case *c, const char *kind, int32_t dimension) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
  options.contacts = 17;
  options.dimension = dimension;
  assert_int_equal(slip_generate(kind, &options, &problem, NULL, NULL), SLIP_OK);
  open_problem(c, problem);
}

/* In the place of the case, the same with random compliance. */
static void soften(Case *c) {
  double *C = random_compliance(c->problem, 2, 7);
  SlipProblem *soft = give_compliance(c->problem, C);
  free(C);
  slipi_mass_free(c->mass);
  slip_problem_free(c->problem);
  free(c->W);
  open_problem(c, soft);
}

static void close_case(Case *c) {
  slipi_mass_free(c->mass);
  slip_problem_free(c->problem);
  free(c->W);
}

static double close_to(const double *a, const double *b, int32_t n) {
  double difference = 0, size = 1e-300;
  for (int32_t k = 0; k < n; k++) {
    difference = fmax(difference, fabs(a[k] - b[k]));
    size = fmax(size, fabs(b[k]));
  }
  return difference / size;
}

static void multiply(const Case *c, const double *r, double *u) {
  int32_t m = c->problem->m;
  for (int32_t i = 0; i < m; i++) {
    u[i] = 0;
    for (int32_t j = 0; j < m; j++)
      u[i] += c->W[(int64_t)i * m + j] * r[j];
  }
}

/* Rows while impulses change one after the other, as in a sweep. */
static void check_rows(const Case *c, SlipiOperator *op, double *r, double *expected) {
  int32_t d = op->d;
  SlipiArena arena = {0};
  SlipiRowState rows;
  assert_int_equal(slipi_row_state_create(op, &arena, &rows, NULL), SLIP_OK);
  slipi_operator_row_start(op, r, &rows);
  for (int32_t a = 0; a < op->nc; a++) {
    double u[3];
    multiply(c, r, expected);
    slipi_operator_row(op, a, r, &rows, u);
    assert_true(fabs(u[0] - expected[a * d]) < 1e-11 * (1 + fabs(expected[a * d])));
    assert_true(close_to(u, expected + (int64_t)a * d, d) < 1e-10);
    double change[3] = {0.3, -0.2, 0.1};
    for (int32_t k = 0; k < d; k++)
      r[a * d + k] += change[k];
    slipi_operator_row_update(op, a, change, &rows);
  }
  slipi_arena_free(&arena);
}

/* With a shift the operator is that of W + shift I. */
static void add_shift(const Case *c, double shift) {
  for (int32_t k = 0; k < c->problem->m; k++)
    c->W[(int64_t)k * c->problem->m + k] += shift;
}

static void check_kind(const Case *c, SlipiOperatorKind kind, double shift) {
  SlipiOperator *op;
  SlipError error;
  int32_t m = c->problem->m, d = c->problem->d;
  if (slipi_operator_create(c->problem, c->mass, kind, 1, &op, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  slipi_operator_set_shift(op, shift);
  add_shift(c, shift);
  double *r = calloc((size_t)m, sizeof *r), *u = calloc((size_t)m, sizeof *u),
         *expected = calloc((size_t)m, sizeof *expected);
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  for (int32_t k = 0; k < m; k++)
    r[k] = slipi_random_normal(&random);
  multiply(c, r, expected);
  assert_int_equal(slipi_operator_apply(op, r, u, NULL), SLIP_OK);
  assert_true(close_to(u, expected, m) < 1e-12);
  assert_int_equal(slipi_team_create(2, &op->team, NULL), SLIP_OK); /* the same bits */
  assert_int_equal(slipi_operator_apply(op, r, expected, NULL), SLIP_OK);
  assert_memory_equal(u, expected, (size_t)m * sizeof *u);
  for (int32_t a = 0; a < op->nc; a++) {
    double block[9], wanted[9];
    assert_int_equal(slipi_operator_diagonal(op, a, block, NULL), SLIP_OK);
    for (int32_t i = 0; i < d; i++)
      for (int32_t j = 0; j < d; j++)
        wanted[i * d + j] = c->W[(int64_t)(a * d + i) * m + a * d + j];
    assert_true(close_to(block, wanted, d * d) < 1e-12);
  }
  if (op->table->row)
    check_rows(c, op, r, expected);
  free(r);
  free(u);
  free(expected);
  add_shift(c, -shift);
  slipi_operator_free(op);
}

static void check_matrix(const Case *c, SlipiOperatorKind kind, double shift) {
  const SlipiBsr *W, *again;
  SlipiOperator *op;
  int32_t m = c->problem->m, d = c->problem->d;
  assert_int_equal(slipi_operator_create(c->problem, c->mass, kind, 1, &op, NULL), SLIP_OK);
  assert_int_equal(slipi_operator_matrix(op, &W, NULL), SLIP_OK);
  slipi_operator_set_shift(op, shift); /* after it was made */
  add_shift(c, shift);
  assert_int_equal(slipi_operator_matrix(op, &again, NULL), SLIP_OK);
  assert_ptr_equal(W, again);
  double *dense = calloc((size_t)m * (size_t)m, sizeof *dense);
  for (int32_t a = 0; a < W->n; a++) {
    assert_int_equal(W->j[W->diagonal[a]], a);
    for (int32_t k = W->p[a]; k < W->p[a + 1]; k++) {
      assert_true(k == W->p[a] || W->j[k - 1] < W->j[k]);
      double block[9];
      slipi_operator_block(op, a, k, block);
      for (int32_t i = 0; i < d; i++)
        for (int32_t j = 0; j < d; j++)
          dense[(int64_t)(a * d + i) * m + W->j[k] * d + j] = block[i * d + j];
    }
  }
  assert_true(close_to(dense, c->W, m * m) < 1e-12);
  free(dense);
  add_shift(c, -shift);
  slipi_operator_free(op);
}

static void check_local(const Case *c) {
  check_kind(c, SLIPI_OPERATOR_DENSE, 0);
  check_kind(c, SLIPI_OPERATOR_BLOCK, 0.25);
  check_matrix(c, SLIPI_OPERATOR_DENSE, 0);
  check_matrix(c, SLIPI_OPERATOR_BLOCK, 0.5);
}

static void test_local_kinds(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    for (int k = 0; local_kinds[k]; k++) {
      Case c;
      open_case(&c, local_kinds[k], d);
      check_local(&c);
      soften(&c);
      check_local(&c);
      SlipiOperator *op;
      SlipError error;
      assert_int_equal(
          slipi_operator_create(c.problem, NULL, SLIPI_OPERATOR_VELOCITY, 1, &op, &error),
          SLIP_ERROR_MISMATCH);
      assert_null(op);
      assert_non_null(strstr(error.text, "local"));
      close_case(&c);
    }
  }
}

static void check_global(const Case *c) {
  check_kind(c, SLIPI_OPERATOR_DENSE, 0.25);
  check_kind(c, SLIPI_OPERATOR_BLOCK, 0.25);
  check_kind(c, SLIPI_OPERATOR_FACTORED, 0.25);
  if (c->mass->small > 0)
    check_kind(c, SLIPI_OPERATOR_VELOCITY, 0.25);
  check_matrix(c, SLIPI_OPERATOR_BLOCK, 0.5);
  check_matrix(c, SLIPI_OPERATOR_FACTORED, 0.5);
}

static void test_global_kinds(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    for (int k = 0; global_kinds[k]; k++) {
      Case c;
      open_case(&c, global_kinds[k], d);
      check_global(&c);
      soften(&c);
      check_global(&c);
      close_case(&c);
    }
  }
}

static void check_bodies(int32_t d, int32_t size, double skew) {
  Case c;
  open_problem(&c, bodies_problem(d, 5, size, 11, skew));
  assert_int_equal(c.mass->blocks, size <= 32);
  check_global(&c);
  soften(&c);
  check_global(&c);
  close_case(&c);
}

static void test_bodies_of_any_size(void **state) {
  (void)state;
  static const int32_t sizes[] = {1, 3, 6, 7, 40};
  for (int k = 0; k < 5; k++) {
    for (int32_t d = 2; d <= 3; d++) {
      check_bodies(d, sizes[k], 0);
      check_bodies(d, sizes[k], 0.2);
    }
  }
}

/* Rigid and elastic bodies together: velocity-form rows of the rigid ones, blocks of the others,
 * and contacts of rigid bodies only cost no block. */
static void check_mixed(int32_t d, int32_t size, double skew) {
  Case c;
  SlipiOperator *op;
  open_problem(&c, mixed_bodies_problem(d, size, 30, skew));
  assert_false(c.mass->blocks);
  assert_int_equal(c.mass->small, 6 * size);
  assert_int_equal(c.mass->components, 8);
  check_global(&c);
  soften(&c);
  check_global(&c);
  assert_int_equal(slipi_operator_create(c.problem, c.mass, SLIPI_OPERATOR_VELOCITY, 1, &op, NULL),
                   SLIP_OK);
  double entries = 0;
  const int32_t *Htp = c.problem->Ht.p, *Hti = c.problem->Ht.i;
  int32_t touching[2] = {0}; /* contacts of each large body; few touch both, which is no matter */
  bool both = false;
  for (int32_t a = 0; a < c.problem->nc; a++) {
    bool touches[2] = {false, false};
    for (int32_t k = Htp[a * d]; k < Htp[(a + 1) * d]; k++) {
      int32_t component = c.mass->component[Hti[k]];
      if (component >= c.mass->small_components)
        touches[component - c.mass->small_components] = true;
    }
    both = both || (touches[0] && touches[1]);
    touching[0] += touches[0];
    touching[1] += touches[1];
  }
  for (int k = 0; k < 2; k++)
    entries += (double)touching[k] * touching[k] * d * d;
  assert_true(entries > 0 && touching[0] + touching[1] < c.problem->nc);
  assert_true(both ? slipi_operator_row_entries(op) <= entries
                   : slipi_operator_row_entries(op) == entries);
  assert_true(slipi_operator_rows_read_r(op));
  slipi_operator_free(op);
  close_case(&c);
}

static void test_rigid_and_elastic_bodies(void **state) {
  (void)state;
  static const int32_t sizes[] = {3, 6, 7};
  for (int32_t d = 2; d <= 3; d++) {
    for (int k = 0; k < 3; k++) {
      check_mixed(d, sizes[k], 0);
      check_mixed(d, sizes[k], 0.2);
    }
  }
}

/* Spheres on an elastic block get the velocity form by the counted work, and it reads blocks of the
 * contacts that touch the block only: one for each column of spheres and each node on the ground.
 */
static void test_spheres_on_a_block(void **state) {
  (void)state;
  SlipGenerate options = slip_default_generate();
  SlipiOperatorKind kind;
  SlipiOperator *op;
  SlipProblem *problem;
  Case c;
  assert_int_equal(slip_generate_defaults("mixed", &options, NULL), SLIP_OK);
  assert_int_equal(slip_generate("mixed", &options, &problem, NULL, NULL), SLIP_OK);
  open_problem(&c, problem);
  assert_int_equal(slipi_operator_choose(problem, c.mass, true, &kind, NULL), SLIP_OK);
  assert_int_equal(kind, SLIPI_OPERATOR_VELOCITY);
  assert_int_equal(slipi_operator_choose(problem, c.mass, false, &kind, NULL), SLIP_OK);
  assert_int_equal(kind, SLIPI_OPERATOR_FACTORED);
  check_kind(&c, SLIPI_OPERATOR_VELOCITY, 0);
  check_kind(&c, SLIPI_OPERATOR_FACTORED, 0);
  assert_int_equal(slipi_operator_create(problem, c.mass, SLIPI_OPERATOR_VELOCITY, 1, &op, NULL),
                   SLIP_OK);
  assert_non_null(slipi_operator_pairs(op)); /* spheres have the rows of rigid bodies */
  int32_t side = 6, touching = side * side + (side + 1) * (side + 1);
  assert_int_equal(c.mass->small, 6 * side * side * side);
  assert_true(slipi_operator_row_entries(op) == 9.0 * touching * touching);
  slipi_operator_free(op);
  close_case(&c);
}

/* Few neighbours make the blocks of W cheap, but not as cheap as visits by fours, for which there
 * must be 65 contacts. */
static void test_velocity_where_fours_go(void **state) {
  (void)state;
  static const int32_t contacts[] = {64, 65};
  static const SlipiOperatorKind wanted[] = {SLIPI_OPERATOR_BLOCK, SLIPI_OPERATOR_VELOCITY};
  for (int k = 0; k < 2; k++) {
    SlipGenerate options = slip_default_generate();
    SlipiOperatorKind kind;
    SlipProblem *problem;
    Case c;
    assert_int_equal(slip_generate_defaults("slope", &options, NULL), SLIP_OK);
    options.contacts = contacts[k];
    assert_int_equal(slip_generate("slope", &options, &problem, NULL, NULL), SLIP_OK);
    open_problem(&c, problem);
    assert_int_equal(slipi_operator_choose(problem, c.mass, true, &kind, NULL), SLIP_OK);
    assert_int_equal(c.problem->nc, contacts[k]);
    assert_int_equal(kind, wanted[k]);
    close_case(&c);
  }
}

static void test_velocity_needs_small_blocks(void **state) {
  (void)state;
  Case c;
  open_problem(&c, bodies_problem(3, 2, 40, 4, 0));
  SlipiOperator *op;
  SlipError error;
  assert_int_equal(
      slipi_operator_create(c.problem, c.mass, SLIPI_OPERATOR_VELOCITY, 1, &op, &error),
      SLIP_ERROR_MISMATCH);
  assert_non_null(strstr(error.text, "40"));
  SlipiOperatorKind kind;
  assert_int_equal(slipi_operator_choose(c.problem, c.mass, false, &kind, NULL), SLIP_OK);
  assert_int_equal(kind, SLIPI_OPERATOR_FACTORED);
  assert_int_equal(slipi_operator_choose(c.problem, c.mass, true, &kind, NULL), SLIP_OK);
  assert_int_not_equal(kind, SLIPI_OPERATOR_VELOCITY);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_local_kinds),
      cmocka_unit_test(test_global_kinds),
      cmocka_unit_test(test_bodies_of_any_size),
      cmocka_unit_test(test_rigid_and_elastic_bodies),
      cmocka_unit_test(test_spheres_on_a_block),
      cmocka_unit_test(test_velocity_where_fours_go),
      cmocka_unit_test(test_velocity_needs_small_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
