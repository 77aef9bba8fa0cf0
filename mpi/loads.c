/* Loads handed down across processes (methods/common_loads.h). A body is settled by the process
 * that has the first chunk that touches it; that one gets the body's contacts in other processes'
 * chunks. When a contact has its impulses they go to who settles the lower body, and to who has the
 * contact.
 */
#include <stdlib.h>
#include <string.h>

#include "contact/pairs.h"
#include "methods/common_loads.h"
#include "mpi/part.h"

/* A contact that goes to another process; numbers follow. */
typedef struct Head {
  int64_t number, body[2];
  int32_t settler[2];
  SlipiLaw law;
} Head;

/* Numbers of a contact: free velocities, A, B where it is another, w, and C. */
enum { FREE = 12, PAIR = 36, OFFSET = 3, OWN = 9 };

/* What this process knows of the contacts of others, beside their numbers. */
typedef struct Others {
  SlipiLoadsOthers loads;
  int32_t *chunk_rank; /* who has it */
  int32_t *settler;    /* 2 a contact */
} Others;

/* Of the process's run under way. */
static Others *others_of(const SlipiLoads *loads) {
  return loads->user;
}

static int contact_bodies(const SlipMpiProblem *part, int32_t contact, int32_t place[2]) {
  return slipi_problem_contact_bodies(part->problem, contact, place);
}

/* The processes, other than this one, that settle a body of the contact. */
static int settlers(const SlipMpiProblem *part, int32_t contact, int32_t rank[2]) {
  int32_t place[2];
  int bodies = contact_bodies(part, contact, place), count = 0;
  for (int k = 0; k < bodies; k++) {
    int32_t settler = part->settler[place[k]];
    if (settler != part->rank && !(count == 1 && rank[0] == settler))
      rank[count++] = settler;
  }
  return count;
}

typedef struct Sizes {
  size_t reals, record;
  bool symmetric, own;
} Sizes;

static Sizes record_sizes(const SlipMpiProblem *part, const SlipiRun *run) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  Sizes sizes = {.symmetric = pairs->a == pairs->b, .own = run->op->own.C != NULL};
  sizes.symmetric = slipi_mpi_all(part->comm, sizes.symmetric);
  sizes.own = !slipi_mpi_all(part->comm, !sizes.own);
  sizes.reals = FREE + PAIR + OFFSET + (sizes.symmetric ? 0 : PAIR) + (sizes.own ? OWN : 0);
  sizes.record = sizeof(Head) + sizes.reals * sizeof(double);
  return sizes;
}

static void pack(const SlipMpiProblem *part, const SlipiRun *run, const double *free_z,
                 const Sizes *sizes, int32_t contact, char *to) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  int64_t k = contact;
  int32_t place[2];
  int bodies = contact_bodies(part, contact, place);
  double x[FREE + 2 * PAIR + OFFSET + OWN] = {0}, *next = x;
  Head head;
  memset(&head, 0, sizeof head);
  head.number = part->first_contact + k;
  head.law = run->law[k];
  for (int side = 0; side < 2; side++) {
    int32_t at = place[side < bodies ? side : 0]; /* on the ground the one body stands twice */
    head.body[side] = part->body[at];
    head.settler[side] = part->settler[at];
    memcpy(next, free_z + pairs->first[2 * k + side], 6 * sizeof *next);
    next += 6;
  }
  memcpy(next, pairs->a + PAIR * k, PAIR * sizeof *next);
  next += PAIR;
  if (!sizes->symmetric) {
    memcpy(next, pairs->b + PAIR * k, PAIR * sizeof *next);
    next += PAIR;
  }
  memcpy(next, run->op->w + OFFSET * k, OFFSET * sizeof *next);
  next += OFFSET;
  if (sizes->own && run->op->own.C)
    memcpy(next, run->op->own.C + OWN * k, OWN * sizeof *next);
  memcpy(to, &head, sizeof head);
  memcpy(to + sizeof head, x, sizes->reals * sizeof *x);
}

