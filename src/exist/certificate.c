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
    double tangent = sqrt(u[1] * u[1] + u[2] * u[2]);
    if (data->law[c] == SLIP_BILATERAL)
      *left = fmax(*left, fmax(fabs(u[0]), tangent));
    else
      least =
          fmin(least, u[0] - error[0] -
                          data->mu[c] * (tangent * (1 + 4 * DBL_EPSILON) + error[1] + error[2]));
  }
  return least;
}

SlipiImpulseCheck slipi_certify_impulse(const SlipiAffine *data, const double *r) {
  const SlipiCsr *H = data->H;
  SlipiImpulseCheck check = {.in_cone = true};
  long double work = 0;
  for (int32_t c = 0; c < data->nc; c++) {
    const double *rc = r + (int64_t)data->d * c;
    for (int k = 0; k < data->d; k++)
      work += (long double)data->w[data->d * c + k] * rc[k];
    long double t1 = rc[1], t2 = data->d == 3 ? rc[2] : 0, reach = data->mu[c] * (long double)rc[0];
    if (data->law[c] != SLIP_BILATERAL && !(rc[0] >= 0 && t1 * t1 + t2 * t2 <= reach * reach))
      check.in_cone = false;
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
