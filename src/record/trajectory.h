/* An open trajectory, as the writer of a continued run sees it. */
#ifndef SLIPI_RECORD_TRAJECTORY_H
#define SLIPI_RECORD_TRAJECTORY_H

#include "record/layout.h"
#include <slipcone/record.h>

const SlipiColumn *slipi_trajectory_column(const SlipTrajectory *trajectory,
                                           SlipiRecordColumn column);

/* Its deformable bodies. */
const struct SlipiSoftFrames *slipi_trajectory_softs(const SlipTrajectory *trajectory);

/* How many rows of each kind belong to a run up to a step, which the file must reach. Snapshots at
 * the end that are not `snapshot_every` steps apart from the others (a run's last one) are left
 * out: a run without interruption does not have them. */
SlipStatus slipi_trajectory_rows(const SlipTrajectory *trajectory, int64_t step,
                                 int64_t snapshot_every, int64_t rows[SLIPI_PER_COUNT],
                                 SlipError *error);

/* The step of a snapshot. */
int64_t slipi_trajectory_snapshot_step(const SlipTrajectory *trajectory, int64_t snapshot);

#endif
