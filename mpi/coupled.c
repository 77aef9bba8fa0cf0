/* M that couples degrees of freedom: the part of a process, and solves with M by PETSc. MUMPS
 * factors it; another solver is named in PETSc's options, prefix slipcone_mass_. */
#include "mpi/coupled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/bodies.h"
#include "contact/rolling.h"

/* The residual at which a solver with M that iterates ends: nothing refines its solutions. */
static const double ITERATE_TO = 1e-14;
/* Asymmetry up to this is rounding, the diagonal of N being 1. */
static const double SYMMETRIC = 1e-12;

static int compare_numbers(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* ---- Degrees of freedom ---- */

static bool is_own(const SlipiCoupled *s, int64_t dof) {
  return dof >= s->first && dof < s->first + s->own;
}

/* The own degrees of freedom among the others that contacts touch, ascending. */
static SlipStatus number(SlipMpiProblem *part, const SlipiEntries *H, SlipError *error) {
  SlipiCoupled *s = part->coupled;
  int64_t *other = malloc((size_t)H->count * sizeof *other + 1);
  int32_t count = 0, unique = 0;
  if (!other)
    return slipi_fail_memory(error, "the degrees of freedom of a process");
  for (int32_t k = 0; k < H->count; k++)
    if (!is_own(s, H->entry[k].row))
      other[count++] = H->entry[k].row;
  qsort(other, (size_t)count, sizeof *other, compare_numbers);
  for (int32_t k = 0; k < count; k++)
    if (k == 0 || other[k] != other[k - 1])
      other[unique++] = other[k];
  part->nb = (int32_t)s->own + unique;
  part->body = SLIPI_ARENA_RAW(&part->arena, int64_t, part->nb);
  part->settler = SLIPI_ARENA_RAW(&part->arena, int32_t, part->nb);
  part->body_giver = SLIPI_ARENA_RAW(&part->arena, int32_t, part->nb);
  part->body_place = SLIPI_ARENA_NEW(&part->arena, int32_t, part->nb);
  while (s->below < unique && other[s->below] < s->first)
    s->below++;
  for (int32_t k = 0; k < part->nb && !part->arena.failed; k++) {
    bool own = k >= s->below && k < s->below + s->own;
    int64_t dof = own ? s->first + k - s->below : other[k < s->below ? k : k - (int32_t)s->own];
    part->body[k] = dof;
    part->settler[k] = part->body_giver[k] = slipi_range_owner(part->bodies, dof, part->ranks);
    part->body_place[k] = own ? k - (int32_t)s->below : 0;
  }
  free(other);
  return part->arena.failed ? slipi_fail_memory(error, "the degrees of freedom of a process")
                            : SLIP_OK;
}

/* From who has a row of M to who touches its degree of freedom. */
static bool make_forest(SlipMpiProblem *part) {
  const SlipiCoupled *s = part->coupled;
  PetscInt others = part->nb - s->own, count = 0;
  int64_t *below = malloc((size_t)part->ranks * sizeof *below), here = s->below;
  PetscInt *leaf = malloc((size_t)others * sizeof *leaf + 1);
  PetscSFNode *root = malloc((size_t)others * sizeof *root + 1);
  bool made = slipi_mpi_all(part->comm, below && leaf && root);
  if (made)
    MPI_Allgather(&here, 1, MPI_INT64_T, below, 1, MPI_INT64_T, part->comm);
  for (int32_t k = 0; k < part->nb && made; k++) {
    int owner = part->settler[k];
    if (owner == part->rank)
      continue;
    int64_t first = slipi_range_first(part->bodies, owner, part->ranks);
    leaf[count] = k;
    root[count++] =
        (PetscSFNode){.rank = owner, .index = (PetscInt)(below[owner] + part->body[k] - first)};
  }
  made = made && PetscSFCreate(part->comm, &part->spread) == 0 &&
         PetscSFSetGraph(part->spread, part->nb, count, leaf, PETSC_COPY_VALUES, root,
                         PETSC_COPY_VALUES) == 0 &&
         PetscSFSetUp(part->spread) == 0;
  free(below);
  free(leaf);
  free(root);
  return made;
}

/* PETSc ends the run where something fails here: its error handler is the user's. */
void slipi_coupled_to_others(const SlipMpiProblem *part, double *z) {
  PetscSFBcastBegin(part->spread, MPI_DOUBLE, z, z, MPI_REPLACE);
  PetscSFBcastEnd(part->spread, MPI_DOUBLE, z, z, MPI_REPLACE);
}

static void from_others(const SlipMpiProblem *part, double *z) {
  PetscSFReduceBegin(part->spread, MPI_DOUBLE, z, z, MPI_SUM);
  PetscSFReduceEnd(part->spread, MPI_DOUBLE, z, z, MPI_SUM);
}

/* ---- M ---- */

/* M with its diagonal scaled to 1, which goes to `diagonal` before. */
static bool make_mass(SlipMpiProblem *part, const SlipiEntries *M, double *diagonal) {
  SlipiCoupled *s = part->coupled;
  PetscInt *i = malloc((size_t)M->count * sizeof *i + 1);
  PetscInt *j = malloc((size_t)M->count * sizeof *j + 1);
  double *x = malloc((size_t)M->count * sizeof *x + 1);
  bool made = slipi_mpi_all(part->comm, i && j && x);
  for (int32_t k = 0; k < M->count && made; k++) {
    i[k] = M->entry[k].row;
    j[k] = M->entry[k].col;
    x[k] = M->entry[k].x;
  }
  const PetscScalar *own = NULL;
  made = made && MatCreate(part->comm, &s->M) == 0 && MatSetType(s->M, MATAIJ) == 0 &&
         MatSetSizes(s->M, s->own, s->own, PETSC_DETERMINE, PETSC_DETERMINE) == 0 &&
         MatSetPreallocationCOO(s->M, M->count, i, j) == 0 &&
         MatSetValuesCOO(s->M, x, INSERT_VALUES) == 0 && MatCreateVecs(s->M, &s->x, &s->b) == 0 &&
         MatGetDiagonal(s->M, s->x) == 0 && VecGetArrayRead(s->x, &own) == 0;
  if (made)
    memcpy(diagonal, own, (size_t)s->own * sizeof *diagonal);
  made = made && VecRestoreArrayRead(s->x, &own) == 0 && VecSqrtAbs(s->x) == 0 &&
         VecReciprocal(s->x) == 0 && MatDiagonalScale(s->M, s->x, s->x) == 0;
  free(i);
  free(j);
  free(x);
  return made;
}

static SlipStatus check_diagonal(const SlipMpiProblem *part, const double *diagonal,
                                 SlipError *error) {
  const SlipiCoupled *s = part->coupled;
  SlipStatus status = SLIP_OK;
  for (PetscInt k = 0; k < s->own && status == SLIP_OK; k++)
    if (!(diagonal[k] > 0) || !isfinite(diagonal[k]))
      status = slipi_fail(error, SLIP_ERROR_PROBLEM,
                          "M is not positive definite: the diagonal entry of row %d is %g",
                          (int)(s->first + k), diagonal[k]);
  return slipi_mpi_agree(part->comm, status, error);
}

static SlipStatus factor_mass(SlipMpiProblem *part, SlipError *error) {
  SlipiCoupled *s = part->coupled;
  PCFailedReason reason = PC_NOERROR;
  PetscBool symmetric = PETSC_FALSE;
  PetscInt negative = 0;
  bool made = MatIsSymmetric(s->M, SYMMETRIC, &symmetric) == 0 &&
              MatSetOption(s->M, MAT_SYMMETRIC, symmetric) == 0 &&
              slipi_factors_create(&s->factors, part->comm, s->M, "slipcone_mass_", symmetric,
                                   ITERATE_TO) &&
              slipi_factors_make(&s->factors, &reason);
  if (made && reason == PC_NOERROR)
    made = slipi_factors_negative(&s->factors, &negative);
  SlipStatus status = SLIP_OK;
  if (!made || reason != PC_NOERROR)
    status = slipi_fail(error, SLIP_ERROR_NUMERIC, "PETSc could not factor M");
  else if (negative > 0)
    status = slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "M is not positive definite: %d pivots are negative", (int)negative);
  return slipi_mpi_agree(part->comm, status, error);
}

