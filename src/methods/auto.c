/* The default method: it runs other methods of the library, one of their iterations at a time, so
 * that every limit of the driver holds across them.
 *
 * Which method runs, from which point and for how long is decided by the plan: methods/plan.h
 * numbers and names its stages, docs/methods/auto.md describes them. This file carries the
 * decisions out. It keeps the points that stages start from and counts costs and iterations.
 *
 * Each method allocates its workspace when its first stage begins, once in the life of a solver:
 * most problems never need the later ones.
 */
#include "methods/method.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/option.h"
#include "base/random.h"
#include "contact/pairs.h"
#include "contact/rolling.h"
#include "linalg/vector.h"
#include "methods/common_progress.h"
#include "methods/plan.h"

/* The run of one of the methods that stages run. */
typedef struct PartRun {
  SlipiRun run;
  double options[SLIPI_OPTIONS_MAX];
} PartRun;

/* One of these methods. Most are never needed, and to clear the runs of all would take longer than
 * to solve a problem of one contact: each has its own in its arena, with its workspace. */
typedef struct Part {
  const SlipiMethod *method;
  PartRun *its; /* NULL before it is created */
  bool created;
  bool stale;    /* the laws have changed since its last start */
  int64_t total; /* iterations in this run */
} Part;

typedef struct Point {
  double *r; /* m */
  double error;
} Point;

typedef struct Auto {
  Part part[SLIPI_PLAN_METHOD_COUNT];
  SlipiPlanMethod first; /* that of the stage which every run begins with */
  SlipiPlanState plan;
  bool planned;                 /* this run's plan has been made: see make_plan */
  bool laws_changed, W_changed; /* since a plan was made last */
  bool starts_at_zero;
  unsigned left_out; /* methods that cannot treat the problem, as in SlipiObservation */
  bool convex;       /* as there, too */
  bool gentle;       /* see is_gentle */
  bool normal;       /* and this */
  bool rolls;        /* and this */
  double curved;     /* and this */
  bool by_fours;     /* sweeps go by fours */
  bool evaluated;    /* run->error is that of run->r: the plan can decide */
  /* Iterations: those of the stage and of the polish that may interrupt it, and those of each stage
   * in the whole run. */
  int64_t stage_iterations, polish_iterations;
  int64_t total[SLIPI_STAGE_COUNT];
  /* Of the stage or polish under way. */
  double start_error;
  int64_t progressed_at; /* the iteration that last brought the error down */
  Point stage_best;
  /* Of the whole run. */
  Point best;
  Point sweeps_end; /* where Gauss-Seidel was left last */
} Auto;

/* In place of the error of a point that was made up: it is not small. */
static const double NOT_KNOWN = 1;

static const SlipiStage *current(const Auto *s) {
  return slipi_plan_stage(slipi_plan_current(&s->plan));
}

static Part *current_part(Auto *s) {
  return &s->part[current(s)->method];
}

/* Iterations of the stage or polish under way. */
static int64_t *iterations(Auto *s) {
  return s->plan.polishing ? &s->polish_iterations : &s->stage_iterations;
}

static void copy(const SlipiRun *run, const double *from, double *to) {
  memcpy(to, from, (size_t)run->m * sizeof *to);
}

/* ---- Parts ---- */

static const SlipiMethod *find_method(SlipiPlanMethod which) {
  static const SlipiFamily *const families[] = {[SLIPI_PLAN_NSGS_ACCELERATED] =
                                                    &slipi_family_splitting,
                                                [SLIPI_PLAN_NSGS] = &slipi_family_splitting,
                                                [SLIPI_PLAN_ALM] = &slipi_family_alm,
                                                [SLIPI_PLAN_IPM] = &slipi_family_ipm,
                                                [SLIPI_PLAN_ARC] = &slipi_family_arc,
                                                [SLIPI_PLAN_FEW] = &slipi_family_few,
                                                [SLIPI_PLAN_BALLS] = &slipi_family_balls,
                                                [SLIPI_PLAN_HELD] = &slipi_family_held};
  const SlipiFamily *family = families[which];
  return family->count == 1 ? family->methods
                            : slipi_family_find(family, slipi_plan_method_name(which));
}

