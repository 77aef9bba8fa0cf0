/* Deformable bodies, their supports and loads: checks, memory, the mesh. */
#include "sim/soft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"

_Static_assert((int)SLIP_ELEMENT_T3 == (int)SLIPI_T3 && (int)SLIP_ELEMENT_Q4 == (int)SLIPI_Q4 &&
                   (int)SLIP_ELEMENT_T4 == (int)SLIPI_T4 &&
                   (int)SLIP_ELEMENT_T10 == (int)SLIPI_T10 && (int)SLIP_ELEMENT_H8 == (int)SLIPI_H8,
               "elements are numbered alike");

static const double TWO_PI = 6.283185307179586;

int32_t slipi_soft_index(const SlipSim *sim, int32_t slot) {
  for (int32_t k = 0; sim->softs && k < sim->softs->count; k++) {
    if (sim->softs->at[k]->slot == slot)
      return k;
  }
  return -1;
}

SlipiSoft *slipi_soft_of(const SlipSim *sim, int32_t slot) {
  int32_t k = slipi_soft_index(sim, slot);
  return k < 0 ? NULL : sim->softs->at[k];
}

static void free_soft(SlipiSoft *soft) {
  if (!soft)
    return;
  slipi_factor_free(soft->factor);
  slipi_fem_mesh_free(soft->mesh);
  slipi_arena_free(&soft->arena);
  free(soft->known_node);
  free(soft->replay);
  free(soft->inverse);
  free(soft->own);
  free(soft->support);
  free(soft->loads);
  free(soft);
}

void slipi_soft_remove(SlipSim *sim, int32_t slot) {
  int32_t k = slipi_soft_index(sim, slot);
  if (k < 0)
    return;
  free_soft(sim->softs->at[k]);
  sim->softs->count--;
  for (; k < sim->softs->count; k++)
    sim->softs->at[k] = sim->softs->at[k + 1];
}

void slipi_softs_free(SlipSim *sim) {
  SlipiSofts *softs = sim->softs;
  if (!softs)
    return;
  for (int32_t k = 0; k < softs->count; k++)
    free_soft(softs->at[k]);
  free(softs->at);
  free(softs->touch);
  free(softs->node);
  free(softs->weight);
  free(softs->keyed);
  slip_solver_free(softs->idle);
  slipi_touch_list_free(&softs->list);
  slipi_arena_free(&softs->scratch);
  slipi_arena_free(&softs->kept);
  free(softs);
}

/* ---- The mesh ---- */

static SlipStatus check_def(const SlipSim *sim, const SlipDeformableDef *def, SlipError *error) {
  int d = sim->def.dimension;
  if (def->element < SLIP_ELEMENT_T3 || def->element > SLIP_ELEMENT_H8)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no element %d", (int)def->element);
  for (int32_t k = 0; def->kinds && k < def->element_count; k++) {
    if (def->kinds[k] < SLIP_ELEMENT_T3 || def->kinds[k] > SLIP_ELEMENT_H8)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no element %d", (int)def->kinds[k]);
  }
  if (!(def->young > 0) || !isfinite(def->young))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "young is %g but must be positive", def->young);
  if (!(def->poisson > -1 && def->poisson < 0.5))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "poisson is %g but must be above -1 and below 0.5", def->poisson);
  for (int k = 0; k < 2; k++) {
    if (!(def->damping[k] >= 0) || !isfinite(def->damping[k]))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "damping[%d] is %g but must not be negative", k,
                        def->damping[k]);
  }
  if (def->material < -1 || def->material >= sim->materials)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no material %d", (int)def->material);
  SlipStatus status = slipi_sim_planar(d, "velocity", def->velocity, false, error);
  return status == SLIP_OK ? slipi_sim_planar(d, "spin", def->spin, true, error) : status;
}

