/* The parts that piles of spheres are made of, for a whole pile (gen/pile.c) and for one in slabs
 * of rows, each with a process of its own (mpi/pile_slab.c). */
#ifndef SLIPI_GEN_PILE_H
#define SLIPI_GEN_PILE_H

#include "gen/bodies.h"

enum { SLIPI_PILE_NONE = -1 };

typedef struct SlipiSphere {
  double centre[3], radius; /* in units of the largest radius */
  int32_t first, links;     /* of its contacts */
} SlipiSphere;

/* A contact of a sphere with an earlier one, or with a plane across an axis. */
typedef struct SlipiPileLink {
  int32_t sphere; /* SLIPI_PILE_NONE: a plane */
  int8_t axis, sign;
} SlipiPileLink;

/* Spheres and links that are there; those of a site (i, j) of the layer at hand are at
 * layer + i + side*j, those of the layer beneath likewise from `below`. Either may be negative
 * where only some rows are there. */
typedef struct SlipiPile {
  int d;
  int32_t n;             /* sites along a side of the even layers */
  double length, height; /* of the box, and to the top of the spheres */
  SlipiSphere *spheres;
  int32_t below, layer;
  SlipiPileLink *links;
  int32_t link_count;
} SlipiPile;

enum { SLIPI_PILE_LINKS_MOST = 7 }; /* of one sphere */

/* The sides of a pile with so many contacts; a number that 32 bits cannot count is refused. */
SlipStatus slipi_pile_shape(const SlipGenerate *options, SlipiPile *pile, SlipError *error);

/* Sites along a side of a layer. */
static inline int32_t slipi_pile_side(const SlipiPile *pile, int32_t layer) {
  return layer % 2 ? pile->n - 1 : pile->n;
}

/* Let a sphere down at a site of a layer, by d random numbers; the spheres around it in the layer
 * beneath are there. */
void slipi_pile_place(SlipiPile *pile, int32_t layer, const int32_t site[2], SlipiRandom *random);

/* The contacts of the sphere at a site; its neighbours with lower numbers are there, too. */
void slipi_pile_link(SlipiPile *pile, int32_t layer, const int32_t site[2]);

/* A sphere counts in the pile's height. */
static inline void slipi_pile_raise(SlipiPile *pile, const SlipiSphere *sphere) {
  double top = sphere->centre[pile->d - 1] + sphere->radius;
  pile->height = top > pile->height ? top : pile->height;
}

/* The place of a sphere on the space-filling curve that the numbers of bodies follow; where it is
 * the same, the order in which they were let down decides. The curve fills the box up to the
 * pile's height, so that piles of all widths are halved along the same planes. */
uint64_t slipi_pile_key(const SlipiPile *pile, const SlipiSphere *sphere);

typedef struct SlipiPileBody {
  double mass, inertia, velocity[3];
} SlipiPileBody;

/* The body of a sphere of that radius, by d random numbers, drawn in the order of the bodies. */
void slipi_pile_body(int d, double size, SlipiRandom *random, SlipiPileBody *body);

typedef struct SlipiPileTouch {
  double into_centre[3], from_centre[3], point[3], normal[3];
} SlipiPileTouch;

/* Where a sphere touches, in metres. */
void slipi_pile_touch(const SlipiPile *pile, int32_t index, const SlipiPileLink *link,
                      SlipiPileTouch *touch);

/* The same as a contact of two numbered bodies; `from` may be SLIPI_PILE_NONE. `made` must live as
 * long. */
static inline SlipiTouch slipi_pile_touch_of(const SlipiPileTouch *made, int32_t into,
                                             int32_t from) {
  SlipiTouch touch = {.into = into,
                      .from = from,
                      .into_centre = made->into_centre,
                      .from_centre = made->from_centre};
  for (int k = 0; k < 3; k++) {
    touch.point[k] = made->point[k];
    touch.normal[k] = made->normal[k];
  }
  return touch;
}

#endif
