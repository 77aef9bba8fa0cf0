/* Nested dissection of a graph: small sets of nodes (separators) cut it into halves that do not
 * touch, these again, and so on. Eliminated after the halves they separate, they leave little fill
 * in graphs of two and three dimensions. */
#ifndef SLIPI_LINALG_DISSECT_H
#define SLIPI_LINALG_DISSECT_H

#include "base/arena.h"
#include "base/error.h"

/* Node a has the neighbours j[p[a]]..j[p[a+1]-1]; the pattern is symmetric and without diagonal.
 * group[a] is the number of the piece that node a belongs to, a part too small to be cut or a
 * separator; pieces are to be eliminated in the order of their numbers. `unequal` is what halves of
 * different sizes count for: with 0 separators are smallest, which is best in grids with few
 * neighbours, with 1 halves are more alike, best where nodes have many. Of a mesh only the first
 * cuts are the best of several. Scratch comes from the arena. The same graph gives the same groups,
 * whatever else the process does. */
SlipStatus slipi_dissect(int32_t n, const int32_t *p, const int32_t *j, double unequal, bool mesh,
                         SlipiArena *arena, int32_t *group, SlipError *error);

#endif