/* The memory stays in the arena: the next problem of the solver will need about as much. */
static void destroy_part(Part *part) {
  if (part->its && part->method->destroy)
    part->method->destroy(&part->its->run);
  part->created = false;
  part->its = NULL;
}

_Static_assert((int)SLIPI_PLAN_METHOD_COUNT <= (int)SLIPI_RAMP_PART, "an arena for each method");

/* With all that it needs from an arena. */
static SlipStatus fill_part(SlipiRun *run, Part *part, SlipiPlanMethod which, SlipiArena *arena,
                            SlipError *error) {
  part->method = find_method(which);
  PartRun *its = SLIPI_ARENA_RAW(arena, PartRun, 1);
  if (!its)
    return slipi_fail_memory(error, "a stage of the automatic method");
  part->its = its;
  its->run = *run;
  its->run.arena = arena;
  its->run.options = its->options;
  its->run.state = NULL;
  its->run.work = 0;
  part->stale = true;
  if (part->method->info.option_count > 0)
    slipi_method_defaults(part->method, its->options);
  SlipStatus status =
      slipi_share_agree(run->op->share, part->method->create(&its->run, error), error);
  part->created = status == SLIP_OK;
  return status;
}

/* What the arena holds is of a W before, or of a creation that failed. */
static SlipStatus create_part(SlipiRun *run, Auto *s, SlipiPlanMethod which, SlipError *error) {
  destroy_part(&s->part[which]); /* while its state is still in the arena */
  slipi_arena_reset(&run->part_arena[which]);
  return fill_part(run, &s->part[which], which, &run->part_arena[which], error);
}

static void set_option(const SlipiStageOption *given, Part *part) {
  const SlipMethodInfo *info = &part->method->info;
  if (given->name) /* of the table, which is tested */
    part->its->options[slipi_option_find(info->options, info->option_count, given->name)] =
        given->value;
}

static void set_options(const SlipiStage *stage, const Auto *s, Part *part) {
  if (part->method->info.option_count == 0)
    return;
  slipi_method_defaults(part->method, part->its->options);
  for (int k = 0; k < SLIPI_STAGE_OPTIONS; k++)
    set_option(&stage->options[k], part);
  for (int k = 0; k < SLIPI_STAGE_GENTLE && s->gentle; k++)
    set_option(&stage->gentle[k], part);
  if (s->plan.coupled)
    set_option(&stage->coupled, part);
}

/* Start the method of the stage or polish under way from run->r, whose error is given. */
static SlipStatus start_part(SlipiRun *run, Auto *s, double start_error, SlipError *error) {
  const SlipiStage *stage = current(s);
  Part *part = current_part(s);
  SlipStatus status = part->created ? SLIP_OK : create_part(run, s, stage->method, error);
  if (status != SLIP_OK)
    return status;
  SlipiRun *its = &part->its->run;
  set_options(stage, s, part);
  its->error = start_error;
  its->iteration = 0;
  its->tol = run->tol;
  its->scale = run->scale;
  its->laws_changed = part->stale;
  status = part->method->start(its, error);
  part->stale = false;
  its->given_up = NULL;
  s->start_error = start_error;
  s->progressed_at = 0;
  s->stage_best.error = INFINITY;
  return status;
}

static SlipStatus start_part_from(SlipiRun *run, Auto *s, const Point *from, SlipError *error) {
  copy(run, from->r, run->r);
  return start_part(run, s, from->error, error);
}

/* One iteration of the stage or polish under way. */
static SlipStatus step_part(SlipiRun *run, Auto *s, SlipError *error) {
  Part *part = current_part(s);
  SlipiRun *its = &part->its->run;
  its->error = run->error;
  its->iteration++;
  its->cheap_error = 0;
  its->given_up = NULL;
  part->total++;
  s->total[slipi_plan_current(&s->plan)]++;
  ++*iterations(s);
  SlipStatus status = part->method->step(its, error);
  run->cheap_error = its->cheap_error;
  return status;
}

/* ---- Observing ---- */

