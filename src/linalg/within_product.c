/* G = B'A^-1 B = Y'Y with Y = L^-1 B, A = L L'. A column of Y has entries in the supernodes above
 * those of its column of B only. Each supernode has a dense matrix Y_k of its columns' rows for
 * those columns of B that reach it: what a factorisation with B's columns behind A's would make.
 */
#include <math.h>
#include <string.h>

#include <cblas.h>

#include "base/huge.h"
#include "linalg/within.h"

typedef struct Product {
  const SlipiWithinProduct *asked;
  const SlipiWithin *within;
  int32_t count;   /* columns of B */
  int32_t *of;     /* of each place: its supernode */
  int32_t *parent; /* of each supernode: that of its first row below; -1: none */
  int64_t *start; /* of each supernode: its columns of B are list[start[k]]..list[start[k + 1]-1] */
  int32_t *list;  /* ascending */
  int64_t *at;    /* where Y_k begins in Y */
  double *Y;
  SlipiStop stop;
} Product;

static double columns_of(const Product *p, int32_t k) {
  return (double)(p->start[k + 1] - p->start[k]);
}

/* For each column of B in turn, the supernodes it reaches: counted, or put into their lists. */
static void walk(Product *p, int32_t *mark, bool fill) {
  const SlipiCsr *Bt = p->asked->Bt;
  for (int32_t k = 0; k < p->within->nodes; k++)
    mark[k] = -1;
  for (int32_t c = 0; c < p->count; c++)
    for (int32_t e = Bt->p[c]; e < Bt->p[c + 1]; e++)
      for (int32_t k = p->of[p->within->place[Bt->i[e]]]; k >= 0 && mark[k] != c;
           k = p->parent[k]) {
        mark[k] = c;
        if (fill)
          p->list[p->start[k + 1]++] = c;
        else
          p->start[k + 1]++;
      }
}

/* Which columns of B each supernode has; false for want of memory. */
static bool find_columns(Product *p, SlipiArena *arena) {
  const SlipiWithin *within = p->within;
  int32_t nodes = within->nodes;
  int32_t *mark = SLIPI_ARENA_RAW(arena, int32_t, nodes);
  p->of = SLIPI_ARENA_RAW(arena, int32_t, within->places);
  p->parent = SLIPI_ARENA_RAW(arena, int32_t, nodes);
  p->start = SLIPI_ARENA_NEW(arena, int64_t, (int64_t)nodes + 2);
  p->at = SLIPI_ARENA_RAW(arena, int64_t, (int64_t)nodes + 1);
  if (arena->failed)
    return false;
  for (int32_t k = 0; k < nodes; k++)
    for (int32_t i = 0; i < within->node[k].columns; i++)
      p->of[within->node[k].place + i] = k;
  for (int32_t k = 0; k < nodes; k++)
    p->parent[k] = within->node[k].below > 0 ? p->of[within->node[k].row[0]] : -1;
  walk(p, mark, false);
  for (int32_t k = 0; k < nodes; k++)
    p->start[k + 1] += p->start[k];
  p->list = SLIPI_ARENA_RAW(arena, int32_t, p->start[nodes]);
  p->at[0] = 0;
  for (int32_t k = 0; k < nodes; k++)
    p->at[k + 1] = p->at[k] + (p->start[k + 1] - p->start[k]) * within->node[k].columns;
  if (arena->failed)
    return false;
  /* Filled from one place further on, so that the starts are right in the end. */
  memmove(p->start + 1, p->start, ((size_t)nodes + 1) * sizeof *p->start);
  walk(p, mark, true);
  return true;
}

/* The first of a supernode's columns that is not before column c, as a position in the list. */
static int64_t position(const Product *p, int32_t k, int32_t c) {
  int64_t low = p->start[k], high = p->start[k + 1];
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (p->list[middle] < c)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static double *values_at(const Product *p, int32_t k, int64_t position) {
  return p->Y + p->at[k] + (position - p->start[k]) * p->within->node[k].columns;
}

static void load(const Product *p, int32_t first, int32_t end) {
  const SlipiCsr *Bt = p->asked->Bt;
  for (int32_t c = first; c < end; c++)
    for (int32_t e = Bt->p[c]; e < Bt->p[c + 1]; e++) {
      int32_t place = p->within->place[Bt->i[e]], k = p->of[place];
      values_at(p, k, position(p, k, c))[place - p->within->node[k].place] += Bt->x[e];
    }
}

/* Take the rows below supernode k, `count` columns of the list from `from` on, off the supernodes
 * they belong to: these have all of the columns, and perhaps others between. */
static void hand_up(const Product *p, int32_t k, int64_t from, int32_t count, const double *below) {
  const SlipiReached *node = &p->within->node[k];
  for (int32_t i = 0, end; i < node->below; i = end) {
    int32_t to = p->of[node->row[i]];
    const SlipiReached *above = &p->within->node[to];
    for (end = i + 1; end < node->below && node->row[end] < above->place + above->columns;)
      end++;
    int64_t at = position(p, to, p->list[from]);
    for (int32_t c = 0; c < count; c++, at++) {
      while (p->list[at] != p->list[from + c])
        at++;
      double *y = values_at(p, to, at) - above->place;
      const double *x = below + (int64_t)c * node->below;
      for (int32_t row = i; row < end; row++)
        y[node->row[row]] -= x[row];
    }
  }
}

/* Y for a chunk of columns. */
static bool forward(void *user, int32_t chunk, double *room) {
  const Product *p = user;
  int32_t first = chunk * SLIPI_PRODUCT_COLUMNS, left = p->count - first;
  int32_t end = left < SLIPI_PRODUCT_COLUMNS ? p->count : first + SLIPI_PRODUCT_COLUMNS;
  double unasked = 0;
  load(p, first, end);
  for (int32_t k = 0; k < p->within->nodes; k++) {
    const SlipiReached *node = &p->within->node[k];
    int64_t from = position(p, k, first);
    int32_t count = (int32_t)(position(p, k, end) - from), rows = node->columns + node->below;
    double *y = values_at(p, k, from);
    if (count == 0)
      continue;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, node->columns,
                count, 1, node->x, rows, y, node->columns);
    if (node->below > 0) {
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, node->below, count, node->columns, 1,
                  node->x + node->columns, rows, y, node->columns, 0, room, node->below);
      hand_up(p, k, from, count, room);
    }
    if (slipi_stops_after(&p->stop, &unasked, 2.0 * node->columns * rows * count, SLIPI_ASK_FLOPS))
      return false;
  }
  return true;
}

