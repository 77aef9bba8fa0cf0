#include "fem/assemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which nodes meet ---- */

typedef struct Graph {
  int32_t *p, *j; /* neighbours of each node, itself among them, ascending */
} Graph;

/* Elements of each node. */
static bool list_elements(const SlipiFemMesh *mesh, SlipiArena *scratch, int32_t **p,
                          int32_t **element) {
  int64_t entries = mesh->first[mesh->elements];
  *p = SLIPI_ARENA_NEW(scratch, int32_t, (int64_t)mesh->nodes + 2);
  *element = SLIPI_ARENA_RAW(scratch, int32_t, entries);
  if (scratch->failed)
    return false;
  for (int64_t k = 0; k < entries; k++)
    (*p)[mesh->node[k] + 2]++;
  for (int32_t k = 0; k < mesh->nodes; k++)
    (*p)[k + 2] += (*p)[k + 1];
  for (int32_t e = 0; e < mesh->elements; e++)
    for (int32_t k = mesh->first[e]; k < mesh->first[e + 1]; k++)
      (*element)[(*p)[mesh->node[k] + 1]++] = e;
  return true;
}

static int32_t gather_neighbours(const SlipiFemMesh *mesh, const int32_t *p, const int32_t *element,
                                 int32_t node, int32_t *seen, int32_t *list) {
  int32_t count = 0;
  for (int32_t k = p[node]; k < p[node + 1]; k++)
    for (int32_t a = mesh->first[element[k]]; a < mesh->first[element[k] + 1]; a++) {
      int32_t other = mesh->node[a];
      if (seen[other] == node + 1)
        continue;
      seen[other] = node + 1;
      list[count++] = other;
    }
  qsort(list, (size_t)count, sizeof *list, slipi_compare_index);
  return count;
}

static bool make_graph(const SlipiFemMesh *mesh, SlipiArena *scratch, Graph *graph) {
  int32_t *p, *element;
  if (!list_elements(mesh, scratch, &p, &element))
    return false;
  int32_t *seen = SLIPI_ARENA_NEW(scratch, int32_t, mesh->nodes);
  int32_t *list = SLIPI_ARENA_RAW(scratch, int32_t, mesh->nodes);
  graph->p = SLIPI_ARENA_NEW(scratch, int32_t, (int64_t)mesh->nodes + 1);
  if (scratch->failed)
    return false;
  int64_t total = 0;
  for (int32_t node = 0; node < mesh->nodes; node++) {
    total += gather_neighbours(mesh, p, element, node, seen, list);
    if (total > INT32_MAX / 9)
      return false;
    graph->p[node + 1] = (int32_t)total;
  }
  memset(seen, 0, (size_t)mesh->nodes * sizeof *seen);
  graph->j = SLIPI_ARENA_RAW(scratch, int32_t, total + 1);
  for (int32_t node = 0; graph->j && node < mesh->nodes; node++)
    gather_neighbours(mesh, p, element, node, seen, graph->j + graph->p[node]);
  return !scratch->failed;
}

/* ---- Matrices ---- */

static bool alloc_matrices(const SlipiFemMesh *mesh, const Graph *graph, SlipiArena *arena,
                           SlipiFemMatrices *matrices) {
  int d = mesh->d;
  int64_t entries = (int64_t)d * d * graph->p[mesh->nodes];
  SlipiCsr *K = &matrices->K;
  *K = (SlipiCsr){.rows = d * mesh->nodes, .cols = d * mesh->nodes};
  K->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)K->rows + 1);
  K->i = SLIPI_ARENA_RAW(arena, int32_t, entries);
  K->x = SLIPI_ARENA_NEW(arena, double, entries);
  matrices->M = *K;
  matrices->M.x = SLIPI_ARENA_NEW(arena, double, entries);
  matrices->lumped = SLIPI_ARENA_NEW(arena, double, mesh->nodes);
  if (arena->failed)
    return false;
  int32_t used = 0;
  for (int32_t row = 0; row < K->rows; row++) {
    for (int32_t k = graph->p[row / d]; k < graph->p[row / d + 1]; k++)
      for (int c = 0; c < d; c++)
        K->i[used++] = d * graph->j[k] + c;
    K->p[row + 1] = used;
  }
  return true;
}

