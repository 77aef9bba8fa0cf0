/* The default: a plan of stages, each one method of the library, advanced by one of its own
 * iterations at a time so that every limit of the driver holds across them.
 *
 *   1. Gauss-Seidel with momentum, as long as what remains of it, projected from its progress,
 *      costs less than the factorisations of the next stages. Costs are counted, not timed: the
 *      same input takes the same path on every machine.
 *   2. Some proximal Newton steps (alm) from there, which end most runs.
 *   3. The interior-point method (ipm), and a Newton polish of what it finds.
 *   4. A longer proximal Newton run from the best point; of large problems this is the second.
 *   5. Gauss-Seidel from where it ended, for as much as all that has cost and then for three times
 *      as much, with Newton from there and whenever the error of the sweeps has come far down.
 *   6. Newton from r = 0; the central path by arclength (arc), polished on the way.
 *   7. Long runs of Gauss-Seidel and Newton in turn, the latter also from changed impulses.
 *
 * Each part allocates its workspace when it is first needed, once in the life of a solver: most
 * problems never need the later ones.
 */
#include "methods/method.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#include "base/option.h"
#include "base/random.h"
#include "linalg/vector.h"
#include "methods/common_chunks.h"

/* Iterations of a Gauss-Seidel stage: as many as cost what the factorisations have cost so far, or
 * three times that. */
enum { AS_MUCH = -1, THRICE_AS_MUCH = -3 };

enum { PART_MOMENTUM, PART_SWEEPS, PART_ALM, PART_IPM, PART_ARC, PART_FEW, PART_COUNT };

static bool is_sweeps(int part) {
  return part == PART_MOMENTUM || part == PART_SWEEPS;
}

static const SlipiMethod *part_method(int part) {
  static const char *const names[] = {"nsgs-accelerated", "nsgs", "alm", "ipm", "arc", "few"};
  static const SlipiFamily *const families[] = {&slipi_family_splitting, &slipi_family_splitting,
                                                &slipi_family_alm,       &slipi_family_ipm,
                                                &slipi_family_arc,       &slipi_family_few};
  return slipi_family_find(families[part], names[part]);
}

typedef struct Value {
  const char *name;
  double value;
} Value;

enum { VALUES = 2 };

/* From where a stage starts. */
typedef enum From {
  FROM_BEST,   /* the best point of the run */
  FROM_LAST,   /* the best point of the stage before; the stage is skipped when that was poor */
  FROM_SWEEPS, /* where Gauss-Seidel ended last: it goes on on its own way, Newton looks from there
                */
  FROM_ZERO,   /* r = 0: the best point may be no way to a solution */
  FROM_NEAR /* the best point, each contact's impulse changed at random: the same way each time */
} From;

typedef struct Stage {
  int part;
  From from;
  int most;  /* iterations */
  int trial; /* iterations after which the error must have fallen, or the stage is over; 0: none */
  double until; /* an error at which the next stage does better */
  Value values[VALUES];
} Stage;

#define NEWTON(from, most, trial, alpha, patience)                                                 \
  {                                                                                                \
    PART_ALM, (from), (most), (trial), 0, {                                                        \
      {"alpha", (alpha)}, {                                                                        \
        "patience", (patience)                                                                     \
      }                                                                                            \
    }                                                                                              \
  }

/* Long runs of Gauss-Seidel are without momentum: its sweeps cost more, and in the end bring less.
 */
#define SWEEPS(most)                                                                               \
  {                                                                                                \
    PART_SWEEPS, FROM_SWEEPS, (most), 0, 0, {                                                      \
      { 0 }                                                                                        \
    }                                                                                              \
  }

/* After many sweeps over a large problem, what comes next is the longer run of Newton: its start is
 * better than what the interior-point method would find, and each of its steps is dear. */
enum { LONG_NEWTON = 4 };

/* Stage 0, Gauss-Seidel, ends by the rules of leave_sweeps; the stages from LOOP on are repeated.
 */
