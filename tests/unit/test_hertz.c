/* A rigid sphere pressed into an elastic block, against Hertz, and dragged, against Cattaneo and
 * Mindlin. Meshes are graded, blocks of a quarter or a half; bench/hertz.py has finer ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <slipcone/sim.h>

enum { CELLS = 7, LINE_MOST = 64, PRESS = 4 };
static const double YOUNG = 1e6, POISSON = 0.3, RADIUS = 1, DEPTH = 0.0025, MU = 0.3;

/* Planes from 0 on: CELLS of equal width over 1.4 radii of contact, then growing ones. */
static int32_t make_line(double size, double line[LINE_MOST]) {
  double step = 1.4 * sqrt(RADIUS * DEPTH) / CELLS;
  int32_t count = 1;
  line[0] = 0;
  while (line[count - 1] < size) {
    if (count > CELLS)
      step *= 1 + 2.8 / CELLS;
    assert_true(count < LINE_MOST);
    line[count] = line[count - 1] + step;
    count++;
  }
  return count;
}

typedef struct Planes {
  double x[2 * LINE_MOST], y[LINE_MOST], z[LINE_MOST];
  int32_t count[3];
} Planes;

static Planes make_planes(double size, bool half) {
  Planes planes;
  double line[LINE_MOST];
  int32_t n = make_line(size, line);
  for (int32_t k = 0; k < n; k++) {
    planes.y[k] = line[k];
    planes.z[k] = -line[n - 1 - k];
    planes.x[half ? n - 1 + k : k] = line[k];
    if (half)
      planes.x[n - 1 - k] = -line[k];
  }
  planes.count[0] = half ? 2 * n - 1 : n;
  planes.count[1] = planes.count[2] = n;
  return planes;
}

static void must(SlipStatus status, const SlipError *error) {
  if (status != SLIP_OK)
    fail_msg("%s", error->text);
}

static void hold(SlipSim *sim, SlipBodyId body, const char *where, bool x, bool y, bool z) {
  SlipSupportDef def = slip_default_support_def();
  SlipError error;
  def.body = body;
  def.where = where;
  def.free[0] = !x;
  def.free[1] = !y;
  def.free[2] = !z;
  must(slip_sim_add_support(sim, &def, &error), &error);
}

static SlipBodyId add_block(SlipSim *sim, const Planes *planes) {
  static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const int32_t *n = planes->count;
  int32_t points = n[0] * n[1] * n[2], elements = (n[0] - 1) * (n[1] - 1) * (n[2] - 1), used = 0;
  double *x = malloc(3 * (size_t)points * sizeof *x);
  int32_t *node = malloc(8 * (size_t)elements * sizeof *node);
  assert_true(x && node);
  for (int32_t k = 0; k < points; k++) {
    x[3 * k] = planes->x[k / (n[1] * n[2])];
    x[3 * k + 1] = planes->y[k / n[2] % n[1]];
    x[3 * k + 2] = planes->z[k % n[2]];
  }
  for (int32_t i = 0; i + 1 < n[0]; i++)
    for (int32_t j = 0; j + 1 < n[1]; j++)
      for (int32_t k = 0; k + 1 < n[2]; k++)
        for (int c = 0; c < 8; c++)
          node[used++] = ((i + corner[c][0]) * n[1] + j + corner[c][1]) * n[2] + k + corner[c][2];
  SlipDeformableDef def = slip_default_deformable_def();
  SlipBodyId body;
  SlipError error;
  def.element = SLIP_ELEMENT_H8;
  def.young = YOUNG;
  def.poisson = POISSON;
  def.points = x;
  def.point_count = points;
  def.elements = node;
  def.element_count = elements;
  must(slip_sim_add_deformable(sim, &def, &body, &error), &error);
  free(x);
  free(node);
  return body;
}

static SlipSim *make_sim(double size, bool half, SlipBodyId *block, SlipBodyId *sphere) {
  SlipSimDef def = slip_default_sim_def();
  SlipBodyDef ball = slip_default_body_def();
  SlipShapeDef shape = slip_default_shape_def();
  Planes planes = make_planes(size, half);
  SlipSim *sim = NULL;
  SlipError error;
  def.inertia = SLIP_INERTIA_NONE_GAP;
  def.step = 1;
  def.reach = 1e-5;
  def.gravity[2] = 0;
  must(slip_sim_create(&def, &sim, &error), &error);
  *block = add_block(sim, &planes);
  hold(sim, *block, "zmin", true, true, true);
  hold(sim, *block, "ymin", false, true, false);
  if (!half)
    hold(sim, *block, "xmin", true, false, false);
  shape.kind = SLIP_SHAPE_SPHERE;
  shape.radius = RADIUS;
  ball.motion = SLIP_MOTION_TOLD;
  ball.shapes = &shape;
  ball.shape_count = 1;
  ball.position[2] = RADIUS;
  ball.velocity[2] = -DEPTH / PRESS;
  must(slip_sim_add_body(sim, &ball, sphere, &error), &error);
  return sim;
}

