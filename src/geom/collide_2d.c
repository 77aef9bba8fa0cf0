/* Discs, polygons and segments in the plane, all in one form: a point, a segment or a polygon with
 * a radius around it. A segment is a polygon of two vertices, with a face on each side.
 *
 * Where two of them (without radii) overlap, the face along which they overlap least is the
 * reference, and the edge of the other that faces it is cut to its width: two points where edges
 * lie on each other. Where they are apart, the same holds as long as the nearest points are on a
 * face; else one vertex is nearest to another.
 *
 * Coordinates are in the axes of b, with its position as origin. */
#include "geom/collide_pair.h"

typedef struct Outline {
  int32_t count;
  const double *vertex; /* 3 each, in the frame of the shape */
  const double *normal; /* of faces, 3 each; NULL for a segment */
  double R[4], position[2], radius;
} Outline;

/* A face of an outline: from p along t for `length`, outward normal n. */
typedef struct Face {
  double p[2], t[2], n[2], length;
} Face;

typedef struct Outlines {
  Outline a, b;
  double slack; /* shorter lengths are none */
} Outlines;

static const double origin[3];

static void make_outline(const SlipiShape *shape, Outline *outline) {
  *outline = (Outline){.count = 1, .vertex = origin, .radius = shape->radius};
  if (shape->kind == SLIP_SHAPE_SEGMENT) {
    outline->count = 2;
    outline->vertex = shape->ends[0];
  } else if (shape->hull) {
    outline->count = shape->hull->vertices;
    outline->vertex = shape->hull->vertex;
    outline->normal = shape->hull->normal;
  }
}

static void make_outlines(const SlipiMeeting *m, Outlines *pair) {
  double apart[3];
  const double *A = m->pose_a->R, *B = m->pose_b->R;
  make_outline(m->a, &pair->a);
  make_outline(m->b, &pair->b);
  slipi_rotate_back(B, m->apart, apart);
  for (int i = 0; i < 2; i++) {
    pair->a.position[i] = apart[i];
    for (int j = 0; j < 2; j++) {
      pair->a.R[2 * i + j] = B[i] * A[j] + B[3 + i] * A[3 + j];
      pair->b.R[2 * i + j] = i == j;
    }
  }
  pair->slack = SLIPI_TOUCH_TOLERANCE * fmin(m->a->size, m->b->size) +
                1e-15 * (fabs(apart[0]) + fabs(apart[1]));
}

static double dot2(const double a[2], const double b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

static void get_vertex(const Outline *outline, int32_t v, double x[2]) {
  const double *y = outline->vertex + 3 * v;
  for (int k = 0; k < 2; k++)
    x[k] = outline->position[k] + outline->R[2 * k] * y[0] + outline->R[2 * k + 1] * y[1];
}

static int32_t face_count(const Outline *outline) {
  return outline->count > 1 ? outline->count : 0;
}

static int32_t after(const Outline *outline, int32_t vertex) {
  return vertex + 1 < outline->count ? vertex + 1 : 0;
}

static void get_face(const Outline *outline, int32_t f, Face *face) {
  const double *p = outline->vertex + 3 * f, *q = outline->vertex + 3 * after(outline, f);
  double along[2] = {q[0] - p[0], q[1] - p[1]}, n[2];
  face->length = hypot(along[0], along[1]);
  n[0] = outline->normal ? outline->normal[3 * f] : along[1] / face->length;
  n[1] = outline->normal ? outline->normal[3 * f + 1] : -along[0] / face->length;
  get_vertex(outline, f, face->p);
  for (int k = 0; k < 2; k++)
    face->n[k] = outline->R[2 * k] * n[0] + outline->R[2 * k + 1] * n[1];
  face->t[0] = -face->n[1];
  face->t[1] = face->n[0];
}

/* ---- Separating faces -------------------------------------------------------------------- */

/* The face along which the outlines are farthest apart, or overlap least. */
typedef struct Axis {
  bool of_a;
  int32_t face; /* -1: there is none */
  double apart;
} Axis;

static double height(const Face *face, const double x[2]) {
  double arm[2] = {x[0] - face->p[0], x[1] - face->p[1]};
  return dot2(face->n, arm);
}

static double least_height(const Face *face, const Outline *other, int32_t *vertex) {
  double least = INFINITY;
  for (int32_t v = 0; v < other->count; v++) {
    double x[2];
    get_vertex(other, v, x);
    double h = height(face, x);
    if (h < least) {
      least = h;
      *vertex = v;
    }
  }
  return least;
}

/* A face replaces those before it where it is better by more than the slack: two bodies at rest
 * keep theirs. */
static void try_faces(const Outline *own, const Outline *other, bool of_a, double slack,
                      Axis *axis) {
  for (int32_t f = 0; f < face_count(own); f++) {
    Face face;
    int32_t vertex = 0;
    get_face(own, f, &face);
    double apart = least_height(&face, other, &vertex);
    if (axis->face < 0 || apart > axis->apart + slack)
      *axis = (Axis){of_a, f, apart};
  }
}

/* ---- Nearest points ---------------------------------------------------------------------- */

typedef struct Nearest {
  double distance, on_a[2], on_b[2];
  uint32_t feature_a, feature_b;
} Nearest;

/* The point of an edge nearest to x: how far along, from 0 to the length. */
static double nearest_along(const Face *face, const double x[2]) {
  double arm[2] = {x[0] - face->p[0], x[1] - face->p[1]};
  return fmin(fmax(dot2(face->t, arm), 0), face->length);
}

static uint32_t feature_along(const Outline *outline, int32_t f, double u, double length) {
  if (u <= 0 || u >= length)
    return slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)(u <= 0 ? f : after(outline, f)));
  return slipi_feature(SLIPI_FEATURE_FACE, (uint32_t)f);
}

