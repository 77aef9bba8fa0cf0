#include "linalg/frontal_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/many_pivots.h"

/* Nested dissection pays from so many operations of a factorisation for each block of the matrix:
 * it takes some microseconds a block, and saves a tenth of the operations in walls, half of them in
 * piles of 10^4 contacts. */
static const double DISSECT_FLOPS = 2e4;
static const double DISSECT_SECONDS = 1e-5; /* at most, for each block: it cannot be stopped */
/* What a visit to an entry that is not in a cache counts for. */
static const double VISIT = SLIPI_ASK_FLOPS / SLIPI_ASK_VISITS;

static SlipStatus set(SlipiFrontal *frontal, const SlipiNodes *nodes, SlipiTeam *team,
                      const SlipiStop *stop, double most, SlipError *error) {
  SlipiArena arena = frontal->arena, scratch = frontal->scratch;
  slipi_arena_reset(&arena);
  slipi_arena_reset(&scratch);
  *frontal = (SlipiFrontal){.nodes = *nodes,
                            .team = team,
                            .stop = stop,
                            .arena = arena,
                            .scratch = scratch,
                            .registers = slipi_registers()};
  SlipStatus status = slipi_frontal_analyse(frontal, most, error);
  slipi_arena_reset(&frontal->scratch);
  return status;
}

SlipStatus slipi_frontal_set(SlipiFrontal *frontal, const SlipiNodes *nodes, SlipiTeam *team,
                             const SlipiStop *stop, SlipError *error) {
  return set(frontal, nodes, team, stop, 0, error);
}

SlipStatus slipi_frontal_dissect(SlipiFrontal *frontal, SlipError *error) {
  SlipiNodes nodes = frontal->nodes;
  bool one = frontal->fronts <= 1;
  if (one || frontal->flops < DISSECT_FLOPS * nodes.p[nodes.n])
    return SLIP_OK;
  if (slipi_is_stopped_within(frontal->stop, DISSECT_SECONDS * nodes.p[nodes.n]))
    return slipi_fail_stopped(error);
  return set(frontal, &nodes, frontal->team, frontal->stop, frontal->work, error);
}

SlipStatus slipi_frontal_create(const SlipiNodes *nodes, SlipiTeam *team, const SlipiStop *stop,
                                SlipiFrontal **frontal, SlipError *error) {
  *frontal = NULL;
  SlipiFrontal *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "the factors of a matrix");
  SlipStatus status = slipi_frontal_set(made, nodes, team, stop, error);
  if (status == SLIP_OK)
    *frontal = made;
  else
    slipi_frontal_free(made);
  return status;
}

void slipi_frontal_free(SlipiFrontal *frontal) {
  if (!frontal)
    return;
  slipi_arena_free(&frontal->arena);
  slipi_arena_free(&frontal->scratch);
  free(frontal);
}

double slipi_frontal_flops(const SlipiFrontal *frontal) {
  return frontal->flops;
}

int32_t slipi_frontal_fronts(const SlipiFrontal *frontal) {
  return frontal->fronts;
}

double slipi_frontal_work(const SlipiFrontal *frontal) {
  return frontal->work;
}

/* ---- Factorisation: fronts ---- */

/* A thread at a piece of work. */
typedef struct Visit {
  SlipiFrontal *s;
  const double *x; /* the values of the matrix */
  const SlipiStop *stop;
  double unasked; /* operations since `stop` was called last */
} Visit;

/* After so many operations: whether to go on. */
static bool goes_on(Visit *v, double flops) {
  return !slipi_stops_after(v->stop, &v->unasked, flops, SLIPI_ASK_FLOPS);
}

/* Zeros, some at a time: pages may come with them. */
static bool clear(Visit *v, double *values, int64_t count) {
  enum { PIECE = 1 << 18 };
  for (int64_t at = 0; at < count; at += PIECE) {
    int64_t some = count - at < PIECE ? count - at : PIECE;
    memset(values + at, 0, (size_t)some * sizeof *values);
    if (!goes_on(v, VISIT * (double)some / 4))
      return false;
  }
  return true;
}

