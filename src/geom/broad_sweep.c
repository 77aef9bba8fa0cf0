#include "geom/broad_sweep.h"

#include <math.h>
#include <stdlib.h>

/* A box and its low corner on the axis. */
typedef struct Key {
  double low;
  int32_t box;
} Key;

/* Boxes in order: their ends on the axis, and on the two others. */
enum { LOW, HIGH, LOW_1, HIGH_1, LOW_2, HIGH_2, ROWS };

typedef struct Sweep {
  SlipiPool *pool;
  const Key *key;
  const double *row[ROWS];
  const int32_t *group;
  const uint8_t *still;
  int32_t *hit;
  int32_t count;
} Sweep;

void slipi_sweep_order_free(SlipiSweepOrder *order) {
  free(order->keys.at);
  free(order->rows.at);
  free(order->hits.at);
}

/* The axis with the largest variance of low corners, of boxes that are finite on it. */
static int find_axis(int32_t count, const double *low) {
  double most = -1;
  int axis = 0;
  for (int k = 0; k < 3; k++) {
    double sum = 0, square = 0, first = 0;
    int32_t used = 0;
    for (int32_t box = 0; box < count; box++) {
      double x = low[3 * (size_t)box + k];
      if (!isfinite(x))
        continue;
      first = used == 0 ? x : first;
      sum += x - first;
      square += (x - first) * (x - first);
      used++;
    }
    double variance = used > 0 ? square - sum * (sum / used) : -1;
    if (variance > most) {
      most = variance;
      axis = k;
    }
  }
  return axis;
}

/* Shell's sort, by Ciura's gaps: keys that are almost in order take little more than a look. */
static void sort_keys(Key *key, int32_t count) {
  static const int32_t gaps[] = {301, 132, 57, 23, 10, 4, 1};
  for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++) {
    int32_t gap = gaps[g];
    for (int32_t k = gap; k < count; k++) {
      Key own = key[k];
      int32_t at = k;
      for (; at >= gap && key[at - gap].low > own.low; at -= gap)
        key[at] = key[at - gap];
      key[at] = own;
    }
  }
}

/* A box that begins at NaN, which is out of any order, stands at the end; its own end is NaN too,
 * so that it meets nothing. */
static void fill_rows(const Key *key, int32_t count, int axis, const double *low,
                      const double *high, double *row[ROWS]) {
  for (int32_t k = 0; k < count; k++) {
    const double *from = low + 3 * (size_t)key[k].box, *to = high + 3 * (size_t)key[k].box;
    int one = (axis + 1) % 3, two = (axis + 2) % 3;
    row[LOW][k] = key[k].low;
    row[HIGH][k] = isnan(from[axis]) ? NAN : to[axis];
    row[LOW_1][k] = from[one];
    row[HIGH_1][k] = to[one];
    row[LOW_2][k] = from[two];
    row[HIGH_2][k] = to[two];
  }
}

/* Boxes after k that meet it; all that are looked at are written, those that do not are written
 * over. */
static int32_t find_hits(const Sweep *sweep, int32_t k) {
  const double *low = sweep->row[LOW], *low_1 = sweep->row[LOW_1], *high_1 = sweep->row[HIGH_1];
  const double *low_2 = sweep->row[LOW_2], *high_2 = sweep->row[HIGH_2];
  double end = sweep->row[HIGH][k], from_1 = low_1[k], to_1 = high_1[k], from_2 = low_2[k],
         to_2 = high_2[k];
  int32_t found = 0;
  for (int32_t other = k + 1; other < sweep->count && low[other] <= end; other++) {
    sweep->hit[found] = other;
    found += (low_1[other] <= to_1) & (from_1 <= high_1[other]) & (low_2[other] <= to_2) &
             (from_2 <= high_2[other]);
  }
  return found;
}

static void search(void *user, int32_t piece) {
  (void)piece; /* there is one */
  const Sweep *sweep = user;
  SlipiPage page = slipi_page_open(sweep->pool);
  for (int32_t k = 0; k < sweep->count; k++) {
    int32_t found = find_hits(sweep, k), a = sweep->key[k].box;
    for (int32_t hit = 0; hit < found; hit++) {
      int32_t at = sweep->hit[hit], b = sweep->key[at].box;
      /* A box whose end is before its beginning, or NaN, meets nothing. */
      bool wanted = sweep->row[LOW][k] <= sweep->row[HIGH][at];
      wanted = wanted && !(sweep->still && sweep->still[a] && sweep->still[b]);
      if (wanted && !(sweep->group && sweep->group[a] >= 0 && sweep->group[a] == sweep->group[b]))
        slipi_page_add(&page, a, b);
    }
  }
  slipi_page_close(&page);
}

bool slipi_broad_sweep(SlipiSweepOrder *order, SlipiPool *pool, int32_t count, const double *low,
                       const double *high, const int32_t *group, const uint8_t *still) {
  bool again = order->count == count;
  Sweep sweep = {.pool = pool, .group = group, .still = still, .count = count};
  double *row[ROWS];
  Key *key = slipi_memory_reserve(&order->keys, (size_t)count, sizeof *key);
  row[0] = slipi_memory_reserve(&order->rows, (size_t)count, ROWS * sizeof(double));
  sweep.hit = slipi_memory_reserve(&order->hits, (size_t)count, sizeof *sweep.hit);
  order->count = 0;
  if (!key || !row[0] || !sweep.hit)
    return false;
  int axis = find_axis(count, low);
  for (int32_t k = 0; k < count; k++) {
    key[k].box = again ? key[k].box : k;
    double x = low[3 * (size_t)key[k].box + axis];
    key[k].low = isnan(x) ? INFINITY : x;
  }
  sort_keys(key, count);
  for (int r = 1; r < ROWS; r++)
    row[r] = row[r - 1] + count;
  fill_rows(key, count, axis, low, high, row);
  for (int r = 0; r < ROWS; r++)
    sweep.row[r] = row[r];
  sweep.key = key;
  order->count = count;
  return slipi_pool_fill(pool, NULL, 1, search, &sweep);
}
