/* Global to local: W = H' M^-1 H (32), q = H' M^-1 f + w (33); the compliance stays apart. */
#include "contact/mass.h"

#include <stdlib.h>
#include <string.h>

#include "contact/reduce_within.h"

/* Which contacts touch each component of M, and each contact's components. */
typedef struct Incidence {
  int32_t *contact_p, *contact_list;     /* components of a contact */
  int32_t *component_p, *component_list; /* contacts of a component */
  int32_t *seen;                         /* nc marks */
} Incidence;

static bool incidence_create(const SlipiMass *mass, const SlipProblem *problem, SlipiArena *arena,
                             Incidence *inc) {
  int32_t nc = problem->nc, components = mass->components;
  int32_t *seen = SLIPI_ARENA_NEW(arena, int32_t, components);
  inc->seen = SLIPI_ARENA_NEW(arena, int32_t, nc);
  inc->contact_p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)nc + 1);
  inc->component_p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)components + 1);
  inc->contact_list = SLIPI_ARENA_NEW(arena, int32_t, slipi_problem_touches(problem));
  inc->component_list = SLIPI_ARENA_NEW(arena, int32_t, slipi_problem_touches(problem));
  if (arena->failed)
    return false;
  for (int32_t a = 0; a < nc; a++) {
    int32_t first = inc->contact_p[a];
    int32_t count =
        slipi_mass_contact_components(mass, problem, a, seen, inc->contact_list + first);
    inc->contact_p[a + 1] = first + count;
    for (int32_t l = first; l < first + count; l++)
      inc->component_p[inc->contact_list[l] + 1]++;
  }
  for (int32_t c = 0; c < components; c++)
    inc->component_p[c + 1] += inc->component_p[c];
  for (int32_t a = nc - 1; a >= 0; a--) {
    for (int32_t l = inc->contact_p[a]; l < inc->contact_p[a + 1]; l++)
      inc->component_list[--inc->component_p[inc->contact_list[l] + 1]] = a;
  }
  for (int32_t c = 0; c < components; c++)
    inc->component_p[c] = inc->component_p[c + 1];
  inc->component_p[components] = inc->contact_p[nc];
  return true;
}

/* Contacts coupled with contact a by the components from `from` on, into `list` when not NULL. By
 * all components it is always coupled with itself. */
static int32_t neighbours(const Incidence *inc, int32_t from, int32_t a, int32_t mark,
                          int32_t *list) {
  int32_t count = from == 0;
  if (from == 0) {
    inc->seen[a] = mark;
    if (list)
      list[0] = a;
  }
  for (int32_t l = inc->contact_p[a]; l < inc->contact_p[a + 1]; l++) {
    int32_t c = inc->contact_list[l];
    if (c < from)
      continue;
    for (int32_t k = inc->component_p[c]; k < inc->component_p[c + 1]; k++) {
      int32_t b = inc->component_list[k];
      if (inc->seen[b] != mark) {
        inc->seen[b] = mark;
        if (list)
          list[count] = b;
        count++;
      }
    }
  }
  return count;
}

static SlipStatus pattern(const Incidence *inc, int32_t from, const SlipProblem *problem,
                          const SlipiStop *stop, SlipiArena *arena, SlipiBsr *W, SlipError *error) {
  int32_t nc = problem->nc;
  int64_t blocks = 0;
  double unasked = 0;
  for (int32_t a = 0; a < nc; a++) {
    int32_t count = neighbours(inc, from, a, a + 1, NULL);
    blocks += count;
    if (slipi_stops_after(stop, &unasked, count, SLIPI_ASK_VISITS))
      return slipi_fail_stopped(error);
  }
  SlipStatus status = slipi_bsr_alloc(arena, problem->d, nc, blocks, W, error);
  if (status != SLIP_OK)
    return status;
  memset(inc->seen, 0, (size_t)nc * sizeof *inc->seen);
  for (int32_t a = 0; a < nc; a++) {
    int32_t count = neighbours(inc, from, a, a + 1, W->j + W->p[a]);
    qsort(W->j + W->p[a], (size_t)count, sizeof *W->j, slipi_compare_index);
    W->p[a + 1] = W->p[a] + count;
    if (slipi_stops_after(stop, &unasked, 10.0 * count, SLIPI_ASK_VISITS))
      return slipi_fail_stopped(error);
  }
  slipi_bsr_find_diagonal(W);
  return SLIP_OK;
}

