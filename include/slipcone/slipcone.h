/* Slipcone: frictional contact problems with exact Coulomb friction.
 *
 * The problem (numbers of equations are those of Acary, Brémond, Huber 2018, "On solving contact
 * problems with Coulomb friction"; docs/theory.md lists the papers):
 *
 *     M v = H r + f,   u = H' v + w,   K* ∋ u + g(u) ⟂ r ∈ K          (global form)
 *     u = W r + q,     W = H' M^-1 H,  q = H' M^-1 f + w              (local form)
 *
 * with one block of `dimension` components per contact, the normal first, and
 * g(u) = (mu |u_T|, 0, 0) for each contact.
 *
 * Conventions of this header:
 *   - A function that can fail returns a SlipStatus and takes a SlipError, which may be NULL;
 *     on failure it holds a sentence with the offending value, every output is NULL and
 *     nothing needs freeing.
 *   - Whether a call was valid (SlipStatus) is one thing, whether the problem was solved
 *     (SlipOutcome) another.
 *   - Arrays given to a create or update function are only borrowed for the call.
 *   - Structs that may grow in later versions begin with their `size` and come from
 *     slip_default_...(), which sets it: a program compiled against an older header keeps working
 *     with a newer library. A struct without it is refused. Structs that the library hands out
 *     begin with their size too. Elements of arrays (trace points, rows, rules, ...) have no size,
 *     because they do not grow.
 *   - NULL in place of an object is no crash: such a call fails with SLIP_ERROR_ARGUMENT, gives
 *     NULL or 0, or does nothing (free functions).
 *   - The library never prints, exits or aborts, and has no mutable global state. A SlipProblem
 *     is const once made and may be shared by any number of threads, each with solvers, checks and
 *     measurements of its own; every other object may be used from different threads as long as
 *     one thread uses it at a time.
 */
#ifndef SLIPCONE_SLIPCONE_H
#define SLIPCONE_SLIPCONE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <slipcone/laws.h>
#include <slipcone/version.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SLIP_API __attribute__((visibility("default")))
#else
#define SLIP_API
#endif

/* ---- Errors ------------------------------------------------------------------------------ */

typedef enum SlipStatus {
  SLIP_OK = 0,
  SLIP_ERROR_ARGUMENT, /* a null pointer, an unknown name, a value out of range */
  SLIP_ERROR_MEMORY,   /* an allocation failed */
  SLIP_ERROR_PROBLEM,  /* the problem's data are inconsistent */
  SLIP_ERROR_MISMATCH, /* this method cannot treat this problem; the text names alternatives */
  SLIP_ERROR_FILE,     /* a file cannot be opened, read or written */
  SLIP_ERROR_FORMAT,   /* a file's content breaks the rules of its format */
  SLIP_ERROR_NUMERIC   /* a factorisation failed */
} SlipStatus;

enum { SLIP_ERROR_TEXT = 512 };

typedef struct SlipError {
  SlipStatus status;
  char text[SLIP_ERROR_TEXT]; /* one sentence, without a final newline */
} SlipError;

/* The name of a status, e.g. "SLIP_ERROR_MEMORY"; never NULL. */
SLIP_API const char *slip_status_name(SlipStatus status);

/* The version of the library that runs, e.g. "0.2.0". */
SLIP_API const char *slip_version(void);

/* ---- Problems ---------------------------------------------------------------------------- */

typedef enum SlipLayout {
  SLIP_DENSE,  /* column-major, rows*cols values in x; p, i and nnz are not read */
  SLIP_CSC,    /* p[cols+1], i = row of each value */
  SLIP_CSR,    /* p[rows+1], i = column of each value */
  SLIP_TRIPLET /* nnz values, i = row, p = column; duplicates are summed */
} SlipLayout;

/* A matrix somebody else owns. In the compressed layouts nnz is the length of i and x; entries
 * may be unsorted, duplicates are summed. */
