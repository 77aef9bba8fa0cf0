/* W = A' B that is never formed, with A = U^-T H and B = L^-1 H from M = L U (see mass.h): the row
 * state of a sweep is z = B r, so that u = A' z, and changing one impulse by c adds B c to z. A
 * visit costs the rows of one contact, however many neighbours it has.
 *
 * This form is for the small components of M. Large ones (elastic bodies) have sparse factors, of
 * which no half can be folded into H: their part H_L' M_L^-1 H_L is kept as blocks, among the
 * contacts that touch them. W is the sum of the two, and a contact of rigid bodies only costs what
 * it costs without the others.
 *
 * Rigid bodies touch at most two bodies a contact, each with as many consecutive degrees of freedom
 * as a rigid body has (6 in 3D, 3 in 2D): that case has a layout and loops of fixed length of its
 * own. Everything else uses the ragged rows.
 */
#include "contact/graph.h"
#include "contact/operator.h"
#include "contact/pairs.h"

#include <math.h>
#include <string.h>

typedef struct Velocity {
  SlipiBsr *large;       /* the large components' part of W, NULL: there are none */
  int32_t *large_p;      /* contact c touches the large components */
  int32_t *large_list;   /* large_list[large_p[c]]..large_list[large_p[c+1]-1], counted from 0 */
  SlipiRows rows;        /* empty where pairs serve */
  SlipiRowState applied; /* room of apply */
  /* two bodies a contact */
  bool paired;
  int32_t body;     /* degrees of freedom of a body */
  SlipiPairs pairs; /* in 2D, 12 values per contact */
} Velocity;

/* ---- Ragged rows ---- */

static void ragged_row(const SlipiOperator *op, int32_t contact, const double *r,
                       const SlipiRowState *state, double *u) {
  const Velocity *vel = op->data;
  const SlipiRows *rows = &vel->rows;
  double sum[3] = {0};
  for (int32_t k = rows->p[contact]; k < rows->p[contact + 1]; k++) {
    double z = state->z[rows->k[k]];
    for (int32_t c = 0; c < op->d; c++)
      sum[c] += rows->a[(int64_t)k * op->d + c] * z;
  }
  memcpy(u, sum, (size_t)op->d * sizeof *u);
  slipi_large_add(vel->large, op->d, contact, r, u);
}

static void ragged_update(const SlipiOperator *op, int32_t contact, const double *change,
                          SlipiRowState *state) {
  const Velocity *vel = op->data;
  const SlipiRows *rows = &vel->rows;
  for (int32_t k = rows->p[contact]; k < rows->p[contact + 1]; k++) {
    double sum = 0;
    for (int32_t c = 0; c < op->d; c++)
      sum += rows->b[(int64_t)k * op->d + c] * change[c];
    state->z[rows->k[k]] += sum;
  }
}

/* ---- Pairs of bodies, loops of fixed length ---- */

static void pair3_row(const SlipiOperator *op, int32_t contact, const double *r,
                      const SlipiRowState *state, double *u) {
  const SlipiPairs *pairs = &((const Velocity *)op->data)->pairs;
  slipi_pairs_row(pairs, contact, state->z, u);
  slipi_large_add(pairs->large, 3, contact, r, u);
}

static void pair3_update(const SlipiOperator *op, int32_t contact, const double *change,
                         SlipiRowState *state) {
  slipi_pairs_update(&((const Velocity *)op->data)->pairs, contact, change, state->z);
}

/* Rows of pairs in 2D, where bodies have three degrees of freedom. */
static void pair2_row(const SlipiOperator *op, int32_t contact, const double *r,
                      const SlipiRowState *state, double *u) {
  const SlipiPairs *pairs = &((const Velocity *)op->data)->pairs;
  const double *a = pairs->a + (int64_t)contact * 12;
  const double *z0 = state->z + pairs->first[2 * (int64_t)contact];
  const double *z1 = state->z + pairs->first[2 * (int64_t)contact + 1];
  for (int c = 0; c < 2; c++, a += 6)
    u[c] =
        (a[0] * z0[0] + a[1] * z0[1] + a[2] * z0[2]) + (a[3] * z1[0] + a[4] * z1[1] + a[5] * z1[2]);
  slipi_large_add(pairs->large, 2, contact, r, u);
}

