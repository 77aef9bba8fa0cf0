/* The plan of `auto`: its stages as a table, and the one function that decides how a run goes on.
 *
 * A stage is one method of the library, a point to start it from and the rules that end it. After
 * each evaluation of the error, auto.c hands an observation of the run to slipi_plan_decide, which
 * answers with an action, the reason for it and the next state of the plan. Nothing here runs a
 * method, allocates or remembers: the same state and observation give the same decision, and
 * tests/unit/test_plan.c checks every rule without solving anything.
 *
 * Stages are numbered as in SlipiStageId. The names in the table are used by the documentation
 * (docs/methods/auto.md) and by the reason of a result.
 */
#ifndef SLIPI_METHODS_PLAN_H
#define SLIPI_METHODS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* ---- Stages ---- */

typedef enum SlipiStageId {
  SLIPI_STAGE_FEW_CONTACTS, /* problems of a few contacts (contact/few.h) begin here */
  SLIPI_STAGE_SWEEPS,       /* all others begin here */
  SLIPI_STAGE_SWEEPS_PLAIN,
  SLIPI_STAGE_BALLS_NEAR,
  SLIPI_STAGE_BALLS_SPOTS,
  SLIPI_STAGE_NEWTON,
  SLIPI_STAGE_INTERIOR_POINT,
  SLIPI_STAGE_INTERIOR_POINT_POLISH,
  SLIPI_STAGE_INTERIOR_POINT_NEWTON,
  SLIPI_STAGE_INTERIOR_POINT_AGAIN,
  SLIPI_STAGE_INTERIOR_POINT_AGAIN_POLISH,
  SLIPI_STAGE_NEWTON_BEST,
  SLIPI_STAGE_HELD,
  SLIPI_STAGE_ARCLENGTH_NEAR,
  SLIPI_STAGE_ARCLENGTH,
  SLIPI_STAGE_ARCLENGTH_POLISH,
  SLIPI_STAGE_BALLS,
  SLIPI_STAGE_SWEEPS_ROLLING,
  SLIPI_STAGE_NEWTON_LONG,
  SLIPI_STAGE_SWEEPS_AGAIN,
  SLIPI_STAGE_NEWTON_AGAIN,
  SLIPI_STAGE_ARCLENGTH_LONG,
  SLIPI_STAGE_ARCLENGTH_LONG_POLISH,
  SLIPI_STAGE_SWEEPS_TWICE,
  SLIPI_STAGE_NEWTON_TWICE,
  SLIPI_STAGE_NEWTON_FROM_ZERO,
  SLIPI_STAGE_LOOP_SWEEPS, /* the loop stages are repeated, in rounds */
  SLIPI_STAGE_LOOP_NEWTON,
  SLIPI_STAGE_LOOP_BEST,
  SLIPI_STAGE_LOOP_CHANGED,
  SLIPI_STAGE_SWEEPS_POLISH, /* interrupts later sweeps, never has a turn of its own */
  SLIPI_STAGE_PATH_POLISH,   /* interrupts the stages of arclength in the same way */
  SLIPI_STAGE_INNER_POLISH,  /* and this one the stage of interior point */
  SLIPI_STAGE_COUNT
} SlipiStageId;

/* The methods of the library that stages run. */
typedef enum SlipiPlanMethod {
  SLIPI_PLAN_NSGS_ACCELERATED,
  SLIPI_PLAN_NSGS,
  SLIPI_PLAN_ALM,
  SLIPI_PLAN_IPM,
  SLIPI_PLAN_ARC,
  SLIPI_PLAN_FEW,
  SLIPI_PLAN_BALLS,
  SLIPI_PLAN_HELD,
  SLIPI_PLAN_METHOD_COUNT
} SlipiPlanMethod;

/* The point a stage starts from. */
typedef enum SlipiStartPoint {
  SLIPI_FROM_BEST,   /* the best point of the run */
  SLIPI_FROM_LAST,   /* the best point of the stage before; the stage is skipped if that is poor */
  SLIPI_FROM_SWEEPS, /* the point where Gauss-Seidel ended last, however poor */
  SLIPI_FROM_ZERO,   /* r = 0: Newton may never reach a solution from the best point */
  SLIPI_FROM_CHANGED /* the best point, the impulse of each contact changed at random */
} SlipiStartPoint;

