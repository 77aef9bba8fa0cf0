/* A deformable body as it is, as a file for ParaView: an unstructured grid in text, with
 * displacement, velocity, stress, contact pressure and traction of every node. */
#include <math.h>

#include "base/number.h"
#include "base/text.h"
#include "fem/element.h"
#include "io/io.h"
#include "record/soft_frames.h"
#include <slipcone/record.h>

/* VTK's types of cells, by SlipElement. */
static const int cell_types[] = {5, 9, 10, 24, 12};

static void add_reals(SlipiText *text, const char *name, int components, const double *x,
                      int64_t count) {
  slipi_text_add(text,
                 "        <DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\" "
                 "format=\"ascii\">\n",
                 name, components);
  for (int64_t k = 0; k < components * count; k++) {
    char number[SLIPI_NUMBER_TEXT];
    slipi_text_add(text, "%s%c", slipi_number_text(x[k], number),
                   k % components == components - 1 ? '\n' : ' ');
  }
  slipi_text_add(text, "        </DataArray>\n");
}

static void add_cells(SlipiText *text, const SlipDeformableState *at) {
  slipi_text_add(text, "      <Cells>\n        <DataArray type=\"Int32\" Name=\"connectivity\" "
                       "format=\"ascii\">\n");
  for (int32_t e = 0; e < at->elements; e++) {
    for (int32_t k = at->element_first[e]; k < at->element_first[e + 1]; k++)
      slipi_text_add(text, "%d ", (int)at->element_node[k]);
    slipi_text_add(text, "\n");
  }
  slipi_text_add(text, "        </DataArray>\n        <DataArray type=\"Int32\" Name=\"offsets\" "
                       "format=\"ascii\">\n");
  for (int32_t e = 0; e < at->elements; e++)
    slipi_text_add(text, "%d\n", (int)at->element_first[e + 1]);
  slipi_text_add(text, "        </DataArray>\n        <DataArray type=\"UInt8\" Name=\"types\" "
                       "format=\"ascii\">\n");
  for (int32_t e = 0; e < at->elements; e++)
    slipi_text_add(text, "%d\n", cell_types[at->element_kind[e]]);
  slipi_text_add(text, "        </DataArray>\n      </Cells>\n");
}

/* Force over area of the nodes that contacts touch, along the inward normal and its size; and the
 * stress in one number. */
static void add_tractions(SlipiText *text, const SlipDeformableState *at, SlipiArena *arena) {
  double *traction = SLIPI_ARENA_NEW(arena, double, 3 * (int64_t)at->nodes);
  double *value = SLIPI_ARENA_NEW(arena, double, at->nodes);
  if (arena->failed) {
    text->failed = true;
    return;
  }
  slipi_contact_pressure(at, traction, value);
  add_reals(text, "contact_pressure", 1, value, at->nodes);
  for (int64_t k = 0; k < at->nodes; k++) {
    value[k] = 0;
    for (int i = 0; i < 3; i++) {
      traction[3 * k + i] = at->area[k] > 0 ? at->force[3 * k + i] / at->area[k] : 0;
      value[k] += traction[3 * k + i] * traction[3 * k + i];
    }
    value[k] = sqrt(value[k]);
  }
  add_reals(text, "traction", 3, traction, at->nodes);
  add_reals(text, "contact_traction_size", 1, value, at->nodes);
  for (int64_t k = 0; k < at->nodes; k++)
    value[k] = slipi_von_mises(at->stress + 6 * k);
  add_reals(text, "von_mises", 1, value, at->nodes);
}

SlipStatus slipi_vtu_write(const SlipDeformableState *at, const char *path, SlipError *error) {
  SlipiText text = {0};
  SlipiArena arena = {0};
  slipi_text_add(&text,
                 "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\">\n"
                 "  <UnstructuredGrid>\n    <Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n"
                 "      <PointData>\n",
                 (int)at->nodes, (int)at->elements);
  add_reals(&text, "displacement", 3, at->displacement, at->nodes);
  if (at->velocity)
    add_reals(&text, "velocity", 3, at->velocity, at->nodes);
  add_reals(&text, "stress", 6, at->stress, at->nodes);
  add_tractions(&text, at, &arena);
  slipi_text_add(&text, "      </PointData>\n      <Points>\n");
  add_reals(&text, "position", 3, at->position, at->nodes);
  slipi_text_add(&text, "      </Points>\n");
  add_cells(&text, at);
  slipi_text_add(&text, "    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n");
  SlipStatus status = text.failed ? slipi_fail_memory(error, "a file for ParaView")
                                  : slipi_text_write(path, &text, error);
  slipi_text_free(&text);
  slipi_arena_free(&arena);
  return status;
}

SlipStatus slip_sim_export_vtu(SlipSim *sim, SlipBodyId body, const char *path, SlipError *error) {
  slipi_error_clear(error);
  if (!path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path is null");
  SlipDeformableState at = slip_default_deformable_state();
  SlipStatus status = slip_sim_deformable(sim, body, &at, error);
  return status == SLIP_OK ? slipi_vtu_write(&at, path, error) : status;
}
