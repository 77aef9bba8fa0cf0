/* Events of libyaml to nodes. Nothing here knows what a scene is. */
#include "scene/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "scene/names.h"

/* Nodes in a list that grows. */
typedef struct List {
  const SlipiNode **at;
  int32_t count, capacity;
} List;

/* A sequence or mapping whose end has not been seen. */
typedef struct Frame {
  SlipiNode *node;
  int32_t first; /* of its children among the pending nodes */
} Frame;

typedef struct Builder {
  const SlipiOrigin *origin;
  SlipiArena *arena;
  SlipError *error;
  yaml_parser_t yaml;
  Frame frames[SLIPI_TREE_DEPTH];
  int depth;
  List pending;       /* children of the frames, those of the innermost last */
  List anchored;      /* nodes with an anchor */
  SlipiNames anchors; /* index among them */
  const SlipiNode *root;
  int64_t nodes;
} Builder;

/* ---- Messages ------------------------------------------------------------------------------ */

/* At most size - 1 bytes of the text, dots for the rest. */
static const char *show(const char *text, char *shown, size_t size) {
  size_t length = strlen(text);
  bool cut = length >= size;
  if (cut) {
    length = size - 4;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
      length--; /* not within a character */
  }
  for (size_t k = 0; k < length; k++)
    shown[k] = (unsigned char)text[k] < ' ' || text[k] == 127 ? ' ' : text[k];
  memcpy(shown + length, cut ? "..." : "", cut ? 4 : 1);
  return shown;
}

const char *slipi_shown(const char *text, char shown[SLIPI_SHOWN]) {
  return show(text, shown, SLIPI_SHOWN);
}

const char *slipi_node_shown(const SlipiNode *node, char shown[SLIPI_SHOWN]) {
  char text[SLIPI_SHOWN - 2];
  if (node->kind != SLIPI_SCALAR)
    snprintf(shown, SLIPI_SHOWN, "%s", node->kind == SLIPI_SEQUENCE ? "a list" : "a mapping");
  else if (!node->quoted && !node->text[0])
    snprintf(shown, SLIPI_SHOWN, "nothing");
  else
    snprintf(shown, SLIPI_SHOWN, "'%s'", show(node->text, text, sizeof text));
  return shown;
}

static SlipStatus fail_at(SlipError *error, const SlipiOrigin *origin, size_t line, size_t column,
                          const char *sentence) {
  if (origin->lines)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s:%zu:%zu: %s", origin->name, line, column,
                      sentence);
  return slipi_fail(error, SLIP_ERROR_FORMAT, "%s: %s", origin->name, sentence);
}

#undef slipi_fail_node
SlipStatus slipi_fail_node(SlipError *error, const SlipiNode *node, const char *format, ...) {
  char sentence[SLIP_ERROR_TEXT];
  va_list values;
  va_start(values, format);
  vsnprintf(sentence, sizeof sentence, format, values);
  va_end(values);
  return fail_at(error, node->origin, (size_t)node->line, (size_t)node->column, sentence);
}

static SlipStatus fail_mark(const Builder *b, yaml_mark_t mark, const char *sentence) {
  return fail_at(b->error, b->origin, mark.line + 1, mark.column + 1, sentence);
}

static SlipStatus fail_memory(const Builder *b) {
  return slipi_fail_memory(b->error, b->origin->name);
}

/* Bytes that are no text have no mark, only an offset. */
static yaml_mark_t mark_of_offset(const char *bytes, size_t size, size_t offset) {
  yaml_mark_t mark = {0};
  for (size_t k = 0; k < offset && k < size; k++) {
    mark.column = bytes[k] == '\n' ? 0 : mark.column + 1;
    mark.line += bytes[k] == '\n';
  }
  return mark;
}

static SlipStatus fail_yaml(const Builder *b, const char *bytes, size_t size) {
  const yaml_parser_t *yaml = &b->yaml;
  char sentence[256];
  if (yaml->error == YAML_MEMORY_ERROR)
    return fail_memory(b);
  const char *problem = yaml->problem ? yaml->problem : "unknown mistake";
  if (yaml->error == YAML_READER_ERROR) {
    snprintf(sentence, sizeof sentence,
             yaml->problem_value < 0 ? "not a text: %s" : "not a text: %s (%d)", problem,
             yaml->problem_value);
    return fail_mark(b, mark_of_offset(bytes, size, yaml->problem_offset), sentence);
  }
  snprintf(sentence, sizeof sentence, yaml->context ? "not YAML: %s (%s)" : "not YAML: %s", problem,
           yaml->context);
  return fail_mark(b, yaml->problem_mark, sentence);
}

