#include "contact/graph.h"

/* Bodies as groups. */
static SlipStatus graph_of_bodies(SlipiOperator *op, SlipiArena *arena, SlipiGraph *graph,
                                  SlipError *error) {
  int32_t groups = slipi_operator_groups(op), count = 0;
  int64_t most = slipi_operator_groups_most(op);
  int32_t *p = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)op->nc + 1);
  int32_t *j = most <= INT32_MAX ? SLIPI_ARENA_RAW(arena, int32_t, most) : NULL;
  if (!p || !j)
    return slipi_fail_memory(error, "the graph of the contacts");
  for (int32_t a = 0; a < op->nc; a++) {
    p[a] = count;
    count += slipi_operator_contact_groups(op, a, j + count);
  }
  p[op->nc] = count;
  *graph = (SlipiGraph){.nc = op->nc, .groups = groups, .p = p, .j = j};
  return SLIP_OK;
}

/* All in one group. */
static SlipStatus graph_of_all(SlipiOperator *op, SlipiArena *arena, SlipiGraph *graph,
                               SlipError *error) {
  int32_t *p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)op->nc + 1);
  int32_t *j = SLIPI_ARENA_NEW(arena, int32_t, op->nc);
  if (arena->failed)
    return slipi_fail_memory(error, "the graph of the contacts");
  for (int32_t a = 0; a < op->nc; a++)
    p[a + 1] = a + 1;
  *graph = (SlipiGraph){.nc = op->nc, .groups = 1, .p = p, .j = j, .degree = op->nc};
  return SLIP_OK;
}

/* sum over groups of (members)^2, over the contacts; contacts with two common groups count twice.
 */
static SlipStatus find_degree(SlipiGraph *graph, SlipiArena *arena, SlipError *error) {
  int32_t *members = SLIPI_ARENA_NEW(arena, int32_t, graph->groups);
  if (!members)
    return slipi_fail_memory(error, "the graph of the contacts");
  for (int32_t k = 0; k < graph->p[graph->nc]; k++)
    members[graph->j[k]]++;
  int64_t sum = 0;
  for (int32_t g = 0; g < graph->groups; g++)
    sum += (int64_t)members[g] * members[g];
  graph->degree = graph->nc > 0 ? (double)sum / graph->nc : 0;
  return SLIP_OK;
}

SlipStatus slipi_graph_create(SlipiOperator *op, SlipiArena *arena, SlipiGraph *graph,
                              SlipError *error) {
  *graph = (SlipiGraph){0};
  if (op->graph) {
    *graph = *op->graph;
    return SLIP_OK;
  }
  if (op->table->kind == SLIPI_OPERATOR_VELOCITY) {
    SlipStatus status = graph_of_bodies(op, arena, graph, error);
    if (status == SLIP_OK && op->share)
      graph->degree = op->share->degree;
    else if (status == SLIP_OK)
      status = find_degree(graph, arena, error);
    return status;
  }
  if (op->table->kind == SLIPI_OPERATOR_BLOCK) {
    const SlipiBsr *W = op->data;
    *graph = (SlipiGraph){
        .nc = W->n, .p = W->p, .j = W->j, .degree = W->n > 0 ? (double)W->p[W->n] / W->n : 0};
    return SLIP_OK;
  }
  return graph_of_all(op, arena, graph, error);
}
