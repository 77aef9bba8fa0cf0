#include "methods/common_loads.h"

#include <string.h>

#include "contact/pairs.h"
#include "linalg/vector.h"

enum { BODY = 6, ROW = 2 * BODY, NOBODY = SLIPI_LOADS_NOBODY };
enum { PIECE = 4096 }; /* contacts that one thread looks at */
/* Visits to each contact of a body until it counts as at rest. */
enum { VISITS = 4 };

static SlipiLoadsLink own_link(const SlipiRun *run, const SlipiLoads *loads, int64_t k) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  const SlipiOwn *own = slipi_operator_own(run->op);
  const int32_t *first = pairs->first + 2 * k;
  SlipiLoadsLink link = {.on_ground = first[0] == first[1],
                         .a = pairs->a + 36 * k,
                         .b = pairs->b + 36 * k,
                         .w = loads->w + 3 * k,
                         .C = own && own->C ? own->C + 9 * k : NULL,
                         .free = {loads->free.z + first[0], loads->free.z + first[1]},
                         .law = run->law + k,
                         .r = run->r + 3 * k};
  for (int side = 0; side < 2; side++) {
    int32_t body = first[side] / BODY;
    bool settled_here = body < loads->bodies && (!loads->mine || loads->mine[body]);
    link.body[side] = settled_here ? body : NOBODY;
  }
  return link;
}

static SlipiLoadsLink link_of(const SlipiRun *run, const SlipiLoads *loads, int32_t contact) {
  const SlipiLoadsOthers *others = &loads->others;
  int64_t k = (int64_t)contact - run->nc;
  if (k < 0)
    return own_link(run, loads, contact);
  return (SlipiLoadsLink){.body = {others->body[2 * k], others->body[2 * k + 1]},
                          .on_ground = others->body[2 * k] == others->body[2 * k + 1],
                          .a = others->a + 36 * k,
                          .b = others->b + 36 * k,
                          .w = others->w + 3 * k,
                          .C = others->C ? others->C + 9 * k : NULL,
                          .free = {others->free + 12 * k, others->free + 12 * k + BODY},
                          .law = others->law + k,
                          .r = others->r + 3 * k};
}

/* The two bodies of a contact; one, twice, on the ground. */
static int link_bodies(const SlipiLoadsLink *link) {
  return link->on_ground ? 1 : 2;
}

static int64_t number_of(const SlipiRun *run, const SlipiLoads *loads, int32_t contact) {
  return contact < run->nc ? slipi_share_contact(run->op->share, contact)
                           : loads->others.id[contact - run->nc];
}

/* The contacts of each body, in the order of the whole problem. */
static int32_t list_contacts(const SlipiRun *run, SlipiLoads *loads) {
  int32_t *first = loads->first, largest = 0;
  for (int pass = 0; pass < 2; pass++) { /* count; then, first[b + 1] being b's next place, fill */
    for (int32_t k = 0; k < loads->contacts; k++) {
      SlipiLoadsLink link = link_of(run, loads, k);
      for (int side = 0; side < link_bodies(&link); side++) {
        int32_t body = link.body[side];
        if (body == NOBODY)
          continue;
        if (pass == 0)
          first[body + 2]++;
        else
          loads->contact[first[body + 1]++] = k;
      }
    }
    for (int32_t b = 0; pass == 0 && b < loads->bodies; b++) {
      largest = first[b + 2] > largest ? first[b + 2] : largest;
      first[b + 2] += first[b + 1];
    }
  }
  for (int32_t b = 0; loads->others.count > 0 && b < loads->bodies; b++) {
    for (int32_t k = first[b] + 1; k < first[b + 1]; k++) {
      int32_t moved = loads->contact[k], at = k;
      for (; at > first[b] &&
             number_of(run, loads, loads->contact[at - 1]) > number_of(run, loads, moved);
           at--)
        loads->contact[at] = loads->contact[at - 1];
      loads->contact[at] = moved;
    }
  }
  return largest;
}

