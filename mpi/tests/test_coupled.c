/* M that couples degrees of freedom, on many processes: problems of finite elements go through a
 * file, and impulses and velocities are held to the whole problem, independently. */
#include <math.h>
#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slipcone/generate.h>
#include <slipcone/io.h>
#include <slipcone/mpi.h>

#include "reference.h"

typedef struct Case {
  const char *kind;
  int32_t contacts, dimension;
  const char *method; /* NULL: none is named */
  double tol;
  int mixed;            /* laws, with compliance; 2: some pull; 3: the last quarter are joints */
  const char *ksp, *pc; /* of M; NULL: MUMPS */
  int twice;            /* the second run begins anew */
  int given;            /* by a program, not in a file */
} Case;

static int failures;
static int rank;

static void expect(int well, const char *what, const Case *c) {
  int all;
  MPI_Allreduce(&well, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (!all && rank == 0)
    printf("FAILED: %s of %d: %s\n", c->kind, (int)c->contacts, what);
  failures += !all;
}

/* The problem with other laws. */
static SlipProblem *mix(const Case *c, SlipProblem *plain) {
  SlipGlobalData data = slip_default_global_data();
  SlipError error;
  if (!c->mixed)
    return plain;
  slip_problem_global_data(plain, &data, &error);
  static const int32_t kinds[2][4] = {
      {SLIP_COULOMB, SLIP_BILATERAL, SLIP_COULOMB, SLIP_FRICTIONLESS},
      {SLIP_COULOMB, SLIP_COHESIVE, SLIP_COULOMB, SLIP_COHESIVE}};
  int32_t nc = data.contacts, d = data.dimension;
  SlipLaws laws = *data.laws;
  int32_t *kind = calloc((size_t)nc, sizeof *kind);
  double *cohesion = calloc((size_t)nc, sizeof *cohesion);
  double *C = calloc((size_t)(nc * d * d), sizeof *C);
  for (int32_t a = 0; a < nc; a++) {
    kind[a] = c->mixed == 3 ? (4 * a < 3 * nc ? SLIP_COULOMB : SLIP_BILATERAL)
                            : kinds[c->mixed - 1][a % 4];
    cohesion[a] = 1e-3 * (1 + a % 5);
    for (int32_t k = 0; k < d; k++)
      C[(a * d + k) * d + k] = a % 5 == 0 ? 1e-3 : 0;
  }
  laws.kind = kind;
  laws.cohesion = c->mixed == 2 ? cohesion : NULL;
  data.laws = &laws;
  data.compliance = c->mixed == 3 ? NULL : C; /* files have none of equality constraints */
  SlipProblem *mixed = NULL;
  if (slip_problem_create_global(&data, &mixed, &error) != SLIP_OK)
    printf("mixed laws: %s\n", error.text);
  slip_problem_free(plain);
  free(kind);
  free(cohesion);
  free(C);
  return mixed;
}

static SlipProblem *make(const Case *c) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem = NULL;
  SlipError error = {0};
  slip_generate_defaults(c->kind, &options, &error);
  options.contacts = c->contacts;
  options.dimension = c->dimension;
  if (slip_generate(c->kind, &options, &problem, NULL, &error) != SLIP_OK)
    printf("%s: %s\n", c->kind, error.text);
  return mix(c, problem);
}

/* Written by one process, read by all. */
static SlipStatus through_file(SlipProblem *problem, SlipMpiProblem **read, SlipError *error) {
  char path[] = "coupled-XXXXXX";
  if (rank == 0) {
    int file = mkstemp(path);
    if (file >= 0)
      close(file);
  }
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  SlipWrite content = slip_default_write();
  content.problem = problem;
  if (rank == 0 && slip_file_write(path, &content, error) != SLIP_OK)
    printf("%s\n", error->text);
  MPI_Barrier(MPI_COMM_WORLD);
  SlipStatus status = slip_mpi_problem_read(MPI_COMM_WORLD, path, read, error);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    unlink(path);
  return status;
}

typedef struct Triplets {
  int64_t count, *row, *col;
  double *x;
} Triplets;

/* Entries of a matrix by rows with columns from..to-1; of `turns` processes each has those of its
 * turn only, and a half of each: the next one has the other. */
static Triplets pick(const SlipMatrix *matrix, int from, int to, int turns) {
  size_t room = 2 * (size_t)matrix->nnz + 1;
  Triplets t = {0, calloc(room, sizeof *t.row), calloc(room, sizeof *t.col),
                calloc(room, sizeof *t.x)};
  for (int32_t row = 0; row < matrix->rows; row++)
    for (int32_t k = matrix->p[row]; k < matrix->p[row + 1]; k++)
      for (int half = 0; half < (turns > 0 ? 2 : 1); half++) {
        if (matrix->i[k] < from || matrix->i[k] >= to || (turns > 0 && (k + half) % turns != rank))
          continue;
        t.row[t.count] = row;
        t.col[t.count] = matrix->i[k];
        t.x[t.count++] = turns > 0 ? 0.5 * matrix->x[k] : matrix->x[k];
      }
  return t;
}

