#include "linalg/supernodal.h"

#include <stdint.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "base/huge.h"

#include "linalg/cut.h"

/* A supernode is a set of neighbouring columns of L with the same rows below them: a dense matrix
 * of `rows` x `columns`, the rows of its columns first. It is made from the left: A's columns, less
 * the products of all supernodes before it that reach it, then the Cholesky factors of its top and
 * a triangular solve for what is below. */

/* CHOLMOD takes supernodes from 40 operations an entry of L on. A matrix with fewer entries than
 * this and fewer operations is factored in some hundredths of a second. */
static const size_t SUPERNODAL_FROM = 100000;
/* Pivots of a supernode that are eliminated at a time. */
enum { PANEL = 192 };

typedef struct Factorisation {
  const cholmod_sparse *A; /* permuted */
  cholmod_factor *L;
  const SlipiStop *stop;
  double unasked; /* operations */
  int32_t *map;   /* of each row: its place in the supernode that is being made */
  int32_t *of;    /* of each column: its supernode */
  int32_t *head;  /* of each supernode: the first of those before it that reach it next; -1: none */
  int32_t *next;  /* and the one after that */
  int32_t *from;  /* of each: its first row that is not behind the supernode it reaches next */
  double *product;
} Factorisation;

typedef struct Supernode {
  int32_t first, columns, rows;
  const int *row;
  double *x; /* by columns */
} Supernode;

void slipi_supernodal_start(cholmod_common *common, size_t entries) {
  cholmod_start(common);
  common->print = 0;
  common->quick_return_if_not_posdef = 1;
  if (entries >= SUPERNODAL_FROM)
    common->supernodal = CHOLMOD_SUPERNODAL;
}

/* ---- Analysis ---- */

/* Seconds an entry of A, and one of the graph of its nodes: a little more than was measured.
 * Orderings cannot be stopped on the way. */
static const double SECONDS_PER_ENTRY = 6e-8, SECONDS_PER_EDGE = 1e-6;
/* Nested dissection is tried where AMD leaves so many operations an entry of L, and entries an
 * entry of A: CHOLMOD's rule for METIS, whose random numbers all threads of a process would share.
 */
static const double DISSECT_FLOPS = 500, DISSECT_FILL = 5;

/* Supernodes that follow each other are joined up to so many columns together, where at most a
 * share of the entries is zeros: three times CHOLMOD's numbers. The rows of finite elements come in
 * threes, and products of more columns are quicker than the zeros cost: an eighth less time to form
 * W of two elastic cubes. */
static const size_t JOINED[] = {12, 48, 144};

/* Where a node begins: first[k] for each column k, which the one before does not share. */
static void find_nodes(const cholmod_sparse *A, bool *first) {
  const int *p = A->p, *i = A->i;
  int32_t n = (int32_t)A->ncol;
  memset(first, 0, (size_t)n * sizeof *first);
  for (int32_t c = 0; c < n; c++) {
    const int *row = i + p[c];
    int32_t count = p[c + 1] - p[c];
    for (int32_t k = 0; k < count; k++) {
      bool after = k + 1 < count && row[k + 1] == row[k] + 1;
      bool before = k > 0 && row[k - 1] == row[k] - 1;
      if (!after && row[k] + 1 < n)
        first[row[k] + 1] = true;
      if (!before && row[k] > c)
        first[row[k]] = true;
    }
    if (c + 1 < n && (p[c + 2] - p[c + 1] != count - 1 ||
                      memcmp(row + 1, i + p[c + 1], (size_t)(count - 1) * sizeof *row) != 0))
      first[c + 1] = true;
  }
  if (n > 0)
    first[0] = true;
}

