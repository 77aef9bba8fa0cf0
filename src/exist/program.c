/* A primal-dual interior-point method with the scaling of Nesterov and Todd and Mehrotra's
 * corrector. The primal point is feasible from the start (s can be as low as one likes); the
 * residual of H y = 0 shrinks in step with the barrier's parameter, which keeps x bounded where
 * the dual has no interior. */
#include "exist/program.h"

#include <string.h>

#include "linalg/vector.h"

#define GAP 1e-10        /* of s, in units of w */
#define INFEASIBLE 1e-11 /* of H y, with sum y_N + t = 1 */
#define BALANCED 1e-8    /* of H y, for the dual point to bound s */
#define NEARLY 1e-8      /* of s, where there is no more progress */
#define ROUNDING 1e-14   /* of H' x, as a share of x */
/* Where contacts are far from touching, almost nothing holds x: this does, or rounding errors
 * would throw it far out. It leaves H y = 0 wrong by so much times the step. */
#define PROXIMAL 1e-11
#define STEP_SHARE 0.99
#define LATE 1e6 /* merit from which on steps should gain */
#define STEP_LEAST 1e-7
#define CORRECT_FROM 0.1       /* shorter predictors say nothing of the second order */
#define BILATERAL_WEIGHT 1e4   /* in the place of R: H' x + w = 0 by multipliers and penalty */
#define SECONDS_PER_FLOP 5e-10 /* a cautious guess, to keep within time limits */

#define POLISH_GAIN 0.5 /* a round of the polish must reduce |H y| to this share */

enum { ITERATIONS_MAX = 100, ITERATIONS_USUAL = 25, POLISH_MAX = 6, IDLE_MAX = 3 };

static double *at3(double *x, int32_t c) {
  return x + 3 * (int64_t)c;
}

/* The normal equations of `ready`, without the degrees of freedom that depend on others. */
static SlipStatus prepare(SlipiArena *arena, const SlipiKinematics *ready, SlipiProgram *program,
                          SlipError *error) {
  const SlipiAffine *data = ready->data;
  program->kin = SLIPI_ARENA_NEW(arena, SlipiKinematics, 1);
  bool *drop = SLIPI_ARENA_NEW(arena, bool, data->n), *mark = SLIPI_ARENA_NEW(arena, bool, data->n);
  if (arena->failed)
    return slipi_fail_memory(error, "an existence check");
  int32_t count = 0;
  *program->kin = *ready;
  SlipStatus status = slipi_normal_create(arena, program->kin, &program->normal, error);
  if (status == SLIP_OK)
    status = slipi_normal_dependent(&program->normal, mark, &count, error);
  if (status != SLIP_OK || count == 0)
    return status;
  for (int32_t j = 0; j < program->kin->n; j++)
    drop[program->kin->dof[j]] = mark[j];
  slipi_normal_free(&program->normal);
  status = slipi_kinematics_create(arena, data, ready->frictionless, drop, program->kin, error);
  return status == SLIP_OK ? slipi_normal_create(arena, program->kin, &program->normal, error)
                           : status;
}

SlipStatus slipi_program_create(SlipiArena *arena, const SlipiKinematics *ready,
                                SlipiProgram *program, SlipError *error) {
  *program = (SlipiProgram){0};
  SlipStatus status = prepare(arena, ready, program, error);
  if (status != SLIP_OK)
    return status;
  const SlipiKinematics *kin = program->kin;
  int64_t n = kin->n, m = 3 * (int64_t)kin->nc;
  double **of_n[] = {&program->x, &program->dx, &program->Hy, &program->b};
  double **of_m[] = {&program->y, &program->z, &program->dz, &program->dy, &program->p};
  for (size_t k = 0; k < sizeof of_n / sizeof of_n[0]; k++)
    *of_n[k] = SLIPI_ARENA_NEW(arena, double, n);
  for (size_t k = 0; k < sizeof of_m / sizeof of_m[0]; k++)
    *of_m[k] = SLIPI_ARENA_NEW(arena, double, m);
  program->scaling = SLIPI_ARENA_NEW(arena, SlipiSocScaling, kin->nc);
  program->kept = SLIPI_ARENA_NEW(arena, double, 2 * m + 2);
  program->best = SLIPI_ARENA_NEW(arena, double, n);
  if (arena->failed)
    return slipi_fail_memory(error, "an existence check");
  for (int32_t c = 0; c < kin->nc; c++)
    program->bilateral += kin->bilateral[c];
  return SLIP_OK;
}

