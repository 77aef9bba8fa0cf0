#include "methods/common_mend.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "linalg/vector.h"
#include "methods/common_mend_near.h"
#include "methods/common_stick.h"

/* Rounds at most, and those that may fail before other starts are worth more. */
enum { ROUNDS = 100, FAILURES = 5 };
/* Steps along the curve of one contact (nearly all that arrive take a few, and in large problems
 * those that do not would take most of the time), of all at first, and of all that are left in a
 * first round; after a round that has failed the last two may be longer by LONGER. */
enum { STEPS_ONE = 80, STEPS_ONE_LARGE = 15, STEPS_SOON = 40, STEPS_ALL = 150 };
static const double LONGER = 1.5;
/* Operations of one factorisation for each contact that goes alone, all together. */
static const double WORK_MOST = 1e9;
/* The same for each step of the first curves of all, and how many of these there are at least:
 * where a factorisation costs much, neighbours are mended first. */
static const double WORK_SOON = 4e8;
enum { STEPS_LEAST = 10 };
/* A contact alone is not worth following beyond this portion. */
static const double FAR_ALONE = 20;
/* Contacts go one by one whose offset is at least this share of the largest: few at first. */
static const double counts[] = {1e-2, 1e-4};
enum { PASSES = sizeof counts / sizeof counts[0] };
/* The compliance alpha at first, its least and its most value, and how it changes: large ones make
 * curves short, and leave more to mend. */
static const double ALPHA_FIRST = 0.1, ALPHA_LEAST = 3e-3, ALPHA_MOST = 2;
static const double ALPHA_FALL = 0.2, ALPHA_RISE = 4;
/* Of offsets that are small already it is no more than so many times their mean. */
static const double ALPHA_OFFSET = 30;
/* Offsets that are large, relative to q; and those of many contacts whose impulses are above what
 * most solutions have, since some are wedged. */
static const double LARGE = 1e-3, LARGE_OF_WEDGED = 1e-4, WEDGED = 1e3;
/* Offsets are mended among neighbours in problems of so many contacts: a part of fewer is no
 * cheaper than the whole; and rounds without where that has not helped. */
enum { CONTACTS = 200, PAUSE = 3 };
/* In these, short curves with this much more compliance each time come first. Their ends may have
 * larger offsets by LARGER: it is elsewhere that the next curves begin. */
static const double LADDER = 4, LARGER = 1.5;
/* A curve that has not arrived is left at its point with the least offsets, if these are less than
 * this share of those at its start. */
static const double PARTIAL = 0.75;
/* Curves may arrive in each round though offsets stay, when contacts are wedged: their impulses
 * grow instead. After so many rounds that leave more than this share of the least offsets before,
 * failed or not, neighbours are next. */
enum { STALLED = 2 };
static const double STALLS = 0.7;
/* Near a solution parts leave at most this share of the largest offset to others, and move contacts
 * away from ties by no more than that: both would else be more than the offsets there are. */
static const double SMALL_SHARE = 1e-2, APART_SHARE = 1e-3;
/* The share of alpha that is left at the end of a curve. Less would make its last part long. */
static const double LEFT = 0.1;
/* A round that leaves more than this share of the offsets has failed. */
static const double PROGRESS = 0.9;
/* Offsets of a solution, relative to q, as a share of the tolerance; below the least value contacts
 * are between two statuses by rounding, and so they are, relative to r, where that is large. */
static const double MENDED = 0.2, MENDED_LEAST = 1e-7, MENDED_ROUNDING = 1e-10;
/* Contacts that are wedged between each other may end with impulses that leave no digits of the
 * velocities; most other solutions have norms of 10 to 1000. */
static const double HUGE_IMPULSES = 1e5;

/* Where many contacts have more friction than this, a solution with this much comes first: from
 * there it is not far to one with any more, since sliding contacts have hardly any normal impulse
 * to lose. */
static const double LESS_FRICTION = 1e3;

