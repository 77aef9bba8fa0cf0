/* Built-in problems of rigid bodies, told body by body. */
#ifndef SLIPCONE_TESTS_BODIES_DATA_H
#define SLIPCONE_TESTS_BODIES_DATA_H

#include <slipcone/slipcone.h>

/* The data of a problem in bodies form, with arrays of its own that may be changed. */
typedef struct BodiesData {
  SlipBodiesData data;
  SlipLaws laws;
  double *M, *H, *f, *w, *mu, *frame;
  int32_t *body, *kind;
  uint64_t *key;
} BodiesData;

/* From a global problem whose M is made of rigid bodies, each contact touching at most two; keys
 * are 1, 2, ... and frames unit matrices. */
void bodies_data_of(const SlipProblem *global, BodiesData *bodies);
void bodies_data_free(BodiesData *bodies);

#endif
