/* The pile of slip_generate, made by all processes together: each lets down the spheres of its slab
 * (mpi/pile_slab.h), their numbers come from sorting them all along the space-filling curve, and
 * the contacts go to the processes whose chunks they are. No process ever has more than its part.
 */
#include "mpi/pile_slab.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/part.h"

/* What is known of a sphere where its number is found. */
typedef struct Place {
  uint64_t key;
  int64_t sphere;      /* in the order they were let down */
  int32_t rank, index; /* who has let it down, and where it is there */
  int32_t links;
  double radius;
} Place;

/* Number and first contact of a sphere, for who has let it down. */
typedef struct Number {
  int32_t index, body, contact;
} Number;

/* A contact on its way to the process that has its chunk. */
typedef struct Sent {
  int32_t contact, into, from, unused;
  SlipiPileTouch touch;
} Sent;

typedef struct Maker {
  MPI_Comm comm;
  int rank, ranks;
  SlipiSlab slab;
  SlipMpiData data;
  SlipLaws laws;
  double *M, *f, *H, *mu;
  int64_t *body;
  int32_t *number, *contact; /* of the spheres of the slab; by malloc */
  SlipiArena arena;
} Maker;

static SlipStatus agree_room(const Maker *maker, bool room, SlipError *error) {
  return slipi_mpi_agree(maker->comm,
                         room ? SLIP_OK : slipi_fail_memory(error, "a pile of spheres"), error);
}

static int64_t before(MPI_Comm comm, int rank, int64_t count) {
  int64_t sum = 0;
  MPI_Exscan(&count, &sum, 1, MPI_INT64_T, MPI_SUM, comm);
  return rank == 0 ? 0 : sum;
}

/* ---- Numbers ---- */

static int compare_places(const void *a, const void *b) {
  const Place *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->sphere < y->sphere ? -1 : x->sphere > y->sphere;
}

/* The height of the pile of all, which the curve fills. */
static void find_height(Maker *maker) {
  SlipiSlab *slab = &maker->slab;
  for (int32_t l = 0; l < slab->layers; l++)
    for (int32_t k = 0; k < slab->layer[l].kept; k++)
      slipi_pile_raise(&slab->pile, &slab->pile.spheres[slipi_slab_own(&slab->layer[l], k)]);
  MPI_Allreduce(MPI_IN_PLACE, &slab->pile.height, 1, MPI_DOUBLE, MPI_MAX, maker->comm);
}

static void list_places(const Maker *maker, SlipiRecords *places) {
  const SlipiSlab *slab = &maker->slab;
  places->count = 0;
  for (int32_t l = 0; l < slab->layers; l++)
    for (int32_t k = 0; k < slab->layer[l].kept; k++) {
      int32_t index = slipi_slab_own(&slab->layer[l], k);
      const SlipiSphere *sphere = &slab->pile.spheres[index];
      Place place = {.key = slipi_pile_key(&slab->pile, sphere),
                     .sphere = slipi_slab_sphere(&slab->layer[l], k),
                     .rank = maker->rank,
                     .index = index,
                     .links = sphere->links,
                     .radius = sphere->radius};
      memcpy(slipi_record(places, places->count++), &place, sizeof place);
    }
  if (places->count > 0)
    qsort(places->data, (size_t)places->count, places->size, compare_places);
}

enum { SAMPLES = 256 }; /* of each process: parts then differ by some hundredths */

/* Where the parts of the sorted spheres begin, from samples of all: all[r * SAMPLES] for rank r. */
static void deal_places(const Maker *maker, const SlipiRecords *places, Place *all) {
  Place own[SAMPLES];
  const Place last = {.key = UINT64_MAX, .sphere = INT64_MAX};
  for (int64_t k = 0; k < SAMPLES; k++)
    own[k] = places->count == 0 ? last
                                : *(const Place *)slipi_record(places, k * places->count / SAMPLES);
  MPI_Allgather(own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, maker->comm);
  int64_t count = 0, samples = (int64_t)maker->ranks * SAMPLES;
  qsort(all, (size_t)samples, sizeof *all, compare_places);
  while (count < samples && all[count].sphere != INT64_MAX)
    count++;
  int rank = 0;
  for (int64_t k = 0; k < places->count; k++) {
    const Place *place = slipi_record(places, k);
    while (rank + 1 < maker->ranks &&
           compare_places(place, &all[(rank + 1) * count / maker->ranks]) >= 0)
      rank++;
    places->rank[k] = rank;
  }
}

