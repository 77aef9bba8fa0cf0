/* The part of A^-1 of deformable bodies between nodes that contacts have asked for. It is kept, and
 * extended as new nodes touch, by the threads of the simulation. */
#include <stdlib.h>
#include <string.h>

#include "sim/soft.h"

/* A known node and its first place within the factors. */
typedef struct Placed {
  int32_t known, place;
} Placed;

static int compare_placed(const void *x, const void *y) {
  const Placed *a = x, *b = y;
  if (a->place != b->place)
    return a->place < b->place ? -1 : 1;
  return a->known < b->known ? -1 : a->known > b->known;
}

/* Nodes from `first` on among those that are known, in the order of their places. */
static void place_nodes(const SlipiSoft *soft, const SlipiWithin *within, int32_t first,
                        Placed *order) {
  int d = slipi_soft_d(soft);
  for (int32_t k = first; k < soft->known; k++) {
    order[k - first] = (Placed){k, slipi_within_places(within)};
    for (int c = 0; c < d; c++) {
      int32_t row = soft->number[(int64_t)d * soft->known_node[k][0] + c];
      int32_t place = row < 0 ? INT32_MAX : slipi_within_place(within, row);
      if (place < order[k - first].place)
        order[k - first].place = place;
    }
  }
  qsort(order, (size_t)(soft->known - first), sizeof *order, compare_placed);
}

/* Columns of the inverse, in chunks of nodes that follow each other in the order of their places.
 */
typedef struct Columns {
  SlipiSoft *soft;
  const SlipiWithin *within;
  int32_t first;  /* among the nodes that are known: what is before is there already */
  Placed *order;  /* of the nodes from `first` on */
  int32_t *chunk; /* of each of them */
} Columns;

static int32_t nodes_of_chunk(const SlipiSoft *soft) {
  return SLIPI_WITHIN_COLUMNS / slipi_soft_d(soft);
}

/* Columns of the inverse of a chunk's nodes, rows of all that are known. Rows of chunks before it
 * are left to those, which find the same by symmetry: each value has one chunk that writes it. */
static void keep_columns(const Columns *all, int32_t chunk, int32_t columns, const double *X) {
  SlipiSoft *soft = all->soft;
  int d = slipi_soft_d(soft);
  int64_t places = slipi_within_places(all->within), stride = (int64_t)d * soft->known_capacity;
  const Placed *node = all->order + (int64_t)chunk * nodes_of_chunk(soft);
  for (int64_t k = 0; k < (int64_t)d * soft->known; k++) {
    int32_t row = soft->number[(int64_t)d * soft->known_node[k / d][0] + k % d];
    int32_t place = row < 0 ? -1 : slipi_within_place(all->within, row);
    if (k / d >= all->first && all->chunk[k / d - all->first] < chunk)
      continue;
    for (int32_t c = 0; c < columns; c++) {
      int64_t column = (int64_t)d * node[c / d].known + c % d;
      bool held = soft->number[(int64_t)d * soft->known_node[node[c / d].known][0] + c % d] < 0;
      soft->inverse[k * stride + column] = soft->inverse[column * stride + k] =
          held || row < 0 ? 0 : X[c * places + place];
    }
  }
}

/* By the part of the factors that reaches the nodes. Where all are new, a solve begins at the first
 * column of its chunk: rows of the chunks before are known by symmetry. */
static bool solve_chunk(void *user, int32_t chunk, double *X) {
  const Columns *all = user;
  const SlipiSoft *soft = all->soft;
  int d = slipi_soft_d(soft);
  int64_t places = slipi_within_places(all->within);
  int32_t most = nodes_of_chunk(soft), begin = chunk * most;
  int32_t left = soft->known - all->first - begin, columns = d * (left < most ? left : most);
  memset(X, 0, (size_t)(places * columns) * sizeof *X);
  for (int32_t c = 0; c < columns; c++) {
    int32_t node = soft->known_node[all->order[begin + c / d].known][0];
    int32_t row = soft->number[(int64_t)d * node + c % d];
    if (row >= 0)
      X[c * places + slipi_within_place(all->within, row)] = 1;
  }
  int32_t from = all->first == 0 ? all->order[begin].place : 0;
  if (!slipi_within_solve(all->within, from, columns, NULL, X))
    return false;
  keep_columns(all, chunk, columns, X);
  return true;
}

