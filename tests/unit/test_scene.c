/* Sound scenes: the definitions are those of the file. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/vec.h"
#include "scene/scene.h"

static const double pi = 3.14159265358979323846;

#define HEAD "slipcone: 1\ntime: {step: 0.01, end: 1}\n"
#define HEAD2 HEAD "dimension: 2\n"

static const SlipiScene *read_set(const char *text, const char *name, const char *value) {
  SlipSceneOptions options = slip_default_scene_options();
  SlipOptionValue set = {name, value};
  SlipScene *scene;
  SlipError error;
  options.set = &set;
  options.set_count = name ? 1 : 0;
  if (slip_scene_read_memory("test", text, strlen(text), &options, &scene, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return (const SlipiScene *)scene;
}

static const SlipiScene *read(const char *text) {
  return read_set(text, NULL, NULL);
}

static void done(const SlipiScene *scene) {
  slip_scene_free((SlipScene *)&scene->scene);
}

static void assert_near(double a, double b) {
  if (!(fabs(a - b) <= 1e-14 * fmax(1, fabs(b))))
    fail_msg("%.17g is not %.17g", a, b);
}

static void assert_vector(const double *a, double x, double y, double z) {
  assert_near(a[0], x);
  assert_near(a[1], y);
  assert_near(a[2], z);
}

static const SlipiPlace *place(const SlipiScene *scene, int group, int k) {
  assert_true(group < scene->group_count && k < scene->groups[group].many.count);
  return &scene->groups[group].many.places[k];
}

static const SlipShapeDef *shape(const SlipiScene *scene, int group, int k) {
  assert_true(group < scene->group_count && k < scene->groups[group].def.shape_count);
  return &scene->groups[group].def.shapes[k];
}

/* ---- The whole ------------------------------------------------------------------------------ */

static const char whole[] =
    "slipcone: 1\n"
    "title: A title\n"
    "description: |\n"
    "  two\n"
    "  lines\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 0.005, end: 2.0, theta: 0.75, gyroscopic: implicit}\n"
    "solver: {method: nsgs, tol: 1e-9, max-iter: 500, operator: dense, on_failure: halve}\n"
    "collision: {penetration: 1e-5, reach: 0.02}\n"
    "materials:\n"
    "  steel: {density: 7800}\n"
    "  rubber: {}\n"
    "contacts:\n"
    "  - {between: [steel, rubber], friction: 0.8, restitution: 0.1}\n"
    "  - {between: [any, steel], law: frictionless}\n"
    "  - {friction: 0.5, flow: associated}\n"
    "bodies:\n"
    "  - {name: slope, fixed: true, material: steel, shape: {plane: [0, -3, 4]}}\n"
    "  - name: block\n"
    "    material: rubber\n"
    "    shape: {box: [1, 2, 3]}\n"
    "    position: [0, 0, 0.6]\n"
    "    rotation: {axis: [2, 0, 0], degrees: 90}\n"
    "    velocity: [1, 2, 3]\n"
    "    spin: [4, 5, 6]\n"
    "    mass: 2.5\n"
    "    inertia: [1, 2, 3]\n"
    "  - {name: plate, moves: {velocity: [0, 0, 1], spin: [0, 1, 0], sine: {axis: [0, 0, 2],\n"
    "     amplitude: 0.1, frequency: 50}}, shape: {box: [1, 1, 1]}}\n"
    "  - {shape: {sphere: 1}}\n"
    "joints:\n"
    "  - {hinge: [block, slope], name: pin, at: [1, 2, 3], axis: [0, 0, 5], limits: [-90, 180],\n"
    "     motor: {speed: 3, effort: 7}, collide: true}\n"
    "  - {distance: [block, plate], at: [0, 0, 0], other: [0, 0, 1]}\n"
    "forces:\n"
    "  - {on: block, force: [10, 0, 0], from: 0.5, until: 1.0}\n"
    "  - {on: body3, torque: [0, 0, 1]}\n"
    "record: {every: 4, contacts: no}\n";

