#include "contact/mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/mass_large.h"

static int32_t find_root(int32_t *parent, int32_t x) {
  while (parent[x] != x) {
    parent[x] = parent[parent[x]];
    x = parent[x];
  }
  return x;
}

/* Components numbered by their smallest dof, so that places keep the order of the file. */
static bool find_components(const SlipiCsr *M, SlipiMass *mass, int32_t *parent) {
  double unasked = 0;
  for (int32_t k = 0; k < mass->dof; k++)
    parent[k] = k;
  for (int32_t row = 0; row < mass->dof; row++) {
    for (int32_t k = M->p[row]; k < M->p[row + 1]; k++) {
      int32_t a = find_root(parent, row), b = find_root(parent, M->i[k]);
      if (a < b)
        parent[b] = a;
      else
        parent[a] = b;
    }
    if (slipi_stops_after(&mass->stop, &unasked, M->p[row + 1] - M->p[row], SLIPI_ASK_VISITS))
      return false;
  }
  for (int32_t k = 0; k < mass->dof; k++) {
    int32_t root = find_root(parent, k);
    mass->component[k] = root == k ? mass->components++ : mass->component[root];
  }
  return true;
}

/* Small components first, each kind in its order; small_components is set. */
static void sort_components(SlipiMass *mass) {
  int32_t *size = mass->seen, *number = mass->list, next = 0;
  for (int32_t k = 0; k < mass->dof; k++)
    size[mass->component[k]]++;
  for (int large = 0; large <= 1; large++) {
    for (int32_t c = 0; c < mass->components; c++) {
      if ((size[c] > SLIPI_ROOT_LU_MOST) == large)
        number[c] = next++;
    }
    mass->small_components = large ? mass->small_components : next;
  }
  for (int32_t k = 0; k < mass->dof; k++)
    mass->component[k] = number[mass->component[k]];
}

static void place_components(SlipiMass *mass) {
  for (int32_t k = 0; k < mass->dof; k++)
    mass->start[mass->component[k] + 1]++;
  for (int32_t c = 0; c < mass->components; c++) {
    if (mass->start[c + 1] > mass->largest)
      mass->largest = mass->start[c + 1];
    mass->start[c + 1] += mass->start[c];
  }
  for (int32_t k = 0; k < mass->dof; k++) {
    int32_t to = mass->start[mass->component[k]]++;
    mass->place[k] = to;
    mass->at[to] = k;
  }
  for (int32_t c = mass->components; c > 0; c--)
    mass->start[c] = mass->start[c - 1];
  mass->start[0] = 0;
}

/* The factors of one component. */
static SlipiRootLu block_of(const SlipiMass *mass, int32_t c) {
  return (SlipiRootLu){.lu = mass->lu + mass->offset[c],
                       .diagonal = mass->diagonal + mass->start[c],
                       .n = mass->start[c + 1] - mass->start[c],
                       .alone = mass->alone[c]};
}

/* One component of M, where the problem has it as a block or, made of its entries, in `room`. */
static const double *load_block(const SlipiMass *mass, const SlipProblem *problem, int32_t c,
                                double *room) {
  int32_t first = mass->start[c], n = mass->start[c + 1] - first;
  const SlipiCsr *M = &problem->M;
  if (problem->form == SLIP_FORM_BODIES)
    return problem->body_mass + (int64_t)first * n;
  memset(room, 0, (size_t)n * (size_t)n * sizeof *room);
  for (int32_t i = 0; i < n; i++) {
    int32_t row = mass->at[first + i];
    for (int32_t k = M->p[row]; k < M->p[row + 1]; k++)
      room[i * n + mass->place[M->i[k]] - first] = M->x[k];
  }
  return room;
}

