/* Reads the blocks of a scene by their tables; shared by the readers of all parts. */
#ifndef SLIPI_SCENE_READER_H
#define SLIPI_SCENE_READER_H

#include "scene/expression.h"
#include "scene/schema.h"
#include "scene/tree.h"

enum { SLIPI_PATH = 160 };

typedef struct SlipiReader {
  SlipiArena *arena; /* of the scene */
  SlipError *error;
  int32_t dimension;
  int32_t most_bodies;
  SlipiLet let;
  SlipiNames materials;  /* their numbers */
  const char *file;      /* the scene's, beside which meshes are */
  char path[SLIPI_PATH]; /* of the value being read: "bodies[2].shape" */
} SlipiReader;

/* The value of a key. */
typedef struct SlipiField {
  const SlipiNode *node; /* NULL: not given, the value is the default */
  double x[9];      /* a number, a switch (0 or 1), the place of a word, numbers; of rows 3 x 3 */
  int32_t count;    /* how many numbers */
  const char *text; /* a text or name */
  const char *pair[2];
} SlipiField;

/* Extend the path by a key, or by an index from 0 on. The length they return takes that back. */
size_t slipi_path_key(SlipiReader *reader, const char *key);
size_t slipi_path_index(SlipiReader *reader, int32_t index);
void slipi_path_back(SlipiReader *reader, size_t length);
/* The path, or "the scene" where it is empty. */
const char *slipi_path(const SlipiReader *reader);

/* Check the mapping and its keys, and read those of simple types; fields[block->count] receives
 * all, and of blocks and lists the nodes. */
SlipStatus slipi_block_read(SlipiReader *reader, const SlipiNode *node, const SlipiBlock *block,
                            SlipiField *fields);

/* The one key among the first `kinds` that is given, or a sentence: "a shape must have exactly one
 * of ...". */
SlipStatus slipi_block_kind(SlipiReader *reader, const SlipiNode *node, const SlipiBlock *block,
                            const SlipiField *fields, int32_t kinds, int32_t *kind);

/* A number that the key's range allows; the path names it. */
SlipStatus slipi_read_number(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                             double *value);
/* As many numbers as the dimension, into three components. */
SlipStatus slipi_read_vector(SlipiReader *reader, const SlipiNode *node, const SlipiKey *key,
                             double vector[3]);

/* A vector's direction; fails where it has none. The field is that of the key. */
SlipStatus slipi_unit_vector(SlipiReader *reader, const SlipiField *field, const SlipiKey *key,
                             double unit[3]);

/* The named values of `let`. */
SlipStatus slipi_read_let(SlipiReader *reader, const SlipiNode *node);

/* The unit quaternion of a rotation block; without a node the one that turns nothing. */
SlipStatus slipi_read_rotation(SlipiReader *reader, const SlipiField *field, double rotation[4]);

/* The quaternion of an angle about a unit vector. */
void slipi_axis_rotation(const double axis[3], double radians, double rotation[4]);

/* A sine block: motion to and fro along a unit vector. */
typedef struct SlipiSine {
  double axis[3], amplitude, frequency;
} SlipiSine;
SlipStatus slipi_read_sine(SlipiReader *reader, const SlipiNode *node, SlipiSine *sine);

/* The number of the material a field names, -1 where it names none. */
SlipStatus slipi_read_material(SlipiReader *reader, const SlipiField *field, int32_t *material);

/* slipi_fail_memory for the scene. */
SlipStatus slipi_reader_memory(const SlipiReader *reader);

/* Fail where the value of a field is refused: "path.key must ..., not ...". */
#define slipi_fail_field(reader, field, ...)                                                       \
  slipi_fail_node((reader)->error, (field)->node, __VA_ARGS__)

#endif
