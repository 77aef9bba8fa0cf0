#include "scene/reader.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/phrase.h"
#include "geom/vec.h"

SlipStatus slipi_reader_memory(const SlipiReader *reader) {
  return slipi_fail_memory(reader->error, "the scene");
}

/* ---- The path ------------------------------------------------------------------------------ */

size_t slipi_path_key(SlipiReader *reader, const char *key) {
  char shown[SLIPI_SHOWN];
  size_t length = strlen(reader->path);
  snprintf(reader->path + length, SLIPI_PATH - length, "%s%s", length > 0 ? "." : "",
           slipi_shown(key, shown));
  return length;
}

size_t slipi_path_index(SlipiReader *reader, int32_t index) {
  size_t length = strlen(reader->path);
  snprintf(reader->path + length, SLIPI_PATH - length, "[%d]", index);
  return length;
}

void slipi_path_back(SlipiReader *reader, size_t length) {
  reader->path[length] = '\0';
}

const char *slipi_path(const SlipiReader *reader) {
  return reader->path[0] ? reader->path : "the scene";
}

/* ---- Simple values ------------------------------------------------------------------------- */

/* "time.step must be a number above 0 in s, not 'abc' ('abc' is no name of let)" */
static SlipStatus refuse(const SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                         const char *complaint) {
  char expects[192], shown[SLIPI_SHOWN];
  slipi_key_expects(key, reader->dimension, expects, sizeof expects);
  return slipi_fail_node(reader->error, node, "%s must be %s%s%s, not %s%s%s%s", slipi_path(reader),
                         expects, key->unit ? " in " : "", key->unit ? key->unit : "",
                         slipi_node_shown(node, shown), complaint ? " (" : "",
                         complaint ? complaint : "", complaint ? ")" : "");
}

/* The key of one number among several: the same range. */
static SlipiKey single(const SlipiKey *key) {
  SlipiKey one = *key;
  one.type = key->type == SLIPI_KEY_WHOLE || key->type == SLIPI_KEY_COUNTS ? SLIPI_KEY_WHOLE
                                                                           : SLIPI_KEY_REAL;
  return one;
}

SlipStatus slipi_read_number(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                             double *value) {
  SlipiKey one = single(key);
  char complaint[SLIPI_COMPLAINT], number[SLIPI_NUMBER_TEXT], *end;
  if (node->kind != SLIPI_SCALAR || node->text[0] == '\0')
    return refuse(reader, node, &one, NULL);
  if (!slipi_expression(node->text, &reader->let, value, complaint))
    return refuse(reader, node, &one, complaint);
  const SlipiRange *range = &key->range;
  bool inside = range->open ? *value > range->least : *value >= range->least;
  bool whole = one.type == SLIPI_KEY_REAL || *value == floor(*value);
  if (inside && *value <= range->most && whole)
    return SLIP_OK;
  if (!isfinite(*value) && isfinite(range->most))
    return refuse(reader, node, &one, "not finite");
  (void)strtod(node->text, &end);
  if (*end == '\0')
    return refuse(reader, node, &one, NULL);
  snprintf(complaint, sizeof complaint, "that is %s", slipi_number_text(*value, number));
  return refuse(reader, node, &one, complaint);
}

/* A list of `count` numbers. */
static SlipStatus read_numbers(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                               int32_t count, double *values) {
  char complaint[32];
  if (node->kind != SLIPI_SEQUENCE)
    return refuse(reader, node, key, NULL);
  if (node->count != count) {
    snprintf(complaint, sizeof complaint, "of %d", node->count);
    return refuse(reader, node, key, complaint);
  }
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < count; k++) {
    size_t length = slipi_path_index(reader, k);
    status = slipi_read_number(reader, node->items[k], key, &values[k]);
    slipi_path_back(reader, length);
  }
  return status;
}

SlipStatus slipi_read_vector(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                             double vector[3]) {
  vector[2] = 0;
  return read_numbers(reader, node, key, reader->dimension, vector);
}

static SlipStatus read_switch(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                              double *value) {
  static const char *const words[2][3] = {{"false", "no", "off"}, {"true", "yes", "on"}};
  for (int k = 0; node->kind == SLIPI_SCALAR && k < 6; k++)
    if (strcmp(node->text, words[k / 3][k % 3]) == 0) {
      *value = k >= 3;
      return SLIP_OK;
    }
  return refuse(reader, node, key, NULL);
}

