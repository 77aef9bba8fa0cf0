/* Triangles of mesh files: STL, text or binary, and OBJ. */
#ifndef SLIPI_IO_MESH_FILE_H
#define SLIPI_IO_MESH_FILE_H

#include "base/arena.h"
#include "base/error.h"

typedef enum SlipiMeshFormat { SLIPI_MESH_STL, SLIPI_MESH_OBJ } SlipiMeshFormat;

typedef struct SlipiTriangles {
  double *points;     /* 3 each, no two of an STL file at one place */
  int32_t *triangles; /* 3 points each, from 0 on */
  int32_t point_count, triangle_count;
} SlipiTriangles;

/* The arrays are in the arena, which may hold more after a failure. Messages name the line or the
 * byte and the value, not the file, which is for the caller. Normals of STL, and all of OBJ but
 * points and faces, are not looked at; a face of n corners is n - 2 triangles around its first. */
SlipStatus slipi_mesh_read_memory(const char *bytes, size_t size, SlipiMeshFormat format,
                                  SlipiArena *arena, SlipiTriangles *mesh, SlipError *error);

#endif