static SlipStatus allocate(SlipiRun *run, SlipiLoads *loads, SlipError *error) {
  SlipiArena *arena = run->arena;
  int64_t bodies = loads->bodies;
  loads->contacts = run->nc + loads->others.count;
  loads->side = SLIPI_ARENA_NEW(arena, uint8_t, loads->contacts);
  loads->first = SLIPI_ARENA_NEW(arena, int32_t, bodies + 2);
  loads->contact = SLIPI_ARENA_NEW(arena, int32_t, 2 * (int64_t)loads->contacts);
  loads->above = SLIPI_ARENA_NEW(arena, int32_t, bodies);
  loads->queue = SLIPI_ARENA_NEW(arena, int32_t, bodies);
  if (run->op->share) {
    loads->out = SLIPI_ARENA_NEW(arena, int32_t, loads->contacts);
    loads->turn = SLIPI_ARENA_NEW(arena, double, bodies);
    loads->before = SLIPI_ARENA_NEW(arena, double, loads->contacts);
    loads->told = SLIPI_ARENA_NEW(arena, uint8_t, loads->contacts);
  }
  if (arena->failed)
    return slipi_fail_memory(error, "the loads of bodies");
  int32_t largest = list_contacts(run, loads);
  loads->one = SLIPI_ARENA_NEW(arena, SlipiOneContact, largest);
  loads->link = SLIPI_ARENA_NEW(arena, SlipiLoadsLink, largest);
  loads->under = SLIPI_ARENA_NEW(arena, int32_t, largest);
  return !arena->failed ? SLIP_OK : slipi_fail_memory(error, "the loads of bodies");
}

SlipStatus slipi_loads_create(SlipiRun *run, SlipiLoads *loads, SlipError *error) {
  const SlipiShare *share = run->op->share;
  *loads = (SlipiLoads){0};
  if (!slipi_operator_pairs(run->op))
    return SLIP_OK;
  SlipStatus status = slipi_row_state_create(run->op, run->arena, &loads->free, error);
  if (status != SLIP_OK)
    return status;
  loads->bodies = loads->free.size / BODY;
  loads->w = run->q; /* until loads are handed down */
  if (share)
    status = share->loads_create(share->user, run, loads, error);
  if (status == SLIP_OK)
    status = allocate(run, loads, error);
  loads->made = status == SLIP_OK;
  return status;
}

/* u = A' z of one contact, for the z of one of its bodies. */
static void half_row(const double *a, const double *z, double u[3]) {
  for (int c = 0; c < 3; c++) {
    u[c] = 0;
    for (int k = 0; k < BODY; k++)
      u[c] += a[ROW * c + k] * z[k];
  }
}

/* z += B r of one contact, for the z of one of its bodies. */
static void add_half(const double *b, const double r[3], double *z) {
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < BODY; k++)
      z[k] += b[ROW * c + k] * r[c];
}

typedef struct Sides {
  const SlipiRun *run;
  SlipiLoads *loads;
} Sides;

/* Which body of each contact is the upper one, of some contacts. */
static void find_sides_of(void *user, int32_t piece) {
  const SlipiRun *run = ((const Sides *)user)->run;
  SlipiLoads *loads = ((const Sides *)user)->loads;
  int32_t first = piece * PIECE, rest = loads->contacts - first;
  for (int32_t k = first; k < first + (rest < PIECE ? rest : PIECE); k++) {
    double own[2][3];
    SlipiLoadsLink link = link_of(run, loads, k);
    for (int side = 0; side < 2; side++)
      half_row(link.a + (ptrdiff_t)BODY * side, link.free[side], own[side]);
    loads->side[k] = (uint8_t)(!link.on_ground && own[1][0] < own[0][0]);
  }
}

static void find_sides(const SlipiRun *run, SlipiLoads *loads) {
  Sides sides = {run, loads};
  int32_t pieces = (loads->contacts + PIECE - 1) / PIECE;
  slipi_team_each(run->op->team, pieces, find_sides_of, &sides);
}

