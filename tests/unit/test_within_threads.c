/* Solves through part of sparse factors, by several threads: W of a problem and what the simulator
 * keeps of the inverse of a deformable body have the same bits for any number of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "contact/mass.h"
#include "sim/soft.h"
#include "sim_case.h"

enum { THREADS = 3 };

static int stop_at; /* the question that is answered by an end; 0: none */

static SlipOutcome answer(void *user, double ahead) {
  int *asked = user;
  (void)ahead;
  return ++*asked == stop_at ? SLIP_TIME_LIMIT : SLIP_NOT_RUN;
}

static SlipProblem *elastic(void) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  assert_int_equal(slip_generate_defaults("elastic", &options, NULL), SLIP_OK);
  options.contacts = 225; /* more than two chunks of them */
  assert_int_equal(slip_generate("elastic", &options, &problem, NULL, NULL), SLIP_OK);
  return problem;
}

static void test_W(void **state) {
  (void)state;
  SlipProblem *problem = elastic();
  SlipiMass *mass;
  assert_int_equal(slipi_mass_create(problem, &mass, NULL), SLIP_OK);
  SlipiArena arena[THREADS] = {{0}};
  SlipiBsr W[THREADS];
  for (int k = 0; k < THREADS; k++) {
    SlipiTeam *team;
    assert_int_equal(slipi_team_create(k + 1, &team, NULL), SLIP_OK);
    mass->team = team;
    assert_int_equal(slipi_mass_reduce(mass, problem, &arena[k], &W[k], NULL), SLIP_OK);
    slipi_team_free(team);
    size_t values = (size_t)W[k].p[W[k].n] * 9;
    assert_int_equal(values, 9 * problem->nc * problem->nc);
    assert_memory_equal(W[k].x, W[0].x, values * sizeof *W[k].x);
  }
  for (int k = 0; k < THREADS; k++)
    slipi_arena_free(&arena[k]);
  slipi_mass_free(mass);
  slip_problem_free(problem);
}

/* Told to end in the middle, it fails so, and can be asked again. */
static void test_stop(void **state) {
  (void)state;
  SlipProblem *problem = elastic();
  SlipiMass *mass;
  SlipiArena arena = {0};
  SlipiBsr W;
  int asked = 0;
  assert_int_equal(slipi_mass_create(problem, &mass, NULL), SLIP_OK);
  assert_int_equal(slipi_team_create(2, &mass->team, NULL), SLIP_OK);
  mass->stop = (SlipiStop){answer, &asked};
  stop_at = 1;
  assert_int_equal(slipi_mass_reduce(mass, problem, &arena, &W, NULL), SLIP_ERROR_NUMERIC);
  stop_at = 0;
  assert_int_equal(slipi_mass_reduce(mass, problem, &arena, &W, NULL), SLIP_OK);
  slipi_arena_free(&arena);
  slipi_team_free(mass->team);
  slipi_mass_free(mass);
  slip_problem_free(problem);
}

/* A plate on the ground, and a box that comes down on it: the nodes below are known from the first
 * step on, those above are added later. */
static SlipSim *press(int threads, SlipBodyId *plate) {
  SlipSimDef def = slip_default_sim_def();
  SlipSettings *settings;
  SlipSim *sim;
  def.step = 1e-3;
  assert_int_equal(slip_settings_create(NULL, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set_real(settings, "threads", threads, NULL), SLIP_OK);
  def.settings = settings;
  assert_int_equal(slip_sim_create(&def, &sim, NULL), SLIP_OK);
  slip_settings_free(settings);
  sim_rule(sim, 0.3, 0);
  sim_plane(sim, 0, 0, 1);
  SlipDeformableDef soft = slip_default_deformable_def();
  memcpy(soft.box, (double[]){1, 1, 0.1}, sizeof soft.box);
  memcpy(soft.cells, (int32_t[]){11, 11, 2}, sizeof soft.cells);
  soft.position[2] = 0.05;
  soft.young = 1e6;
  assert_int_equal(slip_sim_add_deformable(sim, &soft, plate, NULL), SLIP_OK);
  SlipShapeDef above = sim_box(2, 2, 0.2);
  SlipBodyDef lid = slip_default_body_def();
  lid.motion = SLIP_MOTION_TOLD;
  lid.shapes = &above;
  lid.shape_count = 1;
  lid.position[2] = 0.2025;
  lid.velocity[2] = -1;
  sim_body_def(sim, &lid);
  return sim;
}

static void test_inverse(void **state) {
  (void)state;
  SlipSim *sim[THREADS];
  SlipBodyId plate;
  for (int k = 0; k < THREADS; k++) {
    sim[k] = press(k + 1, &plate);
    sim_steps(sim[k], 1);
    assert_int_equal(sim[k]->softs->at[0]->known, 144);
    sim_steps(sim[k], 3);
    const SlipiSoft *soft = sim[k]->softs->at[0], *first = sim[0]->softs->at[0];
    assert_int_equal(soft->known, 2 * 144);
    assert_int_equal(soft->known_capacity, first->known_capacity);
    int64_t values = 3 * (int64_t)soft->known, stride = 3 * (int64_t)soft->known_capacity;
    for (int64_t row = 0; row < values; row++)
      assert_memory_equal(soft->inverse + row * stride, first->inverse + row * stride,
                          (size_t)values * sizeof *soft->inverse);
    assert_memory_equal(soft->x, first->x, 3 * (size_t)soft->nodes * sizeof *soft->x);
  }
  for (int k = 0; k < THREADS; k++)
    slip_sim_free(sim[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_W),
      cmocka_unit_test(test_stop),
      cmocka_unit_test(test_inverse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
