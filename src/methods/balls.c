/* Sweeps and exact balls, for large granular problems at high accuracy.
 *
 * Sweeps over a pile of grains stall in a few spots, where they creep along local
 * near-self-stresses at a constant rate. After accelerated sweeps (nsgs) have become slow, a round
 * takes the contacts with the largest errors one after the other, solves the ball of contacts
 * around each with all others frozen (balls_solve.h), and smooths by some sweeps over the whole. A
 * ball that comes back is twice as large. docs/methods/balls.md has more.
 *
 * One iteration is one accelerated sweep at first, then one round.
 */
#include "methods/method.h"

#include <string.h>

#include "contact/chunks.h"
#include "contact/residual.h"
#include "methods/balls_solve.h"
#include "methods/inner.h"

enum {
  OPTION_SIZE,
  OPTION_LARGEST,
  OPTION_CONTACTS_PER_BALL,
  OPTION_SWEEPS,
  OPTION_MOVES,
  OPTION_QUICK,
  OPTION_LONGEST,
  OPTION_NEAR,
  OPTION_PATIENCE
};

static const SlipOptionInfo options[] = {
    {"size", SLIP_OPTION_INT, "100", 1, 1e9, NULL, "contacts of a ball"},
    {"largest", SLIP_OPTION_INT, "1200", 1, 1e9, NULL,
     "contacts of a ball that has come back several times"},
    {"contacts-per-ball", SLIP_OPTION_INT, "1000", 1, 1e9, NULL,
     "a round has one ball, and one more for each so many contacts of the problem"},
    {"sweeps", SLIP_OPTION_INT, "150", 1, 1e9, NULL, "after the balls of a round"},
    {"moves", SLIP_OPTION_REAL, "1e-3", 0, 1, NULL,
     "share of the largest entry of q from which on centring takes a contact for moving"},
    {"quick", SLIP_OPTION_INT, "12", 1, 1e9, NULL, "Newton steps on a ball before it is centred"},
    {"newton", SLIP_OPTION_INT, "60", 1, 1e9, NULL, "Newton steps on a ball that is centred"},
    {"near", SLIP_OPTION_REAL, "2e-5", 0, 1, NULL,
     "error at which sweeps that have become slow give way to balls"},
    {"patience", SLIP_OPTION_INT, "15", 1, 1e9, NULL,
     "rounds in which the error must fall to half, or the method gives up"},
};

/* Balls are solved to this share of the tolerance. */
static const double BALL_TOL = 0.01;
/* A round's balls hold this share of the squares of the error. */
static const double COVERED = 0.99;
/* The neighbours of the contact in the middle of a ball that was not solved wait so many rounds;
 * a ball that comes back within so many rounds counts as the same. */
enum { WAIT = 3, SAME = 5 };
/* An error so many times the best one leads back to the best point. */
static const double LOST = 30;
/* A ball after which the error is so many times that at the beginning of the round is taken back.
 */
static const double SPOILT = 30;
/* Sweeps that leave so many times the error they began with are taken back. */
static const double WORSE = 1.5;
/* The first sweeps are over when the error has not halved in so many sweeps and this share of those
 * before: near, that is below the option `near`, and far. */
enum { SLOW_NEAR = 50, SLOW_FAR = 300 };
static const double SLOW_SHARE_NEAR = 0.125, SLOW_SHARE_FAR = 0.5, HALF = 0.5;

/* Balls are solved by stages: those of a stage do not touch each other. Each of so many slots has
 * room for one ball at a time, whatever the number of threads. */
enum { SLOTS = 8 };

/* A ball of the round. */
typedef struct Chosen {
  int32_t middle, size; /* contacts */
  int32_t stage;
  bool solved;
  double work;
} Chosen;

typedef struct Slot {
  SlipiBall ball;
  SlipStatus status;
  SlipError error;
} Slot;