/* The factors of a component whose rows do not all stand alone. */
static SlipStatus factor_block(SlipiMass *mass, int32_t c, const double *A, SlipError *error) {
  double symmetric_part[SLIPI_ROOT_LU_MOST * SLIPI_ROOT_LU_MOST];
  int32_t n = mass->start[c + 1] - mass->start[c];
  double *lu = mass->lu + mass->offset[c], *diagonal = mass->diagonal + mass->start[c];
  bool symmetric = slipi_symmetrize(A, n, symmetric_part);
  int32_t bad = slipi_root_lu(symmetric_part, n);
  if (bad < n)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "M is not positive definite: the pivot of row %d is not positive",
                      (int)mass->at[mass->start[c] + bad]);
  memcpy(lu, symmetric ? symmetric_part : A, (size_t)n * (size_t)n * sizeof *lu);
  if (!symmetric)
    slipi_root_lu(lu, n);
  for (int32_t i = 0; i < n; i++)
    diagonal[i] = lu[i * n + i];
  mass->symmetric = mass->symmetric && symmetric;
  return SLIP_OK;
}

static SlipStatus factor_blocks(SlipiMass *mass, const SlipProblem *problem, SlipError *error) {
  double room[SLIPI_ROOT_LU_MOST * SLIPI_ROOT_LU_MOST];
  SlipStatus status = SLIP_OK;
  mass->symmetric = true;
  for (int32_t c = 0; c < mass->small_components && status == SLIP_OK; c++) {
    int32_t n = mass->start[c + 1] - mass->start[c];
    const double *A = load_block(mass, problem, c, room);
    mass->alone[c] = slipi_count_alone(A, n);
    if (mass->alone[c] < n || !slipi_root_diagonal(A, n, mass->diagonal + mass->start[c]))
      status = factor_block(mass, c, A, error);
  }
  return status;
}

static SlipStatus create_blocks(SlipiMass *mass, const SlipProblem *problem, SlipError *error) {
  int32_t count = mass->small_components;
  mass->offset = SLIPI_ARENA_RAW(&mass->arena, int64_t, (int64_t)count + 1);
  if (mass->arena.failed)
    return slipi_fail_memory(error, "the inverse of M");
  mass->offset[0] = 0;
  for (int32_t c = 0; c < count; c++) {
    int64_t n = mass->start[c + 1] - mass->start[c];
    mass->offset[c + 1] = mass->offset[c] + n * n;
  }
  mass->lu = SLIPI_ARENA_RAW(&mass->arena, double, mass->offset[count]);
  mass->diagonal = SLIPI_ARENA_RAW(&mass->arena, double, mass->small);
  mass->alone = SLIPI_ARENA_RAW(&mass->arena, int32_t, count);
  if (mass->arena.failed)
    return slipi_fail_memory(error, "the inverse of M");
  return factor_blocks(mass, problem, error);
}

/* Whether M has no entry outside windows of a rigid body's size, and no contact touches more than
 * two: bodies are recognised even where M is diagonal, as that of spheres is. */
static bool has_bodies(const SlipProblem *problem) {
  int32_t n = slipi_body_dof(problem->d), body[2];
  if (problem->form == SLIP_FORM_BODIES)
    return true;
  if (problem->dof == 0 || problem->dof % n != 0 || problem->scattered)
    return false;
  for (int32_t row = 0; row < problem->dof; row++) {
    int32_t first = problem->M.p[row], end = problem->M.p[row + 1];
    if (first < end && (problem->M.i[first] / n != row / n || problem->M.i[end - 1] / n != row / n))
      return false; /* columns ascend */
  }
  for (int32_t contact = 0; contact < problem->nc; contact++) {
    if (slipi_problem_contact_bodies(problem, contact, body) > 2)
      return false;
  }
  return true;
}

static void place_bodies(SlipiMass *mass, int32_t n) {
  mass->components = mass->small_components = mass->dof / n;
  mass->largest = mass->components > 0 ? n : 0;
  for (int32_t c = 0, k = 0; c < mass->components; c++) {
    for (int32_t i = 0; i < n; i++, k++) {
      mass->component[k] = c;
      mass->place[k] = mass->at[k] = k;
    }
    mass->start[c + 1] = k;
  }
}

