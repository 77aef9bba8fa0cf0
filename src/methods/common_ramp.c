#include "methods/common_ramp.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "linalg/vector.h"
#include "methods/common_path.h"
#include "methods/common_stick.h"

/* Ways to try, in turn. One contact after the other, the rest of them at once, is the shortest
 * where contacts have little to do with each other; all together is better for walls. A large alpha
 * makes curves short and the ways to the next centres long. */
typedef struct Attempt {
  bool one_by_one;
  double alpha;
} Attempt;
static const Attempt attempts[] = {{true, 1e-4}, {false, 0.01}, {false, 0.1}, {false, 1e-4}};
enum { ATTEMPTS = sizeof attempts / sizeof attempts[0] };

/* Most steps along the curve of one contact, of some, of all, and to a new centre. */
enum {
  STEPS_ONE = 200,
  STEPS_SOME = 300,
  STEPS_ALL = 1500,
  STEPS_CENTRE = 100,
  STEPS_AGAIN = 1000
};
/* So many contacts that do not arrive, and an attempt to raise one by one is given up. */
enum { LOST_MOST = 5 };
/* Rounds of centring contact by contact: the first may leave one contact in so many, each other one
 * this share of what the one before has left. */
enum { ROUNDS = 6, ROUND_LOST = 8 };
static const double ROUND_FALL = 0.8;
/* Centres: alpha falls by this factor, until u differs by so little from W r + q. */
enum { CENTRES = 25 };
static const double ALPHA_FALL = 0.1, CENTRED = 1e-12;
/* Contacts that are wedged between each other may end with impulses that leave no digits of the
 * velocities; most other solutions have norms of 10 to 1000. */
static const double HUGE_IMPULSES = 1e5;

/* Curves that begin where nothing slips, in the order in which they are tried. Large compliances
 * make the way to Coulomb's law short, and the one to no compliance long. Around r = 0 they belong
 * to the problem in which nothing slips as well; around its solution they hold the impulses of
 * that, among which are some that make contacts stick. Taking compliance from one contact after the
 * other takes longest. */
typedef struct Stuck {
  double alpha;
  bool around_solution, one_by_one;
} Stuck;
static const Stuck starts[] = {{1e-4, true, false},  {1e-2, false, false}, {1e-3, false, false},
                               {6e-2, false, false}, {1e-4, false, false}, {1e-2, false, true},
                               {1e-3, false, true},  {3e-2, false, true}};
enum { STARTS = sizeof starts / sizeof starts[0] };
/* What takes the place of compliance in the first problem where that has none. */
static const double FIRM = 1e-8;

typedef struct Ramp {
  SlipiPath path;
  const Attempt *attempt;
  double *room; /* of the problem in which nothing slips */
  double *kappa_first, *r_first;
  /* A point to go back to. */
  double *r, *kappa, *portion;
  SlipiPathStatus *status;
} Ramp;

static void copy_point(Ramp *s, bool back) {
  SlipiPath *path = &s->path;
  size_t m = (size_t)path->m * sizeof *path->r, nc = (size_t)path->nc;
  memcpy(back ? path->r : s->r, back ? s->r : path->r, m);
  memcpy(back ? path->kappa : s->kappa, back ? s->kappa : path->kappa, nc * sizeof *s->kappa);
  memcpy(back ? path->portion : s->portion, back ? s->portion : path->portion,
         nc * sizeof *s->portion);
  memcpy(back ? path->status : s->status, back ? s->status : path->status, nc * sizeof *s->status);
}

/* Follow the curve from p on; where it does not arrive, the point stays. */
static SlipStatus follow(Ramp *s, double p, double direction, int steps, bool *arrived,
                         SlipError *error) {
  copy_point(s, false);
  s->path.p = p;
  SlipStatus status = slipi_path_follow(&s->path, direction, steps, arrived, error);
  if (!*arrived)
    copy_point(s, true);
  return status;
}

static void put_alone_in_turn(SlipiPath *path, int32_t a) {
  memset(path->in_turn, 0, (size_t)path->nc * sizeof *path->in_turn);
  path->in_turn[a] = true;
  path->most[a] = INFINITY;
  path->alone = a;
}

/* ---- Less kappa ---- */

/* The contacts in turn, which have one kappa. Both ways along the curve from here may lead there.
 */
