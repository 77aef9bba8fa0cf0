/* Up to how many contacts a problem counts as tiny. The operator then keeps W dense whatever its
 * fill, and `auto` begins with the method `few`, which works on a dense W: one rule, so that `few`
 * finds the matrix it needs. What counts is the size of that matrix: in the plane, where a contact
 * has two components and not three, there may be half as many more. */
#ifndef SLIPI_CONTACT_FEW_H
#define SLIPI_CONTACT_FEW_H

#include <stdbool.h>
#include <stdint.h>

enum { SLIPI_FEW_CONTACTS = 16 }; /* of three components */
enum { SLIPI_FEW_MOST = 32 };     /* that the method treats: beyond, linalg/lu.h is faster */

/* Contacts that roll have two blocks each. Beyond two such contacts a sweep that visits both blocks
 * by the velocities of their bodies is quicker than a W of twice the rows is made. */
enum { SLIPI_FEW_ROLLING = 4 };

static inline bool slipi_is_few(int32_t contacts, bool plane) {
  return (plane ? 2 : 3) * (int64_t)contacts <= 3 * SLIPI_FEW_CONTACTS;
}

/* Whether `auto` begins with it: there are few, or W, of which a sweep reads so many entries, is
 * dense anyway. */
static inline bool slipi_begins_few(int32_t contacts, bool plane, double entries) {
  double m = (plane ? 2.0 : 3.0) * contacts;
  return slipi_is_few(contacts, plane) || (contacts <= SLIPI_FEW_MOST && entries >= m * m);
}

#endif
