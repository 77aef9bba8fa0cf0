/* Solving problems in tests: one call from "name=value" options to the outcome and the independent
 * residual. Failures are cmocka assertions. */
#ifndef SLIPCONE_TESTS_SOLVING_H
#define SLIPCONE_TESTS_SOLVING_H

#include <slipcone/generate.h>

enum { SOLVING_REASON = 640 };

typedef struct Solved {
  SlipOutcome outcome;
  double error, reference; /* the library's, and reference.h's for the method's law */
  double last; /* the library's after the last iteration, whose point may not be the best */
  int64_t iterations;
  double *r; /* the best point; to be freed */
  char reason[SOLVING_REASON];
} Solved;

/* Solve with "name=value" options separated by spaces; start (may be NULL) is a warm start. */
Solved solve_with(const SlipProblem *problem, const char *method, const char *options,
                  const double *start);

/* Solve as solve_with does; the outcome must be SOLVED, with the independent residual at most tol.
 */
void expect_solved(const SlipProblem *problem, const char *what, const char *method,
                   const char *options, double tol);

/* Whether a built-in kind is about the existence of solutions: such problems may have none, or be
 * solvable only in theory, and no method is asked to solve them. */
int is_about_existence(const char *kind);

/* The default options of a kind of built-in problems, and the problem that options make; r (may be
 * NULL) receives its known solution. */
SlipGenerate generate_defaults(const char *kind);
SlipProblem *generate_with(const char *kind, const SlipGenerate *options, double **r);

/* A built-in problem; r (may be NULL) receives its known solution. */
SlipProblem *generate_problem(const char *kind, int32_t contacts, int32_t dimension, double **r);

/* A built-in problem of at most `contacts_most` contacts; NULL where the kind has not this
 * dimension. */
SlipProblem *generate_small(const char *kind, int32_t contacts_most, int32_t dimension);

/* A well conditioned problem with small mu: its solution is unique (Acary, Brémond, Huber 2018,
 * eq. 41), so that a method must find r, to be freed with slip_generate_free_r. */
SlipProblem *generate_unique(int32_t contacts, int32_t dimension, double **r);

/* The laws of a problem, as long as it lives. */
const SlipLaws *laws_of_problem(const SlipProblem *problem);

/* The same problem with other laws. */
SlipProblem *problem_with_laws(const SlipProblem *problem, const SlipLaws *laws);

/* A built-in problem in which every other contact slides by the associated flow. */
SlipProblem *generate_mixed(const char *kind, int32_t contacts, int32_t dimension);

/* Call visit for every built-in kind that is not about existence, in 2D and 3D where it has both,
 * with at most `contacts_most` contacts. */
void each_built_in_problem(int32_t contacts_most,
                           void (*visit)(const SlipProblem *problem, const char *kind));

#endif
