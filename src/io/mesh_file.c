#include "io/mesh_file.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "geom/weld.h"
#include "io/siconos_words.h"

enum { STL_HEADER = 80, STL_START = 84, STL_TRIANGLE = 50, STL_NORMAL = 12 };

/* So that numbers of corners and coordinates are 32-bit. */
static const int64_t MOST = INT32_MAX / 9;

static SlipStatus make_room(int64_t points, int64_t triangles, SlipiArena *arena,
                            SlipiTriangles *mesh, SlipError *error) {
  if (points > MOST || triangles > MOST)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "has %lld points and triangles, more than %lld",
                      (long long)(points > triangles ? points : triangles), (long long)MOST);
  mesh->points = SLIPI_ARENA_RAW(arena, double, 3 * (size_t)points);
  mesh->triangles = SLIPI_ARENA_RAW(arena, int32_t, 3 * (size_t)triangles);
  return arena->failed ? slipi_fail_memory(error, "a mesh") : SLIP_OK;
}

/* ---- Binary STL: 80 bytes of anything, the number of triangles, then for each its normal, three
 * points, and two bytes more; little-endian ------------------------------------------------- */

static uint32_t little(const char *bytes) {
  uint32_t value = 0;
  for (int k = 3; k >= 0; k--)
    value = value << 8 | (unsigned char)bytes[k];
  return value;
}

static SlipStatus check_length(size_t size, uint64_t count, SlipError *error) {
  uint64_t needed = STL_START + STL_TRIANGLE * count;
  if (size < needed)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "byte %d: %llu triangles are announced, which take %llu bytes, but the file "
                      "has %llu (truncated)",
                      STL_HEADER, (unsigned long long)count, (unsigned long long)needed,
                      (unsigned long long)size);
  if (size > needed)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "byte %d: %llu triangles are announced, which take %llu bytes, but the file "
                      "goes on to %llu",
                      STL_HEADER, (unsigned long long)count, (unsigned long long)needed,
                      (unsigned long long)size);
  return SLIP_OK;
}

static SlipStatus read_binary(const char *bytes, size_t size, SlipiArena *arena,
                              SlipiTriangles *mesh, SlipError *error) {
  uint32_t count = little(bytes + STL_HEADER);
  SlipStatus status = check_length(size, count, error);
  if (status == SLIP_OK)
    status = make_room(3 * (int64_t)count, count, arena, mesh, error);
  if (status != SLIP_OK)
    return status;
  for (size_t k = 0; k < 9 * (size_t)count; k++) {
    size_t at = STL_START + k / 9 * STL_TRIANGLE + STL_NORMAL + k % 9 * 4;
    uint32_t bits = little(bytes + at);
    float value;
    char text[SLIPI_NUMBER_TEXT];
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
      return slipi_fail(error, SLIP_ERROR_FORMAT,
                        "byte %llu: triangle %llu has the coordinate %s, which is not finite",
                        (unsigned long long)at, (unsigned long long)(k / 9),
                        slipi_number_text(value, text));
    mesh->points[k] = value;
  }
  for (uint32_t k = 0; k < 3 * count; k++)
    mesh->triangles[k] = (int32_t)k;
  mesh->point_count = (int32_t)(3 * count);
  mesh->triangle_count = (int32_t)count;
  return SLIP_OK;
}

/* ---- STL as text ------------------------------------------------------------------------- */

/* The words of a file may be in capitals. */
static bool is(SlipiWord word, const char *expected) {
  if ((size_t)word.length != strlen(expected))
    return false;
  for (int k = 0; k < word.length; k++)
    if ((word.start[k] >= 'A' && word.start[k] <= 'Z' ? word.start[k] + 32 : word.start[k]) !=
        expected[k])
      return false;
  return true;
}

static SlipStatus expect(SlipiWords *text, const char *expected) {
  SlipiWord word = slipi_words_next(text);
  return is(word, expected) ? SLIP_OK
                            : slipi_words_fail(text, expected, word, "stands in its place");
}

static void skip_line(SlipiWords *text) {
  while (text->at < text->end && *text->at != '\n')
    text->at++;
}

static int64_t count_words(SlipiWords text, const char *wanted) {
  int64_t count = 0;
  for (SlipiWord word = slipi_words_next(&text); word.length > 0; word = slipi_words_next(&text))
    count += is(word, wanted);
  return count;
}

