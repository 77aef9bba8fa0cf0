/* A vertex separator of a graph: few nodes without which it falls into two parts of about the same
 * weight. It is found on levels: pairs of neighbours are joined until few nodes are left, these are
 * cut, and the cut is improved on the way back (Hendrickson and Rothberg 1998; Karypis and Kumar
 * 1998). */
#ifndef SLIPI_LINALG_SEPARATOR_H
#define SLIPI_LINALG_SEPARATOR_H

#include "base/arena.h"
#include "base/random.h"

enum { SLIPI_SEPARATOR = 2 }; /* the third side, beside 0 and 1 */

/* An undirected graph with weights; edges stand with both of their ends. */
typedef struct SlipiGraph {
  int32_t n;
  int32_t *p, *j;
  int32_t *weight;     /* of each node */
  int32_t *edge;       /* weight of each edge */
  int32_t *into;       /* the node of the next smaller graph that each node is part of */
  unsigned char *side; /* of each node: 0, 1 or SLIPI_SEPARATOR */
} SlipiGraph;

/* Nodes by their gains: the largest first. */
typedef struct SlipiHeap {
  int32_t count;
  int32_t *node, *key; /* by place in the heap, by node */
  int32_t *place;      /* of each node; -1: not in it */
} SlipiHeap;

/* Memory for graphs of up to n nodes. */
typedef struct SlipiSeparator {
  SlipiRandom random;
  double unequal; /* the difference of the sides, as a share of all, adds so many times the weight
                     of a separator to it; 0 by itself */
  int tries;      /* separators of which the best is taken; 2 by itself */
  int32_t *room;  /* of the graphs, used like a stack */
  int64_t used, all;
  int32_t *list, *mark;       /* a value for each node */
  unsigned char *best, *kept; /* sides */
  int32_t *degree[2];         /* weight of the neighbours of a separator's node on either side */
  SlipiHeap heap[2];
  int32_t *state, *moved, *pulled, *pulled_p; /* of a pass of refinement */
} SlipiSeparator;

/* Arena and graphs of n nodes with so many entries of j; false for want of memory. */
bool slipi_separator_create(int32_t n, int32_t entries, SlipiArena *arena, SlipiSeparator *s);

/* A graph of n nodes on top of the stack, with room for so many entries; false where there is none.
 */
bool slipi_separator_push(SlipiSeparator *s, int32_t n, int32_t entries, SlipiGraph *graph);
/* Only so many of them are needed. */
void slipi_separator_fit(SlipiSeparator *s, SlipiGraph *graph, int32_t entries);

/* The sides of the nodes of `graph`, which is on top of the stack. */
void slipi_separator_find(SlipiSeparator *s, SlipiGraph *graph);

typedef struct SlipiSeparation {
  int64_t weight[3];
} SlipiSeparation;

/* Whether a has less weight in the separator, that of unequal sides counted as more, than b. */
bool slipi_separation_better(const SlipiSeparator *s, const SlipiSeparation *a,
                             const SlipiSeparation *b);

/* Move nodes from the separator to the sides as long as that makes it lighter (Fiduccia and
 * Mattheyses 1982, for nodes in place of edges), in at most so many passes over it. */
SlipiSeparation slipi_separator_refine(SlipiSeparator *s, const SlipiGraph *graph, int passes);

#endif
