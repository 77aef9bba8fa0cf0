/* The pile of slip_generate in parts. Every process lets the spheres down one after the other,
 * which needs little: centres, radii and who carries whom. Masses and blocks it makes of its own
 * bodies and contacts only. */
#include "gen/bodies.h"

#include <string.h>

#include "mpi/part.h"

typedef struct Taker {
  MPI_Comm comm;
  int rank, ranks, d, n;
  double mu;
  int64_t first_contact, end_contact, first_body, end_body;
  SlipMpiData data;
  SlipLaws laws;
  double *M, *f, *H, *mus;
  int64_t *body;
  SlipiArena arena;
} Taker;

static SlipStatus start(void *user, int32_t bodies, int32_t contacts, SlipError *error) {
  Taker *taker = user;
  int64_t n = taker->n, d = taker->d;
  taker->data.contacts = contacts;
  taker->data.bodies = bodies;
  taker->first_contact = slip_mpi_first_contact(contacts, taker->rank, taker->ranks);
  taker->end_contact = slip_mpi_first_contact(contacts, taker->rank + 1, taker->ranks);
  taker->first_body = (int64_t)bodies * taker->rank / taker->ranks;
  taker->end_body = (int64_t)bodies * (taker->rank + 1) / taker->ranks;
  int64_t nc = taker->end_contact - taker->first_contact;
  int64_t nb = taker->end_body - taker->first_body;
  taker->M = SLIPI_ARENA_NEW(&taker->arena, double, nb *n *n);
  taker->f = SLIPI_ARENA_NEW(&taker->arena, double, nb *n);
  taker->H = SLIPI_ARENA_NEW(&taker->arena, double, 2 * nc * d * n);
  taker->mus = SLIPI_ARENA_NEW(&taker->arena, double, nc);
  taker->body = SLIPI_ARENA_NEW(&taker->arena, int64_t, 2 * nc);
  taker->data.own_contacts = (int32_t)nc;
  taker->data.own_bodies = (int32_t)nb;
  return taker->arena.failed ? slipi_fail_memory(error, "a pile of spheres") : SLIP_OK;
}

static void take_body(void *user, int32_t body, double mass, double inertia,
                      const double *velocity) {
  const Taker *taker = user;
  if (body < taker->first_body || body >= taker->end_body)
    return;
  int n = taker->n;
  double *M = taker->M + (body - taker->first_body) * n * n;
  double *f = taker->f + (body - taker->first_body) * n;
  for (int k = 0; k < n; k++) {
    M[k * n + k] = k < taker->d ? mass : inertia;
    f[k] = k < taker->d ? mass * velocity[k] : 0;
  }
}

static bool wants(void *user, int32_t contact) {
  const Taker *taker = user;
  return contact >= taker->first_contact && contact < taker->end_contact;
}

static void take_touch(void *user, int32_t contact, const SlipiTouch *touch) {
  const Taker *taker = user;
  int64_t at = contact - taker->first_contact, size = (int64_t)taker->d * taker->n;
  taker->body[2 * at] = touch->into;
  taker->body[2 * at + 1] = touch->from;
  slipi_bodies_block(taker->d, touch, true, taker->H + 2 * at * size);
  if (touch->from >= 0)
    slipi_bodies_block(taker->d, touch, false, taker->H + (2 * at + 1) * size);
  taker->mus[at] = taker->mu;
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
  Taker taker = {.comm = comm,
                 .d = dimension,
                 .n = slipi_body_dof(dimension),
                 .mu = options.mu,
                 .data = slip_default_mpi_data(),
                 .laws = slip_default_laws()};
  MPI_Comm_rank(comm, &taker.rank);
  MPI_Comm_size(comm, &taker.ranks);
  SlipiArena arena = {0};
  SlipiRandom random;
  slipi_random_seed(&random, seed);
  const SlipiPileTaker each = {&taker, start, take_body, wants, take_touch};
  status = slipi_mpi_agree(comm, slipi_pile_each(&options, &random, &arena, &each, error), error);
  slipi_arena_free(&arena);
  taker.laws.mu = taker.mus;
  taker.data.dimension = dimension;
  taker.data.M = taker.M;
  taker.data.f = taker.f;
  taker.data.body = taker.body;
  taker.data.H = taker.H;
  taker.data.laws = &taker.laws;
  if (status == SLIP_OK)
    status = slip_mpi_problem_create(comm, &taker.data, problem, error);
  slipi_arena_free(&taker.arena);
  return status;
}
