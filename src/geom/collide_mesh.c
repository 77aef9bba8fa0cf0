/* Solids on a triangle mesh, triangle by triangle.
 *
 * A triangle of a surface is not a body of its own: pushed sideways out of one, a box would land in
 * the next. So a direction counts as a contact normal only where the part of the triangle that is
 * farthest along it, a vertex or an edge, is farthest in the mesh around it too; for the triangle
 * itself that is its normal. On a flat or hollow edge nothing else is left, and nothing catches
 * there; on a sharp one all that is between the normals of its two triangles.
 *
 * Of these directions the one along which the solid is farthest from the triangle, or overlaps it
 * least, is the normal. Where that does not give the distance, the nearest points do, under the
 * same rule. A triangle is seen from its front: solids whose centre is behind it do not touch it.
 * Points that several triangles share are kept once, and those that only mark the cut between two
 * triangles in one plane are left out.
 *
 * Coordinates are in the frame of the mesh. */
#include "geom/collide_cylinder.h"
#include "geom/gjk.h"
#include "geom/mesh.h"
#include "geom/patch.h"

/* Of a length: what is above a vertex by less is not above it. */
static const double LEVEL = 1e-6;
/* The centre of a solid may be behind a triangle by this share of the solid's size. */
static const double BEHIND = 0.25;

/* The normal of a triangle that overlaps the solid, how far along it the triangle goes, and by how
 * much (negative) they are apart. */
typedef struct Way {
  int32_t triangle;
  double n[3], top, apart;
  bool cut; /* the solid, without its radius, goes through it */
} Way;

enum { WAYS = 128 };

typedef struct Visit {
  const SlipiMesh *mesh;
  SlipiMeeting m; /* b is the shape of the triangle at hand */
  SlipiShape shape;
  SlipiHull hull;
  double corner[9], offset;
  double normals[12]; /* of the triangle, and where each of its edges ends to be one */
  SlipiSolids solids;
  bool round; /* a is a cylinder */
  SlipiDrum drum;
  double far;
  int32_t triangle;
  const double *normal; /* of the triangle */
  Way way[WAYS];        /* of the first triangles that overlap */
  int ways;
} Visit;

static const int32_t face_start[2] = {0, 3}, face_vertex[3] = {0, 1, 2};
static const int32_t edges[12] = {0, 1, 0, 1, 1, 2, 0, 2, 0, 2, 3, 0};

static const double *vertex_of(const Visit *v, int32_t vertex) {
  return v->mesh->vertex + 3 * (size_t)vertex;
}

/* The point of the solid, without its radius, that is farthest along n. */
static void support(const Visit *v, const double n[3], double out[3]) {
  if (v->round)
    slipi_drum_support(&v->drum, n, out);
  else
    slipi_solid_support(&v->solids.a, n, out);
}

/* Edge k as a unit vector, and the one across it in the plane of the triangle, outward. */
static void get_edge(const Visit *v, int k, double along[3], double outward[3]) {
  slipi_sub(v->corner + 3 * ((k + 1) % 3), v->corner + 3 * k, along);
  double length = slipi_length(along);
  for (int i = 0; i < 3; i++)
    along[i] /= length;
  slipi_cross(along, v->normal, outward);
}

/* ---- Directions that a triangle has in its mesh ------------------------------------------ */

static bool is_below(const double *x, const double *top, const double n[3]) {
  double arm[3];
  slipi_sub(x, top, arm);
  return slipi_dot3(n, arm) <= LEVEL * slipi_length(arm);
}

/* No vertex around corner k of the triangle is farther along n. */
static bool vertex_allows(const Visit *v, int k, const double n[3]) {
  int32_t vertex = v->mesh->triangle[3 * (size_t)v->triangle + k];
  for (int32_t i = v->mesh->ring_start[vertex]; i < v->mesh->ring_start[vertex + 1]; i++)
    if (!is_below(vertex_of(v, v->mesh->ring[i]), v->corner + 3 * k, n))
      return false;
  return true;
}

