/* Deformable bodies in the simulator: forces against differences of the energy, patch tests across
 * contacts, quasi-statics with its work, energy that never grows, momentum, snapshots, the contact
 * problem in both forms, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/soft.h"

static SlipError error;

static SlipSim *make_tol(int d, double h, double theta, double gravity, int inertia, double tol) {
  SlipSimDef def = slip_default_sim_def();
  SlipSim *sim;
  def.dimension = d;
  def.step = h;
  def.theta = theta;
  def.gravity[d - 1] = -gravity;
  def.inertia = inertia;
  SlipSettings *settings;
  assert_int_equal(slip_settings_create(NULL, &settings, &error), SLIP_OK);
  assert_int_equal(slip_settings_set_real(settings, "tol", tol, &error), SLIP_OK);
  def.settings = settings;
  assert_int_equal(slip_sim_create(&def, &sim, &error), SLIP_OK);
  slip_settings_free(settings);
  SlipContactRule rule = slip_default_contact_rule();
  rule.friction = 0.3;
  assert_int_equal(slip_sim_add_rule(sim, &rule, &error), SLIP_OK);
  return sim;
}

static SlipSim *make(int d, double h, double theta, double gravity, int inertia) {
  return make_tol(d, h, theta, gravity, inertia, 1e-9);
}

static SlipDeformableDef box(double x, double y, double z, int32_t nx, int32_t ny, int32_t nz,
                             double young) {
  SlipDeformableDef def = slip_default_deformable_def();
  memcpy(def.box, (double[]){x, y, z}, sizeof def.box);
  memcpy(def.cells, (int32_t[]){nx, ny, nz}, sizeof def.cells);
  def.young = young;
  def.poisson = 0.3;
  return def;
}

static SlipBodyId add(SlipSim *sim, const SlipDeformableDef *def) {
  SlipBodyId body;
  SlipStatus status = slip_sim_add_deformable(sim, def, &body, &error);
  if (status != SLIP_OK)
    print_message("%s\n", error.text);
  assert_int_equal(status, SLIP_OK);
  return body;
}

static void hold(SlipSim *sim, SlipBodyId body, const char *where, int fx, int fy, int fz,
                 double vx, double vz) {
  SlipSupportDef def = slip_default_support_def();
  def.body = body;
  def.where = where;
  memcpy(def.free, (int32_t[]){!fx, !fy, !fz}, sizeof def.free);
  def.velocity[0] = vx;
  def.velocity[slip_sim_dimension(sim) - 1] = vz;
  assert_int_equal(slip_sim_add_support(sim, &def, &error), SLIP_OK);
}

static void obstacle(SlipSim *sim, const SlipShapeDef *shape, double x, double y, double z,
                     double vx, double vz) {
  SlipBodyDef def = slip_default_body_def();
  def.motion = SLIP_MOTION_TOLD;
  def.shapes = shape;
  def.shape_count = 1;
  memcpy(def.position, (double[]){x, y, z}, sizeof def.position);
  def.velocity[0] = vx;
  def.velocity[slip_sim_dimension(sim) - 1] = vz;
  assert_int_equal(slip_sim_add_body(sim, &def, NULL, &error), SLIP_OK);
}

static void plane(SlipSim *sim) {
  SlipShapeDef shape = slip_default_shape_def();
  shape.kind = SLIP_SHAPE_HALF_SPACE;
  shape.normal[slip_sim_dimension(sim) - 1] = 1;
  obstacle(sim, &shape, 0, 0, 0, 0, 0);
}

static SlipStepInfo step(SlipSim *sim) {
  SlipStepInfo info = slip_default_step_info();
  SlipStatus status = slip_sim_step(sim, &info, &error);
  if (status != SLIP_OK)
    print_message("%s\n", error.text);
  assert_int_equal(status, SLIP_OK);
  return info;
}

static SlipDeformableState look(SlipSim *sim, SlipBodyId body) {
  SlipDeformableState state = slip_default_deformable_state();
  assert_int_equal(slip_sim_deformable(sim, body, &state, &error), SLIP_OK);
  return state;
}

/* ---- The frame ---- */

