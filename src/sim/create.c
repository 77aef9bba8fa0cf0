/* A simulation, its materials and the rules between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "contact/compliance.h"
#include "sim/soft.h"

SlipStatus slipi_sim_finite(const char *what, const double *x, int count, SlipError *error) {
  for (int k = 0; k < count; k++) {
    if (!isfinite(x[k]))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s[%d] is %g, which is not a finite number",
                        what, k, x[k]);
  }
  return SLIP_OK;
}

SlipStatus slipi_sim_planar(int dimension, const char *what, const double x[3], bool turn,
                            SlipError *error) {
  SlipStatus status = slipi_sim_finite(what, x, 3, error);
  if (status != SLIP_OK || dimension == 3)
    return status;
  if (turn && (x[0] != 0 || x[1] != 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "%s is (%g, %g, %g), but in 2D only its third component may differ from 0",
                      what, x[0], x[1], x[2]);
  if (!turn && x[2] != 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "%s is (%g, %g, %g), but in 2D its third component must be 0", what, x[0],
                      x[1], x[2]);
  return SLIP_OK;
}

static SlipStatus check_choices(const SlipSimDef *def, SlipError *error) {
  if (def->dimension != 2 && def->dimension != 3)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the dimension is %d but must be 2 or 3",
                      (int)def->dimension);
  if (def->gyroscopic != SLIP_GYROSCOPIC_EXPLICIT && def->gyroscopic != SLIP_GYROSCOPIC_IMPLICIT)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no gyroscopic choice %d",
                      (int)def->gyroscopic);
  if (def->inertia < SLIP_INERTIA_FULL || def->inertia > SLIP_INERTIA_NONE_GAP)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no choice of inertia %d",
                      (int)def->inertia);
  if (def->on_failure < SLIP_ON_FAILURE_STOP || def->on_failure > SLIP_ON_FAILURE_HALVE)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no policy for failures %d",
                      (int)def->on_failure);
  return SLIP_OK;
}

static SlipStatus check_def(const SlipSimDef *def, SlipError *error) {
  SlipStatus status = check_choices(def, error);
  if (status != SLIP_OK)
    return status;
  if (!(def->step > 0) || !isfinite(def->step))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the step is %g s but must be positive",
                      def->step);
  if (!(def->theta >= 0.5 && def->theta <= 1))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "theta is %g but must be from 1/2 to 1",
                      def->theta);
  if (!(def->penetration > 0 && def->penetration < 1))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "penetration is %g but must be a share between 0 and 1", def->penetration);
  if (!(def->reach >= 0 && def->reach <= 1))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "reach is %g but must be a share from 0 to 1",
                      def->reach);
  return slipi_sim_planar(def->dimension, "gravity", def->gravity, false, error);
}

/* The default tolerance of a step is tighter than that of a single problem: errors of steps add. */
static SlipStatus copy_settings(SlipSim *sim, const SlipSettings *given, SlipError *error) {
  if (given) {
    sim->settings = *given;
    return SLIP_OK;
  }
  SlipSettings *made;
  SlipStatus status = slip_settings_create(NULL, &made, error);
  if (status != SLIP_OK)
    return status;
  sim->settings = *made;
  slip_settings_free(made);
  return slip_settings_set_real(&sim->settings, "tol", 1e-8, error);
}

SlipStatus slip_sim_create(const SlipSimDef *def, SlipSim **sim, SlipError *error) {
  slipi_error_clear(error);
  if (!sim)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim is null");
  *sim = NULL;
  if (!def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "def is null");
  SlipSimDef known = slip_default_sim_def();
  SlipStatus status = slipi_versioned_read("sim_def", def, &known, sizeof known, error);
  if (status == SLIP_OK)
    status = check_def(&known, error);
  if (status != SLIP_OK)
    return status;
  SlipSim *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "a simulation");
  made->def = known;
  made->def.settings = NULL;
  status = copy_settings(made, known.settings, error);
  if (status == SLIP_OK)
    status =
        slipi_team_create((int)made->settings.common[SLIPI_COMMON_THREADS], &made->team, error);
  made->broad = status == SLIP_OK ? slipi_broad_create() : NULL;
  if (status == SLIP_OK && !made->broad)
    status = slipi_fail_memory(error, "a simulation");
  if (status == SLIP_OK)
    *sim = made;
  else
    slip_sim_free(made);
  return status;
}