/* The triangle on the other side of edge k is not farther along n, which is across the edge. */
static bool edge_allows(const Visit *v, int k, const double n[3]) {
  int32_t other = v->mesh->neighbour[3 * (size_t)v->triangle + k];
  if (other < 0)
    return true;
  int32_t far_corner = other % 3 == 0 ? other + 2 : other - 1;
  return is_below(vertex_of(v, v->mesh->triangle[far_corner]), v->corner + 3 * k, n);
}

/* Corners of the triangle that are within `slack` of the farthest along n, as bits. */
static int farthest(const Visit *v, const double n[3], double slack, double *most) {
  double height[3];
  int bits = 0;
  *most = -INFINITY;
  for (int k = 0; k < 3; k++) {
    height[k] = slipi_dot3(n, v->corner + 3 * k);
    *most = fmax(*most, height[k]);
  }
  for (int k = 0; k < 3; k++)
    bits |= (height[k] >= *most - slack) << k;
  return bits;
}

/* Whether n may be a normal at the corners given as bits: a vertex, an edge or the whole triangle.
 */
static bool allows(const Visit *v, int bits, const double n[3]) {
  static const int single[8] = {-1, 0, 1, -1, 2, -1, -1, -1},
                   edge[8] = {-1, -1, -1, 0, -1, 2, 1, -1};
  if (slipi_dot3(n, v->normal) < -1e-9)
    return false;
  if (single[bits] >= 0)
    return vertex_allows(v, single[bits], n);
  return edge[bits] < 0 || edge_allows(v, edge[bits], n);
}

/* ---- The best of them -------------------------------------------------------------------- */

static void offer(SlipiAxis *axis, const double n[3], double apart, bool face) {
  *axis = (SlipiAxis){.apart = apart, .face = face};
  for (int k = 0; k < 3; k++)
    axis->n[k] = n[k];
}

/* The normal of the triangle; false where the solid is behind it. */
static bool try_triangle(const Visit *v, SlipiAxis *axis) {
  const SlipiSolid *a = &v->solids.a;
  double centre[3], back[3], low[3];
  slipi_rotate(a->R, a->hull->centre, centre);
  slipi_along(centre, 1, a->position, centre);
  if (slipi_dot3(v->normal, centre) - v->offset < -BEHIND * v->m.a->size)
    return false;
  for (int k = 0; k < 3; k++)
    back[k] = -v->normal[k];
  support(v, back, low);
  offer(axis, v->normal, slipi_dot3(v->normal, low) - v->offset, true);
  return true;
}

static void try_faces(const Visit *v, SlipiAxis *axis) {
  const SlipiSolid *a = &v->solids.a;
  for (int32_t f = 0; f < a->hull->faces && axis->apart <= v->far; f++) {
    double n[3], most;
    slipi_solid_normal(a, f, n);
    for (int k = 0; k < 3; k++)
      n[k] = -n[k];
    int bits = farthest(v, n, v->solids.slack, &most);
    double apart = slipi_dot3(n, a->position) - a->hull->offset[f] - most;
    if (apart > axis->apart + v->solids.slack && allows(v, bits, n))
      offer(axis, n, apart, true);
  }
}

/* Whether an edge of the solid, whose two faces these are, can be the nearest across `along`: the
 * normals of its faces are on different sides. */
static bool spans(const SlipiSolid *a, const int32_t *edge, const double along[3]) {
  double n[3], m[3];
  if (a->hull->faces == 0)
    return true;
  slipi_solid_normal(a, edge[2], n);
  slipi_solid_normal(a, edge[3], m);
  return slipi_dot3(n, along) * slipi_dot3(m, along) <= 1e-12;
}

