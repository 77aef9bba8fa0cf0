#include "record/soft_frames.h"

#include <math.h>
#include <string.h>

#include "geom/vec.h"
#include "sim/soft.h"

/* ---- Writing ---------------------------------------------------------------------------------
 */

static int32_t count_softs(const SlipSim *sim) {
  return sim->softs ? sim->softs->count : 0;
}

int64_t slipi_soft_frames_nodes(const SlipSim *sim) {
  int64_t nodes = 0;
  for (int32_t k = 0; k < count_softs(sim); k++)
    nodes += sim->softs->at[k]->nodes;
  return nodes;
}

/* Numbers of nodes, and the nodes, of elements or faces. */
static SlipStatus push_lists(SlipiColumn *sizes, SlipiColumn *nodes, const int32_t *first,
                             const int32_t *node, int32_t count, SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; k < count && status == SLIP_OK; k++) {
    int32_t size = first[k + 1] - first[k];
    status = slipi_column_push(sizes, &size, 1, error);
  }
  return status == SLIP_OK
             ? slipi_column_push(nodes, node + first[0], first[count] - first[0], error)
             : status;
}

static SlipStatus push_mesh(SlipiColumn *column, SlipiSoft *soft, SlipError *error) {
  SlipDeformableState at;
  slipi_soft_look(soft, &at);
  const int32_t sizes[3] = {at.nodes, at.elements, at.faces};
  SlipStatus status = slipi_column_push(&column[SLIPI_RECORD_SOFT_BODY], &soft->slot, 1, error);
  if (status == SLIP_OK)
    status = slipi_column_push(&column[SLIPI_RECORD_SOFT_SIZES], sizes, 1, error);
  if (status == SLIP_OK)
    status = slipi_column_push(&column[SLIPI_RECORD_SOFT_REST], at.rest, at.nodes, error);
  if (status == SLIP_OK)
    status = slipi_column_push(&column[SLIPI_RECORD_SOFT_AREA], at.area, at.nodes, error);
  for (int32_t k = 0; k < at.elements && status == SLIP_OK; k++) {
    int32_t kind = at.element_kind[k];
    status = slipi_column_push(&column[SLIPI_RECORD_SOFT_ELEMENT_KIND], &kind, 1, error);
  }
  if (status == SLIP_OK)
    status = push_lists(&column[SLIPI_RECORD_SOFT_ELEMENT_NODES],
                        &column[SLIPI_RECORD_SOFT_ELEMENT_NODE], at.element_first, at.element_node,
                        at.elements, error);
  return status == SLIP_OK ? push_lists(&column[SLIPI_RECORD_SOFT_FACE_NODES],
                                        &column[SLIPI_RECORD_SOFT_FACE_NODE], at.face_first,
                                        at.face_node, at.faces, error)
                           : status;
}

SlipStatus slipi_soft_frames_push_meshes(SlipiColumn *column, const SlipSim *sim,
                                         SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; k < count_softs(sim) && status == SLIP_OK; k++)
    status = push_mesh(column, sim->softs->at[k], error);
  return status;
}

static void narrow(const double *from, int64_t count, float *to) {
  for (int64_t k = 0; k < count; k++)
    to[k] = (float)from[k];
}

SlipStatus slipi_soft_frames_push(SlipiColumn *column, const SlipSim *sim, float *room,
                                  SlipError *error) {
  int64_t nodes = slipi_soft_frames_nodes(sim), first = 0;
  float *displacement = room, *stress = room + 3 * nodes, *force = room + 9 * nodes;
  if (nodes == 0)
    return SLIP_OK;
  for (int32_t k = 0; k < count_softs(sim); k++) {
    SlipDeformableState at;
    slipi_soft_look(sim->softs->at[k], &at);
    narrow(at.displacement, 3 * (int64_t)at.nodes, displacement + 3 * first);
    narrow(at.stress, 6 * (int64_t)at.nodes, stress + 6 * first);
    narrow(at.force, 3 * (int64_t)at.nodes, force + 3 * first);
    first += at.nodes;
  }
  SlipStatus status =
      slipi_column_push(&column[SLIPI_RECORD_SOFT_DISPLACEMENT], displacement, 1, error);
  if (status == SLIP_OK)
    status = slipi_column_push(&column[SLIPI_RECORD_SOFT_STRESS], stress, 1, error);
  return status == SLIP_OK ? slipi_column_push(&column[SLIPI_RECORD_SOFT_FORCE], force, 1, error)
                           : status;
}

