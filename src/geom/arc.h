/* The largest value of a function on an arc of unit vectors across an edge. */
#ifndef SLIPI_GEOM_ARC_H
#define SLIPI_GEOM_ARC_H

#include "geom/vec.h"
#include <stdbool.h>

/* Directions cos(phi) first + sin(phi) second, phi from 0 to an angle. */
typedef struct SlipiArc {
  double at[3], along[3]; /* a point of the edge and its direction, about which phi turns */
  double first[3], second[3];
  double cosine, sine; /* of the angle, from 0 to a half turn */
  bool round;          /* all directions across the edge */
} SlipiArc;

/* Value, and slope in phi, of a function in the direction n. */
typedef void (*SlipiArcFunction)(const void *user, const SlipiArc *arc, const double n[3],
                                 double *value, double *slope);

/* The arc between the normals of the two faces at an edge. */
void slipi_arc_between(const double at[3], const double along[3], const double normal[3],
                       const double other[3], SlipiArc *arc);

/* All directions across a segment. */
void slipi_arc_circle(const double at[3], const double along[3], SlipiArc *arc);

/* Whether the function has a largest value above `best` inside the arc; gives it and its direction.
 * The function is n.(p - at) for the point p of a convex body that makes it least, which bounds it
 * between any two places and lets most of the arc be left out. */
bool slipi_arc_best(const SlipiArc *arc, SlipiArcFunction function, const void *user, double *best,
                    double n[3]);

#endif
