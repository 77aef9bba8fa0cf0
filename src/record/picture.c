/* One frame as a drawing (SVG): all faces that look at the eye, from the farthest to the nearest.
 *
 * Parallel projection; spheres are circles; half-spaces are squares as wide as the scene. Bodies
 * that have not moved since the first frame are grey, the others get a colour each. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/arena.h"
#include "base/room.h"
#include "base/versioned.h"
#include "geom/vec.h"
#include "io/io.h"
#include "record/soft_frames.h"
#include "record/surface.h"
#include "record/trajectory.h"
#include <slipcone/record.h>

/* A face, or a ball where count is 0. */
typedef struct Piece {
  double depth; /* towards the eye */
  double light; /* 0 to 1 */
  double centre[2], radius;
  int32_t body, first, count; /* corners in Drawing.corner */
} Piece;

typedef struct Drawing {
  const SlipTrajectoryInfo *info;
  SlipTrajectory *trajectory;
  SlipiArena arena;
  double right[3], up[3], eye[3], lamp[3]; /* directions */
  double *start;                           /* positions and rotations of the first frame */
  bool *still;                             /* of each body */
  Piece *piece;
  int32_t pieces, piece_room;
  double (*corner)[2];
  int32_t corners, corner_room;
  double low[2], high[2]; /* of what moves, or of everything where nothing does */
} Drawing;

/* ---- View -------------------------------------------------------------------------------------
 */

/* The lamp is above the eye, to its left. */
static void light(Drawing *drawing) {
  for (int k = 0; k < 3; k++)
    drawing->lamp[k] = 0.6 * drawing->eye[k] + 0.7 * drawing->up[k] - 0.387 * drawing->right[k];
}

static void look(Drawing *drawing, double azimuth, double elevation) {
  static const double degree = SLIPI_DEGREE;
  if (drawing->info->dimension == 2) {
    const double right[3] = {1, 0, 0}, up[3] = {0, 1, 0}, eye[3] = {0, 0, 1};
    memcpy(drawing->right, right, sizeof right);
    memcpy(drawing->up, up, sizeof up);
    memcpy(drawing->eye, eye, sizeof eye);
    light(drawing);
    return;
  }
  double a = azimuth * degree, e = elevation * degree;
  const double eye[3] = {cos(e) * cos(a), cos(e) * sin(a), sin(e)};
  const double right[3] = {-sin(a), cos(a), 0};
  memcpy(drawing->eye, eye, sizeof eye);
  memcpy(drawing->right, right, sizeof right);
  slipi_cross(eye, right, drawing->up);
  light(drawing);
}

static void project(const Drawing *drawing, const double x[3], double out[2]) {
  out[0] = slipi_dot3(drawing->right, x);
  out[1] = -slipi_dot3(drawing->up, x); /* SVG's y points down */
}

static void widen(Drawing *drawing, const double at[2], double by) {
  for (int k = 0; k < 2; k++) {
    drawing->low[k] = fmin(drawing->low[k], at[k] - by);
    drawing->high[k] = fmax(drawing->high[k], at[k] + by);
  }
}

/* ---- Pieces ------------------------------------------------------------------------------------
 */

static Piece *add_piece(Drawing *drawing, int32_t corners) {
  if (!SLIPI_ROOM(drawing->piece, drawing->piece_room, (int64_t)drawing->pieces + 1) ||
      !SLIPI_ROOM(drawing->corner, drawing->corner_room, (int64_t)drawing->corners + corners))
    return NULL;
  Piece *piece = &drawing->piece[drawing->pieces++];
  memset(piece, 0, sizeof *piece);
  piece->first = drawing->corners;
  piece->count = corners;
  drawing->corners += corners;
  return piece;
}

/* Twice the area of a polygon as a vector along its normal. */
static void area_of(const double *const *point, int32_t count, double area[3]) {
  memset(area, 0, 3 * sizeof *area);
  for (int32_t k = 0; k < count; k++) {
    double part[3];
    slipi_cross(point[k], point[(k + 1) % count], part);
    slipi_along(area, 1, part, area);
  }
}

