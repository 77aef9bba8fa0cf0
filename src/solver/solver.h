/* The inside of SlipSolver: a method made ready for a problem, and for the next one. */
#ifndef SLIPI_SOLVER_SOLVER_H
#define SLIPI_SOLVER_SOLVER_H

#include "contact/units.h"
#include "solver/settings.h"

enum { SLIPI_TRACE_FIRST = 8 };

/* The rounding floor takes a product with |W|, as much as a sweep: of a problem that is solved it
 * is of interest for tolerances below this only. */
#define SLIPI_FLOOR_ASKED 1e-8

/* The history of the error, thinned by half whenever it is full. Short ones of the default method,
 * as of a few contacts, need no memory of their own. */
typedef struct SlipiTrace {
  SlipTracePoint *points; /* `first`, or allocated */
  int32_t count, capacity;
  int32_t capacity_wanted; /* by the option `trace` */
  bool failed;             /* there was no memory for the capacity wanted */
  int64_t stride, offered; /* every stride-th offered point is kept */
  SlipTracePoint first[SLIPI_TRACE_FIRST];
} SlipiTrace;

/* The impulses of the last problem, for a warm start by keys. */
typedef struct SlipiLast {
  int32_t d, nc;       /* nc 0: there is none */
  const double *r;     /* d*nc */
  const double *world; /* r in world axes; NULL where there were no frames */
  const uint64_t *key; /* nc */
} SlipiLast;

struct SlipSolver {
  const SlipProblem *problem; /* in the units below; NULL: the last one could not be taken */
  const SlipProblem *given;   /* as the user made it: the same one where units are as given and no
                                 cone is shifted */
  SlipiUnits units;
  uint64_t alive; /* base/handle.h */
  SlipSettings settings;
  const SlipiShare *share; /* NULL: no other process has a part of the problem */
  SlipiMass *mass; /* kept from problem to problem; `has_mass` tells whether it is of this one */
  SlipiOperator
      *op; /* kept from problem to problem; `has_operator` tells whether it is of this one */
  bool has_mass, has_operator;
  SlipiRun run;
  SlipiArena method_arena; /* of the method's state */
  SlipiArena part_arena[SLIPI_PARTS_MOST];
  const struct SlipiPause *pause; /* who keeps the state of runs; NULL: nobody */
  SlipProgressFunction progress;
  void *progress_user;
  double *q, *f, *w, *mu; /* the problem's, or an update's */
  double *shift;   /* c e of shifted cones (contact/shift.h) in the user's units, or NULL: q, f
                      and w are those of r + c e, and so is every r but the user's */
  double *q_given; /* q of r, in the user's units, of a local problem with shifted cones */
  SlipiLaw *law;
  bool raised;   /* the folded mu of some rough contacts is not the first */
  bool outgrown; /* the run solves the folded laws, but rough contacts slide: they are to be raised
                  */
  int64_t iterations_before; /* of the run, with smaller folds */
  double *r_start;           /* of the next run */
  double *r_best;
  double *r_trial; /* best point of a trial with rough contacts; NULL before the first */
  double *u, *v;
  double *u_exact;     /* u of a point to be confirmed, with more digits; NULL before the first */
  double *room;        /* 2 dof, for the rounding floor */
  double *mobility;    /* of each contact: see contact/physical.h */
  bool knows_mobility; /* of this W */
  int32_t *status;
  uint64_t *key; /* of the contacts, or NULL */
  double *world; /* r_best in world axes, where contacts have keys and frames; else NULL */
  double *contact_residual;
  double started;       /* clock at the beginning of the run, or of the set-up */
  double setup_seconds; /* of the set-up since the last run */
  bool setting_up;
  SlipOutcome stopped; /* the verdict of the clock or of the progress function */
  bool ready;          /* the method's state is whole: an update may fail to make it anew */
  bool apart;          /* r = 0 is a solution */
  bool warm;           /* r_start is not 0 */
  bool has_result;     /* r_best is that of a run on this problem */
  bool u_of_best;      /* the last evaluation was of r_best: u is its velocity */
  SlipResult result;
  SlipiLast last;
  SlipiArena arena; /* of the arrays above, */
  /* but r_best, world and key, which are in the current one of these; the other one keeps those of
   * the problem before. */
  SlipiArena kept_arena[2];
  int current;
  SlipiArena update_arena; /* of an update's matrix, while it is checked */
  SlipiTrace trace;
  /* The rest is not cleared when a solver is made, which is a part of every short solve. */
  char reason[640];    /* holds all stages of `auto` */
  SlipProblem plain;   /* with no cone shifted, */
  SlipProblem updated; /* in other units, or with the W of an update; `problem` points here then */
};

/* slip_solver_create for the part of a problem that this process has; every process does the same.
 * Only methods that sweep, with the velocity operator, can share a problem. */
SlipStatus slipi_solver_create_shared(const SlipProblem *problem, const SlipSettings *settings,
                                      const SlipiShare *share, SlipSolver **solver,
                                      SlipError *error);

/* More room for trace points, as many as were asked for; false without memory. */
bool slipi_trace_grow(SlipiTrace *trace);

/* Until the time limit. */
double slipi_solver_seconds_left(const SlipSolver *solver);