static SlipStatus fill_mass(SlipiMass *mass, const SlipProblem *problem, SlipError *error) {
  SlipiArena *arena = &mass->arena;
  int32_t dof = problem->dof;
  mass->dof = dof;
  mass->component = SLIPI_ARENA_RAW(arena, int32_t, dof);
  mass->start = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)dof + 1);
  mass->place = SLIPI_ARENA_RAW(arena, int32_t, dof);
  mass->at = SLIPI_ARENA_RAW(arena, int32_t, dof);
  mass->work = SLIPI_ARENA_RAW(arena, double, dof);
  mass->seen = SLIPI_ARENA_NEW(arena, int32_t, dof);
  mass->list = SLIPI_ARENA_RAW(arena, int32_t, dof);
  mass->row = SLIPI_ARENA_RAW(arena, int32_t, dof);
  if (arena->failed)
    return slipi_fail_memory(error, "the inverse of M");
  mass->body = has_bodies(problem) ? slipi_body_dof(problem->d) : 0;
  if (mass->body > 0) {
    place_bodies(mass, mass->body);
  } else {
    if (!find_components(&problem->M, mass, mass->at)) /* `at` serves as the union-find forest */
      return slipi_fail_stopped(error);
    sort_components(mass);
    place_components(mass);
  }
  mass->small = mass->start[mass->small_components];
  mass->blocks = mass->small == dof;
  SlipStatus status = create_blocks(mass, problem, error);
  return status == SLIP_OK ? slipi_mass_factor_large(mass, problem, error) : status;
}

SlipStatus slipi_mass_set(SlipiMass *mass, const SlipProblem *problem, SlipError *error) {
  SlipiArena arena = mass->arena, scratch = mass->scratch;
  slipi_mass_free_large(mass);
  slipi_arena_reset(&arena);
  *mass = (SlipiMass){.arena = arena, .scratch = scratch, .stop = mass->stop};
  return fill_mass(mass, problem, error);
}

SlipStatus slipi_mass_new(SlipiMass **mass, SlipError *error) {
  *mass = calloc(1, sizeof **mass);
  return *mass ? SLIP_OK : slipi_fail_memory(error, "the inverse of M");
}

SlipStatus slipi_mass_create(const SlipProblem *problem, SlipiMass **mass, SlipError *error) {
  *mass = NULL;
  SlipiMass *made;
  SlipStatus status = slipi_mass_new(&made, error);
  if (status != SLIP_OK)
    return status;
  status = slipi_mass_set(made, problem, error);
  if (status == SLIP_OK)
    *mass = made;
  else
    slipi_mass_free(made);
  return status;
}

void slipi_mass_free(SlipiMass *mass) {
  if (!mass)
    return;
  slipi_mass_free_large(mass);
  slipi_arena_free(&mass->arena);
  slipi_arena_free(&mass->scratch);
  free(mass);
}

static void solve_blocks(const SlipiMass *mass, const double *b, double *x) {
  double y[SLIPI_ROOT_LU_MOST];
  for (int32_t c = 0; c < mass->small_components; c++) {
    int32_t first = mass->start[c], n = mass->start[c + 1] - first;
    SlipiRootLu block = block_of(mass, c);
    for (int32_t i = 0; i < n; i++)
      y[i] = b[mass->at[first + i]];
    slipi_root_lu_lower(&block, y);
    slipi_root_lu_upper(&block, y);
    for (int32_t i = 0; i < n; i++)
      x[mass->at[first + i]] = y[i];
  }
}

SlipStatus slipi_mass_solve(SlipiMass *mass, const double *b, double *x, SlipError *error) {
  solve_blocks(mass, b, x);
  return slipi_mass_solve_large(mass, b, x, error);
}

SlipStatus slipi_mass_velocity(SlipiMass *mass, const SlipProblem *problem, const double *r,
                               const double *f, double *v, SlipError *error) {
  slipi_problem_gather(problem, r, mass->work);
  for (int32_t k = 0; f && k < mass->dof; k++)
    mass->work[k] += f[k];
  return slipi_mass_solve(mass, mass->work, v, error);
}

void slipi_mass_half_velocity(const SlipiMass *mass, const double *f, double *z) {
  for (int32_t c = 0; c < mass->small_components; c++) {
    int32_t first = mass->start[c], n = mass->start[c + 1] - first;
    for (int32_t i = 0; i < n; i++)
      z[first + i] = f[mass->at[first + i]];
    SlipiRootLu block = block_of(mass, c);
    slipi_root_lu_lower(&block, z + first);
  }
}