/* The lower triangle of the graph of the nodes; node[k] is that of column k. */
static void node_graph(const cholmod_sparse *A, const bool *first, int *node,
                       cholmod_sparse *graph) {
  const int *p = A->p, *i = A->i;
  int *q = graph->p, *j = graph->i, used = 0, nodes = 0;
  for (size_t c = 0; c < A->ncol; c++) {
    nodes += first[c];
    node[c] = nodes - 1;
  }
  for (size_t c = 0; c < A->ncol; c++) {
    if (!first[c])
      continue;
    q[node[c]] = used;
    for (int k = p[c]; k < p[c + 1]; k++)
      if (used == q[node[c]] || j[used - 1] != node[i[k]])
        j[used++] = node[i[k]];
  }
  q[nodes] = used;
  graph->nrow = graph->ncol = (size_t)nodes;
}

/* The order of the nodes: AMD's, or one by nested dissection where that is better, by CHOLMOD's
 * rules for the whole matrix, which has `size` times the rows. */
static cholmod_factor *order_nodes(cholmod_sparse *graph, double size, SlipiArena *arena,
                                   cholmod_common *c) {
  double entries = ((int *)graph->p)[graph->ncol];
  c->nmethods = 1;
  c->method[0].ordering = CHOLMOD_AMD;
  c->supernodal = CHOLMOD_SIMPLICIAL;
  cholmod_factor *L = cholmod_analyze(graph, c);
  double flops = c->fl;
  if (!L || flops * size < DISSECT_FLOPS * c->lnz || c->lnz < DISSECT_FILL * entries)
    return L;
  SlipiCut cut;
  cholmod_factor *other = NULL;
  c->method[0].ordering = CHOLMOD_GIVEN;
  if (slipi_cut_mesh((int32_t)graph->ncol, graph->p, graph->i, arena, &cut, NULL) == SLIP_OK)
    other = cholmod_analyze_p(graph, cut.order, NULL, 0, c);
  bool better = !other || c->fl < flops; /* or there is no memory for it */
  cholmod_free_factor(better ? &L : &other, c);
  return better ? other : L;
}

/* The columns in the order of their nodes. */
static void expand(const cholmod_factor *L, const int *node, int32_t n, int *start, int *perm) {
  const int *order = L->Perm;
  int32_t used = 0;
  for (int32_t c = n; c-- > 0;)
    start[node[c]] = c;
  for (size_t k = 0; k < L->n; k++)
    for (int32_t c = start[order[k]]; c < n && node[c] == order[k]; c++)
      perm[used++] = c;
}

