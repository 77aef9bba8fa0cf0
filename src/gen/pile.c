/* A pile of spheres (discs in 2D) of unequal radii in a box, without a lid or with one that moves.
 *
 * Layers of n x n and (n-1) x (n-1) sites take turns; each sphere is let down, a little beside
 * its site, into the hollow between those of the layer beneath it, or along a wall, until it
 * touches. The three nearest (in 2D: two) carry it; the gaps that unequal radii leave are taken
 * as closed. Everything is known from the neighbours' places in the layers, so the cost is
 * linear. */
#include "base/angle.h"
#include "gen/bodies.h"

#include <math.h>
#include <stdlib.h>

#define SPACING 2.0 /* of the sites in a layer; lengths are in units of the largest radius */
#define RADIUS_LEAST 0.9
#define JITTER 0.05
#define TOUCHING 0.02 /* gaps below this are contacts */
#define UNIT 0.01     /* the largest radius, in metres */
#define DENSITY 2500.0

enum { SUPPORTS_MAX = 5, NONE = -1 };

typedef struct Sphere {
  double centre[3], radius;
  int32_t first; /* of its contacts */
} Sphere;

/* Something a sphere can touch: an earlier sphere, or a plane with normal `sign` along `axis`. */
typedef struct Support {
  int32_t sphere; /* NONE: a plane */
  int axis;
  double sign, at;
} Support;

typedef struct Link {
  int32_t sphere; /* NONE: a plane */
  int8_t axis, sign;
} Link;

typedef struct Pile {
  int d;
  int32_t n; /* sites along a side of the even layers */
  double length;
  Sphere *spheres;
  int32_t count, below, layer; /* where the layer beneath and this one start */
  Link *links;
  bool lid;                         /* on the spheres of the highest layer, which is complete */
  int32_t link_count, wanted, room; /* for spheres and for links */
  SlipiRandom *random;
} Pile;

/* How far the sphere is from touching, and in which direction (unit) it lies. */
static double support_gap(const Pile *pile, const Support *support, const double *c, double radius,
                          double *direction) {
  if (support->sphere == NONE) {
    for (int k = 0; k < pile->d; k++)
      direction[k] = k == support->axis ? support->sign : 0;
    return support->sign * (c[support->axis] - support->at) - radius;
  }
  const Sphere *other = &pile->spheres[support->sphere];
  double norm = 0;
  for (int k = 0; k < pile->d; k++) {
    direction[k] = c[k] - other->centre[k];
    norm += direction[k] * direction[k];
  }
  norm = sqrt(norm);
  for (int k = 0; k < pile->d; k++)
    direction[k] /= norm;
  return norm - radius - other->radius;
}

/* Let a sphere down at its place in the layer until it touches the first of the supports. */
static void pile_lower(const Pile *pile, const Support *supports, int count, Sphere *sphere) {
  int up = pile->d - 1;
  double height = sphere->radius; /* on the floor */
  for (int s = 0; s < count; s++) {
    if (supports[s].sphere == NONE)
      continue;
    const Sphere *other = &pile->spheres[supports[s].sphere];
    double reach = sphere->radius + other->radius, rest = reach * reach;
    for (int k = 0; k < up; k++)
      rest -= (sphere->centre[k] - other->centre[k]) * (sphere->centre[k] - other->centre[k]);
    if (rest > 0)
      height = fmax(height, other->centre[up] + sqrt(rest));
  }
  sphere->centre[up] = height;
}

static void pile_link(Pile *pile, const Support *support) {
  pile->links[pile->link_count++] =
      (Link){support->sphere, (int8_t)support->axis, (int8_t)support->sign};
}

/* Contacts: the d nearest supports carry a sphere, others where they are near enough. */
static void pile_carry(Pile *pile, const Support *supports, int count, const Sphere *sphere) {
  double gap[SUPPORTS_MAX], unused[3];
  for (int s = 0; s < count; s++)
    gap[s] = support_gap(pile, &supports[s], sphere->centre, sphere->radius, unused);
  for (int s = 0; s < count; s++) {
    int nearer = 0;
    for (int t = 0; t < count; t++)
      nearer += gap[t] < gap[s] || (t < s && gap[t] == gap[s]);
    if (nearer < pile->d || gap[s] < TOUCHING)
      pile_link(pile, &supports[s]);
  }
}

/* The dimension, bounded for the static analyzer, which loses sight of it on the way here. */
static int pile_dimension(const Pile *pile) {
  return pile->d == 3 ? 3 : 2;
}

/* Where a sphere of an upper layer can find support: the spheres around the hollow. */
static int pile_hollow(const Pile *pile, bool odd, const int32_t site[2], Support *supports) {
  int count = 0, d = pile_dimension(pile);
  int32_t under = odd ? pile->n : pile->n - 1;
  for (int corner = 0; corner < 1 << (d - 1); corner++) {
    int32_t at[2] = {0, 0};
    bool there = true;
    for (int k = 0; k < d - 1; k++) {
      at[k] = site[k] + (corner >> k & 1) - (odd ? 0 : 1);
      there = there && at[k] >= 0 && at[k] < under;
    }
    if (there)
      supports[count++] = (Support){.sphere = pile->below + at[0] + under * at[1]};
  }
  return count;
}

