/* Sweeps over not too many contacts, mixed by Anderson's acceleration: once no contact changes its
 * state any more a sweep is a linear map, of which few modes are slow, and the last sweeps tell
 * those. */
#ifndef SLIPI_METHODS_NSGS_MIX_H
#define SLIPI_METHODS_NSGS_MIX_H

#include "contact/onecontact.h"
#include "methods/common_anderson.h"
#include "methods/method.h"

typedef struct SlipiMix {
  SlipiAnderson anderson;
  double *point, *image; /* weighted impulses, and the row state behind them */
  double *weight;        /* of each contact's impulses */
} SlipiMix;

/* Room for it; on failure the arena says so. */
void slipi_mix_create(SlipiRun *run, const SlipiRowState *rows, SlipiMix *mix);
void slipi_mix_start(const SlipiRun *run, const SlipiOneContact *one, SlipiMix *mix);

/* Before a sweep: r and the row state become the mixture of the sweeps before. r need not be in K:
 * a visit looks at the impulses of a contact for its velocity only. */
void slipi_mix_next(SlipiRun *run, SlipiRowState *rows, SlipiMix *mix);

#endif
