/* Contact without friction: K = {r_N >= 0, r_T = 0}. */
#include "contact/onecontact.h"

static SlipiAxis axis(const SlipiLaw *law, int component) {
  (void)law;
  return component == 0 ? SLIPI_AXIS_HALF : SLIPI_AXIS_NONE;
}

static SlipContactStatus project(const SlipiLaw *law, const double z[3], double p[3]) {
  (void)law;
  bool inside = z[1] == 0 && z[2] == 0;
  p[0] = z[0] > 0 ? z[0] : 0;
  p[1] = p[2] = 0;
  if (p[0] == 0)
    return SLIP_CONTACT_OPEN;
  return inside ? SLIP_CONTACT_STICK : SLIP_CONTACT_SLIP;
}

static void derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  (void)law;
  J[0] = z[0] > 0;
}

static bool opens(const SlipiLaw *law, const double u[3]) {
  (void)law;
  return u[0] >= 0;
}

static void solve(const SlipiOneContact *one, const double q[3], double r[3]) {
  double r_N = q[0] >= 0 ? 0 : -q[0] / one->W[0];
  if (isfinite(r_N) && r_N >= 0) { /* otherwise W_NN = 0 and q_N < 0: there is no solution */
    r[0] = r_N;
    r[1] = r[2] = 0;
  }
}

const SlipiLawType slipi_law_frictionless = {.name = "frictionless",
                                             .cone = true,
                                             .second_order = true,
                                             .one_sided = true,
                                             SLIPI_LAW_KERNELS,
                                             .solve = solve};
