#include "bodies_case.h"
#include "data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"

/* Body b has the degrees of freedom first[b]..first[b+1]-1. */
static SlipProblem *make_problem(int32_t d, int32_t bodies, const int32_t *first, int32_t nc,
                                 double skew, uint64_t seed) {
  int32_t dof = first[bodies], m = d * nc;
  double *M = calloc((size_t)dof * (size_t)dof, sizeof *M);
  double *H = calloc((size_t)dof * (size_t)m, sizeof *H);
  double *f = calloc((size_t)dof, sizeof *f), *w = calloc((size_t)m, sizeof *w);
  double *mu = calloc((size_t)nc, sizeof *mu);
  SlipiRandom random;
  slipi_random_seed(&random, seed);
  for (int32_t b = 0; b < bodies; b++) {
    int32_t size = first[b + 1] - first[b];
    for (int32_t i = 0; i < size; i++) {
      int32_t row = first[b] + i;
      M[(int64_t)row * dof + row] = slipi_random_between(&random, 2, 3) + 0.1 * size;
      for (int32_t j = 0; j < i; j++) {
        double x = 0.1 * slipi_random_normal(&random), y = skew * slipi_random_normal(&random);
        M[(int64_t)(first[b] + j) * dof + row] = x + y;
        M[(int64_t)row * dof + first[b] + j] = x - y;
      }
    }
  }
  for (int32_t a = 0; a < nc; a++) {
    mu[a] = 0.5;
    for (int side = 0; side < (a % 3 == 0 ? 1 : 2); side++) {
      int32_t b = (int32_t)slipi_random_below(&random, (uint32_t)bodies);
      int32_t size = first[b + 1] - first[b];
      for (int32_t k = 0; k < d; k++)
        for (int32_t i = 0; i < size; i += 1 + (size > 10))
          H[(int64_t)(a * d + k) * dof + first[b] + i] = slipi_random_normal(&random);
    }
  }
  SlipGlobalData data =
      GLOBAL_DATA(.dimension = d, .contacts = nc, .M = slip_dense(dof, dof, M),
                  .H = slip_dense(dof, m, H), .f = f, .w = w, .laws = LAWS(.mu = mu));
  SlipProblem *problem;
  assert_int_equal(slip_problem_create_global(&data, &problem, NULL), SLIP_OK);
  free(M);
  free(H);
  free(f);
  free(w);
  free(mu);
  return problem;
}

SlipProblem *bodies_problem(int32_t d, int32_t bodies, int32_t size, int32_t nc, double skew) {
  int32_t first[64] = {0};
  assert_true(bodies < 64);
  for (int32_t b = 0; b < bodies; b++)
    first[b + 1] = first[b] + size;
  return make_problem(d, bodies, first, nc, skew, (uint64_t)(size * 10 + d));
}

SlipProblem *mixed_bodies_problem(int32_t d, int32_t size, int32_t nc, double skew) {
  const int32_t sizes[] = {size, 43, size, size, 37, size, size, size};
  enum { BODIES = sizeof sizes / sizeof sizes[0] };
  int32_t first[BODIES + 1] = {0};
  for (int32_t b = 0; b < BODIES; b++)
    first[b + 1] = first[b] + sizes[b];
  return make_problem(d, BODIES, first, nc, skew, (uint64_t)(size * 10 + d));
}
