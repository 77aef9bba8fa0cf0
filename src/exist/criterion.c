/* The criterion (A) of Acary, Cadoux 2013 for the existence of a solution, and the verdicts where
 * it fails. */
#include "exist/exist.h"

#include <float.h>
#include <string.h>

#include "base/random.h"
#include "exist/separate.h"

/* How near to its target a least-squares solution must be for the target to be in the range. */
#define IN_RANGE 1e-12

/* ---- Shortcuts: one factorisation of H H' ------------------------------------------------- */

/* x with H' x nearest to the target (three values per contact, in program->p); *far is the
 * largest difference. */
static SlipStatus nearest(SlipiProgram *program, double *far, SlipError *error) {
  const SlipiKinematics *kin = program->kin;
  slipi_kinematics_apply_transposed(kin, program->p, program->b);
  SlipStatus status = slipi_normal_solve_inner(&program->normal, program->b, program->x, error);
  if (status != SLIP_OK)
    return status;
  *far = 0;
  slipi_kinematics_apply(kin, program->x, program->z);
  for (int64_t k = 0; k < 3 * (int64_t)kin->nc; k++)
    *far = fmax(*far, fabs(program->z[k] - program->p[k]));
  return SLIP_OK;
}

static void set_weights(SlipiProgram *program) {
  memset(program->normal.R, 0, 9 * (size_t)program->kin->nc * sizeof *program->normal.R);
  for (int32_t c = 0; c < program->kin->nc; c++)
    for (int k = 0; k < 3; k++)
      program->normal.R[9 * (int64_t)c + 4 * k] = 1;
  program->normal.bound = 1;
}

/* Full column rank: random velocities of the contacts can be reached. Components that friction
 * does not weigh (frictionless tangents) are not asked for. */
static SlipStatus full_rank(SlipiProgram *program, bool *full, SlipError *error) {
  const SlipiKinematics *kin = program->kin;
  int64_t wanted = 0;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (int32_t c = 0; c < kin->nc; c++)
    for (int k = 0; k < 3; k++) {
      bool there = k < kin->data->d && (k == 0 || kin->bilateral[c] || kin->mu[c] > 0);
      wanted += there;
      program->p[3 * (int64_t)c + k] = there ? slipi_random_normal(&random) : 0;
    }
  *full = false;
  if (wanted > kin->n)
    return SLIP_OK;
  double far;
  SlipStatus status = nearest(program, &far, error);
  *full = status == SLIP_OK && far < 1e3 * IN_RANGE;
  return status;
}

/* Scale an x with H' x inside the cones by `margin` until there is room for w. */
static bool separated(SlipiCheck *check, const SlipiKinematics *kin, double *x, double margin) {
  for (int32_t j = 0; j < kin->n; j++)
    x[j] *= (SLIPI_PROGRAM_BOUND + 2) / margin;
  return slipi_check_velocity(check, kin, x) && check->result.verdict == SLIP_VERDICT_ROBUST;
}

static void say_separated(SlipiCheck *check, bool full) {
  check->result.margin = INFINITY;
  check->result.margin_known = 1;
  check->result.ground = full ? SLIP_CHECK_BY_FULL_RANK : SLIP_CHECK_BY_KERNEL;
  slipi_check_say(check,
                  full ? "H has full column rank, so a solution exists for every w and every "
                         "coefficient of friction."
                       : "Every contact can separate at once: ker(H) and K meet in 0 only, so a "
                         "solution exists for every w (Acary et al. 2011, Theorem 5.1).");
}

/* A direction with H' x = e, or as near to it as can be: where it is inside the cones, ker(H) and
 * K meet in 0 only, and a large multiple of it makes room for any w. */