/* The first start has none, below this. */
static const double NO_IMPULSES = 1e-3;
/* Rounds once offsets are those of a solution, how compliance falls from one to the next, and
 * offsets that are rounding. */
enum { POLISHES = 12 };
static const double ALPHA_POLISH = 0.1, POLISHED = 1e-13;
/* The same among neighbours: how often, and offsets that need it no more. */
enum { POLISHES_OF_PARTS = 8 };
static const double POLISHED_ENOUGH = 1e-12;

/* Compliances of the problems in which nothing slips that a part is begun anew from, rounds of each
 * that may fail, and steps along all curves of a part. */
static const double alphas_anew[] = {1e-2, 1e-1, 1e-3};
enum { STARTS_ANEW = sizeof alphas_anew / sizeof alphas_anew[0] };
enum { FAILURES_ANEW = 1, STEPS_ANEW = 600 };

/* How a start is followed: given up soon, with the mu given or by way of less friction, or not. */
typedef enum Manner { BRIEFLY, BRIEFLY_LESS, AT_LENGTH } Manner;

typedef struct Point {
  double *r, *c;   /* m */
  double *portion; /* nc */
  SlipiPathStatus *status;
} Point;

typedef struct Mend {
  SlipiPath path;
  SlipiRandom random;
  SlipiMendNear near;
  double alpha, soon, steps;
  double most;                 /* steps along all curves */
  bool briefly;                /* another start waits */
  bool finely;                 /* offsets are small from the start */
  bool partial;                /* the last curve of all has been left at its least offsets */
  bool near_last;              /* the last offsets are those that mending among neighbours left */
  double least;                /* offsets at the start of rounds since the last stall */
  int stalled;                 /* rounds that have left most of them */
  int missed, failures, pause; /* rounds that did not arrive, those that did not help */
  double *mu;                  /* nc: of all contacts, or less */
  double *room;                /* of the problem in which nothing slips */
  Point best, round, turn;     /* with the least offsets, and where a round began, and a curve */
} Mend;

static void make_point(const SlipiPath *path, SlipiArena *arena, Point *point) {
  *point = (Point){.r = SLIPI_ARENA_NEW(arena, double, path->m),
                   .c = SLIPI_ARENA_NEW(arena, double, path->m),
                   .portion = SLIPI_ARENA_NEW(arena, double, path->nc),
                   .status = SLIPI_ARENA_NEW(arena, SlipiPathStatus, path->nc)};
}

static void keep(const SlipiPath *path, Point *point) {
  size_t m = (size_t)path->m * sizeof *path->r, nc = (size_t)path->nc;
  memcpy(point->r, path->r, m);
  memcpy(point->c, path->c, m);
  memcpy(point->portion, path->portion, nc * sizeof *path->portion);
  memcpy(point->status, path->status, nc * sizeof *path->status);
}

static void go_back(SlipiPath *path, const Point *point) {
  size_t m = (size_t)path->m * sizeof *path->r, nc = (size_t)path->nc;
  memcpy(path->r, point->r, m);
  memcpy(path->c, point->c, m);
  memcpy(path->portion, point->portion, nc * sizeof *path->portion);
  memcpy(path->status, point->status, nc * sizeof *path->status);
}

/* Compliance alpha around the point, which changes nothing there. */
static void put_compliance(Mend *s) {
  SlipiPath *path = &s->path;
  slipi_path_separate(path);
  for (int32_t a = 0; a < path->nc; a++) {
    path->weight_first[a] = s->alpha * slipi_random_between(&s->random, 0.5, 1.5);
    path->weight_last[a] = LEFT * path->weight_first[a];
  }
  memcpy(path->r_1, path->r, (size_t)path->m * sizeof *path->r);
}

/* What offsets and compliance do to the velocities where the curves have ended becomes the
 * offsets. */
static void take_offsets(Mend *s) {
  SlipiPath *path = &s->path;
  for (int32_t k = 0; k < path->m; k++) {
    double p = path->portion[k / 3];
    double before = path->c[k] + path->weight_first[k / 3] * (path->r[k] - path->r_0[k]);
    double after = path->weight_last[k / 3] * (path->r[k] - path->r_1[k]);
    path->c[k] = (1 - p) * before + p * after;
  }
}

