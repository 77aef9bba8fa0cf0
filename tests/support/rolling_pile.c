#include "rolling_pile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *zeros(int64_t count) {
  return calloc((size_t)count + 1, sizeof(double));
}

SlipProblem *rolling_pile(const SlipGlobalData *pile) {
  double radius = sqrt(2.5 * pile->M.x[pile->M.p[3]] / pile->M.x[pile->M.p[0]]); /* 2/5 m r^2 */
  SlipGlobalData data = *pile;
  SlipLaws laws = slip_default_laws();
  SlipProblem *problem;
  SlipError error;
  int32_t nc = pile->contacts, *kind = calloc(2 * ((size_t)nc + 1), sizeof *kind);
  double *mu = zeros(2 * nc), *spinning = zeros(2 * nc), *w = zeros(6 * nc);
  int64_t nnz = pile->H.nnz, used = 0;
  int32_t *row = calloc((size_t)(2 * nnz + 1), sizeof *row);
  int32_t *col = calloc((size_t)(2 * nnz + 1), sizeof *col);
  double *x = zeros(2 * nnz);
  for (int32_t i = 0; i < pile->H.rows; i++)
    for (int32_t k = pile->H.p[i]; k < pile->H.p[i + 1]; k++) {
      int32_t to = 6 * (pile->H.i[k] / 3) + pile->H.i[k] % 3;
      row[used] = i;
      col[used] = to;
      x[used++] = pile->H.x[k];
      if (i % 6 < 3) { /* in units of length */
        row[used] = i + 3;
        col[used] = to + 3;
        x[used++] = radius * pile->H.x[k];
      }
    }
  for (int32_t a = 0; a < nc; a++) {
    kind[2 * a] = SLIP_COULOMB;
    kind[2 * a + 1] = SLIP_ROLLING;
    mu[2 * a] = pile->laws->mu[a];
    mu[2 * a + 1] = 1.0 / 20;
    spinning[2 * a + 1] = 1.0 / 50;
    memcpy(w + (size_t)6 * (size_t)a, pile->w + (size_t)3 * (size_t)a, 3 * sizeof *w);
  }
  laws.kind = kind;
  laws.mu = mu;
  laws.spinning = spinning;
  data.contacts = 2 * nc;
  data.H = (SlipMatrix){SLIP_TRIPLET, pile->H.rows, 6 * nc, used, col, row, x};
  data.w = w;
  data.laws = &laws;
  if (slip_problem_create_global(&data, &problem, &error) != SLIP_OK) {
    fprintf(stderr, "%s\n", error.text);
    exit(2);
  }
  free(kind);
  free(mu);
  free(spinning);
  free(w);
  free(row);
  free(col);
  free(x);
  return problem;
}
