/* From FCLIB's equality constraints to bilateral contacts, for the reader of files. */
#include "io/equalities.h"

#include <string.h>

#include "contact/laws.h"

static const char what[] = "the equality constraints";

static int32_t all_bound(const SlipiEqualities *equalities) {
  return (1 << equalities->dimension) - 1;
}

static int64_t components(const SlipiEqualities *equalities) {
  return (int64_t)equalities->dimension * equalities->contacts;
}

static int64_t head_components(const SlipiEqualities *equalities) {
  return (int64_t)equalities->dimension * equalities->first;
}

/* ---- Which contact an equality belongs to ------------------------------------------------ */

/* The components a contact binds when `left` equalities are still to be placed. */
static int32_t usual_bound(int32_t dimension, int32_t left) {
  return left < dimension ? (1 << left) - 1 : (1 << dimension) - 1;
}

SlipStatus slipi_equalities_lay(SlipiArena *arena, int32_t dimension, int32_t first, int32_t count,
                                const int32_t *bound, int32_t groups, SlipiEqualities *equalities,
                                SlipError *error) {
  if (!bound)
    groups = count / dimension + (count % dimension > 0);
  if ((int64_t)first + groups > INT32_MAX / dimension)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%d contacts and %d equality constraints are more than %d components", first,
                      count, INT32_MAX);
  *equalities = (SlipiEqualities){
      .dimension = dimension, .count = count, .first = first, .contacts = first + groups};
  equalities->bound = SLIPI_ARENA_NEW(arena, int32_t, groups);
  equalities->place = SLIPI_ARENA_NEW(arena, int32_t, count);
  if (arena->failed)
    return slipi_fail_memory(error, what);
  for (int32_t a = 0, next = 0; a < groups; a++) {
    equalities->bound[a] = bound ? bound[a] : usual_bound(dimension, count - next);
    for (int32_t k = 0; k < dimension; k++)
      if (equalities->bound[a] >> k & 1)
        equalities->place[next++] = (first + a) * dimension + k;
  }
  return SLIP_OK;
}

bool slipi_equalities_plain(const SlipiEqualities *equalities) {
  int32_t left = equalities->count, d = equalities->dimension;
  for (int32_t a = 0; a < equalities->contacts - equalities->first; a++, left -= d)
    if (left <= 0 || equalities->bound[a] != usual_bound(d, left))
      return false;
  return true;
}

/* ---- Laws and compliance ------------------------------------------------------------------ */

/* An array of one value per contact, zeros for those the equalities make up. */
static void *extend(const SlipiEqualities *equalities, SlipiArena *arena, const void *values,
                    size_t size) {
  char *longer = slipi_arena_alloc(arena, (size_t)equalities->contacts, size);
  if (longer && values && equalities->first > 0)
    memcpy(longer, values, (size_t)equalities->first * size);
  return longer;
}

/* NULL where all components are bound, which is the default. */
static int32_t *extend_bound(const SlipiEqualities *equalities, SlipiArena *arena,
                             const int32_t *head) {
  bool needed = head != NULL;
  for (int32_t a = 0; a < equalities->contacts - equalities->first; a++)
    needed = needed || equalities->bound[a] != all_bound(equalities);
  int32_t *bound = needed ? extend(equalities, arena, head, sizeof *bound) : NULL;
  for (int32_t a = 0; bound && a < equalities->contacts; a++) {
    if (a >= equalities->first)
      bound[a] = equalities->bound[a - equalities->first];
    else if (!head)
      bound[a] = all_bound(equalities);
  }
  return bound;
}

SlipStatus slipi_equalities_laws(const SlipiEqualities *equalities, SlipiArena *arena,
                                 SlipLaws *laws, SlipError *error) {
  int32_t *kind = extend(equalities, arena, laws->kind, sizeof *kind);
  for (int32_t a = equalities->first; kind && a < equalities->contacts; a++)
    kind[a] = SLIP_BILATERAL;
  int32_t *bound = extend_bound(equalities, arena, laws->bound);
  for (int k = 0; k < SLIPI_LAW_PARAMETERS; k++) {
    const SlipiLawParameter *parameter = &slipi_law_parameters[k];
    const void *array = slipi_laws_array(laws, parameter);
    size_t size = parameter->real ? sizeof(double) : sizeof(int32_t);
    if (array)
      slipi_laws_set_array(laws, parameter, extend(equalities, arena, array, size));
  }
  laws->kind = kind;
  laws->bound = bound;
  return arena->failed ? slipi_fail_memory(error, what) : SLIP_OK;
}

