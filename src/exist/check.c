#include "exist/exist.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/versioned.h"
#include "contact/shift.h"

const char *slip_verdict_name(SlipVerdict verdict) {
  static const char *const names[] = {"ROBUST", "EXISTS", "NOT CERTIFIED", "NO SOLUTION",
                                      "UNKNOWN"};
  return (unsigned)verdict < sizeof names / sizeof names[0] ? names[verdict] : "UNKNOWN";
}

const char *slip_check_ground_name(SlipCheckGround ground) {
  static const char *const names[] = {
      "nothing",      "no-contacts", "w-zero", "w-in-range",  "full-rank", "kernel", "margin",
      "frictionless", "penetration", "open",   "enumeration", "solving",   "given"};
  return (unsigned)ground < sizeof names / sizeof names[0] ? names[ground] : "nothing";
}

void slipi_check_say(SlipiCheck *check, const char *format, ...) {
  char *reason = check->result.reason;
  size_t used = strlen(reason), room = sizeof check->result.reason - used;
  va_list arguments;
  va_start(arguments, format);
  if (used > 0 && room > 1)
    snprintf(reason + used++, room--, " ");
  vsnprintf(reason + used, room, format, arguments);
  va_end(arguments);
}

/* ---- The data ----------------------------------------------------------------------------- */

static SlipStatus check_options(const SlipCheckOptions *options, SlipError *error) {
  if (!(options->tol >= 0) || !(options->tol < 1))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the tolerance of a check is from 0 to below 1, not %g", options->tol);
  if (!(options->time_limit >= 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the time limit of a check is at least 0 seconds, not %g",
                      options->time_limit);
  if (options->nodes < 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the nodes of an enumeration are at least 0, not %lld",
                      (long long)options->nodes);
  return SLIP_OK;
}

/* [H' C]: with C = G G', contacts that give way are those of a problem in which each has degrees of
 * freedom of its own, of unit mass and moved by G' r. Its velocities at the contacts are
 * H' v + G y + w, and the range of G is that of C. */
static SlipStatus append_compliance(SlipiCheck *check, SlipError *error) {
  const SlipProblem *problem = check->problem;
  const SlipiCsr *Ht = &problem->Ht;
  int32_t d = problem->d, m = problem->m, used = 0;
  int64_t entries = (int64_t)Ht->p[m] + (int64_t)m * d;
  if (entries > INT32_MAX || problem->dof > INT32_MAX - m)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "H with the compliance of the contacts has %lld entries; at most %d can be "
                      "indexed",
                      (long long)entries, INT32_MAX);
  SlipiCsr *to = &check->extended;
  *to = (SlipiCsr){.rows = m, .cols = problem->dof + m};
  to->p = SLIPI_ARENA_NEW(&check->work, int32_t, (int64_t)m + 1);
  to->i = SLIPI_ARENA_NEW(&check->work, int32_t, entries);
  to->x = SLIPI_ARENA_NEW(&check->work, double, entries);
  if (check->work.failed)
    return slipi_fail_memory(error, "an existence check");
  for (int32_t row = 0; row < m; row++) {
    for (int32_t k = Ht->p[row]; k < Ht->p[row + 1]; k++, used++) {
      to->i[used] = Ht->i[k];
      to->x[used] = Ht->x[k];
    }
    for (int32_t j = 0; j < d; j++, used++) {
      to->i[used] = problem->dof + row / d * d + j;
      to->x[used] = problem->C[(int64_t)row * d + j];
    }
    to->p[row + 1] = used;
  }
  return SLIP_OK;
}

/* The matrices of the kinematics. */
static SlipStatus set_matrices(SlipiCheck *check, SlipError *error) {
  const SlipProblem *problem = check->problem;
  bool local = problem->form == SLIP_FORM_LOCAL;
  SlipiAffine *data = &check->data;
  SlipStatus status = SLIP_OK;
  data->Ht = local ? &problem->W : &problem->Ht;
  data->H = &problem->H;
  if (problem->C) {
    status = local ? slipi_compliance_add(&check->work, &problem->W, problem->C, problem->d,
                                          &check->extended, error)
                   : append_compliance(check, error);
    data->Ht = &check->extended;
  }
  if (status == SLIP_OK && (local || problem->C)) {
    status = slipi_csr_transpose(&check->work, data->Ht, &check->transposed, error);
    data->H = &check->transposed;
  }
  data->n = data->Ht->cols;
  return status;
}

