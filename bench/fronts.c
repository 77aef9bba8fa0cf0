/* Factorisations and solutions of contact systems (contact/system.h) by threads: how much faster
 * two are than one, and whether they give the same bits.
 *
 *     bench_fronts [--threads N] [--repeat N] [KIND CONTACTS]...
 *
 * Numbers of threads take turns and the least time of each counts: beside other programs a single
 * one says little. */
#include <math.h>
#include <stdbool.h>

#include <slipcone/generate.h>

#include "base/clock.h"
#include "contact/system.h"
#include "measured.h"

/* A problem's system, worked on by some threads. */
typedef struct Case {
  SlipiMass *mass;
  SlipiOperator *op;
  SlipiScaled *scaled;
  SlipiSystem *system;
  SlipiArena arena;
  double *B, *b, *x;
  int sign;
  double factor, solve; /* seconds, the least */
} Case;

static void set_up(Case *c, const SlipProblem *problem, int threads) {
  SlipError error = {0};
  SlipiOperatorKind kind;
  if (problem->form == SLIP_FORM_GLOBAL)
    must(slipi_mass_create(problem, &c->mass, &error), &error);
  must(slipi_operator_choose(problem, c->mass, false, &kind, &error), &error);
  must(slipi_operator_create(problem, c->mass, kind, threads, &c->op, &error), &error);
  must(slipi_scaled_create(c->op, true, &c->arena, &c->scaled, &error), &error);
  must(slipi_system_of(c->op, &c->system, &error), &error);
  c->B = SLIPI_ARENA_NEW(&c->arena, double, 9 * (int64_t)problem->nc);
  c->b = SLIPI_ARENA_NEW(&c->arena, double, c->scaled->m);
  c->x = SLIPI_ARENA_NEW(&c->arena, double, c->scaled->m);
  if (c->arena.failed)
    exit(2);
  for (int32_t k = 0; k < c->scaled->m; k++) {
    c->B[3 * (int64_t)k + k % 3] = 0.01 + 0.005 * sin(k);
    c->b[k] = cos(k);
  }
  must(slipi_scaled_set(c->scaled, problem->law, c->b, true, &error), &error);
  c->factor = c->solve = INFINITY;
}

static void measure(Case *c) {
  SlipError error = {0};
  double start = slipi_clock_seconds();
  must(slipi_system_factor(c->system, c->scaled, NULL, c->B, &c->sign, &error), &error);
  double factored = slipi_clock_seconds();
  must(slipi_system_solve_once(c->system, c->b, c->x, &error), &error);
  c->solve = fmin(c->solve, slipi_clock_seconds() - factored);
  c->factor = fmin(c->factor, factored - start);
}

static void tear_down(Case *c) {
  slipi_operator_free(c->op);
  slipi_mass_free(c->mass);
  slipi_arena_free(&c->arena);
}

static void show(const char *kind, int contacts, int threads, int repeat) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem = NULL;
  SlipError error = {0};
  Case one = {0}, many = {0};
  must(slip_generate_defaults(kind, &options, &error), &error);
  options.contacts = contacts;
  must(slip_generate(kind, &options, &problem, NULL, &error), &error);
  set_up(&one, problem, 1);
  set_up(&many, problem, threads);
  for (int k = 0; k < repeat; k++) {
    measure(&one);
    measure(&many);
  }
  bool same =
      one.sign == many.sign && memcmp(one.x, many.x, (size_t)one.scaled->m * sizeof *one.x) == 0;
  printf("%s of %d contacts, work %.3g: factorisation %.2f ms with 1 thread, %.2f with %d: %.2f "
         "times faster; solution %.2f and %.2f: %.2f times; %s bits\n",
         kind, contacts, slipi_system_work(one.system), 1e3 * one.factor, 1e3 * many.factor,
         threads, one.factor / many.factor, 1e3 * one.solve, 1e3 * many.solve,
         one.solve / many.solve, same ? "the same" : "different");
  tear_down(&one);
  tear_down(&many);
  slip_problem_free(problem);
}

int main(int count, char **words) {
  int threads = 2, repeat = 20, shown = 0;
  one_blas_thread();
  for (int k = 1; k + 1 < count; k += 2) {
    int value = atoi(words[k + 1]);
    if (strcmp(words[k], "--threads") == 0)
      threads = value;
    else if (strcmp(words[k], "--repeat") == 0)
      repeat = value;
    else
      show(words[k], value, threads, repeat);
    shown += words[k][0] != '-';
  }
  if (shown == 0) {
    show("wall", 20000, threads, repeat);
    show("pile", 10000, threads, repeat);
  }
  return 0;
}
