/* Time to form W of global problems: bench_reduce FILE...
 *
 * One line a file: its name, contacts, and seconds of the processor for W and q, which begins with
 * the factors of M; the least of two. Only functions that all versions of the library have are
 * called: bench/flexible_step.sh compiles this file against two of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/io.h>
#include <slipcone/slipcone.h>

/* One thread, as in the tool; there when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

/* Processor time of this process: other programs may run beside. */
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void must(SlipStatus status, const SlipError *error) {
  if (status == SLIP_OK)
    return;
  fprintf(stderr, "%s\n", error->text);
  exit(2);
}

int main(int argc, char **argv) {
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  for (int k = 1; k < argc; k++) {
    SlipFile *file;
    SlipError error;
    double least = HUGE_VAL;
    must(slip_file_read(argv[k], SLIP_WANT_GLOBAL, &file, &error), &error);
    for (int round = 0; round < 2; round++) {
      SlipProblem *local;
      double begun = now();
      must(slip_problem_reduce(file->problem, &local, &error), &error);
      least = fmin(least, now() - begun);
      slip_problem_free(local);
    }
    const char *name = strrchr(argv[k], '/');
    printf("%s %d %.3f\n", name ? name + 1 : argv[k], (int)slip_problem_contacts(file->problem),
           least);
    slip_file_free(file);
  }
  return 0;
}
