/* Files of triangles that a scene names, beside it. */
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "io/mesh_file.h"
#include "scene/forms.h"

enum { MOST_BYTES = 1 << 30 };

bool slipi_ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  if (length < tail)
    return false;
  for (size_t k = 0; k < tail; k++)
    if ((text[length - tail + k] | 32) != end[k]) /* letters of either case; '.' has that bit */
      return false;
  return true;
}

/* The path of a file that stands beside the scene; absolute ones stay. */
static char *beside(SlipiReader *reader, const char *file) {
  const char *slash = strrchr(reader->file, '/');
  size_t folder = file[0] == '/' || !slash ? 0 : (size_t)(slash - reader->file) + 1;
  char *path = SLIPI_ARENA_NEW(reader->arena, char, folder + strlen(file) + 1);
  if (path) {
    memcpy(path, reader->file, folder);
    memcpy(path + folder, file, strlen(file) + 1);
  }
  return path;
}

SlipStatus slipi_fail_beside(SlipiReader *reader, const SlipiNode *node, const SlipError *inner) {
  char shown[SLIPI_SHOWN];
  if (inner->status == SLIP_ERROR_MEMORY)
    return slipi_reader_memory(reader);
  return slipi_fail_node(reader->error, node, "%s: '%s' %s", slipi_path(reader),
                         slipi_shown(node->text, shown), inner->text);
}

SlipStatus slipi_read_beside(SlipiReader *reader, const SlipiNode *node, char **bytes,
                             size_t *size) {
  SlipError error;
  const char *path = beside(reader, node->text);
  if (!path)
    return slipi_reader_memory(reader);
  SlipStatus status = slipi_file_bytes(path, MOST_BYTES, bytes, size, &error);
  return status == SLIP_OK ? status : slipi_fail_beside(reader, node, &error);
}

SlipStatus slipi_read_mesh(SlipiReader *reader, const SlipiNode *node, SlipShapeDef *shape) {
  char shown[SLIPI_SHOWN], *bytes = NULL;
  size_t size = 0;
  SlipError error;
  bool stl = slipi_ends_with(node->text, ".stl");
  if (!stl && !slipi_ends_with(node->text, ".obj"))
    return slipi_fail_node(reader->error, node, "%s must name a file .stl or .obj, not '%s'",
                           slipi_path(reader), slipi_shown(node->text, shown));
  SlipStatus status = slipi_read_beside(reader, node, &bytes, &size);
  if (status != SLIP_OK)
    return status;
  SlipiTriangles mesh;
  status = slipi_mesh_read_memory(bytes, size, stl ? SLIPI_MESH_STL : SLIPI_MESH_OBJ, reader->arena,
                                  &mesh, &error);
  free(bytes);
  if (status != SLIP_OK)
    return slipi_fail_beside(reader, node, &error);
  shape->points = mesh.points;
  shape->point_count = mesh.point_count;
  shape->triangles = mesh.triangles;
  shape->triangle_count = mesh.triangle_count;
  return SLIP_OK;
}