static SlipStatus affine(SlipiCheck *check, SlipError *error) {
  const SlipProblem *problem = check->problem;
  bool local = problem->form == SLIP_FORM_LOCAL;
  SlipiAffine *data = &check->data;
  *data = (SlipiAffine){.d = problem->d,
                        .nc = problem->nc,
                        .w = local ? problem->q : problem->w,
                        .law = problem->law};
  check->frictionless = true;
  check->no_cone = -1;
  for (int32_t c = 0; c < problem->nc; c++) {
    const SlipiLaw *law = &problem->law[c];
    double square = 0;
    if (check->no_cone < 0 && !slipi_law_type(law)->cone)
      check->no_cone = c;
    check->frictionless = check->frictionless && !(law->mu > 0);
    check->bilateral = check->bilateral || !slipi_law_is_second_order(law);
    for (int k = 0; k < problem->d; k++)
      square += data->w[problem->d * c + k] * data->w[problem->d * c + k];
    data->size = fmax(data->size, fmax(1, law->mu) * sqrt(square));
  }
  check->result.scale = data->size;
  return set_matrices(check, error);
}

/* ---- What certifies ----------------------------------------------------------------------- */

bool slipi_check_velocity(SlipiCheck *check, const SlipiKinematics *kin, const double *x) {
  const SlipiAffine *data = &check->data;
  double *v = SLIPI_ARENA_NEW(&check->arena, double, data->n), left;
  if (!v)
    return false;
  for (int32_t j = 0; j < kin->n; j++)
    v[kin->dof[j]] = x[j] * kin->unit[j] * kin->size;
  double certified = slipi_certify_velocity(data, v, &left), tol = check->options.tol * kin->size;
  if (!(certified >= -tol) || !(left <= tol))
    return false;
  check->result.v = v;
  check->result.certified = certified;
  check->result.verdict = certified > tol ? SLIP_VERDICT_ROBUST : SLIP_VERDICT_EXISTS;
  check->result.answer = SLIP_ANSWER_YES;
  return true;
}

bool slipi_check_impulse(SlipiCheck *check, const SlipiKinematics *kin, const double *y) {
  const SlipiAffine *data = &check->data;
  double *r = SLIPI_ARENA_NEW(&check->arena, double, (int64_t)data->d * data->nc), sum = 0;
  if (!r)
    return false;
  for (int32_t c = 0; c < data->nc; c++)
    sum += kin->bilateral[c] ? slipi_dense3_norm(y + 3 * (int64_t)c) : y[3 * (int64_t)c];
  for (int32_t c = 0; c < data->nc && sum > 0; c++)
    for (int k = 0; k < data->d; k++) {
      /* a few roundings inside the cone */
      double fold = k == 0 ? 1 : kin->mu[c] * (1 - 8e-16);
      if (kin->bilateral[c])
        fold = slipi_law_axis(&data->law[c], k) == SLIPI_AXIS_FREE;
      r[data->d * c + k] = fold * (y[3 * (int64_t)c + k] / sum);
    }
  SlipiImpulseCheck found = slipi_certify_impulse(data, r);
  if (!slipi_certificate_holds(data, &found, check->options.tol))
    return false;
  check->result.r = r;
  check->result.work = found.work;
  check->result.imbalance = found.imbalance;
  return true;
}

/* ---- The check ---------------------------------------------------------------------------- */

static SlipStatus run(SlipiCheck *check, SlipError *error) {
  const SlipProblem *problem = check->problem;
  SlipStatus status = affine(check, error);
  if (status == SLIP_OK && problem->form == SLIP_FORM_GLOBAL)
    status = slipi_check_mass(check, error);
  if (status != SLIP_OK)
    return status;
  if (problem->nc == 0) {
    check->result.verdict = SLIP_VERDICT_ROBUST;
    check->result.answer = SLIP_ANSWER_YES;
    check->result.ground = SLIP_CHECK_BY_NO_CONTACTS;
    check->result.internal = SLIP_ANSWER_NO;
    slipi_check_say(check, "There are no contacts.");
    return SLIP_OK;
  }
  status = slipi_check_kinematics(check, error);
  if (status == SLIP_OK)
    status = slipi_check_internal(check, error);
  if (status == SLIP_OK &&
      (check->result.answer == SLIP_ANSWER_UNDECIDED || check->options.enumerate))
    status = slipi_check_further(check, error);
  if (problem->form == SLIP_FORM_GLOBAL && problem->C)
    slipi_check_say(check, "The compliance of the contacts counts as further rows of H.");
  if (problem->form == SLIP_FORM_GLOBAL && !check->result.mass_verified)
    slipi_check_say(check, "M is taken to be positive definite.");
  if (status == SLIP_OK && check->arena.failed)
    status = slipi_fail_memory(error, "the result of an existence check");
  return status;
}

