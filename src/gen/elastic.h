/* An elastic block of 8-node hexahedra (4-node squares, plane strain, in 2D) in one time step of
 * implicit Euler: its part of the matrix of a problem is M + h^2 K, its part of f is M (v0 + h g).
 */
#ifndef SLIPI_GEN_ELASTIC_H
#define SLIPI_GEN_ELASTIC_H

#include "gen/gen.h"

#define SLIPI_ELASTIC_EDGE 0.1 /* of an element, in metres */
#define SLIPI_ELASTIC_DENSITY 1000.0
#define SLIPI_ELASTIC_STEP 0.01

typedef struct SlipiElastic {
  int d;
  int32_t nodes[3]; /* along each axis, the last one up */
  int32_t first;    /* degree of freedom: node k has first + d k and the next */
} SlipiElastic;

int64_t slipi_elastic_nodes(const SlipiElastic *block);
/* Room that its matrix takes among the entries of a draft's M. */
int64_t slipi_elastic_entries(const SlipiElastic *block);

/* Nodes that stand above each other have neighbouring numbers, which keeps the band narrow. */
int32_t slipi_elastic_node(const SlipiElastic *block, const int32_t *at);

/* Add the block to M and f; `velocity` is v0 + h g, the same for all nodes. */
void slipi_elastic_assemble(const SlipiElastic *block, const double *velocity, SlipiDraft *draft);

#endif