/* The spheres sorted along the curve, each process a range of them. */
static SlipStatus sort_places(Maker *maker, SlipiRecords *sorted, SlipError *error) {
  int64_t count = 0;
  SlipiRecords places;
  for (int32_t l = 0; l < maker->slab.layers; l++)
    count += maker->slab.layer[l].kept;
  bool room = slipi_records_new(&places, count, sizeof(Place));
  Place *all = malloc((size_t)maker->ranks * SAMPLES * sizeof *all);
  SlipStatus status = agree_room(maker, room && all, error);
  if (status == SLIP_OK) {
    find_height(maker);
    list_places(maker, &places);
    deal_places(maker, &places, all);
    status = slipi_mpi_route(maker->comm, &places, sorted, error);
  }
  if (status == SLIP_OK && sorted->count > 0)
    qsort(sorted->data, (size_t)sorted->count, sorted->size, compare_places);
  free(all);
  slipi_records_free(&places);
  return status;
}

/* Tell who let the spheres down their numbers. */
static SlipStatus return_numbers(Maker *maker, const SlipiRecords *sorted, SlipError *error) {
  int64_t links = 0;
  for (int64_t k = 0; k < sorted->count; k++)
    links += ((const Place *)slipi_record(sorted, k))->links;
  int64_t body = before(maker->comm, maker->rank, sorted->count);
  int64_t contact = before(maker->comm, maker->rank, links);
  SlipiRecords out, in = {0};
  bool room = slipi_records_new(&out, sorted->count, sizeof(Number));
  for (int64_t k = 0; k < sorted->count && room; k++) {
    const Place *place = slipi_record(sorted, k);
    Number number = {place->index, (int32_t)(body + k), (int32_t)contact};
    memcpy(slipi_record(&out, k), &number, sizeof number);
    out.rank[k] = place->rank;
    contact += place->links;
  }
  size_t spheres = (size_t)maker->slab.count;
  maker->number = malloc(spheres * sizeof *maker->number + 1);
  maker->contact = malloc(spheres * sizeof *maker->contact + 1);
  SlipStatus status = agree_room(maker, room && maker->number && maker->contact, error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(maker->comm, &out, &in, error);
  for (int64_t k = 0; k < in.count; k++) {
    const Number *number = slipi_record(&in, k);
    maker->number[number->index] = number->body;
    maker->contact[number->index] = number->contact;
  }
  slipi_records_free(&out);
  slipi_records_free(&in);
  if (status == SLIP_OK)
    status = slipi_slab_exchange(&maker->slab, 0, sizeof *maker->number, maker->number, error);
  return status;
}

/* ---- Bodies and contacts ---- */

static SlipStatus make_bodies(Maker *maker, const SlipiRecords *sorted, SlipError *error) {
  const SlipiPile *pile = &maker->slab.pile;
  int d = pile->d, n = slipi_body_dof(d);
  SlipiRandom random = maker->slab.random;
  int64_t first = before(maker->comm, maker->rank, sorted->count), nb = sorted->count;
  slipi_slab_skip(&random, d * first);
  maker->M = SLIPI_ARENA_NEW(&maker->arena, double, nb *n *n);
  maker->f = SLIPI_ARENA_NEW(&maker->arena, double, nb *n);
  maker->data.own_bodies = (int32_t)nb;
  for (int64_t b = 0; b < nb && !maker->arena.failed; b++) {
    const Place *place = slipi_record(sorted, b);
    SlipiPileBody body;
    slipi_pile_body(d, place->radius, &random, &body);
    for (int k = 0; k < n; k++) {
      maker->M[(b * n + k) * n + k] = k < d ? body.mass : body.inertia;
      maker->f[b * n + k] = k < d ? body.mass * body.velocity[k] : 0;
    }
  }
  return agree_room(maker, !maker->arena.failed, error);
}

static int rank_of(const Maker *maker, int64_t contact) {
  int low = 0, high = maker->ranks; /* the first contact of low is at most it, of high above */
  while (high - low > 1) {
    int middle = (low + high) / 2;
    bool above = slip_mpi_first_contact(maker->slab.links, middle, maker->ranks) > contact;
    low = above ? low : middle;
    high = above ? middle : high;
  }
  return low;
}

static void list_contacts(const Maker *maker, SlipiRecords *out) {
  const SlipiSlab *slab = &maker->slab;
  int64_t count = 0;
  for (int32_t l = 0; l < slab->layers; l++)
    for (int32_t k = 0; k < slab->layer[l].kept; k++) {
      int32_t index = slipi_slab_own(&slab->layer[l], k);
      const SlipiSphere *sphere = &slab->pile.spheres[index];
      for (int32_t j = 0; j < sphere->links; j++, count++) {
        const SlipiPileLink *link = &slab->pile.links[sphere->first + j];
        Sent *sent = slipi_record(out, count);
        *sent = (Sent){.contact = maker->contact[index] + j,
                       .into = maker->number[index],
                       .from = link->sphere < 0 ? -1 : maker->number[link->sphere]};
        slipi_pile_touch(&slab->pile, index, link, &sent->touch);
        out->rank[count] = rank_of(maker, sent->contact);
      }
    }
}

static SlipStatus take_contacts(Maker *maker, const SlipiRecords *in, double mu, SlipError *error) {
  int d = maker->slab.pile.d;
  int64_t size = (int64_t)d * slipi_body_dof(d), nc = in->count;
  int64_t first = slip_mpi_first_contact(maker->slab.links, maker->rank, maker->ranks);
  maker->H = SLIPI_ARENA_NEW(&maker->arena, double, 2 * nc * size);
  maker->mu = SLIPI_ARENA_NEW(&maker->arena, double, nc);
  maker->body = SLIPI_ARENA_NEW(&maker->arena, int64_t, 2 * nc);
  maker->data.own_contacts = (int32_t)nc;
  for (int64_t k = 0; k < nc && !maker->arena.failed; k++) {
    const Sent *sent = slipi_record(in, k);
    SlipiTouch touch = slipi_pile_touch_of(&sent->touch, sent->into, sent->from);
    int64_t at = sent->contact - first;
    maker->body[2 * at] = touch.into;
    maker->body[2 * at + 1] = touch.from;
    maker->mu[at] = mu;
    slipi_bodies_block(d, &touch, true, maker->H + 2 * at * size);
    if (touch.from >= 0)
      slipi_bodies_block(d, &touch, false, maker->H + (2 * at + 1) * size);
  }
  return agree_room(maker, !maker->arena.failed, error);
}

static SlipStatus make_contacts(Maker *maker, double mu, SlipError *error) {
  SlipiRecords out, in = {0};
  bool room = slipi_records_new(&out, maker->slab.pile.link_count, sizeof(Sent));
  SlipStatus status = agree_room(maker, room, error);
  if (status == SLIP_OK) {
    list_contacts(maker, &out);
    slipi_slab_free(&maker->slab);
    status = slipi_mpi_route(maker->comm, &out, &in, error);
  }
  slipi_records_free(&out);
  if (status == SLIP_OK)
    status = take_contacts(maker, &in, mu, error);
  slipi_records_free(&in);
  return status;
}

static SlipStatus make(Maker *maker, const SlipGenerate *options, uint64_t seed, SlipError *error) {
  SlipiRecords sorted = {0};
  SlipStatus status = slipi_slab_fill(maker->comm, options, seed, &maker->slab, error);
  if (status == SLIP_OK)
    status = sort_places(maker, &sorted, error);
  if (status == SLIP_OK)
    status = return_numbers(maker, &sorted, error);
  if (status == SLIP_OK)
    status = make_bodies(maker, &sorted, error);
  slipi_records_free(&sorted);
  if (status == SLIP_OK)
    status = make_contacts(maker, options->mu, error);
  slipi_slab_free(&maker->slab);
  free(maker->number);
  free(maker->contact);
  return status;
}

SlipStatus slip_mpi_problem_pile(MPI_Comm comm, int32_t contacts, int32_t dimension, uint64_t seed,
                                 SlipMpiProblem **problem, SlipError *error) {
  SlipGenerate options = slip_default_generate();
  slipi_error_clear(error);
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null");
  *problem = NULL;
  SlipStatus status = slip_generate_defaults("pile", &options, error);
  if (status == SLIP_OK && (contacts < 1 || (dimension != 2 && dimension != 3)))
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "a pile needs contacts, and 2 or 3 dimensions");
  if (status != SLIP_OK)
    return status;
  options.contacts = contacts;
  options.dimension = dimension;
  Maker maker = {.comm = comm, .data = slip_default_mpi_data(), .laws = slip_default_laws()};
  MPI_Comm_rank(comm, &maker.rank);
  MPI_Comm_size(comm, &maker.ranks);
  status = make(&maker, &options, seed, error);
  maker.laws.mu = maker.mu;
  maker.data.dimension = dimension;
  maker.data.contacts = maker.slab.links;
  maker.data.bodies = maker.slab.spheres;
  maker.data.M = maker.M;
  maker.data.f = maker.f;
  maker.data.body = maker.body;
  maker.data.H = maker.H;
  maker.data.laws = &maker.laws;
  if (status == SLIP_OK)
    status = slip_mpi_problem_create(comm, &maker.data, problem, error);
  slipi_arena_free(&maker.arena);
  return status;
}