static void pair2_update(const SlipiOperator *op, int32_t contact, const double *change,
                         SlipiRowState *state) {
  const SlipiPairs *pairs = &((const Velocity *)op->data)->pairs;
  const double *b = pairs->b + (int64_t)contact * 12;
  for (int side = 0; side < 2; side++, b += 3) {
    double *z = state->z + pairs->first[2 * (int64_t)contact + side];
    for (int k = 0; k < 3; k++)
      z[k] += b[k] * change[0] + b[6 + k] * change[1];
  }
}

const SlipiPairs *slipi_operator_pairs(const SlipiOperator *op) {
  bool rigid = op->table->kind == SLIPI_OPERATOR_VELOCITY && op->table->row == pair3_row;
  return rigid ? &((const Velocity *)op->data)->pairs : NULL;
}

bool slipi_operator_goes_by_fours(const SlipiOperator *op) {
  const SlipiPairs *pairs = slipi_operator_pairs(op);
  return pairs && !pairs->large && pairs->a == pairs->b && !slipi_operator_own(op);
}

/* Whether q = A' z + w but for rounding. */
static bool is_made_of(const SlipiOperator *op, const double *z, const double *w, const double *q) {
  static const double SAME = 1e-9; /* share of q */
  const SlipiPairs *pairs = slipi_operator_pairs(op);
  double most = 0, size = 0; /* of the differences, and of q */
  for (int32_t a = 0; a < op->nc; a++) {
    double u[3];
    slipi_pairs_row(pairs, a, z, u);
    for (int64_t k = 0; k < 3; k++) {
      int64_t at = 3 * (int64_t)a + k;
      most = fmax(most, fabs(u[k] + w[at] - q[at]));
      size = fmax(size, fabs(q[at]));
    }
  }
  return slipi_share_most(op->share, most) <= SAME * slipi_share_most(op->share, size);
}

const double *slipi_operator_free_velocity(const SlipiOperator *op, const double *q, double *z) {
  const SlipiPairs *pairs = slipi_operator_pairs(op);
  if (!pairs || pairs->large)
    return NULL;
  slipi_mass_half_velocity(op->mass, op->f, z);
  return is_made_of(op, z, op->w, q) ? op->w : NULL;
}

/* The bodies (aligned windows of `body` places) one contact touches; false when there are more
 * than two. */
static bool find_bodies(const Velocity *vel, int32_t contact, int32_t none, int32_t first[2]) {
  const SlipiRows *rows = &vel->rows;
  int count = 0;
  first[0] = first[1] = none;
  for (int32_t k = rows->p[contact]; k < rows->p[contact + 1]; k++) {
    int32_t start = rows->k[k] / vel->body * vel->body;
    if (count > 0 && first[count - 1] == start)
      continue; /* places ascend */
    if (count == 2)
      return false;
    first[count++] = start;
  }
  if (count == 1)
    first[1] = first[0]; /* with a block of zeros: nothing is shared with other contacts */
  return true;
}

static void fill_pair(const Velocity *vel, int32_t contact, const int32_t first[2],
                      const double *from, double *to) {
  const SlipiRows *rows = &vel->rows;
  int32_t d = rows->d, body = vel->body;
  double *block = to + (int64_t)contact * d * 2 * body;
  for (int32_t k = rows->p[contact]; k < rows->p[contact + 1]; k++) {
    int32_t second = rows->k[k] / body * body != first[0];
    int32_t column = second * body + rows->k[k] % body;
    for (int32_t c = 0; c < d; c++)
      block[c * 2 * body + column] = from[(int64_t)k * d + c];
  }
}

