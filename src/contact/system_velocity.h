/* The velocity side of contact/system.h. With M = L U, A = U^-T H and B = L^-1 H (contact/mass.h)
 * W = A' B, and
 *
 *     det(I + W E) = det(I + B E A')
 *
 * for any block-diagonal E: the matrix on the right has a row for each degree of freedom that a
 * contact touches, and a block for each two bodies that touch. */
#ifndef SLIPI_CONTACT_SYSTEM_VELOCITY_H
#define SLIPI_CONTACT_SYSTEM_VELOCITY_H

#include "contact/operator.h"
#include "linalg/frontal.h"

/* A contact that a body has. */
typedef struct SlipiMeeting {
  int32_t contact;
  int32_t index; /* of the body, among those of the contact */
  int32_t row;   /* the first of the contact's rows that is the body's */
} SlipiMeeting;

typedef struct SlipiBodyMatrix {
  int32_t d, nc;
  int32_t rows;             /* degrees of freedom that are touched */
  SlipiRows half;           /* A and B, places being counted among those */
  int32_t *touch_p, *touch; /* the bodies each contact touches */
  int32_t *meet_p;          /* of each body: its contacts, in order */
  SlipiMeeting *meet;
  int64_t *where_p;      /* of each contact: where in `where` its pairs of bodies are */
  int32_t *where;        /* the block of a pair */
  int32_t *size, *p, *j; /* the graph of the bodies, as SlipiNodes has it */
  int32_t bodies;        /* that are touched */
  int32_t *component;    /* of M, that each is */
  int64_t *offset;
  double *x;             /* values of I + B E A'; from the first factorisation on */
  int64_t count;         /* how many values x has */
  double *product;       /* for each piece of work, of one contact: */
  int32_t most;          /* at most so many rows, and three columns each of two matrices */
  SlipiFrontal *frontal; /* NULL where processes share the matrix: */
  SlipiTeam *team;       /* the operator's */
  const SlipiShare *share;
  void *shared;    /* the share's own */
  bool *own;       /* the bodies whose rows this process has */
  double add_work; /* of the matrix before it is factored */
  SlipiArena arena;
  SlipiArena scratch; /* of the creation: empty between calls, its memory is kept */
} SlipiBodyMatrix;

/* For a global problem whose M is made of small blocks. */
SlipStatus slipi_body_matrix_create(const SlipiOperator *op, SlipiBodyMatrix **bodies,
                                    SlipError *error);
/* Another problem's, in the same memory; after a failure it may only be set again or freed. */
SlipStatus slipi_body_matrix_set(SlipiBodyMatrix *bodies, const SlipiOperator *op,
                                 SlipError *error);
void slipi_body_matrix_free(SlipiBodyMatrix *bodies);

/* In the units of slipi_frontal_work. */
double slipi_body_matrix_work(const SlipiBodyMatrix *bodies);

/* Whether each contact whose block of K (3 x 3 values a contact) is not 0 touches the bodies of the
 * one before it. */
bool slipi_body_matrix_together(const SlipiBodyMatrix *bodies, const double *K);

/* Factor I + B E A'; E has 3 x 3 values a contact, of which d x d count. `coupling` (NULL: none)
 * are the blocks of E between each contact, whose rows they are in, and the one before it: 0 but
 * for contacts that are together. */
SlipStatus slipi_body_matrix_factor(SlipiBodyMatrix *bodies, const double *E,
                                    const double *coupling, int *sign, SlipError *error);

/* z = (I + B E A')^-1 z. */
void slipi_body_matrix_solve(const SlipiBodyMatrix *bodies, double *z);

/* |z|^2 of the rows that this process has. */
double slipi_body_matrix_square(const SlipiBodyMatrix *bodies, const double *z);

/* z = B r and u = A' z, with three values a contact, of which d count. */
void slipi_body_matrix_gather(const SlipiBodyMatrix *bodies, const double *r, double *z);
void slipi_body_matrix_spread(const SlipiBodyMatrix *bodies, const double *z, double *u);

#endif
