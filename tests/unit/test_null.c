/* NULL in each pointer argument of each public function: a status with a sentence, NULL or 0, never
 * a crash. The last test reads the headers, so that no function is left out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/bench.h>
#include <slipcone/check.h>
#include <slipcone/generate.h>
#include <slipcone/io.h>
#include <slipcone/record.h>
#include <slipcone/scene.h>
#include <slipcone/sim.h>
#include <slipcone/slipcone.h>

#include "data.h"
#include "scratch.h"
#include "solver/solver.h"

static SlipError error;

/* A call that is refused, with and without a place for the sentence. */
#define REFUSED(call)                                                                              \
  do {                                                                                             \
    SlipError *const place = &error;                                                               \
    error.text[0] = '\0';                                                                          \
    assert_int_equal(call, SLIP_ERROR_ARGUMENT);                                                   \
    assert_int_equal(error.status, SLIP_ERROR_ARGUMENT);                                           \
    assert_true(error.text[0] != '\0');                                                            \
  } while (0);                                                                                     \
  do {                                                                                             \
    SlipError *const place = NULL;                                                                 \
    assert_int_equal(call, SLIP_ERROR_ARGUMENT);                                                   \
  } while (0)

/* The same; what `output` points to becomes NULL. */
#define REFUSED_OUTPUT(output, call)                                                               \
  do {                                                                                             \
    (output) = (void *)&error;                                                                     \
    REFUSED(call);                                                                                 \
    assert_null(output);                                                                           \
  } while (0)

static SlipProblem *local_problem(void) {
  SlipProblem *problem;
  assert_int_equal(slip_generate("one", NULL, &problem, NULL, NULL), SLIP_OK);
  return problem;
}

static void test_problem_data(void **state) {
  (void)state;
  SlipProblem *problem = NULL, *made;
  SlipLocalData local = slip_default_local_data();
  SlipGlobalData global = slip_default_global_data();
  SlipBodiesData bodies = slip_default_bodies_data();
  REFUSED_OUTPUT(made, slip_problem_create_local(NULL, &made, place));
  REFUSED(slip_problem_create_local(&local, NULL, place));
  REFUSED_OUTPUT(made, slip_problem_create_global(NULL, &made, place));
  REFUSED(slip_problem_create_global(&global, NULL, place));
  REFUSED_OUTPUT(made, slip_problem_create_bodies(NULL, &made, place));
  REFUSED(slip_problem_create_bodies(&bodies, NULL, place));
  REFUSED(slip_problem_set_bodies(NULL, &bodies, place));
  REFUSED_OUTPUT(made, slip_problem_assemble(NULL, &made, place));
  REFUSED_OUTPUT(made, slip_problem_reduce(NULL, &made, place));
  REFUSED_OUTPUT(made, slip_problem_skew(NULL, (const double[9]){0}, &made, place));
  REFUSED(slip_problem_local_data(NULL, &local, place));
  REFUSED(slip_problem_global_data(NULL, &global, place));
  REFUSED(slip_problem_bodies_data(NULL, &bodies, place));
  problem = local_problem();
  REFUSED(slip_problem_set_bodies(problem, NULL, place));
  REFUSED(slip_problem_assemble(problem, NULL, place));
  REFUSED(slip_problem_reduce(problem, NULL, place));
  REFUSED(slip_problem_skew(problem, NULL, &made, place));
  REFUSED(slip_problem_skew(problem, (const double[9]){0}, NULL, place));
  REFUSED(slip_problem_local_data(problem, NULL, place));
  REFUSED(slip_problem_global_data(problem, NULL, place));
  REFUSED(slip_problem_bodies_data(problem, NULL, place));
  slip_problem_free(problem);
  slip_problem_free(NULL);
  assert_int_equal(slip_problem_form(NULL), SLIP_FORM_LOCAL);
  assert_int_equal(slip_problem_dimension(NULL), 0);
  assert_int_equal(slip_problem_contacts(NULL), 0);
  assert_int_equal(slip_problem_dof(NULL), 0);
}

