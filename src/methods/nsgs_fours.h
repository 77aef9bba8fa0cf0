/* Visits of Gauss-Seidel to four contacts at a time, in single precision.
 *
 * Sweeps over many contacts wait for memory, and for results of the visit before. Contacts of a
 * chunk that have no body in common are put together by fours: a visit streams their rows A, kept
 * in single precision, one value of each contact beside the other, and works on all four at once.
 * Impulses, z and all arithmetic are double: what is rounded is the matrix. z is taken anew from
 * the double rows every SLIPI_ROW_SWEEPS sweeps, so that an error of A counts only for what has
 * moved since, and for u = A' z, where z is the small rest of large impulses that cancel. Sweeps
 * reach about 1e-7 in this way; nearer to a solution the caller visits contacts one by one.
 *
 * One-contact problems are solved for the change of r: with w the velocity u + q at r, turned as in
 * SlipiSlide and the normal row eliminated, a slide has
 *
 *     dr_T = -(S + lambda I)^-1 (w_T + lambda r_T),   dr_N = -k w_N - a'dr_T
 *
 * and what sticks lambda = 0: where r is the solution, the change is 0 whatever the rounding of S,
 * a and k. Contacts whose slide does not settle in a few Newton steps take the way of a visit alone
 * (contact/onecontact_exact.h). The same bits on every processor: without and with wide registers
 * the same operations are done in the same order.
 *
 * Rows of spheres are multiples of the directions n, t1, t2 of a contact's frame, and its block of
 * W is diagonal with the same value for both tangents: contacts of spheres are in fours of their
 * own, which have 21 numbers a contact to stream instead of 53, and their slides have a closed
 * form. */
#ifndef SLIPI_METHODS_NSGS_FOURS_H
#define SLIPI_METHODS_NSGS_FOURS_H

#include <math.h>

#include "contact/chunks.h"
#include "contact/onecontact.h"
#include "contact/pairs.h"
#include "methods/common_momentum.h"

/* An error, and a tolerance, from which on the rounded rows serve. */
static const double SLIPI_FOURS_FROM = 1e-6;

/* Four contacts, each with its own place of [4]. */
typedef struct SlipiFourHead {
  int32_t contact[4];
  int32_t first[2][4]; /* places of their bodies in z */
  double mu[4];
  float scale[4]; /* of SlipiOneContact */
} SlipiFourHead;

typedef struct SlipiFour {
  SlipiFourHead head;
  double c[4], s[4]; /* of SlipiSlide; a turn must not change lengths */
  float a[36][4];
  float k[4], a1[4], a2[4], b1[4], b2[4];
  float inverse[2][4]; /* 1/s1 and 1/s2 */
  float lambda[4];     /* of the last slide */
} SlipiFour;

/* Of spheres: SlipiSphereRows. */
typedef struct SlipiSphereFour {
  SlipiFourHead head;
  float frame[9][4];
  float move[2][4], arm[2][4];
  float k[2][4]; /* 1/W_NN and 1/W_TT */
} SlipiSphereFour;

typedef struct SlipiFours {
  const SlipiPairs *pairs;
  SlipiFour *four;
  int32_t *start; /* of each chunk among the fours, and where the last ends */
  SlipiSphereFour *sphere;
  int32_t *sphere_start; /* the same for those of spheres */
  int32_t *alone;        /* contacts that are in no four, chunk by chunk */
  int32_t *single;       /* start of each chunk among these */
  bool wide;             /* the processor has registers for four doubles */
} SlipiFours;

/* Memory for the fours of a sweep by these chunks; prepare comes before the first visit. */
SlipStatus slipi_fours_create(const SlipiPairs *pairs, const SlipiChunks *chunks, SlipiArena *arena,
                              SlipiFours *fours, SlipError *error);

/* Choose the fours of each chunk, contacts that have none of the `places` of z in common, and copy
 * their rows and blocks, rounded. What is chosen in a chunk depends on its contacts alone. */
void slipi_fours_prepare(SlipiFours *fours, int32_t places, const SlipiChunks *chunks,
                         const SlipiOneContact *one);

/* Whether a contact may be in a four: it sticks, slides or opens in one way only. */
static inline bool slipi_fours_suit(const SlipiOneContact *one) {
  return one->exact && one->coupling == SLIPI_COUPLING_WEAK;
}

/* A new run: the same start gives the same bits, whatever ran before. */
void slipi_fours_forget(SlipiFours *fours, const SlipiChunks *chunks);

/* A relaxation of the contact's own: shorter steps after two that oppose each other, longer ones
 * again after two that agree. */
typedef struct SlipiDamper {
  double factor;
  double change[3]; /* of the last visit, before damping */
} SlipiDamper;

/* Take note of the change that a visit wants to make; returns the share of it to be made. */
static inline double slipi_damper_share(SlipiDamper *damper, const double change[3]) {
  static const double SHRINK = 0.8, GROW = 1.05, LEAST = 0.2;
  double turn = 0, square = 0, before = 0;
  for (int k = 0; k < 3; k++) {
    turn += change[k] * damper->change[k];
    square += change[k] * change[k];
    before += damper->change[k] * damper->change[k];
    damper->change[k] = change[k];
  }
  double shrunk = SHRINK * damper->factor, grown = GROW * damper->factor;
  if (turn < 0 && turn * turn > 0.25 * square * before)
    damper->factor = shrunk > LEAST ? shrunk : LEAST;
  else if (turn > 0)
    damper->factor = grown < 1 ? grown : 1;
  return damper->factor;
}

/* While sweeps skip settled contacts: one that changes little is passed over once, then three
 * times, then seven. */
typedef struct SlipiRest {
  int8_t level; /* 2^level - 1 sweeps pass over it after a visit, */
  int8_t left;  /* of which so many are still to come */
} SlipiRest;

enum { SLIPI_REST_MOST = 3 }; /* level */

/* Whether a contact is passed over; after its visit, how often it will be. */
static inline bool slipi_rests(SlipiRest *rest) {
  return rest->left > 0 && rest->left-- > 0;
}

static inline void slipi_note_rest(SlipiRest *rest, bool settled) {
  if (!settled)
    rest->level = 0;
  else if (rest->level < SLIPI_REST_MOST)
    rest->level++;
  rest->left = (int8_t)((1 << rest->level) - 1);
}

/* What a visit works on. */
typedef struct SlipiFoursState {
  SlipiOneContact *one;
  const double *q;
  double *r, *z;
  SlipiDamper *damper;     /* NULL: nothing is damped */
  SlipiMomentum *momentum; /* NULL: none */
  bool uniform;            /* it is the same for all: contacts are pushed when they are visited */
  SlipiRest *rest;         /* of a four, where its first contact has its own; NULL: none rests */
  double settled;          /* four contacts have settled that change by less than four times this */
} SlipiFoursState;

/* Sums of the visits. */
typedef struct SlipiFoursSums {
  double changed;  /* squared changes */
  double weighted; /* where fours may rest: squared changes with the weight of each contact, */
  int32_t visited; /* and contacts */
  double against;  /* with momentum: positive where it has carried the contacts too far */
} SlipiFoursSums;

/* Momentum for each contact: push those in the fours of one chunk, which begin again where `whole`
 * says so, or where it is NULL, by the sums of their neighbours. */
void slipi_fours_push(const SlipiFours *fours, int32_t chunk, const SlipiFoursState *state,
                      const bool *whole);

/* Visit the fours of one chunk; its single contacts are left to the caller. */
SlipiFoursSums slipi_fours_visit(const SlipiFours *fours, int32_t chunk,
                                 const SlipiFoursState *state);

#endif
