/* FCLIB problems with equality constraints whose solution is known by hand, as files that are made
 * here, dataset by dataset. Failures are cmocka assertions. */
#ifndef SLIPCONE_TESTS_EQUALITY_CASE_H
#define SLIPCONE_TESTS_EQUALITY_CASE_H

#include <slipcone/slipcone.h>

enum { EQUALITY_DOF = 6, EQUALITY_MAX = 7, EQUALITY_CASES = 7 };

/* One contact on the ground; M is diagonal. Matrices are row-major, with a row for each degree of
 * freedom. */
typedef struct EqualityCase {
  const char *name;
  int32_t dimension, dof, count; /* count: equalities */
  double M[EQUALITY_DOF], f[EQUALITY_DOF];
  double H[EQUALITY_DOF][3], w[3], mu;
  double G[EQUALITY_DOF][EQUALITY_MAX], b[EQUALITY_MAX];
  double r[3], u[3], v[EQUALITY_DOF];
  double l[EQUALITY_MAX]; /* one of many where G has not full rank */
} EqualityCase;

extern const EqualityCase equality_cases[EQUALITY_CASES];

/* The file of the problem with its solution, and a guess that is the solution too. */
void equality_write(const char *path, const EqualityCase *c, SlipForm form);

/* Replace a matrix group of a file; x is row-major. Zeros are left out. */
void equality_put_matrix(const char *path, const char *name, int32_t rows, int32_t cols,
                         const double *x);

#endif
