/* The features of a problem that Table 5 of Acary, Brémond, Huber 2018 lists (section 8.3 there).
 */
#include "contact/operator.h"

#include "base/versioned.h"

#include "linalg/spectrum.h"

/* Up to this order all singular values are computed (a second or two). */
enum { SVD_MOST = 1500 };
/* W is not assembled where it would have more values than this (half a gigabyte), or where M has
 * sparse factors and one solve for each of its columns would take minutes (m*dof). */
static const double ASSEMBLE_MOST = 6e7, SOLVE_MOST = 3e7;
/* Work that the estimates may cost, in multiplications. */
static const double RANK_WORK = 1e10, LSMR_WORK = 2e9;
enum { LSMR_LEAST = 30, LSMR_MOST = 3000 };

static void describe(const SlipProblem *problem, SlipFeatures *features) {
  *features = (SlipFeatures){.form = problem->form,
                             .dimension = problem->d,
                             .contacts = problem->nc,
                             .dof = problem->dof,
                             .mu_min = NAN,
                             .mu_max = NAN,
                             .density = problem->dof > 0 ? problem->m / (double)problem->dof : NAN,
                             .nonzeros = -1,
                             .blocks = -1,
                             .asymmetry = NAN,
                             .norm = NAN,
                             .rank = -1,
                             .rank_ratio = NAN,
                             .condition = NAN,
                             .condition_lsmr = NAN};
  for (int32_t a = 0; a < problem->nc; a++) {
    const SlipiLawType *type = slipi_law_type(&problem->law[a]);
    if (!type->second_order && !(type->reads & SLIPI_READS_MU)) /* it has no coefficient */
      continue;
    if (problem->law[a].kind == SLIPI_ROLLING) /* or a length for one */
      continue;
    double mu = problem->law[a].mu;
    /* fmin and fmax pass over NaN */
    features->mu_min = fmin(features->mu_min, mu);
    features->mu_max = fmax(features->mu_max, mu);
  }
}

/* Entries and blocks of W that are not 0; `seen` has a zeroed mark for each contact. */
static void count_entries(const SlipiCsr *W, int32_t d, int32_t *seen, SlipFeatures *features) {
  features->nonzeros = features->blocks = 0;
  for (int32_t i = 0; i < W->rows; i++)
    for (int32_t k = W->p[i]; k < W->p[i + 1]; k++) {
      if (W->x[k] == 0)
        continue;
      int32_t mark = i / d + 1;
      features->nonzeros++;
      features->blocks += seen[W->i[k] / d] != mark;
      seen[W->i[k] / d] = mark;
    }
}

/* LSMR's estimates; work: multiplications of one application. */
static SlipStatus estimate_condition(int32_t m, double work, SlipiApply apply, void *user,
                                     SlipFeatures *features, SlipError *error) {
  double affordable = LSMR_WORK / fmax(2 * work, 1);
  int iterations = (int)fmin(fmax(affordable, LSMR_LEAST), LSMR_MOST);
  SlipiCondition condition;
  SlipStatus status = slipi_condition_estimate(m, apply, user, iterations, &condition, error);
  features->condition_lsmr = condition.lsmr;
  if (!features->rank_exact)
    features->condition = condition.ritz;
  return status;
}

/* ---- W as a matrix ----------------------------------------------------------------------- */

typedef struct Pair {
  const SlipiCsr *W, *Wt;
} Pair;

static SlipStatus apply_matrix(void *user, bool transposed, const double *x, double *y,
                               SlipError *error) {
  (void)error;
  const Pair *pair = user;
  slipi_csr_multiply(transposed ? pair->Wt : pair->W, x, y);
  return SLIP_OK;
}

static SlipStatus rank_of(const Pair *pair, SlipFeatures *features, SlipError *error) {
  SlipStatus status;
  if (pair->W->rows <= SVD_MOST) {
    SlipiSpectrum spectrum;
    status = slipi_spectrum_dense(pair->W, &spectrum, error);
    features->rank = spectrum.rank;
    features->rank_exact = 1;
    if (spectrum.rank > 0)
      features->condition = spectrum.largest / spectrum.smallest;
  } else {
    status = slipi_rank_estimate(pair->W, pair->Wt, RANK_WORK, &features->rank, error);
    if (features->form != SLIP_FORM_LOCAL && features->rank > features->dof)
      features->rank = features->dof;
  }
  if (features->rank > 0)
    features->rank_ratio = pair->W->rows / (double)features->rank;
  return status;
}