/* Arrays that the data should have and have not. */
static void test_problem_arrays(void **state) {
  (void)state;
  SlipProblem *made;
  double x[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0.5;
  SlipLocalData local = LOCAL_DATA(.dimension = 3, .contacts = 1, .W = slip_dense(3, 3, x), .q = x,
                                   .laws = LAWS(.mu = &mu));
  assert_int_equal(slip_problem_create_local(&local, &made, NULL), SLIP_OK);
  slip_problem_free(made);
  SlipLocalData wrong = local;
  wrong.W.x = NULL;
  assert_int_not_equal(slip_problem_create_local(&wrong, &made, &error), SLIP_OK);
  wrong = local;
  wrong.q = NULL;
  assert_int_not_equal(slip_problem_create_local(&wrong, &made, &error), SLIP_OK);
  wrong = local;
  wrong.laws = NULL;
  assert_int_not_equal(slip_problem_create_local(&wrong, &made, &error), SLIP_OK);
  wrong.laws = LAWS(.mu = NULL);
  assert_int_not_equal(slip_problem_create_local(&wrong, &made, &error), SLIP_OK);
  for (int layout = SLIP_CSC; layout <= SLIP_TRIPLET; layout++)
    for (int missing = 0; missing < 3; missing++) {
      int32_t p[4] = {0, 1, 2, 3}, i[3] = {0, 1, 2};
      wrong = local;
      wrong.W = (SlipMatrix){.layout = (SlipLayout)layout,
                             .rows = 3,
                             .cols = 3,
                             .nnz = 3,
                             .p = missing == 0 ? NULL : p,
                             .i = missing == 1 ? NULL : i,
                             .x = missing == 2 ? NULL : x};
      assert_int_not_equal(slip_problem_create_local(&wrong, &made, &error), SLIP_OK);
      assert_null(made);
    }
}

static void test_problem_use(void **state) {
  (void)state;
  SlipProblem *problem = local_problem();
  double r[3] = {0}, u[3], residual;
  SlipOutcome outcome;
  SlipFeatures features = slip_default_features();
  REFUSED(slip_solve(NULL, 1e-8, r, u, &outcome, place));
  REFUSED(slip_solve(problem, 1e-8, r, u, NULL, place));
  assert_int_equal(slip_solve(problem, 1e-8, NULL, NULL, &outcome, NULL), SLIP_OK);
  REFUSED(slip_problem_residual(NULL, r, &residual, NULL, place));
  REFUSED(slip_problem_residual(problem, NULL, &residual, NULL, place));
  REFUSED(slip_problem_residual(problem, r, NULL, NULL, place));
  REFUSED(slip_problem_physical(NULL, r, &residual, place));
  REFUSED(slip_problem_physical(problem, NULL, &residual, place));
  REFUSED(slip_problem_physical(problem, r, NULL, place));
  REFUSED(slip_problem_velocity(NULL, r, u, NULL, place));
  REFUSED(slip_problem_velocity(problem, NULL, u, NULL, place));
  assert_int_equal(slip_problem_velocity(problem, r, NULL, NULL, NULL), SLIP_OK);
  REFUSED(slip_problem_features(NULL, &features, place));
  REFUSED(slip_problem_features(problem, NULL, place));
  slip_problem_free(problem);
}

static void test_methods(void **state) {
  (void)state;
  slip_settings_set_progress(NULL, NULL, NULL);
  assert_null(slip_law_name(-1));
  assert_null(slip_law_name(1000));
  assert_int_equal(slip_law_flows((SlipLaw)1000), 0);
  assert_int_equal(slip_method_takes_law(NULL, SLIP_COULOMB, SLIP_FLOW_COULOMB), 0);
  assert_int_equal(slip_method_takes_dimension(NULL, 3), 0);
  SlipSettings *settings;
  double value;
  assert_null(slip_method_find(NULL));
  assert_null(slip_method_default(NULL, 0));
  assert_null(slip_method_info(-1));
  assert_null(slip_method_info(slip_method_count()));
  assert_non_null(slip_common_options(NULL));
  assert_non_null(slip_status_name((SlipStatus)99));
  assert_non_null(slip_outcome_name((SlipOutcome)99));
  assert_non_null(slip_version());
  REFUSED(slip_settings_create("nsgs", NULL, place));
  assert_int_equal(slip_settings_create(NULL, &settings, NULL), SLIP_OK);
  assert_null(slip_settings_method(NULL));
  REFUSED(slip_settings_set(NULL, "tol", "1", place));
  REFUSED(slip_settings_set(settings, NULL, "1", place));
  REFUSED(slip_settings_set(settings, "tol", NULL, place));
  REFUSED(slip_settings_set_real(NULL, "tol", 1, place));
  REFUSED(slip_settings_set_real(settings, NULL, 1, place));
  REFUSED(slip_settings_get_real(NULL, "tol", &value, place));
  REFUSED(slip_settings_get_real(settings, NULL, &value, place));
  REFUSED(slip_settings_get_real(settings, "tol", NULL, place));
  slip_settings_free(settings);
  slip_settings_set_progress(NULL, NULL, NULL);
  slip_settings_free(NULL);
}

static void test_solver(void **state) {
  (void)state;
  SlipProblem *problem = local_problem();
  SlipSolver *solver;
  SlipUpdate update = slip_default_update();
  double r[3] = {0};
  REFUSED_OUTPUT(solver, slip_solver_create(NULL, NULL, &solver, place));
  REFUSED(slip_solver_create(problem, NULL, NULL, place));
  assert_int_equal(slip_solver_create(problem, NULL, &solver, NULL), SLIP_OK);
  slip_solver_set_progress(NULL, NULL, NULL);
  slip_solver_set_progress(solver, NULL, NULL);
  REFUSED(slip_solver_set_problem(NULL, problem, place));
  REFUSED(slip_solver_set_problem(solver, NULL, place));
  REFUSED(slip_solver_warm_start_last(NULL, place));
  REFUSED(slip_solver_warm_start(NULL, r, place));
  REFUSED(slip_solver_warm_start(solver, NULL, place));
  REFUSED(slip_solver_update(NULL, &update, place));
  REFUSED(slip_solver_update(solver, NULL, place));
  REFUSED(slip_solver_run(NULL, place));
  assert_int_equal(slip_solver_result(NULL)->outcome, SLIP_NOT_RUN);
  assert_string_equal(slip_solver_result(NULL)->reason, "solver is null or freed");
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_NOT_RUN);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  slip_solver_free(solver);
  slip_solver_free(NULL);
  slip_problem_free(problem);
}

