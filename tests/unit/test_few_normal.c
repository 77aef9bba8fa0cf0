/* Newton steps of a few contacts whose flow is normal to K: they solve the linear system that the
 * general form writes out, of every law and in both dimensions; where they apply; and what they are
 * worth on piles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "linalg/vector.h"
#include "methods/few_dense.h"
#include "methods/few_normal.h"
#include "solving.h"

enum { CONTACTS = 7, SIZE = 3 * CONTACTS };
enum { RANK_MORE = 3, RANK_MOST = SIZE + RANK_MORE }; /* rows of A in W = A'A */

typedef struct Case {
  SlipiArena arena;
  SlipiRun run;
  SlipiLaw law[CONTACTS];
  double W[SIZE * SIZE], q[SIZE], r[SIZE], u[SIZE];
  double largest;
} Case;

static SlipiLaw a_law(SlipiRandom *random, int k) {
  static const int kinds[] = {SLIP_ROUNDED, SLIP_CAPPED, SLIP_COULOMB, SLIP_FRICTIONLESS};
  SlipiLaw law = slipi_law(kinds[k % 4], slipi_random_between(random, 0.2, 0.9));
  law.flow = SLIP_FLOW_ASSOCIATED;
  law.depth = slipi_random_between(random, 0.1, 0.5);
  law.radius = k % 3 ? law.depth : 0.4 * law.depth;
  law.cap = law.kind == SLIPI_CAPPED ? 1 : INFINITY;
  return law;
}

/* Impulses about the boundaries of their sets, W = A'A of the given rank. */
static void make(Case *c, SlipiRandom *random, int32_t d, int32_t rank) {
  int32_t m = d * CONTACTS;
  double A[RANK_MOST * SIZE];
  *c = (Case){.run = {.d = d, .nc = CONTACTS, .m = m}};
  c->run.arena = &c->arena;
  c->run.law = c->law;
  for (int k = 0; k < CONTACTS; k++)
    c->law[k] = a_law(random, k);
  for (int k = 0; k < rank * m; k++)
    A[k] = slipi_random_normal(random);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++)
        sum += A[k * m + i] * A[k * m + j];
      c->W[i * m + j] = c->W[j * m + i] = sum;
    }
    c->largest = fmax(c->largest, c->W[i * m + i]);
    c->r[i] = i % d == 0 ? slipi_random_between(random, -0.3, 1.5) : slipi_random_normal(random);
    c->u[i] = slipi_random_normal(random);
  }
}

/* The largest entry of (I - P' + rho P' (W + alpha I)) dr + F for one contact, P and P' by the
 * kernels of its law. */
static double residual(const Case *c, const SlipiFewNormal *s, int32_t a, const double *dr) {
  int32_t d = c->run.d, m = c->run.m;
  double z[3] = {0}, p[3], P[9], change[3] = {0}, worst = 0;
  for (int k = 0; k < d; k++) {
    int32_t row = a * d + k;
    z[k] = c->r[row] - s->rho[a] * c->u[row];
    change[k] =
        dr[row] - s->rho[a] * (slipi_dot(c->W + (ptrdiff_t)row * m, dr, m) + s->alpha * dr[row]);
  }
  slipi_law_project(&c->law[a], z, p);
  slipi_law_project_derivative(&c->law[a], z, P);
  for (int k = 0; k < d; k++) {
    const double *row = P + (ptrdiff_t)3 * k;
    double left = dr[a * d + k] - (row[0] * change[0] + row[1] * change[1] + row[2] * change[2]);
    worst = fmax(worst, fabs(left + c->r[a * d + k] - p[k]));
  }
  return worst;
}

static void test_the_step(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  for (int trial = 0; trial < 200; trial++) {
    int32_t d = trial % 2 ? 3 : 2, m = d * CONTACTS;
    Case c;
    make(&c, &random, d, trial % 5 ? m + RANK_MORE : m / 2);
    SlipiFewNormal *s = slipi_few_normal_create(&c.run);
    assert_non_null(s);
    slipi_few_normal_prepare(&c.run, c.W, c.largest, s);
    slipi_few_normal_start(&c.run, s);
    assert_true(s->applies);
    double A[SIZE * (SIZE + 4)], x[SIZE];
    assert_true(slipi_few_stride(m) <= SIZE + 4);
    memcpy(x, c.r, sizeof x);
    assert_true(slipi_few_normal_step(&c.run, s, c.W, c.u, A, x));
    double size = 1;
    for (int k = 0; k < m; k++) {
      x[k] -= c.r[k];
      size = fmax(size, fabs(x[k]));
    }
    for (int32_t a = 0; a < CONTACTS; a++)
      assert_true(residual(&c, s, a, x) <= 1e-8 * size);
    slipi_arena_free(&c.arena);
  }
}

