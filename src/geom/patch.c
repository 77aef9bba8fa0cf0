/* The corners of a contact patch.
 *
 * Seen along the normal, the nearest parts of two polyhedra are polygons (faces), segments (edges)
 * or points. The corners of the area they share are vertices of one that lie in the other, and
 * crossings of two edges. Each is found by itself, so its name does not depend on which polyhedron
 * is looked at first, and stays while the bodies move. The gap in a corner is the difference of the
 * heights of the two parts along the normal. */
#include "geom/patch.h"

#include <stdlib.h>

/* A corner of a part in coordinates (x, y) across the normal and z along it, and the half-plane of
 * the edge to the next one: inside is nx x + ny y >= offset. */
typedef struct Corner {
  double x, y, z, nx, ny, offset;
  uint32_t vertex;
} Corner;

enum { FEW = 32 }; /* corners that need no memory of the list */

typedef struct Part {
  Corner *corner;
  int32_t count;
  uint32_t name;
  double slope[2]; /* of the height of a face, along x and y */
  double outward;  /* 1 for b, whose parts look along the normal, -1 for a */
  Corner few[FEW];
} Part;

typedef struct Frame {
  double x[3], y[3], n[3], slack;
} Frame;

static void make_frame(const SlipiSolids *solids, const double n[3], Frame *frame) {
  int least = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
  if (fabs(n[2]) < fabs(n[least]))
    least = 2;
  double axis[3] = {least == 0, least == 1, least == 2};
  slipi_cross(n, axis, frame->x);
  double length = slipi_length(frame->x);
  for (int k = 0; k < 3; k++) {
    frame->x[k] /= length;
    frame->n[k] = n[k];
  }
  slipi_cross(n, frame->x, frame->y);
  frame->slack = solids->slack;
}

/* ---- The nearest part of a polyhedron -------------------------------------------------------- */

/* Whether a face has a vertex as far along d as `level`. */
static bool face_at(const SlipiHull *hull, int32_t face, const double d[3], double level) {
  for (int32_t i = hull->face_start[face]; i < hull->face_start[face + 1]; i++)
    if (slipi_dot3(d, hull->vertex + 3 * hull->face_vertex[i]) >= level)
      return true;
  return false;
}

/* Of the faces at the vertex nearest to the other body, the one that looks most against it, and the
 * cosine between; -1 where there is none. In a skew hull faces elsewhere may look more against it.
 */
static int32_t facing(const SlipiSolid *solid, const double n[3], double outward, double slack,
                      double *cosine) {
  double d[3];
  int32_t best = -1;
  slipi_rotate_back(solid->R, n, d);
  *cosine = -1;
  if (solid->half) {
    best = 0;
    for (int k = 1; k < 3; k++)
      if (fabs(d[k]) > fabs(d[best]))
        best = k;
    *cosine = fabs(d[best]);
    return 2 * best + (outward * d[best] > 0);
  }
  double p[3];
  for (int k = 0; k < 3; k++) {
    p[k] = outward * n[k];
    d[k] *= outward;
  }
  int32_t v = slipi_solid_support(solid, p, p);
  double level = slipi_dot3(d, solid->hull->vertex + 3 * v) - slack;
  for (int32_t f = 0; f < solid->hull->faces; f++) {
    double c = slipi_dot3(d, solid->hull->normal + 3 * f);
    if (c > *cosine && face_at(solid->hull, f, d, level)) {
      *cosine = c;
      best = f;
    }
  }
  return best;
}

static void put_corner(const SlipiSolid *solid, const Frame *frame, int32_t v, Corner *corner) {
  double p[3];
  slipi_solid_vertex(solid, v, p);
  corner->x = slipi_dot3(frame->x, p);
  corner->y = slipi_dot3(frame->y, p);
  corner->z = slipi_dot3(frame->n, p);
  corner->vertex = (uint32_t)v;
}