/* The driver has evaluated the error of run->r: keep the best points. */
static void keep_best(const SlipiRun *run, Auto *s) {
  if (slipi_is_progress(run->error, s->stage_best.error))
    s->progressed_at = *iterations(s);
  Point *bests[] = {&s->best, &s->stage_best};
  for (int k = 0; k < 2; k++) {
    if (run->error < bests[k]->error) {
      bests[k]->error = run->error;
      copy(run, run->r, bests[k]->r);
    }
  }
}

/* Keep the point where Gauss-Seidel is left. */
static void keep_sweeps_end(const SlipiRun *run, Auto *s) {
  bool sound = isfinite(run->error);
  copy(run, sound ? run->r : s->best.r, s->sweeps_end.r);
  s->sweeps_end.error = sound ? run->error : s->best.error;
}

/* Operations of one factorisation of a part. */
static double work_of(const Part *part) {
  return part->its ? part->its->run.work : 0;
}

/* Operations of all factorisations so far. */
static double work_spent(const Auto *s) {
  double spent = 0;
  for (int k = 0; k < SLIPI_PLAN_METHOD_COUNT; k++)
    spent += work_of(&s->part[k]) * (double)s->part[k].total;
  return spent;
}

/* Contacts of the whole problem. */
static int32_t contacts(const SlipiRun *run) {
  return (int32_t)fmin(INT_MAX, (double)slipi_share_contacts(run->op->share, run->nc));
}

/* The method whose factorisation tells the work of one. */
static SlipiPlanMethod analysed(const SlipiRun *run) {
  return run->op->share ? SLIPI_PLAN_IPM : SLIPI_PLAN_ALM;
}

/* Whether sweeps visit a contact and its moments at once, by the velocities of their bodies. */
static bool joins(const SlipiRun *run) {
  return run->d == 3 && slipi_operator_pairs(run->op);
}

/* Whether sweeps go by fours, on all processes. */
static bool goes_by_fours(const SlipiRun *run, const Auto *s) {
  bool alone = s->rolls || !slipi_operator_goes_by_fours(run->op);
  return contacts(run) >= SLIPI_PAIRS_FROM && !slipi_share_any(run->op->share, alone);
}

static SlipiObservation observe(const SlipiRun *run, Auto *s) {
  const Part *newton = &s->part[analysed(run)];
  const PartRun *its = current_part(s)->its;
  return (SlipiObservation){.contacts = contacts(run),
                            .plane = run->d == 2,
                            .entries = slipi_operator_row_entries(run->op),
                            .tol = run->tol,
                            .starts_at_zero = s->starts_at_zero,
                            .left_out = s->left_out,
                            .convex = s->convex,
                            .normal = s->normal,
                            .rolls = s->rolls,
                            .joined = s->rolls && joins(run),
                            /* Near a solution waves are not waited for: they only stir up what
                             * is left, and a few steps of Newton's method are cheaper. */
                            .by_fours = s->by_fours && !s->plan.near,
                            .curved = s->curved,
                            .iterations = *iterations(s),
                            .progressed_at = s->progressed_at,
                            .change = its ? its->run.cheap_error : 0,
                            .error = run->error,
                            .stage_start_error = s->start_error,
                            .stage_best_error = s->stage_best.error,
                            .given_up = its && its->run.given_up,
                            .best_error = s->best.error,
                            .sweeps_error = s->sweeps_end.error,
                            .factorisation = {newton->created, work_of(newton)},
                            .work_spent = work_spent(s)};
}

/* ---- Carrying out decisions ---- */

/* The best point with the impulses of each contact multiplied by a random factor in
 * [1 - change_by, 1 + change_by]; the same numbers in every run. */
static void change_impulses(const SlipiRun *run, const Auto *s, const SlipiDecision *decision,
                            double *r) {
  SlipiRandom random;
  slipi_random_seed(&random, (uint64_t)decision->next.round);
  for (int32_t c = 0; c < run->nc; c++) {
    double factor = slipi_random_between(&random, 1 - decision->change_by, 1 + decision->change_by);
    for (int32_t k = c * run->d; k < (c + 1) * run->d; k++)
      r[k] = factor * s->best.r[k];
  }
}