void slipi_program_free(SlipiProgram *program) {
  slipi_normal_free(&program->normal);
}

double slipi_program_margin(const SlipiKinematics *kin, const double *z) {
  double least = INFINITY;
  for (int32_t c = 0; c < kin->nc; c++)
    if (!kin->bilateral[c])
      least = fmin(least, z[3 * (int64_t)c] - slipi_soc_tangent(z + 3 * (int64_t)c));
  return least;
}

/* ---- The starting point ------------------------------------------------------------------- */

static void diagonal(double value, double R[9]) {
  memset(R, 0, 9 * sizeof *R);
  R[0] = R[4] = R[8] = value;
}

/* x with H' x + w = 0 at the bilateral contacts, by least squares. */
static SlipStatus start_bilateral(SlipiProgram *program, SlipError *error) {
  const SlipiKinematics *kin = program->kin;
  SlipiNormal *normal = &program->normal;
  bool definite;
  for (int32_t c = 0; c < kin->nc; c++) {
    diagonal(kin->bilateral[c] ? 1 : 0, normal->R + 9 * (int64_t)c);
    for (int k = 0; k < 3; k++)
      at3(program->p, c)[k] = kin->bilateral[c] ? -kin->w[3 * (int64_t)c + k] : 0;
  }
  normal->bound = 1;
  SlipStatus status = slipi_normal_factor(normal, &definite, error);
  if (status != SLIP_OK || !definite)
    return status;
  slipi_kinematics_apply_transposed(kin, program->p, program->b);
  return slipi_normal_solve_inner(normal, program->b, program->x, error);
}

SlipStatus slipi_program_bilateral(SlipiProgram *program, double *left, SlipError *error) {
  const SlipiKinematics *kin = program->kin;
  *left = 0;
  SlipStatus status = start_bilateral(program, error);
  if (status != SLIP_OK)
    return status;
  slipi_kinematics_apply(kin, program->x, program->z);
  for (int32_t c = 0; c < kin->nc; c++)
    for (int k = 0; k < 3; k++) {
      double z = at3(program->z, c)[k] + kin->w[3 * (int64_t)c + k];
      at3(program->y, c)[k] = kin->bilateral[c] ? -z : 0;
      *left = fmax(*left, fabs(at3(program->y, c)[k]));
    }
  return SLIP_OK;
}

/* s one below the margin of x, and y on the central path. */
static SlipStatus start(SlipiProgram *program, SlipError *error) {
  const SlipiKinematics *kin = program->kin;
  memset(program->x, 0, (size_t)kin->n * sizeof *program->x);
  SlipStatus status = program->bilateral ? start_bilateral(program, error) : SLIP_OK;
  if (status != SLIP_OK)
    return status;
  slipi_kinematics_apply(kin, program->x, program->z);
  for (int64_t k = 0; k < 3 * (int64_t)kin->nc; k++)
    program->z[k] += kin->w[k];
  program->s = fmin(slipi_program_margin(kin, program->z), 0) - 1;
  program->z0 = SLIPI_PROGRAM_BOUND - program->s;
  double sum = 1 / program->z0;
  for (int32_t c = 0; c < kin->nc; c++) {
    double *z = at3(program->z, c), *y = at3(program->y, c);
    y[0] = y[1] = y[2] = 0;
    if (kin->bilateral[c])
      continue;
    z[0] -= program->s;
    double det = slipi_soc_det(z);
    y[0] = z[0] / det;
    y[1] = -z[1] / det;
    y[2] = -z[2] / det;
    sum += y[0];
  }
  for (int64_t k = 0; k < 3 * (int64_t)kin->nc; k++)
    program->y[k] /= sum;
  program->t = 1 / (program->z0 * sum);
  return SLIP_OK;
}

