/* Time, solver, collision and record blocks. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/phrase.h"
#include "scene/scene.h"

/* ---- Time ---------------------------------------------------------------------------------- */

static SlipStatus set_steps(SlipiReader *reader, const SlipiField *end, double step,
                            SlipiScene *scene) {
  char numbers[2][SLIPI_NUMBER_TEXT];
  double steps = round(end->x[0] / step);
  /* Both are decimal numbers rounded to binary: their quotient is whole up to a few roundings. */
  if (!(steps >= 1 && fabs(end->x[0] / step - steps) <= 1e-9 * steps))
    return slipi_fail_field(reader, end, "%s.end is %s, which is no multiple of the step %s",
                            slipi_path(reader), slipi_number_text(end->x[0], numbers[0]),
                            slipi_number_text(step, numbers[1]));
  if (steps > 9007199254740992.0)
    return slipi_fail_field(reader, end, "%s.end is %s steps away, more than can be counted",
                            slipi_path(reader), slipi_number_text(steps, numbers[0]));
  scene->scene.steps = (int64_t)steps;
  scene->scene.end = end->x[0];
  return SLIP_OK;
}

SlipStatus slipi_read_time(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene) {
  SlipiField fields[SLIPI_TIME_KEYS];
  SlipSimDef *def = &scene->scene.def;
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_time, fields);
  if (status != SLIP_OK)
    return status;
  def->step = fields[SLIPI_TIME_STEP].x[0];
  def->theta = fields[SLIPI_TIME_THETA].x[0];
  def->gyroscopic =
      fields[SLIPI_TIME_GYROSCOPIC].x[0] != 0 ? SLIP_GYROSCOPIC_IMPLICIT : SLIP_GYROSCOPIC_EXPLICIT;
  def->inertia = (int32_t)fields[SLIPI_TIME_INERTIA].x[0]; /* words in the order of SlipInertia */
  return set_steps(reader, &fields[SLIPI_TIME_END], def->step, scene);
}

SlipStatus slipi_read_collision(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene) {
  SlipiField fields[SLIPI_COLLISION_KEYS];
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_collision, fields);
  if (status == SLIP_OK) {
    scene->scene.def.penetration = fields[SLIPI_COLLISION_PENETRATION].x[0];
    scene->scene.def.reach = fields[SLIPI_COLLISION_REACH].x[0];
  }
  return status;
}

SlipStatus slipi_read_record(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene) {
  SlipiField fields[SLIPI_RECORD_KEYS];
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_record, fields);
  if (status == SLIP_OK) {
    scene->scene.record_every = (int64_t)fields[SLIPI_RECORD_EVERY].x[0];
    scene->scene.record_contacts = fields[SLIPI_RECORD_CONTACTS].x[0] != 0;
  }
  return status;
}

/* ---- Solver: its own keys, and every option of the method ---------------------------------- */

static bool is_own_key(const char *name) {
  for (int32_t k = 0; k < slipi_block_solver.count; k++)
    if (strcmp(slipi_block_solver.keys[k].name, name) == 0)
      return true;
  return false;
}

/* A mapping of the keys that are the solver block's own. */
static SlipiNode *own_keys(SlipiReader *reader, const SlipiNode *node) {
  SlipiNode *own = slipi_arena_copy(reader->arena, node, 1, sizeof *node);
  if (!own)
    return NULL;
  own->count = 0;
  own->keys = SLIPI_ARENA_NEW(reader->arena, const SlipiNode *, node->count);
  own->items = SLIPI_ARENA_NEW(reader->arena, const SlipiNode *, node->count);
  if (!own->keys || !own->items)
    return NULL;
  for (int32_t k = 0; k < node->count; k++)
    if (is_own_key(node->keys[k]->text)) {
      own->keys[own->count] = node->keys[k];
      own->items[own->count++] = node->items[k];
    }
  return own;
}

/* The k-th option of a method, its own before the common ones; NULL after the last. */
static const SlipOptionInfo *option_at(const SlipMethodInfo *method, int k) {
  int common = 0;
  const SlipOptionInfo *shared = slip_common_options(&common);
  if (k < method->option_count)
    return &method->options[k];
  return k - method->option_count < common ? &shared[k - method->option_count] : NULL;
}

