#include "contact/chunks.h"

#include <string.h>

#include "contact/graph.h"
#include "contact/share.h"

static void one_chunk(SlipiChunks *chunks) {
  chunks->size = chunks->nc;
  chunks->count = chunks->colours = 1;
  chunks->many = false;
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

static int first_free(uint32_t taken) {
  int colour = 0;
  while (taken >> colour & 1)
    colour++;
  return colour;
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
  int colour = first_free(taken);
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
  slipi_chunks_sort(chunks, colour);
  return true;
}

void slipi_chunks_sort(SlipiChunks *chunks, const int8_t *colour) {
  int32_t filled = 0;
  for (int32_t k = 0; k < chunks->colours; k++) {
    chunks->start[k] = filled;
    for (int32_t c = 0; c < chunks->count; c++) {
      if (colour[c] == k)
        chunks->list[filled++] = c;
    }
  }
  chunks->start[chunks->colours] = filled;
}

bool slipi_chunks_colour(int64_t count, const int64_t *p, const int32_t *j, int8_t *colour) {
  for (int64_t c = 0; c < count; c++) {
    uint32_t taken = 0;
    for (int64_t k = p[c]; k < p[c + 1]; k++)
      taken |= j[k] < c ? (uint32_t)1 << colour[j[k]] : 0;
    if (taken == UINT32_MAX)
      return false;
    colour[c] = (int8_t)first_free(taken);
  }
  return true;
}

SlipStatus slipi_chunks_create(const SlipiGraph *graph, int32_t size, SlipiArena *arena,
                               SlipiChunks *chunks, SlipError *error) {
  int32_t nc = graph->nc, count = size > 0 && nc > size ? nc / size : 1;
  *chunks = (SlipiChunks){.nc = nc, .size = size, .count = count, .many = count > 1};
  chunks->list = SLIPI_ARENA_NEW(arena, int32_t, count);
  chunks->start = SLIPI_ARENA_NEW(arena, int32_t, SLIPI_COLOURS_MOST + 1);
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

/* ---- Neighbours ---- */

/* Which places of the list touch each group; groups are touched by few. */
typedef struct Touches {
  int32_t *p, *place;
} Touches;

/* The places that touch a group, each once: `last` is the last one seen of each group. Returns how
 * many there are; where there is room for them, p[g + 1] is the next place of group g. */
static int64_t note_touches(const SlipiGraph *graph, const SlipiChunks *chunks, int32_t *last,
                            Touches *touches) {
  int64_t count = 0;
  memset(last, 0, (size_t)graph->groups * sizeof *last);
  for (int32_t place = 0; place < chunks->count; place++) {
    int32_t first = slipi_chunk_first(chunks, chunks->list[place]);
    int32_t end = slipi_chunk_end(chunks, chunks->list[place]);
    for (int32_t k = graph->p[first]; k < graph->p[end]; k++) {
      int32_t group = graph->j[k];
      if (last[group] == place + 1)
        continue;
      last[group] = place + 1;
      count++;
      if (touches->place)
        touches->place[touches->p[group + 1]++] = place;
      else
        touches->p[group + 2]++;
    }
  }
  return count;
}

/* The places that share a group with one, itself among them; returns their number. */
static int32_t note_near(const SlipiGraph *graph, const SlipiChunks *chunks, const Touches *touches,
                         int32_t place, int32_t *seen, int32_t *near) {
  int32_t first = slipi_chunk_first(chunks, chunks->list[place]), count = 0;
  int32_t end = slipi_chunk_end(chunks, chunks->list[place]);
  for (int32_t k = graph->p[first]; k < graph->p[end]; k++) {
    int32_t group = graph->j[k];
    for (int32_t i = touches->p[group]; i < touches->p[group + 1]; i++) {
      int32_t other = touches->place[i];
      if (seen[other] == place + 1)
        continue;
      seen[other] = place + 1;
      if (near)
        near[count] = other;
      count++;
    }
  }
  return count;
}

SlipStatus slipi_chunks_link(const SlipiGraph *graph, SlipiArena *arena, SlipiChunks *chunks,
                             SlipError *error) {
  if (!chunks->many || graph->groups == 0)
    return SLIP_OK;
  int32_t *last = SLIPI_ARENA_NEW(arena, int32_t, graph->groups);
  int32_t *seen = SLIPI_ARENA_NEW(arena, int32_t, chunks->count);
  int32_t *near_p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)chunks->count + 1), *near = NULL;
  Touches touches = {.p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)graph->groups + 2)};
  _Atomic int32_t *done = SLIPI_ARENA_NEW(arena, _Atomic int32_t, chunks->count);
  if (arena->failed)
    return slipi_fail_memory(error, "the chunks of a sweep");
  int32_t *place = SLIPI_ARENA_NEW(arena, int32_t, note_touches(graph, chunks, last, &touches));
  for (int32_t g = 0; g < graph->groups; g++)
    touches.p[g + 2] += touches.p[g + 1];
  touches.place = place;
  if (!place)
    return slipi_fail_memory(error, "the chunks of a sweep");
  note_touches(graph, chunks, last, &touches);
  for (int pass = 0; pass < 2; pass++) { /* count, then fill */
    memset(seen, 0, (size_t)chunks->count * sizeof *seen);
    for (int32_t k = 0; k < chunks->count; k++)
      near_p[k + 1] =
          near_p[k] + note_near(graph, chunks, &touches, k, seen, near ? near + near_p[k] : NULL);
    if (pass == 0 && !(near = SLIPI_ARENA_NEW(arena, int32_t, near_p[chunks->count])))
      return slipi_fail_memory(error, "the chunks of a sweep");
  }
  chunks->near = (SlipiNear){near_p, near, done};
  return SLIP_OK;
}

