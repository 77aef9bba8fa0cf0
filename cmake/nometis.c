/* METIS for programs that are linked with -static where no static METIS is to be had: Debian has
 * none, but its static CHOLMOD asks for it. CHOLMOD tries METIS beside AMD and keeps the better
 * ordering, so the natural order will do: AMD's is then taken.
 *
 * A linker may also take these functions where CHOLMOD is a shared library; the METIS that came
 * with it does the work then. */
#define _GNU_SOURCE 1 /* NOLINT: RTLD_NEXT */
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

enum { METIS_OK = 1 };

typedef int (*Ordering)(int32_t *, int32_t *, int32_t *, int32_t *, int32_t *, int32_t *,
                        int32_t *);

static Ordering shared(const char *name) {
  Ordering function = NULL;
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(&function, &found, sizeof function);
  return function;
}

int METIS_NodeND(int32_t *n, int32_t *p, int32_t *i, int32_t *weight, int32_t *options,
                 int32_t *order, int32_t *inverse);
int METIS_ComputeVertexSeparator(int32_t *n, int32_t *p, int32_t *i, int32_t *weight,
                                 int32_t *options, int32_t *separator, int32_t *part);

int METIS_NodeND(int32_t *n, int32_t *p, int32_t *i, int32_t *weight, int32_t *options,
                 int32_t *order, int32_t *inverse) {
  Ordering real = shared("METIS_NodeND");
  if (real)
    return real(n, p, i, weight, options, order, inverse);
  for (int32_t k = 0; k < *n; k++)
    order[k] = inverse[k] = k;
  return METIS_OK;
}

/* All in one part, which CHOLMOD takes for a graph that is not worth cutting. */
int METIS_ComputeVertexSeparator(int32_t *n, int32_t *p, int32_t *i, int32_t *weight,
                                 int32_t *options, int32_t *separator, int32_t *part) {
  Ordering real = shared("METIS_ComputeVertexSeparator");
  if (real)
    return real(n, p, i, weight, options, separator, part);
  *separator = 0;
  memset(part, 0, (size_t)*n * sizeof *part);
  return METIS_OK;
}
