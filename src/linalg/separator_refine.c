#include "linalg/separator.h"

/* A side has at most this share of the weight. */
static const double MOST = 0.6;
/* A pass ends after so many moves without a better separator: twice its nodes, within bounds. */
enum { FRUITLESS_LEAST = 25, FRUITLESS_MOST = 500 };

/* States of a node in a pass, beside the sides it may go to only, 0 and 1. */
enum { FREE = -1, DONE = -2 };

/* ---- Heaps ---- */

static void put(SlipiHeap *heap, int32_t place, int32_t node) {
  heap->node[place] = node;
  heap->place[node] = place;
}

static void rise(SlipiHeap *heap, int32_t place, int32_t node) {
  while (place > 0) {
    int32_t above = (place - 1) / 2;
    if (heap->key[heap->node[above]] >= heap->key[node])
      break;
    put(heap, place, heap->node[above]);
    place = above;
  }
  put(heap, place, node);
}

static void sink(SlipiHeap *heap, int32_t place, int32_t node) {
  for (;;) {
    int32_t child = 2 * place + 1;
    if (child >= heap->count)
      break;
    if (child + 1 < heap->count && heap->key[heap->node[child + 1]] > heap->key[heap->node[child]])
      child++;
    if (heap->key[heap->node[child]] <= heap->key[node])
      break;
    put(heap, place, heap->node[child]);
    place = child;
  }
  put(heap, place, node);
}

static void insert(SlipiHeap *heap, int32_t node, int32_t key) {
  heap->key[node] = key;
  rise(heap, heap->count++, node);
}

static void take_out(SlipiHeap *heap, int32_t node) {
  int32_t place = heap->place[node];
  if (place < 0)
    return;
  heap->place[node] = -1;
  int32_t last = heap->node[--heap->count];
  if (place == heap->count)
    return;
  bool up = heap->key[last] > heap->key[node];
  if (up)
    rise(heap, place, last);
  else
    sink(heap, place, last);
}

static void change(SlipiHeap *heap, int32_t node, int32_t key) {
  int32_t place = heap->place[node];
  if (place < 0 || heap->key[node] == key)
    return;
  bool up = key > heap->key[node];
  heap->key[node] = key;
  if (up)
    rise(heap, place, node);
  else
    sink(heap, place, node);
}

/* ---- Moves ---- */

static int64_t difference(const SlipiSeparation *a) {
  int64_t d = a->weight[0] - a->weight[1];
  return d < 0 ? -d : d;
}

static bool fits(const SlipiSeparation *a) {
  double all = (double)a->weight[0] + (double)a->weight[1] + (double)a->weight[2];
  double larger = (double)(a->weight[0] > a->weight[1] ? a->weight[0] : a->weight[1]);
  return larger <= MOST * all;
}

static double score(const SlipiSeparator *s, const SlipiSeparation *a) {
  double all = (double)a->weight[0] + (double)a->weight[1] + (double)a->weight[2];
  return (double)a->weight[SLIPI_SEPARATOR] * (all + s->unequal * (double)difference(a)) +
         1e-3 * (double)difference(a);
}

bool slipi_separation_better(const SlipiSeparator *s, const SlipiSeparation *a,
                             const SlipiSeparation *b) {
  bool a_fits = fits(a), b_fits = fits(b);
  if (!a_fits || !b_fits)
    return a_fits || (!b_fits && difference(a) < difference(b));
  return score(s, a) < score(s, b);
}

/* What the separator loses when a node of it goes to a side. */
static int32_t gain(const SlipiSeparator *s, const SlipiGraph *g, int32_t node, int to) {
  return g->weight[node] - s->degree[1 - to][node];
}

/* The weights of a separator's node's neighbours on the sides. */
static void find_degrees(SlipiSeparator *s, const SlipiGraph *g, int32_t node) {
  s->degree[0][node] = s->degree[1][node] = 0;
  for (int32_t e = g->p[node]; e < g->p[node + 1]; e++) {
    int32_t other = g->j[e];
    if (g->side[other] != SLIPI_SEPARATOR)
      s->degree[g->side[other]][node] += g->weight[other];
  }
}

static SlipiSeparation begin_pass(SlipiSeparator *s, const SlipiGraph *g) {
  SlipiSeparation now = {{0}};
  s->heap[0].count = s->heap[1].count = 0;
  for (int32_t a = 0; a < g->n; a++) {
    now.weight[g->side[a]] += g->weight[a];
    s->state[a] = FREE;
    s->heap[0].place[a] = s->heap[1].place[a] = -1;
    if (g->side[a] != SLIPI_SEPARATOR)
      continue;
    find_degrees(s, g, a);
    insert(&s->heap[0], a, gain(s, g, a, 0));
    insert(&s->heap[1], a, gain(s, g, a, 1));
  }
  return now;
}