static void free_bodies(SlipSim *sim) {
  SlipiBodies *bodies = &sim->bodies;
  for (int32_t slot = 0; slot < bodies->count; slot++) {
    free(bodies->name[slot]);
    if (bodies->shapes[slot])
      slipi_arena_free(bodies->shapes[slot]);
    free(bodies->shapes[slot]);
  }
#define FREE(type, name, count) free(bodies->name);
  SLIPI_BODY_ARRAYS(FREE)
#undef FREE
}

static void free_collision(SlipSim *sim) {
  for (int32_t k = 0; k < sim->list_capacity; k++)
    slipi_touch_list_free(&sim->list[k]);
  free(sim->list);
  free(sim->lost);
  free(sim->low);
  free(sim->high);
  free(sim->reach);
  free(sim->group);
  free(sim->still);
  free(sim->place);
  free(sim->contacts.at);
  free(sim->last.at);
  free(sim->taken);
  free(sim->shown);
  free(sim->whole);
  slipi_broad_free(sim->broad);
  slipi_team_free(sim->team);
}

void slip_sim_free(SlipSim *sim) {
  if (!sim)
    return;
  slipi_sim_rows_free(&sim->rows);
  slipi_sim_rows_free(&sim->corrections);
  slipi_softs_free(sim);
  free_bodies(sim);
  free_collision(sim);
  for (int32_t k = 0; k < sim->materials; k++)
    free(sim->material_name[k]);
  for (int32_t k = 0; k < sim->joints; k++)
    free(sim->joint[k].name);
  free(sim->material_name);
  free(sim->density);
  free(sim->rule);
  free(sim->rule_of);
  free(sim->own_rule);
  free(sim->free_slot);
  free(sim->bucket);
  free(sim->bucket_end);
  free(sim->part);
  free(sim->told);
  free(sim->joint);
  free(sim->apart);
  free(sim->given);
  free(sim);
}

/* ---- Materials and rules ---- */

static bool matches(const SlipContactRule *rule, int32_t a, int32_t b) {
  const int32_t *m = rule->materials;
  return ((m[0] < 0 || m[0] == a) && (m[1] < 0 || m[1] == b)) ||
         ((m[0] < 0 || m[0] == b) && (m[1] < 0 || m[1] == a));
}

/* The first rule that matches, for every pair of materials; -1, none, is one of them. */
static void tabulate_rules(const SlipSim *sim, int32_t count, int32_t *rule_of) {
  for (int32_t a = -1; a < count; a++) {
    for (int32_t b = -1; b < count; b++) {
      int32_t k = 0;
      while (k < sim->rules && !matches(&sim->rule[k], a, b))
        k++;
      rule_of[(a + 1) * (count + 1) + b + 1] = k < sim->rules ? k : -1;
    }
  }
}

static bool make_table(SlipSim *sim, int32_t materials) {
  size_t side = (size_t)materials + 1;
  int32_t *table = malloc(side * side * sizeof *table);
  if (!table)
    return false;
  tabulate_rules(sim, materials, table);
  free(sim->rule_of);
  sim->rule_of = table;
  return true;
}

enum { MATERIALS_MOST = 4096 }; /* the table of rules is square */

static SlipStatus check_material(const SlipSim *sim, const SlipMaterialDef *def, SlipError *error) {
  if (!(def->density > 0) || !isfinite(def->density))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the density of material '%s' is %g, not positive",
                      def->name ? def->name : "", def->density);
  if (sim->materials >= MATERIALS_MOST)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "there are %d materials already, the most there "
                      "can be",
                      (int)sim->materials);
  return SLIP_OK;
}

