/* Rigid and elastic bodies together: an elastic block at rest on the ground, and on each element of
 * its upper face a column of spheres, as wide as the element, so that neighbouring columns touch.
 * The spheres come first among the degrees of freedom. Nothing moves but by gravity and a push
 * sideways: w = 0, so that a solution exists. */
#include <math.h>
#include <stdlib.h>

#include "base/angle.h"
#include "gen/bodies.h"
#include "gen/elastic.h"

#define RADIUS (SLIPI_ELASTIC_EDGE / 2)

enum { LARGE = 32 }; /* components of M above this size count as large (contact/mass.c) */

typedef struct Shape {
  int d;
  int32_t side;  /* elements along each horizontal axis, and spheres of a column */
  int32_t depth; /* elements along the second one, 1 in 2D */
  SlipiElastic block;
  double fall; /* of everything in the time step */
} Shape;

/* Contacts with the ground, in the columns and below them, between columns. */
static int64_t count_contacts(int d, int64_t side) {
  int64_t columns = d == 3 ? side * side : side,
          nodes = d == 3 ? (side + 1) * (side + 1) : side + 1;
  int64_t between = d == 3 ? 2 * side * (side - 1) : side - 1;
  return nodes + side * (columns + between);
}

static Shape choose_shape(int d, int32_t contacts) {
  Shape shape = {.d = d, .side = 1, .fall = SLIPI_FALL};
  while (llabs(count_contacts(d, shape.side + 1) - contacts) <
         llabs(count_contacts(d, shape.side) - contacts))
    shape.side++;
  shape.depth = d == 3 ? shape.side : 1;
  shape.block = (SlipiElastic){.d = d, .nodes = {shape.side + 1, shape.depth + 1, 1}};
  int32_t *high = &shape.block.nodes[d - 1];
  for (*high = 3; d * slipi_elastic_nodes(&shape.block) <= LARGE;)
    ++*high;
  return shape;
}

static int32_t sphere_at(const Shape *shape, int32_t i, int32_t j, int32_t layer) {
  return (i * shape->depth + j) * shape->side + layer;
}

static void centre_of(const Shape *shape, int32_t i, int32_t j, int32_t layer, double centre[3]) {
  int d = shape->d;
  centre[0] = (i + 0.5) * SLIPI_ELASTIC_EDGE;
  centre[1] = (j + 0.5) * SLIPI_ELASTIC_EDGE;
  centre[d - 1] = (shape->block.nodes[d - 1] - 1) * SLIPI_ELASTIC_EDGE + (2 * layer + 1) * RADIUS;
}

/* The sphere below, or the one before along an axis, to this one. */
static void touch_sphere(const Shape *shape, const int32_t at[3], int axis, int32_t contact,
                         SlipiDraft *draft) {
  int32_t other[3] = {at[0], at[1], at[2]};
  double into[3] = {0}, from[3] = {0};
  other[axis]--;
  SlipiTouch touch = {.into = sphere_at(shape, at[0], at[1], at[2]),
                      .from = sphere_at(shape, other[0], other[1], other[2])};
  centre_of(shape, at[0], at[1], at[2], into);
  centre_of(shape, other[0], other[1], other[2], from);
  touch.into_centre = into;
  touch.from_centre = from;
  for (int k = 0; k < shape->d; k++) {
    touch.point[k] = 0.5 * (into[k] + from[k]);
    touch.normal[k] = (into[k] - from[k]) / (2 * RADIUS);
  }
  slipi_bodies_touch(draft, contact, &touch);
}

/* The lowest sphere of a column and the middle of an element's upper face, which moves with the
 * mean of its nodes. */