/* The side that the best node goes to, -1: none may be moved. */
static int choose_side(const SlipiSeparator *s, const SlipiGraph *g, const SlipiSeparation *now,
                       int pass) {
  double all = (double)now->weight[0] + (double)now->weight[1] + (double)now->weight[2];
  bool may[2];
  int32_t gains[2] = {0, 0};
  for (int to = 0; to < 2; to++) {
    const SlipiHeap *heap = &s->heap[to];
    may[to] =
        heap->count > 0 && (double)now->weight[to] + (double)g->weight[heap->node[0]] <= MOST * all;
    if (may[to])
      gains[to] = heap->key[heap->node[0]];
  }
  if (may[0] && may[1] && gains[0] == gains[1])
    return now->weight[0] == now->weight[1] ? pass % 2 : now->weight[0] > now->weight[1];
  if (may[0] && may[1])
    return gains[1] > gains[0];
  return may[0] ? 0 : may[1] ? 1 : -1;
}

/* A neighbour on the other side comes to the separator in its place. It may only go on to `to`,
 * else the two would change places for ever. */
static void pull(SlipiSeparator *s, const SlipiGraph *g, int32_t node, int to) {
  int from = 1 - to;
  g->side[node] = SLIPI_SEPARATOR;
  find_degrees(s, g, node);
  for (int32_t e = g->p[node]; e < g->p[node + 1]; e++) {
    int32_t other = g->j[e];
    if (g->side[other] != SLIPI_SEPARATOR)
      continue;
    s->degree[from][other] -= g->weight[node];
    change(&s->heap[to], other, gain(s, g, other, to));
  }
  if (s->state[node] != FREE)
    return;
  s->state[node] = to;
  insert(&s->heap[to], node, gain(s, g, node, to));
}

static void move(SlipiSeparator *s, const SlipiGraph *g, int32_t node, int to, int32_t count,
                 SlipiSeparation *now) {
  int from = 1 - to;
  int32_t pulled = s->pulled_p[count];
  now->weight[SLIPI_SEPARATOR] -= gain(s, g, node, to);
  now->weight[to] += g->weight[node];
  now->weight[from] -= s->degree[from][node];
  take_out(&s->heap[0], node);
  take_out(&s->heap[1], node);
  g->side[node] = (unsigned char)to;
  s->state[node] = DONE;
  s->moved[count] = node;
  for (int32_t e = g->p[node]; e < g->p[node + 1]; e++) {
    int32_t other = g->j[e];
    if (g->side[other] == SLIPI_SEPARATOR) {
      s->degree[to][other] += g->weight[node];
      change(&s->heap[from], other, gain(s, g, other, from));
    }
  }
  for (int32_t e = g->p[node]; e < g->p[node + 1]; e++) {
    if (g->side[g->j[e]] == from) {
      s->pulled[pulled++] = g->j[e];
      pull(s, g, g->j[e], to);
    }
  }
  s->pulled_p[count + 1] = pulled;
}

/* Take back the last of `count` moves. */
static void move_back(SlipiSeparator *s, const SlipiGraph *g, int32_t count) {
  int32_t node = s->moved[count - 1];
  for (int32_t k = s->pulled_p[count - 1]; k < s->pulled_p[count]; k++)
    g->side[s->pulled[k]] = (unsigned char)(1 - g->side[node]);
  g->side[node] = SLIPI_SEPARATOR;
}

/* One pass; *best is what it began with and what it ends with. */
static bool refine_once(SlipiSeparator *s, const SlipiGraph *g, int pass, SlipiSeparation *best) {
  SlipiSeparation now = begin_pass(s, g);
  int32_t count = 0, best_count = 0, most = 2 * s->heap[0].count;
  most = most < FRUITLESS_LEAST ? FRUITLESS_LEAST : most > FRUITLESS_MOST ? FRUITLESS_MOST : most;
  *best = now;
  s->pulled_p[0] = 0;
  while (count - best_count <= most) {
    int to = choose_side(s, g, &now, pass);
    if (to < 0)
      break;
    move(s, g, s->heap[to].node[0], to, count++, &now);
    if (slipi_separation_better(s, &now, best)) {
      *best = now;
      best_count = count;
    }
  }
  for (; count > best_count; count--)
    move_back(s, g, count);
  return best_count > 0;
}

SlipiSeparation slipi_separator_refine(SlipiSeparator *s, const SlipiGraph *graph, int passes) {
  SlipiSeparation best;
  for (int pass = 0; refine_once(s, graph, pass, &best) && pass + 1 < passes;)
    pass++;
  return best;
}