static double energy_at(SlipiSoft *soft, const double *x) {
  double R[9], sum = 0;
  memcpy(R, soft->R, sizeof R);
  slipi_soft_fit(soft, x, R);
  slipi_soft_displacement(soft, x, R, soft->work[0]);
  slipi_csr_multiply(&soft->matrices.K, soft->work[0], soft->work[1]);
  for (int32_t k = 0; k < soft->mesh->d * soft->nodes; k++)
    sum += soft->work[0][k] * soft->work[1][k] / 2;
  return sum;
}

/* A state that is strained by a tenth and turned; K u and the balance of moments against
 * differences of the energy, and the frame's spin against differences of the frame. */
static void check_frame(int d) {
  SlipSim *sim = make(d, 0.01, 0.5, 0, SLIP_INERTIA_FULL);
  SlipDeformableDef def = box(1, 0.6, 0.4, 2, 1, 1, 100);
  def.element = d == 3 ? SLIP_ELEMENT_H8 : SLIP_ELEMENT_Q4;
  SlipBodyId body = add(sim, &def);
  SlipiSoft *soft = slipi_soft_of(sim, body.index);
  double Q[9], axis[3] = {d == 3 ? 0.6 : 0, 0, d == 3 ? 0.8 : 1}, *force, *f3;
  slipi_rotation_about(axis, 1.1, Q);
  for (int64_t k = 0; k < soft->nodes; k++) {
    double *x = soft->x + 3 * k, *v = soft->v + 3 * k;
    for (int c = 0; c < d; c++) {
      x[c] += 0.1 * sin(3 * (double)k + c) * 0.6;
      v[c] = cos(2 * (double)k + c);
    }
    slipi_rotate(Q, x, x);
  }
  slipi_soft_fit(soft, soft->x, soft->R);
  force = calloc(6 * (size_t)soft->nodes, sizeof *force);
  f3 = force + 3 * (ptrdiff_t)soft->nodes;
  slipi_soft_displacement(soft, soft->x, soft->R, soft->u);
  slipi_csr_multiply(&soft->matrices.K, soft->u, soft->work[2]);
  for (int32_t k = 0; k < d * soft->nodes; k++)
    force[k] = -soft->work[2][k];
  slipi_soft_balance(soft, soft->u, soft->work[2], 1, force);
  slipi_soft_to_world(soft, soft->R, force, f3);
  double moment[3] = {0}, part[3], worst = 0, size = 0;
  for (int64_t k = 0; k < 3 * (int64_t)soft->nodes; k++) {
    static const double E = 1e-6;
    double keep = soft->x[k], up, down;
    if (k % 3 >= d)
      continue;
    soft->x[k] = keep + E;
    up = energy_at(soft, soft->x);
    soft->x[k] = keep - E;
    down = energy_at(soft, soft->x);
    soft->x[k] = keep;
    worst = fmax(worst, fabs(f3[k] + (up - down) / (2 * E)));
    size = fmax(size, fabs(f3[k]));
  }
  assert_true(worst < 1e-7 * size);
  for (int64_t k = 0; k < soft->nodes; k++) { /* no moment, to rounding */
    slipi_cross(soft->x + 3 * k, f3 + 3 * k, part);
    for (int c = 0; c < 3; c++)
      moment[c] += part[c];
  }
  assert_true(slipi_length(moment) < 1e-12 * size);
  static const double T = 1e-6;
  double spin[3], before[9], after[9];
  slipi_soft_spin(soft, soft->x, soft->v, soft->R, spin);
  for (int sign = -1; sign < 2; sign += 2) {
    double *R = sign < 0 ? before : after;
    for (int64_t k = 0; k < 3 * (int64_t)soft->nodes; k++)
      force[k] = soft->x[k] + sign * T * soft->v[k];
    memcpy(R, soft->R, sizeof before);
    slipi_soft_fit(soft, force, R);
  }
  for (int i = 0; i < 3; i++) { /* R' = spin x R */
    double column[3] = {soft->R[i], soft->R[3 + i], soft->R[6 + i]}, rate[3];
    slipi_cross(spin, column, rate);
    for (int k = 0; k < 3; k++)
      assert_true(fabs((after[3 * k + i] - before[3 * k + i]) / (2 * T) - rate[k]) < 1e-8);
  }
  free(force);
  slip_sim_free(sim);
}