/* A rule that ends a stage: its kind and a value. */
typedef enum SlipiEndKind {
  SLIPI_END_UNUSED,
  SLIPI_END_ITERATIONS, /* after `value` iterations */
  SLIPI_END_COST,       /* after sweeps that cost `value` times all factorisations of the run */
  SLIPI_END_WORTH,      /* after sweeps that cost as much as `value` factorisations would */
  SLIPI_END_TRIAL,      /* after `value` iterations that have not brought the error to a tenth */
  SLIPI_END_EARLY,      /* after `value` iterations that have not brought it to 0.3 */
  SLIPI_END_ERROR,      /* at the error `value`, from which the next stage does better */
  SLIPI_END_PROJECTION  /* when factorisations are expected to cost less than the sweeps left */
} SlipiEndKind;

typedef struct SlipiEnd {
  SlipiEndKind kind;
  double value;
} SlipiEnd;

/* A value for an option of the method; without a name: an unused place in the table. */
typedef struct SlipiStageOption {
  const char *name;
  double value;
} SlipiStageOption;

/* Runs that go without a stage: bits, to be added up. */
typedef enum SlipiSkip {
  SLIPI_SKIP_FINE = 1,        /* to a tolerance below 1e-5 */
  SLIPI_SKIP_LARGE = 2,       /* of SLIPI_CHUNKS_FROM contacts and more */
  SLIPI_SKIP_DEAR = 4,        /* of those, the ones where interior point costs too many sweeps */
  SLIPI_SKIP_SMALL = 8,       /* of fewer contacts */
  SLIPI_SKIP_CHEAP = 16,      /* of many, the ones where interior point is worth its cost */
  SLIPI_SKIP_CONVEX_FAR = 32, /* of convex problems, the ones that are not near a solution */
  SLIPI_SKIP_SLIDING = 64,    /* whose contacts do not roll */
  SLIPI_SKIP_WARM_FAR = 128,  /* that began from impulses of another load, far from a solution */
  SLIPI_SKIP_SPREAD = 256,    /* whose error is not known to be that of a few spots */
  SLIPI_SKIP_TRIED = 512,     /* in which balls were tried */
  SLIPI_SKIP_COLD = 1024,     /* that began anew */
  SLIPI_SKIP_WARM = 2048,     /* that began from impulses that are better than none */
  SLIPI_SKIP_COARSE = 4096,   /* to a tolerance that is not below 1e-5 */
  SLIPI_SKIP_SLOW = 8192,     /* whose sweeps are not by fours over many contacts, or get nowhere */
  SLIPI_SKIP_FAR = 16384 /* where sweeps have ended so far from a solution that Newton gets lost */
} SlipiSkip;

enum { SLIPI_STAGE_ENDS = 3, SLIPI_STAGE_OPTIONS = 3, SLIPI_STAGE_GENTLE = 2 };

typedef struct SlipiStage {
  const char *name;
  SlipiPlanMethod method;
  SlipiStartPoint from;
  unsigned skip; /* SlipiSkip */
  SlipiEnd ends[SLIPI_STAGE_ENDS];
  SlipiStageOption options[SLIPI_STAGE_OPTIONS];
  SlipiStageOption gentle[SLIPI_STAGE_GENTLE]; /* and these, on small problems without much friction
                                                  (is_gentle of auto.c) */
  SlipiStageOption coupled; /* in place of one of them where contacts have many neighbours */
} SlipiStage;

extern const SlipiStage slipi_plan_stages[SLIPI_STAGE_COUNT];
static inline const SlipiStage *slipi_plan_stage(SlipiStageId id) {
  return &slipi_plan_stages[id];
}
const char *slipi_plan_method_name(SlipiPlanMethod method);
/* Whether a method is one of Gauss-Seidel sweeps, whose error is evaluated only now and then. */
bool slipi_plan_is_sweeps(SlipiPlanMethod method);

/* ---- Deciding ---- */

