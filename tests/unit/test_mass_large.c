/* Large components of M: those with the same matrix share their factors, and W, its diagonal and
 * solves are as if each had its own; W that is too large for memory is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "contact/mass.h"
#include "contact/operator.h"

/* So many copies of one elastic body, one after the other with their contacts; M of the copies from
 * `from` on is twice as large. */
typedef struct Copies {
  SlipiArena arena;
  SlipProblem *one, *all;
  int32_t copies, from;
} Copies;

static double scale_of(const Copies *c, int32_t copy) {
  return copy >= c->from ? 2 : 1;
}

/* A matrix with a copy of A for each body. */
static SlipiCsr repeat(Copies *c, const SlipiCsr *A, bool is_mass) {
  int32_t entries = A->p[A->rows], used = 0;
  SlipiCsr made = {.rows = c->copies * A->rows, .cols = c->copies * A->cols};
  made.p = SLIPI_ARENA_NEW(&c->arena, int32_t, (int64_t)made.rows + 1);
  made.i = SLIPI_ARENA_NEW(&c->arena, int32_t, (int64_t)c->copies * entries);
  made.x = SLIPI_ARENA_NEW(&c->arena, double, (int64_t)c->copies *entries);
  for (int32_t copy = 0; copy < c->copies; copy++)
    for (int32_t row = 0; row < A->rows; row++) {
      for (int32_t k = A->p[row]; k < A->p[row + 1]; k++) {
        made.i[used] = copy * A->cols + A->i[k];
        made.x[used++] = (is_mass ? scale_of(c, copy) : 1) * A->x[k];
      }
      made.p[copy * A->rows + row + 1] = used;
    }
  return made;
}

static Copies make(int32_t contacts, int32_t copies, int32_t from) {
  Copies c = {.copies = copies, .from = from};
  SlipGenerate options = slip_default_generate();
  assert_int_equal(slip_generate_defaults("elastic", &options, NULL), SLIP_OK);
  options.contacts = contacts;
  assert_int_equal(slip_generate("elastic", &options, &c.one, NULL, NULL), SLIP_OK);
  int64_t dof = (int64_t)copies * c.one->dof, m = (int64_t)copies * c.one->m;
  double *f = SLIPI_ARENA_NEW(&c.arena, double, dof), *w = SLIPI_ARENA_NEW(&c.arena, double, m);
  double *mu = SLIPI_ARENA_NEW(&c.arena, double, m);
  SlipiCsr M = repeat(&c, &c.one->M, true), Ht = repeat(&c, &c.one->Ht, false), H;
  assert_int_equal(slipi_csr_transpose(&c.arena, &Ht, &H, NULL), SLIP_OK);
  for (int64_t k = 0; k < m; k++)
    mu[k] = 0.3;
  SlipGlobalData data = slip_default_global_data();
  data.dimension = c.one->d;
  data.contacts = copies * c.one->nc;
  data.M = slipi_csr_view(&M);
  data.H = slipi_csr_view(&H);
  data.f = f;
  data.w = w;
  SlipLaws laws = slip_default_laws();
  laws.mu = mu;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_global(&data, &c.all, NULL), SLIP_OK);
  return c;
}

static void drop(Copies *c) {
  slip_problem_free(c->one);
  slip_problem_free(c->all);
  slipi_arena_free(&c->arena);
}

static void check_W(const Copies *c, SlipiMass *one, SlipiMass *all) {
  SlipiArena arena = {0};
  SlipiBsr Wone, Wall;
  int32_t d = c->one->d, nc = c->one->nc, square = d * d;
  double *own = SLIPI_ARENA_NEW(&arena, double, (int64_t)c->copies *nc *square);
  bool known;
  assert_int_equal(slipi_mass_reduce(one, c->one, &arena, &Wone, NULL), SLIP_OK);
  assert_int_equal(slipi_mass_reduce(all, c->all, &arena, &Wall, NULL), SLIP_OK);
  assert_int_equal(Wall.p[Wall.n], c->copies * Wone.p[Wone.n]);
  for (int32_t copy = 0; copy < c->copies; copy++)
    for (int64_t k = 0; k < (int64_t)Wone.p[nc] * square; k++) {
      double value = Wone.x[k] / scale_of(c, copy);
      double got = Wall.x[(int64_t)copy * Wone.p[nc] * square + k];
      assert_true(fabs(got - value) <= 1e-13 * fabs(Wone.x[0]));
    }
  assert_int_equal(slipi_mass_own_blocks(all, c->all, own, &known, NULL), SLIP_OK);
  for (int32_t a = 0; a < c->copies * nc && known; a++)
    for (int32_t k = 0; k < square; k++)
      assert_true(fabs(own[a * square + k] - Wall.x[(int64_t)Wall.diagonal[a] * square + k]) <=
                  1e-13 * fabs(Wone.x[0]));
  slipi_arena_free(&arena);
}

