/* Splitting contact by contact: nonsmooth Gauss-Seidel and its over-relaxation (Acary, Brémond,
 * Huber 2018, section 6.1, Algorithm 7). One iteration is one sweep over the contacts; each visit
 * solves the one-contact problem (118) with
 *
 *     W_bar = W_aa / omega,   q_bar = (W r + q)_a - W_bar r_a                            (119)
 *
 * omega = 1 is nsgs.
 */
#include "methods/method.h"

#include <float.h>
#include <string.h>

#include "base/random.h"
#include "contact/onecontact_exact.h"
#include "contact/pairs.h"
#include "contact/residual.h"
#include "linalg/vector.h"
#include "methods/common_chunks.h"
#include "methods/common_loads.h"
#include "methods/common_momentum.h"

enum {
  OPTION_LOCAL_SOLVER,
  OPTION_LOCAL_TOL,
  OPTION_LOCAL_TOL_RULE,
  OPTION_LOCAL_MAX_ITER,
  OPTION_ORDER,
  OPTION_SEED,
  OPTION_DAMPING,
  OPTION_ACCELERATION,
  OPTION_OMEGA, /* psor only, as the next */
  OPTION_OMEGA_RULE
};

static const char *const tolerance_rules[] = {"fixed", "adaptive", NULL};
enum { TOLERANCE_FIXED, TOLERANCE_ADAPTIVE };

static const char *const omega_rules[] = {"fixed", "adaptive", NULL};
enum { OMEGA_FIXED, OMEGA_ADAPTIVE };

static const char *const orders[] = {"auto",         "given",        "chunks",
                                     "shuffle-once", "shuffle-each", NULL};
enum { ORDER_AUTO, ORDER_GIVEN, ORDER_CHUNKS, ORDER_SHUFFLE_ONCE, ORDER_SHUFFLE_EACH };

enum { CHUNK = 1024 }; /* contacts of a chunk */
enum { AHEAD = 8 };    /* visits between the wish for a contact's data and their use */

static const char *const dampings[] = {"auto", "off", NULL};
enum { DAMPING_AUTO, DAMPING_OFF };

static const char *const accelerations[] = {"off", "momentum", NULL};
enum { ACCELERATION_OFF, ACCELERATION_MOMENTUM };

#define SPLITTING_OPTIONS                                                                          \
  {"local-solver",                                                                                 \
   SLIP_OPTION_CHOICE,                                                                             \
   "hybrid",                                                                                       \
   0,                                                                                              \
   0,                                                                                              \
   slipi_one_contact_names,                                                                        \
   "solver of the one-contact problems"},                                                          \
      {"local-tol",                                                                                \
       SLIP_OPTION_REAL,                                                                           \
       "1e-14",                                                                                    \
       0,                                                                                          \
       1,                                                                                          \
       NULL,                                                                                       \
       "relative tolerance of the one-contact problems"},                                          \
      {"local-tol-rule",                                                                           \
       SLIP_OPTION_CHOICE,                                                                         \
       "fixed",                                                                                    \
       0,                                                                                          \
       0,                                                                                          \
       tolerance_rules,                                                                            \
       "local-tol as it is, or a tenth of the current error"},                                     \
      {"local-max-iter",                                                                           \
       SLIP_OPTION_INT,                                                                            \
       "100",                                                                                      \
       1,                                                                                          \
       1e6,                                                                                        \
       NULL,                                                                                       \
       "iterations of an iterative one-contact solver"},                                           \
      {"order", SLIP_OPTION_CHOICE, "auto", 0, 0, orders, "order in which contacts are visited"},  \
      {"seed", SLIP_OPTION_INT, "0", 0, 9007199254740992.0, NULL, "of the shuffled orders"},       \
      {"damping",                                                                                  \
       SLIP_OPTION_CHOICE,                                                                         \
       "auto",                                                                                     \
       0,                                                                                          \
       0,                                                                                          \
       dampings,                                                                                   \
       "damp contacts that swing to and fro, once a run no longer gets ahead"},                    \
  {                                                                                                \
    "acceleration", SLIP_OPTION_CHOICE, "off", 0, 0, accelerations,                                \
        "momentum for each contact, once plain sweeps have become slow"                            \
  }

