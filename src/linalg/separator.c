#include "linalg/separator.h"

#include <string.h>

/* Graphs are made smaller down to so many nodes, as long as each has at most this share of the
 * nodes of the one before. */
enum { COARSEST = 100 };
static const double SHRINKS = 0.95;
/* No node becomes heavier than so many times the mean of the coarsest graph. */
static const double HEAVIEST = 1.5;
enum { STARTS = 4, PASSES = 4, LEVELS = 40 };

bool slipi_separator_create(int32_t n, int32_t entries, SlipiArena *arena, SlipiSeparator *s) {
  *s = (SlipiSeparator){.tries = 2};
  slipi_random_seed(&s->random, 1);
  /* Each level has about half of the nodes of the one before, and somewhat more of the edges. */
  s->all = 3 * (5 * (int64_t)n + 2 * (int64_t)entries) + 1024;
  s->room = SLIPI_ARENA_RAW(arena, int32_t, s->all);
  int32_t **arrays[] = {&s->list,         &s->mark,          &s->degree[0],     &s->degree[1],
                        &s->heap[0].node, &s->heap[0].key,   &s->heap[0].place, &s->heap[1].node,
                        &s->heap[1].key,  &s->heap[1].place, &s->state,         &s->moved};
  for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
    *arrays[k] = SLIPI_ARENA_RAW(arena, int32_t, n);
  s->pulled = SLIPI_ARENA_RAW(arena, int32_t,
                              2 * (int64_t)n); /* twice at most: linalg/separator_refine.c */
  s->pulled_p = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)n + 1);
  s->best = SLIPI_ARENA_RAW(arena, unsigned char, n);
  s->kept = SLIPI_ARENA_RAW(arena, unsigned char, n);
  return !arena->failed;
}

static int32_t *take(SlipiSeparator *s, int64_t count) {
  int32_t *taken = s->room + s->used;
  s->used += count;
  return taken;
}

bool slipi_separator_push(SlipiSeparator *s, int32_t n, int32_t entries, SlipiGraph *graph) {
  if (s->used + 5 * (int64_t)n + 2 * (int64_t)entries + 2 > s->all)
    return false;
  *graph = (SlipiGraph){.n = n};
  graph->p = take(s, (int64_t)n + 1);
  graph->weight = take(s, n);
  graph->into = take(s, n);
  graph->side = (unsigned char *)take(s, n / (int32_t)sizeof(int32_t) + 1);
  graph->j = take(s, entries);
  graph->edge = take(s, entries);
  return true;
}

void slipi_separator_fit(SlipiSeparator *s, SlipiGraph *graph, int32_t entries) {
  memmove(graph->j + entries, graph->edge, (size_t)entries * sizeof *graph->j);
  graph->edge = graph->j + entries;
  s->used = graph->edge + entries - s->room;
}

/* ---- Smaller graphs ---- */

/* Join each node with the free neighbour it has the heaviest edge to, in a random order; returns
 * the number of nodes that makes. */
static int32_t match(SlipiSeparator *s, const SlipiGraph *g, int32_t heaviest) {
  int32_t made = 0;
  for (int32_t a = 0; a < g->n; a++) {
    s->list[a] = a;
    g->into[a] = -1;
  }
  slipi_random_shuffle(&s->random, s->list, g->n);
  for (int32_t k = 0; k < g->n; k++) {
    int32_t a = s->list[k], with = a, edge = 0;
    if (g->into[a] >= 0)
      continue;
    for (int32_t e = g->p[a]; e < g->p[a + 1]; e++) {
      int32_t b = g->j[e];
      if (g->into[b] < 0 && g->weight[a] + g->weight[b] <= heaviest &&
          (g->edge[e] > edge || (g->edge[e] == edge && g->weight[b] < g->weight[with]))) {
        with = b;
        edge = g->edge[e];
      }
    }
    g->into[a] = g->into[with] = made++;
  }
  return made;
}

/* Add the edges of node a to those of the node it is part of, from `begin` on. */
static int32_t join_edges(const SlipiGraph *g, int32_t a, int32_t *seen, SlipiGraph *small,
                          int32_t begin, int32_t end) {
  for (int32_t e = g->p[a]; e < g->p[a + 1]; e++) {
    int32_t b = g->into[g->j[e]];
    if (b == g->into[a])
      continue;
    if (seen[b] >= begin) {
      small->edge[seen[b]] += g->edge[e];
      continue;
    }
    seen[b] = end;
    small->j[end] = b;
    small->edge[end++] = g->edge[e];
  }
  return end;
}

