/* Adding and removing bodies: checks, slots with generations, shapes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "sim/soft.h"

SlipStatus slipi_sim_slot(const SlipSim *sim, SlipBodyId body, int32_t *slot, SlipError *error) {
  const SlipiBodies *bodies = &sim->bodies;
  if (body.generation == 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the handle is of no body (its generation is 0)");
  if (body.index < 0 || body.index >= bodies->count)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the handle is of body %d, but there are %d slots", (int)body.index,
                      (int)bodies->count);
  if (!bodies->present[body.index] || bodies->generation[body.index] != body.generation)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the handle is of body %d of generation %u, which was removed",
                      (int)body.index, (unsigned)body.generation);
  *slot = body.index;
  return SLIP_OK;
}

/* ---- Checks ---- */

static SlipStatus check_motion(const SlipSim *sim, const SlipBodyDef *def, SlipError *error) {
  if (def->motion < SLIP_MOTION_FREE || def->motion > SLIP_MOTION_TOLD)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no motion %d", (int)def->motion);
  if (def->material < -1 || def->material >= sim->materials)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no material %d", (int)def->material);
  if (def->shape_count < 0 || (def->shape_count > 0 && !def->shapes))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the body has %d shapes, and shapes is %s",
                      (int)def->shape_count, def->shapes ? "given" : "null");
  bool sine = def->sine_amplitude != 0;
  if (!isfinite(def->moves_from) || def->moves_from < 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "moves_from is %g but must be a time from 0 on",
                      def->moves_from);
  if (sine && def->motion != SLIP_MOTION_TOLD)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "sine_amplitude is %g, but only SLIP_MOTION_TOLD moves as told",
                      def->sine_amplitude);
  SlipStatus status =
      slipi_sim_planar(sim->def.dimension, "sine_axis", def->sine_axis, false, error);
  if (status == SLIP_OK && (!isfinite(def->sine_amplitude) || !isfinite(def->sine_frequency)))
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "the sine has amplitude %g and frequency %g",
                        def->sine_amplitude, def->sine_frequency);
  if (status == SLIP_OK && sine && slipi_length(def->sine_axis) == 0)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "sine_axis is 0 but must have a direction");
  return status;
}

static SlipStatus check_rotation(const SlipSim *sim, const char *what, double q[4],
                                 SlipError *error) {
  SlipStatus status = slipi_sim_finite(what, q, 4, error);
  if (status != SLIP_OK)
    return status;
  double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (!(square > 1e-200) || !isfinite(square))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s is (%g, %g, %g, %g), which is no rotation",
                      what, q[0], q[1], q[2], q[3]);
  if (sim->def.dimension == 2 && (q[1] != 0 || q[2] != 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "%s is (%g, %g, %g, %g), but in 2D rotations are about z", what, q[0], q[1],
                      q[2], q[3]);
  slipi_quaternion_normalise(q);
  return SLIP_OK;
}

static SlipStatus check_pose(const SlipSim *sim, const double position[3], double rotation[4],
                             SlipError *error) {
  SlipStatus status = slipi_sim_planar(sim->def.dimension, "position", position, false, error);
  return status == SLIP_OK ? check_rotation(sim, "rotation", rotation, error) : status;
}

static SlipStatus check_velocity(const SlipSim *sim, const double velocity[3], const double spin[3],
                                 SlipError *error) {
  SlipStatus status = slipi_sim_planar(sim->def.dimension, "velocity", velocity, false, error);
  return status == SLIP_OK ? slipi_sim_planar(sim->def.dimension, "spin", spin, true, error)
                           : status;
}

/* ---- Slots ---- */

static bool grow_bodies(SlipiBodies *bodies, int64_t count) {
  int32_t capacity = bodies->capacity;
  if (count <= capacity)
    return true;
#define GROW(type, name, values)                                                                   \
  capacity = bodies->capacity;                                                                     \
  if (!slipi_room(&bodies->name, &capacity, count, (values) * sizeof(type)))                       \
    return false;
  SLIPI_BODY_ARRAYS(GROW)
#undef GROW
  bodies->capacity = capacity;
  return true;
}