static SlipStatus given_mesh(const SlipDeformableDef *def, SlipiFemMesh **mesh, SlipError *error) {
  if (!def->elements || def->point_count < 0 || def->element_count < 0 || def->set_count < 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the mesh has %d points, %d elements, %d sets%s",
                      (int)def->point_count, (int)def->element_count, (int)def->set_count,
                      def->elements ? "" : ", and elements is null");
  uint8_t *kinds = def->kinds ? malloc((size_t)def->element_count + 1) : NULL;
  if (def->kinds && !kinds)
    return slipi_fail_memory(error, "a mesh");
  for (int32_t k = 0; kinds && k < def->element_count; k++)
    kinds[k] = (uint8_t)def->kinds[k];
  SlipStatus status =
      slipi_fem_mesh_given(def->points, def->point_count, kinds, (SlipiElementKind)def->element,
                           def->elements, def->element_count, mesh, error);
  free(kinds);
  for (int32_t k = 0; k < def->set_count && status == SLIP_OK; k++)
    status = slipi_fem_mesh_group(*mesh, def->sets[k].name, def->sets[k].nodes,
                                  def->sets[k].node_count, error);
  return status;
}

static SlipStatus make_mesh(const SlipSim *sim, const SlipDeformableDef *def, SlipiFemMesh **mesh,
                            SlipError *error) {
  *mesh = NULL;
  bool box = def->box[0] != 0 || def->box[1] != 0, round = def->radius != 0;
  if (box + round + (def->points != NULL) != 1)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "a deformable body has a box, a radius or points: one of them, not %d",
                      box + round + (def->points != NULL));
  SlipStatus status;
  if (def->points) {
    status = given_mesh(def, mesh, error);
  } else {
    SlipiMeshPlan plan = {.kind = (SlipiElementKind)def->element};
    bool along = round && def->length != 0;
    plan.shape = box ? SLIPI_MESH_BOX : along ? SLIPI_MESH_CYLINDER : SLIPI_MESH_BALL;
    for (int k = 0; k < 3; k++) {
      plan.edges[k] = box ? def->box[k] : along && k == 2 ? def->length : 2 * def->radius;
      plan.cells[k] = box || (along && k == 2) ? def->cells[k] : def->cells[0];
    }
    status = slipi_fem_mesh_make(&plan, mesh, error);
  }
  if (status == SLIP_OK && (*mesh)->d != sim->def.dimension)
    status =
        slipi_fail(error, SLIP_ERROR_ARGUMENT, "the elements are for %dD, the simulation is in %dD",
                   (*mesh)->d, (int)sim->def.dimension);
  return status;
}