/* ---- Curves ---- */

/* The contacts in turn lose their offsets; where the curve does not arrive, the point stays. */
static SlipStatus follow(Mend *s, double steps, bool *arrived, SlipError *error) {
  SlipiPath *path = &s->path;
  keep(path, &s->turn);
  path->p = 0;
  steps = fmin(steps, s->most - (double)path->steps);
  SlipStatus status = slipi_path_follow(path, 0, (int)steps, arrived, error);
  *arrived = *arrived && slipi_norm(path->r, path->m) <= HUGE_IMPULSES;
  if (!*arrived)
    go_back(path, &s->turn);
  return status;
}

static bool has_many(const SlipiPath *path) {
  return path->nc >= CONTACTS;
}

/* All contacts that still have offsets: the shortest way, where it is not folded too often. */
static SlipStatus mend_together(Mend *s, double steps, bool *arrived, SlipError *error) {
  SlipiPath *path = &s->path;
  for (int32_t a = 0; a < path->nc; a++)
    path->in_turn[a] = path->portion[a] < 1;
  path->p = 0;
  slipi_path_evaluate(path);
  double before = path->offset;
  SlipStatus status = follow(s, steps, arrived, error);
  s->partial = has_many(path) && status == SLIP_OK && !*arrived &&
               path->offset_least <= PARTIAL * before &&
               slipi_norm(path->r_least, path->m) <= HUGE_IMPULSES;
  if (s->partial)
    slipi_path_go_to_least(path);
  return status;
}

static double offset_of(const SlipiPath *path, int32_t a) {
  const double *c = path->c + 3 * (int64_t)a;
  return sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
}

/* Contacts with offsets that count, one after the other: the folds of their curves add up, while
 * those of one curve for all multiply. */
static SlipStatus mend_one_by_one(Mend *s, double counting, SlipError *error) {
  SlipiPath *path = &s->path;
  SlipStatus status = SLIP_OK;
  double most = 0, work = 0, far = path->far;
  memset(path->in_turn, 0, (size_t)path->nc * sizeof *path->in_turn);
  for (int32_t a = 0; a < path->nc; a++)
    most = fmax(most, offset_of(path, a));
  path->far = FAR_ALONE;
  for (int32_t a = 0; a < path->nc && status == SLIP_OK && !slipi_is_stopped(&path->stop); a++) {
    bool arrived;
    if (path->portion[a] >= 1 || offset_of(path, a) < counting * most || !(work < WORK_MOST))
      continue;
    work += slipi_system_work(path->system);
    path->in_turn[a] = true;
    status = follow(s, has_many(path) ? STEPS_ONE_LARGE : STEPS_ONE, &arrived, error);
    path->in_turn[a] = false;
  }
  path->far = far;
  return status;
}

/* One by one, then those that are left together. */
static SlipStatus mend_in_passes(Mend *s, bool *arrived, SlipError *error) {
  SlipStatus status = SLIP_OK;
  *arrived = s->partial = false;
  for (int k = 0; k < PASSES && status == SLIP_OK && !*arrived && !s->partial; k++) {
    status = mend_one_by_one(s, counts[k], error);
    if (status == SLIP_OK)
      status = mend_together(s, s->steps, arrived, error);
  }
  return status;
}

/* ---- Rounds ---- */

static bool is_wedged(const SlipiPath *path) {
  return has_many(path) && slipi_norm(path->r, path->m) > WEDGED;
}

static bool is_large(const SlipiPath *path) {
  double large = is_wedged(path) ? LARGE_OF_WEDGED : LARGE;
  return slipi_norm(path->c, path->m) > large * slipi_norm(path->scaled->q, path->m);
}

