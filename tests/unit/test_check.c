/* The existence check on kinematics whose answer is known by construction. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "data.h"
#include "kinematic_case.h"
#include "reference.h"
#include "solving.h"

static int full(void) {
  const char *text = getenv("SLIPCONE_FULL");
  return text && text[0] == '1';
}

/* Every verdict right and every certificate good to 1e-9. *known counts the margins found. */
static void check_case(const KinematicCase *wanted, const SlipProblem *problem, int *known) {
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *check;
  SlipError error;
  options.margin = 1;
  options.solve = 0;
  assert_int_equal(slip_check(problem, &options, &check, &error), SLIP_OK);
  if (wanted->margin < 0) {
    assert_int_equal(check->verdict,
                     wanted->frictionless ? SLIP_VERDICT_IMPOSSIBLE : check->verdict);
    assert_true(check->verdict == SLIP_VERDICT_NOT_CERTIFIED ||
                check->verdict == SLIP_VERDICT_IMPOSSIBLE);
    assert_int_equal(check->answer, check->verdict == SLIP_VERDICT_IMPOSSIBLE
                                        ? SLIP_ANSWER_NO
                                        : SLIP_ANSWER_UNDECIDED);
    assert_non_null(check->r);
    assert_null(check->v);
    ReferenceImpulse r = reference_impulse(problem, check->r);
    assert_true(r.outside <= 0);
    assert_true(r.imbalance <= 1e-9);
    assert_true(r.work < 0);
    assert_true(fabs(r.work - check->work) <= 1e-12 * check->scale);
    assert_true(fabs(r.sum - 1) <= 1e-9);
    if (check->verdict == SLIP_VERDICT_NOT_CERTIFIED) /* strong duality */
      assert_true(fabs(r.work - check->margin) <= 1e-8 * check->scale);
  } else {
    assert_int_equal(check->answer, SLIP_ANSWER_YES);
    assert_non_null(check->v);
    double margin = reference_margin(problem, check->v);
    assert_true(margin >= check->certified);
    if (wanted->margin > 0) {
      assert_int_equal(check->verdict, SLIP_VERDICT_ROBUST);
      assert_true(margin > 0);
    } else {
      assert_true(margin >= -1e-9 * check->scale);
    }
    /* The loaded contacts allow no more than the margin built in, and that is reached. */
    double far = fabs(check->margin - wanted->margin);
    assert_true(far <= 5e-9 * check->scale);
    *known += check->margin_known;
  }
  slip_check_free(check);
}

static void test_systems(void **state) {
  (void)state;
  int count = full() ? 1000 : 40, contacts = full() ? 500 : 60, known = 0;
  SlipiRandom random;
  slipi_random_seed(&random, 20);
  for (int k = 0; k < 2 * count; k++) {
    KinematicCase wanted = kinematic_random(&random, contacts);
    double size = slipi_random_between(&random, 0.001, 1);
    wanted.margin = k % 2 ? -size : k % 20 == 0 ? 0 : size;
    SlipProblem *problem = kinematic_problem(&wanted, &random);
    assert_non_null(problem);
    check_case(&wanted, problem, &known);
    slip_problem_free(problem);
  }
  assert_true(known >= 0.998 * count); /* the others are as near, without knowing it */
}

/* ---- The rod of Acary, Cadoux 2013 -------------------------------------------------------- */

static SlipCheck *check_kind(const char *kind, const SlipGenerate *options, int enumerate) {
  SlipProblem *problem;
  SlipCheck *check;
  SlipCheckOptions how = slip_default_check_options();
  how.enumerate = enumerate;
  assert_int_equal(slip_generate(kind, options, &problem, NULL, NULL), SLIP_OK);
  assert_int_equal(slip_check(problem, &how, &check, NULL), SLIP_OK);
  slip_problem_free(problem);
  return check;
}

