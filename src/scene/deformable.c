/* Deformable bodies: the mesh, the material, what holds and loads it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/gmsh.h"
#include "scene/scene.h"

/* ---- Meshes ---- */

static SlipStatus read_file(SlipiReader *reader, const SlipiNode *node, SlipiSoftBody *soft) {
  char shown[SLIPI_SHOWN], *bytes = NULL;
  size_t size = 0;
  SlipError error;
  SlipiGmsh mesh;
  if (!slipi_ends_with(node->text, ".msh"))
    return slipi_fail_node(reader->error, node, "%s must name a file .msh, not '%s'",
                           slipi_path(reader), slipi_shown(node->text, shown));
  SlipStatus status = slipi_read_beside(reader, node, &bytes, &size);
  if (status != SLIP_OK)
    return status;
  status = slipi_gmsh_read_memory(bytes, size, reader->dimension, reader->arena, &mesh, &error);
  free(bytes);
  if (status != SLIP_OK)
    return slipi_fail_beside(reader, node, &error);
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int64_t k = 0; k < 3 * (int64_t)mesh.point_count; k++) {
    low[k % 3] = fmin(low[k % 3], mesh.points[k]);
    high[k % 3] = fmax(high[k % 3], mesh.points[k]);
  }
  for (int k = 0; k < 3; k++)
    soft->size[k] = high[k] - low[k];
  soft->def.points = mesh.points;
  soft->def.point_count = mesh.point_count;
  soft->def.elements = mesh.elements;
  soft->def.element_count = mesh.element_count;
  soft->def.kinds = mesh.kinds;
  soft->def.sets = mesh.sets;
  soft->def.set_count = mesh.set_count;
  return SLIP_OK;
}

static SlipStatus read_round(SlipiReader *reader, const SlipiNode *node, SlipDeformableDef *def) {
  SlipiField fields[SLIPI_ROUND_KEYS];
  size_t length = slipi_path_key(reader, "cylinder");
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_round, fields);
  def->radius = fields[SLIPI_ROUND_RADIUS].x[0];
  def->length = fields[SLIPI_ROUND_LENGTH].x[0];
  slipi_path_back(reader, length);
  return status;
}

static SlipStatus read_cells(SlipiReader *reader, const SlipiNode *node, const SlipiField *fields,
                             int32_t kind, SlipDeformableDef *def) {
  const SlipiField *cells = &fields[SLIPI_DEFORMABLE_CELLS];
  const SlipiField *element = &fields[SLIPI_DEFORMABLE_ELEMENT];
  if (kind == SLIPI_DEFORMABLE_MESH) {
    const SlipiField *other = cells->node ? cells : element;
    if (other->node)
      return slipi_fail_field(reader, other, "%s: cells and element do not go with a file",
                              slipi_path(reader));
    return SLIP_OK;
  }
  if (!cells->node)
    return slipi_fail_node(reader->error, node, "%s lacks 'cells'", slipi_path(reader));
  for (int k = 0; k < 3; k++)
    def->cells[k] = (int32_t)cells->x[k];
  bool plane = reader->dimension == 2;
  def->element = element->node ? (int32_t)element->x[0] : plane ? SLIP_ELEMENT_Q4 : SLIP_ELEMENT_H8;
  if (plane != (def->element <= SLIP_ELEMENT_Q4))
    return slipi_fail_field(reader, element, "%s.element is not for %dD", slipi_path(reader),
                            (int)reader->dimension);
  return SLIP_OK;
}

static SlipStatus read_form(SlipiReader *reader, const SlipiNode *node, const SlipiField *fields,
                            SlipiSoftBody *soft) {
  int32_t kind;
  SlipDeformableDef *def = &soft->def;
  SlipStatus status = slipi_block_kind(reader, node, &slipi_block_deformable, fields,
                                       SLIPI_DEFORMABLE_CELLS, &kind);
  if (status == SLIP_OK)
    status = read_cells(reader, node, fields, kind, def);
  if (status != SLIP_OK)
    return status;
  if (kind == SLIPI_DEFORMABLE_MESH) {
    size_t length = slipi_path_key(reader, "mesh");
    status = read_file(reader, fields[kind].node, soft);
    slipi_path_back(reader, length);
    return status;
  }
  if (kind == SLIPI_DEFORMABLE_CYLINDER)
    status = read_round(reader, fields[kind].node, def);
  else if (kind == SLIPI_DEFORMABLE_BALL)
    def->radius = fields[kind].x[0];
  else
    memcpy(def->box, fields[kind].x, sizeof def->box);
  for (int k = 0; k < 3; k++) {
    double round = k == 2 && def->length > 0 ? def->length : 2 * def->radius;
    soft->size[k] = kind == SLIPI_DEFORMABLE_BOX ? def->box[k] : round;
  }
  return status;
}

/* ---- What holds and loads it ---- */

static SlipStatus read_sine(SlipiReader *reader, const SlipiNode *node, SlipSupportDef *def) {
  SlipiSine sine = {0};
  SlipStatus status = slipi_read_sine(reader, node, &sine);
  memcpy(def->sine_axis, sine.axis, sizeof sine.axis);
  def->sine_amplitude = sine.amplitude;
  def->sine_frequency = sine.frequency;
  return status;
}