/* Row a of W from the velocity form: W_ab = sum over shared rows of a_k b_k'. `block` holds,
 * for each contact of this row, where its block stands. Returns the number of products. */
static double reduce_row_blocks(const SlipiRows *rows, const int32_t *place_p,
                                const int32_t *place_list, const int32_t *place_row, int32_t a,
                                int32_t *block, SlipiBsr *W) {
  int32_t d = W->d;
  double work = 0;
  for (int32_t k = W->p[a]; k < W->p[a + 1]; k++)
    block[W->j[k]] = k;
  for (int32_t ra = rows->p[a]; ra < rows->p[a + 1]; ra++) {
    const double *ka = rows->a + (int64_t)ra * d;
    work += place_p[rows->k[ra] + 1] - place_p[rows->k[ra]];
    for (int32_t l = place_p[rows->k[ra]]; l < place_p[rows->k[ra] + 1]; l++) {
      const double *kb = rows->b + (int64_t)place_row[l] * d;
      double *x = W->x + (int64_t)block[place_list[l]] * d * d;
      for (int32_t s = 0; s < d; s++)
        for (int32_t t = 0; t < d; t++)
          x[s * d + t] += ka[s] * kb[t];
    }
  }
  return work;
}

static SlipStatus reduce_blocks(SlipiMass *mass, const SlipProblem *problem, SlipiArena *scratch,
                                SlipiBsr *W, SlipError *error) {
  SlipiRows rows;
  SlipStatus status = slipi_mass_rows(mass, problem, scratch, &rows, error);
  if (status != SLIP_OK)
    return status;
  int32_t count = rows.p[problem->nc];
  int32_t *place_p = SLIPI_ARENA_NEW(scratch, int32_t, (int64_t)mass->dof + 2);
  int32_t *place_list = SLIPI_ARENA_NEW(scratch, int32_t, count);
  int32_t *place_row = SLIPI_ARENA_NEW(scratch, int32_t, count);
  int32_t *block = SLIPI_ARENA_NEW(scratch, int32_t, problem->nc);
  if (scratch->failed)
    return slipi_fail_memory(error, "the reduction to the local form");
  /* Which contacts have a row at each place: counted two places on, so that filling leaves the
   * starts where they belong. */
  for (int32_t k = 0; k < count; k++)
    place_p[rows.k[k] + 2]++;
  for (int32_t k = 0; k < mass->dof; k++)
    place_p[k + 2] += place_p[k + 1];
  for (int32_t a = 0; a < problem->nc; a++) {
    for (int32_t k = rows.p[a]; k < rows.p[a + 1]; k++) {
      int32_t to = place_p[rows.k[k] + 1]++;
      place_list[to] = a;
      place_row[to] = k;
    }
  }
  double unasked = 0;
  for (int32_t a = 0; a < problem->nc; a++) {
    double work = reduce_row_blocks(&rows, place_p, place_list, place_row, a, block, W);
    if (slipi_stops_after(&mass->stop, &unasked, work, SLIPI_ASK_VISITS))
      return slipi_fail_stopped(error);
  }
  return SLIP_OK;
}

/* ---- The part of large components ---- */

/* The rows of H' of the contacts that touch a component, without the columns of others. */
static SlipStatus component_rows(const SlipiMass *mass, const SlipProblem *problem,
                                 const Incidence *inc, int32_t component, SlipiArena *scratch,
                                 SlipiComponentRows *rows, SlipError *error) {
  const SlipiCsr *Ht = &problem->Ht;
  int32_t d = problem->d, first = mass->start[component], end = mass->start[component + 1];
  int32_t count = inc->component_p[component + 1] - inc->component_p[component], used = 0;
  int64_t entries = 0;
  *rows = (SlipiComponentRows){.count = count,
                               .contact = inc->component_list + inc->component_p[component]};
  rows->Ht = (SlipiCsr){.rows = count * d, .cols = end - first};
  for (int32_t k = 0; k < count; k++)
    entries += Ht->p[(rows->contact[k] + 1) * d] - Ht->p[rows->contact[k] * d];
  rows->Ht.p = SLIPI_ARENA_NEW(scratch, int32_t, (int64_t)count * d + 1);
  rows->Ht.i = SLIPI_ARENA_RAW(scratch, int32_t, entries);
  rows->Ht.x = SLIPI_ARENA_RAW(scratch, double, entries);
  if (scratch->failed)
    return slipi_fail_memory(error, "the reduction to the local form");
  for (int32_t row = 0; row < count * d; row++) {
    int32_t from = rows->contact[row / d] * d + row % d;
    for (int32_t k = Ht->p[from]; k < Ht->p[from + 1]; k++) {
      int32_t place = mass->place[Ht->i[k]];
      if (place < first || place >= end)
        continue;
      rows->Ht.i[used] = place - first;
      rows->Ht.x[used++] = Ht->x[k];
    }
    rows->Ht.p[row + 1] = used;
  }
  return SLIP_OK;
}

