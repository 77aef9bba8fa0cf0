/* Problems dealt to processes: every process makes the whole and gives a scattered part of it. */
#ifndef TEST_MPI_DEAL_H
#define TEST_MPI_DEAL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <slipcone/generate.h>
#include <slipcone/mpi.h>

#include "contact/bodies.h"
#include "contact/laws.h"

typedef struct Deal {
  SlipMpiData data;
  SlipLaws laws;
} Deal;

/* A built-in problem as one of bodies; with `mixed` its contacts have several laws, with 2 those
 * that interior point knows, with 3 some of them pull. */
static SlipProblem *deal_generate(const char *kind, int32_t contacts, int32_t dimension,
                                  int mixed) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *global = NULL, *bodies = NULL;
  SlipError error = {0};
  slip_generate_defaults(kind, &options, &error);
  options.contacts = contacts;
  options.dimension = dimension;
  if (slip_generate(kind, &options, &global, NULL, &error) != SLIP_OK)
    abort();
  SlipGlobalData from = slip_default_global_data();
  slip_problem_global_data(global, &from, &error);
  int32_t nc = from.contacts, d = from.dimension, n = d == 3 ? 6 : 3, nb = from.M.rows / n;
  SlipBodiesData data = slip_default_bodies_data();
  SlipLaws laws = *from.laws;
  double *M = calloc((size_t)nb * (size_t)(n * n), sizeof *M);
  double *H = calloc((size_t)nc * (size_t)(2 * d * n), sizeof *H);
  double *radius = calloc((size_t)nc + 1, sizeof *radius);
  double *cohesion = calloc((size_t)nc + 1, sizeof *cohesion);
  double *C = calloc((size_t)nc * (size_t)(d * d) + 1, sizeof *C);
  int32_t *body = calloc(2 * (size_t)nc, sizeof *body), *law = calloc((size_t)nc, sizeof *law);
  for (int32_t row = 0; row < from.M.rows; row++)
    for (int32_t k = from.M.p[row]; k < from.M.p[row + 1]; k++)
      M[row / n * n * n + row % n * n + from.M.i[k] % n] = from.M.x[k];
  for (int32_t a = 0; a < nc; a++) {
    int32_t pair[2] = {-1, -1}, count = slipi_problem_contact_bodies(global, a, pair);
    double block[3 * 12];
    slipi_problem_contact_block(global, a, count, pair, block);
    for (int32_t side = 0; side < 2; side++) {
      body[2 * a + side] = side < count ? pair[side] : -1;
      for (int32_t k = 0; k < d * n && side < count; k++)
        H[((size_t)(2 * a + side)) * (size_t)(d * n) + (size_t)k] =
            block[k / n * 2 * n + side * n + k % n];
    }
    static const int32_t kinds[3][4] = {
        {SLIP_COULOMB, SLIP_FRICTIONLESS, SLIP_TRESCA, SLIP_COULOMB},
        {SLIP_COULOMB, SLIP_FRICTIONLESS, SLIP_COULOMB, SLIP_BILATERAL},
        {SLIP_COULOMB, SLIP_COHESIVE, SLIP_TRESCA, SLIP_BILATERAL}};
    law[a] = kinds[mixed > 0 ? mixed - 1 : 0][a / 3 % 4];
    radius[a] = 1e-4;
    cohesion[a] = 1e-3 * (1 + a % 7);
    for (int32_t k = 0; k < d; k++)
      C[(a * d + k) * d + k] = a % 5 == 0 ? 1e-3 : 0;
  }
  if (mixed) {
    laws.kind = law;
    laws.radius = radius;
    laws.cohesion = mixed == 3 ? cohesion : NULL;
    data.compliance = C;
  }
  data.dimension = d;
  data.bodies = nb;
  data.contacts = nc;
  data.M = M;
  data.H = H;
  data.body = body;
  data.f = from.f;
  data.w = from.w;
  data.laws = &laws;
  if (slip_problem_create_bodies(&data, &bodies, &error) != SLIP_OK)
    abort();
  slip_problem_free(global);
  free(M);
  free(H);
  free(radius);
  free(cohesion);
  free(C);
  free(body);
  free(law);
  return bodies;
}