static void test_frame(void **state) {
  (void)state;
  check_frame(3);
  check_frame(2);
}

/* ---- Patch tests ---- */

/* Two blocks of different meshes pressed on each other: the stress is uniform. */
static void check_patch(int d, int32_t below, int32_t above, int inertia) {
  static const double E = 1e6, SQUEEZE = 1e-3;
  SlipSim *sim = make_tol(d, 0.1, 0.5, 0, inertia, 1e-12);
  double high = 0.5;
  SlipDeformableDef def = box(1, d == 3 ? 1 : high, high, 3, d == 3 ? 4 : 2, 2, E);
  def.element = below;
  def.position[d - 1] = high / 2;
  SlipBodyId lower = add(sim, &def);
  def.element = above;
  memcpy(def.cells, (int32_t[]){4, d == 3 ? 5 : 3, 3}, sizeof def.cells);
  def.position[d - 1] = 3 * high / 2;
  SlipBodyId upper = add(sim, &def);
  hold(sim, lower, "xmin", 1, 0, 0, 0, 0);
  hold(sim, upper, "xmin", 1, 0, 0, 0, 0);
  if (d == 3) {
    hold(sim, lower, "ymin", 0, 1, 0, 0, 0);
    hold(sim, upper, "ymin", 0, 1, 0, 0, 0);
  }
  hold(sim, lower, d == 3 ? "zmin" : "ymin", 0, d == 2, 1, 0, 0);
  hold(sim, upper, d == 3 ? "zmax" : "ymax", 0, d == 2, 1, 0, -SQUEEZE / 0.1);
  SlipStepInfo info = step(sim);
  assert_true(info.contacts >= (d == 3 ? 12 : 4));
  double expected = -E * SQUEEZE / (2 * high) * (d == 2 ? 1 / (1 - 0.09) : 1);
  for (int which = 0; which < 2; which++) {
    SlipDeformableState at = look(sim, which ? upper : lower);
    for (int32_t k = 0; k < at.nodes; k++) {
      assert_true(fabs(at.stress[6 * k + d - 1] / expected - 1) < 1e-8);
      assert_true(fabs(at.stress[6 * k]) < 1e-8 * fabs(expected));
    }
  }
  slip_sim_free(sim);
}

static void test_patch(void **state) {
  (void)state;
  check_patch(3, SLIP_ELEMENT_H8, SLIP_ELEMENT_H8, SLIP_INERTIA_NONE_GAP);
  check_patch(3, SLIP_ELEMENT_H8, SLIP_ELEMENT_T4, SLIP_INERTIA_NONE);
  check_patch(3, SLIP_ELEMENT_T4, SLIP_ELEMENT_H8, SLIP_INERTIA_NONE_GAP);
  check_patch(2, SLIP_ELEMENT_Q4, SLIP_ELEMENT_Q4, SLIP_INERTIA_NONE_GAP);
  check_patch(2, SLIP_ELEMENT_T3, SLIP_ELEMENT_Q4, SLIP_INERTIA_NONE);
}

/* ---- Quasi-statics ---- */

/* A block held at its top, pressed on the ground and dragged to and fro: it sticks, then slides
 * from the edge on; the work of the support is what is stored and rubbed off. */
