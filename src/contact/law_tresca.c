/* Tresca's friction: r_N >= 0, |r_T| <= radius, whatever r_N is (129). K is a semi-cylinder, and
 * the flow is normal to it: u_T is opposite to r_T where |r_T| = radius. The Tresca approximations
 * of Coulomb's law (methods/approximation.c) have it in their subproblems. */
#include "contact/disc.h"

static SlipiAxis axis(const SlipiLaw *law, int component) {
  (void)law;
  return component == 0 ? SLIPI_AXIS_HALF : SLIPI_AXIS_JOINED;
}

static SlipContactStatus project(const SlipiLaw *law, const double z[3], double p[3]) {
  double k = slipi_disc_factor(law->radius, z);
  bool open = !(z[0] > 0);
  p[0] = open ? 0 : z[0];
  p[1] = k * z[1];
  p[2] = k * z[2];
  if (open)
    return SLIP_CONTACT_OPEN;
  return k < 1 ? SLIP_CONTACT_SLIP : SLIP_CONTACT_STICK;
}

static void derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  J[0] = z[0] > 0;
  slipi_disc_derivative(law->radius, z, J);
}

/* K has no end along the normal only. */
static double dual_distance(const SlipiLaw *law, const double x[3]) {
  (void)law;
  return fmax(0, -x[0]);
}

static bool opens(const SlipiLaw *law, const double u[3]) {
  return u[0] >= 0 && slipi_disc_opens(law->radius, u);
}

const SlipiLawType slipi_law_tresca = {.name = "tresca",
                                       .reads = SLIPI_READS_RADIUS,
                                       .one_sided = true,
                                       SLIPI_LAW_KERNELS,
                                       .support = slipi_disc_support,
                                       .dual_distance = dual_distance,
                                       .scale = slipi_disc_scale,
                                       .solve = slipi_disc_solve_cylinder};
