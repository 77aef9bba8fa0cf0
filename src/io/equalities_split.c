/* From bilateral contacts to FCLIB's equality constraints, for the writer of files. */
#include <stdlib.h>
#include <string.h>

#include "io/equalities.h"

static const char what[] = "the equality constraints";

/* ---- Which contacts FCLIB can hold as equalities ------------------------------------------ */

/* A problem's end, looked at contact by contact. */
typedef struct Search {
  int32_t dimension, contacts;
  const SlipLaws *laws;
  const double *compliance; /* NULL: none */
  const bool *moved;        /* of each component: whether it has something in W and q, or H and w */
} Search;

static int32_t bound_of(const Search *search, int32_t contact) {
  return search->laws->bound ? search->laws->bound[contact] : (1 << search->dimension) - 1;
}

static bool gives_way(const Search *search, int32_t contact) {
  int32_t block = search->dimension * search->dimension;
  for (int32_t k = 0; search->compliance && k < block; k++)
    if (search->compliance[(int64_t)contact * block + k] != 0)
      return true;
  return false;
}

/* FCLIB has no place for the velocity of a component that is not bound, nor for a compliance. */
static bool holdable(const Search *search, int32_t contact) {
  if (search->laws->kind[contact] != SLIP_BILATERAL || gives_way(search, contact))
    return false;
  for (int32_t k = 0; k < search->dimension; k++)
    if (!(bound_of(search, contact) >> k & 1) && search->moved[contact * search->dimension + k])
      return false;
  return true;
}

static SlipStatus find(const Search *search, SlipiArena *arena, SlipiEqualities *equalities,
                       SlipError *error) {
  int32_t first = search->contacts, count = 0;
  while (first > 0 && holdable(search, first - 1))
    first--;
  int32_t groups = search->contacts - first;
  int32_t *bound = SLIPI_ARENA_NEW(arena, int32_t, groups);
  if (!bound)
    return slipi_fail_memory(error, what);
  for (int32_t a = 0; a < groups; a++) {
    bound[a] = bound_of(search, first + a);
    for (int32_t k = 0; k < search->dimension; k++)
      count += bound[a] >> k & 1;
  }
  if (count == 0)
    return slipi_equalities_lay(arena, search->dimension, search->contacts, 0, NULL, 0, equalities,
                                error);
  return slipi_equalities_lay(arena, search->dimension, first, count, bound, groups, equalities,
                              error);
}

static void mark_entries(const SlipMatrix *A, bool rows, bool *moved) {
  for (int32_t row = 0; row < A->rows; row++)
    for (int32_t k = A->p[row]; k < A->p[row + 1]; k++) {
      if (A->x[k] == 0)
        continue;
      moved[A->i[k]] = true;
      if (rows)
        moved[row] = true;
    }
}

static bool *mark(SlipiArena *arena, const SlipMatrix *A, bool rows, const double *vector) {
  bool *moved = SLIPI_ARENA_NEW(arena, bool, A->cols);
  if (moved)
    mark_entries(A, rows, moved);
  for (int32_t k = 0; moved && k < A->cols; k++)
    moved[k] = moved[k] || vector[k] != 0;
  return moved;
}

/* 0 where there is no entry. */
static double entry(const SlipMatrix *A, int32_t row, int32_t col) {
  const int32_t *found = bsearch(&col, A->i + A->p[row], (size_t)(A->p[row + 1] - A->p[row]),
                                 sizeof col, slipi_compare_index);
  return found ? A->x[found - A->i] : 0;
}

/* Whether W couples the equalities with the contacts before them by one V, to the bit. */
static bool coupled_both_ways(const SlipMatrix *W, int32_t head) {
  for (int32_t row = 0; row < W->rows; row++)
    for (int32_t k = W->p[row]; k < W->p[row + 1]; k++)
      if ((row < head) != (W->i[k] < head) && entry(W, W->i[k], row) != W->x[k])
        return false;
  return true;
}

