/* One problem that several processes hold together, each some of its chunks of contacts
 * (contact/chunks.h) with the bodies these touch. Each process runs the same solver on its own
 * contacts; what it needs of the others goes through the functions here. Everything that is decided
 * is decided from sums and largest values over all processes, which are the same bits on each of
 * them, and for any number of them: sums are exact (linalg/exact.h).
 *
 * A body is changed by at most one chunk of a colour. A row state is therefore right wherever it is
 * read if, after each colour, what its chunks have changed goes to the process that touches the
 * body next; the first one of the next sweep comes after the last. `spread` is for who reads all
 * bodies.
 *
 * A share that is NULL stands for a problem that one process holds alone. */
#ifndef SLIPI_CONTACT_SHARE_H
#define SLIPI_CONTACT_SHARE_H

#include "base/error.h"
#include "contact/chunks.h"
#include "linalg/exact.h"

struct SlipiBodyMatrix;
struct SlipiLoads;
struct SlipiRun;

typedef struct SlipiShare {
  void *user;
  int64_t contacts;     /* of the whole problem */
  double degree;        /* of its graph */
  SlipiChunks chunks;   /* those of this process, in the colours of the whole problem */
  const int64_t *first; /* contact of the whole problem that each of them begins with */
  const int64_t *body;  /* number of each body in the whole problem; they ascend */
  void (*begin)(void *user, int32_t colour, double *z); /* chunks before `inner` are done, */
  void (*end)(void *user, int32_t colour, double *z);   /* all of a colour */
  void (*spread)(void *user, double *z);
  void (*add)(void *user, int64_t *sums, int count); /* over all processes, */
  double (*most)(void *user, double x);              /* the largest of all */
  /* For loads that go from body to body (methods/common_loads.h): contacts of other processes at
   * the bodies that this one settles, and a pass of loads to other processes when all have done
   * what they could; false where nobody has got anything more to do by it. */
  SlipStatus (*loads_create)(void *user, const struct SlipiRun *run, struct SlipiLoads *loads,
                             SlipError *error);
  bool (*loads_pass)(void *user, const struct SlipiRun *run, struct SlipiLoads *loads);
  /* p = H c for a c with normal components only, contacts being added in the order of their
   * numbers: with the bits of one process. */
  SlipStatus (*gather)(void *user, const double *c, double *p, SlipError *error);
  /* The matrix of the bodies (contact/system_velocity.h), each process adding its contacts' part of
   * it. Every body's row is one process's own, which `own` of the bodies is told; values of bodies
   * that several processes touch are the same on all of them. *work counts the operations of a
   * factorisation. */
  SlipStatus (*matrix_create)(void *user, struct SlipiBodyMatrix *bodies, void **matrix,
                              double *work, SlipError *error);
  SlipStatus (*matrix_factor)(void *matrix, const double *x, int *sign, SlipError *error);
  void (*matrix_solve)(void *matrix, double *z); /* in place */
  void (*matrix_add)(void *matrix, double *z);   /* what each process has of each body */
  void (*matrix_free)(void *matrix);
  /* NULL where M has a block for each body. Else M couples all degrees of freedom: the mass of a
   * process's problem is D, the diagonal of M alone, and with N = D^-1/2 M D^-1/2
   *
   *     W = A' N^-1 A,   A = D^-1/2 H,
   *
   * so that z = N^-1 A r is all that changes. `couple` makes z = N^-1 (z + f), of what each process
   * has of z, and of one f (NULL: 0); `spread` and `matrix_add` do so too, and the matrix is
   * N^-1 (N + A E A'). Sums of them have no fixed bits. */
  void (*couple)(void *user, const double *f, double *z);
} SlipiShare;

/* The exact sum over all, rounded. */
static inline double slipi_share_sum(const SlipiShare *share, SlipiExact *sum) {
  if (share)
    share->add(share->user, sum->part, SLIPI_EXACT_SIZE);
  return slipi_exact_value(sum);
}

/* The sum of one number of each process; "added" because it depends on how the terms are dealt. */
static inline double slipi_share_added(const SlipiShare *share, double x) {
  SlipiExact sum = {{0}};
  if (!share)
    return x;
  slipi_exact_add(&sum, x);
  return slipi_share_sum(share, &sum);
}

static inline int64_t slipi_share_count(const SlipiShare *share, int64_t count) {
  if (share)
    share->add(share->user, &count, 1);
  return count;
}

static inline bool slipi_share_any(const SlipiShare *share, bool here) {
  return slipi_share_count(share, here) > 0;
}

static inline double slipi_share_most(const SlipiShare *share, double x) {
  return share ? share->most(share->user, x) : x;
}

static inline double slipi_share_least(const SlipiShare *share, double x) {
  return -slipi_share_most(share, -x);
}

/* Contacts of the whole problem, of which a process holds nc. */
static inline int64_t slipi_share_contacts(const SlipiShare *share, int32_t nc) {
  return share ? share->contacts : nc;
}

/* The number that a contact of this process has in the whole problem. */
int64_t slipi_share_contact(const SlipiShare *share, int32_t contact);

/* Fails on every process where something has failed on one of them. */
SlipStatus slipi_share_agree(const SlipiShare *share, SlipStatus status, SlipError *error);

#endif