static void add_element(const SlipiFemMesh *mesh, int32_t e, const Graph *graph, const double *M,
                        const double *K, SlipiFemMatrices *matrices) {
  int d = mesh->d, n = mesh->first[e + 1] - mesh->first[e];
  const int32_t *node = mesh->node + mesh->first[e];
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      int32_t first = graph->p[node[a]], count = graph->p[node[a] + 1] - first;
      const int32_t *found =
          bsearch(&node[b], graph->j + first, (size_t)count, sizeof *graph->j, slipi_compare_index);
      int64_t place = found - (graph->j + first);
      matrices->lumped[node[a]] += M[a * n + b];
      for (int i = 0; i < d; i++) {
        int64_t at = matrices->K.p[d * node[a] + i] + d * place;
        matrices->M.x[at + i] += M[a * n + b];
        for (int j = 0; j < d; j++)
          matrices->K.x[at + j] += K[(d * a + i) * d * n + d * b + j];
      }
    }
}

SlipStatus slipi_fem_assemble(const SlipiFemMesh *mesh, const SlipiElasticity *elasticity,
                              SlipiArena *arena, SlipiFemMatrices *matrices, SlipError *error) {
  SlipiArena scratch = {0};
  Graph graph = {0};
  bool made = make_graph(mesh, &scratch, &graph) && alloc_matrices(mesh, &graph, arena, matrices);
  SlipStatus status = made ? SLIP_OK : slipi_fail_memory(error, "the matrices of a mesh");
  for (int32_t e = 0; e < mesh->elements && status == SLIP_OK; e++) {
    double x[SLIPI_ELEMENT_NODES][3], M[SLIPI_ELEMENT_NODES * SLIPI_ELEMENT_NODES];
    double K[SLIPI_ELEMENT_ORDER * SLIPI_ELEMENT_ORDER];
    for (int32_t k = mesh->first[e]; k < mesh->first[e + 1]; k++)
      memcpy(x[k - mesh->first[e]], mesh->x + 3 * (int64_t)mesh->node[k], sizeof x[0]);
    if (!slipi_element_matrices((SlipiElementKind)mesh->kind[e], (const double(*)[3])x, elasticity,
                                M, K))
      status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "element %d is turned inside out", (int)e);
    else
      add_element(mesh, e, &graph, M, K, matrices);
  }
  slipi_arena_free(&scratch);
  return status;
}

SlipStatus slipi_fem_combine(const SlipiFemMatrices *matrices, double a, double b,
                             const int32_t *number, SlipiArena *arena, SlipiCsr *A,
                             SlipError *error) {
  const SlipiCsr *M = &matrices->M, *K = &matrices->K;
  int32_t rows = 0, used = 0;
  for (int32_t k = 0; k < K->rows; k++)
    rows += !number || number[k] >= 0;
  *A = (SlipiCsr){.rows = rows, .cols = rows};
  A->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)rows + 1);
  A->i = SLIPI_ARENA_RAW(arena, int32_t, K->p[K->rows]);
  A->x = SLIPI_ARENA_RAW(arena, double, K->p[K->rows]);
  if (arena->failed)
    return slipi_fail_memory(error, "the matrix of a mesh");
  for (int32_t row = 0, to = 0; row < K->rows; row++) {
    if (number && number[row] < 0)
      continue;
    for (int32_t k = K->p[row]; k < K->p[row + 1]; k++) {
      int32_t column = number ? number[K->i[k]] : K->i[k];
      if (column < 0)
        continue;
      A->i[used] = column;
      A->x[used++] = a * M->x[k] + b * K->x[k];
    }
    A->p[++to] = used;
  }
  return SLIP_OK;
}

/* ---- Surfaces ---- */

static int load_face(const SlipiFemMesh *mesh, int32_t face, const double *x, double (*at)[3]) {
  int nodes = mesh->face_first[face + 1] - mesh->face_first[face];
  for (int a = 0; a < nodes; a++)
    memcpy(at[a], x + 3 * (int64_t)mesh->face_node[mesh->face_first[face] + a], sizeof *at);
  return nodes;
}