static const SlipOptionInfo nsgs_options[] = {SPLITTING_OPTIONS};
static const SlipOptionInfo psor_options[] = {
    SPLITTING_OPTIONS,
    {"omega", SLIP_OPTION_REAL, "1.2", 1e-3, 10, NULL, "relaxation; above 1 over-relaxes"},
    {"omega-rule", SLIP_OPTION_CHOICE, "fixed", 0, 0, omega_rules,
     "omega as it is, or moved while the observed rate of convergence gets better"},
};

/* The adaptive omega: every so many sweeps it goes on in the direction that made the change per
 * sweep fall faster, or turns round with a shorter stride. */
enum { OMEGA_PERIOD = 8 };
static const double OMEGA_LEAST = 0.3, OMEGA_MOST = 1.9, OMEGA_STRIDE = 0.1, OMEGA_FINEST = 0.01;

typedef struct Climb {
  double stride; /* with its sign */
  double change; /* (132) at the beginning of the period */
  double rate;   /* of the last period: log of the reduction per sweep */
} Climb;

/* Sweeps can settle into a cycle in which one contact or a few swing to and fro for ever. When
 * the error has not fallen by a tenth in PATIENCE sweeps, each contact gets a relaxation of its
 * own: shorter steps after two that oppose each other, longer ones again after two that agree. */
enum { PATIENCE = 200 };
static const double DAMPING_SHRINK = 0.8, DAMPING_GROW = 1.05, DAMPING_LEAST = 0.2;

typedef struct Damper {
  double factor;
  double change[3]; /* the last, undamped */
} Damper;

/* While sweeps skip settled contacts: one that changes little is passed over once, then three
 * times, then seven. */
enum { REST_MOST = 3 };
static const double SETTLED = 0.25; /* of the mean weighted square */

/* Momentum, the same for all, starts again when it has carried this share of the chunks too far. */
static const double RESTART_VOTES = 0.2;

typedef struct Rest {
  int8_t level, left;
} Rest;

/* What a sweep has done in a chunk. */
typedef struct Tally {
  double changed;  /* sum of squared changes, */
  double weighted; /* the same with weights, */
  int32_t visited; /* over so many visits */
  double against;  /* with momentum: its contacts' */
  double size;     /* |r|^2 after the sweep */
} Tally;

typedef struct Splitting {
  SlipiRowState rows;
  SlipiOneContact *one; /* prepared block of each contact */
  SlipiOneContactRule rule;
  bool exact; /* the rule is the hybrid, whose exact part is inlined here */
  double omega;
  bool adaptive; /* omega */
  Climb climb;
  int32_t *order; /* NULL: as given */
  SlipiRandom random;
  Damper *damper;   /* of each contact; NULL: damping is off */
  bool damping;     /* it has begun */
  bool asked;       /* for the error of this very point, to see whether sweeps get ahead */
  double watched;   /* that of the last time */
  SlipiGraph graph; /* of the contacts, where chunks or momentum need it */
  SlipiChunks chunks;
  Tally *tally;            /* of each chunk */
  SlipiMomentum *momentum; /* NULL: no acceleration */
  SlipiLoads loads;        /* where the same momentum for all contacts can be tried */
  bool first;              /* no sweep has been made yet */
  Rest *rest;              /* of each contact */
  double settled;          /* weighted square of a change below which a contact is */
} Splitting;

static int option_int(const SlipiRun *run, int option) {
  return (int)run->options[option];
}

static SlipStatus create_momentum(SlipiRun *run, Splitting *s, SlipError *error) {
  s->momentum = SLIPI_ARENA_NEW(run->arena, SlipiMomentum, 1);
  s->rest = SLIPI_ARENA_RAW(run->arena, Rest, run->nc);
  if (!s->damper)
    s->damper = SLIPI_ARENA_RAW(run->arena, Damper, run->nc);
  bool large = s->chunks.count > 1;
  SlipStatus status = large ? slipi_loads_create(run, &s->loads, error) : SLIP_OK;
  if (status == SLIP_OK && s->momentum)
    status = slipi_momentum_create(run, &s->graph, &s->rows, large, s->momentum, error);
  return status;
}

