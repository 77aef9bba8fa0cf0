/* Coulomb's friction: K = {|r_T| <= mu r_N}, mu > 0, which slides along the plane of contact,
 * g(u) = (mu |u_T|, 0, 0) (3), or in its convex relaxation normal to K, g = 0. */
#include "contact/law.h"

static SlipiAxis axis(const SlipiLaw *law, int component) {
  (void)law;
  (void)component;
  return SLIPI_AXIS_JOINED;
}

static SlipContactStatus project(const SlipiLaw *law, const double z[3], double p[3]) {
  return slipi_law_project(law, z, p); /* the inline one */
}

/* (149)-(152) on the curved part of the cone, where z_T is not 0: with e = z_T/|z_T|,
 *   J_NN = k, J_NT = J_TN' = k mu e', J_TT = k mu [mu e e' + (z_N/|z_T| + mu)(I - e e')]. */
static void curved(double mu, const double z[3], double t, double J[9]) {
  double k = 1 / (1 + mu * mu), a = z[1] / t, b = z[2] / t;
  double along = k * mu * mu, across = k * mu * (z[0] / t + mu);
  J[0] = k;
  J[1] = J[3] = k * mu * a;
  J[2] = J[6] = k * mu * b;
  J[4] = along * a * a + across * b * b;
  J[5] = J[7] = (along - across) * a * b;
  J[8] = along * b * b + across * a * a;
}

static void derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  double p[3];
  switch (slipi_law_project(law, z, p)) {
  case SLIP_CONTACT_OPEN:
    return;
  case SLIP_CONTACT_STICK:
    J[0] = J[4] = J[8] = 1;
    return;
  case SLIP_CONTACT_SLIP:
    curved(law->mu, z, slipi_tangent_norm(z), J);
    return;
  }
}

static double g(const SlipiLaw *law, const double u[3]) {
  return slipi_law_g(law, u); /* the inline one */
}

static double dg(const SlipiLaw *law, const double u[3], double along[3]) {
  double t = slipi_tangent_norm(u);
  along[1] = u[1];
  along[2] = u[2];
  return t > 0 ? law->mu / t : 0;
}

/* u_N >= 0 puts u + g(u) in K*; without g that takes u_N >= mu |u_T|. */
static bool opens(const SlipiLaw *law, const double u[3]) {
  return u[0] >= (law->flow == SLIP_FLOW_COULOMB ? 0 : law->mu * slipi_tangent_norm(u));
}

const SlipiLawType slipi_law_coulomb = {.name = "coulomb",
                                        .reads = SLIPI_READS_MU | SLIPI_READS_FLOW,
                                        .cone = true,
                                        .second_order = true,
                                        .one_sided = true,
                                        SLIPI_LAW_KERNELS,
                                        .g = g,
                                        .dg = dg};
