/* Shapes as they were given, for who draws or records them. The surfaces of deformable bodies, at
 * rest, come after those of rigid ones. */
#include <string.h>

#include "base/versioned.h"
#include "geom/mesh.h"
#include "sim/sim.h"
#include "sim/soft.h"

int32_t slip_sim_shape_count(const SlipSim *sim) {
  return sim ? sim->parts + (sim->softs ? sim->softs->count : 0) : 0;
}

static void points_of(const SlipiShape *shape, SlipShapeDef *def) {
  switch (shape->kind) {
  case SLIP_SHAPE_HULL:
  case SLIP_SHAPE_POLYGON:
    def->points = shape->hull->vertex;
    def->point_count = shape->hull->vertices;
    break;
  case SLIP_SHAPE_SEGMENT:
    def->points = shape->ends[0];
    def->point_count = 2;
    break;
  case SLIP_SHAPE_MESH:
    def->points = shape->mesh->vertex;
    def->point_count = shape->mesh->vertices;
    def->triangles = shape->mesh->triangle;
    def->triangle_count = shape->mesh->triangles;
    break;
  case SLIP_SHAPE_SPHERE:
  case SLIP_SHAPE_BOX:
  case SLIP_SHAPE_CAPSULE:
  case SLIP_SHAPE_CYLINDER:
  case SLIP_SHAPE_HALF_SPACE:
  case SLIP_SHAPE_DISC:
    break;
  }
}

static SlipShapeDef describe(const SlipiPart *part) {
  const SlipiShape *shape = &part->shape;
  SlipShapeDef def = slip_default_shape_def();
  def.kind = (int32_t)shape->kind;
  def.radius = shape->radius;
  def.length = 2 * shape->half[2];
  for (int k = 0; k < 3; k++)
    def.edges[k] = shape->kind == SLIP_SHAPE_BOX ? 2 * shape->half[k] : 0;
  memcpy(def.normal, shape->normal, sizeof def.normal);
  memcpy(def.position, part->local.position, sizeof def.position);
  slipi_quaternion_of(part->local.R, def.rotation);
  def.material = part->material;
  points_of(shape, &def);
  return def;
}

static SlipShapeDef describe_soft(const SlipiSoft *soft) {
  SlipShapeDef def = slip_default_shape_def();
  def.kind = SLIP_SHAPE_MESH;
  def.points = soft->mesh->x;
  def.point_count = soft->nodes;
  def.triangles = soft->triangle;
  def.triangle_count = soft->triangles;
  return def;
}

SlipStatus slip_sim_shape(const SlipSim *sim, int32_t shape, SlipShapeDef *def, int32_t *slot,
                          SlipError *error) {
  slipi_error_clear(error);
  if (!sim || !def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or def is null");
  int32_t count = slip_sim_shape_count(sim);
  if (shape < 0 || shape >= count)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no shape %d, the last is %d", shape,
                      count - 1);
  SlipStatus status = slipi_versioned_check("shape_def", def, error);
  if (status != SLIP_OK)
    return status;
  const SlipiSoft *soft = shape < sim->parts ? NULL : sim->softs->at[shape - sim->parts];
  SlipShapeDef known = soft ? describe_soft(soft) : describe(&sim->part[shape]);
  slipi_versioned_write(&known, def, sizeof known);
  if (slot)
    *slot = soft ? soft->slot : sim->part[shape].body;
  return SLIP_OK;
}
