/* Vectors, laws and equality constraints of an FCLIB file: of each, what belongs to the bodies and
 * contacts of a process. */
#include <stdio.h>
#include <string.h>

#include "contact/laws.h"
#include "mpi/read.h"

enum { NAME = SLIPI_READ_NAME };

/* Where an array of Slipcone's own is: in a group of its own, or, in files of earlier versions,
 * among the vectors. */
static void own_name(const SlipiReader *reader, const char *array, char name[NAME]) {
  snprintf(name, NAME, "%s%s",
           slipi_read_has(reader, "slipcone_laws") ? "slipcone_laws/" : "vectors/slipcone_", array);
}

/* ---- Equality constraints ---- */

/* Which components each of their contacts binds, where the file says that. */
static SlipStatus read_bound(SlipiReader *reader, int32_t count, int32_t **bound, int64_t *groups,
                             SlipError *error) {
  char name[NAME];
  int32_t d = reader->data.dimension;
  int64_t sum = 0;
  own_name(reader, SLIPI_EQUALITY_BOUND, name);
  if (!slipi_read_has(reader, name))
    return SLIP_OK;
  *groups = slipi_read_length(reader, name);
  if (*groups < 0 || *groups > INT32_MAX / 3)
    return slipi_read_fail(reader, name, "is too long", error);
  *bound = SLIPI_ARENA_NEW(&reader->equality_arena, int32_t, *groups + 1);
  if (!*bound)
    return slipi_fail_memory(error, "the equality constraints");
  SlipStatus status = slipi_read_slab(reader, name, H5T_NATIVE_INT32, 0, *groups, *bound, error);
  for (int64_t a = 0; status == SLIP_OK && a < *groups; a++) {
    int32_t value = (*bound)[a];
    if (value < 0 || value >= 1 << d)
      return slipi_read_fail(reader, name, "has a value that names no components", error);
    sum += (value & 1) + (value >> 1 & 1) + (value >> 2 & 1);
  }
  if (status == SLIP_OK && sum != count)
    return slipi_read_fail(reader, name, "does not bind as many components as there are equalities",
                           error);
  return status;
}

SlipStatus slipi_read_equalities(SlipiReader *reader, int64_t contacts, SlipError *error) {
  int32_t *bound = NULL;
  int64_t groups = 0, count = slipi_read_length(reader, "vectors/b");
  bool found = slipi_read_has(reader, "G");
  SlipStatus status = SLIP_OK;
  if (found && (count < 0 || count > INT32_MAX))
    return slipi_read_fail(reader, "vectors/b", "is missing or too long, but there is G", error);
  count = found ? count : 0;
  if (count > 0)
    status = read_bound(reader, (int32_t)count, &bound, &groups, error);
  if (status != SLIP_OK)
    return status;
  return slipi_equalities_lay(&reader->equality_arena, reader->data.dimension, (int32_t)contacts,
                              (int32_t)count, bound, (int32_t)groups, &reader->equalities, error);
}

/* How many of the own contacts are the file's; the rest are made up by equalities. */
static int32_t own_head(const SlipiReader *reader) {
  int64_t left = reader->equalities.first - reader->first_contact;
  return (int32_t)(left < 0                           ? 0
                   : left < reader->data.own_contacts ? left
                                                      : reader->data.own_contacts);
}

/* The constants of the equalities at the own contacts. */
static SlipStatus read_constants(SlipiReader *reader, double *w, SlipError *error) {
  const SlipiEqualities *equalities = &reader->equalities;
  int64_t d = reader->data.dimension, from = d * reader->first_contact;
  int64_t end = from + d * reader->data.own_contacts, first = 0, last;
  while (first < equalities->count && equalities->place[first] < from)
    first++;
  for (last = first; last < equalities->count && equalities->place[last] < end;)
    last++;
  if (last == first)
    return SLIP_OK;
  double *b = SLIPI_ARENA_RAW(&reader->arena, double, last - first);
  SlipStatus status =
      b ? slipi_read_slab(reader, "vectors/b", H5T_NATIVE_DOUBLE, first, last - first, b, error)
        : slipi_fail_memory(error, "vectors/b");
  for (int64_t e = first; status == SLIP_OK && e < last; e++)
    w[equalities->place[e] - from] = b[e - first];
  return status;
}

