/* libfclib reads what we write, and we read what it writes. Built where libfclib is found; it
 * ends the process on any error, so a failure may show as an exit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fclib.h>

#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "compare.h"
#include "data.h"
#include "equality_case.h"
#include "small_files.h"

#define PATH "test_libfclib.hdf5"

static SlipProblem *make(const char *kind, int32_t dimension) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem = NULL;
  assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
  options.contacts = 7;
  options.dimension = dimension;
  assert_int_equal(slip_generate(kind, &options, &problem, NULL, NULL), SLIP_OK);
  return problem;
}

/* A solution of arbitrary values for the problem. */
typedef struct Vectors {
  double r[64], u[64], v[64];
  SlipSolution solution;
} Vectors;

static void fill(Vectors *vectors, const SlipProblem *problem, double factor) {
  for (int k = 0; k < 64; k++) {
    vectors->r[k] = factor * k;
    vectors->u[k] = factor / (k + 1);
    vectors->v[k] = -factor * k;
  }
  int32_t dof = slip_problem_dof(problem);
  vectors->solution = SOLUTION(.contacts = slip_problem_contacts(problem),
                               .dimension = slip_problem_dimension(problem), .dof = dof,
                               .r = vectors->r, .u = vectors->u, .v = dof > 0 ? vectors->v : NULL);
  assert_true(dof <= 64);
}

static void write_all(const SlipProblem *problem, Vectors *solution, Vectors guesses[2]) {
  fill(solution, problem, 0.1);
  fill(&guesses[0], problem, 0.3);
  fill(&guesses[1], problem, 0.7);
  const SlipSolution *const both[] = {&guesses[0].solution, &guesses[1].solution};
  SlipError error;
  if (slip_file_write(PATH,
                      WRITE(.problem = problem, .title = "our title",
                            .description = "our description", .math_info = "none",
                            .solution = &solution->solution, .guesses = both, .guess_count = 2),
                      &error) != SLIP_OK)
    fail_msg("%s", error.text);
}

/* A triplet matrix of theirs has our rows in i, our columns in p. */
static void assert_matrix(const struct fclib_matrix *theirs, const SlipMatrix *ours) {
  assert_int_equal(theirs->m, ours->rows);
  assert_int_equal(theirs->n, ours->cols);
  assert_int_equal(theirs->nz, ours->nnz);
  assert_int_equal(theirs->nzmax, ours->nnz);
  assert_same_bits(theirs->x, ours->x, (size_t)ours->nnz * sizeof(double));
  for (int32_t row = 0; row < ours->rows; row++)
    for (int32_t k = ours->p[row]; k < ours->p[row + 1]; k++) {
      assert_int_equal(theirs->i[k], row);
      assert_int_equal(theirs->p[k], ours->i[k]);
    }
}

static void assert_solution(const struct fclib_solution *theirs, const SlipSolution *ours) {
  size_t bytes = (size_t)ours->contacts * (size_t)ours->dimension * sizeof(double);
  assert_same_bits(theirs->r, ours->r, bytes);
  assert_same_bits(theirs->u, ours->u, bytes);
  if (ours->v)
    assert_same_bits(theirs->v, ours->v, (size_t)ours->dof * sizeof(double));
}

static void assert_solutions(const Vectors *solution, const Vectors guesses[2]) {
  int count = 0;
  struct fclib_solution *theirs = fclib_read_solution(PATH);
  assert_non_null(theirs);
  assert_solution(theirs, &solution->solution);
  fclib_delete_solutions(theirs, 1);
  theirs = fclib_read_guesses(PATH, &count);
  assert_int_equal(count, 2);
  assert_solution(&theirs[0], &guesses[0].solution);
  assert_solution(&theirs[1], &guesses[1].solution);
  fclib_delete_solutions(theirs, 2);
}

static void test_they_read_local(void **state) {
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    SlipProblem *problem = make("unsymmetric", dimension);
    SlipLocalData data = slip_default_local_data();
    Vectors solution, guesses[2];
    write_all(problem, &solution, guesses);
    assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
    struct fclib_local *theirs = fclib_read_local(PATH);
    assert_non_null(theirs);
    assert_int_equal(theirs->spacedim, dimension);
    assert_matrix(theirs->W, &data.W);
    assert_null(theirs->V);
    assert_same_bits(theirs->q, data.q, (size_t)data.W.rows * sizeof(double));
    assert_same_bits(theirs->mu, data.laws->mu, (size_t)data.contacts * sizeof(double));
    assert_string_equal(theirs->info->title, "our title");
    assert_string_equal(theirs->info->description, "our description");
    assert_string_equal(theirs->info->math_info, "none");
    fclib_delete_local(theirs);
    free(theirs);
    assert_solutions(&solution, guesses);
    slip_problem_free(problem);
  }
}

