#include "contact/bodies.h"

#include <math.h>
#include <string.h>

/* Block of one side of a contact: d rows of n values. */
static const double *side_block(const SlipProblem *problem, int32_t contact, int side) {
  int64_t size = (int64_t)problem->d * problem->n;
  return problem->blocks + (2 * (int64_t)contact + side) * size;
}

static int32_t side_body(const SlipProblem *problem, int32_t contact, int side) {
  return problem->body[2 * (int64_t)contact + side];
}

static void cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static bool has_blocks(const SlipProblem *problem) {
  return problem->form == SLIP_FORM_BODIES;
}

void slipi_contact_frame(int d, const double *normal, double frame[3][3]) {
  for (int k = 0; k < d; k++)
    frame[0][k] = normal[k];
  if (d == 2) {
    frame[1][0] = -normal[1];
    frame[1][1] = normal[0];
    return;
  }
  int axis = 0; /* the one most across the normal */
  for (int k = 1; k < 3; k++)
    if (fabs(normal[k]) < fabs(normal[axis]))
      axis = k;
  double across = sqrt(1 - normal[axis] * normal[axis]);
  for (int k = 0; k < 3; k++)
    frame[1][k] = ((k == axis) - normal[axis] * normal[k]) / across;
  cross(frame[0], frame[1], frame[2]);
}

void slipi_contact_arm(int d, const double *arm, double frame[3][3], double sign, double *block) {
  int n = slipi_body_dof(d);
  for (int c = 0; c < d; c++) {
    double row[SLIPI_BODY_MOST] = {0};
    for (int k = 0; k < d; k++)
      row[k] = frame[c][k];
    if (d == 3)
      cross(arm, frame[c], row + 3);
    else
      row[2] = arm[0] * frame[c][1] - arm[1] * frame[c][0];
    for (int k = 0; k < n; k++)
      block[c * n + k] = sign * row[k];
  }
}

/* The functions that steps of a simulation spend their set-up in have loops of fixed length: d and
 * n are constants where these are called. */

/* u = H' v of bodies, the lower body of a contact first, as in the rows of a sparse matrix: the
 * sums have the same bits. */
static inline void spread_bodies(const SlipProblem *problem, const double *v, int32_t d, int32_t n,
                                 double *u) {
  const int32_t *body = problem->body;
  const double *blocks = problem->blocks;
  for (int64_t contact = 0; contact < problem->nc; contact++, body += 2, blocks += 2 * d * n) {
    double sum[3] = {0};
    int second = body[0] <= body[1];
    for (int k = 0; k < 2; k++) {
      int side = k == 0 ? !second : second;
      if (body[side] < 0)
        continue;
      const double *block = blocks + (ptrdiff_t)side * d * n, *x = v + (int64_t)body[side] * n;
      for (int32_t c = 0; c < d; c++)
        for (int32_t i = 0; i < n; i++)
          sum[c] += block[c * n + i] * x[i];
    }
    memcpy(u + contact * d, sum, (size_t)d * sizeof *u);
  }
}

void slipi_problem_spread(const SlipProblem *problem, const double *v, double *u) {
  if (!has_blocks(problem))
    slipi_csr_multiply(&problem->Ht, v, u);
  else if (problem->d == 3)
    spread_bodies(problem, v, 3, 6, u);
  else
    spread_bodies(problem, v, 2, 3, u);
}

/* p += H r of some contacts of bodies. */
static inline void gather_bodies(const SlipProblem *problem, int64_t first, int64_t end,
                                 const double *r, int32_t d, int32_t n, double *p) {
  const double *block = problem->blocks + 2 * first * d * n;
  for (int64_t k = 2 * first; k < 2 * end; k++, block += d * n) {
    const double *x = r + k / 2 * d;
    double *to = p + (int64_t)problem->body[k] * n;
    for (int32_t c = 0; problem->body[k] >= 0 && c < d; c++)
      for (int32_t i = 0; i < n; i++)
        to[i] += block[c * n + i] * x[c];
  }
}

void slipi_problem_gather_add(const SlipProblem *problem, int32_t first, int32_t end,
                              const double *r, double *p) {
  const SlipiCsr *Ht = &problem->Ht;
  if (has_blocks(problem) && problem->d == 3)
    gather_bodies(problem, first, end, r, 3, 6, p);
  else if (has_blocks(problem))
    gather_bodies(problem, first, end, r, 2, 3, p);
  else
    for (int32_t row = first * problem->d; row < end * problem->d; row++)
      for (int32_t k = Ht->p[row]; k < Ht->p[row + 1]; k++)
        p[Ht->i[k]] += Ht->x[k] * r[row];
}

void slipi_problem_gather(const SlipProblem *problem, const double *r, double *p) {
  if (!has_blocks(problem)) {
    slipi_csr_multiply(&problem->H, r, p);
    return;
  }
  memset(p, 0, (size_t)problem->dof * sizeof *p);
  slipi_problem_gather_add(problem, 0, problem->nc, r, p);
}

