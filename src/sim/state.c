/* Forces on bodies, and reading the state. */
#include <math.h>
#include <string.h>

#include "base/versioned.h"
#include "sim/sim.h"

static SlipStatus check_free(const SlipSim *sim, SlipBodyId body, int32_t *slot, SlipError *error) {
  SlipStatus status = slipi_sim_slot(sim, body, slot, error);
  if (status == SLIP_OK && sim->bodies.motion[*slot] != SLIP_MOTION_FREE &&
      sim->bodies.motion[*slot] != SLIPI_MOTION_SOFT)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "body %d is an obstacle, which no force moves",
                        (int)*slot);
  return status;
}

SlipStatus slip_sim_add_force(SlipSim *sim, const SlipForceDef *def, SlipError *error) {
  int32_t slot = -1;
  slipi_error_clear(error);
  if (!sim || !def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or def is null");
  SlipForceDef known = slip_default_force_def();
  SlipStatus status = slipi_versioned_read("force_def", def, &known, sizeof known, error);
  if (status == SLIP_OK)
    status = check_free(sim, known.body, &slot, error);
  if (status == SLIP_OK)
    status = slipi_sim_planar(sim->def.dimension, "force", known.force, false, error);
  if (status == SLIP_OK)
    status = slipi_sim_planar(sim->def.dimension, "torque", known.torque, true, error);
  if (status == SLIP_OK && !(known.from <= known.until))
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "a force lasts from %g until %g s", known.from,
                        known.until);
  if (status != SLIP_OK)
    return status;
  if (!SLIPI_ROOM(sim->given, sim->force_capacity, (int64_t)sim->forces + 1))
    return slipi_fail_memory(error, "a force");
  SlipiForce *force = &sim->given[sim->forces++];
  *force = (SlipiForce){.body = slot, .from = known.from, .until = known.until};
  memcpy(force->force, known.force, sizeof known.force);
  memcpy(force->torque, known.torque, sizeof known.torque);
  return SLIP_OK;
}

SlipStatus slip_sim_apply(SlipSim *sim, SlipBodyId body, const double force[3],
                          const double torque[3], SlipError *error) {
  static const double none[3];
  int32_t slot = -1;
  slipi_error_clear(error);
  if (!sim)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim is null");
  force = force ? force : none;
  torque = torque ? torque : none;
  SlipStatus status = check_free(sim, body, &slot, error);
  if (status == SLIP_OK)
    status = slipi_sim_planar(sim->def.dimension, "force", force, false, error);
  if (status == SLIP_OK)
    status = slipi_sim_planar(sim->def.dimension, "torque", torque, true, error);
  for (int k = 0; status == SLIP_OK && k < 3; k++) {
    sim->bodies.force[3 * (int64_t)slot + k] += force[k];
    sim->bodies.torque[3 * (int64_t)slot + k] += torque[k];
  }
  return status;
}

SlipStatus slip_sim_state(const SlipSim *sim, SlipSimState *state, SlipError *error) {
  slipi_error_clear(error);
  if (!sim || !state)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or state is null");
  SlipStatus status = slipi_versioned_check("sim_state", state, error);
  if (status != SLIP_OK)
    return status;
  SlipSimState known = slip_default_sim_state();
  const SlipiBodies *b = &sim->bodies;
  known.bodies = b->count;
  known.present = b->present;
  known.position = b->position;
  known.rotation = b->rotation;
  known.velocity = b->velocity;
  known.spin = b->spin;
  known.contacts = sim->shown_count;
  known.contact = sim->shown;
  known.time = slipi_sim_now(sim);
  slipi_versioned_write(&known, state, sizeof known);
  return SLIP_OK;
}

const char *slip_sim_body_name(const SlipSim *sim, int32_t slot) {
  bool there = sim && slot >= 0 && slot < sim->bodies.count && sim->bodies.present[slot];
  return there ? sim->bodies.name[slot] : NULL;
}

SlipBodyId slip_sim_body_at(const SlipSim *sim, int32_t slot) {
  bool there = sim && slot >= 0 && slot < sim->bodies.count && sim->bodies.present[slot];
  return there ? (SlipBodyId){slot, sim->bodies.generation[slot]} : (SlipBodyId){-1, 0};
}

SlipStatus slip_sim_mass(const SlipSim *sim, SlipBodyId body, double *mass, double centre[3],
                         SlipError *error) {
  int32_t slot = -1;
  slipi_error_clear(error);
  if (!sim || !mass)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or mass is null");
  *mass = 0;
  SlipStatus status = slipi_sim_slot(sim, body, &slot, error);
  if (status != SLIP_OK)
    return status;
  *mass = sim->bodies.mass[slot]; /* 0 for obstacles */
  if (centre)
    memcpy(centre, sim->bodies.centre + 3 * (int64_t)slot, 3 * sizeof(double));
  return SLIP_OK;
}

const SlipProblem *slip_sim_problem(const SlipSim *sim) {
  return sim && sim->has_problem ? sim->rows.problem : NULL;
}

const SlipResult *slip_sim_result(const SlipSim *sim) {
  return sim && sim->has_problem ? slip_solver_result(sim->rows.solver) : NULL;
}

const double *slip_sim_start(const SlipSim *sim) {
  return sim && sim->has_problem ? sim->rows.r : NULL;
}

int32_t slip_sim_dimension(const SlipSim *sim) {
  return sim ? sim->def.dimension : 0;
}

void slip_sim_set_progress(SlipSim *sim, SlipProgressFunction function, void *user) {
  if (!sim)
    return;
  slip_settings_set_progress(&sim->settings, function, user);
  slip_solver_set_progress(sim->rows.solver, function, user);
}
