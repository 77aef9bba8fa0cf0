/* The ledger of a simulation balances, and its energy never grows: random scenes of spheres, boxes,
 * capsules, cylinders and hulls thrown into a corner. SLIPCONE_FULL=1 tries 1,000 of them.
 *
 * The unit is m (h g)^2 of all bodies, what gravity does in a step: problems are solved to 1e-8 of
 * about that, and no step may add more than 1e-6 of it. Joints are held by predictions of second
 * order, which go both ways: what they make must be what they have lost before, their credit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "sim/sim.h"
#include "sim_case.h"

enum { HULL_POINTS = 12, BODIES_MOST = 12 };

static SlipShapeDef random_shape(SlipiRandom *random, double points[3 * HULL_POINTS]) {
  SlipShapeDef shape = sim_sphere(slipi_random_between(random, 0.05, 0.15));
  shape.length = slipi_random_between(random, 0.1, 0.3);
  for (int k = 0; k < 3; k++)
    shape.edges[k] = slipi_random_between(random, 0.1, 0.3);
  switch (slipi_random_below(random, 5)) {
  case 0:
    shape.kind = SLIP_SHAPE_BOX;
    break;
  case 1:
    shape.kind = SLIP_SHAPE_CAPSULE;
    break;
  case 2:
    shape.kind = SLIP_SHAPE_CYLINDER;
    break;
  case 3:
    shape.kind = SLIP_SHAPE_HULL;
    for (int k = 0; k < 3 * HULL_POINTS; k++)
      points[k] = slipi_random_between(random, -0.15, 0.15);
    shape.points = points;
    shape.point_count = HULL_POINTS;
    break;
  default:
    break;
  }
  return shape;
}

/* Its mass. */
static double add_random_body(SlipSim *sim, SlipiRandom *random, int k, SlipBodyId *body) {
  double points[3 * HULL_POINTS], q[4], v[6];
  SlipShapeDef shape = random_shape(random, points);
  SlipBodyDef def = slip_default_body_def();
  def.shapes = &shape;
  def.shape_count = 1;
  def.position[0] = 0.3 + 0.45 * (k % 2);
  def.position[1] = 0.3 + 0.45 * (k / 2 % 2);
  def.position[2] = 0.3 + 0.45 * (double)(k / 4);
  for (int i = 0; i < 4; i++)
    q[i] = slipi_random_normal(random);
  for (int i = 0; i < 6; i++)
    v[i] = slipi_random_between(random, -3, 3);
  memcpy(def.rotation, q, sizeof q);
  memcpy(def.velocity, v, sizeof def.velocity);
  memcpy(def.spin, v + 3, sizeof def.spin);
  double mass;
  *body = sim_body_def(sim, &def);
  slip_sim_mass(sim, *body, &mass, NULL, NULL);
  return mass;
}

typedef struct Measured {
  double growth, debt; /* over the least energy so far, and of joints; in m (h g)^2 of all bodies */
  double imbalance, projection; /* shares of the throughput */
  int unsolved;
} Measured;

/* Every second body hangs on the one before by some joint. */
static void add_random_joints(SlipSim *sim, SlipiRandom *random, int count,
                              const SlipBodyId *body) {
  static const int32_t kinds[] = {SLIP_JOINT_BALL, SLIP_JOINT_HINGE, SLIP_JOINT_DISTANCE,
                                  SLIP_JOINT_FIXED};
  for (int k = 1; k < count; k += 2) {
    SlipJointDef def = slip_default_joint_def();
    const double *x = sim_position(sim, body[k - 1]), *y = sim_position(sim, body[k]);
    def.kind = kinds[slipi_random_below(random, 4)];
    def.bodies[0] = body[k - 1];
    def.bodies[1] = body[k];
    for (int i = 0; i < 3; i++) {
      def.at[i] = def.kind == SLIP_JOINT_DISTANCE ? x[i] : (x[i] + y[i]) / 2;
      def.other[i] = y[i];
      def.axis[i] = slipi_random_normal(random);
    }
    sim_joint(sim, &def);
  }
}

static double credit_of(const SlipSim *sim) {
  double sum = 0;
  for (int32_t k = 0; k < sim->joints; k++)
    sum += sim->joint[k].credit;
  return sum;
}

static Measured measure(uint64_t seed, double restitution, bool joints, int steps) {
  SlipiRandom random;
  slipi_random_seed(&random, seed);
  SlipSimDef def = slip_default_sim_def();
  def.gravity[2] = -SIM_G;
  def.on_failure = SLIP_ON_FAILURE_WARN;
  SlipSim *sim = sim_make_def(&def, 1e-8);
  double mu = slipi_random_between(&random, 0, 1.5);
  sim_rule(sim, mu, restitution * slipi_random_unit(&random));
  sim_plane(sim, 0, 0, 1);
  sim_plane(sim, 1, 0, 0);
  sim_plane(sim, 0, 1, 0);
  int bodies = 1 + (int)slipi_random_below(&random, BODIES_MOST);
  SlipBodyId body[BODIES_MOST];
  double mass = 0, least = INFINITY, unit;
  for (int k = 0; k < bodies; k++)
    mass += add_random_body(sim, &random, k, &body[k]);
  if (joints)
    add_random_joints(sim, &random, bodies, body);
  unit = mass * pow(def.step * SIM_G, 2);
  Measured measured = {0};
  SlipStepInfo info = slip_default_step_info();
  for (int k = 0; k < steps; k++) {
    SlipError error;
    if (slip_sim_step(sim, &info, &error) != SLIP_OK)
      fail_msg("scene %d: %s", (int)seed, error.text);
    double credit = credit_of(sim), now = info.energy.kinetic + info.energy.potential + credit;
    least = fmin(least, now);
    measured.unsolved += info.outcome != SLIP_SOLVED;
    measured.growth = fmax(measured.growth, (now - least) / unit);
    measured.debt = fmax(measured.debt, -credit / unit);
  }
  measured.imbalance = fabs(info.energy.imbalance) / info.energy.throughput;
  measured.projection = fabs(info.energy.projection) / info.energy.throughput;
  if (measured.growth > 1e-6 || measured.debt > 1e-6 || (!joints && measured.imbalance > 1e-9) ||
      measured.unsolved > 0)
    printf("scene %d: mu %.3f, %d bodies: growth %.2e, debt %.2e, imbalance %.2e, %d unsolved\n",
           (int)seed, mu, bodies, measured.growth, measured.debt, measured.imbalance,
           measured.unsolved);
  slip_sim_free(sim);
  return measured;
}