/* Use pairs if every contact touches at most two bodies. */
static SlipStatus try_pairs(SlipiOperator *op, Velocity *vel, SlipError *error) {
  vel->body = op->d == 3 ? 6 : 3;
  int32_t none = op->places; /* the spare body */
  int32_t spare[2];
  if (op->places % vel->body != 0)
    return SLIP_OK;
  for (int32_t contact = 0; contact < op->nc; contact++) {
    if (!find_bodies(vel, contact, none, spare))
      return SLIP_OK;
  }
  int64_t size = (int64_t)op->nc * op->d * 2 * vel->body;
  bool symmetric = vel->rows.a == vel->rows.b;
  int32_t *first = SLIPI_ARENA_NEW(&op->arena, int32_t, 2 * (int64_t)op->nc);
  double *a = SLIPI_ARENA_NEW(&op->arena, double, size);
  double *b = symmetric ? a : SLIPI_ARENA_NEW(&op->arena, double, size);
  if (op->arena.failed)
    return slipi_fail_memory(error, "the velocity operator");
  for (int32_t contact = 0; contact < op->nc; contact++) {
    int32_t *bodies = first + 2 * (int64_t)contact;
    find_bodies(vel, contact, none, bodies);
    fill_pair(vel, contact, bodies, vel->rows.a, a);
    if (!symmetric)
      fill_pair(vel, contact, bodies, vel->rows.b, b);
  }
  vel->pairs = (SlipiPairs){.first = first, .a = a, .b = b, .large = vel->large};
  vel->paired = true;
  return SLIP_OK;
}

/* The pairs of a mass matrix that knows its bodies. */
static SlipStatus make_pairs(SlipiOperator *op, Velocity *vel, SlipError *error) {
  const SlipiMass *mass = op->mass;
  vel->body = mass->body;
  int64_t size = (int64_t)op->d * 2 * vel->body;
  int32_t *first = SLIPI_ARENA_RAW(&op->arena, int32_t, 2 * (int64_t)op->nc);
  double *a = SLIPI_ARENA_RAW(&op->arena, double, size * op->nc);
  double *b = mass->symmetric ? a : SLIPI_ARENA_RAW(&op->arena, double, size * op->nc);
  if (op->arena.failed)
    return slipi_fail_memory(error, "the velocity operator");
  for (int64_t contact = 0; contact < op->nc; contact++)
    slipi_mass_pair(mass, op->problem, (int32_t)contact, first + 2 * contact, a + contact * size,
                    mass->symmetric ? NULL : b + contact * size);
  vel->pairs = (SlipiPairs){.first = first, .a = a, .b = b, .large = vel->large};
  vel->paired = true;
  return SLIP_OK;
}

/* ---- Groups of places ---- */

static int32_t first_large_group(const SlipiOperator *op, const Velocity *vel) {
  return op->places / vel->body + 2;
}

int32_t slipi_operator_groups(const SlipiOperator *op) {
  const Velocity *vel = op->data;
  /* a part of a body, the spare one, and large ones */
  return first_large_group(op, vel) + op->mass->components - op->mass->small_components;
}

int64_t slipi_operator_groups_most(const SlipiOperator *op) {
  const Velocity *vel = op->data;
  int64_t small = vel->paired ? 2 * (int64_t)op->nc : vel->rows.p[op->nc];
  return small + (vel->large ? vel->large_p[op->nc] : 0);
}

static inline int32_t group_of(const Velocity *vel, int32_t place) {
  return vel->body == SLIPI_BODY_MOST ? place / SLIPI_BODY_MOST : place / vel->body; /* quicker */
}

/* The large bodies of one contact, after `count` others. */
static int32_t add_large_groups(const SlipiOperator *op, const Velocity *vel, int32_t contact,
                                int32_t count, int32_t *list) {
  int32_t first = first_large_group(op, vel);
  for (int32_t k = vel->large_p[contact]; k < vel->large_p[contact + 1]; k++)
    list[count++] = first + vel->large_list[k];
  return count;
}