int32_t slipi_mass_contact_components(const SlipiMass *mass, const SlipProblem *problem,
                                      int32_t contact, int32_t *seen, int32_t *list) {
  const SlipiCsr *Ht = &problem->Ht;
  int32_t count = 0, d = problem->d;
  if (mass->body > 0)
    return slipi_problem_contact_bodies(problem, contact, list);
  for (int32_t k = Ht->p[contact * d]; k < Ht->p[(contact + 1) * d]; k++) {
    int32_t c = mass->component[Ht->i[k]];
    if (seen[c] != contact + 1) {
      seen[c] = contact + 1;
      list[count++] = c;
    }
  }
  for (int32_t a = 1; a < count; a++) {
    int32_t value = list[a], b = a;
    for (; b > 0 && list[b - 1] > value; b--)
      list[b] = list[b - 1];
    list[b] = value;
  }
  return count;
}

/* How many small components a contact touches; mass->list begins with them. */
static int32_t small_components(const SlipiMass *mass, const SlipProblem *problem,
                                int32_t contact) {
  int32_t count = slipi_mass_contact_components(mass, problem, contact, mass->seen, mass->list);
  while (count > 0 && mass->list[count - 1] >= mass->small_components)
    count--;
  return count;
}

/* One column of one contact within one component, every `stride`th value: solve with half the
 * factors. */
static void half_column(const SlipiMass *mass, int32_t c, bool lower, int32_t stride,
                        double *column) {
  double y[SLIPI_ROOT_LU_MOST];
  SlipiRootLu block = block_of(mass, c);
  int32_t n = block.n;
  for (int32_t i = 0; i < n; i++)
    y[i] = column[(int64_t)i * stride];
  if (lower)
    slipi_root_lu_lower(&block, y);
  else
    slipi_root_lu_upper_transposed(&block, y);
  for (int32_t i = 0; i < n; i++)
    column[(int64_t)i * stride] = y[i];
}

/* H of one contact that touches `count` bodies, its rows being theirs. */
static void gather_bodies(const SlipProblem *problem, int32_t contact, int32_t count, double *to) {
  double block[3 * 2 * SLIPI_BODY_MOST];
  int32_t body[2], d = problem->d, n = slipi_body_dof(d);
  slipi_problem_contact_bodies(problem, contact, body);
  slipi_problem_contact_block(problem, contact, count, body, block);
  for (int32_t k = 0; k < count * n; k++)
    for (int32_t t = 0; t < d; t++)
      to[k * d + t] = block[t * 2 * n + k];
}

/* H of one contact in the order of its rows. */
static void gather_rows(const SlipiMass *mass, const SlipProblem *problem, int32_t contact,
                        const SlipiRows *rows, double *to) {
  const SlipiCsr *Ht = &problem->Ht;
  int64_t d = problem->d, begin = rows->p[contact] * d, end = rows->p[contact + 1] * d;
  if (mass->body > 0) {
    gather_bodies(problem, contact, (int32_t)((end - begin) / (d * mass->body)), to + begin);
    return;
  }
  memset(to + begin, 0, (size_t)(end - begin) * sizeof *to);
  for (int32_t t = 0; t < d; t++) {
    int32_t column = contact * (int32_t)d + t;
    for (int32_t k = Ht->p[column]; k < Ht->p[column + 1]; k++) {
      int32_t place = mass->place[Ht->i[k]], c = mass->component[Ht->i[k]];
      if (c < mass->small_components)
        to[(mass->row[c] + place - mass->start[c]) * d + t] = Ht->x[k];
    }
  }
}

