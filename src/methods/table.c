/* The methods, in the order `slipcone list` shows them; the first is the default. */
#include "methods/method.h"

#include <string.h>

#include "base/option.h"

static const SlipiFamily *const families[] = {
    &slipi_family_auto,          &slipi_family_splitting, &slipi_family_vi,
    &slipi_family_nsn,           &slipi_family_ppa,       &slipi_family_pana,
    &slipi_family_approximation, &slipi_family_convexqp,  &slipi_family_socp,
    &slipi_family_faceted,       &slipi_family_alm,       &slipi_family_ipm,
    &slipi_family_arc,           &slipi_family_admm,      &slipi_family_few,
    &slipi_family_balls,         &slipi_family_held,
};

enum { FAMILY_COUNT = sizeof families / sizeof families[0] };

const SlipiMethod *slipi_method_at(int index) {
  for (int k = 0; index >= 0 && k < FAMILY_COUNT; k++) {
    if (index < families[k]->count)
      return &families[k]->methods[index];
    index -= families[k]->count;
  }
  return NULL;
}

const SlipiMethod *slipi_family_find(const SlipiFamily *family, const char *name) {
  for (int k = 0; k < family->count; k++) {
    if (strcmp(family->methods[k].info.name, name) == 0)
      return &family->methods[k];
  }
  return NULL;
}

const SlipiMethod *slipi_method_find(const char *name) {
  const SlipiMethod *method = NULL;
  for (int k = 0; k < FAMILY_COUNT && !method; k++)
    method = slipi_family_find(families[k], name);
  return method;
}

SlipiLawSet slipi_law_set(const SlipiLaw *law, int32_t contacts) {
  SlipiLawSet set = 0;
  for (int32_t a = 0; a < contacts; a++) {
    bool flows = (slipi_law_type(&law[a])->reads & SLIPI_READS_FLOW) != 0;
    bool relaxed = flows && law[a].flow == SLIP_FLOW_ASSOCIATED;
    set |= SLIPI_LAWS_NOT_RELAXED(law[a].kind) << relaxed;
  }
  return set;
}

bool slipi_method_treats(const SlipiMethod *method, const double *options, int32_t components,
                         int32_t contacts, SlipiLawSet laws) {
  return (method->components == 0 || method->components & 1U << components) &&
         (method->contacts_most == 0 || contacts <= method->contacts_most) &&
         (laws & ~slipi_method_laws(method, options)) == 0;
}

void slipi_method_defaults(const SlipiMethod *method, double *values) {
  const SlipMethodInfo *info = &method->info;
  slipi_option_defaults(info->options, info->option_count, values);
  for (const SlipOptionValue *preset = info->preset; preset && preset->name; preset++) {
    int k = slipi_option_find(info->options, info->option_count, preset->name);
    if (k >= 0) /* the presets are compiled in and tested */
      slipi_option_parse(&info->options[k], info->name, preset->value, &values[k], NULL);
  }
}

int slip_method_count(void) {
  int count = 0;
  for (int k = 0; k < FAMILY_COUNT; k++)
    count += families[k]->count;
  return count;
}

const SlipMethodInfo *slip_method_info(int index) {
  const SlipiMethod *method = slipi_method_at(index);
  return method ? &method->info : NULL;
}

const SlipMethodInfo *slip_method_find(const char *name) {
  const SlipiMethod *method = name ? slipi_method_find(name) : NULL;
  return method ? &method->info : NULL;
}

int slip_method_takes_law(const SlipMethodInfo *method, SlipLaw law, SlipFlow flow) {
  const SlipiMethod *whole = method ? slipi_method_find(method->name) : NULL;
  double options[SLIPI_OPTIONS_MAX];
  if (!whole || !slip_law_name((int)law))
    return 0;
  slipi_method_defaults(whole, options);
  SlipiLaw one = {.kind = (SlipiLawKind)law, .flow = (unsigned char)flow};
  if (method->associated)
    one = slipi_law_relaxed(one);
  if (slipi_law_type(&one)->shifted) /* methods see Coulomb's cone: contact/shift.h */
    one.kind = SLIPI_COULOMB;
  return (slipi_law_set(&one, 1) & ~slipi_method_laws(whole, options)) == 0;
}

int slip_method_takes_dimension(const SlipMethodInfo *method, int32_t dimension) {
  const SlipiMethod *whole = method ? slipi_method_find(method->name) : NULL;
  return whole && (dimension == 2 || dimension == 3) &&
         (whole->components == 0 || whole->components & 1U << dimension);
}

const char *slip_method_default(const SlipMethodInfo *method, int option) {
  if (!method || option < 0 || option >= method->option_count)
    return NULL;
  const SlipOptionInfo *own = &method->options[option];
  for (const SlipOptionValue *preset = method->preset; preset && preset->name; preset++) {
    if (strcmp(preset->name, own->name) == 0)
      return preset->value;
  }
  return own->initial;
}