/* Half-planes of the edges; corners of a part of b go round counterclockwise, those of a's not. */
static void close_part(Part *part) {
  for (int32_t i = 0; i < part->count; i++) {
    Corner *c = &part->corner[i], *to = &part->corner[(i + 1) % part->count];
    double x = to->x - c->x, y = to->y - c->y, length = sqrt(x * x + y * y);
    c->nx = length > 0 ? -part->outward * y / length : 0;
    c->ny = length > 0 ? part->outward * x / length : 0;
    c->offset = c->nx * c->x + c->ny * c->y;
  }
}

static bool reserve(Part *part, int32_t count, SlipiTouchList *list, int which) {
  part->corner = part->few;
  if (count <= FEW)
    return true;
  if (list->scratch_size[which] < (size_t)count * sizeof(Corner)) {
    void *scratch = realloc(list->scratch[which], (size_t)count * sizeof(Corner));
    if (!scratch)
      return false;
    list->scratch[which] = scratch;
    list->scratch_size[which] = (size_t)count * sizeof(Corner);
  }
  part->corner = list->scratch[which];
  return true;
}

static bool take_face(const SlipiSolid *solid, const Frame *frame, int32_t face,
                      SlipiTouchList *list, Part *part) {
  const SlipiHull *hull = solid->hull;
  int32_t start = hull->face_start[face];
  double normal[3];
  part->count = hull->face_start[face + 1] - start;
  part->name = slipi_feature(SLIPI_FEATURE_FACE, (uint32_t)face);
  if (!reserve(part, part->count, list, part->outward > 0))
    return false;
  for (int32_t i = 0; i < part->count; i++)
    put_corner(solid, frame, hull->face_vertex[start + i], &part->corner[i]);
  slipi_solid_normal(solid, face, normal);
  double cosine = slipi_dot3(normal, frame->n);
  part->slope[0] = -slipi_dot3(normal, frame->x) / cosine;
  part->slope[1] = -slipi_dot3(normal, frame->y) / cosine;
  close_part(part);
  return true;
}

static void take_ends(const SlipiSolid *solid, const Frame *frame, const int32_t ends[2],
                      Part *part) {
  part->corner = part->few;
  part->count = 2;
  part->name = slipi_feature_edge((uint32_t)ends[0], (uint32_t)ends[1]);
  for (int i = 0; i < 2; i++)
    put_corner(solid, frame, ends[i], &part->corner[i]);
  close_part(part);
}

/* The edge both of whose ends are as near as any vertex, or else that vertex; of a segment always
 * the whole. */
static void take_edge(const SlipiSolid *solid, const Frame *frame, Part *part) {
  const SlipiHull *hull = solid->hull;
  double d[3], p[3], toward[3];
  for (int k = 0; k < 3; k++)
    toward[k] = part->outward * frame->n[k];
  int32_t v = slipi_solid_support(solid, toward, p);
  slipi_rotate_back(solid->R, toward, d);
  double level = slipi_dot3(d, hull->vertex + 3 * v) - frame->slack;
  for (int32_t e = 0; e < hull->edges; e++) {
    const int32_t *ends = hull->edge + 4 * e;
    if (hull->faces == 0 || (slipi_dot3(d, hull->vertex + 3 * ends[0]) >= level &&
                             slipi_dot3(d, hull->vertex + 3 * ends[1]) >= level)) {
      take_ends(solid, frame, ends, part);
      return;
    }
  }
  part->corner = part->few;
  part->count = 1;
  part->name = slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)v);
  put_corner(solid, frame, v, &part->corner[0]);
  close_part(part);
}

int32_t slipi_patch_face(const SlipiSolid *solid, const double n[3], double outward, double slack) {
  double cosine;
  return facing(solid, n, outward, slack, &cosine);
}