/* ---- Nodes --------------------------------------------------------------------------------- */

static bool list_add(List *list, const SlipiNode *node) {
  if (list->count == list->capacity) {
    int32_t capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
    const SlipiNode **larger = realloc(list->at, (size_t)capacity * sizeof(void *));
    if (!larger)
      return false;
    list->at = larger;
    list->capacity = capacity;
  }
  list->at[list->count++] = node;
  return true;
}

static SlipiNode *new_node(Builder *b, SlipiNodeKind kind, yaml_mark_t mark, size_t text) {
  SlipiNode *node = slipi_arena_alloc(b->arena, 1, sizeof *node + text);
  if (node) {
    node->kind = kind;
    node->line = (int32_t)mark.line + 1;
    node->column = (int32_t)mark.column + 1;
    node->origin = b->origin;
  }
  return node;
}

/* Give a node to the innermost frame, or make it the root. */
static SlipStatus place(Builder *b, const SlipiNode *node) {
  if (b->depth == 0) {
    b->root = node;
    return SLIP_OK;
  }
  return list_add(&b->pending, node) ? SLIP_OK : fail_memory(b);
}

static SlipStatus check_tag(const Builder *b, const yaml_char_t *tag, yaml_mark_t mark) {
  char sentence[96], shown[SLIPI_SHOWN];
  if (!tag || strcmp((const char *)tag, "!") == 0)
    return SLIP_OK;
  snprintf(sentence, sizeof sentence, "scenes have no tags such as '%s'",
           slipi_shown((const char *)tag, shown));
  return fail_mark(b, mark, sentence);
}

static SlipStatus note_anchor(Builder *b, const yaml_char_t *anchor, const SlipiNode *node) {
  if (!anchor)
    return SLIP_OK;
  const char *name = slipi_arena_copy(b->arena, anchor, strlen((const char *)anchor) + 1, 1);
  if (!name || !slipi_names_put(&b->anchors, b->arena, name, b->anchored.count) ||
      !list_add(&b->anchored, node))
    return fail_memory(b);
  return SLIP_OK;
}

static SlipStatus count_node(Builder *b, yaml_mark_t mark) {
  char sentence[96];
  if (++b->nodes <= SLIPI_TREE_NODES)
    return SLIP_OK;
  snprintf(sentence, sizeof sentence, "more than %d values", SLIPI_TREE_NODES);
  return fail_mark(b, mark, sentence);
}

static SlipStatus add_scalar(Builder *b, const yaml_event_t *event) {
  const char *value = (const char *)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  if (memchr(value, '\0', length))
    return fail_mark(b, event->start_mark, "a text with a zero byte");
  SlipStatus status = check_tag(b, event->data.scalar.tag, event->start_mark);
  if (status == SLIP_OK)
    status = count_node(b, event->start_mark);
  if (status != SLIP_OK)
    return status;
  SlipiNode *node = new_node(b, SLIPI_SCALAR, event->start_mark, length + 1);
  if (!node)
    return fail_memory(b);
  char *text = (char *)(node + 1);
  memcpy(text, value, length);
  node->text = text;
  node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  node->weight = 1;
  status = note_anchor(b, event->data.scalar.anchor, node);
  return status == SLIP_OK ? place(b, node) : status;
}

static SlipStatus add_alias(Builder *b, const yaml_event_t *event) {
  char sentence[96], shown[SLIPI_SHOWN];
  const char *name = (const char *)event->data.alias.anchor;
  int32_t k = slipi_names_find(&b->anchors, name);
  if (k < 0) {
    snprintf(sentence, sizeof sentence, "no anchor '&%s' stands before '*%s'",
             slipi_shown(name, shown), shown);
    return fail_mark(b, event->start_mark, sentence);
  }
  if (b->anchored.at[k]->weight == 0) {
    snprintf(sentence, sizeof sentence, "'*%s' would contain itself", slipi_shown(name, shown));
    return fail_mark(b, event->start_mark, sentence);
  }
  return place(b, b->anchored.at[k]);
}

