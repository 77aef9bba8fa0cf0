#include "compliance_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"

SlipProblem *give_compliance(const SlipProblem *problem, const double *C) {
  SlipProblem *made = NULL;
  SlipError error;
  SlipStatus status;
  if (slip_problem_form(problem) == SLIP_FORM_GLOBAL) {
    SlipGlobalData data = slip_default_global_data();
    assert_int_equal(slip_problem_global_data(problem, &data, NULL), SLIP_OK);
    data.compliance = C;
    status = slip_problem_create_global(&data, &made, &error);
  } else {
    SlipLocalData data = slip_default_local_data();
    assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
    data.compliance = C;
    status = slip_problem_create_local(&data, &made, &error);
  }
  if (status != SLIP_OK)
    fail_msg("%s", error.text);
  return made;
}

SlipProblem *assemble_compliance(const SlipProblem *problem, const double *C) {
  SlipProblem *reduced = NULL, *made = NULL;
  if (slip_problem_form(problem) == SLIP_FORM_GLOBAL)
    assert_int_equal(slip_problem_reduce(problem, &reduced, NULL), SLIP_OK);
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(reduced ? reduced : problem, &data, NULL), SLIP_OK);
  int32_t d = data.dimension, m = d * data.contacts;
  double *W = calloc((size_t)m * (size_t)m, sizeof *W); /* column-major */
  assert_non_null(W);
  for (int32_t row = 0; row < m; row++) {
    for (int32_t k = data.W.p[row]; k < data.W.p[row + 1]; k++)
      W[(int64_t)data.W.i[k] * m + row] = data.W.x[k];
    for (int32_t k = 0; k < d; k++)
      W[(int64_t)(row / d * d + k) * m + row] += C[(int64_t)row * d + k];
  }
  data.W = slip_dense(m, m, W);
  data.compliance = NULL;
  assert_int_equal(slip_problem_create_local(&data, &made, NULL), SLIP_OK);
  free(W);
  slip_problem_free(reduced);
  return made;
}

double *random_compliance(const SlipProblem *problem, int rank, uint64_t seed) {
  SlipFeatures features = slip_default_features();
  assert_int_equal(slip_problem_features(problem, &features, NULL), SLIP_OK);
  int32_t d = features.dimension, nc = features.contacts;
  double *C = calloc((size_t)nc * 9, sizeof *C), size = features.norm / sqrt(d * nc + 1.0);
  SlipiRandom random;
  assert_non_null(C);
  slipi_random_seed(&random, seed);
  for (int32_t a = 0; a < nc; a++) {
    for (int k = 0; k < rank; k++) {
      double g[3];
      for (int32_t i = 0; i < d; i++)
        g[i] = slipi_random_normal(&random);
      for (int32_t i = 0; i < d * d; i++)
        C[(int64_t)a * d * d + i] += size / rank * (g[i / d] * g[i % d]);
    }
  }
  return C;
}