/* One more sphere at a site of the even or odd kind of layer, with its contacts. */
static void pile_add(Pile *pile, bool floor, bool odd, const int32_t site[2]) {
  int d = pile_dimension(pile);
  int32_t side = odd ? pile->n - 1 : pile->n;
  Support supports[SUPPORTS_MAX];
  int count = floor ? 0 : pile_hollow(pile, odd, site, supports);
  Sphere *sphere = &pile->spheres[pile->count];
  sphere->radius = slipi_random_between(pile->random, RADIUS_LEAST, 1);
  sphere->first = pile->link_count;
  for (int k = 0; k < d - 1; k++) {
    double jitter = slipi_random_between(pile->random, -JITTER, JITTER);
    sphere->centre[k] = 1 + SPACING * (site[k] + (odd ? 0.5 : 0)) + jitter;
    if (odd || (site[k] > 0 && site[k] < side - 1))
      continue;
    Support wall = {NONE, k, site[k] == 0 ? 1 : -1, site[k] == 0 ? 0 : pile->length};
    sphere->centre[k] = wall.at + wall.sign * sphere->radius;
    supports[count++] = wall;
  }
  pile_lower(pile, supports, count, sphere);
  if (floor)
    supports[count++] = (Support){NONE, d - 1, 1, 0};
  pile_carry(pile, supports, count, sphere);
  for (int k = 0; k < d - 1; k++) {
    Support beside = {.sphere = pile->count - (k == 0 ? 1 : side)};
    double unused[3];
    if (site[k] > 0 &&
        support_gap(pile, &beside, sphere->centre, sphere->radius, unused) < TOUCHING)
      pile_link(pile, &beside);
  }
  pile->count++;
}

static bool pile_open(const Pile *pile) {
  int32_t pressed = pile->lid ? pile->count - pile->layer : 0;
  return pile->link_count + pressed < pile->wanted && pile->count < pile->room;
}

static void pile_fill(Pile *pile) {
  for (int32_t layer = 0; pile_open(pile); layer++) {
    bool odd = layer % 2;
    int32_t side = odd ? pile->n - 1 : pile->n, rows = pile->d == 3 ? side : 1;
    pile->below = pile->layer;
    pile->layer = pile->count;
    for (int32_t j = 0; j < rows; j++)
      for (int32_t i = 0; i < side && (pile->lid || pile_open(pile)); i++)
        pile_add(pile, layer == 0, odd, (int32_t[2]){i, j});
  }
}

typedef struct Place {
  uint64_t key;
  int32_t sphere;
} Place;

static int place_compare(const void *a, const void *b) {
  const Place *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->sphere < y->sphere ? -1 : x->sphere > y->sphere;
}

/* Spheres along a space-filling (Morton) curve: neighbours get numbers close to each other. */
static void pile_order(const Pile *pile, Place *places, int32_t *number) {
  for (int32_t s = 0; s < pile->count; s++) {
    uint64_t key = 0;
    for (int k = 0; k < pile->d; k++) {
      uint64_t cell = (uint64_t)fmax(pile->spheres[s].centre[k], 0) / 2;
      for (int bit = 0; bit < 21; bit++)
        key |= (cell >> bit & 1) << (pile->d * bit + k);
    }
    places[s] = (Place){key, s};
  }
  qsort(places, (size_t)pile->count, sizeof *places, place_compare);
  for (int32_t s = 0; s < pile->count; s++)
    number[places[s].sphere] = s;
}

static void pile_body(const Pile *pile, const SlipiPileTaker *taker, int32_t body,
                      const Sphere *sphere) {
  const double pi = SLIPI_PI;
  int d = pile->d;
  double radius = UNIT * sphere->radius, velocity[3];
  double mass = DENSITY * pi * radius * radius * (d == 3 ? 4.0 / 3.0 * radius : UNIT);
  double inertia = (d == 3 ? 0.4 : 0.5) * mass * radius * radius;
  for (int k = 0; k < d; k++)
    velocity[k] = SLIPI_FALL * (slipi_random_between(pile->random, -0.3, 0.3) - (k == d - 1));
  taker->body(taker->user, body, mass, inertia, velocity);
}

static void pile_touch(const Pile *pile, const SlipiPileTaker *taker, int32_t contact,
                       const int32_t *number, int32_t s, const Link *link) {
  const Sphere *sphere = &pile->spheres[s];
  Support support = {link->sphere, link->axis, link->sign, 0};
  double into_centre[3], from_centre[3];
  SlipiTouch touch = {number[s], NONE, into_centre, from_centre, {0}, {0}};
  if (!taker->wants(taker->user, contact))
    return;
  support_gap(pile, &support, sphere->centre, sphere->radius, touch.normal);
  for (int k = 0; k < pile->d; k++) {
    into_centre[k] = UNIT * sphere->centre[k];
    touch.point[k] = UNIT * (sphere->centre[k] - sphere->radius * touch.normal[k]);
  }
  if (link->sphere != NONE) {
    touch.from = number[link->sphere];
    for (int k = 0; k < pile->d; k++)
      from_centre[k] = UNIT * pile->spheres[link->sphere].centre[k];
  }
  taker->touch(taker->user, contact, &touch);
}

