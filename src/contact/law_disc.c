/* The tangential half of an alternation over normal and tangential impulses (128): r_N = 0,
 * |r_T| <= radius. Only subproblems have it. */
#include "contact/disc.h"

static SlipiAxis axis(const SlipiLaw *law, int component) {
  (void)law;
  return component == 0 ? SLIPI_AXIS_NONE : SLIPI_AXIS_JOINED;
}

static SlipContactStatus project(const SlipiLaw *law, const double z[3], double p[3]) {
  double k = slipi_disc_factor(law->radius, z);
  p[0] = 0;
  p[1] = k * z[1];
  p[2] = k * z[2];
  return k < 1 ? SLIP_CONTACT_SLIP : SLIP_CONTACT_STICK;
}

static void derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  slipi_disc_derivative(law->radius, z, J);
}

/* K is bounded: x.r has a least value for every x. */
static double dual_distance(const SlipiLaw *law, const double x[3]) {
  (void)law;
  (void)x;
  return 0;
}

static bool opens(const SlipiLaw *law, const double u[3]) {
  return slipi_disc_opens(law->radius, u);
}

const SlipiLawType slipi_law_disc = {.name = "disc",
                                     .reads = SLIPI_READS_RADIUS,
                                     .one_sided = true,
                                     SLIPI_LAW_KERNELS,
                                     .support = slipi_disc_support,
                                     .dual_distance = dual_distance,
                                     .scale = slipi_disc_scale,
                                     .solve = slipi_disc_solve};
