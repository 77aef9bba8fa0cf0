/* FCLIB's equality constraints as bilateral contacts, and back. With multipliers l,
 *
 *     global:  M v = H r + G l + f,   u = H' v + w,      0 = G' v + b
 *     local:   u = W r + V l + q,     0 = V' r + R l + s
 *
 * an equality is a component of a bilateral contact: its velocity is 0, its impulse is l. FCLIB's
 * own contacts come first, then those that the equalities make up. A component of the latter that
 * no equality has taken is not bound, and has only zeros in H or W. */
#ifndef SLIPI_IO_EQUALITIES_H
#define SLIPI_IO_EQUALITIES_H

#include "io/io.h"
#include "linalg/sparse.h"

/* Slipcone's own dataset of `vectors`: which components are bound at each of the contacts that the
 * equalities make up. Without it as many as there are components make one contact. */
#define SLIPI_EQUALITY_BOUND "equality_bound"

/* How `count` equalities in `dimension` become contacts: `bound` (one value for each of `groups`
 * contacts, checked by the caller to name as many components as there are equalities) or, where it
 * is NULL, in full contacts and a remainder. `first` contacts come before them. */
SlipStatus slipi_equalities_lay(SlipiArena *arena, int32_t dimension, int32_t first, int32_t count,
                                const int32_t *bound, int32_t groups, SlipiEqualities *equalities,
                                SlipError *error);

/* Whether the contacts are those that slipi_equalities_lay makes by itself. */
bool slipi_equalities_plain(const SlipiEqualities *equalities);

/* ---- For the reader ---- */

/* The laws of the first contacts, followed by bilateral ones. */
SlipStatus slipi_equalities_laws(const SlipiEqualities *equalities, SlipiArena *arena,
                                 SlipLaws *laws, SlipError *error);
/* The compliance of the first contacts, followed by zeros; NULL stays NULL. */
SlipStatus slipi_equalities_compliance(const SlipiEqualities *equalities, SlipiArena *arena,
                                       const double **compliance, SlipError *error);
/* A vector over all contacts from its two parts, e.g. q and s. `tail` may be NULL: zeros. */
SlipStatus slipi_equalities_vector(const SlipiEqualities *equalities, SlipiArena *arena,
                                   const double *head, const double *tail, double **joined,
                                   SlipError *error);
/* [H G] */
SlipStatus slipi_equalities_join_global(const SlipiEqualities *equalities, SlipiArena *arena,
                                        const SlipiCsr *H, const SlipiCsr *G, SlipMatrix *joined,
                                        SlipError *error);
/* [W V; V' R] */
SlipStatus slipi_equalities_join_local(const SlipiEqualities *equalities, SlipiArena *arena,
                                       const SlipiCsr *W, const SlipiCsr *V, const SlipiCsr *R,
                                       SlipMatrix *joined, SlipError *error);

/* ---- For the writer ---- */

/* The contacts at the end of a problem that FCLIB can hold as equalities; count is 0, and first
 * the number of contacts, where there are none. */
SlipStatus slipi_equalities_of_local(const SlipLocalData *data, SlipiArena *arena,
                                     SlipiEqualities *equalities, SlipError *error);
SlipStatus slipi_equalities_of_global(const SlipGlobalData *data, SlipiArena *arena,
                                      SlipiEqualities *equalities, SlipError *error);

/* Which rows or columns of a matrix over all contacts a part of it has. */
typedef enum SlipiSide {
  SLIPI_SIDE_ALL,      /* rows that are no components of contacts */
  SLIPI_SIDE_CONTACTS, /* of the first contacts */
  SLIPI_SIDE_EQUALITIES
} SlipiSide;

SlipStatus slipi_equalities_part(const SlipiEqualities *equalities, SlipiArena *arena,
                                 const SlipMatrix *whole, SlipiSide rows, SlipiSide cols,
                                 SlipMatrix *part, SlipError *error);
/* The components of the equalities, e.g. l from r. */
SlipStatus slipi_equalities_tail(const SlipiEqualities *equalities, SlipiArena *arena,
                                 const double *whole, double **tail, SlipError *error);

#endif