SlipStatus slipi_equalities_of_local(const SlipLocalData *data, SlipiArena *arena,
                                     SlipiEqualities *equalities, SlipError *error) {
  Search search = {.dimension = data->dimension,
                   .contacts = data->contacts,
                   .laws = data->laws,
                   .compliance = data->compliance,
                   .moved = mark(arena, &data->W, true, data->q)};
  if (!search.moved)
    return slipi_fail_memory(error, what);
  SlipStatus status = find(&search, arena, equalities, error);
  if (status != SLIP_OK || equalities->count == 0 ||
      coupled_both_ways(&data->W, data->dimension * equalities->first))
    return status;
  return slipi_equalities_lay(arena, data->dimension, data->contacts, 0, NULL, 0, equalities,
                              error);
}

SlipStatus slipi_equalities_of_global(const SlipGlobalData *data, SlipiArena *arena,
                                      SlipiEqualities *equalities, SlipError *error) {
  Search search = {.dimension = data->dimension,
                   .contacts = data->contacts,
                   .laws = data->laws,
                   .compliance = data->compliance,
                   .moved = mark(arena, &data->H, false, data->w)};
  return search.moved ? find(&search, arena, equalities, error) : slipi_fail_memory(error, what);
}

/* ---- Parts of vectors and matrices --------------------------------------------------------- */

static int32_t side_size(const SlipiEqualities *equalities, SlipiSide side, int32_t all) {
  return side == SLIPI_SIDE_ALL        ? all
         : side == SLIPI_SIDE_CONTACTS ? equalities->dimension * equalities->first
                                       : equalities->count;
}

/* For each column of the whole its place in the part, or -1. */
static int32_t *column_places(const SlipiEqualities *equalities, SlipiArena *arena, SlipiSide side,
                              int32_t cols) {
  int32_t size = side_size(equalities, side, cols);
  int32_t *to = SLIPI_ARENA_RAW(arena, int32_t, cols);
  if (to && cols > 0)
    memset(to, -1, (size_t)cols * sizeof *to);
  for (int32_t k = 0; to && k < size; k++)
    to[side == SLIPI_SIDE_EQUALITIES ? equalities->place[k] : k] = k;
  return to;
}

SlipStatus slipi_equalities_part(const SlipiEqualities *equalities, SlipiArena *arena,
                                 const SlipMatrix *whole, SlipiSide rows, SlipiSide cols,
                                 SlipMatrix *part, SlipError *error) {
  SlipiCsr made = {.rows = side_size(equalities, rows, whole->rows),
                   .cols = side_size(equalities, cols, whole->cols)};
  const int32_t *to = column_places(equalities, arena, cols, whole->cols);
  made.p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)made.rows + 1);
  made.i = SLIPI_ARENA_RAW(arena, int32_t, whole->nnz);
  made.x = SLIPI_ARENA_RAW(arena, double, whole->nnz);
  if (arena->failed)
    return slipi_fail_memory(error, what);
  for (int32_t row = 0, count = 0; row < made.rows; row++) {
    int32_t from = rows == SLIPI_SIDE_EQUALITIES ? equalities->place[row] : row;
    for (int32_t k = whole->p[from]; k < whole->p[from + 1]; k++)
      if (to[whole->i[k]] >= 0) {
        made.i[count] = to[whole->i[k]];
        made.x[count++] = whole->x[k];
      }
    made.p[row + 1] = count;
  }
  *part = slipi_csr_view(&made);
  return SLIP_OK;
}

SlipStatus slipi_equalities_tail(const SlipiEqualities *equalities, SlipiArena *arena,
                                 const double *whole, double **tail, SlipError *error) {
  *tail = SLIPI_ARENA_NEW(arena, double, equalities->count);
  if (!*tail)
    return slipi_fail_memory(error, what);
  for (int32_t e = 0; e < equalities->count; e++)
    (*tail)[e] = whole[equalities->place[e]];
  return SLIP_OK;
}