typedef struct SlipMatrix {
  SlipLayout layout;
  int32_t rows, cols;
  int64_t nnz;
  const int32_t *p, *i;
  const double *x;
} SlipMatrix;

/* A dense matrix, column-major. */
static inline SlipMatrix slip_dense(int32_t rows, int32_t cols, const double *x) {
  SlipMatrix matrix;
  matrix.layout = SLIP_DENSE;
  matrix.rows = rows;
  matrix.cols = cols;
  matrix.nnz = (int64_t)rows * cols;
  matrix.p = NULL;
  matrix.i = NULL;
  matrix.x = x;
  return matrix;
}

/* The name of a law (slipcone/laws.h), e.g. "coulomb"; NULL when there is no such law. Laws are
 * numbered from 0 without gaps. */
SLIP_API const char *slip_law_name(int law);
/* Whether SlipLaws.flow means something for it. */
SLIP_API int slip_law_flows(SlipLaw law);

/* How a contact slides. */
typedef enum SlipFlow {
  SLIP_FLOW_COULOMB,   /* along the plane of contact: g(u) = (mu |u_T|, 0, 0) */
  SLIP_FLOW_ASSOCIATED /* normal to K: g = 0, the convex relaxation of Coulomb's law */
} SlipFlow;

/* The laws of all contacts: arrays of one value per contact, NULL where no contact needs it. */
typedef struct SlipLaws {
  size_t size;
  const int32_t *kind; /* SlipLaw; NULL: SLIP_COULOMB everywhere */
  const double *mu;    /* coefficient of friction of laws that have one; not read for other kinds */
  const int32_t *flow; /* SlipFlow of laws that have one (slip_law_flows), not read for other kinds;
                          NULL: SLIP_FLOW_COULOMB everywhere */
  const int32_t *bound;   /* of SLIP_BILATERAL: the sum of 1 (normal), 2 and 4 (tangents) over the
                             components that are bound; NULL: all are */
  const double *radius;   /* bound on |r_T| of laws that have one; not read for other kinds */
  const double *cohesion; /* of SLIP_COHESIVE: the pull that a contact holds, an impulse */
  const double *ball;     /* of SLIP_ROUNDED and SLIP_CAPPED: the ball's radius, an impulse */
  const double *ball_tangential; /* its half-axes along the tangents, where it is a spheroid whose
                                    half-axis along the normal is `ball`; NULL: a ball everywhere */
  const double *cap;             /* of SLIP_CAPPED: the largest normal impulse */
  /* Of SLIP_ROLLING. Such a block has no normal and tangents: its components are the moments about
   * them, first the spinning one, then the rolling ones, and its velocities are the relative
   * angular ones. It belongs to the contact just before it, of Coulomb's law, frictionless or
   * cohesive, with Coulomb's flow. mu is its coefficient of rolling friction, a length, and this
   * the one of spinning friction; NULL: 0, nothing resists spinning. In 2D the first component is
   * 0. */
  const double *spinning;
} SlipLaws;

static inline SlipLaws slip_default_laws(void) {
  SlipLaws laws;
  memset(&laws, 0, sizeof laws);
  laws.size = sizeof laws;
  return laws;
}

typedef enum SlipForm { SLIP_FORM_LOCAL, SLIP_FORM_GLOBAL, SLIP_FORM_BODIES } SlipForm;

/* u = W r + q. W need not be symmetric. With a compliance C, in every form, u has C r
 * added: contacts that give way by so much a unit of impulse, on every component for itself or
 * coupled within the contact. */
typedef struct SlipLocalData {
  size_t size;
  int32_t dimension;    /* 2 or 3 */
  int32_t contacts;     /* may be 0 */
  SlipMatrix W;         /* (dimension*contacts) squared */
  const double *q;      /* dimension*contacts */
  const SlipLaws *laws; /* may be NULL where there is no contact */
  /* dimension x dimension per contact, row-major, symmetric and positive semidefinite; NULL: 0 */
  const double *compliance;
} SlipLocalData;

