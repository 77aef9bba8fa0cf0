/* Meshes of finite elements in Gmsh's format MSH 4.1, as text. */
#ifndef SLIPI_IO_GMSH_H
#define SLIPI_IO_GMSH_H

#include <slipcone/sim.h>

#include "base/arena.h"
#include "base/error.h"

/* The elements of the dimension that is asked for, and the nodes that they have; physical groups of
 * any dimension as sets of these nodes, by name, or by number where they have none. */
typedef struct SlipiGmsh {
  double *points; /* 3 each */
  int32_t point_count;
  int32_t *kinds;    /* SlipElement */
  int32_t *elements; /* nodes of one after the other, in the order of VTK */
  int32_t element_count;
  SlipNodeSet *sets;
  int32_t set_count;
} SlipiGmsh;

/* The arrays are in the arena. Messages name the line and the value, not the file. */
SlipStatus slipi_gmsh_read_memory(const char *bytes, size_t size, int dimension, SlipiArena *arena,
                                  SlipiGmsh *mesh, SlipError *error);

#endif