static const Stage plan[] = {
    {PART_MOMENTUM, FROM_BEST, 0, 0, 0, {{0}}},
    NEWTON(FROM_BEST, 40, 15, 1e-2, 20),
    {PART_IPM, FROM_BEST, 60, 0, 1e-6, {{"short-steps", 2}}},
    NEWTON(FROM_LAST, 40, 10, 1e-4, 20),
    [LONG_NEWTON] = NEWTON(FROM_BEST, 300, 0, 1e-2, 100),
    SWEEPS(AS_MUCH),
    NEWTON(FROM_SWEEPS, 300, 0, 1, 100),
    SWEEPS(THRICE_AS_MUCH),
    NEWTON(FROM_SWEEPS, 3000, 0, 1, 300),
    NEWTON(FROM_ZERO, 2000, 0, 1e-2, 1000),
    {PART_ARC, FROM_BEST, 250, 0, 0, {{"beta", 1}}},
    NEWTON(FROM_LAST, 600, 0, 1e-4, 150),
    SWEEPS(AS_MUCH),
    NEWTON(FROM_SWEEPS, 3000, 0, 1, 300),
    NEWTON(FROM_BEST, 1000, 0, 1e-2, 100),
    NEWTON(FROM_NEAR, 2000, 0, 1e-2, 600),
};
enum { STAGES = sizeof plan / sizeof plan[0], LOOP = STAGES - 4 };

/* By the end of a stage's trial the error must have fallen to this share. */
static const double TRIAL_FALL = 0.1;

/* On its way the arclength method is polished from this error on, and again when it is down to
 * this share of the error at the last polish. */
static const double WAY_FROM = 1e-4, WAY_AGAIN = 0.2;
static const Stage way = NEWTON(FROM_LAST, 15, 0, 1e-4, 8);
/* So are later sweeps, whose error goes up and down, once it is down to this share of the one they
 * began with. */
static const double SWEEPS_WAY_FROM = 1e-3, SWEEPS_WAY_FALL = 0.1;
static const Stage sweeps_way = NEWTON(FROM_LAST, 60, 15, 1e-2, 30);

/* A polish needs a point at least this good, unless it is the best there is. */
static const double POLISH_FROM = 1e-4;
/* So many rounds of the final loop without progress end the run, and one without hope, that is
 * where not even this error has been reached: most of these problems have no solution. */
enum { ROUNDS_IDLE = 12 };
static const double HOPELESS = 1e-2;

/* So many contacts are left to the method `few` first. */
static const int32_t FEW_CONTACTS = 12;

/* When the first Gauss-Seidel stage is over. */
typedef struct Patience {
  int look;              /* sweeps before its progress is looked at, and between the first looks */
  int least;             /* sweeps before it may end */
  double factorisations; /* the later stages are expected to need */
} Patience;
enum { SWEEPS_LEAST = 50 };
/* Sweeps between two looks at later stages of them. */
enum { LATER_LOOKS = 50 };
static const Patience cold_start = {25, SWEEPS_LEAST, 15};
/* Near a solution Newton is soon there, while sweeps save little. */
static const Patience warm_start = {20, 20, 5};
/* The error a run from other impulses than 0 begins with, where they are of use. */
static const double WARM = 0.1;
/* A later run of sweeps that has no hope is over when so many, and four times as many as brought
 * the last fall of the error to this share, have brought none. With hope it is not: the error of
 * sweeps goes up and down for ten thousands of them on its way. */
enum { SWEEPS_IDLE = 1000 };
static const double PROGRESS = 0.999;
/* A relative change of the impulses that is only rounding. */
static const double STILL = 8 * DBL_EPSILON;

/* Nominal costs in nanoseconds, measured on one machine; only their ratios matter. */
static const double CONTACT_COST = 60; /* a one-contact solve */
static const double ENTRY_COST = 0.5;  /* an entry of W in a sweep */
static const double WORK_COST = 0.2;   /* an operation of a factorisation */
/* Problems beyond these are left to Gauss-Seidel. */
static const int32_t CONTACTS_MOST = 20000;
static const double WORK_MOST = 3e11;
/* Where sweeps go by chunks, the same momentum carries all contacts, and the error may rise for
 * tens of sweeps before it falls: progress is measured over as many sweeps. */
enum { WAVE = 100 };

/* One method and how it is run. */
typedef struct Part {
  const SlipiMethod *method;
  SlipiRun run;
  SlipiArena arena; /* of its state */
  double options[SLIPI_OPTIONS_MAX];
  bool created;
  bool treats;   /* the laws of all contacts; stages of a part that does not are left out */
  bool stale;    /* the laws have changed since its last start */
  int64_t total; /* iterations in this run */
} Part;

/* A point with its error. */
typedef struct Best {
  double *r; /* m */
  double error;
} Best;

