/* Data and functions that the parts of the existence check share. */
#ifndef SLIPI_EXIST_EXIST_H
#define SLIPI_EXIST_EXIST_H

#include <slipcone/check.h>

#include "contact/mass.h"
#include "exist/certificate.h"
#include "exist/program.h"

typedef struct SlipiCheck {
  SlipCheck result; /* first: the public struct is the whole's beginning */
  SlipiArena arena; /* of the arrays of the result */
  SlipiArena work;  /* of arrays that go when the check is done */
  const SlipProblem
      *problem;          /* local or global, with no cone shifted: one of bodies is assembled */
  SlipProblem assembled; /* here, */
  SlipProblem plain;     /* one with cohesion is taken in r + c e (contact/shift.h) here; then */
  const SlipProblem *shifted; /* this is the one in r; else NULL */
  SlipCheckOptions options;
  SlipiAffine data;
  SlipiCsr extended;   /* with compliance C: W + C of a local problem, [H' C] of a global one */
  SlipiCsr transposed; /* the transpose of `extended`, or of W, where `data` needs it */
  SlipiMass *mass;     /* NULL until it is needed, and for a local problem */
  double began, deadline;
  SlipiStop stop;    /* asks the deadline and options.progress; all long work asks it */
  bool interrupted;  /* options.progress has ended the check */
  int32_t no_cone;   /* the first contact whose K is no cone, so that no theory applies; or -1 */
  bool frictionless; /* no contact has friction */
  bool bilateral;    /* some contact is bilateral */
  SlipFound *found;  /* the array of result.found, with room for more */
  int found_room;
} SlipiCheck;

/* One sentence or more to the reason. */
void slipi_check_say(SlipiCheck *check, const char *format, ...) SLIPI_PRINTF(2, 3);

/* Answer by kinematics: shortcuts, then the program (4.39), then (A'). */
SlipStatus slipi_check_shortcuts(SlipiCheck *check, SlipiProgram *program, bool *decided,
                                 SlipError *error);
/* W of a local problem: does the theory apply? Decides where W is positive definite. */
SlipStatus slipi_check_local(SlipiCheck *check, bool *decided, SlipError *error);
SlipStatus slipi_check_kinematics(SlipiCheck *check, SlipError *error);

/* Whether impulses in K other than 0 are in balance. */
SlipStatus slipi_check_internal(SlipiCheck *check, SlipError *error);

/* Is M positive definite? Decided where one pass over M is enough, or where options.mass asks for
 * it. */
SlipStatus slipi_check_mass(SlipiCheck *check, SlipError *error);
/* Factor M, which also tells whether it is positive definite. */
SlipStatus slipi_check_need_mass(SlipiCheck *check, SlipError *error);

/* Record (and verify) a velocity x in the units of kin; false where it does not certify. */
bool slipi_check_velocity(SlipiCheck *check, const SlipiKinematics *kin, const double *x);
/* Check an impulse; the certificate is kept where it holds. */
bool slipi_check_impulse(SlipiCheck *check, const SlipiKinematics *kin, const double *y);

/* Add a solution; false where memory is out. */
bool slipi_check_found(SlipiCheck *check, const double *r, const double *u, const int32_t *status,
                       bool continuum);

/* Where the criterion fails: r = 0, enumeration, a solver. */
SlipStatus slipi_check_further(SlipiCheck *check, SlipError *error);

#endif