static SlipStatus create_order(SlipiRun *run, Splitting *s, SlipError *error) {
  int order = option_int(run, OPTION_ORDER);
  bool chunked = order == ORDER_CHUNKS || (order == ORDER_AUTO && run->nc >= SLIPI_CHUNKS_FROM);
  bool momentum = option_int(run, OPTION_ACCELERATION) != ACCELERATION_OFF;
  SlipStatus status = SLIP_OK;
  s->graph.nc = run->nc;
  if (order == ORDER_SHUFFLE_ONCE || order == ORDER_SHUFFLE_EACH)
    s->order = SLIPI_ARENA_NEW(run->arena, int32_t, run->nc);
  if (chunked || momentum)
    status = slipi_graph_create(run->op, run->arena, &s->graph, error);
  if (status == SLIP_OK)
    status = slipi_chunks_create(&s->graph, chunked ? CHUNK : 0, run->arena, &s->chunks, error);
  s->tally = SLIPI_ARENA_NEW(run->arena, Tally, s->chunks.count);
  if (status == SLIP_OK && momentum)
    status = create_momentum(run, s, error);
  return status;
}

static SlipStatus create(SlipiRun *run, double omega, SlipError *error) {
  Splitting *s = SLIPI_ARENA_NEW(run->arena, Splitting, 1);
  if (!s)
    return slipi_fail_memory(error, "the Gauss-Seidel method");
  s->omega = omega;
  s->one = SLIPI_ARENA_RAW(run->arena, SlipiOneContact, run->nc); /* prepared by start */
  if (option_int(run, OPTION_DAMPING) != DAMPING_OFF)
    s->damper = SLIPI_ARENA_RAW(run->arena, Damper, run->nc);
  SlipStatus status = slipi_row_state_create(run->op, run->arena, &s->rows, error);
  if (status == SLIP_OK)
    status = create_order(run, s, error);
  if (status != SLIP_OK)
    return status;
  if (run->arena->failed)
    return slipi_fail_memory(error, "the Gauss-Seidel method");
  s->rule.kind = (SlipiOneContactKind)option_int(run, OPTION_LOCAL_SOLVER);
  s->exact = s->rule.kind == SLIPI_ONE_HYBRID;
  s->rule.tol = run->options[OPTION_LOCAL_TOL];
  s->rule.max_iter = option_int(run, OPTION_LOCAL_MAX_ITER);
  run->state = s;
  return SLIP_OK;
}

static SlipStatus nsgs_create(SlipiRun *run, SlipError *error) {
  return create(run, 1.0, error);
}

static SlipStatus psor_create(SlipiRun *run, SlipError *error) {
  SlipStatus status = create(run, run->options[OPTION_OMEGA], error);
  if (status == SLIP_OK)
    ((Splitting *)run->state)->adaptive = option_int(run, OPTION_OMEGA_RULE) == OMEGA_ADAPTIVE;
  return status;
}

