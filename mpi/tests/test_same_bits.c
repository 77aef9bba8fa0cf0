/* The same bits on any number of processes as on one: every process gives contacts and bodies
 * scattered over the whole problem, and gets what slip_solver_run of the whole problem gets. */
#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipcone/generate.h>
#include <slipcone/mpi.h>

#include "deal.h"

typedef struct Case {
  const char *kind;
  int32_t contacts, dimension;
  double tol;
  const char *method;
  int mixed;    /* laws of several kinds, and compliance */
  int threaded; /* with two threads, too */
} Case;

enum { ROLLING = 4 }; /* in place of a mixture: all contacts resist rolling */

static int failures;

static void expect(int well, const char *what, const char *name) {
  int all;
  MPI_Allreduce(&well, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!all && rank == 0)
    printf("FAILED: %s: %s\n", name, what);
  failures += !all;
}

static SlipSettings *settings_of(const Case *c, const char *threads) {
  SlipSettings *settings = NULL;
  SlipError error;
  if (slip_settings_create(c->method, &settings, &error) != SLIP_OK ||
      slip_settings_set_real(settings, "tol", c->tol, &error) != SLIP_OK ||
      slip_settings_set(settings, "threads", threads, &error) != SLIP_OK ||
      slip_settings_set(settings, "max-iter", getenv("SLIPCONE_FULL") ? "3000" : "90", &error) !=
          SLIP_OK ||
      slip_settings_set(settings, "operator", "velocity", &error) != SLIP_OK)
    printf("settings: %s\n", error.text);
  return settings;
}