/* Faces where the normal is that of one, or where both are almost across it; else edges. */
static bool take_parts(const SlipiMeeting *m, const SlipiSolids *solids, const SlipiAxis *axis,
                       const Frame *frame, Part *a, Part *b) {
  static const double almost = 0.99;
  double cosine_a, cosine_b;
  int32_t face_a = facing(&solids->a, axis->n, -1, solids->slack, &cosine_a);
  int32_t face_b = facing(&solids->b, axis->n, 1, solids->slack, &cosine_b);
  bool flat = axis->face || (!axis->sharp && cosine_a > almost && cosine_b > almost);
  a->outward = -1;
  b->outward = 1;
  a->few[0] = a->few[1] = b->few[0] = b->few[1] = (Corner){0};
  a->corner = a->few;
  b->corner = b->few;
  a->name = b->name = 0;
  if (!flat && axis->edges) {
    take_ends(&solids->a, frame, axis->edge_a, a);
    take_ends(&solids->b, frame, axis->edge_b, b);
    return true;
  }
  if (!flat || cosine_a < 1e-3)
    take_edge(&solids->a, frame, a);
  else if (!take_face(&solids->a, frame, face_a, m->list, a))
    return false;
  if (flat && cosine_b >= 1e-3)
    return take_face(&solids->b, frame, face_b, m->list, b);
  take_edge(&solids->b, frame, b);
  return true;
}

/* ---- Corners of the area in common ----------------------------------------------------------- */

static double inside_edge(const Corner *edge, double x, double y) {
  return edge->nx * x + edge->ny * y - edge->offset;
}

static bool within_segment(const Part *part, double x, double y, double slack) {
  const Corner *c = &part->corner[0], *d = &part->corner[1];
  double ux = d->x - c->x, uy = d->y - c->y, length = sqrt(ux * ux + uy * uy);
  double along = (x - c->x) * ux + (y - c->y) * uy;
  if (length <= slack)
    return fabs(x - c->x) <= slack && fabs(y - c->y) <= slack;
  return fabs(inside_edge(c, x, y)) <= slack && along >= -slack * length &&
         along <= (length + slack) * length;
}

static bool within(const Part *part, double x, double y, double slack) {
  if (part->count == 1)
    return fabs(x - part->corner[0].x) <= slack && fabs(y - part->corner[0].y) <= slack;
  if (part->count == 2)
    return within_segment(part, x, y, slack);
  for (int32_t i = 0; i < part->count; i++)
    if (!(inside_edge(&part->corner[i], x, y) >= -slack))
      return false;
  return true;
}

/* The height of a part at (x, y). */
static double height(const Part *part, double x, double y, double slack) {
  const Corner *c = &part->corner[0];
  if (part->count >= 3)
    return c->z + part->slope[0] * (x - c->x) + part->slope[1] * (y - c->y);
  if (part->count == 1)
    return c->z;
  const Corner *d = &part->corner[1];
  double ux = d->x - c->x, uy = d->y - c->y, squared = ux * ux + uy * uy;
  if (squared <= slack * slack)
    return part->outward * fmax(part->outward * c->z, part->outward * d->z);
  return c->z + (d->z - c->z) * ((x - c->x) * ux + (y - c->y) * uy) / squared;
}

typedef struct Patch {
  const SlipiMeeting *m;
  const SlipiSolids *solids;
  Frame frame;
  Part a, b;
  double radii, least;
} Patch;

static bool add(Patch *patch, double x, double y, double on_a, double on_b, uint32_t feature_a,
                uint32_t feature_b) {
  double gap = on_a - on_b, p[3];
  patch->least = fmin(patch->least, gap - patch->radii);
  if (!(gap - patch->radii <= patch->m->reach))
    return true;
  for (int k = 0; k < 3; k++)
    p[k] = x * patch->frame.x[k] + y * patch->frame.y[k] + on_b * patch->frame.n[k];
  return slipi_patch_add(patch->m, patch->solids, p, patch->frame.n, gap, feature_a, feature_b);
}

/* Whether a vertex of a that is a corner of the patch is so near that it stands for this one of b.
 */
static bool near_a_vertex(const Patch *patch, const Corner *c) {
  double slack = patch->frame.slack;
  for (int32_t i = 0; i < patch->a.count; i++) {
    const Corner *other = &patch->a.corner[i];
    if (fabs(other->x - c->x) <= 2 * slack && fabs(other->y - c->y) <= 2 * slack &&
        within(&patch->b, other->x, other->y, slack))
      return true;
  }
  return false;
}