int32_t slipi_operator_contact_groups(const SlipiOperator *op, int32_t contact, int32_t *list) {
  const Velocity *vel = op->data;
  if (vel->paired) {
    list[0] = group_of(vel, vel->pairs.first[2 * (int64_t)contact]);
    list[1] = group_of(vel, vel->pairs.first[2 * (int64_t)contact + 1]);
    int32_t pair = list[0] == list[1] ? 1 : 2;
    return vel->large ? add_large_groups(op, vel, contact, pair, list) : pair;
  }
  const SlipiRows *rows = &vel->rows;
  int32_t count = 0;
  for (int32_t k = rows->p[contact]; k < rows->p[contact + 1]; k++) {
    int32_t group = rows->k[k] / vel->body;
    if (count == 0 || list[count - 1] != group) /* places ascend */
      list[count++] = group;
  }
  return vel->large ? add_large_groups(op, vel, contact, count, list) : count;
}

bool slipi_operator_rows_read_r(const SlipiOperator *op) {
  return op->table->kind != SLIPI_OPERATOR_VELOCITY || ((const Velocity *)op->data)->large;
}

double slipi_operator_row_entries(const SlipiOperator *op) {
  if (op->table->kind == SLIPI_OPERATOR_DENSE)
    return (double)op->m * op->m;
  const SlipiBsr *W = op->table->kind == SLIPI_OPERATOR_BLOCK ? op->data : NULL;
  if (op->table->kind == SLIPI_OPERATOR_VELOCITY)
    W = ((const Velocity *)op->data)->large;
  return W ? (double)W->p[W->n] * W->d * W->d : 0;
}

/* ---- The operator ---- */

/* Additions in the order of the chunks: threads and processes can share them. */
typedef struct Gather {
  const SlipiOperator *op;
  const double *r;
  SlipiRowState *state;
} Gather;

static void gather_chunk(void *user, int pass, int32_t chunk) {
  const Gather *gather = user;
  const SlipiOperator *op = gather->op;
  (void)pass;
  int32_t end = slipi_chunk_end(&op->chunks, chunk);
  for (int32_t contact = slipi_chunk_first(&op->chunks, chunk); contact < end; contact++)
    op->table->row_update(op, contact, gather->r + (int64_t)contact * op->d, gather->state);
}

static void row_start(const SlipiOperator *op, const double *r, SlipiRowState *state) {
  if (state->size > 0)
    memset(state->z, 0, (size_t)state->size * sizeof *state->z);
  if (op->chunks.many) {
    const SlipiWorkers workers = {op->team, op->share, state->z};
    slipi_chunks_each(&op->chunks, 1, &workers, gather_chunk, &(Gather){op, r, state});
    return;
  }
  for (int32_t contact = 0; contact < op->nc; contact++)
    op->table->row_update(op, contact, r + (int64_t)contact * op->d, state);
}

static void gather_impulses(void *user, int pass, int32_t chunk) {
  const Gather *gather = user;
  const SlipiOperator *op = gather->op;
  (void)pass;
  slipi_problem_gather_add(op->problem, slipi_chunk_first(&op->chunks, chunk),
                           slipi_chunk_end(&op->chunks, chunk), gather->r, gather->state->z);
}

/* M = D^1/2 N D^1/2, and D^-1/2 is half of D's inverse, either half. */
SlipStatus slipi_shared_velocity(const SlipiShare *share, SlipiMass *mass, const double *p,
                                 const double *f, double *v, SlipError *error) {
  if (!share || !share->couple)
    return slipi_mass_solve(mass, f, v, error);
  if (p)
    slipi_mass_half_velocity(mass, p, v);
  else
    memset(v, 0, (size_t)mass->dof * sizeof *v);
  slipi_mass_half_velocity(mass, f, mass->work);
  share->couple(share->user, mass->work, v);
  slipi_mass_half_velocity(mass, v, v);
  return SLIP_OK;
}

SlipStatus slipi_operator_velocity(const SlipiOperator *op, const double *r, const double *f,
                                   double *v, SlipError *error) {
  double *p = op->mass->work;
  if (op->share && op->share->couple) {
    slipi_problem_gather(op->problem, r, p);
    return slipi_shared_velocity(op->share, op->mass, p, f, v, error);
  }
  if (!op->chunks.many || op->mass->body == 0) /* other than bodies share places, not impulses */
    return slipi_mass_velocity(op->mass, op->problem, r, f, v, error);
  memset(p, 0, (size_t)op->mass->dof * sizeof *p);
  const SlipiWorkers workers = {op->team, op->share, p};
  slipi_chunks_each(&op->chunks, 1, &workers, gather_impulses,
                    &(Gather){op, r, &(SlipiRowState){.z = p}});
  if (op->share)
    op->share->spread(op->share->user, p);
  for (int32_t k = 0; k < op->mass->dof; k++)
    p[k] += f[k];
  return slipi_mass_solve(op->mass, p, v, error);
}

