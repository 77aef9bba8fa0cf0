/* Boxes that stand on each other: a stack, a wall, and bodies on an incline. Boxes are
 * parallel to the axes; two that stand on each other touch at the corners of the rectangle
 * (in 2D: the ends of the segment) they share. */
#include "base/angle.h"
#include "gen/bodies.h"

#include <math.h>
#include <stdlib.h>

#define DENSITY 2000.0

typedef struct Box {
  double centre[3], half[3];
} Box;

static void box_add(SlipiDraft *draft, int32_t body, const Box *box, const double *velocity) {
  int d = draft->d;
  double mass = DENSITY, a = box->half[0], b = box->half[1], c = box->half[2];
  for (int k = 0; k < d; k++)
    mass *= 2 * box->half[k];
  double inertia[3] = {mass / 3 * (b * b + (d == 3 ? c * c : a * a)), mass / 3 * (a * a + c * c),
                       mass / 3 * (a * a + b * b)};
  slipi_bodies_mass(draft, body, mass, inertia, velocity);
}

/* Let box `into` stand on box `from` (NULL and -1: on the ground); contacts from *next on. */
static void box_stand(SlipiDraft *draft, int32_t into, const Box *upper, int32_t from,
                      const Box *lower, int32_t *next) {
  int d = draft->d;
  SlipiTouch touch = {into, from, upper->centre, lower ? lower->centre : NULL, {0}, {0}};
  double ends[2][2];
  for (int k = 0; k < d - 1; k++) {
    ends[k][0] = upper->centre[k] - upper->half[k];
    ends[k][1] = upper->centre[k] + upper->half[k];
    if (lower) {
      ends[k][0] = fmax(ends[k][0], lower->centre[k] - lower->half[k]);
      ends[k][1] = fmin(ends[k][1], lower->centre[k] + lower->half[k]);
    }
  }
  touch.normal[d - 1] = 1;
  touch.point[d - 1] = upper->centre[d - 1] - upper->half[d - 1];
  for (int corner = 0; corner < 1 << (d - 1); corner++) {
    for (int k = 0; k < d - 1; k++)
      touch.point[k] = ends[k][corner >> k & 1];
    slipi_bodies_touch(draft, (*next)++, &touch);
  }
}

SlipStatus slipi_gen_stack(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  int d = options->dimension, corners = 1 << (d - 1);
  int32_t boxes = options->contacts < corners ? 1 : (options->contacts + corners / 2) / corners;
  SlipStatus status = slipi_bodies_start(draft, options, boxes, (int64_t)corners * boxes, error);
  if (status != SLIP_OK)
    return status;
  Box below = {{0}, {0}};
  double velocity[3] = {0};
  velocity[d - 1] = -SLIPI_FALL;
  for (int32_t b = 0, next = 0; b < boxes; b++) {
    Box box;
    for (int k = 0; k < d - 1; k++) {
      box.half[k] = slipi_random_between(draft->random, 0.4, 0.5);
      box.centre[k] = slipi_random_between(draft->random, -0.05, 0.05);
    }
    box.half[d - 1] = slipi_random_between(draft->random, 0.2, 0.3);
    box.centre[d - 1] = below.centre[d - 1] + below.half[d - 1] + box.half[d - 1];
    box_add(draft, b, &box, velocity);
    box_stand(draft, b, &box, b - 1, b > 0 ? &below : NULL, &next);
    below = box;
  }
  return SLIP_OK;
}

/* A wall: `courses` courses, even ones of `length` whole bricks, odd ones with a half brick at
 * either end. */
typedef struct Wall {
  int32_t length, courses;
} Wall;

static int32_t wall_bricks(const Wall *wall, int32_t course) {
  return wall->length + course % 2;
}

static int64_t wall_contacts(const Wall *wall, int corners) {
  return (int64_t)corners * wall->length * (1 + 2 * ((int64_t)wall->courses - 1));
}

/* The wall, about as high as it is long, whose number of contacts is nearest. */
static Wall wall_choose(int64_t contacts, int corners) {
  Wall best = {1, 1};
  int32_t middle = (int32_t)sqrt((double)contacts / (4 * corners)) + 1;
  for (int32_t length = middle / 2 + 1; length <= middle + middle / 4; length++) {
    int64_t courses = (contacts / ((int64_t)corners * length) + 2) / 2;
    Wall wall = {length, courses < 1 ? 1 : (int32_t)courses};
    if (llabs(wall_contacts(&wall, corners) - contacts) <
        llabs(wall_contacts(&best, corners) - contacts))
      best = wall;
  }
  return best;
}

