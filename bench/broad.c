/* Time of the broad phase: bench_broad [threads [repeats [most boxes]]]
 *
 * Packed balls, balls of mixed sizes (1 : 100, as many of each scale), balls on the ground, and a
 * gas in which few meet; nanoseconds and pairs a box, the least of some repeats. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "geom/broad.h"

typedef struct Set {
  const char *name;
  double spacing, decades;
  int ground;
} Set;

static void fill(const Set *set, int32_t count, double *low, double *high) {
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  double edge = set->spacing * cbrt(count);
  for (int32_t box = 0; box < count; box++) {
    double radius = 0.5 * pow(10, -set->decades * slipi_random_unit(&random));
    for (int k = 0; k < 3; k++) {
      double x = slipi_random_between(&random, 0, edge);
      low[3 * (size_t)box + k] = x - radius;
      high[3 * (size_t)box + k] = x + radius;
    }
  }
  for (int k = 0; k < 3 && set->ground; k++) {
    low[k] = -INFINITY;
    high[k] = k == 2 ? 0 : INFINITY;
  }
}

static double measure(SlipiBroad *broad, int32_t count, const double *low, const double *high,
                      SlipiTeam *team, int repeats, int64_t *pair_count) {
  double least = INFINITY;
  for (int k = 0; k < repeats; k++) {
    const int32_t *pairs;
    double start = slipi_clock_seconds();
    if (!slipi_broad_pairs(broad, count, low, high, NULL, NULL, team, &pairs, pair_count))
      return NAN;
    least = fmin(least, slipi_clock_seconds() - start);
  }
  return least;
}

int main(int argc, char **argv) {
  static const Set sets[] = {{"packed", 0.9, 0, 0},
                             {"mixed 1:100", 0.35, 2, 0},
                             {"on ground", 0.9, 0, 1},
                             {"gas", 10, 0, 0}};
  int threads = argc > 1 ? atoi(argv[1]) : 1, repeats = argc > 2 ? atoi(argv[2]) : 5;
  int32_t most = argc > 3 ? (int32_t)atol(argv[3]) : 1000000;
  SlipiTeam *team = NULL;
  if (slipi_team_create(threads, &team, NULL))
    return 1;
  printf("%-12s %8s %10s %10s\n", "set", "boxes", "ns/box", "pairs/box");
  for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
    for (int32_t count = 10000; count <= most; count *= 10) {
      double *low = malloc(3 * (size_t)count * sizeof *low);
      double *high = malloc(3 * (size_t)count * sizeof *high);
      SlipiBroad *broad = slipi_broad_create();
      int64_t pairs = 0;
      if (!low || !high || !broad)
        return 1;
      fill(&sets[s], count, low, high);
      double seconds = measure(broad, count, low, high, team, repeats, &pairs);
      printf("%-12s %8d %10.0f %10.2f\n", sets[s].name, (int)count, 1e9 * seconds / count,
             (double)pairs / count);
      slipi_broad_free(broad);
      free(low);
      free(high);
    }
  slipi_team_free(team);
  return 0;
}