static SlipStatus normal_separation(SlipiCheck *check, SlipiProgram *program, bool *inside,
                                    SlipError *error) {
  const SlipiKinematics *kin = program->kin;
  *inside = false;
  memset(program->p, 0, 3 * (size_t)kin->nc * sizeof *program->p);
  for (int32_t c = 0; c < kin->nc; c++)
    program->p[3 * (int64_t)c] = 1;
  double far, margin;
  SlipStatus status = nearest(program, &far, error);
  if (status != SLIP_OK)
    return status;
  margin = slipi_program_margin(kin, program->z);
  if (!(margin > 1e-6))
    return SLIP_OK;
  *inside = separated(check, kin, program->x, margin);
  return SLIP_OK;
}

SlipStatus slipi_check_shortcuts(SlipiCheck *check, SlipiProgram *program, bool *decided,
                                 SlipError *error) {
  const SlipiKinematics *kin = program->kin;
  bool definite, full = false, inside = false;
  double far;
  *decided = false;
  set_weights(program);
  SlipStatus status = slipi_normal_factor(&program->normal, &definite, error);
  if (status != SLIP_OK || !definite)
    return status;
  if (!program->bilateral) {
    status = full_rank(program, &full, error);
    if (status == SLIP_OK)
      status = normal_separation(check, program, &inside, error);
    if (status != SLIP_OK)
      return status;
  }
  if (inside) {
    *decided = true;
    say_separated(check, full);
    return SLIP_OK;
  }
  if (check->result.answer == SLIP_ANSWER_YES) /* w = 0 has decided, only the margin is wanted */
    return SLIP_OK;
  for (int64_t k = 0; k < 3 * (int64_t)kin->nc; k++)
    program->p[k] = -kin->w[k];
  status = nearest(program, &far, error);
  if (status == SLIP_OK && far <= IN_RANGE && slipi_check_velocity(check, kin, program->x)) {
    *decided = true;
    check->result.verdict = SLIP_VERDICT_EXISTS;
    check->result.ground = SLIP_CHECK_BY_RANGE;
    slipi_check_say(check, "w is in the range of H': a velocity v makes H' v + w = 0 (the "
                           "obstacles move as one rigid body would), so a solution exists.");
  }
  return status;
}

/* ---- Local problems ----------------------------------------------------------------------- */

/* The upper triangle by rows of D (W + W')/2 D + shift I, D making the diagonal 1. */
static SlipStatus symmetric_part(SlipiCheck *check, SlipiCsr *S, SlipError *error) {
  const SlipiCsr *W = check->data.Ht, *Wt = check->data.H;
  int32_t m = W->rows;
  int64_t most = (int64_t)W->p[m] + Wt->p[m] + m;
  *S = (SlipiCsr){.rows = m, .cols = m};
  S->p = SLIPI_ARENA_NEW(&check->work, int32_t, (int64_t)m + 1);
  S->i = SLIPI_ARENA_NEW(&check->work, int32_t, most);
  S->x = SLIPI_ARENA_NEW(&check->work, double, most);
  double *unit = SLIPI_ARENA_NEW(&check->work, double, m);
  if (check->work.failed || most > INT32_MAX)
    return slipi_fail_memory(error, "an existence check");
  for (int32_t j = 0; j < m; j++) {
    unit[j] = 1;
    for (int32_t e = W->p[j]; e < W->p[j + 1]; e++)
      if (W->i[e] == j && W->x[e] > 0)
        unit[j] = 1 / sqrt(W->x[e]);
  }
  int32_t used = 0;
  for (int32_t j = 0; j < m; j++) {
    S->p[j] = used;
    int32_t a = W->p[j], b = Wt->p[j];
    S->i[used] = j;
    S->x[used++] = 0;
    while (a < W->p[j + 1] || b < Wt->p[j + 1]) {
      int32_t ca = a < W->p[j + 1] ? W->i[a] : INT32_MAX;
      int32_t cb = b < Wt->p[j + 1] ? Wt->i[b] : INT32_MAX, c = ca < cb ? ca : cb;
      double value = 0.5 * ((ca == c ? W->x[a] : 0) + (cb == c ? Wt->x[b] : 0));
      a += ca == c;
      b += cb == c;
      if (c < j)
        continue;
      if (c > j)
        S->i[used++] = c;
      S->x[c > j ? used - 1 : S->p[j]] = value * unit[j] * unit[c];
    }
  }
  S->p[m] = used;
  return SLIP_OK;
}