/* Corners of the surface, faces of six nodes as four triangles. */
static void make_facets(SlipiSoft *soft) {
  static const int8_t split[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
  const SlipiFemMesh *mesh = soft->mesh;
  for (int32_t f = 0; f < mesh->faces; f++) {
    const int32_t *node = mesh->face_node + mesh->face_first[f];
    int nodes = mesh->face_first[f + 1] - mesh->face_first[f];
    for (int part = 0; part < (nodes == 6 ? 4 : 1); part++) {
      int32_t *to = soft->facet + 4 * (int64_t)soft->facets++;
      for (int a = 0; a < 4; a++) {
        if (nodes == 6)
          to[a] = a < 3 ? node[split[part][a]] : -1;
        else
          to[a] = a < nodes ? node[a] : -1;
      }
    }
  }
}

/* A polygon of 3 or 4 nodes; -1 in place of a fourth that it does not have. */
static void add_triangles(SlipiSoft *soft, const int32_t *node) {
  for (int corner = 2; corner < 4 && node[corner] >= 0; corner++) {
    int32_t *to = soft->triangle + 3 * (int64_t)soft->triangles++;
    to[0] = node[0];
    to[1] = node[corner - 1];
    to[2] = node[corner];
  }
}

static void make_triangles(SlipiSoft *soft) {
  const SlipiFemMesh *mesh = soft->mesh;
  for (int32_t f = 0; mesh->d == 3 && f < soft->facets; f++)
    add_triangles(soft, soft->facet + 4 * (int64_t)f);
  for (int32_t e = 0; mesh->d == 2 && e < mesh->elements; e++) {
    int32_t corner[4] = {-1, -1, -1, -1};
    memcpy(corner, mesh->node + mesh->first[e],
           (size_t)(mesh->first[e + 1] - mesh->first[e]) * sizeof *corner);
    add_triangles(soft, corner);
  }
}

/* ---- A body ---- */

static bool alloc_soft(SlipiSoft *soft) {
  SlipiArena *arena = &soft->arena;
  int64_t n = soft->nodes, d = slipi_soft_d(soft);
  double **const three[] = {&soft->X,     &soft->MX,     &soft->x,     &soft->v,
                            &soft->mid_x, &soft->end_v,  &soft->push,  &soft->load,
                            &soft->force, &soft->free_v, &soft->shown, &soft->outer};
  for (size_t k = 0; k < sizeof three / sizeof three[0]; k++)
    *three[k] = SLIPI_ARENA_NEW(arena, double, 3 * n);
  double **const some[] = {&soft->given,    &soft->right,    &soft->work[0],
                           &soft->work[1],  &soft->work[2],  &soft->u,
                           &soft->solve[0], &soft->solve[1], &soft->step_right};
  for (size_t k = 0; k < sizeof some / sizeof some[0]; k++)
    *some[k] = SLIPI_ARENA_NEW(arena, double, d *n);
  soft->area = SLIPI_ARENA_NEW(arena, double, n);
  soft->room = SLIPI_ARENA_NEW(arena, double, n);
  soft->stress = SLIPI_ARENA_NEW(arena, double, 6 * n);
  soft->on_surface = SLIPI_ARENA_NEW(arena, uint8_t, n);
  soft->number = SLIPI_ARENA_NEW(arena, int32_t, d * n);
  soft->place = SLIPI_ARENA_NEW(arena, int32_t, n);
  soft->facet = SLIPI_ARENA_NEW(arena, int32_t, 16 * (int64_t)soft->mesh->faces);
  soft->triangle = SLIPI_ARENA_NEW(
      arena, int32_t, d == 3 ? 12 * (int64_t)soft->mesh->faces : 6 * (int64_t)soft->mesh->elements);
  return !arena->failed;
}

static void set_rest(SlipiSoft *soft) {
  const SlipiFemMesh *mesh = soft->mesh;
  int d = slipi_soft_d(soft);
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int32_t k = 0; k < soft->nodes; k++) {
    soft->mass += soft->matrices.lumped[k];
    for (int c = 0; c < 3; c++) {
      double at = mesh->x[3 * (int64_t)k + c];
      soft->centre[c] += soft->matrices.lumped[k] * at;
      low[c] = fmin(low[c], at);
      high[c] = fmax(high[c], at);
    }
  }
  soft->size = INFINITY;
  for (int c = 0; c < d; c++)
    soft->size = fmin(soft->size, high[c] - low[c]);
  for (int c = 0; c < 3; c++)
    soft->centre[c] /= soft->mass;
  for (int64_t k = 0; k < 3 * (int64_t)soft->nodes; k++)
    soft->X[k] = mesh->x[k] - soft->centre[k % 3];
  const SlipiCsr *M = &soft->matrices.M;
  for (int32_t i = 0; i < soft->nodes; i++)
    for (int32_t k = M->p[d * i]; k < M->p[d * i + 1]; k++) {
      if (M->i[k] % d != 0)
        continue;
      for (int c = 0; c < 3; c++)
        soft->MX[3 * (int64_t)i + c] += M->x[k] * soft->X[3 * (int64_t)(M->i[k] / d) + c];
    }
}

static void set_start(SlipiSoft *soft, const SlipDeformableDef *def, const double rotation[4]) {
  slipi_quaternion_matrix(rotation, soft->R);
  for (int64_t k = 0; k < soft->nodes; k++) {
    double swing[3], arm[3];
    slipi_rotate(soft->R, soft->mesh->x + 3 * k, arm);
    slipi_cross(def->spin, arm, swing);
    for (int c = 0; c < 3; c++) {
      soft->x[3 * k + c] = def->position[c] + arm[c];
      soft->v[3 * k + c] = def->velocity[c] + swing[c];
    }
  }
  for (int32_t k = 0; k < slipi_soft_d(soft) * soft->nodes; k++)
    soft->number[k] = k;
  soft->free = slipi_soft_d(soft) * soft->nodes;
  memset(soft->place, -1, (size_t)soft->nodes * sizeof *soft->place);
  slipi_fem_mesh_select(soft->mesh, "surface", soft->on_surface);
  slipi_fem_node_areas(soft->mesh, soft->mesh->x, soft->area);
  make_facets(soft);
  make_triangles(soft);
}

