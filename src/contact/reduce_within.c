/* W of large components through the part of the factors of a symmetric M that contacts reach, by
 * the threads of the mass: the pairs of contacts that a chunk of columns gives are its own. */
#include "contact/reduce_within.h"

#include <stdlib.h>
#include <string.h>

/* A symmetric M: contacts in the order in which their first place is eliminated. The solve for a
 * contact needs nothing before that place, and gives its blocks with all contacts that come later;
 * the others are known by symmetry. */
typedef struct Ordered {
  int32_t contact, first;
} Ordered;

static int compare_ordered(const void *x, const void *y) {
  const Ordered *a = x, *b = y;
  if (a->first != b->first)
    return a->first < b->first ? -1 : 1;
  return a->contact < b->contact ? -1 : a->contact > b->contact;
}

typedef struct Reduction {
  const SlipiCsr *Ht;
  const SlipiWithin *within;
  Ordered *order;
  int32_t count; /* of contacts that have a place: these come first in the order */
  int32_t *turn; /* of each contact in the order */
  SlipiBsr *W;
  SlipiStop stop;
} Reduction;

static double *block_at(SlipiBsr *W, int32_t a, int32_t b) {
  int32_t low = W->p[a], high = W->p[a + 1];
  if (high - low == W->n)
    return W->x + (int64_t)(low + b) * W->d * W->d;
  const int32_t *found =
      bsearch(&b, W->j + low, (size_t)(high - low), sizeof b, slipi_compare_index);
  return W->x + (found - W->j) * W->d * W->d;
}

/* Add W_ab = H_a' x for the d columns x of contact b, and W_ba, its transpose. A contact's own
 * block is made symmetric to the bit. */
static void add_pair(const Reduction *reduction, int32_t a, int32_t b, const double *x) {
  const SlipiCsr *Ht = reduction->Ht;
  SlipiBsr *W = reduction->W;
  int32_t d = W->d;
  int64_t places = slipi_within_places(reduction->within);
  double *block = block_at(W, a, b), *mirror = block_at(W, b, a);
  double ab[9] = {0}, ba[9] = {0};
  double *own = a == b ? ab : ba;
  for (int32_t s = 0; s < d; s++) {
    double sum[3] = {0};
    for (int32_t k = Ht->p[a * d + s]; k < Ht->p[a * d + s + 1]; k++) {
      int32_t place = slipi_within_place(reduction->within, Ht->i[k]);
      for (int32_t t = 0; t < d; t++)
        sum[t] += Ht->x[k] * x[t * places + place];
    }
    for (int32_t t = 0; t < d; t++)
      ab[s * d + t] = own[t * d + s] = sum[t];
  }
  for (int32_t k = 0; k < d * d; k++) {
    block[k] += ab[k];
    if (a != b)
      mirror[k] += ba[k];
  }
}

/* Row b of W has the contacts coupled with contact b. */
static void add_contact(const Reduction *reduction, int32_t b, const double *x) {
  const SlipiBsr *W = reduction->W;
  for (int32_t k = W->p[b]; k < W->p[b + 1]; k++) {
    int32_t a = W->j[k];
    if (reduction->turn[a] >= reduction->turn[b] && reduction->turn[a] < reduction->count)
      add_pair(reduction, a, b, x);
  }
}

static void load_contact(const Reduction *reduction, int32_t d, int32_t b, double *x) {
  const SlipiCsr *Ht = reduction->Ht;
  int64_t places = slipi_within_places(reduction->within);
  memset(x, 0, (size_t)(places * d) * sizeof *x);
  for (int32_t t = 0; t < d; t++)
    for (int32_t k = Ht->p[b * d + t]; k < Ht->p[b * d + t + 1]; k++)
      x[t * places + slipi_within_place(reduction->within, Ht->i[k])] += Ht->x[k];
}

static void order_contacts(Reduction *reduction, int32_t d) {
  const SlipiCsr *Ht = reduction->Ht;
  int32_t nc = Ht->rows / d;
  for (int32_t a = 0; a < nc; a++) {
    reduction->count += Ht->p[a * d] < Ht->p[(a + 1) * d];
    reduction->order[a] = (Ordered){a, slipi_within_places(reduction->within)};
    for (int32_t k = Ht->p[a * d]; k < Ht->p[(a + 1) * d]; k++) {
      int32_t place = slipi_within_place(reduction->within, Ht->i[k]);
      if (place < reduction->order[a].first)
        reduction->order[a].first = place;
    }
  }
  qsort(reduction->order, (size_t)nc, sizeof *reduction->order, compare_ordered);
  for (int32_t turn = 0; turn < nc; turn++)
    reduction->turn[reduction->order[turn].contact] = turn;
}

/* The solves for some contacts, in their order, and their blocks. */
static bool reduce_chunk(void *user, int32_t chunk, double *x) {
  const Reduction *reduction = user;
  const SlipiBsr *W = reduction->W;
  int32_t d = W->d, most = SLIPI_WITHIN_COLUMNS / d, first = chunk * most;
  int32_t left = reduction->count - first, count = left < most ? left : most;
  int64_t places = slipi_within_places(reduction->within);
  const Ordered *order = reduction->order + first;
  double unasked = 0;
  for (int32_t k = 0; k < count; k++)
    load_contact(reduction, d, order[k].contact, x + k * places * d);
  if (!slipi_within_solve(reduction->within, order->first, count * d, &reduction->stop, x))
    return false;
  for (int32_t k = 0; k < count; k++) {
    int32_t contact = order[k].contact;
    add_contact(reduction, contact, x + k * places * d);
    if (slipi_stops_after(&reduction->stop, &unasked, W->p[contact + 1] - W->p[contact],
                          SLIPI_ASK_VISITS / 10))
      return false;
  }
  return true;
}

SlipStatus slipi_reduce_within(const SlipiMass *mass, const SlipiCsr *Ht, const SlipiWithin *within,
                               SlipiArena *scratch, SlipiBsr *W, SlipError *error) {
  int32_t most = SLIPI_WITHIN_COLUMNS / W->d;
  SlipiTeamStop shared;
  Reduction reduction = {.Ht = Ht, .within = within, .W = W};
  reduction.stop = slipi_team_stop(&shared, mass->stop);
  reduction.order = SLIPI_ARENA_NEW(scratch, Ordered, W->n);
  reduction.turn = SLIPI_ARENA_NEW(scratch, int32_t, W->n);
  if (scratch->failed)
    return slipi_fail_memory(error, "the reduction to the local form");
  order_contacts(&reduction, W->d);
  return slipi_within_each(within, mass->team, (reduction.count + most - 1) / most, reduce_chunk,
                           &reduction, scratch, error);
}
