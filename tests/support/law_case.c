#include "law_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "reference.h"
#include "solving.h"

/* r = P_K(z) and u + g(u) = P_K(z) - z for a random z: each of the statuses comes up. */
static void choose(SlipiRandom *random, const SlipLaws *laws, int32_t a, int d, double *r,
                   double *u) {
  long double z[3] = {0}, p[3], slide = 0;
  for (int k = 0; k < d; k++)
    p[k] = z[k] = slipi_random_normal(random);
  reference_project(laws, a, d, p);
  for (int k = 0; k < d; k++) {
    r[k] = (double)p[k];
    u[k] = (double)(p[k] - z[k]);
    slide += k > 0 ? (long double)u[k] * u[k] : 0;
  }
  if (slip_law_flows((SlipLaw)laws->kind[a]) && laws->flow[a] == SLIP_FLOW_COULOMB)
    u[0] -= laws->mu[a] * (double)sqrtl(slide);
}

/* The same of a contact and the moments behind it. */
static void choose_rolling(SlipiRandom *random, const SlipLaws *laws, int32_t a, int d, double *r,
                           double *u) {
  long double z[6] = {0}, p[6];
  for (int k = 0; k < 2 * d; k++)
    p[k] = z[k] = slipi_random_normal(random) + (k == 0);
  reference_project_rolling(laws, a, d, p);
  for (int k = 0; k < 2 * d; k++) {
    r[k] = (double)p[k];
    u[k] = (double)(p[k] - z[k]);
  }
  double slide = d == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
  double roll = d == 3 ? hypot(u[4], u[5]) : fabs(u[3]), spin = d == 3 ? fabs(u[3]) : 0;
  u[0] -= laws->mu[a] * slide + laws->mu[a + 1] * roll + laws->spinning[a + 1] * spin;
}

static double *some(SlipiRandom *random, int32_t contacts, double most) {
  double *x = calloc((size_t)contacts + 1, sizeof *x);
  for (int32_t a = 0; a < contacts; a++)
    x[a] = slipi_random_between(random, 0.2 * most, most);
  return x;
}

/* A diagonal block for every contact. */
static double *compliance_of(SlipiRandom *random, int32_t contacts, int32_t d) {
  double *C = calloc((size_t)contacts * (size_t)(d * d) + 1, sizeof *C);
  for (int32_t k = 0; k < contacts * d; k++)
    C[k * d + k % d] = slipi_random_between(random, 0, 0.5);
  return C;
}

/* q = u - (W + C) r. */
static void set_q(const SlipLocalData *data, const double *u, const double *r, double *q) {
  int32_t d = data->dimension;
  for (int32_t i = 0; i < d * data->contacts; i++) {
    long double sum = u[i];
    for (int32_t k = data->W.p[i]; k < data->W.p[i + 1]; k++)
      sum -= (long double)data->W.x[k] * r[data->W.i[k]];
    for (int32_t k = 0; data->compliance && k < d; k++)
      sum -= (long double)data->compliance[i * d + k] * r[i / d * d + k];
    q[i] = (double)sum;
  }
}

/* The arrays of the laws, which are the problem's own at every third contact. */
typedef struct Arrays {
  int32_t *kind, *flow;
  double *mu, *cohesion, *ball, *tangential, *cap, *spinning;
} Arrays;

static Arrays make_arrays(const LawCase *the, const SlipLaws *plain, SlipiRandom *random,
                          int32_t contacts) {
  Arrays x = {.kind = calloc((size_t)contacts, sizeof *x.kind),
              .flow = calloc((size_t)contacts, sizeof *x.flow),
              .mu = some(random, contacts, the->mu),
              .cohesion = some(random, contacts, the->cohesion),
              .ball = some(random, contacts, the->ball),
              .tangential = the->tangential > 0 ? some(random, contacts, the->tangential) : NULL,
              .cap = some(random, contacts, the->cap),
              .spinning = some(random, contacts, the->spinning)};
  for (int32_t a = 0; a < contacts; a++) {
    bool own = !law_case_is_of_law(a);
    x.kind[a] = own ? plain->kind[a] : (int32_t)the->law;
    x.flow[a] = own ? SLIP_FLOW_COULOMB : (int32_t)the->flow;
    x.mu[a] = own ? plain->mu[a] : x.mu[a];
    if (!own && the->law == SLIP_ROLLING) { /* contact, moments, one of the problem's own */
      x.kind[a] = a % 3 == 0 ? SLIP_COULOMB : SLIP_ROLLING;
      x.mu[a] = a % 3 == 0 ? x.mu[a] : x.mu[a] / the->mu * the->rolling;
    }
  }
  return x;
}