static void step(SlipSim *sim, int count) {
  for (int k = 0; k < count; k++) {
    SlipStepInfo info = slip_default_step_info();
    SlipError error;
    must(slip_sim_step(sim, &info, &error), &error);
    assert_int_equal(info.outcome, SLIP_SOLVED);
  }
}

/* Force and radius of contact, by moments of the nodal forces, over Hertz's. */
static void press(double blocks, double *force, double *radius, double *wide) {
  double contact = sqrt(RADIUS * DEPTH), second = 0, sum = 0, line[LINE_MOST];
  SlipDeformableState at = slip_default_deformable_state();
  SlipBodyId block, sphere;
  SlipSim *sim = make_sim(blocks * contact, false, &block, &sphere);
  step(sim, PRESS);
  assert_int_equal(slip_sim_deformable(sim, block, &at, NULL), SLIP_OK);
  for (int64_t k = 0; k < at.nodes; k++) {
    const double *x = at.position + 3 * k, push = -at.force[3 * k + 2];
    sum += push;
    second += push * (x[0] * x[0] + x[1] * x[1]);
  }
  *force = 4 * sum / (4.0 / 3 * YOUNG / (1 - POISSON * POISSON) * sqrt(RADIUS) * pow(DEPTH, 1.5));
  *radius = sqrt(2.5 * second / sum) / contact;
  *wide = line[make_line(blocks * contact, line) - 1] / contact;
  slip_sim_free(sim);
}

/* A block is stiffer than a half-space by a share of the order of radius over size: two sizes tell
 * it. */
static void test_hertz(void **state) {
  (void)state;
  double force[2], radius[2], wide[2];
  for (int k = 0; k < 2; k++)
    press(k == 0 ? 20 : 10, &force[k], &radius[k], &wide[k]);
  double slope = (force[1] - force[0]) / (1 / wide[1] - 1 / wide[0]);
  assert_true(slope > 0.3 && slope < 2);
  assert_true(fabs(force[0] - slope / wide[0] - 1) < 0.03);
  assert_true(fabs(radius[0] - 1) < 0.03);
}

/* The radius of what sticks, by the area of the nodes that do: (1 - Q/(mu P))^(1/3). */
static double stick_radius(SlipSim *sim) {
  SlipSimState now = slip_default_sim_state();
  double stuck = 0, all = 0;
  assert_int_equal(slip_sim_state(sim, &now, NULL), SLIP_OK);
  for (int32_t k = 0; k < now.contacts; k++) {
    const SlipSimContact *contact = &now.contact[k];
    double area = fabs(contact->position[1]) < 1e-9 ? 0.5 : 1; /* half a node on the cut */
    if (contact->impulse[2] == 0)
      continue;
    all += area;
    stuck += contact->status == SLIP_CONTACT_STICK ? area : 0;
  }
  return sqrt(stuck / all);
}

/* Friction begins when the sphere is dragged. */
static void rule(void *user, const SlipRuleContact *contact, SlipContactRule *made) {
  (void)user;
  made->friction = contact->time > PRESS - 0.5 ? MU : 0;
}

static void test_mindlin(void **state) {
  (void)state;
  enum { DRAG = 6 };
  SlipBodyId block, sphere;
  SlipSim *sim = make_sim(20 * sqrt(RADIUS * DEPTH), true, &block, &sphere);
  const double drag[3] = {MU * DEPTH / 9, 0, 0}, spin[3] = {0};
  slip_sim_set_rule_function(sim, rule, NULL);
  step(sim, PRESS);
  int partly = 0;
  for (int k = 0; k < DRAG; k++) {
    SlipDeformableState at = slip_default_deformable_state();
    double Q = 0, P = 0;
    assert_int_equal(slip_sim_set_velocity(sim, sphere, drag, spin, NULL), SLIP_OK);
    step(sim, 1);
    assert_int_equal(slip_sim_deformable(sim, block, &at, NULL), SLIP_OK);
    for (int64_t n = 0; n < at.nodes; n++) {
      Q += at.force[3 * n];
      P -= at.force[3 * n + 2];
    }
    double truth = cbrt(1 - fabs(Q) / (MU * P)), found = stick_radius(sim);
    assert_true(fabs(found / truth - 1) < 0.05);
    partly += found < 0.95;
  }
  assert_true(partly >= 4);
  slip_sim_free(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hertz), cmocka_unit_test(test_mindlin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
