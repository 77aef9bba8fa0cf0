#include "io/fclib_rolling.h"

#include <string.h>

double *slipi_rolling_spread(SlipiArena *arena, int32_t dimension, int32_t contacts,
                             const double *from) {
  double *to = SLIPI_ARENA_NEW(arena, double, 2 * (int64_t)dimension * contacts);
  int64_t size = (int64_t)slipi_rolling_width(dimension) * contacts;
  for (int64_t k = 0; to && k < size; k++)
    to[slipi_rolling_place(dimension, k)] = from[k];
  return to;
}

double *slipi_rolling_gather(SlipiArena *arena, int32_t dimension, int32_t contacts,
                             const double *from) {
  int64_t size = (int64_t)slipi_rolling_width(dimension) * contacts;
  double *to = SLIPI_ARENA_NEW(arena, double, size);
  for (int64_t k = 0; to && k < size; k++)
    to[k] = from[slipi_rolling_place(dimension, k)];
  return to;
}

/* The ends of `count` columns or rows as those of `wide`, one of each contact being empty. */
static int32_t *spread_ends(SlipiArena *arena, int32_t dimension, const int32_t *ends,
                            int32_t count, int32_t wide) {
  int32_t *p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)wide + 1);
  int32_t width = slipi_rolling_width(dimension);
  if (p)
    p[0] = ends[0];
  for (int32_t k = 0; p && k < count; k++) {
    int64_t place = slipi_rolling_place(dimension, k);
    if (k % width == dimension)
      p[place] = ends[k];
    p[place + 1] = ends[k + 1];
  }
  return p;
}

/* Columns named one by one; one that the file should not name is left for the problem's checks. */
static int32_t *spread_names(SlipiArena *arena, int32_t dimension, const int32_t *names,
                             int64_t count, int32_t cols) {
  int32_t *to = SLIPI_ARENA_NEW(arena, int32_t, count);
  for (int64_t k = 0; to && k < count; k++) {
    bool known = names[k] >= 0 && names[k] < cols;
    to[k] = known ? (int32_t)slipi_rolling_place(dimension, names[k]) : -1;
  }
  return to;
}

SlipStatus slipi_rolling_columns(SlipiArena *arena, int32_t dimension, int32_t contacts,
                                 SlipMatrix *H, SlipError *error) {
  int32_t cols = 2 * dimension * contacts;
  if (H->layout == SLIP_CSC)
    H->p = spread_ends(arena, dimension, H->p, H->cols, cols);
  else if (H->layout == SLIP_CSR)
    H->i = spread_names(arena, dimension, H->i, H->nnz, H->cols);
  else
    H->p = spread_names(arena, dimension, H->p, H->nnz, H->cols);
  H->cols = cols;
  return arena->failed ? slipi_fail_memory(error, "a problem with rolling friction") : SLIP_OK;
}

SlipStatus slipi_rolling_narrow(SlipiArena *arena, int32_t dimension, int32_t contacts,
                                const SlipMatrix *H, SlipMatrix *narrow, SlipError *error) {
  int32_t width = slipi_rolling_width(dimension), *i = SLIPI_ARENA_NEW(arena, int32_t, H->nnz);
  *narrow = *H;
  narrow->cols = width * contacts;
  narrow->i = i;
  if (!i)
    return slipi_fail_memory(error, "a problem with rolling friction");
  for (int64_t k = 0; k < H->nnz; k++) {
    int32_t contact = H->i[k] / (2 * dimension), c = H->i[k] % (2 * dimension);
    i[k] = width * contact + c - (c > dimension);
  }
  return SLIP_OK;
}

SlipStatus slipi_rolling_laws(SlipiArena *arena, int32_t contacts, const double *mu,
                              const double *mu_r, SlipLaws *laws, SlipError *error) {
  int32_t *kind = SLIPI_ARENA_NEW(arena, int32_t, 2 * (int64_t)contacts);
  double *both = SLIPI_ARENA_NEW(arena, double, 2 * (int64_t)contacts);
  if (arena->failed)
    return slipi_fail_memory(error, "a problem with rolling friction");
  for (int64_t a = 0; a < contacts; a++) {
    kind[2 * a] = SLIP_COULOMB;
    kind[2 * a + 1] = SLIP_ROLLING;
    both[2 * a] = mu[a];
    both[2 * a + 1] = mu_r[a];
  }
  laws->kind = kind;
  laws->mu = both;
  return SLIP_OK;
}