/* The matrix's own values of a front. */
static bool prepare(Visit *v, int32_t f) {
  const SlipiFrontal *s = v->s;
  const SlipiFront *front = &s->front[f];
  int64_t k = front->pivots, count = 0;
  if (!clear(v, s->values + front->panel, k * (2 * front->rows - k)))
    return false;
  for (int32_t b = s->block_p[f]; b < s->block_p[f + 1]; b++) {
    const SlipiFrontBlock *block = &s->block[b];
    const double *from = v->x + block->from;
    double *to = s->values + block->to;
    for (int32_t i = 0; i < block->rows; i++, from += block->columns) {
      for (int32_t j = 0; j < block->columns; j++)
        to[i + (int64_t)j * block->stride] = from[j];
    }
    count += block->rows;
  }
  return goes_on(v, VISIT * (double)count);
}

/* Add the update of a child to the columns from `first` to `end` - 1 of a front. */
static bool take_update(Visit *v, const SlipiFront *front, const SlipiFront *child, int32_t first,
                        int32_t end) {
  const SlipiFrontal *s = v->s;
  int64_t u = child->rows - child->pivots, own = front->rows - front->pivots;
  const int32_t *up = s->up + child->below;
  int64_t split = 0, j = 0; /* rows among the front's pivots, and before its column `first` */
  bool go = true;
  while (split < u && up[split] < front->pivots)
    split++;
  while (j < u && up[j] < first)
    j++;
  for (; go && j < u && up[j] < end; j++) {
    const double *from = s->stack + child->update + j * u;
    go = goes_on(v, 10 * (double)u);
    if (j < split) {
      double *to = s->values + front->panel + (int64_t)up[j] * front->rows;
      for (int64_t i = 0; i < u; i++)
        to[up[i]] += from[i];
      continue;
    }
    int64_t column = up[j] - front->pivots;
    double *right = s->values + front->right + column * front->pivots;
    double *to = s->stack + front->made_at + column * own - front->pivots;
    for (int64_t i = 0; i < split; i++)
      right[up[i]] += from[i];
    for (int64_t i = split; i < u; i++)
      to[up[i]] += from[i];
  }
  return go;
}

/* What a front's children add to some of its columns. Without children its own update is not set
 * to 0, but the first that is subtracted from it is not added to what is there. */
static bool take_updates(Visit *v, const SlipiFront *front, int32_t first, int32_t end) {
  int64_t k = front->pivots, u = front->rows - k, from = first > k ? first - k : 0;
  if (front->child < 0)
    return true;
  bool go = end <= k || clear(v, v->s->stack + front->made_at + from * u, (end - k - from) * u);
  for (int32_t c = front->child; go && c >= 0; c = v->s->front[c].next)
    go = take_update(v, front, &v->s->front[c], first, end);
  return go;
}

static bool is_wide(const SlipiFrontal *s) {
  return s->registers != SLIPI_REGISTERS_PLAIN;
}

/* Rows of `count` columns of k rows are exchanged, pivots first ... end - 1 with those after. */
static void exchange(int count, double *columns, int stride, int first, int end,
                     const lapack_int *swap) {
  LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, count, columns, stride, first + 1, end, swap, 1);
}

/* X = L^-1 X for `count` columns of the right part, after exchanges. */
static void substitute_right(const SlipiFrontal *s, const SlipiFront *front, int first, int count) {
  int k = front->pivots;
  double *right = s->values + front->right + (int64_t)first * k;
  exchange(count, right, k, 0, k, s->swap + front->first);
  slipi_many_pivots_substitute(s->registers, k,
                               (SlipiColumns){s->values + front->panel, front->rows}, count,
                               (SlipiColumns){right, k});
}

/* What the pivots subtract from `count` columns of the update. */
static void subtract_product(const SlipiFrontal *s, const SlipiFront *front, int first, int count) {
  int k = front->pivots, f = front->rows, u = f - k;
  slipi_product_subtract(s->registers, u, count, k, (SlipiColumns){s->values + front->panel + k, f},
                         (SlipiColumns){s->values + front->right + (int64_t)first * k, k},
                         front->child < 0,
                         (SlipiColumns){s->stack + front->made_at + (int64_t)first * u, u});
}

