/* Pairs of boxes: the same as by trying all, on all kinds of sets, for every number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "geom/broad.h"
#include "geom/vec.h"

enum { MOST = 6000 };

typedef struct Boxes {
  int32_t count;
  double low[3 * MOST], high[3 * MOST];
  int32_t group[MOST];
  uint8_t still[MOST];
} Boxes;

static int32_t *brute(const Boxes *boxes, bool filters, int64_t *count) {
  int64_t room = 1 << 16, used = 0;
  int32_t *pairs = malloc(2 * (size_t)room * sizeof *pairs);
  for (int32_t i = 0; i < boxes->count; i++)
    for (int32_t j = i + 1; j < boxes->count; j++) {
      bool meet = true;
      for (int k = 0; k < 3; k++)
        meet = meet && boxes->low[3 * i + k] <= boxes->high[3 * j + k] &&
               boxes->low[3 * j + k] <= boxes->high[3 * i + k];
      if (!meet || (filters && boxes->group[i] >= 0 && boxes->group[i] == boxes->group[j]) ||
          (filters && boxes->still[i] && boxes->still[j]))
        continue;
      if (used == room)
        pairs = realloc(pairs, 2 * (size_t)(room *= 2) * sizeof *pairs);
      pairs[2 * used] = i;
      pairs[2 * used++ + 1] = j;
    }
  *count = used;
  return pairs;
}

static void expect_pairs(SlipiBroad *broad, const Boxes *boxes, SlipiTeam *team) {
  for (int filters = 0; filters < 2; filters++) {
    int64_t expected_count, count;
    const int32_t *pairs;
    int32_t *expected = brute(boxes, filters, &expected_count);
    assert_true(slipi_broad_pairs(broad, boxes->count, boxes->low, boxes->high,
                                  filters ? boxes->group : NULL, filters ? boxes->still : NULL,
                                  team, &pairs, &count));
    assert_int_equal(count, expected_count);
    assert_memory_equal(pairs, expected, 2 * (size_t)count * sizeof *pairs);
    free(expected);
  }
}

typedef void (*Fill)(SlipiRandom *random, int32_t box, double centre[3], double half[3]);

static void similar(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  (void)box;
  for (int k = 0; k < 3; k++) {
    centre[k] = slipi_random_between(random, 0, 10);
    half[k] = slipi_random_between(random, 0.2, 0.4);
  }
}

static void mixed(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  double size = pow(10, slipi_random_between(random, -4, 0));
  (void)box;
  for (int k = 0; k < 3; k++) {
    centre[k] = slipi_random_between(random, 0, 1.5);
    half[k] = size * slipi_random_between(random, 0.01, 1);
  }
}

/* Plates and rods of any orientation along the axes. */
static void thin(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  for (int k = 0; k < 3; k++) {
    centre[k] = slipi_random_between(random, 0, 3);
    half[k] = (box >> k & 1) ? 1e-7 : slipi_random_between(random, 0, 0.5);
  }
}

static void coincident(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  (void)random;
  for (int k = 0; k < 3; k++) {
    centre[k] = 7 + (box % 100 == 0 ? box : 0);
    half[k] = 0.5;
  }
}

/* On a lattice: many sides touch exactly, and some boxes have no extent. */
static void lattice(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  for (int k = 0; k < 3; k++) {
    centre[k] = slipi_random_below(random, 30) * 0.5;
    half[k] = box % 3 == 0 ? 0 : 0.25 * (double)(box % 3);
  }
}

static void points(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  (void)box;
  for (int k = 0; k < 3; k++) {
    centre[k] = slipi_random_below(random, 12) * 1e-3;
    half[k] = 0;
  }
}

static void flat(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  similar(random, box, centre, half);
  centre[2] = half[2] = 0;
}

static void sparse(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  similar(random, box, centre, half);
  for (int k = 0; k < 3; k++)
    centre[k] = box % 2 ? 1e6 * centre[k] : centre[k];
}

/* Far from the origin, where neighbouring numbers are as far apart as the boxes are long. */
static void far_off(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  similar(random, box, centre, half);
  for (int k = 0; k < 3; k++)
    centre[k] = 1e16 + 20 * centre[k];
}

/* One at the end of the world, others at every scale of place. */
static void huge(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  similar(random, box, centre, half);
  for (int k = 0; k < 3; k++) {
    centre[k] = box == 5 ? -1e300 : box % 4 ? centre[k] : ldexp(centre[k], box % 200);
    half[k] = box == 6 ? 1e290 : half[k];
  }
}