/* ---- Vectors ---- */

/* So many values a contact, in the arena; zeros at those that equalities make up. */
static SlipStatus read_contacts(SlipiReader *reader, const char *name, bool real, int64_t width,
                                void **values, SlipError *error) {
  int64_t count = own_head(reader) * width, first = count > 0 ? reader->first_contact * width : 0;
  *values = slipi_arena_alloc(&reader->arena, (size_t)(reader->data.own_contacts * width) + 1,
                              real ? sizeof(double) : sizeof(int32_t));
  if (!*values)
    return slipi_fail_memory(error, name);
  return slipi_read_slab(reader, name, real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32, first, count,
                         *values, error);
}

/* Contacts that equalities make up are bilateral. */
static SlipStatus join_laws(SlipiReader *reader, int32_t *kind, SlipError *error) {
  const SlipiEqualities *equalities = &reader->equalities;
  int32_t own = reader->data.own_contacts, head = own_head(reader);
  int32_t *bound = SLIPI_ARENA_NEW(&reader->arena, int32_t, (int64_t)own + 1);
  if (!kind)
    kind = SLIPI_ARENA_NEW(&reader->arena, int32_t, (int64_t)own + 1);
  if (!bound || !kind)
    return slipi_fail_memory(error, "the laws");
  for (int32_t a = 0; a < own; a++) {
    int64_t group = reader->first_contact + a - equalities->first;
    if (a >= head)
      kind[a] = SLIP_BILATERAL;
    bound[a] = a >= head            ? equalities->bound[group]
               : reader->laws.bound ? reader->laws.bound[a]
                                    : (1 << reader->data.dimension) - 1;
  }
  reader->laws.kind = kind;
  reader->laws.bound = bound;
  return SLIP_OK;
}

static SlipStatus read_laws(SlipiReader *reader, SlipError *error) {
  SlipStatus status = SLIP_OK;
  void *values = NULL, *kind = NULL;
  for (int k = 0; k < SLIPI_LAW_PARAMETERS && status == SLIP_OK; k++) {
    const SlipiLawParameter *parameter = &slipi_law_parameters[k];
    char name[NAME] = "vectors/mu";
    if (strcmp(parameter->name, "mu") != 0)
      own_name(reader, parameter->name, name);
    if (!slipi_read_has(reader, name))
      continue;
    status = read_contacts(reader, name, parameter->real, 1, &values, error);
    slipi_laws_set_array(&reader->laws, parameter, values);
  }
  char name[NAME];
  own_name(reader, "law", name);
  if (status == SLIP_OK && slipi_read_has(reader, name))
    status = read_contacts(reader, name, false, 1, &kind, error);
  reader->laws.kind = kind;
  return status == SLIP_OK && reader->equalities.count > 0 ? join_laws(reader, kind, error)
                                                           : status;
}

SlipStatus slipi_read_vectors(SlipiReader *reader, SlipError *error) {
  SlipMpiData *data = &reader->data;
  int64_t d = data->dimension, n = reader->n;
  void *w = NULL, *C = NULL;
  double *f = SLIPI_ARENA_RAW(&reader->arena, double, data->own_bodies *n + 1);
  SlipStatus status = f ? slipi_read_slab(reader, "vectors/f", H5T_NATIVE_DOUBLE,
                                          reader->first_body * n, data->own_bodies * n, f, error)
                        : slipi_fail_memory(error, "vectors/f");
  if (status == SLIP_OK)
    status = read_contacts(reader, "vectors/w", true, d, &w, error);
  if (status == SLIP_OK)
    status = read_constants(reader, w, error);
  char compliance[NAME];
  own_name(reader, "compliance", compliance);
  if (status == SLIP_OK && slipi_read_has(reader, compliance))
    status = read_contacts(reader, compliance, true, d * d, &C, error);
  data->f = f;
  data->w = w;
  data->compliance = C;
  return status == SLIP_OK ? read_laws(reader, error) : status;
}
