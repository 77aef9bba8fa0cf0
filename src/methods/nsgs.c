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
#include "contact/pairs.h"
#include "contact/rolling.h"
#include "methods/nsgs_joined.h"
#include "methods/nsgs_leap.h"

enum {
  OPTION_LOCAL_SOLVER,
  OPTION_LOCAL_TOL,
  OPTION_LOCAL_TOL_RULE,
  OPTION_LOCAL_MAX_ITER,
  OPTION_ORDER,
  OPTION_SEED,
  OPTION_DAMPING,
  OPTION_ACCELERATION,
  OPTION_MIXING,
  OPTION_LEAPS,
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

enum { PREPARED = 2048 }; /* contacts that one thread prepares at a time */

static const char *const dampings[] = {"auto", "off", NULL};
enum { DAMPING_AUTO, DAMPING_OFF };

static const char *const accelerations[] = {"off", "momentum", NULL};
enum { ACCELERATION_OFF, ACCELERATION_MOMENTUM };

static const char *const mixings[] = {"auto", "off", "on", NULL};
enum { MIXING_AUTO, MIXING_OFF, MIXING_ON };
enum { MIXED_MOST = 64 }; /* contacts: with more, too many modes are slow */

static const char *const leaps[] = {"auto", "off", "on", NULL};
enum { LEAPS_AUTO, LEAPS_OFF, LEAPS_ON };

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
      {"acceleration",                                                                             \
       SLIP_OPTION_CHOICE,                                                                         \
       "off",                                                                                      \
       0,                                                                                          \
       0,                                                                                          \
       accelerations,                                                                              \
       "momentum, once plain sweeps have become slow"},                                            \
      {"mixing",                                                                                   \
       SLIP_OPTION_CHOICE,                                                                         \
       "auto",                                                                                     \
       0,                                                                                          \
       0,                                                                                          \
       mixings,                                                                                    \
       "mix the plain sweeps before those with momentum; auto: of at most 64 contacts"},           \
  {                                                                                                \
    "leaps", SLIP_OPTION_CHOICE, "auto", 0, 0, leaps,                                              \
        "let sweeps with momentum leap ahead where they drift; auto: where contacts roll"          \
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

/* Sweeps can settle into a cycle in which one contact or a few swing to and fro for ever. When the
 * error has not fallen by a tenth in PATIENCE sweeps, each contact gets a relaxation of its own. */
enum { PATIENCE = 200 };

typedef struct Splitting {
  SlipiSweep sweep;
  SlipiLeaps leaps; /* without memory: there are none */
  double omega;
  bool adaptive; /* omega */
  Climb climb;
  SlipiRandom random;
  bool asked;     /* for the error of this very point, to see whether sweeps get ahead */
  double watched; /* the error of the last time */
} Splitting;

static int option_int(const SlipiRun *run, int option) {
  return (int)run->options[option];
}

static SlipStatus create_momentum(SlipiRun *run, SlipiSweep *sweep, SlipError *error) {
  sweep->momentum = SLIPI_ARENA_NEW(run->arena, SlipiMomentum, 1);
  sweep->rest = SLIPI_ARENA_RAW(run->arena, SlipiRest, run->nc);
  if (!sweep->damper)
    sweep->damper = SLIPI_ARENA_RAW(run->arena, SlipiDamper, run->nc);
  bool one_for_all = sweep->chunks.many || sweep->fours.four;
  SlipStatus status = sweep->chunks.many ? slipi_loads_create(run, &sweep->loads, error) : SLIP_OK;
  if (status == SLIP_OK && sweep->momentum)
    status = slipi_momentum_create(run, &sweep->graph, &sweep->rows, one_for_all, sweep->momentum,
                                   error);
  return status;
}

/* Contacts of rigid bodies in 3D with nothing of their own are visited by fours. */
static SlipStatus create_fours(SlipiRun *run, SlipiSweep *sweep, SlipError *error) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  bool exact = option_int(run, OPTION_LOCAL_SOLVER) == SLIPI_ONE_HYBRID;
  bool alone = !exact || sweep->order || !slipi_operator_goes_by_fours(run->op) ||
               slipi_rolling_has(run->law, run->nc);
  if (slipi_share_any(run->op->share, alone)) /* one way for all processes */
    return SLIP_OK;
  if (run->op->share)
    sweep->slides = SLIPI_ARENA_NEW(run->arena, float, run->nc);
  return slipi_fours_create(pairs, &sweep->chunks, run->arena, &sweep->fours, error);
}

static SlipStatus create_order(SlipiRun *run, SlipiSweep *sweep, SlipError *error) {
  int order = option_int(run, OPTION_ORDER);
  int64_t contacts = slipi_share_contacts(run->op->share, run->nc);
  bool chunked = order == ORDER_CHUNKS || (order == ORDER_AUTO && contacts >= SLIPI_CHUNKS_FROM);
  bool momentum = option_int(run, OPTION_ACCELERATION) != ACCELERATION_OFF;
  SlipStatus status = SLIP_OK;
  sweep->graph.nc = run->nc;
  if (order == ORDER_SHUFFLE_ONCE || order == ORDER_SHUFFLE_EACH)
    sweep->order = SLIPI_ARENA_NEW(run->arena, int32_t, run->nc);
  if (chunked || momentum || run->op->share)
    status = slipi_graph_create(run->op, run->arena, &sweep->graph, error);
  if (status == SLIP_OK && run->op->graph && (chunked || run->op->share))
    sweep->chunks = run->op->chunks;
  else if (status == SLIP_OK)
    status = slipi_chunks_create(&sweep->graph, chunked ? SLIPI_CHUNK : 0, run->arena,
                                 &sweep->chunks, error);
  sweep->tally = SLIPI_ARENA_NEW(run->arena, SlipiTally, sweep->chunks.count);
  if (status == SLIP_OK && (chunked || (momentum && contacts >= SLIPI_PAIRS_FROM)))
    status = create_fours(run, sweep, error);
  if (status == SLIP_OK && momentum)
    status = create_momentum(run, sweep, error);
  return status;
}

/* Room for the contacts that roll, where there are some, if only on another process: sweeps then go
 * the same way on all. */
static void create_rolling(SlipiRun *run, SlipiSweep *sweep) {
  int32_t count = 0;
  if (!slipi_share_any(run->op->share, slipi_rolling_has(run->law, run->nc)))
    return;
  sweep->rolling_of = SLIPI_ARENA_NEW(run->arena, int32_t, run->nc);
  for (int32_t a = 0; sweep->rolling_of && a < run->nc; a++) {
    if (run->law[a].kind == SLIPI_ROLLING)
      sweep->rolling_of[a] = count++;
  }
  sweep->zero = SLIPI_ARENA_NEW(run->arena, double, run->m);
  sweep->rolling = SLIPI_ARENA_NEW(run->arena, SlipiRollingContact, count);
  if (slipi_operator_pairs(run->op)) {
    sweep->cross = SLIPI_ARENA_NEW(run->arena, double, 9 * (int64_t)count);
    sweep->sphere = SLIPI_ARENA_NEW(run->arena, SlipiSphere, count);
  }
}

/* Mixing and leaps are decided by sums over all contacts, which processes would have to add up. */
static bool has_mixing(const SlipiRun *run, const SlipiSweep *sweep) {
  int mixing = option_int(run, OPTION_MIXING);
  int32_t most =
      sweep->rolling ? 2 * MIXED_MOST : MIXED_MOST; /* moments have blocks of their own */
  return sweep->momentum && !run->op->share && !sweep->chunks.many &&
         (mixing == MIXING_ON || (mixing == MIXING_AUTO && run->nc <= most));
}

static bool has_leaps(const SlipiRun *run, const SlipiSweep *sweep) {
  int leaps = option_int(run, OPTION_LEAPS);
  return sweep->momentum && !run->op->share &&
         (leaps == LEAPS_ON || (leaps == LEAPS_AUTO && sweep->rolling));
}

static SlipStatus create(SlipiRun *run, double omega, SlipError *error) {
  Splitting *s = SLIPI_ARENA_NEW(run->arena, Splitting, 1);
  if (!s)
    return slipi_fail_memory(error, "the Gauss-Seidel method");
  s->omega = omega;
  s->sweep.one = SLIPI_ARENA_RAW(run->arena, SlipiOneContact, run->nc); /* prepared by start */
  if (option_int(run, OPTION_DAMPING) != DAMPING_OFF)
    s->sweep.damper = SLIPI_ARENA_RAW(run->arena, SlipiDamper, run->nc);
  SlipStatus status = slipi_row_state_create(run->op, run->arena, &s->sweep.rows, error);
  if (status == SLIP_OK)
    status = create_order(run, &s->sweep, error);
  if (status != SLIP_OK)
    return status;
  create_rolling(run, &s->sweep);
  if (has_mixing(run, &s->sweep))
    slipi_mix_create(run, &s->sweep.rows, &s->sweep.mix);
  if (has_leaps(run, &s->sweep))
    slipi_leaps_create(run, &s->leaps);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the Gauss-Seidel method");
  s->sweep.rule.kind = (SlipiOneContactKind)option_int(run, OPTION_LOCAL_SOLVER);
  s->sweep.exact = s->sweep.rule.kind == SLIPI_ONE_HYBRID;
  s->sweep.rule.tol = run->options[OPTION_LOCAL_TOL];
  s->sweep.rule.max_iter = option_int(run, OPTION_LOCAL_MAX_ITER);
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

static void renew_rows(SlipiRun *run, Splitting *s) {
  if (s->sweep.momentum)
    slipi_momentum_renew(run, s->sweep.momentum);
  else
    slipi_operator_row_start(run->op, run->r, &s->sweep.rows);
}

/* The columns of one block among the 6 x 6 of its contact: rows of W for unit impulses, the row
 * state being that of zero ones, which it is left with. */
static void fill_columns(SlipiRun *run, Splitting *s, int32_t first, int32_t part, double W[36]) {
  double *x = s->sweep.zero;
  int32_t d = run->d;
  for (int32_t k = 0; k < d; k++) {
    double change[3] = {0}, u[3] = {0};
    for (int32_t way = 1; way >= -1; way -= 2) {
      change[k] = way;
      slipi_operator_row_update(run->op, first + part, change, &s->sweep.rows);
      x[(int64_t)d * (first + part) + k] = way > 0;
      for (int32_t row = 0; way > 0 && row < 2; row++) {
        slipi_operator_row(run->op, first + row, x, &s->sweep.rows, u);
        for (int32_t i = 0; i < d; i++)
          W[6 * (3 * row + i) + 3 * part + k] = u[i] / s->omega;
      }
    }
  }
}

/* W / omega of both blocks of each contact that rolls, which only damped sweeps need. */
static void prepare_rolling(SlipiRun *run, Splitting *s) {
  SlipiSweep *sweep = &s->sweep;
  if (!sweep->rolling || !sweep->damping || sweep->rolling_ready)
    return;
  slipi_operator_row_start(run->op, sweep->zero, &sweep->rows);
  for (int32_t b = 1; b < run->nc; b++) {
    if (run->law[b].kind != SLIPI_ROLLING)
      continue;
    SlipiRollingContact *both = &sweep->rolling[sweep->rolling_of[b]];
    double *W = both->W;
    memset(W, 0, 36 * sizeof *W);
    for (int32_t part = 0; part < 2; part++) {
      fill_columns(run, s, b - 1, part, W);
      for (int k = 0; k < 9 && run->d == 2; k++) /* as padded */
        W[6 * (3 * part + k / 3) + 3 * part + k % 3] = sweep->one[b - 1 + part].W[k];
    }
    slipi_rolling_prepare(both, &sweep->one[b - 1], &sweep->one[b]);
  }
  renew_rows(run, s);
  sweep->rolling_ready = true;
}

typedef struct Preparation {
  SlipiRun *run;
  Splitting *s;
  SlipStatus status;
  SlipError *error;
} Preparation;

/* W_aa / omega of some contacts, prepared. */
static void prepare_piece(void *user, int32_t piece) {
  Preparation *of = user;
  SlipiRun *run = of->run;
  int32_t d = run->d, first = piece * PREPARED, rest = run->nc - first;
  for (int32_t a = first; a < first + (rest < PREPARED ? rest : PREPARED); a++) {
    double block[9], W[9];
    SlipStatus status = slipi_operator_diagonal(run->op, a, block, of->error);
    if (status != SLIP_OK) {
      of->status = status;
      return;
    }
    for (int32_t k = 0; k < d * d; k++)
      block[k] /= of->s->omega;
    if (d == 2)
      slipi_one_contact_pad(block, W);
    else
      memcpy(W, block, sizeof W);
    slipi_one_contact_prepare(&of->s->sweep.one[a], W, run->law[a]);
  }
}

/* All contacts; by threads where their blocks are there, which cannot fail. */
static SlipStatus prepare(SlipiRun *run, Splitting *s, SlipError *error) {
  Preparation of = {run, s, SLIP_OK, error};
  SlipiTeam *team = slipi_operator_pairs(run->op) ? run->op->team : NULL;
  slipi_team_each(team, (run->nc + PREPARED - 1) / PREPARED, prepare_piece, &of);
  s->sweep.rolling_ready = false;
  if (of.status == SLIP_OK)
    s->sweep.joined = slipi_joined_prepare(run, &s->sweep);
  return of.status;
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Splitting *s = run->state;
  slipi_random_seed(&s->random, (uint64_t)run->options[OPTION_SEED]);
  if (s->sweep.order) {
    for (int32_t a = 0; a < run->nc; a++)
      s->sweep.order[a] = a;
    slipi_random_shuffle(&s->random, s->sweep.order, run->nc);
  }
  bool stale = run->laws_changed;
  if (s->adaptive) {
    stale = stale || s->omega != run->options[OPTION_OMEGA];
    s->omega = run->options[OPTION_OMEGA];
    s->climb = (Climb){.stride = OMEGA_STRIDE, .change = NAN, .rate = NAN};
  }
  SlipStatus status = stale ? prepare(run, s, error) : SLIP_OK;
  if (stale)
    s->sweep.ready = false;
  s->sweep.damping = s->asked = false;
  s->sweep.first = true;
  s->watched = run->error;
  for (int32_t a = 0; a < run->nc; a++)
    s->sweep.one[a].lambda = 0; /* the same start gives the same bits, whatever ran before */
  s->sweep.seen = run->error;
  if (s->sweep.ready)
    slipi_fours_forget(&s->sweep.fours, &s->sweep.chunks);
  if (s->sweep.momentum)
    slipi_momentum_start(run, s->sweep.momentum);
  slipi_leaps_start(&s->leaps);
  if (s->sweep.mix.point)
    slipi_mix_start(run, s->sweep.one, &s->sweep.mix);
  slipi_operator_row_start(run->op, run->r, &s->sweep.rows);
  return status;
}

/* Whether the error of the point after this sweep decides about damping. It is asked for: how often
 * others look at the error must not change the sweeps. */
static bool watches(const SlipiRun *run, const Splitting *s) {
  return !s->sweep.damping && !s->leaps.from && run->iteration % PATIENCE == 0 &&
         option_int(run, OPTION_DAMPING) != DAMPING_OFF;
}

static void watch_progress(SlipiRun *run, Splitting *s) {
  s->asked = false;
  if (run->error > 0.9 * s->watched) {
    s->sweep.damping = true;
    slipi_sweep_forget_swings(run, &s->sweep);
  }
  s->watched = run->error;
}

/* After a sweep whose change (132) is in run->cheap_error. */
static SlipStatus adapt_omega(SlipiRun *run, Splitting *s, SlipError *error) {
  Climb *climb = &s->climb;
  if (run->iteration % OMEGA_PERIOD != 0 || !(run->cheap_error > 0))
    return SLIP_OK;
  double rate = log(run->cheap_error / climb->change) / OMEGA_PERIOD; /* NaN at first */
  climb->change = run->cheap_error;
  if (rate > 0 && s->omega > 1)
    climb->stride = 1 - s->omega; /* it does not converge: back to Gauss-Seidel */
  else if (rate > climb->rate)
    climb->stride *= fabs(climb->stride) > OMEGA_FINEST ? -0.6 : -1;
  climb->rate = rate;
  s->omega = fmin(fmax(s->omega + climb->stride, OMEGA_LEAST), OMEGA_MOST);
  return prepare(run, s, error);
}

/* Where the error has been looked at, once momentum has begun. */
static void leap(SlipiRun *run, Splitting *s) {
  SlipiMomentum *momentum = s->sweep.momentum;
  if (!s->leaps.from || !momentum || !momentum->asked || momentum->pace == SLIPI_PACE_FIRST)
    return;
  if (slipi_leaps_look(run, s->sweep.one, &s->leaps)) {
    slipi_momentum_leap(run, momentum);
    renew_rows(run, s);
  }
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Splitting *s = run->state;
  if (option_int(run, OPTION_LOCAL_TOL_RULE) == TOLERANCE_ADAPTIVE) {
    double tenth = run->error / 10; /* 6.3 */
    s->sweep.rule.tol = tenth < 1 ? fmax(tenth, 4 * DBL_EPSILON) : 1;
  }
  if (option_int(run, OPTION_ORDER) == ORDER_SHUFFLE_EACH && run->iteration > 1)
    slipi_random_shuffle(&s->random, s->sweep.order, run->nc);
  if (s->asked || (s->sweep.momentum && s->sweep.momentum->asked))
    s->sweep.seen = run->error;
  leap(run, s);
  if (s->asked)
    watch_progress(run, s);
  prepare_rolling(run, s);
  if (run->iteration % SLIPI_ROW_SWEEPS == 0)
    renew_rows(run, s);
  double changed = slipi_sweep_step(run, &s->sweep);
  double size = s->sweep.size;                                        /* |r|^2 */
  run->cheap_error = size > 0 ? sqrt(changed / size) : sqrt(changed); /* (132) */
  SlipStatus status = s->adaptive ? adapt_omega(run, s, error) : SLIP_OK;
  if (s->sweep.momentum)
    slipi_momentum_ask(run, s->sweep.momentum);
  s->asked = watches(run, s);
  if (s->asked)
    run->cheap_error = INFINITY;
  return status;
}

#define VALUES(NAME, FIELD) visitor->values(visitor->user, NAME, &(FIELD), sizeof(FIELD))
#define CONTACTS(NAME, ARRAY)                                                                      \
  visitor->contacts(visitor->user, NAME, ARRAY, sizeof *(ARRAY), sizeof *(ARRAY))

static void visit_momentum(const SlipiRun *run, SlipiMomentum *momentum,
                           const SlipiStateVisitor *visitor) {
  size_t block = (size_t)run->d * sizeof *momentum->before;
  VALUES("pace", momentum->pace);
  VALUES("uniform", momentum->uniform);
  VALUES("t", momentum->t);
  VALUES("share", momentum->share);
  VALUES("wave_least", momentum->wave_least);
  VALUES("near", momentum->near);
  VALUES("resting", momentum->resting);
  VALUES("waves_error", momentum->waves_error);
  VALUES("waves_from", momentum->waves_from);
  VALUES("momentum_best", momentum->best);
  VALUES("sweeps", momentum->sweeps);
  VALUES("momentum_window_end", momentum->window_end);
  VALUES("momentum_asked", momentum->asked);
  VALUES("windows", momentum->windows);
  VALUES("stretch_error", momentum->stretch_error);
  VALUES("stretch_from", momentum->stretch_from);
  VALUES("plain_rate", momentum->plain_rate);
  VALUES("plain_windows", momentum->plain_windows);
  VALUES("plain_left", momentum->plain_left);
  CONTACTS("momentum_contact", momentum->contact);
  visitor->contacts(visitor->user, "before", momentum->before, block, block);
  visitor->contacts(visitor->user, "momentum_r_best", momentum->r_best, block, block);
}

/* The last slides of contacts in fours, by contacts. */
static void visit_fours(const SlipiRun *run, SlipiSweep *sweep, const SlipiStateVisitor *visitor) {
  bool ready = sweep->ready;
  VALUES("seen", sweep->seen);
  VALUES("ready", ready);
  if (!sweep->slides)
    return;
  if (ready && !sweep->ready)
    slipi_sweep_prepare_fours(run, sweep);
  int32_t fours = ready ? sweep->fours.start[sweep->chunks.count] : 0;
  for (int32_t k = 0; k < 4 * fours; k++) {
    const SlipiFour *four = &sweep->fours.four[k / 4];
    sweep->slides[four->head.contact[k % 4]] = four->lambda[k % 4];
  }
  CONTACTS("slides", sweep->slides);
  for (int32_t k = 0; k < 4 * fours; k++) {
    SlipiFour *four = &sweep->fours.four[k / 4];
    four->lambda[k % 4] = sweep->slides[four->head.contact[k % 4]];
  }
}

/* Without row states, which the next step makes anew, and without what `start` has made. Where all
 * contacts are in one chunk, sums over bodies decide about momentum, and they are not kept. */
static void visit_state(SlipiRun *run, const SlipiStateVisitor *visitor) {
  Splitting *s = run->state;
  SlipiSweep *sweep = &s->sweep;
  VALUES("omega", s->omega);
  VALUES("climb", s->climb);
  VALUES("random", s->random);
  VALUES("asked", s->asked);
  VALUES("watched", s->watched);
  VALUES("damping", sweep->damping);
  VALUES("first", sweep->first);
  VALUES("settled", sweep->settled);
  VALUES("size", sweep->size);
  VALUES("voted", sweep->voted);
  visitor->chunks(visitor->user, "tally", sweep->tally, sizeof *sweep->tally);
  visitor->contacts(visitor->user, "lambda", &sweep->one->lambda, sizeof sweep->one->lambda,
                    sizeof *sweep->one);
  visit_fours(run, sweep, visitor);
  if (sweep->damper)
    CONTACTS("damper", sweep->damper);
  if (sweep->rest)
    CONTACTS("rest", sweep->rest);
  if (sweep->momentum)
    visit_momentum(run, sweep->momentum, visitor);
}

/* Sweeps are cheap and may pause for thousands of them before they get ahead again. */
#define SPLITTING                                                                                  \
  .needs = SLIPI_NEED_ROWS, .follows_W = true, .patience = 20000, .start = start, .step = step,    \
  .visit_state = visit_state
#define NSGS(NAME, SUMMARY, ...)                                                                   \
  .laws = SLIPI_LAWS_ALL,                                                                          \
  .info = {.name = (NAME),                                                                         \
           .family = "splitting",                                                                  \
           .summary = (SUMMARY),                                                                   \
           SLIPI_OPTIONS(nsgs_options),                                                            \
           __VA_ARGS__},                                                                           \
  .create = nsgs_create, SPLITTING
/* Moments have no associated flow. */
#define RELAXATION(NAME, SUMMARY, ...)                                                             \
  .info = {.name = (NAME),                                                                         \
           .family = "splitting",                                                                  \
           .summary = (SUMMARY),                                                                   \
           SLIPI_OPTIONS(nsgs_options),                                                            \
           .associated = 1,                                                                        \
           __VA_ARGS__},                                                                           \
  .create = nsgs_create, SPLITTING
#define LOCAL(SOLVER) SLIPI_PRESET({"local-solver", SOLVER})
#define PSOR(NAME, SUMMARY, ...)                                                                   \
  .laws = SLIPI_LAWS_ALL,                                                                          \
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
    {NSGS("nsgs-accelerated", "nsgs with momentum, where plain sweeps are slow",
          SLIPI_PRESET({"acceleration", "momentum"}))},
    {PSOR("psor", "projected successive over-relaxation (Algorithm 7, any omega)", )},
    {PSOR("psor-ac", "psor with Newton on Alart-Curnier for each contact", LOCAL("nsn-ac"))},
    {RELAXATION("soclcp-nsgs", "convex relaxation (g off) by Gauss-Seidel", )},
    {RELAXATION("soclcp-nsgs-fp-vi-upk", "convex relaxation (g off) by nsgs-fp-vi-upk",
                LOCAL("projection-loop"))},
};

const SlipiFamily slipi_family_splitting = SLIPI_FAMILY(methods);