static inline SlipLocalData slip_default_local_data(void) {
  SlipLocalData data;
  memset(&data, 0, sizeof data);
  data.size = sizeof data;
  return data;
}

/* M v = H r + f, u = H' v + w (+ C r). M must be positive definite; it need not be symmetric
 * (implicit gyroscopic terms make it so). */
typedef struct SlipGlobalData {
  size_t size;
  int32_t dimension;
  int32_t contacts;
  SlipMatrix M;    /* dof squared */
  SlipMatrix H;    /* dof x (dimension*contacts) */
  const double *f; /* dof */
  const double *w; /* dimension*contacts */
  const SlipLaws *laws;
  const double *compliance; /* as in SlipLocalData */
} SlipGlobalData;

static inline SlipGlobalData slip_default_global_data(void) {
  SlipGlobalData data;
  memset(&data, 0, sizeof data);
  data.size = sizeof data;
  return data;
}

/* The global form of rigid bodies, told body by body: M has a block for each body, each contact
 * joins two of them. A body has n = 6 velocities in 3D, 3 in 2D, in an order of the caller's. */
typedef struct SlipBodiesData {
  size_t size;
  int32_t dimension;
  int32_t bodies;
  int32_t contacts;
  const double *M;     /* bodies blocks of n x n, row-major: positive definite */
  const int32_t *body; /* 2 a contact: which bodies; -1: none (the ground, or an obstacle with a
                          given motion) */
  const double *H;     /* 2 a contact: dimension x n blocks, row-major, with which a body's velocity
                          enters u = H_0 v_0 + H_1 v_1 + w; not read where there is no body */
  const double *f;     /* n a body */
  const double *w;     /* dimension a contact; NULL: 0 */
  const SlipLaws *laws;
  /* For warm starts across problems (slip_solver_warm_start_last), or NULL: a number that tells a
   * contact from the others as long as it lasts, and dimension x dimension values a contact, whose
   * rows are its normal and tangents in world axes. */
  const uint64_t *key;
  const double *frame;
  const double *compliance; /* as in SlipLocalData */
} SlipBodiesData;

static inline SlipBodiesData slip_default_bodies_data(void) {
  SlipBodiesData data;
  memset(&data, 0, sizeof data);
  data.size = sizeof data;
  return data;
}

/* A validated problem; const once made. */
typedef struct SlipProblem SlipProblem;

SLIP_API SlipStatus slip_problem_create_local(const SlipLocalData *data, SlipProblem **problem,
                                              SlipError *error);
SLIP_API SlipStatus slip_problem_create_global(const SlipGlobalData *data, SlipProblem **problem,
                                               SlipError *error);

SLIP_API SlipStatus slip_problem_create_bodies(const SlipBodiesData *data, SlipProblem **problem,
                                               SlipError *error);

/* Other data in a problem of bodies, of any size: its memory is kept, and nothing is allocated once
 * it has held as much. Solvers that have the problem must be given it again by
 * slip_solver_set_problem. Whatever fails, the problem then is as it was. */
SLIP_API SlipStatus slip_problem_set_bodies(SlipProblem *problem, const SlipBodiesData *data,
                                            SlipError *error);

/* The global problem of one of bodies, with M and H as sparse matrices. */
SLIP_API SlipStatus slip_problem_assemble(const SlipProblem *bodies, SlipProblem **global,
                                          SlipError *error);
/* The local problem of a global one, or one of bodies: W = H' M^-1 H, q = H' M^-1 f + w; its
 * compliance is the same, and no part of W. */
SLIP_API SlipStatus slip_problem_reduce(const SlipProblem *problem, SlipProblem **local,
                                        SlipError *error);
