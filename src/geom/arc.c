/* Searching an arc piece by piece. */
#include "geom/arc.h"

void slipi_arc_between(const double at[3], const double along[3], const double normal[3],
                       const double other[3], SlipiArc *arc) {
  double turn[3];
  slipi_cross(along, normal, turn);
  double sign = slipi_dot(turn, other) < 0 ? -1 : 1;
  for (int k = 0; k < 3; k++) {
    arc->at[k] = at[k];
    arc->along[k] = sign * along[k];
    arc->first[k] = normal[k];
    arc->second[k] = sign * turn[k];
  }
  arc->angle = atan2(slipi_dot(arc->second, other), slipi_dot(normal, other));
  arc->pieces = 8;
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
  arc->angle = 6.3; /* a little more than once round, so that the seam is inside */
  arc->pieces = 32;
}

typedef struct Place {
  double phi, value, slope, n[3];
} Place;

typedef struct Search {
  const SlipiArc *arc;
  SlipiArcFunction function;
  const void *user;
} Search;

static void look(const Search *search, double phi, Place *place) {
  double c = cos(phi), s = sin(phi);
  place->phi = phi;
  for (int k = 0; k < 3; k++)
    place->n[k] = c * search->arc->first[k] + s * search->arc->second[k];
  search->function(search->user, search->arc, place->n, &place->value, &place->slope);
}

/* No more than where the tangents at both ends meet, with room for a function that is not concave.
 */
static double most(const Place *a, const Place *b) {
  double width = b->phi - a->phi, bend = a->slope - b->slope;
  double x = (b->value - a->value - b->slope * width) / bend;
  double room = width * width * (bend + fabs(a->value));
  return a->value + a->slope * fmin(fmax(x, 0), width) + room;
}

/* Between a, where the function rises, and b, where it falls: false position, in which an end that
 * stays for a second time counts half (Illinois). False as soon as `enough` is out of reach. */
static bool narrow(const Search *search, Place *a, Place *b, double enough, Place *found) {
  double up = a->slope, down = b->slope;
  int last = 0;
  for (int round = 0; round < 200; round++) {
    double phi = a->phi + (b->phi - a->phi) * (up / (up - down));
    if (round % 3 == 2)
      phi = 0.5 * (a->phi + b->phi);
    if (!(phi > a->phi && phi < b->phi))
      break;
    if (!(most(a, b) > enough))
      return false;
    look(search, phi, found);
    if (found->slope == 0)
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
  }
  *found = fabs(a->slope) < fabs(b->slope) ? *a : *b;
  return true;
}

bool slipi_arc_best(const SlipiArc *arc, SlipiArcFunction function, const void *user, double *best,
                    double n[3]) {
  const Search search = {.arc = arc, .function = function, .user = user};
  Place a, b, found;
  bool better = false;
  look(&search, 0, &a);
  for (int piece = 1; piece <= arc->pieces; piece++) {
    look(&search, arc->angle * piece / arc->pieces, &b);
    Place low = a, high = b;
    if (a.slope >= 0 && b.slope <= 0 && a.slope > b.slope &&
        narrow(&search, &low, &high, *best, &found) && found.value > *best) {
      *best = found.value;
      for (int k = 0; k < 3; k++)
        n[k] = found.n[k];
      better = true;
    }
    a = b;
  }
  return better;
}