static void test_settings(void **state) {
  (void)state;
  const SlipiScene *scene = read(whole);
  const SlipScene *s = &scene->scene;
  double value;
  assert_string_equal(s->name, "test");
  assert_string_equal(s->title, "A title");
  assert_string_equal(s->description, "two\nlines\n");
  assert_string_equal(s->text, whole);
  assert_int_equal(s->text_size, strlen(whole));
  assert_int_equal(s->def.dimension, 3);
  assert_vector(s->def.gravity, 0, 0, -9.81);
  assert_true(s->def.step == 0.005 && s->end == 2.0 && s->steps == 400);
  assert_true(s->def.theta == 0.75 && s->def.gyroscopic == SLIP_GYROSCOPIC_IMPLICIT);
  assert_int_equal(s->def.on_failure, SLIP_ON_FAILURE_HALVE);
  assert_true(s->def.penetration == 1e-5 && s->def.reach == 0.02);
  assert_string_equal(slip_settings_method(s->def.settings), "nsgs");
  assert_int_equal(slip_settings_get_real(s->def.settings, "tol", &value, NULL), SLIP_OK);
  assert_true(value == 1e-9);
  assert_int_equal(slip_settings_get_real(s->def.settings, "max-iter", &value, NULL), SLIP_OK);
  assert_true(value == 500);
  assert_int_equal(slip_settings_get_real(s->def.settings, "operator", &value, NULL), SLIP_OK);
  assert_true(value == 1);
  assert_true(s->record_every == 4 && s->record_contacts == 0);
  assert_true(s->materials == 2 && s->rules == 3 && s->bodies == 4);
  assert_true(s->joints == 2 && s->forces == 2);
  done(scene);
}

/* Without a word of the scene the values of slip_default_sim_def hold; empty blocks say nothing. */
static void test_defaults(void **state) {
  (void)state;
  const SlipSimDef usual = slip_default_sim_def();
  static const char *const texts[] = {HEAD "bodies: []\n",
                                      HEAD "solver: {}\ncollision: {}\nrecord: {}\nlet: {}\n"
                                           "materials: {}\ncontacts: []\nbodies: []\n"
                                           "joints: []\nforces: []\n"};
  for (int k = 0; k < 2; k++) {
    const SlipiScene *scene = read(texts[k]);
    const SlipSimDef *def = &scene->scene.def;
    assert_true(def->dimension == usual.dimension && def->theta == usual.theta);
    assert_true(def->penetration == usual.penetration && def->reach == usual.reach);
    assert_true(def->on_failure == usual.on_failure && def->gyroscopic == usual.gyroscopic);
    assert_vector(def->gravity, 0, 0, 0);
    assert_true(scene->scene.record_every == 1 && scene->scene.record_contacts == 1);
    assert_true(!def->settings || strcmp(slip_settings_method(def->settings), "auto") == 0);
    assert_string_equal(scene->scene.title, "");
    assert_string_equal(scene->scene.description, "");
    done(scene);
  }
}

static void test_materials_and_rules(void **state) {
  (void)state;
  const SlipiScene *scene = read(whole);
  assert_string_equal(scene->materials[0].name, "steel");
  assert_true(scene->materials[0].density == 7800 && scene->materials[1].density == 1000);
  const SlipContactRule *rule = scene->rules;
  assert_true(rule[0].materials[0] == 0 && rule[0].materials[1] == 1);
  assert_true(rule[0].friction == 0.8 && rule[0].restitution == 0.1);
  assert_int_equal(rule[0].law, SLIP_COULOMB);
  assert_true(rule[1].materials[0] == -1 && rule[1].materials[1] == 0);
  assert_int_equal(rule[1].law, SLIP_FRICTIONLESS);
  assert_true(rule[2].materials[0] == -1 && rule[2].materials[1] == -1);
  assert_true(rule[2].friction == 0.5 && rule[2].flow == SLIP_FLOW_ASSOCIATED);
  done(scene);
}

/* Springs and dampers that couple normal and tangents; in 2D the first two rows and columns. */
static void test_matrices(void **state) {
  (void)state;
  const SlipiScene *scene = read("slipcone: 1\n"
                                 "time: {step: 0.01, end: 1}\n"
                                 "let: {k: 2}\n"
                                 "contacts:\n"
                                 "  - friction: 0.5\n"
                                 "    stiffness_matrix: [[k, 1, 0], [1, 3*k, 0], [0, 0, 4]]\n"
                                 "    damping_matrix: [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]]\n"
                                 "bodies: [{shape: {sphere: 1}}]\n");
  assert_vector(scene->rules[0].stiffness_matrix, 2, 1, 0);
  assert_vector(scene->rules[0].stiffness_matrix + 3, 1, 6, 0);
  assert_vector(scene->rules[0].stiffness_matrix + 6, 0, 0, 4);
  assert_vector(scene->rules[0].damping_matrix + 6, 0, 0, 0.3);
  done(scene);
  scene = read("slipcone: 1\n"
               "dimension: 2\n"
               "time: {step: 0.01, end: 1}\n"
               "contacts: [{friction: 0.5, stiffness_matrix: [[2, 1], [1, 3]]}]\n"
               "bodies: [{shape: {disc: 1}}]\n");
  assert_vector(scene->rules[0].stiffness_matrix, 2, 1, 0);
  assert_vector(scene->rules[0].stiffness_matrix + 3, 1, 3, 0);
  assert_vector(scene->rules[0].stiffness_matrix + 6, 0, 0, 0);
  done(scene);
}