/* The point is better than the one the round began at, or it goes back there. */
static bool is_progress(Mend *s, double before, double enough) {
  SlipiPath *path = &s->path;
  bool progress = slipi_norm(path->c, path->m) <= enough * before;
  if (!progress)
    go_back(path, &s->round);
  return progress;
}

static double alpha_of_offsets(const SlipiPath *path) {
  return ALPHA_OFFSET * slipi_norm(path->c, path->m) / sqrt((double)path->nc);
}

static double largest_offset(const SlipiPath *path) {
  double most = 0;
  for (int32_t a = 0; a < path->nc; a++)
    most = fmax(most, offset_of(path, a));
  return most;
}

/* Around the contacts with the largest offsets. */
static SlipStatus mend_parts(Mend *s, SlipError *error) {
  double most = largest_offset(&s->path);
  s->near.small = s->finely ? fmin(SLIPI_MEND_SMALL, SMALL_SHARE * most) : SLIPI_MEND_SMALL;
  s->path.apart = s->finely ? fmin(SLIPI_PATH_APART, APART_SHARE * most) : SLIPI_PATH_APART;
  return slipi_mend_near(&s->near, &s->path, &s->random, error);
}

/* Among neighbours, but for some rounds after one in which that did not help. */
static SlipStatus mend_among_neighbours(Mend *s, bool *progress, SlipError *error) {
  SlipiPath *path = &s->path;
  double before = slipi_norm(path->c, path->m);
  *progress = false;
  s->pause -= s->pause > 0;
  if (s->pause > 0)
    return SLIP_OK;
  SlipStatus status = mend_parts(s, error);
  *progress = s->near_last = is_progress(s, before, PROGRESS);
  s->pause = *progress ? 0 : PAUSE;
  s->alpha = fmin(s->alpha, alpha_of_offsets(path));
  return status;
}

/* Whether rounds have left the offsets as they were. */
static bool is_stalled(Mend *s, double offsets) {
  s->stalled = offsets <= STALLS * s->least ? 0 : s->stalled + 1;
  s->least = fmin(s->least, offsets);
  return s->stalled >= STALLED;
}

/* Away from where rounds have stalled: parts may leave larger offsets, and the next curves begin
 * with a compliance to match. */
static SlipStatus leave_stall(Mend *s, SlipError *error) {
  s->stalled = 0;
  s->least = INFINITY;
  s->near_last = true;
  SlipStatus status = mend_parts(s, error);
  s->alpha = fmin(ALPHA_FIRST, alpha_of_offsets(&s->path));
  return status;
}

/* Short curves of all contacts, with more and more compliance: which one is short is not known
 * before. */
static SlipStatus mend_soon(Mend *s, double before, bool *progress, SlipError *error) {
  SlipiPath *path = &s->path;
  SlipStatus status = SLIP_OK;
  double alpha = s->alpha;
  *progress = false;
  for (; s->alpha <= ALPHA_MOST && status == SLIP_OK && !slipi_is_stopped(&path->stop);
       s->alpha *= LADDER) {
    bool arrived;
    put_compliance(s);
    status = mend_together(s, s->soon, &arrived, error);
    if (status == SLIP_OK && (arrived || s->partial)) {
      take_offsets(s);
      *progress = is_progress(s, before, LARGER);
    }
    if (*progress) {
      s->alpha *= arrived ? ALPHA_FALL : 1;
      return status;
    }
    go_back(path, &s->round);
  }
  s->alpha = alpha;
  return status;
}

/* With compliance, along curves on which offsets vanish: all together, or else among neighbours, or
 * else one by one. What is left of the compliance are the next offsets. */