static SlipStatus read_word(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                            double *value) {
  if (node->kind != SLIPI_SCALAR)
    return refuse(reader, node, key, NULL);
  SlipiNearest nearest = slipi_nearest_start(node->text);
  for (int k = 0; key->choices[k]; k++) {
    if (strcmp(node->text, key->choices[k]) == 0) {
      *value = k;
      return SLIP_OK;
    }
    slipi_nearest_offer(&nearest, key->choices[k]);
  }
  char suggestion[96];
  slipi_nearest_text(&nearest, suggestion, sizeof suggestion);
  return refuse(reader, node, key, suggestion[0] ? suggestion + 2 : NULL);
}

/* Not empty, of reasonable length; names given here have no slash, which is that of `many`. */
static SlipStatus read_name(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                            const char **text) {
  enum { LONGEST = 200 };
  if (node->kind != SLIPI_SCALAR || node->text[0] == '\0')
    return refuse(reader, node, key, NULL);
  if (strlen(node->text) > LONGEST)
    return refuse(reader, node, key, "longer than 200 bytes");
  if (key->type == SLIPI_KEY_NAME && strchr(node->text, '/'))
    return refuse(reader, node, key, "it has a slash");
  *text = node->text;
  return SLIP_OK;
}

static SlipStatus read_pair(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                            const char *pair[2]) {
  if (node->kind != SLIPI_SEQUENCE || node->count != 2)
    return refuse(reader, node, key, NULL);
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < 2; k++) {
    size_t length = slipi_path_index(reader, k);
    status = read_name(reader, node->items[k], &(SlipiKey){.type = SLIPI_KEY_TEXT}, &pair[k]);
    slipi_path_back(reader, length);
  }
  return status;
}

/* One number that becomes the z-component in 2D, a vector in 3D. */
static SlipStatus read_turning(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                               double vector[3]) {
  if (reader->dimension == 3)
    return slipi_read_vector(reader, node, key, vector);
  vector[0] = vector[1] = 0;
  return slipi_read_number(reader, node, key, &vector[2]);
}

/* One number for all axes, or one for each. */
static SlipStatus read_spacing(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                               SlipiField *field) {
  if (node->kind != SLIPI_SCALAR) {
    field->count = reader->dimension;
    return slipi_read_vector(reader, node, key, field->x);
  }
  SlipStatus status = slipi_read_number(reader, node, key, &field->x[0]);
  field->x[1] = field->x[2] = field->x[0];
  field->count = 1;
  return status;
}

/* One number for the normal and the tangents, or one for each. */
static SlipStatus read_axial(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                             double x[2]) {
  if (node->kind == SLIPI_SEQUENCE)
    return read_numbers(reader, node, key, 2, x);
  SlipStatus status = slipi_read_number(reader, node, key, &x[0]);
  x[1] = x[0];
  return status;
}

/* Rows of a matrix; in 2D the third row and column stay 0. */
static SlipStatus read_rows(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                            double x[9]) {
  if (node->kind != SLIPI_SEQUENCE || node->count != reader->dimension)
    return refuse(reader, node, key, NULL);
  const SlipiKey row = {.type = SLIPI_KEY_VECTOR, .range = key->range};
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < node->count; k++) {
    size_t length = slipi_path_index(reader, k);
    status = slipi_read_vector(reader, node->items[k], &row, x + (ptrdiff_t)3 * k);
    slipi_path_back(reader, length);
  }
  return status;
}