/* A slot with room for its shapes: the last one that became free, or a new one. */
static bool take_slot(SlipSim *sim, int32_t shapes, int32_t *slot) {
  SlipiBodies *bodies = &sim->bodies;
  bool fresh = sim->free_slots == 0;
  if (!SLIPI_ROOM(sim->part, sim->part_capacity, (int64_t)sim->parts + shapes) ||
      (fresh && !grow_bodies(bodies, (int64_t)bodies->count + 1)))
    return false;
  *slot = fresh ? bodies->count++ : sim->free_slot[--sim->free_slots];
  uint32_t generation = fresh ? 0 : bodies->generation[*slot];
#define CLEAR(type, name, values)                                                                  \
  memset(bodies->name + (values) * (int64_t)*slot, 0, (values) * sizeof(type));
  SLIPI_BODY_ARRAYS(CLEAR)
#undef CLEAR
  bodies->generation[*slot] = generation;
  bodies->told[*slot] = bodies->next_name[*slot] = bodies->number[*slot] = -1;
  bodies->axes[4 * (int64_t)*slot] = 1;
  return true;
}

/* Give a slot back whose body could not be made or is removed; there is room for it. */
static void return_slot(SlipSim *sim, int32_t slot) {
  SlipiBodies *bodies = &sim->bodies;
  bodies->present[slot] = 0;
  for (int32_t k = 0; k < bodies->part_count[slot]; k++)
    sim->part[bodies->first_part[slot] + k].body = -1;
  sim->parts_removed += bodies->part_count[slot];
  bodies->part_count[slot] = 0;
  if (bodies->shapes[slot])
    slipi_arena_free(bodies->shapes[slot]);
  free(bodies->shapes[slot]);
  bodies->shapes[slot] = NULL;
  sim->free_slot[sim->free_slots++] = slot;
}

void slipi_sim_pack_parts(SlipSim *sim) {
  int32_t kept = 0, body = -1;
  for (int32_t k = 0; sim->parts_removed > 0 && k < sim->parts; k++) {
    if (sim->part[k].body < 0)
      continue;
    if (sim->part[k].body != body) {
      body = sim->part[k].body;
      sim->bodies.first_part[body] = kept;
    }
    sim->part[kept++] = sim->part[k];
  }
  if (sim->parts_removed > 0)
    sim->parts = kept;
  sim->parts_removed = 0;
}

/* ---- Shapes ---- */

static bool obstacle_only(SlipShapeKind kind) {
  return kind == SLIP_SHAPE_HALF_SPACE || kind == SLIP_SHAPE_MESH;
}

static SlipStatus make_part(SlipSim *sim, int32_t slot, const SlipBodyDef *body,
                            const SlipShapeDef *given, SlipiArena *arena, SlipError *error) {
  SlipShapeDef def = slip_default_shape_def();
  SlipiPart *part = &sim->part[sim->parts];
  SlipStatus status = slipi_versioned_read("shape_def", given, &def, sizeof def, error);
  *part = (SlipiPart){.body = slot, .material = def.material >= 0 ? def.material : body->material};
  if (status == SLIP_OK && (def.material < -1 || def.material >= sim->materials))
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no material %d", (int)def.material);
  if (status == SLIP_OK)
    status = check_pose(sim, def.position, def.rotation, error);
  if (status == SLIP_OK)
    status = slipi_shape_make(&def, sim->def.dimension, arena, &part->shape, error);
  if (status != SLIP_OK)
    return status;
  if (body->motion == SLIP_MOTION_FREE && obstacle_only(part->shape.kind))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "a half-space or mesh must be an obstacle: its body may not be free");
  memcpy(part->local.position, def.position, sizeof def.position);
  slipi_quaternion_matrix(def.rotation, part->local.R);
  part->serial = sim->part_serial++;
  sim->bodies.part_count[slot]++;
  sim->parts++;
  return SLIP_OK;
}

/* There is room for all. Hulls and meshes have memory of their own, most bodies need none. */
static SlipStatus make_parts(SlipSim *sim, int32_t slot, const SlipBodyDef *def, SlipError *error) {
  SlipiArena arena = {0};
  SlipStatus status = SLIP_OK;
  sim->bodies.first_part[slot] = sim->parts;
  for (int32_t k = 0; status == SLIP_OK && k < def->shape_count; k++) {
    status = make_part(sim, slot, def, &def->shapes[k], &arena, error);
    if (status != SLIP_OK && def->shape_count > 1)
      slipi_error_prefix(error, "shape %d", (int)k);
  }
  if (arena.blocks) {
    SlipiArena *kept = malloc(sizeof *kept);
    if (!kept) {
      slipi_arena_free(&arena);
      return slipi_fail_memory(error, "a shape");
    }
    *kept = arena;
    sim->bodies.shapes[slot] = kept;
  }
  return status;
}

