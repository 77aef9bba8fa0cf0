/* The datasets of a trajectory, in one table for writer and reader. */
#ifndef SLIPI_RECORD_LAYOUT_H
#define SLIPI_RECORD_LAYOUT_H

#include "record/column.h"

/* In the order in which they are flushed: a dataset that counts others (contacts/first, time,
 * snapshots/time) comes after them, so that what a reader finds counted is there. A tail of -1 in
 * the table stands for the number of bodies, -2 for that of the nodes of deformable ones: where
 * there are none, the datasets under /deformable are left out.
 *
 *      name             path                      type     what a row is for   extents after it */
#define SLIPI_RECORD_COLUMNS(X)                                                                    \
  X(SHAPE_BODY, "/shapes/body", INT32, SHAPE, 0, 0)                                                \
  X(SHAPE_KIND, "/shapes/kind", INT32, SHAPE, 0, 0)                                                \
  X(SHAPE_RADIUS, "/shapes/radius", REAL, SHAPE, 0, 0)                                             \
  X(SHAPE_LENGTH, "/shapes/length", REAL, SHAPE, 0, 0)                                             \
  X(SHAPE_EDGES, "/shapes/edges", REAL, SHAPE, 3, 0)                                               \
  X(SHAPE_NORMAL, "/shapes/normal", REAL, SHAPE, 3, 0)                                             \
  X(SHAPE_POSITION, "/shapes/position", REAL, SHAPE, 3, 0)                                         \
  X(SHAPE_ROTATION, "/shapes/rotation", REAL, SHAPE, 4, 0)                                         \
  X(SHAPE_POINTS, "/shapes/points", REAL, POINT, 3, 0)                                             \
  X(SHAPE_TRIANGLES, "/shapes/triangles", INT32, TRIANGLE, 3, 0)                                   \
  X(SHAPE_FIRST_POINT, "/shapes/first_point", INT64, SHAPE_END, 0, 0)                              \
  X(SHAPE_FIRST_TRIANGLE, "/shapes/first_triangle", INT64, SHAPE_END, 0, 0)                        \
  X(SOFT_BODY, "/deformable/body", INT32, SOFT, 0, 0)                                              \
  X(SOFT_SIZES, "/deformable/sizes", INT32, SOFT, 3, 0)                                            \
  X(SOFT_REST, "/deformable/rest", REAL, SOFT_NODE, 3, 0)                                          \
  X(SOFT_AREA, "/deformable/area", REAL, SOFT_NODE, 0, 0)                                          \
  X(SOFT_ELEMENT_KIND, "/deformable/element_kind", INT32, SOFT_ELEMENT, 0, 0)                      \
  X(SOFT_ELEMENT_NODES, "/deformable/element_nodes", INT32, SOFT_ELEMENT, 0, 0)                    \
  X(SOFT_ELEMENT_NODE, "/deformable/element_node", INT32, SOFT_CORNER, 0, 0)                       \
  X(SOFT_FACE_NODES, "/deformable/face_nodes", INT32, SOFT_FACE, 0, 0)                             \
  X(SOFT_FACE_NODE, "/deformable/face_node", INT32, SOFT_CORNER, 0, 0)                             \
  X(CONTACT_BODIES, "/contacts/bodies", INT32, CONTACT, 2, 0)                                      \
  X(CONTACT_KEY, "/contacts/key", UINT64, CONTACT, 0, 0)                                           \
  X(CONTACT_POSITION, "/contacts/position", REAL, CONTACT, 3, 0)                                   \
  X(CONTACT_NORMAL, "/contacts/normal", REAL, CONTACT, 3, 0)                                       \
  X(CONTACT_IMPULSE, "/contacts/impulse", REAL, CONTACT, 3, 0)                                     \
  X(CONTACT_MOMENT, "/contacts/moment", REAL, CONTACT, 3, 0)                                       \
  X(CONTACT_GAP, "/contacts/gap", REAL, CONTACT, 0, 0)                                             \
  X(CONTACT_STATUS, "/contacts/status", INT32, CONTACT, 0, 0)                                      \
  X(CONTACT_FIRST, "/contacts/first", INT64, FRAME_END, 0, 0)                                      \
  X(POSITION, "/bodies/position", REAL, FRAME, -1, 3)                                              \
  X(ROTATION, "/bodies/rotation", REAL, FRAME, -1, 4)                                              \
  X(VELOCITY, "/bodies/velocity", REAL, FRAME, -1, 3)                                              \
  X(SPIN, "/bodies/spin", REAL, FRAME, -1, 3)                                                      \
  X(SOFT_DISPLACEMENT, "/deformable/displacement", FLOAT, FRAME, -2, 3)                            \
  X(SOFT_STRESS, "/deformable/stress", FLOAT, FRAME, -2, 6)                                        \
  X(SOFT_FORCE, "/deformable/force", FLOAT, FRAME, -2, 3)                                          \
  X(KINETIC, "/energy/kinetic", REAL, FRAME, 0, 0)                                                 \
  X(POTENTIAL, "/energy/potential", REAL, FRAME, 0, 0)                                             \
  X(ELASTIC, "/energy/elastic", REAL, FRAME, 0, 0)                                                 \
  X(APPLIED, "/energy/applied", REAL, FRAME, 0, 0)                                                 \
  X(FRICTION, "/energy/friction", REAL, FRAME, 0, 0)                                               \
  X(IMPACT, "/energy/impact", REAL, FRAME, 0, 0)                                                   \
  X(DAMPING, "/energy/damping", REAL, FRAME, 0, 0)                                                 \
  X(PLASTIC, "/energy/plastic", REAL, FRAME, 0, 0)                                                 \
  X(PROJECTION, "/energy/projection", REAL, FRAME, 0, 0)                                           \
  X(IMBALANCE, "/energy/imbalance", REAL, FRAME, 0, 0)                                             \
  X(THROUGHPUT, "/energy/throughput", REAL, FRAME, 0, 0)                                           \
  X(FRAME_STEP, "/step", INT64, FRAME, 0, 0)                                                       \
  X(TIME, "/time", REAL, FRAME, 0, 0)                                                              \
  X(STEP_ITERATIONS, "/steps/iterations", INT64, STEP, 0, 0)                                       \
  X(STEP_ERROR, "/steps/error", REAL, STEP, 0, 0)                                                  \
  X(STEP_OUTCOME, "/steps/outcome", INT32, STEP, 0, 0)                                             \
  X(STEP_SECONDS, "/steps/seconds", REAL, STEP, 0, 0)                                              \
  X(STEP_CONTACTS, "/steps/contacts", INT32, STEP, 0, 0)                                           \
  X(SNAPSHOT_BYTES, "/snapshots/bytes", BYTE, SNAPSHOT_BYTE, 0, 0)                                 \
  X(SNAPSHOT_END, "/snapshots/end", INT64, SNAPSHOT, 0, 0)                                         \
  X(SNAPSHOT_STEP, "/snapshots/step", INT64, SNAPSHOT, 0, 0)                                       \
  X(SNAPSHOT_TIME, "/snapshots/time", REAL, SNAPSHOT, 0, 0)