static SlipStatus read_axes(SlipiReader *reader, const SlipiField *field, int32_t released[3]) {
  char shown[SLIPI_SHOWN];
  for (int k = 0; k < 3; k++)
    released[k] = field->node != NULL;
  for (const char *axis = field->node ? field->text : ""; *axis; axis++) {
    if (*axis < 'x' || *axis >= 'x' + reader->dimension)
      return slipi_fail_field(reader, field, "%s.axes must be some of the letters %s, not '%s'",
                              slipi_path(reader), reader->dimension == 3 ? "xyz" : "xy",
                              slipi_shown(field->text, shown));
    released[*axis - 'x'] = 0;
  }
  return SLIP_OK;
}

static SlipStatus read_hold(SlipiReader *reader, const SlipiNode *node, SlipSupportDef *def) {
  SlipiField fields[SLIPI_HOLD_KEYS];
  *def = slip_default_support_def();
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_hold, fields);
  if (status != SLIP_OK)
    return status;
  def->where = fields[SLIPI_HOLD_AT].text;
  memcpy(def->velocity, fields[SLIPI_HOLD_VELOCITY].x, sizeof def->velocity);
  status = read_axes(reader, &fields[SLIPI_HOLD_AXES], def->free);
  if (status == SLIP_OK && fields[SLIPI_HOLD_SINE].node)
    status = read_sine(reader, fields[SLIPI_HOLD_SINE].node, def);
  return status;
}

static SlipStatus read_load(SlipiReader *reader, const SlipiNode *node, SlipLoadDef *def) {
  SlipiField fields[SLIPI_LOAD_KEYS];
  *def = slip_default_load_def();
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_load, fields);
  if (status != SLIP_OK)
    return status;
  def->where = fields[SLIPI_LOAD_AT].text;
  memcpy(def->force, fields[SLIPI_LOAD_FORCE].x, sizeof def->force);
  memcpy(def->traction, fields[SLIPI_LOAD_TRACTION].x, sizeof def->traction);
  def->pressure = fields[SLIPI_LOAD_PRESSURE].x[0];
  def->from = fields[SLIPI_LOAD_FROM].x[0];
  def->full = fields[SLIPI_LOAD_FULL].x[0];
  def->until = fields[SLIPI_LOAD_UNTIL].x[0];
  return SLIP_OK;
}

static SlipStatus read_holds(SlipiReader *reader, const SlipiNode *node, SlipiSoftBody *soft) {
  SlipSupportDef *holds = SLIPI_ARENA_NEW(reader->arena, SlipSupportDef, node->count);
  SlipStatus status = holds ? SLIP_OK : slipi_reader_memory(reader);
  size_t length = slipi_path_key(reader, "hold");
  for (int32_t k = 0; k < node->count && status == SLIP_OK; k++) {
    size_t item = slipi_path_index(reader, k);
    status = read_hold(reader, node->items[k], &holds[k]);
    slipi_path_back(reader, item);
  }
  slipi_path_back(reader, length);
  soft->holds = holds;
  soft->hold_count = node->count;
  return status;
}

static SlipStatus read_loads(SlipiReader *reader, const SlipiNode *node, SlipiSoftBody *soft) {
  SlipLoadDef *loads = SLIPI_ARENA_NEW(reader->arena, SlipLoadDef, node->count);
  SlipStatus status = loads ? SLIP_OK : slipi_reader_memory(reader);
  size_t length = slipi_path_key(reader, "loads");
  for (int32_t k = 0; k < node->count && status == SLIP_OK; k++) {
    size_t item = slipi_path_index(reader, k);
    status = read_load(reader, node->items[k], &loads[k]);
    slipi_path_back(reader, item);
  }
  slipi_path_back(reader, length);
  soft->loads = loads;
  soft->load_count = node->count;
  return status;
}

SlipStatus slipi_read_deformable(SlipiReader *reader, const SlipiNode *node,
                                 const SlipiSoftBody **soft) {
  SlipiField fields[SLIPI_DEFORMABLE_KEYS];
  SlipiSoftBody *made = SLIPI_ARENA_NEW(reader->arena, SlipiSoftBody, 1);
  if (!made)
    return slipi_reader_memory(reader);
  made->def = slip_default_deformable_def();
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_deformable, fields);
  if (status != SLIP_OK)
    return status;
  made->def.young = fields[SLIPI_DEFORMABLE_YOUNG].x[0];
  made->def.poisson = fields[SLIPI_DEFORMABLE_POISSON].x[0];
  made->def.plane_stress = fields[SLIPI_DEFORMABLE_PLANE].x[0] != 0;
  memcpy(made->def.damping, fields[SLIPI_DEFORMABLE_DAMPING].x, sizeof made->def.damping);
  status = read_form(reader, node, fields, made);
  if (status == SLIP_OK && fields[SLIPI_DEFORMABLE_HOLD].node)
    status = read_holds(reader, fields[SLIPI_DEFORMABLE_HOLD].node, made);
  if (status == SLIP_OK && fields[SLIPI_DEFORMABLE_LOADS].node)
    status = read_loads(reader, fields[SLIPI_DEFORMABLE_LOADS].node, made);
  *soft = made;
  return status;
}
