/* Problems with obstacles that move, which need not have a solution (Acary, Cadoux, Lemaréchal,
 * Malick 2011; Acary, Cadoux 2013). */
#include <math.h>

#include "gen/bodies.h"

/* The rod of Acary, Cadoux 2013, Figure 4.3 and eq. 4.30, with m = l = h = 1: its upper end moves
 * sideways with the given speed, the lower one touches the ground. One degree of freedom, the
 * angle's velocity; H' = (sin, cos) for the normal and the tangent. */
SlipStatus slipi_gen_painleve(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  draft->form = SLIP_FORM_GLOBAL;
  draft->d = 2;
  draft->nc = 1;
  draft->dof = 1;
  SlipStatus status = slipi_entries_alloc(draft, &draft->M, 1, error);
  if (status == SLIP_OK)
    status = slipi_entries_alloc(draft, &draft->H, 2, error);
  if (status == SLIP_OK)
    status = slipi_draft_vectors(draft, options->mu, error);
  if (status != SLIP_OK)
    return status;
  slipi_entries_add(&draft->M, 0, 0, 1);
  slipi_entries_add(&draft->H, 0, 0, sin(options->angle));
  slipi_entries_add(&draft->H, 0, 1, cos(options->angle));
  draft->f[0] = options->gravity * sin(options->angle);
  draft->w[1] = options->speed;
  return SLIP_OK;
}

/* A ball of unit mass and radius on the ground, under a plate that comes down (Acary, Cadoux 2013,
 * Figure 4.2). */
SlipStatus slipi_gen_crushed(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  int d = options->dimension == 3 ? 3 : 2, up = d - 1;
  SlipStatus status = slipi_bodies_start(draft, options, 1, 2, error);
  if (status != SLIP_OK)
    return status;
  double centre[3] = {0}, fall[3] = {0}, plate[3] = {0};
  double inertia = d == 3 ? 0.4 : 0.5;
  fall[up] = -SLIPI_FALL;
  plate[up] = -options->speed;
  slipi_bodies_mass(draft, 0, 1, (double[]){inertia, inertia, inertia}, fall);
  for (int32_t contact = 0; contact < 2; contact++) {
    SlipiTouch touch = {0, -1, centre, NULL, {0}, {0}};
    touch.normal[up] = contact == 0 ? 1 : -1;
    touch.point[up] = -touch.normal[up];
    slipi_bodies_touch(draft, contact, &touch);
    if (contact == 1)
      slipi_bodies_drive(draft, contact, touch.normal, plate);
  }
  return SLIP_OK;
}

/* A cube of unit mass and edge 2 on the floor between two walls, all touching at its corners. The
 * walls move towards each other (angle 0), or one up and the other down (a right angle). */
SlipStatus slipi_gen_walls(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  int d = options->dimension == 3 ? 3 : 2, up = d - 1, corners = d == 3 ? 4 : 2;
  SlipStatus status = slipi_bodies_start(draft, options, 1, 3 * (int64_t)corners, error);
  if (status != SLIP_OK)
    return status;
  double centre[3] = {0}, fall[3] = {0}, inertia = 2.0 / 3.0;
  fall[up] = -SLIPI_FALL;
  slipi_bodies_mass(draft, 0, 1, (double[]){inertia, inertia, inertia}, fall);
  int32_t contact = 0;
  for (int face = 0; face < 3; face++) /* floor, left wall, right wall */
    for (int corner = 0; corner < corners; corner++) {
      SlipiTouch touch = {0, -1, centre, NULL, {0}, {0}};
      int axis = face == 0 ? up : 0, bit = 0;
      double sign = face == 2 ? -1 : 1, velocity[3] = {0};
      touch.normal[axis] = sign;
      for (int k = 0; k < d; k++)
        touch.point[k] = k == axis ? -sign : corner >> bit++ & 1 ? 1 : -1;
      slipi_bodies_touch(draft, contact, &touch);
      velocity[0] = sign * options->speed * cos(options->angle);
      velocity[up] = sign * options->speed * sin(options->angle);
      if (face > 0)
        slipi_bodies_drive(draft, contact, touch.normal, velocity);
      contact++;
    }
  return SLIP_OK;
}