static SlipStatus read_field(SlipiReader *reader, const SlipiKey *key, SlipiField *field) {
  const SlipiNode *node = field->node;
  switch (key->type) {
  case SLIPI_KEY_REAL:
  case SLIPI_KEY_WHOLE:
    return slipi_read_number(reader, node, key, &field->x[0]);
  case SLIPI_KEY_SWITCH:
    return read_switch(reader, node, key, &field->x[0]);
  case SLIPI_KEY_WORD:
    return read_word(reader, node, key, &field->x[0]);
  case SLIPI_KEY_VECTOR:
  case SLIPI_KEY_COUNTS:
    return slipi_read_vector(reader, node, key, field->x);
  case SLIPI_KEY_SPACING:
    return read_spacing(reader, node, key, field);
  case SLIPI_KEY_TURNING:
    return read_turning(reader, node, key, field->x);
  case SLIPI_KEY_AXIAL:
    return read_axial(reader, node, key, field->x);
  case SLIPI_KEY_NUMBERS:
    return read_numbers(reader, node, key, key->count, field->x);
  case SLIPI_KEY_TEXT:
    field->text = node->text;
    return node->kind == SLIPI_SCALAR ? SLIP_OK : refuse(reader, node, key, NULL);
  case SLIPI_KEY_NAME:
    return read_name(reader, node, key, &field->text);
  case SLIPI_KEY_PAIR:
    return read_pair(reader, node, key, field->pair);
  case SLIPI_KEY_BLOCK:
    return node->kind == SLIPI_MAPPING ? SLIP_OK : refuse(reader, node, key, NULL);
  case SLIPI_KEY_LIST:
    return node->kind == SLIPI_SEQUENCE ? SLIP_OK : refuse(reader, node, key, NULL);
  case SLIPI_KEY_ROWS:
    return read_rows(reader, node, key, field->x);
  }
  return SLIP_OK;
}

/* ---- Blocks -------------------------------------------------------------------------------- */

static void set_default(const SlipiReader *reader, const SlipiKey *key, SlipiField *field) {
  char complaint[SLIPI_COMPLAINT];
  *field = (SlipiField){.text = ""};
  if (!key->initial)
    return;
  if (key->type == SLIPI_KEY_TEXT)
    field->text = key->initial;
  else if (key->type == SLIPI_KEY_SWITCH)
    field->x[0] = key->initial[0] == 't';
  else if (key->type == SLIPI_KEY_WORD)
    while (strcmp(key->choices[(int)field->x[0]], key->initial) != 0)
      field->x[0]++;
  else
    slipi_expression(key->initial, &reader->let, &field->x[0], complaint);
}

static SlipStatus fail_unknown(const SlipiReader *reader, const SlipiNode *key,
                               const SlipiBlock *block) {
  char suggestion[96], shown[SLIPI_SHOWN], known[320] = "";
  SlipiNearest nearest = slipi_nearest_start(key->text);
  SlipiPhrase phrase = {known, sizeof known, 0};
  slipi_phrase_add(&phrase, "; known are ");
  for (int32_t k = 0, said = 0; k < block->count; k++) {
    if (block->keys[k].dimension != 0 && block->keys[k].dimension != reader->dimension)
      continue;
    slipi_nearest_offer(&nearest, block->keys[k].name);
    slipi_phrase_add(&phrase, said++ > 0 ? ", " : "");
    slipi_phrase_add(&phrase, block->keys[k].name);
  }
  slipi_nearest_text(&nearest, suggestion, sizeof suggestion);
  return slipi_fail_node(reader->error, key, "unknown key '%s' in %s%s",
                         slipi_shown(key->text, shown), slipi_path(reader),
                         nearest.best ? suggestion : known);
}

static int32_t find_key(const SlipiBlock *block, const char *name) {
  for (int32_t k = 0; k < block->count; k++)
    if (strcmp(block->keys[k].name, name) == 0)
      return k;
  return -1;
}

static SlipStatus read_key(SlipiReader *reader, const SlipiNode *key, const SlipiNode *value,
                           const SlipiBlock *block, SlipiField *fields) {
  int32_t k = find_key(block, key->text);
  if (k < 0)
    return fail_unknown(reader, key, block);
  if (block->keys[k].dimension != 0 && block->keys[k].dimension != reader->dimension)
    return slipi_fail_node(reader->error, key, "'%s' in %s is for scenes in %dD, this one is %dD",
                           key->text, slipi_path(reader), block->keys[k].dimension,
                           reader->dimension);
  fields[k].node = value;
  size_t length = slipi_path_key(reader, key->text);
  SlipStatus status = read_field(reader, &block->keys[k], &fields[k]);
  slipi_path_back(reader, length);
  return status;
}

