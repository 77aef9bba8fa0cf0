#include "methods/common_mend_near.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

/* Ways to mend around one contact, in turn: the compliance of how many contacts, whether only the
 * one loses its offset, or whether the part forgets its point and is solved from another start. */
typedef struct Way {
  double alpha;
  int32_t size;
  bool alone, anew;
} Way;
static const Way ways[] = {{1e-2, 40, false, false}, {1e-2, 40, true, false},
                           {1e-2, 80, true, false},  {0.1, 120, true, false},
                           {1e-3, 40, true, false},  {1, 40, true, false},
                           {0, 40, false, true},     {0, 80, false, true}};
enum { WAYS = sizeof ways / sizeof ways[0], FIRST_ANEW = WAYS - SLIPI_MEND_SIZES };
/* Steps along a curve: so many, and more where a few contacts are alone in the world and steps cost
 * next to nothing. */
enum { STEPS = 15, STEPS_OF_ONE = 1600 };
/* As in methods/common_mend.c. */
static const double LEFT = 0.1;
/* A step may make the offsets larger by this, since those it leaves are spread out; but after every
 * WINDOW of them, and one for each CONTACTS_A_WINDOW contacts, they must be down to PROGRESS. */
static const double LARGER = 1.5, PROGRESS = 0.85;
enum { WINDOW = 60, CONTACTS_A_WINDOW = 4 };
/* Two parts may hand an offset to and fro for ever: after so many visits of a contact it is the
 * turn of the next way, though this one arrives. */
enum { VISITS = 5 };
/* A part that is begun anew may make offsets and impulses larger by this, and so many may be. */
static const double LARGER_ANEW = 30;
enum { ANEW_MOST = 20, PAUSE_MOST = 100 };
SlipStatus slipi_mend_near_create(const SlipiRun *run, const double *mu, SlipiArena *arena,
                                  SlipiMendNear *near, SlipError *error) {
  int64_t m = 3 * (int64_t)run->nc;
  near->run = run;
  near->small = SLIPI_MEND_SMALL;
  near->mu = mu;
  SlipStatus status = slipi_part_create(run->op, arena, &near->part, error);
  if (status != SLIP_OK)
    return status;
  near->r = SLIPI_ARENA_NEW(arena, double, m);
  near->dr = SLIPI_ARENA_NEW(arena, double, m);
  near->c = SLIPI_ARENA_NEW(arena, double, m);
  near->mu_part = SLIPI_ARENA_NEW(arena, double, run->nc);
  near->r_part = SLIPI_ARENA_NEW(arena, double, m);
  near->failed = SLIPI_ARENA_NEW(arena, int, run->nc);
  near->visited = SLIPI_ARENA_NEW(arena, int, run->nc);
  return arena->failed ? slipi_fail_memory(error, "a part of a path of solutions") : SLIP_OK;
}

void slipi_mend_near_destroy(SlipiMendNear *near) {
  slipi_part_destroy(&near->part);
  slipi_arena_free(&near->arena);
  slipi_arena_free(&near->inner);
}

/* ---- The part ---- */

static int64_t in_whole(const SlipiMendNear *near, int32_t k) {
  return 3 * (int64_t)near->part.contact[k / 3] + k % 3;
}

/* The units of a contact differ by one factor for all contacts: another q has been made 1. */
static void find_units(SlipiMendNear *near, const SlipiPath *whole) {
  const SlipiScaled *part = near->path.scaled;
  near->impulses = near->velocities = 1;
  for (int32_t k = 0; k < near->path.m; k++) {
    int64_t at = in_whole(near, k);
    if (!(part->a[k] > 0) || !(part->b[k] > 0))
      continue;
    near->impulses = whole->scaled->a[at] / part->a[k];
    near->velocities = whole->scaled->b[at] / part->b[k];
    return;
  }
}

static SlipiRun run_of_part(const SlipiMendNear *near) {
  const SlipiPart *part = &near->part;
  SlipiRun run = *near->run;
  run.nc = part->nc;
  run.m = part->m;
  run.op = part->op;
  run.law = part->problem.law;
  run.q = part->q;
  return run;
}

