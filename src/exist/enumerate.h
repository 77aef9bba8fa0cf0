/* All solutions of small problems, by trying every combination of open, stick and slip. */
#ifndef SLIPI_EXIST_ENUMERATE_H
#define SLIPI_EXIST_ENUMERATE_H

#include "exist/exist.h"

/* 2D, or one contact in 3D; says so where it cannot. */
SlipStatus slipi_check_enumerate(SlipiCheck *check, SlipError *error);

/* min |C x - b| over x >= 0 (Lawson and Hanson), C column-major with unit or zero columns. Returns
 * |C x - b|; the residual b - C x is in `residual`. `work` has room for slipi_nnls_work values. */
double slipi_nnls(int32_t rows, int32_t cols, const double *C, const double *b, double *x,
                  double *residual, double *work);
int64_t slipi_nnls_work(int32_t rows, int32_t cols);

#endif