/* W_aa / omega of every contact, prepared. */
static SlipStatus prepare(SlipiRun *run, Splitting *s, SlipError *error) {
  int32_t d = run->d;
  for (int32_t a = 0; a < run->nc; a++) {
    double block[9], W[9];
    SlipStatus status = slipi_operator_diagonal(run->op, a, block, error);
    if (status != SLIP_OK)
      return status;
    for (int32_t k = 0; k < d * d; k++)
      block[k] /= s->omega;
    if (d == 2)
      slipi_one_contact_pad(block, W);
    else
      memcpy(W, block, sizeof W);
    slipi_one_contact_prepare(&s->one[a], W, run->law[a]);
  }
  return SLIP_OK;
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Splitting *s = run->state;
  slipi_random_seed(&s->random, (uint64_t)run->options[OPTION_SEED]);
  if (s->order) {
    for (int32_t a = 0; a < run->nc; a++)
      s->order[a] = a;
    slipi_random_shuffle(&s->random, s->order, run->nc);
  }
  bool stale = run->laws_changed;
  if (s->adaptive) {
    stale = stale || s->omega != run->options[OPTION_OMEGA];
    s->omega = run->options[OPTION_OMEGA];
    s->climb = (Climb){.stride = OMEGA_STRIDE, .change = NAN, .rate = NAN};
  }
  SlipStatus status = stale ? prepare(run, s, error) : SLIP_OK;
  s->damping = s->asked = false;
  s->first = true;
  s->watched = run->error;
  for (int32_t a = 0; a < run->nc; a++)
    s->one[a].lambda = 0; /* the same start gives the same bits, whatever ran before */
  if (s->momentum)
    slipi_momentum_start(run, s->momentum);
  slipi_operator_row_start(run->op, run->r, &s->rows);
  return status;
}

/* Shorten the change of a contact that swings: next = r + factor (next - r), in K by convexity. */
static void damp(Damper *damper, const double r[3], double next[3]) {
  double turn = 0, square = 0, before = 0, change[3];
  for (int k = 0; k < 3; k++) {
    change[k] = next[k] - r[k];
    turn += change[k] * damper->change[k];
    square += change[k] * change[k];
    before += damper->change[k] * damper->change[k];
    damper->change[k] = change[k];
  }
  if (turn < 0 && turn * turn > 0.25 * square * before)
    damper->factor = fmax(DAMPING_SHRINK * damper->factor, DAMPING_LEAST);
  else if (turn > 0)
    damper->factor = fmin(DAMPING_GROW * damper->factor, 1);
  for (int k = 0; k < 3 && damper->factor < 1; k++)
    next[k] = r[k] + damper->factor * change[k];
}

static void forget_swings(const SlipiRun *run, Splitting *s) {
  for (int32_t a = 0; a < run->nc; a++)
    s->damper[a] = (Damper){.factor = 1};
}

/* Whether the error of the point after this sweep decides about damping. It is asked for: how often
 * others look at the error must not change the sweeps. */
static bool watches(const SlipiRun *run, const Splitting *s) {
  return !s->damping && run->iteration % PATIENCE == 0 &&
         option_int(run, OPTION_DAMPING) != DAMPING_OFF;
}

static void watch_progress(SlipiRun *run, Splitting *s) {
  s->asked = false;
  if (run->error > 0.9 * s->watched) {
    s->damping = true;
    forget_swings(run, s);
  }
  s->watched = run->error;
}

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

typedef enum Kind { PLAIN, DAMPED, UNIFORM, MOMENTUM, SKIPPING } Kind;

/* r of a contact where momentum, the same for all, has carried it; `before` becomes r. Row states
 * have been pushed already, so y need not be in K: nobody else reads it. */
INLINE void push_one(SlipiMomentum *momentum, int32_t a, int32_t d, double r[3]) {
  double before[3];
  slipi_load(momentum->before, d, a, before);
  slipi_store(r, d, a, momentum->before);
  for (int k = 0; k < 3; k++)
    r[k] += momentum->share * (r[k] - before[k]);
}

/* Add to u what the rows of pairs leave out: the part of large bodies, and the contact's own. */
static void add_rest(const SlipiRun *run, const SlipiPairs *pairs, int32_t a, const double r[3],
                     double u[3]) {
  const SlipiOwn *own = slipi_operator_own(run->op);
  slipi_large_add(pairs->large, 3, a, run->r, u);
  if (own)
    slipi_own_add(own, 3, a, r, u);
}

/* One visit, and the change it makes; returns its square. Inlined by order: each call is to be
 * compiled for its case of d, pairs, rest (whether there is one) and kind. */