static void check_drag(int d, int inertia) {
  SlipSim *sim = make(d, 1, 0.5, 0, inertia);
  SlipDeformableDef def = box(1, d == 3 ? 1 : 0.5, 0.5, 4, d == 3 ? 2 : 3, 3, 1e5);
  def.element = d == 3 ? SLIP_ELEMENT_H8 : SLIP_ELEMENT_Q4;
  def.position[d - 1] = 0.25;
  plane(sim);
  SlipBodyId body = add(sim, &def);
  SlipSupportDef top = slip_default_support_def();
  top.body = body;
  top.where = d == 3 ? "zmax" : "ymax";
  assert_int_equal(slip_sim_add_support(sim, &top, &error), SLIP_OK);
  SlipiSupport *support = slipi_soft_of(sim, body.index)->support;
  double most = 0;
  bool slid = false, stuck = false;
  for (int k = 0; k < 40; k++) {
    support->velocity[0] = k < 5 ? 0 : k < 25 ? 2e-4 : -2e-4;
    support->velocity[d - 1] = k < 5 ? -4e-4 : 0;
    SlipStepInfo info = step(sim);
    SlipSimState at = slip_default_sim_state();
    slip_sim_state(sim, &at, &error);
    for (int32_t c = 0; c < at.contacts; c++) {
      slid = slid || at.contact[c].status == SLIP_CONTACT_SLIP;
      stuck = stuck || (k > 6 && at.contact[c].status == SLIP_CONTACT_STICK);
    }
    const SlipEnergy *e = &info.energy;
    most = fmax(most, fabs(e->applied - e->elastic - e->friction - e->impact) / e->throughput);
    assert_true(fabs(e->imbalance) < 1e-8 * e->throughput);
    assert_true(e->elastic > 0 && e->applied > 0);
    if (inertia == SLIP_INERTIA_NONE_GAP)
      assert_true(info.penetration < 1e-9);
  }
  assert_true(slid && stuck);
  assert_true(most < 1e-8);
  slip_sim_free(sim);
}

static void test_drag(void **state) {
  (void)state;
  check_drag(2, SLIP_INERTIA_NONE);
  check_drag(2, SLIP_INERTIA_NONE_GAP);
  check_drag(3, SLIP_INERTIA_NONE_GAP);
}

/* A column held below under a pressure on top and its weight. */
static void test_column(void **state) {
  (void)state;
  SlipSim *sim = make(3, 1, 0.5, 10, SLIP_INERTIA_NONE);
  SlipDeformableDef def = box(0.5, 0.5, 2, 1, 1, 8, 1e6);
  def.poisson = 0;
  SlipBodyId body = add(sim, &def);
  hold(sim, body, "zmin", 1, 1, 1, 0, 0);
  SlipLoadDef load = slip_default_load_def();
  load.body = body;
  load.where = "zmax";
  load.pressure = 500;
  assert_int_equal(slip_sim_add_load(sim, &load, &error), SLIP_OK);
  step(sim);
  SlipDeformableState at = look(sim, body);
  for (int32_t k = 0; k < at.nodes; k++) {
    double z = at.rest[3 * k + 2] + 1, exact = -(500 * z + 1000 * 10 * (2 * z - z * z / 2)) / 1e6;
    assert_true(fabs(at.position[3 * k + 2] - at.rest[3 * k + 2] - exact) < 1e-12);
  }
  slip_sim_free(sim);
}

/* ---- Dynamics ---- */

/* A body that spins, falls and lands: no step gains energy. */
static void check_gain(double young, double theta, int element, bool ground) {
  SlipSim *sim = make(3, 0.004, theta, ground ? 9.81 : 0, SLIP_INERTIA_FULL);
  SlipDeformableDef def = box(0.8, 0.3, 0.2, 4, 2, 1, young);
  def.element = element;
  memcpy(def.spin, (double[]){1, 2, ground ? 3 : 20}, sizeof def.spin);
  def.position[2] = 0.3;
  if (ground)
    plane(sim);
  add(sim, &def);
  SlipEnergy before;
  slip_sim_energy(sim, &before);
  double level = before.kinetic + before.potential, scale = before.kinetic + 500;
  for (int k = 0; k < 120; k++) {
    SlipStepInfo info = step(sim);
    const SlipEnergy *e = &info.energy;
    double now = e->kinetic + e->potential + e->elastic;
    assert_true(now - level < 1e-10 * scale);
    level = now;
  }
  slip_sim_free(sim);
}

