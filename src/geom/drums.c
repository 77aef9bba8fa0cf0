/* Directions between two cylinders. */
#include "geom/arc.h"
#include "geom/drum.h"

#include <float.h>

typedef struct Search {
  const SlipiDrum *a, *b;
  double slack;
  SlipiAxis *axis;
} Search;

static double apart_along(const Search *search, const double n[3]) {
  double back[3] = {-n[0], -n[1], -n[2]};
  return -slipi_drum_extent(search->a, back) - slipi_drum_extent(search->b, n);
}

static void offer(Search *search, const double n[3], bool face) {
  double apart = apart_along(search, n);
  if (!(apart > search->axis->apart + search->slack))
    return;
  for (int k = 0; k < 3; k++)
    search->axis->n[k] = n[k];
  search->axis->apart = apart;
  search->axis->face = face;
}

static void try_ends(Search *search, const SlipiDrum *drum) {
  for (int end = 0; end < 2; end++) {
    double n[3];
    for (int k = 0; k < 3; k++)
      n[k] = end ? -drum->axis[k] : drum->axis[k];
    offer(search, n, true);
  }
}

/* Across both axes, where the nearest points of the axes are within both cylinders. */
static void try_sides(Search *search) {
  const SlipiDrum *a = search->a, *b = search->b;
  double n[3], q[3], uv = slipi_dot3(a->axis, b->axis);
  slipi_sub(a->centre, b->centre, q);
  slipi_cross(b->axis, a->axis, n);
  double sine = slipi_length(n), qb = slipi_dot3(q, b->axis), qa = slipi_dot3(q, a->axis);
  double s = (uv * qb - qa) / (sine * sine), t = s * uv + qb;
  if (sine < 1e-10) {
    slipi_along(q, -qb, b->axis, n);
    t = fmin(fmax(qb, -b->half), b->half);
    s = fabs(qb) <= a->half + b->half ? 0 : HUGE_VAL;
  }
  double length = slipi_length(n);
  if (!(length > 0 && fabs(s) <= a->half + search->slack && fabs(t) <= b->half + search->slack))
    return;
  for (int way = 0; way < 2; way++) {
    for (int k = 0; k < 3; k++)
      n[k] *= way ? -1 : 1 / length;
    offer(search, n, false);
  }
}

/* What separates the rim of one cylinder from the axis of the other; the sign tells which. */
typedef struct Rim {
  const SlipiDrum *drum;
  double sign;
} Rim;

static void on_arc(const void *user, const SlipiArc *arc, const double n[3], double *value,
                   double *slope) {
  const Rim *rim = user;
  double toward[3], p[3], turn[3];
  for (int k = 0; k < 3; k++)
    toward[k] = -rim->sign * n[k];
  slipi_drum_support(rim->drum, toward, p);
  slipi_sub(p, arc->at, p);
  slipi_cross(arc->along, n, turn);
  *value = rim->sign * slipi_dot3(n, p);
  *slope = rim->sign * slipi_dot3(turn, p);
}

/* The rim of one cylinder against the side of the other. */
static void try_rim_on_side(Search *search, const SlipiDrum *rim, const SlipiDrum *side,
                            double sign) {
  const Rim user = {.drum = rim, .sign = sign};
  SlipiArc arc;
  double n[3], toward[3], p[3], value = search->axis->apart + side->radius;
  slipi_arc_circle(side->centre, side->axis, &arc);
  if (!slipi_arc_best(&arc, on_arc, &user, &value, n))
    return;
  for (int k = 0; k < 3; k++)
    toward[k] = -sign * n[k];
  slipi_drum_support(rim, toward, p);
  slipi_sub(p, side->centre, p);
  if (fabs(slipi_dot3(p, side->axis)) <= side->half + search->slack)
    offer(search, n, false);
}

/* ---- Two rims ---------------------------------------------------------------------------------
 *
 * Rims touch in points p of a and q of b whose difference is across both rims. To each q belongs
 * the nearest point of the other rim, and the one opposite; what is left is to find on one circle
 * where p - q is across it. */

typedef struct Circles {
  double centre_a[3], centre_b[3], x[3], y[3]; /* x, y: across the axis of b */
  const SlipiDrum *a, *b;
  double opposite; /* 1, or -1 for the point of a opposite to the nearest */
} Circles;

/* p - q and the tangents in both, for the point of b's rim at an angle; gives the slope of the
 * distance along b's rim. */
static double between(const Circles *circles, double angle, double w[3], double tangent_a[3],
                      double tangent_b[3]) {
  double c = cos(angle), s = sin(angle), q[3], from[3], radial[3];
  for (int k = 0; k < 3; k++) {
    radial[k] = c * circles->x[k] + s * circles->y[k];
    tangent_b[k] = c * circles->y[k] - s * circles->x[k];
  }
  slipi_along(circles->centre_b, circles->b->radius, radial, q);
  slipi_sub(q, circles->centre_a, from);
  slipi_drum_radial(circles->a, from, radial);
  slipi_cross(circles->a->axis, radial, tangent_a);
  slipi_along(circles->centre_a, circles->opposite * circles->a->radius, radial, w);
  slipi_sub(w, q, w);
  return slipi_dot3(w, tangent_b);
}

