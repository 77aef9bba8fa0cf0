/* Line searches on a merit function q(t) along a direction (Acary, Brémond, Huber 2018, section
 * 5.5), for one contact and for whole problems. */
#ifndef SLIPI_BASE_LINESEARCH_H
#define SLIPI_BASE_LINESEARCH_H

typedef enum SlipiSearchKind {
  SLIPI_SEARCH_NONE,            /* t = 1 */
  SLIPI_SEARCH_GOLDSTEIN_PRICE, /* Algorithm 5 */
  SLIPI_SEARCH_ARMIJO           /* Algorithm 6, mended: plain backtracking by halves */
} SlipiSearchKind;

/* q(t); not a number counts as infinite. */
typedef double (*SlipiMerit)(void *user, double t);

typedef struct SlipiSearch {
  SlipiSearchKind kind;
  double m1, m2; /* 0 < m1 < m2 < 1 */
  double a;      /* extrapolation, above 1 */
  int trials;    /* at most */
} SlipiSearch;

/* Where a search starts from. */
typedef struct SlipiSearchStart {
  double q;         /* q(0) */
  double slope;     /* q'(0) < 0 */
  double reference; /* q(0), or a larger value where q need not fall in each step */
} SlipiSearchStart;

/* The step t > 0, tried from 1 on. The merit functions here are not smooth, so the conditions may
 * never hold: after the last trial the best one is taken. */
double slipi_line_search(const SlipiSearch *search, SlipiMerit merit, void *user,
                         const SlipiSearchStart *start);

#endif
