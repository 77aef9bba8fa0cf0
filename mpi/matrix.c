/* The matrix of the bodies, I + B E A' (contact/system_velocity.h), that the processes share: a
 * MatBAIJ with a block for each two bodies that touch, to which each process adds what its contacts
 * have of it. It is L^-1 (M + H E H') U^-1 with M = L U.
 *
 * It is factored by MUMPS. Whoever wants another of PETSc's solvers names it in PETSc's options,
 * prefix slipcone_: -slipcone_ksp_type gmres -slipcone_pc_type asm. */
#include <stdlib.h>
#include <string.h>

#include "contact/system_velocity.h"
#include "mpi/factors.h"
#include "mpi/part.h"

/* The residual at which a solver that iterates ends: the method refines what is left over. */
static const double ITERATE_TO = 1e-12;

typedef struct Matrix {
  const SlipMpiProblem *part;
  const SlipiBodyMatrix *bodies;
  PetscInt n;       /* degrees of freedom of a body */
  PetscInt own;     /* bodies */
  PetscInt *number; /* of each touched body, in the order of the rows */
  double *room;     /* of all bodies of the part */
  Mat K;
  SlipiFactors factors;
  Vec rhs, x;
} Matrix;

void slipi_part_matrix_free(void *matrix) {
  Matrix *s = matrix;
  slipi_factors_free(&s->factors);
  if (s->K)
    MatDestroy(&s->K);
  if (s->rhs)
    VecDestroy(&s->rhs);
  if (s->x)
    VecDestroy(&s->x);
  free(s->number);
  free(s->room);
  free(s);
}

/* Bodies of the part are in the order of M's components; those of the matrix are the touched ones.
 */
static void to_part(const Matrix *s, const double *z) {
  size_t bytes = (size_t)s->n * sizeof *z;
  for (int32_t b = 0; b < s->bodies->bodies; b++)
    memcpy(s->room + s->n * s->bodies->component[b], z + s->n * b, bytes);
}

static void from_part(const Matrix *s, double *z) {
  size_t bytes = (size_t)s->n * sizeof *z;
  for (int32_t b = 0; b < s->bodies->bodies; b++)
    memcpy(z + s->n * b, s->room + s->n * s->bodies->component[b], bytes);
}

/* Who touches a body last has its row; the others are leaves of the part's star forest. */
static bool find_own(Matrix *s, SlipiBodyMatrix *bodies) {
  const SlipMpiProblem *part = s->part;
  PetscInt leaves = 0, first = 0;
  const PetscInt *leaf = NULL;
  bool *is_leaf = calloc((size_t)part->nb + 1, sizeof *is_leaf);
  PetscInt *number = calloc((size_t)part->nb + 1, sizeof *number);
  bool made = slipi_mpi_all(part->comm, is_leaf && number) &&
              PetscSFGetGraph(part->spread, NULL, &leaves, &leaf, NULL) == 0;
  for (PetscInt k = 0; made && k < leaves; k++)
    is_leaf[leaf ? leaf[k] : k] = true;
  for (int32_t b = 0; made && b < bodies->bodies; b++) {
    bodies->own[b] = !is_leaf[bodies->component[b]];
    s->own += bodies->own[b];
  }
  if (made) {
    MPI_Exscan(&s->own, &first, 1, MPIU_INT, MPI_SUM, part->comm);
    for (int32_t b = 0; b < bodies->bodies; b++)
      number[bodies->component[b]] = bodies->own[b] ? first++ : -1;
    made = PetscSFBcastBegin(part->spread, MPIU_INT, number, number, MPI_REPLACE) == 0 &&
           PetscSFBcastEnd(part->spread, MPIU_INT, number, number, MPI_REPLACE) == 0;
  }
  for (int32_t b = 0; made && b < bodies->bodies; b++)
    s->number[b] = number[bodies->component[b]];
  free(is_leaf);
  free(number);
  return made;
}

/* Add the blocks x (NULL: the pattern alone) of this process. */
static bool add_blocks(const Matrix *s, const double *x, Mat K) {
  const SlipiBodyMatrix *bodies = s->bodies;
  const double zeros[SLIPI_BODY_MOST * SLIPI_BODY_MOST] = {0};
  bool added = true;
  for (int32_t b = 0; b < bodies->bodies; b++)
    for (int32_t k = bodies->p[b]; k < bodies->p[b + 1] && added; k++)
      added = MatSetValuesBlocked(K, 1, &s->number[b], 1, &s->number[bodies->j[k]],
                                  x ? x + bodies->offset[k] : zeros,
                                  x ? ADD_VALUES : INSERT_VALUES) == 0;
  return added && MatAssemblyBegin(K, MAT_FINAL_ASSEMBLY) == 0 &&
         MatAssemblyEnd(K, MAT_FINAL_ASSEMBLY) == 0;
}