/* Eliminate the pivots of a front; false where one is 0, or where it is given up. */
static bool eliminate(Visit *v, const SlipiFront *front) {
  SlipiFrontal *s = v->s;
  int k = front->pivots, f = front->rows, u = f - k;
  double *panel = s->values + front->panel, *right = s->values + front->right;
  lapack_int *swap = s->swap + front->first;
  if (k <= SLIPI_FEW_PIVOTS) {
    if (!slipi_few_pivots_eliminate(is_wide(s), k, f, panel, right, swap))
      return false;
  } else {
    if (!slipi_many_pivots_factor(s->registers, (SlipiPanel){panel, f, k, k, f}, swap))
      return false;
    substitute_right(s, front, 0, u);
  }
  if (u > 0)
    subtract_product(s, front, 0, u);
  return goes_on(v, slipi_front_flops(k, u));
}

/* The signs of pivots and exchanges, 0 where one is not a number other than 0, and their sizes. */
static bool note_pivots(const SlipiFrontal *s, SlipiFront *front) {
  front->sign = 1;
  front->least = INFINITY;
  front->largest = 0;
  for (int64_t k = 0; k < front->pivots; k++) {
    double pivot = s->values[front->panel + k * (front->rows + 1)];
    if (pivot == 0 || !isfinite(pivot))
      return false;
    front->least = fmin(front->least, fabs(pivot));
    front->largest = fmax(front->largest, fabs(pivot));
    if ((pivot < 0) != (s->swap[front->first + k] != k + 1))
      front->sign = -front->sign;
  }
  return true;
}

/* ---- Factorisation: pieces of work ---- */

/* All of these return false where a pivot is 0, or where the work is given up. */

static bool visit_fronts(Visit *v, const SlipiPiece *piece) {
  SlipiFrontal *s = v->s;
  bool go = true;
  for (int32_t m = piece->first; go && m < piece->end; m++) {
    SlipiFront *front = &s->front[s->member[m]];
    size_t u = (size_t)(front->rows - front->pivots), bytes = u * u * sizeof(double);
    go = prepare(v, s->member[m]) && take_updates(v, front, 0, front->rows) &&
         eliminate(v, front) && note_pivots(s, front);
    if (go && front->update != front->made_at && u > 0)
      memmove(s->stack + front->update, s->stack + front->made_at, bytes);
  }
  return go;
}

static bool visit_prepare(Visit *v, const SlipiPiece *piece) {
  return prepare(v, piece->first);
}

/* The columns of a tile; returns their end. */
static int tile_columns(const SlipiFront *front, int32_t tile, int *first) {
  int32_t steps = slipi_front_tiles(front->pivots);
  bool pivots = tile < steps;
  int at = pivots ? 0 : front->pivots, end = pivots ? front->pivots : front->rows;
  *first = at + (pivots ? tile : tile - steps) * SLIPI_FRONT_TILE;
  return end - *first < SLIPI_FRONT_TILE ? end : *first + SLIPI_FRONT_TILE;
}

static bool visit_take(Visit *v, const SlipiPiece *piece) {
  const SlipiFront *front = &v->s->front[piece->first];
  int first, end = tile_columns(front, piece->tile, &first);
  return take_updates(v, front, first, end);
}

/* Exchanges are of rows in the tile only: other pieces may read L of the tiles before. When all
 * tiles are done those follow. */
static bool visit_pivots(Visit *v, const SlipiPiece *piece) {
  SlipiFrontal *s = v->s;
  SlipiFront *front = &s->front[piece->first];
  int k = front->pivots, f = front->rows, at, end = tile_columns(front, piece->step, &at);
  double *panel = s->values + front->panel, *column = panel + (int64_t)at * f;
  lapack_int *swap = s->swap + front->first;
  SlipiPanel tile = {column + at, f, end - at, k - at, f - at};
  if (!slipi_many_pivots_factor(s->registers, tile, swap + at))
    return false;
  for (int i = at; i < end; i++)
    swap[i] += at;
  if (end < k)
    return goes_on(v, piece->work);
  for (int t = 0; t < piece->step; t++) {
    int first, next = tile_columns(front, t, &first);
    exchange(next - first, panel + (int64_t)first * f, f, next, k, swap);
  }
  return note_pivots(s, front) && goes_on(v, piece->work);
}