/* A solve that did not come to its end is no velocity, and the run sees that. */
void slipi_coupled_solve(void *user, const double *f, double *z) {
  const SlipMpiProblem *part = user;
  const SlipiCoupled *s = part->coupled;
  double *own = z + s->below;
  PetscScalar *b;
  const PetscScalar *x;
  from_others(part, z);
  VecGetArray(s->b, &b);
  for (PetscInt k = 0; k < s->own; k++)
    b[k] = own[k] + (f ? f[s->below + k] : 0);
  VecRestoreArray(s->b, &b);
  bool solved = slipi_factors_solve(&s->factors, s->b, s->x);
  VecGetArrayRead(s->x, &x);
  for (PetscInt k = 0; k < s->own; k++)
    own[k] = solved ? x[k] : NAN;
  VecRestoreArrayRead(s->x, &x);
  slipi_coupled_to_others(part, z);
}

void slipi_coupled_spread(void *user, double *z) {
  slipi_coupled_solve(user, NULL, z);
}

SlipStatus slipi_coupled_gather(void *user, const double *c, double *p, SlipError *error) {
  const SlipMpiProblem *part = user;
  (void)error;
  slipi_problem_gather(part->problem, c, p);
  from_others(part, p);
  slipi_coupled_to_others(part, p);
  return SLIP_OK;
}