static bool is_marked(const SlipiFemMesh *mesh, int32_t face, const uint8_t *marked) {
  for (int32_t k = mesh->face_first[face]; k < mesh->face_first[face + 1]; k++) {
    if (!marked[mesh->face_node[k]])
      return false;
  }
  return true;
}

double slipi_fem_surface_load(const SlipiFemMesh *mesh, const double *x, const uint8_t *marked,
                              const double traction[3], double pressure, double *force) {
  double total = 0;
  for (int32_t f = 0; f < mesh->faces; f++) {
    double at[SLIPI_FACE_NODES][3], N[SLIPI_FACE_NODES], dN[SLIPI_FACE_NODES][2];
    if (!is_marked(mesh, f, marked))
      continue;
    int nodes = load_face(mesh, f, x, at);
    for (int point = 0; point < slipi_face_points(nodes); point++) {
      double xi[2], normal[3], weight = slipi_face_point(nodes, point, xi);
      slipi_face_shape(nodes, xi, N, dN);
      slipi_face_normal(nodes, (const double(*)[3])at, xi, normal);
      double area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      total += weight * area;
      for (int a = 0; a < nodes; a++)
        for (int k = 0; k < 3; k++)
          force[3 * (int64_t)mesh->face_node[mesh->face_first[f] + a] + k] +=
              weight * N[a] * (area * traction[k] - pressure * normal[k]);
    }
  }
  return total;
}

void slipi_fem_node_areas(const SlipiFemMesh *mesh, const double *x, double *area) {
  for (int32_t f = 0; f < mesh->faces; f++) {
    double at[SLIPI_FACE_NODES][3], N[SLIPI_FACE_NODES], dN[SLIPI_FACE_NODES][2];
    int nodes = load_face(mesh, f, x, at);
    for (int point = 0; point < slipi_face_points(nodes); point++) {
      double xi[2], normal[3], weight = slipi_face_point(nodes, point, xi);
      slipi_face_shape(nodes, xi, N, dN);
      slipi_face_normal(nodes, (const double(*)[3])at, xi, normal);
      for (int a = 0; a < nodes; a++)
        area[mesh->face_node[mesh->face_first[f] + a]] +=
            weight * fabs(N[a]) *
            sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    }
  }
}

void slipi_fem_node_stress(const SlipiFemMesh *mesh, const SlipiElasticity *elasticity,
                           const double *u, double *stress, double *room) {
  memset(stress, 0, 6 * (size_t)mesh->nodes * sizeof *stress);
  memset(room, 0, (size_t)mesh->nodes * sizeof *room);
  for (int32_t e = 0; e < mesh->elements; e++) {
    SlipiElementKind kind = (SlipiElementKind)mesh->kind[e];
    double x[SLIPI_ELEMENT_NODES][3], at[SLIPI_ELEMENT_NODES][3], s[6], volume = 0;
    double N[SLIPI_ELEMENT_NODES], gradient[SLIPI_ELEMENT_NODES][3];
    for (int32_t k = mesh->first[e]; k < mesh->first[e + 1]; k++) {
      memcpy(x[k - mesh->first[e]], mesh->x + 3 * (int64_t)mesh->node[k], sizeof x[0]);
      memcpy(at[k - mesh->first[e]], u + 3 * (int64_t)mesh->node[k], sizeof at[0]);
    }
    for (int point = 0; point < slipi_element_points(kind); point++) {
      double xi[3], weight = slipi_element_point(kind, point, xi);
      volume += weight * slipi_element_gradient(kind, (const double(*)[3])x, xi, N, gradient);
    }
    slipi_element_stress(kind, (const double(*)[3])x, (const double(*)[3])at, elasticity, s);
    for (int32_t k = mesh->first[e]; k < mesh->first[e + 1]; k++) {
      room[mesh->node[k]] += volume;
      for (int c = 0; c < 6; c++)
        stress[6 * (int64_t)mesh->node[k] + c] += volume * s[c];
    }
  }
  for (int64_t k = 0; k < 6 * (int64_t)mesh->nodes; k++)
    stress[k] /= room[k / 6];
}
