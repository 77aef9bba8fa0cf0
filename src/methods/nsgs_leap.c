#include "methods/nsgs_leap.h"

#include <math.h>
#include <string.h>

#include "contact/residual.h"
#include "contact/rolling.h"

/* Two windows agree where the cosine between their movements is at least this, and the second one
 * is neither much shorter, as where sweeps converge, nor very much longer. */
static const double COSINE = 0.8, SHORTER = 0.8, LONGER = 3;
/* An error that has fallen to this share of the one a window before gets ahead without leaps. */
static const double FALLEN = 0.8;
/* A leap is so many times as long as the last one where sweeps agreed again within so many windows
 * after that, and else so many times shorter. */
static const double GROWTH = 4, SHRINKING = 16;
enum { SETTLED = 5 };

void slipi_leaps_create(SlipiRun *run, SlipiLeaps *leaps) {
  leaps->from = SLIPI_ARENA_RAW(run->arena, double, run->m);
  leaps->along = SLIPI_ARENA_RAW(run->arena, double, run->m);
}

void slipi_leaps_start(SlipiLeaps *leaps) {
  leaps->error = INFINITY;
  leaps->square = 0;
  leaps->windows = 1;
  leaps->settling = 0;
}

/* Keep the movement of this window in place of that before; whether the two agree. */
static bool drifts(const SlipiRun *run, const SlipiOneContact *one, SlipiLeaps *leaps) {
  double product = 0, square = 0, size = 0, before = leaps->square;
  for (int32_t a = 0; a < run->nc; a++) {
    double both = 0, own = 0, r = 0;
    for (int32_t k = a * run->d; k < (a + 1) * run->d; k++) {
      double moved = run->r[k] - leaps->from[k];
      both += moved * leaps->along[k];
      own += moved * moved;
      r += run->r[k] * run->r[k];
      leaps->along[k] = moved;
    }
    product += one[a].scale * both;
    square += one[a].scale * own;
    size += one[a].scale * r;
  }
  leaps->square = square;
  leaps->most = sqrt(size / square);
  return product > COSINE * sqrt(square * before) && square > SHORTER * SHORTER * before &&
         square < LONGER * LONGER * before;
}

static void leap(SlipiRun *run, SlipiLeaps *leaps) {
  bool settled = leaps->settling <= SETTLED;
  double windows = settled ? GROWTH * leaps->windows : fmax(1, leaps->windows / SHRINKING);
  leaps->windows = fmin(windows, leaps->most);
  leaps->settling = 0;
  for (int32_t k = 0; k < run->m; k++)
    run->r[k] += leaps->windows * leaps->along[k];
  for (int32_t a = 0; a < run->nc; a++) {
    double r[3];
    SlipiLaw room;
    slipi_load(run->r, run->d, a, r);
    slipi_law_project(slipi_law_at(run->law, run->d, a, run->r, &room), r, r);
    slipi_store(r, run->d, a, run->r);
  }
}

bool slipi_leaps_look(SlipiRun *run, const SlipiOneContact *one, SlipiLeaps *leaps) {
  bool stays = run->error > FALLEN * leaps->error, began = leaps->error < INFINITY;
  bool leaps_now = began && drifts(run, one, leaps) && stays;
  leaps->settling++;
  leaps->error = run->error;
  if (leaps_now)
    leap(run, leaps);
  memcpy(leaps->from, run->r, (size_t)run->m * sizeof *run->r);
  return leaps_now;
}
