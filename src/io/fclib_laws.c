#include "io/fclib_laws.h"

#include <stdio.h>

#include "contact/laws.h"
#include "io/equalities.h"

SlipStatus slipi_own_open(const SlipiH5Group *problem, const SlipiH5Group *vectors,
                          SlipiOwnArrays *own, SlipError *error) {
  int32_t version = 0;
  bool found = false;
  *own = (SlipiOwnArrays){.group = *vectors};
  SlipStatus status = slipi_h5_has(problem, SLIPI_OWN_GROUP, &found, error);
  if (status != SLIP_OK || !found)
    return status;
  status = slipi_h5_group(problem, SLIPI_OWN_GROUP, &own->group, error);
  own->apart = status == SLIP_OK;
  if (status == SLIP_OK)
    status = slipi_h5_int(&own->group, "version", &version, error);
  if (status == SLIP_OK && version != SLIPI_OWN_VERSION)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s/version is %d, expected %d", own->group.path,
                      version, SLIPI_OWN_VERSION);
  return status;
}

void slipi_own_close(SlipiOwnArrays *own) {
  if (own->apart)
    slipi_h5_group_close(&own->group);
}

void slipi_own_name(const SlipiOwnArrays *own, const char *array, char name[SLIPI_OWN_NAME]) {
  snprintf(name, SLIPI_OWN_NAME, "%s%s", own->apart ? "" : "slipcone_", array);
}

static SlipStatus check_laws(const SlipiOwnArrays *own, const char *name, const int32_t *values,
                             int32_t count, SlipError *error) {
  for (int32_t a = 0; a < count; a++) {
    char names[SLIPI_LAW_NAMES];
    if (values[a] >= 0 && values[a] < SLIPI_LAWS_PUBLIC)
      continue;
    slipi_laws_names(names);
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s/%s: contact %d has law %d, expected %s",
                      own->group.path, name, a, values[a], names);
  }
  return SLIP_OK;
}

/* A parameter of laws in a dataset of its own, where there is one. */
static SlipStatus read_parameter(const SlipiOwnArrays *own, const SlipiLawParameter *parameter,
                                 int32_t contacts, SlipiArena *arena, SlipLaws *laws,
                                 SlipError *error) {
  char name[SLIPI_OWN_NAME];
  bool found = false;
  double *reals = NULL;
  int32_t *ints = NULL;
  slipi_own_name(own, parameter->name, name);
  SlipStatus status = slipi_h5_has(&own->group, name, &found, error);
  if (status != SLIP_OK || !found)
    return status;
  if (parameter->real)
    status = slipi_h5_reals(&own->group, name, SLIPI_H5_EXACTLY, contacts, arena, &reals, error);
  else
    status = slipi_h5_ints(&own->group, name, SLIPI_H5_EXACTLY, contacts, arena, &ints, error);
  slipi_laws_set_array(laws, parameter, reals ? (void *)reals : (void *)ints);
  return status;
}

SlipStatus slipi_own_laws(const SlipiOwnArrays *own, int32_t contacts, SlipiArena *arena,
                          SlipLaws *laws, SlipError *error) {
  int32_t *values = NULL;
  bool found = false;
  char name[SLIPI_OWN_NAME];
  SlipStatus status = SLIP_OK;
  for (int k = 0; k < SLIPI_LAW_PARAMETERS && status == SLIP_OK; k++) {
    const SlipiLawParameter *parameter = &slipi_law_parameters[k];
    if (!slipi_laws_array(laws, parameter)) /* mu is there */
      status = read_parameter(own, parameter, contacts, arena, laws, error);
  }
  slipi_own_name(own, "law", name);
  if (status == SLIP_OK)
    status = slipi_h5_has(&own->group, name, &found, error);
  if (status != SLIP_OK || !found)
    return status;
  status = slipi_h5_ints(&own->group, name, SLIPI_H5_EXACTLY, contacts, arena, &values, error);
  laws->kind = values;
  return status == SLIP_OK ? check_laws(own, name, values, contacts, error) : status;
}

SlipStatus slipi_own_compliance(const SlipiOwnArrays *own, int32_t dimension, int32_t contacts,
                                SlipiArena *arena, const double **compliance, SlipError *error) {
  double *values = NULL;
  bool found = false;
  char name[SLIPI_OWN_NAME];
  slipi_own_name(own, "compliance", name);
  SlipStatus status = slipi_h5_has(&own->group, name, &found, error);
  if (status == SLIP_OK && found)
    status = slipi_h5_reals(&own->group, name, SLIPI_H5_EXACTLY,
                            (int64_t)contacts * dimension * dimension, arena, &values, error);
  *compliance = values;
  return status;
}

SlipStatus slipi_own_equality_bound(const SlipiOwnArrays *own, int32_t dimension, int32_t count,
                                    SlipiArena *arena, int32_t **bound, int64_t *groups,
                                    SlipError *error) {
  bool found = false;
  int64_t sum = 0;
  char name[SLIPI_OWN_NAME];
  slipi_own_name(own, SLIPI_EQUALITY_BOUND, name);
  SlipStatus status = slipi_h5_has(&own->group, name, &found, error);
  if (status != SLIP_OK || !found)
    return status;
  status = slipi_h5_length(&own->group, name, groups, NULL, error);
  if (status == SLIP_OK)
    status = slipi_h5_ints(&own->group, name, SLIPI_H5_EXACTLY, *groups, arena, bound, error);
  for (int64_t a = 0; status == SLIP_OK && a < *groups; a++) {
    int32_t value = (*bound)[a];
    if (value < 0 || value >= 1 << dimension)
      return slipi_fail(error, SLIP_ERROR_FORMAT, "%s/%s: value %lld is %d, expected 0 to %d",
                        own->group.path, name, (long long)a, value, (1 << dimension) - 1);
    sum += (value & 1) + (value >> 1 & 1) + (value >> 2 & 1);
  }
  if (status == SLIP_OK && (sum != count || *groups > INT32_MAX))
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s/%s binds %lld components at %lld contacts, but there are %d equality "
                      "constraints",
                      own->group.path, name, (long long)sum, (long long)*groups, count);
  return status;
}
