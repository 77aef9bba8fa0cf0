/* The state of a run in a file: datasets of bytes, each process its contacts and chunks. A new
 * state is written beside the old one and takes its place when it is whole, so that whoever dies in
 * between leaves one that can be read. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "mpi/solver.h"

/* One pass over the state. */
typedef struct Pass {
  const SlipMpiProblem *part;
  hid_t file, transfer;
  bool reads, well;
} Pass;

/* A dataset of `total` bytes of which this process has `count` from `first` on. */
static void move(Pass *pass, const char *name, int64_t total, int64_t first, int64_t count,
                 void *bytes) {
  hsize_t whole = (hsize_t)total, start = (hsize_t)first, extent = (hsize_t)count;
  if (!pass->well)
    return;
  hid_t space = H5Screate_simple(1, &whole, NULL), memory = H5Screate_simple(1, &extent, NULL);
  hid_t dataset = pass->reads ? H5Dopen2(pass->file, name, H5P_DEFAULT)
                              : H5Dcreate2(pass->file, name, H5T_NATIVE_UCHAR, space, H5P_DEFAULT,
                                           H5P_DEFAULT, H5P_DEFAULT);
  bool fits = dataset >= 0 && H5Dget_storage_size(dataset) == whole;
  if (count > 0) {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &extent, NULL);
  } else {
    H5Sselect_none(space);
    H5Sselect_none(memory);
  }
  if (pass->reads)
    fits = fits && H5Dread(dataset, H5T_NATIVE_UCHAR, memory, space, pass->transfer, bytes) >= 0;
  else
    fits = dataset >= 0 &&
           H5Dwrite(dataset, H5T_NATIVE_UCHAR, memory, space, pass->transfer, bytes) >= 0;
  pass->well = fits;
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Sclose(memory);
  H5Sclose(space);
}

/* Values that are the same on all processes: the first one writes them. */
static void move_values(void *user, const char *name, void *data, size_t bytes) {
  Pass *pass = user;
  bool here = pass->reads || pass->part->rank == 0;
  move(pass, name, (int64_t)bytes, 0, here ? (int64_t)bytes : 0, data);
}

static void move_contacts(void *user, const char *name, void *data, size_t bytes, size_t stride) {
  Pass *pass = user;
  const SlipMpiProblem *part = pass->part;
  size_t nc = (size_t)part->nc;
  char *packed = stride == bytes ? data : malloc(nc * bytes + 1), *at = data;
  bool copied = stride != bytes;
  pass->well = slipi_mpi_all(part->comm, pass->well && (packed || nc == 0));
  for (size_t a = 0; copied && pass->well && !pass->reads && a < nc; a++)
    memcpy(packed + a * bytes, at + a * stride, bytes);
  move(pass, name, part->layout.contacts * (int64_t)bytes, part->first_contact * (int64_t)bytes,
       part->nc * (int64_t)bytes, packed);
  for (size_t a = 0; copied && pass->well && pass->reads && a < nc; a++)
    memcpy(at + a * stride, packed + a * bytes, bytes);
  if (copied)
    free(packed);
}

static void move_chunks(void *user, const char *name, void *data, size_t bytes) {
  Pass *pass = user;
  const SlipMpiProblem *part = pass->part;
  int64_t first = slipi_layout_first_chunk(&part->layout, part->rank), size = (int64_t)bytes;
  move(pass, name, part->layout.chunks * size, first * size, part->chunks.count * size, data);
}

static hid_t open_file(const SlipMpiSolver *solver, const char *path, bool reads) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Pset_fapl_mpio(access, solver->part->comm, MPI_INFO_NULL);
  hid_t file = reads ? H5Fopen(path, H5F_ACC_RDONLY, access)
                     : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  return file;
}

/* The state of the loop, after the number that tells whose it is. */
static bool move_state(SlipMpiSolver *solver, SlipiLoop *loop, hid_t file, bool reads) {
  Pass pass = {.part = solver->part, .file = file, .reads = reads, .well = file >= 0};
  const SlipiStateVisitor visitor = {&pass, move_values, move_contacts, move_chunks};
  uint64_t identity = solver->identity;
  pass.transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(pass.transfer, H5FD_MPIO_COLLECTIVE);
  move_values(&pass, "identity", &identity, sizeof identity);
  pass.well = slipi_mpi_all(solver->part->comm, pass.well && identity == solver->identity);
  if (pass.well)
    slipi_loop_visit(loop, &visitor);
  H5Pclose(pass.transfer);
  return slipi_mpi_all(solver->part->comm, pass.well);
}

static void note_trouble(SlipMpiSolver *solver, const char *what, const char *path) {
  if (solver->trouble == SLIP_OK)
    solver->trouble = slipi_fail(&solver->trouble_error, SLIP_ERROR_FILE, "%s %s", path, what);
}

/* Row states are made anew before a sweep whose number is a multiple of SLIPI_ROW_SWEEPS: before
 * that one they need not be kept. A run with raised folds of rough contacts is not kept. */
