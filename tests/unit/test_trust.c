/* No SOLVED that the physical checker rejects: problems made to mislead, every method, tolerances
 * from 1e-4 to 1e-10. The number of runs is printed. TRUST_SECONDS asks for more of them,
 * TRUST_SEED for others: a failure names its seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/random.h"
#include "contact/rolling.h"
#include "physical.h"
#include "reference.h"
#include "solving.h"

enum { MOST = 50, CASES = 9 };

/* The library asks for its own measure to be within 10 tol; the checker's is the same to a factor
 * of 2 (see physical.h). */
static const double SLACK = 20;

typedef struct Case {
  int32_t d, nc;
  double W[9 * MOST * MOST], q[3 * MOST], mu[MOST], root[3 * MOST * 3 * MOST];
} Case;

static double log_uniform(SlipiRandom *random, double low, double high) {
  return exp(log(low) + slipi_random_unit(random) * (log(high) - log(low)));
}

/* W = B B' of `rank` columns, as bodies would give it, dense or not. */
static void fill_W(Case *c, SlipiRandom *random) {
  int32_t m = c->d * c->nc, rank = 1 + (int32_t)(slipi_random_unit(random) * 1.5 * m);
  bool sparse = slipi_random_unit(random) < 0.5;
  rank = rank > m ? m : rank;
  for (int32_t i = 0; i < m * rank; i++)
    c->root[i] = sparse && slipi_random_unit(random) < 0.7 ? 0 : slipi_random_normal(random);
  for (int32_t i = 0; i < m; i++)
    for (int32_t j = 0; j < m; j++) {
      double sum = 0;
      for (int32_t k = 0; k < rank; k++)
        sum += c->root[i * rank + k] * c->root[j * rank + k];
      c->W[i * m + j] = sum / rank + (i == j && !sparse ? 1e-3 : 0);
    }
}

/* Contact by contact over 24 decades, or all at once; sometimes skewed, sometimes one contact
 * twice. */
static void distort(Case *c, SlipiRandom *random) {
  int32_t d = c->d, m = d * c->nc;
  double decades = slipi_random_unit(random) < 0.5 ? 0 : 12 * slipi_random_unit(random);
  double factor[MOST], all = log_uniform(random, 1e-12, 1e12);
  bool one = slipi_random_unit(random) < 0.3;
  for (int32_t a = 0; a < c->nc; a++)
    factor[a] = pow(10, decades * (slipi_random_unit(random) - 0.5)) * (one ? sqrt(all) : 1);
  for (int32_t i = 0; i < m; i++)
    for (int32_t j = 0; j < m; j++)
      c->W[i * m + j] *= factor[i / d] * factor[j / d];
  if (slipi_random_unit(random) < 0.2)
    for (int32_t i = 0; i < m; i++)
      for (int32_t j = 0; j < i; j++) {
        double skew = 0.1 * (slipi_random_unit(random) - 0.5) * c->W[i * m + j];
        c->W[i * m + j] += skew;
        c->W[j * m + i] -= skew;
      }
}

static void fill_mu(Case *c, SlipiRandom *random) {
  static const double some[] = {0, 1e-6, 0.1, 0.5, 1, 10, 1e3, 1e6, 1e9, 1e12};
  double common = some[(int)(slipi_random_unit(random) * 9.999)];
  bool mixed = slipi_random_unit(random) < 0.4;
  for (int32_t a = 0; a < c->nc; a++)
    c->mu[a] = mixed ? some[(int)(slipi_random_unit(random) * 9.999)] : common;
}

static void fill_q(Case *c, SlipiRandom *random) {
  static const double sizes[] = {1, 1, 1, 1e-9, 1e9, 1e-20, 1e-150, 1e150};
  double size = sizes[(int)(slipi_random_unit(random) * 7.999)];
  for (int32_t k = 0; k < c->d * c->nc; k++)
    c->q[k] = size * (slipi_random_normal(random) - (k % c->d == 0 ? 1 : 0));
}