static SlipStatus mend_once(Mend *s, SlipError *error) {
  SlipiPath *path = &s->path;
  bool arrived = false, progress = false;
  double before = slipi_norm(path->c, path->m);
  SlipStatus status = SLIP_OK;
  s->near_last = false;
  if (has_many(path) && is_stalled(s, before))
    return leave_stall(s, error);
  keep(path, &s->round);
  if (has_many(path)) {
    status = mend_soon(s, before, &progress, error);
    if (status == SLIP_OK && progress && s->partial)
      keep(path, &s->round);
    if (status == SLIP_OK && (!progress || s->partial)) {
      bool near;
      status = mend_among_neighbours(s, &near, error);
      progress = progress || near;
    }
  } else {
    put_compliance(s);
    status = mend_together(s, s->steps, &arrived, error);
  }
  if (status != SLIP_OK || progress)
    return status;
  if (s->briefly && is_wedged(path) && is_large(path)) {
    s->missed++; /* long curves are for starts that are not */
    return status;
  }
  if (!arrived) {
    put_compliance(s);
    status = mend_in_passes(s, &arrived, error);
  }
  take_offsets(s);
  s->missed += !arrived;
  if (arrived) {
    s->alpha *= ALPHA_FALL;
  } else if (!is_progress(s, before, PROGRESS)) {
    s->failures++;
    s->alpha *= ALPHA_RISE;
    if (s->alpha > ALPHA_MOST)
      s->alpha = ALPHA_LEAST;
    s->steps *= LONGER;
    s->soon *= LONGER;
  }
  return status;
}

static bool is_mended(const SlipiPath *path, double tol) {
  double q = slipi_norm(path->scaled->q, path->m), r = slipi_norm(path->r, path->m);
  double enough = fmax(MENDED_LEAST, MENDED * tol);
  return slipi_norm(path->c, path->m) <= fmax(enough * q, MENDED_ROUNDING * r);
}

/* A start is left for another one where rounds fail; a first one sooner, where a round has not
 * arrived and offsets are large. */
static bool is_given_up(const Mend *s, int failures) {
  return s->failures > failures || (double)s->path.steps >= s->most ||
         (s->briefly && s->missed > 0 && is_large(&s->path));
}

/* The mu given, or this one where that is less. */
static void put_friction(Mend *s, const SlipiRun *run, const double *mu, double most) {
  SlipiPath *path = &s->path;
  for (int32_t a = 0; a < path->nc; a++)
    s->mu[a] = fmin(mu[a], most);
  slipi_path_roughen(path, run, s->mu);
  memcpy(path->kappa, path->least, (size_t)path->nc * sizeof *path->kappa);
}

static SlipStatus make(const SlipiRun *run, const double *mu, SlipiArena *arena, Mend *s,
                       SlipError *error) {
  SlipiPath *path = &s->path;
  slipi_random_seed(&s->random, 1);
  slipi_arena_reset(arena);
  SlipStatus status = slipi_path_create(run, arena, path, error);
  if (status != SLIP_OK)
    return status;
  make_point(path, arena, &s->best);
  make_point(path, arena, &s->round);
  make_point(path, arena, &s->turn);
  s->mu = SLIPI_ARENA_NEW(arena, double, path->nc);
  s->room = SLIPI_ARENA_NEW(arena, double, 4 * (int64_t)path->nc + 2 * (int64_t)path->m);
  if (arena->failed)
    return slipi_fail_memory(error, "a path of solutions");
  put_friction(s, run, mu, INFINITY);
  path->parameter = SLIPI_PATH_PORTION;
  path->target = 1;
  return SLIP_OK;
}

/* Rounds begin at a point with offsets. */
static void begin_rounds(Mend *s, double alpha) {
  s->alpha = alpha;
  s->soon = fmin(STEPS_SOON, fmax(STEPS_LEAST, WORK_SOON / slipi_system_work(s->path.system)));
  s->steps = STEPS_ALL;
  s->least = INFINITY;
  s->missed = s->failures = s->pause = s->stalled = 0;
}

/* Begin at path->r. */
static void begin(Mend *s) {
  begin_rounds(s, ALPHA_FIRST);
  slipi_path_settle(&s->path);
}

/* A solution with less friction becomes a point with the mu given: contacts that slide keep on
 * doing so, and have less normal impulse. */
