/* One time step: free motion to its middle, contacts there, impulses, free motion to its end,
 * projection, ledger. Until the impulses are known nothing of the state has changed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/versioned.h"
#include "sim/soft.h"

/* ---- Forces ---- */

/* The share of a step from `time` on in which a force acts. */
static double share_of(const SlipiForce *force, double time, double h) {
  double from = fmax(force->from, time), until = fmin(force->until, time + h);
  return until > from ? fmin((until - from) / h, 1) : 0;
}

static void set_loads(SlipSim *sim, double time, double h) {
  SlipiBodies *b = &sim->bodies;
  for (int32_t slot = 0; slot < b->count; slot++) {
    int64_t i = 3 * (int64_t)slot;
    for (int k = 0; b->present[slot] && k < 3; k++) {
      b->load[i + k] = b->force[i + k] + b->mass[slot] * sim->def.gravity[k];
      b->moment_load[i + k] = b->torque[i + k];
    }
  }
  for (int32_t f = 0; f < sim->forces; f++) {
    const SlipiForce *force = &sim->given[f];
    double share = share_of(force, time, h);
    for (int k = 0; share > 0 && k < 3; k++) {
      b->load[3 * (int64_t)force->body + k] += share * force->force[k];
      b->moment_load[3 * (int64_t)force->body + k] += share * force->torque[k];
    }
  }
}

static void clear_applied(SlipSim *sim) {
  size_t bytes = 3 * (size_t)sim->bodies.count * sizeof(double);
  if (bytes > 0) {
    memset(sim->bodies.force, 0, bytes);
    memset(sim->bodies.torque, 0, bytes);
  }
}

/* ---- The contact problem ---- */

/* Where restitution leaves a problem without a solution, no method should try for long. */
static int watch(const SlipProgress *progress, void *user) {
  enum { ITERATIONS = 3000 };
  const SlipSim *sim = user;
  if (sim->bounces && progress->iteration > ITERATIONS)
    return 1;
  const SlipSettings *settings = &sim->settings;
  return settings->progress ? settings->progress(progress, settings->progress_user) : 0;
}

/* `patient`: as long as it takes, restitution or not. */
static SlipStatus solve(SlipSim *sim, bool patient, SlipStepInfo *info, SlipError *error) {
  sim->has_problem = false;
  info->contacts = sim->rows.count;
  info->joints = sim->rows.joints;
  if (sim->rows.count == 0) {
    info->outcome = SLIP_SOLVED;
    return SLIP_OK;
  }
  SlipStatus status = slipi_sim_rows_pose(sim, &sim->rows, &sim->settings, error);
  if (status == SLIP_OK) {
    sim->bounces = !patient && slipi_sim_bounces(sim);
    slip_solver_set_progress(sim->rows.solver, watch, sim);
    status = slip_solver_run(sim->rows.solver, error);
  }
  if (status != SLIP_OK)
    return status;
  const SlipResult *result = slip_solver_result(sim->rows.solver);
  info->iterations += result->iterations;
  if (slipi_soft_refuse(sim, result))
    return solve(sim, patient, info, error);
  sim->has_problem = true;
  info->outcome = (int32_t)result->outcome;
  info->residual = result->residual;
  info->physical = result->physical;
  return SLIP_OK;
}

/* Why a problem was not solved, and whether it has a solution at all. */
static void explain(SlipSim *sim, SlipStepInfo *info) {
  static const double SECONDS = 10;
  const SlipResult *result = slip_solver_result(sim->rows.solver);
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *check = NULL;
  options.solve = 0;
  options.time_limit = SECONDS;
  if (slip_check(sim->rows.problem, &options, &check, NULL) == SLIP_OK)
    info->verdict = (int32_t)check->verdict;
  /* The course of the run, in brackets at the end, is for who looks into its problem. */
  const char *course = strrchr(result->reason, '(');
  int length =
      course > result->reason ? (int)(course - result->reason) - 1 : (int)strlen(result->reason);
  snprintf(info->reason, sizeof info->reason, "%s: %.*s; existence: %s",
           slip_outcome_name(result->outcome), length, result->reason,
           slip_verdict_name((SlipVerdict)info->verdict));
  slip_check_free(check);
}

/* The problem is made with predictions that its solution may show to be wrong: then it is solved
 * again. */
