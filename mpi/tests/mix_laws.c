/* Writes a problem of a file with the laws of every third contact changed, and compliant contacts:
 * mix_laws FILE.hdf5 MIXED.hdf5. For bench/distributed.sh, which compares the bits of such
 * problems, too. */
#include <stdio.h>
#include <stdlib.h>

#include <slipcone/io.h>

int main(int argc, char **argv) {
  static const int32_t kinds[] = {SLIP_COULOMB, SLIP_FRICTIONLESS, SLIP_TRESCA,
                                  SLIP_COULOMB, SLIP_COHESIVE,     SLIP_BILATERAL};
  SlipError error = {0};
  SlipFile *file = NULL;
  SlipProblem *mixed = NULL;
  if (argc != 3 || slip_file_read(argv[1], SLIP_WANT_GLOBAL, &file, &error) != SLIP_OK) {
    fprintf(stderr, "mix_laws: %s\n", argc == 3 ? error.text : "two files are wanted");
    return 2;
  }
  SlipGlobalData data = slip_default_global_data();
  slip_problem_global_data(file->problem, &data, &error);
  int32_t nc = data.contacts, d = data.dimension;
  double *C = calloc((size_t)nc * (size_t)(d * d) + 1, sizeof *C);
  int32_t *kind = calloc((size_t)nc + 1, sizeof *kind);
  double *radius = calloc((size_t)nc + 1, sizeof *radius);
  double *cohesion = calloc((size_t)nc + 1, sizeof *cohesion);
  if (!kind || !radius || !cohesion || !C)
    return 2;
  SlipLaws laws = *data.laws;
  for (int32_t a = 0; a < nc; a++) {
    kind[a] = kinds[a / 3 % 6];
    radius[a] = 1e-4;
    cohesion[a] = 1e-3 * (1 + a % 7);
    for (int32_t k = 0; k < d && a % 5 == 0; k++)
      C[((size_t)a * (size_t)d + (size_t)k) * (size_t)d + (size_t)k] = 1e-3;
  }
  data.compliance = C;
  laws.kind = kind;
  laws.radius = radius;
  laws.cohesion = cohesion;
  data.laws = &laws;
  SlipStatus status = slip_problem_create_global(&data, &mixed, &error);
  if (status == SLIP_OK) {
    SlipWrite content = slip_default_write();
    content.problem = mixed;
    status = slip_file_write(argv[2], &content, &error);
  }
  if (status != SLIP_OK)
    fprintf(stderr, "mix_laws: %s\n", error.text);
  slip_problem_free(mixed);
  slip_file_free(file);
  free(kind);
  free(radius);
  free(cohesion);
  free(C);
  return status == SLIP_OK ? 0 : 2;
}