static void test_gain(void **state) {
  (void)state;
  check_gain(1e5, 0.5, SLIP_ELEMENT_H8, true);
  check_gain(1e7, 0.5, SLIP_ELEMENT_T4, true);
  check_gain(1e5, 0.75, SLIP_ELEMENT_H8, true);
  check_gain(1e6, 1, SLIP_ELEMENT_H8, true);
  check_gain(1e6, 0.5, SLIP_ELEMENT_H8, false);
}

/* Without contact a stiff body turns as a rigid one does, and its momentum stays. */
static void test_spin(void **state) {
  (void)state;
  SlipSim *sim = make(3, 0.005, 0.5, 0, SLIP_INERTIA_FULL);
  SlipDeformableDef def = box(1, 1, 1, 2, 2, 2, 1e8);
  def.spin[2] = 4;
  def.velocity[0] = 1;
  SlipBodyId body = add(sim, &def);
  SlipiSoft *soft = slipi_soft_of(sim, body.index);
  for (int k = 0; k < 400; k++)
    step(sim);
  double c[3], v[3];
  slipi_soft_centre(soft, soft->x, c);
  slipi_soft_centre(soft, soft->v, v);
  assert_true(fabs(c[0] - 2) < 1e-12 && fabs(v[0] - 1) < 1e-12 && fabs(v[1]) < 1e-12);
  SlipSimState at = slip_default_sim_state();
  slip_sim_state(sim, &at, &error);
  double angle = 2 * atan2(at.rotation[3], at.rotation[0]);
  assert_true(fabs(remainder(angle - 8, 2 * 3.141592653589793)) < 2e-3);
  assert_true(fabs(at.spin[2] - 4) < 1e-2);
  slip_sim_free(sim);
}

/* A soft ball and a rigid one hit each other in space. */
static void test_momentum(void **state) {
  (void)state;
  SlipSim *sim = make(3, 0.002, 0.5, 0, SLIP_INERTIA_FULL);
  SlipDeformableDef def = slip_default_deformable_def();
  def.radius = 0.1;
  def.cells[0] = 4;
  def.young = 1e5;
  def.poisson = 0.3;
  def.velocity[0] = 1;
  SlipBodyId soft = add(sim, &def), rigid;
  SlipShapeDef shape = slip_default_shape_def();
  shape.kind = SLIP_SHAPE_BOX;
  shape.edges[0] = shape.edges[1] = shape.edges[2] = 0.2;
  SlipBodyDef body = slip_default_body_def();
  body.shapes = &shape;
  body.shape_count = 1;
  body.position[0] = 0.25;
  body.position[1] = 0.03;
  assert_int_equal(slip_sim_add_body(sim, &body, &rigid, &error), SLIP_OK);
  SlipiSoft *ball = slipi_soft_of(sim, soft.index);
  double start = ball->mass, touched = 0;
  for (int k = 0; k < 150; k++)
    touched += step(sim).contacts;
  double v[3];
  slipi_soft_centre(ball, ball->v, v);
  for (int c = 0; c < 3; c++) {
    double p = ball->mass * v[c] +
               sim->bodies.mass[rigid.index] * sim->bodies.v[3 * (int64_t)rigid.index + c];
    assert_true(fabs(p - (c == 0 ? start : 0)) < 1e-11 * start);
  }
  assert_true(touched > 0 && v[0] < 0.9);
  slip_sim_free(sim);
}

/* ---- The problem ---- */

