/* Friction with cohesion: K = {|r_T| <= mu (r_N + c)}, Coulomb's cone with its apex at r_N = -c.
 * The contact holds a pull up to c, and slides as Coulomb's or, relaxed, normal to K (Tasora,
 * Anitescu, Negrini, Negrut 2013, Fig. 3). Problems are solved in r + c e, where the law is
 * Coulomb's (contact/shift.h); these kernels say what it is for the problem as it was given. */
#include "contact/shift.h"

static SlipiAxis axis(const SlipiLaw *law, int component) {
  if (law->mu > 0 || component == 0)
    return SLIPI_AXIS_JOINED;
  return SLIPI_AXIS_NONE;
}

static SlipContactStatus project(const SlipiLaw *law, const double z[3], double p[3]) {
  SlipiLaw plain = slipi_shift_law(*law);
  double zN = z[0], s[3] = {zN + law->depth, z[1], z[2]};
  SlipContactStatus status = slipi_law_project(&plain, s, p);
  p[0] = status == SLIP_CONTACT_STICK ? zN : p[0] - law->depth;
  return status;
}

static void derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  SlipiLaw plain = slipi_shift_law(*law);
  double s[3] = {z[0] + law->depth, z[1], z[2]};
  slipi_law_project_derivative(&plain, s, J);
}

static double g(const SlipiLaw *law, const double u[3]) {
  return law->mu * slipi_tangent_norm(u);
}

static double dg(const SlipiLaw *law, const double u[3], double along[3]) {
  double t = slipi_tangent_norm(u);
  along[1] = u[1];
  along[2] = u[2];
  return t > 0 ? law->mu / t : 0;
}

/* At the apex, where the cone's own is 0. */
static double support(const SlipiLaw *law, const double x[3]) {
  return -law->depth * x[0];
}

static double dual_distance(const SlipiLaw *law, const double x[3]) {
  SlipiLaw plain = slipi_shift_law(*law);
  return slipi_law_dual_distance(&plain, x);
}

static void scale(SlipiLaw *law, double by, double times) {
  law->depth = law->depth / by * times;
}

/* With cohesion r = 0 is within K: nothing moves then, but for tangents without friction. */
static bool opens(const SlipiLaw *law, const double u[3]) {
  SlipiLaw plain = slipi_shift_law(*law);
  if (!(law->depth > 0))
    return slipi_law_opens(&plain, u);
  return u[0] == 0 && (law->mu == 0 || (u[1] == 0 && u[2] == 0));
}

const SlipiLawType slipi_law_cohesive = {.name = "cohesive",
                                         .reads = SLIPI_READS_MU | SLIPI_READS_FLOW |
                                                  SLIPI_READS_COHESION,
                                         .shifted = true,
                                         SLIPI_LAW_KERNELS,
                                         .g = g,
                                         .dg = dg,
                                         .support = support,
                                         .dual_distance = dual_distance,
                                         .scale = scale};