/* The problem of some contacts around one, at their point of the whole. */
static SlipStatus take_part(SlipiMendNear *near, const SlipiPath *whole, int32_t contact,
                            int32_t size, SlipError *error) {
  SlipiPart *part = &near->part;
  SlipiPath *path = &near->path;
  slipi_part_choose(part, contact, size);
  slipi_scaled_back(whole->scaled, whole->r, near->r);
  SlipStatus status = slipi_part_fill(part, near->run->law, near->run->q, near->r, error);
  if (status != SLIP_OK)
    return status;
  SlipiRun run = run_of_part(near);
  slipi_arena_reset(&near->arena);
  *path = (SlipiPath){.alone = -1, .parameter = SLIPI_PATH_PORTION, .target = 1};
  status = slipi_path_create(&run, &near->arena, path, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t a = 0; a < path->nc; a++)
    near->mu_part[a] = near->mu[part->contact[a]];
  slipi_path_roughen(path, &run, near->mu_part);
  memcpy(path->kappa, path->least, (size_t)path->nc * sizeof *path->kappa);
  find_units(near, whole);
  for (int32_t k = 0; k < path->m; k++) {
    int64_t at = in_whole(near, k);
    path->r[k] = near->impulses * whole->r[at];
    path->c[k] = near->velocities * whole->c[at];
    path->status[k / 3] = whole->status[at / 3];
  }
  path->apart = whole->apart;
  slipi_path_separate(path);
  return SLIP_OK;
}

/* The offsets of the whole after the part's step, into near->c; returns their norm. */
static double find_offsets(SlipiMendNear *near, const SlipiPath *whole) {
  const SlipiPath *path = &near->path;
  memset(near->dr, 0, (size_t)whole->m * sizeof *near->dr);
  for (int32_t k = 0; k < path->m; k++)
    near->dr[in_whole(near, k)] = path->r[k] / near->impulses - whole->r[in_whole(near, k)];
  slipi_bsr_multiply(&whole->scaled->W, near->dr, near->c, NULL);
  for (int32_t k = 0; k < whole->m; k++)
    near->c[k] = whole->c[k] - near->c[k];
  for (int32_t k = 0; k < path->m; k++) {
    double p = path->portion[k / 3];
    double before = path->c[k] + path->weight_first[k / 3] * (path->r[k] - path->r_0[k]);
    double after = path->weight_last[k / 3] * (path->r[k] - path->r_1[k]);
    near->c[in_whole(near, k)] = ((1 - p) * before + p * after) / near->velocities;
  }
  return slipi_norm(near->c, whole->m);
}

static void put_back(const SlipiMendNear *near, SlipiPath *whole) {
  memcpy(whole->c, near->c, (size_t)whole->m * sizeof *whole->c);
  for (int32_t k = 0; k < near->path.m; k++) {
    int64_t at = in_whole(near, k);
    whole->r[at] += near->dr[at];
    whole->status[at / 3] = near->path.status[k / 3];
  }
}

/* ---- Steps ---- */

/* Impulses of the whole after the part's step. */
static double impulses_after(const SlipiMendNear *near, const SlipiPath *whole) {
  double square = 0;
  for (int32_t k = 0; k < whole->m; k++)
    square += (whole->r[k] + near->dr[k]) * (whole->r[k] + near->dr[k]);
  return sqrt(square);
}

/* Where no curve from its point arrives, the part is solved from another start: its solution may be
 * far from the point, and leaves larger offsets, of other contacts. */
static SlipStatus begin_anew(SlipiMendNear *near, SlipiPath *whole, int32_t contact, int32_t size,
                             bool *arrived, SlipError *error) {
  SlipiPath *path = &near->path;
  *arrived = false;
  if (!near->solve || near->anew >= ANEW_MOST)
    return SLIP_OK;
  SlipStatus status = take_part(near, whole, contact, size, error);
  if (status != SLIP_OK)
    return status;
  SlipiRun run = run_of_part(near);
  status = near->solve(&run, near->mu_part, &near->inner, near->r_part, arrived, error);
  if (status == SLIP_OK && *arrived)
    status = take_part(near, whole, contact, size, error);
  if (status != SLIP_OK || !*arrived)
    return status;
  slipi_scaled_to(path->scaled, near->r_part, path->r);
  slipi_path_settle(path);
  *arrived = find_offsets(near, whole) <= LARGER_ANEW * slipi_norm(whole->c, whole->m) &&
             impulses_after(near, whole) <= LARGER_ANEW * slipi_norm(whole->r, whole->m);
  if (*arrived)
    put_back(near, whole);
  near->anew++;
  return SLIP_OK;
}