INLINE double visit(SlipiRun *run, Splitting *s, int32_t a, int32_t d, const SlipiPairs *pairs,
                    bool rest, Kind kind, double change[3]) {
  bool damped = kind == DAMPED || kind == MOMENTUM || (kind == SKIPPING && s->damping);
  SlipiOneContact *one = &s->one[a];
  const double *W = one->W;
  double u[3] = {0}, q[3], r[3], next[3];
  slipi_load(run->r, d, a, r);
  slipi_load(run->q, d, a, q);
  memcpy(next, r, sizeof next);
  if (kind == UNIFORM)
    push_one(s->momentum, a, d, r);
  if (kind == UNIFORM && !pairs)
    slipi_store(r, d, a, run->r); /* rows of a W with blocks of the contacts' own read it */
  if (pairs)
    slipi_pairs_row(pairs, a, s->rows.z, u);
  else
    slipi_operator_row(run->op, a, run->r, &s->rows, u);
  if (rest)
    add_rest(run, pairs, a, r, u);
  for (int k = 0; k < 3; k++)
    q[k] += u[k] - (W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2]);
  if (!(s->exact && one->exact && slipi_one_contact_exact(one, q, next)))
    slipi_one_contact_solve(one, &s->rule, q, next);
  if (damped)
    damp(&s->damper[a], r, next);
  for (int k = 0; k < 3; k++)
    change[k] = next[k] - r[k];
  double square = change[0] * change[0] + change[1] * change[1] + change[2] * change[2];
  if (square != 0 || kind == UNIFORM) { /* there r may be left where it was pushed to */
    slipi_store(next, d, a, run->r);
    if (pairs)
      slipi_pairs_update(pairs, a, change, s->rows.z);
    else
      slipi_operator_row_update(run->op, a, change, &s->rows);
  }
  return square;
}

/* How the change of a visit compares with the contact's movement since the sweep before: summed
 * over neighbours, positive products mean that momentum has carried too far. Returns the contact's.
 */
INLINE double note_movement(const SlipiRun *run, Splitting *s, int32_t a, int32_t d, Kind kind,
                            const double change[3]) {
  SlipiMomentum *momentum = s->momentum;
  const SlipiGraph *graph = momentum->graph;
  double r[3], before[3];
  slipi_load(run->r, d, a, r);
  slipi_load(momentum->before, d, a, before);
  double product = 0;
  for (int k = 0; k < 3; k++)
    product -= change[k] * (r[k] - before[k]);
  double against = s->one[a].scale * product;
  if (kind == UNIFORM)
    return against;
  momentum->contact[a].against = against;
  bool summed = graph->groups > 0 && s->chunks.count == 1;
  for (int32_t k = graph->p[a]; summed && k < graph->p[a + 1]; k++)
    momentum->sum_next[graph->j[k]] += against;
  return against;
}

/* Whether a contact is passed over; after its visit, how often it will be. */
INLINE bool rests(Rest *rest) {
  return rest->left > 0 && rest->left-- > 0;
}

INLINE void note_rest(Rest *rest, bool settled) {
  if (!settled)
    rest->level = 0;
  else if (rest->level < REST_MOST)
    rest->level++;
  rest->left = (int8_t)((1 << rest->level) - 1);
}

INLINE void sweep_part(SlipiRun *run, Splitting *s, int32_t chunk, int32_t d,
                       const SlipiPairs *pairs, bool rest, Kind kind) {
  int32_t end = slipi_chunk_end(&s->chunks, chunk);
  bool far = pairs && s->chunks.count > 1; /* not all in a cache; there is no order then */
  Tally tally = {0};
  for (int32_t k = slipi_chunk_first(&s->chunks, chunk); k < end; k++) {
    int32_t a = s->order ? s->order[k] : k;
    double change[3];
    if (far && k + AHEAD < end) {
      slipi_pairs_prefetch(pairs, k + AHEAD, s->rows.z);
      slipi_prefetch(&s->one[k + AHEAD], sizeof *s->one);
    }
    if (kind == SKIPPING && rests(&s->rest[a]))
      continue;
    double square = visit(run, s, a, d, pairs, rest, kind, change);
    tally.changed += square;
    if (kind == MOMENTUM || kind == UNIFORM)
      tally.against += note_movement(run, s, a, d, kind, change);
    if (kind == SKIPPING) {
      double weighted = s->one[a].scale * square;
      tally.weighted += weighted;
      tally.visited++;
      note_rest(&s->rest[a], weighted < s->settled);
    }
  }
  s->tally[chunk] = tally;
}

