/* Surfaces of two deformable bodies on each other, weighted over the area that they share.
 *
 * Each node a of the finer surface has a contact whose gap and velocity are means with its shape
 * function for weight,
 *
 *     g_a = int N_a (x - x') . n / int N_a,
 *
 * over the part of its facets that facets of the other surface cover, x and x' opposite points of
 * the two. The integrals are taken over the polygons in which two facets overlap, exactly for
 * facets that are parallelograms or triangles, so that a uniform pressure passes through whatever
 * the meshes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "contact/bodies.h"
#include "sim/soft.h"

enum { CORNERS = 12 }; /* of a polygon in which two facets overlap, at most 8 */

/* A facet in the plane of the finer one's. */
typedef struct Facet {
  int corners;
  int32_t node[4];
  double x[4][3]; /* in space */
  double y[4][2]; /* in the plane */
} Facet;

/* Sums over the overlaps of one node: area, gap, normal, and weights of nodes. */
typedef struct Sums {
  double area, gap, point[3];
} Sums;

typedef struct Weight {
  int32_t row, side, node;
  double value;
} Weight;

typedef struct Mortar {
  SlipSim *sim;
  const SlipiSoft *soft[2]; /* finer, other */
  Sums *sum;                /* of each node of the finer one */
  double (*normal)[3];
  Weight *weight;
  int32_t weights, capacity;
  double by; /* how far apart they may be */
  bool lost;
} Mortar;

static void load_facet(const SlipiSoft *soft, int32_t f, Facet *facet) {
  facet->corners = 0;
  for (int a = 0; a < 4 && soft->facet[4 * (int64_t)f + a] >= 0; a++) {
    facet->node[a] = soft->facet[4 * (int64_t)f + a];
    memcpy(facet->x[a], soft->mid_x + 3 * (int64_t)facet->node[a], sizeof facet->x[a]);
    facet->corners++;
  }
}

static void normal_of(const Facet *facet, double n[3]) {
  double xi[2] = {facet->corners == 3 ? 1.0 / 3 : 0, facet->corners == 3 ? 1.0 / 3 : 0};
  slipi_face_normal(facet->corners, (const double(*)[3])facet->x, xi, n);
}

/* ---- The plane of a facet ---- */

typedef struct Plane {
  double origin[3], n[3], t[2][3];
} Plane;

static bool make_plane(const Facet *facet, Plane *plane) {
  normal_of(facet, plane->n);
  double length = slipi_length(plane->n);
  if (!(length > 0))
    return false;
  for (int k = 0; k < 3; k++) {
    plane->n[k] /= length;
    plane->origin[k] = 0;
    for (int a = 0; a < facet->corners; a++)
      plane->origin[k] += facet->x[a][k] / facet->corners;
  }
  if (facet->corners == 2) { /* along the edge */
    slipi_sub(facet->x[1], facet->x[0], plane->t[0]);
    double edge = slipi_length(plane->t[0]);
    for (int k = 0; k < 3; k++) {
      plane->t[0][k] /= edge;
      plane->t[1][k] = 0;
    }
    return true;
  }
  double frame[3][3] = {{0}};
  slipi_contact_frame(3, plane->n, frame);
  memcpy(plane->t[0], frame[1], sizeof frame[1]);
  memcpy(plane->t[1], frame[2], sizeof frame[2]);
  return true;
}

static void project(const Plane *plane, Facet *facet) {
  for (int a = 0; a < facet->corners; a++) {
    double arm[3];
    slipi_sub(facet->x[a], plane->origin, arm);
    facet->y[a][0] = slipi_dot3(plane->t[0], arm);
    facet->y[a][1] = slipi_dot3(plane->t[1], arm);
  }
}

/* Shape functions of the point of a facet that is above a point of the plane. */
static void shape_at(const Facet *facet, const double at[2], double *N) {
  double dN[SLIPI_FACE_NODES][2], xi[2] = {0, 0};
  for (int round = 0; round < 20; round++) {
    double off[2] = {-at[0], -at[1]}, J[2][2] = {{0}};
    slipi_face_shape(facet->corners, xi, N, dN);
    for (int a = 0; a < facet->corners; a++)
      for (int i = 0; i < 2; i++) {
        off[i] += N[a] * facet->y[a][i];
        J[i][0] += dN[a][0] * facet->y[a][i];
        J[i][1] += dN[a][1] * facet->y[a][i];
      }
    if (facet->corners == 2) {
      xi[0] -= off[0] / J[0][0];
    } else {
      double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
      double step[2] = {(J[1][1] * off[0] - J[0][1] * off[1]) / det,
                        (J[0][0] * off[1] - J[1][0] * off[0]) / det};
      xi[0] -= step[0];
      xi[1] -= step[1];
      if (fabs(step[0]) + fabs(step[1]) > 1e-14)
        continue;
    }
    if (round > 0)
      break;
  }
  slipi_face_shape(facet->corners, xi, N, dN);
}

