/* A first guess where bodies lie on each other: loads handed down from body to body.
 *
 * Of two bodies that touch, the one that would move towards the contact faster if nothing held it
 * lies on the other. Taken in that order, each body comes to rest on those it lies on as if they
 * could not move, and hands them the impulses that takes. The weight of many layers gets to the
 * ground in one pass, where sweeps need one for each layer and more. docs/methods/nsgs.md.
 *
 * A body adds the loads it gets in the order of the contacts, whatever order they came in: where
 * processes share the problem, each settles the bodies that are its own, and all get the same bits.
 */
#ifndef SLIPI_METHODS_COMMON_LOADS_H
#define SLIPI_METHODS_COMMON_LOADS_H

#include "contact/onecontact.h"
#include "methods/method.h"

/* Contacts of this process's bodies that are in chunks of other processes. */
typedef struct SlipiLoadsOthers {
  int32_t count;
  const int64_t *id;   /* in the whole problem */
  const int32_t *body; /* 2 a contact: here, or -1 where another process settles it; the same body
                          twice: on the ground */
  const double *free;  /* 12 a contact: free velocities of its bodies, as those of a row state */
  const double *a, *b; /* 36 a contact, as those of pairs */
  const double *w;     /* 3 a contact */
  const double *C;     /* 9 a contact, or NULL */
  const SlipiLaw *law;
  double *r; /* 3 a contact */
} SlipiLoadsOthers;

enum { SLIPI_LOADS_NOBODY = -1 };

/* One contact, wherever its data are. */
typedef struct SlipiLoadsLink {
  int32_t body[2]; /* SLIPI_LOADS_NOBODY: another process settles it */
  bool on_ground;
  const double *a, *b, *w, *C;
  const double *free[2];
  const SlipiLaw *law;
  double *r;
} SlipiLoadsLink;

typedef struct SlipiLoads {
  bool made; /* there are pairs of bodies */
  int32_t bodies;
  SlipiRowState free; /* of the free velocity */
  const double *w;    /* the rest of q: q less the free velocity */
  int32_t contacts;   /* own ones, then those of others */
  SlipiLoadsOthers others;
  const uint8_t *mine; /* of each body: this process settles it; NULL: all of them */
  uint8_t *side;       /* of each contact: which of its two bodies is the upper one */
  int32_t *first;      /* contacts of each body begin here in `contact`, */
  int32_t *contact;    /* in the order of the whole problem */
  int32_t *above;      /* of each body: contacts through which it still gets loads */
  int32_t *queue;      /* bodies that have got all their loads, */
  int32_t taken, queued;
  int32_t *out; /* contacts with loads that another process is to get, */
  int32_t out_count;
  /* Where processes share the problem: when each body has its turn, that of each contact's upper
   * body as far as it is known, and which contacts are in `out`; turns are told, not impulses. */
  double *turn, *before;
  uint8_t *told;
  bool ordering;
  /* room for the contacts that one body lies on */
  SlipiOneContact *one;
  SlipiLoadsLink *link;
  int32_t *under;
  void *user; /* of the functions that share loads with other processes */
} SlipiLoads;

/* Allocates nothing, and *loads stays zero, where the operator has no pairs of bodies. */
SlipStatus slipi_loads_create(SlipiRun *run, SlipiLoads *loads, SlipError *error);

/* Set run->r and the row state, which must be the state of r = 0. False, and both are as before,
 * where there is something in r already, q is not the one of the problem's f and w, or loads have
 * grown on their way. */
bool slipi_loads_hand_down(SlipiRun *run, SlipiLoads *loads, SlipiRowState *rows);

/* The impulses of a contact, which has been settled elsewhere, or its turn. */
void slipi_loads_receive(const SlipiRun *run, SlipiLoads *loads, int32_t contact,
                         const double r[3]);

/* The impulses of a contact, which may be one of another process. */
static inline double *slipi_loads_impulse(const SlipiRun *run, const SlipiLoads *loads,
                                          int32_t contact) {
  return contact < run->nc ? run->r + 3 * (int64_t)contact
                           : loads->others.r + 3 * (int64_t)(contact - run->nc);
}

/* What other processes are to be told of a contact. */
static inline void slipi_loads_tell(const SlipiRun *run, const SlipiLoads *loads, int32_t contact,
                                    double x[3]) {
  const double *r = slipi_loads_impulse(run, loads, contact);
  for (int k = 0; k < 3; k++)
    x[k] = loads->ordering ? loads->before[contact] : r[k];
}

#endif