static void pause_run(void *user, SlipiLoop *loop) {
  SlipMpiSolver *solver = user;
  const SlipMpiProblem *part = solver->part;
  if ((loop->run->iteration + 1) % SLIPI_ROW_SWEEPS != 0 || solver->solver->raised)
    return;
  int due = slipi_clock_seconds() - solver->kept_at >= solver->every;
  MPI_Bcast(&due, 1, MPI_INT, 0, part->comm);
  if (!due)
    return;
  hid_t file = open_file(solver, solver->spare_path, false);
  bool well = slipi_mpi_all(part->comm, file >= 0) && move_state(solver, loop, file, false);
  well = (file < 0 || H5Fclose(file) >= 0) && well;
  well = slipi_mpi_all(part->comm, well);
  if (well && part->rank == 0)
    well = rename(solver->spare_path, solver->path) == 0;
  if (!slipi_mpi_all(part->comm, well))
    note_trouble(solver, "could not be written as a checkpoint", solver->path);
  solver->kept_at = slipi_clock_seconds();
}

static bool resume_run(void *user, SlipiLoop *loop) {
  SlipMpiSolver *solver = user;
  const SlipMpiProblem *part = solver->part;
  FILE *there = fopen(solver->path, "rb");
  solver->kept_at = slipi_clock_seconds();
  if (there)
    fclose(there);
  if (!slipi_mpi_all(part->comm, there != NULL))
    return false;
  hid_t file = open_file(solver, solver->path, true);
  bool well = slipi_mpi_all(part->comm, file >= 0) && move_state(solver, loop, file, true);
  if (file >= 0)
    H5Fclose(file);
  if (!well) {
    note_trouble(solver, "is no checkpoint of this problem, method and tolerance", solver->path);
    loop->outcome = SLIP_INTERRUPTED;
  }
  return well;
}

void slipi_checkpoint_done(SlipMpiSolver *solver) {
  SlipOutcome outcome = solver->solver->result.outcome;
  bool ended = outcome == SLIP_SOLVED || outcome == SLIP_STALLED || outcome == SLIP_DIVERGED;
  if (ended && solver->part->rank == 0)
    remove(solver->path);
}

/* ---- Whose state it is ---- */

static uint64_t mix(uint64_t sum, const void *data, size_t bytes) {
  const unsigned char *at = data;
  for (size_t k = 0; k < bytes; k++)
    sum = (sum ^ at[k]) * 0x100000001b3u; /* FNV-1a */
  return sum;
}

/* Of the problem, contact by contact, in any order; and of the settings. */
static uint64_t identity_of(const SlipMpiSolver *solver) {
  const SlipMpiProblem *part = solver->part;
  const SlipProblem *problem = part->problem;
  const SlipSettings *settings = &solver->solver->settings;
  size_t d = (size_t)part->d, n = (size_t)part->n;
  uint64_t sum = 0;
  for (size_t a = 0; a < (size_t)part->nc; a++) {
    int64_t number = part->first_contact + (int64_t)a;
    uint64_t own = mix(0xcbf29ce484222325u, &number, sizeof number);
    own = mix(own, problem->blocks + 2 * d * n * a, 2 * d * n * sizeof(double));
    own = mix(own, problem->w + d * a, d * sizeof(double));
    own = mix(own, &problem->laws.mu[a], sizeof(double));
    own = mix(own, &problem->law[a].depth, sizeof(double));
    for (int side = 0; side < 2; side++) {
      int32_t body = problem->body[2 * a + (size_t)side];
      if (body >= 0)
        own = mix(own, problem->f + n * (size_t)body, n * sizeof(double));
    }
    sum += own;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, part->comm);
  const SlipMethodInfo *info = &settings->method->info;
  sum = mix(sum, info->name, strlen(info->name));
  sum = mix(sum, settings->own, (size_t)info->option_count * sizeof *settings->own);
  return mix(sum, &settings->common[SLIPI_COMMON_TOL], sizeof(double));
}

static SlipStatus check_run(const SlipMpiSolver *solver, SlipError *error) {
  double rule = 0;
  if (!solver->solver->settings.method->visit_state)
    return slipi_fail(error, SLIP_ERROR_MISMATCH, "the state of %s cannot be kept",
                      solver->solver->settings.method->info.name);
  slip_settings_get_real(&solver->solver->settings, "omega-rule", &rule, NULL);
  if (rule != 0)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "the state of runs with an adaptive omega cannot be kept");
  if (solver->part->layout.chunks == 1)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "the problem is one chunk of %lld contacts, whose runs are not kept",
                      (long long)solver->part->layout.contacts);
  return SLIP_OK;
}

SlipStatus slip_mpi_solver_checkpoint(SlipMpiSolver *solver, const char *path, double every,
                                      SlipError *error) {
  slipi_error_clear(error);
  if (!solver || !solver->part || !path || !(every >= 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "path or solver is null, or the seconds are negative");
  SlipStatus status = check_run(solver, error);
  size_t length = strlen(path);
  char *kept = malloc(length + 1), *spare = malloc(length + 8);
  if (status == SLIP_OK && (!kept || !spare))
    status = slipi_fail_memory(error, "the path of a checkpoint");
  status = slipi_mpi_agree(solver->part->comm, status, error);
  if (status != SLIP_OK) {
    free(kept);
    free(spare);
    return status;
  }
  memcpy(kept, path, length + 1);
  snprintf(spare, length + 8, "%s.part", path);
  free(solver->path);
  free(solver->spare_path);
  solver->path = kept;
  solver->spare_path = spare;
  solver->every = every;
  solver->identity = identity_of(solver);
  solver->pause = (SlipiPause){solver, pause_run, resume_run};
  solver->solver->pause = &solver->pause;
  return SLIP_OK;
}