SlipStatus slip_sim_add_material(SlipSim *sim, const SlipMaterialDef *def, int32_t *material,
                                 SlipError *error) {
  slipi_error_clear(error);
  if (!sim || !def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or def is null");
  SlipMaterialDef known = slip_default_material_def();
  SlipStatus status = slipi_versioned_read("material_def", def, &known, sizeof known, error);
  if (status == SLIP_OK)
    status = check_material(sim, &known, error);
  if (status != SLIP_OK)
    return status;
  int32_t count = sim->materials + 1, capacity = sim->material_capacity;
  char *name = slipi_name_copy(known.name ? known.name : "");
  bool made = name && SLIPI_ROOM(sim->density, capacity, count);
  capacity = sim->material_capacity;
  made = made && SLIPI_ROOM(sim->material_name, capacity, count);
  if (!made || !make_table(sim, count)) {
    free(name);
    return slipi_fail_memory(error, "a material");
  }
  sim->material_capacity = capacity;
  sim->density[sim->materials] = known.density;
  sim->material_name[sim->materials] = name;
  if (material)
    *material = sim->materials;
  sim->materials = count;
  return SLIP_OK;
}

/* A symmetric matrix whose least eigenvalue, of the first d rows and columns, is above 0, or not
 * below it. */
static SlipStatus check_matrix(const char *name, const double A[9], int d, bool definite,
                               SlipError *error) {
  double block[9], largest = 0;
  for (int k = 0; k < 9; k++) {
    if (!isfinite(A[k]) || A[k] != A[3 * (k % 3) + k / 3])
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "%s has the entry %g at (%d, %d) but must be finite and symmetric", name,
                        A[k], k / 3, k % 3);
    largest = fmax(largest, fabs(A[k]));
  }
  for (int k = 0; k < d * d; k++)
    block[k] = A[3 * (k / d) + k % d];
  double least = slipi_least_eigenvalue(block, d), rounding = 1e-12 * largest;
  if (definite ? least > rounding : least >= -rounding)
    return SLIP_OK;
  return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s is not positive %s: it has the eigenvalue %g",
                    name, definite ? "definite" : "semidefinite", least);
}

static SlipStatus check_matrices(const SlipContactRule *rule, int d, SlipError *error) {
  bool stiff = false, damped = false;
  for (int k = 0; k < 9; k++) {
    stiff = stiff || rule->stiffness_matrix[k] != 0;
    damped = damped || rule->damping_matrix[k] != 0;
  }
  if (damped && !stiff)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "damping_matrix is given, but no stiffness_matrix to damp");
  if (stiff && (rule->stiffness[0] > 0 || rule->stiffness[1] > 0))
    return slipi_fail(
        error, SLIP_ERROR_ARGUMENT,
        "stiffness is (%g, %g) and stiffness_matrix is given too: one of them must be",
        rule->stiffness[0], rule->stiffness[1]);
  SlipStatus status =
      stiff ? check_matrix("stiffness_matrix", rule->stiffness_matrix, d, true, error) : SLIP_OK;
  if (status == SLIP_OK && damped)
    status = check_matrix("damping_matrix", rule->damping_matrix, d, false, error);
  return status;
}

/* What a rule says of pulls and springs. */
static SlipStatus check_yield(const SlipContactRule *rule, int d, SlipError *error) {
  const struct {
    const char *name;
    double value;
  } values[] = {{"cohesion", rule->cohesion},         {"ball[0]", rule->ball[0]},
                {"ball[1]", rule->ball[1]},           {"cap", rule->cap},
                {"stiffness[0]", rule->stiffness[0]}, {"stiffness[1]", rule->stiffness[1]},
                {"damping_time", rule->damping_time}, {"rolling", rule->rolling},
                {"spinning", rule->spinning}};
  SlipStatus status = check_matrices(rule, d, error);
  if (status != SLIP_OK)
    return status;
  bool two = rule->stiffness[0] > 0 || rule->stiffness[1] > 0;
  bool springs = two || rule->stiffness_matrix[0] > 0;
  for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
    if (!(values[k].value >= 0) || !isfinite(values[k].value))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s is %g but must be finite and not negative",
                        values[k].name, values[k].value);
  }
  if (!(rule->breaks_at >= 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "breaks_at is %g but must not be negative",
                      rule->breaks_at);
  if (rule->damping_time > 0 && !two)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "damping_time is %g, but the rule has no stiffness to damp",
                      rule->damping_time);
  if (rule->restitution > 0 && (springs || slipi_law_pulls(rule->law)))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "restitution is %g, but contacts that give way or hold a pull have none",
                      rule->restitution);
  bool rolls = rule->rolling > 0 || rule->spinning > 0;
  bool curved = rule->law == SLIP_ROUNDED || rule->law == SLIP_CAPPED;
  if (rolls && (curved || (rule->flow != SLIP_FLOW_COULOMB && rule->law != SLIP_FRICTIONLESS)))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "rolling is %g and spinning %g, which the law %s%s has not", rule->rolling,
                      rule->spinning, slip_law_name(rule->law),
                      curved ? "" : " with the associated flow");
  return SLIP_OK;
}