typedef struct Balls {
  SlipiInner first;  /* accelerated sweeps at the beginning, on the run's own r */
  SlipiInner sweeps; /* those of a round */
  Slot slot[SLOTS];
  Chosen *chosen;     /* nc + 1: balls of the round */
  int32_t count;      /* of them */
  int32_t stages, at; /* how many, and the one under way */
  int32_t *stage;     /* nc: the last stage that changes this contact's impulse */
  bool sweeping;      /* the first sweeps go on */
  double marked;      /* error that has to halve */
  int64_t marked_at;  /* iteration of that */
  int64_t rounds;     /* since the start */
  double *u, *error;  /* m, nc: of each contact */
  double *after;      /* nc: the error after a stage */
  double *r_best;     /* m */
  double *r_before;   /* m: before the last stage */
  double round_error; /* at the beginning of the round */
  double best;        /* error of it */
  int32_t *size;      /* nc: of the next ball around this contact */
  int64_t *waits_for; /* nc: round before which the contact gets no ball */
  bool *came_back;    /* nc: it has been in the middle of a ball lately */
  double work;        /* of all factorisations since the start */
} Balls;

/* ---- Set-up ---- */

/* The sweeps of a round: with momentum, which finds what balls have left in a third of the rounds
 * over a heap of 1600 contacts. Over many contacts one momentum for all makes waves (nsgs.h), which
 * would hide what a round has brought. */
static const char *method_of_rounds(const SlipiRun *run) {
  return run->nc < SLIPI_CHUNKS_FROM ? "nsgs-accelerated" : "nsgs";
}

static SlipStatus create(SlipiRun *run, SlipError *error) {
  SlipiArena *arena = run->arena;
  Balls *s = SLIPI_ARENA_NEW(arena, Balls, 1);
  if (!s)
    return slipi_fail_memory(error, "the method of balls");
  run->state = s;
  s->u = SLIPI_ARENA_NEW(arena, double, run->m);
  s->error = SLIPI_ARENA_NEW(arena, double, run->nc);
  s->r_best = SLIPI_ARENA_NEW(arena, double, run->m);
  s->r_before = SLIPI_ARENA_NEW(arena, double, run->m);
  s->size = SLIPI_ARENA_NEW(arena, int32_t, run->nc);
  s->after = SLIPI_ARENA_NEW(arena, double, run->nc);
  s->stage = SLIPI_ARENA_NEW(arena, int32_t, run->nc);
  s->chosen = SLIPI_ARENA_RAW(arena, Chosen, (int64_t)run->nc + 1);
  s->waits_for = SLIPI_ARENA_NEW(arena, int64_t, run->nc);
  s->came_back = SLIPI_ARENA_NEW(arena, bool, run->nc);
  if (arena->failed)
    return slipi_fail_memory(error, "the method of balls");
  SlipStatus status = slipi_inner_create(run, "nsgs-accelerated", &s->first, error);
  if (status == SLIP_OK)
    status = slipi_inner_create(run, method_of_rounds(run), &s->sweeps, error);
  for (int k = 0; k < SLOTS && status == SLIP_OK; k++)
    status = slipi_part_create(run->op, arena, &s->slot[k].ball.part, error);
  return status;
}

static void destroy(SlipiRun *run) {
  Balls *s = run->state;
  if (!s)
    return;
  slipi_inner_destroy(&s->first);
  slipi_inner_destroy(&s->sweeps);
  for (int k = 0; k < SLOTS; k++)
    slipi_ball_destroy(&s->slot[k].ball);
}

static void forget_balls(const SlipiRun *run, Balls *s) {
  for (int32_t a = 0; a < run->nc; a++) {
    s->size[a] = (int32_t)run->options[OPTION_SIZE];
    s->waits_for[a] = 0;
    s->came_back[a] = false;
  }
}

static double largest_entry(const double *x, int32_t m) {
  double largest = 0;
  for (int32_t k = 0; k < m; k++)
    largest = fmax(largest, fabs(x[k]));
  return largest;
}

static void hand_over(const SlipiRun *run, SlipiInner *inner) {
  memcpy(inner->law, run->law, (size_t)run->nc * sizeof *run->law);
  memcpy(inner->q, run->q, (size_t)run->m * sizeof *run->q);
  inner->run.laws_changed = inner->run.laws_changed || run->laws_changed;
  inner->run.scale = run->scale;
  inner->run.tol = run->tol;
  inner->run.iteration = 0;
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Balls *s = run->state;
  hand_over(run, &s->first);
  hand_over(run, &s->sweeps);
  forget_balls(run, s);
  double largest = largest_entry(run->q, run->m);
  for (int k = 0; k < SLOTS; k++) {
    SlipiBall *ball = &s->slot[k].ball;
    ball->moves = run->options[OPTION_MOVES] * largest;
    ball->quick = (int)run->options[OPTION_QUICK];
    ball->longest = (int)run->options[OPTION_LONGEST];
  }
  s->work = 0;
  s->rounds = s->marked_at = 0;
  s->marked = run->error;
  s->best = INFINITY;
  s->sweeping = run->error > run->options[OPTION_NEAR];
  if (!s->sweeping)
    return SLIP_OK;
  s->first.run.r = run->r;
  s->first.run.error = run->error;
  SlipStatus status = s->first.loop.method->start(&s->first.run, error);
  s->first.run.laws_changed = false;
  return status;
}

