/* The part of W = H' M^-1 H that comes through sparse factors of one symmetric component of M, from
 * the part of them that contacts reach. */
#ifndef SLIPI_CONTACT_REDUCE_WITHIN_H
#define SLIPI_CONTACT_REDUCE_WITHIN_H

#include "contact/mass.h"

/* Contacts of a component of M: contact[k] has the rows k*d to k*d + d - 1 of H', whose columns are
 * the rows of the component's factors. */
typedef struct SlipiComponentRows {
  int32_t count;
  const int32_t *contact;
  SlipiCsr Ht;
} SlipiComponentRows;

/* Add it to the blocks that W has, which are all of two of these contacts, or with own_only those
 * of each with itself. The same bits for any number of threads. */
SlipStatus slipi_reduce_within(const SlipiMass *mass, const SlipiComponentRows *rows,
                               const SlipiWithin *within, bool own_only, SlipiArena *scratch,
                               SlipiBsr *W, SlipError *error);

#endif
