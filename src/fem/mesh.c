#include "fem/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/sparse.h"

void slipi_fem_mesh_free(SlipiFemMesh *mesh) {
  if (!mesh)
    return;
  slipi_arena_free(&mesh->arena);
  free(mesh);
}

/* ---- Checks ---- */

static void element_points(const SlipiFemMesh *mesh, int32_t element, double (*x)[3]) {
  for (int32_t k = mesh->first[element]; k < mesh->first[element + 1]; k++)
    memcpy(x[k - mesh->first[element]], mesh->x + 3 * (int64_t)mesh->node[k], sizeof *x);
}

/* Nodes in range and of use, no node twice in an element, a map that is one to one. */
static SlipStatus check_elements(SlipiFemMesh *mesh, SlipError *error) {
  SlipiArena scratch = {0};
  uint8_t *used = SLIPI_ARENA_NEW(&scratch, uint8_t, mesh->nodes);
  int32_t *seen = SLIPI_ARENA_NEW(&scratch, int32_t, mesh->nodes);
  SlipStatus status = scratch.failed ? slipi_fail_memory(error, "a mesh") : SLIP_OK;
  for (int32_t e = 0; e < mesh->elements && status == SLIP_OK; e++) {
    const SlipiElementType *type = slipi_element_type((SlipiElementKind)mesh->kind[e]);
    double x[SLIPI_ELEMENT_NODES][3], N[SLIPI_ELEMENT_NODES], gradient[SLIPI_ELEMENT_NODES][3];
    for (int32_t k = mesh->first[e]; k < mesh->first[e + 1] && status == SLIP_OK; k++) {
      int32_t node = mesh->node[k];
      if (node < 0 || node >= mesh->nodes)
        status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "element %d has node %d of %d", (int)e,
                            (int)node, (int)mesh->nodes);
      else if (seen[node] == e + 1)
        status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "element %d has node %d twice", (int)e,
                            (int)node);
      else
        used[node] = 1, seen[node] = e + 1;
    }
    if (status != SLIP_OK)
      break;
    element_points(mesh, e, x);
    for (int point = 0; point < slipi_element_points(mesh->kind[e]) && status == SLIP_OK; point++) {
      double xi[3];
      slipi_element_point(mesh->kind[e], point, xi);
      double det = slipi_element_gradient(mesh->kind[e], x, xi, N, gradient);
      if (!(det > 0) || !isfinite(det))
        status = slipi_fail(error, SLIP_ERROR_ARGUMENT,
                            "element %d (%s) is flat or turned inside out: its map has the "
                            "determinant %g",
                            (int)e, type->name, det);
    }
  }
  for (int32_t k = 0; k < mesh->nodes && status == SLIP_OK; k++) {
    if (!used[k])
      status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "node %d belongs to no element", (int)k);
  }
  slipi_arena_free(&scratch);
  return status;
}

static SlipStatus finish(SlipiFemMesh *made, SlipStatus status, SlipiFemMesh **mesh,
                         SlipError *error) {
  if (status == SLIP_OK)
    status = check_elements(made, error);
  if (status == SLIP_OK)
    status = slipi_fem_surface(made, error);
  if (status == SLIP_OK)
    *mesh = made;
  else
    slipi_fem_mesh_free(made);
  return status;
}

static SlipiFemMesh *start(int d, SlipError *error) {
  SlipiFemMesh *mesh = calloc(1, sizeof *mesh);
  if (!mesh)
    slipi_fail_memory(error, "a mesh");
  else
    mesh->d = d;
  return mesh;
}

static SlipStatus alloc(SlipiFemMesh *mesh, int64_t nodes, int64_t elements, int64_t entries,
                        SlipError *error) {
  static const int64_t MOST = INT32_MAX / 40; /* so that numbers of entries are 32-bit */
  if (nodes > MOST || elements > MOST || entries > MOST)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the mesh has %lld nodes and %lld elements, more than %lld", (long long)nodes,
                      (long long)elements, (long long)MOST);
  SlipiArena *arena = &mesh->arena;
  mesh->nodes = (int32_t)nodes;
  mesh->elements = (int32_t)elements;
  mesh->x = SLIPI_ARENA_NEW(arena, double, 3 * nodes);
  mesh->kind = SLIPI_ARENA_NEW(arena, uint8_t, elements);
  mesh->first = SLIPI_ARENA_NEW(arena, int32_t, elements + 1);
  mesh->node = SLIPI_ARENA_NEW(arena, int32_t, entries);
  return arena->failed ? slipi_fail_memory(error, "a mesh") : SLIP_OK;
}

/* ---- Given elements ---- */