/* Vertices of `points` against edges of `edges`; both are in the roles of a pair told by of_a. */
static void try_nearest(const Outline *points, const Outline *edges, bool points_of_a,
                        Nearest *nearest) {
  for (int32_t v = 0; v < points->count; v++) {
    double x[2];
    get_vertex(points, v, x);
    for (int32_t f = 0; f < face_count(edges); f++) {
      Face face;
      get_face(edges, f, &face);
      double u = nearest_along(&face, x);
      double y[2] = {face.p[0] + u * face.t[0], face.p[1] + u * face.t[1]};
      double distance = hypot(x[0] - y[0], x[1] - y[1]);
      if (!(distance < nearest->distance))
        continue;
      nearest->distance = distance;
      uint32_t point = slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)v);
      uint32_t edge = feature_along(edges, f, u, face.length);
      for (int k = 0; k < 2; k++) {
        nearest->on_a[k] = points_of_a ? x[k] : y[k];
        nearest->on_b[k] = points_of_a ? y[k] : x[k];
      }
      nearest->feature_a = points_of_a ? point : edge;
      nearest->feature_b = points_of_a ? edge : point;
    }
  }
}

static void find_nearest(const Outlines *pair, Nearest *nearest) {
  *nearest = (Nearest){.distance = INFINITY};
  if (pair->a.count == 1 && pair->b.count == 1) {
    get_vertex(&pair->a, 0, nearest->on_a);
    get_vertex(&pair->b, 0, nearest->on_b);
    nearest->distance =
        hypot(nearest->on_a[0] - nearest->on_b[0], nearest->on_a[1] - nearest->on_b[1]);
    nearest->feature_a = nearest->feature_b = slipi_feature(SLIPI_FEATURE_VERTEX, 0);
    return;
  }
  try_nearest(&pair->a, &pair->b, true, nearest);
  try_nearest(&pair->b, &pair->a, false, nearest);
}

/* ---- Points ------------------------------------------------------------------------------ */

/* Append a point of the outlines without radii, `gap` apart along n. */
static bool add(const SlipiMeeting *m, const Outlines *pair, const double on_b[2],
                const double n[2], double gap, uint32_t feature_a, uint32_t feature_b) {
  double normal[3] = {n[0], n[1], 0}, x[3] = {0};
  double rest = gap - pair->a.radius - pair->b.radius;
  if (!(rest <= m->reach))
    return true;
  for (int k = 0; k < 2; k++)
    x[k] = on_b[k] + pair->b.radius * n[k];
  slipi_rotate(m->pose_b->R, x, x);
  slipi_rotate(m->pose_b->R, normal, normal);
  return slipi_touch_add(m, x, normal, rest, feature_a, feature_b);
}

/* Two discs with one centre touch along an axis of b. */
static bool add_nearest(const SlipiMeeting *m, const Outlines *pair, const Nearest *nearest) {
  double n[2] = {0, 1};
  for (int k = 0; k < 2 && nearest->distance > 0; k++)
    n[k] = (nearest->on_a[k] - nearest->on_b[k]) / nearest->distance;
  return add(m, pair, nearest->on_b, n, nearest->distance, nearest->feature_a, nearest->feature_b);
}

/* A point of the other outline over the reference face: u along it, h above it. */
typedef struct Over {
  double u, h;
  uint32_t reference, other; /* features */
} Over;