/* The same by whole solves, of small matrices. */
static SlipStatus solve_whole(SlipiSoft *soft, int32_t first, SlipError *error) {
  int d = slipi_soft_d(soft);
  int64_t stride = (int64_t)d * soft->known_capacity;
  double *b = soft->solve[0], *x = soft->solve[1];
  for (int64_t column = (int64_t)d * first; column < (int64_t)d * soft->known; column++) {
    int32_t row = soft->number[(int64_t)d * soft->known_node[column / d][0] + column % d];
    memset(b, 0, (size_t)soft->free * sizeof *b);
    memset(x, 0, (size_t)soft->free * sizeof *x);
    if (row >= 0) {
      b[row] = 1;
      SlipStatus status = slipi_factor_solve(soft->factor, b, x, error);
      if (status != SLIP_OK)
        return status;
    }
    for (int64_t k = 0; k < (int64_t)d * soft->known; k++) {
      int32_t at = soft->number[(int64_t)d * soft->known_node[k / d][0] + k % d];
      soft->inverse[k * stride + column] = soft->inverse[column * stride + k] = at < 0 ? 0 : x[at];
    }
  }
  return SLIP_OK;
}

/* Rows of the nodes that are known. */
static void mark_known(const SlipiSoft *soft, bool *marked) {
  int d = slipi_soft_d(soft);
  for (int64_t k = 0; k < (int64_t)d * soft->known; k++) {
    int32_t row = soft->number[(int64_t)d * soft->known_node[k / d][0] + k % d];
    if (row >= 0)
      marked[row] = true;
  }
}

/* Columns of the inverse for the nodes from `first` on among those that are known, all rows that
 * are known. */
static SlipStatus solve_by(SlipiSoft *soft, SlipiTeam *team, const SlipiWithin *within,
                           int32_t first, SlipiArena *arena, SlipError *error) {
  int32_t count = soft->known - first, most = nodes_of_chunk(soft);
  Columns all = {.soft = soft, .within = within, .first = first};
  all.order = SLIPI_ARENA_RAW(arena, Placed, count);
  all.chunk = SLIPI_ARENA_RAW(arena, int32_t, count);
  if (arena->failed)
    return slipi_fail_memory(error, "the inverse of a deformable body");
  place_nodes(soft, within, first, all.order);
  for (int32_t k = 0; k < count; k++)
    all.chunk[all.order[k].known - first] = k / most;
  return slipi_within_each(slipi_within_room(within), team, (count + most - 1) / most, solve_chunk,
                           &all, arena, error);
}

/* ---- All of it at once ---- */

/* The products of a chunk of unit columns with those from it on: values of the inverse. */
static void keep_products(void *user, int32_t first, int32_t count, int32_t height,
                          const double *values) {
  const Columns *all = user;
  SlipiSoft *soft = all->soft;
  int d = slipi_soft_d(soft);
  int64_t stride = (int64_t)d * soft->known_capacity;
  for (int32_t c = 0; c < count; c++) {
    int64_t column = (int64_t)d * all->order[(first + c) / d].known + (first + c) % d;
    for (int32_t r = c; r < height; r++) {
      int64_t row = (int64_t)d * all->order[(first + r) / d].known + (first + r) % d;
      soft->inverse[row * stride + column] = soft->inverse[column * stride + row] =
          values[(int64_t)c * height + r];
    }
  }
}

/* A unit column for each component of each node that is known, in the order of their places; of
 * those that are held it is empty. */
static bool unit_columns(const SlipiSoft *soft, const Placed *order, SlipiArena *arena,
                         SlipiCsr *Bt) {
  int d = slipi_soft_d(soft);
  int32_t used = 0;
  *Bt = (SlipiCsr){.rows = d * soft->known, .cols = soft->free};
  Bt->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)Bt->rows + 1);
  Bt->i = SLIPI_ARENA_RAW(arena, int32_t, Bt->rows);
  Bt->x = SLIPI_ARENA_RAW(arena, double, Bt->rows);
  if (arena->failed)
    return false;
  for (int32_t c = 0; c < Bt->rows; c++) {
    int32_t row = soft->number[(int64_t)d * soft->known_node[order[c / d].known][0] + c % d];
    if (row >= 0) {
      Bt->i[used] = row;
      Bt->x[used++] = 1;
    }
    Bt->p[c + 1] = used;
  }
  return true;
}

/* All that is known, whatever was before, by half of each solve and products where that takes
 * fewer operations than the solves for new nodes, which is what *better says. */
static SlipStatus solve_products(SlipiSoft *soft, SlipiTeam *team, const SlipiWithin *within,
                                 double solves, bool *better, SlipiArena *arena, SlipError *error) {
  Columns all = {.soft = soft, .within = within};
  SlipiCsr Bt;
  SlipiWithinProduct product = {.within = within, .Bt = &Bt, .keep = keep_products, .user = &all};
  all.order = SLIPI_ARENA_RAW(arena, Placed, soft->known);
  if (arena->failed)
    return slipi_fail_memory(error, "the inverse of a deformable body");
  place_nodes(soft, within, 0, all.order);
  if (!unit_columns(soft, all.order, arena, &Bt))
    return slipi_fail_memory(error, "the inverse of a deformable body");
  *better = slipi_within_product_flops(&product, arena) < solves;
  return *better ? slipi_within_product(&product, team, NULL, arena, error) : SLIP_OK;
}