/* A sphere about the centre of mass, from the boxes around the shapes. */
static void set_radius(SlipSim *sim, int32_t slot) {
  SlipiBodies *b = &sim->bodies;
  const double *centre = b->centre + 3 * (int64_t)slot;
  b->radius[slot] = 0;
  for (int32_t p = 0; p < b->part_count[slot]; p++) {
    const SlipiPart *part = &sim->part[b->first_part[slot] + p];
    double low[3], high[3], square = 0;
    slipi_shape_bounds(&part->shape, &part->local, low, high);
    for (int k = 0; k < sim->def.dimension; k++) {
      double far = fmax(fabs(low[k] - centre[k]), fabs(high[k] - centre[k]));
      square += far * far;
    }
    b->radius[slot] = fmax(b->radius[slot], sqrt(square));
  }
}

/* ---- Bodies ---- */

static SlipStatus tell(SlipSim *sim, int32_t slot, const SlipBodyDef *def, SlipError *error) {
  if (def->motion != SLIP_MOTION_TOLD || (def->sine_amplitude == 0 && def->moves_from == 0))
    return SLIP_OK;
  if (!SLIPI_ROOM(sim->told, sim->told_capacity, (int64_t)sim->told_count + 1))
    return slipi_fail_memory(error, "a body");
  SlipiTold *told = &sim->told[sim->told_count];
  *told = (SlipiTold){.body = slot,
                      .amplitude = def->sine_amplitude,
                      .frequency = def->sine_frequency,
                      .from = def->moves_from};
  double length = slipi_length(def->sine_axis), turns = 6.283185307179586 * def->sine_frequency;
  double now = told->amplitude * sin(turns * fmax(slipi_sim_now(sim) - told->from, 0));
  for (int k = 0; k < 3; k++) {
    told->axis[k] = length > 0 ? def->sine_axis[k] / length : 0;
    told->base[k] = def->position[k] - told->axis[k] * now;
  }
  sim->bodies.told[slot] = sim->told_count++;
  return SLIP_OK;
}

static void set_frame(SlipSim *sim, int32_t slot, const SlipBodyDef *def) {
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot;
  bool moves = def->motion != SLIP_MOTION_FIXED;
  memcpy(b->position + i, def->position, sizeof def->position);
  memcpy(b->rotation + 4 * (int64_t)slot, def->rotation, sizeof def->rotation);
  for (int k = 0; k < 3; k++) {
    b->velocity[i + k] = moves ? def->velocity[k] : 0;
    b->spin[i + k] = moves ? def->spin[k] : 0;
  }
  slipi_body_from_frame(sim, slot);
}

/* Fill a slot; where this fails, the caller gives it back. */
static SlipStatus make_body(SlipSim *sim, int32_t slot, const SlipBodyDef *def, SlipError *error) {
  SlipiBodies *b = &sim->bodies;
  b->motion[slot] = (uint8_t)def->motion;
  b->material[slot] = def->material;
  SlipStatus status = make_parts(sim, slot, def, error);
  if (status == SLIP_OK && def->motion == SLIP_MOTION_FREE)
    status = slipi_body_mass(sim, slot, def, error);
  if (status != SLIP_OK)
    return status;
  set_radius(sim, slot);
  set_frame(sim, slot, def);
  char *name = def->name ? slipi_name_copy(def->name) : NULL;
  if (def->name && !name)
    return slipi_fail_memory(error, "a body");
  b->name[slot] = name;
  if (!slipi_names_add(sim, slot)) {
    b->name[slot] = NULL;
    free(name);
    return slipi_fail_memory(error, "a body");
  }
  status = tell(sim, slot, def, error);
  if (status != SLIP_OK)
    slipi_names_remove(sim, slot);
  return status;
}

/* "body 'bead/3': " before the sentence. */
static void name_error(const SlipBodyDef *def, SlipError *error) {
  if (def->name)
    slipi_error_prefix(error, "body '%s'", def->name);
}

