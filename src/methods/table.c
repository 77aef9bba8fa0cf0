/* The methods, in the order `slipcone list` shows them; the first is the default. */
#include "methods/method.h"

#include <string.h>

static const SlipiMethod *const methods[] = {
    &slipi_method_nsgs,      &slipi_method_psor,     &slipi_method_nsn_ac,
    &slipi_method_nsn_ac_gp, &slipi_method_nsn_ac_a, &slipi_method_nsn_jm,
    &slipi_method_nsn_jm_gp, &slipi_method_nsn_jm_a, &slipi_method_nsn_nm,
    &slipi_method_nsn_nm_gp, &slipi_method_nsn_nm_a, &slipi_method_nsn_fb,
    &slipi_method_nsn_fb_gp, &slipi_method_nsn_fb_a, &slipi_method_nsn_hsw,
    &slipi_method_nsn_xsw,
};

enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

const SlipiMethod *slipi_method_at(int index) {
  return index >= 0 && index < METHOD_COUNT ? methods[index] : NULL;
}

const SlipiMethod *slipi_method_find(const char *name) {
  for (int k = 0; k < METHOD_COUNT; k++) {
    if (strcmp(methods[k]->info.name, name) == 0)
      return methods[k];
  }
  return NULL;
}

int slip_method_count(void) {
  return METHOD_COUNT;
}

const SlipMethodInfo *slip_method_info(int index) {
  const SlipiMethod *method = slipi_method_at(index);
  return method ? &method->info : NULL;
}

const SlipMethodInfo *slip_method_find(const char *name) {
  const SlipiMethod *method = name ? slipi_method_find(name) : NULL;
  return method ? &method->info : NULL;
}