static SlipStatus solve_columns(SlipiSoft *soft, SlipiTeam *team, int32_t first, SlipError *error) {
  SlipiArena scratch = {0};
  SlipiWithin *within = NULL;
  bool *marked = SLIPI_ARENA_NEW(&scratch, bool, soft->free + 1), better = false;
  if (!marked)
    return slipi_fail_memory(error, "the inverse of a deformable body");
  mark_known(soft, marked);
  SlipStatus status =
      soft->factor ? slipi_factor_within(soft->factor, marked, &scratch, &within, error) : SLIP_OK;
  if (status == SLIP_OK && !within) {
    status = solve_whole(soft, first, error);
  } else if (status == SLIP_OK) {
    double columns = slipi_soft_d(soft) * (double)(soft->known - first);
    double solves = columns * slipi_within_flops(within) * (first == 0 ? 0.5 : 1);
    status = solve_products(soft, team, within, solves, &better, &scratch, error);
    if (status == SLIP_OK && !better)
      status = solve_by(soft, team, within, first, &scratch, error);
  }
  slipi_arena_free(&scratch);
  return status;
}

/* Room for so many nodes: the rows that are known move to their new places. */
static bool grow_inverse(SlipiSoft *soft, int32_t known, int64_t count) {
  int d = slipi_soft_d(soft);
  int32_t capacity = soft->known_capacity;
  if (count <= capacity)
    return true;
  if (!SLIPI_ROOM(soft->known_node, capacity, count))
    return false;
  capacity = count > 2 * (int64_t)soft->known_capacity ? (int32_t)count : capacity;
  int64_t stride = (int64_t)d * capacity, old = (int64_t)d * soft->known_capacity;
  double *made = malloc((size_t)(stride * stride) * sizeof *made);
  if (!made)
    return false;
  for (int64_t k = 0; k < (int64_t)d * known; k++)
    memcpy(made + k * stride, soft->inverse + k * old, (size_t)(d * (int64_t)known) * sizeof *made);
  free(soft->inverse);
  soft->inverse = made;
  soft->known_capacity = capacity;
  return true;
}

/* What a simulation knew when its snapshot was taken. */
static SlipStatus know_again(SlipiSoft *soft, SlipiTeam *team, SlipError *error) {
  bool same = soft->replay_M == soft->factor_M && soft->replay_K == soft->factor_K;
  int64_t count = same && soft->known == 0 ? soft->replays : 0;
  SlipStatus status = SLIP_OK;
  soft->replays = 0;
  if (count > 0 && !grow_inverse(soft, 0, count))
    return slipi_fail_memory(error, "the inverse of a deformable body");
  while (soft->known < count && status == SLIP_OK) {
    int32_t first = soft->known;
    while (soft->known < count && soft->replay[soft->known][1] == first) {
      memcpy(soft->known_node[soft->known], soft->replay[soft->known], sizeof *soft->replay);
      soft->place[soft->replay[soft->known][0]] = soft->known;
      soft->known++;
    }
    status = solve_columns(soft, team, first, error);
  }
  return status;
}

SlipStatus slipi_soft_know_nodes(SlipSim *sim, SlipError *error) {
  SlipiSofts *softs = sim->softs;
  SlipStatus status = SLIP_OK;
  for (int32_t s = 0; s < softs->count && status == SLIP_OK; s++) {
    SlipiSoft *soft = softs->at[s];
    status = know_again(soft, sim->team, error);
    int32_t first = soft->known;
    int64_t count = first;
    for (int32_t t = 0; t < softs->touches; t++)
      for (int side = 0; side < 2; side++) {
        if (softs->touch[t].soft[side] != s)
          continue;
        for (int32_t k = softs->touch[t].first[side]; k < softs->touch[t].end[side]; k++) {
          if (soft->place[softs->node[k]] < 0)
            soft->place[softs->node[k]] = (int32_t)count++;
        }
      }
    if (count == first || status != SLIP_OK)
      continue;
    if (!grow_inverse(soft, first, count)) {
      for (int32_t node = 0; node < soft->nodes; node++)
        soft->place[node] = soft->place[node] >= first ? -1 : soft->place[node];
      return slipi_fail_memory(error, "the inverse of a deformable body");
    }
    for (int32_t node = 0; node < soft->nodes; node++) {
      if (soft->place[node] >= first) {
        soft->known_node[soft->place[node]][0] = node;
        soft->known_node[soft->place[node]][1] = first;
      }
    }
    soft->known = (int32_t)count;
    status = solve_columns(soft, sim->team, first, error);
  }
  return status;
}
