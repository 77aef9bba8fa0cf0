#include "base/linesearch.h"

#include <math.h>
#include <stdbool.h>

double slipi_line_search(const SlipiSearch *search, SlipiMerit merit, void *user,
                         const SlipiSearchStart *start) {
  bool armijo = search->kind == SLIPI_SEARCH_ARMIJO;
  double t = 1, left = 0, right = 0, best = 1, least = INFINITY;
  if (search->kind == SLIPI_SEARCH_NONE)
    return 1;
  for (int k = 0; k < search->trials; k++) {
    double q = merit(user, t);
    if (q < least) {
      least = q;
      best = t;
    }
    /* Written so that a q that is not a number asks for a shorter step. */
    bool short_enough = q - start->reference <= search->m1 * start->slope * t;
    bool long_enough = armijo || !(q - start->q < search->m2 * start->slope * t);
    if (short_enough && long_enough)
      return t;
    if (short_enough)
      left = t;
    else
      right = t;
    t = right == 0 ? search->a * t : 0.5 * (left + right);
  }
  return best;
}