static void fill_rows(SlipiMass *mass, const SlipProblem *problem, SlipiRows *rows) {
  int32_t d = problem->d;
  for (int32_t contact = 0; contact < problem->nc; contact++) {
    int32_t count = small_components(mass, problem, contact), row = rows->p[contact];
    for (int32_t l = 0; l < count; l++) {
      int32_t c = mass->list[l];
      mass->row[c] = row;
      for (int32_t place = mass->start[c]; place < mass->start[c + 1]; place++)
        rows->k[row++] = place;
    }
    gather_rows(mass, problem, contact, rows, rows->b);
    if (!mass->symmetric)
      gather_rows(mass, problem, contact, rows, rows->a);
    for (int32_t l = 0; l < count; l++) {
      int32_t c = mass->list[l];
      int64_t first = (int64_t)mass->row[c] * d;
      for (int32_t t = 0; t < d; t++) {
        half_column(mass, c, true, d, rows->b + first + t);
        if (!mass->symmetric)
          half_column(mass, c, false, d, rows->a + first + t);
      }
    }
  }
}

SlipStatus slipi_mass_rows(SlipiMass *mass, const SlipProblem *problem, SlipiArena *arena,
                           SlipiRows *rows, SlipError *error) {
  int32_t nc = problem->nc, d = problem->d;
  *rows = (SlipiRows){.d = d, .nc = nc};
  rows->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)nc + 1);
  int64_t count = 0;
  memset(mass->seen, 0, (size_t)mass->components * sizeof *mass->seen);
  for (int32_t contact = 0; !arena->failed && contact < nc; contact++) {
    int32_t touched = small_components(mass, problem, contact);
    for (int32_t l = 0; l < touched; l++)
      count += mass->start[mass->list[l] + 1] - mass->start[mass->list[l]];
    rows->p[contact + 1] = (int32_t)count;
    if (count > INT32_MAX)
      break;
  }
  SlipStatus status = SLIP_OK;
  if (count > INT32_MAX) {
    status = slipi_fail(error, SLIP_ERROR_PROBLEM, "H has more than %d entries in velocity form",
                        INT32_MAX);
  } else {
    rows->k = SLIPI_ARENA_NEW(arena, int32_t, count);
    rows->b = SLIPI_ARENA_NEW(arena, double, count *d);
    rows->a = mass->symmetric ? rows->b : SLIPI_ARENA_NEW(arena, double, count *d);
    if (arena->failed)
      status = slipi_fail_memory(error, "the velocity form of H");
  }
  if (status == SLIP_OK) {
    memset(mass->seen, 0, (size_t)mass->components * sizeof *mass->seen);
    fill_rows(mass, problem, rows);
  }
  return status;
}

/* x = L^-1 x, or U^-T x, for d rows of n values, 2n apart. */
static inline void solve_rows(const SlipiRootLu *block, bool lower, int32_t d, int32_t n,
                              double *x) {
  if (block->alone == n) {
    double diagonal[SLIPI_BODY_MOST];
    memcpy(diagonal, block->diagonal, (size_t)n * sizeof *diagonal);
    for (int32_t c = 0; c < d; c++, x += 2 * n)
      for (int32_t i = 0; i < n; i++)
        x[i] /= diagonal[i];
    return;
  }
  for (int32_t c = 0; c < d; c++, x += 2 * n) {
    if (lower)
      slipi_root_lu_lower(block, x);
    else
      slipi_root_lu_upper_transposed(block, x);
  }
}

void slipi_mass_pair(const SlipiMass *mass, const SlipProblem *problem, int32_t contact,
                     int32_t first[2], double *a, double *b) {
  int32_t d = problem->d, n = mass->body, body[2];
  int32_t count = slipi_problem_contact_bodies(problem, contact, body);
  slipi_problem_contact_block(problem, contact, count, body, a);
  if (b)
    memcpy(b, a, (size_t)(2 * d * n) * sizeof *b);
  first[0] = count > 0 ? body[0] * n : mass->dof;
  first[1] = count > 1 ? body[1] * n : first[0];
  for (int32_t side = 0; side < count; side++) {
    SlipiRootLu block = block_of(mass, body[side]);
    ptrdiff_t at = (ptrdiff_t)side * n;
    if (b) {
      solve_rows(&block, false, d, n, a + at);
      solve_rows(&block, true, d, n, b + at);
    } else if (d == 3) { /* loops of fixed length */
      solve_rows(&block, true, 3, 6, a + at);
    } else {
      solve_rows(&block, true, d, n, a + at);
    }
  }
}
