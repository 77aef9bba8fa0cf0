/* Every allocation of a simulation fails once in turn: a status with a sentence, and no memory is
 * left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_wrap.h"
#include <slipcone/sim.h>

static SlipStatus add_bodies(SlipSim *sim, SlipBodyId body[2], SlipError *error) {
  const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  SlipShapeDef shape = slip_default_shape_def();
  SlipBodyDef def = slip_default_body_def();
  def.shapes = &shape;
  def.shape_count = 1;
  def.name = "ground";
  def.motion = SLIP_MOTION_TOLD;
  def.sine_axis[0] = def.sine_amplitude = def.sine_frequency = 1;
  shape.kind = SLIP_SHAPE_HALF_SPACE;
  shape.normal[2] = 1;
  SlipStatus status = slip_sim_add_body(sim, &def, NULL, error);
  def = slip_default_body_def();
  def.shapes = &shape;
  def.shape_count = 1;
  for (int k = 0; status == SLIP_OK && k < 2; k++) {
    def.name = k == 0 ? "hull" : "ball";
    def.position[0] = 3 * k;
    def.position[2] = k;
    shape.kind = k == 0 ? SLIP_SHAPE_HULL : SLIP_SHAPE_SPHERE;
    shape.radius = 1;
    shape.points = corner;
    shape.point_count = 4;
    status = slip_sim_add_body(sim, &def, &body[k], error);
  }
  return status;
}

static SlipStatus add_rest(SlipSim *sim, const SlipBodyId body[2], SlipError *error) {
  SlipJointDef joint = slip_default_joint_def();
  SlipForceDef force = slip_default_force_def();
  joint.name = "pin";
  joint.bodies[0] = body[0];
  joint.bodies[1] = body[1];
  force.body = body[1];
  force.force[0] = 1;
  SlipStatus status = slip_sim_add_joint(sim, &joint, NULL, error);
  return status == SLIP_OK ? slip_sim_add_force(sim, &force, error) : status;
}

static SlipStatus run(void *user, SlipError *error) {
  (void)user;
  SlipSimDef def = slip_default_sim_def();
  SlipMaterialDef material = slip_default_material_def();
  SlipContactRule rule = slip_default_contact_rule();
  SlipSim *sim;
  SlipBodyId body[2];
  void *bytes = NULL;
  size_t size;
  def.gravity[2] = -10;
  SlipStatus status = slip_sim_create(&def, &sim, error);
  if (status == SLIP_OK)
    status = slip_sim_add_material(sim, &material, NULL, error);
  if (status == SLIP_OK)
    status = slip_sim_add_rule(sim, &rule, error);
  if (status == SLIP_OK)
    status = add_bodies(sim, body, error);
  if (status == SLIP_OK)
    status = add_rest(sim, body, error);
  for (int k = 0; status == SLIP_OK && k < 2; k++)
    status = slip_sim_step(sim, NULL, error);
  if (status == SLIP_OK)
    status = slip_sim_save(sim, &bytes, &size, error);
  if (status == SLIP_OK)
    status = slip_sim_restore(sim, bytes, size, error);
  slip_sim_bytes_free(bytes);
  slip_sim_free(sim);
  return status;
}

/* Two elastic blocks on the ground. */
static SlipStatus add_elastic(SlipSim *sim, SlipError *error) {
  SlipDeformableDef def = slip_default_deformable_def();
  SlipLoadDef load = slip_default_load_def();
  SlipStatus status = SLIP_OK;
  load.where = "zmax";
  load.pressure = 1;
  def.young = 1e5;
  def.box[0] = def.box[1] = def.box[2] = 1;
  def.cells[0] = def.cells[1] = def.cells[2] = 1;
  for (int k = 0; status == SLIP_OK && k < 2; k++) {
    def.name = k == 0 ? "lower" : "upper";
    def.element = k == 0 ? SLIP_ELEMENT_H8 : SLIP_ELEMENT_T4;
    def.position[2] = 0.5 + k;
    status = slip_sim_add_deformable(sim, &def, &load.body, error);
  }
  return status == SLIP_OK ? slip_sim_add_load(sim, &load, error) : status;
}

static SlipStatus run_elastic(void *user, SlipError *error) {
  (void)user;
  SlipSimDef def = slip_default_sim_def();
  SlipShapeDef shape = slip_default_shape_def();
  SlipBodyDef ground = slip_default_body_def();
  SlipSim *sim;
  SlipProblem *problem = NULL;
  shape.kind = SLIP_SHAPE_HALF_SPACE;
  shape.normal[2] = 1;
  ground.motion = SLIP_MOTION_FIXED;
  ground.shapes = &shape;
  ground.shape_count = 1;
  def.gravity[2] = -10;
  SlipStatus status = slip_sim_create(&def, &sim, error);
  if (status == SLIP_OK)
    status = slip_sim_add_body(sim, &ground, NULL, error);
  if (status == SLIP_OK)
    status = add_elastic(sim, error);
  for (int k = 0; status == SLIP_OK && k < 2; k++)
    status = slip_sim_step(sim, NULL, error);
  if (status == SLIP_OK)
    status = slip_sim_global_problem(sim, &problem, error);
  slip_problem_free(problem);
  slip_sim_free(sim);
  return status;
}

static void test_elastic(void **state) {
  (void)state;
  long failed = alloc_fail_each(run_elastic, NULL);
  printf("%ld allocations failed\n", failed);
  assert_true(failed > 60);
}

static void test_each(void **state) {
  (void)state;
  long failed = alloc_fail_each(run, NULL);
  printf("%ld allocations failed\n", failed);
  assert_true(failed > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each), cmocka_unit_test(test_elastic)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