typedef enum SlipiRecordColumn {
#define SLIPI_RECORD_NAME(name, path, type, per, first, second) SLIPI_RECORD_##name,
  SLIPI_RECORD_COLUMNS(SLIPI_RECORD_NAME)
#undef SLIPI_RECORD_NAME
      SLIPI_RECORD_COUNT
} SlipiRecordColumn;

/* What a row of a column is for. The _END ones have a row more than there are shapes or frames:
 * where each one's points or contacts begin, and where the last one's end. */
typedef enum SlipiRecordPer {
  SLIPI_PER_SHAPE,
  SLIPI_PER_SHAPE_END,
  SLIPI_PER_POINT,
  SLIPI_PER_TRIANGLE,
  SLIPI_PER_SOFT,
  SLIPI_PER_SOFT_NODE,
  SLIPI_PER_SOFT_ELEMENT,
  SLIPI_PER_SOFT_FACE,
  SLIPI_PER_SOFT_CORNER,
  SLIPI_PER_CONTACT,
  SLIPI_PER_FRAME,
  SLIPI_PER_FRAME_END,
  SLIPI_PER_STEP,
  SLIPI_PER_SNAPSHOT,
  SLIPI_PER_SNAPSHOT_BYTE,
  SLIPI_PER_COUNT
} SlipiRecordPer;

SlipiRecordPer slipi_record_per(SlipiRecordColumn column);

/* Whether it is one of deformable bodies. */
bool slipi_record_is_soft(SlipiRecordColumn column);

/* Whether files of earlier versions may lack it: then its values are 0. */
bool slipi_record_is_late(SlipiRecordColumn column);

/* Columns without datasets, for `bodies` bodies, the deformable ones with so many nodes. */
void slipi_record_columns(int32_t bodies, int64_t nodes, SlipiColumn column[SLIPI_RECORD_COUNT]);

/* The energies of a frame in the order of their columns, from KINETIC to THROUGHPUT. */
enum { SLIPI_RECORD_ENERGIES = SLIPI_RECORD_THROUGHPUT - SLIPI_RECORD_KINETIC + 1 };

#endif