static void try_edge(const Visit *v, int k, const double along[3], const double outward[3],
                     int32_t e, SlipiAxis *axis) {
  const SlipiSolid *a = &v->solids.a;
  const int32_t *edge = a->hull->edge + 4 * (size_t)e;
  double from[3], to[3], n[3];
  if (!spans(a, edge, along))
    return;
  slipi_solid_vertex(a, edge[0], from);
  slipi_solid_vertex(a, edge[1], to);
  slipi_sub(to, from, to);
  slipi_cross(along, to, n);
  double length = slipi_length(n);
  if (!(length > 1e-10 * slipi_length(to)))
    return;
  length = slipi_dot3(n, outward) < 0 ? -length : length;
  for (int i = 0; i < 3; i++)
    n[i] /= length;
  if (slipi_dot3(n, v->normal) < 0 || !edge_allows(v, k, n))
    return;
  /* Of parallel edges of the solid the one that is nearest. */
  double apart = slipi_solids_apart(&v->solids, n);
  slipi_sub(from, v->corner + 3 * k, from);
  if (!(apart > axis->apart + v->solids.slack) || slipi_dot3(n, from) > apart + v->solids.slack)
    return;
  offer(axis, n, apart, false);
  axis->edges = true;
  for (int i = 0; i < 2; i++) {
    axis->edge_a[i] = edge[i];
    axis->edge_b[i] = (k + i) % 3;
  }
}

static void try_edges(const Visit *v, SlipiAxis *axis) {
  for (int k = 0; k < 3; k++) {
    if (v->mesh->bend[3 * (size_t)v->triangle + k] != SLIPI_BEND_CONVEX)
      continue;
    double along[3], outward[3];
    get_edge(v, k, along, outward);
    for (int32_t e = 0; e < v->solids.a.hull->edges && axis->apart <= v->far; e++)
      try_edge(v, k, along, outward, e, axis);
  }
}

/* ---- Points ------------------------------------------------------------------------------ */

/* The names of the parts of one triangle become those of the mesh. False for a point that only
 * marks the cut between triangles in one plane. */
static bool rename_point(const Visit *v, SlipiTouchPoint *point) {
  static const int edge[3][3] = {{-1, 0, 2}, {0, -1, 1}, {2, 1, -1}};
  uint32_t tag = point->feature_b >> 30, index = point->feature_b & 0x3fffffffU;
  double n[3];
  slipi_rotate_back(v->m.pose_b->R, point->normal, n);
  bool own = slipi_dot3(n, v->normal) > 1 - 1e-9;
  if (tag == SLIPI_FEATURE_FACE) {
    point->feature_b = slipi_feature(tag, (uint32_t)v->triangle);
    return true;
  }
  if (tag == SLIPI_FEATURE_VERTEX) {
    int32_t vertex = v->mesh->triangle[3 * (size_t)v->triangle + index];
    point->feature_b = slipi_feature(tag, (uint32_t)vertex);
    return !(own && v->mesh->vertex_flat[vertex]);
  }
  int32_t half = 3 * v->triangle + edge[index >> 15][index & 0x7fff];
  int32_t other = v->mesh->neighbour[half];
  point->feature_b = slipi_feature(tag, (uint32_t)(other >= 0 && other < half ? other : half));
  return !(own && v->mesh->bend[half] == SLIPI_BEND_FLAT);
}

static void rename_points(const Visit *v, int32_t first) {
  SlipiTouchList *list = v->m.list;
  int32_t kept = first;
  for (int32_t i = first; i < list->count; i++)
    if (rename_point(v, &list->points[i]))
      list->points[kept++] = list->points[i];
  list->count = kept;
}

/* Append the patch across the axis; `reached` tells whether the axis is the direction of the
 * distance. */
static bool add_patch(const Visit *v, SlipiAxis *axis, bool *reached) {
  int32_t first = v->m.list->count;
  double least;
  *reached = false;
  if (v->round)
    return slipi_cylinder_patch(&v->m, &v->solids, &v->drum, axis, reached);
  for (int look = 0; look < (axis->face ? 1 : 2) && !*reached; look++) {
    v->m.list->count = first;
    axis->sharp = look > 0;
    if (!slipi_patch(&v->m, &v->solids, axis, &least))
      return false;
    *reached = least <= axis->apart - v->solids.a.radius + 8 * v->solids.slack;
  }
  return true;
}

/* The corners of the triangle between which a point lies, as bits: those that hold it together with
 * others of its edge, or by itself. */