/* Take a problem with cohesion in s = r + c e. */
static SlipStatus unshift(SlipiCheck *check, SlipError *error) {
  const SlipProblem *given = check->problem;
  SlipStatus status = slipi_shift_problem(given, &check->work, &check->plain, error);
  if (status != SLIP_OK)
    return status;
  check->shifted = given;
  check->problem = &check->plain;
  if (!check->options.r)
    return SLIP_OK;
  double *s = slipi_arena_copy(&check->work, check->options.r, (size_t)given->m, sizeof *s);
  if (!s)
    return slipi_fail_memory(error, "an existence check");
  slipi_shift_impulses(given, 1, s);
  check->options.r = s;
  return SLIP_OK;
}

/* The velocity that certifies has impulses in it where W, or C, gives velocities of them: W s + q
 * in s is W (s - c e) + q in r. */
static SlipStatus give_back_velocity(SlipiCheck *check, SlipError *error) {
  const SlipProblem *given = check->shifted;
  bool local = given->form == SLIP_FORM_LOCAL;
  if (!check->result.v || (!local && !given->C))
    return SLIP_OK;
  size_t count = (size_t)check->data.n;
  double *v = slipi_arena_copy(&check->arena, check->result.v, count, sizeof *v);
  if (!v)
    return slipi_fail_memory(error, "the result of an existence check");
  slipi_shift_impulses(given, -1, local ? v : v + given->dof);
  check->result.v = v;
  return SLIP_OK;
}

static SlipOutcome ask(void *user, double ahead) {
  SlipiCheck *check = user;
  double now = slipi_clock_seconds();
  if (!check->interrupted && check->options.progress) {
    SlipProgress progress = {.size = sizeof progress,
                             .residual = INFINITY,
                             .tol = check->options.tol,
                             .seconds = now - check->began,
                             .set_up = 1};
    check->interrupted = check->options.progress(&progress, check->options.progress_user) != 0;
  }
  if (check->interrupted)
    return SLIP_INTERRUPTED;
  return now + ahead > check->deadline ? SLIP_TIME_LIMIT : SLIP_NOT_RUN;
}

/* The check; work that was stopped in the middle leaves it undecided. */
static SlipStatus run_limited(SlipiCheck *check, SlipError *error) {
  SlipStatus status = run(check, error);
  if (status == SLIP_ERROR_NUMERIC && slipi_is_stopped(&check->stop)) {
    slipi_error_clear(error);
    status = SLIP_OK;
  }
  if (status == SLIP_OK && check->interrupted)
    slipi_check_say(check, "The check was interrupted.");
  return status;
}

SlipStatus slip_check(const SlipProblem *problem, const SlipCheckOptions *options,
                      SlipCheck **check, SlipError *error) {
  slipi_error_clear(error);
  if (!check)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the place for the check's result is NULL");
  *check = NULL;
  if (!SLIPI_IS_PROBLEM(problem))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the problem to check is NULL");
  SlipStatus status = SLIP_OK;
  SlipCheckOptions known = slip_default_check_options();
  if (options)
    status = slipi_versioned_read("check_options", options, &known, sizeof known, error);
  if (status == SLIP_OK)
    status = check_options(&known, error);
  if (status != SLIP_OK)
    return status;
  SlipiCheck *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "an existence check");
  made->problem = problem;
  made->options = known;
  made->began = slipi_clock_seconds();
  made->deadline = made->began + made->options.time_limit;
  made->stop = (SlipiStop){ask, made};
  made->result = (SlipCheck){.size = sizeof made->result,
                             .verdict = SLIP_VERDICT_UNKNOWN,
                             .answer = SLIP_ANSWER_UNDECIDED,
                             .internal = SLIP_ANSWER_UNDECIDED,
                             .dimension = problem->d,
                             .contacts = problem->nc,
                             .dof = problem->dof,
                             .margin = NAN,
                             .certified = NAN,
                             .work = NAN,
                             .imbalance = NAN};
  if (problem->form == SLIP_FORM_BODIES) {
    status = slipi_problem_as_global(problem, &made->work, &made->assembled, error);
    made->problem = &made->assembled;
  }
  if (status == SLIP_OK && slipi_shift_has(made->problem))
    status = unshift(made, error);
  if (status == SLIP_OK)
    status = run_limited(made, error);
  if (status == SLIP_OK && made->shifted)
    status = give_back_velocity(made, error);
  slipi_mass_free(made->mass);
  made->mass = NULL;
  slipi_arena_free(&made->work);
  made->result.seconds = slipi_clock_seconds() - made->began;
  if (status == SLIP_OK)
    *check = &made->result;
  else
    slip_check_free(&made->result);
  return status;
}

void slip_check_free(SlipCheck *check) {
  if (!check)
    return;
  SlipiCheck *whole = (SlipiCheck *)(void *)check;
  slipi_arena_free(&whole->arena);
  free(whole);
}