static bool coarsen(SlipiSeparator *s, const SlipiGraph *g, int32_t heaviest, SlipiGraph *small) {
  int32_t n = match(s, g, heaviest), end = 0;
  if (n > SHRINKS * g->n || !slipi_separator_push(s, n, g->p[g->n], small))
    return false;
  int32_t *first = s->list, *second = s->moved, *seen = s->mark;
  for (int32_t b = 0; b < n; b++)
    first[b] = second[b] = seen[b] = -1;
  for (int32_t a = 0; a < g->n; a++) {
    int32_t b = g->into[a];
    *(first[b] < 0 ? &first[b] : &second[b]) = a;
  }
  for (int32_t b = 0; b < n; b++) {
    int32_t begin = end;
    small->p[b] = begin;
    small->weight[b] = g->weight[first[b]] + (second[b] < 0 ? 0 : g->weight[second[b]]);
    end = join_edges(g, first[b], seen, small, begin, end);
    if (second[b] >= 0)
      end = join_edges(g, second[b], seen, small, begin, end);
  }
  small->p[n] = end;
  slipi_separator_fit(s, small, end);
  return true;
}

/* ---- The first cut ---- */

/* Nodes breadth first from a random one on, up to half of the weight, are side 0; the nodes beside
 * them are the separator. */
static void grow(SlipiSeparator *s, const SlipiGraph *g) {
  int32_t *queue = s->list, head = 0, tail = 0, next = 0;
  int64_t half = 0, grown = 0;
  for (int32_t a = 0; a < g->n; a++) {
    half += g->weight[a];
    g->side[a] = 1;
    s->mark[a] = 0;
  }
  half /= 2;
  int32_t start = (int32_t)slipi_random_below(&s->random, (uint32_t)g->n);
  while (grown < half) {
    if (head == tail) { /* another part of a graph that does not hang together */
      while (s->mark[start])
        start = next++;
      s->mark[start] = 1;
      queue[tail++] = start;
    }
    int32_t a = queue[head++];
    g->side[a] = 0;
    grown += g->weight[a];
    for (int32_t e = g->p[a]; e < g->p[a + 1]; e++) {
      if (!s->mark[g->j[e]]) {
        s->mark[g->j[e]] = 1;
        queue[tail++] = g->j[e];
      }
    }
  }
  for (; head < tail; head++) { /* what is left in the queue has neighbours on side 0 */
    int32_t a = queue[head];
    for (int32_t e = g->p[a]; e < g->p[a + 1] && g->side[a] == 1; e++)
      g->side[a] = g->side[g->j[e]] == 0 ? SLIPI_SEPARATOR : 1;
  }
}

static SlipiSeparation first_cut(SlipiSeparator *s, const SlipiGraph *g) {
  SlipiSeparation best = {{0}};
  for (int k = 0; k < STARTS; k++) {
    grow(s, g);
    SlipiSeparation found = slipi_separator_refine(s, g, PASSES);
    if (k > 0 && !slipi_separation_better(s, &found, &best))
      continue;
    best = found;
    memcpy(s->best, g->side, (size_t)g->n);
  }
  memcpy(g->side, s->best, (size_t)g->n);
  return best;
}

/* One separator of level[0], by smaller graphs that random numbers choose. */
static SlipiSeparation try_levels(SlipiSeparator *s, SlipiGraph *level, int32_t heaviest) {
  int last = 0;
  int64_t used = s->used;
  while (last + 1 < LEVELS && level[last].n > COARSEST &&
         coarsen(s, &level[last], heaviest, &level[last + 1]))
    last++;
  SlipiSeparation found = first_cut(s, &level[last]);
  for (int k = last - 1; k >= 0; k--) {
    for (int32_t a = 0; a < level[k].n; a++)
      level[k].side[a] = level[k + 1].side[level[k].into[a]];
    found = slipi_separator_refine(s, &level[k], PASSES);
  }
  s->used = used;
  return found;
}

void slipi_separator_find(SlipiSeparator *s, SlipiGraph *graph) {
  SlipiGraph level[LEVELS];
  SlipiSeparation best = {{0}};
  int64_t weight = 0;
  for (int32_t a = 0; a < graph->n; a++)
    weight += graph->weight[a];
  int32_t heaviest = (int32_t)(HEAVIEST * (double)weight / COARSEST) + 1;
  level[0] = *graph;
  for (int k = 0; k < s->tries; k++) {
    SlipiSeparation found = try_levels(s, level, heaviest);
    if (k > 0 && !slipi_separation_better(s, &found, &best))
      continue;
    best = found;
    memcpy(s->kept, graph->side, (size_t)graph->n);
  }
  memcpy(graph->side, s->kept, (size_t)graph->n);
}