/* Lemma 1 and section 4.5.7: whether the criterion holds, and how many solutions there are. With
 * g > 0 the rod can take off; it can also slide (u0 > 0), or stick with a family of impulses
 * (u0 = 0), where friction draws it down, mu > tan(angle). */
static void check_rod(double angle, double mu, double u0, double g) {
  SlipGenerate options = {
      .size = sizeof options, .contacts = 1, .dimension = 2, .mu = mu, .seed = 1};
  options.angle = angle;
  options.speed = u0;
  options.gravity = g;
  SlipCheck *check = check_kind("painleve", &options, 1);
  int jams = mu > tan(angle), holds = u0 <= 0 || !jams;
  int count = g < 0 ? holds : u0 >= 0 && jams ? 2 : 1;
  assert_true(check->enumerated);
  assert_int_equal(check->answer, count > 0 ? SLIP_ANSWER_YES : SLIP_ANSWER_NO);
  if (holds)
    assert_true(check->verdict == SLIP_VERDICT_ROBUST || check->verdict == SLIP_VERDICT_EXISTS);
  else
    assert_int_equal(check->verdict,
                     count > 0 ? SLIP_VERDICT_NOT_CERTIFIED : SLIP_VERDICT_IMPOSSIBLE);
  assert_int_equal(check->found_count, count);
  for (int k = 0; k < count; k++) {
    const SlipFound *found = &check->found[k];
    assert_int_equal(found->continuum, found->status[0] == SLIP_CONTACT_STICK);
    assert_int_equal(found->status[0] == SLIP_CONTACT_OPEN, g > 0 && found->r[0] == 0);
    assert_true(u0 == 0 || found->status[0] != SLIP_CONTACT_STICK);
    if (found->status[0] == SLIP_CONTACT_SLIP) /* (4.33), (4.34), (4.38) */
      assert_true(fabs(found->r[0] - fabs(tan(angle) / (tan(angle) + (u0 < 0 ? mu : -mu)))) <=
                  1e-6 * found->r[0]);
  }
  slip_check_free(check);
}

static void test_rod(void **state) {
  (void)state;
  int n = full() ? 100 : 20;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      double angle = 1.5707963267948966 * (i + 0.5) / n, mu = 3 * (k + 0.3) / n;
      for (int u0 = -1; u0 <= 1; u0++)
        for (int g = -1; g <= 1; g += 2)
          check_rod(angle, mu, u0, g);
    }
  /* Close to the boundary, from both sides. */
  for (int k = 0; k < 40; k++) {
    double mu = 0.1 + 0.07 * k;
    for (double off = 1e-3; off > 5e-10; off *= 0.1)
      for (int side = -1; side <= 1; side += 2)
        for (int g = -1; g <= 1; g += 2)
          check_rod(atan(mu + side * off), mu, 1, g);
  }
}

/* ---- The other examples ------------------------------------------------------------------- */

static void expect(const char *kind, int dimension, double mu, double angle, double speed,
                   SlipVerdict verdict, SlipCheckGround ground) {
  SlipGenerate options = slip_default_generate();
  assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
  options.dimension = dimension;
  options.mu = mu;
  options.angle = angle;
  options.speed = speed;
  SlipCheck *check = check_kind(kind, &options, 0);
  assert_int_equal(check->verdict, verdict);
  assert_int_equal(check->ground, ground);
  assert_int_equal(check->answer,
                   verdict == SLIP_VERDICT_IMPOSSIBLE ? SLIP_ANSWER_NO : SLIP_ANSWER_YES);
  assert_true(strlen(check->reason) > 10);
  slip_check_free(check);
}