/* The last contact is the first one again. */
static void duplicate(Case *c) {
  int32_t d = c->d, m = d * c->nc, last = m - d;
  for (int32_t k = 0; k < d; k++) {
    for (int32_t j = 0; j < m; j++)
      c->W[(last + k) * m + j] = c->W[k * m + j];
    for (int32_t i = 0; i < m; i++)
      c->W[i * m + last + k] = c->W[i * m + k];
    c->q[last + k] = c->q[k];
  }
}

static SlipProblem *make_problem(Case *c, uint64_t seed) {
  SlipiRandom random;
  SlipLocalData data = slip_default_local_data();
  SlipLaws laws = slip_default_laws();
  SlipProblem *problem = NULL;
  slipi_random_seed(&random, seed);
  c->d = slipi_random_unit(&random) < 0.3 ? 2 : 3;
  c->nc = 1 + (int32_t)(log_uniform(&random, 1, MOST) - 1e-9);
  c->nc = c->nc > MOST ? MOST : c->nc;
  fill_W(c, &random);
  distort(c, &random);
  fill_mu(c, &random);
  fill_q(c, &random);
  if (c->nc > 2 && slipi_random_unit(&random) < 0.2)
    duplicate(c);
  data.dimension = c->d;
  data.contacts = c->nc;
  data.W = slip_dense(c->d * c->nc, c->d * c->nc, c->W);
  data.q = c->q;
  laws.mu = c->mu;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  return problem;
}

