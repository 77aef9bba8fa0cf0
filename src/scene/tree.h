/* A YAML document as a tree of nodes that know where they stand. */
#ifndef SLIPI_SCENE_TREE_H
#define SLIPI_SCENE_TREE_H

#include "base/arena.h"
#include "base/error.h"

typedef enum SlipiNodeKind { SLIPI_SCALAR, SLIPI_SEQUENCE, SLIPI_MAPPING } SlipiNodeKind;

/* Where a node comes from. */
typedef struct SlipiOrigin {
  const char *name; /* of the file, or "--set time.step=1", as messages show it */
  bool lines;       /* its lines and columns are named too */
} SlipiOrigin;

/* Aliases are the node they stand for: a tree with shared branches, without cycles. */
typedef struct SlipiNode {
  SlipiNodeKind kind;
  int32_t line, column; /* from 1 */
  const SlipiOrigin *origin;
  const char *text;               /* of a scalar */
  bool quoted;                    /* a scalar in quotes or a block of text */
  int32_t count;                  /* items of a sequence, keys of a mapping */
  const struct SlipiNode **items; /* of a sequence; the values of a mapping */
  const struct SlipiNode **keys;  /* of a mapping: scalars */
  int64_t weight; /* this node and all below it, shared ones as often as they occur */
} SlipiNode;

enum {
  SLIPI_TREE_DEPTH = 64,      /* deepest nesting */
  SLIPI_TREE_NODES = 1 << 24, /* largest weight */
  SLIPI_SHOWN = 48            /* bytes of a text as messages show it, its end included */
};

/* The one document of the bytes. Merge keys (<<) are resolved, a key given twice is refused. */
SlipStatus slipi_tree_read(const SlipiOrigin *origin, const void *bytes, size_t size,
                           SlipiArena *arena, const SlipiNode **root, SlipError *error);

/* The value of a key, or NULL. */
const SlipiNode *slipi_tree_get(const SlipiNode *mapping, const char *key);

/* slipi_fail with the place of the node before the sentence. */
SlipStatus slipi_fail_node(SlipError *error, const SlipiNode *node, const char *format, ...)
    SLIPI_PRINTF(3, 4);

/* A text as messages show it: cut where it is long, without control characters. */
const char *slipi_shown(const char *text, char shown[SLIPI_SHOWN]);

/* "a mapping", "a list", or the scalar in quotes. */
const char *slipi_node_shown(const SlipiNode *node, char shown[SLIPI_SHOWN]);

#ifdef __clang_analyzer__
#define slipi_fail_node(error, node, ...)                                                          \
  (slipi_fail_node(error, node, __VA_ARGS__), SLIP_ERROR_FORMAT)
#endif

#endif