static SlipStatus definite_with(const SlipiCsr *S, SlipiCholesky *cholesky, double shift,
                                const SlipiStop *stop, bool *definite, SlipError *error) {
  for (int32_t j = 0; j < S->rows; j++)
    S->x[S->p[j]] += shift;
  SlipStatus status = slipi_cholesky_factor(cholesky, stop, definite, error);
  for (int32_t j = 0; j < S->rows; j++)
    S->x[S->p[j]] -= shift;
  return status;
}

SlipStatus slipi_check_local(SlipiCheck *check, bool *decided, SlipError *error) {
  SlipiCsr S;
  SlipiCholesky *cholesky = NULL;
  bool positive = false, semi = false;
  *decided = false;
  SlipStatus status = symmetric_part(check, &S, error);
  if (status == SLIP_OK)
    status = slipi_cholesky_create(&S, &cholesky, error);
  /* Beyond what the rounding of a factorisation can hide. */
  double rounding = 4 * DBL_EPSILON * (S.rows + 10.0);
  if (status == SLIP_OK)
    status = definite_with(&S, cholesky, -rounding, &check->stop, &positive, error);
  if (status == SLIP_OK && !positive)
    status = definite_with(&S, cholesky, fmax(1e-10, rounding), &check->stop, &semi, error);
  slipi_cholesky_free(cholesky);
  if (status != SLIP_OK)
    return status;
  *decided = positive || !semi;
  if (positive) {
    check->result.verdict = SLIP_VERDICT_ROBUST;
    check->result.answer = SLIP_ANSWER_YES;
    check->result.ground = SLIP_CHECK_BY_FULL_RANK;
    check->result.margin = INFINITY;
    check->result.margin_known = 1;
    slipi_check_say(check, "W is positive definite, so a solution exists for every q and every "
                           "coefficient of friction.");
  } else if (!semi) {
    slipi_check_say(check,
                    "W is not positive semidefinite, so it is no H' M^-1 H and the criterion "
                    "says nothing: not decided by kinematics.");
  } else {
    slipi_check_say(check, "The file has W but no H: H' v + w was taken from the range of W plus "
                           "q, which is the same set if W = H' M^-1 H with M positive definite; "
                           "W's rank is decided by its rounded entries.");
  }
  return SLIP_OK;
}

/* ---- The program -------------------------------------------------------------------------- */

static void say_margin(SlipiCheck *check, const SlipiProgram *program, SlipiProgramEnd end) {
  SlipCheck *result = &check->result;
  result->ground = check->frictionless ? SLIP_CHECK_BY_FRICTIONLESS : SLIP_CHECK_BY_MARGIN;
  if (end == SLIPI_PROGRAM_UNBOUNDED && !program->bilateral) {
    result->ground = SLIP_CHECK_BY_KERNEL;
    slipi_check_say(check, "The margin has no bound: ker(H) and K meet in 0 only, so a solution "
                           "exists for every w (Acary et al. 2011, Theorem 5.1).");
  } else if (result->verdict == SLIP_VERDICT_ROBUST) {
    slipi_check_say(check,
                    "A velocity v separates every contact by a margin of %.6g%s, so a "
                    "solution exists, also for slightly different data.",
                    result->margin, isinf(result->margin) ? " (no bound)" : "");
  } else {
    slipi_check_say(check,
                    "The margin is 0 within %.2g: a solution exists, though slightly "
                    "different data may have none.",
                    check->options.tol * result->scale);
  }
}