static void test_one_contact(void **state) {
  (void)state;
  double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0};
  SlipOneContact solutions = slip_default_one_contact();
  REFUSED(slip_one_contact_enumerate(NULL, q, 0.5, SLIP_QUARTIC_TAN, &solutions, place));
  REFUSED(slip_one_contact_enumerate(W, NULL, 0.5, SLIP_QUARTIC_TAN, &solutions, place));
  REFUSED(slip_one_contact_enumerate(W, q, 0.5, SLIP_QUARTIC_TAN, NULL, place));
}

static void test_check(void **state) {
  (void)state;
  SlipProblem *problem = local_problem();
  SlipCheck *check;
  REFUSED_OUTPUT(check, slip_check(NULL, NULL, &check, place));
  REFUSED(slip_check(problem, NULL, NULL, place));
  assert_int_equal(slip_check(problem, NULL, &check, NULL), SLIP_OK);
  slip_check_free(check);
  slip_check_free(NULL);
  assert_non_null(slip_verdict_name((SlipVerdict)99));
  assert_non_null(slip_check_ground_name((SlipCheckGround)99));
  slip_problem_free(problem);
}

static void test_generate(void **state) {
  (void)state;
  SlipProblem *problem;
  double *r;
  SlipGenerate options = slip_default_generate();
  assert_null(slip_generate_info(-1));
  assert_null(slip_generate_info(slip_generate_count()));
  REFUSED(slip_generate_defaults(NULL, &options, place));
  REFUSED(slip_generate_defaults("one", NULL, place));
  REFUSED_OUTPUT(problem, slip_generate(NULL, NULL, &problem, &r, place));
  REFUSED_OUTPUT(r, slip_generate("random", NULL, NULL, &r, place));
  slip_generate_free_r(NULL);
}

