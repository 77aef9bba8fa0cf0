/* Directions between a cylinder and a polyhedron. */
#include "geom/drum.h"

#include "geom/arc.h"

double slipi_drum_radial(const SlipiDrum *drum, const double n[3], double radial[3]) {
  slipi_along(n, -slipi_dot3(n, drum->axis), drum->axis, radial);
  double length = slipi_length(radial);
  for (int k = 0; k < 3; k++)
    radial[k] = length > 0 ? radial[k] / length : 0;
  /* Once more: it is to be across the axis as a direction, also where it was short. */
  slipi_along(radial, -slipi_dot3(radial, drum->axis), drum->axis, radial);
  return length;
}

double slipi_drum_extent(const SlipiDrum *drum, const double n[3]) {
  double radial[3], along = slipi_dot3(n, drum->axis), across = slipi_drum_radial(drum, n, radial);
  return slipi_dot3(n, drum->centre) + drum->radius * across + drum->half * fabs(along);
}

void slipi_drum_support(const SlipiDrum *drum, const double n[3], double out[3]) {
  double radial[3], along = slipi_dot3(n, drum->axis);
  slipi_drum_radial(drum, n, radial);
  slipi_along(drum->centre, drum->radius, radial, out);
  slipi_along(out, along > 0 ? drum->half : along < 0 ? -drum->half : 0, drum->axis, out);
}

void slipi_drum_nearest(const SlipiDrum *drum, const double x[3], double out[3]) {
  double q[3], radial[3];
  slipi_sub(x, drum->centre, q);
  double along = slipi_dot3(q, drum->axis), across = slipi_drum_radial(drum, q, radial);
  double above = along - fmin(fmax(along, -drum->half), drum->half);
  slipi_along(x, -fmax(across - drum->radius, 0), radial, out);
  slipi_along(out, -above, drum->axis, out);
}

/* ---- A polyhedron as b ----------------------------------------------------------------------- */

typedef struct Search {
  const SlipiSolids *solids;
  const SlipiDrum *drum;
  SlipiAxis *axis;
  bool (*allowed)(const void *user, const double n[3]); /* NULL: all are */
  const void *user;
} Search;

/* What n separates of the cylinder and of a body whose largest n.x is `extent`. */
static double apart_from(const SlipiDrum *drum, const double n[3], double extent) {
  double back[3] = {-n[0], -n[1], -n[2]};
  return -slipi_drum_extent(drum, back) - extent;
}

static double extent_of_b(const Search *search, const double n[3]) {
  double on[3];
  slipi_solid_support(&search->solids->b, n, on);
  return slipi_dot3(n, on);
}

/* Whether the cylinder is farthest along n in a line or a disc. */
static bool is_flat(const SlipiDrum *drum, const double n[3]) {
  double along = fabs(slipi_dot3(drum->axis, n));
  return along <= 1e-9 || along >= 1 - 1e-9;
}

/* A direction replaces that of a face or an end on which the cylinder lies only where it is better
 * by more than the slack, so that bodies at rest keep it. Of two others even a little better one
 * counts: the worse touches off its face, edge or vertex, by the root of that little. */
static bool offer(Search *search, const double n[3], double apart, bool face) {
  SlipiAxis *axis = search->axis;
  bool lies = axis->face && is_flat(search->drum, axis->n);
  double slack = (lies ? 1 : 1e-4) * search->solids->slack;
  if (!(apart > axis->apart + slack) || (search->allowed && !search->allowed(search->user, n)))
    return false;
  for (int k = 0; k < 3; k++)
    axis->n[k] = n[k];
  axis->apart = apart;
  axis->face = face;
  axis->edges = false;
  return true;
}

static void try_faces(Search *search) {
  const SlipiHull *hull = search->solids->b.hull;
  for (int32_t f = 0; f < hull->faces; f++) {
    const double *n = hull->normal + 3 * f;
    offer(search, n, apart_from(search->drum, n, hull->offset[f]), true);
  }
}

static void try_ends(Search *search) {
  for (int end = 0; end < 2; end++) {
    double n[3];
    for (int k = 0; k < 3; k++)
      n[k] = end ? -search->drum->axis[k] : search->drum->axis[k];
    offer(search, n, apart_from(search->drum, n, extent_of_b(search, n)), true);
  }
}

/* The direction n counts where no part of b is farther along it than the vertex. */
static void try_vertex_along(Search *search, const double v[3], double n[3], double best) {
  double length = slipi_length(n);
  if (!(length > 0) || !(best > search->axis->apart))
    return;
  for (int k = 0; k < 3; k++)
    n[k] /= length;
  double extent = extent_of_b(search, n);
  if (extent <= slipi_dot3(n, v) + search->solids->slack)
    offer(search, n, apart_from(search->drum, n, extent), false);
}

/* From a vertex beside the cylinder, or inside, to its axis; from one outside to the nearest point.
 * Near the rim rounding would decide between the two: there both are tried. */
static void try_vertex(Search *search, const double v[3]) {
  const SlipiDrum *drum = search->drum;
  double q[3], radial[3], n[3];
  slipi_sub(v, drum->centre, q);
  double along = slipi_dot3(q, drum->axis), across = slipi_drum_radial(drum, q, radial);
  double side = fmax(across - drum->radius, 0), above = fmax(fabs(along) - drum->half, 0);
  if (above <= search->solids->slack) {
    for (int k = 0; k < 3; k++)
      n[k] = -radial[k];
    try_vertex_along(search, v, n, across - drum->radius);
  }
  if (above > 0) {
    double distance = sqrt(side * side + above * above), sign = along < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
      n[k] = -(side * radial[k] + sign * above * drum->axis[k]) / distance;
    try_vertex_along(search, v, n, distance);
  }
}

