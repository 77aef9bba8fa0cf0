/* The disc |x_T| <= radius of the tangents, which laws that bound the tangential impulse by a
 * number of their own share. */
#ifndef SLIPI_CONTACT_DISC_H
#define SLIPI_CONTACT_DISC_H

#include "contact/law.h"

/* The factor that brings z_T onto the disc: 1 inside. */
static inline double slipi_disc_factor(double radius, const double z[3]) {
  double t = slipi_tangent_norm(z);
  return t > radius ? radius / t : 1;
}

/* The tangents' part of the projection's derivative, J being 0 there before. */
static inline void slipi_disc_derivative(double radius, const double z[3], double J[9]) {
  double k = slipi_disc_factor(radius, z);
  J[4] = J[8] = k;
  if (k < 1) { /* (R/|z_T|)(I - e e') */
    double t = slipi_tangent_norm(z), a = z[1] / t, b = z[2] / t;
    J[4] -= k * a * a;
    J[5] = J[7] = -k * a * b;
    J[8] -= k * b * b;
  }
}

/* Whether no tangential impulse is a solution: nothing slides, or nothing resists. */
static inline bool slipi_disc_opens(double radius, const double u[3]) {
  return radius == 0 || (u[1] == 0 && u[2] == 0);
}

/* Kernels of SlipiLawType: the largest x_T.r_T over the disc, and its radius in other units. */
double slipi_disc_support(const SlipiLaw *law, const double x[3]);
void slipi_disc_scale(SlipiLaw *law, double by, double times);

/* One-contact solvers (contact/onecontact.h) for r_N >= 0, for r_N = 0 and for |r_N| <= depth
 * beside the disc. */
void slipi_disc_solve_cylinder(const struct SlipiOneContact *one, const double q[3], double r[3]);
void slipi_disc_solve(const struct SlipiOneContact *one, const double q[3], double r[3]);
void slipi_disc_solve_both(const struct SlipiOneContact *one, const double q[3], double r[3]);

#endif
