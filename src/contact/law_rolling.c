/* The moments of a contact that resists rolling and spinning (contact/rolling.h): |m_R| <= radius,
 * |m_S| <= depth, which slipi_rolling_under makes of mu, of cap (the coefficient of spinning
 * friction) and of the normal impulse of the contact before. Alone, without that impulse, the block
 * bears nothing. */
#include "contact/disc.h"

static SlipiAxis axis(const SlipiLaw *law, int component) {
  double coefficient = component == 0 ? law->cap : law->mu;
  return coefficient > 0 ? SLIPI_AXIS_JOINED : SLIPI_AXIS_NONE;
}

static SlipContactStatus project(const SlipiLaw *law, const double z[3], double p[3]) {
  double k = slipi_disc_factor(law->radius, z);
  bool spins = fabs(z[0]) > law->depth;
  bool slips = (spins && law->cap > 0) || (k < 1 && law->mu > 0);
  p[0] = spins ? copysign(law->depth, z[0]) : z[0];
  p[1] = k * z[1];
  p[2] = k * z[2];
  return slips ? SLIP_CONTACT_SLIP : SLIP_CONTACT_STICK;
}

static void derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  J[0] = law->depth > 0 && fabs(z[0]) <= law->depth;
  slipi_disc_derivative(law->radius, z, J);
}

static double support(const SlipiLaw *law, const double x[3]) {
  return law->depth * fabs(x[0]) + slipi_disc_support(law, x);
}

/* K is bounded. */
static double dual_distance(const SlipiLaw *law, const double x[3]) {
  (void)law;
  (void)x;
  return 0;
}

static void scale(SlipiLaw *law, double by, double times) {
  law->depth = law->depth / by * times;
  slipi_disc_scale(law, by, times);
}

static bool opens(const SlipiLaw *law, const double u[3]) {
  return (law->depth == 0 || u[0] == 0) && slipi_disc_opens(law->radius, u);
}

const SlipiLawType slipi_law_rolling = {.name = "rolling",
                                        .reads = SLIPI_READS_MU | SLIPI_READS_SPINNING,
                                        SLIPI_LAW_KERNELS,
                                        .support = support,
                                        .dual_distance = dual_distance,
                                        .scale = scale,
                                        .solve = slipi_disc_solve_both};