/* |A| |x| of one row. */
static double absolute_row(const SlipiCsr *A, int32_t row, const double *x) {
  double sum = 0;
  for (int32_t k = A->p[row]; k < A->p[row + 1]; k++)
    sum += fabs(A->x[k] * x[A->i[k]]);
  return sum;
}

double slipi_problem_spread_bound(const SlipProblem *problem, int32_t row, const double *x) {
  if (!has_blocks(problem))
    return absolute_row(&problem->Ht, row, x);
  int32_t contact = row / problem->d, c = row % problem->d, n = problem->n;
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    int32_t body = side_body(problem, contact, side);
    const double *block = side_block(problem, contact, side) + (int64_t)c * n;
    for (int32_t k = 0; body >= 0 && k < n; k++)
      sum += fabs(block[k] * x[(int64_t)body * n + k]);
  }
  return sum;
}

void slipi_problem_gather_bound(const SlipProblem *problem, const double *r, double *y) {
  if (!has_blocks(problem)) {
    for (int32_t row = 0; row < problem->dof; row++)
      y[row] = absolute_row(&problem->H, row, r);
    return;
  }
  int32_t d = problem->d, n = problem->n;
  memset(y, 0, (size_t)problem->dof * sizeof *y);
  for (int32_t contact = 0; contact < problem->nc; contact++) {
    for (int side = 0; side < 2; side++) {
      int32_t body = side_body(problem, contact, side);
      const double *block = side_block(problem, contact, side);
      for (int32_t c = 0; body >= 0 && c < d; c++)
        for (int32_t k = 0; k < n; k++)
          y[(int64_t)body * n + k] += fabs(block[c * n + k] * r[(int64_t)contact * d + c]);
    }
  }
}

void slipi_problem_mass_diagonal(const SlipProblem *problem, double *diagonal) {
  int32_t n = problem->n;
  for (int32_t row = 0; row < problem->dof; row++) {
    diagonal[row] = 0;
    if (has_blocks(problem)) {
      diagonal[row] = problem->body_mass[(int64_t)row * n + row % n];
      continue;
    }
    const SlipiCsr *M = &problem->M;
    for (int32_t k = M->p[row]; k < M->p[row + 1]; k++)
      diagonal[row] = M->i[k] == row ? M->x[k] : diagonal[row];
  }
}

void slipi_problem_mass_asymmetry(const SlipProblem *problem, double *asymmetry, double *norm) {
  int32_t n = problem->n;
  double difference = 0, square = 0;
  for (int32_t row = 0; row < problem->dof; row++) {
    const double *block = problem->body_mass + (int64_t)(row / n) * n * n;
    for (int32_t k = 0; k < n; k++) {
      double entry = block[row % n * n + k], off = entry - block[k * n + row % n];
      difference += off * off;
      square += entry * entry;
    }
  }
  *asymmetry = sqrt(difference);
  *norm = sqrt(square);
}

int64_t slipi_problem_touches(const SlipProblem *problem) {
  return has_blocks(problem) ? 2 * (int64_t)problem->nc : problem->Ht.p[problem->m];
}

double slipi_problem_entries(const SlipProblem *problem, double times) {
  double n = problem->n, M = n * problem->dof, H = 2 * n * problem->m;
  if (!has_blocks(problem)) {
    M = problem->M.p[problem->dof];
    H = problem->H.p[problem->dof];
  }
  return M + (1 + times) * H;
}

/* Insert into an ascending list of at most two; returns the new count, above two where more came.
 */
static int32_t insert_body(int32_t *body, int32_t count, int32_t added) {
  if (count > 2 || (count > 0 && body[0] == added) || (count > 1 && body[1] == added))
    return count;
  if (count < 2)
    body[count] = added;
  if (count == 1 && body[0] > added) {
    body[1] = body[0];
    body[0] = added;
  }
  return count + 1;
}

int32_t slipi_problem_column_bodies(const SlipProblem *problem, int32_t contact, int32_t body[2]) {
  int32_t count = 0, d = problem->d, n = slipi_body_dof(d);
  const SlipiCsr *Ht = &problem->Ht;
  for (int32_t k = Ht->p[contact * d]; k < Ht->p[(contact + 1) * d]; k++)
    count = insert_body(body, count, Ht->i[k] / n);
  return count;
}

/* One half of the rows. */
static inline void copy_half(const double *from, int32_t d, int32_t n, double *restrict to) {
  for (int32_t c = 0; c < d; c++)
    for (int32_t k = 0; k < n; k++)
      to[c * 2 * n + k] = from[c * n + k];
}