/* 1 where a method says SOLVED wrongly. */
static int is_false(const SlipProblem *problem, const SlipMethodInfo *method, double tol,
                    uint64_t seed, int *solved) {
  SlipSettings *settings;
  SlipSolver *solver = NULL;
  int wrong = 0;
  assert_int_equal(slip_settings_create(method->name, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set_real(settings, "tol", tol, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "max-iter", "60", NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "time-limit", "0.5", NULL), SLIP_OK);
  if (slip_solver_create(problem, settings, &solver, NULL) == SLIP_OK &&
      slip_solver_run(solver, NULL) == SLIP_OK &&
      slip_solver_result(solver)->outcome == SLIP_SOLVED) {
    Physical found;
    const SlipResult *result = slip_solver_result(solver);
    ++*solved;
    assert_int_equal(physical_check(problem, result->r, method->associated, &found), 0);
    wrong = !(found.total <= SLACK * tol);
    if (wrong)
      print_message("seed %llu, %s, tol %g: SOLVED with %s of %g in contact %d of %d, %g in all "
                    "(error %g, physical %g)\n",
                    (unsigned long long)seed, method->name, tol, physical_part_names[found.part],
                    found.worst, (int)found.contact, (int)result->contacts, found.total,
                    result->residual, result->physical);
    free(found.of_contact);
  }
  slip_solver_free(solver);
  slip_settings_free(settings);
  return wrong;
}

static double number_of(const char *variable, double otherwise) {
  const char *text = getenv(variable);
  return text ? atof(text) : otherwise;
}

static void test_solved_is_solved(void **state) {
  const double tols[] = {1e-4, 1e-6, 1e-8, 1e-10};
  double seconds = number_of("TRUST_SECONDS", 0), began = (double)time(NULL);
  uint64_t first = (uint64_t)number_of("TRUST_SEED", 1), seed = first;
  Case *c = malloc(sizeof *c);
  int runs = 0, solved = 0, wrong = 0;
  (void)state;
  for (; seed < first + CASES || (double)time(NULL) < began + seconds; seed++) {
    SlipProblem *problem = make_problem(c, seed);
    /* Each problem meets a third of the methods, the next ones in turn. */
    for (int i = (int)(seed % 3); i < slip_method_count(); i += 3, runs++)
      wrong +=
          is_false(problem, slip_method_info(i), tols[(seed + (uint64_t)i) % 4], seed, &solved);
    slip_problem_free(problem);
  }
  print_message("%d runs on %d problems, %d of them SOLVED, %d wrongly\n", runs,
                (int)(seed - first), solved, wrong);
  free(c);
  assert_int_equal(wrong, 0);
  assert_true(solved > runs / 20);
}

/* Problems on which runs have said SOLVED wrongly: velocities that were rounding, or rounded away.
 */
static void test_rounding(void **state) {
  static const struct {
    uint64_t seed;
    const char *method;
  } rows[] = {{7951, "aclm-faceted"}, {539, "auto"}};
  const double tols[] = {1e-8, 1e-10, 1e-12};
  Case *c = malloc(sizeof *c);
  (void)state;
  for (int k = 0; k < 6; k++) {
    const SlipMethodInfo *method = slip_method_find(rows[k / 3].method);
    SlipProblem *problem = make_problem(c, rows[k / 3].seed);
    int solved = 0;
    assert_int_equal(is_false(problem, method, tols[k % 3], rows[k / 3].seed, &solved), 0);
    slip_problem_free(problem);
  }
  free(c);
}

/* Methods for the convex relaxation say what they have solved, and how far that is from Coulomb's
 * law; so far it is from the checkers' too. */
static void test_relaxations_say_so(void **state) {
  SlipProblem *problem = generate_problem("wall", 100, 3, NULL);
  int relaxations = 0;
  (void)state;
  for (int i = 0; i < slip_method_count(); i++) {
    const SlipMethodInfo *method = slip_method_info(i);
    SlipSettings *settings;
    SlipSolver *solver;
    double physical;
    Physical found;
    if (!method->associated && strcmp(method->name, "auto") != 0)
      continue;
    assert_int_equal(slip_settings_create(method->name, &settings, NULL), SLIP_OK);
    assert_int_equal(slip_settings_set(settings, "max-iter", "1000", NULL), SLIP_OK);
    assert_int_equal(slip_settings_set(settings, "tol", "1e-4", NULL), SLIP_OK);
    assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
    assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
    const SlipResult *result = slip_solver_result(solver);
    double reference = reference_error(problem, result->r);
    assert_int_equal(result->relaxed, method->associated);
    assert_true(fabs(result->coulomb_residual - reference) <= 1e-9 + 1e-9 * reference);
    if (method->associated && result->outcome == SLIP_SOLVED) {
      relaxations++;
      assert_true(result->coulomb_residual > 1e-2);
      assert_non_null(strstr(result->reason, "with Coulomb's law the error is 0.07"));
    }
    assert_int_equal(slip_problem_physical(problem, result->r, &physical, NULL), SLIP_OK);
    assert_int_equal(physical_check(problem, result->r, 0, &found), 0);
    assert_true(physical <= 2 * found.total + 1e-9 && found.total <= 2 * physical + 1e-9);
    free(found.of_contact);
    slip_solver_free(solver);
    slip_settings_free(settings);
  }
  assert_true(relaxations >= 4);
  slip_problem_free(problem);
}

/* A pull that is small beside the velocity of a contact that comes apart is seen to the last bit.
 */
static void test_small_pull(void **state) {
  (void)state;
  static const double mus[] = {0, 0.5, 1e3};
  const double u[6] = {1e9, -2e8, 3e8, 1e8}, r[6] = {-2e-8};
  double e[6];
  for (int k = 0; k < 3; k++) {
    SlipiLaw law = slipi_law(SLIP_COULOMB, mus[k]);
    assert_true(sqrt(slipi_law_natural_map(&law, 1, u, r, e)) == 2e-8);
  }
  const SlipiRolling rolling = {.slide = 0.5, .roll = 0.1, .spin = 0.1};
  slipi_rolling_natural_map(&rolling, 1, u, r, e);
  for (int k = 0; k < 6; k++)
    assert_true(e[k] == r[k]);
}

static SlipProblem *make_one(int32_t d, const double *W, const double *q, double mu) {
  SlipLocalData data = slip_default_local_data();
  SlipLaws laws = slip_default_laws();
  SlipProblem *problem = NULL;
  laws.mu = &mu;
  data.dimension = d;
  data.contacts = 1;
  data.W = slip_dense(d, d, W);
  data.q = q;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  return problem;
}

/* One contact on W = 1, pressed with 1 and pulled along the tangent. */
static SlipProblem *make_pulled(double pull, double mu) {
  const double W[4] = {1, 0, 0, 1}, q[2] = {-1, -pull};
  return make_one(2, W, q, mu);
}

/* Methods see a smaller mu of rough contacts: those that hold are held, however large mu is, and
 * those that slide do so with the friction of the mu given. */
static void test_rough_contacts(void **state) {
  static const struct {
    double pull, mu, friction;
  } cases[] = {{50, 1e12, 50},  {5e3, 1e12, 5e3}, {999, 1e3, 999}, {2e3, 1e3, 1e3},
               {300, 150, 150}, {2e6, 1e6, 1e6},  {2e5, 1e5, 1e5}, {99, 101, 99}};
  static const char *const methods[] = {"auto", "nsgs", "alm"};
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
      SlipProblem *problem = make_pulled(cases[k].pull, cases[k].mu);
      Solved solved = solve_with(problem, methods[i], "tol=1e-8 max-iter=10000", NULL);
      double error, physical;
      if (solved.outcome != SLIP_SOLVED)
        print_message("%s, pull %g, mu %g: %s\n", methods[i], cases[k].pull, cases[k].mu,
                      solved.reason);
      assert_int_equal(solved.outcome, SLIP_SOLVED);
      assert_true(fabs(solved.r[0] - 1) <= 1e-6 * cases[k].pull);
      assert_true(fabs(solved.r[1] - cases[k].friction) <= 1e-6 * cases[k].pull);
      assert_int_equal(slip_problem_residual(problem, solved.r, &error, NULL, NULL), SLIP_OK);
      assert_int_equal(slip_problem_physical(problem, solved.r, &physical, NULL), SLIP_OK);
      assert_true(error <= 1e-8 && physical <= 1e-7);
      free(solved.r);
      slip_problem_free(problem);
    }
}

