/* A method with the values of its options and of those common to all methods. */
#ifndef SLIPI_SOLVER_SETTINGS_H
#define SLIPI_SOLVER_SETTINGS_H

#include "methods/method.h"

/* The common options, in the order of their table. */
enum {
  SLIPI_COMMON_TOL,
  SLIPI_COMMON_MAX_ITER,
  SLIPI_COMMON_TIME_LIMIT,
  SLIPI_COMMON_THREADS,
  SLIPI_COMMON_ERROR_EVERY,
  SLIPI_COMMON_OPERATOR,
  SLIPI_COMMON_TRACE,
  SLIPI_COMMON_COUNT
};

struct SlipSettings {
  const SlipiMethod *method;
  double common[SLIPI_COMMON_COUNT];
  double own[SLIPI_OPTIONS_MAX];
  SlipProgressFunction progress; /* NULL: none */
  void *progress_user;
};

/* The defaults of a method. */
void slipi_settings_init(SlipSettings *settings, const SlipiMethod *method);

#endif