static void tiny(SlipiRandom *random, int32_t box, double centre[3], double half[3]) {
  similar(random, box, centre, half);
  for (int k = 0; k < 3; k++) {
    centre[k] *= 1e-310;
    half[k] *= 1e-310;
  }
}

static void fill(Boxes *boxes, int32_t count, Fill shape, SlipiRandom *random, int infinite) {
  boxes->count = count;
  for (int32_t box = 0; box < count; box++) {
    double centre[3], half[3];
    shape(random, box, centre, half);
    for (int k = 0; k < 3; k++) {
      boxes->low[3 * box + k] = centre[k] - half[k];
      boxes->high[3 * box + k] = centre[k] + half[k];
    }
    boxes->group[box] = (int32_t)slipi_random_below(random, 5) - 1;
    boxes->still[box] = slipi_random_below(random, 4) == 0;
  }
  for (int k = 0; k < infinite && k < count; k++) {
    int32_t box = (int32_t)slipi_random_below(random, (uint32_t)count);
    for (int axis = 0; axis < 3; axis++) {
      boxes->low[3 * box + axis] = -INFINITY;
      boxes->high[3 * box + axis] = INFINITY;
    }
    if (k % 2)
      boxes->high[3 * box + 2] = 1;
  }
  if (infinite > 0 && count > 2) { /* what is not a number meets nothing */
    boxes->low[slipi_random_below(random, 3 * (uint32_t)count)] = NAN;
    boxes->high[slipi_random_below(random, 3 * (uint32_t)count)] = NAN;
  }
}

static const struct {
  const char *name;
  Fill fill;
} sets[] = {{"similar", similar}, {"mixed", mixed},   {"thin", thin}, {"coincident", coincident},
            {"lattice", lattice}, {"points", points}, {"flat", flat}, {"sparse", sparse},
            {"far off", far_off}, {"huge", huge},     {"tiny", tiny}};

static void test_brute(void **state) {
  (void)state;
  static const int32_t counts[] = {0, 1, 2, 17, 300, 1024, 1025, 5000};
  SlipiRandom random;
  slipi_random_seed(&random, 12);
  SlipiTeam *team;
  assert_int_equal(slipi_team_create(3, &team, NULL), SLIP_OK);
  Boxes *boxes = malloc(sizeof *boxes);
  for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
    SlipiBroad *broad = slipi_broad_create();
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
      for (int infinite = 0; infinite <= 3; infinite += 3) {
        int32_t count = sets[s].fill == coincident && counts[c] > 1100 ? 1100 : counts[c];
        fill(boxes, count, sets[s].fill, &random, infinite);
        expect_pairs(broad, boxes, c % 2 ? team : NULL);
      }
    slipi_broad_free(broad);
  }
  free(boxes);
  slipi_team_free(team);
}

/* Boxes a hair's breadth apart do not meet, boxes that share a side do, wherever cells end. */
static void test_sides(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 4);
  SlipiBroad *broad = slipi_broad_create();
  Boxes *boxes = malloc(sizeof *boxes);
  for (int round = 0; round < 20; round++) {
    boxes->count = round % 2 ? 2000 : 1000; /* by a grid and by a sweep */
    int power = round - round % 2 - 10;
    double scale = pow(10, power), x = scale * slipi_random_between(&random, -1, 1);
    for (int32_t box = 0; box < boxes->count; box++) {
      for (int k = 0; k < 3; k++) {
        boxes->low[3 * box + k] = k ? 0 : x;
        boxes->high[3 * box + k] = k ? scale : x + scale * slipi_random_between(&random, 0.1, 1);
      }
      double end = boxes->high[3 * box];
      x = box % 2 ? nextafter(end, INFINITY) : end;
    }
    expect_pairs(broad, boxes, NULL);
  }
  free(boxes);
  slipi_broad_free(broad);
}

/* Sets that shrink and grow, one after another with the same memory. */
static void test_reuse(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 21);
  SlipiBroad *broad = slipi_broad_create();
  Boxes *boxes = malloc(sizeof *boxes);
  for (int round = 0; round < 40; round++) {
    fill(boxes, (int32_t)slipi_random_below(&random, 1500),
         sets[slipi_random_below(&random, sizeof sets / sizeof sets[0])].fill, &random, round % 3);
    expect_pairs(broad, boxes, NULL);
  }
  free(boxes);
  slipi_broad_free(broad);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_brute),
      cmocka_unit_test(test_sides),
      cmocka_unit_test(test_reuse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