/* ---- The problem of a process ---- */

/* Entries of H by the places of degrees of freedom and contacts here. */
static bool place_entries(const SlipMpiProblem *part, const SlipiEntries *H, int32_t *row,
                          int32_t *col, double *x) {
  bool placed = true;
  for (int32_t k = 0; k < H->count; k++) {
    row[k] = slipi_part_find_body(part, H->entry[k].row);
    col[k] = (int32_t)(H->entry[k].col - part->first_contact * part->d);
    x[k] = H->entry[k].x;
    placed = placed && row[k] >= 0;
  }
  return placed;
}

/* M of it is the diagonal. */
static SlipStatus make_problem(SlipMpiProblem *part, const SlipiCoupledData *given,
                               const double *diagonal, const double *f, SlipError *error) {
  SlipiArena arena = {0};
  int32_t nb = part->nb, entries = given->H->count;
  int32_t *place = SLIPI_ARENA_RAW(&arena, int32_t, (int64_t)nb + 1);
  int32_t *row = SLIPI_ARENA_RAW(&arena, int32_t, entries);
  int32_t *col = SLIPI_ARENA_RAW(&arena, int32_t, entries);
  double *x = SLIPI_ARENA_RAW(&arena, double, entries);
  SlipStatus status = arena.failed ? slipi_fail_memory(error, "the problem of a process") : SLIP_OK;
  for (int32_t k = 0; k <= nb && status == SLIP_OK; k++)
    place[k] = k;
  if (status == SLIP_OK && !place_entries(part, given->H, row, col, x))
    status = slipi_fail(error, SLIP_ERROR_PROBLEM, "a contact is at another process");
  if (status == SLIP_OK) {
    SlipGlobalData data = slip_default_global_data();
    data.dimension = part->d;
    data.contacts = part->nc;
    data.M = (SlipMatrix){SLIP_CSR, nb, nb, nb, place, place, diagonal};
    data.H = (SlipMatrix){SLIP_TRIPLET, nb, part->d * part->nc, entries, col, row, x};
    data.f = f;
    data.w = given->w;
    data.laws = given->laws;
    data.compliance = given->compliance;
    status = slip_problem_create_global(&data, &part->problem, error);
  }
  if (status == SLIP_OK)
    part->problem->scattered = true;
  if (status == SLIP_OK && slipi_rolling_has(part->problem->law, part->nc))
    status = slipi_fail(
        error, SLIP_ERROR_PROBLEM,
        "contacts that resist rolling cannot be solved on many processes where M couples "
        "degrees of freedom");
  slipi_arena_free(&arena);
  return status;
}

