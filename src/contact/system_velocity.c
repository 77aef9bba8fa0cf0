#include "contact/system_velocity.h"

#include <stdlib.h>
#include <string.h>

#include "linalg/vector.h"

/* The work of adding an entry of a contact's B E A', and of solving with it, in the units of
 * slipi_frontal_work. */
static const double ADD_WORK = 35;

/* Bodies and contacts in a piece of work, and contacts from which on threads share it: fewer are
 * done before the threads are awake. */
enum { BODIES = 128, CONTACTS = 512, SHARED = 4000 };

static SlipStatus no_memory(SlipError *error) {
  return slipi_fail_memory(error, "the matrix of the bodies");
}

static int64_t body_pieces(const SlipiBodyMatrix *s) {
  return (s->bodies + BODIES - 1) / BODIES;
}

/* Who works on all contacts. */
static SlipiTeam *workers(const SlipiBodyMatrix *s) {
  return s->nc >= SHARED ? s->team : NULL;
}

/* Whether M couples components, also those that no contact touches: they are all counted then. */
static bool is_coupled(const SlipiBodyMatrix *s) {
  return s->share && s->share->couple;
}

/* Number the components of M that contacts touch, and their places, without gaps. */
static void number_bodies(const SlipiMass *mass, SlipiBodyMatrix *s, int32_t *body,
                          int32_t *place) {
  const SlipiRows *half = &s->half;
  for (int32_t k = 0; k < half->p[s->nc]; k++)
    body[mass->component[mass->at[half->k[k]]]] = 1;
  int32_t bodies = 0;
  for (int32_t c = 0; c < mass->components; c++) {
    if (!body[c] && !is_coupled(s))
      continue;
    body[c] = bodies;
    s->component[bodies] = c;
    s->size[bodies++] = mass->start[c + 1] - mass->start[c];
    for (int32_t k = mass->start[c]; k < mass->start[c + 1]; k++)
      place[k] = s->rows++;
  }
  s->bodies = bodies;
}

/* Each contact's bodies; its rows get their new places. */
static void list_touched(const SlipiMass *mass, SlipiBodyMatrix *s, const int32_t *body,
                         const int32_t *place) {
  SlipiRows *half = &s->half;
  int32_t used = 0;
  for (int32_t a = 0; a < s->nc; a++) {
    for (int32_t k = half->p[a]; k < half->p[a + 1];) {
      int32_t touched = body[mass->component[mass->at[half->k[k]]]];
      s->touch[used++] = touched;
      for (int32_t end = k + s->size[touched]; k < end; k++)
        half->k[k] = place[half->k[k]];
    }
    int64_t count = used - s->touch_p[a];
    s->touch_p[a + 1] = used;
    s->where_p[a + 1] = s->where_p[a] + count * count;
  }
}

/* Bodies that share a contact with body b, ascending, itself included; returns their number. */
static int32_t neighbours(const SlipiBodyMatrix *s, int32_t b, int32_t *seen, int32_t *list) {
  int32_t count = 0;
  for (int32_t l = s->meet_p[b]; l < s->meet_p[b + 1]; l++) {
    int32_t contact = s->meet[l].contact;
    for (int32_t k = s->touch_p[contact]; k < s->touch_p[contact + 1]; k++) {
      int32_t other = s->touch[k];
      if (seen[other] == b + 1)
        continue;
      seen[other] = b + 1;
      if (list)
        list[count] = other;
      count++;
    }
  }
  if (list)
    qsort(list, (size_t)count, sizeof *list, slipi_compare_index);
  return count;
}

/* Which contacts touch each body. */
static void list_contacts(SlipiBodyMatrix *s) {
  for (int32_t k = 0; k < s->touch_p[s->nc]; k++)
    s->meet_p[s->touch[k] + 2]++;
  for (int32_t b = 0; b < s->bodies; b++)
    s->meet_p[b + 2] += s->meet_p[b + 1];
  for (int32_t a = 0; a < s->nc; a++) {
    int32_t first = s->touch_p[a], row = s->half.p[a];
    for (int32_t k = first; k < s->touch_p[a + 1]; k++) {
      s->meet[s->meet_p[s->touch[k] + 1]++] = (SlipiMeeting){a, k - first, row};
      row += s->size[s->touch[k]];
    }
  }
}