typedef struct Edge {
  const int32_t *ends;
  const double *at;
  double along[3], length;
} Edge;

/* Offer a direction that is across an edge of b, touching it at the distance t from its beginning.
 */
static void offer_edge(Search *search, const Edge *edge, const double n[3], double t) {
  double slack = search->solids->slack, extent = extent_of_b(search, n);
  if (t >= -slack && t <= edge->length + slack && extent <= slipi_dot3(n, edge->at) + slack &&
      offer(search, n, apart_from(search->drum, n, extent), false)) {
    search->axis->edges = true;
    search->axis->edge_b[0] = edge->ends[0];
    search->axis->edge_b[1] = edge->ends[1];
  }
}

/* Across an edge and the axis, where the nearest points of both are on them. */
static void try_side(Search *search, const Edge *edge) {
  const SlipiDrum *drum = search->drum;
  double n[3], q[3], ez = slipi_dot3(edge->along, drum->axis);
  slipi_sub(drum->centre, edge->at, q);
  slipi_cross(edge->along, drum->axis, n);
  double sine = slipi_length(n), qe = slipi_dot3(q, edge->along), qz = slipi_dot3(q, drum->axis);
  double s = (ez * qe - qz) / (sine * sine), t = s * ez + qe;
  if (sine < 1e-10) { /* parallel: from the edge to the axis, at the middle of what they share */
    double low = fmax(0, qe - drum->half), high = fmin(edge->length, qe + drum->half);
    t = low <= high ? 0.5 * (low + high) : -HUGE_VAL;
    s = 0;
    slipi_along(q, -qe, edge->along, n);
  }
  double length = slipi_length(n);
  if (!(length > 0) || !(fabs(s) <= drum->half + search->solids->slack))
    return;
  for (int way = 0; way < 2; way++) { /* the axis may be beyond the edge where they overlap far */
    for (int k = 0; k < 3; k++)
      n[k] *= way ? -1 : 1 / length;
    if (slipi_dot3(n, q) - drum->radius > search->axis->apart)
      offer_edge(search, edge, n, t);
  }
}

/* A function on an arc of directions across an edge: what separates the cylinder from its vertex v.
 */
static void on_arc(const void *user, const SlipiArc *arc, const double n[3], double *value,
                   double *slope) {
  const Search *search = user;
  double back[3] = {-n[0], -n[1], -n[2]}, p[3], turn[3];
  slipi_drum_support(search->drum, back, p);
  slipi_sub(p, arc->at, p);
  slipi_cross(arc->along, n, turn);
  *value = slipi_dot3(n, p);
  *slope = slipi_dot3(turn, p);
}

static void try_edge(Search *search, int32_t e) {
  const SlipiHull *hull = search->solids->b.hull;
  const int32_t *ends = hull->edge + 4 * e;
  Edge edge = {.ends = ends, .at = hull->vertex + 3 * ends[0]};
  SlipiArc arc;
  double best[3], back[3], on[3], value = search->axis->apart;
  slipi_sub(hull->vertex + 3 * ends[1], edge.at, edge.along);
  edge.length = slipi_length(edge.along);
  if (!(edge.length > 0))
    return;
  for (int k = 0; k < 3; k++)
    edge.along[k] /= edge.length;
  try_side(search, &edge);
  if (hull->faces)
    slipi_arc_between(edge.at, edge.along, hull->normal + 3 * ends[2], hull->normal + 3 * ends[3],
                      &arc);
  else
    slipi_arc_circle(edge.at, edge.along, &arc);
  if (!slipi_arc_best(&arc, on_arc, search, &value, best))
    return;
  /* Across the axis a whole line is farthest: where it meets the edge is what try_side has found,
   * and an end of the line may be over the edge where the line itself passes beside it. */
  double level = slipi_dot3(edge.along, search->drum->axis);
  if (fabs(slipi_dot3(best, search->drum->axis)) < 1e-12 && fabs(level) < 1 - 1e-6)
    return;
  for (int k = 0; k < 3; k++)
    back[k] = -best[k];
  slipi_drum_support(search->drum, back, on);
  slipi_sub(on, edge.at, on);
  offer_edge(search, &edge, best, slipi_dot3(on, edge.along));
}

void slipi_drum_axis(const SlipiSolids *solids, const SlipiDrum *drum, double far,
                     SlipiAxis *axis) {
  slipi_drum_axis_where(solids, drum, far, NULL, NULL, axis);
}

void slipi_drum_axis_where(const SlipiSolids *solids, const SlipiDrum *drum, double far,
                           bool (*allowed)(const void *user, const double n[3]), const void *user,
                           SlipiAxis *axis) {
  Search search = {.solids = solids, .drum = drum, .axis = axis, .allowed = allowed, .user = user};
  const SlipiHull *hull = solids->b.hull;
  *axis = (SlipiAxis){.n = {0, 0, 1}, .apart = -HUGE_VAL};
  try_faces(&search);
  if (axis->apart > far)
    return;
  try_ends(&search);
  for (int32_t v = 0; v < hull->vertices && axis->apart <= far; v++)
    try_vertex(&search, hull->vertex + 3 * v);
  for (int32_t e = 0; e < hull->edges && axis->apart <= far; e++)
    try_edge(&search, e);
}
