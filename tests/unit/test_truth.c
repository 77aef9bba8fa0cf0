/* Shipped scenes against the answers that mechanics gives for them: each is read from its file,
 * with values replaced as `--set` does. SLIPCONE_FULL=1 runs stacks and arches to their ends. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/scene.h>

#include "sim_case.h"

static const double PI = 3.141592653589793;

typedef struct {
  SlipSim *sim;
  double h;
  int steps; /* to the scene's end */
} Run;

/* A shipped scene at time 0; `set` holds pairs of a path and a value and ends with NULL. */
static Run begin(const char *name, const char *const *set) {
  char path[1024];
  SlipOptionValue values[4];
  SlipSceneOptions options = slip_default_scene_options();
  SlipScene *scene;
  SlipError error;
  Run run;
  options.set = values;
  for (; set && set[2 * options.set_count]; options.set_count++) {
    assert_true(options.set_count < 4);
    values[options.set_count].name = set[2 * options.set_count];
    values[options.set_count].value = set[2 * options.set_count + 1];
  }
  snprintf(path, sizeof path, "%s/scenes/%s.yaml", SLIPCONE_SOURCE_DIR, name);
  if (slip_scene_read(path, &options, &scene, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  if (slip_scene_build(scene, &run.sim, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  run.h = scene->def.step;
  run.steps = (int)scene->steps;
  slip_scene_free(scene);
  return run;
}

static SlipBodyId find(const Run *run, const char *name) {
  SlipBodyId body = slip_sim_find_body(run->sim, name);
  assert_true(body.generation != 0);
  return body;
}

static int full(void) {
  const char *value = getenv("SLIPCONE_FULL");
  return value && strcmp(value, "1") == 0;
}

static double length3(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double distance3(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return length3(d);
}

/* ---- A block on a slope ------------------------------------------------------------------ */

/* Speed and way of the block at the scene's end. */
static void slope(const char *mu, double *speed, double *way) {
  const char *const set[] = {"let.mu", mu, NULL};
  Run run = begin("block-on-slope", set);
  SlipBodyId block = find(&run, "block");
  double start[3];
  memcpy(start, sim_position(run.sim, block), sizeof start);
  sim_steps(run.sim, run.steps);
  *speed = length3(sim_velocity(run.sim, block));
  *way = distance3(sim_position(run.sim, block), start);
  printf("slope, mu = %s: %.3e m/s, %.3e m after 10 s\n", mu, *speed, *way);
  slip_sim_free(run.sim);
}

static void test_slope(void **state) {
  (void)state;
  const double pull = SIM_G * sin(PI / 9), seconds = 10;
  double speed, way;
  slope("0.5", &speed, &way);
  assert_true(speed < 1e-9 && way < 1e-9);
  slope("1.001*tan(deg(20))", &speed, &way);
  assert_true(speed < 1e-9 && way < 1e-9);
  slope("0.999*tan(deg(20))", &speed, &way);
  assert_true(fabs(speed - 1e-3 * pull * seconds) < 1e-6);
  assert_true(fabs(way - 1e-3 * pull * seconds * seconds / 2) < 1e-5);
}

/* ---- Sliding ----------------------------------------------------------------------------- */

static void stop(const char *h) {
  const char *const set[] = {"time.step", h, NULL};
  const double v = 3, truth = v * v / (2 * 0.5 * SIM_G);
  Run run = begin("sliding-block", set);
  SlipBodyId block = find(&run, "block");
  double lift = 0, tilt = 0;
  for (int k = 0; k < run.steps; k++) {
    sim_steps(run.sim, 1);
    const double *q = sim_rotation(run.sim, block);
    lift = fmax(lift, fabs(sim_position(run.sim, block)[2] - 0.1));
    tilt = fmax(tilt, 2 * hypot(q[1], q[2]));
  }
  double way = sim_position(run.sim, block)[0];
  printf("sliding, h = %s: %.9f m of %.9f, lift %.1e m, tilt %.1e\n", h, way, truth, lift, tilt);
  assert_true(fabs(way - truth) < 0.5 * run.h * v); /* of first order in the last step */
  assert_true(lift < 1e-9 && tilt < 1e-9);
  slip_sim_free(run.sim);
}

static void test_sliding(void **state) {
  (void)state;
  stop("0.005");
  stop("0.02");
}

/* The cone is round: ways are equal and directions kept. */
static void test_directions(void **state) {
  (void)state;
  const char *const names[] = {"straight", "oblique", "diagonal"};
  Run run = begin("sliding-directions", NULL);
  double first = 0;
  sim_steps(run.sim, run.steps);
  for (int k = 0; k < 3; k++) {
    const double *at = sim_position(run.sim, find(&run, names[k]));
    double x = at[0], y = at[1] - (k - 1), off = atan2(y, x) - k * PI / 8;
    first = k == 0 ? hypot(x, y) : first;
    printf("%s: %.12f m, direction off by %.1e\n", names[k], hypot(x, y), off);
    assert_true(fabs(hypot(x, y) / first - 1) < 1e-9 && fabs(off) < 1e-9);
  }
  slip_sim_free(run.sim);
}

static void test_rolling(void **state) {
  (void)state;
  Run run = begin("rolling-sphere", NULL);
  SlipBodyId sphere = find(&run, "sphere");
  sim_steps(run.sim, run.steps);
  double v = sim_velocity(run.sim, sphere)[0], w = sim_spin(run.sim, sphere)[1];
  printf("rolling: %.10f m/s of 5, spin * radius %.10f\n", v, 0.1 * w);
  assert_true(fabs(v - 5) < 1e-6 && fabs(0.1 * w - v) < 1e-6);
  slip_sim_free(run.sim);
}

/* One ball rolls on, its neighbour stops after v^2 (1 + 2/5) r/(2 g b). */
static void test_ball_stops(void **state) {
  (void)state;
  Run run = begin("ball-stops", NULL);
  sim_steps(run.sim, run.steps);
  double x = sim_position(run.sim, find(&run, "stops"))[0],
         truth = 4 * 1.4 * 0.1 / (2 * SIM_G * 0.01);
  printf("ball: stops after %.6f m of %.6f\n", x, truth);
  assert_true(fabs(x - truth) < 0.005 * 2);
  assert_true(fabs(sim_velocity(run.sim, find(&run, "stops"))[0]) < 1e-9);
  assert_true(fabs(sim_velocity(run.sim, find(&run, "rolls-on"))[0] - 2) < 1e-9);
  slip_sim_free(run.sim);
}

/* ---- Sliding and spinning ---------------------------------------------------------------- */

/* A flat square on its four corners, each with a quarter of the weight and Coulomb's friction, by
 * small explicit steps: when speed and spin fall below the thresholds. */
static void square_stops(double v, double w, double low_v, double low_w, double ends[2]) {
  const double a = 0.4, mu = 0.5, dt = 1e-6,
               turn = a * a / 6; /* moment of inertia a unit of mass */
  double vx = v, vy = 0, angle = 0;
  ends[0] = v > low_v ? 0 : -1;
  ends[1] = 0;
  for (int k = 1; ends[0] == 0 || ends[1] == 0; k++) {
    double force[2] = {0, 0}, moment = 0;
    assert_true(k < 2000000);
    for (int c = 0; c < 4; c++) {
      double phi = angle + PI / 4 + c * PI / 2, x = a / sqrt(2) * cos(phi),
             y = a / sqrt(2) * sin(phi);
      double ux = vx - w * y, uy = vy + w * x, slip = hypot(ux, uy) + 1e-12;
      double fx = -mu * SIM_G / 4 * ux / slip, fy = -mu * SIM_G / 4 * uy / slip;
      force[0] += fx;
      force[1] += fy;
      moment += x * fy - y * fx;
    }
    vx += dt * force[0];
    vy += dt * force[1];
    w += dt * moment / turn;
    angle += dt * w;
    if (ends[0] == 0 && hypot(vx, vy) < low_v)
      ends[0] = k * dt;
    if (ends[1] == 0 && fabs(w) < low_w)
      ends[1] = k * dt;
  }
}

/* A rigid block's weight may be shared in many ways by four corners. Where it only spins they all
 * stop it in the same time; where it slides too, times differ by some hundredths (`spread`). */
static void spin(const char *velocity, double v, double spread) {
  const char *const set[] = {"bodies.1.velocity", velocity, NULL};
  const double low_v = 0.02, low_w = 0.05;
  Run run = begin("sliding-spinning-block", set);
  SlipBodyId block = find(&run, "block");
  double ends[2] = {v > low_v ? 0 : -1, 0}, truth[2];
  square_stops(v, 10, low_v, low_w, truth);
  for (int k = 1; k <= run.steps; k++) {
    sim_steps(run.sim, 1);
    const double *u = sim_velocity(run.sim, block);
    if (ends[0] == 0 && hypot(u[0], u[1]) < low_v)
      ends[0] = k * run.h;
    if (ends[1] == 0 && fabs(sim_spin(run.sim, block)[2]) < low_w)
      ends[1] = k * run.h;
  }
  printf("spinning, v = %g: slide ends at %.4f s of %.4f, spin at %.4f s of %.4f\n", v, ends[0],
         truth[0], ends[1], truth[1]);
  for (int k = 0; k < 2; k++)
    assert_true(ends[k] != 0 && fabs(ends[k] - truth[k]) < fmax(3 * run.h, spread * truth[k]));
  slip_sim_free(run.sim);
}

static void test_spinning(void **state) {
  (void)state;
  spin("[0, 0, 0]", 0, 0);
  spin("[2, 0, 0]", 2, 0.06);
}

/* ---- Impacts ----------------------------------------------------------------------------- */

/* Height of the n-th return of the ball. */
static double rebound(const char *e, int n) {
  const char *const set[] = {"let.e", e, "time.end", "10", NULL};
  Run run = begin("bouncing-ball", set);
  SlipBodyId ball = find(&run, "ball");
  double now = 1, peak = -1;
  for (int k = 0, rising = 0; k < run.steps && n > 0; k++) {
    sim_steps(run.sim, 1);
    double next = sim_position(run.sim, ball)[2] - 0.1;
    if (rising && next < now) {
      rising = 0;
      peak = --n == 0 ? now : peak;
    }
    rising = rising || next > now;
    now = next;
  }
  slip_sim_free(run.sim);
  return peak;
}

/* Newton's law is met at the ends of steps: heights are of first order in h. */
static void test_bounces(void **state) {
  (void)state;
  double one = rebound("0.5", 1), two = rebound("0.5", 2), fifth = rebound("1", 5);
  const double h = 0.005, v = sqrt(2 * SIM_G);
  printf("bounces: %.5f of 0.25, %.5f of 0.0625; e = 1, fifth: %.12f\n", one, two, fifth);
  assert_true(fabs(one - 0.25) < h * v && fabs(two - 0.0625) < h * v);
  assert_true(fabs(fifth - 1) < 0.5 * SIM_G * h * h); /* the peak is between two steps */
}

/* Impacts one after another hand the whole swing to the last ball: it comes to rest at the height
 * from which the first was let go, while the others hang nearly still. */
static void test_cradle(void **state) {
  (void)state;
  Run run = begin("newtons-cradle", NULL);
  SlipBodyId last = find(&run, "ball/3"), first = find(&run, "first");
  const double l = 0.5, drop = l * (1 - cos(PI / 4));
  double highest = 0, left = 0;
  SlipEnergy energy;
  slip_sim_energy(run.sim, &energy);
  const double mass = 1000 * 4.0 / 3 * PI * 0.05 * 0.05 * 0.05, swing = mass * SIM_G * drop;
  const double total = energy.kinetic + energy.potential;
  for (int k = 0; k < (int)(1 / run.h);
       k++) { /* more than a half swing of the last ball, and no return */
    sim_steps(run.sim, 1);
    double up = sim_position(run.sim, last)[2] + l;
    if (up > highest) {
      highest = up;
      left = sim_position(run.sim, first)[2] + l;
    }
  }
  slip_sim_energy(run.sim, &energy);
  double gain = (energy.kinetic + energy.potential - total) / swing;
  printf("cradle: last ball rises to %.4f of the drop, first then at %.4f, energy %+.1e\n",
         highest / drop, left / drop, gain);
  assert_true(highest > 0.98 * drop && highest < 1.001 * drop && left < 0.02 * drop);
  assert_true(fabs(gain) < 1e-3);
  slip_sim_free(run.sim);
}

/* Hinges of a mechanism in one plane bind more than they need to, so that velocities fit all of
 * them only where no joint has drifted. The block stays with the piston, which slows down by less
 * than mu g, as far as the piston goes. */
static void test_slider_crank(void **state) {
  (void)state;
  Run run = begin("slider-crank", NULL);
  SlipBodyId block = find(&run, "block");
  const double half_a_turn = PI / 3, reach = 0.2 + 0.6 + 0.05 + 0.15;
  SlipStepInfo info = sim_steps(run.sim, (int)((half_a_turn + 0.1) / run.h));
  double missed = sim_position(run.sim, block)[0] - reach;
  printf("slider-crank: block %.1e m beyond the reach, drift %.1e, imbalance %.1e of %.3g J\n",
         missed, info.drift, info.energy.imbalance, info.energy.throughput);
  assert_true(fabs(missed) < 1e-6);
  assert_true(info.drift < 1e-7);
  assert_true(fabs(info.energy.imbalance) < 1e-5 * info.energy.throughput);
  slip_sim_free(run.sim);
}

/* ---- What stands ------------------------------------------------------------------------- */

static void stack(const char *heaviest, double seconds) {
  const char *const set[] = {"let.heaviest", heaviest, NULL};
  Run run = begin("stack-mass-ratio", set);
  const double start[3] = {0, 0, 4.75};
  sim_steps(run.sim, full() ? run.steps : (int)(seconds / run.h));
  double moved = distance3(sim_position(run.sim, find(&run, "cube/9")), start);
  printf("stack 1:%s: top moved by %.1e m in %g s\n", heaviest, moved, slip_sim_time(run.sim));
  assert_true(moved < 1e-6);
  slip_sim_free(run.sim);
}

static void test_stack(void **state) {
  (void)state;
  stack("100", 2);
  stack("512", 2);
}

/* How far the key stone of the arch has come down. */
static double arch(const char *scene, const char *mu, double seconds) {
  const char *const set[] = {"let.mu", mu, NULL};
  Run run = begin(scene, set);
  SlipBodyId key = find(&run, "voussoir/8");
  double start = sim_position(run.sim, key)[2];
  sim_steps(run.sim, full() ? run.steps : (int)(seconds / run.h));
  double fallen = start - sim_position(run.sim, key)[2];
  printf("arch, mu = %s: key fallen by %.2e m in %g s\n", mu, fallen, slip_sim_time(run.sim));
  slip_sim_free(run.sim);
  return fallen;
}

/* The least friction of a statically admissible state is 0.329. */
static void test_arch(void **state) {
  (void)state;
  assert_true(fabs(arch("arch-stands", "0.35", 1)) < 1e-6);
  assert_true(fabs(arch("arch-stands", "0.332", 1)) < 1e-6);
  assert_true(arch("arch-falls", "0.3", 1.5) > 0.01);
}

/* How far the ladder's middle moves in the scene's time; mu is `share` of the critical one. */
static double ladder(double share) {
  const double critical = (1 / tan(PI * 50 / 180) - 0.04 / 4) / 2;
  char mu[40];
  const char *const set[] = {"let.mu", mu, NULL};
  snprintf(mu, sizeof mu, "%.17g", share * critical);
  Run run = begin("ladder", set);
  SlipBodyId body = find(&run, "ladder");
  double start[3];
  memcpy(start, sim_position(run.sim, body), sizeof start);
  sim_steps(run.sim, run.steps);
  double way = distance3(sim_position(run.sim, body), start);
  printf("ladder, %g of the critical friction: moved by %.2e m\n", share, way);
  slip_sim_free(run.sim);
  return way;
}

static void test_ladder(void **state) {
  (void)state;
  assert_true(ladder(1.001) < 1e-6);
  assert_true(ladder(0.999) > 1e-3);
}

/* ---- Energy ------------------------------------------------------------------------------ */

/* Euler's equations of a free body, moments I, spin w in its own axes. */
static void euler(const double I[3], const double w[3], double rate[3]) {
  for (int k = 0; k < 3; k++)
    rate[k] = (I[(k + 1) % 3] - I[(k + 2) % 3]) / I[k] * w[(k + 1) % 3] * w[(k + 2) % 3];
}

/* How often the spin about the middle axis changes its sign in a time, by Runge and Kutta's rule.
 */
static int flips_of(const double I[3], double w[3], double seconds) {
  const double dt = 1e-4;
  int flips = 0;
  for (int k = 0, sign = 1; k < (int)round(seconds / dt); k++) {
    double r[4][3], at[3];
    memcpy(at, w, sizeof at);
    for (int s = 0; s < 4; s++) {
      euler(I, at, r[s]);
      for (int c = 0; c < 3; c++)
        at[c] = w[c] + (s < 2 ? dt / 2 : dt) * r[s][c];
    }
    for (int c = 0; c < 3; c++)
      w[c] += dt / 6 * (r[0][c] + 2 * r[1][c] + 2 * r[2][c] + r[3][c]);
    if (w[1] * sign < -2) {
      flips++;
      sign = -sign;
    }
  }
  return flips;
}

/* The second axis of a body in world axes. */
static void second_axis(const double q[4], double axis[3]) {
  axis[0] = 2 * (q[1] * q[2] - q[0] * q[3]);
  axis[1] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]);
  axis[2] = 2 * (q[2] * q[3] + q[0] * q[1]);
}

static void test_flips(void **state) {
  (void)state;
  const double edges[3] = {0.1, 0.2, 0.4};
  double I[3], w[3] = {0.05, 5, 0}; /* of the scene */
  for (int k = 0; k < 3; k++)
    I[k] = pow(edges[(k + 1) % 3], 2) + pow(edges[(k + 2) % 3], 2);
  Run run = begin("dzhanibekov", NULL);
  SlipBodyId body = find(&run, "body");
  int flips = 0, truth = flips_of(I, w, run.h * run.steps);
  SlipEnergy energy;
  slip_sim_energy(run.sim, &energy);
  double start = energy.kinetic;
  for (int k = 0, sign = 1; k < run.steps; k++) {
    double axis[3];
    sim_steps(run.sim, 1);
    const double *s = sim_spin(run.sim, body);
    second_axis(sim_rotation(run.sim, body), axis);
    if ((s[0] * axis[0] + s[1] * axis[1] + s[2] * axis[2]) * sign < -2) {
      flips++;
      sign = -sign;
    }
  }
  slip_sim_energy(run.sim, &energy);
  printf("free body: %d flips of %d, energy %+.1e\n", flips, truth, energy.kinetic / start - 1);
  assert_int_equal(flips, truth);
  assert_true(fabs(energy.kinetic / start - 1) < 1e-11);
  slip_sim_free(run.sim);
}

/* Fifty rods on a rough floor: the energy never rises above the least it has had, but for the
 * share of m (h g)² by which gravity may lift a body that turns around within a step. */
static void test_rods(void **state) {
  (void)state;
  Run run = begin("rods", NULL);
  const double mass = 1000 * 1 * 0.05 * 0.05, step_up = 50 * mass * pow(run.h * SIM_G, 2);
  double least = INFINITY, start = 0, rise = 0;
  for (int k = 0; k < (full() ? run.steps : 200); k++) {
    SlipEnergy energy = sim_steps(run.sim, 1).energy;
    double now = energy.kinetic + energy.potential;
    start = k == 0 ? now : start;
    rise = fmax(rise, now - least);
    least = fmin(least, now);
  }
  printf("rods: energy falls from %.1f to %.1f J, largest rise %.2e J\n", start, least, rise);
  assert_true(least < 0.9 * start && rise < step_up);
  slip_sim_free(run.sim);
}

/* A ball on a floor that gives way comes to rest m g/K deep. */
static void test_compliant_drop(void **state) {
  (void)state;
  Run run = begin("compliant-drop", NULL);
  SlipStepInfo info = sim_steps(run.sim, run.steps);
  assert_float_equal(sim_position(run.sim, find(&run, "ball"))[2], 0.1 - SIM_G / 20e3, 1e-9);
  assert_true(fabs(info.energy.imbalance) < 1e-12 * info.energy.throughput);
  assert_true(info.energy.damping > 4.5 && info.energy.impact == 0);
  slip_sim_free(run.sim);
}

static double column_top(const char *pull, int steps) {
  Run run = begin("wet-column", (const char *const[]){"let.pull", pull, NULL});
  sim_steps(run.sim, steps);
  double top = sim_position(run.sim, find(&run, "grain/95"))[1];
  slip_sim_free(run.sim);
  return top;
}

/* Ten weights of a grain hold the column where it is; without them it falls. */
static void test_wet_column(void **state) {
  (void)state;
  int steps = full() ? 500 : 200;
  double top = 0.01 + 15 * 0.02;
  assert_float_equal(column_top("10", steps), top, 1e-6);
  assert_true(column_top("0", steps) < 0.6 * top);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_slope),      cmocka_unit_test(test_sliding),
      cmocka_unit_test(test_directions), cmocka_unit_test(test_ball_stops),
      cmocka_unit_test(test_rolling),    cmocka_unit_test(test_spinning),
      cmocka_unit_test(test_bounces),    cmocka_unit_test(test_cradle),
      cmocka_unit_test(test_stack),      cmocka_unit_test(test_arch),
      cmocka_unit_test(test_ladder),     cmocka_unit_test(test_flips),
      cmocka_unit_test(test_rods),       cmocka_unit_test(test_compliant_drop),
      cmocka_unit_test(test_wet_column), cmocka_unit_test(test_slider_crank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