static double number_of_body(const SlipiRun *run, int32_t body) {
  return (double)run->op->share->body[body];
}

/* Whether a body gets the loads of a contact that it lies under before its own turn. */
static bool counts(const SlipiRun *run, const SlipiLoads *loads, int32_t contact, int32_t lower) {
  if (!loads->turn)
    return true;
  double number = number_of_body(run, lower);
  return loads->turn[lower] < number || loads->before[contact] < number;
}

/* Under how many contacts each body is. */
static void count_above(const SlipiRun *run, SlipiLoads *loads) {
  memset(loads->above, 0, (size_t)loads->bodies * sizeof *loads->above);
  for (int32_t k = 0; k < loads->contacts; k++) {
    SlipiLoadsLink link = link_of(run, loads, k);
    int32_t lower = link.body[!loads->side[k]];
    if (!link.on_ground && lower != NOBODY && counts(run, loads, k, lower))
      loads->above[lower]++;
  }
}

/* The upper body's block of W: that of the contact if the lower one could not move. */
static void half_block(const SlipiLoadsLink *link, int side, double shift, double W[9]) {
  const double *a = link->a + (ptrdiff_t)BODY * side, *b = link->b + (ptrdiff_t)BODY * side;
  for (int s = 0; s < 3; s++)
    for (int t = 0; t < 3; t++) {
      W[3 * s + t] = 0;
      for (int k = 0; k < BODY; k++)
        W[3 * s + t] += a[ROW * s + k] * b[ROW * t + k];
    }
  const SlipiOwn own = {.C = link->C, .shift = shift};
  if (link->C || shift != 0)
    slipi_own_block(&own, 3, 0, W);
}

/* One visit to a contact of a body with velocity z, against a support that stands still. */
static void rest_on(const SlipiLoadsLink *link, int side, double shift, SlipiOneContact *one,
                    double *z) {
  const SlipiOneContactRule rule = {.kind = SLIPI_ONE_HYBRID, .tol = 1e-10, .max_iter = 100};
  const SlipiOwn own = {.C = link->C, .shift = shift};
  const double *W = one->W;
  double q[3], next[3], change[3], *r = link->r;
  half_row(link->a + (ptrdiff_t)BODY * side, z, q);
  if (link->C || shift != 0)
    slipi_own_add(&own, 3, 0, r, q);
  for (int k = 0; k < 3; k++) {
    q[k] += link->w[k] - (W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2]);
    next[k] = r[k];
  }
  slipi_one_contact_solve(one, &rule, q, next);
  for (int c = 0; c < 3; c++) {
    change[c] = next[c] - r[c];
    r[c] = next[c];
  }
  add_half(link->b + (ptrdiff_t)BODY * side, change, z);
}

/* A body is to look for its turn again; `above` tells which do already. */
static void wait_for_turn(SlipiLoads *loads, int32_t body) {
  if (body == NOBODY || loads->above[body])
    return;
  loads->above[body] = 1;
  loads->queue[loads->queued++ % loads->bodies] = body;
}

/* A contact has its impulses: the lower body gets them, and its turn with the last one. */
static void hand_on(const SlipiRun *run, SlipiLoads *loads, int32_t contact,
                    const SlipiLoadsLink *link) {
  int32_t lower = link->body[!loads->side[contact]];
  if (!link->on_ground && lower != NOBODY && counts(run, loads, contact, lower) &&
      --loads->above[lower] == 0)
    loads->queue[loads->queued++] = lower;
}

void slipi_loads_receive(const SlipiRun *run, SlipiLoads *loads, int32_t contact,
                         const double r[3]) {
  SlipiLoadsLink link = link_of(run, loads, contact);
  if (loads->ordering) {
    loads->before[contact] = r[0];
    wait_for_turn(loads, link.body[!loads->side[contact]]);
    return;
  }
  memcpy(slipi_loads_impulse(run, loads, contact), r, 3 * sizeof *r);
  hand_on(run, loads, contact, &link);
}

