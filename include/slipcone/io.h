/* Reading and writing problems, solutions and results. Formats are told by content when reading
 * (HDF5 signature, a folder of Matrix Market files, or Siconos text) and by the caller when
 * writing. A file is written to a temporary name beside its place and renamed when whole, so a
 * failed write leaves the old file.
 *
 * HDF5 has state of its own: threads may read and write at the same time only where it was built
 * thread-safe (H5is_library_threadsafe), as Debian's is. */
#ifndef SLIPCONE_IO_H
#define SLIPCONE_IO_H

#include <slipcone/slipcone.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SlipWantForm {
  SLIP_WANT_ANY, /* the local form where a file holds both */
  SLIP_WANT_LOCAL,
  SLIP_WANT_GLOBAL
} SlipWantForm;

/* Impulses and velocities as a file holds them: sizes are checked, values are not. At contacts that
 * stand for FCLIB's equality constraints r is their multiplier l, and u, which a file does not hold
 * there, is read as 0. */
typedef struct SlipSolution {
  size_t size;
  int32_t contacts, dimension, dof;
  const double *r, *u; /* dimension*contacts each */
  const double *v;     /* dof, or NULL */
} SlipSolution;

static inline SlipSolution slip_default_solution(void) {
  SlipSolution solution;
  memset(&solution, 0, sizeof solution);
  solution.size = sizeof solution;
  return solution;
}

/* Everything of interest in a file; the library's, until slip_file_free. */
typedef struct SlipFile {
  size_t size;
  SlipProblem *problem;
  char *title, *description, *math_info; /* NULL where the file has none */
  int has_local, has_global;             /* the forms the file holds */
  const SlipSolution *solution;          /* NULL where the file has none */
  const SlipSolution *const *guesses;
  int32_t guess_count;
  /* FCLIB's equality constraints; they are the bound components, in this order, of bilateral
   * contacts at the end of the problem. */
  int32_t equalities;
} SlipFile;

SLIP_API SlipStatus slip_file_read(const char *path, SlipWantForm form, SlipFile **file,
                                   SlipError *error);
/* Read a problem from the content of a file; `name` stands for the path in messages. */
SLIP_API SlipStatus slip_file_read_memory(const char *name, const void *bytes, size_t size,
                                          SlipWantForm form, SlipFile **file, SlipError *error);
SLIP_API void slip_file_free(SlipFile *file);

typedef enum SlipFormat {
  SLIP_FORMAT_FCLIB,  /* HDF5 */
  SLIP_FORMAT_SICONOS /* text; of the problem alone, and only Coulomb friction or none */
} SlipFormat;

/* Matrices are written as triplets. title, description and math_info may be NULL; a NULL solution
 * is left out; the law of each contact is written only where it is not plain Coulomb friction.
 * Bilateral contacts at the end of the problem become FCLIB's equality constraints where it can
 * hold them (docs/formats.md). */
typedef struct SlipWrite {
  size_t size;
  const SlipProblem *problem;
  const char *title, *description, *math_info;
  const SlipSolution *solution;
  const SlipSolution *const *guesses;
  int32_t guess_count;
  SlipFormat format;
} SlipWrite;

static inline SlipWrite slip_default_write(void) {
  SlipWrite content;
  memset(&content, 0, sizeof content);
  content.size = sizeof content;
  return content;
}

SLIP_API SlipStatus slip_file_write(const char *path, const SlipWrite *content, SlipError *error);

/* One run as a JSON object (the keys of `slipcone solve --json`): caller frees with
 * slip_text_free. */
SLIP_API SlipStatus slip_result_json(const char *file, double tol, const SlipResult *result,
                                     char **text, SlipError *error);
SLIP_API void slip_text_free(char *text);

enum { SLIP_NUMBER_TEXT = 32 };

/* The fewest digits that read back as the same number, in every locale: 1e-6, 0.25. Returns text,
 * which has room for SLIP_NUMBER_TEXT bytes; NULL for NULL. */
SLIP_API const char *slip_number_text(double value, char *text);

#ifdef __cplusplus
}
#endif

#endif
