#include "solving.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "physical.h"
#include "reference.h"

static void set_options(SlipSettings *settings, const char *options) {
  SlipError error = {0};
  char copy[256];
  snprintf(copy, sizeof copy, "%s", options);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
    char *value = strchr(word, '=');
    *value++ = '\0';
    if (slip_settings_set(settings, word, value, &error) != SLIP_OK)
      fail_msg("%s", error.text);
  }
}

Solved solve_with(const SlipProblem *problem, const char *method, const char *options,
                  const double *start) {
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error = {0};
  if (slip_settings_create(method, &settings, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  set_options(settings, options);
  if (slip_solver_create(problem, settings, &solver, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  if (start && slip_solver_warm_start(solver, start, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  if (slip_solver_run(solver, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  const SlipResult *result = slip_solver_result(solver);
  size_t m = (size_t)slip_problem_dimension(problem) * (size_t)slip_problem_contacts(problem);
  Solved solved = {.outcome = result->outcome,
                   .error = result->residual,
                   .reference = slip_method_find(method)->associated
                                    ? reference_error_associated(problem, result->r)
                                    : reference_error(problem, result->r),
                   .last = result->trace_count > 0 ? result->trace[result->trace_count - 1].residual
                                                   : result->residual,
                   .iterations = result->iterations,
                   .r = calloc(m + 1, sizeof(double))};
  memcpy(solved.r, result->r, m * sizeof(double));
  snprintf(solved.reason, sizeof solved.reason, "%s", result->reason);
  slip_solver_free(solver);
  slip_settings_free(settings);
  return solved;
}

/* With mu above 10 the library's error is that of a folded mu: the physical checker, with the mu
 * given, judges in place of the reference. */
static int is_rough_solution(const SlipProblem *problem, const double *r, double tol) {
  const SlipLaws *laws = laws_of_problem(problem);
  double most = 0;
  Physical found;
  for (int32_t a = 0; laws->mu && a < slip_problem_contacts(problem); a++)
    most = laws->mu[a] > most ? laws->mu[a] : most;
  if (!(most > 10) || physical_check(problem, r, 0, &found))
    return 0;
  free(found.of_contact);
  return found.total <= 10 * tol; /* what SOLVED promises of the second measure */
}

void expect_solved(const SlipProblem *problem, const char *what, const char *method,
                   const char *options, double tol) {
  Solved solved = solve_with(problem, method, options, NULL);
  if (solved.outcome != SLIP_SOLVED ||
      (!(solved.reference <= tol * (1 + 1e-6)) && !is_rough_solution(problem, solved.r, tol)))
    fail_msg("%s, %s %s: %s after %lld iterations, error %g, reference %g (%s)", what, method,
             options, slip_outcome_name(solved.outcome), (long long)solved.iterations, solved.error,
             solved.reference, solved.reason);
  free(solved.r);
}

int is_about_existence(const char *kind) {
  static const char *const kinds[] = {"painleve", "painleve-up", "crushed",
                                      "walls",    "drum",        "press"};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    if (strcmp(kinds[k], kind) == 0)
      return 1;
  }
  return 0;
}

SlipGenerate generate_defaults(const char *kind) {
  SlipGenerate options = slip_default_generate();
  assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
  return options;
}

SlipProblem *generate_with(const char *kind, const SlipGenerate *options, double **r) {
  SlipProblem *problem;
  SlipError error;
  if (slip_generate(kind, options, &problem, r, &error) != SLIP_OK)
    fail_msg("%s: %s", kind, error.text);
  return problem;
}

SlipProblem *generate_problem(const char *kind, int32_t contacts, int32_t dimension, double **r) {
  SlipGenerate options = generate_defaults(kind);
  options.contacts = contacts;
  options.dimension = dimension;
  return generate_with(kind, &options, r);
}

SlipProblem *problem_with_laws(const SlipProblem *problem, const SlipLaws *laws) {
  SlipLocalData local = slip_default_local_data();
  SlipGlobalData global = slip_default_global_data();
  SlipProblem *made;
  SlipError error;
  SlipStatus status;
  if (slip_problem_form(problem) == SLIP_FORM_LOCAL) {
    assert_int_equal(slip_problem_local_data(problem, &local, NULL), SLIP_OK);
    local.laws = laws;
    status = slip_problem_create_local(&local, &made, &error);
  } else {
    assert_int_equal(slip_problem_global_data(problem, &global, NULL), SLIP_OK);
    global.laws = laws;
    status = slip_problem_create_global(&global, &made, &error);
  }
  if (status != SLIP_OK)
    fail_msg("%s", error.text);
  return made;
}

const SlipLaws *laws_of_problem(const SlipProblem *problem) {
  SlipLocalData local = slip_default_local_data();
  SlipGlobalData global = slip_default_global_data();
  if (slip_problem_form(problem) == SLIP_FORM_LOCAL) {
    assert_int_equal(slip_problem_local_data(problem, &local, NULL), SLIP_OK);
    return local.laws;
  }
  assert_int_equal(slip_problem_global_data(problem, &global, NULL), SLIP_OK);
  return global.laws;
}

SlipProblem *generate_mixed(const char *kind, int32_t contacts, int32_t dimension) {
  SlipProblem *plain = generate_problem(kind, contacts, dimension, NULL);
  int32_t count = slip_problem_contacts(plain), *flow = calloc((size_t)count + 1, sizeof *flow);
  SlipLaws laws = *laws_of_problem(plain);
  assert_non_null(flow);
  for (int32_t a = 1; a < count; a += 2)
    flow[a] = SLIP_FLOW_ASSOCIATED;
  laws.flow = flow;
  SlipProblem *mixed = problem_with_laws(plain, &laws);
  free(flow);
  slip_problem_free(plain);
  return mixed;
}

SlipProblem *generate_small(const char *kind, int32_t contacts_most, int32_t dimension) {
  SlipGenerate options = generate_defaults(kind);
  SlipProblem *problem;
  options.contacts = options.contacts < contacts_most ? options.contacts : contacts_most;
  options.dimension = dimension;
  return slip_generate(kind, &options, &problem, NULL, NULL) == SLIP_OK ? problem : NULL;
}

SlipProblem *generate_unique(int32_t contacts, int32_t dimension, double **r) {
  SlipGenerate options = generate_defaults("random");
  options.contacts = contacts;
  options.dimension = dimension;
  options.mu = 0.2;
  return generate_with("random", &options, r);
}

void each_built_in_problem(int32_t contacts_most,
                           void (*visit)(const SlipProblem *problem, const char *kind)) {
  for (int k = 0; k < slip_generate_count(); k++) {
    const char *kind = slip_generate_info(k)->name;
    for (int32_t d = 2; d <= 3 && !is_about_existence(kind); d++) {
      SlipProblem *problem = generate_small(kind, contacts_most, d);
      if (problem)
        visit(problem, kind);
      slip_problem_free(problem);
    }
  }
}
