/* Any bytes as an STL or OBJ file, as the first byte says: nothing may crash, hang or leak, what is
 * read is whole, and a mesh is made of it or refused. */
#include <math.h>
#include <stdlib.h>

#include "geom/mesh.h"
#include "io/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const SlipiTriangles *read) {
  for (size_t k = 0; k < 3 * (size_t)read->point_count; k++)
    if (!isfinite(read->points[k]))
      abort();
  for (size_t k = 0; k < 3 * (size_t)read->triangle_count; k++)
    if (read->triangles[k] < 0 || read->triangles[k] >= read->point_count)
      abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SlipiArena arena = {0};
  SlipiTriangles read;
  const SlipiMesh *mesh = NULL;
  SlipError error;
  if (size == 0)
    return 0;
  SlipiMeshFormat format = data[0] == 'o' ? SLIPI_MESH_OBJ : SLIPI_MESH_STL;
  SlipStatus status =
      slipi_mesh_read_memory((const char *)data + 1, size - 1, format, &arena, &read, &error);
  if (status == SLIP_OK) {
    check(&read);
    status = slipi_mesh_make(read.points, read.point_count, read.triangles, read.triangle_count,
                             &arena, &mesh, &error);
  } else if (read.points || read.triangles || read.point_count || read.triangle_count) {
    abort();
  }
  if ((status == SLIP_OK) != (mesh != NULL) ||
      (status != SLIP_OK && (error.status != status || !error.text[0])))
    abort();
  slipi_arena_free(&arena);
  return 0;
}