/* Add one column of W, H' x with x = M^-1 H e, to the blocks of the component's contacts. */
static void add_column(const SlipiComponentRows *rows, int32_t column, const double *x,
                       SlipiBsr *W) {
  const SlipiCsr *Ht = &rows->Ht;
  int32_t d = W->d, b = rows->contact[column / d];
  for (int32_t n = 0; n < rows->count; n++) {
    int32_t a = rows->contact[n], low = W->p[a], high = W->p[a + 1];
    const int32_t *found =
        bsearch(&b, W->j + low, (size_t)(high - low), sizeof b, slipi_compare_index);
    double *block = W->x + (found - W->j) * d * d;
    for (int32_t s = 0; s < d; s++) {
      double sum = 0;
      for (int32_t k = Ht->p[n * d + s]; k < Ht->p[n * d + s + 1]; k++)
        sum += Ht->x[k] * x[Ht->i[k]];
      block[s * d + column % d] += sum;
    }
  }
}

/* Solve for a few columns at a time: as many as make the factors worth passing through. */
static SlipStatus reduce_columns(const SlipiMass *mass, SlipiFactor *factor,
                                 const SlipiComponentRows *component, SlipiArena *scratch,
                                 SlipiBsr *W, SlipError *error) {
  enum { CHUNK = 64 };
  const SlipiCsr *Ht = &component->Ht;
  int64_t rows = Ht->cols;
  double *h = SLIPI_ARENA_RAW(scratch, double, rows *CHUNK);
  double *x = SLIPI_ARENA_RAW(scratch, double, rows *CHUNK);
  if (scratch->failed)
    return slipi_fail_memory(error, "the reduction to the local form");
  for (int32_t first = 0; first < Ht->rows; first += CHUNK) {
    int32_t count = Ht->rows - first < CHUNK ? Ht->rows - first : CHUNK;
    memset(h, 0, (size_t)(rows * count) * sizeof *h);
    for (int32_t c = 0; c < count; c++)
      for (int32_t k = Ht->p[first + c]; k < Ht->p[first + c + 1]; k++)
        h[c * rows + Ht->i[k]] = Ht->x[k];
    SlipStatus status = slipi_factor_solve_many(factor, count, h, x, error);
    if (status == SLIP_OK && slipi_is_stopped(&mass->stop))
      status = slipi_fail_stopped(error);
    if (status != SLIP_OK)
      return status;
    for (int32_t c = 0; c < count; c++)
      add_column(component, first + c, x + c * rows, W);
    if (first > INT32_MAX - CHUNK)
      break;
  }
  return SLIP_OK;
}

/* The part of a component's factors that contacts reach; NULL where there is none. */
static SlipStatus find_within(const SlipiFactor *factor, const SlipiCsr *Ht, SlipiArena *scratch,
                              SlipiWithin **within, SlipError *error) {
  bool *touched = SLIPI_ARENA_NEW(scratch, bool, Ht->cols);
  if (scratch->failed)
    return slipi_fail_memory(error, "the reduction to the local form");
  for (int32_t k = 0; k < Ht->p[Ht->rows]; k++)
    touched[Ht->i[k]] = true;
  return slipi_factor_within(factor, touched, scratch, within, error);
}

/* Add the part of W that comes through the sparse factors of M, or with own_only its blocks on the
 * diagonal, where all factors have a part for it: *known says so. */
static SlipStatus reduce_sparse(SlipiMass *mass, const SlipProblem *problem, const Incidence *inc,
                                bool own_only, SlipiBsr *W, bool *known, SlipError *error) {
  SlipiArena scratch = {0};
  SlipStatus status = SLIP_OK;
  *known = true;
  for (int32_t c = mass->small_components; c < mass->components && status == SLIP_OK && *known;
       c++) {
    SlipiFactor *factor = mass->factor[c - mass->small_components];
    SlipiWithin *within = NULL;
    SlipiComponentRows rows;
    slipi_arena_reset(&scratch);
    if (inc->component_p[c] == inc->component_p[c + 1])
      continue;
    status = component_rows(mass, problem, inc, c, &scratch, &rows, error);
    if (status == SLIP_OK)
      status = find_within(factor, &rows.Ht, &scratch, &within, error);
    *known = within || !own_only;
    if (status == SLIP_OK && within)
      status = slipi_reduce_within(mass, &rows, within, own_only, &scratch, W, error);
    else if (status == SLIP_OK && *known)
      status = reduce_columns(mass, factor, &rows, &scratch, W, error);
  }
  slipi_arena_free(&scratch);
  return status;
}