SlipStatus slipi_block_read(SlipiReader *reader, const SlipiNode *node, const SlipiBlock *block,
                            SlipiField *fields) {
  char text[192], shown[SLIPI_SHOWN];
  if (node->kind != SLIPI_MAPPING)
    return slipi_fail_node(reader->error, node, "%s must be a mapping, not %s", slipi_path(reader),
                           slipi_node_shown(node, shown));
  for (int32_t k = 0; k < block->count; k++)
    set_default(reader, &block->keys[k], &fields[k]);
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < node->count; k++)
    status = read_key(reader, node->keys[k], node->items[k], block, fields);
  for (int32_t k = 0; status == SLIP_OK && k < block->count; k++)
    if (block->keys[k].required && !fields[k].node)
      status = slipi_fail_node(
          reader->error, node, "%s lacks '%s' (%s)", slipi_path(reader), block->keys[k].name,
          slipi_key_expects(&block->keys[k], reader->dimension, text, sizeof text));
  return status;
}

SlipStatus slipi_block_kind(SlipiReader *reader, const SlipiNode *node, const SlipiBlock *block,
                            const SlipiField *fields, int32_t kinds, int32_t *kind) {
  int32_t found = 0;
  char names[192] = "";
  SlipiPhrase phrase = {names, sizeof names, 0};
  for (int32_t k = 0, said = 0; k < kinds; k++) {
    found += fields[k].node != NULL;
    if (fields[k].node)
      *kind = k;
    if (block->keys[k].dimension != 0 && block->keys[k].dimension != reader->dimension)
      continue;
    slipi_phrase_add(&phrase, said++ > 0 ? ", " : "");
    slipi_phrase_add(&phrase, block->keys[k].name);
  }
  if (found == 1)
    return SLIP_OK;
  return slipi_fail_node(reader->error, node, "%s must have exactly one of %s, not %s",
                         slipi_path(reader), names, found == 0 ? "none" : "several");
}

/* ---- Values made of blocks ----------------------------------------------------------------- */

SlipStatus slipi_unit_vector(SlipiReader *reader, const SlipiField *field, const SlipiKey *key,
                             double unit[3]) {
  double largest = fmax(fabs(field->x[0]), fmax(fabs(field->x[1]), fabs(field->x[2])));
  if (!(largest > 0))
    return slipi_fail_field(reader, field, "%s.%s is 0 and has no direction", slipi_path(reader),
                            key->name);
  double scaled[3]; /* squares neither overflow nor vanish */
  for (int k = 0; k < 3; k++)
    scaled[k] = field->x[k] / largest;
  double length = slipi_length(scaled);
  for (int k = 0; k < 3; k++)
    unit[k] = scaled[k] / length;
  return SLIP_OK;
}

static SlipStatus read_let_value(SlipiReader *reader, const SlipiNode *key, const SlipiNode *value,
                                 int32_t place) {
  static const SlipiKey number = {
      .name = "", .type = SLIPI_KEY_REAL, .range = {-DBL_MAX, DBL_MAX, false}};
  char shown[SLIPI_SHOWN];
  if (!slipi_expression_name(key->text))
    return slipi_fail_node(reader->error, key,
                           "'%s' is no name for let: letters, digits and _ that mean nothing else",
                           slipi_shown(key->text, shown));
  SlipStatus status = slipi_read_number(reader, value, &number, &reader->let.values[place]);
  if (status == SLIP_OK && !slipi_names_put(&reader->let.names, reader->arena, key->text, place))
    status = slipi_reader_memory(reader);
  return status;
}

SlipStatus slipi_read_let(SlipiReader *reader, const SlipiNode *node) {
  reader->let.values = SLIPI_ARENA_NEW(reader->arena, double, node->count);
  if (!reader->let.values)
    return slipi_reader_memory(reader);
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < node->count; k++) {
    size_t length = slipi_path_key(reader, "let");
    slipi_path_key(reader, node->keys[k]->text);
    status = read_let_value(reader, node->keys[k], node->items[k], k);
    slipi_path_back(reader, length);
  }
  return status;
}

void slipi_axis_rotation(const double axis[3], double radians, double rotation[4]) {
  rotation[0] = cos(radians / 2);
  for (int k = 0; k < 3; k++)
    rotation[k + 1] = sin(radians / 2) * axis[k];
}

