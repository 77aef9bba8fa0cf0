/* The order of the pieces of a factorisation: that in which so many threads as there are would
 * begin them, if they took as long as is counted, always the one with the longest way to the end.
 * Threads that take them in this order seldom wait. One thread takes them in the order of the tree,
 * which needs the least memory. */
#include <math.h>

#include "linalg/frontal_parts.h"

/* What is known of the pieces while threads that work as fast as is counted are followed. */
typedef struct Course {
  const SlipiPieces *pieces;
  int32_t *next_p, *next; /* the pieces that wait for each */
  int32_t *waits;         /* for so many that are not done yet */
  double *way;            /* work from the beginning of a piece to the end of all */
  int32_t *ready;         /* pieces that may begin, */
  int32_t readies;        /* so many */
  int32_t threads;
  int32_t *at;  /* the piece each thread is at; -1: none */
  double *ends; /* and when it ends */
} Course;

static void set_ways(Course *course) {
  int32_t count = course->pieces->count;
  const int32_t *wait_p = course->pieces->near.near_p, *wait = course->pieces->near.near;
  for (int32_t k = 0; k < wait_p[count]; k++)
    course->next_p[wait[k] + 2]++;
  for (int32_t p = 0; p < count; p++)
    course->next_p[p + 2] += course->next_p[p + 1];
  for (int32_t p = 0; p < count; p++) {
    course->waits[p] = wait_p[p + 1] - wait_p[p];
    for (int32_t k = wait_p[p]; k < wait_p[p + 1]; k++)
      course->next[course->next_p[wait[k] + 1]++] = p;
    if (course->waits[p] == 0)
      course->ready[course->readies++] = p;
  }
  for (int32_t p = count - 1; p >= 0; p--) {
    for (int32_t k = course->next_p[p]; k < course->next_p[p + 1]; k++)
      course->way[p] = fmax(course->way[p], course->way[course->next[k]]);
    course->way[p] += course->pieces->piece[p].work;
  }
}

/* The piece that may begin with the longest way to the end. */
static int32_t take_ready(Course *course) {
  int32_t best = 0;
  for (int32_t k = 1; k < course->readies; k++) {
    double more = course->way[course->ready[k]] - course->way[course->ready[best]];
    if (more > 0 || (more == 0 && course->ready[k] < course->ready[best]))
      best = k;
  }
  int32_t piece = course->ready[best];
  course->ready[best] = course->ready[--course->readies];
  return piece;
}

/* The next piece to end does. Returns when. */
static double end_next(Course *course) {
  int32_t first = -1;
  for (int32_t t = 0; t < course->threads; t++) {
    if (course->at[t] >= 0 && (first < 0 || course->ends[t] < course->ends[first]))
      first = t;
  }
  int32_t piece = course->at[first];
  course->at[first] = -1;
  for (int32_t k = course->next_p[piece]; k < course->next_p[piece + 1]; k++) {
    if (--course->waits[course->next[k]] == 0)
      course->ready[course->readies++] = course->next[k];
  }
  return course->ends[first];
}

static void follow(Course *course, int32_t *order) {
  double now = 0;
  int32_t begun = 0;
  for (int32_t t = 0; t < course->threads; t++)
    course->at[t] = -1;
  while (begun < course->pieces->count) {
    for (int32_t t = 0; t < course->threads && course->readies > 0; t++) {
      if (course->at[t] >= 0)
        continue;
      course->at[t] = order[begun++] = take_ready(course);
      course->ends[t] = now + course->pieces->piece[course->at[t]].work;
    }
    if (begun < course->pieces->count)
      now = end_next(course);
  }
}

static SlipStatus choose_order(const SlipiPieces *pieces, int threads, int32_t *order,
                               SlipiArena *scratch, SlipError *error) {
  int64_t n = pieces->count;
  Course course = {.pieces = pieces,
                   .next_p = SLIPI_ARENA_NEW(scratch, int32_t, n + 2),
                   .next = SLIPI_ARENA_NEW(scratch, int32_t, pieces->near.near_p[n]),
                   .waits = SLIPI_ARENA_NEW(scratch, int32_t, n),
                   .way = SLIPI_ARENA_NEW(scratch, double, n),
                   .ready = SLIPI_ARENA_NEW(scratch, int32_t, n),
                   .threads = threads,
                   .at = SLIPI_ARENA_NEW(scratch, int32_t, threads),
                   .ends = SLIPI_ARENA_NEW(scratch, double, threads)};
  if (scratch->failed)
    return slipi_fail_memory(error, "the analysis of a matrix");
  set_ways(&course);
  follow(&course, order);
  return SLIP_OK;
}

SlipStatus slipi_pieces_order(const SlipiPieces *pieces, int threads, SlipiArena *arena,
                              SlipiArena *scratch, SlipiPieces *ordered, SlipError *error) {
  int32_t count = pieces->count;
  const int32_t *wait_p = pieces->near.near_p, *wait = pieces->near.near;
  int32_t *order = SLIPI_ARENA_NEW(scratch, int32_t, count);
  int32_t *place = SLIPI_ARENA_NEW(scratch, int32_t, count);
  int32_t *near_p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)count + 1);
  int32_t *near = SLIPI_ARENA_NEW(arena, int32_t, wait_p[count]);
  SlipiPiece *piece = SLIPI_ARENA_NEW(arena, SlipiPiece, count);
  _Atomic int32_t *done = SLIPI_ARENA_NEW(arena, _Atomic int32_t, count);
  if (scratch->failed || arena->failed)
    return slipi_fail_memory(error, "the analysis of a matrix");
  for (int32_t p = 0; p < count; p++)
    order[p] = p;
  SlipStatus status = threads > 1 ? choose_order(pieces, threads, order, scratch, error) : SLIP_OK;
  for (int32_t p = 0; p < count; p++)
    place[order[p]] = p;
  for (int32_t p = 0, used = 0; p < count; p++) {
    piece[p] = pieces->piece[order[p]];
    for (int32_t k = wait_p[order[p]]; k < wait_p[order[p] + 1]; k++)
      near[used++] = place[wait[k]];
    near_p[p + 1] = used;
  }
  *ordered = (SlipiPieces){count, piece, {near_p, near, done}};
  return status;
}
