/* A pile of spheres (discs in 2D) of unequal radii in a box, without a lid or with one that moves.
 *
 * Layers of n x n and (n-1) x (n-1) sites take turns; each sphere is let down, a little beside
 * its site, into the hollow between those of the layer beneath it, or along a wall, until it
 * touches. The three nearest (in 2D: two) carry it; the gaps that unequal radii leave are taken
 * as closed. Everything is known from the neighbours' places in the layers, so the cost is
 * linear. */
#include "gen/pile.h"

#include <math.h>
#include <stdlib.h>

#include "base/angle.h"

#define SPACING 2.0 /* of the sites in a layer; lengths are in units of the largest radius */
#define RADIUS_LEAST 0.9
#define JITTER 0.05
#define TOUCHING 0.02 /* gaps below this are contacts */
#define UNIT 0.01     /* the largest radius, in metres */
#define DENSITY 2500.0

enum { SUPPORTS_MAX = 5, NONE = SLIPI_PILE_NONE };

/* Something a sphere can touch: an earlier sphere, or a plane with normal `sign` along `axis`. */
typedef struct Support {
  int32_t sphere; /* NONE: a plane */
  int axis;
  double sign, at;
} Support;

/* How far the sphere is from touching, and in which direction (unit) it lies. */
static double support_gap(const SlipiPile *pile, const Support *support, const double *c,
                          double radius, double *direction) {
  if (support->sphere == NONE) {
    for (int k = 0; k < pile->d; k++)
      direction[k] = k == support->axis ? support->sign : 0;
    return support->sign * (c[support->axis] - support->at) - radius;
  }
  const SlipiSphere *other = &pile->spheres[support->sphere];
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
static void pile_lower(const SlipiPile *pile, const Support *supports, int count,
                       SlipiSphere *sphere) {
  int up = pile->d - 1;
  double height = sphere->radius; /* on the floor */
  for (int s = 0; s < count; s++) {
    if (supports[s].sphere == NONE)
      continue;
    const SlipiSphere *other = &pile->spheres[supports[s].sphere];
    double reach = sphere->radius + other->radius, rest = reach * reach;
    for (int k = 0; k < up; k++)
      rest -= (sphere->centre[k] - other->centre[k]) * (sphere->centre[k] - other->centre[k]);
    if (rest > 0)
      height = fmax(height, other->centre[up] + sqrt(rest));
  }
  sphere->centre[up] = height;
}

static void pile_link(SlipiPile *pile, const Support *support) {
  pile->links[pile->link_count++] =
      (SlipiPileLink){support->sphere, (int8_t)support->axis, (int8_t)support->sign};
}

/* Contacts: the d nearest supports carry a sphere, others where they are near enough. */
static void pile_carry(SlipiPile *pile, const Support *supports, int count,
                       const SlipiSphere *sphere) {
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
static int pile_dimension(const SlipiPile *pile) {
  return pile->d == 3 ? 3 : 2;
}

/* Where a sphere of an upper layer can find support: the spheres around the hollow. */
static int pile_hollow(const SlipiPile *pile, bool odd, const int32_t site[2], Support *supports) {
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

/* All that a sphere at a site can stand on or lean against. */
static int pile_supports(const SlipiPile *pile, int32_t layer, const int32_t site[2],
                         Support *supports) {
  int d = pile_dimension(pile);
  bool odd = layer % 2;
  int count = layer == 0 ? 0 : pile_hollow(pile, odd, site, supports);
  for (int k = 0; k < d - 1 && !odd; k++)
    if (site[k] == 0 || site[k] == pile->n - 1)
      supports[count++] =
          (Support){NONE, k, site[k] == 0 ? 1 : -1, site[k] == 0 ? 0 : pile->length};
  if (layer == 0)
    supports[count++] = (Support){NONE, d - 1, 1, 0};
  return count;
}

static int32_t site_index(const SlipiPile *pile, int32_t layer, const int32_t site[2]) {
  return pile->layer + site[0] + slipi_pile_side(pile, layer) * site[1];
}

void slipi_pile_place(SlipiPile *pile, int32_t layer, const int32_t site[2], SlipiRandom *random) {
  int d = pile_dimension(pile);
  Support supports[SUPPORTS_MAX];
  int count = pile_supports(pile, layer, site, supports);
  SlipiSphere *sphere = &pile->spheres[site_index(pile, layer, site)];
  sphere->radius = slipi_random_between(random, RADIUS_LEAST, 1);
  for (int k = 0; k < d - 1; k++) {
    double jitter = slipi_random_between(random, -JITTER, JITTER);
    sphere->centre[k] = 1 + SPACING * (site[k] + (layer % 2 ? 0.5 : 0)) + jitter;
  }
  for (int s = 0; s < count; s++)
    if (supports[s].sphere == NONE && supports[s].axis < d - 1)
      sphere->centre[supports[s].axis] = supports[s].at + supports[s].sign * sphere->radius;
  pile_lower(pile, supports, count, sphere);
}

void slipi_pile_link(SlipiPile *pile, int32_t layer, const int32_t site[2]) {
  int d = pile_dimension(pile);
  int32_t index = site_index(pile, layer, site);
  SlipiSphere *sphere = &pile->spheres[index];
  Support supports[SUPPORTS_MAX];
  int count = pile_supports(pile, layer, site, supports);
  sphere->first = pile->link_count;
  pile_carry(pile, supports, count, sphere);
  for (int k = 0; k < d - 1; k++) {
    Support beside = {.sphere = index - (k == 0 ? 1 : slipi_pile_side(pile, layer))};
    double unused[3];
    if (site[k] > 0 &&
        support_gap(pile, &beside, sphere->centre, sphere->radius, unused) < TOUCHING)
      pile_link(pile, &beside);
  }
  sphere->links = pile->link_count - sphere->first;
}

uint64_t slipi_pile_key(const SlipiPile *pile, const SlipiSphere *sphere) {
  uint64_t key = 0;
  const double cells = 1 << 20;
  for (int k = 0; k < pile->d; k++) {
    double extent = k == pile->d - 1 ? pile->height : pile->length;
    uint64_t cell = (uint64_t)(fmax(sphere->centre[k], 0) / extent * cells);
    for (int bit = 0; bit < 21; bit++)
      key |= (cell >> bit & 1) << (pile->d * bit + k);
  }
  return key;
}

void slipi_pile_body(int d, double size, SlipiRandom *random, SlipiPileBody *body) {
  const double pi = SLIPI_PI;
  double radius = UNIT * size;
  body->mass = DENSITY * pi * radius * radius * (d == 3 ? 4.0 / 3.0 * radius : UNIT);
  body->inertia = (d == 3 ? 0.4 : 0.5) * body->mass * radius * radius;
  for (int k = 0; k < d; k++)
    body->velocity[k] = SLIPI_FALL * (slipi_random_between(random, -0.3, 0.3) - (k == d - 1));
}

void slipi_pile_touch(const SlipiPile *pile, int32_t index, const SlipiPileLink *link,
                      SlipiPileTouch *touch) {
  const SlipiSphere *sphere = &pile->spheres[index];
  Support support = {link->sphere, link->axis, link->sign, 0};
  *touch = (SlipiPileTouch){0};
  support_gap(pile, &support, sphere->centre, sphere->radius, touch->normal);
  for (int k = 0; k < pile->d; k++) {
    touch->into_centre[k] = UNIT * sphere->centre[k];
    touch->point[k] = UNIT * (sphere->centre[k] - sphere->radius * touch->normal[k]);
    if (link->sphere != NONE)
      touch->from_centre[k] = UNIT * pile->spheres[link->sphere].centre[k];
  }
}

SlipStatus slipi_pile_shape(const SlipGenerate *options, SlipiPile *pile, SlipError *error) {
  int d = options->dimension == 3 ? 3 : 2;
  /* About as high as wide: 1.4 layers for a spacing, d + 0.2 contacts for a sphere. */
  double spheres = options->contacts / (d + 0.2);
  int32_t n = (int32_t)lround(d == 3 ? cbrt(spheres / 1.4) : sqrt(spheres / 1.4));
  *pile = (SlipiPile){.d = d, .n = n < 2 ? 2 : n};
  pile->length = 2 + SPACING * (pile->n - 1);
  return slipi_bodies_check(options, options->contacts, error);
}

/* ---- A whole pile, as a draft ---- */

typedef struct Whole {
  SlipiPile pile;
  int32_t count, wanted, room; /* spheres; contacts; for spheres and for links */
  bool lid;                    /* on the spheres of the highest layer, which is complete */
  SlipiDraft *draft;
  const SlipGenerate *options;
} Whole;

static bool is_open(const Whole *whole) {
  int32_t pressed = whole->lid ? whole->count - whole->pile.layer : 0;
  return whole->pile.link_count + pressed < whole->wanted && whole->count < whole->room;
}

static void fill(Whole *whole) {
  SlipiPile *pile = &whole->pile;
  for (int32_t layer = 0; is_open(whole); layer++) {
    int32_t side = slipi_pile_side(pile, layer), rows = pile->d == 3 ? side : 1;
    pile->below = pile->layer;
    pile->layer = whole->count;
    for (int32_t j = 0; j < rows; j++)
      for (int32_t i = 0; i < side && (whole->lid || is_open(whole)); i++, whole->count++) {
        slipi_pile_place(pile, layer, (int32_t[2]){i, j}, whole->draft->random);
        slipi_pile_link(pile, layer, (int32_t[2]){i, j});
      }
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
static void put_in_order(Whole *whole, Place *places, int32_t *number) {
  for (int32_t s = 0; s < whole->count; s++)
    slipi_pile_raise(&whole->pile, &whole->pile.spheres[s]);
  for (int32_t s = 0; s < whole->count; s++)
    places[s] = (Place){slipi_pile_key(&whole->pile, &whole->pile.spheres[s]), s};
  qsort(places, (size_t)whole->count, sizeof *places, place_compare);
  for (int32_t s = 0; s < whole->count; s++)
    number[places[s].sphere] = s;
}

/* The lid, which alone touches from above, comes down. */
static void draft_touch(const Whole *whole, int32_t contact, const int32_t *number, int32_t s,
                        const SlipiPileLink *link) {
  SlipiPileTouch made;
  int up = whole->pile.d - 1;
  slipi_pile_touch(&whole->pile, s, link, &made);
  SlipiTouch touch =
      slipi_pile_touch_of(&made, number[s], link->sphere == NONE ? NONE : number[link->sphere]);
  slipi_bodies_touch(whole->draft, contact, &touch);
  if (whole->lid && touch.from == NONE && touch.normal[up] < 0) {
    double velocity[3] = {0};
    velocity[up] = -whole->options->speed;
    slipi_bodies_drive(whole->draft, contact, touch.normal, velocity);
  }
}

/* All spheres by their numbers, each with its contacts; under a lid the highest ones touch it, too.
 */
static void draft_all(const Whole *whole, const Place *places, const int32_t *number) {
  const SlipiPile *pile = &whole->pile;
  int32_t contact = 0;
  int up = pile->d - 1;
  for (int32_t b = 0; b < whole->count; b++) {
    int32_t s = places[b].sphere;
    const SlipiSphere *sphere = &pile->spheres[s];
    SlipiPileBody body;
    slipi_pile_body(pile->d, sphere->radius, whole->draft->random, &body);
    slipi_bodies_mass(whole->draft, b, body.mass,
                      (double[]){body.inertia, body.inertia, body.inertia}, body.velocity);
    for (int32_t k = sphere->first; k < sphere->first + sphere->links; k++)
      draft_touch(whole, contact++, number, s, &pile->links[k]);
    if (whole->lid && s >= pile->layer)
      draft_touch(whole, contact++, number, s, &(SlipiPileLink){NONE, (int8_t)up, -1});
  }
}

static SlipStatus draft_pile(const SlipGenerate *options, bool lid, SlipiDraft *draft,
                             SlipError *error) {
  Whole whole = {.wanted = options->contacts, .lid = lid, .draft = draft, .options = options};
  SlipiPile *pile = &whole.pile;
  SlipStatus status = slipi_pile_shape(options, pile, error);
  if (status != SLIP_OK)
    return status;
  /* The last sphere may bring some more contacts; under a lid, its whole layer. */
  whole.room = options->contacts + 12 + (lid ? 8 * pile->n * (pile->d == 3 ? pile->n : 1) : 0);
  pile->spheres = SLIPI_ARENA_NEW(&draft->arena, SlipiSphere, whole.room);
  pile->links = SLIPI_ARENA_NEW(&draft->arena, SlipiPileLink, whole.room);
  int32_t *number = SLIPI_ARENA_NEW(&draft->arena, int32_t, whole.room);
  Place *places = SLIPI_ARENA_NEW(&draft->arena, Place, whole.room);
  if (draft->arena.failed)
    return slipi_fail_memory(error, "a pile of spheres");
  fill(&whole);
  put_in_order(&whole, places, number);
  int32_t pressed = lid ? whole.count - pile->layer : 0;
  status = slipi_bodies_start(draft, options, whole.count, pile->link_count + pressed, error);
  if (status == SLIP_OK)
    draft_all(&whole, places, number);
  return status;
}

SlipStatus slipi_gen_pile(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  return draft_pile(options, false, draft, error);
}

SlipStatus slipi_gen_press(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  return draft_pile(options, true, draft, error);
}