/* Components of a contact: in files, and in the problem, where the fourth is about the normal. */
enum { FIVE = 5, SIX = 6, ABOUT_NORMAL = 3 };

SlipStatus slipi_rolling_square(SlipiArena *arena, int32_t contacts, const SlipMatrix *W,
                                SlipMatrix *wide, SlipError *error) {
  *wide = *W;
  wide->rows = wide->cols = SIX * contacts;
  wide->p = spread_ends(arena, 3, W->p, W->rows, wide->rows);
  wide->i = spread_names(arena, 3, W->i, W->nnz, W->cols);
  return arena->failed ? slipi_fail_memory(error, "a problem with rolling friction") : SLIP_OK;
}

SlipStatus slipi_rolling_narrow_square(SlipiArena *arena, int32_t contacts, const SlipMatrix *W,
                                       SlipMatrix *narrow, SlipError *error) {
  int32_t *p = SLIPI_ARENA_NEW(arena, int32_t, FIVE * (int64_t)contacts + 1);
  int32_t *i = SLIPI_ARENA_NEW(arena, int32_t, W->nnz), to = 0, row = 0;
  double *x = SLIPI_ARENA_NEW(arena, double, W->nnz);
  if (arena->failed)
    return slipi_fail_memory(error, "a problem with rolling friction");
  for (int32_t from = 0; from < W->rows; from++) {
    for (int32_t k = W->p[from]; from % SIX != ABOUT_NORMAL && k < W->p[from + 1]; k++) {
      int32_t contact = W->i[k] / SIX, c = W->i[k] % SIX;
      if (c == ABOUT_NORMAL)
        continue;
      i[to] = FIVE * contact + c - (c > ABOUT_NORMAL);
      x[to++] = W->x[k];
    }
    if (from % SIX != ABOUT_NORMAL)
      p[++row] = to;
  }
  *narrow = (SlipMatrix){W->layout, row, row, to, p, i, x};
  return SLIP_OK;
}

/* Pairs of Coulomb's law and moments without spinning; `vector` is w or q. */
static bool are_pairs(int32_t d, int32_t contacts, const SlipLaws *laws, const double *compliance,
                      const double *vector) {
  bool fits = contacts > 0 && contacts % 2 == 0 && !compliance;
  for (int32_t a = 0; fits && a < contacts; a++) {
    fits = laws->kind[a] == (a % 2 == 0 ? SLIP_COULOMB : SLIP_ROLLING);
    if (a % 2 == 0)
      fits = fits && (!laws->flow || laws->flow[a] == SLIP_FLOW_COULOMB);
    else
      fits = fits && (!laws->spinning || laws->spinning[a] == 0) && vector[(int64_t)d * a] == 0;
  }
  return fits;
}

bool slipi_rolling_fits(const SlipGlobalData *data) {
  int32_t d = data->dimension;
  bool fits = are_pairs(d, data->contacts, data->laws, data->compliance, data->w);
  for (int64_t k = 0; fits && k < data->H.nnz; k++)
    fits = data->H.i[k] % (2 * d) != d;
  return fits;
}

bool slipi_rolling_fits_local(const SlipLocalData *data) {
  const SlipMatrix *W = &data->W;
  bool fits =
      data->dimension == 3 && are_pairs(3, data->contacts, data->laws, data->compliance, data->q);
  for (int32_t row = 0; fits && row < W->rows; row++) {
    for (int32_t k = W->p[row]; fits && k < W->p[row + 1]; k++)
      fits = W->x[k] == 0 || (row % SIX != ABOUT_NORMAL && W->i[k] % SIX != ABOUT_NORMAL);
  }
  return fits;
}
