/* Up to how many contacts a problem counts as tiny. The operator then keeps W dense whatever its
 * fill, and `auto` begins with the method `few`, which works on a dense W: one constant, so that
 * `few` finds the matrix it needs. */
#ifndef SLIPI_CONTACT_FEW_H
#define SLIPI_CONTACT_FEW_H

enum { SLIPI_FEW_CONTACTS = 12 };

#endif
