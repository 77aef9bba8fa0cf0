#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>

bool slipi_records_new(SlipiRecords *records, int64_t count, size_t size) {
  *records = (SlipiRecords){.count = count, .size = size};
  records->data = malloc((size_t)count * size + 1);
  records->rank = malloc((size_t)count * sizeof *records->rank + 1);
  return records->data && records->rank;
}

void slipi_records_free(SlipiRecords *records) {
  free(records->data);
  free(records->rank);
  *records = (SlipiRecords){0};
}

int slipi_mpi_least(MPI_Comm comm, int here) {
  int least = here;
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
  return least;
}

/* Where the records to, or from, each process begin. */
typedef struct Counts {
  int *sent, *got, *sent_at, *got_at;
} Counts;

static bool count_records(MPI_Comm comm, int ranks, const SlipiRecords *out, int *room,
                          Counts *counts, int64_t *total) {
  *counts = (Counts){room, room + ranks, room + 2 * ranks, room + 3 * ranks};
  memset(room, 0, 4 * (size_t)ranks * sizeof *room);
  for (int64_t k = 0; k < out->count; k++)
    counts->sent[out->rank[k]]++;
  MPI_Alltoall(counts->sent, 1, MPI_INT, counts->got, 1, MPI_INT, comm);
  int64_t sent = 0, got = 0;
  for (int r = 0; r < ranks; r++) {
    counts->sent_at[r] = (int)sent;
    counts->got_at[r] = (int)got;
    sent += counts->sent[r];
    got += counts->got[r];
  }
  *total = got;
  return sent <= INT32_MAX && got <= INT32_MAX;
}

/* The records by their process, each process's in their order. */
static void sort_records(const SlipiRecords *out, const int *at, int ranks, int *next,
                         char *sorted) {
  memcpy(next, at, (size_t)ranks * sizeof *next);
  for (int64_t k = 0; k < out->count; k++)
    memcpy(sorted + (size_t)next[out->rank[k]]++ * out->size, slipi_record(out, k), out->size);
}

SlipStatus slipi_mpi_route(MPI_Comm comm, const SlipiRecords *out, SlipiRecords *in,
                           SlipError *error) {
  int ranks;
  int64_t total = 0;
  Counts counts;
  MPI_Comm_size(comm, &ranks);
  int *room = malloc(5 * (size_t)ranks * sizeof *room);
  char *sorted = malloc((size_t)out->count * out->size + 1);
  *in = (SlipiRecords){.size = out->size};
  bool well = slipi_mpi_all(comm, room && sorted);
  well = well && slipi_mpi_all(comm, count_records(comm, ranks, out, room, &counts, &total));
  well = well && slipi_mpi_all(comm, slipi_records_new(in, total, out->size));
  if (well) {
    MPI_Datatype type;
    MPI_Type_contiguous((int)out->size, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    sort_records(out, counts.sent_at, ranks, room + 4 * ranks, sorted);
    MPI_Alltoallv(sorted, counts.sent, counts.sent_at, type, in->data, counts.got, counts.got_at,
                  type, comm);
    MPI_Type_free(&type);
    for (int r = 0; r < ranks; r++)
      for (int k = 0; k < counts.got[r]; k++)
        in->rank[counts.got_at[r] + k] = r;
  } else {
    slipi_records_free(in);
  }
  free(room);
  free(sorted);
  return well ? SLIP_OK : slipi_fail_memory(error, "what the processes send each other");
}
