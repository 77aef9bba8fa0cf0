/* The matrix of interior point where M couples degrees of freedom: N + A E A' (SlipiShare.couple),
 * to which each process adds its rows of N and its contacts' part of A E A'. The rows of the
 * bodies' z are the part's degrees of freedom. */
#include <stdlib.h>
#include <string.h>

#include "contact/system_velocity.h"
#include "mpi/coupled.h"

/* The residual at which a solver that iterates ends: the method refines what is left over. */
static const double ITERATE_TO = 1e-12;

typedef struct Matrix {
  const SlipMpiProblem *part;
  PetscCount entries, mass_entries; /* those of N come first */
  int64_t count;                    /* the contacts' */
  PetscInt *row, *col;              /* only while the matrix is made */
  double *x;
  Mat K;
  SlipiFactors factors;
  Vec b, y;
} Matrix;

void slipi_coupled_matrix_free(void *matrix) {
  Matrix *s = matrix;
  slipi_factors_free(&s->factors);
  if (s->K)
    MatDestroy(&s->K);
  if (s->b)
    VecDestroy(&s->b);
  if (s->y)
    VecDestroy(&s->y);
  free(s->row);
  free(s->col);
  free(s->x);
  free(s);
}

/* The own rows of N, counted or listed. */
static bool list_mass(Matrix *s) {
  const SlipiCoupled *coupled = s->part->coupled;
  bool listed = true;
  s->mass_entries = 0;
  for (PetscInt k = 0; k < coupled->own && listed; k++) {
    PetscInt row = coupled->first + k, count = 0;
    const PetscInt *cols = NULL;
    const PetscScalar *values = NULL;
    listed = MatGetRow(coupled->M, row, &count, &cols, &values) == 0;
    for (PetscInt l = 0; l < count && s->x && listed; l++) {
      s->row[s->mass_entries + l] = row;
      s->col[s->mass_entries + l] = cols[l];
      s->x[s->mass_entries + l] = values[l];
    }
    s->mass_entries += count;
    listed = listed && MatRestoreRow(coupled->M, row, &count, &cols, &values) == 0;
  }
  return listed;
}

/* The entries of A E A', in the order of their values: each body is one degree of freedom. */
static void list_contacts(const Matrix *s, const SlipiBodyMatrix *bodies) {
  const int64_t *number = s->part->body;
  for (int32_t b = 0; b < bodies->bodies; b++) {
    for (int32_t k = bodies->p[b]; k < bodies->p[b + 1]; k++) {
      PetscCount at = s->mass_entries + bodies->offset[k];
      s->row[at] = (PetscInt)number[b];
      s->col[at] = (PetscInt)number[bodies->j[k]];
    }
  }
}

static bool make_matrix(Matrix *s, const SlipiBodyMatrix *bodies) {
  const SlipiCoupled *coupled = s->part->coupled;
  bool made = list_mass(s);
  s->count = bodies->count;
  s->entries = s->mass_entries + bodies->count;
  size_t room = (size_t)s->entries + 1;
  s->row = malloc(room * sizeof *s->row);
  s->col = malloc(room * sizeof *s->col);
  s->x = calloc(room, sizeof *s->x);
  made = slipi_mpi_all(s->part->comm, made && s->row && s->col && s->x) && list_mass(s);
  if (made)
    list_contacts(s, bodies);
  made = made && MatCreate(s->part->comm, &s->K) == 0 && MatSetType(s->K, MATAIJ) == 0 &&
         MatSetSizes(s->K, coupled->own, coupled->own, PETSC_DETERMINE, PETSC_DETERMINE) == 0 &&
         MatSetPreallocationCOO(s->K, s->entries, s->row, s->col) == 0 &&
         MatSetValuesCOO(s->K, s->x, INSERT_VALUES) == 0 && /* which assembles it */
         MatCreateVecs(s->K, &s->y, &s->b) == 0;
  free(s->row);
  free(s->col);
  s->row = s->col = NULL;
  return made;
}

SlipStatus slipi_coupled_matrix_create(void *user, SlipiBodyMatrix *bodies, void **matrix,
                                       double *work, SlipError *error) {
  const SlipMpiProblem *part = user;
  Matrix *s = calloc(1, sizeof *s);
  *matrix = NULL;
  bool made = slipi_mpi_all(part->comm, s);
  if (made) {
    s->part = part;
    for (int32_t b = 0; b < bodies->bodies; b++)
      bodies->own[b] = part->settler[b] == part->rank;
    made = make_matrix(s, bodies) &&
           slipi_factors_create(&s->factors, part->comm, s->K, "slipcone_", false, ITERATE_TO) &&
           slipi_factors_work(&s->factors, work);
  }
  if (made)
    *matrix = s;
  else if (s)
    slipi_coupled_matrix_free(s);
  return slipi_mpi_agree(part->comm,
                         made ? SLIP_OK : slipi_fail_memory(error, "the matrix of a step"), error);
}

SlipStatus slipi_coupled_matrix_factor(void *matrix, const double *x, int *sign, SlipError *error) {
  Matrix *s = matrix;
  PCFailedReason reason = PC_NOERROR;
  *sign = 0;
  if (s->count > 0)
    memcpy(s->x + s->mass_entries, x, (size_t)s->count * sizeof *x);
  bool made =
      MatSetValuesCOO(s->K, s->x, INSERT_VALUES) == 0 && slipi_factors_make(&s->factors, &reason);
  SlipStatus status =
      made ? SLIP_OK
           : slipi_fail(error, SLIP_ERROR_NUMERIC, "PETSc could not factor the matrix of a step");
  status = slipi_mpi_agree(s->part->comm, status, error);
  if (status == SLIP_OK)
    *sign = reason == PC_NOERROR;
  return status;
}

/* z = (N + A E A')^-1 N z. */
void slipi_coupled_matrix_solve(void *matrix, double *z) {
  const Matrix *s = matrix;
  const SlipiCoupled *coupled = s->part->coupled;
  double *own = z + coupled->below;
  size_t bytes = (size_t)coupled->own * sizeof *own;
  PetscScalar *to;
  const PetscScalar *from;
  VecGetArray(s->y, &to);
  memcpy(to, own, bytes);
  VecRestoreArray(s->y, &to);
  MatMult(coupled->M, s->y, s->b);
  slipi_factors_solve(&s->factors, s->b, s->y);
  VecGetArrayRead(s->y, &from);
  memcpy(own, from, bytes);
  VecRestoreArrayRead(s->y, &from);
  slipi_coupled_to_others(s->part, z);
}

void slipi_coupled_matrix_add(void *matrix, double *z) {
  const Matrix *s = matrix;
  slipi_coupled_solve((void *)s->part, NULL, z);
}