static void test_examples(void **state) {
  (void)state;
  for (int d = 2; d <= 3; d++) {
    expect("crushed", d, 0.5, 0, 1, SLIP_VERDICT_IMPOSSIBLE, SLIP_CHECK_BY_PENETRATION);
    expect("crushed", d, 0, 0, 1, SLIP_VERDICT_IMPOSSIBLE, SLIP_CHECK_BY_FRICTIONLESS);
    expect("crushed", d, 0.5, 0, -1, SLIP_VERDICT_ROBUST, SLIP_CHECK_BY_MARGIN);
    expect("crushed", d, 0, 0, -1, SLIP_VERDICT_ROBUST, SLIP_CHECK_BY_FRICTIONLESS);
    expect("crushed", d, 0.5, 0, 0, SLIP_VERDICT_EXISTS, SLIP_CHECK_BY_ZERO_W);
    expect("walls", d, 0.5, 0, 0.1, SLIP_VERDICT_IMPOSSIBLE, SLIP_CHECK_BY_PENETRATION);
    expect("walls", d, 0.5, 0, -0.1, SLIP_VERDICT_ROBUST, SLIP_CHECK_BY_MARGIN);
    expect("drum", d, 0.5, 0, 1, SLIP_VERDICT_ROBUST, SLIP_CHECK_BY_KERNEL);
    expect("elastic", d, 0.3, 0, 0, SLIP_VERDICT_ROBUST, SLIP_CHECK_BY_FULL_RANK);
    expect("random", d, 0.5, 0, 0, SLIP_VERDICT_ROBUST,
           SLIP_CHECK_BY_FULL_RANK); /* W positive definite */
  }
}

/* A ball between two plates that move as one: w = -H' v for their velocity v. The ball cannot leave
 * both, so that the margin is 0. Then with both plates held to it by bilateral contacts, which w
 * allows or not. */
static SlipProblem *plates(SlipLaw law, const int32_t *bound, double apart) {
  /* by columns: floor (N, T), ceiling (N, T); rows: x, y, rotation */
  static const double H[12] = {0, 1, 0, 1, 0, 1, 0, -1, 0, -1, 0, 1};
  static const double M[9] = {2, 0.1, 0, 0.1, 2, 0, 0, 0, 1}, f[3] = {0, -1, 0}, mu[2] = {0.5, 0.5};
  const double w[4] = {0.7, -0.3, -0.7 - apart, 0.3};
  const int32_t laws[2] = {law, law};
  SlipGlobalData data = GLOBAL_DATA(.dimension = 2, .contacts = 2, .M = slip_dense(3, 3, M));
  data.H = (SlipMatrix){SLIP_DENSE, 3, 4, 12, NULL, NULL, H};
  data.f = f;
  data.w = w;
  data.laws = LAWS(.kind = laws, .mu = mu, .bound = bound);
  SlipProblem *problem;
  SlipError error;
  assert_int_equal(slip_problem_create_global(&data, &problem, &error), SLIP_OK);
  return problem;
}

static void check_plates_bound(SlipLaw law, const int32_t *bound, double apart, SlipVerdict verdict,
                               SlipCheckGround ground) {
  SlipProblem *problem = plates(law, bound, apart);
  SlipCheck *check;
  assert_int_equal(slip_check(problem, NULL, &check, NULL), SLIP_OK);
  assert_int_equal(check->verdict, verdict);
  assert_int_equal(check->ground, ground);
  assert_true(check->mass_verified);
  slip_check_free(check);
  slip_problem_free(problem);
}

static void check_plates(SlipLaw law, double apart, SlipVerdict verdict, SlipCheckGround ground) {
  check_plates_bound(law, NULL, apart, verdict, ground);
}

/* Only what is bound can contradict: the plates' normals, and with them apart != 0. */
static void test_partly_bound_plates(void **state) {
  (void)state;
  static const int32_t normals[2] = {1, 1}, tangents[2] = {2, 2}, one[2] = {3, 2}, none[2] = {0, 0};
  const SlipLaw law = SLIP_BILATERAL;
  check_plates_bound(law, normals, 0.1, SLIP_VERDICT_IMPOSSIBLE, SLIP_CHECK_BY_PENETRATION);
  check_plates_bound(law, normals, 0, SLIP_VERDICT_EXISTS, SLIP_CHECK_BY_RANGE);
  check_plates_bound(law, tangents, 0.1, SLIP_VERDICT_EXISTS, SLIP_CHECK_BY_RANGE);
  check_plates_bound(law, one, 0.1, SLIP_VERDICT_EXISTS, SLIP_CHECK_BY_RANGE);
  check_plates_bound(law, none, 0.1, SLIP_VERDICT_EXISTS, SLIP_CHECK_BY_RANGE);
}

