/* Sizes of problems, one line each: contacts, degrees of freedom and contact density, which is the
 * number of contact components over that of degrees of freedom. `slipcone info` has rank and
 * condition too, which take long for large problems.
 *
 *   cmake --build build --target bench_sizes && build/tests/bench_sizes FILE... */
#include <stdio.h>

#include <slipcone/io.h>

int main(int argc, char **argv) {
  for (int k = 1; k < argc; k++) {
    SlipFile *file;
    SlipError error;
    if (slip_file_read(argv[k], SLIP_WANT_ANY, &file, &error) != SLIP_OK) {
      fprintf(stderr, "sizes: %s\n", error.text);
      return 2;
    }
    const SlipProblem *problem = file->problem;
    int32_t contacts = slip_problem_contacts(problem), dof = slip_problem_dof(problem);
    printf("%d %d %.3g\n", contacts, dof, (double)slip_problem_dimension(problem) * contacts / dof);
    slip_file_free(file);
  }
  return 0;
}