typedef struct Auto {
  Part part[PART_COUNT];
  bool few; /* before the plan: the method for a few contacts is under way */
  int stage;
  int64_t taken;       /* iterations of what is under way */
  bool on_the_way;     /* the stage is interrupted by a polish */
  int64_t stage_taken; /* iterations of the interrupted stage, and how many it may take */
  int64_t stage_most;
  double way_below; /* error at which the next interruption comes */
  Best best, stage_best;
  Best swept;         /* the last point of Gauss-Seidel */
  int64_t most;       /* iterations of what is under way; 0: no limit */
  double stage_start; /* the error what is under way began with */
  bool evaluated;     /* run->error is that of run->r */
  const Patience *patience;
  int64_t next_look; /* sweep at which Gauss-Seidel's progress is looked at */
  int64_t last_look;
  int64_t progressed; /* iteration of what is under way that last brought the error down */
  double last_error;
  bool out_of_reach; /* factorisations are too costly */
  bool still;        /* Gauss-Seidel changes nothing any more */
  int idle;          /* rounds of the final loop without progress */
  int round;
  double round_best;
} Auto;

static const Stage *current(const Auto *s) {
  const Stage *stage = &plan[s->stage];
  return !s->on_the_way ? stage : is_sweeps(stage->part) ? &sweeps_way : &way;
}

static void copy(const SlipiRun *run, const double *from, double *to) {
  memcpy(to, from, (size_t)run->m * sizeof *to);
}

/* ---- Parts ---- */

static void destroy_part(Part *part) {
  if (part->method && part->method->destroy)
    part->method->destroy(&part->run);
  slipi_arena_free(&part->arena);
  part->created = false;
  part->method = NULL;
}

static SlipStatus create_part(SlipiRun *run, Auto *s, int which, SlipError *error) {
  Part *part = &s->part[which];
  destroy_part(part); /* what a creation that failed has left */
  part->method = part_method(which);
  part->run = *run;
  part->run.arena = &part->arena;
  part->run.options = part->options;
  part->run.state = NULL;
  part->run.work = 0;
  part->stale = true;
  slipi_method_defaults(part->method, part->options);
  SlipStatus status = part->method->create(&part->run, error);
  part->created = status == SLIP_OK;
  return status;
}

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Auto *s = SLIPI_ARENA_NEW(run->arena, Auto, 1);
  double *best = SLIPI_ARENA_NEW(run->arena, double, run->m);
  double *stage_best = SLIPI_ARENA_NEW(run->arena, double, run->m);
  double *swept = SLIPI_ARENA_NEW(run->arena, double, run->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the automatic method");
  run->state = s;
  s->best.r = best;
  s->stage_best.r = stage_best;
  s->swept.r = swept;
  return create_part(run, s, run->nc <= FEW_CONTACTS ? PART_FEW : PART_MOMENTUM, error);
}

static void destroy(SlipiRun *run) {
  Auto *s = run->state;
  for (int k = 0; s && k < PART_COUNT; k++)
    destroy_part(&s->part[k]);
}

static void set_options(const Stage *stage, Part *part) {
  const SlipMethodInfo *info = &part->method->info;
  slipi_method_defaults(part->method, part->options);
  for (int k = 0; k < VALUES && stage->values[k].name; k++) {
    int option = slipi_option_find(info->options, info->option_count, stage->values[k].name);
    part->options[option] = stage->values[k].value;
  }
}

/* Nanoseconds of a sweep. */
static double sweep_cost(const SlipiRun *run) {
  const SlipProblem *problem = run->op->problem;
  double entries = 0;
  if (run->op->table->kind == SLIPI_OPERATOR_DENSE)
    entries = (double)run->m * run->m;
  else if (problem->form == SLIP_FORM_LOCAL)
    entries = problem->W.p[problem->m];
  return CONTACT_COST * run->nc + ENTRY_COST * entries;
}

/* How many iterations what is under way may take. */
static int64_t limit(const SlipiRun *run, const Auto *s) {
  const Stage *stage = current(s);
  if (stage->most >= 0)
    return stage->most;
  double spent = 0;
  for (int k = 0; k < PART_COUNT; k++)
    spent += s->part[k].run.work * (double)s->part[k].total;
  return SWEEPS_LEAST - stage->most * (int64_t)(WORK_COST * spent / sweep_cost(run));
}

