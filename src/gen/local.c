/* Problems in local form whose spectrum and solution are chosen: W = Q (Lambda + S) Q' with Q
 * orthogonal, r and u by status, q = u - W r.
 *
 * In the sparse kinds Q is a reflection of each of many disjoint triples of contacts followed
 * by one of each of many disjoint pairs, so that a contact touches about ten others, as in a
 * pile of bodies, while every singular value stays known. */
#include "gen/gen.h"

#include <math.h>

enum { TRIPLE = 3, REACH = 2 * TRIPLE, REACH_MAX = 3 * REACH };

/* d*nc eigenvalues in random order: `rank` of them from 1 to 1/condition, geometrically, the
 * others 0. */
static SlipStatus spectrum_make(SlipiDraft *draft, int32_t rank, double condition, double **lambda,
                                SlipError *error) {
  int32_t n = draft->d * draft->nc;
  *lambda = SLIPI_ARENA_NEW(&draft->arena, double, n);
  int32_t *place = SLIPI_ARENA_NEW(&draft->arena, int32_t, n);
  if (draft->arena.failed)
    return slipi_fail_memory(error, "a generated spectrum");
  for (int32_t k = 0; k < n; k++)
    place[k] = k;
  slipi_random_shuffle(draft->random, place, n);
  for (int32_t k = 0; k < rank; k++)
    (*lambda)[place[k]] = rank == 1 ? 1 : pow(condition, -(double)k / (rank - 1));
  return SLIP_OK;
}

/* Which contacts the reflections join, and their mirrors. */
typedef struct Joins {
  int32_t *triple;  /* contacts in shuffled order: triple t is 3t, 3t+1, 3t+2 */
  int32_t *partner; /* of each contact in its pair, itself where it has none */
  double *mirror;   /* 2d values per pair, kept at the smaller contact */
} Joins;

static SlipStatus joins_make(SlipiDraft *draft, Joins *joins, SlipError *error) {
  int32_t nc = draft->nc, d = draft->d;
  joins->triple = SLIPI_ARENA_NEW(&draft->arena, int32_t, nc);
  joins->partner = SLIPI_ARENA_NEW(&draft->arena, int32_t, nc);
  joins->mirror = SLIPI_ARENA_NEW(&draft->arena, double, 2 * (size_t)d * (size_t)nc);
  int32_t *order = SLIPI_ARENA_NEW(&draft->arena, int32_t, nc);
  if (draft->arena.failed)
    return slipi_fail_memory(error, "a generated contact graph");
  for (int32_t a = 0; a < nc; a++)
    joins->triple[a] = order[a] = joins->partner[a] = a;
  slipi_random_shuffle(draft->random, joins->triple, nc);
  slipi_random_shuffle(draft->random, order, nc);
  for (int32_t a = 0; a + 1 < nc; a += 2) {
    joins->partner[order[a]] = order[a + 1];
    joins->partner[order[a + 1]] = order[a];
  }
  for (size_t k = 0; k < 2 * (size_t)d * (size_t)nc; k++)
    joins->mirror[k] = slipi_random_between(draft->random, -1, 1);
  return SLIP_OK;
}

/* The eigenvectors that start in one triple: `columns` vectors on the rows of up to six
 * contacts. */
typedef struct Patch {
  int32_t contact[REACH];
  int contacts, columns;
  double Y[REACH_MAX][3 * TRIPLE];
} Patch;

static int patch_find(Patch *patch, int32_t contact) {
  int k = 0;
  while (k < patch->contacts && patch->contact[k] != contact)
    k++;
  if (k == patch->contacts)
    patch->contact[patch->contacts++] = contact;
  return k;
}

/* Reflect n given rows of Y in the plane with normal v. */
static void patch_reflect(Patch *patch, const int *rows, int n, const double *v) {
  double norm2 = 0;
  for (int i = 0; i < n; i++)
    norm2 += v[i] * v[i];
  for (int k = 0; k < patch->columns; k++) {
    double dot = 0;
    for (int i = 0; i < n; i++)
      dot += v[i] * patch->Y[rows[i]][k];
    for (int i = 0; i < n; i++)
      patch->Y[rows[i]][k] -= 2 * dot / norm2 * v[i];
  }
}

static void patch_make(SlipiDraft *draft, const Joins *joins, int32_t first, Patch *patch) {
  int d = draft->d, rows[REACH_MAX] = {0};
  int own = draft->nc - first < TRIPLE ? (int)(draft->nc - first) : TRIPLE;
  *patch = (Patch){.columns = own * d};
  double v[3 * TRIPLE] = {0};
  for (int k = 0; k < own; k++)
    patch_find(patch, joins->triple[first + k]);
  for (int k = 0; k < patch->columns; k++) {
    patch->Y[k][k] = 1;
    v[k] = slipi_random_between(draft->random, -1, 1);
    rows[k] = k;
  }
  patch_reflect(patch, rows, patch->columns, v);
  for (int k = 0; k < own; k++) {
    int32_t a = patch->contact[k], b = joins->partner[a];
    int known = patch->contacts, other = patch_find(patch, b);
    if (b == a || (other < known && b < a)) /* alone, or both here and already done */
      continue;
    for (int i = 0; i < d; i++) {
      rows[i] = d * (a < b ? k : other) + i;
      rows[d + i] = d * (a < b ? other : k) + i;
    }
    patch_reflect(patch, rows, 2 * d, joins->mirror + 2 * (size_t)d * (size_t)(a < b ? a : b));
  }
}