static void test_plates(void **state) {
  (void)state;
  check_plates(SLIP_COULOMB, 0, SLIP_VERDICT_EXISTS, SLIP_CHECK_BY_RANGE);
  check_plates(SLIP_COULOMB, 0.1, SLIP_VERDICT_IMPOSSIBLE, SLIP_CHECK_BY_PENETRATION);
  check_plates(SLIP_COULOMB, -0.1, SLIP_VERDICT_ROBUST, SLIP_CHECK_BY_MARGIN);
  check_plates(SLIP_BILATERAL, 0, SLIP_VERDICT_EXISTS, SLIP_CHECK_BY_RANGE);
  check_plates(SLIP_BILATERAL, 0.1, SLIP_VERDICT_IMPOSSIBLE, SLIP_CHECK_BY_PENETRATION);
  check_plates(SLIP_BILATERAL, -0.1, SLIP_VERDICT_IMPOSSIBLE, SLIP_CHECK_BY_PENETRATION);
}

/* Bodies that rest on others can all be parted: found without factoring anything. Where it is not,
 * the program has to say that it cannot be (some of the spheres in a box are caught). */
static void test_separation(void **state) {
  (void)state;
  static const char *const kinds[] = {"pile", "wall", "stack", "slope", "elastic", "drum"};
  int caught = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    for (int d = 2; d <= 3; d++) {
      SlipGenerate options = slip_default_generate();
      SlipProblem *problem;
      SlipCheck *check;
      SlipCheckOptions how = slip_default_check_options();
      assert_int_equal(slip_generate_defaults(kinds[k], &options, NULL), SLIP_OK);
      options.dimension = d;
      options.contacts = 150;
      assert_int_equal(slip_generate(kinds[k], &options, &problem, NULL, NULL), SLIP_OK);
      how.margin = 1;
      assert_int_equal(slip_check(problem, &how, &check, NULL), SLIP_OK);
      assert_true(check->margin_known);
      if (check->iterations > 0) {
        caught++;
        assert_int_equal(check->verdict, SLIP_VERDICT_EXISTS);
        assert_true(check->margin == 0);
      } else {
        double margin = reference_margin(problem, check->v);
        assert_int_equal(check->verdict, SLIP_VERDICT_ROBUST);
        assert_true(isinf(check->margin) && check->certified > 0 && margin >= check->certified);
      }
      slip_check_free(check);
      slip_problem_free(problem);
    }
  assert_true(caught <= 1);
}

/* The search's steps hardly grow with a pile: most contacts are inside soon, and the few that are
 * left do not need the others to move on. */
static void test_search_steps(void **state) {
  (void)state;
  for (int32_t contacts = 1250; contacts <= 20000; contacts *= 4) {
    SlipGenerate options = slip_default_generate();
    SlipProblem *problem;
    SlipCheck *check;
    assert_int_equal(slip_generate_defaults("pile", &options, NULL), SLIP_OK);
    options.contacts = contacts;
    assert_int_equal(slip_generate("pile", &options, &problem, NULL, NULL), SLIP_OK);
    assert_int_equal(slip_check(problem, NULL, &check, NULL), SLIP_OK);
    assert_int_equal(check->ground, SLIP_CHECK_BY_KERNEL);
    assert_true(reference_margin(problem, check->v) >= check->certified && check->certified > 0);
    assert_in_range(check->search, 1, 160);
    slip_check_free(check);
    slip_problem_free(problem);
  }
}

/* A lid that comes down on a pile asks for more than the spheres can give; one that lifts leaves
 * them a margin, in proportion to its speed. */
