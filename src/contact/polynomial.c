/* Roots are separated by the roots of the derivative, found the same way: between two of them
 * the polynomial is monotone and Newton within a bracket cannot fail. No complex numbers, no
 * closed form with its cancellations. */
#include "contact/polynomial.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct Value {
  double p, slope, noise; /* noise bounds the rounding error of p */
} Value;

static Value evaluate(const double *c, int degree, double x) {
  Value v = {c[degree], 0, fabs(c[degree])};
  for (int k = degree - 1; k >= 0; k--) {
    v.slope = v.slope * x + v.p;
    v.p = v.p * x + c[k];
    v.noise = v.noise * fabs(x) + fabs(c[k]);
  }
  v.noise *= 8 * DBL_EPSILON;
  return v;
}

/* The root between a and b, where p changes sign (from below zero to above when rising). */
static double refine(const double *c, int degree, double a, double b, bool rising) {
  double x = 0.5 * (a + b);
  for (int k = 0; k < 100; k++) {
    Value v = evaluate(c, degree, x);
    if (v.p == 0)
      return x;
    if ((v.p > 0) == rising)
      b = x;
    else
      a = x;
    double next = x - v.p / v.slope;
    if (!(next > a && next < b))
      next = 0.5 * (a + b);
    if (fabs(next - x) <= DBL_EPSILON * fabs(x) || next == a || next == b)
      return next;
    x = next;
  }
  return x;
}

static void append(double *roots, int *count, double x) {
  if (*count < SLIPI_ROOTS_MAX && (*count == 0 || x > roots[*count - 1]))
    roots[(*count)++] = x;
}

int slipi_polynomial_roots(const double *c, int degree, double low, double high, double *roots) {
  int count = 0;
  if (degree < 1)
    return 0;
  double derivative[SLIPI_DEGREE_MAX], knots[SLIPI_ROOTS_MAX + 1];
  for (int k = 0; k < degree; k++)
    derivative[k] = (k + 1) * c[k + 1];
  int n = slipi_polynomial_roots(derivative, degree - 1, low, high, knots);
  if (n == SLIPI_ROOTS_MAX)
    n--;
  knots[n] = high;
  double a = low;
  Value at_a = evaluate(c, degree, a);
  if (at_a.p == 0 && at_a.noise > 0)
    append(roots, &count, a);
  for (int k = 0; k <= n; k++) {
    double b = knots[k];
    Value at_b = evaluate(c, degree, b);
    if ((at_a.p < 0 && at_b.p > 0) || (at_a.p > 0 && at_b.p < 0))
      append(roots, &count, refine(c, degree, a, b, at_a.p < 0));
    /* A touching point is an extremum; at the end of the range only an exact zero counts. */
    if (fabs(at_b.p) <= (k < n ? at_b.noise : 0) && at_b.noise > 0)
      append(roots, &count, b);
    a = b;
    at_a = at_b;
  }
  return count;
}
