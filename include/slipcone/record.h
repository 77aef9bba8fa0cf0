/* Trajectories: what a simulation did, as an HDF5 file that can be read while the run goes on, that
 * survives a kill up to the last flush, and from which the run can be taken up again with the same
 * bits. docs/trajectory.md lists the datasets. */
#ifndef SLIPCONE_RECORD_H
#define SLIPCONE_RECORD_H

#include <slipcone/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Writing ----------------------------------------------------------------------------- */

typedef struct SlipRecordDef {
  size_t size;
  int64_t every;          /* steps between two frames */
  int32_t contacts;       /* 1: contacts of each frame too */
  int64_t snapshot_every; /* steps between two snapshots; 0: only at the end */
  double flush_seconds;   /* on the disk at least so often */
  const char *scene;      /* text of the scene, or NULL */
  const char *set;        /* values that took the place of the scene's, NAME=VALUE lines, or NULL */
  /* A trajectory to go on from: its frames and steps up to those of the simulation, which was
   * restored from one of its snapshots, are copied first. May be the file that is written. */
  const char *continues;
} SlipRecordDef;

static inline SlipRecordDef slip_default_record_def(void) {
  SlipRecordDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.every = 1;
  def.contacts = 1;
  def.snapshot_every = 100;
  def.flush_seconds = 2;
  return def;
}

typedef struct SlipRecorder SlipRecorder;

/* Begin a file with the simulation's state as the first frame. What is at `path` is replaced once
 * the new file has its first frame. */
SLIP_API SlipStatus slip_recorder_create(const char *path, const SlipSim *sim,
                                         const SlipRecordDef *def, SlipRecorder **recorder,
                                         SlipError *error);
/* After each step, with what slip_sim_step has told of it. */
SLIP_API SlipStatus slip_recorder_step(SlipRecorder *recorder, const SlipSim *sim,
                                       const SlipStepInfo *info, SlipError *error);
/* Bring everything to the disk now. */
SLIP_API SlipStatus slip_recorder_flush(SlipRecorder *recorder, SlipError *error);
/* Last snapshot, last flush, close. The recorder is gone whatever happens. */
SLIP_API SlipStatus slip_recorder_finish(SlipRecorder *recorder, const SlipSim *sim,
                                         SlipError *error);
/* Close without a last snapshot; what was recorded is flushed where that is possible. */
SLIP_API void slip_recorder_free(SlipRecorder *recorder);

/* A deformable body as it is, as a file .vtu for ParaView: its elements, with displacement,
 * velocity, stress, von Mises' stress, and the traction of contacts. */
SLIP_API SlipStatus slip_sim_export_vtu(SlipSim *sim, SlipBodyId body, const char *path,
                                        SlipError *error);

/* ---- Reading ----------------------------------------------------------------------------- */

typedef struct SlipTrajectory SlipTrajectory;

/* Everything but the frames; the trajectory's. */
typedef struct SlipTrajectoryInfo {
  size_t size;
  int32_t dimension, bodies, shapes;
  int64_t frames, steps, snapshots;
  const char *const *names; /* of the bodies */
  const char *scene;        /* or NULL */
  const char *set;          /* as in SlipRecordDef, or NULL */
  const char *version;      /* of the library that wrote it */
  const double *time;       /* of each frame */
  const SlipEnergy *energy; /* of each frame */
  const double *snapshot_time;
  /* Of each step: */
  const int32_t *step_contacts, *step_outcome;
  const int64_t *step_iterations;
  const double *step_residual, *step_seconds;
} SlipTrajectoryInfo;

SLIP_API SlipStatus slip_trajectory_open(const char *path, SlipTrajectory **trajectory,
                                         SlipError *error);
SLIP_API void slip_trajectory_free(SlipTrajectory *trajectory);
/* NULL for NULL. */
SLIP_API const SlipTrajectoryInfo *slip_trajectory_info(const SlipTrajectory *trajectory);

/* A shape in its body's frame (material is not told), and that body. */
SLIP_API SlipStatus slip_trajectory_shape(const SlipTrajectory *trajectory, int32_t shape,
                                          SlipShapeDef *def, int32_t *body, SlipError *error);

/* One frame, valid until the next is read; state->present is NULL: all are. */
SLIP_API SlipStatus slip_trajectory_frame(SlipTrajectory *trajectory, int64_t frame,
                                          SlipSimState *state, SlipError *error);

/* A deformable body in a frame, valid until another frame is asked for: as slip_sim_deformable, but
 * without velocity and energy, and from values of four bytes. Files of earlier versions have no
 * nodes.
 */
SLIP_API SlipStatus slip_trajectory_deformable(SlipTrajectory *trajectory, int64_t frame,
                                               int32_t body, SlipDeformableState *state,
                                               SlipError *error);

/* The last snapshot at or before `time` (infinity: the last of all), for slip_sim_restore; free it
 * with slip_sim_bytes_free. */
SLIP_API SlipStatus slip_trajectory_snapshot(SlipTrajectory *trajectory, double time, void **bytes,
                                             size_t *size, SlipError *error);

/* ---- For other programs ------------------------------------------------------------------ */

/* Files for ParaView in a folder: run.pvd with the posed surfaces and the contact points of each
 * frame, every `every`-th of them. */
SLIP_API SlipStatus slip_trajectory_export_vtk(SlipTrajectory *trajectory, const char *folder,
                                               int64_t every, SlipError *error);

/* The same as run.xdmf, which lists the frames, and run-frames.h5 with datasets for each of them.
 */
SLIP_API SlipStatus slip_trajectory_export_xdmf(SlipTrajectory *trajectory, const char *folder,
                                                int64_t every, SlipError *error);

/* Where a drawing is looked at from, in degrees: azimuth from x towards y, elevation above the
 * plane of both. 2D scenes are seen as they are. */
typedef struct SlipView {
  size_t size;
  double azimuth, elevation;
} SlipView;

static inline SlipView slip_default_view(void) {
  SlipView view;
  memset(&view, 0, sizeof view);
  view.size = sizeof view;
  view.azimuth = -60;
  view.elevation = 20;
  return view;
}

/* One frame as a drawing, SVG; view NULL: the default. */
SLIP_API SlipStatus slip_trajectory_draw(SlipTrajectory *trajectory, int64_t frame,
                                         const SlipView *view, const char *path, SlipError *error);

/* ---- To look at -------------------------------------------------------------------------- */

typedef struct SlipPageDef {
  size_t size;
  const char *title; /* where the scene has none, or NULL */
  int64_t every;     /* frames of the trajectory for one of the page */
  int64_t contacts;  /* to keep of all frames together, about: where there are more, those of frames
                        evenly apart are kept; 0: none */
} SlipPageDef;

static inline SlipPageDef slip_default_page_def(void) {
  SlipPageDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.every = 1;
  def.contacts = 250000;
  return def;
}

/* A page that plays the trajectory: one HTML file that needs no network (docs/viewer.md). def NULL:
 * the default. */
SLIP_API SlipStatus slip_trajectory_page(SlipTrajectory *trajectory, const SlipPageDef *def,
                                         const char *path, SlipError *error);

/* A page that shows a contact problem at r (dimension*contacts impulses): its contacts as a graph,
 * with their status and their share of the natural-map error. title may be NULL. */
SLIP_API SlipStatus slip_problem_page(const SlipProblem *problem, const double *r,
                                      const char *title, const char *path, SlipError *error);

#ifdef __cplusplus
}
#endif

#endif