/* With `out` empty the contacts that go to others are only counted. */
static int64_t list_contacts(const SlipMpiProblem *part, const SlipiRun *run, const double *free_z,
                             const Sizes *sizes, SlipiRecords *out) {
  int64_t count = 0;
  for (int32_t a = 0; a < part->nc; a++) {
    int32_t rank[2];
    int ranks = settlers(part, a, rank);
    for (int k = 0; k < ranks; k++, count++) {
      if (!out->data)
        continue;
      pack(part, run, free_z, sizes, a, slipi_record(out, count));
      out->rank[count] = rank[k];
    }
  }
  return count;
}

/* The arrays of the contacts that have come. */
typedef struct Arrays {
  int64_t *id;
  int32_t *body;
  double *free, *a, *b, *w, *C;
  SlipiLaw *law;
} Arrays;

static bool allocate(SlipiArena *arena, const Sizes *sizes, int64_t count, Arrays *x,
                     Others *others) {
  x->id = SLIPI_ARENA_RAW(arena, int64_t, count);
  x->body = SLIPI_ARENA_RAW(arena, int32_t, 2 * count);
  x->free = SLIPI_ARENA_RAW(arena, double, FREE *count);
  x->a = SLIPI_ARENA_RAW(arena, double, PAIR *count);
  x->b = sizes->symmetric ? x->a : SLIPI_ARENA_RAW(arena, double, PAIR *count);
  x->w = SLIPI_ARENA_RAW(arena, double, OFFSET *count);
  x->C = sizes->own ? SLIPI_ARENA_RAW(arena, double, OWN *count) : NULL;
  x->law = SLIPI_ARENA_RAW(arena, SlipiLaw, count);
  others->chunk_rank = SLIPI_ARENA_RAW(arena, int32_t, count);
  others->settler = SLIPI_ARENA_RAW(arena, int32_t, 2 * count);
  others->loads = (SlipiLoadsOthers){.count = (int32_t)count,
                                     .id = x->id,
                                     .body = x->body,
                                     .free = x->free,
                                     .a = x->a,
                                     .b = x->b,
                                     .w = x->w,
                                     .C = x->C,
                                     .law = x->law,
                                     .r = SLIPI_ARENA_NEW(arena, double, 3 * count)};
  return !arena->failed;
}

static void unpack(const SlipMpiProblem *part, const Sizes *sizes, const SlipiRecords *in,
                   const Arrays *to, Others *others) {
  for (int64_t k = 0; k < in->count; k++) {
    Head head;
    const char *from = slipi_record(in, k);
    double x[FREE + 2 * PAIR + OFFSET + OWN], *next = x;
    memcpy(&head, from, sizeof head);
    memcpy(x, from + sizeof head, sizes->reals * sizeof *x);
    to->id[k] = head.number;
    to->law[k] = head.law;
    others->chunk_rank[k] = in->rank[k];
    for (int side = 0; side < 2; side++) {
      bool here = head.settler[side] == part->rank;
      to->body[2 * k + side] = here ? slipi_part_find_body(part, head.body[side]) : -1;
      others->settler[2 * k + side] = head.settler[side];
    }
    memcpy(to->free + FREE * k, next, FREE * sizeof *next);
    next += FREE;
    memcpy(to->a + PAIR * k, next, PAIR * sizeof *next);
    next += PAIR;
    if (!sizes->symmetric) {
      memcpy(to->b + PAIR * k, next, PAIR * sizeof *next);
      next += PAIR;
    }
    memcpy(to->w + OFFSET * k, next, OFFSET * sizeof *next);
    next += OFFSET;
    if (sizes->own)
      memcpy(to->C + OWN * k, next, OWN * sizeof *next);
  }
}

