#include "io/gmsh.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/element.h"
#include "io/siconos_words.h"

/* ---- What a file says ---- */

typedef struct Physical {
  int32_t dim, tag;
  const char *name;
} Physical;

/* A physical group of an entity: points, curves, surfaces, volumes. */
typedef struct Link {
  int32_t dim, entity, group;
} Link;

typedef struct Element {
  int32_t dim, entity;
  int32_t type;
  int32_t first; /* of its nodes in `node`, as tags and later as places */
} Element;

typedef struct Reader {
  SlipiWords text;
  Physical *physical;
  int32_t physicals;
  Link *link;
  int32_t links, link_room;
  int32_t *tag; /* of nodes, in the order of the file; and then sorted, with their places */
  double *x;
  int32_t nodes;
  Element *element;
  int32_t *node;
  int32_t elements, entries;
} Reader;

/* Element types of Gmsh: nodes, dimension, and the kind of ours, or -1. */
typedef struct Type {
  int32_t number, nodes, dim, kind;
} Type;

static const Type types[] = {
    {1, 2, 1, -1},       {2, 3, 2, SLIPI_T3},    {3, 4, 2, SLIPI_Q4},
    {4, 4, 3, SLIPI_T4}, {5, 8, 3, SLIPI_H8},    {8, 3, 1, -1},
    {9, 6, 2, -1},       {11, 10, 3, SLIPI_T10}, {15, 1, 0, -1},
};

static const Type *find_type(int32_t number) {
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    if (types[k].number == number)
      return &types[k];
  }
  return NULL;
}

static SlipStatus fail_memory(Reader *reader) {
  return slipi_fail_memory(reader->text.error, "a mesh");
}

/* ---- Sections ---- */

static SlipStatus read_format(Reader *reader) {
  SlipiWords *text = &reader->text;
  SlipiWord version = slipi_words_next(text);
  if (!slipi_word_is(version, "4.1"))
    return slipi_words_fail(text, "MeshFormat", version, "is not version 4.1");
  SlipiWord binary = slipi_words_next(text);
  if (!slipi_word_is(binary, "0"))
    return slipi_words_fail(text, "MeshFormat", binary, "is not 0: only text is read, not binary");
  int32_t size;
  SlipStatus status = slipi_words_int(text, "MeshFormat", 1, &size);
  return status == SLIP_OK ? slipi_words_mark(text, "MeshFormat", "$EndMeshFormat") : status;
}

/* "name" in quotes, which may have spaces. */
static SlipStatus read_name(Reader *reader, const char **name) {
  SlipiWords *text = &reader->text;
  SlipiWord word = slipi_words_next(text);
  if (word.length == 0 || word.start[0] != '"')
    return slipi_words_fail(text, "PhysicalNames", word, "is no name in quotes");
  text->at = word.start + 1;
  const char *end = text->at;
  while (end < text->end && *end != '"' && *end != '\n')
    end++;
  if (end == text->end || *end != '"')
    return slipi_words_fail(text, "PhysicalNames", word, "has no second quote");
  size_t length = (size_t)(end - text->at);
  char *copy = SLIPI_ARENA_NEW(&text->arena, char, length + 1);
  if (!copy)
    return fail_memory(reader);
  memcpy(copy, text->at, length);
  text->at = end + 1;
  *name = copy;
  return SLIP_OK;
}

static SlipStatus read_physical(Reader *reader) {
  SlipiWords *text = &reader->text;
  int32_t count;
  SlipStatus status = slipi_words_int(text, "PhysicalNames", 0, &count);
  if (status == SLIP_OK)
    status = slipi_words_check_room(text, "PhysicalNames", 3 * (int64_t)count);
  if (status != SLIP_OK)
    return status;
  reader->physical = SLIPI_ARENA_NEW(&text->arena, Physical, count);
  if (!reader->physical)
    return fail_memory(reader);
  for (int32_t k = 0; k < count && status == SLIP_OK; k++) {
    Physical *physical = &reader->physical[k];
    status = slipi_words_int(text, "PhysicalNames", 0, &physical->dim);
    if (status == SLIP_OK)
      status = slipi_words_int(text, "PhysicalNames", INT32_MIN, &physical->tag);
    if (status == SLIP_OK)
      status = read_name(reader, &physical->name);
  }
  reader->physicals = count;
  return status == SLIP_OK ? slipi_words_mark(text, "PhysicalNames", "$EndPhysicalNames") : status;
}

