/* Qhull, called so that it prints nothing and ends nothing: its messages go to a buffer, and its
 * jumps out of an error come back here. */
#include <stdio.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "geom/hull_parts.h"
#include "geom/vec.h"

enum { MESSAGE = 4096 };

static SlipStatus fail(int code, const char *message, SlipError *error) {
  if (code == qh_ERRmem)
    return slipi_fail_memory(error, "a hull");
  if (code == qh_ERRsingular)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "hull: the points lie in one plane, so it has no "
                      "volume");
  const char *number = strstr(message, "QH");
  return slipi_fail(error, SLIP_ERROR_NUMERIC, "hull: Qhull fails on these points (its error %.6s)",
                    number ? number : "has no number");
}

/* The last facet of the list only ends it. */
static int32_t count_corners(qhT *qh) {
  int64_t corners = 0;
  for (facetT *facet = qh->facet_list; facet && facet->next; facet = facet->next)
    corners += qh_setsize(qh, facet->vertices);
  return corners <= INT32_MAX ? (int32_t)corners : -1;
}

static void reverse(int32_t *vertex, int32_t count) {
  for (int32_t a = 0, b = count - 1; a < b; a++, b--) {
    int32_t swap = vertex[a];
    vertex[a] = vertex[b];
    vertex[b] = swap;
  }
}

/* The corners of a facet in order; room for them is there. */
static int32_t copy_facet(qhT *qh, facetT *facet, const double *points, int32_t *to) {
  setT *corners = qh_facet3vertex(qh, facet);
  int32_t used = 0;
  for (vertexT **vertex = SETaddr_(corners, vertexT); *vertex; vertex++)
    to[used++] = qh_pointid(qh, (*vertex)->point);
  qh_settempfree(qh, &corners);
  double area[3];
  slipi_loop_area(points, to, used, area);
  if (slipi_dot3(area, facet->normal) < 0)
    reverse(to, used);
  return used;
}

/* qh_facet3vertex allocates, so it may jump: the code of its error, 0 for none. */
static int copy_facets(qhT *qh, const double *points, SlipiLoops *facets) {
  int code = setjmp(qh->errexit);
  if (code == 0) {
    qh->NOerrexit = False;
    facets->count = 0;
    facets->start[0] = 0;
    for (facetT *facet = qh->facet_list; facet && facet->next; facet = facet->next) {
      int32_t start = facets->start[facets->count];
      facets->start[++facets->count] =
          start + copy_facet(qh, facet, points, facets->vertex + start);
    }
  }
  qh->NOerrexit = True;
  return code;
}

static SlipStatus take_facets(qhT *qh, const double *points, SlipiArena *arena, SlipiLoops *facets,
                              const char *message, SlipError *error) {
  int32_t corners = count_corners(qh);
  if (corners < 0)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "hull: it has too many faces");
  facets->start = SLIPI_ARENA_NEW(arena, int32_t, qh->num_facets + 1);
  facets->vertex = SLIPI_ARENA_NEW(arena, int32_t, corners);
  if (arena->failed)
    return slipi_fail_memory(error, "a hull");
  int code = copy_facets(qh, points, facets);
  return code ? fail(code, message, error) : SLIP_OK;
}

SlipStatus slipi_hull_facets(double *points, int32_t count, SlipiArena *arena, SlipiLoops *facets,
                             SlipError *error) {
  char command[] = "qhull Pp"; /* no warnings about precision */
  char *message = SLIPI_ARENA_NEW(arena, char, MESSAGE);
  qhT *qh = SLIPI_ARENA_NEW(arena, qhT, 1);
  FILE *sink = message && qh ? fmemopen(message, MESSAGE - 1, "w") : NULL;
  if (!sink)
    return slipi_fail_memory(error, "a hull");
  qh_zero(qh, sink);
  int code = qh_new_qhull(qh, 3, count, points, False, command, NULL, sink);
  fflush(sink);
  SlipStatus status =
      code ? fail(code, message, error) : take_facets(qh, points, arena, facets, message, error);
  int left_count, left_bytes;
  qh_freeqhull(qh, qh_ALL);
  qh_memfreeshort(qh, &left_count, &left_bytes);
  fclose(sink);
  return status;
}