static void test_io(void **state) {
  (void)state;
  SlipFile *file;
  char *text;
  SlipResult result = *slip_solver_result(NULL);
  REFUSED_OUTPUT(file, slip_file_read(NULL, SLIP_WANT_ANY, &file, place));
  REFUSED(slip_file_read("none.hdf5", SLIP_WANT_ANY, NULL, place));
  REFUSED_OUTPUT(file, slip_file_read_memory(NULL, "x", 1, SLIP_WANT_ANY, &file, place));
  REFUSED_OUTPUT(file, slip_file_read_memory("x", NULL, 1, SLIP_WANT_ANY, &file, place));
  REFUSED(slip_file_read_memory("x", "x", 1, SLIP_WANT_ANY, NULL, place));
  REFUSED(slip_file_write(NULL, WRITE(.problem = NULL), place));
  REFUSED(slip_file_write("none.hdf5", NULL, place));
  REFUSED_OUTPUT(text, slip_result_json("none.hdf5", 1e-8, NULL, &text, place));
  REFUSED(slip_result_json("none.hdf5", 1e-8, &result, NULL, place));
  assert_int_equal(slip_result_json(NULL, 1e-8, &result, &text, NULL), SLIP_OK);
  slip_text_free(text);
  slip_text_free(NULL);
  assert_null(slip_number_text(1, NULL));
  slip_file_free(NULL);
}

static void test_bench(void **state) {
  (void)state;
  SlipBenchResults *results, empty = {.size = sizeof empty};
  SlipProfile *profile;
  SlipTable5 *table5;
  SlipTable6 *table6;
  SlipBenchNames *names;
  SlipCampaignFile *file;
  const char *path = "none.hdf5", *nothing = NULL;
  REFUSED_OUTPUT(results, slip_bench_read(NULL, &results, place));
  REFUSED(slip_bench_read("none.csv", NULL, place));
  slip_bench_results_free(NULL);
  REFUSED(slip_bench_merge(NULL, 1, "none.csv", NULL, place));
  REFUSED(slip_bench_merge(&nothing, 1, "none.csv", NULL, place));
  REFUSED(slip_bench_merge(&path, 1, NULL, NULL, place));
  REFUSED_OUTPUT(profile, slip_bench_profile(NULL, NULL, &profile, place));
  REFUSED(slip_bench_profile(&empty, NULL, NULL, place));
  REFUSED_OUTPUT(profile, slip_bench_profile(&empty, NULL, &profile, place)); /* no rows */
  slip_profile_free(NULL);
  assert_true(slip_profile_value(NULL, 0, 1) == 0);
  REFUSED_OUTPUT(table5, slip_bench_table5(NULL, 1, &table5, place));
  REFUSED_OUTPUT(table5, slip_bench_table5(&nothing, 1, &table5, place));
  REFUSED(slip_bench_table5(&path, 1, NULL, place));
  slip_table5_free(NULL);
  REFUSED_OUTPUT(table6, slip_bench_table6(NULL, &table6, place));
  REFUSED(slip_bench_table6(&empty, NULL, place));
  slip_table6_free(NULL);
  REFUSED(slip_bench_report(NULL, "none.html", place));
  REFUSED(slip_bench_report("none.csv", NULL, place));
  REFUSED(slip_bench_plot(NULL, NULL, "none.svg", place));
  REFUSED(slip_bench_plot("none.csv", NULL, NULL, place));
  REFUSED(slip_trace_plot(NULL, 1, 1e-6, "none.svg", place));
  REFUSED(slip_trace_plot(NULL, 0, 1e-6, NULL, place));
  REFUSED_OUTPUT(names, slip_bench_methods(NULL, &names, place));
  REFUSED(slip_bench_methods("nsgs", NULL, place));
  slip_bench_names_free(NULL);
  REFUSED_OUTPUT(file, slip_campaign_file_read(NULL, &file, place));
  REFUSED(slip_campaign_file_read("none.txt", NULL, place));
  slip_campaign_file_free(NULL);
}

static void test_campaign(void **state) {
  (void)state;
  const char *path = "none.hdf5", *method = "nsgs", *nothing = NULL;
  SlipBenchRule rule = {NULL, 1e-4, 1};
  SlipBenchRunner runner = {NULL, NULL, NULL};
  SlipCampaign whole = slip_default_campaign(), campaign;
  whole.paths = &path;
  whole.path_count = 1;
  whole.methods = &method;
  whole.method_count = 1;
  whole.out = "none.csv";
  REFUSED(slip_campaign_run(NULL, NULL, place));
  campaign = whole;
  campaign.out = NULL;
  REFUSED(slip_campaign_run(&campaign, NULL, place));
  campaign = whole;
  campaign.paths = NULL;
  REFUSED(slip_campaign_run(&campaign, NULL, place));
  campaign.paths = &nothing;
  REFUSED(slip_campaign_run(&campaign, NULL, place));
  campaign = whole;
  campaign.methods = NULL;
  REFUSED(slip_campaign_run(&campaign, NULL, place));
  campaign.methods = &nothing;
  REFUSED(slip_campaign_run(&campaign, NULL, place));
  campaign = whole;
  campaign.rules = NULL;
  REFUSED(slip_campaign_run(&campaign, NULL, place));
  campaign.rules = &rule;
  campaign.rule_count = 1;
  REFUSED(slip_campaign_run(&campaign, NULL, place));
  campaign = whole;
  campaign.runner_count = 1;
  REFUSED(slip_campaign_run(&campaign, NULL, place));
  campaign.runners = &runner;
  REFUSED(slip_campaign_run(&campaign, NULL, place));
}

