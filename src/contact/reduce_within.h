/* The part of W = H' M^-1 H that comes through sparse factors of a symmetric M, from solves that
 * pass through the part of them that contacts reach. */
#ifndef SLIPI_CONTACT_REDUCE_WITHIN_H
#define SLIPI_CONTACT_REDUCE_WITHIN_H

#include "contact/mass.h"

/* Add it to the blocks that W has. H' is of the rows of the factors. The same bits for any number
 * of threads. */
SlipStatus slipi_reduce_within(const SlipiMass *mass, const SlipiCsr *Ht, const SlipiWithin *within,
                               SlipiArena *scratch, SlipiBsr *W, SlipError *error);

#endif
