/* H of a problem that has M: a sparse matrix in the global form, one pair of blocks for each
 * contact in the form of bodies. Code that only multiplies by H, or asks which bodies a contact
 * touches, goes through these functions and works for both. */
#ifndef SLIPI_CONTACT_BODIES_H
#define SLIPI_CONTACT_BODIES_H

#include "contact/problem.h"

enum { SLIPI_BODY_MOST = 6 }; /* degrees of freedom of a rigid body in 3D, 3 in 2D */

static inline int32_t slipi_body_dof(int32_t d) {
  return d == 3 ? SLIPI_BODY_MOST : 3;
}

/* The directions of a contact in d components, one after the other: the normal, then the tangents.
 * They depend on the normal alone, so that contacts that last keep theirs. */
void slipi_contact_frame(int d, const double *normal, double frame[3][3]);

/* The block of H of one body, d rows of slipi_body_dof() values: the velocity, along each direction
 * of the frame, of the point at `arm` from its centre. The sign is 1 for the body that the normal
 * points into, -1 for the other. Velocities are those of the centre, then the spin. */
void slipi_contact_arm(int d, const double *arm, double frame[3][3], double sign, double *block);

/* u = H' v. */
void slipi_problem_spread(const SlipProblem *problem, const double *v, double *u);

/* p = H r. */
void slipi_problem_gather(const SlipProblem *problem, const double *r, double *p);

/* p += H r of the contacts from `first` to before `end`. */
void slipi_problem_gather_add(const SlipProblem *problem, int32_t first, int32_t end,
                              const double *r, double *p);

/* |H'| x of one row, and y = |H| |r|, for bounds of rounding errors. */
double slipi_problem_spread_bound(const SlipProblem *problem, int32_t row, const double *x);
void slipi_problem_gather_bound(const SlipProblem *problem, const double *r, double *y);

/* The diagonal of M, dof values. */
void slipi_problem_mass_diagonal(const SlipProblem *problem, double *diagonal);

/* |M - M'| and |M| in the Frobenius norm, in the form of bodies. */
void slipi_problem_mass_asymmetry(const SlipProblem *problem, double *asymmetry, double *norm);

/* At most how many bodies (components of M) all contacts touch, counted with repetition. */
int64_t slipi_problem_touches(const SlipProblem *problem);

/* Entries of M and, `times` and once, of H. */
double slipi_problem_entries(const SlipProblem *problem, double times);

/* slipi_problem_contact_bodies of a global problem. */
int32_t slipi_problem_column_bodies(const SlipProblem *problem, int32_t contact, int32_t body[2]);

/* The bodies one contact touches, ascending and each once, as windows of slipi_body_dof()
 * consecutive degrees of freedom; more than two are counted but not listed. */
static inline int32_t slipi_problem_contact_bodies(const SlipProblem *problem, int32_t contact,
                                                   int32_t body[2]) {
  if (problem->form != SLIP_FORM_BODIES)
    return slipi_problem_column_bodies(problem, contact, body);
  int32_t x = problem->body[2 * (int64_t)contact], y = problem->body[2 * (int64_t)contact + 1];
  body[0] = x < 0 || (y >= 0 && y < x) ? y : x;
  body[1] = body[0] == x ? y : x;
  return (body[0] >= 0) + (body[1] >= 0 && body[1] != body[0]);
}

/* H' of one contact as d rows of 2n values (row-major), for the bodies of
 * slipi_problem_contact_bodies. */
void slipi_problem_contact_block(const SlipProblem *problem, int32_t contact, int32_t count,
                                 const int32_t body[2], double *block);

/* The same problem in global form, for code that walks over M and H as sparse matrices: a problem
 * of bodies is assembled in the arena, any other one is copied as a view. */
SlipStatus slipi_problem_as_global(const SlipProblem *problem, SlipiArena *arena,
                                   SlipProblem *global, SlipError *error);

#endif