static void sweep_chunk(SlipiRun *run, Splitting *s, int32_t chunk, Kind kind) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  bool rest = pairs && (pairs->large || slipi_operator_own(run->op));
#define CASE(KIND)                                                                                 \
  case KIND:                                                                                       \
    if (rest)                                                                                      \
      sweep_part(run, s, chunk, 3, pairs, true, KIND);                                             \
    else if (pairs)                                                                                \
      sweep_part(run, s, chunk, 3, pairs, false, KIND);                                            \
    else                                                                                           \
      sweep_part(run, s, chunk, run->d, NULL, false, KIND);                                        \
    break
  switch (kind) {
    CASE(PLAIN);
    CASE(DAMPED);
    CASE(UNIFORM);
    CASE(MOMENTUM);
    CASE(SKIPPING);
  }
#undef CASE
}

/* r + share (r - before), back in K; `before` becomes r. Where there are chunks, they are the
 * neighbourhoods that decide about restarts. */
static void push_chunk(SlipiRun *run, Splitting *s, int32_t chunk) {
  SlipiMomentum *momentum = s->momentum;
  int32_t d = run->d, end = slipi_chunk_end(&s->chunks, chunk);
  bool whole = s->chunks.count > 1, restart = s->tally[chunk].against > 0;
  for (int32_t k = slipi_chunk_first(&s->chunks, chunk); k < end; k++) {
    int32_t a = s->order ? s->order[k] : k;
    double before[3], factor = s->damper[a].factor;
    bool here = whole ? restart : slipi_momentum_restarts(momentum, a);
    double r[3], next[3], change[3], share = slipi_momentum_share(&momentum->contact[a].t, here);
    if (factor < 0.9)
      share *= factor * factor;
    slipi_load(run->r, d, a, r);
    slipi_load(momentum->before, d, a, before);
    for (int i = 0; i < 3; i++)
      next[i] = r[i] + share * (r[i] - before[i]);
    slipi_law_project(&run->law[a], next, next);
    for (int i = 0; i < 3; i++)
      change[i] = next[i] - r[i];
    slipi_store(r, d, a, momentum->before);
    if (change[0] != 0 || change[1] != 0 || change[2] != 0) {
      slipi_store(next, d, a, run->r);
      slipi_operator_row_update(run->op, a, change, &s->rows);
    }
  }
}

typedef struct Pass {
  SlipiRun *run;
  Splitting *s;
  Kind kind;
} Pass;

static void visit_chunk(void *user, int pass, int32_t chunk) {
  const Pass *what = user;
  if (what->kind == MOMENTUM && pass == 0)
    push_chunk(what->run, what->s, chunk);
  else
    sweep_chunk(what->run, what->s, chunk, what->kind);
}

/* Whether momentum, the same for all, has carried too many chunks too far. */
static bool votes_restart(const Splitting *s) {
  int32_t votes = 0;
  for (int32_t chunk = 0; chunk < s->chunks.count; chunk++)
    votes += s->tally[chunk].against > 0;
  return votes > RESTART_VOTES * s->chunks.count;
}

/* A sweep, after a push where there is momentum. Each chunk has its own tally: the same bits for
 * any number of threads. */
static Tally sweep(SlipiRun *run, Splitting *s, Kind kind) {
  const SlipiChunks *chunks = &s->chunks;
  Tally total = {0};
  Pass pass = {run, s, kind};
  if (kind == UNIFORM)
    slipi_momentum_push(run, s->momentum, votes_restart(s));
  slipi_chunks_each(chunks, kind == MOMENTUM ? 2 : 1, run->op->team, visit_chunk, &pass);
  if (kind == MOMENTUM)
    slipi_momentum_swept(s->momentum);
  for (int32_t chunk = 0; chunk < chunks->count; chunk++) {
    total.changed += s->tally[chunk].changed;
    total.weighted += s->tally[chunk].weighted;
    total.visited += s->tally[chunk].visited;
  }
  return total;
}