/* Where a run is in the plan. */
typedef struct SlipiPlanState {
  SlipiStageId stage;      /* the one whose turn it is */
  bool polishing;          /* its polish is under way and will let it go on */
  bool warm;               /* the run began from impulses that are better than none */
  bool near;               /* and near a solution */
  bool coupled;            /* contacts have many neighbours, as those of finite elements */
  bool tried;              /* balls have been tried */
  int64_t limit;           /* iterations the stage may take */
  int64_t next_evaluation; /* the error of sweeps is evaluated at this iteration at the latest */
  double polish_below;     /* the stage is interrupted by a polish at this error */
  int64_t measured_at;     /* sweep at which their progress was measured last */
  double measured_error;
  int round; /* of the loop stages, from 0 */
  int idle_rounds;
  double round_error; /* the best error when the round began */
} SlipiPlanState;

/* Operations of one factorisation, as its analysis counts them. */
typedef struct SlipiFactorisation {
  bool known; /* it has been analysed */
  double work;
} SlipiFactorisation;

/* The state of a run after an evaluation of the error. */
typedef struct SlipiObservation {
  /* The problem. */
  int32_t contacts;
  bool plane;     /* of two components each */
  double entries; /* of W that one sweep reads */
  double curved;  /* contacts whose K is no cone and has no solver of its own */
  double tol;
  bool starts_at_zero; /* the run began from r = 0 */
  unsigned left_out;   /* a bit, 1 << SlipiPlanMethod, for each method that cannot treat it */
  bool convex;         /* cones whose flows are all associated: interior point cannot get lost */
  bool normal;         /* all flows are normal to K, cones or not */
  bool rolls;          /* some contacts have moments, */
  bool joined;         /* which are visited by the velocities of bodies */
  bool by_fours; /* four contacts are visited at once, and the run began far from a solution */
  /* The stage under way, or the polish in its place. */
  int64_t iterations;
  int64_t progressed_at; /* the iteration that last brought its error down */
  double change;         /* relative change of r by the last sweep; of no meaning for others */
  double error;
  double stage_start_error; /* of the point it started from */
  double stage_best_error;
  bool given_up; /* by the method itself */
  /* The whole run. */
  double best_error;
  double sweeps_error; /* at the point where Gauss-Seidel ended last */
  SlipiFactorisation factorisation;
  double work_spent; /* operations of all factorisations so far */
} SlipiObservation;

typedef enum SlipiAction {
  SLIPI_STAY,      /* one more iteration */
  SLIPI_ANALYSE,   /* analyse the factorisation, then ask again */
  SLIPI_INTERRUPT, /* polish the best point of the stage, which will go on afterwards */
  SLIPI_RESUME,    /* the polish is over: go on with the stage it has interrupted */
  SLIPI_START,     /* start stage next.stage from the point `from` */
  SLIPI_GIVE_UP
} SlipiAction;

typedef struct SlipiDecision {
  SlipiAction action;
  const char *why;
  SlipiStartPoint from; /* of SLIPI_START and SLIPI_INTERRUPT */
  double change_by;     /* of SLIPI_FROM_CHANGED: impulses are multiplied by 1 +- as much */
  SlipiPlanState next;
} SlipiDecision;

/* The stage that a run of the problem starts with: its size and `left_out` decide. */
SlipiStageId slipi_plan_first(const SlipiObservation *seen);

/* How it starts; of the observation only the problem, `error` and `work_spent` count. */
SlipiDecision slipi_plan_begin(const SlipiObservation *seen);

/* Whether it starts from r = 0 in place of the impulses that it is given: they are worse. `large`:
 * there are SLIPI_CHUNKS_FROM contacts or more. */
bool slipi_plan_begins_anew(double error, bool starts_at_zero, bool large);

/* The stage or polish under way. */
SlipiStageId slipi_plan_current(const SlipiPlanState *state);

/* Whether the error should be evaluated, and a decision be made, after an iteration that changed r
 * by `change`. */
bool slipi_plan_evaluation_due(const SlipiPlanState *state, int64_t iterations, double change);

SlipiDecision slipi_plan_decide(const SlipiPlanState *state, const SlipiObservation *seen);

#endif