static bool add_face(Drawing *drawing, const double *const *point, int32_t count, int32_t body,
                     bool ground) {
  double area[3], middle[3] = {0, 0, 0};
  area_of(point, count, area);
  double size = slipi_length(area);
  double facing = size > 0 ? slipi_dot3(area, drawing->eye) / size : 1;
  /* Of half-spaces only floors are drawn: walls would hide what is between them. */
  if (count > 2 && (facing <= 0 || (ground && area[2] < 0.7 * size)))
    return true;
  Piece *piece = add_piece(drawing, count);
  if (!piece)
    return false;
  for (int32_t k = 0; k < count; k++) {
    double *corner = drawing->corner[piece->first + k];
    project(drawing, point[k], corner);
    slipi_along(middle, 1.0 / count, point[k], middle);
    if (!drawing->still[body])
      widen(drawing, corner, 0);
  }
  piece->body = body;
  piece->light = ground || size == 0 ? 1 : 0.55 + 0.45 * slipi_dot3(area, drawing->lamp) / size;
  piece->depth = ground ? -HUGE_VAL : slipi_dot3(drawing->eye, middle);
  return true;
}

static bool add_ball(Drawing *drawing, const double centre[3], double radius, int32_t body) {
  Piece *piece = add_piece(drawing, 0);
  if (!piece)
    return false;
  project(drawing, centre, piece->centre);
  piece->radius = radius;
  piece->body = body;
  piece->light = 0.9;
  piece->depth = slipi_dot3(drawing->eye, centre);
  if (!drawing->still[body])
    widen(drawing, piece->centre, radius);
  return true;
}

static SlipStatus add_surface(Drawing *drawing, const SlipShapeDef *def, const SlipiPose *pose,
                              int32_t body, double extent, SlipError *error) {
  SlipiArena arena = {0};
  SlipiSurface surface;
  SlipStatus status =
      slipi_surface_make(def, drawing->info->dimension, extent, &arena, &surface, error);
  const double **corner = NULL;
  if (status == SLIP_OK)
    corner = SLIPI_ARENA_NEW(&arena, const double *, surface.first[surface.polygons] + 1);
  for (int32_t k = 0; corner && k < surface.points; k++)
    slipi_pose_point(pose, surface.point + 3 * k, surface.point + 3 * k);
  for (int32_t k = 0; corner && status == SLIP_OK && k < surface.polygons; k++) {
    int32_t first = surface.first[k], count = surface.first[k + 1] - first;
    for (int32_t c = 0; c < count; c++)
      corner[c] = surface.point + 3 * surface.corner[first + c];
    if (!add_face(drawing, corner, count, body, def->kind == SLIP_SHAPE_HALF_SPACE))
      status = slipi_fail_memory(error, "a drawing");
  }
  if (status == SLIP_OK && !corner)
    status = slipi_fail_memory(error, "a drawing");
  slipi_arena_free(&arena);
  return status;
}

/* The surface of a deformable body is drawn as it is in the frame. */
static SlipStatus deform(Drawing *drawing, int64_t frame, int32_t body, SlipShapeDef *def,
                         SlipError *error) {
  SlipDeformableState at = slip_default_deformable_state();
  if (slipi_soft_frames_find(slipi_trajectory_softs(drawing->trajectory), body) < 0)
    return SLIP_OK;
  SlipStatus status = slip_trajectory_deformable(drawing->trajectory, frame, body, &at, error);
  if (status != SLIP_OK || at.nodes != def->point_count)
    return status;
  double *point = SLIPI_ARENA_RAW(&drawing->arena, double, 3 * (int64_t)at.nodes);
  if (!point)
    return slipi_fail_memory(error, "a drawing");
  slipi_soft_frames_points(&at, point);
  def->points = point;
  return SLIP_OK;
}