/* One entry of Y (Lambda + S) Y', where S couples neighbours by skew*sqrt(lambda_k lambda_k+1). */
static double patch_entry(const Patch *patch, const double *lambda, double skew, int i, int j) {
  const double *x = patch->Y[i], *y = patch->Y[j];
  double sum = 0;
  for (int k = 0; k < patch->columns; k++)
    sum += lambda[k] * (x[k] * y[k]);
  for (int k = 0; skew != 0 && k + 1 < patch->columns; k += 2)
    sum += skew * sqrt(lambda[k] * lambda[k + 1]) * (x[k] * y[k + 1] - x[k + 1] * y[k]);
  return sum;
}

static void patch_assemble(SlipiDraft *draft, const Patch *patch, const double *lambda,
                           double skew) {
  int d = draft->d;
  for (int i = 0; i < d * patch->contacts; i++)
    for (int j = 0; j < d * patch->contacts; j++)
      slipi_entries_add(&draft->W, d * patch->contact[i / d] + i % d,
                        d * patch->contact[j / d] + j % d, patch_entry(patch, lambda, skew, i, j));
}

/* W = Q (Lambda + S) Q' of the given rank. */
static SlipStatus sparse_matrix(SlipiDraft *draft, int32_t rank, double condition, double skew,
                                SlipError *error) {
  double *lambda;
  Joins joins;
  SlipStatus status = spectrum_make(draft, rank, condition, &lambda, error);
  if (status == SLIP_OK)
    status = joins_make(draft, &joins, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t first = 0; first < draft->nc; first += TRIPLE) {
    Patch patch;
    patch_make(draft, &joins, first, &patch);
    patch_assemble(draft, &patch, lambda + (size_t)draft->d * (size_t)first, skew);
  }
  return SLIP_OK;
}

/* q = u - W r for chosen r and u. */
static SlipStatus known_sparse(SlipiDraft *draft, SlipError *error) {
  SlipStatus status = slipi_gen_known(draft, draft->q, error);
  if (status != SLIP_OK)
    return status;
  for (int64_t k = 0; k < draft->W.count; k++)
    draft->q[draft->W.row[k]] -= draft->W.x[k] * draft->r[draft->W.col[k]];
  return SLIP_OK;
}

static void local_shape(const SlipGenerate *options, SlipiDraft *draft) {
  draft->form = SLIP_FORM_LOCAL;
  draft->d = options->dimension;
  draft->nc = options->contacts;
}

/* The matrix first: too many contacts are refused before memory is asked for. */
static SlipStatus sparse_start(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  local_shape(options, draft);
  int64_t triples = ((int64_t)draft->nc + TRIPLE - 1) / TRIPLE;
  int64_t room = triples * REACH * REACH * draft->d * draft->d;
  SlipStatus status = slipi_entries_alloc(draft, &draft->W, room, error);
  return status == SLIP_OK ? slipi_draft_vectors(draft, options->mu, error) : status;
}

static SlipStatus sparse_problem(const SlipGenerate *options, double rank_ratio, double skew,
                                 SlipiDraft *draft, SlipError *error) {
  SlipStatus status = sparse_start(options, draft, error);
  if (status != SLIP_OK)
    return status;
  int32_t rank = (int32_t)ceil(draft->d * (double)draft->nc / rank_ratio);
  status = sparse_matrix(draft, rank, options->condition, skew, error);
  return status == SLIP_OK ? known_sparse(draft, error) : status;
}

SlipStatus slipi_gen_random(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  return sparse_problem(options, 1, 0, draft, error);
}

SlipStatus slipi_gen_deficient(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  return sparse_problem(options, 2, 0, draft, error);
}

SlipStatus slipi_gen_unsymmetric(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  return sparse_problem(options, 1, 0.2, draft, error);
}

SlipStatus slipi_gen_frictionless(const SlipGenerate *options, SlipiDraft *draft,
                                  SlipError *error) {
  SlipStatus status = sparse_start(options, draft, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t a = 0; a < draft->nc; a++)
    draft->law[a] = SLIP_FRICTIONLESS;
  status = sparse_matrix(draft, draft->d * draft->nc, options->condition, 0, error);
  return status == SLIP_OK ? known_sparse(draft, error) : status;
}