/* ---- Overlaps ---- */

/* Cut a polygon by the inner side of each edge of another, which goes around as `turn` says. */
static int clip(const Facet *by, double turn, double (*p)[2], int count) {
  for (int e = 0; e < by->corners && count > 0; e++) {
    const double *a = by->y[e], *b = by->y[(e + 1) % by->corners];
    double out[CORNERS][2], side[CORNERS];
    int kept = 0;
    for (int k = 0; k < count; k++)
      side[k] = turn * ((b[0] - a[0]) * (p[k][1] - a[1]) - (b[1] - a[1]) * (p[k][0] - a[0]));
    for (int k = 0; k < count && kept < CORNERS - 1; k++) {
      int next = (k + 1) % count;
      if (side[k] >= 0)
        memcpy(out[kept++], p[k], sizeof *out);
      if ((side[k] > 0 && side[next] < 0) || (side[k] < 0 && side[next] > 0)) {
        double t = side[k] / (side[k] - side[next]);
        for (int i = 0; i < 2; i++)
          out[kept][i] = p[k][i] + t * (p[next][i] - p[k][i]);
        kept++;
      }
    }
    memcpy(p, out, (size_t)kept * sizeof *out);
    count = kept;
  }
  return count < 3 ? 0 : count;
}

static void add_weight(Mortar *m, int32_t row, int32_t side, int32_t node, double value) {
  if (!SLIPI_ROOM(m->weight, m->capacity, (int64_t)m->weights + 1)) {
    m->lost = true;
    return;
  }
  m->weight[m->weights++] = (Weight){row, side, node, value};
}

/* One overlap's sums: share[a] is of node a of the finer facet. */
typedef struct Share {
  double area[4], gap[4], point[4][3], D[4][4], M[4][4];
} Share;

static void add_quadrature(const Plane *plane, const Facet facet[2], const double at[2],
                           double weight, Share *share) {
  double N[2][SLIPI_FACE_NODES], x[2][3] = {{0}}, apart[3];
  for (int side = 0; side < 2; side++) {
    shape_at(&facet[side], at, N[side]);
    for (int a = 0; a < facet[side].corners; a++)
      for (int k = 0; k < 3; k++)
        x[side][k] += N[side][a] * facet[side].x[a][k];
  }
  slipi_sub(x[1], x[0], apart);
  double gap = slipi_dot3(apart, plane->n);
  for (int a = 0; a < facet[0].corners; a++) {
    double w = weight * N[0][a];
    share->area[a] += w;
    share->gap[a] += w * gap;
    for (int k = 0; k < 3; k++)
      share->point[a][k] += w * (x[0][k] + x[1][k]) / 2;
    for (int b = 0; b < facet[0].corners; b++)
      share->D[a][b] += w * N[0][b];
    for (int b = 0; b < facet[1].corners; b++)
      share->M[a][b] += w * N[1][b];
  }
}

/* Integrate over a polygon, by triangles from its first corner; an edge's overlap in 2D. */
static double integrate(const Plane *plane, const Facet facet[2], double (*p)[2], int count,
                        Share *share) {
  double total = 0;
  memset(share, 0, sizeof *share);
  if (facet[0].corners == 2) {
    for (int point = 0; point < 2; point++) {
      double xi[2], weight = slipi_face_point(2, point, xi), half = (p[1][0] - p[0][0]) / 2;
      double at[2] = {(p[0][0] + p[1][0]) / 2 + half * xi[0], 0};
      add_quadrature(plane, facet, at, weight * half, share);
    }
    return p[1][0] - p[0][0];
  }
  for (int k = 1; k + 1 < count; k++) {
    double a[2] = {p[k][0] - p[0][0], p[k][1] - p[0][1]};
    double b[2] = {p[k + 1][0] - p[0][0], p[k + 1][1] - p[0][1]};
    double twice = fabs(a[0] * b[1] - a[1] * b[0]);
    total += twice / 2;
    for (int point = 0; point < slipi_face_points(6); point++) {
      double xi[2], weight = slipi_face_point(6, point, xi);
      double at[2] = {p[0][0] + xi[0] * a[0] + xi[1] * b[0], p[0][1] + xi[0] * a[1] + xi[1] * b[1]};
      add_quadrature(plane, facet, at, weight * twice, share);
    }
  }
  return total;
}

