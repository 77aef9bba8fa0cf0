/* The point with the least offsets of a curve that may not arrive. */
#include <string.h>

#include "methods/common_path.h"

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