static int corners_at(const Visit *v, const double x[3]) {
  double slack = 4 * v->solids.slack;
  int bits = 7;
  for (int k = 0; k < 3; k++) {
    double along[3], outward[3], arm[3];
    get_edge(v, k, along, outward);
    slipi_sub(x, v->corner + 3 * k, arm);
    if (slipi_dot3(arm, outward) >= -slack)
      bits &= ~(1 << (k + 2) % 3);
  }
  return bits ? bits : 7;
}

/* The nearest points, where no direction of faces and edges gives the distance. */
static bool add_nearest(const Visit *v, const SlipiNearest *nearest) {
  SlipiAxis axis;
  bool reached;
  int bits = corners_at(v, nearest->on_b);
  if (!allows(v, bits, nearest->n))
    return true;
  int32_t first = v->m.list->count;
  offer(&axis, nearest->n, nearest->distance, false);
  if (!add_patch(v, &axis, &reached) || reached)
    return reached;
  v->m.list->count = first;
  return slipi_patch_add(&v->m, &v->solids, nearest->on_b, nearest->n, nearest->distance,
                         slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)nearest->vertex_a),
                         slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)nearest->vertex_b));
}

/* A triangle by itself, with two faces; each edge has directions from the front to its own plane
 * and on to the back. */
static void find_nearest_round(const Visit *v, SlipiNearest *nearest) {
  static const int32_t ends[3][2] = {{0, 1}, {1, 2}, {0, 2}};
  double normals[15], offsets[2] = {v->offset, -v->offset}, along[3];
  int32_t both[24];
  for (int k = 0; k < 3; k++) {
    normals[k] = v->normal[k];
    normals[3 + k] = -v->normal[k];
    get_edge(v, k, along, normals + 6 + 3 * k);
    for (int side = 0; side < 2; side++) {
      int32_t *edge = both + 8 * k + 4 * side;
      edge[0] = ends[k][0];
      edge[1] = ends[k][1];
      edge[2] = side;
      edge[3] = 2 + k;
    }
  }
  SlipiSolids solids = v->solids;
  SlipiHull flat = v->hull;
  SlipiAxis axis;
  flat.faces = 2;
  flat.edges = 6;
  flat.normal = normals;
  flat.offset = offsets;
  flat.edge = both;
  solids.b.hull = &flat;
  slipi_drum_axis(&solids, &v->drum, v->far, &axis);
  nearest->distance = fmax(axis.apart, 0);
  for (int k = 0; k < 3; k++)
    nearest->n[k] = axis.n[k];
}

/* How far the solid is from the triangle, and along which direction. */
static void find_nearest(const Visit *v, const SlipiAxis *axis, SlipiNearest *nearest) {
  if (v->round)
    find_nearest_round(v, nearest);
  else
    slipi_gjk(&v->solids, axis->n, v->far, nearest);
}

/* A rim on an edge or a vertex touches in one point; `bits` are the corners of that part. */
static bool add_point(const Visit *v, const SlipiAxis *axis) {
  double back[3], on_b[3], most;
  int bits = farthest(v, axis->n, v->solids.slack, &most), single = bits >> 1;
  uint32_t feature = slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)single);
  for (int k = 0; k < 3; k++)
    back[k] = -axis->n[k];
  support(v, back, on_b);
  slipi_along(on_b, -axis->apart, axis->n, on_b);
  if (axis->edges)
    feature = slipi_feature_edge((uint32_t)axis->edge_b[0], (uint32_t)axis->edge_b[1]);
  for (int k = 0; k < 3 && !axis->edges; k++)
    on_b[k] = v->corner[3 * single + k];
  return slipi_patch_add(&v->m, &v->solids, on_b, axis->n, axis->apart,
                         slipi_feature(SLIPI_FEATURE_EDGE, 128), feature);
}

static bool share_vertex(const Visit *v, int32_t triangle, int32_t other) {
  const int32_t *a = v->mesh->triangle + 3 * (size_t)triangle;
  const int32_t *b = v->mesh->triangle + 3 * (size_t)other;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (a[i] == b[j])
        return true;
  return false;
}