static void test_bodies(void **state) {
  (void)state;
  const SlipiScene *scene = read(whole);
  const SlipBodyDef *def = &scene->groups[0].def;
  assert_string_equal(def->name, "slope");
  assert_true(def->motion == SLIP_MOTION_FIXED && def->material == 0);
  assert_int_equal(shape(scene, 0, 0)->kind, SLIP_SHAPE_HALF_SPACE);
  assert_vector(shape(scene, 0, 0)->normal, 0, -0.6, 0.8);
  def = &scene->groups[1].def;
  assert_true(def->motion == SLIP_MOTION_FREE && def->material == 1 && def->mass == 2.5);
  assert_vector(shape(scene, 1, 0)->edges, 1, 2, 3);
  assert_vector(def->velocity, 1, 2, 3);
  assert_vector(def->spin, 4, 5, 6);
  assert_vector(def->inertia, 1, 2, 3);
  assert_vector(place(scene, 1, 0)->position, 0, 0, 0.6);
  assert_near(place(scene, 1, 0)->rotation[0], sqrt(0.5));
  assert_vector(place(scene, 1, 0)->rotation + 1, sqrt(0.5), 0, 0);
  def = &scene->groups[2].def;
  assert_int_equal(def->motion, SLIP_MOTION_TOLD);
  assert_vector(def->velocity, 0, 0, 1);
  assert_vector(def->spin, 0, 1, 0);
  assert_vector(def->sine_axis, 0, 0, 1);
  assert_true(def->sine_amplitude == 0.1 && def->sine_frequency == 50);
  assert_string_equal(scene->groups[3].def.name, "body3");
  assert_int_equal(scene->groups[3].def.material, -1);
  done(scene);
}

static void test_joints_and_forces(void **state) {
  (void)state;
  const SlipiScene *scene = read(whole);
  const SlipiSceneJoint *joint = scene->joints;
  assert_true(joint->def.kind == SLIP_JOINT_HINGE && joint->body[0] == 1 && joint->body[1] == 0);
  assert_string_equal(joint->def.name, "pin");
  assert_vector(joint->def.at, 1, 2, 3);
  assert_vector(joint->def.axis, 0, 0, 1);
  assert_int_equal(joint->def.limited, 1);
  assert_near(joint->def.lower, -pi / 2);
  assert_near(joint->def.upper, pi);
  assert_true(joint->def.motor == 1 && joint->def.motor_speed == 3);
  assert_true(joint->def.motor_effort == 7 && joint->def.collide == 1);
  joint++;
  assert_true(joint->def.kind == SLIP_JOINT_DISTANCE && joint->body[1] == 2);
  assert_vector(joint->def.other, 0, 0, 1);
  assert_true(joint->def.limited == 0 && joint->def.motor == 0 && joint->def.collide == 0);
  assert_int_equal(scene->forces[0].body, 1);
  assert_vector(scene->forces[0].def.force, 10, 0, 0);
  assert_true(scene->forces[0].def.from == 0.5 && scene->forces[0].def.until == 1);
  assert_int_equal(scene->forces[1].body, 3);
  assert_vector(scene->forces[1].def.torque, 0, 0, 1);
  assert_true(scene->forces[1].def.from == 0 && isinf(scene->forces[1].def.until));
  done(scene);
}

/* ---- Values --------------------------------------------------------------------------------- */

static double mass_of(const char *let, const char *mass) {
  char text[512];
  snprintf(text, sizeof text, HEAD "let: {%s}\nbodies: [{shape: {sphere: 1}, mass: \"%s\"}]\n", let,
           mass);
  const SlipiScene *scene = read(text);
  double value = scene->groups[0].def.mass;
  done(scene);
  return value;
}

