/* Records that each process sends to others, all at once. */
#ifndef SLIPI_MPI_ROUTE_H
#define SLIPI_MPI_ROUTE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Records of one size, with the process each goes to or comes from. */
typedef struct SlipiRecords {
  int64_t count;
  size_t size;
  char *data;    /* count*size bytes, by malloc */
  int32_t *rank; /* count, by malloc */
} SlipiRecords;

/* Room for so many; false without memory, when they may only be freed. */
bool slipi_records_new(SlipiRecords *records, int64_t count, size_t size);
void slipi_records_free(SlipiRecords *records);

static inline void *slipi_record(const SlipiRecords *records, int64_t k) {
  return records->data + (size_t)k * records->size;
}

/* The least of what the processes have. */
int slipi_mpi_least(MPI_Comm comm, int here);

/* Whether all is well on every process. */
static inline bool slipi_mpi_all(MPI_Comm comm, bool here) {
  int all = slipi_mpi_least(comm, here);
  return here && all;
}

/* The status of all: on processes where nothing has failed, that another one has. */
static inline SlipStatus slipi_mpi_agree(MPI_Comm comm, SlipStatus status, SlipError *error) {
  bool all = slipi_mpi_all(comm, status == SLIP_OK);
  if (status != SLIP_OK || all)
    return status;
  return slipi_fail(error, SLIP_ERROR_PROBLEM, "another process could not take its part");
}

/* Send each record to its process. What arrives is in the order of the senders, and of each one in
 * the order it sent. */
SlipStatus slipi_mpi_route(MPI_Comm comm, const SlipiRecords *out, SlipiRecords *in,
                           SlipError *error);

#endif