/* All spheres by their numbers, each with its contacts; under a lid the highest ones touch it, too.
 */
static void pile_hand_out(const Pile *pile, const Place *places, const int32_t *number,
                          const SlipiPileTaker *taker) {
  int32_t contact = 0;
  int up = pile->d - 1;
  for (int32_t body = 0; body < pile->count; body++) {
    int32_t s = places[body].sphere;
    int32_t end = s + 1 < pile->count ? pile->spheres[s + 1].first : pile->link_count;
    pile_body(pile, taker, body, &pile->spheres[s]);
    for (int32_t k = pile->spheres[s].first; k < end; k++)
      pile_touch(pile, taker, contact++, number, s, &pile->links[k]);
    if (pile->lid && s >= pile->layer)
      pile_touch(pile, taker, contact++, number, s, &(Link){NONE, (int8_t)up, -1});
  }
}

static SlipStatus make(const SlipGenerate *options, bool lid, SlipiRandom *random,
                       SlipiArena *arena, const SlipiPileTaker *taker, SlipError *error) {
  int d = options->dimension == 3 ? 3 : 2;
  /* About as high as wide: 1.4 layers for a spacing, d + 0.2 contacts for a sphere. */
  double spheres = options->contacts / (d + 0.2);
  int32_t n = (int32_t)lround(d == 3 ? cbrt(spheres / 1.4) : sqrt(spheres / 1.4));
  Pile pile = {.d = d, .n = n < 2 ? 2 : n, .wanted = options->contacts, .random = random};
  pile.lid = lid;
  SlipStatus status = slipi_bodies_check(options, options->contacts, error);
  if (status != SLIP_OK)
    return status;
  pile.length = 2 + SPACING * (pile.n - 1);
  /* The last sphere may bring some more contacts; under a lid, its whole layer. */
  pile.room = options->contacts + 12 + (lid ? 8 * pile.n * (d == 3 ? pile.n : 1) : 0);
  pile.spheres = SLIPI_ARENA_NEW(arena, Sphere, pile.room);
  pile.links = SLIPI_ARENA_NEW(arena, Link, pile.room);
  int32_t *number = SLIPI_ARENA_NEW(arena, int32_t, pile.room);
  Place *places = SLIPI_ARENA_NEW(arena, Place, pile.room);
  if (arena->failed)
    return slipi_fail_memory(error, "a pile of spheres");
  pile_fill(&pile);
  pile_order(&pile, places, number);
  int32_t pressed = lid ? pile.count - pile.layer : 0;
  status = taker->start(taker->user, pile.count, pile.link_count + pressed, error);
  if (status == SLIP_OK)
    pile_hand_out(&pile, places, number, taker);
  return status;
}

SlipStatus slipi_pile_each(const SlipGenerate *options, SlipiRandom *random, SlipiArena *arena,
                           const SlipiPileTaker *taker, SlipError *error) {
  return make(options, false, random, arena, taker, error);
}

/* ---- A draft takes everything ---- */

typedef struct Drafter {
  const SlipGenerate *options;
  SlipiDraft *draft;
  bool lid;
} Drafter;

static SlipStatus draft_start(void *user, int32_t bodies, int32_t contacts, SlipError *error) {
  const Drafter *drafter = user;
  return slipi_bodies_start(drafter->draft, drafter->options, bodies, contacts, error);
}

static void draft_body(void *user, int32_t body, double mass, double inertia,
                       const double *velocity) {
  const Drafter *drafter = user;
  slipi_bodies_mass(drafter->draft, body, mass, (double[]){inertia, inertia, inertia}, velocity);
}

static bool draft_wants(void *user, int32_t contact) {
  (void)user;
  (void)contact;
  return true;
}

/* The lid, which alone touches from above, comes down. */
static void draft_touch(void *user, int32_t contact, const SlipiTouch *touch) {
  const Drafter *drafter = user;
  int up = drafter->draft->d - 1;
  slipi_bodies_touch(drafter->draft, contact, touch);
  if (drafter->lid && touch->from == NONE && touch->normal[up] < 0) {
    double velocity[3] = {0};
    velocity[up] = -drafter->options->speed;
    slipi_bodies_drive(drafter->draft, contact, touch->normal, velocity);
  }
}

static SlipStatus draft_pile(const SlipGenerate *options, bool lid, SlipiDraft *draft,
                             SlipError *error) {
  Drafter drafter = {options, draft, lid};
  const SlipiPileTaker taker = {&drafter, draft_start, draft_body, draft_wants, draft_touch};
  return make(options, lid, draft->random, &draft->arena, &taker, error);
}

SlipStatus slipi_gen_pile(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  return draft_pile(options, false, draft, error);
}

SlipStatus slipi_gen_press(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  return draft_pile(options, true, draft, error);
}