static void begin_rougher(Mend *s, const SlipiRun *run, const double *mu) {
  put_friction(s, run, mu, INFINITY);
  s->path.apart = SLIPI_PATH_APART;
  s->finely = true;
  slipi_path_separate(&s->path);
  begin_rounds(s, fmin(ALPHA_FIRST, alpha_of_offsets(&s->path)));
}

/* Begin where nothing slips, with some compliance. */
static SlipStatus begin_stuck(Mend *s, double alpha, bool *found, SlipError *error) {
  SlipiPath *path = &s->path;
  memset(path->r_0, 0, (size_t)path->m * sizeof *path->r_0);
  for (int32_t a = 0; a < path->nc; a++)
    path->weight_first[a] = alpha * slipi_random_between(&s->random, 0.5, 2);
  SlipStatus status = slipi_stick_solve(path, s->room, found, error);
  begin(s);
  return status;
}

/* What neighbours leave are offsets of a few parts, however small: methods want those that a curve
 * of all leaves. Where rounds do not arrive the point is the one with the least offsets. */
static SlipStatus mend_rounds(Mend *s, const SlipiRun *run, int failures, bool *arrived,
                              SlipError *error) {
  SlipStatus status = SLIP_OK;
  double least = slipi_norm(s->path.c, s->path.m);
  keep(&s->path, &s->best);
  for (int k = 0; k < ROUNDS && status == SLIP_OK && !*arrived && !is_given_up(s, failures) &&
                  !slipi_is_stopped(&run->stop);
       k++) {
    status = mend_once(s, error);
    double offsets = slipi_norm(s->path.c, s->path.m);
    if (status == SLIP_OK && offsets < least) {
      keep(&s->path, &s->best);
      least = offsets;
    }
    *arrived = status == SLIP_OK && !s->near_last && is_mended(&s->path, run->tol);
  }
  if (!*arrived)
    go_back(&s->path, &s->best);
  return status;
}

/* A solution but for small offsets: until rounding, since (131) has those of contacts that slide
 * times their mu. A round that does not bring them down is taken back. */
static SlipStatus polish(Mend *s, SlipError *error) {
  SlipiPath *path = &s->path;
  SlipStatus status = SLIP_OK;
  double enough = POLISHED * slipi_norm(path->scaled->q, path->m);
  for (int k = 0; k < POLISHES && status == SLIP_OK && !slipi_is_stopped(&path->stop); k++) {
    bool arrived;
    double before = slipi_norm(path->c, path->m);
    if (before <= enough)
      break;
    keep(path, &s->round);
    s->alpha *= ALPHA_POLISH;
    put_compliance(s);
    status = mend_together(s, STEPS_SOON, &arrived, error);
    if (status == SLIP_OK && arrived)
      take_offsets(s);
    if (!arrived || !is_progress(s, before, STALLS)) {
      go_back(path, &s->round);
      break;
    }
  }
  return status;
}

static bool is_polished(const SlipiPath *path) {
  return slipi_norm(path->c, path->m) <= POLISHED_ENOUGH * slipi_norm(path->scaled->q, path->m);
}

/* The same, and among neighbours where a few contacts keep offsets: those of contacts that slide
 * are too large for (131), however small they are. */
static SlipStatus polish_parts(Mend *s, SlipError *error) {
  SlipiPath *path = &s->path;
  SlipStatus status = polish(s, error);
  s->finely = true;
  for (int k = 0; k < POLISHES_OF_PARTS && status == SLIP_OK && !is_polished(path) &&
                  !slipi_is_stopped(&path->stop);
       k++) {
    double before = slipi_norm(path->c, path->m);
    keep(path, &s->best);
    status = mend_parts(s, error);
    s->alpha = fmin(ALPHA_FIRST, alpha_of_offsets(path)) / ALPHA_POLISH;
    if (status == SLIP_OK)
      status = polish(s, error);
    double after = slipi_norm(path->c, path->m);
    if (status != SLIP_OK || !(after <= before))
      go_back(path, &s->best);
    if (!(after <= STALLS * before))
      break;
  }
  return status;
}