SlipStatus slip_sim_add_body(SlipSim *sim, const SlipBodyDef *def, SlipBodyId *body,
                             SlipError *error) {
  slipi_error_clear(error);
  if (body)
    *body = (SlipBodyId){-1, 0};
  if (!sim || !def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or def is null");
  SlipBodyDef known = slip_default_body_def();
  SlipStatus status = slipi_versioned_read("body_def", def, &known, sizeof known, error);
  if (status != SLIP_OK)
    return status;
  status = check_motion(sim, &known, error);
  if (status == SLIP_OK)
    status = check_pose(sim, known.position, known.rotation, error);
  if (status == SLIP_OK)
    status = check_velocity(sim, known.velocity, known.spin, error);
  int32_t slot = -1;
  if (status == SLIP_OK && (!take_slot(sim, known.shape_count, &slot) ||
                            !SLIPI_ROOM(sim->free_slot, sim->free_capacity, sim->bodies.count)))
    status = slipi_fail_memory(error, "a body");
  if (status == SLIP_OK)
    status = make_body(sim, slot, &known, error);
  if (status == SLIP_OK) {
    sim->bodies.present[slot] = 1;
    uint32_t generation = ++sim->bodies.generation[slot];
    if (body)
      *body = (SlipBodyId){slot, generation};
    return SLIP_OK;
  }
  name_error(&known, error);
  if (slot >= 0 && sim->free_slots < sim->free_capacity)
    return_slot(sim, slot);
  return status;
}

static void forget_told(SlipSim *sim, int32_t slot) {
  int32_t k = sim->bodies.told[slot];
  if (k < 0)
    return;
  sim->told[k] = sim->told[--sim->told_count];
  sim->bodies.told[sim->told[k].body] = k;
  sim->bodies.told[slot] = -1;
}

SlipStatus slip_sim_remove_body(SlipSim *sim, SlipBodyId body, SlipError *error) {
  int32_t slot, kept = 0;
  slipi_error_clear(error);
  if (!sim)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim is null");
  SlipStatus status = slipi_sim_slot(sim, body, &slot, error);
  if (status != SLIP_OK)
    return status;
  slipi_sim_drop_joints(sim, slot);
  for (int32_t k = 0; k < sim->forces; k++) {
    if (sim->given[k].body != slot)
      sim->given[kept++] = sim->given[k];
  }
  sim->forces = kept;
  forget_told(sim, slot);
  slipi_soft_remove(sim, slot);
  slipi_names_remove(sim, slot);
  return_slot(sim, slot);
  return SLIP_OK;
}

/* ---- Setters ---- */

static SlipStatus check_rigid(const SlipSim *sim, int32_t slot, SlipError *error) {
  return sim->bodies.motion[slot] != SLIPI_MOTION_SOFT
             ? SLIP_OK
             : slipi_fail(error, SLIP_ERROR_ARGUMENT,
                          "body %d is deformable: it is not set as a whole", (int)slot);
}

SlipStatus slip_sim_set_pose(SlipSim *sim, SlipBodyId body, const double position[3],
                             const double rotation[4], SlipError *error) {
  int32_t slot = -1;
  slipi_error_clear(error);
  if (!sim || !position || !rotation)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim, position or rotation is null");
  double q[4];
  memcpy(q, rotation, sizeof q);
  SlipStatus status = slipi_sim_slot(sim, body, &slot, error);
  if (status == SLIP_OK)
    status = check_pose(sim, position, q, error);
  if (status == SLIP_OK)
    status = check_rigid(sim, slot, error);
  if (status != SLIP_OK)
    return status;
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot;
  for (int k = 0; b->told[slot] >= 0 && k < 3; k++)
    sim->told[b->told[slot]].base[k] += position[k] - b->position[i + k];
  memcpy(b->position + i, position, 3 * sizeof(double));
  memcpy(b->rotation + 4 * (int64_t)slot, q, sizeof q);
  slipi_body_from_frame(sim, slot);
  return SLIP_OK;
}

SlipStatus slip_sim_set_velocity(SlipSim *sim, SlipBodyId body, const double velocity[3],
                                 const double spin[3], SlipError *error) {
  int32_t slot = -1;
  slipi_error_clear(error);
  if (!sim || !velocity || !spin)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim, velocity or spin is null");
  SlipStatus status = slipi_sim_slot(sim, body, &slot, error);
  if (status == SLIP_OK)
    status = check_velocity(sim, velocity, spin, error);
  if (status == SLIP_OK)
    status = check_rigid(sim, slot, error);
  if (status == SLIP_OK && sim->bodies.motion[slot] == SLIP_MOTION_FIXED)
    status =
        slipi_fail(error, SLIP_ERROR_ARGUMENT,
                   "body %d is fixed and has no velocity: make it SLIP_MOTION_TOLD", (int)slot);
  if (status != SLIP_OK)
    return status;
  memcpy(sim->bodies.velocity + 3 * (int64_t)slot, velocity, 3 * sizeof(double));
  memcpy(sim->bodies.spin + 3 * (int64_t)slot, spin, 3 * sizeof(double));
  slipi_body_from_frame(sim, slot);
  return SLIP_OK;
}
