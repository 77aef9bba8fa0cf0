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

/* x'y of points inside the cone, without the cancellation where both are near its boundary and
 * opposite: the sum of three terms that are not negative, the last |x_T| |y_T| (1 + cos). */
static inline double slipi_soc_dot(const double x[3], const double y[3]) {
  double s = slipi_soc_tangent(x), t = slipi_soc_tangent(y), low = x[0] - s, lower = y[0] - t;
  double ends = 0.5 * (low * (y[0] + t) + (x[0] + s) * lower);
  if (!(s > 0 && t > 0))
    return ends;
  double c1 = x[1] / s + y[1] / t, c2 = x[2] / s + y[2] / t;
  return ends + 0.5 * s * t * (c1 * c1 + c2 * c2);
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

/* The scaling of u and r inside the cone: the symmetric matrix S that takes both to one point,
 * lambda = S r = S^-1 u. It is known by its eigenvalues and its eigenvectors
 *
 *     Q = [(1, theta)/2^1/2, (1, -theta)/2^1/2, (0, theta turned by a right angle)]
 *
 * and never formed: near the solution the eigenvalues of S^2 differ by factors of up to 1e22, and
 * the sum that is an entry of the matrix has no digit of the smaller ones left. */
typedef struct SlipiSocScaling {
  double theta[2]; /* a direction */
  double eigen[3]; /* of S, in the order of Q's columns: the largest, the smallest, the mean */
  double lambda[3];
} SlipiSocScaling;

void slipi_soc_scale(const double u[3], const double r[3], SlipiSocScaling *scaling);

static const double SLIPI_SOC_HALF = 0.70710678118654752440; /* 2^-1/2 */

/* y = Q' x and y = Q x; y and x may be the same. */
static inline void slipi_soc_to_basis(const SlipiSocScaling *s, const double x[3], double y[3]) {
  double along = s->theta[0] * x[1] + s->theta[1] * x[2];
  double across = s->theta[0] * x[2] - s->theta[1] * x[1];
  double normal = x[0];
  y[0] = SLIPI_SOC_HALF * (normal + along);
  y[1] = SLIPI_SOC_HALF * (normal - along);
  y[2] = across;
}

static inline void slipi_soc_from_basis(const SlipiSocScaling *s, const double x[3], double y[3]) {
  double along = SLIPI_SOC_HALF * (x[0] - x[1]), across = x[2];
  y[0] = SLIPI_SOC_HALF * (x[0] + x[1]);
  y[1] = s->theta[0] * along - s->theta[1] * across;
  y[2] = s->theta[1] * along + s->theta[0] * across;
}

/* y = S x and y = S^-1 x; y and x may be the same. */
static inline void slipi_soc_apply(const SlipiSocScaling *s, const double x[3], double y[3]) {
  slipi_soc_to_basis(s, x, y);
  for (int k = 0; k < 3; k++)
    y[k] *= s->eigen[k];
  slipi_soc_from_basis(s, y, y);
}

static inline void slipi_soc_apply_inverse(const SlipiSocScaling *s, const double x[3],
                                           double y[3]) {
  slipi_soc_to_basis(s, x, y);
  for (int k = 0; k < 3; k++)
    y[k] /= s->eigen[k];
  slipi_soc_from_basis(s, y, y);
}

/* Q, row-major. */
void slipi_soc_basis(const SlipiSocScaling *scaling, double Q[9]);

/* The largest t with x + t d in the cone, x being inside; INFINITY where there is no end. */
double slipi_soc_max_step(const double x[3], const double d[3]);

#endif