/* The blocks of each contact's pairs of bodies. */
static void find_pairs(SlipiBodyMatrix *s) {
  for (int32_t a = 0; a < s->nc; a++) {
    int32_t *where = s->where + s->where_p[a];
    for (int32_t i = s->touch_p[a]; i < s->touch_p[a + 1]; i++) {
      int32_t b = s->touch[i];
      for (int32_t l = s->touch_p[a]; l < s->touch_p[a + 1]; l++) {
        const int32_t *found =
            bsearch(&s->touch[l], s->j + s->p[b], (size_t)(s->p[b + 1] - s->p[b]), sizeof *s->j,
                    slipi_compare_index);
        *where++ = (int32_t)(found - s->j);
      }
    }
  }
}

static SlipStatus make_graph(SlipiBodyMatrix *s, int32_t bodies, const SlipiStop *stop,
                             SlipiArena *scratch, SlipError *error) {
  s->meet_p = SLIPI_ARENA_NEW(&s->arena, int32_t, (int64_t)bodies + 2);
  s->meet = SLIPI_ARENA_NEW(&s->arena, SlipiMeeting, s->touch_p[s->nc]);
  int32_t *seen = SLIPI_ARENA_NEW(scratch, int32_t, bodies);
  s->p = SLIPI_ARENA_NEW(&s->arena, int32_t, (int64_t)bodies + 1);
  s->where = SLIPI_ARENA_NEW(&s->arena, int32_t, s->where_p[s->nc]);
  if (scratch->failed || s->arena.failed)
    return no_memory(error);
  list_contacts(s);
  int64_t blocks = 0;
  for (int32_t b = 0; b < bodies; b++) {
    blocks += neighbours(s, b, seen, NULL);
    s->p[b + 1] = (int32_t)blocks;
    if (blocks > INT32_MAX)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "the matrix of the bodies would have more than %d blocks", INT32_MAX);
  }
  s->j = SLIPI_ARENA_NEW(&s->arena, int32_t, blocks);
  s->offset = SLIPI_ARENA_NEW(&s->arena, int64_t, blocks);
  if (s->arena.failed)
    return no_memory(error);
  memset(seen, 0, (size_t)bodies * sizeof *seen);
  for (int32_t b = 0; b < bodies; b++) {
    neighbours(s, b, seen, s->j + s->p[b]);
    for (int32_t k = s->p[b]; k < s->p[b + 1]; k++) {
      s->offset[k] = s->count;
      s->count += (int64_t)s->size[b] * s->size[s->j[k]];
    }
  }
  find_pairs(s);
  if (s->share)
    return SLIP_OK;
  SlipiNodes nodes = {.n = bodies, .size = s->size, .p = s->p, .j = s->j, .offset = s->offset};
  return s->frontal ? slipi_frontal_set(s->frontal, &nodes, s->team, stop, error)
                    : slipi_frontal_create(&nodes, s->team, stop, &s->frontal, error);
}

static SlipStatus fill(const SlipiOperator *op, SlipiBodyMatrix *s, SlipiArena *scratch,
                       SlipError *error) {
  SlipiMass *mass = op->mass;
  SlipStatus status = slipi_mass_rows(mass, op->problem, &s->arena, &s->half, error);
  if (status != SLIP_OK)
    return status;
  int32_t *body = SLIPI_ARENA_NEW(scratch, int32_t, mass->components);
  int32_t *place = SLIPI_ARENA_NEW(scratch, int32_t, mass->dof);
  s->size = SLIPI_ARENA_NEW(&s->arena, int32_t, mass->components);
  s->component = SLIPI_ARENA_NEW(&s->arena, int32_t, mass->components);
  s->own = SLIPI_ARENA_NEW(&s->arena, bool, s->share ? mass->components : 0);
  s->touch_p = SLIPI_ARENA_NEW(&s->arena, int32_t, (int64_t)op->nc + 1);
  s->where_p = SLIPI_ARENA_NEW(&s->arena, int64_t, (int64_t)op->nc + 1);
  s->touch = SLIPI_ARENA_NEW(&s->arena, int32_t, s->half.p[op->nc]);
  if (scratch->failed || s->arena.failed)
    return no_memory(error);
  for (int32_t a = 0; a < op->nc; a++) {
    int32_t rows = s->half.p[a + 1] - s->half.p[a];
    s->most = s->most > rows ? s->most : rows;
    double share = op->problem->law[a].kind == SLIPI_ROLLING ? 0.5 : 1; /* it only turns bodies */
    s->add_work += share * ADD_WORK * rows * rows;
  }
  number_bodies(mass, s, body, place);
  s->product = SLIPI_ARENA_NEW(&s->arena, double, body_pieces(s) * 6 * s->most);
  if (s->arena.failed)
    return no_memory(error);
  list_touched(mass, s, body, place);
  return make_graph(s, s->bodies, &op->stop, scratch, error);
}

