/* Problems that a method cannot treat, told at once and with the methods that can. Both come from
 * the descriptors in the table of methods: no list of names is kept. */
#include "solver/solver.h"

#include <string.h>

enum { NAMES = 320 };

/* The first method of each family that can treat the laws and size of the problem, of those that
 * solve the same one (relaxed, or not), without the given needs: "a, b or c". */
static void name_others(const SlipSolver *solver, unsigned without, char names[NAMES]) {
  const SlipProblem *problem = solver->problem;
  const SlipiMethod *refused = solver->settings.method, *method, *found = NULL, *kept = NULL;
  SlipiLawSet laws = slipi_law_set(solver->law, problem->nc);
  SlipiPhrase text = {.at = names, .size = NAMES};
  double options[SLIPI_OPTIONS_MAX];
  const char *family = "", *comma = "";
  names[0] = '\0';
  for (int k = 0; (method = slipi_method_at(k)); k++) {
    slipi_method_defaults(method, options);
    if (!strcmp(method->info.family, family) || method == refused ||
        method->info.associated != refused->info.associated ||
        slipi_method_needs(method, options) & without ||
        !slipi_method_treats(method, options, problem->d, problem->nc, laws))
      continue;
    family = method->info.family;
    kept = found; /* one behind, for the word before the last */
    found = method;
    if (kept) {
      slipi_phrase_add(&text, comma);
      slipi_phrase_add(&text, kept->info.name);
      comma = ", ";
    }
  }
  if (found) {
    slipi_phrase_add(&text, kept ? " or " : "");
    slipi_phrase_add(&text, found->info.name);
  }
}

/* The first contact with a law the method does not treat, or -1. */
static int32_t find_law(const SlipSolver *solver) {
  SlipiLawSet treated = slipi_method_laws(solver->settings.method, solver->settings.own);
  for (int32_t a = 0; a < solver->problem->nc; a++) {
    if (slipi_law_set(&solver->law[a], 1) & ~treated)
      return a;
  }
  return -1;
}

SlipStatus slipi_solver_check_method(const SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  const SlipiMethod *method = solver->settings.method;
  const char *name = method->info.name;
  SlipiLawSet laws = slipi_law_set(solver->law, problem->nc);
  char others[NAMES];
  if (slipi_method_treats(method, solver->settings.own, problem->d, problem->nc, laws))
    return SLIP_OK;
  name_others(solver, 0, others);
  int32_t contact = find_law(solver);
  if (contact >= 0) {
    const SlipiLaw *law = &solver->law[contact];
    bool relaxed = slipi_law_set(law, 1) != SLIPI_LAWS_NOT_RELAXED(law->kind);
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "method %s cannot treat contact %d, whose law is %s%s; use %s", name,
                      (int)contact, slipi_law_type(law)->name,
                      relaxed ? " with the associated flow" : "", others);
  }
  if (method->contacts_most > 0 && problem->nc > method->contacts_most)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "method %s is for at most %d contacts, and the problem has %d; use %s", name,
                      (int)method->contacts_most, (int)problem->nc, others);
  return slipi_fail(error, SLIP_ERROR_MISMATCH,
                    "method %s cannot treat problems in %s dimensions; use %s", name,
                    problem->d == 2 ? "two" : "three", others);
}

SlipStatus slipi_solver_refuse_asymmetry(const SlipSolver *solver, const char *matrix, double share,
                                         SlipError *error) {
  char others[NAMES];
  name_others(solver, SLIPI_NEED_SYMMETRIC, others);
  return slipi_fail(error, SLIP_ERROR_MISMATCH,
                    "method %s needs a symmetric W, but |%s - %s'| is %.3g times |%s|; use %s",
                    solver->settings.method->info.name, matrix, matrix, share, matrix, others);
}