/* One contact with any W and q: where it slides, r_N = |r_T| / mu is so small that a smaller mu in
 * its place would be seen at a tolerance of 1e-8. */
static void test_one_rough_contact(void **state) {
  enum { TRIALS = 20 };
  static const double mu[] = {1e7, 1e9, 1e12};
  SlipiRandom random;
  (void)state;
  slipi_random_seed(&random, 3);
  for (int k = 0; k < 3 * TRIALS; k++) {
    double A[9], W[9] = {0}, q[3], friction = mu[k % 3], physical;
    for (int i = 0; i < 9; i++)
      A[i] = slipi_random_normal(&random);
    for (int i = 0; i < 3; i++)
      q[i] = slipi_random_normal(&random);
    for (int i = 0; i < 9; i++) {
      W[i] = i % 4 == 0 ? 0.3 : 0;
      for (int j = 0; j < 3; j++)
        W[i] += A[3 * (i / 3) + j] * A[3 * (i % 3) + j];
    }
    SlipProblem *problem = make_one(3, W, q, friction);
    Solved solved = solve_with(problem, "auto", "tol=1e-8", NULL);
    if (solved.outcome != SLIP_SOLVED)
      print_message("trial %d, mu %g: %s\n", k, friction, solved.reason);
    assert_int_equal(solved.outcome, SLIP_SOLVED);
    assert_int_equal(slip_problem_physical(problem, solved.r, &physical, NULL), SLIP_OK);
    assert_true(physical <= 1e-7);
    free(solved.r);
    slip_problem_free(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_rough_contact), cmocka_unit_test(test_solved_is_solved),
      cmocka_unit_test(test_rounding),          cmocka_unit_test(test_rough_contacts),
      cmocka_unit_test(test_small_pull),        cmocka_unit_test(test_relaxations_say_so)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
