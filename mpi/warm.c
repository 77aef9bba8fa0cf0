/* Warm starts: impulses that the caller gives, and those of the problem before by keys. */
#include "mpi/solver.h"

#include <stdlib.h>
#include <string.h>

/* Who gave a contact is known to who has it: that one asks. */
SlipStatus slipi_part_fetch(const SlipMpiProblem *part, const double *r, double **got,
                            SlipError *error) {
  size_t d = (size_t)part->d;
  typedef struct Wish {
    int32_t place, back;
    double x[3];
  } Wish;
  SlipiRecords out, in = {0}, answers = {0};
  *got = malloc((size_t)part->nc * d * sizeof **got + 1);
  bool room = slipi_records_new(&out, part->nc, sizeof(Wish)) && *got;
  for (int32_t a = 0; a < part->nc && room; a++) {
    Wish wish = {.place = part->contact_place[a], .back = a};
    memcpy(slipi_record(&out, a), &wish, sizeof wish);
    out.rank[a] = part->contact_giver[a];
  }
  SlipStatus status =
      slipi_mpi_agree(part->comm, room ? SLIP_OK : slipi_fail_memory(error, "a start"), error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &out, &in, error);
  for (int64_t k = 0; k < in.count; k++) {
    Wish *wish = slipi_record(&in, k);
    memcpy(wish->x, r + d * (size_t)wish->place, d * sizeof *r);
  }
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &in, &answers, error);
  for (int64_t k = 0; k < answers.count; k++) {
    const Wish *wish = slipi_record(&answers, k);
    memcpy(*got + d * (size_t)wish->back, wish->x, d * sizeof *r);
  }
  slipi_records_free(&out);
  slipi_records_free(&in);
  slipi_records_free(&answers);
  return status;
}

/* ---- By keys ---- */

/* A contact of the problem before (place -1), or one that looks for it. */
typedef struct Keyed {
  uint64_t key;
  int64_t number; /* in the problem before */
  int32_t place;
  double r[3];
} Keyed;

/* Where contacts with this key meet. */
static int meeting(uint64_t key, int ranks) {
  key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u; /* splitmix64 */
  key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
  return (int)((key ^ (key >> 31)) % (uint64_t)ranks);
}

/* By key; those of the problem before first, of these the one with the least number. */
static int compare_keyed(const void *a, const void *b) {
  const Keyed *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  if ((x->place < 0) != (y->place < 0))
    return x->place < 0 ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static SlipStatus send_keys(const SlipMpiSolver *solver, SlipiRecords *in, SlipError *error) {
  const SlipMpiProblem *part = solver->part;
  const uint64_t *key = part->problem->key;
  size_t d = (size_t)part->d;
  int64_t wishes = key ? part->nc : 0;
  SlipiRecords out;
  bool room = slipi_records_new(&out, solver->last_count + wishes, sizeof(Keyed));
  for (int64_t k = 0; k < out.count && room; k++) {
    bool old = k < solver->last_count;
    int64_t at = old ? k : k - solver->last_count;
    Keyed keyed = {.key = old   ? solver->last_key[at]
                          : key ? key[at]
                                : 0,
                   .number = old ? solver->last_first + at : 0,
                   .place = old ? -1 : (int32_t)at};
    if (old)
      memcpy(keyed.r, solver->last_r + d * (size_t)at, d * sizeof *keyed.r);
    memcpy(slipi_record(&out, k), &keyed, sizeof keyed);
    out.rank[k] = meeting(keyed.key, part->ranks);
  }
  SlipStatus status =
      slipi_mpi_agree(part->comm, room ? SLIP_OK : slipi_fail_memory(error, "a warm start"), error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &out, in, error);
  slipi_records_free(&out);
  return status;
}

/* Records with the rank they come from, to be sorted together. */
typedef struct Met {
  Keyed keyed;
  int32_t rank;
} Met;

/* The contacts that have found theirs, on their way back. */
static SlipStatus match(const SlipMpiProblem *part, const SlipiRecords *in, SlipiRecords *found,
                        SlipError *error) {
  Met *met = malloc((size_t)in->count * sizeof *met + 1);
  SlipiRecords out = {0};
  bool room = slipi_records_new(&out, in->count, sizeof(Keyed)) && met;
  const Keyed *old = NULL;
  out.count = 0;
  for (int64_t k = 0; k < in->count && room; k++) {
    memcpy(&met[k].keyed, slipi_record(in, k), sizeof(Keyed));
    met[k].rank = in->rank[k];
  }
  if (room && in->count > 0)
    qsort(met, (size_t)in->count, sizeof *met, compare_keyed);
  for (int64_t k = 0; k < in->count && room; k++) {
    Keyed *keyed = &met[k].keyed;
    if (keyed->place < 0) {
      old = old && old->key == keyed->key ? old : keyed;
    } else if (old && old->key == keyed->key) {
      memcpy(keyed->r, old->r, sizeof keyed->r);
      memcpy(slipi_record(&out, out.count), keyed, sizeof *keyed);
      out.rank[out.count++] = met[k].rank;
    }
  }
  SlipStatus status =
      slipi_mpi_agree(part->comm, room ? SLIP_OK : slipi_fail_memory(error, "a warm start"), error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &out, found, error);
  slipi_records_free(&out);
  free(met);
  return status;
}

SlipStatus slip_mpi_solver_warm_start_last(SlipMpiSolver *solver, SlipError *error) {
  slipi_error_clear(error);
  if (!solver || !solver->part)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null or without a problem");
  const SlipMpiProblem *part = solver->part;
  int32_t known = solver->last_count;
  if (solver->has_result)
    return slip_solver_warm_start_last(solver->solver, error);
  MPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT32_T, MPI_MAX, part->comm);
  if (known == 0)
    return SLIP_OK;
  SlipiRecords in = {0}, found = {0};
  size_t d = (size_t)part->d;
  const double *frame = part->problem->frame;
  /* Whether frames count is one decision of all, also of those without contacts. */
  bool world = slipi_mpi_all(part->comm, solver->last_count == 0 || solver->last_world) &&
               slipi_mpi_all(part->comm, part->nc == 0 || frame);
  SlipStatus status = send_keys(solver, &in, error);
  if (status == SLIP_OK)
    status = match(part, &in, &found, error);
  slipi_records_free(&in);
  double *r = status == SLIP_OK ? calloc((size_t)part->nc * d + 1, sizeof *r) : NULL;
  if (status == SLIP_OK && !r)
    status = slipi_fail_memory(error, "a warm start");
  status = slipi_mpi_agree(part->comm, status, error);
  for (int64_t k = 0; k < found.count && status == SLIP_OK; k++) {
    const Keyed *keyed = slipi_record(&found, k);
    double *to = r + d * (size_t)keyed->place;
    if (world)
      slipi_turn_to_frame(frame + d * d * (size_t)keyed->place, keyed->r, part->d, to);
    else
      memcpy(to, keyed->r, d * sizeof *to);
  }
  if (status == SLIP_OK)
    status = slipi_mpi_agree(part->comm, slip_solver_warm_start(solver->solver, r, error), error);
  slipi_records_free(&found);
  free(r);
  return status;
}