static bool visit_columns(Visit *v, const SlipiPiece *piece) {
  SlipiFrontal *s = v->s;
  const SlipiFront *front = &s->front[piece->first];
  int f = front->rows, at, end = tile_columns(front, piece->step, &at);
  int first, count = tile_columns(front, piece->tile, &first) - first;
  double *L = s->values + front->panel + (int64_t)at * f;
  double *x = s->values + front->panel + (int64_t)first * f;
  exchange(count, x, f, at, end, s->swap + front->first);
  slipi_many_pivots_substitute(s->registers, end - at, (SlipiColumns){L + at, f}, count,
                               (SlipiColumns){x + at, f});
  slipi_product_subtract(s->registers, f - end, count, end - at, (SlipiColumns){L + end, f},
                         (SlipiColumns){x + at, f}, false, (SlipiColumns){x + end, f});
  return goes_on(v, piece->work);
}

static bool visit_right(Visit *v, const SlipiPiece *piece) {
  const SlipiFront *front = &v->s->front[piece->first];
  int first, end = tile_columns(front, piece->tile, &first);
  substitute_right(v->s, front, first - front->pivots, end - first);
  subtract_product(v->s, front, first - front->pivots, end - first);
  return goes_on(v, piece->work);
}

typedef struct Factoring {
  SlipiFrontal *s;
  const double *x;
  SlipiStop stop;
  _Atomic bool over; /* a pivot is 0, or it is given up */
} Factoring;

/* Several pieces are long enough for a question each; one asks by itself. */
static void visit(void *user, int pass, int32_t number) {
  static bool (*const kinds[])(Visit *, const SlipiPiece *) = {
      [SLIPI_PIECE_FRONTS] = visit_fronts,   [SLIPI_PIECE_PREPARE] = visit_prepare,
      [SLIPI_PIECE_TAKE] = visit_take,       [SLIPI_PIECE_PIVOTS] = visit_pivots,
      [SLIPI_PIECE_COLUMNS] = visit_columns, [SLIPI_PIECE_RIGHT] = visit_right};
  Factoring *all = user;
  Visit v = {all->s, all->x, &all->stop, 0};
  const SlipiPiece *piece = &all->s->factoring.piece[number];
  (void)pass;
  if (atomic_load(&all->over))
    return;
  if ((all->s->factoring.count > 1 && slipi_is_stopped(v.stop)) || !kinds[piece->kind](&v, piece))
    atomic_store(&all->over, true);
}

static SlipStatus reserve(SlipiFrontal *s, SlipError *error) {
  s->arena.failed = false; /* there may be memory again */
  if (!s->values)
    s->values = SLIPI_ARENA_NEW(&s->arena, double, s->value_count);
  if (!s->stack)
    s->stack = SLIPI_ARENA_NEW(&s->arena, double, s->stack_count);
  return s->values && s->stack ? SLIP_OK : slipi_fail_memory(error, "the factors of a matrix");
}

SlipStatus slipi_frontal_factor(SlipiFrontal *frontal, const double *x, int *sign,
                                SlipError *error) {
  SlipiTeamStop shared;
  Factoring all = {.s = frontal, .x = x};
  const int32_t start[2] = {0, frontal->factoring.count};
  *sign = 0;
  frontal->pivot_least = frontal->pivot_largest = 0;
  SlipStatus status = reserve(frontal, error);
  if (status != SLIP_OK)
    return status;
  all.stop = slipi_team_stop(&shared, frontal->stop ? *frontal->stop : (SlipiStop){0});
  slipi_team_stages(frontal->team,
                    &(SlipiStages){start, 1, 1, visit, &all, &frontal->factoring.near});
  if (atomic_load(&all.over))
    return SLIP_OK;
  *sign = 1;
  frontal->pivot_least = INFINITY;
  for (int32_t f = 0; f < frontal->fronts; f++) {
    const SlipiFront *front = &frontal->front[f];
    *sign *= front->sign;
    frontal->pivot_least = fmin(frontal->pivot_least, front->least);
    frontal->pivot_largest = fmax(frontal->pivot_largest, front->largest);
  }
  return SLIP_OK;
}