/* Non-associated plastic flow (Tasora, Anitescu, Negrini, Negrut 2013, section 9): with H one
 * symmetric positive definite block a contact (dimension x dimension, row-major),
 *
 *     r in K,   u = W r + q in -H^-1 N_K(r)
 *
 * as the local problem of associated flow with H W and H q, whose velocities are H u. W is then not
 * symmetric. docs/theory.md says when it has a solution. */
SLIP_API SlipStatus slip_problem_skew(const SlipProblem *problem, const double *H,
                                      SlipProblem **skewed, SlipError *error);
SLIP_API void slip_problem_free(SlipProblem *problem);

SLIP_API SlipForm slip_problem_form(const SlipProblem *problem);
SLIP_API int32_t slip_problem_dimension(const SlipProblem *problem);
SLIP_API int32_t slip_problem_contacts(const SlipProblem *problem);
/* Degrees of freedom, the order of M; 0 for a local problem. */
SLIP_API int32_t slip_problem_dof(const SlipProblem *problem);

/* The data as the problem holds them (matrices in CSR, sorted, without duplicates), valid as
 * long as the problem is. A form the problem does not have gives SLIP_ERROR_ARGUMENT. */
SLIP_API SlipStatus slip_problem_local_data(const SlipProblem *problem, SlipLocalData *data,
                                            SlipError *error);
SLIP_API SlipStatus slip_problem_global_data(const SlipProblem *problem, SlipGlobalData *data,
                                             SlipError *error);
SLIP_API SlipStatus slip_problem_bodies_data(const SlipProblem *problem, SlipBodiesData *data,
                                             SlipError *error);

/* ---- Methods and their options ----------------------------------------------------------- */

typedef enum SlipOptionType {
  SLIP_OPTION_REAL,
  SLIP_OPTION_INT,
  SLIP_OPTION_BOOL,  /* "on", "off", "true", "false", "1", "0" */
  SLIP_OPTION_CHOICE /* one of `choices` */
} SlipOptionType;

typedef struct SlipOptionInfo {
  const char *name;
  SlipOptionType type;
  const char *initial;        /* the default, as text */
  double min, max;            /* closed range of a number */
  const char *const *choices; /* NULL-terminated, for SLIP_OPTION_CHOICE */
  const char *help;           /* one line */
} SlipOptionInfo;

/* One option's value, as text. */
typedef struct SlipOptionValue {
  const char *name, *value;
} SlipOptionValue;

typedef struct SlipMethodInfo {
  const char *name;
  const char *family;
  const char *summary; /* one line */
  const SlipOptionInfo *options;
  int option_count;
  const SlipOptionValue *preset; /* values this method takes instead of its options' defaults, up to
                                    a NULL name; NULL: nothing */
  int associated; /* 1: solves the convex relaxation (g off), and its error is that one's */
} SlipMethodInfo;

SLIP_API int slip_method_count(void);
/* NULL when index is out of range. */
SLIP_API const SlipMethodInfo *slip_method_info(int index);
/* NULL when there is no such method. */
SLIP_API const SlipMethodInfo *slip_method_find(const char *name);

/* The default of one of a method's own options, as text: the preset's, or the option's; NULL when
 * the index is out of range. */
SLIP_API const char *slip_method_default(const SlipMethodInfo *method, int option);

/* Whether a method, with its default options, can treat contacts of a law and flow, and problems of
 * a dimension; the others it refuses. */
SLIP_API int slip_method_takes_law(const SlipMethodInfo *method, SlipLaw law, SlipFlow flow);
SLIP_API int slip_method_takes_dimension(const SlipMethodInfo *method, int32_t dimension);

/* The options every method has (tol, max-iter, time-limit, threads, ...). */
SLIP_API const SlipOptionInfo *slip_common_options(int *count);

/* A method's name with the value of each of its options. */
typedef struct SlipSettings SlipSettings;

/* method NULL: the default method. */
SLIP_API SlipStatus slip_settings_create(const char *method, SlipSettings **settings,
                                         SlipError *error);