/* As many visits as a sweep has, where something still moves. */
static double sweep_skipping(SlipiRun *run, Splitting *s) {
  double changed = 0;
  int64_t visited = 0;
  while (visited < run->nc) {
    Tally tally = sweep(run, s, SKIPPING);
    changed += tally.changed;
    visited += tally.visited;
    s->settled = tally.visited > 0 ? SETTLED * tally.weighted / tally.visited : 0;
  }
  return changed;
}

/* One sweep at the pace that momentum has decided; returns the sum of squared changes. */
static double sweep_accelerated(SlipiRun *run, Splitting *s) {
  const SlipiMomentum *momentum = s->momentum;
  if (s->first && slipi_loads_hand_down(run, &s->loads, &s->rows))
    slipi_momentum_forget(s->momentum);
  s->first = false;
  if (slipi_momentum_pace(run, s->momentum)) {
    forget_swings(run, s);
    s->settled = 0;
    memset(s->tally, 0, (size_t)s->chunks.count * sizeof *s->tally);
    memset(s->rest, 0, (size_t)run->nc * sizeof *s->rest);
  }
  if (momentum->pace == SLIPI_PACE_UNIFORM)
    return sweep(run, s, UNIFORM).changed;
  if (momentum->pace == SLIPI_PACE_MOMENTUM)
    return sweep(run, s, MOMENTUM).changed;
  if (momentum->pace == SLIPI_PACE_SKIPPING)
    return sweep_skipping(run, s);
  return sweep(run, s, s->damping ? DAMPED : PLAIN).changed;
}

/* After a sweep whose change (132) is in run->cheap. */
static SlipStatus adapt_omega(SlipiRun *run, Splitting *s, SlipError *error) {
  Climb *climb = &s->climb;
  if (run->iteration % OMEGA_PERIOD != 0 || !(run->cheap > 0))
    return SLIP_OK;
  double rate = log(run->cheap / climb->change) / OMEGA_PERIOD; /* NaN at first */
  climb->change = run->cheap;
  if (rate > 0 && s->omega > 1)
    climb->stride = 1 - s->omega; /* it does not converge: back to Gauss-Seidel */
  else if (rate > climb->rate)
    climb->stride *= fabs(climb->stride) > OMEGA_FINEST ? -0.6 : -1;
  climb->rate = rate;
  s->omega = fmin(fmax(s->omega + climb->stride, OMEGA_LEAST), OMEGA_MOST);
  return prepare(run, s, error);
}

static void square_chunk(void *user, int32_t chunk) {
  const Pass *what = user;
  const SlipiChunks *chunks = &what->s->chunks;
  int32_t first = slipi_chunk_first(chunks, chunk), end = slipi_chunk_end(chunks, chunk);
  const double *r = what->run->r + (int64_t)first * what->run->d;
  what->s->tally[chunk].size = slipi_dot(r, r, (end - first) * what->run->d);
}

/* |r|^2, by chunks: the same bits for any number of threads. */
static double square_of_r(SlipiRun *run, Splitting *s) {
  const SlipiChunks *chunks = &s->chunks;
  double total = 0;
  slipi_team_each(run->op->team, chunks->count, square_chunk, &(Pass){.run = run, .s = s});
  for (int32_t chunk = 0; chunk < chunks->count; chunk++)
    total += s->tally[chunk].size;
  return total;
}

