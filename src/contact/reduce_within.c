/* W of a large component through the part of the factors of a symmetric M that contacts reach, by
 * the threads of the mass: the pairs of contacts that a chunk of columns gives are its own. */
#include "contact/reduce_within.h"

#include <stdlib.h>
#include <string.h>

/* Contacts in the order in which their first place is eliminated: those that follow each other pass
 * through the same part of the factors. */
typedef struct Ordered {
  int32_t contact, first; /* contact: among those of the component */
} Ordered;

static int compare_ordered(const void *x, const void *y) {
  const Ordered *a = x, *b = y;
  if (a->first != b->first)
    return a->first < b->first ? -1 : 1;
  return a->contact < b->contact ? -1 : a->contact > b->contact;
}

typedef struct Reduction {
  const SlipiComponentRows *rows;
  Ordered *order;
  SlipiBsr *W;
  bool own_only;
} Reduction;

static double *block_at(SlipiBsr *W, int32_t a, int32_t b) {
  int32_t low = W->p[a], high = W->p[a + 1];
  if (high - low == W->n)
    return W->x + (int64_t)(low + b) * W->d * W->d;
  const int32_t *found =
      bsearch(&b, W->j + low, (size_t)(high - low), sizeof b, slipi_compare_index);
  return W->x + (found - W->j) * W->d * W->d;
}

/* Add W_ab for the d columns of values of contact b, and W_ba, its transpose. A contact's own block
 * is made symmetric to the bit. */
static void add_pair(SlipiBsr *W, int32_t a, int32_t b, const double *values, int64_t height) {
  int32_t d = W->d;
  double *block = block_at(W, a, b), *mirror = block_at(W, b, a);
  for (int32_t s = 0; s < d; s++)
    for (int32_t t = 0; t < d; t++) {
      if (a == b && s < t)
        continue;
      block[s * d + t] += values[t * height + s];
      if (a != b || s != t)
        mirror[t * d + s] += values[t * height + s];
    }
}

static void keep(void *user, int32_t first, int32_t count, int32_t height, const double *values) {
  const Reduction *reduction = user;
  int32_t d = reduction->W->d;
  for (int32_t column = 0; column < count; column += d) {
    int32_t b = reduction->rows->contact[reduction->order[(first + column) / d].contact];
    int32_t end = reduction->own_only ? column + d : height;
    for (int32_t row = column; row < end; row += d) {
      int32_t a = reduction->rows->contact[reduction->order[(first + row) / d].contact];
      add_pair(reduction->W, a, b, values + (int64_t)column * height + row, height);
    }
  }
}

static void order_contacts(const SlipiComponentRows *rows, const SlipiWithin *within, int32_t d,
                           Ordered *order) {
  const SlipiCsr *Ht = &rows->Ht;
  for (int32_t a = 0; a < rows->count; a++) {
    order[a] = (Ordered){a, slipi_within_places(within)};
    for (int32_t k = Ht->p[a * d]; k < Ht->p[(a + 1) * d]; k++) {
      int32_t place = slipi_within_place(within, Ht->i[k]);
      order[a].first = place < order[a].first ? place : order[a].first;
    }
  }
  qsort(order, (size_t)rows->count, sizeof *order, compare_ordered);
}

/* H' with its contacts in that order. */
static void order_rows(const SlipiCsr *Ht, const Ordered *order, int32_t d, SlipiCsr *ordered) {
  int32_t used = 0;
  for (int32_t row = 0; row < Ht->rows; row++) {
    int32_t from = order[row / d].contact * d + row % d, count = Ht->p[from + 1] - Ht->p[from];
    memcpy(ordered->i + used, Ht->i + Ht->p[from], (size_t)count * sizeof *ordered->i);
    memcpy(ordered->x + used, Ht->x + Ht->p[from], (size_t)count * sizeof *ordered->x);
    used += count;
    ordered->p[row + 1] = used;
  }
}

SlipStatus slipi_reduce_within(const SlipiMass *mass, const SlipiComponentRows *rows,
                               const SlipiWithin *within, bool own_only, SlipiArena *scratch,
                               SlipiBsr *W, SlipError *error) {
  const SlipiCsr *Ht = &rows->Ht;
  SlipiCsr ordered = {.rows = Ht->rows, .cols = Ht->cols};
  Reduction reduction = {.rows = rows, .W = W, .own_only = own_only};
  reduction.order = SLIPI_ARENA_RAW(scratch, Ordered, rows->count);
  ordered.p = SLIPI_ARENA_NEW(scratch, int32_t, (int64_t)Ht->rows + 1);
  ordered.i = SLIPI_ARENA_RAW(scratch, int32_t, Ht->p[Ht->rows]);
  ordered.x = SLIPI_ARENA_RAW(scratch, double, Ht->p[Ht->rows]);
  if (scratch->failed)
    return slipi_fail_memory(error, "the reduction to the local form");
  order_contacts(rows, within, W->d, reduction.order);
  order_rows(Ht, reduction.order, W->d, &ordered);
  SlipiWithinProduct product = {
      .within = within, .Bt = &ordered, .own_only = own_only, .keep = keep, .user = &reduction};
  return slipi_within_product(&product, mass->team, &mass->stop, scratch, error);
}