/* The order of A's columns into perm; false for want of memory. */
static bool order_columns(cholmod_sparse *A, const bool *first, SlipiArena *arena, int *perm) {
  int32_t n = (int32_t)A->ncol;
  cholmod_common c;
  cholmod_sparse graph = {.stype = -1,
                          .itype = CHOLMOD_INT,
                          .xtype = CHOLMOD_PATTERN,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
  graph.nzmax = (size_t)((int *)A->p)[n];
  graph.p = SLIPI_ARENA_NEW(arena, int, (int64_t)n + 1);
  graph.i = SLIPI_ARENA_NEW(arena, int, (int64_t)graph.nzmax);
  int *node = SLIPI_ARENA_NEW(arena, int, n), *start = SLIPI_ARENA_NEW(arena, int, n);
  if (arena->failed)
    return false;
  node_graph(A, first, node, &graph);
  cholmod_start(&c);
  c.print = 0;
  cholmod_factor *L = order_nodes(&graph, (double)n / (double)graph.ncol, arena, &c);
  if (L)
    expand(L, node, n, start, perm);
  bool made = L != NULL;
  cholmod_free_factor(&L, &c);
  cholmod_finish(&c);
  return made;
}

double slipi_supernodal_reach(const cholmod_factor *L, const bool *marked, bool *reached) {
  const int *super = L->super, *pi = L->pi, *rows = L->s, *perm = L->Perm;
  int32_t count = (int32_t)L->nsuper;
  double flops = 0;
  for (int32_t k = 0; k < count; k++) {
    reached[k] = false;
    for (int32_t i = super[k]; i < super[k + 1]; i++)
      reached[k] = reached[k] || marked[perm[i]];
  }
  for (int32_t k = 0; k < count; k++) {
    int32_t columns = super[k + 1] - super[k], below = pi[k + 1] - pi[k] - columns;
    if (!reached[k])
      continue;
    flops += 2.0 * columns * columns + 4.0 * columns * below;
    int32_t parent = k; /* the supernode of the first row below */
    while (below > 0 && rows[pi[k] + columns] >= super[parent + 1])
      parent++;
    reached[parent] = true;
  }
  return flops;
}

cholmod_factor *slipi_supernodal_analyze(cholmod_sparse *A, const SlipiStop *stop,
                                         cholmod_common *common) {
  SlipiArena arena = {0};
  size_t n = A->ncol, nodes = 0;
  double entries = ((int *)A->p)[n];
  bool *first = SLIPI_ARENA_NEW(&arena, bool, (int64_t)n);
  int *perm = SLIPI_ARENA_NEW(&arena, int, (int64_t)n);
  cholmod_factor *L = NULL;
  common->status = arena.failed ? CHOLMOD_OUT_OF_MEMORY : CHOLMOD_OK;
  if (!arena.failed)
    find_nodes(A, first);
  for (size_t k = 0; !arena.failed && k < n; k++)
    nodes += first[k];
  double share = n > 0 ? (double)nodes / (double)n : 1;
  if (!arena.failed &&
      !slipi_is_stopped_within(stop, SECONDS_PER_ENTRY * entries +
                                         SECONDS_PER_EDGE * share * share * entries)) {
    if (!order_columns(A, first, &arena, perm)) {
      common->status = CHOLMOD_OUT_OF_MEMORY;
    } else {
      common->nmethods = 1;
      common->method[0].ordering = CHOLMOD_GIVEN;
      memcpy(common->nrelax, JOINED, sizeof JOINED);
      L = cholmod_analyze_p(A, perm, NULL, 0, common);
    }
  }
  slipi_arena_free(&arena);
  return L;
}

/* ---- Factorisation ---- */

static Supernode supernode_of(const cholmod_factor *L, int32_t s) {
  const int *super = L->super, *pi = L->pi, *px = L->px, *row = L->s;
  return (Supernode){.first = super[s],
                     .columns = super[s + 1] - super[s],
                     .rows = pi[s + 1] - pi[s],
                     .row = row + pi[s],
                     .x = (double *)L->x + px[s]};
}

static bool goes_on(Factorisation *f, double flops) {
  return !slipi_stops_after(f->stop, &f->unasked, flops, SLIPI_ASK_FLOPS);
}

/* So many columns of a product that there are not many operations in them. */
static const double STRIP_FLOPS = 5e8;

/* C = beta C + alpha X X', lower triangle and below: C has `rows` rows and as many of the first
 * columns as told, X `rows` rows. A full product of the square on top would be twice the work. */
static void lower_product(int32_t rows, int32_t columns, int32_t inner, double alpha,
                          const double *X, int32_t stride, double beta, double *C,
                          int32_t C_stride) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, columns, inner, alpha, X, stride, beta, C,
              C_stride);
  if (rows > columns)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, rows - columns, columns, inner, alpha,
                X + columns, stride, X, stride, beta, C + columns, C_stride);
}

static int32_t strip(double rows, double inner) {
  double columns = STRIP_FLOPS / (2 * rows * inner);
  return columns < 8 ? 8 : columns > 512 ? 512 : (int32_t)columns;
}

static void load_columns(const Factorisation *f, const Supernode *node) {
  const int *p = f->A->p, *i = f->A->i;
  const double *x = f->A->x;
  memset(node->x, 0, (size_t)node->rows * (size_t)node->columns * sizeof *node->x);
  for (int32_t k = 0; k < node->rows; k++)
    f->map[node->row[k]] = k;
  for (int32_t j = 0; j < node->columns; j++)
    for (int k = p[node->first + j]; k < p[node->first + j + 1]; k++)
      if (i[k] >= node->first + j)
        node->x[f->map[i[k]] + (int64_t)j * node->rows] = x[k];
}