static SlipStatus make_soft(const SlipSim *sim, const SlipDeformableDef *def, SlipiSoft **made,
                            SlipError *error) {
  SlipiSoft *soft = *made = calloc(1, sizeof *soft);
  if (!soft)
    return slipi_fail_memory(error, "a deformable body");
  SlipStatus status = make_mesh(sim, def, &soft->mesh, error);
  if (status != SLIP_OK)
    return status;
  double density = def->material < 0 ? 1000 : sim->density[def->material];
  soft->elasticity =
      slipi_elasticity(soft->mesh->d, def->plane_stress != 0, def->young, def->poisson, density);
  soft->nodes = soft->mesh->nodes;
  memcpy(soft->damping, def->damping, sizeof soft->damping);
  status = slipi_fem_assemble(soft->mesh, &soft->elasticity, &soft->arena, &soft->matrices, error);
  if (status == SLIP_OK && !alloc_soft(soft))
    status = slipi_fail_memory(error, "a deformable body");
  if (status == SLIP_OK)
    set_rest(soft);
  return status;
}

/* A slot without shapes, which the code for rigid bodies leaves alone. */
static SlipStatus take_slot(SlipSim *sim, const SlipDeformableDef *def, SlipBodyId *body,
                            SlipError *error) {
  SlipBodyDef plain = slip_default_body_def();
  plain.name = def->name;
  plain.motion = SLIP_MOTION_FIXED;
  plain.material = def->material;
  memcpy(plain.position, def->position, sizeof plain.position);
  memcpy(plain.rotation, def->rotation, sizeof plain.rotation);
  return slip_sim_add_body(sim, &plain, body, error);
}

static bool make_room(SlipSim *sim) {
  if (!sim->softs)
    sim->softs = calloc(1, sizeof *sim->softs);
  return sim->softs && slipi_room(&sim->softs->at, &sim->softs->capacity,
                                  (int64_t)sim->softs->count + 1, sizeof(void *));
}

SlipStatus slip_sim_add_deformable(SlipSim *sim, const SlipDeformableDef *def, SlipBodyId *body,
                                   SlipError *error) {
  slipi_error_clear(error);
  if (body)
    *body = (SlipBodyId){-1, 0};
  if (!sim || !def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or def is null");
  SlipDeformableDef known = slip_default_deformable_def();
  SlipBodyId made = {-1, 0};
  SlipiSoft *soft = NULL;
  SlipStatus status = slipi_versioned_read("deformable_def", def, &known, sizeof known, error);
  if (status != SLIP_OK)
    return status;
  status = check_def(sim, &known, error);
  if (status == SLIP_OK && !make_room(sim))
    status = slipi_fail_memory(error, "a deformable body");
  if (status == SLIP_OK)
    status = make_soft(sim, &known, &soft, error);
  if (status != SLIP_OK && known.name)
    slipi_error_prefix(error, "body '%s'", known.name);
  if (status == SLIP_OK)
    status = take_slot(sim, &known, &made, error);
  if (status != SLIP_OK) {
    free_soft(soft);
    return status;
  }
  SlipiBodies *b = &sim->bodies;
  soft->slot = made.index;
  b->motion[made.index] = SLIPI_MOTION_SOFT;
  b->mass[made.index] = soft->mass;
  memcpy(b->centre + 3 * (int64_t)made.index, soft->centre, sizeof soft->centre);
  set_start(soft, &known, b->rotation + 4 * (int64_t)made.index);
  memcpy(b->velocity + 3 * (int64_t)made.index, known.velocity, sizeof known.velocity);
  memcpy(b->spin + 3 * (int64_t)made.index, known.spin, sizeof known.spin);
  sim->softs->at[sim->softs->count++] = soft;
  if (body)
    *body = made;
  return SLIP_OK;
}

void slipi_soft_forget(SlipiSoft *soft) {
  slipi_factor_free(soft->factor);
  soft->factor = NULL;
  soft->known = 0;
  free(soft->own);
  soft->own = NULL;
  memset(soft->place, -1, (size_t)soft->nodes * sizeof *soft->place);
}

/* ---- Sets of nodes ---- */

static SlipStatus find_soft(const SlipSim *sim, SlipBodyId body, SlipiSoft **soft,
                            SlipError *error) {
  int32_t slot;
  SlipStatus status = slipi_sim_slot(sim, body, &slot, error);
  if (status != SLIP_OK)
    return status;
  *soft = slipi_soft_of(sim, slot);
  return *soft ? SLIP_OK
               : slipi_fail(error, SLIP_ERROR_ARGUMENT, "body %d is not deformable", (int)slot);
}

static SlipStatus select_nodes(const SlipiSoft *soft, const char *where, uint8_t *marked,
                               SlipError *error) {
  int32_t count = 0;
  if (!where)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "where is null");
  if (!slipi_fem_mesh_select(soft->mesh, where, marked))
    return slipi_fail(
        error, SLIP_ERROR_ARGUMENT,
        "the mesh has no set of nodes '%.80s'; there are all, surface, xmin, xmax, ..."
        " and the groups of its file",
        where);
  for (int32_t k = 0; k < soft->nodes; k++)
    count += marked[k];
  return count > 0 ? SLIP_OK
                   : slipi_fail(error, SLIP_ERROR_ARGUMENT, "the set '%.80s' has no nodes", where);
}

