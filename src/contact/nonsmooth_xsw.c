/* The functions of Xuewen, Soh and Wanji (65). The printed third line is garbled; from its idea:
 *
 *     min(rho_N u_N, r_N)
 *     min(rho_T |u_T|, mu r_N - |r_T|)
 *     (|u_T1 r_T2 - u_T2 r_T1| + max(0, u_T . r_T)) rho_T / size
 *
 * either no slip or the boundary of the cone, and slip opposite to the impulse. In two dimensions
 * the third line has no row of its own, so these are for three.
 */
#include <string.h>

#include "contact/nonsmooth.h"

/* e = x/|x|; where x = 0, the direction opposite to `other`, which is how a slide would begin. */
static void direction(const double x[3], const double other[3], double e[2]) {
  double t = slipi_tangent_norm(x), o = slipi_tangent_norm(other);
  e[0] = t > 0 ? x[1] / t : o > 0 ? -other[1] / o : 1;
  e[1] = t > 0 ? x[2] / t : o > 0 ? -other[2] / o : 0;
}

void slipi_nonsmooth_xsw(double mu, SlipiSteps rho, const double u[3], const double r[3],
                         double F[3], double *Phi_ru, double *Phi_rr) {
  double speed = rho.tangent * slipi_tangent_norm(u), slack = mu * r[0] - slipi_tangent_norm(r);
  double cross = u[1] * r[2] - u[2] * r[1], dot = u[1] * r[1] + u[2] * r[2];
  double k = rho.tangent / rho.size, sign = cross < 0 ? -k : k, ahead = dot > 0 ? k : 0, e[2];
  bool closed = rho.normal * u[0] < r[0], stick = speed <= slack;
  F[0] = closed ? rho.normal * u[0] : r[0];
  F[1] = stick ? speed : slack;
  F[2] = sign * cross + ahead * dot;
  if (Phi_ru) {
    memset(Phi_ru, 0, 9 * sizeof *Phi_ru);
    Phi_ru[0] = closed ? rho.normal : 0;
    direction(u, r, e);
    Phi_ru[4] = stick ? rho.tangent * e[0] : 0;
    Phi_ru[5] = stick ? rho.tangent * e[1] : 0;
    Phi_ru[7] = sign * r[2] + ahead * r[1];
    Phi_ru[8] = -sign * r[1] + ahead * r[2];
  }
  if (Phi_rr) {
    memset(Phi_rr, 0, 9 * sizeof *Phi_rr);
    Phi_rr[0] = closed ? 0 : 1;
    direction(r, u, e);
    Phi_rr[3] = stick ? 0 : mu;
    Phi_rr[4] = stick ? 0 : -e[0];
    Phi_rr[5] = stick ? 0 : -e[1];
    Phi_rr[7] = -sign * u[2] + ahead * u[1];
    Phi_rr[8] = sign * u[1] + ahead * u[2];
  }
}
