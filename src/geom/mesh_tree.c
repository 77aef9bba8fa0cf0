/* A binary tree of boxes over the triangles of a mesh: split in the middle of the centres along the
 * longest axis, or into equal halves where that leaves one side empty or the tree is deep. */
#include "geom/mesh.h"

#include <string.h>

enum { LEAF = 4, DEEP = 40, STACK = 2 * (DEEP + 32) };

typedef struct Builder {
  const SlipiMesh *mesh;
  SlipiMeshNode *node;
  int32_t *order;
  int32_t used;
} Builder;

static void triangle_box(const SlipiMesh *mesh, int32_t t, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    const double *v = mesh->vertex;
    const int32_t *c = mesh->triangle + 3 * (size_t)t;
    double x = v[3 * (size_t)c[0] + k], y = v[3 * (size_t)c[1] + k], z = v[3 * (size_t)c[2] + k];
    low[k] = fmin(x, fmin(y, z));
    high[k] = fmax(x, fmax(y, z));
  }
}

static double middle(const SlipiMesh *mesh, int32_t t, int axis) {
  double low[3], high[3];
  triangle_box(mesh, t, low, high);
  return 0.5 * low[axis] + 0.5 * high[axis];
}

/* The box of a node, and that of the middles of its triangles. */
static void bound(Builder *b, SlipiMeshNode *node, double least[3], double most[3]) {
  for (int k = 0; k < 3; k++) {
    node->low[k] = least[k] = INFINITY;
    node->high[k] = most[k] = -INFINITY;
  }
  for (int32_t i = node->first; i < node->first + node->count; i++) {
    double low[3], high[3];
    triangle_box(b->mesh, b->order[i], low, high);
    for (int k = 0; k < 3; k++) {
      double centre = 0.5 * low[k] + 0.5 * high[k];
      node->low[k] = fmin(node->low[k], low[k]);
      node->high[k] = fmax(node->high[k], high[k]);
      least[k] = fmin(least[k], centre);
      most[k] = fmax(most[k], centre);
    }
  }
}

/* Triangles before the middle come first; how many these are. */
static int32_t part(Builder *b, int32_t first, int32_t count, int axis, double at) {
  int32_t low = first, high = first + count;
  while (low < high) {
    if (middle(b->mesh, b->order[low], axis) < at) {
      low++;
      continue;
    }
    int32_t swap = b->order[--high];
    b->order[high] = b->order[low];
    b->order[low] = swap;
  }
  return low - first;
}

static void split(Builder *b, int32_t index, int depth) {
  SlipiMeshNode *node = &b->node[index];
  double least[3], most[3];
  bound(b, node, least, most);
  if (node->count <= LEAF)
    return;
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (most[k] - least[k] > most[axis] - least[axis])
      axis = k;
  int32_t first = node->first, count = node->count, left = 0;
  if (depth < DEEP)
    left = part(b, first, count, axis, 0.5 * least[axis] + 0.5 * most[axis]);
  if (left == 0 || left == count)
    left = count / 2;
  int32_t child = b->used;
  b->used += 2;
  node->first = child;
  node->count = 0;
  b->node[child] = (SlipiMeshNode){.first = first, .count = left};
  b->node[child + 1] = (SlipiMeshNode){.first = first + left, .count = count - left};
  split(b, child, depth + 1);
  split(b, child + 1, depth + 1);
}

bool slipi_mesh_build_tree(SlipiMesh *mesh, SlipiArena *arena) {
  Builder b = {.mesh = mesh, .used = 1};
  b.node = SLIPI_ARENA_RAW(arena, SlipiMeshNode, 2 * (size_t)mesh->triangles);
  b.order = SLIPI_ARENA_RAW(arena, int32_t, mesh->triangles);
  if (arena->failed)
    return false;
  for (int32_t t = 0; t < mesh->triangles; t++)
    b.order[t] = t;
  b.node[0] = (SlipiMeshNode){.first = 0, .count = mesh->triangles};
  split(&b, 0, 0);
  mesh->node = b.node;
  mesh->order = b.order;
  memcpy(mesh->low, b.node[0].low, sizeof mesh->low);
  memcpy(mesh->high, b.node[0].high, sizeof mesh->high);
  return true;
}

static bool meets(const double low[3], const double high[3], const double other_low[3],
                  const double other_high[3]) {
  for (int k = 0; k < 3; k++)
    if (!(low[k] <= other_high[k] && other_low[k] <= high[k]))
      return false;
  return true;
}

static bool visit_leaf(const SlipiMesh *mesh, const SlipiMeshNode *node, const double low[3],
                       const double high[3], bool (*visit)(void *user, int32_t triangle),
                       void *user) {
  for (int32_t i = node->first; i < node->first + node->count; i++) {
    double own_low[3], own_high[3];
    triangle_box(mesh, mesh->order[i], own_low, own_high);
    if (meets(low, high, own_low, own_high) && !visit(user, mesh->order[i]))
      return false;
  }
  return true;
}

/* The tree is at most DEEP levels of uneven and 32 of even splits deep, and each level leaves one
 * node on the stack. */
bool slipi_mesh_each(const SlipiMesh *mesh, const double low[3], const double high[3],
                     bool (*visit)(void *user, int32_t triangle), void *user) {
  int32_t stack[STACK];
  int used = 1;
  stack[0] = 0;
  while (used > 0) {
    const SlipiMeshNode *node = &mesh->node[stack[--used]];
    if (!meets(low, high, node->low, node->high))
      continue;
    if (node->count == 0) {
      stack[used++] = node->first + 1;
      stack[used++] = node->first;
    } else if (!visit_leaf(mesh, node, low, high, visit, user)) {
      return false;
    }
  }
  return true;
}
