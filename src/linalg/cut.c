/* Ordering: minimum degree (AMD; CAMD within the pieces of a dissection), then a postorder of the
 * elimination tree, in which of the children of a node the one with the most rows comes last, next
 * to its parent. Fronts: columns with the same rows, joined to the front after them where that adds
 * few zeros. That is what CHOLMOD does (cholmod_analyze), whose memory cannot be kept from one
 * matrix to the next. */
#include "linalg/cut.h"

#include <limits.h>

#include <amd.h>
#include <camd.h>

#include "linalg/dissect.h"

/* Fronts are joined up to so many nodes as long as the share of zeros that brings stays below
 * this: less than CHOLMOD does by itself, whose nodes are scalars. Measured on problems of 20 to
 * 1500 contacts. */
static const size_t JOIN_UP_TO[] = {2, 4, 8};
static const double JOIN_ZEROS[] = {0.5, 0.1, 0.05};

typedef struct Pattern {
  int32_t n;
  int *p, *j;   /* of a symmetric pattern without its diagonal: each node's neighbours before it,
                   ascending, then those after it */
  int32_t room; /* of j: more than its entries */
} Pattern;

/* The elimination tree in the order of elimination. */
typedef struct Tree {
  int32_t *order;   /* node at each place */
  int32_t *place;   /* of each node */
  int32_t *parent;  /* place; -1: none */
  int32_t *count;   /* entries of each column of the factor, its diagonal included */
  int32_t *scratch; /* a value for each place */
} Tree;

static SlipStatus no_memory(SlipError *error) {
  return slipi_fail_memory(error, "the analysis of a matrix");
}

/* Add the neighbours after `a` that have not been seen by it yet. */
static int32_t add_later(int32_t a, const int32_t *from, int32_t count, int32_t *seen,
                         int32_t *to) {
  int32_t added = 0;
  for (int32_t k = 0; k < count; k++) {
    if (from[k] <= a || seen[from[k]] == a + 1)
      continue;
    seen[from[k]] = a + 1;
    to[added++] = from[k];
  }
  return added;
}

/* The nodes after each node that it has as neighbours, or that have it: `later` from p[a] on. */
static SlipStatus later_neighbours(int32_t n, const int32_t *p, const int32_t *j, SlipiArena *arena,
                                   int32_t *later_p, int32_t *later, SlipError *error) {
  int32_t *seen = SLIPI_ARENA_NEW(arena, int32_t, n);
  int32_t *transposed_p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)n + 2);
  int32_t *transposed = SLIPI_ARENA_RAW(arena, int32_t, p[n]);
  if (arena->failed)
    return no_memory(error);
  for (int32_t k = 0; k < p[n]; k++)
    transposed_p[j[k] + 2]++;
  for (int32_t a = 0; a < n; a++)
    transposed_p[a + 2] += transposed_p[a + 1];
  for (int32_t a = 0; a < n; a++) {
    for (int32_t k = p[a]; k < p[a + 1]; k++)
      transposed[transposed_p[j[k] + 1]++] = a;
  }
  int32_t used = 0;
  for (int32_t a = 0; a < n; a++) {
    later_p[a] = used;
    used += add_later(a, j + p[a], p[a + 1] - p[a], seen, later + used);
    used += add_later(a, transposed + transposed_p[a], transposed_p[a + 1] - transposed_p[a], seen,
                      later + used);
  }
  later_p[n] = used;
  return SLIP_OK;
}

