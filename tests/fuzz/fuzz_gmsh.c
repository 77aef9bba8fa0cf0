/* Any bytes as a mesh of Gmsh, for 2D or 3D as the first byte says: nothing may crash, hang or
 * leak, what is read is whole, and a mesh is made of it or refused. */
#include <math.h>
#include <stdlib.h>

#include "fem/mesh.h"
#include "io/gmsh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const SlipiGmsh *read, uint8_t *kinds) {
  int64_t entries = 0;
  for (int64_t k = 0; k < 3 * (int64_t)read->point_count; k++)
    if (!isfinite(read->points[k]))
      abort();
  for (int32_t e = 0; e < read->element_count; e++) {
    kinds[e] = (uint8_t)read->kinds[e];
    entries += slipi_element_type((SlipiElementKind)kinds[e])->nodes;
  }
  for (int64_t k = 0; k < entries; k++)
    if (read->elements[k] < 0 || read->elements[k] >= read->point_count)
      abort();
  for (int32_t s = 0; s < read->set_count; s++)
    for (int32_t k = 0; k < read->sets[s].node_count; k++)
      if (read->sets[s].nodes[k] < 0 || read->sets[s].nodes[k] >= read->point_count)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SlipiArena arena = {0};
  SlipiGmsh read;
  SlipiFemMesh *mesh = NULL;
  SlipError error;
  if (size == 0)
    return 0;
  SlipStatus status = slipi_gmsh_read_memory((const char *)data + 1, size - 1,
                                             data[0] == '2' ? 2 : 3, &arena, &read, &error);
  if (status == SLIP_OK) {
    uint8_t *kinds = malloc((size_t)read.element_count + 1);
    if (!kinds)
      abort();
    check(&read, kinds);
    status = slipi_fem_mesh_given(read.points, read.point_count, kinds, SLIPI_T3, read.elements,
                                  read.element_count, &mesh, &error);
    free(kinds);
  } else if (read.points || read.elements || read.sets) {
    abort();
  }
  if ((status == SLIP_OK) != (mesh != NULL) ||
      (status != SLIP_OK && (error.status != status || !error.text[0])))
    abort();
  slipi_fem_mesh_free(mesh);
  slipi_arena_free(&arena);
  return 0;
}