SlipStatus slipi_part_loads_create(void *user, const SlipiRun *run, SlipiLoads *loads,
                                   SlipError *error) {
  const SlipMpiProblem *part = user;
  SlipiRecords out = {0}, in = {0};
  Sizes sizes = record_sizes(part, run);
  Others *others = SLIPI_ARENA_NEW(run->arena, Others, 1);
  uint8_t *mine = SLIPI_ARENA_NEW(run->arena, uint8_t, part->nb);
  Arrays arrays;
  slipi_mass_half_velocity(run->op->mass, run->op->f, loads->free.z);
  int64_t count = list_contacts(part, run, NULL, &sizes, &out);
  bool room = slipi_records_new(&out, count, sizes.record) && others && mine;
  if (room)
    list_contacts(part, run, loads->free.z, &sizes, &out);
  SlipStatus status = room ? SLIP_OK : slipi_fail_memory(error, "the loads of bodies");
  status = slipi_mpi_agree(part->comm, status, error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &out, &in, error);
  slipi_records_free(&out);
  if (status == SLIP_OK && !allocate(run->arena, &sizes, in.count, &arrays, others))
    status = slipi_fail_memory(error, "the loads of bodies");
  if (status == SLIP_OK) {
    unpack(part, &sizes, &in, &arrays, others);
    for (int32_t b = 0; b < part->nb; b++)
      mine[b] = part->settler[b] == part->rank;
    loads->others = others->loads;
    loads->mine = mine;
    loads->user = others;
  }
  slipi_records_free(&in);
  return status;
}

/* ---- Passes ---- */

typedef struct Load {
  int64_t number;
  double r[3];
} Load;

/* The processes that are to get the impulses of a contact that this one has settled. */
static int receivers(const SlipMpiProblem *part, const SlipiLoads *loads, int32_t contact,
                     int32_t rank[2]) {
  const Others *others = others_of(loads);
  int count = 0, lower = !loads->side[contact];
  int32_t place[2], settler = part->rank, owner = part->rank;
  if (contact >= part->nc) {
    owner = others->chunk_rank[contact - part->nc];
    settler = others->settler[2 * (int64_t)(contact - part->nc) + lower];
  } else if (contact_bodies(part, contact, place) == 2) {
    settler = part->settler[place[lower]];
  }
  if (settler != part->rank)
    rank[count++] = settler;
  if (owner != part->rank && owner != settler)
    rank[count++] = owner;
  return count;
}

static int compare_ids(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* Contacts of others come from ascending ranks, whose contacts ascend. */
static int32_t find_contact(const SlipMpiProblem *part, const SlipiLoads *loads, int64_t number) {
  int64_t own = number - part->first_contact;
  if (own >= 0 && own < part->nc)
    return (int32_t)own;
  const int64_t *id = loads->others.id;
  const int64_t *found = bsearch(&number, id, (size_t)loads->others.count, sizeof *id, compare_ids);
  return part->nc + (int32_t)(found - id);
}

bool slipi_part_loads_pass(void *user, const SlipiRun *run, SlipiLoads *loads) {
  const SlipMpiProblem *part = user;
  SlipiRecords out, in = {0};
  int32_t rank[2];
  int64_t count = 0;
  for (int32_t k = 0; k < loads->out_count; k++)
    count += receivers(part, loads, loads->out[k], rank);
  if (!slipi_records_new(&out, count, sizeof(Load)))
    MPI_Abort(part->comm, 1); /* nothing else could tell the others */
  count = 0;
  for (int32_t k = 0; k < loads->out_count; k++) {
    int32_t contact = loads->out[k];
    int ranks = receivers(part, loads, contact, rank);
    Load load = {.number = contact < part->nc ? part->first_contact + contact
                                              : loads->others.id[contact - part->nc]};
    slipi_loads_tell(run, loads, contact, load.r);
    for (int j = 0; j < ranks; j++, count++) {
      memcpy(slipi_record(&out, count), &load, sizeof load);
      out.rank[count] = rank[j];
    }
  }
  loads->out_count = 0;
  if (slipi_mpi_route(part->comm, &out, &in, NULL) != SLIP_OK)
    MPI_Abort(part->comm, 1);
  for (int64_t k = 0; k < in.count; k++) {
    Load load;
    memcpy(&load, slipi_record(&in, k), sizeof load);
    slipi_loads_receive(run, loads, find_contact(part, loads, load.number), load.r);
  }
  slipi_records_free(&out);
  slipi_records_free(&in);
  return !slipi_mpi_all(part->comm, loads->taken == loads->queued);
}