static SlipStatus check_given(const double *points, int32_t point_count, int32_t elements, int d,
                              SlipError *error) {
  if (point_count <= 0 || elements <= 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a mesh of %d points and %d elements",
                      (int)point_count, (int)elements);
  for (int64_t k = 0; k < 3 * (int64_t)point_count; k++) {
    if (!isfinite(points[k]) || (d == 2 && k % 3 == 2 && points[k] != 0))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "point %lld of the mesh has the coordinate %g",
                        (long long)(k / 3), points[k]);
  }
  return SLIP_OK;
}

SlipStatus slipi_fem_mesh_given(const double *points, int32_t point_count, const uint8_t *kinds,
                                SlipiElementKind kind, const int32_t *node, int32_t elements,
                                SlipiFemMesh **mesh, SlipError *error) {
  *mesh = NULL;
  int d = slipi_element_type(kinds && elements > 0 ? (SlipiElementKind)kinds[0] : kind)->d;
  SlipStatus status = check_given(points, point_count, elements, d, error);
  SlipiFemMesh *made = status == SLIP_OK ? start(d, error) : NULL;
  if (!made)
    return status == SLIP_OK ? SLIP_ERROR_MEMORY : status;
  int64_t entries = 0;
  for (int32_t e = 0; e < elements && status == SLIP_OK; e++) {
    const SlipiElementType *type = slipi_element_type(kinds ? (SlipiElementKind)kinds[e] : kind);
    entries += type->nodes;
    if (type->d != d)
      status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "element %d (%s) is of dimension %d, not %d",
                          (int)e, type->name, type->d, d);
  }
  if (status == SLIP_OK)
    status = alloc(made, point_count, elements, entries, error);
  if (status == SLIP_OK) {
    memcpy(made->x, points, 3 * (size_t)point_count * sizeof *points);
    memcpy(made->node, node, (size_t)entries * sizeof *node);
    for (int32_t e = 0; e < elements; e++) {
      made->kind[e] = kinds ? kinds[e] : (uint8_t)kind;
      made->first[e + 1] =
          made->first[e] + slipi_element_type((SlipiElementKind)made->kind[e])->nodes;
    }
  }
  return finish(made, status, mesh, error);
}

/* ---- Groups ---- */

SlipStatus slipi_fem_mesh_group(SlipiFemMesh *mesh, const char *name, const int32_t *node,
                                int32_t count, SlipError *error) {
  SlipiArena *arena = &mesh->arena;
  SlipiFemGroup *grown = SLIPI_ARENA_NEW(arena, SlipiFemGroup, (int64_t)mesh->groups + 1);
  int32_t *copy = slipi_arena_copy(arena, node, (size_t)count, sizeof *node);
  char *text = slipi_arena_copy(arena, name, strlen(name) + 1, 1);
  if (arena->failed)
    return slipi_fail_memory(error, "a mesh");
  if (count > 0)
    qsort(copy, (size_t)count, sizeof *copy, slipi_compare_index);
  int32_t kept = 0;
  for (int32_t k = 0; k < count; k++) {
    if (copy[k] < 0 || copy[k] >= mesh->nodes)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the group %s has node %d of %d", name,
                        (int)copy[k], (int)mesh->nodes);
    if (kept == 0 || copy[kept - 1] != copy[k])
      copy[kept++] = copy[k];
  }
  if (mesh->groups > 0)
    memcpy(grown, mesh->group, (size_t)mesh->groups * sizeof *grown);
  grown[mesh->groups++] = (SlipiFemGroup){text, kept, copy};
  mesh->group = grown;
  return SLIP_OK;
}

static bool select_side(const SlipiFemMesh *mesh, int axis, bool high, uint8_t *marked) {
  static const double NEAR = 1e-9; /* of the extent of the mesh */
  double least = INFINITY, most = -INFINITY;
  for (int32_t k = 0; k < mesh->nodes; k++) {
    least = fmin(least, mesh->x[3 * (int64_t)k + axis]);
    most = fmax(most, mesh->x[3 * (int64_t)k + axis]);
  }
  for (int32_t k = 0; k < mesh->nodes; k++) {
    double at = mesh->x[3 * (int64_t)k + axis], off = high ? most - at : at - least;
    marked[k] = off <= NEAR * (most - least);
  }
  return true;
}

