/* Deformable bodies in trajectories: their meshes, and in each frame displacements, stress and
 * forces of contacts of all nodes. */
#ifndef SLIPI_RECORD_SOFT_FRAMES_H
#define SLIPI_RECORD_SOFT_FRAMES_H

#include "base/arena.h"
#include "record/layout.h"
#include <slipcone/sim.h>

/* ---- Writing ---- */

/* Nodes of all deformable bodies of a simulation. */
int64_t slipi_soft_frames_nodes(const SlipSim *sim);
/* Meshes, once; and a frame, through room for 12 values a node. */
SlipStatus slipi_soft_frames_push_meshes(SlipiColumn *column, const SlipSim *sim, SlipError *error);
SlipStatus slipi_soft_frames_push(SlipiColumn *column, const SlipSim *sim, float *room,
                                  SlipError *error);

/* ---- Reading ---- */

typedef struct SlipiSoftFrames {
  int32_t count;
  int32_t *body;                   /* of each */
  int64_t *first;                  /* node of each, and where the last one's end */
  SlipDeformableState *state;      /* of each: the mesh, and the frame that was read */
  int64_t frame;                   /* that one; -1: none */
  float *room;                     /* 6 a node */
  double *displacement, *stress;   /* 3 and 6 a node */
  double *force, *position, *pose; /* 3 a node; positions and rotations of all bodies */
} SlipiSoftFrames;

/* Meshes, from columns that are open; none where the file has none. */
SlipStatus slipi_soft_frames_load(const SlipiColumn *column, int32_t bodies, SlipiArena *arena,
                                  SlipiSoftFrames *soft, SlipError *error);
/* A frame into the states. */
SlipStatus slipi_soft_frames_read(const SlipiColumn *column, int32_t bodies, int64_t frame,
                                  SlipiSoftFrames *soft, SlipError *error);
/* The one of a body, or -1. */
int32_t slipi_soft_frames_find(const SlipiSoftFrames *soft, int32_t body);

/* Points of a deformable body's surface in the frame that was read, in the axes of the body:
 * `point` has as many as the body has nodes. */
void slipi_soft_frames_points(const SlipDeformableState *at, double *point);

/* ---- What is shown of nodes ---- */

/* The pressure of contacts on the surface, force against the outward normal over area, of every
 * node
 * (`room`: 3 a node). */
void slipi_contact_pressure(const SlipDeformableState *at, double *room, double *pressure);

/* ---- soft_vtu.c ---- */

/* A file for ParaView; without velocities where there are none. */
SlipStatus slipi_vtu_write(const SlipDeformableState *at, const char *path, SlipError *error);

#endif
