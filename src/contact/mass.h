/* The mass matrix made ready, component by component: M^-1 by dense factors for small components
 * (rigid bodies), by sparse factors for large ones (finite elements).
 *
 * The small components also give access to the two halves of the factorisation M = L U, which
 * velocity-form operators fold into H: with A = U^-T H and B = L^-1 H their part of W is A' B. L
 * and U have the same diagonal, so that for a symmetric M they are Cholesky factors and A = B.
 */
#ifndef SLIPI_CONTACT_MASS_H
#define SLIPI_CONTACT_MASS_H

#include "base/stop.h"
#include "contact/bodies.h"
#include "linalg/bsr.h"
#include "linalg/factor.h"
#include "linalg/root_lu.h"

typedef struct SlipiMass {
  int32_t dof;
  /* The connected components of M's pattern, small ones first. A dof's place is its position when
   * components are laid one after the other. */
  int32_t components;
  int32_t small;            /* places of small components, which come before the others */
  int32_t small_components; /* how many there are */
  int32_t *component;       /* of each dof */
  int32_t *start;           /* places of component c: start[c]..start[c+1]-1 */
  int32_t *place;           /* of each dof */
  int32_t *at;              /* the dof at each place */
  int32_t largest;          /* component */
  int32_t body;         /* degrees of freedom of a rigid body where the components are such bodies,
                           one after the other, and no contact touches more than two; else 0 */
  bool blocks;          /* all components are small */
  bool symmetric;       /* every small one is, to the bit */
  int64_t *offset;      /* of each small component's factors in lu */
  int32_t *alone;       /* of each: how many of its first rows stand alone */
  double *lu;           /* L below, U above the diagonal, row-major; nothing where all rows of a
                           component stand alone */
  double *diagonal;     /* that L and U share, at each place */
  SlipiFactor **factor; /* of each large component; NULL: there are none, or they are lent */
  int32_t *like;        /* of each of these: the first with the same matrix, whose factors it has */
  const SlipiLent *lent; /* in its place, */
  int lent_unit;         /* of M divided by 2^lent_unit */
  double *large;         /* values of one of them, twice */
  double *work;          /* dof values */
  /* Room of a pass over the contacts, a value for each component. */
  int32_t *seen, *list, *row;
  SlipiArena arena;
  SlipiArena scratch; /* of one call: empty between calls, its memory is kept */
  SlipiStop stop;     /* asked while M is factored and W is made */
  SlipiTeam *team;    /* that makes W: of who has the mass; NULL: alone */
} SlipiMass;

/* Without a problem yet: slipi_mass_set gives it one, and asks its `stop`. */
SlipStatus slipi_mass_new(SlipiMass **mass, SlipError *error);
SlipStatus slipi_mass_create(const SlipProblem *problem, SlipiMass **mass, SlipError *error);
/* Another problem's M, in the same memory; after a failure the mass may only be set again or freed.
 */
SlipStatus slipi_mass_set(SlipiMass *mass, const SlipProblem *problem, SlipError *error);
void slipi_mass_free(SlipiMass *mass);

/* x = M^-1 b; they may not overlap. */
SlipStatus slipi_mass_solve(SlipiMass *mass, const double *b, double *x, SlipError *error);

/* v = M^-1 (H r + f); f NULL: 0. */
SlipStatus slipi_mass_velocity(SlipiMass *mass, const SlipProblem *problem, const double *r,
                               const double *f, double *v, SlipError *error);

/* z = L^-1 f at the places of small components: A' z is the free velocity they give the contacts,
 * without w. */
void slipi_mass_half_velocity(const SlipiMass *mass, const double *f, double *z);

/* The components that the d columns of one contact touch, ascending, into `list`; returns their
 * number. `seen` (one mark per component) gets contact + 1. */
int32_t slipi_mass_contact_components(const SlipiMass *mass, const SlipProblem *problem,
                                      int32_t contact, int32_t *seen, int32_t *list);

/* A and B above of the small components, contact by contact: contact c has rows
 * k[p[c]]..k[p[c+1]-1] (places) with d values each. For a symmetric M, b = a. */
typedef struct SlipiRows {
  int32_t d, nc;
  int32_t *p, *k;
  double *a, *b;
} SlipiRows;

SlipStatus slipi_mass_rows(SlipiMass *mass, const SlipProblem *problem, SlipiArena *arena,
                           SlipiRows *rows, SlipError *error);

/* The same for the bodies of `body`: the places where the (at most) two bodies of one contact
 * begin, and d rows of 2*body values (row-major) of A and B, zeros where there is no second body.
 * With one body `first` names it twice, with none it names the place after the last. b NULL: it is
 * a. */
void slipi_mass_pair(const SlipiMass *mass, const SlipProblem *problem, int32_t contact,
                     int32_t first[2], double *a, double *b);

/* The d x d blocks of W on its diagonal, through sparse factors, for all contacts at once; *known
 * is false, and nothing done, where the factors have no part for it (see slipi_factor_within). The
 * problem has H' as a sparse matrix. */
SlipStatus slipi_mass_own_blocks(SlipiMass *mass, const SlipProblem *problem, double *blocks,
                                 bool *known, SlipError *error);

/* W = H' M^-1 H as block-sparse rows: a block for each two contacts that touch one component. */
SlipStatus slipi_mass_reduce(SlipiMass *mass, const SlipProblem *problem, SlipiArena *arena,
                             SlipiBsr *W, SlipError *error);

/* The part of W that comes from large components. Rows of contacts that touch none are empty: there
 * `diagonal` says nothing. */
SlipStatus slipi_mass_reduce_large(SlipiMass *mass, const SlipProblem *problem, SlipiArena *arena,
                                   SlipiBsr *W, SlipError *error);

/* How many blocks a row of that part has on the average, from a sample of rows. */
SlipStatus slipi_mass_large_blocks(SlipiMass *mass, const SlipProblem *problem, double *blocks,
                                   SlipError *error);

/* How many blocks a row of W has on the average, from a sample of rows; a lower bound where that is
 * `enough` and sooner found. */
SlipStatus slipi_mass_row_blocks(SlipiMass *mass, const SlipProblem *problem, double enough,
                                 double *blocks, SlipError *error);

#endif
