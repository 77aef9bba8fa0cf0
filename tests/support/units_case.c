#include "units_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "solving.h"

/* x times a (times b, in this order: a b alone may not be a number), NULL for NULL. */
static double *times(const double *x, int64_t count, double a, double b) {
  double *copy = malloc((size_t)(count + 1) * sizeof *copy);
  assert_non_null(copy);
  for (int64_t k = 0; x && k < count; k++)
    copy[k] = x[k] * a * b;
  if (x)
    return copy;
  free(copy);
  return NULL;
}

static SlipProblem *local_in_units(const SlipLocalData *given, const SlipLaws *laws, double W,
                                   double q) {
  SlipLocalData data = *given;
  int32_t d = data.dimension, m = d * data.contacts;
  double *x = times(data.W.x, data.W.nnz, W, 1), *y = times(data.q, m, q, 1);
  double *C = times(data.compliance, (int64_t)m * d, W, 1);
  SlipProblem *made = NULL;
  data.W.x = x;
  data.q = y;
  data.compliance = C;
  data.laws = laws;
  assert_int_equal(slip_problem_create_local(&data, &made, NULL), SLIP_OK);
  free(x);
  free(y);
  free(C);
  return made;
}

static SlipProblem *global_in_units(const SlipGlobalData *given, const SlipLaws *laws, double W,
                                    double q) {
  SlipGlobalData data = *given;
  int32_t d = data.dimension, m = d * data.contacts;
  double *x = times(data.M.x, data.M.nnz, 1 / W, 1), *f = times(data.f, data.M.rows, 1 / W, q);
  double *w = times(data.w, m, q, 1), *C = times(data.compliance, (int64_t)m * d, W, 1);
  SlipProblem *made = NULL;
  data.M.x = x;
  data.f = f;
  data.w = w;
  data.compliance = C;
  data.laws = laws;
  assert_int_equal(slip_problem_create_global(&data, &made, NULL), SLIP_OK);
  free(x);
  free(f);
  free(w);
  free(C);
  return made;
}

SlipProblem *problem_in_units(const SlipProblem *problem, double W, double q) {
  SlipLocalData local = slip_default_local_data();
  SlipGlobalData global = slip_default_global_data();
  SlipLaws laws = *laws_of_problem(problem);
  double *radius = times(laws.radius, slip_problem_contacts(problem), q, 1 / W);
  const double **lengths[] = {&laws.cohesion, &laws.ball, &laws.ball_tangential, &laws.cap};
  double *scaled[4];
  for (int k = 0; k < 4; k++)
    *lengths[k] = scaled[k] = times(*lengths[k], slip_problem_contacts(problem), q, 1 / W);
  laws.radius = radius;
  SlipProblem *made;
  if (slip_problem_local_data(problem, &local, NULL) == SLIP_OK) {
    made = local_in_units(&local, &laws, W, q);
  } else {
    assert_int_equal(slip_problem_global_data(problem, &global, NULL), SLIP_OK);
    made = global_in_units(&global, &laws, W, q);
  }
  free(radius);
  for (int k = 0; k < 4; k++)
    free(scaled[k]);
  return made;
}