/* ---- One iteration ------------------------------------------------------------------------ */

/* Complementarity over all cones, and the residual of H y = 0. */
static void measure(SlipiProgram *program) {
  const SlipiKinematics *kin = program->kin;
  double gap = program->z0 * program->t;
  program->bilateral_left = 0;
  for (int32_t c = 0; c < kin->nc; c++) {
    const double *z = at3(program->z, c);
    if (kin->bilateral[c])
      program->bilateral_left = fmax(program->bilateral_left, slipi_dense3_max(z));
    else
      gap += slipi_dense3_dot(z, at3(program->y, c));
  }
  program->centre = gap / (kin->nc - program->bilateral + 1);
  slipi_kinematics_apply_transposed(kin, program->y, program->Hy);
  program->infeasible = 0;
  for (int32_t j = 0; j < kin->n; j++)
    program->infeasible = fmax(program->infeasible, fabs(program->Hy[j]));
}

/* R with R'R = S^-2: the eigenvectors of S as rows, over its eigenvalues. */
static void inverse_scaling(const SlipiSocScaling *s, double R[9]) {
  double Q[9];
  slipi_soc_basis(s, Q);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      R[3 * i + j] = Q[3 * j + i] / s->eigen[i];
}

static void weigh(SlipiProgram *program) {
  const SlipiKinematics *kin = program->kin;
  for (int32_t c = 0; c < kin->nc; c++) {
    double *R = program->normal.R + 9 * (int64_t)c;
    SlipiSocScaling *s = &program->scaling[c];
    if (kin->bilateral[c]) {
      diagonal(BILATERAL_WEIGHT, R);
    } else {
      slipi_soc_scale(at3(program->z, c), at3(program->y, c), s);
      inverse_scaling(s, R);
    }
  }
  program->normal.bound = program->t / program->z0;
  program->normal.proximal = PROXIMAL;
}

/* p of the linearised complementarity S^-1 dz + S dy = p, times S^-1: for the predictor, or with
 * the predictor's second-order term and the target sigma. */
static void target(SlipiProgram *program, double sigma, bool corrector) {
  const SlipiKinematics *kin = program->kin;
  double aim = sigma * program->centre;
  for (int32_t c = 0; c < kin->nc; c++) {
    double *p = at3(program->p, c), *dz = at3(program->dz, c), *dy = at3(program->dy, c);
    const SlipiSocScaling *s = &program->scaling[c];
    if (kin->bilateral[c]) {
      for (int k = 0; k < 3; k++)
        p[k] = -BILATERAL_WEIGHT * BILATERAL_WEIGHT * (1 - sigma) * at3(program->z, c)[k];
      continue;
    }
    double a[3], b[3], square[3];
    slipi_soc_product(s->lambda, s->lambda, square);
    for (int k = 0; k < 3; k++)
      p[k] = (k == 0 ? aim : 0) - square[k];
    if (corrector) {
      slipi_soc_apply_inverse(s, dz, a);
      slipi_soc_apply(s, dy, b);
      slipi_soc_product(a, b, square);
      for (int k = 0; k < 3; k++)
        p[k] -= square[k];
    }
    slipi_soc_divide(s->lambda, p, a);
    slipi_soc_apply_inverse(s, a, p);
  }
  double corr = corrector ? program->dz0 * program->dt : 0;
  program->p0 = (aim - program->z0 * program->t - corr) / program->z0;
}

/* y = R'R x of one contact. */
static void apply_weight(const SlipiProgram *program, int32_t c, const double x[3], double y[3]) {
  const double *R = program->normal.R + 9 * (int64_t)c;
  slipi_dense3_multiply(R, x, y);
  slipi_dense3_multiply_transposed(R, y, y);
}