/* Subtract what is in f->product from the columns of a supernode: the lower triangle of `columns`
 * columns, and what is below. Its rows are few runs of neighbours there, each a plain loop. */
static void subtract_runs(const Factorisation *f, const Supernode *node, const int *row,
                          int32_t rows, int32_t columns) {
  for (int32_t begin = 0, end; begin < rows; begin = end) {
    int32_t place = f->map[row[begin]];
    for (end = begin + 1; end < rows && f->map[row[end]] == place + end - begin;)
      end++;
    for (int32_t j = 0; j < columns && j < end; j++) {
      int32_t first = j > begin ? j : begin;
      double *to = node->x + (int64_t)(row[j] - node->first) * node->rows + place;
      const double *value = f->product + (int64_t)j * rows;
      for (int32_t i = first; i < end; i++)
        to[i - begin] -= value[i];
    }
  }
}

/* Subtract the product of the supernode `other`, whose rows from `from` on meet this one's, `meet`
 * of them among its columns. False where it is given up. */
static bool subtract_product(Factorisation *f, const Supernode *node, const Supernode *other,
                             int32_t from, int32_t meet) {
  int32_t below = other->rows - from, some = strip(below, other->columns);
  for (int32_t at = 0; at < meet; at += some) {
    int32_t columns = meet - at < some ? meet - at : some, rows = below - at;
    const double *x = other->x + from + at;
    const int *row = other->row + from + at;
    lower_product(rows, columns, other->columns, 1, x, other->rows, 0, f->product, rows);
    subtract_runs(f, node, row, rows, columns);
    if (!goes_on(f, 2.0 * rows * columns * other->columns + 8.0 * rows * columns))
      return false;
  }
  return true;
}

/* The supernode that the rows of `other` from `from` on reach next gets it into its list. */
static void hand_on(Factorisation *f, int32_t s, const Supernode *other, int32_t from) {
  f->from[s] = from;
  if (from == other->rows)
    return;
  int32_t to = f->of[other->row[from]];
  f->next[s] = f->head[to];
  f->head[to] = s;
}

static bool subtract_all(Factorisation *f, int32_t s, const Supernode *node) {
  int32_t end = node->first + node->columns;
  for (int32_t k = f->head[s], next; k >= 0; k = next) {
    Supernode other = supernode_of(f->L, k);
    int32_t from = f->from[k], meet = 0;
    next = f->next[k];
    while (from + meet < other.rows && other.row[from + meet] < end)
      meet++;
    if (!subtract_product(f, node, &other, from, meet))
      return false;
    hand_on(f, k, &other, from + meet);
  }
  return true;
}

/* The columns of a supernode after those up to `end` are eliminated, from `at` on. */
static bool update_rest(Factorisation *f, const Supernode *node, int32_t at, int32_t end) {
  int32_t n = node->rows, inner = end - at, some = strip(n - end, inner);
  const double *x = node->x + (int64_t)at * n;
  for (int32_t first = end; first < node->columns; first += some) {
    int32_t columns = node->columns - first < some ? node->columns - first : some;
    lower_product(n - first, columns, inner, -1, x + first, n, 1,
                  node->x + first + (int64_t)first * n, n);
    if (!goes_on(f, 2.0 * (n - first) * columns * inner))
      return false;
  }
  return true;
}

/* Factor a supernode. Returns the columns that are done: all but where a pivot is not positive, or
 * where it is given up, which *go says. */