static void *deal_pick(const void *from, size_t bytes, int32_t count, const int64_t *number) {
  char *to = from ? malloc((size_t)count * bytes + 1) : NULL;
  for (int32_t k = 0; to && k < count; k++)
    memcpy(to + (size_t)k * bytes, (const char *)from + (size_t)number[k] * bytes, bytes);
  return to;
}

/* Which process gives contact or body k: runs of 37 by turns, within them backwards. */
static int64_t *deal_numbers(int32_t total, int rank, int ranks, int32_t *count) {
  int64_t *number = malloc(((size_t)total + 1) * sizeof *number);
  *count = 0;
  for (int32_t k = total - 1; k >= 0; k--)
    if (k / 37 % ranks == rank)
      number[(*count)++] = k;
  return number;
}

static Deal deal_scatter(const SlipProblem *bodies) {
  SlipBodiesData from = slip_default_bodies_data();
  SlipError error;
  int rank, ranks;
  Deal deal = {.data = slip_default_mpi_data(), .laws = slip_default_laws()};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  slip_problem_bodies_data(bodies, &from, &error);
  size_t d = (size_t)from.dimension, n = d == 3 ? 6 : 3, real = sizeof(double);
  SlipMpiData *data = &deal.data;
  data->dimension = from.dimension;
  data->contacts = from.contacts;
  data->bodies = from.bodies;
  int32_t nc, nb;
  int64_t *contact = deal_numbers(from.contacts, rank, ranks, &nc);
  int64_t *body = deal_numbers(from.bodies, rank, ranks, &nb);
  int64_t *touched = malloc(2 * (size_t)nc * sizeof *touched + 1);
  for (int32_t a = 0; a < 2 * nc; a++)
    touched[a] = from.body[2 * contact[a / 2] + a % 2];
  data->own_contacts = nc;
  data->own_bodies = nb;
  data->contact_number = contact;
  data->body_number = body;
  data->body = touched;
  data->M = deal_pick(from.M, n * n * real, nb, body);
  data->f = deal_pick(from.f, n * real, nb, body);
  data->H = deal_pick(from.H, 2 * d * n * real, nc, contact);
  data->w = deal_pick(from.w, d * real, nc, contact);
  data->compliance = deal_pick(from.compliance, d * d * real, nc, contact);
  data->key = deal_pick(from.key, sizeof *from.key, nc, contact);
  data->frame = deal_pick(from.frame, d * d * real, nc, contact);
  deal.laws.kind = deal_pick(from.laws->kind, sizeof(int32_t), nc, contact);
  for (int k = 0; k < SLIPI_LAW_PARAMETERS; k++) {
    const SlipiLawParameter *parameter = &slipi_law_parameters[k];
    slipi_laws_set_array(&deal.laws, parameter,
                         deal_pick(slipi_laws_array(from.laws, parameter),
                                   parameter->real ? real : sizeof(int32_t), nc, contact));
  }
  static SlipLaws kept; /* the data point to it */
  kept = deal.laws;
  data->laws = &kept;
  return deal;
}

static void deal_free(Deal *deal) {
  free((void *)(uintptr_t)deal->data.contact_number);
  free((void *)(uintptr_t)deal->data.body_number);
  free((void *)(uintptr_t)deal->data.body);
  free((void *)(uintptr_t)deal->data.M);
  free((void *)(uintptr_t)deal->data.f);
  free((void *)(uintptr_t)deal->data.H);
  free((void *)(uintptr_t)deal->data.w);
  free((void *)(uintptr_t)deal->data.compliance);
  free((void *)(uintptr_t)deal->data.key);
  free((void *)(uintptr_t)deal->data.frame);
  free((void *)(uintptr_t)deal->laws.kind);
  for (int k = 0; k < SLIPI_LAW_PARAMETERS; k++)
    free((void *)(uintptr_t)slipi_laws_array(&deal->laws, &slipi_law_parameters[k]));
}

#endif