static void check_solve(Copies *c, SlipiMass *one, SlipiMass *all) {
  int32_t n = c->one->dof;
  double *b = SLIPI_ARENA_NEW(&c->arena, double, (int64_t)c->copies *n);
  double *x = SLIPI_ARENA_NEW(&c->arena, double, (int64_t)c->copies *n);
  double *y = SLIPI_ARENA_NEW(&c->arena, double, n);
  for (int32_t k = 0; k < c->copies * n; k++)
    b[k] = cos(k);
  assert_int_equal(slipi_mass_solve(all, b, x, NULL), SLIP_OK);
  for (int32_t copy = 0; copy < c->copies; copy++) {
    assert_int_equal(slipi_mass_solve(one, b + (int64_t)copy * n, y, NULL), SLIP_OK);
    for (int32_t k = 0; k < n; k++) {
      double value = y[k] / scale_of(c, copy);
      assert_true(fabs(x[copy * n + k] - value) <= 1e-12 * (1 + fabs(value)));
    }
  }
}

static void check(int32_t contacts, int32_t copies, int32_t from) {
  Copies c = make(contacts, copies, from);
  SlipiMass *one, *all;
  assert_int_equal(slipi_mass_create(c.one, &one, NULL), SLIP_OK);
  assert_int_equal(slipi_mass_create(c.all, &all, NULL), SLIP_OK);
  int32_t each = one->components;
  assert_int_equal(one->small_components, 0);
  assert_int_equal(all->components, copies * each);
  for (int32_t k = 0; k < all->components; k++) {
    int32_t like = k < from * each ? 0 : from * each;
    assert_int_equal(all->like[k], each == 1 ? like : all->like[k]);
    assert_ptr_equal(all->factor[k], all->factor[all->like[k]]);
  }
  assert_ptr_not_equal(all->factor[0], all->factor[from * each]);
  check_W(&c, one, all);
  check_solve(&c, one, all);
  slipi_mass_free(one);
  slipi_mass_free(all);
  drop(&c);
}

static void test_supernodes(void **state) {
  (void)state;
  check(225, 3, 2);
}

/* Too small for supernodes: W by whole solves. */
static void test_small(void **state) {
  (void)state;
  check(16, 5, 3);
}

/* Contacts of which each meets all others through a chain of springs: W would take 9 GB. */
enum { MANY = 11000, MANY_DOF = 3 * MANY };

typedef struct Chain {
  int32_t p[MANY_DOF + 1], i[3 * MANY_DOF], p_H[MANY_DOF + 1], i_H[MANY_DOF];
  double x[3 * MANY_DOF], x_H[MANY_DOF], f[MANY_DOF], w[MANY_DOF], mu[MANY];
} Chain;

/* Each coordinate of a contact is a degree of freedom, held and tied to that of its neighbours;
 * all are pressed. */
static SlipProblem *make_chain(Chain *c) {
  int32_t at = 0;
  SlipProblem *problem;
  for (int32_t k = 0; k < MANY_DOF; k++) {
    for (int32_t other = k - 3; other <= k + 3; other += 3) {
      if (other >= 0 && other < MANY_DOF) {
        c->i[at] = other;
        c->x[at++] = other == k ? 4 : -1;
      }
    }
    c->p[k + 1] = at;
    c->i_H[k] = k;
    c->p_H[k + 1] = k + 1;
    c->x_H[k] = 1;
    c->f[k] = k % 3 == 0 ? -1 : 0;
    c->mu[k / 3] = 0.5;
  }
  SlipLaws laws = {.size = sizeof laws, .mu = c->mu};
  SlipGlobalData data = slip_default_global_data();
  data.dimension = 3;
  data.contacts = MANY;
  data.M = (SlipMatrix){SLIP_CSR, MANY_DOF, MANY_DOF, at, c->p, c->i, c->x};
  data.H = (SlipMatrix){SLIP_CSR, MANY_DOF, MANY_DOF, MANY_DOF, c->p_H, c->i_H, c->x_H};
  data.f = c->f;
  data.w = c->w;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_global(&data, &problem, NULL), SLIP_OK);
  return problem;
}

/* W that does not fit is refused in a sentence before any of it is made; methods without rows have
 * the factors. */
static void test_too_large(void **state) {
  (void)state;
  Chain *chain = calloc(1, sizeof *chain);
  assert_non_null(chain);
  SlipProblem *problem = make_chain(chain);
  SlipSolver *solver;
  SlipiMass *mass;
  SlipiOperatorKind kind;
  SlipError error;
  assert_int_equal(slip_solver_create(problem, NULL, &solver, &error), SLIP_ERROR_MISMATCH);
  assert_null(solver);
  assert_non_null(strstr(error.text, "9.2 GB between 11000 contacts"));
  assert_non_null(strstr(error.text, "fp-vi-accelerated"));
  assert_int_equal(slipi_mass_create(problem, &mass, NULL), SLIP_OK);
  assert_int_equal(slipi_operator_choose(problem, mass, false, &kind, NULL), SLIP_OK);
  assert_int_equal(kind, SLIPI_OPERATOR_FACTORED);
  slipi_mass_free(mass);
  slip_problem_free(problem);
  free(chain);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_supernodes),
      cmocka_unit_test(test_small),
      cmocka_unit_test(test_too_large),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