/* The Newton step that takes the share 1 - sigma of the residuals away. */
static SlipStatus step(SlipiProgram *program, double sigma, SlipError *error) {
  const SlipiKinematics *kin = program->kin;
  double *b = program->b, bs = -program->p0, sum = program->t;
  slipi_kinematics_apply_transposed(kin, program->p, b);
  for (int32_t j = 0; j < kin->n; j++)
    b[j] += (1 - sigma) * program->Hy[j];
  for (int32_t c = 0; c < kin->nc; c++)
    if (!kin->bilateral[c]) {
      bs -= at3(program->p, c)[0];
      sum += at3(program->y, c)[0];
    }
  bs -= (1 - sigma) * (sum - 1);
  SlipStatus status = slipi_normal_solve(&program->normal, b, bs, program->dx, &program->ds, error);
  if (status != SLIP_OK)
    return status;
  slipi_kinematics_apply(kin, program->dx, program->dz);
  for (int32_t c = 0; c < kin->nc; c++) {
    double *dz = at3(program->dz, c), *dy = at3(program->dy, c), RRdz[3];
    dz[0] -= kin->bilateral[c] ? 0 : program->ds;
    apply_weight(program, c, dz, RRdz);
    for (int k = 0; k < 3; k++)
      dy[k] = at3(program->p, c)[k] - RRdz[k];
  }
  program->dz0 = -program->ds;
  program->dt = program->p0 - program->dz0 * program->normal.bound;
  return SLIP_OK;
}

static double longest(SlipiProgram *program) {
  const SlipiKinematics *kin = program->kin;
  double most = INFINITY;
  if (program->dz0 < 0)
    most = fmin(most, -program->z0 / program->dz0);
  if (program->dt < 0)
    most = fmin(most, -program->t / program->dt);
  for (int32_t c = 0; c < kin->nc; c++)
    if (!kin->bilateral[c]) {
      most = fmin(most, slipi_soc_max_step(at3(program->z, c), at3(program->dz, c)));
      most = fmin(most, slipi_soc_max_step(at3(program->y, c), at3(program->dy, c)));
    }
  return most;
}

/* The longest step along which complementarity does not grow beyond what it is: while H y = 0 is
 * far off, Newton's step would trade it for that, and throw x far out. */
static double calm(SlipiProgram *program, double most) {
  const SlipiKinematics *kin = program->kin;
  double linear = program->z0 * program->dt + program->t * program->dz0;
  double square = program->dz0 * program->dt;
  for (int32_t c = 0; c < kin->nc; c++) {
    const double *z = at3(program->z, c), *y = at3(program->y, c);
    const double *dz = at3(program->dz, c), *dy = at3(program->dy, c);
    if (kin->bilateral[c])
      continue;
    linear += slipi_dense3_dot(z, dy) + slipi_dense3_dot(y, dz);
    square += slipi_dense3_dot(dz, dy);
  }
  return linear < 0 && square > 0 ? fmin(most, -linear / square) : most;
}

static bool inside(SlipiProgram *program, double alpha) {
  const SlipiKinematics *kin = program->kin;
  for (int32_t c = 0; c < kin->nc; c++) {
    double z[3], y[3];
    if (kin->bilateral[c])
      continue;
    for (int k = 0; k < 3; k++) {
      z[k] = at3(program->z, c)[k] + alpha * at3(program->dz, c)[k];
      y[k] = at3(program->y, c)[k] + alpha * at3(program->dy, c)[k];
    }
    if (!slipi_soc_inside(z) || !slipi_soc_inside(y))
      return false;
  }
  return program->z0 + alpha * program->dz0 > 0 && program->t + alpha * program->dt > 0;
}

