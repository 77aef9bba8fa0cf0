#include "contact/soc.h"

/* w = (u/|u| + J r/|r|) / (2 gamma), |x|^2 = det x, is the point with u/|u| = P(w) r/|r|; v is its
 * square root, so that S = b P(v)... written with vectors: b (2 v v' - J). */
void slipi_soc_scale(const double u[3], const double r[3], SlipiSocScaling *s) {
  double du = sqrt(slipi_soc_det(u)), dr = sqrt(slipi_soc_det(r));
  double ub[3] = {u[0] / du, u[1] / du, u[2] / du}, rb[3] = {r[0] / dr, r[1] / dr, r[2] / dr};
  double gamma = 2 * sqrt((1 + slipi_dense3_dot(ub, rb)) / 2);
  double w[3] = {(ub[0] + rb[0]) / gamma, (ub[1] - rb[1]) / gamma, (ub[2] - rb[2]) / gamma};
  double root = sqrt(2 * (w[0] + 1));
  s->b = sqrt(du / dr);
  s->v[0] = (w[0] + 1) / root;
  s->v[1] = w[1] / root;
  s->v[2] = w[2] / root;
  slipi_soc_apply(s, r, s->lambda);
}

/* S^2 = b^2 (2 w w' - J) with w = P(v) e, the double of v: w = (v_0^2 + |v_T|^2, 2 v_0 v_T). */
void slipi_soc_square(const SlipiSocScaling *s, double H[9]) {
  const double *v = s->v;
  double w[3] = {slipi_dense3_dot(v, v), 2 * v[0] * v[1], 2 * v[0] * v[2]}, bb = s->b * s->b;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double J = i != j ? 0 : i == 0 ? 1 : -1;
      H[3 * i + j] = bb * (2 * w[i] * w[j] - J);
    }
  }
}

/* det(x + t d) = A t^2 + 2 B t + C has its first positive root where the point leaves the cone. */
double slipi_soc_max_step(const double x[3], const double d[3]) {
  double A = slipi_soc_det(d);
  double B = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  double C = fmax(slipi_soc_det(x), 0);
  if (A == 0)
    return B < 0 ? -C / (2 * B) : INFINITY;
  double D = B * B - A * C;
  if (A > 0 && (B >= 0 || D < 0))
    return INFINITY;
  double divisor = -B + sqrt(fmax(D, 0));
  return divisor > 0 ? C / divisor : INFINITY;
}