/* The point a stage starts from. One that is made up is put into stage_best, the best point of a
 * stage that is over. */
static const Point *start_point(const SlipiRun *run, Auto *s, const SlipiDecision *decision) {
  Point *made_up = &s->stage_best;
  switch (decision->from) {
  case SLIPI_FROM_BEST:
    return &s->best;
  case SLIPI_FROM_LAST:
    return &s->stage_best;
  case SLIPI_FROM_SWEEPS:
    return &s->sweeps_end;
  case SLIPI_FROM_ZERO:
    memset(made_up->r, 0, (size_t)run->m * sizeof *made_up->r);
    break;
  case SLIPI_FROM_CHANGED:
    change_impulses(run, s, decision, made_up->r);
    break;
  }
  made_up->error = NOT_KNOWN;
  return made_up;
}

/* A stage, or a polish, begins. */
static SlipStatus begin(SlipiRun *run, Auto *s, const SlipiDecision *decision, SlipError *error) {
  const Point *from = start_point(run, s, decision);
  s->plan = decision->next;
  *iterations(s) = 0;
  return start_part_from(run, s, from, error);
}

/* The polish is over. Sweeps start again from where they were interrupted; other methods have kept
 * their own point. */
static SlipStatus resume(SlipiRun *run, Auto *s, const SlipiDecision *decision, SlipError *error) {
  s->plan = decision->next;
  s->stage_best.error = INFINITY;
  return slipi_plan_is_sweeps(current(s)->method) ? start_part_from(run, s, &s->sweeps_end, error)
                                                  : SLIP_OK;
}

static SlipStatus carry_out(SlipiRun *run, Auto *s, const SlipiDecision *decision,
                            SlipError *error) {
  bool leaves = decision->action == SLIPI_START || decision->action == SLIPI_INTERRUPT;
  if (leaves && slipi_plan_is_sweeps(current(s)->method))
    keep_sweeps_end(run, s);
  switch (decision->action) {
  case SLIPI_STAY:
    s->plan = decision->next;
    break;
  case SLIPI_ANALYSE:
    return create_part(run, s, analysed(run), error);
  case SLIPI_INTERRUPT:
  case SLIPI_START:
    return begin(run, s, decision, error);
  case SLIPI_RESUME:
    return resume(run, s, decision, error);
  case SLIPI_GIVE_UP:
    run->given_up = decision->why;
    break;
  }
  return SLIP_OK;
}

/* ---- The method ---- */

/* A bit for each method that does not run on a part of a problem that other processes share, nor on
 * what contacts that hold each other leave of one. */
static unsigned not_for_parts(const SlipiRun *run) {
  unsigned shared = 1U << SLIPI_PLAN_ALM | 1U << SLIPI_PLAN_ARC | 1U << SLIPI_PLAN_FEW |
                    1U << SLIPI_PLAN_BALLS | 1U << SLIPI_PLAN_HELD;
  return (run->op->share ? shared : 0) | (run->is_rest ? 1U << SLIPI_PLAN_HELD : 0);
}

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Auto *s = SLIPI_ARENA_NEW(run->arena, Auto, 1);
  double *points = SLIPI_ARENA_RAW(run->arena, double, 3 * (int64_t)run->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the automatic method");
  run->state = s;
  /* What parts had for the problem before: so the memory of each is one piece after one problem. */
  for (int k = 0; k < SLIPI_PLAN_METHOD_COUNT; k++)
    slipi_arena_reset(&run->part_arena[k]);
  s->best.r = points;
  s->stage_best.r = points + run->m;
  s->sweeps_end.r = points + 2 * (int64_t)run->m;
  SlipiObservation size = {.contacts = contacts(run),
                           .plane = run->d == 2,
                           .entries = slipi_operator_row_entries(run->op),
                           .joined = joins(run) && slipi_rolling_has(run->law, run->nc),
                           .left_out = not_for_parts(run)};
  /* The method of the first stage follows every W, and lives as long as this state: one arena has
   * both, which saves small problems the time of two. */
  s->first = slipi_plan_stage(slipi_plan_first(&size))->method;
  return fill_part(run, &s->part[s->first], s->first, run->arena, error);
}