/* ---- Simulations ---- */

static SlipSim *one_ball(SlipBodyId *body) {
  SlipSimDef def = slip_default_sim_def();
  SlipSim *sim;
  SlipShapeDef shape = slip_default_shape_def();
  SlipBodyDef ball = slip_default_body_def();
  shape.kind = SLIP_SHAPE_SPHERE;
  shape.radius = 1;
  ball.shapes = &shape;
  ball.shape_count = 1;
  assert_int_equal(slip_sim_create(&def, &sim, NULL), SLIP_OK);
  assert_int_equal(slip_sim_add_body(sim, &ball, body, NULL), SLIP_OK);
  return sim;
}

static void test_sim_make(void **state) {
  (void)state;
  SlipSimDef def = slip_default_sim_def();
  SlipSim *made, *sim;
  SlipBodyId body;
  REFUSED_OUTPUT(made, slip_sim_create(NULL, &made, place));
  REFUSED(slip_sim_create(&def, NULL, place));
  slip_sim_free(NULL);
  sim = one_ball(&body);
  SlipMaterialDef material = slip_default_material_def();
  SlipContactRule rule = slip_default_contact_rule();
  SlipBodyDef ball = slip_default_body_def();
  SlipJointDef joint = slip_default_joint_def();
  SlipForceDef force = slip_default_force_def();
  REFUSED(slip_sim_add_material(NULL, &material, NULL, place));
  REFUSED(slip_sim_add_material(sim, NULL, NULL, place));
  REFUSED(slip_sim_add_rule(NULL, &rule, place));
  REFUSED(slip_sim_add_rule(sim, NULL, place));
  REFUSED(slip_sim_add_body(NULL, &ball, NULL, place));
  REFUSED(slip_sim_add_body(sim, NULL, NULL, place));
  ball.shape_count = 1;
  REFUSED(slip_sim_add_body(sim, &ball, NULL, place));
  REFUSED(slip_sim_add_joint(NULL, &joint, NULL, place));
  REFUSED(slip_sim_add_joint(sim, NULL, NULL, place));
  REFUSED(slip_sim_add_force(NULL, &force, place));
  REFUSED(slip_sim_add_force(sim, NULL, place));
  SlipDeformableDef soft = slip_default_deformable_def();
  SlipSupportDef support = slip_default_support_def();
  SlipLoadDef load = slip_default_load_def();
  REFUSED(slip_sim_add_deformable(NULL, &soft, NULL, place));
  REFUSED(slip_sim_add_deformable(sim, NULL, NULL, place));
  REFUSED(slip_sim_add_deformable(sim, &soft, NULL, place));
  REFUSED(slip_sim_add_support(NULL, &support, place));
  REFUSED(slip_sim_add_support(sim, NULL, place));
  REFUSED(slip_sim_add_support(sim, &support, place));
  REFUSED(slip_sim_add_load(NULL, &load, place));
  REFUSED(slip_sim_add_load(sim, NULL, place));
  REFUSED(slip_sim_add_load(sim, &load, place));
  REFUSED(slip_sim_remove_body(NULL, body, place));
  REFUSED(slip_sim_remove_joint(NULL, (SlipJointId){0, 1}, place));
  assert_int_equal(slip_sim_find_body(NULL, "ball").generation, 0);
  assert_int_equal(slip_sim_find_body(sim, NULL).generation, 0);
  slip_sim_set_force_function(NULL, NULL, NULL);
  slip_sim_set_filter(NULL, NULL, NULL);
  slip_sim_set_rule_function(NULL, NULL, NULL);
  slip_sim_free(sim);
}