/* Add Y_k'Y_k for `rows` columns of the list from `from` on and the first `count` of them, to the
 * values G of a chunk that begins with column `first`: those on and below its diagonal. */
static void add_product(const Product *p, int32_t k, int64_t from, int32_t rows, int32_t count,
                        int32_t first, int32_t height, double *G, double *room) {
  int32_t inner = p->within->node[k].columns;
  const double *y = values_at(p, k, from);
  const int32_t *list = p->list + from;
  bool gapless = list[rows - 1] - list[0] == rows - 1;
  double *to = gapless ? G + (list[0] - first) * ((int64_t)height + 1) : room;
  int32_t stride = gapless ? height : rows;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, count, inner, 1, y, inner, gapless, to,
              stride);
  if (rows > count)
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows - count, count, inner, 1,
                y + (int64_t)count * inner, inner, y, inner, gapless, to + count, stride);
  for (int32_t c = 0; c < count && !gapless; c++) {
    double *column = G + (int64_t)(list[c] - first) * height - first;
    for (int32_t i = c; i < rows; i++)
      column[list[i]] += room[(int64_t)c * rows + i];
  }
}

/* The products of a chunk of columns with those from it on. */
static bool multiply(void *user, int32_t chunk, double *room) {
  const Product *p = user;
  int32_t first = chunk * SLIPI_PRODUCT_COLUMNS, left = p->count - first;
  int32_t width = left < SLIPI_PRODUCT_COLUMNS ? left : SLIPI_PRODUCT_COLUMNS;
  int32_t height = p->asked->own_only ? width : left;
  double unasked = 0;
  memset(room, 0, (size_t)height * (size_t)width * sizeof *room);
  for (int32_t k = 0; k < p->within->nodes; k++) {
    int64_t from = position(p, k, first);
    int32_t count = (int32_t)(position(p, k, first + width) - from);
    int32_t rows = p->asked->own_only ? count : (int32_t)(p->start[k + 1] - from);
    if (count == 0)
      continue;
    add_product(p, k, from, rows, count, first, height, room, room + (int64_t)height * width);
    if (slipi_stops_after(&p->stop, &unasked, 2.0 * p->within->node[k].columns * rows * count,
                          SLIPI_ASK_FLOPS))
      return false;
  }
  p->asked->keep(p->asked->user, first, width, height, room);
  return true;
}

SlipStatus slipi_within_product(const SlipiWithinProduct *product, SlipiTeam *team,
                                const SlipiStop *stop, SlipiArena *arena, SlipError *error) {
  SlipiTeamStop shared;
  Product p = {.asked = product, .within = product->within, .count = product->Bt->rows};
  int64_t width = SLIPI_PRODUCT_COLUMNS, height = product->own_only ? width : p.count;
  int32_t chunks = (int32_t)((p.count + width - 1) / width);
  if (p.count == 0)
    return SLIP_OK;
  if (find_columns(&p, arena))
    p.Y = SLIPI_ARENA_RAW(arena, double, p.at[p.within->nodes]);
  if (arena->failed)
    return slipi_fail_memory(error, "products through the factors of a matrix");
  slipi_wish_huge(p.Y, (size_t)p.at[p.within->nodes] * sizeof *p.Y);
  memset(p.Y, 0, (size_t)p.at[p.within->nodes] * sizeof *p.Y);
  p.stop = slipi_team_stop(&shared, stop ? *stop : (SlipiStop){0});
  SlipStatus status =
      slipi_within_each(p.within->below * width, team, chunks, forward, &p, arena, error);
  if (status == SLIP_OK)
    status = slipi_within_each(2 * height * width, team, chunks, multiply, &p, arena, error);
  return status;
}

double slipi_within_product_flops(const SlipiWithinProduct *product, SlipiArena *arena) {
  Product p = {.asked = product, .within = product->within, .count = product->Bt->rows};
  double flops = 0;
  if (!find_columns(&p, arena))
    return INFINITY;
  for (int32_t k = 0; k < p.within->nodes; k++) {
    const SlipiReached *node = &p.within->node[k];
    flops +=
        node->columns * columns_of(&p, k) * (node->columns + 2.0 * node->below + columns_of(&p, k));
  }
  return flops;
}