static Box wall_brick(const Wall *wall, int d, int32_t course, int32_t k) {
  const double length = 0.2, depth = 0.1, height = 0.06;
  bool odd = course % 2, end = odd && (k == 0 || k == wall->length);
  double middle = odd ? k : k + 0.5;
  if (end)
    middle += k == 0 ? 0.25 : -0.25;
  Box brick = {.half = {end ? length / 4 : length / 2}};
  brick.centre[0] = length * middle;
  if (d == 3)
    brick.half[1] = depth / 2;
  brick.half[d - 1] = height / 2;
  brick.centre[d - 1] = height * (course + 0.5);
  return brick;
}

SlipStatus slipi_gen_wall(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  int d = options->dimension, corners = 1 << (d - 1);
  Wall wall = wall_choose(options->contacts, corners);
  int64_t bricks = (int64_t)wall.courses * wall.length + wall.courses / 2;
  SlipStatus status =
      slipi_bodies_start(draft, options, bricks, wall_contacts(&wall, corners), error);
  if (status != SLIP_OK)
    return status;
  int32_t body = 0, next = 0;
  for (int32_t course = 0; course < wall.courses; course++)
    for (int32_t k = 0; k < wall_bricks(&wall, course); k++, body++) {
      Box brick = wall_brick(&wall, d, course, k);
      /* The ground has moved: the higher a brick the less it has followed. */
      double velocity[3] = {0};
      velocity[0] = SLIPI_FALL * (course + slipi_random_unit(draft->random)) / wall.courses;
      velocity[d - 1] = -SLIPI_FALL;
      box_add(draft, body, &brick, velocity);
      if (course == 0) {
        box_stand(draft, body, &brick, -1, NULL, &next);
        continue;
      }
      int32_t first = course % 2 ? k - 1 : k, under = body - k - wall_bricks(&wall, course - 1);
      for (int32_t j = first; j <= first + 1; j++)
        if (j >= 0 && j < wall_bricks(&wall, course - 1)) {
          Box below = wall_brick(&wall, d, course - 1, j);
          box_stand(draft, body, &brick, under + j, &below, &next);
        }
    }
  return SLIP_OK;
}

/* Bodies on the incline stand apart; the axes are the incline's, so gravity is tilted. */
static void slope_box(SlipiDraft *draft, int32_t body, const double *velocity, int32_t *next) {
  int d = draft->d;
  Box box = {{0}, {0}};
  for (int k = 0; k < d; k++)
    box.half[k] = slipi_random_between(draft->random, 0.2, k == d - 1 ? 0.3 : 0.5);
  box.centre[d - 1] = box.half[d - 1];
  box_add(draft, body, &box, velocity);
  box_stand(draft, body, &box, -1, NULL, next);
}

static void slope_sphere(SlipiDraft *draft, int32_t body, const double *velocity, int32_t *next) {
  const double pi = SLIPI_PI;
  int d = draft->d;
  double radius = slipi_random_between(draft->random, 0.2, 0.4), centre[3] = {0};
  double mass = DENSITY * pi * radius * radius * (d == 3 ? 4.0 / 3.0 * radius : 1);
  double inertia = (d == 3 ? 0.4 : 0.5) * mass * radius * radius;
  slipi_bodies_mass(draft, body, mass, (double[]){inertia, inertia, inertia}, velocity);
  SlipiTouch touch = {body, -1, centre, NULL, {0}, {0}};
  touch.normal[d - 1] = 1;
  centre[d - 1] = radius;
  slipi_bodies_touch(draft, (*next)++, &touch);
}

SlipStatus slipi_gen_slope(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  int d = options->dimension, corners = 1 << (d - 1);
  int32_t boxes = options->contacts / (corners + 1);
  int32_t bodies = boxes + (options->contacts - corners * boxes);
  SlipStatus status = slipi_bodies_start(draft, options, bodies, options->contacts, error);
  if (status != SLIP_OK)
    return status;
  double mu = options->mu, velocity[3] = {SLIPI_FALL * mu / sqrt(1 + mu * mu)};
  velocity[d - 1] = -SLIPI_FALL / sqrt(1 + mu * mu);
  for (int32_t body = 0, next = 0; body < bodies; body++) {
    int32_t first = next;
    if (body < boxes)
      slope_box(draft, body, velocity, &next);
    else
      slope_sphere(draft, body, velocity, &next);
    /* A box sticks from mu = tan(angle) on, a sphere rolls without sliding from 2/7 of it on
     * (a disc from 1/3 on): half of them on either side. */
    double least = body < boxes ? 1 : d == 3 ? 2.0 / 7.0 : 1.0 / 3.0;
    double own = mu * least * slipi_random_between(draft->random, 0.5, 1.5);
    for (; first < next; first++)
      draft->mu[first] = own;
  }
  return SLIP_OK;
}