double slipi_frontal_rcond(const SlipiFrontal *frontal) {
  return frontal->pivot_largest > 0 ? frontal->pivot_least / frontal->pivot_largest : 0;
}

/* ---- Solution ---- */

/* Add what the children of a front leave to its pivots to x, or to its rows below to t. */
static void add_left(const SlipiFrontal *s, const SlipiFront *front, double *x, double *t) {
  for (int32_t c = front->child; c >= 0; c = s->front[c].next) {
    const SlipiFront *child = &s->front[c];
    const int32_t *up = s->up + child->below;
    const double *left = s->t + child->below;
    int32_t k = front->pivots, u = child->rows - child->pivots, i = 0;
    for (; i < u && up[i] < k; i++) {
      if (x)
        x[up[i]] += left[i];
    }
    for (; t && i < u; i++)
      t[up[i] - k] += left[i];
  }
}

static void forward(const SlipiFrontal *s, const SlipiFront *front) {
  const double *panel = s->values + front->panel;
  double *x = s->y + front->first, *t = s->t + front->below;
  add_left(s, front, x, NULL);
  for (int i = 0; i < front->pivots; i++) {
    int other = (int)s->swap[front->first + i] - 1;
    double value = x[i];
    x[i] = x[other];
    x[other] = value;
  }
  slipi_few_pivots_forward(is_wide(s), front->pivots, front->rows, panel, x, t);
  add_left(s, front, NULL, t);
}

static void backward(const SlipiFrontal *s, const SlipiFront *front) {
  int k = front->pivots, f = front->rows, u = f - k;
  const double *panel = s->values + front->panel, *right = s->values + front->right;
  const int32_t *row = s->row + front->below;
  double *x = s->y + front->first, *t = s->t + front->below;
  for (int i = 0; i < u; i++)
    t[i] = s->y[row[i]];
  slipi_few_pivots_subtract(is_wide(s), k, u, right, k, t, x);
  for (int j = k - 1; j >= 0; j--) {
    x[j] /= panel[j + (int64_t)j * f];
    slipi_few_pivots_subtract(is_wide(s), j, 1, panel + (int64_t)j * f, f, x + j, x);
  }
}

static void visit_solution(void *user, int pass, int32_t number) {
  const SlipiFrontal *s = user;
  const SlipiPiece *piece = &s->solving.piece[number];
  (void)pass;
  for (int32_t m = piece->first; piece->kind == SLIPI_PIECE_FORWARD && m < piece->end; m++)
    forward(s, &s->front[s->member[m]]);
  for (int32_t m = piece->end - 1; piece->kind == SLIPI_PIECE_BACKWARD && m >= piece->first; m--)
    backward(s, &s->front[s->member[m]]);
}

void slipi_frontal_solve(SlipiFrontal *frontal, const double *b, double *x) {
  const int32_t start[2] = {0, frontal->solving.count};
  for (int32_t k = 0; k < frontal->rows; k++)
    frontal->y[k] = b[frontal->order[k]];
  if (frontal->solving.count > 1) {
    slipi_team_stages(frontal->team,
                      &(SlipiStages){start, 1, 1, visit_solution, frontal, &frontal->solving.near});
  } else {
    for (int32_t f = 0; f < frontal->fronts; f++)
      forward(frontal, &frontal->front[f]);
    for (int32_t f = frontal->fronts - 1; f >= 0; f--)
      backward(frontal, &frontal->front[f]);
  }
  for (int32_t k = 0; k < frontal->rows; k++)
    x[frontal->order[k]] = frontal->y[k];
}