static void test_they_read_global(void **state) {
  (void)state;
  SlipProblem *problem = make("deficient-global", 3);
  SlipGlobalData data = slip_default_global_data();
  Vectors solution, guesses[2];
  write_all(problem, &solution, guesses);
  assert_int_equal(slip_problem_global_data(problem, &data, NULL), SLIP_OK);
  struct fclib_global *theirs = fclib_read_global(PATH);
  assert_non_null(theirs);
  assert_int_equal(theirs->spacedim, 3);
  assert_matrix(theirs->M, &data.M);
  assert_matrix(theirs->H, &data.H);
  assert_null(theirs->G);
  assert_same_bits(theirs->f, data.f, (size_t)data.M.rows * sizeof(double));
  assert_same_bits(theirs->w, data.w, (size_t)data.H.cols * sizeof(double));
  assert_same_bits(theirs->mu, data.laws->mu, (size_t)data.contacts * sizeof(double));
  fclib_delete_global(theirs);
  free(theirs);
  assert_solutions(&solution, guesses);
  slip_problem_free(problem);
}

/* The law of a contact is beyond FCLIB; its readers must not mind. */
static void test_they_read_laws(void **state) {
  (void)state;
  SlipProblem *problem = make("bilateral", 3);
  assert_int_equal(slip_file_write(PATH, WRITE(.problem = problem), NULL), SLIP_OK);
  struct fclib_local *theirs = fclib_read_local(PATH);
  assert_non_null(theirs);
  assert_int_equal(theirs->spacedim, 3);
  fclib_delete_local(theirs);
  free(theirs);
  slip_problem_free(problem);
}

/* The same unsymmetric matrix in each of their layouts: [2 0 1 0; 0 2 0 0; -1 0 3 0; 0 0 0 2] */
typedef struct Layout {
  int nz, p[6], i[6];
  double x[6];
} Layout;

static Layout layouts[] = {{6, {0, 2, 1, 0, 2, 3}, {0, 0, 1, 2, 2, 3}, {2, 1, 2, -1, 3, 2}},
                           {-1, {0, 2, 3, 5, 6}, {0, 2, 1, 0, 2, 3}, {2, -1, 2, 1, 3, 2}},
                           {-2, {0, 2, 3, 5, 6}, {0, 2, 1, 0, 2, 3}, {2, 1, 2, -1, 3, 2}}};
static double q[] = {-1, 0.25, -2, 0}, mu[] = {0.5, 0.25}, u[] = {1, 2, 3, 4}, r[] = {4, 3, 2, 1};
static double v[] = {9, 8, 7, 6};

static struct fclib_matrix their_matrix(Layout *layout) {
  return (struct fclib_matrix){
      .nzmax = 6, .m = 4, .n = 4, .p = layout->p, .i = layout->i, .x = layout->x, .nz = layout->nz};
}

static SlipMatrix our_matrix(void) {
  return (SlipMatrix){SLIP_TRIPLET, 4, 4, 6, layouts[0].p, layouts[0].i, layouts[0].x};
}