static SlipStatus lower(Ramp *s, double kappa, double least, int steps, bool *arrived,
                        SlipError *error) {
  s->path.target = least;
  SlipStatus status = follow(s, kappa, -1, steps, arrived, error);
  if (status == SLIP_OK && !*arrived)
    status = follow(s, kappa, 1, steps, arrived, error);
  return status;
}

/* One sliding contact after the other; those that do not arrive are left. */
static SlipStatus lower_one_by_one(Ramp *s, int *lost, SlipError *error) {
  SlipiPath *path = &s->path;
  SlipStatus status = SLIP_OK;
  *lost = 0;
  for (int32_t a = 0; a < path->nc && status == SLIP_OK && *lost <= LOST_MOST; a++) {
    bool arrived = path->status[a] != SLIPI_PATH_SLIDE;
    if (path->kappa[a] <= path->least[a])
      continue;
    put_alone_in_turn(path, a);
    if (!arrived)
      status = lower(s, path->kappa[a], path->least[a], STEPS_ONE, &arrived, error);
    path->kappa[a] = arrived ? path->least[a] : path->kappa[a];
    *lost += !arrived;
  }
  return status;
}

/* All contacts whose kappa is not down yet at once. */
static SlipStatus lower_together(Ramp *s, int steps, bool *arrived, SlipError *error) {
  SlipiPath *path = &s->path;
  double least = INFINITY, kappa = 0;
  path->alone = -1;
  for (int32_t a = 0; a < path->nc; a++) {
    path->in_turn[a] = path->kappa[a] > path->least[a];
    least = path->in_turn[a] ? fmin(least, path->least[a]) : least;
    kappa = path->in_turn[a] ? fmax(kappa, path->kappa[a]) : kappa;
  }
  for (int32_t a = 0; a < path->nc; a++) /* those that are ahead wait for the others */
    path->most[a] = path->kappa[a] < kappa ? path->kappa[a] : INFINITY;
  *arrived = !(kappa > 0);
  return *arrived ? SLIP_OK : lower(s, kappa, least, steps, arrived, error);
}

static SlipStatus lower_all(Ramp *s, bool *arrived, SlipError *error) {
  SlipiPath *path = &s->path;
  int lost = 0;
  path->parameter = SLIPI_PATH_KAPPA;
  *arrived = false;
  if (!s->attempt->one_by_one)
    return lower_together(s, STEPS_ALL, arrived, error);
  SlipStatus status = lower_one_by_one(s, &lost, error);
  if (status != SLIP_OK || lost > LOST_MOST)
    return status;
  for (int32_t a = 0; a < path->nc; a++) { /* they may have stopped sliding since */
    if (path->status[a] != SLIPI_PATH_SLIDE)
      path->kappa[a] = path->least[a];
  }
  return lower_together(s, STEPS_SOME, arrived, error);
}

/* ---- New centres ---- */

static SlipStatus centre_together(Ramp *s, int steps, bool *arrived, SlipError *error) {
  SlipiPath *path = &s->path;
  path->alone = -1;
  for (int32_t a = 0; a < path->nc; a++)
    path->in_turn[a] = path->portion[a] < 1;
  return follow(s, 0, 1, steps, arrived, error);
}

/* Contacts that are not at the new centre yet, one after the other, in rounds to and fro while
 * these bring many there: what is in the way of one may be gone after others. */
static SlipStatus centre_one_by_one(Ramp *s, bool *all, SlipError *error) {
  SlipiPath *path = &s->path;
  SlipStatus status = SLIP_OK;
  int32_t lost = path->nc, before = path->nc;
  for (int round = 0; round < ROUNDS && lost > 0 && lost <= before && status == SLIP_OK; round++) {
    before = round == 0 ? path->nc / ROUND_LOST : (int32_t)(lost * ROUND_FALL);
    lost = 0;
    for (int32_t k = 0; k < path->nc && status == SLIP_OK; k++) {
      int32_t a = round % 2 == 0 ? k : path->nc - 1 - k;
      bool arrived = false;
      if (path->portion[a] >= 1)
        continue;
      put_alone_in_turn(path, a);
      if (!slipi_is_stopped(&path->stop))
        status = follow(s, 0, 1, STEPS_ONE, &arrived, error);
      lost += !arrived;
    }
  }
  *all = status == SLIP_OK && lost == 0;
  return status;
}