/* ---- Reading ---------------------------------------------------------------------------------
 */

static const int32_t nodes_of_kind[] = {3, 4, 4, 10, 8}; /* by SlipElement */
enum { KINDS = 5 };

/* All rows of a column into the arena. */
static SlipStatus load(const SlipiColumn *column, SlipiArena *arena, const void *array,
                       SlipError *error) {
  void *values = slipi_arena_raw(arena, (size_t)column->rows + 1, column->row);
  if (!values)
    return slipi_fail_memory(error, column->path);
  memcpy((void *)array, &values, sizeof values);
  return slipi_column_read(column, 0, column->rows, values, error);
}

typedef struct Meshes {
  const int32_t *sizes, *kind, *element_nodes, *element_node, *face_nodes, *face_node;
  const double *rest, *area;
  int64_t element, corner, face, edge; /* read so far */
} Meshes;

static SlipStatus fail_rows(const SlipiColumn *column, SlipError *error) {
  return slipi_fail(error, SLIP_ERROR_FORMAT, "%s has %llu rows, which is not what others say",
                    column->path, (unsigned long long)column->rows);
}

/* Lists of `count` elements or faces: where each begins, all nodes within the body. */
static SlipStatus take_lists(const SlipiColumn *sizes_column, const SlipiColumn *node_column,
                             const int32_t *sizes, const int32_t *node, int32_t count,
                             int32_t nodes, int64_t *taken, SlipiArena *arena,
                             const int32_t **firsts, SlipError *error) {
  int32_t *first = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)count + 1);
  if (!first)
    return slipi_fail_memory(error, sizes_column->path);
  int64_t end = 0, most = (int64_t)node_column->rows - *taken;
  for (int32_t k = 0; k < count; k++) {
    end += sizes[k] > 0 ? sizes[k] : most + 1;
    if (end > most || end > INT32_MAX)
      return fail_rows(sizes_column, error);
    first[k + 1] = (int32_t)end;
  }
  for (int64_t k = 0; k < end; k++) {
    if (node[*taken + k] < 0 || node[*taken + k] >= nodes)
      return slipi_fail(error, SLIP_ERROR_FORMAT, "%s[%lld] is %d, which is no node",
                        node_column->path, (long long)(*taken + k), (int)node[*taken + k]);
  }
  *taken += end;
  *firsts = first;
  return SLIP_OK;
}

static SlipStatus take_kinds(const SlipiColumn *column, const Meshes *meshes,
                             SlipDeformableState *state, SlipiArena *arena, SlipError *error) {
  uint8_t *kind = SLIPI_ARENA_NEW(arena, uint8_t, state->elements);
  if (!kind)
    return slipi_fail_memory(error, column->path);
  for (int32_t k = 0; k < state->elements; k++) {
    int32_t of = meshes->kind[meshes->element + k];
    int32_t nodes = state->element_first[k + 1] - state->element_first[k];
    if (of < 0 || of >= KINDS || nodes != nodes_of_kind[of])
      return slipi_fail(error, SLIP_ERROR_FORMAT, "%s[%lld] is %d, with %d nodes", column->path,
                        (long long)(meshes->element + k), (int)of, (int)nodes);
    kind[k] = (uint8_t)of;
  }
  state->element_kind = kind;
  return SLIP_OK;
}