SLIP_API void slip_settings_free(SlipSettings *settings);
/* NULL for NULL. */
SLIP_API const char *slip_settings_method(const SlipSettings *settings);

/* Set one option by name: from text, or from a number (REAL, INT and BOOL options). */
SLIP_API SlipStatus slip_settings_set(SlipSettings *settings, const char *name, const char *value,
                                      SlipError *error);
SLIP_API SlipStatus slip_settings_set_real(SlipSettings *settings, const char *name, double value,
                                           SlipError *error);
/* Read a REAL, INT or BOOL option back, or the index of a CHOICE among its choices. */
SLIP_API SlipStatus slip_settings_get_real(const SlipSettings *settings, const char *name,
                                           double *value, SlipError *error);

/* ---- Solving ----------------------------------------------------------------------------- */

typedef enum SlipOutcome {
  SLIP_NOT_RUN = 0,
  SLIP_SOLVED, /* the natural-map error (131), re-evaluated in original units, is at most tol, and
                  the physical one (SlipResult.physical) at most 10 tol */
  SLIP_MAX_ITER,
  SLIP_TIME_LIMIT,
  SLIP_STALLED,     /* the error is above tol and no longer falls, or is at the rounding floor */
  SLIP_DIVERGED,    /* the iterates grow without bound or are not numbers */
  SLIP_NO_SOLUTION, /* proved, with a certificate */
  SLIP_INTERRUPTED  /* by the progress callback */
} SlipOutcome;

/* "SOLVED", "MAX_ITER", ... */
SLIP_API const char *slip_outcome_name(SlipOutcome outcome);

typedef enum SlipContactStatus {
  SLIP_CONTACT_OPEN,  /* no impulse */
  SLIP_CONTACT_STICK, /* impulse inside the cone, no velocity (also bilateral contacts) */
  SLIP_CONTACT_SLIP   /* impulse on the cone, sliding */
} SlipContactStatus;

typedef struct SlipTracePoint {
  int64_t iteration;
  double residual; /* natural-map error (131) */
  double seconds;  /* since the run began */
} SlipTracePoint;

/* The result of a run. Arrays belong to the solver and hold until its next run, update or free.
 * Whatever the outcome, r is the best point the run has seen. */
typedef struct SlipResult {
  size_t size;
  SlipOutcome outcome;
  double residual; /* natural-map error (131): |r - P_K(r - u - g(u))| / |q|; an associated method's
                      without g */
  double floor; /* the part of the error that rounding leaves: eps | |W||r| + |q| + |r| | / |q|. A
                   tolerance below it may be out of reach; runs stop there as STALLED, and say
                   so. NaN, not worked out, where a run was solved to 1e-8 or more */
  double residual_scale; /* |q|, or 1 where q is 0 */
  double gap;            /* bipotential gap (81): r.u + sum mu r_N |u_T| */
  int64_t iterations;
  double seconds; /* of the run; setup_seconds has the time before it */
  int32_t dimension, contacts, dof;
  int32_t open, stick, slip; /* how many contacts of each status */
  /* u and v are NaN where the set-up was stopped before M was factored: nobody knows them then. */
  const double *r;                /* impulses, dimension*contacts */
  const double *u;                /* relative velocities W r + q */
  const double *v;                /* velocities (dof), NULL for a local problem */
  const int32_t *status;          /* SlipContactStatus of each contact */
  const double *contact_residual; /* each contact's share: its norm / residual_scale */
  const SlipTracePoint *trace;    /* at most the option `trace` points */
  int32_t trace_count;
  const char *method;
  const char *reason; /* why the run stopped, a sentence */
  double physical; /* the second measure that SOLVED needs: how far impulses and velocities are from
                      the contacts' laws in units of velocity, relative to |q|; the same in any
                      units, and not blind to rough contacts (docs/theory.md). NaN where it was not
                      worked out */
  /* Of making the solver ready, or of taking a problem, since the run before. */
  double setup_seconds;
  /* 1: a method for the convex relaxation, in which all contacts slide by the associated flow. The
   * outcome, residual, physical, gap and the status of contacts are those of the relaxation. */
  int relaxed;
  double coulomb_residual; /* natural-map error (131) with the laws as they were given: residual,
                              unless the method is for the relaxation */
} SlipResult;

