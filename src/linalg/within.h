/* Part of the Cholesky factors of a sparse matrix: the supernodes that some rows reach. Solves with
 * right-hand sides in those rows, of which only those rows matter, pass through no others; B'A^-1 B
 * for columns B in those rows is made of half of each solve.
 */
#ifndef SLIPI_LINALG_WITHIN_H
#define SLIPI_LINALG_WITHIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/team.h"
#include "linalg/sparse.h"

/* A supernode of L: dense columns with the same rows below them. */
typedef struct SlipiReached {
  int32_t columns, below;
  int32_t place;      /* of its first column */
  const double *x;    /* columns + below rows, column-major */
  const int32_t *row; /* places of the rows below */
} SlipiReached;

/* The part has an order of its own: its rows have places. It lives in the arena it was made in, and
 * as long as the factors (slipi_factor_within makes it). */
typedef struct SlipiWithin {
  SlipiReached *node; /* in the order of elimination */
  int32_t nodes, places;
  int32_t *place; /* of each row of the matrix; -1: none */
  int64_t below;  /* most rows below a supernode */
  double flops;   /* of a solve for one column */
} SlipiWithin;

static inline int32_t slipi_within_places(const SlipiWithin *within) {
  return within->places;
}

static inline int32_t slipi_within_place(const SlipiWithin *within, int32_t row) {
  return within->place[row];
}

/* Operations of a solve for one column. */
static inline double slipi_within_flops(const SlipiWithin *within) {
  return within->flops;
}

enum { SLIPI_WITHIN_COLUMNS = 192 }; /* at most, of one solve; a multiple of 2 and 3 */

/* Values of room for a solve: the columns of X, and what is needed beside. */
int64_t slipi_within_room(const SlipiWithin *within);

/* X = A^-1 B in place, by columns of slipi_within_places values at the beginning of a room. B is 0
 * before the place `first`, and X is not wanted there. False where it was stopped. */
bool slipi_within_solve(const SlipiWithin *within, int32_t first, int32_t count,
                        const SlipiStop *stop, double *X);

/* Work in `count` chunks that the threads of a team take: visit does one of them in the room it is
 * given, of so many values, and says whether it was not stopped. Rooms come from the arena, one a
 * thread. */
typedef bool (*SlipiWithinVisit)(void *user, int32_t chunk, double *room);
SlipStatus slipi_within_each(int64_t room, SlipiTeam *team, int32_t count, SlipiWithinVisit visit,
                             void *user, SlipiArena *arena, SlipError *error);

enum { SLIPI_PRODUCT_COLUMNS = 384 }; /* of a chunk of a product; a multiple of 2 and 3 */

/* B'A^-1 B for sparse columns B, whose transpose is given. Columns whose first places follow each
 * other should be neighbours: chunks of SLIPI_PRODUCT_COLUMNS are worked on together. */
typedef struct SlipiWithinProduct {
  const SlipiWithin *within;
  const SlipiCsr *Bt; /* its columns are rows of the matrix, all of them with a place */
  bool own_only;      /* only products of columns of the same chunk */
  /* The products of the columns from `first` on with columns first to first + count - 1:
   * `rows` values each, one column after the other, of which those on and below the diagonal are
   * made. Called by the threads of the team, chunk by chunk. */
  void (*keep)(void *user, int32_t first, int32_t count, int32_t rows, const double *values);
  void *user;
} SlipiWithinProduct;

/* The same bits for any number of threads. */
SlipStatus slipi_within_product(const SlipiWithinProduct *product, SlipiTeam *team,
                                const SlipiStop *stop, SlipiArena *arena, SlipError *error);
/* Operations that it takes; INFINITY for want of memory. */
double slipi_within_product_flops(const SlipiWithinProduct *product, SlipiArena *arena);

#endif