static SlipSim *landed(void) {
  SlipSim *sim = make(3, 0.002, 0.5, 9.81, SLIP_INERTIA_FULL);
  SlipDeformableDef def = box(0.4, 0.4, 0.4, 3, 3, 3, 1e6);
  plane(sim);
  def.position[2] = 0.2001;
  add(sim, &def);
  def.position[2] = 0.6003;
  def.velocity[2] = -0.2;
  add(sim, &def);
  return sim;
}

/* The local problem of a step is what its global one reduces to, and has full rank. */
static void test_problem(void **state) {
  (void)state;
  SlipSim *sim = landed();
  for (int k = 0; k < 5; k++)
    step(sim);
  SlipProblem *global, *local;
  assert_int_equal(slip_sim_global_problem(sim, &global, &error), SLIP_OK);
  assert_int_equal(slip_problem_reduce(global, &local, &error), SLIP_OK);
  SlipLocalData one = slip_default_local_data(), two = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(slip_sim_problem(sim), &one, &error), SLIP_OK);
  assert_int_equal(slip_problem_local_data(local, &two, &error), SLIP_OK);
  assert_int_equal(one.contacts, two.contacts);
  assert_true(one.contacts == 32);
  double largest = 0;
  for (int64_t k = 0; k < one.W.nnz; k++)
    largest = fmax(largest, fabs(one.W.x[k]));
  for (int32_t row = 0; row < one.W.rows; row++) {
    double dense[200] = {0};
    for (int32_t k = one.W.p[row]; k < one.W.p[row + 1]; k++)
      dense[one.W.i[k]] += one.W.x[k];
    for (int32_t k = two.W.p[row]; k < two.W.p[row + 1]; k++)
      dense[two.W.i[k]] -= two.W.x[k];
    for (int32_t k = 0; k < one.W.rows; k++)
      assert_true(fabs(dense[k]) < 1e-11 * largest);
    assert_true(fabs(one.q[row] - two.q[row]) < 1e-11);
  }
  SlipFeatures features = slip_default_features();
  assert_int_equal(slip_problem_features(slip_sim_problem(sim), &features, &error), SLIP_OK);
  assert_int_equal(features.rank, 3 * one.contacts);
  slip_problem_free(local);
  slip_problem_free(global);
  slip_sim_free(sim);
}

static void test_snapshot(void **state) {
  (void)state;
  SlipSim *sim = landed(), *other = landed();
  void *bytes;
  size_t size;
  for (int k = 0; k < 8; k++)
    step(sim);
  assert_int_equal(slip_sim_save(sim, &bytes, &size, &error), SLIP_OK);
  assert_int_equal(slip_sim_restore(other, bytes, size, &error), SLIP_OK);
  for (int k = 0; k < 8; k++) {
    step(sim);
    step(other);
  }
  const SlipiSoft *a = sim->softs->at[1], *b = other->softs->at[1];
  assert_memory_equal(a->x, b->x, 3 * (size_t)a->nodes * sizeof(double));
  assert_memory_equal(a->v, b->v, 3 * (size_t)a->nodes * sizeof(double));
  slip_sim_bytes_free(bytes);
  slip_sim_free(sim);
  slip_sim_free(other);
}

/* ---- Refusals ---- */

static void refused(SlipStatus status, const char *expected) {
  assert_int_not_equal(status, SLIP_OK);
  if (!strstr(error.text, expected))
    print_message("%s\n", error.text);
  assert_non_null(strstr(error.text, expected));
}