typedef struct SlipProgress {
  size_t size;
  int64_t iteration;
  double residual; /* the last natural-map error (131) known, or infinity before the first */
  double tol;
  double seconds; /* since the run began; while a solver is set up, since that began */
  int set_up;     /* 1: a solver is being made ready */
} SlipProgress;

/* Called after each iteration, and during it as well by methods that iterate within an iteration
 * and by long factorisations; a return value other than 0 ends the run as INTERRUPTED. */
typedef int (*SlipProgressFunction)(const SlipProgress *progress, void *user);

/* Called as well while solvers are made ready with these settings, and by their runs unless they
 * get a function of their own. Where it, or the time limit, ends the set-up, the solver is created
 * all the same, and its first run ends at once as INTERRUPTED or TIME_LIMIT with r = 0. */
SLIP_API void slip_settings_set_progress(SlipSettings *settings, SlipProgressFunction function,
                                         void *user);

/* A method made ready for one problem, with its workspace. Memory that only some runs need
 * (factors, the later stages of the automatic method) is allocated by the first of them. */
typedef struct SlipSolver SlipSolver;

/* settings NULL: the default method with its default options. The problem must outlive the
 * solver; the settings need not. */
SLIP_API SlipStatus slip_solver_create(const SlipProblem *problem, const SlipSettings *settings,
                                       SlipSolver **solver, SlipError *error);
SLIP_API void slip_solver_free(SlipSolver *solver);
SLIP_API void slip_solver_set_progress(SlipSolver *solver, SlipProgressFunction function,
                                       void *user);

/* Another problem, of any size and form, in the same solver. Its memory is kept: splitting methods
 * and the automatic one allocate nothing once they have seen as large a problem (docs/stepping.md).
 * A run gives the same bits as in a new solver. The problem must outlive the solver, or the next
 * call of this function. When this fails, the solver is without a problem until a call succeeds. */
SLIP_API SlipStatus slip_solver_set_problem(SlipSolver *solver, const SlipProblem *problem,
                                            SlipError *error);

/* The next run starts from the last result: of the same problem, its impulses; of the problem
 * before slip_solver_set_problem, those of the contacts with the same keys, kept in world axes
 * where both problems have frames. Contacts that are new start from 0, as all do without keys or a
 * result. */
SLIP_API SlipStatus slip_solver_warm_start_last(SlipSolver *solver, SlipError *error);

/* The next run starts from r instead of 0. */
SLIP_API SlipStatus slip_solver_warm_start(SlipSolver *solver, const double *r, SlipError *error);

/* New data for the problem at hand; NULL keeps the present data. q and W are for local problems, f
 * and w for the others. W may have any layout and must have the pattern of the problem's W: the
 * solver keeps the new values, the problem stays as it is. A warm start that has been asked for
 * holds. With new values of q, mu or W the automatic method takes well below a microsecond on one
 * contact. */
typedef struct SlipUpdate {
  size_t size;
  const double *q, *f, *w, *mu;
  const SlipMatrix *W;
} SlipUpdate;

static inline SlipUpdate slip_default_update(void) {
  SlipUpdate update;
  memset(&update, 0, sizeof update);
  update.size = sizeof update;
  return update;
}

SLIP_API SlipStatus slip_solver_update(SlipSolver *solver, const SlipUpdate *update,
                                       SlipError *error);
SLIP_API SlipStatus slip_solver_run(SlipSolver *solver, SlipError *error);
/* Never NULL; outcome SLIP_NOT_RUN before the first run, and of a NULL solver. */
SLIP_API const SlipResult *slip_solver_result(const SlipSolver *solver);