/* Start what is under way from a point. */
static SlipStatus start_part(SlipiRun *run, Auto *s, const Best *from, SlipError *error) {
  const Stage *stage = current(s);
  Part *part = &s->part[stage->part];
  SlipStatus status = part->created ? SLIP_OK : create_part(run, s, stage->part, error);
  if (status != SLIP_OK)
    return status;
  set_options(stage, part);
  copy(run, from->r, run->r);
  part->run.error = from->error;
  part->run.iteration = 0;
  part->run.tol = run->tol;
  part->run.laws_changed = part->stale;
  status = part->method->start(&part->run, error);
  part->stale = false;
  part->run.given_up = NULL;
  s->taken = s->progressed = 0;
  s->next_look = s->patience->look;
  s->most = limit(run, s);
  s->still = false;
  s->stage_start = from->error;
  s->stage_best.error = INFINITY;
  return status;
}

/* One iteration of what is under way. */
static SlipStatus step_part(SlipiRun *run, Auto *s, SlipError *error) {
  Part *part = &s->part[current(s)->part];
  part->run.error = run->error;
  part->run.iteration++;
  part->run.cheap = 0;
  part->run.given_up = NULL;
  part->total++;
  s->taken++;
  SlipStatus status = part->method->step(&part->run, error);
  run->cheap = part->run.cheap;
  return status;
}

/* ---- The plan ---- */

/* The driver has evaluated the error of run->r: keep the best points. */
static void remember(const SlipiRun *run, Auto *s) {
  if (run->error < PROGRESS * s->stage_best.error)
    s->progressed = s->taken;
  Best *bests[] = {&s->best, &s->stage_best};
  for (int k = 0; k < 2; k++) {
    if (run->error < bests[k]->error) {
      bests[k]->error = run->error;
      copy(run, run->r, bests[k]->r);
    }
  }
}

/* How many iterations each method has had. */
static void note(const SlipiRun *run, SlipiPhrase *text) {
  const Auto *s = run->state;
  const char *comma = "";
  for (int k = 0; k < PART_COUNT; k++) {
    if (s->part[k].total == 0)
      continue;
    slipi_phrase_add(text, comma);
    slipi_phrase_add(text, s->part[k].method->info.name);
    slipi_phrase_add(text, " ");
    slipi_phrase_add_int(text, s->part[k].total);
    comma = ", ";
  }
}

/* Another round of the final loop; false when too many have been idle. */
static bool next_round(Auto *s) {
  s->stage = LOOP;
  s->idle = s->best.error < 0.9 * s->round_best ? 0 : s->idle + 1;
  s->round_best = s->best.error;
  s->round++;
  return s->idle < (s->best.error > HOPELESS ? 1 : ROUNDS_IDLE);
}

/* Relative change of impulses for FROM_NEAR, in odd and in even rounds. */
static const double NEAR_BY[] = {1, 0.5};

/* The point the stage starts from; NULL where it has none. */
static const Best *stage_from(const SlipiRun *run, Auto *s) {
  Best *other = &s->stage_best;
  switch (plan[s->stage].from) {
  case FROM_BEST:
    return &s->best;
  case FROM_LAST:
    return other->error <= POLISH_FROM || other->error <= s->best.error ? other : NULL;
  case FROM_SWEEPS:
    return &s->swept;
  case FROM_ZERO:
    memset(other->r, 0, (size_t)run->m * sizeof *other->r);
    break;
  case FROM_NEAR: {
    SlipiRandom random;
    double most = NEAR_BY[s->round % 2];
    slipi_random_seed(&random, (uint64_t)s->round);
    for (int32_t c = 0; c < run->nc; c++) {
      double factor = slipi_random_between(&random, 1 - most, 1 + most);
      for (int32_t k = c * run->d; k < (c + 1) * run->d; k++)
        other->r[k] = factor * s->best.r[k];
    }
    break;
  }
  }
  other->error = 1; /* not known, and not small */
  return other;
}

/* Where Gauss-Seidel is, to go on from there. */
static void keep_swept(const SlipiRun *run, Auto *s) {
  bool sound = isfinite(run->error);
  copy(run, sound ? run->r : s->best.r, s->swept.r);
  s->swept.error = sound ? run->error : s->best.error;
}

