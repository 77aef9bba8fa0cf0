/* Directions between two cylinders. */
#include "geom/arc.h"
#include "geom/drum.h"

#include <float.h>

typedef struct Search {
  const SlipiDrum *a, *b;
  double slack;
  SlipiAxis *axis;
  int looks; /* at places on rims */
} Search;

double slipi_drums_apart(const SlipiDrum *a, const SlipiDrum *b, const double n[3]) {
  double back[3] = {-n[0], -n[1], -n[2]};
  return -slipi_drum_extent(a, back) - slipi_drum_extent(b, n);
}

static void offer(Search *search, const double n[3], bool face) {
  double apart = slipi_drums_apart(search->a, search->b, n);
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

/* p - q and the tangents in both, for the point of b's rim in a direction of its plane; gives the
 * slope of the distance along b's rim. */
static double between(const Circles *circles, double c, double s, double w[3], double tangent_a[3],
                      double tangent_b[3], double *across) {
  double q[3], from[3], radial[3];
  for (int k = 0; k < 3; k++) {
    radial[k] = c * circles->x[k] + s * circles->y[k];
    tangent_b[k] = c * circles->y[k] - s * circles->x[k];
  }
  slipi_along(circles->centre_b, circles->b->radius, radial, q);
  slipi_sub(q, circles->centre_a, from);
  *across = slipi_drum_radial(circles->a, from, radial);
  slipi_cross(circles->a->axis, radial, tangent_a);
  slipi_along(circles->centre_a, circles->opposite * circles->a->radius, radial, w);
  slipi_sub(w, q, w);
  return slipi_dot3(w, tangent_b);
}

/* A place on b's rim: the slope, how it changes, and a bound of how fast that does. */
typedef struct Place {
  double angle, slope, bend, most;
} Place;

static void look(Search *search, const Circles *circles, double angle, Place *place) {
  double c = cos(angle), s = sin(angle), w[3], tangent_a[3], tangent_b[3], across;
  double a = circles->a->radius, b = circles->b->radius, radial_w = 0;
  place->angle = angle;
  place->slope = between(circles, c, s, w, tangent_a, tangent_b, &across);
  for (int k = 0; k < 3; k++)
    radial_w += w[k] * (c * circles->x[k] + s * circles->y[k]);
  double cosine = slipi_dot3(tangent_a, tangent_b), ratio = across > 0 ? a / across : HUGE_VAL;
  place->bend = circles->opposite * ratio * b * cosine * cosine - b - radial_w;
  place->most = 6 * b * (1 + ratio + ratio * b / across);
  search->looks++;
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

/* How far apart the cylinders are along n: n.w of the points of both that make it least. */
static void on_difference(const void *user, const SlipiArc *arc, const double n[3], double *value,
                          double *slope) {
  const Search *search = user;
  double back[3] = {-n[0], -n[1], -n[2]}, w[3], q[3], turn[3];
  slipi_drum_support(search->a, back, w);
  slipi_drum_support(search->b, n, q);
  slipi_sub(w, q, w);
  slipi_cross(arc->along, n, turn);
  *value = slipi_dot3(n, w);
  *slope = slipi_dot3(turn, w);
}

/* The best direction across a tangent of both rims. */
static void offer_across(Search *search, const double tangent[3]) {
  static const double origin[3] = {0, 0, 0};
  SlipiArc arc;
  double n[3], value = search->axis->apart + search->slack;
  slipi_arc_circle(origin, tangent, &arc);
  if (slipi_arc_best(&arc, on_difference, search, &value, n))
    offer(search, n, false);
}

/* Across both tangents; where these are almost parallel, along p - q or, as that may be too short
 * to have a direction, in any direction across them. */
static void offer_between(Search *search, const Circles *circles, double angle) {
  double w[3], tangent_a[3], tangent_b[3], n[3], across;
  between(circles, cos(angle), sin(angle), w, tangent_a, tangent_b, &across);
  slipi_cross(tangent_a, tangent_b, n);
  if (slipi_length(n) > 1e-3) {
    offer_both(search, n);
    return;
  }
  offer_both(search, w);
  offer_across(search, tangent_b);
}

enum { PIECES = 24, PARTS = 4 };

/* The angle between two places at which the slope changes its sign. */
static double turning(Search *search, const Circles *circles, const Place *from, const Place *to) {
  double rounding = DBL_EPSILON * (circles->a->radius + circles->b->radius);
  Place low = *from, high = *to, here;
  for (int round = 0; round < 80; round++) {
    double width = high.angle - low.angle;
    double middle = round % 3 == 2 ? 0.5 * (low.angle + high.angle)
                                   : low.angle + width * low.slope / (low.slope - high.slope);
    if (!(middle > low.angle && middle < high.angle))
      break;
    look(search, circles, middle, &here);
    if (fabs(here.slope) <= rounding)
      return middle;
    if (here.slope * low.slope > 0)
      low = here;
    else
      high = here;
  }
  return fabs(low.slope) < fabs(high.slope) ? low.angle : high.angle;
}

/* All angles between two places at which the slope changes its sign. Where it is known to grow, or
 * to fall, all the way there is one at most, and none where it is too far from zero; else they are
 * looked for in both halves. Where rims almost touch there are several close together. */
static void isolate(Search *search, const Circles *circles, const Place *low, const Place *high,
                    int depth) {
  enum { LOOKS_MOST = 2000 };
  double width = high->angle - low->angle, change = fmax(low->most, high->most) * width;
  bool crosses = low->slope * high->slope <= 0;
  bool one_way = low->bend * high->bend > 0 && fabs(low->bend) + fabs(high->bend) > change;
  if (one_way || depth == 0 || search->looks > LOOKS_MOST) {
    if (crosses)
      offer_between(search, circles, turning(search, circles, low, high));
    return;
  }
  double steepest = fmax(fabs(low->bend), fabs(high->bend)) + change;
  if (!crosses && fabs(low->slope) + fabs(high->slope) > steepest * width)
    return;
  Place middle;
  look(search, circles, 0.5 * (low->angle + high->angle), &middle);
  isolate(search, circles, low, &middle, depth - 1);
  isolate(search, circles, &middle, high, depth - 1);
}

static void try_piece(Search *search, const Circles *circles, double low, double width) {
  enum { DEPTH = 14 };
  Place last, here;
  look(search, circles, low, &last);
  for (int part = 1; part <= PARTS; part++) {
    look(search, circles, low + part * width / PARTS, &here);
    isolate(search, circles, &last, &here, DEPTH);
    last = here;
  }
}

static double width_of_piece(void) {
  return 2 * acos(-1) / PIECES;
}

/* Distances |p - q| at angles of a coarse grid; the least of them. */
static double grid_of(const Circles *circles, double distance[PIECES + 1]) {
  double w[3], tangent_a[3], tangent_b[3], least = HUGE_VAL, across;
  double c = cos(0.1), s = sin(0.1), turn_c = cos(width_of_piece()), turn_s = sin(width_of_piece());
  for (int i = 0; i <= PIECES; i++) {
    between(circles, c, s, w, tangent_a, tangent_b, &across);
    distance[i] = slipi_length(w);
    least = fmin(least, distance[i]);
    double next = c * turn_c - s * turn_s;
    s = s * turn_c + c * turn_s;
    c = next;
  }
  return least;
}

static void try_circles(Search *search, const Circles *circles, const double distance[PIECES + 1],
                        double enough) {
  double width = width_of_piece(), move = circles->b->radius * width;
  for (int i = 0; i < PIECES; i++)
    if (circles->opposite < 0 || fmin(distance[i], distance[i + 1]) - 0.5 * move <= enough)
      try_piece(search, circles, 0.1 + i * width, width);
}

/* The rims of `a`, to points of the rims of `b`.
 *
 * The value in a direction of two rims is |p - q| where the cylinders are apart, and then it is the
 * least of all such distances, or -|p - q|, and then it has to be less than the depth known. The
 * distance to the nearest point changes no faster than the point moves, so that pieces of the
 * circles that are too far can be left out. */
static void try_rims(Search *search, const SlipiDrum *a, const SlipiDrum *b, bool overlap) {
  SlipiArc frame;
  Circles circles = {.a = a, .b = b};
  double distance[4][PIECES + 1], least = HUGE_VAL;
  slipi_arc_circle(b->centre, b->axis, &frame);
  for (int k = 0; k < 3; k++) {
    circles.x[k] = frame.first[k];
    circles.y[k] = frame.second[k];
  }
  for (int round = 0; round < 2; round++) {
    for (int pair = 0; pair < 4; pair++) {
      slipi_along(a->centre, pair & 1 ? a->half : -a->half, a->axis, circles.centre_a);
      slipi_along(b->centre, pair & 2 ? b->half : -b->half, b->axis, circles.centre_b);
      circles.opposite = 1;
      if (round == 0) {
        least = fmin(least, grid_of(&circles, distance[pair]));
        continue;
      }
      try_circles(search, &circles, distance[pair],
                  fmax(overlap ? 0 : least, -search->axis->apart));
      /* The opposite points matter only where the cylinders overlap by more than a radius. */
      circles.opposite = -1;
      if (-search->axis->apart > fmin(a->radius, b->radius))
        try_circles(search, &circles, distance[pair], HUGE_VAL);
    }
  }
}

void slipi_drums_rims(const SlipiDrum *a, const SlipiDrum *b, double slack, bool overlap,
                      SlipiAxis *axis) {
  Search search = {.a = a, .b = b, .slack = slack, .axis = axis};
  /* Both ways: where one circle has two such points close together the other may have them apart.
   */
  try_rims(&search, a, b, overlap);
  search.looks = 0;
  try_rims(&search, b, a, overlap);
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