static SlipStatus add_shape(Drawing *drawing, int64_t frame, int32_t shape,
                            const SlipSimState *state, double extent, SlipError *error) {
  SlipShapeDef def = slip_default_shape_def();
  int32_t body = -1;
  SlipiPose pose;
  SlipStatus status = slip_trajectory_shape(drawing->trajectory, shape, &def, &body, error);
  if (status != SLIP_OK || body < 0)
    return status;
  status = deform(drawing, frame, body, &def, error);
  if (status != SLIP_OK)
    return status;
  memcpy(pose.position, state->position + 3 * (int64_t)body, sizeof pose.position);
  slipi_quaternion_matrix(state->rotation + 4 * (int64_t)body, pose.R);
  if (def.kind != SLIP_SHAPE_SPHERE)
    return add_surface(drawing, &def, &pose, body, extent, error);
  double centre[3];
  slipi_pose_point(&pose, def.position, centre);
  return add_ball(drawing, centre, def.radius, body) ? SLIP_OK
                                                     : slipi_fail_memory(error, "a drawing");
}

/* ---- What has moved ----------------------------------------------------------------------------
 */

static SlipStatus keep_start(Drawing *drawing, SlipError *error) {
  int64_t bodies = drawing->info->bodies;
  SlipSimState state = slip_default_sim_state();
  drawing->start = SLIPI_ARENA_NEW(&drawing->arena, double, 7 * bodies + 1);
  drawing->still = SLIPI_ARENA_NEW(&drawing->arena, bool, bodies + 1);
  if (drawing->arena.failed)
    return slipi_fail_memory(error, "a drawing");
  SlipStatus status = slip_trajectory_frame(drawing->trajectory, 0, &state, error);
  if (status == SLIP_OK) {
    memcpy(drawing->start, state.position, (size_t)bodies * 3 * sizeof(double));
    memcpy(drawing->start + 3 * bodies, state.rotation, (size_t)bodies * 4 * sizeof(double));
  }
  return status;
}

static bool same(const double *a, const double *b, int count) {
  for (int k = 0; k < count; k++)
    if (a[k] != b[k])
      return false;
  return true;
}

/* Also the width of what is there: how far bodies are from their mean. */
static double find_still(Drawing *drawing, const SlipSimState *state) {
  int64_t bodies = drawing->info->bodies;
  double extent = 0;
  for (int64_t k = 0; k < bodies; k++) {
    drawing->still[k] = same(drawing->start + 3 * k, state->position + 3 * k, 3) &&
                        same(drawing->start + 3 * bodies + 4 * k, state->rotation + 4 * k, 4);
    for (int c = 0; !drawing->still[k] && c < 3; c++)
      extent = fmax(extent, fabs(state->position[3 * k + c]));
  }
  return extent > 0 ? 4 * extent : 4;
}

/* ---- Writing -----------------------------------------------------------------------------------
 */

static int by_depth(const void *a, const void *b) {
  const Piece *one = a, *two = b;
  if (one->depth != two->depth)
    return one->depth < two->depth ? -1 : 1;
  return one->first < two->first ? -1 : one->first > two->first;
}

static void print_colour(FILE *file, const Drawing *drawing, const Piece *piece) {
  static const int colours[][3] = {{222, 143, 62},  {86, 140, 190}, {126, 168, 96}, {196, 108, 116},
                                   {142, 122, 182}, {206, 178, 88}, {96, 164, 160}};
  static const int grey[3] = {214, 212, 204};
  size_t number = sizeof colours / sizeof *colours;
  const int *colour = drawing->still[piece->body] ? grey : colours[(size_t)piece->body % number];
  double light = piece->light > 1 ? 1 : piece->light < 0.35 ? 0.35 : piece->light;
  fprintf(file, "rgb(%d,%d,%d)", (int)(light * colour[0]), (int)(light * colour[1]),
          (int)(light * colour[2]));
}

