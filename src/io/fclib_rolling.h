/* FCLIB's third form: contacts with rolling friction, of five components (normal, two tangents, two
 * rolling ones) or, in the plane, three; and its local form with five. Here each has two blocks,
 * the second with the law `rolling` (contact/rolling.h), whose first component, about the normal,
 * such files do not have.
 */
#ifndef SLIPI_IO_FCLIB_ROLLING_H
#define SLIPI_IO_FCLIB_ROLLING_H

#include "io/io.h"

#define SLIPI_FCLIB_ROLLING "fclib_global_rolling"

/* How many components a contact has in such files, for problems of this dimension. */
static inline int32_t slipi_rolling_width(int32_t dimension) {
  return dimension == 3 ? 5 : 3;
}

/* The place of a component of a file among those of the problem. */
static inline int64_t slipi_rolling_place(int32_t dimension, int64_t component) {
  int32_t width = slipi_rolling_width(dimension);
  int64_t contact = component / width, c = component % width;
  return 2 * dimension * contact + c + (c >= dimension);
}

/* A vector of `contacts` contacts of a file as one of the problem, and back (to: in the file). */
double *slipi_rolling_spread(SlipiArena *arena, int32_t dimension, int32_t contacts,
                             const double *from);
double *slipi_rolling_gather(SlipiArena *arena, int32_t dimension, int32_t contacts,
                             const double *from);

/* H of a file becomes that of the problem, in arrays of its own. */
SlipStatus slipi_rolling_columns(SlipiArena *arena, int32_t dimension, int32_t contacts,
                                 SlipMatrix *H, SlipError *error);

/* H of the problem, in CSR, as that of a file. */
SlipStatus slipi_rolling_narrow(SlipiArena *arena, int32_t dimension, int32_t contacts,
                                const SlipMatrix *H, SlipMatrix *narrow, SlipError *error);

/* W of a file, in CSR, becomes that of the problem, and back: there entries about the normal must
 * be 0. */
SlipStatus slipi_rolling_square(SlipiArena *arena, int32_t contacts, const SlipMatrix *W,
                                SlipMatrix *wide, SlipError *error);
SlipStatus slipi_rolling_narrow_square(SlipiArena *arena, int32_t contacts, const SlipMatrix *W,
                                       SlipMatrix *narrow, SlipError *error);

/* The laws of such a file: kind and mu of two blocks a contact. */
SlipStatus slipi_rolling_laws(SlipiArena *arena, int32_t contacts, const double *mu,
                              const double *mu_r, SlipLaws *laws, SlipError *error);

/* Whether a problem is one that such a file holds: all blocks in pairs of Coulomb's law and moments
 * without spinning, nothing else. */
bool slipi_rolling_fits(const SlipGlobalData *data);
/* The same of the local form, which has contacts of five components only. */
bool slipi_rolling_fits_local(const SlipLocalData *data);

#endif