/* The mesh of body k, after those before it. */
static SlipStatus take_mesh(const SlipiColumn *column, Meshes *meshes, SlipiSoftFrames *soft,
                            int32_t k, SlipiArena *arena, SlipError *error) {
  const int32_t *sizes = meshes->sizes + 3 * (int64_t)k;
  SlipDeformableState *state = &soft->state[k];
  *state = slip_default_deformable_state();
  if (sizes[0] < 0 || sizes[1] < 0 || sizes[2] < 0 ||
      soft->first[k] + sizes[0] > (int64_t)column[SLIPI_RECORD_SOFT_REST].rows ||
      meshes->element + sizes[1] > (int64_t)column[SLIPI_RECORD_SOFT_ELEMENT_NODES].rows ||
      meshes->face + sizes[2] > (int64_t)column[SLIPI_RECORD_SOFT_FACE_NODES].rows)
    return fail_rows(&column[SLIPI_RECORD_SOFT_SIZES], error);
  state->nodes = sizes[0];
  state->elements = sizes[1];
  state->faces = sizes[2];
  state->rest = meshes->rest + 3 * soft->first[k];
  state->area = meshes->area + soft->first[k];
  state->element_node = meshes->element_node + meshes->corner;
  state->face_node = meshes->face_node + meshes->edge;
  SlipStatus status =
      take_lists(&column[SLIPI_RECORD_SOFT_ELEMENT_NODES], &column[SLIPI_RECORD_SOFT_ELEMENT_NODE],
                 meshes->element_nodes + meshes->element, meshes->element_node, state->elements,
                 state->nodes, &meshes->corner, arena, &state->element_first, error);
  if (status == SLIP_OK)
    status = take_lists(&column[SLIPI_RECORD_SOFT_FACE_NODES], &column[SLIPI_RECORD_SOFT_FACE_NODE],
                        meshes->face_nodes + meshes->face, meshes->face_node, state->faces,
                        state->nodes, &meshes->edge, arena, &state->face_first, error);
  if (status == SLIP_OK)
    status = take_kinds(&column[SLIPI_RECORD_SOFT_ELEMENT_KIND], meshes, state, arena, error);
  meshes->element += sizes[1];
  meshes->face += sizes[2];
  soft->first[k + 1] = soft->first[k] + sizes[0];
  return status;
}

static SlipStatus load_arrays(const SlipiColumn *column, SlipiArena *arena, Meshes *meshes,
                              SlipiSoftFrames *soft, SlipError *error) {
  const struct {
    SlipiRecordColumn which;
    const void *array;
  } part[] = {{SLIPI_RECORD_SOFT_BODY, &soft->body},
              {SLIPI_RECORD_SOFT_SIZES, &meshes->sizes},
              {SLIPI_RECORD_SOFT_REST, &meshes->rest},
              {SLIPI_RECORD_SOFT_AREA, &meshes->area},
              {SLIPI_RECORD_SOFT_ELEMENT_KIND, &meshes->kind},
              {SLIPI_RECORD_SOFT_ELEMENT_NODES, &meshes->element_nodes},
              {SLIPI_RECORD_SOFT_ELEMENT_NODE, &meshes->element_node},
              {SLIPI_RECORD_SOFT_FACE_NODES, &meshes->face_nodes},
              {SLIPI_RECORD_SOFT_FACE_NODE, &meshes->face_node}};
  SlipStatus status = SLIP_OK;
  for (size_t k = 0; status == SLIP_OK && k < sizeof part / sizeof *part; k++)
    status = load(&column[part[k].which], arena, part[k].array, error);
  if (status == SLIP_OK && column[SLIPI_RECORD_SOFT_SIZES].rows != (hsize_t)soft->count)
    status = fail_rows(&column[SLIPI_RECORD_SOFT_SIZES], error);
  if (status == SLIP_OK &&
      column[SLIPI_RECORD_SOFT_AREA].rows != column[SLIPI_RECORD_SOFT_REST].rows)
    status = fail_rows(&column[SLIPI_RECORD_SOFT_AREA], error);
  if (status == SLIP_OK &&
      column[SLIPI_RECORD_SOFT_ELEMENT_KIND].rows != column[SLIPI_RECORD_SOFT_ELEMENT_NODES].rows)
    status = fail_rows(&column[SLIPI_RECORD_SOFT_ELEMENT_KIND], error);
  return status;
}