static void test_expressions(void **state) {
  (void)state;
  assert_true(mass_of("", "1e-8") == 1e-8);
  assert_true(mass_of("", ".5") == 0.5);
  assert_true(mass_of("", "0x10") == 16);
  assert_true(mass_of("", "1 + 2 * 3") == 7);
  assert_true(mass_of("", "(1 + 2) * 3") == 9);
  assert_true(mass_of("", "8 - 4 - 2") == 2);
  assert_true(mass_of("", "8 / 4 / 2") == 1);
  assert_true(mass_of("", "-2 * -3") == 6);
  assert_true(mass_of("", "- - 2") == 2);
  assert_true(mass_of("", "2-1") == 1);
  assert_true(mass_of("", "1e1-1") == 9);
  assert_near(mass_of("", "sqrt(2) * sqrt(2)"), 2);
  assert_near(mass_of("", "sin(deg(30))"), 0.5);
  assert_near(mass_of("", "cos(pi / 3)"), 0.5);
  assert_near(mass_of("", "tan(deg(45))"), 1);
  assert_true(mass_of("mu: 0.25, nu: 2*mu", "nu + mu") == 0.75);
  assert_true(mass_of("e: 3, e1: 4", "e*e1") == 12);
}

static void test_names_anywhere(void **state) {
  (void)state;
  const SlipiScene *scene = read("slipcone: 1\n"
                                 "bodies: [{shape: {box: [a, 2*a, h]}, position: [-a, a, 0]}]\n"
                                 "time: {step: h, end: 10*h}\n"
                                 "solver: {tol: h/100}\n"
                                 "let: {a: 3, h: 0.01}\n");
  double tol;
  assert_vector(shape(scene, 0, 0)->edges, 3, 6, 0.01);
  assert_vector(place(scene, 0, 0)->position, -3, 3, 0);
  assert_int_equal(scene->scene.steps, 10);
  assert_int_equal(slip_settings_get_real(scene->scene.def.settings, "tol", &tol, NULL), SLIP_OK);
  assert_true(tol == 0.01 / 100);
  done(scene);
}

static void test_anchors(void **state) {
  (void)state;
  const SlipiScene *scene =
      read(HEAD "bodies:\n"
                "  - &first {name: a, shape: &s {sphere: 2}, mass: 3, velocity: [1, 0, 0]}\n"
                "  - {<<: *first, name: b, mass: 4}\n"
                "  - {name: c, shape: *s, <<: [{mass: 7, spin: [0, 0, 1]}, *first]}\n");
  const SlipiGroup *group = scene->groups;
  assert_true(group[0].def.mass == 3 && group[1].def.mass == 4 && group[2].def.mass == 7);
  for (int k = 0; k < 3; k++) {
    assert_true(shape(scene, k, 0)->radius == 2);
    assert_vector(group[k].def.velocity, 1, 0, 0);
  }
  assert_vector(group[2].def.spin, 0, 0, 1);
  assert_vector(group[1].def.spin, 0, 0, 0);
  done(scene);
}

static void test_set(void **state) {
  (void)state;
  static const char text[] = HEAD "let: {mu: 0.5}\n"
                                  "contacts: [{friction: mu}]\n"
                                  "bodies:\n"
                                  "  - &a {name: a, shape: {sphere: 1}}\n"
                                  "  - {name: b, shape: &s {sphere: 1}}\n"
                                  "  - {name: c, shape: *s}\n";
  const SlipiScene *scene = read_set(text, "let.mu", "2*0.3");
  assert_true(scene->rules[0].friction == 2 * 0.3);
  assert_string_equal(scene->scene.text, text);
  assert_int_equal(scene->scene.set_count, 1);
  assert_string_equal(scene->scene.set[0].name, "let.mu");
  assert_string_equal(scene->scene.set[0].value, "2*0.3");
  done(scene);
  scene = read_set(text, "time.step", "0.001");
  assert_int_equal(scene->scene.steps, 1000);
  done(scene);
  scene = read_set(text, "solver.tol", "1e-12"); /* there is no solver block */
  done(scene);
  scene = read_set(text, "bodies.2.shape.sphere", "5"); /* shared with bodies[1], which stays */
  assert_true(shape(scene, 2, 0)->radius == 5 && shape(scene, 1, 0)->radius == 1);
  done(scene);
  scene = read_set(text, "bodies.0.position", "[1, 2, 3]");
  assert_vector(place(scene, 0, 0)->position, 1, 2, 3);
  done(scene);
}