static void test_press(void **state) {
  (void)state;
  for (int d = 2; d <= 3; d++) {
    double margin[3];
    for (int k = 0; k < 3; k++) {
      SlipGenerate options = slip_default_generate();
      assert_int_equal(slip_generate_defaults("press", &options, NULL), SLIP_OK);
      options.contacts = 200;
      options.dimension = d;
      options.speed = k == 0 ? 0.1 : -0.1 * k;
      SlipProblem *problem;
      SlipCheckOptions how = slip_default_check_options();
      SlipCheck *check;
      how.solve = 0;
      assert_int_equal(slip_generate("press", &options, &problem, NULL, NULL), SLIP_OK);
      assert_int_equal(slip_check(problem, &how, &check, NULL), SLIP_OK);
      assert_true(check->margin_known && check->iterations > 0);
      margin[k] = check->margin;
      if (k == 0) {
        ReferenceImpulse r = reference_impulse(problem, check->r);
        assert_true(check->verdict == SLIP_VERDICT_NOT_CERTIFIED ||
                    check->verdict == SLIP_VERDICT_IMPOSSIBLE);
        assert_true(r.outside <= 0 && r.imbalance <= 1e-9 && r.work < 0);
      } else {
        assert_int_equal(check->verdict, SLIP_VERDICT_ROBUST);
        assert_true(reference_margin(problem, check->v) >= check->certified);
        assert_true(fabs(check->certified - check->margin) <= 1e-8 * check->scale);
      }
      slip_check_free(check);
      slip_problem_free(problem);
    }
    assert_true(margin[0] < 0 && margin[1] > 0);
    assert_true(fabs(margin[2] - 2 * margin[1]) <= 1e-8);
  }
}

/* M of rigid bodies is looked at by the way; that of finite elements where it is asked for. */
static void test_mass(void **state) {
  (void)state;
  SlipProblem *problem;
  SlipCheckOptions options = slip_default_check_options();
  assert_int_equal(slip_generate("elastic", NULL, &problem, NULL, NULL), SLIP_OK);
  for (options.mass = 0; options.mass <= 1; options.mass++) {
    SlipCheck *check;
    assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
    assert_int_equal(check->mass_verified, options.mass);
    assert_int_equal(strstr(check->reason, "M is taken to be positive definite") != NULL,
                     !options.mass);
    slip_check_free(check);
  }
  slip_problem_free(problem);
  static const double H[4] = {1, 0, 0, 1}, M[4] = {1, 2, 2, 1}, zero[2] = {0, 0}, mu = 0.5;
  SlipGlobalData data =
      GLOBAL_DATA(.dimension = 2, .contacts = 1, .M = slip_dense(2, 2, M), .H = slip_dense(2, 2, H),
                  .f = zero, .w = zero, .laws = LAWS(.mu = &mu));
  SlipError error;
  SlipCheck *check;
  assert_int_equal(slip_problem_create_global(&data, &problem, NULL), SLIP_OK);
  assert_int_equal(slip_check(problem, NULL, &check, &error), SLIP_ERROR_PROBLEM);
  assert_string_equal(error.text, "M is not positive definite: the pivot of row 1 is not positive");
  slip_problem_free(problem);
}

/* Inertia: a full block of 3 after rows that stand alone; its pivots are 2, 3/2 and the last - 2/3.
 */
static void test_inertia(void **state) {
  (void)state;
  for (int bad = 0; bad <= 1; bad++) {
    double M[36] = {0}, H[18] = {0}, zero[6] = {0}, mu = 0.5;
    for (int k = 0; k < 3; k++) {
      M[7 * k] = H[7 * k] = 1;
      for (int j = 0; j < 3; j++)
        M[6 * (3 + k) + 3 + j] = j == k ? 2 : 1;
    }
    M[35] = bad ? 0.6 : 0.7;
    SlipGlobalData data =
        GLOBAL_DATA(.dimension = 3, .contacts = 1, .M = slip_dense(6, 6, M),
                    .H = slip_dense(6, 3, H), .f = zero, .w = zero, .laws = LAWS(.mu = &mu));
    SlipProblem *problem;
    SlipError error;
    SlipCheck *check;
    assert_int_equal(slip_problem_create_global(&data, &problem, NULL), SLIP_OK);
    assert_int_equal(slip_check(problem, NULL, &check, &error), bad ? SLIP_ERROR_PROBLEM : SLIP_OK);
    if (bad)
      assert_string_equal(error.text,
                          "M is not positive definite: the pivot of row 5 is not positive");
    else
      assert_true(check->mass_verified);
    slip_check_free(check);
    slip_problem_free(problem);
  }
}