static SlipStatus open_frame(Builder *b, const yaml_event_t *event, SlipiNodeKind kind) {
  bool list = kind == SLIPI_SEQUENCE;
  const yaml_char_t *tag = list ? event->data.sequence_start.tag : event->data.mapping_start.tag;
  const yaml_char_t *anchor =
      list ? event->data.sequence_start.anchor : event->data.mapping_start.anchor;
  if (b->depth == SLIPI_TREE_DEPTH) {
    char sentence[96];
    snprintf(sentence, sizeof sentence, "nested more than %d deep", SLIPI_TREE_DEPTH);
    return fail_mark(b, event->start_mark, sentence);
  }
  SlipStatus status = check_tag(b, tag, event->start_mark);
  if (status == SLIP_OK)
    status = count_node(b, event->start_mark);
  if (status != SLIP_OK)
    return status;
  SlipiNode *node = new_node(b, kind, event->start_mark, 0);
  if (!node)
    return fail_memory(b);
  b->frames[b->depth++] = (Frame){node, b->pending.count};
  return note_anchor(b, anchor, node);
}

/* ---- Mappings: merge keys, keys given twice ------------------------------------------------ */

/* A mapping being filled: its keys as a table where there are many. */
typedef struct Filling {
  SlipiNode *node;
  SlipiNames table;
} Filling;

enum { FEW_KEYS = 16 };

static int32_t find_key(const Filling *filling, const char *key) {
  if (filling->table.count > 0)
    return slipi_names_find(&filling->table, key);
  for (int32_t k = 0; k < filling->node->count; k++)
    if (strcmp(filling->node->keys[k]->text, key) == 0)
      return k;
  return -1;
}

static bool put_key(Builder *b, Filling *filling, const SlipiNode *key, const SlipiNode *value) {
  SlipiNode *node = filling->node;
  node->keys[node->count] = key;
  node->items[node->count++] = value;
  if (node->count < FEW_KEYS)
    return true;
  for (int32_t k = filling->table.count; k < node->count; k++)
    if (!slipi_names_put(&filling->table, b->arena, node->keys[k]->text, k))
      return false;
  return true;
}

static bool is_merge(const SlipiNode *key) {
  return key->kind == SLIPI_SCALAR && !key->quoted && strcmp(key->text, "<<") == 0;
}

static SlipStatus put_own_keys(Builder *b, Filling *filling, const SlipiNode *const *pairs,
                               int32_t count) {
  char shown[SLIPI_SHOWN];
  for (int32_t k = 0; k < count; k += 2) {
    const SlipiNode *key = pairs[k];
    if (key->kind != SLIPI_SCALAR)
      return slipi_fail_node(b->error, key, "a key must be a word, not %s",
                             slipi_node_shown(key, shown));
    if (is_merge(key))
      continue;
    int32_t twice = find_key(filling, key->text);
    if (twice >= 0)
      return slipi_fail_node(b->error, key, "key '%s' is given twice, first in line %d",
                             slipi_shown(key->text, shown), filling->node->keys[twice]->line);
    if (!put_key(b, filling, key, pairs[k + 1]))
      return fail_memory(b);
  }
  return SLIP_OK;
}

/* Keys of a mapping that are not given otherwise. */
static SlipStatus merge(Builder *b, Filling *filling, const SlipiNode *from) {
  char shown[SLIPI_SHOWN];
  if (from->kind != SLIPI_MAPPING)
    return slipi_fail_node(b->error, from, "'<<' merges mappings, not %s",
                           slipi_node_shown(from, shown));
  for (int32_t k = 0; k < from->count; k++)
    if (find_key(filling, from->keys[k]->text) < 0 &&
        !put_key(b, filling, from->keys[k], from->items[k]))
      return fail_memory(b);
  return SLIP_OK;
}

static SlipStatus put_merged_keys(Builder *b, Filling *filling, const SlipiNode *const *pairs,
                                  int32_t count) {
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < count; k += 2) {
    const SlipiNode *value = pairs[k + 1];
    if (!is_merge(pairs[k]))
      continue;
    if (value->kind != SLIPI_SEQUENCE)
      status = merge(b, filling, value);
    for (int32_t j = 0; status == SLIP_OK && value->kind == SLIPI_SEQUENCE && j < value->count; j++)
      status = merge(b, filling, value->items[j]);
  }
  return status;
}

/* Keys of mappings, each item of a list counted. */
static int64_t keys_to_merge(const SlipiNode *from) {
  int64_t count = from->kind == SLIPI_MAPPING ? from->count : 0;
  for (int32_t k = 0; from->kind == SLIPI_SEQUENCE && k < from->count; k++)
    count += from->items[k]->kind == SLIPI_MAPPING ? from->items[k]->count : 0;
  return count;
}

/* The most keys the mapping can have. Those that are merged count as values of the document: few
 * lines can merge a large mapping many times. */