/* Number what is free anew. */
static void number_free(SlipiSoft *soft) {
  int d = slipi_soft_d(soft);
  memset(soft->number, 0, (size_t)(d * (int64_t)soft->nodes) * sizeof *soft->number);
  soft->held = false;
  for (int32_t s = 0; s < soft->supports; s++) {
    const SlipiSupport *support = &soft->support[s];
    for (int32_t k = 0; k < support->count; k++)
      for (int c = 0; c < d; c++) {
        if (support->held[c])
          soft->number[d * support->node[k] + c] = -1;
      }
  }
  soft->free = 0;
  for (int32_t k = 0; k < d * soft->nodes; k++) {
    soft->held = soft->held || soft->number[k] < 0;
    soft->number[k] = soft->number[k] < 0 ? -1 : soft->free++;
  }
  slipi_soft_forget(soft);
}

SlipStatus slip_sim_add_support(SlipSim *sim, const SlipSupportDef *def, SlipError *error) {
  slipi_error_clear(error);
  if (!sim || !def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or def is null");
  SlipSupportDef known = slip_default_support_def();
  SlipiSoft *soft = NULL;
  SlipStatus status = slipi_versioned_read("support_def", def, &known, sizeof known, error);
  if (status == SLIP_OK)
    status = find_soft(sim, known.body, &soft, error);
  if (status == SLIP_OK)
    status = slipi_sim_planar(sim->def.dimension, "velocity", known.velocity, false, error);
  if (status == SLIP_OK)
    status = slipi_sim_planar(sim->def.dimension, "sine_axis", known.sine_axis, false, error);
  double length = slipi_length(known.sine_axis);
  if (status == SLIP_OK && known.sine_amplitude != 0 &&
      (!(length > 0) || !isfinite(known.sine_amplitude) || !isfinite(known.sine_frequency)))
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "the sine has amplitude %g and frequency %g",
                        known.sine_amplitude, known.sine_frequency);
  if (status != SLIP_OK)
    return status;
  uint8_t *marked = SLIPI_ARENA_NEW(&soft->arena, uint8_t, soft->nodes);
  int32_t *node = SLIPI_ARENA_NEW(&soft->arena, int32_t, soft->nodes);
  if (!marked || !node ||
      !SLIPI_ROOM(soft->support, soft->support_capacity, (int64_t)soft->supports + 1))
    return slipi_fail_memory(error, "a support");
  status = select_nodes(soft, known.where, marked, error);
  if (status != SLIP_OK)
    return status;
  SlipiSupport *support = &soft->support[soft->supports++];
  *support = (SlipiSupport){
      .node = node, .amplitude = known.sine_amplitude, .frequency = known.sine_frequency};
  for (int32_t k = 0; k < soft->nodes; k++) {
    if (marked[k])
      node[support->count++] = k;
  }
  for (int c = 0; c < 3; c++) {
    support->velocity[c] = known.velocity[c];
    support->axis[c] = length > 0 ? known.sine_axis[c] / length : 0;
    support->held[c] = !known.free[c];
  }
  number_free(soft);
  return SLIP_OK;
}