static void drop(Triplets *t) {
  free(t->row);
  free(t->col);
  free(t->x);
}

/* Given by all, the entries of M scattered; process 0 gives no contact where there are others. */
static SlipStatus through_data(const SlipProblem *problem, SlipMpiProblem **made,
                               SlipError *error) {
  int ranks;
  SlipGlobalData from = slip_default_global_data();
  SlipMpiGlobalData data = slip_default_mpi_global_data();
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  slip_problem_global_data(problem, &from, error);
  int d = from.dimension, shares = ranks > 1 ? ranks - 1 : 1, share = rank - (ranks > 1);
  int first = share < 0 ? 0 : (int)((int64_t)from.contacts * share / shares);
  int end = share < 0 ? 0 : (int)((int64_t)from.contacts * (share + 1) / shares);
  int64_t row = slip_mpi_first_dof(from.M.rows, rank, ranks);
  Triplets M = pick(&from.M, 0, from.M.cols, ranks), H = pick(&from.H, d * first, d * end, 0);
  SlipLaws laws = *from.laws;
  laws.kind = laws.kind ? laws.kind + first : NULL;
  laws.mu = laws.mu ? laws.mu + first : NULL;
  data.dimension = d;
  data.contacts = from.contacts;
  data.dof = from.M.rows;
  data.own_contacts = end - first;
  data.own_dof = (int32_t)(slip_mpi_first_dof(from.M.rows, rank + 1, ranks) - row);
  data.M_count = M.count;
  data.M_row = M.row;
  data.M_col = M.col;
  data.M = M.x;
  data.H_count = H.count;
  data.H_row = H.row;
  data.H_col = H.col;
  data.H = H.x;
  data.f = from.f + row;
  data.w = from.w ? from.w + (ptrdiff_t)d * first : NULL;
  data.laws = &laws;
  data.compliance = from.compliance ? from.compliance + (ptrdiff_t)d * d * first : NULL;
  SlipStatus status = slip_mpi_problem_create_global(MPI_COMM_WORLD, &data, made, error);
  if (status == SLIP_OK) { /* a number that is none of the problem's is refused by all */
    SlipMpiProblem *wrong = NULL;
    SlipError told = {0};
    const Case none = {.kind = "given", .contacts = from.contacts};
    if (rank == ranks - 1)
      M.col[0] = from.M.rows;
    expect(slip_mpi_problem_create_global(MPI_COMM_WORLD, &data, &wrong, &told) ==
                   SLIP_ERROR_PROBLEM &&
               (rank < ranks - 1 || strstr(told.text, "entry 0 of M")),
           "a wrong column was taken", &none);
    slip_mpi_problem_free(wrong);
  }
  drop(&M);
  drop(&H);
  return status;
}

/* What each process has of a vector, one after the other, on every process. */
static double *gather(const double *own, int count, int whole) {
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int *counts = calloc((size_t)ranks, sizeof *counts), *at = calloc((size_t)ranks, sizeof *at);
  double *all = calloc((size_t)whole + 1, sizeof *all);
  MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
  for (int p = 1; p < ranks; p++)
    at[p] = at[p - 1] + counts[p - 1];
  MPI_Allgatherv(own, count, MPI_DOUBLE, all, counts, at, MPI_DOUBLE, MPI_COMM_WORLD);
  free(counts);
  free(at);
  return all;
}

/* |M v - H r - f| beside the largest of its terms; both matrices are given by rows. */
static double balance(const SlipProblem *problem, const double *r, const double *v) {
  SlipGlobalData data = slip_default_global_data();
  double rest = 0, terms = 0;
  slip_problem_global_data(problem, &data, NULL);
  for (int32_t row = 0; row < data.M.rows; row++) {
    double Mv = 0, Hr = 0;
    for (int32_t k = data.M.p[row]; k < data.M.p[row + 1]; k++)
      Mv += data.M.x[k] * v[data.M.i[k]];
    for (int32_t k = data.H.p[row]; k < data.H.p[row + 1]; k++)
      Hr += data.H.x[k] * r[data.H.i[k]];
    rest = fmax(rest, fabs(Mv - Hr - data.f[row]));
    terms = fmax(terms, fmax(fabs(Mv), fmax(fabs(Hr), fabs(data.f[row]))));
  }
  return rest / terms;
}