/* Every fourth contact bilateral: all of its components bound, or rails, sliders, hinges and ball
 * joints in turn. */
static SlipStatus bilateral_problem(const SlipGenerate *options, bool all, SlipiDraft *draft,
                                    SlipError *error) {
  SlipStatus status = sparse_start(options, draft, error);
  if (status != SLIP_OK)
    return status;
  if (!all)
    draft->bound = SLIPI_ARENA_NEW(&draft->arena, int32_t, draft->nc);
  if (draft->arena.failed)
    return slipi_fail_memory(error, "generated joints");
  int32_t subsets = (1 << draft->d) - 1;
  for (int32_t a = 0; a < draft->nc; a += 4) {
    draft->law[a] = SLIP_BILATERAL;
    if (!all)
      draft->bound[a] = 1 + a / 4 % subsets;
  }
  status = sparse_matrix(draft, draft->d * draft->nc, options->condition, 0, error);
  return status == SLIP_OK ? known_sparse(draft, error) : status;
}

SlipStatus slipi_gen_bilateral(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  return bilateral_problem(options, true, draft, error);
}

SlipStatus slipi_gen_joints(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  return bilateral_problem(options, false, draft, error);
}

/* W := (I - 2 v v') W (I - 2 v v') for a random unit v, W symmetric of order n, by
 * W - v z' - z v' with z = 2 (W v - (v'W v) v). */
static void dense_reflect(SlipiRandom *random, int32_t n, double *W, double *v, double *z) {
  double norm2 = 0, dot = 0;
  for (int32_t i = 0; i < n; i++) {
    v[i] = slipi_random_between(random, -1, 1);
    norm2 += v[i] * v[i];
  }
  double norm = sqrt(norm2);
  for (int32_t i = 0; i < n; i++)
    v[i] /= norm;
  for (int32_t i = 0; i < n; i++) {
    z[i] = 0;
    for (int32_t j = 0; j < n; j++)
      z[i] += W[(size_t)i * (size_t)n + (size_t)j] * v[j];
    dot += z[i] * v[i];
  }
  for (int32_t i = 0; i < n; i++)
    z[i] = 2 * (z[i] - dot * v[i]);
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j <= i; j++) {
      double x = W[(size_t)i * (size_t)n + (size_t)j] - (v[i] * z[j] + z[i] * v[j]);
      W[(size_t)i * (size_t)n + (size_t)j] = W[(size_t)j * (size_t)n + (size_t)i] = x;
    }
}

SlipStatus slipi_gen_dense(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  local_shape(options, draft);
  int32_t n = draft->d * draft->nc;
  if ((int64_t)n * n > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "kind dense holds (%d*contacts)^2 values, so that %d contacts are too many",
                      draft->d, draft->nc);
  double *lambda;
  double *v = SLIPI_ARENA_NEW(&draft->arena, double, n);
  double *z = SLIPI_ARENA_NEW(&draft->arena, double, n);
  double *W = draft->dense = SLIPI_ARENA_NEW(&draft->arena, double, (size_t)n *(size_t)n);
  if (draft->arena.failed)
    return slipi_fail_memory(error, "a dense W");
  SlipStatus status = slipi_draft_vectors(draft, options->mu, error);
  if (status == SLIP_OK)
    status = spectrum_make(draft, n, options->condition, &lambda, error);
  if (status != SLIP_OK)
    return status;
  for (size_t k = 0; k < (size_t)n; k++)
    W[k * (size_t)n + k] = lambda[k];
  for (int pass = 0; n > 0 && pass < 3; pass++)
    dense_reflect(draft->random, n, W, v, z);
  status = slipi_gen_known(draft, draft->q, error);
  for (int32_t i = 0; status == SLIP_OK && i < n; i++)
    for (int32_t j = 0; j < n; j++)
      draft->q[i] -= W[(size_t)i * (size_t)n + (size_t)j] * draft->r[j];
  return status;
}

/* The example of Bonnefon, Daviet 2011, section 5; its solution is r = (10.2059, 1.93189, 5.8108).
 */
SlipStatus slipi_gen_one(const SlipGenerate *options, SlipiDraft *draft, SlipError *error) {
  static const double W[9] = {0.01344,   -9.421e-07, 0.001486,  -9.421e-07, 0.1061,
                              0.0001733, 0.001486,   0.0001733, 0.001442};
  static const double q[3] = {-0.1458, -0.2484, -0.1515};
  local_shape(options, draft);
  SlipStatus status = slipi_draft_vectors(draft, options->mu, error);
  if (status != SLIP_OK)
    return status;
  draft->dense = slipi_arena_copy(&draft->arena, W, 9, sizeof *W);
  if (draft->arena.failed)
    return slipi_fail_memory(error, "a generated problem");
  for (int k = 0; k < 3; k++)
    draft->q[k] = q[k];
  return SLIP_OK;
}