/* The next centre is r, with less alpha. */
static void aim_at_centre(Ramp *s) {
  SlipiPath *path = &s->path;
  memcpy(path->r_1, path->r, (size_t)path->m * sizeof *path->r);
  for (int32_t a = 0; a < path->nc; a++)
    path->weight_last[a] = ALPHA_FALL * path->weight_first[a];
}

/* The path has arrived at it. */
static void take_centre(Ramp *s) {
  SlipiPath *path = &s->path;
  size_t bytes = (size_t)path->m * sizeof *path->r;
  memcpy(path->r_0, path->r_1, bytes);
  memcpy(path->weight_first, path->weight_last, (size_t)path->nc * sizeof *path->weight_first);
  memset(path->c, 0, bytes);
  memset(path->portion, 0, (size_t)path->nc * sizeof *path->portion);
}

/* From the centre r_0 with alpha to one at r with less. */
static SlipStatus centre(Ramp *s, bool *arrived, SlipError *error) {
  SlipiPath *path = &s->path;
  aim_at_centre(s);
  path->parameter = SLIPI_PATH_PORTION;
  path->target = 1;
  SlipStatus status = centre_together(s, STEPS_CENTRE, arrived, error);
  if (status == SLIP_OK && !*arrived)
    status = centre_one_by_one(s, arrived, error);
  if (status == SLIP_OK && !*arrived)
    status = centre_together(s, STEPS_AGAIN, arrived, error);
  if (status == SLIP_OK && *arrived)
    take_centre(s);
  return status;
}

/* How far u is from W r + q. */
static double off_centre(const SlipiPath *path) {
  double most = 0;
  for (int32_t k = 0; k < path->m; k++)
    most = fmax(most, path->weight_first[k / 3] * fabs(path->r[k] - path->r_0[k]));
  return most;
}

/* ---- All of it ---- */

static SlipStatus try_once(Ramp *s, bool *arrived, SlipError *error) {
  SlipiPath *path = &s->path;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  memcpy(path->r, s->r_first, (size_t)path->m * sizeof *path->r);
  for (int32_t a = 0; a < path->nc; a++) {
    path->kappa[a] = s->kappa_first[a];
    path->weight_first[a] = s->attempt->alpha * slipi_random_between(&random, 0.5, 1.5);
  }
  slipi_path_settle(path);
  SlipStatus status = lower_all(s, arrived, error);
  for (int k = 0; k < CENTRES && status == SLIP_OK && *arrived; k++) {
    status = centre(s, arrived, error);
    if (off_centre(path) <= CENTRED)
      break;
  }
  return status;
}

/* ---- From where nothing slips ---- */

/* Most steps to Coulomb's law and to a new centre: ways that arrive are shorter. */
static int flow_steps(const SlipiPath *path) {
  return path->nc + 300;
}

static int centre_steps(const SlipiPath *path) {
  return path->nc / 3 + 100;
}

/* The solution without slip, phi = 0. */
static SlipStatus begin_stuck(Ramp *s, const Stuck *from, SlipiRandom *random, bool *found,
                              SlipError *error) {
  SlipiPath *path = &s->path;
  memset(path->r_0, 0, (size_t)path->m * sizeof *path->r_0);
  for (int32_t a = 0; a < path->nc; a++) {
    path->in_turn[a] = path->scaled->law[a].mu > 0;
    path->kappa[a] = path->least[a];
    path->flow[a] = path->in_turn[a] ? 0 : 1;
    path->weight_last[a] = from->alpha * slipi_random_between(random, 0.5, 2);
    path->weight_first[a] = from->around_solution ? FIRM : path->weight_last[a];
  }
  SlipStatus status = slipi_stick_solve(path, s->room, found, error);
  if (status != SLIP_OK || !*found)
    return status;
  slipi_path_settle(path);
  memcpy(path->weight_first, path->weight_last, (size_t)path->nc * sizeof *path->weight_first);
  if (from->around_solution)
    return SLIP_OK;
  for (int32_t k = 0; k < path->m; k++)
    path->c[k] -= path->weight_first[k / 3] * path->r[k];
  memset(path->r_0, 0, (size_t)path->m * sizeof *path->r_0);
  return SLIP_OK;
}