/* ---- The first sweeps ---- */

/* Whether the error has last halved long ago. */
static bool are_slow(const SlipiRun *run, Balls *s) {
  bool near = run->error <= run->options[OPTION_NEAR];
  if (run->error <= HALF * s->marked) {
    s->marked = run->error;
    s->marked_at = run->iteration;
  }
  double since = (double)(run->iteration - s->marked_at), before = (double)s->marked_at;
  return since > (near ? SLOW_NEAR + SLOW_SHARE_NEAR * before : SLOW_FAR + SLOW_SHARE_FAR * before);
}

static SlipStatus first_sweep(SlipiRun *run, Balls *s, SlipError *error) {
  SlipiRun *inner = &s->first.run;
  inner->error = run->error;
  inner->stop = run->stop;
  inner->iteration++;
  SlipStatus status = s->first.loop.method->step(inner, error);
  run->cheap_error = inner->cheap_error;
  return status;
}

/* ---- Rounds ---- */

/* The error of each contact at run->r, and of all. */
static SlipStatus evaluate(SlipiRun *run, Balls *s, double *each, double *all, SlipError *error) {
  SlipStatus status = slipi_operator_apply(run->op, run->r, s->u, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t k = 0; k < run->m; k++)
    s->u[k] += run->q[k];
  *all = slipi_residual_norm(run->d, run->nc, run->law, s->u, run->r, each, run->op->team,
                             run->op->share) /
         run->scale;
  return SLIP_OK;
}

/* Keep the best point; from one that is far worse go back to it. Contacts that wait have no error
 * as far as balls are concerned. */
static SlipStatus keep_best(SlipiRun *run, Balls *s, SlipError *error) {
  double all;
  SlipStatus status = evaluate(run, s, s->error, &all, error);
  if (status != SLIP_OK)
    return status;
  size_t bytes = (size_t)run->m * sizeof *run->r;
  if (all < s->best) {
    s->best = all;
    memcpy(s->r_best, run->r, bytes);
  } else if (!(all <= LOST * s->best)) {
    memcpy(run->r, s->r_best, bytes);
    status = evaluate(run, s, s->error, &all, error);
  }
  s->round_error = all;
  for (int32_t a = 0; a < run->nc; a++)
    s->error[a] = s->waits_for[a] > s->rounds ? 0 : s->error[a];
  return status;
}

static int32_t worst_contact(const SlipiRun *run, const Balls *s) {
  int32_t worst = 0;
  for (int32_t a = 1; a < run->nc; a++)
    worst = s->error[a] > s->error[worst] ? a : worst;
  return worst;
}

/* The ball around a contact, in the first slot: its size, and marks on the neighbours, around which
 * the next one may be. Returns the squares of the error in it, which count no more. */
static double choose(const SlipiRun *run, Balls *s, int32_t middle) {
  SlipiPart *part = &s->slot[0].ball.part;
  const SlipiBsr *W = part->W;
  double covered = 0;
  if (s->came_back[middle])
    s->size[middle] = (int32_t)fmin(2.0 * s->size[middle],
                                    fmax(run->options[OPTION_LARGEST], run->options[OPTION_SIZE]));
  slipi_part_choose(part, middle, s->size[middle]);
  for (int32_t k = W->p[middle]; k < W->p[middle + 1]; k++) {
    int32_t a = W->j[k];
    s->came_back[a] = true;
    s->size[a] = s->size[a] < s->size[middle] ? s->size[middle] : s->size[a];
  }
  for (int32_t k = 0; k < part->nc; k++) {
    covered += s->error[part->contact[k]] * s->error[part->contact[k]];
    s->error[part->contact[k]] = 0;
  }
  return covered;
}