static void move(SlipiProgram *program, double alpha) {
  int64_t n = program->kin->n, m = 3 * (int64_t)program->kin->nc;
  for (int64_t j = 0; j < n; j++)
    program->x[j] += alpha * program->dx[j];
  for (int64_t k = 0; k < m; k++) {
    program->z[k] += alpha * program->dz[k];
    program->y[k] += alpha * program->dy[k];
  }
  program->s += alpha * program->ds;
  program->z0 += alpha * program->dz0;
  program->t += alpha * program->dt;
}

/* Predictor, corrector, move. *alpha is 0 where the step cannot be taken. */
static SlipStatus iterate(SlipiProgram *program, double *alpha, SlipError *error) {
  bool definite;
  *alpha = 0;
  weigh(program);
  SlipStatus status = slipi_normal_factor(&program->normal, &definite, error);
  if (status != SLIP_OK || !definite)
    return status;
  target(program, 0, false);
  program->normal.rough = true; /* it chooses sigma and the second-order term, no more */
  status = step(program, 0, error);
  program->normal.rough = false;
  if (status != SLIP_OK)
    return status;
  double affine = fmin(1, longest(program)), rest = 1 - affine;
  double sigma = fmin(fmax(rest * rest * rest, 1e-8), 1);
  target(program, sigma, affine > CORRECT_FROM);
  status = step(program, sigma, error);
  if (status != SLIP_OK)
    return status;
  double length = calm(program, fmin(1, STEP_SHARE * longest(program)));
  while (length > STEP_LEAST && !inside(program, length))
    length *= 0.5;
  if (length > STEP_LEAST && isfinite(slipi_dot(program->dx, program->dx, program->kin->n))) {
    move(program, length);
    *alpha = length;
  }
  return SLIP_OK;
}

/* Is H' x itself inside every cone, by more than rounding? Then a large multiple of x makes s as
 * large as one likes: take one that clears the bound. */
static bool unbounded(SlipiProgram *program) {
  const SlipiKinematics *kin = program->kin;
  if (program->bilateral)
    return program->s > SLIPI_PROGRAM_BOUND * (1 - 1e-6);
  double *z = program->dz, size = 0;
  slipi_kinematics_apply(kin, program->x, z);
  double margin = slipi_program_margin(kin, z);
  for (int32_t j = 0; j < kin->n; j++)
    size = fmax(size, fabs(program->x[j]));
  if (!(margin > 1e-10 * size))
    return false;
  double factor = fmax(1, (SLIPI_PROGRAM_BOUND + 2) / margin);
  for (int32_t j = 0; j < kin->n; j++)
    program->x[j] *= factor;
  program->s = factor * margin - 2;
  return true;
}

static bool out_of_time(const SlipiProgram *program) {
  int left = program->iterations < ITERATIONS_USUAL ? ITERATIONS_USUAL - program->iterations : 1;
  double ahead = left * SECONDS_PER_FLOP * slipi_cholesky_flops(program->normal.cholesky);
  return slipi_is_stopped_within(program->normal.stop, ahead);
}

static void copy(double **at, double *x, int64_t count, bool save) {
  memcpy(save ? *at : x, save ? x : *at, (size_t)count * sizeof *x);
  *at += count;
}

/* Keep the dual point with the scaling that goes with it, or go back to the one kept. */
static void keep(SlipiProgram *program, bool save) {
  double *at = program->kept;
  copy(&at, program->z, 3 * (int64_t)program->kin->nc, save);
  copy(&at, program->y, 3 * (int64_t)program->kin->nc, save);
  copy(&at, &program->z0, 1, save);
  copy(&at, &program->t, 1, save);
}

/* Keep what is best so far of either side. Returns whether there was progress. */
static bool note(SlipiProgram *program) {
  double size = 0, gap = program->centre * (program->kin->nc - program->bilateral + 1);
  for (int32_t j = 0; j < program->kin->n; j++)
    size = fmax(size, fabs(program->x[j]));
  double s = program->s - ROUNDING * size - program->bilateral_left;
  if (s > program->best_s) {
    program->best_s = s;
    memcpy(program->best, program->x, (size_t)program->kin->n * sizeof *program->x);
  }
  if (program->infeasible <= BALANCED)
    program->above = fmin(program->above, program->s + gap);
  double merit = fmax(gap / GAP, program->infeasible / INFEASIBLE);
  bool better = merit < 0.9 * program->merit;
  if (merit < program->merit) {
    program->merit = merit;
    keep(program, true);
  }
  return better;
}

