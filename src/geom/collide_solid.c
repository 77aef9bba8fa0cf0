/* Boxes, hulls, and capsules and spheres against them: separating axes give the normal wherever
 * they overlap and nearly always where they do not; the rest, a vertex near an edge or another
 * vertex, is left to the distance algorithm. */
#include "geom/gjk.h"
#include "geom/patch.h"

/* Append the patch across the axis. It counts where it has a point in which the solids are as near
 * as the axis says, for then the axis is the direction of their distance. */
static bool add_patch(const SlipiMeeting *m, const SlipiSolids *solids, SlipiAxis *axis,
                      bool *reached) {
  int32_t first = m->list->count;
  double radii = solids->a.radius + solids->b.radius, least;
  *reached = false;
  axis->sharp = false;
  for (int look = 0; look < 2 && !*reached; look++) {
    if (!slipi_patch(m, solids, axis, &least))
      return false;
    *reached = least <= axis->apart - radii + 8 * solids->slack;
    if (!*reached)
      m->list->count = first;
    if (axis->face)
      break;
    axis->sharp = true;
  }
  return true;
}

/* One point, where no patch could be found. */
static bool add_nearest(const SlipiMeeting *m, const SlipiSolids *solids,
                        const SlipiNearest *nearest, double gap) {
  if (!(gap - solids->a.radius - solids->b.radius <= m->reach))
    return true;
  return slipi_patch_add(m, solids, nearest->on_b, nearest->n, gap,
                         slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)nearest->vertex_a),
                         slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)nearest->vertex_b));
}

/* How far x is outside of the farthest face of a solid; below 0 inside. A segment has no inside. */
static double outside(const SlipiSolid *solid, const double x[3]) {
  double y[3], most = solid->hull->faces ? -HUGE_VAL : HUGE_VAL;
  slipi_sub(x, solid->position, y);
  slipi_rotate_back(solid->R, y, y);
  for (int32_t f = 0; f < solid->hull->faces; f++)
    most = fmax(most, slipi_dot3(solid->hull->normal + 3 * f, y) - solid->hull->offset[f]);
  return most;
}

/* Along an axis on which they overlap, without a patch (rounding, where faces are steep or edges
 * long): the deepest vertex of a or that of b, whichever has its other point better inside. */
static bool add_deepest(const SlipiMeeting *m, const SlipiSolids *solids, const SlipiAxis *axis) {
  SlipiNearest nearest;
  double back[3] = {-axis->n[0], -axis->n[1], -axis->n[2]}, on_a[3], on_b[3];
  nearest.vertex_a = slipi_solid_support(&solids->a, back, on_a);
  nearest.vertex_b = slipi_solid_support(&solids->b, axis->n, on_b);
  slipi_along(on_a, -axis->apart, axis->n, nearest.on_b);
  slipi_along(on_b, axis->apart, axis->n, on_a);
  if (outside(&solids->a, on_a) < outside(&solids->b, nearest.on_b))
    for (int k = 0; k < 3; k++)
      nearest.on_b[k] = on_b[k];
  for (int k = 0; k < 3; k++)
    nearest.n[k] = axis->n[k];
  return add_nearest(m, solids, &nearest, axis->apart);
}

/* Where they overlap and the axis has no patch: of long shapes another one may be better by less
 * than the slack and have one. */
static bool add_overlap(const SlipiMeeting *m, SlipiSolids *solids, double far, SlipiAxis *axis) {
  double slack = solids->slack;
  SlipiAxis best;
  bool reached = false;
  solids->slack = 0;
  slipi_sat(solids, far, &best);
  solids->slack = slack;
  if (best.apart > axis->apart && best.apart <= far) {
    if (!add_patch(m, solids, &best, &reached))
      return false;
    *axis = best;
  }
  return reached || add_deepest(m, solids, axis);
}

bool slipi_meet_solids(const SlipiMeeting *m) {
  SlipiSolids solids;
  SlipiAxis axis;
  SlipiNearest nearest;
  bool reached = false;
  slipi_solids_make(m, &solids);
  double far = m->reach + solids.a.radius + solids.b.radius;
  slipi_sat(&solids, far, &axis);
  if (axis.apart > far)
    return true;
  if (axis.apart > -HUGE_VAL && !add_patch(m, &solids, &axis, &reached))
    return false;
  if (reached)
    return true;
  /* Of solids that overlap it knows no more than the distance 0, which a reach below 0 is below. */
  slipi_gjk(&solids, axis.n, fmax(far, 0), &nearest);
  if (nearest.distance > fmax(far, 0))
    return true;
  if (!(nearest.distance > 0))
    return add_overlap(m, &solids, far, &axis);
  axis = (SlipiAxis){.apart = nearest.distance};
  for (int k = 0; k < 3; k++)
    axis.n[k] = nearest.n[k];
  if (!add_patch(m, &solids, &axis, &reached))
    return false;
  return reached || add_nearest(m, &solids, &nearest, nearest.distance);
}