/* A solid that is over a triangle and partly below its plane has come there through the triangle
 * itself or one beside it, or is behind it as a whole, without its radius; else it passes by a
 * sharp edge. */
static bool has_come_through(const Visit *v, const SlipiNearest *nearest) {
  double top[3];
  support(v, v->normal, top);
  if (nearest->distance <= v->solids.slack || slipi_dot3(v->normal, top) <= v->offset ||
      v->ways == WAYS)
    return true;
  if (slipi_dot3(nearest->n, v->normal) > 0)
    return false;
  for (int w = 0; w < v->ways; w++)
    if (v->way[w].cut && share_vertex(v, v->triangle, v->way[w].triangle))
      return true;
  return false;
}

static bool add_points(const Visit *v, SlipiAxis *axis) {
  int32_t first = v->m.list->count;
  SlipiNearest nearest;
  bool reached;
  if (!add_patch(v, axis, &reached))
    return false;
  bool touching = fabs(axis->apart) <= v->solids.slack;
  if (reached && (touching || (axis->apart > 0 && !v->round)))
    return true;
  find_nearest(v, axis, &nearest);
  if (axis->apart <= v->solids.slack && has_come_through(v, &nearest))
    return reached || !v->round || axis->face || add_point(v, axis);
  if (v->round && nearest.distance <= axis->apart + 8 * v->solids.slack)
    return reached || axis->face || add_point(v, axis);
  v->m.list->count = first;
  return nearest.distance > v->far || v->round || add_nearest(v, &nearest);
}

/* ---- Triangles --------------------------------------------------------------------------- */

/* Where the directions of edge k, which begin with the normal of the triangle, end. */
static void get_last(const Visit *v, int k, double last[3]) {
  double along[3];
  size_t half = 3 * (size_t)v->triangle + (size_t)k;
  int32_t other = v->mesh->neighbour[half];
  if (other < 0) {
    get_edge(v, k, along, last);
    return;
  }
  const double *n = v->mesh->bend[half] == SLIPI_BEND_CONVEX
                        ? v->mesh->normal + 3 * (size_t)(other / 3)
                        : v->normal;
  for (int i = 0; i < 3; i++)
    last[i] = n[i];
}

static void take_triangle(Visit *v, int32_t triangle) {
  v->triangle = triangle;
  v->normal = v->mesh->normal + 3 * (size_t)triangle;
  for (int k = 0; k < 3; k++) {
    const double *x = vertex_of(v, v->mesh->triangle[3 * (size_t)triangle + k]);
    for (int i = 0; i < 3; i++)
      v->corner[3 * k + i] = x[i];
  }
  v->offset = slipi_dot3(v->normal, v->corner);
  for (int k = 0; k < 3; k++)
    v->normals[k] = v->normal[k];
  for (int k = 0; k < 3; k++)
    get_last(v, k, v->normals + 3 * (k + 1));
}

static bool allows_way(const void *user, const double n[3]) {
  const Visit *v = user;
  double most;
  return allows(v, farthest(v, n, v->solids.slack, &most), n);
}

/* The best direction; false where the triangle does not count. */
static bool find_axis(Visit *v, int32_t triangle, SlipiAxis *axis) {
  take_triangle(v, triangle);
  if (!try_triangle(v, axis))
    return false;
  if (v->round) {
    slipi_drum_axis_where(&v->solids, &v->drum, v->far, allows_way, v, axis);
  } else {
    try_faces(v, axis);
    try_edges(v, axis);
  }
  return axis->apart <= v->far;
}

static bool note_way(void *user, int32_t triangle) {
  Visit *v = user;
  SlipiAxis axis;
  if (!find_axis(v, triangle, &axis) || axis.apart > -v->solids.slack)
    return true;
  Way *way = &v->way[v->ways++];
  way->triangle = triangle;
  way->apart = axis.apart;
  for (int k = 0; k < 3; k++)
    way->n[k] = axis.n[k];
  farthest(v, way->n, 0, &way->top);
  SlipiNearest nearest;
  find_nearest(v, &axis, &nearest);
  way->cut = nearest.distance <= v->solids.slack;
  return v->ways < WAYS;
}

