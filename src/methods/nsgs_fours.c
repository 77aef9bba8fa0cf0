#include "methods/nsgs_fours.h"

#include <string.h>

#include "base/wide.h"
#include "methods/nsgs_sphere.h"

enum { OPEN_MOST = 12 }; /* fours that wait for their last contacts */

/* Rows count as those of spheres that differ from them by this share, far less than what single
 * precision takes from them. */
static const double AS_SPHERES = 1e-9;

typedef struct Open {
  int32_t contact[4];
  SlipiSphereRows rows[4]; /* of spheres */
  int count;
} Open;

/* The open fours of one kind. */
typedef struct Choice {
  Open open[OPEN_MOST];
  int opened;
} Choice;

typedef struct Chooser {
  SlipiFours *fours;
  const SlipiOneContact *one;
  int32_t spare; /* the place that contacts without bodies share */
  Choice any, spheres;
  int32_t filled, spheres_filled, alone;
} Chooser;

/* ---- Filling ---- */

/* `last` is the body that comes second. */
static void fill_head(SlipiFourHead *head, int l, int32_t contact, const SlipiPairs *pairs,
                      int last, const SlipiOneContact *one) {
  head->contact[l] = contact;
  head->first[0][l] = pairs->first[2 * (int64_t)contact + 1 - last];
  head->first[1][l] = pairs->first[2 * (int64_t)contact + last];
  head->mu[l] = one->law.mu;
  head->scale[l] = (float)one->scale;
}

static void fill_any(SlipiFour *four, int l, const double *a, const SlipiOneContact *one) {
  const SlipiSlide *slide = &one->slide;
  for (int k = 0; k < 36; k++)
    four->a[k][l] = (float)a[k];
  four->k[l] = (float)slide->k;
  four->a1[l] = (float)slide->a1;
  four->a2[l] = (float)slide->a2;
  four->b1[l] = (float)slide->b1;
  four->b2[l] = (float)slide->b2;
  four->c[l] = slide->c;
  four->s[l] = slide->s;
  four->inverse[0][l] = (float)(1 / slide->s1);
  four->inverse[1][l] = (float)(1 / slide->s2);
  four->lambda[l] = 0;
}

static void fill_sphere(SlipiSphereFour *four, int l, const SlipiSphereRows *rows,
                        const double W[9]) {
  for (int k = 0; k < 9; k++)
    four->frame[k][l] = (float)rows->frame[k];
  for (int side = 0; side < 2; side++) {
    int from = side == 1 ? rows->side : 1 - rows->side;
    four->move[side][l] = (float)rows->move[from];
    four->arm[side][l] = (float)rows->arm[from];
  }
  four->k[0][l] = (float)(1 / W[0]);
  four->k[1][l] = (float)(2 / (W[4] + W[8]));
}

static void keep_any(Chooser *c, const Open *open) {
  const SlipiPairs *pairs = c->fours->pairs;
  SlipiFour *four = &c->fours->four[c->filled++];
  for (int l = 0; l < 4; l++) {
    int32_t a = open->contact[l];
    fill_head(&four->head, l, a, pairs, 1, &c->one[a]);
    fill_any(four, l, pairs->a + 36 * (int64_t)a, &c->one[a]);
  }
}

static void keep_spheres(Chooser *c, const Open *open) {
  SlipiSphereFour *four = &c->fours->sphere[c->spheres_filled++];
  for (int l = 0; l < 4; l++) {
    int32_t a = open->contact[l];
    fill_head(&four->head, l, a, c->fours->pairs, open->rows[l].side, &c->one[a]);
    fill_sphere(four, l, &open->rows[l], c->one[a].W);
  }
}

/* ---- Choosing ---- */

static bool share_body(const Chooser *c, int32_t a, int32_t b) {
  const int32_t *x = c->fours->pairs->first + 2 * (int64_t)a;
  const int32_t *y = c->fours->pairs->first + 2 * (int64_t)b;
  for (int k = 0; k < 4; k++) {
    if (x[k / 2] == y[k % 2] && x[k / 2] != c->spare)
      return true;
  }
  return false;
}

static bool fits(const Chooser *c, const Open *open, int32_t contact) {
  for (int i = 0; i < open->count; i++) {
    if (share_body(c, open->contact[i], contact))
      return false;
  }
  return true;
}

/* Whether a contact is one of two spheres, or of one with what is at rest, and its rows. The latter
 * has a block of zeros with the place of its only body: it comes first in a four, so that what is
 * written for it is written over. */
