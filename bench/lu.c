/* Dense against sparse LU of Newton matrices, by size and fill: where linalg/lu.c draws its line,
 * and where methods/common_newton.c takes the global form.
 *
 *     bench_lu [KIND CONTACTS]...
 */
#include <stdio.h>
#include <stdlib.h>

#include <slipcone/generate.h>

#include "base/clock.h"
#include "contact/newton.h"

/* Seconds of one factorisation and solve, the best of a few. */
static double measure(SlipiOperator *op, SlipiNewtonForm form, SlipiLuKind kind, double *rows,
                      double *fill) {
  SlipiNewton newton = {0};
  double best = -1, *Phi = calloc((size_t)op->nc * 18 + 1, sizeof *Phi);
  double *b = calloc((size_t)op->m + 1, sizeof *b), rcond;
  for (int32_t a = 0; Phi && a < op->nc; a++) { /* two thirds stick, one third open */
    for (int32_t k = 0; k < 9; k += 4)
      Phi[9 * (a % 3 == 0 ? op->nc + a : a) + k] = 1;
  }
  if (Phi && b && slipi_newton_create(op, form, kind, &newton, NULL) == SLIP_OK) {
    *rows = newton.A.rows;
    *fill = newton.A.p[newton.A.rows] / (*rows * *rows);
    for (int k = 0; k < 5 && (k < 2 || best < 0.5); k++) {
      double start = slipi_clock_seconds();
      slipi_newton_factor(&newton, Phi, Phi + (size_t)op->nc * 9, 1e-6, &rcond, NULL);
      if (rcond > 0)
        slipi_newton_solve(&newton, b, b, NULL);
      double seconds = slipi_clock_seconds() - start;
      best = best < 0 || seconds < best ? seconds : best;
    }
  }
  slipi_newton_free(&newton);
  free(Phi);
  free(b);
  return best;
}

static int show(const char *kind, int32_t contacts) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem = NULL;
  SlipiMass *mass = NULL;
  SlipiOperator *op = NULL;
  SlipiOperatorKind operator_kind;
  SlipError error = {0};
  SlipStatus status = slip_generate_defaults(kind, &options, &error);
  options.contacts = contacts;
  if (status == SLIP_OK)
    status = slip_generate(kind, &options, &problem, NULL, &error);
  if (status == SLIP_OK && problem->form == SLIP_FORM_GLOBAL)
    status = slipi_mass_create(problem, &mass, &error);
  if (status == SLIP_OK)
    status = slipi_operator_choose(problem, mass, false, &operator_kind, &error);
  if (status == SLIP_OK)
    status = slipi_operator_create(problem, mass, operator_kind, 1, &op, &error);
  if (status == SLIP_OK) {
    double rows, fill;
    double dense = measure(op, SLIPI_NEWTON_LOCAL, SLIPI_LU_DENSE, &rows, &fill);
    double sparse = measure(op, SLIPI_NEWTON_LOCAL, SLIPI_LU_SPARSE, &rows, &fill);
    printf("%-12s %6.0f unknowns, fill %.4f: dense %8.5f s, sparse %8.5f s", kind, rows, fill,
           dense, sparse);
    if (mass) {
      sparse = measure(op, SLIPI_NEWTON_GLOBAL, SLIPI_LU_SPARSE, &rows, &fill);
      printf(", global %6.0f unknowns, fill %.4f: %8.5f s", rows, fill, sparse);
    }
    printf("\n");
  } else {
    fprintf(stderr, "%s\n", error.text);
  }
  slipi_operator_free(op);
  slipi_mass_free(mass);
  slip_problem_free(problem);
  return status != SLIP_OK;
}

int main(int count, char **words) {
  static const char *const kinds[] = {"random", "pile", "stack", "wall", "elastic"};
  static const int32_t sizes[] = {8, 16, 32, 64, 128, 256, 512};
  int failed = 0;
  for (int k = 1; k + 1 < count; k += 2)
    failed |= show(words[k], (int32_t)atoi(words[k + 1]));
  for (size_t k = 0; count < 2 && k < sizeof kinds / sizeof kinds[0]; k++) {
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
      failed |= show(kinds[k], sizes[s]);
  }
  return failed;
}