static SlipStatus fail_option(const SlipiReader *reader, const SlipiNode *key,
                              const SlipMethodInfo *method) {
  char suggestion[96], shown[SLIPI_SHOWN], known[320] = "";
  SlipiNearest nearest = slipi_nearest_start(key->text);
  SlipiPhrase phrase = {known, sizeof known, 0};
  slipi_phrase_add(&phrase, "; known are method, on_failure");
  for (int32_t k = 0; k < slipi_block_solver.count; k++)
    slipi_nearest_offer(&nearest, slipi_block_solver.keys[k].name);
  const SlipOptionInfo *option;
  for (int k = 0; (option = option_at(method, k)); k++) {
    slipi_nearest_offer(&nearest, option->name);
    slipi_phrase_add(&phrase, ", ");
    slipi_phrase_add(&phrase, option->name);
  }
  slipi_nearest_text(&nearest, suggestion, sizeof suggestion);
  return slipi_fail_node(reader->error, key, "unknown key '%s' in solver%s",
                         slipi_shown(key->text, shown), nearest.best ? suggestion : known);
}

static SlipStatus set_option(SlipiReader *reader, const SlipiNode *key, const SlipiNode *value,
                             SlipSettings *settings) {
  static const SlipiKey number = {
      .name = "", .type = SLIPI_KEY_REAL, .range = {-DBL_MAX, INFINITY, false}};
  const SlipMethodInfo *method = slip_method_find(slip_settings_method(settings));
  const SlipOptionInfo *option;
  SlipError error;
  char shown[SLIPI_SHOWN];
  double x = 0;
  int k = 0;
  while ((option = option_at(method, k)) && strcmp(option->name, key->text) != 0)
    k++;
  if (!option)
    return fail_option(reader, key, method);
  SlipStatus status;
  if (option->type == SLIP_OPTION_REAL || option->type == SLIP_OPTION_INT) {
    status = slipi_read_number(reader, value, &number, &x);
    if (status != SLIP_OK)
      return status;
    status = slip_settings_set_real(settings, key->text, x, &error);
  } else if (value->kind == SLIPI_SCALAR)
    status = slip_settings_set(settings, key->text, value->text, &error);
  else
    return slipi_fail_node(reader->error, value, "%s must be a word, not %s", slipi_path(reader),
                           slipi_node_shown(value, shown));
  return status == SLIP_OK ? SLIP_OK : slipi_fail_node(reader->error, value, "%s", error.text);
}

static SlipStatus set_method(SlipiReader *reader, const SlipiField *method, SlipiScene *scene) {
  char suggestion[96], shown[SLIPI_SHOWN];
  SlipError error;
  SlipStatus status =
      slip_settings_create(method->node ? method->text : NULL, &scene->settings, &error);
  scene->scene.def.settings = scene->settings;
  if (status == SLIP_OK || status == SLIP_ERROR_MEMORY)
    return status == SLIP_OK ? SLIP_OK : slipi_reader_memory(reader);
  SlipiNearest nearest = slipi_nearest_start(method->text);
  for (int k = 0; k < slip_method_count(); k++)
    slipi_nearest_offer(&nearest, slip_method_info(k)->name);
  return slipi_fail_field(reader, method, "there is no method '%s'%s",
                          slipi_shown(method->text, shown),
                          slipi_nearest_text(&nearest, suggestion, sizeof suggestion));
}

SlipStatus slipi_read_solver(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene) {
  SlipiField fields[SLIPI_SOLVER_KEYS];
  const SlipiNode *own = own_keys(reader, node);
  if (!own)
    return slipi_reader_memory(reader);
  SlipStatus status = slipi_block_read(reader, own, &slipi_block_solver, fields);
  if (status == SLIP_OK)
    status = set_method(reader, &fields[SLIPI_SOLVER_METHOD], scene);
  if (status == SLIP_OK) /* the words are in the order of SlipOnFailure */
    scene->scene.def.on_failure = (int32_t)fields[SLIPI_SOLVER_ON_FAILURE].x[0];
  for (int32_t k = 0; status == SLIP_OK && k < node->count; k++) {
    if (is_own_key(node->keys[k]->text))
      continue;
    size_t length = slipi_path_key(reader, node->keys[k]->text);
    status = set_option(reader, node->keys[k], node->items[k], scene->settings);
    slipi_path_back(reader, length);
  }
  return status;
}