/* ---- The drum ----------------------------------------------------------------------------- */

typedef struct Drum {
  int d;
  int32_t along, rows; /* spheres along the arc, and side by side along the axis */
  double arm, step;    /* of the spheres' centres from the axis; angle between neighbours */
} Drum;

static const double RADIUS = 0.05;

static int32_t drum_body(const Drum *drum, int32_t row, int32_t k) {
  return row * drum->along + k;
}

static void drum_centre(const Drum *drum, int32_t body, double *centre) {
  int up = drum->d - 1;
  double angle = (body % drum->along - 0.5 * (drum->along - 1)) * drum->step;
  centre[0] = drum->arm * sin(angle);
  int32_t row = body / drum->along;
  centre[1] = 2 * RADIUS * row;
  centre[up] = -drum->arm * cos(angle);
}

/* A sphere on the wall of the drum, which turns with the given angular speed. */
static void drum_wall(const Drum *drum, SlipiDraft *draft, int32_t contact, int32_t body,
                      double speed) {
  int up = drum->d - 1;
  double centre[3] = {0}, velocity[3] = {0};
  drum_centre(drum, body, centre);
  SlipiTouch touch = {body, -1, centre, NULL, {centre[0], centre[1], centre[2]}, {0}};
  touch.normal[0] = -centre[0] / drum->arm;
  touch.normal[up] = -centre[up] / drum->arm;
  touch.point[0] -= RADIUS * touch.normal[0];
  touch.point[up] -= RADIUS * touch.normal[up];
  slipi_bodies_touch(draft, contact, &touch);
  velocity[0] = -speed * touch.point[up];
  velocity[up] = speed * touch.point[0];
  slipi_bodies_drive(draft, contact, touch.normal, velocity);
}

static void drum_pair(const Drum *drum, SlipiDraft *draft, int32_t contact, int32_t into,
                      int32_t from) {
  double a[3] = {0}, b[3] = {0};
  drum_centre(drum, into, a);
  drum_centre(drum, from, b);
  SlipiTouch touch = {into, from, a, b, {0}, {0}};
  for (int k = 0; k < drum->d; k++) {
    touch.normal[k] = (a[k] - b[k]) / (2 * RADIUS);
    touch.point[k] = 0.5 * (a[k] + b[k]);
  }
  slipi_bodies_touch(draft, contact, &touch);
}

SlipStatus slipi_gen_drum(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  Drum drum = {.d = options->dimension == 3 ? 3 : 2, .rows = 1};
  int32_t spheres = options->contacts / drum.d;
  if (drum.d == 3)
    drum.rows = (int32_t)fmax(1, sqrt(spheres / 3.0));
  drum.along = spheres / drum.rows > 0 ? spheres / drum.rows : 1;
  drum.step = 1.9 / (drum.along + 1.0); /* the spheres fill an arc of 1.9 */
  drum.arm = RADIUS / sin(0.5 * drum.step);
  int64_t bodies = (int64_t)drum.along * drum.rows;
  int64_t contacts = bodies + (int64_t)(drum.along - 1) * drum.rows;
  contacts += (int64_t)drum.along * (drum.rows - 1);
  SlipStatus status = slipi_bodies_start(draft, options, bodies, contacts, error);
  if (status != SLIP_OK)
    return status;
  double inertia = (drum.d == 3 ? 0.4 : 0.5) * RADIUS * RADIUS, fall[3] = {0};
  fall[drum.d - 1] = -SLIPI_FALL;
  int32_t contact = 0;
  for (int32_t row = 0; row < drum.rows; row++)
    for (int32_t k = 0; k < drum.along; k++) {
      int32_t body = drum_body(&drum, row, k);
      slipi_bodies_mass(draft, body, 1, (double[]){inertia, inertia, inertia}, fall);
      drum_wall(&drum, draft, contact++, body, options->speed);
      if (k > 0)
        drum_pair(&drum, draft, contact++, body, body - 1);
      if (row > 0)
        drum_pair(&drum, draft, contact++, body, body - drum.along);
    }
  return SLIP_OK;
}
