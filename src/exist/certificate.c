#include "exist/certificate.h"

#include <float.h>

/* |H r| must be this small, and this much smaller than w'r: no v with |v| below 1e3 times the
 * size of w (in the units of H's rows) then meets the criterion. */
#define IMBALANCE 1e-9
#define IMBALANCE_SHARE 1e-3

double slipi_certify_velocity(const SlipiAffine *data, const double *v, double *left) {
  const SlipiCsr *Ht = data->Ht;
  double least = INFINITY;
  *left = 0;
  for (int32_t c = 0; c < data->nc; c++) {
    double u[3] = {0}, error[3] = {0};
    for (int k = 0; k < data->d; k++) {
      int32_t row = data->d * c + k, count = Ht->p[row + 1] - Ht->p[row];
      double size = fabs(data->w[row]);
      u[k] = data->w[row];
      for (int32_t e = Ht->p[row]; e < Ht->p[row + 1]; e++) {
        u[k] += Ht->x[e] * v[Ht->i[e]];
        size += fabs(Ht->x[e] * v[Ht->i[e]]);
      }
      error[k] = (count + 4) * DBL_EPSILON * size;
    }
    const SlipiLaw *law = &data->law[c];
    bool bilateral = !slipi_law_is_second_order(law);
    for (int k = 0; bilateral && k < 3; k++)
      u[k] = slipi_law_axis(law, k) == SLIPI_AXIS_FREE ? u[k] : 0; /* only bound ones count */
    double tangent = sqrt(u[1] * u[1] + u[2] * u[2]);
    if (bilateral)
      *left = fmax(*left, fmax(fabs(u[0]), tangent));
    else
      least = fmin(least, u[0] - error[0] -
                              law->mu * (tangent * (1 + 4 * DBL_EPSILON) + error[1] + error[2]));
  }
  return least;
}

/* r in K, decided without rounding. */
static bool is_in_cone(const SlipiLaw *law, int d, const double *r) {
  if (slipi_law_is_second_order(law)) {
    long double t1 = r[1], t2 = d == 3 ? r[2] : 0, reach = law->mu * (long double)r[0];
    return r[0] >= 0 && t1 * t1 + t2 * t2 <= reach * reach;
  }
  for (int k = 0; k < d; k++) {
    if (r[k] != 0 && slipi_law_axis(law, k) != SLIPI_AXIS_FREE)
      return false;
  }
  return true;
}

SlipiImpulseCheck slipi_certify_impulse(const SlipiAffine *data, const double *r) {
  const SlipiCsr *H = data->H;
  SlipiImpulseCheck check = {.in_cone = true};
  long double work = 0;
  for (int32_t c = 0; c < data->nc; c++) {
    const double *rc = r + (int64_t)data->d * c;
    for (int k = 0; k < data->d; k++)
      work += (long double)data->w[data->d * c + k] * rc[k];
    check.in_cone = check.in_cone && is_in_cone(&data->law[c], data->d, rc);
  }
  for (int32_t j = 0; j < data->n; j++) {
    long double sum = 0;
    double largest = 0;
    for (int32_t e = H->p[j]; e < H->p[j + 1]; e++) {
      sum += (long double)H->x[e] * r[H->i[e]];
      largest = fmax(largest, fabs(H->x[e]));
    }
    if (largest > 0)
      check.imbalance = fmax(check.imbalance, fabs((double)sum) / largest);
  }
  check.work = (double)work;
  return check;
}

bool slipi_certificate_holds(const SlipiAffine *data, const SlipiImpulseCheck *check, double tol) {
  return check->in_cone && check->imbalance <= IMBALANCE && check->work < -tol * data->size &&
         check->imbalance * data->size <= IMBALANCE_SHARE * -check->work;
}