static SlipStatus read_quaternion(SlipiReader *reader, const SlipiField *field,
                                  double rotation[4]) {
  double largest = 0, length = 0;
  for (int k = 0; k < 4; k++)
    largest = fmax(largest, fabs(field->x[k]));
  if (!(largest > 0))
    return slipi_fail_field(reader, field, "%s.quaternion is 0 and is no rotation",
                            slipi_path(reader));
  for (int k = 0; k < 4; k++)
    length += field->x[k] / largest * (field->x[k] / largest);
  for (int k = 0; k < 4; k++)
    rotation[k] = field->x[k] / largest / sqrt(length);
  return SLIP_OK;
}

static SlipStatus read_rotation(SlipiReader *reader, const SlipiField *field, double rotation[4]) {
  SlipiField fields[SLIPI_ROTATION_KEYS] = {{0}};
  double axis[3] = {0, 0, 1};
  SlipStatus status = slipi_block_read(reader, field->node, &slipi_block_rotation, fields);
  if (status != SLIP_OK)
    return status;
  const SlipiField *turn = &fields[SLIPI_ROTATION_AXIS], *angle = &fields[SLIPI_ROTATION_DEGREES];
  const SlipiField *quaternion = &fields[SLIPI_ROTATION_QUATERNION];
  if (quaternion->node && (turn->node || angle->node))
    return slipi_fail_field(reader, quaternion, "%s has a quaternion beside axis or degrees",
                            slipi_path(reader));
  if (quaternion->node)
    return read_quaternion(reader, quaternion, rotation);
  if (!angle->node || (reader->dimension == 3 && !turn->node))
    return slipi_fail_field(reader, field, "%s must have %s", slipi_path(reader),
                            reader->dimension == 3 ? "axis and degrees, or a quaternion"
                                                   : "degrees");
  if (turn->node)
    status = slipi_unit_vector(reader, turn, &slipi_block_rotation.keys[SLIPI_ROTATION_AXIS], axis);
  if (status == SLIP_OK)
    slipi_axis_rotation(axis, angle->x[0] * SLIPI_DEGREE, rotation);
  return status;
}

SlipStatus slipi_read_rotation(SlipiReader *reader, const SlipiField *field, double rotation[4]) {
  rotation[0] = 1;
  rotation[1] = rotation[2] = rotation[3] = 0;
  if (!field->node)
    return SLIP_OK;
  size_t length = slipi_path_key(reader, "rotation");
  SlipStatus status = read_rotation(reader, field, rotation);
  slipi_path_back(reader, length);
  return status;
}

SlipStatus slipi_read_sine(SlipiReader *reader, const SlipiNode *node, SlipiSine *sine) {
  SlipiField fields[SLIPI_SINE_KEYS] = {{0}};
  size_t length = slipi_path_key(reader, "sine");
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_sine, fields);
  if (status == SLIP_OK)
    status = slipi_unit_vector(reader, &fields[SLIPI_SINE_AXIS],
                               &slipi_block_sine.keys[SLIPI_SINE_AXIS], sine->axis);
  sine->amplitude = fields[SLIPI_SINE_AMPLITUDE].x[0];
  sine->frequency = fields[SLIPI_SINE_FREQUENCY].x[0];
  slipi_path_back(reader, length);
  return status;
}

SlipStatus slipi_read_material(SlipiReader *reader, const SlipiField *field, int32_t *material) {
  char suggestion[96], shown[SLIPI_SHOWN];
  *material = -1;
  if (!field->node)
    return SLIP_OK;
  *material = slipi_names_find(&reader->materials, field->text);
  if (*material >= 0)
    return SLIP_OK;
  SlipiNearest nearest = slipi_nearest_start(field->text);
  for (int32_t k = 0; k < reader->materials.capacity; k++)
    if (reader->materials.name[k])
      slipi_nearest_offer(&nearest, reader->materials.name[k]);
  return slipi_fail_field(reader, field, "%s names material '%s', which is not among materials%s",
                          slipi_path(reader), slipi_shown(field->text, shown),
                          slipi_nearest_text(&nearest, suggestion, sizeof suggestion));
}