static SlipLaws laws_of_arrays(const SlipLaws *plain, const Arrays *x) {
  SlipLaws laws = *plain;
  laws.kind = x->kind;
  laws.flow = x->flow;
  laws.mu = x->mu;
  laws.cohesion = x->cohesion;
  laws.ball = x->ball;
  laws.ball_tangential = x->tangential;
  laws.cap = x->cap;
  laws.spinning = x->spinning;
  return laws;
}

static void free_arrays(Arrays *x) {
  free(x->kind);
  free(x->flow);
  free(x->mu);
  free(x->cohesion);
  free(x->ball);
  free(x->tangential);
  free(x->cap);
  free(x->spinning);
}

bool law_case_is_of_law(int32_t contact) {
  return contact % 3 != 2;
}

SlipProblem *law_case(const LawCase *the, const char *kind, int32_t contacts, int32_t dimension,
                      double **known) {
  SlipProblem *plain = generate_problem(kind, contacts, dimension, known), *made;
  SlipLocalData data = slip_default_local_data();
  SlipiRandom random;
  size_t nc = (size_t)contacts, d = (size_t)dimension;
  double *u = calloc(nc * d, sizeof *u), *q = calloc(nc * d, sizeof *q);
  slipi_random_seed(&random, 7);
  Arrays arrays = make_arrays(the, laws_of_problem(plain), &random, contacts);
  SlipLaws laws = laws_of_arrays(laws_of_problem(plain), &arrays);
  double *C = the->compliant ? compliance_of(&random, contacts, dimension) : NULL;
  assert_int_equal(reference_velocity(plain, *known, u), 0);
  for (size_t a = 0; a < nc; a++) {
    if (a + 1 < nc && laws.kind[a + 1] == SLIP_ROLLING) {
      choose_rolling(&random, &laws, (int32_t)a, dimension, *known + d * a, u + d * a);
      a++;
    } else if (law_case_is_of_law((int32_t)a)) {
      choose(&random, &laws, (int32_t)a, dimension, *known + d * a, u + d * a);
    }
  }
  assert_int_equal(slip_problem_local_data(plain, &data, NULL), SLIP_OK);
  data.laws = &laws;
  data.compliance = C;
  set_q(&data, u, *known, q);
  data.q = q;
  assert_int_equal(slip_problem_create_local(&data, &made, NULL), SLIP_OK);
  assert_true(reference_error(made, *known) < 1e-13);
  slip_problem_free(plain);
  free(u);
  free(q);
  free(C);
  free_arrays(&arrays);
  return made;
}

void law_case_by_all(const LawCase *the, const char *kind, int32_t contacts, int least) {
  int solved = 0;
  for (int32_t d = 2; d <= 3; d++) {
    double *known;
    SlipProblem *problem = law_case(the, kind, contacts, d, &known);
    const SlipMethodInfo *method;
    for (int k = 0; (method = slip_method_info(k)); k++) {
      if (!slip_method_takes_law(method, the->law, the->flow) ||
          !slip_method_takes_dimension(method, d))
        continue;
      expect_solved(problem, kind, method->name, "tol=1e-8 max-iter=100000", 1.01e-8);
      solved++;
    }
    free(known);
    slip_problem_free(problem);
  }
  assert_true(solved >= least);
}

void law_case_by_auto(const LawCase *the, const char *kind, int32_t contacts) {
  for (int32_t d = 2; d <= 3; d++) {
    double *known;
    SlipProblem *problem = law_case(the, kind, contacts, d, &known);
    expect_solved(problem, kind, "auto", "tol=1e-8", 1.01e-8);
    free(known);
    slip_problem_free(problem);
  }
}

void law_cases_by_auto(const LawCase *cases, int count) {
  static const int32_t sizes[] = {1, 2, 7, 60, 400, 5000};
  for (int k = 0; k < (getenv("SLIPCONE_FULL") ? 6 : 5); k++)
    for (int c = 0; c < count; c++)
      law_case_by_auto(&cases[c], "random", sizes[k]);
}