static void destroy(SlipiRun *run) {
  Auto *s = run->state;
  for (int k = 0; s && k < SLIPI_PLAN_METHOD_COUNT; k++)
    destroy_part(&s->part[k]);
}

/* A bit for each method that cannot treat the laws of all contacts: its stages are left out. */
static unsigned methods_left_out(const SlipiRun *run, SlipiLawSet laws) {
  unsigned left_out = not_for_parts(run);
  if (!slipi_share_any(run->op->share, (laws & ~SLIPI_LAWS_SECOND_ORDER) != 0))
    return left_out; /* all methods can treat these */
  for (int k = 0; k < SLIPI_PLAN_METHOD_COUNT; k++) {
    const SlipiMethod *method = find_method((SlipiPlanMethod)k);
    bool treats = (laws & ~slipi_method_laws(method, NULL)) == 0;
    left_out |= slipi_share_any(run->op->share, !treats) ? 1U << k : 0;
  }
  return left_out;
}

/* Whether K is a cone of each contact and all flows are normal to it. */
static bool is_convex(const SlipiRun *run, SlipiLawSet laws) {
  const SlipiLawSet sliding = SLIPI_LAWS_NOT_RELAXED(SLIPI_COULOMB);
  SlipiLawSet others = laws & (~SLIPI_LAWS_SECOND_ORDER | sliding);
  return !slipi_share_any(run->op->share, others != 0);
}

/* Whether stages have their `gentle` options. What helps heaps through the middle of the central
 * path makes that of high walls longer, and leads to worse points where there is much friction. */
static bool is_gentle(const SlipiRun *run) {
  enum { CONTACTS_MOST = 2000 };
  bool steep = false;
  for (int32_t a = 0; a < run->nc && !steep; a++)
    steep = slipi_law_is_coulomb(&run->law[a]) && run->law[a].mu > 1;
  return contacts(run) <= CONTACTS_MOST && !slipi_share_any(run->op->share, steep);
}

/* Whether all flows are normal to K. */
static bool is_normal(const SlipiRun *run) {
  bool others = false;
  for (int32_t a = 0; a < run->nc && !others; a++) {
    const SlipiLaw *law = &run->law[a];
    others =
        law->kind == SLIPI_ROLLING || (slipi_law_type(law)->g && law->flow != SLIP_FLOW_ASSOCIATED);
  }
  return !slipi_share_any(run->op->share, others);
}

/* Contacts of this process whose one-contact problems are solved by iterations. */
static double count_curved(const SlipiRun *run, SlipiLawSet laws) {
  bool cones = (laws & ~SLIPI_LAWS_SECOND_ORDER) == 0;
  double count = 0;
  for (int32_t a = 0; a < run->nc && !cones; a++)
    count += slipi_law_type(&run->law[a])->look != NULL;
  return count;
}

/* What the plan has to know of the problem, parts that are of another W or other laws, and the
 * first decision. `best` is the point that the run was given. */
static SlipiDecision make_plan(SlipiRun *run, Auto *s) {
  if (s->laws_changed) {
    SlipiLawSet laws = slipi_law_set(run->law, run->nc);
    s->curved = run->op->share ? 0 : count_curved(run, laws);
    s->left_out = methods_left_out(run, laws);
    s->convex = is_convex(run, laws);
    s->gentle = is_gentle(run);
    s->normal = is_normal(run);
    s->rolls = slipi_share_any(run->op->share, slipi_rolling_has(run->law, run->nc));
  }
  if (s->laws_changed || s->W_changed)
    s->by_fours = goes_by_fours(run, s);
  for (int k = 0; k < SLIPI_PLAN_METHOD_COUNT; k++) {
    Part *part = &s->part[k];
    part->total = 0;
    if (k == (int)s->first)
      continue; /* it takes all changes up when the run starts */
    part->stale = part->stale || s->laws_changed;
    if (s->W_changed && part->created && !part->method->follows_W)
      destroy_part(part);
  }
  s->planned = true;
  s->laws_changed = s->W_changed = false;
  SlipiObservation seen = observe(run, s);
  seen.error = s->best.error;
  return slipi_plan_begin(&seen);
}