static void judge(const Case *c, const SlipProblem *problem, const SlipMpiProblem *part,
                  const SlipMpiSolver *solver) {
  const SlipResult *result = slip_mpi_solver_result(solver);
  int dof = (int)slip_mpi_problem_bodies(part), ranks;
  int m = (int)slip_mpi_problem_contacts(part) * c->dimension;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int own = (int)((int64_t)dof * (rank + 1) / ranks - (int64_t)dof * rank / ranks);
  double *v_own = calloc((size_t)own + 1, sizeof *v_own);
  SlipError error = {0};
  expect(slip_mpi_solver_local(solver, NULL, NULL, NULL, v_own, &error) == SLIP_OK, error.text, c);
  double *r = gather(result->r, result->contacts * c->dimension, m), *v = gather(v_own, own, dof);
  double independent = reference_error(problem, r), rest = balance(problem, r, v);
  if (rank == 0)
    printf("%-7s %dD %4d contacts, %5d degrees of freedom, %s%s%s: %s, %lld iterations, error "
           "%.3g, independent %.3g, M v - H r - f %.1e\n",
           c->kind, (int)c->dimension, m / c->dimension, dof, result->method,
           c->ksp ? ", M by " : "", c->ksp ? c->ksp : "", slip_outcome_name(result->outcome),
           (long long)result->iterations, result->residual, independent, rest);
  expect(result->outcome == SLIP_SOLVED, result->reason, c);
  expect(strcmp(result->method, "ipm") == 0, "it is not interior point that ran", c);
  expect(independent <= 1.001 * c->tol + 1e-13, "the independent error is too large", c);
  expect(rest < 1e-12, "v does not belong to r", c);
  free(r);
  free(v);
  free(v_own);
}

static void set_petsc(const Case *c) {
  PetscOptionsClearValue(NULL, "-slipcone_mass_ksp_type");
  PetscOptionsClearValue(NULL, "-slipcone_mass_pc_type");
  if (c->ksp)
    PetscOptionsSetValue(NULL, "-slipcone_mass_ksp_type", c->ksp);
  if (c->pc)
    PetscOptionsSetValue(NULL, "-slipcone_mass_pc_type", c->pc);
}