static SlipStatus refine(SlipSim *sim, double h, SlipStepInfo *info, SlipError *error) {
  enum { ROUNDS = 4 };
  bool patient = false, let_go = false;
  for (int round = 1; sim->has_problem; round++) {
    const SlipResult *result = slip_solver_result(sim->rows.solver);
    bool again;
    if (info->outcome == SLIP_SOLVED) {
      SlipStatus status = slipi_sim_try(sim, h, result, error);
      if (status != SLIP_OK)
        return status;
      again = slipi_sim_lower_restitution(sim, h, round >= ROUNDS - 1);
      again = (!let_go && slipi_sim_hold_again(sim, h)) || again;
      again = slipi_soft_even(sim, round >= ROUNDS - 1) || again;
      again = again && round < ROUNDS;
      if (!again && !let_go)
        again = let_go = slipi_sim_let_go(sim, h, false);
    } else {
      again = slipi_sim_drop_restitution(sim, h, result);
      if (!again && !let_go)
        again = let_go = slipi_sim_let_go(sim, h, true);
      if (!again && sim->bounces) /* it was stopped early, and restitution is not to blame */
        again = patient = true;
    }
    if (!again)
      break;
    slipi_sim_kick_free(sim, h);
    SlipStatus status = solve(sim, patient, info, error);
    if (status != SLIP_OK)
      return status;
  }
  if (sim->has_problem && info->outcome == SLIP_SOLVED) {
    SlipStatus status = slipi_sim_kick_soft(sim, slip_solver_result(sim->rows.solver), error);
    if (status != SLIP_OK)
      return status;
  }
  for (int32_t k = 0; k < sim->contacts.count; k++)
    info->lowered += sim->contacts.at[k].lowered;
  return SLIP_OK;
}

/* ---- Steps ---- */

bool slipi_sim_show(SlipSim *sim) {
  if (!SLIPI_ROOM(sim->shown, sim->shown_capacity, sim->last.count))
    return false;
  for (int32_t k = 0; k < sim->last.count; k++) {
    const SlipiContact *from = &sim->last.at[k];
    SlipSimContact *to = &sim->shown[k];
    *to = (SlipSimContact){.bodies = {from->body[0], from->body[1]},
                           .status = from->status,
                           .key = from->key,
                           .gap = from->gap};
    memcpy(to->position, from->point, sizeof to->position);
    memcpy(to->normal, from->frame[0], sizeof to->normal);
    memcpy(to->impulse, from->impulse, sizeof to->impulse);
    memcpy(to->moment, from->moment, sizeof to->moment);
  }
  sim->shown_count = sim->last.count;
  return true;
}

/* The contacts of this step become those of the last one. */
static void keep_contacts(SlipSim *sim, double h) {
  SlipiContacts old = sim->last;
  sim->last = sim->contacts;
  sim->contacts = old;
  sim->contacts.count = 0;
  sim->last_step = h;
}

/* Up to the impulses: nothing has changed but what is predicted. */
static SlipStatus find_impulses(SlipSim *sim, double time, double h, SlipStepInfo *info,
                                SlipError *error) {
  double started = slipi_clock_seconds();
  set_loads(sim, time, h);
  slipi_sim_predict(sim, time, h);
  slipi_sim_kick_free(sim, h);
  SlipStatus status = slipi_soft_predict(sim, time, h, error);
  if (status == SLIP_OK)
    status = slipi_sim_touch(sim, h, error);
  if (status == SLIP_OK)
    status = slipi_soft_touch(sim, h, error);
  if (status == SLIP_OK)
    status = slipi_sim_ask_rules(sim, error);
  double touched = slipi_clock_seconds();
  if (status == SLIP_OK)
    status = slipi_sim_assemble(sim, h, error);
  double assembled = slipi_clock_seconds();
  if (status == SLIP_OK)
    status = solve(sim, false, info, error);
  if (status == SLIP_OK)
    status = refine(sim, h, info, error);
  info->seconds_collide += touched - started;
  info->seconds_set_up += assembled - touched;
  info->seconds_solve += slipi_clock_seconds() - assembled;
  return status;
}

static SlipStatus make_step(SlipSim *sim, double time, double h, SlipStepInfo *info,
                            SlipError *error) {
  double added = 0;
  SlipStatus status = SLIP_OK;
  slipi_ledger_start(sim);
  if (sim->has_problem && info->outcome != SLIP_SOLVED) /* else it was done to see */
    status = slipi_sim_kick(sim, h, slip_solver_result(sim->rows.solver), error);
  if (status != SLIP_OK)
    return status;
  slipi_sim_advance(sim, time, h);
  slipi_soft_advance(sim, h);
  double taken = slipi_sim_end_late(sim, h);
  double started = slipi_clock_seconds();
  status = slipi_sim_project(sim, h, &added, info, error);
  info->seconds_project += slipi_clock_seconds() - started;
  if (status == SLIP_OK && !slipi_sim_repay(sim, h))
    status = slipi_fail_memory(error, "the energy of joints");
  slipi_ledger_close(sim, h, taken, added);
  slipi_sim_keep_angles(sim);
  keep_contacts(sim, h);
  return status;
}