/* Steps that are decimal fractions divide ends that are. */
static void test_multiples(void **state) {
  (void)state;
  static const char *const steps[] = {"0.1", "0.02", "0.005", "0.001", "1e-5", "0.7", "0.0125"};
  for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
    for (int count = 1; count < 1000; count += 37) {
      char end[64];
      snprintf(end, sizeof end, "%.15g", count * atof(steps[k]));
      SlipOptionValue set[2] = {{"time.step", steps[k]}, {"time.end", end}};
      SlipSceneOptions options = slip_default_scene_options();
      SlipScene *scene;
      options.set = set;
      options.set_count = 2;
      static const char text[] = HEAD "bodies: []\n";
      assert_int_equal(slip_scene_read_memory("x", text, strlen(text), &options, &scene, NULL),
                       SLIP_OK);
      assert_int_equal(scene->steps, count);
      slip_scene_free(scene);
    }
}

/* ---- Shapes --------------------------------------------------------------------------------- */

static void test_shapes(void **state) {
  (void)state;
  const SlipiScene *scene =
      read(HEAD "materials: {wood: {}, iron: {}}\n"
                "bodies:\n"
                "  - {shape: {capsule: {radius: 1, length: 2}}}\n"
                "  - {shape: {cylinder: {radius: 3, length: 4}}}\n"
                "  - {shape: {hull: [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]}}\n"
                "  - shape:\n"
                "      material: wood\n"
                "      compound:\n"
                "        - {sphere: 1, position: [1, 0, 0]}\n"
                "        - {box: [1, 2, 3], rotation: {axis: [0, 0, 1], degrees: 90}, material: "
                "iron}\n"
                "        - compound: [{sphere: 2, position: [1, 0, 0]}]\n"
                "          position: [0, 0, 5]\n"
                "          rotation: {axis: [0, 0, 1], degrees: 90}\n"
                "        - {sphere: 0.1, many: {along: 4, radius: 2}}\n");
  assert_int_equal(shape(scene, 0, 0)->kind, SLIP_SHAPE_CAPSULE);
  assert_true(shape(scene, 0, 0)->radius == 1 && shape(scene, 0, 0)->length == 2);
  assert_int_equal(shape(scene, 1, 0)->kind, SLIP_SHAPE_CYLINDER);
  assert_true(shape(scene, 1, 0)->radius == 3 && shape(scene, 1, 0)->length == 4);
  assert_true(shape(scene, 2, 0)->kind == SLIP_SHAPE_HULL && shape(scene, 2, 0)->point_count == 4);
  assert_vector(shape(scene, 2, 0)->points + 9, 0, 0, 3);
  assert_int_equal(scene->groups[3].def.shape_count, 7);
  assert_vector(shape(scene, 3, 0)->position, 1, 0, 0);
  assert_true(shape(scene, 3, 0)->material == 0 && shape(scene, 3, 1)->material == 1);
  assert_near(shape(scene, 3, 1)->rotation[3], sqrt(0.5));
  assert_vector(shape(scene, 3, 2)->position, 0, 1, 5);
  assert_vector(shape(scene, 3, 4)->position, 0, 2, 0);
  assert_vector(shape(scene, 3, 6)->position, 0, -2, 0);
  done(scene);
}

static void test_plane_shapes(void **state) {
  (void)state;
  const SlipiScene *scene = read(HEAD2 "gravity: [0, -9.81]\n"
                                       "bodies:\n"
                                       "  - {fixed: true, shape: {plane: [0, 2]}}\n"
                                       "  - {shape: {disc: 1}, spin: 3, position: [1, 2], mass: 1,"
                                       " inertia: 2, rotation: {degrees: 90}}\n"
                                       "  - {shape: {polygon: [[0, 0], [1, 0], [0, 1]]}}\n"
                                       "  - {fixed: true, shape: {segment: [[0, 0], [1, 0]]}}\n"
                                       "  - {shape: {box: [2, 4]}}\n"
                                       "joints: [{hinge: [body1, body0], at: [0, 0]}]\n"
                                       "forces: [{on: body1, torque: 4}]\n");
  assert_int_equal(scene->scene.def.dimension, 2);
  assert_vector(scene->scene.def.gravity, 0, -9.81, 0);
  assert_vector(shape(scene, 0, 0)->normal, 0, 1, 0);
  assert_vector(scene->groups[1].def.spin, 0, 0, 3);
  assert_vector(scene->groups[1].def.inertia, 0, 0, 2);
  assert_near(place(scene, 1, 0)->rotation[3], sqrt(0.5));
  assert_true(shape(scene, 2, 0)->kind == SLIP_SHAPE_POLYGON);
  assert_true(shape(scene, 3, 0)->kind == SLIP_SHAPE_SEGMENT);
  assert_true(shape(scene, 4, 0)->kind == SLIP_SHAPE_POLYGON);
  assert_vector(shape(scene, 4, 0)->points + 6, 1, 2, 0);
  assert_vector(scene->joints[0].def.axis, 0, 0, 1);
  assert_vector(scene->forces[0].def.torque, 0, 0, 4);
  done(scene);
}