static void free_shared(SlipiBodyMatrix *s) {
  if (s->shared)
    s->share->matrix_free(s->shared);
  s->shared = NULL;
}

/* The whole work is the same number on all processes, for what is decided by it. */
static SlipStatus share_matrix(SlipiBodyMatrix *s, SlipError *error) {
  double work = 0;
  SlipStatus status = s->share->matrix_create(s->share->user, s, &s->shared, &work, error);
  s->add_work = slipi_share_added(s->share, s->add_work) + work;
  return status;
}

SlipStatus slipi_body_matrix_set(SlipiBodyMatrix *bodies, const SlipiOperator *op,
                                 SlipError *error) {
  SlipiArena arena = bodies->arena, scratch = bodies->scratch;
  slipi_arena_reset(&arena);
  slipi_arena_reset(&scratch);
  free_shared(bodies);
  *bodies = (SlipiBodyMatrix){.d = op->d,
                              .nc = op->nc,
                              .frontal = bodies->frontal,
                              .team = op->team,
                              .share = op->share,
                              .arena = arena,
                              .scratch = scratch};
  SlipStatus status = fill(op, bodies, &bodies->scratch, error);
  slipi_arena_reset(&bodies->scratch);
  status = slipi_share_agree(op->share, status, error);
  if (status == SLIP_OK && op->share)
    status = share_matrix(bodies, error);
  return status;
}

SlipStatus slipi_body_matrix_create(const SlipiOperator *op, SlipiBodyMatrix **bodies,
                                    SlipError *error) {
  *bodies = NULL;
  SlipiBodyMatrix *made = calloc(1, sizeof *made);
  if (!made)
    return no_memory(error);
  SlipStatus status = slipi_body_matrix_set(made, op, error);
  if (status == SLIP_OK)
    *bodies = made;
  else
    slipi_body_matrix_free(made);
  return status;
}

void slipi_body_matrix_free(SlipiBodyMatrix *bodies) {
  if (!bodies)
    return;
  free_shared(bodies);
  slipi_frontal_free(bodies->frontal);
  slipi_arena_free(&bodies->arena);
  slipi_arena_free(&bodies->scratch);
  free(bodies);
}

double slipi_body_matrix_work(const SlipiBodyMatrix *bodies) {
  return bodies->add_work + (bodies->share ? 0 : slipi_frontal_work(bodies->frontal));
}

/* Whether a contact touches the bodies of the one before it. */
static bool touches_same(const SlipiBodyMatrix *s, int32_t contact) {
  int32_t first = s->touch_p[contact], count = s->touch_p[contact + 1] - first;
  return contact > 0 && first - s->touch_p[contact - 1] == count &&
         memcmp(s->touch + first, s->touch + first - count, (size_t)count * sizeof *s->touch) == 0;
}

bool slipi_body_matrix_together(const SlipiBodyMatrix *bodies, const double *K) {
  bool together = true;
  for (int32_t a = 0; a < bodies->nc && together; a++)
    together = slipi_all_zero(K + 9 * (int64_t)a, 9) || touches_same(bodies, a);
  return together;
}

/* The rows of B E of a body and one of its contacts, and A' (its columns one after the other) of
 * another that touches the same bodies. */
static void set_product(const SlipiBodyMatrix *s, int32_t body, const SlipiMeeting *meeting,
                        int32_t other, const double *E, double *product, double *columns) {
  int32_t d = s->d, contact = meeting->contact;
  int32_t rows = s->half.p[contact + 1] - s->half.p[contact];
  for (int32_t r = 0; r < s->size[body]; r++) {
    const double *b = s->half.b + (int64_t)(meeting->row + r) * d;
    for (int32_t c = 0; c < 3; c++) {
      double third = d == 3 ? b[2] * E[6 + c] : 0;
      product[3 * r + c] = b[0] * E[c] + b[1] * E[3 + c] + third;
    }
  }
  for (int32_t r = 0; r < rows; r++) {
    const double *a = s->half.a + (int64_t)(s->half.p[other] + r) * d;
    for (int32_t c = 0; c < 3; c++)
      columns[c * (int64_t)rows + r] = c < d ? a[c] : 0;
  }
}