enum { PIECE = 512 }; /* contacts that one thread takes at a time */

typedef struct Product {
  const SlipiOperator *op;
  const double *r;
  double *u;
} Product;

static void apply_piece(void *user, int32_t piece) {
  const Product *product = user;
  const SlipiOperator *op = product->op;
  const Velocity *vel = op->data;
  int32_t first = piece * PIECE, end = op->nc - first < PIECE ? op->nc : first + PIECE;
  for (int32_t contact = first; contact < end; contact++)
    op->table->row(op, contact, product->r, &vel->applied, product->u + (int64_t)contact * op->d);
}

static SlipStatus apply(SlipiOperator *op, const double *r, double *u, SlipError *error) {
  Velocity *vel = op->data;
  (void)error;
  Product product = {op, r, u};
  row_start(op, r, &vel->applied);
  if (op->share)
    op->share->spread(op->share->user, vel->applied.z);
  slipi_team_each(op->team, op->nc / PIECE + 1, apply_piece, &product);
  return SLIP_OK;
}

static void add_large_diagonal(const SlipiOperator *op, int32_t contact, double *block) {
  const SlipiBsr *large = ((const Velocity *)op->data)->large;
  if (!large || large->p[contact] == large->p[contact + 1])
    return;
  int32_t size = op->d * op->d;
  const double *x = large->x + (int64_t)large->diagonal[contact] * size;
  for (int32_t k = 0; k < size; k++)
    block[k] += x[k];
}

static SlipStatus ragged_diagonal(SlipiOperator *op, int32_t contact, double *block,
                                  SlipError *error) {
  (void)error;
  const SlipiRows *rows = &((const Velocity *)op->data)->rows;
  int32_t d = op->d;
  memset(block, 0, (size_t)(d * d) * sizeof *block);
  for (int32_t k = rows->p[contact]; k < rows->p[contact + 1]; k++) {
    for (int32_t s = 0; s < d; s++)
      for (int32_t t = 0; t < d; t++)
        block[s * d + t] += rows->a[(int64_t)k * d + s] * rows->b[(int64_t)k * d + t];
  }
  add_large_diagonal(op, contact, block);
  return SLIP_OK;
}

/* block = a b' for d rows of `width` values. */
static inline void rows_product(const double *a, const double *b, int32_t d, int32_t width,
                                double *block) {
  for (int32_t s = 0; s < d; s++) {
    for (int32_t t = 0; t < d; t++) {
      double sum = 0;
      for (int32_t k = 0; k < width; k++)
        sum += a[s * width + k] * b[t * width + k];
      block[s * d + t] = sum;
    }
  }
}

static SlipStatus pair_diagonal(SlipiOperator *op, int32_t contact, double *block,
                                SlipError *error) {
  (void)error;
  const Velocity *vel = op->data;
  int32_t d = op->d, width = 2 * vel->body;
  const double *a = vel->pairs.a + (int64_t)contact * d * width;
  const double *b = vel->pairs.b + (int64_t)contact * d * width;
  if (d == 3) /* loops of fixed length */
    rows_product(a, b, 3, 12, block);
  else
    rows_product(a, b, 2, 6, block);
  add_large_diagonal(op, contact, block);
  return SLIP_OK;
}

