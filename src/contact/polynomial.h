/* Real roots of polynomials of low degree. */
#ifndef SLIPI_CONTACT_POLYNOMIAL_H
#define SLIPI_CONTACT_POLYNOMIAL_H

enum { SLIPI_DEGREE_MAX = 4, SLIPI_ROOTS_MAX = 8 };

/* The real roots of c[0] + c[1] x + ... + c[degree] x^degree in [low, high], ascending. Points
 * where the polynomial touches zero to rounding are counted as roots, so that double roots are
 * not lost; leading coefficients may be 0. A polynomial that vanishes has no roots here.
 * roots needs SLIPI_ROOTS_MAX places. */
int slipi_polynomial_roots(const double *c, int degree, double low, double high, double *roots);

#endif