/* x += t a for `rows` rows of three values and three rows of `columns` values, `all` apart. */
static inline void add_block(int32_t rows, int32_t columns, int64_t all, const double *t,
                             const double *a, double *restrict x) {
  for (int32_t r = 0; r < rows; r++, x += columns) {
    double t0 = t[3 * r], t1 = t[3 * r + 1], t2 = t[3 * r + 2];
    for (int32_t c = 0; c < columns; c++)
      x[c] += t0 * a[c] + t1 * a[all + c] + t2 * a[2 * all + c];
  }
}

/* Add a body's rows of B E A', B of one contact and A of it or of another that touches the same
 * bodies. `room` is for a product. */
static void add_contact(const SlipiBodyMatrix *s, int32_t body, const SlipiMeeting *meeting,
                        int32_t other, const double *E, double *room) {
  if (slipi_all_zero(E, 9))
    return;
  int32_t contact = meeting->contact;
  const int32_t *touch = s->touch + s->touch_p[contact];
  int32_t bodies = s->touch_p[contact + 1] - s->touch_p[contact], rows = s->size[body];
  const int32_t *where = s->where + s->where_p[contact] + (int64_t)meeting->index * bodies;
  int64_t all = s->half.p[contact + 1] - s->half.p[contact];
  double *columns = room + 3 * (int64_t)s->most;
  set_product(s, body, meeting, other, E, room, columns);
  for (int32_t l = 0; l < bodies; l++) {
    int32_t count = s->size[touch[l]];
    double *x = s->x + s->offset[where[l]];
    if (rows == 6 && count == 6 && all == 12) /* rigid bodies in 3D, with loops unrolled */
      add_block(6, 6, 12, room, columns, x);
    else
      add_block(rows, count, all, room, columns, x);
    columns += count;
  }
}

static bool is_own(const SlipiBodyMatrix *s, int32_t body) {
  return !s->share || s->own[body];
}

typedef struct Sums {
  const SlipiBodyMatrix *s;
  const double *E, *coupling;
} Sums;

/* The rows of I + B E A' of some bodies. */
static void add_piece(void *user, int32_t piece) {
  const Sums *sums = user;
  const SlipiBodyMatrix *s = sums->s;
  double *room = s->product + piece * 6 * (int64_t)s->most;
  int32_t end = s->bodies - piece * BODIES < BODIES ? s->bodies : (piece + 1) * BODIES;
  for (int32_t b = piece * BODIES; b < end; b++) {
    int64_t first = s->offset[s->p[b]],
            after = s->p[b + 1] < s->p[s->bodies] ? s->offset[s->p[b + 1]] : s->count;
    if (s->p[b] < s->p[b + 1])
      memset(s->x + first, 0, (size_t)(after - first) * sizeof *s->x);
    for (int32_t l = s->meet_p[b]; l < s->meet_p[b + 1]; l++) {
      int32_t a = s->meet[l].contact;
      add_contact(s, b, &s->meet[l], a, sums->E + 9 * (int64_t)a, room);
      if (sums->coupling && a > 0)
        add_contact(s, b, &s->meet[l], a - 1, sums->coupling + 9 * (int64_t)a, room);
    }
    for (int32_t k = s->p[b]; !is_coupled(s) && is_own(s, b) && k < s->p[b + 1]; k++) {
      for (int64_t i = 0; s->j[k] == b && i < s->size[b]; i++)
        s->x[s->offset[k] + i * (s->size[b] + 1)] += 1;
    }
  }
}