static int32_t eliminate(Factorisation *f, const Supernode *node, bool *go) {
  int32_t n = node->rows;
  for (int32_t at = 0; at < node->columns; at += PANEL) {
    int32_t columns = node->columns - at < PANEL ? node->columns - at : PANEL, end = at + columns;
    double *top = node->x + at + (int64_t)at * n;
    lapack_int bad = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', columns, top, n);
    if (bad != 0)
      return at + (int32_t)bad - 1;
    if (end < n)
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, n - end, columns,
                  1, top, n, top + columns, n);
    *go = goes_on(f, (double)columns * columns * (n - at)) && update_rest(f, node, at, end);
    if (!*go)
      return at;
  }
  return node->columns;
}

/* False where it is given up. L->minor is the first column without a positive pivot, or n. */
static bool factor_supernodes(Factorisation *f) {
  cholmod_factor *L = f->L;
  const int *super = L->super;
  bool go = true;
  L->minor = L->n;
  for (int32_t s = 0; s < (int32_t)L->nsuper; s++) {
    f->head[s] = -1;
    for (int32_t k = super[s]; k < super[s + 1]; k++)
      f->of[k] = s;
  }
  for (int32_t s = 0; s < (int32_t)L->nsuper; s++) {
    Supernode node = supernode_of(L, s);
    load_columns(f, &node);
    go = goes_on(f, 8.0 * node.rows * node.columns) && subtract_all(f, s, &node);
    int32_t done = go ? eliminate(f, &node, &go) : 0;
    if (done < node.columns) {
      L->minor = (size_t)node.first + (size_t)done;
      return go;
    }
    hand_on(f, s, &node, node.columns);
  }
  return true;
}

static bool factorize_supernodal(cholmod_sparse *A, cholmod_factor *L, const SlipiStop *stop,
                                 cholmod_common *c) {
  SlipiArena arena = {0};
  Factorisation f = {.L = L, .stop = stop};
  /* Its columns in the order of elimination, of which the lower triangle by columns is wanted. */
  cholmod_sparse *upper = cholmod_ptranspose(A, 1, L->Perm, NULL, 0, c);
  cholmod_sparse *lower = upper ? cholmod_ptranspose(upper, 1, NULL, NULL, 0, c) : NULL;
  cholmod_free_sparse(&upper, c);
  f.A = lower;
  f.map = SLIPI_ARENA_NEW(&arena, int32_t, (int64_t)L->n);
  f.of = SLIPI_ARENA_NEW(&arena, int32_t, (int64_t)L->n);
  f.head = SLIPI_ARENA_NEW(&arena, int32_t, (int64_t)L->nsuper);
  f.next = SLIPI_ARENA_NEW(&arena, int32_t, (int64_t)L->nsuper);
  f.from = SLIPI_ARENA_NEW(&arena, int32_t, (int64_t)L->nsuper);
  f.product = SLIPI_ARENA_NEW(&arena, double, (int64_t)L->maxcsize);
  bool made = lower && !arena.failed &&
              (L->xtype == CHOLMOD_REAL || cholmod_change_factor(CHOLMOD_REAL, 1, 1, 1, 1, L, c));
  if (!made && c->status >= CHOLMOD_OK)
    c->status = CHOLMOD_OUT_OF_MEMORY;
  if (made)
    slipi_wish_huge(L->x, L->xsize * sizeof(double));
  bool whole = made && factor_supernodes(&f);
  if (whole && L->minor < L->n)
    c->status = CHOLMOD_NOT_POSDEF;
  cholmod_free_sparse(&lower, c);
  slipi_arena_free(&arena);
  return whole;
}

bool slipi_supernodal_factorize(cholmod_sparse *A, cholmod_factor *L, const SlipiStop *stop,
                                cholmod_common *common) {
  common->status = CHOLMOD_OK;
  if (slipi_is_stopped(stop))
    return false;
  if (L->is_super)
    return factorize_supernodal(A, L, stop, common);
  return cholmod_factorize(A, L, common) && common->status >= CHOLMOD_OK;
}