/* All in one: solve with the default method to `tol`; r and u receive dimension*contacts
 * values each (either may be NULL). */
SLIP_API SlipStatus slip_solve(const SlipProblem *problem, double tol, double *r, double *u,
                               SlipOutcome *outcome, SlipError *error);

/* The natural-map error (131) of a given r, by the function the driver stops on; of rough contacts
 * (mu above 10) each with the folded mu, 1 to 1e8, that makes it least. contact_residual may be
 * NULL or receive one value per contact. */
SLIP_API SlipStatus slip_problem_residual(const SlipProblem *problem, const double *r,
                                          double *residual, double *contact_residual,
                                          SlipError *error);

/* The second measure of a given r, as SlipResult.physical has it. It takes the diagonal of W, for a
 * global problem by a factorisation of M and solves with it. */
SLIP_API SlipStatus slip_problem_physical(const SlipProblem *problem, const double *r,
                                          double *physical, SlipError *error);

/* u = W r + q and, for a global problem, v = M^-1 (H r + f); u or v may be NULL. */
SLIP_API SlipStatus slip_problem_velocity(const SlipProblem *problem, const double *r, double *u,
                                          double *v, SlipError *error);

/* ---- One contact ------------------------------------------------------------------------- */

enum { SLIP_ONE_CONTACT_MAX = 8 };

/* All solutions of a one-contact problem u = W r + q (W symmetric positive semidefinite,
 * row-major 3x3), by the exact enumeration of
 * Bonnefon and Daviet 2011. */
typedef struct SlipOneContact {
  size_t size;
  int count;     /* isolated solutions found, at most SLIP_ONE_CONTACT_MAX */
  int continuum; /* 1: infinitely many; those listed are examples */
  double r[SLIP_ONE_CONTACT_MAX][3];
  int32_t status[SLIP_ONE_CONTACT_MAX]; /* SlipContactStatus */
} SlipOneContact;

static inline SlipOneContact slip_default_one_contact(void) {
  SlipOneContact solutions;
  memset(&solutions, 0, sizeof solutions);
  solutions.size = sizeof solutions;
  return solutions;
}

typedef enum SlipQuartic { SLIP_QUARTIC_TAN, SLIP_QUARTIC_ALPHA } SlipQuartic;

SLIP_API SlipStatus slip_one_contact_enumerate(const double W[9], const double q[3], double mu,
                                               SlipQuartic form, SlipOneContact *solutions,
                                               SlipError *error);

/* ---- Features ---------------------------------------------------------------------------- */

/* The features of a problem in Table 5 of Acary, Brémond, Huber 2018; docs/features.md says how.
 * NaN (a count: -1) where it is not known. */
typedef struct SlipFeatures {
  size_t size;
  SlipForm form;
  int32_t dimension, contacts, dof;
  double mu_min, mu_max;
  double density;        /* c = dimension*contacts / dof (136); NaN for a local problem */
  int64_t nonzeros;      /* of W */
  int64_t blocks;        /* non-zero blocks of W */
  double asymmetry;      /* |W - W'| (Frobenius) */
  double norm;           /* |W| (Frobenius) */
  int64_t rank;          /* numerical rank of W */
  double rank_ratio;     /* dimension*contacts / rank */
  double condition;      /* over the non-zero singular values; a lower bound if !rank_exact */
  double condition_lsmr; /* LSMR's running estimate, of the order of magnitude at best */
  int rank_exact;        /* 1: rank and condition are from a dense SVD, 0: estimates */
} SlipFeatures;

static inline SlipFeatures slip_default_features(void) {
  SlipFeatures features;
  memset(&features, 0, sizeof features);
  features.size = sizeof features;
  return features;
}

SLIP_API SlipStatus slip_problem_features(const SlipProblem *problem, SlipFeatures *features,
                                          SlipError *error);

#ifdef __cplusplus
}
#endif

#endif