static SlipStatus make_frame(int32_t bodies, SlipiArena *arena, SlipiSoftFrames *soft,
                             SlipError *error) {
  int64_t nodes = soft->first[soft->count];
  soft->room = SLIPI_ARENA_RAW(arena, float, 6 * nodes);
  soft->displacement = SLIPI_ARENA_RAW(arena, double, 3 * nodes);
  soft->stress = SLIPI_ARENA_RAW(arena, double, 6 * nodes);
  soft->force = SLIPI_ARENA_RAW(arena, double, 3 * nodes);
  soft->position = SLIPI_ARENA_RAW(arena, double, 3 * nodes);
  soft->pose = SLIPI_ARENA_RAW(arena, double, 7 * (int64_t)bodies);
  for (int32_t k = 0; k < soft->count && !arena->failed; k++) {
    soft->state[k].displacement = soft->displacement + 3 * soft->first[k];
    soft->state[k].stress = soft->stress + 6 * soft->first[k];
    soft->state[k].force = soft->force + 3 * soft->first[k];
    soft->state[k].position = soft->position + 3 * soft->first[k];
  }
  return arena->failed ? slipi_fail_memory(error, "a frame of deformable bodies") : SLIP_OK;
}

SlipStatus slipi_soft_frames_load(const SlipiColumn *column, int32_t bodies, SlipiArena *arena,
                                  SlipiSoftFrames *soft, SlipError *error) {
  *soft = (SlipiSoftFrames){.frame = -1};
  if (column[SLIPI_RECORD_SOFT_BODY].dataset <= 0)
    return SLIP_OK;
  Meshes meshes = {0};
  hsize_t count = column[SLIPI_RECORD_SOFT_BODY].rows;
  if (count > (hsize_t)bodies)
    return fail_rows(&column[SLIPI_RECORD_SOFT_BODY], error);
  soft->count = (int32_t)count;
  SlipStatus status = load_arrays(column, arena, &meshes, soft, error);
  soft->first = SLIPI_ARENA_NEW(arena, int64_t, (int64_t)count + 1);
  soft->state = SLIPI_ARENA_NEW(arena, SlipDeformableState, count);
  if (status == SLIP_OK && arena->failed)
    status = slipi_fail_memory(error, "the meshes of a trajectory");
  for (int32_t k = 0; k < soft->count && status == SLIP_OK; k++) {
    if (soft->body[k] < 0 || soft->body[k] >= bodies)
      return slipi_fail(error, SLIP_ERROR_FORMAT, "%s[%d] is %d, which is no body",
                        column[SLIPI_RECORD_SOFT_BODY].path, (int)k, (int)soft->body[k]);
    status = take_mesh(column, &meshes, soft, k, arena, error);
  }
  if (status == SLIP_OK &&
      (hsize_t)soft->first[soft->count] != column[SLIPI_RECORD_SOFT_DISPLACEMENT].extent[0])
    status = fail_rows(&column[SLIPI_RECORD_SOFT_SIZES], error);
  return status == SLIP_OK ? make_frame(bodies, arena, soft, error) : status;
}

static SlipStatus widen(const SlipiColumn *column, int64_t frame, SlipiSoftFrames *soft, double *to,
                        SlipError *error) {
  int64_t count = (int64_t)(column->extent[0] * column->extent[1]);
  SlipStatus status = slipi_column_read(column, (hsize_t)frame, 1, soft->room, error);
  for (int64_t k = 0; k < count && status == SLIP_OK; k++)
    to[k] = soft->room[k];
  return status;
}

static void place_nodes(const SlipDeformableState *state, const double *position,
                        const double *rotation, double *to) {
  SlipiPose pose;
  memcpy(pose.position, position, sizeof pose.position);
  slipi_quaternion_matrix(rotation, pose.R);
  for (int64_t k = 0; k < state->nodes; k++) {
    double x[3];
    for (int c = 0; c < 3; c++)
      x[c] = state->rest[3 * k + c] + state->displacement[3 * k + c];
    slipi_pose_point(&pose, x, to + 3 * k);
  }
}