/* Let everything that takes long ask the clock and the progress function, or nobody. */
void slipi_solver_watch(SlipSolver *solver, bool watch);

/* Why a run has ended that the clock or the user has stopped. */
void slipi_solver_explain_stop(SlipSolver *solver, SlipOutcome outcome);

/* Run the method: fills solver->result's outcome, reason, r_best and the trace. */
SlipStatus slipi_drive(SlipSolver *solver, SlipError *error);

/* Whether r = 0 leaves no contact closing, so that it is a solution without any run; and the result
 * of such a problem. */
bool slipi_solver_comes_apart(const SlipSolver *solver);
SlipStatus slipi_solver_apart(SlipSolver *solver, SlipError *error);

/* Keep the impulses of a run in world axes, for contacts whose frames will turn. */
void slipi_solver_keep_world(SlipSolver *solver);

/* A vector in world axes in those of a contact, d x d values. */
void slipi_turn_to_frame(const double *frame, const double *world, int32_t d, double *r);

/* The next run starts from 0. */
void slipi_solver_start_cold(SlipSolver *solver);

/* Take the problem with no cone shifted, in moderate units. */
SlipStatus slipi_solver_set_units(SlipSolver *solver, SlipError *error);

/* Vectors and laws with q in another unit. */
void slipi_solver_change_q_unit(SlipSolver *solver, int q);

/* Impulses of the user's in the solver's units, and results in the user's. */
void slipi_solver_take_start(SlipSolver *solver, double *r);
void slipi_solver_give_back(SlipSolver *solver);

/* The law of a contact with the mu of an update; and the laws of the next run: of a problem whose
 * mu nobody has changed yet. */
SlipiLaw slipi_solver_given_law(const SlipSolver *solver, int32_t k);
void slipi_solver_set_first_laws(SlipSolver *solver);

/* Whether r is a solution with the folded mu of rough contacts and some of these slide, so that it
 * may be none with the mu that was given; the next larger mu for those; the least with which r has
 * room in its cones, where it may be a solution with the mu given; and the first ones again. */
SlipStatus slipi_solver_is_outgrown(SlipSolver *solver, const double *r, const double *u,
                                    bool *outgrown, SlipError *error);
void slipi_solver_raise_folds(SlipSolver *solver, const double *r);
void slipi_solver_choose_folds(SlipSolver *solver, const double *r);
/* Whether there are folded contacts, and the least mu for them. */
bool slipi_solver_is_folded(const SlipSolver *solver);
void slipi_solver_fold_most(SlipSolver *solver);
void slipi_solver_reset_folds(SlipSolver *solver);

/* Laws anew from the arrays of the solver; q as well, its unit and norm, and whether the bodies
 * come apart. */
void slipi_solver_set_laws(SlipSolver *solver);
SlipStatus slipi_solver_set_q(SlipSolver *solver, SlipError *error);

/* Work between these is under the clock of the next run, whose limit it counts towards; a stop in
 * it is no error, and the run that follows reports it. */
void slipi_solver_begin_setup(SlipSolver *solver);
void slipi_solver_end_setup(SlipSolver *solver);
SlipStatus slipi_solver_forgive_stop(const SlipSolver *solver, SlipStatus status, SlipError *error);

/* Make the method's state, in place of one it may have. */
SlipStatus slipi_solver_make_state(SlipSolver *solver, SlipError *error);

/* Refuse a problem that the method cannot treat: its laws, the size of its blocks or their number;
 * or its W, of which |matrix - matrix'| is this share of the norm. The sentences name methods that
 * can. */
SlipStatus slipi_solver_check_method(const SlipSolver *solver, SlipError *error);
SlipStatus slipi_solver_refuse_asymmetry(const SlipSolver *solver, const char *matrix, double share,
                                         SlipError *error);

/* Refuse a W, or M, that is not symmetric where the method needs it; W NULL: the problem's own. */
SlipStatus slipi_solver_check_symmetric(const SlipSolver *solver, const SlipiCsr *W,
                                        SlipError *error);

/* The numbers of contacts in the result, over all processes. */
void slipi_solver_count_all(SlipSolver *solver);

/* A result that is valid before any run. */
void slipi_solver_clear_result(SlipSolver *solver);

/* The second measure of r and u, see contact/physical.h: with these mu, where they are not NULL, or
 * with the mu that was given. */
SlipStatus slipi_solver_measure(SlipSolver *solver, const double *r, const double *u,
                                const double *mu, double *measure, SlipError *error);
SlipStatus slipi_solver_physical(SlipSolver *solver, const double *r, const double *u,
                                 double *measure, SlipError *error);
/* The same of r alone. */
SlipStatus slipi_solver_measure_at(SlipSolver *solver, const double *r, double *measure,
                                   SlipError *error);

/* A solution in which rough contacts that hold each other stick, into r where *arrived. Iterations
 * that this takes are no longer left, and counted as those before. */
SlipStatus slipi_solver_hold(SlipSolver *solver, double *iterations_left, double *r, bool *arrived,
                             SlipError *error);

/* The rounding floor of the natural-map error (131) at r. */
double slipi_solver_floor(SlipSolver *solver, const double *r);

#endif
