/* Points of a curve that may not arrive: the one with the least offsets, and its start, which it
 * may come back to. */
#include <string.h>

#include "methods/common_path.h"

/* A step that has come by the start misses it, in a straight line, by no more than this share of
 * its length. */
static const double MISSED = 0.1;

void slipi_path_keep_least(SlipiPath *path) {
  if (!(path->offset < path->offset_least))
    return;
  path->offset_least = path->offset;
  path->p_least = path->p;
  memcpy(path->r_least, path->r, (size_t)path->m * sizeof *path->r);
  memcpy(path->status_least, path->status, (size_t)path->nc * sizeof *path->status);
}

void slipi_path_go_to_least(SlipiPath *path) {
  path->p = path->p_least;
  memcpy(path->r, path->r_least, (size_t)path->m * sizeof *path->r);
  memcpy(path->status, path->status_least, (size_t)path->nc * sizeof *path->status);
  slipi_path_evaluate(path);
}

void slipi_path_keep_start(SlipiPath *path) {
  path->p_start = path->p;
  path->dp_start = 0;
  memcpy(path->r_start, path->r, (size_t)path->m * sizeof *path->r);
  memcpy(path->status_start, path->status, (size_t)path->nc * sizeof *path->status);
}

bool slipi_path_is_loop(const SlipiPath *path, double p) {
  double way = path->p - p, share = way != 0 ? (path->p_start - p) / way : -1;
  double miss = 0, length = 0;
  if (!(path->dp * path->dp_start > 0) || !(share >= 0 && share <= 1) ||
      memcmp(path->status, path->status_start, (size_t)path->nc * sizeof *path->status) != 0)
    return false;
  for (int32_t k = 0; k < path->m; k++) {
    double step = path->r[k] - path->r_before[k];
    double d = path->r_before[k] + share * step - path->r_start[k];
    miss += d * d;
    length += step * step;
  }
  return miss <= MISSED * MISSED * length;
}