/* The pile that processes make together is that of slip_generate. */
static void run_pile(int32_t contacts, int32_t dimension) {
  SlipError error = {0};
  SlipMpiProblem *problem = NULL;
  SlipMpiSolver *together = NULL;
  SlipSolver *alone = NULL;
  const Case c = {"pile", contacts, dimension, 1e-3, "nsgs", 0, 0};
  SlipSettings *settings = settings_of(&c, "1");
  slip_settings_set(settings, "max-iter", "3", &error);
  SlipProblem *bodies = deal_generate("pile", contacts, dimension, 0);
  SlipStatus status = slip_solver_create(bodies, settings, &alone, &error);
  if (status == SLIP_OK)
    status = slip_solver_run(alone, &error);
  if (status == SLIP_OK)
    status = slip_mpi_problem_pile(MPI_COMM_WORLD, contacts, dimension, 1, &problem, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_create(problem, settings, &together, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_run(together, &error);
  expect(status == SLIP_OK, status == SLIP_OK ? "" : error.text, "a pile made together");
  if (status == SLIP_OK) {
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t all = slip_mpi_problem_contacts(problem);
    int64_t first = slip_mpi_first_contact(all, rank, ranks);
    size_t own = (size_t)(slip_mpi_first_contact(all, rank + 1, ranks) - first);
    const double *whole = slip_solver_result(alone)->r, *part = slip_mpi_solver_result(together)->r;
    expect(all == slip_problem_contacts(bodies), "other contacts", "a pile made together");
    expect(own == 0 ||
               !memcmp(part, whole + dimension * first, own * (size_t)dimension * sizeof *whole),
           "other impulses", "a pile made together");
  }
  slip_mpi_solver_free(together);
  slip_mpi_problem_free(problem);
  slip_solver_free(alone);
  slip_problem_free(bodies);
  slip_settings_free(settings);
}

/* Where the whole result and the part of it differ, -1: nowhere. */
static int compare(const Deal *deal, const SlipResult *whole, const double *r, const double *u,
                   const int32_t *status, const double *v) {
  size_t d = (size_t)deal->data.dimension, n = d == 3 ? 6 : 3;
  int same = 1;
  for (int32_t a = 0; a < deal->data.own_contacts; a++) {
    size_t at = (size_t)deal->data.contact_number[a], here = (size_t)a;
    same = same && !memcmp(r + d * here, whole->r + d * at, d * sizeof *r) &&
           !memcmp(u + d * here, whole->u + d * at, d * sizeof *u) &&
           status[a] == whole->status[at];
  }
  for (int32_t b = 0; b < deal->data.own_bodies; b++) {
    size_t at = (size_t)deal->data.body_number[b], here = (size_t)b;
    same = same && !memcmp(v + n * here, whole->v + n * at, n * sizeof *v);
  }
  return same;
}

static void run_distributed(const Case *c, const Deal *deal, const char *threads,
                            const SlipResult *whole) {
  SlipMpiProblem *problem = NULL;
  SlipMpiSolver *solver = NULL;
  SlipError error = {0};
  SlipSettings *settings = settings_of(c, threads);
  char name[100];
  snprintf(name, sizeof name, "%s %d (%s threads)", c->kind, (int)c->contacts, threads);
  SlipStatus status = slip_mpi_problem_create(MPI_COMM_WORLD, &deal->data, &problem, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_create(problem, settings, &solver, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_run(solver, &error);
  expect(status == SLIP_OK, status == SLIP_OK ? "" : error.text, name);
  if (status == SLIP_OK) {
    const SlipResult *result = slip_mpi_solver_result(solver);
    size_t nc = (size_t)deal->data.own_contacts, nb = (size_t)deal->data.own_bodies;
    double *r = malloc(3 * nc * sizeof *r + 1), *u = malloc(3 * nc * sizeof *u + 1);
    double *v = malloc(6 * nb * sizeof *v + 1);
    int32_t *statuses = malloc(nc * sizeof *statuses + 1);
    expect(slip_mpi_solver_local(solver, r, u, statuses, v, &error) == SLIP_OK, "local", name);
    expect(result->outcome == whole->outcome, "another outcome", name);
    expect(result->iterations == whole->iterations, "other iterations", name);
    expect(result->residual == whole->residual, "another error", name);
    expect(result->physical == whole->physical, "another physical error", name);
    expect(result->gap == whole->gap, "another gap", name);
    expect(result->stick == whole->stick && result->slip == whole->slip, "other numbers", name);
    expect(compare(deal, whole, r, u, statuses, v), "other bits", name);
    free(r);
    free(u);
    free(v);
    free(statuses);
  }
  slip_mpi_solver_free(solver);
  slip_mpi_problem_free(problem);
  slip_settings_free(settings);
}

/* The same problem, which is freed, with moments behind each contact from `first` on, which is 0 or
 * 1, that resist rolling and spinning; in 3D. The moments turn bodies about the directions in which
 * the impulses push them. */
static SlipProblem *add_moments(SlipProblem *plain, size_t first) {
  enum { SIDE = 3 * 6 };
  SlipBodiesData data = slip_default_bodies_data();
  SlipProblem *rolling = NULL;
  SlipError error = {0};
  slip_problem_bodies_data(plain, &data, &error);
  SlipLaws laws = *data.laws;
  size_t nc = (size_t)data.contacts;
  double *H = calloc(4 * nc * SIDE, sizeof *H), *w = calloc(6 * nc, sizeof *w);
  double *mu = calloc(2 * nc, sizeof *mu), *spinning = calloc(2 * nc, sizeof *spinning);
  int32_t *body = calloc(4 * nc, sizeof *body), *kind = calloc(2 * nc, sizeof *kind);
  for (size_t a = 0; a < nc; a++) {
    size_t at = a < first ? a : 2 * a - first;
    memcpy(H + 2 * at * SIDE, data.H + 2 * a * SIDE, 2 * SIDE * sizeof *H);
    for (size_t k = 0; k < 3 && data.w; k++)
      w[3 * at + k] = data.w[3 * a + k];
    for (size_t k = 0; k < 4; k++)
      body[2 * at + k] = data.body[2 * a + k % 2];
    mu[at] = laws.mu[a];
    if (a < first)
      continue;
    for (size_t k = 0; k < 2 * SIDE; k++)
      H[(2 * at + 2) * SIDE + k] = k % 6 < 3 ? 0 : data.H[2 * a * SIDE + k - 3];
    mu[at + 1] = 1e-3 * (double)(a % 4);
    spinning[at + 1] = a % 3 == 0 ? 5e-4 : 0;
    kind[at + 1] = SLIP_ROLLING;
  }
  laws = slip_default_laws();
  laws.kind = kind;
  laws.mu = mu;
  laws.spinning = spinning;
  data.contacts = (int32_t)(2 * nc - first);
  data.H = H;
  data.w = w;
  data.body = body;
  data.laws = &laws;
  data.key = NULL;
  data.frame = NULL;
  data.compliance = NULL;
  if (slip_problem_create_bodies(&data, &rolling, &error) != SLIP_OK)
    abort();
  free(H);
  free(w);
  free(mu);
  free(spinning);
  free(body);
  free(kind);
  slip_problem_free(plain);
  return rolling;
}

static void run_case(const Case *c) {
  SlipError error = {0};
  SlipSettings *settings = settings_of(c, "1");
  SlipSolver *solver = NULL;
  bool rolls = c->mixed == ROLLING;
  SlipProblem *bodies = deal_generate(c->kind, c->contacts, c->dimension, rolls ? 0 : c->mixed);
  bodies = rolls ? add_moments(bodies, 0) : bodies;
  Deal deal = deal_scatter(bodies);
  if (slip_solver_create(bodies, settings, &solver, &error) != SLIP_OK ||
      slip_solver_run(solver, &error) != SLIP_OK)
    expect(0, error.text, c->kind);
  const SlipResult *whole = slip_solver_result(solver);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    printf("%-8s %dD %7d contacts: %s, %lld iterations, error %.3g\n", c->kind, (int)c->dimension,
           (int)slip_problem_contacts(bodies), slip_outcome_name(whole->outcome),
           (long long)whole->iterations, whole->residual);
  run_distributed(c, &deal, "1", whole);
  if (c->threaded)
    run_distributed(c, &deal, "2", whole);
  deal_free(&deal);
  slip_solver_free(solver);
  slip_settings_free(settings);
  slip_problem_free(bodies);
}

/* Where the first contact alone has no moments, chunks begin with the moments of the contact before
 * them: several processes refuse that, and those that have such a chunk say why. */
static void run_split(void) {
  SlipError error = {0};
  SlipMpiProblem *problem = NULL;
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  SlipProblem *bodies = add_moments(deal_generate("pile", 6000, 3, 0), 1);
  Deal deal = deal_scatter(bodies);
  SlipStatus status = slip_mpi_problem_create(MPI_COMM_WORLD, &deal.data, &problem, &error);
  expect(status == (ranks == 1 ? SLIP_OK : SLIP_ERROR_PROBLEM), error.text, "split moments");
  int said = strstr(error.text, "would be on another process") != NULL;
  MPI_Allreduce(MPI_IN_PLACE, &said, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  expect(said == (ranks > 1), "the sentence", "split moments");
  slip_mpi_problem_free(problem);
  deal_free(&deal);
  slip_problem_free(bodies);
}

int main(int argc, char **argv) {
  static const Case cases[] = {
      {"pile", 20000, 3, 1e-4, "nsgs-accelerated", 0, 1},
      {"pile", 12000, 3, 1e-3, "nsgs", 0, 0},
      {"wall", 9000, 3, 1e-3, "nsgs-accelerated", 0, 0},
      {"stack", 10000, 3, 1e-4, "nsgs", 0, 0},
      {"slope", 9000, 3, 1e-4, "nsgs-accelerated", 0, 1},
      {"pile", 12000, 2, 1e-3, "nsgs-accelerated", 0, 1},
      {"pile", 10000, 3, 1e-3, "nsgs-accelerated", 1, 0},
      {"pile", 9000, 3, 1e-3, "nsgs-accelerated", 3, 1},
      {"wall", 9000, 2, 1e-3, "nsgs", 3, 0},
      {"press", 10000, 3, 1e-3, "nsgs-accelerated", 0, 0},
      {"drum", 9000, 3, 1e-3, "psor", 0, 0},
      {"pile", 9000, 3, 1e-3, "nsgs-accelerated", ROLLING, 1},
      {"pile", 6000, 3, 1e-3, "nsgs", ROLLING, 0},
      {"pile", 800, 3, 1e-4, "nsgs-accelerated", ROLLING, 0},
      {"wall", 700, 3, 1e-4, "nsgs-accelerated", ROLLING, 0},
      {"pile", 800, 3, 1e-4, "nsgs-accelerated", 0, 0},
      {"pile", 800, 3, 1e-4, "nsgs", 0, 0},
  };
  PetscInitialize(&argc, &argv, NULL, NULL);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    run_case(&cases[k]);
  run_split();
  static const int32_t piles[] = {1, 7, 40, 300, 11000};
  for (size_t k = 0; k < 2 * sizeof piles / sizeof *piles; k++)
    run_pile(piles[k / 2], 2 + (int32_t)k % 2);
  PetscFinalize();
  return failures > 0;
}