/* ---- Many ----------------------------------------------------------------------------------- */

static void test_grid(void **state) {
  (void)state;
  const SlipiScene *scene =
      read(HEAD "bodies:\n"
                "  - {shape: {sphere: 1}, position: [1, 2, 3], many: {grid: [2, 3, 4], spacing: "
                "[1, 10, 100]}}\n"
                "  - {shape: {sphere: 1}, many: {grid: [50, 50, 1], spacing: 2, jitter: 0.1, "
                "seed: 7}}\n"
                "  - {name: ball, shape: {sphere: 1}, many: {grid: [1, 3, 1], spacing: 2, "
                "rotation: {axis: [0, 0, 1], degrees: 90}}}\n"
                "forces: [{on: ball/2, force: [1, 0, 0]}]\n");
  assert_int_equal(scene->scene.bodies, 24 + 2500 + 3);
  assert_vector(place(scene, 0, 0)->position, 1, 2, 3);
  assert_vector(place(scene, 0, 1)->position, 2, 2, 3);
  assert_vector(place(scene, 0, 2)->position, 1, 12, 3);
  assert_vector(place(scene, 0, 6)->position, 1, 2, 103);
  double sum = 0, most = 0;
  for (int k = 0; k < 2500; k++) {
    double off = place(scene, 1, k)->position[0] - 2 * (k % 50);
    sum += off;
    most = fmax(most, fabs(off));
  }
  assert_true(most <= 0.1 && most > 0.09 && fabs(sum / 2500) < 0.005);
  assert_vector(place(scene, 2, 2)->position, -4, 0, 0);
  assert_int_equal(scene->forces[0].body, 2526);
  done(scene);
}

static void test_stack(void **state) {
  (void)state;
  const SlipiScene *scene =
      read(HEAD "bodies:\n"
                "  - {shape: {box: [1, 1, 0.5]}, position: [0, 0, 0.25], many: {stack: 10, masses: "
                "[1, 512]}}\n"
                "  - shape: {capsule: {radius: 1, length: 4}}\n"
                "    rotation: {axis: [0, 1, 0], degrees: 90}\n"
                "    many: {stack: 2, turn: 90}\n");
  for (int k = 0; k < 10; k++) {
    assert_vector(place(scene, 0, k)->position, 0, 0, 0.25 + 0.5 * k);
    assert_near(place(scene, 0, k)->mass, 1 << k);
  }
  assert_vector(place(scene, 1, 1)->position, 0, 0, 2);
  double R[9], z[3] = {0, 0, 1};
  slipi_quaternion_matrix(place(scene, 1, 0)->rotation, R);
  slipi_rotate(R, z, z);
  assert_vector(z, 1, 0, 0);
  slipi_quaternion_matrix(place(scene, 1, 1)->rotation, R);
  double along[3] = {0, 0, 1};
  slipi_rotate(R, along, along);
  assert_vector(along, 0, 1, 0);
  done(scene);
}

/* The bricks of a course leave no room but the gaps, and those of neighbours have their ends half
 * a brick apart. */