static SlipStatus count_keys(Builder *b, const SlipiNode *node, const SlipiNode *const *pairs,
                             int32_t count, int64_t *room) {
  int64_t merged = 0;
  for (int32_t k = 0; k < count; k += 2)
    if (is_merge(pairs[k]))
      merged += keys_to_merge(pairs[k + 1]);
  *room = count / 2 + merged;
  b->nodes += merged;
  if (b->nodes <= SLIPI_TREE_NODES)
    return SLIP_OK;
  return slipi_fail_node(b->error, node, "more than %d values once keys are merged",
                         SLIPI_TREE_NODES);
}

static SlipStatus close_mapping(Builder *b, SlipiNode *node, const SlipiNode *const *pairs,
                                int32_t count) {
  Filling filling = {node, {0}};
  int64_t room = 0;
  SlipStatus status = count_keys(b, node, pairs, count, &room);
  if (status != SLIP_OK)
    return status;
  node->keys = SLIPI_ARENA_NEW(b->arena, const SlipiNode *, room);
  node->items = SLIPI_ARENA_NEW(b->arena, const SlipiNode *, room);
  if (!node->keys || !node->items)
    return fail_memory(b);
  status = put_own_keys(b, &filling, pairs, count);
  return status == SLIP_OK ? put_merged_keys(b, &filling, pairs, count) : status;
}

static SlipStatus close_frame(Builder *b) {
  Frame *frame = &b->frames[--b->depth];
  SlipiNode *node = frame->node;
  int32_t count = b->pending.count - frame->first;
  const SlipiNode **children = count > 0 ? b->pending.at + frame->first : NULL;
  SlipStatus status = SLIP_OK;
  if (node->kind == SLIPI_MAPPING)
    status = close_mapping(b, node, children, count);
  else {
    node->items = SLIPI_ARENA_NEW(b->arena, const SlipiNode *, count);
    for (int32_t k = 0; node->items && k < count; k++)
      node->items[k] = children[k];
    node->count = count;
    if (!node->items)
      status = fail_memory(b);
  }
  if (status != SLIP_OK)
    return status;
  int64_t weight = 1;
  for (int32_t k = 0; k < node->count; k++)
    weight += node->items[k]->weight + (node->kind == SLIPI_MAPPING);
  if (weight > SLIPI_TREE_NODES)
    return slipi_fail_node(b->error, node, "more than %d values once aliases are put in",
                           SLIPI_TREE_NODES);
  node->weight = weight;
  b->pending.count = frame->first;
  return place(b, node);
}

/* ---- The document -------------------------------------------------------------------------- */

static SlipStatus take(Builder *b, const yaml_event_t *event) {
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    return b->root ? fail_mark(b, event->start_mark, "a second document; a scene is one") : SLIP_OK;
  case YAML_SCALAR_EVENT:
    return add_scalar(b, event);
  case YAML_ALIAS_EVENT:
    return add_alias(b, event);
  case YAML_SEQUENCE_START_EVENT:
    return open_frame(b, event, SLIPI_SEQUENCE);
  case YAML_MAPPING_START_EVENT:
    return open_frame(b, event, SLIPI_MAPPING);
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT:
    return close_frame(b);
  default:
    return SLIP_OK;
  }
}

static SlipStatus parse(Builder *b, const char *bytes, size_t size) {
  SlipStatus status = SLIP_OK;
  for (bool done = false; status == SLIP_OK && !done;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&b->yaml, &event))
      return fail_yaml(b, bytes, size);
    done = event.type == YAML_STREAM_END_EVENT;
    status = take(b, &event);
    yaml_event_delete(&event);
  }
  if (status == SLIP_OK && !b->root)
    status = fail_mark(b, (yaml_mark_t){0}, "there is nothing in it");
  return status;
}

SlipStatus slipi_tree_read(const SlipiOrigin *origin, const void *bytes, size_t size,
                           SlipiArena *arena, const SlipiNode **root, SlipError *error) {
  Builder builder = {.origin = origin, .arena = arena, .error = error};
  if (!yaml_parser_initialize(&builder.yaml))
    return fail_memory(&builder);
  yaml_parser_set_encoding(&builder.yaml, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&builder.yaml, size > 0 ? bytes : (const void *)"", size);
  SlipStatus status = parse(&builder, bytes, size);
  yaml_parser_delete(&builder.yaml);
  free(builder.pending.at);
  free(builder.anchored.at);
  *root = status == SLIP_OK ? builder.root : NULL;
  return status;
}

const SlipiNode *slipi_tree_get(const SlipiNode *mapping, const char *key) {
  for (int32_t k = 0; mapping->kind == SLIPI_MAPPING && k < mapping->count; k++)
    if (strcmp(mapping->keys[k]->text, key) == 0)
      return mapping->items[k];
  return NULL;
}