/* Iterate until nothing is left to gain. */
static SlipStatus loop(SlipiProgram *program, SlipiProgramEnd *end, SlipError *error) {
  SlipStatus status = SLIP_OK;
  int idle = 0;
  double alpha = 1;
  program->merit = program->above = INFINITY;
  program->best_s = -INFINITY;
  while (status == SLIP_OK && alpha > 0) {
    measure(program);
    *end = SLIPI_PROGRAM_UNBOUNDED;
    if (unbounded(program))
      return SLIP_OK;
    idle = note(program) ? 0 : idle + 1;
    *end = SLIPI_PROGRAM_STALLED;
    if (program->merit <= 1 || idle > (program->merit < LATE ? IDLE_MAX : 10 * IDLE_MAX) ||
        program->iterations == ITERATIONS_MAX)
      break;
    *end = SLIPI_PROGRAM_TIME;
    if (out_of_time(program))
      break;
    *end = SLIPI_PROGRAM_STALLED;
    status = iterate(program, &alpha, error);
    program->iterations++;
  }
  keep(program, false);
  memcpy(program->x, program->best, (size_t)program->kin->n * sizeof *program->x);
  program->s = program->best_s;
  if (program->above - program->s <= NEARLY)
    *end = SLIPI_PROGRAM_OPTIMAL;
  return status;
}

SlipStatus slipi_program_solve(SlipiProgram *program, const SlipiStop *stop, SlipiProgramEnd *end,
                               SlipError *error) {
  *end = SLIPI_PROGRAM_TIME;
  program->normal.stop = stop;
  if (out_of_time(program))
    return SLIP_OK;
  SlipStatus status = start(program, error);
  return status == SLIP_OK ? loop(program, end, error) : status;
}

/* ---- The dual point, cleaned -------------------------------------------------------------- */

/* y - R'R H' x with (H R'R H') x = H y has H y = 0, and changes each part of y in proportion to the
 * room it has in its cone; points outside the cone are put back on its surface. */
SlipStatus slipi_program_polish(SlipiProgram *program, SlipError *error) {
  const SlipiKinematics *kin = program->kin;
  double *best = program->p, least = INFINITY;
  bool definite;
  weigh(program);
  SlipStatus status = slipi_normal_factor(&program->normal, &definite, error);
  if (status != SLIP_OK || !definite)
    return status;
  for (int round = 0; round < POLISH_MAX; round++) {
    for (int32_t c = 0; c < kin->nc; c++) {
      double *y = at3(program->y, c), tangent = slipi_soc_tangent(y);
      if (kin->bilateral[c])
        continue;
      y[0] = fmax(y[0], 0);
      for (int k = 1; k < 3 && tangent > y[0]; k++)
        y[k] *= y[0] / tangent;
    }
    measure(program);
    bool gained = program->infeasible < POLISH_GAIN * least;
    if (program->infeasible < least) {
      least = program->infeasible;
      memcpy(best, program->y, 3 * (size_t)kin->nc * sizeof *best);
    }
    if (!gained)
      break;
    status = slipi_normal_solve_inner(&program->normal, program->Hy, program->dx, error);
    if (status != SLIP_OK || least == 0)
      break;
    slipi_kinematics_apply(kin, program->dx, program->dz);
    for (int32_t c = 0; c < kin->nc; c++) {
      double RRdz[3];
      apply_weight(program, c, at3(program->dz, c), RRdz);
      for (int k = 0; k < 3; k++)
        at3(program->y, c)[k] -= RRdz[k];
    }
  }
  memcpy(program->y, best, 3 * (size_t)kin->nc * sizeof *best);
  program->infeasible = least;
  return status;
}
