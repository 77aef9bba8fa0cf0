#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "path_case.h"

void open_case(Case *c, SlipProblem *problem) {
  *c = (Case){.problem = problem};
  assert_int_equal(slipi_operator_create(problem, NULL, SLIPI_OPERATOR_BLOCK, 1, &c->op, NULL),
                   SLIP_OK);
  c->run = (SlipiRun){.d = problem->d,
                      .nc = problem->nc,
                      .m = problem->m,
                      .op = c->op,
                      .law = problem->law,
                      .q = problem->q};
}

void close_case(Case *c) {
  slipi_operator_free(c->op);
  slipi_arena_free(&c->arena);
  slip_problem_free(c->problem);
}
