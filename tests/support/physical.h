/* Whether impulses r solve a problem, asked contact by contact and in physical terms. It shares no
 * code with the library, reads problems through the public API only, and computes in long double.
 *
 * The natural-map error (131) of the library adds impulses to velocities. Two things follow: it
 * changes with the unit of mass, so that wrong friction between light bodies (large W, small r) is
 * hardly seen; and its g(u) = mu |u_T| hides a velocity of penetration u_N < 0 beside a slip, so
 * that at r = 0 it falls like 1/mu while bodies go through each other. Here neither can happen.
 *
 * Units. An impulse error e of contact a is worth the velocity w_a e, w_a the largest diagonal
 * entry of the contact's own block W_aa: the velocity that impulse would give this very contact.
 * Stiff and soft contacts are thereby measured alike, each by its own compliance. Velocities are
 * compared with V, the largest |q_a| over all contacts. V is a scale of the whole problem, not of
 * the contact: in a pile a contact may carry next to nothing, and an error that is small beside
 * the velocities of the problem may be everything there is in that contact. V does not grow with
 * r, so huge impulses excuse nothing. Another unit of mass multiplies W and divides r, another unit
 * of time multiplies q and r: w_a |r_a| / V and |u_a| / V stay the same.
 *
 * The measure. Coulomb's law allows three things:
 *
 *     open    r = 0,                u_N >= 0
 *     stick   |r_T| <= mu r_N,      u = 0
 *     slide   r = n (1, -mu t),     u = (0, s t),   n >= 0, s >= 0, |t| = 1
 *
 * The distance of a contact is how far (w_a r, u) is from the nearest pair of these, divided by V
 * (up to a factor of 2: only pairs that are easy to find are tried). A small distance means that a
 * slightly different q would make r exact. mu enters through the direction of the cone's rays only,
 * hence it may be 0 or 1e12. The name of the largest part is told too. For the associated law u_N
 * is replaced by u_N - mu |u_T| (its shortest change divides by sqrt(1 + mu^2)). Frictionless
 * contacts have mu = 0; bilateral ones u = 0 where they are bound, r = 0 elsewhere. */
#ifndef SLIPCONE_TESTS_PHYSICAL_H
#define SLIPCONE_TESTS_PHYSICAL_H

#include <slipcone/slipcone.h>

typedef enum PhysicalPart {
  PHYSICAL_PENETRATION,     /* u_N < 0 */
  PHYSICAL_PULL,            /* r_N < 0 */
  PHYSICAL_CONE,            /* |r_T| > mu r_N */
  PHYSICAL_COMPLEMENTARITY, /* r_N > 0 and u_N > 0 */
  PHYSICAL_SLIP,            /* sliding where friction holds, or friction that does not oppose it, or
                               is less than mu r_N */
  PHYSICAL_BILATERAL,       /* u moves where it is bound, or r acts where it is not */
  PHYSICAL_PARTS
} PhysicalPart;

extern const char *const physical_part_names[PHYSICAL_PARTS];

typedef struct Physical {
  double worst;       /* distance of the contact that is furthest from its law */
  double total;       /* root of the sum of squared distances, times V, divided by |q| */
  int32_t contact;    /* the contact of `worst`; -1 where there is none */
  PhysicalPart part;  /* the largest part of the distance of that contact */
  double velocity;    /* V */
  double *of_contact; /* each contact's distance; to be freed */
} Physical;

/* Returns 0, or -1 where memory is out or M cannot be factored. associated: judge every Coulomb
 * contact by the associated law, which methods of the convex relaxation solve. */
int physical_check(const SlipProblem *problem, const double *r, int associated, Physical *found);

#endif
