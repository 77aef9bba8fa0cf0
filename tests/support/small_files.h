/* Two problems small enough to look at, as files, with the results that reading them must give.
 * Failures are cmocka assertions. */
#ifndef SLIPCONE_TESTS_SMALL_FILES_H
#define SLIPCONE_TESTS_SMALL_FILES_H

#include <slipcone/io.h>

/* Two contacts in 2D, with W = [2 0 1 0; 0 2 0 0; -1 0 3 0; 0 0 0 2] (as triplets): not
 * symmetric, so that rows and columns cannot be mixed up unnoticed. */
extern const int32_t small_row[6], small_col[6];
extern const double small_x[6], small_q[4], small_mu[2];
SlipProblem *small_local(const int32_t *law);

/* M = diag(1, 2, 4) */
extern const int32_t small_index[3];
extern const double small_mass[3], small_f[3];
SlipProblem *small_global(void);

void small_write(const char *path, const SlipWrite *content);
void small_write_local(const char *path);
void small_write_global(const char *path);
/* Replace W in a file of the local problem. */
void small_put_matrix(const char *path, int32_t nz, int64_t p_count, const int32_t *p,
                      int64_t count, const int32_t *i, const double *x);

SlipFile *small_read(const char *path, SlipWantForm form);
/* The file holds the local problem. */
void assert_small_local(const char *path);
/* The file is refused with this status, and the message names it and says `text`. */
void assert_refused(const char *path, SlipStatus status, const char *text);

#endif
