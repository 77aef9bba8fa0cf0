/* The fixed point (98) on one contact: r <- P_K(r - rho (u + g(u))). */
#include <string.h>

#include "contact/onecontact_parts.h"
#include "contact/step_rule.h"
#include "linalg/dense3.h"

/* F(r) = u + g(u), u = W r + q. */
static void velocity(const SlipiOneContact *one, const double q[3], const double r[3],
                     double F[3]) {
  slipi_dense3_multiply(one->W, r, F);
  for (int k = 0; k < 3; k++)
    F[k] += q[k];
  F[0] += slipi_law_g(&one->law, F);
}

static void step(const SlipiOneContact *one, double rho, const double F[3], const double r[3],
                 double to[3]) {
  for (int k = 0; k < 3; k++)
    to[k] = r[k] - rho * F[k];
  slipi_law_project(&one->law, to, to);
}

int slipi_one_contact_project(const SlipiOneContact *one, const double q[3], double r[3]) {
  double F[3];
  velocity(one, q, r, F);
  step(one, one->rho, F, r, r);
  return 1;
}

int slipi_one_contact_project_loop(const SlipiOneContact *one, const SlipiOneContactRule *rule,
                                   const double q[3], double r[3]) {
  /* Algorithm 3 with the ratio (101). */
  double rho = one->rho, x[3], F[3], best = slipi_one_contact_error(one, q, r), error = best;
  int k = 0;
  memcpy(x, r, sizeof x);
  velocity(one, q, x, F);
  for (; k < rule->max_iter && error > rule->tol; k++) {
    double next[3], at_next[3], ratio = 0;
    for (int trial = 0; trial < SLIPI_STEP_TRIALS; trial++) {
      double change = 0, moved = 0;
      step(one, rho, F, x, next);
      velocity(one, q, next, at_next);
      for (int i = 0; i < 3; i++) {
        change += (F[i] - at_next[i]) * (F[i] - at_next[i]);
        moved += (x[i] - next[i]) * (x[i] - next[i]);
      }
      ratio = moved > 0 ? rho * sqrt(change / moved) : 0;
      if (slipi_step_accept(ratio, &rho))
        break;
    }
    memcpy(x, next, sizeof x);
    memcpy(F, at_next, sizeof F);
    slipi_step_lengthen(ratio, &rho);
    error = slipi_one_contact_error(one, q, x);
    if (error < best) {
      best = error;
      memcpy(r, x, sizeof x);
    }
  }
  return k;
}