/* Begin a part anew, or pass it over: a part that is not solved costs most of all, and
 * where one is not, others of its size are not either. Twice as many are passed over each time. */
static SlipStatus begin_anew_at_times(SlipiMendNear *near, SlipiPath *whole, int32_t contact,
                                      int way, bool *arrived, SlipError *error) {
  int *pause = &near->pause[way - FIRST_ANEW], *left = &near->left[way - FIRST_ANEW];
  *arrived = false;
  if (*left > 0) {
    --*left;
    return SLIP_OK;
  }
  SlipStatus status = begin_anew(near, whole, contact, ways[way].size, arrived, error);
  *pause = *arrived ? 0 : *pause < PAUSE_MOST ? 2 * *pause + 1 : *pause;
  *left = *pause;
  return status;
}

/* Offsets within the part vanish along one curve. */
static SlipStatus mend_around(SlipiMendNear *near, SlipiPath *whole, int32_t contact,
                              SlipiRandom *random, bool *arrived, SlipError *error) {
  const Way *way = &ways[near->failed[contact]];
  SlipiPath *path = &near->path;
  near->visited[contact]++;
  if (way->anew)
    return begin_anew_at_times(near, whole, contact, near->failed[contact], arrived, error);
  *arrived = false;
  SlipStatus status = take_part(near, whole, contact, way->size, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t a = 0; a < path->nc; a++) {
    path->weight_first[a] = way->alpha * slipi_random_between(random, 0.5, 1.5);
    path->weight_last[a] = LEFT * path->weight_first[a];
    path->in_turn[a] = !way->alone || near->part.contact[a] == contact;
  }
  memcpy(path->r_1, path->r, (size_t)path->m * sizeof *path->r);
  status = slipi_path_follow(path, 0, STEPS + STEPS_OF_ONE / path->nc, arrived, error);
  if (status != SLIP_OK || !*arrived)
    return status;
  *arrived = find_offsets(near, whole) <= LARGER * slipi_norm(whole->c, whole->m);
  if (*arrived)
    put_back(near, whole);
  return SLIP_OK;
}

/* The contact with the largest offset of those that some way is left for, or -1. */
static int32_t find_worst(const SlipiMendNear *near, const SlipiPath *whole) {
  double most = near->small * near->small;
  int32_t worst = -1;
  for (int32_t a = 0; a < whole->nc; a++) {
    const double *c = whole->c + 3 * (int64_t)a;
    double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    if (near->failed[a] >= WAYS || !(square > most))
      continue;
    most = square;
    worst = a;
  }
  return worst;
}

/* A way around the contact has been tried: which ones are left for it and for its neighbours, which
 * are elsewhere now where it has arrived. */
static void count_way(SlipiMendNear *near, int32_t contact, bool arrived) {
  near->failed[contact] += !arrived || near->visited[contact] % VISITS == 0;
  for (int32_t k = 0; arrived && k < near->part.nc; k++) {
    int32_t a = near->part.contact[k];
    near->failed[a] -= near->failed[a] > near->visited[a] / VISITS && near->failed[a] < WAYS;
  }
}

SlipStatus slipi_mend_near(SlipiMendNear *near, SlipiPath *whole, SlipiRandom *random,
                           SlipError *error) {
  SlipStatus status = SLIP_OK;
  double start = slipi_norm(whole->c, whole->m);
  int32_t window = WINDOW + whole->nc / CONTACTS_A_WINDOW;
  int anew = near->anew = 0;
  memset(near->pause, 0, sizeof near->pause);
  memset(near->left, 0, sizeof near->left);
  memset(near->failed, 0, (size_t)whole->nc * sizeof *near->failed);
  memset(near->visited, 0, (size_t)whole->nc * sizeof *near->visited);
  for (int k = 1; status == SLIP_OK && !slipi_is_stopped(&whole->stop); k++) {
    int32_t worst = find_worst(near, whole);
    bool arrived;
    if (worst < 0)
      break;
    if (near->anew > anew || k % window == 0) {
      double now = slipi_norm(whole->c, whole->m);
      if (near->anew == anew && !(now <= PROGRESS * start))
        break;
      start = now;
      k = near->anew > anew ? 1 : k;
      anew = near->anew;
    }
    status = mend_around(near, whole, worst, random, &arrived, error);
    count_way(near, worst, arrived);
  }
  return status;
}
