#include "exist/kinematics.h"

#include <string.h>

#include "linalg/dense3.h"

/* Once friction is folded in, the remainder of a row of H is rounding where it is below this share.
 */
#define NOISE 1e-12

/* Components that a bilateral contact leaves free fold to nothing. */
static double fold(const SlipiKinematics *kin, int32_t contact, int component) {
  if (kin->bilateral[contact])
    return slipi_law_axis(&kin->data->law[contact], component) == SLIPI_AXIS_FREE;
  return component == 0 ? 1 : kin->mu[contact];
}

/* The degrees of freedom that contacts feel, numbered without gaps. */
static void find_dofs(SlipiKinematics *kin, const bool *drop, int32_t *number) {
  const SlipiCsr *H = kin->data->H;
  int32_t d = kin->data->d;
  for (int32_t j = 0; j < kin->data->n; j++) {
    if (H->p[j] == H->p[j + 1])
      continue; /* no contact has an entry that would ask for its number */
    double largest = 0, folded = 0;
    for (int32_t e = H->p[j]; e < H->p[j + 1]; e++) {
      double value = fabs(H->x[e]);
      largest = fmax(largest, value);
      folded = fmax(folded, value * fold(kin, H->i[e] / d, H->i[e] % d));
    }
    number[j] = -1;
    if (folded > NOISE * largest && !(drop && drop[j])) {
      number[j] = kin->n;
      kin->unit[kin->n] = 1 / largest;
      kin->dof[kin->n++] = j;
    }
  }
}

/* Merge the rows of one contact: entries are sorted by degree of freedom. Returns their number;
 * with h NULL it only counts. */
static int32_t merge_rows(const SlipiKinematics *kin, int32_t contact, const int32_t *number,
                          int32_t *k, double *h) {
  const SlipiAffine *data = kin->data;
  const SlipiCsr *Ht = data->Ht;
  int d = data->d;
  int32_t at[3], end[3], count = 0;
  for (int c = 0; c < d; c++) {
    at[c] = Ht->p[d * contact + c];
    end[c] = Ht->p[d * contact + c + 1];
  }
  for (;;) {
    int32_t next = INT32_MAX;
    for (int c = 0; c < d; c++)
      if (at[c] < end[c] && Ht->i[at[c]] < next)
        next = Ht->i[at[c]];
    if (next == INT32_MAX)
      return count;
    double values[3] = {0};
    for (int c = 0; c < d; c++)
      if (at[c] < end[c] && Ht->i[at[c]] == next)
        values[c] = Ht->x[at[c]++];
    if (number[next] < 0)
      continue;
    if (h) {
      double unit = kin->unit[number[next]];
      k[count] = number[next];
      for (int c = 0; c < 3; c++)
        h[3 * count + c] = fold(kin, contact, c) * values[c] * unit;
    }
    count++;
  }
}

static void transpose_entries(SlipiKinematics *kin) {
  for (int32_t e = 0; e < kin->p[kin->nc]; e++)
    kin->tp[kin->k[e] + 1]++;
  for (int32_t j = 0; j < kin->n; j++)
    kin->tp[j + 1] += kin->tp[j];
  for (int32_t c = 0; c < kin->nc; c++)
    for (int32_t e = kin->p[c]; e < kin->p[c + 1]; e++) {
      int32_t at = kin->tp[kin->k[e]]++;
      kin->te[at] = e;
      kin->tc[at] = c;
    }
  memmove(kin->tp + 1, kin->tp, (size_t)kin->n * sizeof *kin->tp);
  kin->tp[0] = 0;
}

/* The data of each contact: its law, folded, and w in units of its size. */
static void fill_contacts(SlipiKinematics *kin, bool frictionless) {
  const SlipiAffine *data = kin->data;
  kin->size = data->size > 0 ? data->size : 1;
  for (int32_t c = 0; c < kin->nc; c++) {
    kin->bilateral[c] = !slipi_law_is_second_order(&data->law[c]);
    kin->mu[c] = frictionless ? 0 : data->law[c].mu;
    for (int k = 0; k < data->d; k++)
      kin->w[3 * c + k] = data->w[data->d * c + k] / kin->size * fold(kin, c, k);
  }
}

SlipStatus slipi_kinematics_create(SlipiArena *arena, const SlipiAffine *data, bool frictionless,
                                   const bool *drop, SlipiKinematics *kin, SlipError *error) {
  *kin = (SlipiKinematics){.data = data, .frictionless = frictionless, .nc = data->nc};
  int64_t nc = data->nc, n = 0;
  for (int32_t j = 0; j < data->n; j++)
    n += data->H->p[j] < data->H->p[j + 1];
  int32_t *number = SLIPI_ARENA_NEW(arena, int32_t, data->n);
  kin->dof = SLIPI_ARENA_NEW(arena, int32_t, n);
  kin->unit = SLIPI_ARENA_NEW(arena, double, n);
  kin->bilateral = SLIPI_ARENA_NEW(arena, bool, nc);
  kin->mu = SLIPI_ARENA_NEW(arena, double, nc);
  kin->w = SLIPI_ARENA_NEW(arena, double, 3 * nc);
  kin->p = SLIPI_ARENA_NEW(arena, int32_t, nc + 1);
  kin->tp = SLIPI_ARENA_NEW(arena, int32_t, n + 2);
  if (arena->failed)
    return slipi_fail_memory(error, "the kinematics of a problem");
  fill_contacts(kin, frictionless);
  find_dofs(kin, drop, number);
  for (int32_t c = 0; c < kin->nc; c++)
    kin->p[c + 1] = kin->p[c] + merge_rows(kin, c, number, NULL, NULL);
  int64_t entries = kin->p[kin->nc];
  kin->k = SLIPI_ARENA_NEW(arena, int32_t, entries);
  kin->h = SLIPI_ARENA_NEW(arena, double, 3 * entries);
  kin->te = SLIPI_ARENA_NEW(arena, int32_t, entries);
  kin->tc = SLIPI_ARENA_NEW(arena, int32_t, entries);
  if (arena->failed)
    return slipi_fail_memory(error, "the kinematics of a problem");
  for (int32_t c = 0; c < kin->nc; c++)
    merge_rows(kin, c, number, kin->k + kin->p[c], kin->h + 3 * (int64_t)kin->p[c]);
  transpose_entries(kin);
  return SLIP_OK;
}

void slipi_kinematics_apply(const SlipiKinematics *kin, const double *x, double *z) {
  for (int32_t c = 0; c < kin->nc; c++) {
    double sum[3] = {0};
    for (int32_t e = kin->p[c]; e < kin->p[c + 1]; e++) {
      const double *h = kin->h + 3 * (int64_t)e;
      double xk = x[kin->k[e]];
      sum[0] += h[0] * xk;
      sum[1] += h[1] * xk;
      sum[2] += h[2] * xk;
    }
    memcpy(z + 3 * (int64_t)c, sum, sizeof sum);
  }
}

/* Contact by contact as well: the entries are read in the order in which they lie. */
void slipi_kinematics_apply_transposed(const SlipiKinematics *kin, const double *y, double *x) {
  memset(x, 0, (size_t)kin->n * sizeof *x);
  for (int32_t c = 0; c < kin->nc; c++) {
    const double *yc = y + 3 * (int64_t)c;
    if (yc[0] == 0 && yc[1] == 0 && yc[2] == 0)
      continue;
    for (int32_t e = kin->p[c]; e < kin->p[c + 1]; e++)
      x[kin->k[e]] += slipi_dense3_dot(kin->h + 3 * (int64_t)e, yc);
  }
}