static void test_wall(void **state) {
  (void)state;
  const SlipiScene *scene =
      read(HEAD "bodies: [{shape: {box: [2, 1, 0.5]}, many: {wall: [4, 3], gap: 0.1}}]\n");
  const SlipiGroup *wall = scene->groups;
  assert_int_equal(wall->many.count, 4 + 5 + 4);
  assert_near(wall->many.half.shapes->edges[0], 0.95);
  for (int course = 0, k = 0; course < 3; course++) {
    double end = -1; /* of the brick before */
    for (int j = 0; j < (course == 1 ? 5 : 4); j++, k++) {
      const SlipiPlace *brick = place(scene, 0, k);
      double length = brick->half ? 0.95 : 2;
      assert_true(brick->half == (course == 1 && (j == 0 || j == 4)));
      assert_near(brick->position[0] - length / 2, j == 0 ? -1 : end + 0.1);
      assert_near(brick->position[2], course * 0.6);
      end = brick->position[0] + length / 2;
    }
    assert_near(end, 4 * 2 + 3 * 0.1 - 1);
  }
  done(scene);
}

/* A corner of a voussoir in world axes. */
static void corner(const SlipiScene *scene, int k, int point, double out[3]) {
  SlipiPose pose;
  memcpy(pose.position, place(scene, 0, k)->position, sizeof pose.position);
  slipi_quaternion_matrix(place(scene, 0, k)->rotation, pose.R);
  slipi_pose_point(&pose, shape(scene, 0, 0)->points + 3 * point, out);
}

/* Neighbours share the corners of their joint; the springers stand on the ground. */
static void check_arch(const char *text, int up, int corners) {
  const SlipiScene *scene = read(text);
  assert_int_equal(scene->scene.bodies, 17);
  assert_int_equal(shape(scene, 0, 0)->point_count, corners);
  for (int k = 0; k < 17; k++)
    for (int point = 0; point < corners; point += 2) {
      double right[3], left[3];
      corner(scene, k, point + 1, right);
      assert_near(hypot(right[0], right[up]), (point & 2) ? 2.18 : 1.82);
      if (k < 16)
        corner(scene, k + 1, point, left);
      if (k < 16)
        assert_vector(right, left[0], left[1], left[2]);
      else
        assert_near(right[up], 0);
      if (up == 2)
        assert_near(fabs(right[1]), 0.25);
    }
  assert_vector(place(scene, 0, 8)->position, 0, up == 1 ? 2 : 0, up == 2 ? 2 : 0);
  done(scene);
}

static void test_arch(void **state) {
  (void)state;
  check_arch(HEAD "bodies: [{many: {arch: 17, radius: 2, thickness: 0.36, depth: 0.5}}]\n", 2, 8);
  check_arch(HEAD2 "bodies: [{many: {arch: 17, radius: 2, thickness: 0.36}}]\n", 1, 4);
}

static void test_along(void **state) {
  (void)state;
  const SlipiScene *scene =
      read(HEAD "bodies:\n"
                "  - {shape: {sphere: 1}, position: [1, 0, 0], many: {along: 5, to: [9, 4, 0]}}\n"
                "  - {shape: {sphere: 1}, position: [0, 0, 1], many: {along: 4, radius: 3, axis: "
                "[0, 1, 0]}}\n"
                "  - {shape: {sphere: 1}, many: {along: 3, radius: 1, degrees: 180}}\n");
  assert_vector(place(scene, 0, 0)->position, 1, 0, 0);
  assert_vector(place(scene, 0, 2)->position, 5, 2, 0);
  assert_vector(place(scene, 0, 4)->position, 9, 4, 0);
  assert_vector(place(scene, 1, 0)->position, 3, 0, 1);
  assert_vector(place(scene, 1, 1)->position, 0, 0, 1 - 3);
  assert_vector(place(scene, 1, 2)->position, -3, 0, 1);
  assert_vector(place(scene, 2, 2)->position, -1, 0, 0);
  /* The side of +x is turned with the circle. */
  double R[9], x[3] = {1, 0, 0};
  slipi_quaternion_matrix(place(scene, 1, 1)->rotation, R);
  slipi_rotate(R, x, x);
  assert_vector(x, 0, 0, -1);
  done(scene);
}

static void check_random(const char *text, int count, double radius, int dimension) {
  const SlipiScene *scene = read(text), *again = read(text);
  assert_int_equal(scene->scene.bodies, count);
  assert_memory_equal(scene->groups[0].many.places, again->groups[0].many.places,
                      (size_t)count * sizeof(SlipiPlace));
  for (int k = 0; k < count; k++) {
    const double *x = place(scene, 0, k)->position;
    for (int axis = 0; axis < dimension; axis++)
      assert_true(x[axis] >= 10 + radius && x[axis] <= 12 - radius);
    for (int j = 0; j < k; j++) {
      double apart[3];
      slipi_sub(x, place(scene, 0, j)->position, apart);
      assert_true(slipi_length(apart) >= 2 * radius);
    }
  }
  done(scene);
  done(again);
}