SlipStatus slipi_equalities_compliance(const SlipiEqualities *equalities, SlipiArena *arena,
                                       const double **compliance, SlipError *error) {
  size_t block = (size_t)equalities->dimension * (size_t)equalities->dimension;
  if (*compliance)
    *compliance = extend(equalities, arena, *compliance, block * sizeof **compliance);
  return arena->failed ? slipi_fail_memory(error, what) : SLIP_OK;
}

/* ---- Vectors and matrices ----------------------------------------------------------------- */

SlipStatus slipi_equalities_vector(const SlipiEqualities *equalities, SlipiArena *arena,
                                   const double *head, const double *tail, double **joined,
                                   SlipError *error) {
  size_t size = (size_t)equalities->dimension * sizeof **joined;
  *joined = extend(equalities, arena, head, size);
  if (!*joined)
    return slipi_fail_memory(error, what);
  for (int32_t e = 0; tail && e < equalities->count; e++)
    (*joined)[equalities->place[e]] = tail[e];
  return SLIP_OK;
}

/* Room for a matrix whose rows are added one after the other. */
static SlipStatus begin(SlipiArena *arena, int64_t rows, int64_t cols, int64_t entries,
                        SlipiCsr *joined, SlipError *error) {
  if (entries > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "the matrices with equality constraints have %lld entries, at most %d are "
                      "read",
                      (long long)entries, INT32_MAX);
  joined->rows = (int32_t)rows;
  joined->cols = (int32_t)cols;
  joined->p = SLIPI_ARENA_NEW(arena, int32_t, rows + 1);
  joined->i = SLIPI_ARENA_NEW(arena, int32_t, entries);
  joined->x = SLIPI_ARENA_NEW(arena, double, entries);
  return arena->failed ? slipi_fail_memory(error, what) : SLIP_OK;
}

/* Row `row` of A at the end of the entries, whose number is *entries; `place` says where its
 * columns have gone, NULL: nowhere. */
static void append(const SlipiCsr *A, int32_t row, const int32_t *place, SlipiCsr *joined,
                   int32_t *entries) {
  for (int32_t k = A->p[row]; k < A->p[row + 1]; k++) {
    joined->i[*entries] = place ? place[A->i[k]] : A->i[k];
    joined->x[(*entries)++] = A->x[k];
  }
}

SlipStatus slipi_equalities_join_global(const SlipiEqualities *equalities, SlipiArena *arena,
                                        const SlipiCsr *H, const SlipiCsr *G, SlipMatrix *joined,
                                        SlipError *error) {
  SlipiCsr all;
  int64_t entries = (int64_t)H->p[H->rows] + G->p[G->rows];
  SlipStatus status = begin(arena, H->rows, components(equalities), entries, &all, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t row = 0, count = 0; row < H->rows; row++) {
    append(H, row, NULL, &all, &count);
    append(G, row, equalities->place, &all, &count);
    all.p[row + 1] = count;
  }
  *joined = slipi_csr_view(&all);
  return SLIP_OK;
}

SlipStatus slipi_equalities_join_local(const SlipiEqualities *equalities, SlipiArena *arena,
                                       const SlipiCsr *W, const SlipiCsr *V, const SlipiCsr *R,
                                       SlipMatrix *joined, SlipError *error) {
  SlipiCsr Vt, all;
  int64_t entries = (int64_t)W->p[W->rows] + 2 * (int64_t)V->p[V->rows] + R->p[R->rows];
  int64_t size = components(equalities), head = head_components(equalities);
  SlipStatus status = slipi_csr_transpose(arena, V, &Vt, error);
  if (status == SLIP_OK)
    status = begin(arena, size, size, entries, &all, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t row = 0, e = 0, count = 0; row < size; row++) {
    if (row < head) {
      append(W, row, NULL, &all, &count);
      append(V, row, equalities->place, &all, &count);
    } else if (e < equalities->count && equalities->place[e] == row) {
      append(&Vt, e, NULL, &all, &count);
      append(R, e++, equalities->place, &all, &count);
    }
    all.p[row + 1] = count;
  }
  *joined = slipi_csr_view(&all);
  return SLIP_OK;
}