static SlipStatus check_materials(const SlipSim *sim, const SlipContactRule *rule,
                                  SlipError *error) {
  for (int k = 0; k < 2; k++) {
    if (rule->materials[k] < -1 || rule->materials[k] >= sim->materials)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "a rule is for material %d, but there are %d, and -1 stands for any",
                        (int)rule->materials[k], (int)sim->materials);
  }
  return SLIP_OK;
}

SlipStatus slipi_sim_check_rule(const SlipSim *sim, const SlipContactRule *rule, SlipError *error) {
  if (rule->law != SLIP_COULOMB && rule->law != SLIP_FRICTIONLESS && !slipi_law_pulls(rule->law))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the law of a rule is %d but must be SLIP_COULOMB, SLIP_FRICTIONLESS, "
                      "SLIP_COHESIVE, SLIP_ROUNDED or SLIP_CAPPED",
                      (int)rule->law);
  if (rule->flow != SLIP_FLOW_COULOMB && rule->flow != SLIP_FLOW_ASSOCIATED)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no flow %d", (int)rule->flow);
  if (!(rule->friction >= 0) || !isfinite(rule->friction))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "friction is %g but must not be negative",
                      rule->friction);
  if (!(rule->restitution >= 0 && rule->restitution <= 1))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "restitution is %g but must be from 0 to 1",
                      rule->restitution);
  return check_yield(rule, sim->def.dimension, error);
}

SlipStatus slip_sim_add_rule(SlipSim *sim, const SlipContactRule *rule, SlipError *error) {
  slipi_error_clear(error);
  if (!sim || !rule)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or rule is null");
  SlipContactRule known = slip_default_contact_rule();
  SlipStatus status = slipi_versioned_read("contact_rule", rule, &known, sizeof known, error);
  if (status == SLIP_OK)
    status = check_materials(sim, &known, error);
  if (status == SLIP_OK)
    status = slipi_sim_check_rule(sim, &known, error);
  if (status != SLIP_OK)
    return status;
  if (!SLIPI_ROOM(sim->rule, sim->rule_capacity, sim->rules + 1))
    return slipi_fail_memory(error, "a rule");
  sim->rule[sim->rules++] = known;
  if (make_table(sim, sim->materials))
    return SLIP_OK;
  sim->rules--;
  return slipi_fail_memory(error, "a rule");
}

/* ---- Callbacks and time ---- */

void slip_sim_set_rule_function(SlipSim *sim, SlipRuleFunction function, void *user) {
  if (!sim)
    return;
  sim->rule_function = function;
  sim->rule_user = user;
}

void slip_sim_set_force_function(SlipSim *sim, SlipForceFunction function, void *user) {
  if (!sim)
    return;
  sim->force_function = function;
  sim->force_user = user;
}

void slip_sim_set_filter(SlipSim *sim, SlipFilterFunction function, void *user) {
  if (!sim)
    return;
  sim->filter = function;
  sim->filter_user = user;
}

double slipi_sim_now(const SlipSim *sim) {
  return (double)sim->steps * sim->def.step;
}

double slip_sim_time(const SlipSim *sim) {
  return sim ? slipi_sim_now(sim) : 0;
}

int64_t slip_sim_steps(const SlipSim *sim) {
  return sim ? sim->steps : 0;
}
