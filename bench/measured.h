/* What measurements of whole files share: processor time, failures, one thread. Functions in a
 * header, because scripts compile single files of this folder against installed versions of the
 * library. */
#ifndef BENCH_MEASURED_H
#define BENCH_MEASURED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/slipcone.h>

/* There when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

/* One thread of the BLAS, as in the tool. */
static inline void one_blas_thread(void) {
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
}

/* Processor time of this process: other programs may run beside. */
static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline void must(SlipStatus status, const SlipError *error) {
  if (status == SLIP_OK)
    return;
  fprintf(stderr, "%s\n", error->text);
  exit(2);
}

/* The name of a file without its folders. */
static inline const char *file_name(const char *path) {
  const char *name = strrchr(path, '/');
  return name ? name + 1 : path;
}

#endif