static bool add_vertices(Patch *patch) {
  double slack = patch->frame.slack;
  for (int32_t i = 0; i < patch->a.count; i++) {
    const Corner *c = &patch->a.corner[i];
    if (within(&patch->b, c->x, c->y, slack) &&
        !add(patch, c->x, c->y, c->z, height(&patch->b, c->x, c->y, slack),
             slipi_feature(SLIPI_FEATURE_VERTEX, c->vertex), patch->b.name))
      return false;
  }
  for (int32_t j = 0; j < patch->b.count; j++) {
    const Corner *c = &patch->b.corner[j];
    if (within(&patch->a, c->x, c->y, slack) && !near_a_vertex(patch, c) &&
        !add(patch, c->x, c->y, height(&patch->a, c->x, c->y, slack), c->z, patch->a.name,
             slipi_feature(SLIPI_FEATURE_VERTEX, c->vertex)))
      return false;
  }
  return true;
}

/* The crossing of edge i of a with edge j of b, where the ends of each are on different sides of
 * the other by more than the slack: else one of the four vertices is the corner. */
static bool add_crossing(Patch *patch, int32_t i, int32_t j) {
  double slack = patch->frame.slack;
  const Corner *p = &patch->a.corner[i], *q = &patch->a.corner[(i + 1) % patch->a.count];
  const Corner *r = &patch->b.corner[j], *s = &patch->b.corner[(j + 1) % patch->b.count];
  double from = inside_edge(r, p->x, p->y), to = inside_edge(r, q->x, q->y);
  if (!(fmax(from, to) > slack && fmin(from, to) < -slack))
    return true;
  double first = inside_edge(p, r->x, r->y), second = inside_edge(p, s->x, s->y);
  if (!(fmax(first, second) > slack && fmin(first, second) < -slack))
    return true;
  /* Where the edges are almost parallel rounding moves the crossing along both: the height of b is
   * taken where that of a is. */
  double t = from / (from - to), along[2] = {s->x - r->x, s->y - r->y};
  double x = p->x + t * (q->x - p->x), y = p->y + t * (q->y - p->y);
  double u =
      ((x - r->x) * along[0] + (y - r->y) * along[1]) / (along[0] * along[0] + along[1] * along[1]);
  return add(patch, x, y, p->z + t * (q->z - p->z), r->z + u * (s->z - r->z),
             slipi_feature_edge(p->vertex, q->vertex), slipi_feature_edge(r->vertex, s->vertex));
}

static int32_t edges_of(const Part *part) {
  return part->count >= 3 ? part->count : part->count - 1;
}

bool slipi_patch(const SlipiMeeting *m, const SlipiSolids *solids, const SlipiAxis *axis,
                 double *least) {
  Patch patch;
  patch.m = m;
  patch.solids = solids;
  patch.radii = solids->a.radius + solids->b.radius;
  patch.least = HUGE_VAL;
  patch.a.count = patch.b.count = 0;
  make_frame(solids, axis->n, &patch.frame);
  bool good = take_parts(m, solids, axis, &patch.frame, &patch.a, &patch.b) && add_vertices(&patch);
  int32_t edges_a = edges_of(&patch.a), edges_b = edges_of(&patch.b);
  for (int32_t i = 0; good && i < edges_a; i++)
    for (int32_t j = 0; good && j < edges_b; j++)
      good = add_crossing(&patch, i, j);
  *least = patch.least;
  return good;
}

bool slipi_patch_add(const SlipiMeeting *m, const SlipiSolids *solids, const double on_b[3],
                     const double n[3], double gap, uint32_t feature_a, uint32_t feature_b) {
  double p[3], normal[3];
  slipi_along(on_b, solids->b.radius, n, p);
  slipi_rotate(m->pose_b->R, p, p);
  slipi_rotate(m->pose_b->R, n, normal);
  return slipi_touch_add(m, p, normal, gap - solids->a.radius - solids->b.radius, feature_a,
                         feature_b);
}
