#include "methods/common_chunks.h"

enum { COLOURS_MOST = 32 };

static void one_chunk(SlipiChunks *chunks) {
  chunks->size = chunks->nc;
  chunks->count = chunks->colours = 1;
  chunks->list[0] = 0;
  chunks->start[0] = 0;
  chunks->start[1] = 1;
}

/* Colours, a bit each: of the chunks that change something (a group, or the impulse of a contact),
 * and of those that read it. For groups the two are one array. */
typedef struct Marks {
  uint32_t *changed, *read;
} Marks;

static void mark_chunk(const SlipiGraph *graph, int32_t first, int32_t end, uint32_t bit,
                       const Marks *marks) {
  for (int32_t k = graph->p[first]; k < graph->p[end]; k++)
    marks->read[graph->j[k]] |= bit;
  for (int32_t a = first; graph->groups == 0 && a < end; a++)
    marks->changed[a] |= bit;
}

/* The first colour free for a chunk; -1 when there is none. */
static int pick_colour(const SlipiGraph *graph, const SlipiChunks *chunks, int32_t chunk,
                       const Marks *marks) {
  int32_t first = slipi_chunk_first(chunks, chunk), end = slipi_chunk_end(chunks, chunk);
  uint32_t taken = 0;
  for (int32_t k = graph->p[first]; k < graph->p[end]; k++)
    taken |= marks->changed[graph->j[k]];
  for (int32_t a = first; graph->groups == 0 && a < end; a++)
    taken |= marks->read[a];
  if (taken == UINT32_MAX)
    return -1;
  int colour = 0;
  while (taken >> colour & 1)
    colour++;
  mark_chunk(graph, first, end, (uint32_t)1 << colour, marks);
  return colour;
}

static bool colour_all(const SlipiGraph *graph, SlipiChunks *chunks, const Marks *marks,
                       int8_t *colour) {
  for (int32_t c = 0; c < chunks->count; c++) {
    int picked = pick_colour(graph, chunks, c, marks);
    if (picked < 0)
      return false;
    colour[c] = (int8_t)picked;
    chunks->colours = picked + 1 > chunks->colours ? picked + 1 : chunks->colours;
  }
  int32_t filled = 0;
  for (int32_t k = 0; k < chunks->colours; k++) {
    chunks->start[k] = filled;
    for (int32_t c = 0; c < chunks->count; c++) {
      if (colour[c] == k)
        chunks->list[filled++] = c;
    }
  }
  chunks->start[chunks->colours] = filled;
  return true;
}

SlipStatus slipi_chunks_create(const SlipiGraph *graph, int32_t size, SlipiArena *arena,
                               SlipiChunks *chunks, SlipError *error) {
  int32_t nc = graph->nc, count = size > 0 && nc > size ? nc / size : 1;
  *chunks = (SlipiChunks){.nc = nc, .size = size, .count = count};
  chunks->list = SLIPI_ARENA_NEW(arena, int32_t, count);
  chunks->start = SLIPI_ARENA_NEW(arena, int32_t, COLOURS_MOST + 1);
  if (arena->failed)
    return slipi_fail_memory(error, "the chunks of a sweep");
  if (count == 1) {
    one_chunk(chunks);
    return SLIP_OK;
  }
  size_t marked = (size_t)(graph->groups > 0 ? graph->groups : nc);
  Marks marks = {.changed = SLIPI_ARENA_NEW(arena, uint32_t, marked)};
  marks.read = graph->groups > 0 ? marks.changed : SLIPI_ARENA_NEW(arena, uint32_t, marked);
  int8_t *colour = SLIPI_ARENA_NEW(arena, int8_t, count);
  if (arena->failed)
    return slipi_fail_memory(error, "the chunks of a sweep");
  if (!colour_all(graph, chunks, &marks, colour))
    one_chunk(chunks);
  return SLIP_OK;
}

typedef struct Visit {
  const SlipiChunks *chunks;
  void (*visit)(void *user, int pass, int32_t chunk);
  void *user;
} Visit;

static void visit_place(void *user, int pass, int32_t place) {
  const Visit *visit = user;
  visit->visit(visit->user, pass, visit->chunks->list[place]);
}

void slipi_chunks_each(const SlipiChunks *chunks, int passes, SlipiTeam *team,
                       void (*visit)(void *user, int pass, int32_t chunk), void *user) {
  Visit each = {chunks, visit, user};
  slipi_team_stages(team,
                    &(SlipiStages){chunks->start, chunks->colours, passes, visit_place, &each});
}