static SlipStatus symmetric_pattern(int32_t n, const int32_t *p, const int32_t *j,
                                    SlipiArena *arena, Pattern *pattern, SlipError *error) {
  int64_t room = 2 * (int64_t)p[n] + p[n] / 2 + n; /* a part of it for AMD's work */
  int32_t *later_p = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)n + 1);
  int32_t *later = SLIPI_ARENA_RAW(arena, int32_t, p[n]);
  int32_t *end = SLIPI_ARENA_NEW(arena, int32_t, n);
  pattern->n = n;
  pattern->room = (int32_t)(room < INT_MAX ? room : INT_MAX);
  pattern->p = SLIPI_ARENA_RAW(arena, int, (int64_t)n + 1);
  pattern->j = SLIPI_ARENA_RAW(arena, int, pattern->room);
  if (arena->failed || 2 * (int64_t)p[n] + n > INT_MAX)
    return no_memory(error);
  SlipStatus status = later_neighbours(n, p, j, arena, later_p, later, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t k = 0; k < later_p[n]; k++)
    end[later[k]]++; /* as yet the number of those before it */
  pattern->p[0] = 0;
  for (int32_t a = 0; a < n; a++) {
    pattern->p[a + 1] = pattern->p[a] + end[a] + later_p[a + 1] - later_p[a];
    end[a] = pattern->p[a];
  }
  for (int32_t a = 0; a < n; a++) { /* those before each node are there by the time it is met */
    for (int32_t k = later_p[a]; k < later_p[a + 1]; k++) {
      pattern->j[end[a]++] = later[k];
      pattern->j[end[later[k]]++] = a;
    }
  }
  return SLIP_OK;
}

/* ---- The order ---- */

/* Where the nodes have groups, these are eliminated one after another. */
static SlipStatus minimum_degree(const Pattern *pattern, const int32_t *group, SlipiArena *arena,
                                 int32_t *order, SlipError *error) {
  enum { ARRAYS = 9 };
  int32_t n = pattern->n, used = pattern->p[n];
  int *work[ARRAYS];
  for (int k = 0; k < ARRAYS; k++)
    work[k] = SLIPI_ARENA_RAW(arena, int, (int64_t)n + 1);
  int *j = SLIPI_ARENA_RAW(arena, int, pattern->room); /* AMD works in it */
  if (arena->failed)
    return no_memory(error);
  for (int32_t a = 0; a < n; a++) {
    work[0][a] = pattern->p[a];
    work[1][a] = pattern->p[a + 1] - pattern->p[a];
  }
  for (int32_t k = 0; k < used; k++)
    j[k] = pattern->j[k];
  double info[AMD_INFO], info_of_groups[CAMD_INFO];
  if (group)
    camd_2(n, work[0], j, work[1], pattern->room, used, work[2], work[3], order, work[4], work[5],
           work[6], work[7], NULL, info_of_groups, group, work[8]);
  else
    amd_2(n, work[0], j, work[1], pattern->room, used, work[2], work[3], order, work[4], work[5],
          work[6], work[7], NULL, info);
  return SLIP_OK;
}

static void find_places(int32_t n, Tree *tree) {
  for (int32_t k = 0; k < n; k++)
    tree->place[tree->order[k]] = k;
}

static void find_parents(const Pattern *pattern, Tree *tree) {
  int32_t *ancestor = tree->scratch; /* with shortened paths */
  for (int32_t k = 0; k < pattern->n; k++) {
    int32_t node = tree->order[k];
    tree->parent[k] = ancestor[k] = -1;
    for (int32_t e = pattern->p[node]; e < pattern->p[node + 1]; e++) {
      int32_t i = tree->place[pattern->j[e]];
      while (i != -1 && i < k) {
        int32_t next = ancestor[i];
        ancestor[i] = k;
        if (next == -1)
          tree->parent[i] = k;
        i = next;
      }
    }
  }
}

/* Row k of the factor has entries in the columns on the paths from its neighbours up to k. */
static void count_columns(const Pattern *pattern, Tree *tree) {
  int32_t *mark = tree->scratch;
  for (int32_t k = 0; k < pattern->n; k++) {
    int32_t node = tree->order[k];
    tree->count[k] = 1;
    mark[k] = k;
    for (int32_t e = pattern->p[node]; e < pattern->p[node + 1]; e++) {
      for (int32_t i = tree->place[pattern->j[e]]; i < k && mark[i] != k; i = tree->parent[i]) {
        mark[i] = k;
        tree->count[i]++;
      }
    }
  }
}

/* Lists of children, those with the fewest entries first: places are sorted by their counts, and
 * put at the head of their parents' lists from the last to the first. */