/* Add the contacts' own blocks of the part of small components. */
static SlipStatus add_small_blocks(SlipiMass *mass, const SlipProblem *problem, SlipiArena *scratch,
                                   double *blocks, SlipError *error) {
  SlipiRows rows;
  int32_t d = problem->d;
  SlipStatus status = slipi_mass_rows(mass, problem, scratch, &rows, error);
  for (int32_t a = 0; status == SLIP_OK && a < problem->nc; a++) {
    double *block = blocks + (int64_t)a * d * d;
    for (int64_t k = rows.p[a]; k < rows.p[a + 1]; k++)
      for (int32_t i = 0; i < d * d; i++)
        block[i] += rows.a[k * d + i / d] * rows.b[k * d + i % d];
  }
  return status;
}

SlipStatus slipi_mass_own_blocks(SlipiMass *mass, const SlipProblem *problem, double *blocks,
                                 bool *known, SlipError *error) {
  SlipiArena *scratch = &mass->scratch;
  Incidence inc = {0};
  SlipiBsr own = {0};
  *known = false;
  slipi_arena_reset(scratch);
  SlipStatus status = slipi_bsr_alloc(scratch, problem->d, problem->nc, problem->nc, &own, error);
  if (status == SLIP_OK && !incidence_create(mass, problem, scratch, &inc))
    status = slipi_fail_memory(error, "the diagonal of W");
  if (status == SLIP_OK && mass->factor) {
    memset(blocks, 0, (size_t)problem->m * (size_t)problem->d * sizeof *blocks);
    for (int32_t a = 0; a < problem->nc; a++) {
      own.j[a] = a;
      own.p[a + 1] = a + 1;
    }
    own.x = blocks;
    status = reduce_sparse(mass, problem, &inc, true, &own, known, error);
    if (status == SLIP_OK && *known && mass->small > 0)
      status = add_small_blocks(mass, problem, scratch, blocks, error);
  }
  *known = *known && status == SLIP_OK;
  slipi_arena_reset(scratch);
  return status;
}

/* The part of W from the components from `from` on: 0, or small_components. */
static SlipStatus reduce_from(SlipiMass *mass, int32_t from, const SlipProblem *problem,
                              SlipiArena *arena, SlipiBsr *W, SlipError *error) {
  SlipiArena *scratch = &mass->scratch;
  Incidence inc = {0};
  bool known;
  if (mass->lent)
    return slipi_fail(error, SLIP_ERROR_MISMATCH, "factors that are lent do not form W");
  slipi_arena_reset(scratch);
  SlipStatus status = incidence_create(mass, problem, scratch, &inc)
                          ? pattern(&inc, from, problem, &mass->stop, arena, W, error)
                          : slipi_fail_memory(error, "the reduction to the local form");
  if (status == SLIP_OK && from < mass->small_components)
    status = reduce_blocks(mass, problem, scratch, W, error);
  if (status == SLIP_OK && mass->factor)
    status = reduce_sparse(mass, problem, &inc, false, W, &known, error);
  slipi_arena_reset(scratch);
  return status;
}

SlipStatus slipi_mass_reduce(SlipiMass *mass, const SlipProblem *problem, SlipiArena *arena,
                             SlipiBsr *W, SlipError *error) {
  return reduce_from(mass, 0, problem, arena, W, error);
}

SlipStatus slipi_mass_reduce_large(SlipiMass *mass, const SlipProblem *problem, SlipiArena *arena,
                                   SlipiBsr *W, SlipError *error) {
  return reduce_from(mass, mass->small_components, problem, arena, W, error);
}

/* With bodies: a row has at least as many blocks as the body with more contacts has, and its own.
 */