enum { HALVINGS_MOST = 6 };

/* A step of length h from `time` on, in halves where it is not solved. */
static SlipStatus advance(SlipSim *sim, double time, double h, int depth, SlipStepInfo *info,
                          SlipError *error) {
  SlipStatus status = find_impulses(sim, time, h, info, error);
  if (status != SLIP_OK)
    return status;
  if (info->outcome == SLIP_SOLVED)
    return make_step(sim, time, h, info, error);
  if (sim->def.on_failure == SLIP_ON_FAILURE_HALVE && depth < HALVINGS_MOST) {
    info->halvings = depth + 1 > info->halvings ? depth + 1 : info->halvings;
    status = advance(sim, time, h / 2, depth + 1, info, error);
    return status == SLIP_OK ? advance(sim, time + h / 2, h / 2, depth + 1, info, error) : status;
  }
  explain(sim, info);
  if (sim->def.on_failure == SLIP_ON_FAILURE_WARN)
    return make_step(sim, time, h, info, error);
  return slipi_fail(error, SLIP_ERROR_NUMERIC, "step %lld, from %g s on, is not solved: %s",
                    (long long)sim->steps + 1, time, info->reason);
}

/* The whole step. Halves that were made before one failed are undone from a snapshot. */
static SlipStatus advance_all(SlipSim *sim, double time, SlipStepInfo *info, SlipError *error) {
  double h = sim->def.step;
  if (sim->def.on_failure != SLIP_ON_FAILURE_HALVE)
    return advance(sim, time, h, 0, info, error);
  SlipStatus status = find_impulses(sim, time, h, info, error);
  if (status != SLIP_OK)
    return status;
  if (info->outcome == SLIP_SOLVED)
    return make_step(sim, time, h, info, error);
  void *before;
  size_t size;
  status = slip_sim_save(sim, &before, &size, error);
  if (status != SLIP_OK)
    return status;
  info->halvings = 1;
  status = advance(sim, time, h / 2, 1, info, error);
  if (status == SLIP_OK)
    status = advance(sim, time + h / 2, h / 2, 1, info, error);
  if (status != SLIP_OK) {
    bool had = sim->has_problem; /* the one that was not solved, for the user to look at */
    slip_sim_restore(sim, before, size, NULL);
    sim->has_problem = had;
  }
  slip_sim_bytes_free(before);
  return status;
}

static SlipStatus step(SlipSim *sim, SlipStepInfo *info, SlipError *error) {
  double time = slipi_sim_now(sim);
  if (sim->force_function)
    sim->force_function(sim->force_user, sim, time);
  slipi_sim_pack_parts(sim);
  SlipStatus status = slipi_sim_list_apart(sim, error);
  if (status == SLIP_OK)
    status = advance_all(sim, time, info, error);
  clear_applied(sim);
  if (status == SLIP_OK && !slipi_sim_show(sim))
    status = slipi_fail_memory(error, "the contacts of a step");
  if (status != SLIP_OK)
    return status;
  sim->steps++;
  slipi_ledger_levels(sim);
  return SLIP_OK;
}

SlipStatus slip_sim_step(SlipSim *sim, SlipStepInfo *info, SlipError *error) {
  slipi_error_clear(error);
  if (!sim)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim is null");
  SlipStatus status = info ? slipi_versioned_check("step_info", info, error) : SLIP_OK;
  if (status != SLIP_OK)
    return status;
  double started = slipi_clock_seconds();
  SlipStepInfo known = slip_default_step_info();
  known.verdict = SLIP_VERDICT_UNKNOWN;
  (void)slip_settings_get_real(&sim->settings, "tol", &known.tol, NULL);
  status = step(sim, &known, error);
  known.step = sim->steps + (status != SLIP_OK); /* the one that failed */
  known.time = slipi_sim_now(sim);
  known.energy = sim->energy;
  known.seconds = slipi_clock_seconds() - started;
  if (info)
    slipi_versioned_write(&known, info, sizeof known);
  return status;
}
