/* Does a problem have a solution? The criterion of Acary and Cadoux 2013: if some velocity v gives
 * every contact a relative velocity H' v + w in the dual of its friction cone, there is one.
 * docs/existence.md says which argument proves which answer. */
#ifndef SLIPCONE_CHECK_H
#define SLIPCONE_CHECK_H

#include <math.h>

#include <slipcone/slipcone.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The verdict of the kinematics. */
typedef enum SlipVerdict {
  SLIP_VERDICT_ROBUST,        /* margin > 0: a solution exists, also for slightly different data */
  SLIP_VERDICT_EXISTS,        /* margin 0 within tolerance: a solution exists */
  SLIP_VERDICT_NOT_CERTIFIED, /* margin < 0: the criterion fails; with friction there may be a
                                 solution */
  SLIP_VERDICT_IMPOSSIBLE,    /* penetration cannot be avoided: there is no solution */
  SLIP_VERDICT_UNKNOWN        /* not decided: the reason says why */
} SlipVerdict;

/* "ROBUST", "EXISTS", "NOT CERTIFIED", "NO SOLUTION", "UNKNOWN" */
SLIP_API const char *slip_verdict_name(SlipVerdict verdict);

/* The answer in the end, from the kinematics or from trying further. */
typedef enum SlipAnswer { SLIP_ANSWER_YES, SLIP_ANSWER_NO, SLIP_ANSWER_UNDECIDED } SlipAnswer;

/* The argument that decided. */
typedef enum SlipCheckGround {
  SLIP_CHECK_BY_NOTHING,
  SLIP_CHECK_BY_NO_CONTACTS,
  SLIP_CHECK_BY_ZERO_W,       /* w = 0: v = 0 will do */
  SLIP_CHECK_BY_RANGE,        /* w is in the range of H': some v gives H' v + w = 0 */
  SLIP_CHECK_BY_FULL_RANK,    /* H has full column rank: every w will do */
  SLIP_CHECK_BY_KERNEL,       /* ker(H) and K meet in 0 only: every w will do (Acary, Cadoux,
                                 Lemaréchal, Malick 2011, Theorem 5.1) */
  SLIP_CHECK_BY_MARGIN,       /* the program max s (Acary, Cadoux 2013, eq. 4.39) */
  SLIP_CHECK_BY_FRICTIONLESS, /* that margin without friction: its sign is then decisive */
  SLIP_CHECK_BY_PENETRATION,  /* some normal velocity would be negative whatever v
                                 (Acary, Cadoux 2013, A') */
  SLIP_CHECK_BY_OPEN,         /* r = 0 is a solution */
  SLIP_CHECK_BY_ENUMERATION,  /* every combination of open, stick and slip was tried */
  SLIP_CHECK_BY_SOLVING,      /* a solver found a solution */
  SLIP_CHECK_BY_GIVEN         /* the impulses given are a solution */
} SlipCheckGround;

/* "w-zero", "w-in-range", ... ; docs/existence.md explains them. */
SLIP_API const char *slip_check_ground_name(SlipCheckGround ground);

typedef struct SlipCheckOptions {
  size_t size;
  double tol;        /* of the margin, as a share of the size of w */
  int margin;        /* 1: compute the margin also where a shortcut has decided */
  int enumerate;     /* 1: where the criterion fails, try every combination of statuses */
  int solve;         /* 1: where the criterion fails, see whether a solver finds a solution */
  int mass;          /* 1: factor M, where that is needed to know it is positive definite */
  int64_t nodes;     /* of the enumeration, at most */
  double time_limit; /* seconds, infinity for none */
  const double *r; /* impulses that may be a solution, to try where the criterion fails, or NULL */
  /* Called now and then, also within long work; a value other than 0 ends the check, as the time
   * limit does. NULL: nobody is asked. */
  SlipProgressFunction progress;
  void *progress_user;
} SlipCheckOptions;

static inline SlipCheckOptions slip_default_check_options(void) {
  SlipCheckOptions options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.tol = 1e-9;
  options.solve = 1;
  options.nodes = 1000000;
  options.time_limit = HUGE_VAL;
  return options;
}

/* One solution found, or one family of them; an element of an array, so it does not grow. */
typedef struct SlipFound {
  const double *r, *u;   /* dimension*contacts */
  const int32_t *status; /* SlipContactStatus of each contact */
  int continuum;         /* 1: one of infinitely many with these statuses */
} SlipFound;

/* The result of a check; the library's, until slip_check_free. */
typedef struct SlipCheck {
  size_t size;
  SlipVerdict verdict;
  SlipAnswer answer;
  SlipCheckGround ground;
  int32_t dimension, contacts, dof;
  double scale;     /* size of w (a local problem: of q): the unit in which tol is meant */
  int margin_known; /* 1: the program was solved */
  double margin;    /* s*; infinity where s is not bounded */
  /* dof values that certify (local: x with u = W x + q), or NULL. With a compliance C they are
   * followed by dimension*contacts values y: H' v + C y + w is in K* (local: W stands for W + C).
   */
  const double *v;
  double certified; /* the margin of that v, less a bound of the rounding errors */
  const double *r;  /* certificate: r in K, H r = 0 (and C r = 0), w'r < 0 with sum |r| = 1, or
                       NULL */
  double work;      /* w'r of the certificate r */
  double imbalance; /* largest of |H r|, in units of the largest entry of H's row */
  int search;       /* steps of the search for a velocity that separates all contacts */
  int iterations;   /* of the interior-point method */
  double fill;      /* values in its factors */
  double seconds;
  int mass_verified; /* 1: M is known to be positive definite, as the criterion needs */
  int enumerated;    /* 1: every combination was tried, and `found` has all solutions */
  int64_t nodes;     /* combinations and part-combinations looked at */
  int found_count;
  const SlipFound *found;
  char reason[SLIP_ERROR_TEXT]; /* the decision and its grounds, a sentence or two */
  /* Whether impulses in K other than 0 are in balance, W r = 0 (global: H r = 0): internal forces.
   * Often left undecided unless options.margin asks for more. */
  SlipAnswer internal;
} SlipCheck;

/* options NULL: the defaults. */
SLIP_API SlipStatus slip_check(const SlipProblem *problem, const SlipCheckOptions *options,
                               SlipCheck **check, SlipError *error);
SLIP_API void slip_check_free(SlipCheck *check);

#ifdef __cplusplus
}
#endif

#endif
