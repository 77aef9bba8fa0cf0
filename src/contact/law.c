#include "contact/law.h"

#include <string.h>

/* The part of the radius that brings x_T onto the disc: 1 inside. */
static double disc_factor(const SlipiLaw *law, const double z[3]) {
  double t = slipi_tangent_norm(z);
  return t > law->radius ? law->radius / t : 1;
}

static SlipContactStatus project_cylinder(const SlipiLaw *law, const double z[3], double p[3]) {
  double k = disc_factor(law, z);
  p[0] = law->kind == SLIPI_TRESCA && z[0] > 0 ? z[0] : 0;
  p[1] = k * z[1];
  p[2] = k * z[2];
  if (law->kind == SLIPI_TRESCA && !(z[0] > 0))
    return SLIP_CONTACT_OPEN;
  return k < 1 ? SLIP_CONTACT_SLIP : SLIP_CONTACT_STICK;
}

static void cylinder_derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  double k = disc_factor(law, z);
  J[0] = law->kind == SLIPI_TRESCA && z[0] > 0;
  J[4] = J[8] = k;
  if (k < 1) { /* (R/|z_T|)(I - e e') */
    double t = slipi_tangent_norm(z), a = z[1] / t, b = z[2] / t;
    J[4] -= k * a * a;
    J[5] = J[7] = -k * a * b;
    J[8] -= k * b * b;
  }
}

SlipContactStatus slipi_law_project_flat(const SlipiLaw *law, const double z[3], double p[3]) {
  if (law->kind == SLIP_BILATERAL) { /* K = R^3 */
    memmove(p, z, 3 * sizeof *p);
    return SLIP_CONTACT_STICK;
  }
  if (slipi_law_is_cylinder(law))
    return project_cylinder(law, z, p);
  /* Frictionless: K = {r_N >= 0, r_T = 0}. */
  bool inside = z[1] == 0 && z[2] == 0;
  p[0] = z[0] > 0 ? z[0] : 0;
  p[1] = p[2] = 0;
  if (!(z[0] > 0))
    return SLIP_CONTACT_OPEN;
  return inside ? SLIP_CONTACT_STICK : SLIP_CONTACT_SLIP;
}

/* (149)-(152) on the curved part of the cone, where z_T is not 0: with e = z_T/|z_T|,
 *   J_NN = k, J_NT = J_TN' = k mu e', J_TT = k mu [mu e e' + (z_N/|z_T| + mu)(I - e e')]. */
static void cone_derivative(double mu, const double z[3], double t, double J[9]) {
  double k = 1 / (1 + mu * mu), a = z[1] / t, b = z[2] / t;
  double along = k * mu * mu, across = k * mu * (z[0] / t + mu);
  J[0] = k;
  J[1] = J[3] = k * mu * a;
  J[2] = J[6] = k * mu * b;
  J[4] = along * a * a + across * b * b;
  J[5] = J[7] = (along - across) * a * b;
  J[8] = along * b * b + across * a * a;
}

void slipi_law_project_derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  double p[3];
  memset(J, 0, 9 * sizeof *J);
  if (slipi_law_is_cylinder(law)) {
    cylinder_derivative(law, z, J);
    return;
  }
  SlipContactStatus branch = slipi_law_project(law, z, p);
  if (branch == SLIP_CONTACT_OPEN)
    return;
  J[0] = 1;
  if (law->kind == SLIP_FRICTIONLESS)
    return;
  J[4] = J[8] = 1;
  if (branch == SLIP_CONTACT_SLIP)
    cone_derivative(law->mu, z, slipi_tangent_norm(z), J);
}

static double norm3(const double x[3]) {
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

double slipi_law_distance(const SlipiLaw *law, const double x[3]) {
  double p[3];
  slipi_law_project(law, x, p);
  for (int k = 0; k < 3; k++)
    p[k] = x[k] - p[k];
  return norm3(p);
}

double slipi_law_dual_distance(const SlipiLaw *law, const double x[3]) {
  /* Moreau: x = P_K*(x) - P_K(-x), K being a cone. */
  double p[3], minus[3] = {-x[0], -x[1], -x[2]};
  slipi_law_project(law, minus, p);
  return norm3(p);
}
