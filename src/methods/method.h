/* What a method is to the driver: a name, an options table, what it needs, and three steps.
 *
 * The driver owns the loop: limits, stopping, timing, trace, callbacks and the error (131) are
 * its business. A method moves run->r by one iteration at a time and may report a cheap measure
 * of its progress.
 */
#ifndef SLIPI_METHODS_METHOD_H
#define SLIPI_METHODS_METHOD_H

#include "contact/operator.h"

typedef enum SlipiNeed {
  SLIPI_NEED_ROWS = 1 /* row access of the operator */
} SlipiNeed;

enum { SLIPI_OPTIONS_MAX = 24 }; /* of one method */

/* One run, as a method sees it. */
typedef struct SlipiRun {
  int32_t d, nc, m;
  SlipiOperator *op;
  const SlipiLaw *law;   /* of each contact */
  const double *q;       /* m */
  const double *options; /* values of the method's own options, in the order of its table */
  double tol;
  double error;      /* the last (131) the driver has evaluated */
  int64_t iteration; /* the one under way, from 1 */
  double *r;         /* m: the iterate */
  double cheap;      /* out of step: (132), or any measure that falls like the error */
  bool laws_changed; /* since the last start: what was prepared from W and mu is stale */
  SlipiArena *arena; /* for what create allocates; it dies with the solver */
  void *state;       /* the method's own */
} SlipiRun;

typedef struct SlipiMethod {
  SlipMethodInfo info;
  unsigned needs; /* SlipiNeed */
  /* Allocate the state. */
  SlipStatus (*create)(SlipiRun *run, SlipError *error);
  /* Begin from run->r. */
  SlipStatus (*start)(SlipiRun *run, SlipError *error);
  /* One iteration. */
  SlipStatus (*step)(SlipiRun *run, SlipError *error);
  /* Leave the result in run->r; NULL where it is there already. */
  SlipStatus (*finish)(SlipiRun *run, SlipError *error);
  /* Free what is not in the arena, also after a create that failed; run->state may be NULL. NULL
   * where there is no such thing. */
  void (*destroy)(SlipiRun *run);
} SlipiMethod;

/* NULL when there is no such method, or index is out of range. */
const SlipiMethod *slipi_method_find(const char *name);
const SlipiMethod *slipi_method_at(int index);

extern const SlipiMethod slipi_method_nsgs;
extern const SlipiMethod slipi_method_psor;
extern const SlipiMethod slipi_method_nsn_ac;
extern const SlipiMethod slipi_method_nsn_ac_gp;
extern const SlipiMethod slipi_method_nsn_ac_a;
extern const SlipiMethod slipi_method_nsn_jm;
extern const SlipiMethod slipi_method_nsn_jm_gp;
extern const SlipiMethod slipi_method_nsn_jm_a;
extern const SlipiMethod slipi_method_nsn_nm;
extern const SlipiMethod slipi_method_nsn_nm_gp;
extern const SlipiMethod slipi_method_nsn_nm_a;
extern const SlipiMethod slipi_method_nsn_fb;
extern const SlipiMethod slipi_method_nsn_fb_gp;
extern const SlipiMethod slipi_method_nsn_fb_a;
extern const SlipiMethod slipi_method_nsn_hsw;
extern const SlipiMethod slipi_method_nsn_xsw;

#endif