/* Of W with the problem's compliance. */
static SlipStatus matrix_features(const SlipProblem *problem, const SlipiCsr *W, SlipiArena *arena,
                                  SlipFeatures *features, SlipError *error) {
  SlipiCsr Wt, sum;
  SlipStatus status = SLIP_OK;
  if (problem->C) {
    status = slipi_compliance_add(arena, W, problem->C, problem->d, &sum, error);
    W = &sum;
  }
  if (status == SLIP_OK)
    status = slipi_csr_transpose(arena, W, &Wt, error);
  if (status != SLIP_OK)
    return status;
  int32_t *seen = SLIPI_ARENA_NEW(arena, int32_t, features->contacts);
  if (arena->failed)
    return slipi_fail_memory(error, "the features of a problem");
  count_entries(W, features->dimension, seen, features);
  status = slipi_csr_asymmetry(W, NULL, &features->asymmetry, &features->norm, error);
  Pair pair = {W, &Wt};
  if (status == SLIP_OK)
    status = rank_of(&pair, features, error);
  if (status != SLIP_OK)
    return status;
  return estimate_condition(W->rows, W->p[W->rows], apply_matrix, &pair, features, error);
}

/* ---- W too large to form ----------------------------------------------------------------- */

static SlipStatus apply_operator(void *user, bool transposed, const double *x, double *y,
                                 SlipError *error) {
  (void)transposed; /* only asked of a symmetric W */
  SlipiOperator *op = user;
  return slipi_operator_apply(op, x, y, error);
}

static SlipStatus operator_features(const SlipProblem *problem, SlipiMass *mass,
                                    SlipFeatures *features, SlipError *error) {
  double asymmetry, norm;
  SlipStatus status = slipi_csr_asymmetry(&problem->M, NULL, &asymmetry, &norm, error);
  if (status != SLIP_OK)
    return status;
  if (asymmetry > 1e-14 * norm)
    return SLIP_OK; /* W' cannot be applied, so that nothing more is known */
  SlipiOperatorKind kind = mass->blocks ? SLIPI_OPERATOR_VELOCITY : SLIPI_OPERATOR_FACTORED;
  SlipiOperator *op;
  status = slipi_operator_create(problem, mass, kind, 1, &op, error);
  if (status != SLIP_OK)
    return status;
  double work = 2.0 * problem->H.p[problem->dof] + problem->M.p[problem->dof];
  status = estimate_condition(problem->m, work, apply_operator, op, features, error);
  slipi_operator_free(op);
  return status;
}

static SlipStatus global_features(const SlipProblem *problem, SlipiArena *arena,
                                  SlipFeatures *features, SlipError *error) {
  SlipiMass *mass;
  double blocks = 0;
  SlipStatus status = slipi_mass_create(problem, &mass, error);
  if (status != SLIP_OK)
    return status;
  status = slipi_mass_row_blocks(mass, problem, INFINITY, &blocks, error);
  bool large = blocks * problem->m * problem->d > ASSEMBLE_MOST ||
               (!mass->blocks && (double)problem->m * problem->dof > SOLVE_MOST);
  if (status == SLIP_OK && large) {
    status = operator_features(problem, mass, features, error);
  } else if (status == SLIP_OK) {
    SlipiBsr block_W;
    SlipiCsr W;
    status = slipi_mass_reduce(mass, problem, arena, &block_W, error);
    if (status == SLIP_OK)
      status = slipi_bsr_to_csr(arena, &block_W, &W, error);
    if (status == SLIP_OK)
      status = matrix_features(problem, &W, arena, features, error);
  }
  slipi_mass_free(mass);
  return status;
}

SlipStatus slip_problem_features(const SlipProblem *problem, SlipFeatures *features,
                                 SlipError *error) {
  slipi_error_clear(error);
  if (!features)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the place for the features is NULL");
  SlipFeatures found = slip_default_features();
  SlipStatus status = slipi_versioned_check("features", features, error);
  if (status != SLIP_OK)
    return status;
  slipi_versioned_write(&found, features, sizeof found);
  if (!SLIPI_IS_PROBLEM(problem))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the problem is NULL");
  SlipiArena arena = {0};
  SlipProblem view;
  describe(problem, &found);
  status = slipi_problem_as_global(problem, &arena, &view, error);
  if (status == SLIP_OK)
    status = slipi_problem_has_mass(problem)
                 ? global_features(&view, &arena, &found, error)
                 : matrix_features(&view, &view.W, &arena, &found, error);
  slipi_arena_free(&arena);
  if (status == SLIP_OK)
    slipi_versioned_write(&found, features, sizeof found);
  return status;
}