/* A part, from where nothing slips. */
static SlipStatus mend_anew(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                            bool *arrived, SlipError *error) {
  Mend s = {.path = {.alone = -1}, .most = STEPS_ANEW};
  *arrived = false;
  SlipStatus status = make(run, mu, arena, &s, error);
  for (int k = 0; k < STARTS_ANEW && status == SLIP_OK && !*arrived; k++) {
    bool found;
    status = begin_stuck(&s, alphas_anew[k], &found, error);
    if (status == SLIP_OK && found)
      status = mend_rounds(&s, run, FAILURES_ANEW, arrived, error);
  }
  if (*arrived)
    slipi_scaled_back(s.path.scaled, s.path.r, r);
  return status;
}

/* A trial of many contacts may leave r = 0, or impulses of contacts that are wedged: rounds from
 * there would only take the time of the next start. */
static bool is_a_start(const SlipiPath *path) {
  double size = slipi_norm(path->r, path->m);
  return !has_many(path) || (size > NO_IMPULSES && size <= HUGE_IMPULSES);
}

static bool is_rougher(const SlipiPath *path, const double *mu) {
  double most = 0;
  for (int32_t a = 0; a < path->nc; a++)
    most = fmax(most, mu[a]);
  return has_many(path) && most > LESS_FRICTION;
}

/* From path->r, with the mu given or less. */
static SlipStatus mend_from(Mend *s, const SlipiRun *run, bool *arrived, SlipError *error) {
  SlipStatus status = SLIP_OK;
  begin(s);
  if (!s->briefly || is_a_start(&s->path))
    status = mend_rounds(s, run, FAILURES, arrived, error);
  return status == SLIP_OK && *arrived ? polish_parts(s, error) : status;
}

/* By way of a solution with less friction. */
static SlipStatus mend_rougher(Mend *s, const SlipiRun *run, const double *mu, bool *arrived,
                               SlipError *error) {
  put_friction(s, run, mu, LESS_FRICTION);
  SlipStatus status = mend_from(s, run, arrived, error);
  if (status != SLIP_OK || !*arrived)
    return status;
  *arrived = false;
  begin_rougher(s, run, mu);
  status = mend_rounds(s, run, FAILURES, arrived, error);
  return status == SLIP_OK && *arrived ? polish_parts(s, error) : status;
}

static SlipStatus mend(const SlipiRun *run, const double *mu, SlipiArena *arena, Manner manner,
                       double *r, bool *arrived, SlipError *error) {
  Mend s = {.path = {.alone = -1},
            .near = {.solve = mend_anew},
            .most = INFINITY,
            .briefly = manner != AT_LENGTH};
  *arrived = false;
  if (!slipi_path_treats(run))
    return SLIP_OK;
  SlipStatus status = make(run, mu, arena, &s, error);
  if (status == SLIP_OK)
    status = slipi_mend_near_create(run, s.mu, arena, &s.near, error);
  bool rougher = status == SLIP_OK && manner != BRIEFLY && is_rougher(&s.path, mu);
  if (status == SLIP_OK && (rougher || manner != BRIEFLY_LESS)) {
    slipi_scaled_to(s.path.scaled, r, s.path.r);
    status =
        rougher ? mend_rougher(&s, run, mu, arrived, error) : mend_from(&s, run, arrived, error);
    slipi_scaled_back(s.path.scaled, s.path.r, r);
  }
  slipi_mend_near_destroy(&s.near);
  return status;
}

SlipStatus slipi_mend(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                      bool *arrived, SlipError *error) {
  return mend(run, mu, arena, AT_LENGTH, r, arrived, error);
}

SlipStatus slipi_mend_briefly(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                              bool *arrived, SlipError *error) {
  return mend(run, mu, arena, BRIEFLY, r, arrived, error);
}

SlipStatus slipi_mend_by_less(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                              bool *arrived, SlipError *error) {
  return mend(run, mu, arena, BRIEFLY_LESS, r, arrived, error);
}