static int overlap(const Facet facet[2], double (*p)[2]) {
  if (facet[0].corners == 2) {
    double low =
        fmax(fmin(facet[0].y[0][0], facet[0].y[1][0]), fmin(facet[1].y[0][0], facet[1].y[1][0]));
    double high =
        fmin(fmax(facet[0].y[0][0], facet[0].y[1][0]), fmax(facet[1].y[0][0], facet[1].y[1][0]));
    p[0][0] = low;
    p[1][0] = high;
    p[0][1] = p[1][1] = 0;
    return high > low ? 2 : 0;
  }
  memcpy(p, facet[0].y, (size_t)facet[0].corners * sizeof *p);
  return clip(&facet[1], -1, p, facet[0].corners); /* seen from the finer one it goes clockwise */
}

static double extent(const Facet *facet) {
  double edge[3];
  slipi_sub(facet->x[1], facet->x[0], edge);
  return slipi_length(edge);
}

/* The area that they share. */
static double pair_facets(Mortar *m, const Plane *plane, Facet facet[2]) {
  static const double FACING = -0.3; /* normals this opposite, or more */
  double n[3], p[CORNERS][2];
  Share share;
  normal_of(&facet[1], n);
  if (!(slipi_dot3(n, plane->n) < FACING * slipi_length(n)))
    return 0;
  project(plane, &facet[1]);
  int count = overlap(facet, p);
  if (count == 0)
    return 0;
  double area = integrate(plane, facet, p, count, &share);
  double gap = 0, edge = extent(&facet[0]);
  for (int a = 0; a < facet[0].corners; a++)
    gap += share.gap[a];
  if (!(area > 0) || gap > area * m->by || gap < -area * fmax(m->by, edge))
    return 0; /* too far, or the other side of the body */
  for (int a = 0; a < facet[0].corners; a++) {
    Sums *sum = &m->sum[facet[0].node[a]];
    sum->area += share.area[a];
    sum->gap += share.gap[a];
    for (int k = 0; k < 3; k++)
      sum->point[k] += share.point[a][k];
    for (int b = 0; b < facet[0].corners; b++)
      add_weight(m, facet[0].node[a], 0, facet[0].node[b], share.D[a][b]);
    for (int b = 0; b < facet[1].corners; b++)
      add_weight(m, facet[0].node[a], 1, facet[1].node[b], share.M[a][b]);
  }
  return area;
}

/* ---- Facets that may meet ---- */

typedef struct Box {
  double low[3], high[3];
} Box;

static Box box_of(const Facet *facet, double by) {
  Box box;
  for (int k = 0; k < 3; k++) {
    box.low[k] = INFINITY;
    box.high[k] = -INFINITY;
    for (int a = 0; a < facet->corners; a++) {
      box.low[k] = fmin(box.low[k], facet->x[a][k] - by);
      box.high[k] = fmax(box.high[k], facet->x[a][k] + by);
    }
  }
  return box;
}

static bool apart(const Box *a, const Box *b) {
  for (int k = 0; k < 3; k++) {
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
      return true;
  }
  return false;
}

/* Facets of one body that come near the box around the other, with their boxes. */
static int32_t list_facets(const SlipiSoft *soft, const Box *around, double by, int32_t *list,
                           Box *box) {
  int32_t count = 0;
  for (int32_t f = 0; f < soft->facets; f++) {
    Facet facet;
    load_facet(soft, f, &facet);
    Box mine = box_of(&facet, by);
    if (around && apart(&mine, around))
      continue;
    list[count] = f;
    box[count++] = mine;
  }
  return count;
}

static Box around_all(const Box *box, int32_t count) {
  Box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int32_t f = 0; f < count; f++)
    for (int k = 0; k < 3; k++) {
      all.low[k] = fmin(all.low[k], box[f].low[k]);
      all.high[k] = fmax(all.high[k], box[f].high[k]);
    }
  return all;
}

static void walk_facets(Mortar *m, const int32_t *const list[2], const Box *const box[2],
                        const int32_t count[2]) {
  for (int32_t i = 0; i < count[0] && !m->lost; i++) {
    Facet facet[2];
    Plane plane;
    load_facet(m->soft[0], list[0][i], &facet[0]);
    if (!make_plane(&facet[0], &plane))
      continue;
    project(&plane, &facet[0]);
    double shared = 0;
    for (int32_t j = 0; j < count[1]; j++) {
      if (apart(&box[0][i], &box[1][j]))
        continue;
      load_facet(m->soft[1], list[1][j], &facet[1]);
      shared += pair_facets(m, &plane, facet);
    }
    for (int a = 0; shared > 0 && a < facet[0].corners; a++)
      for (int k = 0; k < 3; k++)
        m->normal[facet[0].node[a]][k] += shared * plane.n[k];
  }
}

