/* Triangles from STL (text or binary) and OBJ files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "io/io.h"
#include "scene/forms.h"

enum {
  MOST_BYTES = 1 << 30,
  STL_HEADER = 84, /* bytes before the first triangle of a binary file */
  STL_TRIANGLE = 50
};

/* A mesh being read, in an arena of its own. */
typedef struct Mesh {
  SlipiArena arena;
  double *points; /* 3 each */
  int32_t *triangles;
  int32_t point_count, triangle_count;
  char complaint[SLIPI_COMPLAINT]; /* why it cannot be read; empty: memory is out */
} Mesh;

static bool complain(Mesh *mesh, const char *complaint, long line) {
  if (line > 0)
    snprintf(mesh->complaint, sizeof mesh->complaint, "line %ld: %s", line, complaint);
  else
    snprintf(mesh->complaint, sizeof mesh->complaint, "%s", complaint);
  return false;
}

static bool make_room(Mesh *mesh, int64_t points, int64_t triangles) {
  if (points > SLIPI_MOST_POINTS || triangles > SLIPI_MOST_POINTS)
    return complain(mesh, "has more than 10000000 points or triangles", 0);
  mesh->points = SLIPI_ARENA_RAW(&mesh->arena, double, 3 * points);
  mesh->triangles = SLIPI_ARENA_RAW(&mesh->arena, int32_t, 3 * triangles);
  return mesh->points && mesh->triangles;
}

/* ---- STL ----------------------------------------------------------------------------------- */

static uint32_t little(const char *bytes) {
  uint32_t value = 0;
  for (int k = 3; k >= 0; k--)
    value = value << 8 | (unsigned char)bytes[k];
  return value;
}

