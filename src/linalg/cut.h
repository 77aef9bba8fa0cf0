/* The graph of a symmetric pattern, ordered for elimination and cut into fronts: groups of nodes
 * that are eliminated together, because their columns of the factors have the same rows or nearly
 * so. */
#ifndef SLIPI_LINALG_CUT_H
#define SLIPI_LINALG_CUT_H

#include "base/arena.h"
#include "base/error.h"

typedef struct SlipiCut {
  int32_t fronts;
  int32_t *order;  /* node at each place */
  int32_t *super;  /* front f eliminates the nodes at places super[f]..super[f+1]-1 */
  int32_t *list_p; /* and its rows are the places list[list_p[f]]..list[list_p[f+1]-1], */
  int32_t *list;   /* ascending, those it eliminates first */
} SlipiCut;

/* Node a has the neighbours j[p[a]]..j[p[a+1]-1]; where the pattern is not symmetric it is made so,
 * and entries of a node with itself count for nothing. The order is one of minimum degree;
 * everything comes from the arena. */
SlipStatus slipi_cut_graph(int32_t n, const int32_t *p, const int32_t *j, SlipiArena *arena,
                           SlipiCut *cut, SlipError *error);

/* The same by nested dissection (linalg/dissect.h), which takes longer and makes less fill in large
 * graphs of three dimensions. */
SlipStatus slipi_cut_dissected(int32_t n, const int32_t *p, const int32_t *j, SlipiArena *arena,
                               SlipiCut *cut, SlipError *error);

/* The same in a third of the time, for meshes of finite elements, where one dissection is as good
 * as another. */
SlipStatus slipi_cut_mesh(int32_t n, const int32_t *p, const int32_t *j, SlipiArena *arena,
                          SlipiCut *cut, SlipError *error);

/* All nodes in one front, in the order given. */
SlipStatus slipi_cut_none(int32_t n, SlipiArena *arena, SlipiCut *cut, SlipError *error);

#endif