static bool make_matrix(Matrix *s) {
  MPI_Comm comm = s->part->comm;
  PetscInt rows = s->own * s->n;
  Mat pattern = NULL;
  bool made = MatCreate(comm, &pattern) == 0 && MatSetType(pattern, MATPREALLOCATOR) == 0 &&
              MatSetSizes(pattern, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE) == 0 &&
              MatSetBlockSize(pattern, s->n) == 0 && MatSetUp(pattern) == 0 &&
              add_blocks(s, NULL, pattern) && MatCreate(comm, &s->K) == 0 &&
              MatSetType(s->K, MATBAIJ) == 0 && MatSetOptionsPrefix(s->K, "slipcone_") == 0 &&
              MatSetFromOptions(s->K) == 0 && /* preconditioners may want another form of it */
              MatSetSizes(s->K, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE) == 0 &&
              MatSetBlockSize(s->K, s->n) == 0 &&
              MatPreallocatorPreallocate(pattern, PETSC_TRUE, s->K) == 0 &&
              MatCreateVecs(s->K, &s->x, &s->rhs) == 0;
  if (pattern)
    MatDestroy(&pattern);
  return made;
}

SlipStatus slipi_part_matrix_create(void *user, SlipiBodyMatrix *bodies, void **matrix,
                                    double *work, SlipError *error) {
  const SlipMpiProblem *part = user;
  *matrix = NULL;
  Matrix *s = calloc(1, sizeof *s);
  if (s) {
    *s = (Matrix){.part = part, .bodies = bodies, .n = part->n};
    s->number = calloc((size_t)bodies->bodies + 1, sizeof *s->number);
    s->room = calloc((size_t)part->nb * (size_t)part->n + 1, sizeof *s->room);
  }
  bool made = slipi_mpi_all(part->comm, s && s->number && s->room) && find_own(s, bodies) &&
              make_matrix(s) &&
              slipi_factors_create(&s->factors, part->comm, s->K, "slipcone_", false, ITERATE_TO) &&
              slipi_factors_work(&s->factors, work);
  if (made)
    *matrix = s;
  else if (s)
    slipi_part_matrix_free(s);
  return slipi_mpi_agree(
      part->comm, made ? SLIP_OK : slipi_fail_memory(error, "the matrix of the bodies"), error);
}

SlipStatus slipi_part_matrix_factor(void *matrix, const double *x, int *sign, SlipError *error) {
  Matrix *s = matrix;
  PCFailedReason reason = PC_NOERROR;
  bool made = MatZeroEntries(s->K) == 0 && add_blocks(s, x, s->K) &&
              slipi_factors_make(&s->factors, &reason);
  *sign = 0;
  SlipStatus status =
      slipi_mpi_agree(s->part->comm,
                      made ? SLIP_OK
                           : slipi_fail(error, SLIP_ERROR_NUMERIC,
                                        "PETSc could not factor the matrix of the bodies"),
                      error);
  if (status == SLIP_OK)
    *sign = reason == PC_NOERROR;
  return status;
}

/* PETSc ends the run where something fails here: its error handler is the user's. What a solver
 * that iterates has left over is refined, or seen in the residual. */
void slipi_part_matrix_solve(void *matrix, double *z) {
  const Matrix *s = matrix;
  const SlipMpiProblem *part = s->part;
  size_t bytes = (size_t)s->n * sizeof *z;
  PetscScalar *values;
  PetscInt place = 0;
  VecGetArray(s->rhs, &values);
  for (int32_t b = 0; b < s->bodies->bodies; b++)
    if (s->bodies->own[b])
      memcpy(values + s->n * place++, z + s->n * b, bytes);
  VecRestoreArray(s->rhs, &values);
  slipi_factors_solve(&s->factors, s->rhs, s->x);
  VecGetArray(s->x, &values);
  place = 0;
  for (int32_t b = 0; b < s->bodies->bodies; b++)
    if (s->bodies->own[b])
      memcpy(z + s->n * b, values + s->n * place++, bytes);
  VecRestoreArray(s->x, &values);
  to_part(s, z);
  PetscSFBcastBegin(part->spread, part->unit, s->room, s->room, MPI_REPLACE);
  PetscSFBcastEnd(part->spread, part->unit, s->room, s->room, MPI_REPLACE);
  from_part(s, z);
}

void slipi_part_matrix_add(void *matrix, double *z) {
  const Matrix *s = matrix;
  const SlipMpiProblem *part = s->part;
  to_part(s, z);
  PetscSFReduceBegin(part->spread, part->unit, s->room, s->room, MPI_SUM);
  PetscSFReduceEnd(part->spread, part->unit, s->room, s->room, MPI_SUM);
  PetscSFBcastBegin(part->spread, part->unit, s->room, s->room, MPI_REPLACE);
  PetscSFBcastEnd(part->spread, part->unit, s->room, s->room, MPI_REPLACE);
  from_part(s, z);
}
