/* The inside of SlipProblem. */
#ifndef SLIPI_CONTACT_PROBLEM_H
#define SLIPI_CONTACT_PROBLEM_H

#include "base/arena.h"
#include "contact/law.h"
#include "linalg/sparse.h"

struct SlipProblem {
  SlipForm form;
  int32_t d, nc; /* dimension, contacts */
  int32_t m;     /* d*nc */
  int32_t dof;   /* order of M, 0 for a local problem */
  SlipLaws laws; /* as given: `kind` and `mu` are there, `flow` and `bound` may be NULL */
  SlipiLaw *law; /* the same, one of each contact */
  /* local */
  SlipiCsr W;
  double *q;
  /* global */
  SlipiCsr M, H, Ht; /* Ht = H' */
  double *f, *w;
  SlipiArena arena;
};

/* The checks that an update of q, f, w or mu needs as well. */
SlipStatus slipi_problem_check_vector(const char *name, const double *x, int32_t count,
                                      SlipError *error);
SlipStatus slipi_problem_check_mu(const double *mu, int32_t count, SlipError *error);

#endif
