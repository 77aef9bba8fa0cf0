/* The surface of a mesh: faces that only one element has. */
#include <stdlib.h>
#include <string.h>

#include "fem/mesh.h"

typedef struct Side {
  int32_t corner[4]; /* ascending; -1 where there are fewer */
  int32_t element;
  int8_t face;
} Side;

static int compare_corners(const Side *a, const Side *b) {
  for (int k = 0; k < 4; k++) {
    if (a->corner[k] != b->corner[k])
      return a->corner[k] < b->corner[k] ? -1 : 1;
  }
  return 0;
}

static int compare_side(const void *a, const void *b) {
  const Side *p = a, *q = b;
  int order = compare_corners(p, q);
  if (order == 0)
    order = p->element < q->element ? -1 : p->element > q->element;
  return order != 0 ? order : p->face - q->face;
}

/* In the order of elements, whatever sorting did. */
static int compare_place(const void *a, const void *b) {
  const Side *p = a, *q = b;
  int order = p->element < q->element ? -1 : p->element > q->element;
  return order != 0 ? order : p->face - q->face;
}

static void make_side(const SlipiFemMesh *mesh, int32_t element, int face, Side *side) {
  const SlipiElementType *type = slipi_element_type((SlipiElementKind)mesh->kind[element]);
  *side = (Side){.corner = {-1, -1, -1, -1}, .element = element, .face = (int8_t)face};
  for (int a = 0; a < type->face_corners; a++) {
    int32_t node = mesh->node[mesh->first[element] + type->face[face][a]];
    int k = a;
    for (; k > 0 && side->corner[k - 1] > node; k--)
      side->corner[k] = side->corner[k - 1];
    side->corner[k] = node;
  }
}

static SlipStatus keep_sides(SlipiFemMesh *mesh, const Side *side, int64_t count,
                             SlipError *error) {
  SlipiArena *arena = &mesh->arena;
  mesh->face_first = SLIPI_ARENA_NEW(arena, int32_t, count + 1);
  mesh->face_node = SLIPI_ARENA_NEW(arena, int32_t, SLIPI_FACE_NODES * count);
  mesh->face_element = SLIPI_ARENA_NEW(arena, int32_t, count);
  if (arena->failed)
    return slipi_fail_memory(error, "the surface of a mesh");
  mesh->faces = (int32_t)count;
  int32_t used = 0;
  for (int64_t f = 0; f < count; f++) {
    const SlipiElementType *type =
        slipi_element_type((SlipiElementKind)mesh->kind[side[f].element]);
    for (int a = 0; a < type->face_nodes; a++)
      mesh->face_node[used++] =
          mesh->node[mesh->first[side[f].element] + type->face[side[f].face][a]];
    mesh->face_first[f + 1] = used;
    mesh->face_element[f] = side[f].element;
  }
  return SLIP_OK;
}

SlipStatus slipi_fem_surface(SlipiFemMesh *mesh, SlipError *error) {
  SlipiArena scratch = {0};
  Side *side = SLIPI_ARENA_RAW(&scratch, Side, 6 * (int64_t)mesh->elements);
  int64_t count = 0, kept = 0;
  if (!side)
    return slipi_fail_memory(error, "the surface of a mesh");
  for (int32_t e = 0; e < mesh->elements; e++)
    for (int f = 0; f < slipi_element_type((SlipiElementKind)mesh->kind[e])->faces; f++)
      make_side(mesh, e, f, &side[count++]);
  qsort(side, (size_t)count, sizeof *side, compare_side);
  SlipStatus status = SLIP_OK;
  for (int64_t k = 0; k < count && status == SLIP_OK;) {
    int64_t end = k + 1;
    while (end < count && compare_corners(&side[k], &side[end]) == 0)
      end++;
    if (end - k > 2)
      status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "elements %d, %d and %d share a face",
                          (int)side[k].element, (int)side[k + 1].element, (int)side[k + 2].element);
    if (end - k == 1)
      side[kept++] = side[k];
    k = end;
  }
  if (status == SLIP_OK) {
    qsort(side, (size_t)kept, sizeof *side, compare_place);
    status = keep_sides(mesh, side, kept, error);
  }
  slipi_arena_free(&scratch);
  return status;
}