bool slipi_fem_mesh_select(const SlipiFemMesh *mesh, const char *name, uint8_t *marked) {
  memset(marked, 0, (size_t)mesh->nodes);
  for (int32_t g = 0; g < mesh->groups; g++) {
    if (strcmp(mesh->group[g].name, name) != 0)
      continue;
    for (int32_t k = 0; k < mesh->group[g].nodes; k++)
      marked[mesh->group[g].node[k]] = 1;
    return true;
  }
  if (strcmp(name, "all") == 0) {
    memset(marked, 1, (size_t)mesh->nodes);
    return true;
  }
  if (strcmp(name, "surface") == 0) {
    for (int32_t k = 0; k < mesh->face_first[mesh->faces]; k++)
      marked[mesh->face_node[k]] = 1;
    return true;
  }
  int axis = name[0] >= 'x' && name[0] < 'x' + mesh->d ? name[0] - 'x' : -1;
  if (axis >= 0 && (strcmp(name + 1, "min") == 0 || strcmp(name + 1, "max") == 0))
    return select_side(mesh, axis, name[2] == 'a', marked);
  return false;
}

/* ---- Boxes and round shapes ---- */

/* A square or cube [-1, 1]^d to a disc or ball, the middle a little less distorted than the rim. */
static void make_round(int axes, double x[3]) {
  double a = x[0] * x[0], b = x[1] * x[1], c = axes == 3 ? x[2] * x[2] : 0;
  const double old[3] = {a, b, c};
  for (int k = 0; k < axes; k++) {
    double p = old[(k + 1) % 3], q = old[(k + 2) % 3];
    x[k] *= sqrt(1 - p / 2 - q / 2 + p * q / 3);
  }
}

typedef struct Grid {
  const SlipiMeshPlan *plan;
  int d;
  int64_t nodes[3]; /* along each axis */
} Grid;

static int32_t grid_node(const Grid *grid, int64_t i, int64_t j, int64_t k) {
  return (int32_t)((i * grid->nodes[1] + j) * grid->nodes[2] + k);
}

static void place_nodes(const Grid *grid, SlipiFemMesh *mesh) {
  const SlipiMeshPlan *plan = grid->plan;
  for (int64_t i = 0; i < grid->nodes[0]; i++)
    for (int64_t j = 0; j < grid->nodes[1]; j++)
      for (int64_t k = 0; k < grid->nodes[2]; k++) {
        const int64_t at[3] = {i, j, k};
        double *x = mesh->x + 3 * (int64_t)grid_node(grid, i, j, k);
        for (int axis = 0; axis < grid->d; axis++)
          x[axis] = 2.0 * (double)at[axis] / plan->cells[axis] - 1;
        if (plan->shape != SLIPI_MESH_BOX)
          make_round(plan->shape == SLIPI_MESH_BALL && grid->d == 3 ? 3 : 2, x);
        for (int axis = 0; axis < grid->d; axis++)
          x[axis] *= plan->edges[axis] / 2;
      }
}

/* The elements of one cell, whose corners are in the order of H8 or Q4; returns their number.
 * Simplices share a diagonal from the first to the last corner, which fits that of the neighbour.
 */