static void offer_both(Search *search, double n[3]) {
  double length = slipi_length(n);
  if (!(length > 0))
    return;
  for (int way = 0; way < 2; way++) {
    for (int k = 0; k < 3; k++)
      n[k] *= way ? -1 : 1 / length;
    offer(search, n, false);
  }
}

/* Along p - q where that is long enough to have a direction, and across both tangents. */
static void offer_between(Search *search, const Circles *circles, double angle) {
  double w[3], tangent_a[3], tangent_b[3], n[3];
  between(circles, angle, w, tangent_a, tangent_b);
  slipi_cross(tangent_a, tangent_b, n);
  if (slipi_length(n) > 1e-3)
    offer_both(search, n);
  else
    offer_both(search, w);
}

enum { PIECES = 24, PARTS = 4 };

/* The angle between low and high at which the slope changes its sign. */
static double turning(const Circles *circles, double low, double high, double from, double to) {
  double w[3], tangent_a[3], tangent_b[3];
  double rounding = DBL_EPSILON * (circles->a->radius + circles->b->radius);
  for (int round = 0; round < 80; round++) {
    double middle = round % 3 == 2 ? 0.5 * (low + high) : low + (high - low) * from / (from - to);
    if (!(middle > low && middle < high))
      break;
    double here = between(circles, middle, w, tangent_a, tangent_b);
    if (fabs(here) <= rounding)
      return middle;
    if (here * from > 0) {
      low = middle;
      from = here;
    } else {
      high = middle;
      to = here;
    }
  }
  return fabs(from) < fabs(to) ? low : high;
}

/* All angles at which the slope changes its sign in a piece of the circle, seen in some parts. */
static void try_piece(Search *search, const Circles *circles, double low, double width) {
  double w[3], tangent_a[3], tangent_b[3];
  double last = between(circles, low, w, tangent_a, tangent_b);
  for (int part = 1; part <= PARTS; part++) {
    double angle = low + part * width / PARTS;
    double slope = between(circles, angle, w, tangent_a, tangent_b);
    if (slope * last <= 0)
      offer_between(search, circles, turning(circles, angle - width / PARTS, angle, last, slope));
    last = slope;
  }
}

/* Distances |p - q| at angles of a coarse grid; the least of them. */
static double grid_of(const Circles *circles, double distance[PIECES + 1], double width) {
  double w[3], tangent_a[3], tangent_b[3], least = HUGE_VAL;
  for (int i = 0; i <= PIECES; i++) {
    between(circles, 0.1 + i * width, w, tangent_a, tangent_b);
    distance[i] = slipi_length(w);
    least = fmin(least, distance[i]);
  }
  return least;
}

/* The value in a direction of two rims is |p - q| where the cylinders are apart, and then it is the
 * least of all such distances, or -|p - q|, and then it has to be less than the depth known. The
 * distance to the nearest point changes no faster than the point moves, so that pieces of the
 * circle that are too far can be left out. */
static void try_circles(Search *search, const Circles *circles) {
  double width = 2 * acos(-1) / PIECES, distance[PIECES + 1];
  double enough = fmax(grid_of(circles, distance, width), -search->axis->apart);
  double move = circles->b->radius * width;
  for (int i = 0; i < PIECES; i++)
    if (circles->opposite < 0 || fmin(distance[i], distance[i + 1]) - 0.5 * move <= enough)
      try_piece(search, circles, 0.1 + i * width, width);
}

/* The rims of `a`, to points of the rims of `b`. */
static void try_rims(Search *search, const SlipiDrum *a, const SlipiDrum *b) {
  SlipiArc frame;
  Circles circles = {.a = a, .b = b};
  slipi_arc_circle(b->centre, b->axis, &frame);
  for (int k = 0; k < 3; k++) {
    circles.x[k] = frame.first[k];
    circles.y[k] = frame.second[k];
  }
  for (int pair = 0; pair < 8; pair++) {
    slipi_along(a->centre, pair & 1 ? a->half : -a->half, a->axis, circles.centre_a);
    slipi_along(b->centre, pair & 2 ? b->half : -b->half, b->axis, circles.centre_b);
    circles.opposite = pair & 4 ? -1 : 1;
    /* The opposite points matter only where the cylinders overlap by more than a radius. */
    if (circles.opposite > 0 || -search->axis->apart > fmin(a->radius, b->radius))
      try_circles(search, &circles);
  }
}

void slipi_drums_rims(const SlipiDrum *a, const SlipiDrum *b, double slack, SlipiAxis *axis) {
  Search search = {.a = a, .b = b, .slack = slack, .axis = axis};
  /* Both ways: where one circle has two such points close together the other may have them apart.
   */
  try_rims(&search, a, b);
  try_rims(&search, b, a);
}

void slipi_drums_axis(const SlipiDrum *a, const SlipiDrum *b, double slack, double far,
                      SlipiAxis *axis) {
  Search search = {.a = a, .b = b, .slack = slack, .axis = axis};
  *axis = (SlipiAxis){.n = {0, 0, 1}, .apart = -HUGE_VAL};
  try_ends(&search, b);
  try_ends(&search, a);
  if (axis->apart > far)
    return;
  try_sides(&search);
  if (axis->apart > far)
    return;
  try_rim_on_side(&search, a, b, 1);
  try_rim_on_side(&search, b, a, -1);
}