/* Less and less compliance, as in try_once. */
static SlipStatus lose_compliance(Ramp *s, bool one_by_one, bool *arrived, SlipError *error) {
  SlipiPath *path = &s->path;
  SlipStatus status = SLIP_OK;
  path->parameter = SLIPI_PATH_PORTION;
  path->target = 1;
  for (int k = 0; k < CENTRES && status == SLIP_OK && *arrived; k++) {
    aim_at_centre(s);
    status = centre_together(s, centre_steps(path), arrived, error);
    if (status == SLIP_OK && !*arrived && one_by_one)
      status = centre_one_by_one(s, arrived, error);
    if (status != SLIP_OK || !*arrived)
      break;
    take_centre(s);
    *arrived = slipi_norm(path->r, path->m) <= HUGE_IMPULSES;
    if (off_centre(path) <= CENTRED)
      break;
  }
  return status;
}

static SlipStatus try_from_stuck(Ramp *s, const Stuck *from, SlipiRandom *random, bool *arrived,
                                 SlipError *error) {
  SlipiPath *path = &s->path;
  *arrived = false;
  SlipStatus status = begin_stuck(s, from, random, arrived, error);
  if (status != SLIP_OK || !*arrived)
    return status;
  path->parameter = SLIPI_PATH_FLOW;
  path->target = 1;
  path->alone = -1;
  status = follow(s, 0, 1, flow_steps(path), arrived, error);
  return status == SLIP_OK && *arrived ? lose_compliance(s, from->one_by_one, arrived, error)
                                       : status;
}

/* ---- Room ---- */

static SlipStatus make(const SlipiRun *run, const double *mu, SlipiArena *arena, const double *r,
                       Ramp *s, SlipError *error) {
  SlipiPath *path = &s->path;
  SlipStatus status = slipi_path_create(run, arena, path, error);
  if (status != SLIP_OK)
    return status;
  s->kappa_first = SLIPI_ARENA_NEW(arena, double, path->nc);
  s->r_first = SLIPI_ARENA_NEW(arena, double, path->m);
  s->r = SLIPI_ARENA_NEW(arena, double, path->m);
  s->kappa = SLIPI_ARENA_NEW(arena, double, path->nc);
  s->portion = SLIPI_ARENA_NEW(arena, double, path->nc);
  s->status = SLIPI_ARENA_NEW(arena, SlipiPathStatus, path->nc);
  s->room = SLIPI_ARENA_NEW(arena, double, 4 * (int64_t)path->nc + 2 * (int64_t)path->m);
  if (arena->failed)
    return slipi_fail_memory(error, "a path of solutions");
  slipi_path_roughen(path, run, mu);
  memcpy(s->kappa_first, path->kappa, (size_t)path->nc * sizeof *path->kappa);
  slipi_scaled_to(path->scaled, r, s->r_first);
  return SLIP_OK;
}

/* The point that a curve has arrived at. */
static SlipStatus hand_over(Ramp *s, double *r, SlipError *error) {
  SlipStatus status = slipi_path_refine(&s->path, error);
  if (status == SLIP_OK)
    slipi_scaled_back(s->path.scaled, s->path.r, r);
  return status;
}

SlipStatus slipi_ramp(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                      bool *arrived, SlipError *error) {
  Ramp s = {.attempt = NULL};
  *arrived = false;
  if (run->nc > SLIPI_RAMP_CONTACTS || !slipi_path_treats(run))
    return SLIP_OK;
  slipi_arena_reset(arena);
  SlipStatus status = make(run, mu, arena, r, &s, error);
  for (int k = 0; k < ATTEMPTS && status == SLIP_OK && !*arrived && !slipi_is_stopped(&run->stop);
       k++) {
    s.attempt = &attempts[k];
    status = try_once(&s, arrived, error);
  }
  return status == SLIP_OK && *arrived ? hand_over(&s, r, error) : status;
}

SlipStatus slipi_ramp_from_stuck(const SlipiRun *run, const double *mu, SlipiArena *arena,
                                 double *r, bool *arrived, SlipError *error) {
  Ramp s = {.attempt = NULL};
  SlipiRandom random;
  *arrived = false;
  if (!slipi_path_treats(run))
    return SLIP_OK;
  slipi_random_seed(&random, 1);
  slipi_arena_reset(arena);
  SlipStatus status = make(run, mu, arena, r, &s, error);
  for (int k = 0; k < STARTS && status == SLIP_OK && !*arrived && !slipi_is_stopped(&run->stop);
       k++)
    status = try_from_stuck(&s, &starts[k], &random, arrived, error);
  return status == SLIP_OK && *arrived ? hand_over(&s, r, error) : status;
}
