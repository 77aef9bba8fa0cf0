/* The reader of FCLIB files: what its parts share. */
#ifndef SLIPI_MPI_READ_H
#define SLIPI_MPI_READ_H

#include <hdf5.h>

#include "io/equalities.h"
#include "mpi/coupled.h"

enum { SLIPI_READ_NAME = 96 };

typedef struct SlipiReader {
  MPI_Comm comm;
  int rank, ranks;
  const char *path;
  hid_t file;
  SlipMpiData data;
  SlipLaws laws;
  int32_t n;
  int64_t first_contact, first_body;
  double *M, *H;
  int64_t *body;
  bool coupled; /* M or H is not that of rigid bodies */
  SlipiEntries M_entries, H_entries;
  /* Those that the file has as equality constraints come after its contacts. Every process knows
   * where each of them is. */
  SlipiEqualities equalities;
  SlipiArena arena, equality_arena;
} SlipiReader;

/* Fails with a sentence about a dataset of fclib_global. */
SlipStatus slipi_read_fail(const SlipiReader *reader, const char *name, const char *what,
                           SlipError *error);
bool slipi_read_has(const SlipiReader *reader, const char *name);
/* How many values a dataset has; -1 where there is none. */
int64_t slipi_read_length(const SlipiReader *reader, const char *name);
/* Some values of a dataset of one dimension, or of two with one column. */
SlipStatus slipi_read_slab(const SlipiReader *reader, const char *name, hid_t type, int64_t first,
                           int64_t count, void *values, SlipError *error);

/* Which contacts the equality constraints make up: `contacts` come before them. */
SlipStatus slipi_read_equalities(SlipiReader *reader, int64_t contacts, SlipError *error);
/* f, w, laws and compliance of the bodies and contacts of this process. */
SlipStatus slipi_read_vectors(SlipiReader *reader, SlipError *error);

#endif