static void list_children(int32_t n, const Tree *tree, int32_t *child, int32_t *next,
                          int32_t *bucket) {
  int32_t *in_bucket = tree->scratch;
  for (int32_t k = 0; k < n; k++)
    bucket[k] = child[k] = -1;
  for (int32_t k = 0; k < n; k++) { /* a count is between 1 and n */
    in_bucket[k] = bucket[tree->count[k] - 1];
    bucket[tree->count[k] - 1] = k;
  }
  for (int32_t size = n - 1; size >= 0; size--) {
    for (int32_t k = bucket[size]; k != -1; k = in_bucket[k]) {
      next[k] = tree->parent[k] < 0 ? -1 : child[tree->parent[k]];
      if (tree->parent[k] >= 0)
        child[tree->parent[k]] = k;
    }
  }
}

/* post[k]: the place that becomes k. Without recursion: trees may be as deep as n. */
static void visit_tree(int32_t n, const Tree *tree, int32_t *child, const int32_t *next,
                       int32_t *post) {
  int32_t done = 0;
  for (int32_t root = 0; root < n; root++) {
    if (tree->parent[root] >= 0)
      continue;
    for (int32_t k = root; k != -1;) {
      int32_t first = child[k];
      if (first != -1) {
        child[k] = next[first];
        k = first;
      } else {
        post[done++] = k;
        k = tree->parent[k];
      }
    }
  }
}

static SlipStatus postorder(int32_t n, SlipiArena *arena, Tree *tree, SlipError *error) {
  int32_t *child = SLIPI_ARENA_RAW(arena, int32_t, n), *next = SLIPI_ARENA_RAW(arena, int32_t, n);
  int32_t *post = SLIPI_ARENA_RAW(arena, int32_t, n), *now = SLIPI_ARENA_RAW(arena, int32_t, n);
  int32_t *order = SLIPI_ARENA_RAW(arena, int32_t, n);
  int32_t *parent = SLIPI_ARENA_RAW(arena, int32_t, n);
  int32_t *count = SLIPI_ARENA_RAW(arena, int32_t, n);
  if (arena->failed)
    return no_memory(error);
  list_children(n, tree, child, next, now);
  visit_tree(n, tree, child, next, post);
  for (int32_t k = 0; k < n; k++)
    now[post[k]] = k;
  for (int32_t k = 0; k < n; k++) {
    int32_t before = post[k];
    order[k] = tree->order[before];
    parent[k] = tree->parent[before] < 0 ? -1 : now[tree->parent[before]];
    count[k] = tree->count[before];
  }
  tree->order = order;
  tree->parent = parent;
  tree->count = count;
  find_places(n, tree);
  return SLIP_OK;
}

static SlipStatus make_tree(const Pattern *pattern, const int32_t *group, SlipiArena *arena,
                            Tree *tree, SlipError *error) {
  int32_t n = pattern->n;
  int32_t **arrays[] = {&tree->order, &tree->place, &tree->parent, &tree->count, &tree->scratch};
  for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
    *arrays[k] = SLIPI_ARENA_RAW(arena, int32_t, n);
  if (arena->failed)
    return no_memory(error);
  SlipStatus status = minimum_degree(pattern, group, arena, tree->order, error);
  if (status != SLIP_OK)
    return status;
  find_places(n, tree);
  find_parents(pattern, tree);
  count_columns(pattern, tree);
  return SLIP_OK;
}

/* ---- The fronts ---- */

/* Fronts of columns with the same rows; returns their number. */
static int32_t equal_columns(int32_t n, const Tree *tree, int32_t *super) {
  int32_t *children = tree->scratch, fronts = 0;
  for (int32_t k = 0; k < n; k++)
    children[k] = 0;
  for (int32_t k = 0; k < n; k++) {
    if (tree->parent[k] >= 0)
      children[tree->parent[k]]++;
  }
  for (int32_t k = 0; k < n; k++) {
    bool same = k > 0 && tree->parent[k - 1] == k && tree->count[k - 1] == tree->count[k] + 1 &&
                children[k] == 1;
    if (!same)
      super[fronts++] = k;
  }
  super[fronts] = n;
  return fronts;
}

/* A front that may still be joined with the one after it. */
typedef struct Group {
  int32_t columns, rows;
  int32_t into; /* the group that has taken it; -1: none */
  double zeros; /* in its columns */
} Group;

