/* The inside of SlipProblem. */
#ifndef SLIPI_CONTACT_PROBLEM_H
#define SLIPI_CONTACT_PROBLEM_H

#include "base/arena.h"
#include "base/handle.h"
#include "contact/compliance.h"
#include "contact/law.h"
#include "linalg/sparse.h"

/* Factors of diagonal parts of M that are kept by whoever made the problem, and outlive it: part k
 * has the degrees of freedom first[k] .. first[k+1]-1, the last ones of M together. With them W is
 * never formed; its blocks on the diagonal (d x d a contact) come along, but may be bounds. */
typedef struct SlipiLent {
  int32_t count;
  const int32_t *first;
  struct SlipiFactor *const *factor;
  const double *own;
} SlipiLent;

struct SlipProblem {
  SlipForm form;
  int32_t d, nc;      /* dimension, contacts */
  int32_t m;          /* d*nc */
  int32_t dof;        /* order of M, 0 for a local problem */
  int32_t n;          /* degrees of freedom of a body, in the form of bodies */
  uint64_t alive;     /* base/handle.h */
  SlipLaws laws;      /* as given: `kind` and `mu` are there, `flow` and `bound` may be NULL */
  SlipiLaw *law;      /* the same, one of each contact */
  double *compliance; /* d x d of each contact, as given; may be NULL */
  const double *C;    /* the same, NULL where it is all zeros */
  /* local */
  SlipiCsr W;
  double *q;
  /* global */
  SlipiCsr M, H, Ht;     /* Ht = H' */
  double *f, *w;         /* also of bodies */
  const SlipiLent *lent; /* NULL: M is factored */
  int lent_unit;         /* M is 2^lent_unit times what the factors are of */
  bool scattered; /* they are some degrees of freedom of another problem, each on its own: bodies
                     are not looked for among them */
  /* bodies: see SlipBodiesData */
  double *body_mass;       /* n x n a body */
  int32_t *body;           /* 2 a contact, -1: none */
  double *blocks;          /* 2 blocks of d x n a contact; of no body: 0 */
  uint64_t *key;           /* NULL: none */
  double *frame;           /* NULL: none */
  SlipiArena arena, spare; /* `spare` keeps the memory of the laws before the last */
  SlipiArena room_arena;   /* of `room` */
  char *room;              /* that of bodies has the arrays but laws and compliance, */
  size_t room_size;        /* in so many bytes */
};

static inline bool slipi_problem_has_mass(const SlipProblem *problem) {
  return problem->form != SLIP_FORM_LOCAL;
}

SlipStatus slipi_problem_check_sizes(int32_t dimension, int32_t contacts, SlipError *error);

/* The first of `count` values that is not a finite number, or count. */
int64_t slipi_find_not_finite(const double *x, int64_t count);

/* Check and copy the laws of all contacts; problem->nc and d are set. */
SlipStatus slipi_problem_copy_laws(SlipProblem *problem, const SlipLaws *given, SlipError *error);

/* The check that an update of q, f or w needs as well. */
SlipStatus slipi_problem_check_vector(const char *name, const double *x, int32_t count,
                                      SlipError *error);

#endif