/* The large components of M: their part of W, and which contacts touch them. */
static SlipStatus make_large(SlipiOperator *op, Velocity *vel, SlipError *error) {
  SlipiMass *mass = op->mass;
  SlipiBsr *large = SLIPI_ARENA_NEW(&op->arena, SlipiBsr, 1);
  vel->large_p = SLIPI_ARENA_NEW(&op->arena, int32_t, (int64_t)op->nc + 1);
  vel->large_list = SLIPI_ARENA_NEW(&op->arena, int32_t, slipi_problem_touches(op->problem));
  if (op->arena.failed)
    return slipi_fail_memory(error, "the velocity operator");
  memset(mass->seen, 0, (size_t)mass->components * sizeof *mass->seen);
  for (int32_t a = 0; a < op->nc; a++) {
    int32_t used = vel->large_p[a];
    int32_t count = slipi_mass_contact_components(mass, op->problem, a, mass->seen, mass->list);
    for (int32_t l = 0; l < count; l++) {
      if (mass->list[l] >= mass->small_components)
        vel->large_list[used++] = mass->list[l] - mass->small_components;
    }
    vel->large_p[a + 1] = used;
  }
  vel->large = large;
  return slipi_mass_reduce_large(mass, op->problem, &op->arena, large, error);
}

/* The graph of many contacts, and their chunks. */
static SlipStatus make_chunks(SlipiOperator *op, SlipError *error) {
  if (op->nc < SLIPI_CHUNKS_FROM && !op->share)
    return SLIP_OK;
  if (op->share && op->share->couple) { /* nobody sweeps */
    op->chunks = op->share->chunks;
    return SLIP_OK;
  }
  SlipiGraph *graph = SLIPI_ARENA_NEW(&op->arena, SlipiGraph, 1);
  SlipStatus status = graph ? slipi_graph_create(op, &op->arena, graph, error)
                            : slipi_fail_memory(error, "an operator");
  if (status == SLIP_OK && op->share)
    op->chunks = op->share->chunks;
  else if (status == SLIP_OK)
    status = slipi_chunks_create(graph, SLIPI_CHUNK, &op->arena, &op->chunks, error);
  if (status == SLIP_OK && op->team && !op->share)
    status = slipi_chunks_link(graph, &op->arena, &op->chunks, error);
  op->graph = status == SLIP_OK ? graph : NULL;
  return status;
}

#define VELOCITY_TABLE(NAME, SHAPE)                                                                \
  {                                                                                                \
    .kind = SLIPI_OPERATOR_VELOCITY, .name = "velocity", .apply = apply, .row_start = row_start,   \
    .row = NAME##_row, .row_update = NAME##_update, .diagonal = SHAPE##_diagonal                   \
  }

static SlipStatus init_rows(SlipiOperator *op, SlipError *error) {
  static const SlipiOperatorTable ragged = VELOCITY_TABLE(ragged, ragged);
  static const SlipiOperatorTable pair2 = VELOCITY_TABLE(pair2, pair);
  static const SlipiOperatorTable pair3 = VELOCITY_TABLE(pair3, pair);
  op->table = &ragged;
  Velocity *vel = SLIPI_ARENA_NEW(&op->arena, Velocity, 1);
  if (!vel)
    return slipi_fail_memory(error, "an operator");
  op->data = vel;
  op->places = op->mass->small;
  SlipStatus status = slipi_row_state_create(op, &op->arena, &vel->applied, error);
  if (status == SLIP_OK && !op->mass->blocks)
    status = make_large(op, vel, error);
  if (status != SLIP_OK)
    return status;
  if (op->mass->body > 0) {
    op->table = op->d == 3 ? &pair3 : &pair2;
    return make_pairs(op, vel, error);
  }
  /* The rows take as much memory as the pairs made of them: they stay only where they are used. */
  SlipiArena scratch = {0};
  status = slipi_mass_rows(op->mass, op->problem, &scratch, &vel->rows, error);
  if (status == SLIP_OK)
    status = try_pairs(op, vel, error);
  slipi_arena_free(&scratch);
  vel->rows = (SlipiRows){0};
  if (vel->paired)
    op->table = op->d == 3 ? &pair3 : &pair2;
  else if (status == SLIP_OK)
    status = slipi_mass_rows(op->mass, op->problem, &op->arena, &vel->rows, error);
  return status;
}

SlipStatus slipi_operator_init_velocity(SlipiOperator *op, SlipError *error) {
  SlipStatus status = init_rows(op, error);
  return status == SLIP_OK ? make_chunks(op, error) : status;
}