static void run_case(const Case *c) {
  SlipMpiProblem *part = NULL;
  SlipMpiSolver *solver = NULL;
  SlipSettings *settings = NULL;
  SlipError error = {0};
  SlipProblem *problem = make(c);
  set_petsc(c);
  slip_settings_create(c->method, &settings, &error);
  slip_settings_set_real(settings, "tol", c->tol, &error);
  SlipStatus status =
      c->given ? through_data(problem, &part, &error) : through_file(problem, &part, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_create(part, settings, &solver, &error);
  if (status == SLIP_OK && c->twice)
    status = slip_mpi_solver_run(solver, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_run(solver, &error);
  if (status == SLIP_OK)
    judge(c, problem, part, solver);
  expect(status == SLIP_OK, error.text, c);
  slip_mpi_solver_free(solver);
  slip_mpi_problem_free(part);
  slip_settings_free(settings);
  slip_problem_free(problem);
}

/* Equality constraints of rigid bodies: the impulses of one process to the bit, and a file with the
 * solution that one process reads. */
static void sweep_joints(void) {
  const Case c = {"pile", 400, 3, "nsgs-accelerated", 1e-3, 3, NULL, NULL, 0, 0};
  char path[] = "joints-XXXXXX";
  SlipMpiProblem *part = NULL;
  SlipMpiSolver *solver = NULL;
  SlipSolver *alone = NULL;
  SlipSettings *settings = NULL;
  SlipFile *file = NULL;
  SlipError error = {0};
  SlipProblem *problem = make(&c);
  slip_settings_create(c.method, &settings, &error);
  slip_settings_set_real(settings, "tol", c.tol, &error);
  slip_settings_set(settings, "operator", "velocity", &error);
  expect(slip_solver_create(problem, settings, &alone, &error) == SLIP_OK &&
             slip_solver_run(alone, &error) == SLIP_OK,
         error.text, &c);
  expect(through_file(problem, &part, &error) == SLIP_OK &&
             slip_mpi_solver_create(part, settings, &solver, &error) == SLIP_OK &&
             slip_mpi_solver_run(solver, &error) == SLIP_OK,
         error.text, &c);
  const SlipResult *one = slip_solver_result(alone), *all = slip_mpi_solver_result(solver);
  expect(!slip_mpi_problem_is_coupled(part), "rigid bodies were taken for others", &c);
  expect(all->outcome == SLIP_SOLVED && all->iterations == one->iterations, all->reason, &c);
  expect(all->contacts == 0 || memcmp(all->r, one->r, (size_t)all->contacts * 24) == 0,
         "the impulses have other bits than those of one process", &c);
  SlipWrite content = slip_default_write();
  content.problem = problem;
  if (rank == 0) {
    int made = mkstemp(path);
    if (made >= 0)
      close(made);
    slip_file_write(path, &content, &error);
  }
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  expect(slip_mpi_solver_add(solver, path, &error) == SLIP_OK, error.text, &c);
  expect(slip_file_read(path, SLIP_WANT_GLOBAL, &file, &error) == SLIP_OK, error.text, &c);
  expect(file && file->equalities > 0 && file->solution &&
             memcmp(file->solution->r, one->r, (size_t)one->contacts * 24) == 0,
         "the written impulses are others", &c);
  expect(slip_mpi_solver_warm_start_file(solver, path, &error) == SLIP_OK &&
             slip_mpi_solver_run(solver, &error) == SLIP_OK &&
             slip_mpi_solver_result(solver)->iterations == 0,
         "the written solution is no start that is solved", &c);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    unlink(path);
  expect(slip_mpi_solver_warm_start_file(solver, path, &error) == SLIP_ERROR_FORMAT, error.text,
         &c);
  slip_file_free(file);
  slip_solver_free(alone);
  slip_mpi_solver_free(solver);
  slip_mpi_problem_free(part);
  slip_settings_free(settings);
  slip_problem_free(problem);
}

/* Methods that sweep, counts of their messages, and an M that is not definite. */
static void refuse(void) {
  const Case c = {"elastic", 30, 3, "nsgs", 1e-6, 0, NULL, NULL, 0, 0};
  SlipMpiProblem *part = NULL, *wrong = NULL;
  SlipMpiSolver *solver = NULL;
  SlipMpiTraffic traffic = slip_default_mpi_traffic();
  SlipSettings *settings = NULL;
  SlipError error = {0};
  SlipProblem *problem = make(&c), *indefinite = NULL;
  set_petsc(&c);
  slip_settings_create(c.method, &settings, &error);
  expect(through_file(problem, &part, &error) == SLIP_OK, error.text, &c);
  expect(slip_mpi_problem_is_coupled(part), "it does not know that M couples", &c);
  expect(slip_mpi_solver_create(part, settings, &solver, &error) == SLIP_ERROR_MISMATCH,
         "nsgs was not refused", &c);
  expect(slip_mpi_problem_traffic(part, 2, &traffic, &error) == SLIP_ERROR_MISMATCH,
         "traffic was not refused", &c);
  SlipGlobalData data = slip_default_global_data();
  slip_problem_global_data(problem, &data, &error);
  double *x = calloc((size_t)data.M.nnz, sizeof *x);
  memcpy(x, data.M.x, (size_t)data.M.nnz * sizeof *x);
  for (int32_t row = 0; row < 2; row++) /* the first two, whose coupling exceeds their masses */
    for (int32_t k = data.M.p[row]; k < data.M.p[row + 1]; k++)
      if (data.M.i[k] == 1 - row)
        x[k] = 1e3 * data.M.x[data.M.p[0]];
  data.M.x = x;
  expect(slip_problem_create_global(&data, &indefinite, &error) == SLIP_OK, error.text, &c);
  expect(through_file(indefinite, &wrong, &error) == SLIP_ERROR_PROBLEM &&
             strstr(error.text, "positive definite"),
         error.text, &c);
  free(x);
  slip_mpi_problem_free(part);
  slip_mpi_problem_free(wrong);
  slip_settings_free(settings);
  slip_problem_free(problem);
  slip_problem_free(indefinite);
}

int main(int argc, char **argv) {
  static const Case cases[] = {
      {"elastic", 60, 3, "ipm", 1e-8, 0, NULL, NULL, 0, 0},
      {"elastic", 30, 2, "auto", 1e-8, 0, NULL, NULL, 1, 0},
      {"elastic", 12, 3, "ipm", 1e-8, 0, "cg", "bjacobi", 0, 0},
      {"elastic", 30, 3, "ipm", 1e-8, 1, NULL, NULL, 0, 0},
      {"elastic", 30, 3, "ipm", 1e-8, 2, NULL, NULL, 0, 0},
      {"elastic", 30, 3, "ipm", 1e-8, 3, NULL, NULL, 0, 0},
      {"mixed", 100, 3, "auto", 1e-8, 0, NULL, NULL, 0, 0}, /* rigid bodies on an elastic one */
      {"elastic", 40, 3, "ipm", 1e-8, 1, NULL, NULL, 0, 1},
      {"elastic", 30, 2, "auto", 1e-8, 0, NULL, NULL, 0, 1},
      {"elastic", 4, 2, "ipm", 1e-8, 0, NULL, NULL, 0, 0}, /* fewer contacts than processes */
  };
  PetscInitialize(&argc, &argv, NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    run_case(&cases[k]);
  refuse();
  sweep_joints();
  PetscFinalize();
  return failures > 0;
}