static void say_failure(SlipiCheck *check, SlipiProgramEnd end) {
  SlipCheck *result = &check->result;
  if (result->r && check->frictionless) {
    result->verdict = SLIP_VERDICT_IMPOSSIBLE;
    result->answer = SLIP_ANSWER_NO;
    result->ground = SLIP_CHECK_BY_FRICTIONLESS;
    slipi_check_say(check,
                    "No contact has friction, so the criterion is necessary, and it fails "
                    "by %.6g: impulses in balance do the work %.6g on w. There is no "
                    "solution.",
                    -result->margin, result->work);
  } else if (result->r) {
    result->verdict = SLIP_VERDICT_NOT_CERTIFIED;
    slipi_check_say(check,
                    "The criterion fails by %.6g: impulses in K and in balance (H r = 0) do "
                    "the work %.6g on w.",
                    -result->margin, result->work);
  } else {
    result->verdict = SLIP_VERDICT_UNKNOWN;
    slipi_check_say(check, end == SLIPI_PROGRAM_TIME
                               ? "The margin was not found in the time allowed."
                               : "The margin is too near 0, or the kinematics too ill-conditioned, "
                                 "to tell its sign in double precision.");
  }
}

/* The margin of x in the user's data, which is nearer to s* than the s of the last iterate inside
 * the cones: s* is at least that. */
static double margin_of(SlipiCheck *check, const SlipiProgram *program) {
  const SlipiKinematics *kin = program->kin;
  double *v = SLIPI_ARENA_NEW(&check->work, double, check->data.n), left;
  if (!v)
    return -INFINITY;
  for (int32_t j = 0; j < kin->n; j++)
    v[kin->dof[j]] = program->x[j] * kin->unit[j] * kin->size;
  double margin = slipi_certify_velocity(&check->data, v, &left);
  return left <= check->options.tol * kin->size ? margin : -INFINITY;
}

/* The bilateral contacts alone may contradict each other. */
static SlipStatus check_bilateral(SlipiCheck *check, SlipiProgram *program, bool *decided,
                                  SlipError *error) {
  double left;
  SlipStatus status = slipi_program_bilateral(program, &left, error);
  *decided = false;
  if (status == SLIP_OK && left > check->options.tol)
    *decided = slipi_check_impulse(check, program->kin, program->y);
  if (*decided) {
    check->result.verdict = SLIP_VERDICT_IMPOSSIBLE;
    check->result.answer = SLIP_ANSWER_NO;
    check->result.ground = SLIP_CHECK_BY_PENETRATION;
    slipi_check_say(check, "The bilateral contacts contradict each other: no velocity meets them "
                           "all. There is no solution.");
  }
  return status;
}

static SlipStatus solve_program(SlipiCheck *check, SlipiProgram *program, bool penetration,
                                SlipError *error) {
  SlipCheck *result = &check->result;
  SlipiProgramEnd end;
  SlipStatus status = slipi_program_solve(program, &check->stop, &end, error);
  result->iterations += program->iterations;
  result->fill = fmax(result->fill, slipi_cholesky_fill(program->normal.cholesky));
  if (status != SLIP_OK)
    return status;
  bool known = end == SLIPI_PROGRAM_OPTIMAL || end == SLIPI_PROGRAM_UNBOUNDED;
  if (!penetration) {
    if (end != SLIPI_PROGRAM_TIME || program->iterations > 0) {
      result->margin = end == SLIPI_PROGRAM_UNBOUNDED ? INFINITY : program->s * result->scale + 0.0;
      if (result->scale > 0)
        result->margin = fmax(result->margin, margin_of(check, program));
      result->margin_known = known;
    }
    if (program->iterations + known > 0 && slipi_check_velocity(check, program->kin, program->x)) {
      say_margin(check, program, end);
      return SLIP_OK;
    }
  }
  if (program->iterations > 0 && end != SLIPI_PROGRAM_UNBOUNDED) {
    status = slipi_program_polish(program, error);
    bool found = status == SLIP_OK && slipi_check_impulse(check, program->kin, program->y);
    if (found && penetration) {
      result->verdict = SLIP_VERDICT_IMPOSSIBLE;
      result->answer = SLIP_ANSWER_NO;
      result->ground = SLIP_CHECK_BY_PENETRATION;
      slipi_check_say(check,
                      "Normal impulses alone are in balance and do the work %.6g on w: "
                      "whatever the velocity, some contact penetrates. There is no "
                      "solution.",
                      result->work);
    }
  }
  if (status == SLIP_OK && result->answer == SLIP_ANSWER_UNDECIDED && !penetration)
    say_failure(check, end);
  return status;
}