static bool add_link(Reader *reader, int32_t dim, int32_t entity, int32_t group) {
  if (reader->links == reader->link_room) {
    int32_t room = reader->link_room > 0 ? 2 * reader->link_room : 64;
    Link *grown = SLIPI_ARENA_NEW(&reader->text.arena, Link, room);
    if (!grown)
      return false;
    if (reader->links > 0)
      memcpy(grown, reader->link, (size_t)reader->links * sizeof *grown);
    reader->link = grown;
    reader->link_room = room;
  }
  reader->link[reader->links++] = (Link){dim, entity, group};
  return true;
}

static SlipStatus skip_numbers(SlipiWords *text, const char *name, int64_t count) {
  SlipStatus status = slipi_words_check_room(text, name, count);
  for (int64_t k = 0; k < count && status == SLIP_OK; k++) {
    double value;
    status = slipi_words_real(text, name, &value);
  }
  return status;
}

static SlipStatus read_entity(Reader *reader, int32_t dim) {
  SlipiWords *text = &reader->text;
  int32_t tag, count, group;
  SlipStatus status = slipi_words_int(text, "Entities", INT32_MIN, &tag);
  if (status == SLIP_OK)
    status = skip_numbers(text, "Entities", dim == 0 ? 3 : 6);
  if (status == SLIP_OK)
    status = slipi_words_int(text, "Entities", 0, &count);
  for (int32_t k = 0; status == SLIP_OK && k < count; k++) {
    status = slipi_words_int(text, "Entities", INT32_MIN, &group);
    if (status == SLIP_OK && !add_link(reader, dim, tag, group))
      status = fail_memory(reader);
  }
  if (status == SLIP_OK && dim > 0)
    status = slipi_words_int(text, "Entities", 0, &count);
  return status == SLIP_OK && dim > 0 ? skip_numbers(text, "Entities", count) : status;
}

static SlipStatus read_entities(Reader *reader) {
  SlipiWords *text = &reader->text;
  int32_t count[4];
  SlipStatus status = SLIP_OK;
  for (int dim = 0; dim < 4 && status == SLIP_OK; dim++)
    status = slipi_words_int(text, "Entities", 0, &count[dim]);
  for (int dim = 0; dim < 4 && status == SLIP_OK; dim++)
    for (int32_t k = 0; k < count[dim] && status == SLIP_OK; k++)
      status = read_entity(reader, dim);
  return status == SLIP_OK ? slipi_words_mark(text, "Entities", "$EndEntities") : status;
}

/* The four numbers that Nodes and Elements begin with: blocks, all, least and most tag. */
static SlipStatus read_counts(Reader *reader, const char *name, int32_t counts[4]) {
  SlipStatus status = SLIP_OK;
  for (int k = 0; k < 4 && status == SLIP_OK; k++)
    status = slipi_words_int(&reader->text, name, 0, &counts[k]);
  return status == SLIP_OK
             ? slipi_words_check_room(&reader->text, name, (int64_t)counts[0] + counts[1])
             : status;
}

/* What a block begins with: three numbers and how many it has, of those that are left. */
static SlipStatus read_block(Reader *reader, const char *name, int32_t left, int32_t block[4]) {
  SlipStatus status = SLIP_OK;
  for (int k = 0; k < 4 && status == SLIP_OK; k++)
    status = slipi_words_int(&reader->text, name, k == 1 ? INT32_MIN : 0, &block[k]);
  if (status == SLIP_OK && block[3] > left)
    status = slipi_fail(reader->text.error, SLIP_ERROR_FORMAT,
                        "line %ld: %s: a block of %d, but only %d are left of those announced",
                        reader->text.line, name, (int)block[3], (int)left);
  return status;
}

static SlipStatus read_nodes(Reader *reader) {
  SlipiWords *text = &reader->text;
  int32_t counts[4], block[4];
  if (reader->tag)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: there are two sections $Nodes",
                      text->line);
  SlipStatus status = read_counts(reader, "Nodes", counts);
  if (status != SLIP_OK)
    return status;
  reader->tag = SLIPI_ARENA_NEW(&text->arena, int32_t, counts[1]);
  reader->x = SLIPI_ARENA_NEW(&text->arena, double, 3 * (int64_t)counts[1]);
  if (!reader->tag || !reader->x)
    return fail_memory(reader);
  for (int32_t b = 0; b < counts[0] && status == SLIP_OK; b++) {
    status = read_block(reader, "Nodes", counts[1] - reader->nodes, block);
    for (int32_t k = 0; k < block[3] && status == SLIP_OK; k++)
      status = slipi_words_int(text, "Nodes", 1, &reader->tag[reader->nodes + k]);
    for (int64_t k = 0; status == SLIP_OK && k < block[3]; k++) {
      for (int c = 0; c < 3 && status == SLIP_OK; c++)
        status = slipi_words_real(text, "Nodes", &reader->x[3 * (reader->nodes + k) + c]);
      if (status == SLIP_OK && block[2] != 0)
        status = skip_numbers(text, "Nodes", block[0] > 3 ? 3 : block[0]);
    }
    reader->nodes += status == SLIP_OK ? block[3] : 0;
  }
  if (status == SLIP_OK && reader->nodes != counts[1])
    status = slipi_fail(text->error, SLIP_ERROR_FORMAT,
                        "line %ld: Nodes: %d are announced, the blocks have %d", text->line,
                        (int)counts[1], (int)reader->nodes);
  return status == SLIP_OK ? slipi_words_mark(text, "Nodes", "$EndNodes") : status;
}

