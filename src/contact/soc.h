/* The self-dual second-order cone {x: x_0 >= |(x_1, x_2)|} of one contact whose friction has been
 * folded into its tangents, and the algebra interior-point methods work in: the Jordan product
 * x o y = (x'y, x_0 y_T + y_0 x_T) with unit e = (1, 0, 0), and the scaling of Nesterov and Todd.
 */
#ifndef SLIPI_CONTACT_SOC_H
#define SLIPI_CONTACT_SOC_H

#include <math.h>
#include <stdbool.h>

#include "linalg/dense3.h"

static inline double slipi_soc_tangent(const double x[3]) {
  return sqrt(x[1] * x[1] + x[2] * x[2]);
}

/* The product of x's two eigenvalues x_0 -+ |x_T|, without the cancellation of x_0^2 - |x_T|^2. */
static inline double slipi_soc_det(const double x[3]) {
  double t = slipi_soc_tangent(x);
  return (x[0] - t) * (x[0] + t);
}

/* Strictly inside; false where a component is not a number. */
static inline bool slipi_soc_inside(const double x[3]) {
  return x[0] > 0 && slipi_soc_det(x) > 0;
}

/* The larger eigenvalue by magnitude. */
static inline double slipi_soc_size(const double x[3]) {
  return fabs(x[0]) + slipi_soc_tangent(x);
}

/* z = x o y. */
static inline void slipi_soc_product(const double x[3], const double y[3], double z[3]) {
  double normal = slipi_dense3_dot(x, y);
  double t1 = x[0] * y[1] + y[0] * x[1], t2 = x[0] * y[2] + y[0] * x[2];
  z[0] = normal;
  z[1] = t1;
  z[2] = t2;
}

/* z with x o z = y, for x inside the cone. */
static inline void slipi_soc_divide(const double x[3], const double y[3], double z[3]) {
  double det = fmax(slipi_soc_det(x), 1e-300);
  double normal = (x[0] * y[0] - x[1] * y[1] - x[2] * y[2]) / det;
  double t1 = (y[1] - normal * x[1]) / x[0], t2 = (y[2] - normal * x[2]) / x[0];
  z[0] = normal;
  z[1] = t1;
  z[2] = t2;
}

/* The scaling of u and r inside the cone: the symmetric matrix S = b (2 v v' - J), J = diag(1, -1,
 * -1), that takes both to one point, lambda = S r = S^-1 u. */
typedef struct SlipiSocScaling {
  double v[3], b;
  double lambda[3];
} SlipiSocScaling;

void slipi_soc_scale(const double u[3], const double r[3], SlipiSocScaling *scaling);

/* y = S x and y = S^-1 x; y and x may be the same. */
static inline void slipi_soc_apply(const SlipiSocScaling *s, const double x[3], double y[3]) {
  double c = 2 * slipi_dense3_dot(s->v, x);
  y[0] = s->b * (c * s->v[0] - x[0]);
  y[1] = s->b * (c * s->v[1] + x[1]);
  y[2] = s->b * (c * s->v[2] + x[2]);
}

static inline void slipi_soc_apply_inverse(const SlipiSocScaling *s, const double x[3],
                                           double y[3]) {
  double c = 2 * (s->v[0] * x[0] - s->v[1] * x[1] - s->v[2] * x[2]);
  y[0] = (c * s->v[0] - x[0]) / s->b;
  y[1] = (x[1] - c * s->v[1]) / s->b;
  y[2] = (x[2] - c * s->v[2]) / s->b;
}

/* H = S^2 (row-major), with which u = H r. */
void slipi_soc_square(const SlipiSocScaling *scaling, double H[9]);

/* The largest t with x + t d in the cone, x being inside; INFINITY where there is no end. */
double slipi_soc_max_step(const double x[3], const double d[3]);

#endif