/* A velocity that separates all contacts, found without factoring anything. */
static SlipStatus separate(SlipiCheck *check, const SlipiKinematics *kin, bool *decided,
                           SlipError *error) {
  SlipiSeparation answer;
  double *x = SLIPI_ARENA_NEW(&check->work, double, kin->n), margin;
  *decided = false;
  if (!x)
    return slipi_fail_memory(error, "an existence check");
  SlipStatus status = slipi_separate(&check->work, kin, &check->stop, x, &margin, &answer,
                                     &check->result.search, error);
  if (status != SLIP_OK || answer == SLIPI_SEPARATE_UNKNOWN)
    return status;
  *decided = separated(check, kin, x, margin);
  if (*decided)
    say_separated(check, answer == SLIPI_SEPARATE_FULL_RANK);
  return SLIP_OK;
}

static void zero_w(SlipiCheck *check) {
  check->result.verdict = SLIP_VERDICT_EXISTS;
  check->result.answer = SLIP_ANSWER_YES;
  check->result.ground = SLIP_CHECK_BY_ZERO_W;
  check->result.v = SLIPI_ARENA_NEW(&check->arena, double, check->data.n);
  check->result.certified = 0;
  slipi_check_say(check, check->problem->form == SLIP_FORM_LOCAL
                             ? "q = 0: no impulse is needed."
                             : "w = 0: nothing moves the obstacles, so v = 0 meets the criterion "
                               "and a solution exists.");
}

/* One program, with friction or without. */
static SlipStatus criterion(SlipiCheck *check, bool penetration, SlipError *error) {
  SlipiProgram program = {0};
  SlipiKinematics kin;
  bool decided = false, shortcut = false;
  SlipStatus status =
      slipi_kinematics_create(&check->work, &check->data, penetration, NULL, &kin, error);
  if (status == SLIP_OK && !penetration && !check->bilateral && !slipi_is_stopped(&check->stop))
    status = separate(check, &kin, &decided, error);
  if (status == SLIP_OK && !decided && check->data.size == 0)
    zero_w(check);
  if (status != SLIP_OK || decided ||
      (check->result.answer == SLIP_ANSWER_YES && !check->options.margin))
    return status;
  status = slipi_program_create(&check->work, &kin, &program, error);
  if (status == SLIP_OK && !penetration && program.bilateral)
    status = check_bilateral(check, &program, &decided, error);
  if (status == SLIP_OK && !decided && !penetration)
    status = slipi_check_shortcuts(check, &program, &shortcut, error);
  decided = decided || (shortcut && (!check->options.margin || check->result.margin_known));
  if (status == SLIP_OK && !decided)
    status = solve_program(check, &program, penetration, error);
  slipi_program_free(&program);
  return status;
}

SlipStatus slipi_check_kinematics(SlipiCheck *check, SlipError *error) {
  bool decided = false;
  SlipStatus status = SLIP_OK;
  if (check->no_cone >= 0) {
    slipi_check_say(check,
                    "Contact %d has the law %s, whose impulses form no cone: the criterion says "
                    "nothing of it.",
                    (int)check->no_cone,
                    slipi_law_type(&check->problem->law[check->no_cone])->name);
    return SLIP_OK;
  }
  if (check->problem->form == SLIP_FORM_LOCAL) {
    status = slipi_check_local(check, &decided, error);
    if (status != SLIP_OK || decided)
      return status;
  }
  status = criterion(check, false, error);
  if (status == SLIP_OK && check->result.answer == SLIP_ANSWER_UNDECIDED && !check->frictionless)
    status = criterion(check, true, error);
  return status;
}
