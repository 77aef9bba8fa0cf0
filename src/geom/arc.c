/* Searching an arc piece by piece. */
#include "geom/arc.h"

#include <float.h>

void slipi_arc_between(const double at[3], const double along[3], const double normal[3],
                       const double other[3], SlipiArc *arc) {
  double turn[3];
  slipi_cross(along, normal, turn);
  double sign = slipi_dot3(turn, other) < 0 ? -1 : 1;
  for (int k = 0; k < 3; k++) {
    arc->at[k] = at[k];
    arc->along[k] = sign * along[k];
    arc->first[k] = normal[k];
    arc->second[k] = sign * turn[k];
  }
  arc->cosine = slipi_dot3(normal, other);
  arc->sine = slipi_dot3(arc->second, other);
  arc->round = false;
}

void slipi_arc_circle(const double at[3], const double along[3], SlipiArc *arc) {
  int least = fabs(along[0]) <= fabs(along[1]) ? 0 : 1;
  if (fabs(along[2]) < fabs(along[least]))
    least = 2;
  double axis[3] = {least == 0, least == 1, least == 2};
  slipi_cross(along, axis, arc->first);
  double length = slipi_length(arc->first);
  for (int k = 0; k < 3; k++) {
    arc->first[k] /= length;
    arc->at[k] = at[k];
    arc->along[k] = along[k];
  }
  slipi_cross(along, arc->first, arc->second);
  arc->round = true;
}

typedef struct Place {
  double phi, value, slope, n[3];
} Place;

typedef struct Search {
  const SlipiArc *arc;
  SlipiArcFunction function;
  const void *user;
} Search;

static void look_at(const Search *search, double phi, double c, double s, Place *place) {
  place->phi = phi;
  for (int k = 0; k < 3; k++)
    place->n[k] = c * search->arc->first[k] + s * search->arc->second[k];
  search->function(search->user, search->arc, place->n, &place->value, &place->slope);
}

static void look(const Search *search, double phi, Place *place) {
  look_at(search, phi, cos(phi), sin(phi), place);
}

/* The largest f cos(x) + g sin(x) for x from 0 to a width of less than a quarter turn, of which c
 * and s are cosine and sine. */
static double most_of_wave(double f, double g, double c, double s) {
  bool crest = g > 0 && f * s > g * c; /* inside, at the angle of tangent g / f */
  return crest ? sqrt(f * f + g * g) : fmax(f, f * c + g * s);
}

/* An upper bound of the function between two places, less than a quarter turn apart by
 * an angle of cosine c and sine s. It is the least of p.n over some set of points
 * p, so no point's wave is below it: that of either end bounds it, and where the two rise towards
 * each other their crossing does. */
static double most_within(const Place *a, const Place *b, double c, double s) {
  double bound =
      fmin(most_of_wave(a->value, a->slope, c, s), most_of_wave(b->value, -b->slope, c, s));
  double top = a->value - b->value * c + b->slope * s;
  double bottom = b->value * s + b->slope * c - a->slope;
  double length = sqrt(top * top + bottom * bottom);
  if (!(length > 0) || !(a->slope > 0 && b->slope < 0))
    return bound;
  double sign = bottom < 0 ? -1 : 1, cx = sign * bottom / length, sx = sign * top / length;
  /* Crossing at x, before the crest of both waves. */
  double rest_c = c * cx + s * sx, rest_s = s * cx - c * sx;
  if (sx < 0 || rest_s < 0 || a->slope * cx < a->value * sx ||
      -b->slope * rest_c < b->value * rest_s)
    return bound;
  return fmin(bound, a->value * cx + a->slope * sx);
}

static double most(const Place *a, const Place *b) {
  return most_within(a, b, cos(b->phi - a->phi), sin(b->phi - a->phi));
}

/* Between a, where the function rises, and b, where it falls: false position, in which an end that
 * stays for a second time counts half (Illinois), and bisection now and then. False as soon as
 * `enough` is out of reach. */
static bool narrow(const Search *search, Place *a, Place *b, double enough, Place *found) {
  double up = a->slope, down = b->slope;
  double rounding = DBL_EPSILON * (fabs(a->value) + fabs(b->value) + up - down);
  int last = 0;
  for (int round = 0; round < 200; round++) {
    double phi = a->phi + (b->phi - a->phi) * (up / (up - down));
    if (round % 4 == 3)
      phi = 0.5 * (a->phi + b->phi);
    if (!(phi > a->phi && phi < b->phi))
      break;
    look(search, phi, found);
    if (fabs(found->slope) <= rounding)
      return true;
    if (found->slope > 0) {
      *a = *found;
      up = a->slope;
      down = last > 0 ? 0.5 * down : b->slope;
      last = 1;
    } else {
      *b = *found;
      down = b->slope;
      up = last < 0 ? 0.5 * up : a->slope;
      last = -1;
    }
    if (round < 8 && !(most(a, b) > enough))
      return false;
  }
  *found = fabs(a->slope) < fabs(b->slope) ? *a : *b;
  return true;
}

/* One piece after another, halved as long as the function may be above the best inside. */
static bool search_piece(const Search *search, const Place *from, const Place *to, double *best,
                         double n[3]) {
  enum { DEPTH = 8 };
  Place end[DEPTH + 1], a = *from, found;
  double narrowest = 0.03 * (to->phi - from->phi); /* five halvings */
  int depth = 0;
  bool better = false;
  end[0] = *to;
  while (depth >= 0) {
    Place b = end[depth];
    bool possible = most(&a, &b) > *best, crest = a.slope >= 0 && b.slope <= 0 && a.slope > b.slope;
    bool wide = b.phi - a.phi > (crest ? 0.25 : narrowest);
    if (possible && wide && depth < DEPTH) {
      look(search, 0.5 * (a.phi + b.phi), &end[++depth]);
      continue;
    }
    Place low = a, high = b;
    if (possible && crest && narrow(search, &low, &high, *best, &found) && found.value > *best) {
      *best = found.value;
      for (int k = 0; k < 3; k++)
        n[k] = found.n[k];
      better = true;
    }
    a = b;
    depth--;
  }
  return better;
}

bool slipi_arc_best(const SlipiArc *arc, SlipiArcFunction function, const void *user, double *best,
                    double n[3]) {
  const Search search = {.arc = arc, .function = function, .user = user};
  Place a, b;
  look_at(&search, 0, 1, 0, &a);
  if (!arc->round && arc->cosine > 0) { /* most arcs end here, without their angle */
    look_at(&search, 0, arc->cosine, arc->sine, &b);
    if (!(most_within(&a, &b, arc->cosine, arc->sine) > *best))
      return false;
  }
  /* Round is a little more than once round, so that the seam is inside. */
  double angle = arc->round ? 6.3 : atan2(arc->sine, arc->cosine);
  int pieces = 1 + (int)angle; /* each less than a quarter turn */
  bool better = false;
  for (int piece = 1; piece <= pieces; piece++) {
    look(&search, angle * piece / pieces, &b);
    better |= search_piece(&search, &a, &b, best, n);
    a = b;
  }
  return better;
}