static void test_random(void **state) {
  (void)state;
  check_random(HEAD "bodies: [{shape: {sphere: 0.1}, position: [10, 10, 10], many: {random: 500, "
                    "region: [[0, 0, 0], [2, 2, 2]], seed: 3}}]\n",
               500, 0.1, 3);
  check_random(HEAD "bodies: [{shape: {box: [0.1, 0.1, 0.1]}, position: [10, 10, 10], many: "
                    "{random: 300, region: [[2, 0, 2], [0, 2, 0]], turned: true}}]\n",
               300, sqrt(0.03) / 2, 3);
  check_random(HEAD2 "bodies: [{shape: {disc: 0.05}, position: [10, 10], many: {random: 150, "
                     "region: [[0, 0], [2, 2]], turned: true}}]\n",
               150, 0.05, 2);
}

/* ---- Meshes --------------------------------------------------------------------------------- */

static void write_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

/* Two triangles with an edge in common, whatever the format. */
static void check_mesh(const char *file) {
  char text[256];
  snprintf(text, sizeof text, HEAD "bodies: [{fixed: true, shape: {mesh: %s}}]\n", file);
  const SlipiScene *scene = read(text);
  const SlipShapeDef *mesh = shape(scene, 0, 0);
  const int32_t *t = mesh->triangles;
  assert_true(mesh->kind == SLIP_SHAPE_MESH && mesh->point_count == 4);
  assert_int_equal(mesh->triangle_count, 2);
  assert_vector(mesh->points + 3 * t[0], 0, 0, 0);
  assert_vector(mesh->points + 3 * t[1], 1, 0, 0);
  assert_vector(mesh->points + 3 * t[2], 1, 1, 0.5);
  assert_true(t[3] == t[0] && t[4] == t[2]);
  assert_vector(mesh->points + 3 * t[5], 0, 1, 0.5);
  done(scene);
  remove(file);
}

static void test_mesh(void **state) {
  (void)state;
  static const char text[] =
      "solid two\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 "
      "0 0\n  vertex 1 1 0.5\n endloop\nendfacet\nfacet normal 0 0 1\n outer "
      "loop\n  vertex -0 0 0\n  vertex 1 1 5e-1\n  vertex 0 1 0.5\n "
      "endloop\nendfacet\nendsolid two\n";
  static const char obj[] = "# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0.5\nvn 0 0 1\nv 0 1 0.5\n"
                            "f 1/1/1 2//1 3 -1 # bent\n";
  static const float corners[18] = {0, 0, 0, 1, 0, 0, 1, 1, 0.5F, 0, 0, 0, 1, 1, 0.5F, 0, 1, 0.5F};
  char binary[84 + 2 * 50] = "solid is how some binary files begin";
  binary[80] = 2;
  for (int k = 0; k < 18; k++)
    memcpy(binary + 84 + k / 9 * 50 + 12 + k % 9 * 4, &corners[k], 4);
  write_file("test_scene.stl", text, sizeof text - 1);
  check_mesh("test_scene.stl");
  write_file("test_scene.STL", binary, sizeof binary);
  check_mesh("test_scene.STL");
  write_file("test_scene.obj", obj, sizeof obj - 1);
  check_mesh("test_scene.obj");
}

/* ---- Locale --------------------------------------------------------------------------------- */

static void test_locale(void **state) {
  (void)state;
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
    skip();
  const SlipiScene *scene = read(whole);
  assert_true(scene->scene.def.step == 0.005);
  done(scene);
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_settings),
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_materials_and_rules),
      cmocka_unit_test(test_matrices),
      cmocka_unit_test(test_bodies),
      cmocka_unit_test(test_joints_and_forces),
      cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_names_anywhere),
      cmocka_unit_test(test_anchors),
      cmocka_unit_test(test_set),
      cmocka_unit_test(test_multiples),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_plane_shapes),
      cmocka_unit_test(test_grid),
      cmocka_unit_test(test_stack),
      cmocka_unit_test(test_wall),
      cmocka_unit_test(test_arch),
      cmocka_unit_test(test_along),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_mesh),
      cmocka_unit_test(test_locale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