/* The own values at their places, and those of the others. */
static void place_values(const SlipMpiProblem *part, const double *own, double *values) {
  const SlipiCoupled *s = part->coupled;
  memset(values, 0, (size_t)part->nb * sizeof *values);
  if (s->own > 0)
    memcpy(values + s->below, own, (size_t)s->own * sizeof *values);
  slipi_coupled_to_others(part, values);
}

static SlipStatus fill(SlipMpiProblem *part, const SlipiCoupledData *data, SlipError *error) {
  SlipiArena arena = {0};
  SlipStatus status = slipi_mpi_agree(part->comm, number(part, data->H, error), error);
  if (status != SLIP_OK)
    return status;
  double *own = SLIPI_ARENA_NEW(&arena, double, (int64_t)data->own_dof + 1);
  double *diagonal = SLIPI_ARENA_NEW(&arena, double, (int64_t)part->nb + 1);
  double *f = SLIPI_ARENA_NEW(&arena, double, (int64_t)part->nb + 1);
  bool made = slipi_mpi_all(part->comm, !arena.failed) && make_forest(part) &&
              make_mass(part, data->M, own);
  status = made ? SLIP_OK : slipi_fail_memory(error, "M");
  status = slipi_mpi_agree(part->comm, status, error);
  if (status == SLIP_OK)
    status = check_diagonal(part, own, error);
  if (status == SLIP_OK) {
    place_values(part, own, diagonal);
    place_values(part, data->f, f);
    status = slipi_mpi_agree(part->comm, make_problem(part, data, diagonal, f, error), error);
  }
  if (status == SLIP_OK)
    status = factor_mass(part, error);
  slipi_arena_free(&arena);
  return status;
}

SlipStatus slipi_coupled_create(MPI_Comm comm, const SlipiCoupledData *data,
                                SlipMpiProblem **problem, SlipError *error) {
  *problem = NULL;
  SlipMpiProblem *made = calloc(1, sizeof *made);
  SlipiCoupled *coupled = calloc(1, sizeof *coupled);
  SlipStatus status = made && coupled ? SLIP_OK : slipi_fail_memory(error, "a problem");
  status = slipi_mpi_agree(comm, status, error);
  if (status != SLIP_OK) {
    free(made);
    free(coupled);
    return status;
  }
  MPI_Comm_dup(comm, &made->comm);
  MPI_Comm_rank(comm, &made->rank);
  MPI_Comm_size(comm, &made->ranks);
  made->coupled = coupled;
  made->d = data->d;
  made->n = 1;
  made->bodies = data->dof;
  made->layout = slipi_layout_one(data->contacts, made->ranks);
  made->first_contact = data->first_contact;
  made->nc = made->own_contacts = data->own_contacts;
  made->own_bodies = data->own_dof;
  made->chunks = (SlipiChunks){.nc = made->nc, .size = made->nc > 0 ? made->nc : 1, .count = 1};
  coupled->first = (PetscInt)slipi_range_first(data->dof, made->rank, made->ranks);
  coupled->own = data->own_dof;
  status = fill(made, data, error);
  if (status == SLIP_OK)
    *problem = made;
  else
    slip_mpi_problem_free(made);
  return status;
}

void slipi_coupled_free(SlipiCoupled *coupled) {
  if (!coupled)
    return;
  slipi_factors_free(&coupled->factors);
  if (coupled->M)
    MatDestroy(&coupled->M);
  if (coupled->b)
    VecDestroy(&coupled->b);
  if (coupled->x)
    VecDestroy(&coupled->x);
  free(coupled);
}