/* An edge that a solid presses on is not an edge of every triangle that the solid cuts into: where
 * a triangle lies below the top of one beside it, along that one's normal, and the solid leaves
 * that one sooner, its own normal is none. */
static bool is_left_otherwise(const Visit *v, const SlipiAxis *axis) {
  for (int w = 0; w < v->ways; w++) {
    const Way *way = &v->way[w];
    double top;
    if (!(way->apart > axis->apart + v->solids.slack) ||
        !share_vertex(v, v->triangle, way->triangle))
      continue;
    farthest(v, way->n, 0, &top);
    if (top <= way->top + v->solids.slack)
      return true;
  }
  return false;
}

static bool visit_triangle(void *user, int32_t triangle) {
  Visit *v = user;
  SlipiAxis axis;
  int32_t first = v->m.list->count;
  if (!find_axis(v, triangle, &axis))
    return true;
  if (axis.apart <= -v->solids.slack && is_left_otherwise(v, &axis))
    return true;
  if (!add_points(v, &axis))
    return false;
  rename_points(v, first);
  return true;
}

/* Points at one place with one normal, of triangles that share a vertex or an edge, are one: the
 * first of them. */
static void drop_twins(SlipiTouchList *list, int32_t first, double slack) {
  int32_t kept = first;
  for (int32_t i = first; i < list->count; i++) {
    const SlipiTouchPoint *point = &list->points[i];
    bool twin = false;
    for (int32_t j = first; j < kept && !twin; j++) {
      const SlipiTouchPoint *other = &list->points[j];
      double apart[3];
      slipi_sub(point->on_a, other->on_a, apart);
      twin = slipi_length(apart) <= slack && slipi_dot3(point->normal, other->normal) > 1 - 1e-6;
    }
    if (!twin)
      list->points[kept++] = *point;
  }
  list->count = kept;
}

/* The solid's box in the frame of the mesh, and as far around it as counts. */
static void find_bounds(const SlipiMeeting *m, double low[3], double high[3]) {
  SlipiPose pose;
  slipi_rotate_back(m->pose_b->R, m->apart, pose.position);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double *A = m->pose_a->R, *B = m->pose_b->R;
      pose.R[3 * i + j] = B[i] * A[j] + B[3 + i] * A[3 + j] + B[6 + i] * A[6 + j];
    }
  slipi_shape_bounds(m->a, &pose, low, high);
  for (int k = 0; k < 3; k++) {
    low[k] -= m->reach;
    high[k] += m->reach;
  }
}

bool slipi_meet_solid_mesh(const SlipiMeeting *m) {
  const SlipiMesh *mesh = m->b->mesh;
  Visit v = {.mesh = mesh, .m = *m};
  double low[3], high[3], most = 0;
  for (int k = 0; k < 3; k++)
    most = fmax(most, fmax(fabs(mesh->low[k]), fabs(mesh->high[k])));
  v.hull = (SlipiHull){.vertices = 3,
                       .faces = 1,
                       .edges = 3,
                       .vertex = v.corner,
                       .face_start = face_start,
                       .face_vertex = face_vertex,
                       .normal = v.normals,
                       .offset = &v.offset,
                       .edge = edges,
                       .radius = 2 * most};
  v.shape = (SlipiShape){.kind = SLIP_SHAPE_HULL, .hull = &v.hull, .size = m->a->size};
  v.m.b = &v.shape;
  slipi_solids_make(&v.m, &v.solids);
  v.far = m->reach + v.solids.a.radius;
  v.round = m->a->kind == SLIP_SHAPE_CYLINDER;
  if (v.round)
    slipi_cylinder_drum(m->a, &v.solids.a, &v.drum);
  find_bounds(m, low, high);
  int32_t first = m->list->count;
  slipi_mesh_each(mesh, low, high, note_way, &v);
  bool done = slipi_mesh_each(mesh, low, high, visit_triangle, &v);
  drop_twins(m->list, first, 4 * v.solids.slack);
  return done;
}