static void renew_rows(SlipiRun *run, Splitting *s) {
  if (s->momentum)
    slipi_momentum_renew(run, s->momentum);
  else
    slipi_operator_row_start(run->op, run->r, &s->rows);
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Splitting *s = run->state;
  if (option_int(run, OPTION_LOCAL_TOL_RULE) == TOLERANCE_ADAPTIVE) {
    double tenth = run->error / 10; /* 6.3 */
    s->rule.tol = tenth < 1 ? fmax(tenth, 4 * DBL_EPSILON) : 1;
  }
  if (option_int(run, OPTION_ORDER) == ORDER_SHUFFLE_EACH && run->iteration > 1)
    slipi_random_shuffle(&s->random, s->order, run->nc);
  if (s->asked)
    watch_progress(run, s);
  if (run->iteration % SLIPI_ROW_SWEEPS == 0)
    renew_rows(run, s);
  double changed =
      s->momentum ? sweep_accelerated(run, s) : sweep(run, s, s->damping ? DAMPED : PLAIN).changed;
  double size = square_of_r(run, s);
  run->cheap = size > 0 ? sqrt(changed / size) : sqrt(changed); /* (132) */
  SlipStatus status = s->adaptive ? adapt_omega(run, s, error) : SLIP_OK;
  if (s->momentum)
    slipi_momentum_ask(run, s->momentum);
  s->asked = watches(run, s);
  if (s->asked)
    run->cheap = INFINITY;
  return status;
}

/* Sweeps are cheap and may pause for thousands of them before they get ahead again. */
#define SPLITTING                                                                                  \
  .needs = SLIPI_NEED_ROWS, .follows_W = true, .patience = 20000, .start = start, .step = step
#define NSGS(NAME, SUMMARY, ...)                                                                   \
  .info = {.name = (NAME),                                                                         \
           .family = "splitting",                                                                  \
           .summary = (SUMMARY),                                                                   \
           SLIPI_OPTIONS(nsgs_options),                                                            \
           __VA_ARGS__},                                                                           \
  .create = nsgs_create, SPLITTING
#define LOCAL(SOLVER) SLIPI_PRESET({"local-solver", SOLVER})
#define PSOR(NAME, SUMMARY, ...)                                                                   \
  .info = {.name = (NAME),                                                                         \
           .family = "splitting",                                                                  \
           .summary = (SUMMARY),                                                                   \
           SLIPI_OPTIONS(psor_options),                                                            \
           __VA_ARGS__},                                                                           \
  .create = psor_create, SPLITTING

static const SlipiMethod methods[] = {
    {NSGS("nsgs", "nonsmooth Gauss-Seidel, contact by contact (Algorithm 7, omega = 1)", )},
    {NSGS("nsgs-exact", "nsgs with the exact one-contact solver", LOCAL("hybrid"))},
    {NSGS("nsgs-ac", "nsgs with Newton on Alart-Curnier for each contact", LOCAL("nsn-ac"))},
    {NSGS("nsgs-ac-gp", "nsgs-ac with the Goldstein-Price line search", LOCAL("nsn-ac-gp"))},
    {NSGS("nsgs-jm", "nsgs with Newton on Jean-Moreau for each contact", LOCAL("nsn-jm"))},
    {NSGS("nsgs-jm-gp", "nsgs-jm with the Goldstein-Price line search", LOCAL("nsn-jm-gp"))},
    {NSGS("nsgs-fp-ds-one", "nsgs with one projection for each contact", LOCAL("projection"))},
    {NSGS("nsgs-fp-vi-upk", "nsgs with the self-adaptive fixed point for each contact",
          LOCAL("projection-loop"))},
    {NSGS("nsgs-accelerated", "nsgs with momentum for each contact, where plain sweeps are slow",
          SLIPI_PRESET({"acceleration", "momentum"}))},
    {PSOR("psor", "projected successive over-relaxation (Algorithm 7, any omega)", )},
    {PSOR("psor-ac", "psor with Newton on Alart-Curnier for each contact", LOCAL("nsn-ac"))},
    {NSGS("soclcp-nsgs", "convex relaxation (g off) by Gauss-Seidel", .associated = 1)},
    {NSGS("soclcp-nsgs-fp-vi-upk", "convex relaxation (g off) by nsgs-fp-vi-upk",
          LOCAL("projection-loop"), .associated = 1)},
};

const SlipiFamily slipi_family_splitting = SLIPI_FAMILY(methods);
