/* Time to form W of global problems: bench_reduce FILE...
 *
 * One line a file: its name, contacts, and seconds of the processor for W and q, which begins with
 * the factors of M; the least of two. Only functions that all versions of the library have are
 * called: bench/flexible_step.sh compiles this file against two of them. */
#include <math.h>
#include <stdio.h>

#include <slipcone/io.h>
#include <slipcone/slipcone.h>

#include "measured.h"

int main(int argc, char **argv) {
  one_blas_thread();
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
    printf("%s %d %.3f\n", file_name(argv[k]), (int)slip_problem_contacts(file->problem), least);
    slip_file_free(file);
  }
  return 0;
}
