#include "contact/part.h"

#include <stdlib.h>
#include <string.h>

SlipStatus slipi_part_create(SlipiOperator *whole, SlipiArena *arena, SlipiPart *part,
                             SlipError *error) {
  part->whole = whole;
  SlipStatus status = slipi_operator_matrix(whole, &part->W, error);
  if (status == SLIP_OK)
    status = slipi_operator_new(&part->op, error);
  if (status != SLIP_OK)
    return status;
  part->contact = SLIPI_ARENA_NEW(arena, int32_t, whole->nc);
  part->place = SLIPI_ARENA_NEW(arena, int32_t, whole->nc);
  if (arena->failed)
    return slipi_fail_memory(error, "a part of a problem");
  for (int32_t a = 0; a < whole->nc; a++)
    part->place[a] = -1;
  return SLIP_OK;
}

void slipi_part_destroy(SlipiPart *part) {
  slipi_operator_free(part->op);
  slipi_arena_free(&part->arena);
  part->op = NULL;
}

static void clear_choice(SlipiPart *part) {
  for (int32_t k = 0; k < part->nc; k++)
    part->place[part->contact[k]] = -1;
}

static void set_size(SlipiPart *part, int32_t count) {
  part->nc = count;
  part->m = count * part->whole->d;
}

void slipi_part_take(SlipiPart *part, const bool *in) {
  int32_t count = 0;
  clear_choice(part);
  for (int32_t a = 0; a < part->whole->nc; a++) {
    if (!in[a])
      continue;
    part->place[a] = count;
    part->contact[count++] = a;
  }
  set_size(part, count);
}

void slipi_part_choose(SlipiPart *part, int32_t centre, int32_t size) {
  const SlipiBsr *W = part->W;
  int32_t count = 0;
  clear_choice(part);
  part->contact[count++] = centre;
  part->place[centre] = 0;
  for (int32_t seen = 0; seen < count && count < size; seen++) {
    int32_t a = part->contact[seen];
    for (int32_t k = W->p[a]; k < W->p[a + 1] && count < size; k++) {
      int32_t b = W->j[k];
      if (part->place[b] >= 0)
        continue;
      part->place[b] = count;
      part->contact[count++] = b;
    }
  }
  qsort(part->contact, (size_t)count, sizeof *part->contact, slipi_compare_index);
  for (int32_t k = 0; k < count; k++)
    part->place[part->contact[k]] = k;
  set_size(part, count);
}

static int64_t count_blocks(const SlipiPart *part) {
  const SlipiBsr *W = part->W;
  int64_t blocks = 0;
  for (int32_t a = 0; a < part->nc; a++) {
    for (int32_t k = W->p[part->contact[a]]; k < W->p[part->contact[a] + 1]; k++)
      blocks += part->place[W->j[k]] >= 0;
  }
  return blocks;
}

/* One row of blocks: those within the part into the matrix, at `at` and on; the others times r into
 * q. Returns where the next row begins. */
static int32_t fill_row(SlipiPart *part, int32_t a, int32_t at, const double *r) {
  const SlipiBsr *W = part->W;
  int32_t d = part->whole->d, row = part->contact[a], width = 0;
  SlipiCsr *to = &part->problem.W;
  double *q = part->q + (int64_t)a * d;
  for (int32_t k = W->p[row]; k < W->p[row + 1]; k++)
    width += part->place[W->j[k]] >= 0 ? d : 0;
  for (int32_t k = W->p[row], column = 0; k < W->p[row + 1]; k++) {
    int32_t b = part->place[W->j[k]];
    double block[9];
    slipi_operator_block(part->whole, row, k, block);
    for (int32_t i = 0; i < d; i++) {
      for (int32_t j = 0; j < d; j++) {
        if (b < 0) {
          q[i] += block[i * d + j] * r[(int64_t)W->j[k] * d + j];
        } else {
          to->i[at + i * width + column + j] = b * d + j;
          to->x[at + i * width + column + j] = block[i * d + j];
        }
      }
    }
    column += b < 0 ? 0 : d;
  }
  for (int32_t i = 0; i < d; i++)
    to->p[a * d + i + 1] = at + (i + 1) * width;
  return at + d * width;
}

SlipStatus slipi_part_fill(SlipiPart *part, const SlipiLaw *law, const double *q, const double *r,
                           SlipError *error) {
  SlipiArena *arena = &part->arena;
  int32_t d = part->whole->d, at = 0;
  int64_t entries = count_blocks(part) * d * d;
  if (entries > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%d contacts are too many for a part of a problem",
                      (int)part->nc);
  slipi_arena_reset(arena);
  part->problem = (SlipProblem){.form = SLIP_FORM_LOCAL, .d = d, .nc = part->nc, .m = part->m};
  part->problem.W = (SlipiCsr){.rows = part->m,
                               .cols = part->m,
                               .p = SLIPI_ARENA_NEW(arena, int32_t, part->m + 1),
                               .i = SLIPI_ARENA_RAW(arena, int32_t, entries),
                               .x = SLIPI_ARENA_RAW(arena, double, entries)};
  part->problem.law = SLIPI_ARENA_RAW(arena, SlipiLaw, part->nc);
  part->q = SLIPI_ARENA_RAW(arena, double, part->m);
  part->r = SLIPI_ARENA_RAW(arena, double, part->m);
  if (arena->failed)
    return slipi_fail_memory(error, "a part of a problem");
  for (int32_t a = 0; a < part->nc; a++) {
    int64_t from = (int64_t)part->contact[a] * d, to = (int64_t)a * d;
    part->problem.law[a] = law[part->contact[a]];
    memcpy(part->q + to, q + from, (size_t)d * sizeof *q);
    memcpy(part->r + to, r + from, (size_t)d * sizeof *r);
    at = fill_row(part, a, at, r);
  }
  return slipi_operator_set(part->op, &part->problem, NULL, SLIPI_OPERATOR_BLOCK, 1, error);
}

void slipi_part_put_back(const SlipiPart *part, double *r) {
  int32_t d = part->whole->d;
  for (int32_t a = 0; a < part->nc; a++)
    memcpy(r + (int64_t)part->contact[a] * d, part->r + (int64_t)a * d, (size_t)d * sizeof *r);
}