SlipStatus slip_sim_add_load(SlipSim *sim, const SlipLoadDef *def, SlipError *error) {
  slipi_error_clear(error);
  if (!sim || !def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or def is null");
  SlipLoadDef known = slip_default_load_def();
  SlipiSoft *soft = NULL;
  int d = sim->def.dimension;
  SlipStatus status = slipi_versioned_read("load_def", def, &known, sizeof known, error);
  if (status == SLIP_OK)
    status = find_soft(sim, known.body, &soft, error);
  if (status == SLIP_OK)
    status = slipi_sim_planar(d, "force", known.force, false, error);
  if (status == SLIP_OK)
    status = slipi_sim_planar(d, "traction", known.traction, false, error);
  if (status == SLIP_OK && !isfinite(known.pressure))
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "the pressure is %g", known.pressure);
  if (status == SLIP_OK && !(known.from <= known.until && isfinite(known.from)))
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "a load lasts from %g until %g s", known.from,
                        known.until);
  if (status != SLIP_OK)
    return status;
  uint8_t *marked = SLIPI_ARENA_NEW(&soft->arena, uint8_t, soft->nodes);
  double *force = SLIPI_ARENA_NEW(&soft->arena, double, 3 * (int64_t)soft->nodes);
  if (!marked || !force ||
      !SLIPI_ROOM(soft->loads, soft->load_capacity, (int64_t)soft->load_count + 1))
    return slipi_fail_memory(error, "a load");
  status = select_nodes(soft, known.where, marked, error);
  if (status != SLIP_OK)
    return status;
  slipi_fem_surface_load(soft->mesh, soft->x, marked, known.traction, known.pressure, force);
  for (int64_t k = 0; k < 3 * (int64_t)soft->nodes; k++)
    force[k] += marked[k / 3] ? known.force[k % 3] : 0;
  soft->loads[soft->load_count++] =
      (SlipiLoad){.from = known.from, .full = known.full, .until = known.until, .force = force};
  return SLIP_OK;
}

/* ---- In time ---- */

static double load_share(const SlipiLoad *load, double time) {
  if (time < load->from || time > load->until)
    return 0;
  return load->full > load->from ? fmin(1, (time - load->from) / (load->full - load->from)) : 1;
}

void slipi_soft_set_loads(SlipiSoft *soft, double time) {
  memset(soft->load, 0, 3 * (size_t)soft->nodes * sizeof *soft->load);
  for (int32_t l = 0; l < soft->load_count; l++) {
    double share = load_share(&soft->loads[l], time);
    for (int64_t k = 0; share > 0 && k < 3 * (int64_t)soft->nodes; k++)
      soft->load[k] += share * soft->loads[l].force[k];
  }
}

void slipi_soft_set_given(SlipiSoft *soft, double time, double h) {
  int d = slipi_soft_d(soft);
  memset(soft->given, 0, (size_t)(d * (int64_t)soft->nodes) * sizeof *soft->given);
  for (int32_t s = 0; s < soft->supports; s++) {
    const SlipiSupport *support = &soft->support[s];
    double v[3], turns = TWO_PI * support->frequency;
    double moved = support->amplitude * (sin(turns * (time + h)) - sin(turns * time));
    for (int c = 0; c < 3; c++)
      v[c] = support->velocity[c] + support->axis[c] * moved / h;
    slipi_rotate_back(soft->R, v, v);
    for (int32_t k = 0; k < support->count; k++)
      for (int c = 0; c < d; c++) {
        if (support->held[c])
          soft->given[(int64_t)d * support->node[k] + c] = v[c];
      }
  }
}