/* Triangles to draw a body by: all outward, so that they enclose its volume; in 2D its area. */
static void test_surface(void **state) {
  (void)state;
  for (int d = 2; d <= 3; d++) {
    SlipSim *sim = make(d, 0.01, 0.5, 0, SLIP_INERTIA_FULL);
    SlipDeformableDef def = box(1, 2, d == 3 ? 3 : 0, 2, 3, d == 3 ? 4 : 0, 1e6);
    def.element = d == 3 ? SLIP_ELEMENT_H8 : SLIP_ELEMENT_Q4;
    SlipShapeDef shape = slip_default_shape_def();
    int32_t slot = -1;
    double enclosed = 0;
    add(sim, &def);
    assert_int_equal(slip_sim_shape_count(sim), 1);
    assert_int_equal(slip_sim_shape(sim, 0, &shape, &slot, &error), SLIP_OK);
    assert_int_equal(slot, 0);
    assert_int_equal(shape.kind, SLIP_SHAPE_MESH);
    for (int32_t k = 0; k < shape.triangle_count; k++) {
      const double *a = shape.points + 3 * shape.triangles[3 * k];
      const double *b = shape.points + 3 * shape.triangles[3 * k + 1];
      const double *c = shape.points + 3 * shape.triangles[3 * k + 2];
      double normal[3], ab[3], ac[3];
      for (int i = 0; i < 3; i++) {
        ab[i] = b[i] - a[i];
        ac[i] = c[i] - a[i];
      }
      slipi_cross(ab, ac, normal);
      enclosed += d == 2 ? normal[2] / 2 : slipi_dot3(a, normal) / 6;
    }
    assert_true(fabs(enclosed - (d == 2 ? 2 : 6)) < 1e-12);
    assert_int_equal(slip_sim_shape(sim, 1, &shape, &slot, &error), SLIP_ERROR_ARGUMENT);
    slip_sim_free(sim);
  }
}

static void test_refused(void **state) {
  (void)state;
  SlipSim *sim = make(3, 0.01, 0.5, 0, SLIP_INERTIA_NONE);
  SlipDeformableDef def = box(1, 1, 1, 1, 1, 1, 1e6);
  SlipBodyId body;
  def.young = 0;
  refused(slip_sim_add_deformable(sim, &def, &body, &error), "young is 0");
  def.young = 1e6;
  def.poisson = 0.5;
  refused(slip_sim_add_deformable(sim, &def, &body, &error), "poisson is 0.5");
  def.poisson = 0.3;
  def.damping[1] = -1;
  refused(slip_sim_add_deformable(sim, &def, &body, &error), "damping[1] is -1");
  def.damping[1] = 0;
  def.element = SLIP_ELEMENT_Q4;
  refused(slip_sim_add_deformable(sim, &def, &body, &error), "2D");
  def.element = 7;
  refused(slip_sim_add_deformable(sim, &def, &body, &error), "element 7");
  def.element = SLIP_ELEMENT_H8;
  def.radius = 1;
  refused(slip_sim_add_deformable(sim, &def, &body, &error), "one of them");
  def.radius = 0;
  def.material = 3;
  refused(slip_sim_add_deformable(sim, &def, &body, &error), "material 3");
  def.material = -1;
  body = add(sim, &def);
  SlipSupportDef support = slip_default_support_def();
  support.body = body;
  refused(slip_sim_add_support(sim, &support, &error), "where is null");
  support.where = "wmin";
  refused(slip_sim_add_support(sim, &support, &error), "wmin");
  SlipLoadDef load = slip_default_load_def();
  load.body = body;
  load.where = "zmax";
  load.pressure = NAN;
  refused(slip_sim_add_load(sim, &load, &error), "pressure");
  refused(slip_sim_step(sim, NULL, &error), "not held");
  refused(slip_sim_set_pose(sim, body, (double[3]){0}, (double[4]){1}, &error), "deformable");
  assert_int_equal(slip_sim_remove_body(sim, body, &error), SLIP_OK);
  refused(slip_sim_add_load(sim, &load, &error), "removed");
  assert_int_equal(slip_sim_step(sim, NULL, &error), SLIP_OK);
  slip_sim_free(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_frame),    cmocka_unit_test(test_patch),
      cmocka_unit_test(test_drag),     cmocka_unit_test(test_column),
      cmocka_unit_test(test_gain),     cmocka_unit_test(test_spin),
      cmocka_unit_test(test_momentum), cmocka_unit_test(test_problem),
      cmocka_unit_test(test_snapshot), cmocka_unit_test(test_refused),
      cmocka_unit_test(test_surface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
