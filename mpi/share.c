/* The share of a part: halos by PETSc's star forests, sums and largest values by reductions. */
#include "mpi/coupled.h"

/* PETSc and MPI end the run where something fails here: their error handlers are the user's. */
static void halo_begin(void *user, int32_t colour, double *z) {
  const SlipMpiProblem *part = user;
  PetscSFBcastBegin(part->halo[colour], part->unit, z, z, MPI_REPLACE);
}

static void halo_end(void *user, int32_t colour, double *z) {
  const SlipMpiProblem *part = user;
  PetscSFBcastEnd(part->halo[colour], part->unit, z, z, MPI_REPLACE);
}

static void spread(void *user, double *z) {
  const SlipMpiProblem *part = user;
  PetscSFBcastBegin(part->spread, part->unit, z, z, MPI_REPLACE);
  PetscSFBcastEnd(part->spread, part->unit, z, z, MPI_REPLACE);
}

static void add(void *user, int64_t *sums, int count) {
  const SlipMpiProblem *part = user;
  MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_INT64_T, MPI_SUM, part->comm);
}

/* NaN counts as the largest of all, on every process. */
static double most(void *user, double x) {
  const SlipMpiProblem *part = user;
  double both[2] = {x == x ? x : -INFINITY, x == x ? 0 : 1};
  MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_MAX, part->comm);
  return both[1] > 0 ? NAN : both[0];
}

/* Nobody sweeps where M couples. */
static SlipiShare coupled_share(const SlipMpiProblem *part) {
  return (SlipiShare){.user = (void *)part,
                      .contacts = part->layout.contacts,
                      .chunks = part->chunks,
                      .first = &part->first_contact,
                      .body = part->body,
                      .spread = slipi_coupled_spread,
                      .add = add,
                      .most = most,
                      .gather = slipi_coupled_gather,
                      .matrix_create = slipi_coupled_matrix_create,
                      .matrix_factor = slipi_coupled_matrix_factor,
                      .matrix_solve = slipi_coupled_matrix_solve,
                      .matrix_add = slipi_coupled_matrix_add,
                      .matrix_free = slipi_coupled_matrix_free,
                      .couple = slipi_coupled_solve};
}

SlipiShare slipi_part_share(const SlipMpiProblem *part) {
  if (part->coupled)
    return coupled_share(part);
  return (SlipiShare){.user = (void *)part,
                      .contacts = part->layout.contacts,
                      .degree = part->degree,
                      .chunks = part->chunks,
                      .first = part->first,
                      .body = part->body,
                      .begin = halo_begin,
                      .end = halo_end,
                      .spread = spread,
                      .add = add,
                      .most = most,
                      .loads_create = slipi_part_loads_create,
                      .loads_pass = slipi_part_loads_pass,
                      .gather = slipi_part_gather,
                      .matrix_create = slipi_part_matrix_create,
                      .matrix_factor = slipi_part_matrix_factor,
                      .matrix_solve = slipi_part_matrix_solve,
                      .matrix_add = slipi_part_matrix_add,
                      .matrix_free = slipi_part_matrix_free};
}
