#include "linalg/within.h"

#include <stdatomic.h>

#include <cblas.h>

int64_t slipi_within_room(const SlipiWithin *within) {
  return (within->places + within->below) * SLIPI_WITHIN_COLUMNS;
}

/* Room for the rows below a supernode, behind the columns of X. */
static double *room_below(const SlipiWithin *within, double *X) {
  return X + (int64_t)within->places * SLIPI_WITHIN_COLUMNS;
}

static void within_forward(const SlipiWithin *within, const SlipiReached *node, int32_t count,
                           double *X) {
  int rows = node->columns + node->below, n = within->places;
  double *below = room_below(within, X);
  double *x = X + node->place;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, node->columns,
              count, 1, node->x, rows, x, n);
  if (node->below == 0)
    return;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, node->below, count, node->columns, 1,
              node->x + node->columns, rows, x, n, 0, below, node->below);
  for (int64_t c = 0; c < count; c++)
    for (int32_t i = 0; i < node->below; i++)
      X[c * n + node->row[i]] -= below[c * node->below + i];
}

static void within_backward(const SlipiWithin *within, const SlipiReached *node, int32_t count,
                            double *X) {
  int rows = node->columns + node->below, n = within->places;
  double *below = room_below(within, X);
  double *x = X + node->place;
  for (int64_t c = 0; c < count; c++)
    for (int32_t i = 0; i < node->below; i++)
      below[c * node->below + i] = X[c * n + node->row[i]];
  if (node->below > 0)
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, node->columns, count, node->below, -1,
                node->x + node->columns, rows, below, node->below, 1, x, n);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, node->columns, count,
              1, node->x, rows, x, n);
}

/* Whether all columns are 0 at a supernode's places: they often are before the last ones. */
static bool is_zero_at(const SlipiReached *node, int32_t places, int32_t count, const double *X) {
  for (int64_t c = 0; c < count; c++)
    for (int32_t i = 0; i < node->columns; i++)
      if (X[c * places + node->place + i] != 0)
        return false;
  return true;
}

/* Operations with the values of a supernode, for both halves of a solve. */
static double node_flops(const SlipiReached *node, int32_t count) {
  return 2.0 * node->columns * (node->columns + node->below) * count;
}

bool slipi_within_solve(const SlipiWithin *within, int32_t first, int32_t count,
                        const SlipiStop *stop, double *X) {
  int32_t begin = 0;
  double unasked = 0;
  while (begin < within->nodes && within->node[begin].place + within->node[begin].columns <= first)
    begin++;
  for (int32_t k = begin; k < within->nodes; k++) {
    if (is_zero_at(&within->node[k], within->places, count, X))
      continue;
    within_forward(within, &within->node[k], count, X);
    if (slipi_stops_after(stop, &unasked, node_flops(&within->node[k], count), SLIPI_ASK_FLOPS))
      return false;
  }
  for (int32_t k = within->nodes; k-- > begin;) {
    within_backward(within, &within->node[k], count, X);
    if (slipi_stops_after(stop, &unasked, node_flops(&within->node[k], count), SLIPI_ASK_FLOPS))
      return false;
  }
  return true;
}

/* ---- In chunks ---- */

typedef struct Chunks {
  double *room;
  int64_t size; /* of a room */
  int rooms;
  _Atomic bool *taken; /* of each room */
  SlipiWithinVisit visit;
  void *user;
  _Atomic bool stopped;
} Chunks;

/* There are as many rooms as threads: one is always free. */
static int take_room(Chunks *chunks) {
  int k = 0;
  while (atomic_exchange(&chunks->taken[k], true))
    k = (k + 1) % chunks->rooms;
  return k;
}

static void visit_chunk(void *user, int32_t chunk) {
  Chunks *chunks = user;
  if (atomic_load(&chunks->stopped))
    return;
  int k = take_room(chunks);
  if (!chunks->visit(chunks->user, chunk, chunks->room + k * chunks->size))
    atomic_store(&chunks->stopped, true);
  atomic_store(&chunks->taken[k], false);
}

SlipStatus slipi_within_each(int64_t room, SlipiTeam *team, int32_t count, SlipiWithinVisit visit,
                             void *user, SlipiArena *arena, SlipError *error) {
  int threads = slipi_team_threads(team);
  Chunks chunks = {
      .size = room, .rooms = count < threads ? count : threads, .visit = visit, .user = user};
  chunks.room = SLIPI_ARENA_RAW(arena, double, chunks.rooms *chunks.size);
  chunks.taken = SLIPI_ARENA_NEW(arena, _Atomic bool, chunks.rooms);
  if (arena->failed)
    return slipi_fail_memory(error, "solves with part of the factors of a matrix");
  slipi_team_each(team, count, visit_chunk, &chunks);
  return atomic_load(&chunks.stopped) ? slipi_fail_stopped(error) : SLIP_OK;
}