/* ---- Visits ---- */

typedef struct Visit {
  const SlipiChunks *chunks;
  void (*visit)(void *user, int pass, int32_t chunk);
  void *user;
} Visit;

static void visit_place(void *user, int pass, int32_t place) {
  const Visit *visit = user;
  visit->visit(visit->user, pass, visit->chunks->list[place]);
}

typedef struct Part {
  Visit *each;
  int pass;
  int32_t first; /* place */
} Part;

static void visit_part(void *user, int32_t k) {
  const Part *part = user;
  visit_place(part->each, part->pass, part->first + k);
}

/* Chunks whose bodies others wait for come first: what they have changed is on its way while the
 * inner ones are worked through. */
static void share_colour(const SlipiChunks *chunks, int32_t colour, int pass,
                         const SlipiWorkers *workers, Visit *each) {
  const SlipiShare *share = workers->share;
  int32_t bounds[3] = {chunks->start[colour], chunks->inner[colour], chunks->start[colour + 1]};
  for (int k = 0; k < 2; k++) {
    Part part = {each, pass, bounds[k]};
    slipi_team_each(workers->team, bounds[k + 1] - bounds[k], visit_part, &part);
    if (k == 0)
      share->begin(share->user, colour, workers->z);
    else
      share->end(share->user, colour, workers->z);
  }
}

void slipi_chunks_each(const SlipiChunks *chunks, int passes, const SlipiWorkers *workers,
                       void (*visit)(void *user, int pass, int32_t chunk), void *user) {
  Visit each = {chunks, visit, user};
  if (!workers->share) {
    slipi_team_stages(workers->team,
                      &(SlipiStages){chunks->start, chunks->colours, passes, visit_place, &each,
                                     chunks->near.near ? &chunks->near : NULL});
    return;
  }
  for (int pass = 0; pass < passes; pass++)
    for (int32_t colour = 0; colour < chunks->colours; colour++)
      share_colour(chunks, colour, pass, workers, &each);
}