static SlipStatus read_elements_of(Reader *reader, const int32_t block[4]) {
  SlipiWords *text = &reader->text;
  const Type *type = find_type(block[2]);
  SlipStatus status = SLIP_OK;
  int32_t tag;
  if (!type || type->dim != block[0])
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "line %ld: Elements: type %d on an entity of dimension %d is not read; "
                      "points, lines, triangles (3 nodes), squares, tetrahedra (4 and 10) and "
                      "hexahedra are",
                      text->line, (int)block[2], (int)block[0]);
  for (int32_t k = 0; k < block[3] && status == SLIP_OK; k++) {
    reader->element[reader->elements++] = (Element){block[0], block[1], block[2], reader->entries};
    status = slipi_words_int(text, "Elements", 0, &tag);
    for (int a = 0; a < type->nodes && status == SLIP_OK; a++)
      status = slipi_words_int(text, "Elements", 1, &reader->node[reader->entries++]);
  }
  return status;
}

static SlipStatus read_elements(Reader *reader) {
  SlipiWords *text = &reader->text;
  int32_t counts[4], block[4];
  if (reader->element)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: there are two sections $Elements",
                      text->line);
  SlipStatus status = read_counts(reader, "Elements", counts);
  if (status != SLIP_OK)
    return status;
  if (counts[1] > INT32_MAX / SLIPI_ELEMENT_NODES)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: %d elements are too many",
                      text->line, (int)counts[1]);
  reader->element = SLIPI_ARENA_NEW(&text->arena, Element, counts[1]);
  reader->node = SLIPI_ARENA_NEW(&text->arena, int32_t, SLIPI_ELEMENT_NODES * (int64_t)counts[1]);
  if (!reader->element || !reader->node)
    return fail_memory(reader);
  for (int32_t b = 0; b < counts[0] && status == SLIP_OK; b++) {
    status = read_block(reader, "Elements", counts[1] - reader->elements, block);
    if (status == SLIP_OK)
      status = read_elements_of(reader, block);
  }
  return status == SLIP_OK ? slipi_words_mark(text, "Elements", "$EndElements") : status;
}

/* Sections that are not looked at. */
static SlipStatus skip_section(Reader *reader, SlipiWord section) {
  char end[64];
  SlipiWord word;
  if (section.length > 50)
    return slipi_words_fail(&reader->text, "a section", section, "has a long name");
  snprintf(end, sizeof end, "$End%.*s", section.length - 1, section.start + 1);
  do
    word = slipi_words_next(&reader->text);
  while (word.length > 0 && !slipi_word_is(word, end));
  return word.length > 0 ? SLIP_OK : slipi_words_fail(&reader->text, end, word, "");
}

static SlipStatus read_sections(Reader *reader) {
  SlipiWords *text = &reader->text;
  SlipStatus status = slipi_words_mark(text, "the file", "$MeshFormat");
  if (status == SLIP_OK)
    status = read_format(reader);
  for (SlipiWord word = slipi_words_next(text); status == SLIP_OK && word.length > 0;
       word = status == SLIP_OK ? slipi_words_next(text) : word) {
    if (slipi_word_is(word, "$PhysicalNames"))
      status = read_physical(reader);
    else if (slipi_word_is(word, "$Entities"))
      status = read_entities(reader);
    else if (slipi_word_is(word, "$Nodes"))
      status = read_nodes(reader);
    else if (slipi_word_is(word, "$Elements"))
      status = read_elements(reader);
    else if (word.start[0] == '$')
      status = skip_section(reader, word);
    else
      status = slipi_words_fail(text, "the file", word, "stands where a section should begin");
  }
  return status;
}

/* ---- What is made of it ---- */

typedef struct Tagged {
  int32_t tag, at;
} Tagged;