/* What comes after "facet". Some programs write normals that are no numbers. */
static SlipStatus read_facet(SlipiWords *text, SlipiTriangles *mesh) {
  SlipStatus status = expect(text, "normal");
  for (int k = 0; k < 3; k++)
    slipi_words_next(text);
  if (status == SLIP_OK)
    status = expect(text, "outer");
  if (status == SLIP_OK)
    status = expect(text, "loop");
  for (int corner = 0; corner < 3 && status == SLIP_OK; corner++) {
    double *point = mesh->points + 3 * (size_t)mesh->point_count;
    status = expect(text, "vertex");
    for (int k = 0; k < 3 && status == SLIP_OK; k++)
      status = slipi_words_real(text, "vertex", &point[k]);
    mesh->triangles[3 * (size_t)mesh->triangle_count + corner] = mesh->point_count++;
  }
  mesh->triangle_count++;
  if (status == SLIP_OK)
    status = expect(text, "endloop");
  return status == SLIP_OK ? expect(text, "endfacet") : status;
}

/* One "solid" after another, each with a name up to the end of its line. */
static SlipStatus read_solids(SlipiWords *text, SlipiTriangles *mesh) {
  SlipStatus status = SLIP_OK;
  bool within = false;
  for (;;) {
    SlipiWord word = slipi_words_next(text);
    if (word.length == 0 && !within)
      return status;
    if (is(word, within ? "endsolid" : "solid")) {
      within = !within;
      skip_line(text);
    } else if (within && is(word, "facet")) {
      status = read_facet(text, mesh);
    } else {
      status = slipi_words_fail(text, within ? "facet or endsolid" : "solid", word,
                                "stands in its place");
    }
    if (status != SLIP_OK)
      return status;
  }
}

static SlipStatus read_stl_text(SlipiWords *text, SlipiArena *arena, SlipiTriangles *mesh) {
  /* Each word "facet" makes at most one triangle. */
  int64_t facets = count_words(*text, "facet");
  SlipStatus status = make_room(3 * facets, facets, arena, mesh, text->error);
  return status == SLIP_OK ? read_solids(text, mesh) : status;
}

/* Points that several triangles have become one, in the order of their first use. */
static SlipStatus weld(SlipiTriangles *mesh, SlipError *error) {
  SlipiArena scratch = {0};
  int32_t *same = SLIPI_ARENA_RAW(&scratch, int32_t, mesh->point_count), kept = 0;
  bool welded = same && slipi_weld(mesh->points, mesh->point_count, &scratch, same);
  for (int32_t p = 0; welded && p < mesh->point_count; p++) {
    /* The first of its kind gets the next number, which the others find in its place. */
    bool first = same[p] == p;
    if (first)
      memmove(mesh->points + 3 * (size_t)kept, mesh->points + 3 * (size_t)p,
              3 * sizeof *mesh->points);
    same[p] = first ? kept++ : same[same[p]];
    mesh->triangles[p] = same[p];
  }
  slipi_arena_free(&scratch);
  mesh->point_count = kept;
  return welded ? SLIP_OK : slipi_fail_memory(error, "a mesh");
}

/* ---- OBJ --------------------------------------------------------------------------------- */

/* The words of one line, without its comment. A line that ends with a backslash goes on. */
static SlipiWords take_line(SlipiWords *text) {
  SlipiWords line = *text;
  bool comment = false;
  char last = '\n';
  for (; text->at < text->end && (*text->at != '\n' || last == '\\'); text->at++) {
    if (*text->at == '#' && !comment) {
      comment = true;
      line.end = text->at;
    }
    text->line += *text->at == '\n';
    if (*text->at != '\r')
      last = *text->at;
  }
  if (!comment)
    line.end = text->at;
  if (text->at < text->end) {
    text->at++;
    text->line++;
  }
  return line;
}

/* The next word; the backslash between two parts of a line is none. */
static SlipiWord next_of_line(SlipiWords *line) {
  SlipiWord word = slipi_words_next(line);
  while (slipi_word_is(word, "\\"))
    word = slipi_words_next(line);
  return word;
}

static SlipStatus fail_line(const SlipiWords *line, const char *name, SlipiWord word,
                            const char *complaint) {
  if (word.length > 0)
    return slipi_words_fail(line, name, word, complaint);
  return slipi_fail(line->error, SLIP_ERROR_FORMAT, "line %ld: %s: the line ends too soon",
                    line->line, name);
}

static SlipStatus read_point(SlipiWords *line, SlipiTriangles *mesh) {
  double *point = mesh->points + 3 * (size_t)mesh->point_count;
  for (int k = 0; k < 3; k++) {
    SlipiWord word = next_of_line(line);
    SlipiWords number = {.at = word.start, .end = word.start + word.length, .line = line->line};
    if (word.length == 0 || slipi_words_real(&number, "v", &point[k]) != SLIP_OK)
      return fail_line(line, "v", word, "is not a finite number");
  }
  mesh->point_count++;
  return SLIP_OK;
}