/* Whether a front and the next, its parent, are to be one; *zeros: how many that would have. */
static bool joins(const Group *front, const Group *parent, double *zeros) {
  double columns = front->columns, both = columns + parent->columns;
  double more = columns * (parent->rows + columns - front->rows);
  *zeros = parent->zeros;
  if (both <= (double)JOIN_UP_TO[0])
    return true;
  *zeros += more;
  double size = both * (both + 1) / 2 + both * (parent->rows - parent->columns);
  double share = *zeros / size;
  return more == 0 || (both <= (double)JOIN_UP_TO[1] && share < JOIN_ZEROS[0]) ||
         (both <= (double)JOIN_UP_TO[2] && share < JOIN_ZEROS[1]) || share < JOIN_ZEROS[2];
}

/* The group a front is in by now. */
static int32_t find_group(Group *group, int32_t front) {
  int32_t last = front;
  while (group[last].into >= 0)
    last = group[last].into;
  while (group[front].into >= 0) {
    int32_t next = group[front].into;
    group[front].into = last;
    front = next;
  }
  return last;
}

/* The front of each place. */
static void find_owners(int32_t fronts, const int32_t *super, int32_t *owner) {
  for (int32_t f = 0; f < fronts; f++) {
    for (int32_t k = super[f]; k < super[f + 1]; k++)
      owner[k] = f;
  }
}

static int32_t parent_of(const Tree *tree, const int32_t *super, const int32_t *owner, int32_t f) {
  int32_t parent = tree->parent[super[f + 1] - 1];
  return parent < 0 ? -1 : owner[parent];
}

/* From the last front to the first; `rows` gets those of each front that is left. */
static int32_t join_fronts(const Tree *tree, int32_t fronts, int32_t *super, const int32_t *owner,
                           Group *group, int32_t *rows) {
  int32_t left = 0, end = super[fronts];
  for (int32_t f = fronts - 1; f >= 0; f--) {
    group[f] =
        (Group){.columns = super[f + 1] - super[f], .rows = tree->count[super[f]], .into = -1};
    int32_t parent = parent_of(tree, super, owner, f);
    double zeros;
    if (parent < 0 || find_group(group, parent) != f + 1 ||
        !joins(&group[f], &group[f + 1], &zeros))
      continue;
    group[f].zeros = zeros;
    group[f].rows = group[f].columns + group[f + 1].rows;
    group[f].columns += group[f + 1].columns;
    group[f + 1].into = f;
  }
  for (int32_t f = 0; f < fronts; f++) {
    if (group[f].into >= 0)
      continue;
    super[left] = super[f];
    rows[left++] = group[f].rows;
  }
  super[left] = end;
  return left;
}

/* The rows of each front: its own places, then those whose paths in the tree go through it. */
static void list_rows(const Pattern *pattern, const Tree *tree, const int32_t *owner, SlipiCut *cut,
                      int32_t *filled, int32_t *seen) {
  for (int32_t f = 0; f < cut->fronts; f++) {
    filled[f] = cut->list_p[f];
    seen[f] = -1;
    for (int32_t k = cut->super[f]; k < cut->super[f + 1]; k++)
      cut->list[filled[f]++] = k;
  }
  for (int32_t k = 0; k < pattern->n; k++) {
    int32_t node = tree->order[k];
    seen[owner[k]] = k;
    for (int32_t e = pattern->p[node]; e < pattern->p[node + 1]; e++) {
      int32_t i = tree->place[pattern->j[e]];
      for (int32_t f = i < k ? owner[i] : -1; f >= 0 && seen[f] != k;
           f = parent_of(tree, cut->super, owner, f)) {
        seen[f] = k;
        cut->list[filled[f]++] = k;
      }
    }
  }
}

