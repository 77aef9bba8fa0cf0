/* A contact problem with a point as a page to look at: its contacts, which of them act on each
 * other, their status and their share of the error. */
#include <string.h>

#include "contact/graph.h"
#include "contact/residual.h"
#include "record/pack.h"
#include "record/viewer.h"

/* Velocities, residuals and statuses at r. */
typedef struct Point {
  const double *r;
  double *u, *error; /* error: of each contact */
  int32_t *status;
  double residual;
} Point;

static SlipStatus look_at(const SlipProblem *problem, SlipiArena *arena, Point *point,
                          SlipError *error) {
  point->u = SLIPI_ARENA_NEW(arena, double, problem->m);
  point->error = SLIPI_ARENA_NEW(arena, double, problem->nc);
  point->status = SLIPI_ARENA_NEW(arena, int32_t, problem->nc);
  if (arena->failed)
    return slipi_fail_memory(error, "a page");
  SlipStatus status = slip_problem_velocity(problem, point->r, point->u, NULL, error);
  if (status == SLIP_OK)
    status = slip_problem_residual(problem, point->r, &point->residual, point->error, error);
  if (status == SLIP_OK)
    status = slipi_problem_status(problem, point->u, point->r, point->status, error);
  return status;
}

/* Bodies join contacts where there are bodies, else non-zero blocks of W do. */
static SlipStatus pack_graph(const SlipProblem *problem, SlipiMass *mass, SlipiArena *arena,
                             SlipiText *parts, int32_t *groups, SlipError *error) {
  SlipiOperator *op = NULL;
  SlipiGraph graph;
  SlipiOperatorKind kind = mass && mass->small > 0 ? SLIPI_OPERATOR_VELOCITY : SLIPI_OPERATOR_BLOCK;
  SlipStatus status = slipi_operator_create(problem, mass, kind, 1, &op, error);
  if (status == SLIP_OK)
    status = slipi_graph_create(op, arena, &graph, error);
  if (status == SLIP_OK) {
    slipi_pack(parts, "graph-first", -1, graph.p, ((size_t)graph.nc + 1) * sizeof *graph.p);
    slipi_pack(parts, "graph-to", -1, graph.j, (size_t)graph.p[graph.nc] * sizeof *graph.j);
    *groups = graph.groups;
  }
  slipi_operator_free(op);
  return status;
}

static SlipStatus add_graph(const SlipProblem *problem, SlipiArena *arena, SlipiText *parts,
                            int32_t *groups, SlipError *error) {
  SlipiMass *mass = NULL;
  SlipStatus status =
      slipi_problem_has_mass(problem) ? slipi_mass_create(problem, &mass, error) : SLIP_OK;
  if (status == SLIP_OK)
    status = pack_graph(problem, mass, arena, parts, groups, error);
  slipi_mass_free(mass);
  return status;
}

static void pack_point(const SlipProblem *problem, const Point *point, SlipiText *parts) {
  size_t contacts = (size_t)problem->nc, values = (size_t)problem->m;
  slipi_pack(parts, "impulses", -1, point->r, values * sizeof *point->r);
  slipi_pack(parts, "velocities", -1, point->u, values * sizeof *point->u);
  slipi_pack(parts, "errors", -1, point->error, contacts * sizeof *point->error);
  slipi_pack(parts, "statuses", -1, point->status, contacts * sizeof *point->status);
  slipi_pack(parts, "frictions", -1, problem->laws.mu, contacts * sizeof *problem->laws.mu);
}

SlipStatus slip_problem_page(const SlipProblem *problem, const double *r, const char *title,
                             const char *path, SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_PROBLEM(problem) || !r || !path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem, r or path is NULL");
  SlipiText parts = {0};
  SlipiArena arena = {0};
  Point point = {.r = r};
  int32_t groups = 0;
  const char *const texts[] = {"problem", title, slip_version()};
  SlipStatus status = look_at(problem, &arena, &point, error);
  if (status == SLIP_OK)
    status = add_graph(problem, &arena, &parts, &groups, error);
  if (status == SLIP_OK) {
    const double figures[5] = {problem->d, problem->nc, groups, point.residual, problem->dof};
    slipi_viewer_pack_texts(&parts, "texts", texts, 3);
    slipi_pack(&parts, "figures", -1, figures, sizeof figures);
    pack_point(problem, &point, &parts);
    status = slipi_viewer_write(path, &parts, error);
  }
  slipi_text_free(&parts);
  slipi_arena_free(&arena);
  return status;
}
