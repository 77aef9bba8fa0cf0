#include "law_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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

SlipProblem *law_case(const LawCase *the, const char *kind, int32_t contacts, int32_t dimension,
                      double **known) {
  SlipProblem *plain = generate_problem(kind, contacts, dimension, known), *made;
  SlipLocalData data = slip_default_local_data();
  SlipiRandom random;
  size_t nc = (size_t)contacts, d = (size_t)dimension;
  double *u = calloc(nc * d, sizeof *u), *q = calloc(nc * d, sizeof *q);
  int32_t *law = calloc(nc, sizeof *law), *flow = calloc(nc, sizeof *flow);
  SlipLaws laws = *laws_of_problem(plain);
  slipi_random_seed(&random, 7);
  double *mu = some(&random, contacts, the->mu), *cohesion = some(&random, contacts, the->cohesion);
  double *C = the->compliant ? compliance_of(&random, contacts, dimension) : NULL;
  for (size_t a = 0; a < nc; a++) {
    bool plain_one = a % 3 == 2;
    law[a] = plain_one ? laws.kind[a] : (int32_t)the->law;
    flow[a] = plain_one ? SLIP_FLOW_COULOMB : (int32_t)the->flow;
    mu[a] = plain_one ? laws.mu[a] : mu[a];
  }
  assert_int_equal(reference_velocity(plain, *known, u), 0);
  laws.kind = law;
  laws.flow = flow;
  laws.mu = mu;
  laws.cohesion = cohesion;
  for (size_t a = 0; a < nc; a++)
    if (a % 3 != 2)
      choose(&random, &laws, (int32_t)a, dimension, *known + d * a, u + d * a);
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
  free(law);
  free(flow);
  free(mu);
  free(cohesion);
  free(C);
  return made;
}
