#include "contact/law.h"

#include <string.h>

#include "linalg/dense3.h"

#define LAW_TYPE(NAME, name) [SLIPI_##NAME] = &slipi_law_##name,
const SlipiLawType *const slipi_law_types[SLIPI_LAWS] = {SLIPI_LAW_TABLE(LAW_TYPE)};

const char *slip_law_name(int law) {
  return law >= 0 && law < SLIPI_LAWS_PUBLIC ? slipi_law_types[law]->name : NULL;
}

int slip_law_flows(SlipLaw law) {
  return slip_law_name((int)law) && slipi_law_types[law]->reads & SLIPI_READS_FLOW;
}

SlipiLaw slipi_law(int kind, double mu) {
  SlipiLaw law = {.kind = (SlipiLawKind)kind};
  if (slipi_law_type(&law)->reads & SLIPI_READS_MU)
    law.mu = mu;
  if (slipi_law_type(&law)->reads & SLIPI_READS_BOUND)
    law.bound = 7;
  if (law.kind == SLIPI_COULOMB && mu == 0)
    law.kind = SLIPI_FRICTIONLESS;
  return law;
}

bool slipi_law_other_is_flat(const SlipiLaw *law) {
  for (int k = 0; k < 3; k++) {
    if (slipi_law_axis(law, k) == SLIPI_AXIS_JOINED)
      return false;
  }
  return true;
}

double slipi_law_other_g(const SlipiLaw *law, const double u[3]) {
  const SlipiLawType *type = slipi_law_type(law);
  return type->g && law->flow != SLIP_FLOW_ASSOCIATED ? type->g(law, u) : 0;
}

double slipi_law_dg(const SlipiLaw *law, const double u[3], double along[3]) {
  const SlipiLawType *type = slipi_law_type(law);
  along[0] = along[1] = along[2] = 0;
  return type->dg && law->flow != SLIP_FLOW_ASSOCIATED ? type->dg(law, u, along) : 0;
}

void slipi_law_project_derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  memset(J, 0, 9 * sizeof *J);
  slipi_law_type(law)->derivative(law, z, J);
}

double slipi_law_distance(const SlipiLaw *law, const double x[3]) {
  double p[3];
  slipi_law_project(law, x, p);
  for (int k = 0; k < 3; k++)
    p[k] = x[k] - p[k];
  return slipi_dense3_norm(p);
}

double slipi_law_dual_distance(const SlipiLaw *law, const double x[3]) {
  const SlipiLawType *type = slipi_law_type(law);
  if (type->dual_distance)
    return type->dual_distance(law, x);
  /* Moreau: x = P_K*(x) - P_K(-x), K being a cone. */
  double p[3], minus[3] = {-x[0], -x[1], -x[2]};
  slipi_law_project(law, minus, p);
  return slipi_dense3_norm(p);
}

double slipi_law_support(const SlipiLaw *law, const double x[3]) {
  const SlipiLawType *type = slipi_law_type(law);
  return type->support ? type->support(law, x) : 0;
}

bool slipi_law_opens(const SlipiLaw *law, const double u[3]) {
  return slipi_law_type(law)->opens(law, u);
}

double slipi_law_gap(const SlipiLaw *law, const double u[3], const double r[3]) {
  double moved = u[0] + slipi_law_g(law, u), minus[3] = {-moved, -u[1], -u[2]};
  return r[0] * moved + r[1] * u[1] + r[2] * u[2] + slipi_law_support(law, minus);
}