static SlipFile *read_theirs(void) {
  SlipFile *file = NULL;
  SlipError error;
  if (slip_file_read(PATH, SLIP_WANT_ANY, &file, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return file;
}

static void test_we_read_local(void **state) {
  (void)state;
  SlipProblem *problem = NULL;
  SlipLocalData data =
      LOCAL_DATA(.dimension = 2, .contacts = 2, .W = our_matrix(), .q = q, .laws = LAWS(.mu = mu));
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  for (size_t k = 0; k < 3; k++) {
    struct fclib_matrix W = their_matrix(&layouts[k]);
    struct fclib_info info = {"their title", "their description", "spd"};
    struct fclib_local theirs = {.W = &W, .mu = mu, .q = q, .spacedim = 2, .info = &info};
    struct fclib_solution solutions[] = {{.u = u, .r = r}, {.u = r, .r = u}};
    SlipSolution first =
                     SOLUTION(.contacts = 2, .dimension = 2, .dof = 0, .r = r, .u = u, .v = NULL),
                 second =
                     SOLUTION(.contacts = 2, .dimension = 2, .dof = 0, .r = u, .u = r, .v = NULL);
    remove(PATH);
    assert_true(fclib_write_local(&theirs, PATH));
    assert_true(fclib_write_solution(&solutions[0], PATH));
    assert_true(fclib_write_guesses(2, solutions, PATH));
    SlipFile *file = read_theirs();
    assert_same_problem(file->problem, problem);
    assert_string_equal(file->title, "their title");
    assert_string_equal(file->description, "their description");
    assert_string_equal(file->math_info, "spd");
    assert_same_solution(file->solution, &first);
    assert_int_equal(file->guess_count, 2);
    assert_same_solution(file->guesses[0], &first);
    assert_same_solution(file->guesses[1], &second);
    slip_file_free(file);
  }
  slip_problem_free(problem);
}

static void test_we_read_global(void **state) {
  (void)state;
  SlipProblem *problem = NULL;
  SlipGlobalData data = GLOBAL_DATA(.dimension = 2, .contacts = 2, .M = our_matrix(),
                                    .H = our_matrix(), .f = q, .w = u, .laws = LAWS(.mu = mu));
  assert_int_equal(slip_problem_create_global(&data, &problem, NULL), SLIP_OK);
  for (size_t k = 0; k < 3; k++) {
    struct fclib_matrix M = their_matrix(&layouts[k]), H = their_matrix(&layouts[2 - k]);
    struct fclib_global theirs = {.M = &M, .H = &H, .mu = mu, .f = q, .w = u, .spacedim = 2};
    struct fclib_solution solution = {.v = v, .u = u, .r = r};
    SlipSolution ours = SOLUTION(.contacts = 2, .dimension = 2, .dof = 4, .r = r, .u = u, .v = v);
    remove(PATH);
    assert_true(fclib_write_global(&theirs, PATH));
    assert_true(fclib_write_solution(&solution, PATH));
    SlipFile *file = read_theirs();
    assert_same_problem(file->problem, problem);
    assert_null(file->title);
    assert_same_solution(file->solution, &ours);
    slip_file_free(file);
  }
  slip_problem_free(problem);
}

/* ---- Equality constraints ---- */

#define COPY "test_libfclib_copy.hdf5"

static void assert_same_theirs(const struct fclib_matrix *a, const struct fclib_matrix *b) {
  assert_int_equal(!a, !b);
  if (!a)
    return;
  assert_int_equal(a->m, b->m);
  assert_int_equal(a->n, b->n);
  assert_int_equal(a->nz, b->nz);
  assert_same_bits(a->p, b->p, (size_t)a->nz * sizeof *a->p);
  assert_same_bits(a->i, b->i, (size_t)a->nz * sizeof *a->i);
  assert_same_bits(a->x, b->x, (size_t)a->nz * sizeof *a->x);
}

static void assert_same_reals(const double *a, const double *b, int32_t count) {
  assert_same_bits(a, b, (size_t)count * sizeof *a);
}

static void assert_their_solution(const EqualityCase *c, const struct fclib_solution *theirs) {
  assert_same_reals(theirs->r, c->r, c->dimension);
  assert_same_reals(theirs->u, c->u, c->dimension);
  assert_same_reals(theirs->l, c->l, c->count);
}

/* What is at PATH goes through our reader and writer to COPY. */
static void copy_by_us(void) {
  SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
  small_write(COPY, WRITE(.problem = file->problem, .solution = file->solution,
                          .guesses = file->guesses, .guess_count = file->guess_count));
  slip_file_free(file);
}

/* They have written COPY from PATH, and we read the same from both. */
static void assert_same_files(void) {
  SlipFile *a = small_read(PATH, SLIP_WANT_ANY), *b = small_read(COPY, SLIP_WANT_ANY);
  assert_int_equal(a->equalities, b->equalities);
  assert_same_problem(a->problem, b->problem);
  assert_same_solution(a->solution, b->solution);
  assert_int_equal(a->guess_count, b->guess_count);
  assert_same_solution(a->guesses[0], b->guesses[0]);
  slip_file_free(a);
  slip_file_free(b);
}

static void write_their_solutions(struct fclib_solution *solution) {
  assert_true(fclib_write_solution(solution, COPY));
  assert_true(fclib_write_guesses(1, solution, COPY));
}

static void assert_their_solutions(const EqualityCase *c, const char *path) {
  int count = 0;
  struct fclib_solution *solution = fclib_read_solution(path);
  struct fclib_solution *guesses = fclib_read_guesses(path, &count);
  assert_int_equal(count, 1);
  assert_their_solution(c, solution);
  assert_their_solution(c, guesses);
  fclib_delete_solutions(solution, 1);
  fclib_delete_solutions(guesses, 1);
}

static void test_local_equalities(void **state) {
  (void)state;
  for (int k = 0; k < EQUALITY_CASES; k++) {
    const EqualityCase *c = &equality_cases[k];
    equality_write(PATH, c, SLIP_FORM_LOCAL);
    struct fclib_local *theirs = fclib_read_local(PATH);
    struct fclib_solution *solution = fclib_read_solution(PATH);
    remove(COPY);
    assert_true(fclib_write_local(theirs, COPY));
    write_their_solutions(solution);
    assert_same_files();
    copy_by_us();
    struct fclib_local *ours = fclib_read_local(COPY);
    assert_same_theirs(ours->W, theirs->W);
    assert_same_theirs(ours->V, theirs->V);
    assert_same_theirs(ours->R, theirs->R);
    assert_same_reals(ours->q, theirs->q, c->dimension);
    assert_same_reals(ours->s, theirs->s, c->count);
    assert_same_reals(ours->mu, &c->mu, 1);
    assert_their_solutions(c, COPY);
    fclib_delete_solutions(solution, 1);
    fclib_delete_local(theirs);
    fclib_delete_local(ours);
    free(theirs);
    free(ours);
  }
}

static void test_global_equalities(void **state) {
  (void)state;
  for (int k = 0; k < EQUALITY_CASES; k++) {
    const EqualityCase *c = &equality_cases[k];
    equality_write(PATH, c, SLIP_FORM_GLOBAL);
    struct fclib_global *theirs = fclib_read_global(PATH);
    struct fclib_solution *solution = fclib_read_solution(PATH);
    remove(COPY);
    assert_true(fclib_write_global(theirs, COPY));
    write_their_solutions(solution);
    assert_same_files();
    copy_by_us();
    struct fclib_global *ours = fclib_read_global(COPY);
    assert_same_theirs(ours->M, theirs->M);
    assert_same_theirs(ours->H, theirs->H);
    assert_same_theirs(ours->G, theirs->G);
    assert_same_reals(ours->f, theirs->f, c->dof);
    assert_same_reals(ours->w, theirs->w, c->dimension);
    assert_same_reals(ours->b, theirs->b, c->count);
    assert_same_reals(ours->mu, &c->mu, 1);
    assert_their_solutions(c, COPY);
    fclib_delete_solutions(solution, 1);
    fclib_delete_global(theirs);
    fclib_delete_global(ours);
    free(theirs);
    free(ours);
  }
}

/* Nothing but equalities. */
static void test_only_equalities(void **state) {
  (void)state;
  const int32_t law[] = {SLIP_BILATERAL, SLIP_BILATERAL};
  SlipProblem *local = NULL;
  SlipLocalData data = LOCAL_DATA(.dimension = 2, .contacts = 2, .W = our_matrix(), .q = q,
                                  .laws = LAWS(.kind = law));
  assert_int_equal(slip_problem_create_local(&data, &local, NULL), SLIP_OK);
  small_write(PATH, WRITE(.problem = local));
  struct fclib_local *theirs = fclib_read_local(PATH);
  assert_int_equal(theirs->W->m, 0);
  assert_int_equal(theirs->R->m, 4);
  assert_same_reals(theirs->s, q, 4);
  fclib_delete_local(theirs);
  free(theirs);
  slip_problem_free(local);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_they_read_local),   cmocka_unit_test(test_they_read_global),
      cmocka_unit_test(test_they_read_laws),    cmocka_unit_test(test_we_read_local),
      cmocka_unit_test(test_we_read_global),    cmocka_unit_test(test_local_equalities),
      cmocka_unit_test(test_global_equalities), cmocka_unit_test(test_only_equalities),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(PATH);
  remove(COPY);
  return failed;
}