SlipStatus slipi_body_matrix_factor(SlipiBodyMatrix *bodies, const double *E,
                                    const double *coupling, int *sign, SlipError *error) {
  *sign = 0;
  bodies->arena.failed = false; /* there may be memory again */
  if (!bodies->x)
    bodies->x = SLIPI_ARENA_NEW(&bodies->arena, double, bodies->count);
  SlipStatus status =
      slipi_share_agree(bodies->share, bodies->x ? SLIP_OK : no_memory(error), error);
  if (status != SLIP_OK)
    return status;
  Sums sums = {bodies, E, coupling};
  slipi_team_each(workers(bodies), (int32_t)body_pieces(bodies), add_piece, &sums);
  if (bodies->share)
    return bodies->share->matrix_factor(bodies->shared, bodies->x, sign, error);
  return slipi_frontal_factor(bodies->frontal, bodies->x, sign, error);
}

void slipi_body_matrix_solve(const SlipiBodyMatrix *bodies, double *z) {
  if (bodies->share)
    bodies->share->matrix_solve(bodies->shared, z);
  else
    slipi_frontal_solve(bodies->frontal, z, z);
}

double slipi_body_matrix_square(const SlipiBodyMatrix *bodies, const double *z) {
  double square = 0;
  if (!bodies->share)
    return slipi_dot(z, z, bodies->rows);
  for (int32_t b = 0, k = 0; b < bodies->bodies; k += bodies->size[b++]) {
    if (is_own(bodies, b))
      square += slipi_dot(z + k, z + k, bodies->size[b]);
  }
  return square;
}

/* Products with all contacts, r or u having three values for each. */
typedef struct Product {
  const SlipiBodyMatrix *s;
  const double *from;
  double *to;
} Product;

/* Add what a contact has in its rows from `first` to `end` - 1. */
static inline void gather_rows(const Product *product, int32_t contact, int32_t first,
                               int32_t end) {
  const SlipiBodyMatrix *s = product->s;
  const double *x = product->from + 3 * (int64_t)contact;
  for (int32_t k = first; k < end; k++) {
    const double *b = s->half.b + (int64_t)k * s->d;
    product->to[s->half.k[k]] += b[0] * x[0] + b[1] * x[1] + (s->d == 3 ? b[2] * x[2] : 0);
  }
}

/* The bodies of a piece: each adds up its contacts in their order. */
static void gather_piece(void *user, int32_t piece) {
  const Product *product = user;
  const SlipiBodyMatrix *s = product->s;
  int32_t end = s->bodies - piece * BODIES < BODIES ? s->bodies : (piece + 1) * BODIES;
  for (int32_t b = piece * BODIES; b < end; b++) {
    for (int32_t l = s->meet_p[b]; l < s->meet_p[b + 1]; l++) {
      const SlipiMeeting *meeting = &s->meet[l];
      gather_rows(product, meeting->contact, meeting->row, meeting->row + s->size[b]);
    }
  }
}

/* One thread goes over the contacts as they are in memory, which adds up the same in the same
 * order. */
void slipi_body_matrix_gather(const SlipiBodyMatrix *bodies, const double *r, double *z) {
  Product product = {bodies, r, z};
  memset(z, 0, (size_t)bodies->rows * sizeof *z);
  if (workers(bodies))
    slipi_team_each(workers(bodies), (int32_t)body_pieces(bodies), gather_piece, &product);
  for (int32_t a = 0; !workers(bodies) && a < bodies->nc; a++)
    gather_rows(&product, a, bodies->half.p[a], bodies->half.p[a + 1]);
  if (bodies->share)
    bodies->share->matrix_add(bodies->shared, z);
}

static void spread_piece(void *user, int32_t piece) {
  const Product *product = user;
  const SlipiBodyMatrix *s = product->s;
  const SlipiRows *half = &s->half;
  int32_t end = s->nc - piece * CONTACTS < CONTACTS ? s->nc : (piece + 1) * CONTACTS;
  for (int32_t a = piece * CONTACTS; a < end; a++) {
    double sum[3] = {0};
    for (int32_t k = half->p[a]; k < half->p[a + 1]; k++) {
      for (int32_t c = 0; c < s->d; c++)
        sum[c] += half->a[(int64_t)k * s->d + c] * product->from[half->k[k]];
    }
    memcpy(product->to + 3 * (int64_t)a, sum, sizeof sum);
  }
}

void slipi_body_matrix_spread(const SlipiBodyMatrix *bodies, const double *z, double *u) {
  Product product = {bodies, z, u};
  slipi_team_each(workers(bodies), (bodies->nc + CONTACTS - 1) / CONTACTS, spread_piece, &product);
}