static int cell_elements(SlipiElementKind kind, int32_t element[6][8]) {
  static const int8_t split3[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                      {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  static const int8_t split2[2][3] = {{0, 1, 2}, {0, 2, 3}};
  if (kind == SLIPI_H8 || kind == SLIPI_Q4) {
    for (int a = 0; a < 8; a++)
      element[0][a] = a;
    return 1;
  }
  int count = kind == SLIPI_T3 ? 2 : 6, corners = kind == SLIPI_T3 ? 3 : 4;
  for (int e = 0; e < count; e++)
    for (int a = 0; a < corners; a++)
      element[e][a] = kind == SLIPI_T3 ? split2[e][a] : split3[e][a];
  return count;
}

static void place_elements(const Grid *grid, SlipiElementKind kind, SlipiFemMesh *mesh) {
  static const int8_t corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  int32_t split[6][8], e = 0;
  int parts = cell_elements(kind, split), nodes = slipi_element_type(kind)->nodes;
  const int32_t *cells = grid->plan->cells;
  for (int32_t i = 0; i < cells[0]; i++)
    for (int32_t j = 0; j < cells[1]; j++)
      for (int32_t k = 0; k < (grid->d == 3 ? cells[2] : 1); k++)
        for (int part = 0; part < parts; part++, e++) {
          mesh->kind[e] = (uint8_t)kind;
          mesh->first[e + 1] = mesh->first[e] + nodes;
          for (int a = 0; a < nodes; a++) {
            const int8_t *c = corner[split[part][a]];
            mesh->node[mesh->first[e] + a] = grid_node(grid, i + c[0], j + c[1], k + c[2]);
          }
        }
}

static SlipStatus check_plan(const SlipiMeshPlan *plan, SlipError *error) {
  int d = slipi_element_type(plan->kind)->d;
  for (int k = 0; k < d; k++) {
    if (!(plan->edges[k] > 0) || !isfinite(plan->edges[k]))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a mesh has the extent %g", plan->edges[k]);
    if (plan->cells[k] < 1 || plan->cells[k] > 10000)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a mesh has %d cells along an axis",
                        (int)plan->cells[k]);
  }
  if (plan->shape == SLIPI_MESH_CYLINDER && d == 2)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a cylinder is not for 2D elements");
  return SLIP_OK;
}

/* ---- Nodes in the middle of edges ---- */

typedef struct Edge {
  int32_t low, high, at; /* nodes, and the place in mesh->node that wants the middle */
} Edge;

static int compare_edge(const void *a, const void *b) {
  const Edge *p = a, *q = b;
  if (p->low != q->low)
    return p->low < q->low ? -1 : 1;
  if (p->high != q->high)
    return p->high < q->high ? -1 : 1;
  return p->at < q->at ? -1 : p->at > q->at;
}

static Edge *list_edges(const SlipiFemMesh *mesh, SlipiArena *scratch) {
  static const int8_t edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
  Edge *edges = SLIPI_ARENA_RAW(scratch, Edge, 6 * (int64_t)mesh->elements);
  for (int64_t k = 0; edges && k < 6 * (int64_t)mesh->elements; k++) {
    const int32_t *node = mesh->node + 4 * (k / 6);
    int32_t a = node[edge[k % 6][0]], b = node[edge[k % 6][1]];
    edges[k] = (Edge){a < b ? a : b, a < b ? b : a, (int32_t)(10 * (k / 6) + 4 + k % 6)};
  }
  if (edges)
    qsort(edges, 6 * (size_t)mesh->elements, sizeof *edges, compare_edge);
  return edges;
}

/* T10 of T4. */
static SlipStatus make_quadratic(SlipiFemMesh **mesh, SlipError *error) {
  SlipiFemMesh *from = *mesh, *to = start(3, error);
  SlipiArena scratch = {0};
  Edge *edges = to ? list_edges(from, &scratch) : NULL;
  int64_t count = 6 * (int64_t)from->elements, middles = 0;
  if (!edges) {
    slipi_fem_mesh_free(to);
    return slipi_fail_memory(error, "a mesh");
  }
  for (int64_t k = 0; k < count; k++)
    middles += k == 0 || edges[k].low != edges[k - 1].low || edges[k].high != edges[k - 1].high;
  SlipStatus status =
      alloc(to, from->nodes + middles, from->elements, 10 * (int64_t)from->elements, error);
  if (status == SLIP_OK) {
    memcpy(to->x, from->x, 3 * (size_t)from->nodes * sizeof *to->x);
    for (int32_t e = 0; e < from->elements; e++) {
      to->kind[e] = SLIPI_T10;
      to->first[e + 1] = 10 * (e + 1);
      memcpy(to->node + 10 * (int64_t)e, from->node + 4 * (int64_t)e, 4 * sizeof *to->node);
    }
    int32_t node = from->nodes - 1;
    for (int64_t k = 0; k < count; k++) {
      if (k == 0 || edges[k].low != edges[k - 1].low || edges[k].high != edges[k - 1].high) {
        node++;
        for (int c = 0; c < 3; c++)
          to->x[3 * (int64_t)node + c] =
              (from->x[3 * (int64_t)edges[k].low + c] + from->x[3 * (int64_t)edges[k].high + c]) /
              2;
      }
      to->node[edges[k].at] = node;
    }
  }
  slipi_arena_free(&scratch);
  slipi_fem_mesh_free(status == SLIP_OK ? from : to);
  *mesh = status == SLIP_OK ? to : from;
  return status;
}

SlipStatus slipi_fem_mesh_make(const SlipiMeshPlan *plan, SlipiFemMesh **mesh, SlipError *error) {
  *mesh = NULL;
  SlipStatus status = check_plan(plan, error);
  if (status != SLIP_OK)
    return status;
  Grid grid = {.plan = plan, .d = slipi_element_type(plan->kind)->d, .nodes = {1, 1, 1}};
  SlipiElementKind kind = plan->kind == SLIPI_T10 ? SLIPI_T4 : plan->kind;
  int64_t nodes = 1, cells = 1;
  for (int k = 0; k < grid.d; k++) {
    grid.nodes[k] = (int64_t)plan->cells[k] + 1;
    nodes *= grid.nodes[k];
    cells *= plan->cells[k];
  }
  int32_t split[6][8];
  int64_t elements = cells * cell_elements(kind, split);
  SlipiFemMesh *made = start(grid.d, error);
  if (!made)
    return SLIP_ERROR_MEMORY;
  status = alloc(made, nodes, elements, elements * slipi_element_type(kind)->nodes, error);
  if (status == SLIP_OK) {
    place_nodes(&grid, made);
    place_elements(&grid, kind, made);
    if (plan->kind == SLIPI_T10)
      status = make_quadratic(&made, error);
  }
  return finish(made, status, mesh, error);
}