/* "7", "7/1/3" and "7//3" are point 6; "-1" is the last so far. */
static SlipStatus read_corner(SlipiWords *line, SlipiWord word, int32_t so_far, int64_t all,
                              int32_t *corner) {
  SlipiWord number = {word.start, 0};
  int32_t value = 0;
  while (number.length < word.length && word.start[number.length] != '/')
    number.length++;
  if (!slipi_word_int(number, &value))
    return fail_line(line, "f", word, "is not the number of a point");
  if (value == 0 || value > all || (value < 0 && -(int64_t)value > so_far))
    return fail_line(line, "f", word, "names a point that is not there");
  *corner = value > 0 ? value - 1 : so_far + value;
  return SLIP_OK;
}

static SlipStatus read_face(SlipiWords *line, int64_t all, SlipiTriangles *mesh) {
  int32_t corner[3], count = 0;
  SlipiWord word = next_of_line(line);
  for (; word.length > 0; word = next_of_line(line), count++) {
    SlipStatus status =
        read_corner(line, word, mesh->point_count, all, &corner[count < 2 ? count : 2]);
    if (status != SLIP_OK)
      return status;
    if (count < 2)
      continue;
    memcpy(mesh->triangles + 3 * (size_t)mesh->triangle_count++, corner, sizeof corner);
    corner[1] = corner[2];
  }
  return count >= 3 ? SLIP_OK : fail_line(line, "f", word, "");
}

/* Points, and triangles at most. */
static void count_lines(SlipiWords text, int64_t *points, int64_t *triangles) {
  while (text.at < text.end) {
    SlipiWords line = take_line(&text);
    SlipiWord word = next_of_line(&line);
    *points += slipi_word_is(word, "v");
    if (slipi_word_is(word, "f"))
      *triangles += slipi_words_left(&line, INT32_MAX);
  }
}

static SlipStatus read_obj(SlipiWords *text, SlipiArena *arena, SlipiTriangles *mesh) {
  int64_t points = 0, triangles = 0;
  count_lines(*text, &points, &triangles);
  SlipStatus status = make_room(points, triangles, arena, mesh, text->error);
  while (status == SLIP_OK && text->at < text->end) {
    SlipiWords line = take_line(text);
    SlipiWord word = next_of_line(&line);
    if (slipi_word_is(word, "v"))
      status = read_point(&line, mesh);
    else if (slipi_word_is(word, "f"))
      status = read_face(&line, points, mesh);
  }
  return status;
}

/* ---- Either ------------------------------------------------------------------------------ */

static SlipStatus read_text(const char *bytes, size_t size, SlipiMeshFormat format,
                            SlipiArena *arena, SlipiTriangles *mesh, SlipError *error) {
  SlipiWords text = {.at = bytes, .end = bytes + size, .line = 1, .error = error};
  /* strtod follows the locale; this thread's is put back after. */
  locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return slipi_fail_memory(error, "the number format");
  locale_t old = uselocale(plain);
  SlipStatus status =
      format == SLIPI_MESH_STL ? read_stl_text(&text, arena, mesh) : read_obj(&text, arena, mesh);
  uselocale(old);
  freelocale(plain);
  return status;
}

/* Binary files may begin with "solid" too: those whose length is right are binary, and so is all
 * that has a zero byte. */
static bool is_binary(const char *bytes, size_t size) {
  if (size >= STL_START && size == STL_START + STL_TRIANGLE * (uint64_t)little(bytes + STL_HEADER))
    return true;
  SlipiWords text = {.at = bytes, .end = bytes + size, .line = 1};
  return !is(slipi_words_next(&text), "solid") || memchr(bytes, '\0', size);
}

SlipStatus slipi_mesh_read_memory(const char *bytes, size_t size, SlipiMeshFormat format,
                                  SlipiArena *arena, SlipiTriangles *mesh, SlipError *error) {
  memset(mesh, 0, sizeof *mesh);
  if (size == 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "is empty");
  bool binary = format == SLIPI_MESH_STL && is_binary(bytes, size);
  if (binary && size < STL_START)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "is no STL file: it does not begin with 'solid', and a binary one has %d "
                      "bytes before its triangles, this %d in all",
                      STL_START, (int)size);
  SlipStatus status = binary ? read_binary(bytes, size, arena, mesh, error)
                             : read_text(bytes, size, format, arena, mesh, error);
  if (status == SLIP_OK && mesh->triangle_count == 0)
    status = slipi_fail(error, SLIP_ERROR_FORMAT, "has no triangles");
  if (status == SLIP_OK && format == SLIPI_MESH_STL)
    status = weld(mesh, error);
  if (status != SLIP_OK)
    memset(mesh, 0, sizeof *mesh);
  return status;
}