/* Where the criterion fails, a solution that is known is a proof. */
static void test_given(void **state) {
  (void)state;
  SlipProblem *problem;
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *check;
  /* gravity upwards, tan(angle) = 1 < mu = 2: r_N = tan / (mu - tan) slides, (4.38) */
  assert_int_equal(slip_generate("painleve-up", NULL, &problem, NULL, NULL), SLIP_OK);
  options.enumerate = 1;
  assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
  double r[2] = {0};
  for (int k = 0; k < check->found_count; k++)
    if (check->found[k].status[0] == SLIP_CONTACT_SLIP)
      memcpy(r, check->found[k].r, sizeof r);
  assert_true(r[0] > 0);
  slip_check_free(check);
  options = slip_default_check_options();
  options.solve = 0;
  options.r = r;
  for (int k = 0; k < 2; k++) {
    assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
    assert_int_equal(check->verdict, SLIP_VERDICT_NOT_CERTIFIED);
    assert_int_equal(check->answer, SLIP_ANSWER_YES);
    assert_int_equal(check->ground, k == 0 ? SLIP_CHECK_BY_GIVEN : SLIP_CHECK_BY_OPEN);
    assert_int_equal(check->found[0].status[0], k == 0 ? SLIP_CONTACT_SLIP : SLIP_CONTACT_OPEN);
    slip_check_free(check);
    r[0] *= 1 + 1e-6; /* no longer one: what else there is must be found */
  }
  slip_problem_free(problem);
}

/* One contact in 3D by the quartic: with W = 0 and q_N < 0 there is none. */
static void test_one_contact(void **state) {
  (void)state;
  SlipCheck *check = check_kind("one", NULL, 1);
  assert_true(check->enumerated);
  assert_int_equal(check->found_count, 1);
  assert_true(fabs(check->found[0].r[0] - 10.2059) < 1e-4);
  slip_check_free(check);
}

/* Every solution an enumeration lists is one, with joints and relaxed contacts too; W is positive
 * definite, so that there is one. */
static void expect_enumerated(SlipProblem *problem, const double *known) {
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *check;
  int same = 0;
  int32_t m = slip_problem_dimension(problem) * slip_problem_contacts(problem);
  options.enumerate = 1;
  assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
  assert_true(check->enumerated && check->found_count > 0);
  for (int k = 0; k < check->found_count; k++) {
    double away = 0;
    assert_true(reference_error(problem, check->found[k].r) < 1e-9);
    assert_false(check->found[k].continuum);
    for (int32_t i = 0; known && i < m; i++)
      away = fmax(away, fabs(check->found[k].r[i] - known[i]));
    same += away < 1e-6;
  }
  assert_true(same >= 1);
  slip_check_free(check);
  slip_problem_free(problem);
}

static void test_enumerated_laws(void **state) {
  (void)state;
  double *known;
  SlipProblem *joints = generate_problem("joints", 9, 2, &known);
  expect_enumerated(joints, known);
  free(known);
  expect_enumerated(generate_problem("bilateral", 9, 2, NULL), NULL);
  expect_enumerated(generate_mixed("random", 8, 2), NULL);
  expect_enumerated(generate_mixed("joints", 9, 2), NULL);
  for (int flow = 0; flow < 2; flow++) { /* one contact in 3D */
    const int32_t flows[1] = {flow};
    SlipProblem *one = generate_problem("one", 1, 3, NULL);
    SlipLaws laws = *laws_of_problem(one);
    laws.flow = flows;
    expect_enumerated(problem_with_laws(one, &laws), NULL);
    slip_problem_free(one);
  }
}