static void print_piece(FILE *file, const Drawing *drawing, const Piece *piece, double scale,
                        const double origin[2]) {
  if (piece->count == 0) {
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"",
            scale * (piece->centre[0] - origin[0]), scale * (piece->centre[1] - origin[1]),
            scale * piece->radius);
  } else {
    fputs(piece->count == 2 ? "<polyline points=\"" : "<polygon points=\"", file);
    for (int32_t k = 0; k < piece->count; k++) {
      const double *corner = drawing->corner[piece->first + k];
      fprintf(file, "%.1f,%.1f ", scale * (corner[0] - origin[0]), scale * (corner[1] - origin[1]));
    }
    fputs("\" fill=\"", file);
  }
  print_colour(file, drawing, piece);
  fputs("\"/>\n", file);
}

static SlipStatus write_svg(const Drawing *drawing, const char *path, SlipError *error) {
  enum { WIDTH = 720 };
  FILE *file = fopen(path, "w");
  if (!file)
    return slipi_fail_errno(error, "cannot be written", errno);
  double wide = drawing->high[0] - drawing->low[0], tall = drawing->high[1] - drawing->low[1];
  double margin = 0.08 * fmax(wide, tall);
  double scale = WIDTH / (wide + 2 * margin), height = scale * (tall + 2 * margin);
  const double origin[2] = {drawing->low[0] - margin, drawing->low[1] - margin};
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" "
          "height=\"%.0f\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#f4f3ef\"/>\n"
          "<g stroke=\"#2b2b2b\" stroke-width=\"0.5\" stroke-linejoin=\"round\">\n",
          WIDTH, height, WIDTH, height);
  for (int32_t k = 0; k < drawing->pieces; k++)
    print_piece(file, drawing, &drawing->piece[k], scale, origin);
  fputs("</g>\n</svg>\n", file);
  int failed = ferror(file);
  return fclose(file) != 0 || failed ? slipi_fail_errno(error, "cannot be written", errno)
                                     : SLIP_OK;
}

static SlipStatus draw(Drawing *drawing, int64_t frame, const char *path, SlipError *error) {
  SlipSimState state = slip_default_sim_state();
  SlipStatus status = keep_start(drawing, error);
  if (status == SLIP_OK)
    status = slip_trajectory_frame(drawing->trajectory, frame, &state, error);
  if (status != SLIP_OK)
    return status;
  double extent = find_still(drawing, &state);
  for (int k = 0; k < 2; k++) {
    drawing->low[k] = HUGE_VAL;
    drawing->high[k] = -HUGE_VAL;
  }
  for (int32_t k = 0; status == SLIP_OK && k < drawing->info->shapes; k++)
    status = add_shape(drawing, frame, k, &state, extent, error);
  if (status != SLIP_OK)
    return status;
  if (!(drawing->low[0] <= drawing->high[0]))
    for (int32_t k = 0; k < drawing->corners; k++)
      widen(drawing, drawing->corner[k], 0);
  if (!(drawing->high[0] > drawing->low[0]))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is nothing to draw in frame %lld",
                      (long long)frame);
  qsort(drawing->piece, (size_t)drawing->pieces, sizeof *drawing->piece, by_depth);
  status = write_svg(drawing, path, error);
  if (status != SLIP_OK)
    slipi_file_error_prefix(error, path);
  return status;
}

SlipStatus slip_trajectory_draw(SlipTrajectory *trajectory, int64_t frame, const SlipView *view,
                                const char *path, SlipError *error) {
  slipi_error_clear(error);
  if (!trajectory || !path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "trajectory or path is NULL");
  Drawing drawing = {.trajectory = trajectory, .info = slip_trajectory_info(trajectory)};
  SlipView known = slip_default_view();
  SlipStatus status =
      view ? slipi_versioned_read("view", view, &known, sizeof known, error) : SLIP_OK;
  if (status != SLIP_OK)
    return status;
  look(&drawing, known.azimuth, known.elevation);
  status = draw(&drawing, frame, path, error);
  free(drawing.piece);
  free(drawing.corner);
  slipi_arena_free(&drawing.arena);
  return status;
}