static void test_sim_shapes(void **state) {
  (void)state;
  SlipShapeDef def = slip_default_shape_def();
  SlipBodyId body;
  SlipEnergy energy;
  SlipSim *sim = one_ball(&body);
  assert_int_equal(slip_sim_shape_count(NULL), 0);
  assert_int_equal(slip_sim_dimension(NULL), 0);
  REFUSED(slip_sim_shape(NULL, 0, &def, NULL, place));
  REFUSED(slip_sim_shape(sim, 0, NULL, NULL, place));
  REFUSED(slip_sim_shape(sim, 1, &def, NULL, place));
  assert_int_equal(slip_sim_shape(sim, 0, &def, NULL, NULL), SLIP_OK);
  slip_sim_energy(NULL, &energy);
  slip_sim_energy(sim, NULL);
  slip_sim_set_progress(NULL, NULL, NULL);
  slip_sim_set_progress(sim, NULL, NULL);
  slip_sim_free(sim);
}

static void test_scene(void **state) {
  (void)state;
  SlipScene *scene;
  SlipSim *sim;
  REFUSED_OUTPUT(scene, slip_scene_read(NULL, NULL, &scene, place));
  REFUSED(slip_scene_read("none.yaml", NULL, NULL, place));
  REFUSED_OUTPUT(scene, slip_scene_read_memory(NULL, "", 0, NULL, &scene, place));
  REFUSED_OUTPUT(scene, slip_scene_read_memory("none", NULL, 1, NULL, &scene, place));
  REFUSED(slip_scene_read_memory("none", "", 0, NULL, NULL, place));
  REFUSED_OUTPUT(sim, slip_scene_build(NULL, &sim, place));
  slip_scene_free(NULL);
}

static void test_record(void **state) {
  (void)state;
  SlipRecorder *recorder;
  SlipTrajectory *trajectory;
  SlipStepInfo info = slip_default_step_info();
  SlipSimState read = slip_default_sim_state();
  SlipDeformableState soft = slip_default_deformable_state();
  SlipShapeDef shape = slip_default_shape_def();
  SlipBodyId body;
  SlipSim *sim = one_ball(&body);
  void *bytes;
  size_t size;
  REFUSED_OUTPUT(recorder, slip_recorder_create(NULL, sim, NULL, &recorder, place));
  REFUSED_OUTPUT(recorder, slip_recorder_create("none.h5", NULL, NULL, &recorder, place));
  REFUSED(slip_recorder_create("none.h5", sim, NULL, NULL, place));
  REFUSED(slip_recorder_step(NULL, sim, &info, place));
  REFUSED(slip_recorder_flush(NULL, place));
  REFUSED(slip_recorder_finish(NULL, sim, place));
  slip_recorder_free(NULL);
  REFUSED_OUTPUT(trajectory, slip_trajectory_open(NULL, &trajectory, place));
  REFUSED(slip_trajectory_open("none.h5", NULL, place));
  slip_trajectory_free(NULL);
  assert_null(slip_trajectory_info(NULL));
  REFUSED(slip_trajectory_shape(NULL, 0, &shape, NULL, place));
  REFUSED(slip_trajectory_frame(NULL, 0, &read, place));
  REFUSED(slip_trajectory_deformable(NULL, 0, 0, &soft, place));
  REFUSED_OUTPUT(bytes, slip_trajectory_snapshot(NULL, 0, &bytes, &size, place));
  REFUSED(slip_trajectory_export_vtk(NULL, "none", 1, place));
  REFUSED(slip_trajectory_export_xdmf(NULL, "none", 1, place));
  REFUSED(slip_trajectory_draw(NULL, 0, NULL, "none.svg", place));
  REFUSED(slip_trajectory_page(NULL, NULL, "none.html", place));
  REFUSED(slip_problem_page(NULL, NULL, NULL, "none.html", place));
  slip_sim_free(sim);
}