/* Which side of the contact the body is on, and whether it lies on the contact. */
static bool lies_on(const SlipiRun *run, const SlipiLoads *loads, int32_t contact, int32_t body,
                    SlipiLoadsLink *link) {
  *link = link_of(run, loads, contact);
  return link->on_ground || link->body[loads->side[contact]] == body;
}

/* Bring one body to rest; those it lies on get the loads. */
static void settle(const SlipiRun *run, SlipiLoads *loads, int32_t body) {
  const int32_t *list = loads->contact + loads->first[body];
  int32_t count = loads->first[body + 1] - loads->first[body], under = 0;
  double z[BODY], W[9], shift = slipi_operator_shift(run->op);
  SlipiLoadsLink link;
  memcpy(z, loads->free.z + (ptrdiff_t)BODY * body, sizeof z);
  for (int32_t k = 0; k < count; k++) {
    int side = loads->side[list[k]];
    if (lies_on(run, loads, list[k], body, &link)) {
      half_block(&link, side, shift, W);
      slipi_one_contact_prepare(&loads->one[under], W, *link.law);
      loads->under[under] = list[k];
      loads->link[under++] = link;
    } else if (counts(run, loads, list[k], body)) {
      add_half(link.b + (ptrdiff_t)BODY * !side, link.r, z);
    }
  }
  for (int visit = 0; visit < VISITS; visit++)
    for (int32_t k = 0; k < under; k++)
      rest_on(&loads->link[k], loads->side[loads->under[k]], shift, &loads->one[k], z);
  loads->above[body] = -1; /* done, also where it had to go before its turn */
  for (int32_t k = 0; k < under; k++) {
    hand_on(run, loads, loads->under[k], &loads->link[k]);
    if (run->op->share)
      loads->out[loads->out_count++] = loads->under[k];
  }
}

static bool is_mine(const SlipiLoads *loads, int32_t body) {
  return !loads->mine || loads->mine[body];
}

/* The bodies left lie on each other in circles: these are opened at the first of all. False where
 * there is none. */
static bool open_circle(const SlipiRun *run, SlipiLoads *loads, int32_t *next) {
  while (*next < loads->bodies && loads->above[*next] < 0)
    ++*next;
  if (*next == loads->bodies)
    return false;
  settle(run, loads, *next);
  return true;
}

/* ---- Turns, where processes share the problem ----
 *
 * There are about as many circles as bodies, and each would take a message to all. But what is
 * opened can be known before: circles are opened in the order of the bodies' numbers, so that each
 * body is settled when one with a certain number has been opened, itself at the latest, and those
 * above it when all of them are. These turns are the largest numbers with
 *
 *     turn(b) = min(number of b, largest turn of the bodies that lie on b),
 *
 * -1 where nothing does; they are found from above, in any order. A body whose turn is its own
 * number is opened, and has got the loads of those with earlier turns; others have got all. */

/* The turn of a body, from those of the bodies above it as far as they are known. */
static double find_turn(const SlipiRun *run, const SlipiLoads *loads, int32_t body) {
  double last = -1;
  SlipiLoadsLink link;
  for (int32_t k = loads->first[body]; k < loads->first[body + 1]; k++)
    if (!lies_on(run, loads, loads->contact[k], body, &link))
      last = fmax(last, loads->before[loads->contact[k]]);
  return fmin(last, number_of_body(run, body));
}

/* A body's turn is earlier than it was thought to be: for those that it lies on. */
static void tell_turn(const SlipiRun *run, SlipiLoads *loads, int32_t body) {
  SlipiLoadsLink link;
  for (int32_t k = loads->first[body]; k < loads->first[body + 1]; k++) {
    int32_t contact = loads->contact[k];
    if (!lies_on(run, loads, contact, body, &link) || link.on_ground)
      continue;
    loads->before[contact] = loads->turn[body];
    int32_t lower = link.body[!loads->side[contact]];
    wait_for_turn(loads, lower);
    if (lower == NOBODY && !loads->told[contact]) {
      loads->told[contact] = 1;
      loads->out[loads->out_count++] = contact;
    }
  }
}