/* Neither for a W that is not symmetric, nor for Coulomb's flow, nor where all is flat. */
static void test_where_it_applies(void **state) {
  (void)state;
  SlipiRandom random;
  Case c;
  slipi_random_seed(&random, 7);
  make(&c, &random, 3, SIZE);
  SlipiFewNormal *s = slipi_few_normal_create(&c.run);
  c.W[1] += 1e-6;
  slipi_few_normal_prepare(&c.run, c.W, c.largest, s);
  assert_false(s->applies);
  c.W[1] = c.W[SIZE];
  c.law[2].flow = SLIP_FLOW_COULOMB;
  assert_null(slipi_few_normal_create(&c.run));
  slipi_few_normal_prepare(&c.run, c.W, c.largest, s);
  assert_false(s->applies);
  for (int k = 0; k < CONTACTS; k++)
    c.law[k] = slipi_law(SLIP_FRICTIONLESS, 0);
  assert_null(slipi_few_normal_create(&c.run));
  slipi_arena_free(&c.arena);
}

/* Both eliminations, the definite one from the upper triangle alone. */
static void test_eliminations(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 11);
  for (int32_t n = 1; n <= SIZE; n++) {
    int32_t stride = slipi_few_stride(n);
    Case c;
    double A[SIZE * (SIZE + 4)] = {0}, upper[SIZE * (SIZE + 4)] = {0}, x[SIZE], y[SIZE];
    make(&c, &random, 3, SIZE);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        A[i * stride + j] = c.W[i * SIZE + j] + (i == j);
      A[i * stride + n] = c.u[i];
      memcpy(upper + (ptrdiff_t)i * stride + i, A + (ptrdiff_t)i * stride + i,
             (size_t)(stride - i) * sizeof *A);
    }
    assert_true(slipi_few_eliminate(n, stride, A, x));
    assert_true(slipi_few_eliminate_definite(n, stride, upper, y));
    for (int i = 0; i < n; i++) {
      assert_true(fabs(x[i] - y[i]) <= 1e-9);
      double sum = x[i] - c.u[i];
      for (int j = 0; j < n; j++)
        sum += c.W[i * SIZE + j] * x[j];
      assert_true(fabs(sum) <= 1e-9);
    }
  }
  double indefinite[2 * 4] = {1, 2, 0, 0, 0, 1, 0, 0}, x[2];
  assert_false(slipi_few_eliminate_definite(2, 4, indefinite, x));
}

/* The pile with sets that are rounded by spheroids of a tenth and a twentieth of its mean normal
 * impulse, solved by auto; returns the iterations of few, the second of which begin where Newton's
 * steps have led nowhere. */
static long rounded_iterations(uint64_t seed) {
  SlipGenerate options = generate_defaults("pile");
  options.contacts = 5;
  options.seed = seed;
  SlipProblem *pile = generate_with("pile", &options, NULL);
  Solved plain = solve_with(pile, "auto", "tol=1e-8", NULL);
  SlipLaws laws = *laws_of_problem(pile);
  int32_t nc = slip_problem_contacts(pile), kind[32];
  double along[32], across[32], mean = 0;
  assert_in_range(nc, 1, 32);
  for (int32_t a = 0; a < nc; a++)
    mean += plain.r[3 * a] / nc;
  for (int32_t a = 0; a < nc; a++) {
    kind[a] = SLIP_ROUNDED;
    along[a] = 0.1 * mean;
    across[a] = 0.05 * mean;
  }
  laws.kind = kind;
  laws.ball = along;
  laws.ball_tangential = across;
  SlipProblem *rounded = problem_with_laws(pile, &laws);
  Solved solved = solve_with(rounded, "auto", "tol=1e-8", NULL);
  assert_int_equal(solved.outcome, SLIP_SOLVED);
  assert_true(solved.reference <= 1e-8);
  free(plain.r);
  free(solved.r);
  slip_problem_free(rounded);
  slip_problem_free(pile);
  return (long)solved.iterations;
}

/* Newton's steps that went on only as long as the error fell took 36 iterations for 24 piles. */
static void test_piles(void **state) {
  (void)state;
  long iterations = 0;
  for (uint64_t seed = 1; seed <= 24; seed++)
    iterations += rounded_iterations(seed);
  assert_true(iterations <= 28);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_step),
      cmocka_unit_test(test_where_it_applies),
      cmocka_unit_test(test_eliminations),
      cmocka_unit_test(test_piles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