static void test_sim_use(void **state) {
  (void)state;
  const double three[3] = {0}, turn[4] = {1, 0, 0, 0};
  SlipSimState read = slip_default_sim_state();
  SlipStepInfo info = slip_default_step_info();
  SlipBodyId body;
  SlipSim *sim = one_ball(&body);
  double mass;
  void *bytes;
  size_t size;
  REFUSED(slip_sim_step(NULL, &info, place));
  assert_int_equal(slip_sim_step(sim, NULL, NULL), SLIP_OK);
  REFUSED(slip_sim_apply(NULL, body, three, three, place));
  assert_int_equal(slip_sim_apply(sim, body, NULL, NULL, NULL), SLIP_OK);
  REFUSED(slip_sim_state(NULL, &read, place));
  REFUSED(slip_sim_state(sim, NULL, place));
  REFUSED(slip_sim_set_pose(NULL, body, three, turn, place));
  REFUSED(slip_sim_set_pose(sim, body, NULL, turn, place));
  REFUSED(slip_sim_set_pose(sim, body, three, NULL, place));
  REFUSED(slip_sim_set_velocity(NULL, body, three, three, place));
  REFUSED(slip_sim_set_velocity(sim, body, NULL, three, place));
  REFUSED(slip_sim_set_velocity(sim, body, three, NULL, place));
  SlipDeformableState soft = slip_default_deformable_state();
  SlipProblem *global;
  REFUSED(slip_sim_export_vtu(NULL, body, "none", place));
  REFUSED(slip_sim_export_vtu(sim, body, NULL, place));
  REFUSED(slip_sim_export_vtu(sim, body, "none", place));
  REFUSED(slip_sim_deformable(NULL, body, &soft, place));
  REFUSED(slip_sim_deformable(sim, body, NULL, place));
  REFUSED(slip_sim_deformable(sim, body, &soft, place));
  REFUSED_OUTPUT(global, slip_sim_global_problem(NULL, &global, place));
  REFUSED_OUTPUT(global, slip_sim_global_problem(sim, &global, place));
  REFUSED(slip_sim_global_problem(sim, NULL, place));
  REFUSED(slip_sim_mass(NULL, body, &mass, NULL, place));
  REFUSED(slip_sim_mass(sim, body, NULL, NULL, place));
  REFUSED_OUTPUT(bytes, slip_sim_save(NULL, &bytes, &size, place));
  REFUSED_OUTPUT(bytes, slip_sim_save(sim, &bytes, NULL, place));
  REFUSED(slip_sim_save(sim, NULL, &size, place));
  REFUSED(slip_sim_restore(NULL, three, sizeof three, place));
  REFUSED(slip_sim_restore(sim, NULL, 0, place));
  slip_sim_bytes_free(NULL);
  assert_true(slip_sim_time(NULL) == 0);
  assert_int_equal(slip_sim_steps(NULL), 0);
  assert_null(slip_sim_problem(NULL));
  assert_null(slip_sim_problem(sim));
  assert_null(slip_sim_result(NULL));
  assert_null(slip_sim_result(sim));
  assert_null(slip_sim_start(NULL));
  assert_null(slip_sim_start(sim));
  assert_null(slip_sim_body_name(NULL, 0));
  assert_null(slip_sim_body_name(sim, 0));
  assert_int_equal(slip_sim_body_at(NULL, 0).generation, 0);
  assert_int_equal(slip_sim_body_at(sim, 7).generation, 0);
  slip_sim_free(sim);
}

/* ---- All functions -------------------------------------------------------------------------- */

/* Each function that a header declares is called in this file. */
static void test_every_function(void **state) {
  (void)state;
  static const char *const headers[] = {"slipcone.h", "check.h", "generate.h", "io.h",
                                        "bench.h",    "sim.h",   "scene.h",    "record.h"};
  char *here = source_text("tests/unit/test_null.c");
  int count = 0;
  for (size_t h = 0; h < sizeof headers / sizeof headers[0]; h++) {
    char path[64];
    snprintf(path, sizeof path, "include/slipcone/%s", headers[h]);
    char *text = source_text(path);
    for (const char *at = strstr(text, "\nSLIP_API "); at; at = strstr(at + 1, "\nSLIP_API ")) {
      char call[96];
      const char *name = strstr(at, "slip_"), *end = strchr(name, '(');
      snprintf(call, sizeof call, "%.*s(", (int)(end - name), name);
      if (!strstr(here, call))
        fail_msg("%s is not called here", call);
      count++;
    }
    free(text);
  }
  free(here);
  assert_true(count > 60);
}

/* Memory that the library frees while `keeping` is set stays as it is. */
enum { KEPT = 64 };
static bool keeping;
static void *kept[KEPT];
static int kept_count;

void __real_free(void *memory);
void __wrap_free(void *memory);

void __wrap_free(void *memory) {
  if (!keeping || !memory)
    __real_free(memory);
  else if (kept_count < KEPT)
    kept[kept_count++] = memory;
  else
    fail_msg("more is freed than is kept");
}

