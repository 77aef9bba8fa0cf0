/* The laws of a run: those of the problem with the mu of an update, relaxed for methods that solve
 * the relaxation, and with the mu of rough contacts folded (contact/law.h). A run begins with the
 * smallest folds. Where it ends with all contacts on their folded laws, but rough ones sliding, it
 * goes on from there with larger folds of those. */
#include "solver/solver.h"

#include <math.h>
#include <string.h>

#include "contact/laws.h"
#include "contact/residual.h"
#include "methods/loop.h"

SlipiLaw slipi_solver_given_law(const SlipSolver *solver, int32_t k) {
  const SlipProblem *problem = solver->problem;
  SlipiLaw law = slipi_laws_with_mu(&problem->laws, &problem->law[k], k, solver->mu[k]);
  if (!slipi_laws_have_lengths(&problem->laws))
    return law;
  return slipi_units_law(law, solver->units.W - solver->units.q);
}

static void fold(SlipSolver *solver) {
  for (int32_t k = 0; k < solver->problem->nc; k++)
    solver->law[k] = slipi_law_folded(solver->law[k], SLIPI_ROUGH);
  solver->raised = false;
  solver->run.laws_changed = true;
}

void slipi_solver_set_laws(SlipSolver *solver) {
  for (int32_t k = 0; k < solver->problem->nc; k++) {
    SlipiLaw law = slipi_solver_given_law(solver, k);
    /* Here methods for the convex relaxation get it, and nowhere else. */
    solver->law[k] = solver->settings.method->info.associated ? slipi_law_relaxed(law) : law;
    if (solver->settings.method->info.associated && law.mu > 0)
      solver->law[k].mu =
          solver->mu[k]; /* also of a rough contact, which may slip in the relaxation */
  }
  fold(solver);
}

void slipi_solver_set_first_laws(SlipSolver *solver) {
  const SlipProblem *problem = solver->problem;
  bool other_lengths =
      slipi_laws_have_lengths(&problem->laws) && solver->units.W != solver->units.q;
  if (solver->settings.method->info.associated || other_lengths) {
    slipi_solver_set_laws(solver);
    return;
  }
  if (problem->nc > 0)
    memcpy(solver->law, problem->law, (size_t)problem->nc * sizeof *solver->law);
  fold(solver);
}

/* ---- Larger folds ---- */

/* A folded contact whose impulse is this near the edge of its cone counts as sliding. */
static const double NEAR_EDGE = 0.5;

static bool is_folded(const SlipSolver *solver, int32_t k) {
  const SlipiLaw *law = &solver->law[k];
  return law->mu >= SLIPI_FOLD_LEAST && law->mu < fmin(solver->mu[k], SLIPI_FOLD_LAST) &&
         slipi_law_is_coulomb(law);
}

static bool slides(const SlipSolver *solver, int32_t k, const double *r) {
  double p[3];
  slipi_load(r, solver->run.d, k, p);
  return slipi_tangent_norm(p) > NEAR_EDGE * solver->law[k].mu * p[0];
}

SlipStatus slipi_solver_is_outgrown(SlipSolver *solver, const double *r, const double *u,
                                    bool *outgrown, SlipError *error) {
  double measure = INFINITY;
  int32_t k = 0, nc = solver->problem->nc;
  while (k < nc && !(is_folded(solver, k) && slides(solver, k, r)))
    k++;
  SlipStatus status = SLIP_OK;
  if (slipi_share_any(solver->share, k < nc))
    status = slipi_solver_measure(solver, r, u, NULL, &measure, error);
  *outgrown = measure <= SLIPI_CONFIRMED * solver->run.tol;
  return status;
}

void slipi_solver_raise_folds(SlipSolver *solver, const double *r) {
  for (int32_t k = 0; k < solver->problem->nc; k++) {
    if (!is_folded(solver, k) || !slides(solver, k, r))
      continue;
    double most = solver->law[k].mu * SLIPI_FOLD_FACTOR;
    solver->law[k] = slipi_law_folded(slipi_solver_given_law(solver, k), most);
  }
  solver->raised = solver->run.laws_changed = true;
}

void slipi_solver_fold_most(SlipSolver *solver) {
  for (int32_t k = 0; k < solver->problem->nc; k++) {
    if (is_folded(solver, k))
      solver->law[k] = slipi_law_folded(solver->law[k], SLIPI_FOLD_LEAST);
  }
  solver->raised = solver->run.laws_changed = true;
}

bool slipi_solver_is_folded(const SlipSolver *solver) {
  int32_t k = 0;
  while (k < solver->problem->nc && !is_folded(solver, k))
    k++;
  return k < solver->problem->nc;
}

void slipi_solver_choose_folds(SlipSolver *solver, const double *r) {
  for (int32_t k = 0; k < solver->problem->nc; k++) {
    SlipiLaw given = slipi_solver_given_law(solver, k);
    double p[3], most = SLIPI_FOLD_LEAST;
    if (given.mu <= SLIPI_ROUGH || !slipi_law_is_coulomb(&given))
      continue;
    slipi_load(r, solver->run.d, k, p);
    while (most < SLIPI_FOLD_LAST && slipi_tangent_norm(p) > NEAR_EDGE * most * p[0])
      most *= SLIPI_FOLD_FACTOR;
    solver->law[k] = slipi_law_folded(given, most);
  }
  solver->raised = solver->run.laws_changed = true;
}

void slipi_solver_reset_folds(SlipSolver *solver) {
  if (solver->raised)
    slipi_solver_set_laws(solver);
}