/* Begin with the method for a few contacts. Most of its runs are over after the first iteration,
 * and to plan what follows would take a tenth of their time: that is left to the first decision. */
static SlipStatus start_few(SlipiRun *run, Auto *s, SlipError *error) {
  bool anew = slipi_plan_begins_anew(run->error, s->starts_at_zero, false);
  s->plan = (SlipiPlanState){.stage = SLIPI_STAGE_FEW_CONTACTS};
  s->stage_iterations = 0;
  if (anew)
    memset(run->r, 0, (size_t)run->m * sizeof *run->r);
  return start_part(run, s, anew ? NOT_KNOWN : run->error, error);
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Auto *s = run->state;
  s->laws_changed = s->laws_changed || run->laws_changed;
  s->W_changed = s->W_changed || run->W_changed;
  s->part[s->first].stale = s->part[s->first].stale || run->laws_changed;
  memset(s->total, 0, sizeof s->total);
  s->starts_at_zero = !slipi_share_any(run->op->share, !slipi_all_zero(run->r, run->m));
  s->evaluated = s->planned = false;
  s->best.error = run->error;
  copy(run, run->r, s->best.r);
  if (s->first == SLIPI_PLAN_FEW)
    return start_few(run, s, error);
  SlipiDecision first = make_plan(run, s);
  return begin(run, s, &first, error);
}

/* After an evaluation of the error. */
static SlipStatus decide(SlipiRun *run, Auto *s, SlipError *error) {
  SlipiDecision decision;
  SlipStatus status;
  if (!s->planned)
    s->plan = make_plan(run, s).next;
  keep_best(run, s);
  do {
    SlipiObservation seen = observe(run, s);
    decision = slipi_plan_decide(&s->plan, &seen);
    status = carry_out(run, s, &decision, error);
  } while (status == SLIP_OK && decision.action == SLIPI_ANALYSE);
  return status;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Auto *s = run->state;
  run->cheap_error = INFINITY;
  if (s->evaluated) {
    SlipStatus status = decide(run, s, error);
    if (status != SLIP_OK || run->given_up)
      return status;
  }
  SlipStatus status = step_part(run, s, error);
  run->work = work_spent(s) / (double)(run->iteration + 1);
  s->evaluated = slipi_plan_evaluation_due(&s->plan, *iterations(s), run->cheap_error);
  if (s->evaluated)
    run->cheap_error =
        INFINITY; /* the driver evaluates the error where there is no cheap measure */
  return status;
}

/* The stages a run has gone through: name, iterations, method. */
static void note(const SlipiRun *run, SlipiPhrase *text) {
  const Auto *s = run->state;
  int64_t noted = 0;
  for (int k = 0; k < SLIPI_STAGE_COUNT && noted < run->iteration; k++) {
    if (s->total[k] == 0)
      continue;
    const SlipiStage *stage = slipi_plan_stage((SlipiStageId)k);
    if (noted > 0)
      slipi_phrase_add(text, ", ");
    noted += s->total[k];
    slipi_phrase_add(text, stage->name);
    slipi_phrase_add(text, " ");
    slipi_phrase_add_int(text, s->total[k]);
    slipi_phrase_add(text, " ");
    slipi_phrase_add(text, slipi_plan_method_name(stage->method));
  }
}

static const SlipiMethod methods[] = {
    {.info = {.name = "auto",
              .family = "plan",
              .summary = "Gauss-Seidel, Newton and interior point by the progress they make"},
     .needs = SLIPI_NEED_ROWS,
     .laws = SLIPI_LAWS_ALL,
     .recovers = true,
     .asks = true,
     .follows_W = true,
     .set_up_late = true,
     .ramps = true,
     .note = note,
     .patience = INT_MAX,
     .create = create,
     .start = start,
     .step = step,
     .destroy = destroy},
};

const SlipiFamily slipi_family_auto = SLIPI_FAMILY(methods);