/* Whether the error of the first stage's sweeps goes in waves. */
static bool has_waves(const SlipiRun *run) {
  return run->nc >= SLIPI_CHUNKS_FROM;
}

/* The next stage that has something to start from. */
static SlipStatus advance(SlipiRun *run, Auto *s, SlipError *error) {
  const Best *from;
  if (is_sweeps(plan[s->stage].part))
    keep_swept(run, s);
  if (s->stage == 0 && has_waves(run))
    s->stage = LONG_NEWTON - 1;
  bool left_out = false;
  do {
    if (++s->stage == STAGES && !next_round(s)) {
      run->given_up = "every stage of the plan has stalled";
      return SLIP_OK;
    }
    bool polishes = left_out && plan[s->stage].from == FROM_LAST; /* what has not run */
    left_out = polishes || !s->part[plan[s->stage].part].treats;
    from = left_out ? NULL : stage_from(run, s);
  } while (!from);
  s->way_below = is_sweeps(plan[s->stage].part)
                     ? fmin(SWEEPS_WAY_FROM, SWEEPS_WAY_FALL * from->error)
                     : fmax(WAY_FROM, 10 * run->tol);
  return start_part(run, s, from, error);
}

/* Interrupt the arclength method or sweeps by a polish of their point, or end the polish and let
 * them go on. */
static SlipStatus interrupt(SlipiRun *run, Auto *s, SlipError *error) {
  s->on_the_way = true;
  s->stage_taken = s->taken;
  s->stage_most = s->most;
  s->way_below = WAY_AGAIN * run->error;
  if (is_sweeps(plan[s->stage].part))
    keep_swept(run, s);
  return start_part(run, s, &s->stage_best, error);
}

static SlipStatus resume(SlipiRun *run, Auto *s, SlipError *error) {
  SlipStatus status = SLIP_OK;
  s->on_the_way = false;
  if (is_sweeps(plan[s->stage].part)) /* they have no point of their own */
    status = start_part(run, s, &s->swept, error);
  s->taken = s->stage_taken;
  s->most = s->stage_most;
  s->stage_best.error = INFINITY;
  return status;
}

/* How many sweeps are left by the progress since the last look; INFINITY without progress. */
static double sweeps_left(const SlipiRun *run, const Auto *s) {
  double fall = log(s->last_error / run->error);
  double sweeps = (double)(s->taken - s->last_look);
  return fall > 0 ? log(run->error / run->tol) * sweeps / fall : INFINITY;
}

/* Whether the first stage should end here: factorisations are within reach and cheaper. */
static SlipStatus leave_sweeps(SlipiRun *run, Auto *s, bool *leave, SlipError *error) {
  *leave = false;
  if (s->out_of_reach || s->taken < s->patience->least || run->nc > CONTACTS_MOST)
    return SLIP_OK;
  double left = sweeps_left(run, s);
  /* The analysis alone costs tens of sweeps. */
  if (!s->part[PART_ALM].created && left > 2 * SWEEPS_LEAST) {
    SlipStatus status = create_part(run, s, PART_ALM, error);
    if (status != SLIP_OK)
      return status;
  }
  double work = s->part[PART_ALM].run.work;
  s->out_of_reach = work > WORK_MOST;
  double budget = s->patience->factorisations * WORK_COST * work / sweep_cost(run); /* in sweeps */
  bool late = (double)s->taken > 2 * budget;                /* projections have been too good */
  bool early = has_waves(run) && (double)s->taken < budget; /* an error that rises says nothing */
  *leave =
      !s->out_of_reach && s->part[PART_ALM].created && !early && left > (late ? 0.25 : 1) * budget;
  return SLIP_OK;
}

/* Whether what is under way has done what it can. */
static SlipStatus judge(SlipiRun *run, Auto *s, bool *over, SlipError *error) {
  const Stage *stage = current(s);
  *over = s->part[stage->part].run.given_up || s->still || !isfinite(run->error) ||
          (s->most > 0 && s->taken >= s->most) || s->stage_best.error <= stage->until ||
          (s->taken == stage->trial && s->stage_best.error > TRIAL_FALL * s->stage_start) ||
          (stage->part == PART_SWEEPS && s->best.error > HOPELESS &&
           s->taken > SWEEPS_IDLE + 4 * s->progressed);
  bool wave = has_waves(run) && s->taken - s->last_look < WAVE;
  if (*over || s->stage != 0 || wave)
    return SLIP_OK;
  SlipStatus status = leave_sweeps(run, s, over, error);
  s->last_look = s->taken;
  s->last_error = run->error;
  return status;
}