static bool bounded_row_blocks(SlipiMass *mass, const SlipProblem *problem, double enough,
                               double *blocks) {
  int32_t *contacts = mass->seen, body[2];
  double sum = 0;
  memset(contacts, 0, (size_t)mass->components * sizeof *contacts);
  for (int32_t a = 0; a < problem->nc; a++) {
    int32_t count = slipi_problem_contact_bodies(problem, a, body);
    for (int32_t k = 0; k < count; k++)
      contacts[body[k]]++;
  }
  for (int32_t a = 0; a < problem->nc; a++) {
    int32_t count = slipi_problem_contact_bodies(problem, a, body), most = 1;
    for (int32_t k = 0; k < count; k++)
      most = contacts[body[k]] > most ? contacts[body[k]] : most;
    sum += most;
  }
  *blocks = problem->nc > 0 ? sum / problem->nc : 0;
  return *blocks >= enough;
}

/* From a sample of rows, by the components from `from` on. */
static SlipStatus sample_blocks(SlipiMass *mass, int32_t from, const SlipProblem *problem,
                                double *blocks, SlipError *error) {
  enum { SAMPLE = 1000 };
  Incidence inc = {0};
  double count = 0, rows = 0;
  slipi_arena_reset(&mass->scratch);
  bool made = incidence_create(mass, problem, &mass->scratch, &inc);
  if (made) {
    int32_t step = problem->nc / SAMPLE + 1;
    for (int32_t a = 0; a < problem->nc; a += step, rows++)
      count += neighbours(&inc, from, a, a + 1, NULL);
  }
  slipi_arena_reset(&mass->scratch);
  *blocks = rows > 0 ? count / rows : 0;
  return made ? SLIP_OK : slipi_fail_memory(error, "a sample of the rows of W");
}

SlipStatus slipi_mass_row_blocks(SlipiMass *mass, const SlipProblem *problem, double enough,
                                 double *blocks, SlipError *error) {
  if (mass->body > 0 && bounded_row_blocks(mass, problem, enough, blocks))
    return SLIP_OK;
  return sample_blocks(mass, 0, problem, blocks, error);
}

SlipStatus slipi_mass_large_blocks(SlipiMass *mass, const SlipProblem *problem, double *blocks,
                                   SlipError *error) {
  *blocks = 0;
  return mass->blocks ? SLIP_OK
                      : sample_blocks(mass, mass->small_components, problem, blocks, error);
}

/* q = H' v + w with v = M^-1 f. */
static SlipStatus reduced_q(SlipiMass *mass, const SlipProblem *problem, double *v, double *q,
                            SlipError *error) {
  SlipStatus status = slipi_mass_solve(mass, problem->f, v, error);
  if (status != SLIP_OK)
    return status;
  slipi_problem_spread(problem, v, q);
  for (int32_t k = 0; k < problem->m; k++)
    q[k] += problem->w[k];
  return SLIP_OK;
}

static SlipStatus reduce_to_local(SlipiMass *mass, const SlipProblem *global, SlipiArena *scratch,
                                  SlipProblem **local, SlipError *error) {
  SlipiBsr blocks;
  SlipiCsr W;
  double *q = SLIPI_ARENA_NEW(scratch, double, global->m);
  double *v = SLIPI_ARENA_NEW(scratch, double, global->dof);
  if (scratch->failed)
    return slipi_fail_memory(error, "the reduction to the local form");
  SlipStatus status = slipi_mass_reduce(mass, global, scratch, &blocks, error);
  if (status == SLIP_OK)
    status = slipi_bsr_to_csr(scratch, &blocks, &W, error);
  if (status == SLIP_OK)
    status = reduced_q(mass, global, v, q, error);
  if (status != SLIP_OK)
    return status;
  SlipLocalData data = slip_default_local_data();
  data.dimension = global->d;
  data.contacts = global->nc;
  data.W = slipi_csr_view(&W);
  data.q = q;
  data.laws = &global->laws;
  data.compliance = global->compliance;
  return slip_problem_create_local(&data, local, error);
}

SlipStatus slip_problem_reduce(const SlipProblem *global, SlipProblem **local, SlipError *error) {
  slipi_error_clear(error);
  if (!local)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "local is null");
  *local = NULL;
  if (!SLIPI_IS_PROBLEM(global))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "global is null or freed");
  if (!slipi_problem_has_mass(global))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the problem is local already");
  SlipiMass *mass;
  SlipStatus status = slipi_mass_create(global, &mass, error);
  if (status != SLIP_OK)
    return status;
  SlipiArena scratch = {0};
  status = reduce_to_local(mass, global, &scratch, local, error);
  slipi_arena_free(&scratch);
  slipi_mass_free(mass);
  return status;
}