static void over(const Face *face, const Outline *other, int32_t v, int32_t reference, Over *out) {
  double x[2];
  get_vertex(other, v, x);
  double arm[2] = {x[0] - face->p[0], x[1] - face->p[1]};
  out->u = dot2(face->t, arm);
  out->h = dot2(face->n, arm);
  out->reference = slipi_feature(SLIPI_FEATURE_FACE, (uint32_t)reference);
  out->other = slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)v);
}

/* Move `end` of an edge to the side of the reference face it is beyond; false where the whole edge
 * is beyond it. */
static bool clip(const Outlines *pair, const Face *face, const Outline *own, int32_t reference,
                 const Over *other_end, uint32_t edge, Over *end) {
  if (end->u >= -pair->slack && end->u <= face->length + pair->slack)
    return true;
  bool low = end->u < 0;
  double side = low ? 0 : face->length;
  if (low ? other_end->u < -pair->slack : other_end->u > face->length + pair->slack)
    return false;
  double s = (side - end->u) / (other_end->u - end->u);
  end->h += s * (other_end->h - end->h);
  end->u = side;
  end->reference =
      slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)(low ? reference : after(own, reference)));
  end->other = edge;
  return true;
}

/* The edge of an outline that faces n: its normal is the most against it. */
static int32_t facing(const Outline *outline, const double n[2]) {
  double least = INFINITY;
  int32_t best = 0;
  for (int32_t f = 0; f < face_count(outline); f++) {
    Face face;
    get_face(outline, f, &face);
    double against = dot2(face.n, n);
    if (against < least) {
      least = against;
      best = f;
    }
  }
  return best;
}

/* The ends of the other outline's edge that lie over the reference face. */
static int find_over(const Outlines *pair, const Axis *axis, const Face *face, Over ends[2]) {
  const Outline *own = axis->of_a ? &pair->a : &pair->b, *other = axis->of_a ? &pair->b : &pair->a;
  int32_t f = facing(other, face->n);
  Over given[2];
  int count = 0;
  over(face, other, f, axis->face, &given[0]);
  over(face, other, after(other, f), axis->face, &given[1]);
  for (int k = 0; k < 2; k++) {
    ends[count] = given[k];
    count += clip(pair, face, own, axis->face, &given[1 - k],
                  slipi_feature(SLIPI_FEATURE_FACE, (uint32_t)f), &ends[count]);
  }
  /* An edge that stands on its end is one point, its lower one. */
  if (count == 2 && fabs(ends[0].u - ends[1].u) <= pair->slack) {
    ends[0] = ends[1].h < ends[0].h ? ends[1] : ends[0];
    count = 1;
  }
  return count;
}

/* Append the points over the reference face; how many there are, near or not, is in `found`. */
static bool add_face(const SlipiMeeting *m, const Outlines *pair, const Axis *axis, int *found) {
  Face face;
  Over ends[2];
  get_face(axis->of_a ? &pair->a : &pair->b, axis->face, &face);
  *found = find_over(pair, axis, &face, ends);
  for (int e = 0; e < *found; e++) {
    double on_b[2], n[2];
    for (int k = 0; k < 2; k++) {
      n[k] = axis->of_a ? -face.n[k] : face.n[k];
      on_b[k] = face.p[k] + ends[e].u * face.t[k] + (axis->of_a ? ends[e].h * face.n[k] : 0);
    }
    if (!add(m, pair, on_b, n, ends[e].h, axis->of_a ? ends[e].reference : ends[e].other,
             axis->of_a ? ends[e].other : ends[e].reference))
      return false;
  }
  return true;
}

bool slipi_meet_outlines(const SlipiMeeting *m) {
  Outlines pair;
  Axis axis = {.face = -1, .apart = -INFINITY};
  Nearest nearest = {.distance = INFINITY};
  make_outlines(m, &pair);
  try_faces(&pair.b, &pair.a, false, pair.slack, &axis);
  try_faces(&pair.a, &pair.b, true, pair.slack, &axis);
  if (axis.apart > m->reach + pair.a.radius + pair.b.radius)
    return true;
  bool overlap = axis.face >= 0 && axis.apart <= pair.slack;
  if (!overlap)
    find_nearest(&pair, &nearest);
  int found = 0;
  if (axis.face >= 0 && (overlap || nearest.distance <= axis.apart + pair.slack))
    if (!add_face(m, &pair, &axis, &found))
      return false;
  if (found > 0)
    return true;
  if (overlap)
    find_nearest(&pair, &nearest);
  return add_nearest(m, &pair, &nearest);
}