/* Neither a problem nor a solver is here. */
static void refused_everywhere(void *memory) {
  SlipProblem *problem = memory, *made;
  SlipSolver *solver = memory, *other;
  SlipOutcome outcome;
  SlipFeatures features = slip_default_features();
  SlipLocalData data = slip_default_local_data();
  SlipUpdate update = slip_default_update();
  double r[3] = {0}, value;
  assert_int_equal(slip_problem_contacts(problem), 0);
  assert_int_equal(slip_problem_dimension(problem), 0);
  assert_int_equal(slip_problem_dof(problem), 0);
  REFUSED(slip_problem_local_data(problem, &data, place));
  REFUSED(slip_problem_residual(problem, r, &value, NULL, place));
  REFUSED(slip_problem_physical(problem, r, &value, place));
  REFUSED(slip_problem_features(problem, &features, place));
  REFUSED_OUTPUT(made, slip_problem_reduce(problem, &made, place));
  REFUSED_OUTPUT(made, slip_problem_assemble(problem, &made, place));
  REFUSED_OUTPUT(other, slip_solver_create(problem, NULL, &other, place));
  REFUSED(slip_solve(problem, 1e-8, r, NULL, &outcome, place));
  REFUSED(slip_solver_run(solver, place));
  REFUSED(slip_solver_update(solver, &update, place));
  REFUSED(slip_solver_warm_start(solver, r, place));
  REFUSED(slip_solver_warm_start_last(solver, place));
  REFUSED(slip_solver_set_problem(solver, problem, place));
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_NOT_RUN);
  slip_solver_set_progress(solver, NULL, NULL);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

/* Memory that never was a problem or solver. */
static void test_no_handle(void **state) {
  static const int fills[] = {0, 0xdd, 0xff};
  size_t size = sizeof(SlipProblem) > sizeof(SlipSolver) ? sizeof(SlipProblem) : sizeof(SlipSolver);
  void *room = malloc(size);
  (void)state;
  for (int k = 0; k < 3; k++) {
    memset(room, fills[k], size);
    refused_everywhere(room);
  }
  free(room);
}

/* Problems and solvers that were freed, as long as they can be read; a second time frees nothing.
 */
static void test_freed(void **state) {
  SlipProblem *problem = local_problem();
  SlipSolver *solver;
  (void)state;
  assert_int_equal(slip_solver_create(problem, NULL, &solver, NULL), SLIP_OK);
  keeping = true;
  slip_solver_free(solver);
  slip_problem_free(problem);
  int freed = kept_count;
  refused_everywhere(solver);
  refused_everywhere(problem);
  assert_int_equal(kept_count, freed);
  keeping = false;
  for (int k = 0; k < kept_count; k++)
    free(kept[k]);
}

/* A solver where a problem is meant, and the other way round: both live, and stay as they are. */
static void test_other_handle(void **state) {
  SlipProblem *problem = local_problem(), *made;
  SlipSolver *solver, *other;
  (void)state;
  assert_int_equal(slip_solver_create(problem, NULL, &solver, NULL), SLIP_OK);
  void *no_problem = solver, *no_solver = problem;
  assert_int_equal(slip_problem_contacts(no_problem), 0);
  REFUSED_OUTPUT(made, slip_problem_reduce(no_problem, &made, place));
  REFUSED_OUTPUT(other, slip_solver_create(no_problem, NULL, &other, place));
  REFUSED(slip_solver_run(no_solver, place));
  slip_problem_free(no_problem);
  slip_solver_free(no_solver);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_problem_data), cmocka_unit_test(test_problem_arrays),
      cmocka_unit_test(test_problem_use),  cmocka_unit_test(test_methods),
      cmocka_unit_test(test_solver),       cmocka_unit_test(test_one_contact),
      cmocka_unit_test(test_check),        cmocka_unit_test(test_generate),
      cmocka_unit_test(test_io),           cmocka_unit_test(test_bench),
      cmocka_unit_test(test_campaign),     cmocka_unit_test(test_sim_make),
      cmocka_unit_test(test_sim_use),      cmocka_unit_test(test_sim_shapes),
      cmocka_unit_test(test_scene),        cmocka_unit_test(test_record),
      cmocka_unit_test(test_no_handle),    cmocka_unit_test(test_freed),
      cmocka_unit_test(test_other_handle), cmocka_unit_test(test_every_function),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