static bool read_binary(Mesh *mesh, const char *bytes, int64_t triangles) {
  if (!make_room(mesh, 3 * triangles, triangles))
    return false;
  mesh->point_count = (int32_t)(3 * triangles);
  for (int64_t k = 0; k < 9 * triangles; k++) {
    /* 12 bytes of normal, then nine numbers, then two more bytes */
    uint32_t bits = little(bytes + STL_HEADER + k / 9 * STL_TRIANGLE + 12 + k % 9 * 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
      return complain(mesh, "has a coordinate that is not finite", 0);
    mesh->points[k] = value;
  }
  return true;
}

/* Lines one after another, words after blanks. */
typedef struct Lines {
  const char *at;
  long number;
} Lines;

static bool next_line(Lines *lines) {
  if (lines->number > 0) {
    lines->at += strcspn(lines->at, "\n");
    lines->at += *lines->at == '\n';
  }
  lines->number++;
  lines->at += strspn(lines->at, " \t");
  return *lines->at != '\0';
}

static bool starts_with(const char *text, const char *word) {
  size_t length = strlen(word);
  return strncmp(text, word, length) == 0 && strchr(" \t", text[length]) && text[length];
}

static bool read_point(Mesh *mesh, const char *text, long line, double point[3]) {
  for (int k = 0; k < 3; k++) {
    char *end;
    text += strspn(text, " \t");
    point[k] = strtod(text, &end);
    /* strtod goes on to the next line where this one has no number left */
    if (*text == '\n' || *text == '\r' || end == text || !isfinite(point[k]))
      return complain(mesh, "a vertex must have three finite numbers", line);
    text = end;
  }
  return true;
}

static int64_t count_lines(const char *text, const char *word) {
  int64_t count = 0;
  for (Lines lines = {text, 0}; next_line(&lines);)
    count += starts_with(lines.at, word);
  return count;
}

static bool read_text(Mesh *mesh, const char *text) {
  int64_t points = count_lines(text, "vertex");
  if (points == 0 || points % 3 != 0)
    return complain(mesh, "has no triangles, or one without three vertices", 0);
  if (!make_room(mesh, points, points / 3))
    return false;
  for (Lines lines = {text, 0}; next_line(&lines);)
    if (starts_with(lines.at, "vertex") &&
        !read_point(mesh, lines.at + strlen("vertex"), lines.number,
                    mesh->points + 3 * (size_t)mesh->point_count++))
      return false;
  return true;
}

static bool same_point(const double a[3], const double b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* STL repeats the points of neighbours: equal ones become one, in the order of their first use. */
static bool weld(Mesh *mesh) {
  int32_t count = mesh->point_count, kept = 0;
  uint64_t buckets = 16;
  while (buckets < 2 * (uint64_t)count)
    buckets *= 2;
  int32_t *table = SLIPI_ARENA_NEW(&mesh->arena, int32_t, buckets); /* index + 1; 0: free */
  if (!table)
    return false;
  for (int32_t k = 0; k < count; k++) {
    double point[3];
    for (int j = 0; j < 3; j++)
      point[j] = mesh->points[3 * (size_t)k + j] + 0.0; /* -0 is 0 */
    uint64_t slot = slipi_hash_reals(0, point, 3) & (buckets - 1);
    while (table[slot] && !same_point(mesh->points + 3 * (size_t)(table[slot] - 1), point))
      slot = (slot + 1) & (buckets - 1);
    if (!table[slot]) {
      memcpy(mesh->points + 3 * (size_t)kept, point, sizeof point);
      table[slot] = ++kept;
    }
    mesh->triangles[k] = table[slot] - 1;
  }
  mesh->point_count = kept;
  mesh->triangle_count = count / 3;
  return true;
}

static bool read_stl(Mesh *mesh, const char *bytes, size_t size) {
  bool binary = size >= STL_HEADER &&
                (size - STL_HEADER) / STL_TRIANGLE == little(bytes + STL_HEADER - 4) &&
                (size - STL_HEADER) % STL_TRIANGLE == 0;
  if (!binary && (!starts_with(bytes, "solid") || memchr(bytes, '\0', size)))
    return complain(mesh, "is no STL file: neither 'solid' nor as long as its triangles", 0);
  bool read = binary ? read_binary(mesh, bytes, (int64_t)little(bytes + STL_HEADER - 4))
                     : read_text(mesh, bytes);
  return read && weld(mesh);
}

/* ---- OBJ ----------------------------------------------------------------------------------- */

/* The next corner of a face, from 0 on; "7", "7/1/3" and "-1", the last point so far, are corners.
 * False at the end of the line, or where there is none (*fine is false then). */
static bool next_corner(const char **text, int32_t points, int32_t *corner, bool *fine) {
  char *end;
  *text += strspn(*text, " \t\r");
  if (**text == '\n' || **text == '\0' || **text == '#')
    return false;
  long number = strtol(*text, &end, 10);
  *fine = end != *text && number != 0 && labs(number) <= points;
  *corner = (int32_t)(number > 0 ? number - 1 : points + number);
  *text = end + strcspn(end, " \t\r\n");
  return *fine;
}

/* A face of n corners is n - 2 triangles around the first. */
static bool read_face(Mesh *mesh, const char *text, long line) {
  int32_t corner[3], count = 0;
  bool fine = true;
  for (int32_t next; next_corner(&text, mesh->point_count, &next, &fine); count++) {
    corner[count < 2 ? count : 2] = next;
    if (count >= 2) {
      memcpy(mesh->triangles + 3 * (size_t)mesh->triangle_count++, corner, sizeof corner);
      corner[1] = next;
    }
  }
  return fine && count >= 3
             ? true
             : complain(mesh, "a face must name three or more points before it", line);
}

/* More triangles than the words after "f" can make there are not. */
static int64_t count_triangles(const char *text) {
  int64_t count = 0;
  for (Lines lines = {text, 0}; next_line(&lines);)
    if (starts_with(lines.at, "f"))
      for (const char *at = lines.at; *at && *at != '\n'; at++)
        count += *at == ' ' || *at == '\t' || *at == '\r';
  return count;
}

static bool read_obj(Mesh *mesh, const char *text) {
  if (!make_room(mesh, count_lines(text, "v"), count_triangles(text)))
    return false;
  for (Lines lines = {text, 0}; next_line(&lines);) {
    bool fine = true;
    if (starts_with(lines.at, "v"))
      fine = read_point(mesh, lines.at + 1, lines.number,
                        mesh->points + 3 * (size_t)mesh->point_count++);
    else if (starts_with(lines.at, "f"))
      fine = read_face(mesh, lines.at + 1, lines.number);
    if (!fine)
      return false;
  }
  return mesh->triangle_count > 0 ? true : complain(mesh, "has no faces", 0);
}

/* ---- Files --------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  if (length < tail)
    return false;
  for (size_t k = 0; k < tail; k++)
    if ((text[length - tail + k] | 32) != end[k]) /* letters of either case; '.' has that bit */
      return false;
  return true;
}

/* The path of a file that stands beside the scene; absolute ones stay. */
static char *beside(SlipiReader *reader, const char *file) {
  const char *slash = strrchr(reader->file, '/');
  size_t folder = file[0] == '/' || !slash ? 0 : (size_t)(slash - reader->file) + 1;
  char *path = SLIPI_ARENA_NEW(reader->arena, char, folder + strlen(file) + 1);
  if (path) {
    memcpy(path, reader->file, folder);
    memcpy(path + folder, file, strlen(file) + 1);
  }
  return path;
}

static SlipStatus keep(SlipiReader *reader, const Mesh *mesh, SlipShapeDef *shape) {
  shape->points =
      slipi_arena_copy(reader->arena, mesh->points, 3 * (size_t)mesh->point_count, sizeof(double));
  shape->triangles = slipi_arena_copy(reader->arena, mesh->triangles,
                                      3 * (size_t)mesh->triangle_count, sizeof(int32_t));
  shape->point_count = mesh->point_count;
  shape->triangle_count = mesh->triangle_count;
  return shape->points && shape->triangles ? SLIP_OK : slipi_reader_memory(reader);
}

SlipStatus slipi_read_mesh(SlipiReader *reader, const SlipiNode *node, SlipShapeDef *shape) {
  char shown[SLIPI_SHOWN], *bytes = NULL;
  size_t size = 0;
  SlipError error;
  bool stl = ends_with(node->text, ".stl");
  slipi_shown(node->text, shown);
  if (!stl && !ends_with(node->text, ".obj"))
    return slipi_fail_node(reader->error, node, "%s must name a file .stl or .obj, not '%s'",
                           slipi_path(reader), shown);
  const char *path = beside(reader, node->text);
  if (!path)
    return slipi_reader_memory(reader);
  SlipStatus status = slipi_file_bytes(path, MOST_BYTES, &bytes, &size, &error);
  if (status == SLIP_ERROR_MEMORY)
    return slipi_reader_memory(reader);
  if (status != SLIP_OK)
    return slipi_fail_node(reader->error, node, "%s: '%s' %s", slipi_path(reader), shown,
                           error.text);
  Mesh mesh = {0};
  if (stl ? read_stl(&mesh, bytes, size) : read_obj(&mesh, bytes))
    status = keep(reader, &mesh, shape);
  else if (mesh.complaint[0])
    status = slipi_fail_node(reader->error, node, "%s: '%s' %s", slipi_path(reader), shown,
                             mesh.complaint);
  else
    status = slipi_reader_memory(reader);
  slipi_arena_free(&mesh.arena);
  free(bytes);
  return status;
}