/* After an evaluation: stay, interrupt, resume or go on to the next stage. */
static SlipStatus decide(SlipiRun *run, Auto *s, SlipError *error) {
  bool over;
  remember(run, s);
  SlipStatus status = judge(run, s, &over, error);
  if (status != SLIP_OK)
    return status;
  if (over && s->on_the_way)
    return resume(run, s, error);
  if (over)
    return advance(run, s, error);
  int part = current(s)->part;
  if ((part == PART_ARC || part == PART_SWEEPS) && run->error <= s->way_below)
    return interrupt(run, s, error);
  return SLIP_OK;
}

/* ---- Before the plan: a few contacts ---- */

/* Its iterations are of up to 64 sweeps. */
enum { FEW_ITERATIONS = 12 };

static SlipStatus start_few(SlipiRun *run, Auto *s, SlipError *error) {
  Part *part = &s->part[PART_FEW];
  part->run.laws_changed = part->stale;
  part->run.iteration = 0;
  part->run.scale = run->scale;
  part->stale = false;
  return part->method->start(&part->run, error);
}

/* One iteration; the plan begins where it has done what it can. */
static SlipStatus step_few(SlipiRun *run, Auto *s, SlipError *error) {
  Part *part = &s->part[PART_FEW];
  if (part->total == FEW_ITERATIONS) {
    s->few = false;
    return start_part(run, s, &s->best, error);
  }
  part->total++;
  part->run.iteration++;
  return part->method->step(&part->run, error);
}

static bool is_warm(const SlipiRun *run) {
  return run->error < WARM && !slipi_all_zero(run->r, run->m);
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Auto *s = run->state;
  s->patience = is_warm(run) ? &warm_start : &cold_start;
  SlipiLawSet laws = slipi_law_set(run->law, run->nc);
  for (int k = 0; k < PART_COUNT; k++) {
    Part *part = &s->part[k];
    part->treats = (laws & ~slipi_method_laws(part_method(k), part->options)) == 0;
    part->total = 0;
    part->stale = part->stale || run->laws_changed;
    if (run->W_changed && part->created && !part->method->follows_W)
      destroy_part(part);
  }
  s->stage = 0;
  s->on_the_way = s->out_of_reach = s->evaluated = false;
  s->best.error = s->last_error = run->error;
  s->last_look = 0;
  s->idle = s->round = 0;
  s->round_best = INFINITY;
  copy(run, run->r, s->best.r);
  s->few = run->nc <= FEW_CONTACTS;
  return s->few ? start_few(run, s, error) : start_part(run, s, &s->best, error);
}

/* Gauss-Seidel is looked at now and then, the other parts after every iteration. */
static bool look(const SlipiRun *run, Auto *s) {
  if (!is_sweeps(current(s)->part))
    return true;
  s->still = run->cheap <= STILL;
  bool now = s->still || isnan(run->cheap) || s->taken == s->most || s->taken >= s->next_look;
  int64_t gap = s->stage == 0 ? s->taken / 2 : LATER_LOOKS;
  if (now)
    s->next_look = s->taken + (gap > s->patience->look ? gap : s->patience->look);
  return now;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Auto *s = run->state;
  run->cheap = INFINITY;
  if (s->few) {
    if (run->iteration > 1)
      remember(run, s);
    SlipStatus status = step_few(run, s, error);
    if (status != SLIP_OK || s->few)
      return status;
  }
  if (s->evaluated) {
    SlipStatus status = decide(run, s, error);
    if (status != SLIP_OK || run->given_up)
      return status;
  }
  SlipStatus status = step_part(run, s, error);
  s->evaluated = look(run, s);
  if (s->evaluated)
    run->cheap = INFINITY;
  return status;
}

static const SlipiMethod methods[] = {
    {.info = {.name = "auto",
              .family = "plan",
              .summary = "Gauss-Seidel, Newton and interior point by the progress they make"},
     .needs = SLIPI_NEED_ROWS,
     .recovers = true,
     .follows_W = true,
     .note = note,
     .patience = INT_MAX,
     .create = create,
     .start = start,
     .step = step,
     .destroy = destroy},
};

const SlipiFamily slipi_family_auto = SLIPI_FAMILY(methods);