SlipStatus slipi_soft_frames_read(const SlipiColumn *column, int32_t bodies, int64_t frame,
                                  SlipiSoftFrames *soft, SlipError *error) {
  if (soft->count == 0 || soft->frame == frame)
    return SLIP_OK;
  double *rotation = soft->pose + 3 * (int64_t)bodies;
  soft->frame = -1;
  SlipStatus status =
      widen(&column[SLIPI_RECORD_SOFT_DISPLACEMENT], frame, soft, soft->displacement, error);
  if (status == SLIP_OK)
    status = widen(&column[SLIPI_RECORD_SOFT_STRESS], frame, soft, soft->stress, error);
  if (status == SLIP_OK)
    status = widen(&column[SLIPI_RECORD_SOFT_FORCE], frame, soft, soft->force, error);
  if (status == SLIP_OK)
    status =
        slipi_column_read(&column[SLIPI_RECORD_POSITION], (hsize_t)frame, 1, soft->pose, error);
  if (status == SLIP_OK)
    status = slipi_column_read(&column[SLIPI_RECORD_ROTATION], (hsize_t)frame, 1, rotation, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t k = 0; k < soft->count; k++)
    place_nodes(&soft->state[k], soft->pose + 3 * (int64_t)soft->body[k],
                rotation + 4 * (int64_t)soft->body[k], soft->position + 3 * soft->first[k]);
  soft->frame = frame;
  return SLIP_OK;
}

int32_t slipi_soft_frames_find(const SlipiSoftFrames *soft, int32_t body) {
  for (int32_t k = 0; k < soft->count; k++) {
    if (soft->body[k] == body)
      return k;
  }
  return -1;
}

void slipi_soft_frames_points(const SlipDeformableState *at, double *point) {
  for (int64_t k = 0; k < 3 * (int64_t)at->nodes; k++)
    point[k] = at->rest[k] + at->displacement[k];
}

/* ---- What is shown of nodes -------------------------------------------------------------------
 */

/* The outward normal of a face times its area: of its corners, or of an edge in the plane. */
static void face_normal(const SlipDeformableState *at, int32_t face, double normal[3]) {
  const int32_t *node = at->face_node + at->face_first[face];
  int32_t count = at->face_first[face + 1] - at->face_first[face];
  const double *a = at->position + 3 * (int64_t)node[0], *b, *c;
  double p[3], q[3];
  if (count < 3) {
    b = at->position + 3 * (int64_t)node[count - 1];
    normal[0] = b[1] - a[1];
    normal[1] = a[0] - b[0];
    normal[2] = 0;
    return;
  }
  int32_t corners = count == 6 ? 3 : count; /* six: corners first, then middles */
  b = at->position + 3 * (int64_t)node[corners == 4 ? 2 : 1];
  slipi_sub(b, a, p);
  if (corners == 4) { /* by the diagonals */
    a = at->position + 3 * (int64_t)node[1];
    c = at->position + 3 * (int64_t)node[3];
  } else {
    c = at->position + 3 * (int64_t)node[2];
  }
  slipi_sub(c, a, q);
  slipi_cross(p, q, normal);
}

void slipi_contact_pressure(const SlipDeformableState *at, double *room, double *pressure) {
  memset(room, 0, 3 * (size_t)at->nodes * sizeof *room);
  for (int32_t f = 0; f < at->faces; f++) {
    double normal[3];
    face_normal(at, f, normal);
    for (int32_t k = at->face_first[f]; k < at->face_first[f + 1]; k++)
      for (int c = 0; c < 3; c++)
        room[3 * (int64_t)at->face_node[k] + c] += normal[c];
  }
  for (int64_t k = 0; k < at->nodes; k++) {
    double length = slipi_length(room + 3 * k);
    pressure[k] = at->area[k] > 0 && length > 0
                      ? -slipi_dot3(at->force + 3 * k, room + 3 * k) / (length * at->area[k])
                      : 0;
  }
}