/* The stage of the ball in the first slot: after all balls chosen before that it touches. */
static int32_t find_stage(Balls *s) {
  const SlipiPart *part = &s->slot[0].ball.part;
  int32_t last = 0;
  for (int32_t k = 0; k < part->nc; k++) {
    int32_t a = part->contact[k];
    for (int32_t i = part->W->p[a]; i < part->W->p[a + 1]; i++) {
      int32_t other = s->stage[part->W->j[i]];
      last = other > last ? other : last;
    }
  }
  for (int32_t k = 0; k < part->nc; k++)
    s->stage[part->contact[k]] = last + 1;
  return last + 1;
}

static void choose_balls(const SlipiRun *run, Balls *s) {
  double all = 0;
  for (int32_t a = 0; a < run->nc; a++)
    all += s->error[a] * s->error[a];
  double left = all;
  int64_t most = 1 + run->nc / (int64_t)run->options[OPTION_CONTACTS_PER_BALL];
  memset(s->stage, 0, (size_t)run->nc * sizeof *s->stage);
  s->count = s->stages = 0;
  while (s->count < most && left > (1 - COVERED) * all) {
    int32_t middle = worst_contact(run, s);
    if (!(s->error[middle] > 0))
      break;
    left -= choose(run, s, middle);
    Chosen next = {.middle = middle, .size = s->size[middle], .stage = find_stage(s)};
    s->stages = next.stage > s->stages ? next.stage : s->stages;
    s->chosen[s->count++] = next;
  }
}

typedef struct Round {
  SlipiRun *run;
  Balls *balls;
} Round;

/* The balls of the stage under way that a slot has: every SLOTS-th. */
static void solve_in_slot(void *user, int32_t piece) {
  const Round *round = user;
  Balls *s = round->balls;
  Slot *slot = &s->slot[piece];
  int32_t number = 0;
  for (int32_t k = 0; k < s->count && slot->status == SLIP_OK; k++) {
    Chosen *chosen = &s->chosen[k];
    if (chosen->stage != s->at || number++ % SLOTS != piece)
      continue;
    if (slipi_is_stopped(&slot->ball.stop))
      return;
    slipi_part_choose(&slot->ball.part, chosen->middle, chosen->size);
    slot->status =
        slipi_ball_solve(&slot->ball, round->run, BALL_TOL * round->run->tol, &slot->error);
    chosen->solved = slot->ball.solved;
    chosen->work = slot->ball.work;
  }
}

/* The largest error of a contact in the ball that is in the first slot, and next to it. */
static double error_around(const SlipiRun *run, const Balls *s) {
  const SlipiPart *part = &s->slot[0].ball.part;
  double largest = 0;
  for (int32_t k = 0; k < part->nc; k++) {
    for (int32_t i = part->W->p[part->contact[k]]; i < part->W->p[part->contact[k] + 1]; i++)
      largest = fmax(largest, s->after[part->W->j[i]]);
  }
  return largest / run->scale;
}

/* A solution far away, or a bad point, that has made the error around it much larger is taken back:
 * the sweeps could not smooth it. */
static void take_back(SlipiRun *run, Balls *s, Chosen *chosen) {
  SlipiPart *part = &s->slot[0].ball.part;
  slipi_part_choose(part, chosen->middle, chosen->size);
  if (error_around(run, s) <= SPOILT * s->round_error) /* not where it is no number */
    return;
  for (int32_t k = 0; k < part->nc; k++) {
    int64_t at = (int64_t)part->contact[k] * run->d;
    memcpy(run->r + at, s->r_before + at, (size_t)run->d * sizeof *run->r);
  }
  chosen->solved = false;
}

static void let_wait(Balls *s, int32_t middle) {
  const SlipiBsr *W = s->slot[0].ball.part.W;
  for (int32_t k = W->p[middle]; k < W->p[middle + 1]; k++)
    s->waits_for[W->j[k]] = s->rounds + WAIT;
}

/* After a stage: what has failed, what is taken back, and who has to wait. */
static SlipStatus end_stage(SlipiRun *run, Balls *s, SlipError *error) {
  double all;
  for (int k = 0; k < SLOTS; k++) {
    if (s->slot[k].status != SLIP_OK && error)
      *error = s->slot[k].error;
    if (s->slot[k].status != SLIP_OK)
      return s->slot[k].status;
  }
  SlipStatus status = evaluate(run, s, s->after, &all, error);
  for (int32_t k = 0; k < s->count && status == SLIP_OK; k++) {
    Chosen *chosen = &s->chosen[k];
    if (chosen->stage != s->at)
      continue;
    take_back(run, s, chosen);
    s->work += chosen->work;
    if (!chosen->solved)
      let_wait(s, chosen->middle);
  }
  return status;
}