static SlipStatus make_fronts(const Pattern *pattern, const Tree *tree, SlipiArena *arena,
                              SlipiCut *cut, SlipError *error) {
  int32_t n = pattern->n;
  int32_t *owner = SLIPI_ARENA_RAW(arena, int32_t, n), *rows = SLIPI_ARENA_RAW(arena, int32_t, n);
  Group *group = SLIPI_ARENA_RAW(arena, Group, n);
  cut->order = tree->order;
  cut->super = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)n + 1);
  cut->list_p = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)n + 1);
  if (arena->failed)
    return no_memory(error);
  int32_t fronts = equal_columns(n, tree, cut->super);
  find_owners(fronts, cut->super, owner);
  cut->fronts = join_fronts(tree, fronts, cut->super, owner, group, rows);
  find_owners(cut->fronts, cut->super, owner);
  int64_t total = 0;
  for (int32_t f = 0; f < cut->fronts; f++) {
    cut->list_p[f] = (int32_t)total;
    total += rows[f];
  }
  cut->list_p[cut->fronts] = (int32_t)total;
  cut->list = total <= INT32_MAX ? SLIPI_ARENA_RAW(arena, int32_t, total) : NULL;
  if (!cut->list)
    return no_memory(error);
  list_rows(pattern, tree, owner, cut, rows, tree->scratch);
  return SLIP_OK;
}

static SlipStatus cut_pattern(const Pattern *pattern, const int32_t *group, SlipiArena *arena,
                              SlipiCut *cut, SlipError *error) {
  Tree tree = {0};
  SlipStatus status = make_tree(pattern, group, arena, &tree, error);
  if (status == SLIP_OK)
    status = postorder(pattern->n, arena, &tree, error);
  return status == SLIP_OK ? make_fronts(pattern, &tree, arena, cut, error) : status;
}

SlipStatus slipi_cut_graph(int32_t n, const int32_t *p, const int32_t *j, SlipiArena *arena,
                           SlipiCut *cut, SlipError *error) {
  Pattern pattern;
  SlipStatus status = symmetric_pattern(n, p, j, arena, &pattern, error);
  return status == SLIP_OK ? cut_pattern(&pattern, NULL, arena, cut, error) : status;
}

/* Operations of a factorisation, a node counted as one row. */
static double operations(const SlipiCut *cut) {
  double sum = 0;
  for (int32_t f = 0; f < cut->fronts; f++) {
    double k = cut->super[f + 1] - cut->super[f], u = cut->list_p[f + 1] - cut->list_p[f] - k;
    sum += k * (k * k / 3 + k * u + u * u);
  }
  return sum;
}

/* The best of dissections, each with the next weight of sides that are unequal. */
static SlipStatus cut_by(const double *unequal, int count, bool mesh, int32_t n, const int32_t *p,
                         const int32_t *j, SlipiArena *arena, SlipiCut *cut, SlipError *error) {
  Pattern pattern;
  int32_t *group = SLIPI_ARENA_RAW(arena, int32_t, n);
  SlipStatus status = group ? symmetric_pattern(n, p, j, arena, &pattern, error) : no_memory(error);
  for (int k = 0; status == SLIP_OK && k < count; k++) {
    SlipiCut found = {0};
    status = slipi_dissect(n, pattern.p, pattern.j, unequal[k], mesh, arena, group, error);
    if (status == SLIP_OK)
      status = cut_pattern(&pattern, group, arena, &found, error);
    if (status == SLIP_OK && (k == 0 || operations(&found) < operations(cut)))
      *cut = found;
  }
  return status;
}

SlipStatus slipi_cut_dissected(int32_t n, const int32_t *p, const int32_t *j, SlipiArena *arena,
                               SlipiCut *cut, SlipError *error) {
  static const double unequal[] = {1, 0}; /* either may be twice as good as the other */
  return cut_by(unequal, 2, false, n, p, j, arena, cut, error);
}

SlipStatus slipi_cut_mesh(int32_t n, const int32_t *p, const int32_t *j, SlipiArena *arena,
                          SlipiCut *cut, SlipError *error) {
  static const double unequal[] = {1};
  return cut_by(unequal, 1, true, n, p, j, arena, cut, error);
}

SlipStatus slipi_cut_none(int32_t n, SlipiArena *arena, SlipiCut *cut, SlipError *error) {
  cut->fronts = n > 0;
  cut->order = SLIPI_ARENA_RAW(arena, int32_t, n);
  cut->super = SLIPI_ARENA_NEW(arena, int32_t, 2);
  cut->list_p = SLIPI_ARENA_NEW(arena, int32_t, 2);
  if (arena->failed)
    return no_memory(error);
  for (int32_t a = 0; a < n; a++)
    cut->order[a] = a;
  cut->list = cut->order;
  cut->super[1] = cut->list_p[1] = n;
  return SLIP_OK;
}
