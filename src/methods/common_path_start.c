/* Where a curve begins: the statuses of a point, which is moved onto them. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "methods/common_path_slide.h"

static SlipiPathStatus status_of(const SlipiPath *path, int32_t a) {
  const double *u = path->u + 3 * (int64_t)a, *r = path->r + 3 * (int64_t)a;
  double n = r[0] - u[0], x = r[1] - u[1], y = r[2] - u[2];
  if (slipi_law_axis(&path->scaled->law[a], 0) == SLIPI_AXIS_FREE)
    return SLIPI_PATH_HELD;
  if (!(n > 0))
    return path->flow[a] > 0 ? SLIPI_PATH_OPEN : SLIPI_PATH_SLIDE;
  return slipi_path_has_friction(path, a) && path->kappa[a] * sqrt(x * x + y * y) <= n
             ? SLIPI_PATH_STICK
             : SLIPI_PATH_SLIDE;
}

/* r and u of a contact onto its status, `by` away from any other. */
static void move_onto(const SlipiPath *path, int32_t a, double by) {
  double *u = path->u + 3 * (int64_t)a, *r = path->r + 3 * (int64_t)a;
  double t = sqrt(r[1] * r[1] + r[2] * r[2]);
  SlipiSlide at = slipi_path_slide_at(u, r);
  if (path->status[a] == SLIPI_PATH_OPEN) {
    memset(r, 0, 3 * sizeof *r);
    u[0] = fmax(u[0], 0) + by;
  } else if (path->status[a] == SLIPI_PATH_STICK) {
    r[0] = fmax(r[0], path->kappa[a] * t + by);
    memset(u, 0, 3 * sizeof *u);
  } else if (path->status[a] == SLIPI_PATH_SLIDE) {
    bool rubs = slipi_path_has_friction(path, a);
    double phi = path->flow[a], friction = fmax(at.t, 0) + by;
    double way = fmax((1 - phi) * u[0] + phi * at.s, 0) + by, slip = phi * way;
    u[0] = (1 - phi) * way;
    r[0] = rubs ? path->kappa[a] * friction : fmax(r[0], 0) + by;
    for (int k = 1; k < 3; k++) {
      r[k] = rubs ? friction * at.e[k - 1] : 0;
      u[k] = rubs ? -slip * at.e[k - 1] : u[k];
    }
  } else {
    for (int k = 0; k < 3; k++)
      *(slipi_law_axis(&path->scaled->law[a], k) == SLIPI_AXIS_FREE ? &u[k] : &r[k]) = 0;
  }
}

/* r and u = W r + q + c onto the statuses; c takes what is missing, and r becomes the centre. */
static void move_apart(SlipiPath *path) {
  SlipiRandom random;
  size_t bytes = (size_t)path->m * sizeof *path->r;
  slipi_random_seed(&random, 1);
  for (int32_t a = 0; a < path->nc; a++)
    move_onto(path, a, path->apart * slipi_random_between(&random, 0.5, 1));
  memcpy(path->r_0, path->r, bytes);
  memcpy(path->c, path->u, bytes);
  slipi_scaled_velocity(path->scaled, path->r, path->u);
  for (int32_t k = 0; k < path->m; k++)
    path->c[k] -= path->u[k];
  memset(path->portion, 0, (size_t)path->nc * sizeof *path->portion);
}

void slipi_path_settle(SlipiPath *path) {
  slipi_scaled_velocity(path->scaled, path->r, path->u);
  for (int32_t a = 0; a < path->nc; a++)
    path->status[a] = status_of(path, a);
  move_apart(path);
}

void slipi_path_separate(SlipiPath *path) {
  slipi_scaled_velocity(path->scaled, path->r, path->u);
  for (int32_t k = 0; k < path->m; k++)
    path->u[k] += path->c[k];
  move_apart(path);
}