static int compare_tagged(const void *a, const void *b) {
  const Tagged *p = a, *q = b;
  return p->tag < q->tag ? -1 : p->tag > q->tag;
}

/* Tags of nodes to their places in the file. */
static SlipStatus number_nodes(Reader *reader) {
  SlipError *error = reader->text.error;
  Tagged *sorted = SLIPI_ARENA_NEW(&reader->text.arena, Tagged, reader->nodes);
  if (!sorted)
    return fail_memory(reader);
  for (int32_t k = 0; k < reader->nodes; k++)
    sorted[k] = (Tagged){reader->tag[k], k};
  if (reader->nodes > 0)
    qsort(sorted, (size_t)reader->nodes, sizeof *sorted, compare_tagged);
  for (int32_t k = 1; k < reader->nodes; k++) {
    if (sorted[k].tag == sorted[k - 1].tag)
      return slipi_fail(error, SLIP_ERROR_FORMAT, "node %d is there twice", (int)sorted[k].tag);
  }
  for (int32_t k = 0; k < reader->entries; k++) {
    Tagged wanted = {.tag = reader->node[k]};
    const Tagged *found = reader->nodes == 0 ? NULL
                                             : bsearch(&wanted, sorted, (size_t)reader->nodes,
                                                       sizeof *sorted, compare_tagged);
    if (!found)
      return slipi_fail(error, SLIP_ERROR_FORMAT, "an element has node %d, which is not there",
                        (int)reader->node[k]);
    reader->node[k] = found->at;
  }
  return SLIP_OK;
}

/* Elements of one dimension and the nodes they have; `place` gets the new number of each node. */
static SlipStatus take_elements(Reader *reader, int dimension, SlipiArena *arena, int32_t *place,
                                SlipiGmsh *mesh) {
  mesh->points = SLIPI_ARENA_NEW(arena, double, 3 * (int64_t)reader->nodes);
  mesh->kinds = SLIPI_ARENA_NEW(arena, int32_t, reader->elements);
  mesh->elements = SLIPI_ARENA_NEW(arena, int32_t, reader->entries);
  if (arena->failed)
    return fail_memory(reader);
  int32_t entries = 0;
  for (int32_t e = 0; e < reader->elements; e++) {
    const Element *element = &reader->element[e];
    const Type *type = find_type(element->type);
    if (type->dim != dimension)
      continue;
    if (type->kind < 0)
      return slipi_fail(reader->text.error, SLIP_ERROR_FORMAT,
                        "elements of type %d are not for a body", (int)element->type);
    mesh->kinds[mesh->element_count++] = type->kind;
    for (int a = 0; a < type->nodes; a++) {
      /* Gmsh's last two middles of edges are VTK's in the other order. */
      int from = type->kind == SLIPI_T10 && a >= 8 ? 17 - a : a;
      int32_t node = reader->node[element->first + from];
      if (place[node] < 0) {
        place[node] = mesh->point_count;
        memcpy(mesh->points + 3 * (int64_t)mesh->point_count++, reader->x + 3 * (int64_t)node,
               3 * sizeof(double));
      }
      mesh->elements[entries++] = place[node];
    }
  }
  return mesh->element_count > 0 ? SLIP_OK
                                 : slipi_fail(reader->text.error, SLIP_ERROR_FORMAT,
                                              "has no elements of dimension %d", dimension);
}

static int compare_entity(int32_t dim, int32_t entity, const Element *element) {
  if (dim != element->dim)
    return dim < element->dim ? -1 : 1;
  return entity < element->entity ? -1 : entity > element->entity;
}

static int compare_elements(const void *a, const void *b) {
  const Element *p = a, *q = b;
  int order = compare_entity(p->dim, p->entity, q);
  return order != 0 ? order : p->first < q->first ? -1 : p->first > q->first;
}

/* By group, then by entity. */
static int compare_links(const void *a, const void *b) {
  const Link *p = a, *q = b;
  if (p->dim != q->dim)
    return p->dim < q->dim ? -1 : 1;
  if (p->group != q->group)
    return p->group < q->group ? -1 : 1;
  return p->entity < q->entity ? -1 : p->entity > q->entity;
}

