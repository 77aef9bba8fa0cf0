/* The sweeps of the splitting methods (nsgs.c): one visit to every contact, plain, damped, with
 * momentum, or passing over contacts that have settled. */
#ifndef SLIPI_METHODS_NSGS_SWEEP_H
#define SLIPI_METHODS_NSGS_SWEEP_H

#include "contact/chunks.h"
#include "contact/onecontact_rolling.h"
#include "methods/common_loads.h"
#include "methods/common_momentum.h"
#include "methods/method.h"
#include "methods/nsgs_fours.h"
#include "methods/nsgs_mix.h"
#include "methods/nsgs_sphere.h"

/* Sums over the visits of one sweep in one chunk. */
typedef struct SlipiTally {
  double changed;  /* squared changes */
  double weighted; /* squared changes with the weight of each contact */
  int64_t visited; /* contacts */
  double against;  /* with momentum: positive where it has carried the contacts too far */
  double size;     /* |r|^2 after the sweep */
} SlipiTally;

typedef struct SlipiSweep {
  SlipiRowState rows;
  SlipiOneContact *one; /* prepared block of each contact */
  /* Where contacts roll: the blocks of both parts, and of each block of moments which is its own.
   * NULL: none does. */
  SlipiRollingContact *rolling;
  int32_t *rolling_of;
  /* The block of W, 3 x 3, between the moments and their contact, where a visit to both is one to
   * their bodies (contact/pairs.h); NULL: it is not. By rolling_of. */
  double *cross;
  SlipiSphere *sphere; /* the same, where bodies are spheres */
  bool joined;         /* it has been filled, and serves */
  double *zero;        /* impulses, but while these are prepared */
  SlipiOneContactRule rule;
  int32_t *order;      /* NULL: as given */
  SlipiDamper *damper; /* of each contact; NULL: damping is off */
  SlipiGraph graph;    /* of the contacts, where chunks or momentum need it */
  SlipiChunks chunks;
  SlipiTally *tally;       /* of each chunk */
  double size;             /* |r|^2 after the last sweep */
  SlipiFours fours;        /* without memory: there are none */
  float *slides;           /* room for `lambda` of the fours where states are kept, or NULL */
  double seen;             /* the error that the sweeps have asked for last */
  SlipiMomentum *momentum; /* NULL: no acceleration */
  SlipiMix mix;            /* of the sweeps before momentum; without memory: there is none */
  SlipiLoads loads;        /* where the same momentum for all contacts can be tried */
  SlipiRest *rest;         /* of each contact */
  double settled;          /* a contact has settled whose weighted squared change is below this */
  bool exact;              /* the rule is the hybrid, whose exact part is inlined in the visit */
  bool damping;            /* it has begun */
  bool voted;              /* momentum of the last sweep has carried too many chunks too far */
  bool ready;              /* the fours have been chosen and filled */
  bool rolling_ready;      /* the blocks of both parts have been filled */
  bool first;              /* no sweep has been made yet */
} SlipiSweep;

/* One sweep, at the pace of the momentum where there is one; returns the sum of squared changes. */
double slipi_sweep_step(SlipiRun *run, SlipiSweep *sweep);

/* Choose and fill the fours where that has not been done. */
void slipi_sweep_prepare_fours(const SlipiRun *run, SlipiSweep *sweep);

/* All contacts without damping again. */
void slipi_sweep_forget_swings(const SlipiRun *run, SlipiSweep *sweep);

#endif