static bool is_of_spheres(const Chooser *c, int32_t contact, SlipiSphereRows *rows) {
  const SlipiPairs *pairs = c->fours->pairs;
  const int32_t *first = pairs->first + 2 * (int64_t)contact;
  const double *W = c->one[contact].W;
  double most = AS_SPHERES * W[0], beside = 0;
  for (int k = 0; k < 9; k++)
    beside += k % 4 == 0 ? 0 : fabs(W[k]);
  if (!(beside <= most && fabs(W[4] - W[8]) <= most) ||
      !slipi_sphere_rows(pairs->a + 36 * (int64_t)contact, AS_SPHERES, rows))
    return false;
  int other = 1 - rows->side;
  return first[0] != first[1] || (rows->move[other] == 0 && rows->arm[other] == 0);
}

/* Put a contact into the first four that it fits; the four's number, -1 where there is none. */
static int place(const Chooser *c, Choice *choice, int32_t contact, const SlipiSphereRows *rows) {
  int k = 0;
  while (k < choice->opened && !fits(c, &choice->open[k], contact))
    k++;
  if (k == OPEN_MOST)
    return -1;
  Open *open = &choice->open[k];
  if (k == choice->opened) {
    choice->opened++;
    open->count = 0;
  }
  open->contact[open->count] = contact;
  if (rows)
    open->rows[open->count] = *rows;
  open->count++;
  return k;
}

/* The oldest stay first. */
static void close_four(Choice *choice, int k) {
  choice->opened--;
  memmove(choice->open + k, choice->open + k + 1,
          (size_t)(choice->opened - k) * sizeof *choice->open);
}

static void choose_contact(Chooser *c, int32_t contact) {
  SlipiSphereRows rows;
  bool suits = slipi_fours_suit(&c->one[contact]);
  bool sphere = suits && is_of_spheres(c, contact, &rows);
  Choice *choice = sphere ? &c->spheres : &c->any;
  int k = suits ? place(c, choice, contact, sphere ? &rows : NULL) : -1;
  if (k < 0) {
    c->fours->alone[c->alone++] = contact;
  } else if (choice->open[k].count == 4) {
    if (sphere)
      keep_spheres(c, &choice->open[k]);
    else
      keep_any(c, &choice->open[k]);
    close_four(choice, k);
  }
}

/* What waits for more contacts at the end of a chunk goes alone. */
static void leave_open(Chooser *c, Choice *choice) {
  for (int k = 0; k < choice->opened; k++) {
    for (int i = 0; i < choice->open[k].count; i++)
      c->fours->alone[c->alone++] = choice->open[k].contact[i];
  }
  choice->opened = 0;
}

static void note_starts(const Chooser *c, int32_t chunk) {
  c->fours->start[chunk] = c->filled;
  c->fours->sphere_start[chunk] = c->spheres_filled;
  c->fours->single[chunk] = c->alone;
}

/* ---- All ---- */

SlipStatus slipi_fours_create(const SlipiPairs *pairs, const SlipiChunks *chunks, SlipiArena *arena,
                              SlipiFours *fours, SlipError *error) {
  *fours = (SlipiFours){.pairs = pairs, .wide = slipi_has_wide_registers()};
  fours->four = SLIPI_ARENA_RAW(arena, SlipiFour, chunks->nc / 4 + 1);
  fours->sphere = SLIPI_ARENA_RAW(arena, SlipiSphereFour, chunks->nc / 4 + 1);
  fours->alone = SLIPI_ARENA_RAW(arena, int32_t, chunks->nc);
  fours->start = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)chunks->count + 1);
  fours->sphere_start = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)chunks->count + 1);
  fours->single = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)chunks->count + 1);
  return arena->failed ? slipi_fail_memory(error, "the fours of a sweep") : SLIP_OK;
}

void slipi_fours_prepare(SlipiFours *fours, int32_t places, const SlipiChunks *chunks,
                         const SlipiOneContact *one) {
  Chooser c = {.fours = fours, .one = one, .spare = places};
  for (int32_t chunk = 0; chunk < chunks->count; chunk++) {
    note_starts(&c, chunk);
    for (int32_t a = slipi_chunk_first(chunks, chunk); a < slipi_chunk_end(chunks, chunk); a++)
      choose_contact(&c, a);
    leave_open(&c, &c.any);
    leave_open(&c, &c.spheres);
  }
  note_starts(&c, chunks->count);
}

void slipi_fours_forget(SlipiFours *fours, const SlipiChunks *chunks) {
  for (int32_t k = 0; k < fours->start[chunks->count]; k++)
    memset(fours->four[k].lambda, 0, sizeof fours->four[k].lambda);
}
