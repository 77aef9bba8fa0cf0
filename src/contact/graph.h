/* Which contacts act on each other: those that share a body in the velocity form, those with a
 * block of W in the assembled ones. */
#ifndef SLIPI_CONTACT_GRAPH_H
#define SLIPI_CONTACT_GRAPH_H

#include "contact/operator.h"

/* Contact a has the entries j[p[a]]..j[p[a+1]-1]: groups (bodies) it belongs to, or neighbours
 * (contacts, itself among them). */
typedef struct SlipiGraph {
  int32_t nc;
  int32_t groups; /* 0: the entries are neighbours */
  const int32_t *p, *j;
  double degree; /* neighbours of a contact on the average */
} SlipiGraph;

/* That of the operator, where it has one, or a new one in the arena. */
SlipStatus slipi_graph_create(SlipiOperator *op, SlipiArena *arena, SlipiGraph *graph,
                              SlipError *error);

#endif