static void refused(const SlipProblem *problem, const SlipCheckOptions *options, const char *text) {
  SlipCheck *check = (SlipCheck *)&check;
  SlipError error;
  assert_int_equal(slip_check(problem, options, &check, &error), SLIP_ERROR_ARGUMENT);
  assert_string_equal(error.text, text);
  assert_null(check);
}

static void test_bad_input(void **state) {
  (void)state;
  SlipProblem *problem;
  SlipCheckOptions options = slip_default_check_options();
  assert_int_equal(slip_generate("painleve", NULL, &problem, NULL, NULL), SLIP_OK);
  refused(NULL, NULL, "the problem to check is NULL");
  options.tol = -1;
  refused(problem, &options, "the tolerance of a check is from 0 to below 1, not -1");
  options = slip_default_check_options();
  options.time_limit = NAN;
  refused(problem, &options, "the time limit of a check is at least 0 seconds, not nan");
  options = slip_default_check_options();
  options.nodes = -2;
  refused(problem, &options, "the nodes of an enumeration are at least 0, not -2");
  options.size = 0;
  refused(problem, &options,
          "the size of a struct is 0: make it with slip_default_check_options()");
  assert_int_equal(slip_check(problem, NULL, NULL, NULL), SLIP_ERROR_ARGUMENT);
  slip_check_free(NULL);
  assert_string_equal(slip_verdict_name(SLIP_VERDICT_IMPOSSIBLE), "NO SOLUTION");
  assert_string_equal(slip_verdict_name((SlipVerdict)99), "UNKNOWN");
  assert_string_equal(slip_check_ground_name(SLIP_CHECK_BY_SOLVING), "solving");
  /* No time, no nodes: undecided rather than wrong. */
  SlipCheck *check;
  options = slip_default_check_options();
  options.time_limit = 0;
  options.enumerate = 1;
  options.solve = 0;
  assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
  assert_int_equal(check->answer, SLIP_ANSWER_UNDECIDED);
  slip_check_free(check);
  slip_problem_free(problem);
}

/* A progress function that ends the check the nth time it is asked. */
static int end_check(const SlipProgress *progress, void *user) {
  int *left = user;
  assert_true(progress->seconds >= 0);
  return --*left < 0;
}

/* Whenever it is ended, the check is undecided and says why; nobody asked ends nothing. */
static void test_interrupted(void **state) {
  SlipProblem *problem;
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *check;
  int left = 0;
  (void)state;
  assert_int_equal(slip_generate("painleve", NULL, &problem, NULL, NULL), SLIP_OK);
  options.solve = 0;
  options.progress = end_check;
  options.progress_user = &left;
  assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
  assert_true(left < 0);
  assert_int_equal(check->answer, SLIP_ANSWER_UNDECIDED);
  assert_non_null(strstr(check->reason, "interrupted"));
  slip_check_free(check);
  left = 1 << 30;
  assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
  assert_true(left < 1 << 30);
  assert_null(strstr(check->reason, "interrupted"));
  slip_check_free(check);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_systems),     cmocka_unit_test(test_interrupted),
      cmocka_unit_test(test_rod),         cmocka_unit_test(test_examples),
      cmocka_unit_test(test_plates),      cmocka_unit_test(test_partly_bound_plates),
      cmocka_unit_test(test_separation),  cmocka_unit_test(test_mass),
      cmocka_unit_test(test_press),       cmocka_unit_test(test_given),
      cmocka_unit_test(test_one_contact), cmocka_unit_test(test_enumerated_laws),
      cmocka_unit_test(test_inertia),     cmocka_unit_test(test_search_steps),
      cmocka_unit_test(test_bad_input)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
