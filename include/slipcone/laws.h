/* The laws of contact: one row each, from which the constants SLIP_COULOMB, SLIP_FRICTIONLESS, ...
 * and the library's own table are made. A law says which impulses r one contact may bear, its
 * convex set K. New rows go to the end: files hold the laws by number.
 */
#ifndef SLIPCONE_LAWS_H
#define SLIPCONE_LAWS_H

/* The constant without SLIP_, and the name of the law in text; K beside it. */
#define SLIP_LAW_TABLE(LAW)                                                                        \
  LAW(COULOMB, coulomb)           /* |r_T| <= mu r_N; with mu = 0 the same as SLIP_FRICTIONLESS */ \
  LAW(FRICTIONLESS, frictionless) /* r_N >= 0, r_T = 0 */                                          \
  LAW(BILATERAL, bilateral)       /* r free in bound components (where u = 0), 0 in the others */  \
  LAW(TRESCA, tresca)             /* r_N >= 0, |r_T| <= radius, whatever r_N is */                 \
  LAW(COHESIVE, cohesive)         /* |r_T| <= mu (r_N + cohesion) */                               \
  LAW(ROUNDED, rounded)           /* the sum of Coulomb's cone and a ball, or a spheroid */        \
  LAW(CAPPED, capped)             /* the same where r_N <= cap */                                  \
  LAW(ROLLING, rolling)           /* moments of the contact before: |m_R| <= mu r_N of that, and   \
                                     |m_S| <= spinning r_N */

#define SLIP_LAW_CONSTANT(NAME, name) SLIP_##NAME,
typedef enum SlipLaw { SLIP_LAW_TABLE(SLIP_LAW_CONSTANT) } SlipLaw;

#endif