/* The first element of an entity, or after it; elements are sorted. */
static int32_t first_of(const Reader *reader, const Link *link) {
  int32_t low = 0, high = reader->elements;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (compare_entity(link->dim, link->entity, &reader->element[middle]) > 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static const char *name_of(Reader *reader, SlipiArena *arena, const Link *link) {
  char text[16];
  for (int32_t k = 0; k < reader->physicals; k++) {
    const Physical *physical = &reader->physical[k];
    if (physical->dim == link->dim && physical->tag == link->group)
      return slipi_arena_copy(arena, physical->name, strlen(physical->name) + 1, 1);
  }
  snprintf(text, sizeof text, "%d", (int)link->group);
  return slipi_arena_copy(arena, text, strlen(text) + 1, 1);
}

/* Nodes of the elements of all entities of a group, whose links stand together; without `node` they
 * are counted. */
static int64_t gather(const Reader *reader, int32_t first, int32_t end, const int32_t *place,
                      int32_t *node) {
  int64_t count = 0;
  for (int32_t k = first; k < end; k++) {
    const Link *link = &reader->link[k];
    for (int32_t e = first_of(reader, link);
         e < reader->elements && compare_entity(link->dim, link->entity, &reader->element[e]) == 0;
         e++)
      for (int a = 0; a < find_type(reader->element[e].type)->nodes; a++) {
        int32_t at = place[reader->node[reader->element[e].first + a]];
        if (at >= 0 && node)
          node[count] = at;
        count += at >= 0;
      }
  }
  return count;
}

static SlipStatus take_set(Reader *reader, int32_t first, int32_t end, const int32_t *place,
                           SlipiArena *arena, SlipNodeSet *set) {
  int64_t count = gather(reader, first, end, place, NULL);
  int32_t *node = count <= INT32_MAX ? SLIPI_ARENA_NEW(arena, int32_t, count + 1) : NULL;
  const char *name = name_of(reader, arena, &reader->link[first]);
  if (!node || !name)
    return fail_memory(reader);
  gather(reader, first, end, place, node);
  *set = (SlipNodeSet){.name = name, .nodes = node, .node_count = (int32_t)count};
  return SLIP_OK;
}

static SlipStatus take_sets(Reader *reader, const int32_t *place, SlipiArena *arena,
                            SlipiGmsh *mesh) {
  enum { MOST = 65536 };
  SlipStatus status = SLIP_OK;
  int32_t kept = 0;
  if (reader->links > 0)
    qsort(reader->link, (size_t)reader->links, sizeof *reader->link, compare_links);
  for (int32_t k = 0; k < reader->links; k++) {
    if (kept == 0 || compare_links(&reader->link[k], &reader->link[kept - 1]) != 0)
      reader->link[kept++] = reader->link[k];
  }
  if (kept > MOST)
    return slipi_fail(reader->text.error, SLIP_ERROR_FORMAT,
                      "Entities: %d memberships of physical groups, more than %d", (int)kept, MOST);
  mesh->sets = SLIPI_ARENA_NEW(arena, SlipNodeSet, kept);
  if (!mesh->sets)
    return fail_memory(reader);
  for (int32_t k = 0; k < kept && status == SLIP_OK;) {
    int32_t end = k + 1;
    while (end < kept && reader->link[end].dim == reader->link[k].dim &&
           reader->link[end].group == reader->link[k].group)
      end++;
    status = take_set(reader, k, end, place, arena, &mesh->sets[mesh->set_count++]);
    k = end;
  }
  return status;
}

static SlipStatus take(Reader *reader, int dimension, SlipiArena *arena, SlipiGmsh *mesh) {
  SlipStatus status = number_nodes(reader);
  int32_t *place = SLIPI_ARENA_RAW(&reader->text.arena, int32_t, (int64_t)reader->nodes + 1);
  if (status == SLIP_OK && !place)
    status = fail_memory(reader);
  if (status != SLIP_OK)
    return status;
  memset(place, -1, (size_t)(reader->nodes + 1) * sizeof *place);
  status = take_elements(reader, dimension, arena, place, mesh);
  if (reader->elements > 0)
    qsort(reader->element, (size_t)reader->elements, sizeof *reader->element, compare_elements);
  return status == SLIP_OK ? take_sets(reader, place, arena, mesh) : status;
}

SlipStatus slipi_gmsh_read_memory(const char *bytes, size_t size, int dimension, SlipiArena *arena,
                                  SlipiGmsh *mesh, SlipError *error) {
  Reader reader = {.text = {.at = bytes, .end = bytes + size, .line = 1, .error = error}};
  memset(mesh, 0, sizeof *mesh);
  /* strtod follows the locale; this thread's is put back after. */
  locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return slipi_fail_memory(error, "the number format");
  locale_t old = uselocale(plain);
  SlipStatus status = read_sections(&reader);
  uselocale(old);
  freelocale(plain);
  if (status == SLIP_OK)
    status = take(&reader, dimension, arena, mesh);
  slipi_arena_free(&reader.text.arena);
  if (status != SLIP_OK)
    memset(mesh, 0, sizeof *mesh);
  return status;
}
