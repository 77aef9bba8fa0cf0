#include "linalg/dissect.h"

#include "linalg/separator.h"

/* Parts of so many nodes are not cut any more: minimum degree is as good there. */
enum { LEAF = 100 };
/* Of a mesh, parts of less than this share of its nodes are cut by the first separator found. */
static const double PART = 1.0 / 3;

/* The nodes in the order of their pieces: list[begin..end-1] is cut into two parts and their
 * separator, in this order. */
typedef struct Range {
  int32_t begin, end;
} Range;

typedef struct Dissection {
  const int32_t *p, *j;
  SlipiSeparator separator;
  int32_t *list, *spare;
  int32_t *local; /* number of a node in its range; -1 elsewhere */
  bool *starts;   /* where in the list a piece begins */
  bool mesh;
} Dissection;

/* The graph of a range alone. */
static void extract(Dissection *d, Range range, SlipiGraph *g) {
  int32_t n = range.end - range.begin, entries = 0;
  for (int32_t k = 0; k < n; k++) {
    int32_t a = d->list[range.begin + k];
    d->local[a] = k;
    entries += d->p[a + 1] - d->p[a];
  }
  d->separator.used = 0;
  (void)slipi_separator_push(&d->separator, n, entries, g); /* there is room for the whole graph */
  entries = 0;
  for (int32_t k = 0; k < n; k++) {
    int32_t a = d->list[range.begin + k];
    g->p[k] = entries;
    g->weight[k] = 1;
    for (int32_t e = d->p[a]; e < d->p[a + 1]; e++) {
      if (d->local[d->j[e]] < 0)
        continue;
      g->edge[entries] = 1;
      g->j[entries++] = d->local[d->j[e]];
    }
  }
  g->p[n] = entries;
  slipi_separator_fit(&d->separator, g, entries);
  for (int32_t k = range.begin; k < range.end; k++)
    d->local[d->list[k]] = -1;
}

/* Sort the nodes of a range by their sides; count[s] gets how many have side s. */
static void sort_sides(Dissection *d, Range range, const unsigned char *side, int32_t *count) {
  int32_t n = range.end - range.begin, at[3];
  count[0] = count[1] = count[2] = 0;
  for (int32_t k = 0; k < n; k++) {
    count[side[k]]++;
    d->spare[k] = d->list[range.begin + k];
  }
  at[0] = range.begin;
  at[1] = at[0] + count[0];
  at[2] = at[1] + count[1];
  for (int32_t k = 0; k < n; k++)
    d->list[at[side[k]]++] = d->spare[k];
}

/* Ranges that are left are on a stack. The smaller part of two goes on: the stack has no more
 * entries than an integer has bits. */
static void cut_all(Dissection *d, int32_t n) {
  enum { DEPTH = 64 };
  Range stack[DEPTH];
  int depth = 0;
  stack[depth++] = (Range){0, n};
  while (depth > 0) {
    Range range = stack[--depth];
    d->starts[range.begin] = true;
    if (range.end - range.begin <= LEAF || depth + 2 > DEPTH)
      continue;
    SlipiGraph g;
    int32_t count[3];
    extract(d, range, &g);
    d->separator.tries = d->mesh && g.n < PART * n ? 1 : 2;
    slipi_separator_find(&d->separator, &g);
    sort_sides(d, range, g.side, count);
    if (count[0] == 0 || count[1] == 0)
      continue;
    Range a = {range.begin, range.begin + count[0]}, b = {a.end, a.end + count[1]};
    if (count[2] > 0)
      d->starts[b.end] = true;
    bool larger = count[0] > count[1];
    stack[depth++] = larger ? a : b;
    stack[depth++] = larger ? b : a;
  }
}

SlipStatus slipi_dissect(int32_t n, const int32_t *p, const int32_t *j, double unequal, bool mesh,
                         SlipiArena *arena, int32_t *group, SlipError *error) {
  Dissection d = {.p = p, .j = j, .mesh = mesh};
  d.list = SLIPI_ARENA_RAW(arena, int32_t, n);
  d.spare = SLIPI_ARENA_RAW(arena, int32_t, n);
  d.local = SLIPI_ARENA_RAW(arena, int32_t, n);
  d.starts = SLIPI_ARENA_NEW(arena, bool, (int64_t)n + 1);
  bool room = slipi_separator_create(n, p[n], arena, &d.separator);
  if (!room || arena->failed)
    return slipi_fail_memory(error, "the analysis of a matrix");
  d.separator.unequal = unequal;
  for (int32_t a = 0; a < n; a++) {
    d.list[a] = a;
    d.local[a] = -1;
  }
  if (n > 0)
    cut_all(&d, n);
  int32_t pieces = 0;
  for (int32_t k = 0; k < n; k++) {
    pieces += k > 0 && d.starts[k];
    group[d.list[k]] = pieces;
  }
  return SLIP_OK;
}