/* ---- Contacts of the sums ---- */

static int compare_weights(const void *a, const void *b) {
  const Weight *p = a, *q = b;
  if (p->row != q->row)
    return p->row < q->row ? -1 : 1;
  if (p->side != q->side)
    return p->side - q->side;
  return p->node < q->node ? -1 : p->node > q->node;
}

static bool add_contact(Mortar *m, const int32_t index[2], int32_t row, const Weight *w,
                        int32_t count, double h) {
  SlipSim *sim = m->sim;
  const SlipiSoft *fine = m->soft[0], *other = m->soft[1];
  const Sums *sum = &m->sum[row];
  double n[3], length = slipi_length(m->normal[row]);
  SlipiContact contact = {.part = {-1, -1},
                          .body = {fine->slot, other->slot},
                          .serial = {UINT32_MAX, UINT32_MAX},
                          .gap = sum->gap / sum->area};
  SlipiSoftTouch touch = {.soft = {index[0], index[1]}};
  if (!(length > 0))
    return true;
  for (int k = 0; k < 3; k++) {
    n[k] = -m->normal[row][k] / length;
    contact.point[k] = sum->point[k] / sum->area;
  }
  slipi_contact_frame(sim->def.dimension, n, contact.frame);
  slipi_soft_rule(sim, sim->bodies.material[fine->slot], sim->bodies.material[other->slot],
                  &contact);
  uint64_t pair = slipi_hash_word((uint64_t)fine->slot << 32 | (uint32_t)other->slot, 0x3027a2);
  contact.feature = slipi_hash_word(pair, (uint64_t)row);
  contact.key = contact.feature;
  touch.first[0] = touch.end[0] = sim->softs->entries;
  for (int32_t k = 0; k < count;) {
    int32_t end = k;
    double value = 0;
    for (; end < count && w[end].side == w[k].side && w[end].node == w[k].node; end++)
      value += w[end].value;
    if (!slipi_soft_entry(sim, w[k].node, value / sum->area))
      return false;
    if (w[k].side == 0)
      touch.end[0] = sim->softs->entries;
    k = end;
  }
  touch.first[1] = touch.end[0];
  touch.end[1] = sim->softs->entries;
  return slipi_soft_contact(sim, &contact, &touch, fmin(fine->size, other->size), h);
}

/* Nodes of which only a sliver is covered have no contact: their neighbours carry it. */
static bool add_contacts(Mortar *m, const int32_t index[2], double h) {
  static const double SLIVER = 1e-3;
  if (m->weights > 0)
    qsort(m->weight, (size_t)m->weights, sizeof *m->weight, compare_weights);
  for (int32_t k = 0; k < m->weights;) {
    int32_t end = k, row = m->weight[k].row;
    while (end < m->weights && m->weight[end].row == row)
      end++;
    if (m->sum[row].area > SLIVER * m->soft[0]->area[row] &&
        !add_contact(m, index, row, m->weight + k, end - k, h))
      return false;
    k = end;
  }
  return true;
}

bool slipi_soft_mortar(SlipSim *sim, int32_t fine, int32_t other, double by, double h) {
  const int32_t index[2] = {fine, other};
  SlipiArena scratch = {0};
  Mortar m = {.sim = sim, .soft = {sim->softs->at[fine], sim->softs->at[other]}, .by = by};
  int32_t *list[2], count[2];
  Box *box[2];
  m.sum = SLIPI_ARENA_NEW(&scratch, Sums, m.soft[0]->nodes);
  m.normal = slipi_arena_alloc(&scratch, (size_t)m.soft[0]->nodes, sizeof *m.normal);
  for (int side = 0; side < 2; side++) {
    list[side] = SLIPI_ARENA_RAW(&scratch, int32_t, m.soft[side]->facets);
    box[side] = SLIPI_ARENA_RAW(&scratch, Box, m.soft[side]->facets);
  }
  bool made = !scratch.failed;
  if (made) {
    count[0] = list_facets(m.soft[0], NULL, by, list[0], box[0]);
    Box all = around_all(box[0], count[0]);
    count[1] = list_facets(m.soft[1], &all, by, list[1], box[1]);
    all = around_all(box[1], count[1]);
    count[0] = list_facets(m.soft[0], &all, by, list[0], box[0]);
    walk_facets(&m, (const int32_t *const *)list, (const Box *const *)box, count);
    made = !m.lost && add_contacts(&m, index, h);
  }
  free(m.weight);
  slipi_arena_free(&scratch);
  return made;
}
