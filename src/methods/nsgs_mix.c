#include "methods/nsgs_mix.h"

#include <math.h>
#include <string.h>

enum { FIRST = 3 }; /* sweeps that are not mixed: they find the states of most contacts */

void slipi_mix_create(SlipiRun *run, const SlipiRowState *rows, SlipiMix *mix) {
  int32_t size = run->m + (rows->z ? rows->size : 0);
  slipi_anderson_create(&mix->anderson, run->arena, size, run->m);
  mix->point = SLIPI_ARENA_RAW(run->arena, double, size);
  mix->image = SLIPI_ARENA_RAW(run->arena, double, size);
  mix->weight = SLIPI_ARENA_RAW(run->arena, double, run->nc);
}

void slipi_mix_start(const SlipiRun *run, const SlipiOneContact *one, SlipiMix *mix) {
  slipi_anderson_start(&mix->anderson);
  for (int32_t a = 0; a < run->nc; a++)
    mix->weight[a] = one[a].scale > 0 ? sqrt(one[a].scale) : 1;
}

static void gather(const SlipiRun *run, const SlipiRowState *rows, const SlipiMix *mix, double *x) {
  for (int32_t a = 0; a < run->nc; a++) {
    for (int32_t k = a * run->d; k < (a + 1) * run->d; k++)
      x[k] = mix->weight[a] * run->r[k];
  }
  if (rows->z)
    memcpy(x + run->m, rows->z, (size_t)rows->size * sizeof *x);
}

void slipi_mix_next(SlipiRun *run, SlipiRowState *rows, SlipiMix *mix) {
  const double *x = mix->point;
  if (run->iteration < FIRST)
    return;
  if (run->iteration == FIRST) {
    gather(run, rows, mix, mix->point);
    return;
  }
  gather(run, rows, mix, mix->image);
  slipi_anderson_next(&mix->anderson, mix->point, mix->image);
  for (int32_t a = 0; a < run->nc; a++) {
    double inverse = 1 / mix->weight[a];
    for (int32_t k = a * run->d; k < (a + 1) * run->d; k++)
      run->r[k] = inverse * x[k];
  }
  if (rows->z)
    memcpy(rows->z, x + run->m, (size_t)rows->size * sizeof *x);
}