/* Each side goes to its half of the rows; that of no body is zeros already. */
static inline void block_of_bodies(const SlipProblem *problem, int32_t contact, int32_t second,
                                   int32_t d, int32_t n, double *block) {
  const int32_t *body = problem->body + 2 * (int64_t)contact;
  const double *from = side_block(problem, contact, 0), *other = from + (ptrdiff_t)d * n;
  bool swapped = body[0] < 0 || body[0] == second;
  copy_half(swapped ? other : from, d, n, block);
  copy_half(swapped ? from : other, d, n, block + n);
  if (body[0] != body[1])
    return;
  for (int32_t c = 0; c < d; c++) /* both sides are of one body, the second half of none */
    for (int32_t k = 0; k < n; k++) {
      block[c * 2 * n + k] += block[c * 2 * n + n + k];
      block[c * 2 * n + n + k] = 0;
    }
}

void slipi_problem_contact_block(const SlipProblem *problem, int32_t contact, int32_t count,
                                 const int32_t body[2], double *block) {
  int32_t d = problem->d, n = slipi_body_dof(d), width = 2 * n;
  int32_t second = count > 1 ? body[1] : -2; /* no body has this number */
  if (has_blocks(problem) && d == 3) {
    block_of_bodies(problem, contact, second, 3, 6, block);
  } else if (has_blocks(problem)) {
    block_of_bodies(problem, contact, second, 2, 3, block);
  } else {
    const SlipiCsr *Ht = &problem->Ht;
    memset(block, 0, (size_t)(d * width) * sizeof *block);
    for (int32_t c = 0; c < d; c++) {
      for (int32_t k = Ht->p[contact * d + c]; k < Ht->p[contact * d + c + 1]; k++)
        block[c * width + (Ht->i[k] / n == second ? n : 0) + Ht->i[k] % n] = Ht->x[k];
    }
  }
}

/* ---- Assembly ---- */

static void assemble_mass(const SlipProblem *problem, SlipiCsr *M) {
  int32_t n = problem->n;
  for (int32_t row = 0; row < problem->dof; row++) {
    M->p[row + 1] = (row + 1) * n;
    for (int32_t k = 0; k < n; k++) {
      M->i[row * n + k] = row / n * n + k;
      M->x[row * n + k] = problem->body_mass[(int64_t)row * n + k];
    }
  }
}

static void assemble_rows(const SlipProblem *problem, SlipiCsr *Ht) {
  int32_t d = problem->d, n = problem->n, used = 0;
  double block[3 * 2 * SLIPI_BODY_MOST];
  for (int32_t contact = 0; contact < problem->nc; contact++) {
    int32_t body[2], count = slipi_problem_contact_bodies(problem, contact, body);
    slipi_problem_contact_block(problem, contact, count, body, block);
    for (int32_t c = 0; c < d; c++) {
      for (int32_t k = 0; k < count * n; k++) {
        Ht->i[used] = body[k / n] * n + k % n;
        Ht->x[used++] = block[c * 2 * n + k];
      }
      Ht->p[contact * d + c + 1] = used;
    }
  }
}

/* An empty matrix with room for `count` entries; they are indexed by 32 bits. */
static SlipStatus new_matrix(SlipiArena *arena, const char *name, int32_t rows, int32_t cols,
                             int64_t count, SlipiCsr *A, SlipError *error) {
  if (count > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "%s would have %lld entries, at most %d can be "
                      "indexed",
                      name, (long long)count, INT32_MAX);
  *A = (SlipiCsr){.rows = rows, .cols = cols};
  A->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)rows + 1);
  A->i = SLIPI_ARENA_NEW(arena, int32_t, count);
  A->x = SLIPI_ARENA_NEW(arena, double, count);
  return arena->failed ? slipi_fail_memory(error, name) : SLIP_OK;
}

SlipStatus slipi_problem_as_global(const SlipProblem *problem, SlipiArena *arena,
                                   SlipProblem *global, SlipError *error) {
  *global = *problem;
  global->arena = (SlipiArena){0};
  if (!has_blocks(problem))
    return SLIP_OK;
  global->form = SLIP_FORM_GLOBAL;
  int64_t entries = 0;
  for (int32_t contact = 0; contact < problem->nc; contact++) {
    int32_t body[2];
    entries += (int64_t)problem->m / problem->nc *
               (int64_t)slipi_problem_contact_bodies(problem, contact, body) * problem->n;
  }
  SlipStatus status = new_matrix(arena, "M", problem->dof, problem->dof,
                                 (int64_t)problem->dof * problem->n, &global->M, error);
  if (status == SLIP_OK)
    status = new_matrix(arena, "H", problem->m, problem->dof, entries, &global->Ht, error);
  if (status != SLIP_OK)
    return status;
  assemble_mass(problem, &global->M);
  assemble_rows(problem, &global->Ht);
  return slipi_csr_transpose(arena, &global->Ht, &global->H, error);
}