static int full(void) {
  const char *value = getenv("SLIPCONE_FULL");
  return value && strcmp(value, "1") == 0;
}

static void run(double restitution, bool joints) {
  int count = full() ? 1000 : 20;
  double growth = 0, debt = 0, imbalance = 0, projection = 0;
  int unsolved = 0;
  for (int k = 0; k < count; k++) {
    Measured m = measure((uint64_t)k + 1, restitution, joints, 200);
    growth = fmax(growth, m.growth);
    debt = fmax(debt, m.debt);
    imbalance = fmax(imbalance, m.imbalance);
    projection = fmax(projection, m.projection);
    unsolved += m.unsolved;
  }
  printf("%d scenes%s, e up to %g: growth %.2e, debt %.2e, imbalance %.2e, projection %.2e, %d "
         "unsolved "
         "steps\n",
         count, joints ? " with joints" : "", restitution, growth, debt, imbalance, projection,
         unsolved);
  if (!joints)
    assert_true(imbalance < 1e-9);
  assert_true(growth < 1e-6);
  assert_true(debt < 1e-6);
}

static void test_inelastic(void **state) {
  (void)state;
  run(0, false);
}

static void test_elastic(void **state) {
  (void)state;
  run(1, false);
}

static void test_joints(void **state) {
  (void)state;
  run(1, true);
}

/* Two equal spheres on a rod, one of which spins about it. A debt of four fifths of the energy is
 * paid in one step. */
static void test_debt_is_paid_at_once(void **state) {
  (void)state;
  SlipSimDef def = slip_default_sim_def();
  SlipSim *sim = sim_make_def(&def, 1e-8);
  SlipShapeDef ball = sim_sphere(0.1);
  SlipBodyId one = sim_body(sim, &ball, -0.3, 0, 0), other = sim_body(sim, &ball, 0.3, 0, 0);
  SlipJointDef rod = slip_default_joint_def();
  rod.kind = SLIP_JOINT_DISTANCE;
  rod.bodies[0] = one;
  rod.bodies[1] = other;
  rod.at[0] = -0.3;
  rod.other[0] = 0.3;
  sim_joint(sim, &rod);
  sim_throw(sim, one, 0, 0, 0, 50, 0, 0);
  double before = sim_steps(sim, 1).energy.kinetic;
  sim->joint[0].credit = -0.8 * before;
  double after = sim_steps(sim, 1).energy.kinetic;
  assert_float_equal(after, 0.2 * before, 1e-9 * before);
  assert_float_equal(credit_of(sim), 0, 1e-9 * before);
  slip_sim_free(sim);
}

/* Rods thrown at rough ground, foot first: where friction is large, Coulomb's law has no or several
 * solutions with accelerations (Painlevé), and has one with impulses. */
static void test_rods(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 7);
  double worst = 0;
  for (int rod = 0; rod < (full() ? 50 : 10); rod++) {
    SlipSim *sim = sim_make(3, 0.005, 1e-8);
    SlipShapeDef shape = sim_box(0.06, 0.06, 1);
    sim_rule(sim, 1.5, 0);
    sim_plane(sim, 0, 0, 1);
    double lean = slipi_random_between(&random, -1.2, 1.2);
    double height = 0.5 * cos(lean) + 0.03 * fabs(sin(lean)) + 0.02, mass, least = INFINITY;
    SlipBodyId body = sim_body(sim, &shape, 0, 0, height);
    slip_sim_mass(sim, body, &mass, NULL, NULL);
    sim_turn(sim, body, 0, 1, 0, lean);
    sim_throw(sim, body, slipi_random_between(&random, -5, 5), 0, -3 * slipi_random_unit(&random),
              0, slipi_random_between(&random, -10, 10), 0);
    for (int k = 0; k < 400; k++) {
      SlipStepInfo info = sim_steps(sim, 1);
      double now = info.energy.kinetic + info.energy.potential;
      least = fmin(least, now);
      worst = fmax(worst, (now - least) / (mass * pow(0.005 * SIM_G, 2)));
      assert_true(fabs(info.energy.imbalance) < 1e-9 * info.energy.throughput);
    }
    assert_true(sim_position(sim, body)[2] > 0.029);
    slip_sim_free(sim);
  }
  printf("rods: growth %.2e m (h g)^2\n", worst);
  assert_true(worst < 1e-6);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_inelastic),
                                     cmocka_unit_test(test_elastic), cmocka_unit_test(test_joints),
                                     cmocka_unit_test(test_debt_is_paid_at_once),
                                     cmocka_unit_test(test_rods)};
  if (argc > 1) /* one of them */
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