/* The turns of all bodies. */
static void find_turns(const SlipiRun *run, SlipiLoads *loads) {
  const SlipiShare *share = run->op->share;
  loads->ordering = true;
  loads->taken = loads->queued = loads->out_count = 0;
  memset(loads->above, 0, (size_t)loads->bodies * sizeof *loads->above);
  memset(loads->told, 0, (size_t)loads->contacts);
  for (int32_t k = 0; k < loads->contacts; k++)
    loads->before[k] = INFINITY;
  for (int32_t b = 0; b < loads->bodies; b++) {
    loads->turn[b] = INFINITY;
    if (is_mine(loads, b))
      wait_for_turn(loads, b);
  }
  do {
    while (loads->taken < loads->queued) {
      int32_t body = loads->queue[loads->taken++ % loads->bodies];
      double turn = find_turn(run, loads, body);
      loads->above[body] = 0;
      if (turn < loads->turn[body]) {
        loads->turn[body] = turn;
        tell_turn(run, loads, body);
      }
    }
    loads->taken = loads->queued = 0;
    for (int32_t k = 0; k < loads->out_count; k++)
      loads->told[loads->out[k]] = 0;
  } while (share->loads_pass(share->user, run, loads));
  loads->ordering = false;
}

/* Of all multiples t r of the impulses the one with t = -q'r / r'W r takes most energy out of the
 * bodies. Errors add up with the loads, so that t is small in a high pile. But where many bodies
 * lean on each other in a row, each may hand on more than it has got, and the last of them flies: t
 * is less than loads that only add up can make it. */
static bool are_of_use(const SlipiRun *run, const SlipiRowState *rows) {
  const SlipiShare *share = run->op->share;
  SlipiExact squares = {{0}}, work = {{0}};
  double u[3];
  for (int32_t a = 0; a < run->nc; a++) {
    const double *r = run->r + (int64_t)a * run->d, *q = run->q + (int64_t)a * run->d;
    double square = 0, product = 0;
    slipi_operator_row(run->op, a, run->r, rows, u);
    for (int k = 0; k < run->d; k++) {
      square += r[k] * u[k];
      product += r[k] * q[k];
    }
    slipi_exact_add(&squares, square);
    slipi_exact_add(&work, product);
  }
  double contacts = (double)slipi_share_contacts(share, run->nc);
  return -slipi_share_sum(share, &work) * contacts > slipi_share_sum(share, &squares);
}

bool slipi_loads_hand_down(SlipiRun *run, SlipiLoads *loads, SlipiRowState *rows) {
  const SlipiShare *share = run->op->share;
  int32_t next = 0;
  if (!loads->made || slipi_share_any(share, !slipi_all_zero(run->r, run->m)))
    return false;
  const double *w = slipi_operator_free_velocity(run->op, run->q, loads->free.z);
  if (!w)
    return false;
  loads->w = w;
  find_sides(run, loads);
  if (share)
    find_turns(run, loads);
  count_above(run, loads);
  loads->taken = loads->queued = loads->out_count = 0;
  for (int32_t b = 0; b < loads->bodies; b++) {
    if (loads->above[b] == 0 && is_mine(loads, b))
      loads->queue[loads->queued++] = b;
  }
  do {
    while (loads->taken < loads->queued)
      settle(run, loads, loads->queue[loads->taken++]);
  } while (share ? share->loads_pass(share->user, run, loads) : open_circle(run, loads, &next));
  slipi_operator_row_start(run->op, run->r, rows);
  if (are_of_use(run, rows))
    return true;
  memset(run->r, 0, (size_t)run->m * sizeof *run->r);
  slipi_operator_row_start(run->op, run->r, rows);
  return false;
}
