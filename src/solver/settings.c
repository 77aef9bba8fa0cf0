#include "solver/settings.h"

#include <float.h>
#include <stdlib.h>

#include "base/option.h"

/* "auto", then the order of SlipiOperatorKind. */
static const char *const operators[] = {"auto", "dense", "block", "velocity", "factored", NULL};

static const SlipOptionInfo common_options[SLIPI_COMMON_COUNT] = {
    {"tol", SLIP_OPTION_REAL, "1e-6", 0, DBL_MAX, NULL,
     "natural-map error at which a problem counts as solved"},
    {"max-iter", SLIP_OPTION_INT, "1000000", 0, 9007199254740992.0, NULL,
     "iterations after which a run ends"},
    {"time-limit", SLIP_OPTION_REAL, "inf", 0, INFINITY, NULL,
     "seconds after which a run ends, those of the set-up before it included"},
    {"threads", SLIP_OPTION_INT, "1", 1, 1024, NULL,
     "threads; the result is the same for any number"},
    {"error-every", SLIP_OPTION_INT, "50", 1, 1e9, NULL,
     "most iterations between two evaluations of the natural-map error"},
    {"operator", SLIP_OPTION_CHOICE, "auto", 0, 0, operators, "how W is held"},
    {"trace", SLIP_OPTION_INT, "1024", 2, 1e8, NULL,
     "most points kept of the error's history; a longer one is thinned"},
};

const SlipOptionInfo *slip_common_options(int *count) {
  if (count)
    *count = SLIPI_COMMON_COUNT;
  return common_options;
}

void slipi_settings_init(SlipSettings *settings, const SlipiMethod *method) {
  *settings = (SlipSettings){.method = method};
  slipi_option_defaults(common_options, SLIPI_COMMON_COUNT, settings->common);
  slipi_method_defaults(method, settings->own);
}

SlipStatus slip_settings_create(const char *method, SlipSettings **settings, SlipError *error) {
  slipi_error_clear(error);
  if (!settings)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "settings is null");
  *settings = NULL;
  const SlipiMethod *found = method ? slipi_method_find(method) : slipi_method_at(0);
  if (!found)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no method '%s'", method);
  SlipSettings *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "settings");
  slipi_settings_init(made, found);
  *settings = made;
  return SLIP_OK;
}

void slip_settings_free(SlipSettings *settings) {
  free(settings);
}

void slip_settings_set_progress(SlipSettings *settings, SlipProgressFunction function, void *user) {
  settings->progress = function;
  settings->progress_user = user;
}

const char *slip_settings_method(const SlipSettings *settings) {
  return settings ? settings->method->info.name : NULL;
}

/* Where an option stands: in which table and at what index. */
typedef struct Place {
  const SlipOptionInfo *option;
  bool own; /* among the method's own options, or the common ones */
  int index;
} Place;

/* An option by name, among the method's own first; fails with a sentence. */
static SlipStatus find(const SlipSettings *settings, const char *name, Place *place,
                       SlipError *error) {
  const SlipMethodInfo *info = &settings->method->info;
  int k = slipi_option_find(info->options, info->option_count, name);
  if (k >= 0) {
    *place = (Place){&info->options[k], true, k};
    return SLIP_OK;
  }
  k = slipi_option_find(common_options, SLIPI_COMMON_COUNT, name);
  if (k < 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "method %s has no option '%s'", info->name, name);
  *place = (Place){&common_options[k], false, k};
  return SLIP_OK;
}

static void store(SlipSettings *settings, const Place *place, double value) {
  if (place->own)
    settings->own[place->index] = value;
  else
    settings->common[place->index] = value;
}

static SlipStatus check_arguments(const SlipSettings *settings, const char *name,
                                  SlipError *error) {
  slipi_error_clear(error);
  if (!settings || !name)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "settings or the option's name is null");
  return SLIP_OK;
}

SlipStatus slip_settings_set(SlipSettings *settings, const char *name, const char *value,
                             SlipError *error) {
  Place place = {0};
  double parsed = 0;
  SlipStatus status = check_arguments(settings, name, error);
  if (status == SLIP_OK && !value)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "the value of option %s is null", name);
  if (status == SLIP_OK)
    status = find(settings, name, &place, error);
  if (status == SLIP_OK)
    status =
        slipi_option_parse(place.option, slip_settings_method(settings), value, &parsed, error);
  if (status == SLIP_OK)
    store(settings, &place, parsed);
  return status;
}

SlipStatus slip_settings_set_real(SlipSettings *settings, const char *name, double value,
                                  SlipError *error) {
  Place place = {0};
  SlipStatus status = check_arguments(settings, name, error);
  if (status == SLIP_OK)
    status = find(settings, name, &place, error);
  if (status == SLIP_OK)
    status = slipi_option_check(place.option, slip_settings_method(settings), value, error);
  if (status == SLIP_OK)
    store(settings, &place, value);
  return status;
}

SlipStatus slip_settings_get_real(const SlipSettings *settings, const char *name, double *value,
                                  SlipError *error) {
  Place place = {0};
  SlipStatus status = check_arguments(settings, name, error);
  if (status == SLIP_OK && !value)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "value is null");
  if (status == SLIP_OK)
    status = find(settings, name, &place, error);
  if (status == SLIP_OK)
    *value = place.own ? settings->own[place.index] : settings->common[place.index];
  return status;
}