static SlipStatus solve_balls(SlipiRun *run, Balls *s, SlipError *error) {
  Round round = {run, s};
  SlipiTeamStop shared;
  SlipiStop stop = slipi_team_stop(&shared, run->stop);
  SlipStatus status = SLIP_OK;
  choose_balls(run, s);
  for (int k = 0; k < SLOTS; k++) {
    s->slot[k].status = SLIP_OK;
    s->slot[k].ball.stop = stop;
  }
  for (s->at = 1; s->at <= s->stages && status == SLIP_OK && !slipi_is_stopped(&stop); s->at++) {
    memcpy(s->r_before, run->r, (size_t)run->m * sizeof *run->r);
    slipi_team_each(run->op->team, SLOTS, solve_in_slot, &round);
    status = end_stage(run, s, error);
  }
  return status;
}

/* So many sweeps from run->r on, to s->sweeps.run.r. */
static SlipStatus sweep(const SlipiRun *run, Balls *s, SlipError *error) {
  SlipiRun *inner = &s->sweeps.run;
  const SlipiMethod *method = s->sweeps.loop.method;
  memcpy(inner->r, run->r, (size_t)run->m * sizeof *run->r);
  inner->stop = run->stop;
  inner->error = s->round_error;
  inner->iteration = 0;
  SlipStatus status = method->start(inner, error);
  inner->laws_changed = false;
  for (int64_t k = (int64_t)run->options[OPTION_SWEEPS];
       k > 0 && status == SLIP_OK && !slipi_is_stopped(&run->stop); k--) {
    inner->iteration++;
    status = method->step(inner, error);
  }
  return status;
}

/* The end of the sweeps counts, not the best point on their way: where contacts creep the error
 * stays the same, and the impulses get ahead. An end that is much worse is not taken. */
static SlipStatus sweep_over_all(SlipiRun *run, Balls *s, SlipError *error) {
  size_t bytes = (size_t)run->m * sizeof *run->r;
  double before, after;
  SlipStatus status = evaluate(run, s, NULL, &before, error);
  if (status == SLIP_OK)
    status = sweep(run, s, error);
  if (status != SLIP_OK)
    return status;
  memcpy(s->r_before, run->r, bytes);
  memcpy(run->r, s->sweeps.run.r, bytes);
  status = evaluate(run, s, NULL, &after, error);
  if (status == SLIP_OK && !(after <= WORSE * before))
    memcpy(run->r, s->r_before, bytes);
  return status;
}

static SlipStatus play_round(SlipiRun *run, Balls *s, SlipError *error) {
  s->rounds++;
  SlipStatus status = keep_best(run, s, error);
  if (status == SLIP_OK)
    status = solve_balls(run, s, error);
  if (status == SLIP_OK)
    status = sweep_over_all(run, s, error);
  if (s->rounds % SAME == 0)
    memset(s->came_back, 0, (size_t)run->nc * sizeof *s->came_back);
  return status;
}

/* Whether patience has come to its end. */
static bool is_idle(const SlipiRun *run, Balls *s) {
  if (s->rounds == 0 || run->error <= HALF * s->marked) {
    s->marked = run->error;
    s->marked_at = s->rounds;
  }
  return (double)(s->rounds - s->marked_at) >= run->options[OPTION_PATIENCE];
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Balls *s = run->state;
  s->sweeping = s->sweeping && !are_slow(run, s);
  if (s->sweeping)
    return first_sweep(run, s, error);
  run->cheap_error = INFINITY;
  if (is_idle(run, s)) {
    run->given_up = "the error no longer falls";
    return SLIP_OK;
  }
  SlipStatus status = play_round(run, s, error);
  run->work = s->work / (double)run->iteration;
  return status;
}

static const SlipiMethod methods[] = {
    {.info = {.name = "balls",
              .family = "newton",
              .summary = "sweeps, then exact solutions of balls of contacts where the error is",
              SLIPI_OPTIONS(options)},
     .needs = SLIPI_NEED_ROWS,
     .laws = SLIPI_LAWS_SECOND_ORDER,
     .patience = 20000,
     .create = create,
     .start = start,
     .step = step,
     .destroy = destroy},
};

const SlipiFamily slipi_family_balls = SLIPI_FAMILY(methods);
