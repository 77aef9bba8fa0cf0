#include "record/posed.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "geom/vec.h"
#include "io/io.h"
#include "record/soft_frames.h"
#include "record/trajectory.h"

/* Half the width of a half-space's square: all positions of the first and the last frame are within
 * it, with some room. */
static SlipStatus scene_extent(SlipiPosed *out, double *extent, SlipError *error) {
  *extent = 0;
  for (int k = 0; k < 2; k++) {
    SlipSimState state = slip_default_sim_state();
    int64_t frame = k ? out->info->frames - 1 : 0;
    SlipStatus status = slip_trajectory_frame(out->trajectory, frame, &state, error);
    if (status != SLIP_OK)
      return status;
    for (int64_t c = 0; c < 3 * (int64_t)state.bodies; c++)
      *extent = fmax(*extent, fabs(state.position[c]));
  }
  *extent = *extent > 0 ? 1.5 * *extent : 1;
  return SLIP_OK;
}

static SlipStatus make_surfaces(SlipiPosed *out, double extent, SlipiArena *arena,
                                SlipError *error) {
  int32_t shapes = out->info->shapes;
  out->surface = SLIPI_ARENA_NEW(arena, SlipiSurface, shapes);
  out->body = SLIPI_ARENA_NEW(arena, int32_t, shapes);
  if (arena->failed)
    return slipi_fail_memory(error, "surfaces");
  for (int32_t k = 0; k < shapes; k++) {
    SlipShapeDef def = slip_default_shape_def();
    SlipStatus status = slip_trajectory_shape(out->trajectory, k, &def, &out->body[k], error);
    if (status == SLIP_OK && out->body[k] >= 0)
      status =
          slipi_surface_make(&def, out->info->dimension, extent, arena, &out->surface[k], error);
    if (status != SLIP_OK)
      return status;
    out->points += out->surface[k].points;
    out->polygons += out->surface[k].polygons;
    if (out->surface[k].first)
      out->corners += out->surface[k].first[out->surface[k].polygons];
  }
  return SLIP_OK;
}

static SlipStatus make_cells(SlipiPosed *out, SlipiArena *arena, SlipError *error) {
  out->connectivity = SLIPI_ARENA_NEW(arena, int64_t, out->corners + 1);
  out->offsets = SLIPI_ARENA_NEW(arena, int64_t, out->polygons + 1);
  out->polygon_body = SLIPI_ARENA_NEW(arena, int32_t, out->polygons + 1);
  out->position = SLIPI_ARENA_NEW(arena, float, 3 * out->points + 1);
  out->velocity = SLIPI_ARENA_NEW(arena, float, 3 * out->polygons + 1);
  if (arena->failed)
    return slipi_fail_memory(error, "surfaces");
  int64_t point = 0, polygon = 0, corner = 0;
  for (int32_t s = 0; s < out->info->shapes; s++) {
    const SlipiSurface *surface = &out->surface[s];
    for (int32_t k = 0; k < surface->polygons; k++, polygon++) {
      for (int32_t c = surface->first[k]; c < surface->first[k + 1]; c++)
        out->connectivity[corner++] = point + surface->corner[c];
      out->offsets[polygon] = corner;
      out->polygon_body[polygon] = out->body[s];
    }
    point += surface->points;
  }
  return SLIP_OK;
}

SlipStatus slipi_posed_make(SlipTrajectory *trajectory, SlipiArena *arena, SlipiPosed *posed,
                            SlipError *error) {
  double extent = 1;
  *posed = (SlipiPosed){.trajectory = trajectory, .info = slip_trajectory_info(trajectory)};
  if (posed->info->frames < 1)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the trajectory has no frame");
  SlipStatus status = scene_extent(posed, &extent, error);
  if (status == SLIP_OK)
    status = make_surfaces(posed, extent, arena, error);
  return status == SLIP_OK ? make_cells(posed, arena, error) : status;
}

/* Surfaces of deformable bodies, whose points are their nodes. */
static SlipStatus deform(SlipiPosed *posed, int64_t frame, SlipError *error) {
  const SlipiSoftFrames *soft = slipi_trajectory_softs(posed->trajectory);
  for (int32_t s = 0; soft->count > 0 && s < posed->info->shapes; s++) {
    SlipDeformableState at = slip_default_deformable_state();
    if (slipi_soft_frames_find(soft, posed->body[s]) < 0)
      continue;
    SlipStatus status =
        slip_trajectory_deformable(posed->trajectory, frame, posed->body[s], &at, error);
    if (status != SLIP_OK)
      return status;
    if (at.nodes == posed->surface[s].points)
      slipi_soft_frames_points(&at, posed->surface[s].point);
  }
  return SLIP_OK;
}

SlipStatus slipi_posed_move(SlipiPosed *posed, int64_t frame, const SlipSimState *state,
                            SlipError *error) {
  int64_t point = 0, polygon = 0;
  SlipStatus status = deform(posed, frame, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t s = 0; s < posed->info->shapes; s++) {
    const SlipiSurface *surface = &posed->surface[s];
    if (posed->body[s] < 0)
      continue;
    int64_t body = posed->body[s];
    SlipiPose pose;
    memcpy(pose.position, state->position + 3 * body, sizeof pose.position);
    slipi_quaternion_matrix(state->rotation + 4 * body, pose.R);
    for (int32_t k = 0; k < surface->points; k++, point++) {
      double x[3];
      slipi_pose_point(&pose, surface->point + 3 * k, x);
      for (int c = 0; c < 3; c++)
        posed->position[3 * point + c] = (float)x[c];
    }
    for (int32_t k = 0; k < surface->polygons; k++, polygon++)
      for (int c = 0; c < 3; c++)
        posed->velocity[3 * polygon + c] = (float)state->velocity[3 * body + c];
  }
  return SLIP_OK;
}

bool slipi_posed_contacts(const SlipSimState *state, SlipiArena *arena, SlipiPosedContacts *to) {
  int64_t count = state->contacts;
  to->position = SLIPI_ARENA_NEW(arena, double, 3 * count);
  to->normal = SLIPI_ARENA_NEW(arena, double, 3 * count);
  to->impulse = SLIPI_ARENA_NEW(arena, double, 3 * count);
  to->gap = SLIPI_ARENA_NEW(arena, double, count);
  to->status = SLIPI_ARENA_NEW(arena, int32_t, count);
  to->bodies = SLIPI_ARENA_NEW(arena, int32_t, 2 * count);
  to->number = SLIPI_ARENA_NEW(arena, int64_t, count);
  to->end = SLIPI_ARENA_NEW(arena, int64_t, count);
  if (arena->failed)
    return false;
  for (int64_t k = 0; k < count; k++) {
    const SlipSimContact *contact = &state->contact[k];
    memcpy(to->position + 3 * k, contact->position, sizeof contact->position);
    memcpy(to->normal + 3 * k, contact->normal, sizeof contact->normal);
    memcpy(to->impulse + 3 * k, contact->impulse, sizeof contact->impulse);
    memcpy(to->bodies + 2 * k, contact->bodies, sizeof contact->bodies);
    to->gap[k] = contact->gap;
    to->status[k] = contact->status;
    to->number[k] = k;
    to->end[k] = k + 1;
  }
  return true;
}

SlipStatus slipi_posed_folder(const char *folder, SlipError *error) {
  if (mkdir(folder, 0777) == 0 || errno == EEXIST)
    return SLIP_OK;
  SlipStatus status = slipi_fail_errno(error, "cannot be made", errno);
  slipi_file_error_prefix(error, folder);
  return status;
}