static void touch_block(const Shape *shape, int32_t i, int32_t j, int32_t contact,
                        SlipiDraft *draft) {
  int d = shape->d, corners = 1 << (d - 1);
  double centre[3] = {0};
  centre_of(shape, i, j, 0, centre);
  SlipiTouch touch = {.into = sphere_at(shape, i, j, 0), .from = -1, .into_centre = centre};
  for (int k = 0; k < d; k++)
    touch.point[k] = centre[k] - (k == d - 1 ? RADIUS : 0);
  touch.normal[d - 1] = 1;
  double frame[3][3] = {{0}};
  slipi_bodies_touch(draft, contact, &touch);
  slipi_contact_frame(d, touch.normal, frame);
  for (int corner = 0; corner < corners; corner++) {
    int32_t at[3] = {i + (corner & 1), j + (corner >> 1), 0};
    at[d - 1] = shape->block.nodes[d - 1] - 1;
    int32_t dof = shape->block.first + d * slipi_elastic_node(&shape->block, at);
    for (int c = 0; c < d; c++)
      for (int k = 0; k < d; k++)
        if (frame[c][k] != 0)
          slipi_entries_add(&draft->H, dof + k, d * contact + c, -frame[c][k] / corners);
  }
}

static int32_t add_columns(const Shape *shape, SlipiDraft *draft) {
  int d = shape->d;
  int32_t contact = 0;
  const double mass =
      SLIPI_ELASTIC_DENSITY * (d == 3 ? 4.0 / 3 * RADIUS : 1) * SLIPI_PI * RADIUS * RADIUS;
  const double inertia = (d == 3 ? 0.4 : 0.5) * mass * RADIUS * RADIUS;
  for (int32_t i = 0; i < shape->side; i++)
    for (int32_t j = 0; j < shape->depth; j++)
      for (int32_t layer = 0; layer < shape->side; layer++) {
        const int32_t at[3] = {i, j, layer};
        double velocity[3] = {0};
        for (int k = 0; k < d - 1; k++)
          velocity[k] = slipi_random_between(draft->random, -0.05, 0.05);
        velocity[d - 1] = -shape->fall;
        slipi_bodies_mass(draft, sphere_at(shape, i, j, layer), mass,
                          (const double[3]){inertia, inertia, inertia}, velocity);
        if (layer == 0)
          touch_block(shape, i, j, contact++, draft);
        for (int axis = 0; axis < 3; axis++)
          if (at[axis] > 0)
            touch_sphere(shape, at, axis, contact++, draft);
      }
  return contact;
}

static void add_ground(const Shape *shape, int32_t contact, SlipiDraft *draft) {
  int d = shape->d;
  for (int32_t i = 0; i <= shape->side; i++)
    for (int32_t j = 0; j <= (d == 3 ? shape->depth : 0); j++, contact++) {
      int32_t at[3] = {i, j, 0};
      at[d - 1] = 0;
      int32_t dof = shape->block.first + d * slipi_elastic_node(&shape->block, at);
      slipi_entries_add(&draft->H, dof + d - 1, d * contact, 1);
      for (int k = 0; k < d - 1; k++)
        slipi_entries_add(&draft->H, dof + k, d * contact + 1 + k, 1);
    }
}

SlipStatus slipi_gen_mixed(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  int d = options->dimension, n = slipi_body_dof(d);
  Shape shape = choose_shape(d, options->contacts);
  int64_t contacts = count_contacts(d, shape.side);
  int64_t spheres = (int64_t)shape.side * shape.side * shape.depth;
  SlipStatus status = slipi_bodies_check(options, contacts, error);
  if (status != SLIP_OK)
    return status;
  shape.block.first = (int32_t)(n * spheres);
  draft->form = SLIP_FORM_GLOBAL;
  draft->d = d;
  draft->nc = (int32_t)contacts;
  draft->dof = shape.block.first + (int32_t)(d * slipi_elastic_nodes(&shape.block));
  status = slipi_entries_alloc(draft, &draft->M, n * spheres + slipi_elastic_entries(&shape.block),
                               error);
  if (status == SLIP_OK)
    status = slipi_entries_alloc(draft, &draft->H, 2 * n * d * contacts, error);
  if (status == SLIP_OK)
    status = slipi_draft_vectors(draft, options->mu, error);
  if (status != SLIP_OK)
    return status;
  double velocity[3] = {0};
  velocity[0] = slipi_random_between(draft->random, 0.01, 0.03);
  velocity[d - 1] = -shape.fall;
  int32_t above = add_columns(&shape, draft);
  slipi_elastic_assemble(&shape.block, velocity, draft);
  add_ground(&shape, above, draft);
  return SLIP_OK;
}
