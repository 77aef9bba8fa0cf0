/* Which chunks touch which bodies, the colours that follow from it, and who sends what to whom. */
#include "mpi/part.h"

#include <stdlib.h>
#include <string.h>

#include "contact/bodies.h"

/* ---- Visits: chunks that touch a body ---- */

/* The bodies of one contact as groups of the contacts' graph (contact/graph.h): their places here,
 * each once; that after the last stands for none at all. */
static int contact_groups(const SlipMpiProblem *part, int32_t contact, int32_t group[2]) {
  int count = slipi_problem_contact_bodies(part->problem, contact, group);
  if (count == 0)
    group[0] = part->nb;
  return count == 0 ? 1 : count;
}

static int64_t local_chunk(const SlipMpiProblem *part, int32_t contact) {
  return slipi_layout_chunk(&part->layout, part->first_contact + contact);
}

/* With `visits` NULL they are only counted. `last` has a visit for each group. */
static int64_t list_visits(const SlipMpiProblem *part, int64_t *last, SlipiRecords *visits) {
  int64_t count = 0, begun = 0, chunk = -1;
  memset(last, -1, ((size_t)part->nb + 1) * sizeof *last);
  for (int32_t a = 0; a < part->nc; a++) {
    int32_t group[2];
    int groups = contact_groups(part, a, group);
    if (local_chunk(part, a) != chunk) {
      chunk = local_chunk(part, a);
      begun = count; /* visits before are of other chunks */
    }
    for (int k = 0; k < groups; k++) {
      if (last[group[k]] < begun) {
        last[group[k]] = count++;
        if (visits) {
          SlipiVisit visit = {.body = group[k] < part->nb ? part->body[group[k]] : part->bodies,
                              .chunk = chunk,
                              .rank = part->rank,
                              .place = group[k]};
          memcpy(slipi_record(visits, count - 1), &visit, sizeof visit);
          visits->rank[count - 1] = slipi_part_home(part, visit.body);
        }
      }
      if (visits)
        ((SlipiVisit *)slipi_record(visits, last[group[k]]))->contacts++;
    }
  }
  return count;
}

static int compare_visits(const void *a, const void *b) {
  const SlipiVisit *x = a, *y = b;
  if (x->body != y->body)
    return x->body < y->body ? -1 : 1;
  if (x->colour != y->colour)
    return x->colour < y->colour ? -1 : 1;
  return x->chunk < y->chunk ? -1 : x->chunk > y->chunk;
}

static SlipStatus gather_visits(SlipMpiProblem *part, SlipiRecords *home, SlipError *error) {
  SlipiRecords out = {0};
  int64_t *last = malloc(((size_t)part->nb + 1) * sizeof *last);
  bool room = last && slipi_records_new(&out, list_visits(part, last, NULL), sizeof(SlipiVisit));
  if (room)
    list_visits(part, last, &out);
  free(last);
  SlipStatus status = slipi_mpi_agree(
      part->comm, room ? SLIP_OK : slipi_fail_memory(error, "the graph of the chunks"), error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &out, home, error);
  slipi_records_free(&out);
  if (status != SLIP_OK)
    return status;
  if (home->count > 0)
    qsort(home->data, (size_t)home->count, home->size, compare_visits);
  part->visits = (SlipiVisit *)(void *)home->data;
  part->visit_count = home->count;
  return SLIP_OK;
}

/* After the visit k come others of its body, up to the one returned. */
static int64_t end_of_body(const SlipMpiProblem *part, int64_t k) {
  int64_t end = k;
  while (end < part->visit_count && part->visits[end].body == part->visits[k].body)
    end++;
  return end;
}

/* Contacts that a contact meets on the average: as slipi_graph_create counts them. */
static void find_degree(SlipMpiProblem *part) {
  int64_t sum = 0;
  for (int64_t k = 0, end; k < part->visit_count; k = end) {
    int64_t members = 0;
    end = end_of_body(part, k);
    for (int64_t j = k; j < end; j++)
      members += part->visits[j].contacts;
    sum += members * members;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, part->comm);
  part->degree = part->layout.contacts > 0 ? (double)sum / (double)part->layout.contacts : 0;
}

/* ---- Colours ---- */

/* Two chunks that touch a body, in either order. */
typedef struct Pair {
  int32_t chunk, other;
} Pair;

static int compare_pairs(const void *a, const void *b) {
  const Pair *x = a, *y = b;
  if (x->chunk != y->chunk)
    return x->chunk < y->chunk ? -1 : 1;
  return x->other < y->other ? -1 : x->other > y->other;
}

static int64_t keep_once(Pair *pairs, int64_t count) {
  int64_t kept = 0;
  if (count > 0)
    qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
  for (int64_t k = 0; k < count; k++)
    if (k == 0 || compare_pairs(&pairs[k], &pairs[k - 1]) != 0)
      pairs[kept++] = pairs[k];
  return kept;
}

/* The pairs of chunks at the bodies whose home is here; by malloc. *fits is false where a body is
 * touched by more chunks than there are colours. */
static Pair *list_pairs(const SlipMpiProblem *part, int64_t *count, bool *fits) {
  int64_t room = 0;
  *count = 0;
  *fits = true;
  for (int64_t k = 0, end; k < part->visit_count; k = end) {
    end = end_of_body(part, k);
    *fits = *fits && end - k <= SLIPI_COLOURS_MOST;
    room += *fits ? (end - k) * (end - k - 1) : 0;
  }
  Pair *pairs = malloc((size_t)room * sizeof *pairs + 1);
  for (int64_t k = 0, end; pairs && *fits && k < part->visit_count; k = end) {
    end = end_of_body(part, k);
    for (int64_t a = k; a < end; a++)
      for (int64_t b = k; b < end; b++)
        if (a != b)
          pairs[(*count)++] =
              (Pair){(int32_t)part->visits[a].chunk, (int32_t)part->visits[b].chunk};
  }
  if (pairs)
    *count = keep_once(pairs, *count);
  return pairs;
}

/* The pairs of all processes, on each of them: the graph of the chunks has a thousandth of the
 * contacts' entries. */
static SlipStatus gather_pairs(MPI_Comm comm, int ranks, Pair **pairs, int64_t *count,
                               SlipError *error) {
  int own = (int)*count, *counts = malloc(2 * (size_t)ranks * sizeof *counts);
  int64_t total = 0;
  SlipStatus status = counts && *pairs ? SLIP_OK : slipi_fail_memory(error, "the graph of chunks");
  status = slipi_mpi_agree(comm, status, error);
  if (status != SLIP_OK) {
    free(counts);
    return status;
  }
  MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, comm);
  for (int r = 0; r < ranks; r++) {
    counts[ranks + r] = (int)total;
    total += counts[r];
  }
  Pair *all = total <= INT32_MAX ? malloc((size_t)total * sizeof *all + 1) : NULL;
  status = slipi_mpi_agree(
      comm, all ? SLIP_OK : slipi_fail_memory(error, "the graph of the chunks"), error);
  if (status == SLIP_OK) {
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT32_T, &type);
    MPI_Type_commit(&type);
    MPI_Allgatherv(*pairs, own, type, all, counts, counts + ranks, type, comm);
    MPI_Type_free(&type);
    *count = keep_once(all, total);
  }
  free(counts);
  free(*pairs);
  *pairs = all;
  return status;
}

/* The colour of each chunk of the whole problem; by malloc. */
static SlipStatus find_colours(SlipMpiProblem *part, int8_t **colour, bool *fits,
                               SlipError *error) {
  int64_t count = 0, chunks = part->layout.chunks;
  Pair *pairs = list_pairs(part, &count, fits);
  *fits = slipi_mpi_all(part->comm, *fits);
  *colour = NULL;
  if (!*fits) {
    free(pairs);
    return SLIP_OK;
  }
  SlipStatus status = gather_pairs(part->comm, part->ranks, &pairs, &count, error);
  if (status != SLIP_OK) {
    free(pairs);
    return status;
  }
  int64_t *p = calloc((size_t)chunks + 1, sizeof *p);
  int32_t *j = malloc((size_t)count * sizeof *j + 1);
  *colour = malloc((size_t)chunks + 1);
  if (p && j && *colour) {
    for (int64_t k = 0; k < count; k++) {
      p[pairs[k].chunk + 1]++;
      j[k] = pairs[k].other;
    }
    for (int64_t c = 0; c < chunks; c++)
      p[c + 1] += p[c];
    *fits = slipi_chunks_colour(chunks, p, j, *colour);
  } else {
    status = slipi_fail_memory(error, "the colours of the chunks");
  }
  free(p);
  free(j);
  free(pairs);
  return slipi_mpi_agree(part->comm, status, error);
}

/* ---- Who sends what to whom ---- */

/* A message of a body's home to a process that touches it. */
typedef struct Edge {
  int32_t colour;     /* after which the process gets the body, or one of these: */
  int32_t place;      /* of the body there, or a chunk */
  int32_t rank, root; /* the process it gets it from, and the body's place there */
} Edge;
enum { SPREAD = -1, SETTLER = -2, BORDER = -3 };

static void put_edge(SlipiRecords *edges, int32_t to, Edge edge) {
  if (edges->data) {
    memcpy(slipi_record(edges, edges->count), &edge, sizeof edge);
    edges->rank[edges->count] = to;
  }
  edges->count++;
}

/* Whether the process of a visit comes first among those of its body. */
static bool is_first_of_rank(const SlipiVisit *visits, int64_t k) {
  for (int64_t j = 0; j < k; j++)
    if (visits[j].rank == visits[k].rank)
      return false;
  return true;
}

/* The chunks of one body, by colour. After each the body goes to the next one's process, where that
 * is another; the first comes after the last. */
static void body_edges(const SlipiVisit *visits, int64_t count, SlipiRecords *edges) {
  const SlipiVisit *last = &visits[count - 1], *lowest = visits;
  for (int64_t k = 0; k < count; k++)
    lowest = visits[k].chunk < lowest->chunk ? &visits[k] : lowest;
  for (int64_t k = 0; k < count; k++) {
    const SlipiVisit *visit = &visits[k], *next = &visits[(k + 1) % count];
    if (next->rank != visit->rank) {
      put_edge(edges, next->rank, (Edge){visit->colour, next->place, visit->rank, visit->place});
      put_edge(edges, visit->rank, (Edge){BORDER, (int32_t)visit->chunk, 0, 0});
    }
    if (!is_first_of_rank(visits, k))
      continue;
    put_edge(edges, visit->rank, (Edge){SETTLER, visit->place, lowest->rank, 0});
    if (visit->rank != last->rank)
      put_edge(edges, visit->rank, (Edge){SPREAD, visit->place, last->rank, last->place});
  }
}

static void list_edges(const SlipMpiProblem *part, SlipiRecords *edges) {
  edges->count = 0;
  for (int64_t k = 0, end; k < part->visit_count; k = end) {
    end = end_of_body(part, k);
    if (part->visits[k].body < part->bodies)
      body_edges(part->visits + k, end - k, edges);
  }
}

static SlipStatus send_edges(const SlipMpiProblem *part, SlipiRecords *got, SlipError *error) {
  SlipiRecords count = {.size = sizeof(Edge)}, out;
  list_edges(part, &count);
  bool room = slipi_records_new(&out, count.count, sizeof(Edge));
  SlipStatus status = slipi_mpi_agree(
      part->comm, room ? SLIP_OK : slipi_fail_memory(error, "the halos of bodies"), error);
  if (status == SLIP_OK) {
    list_edges(part, &out);
    status = slipi_mpi_route(part->comm, &out, got, error);
  }
  slipi_records_free(&out);
  return status;
}

/* The star forest of the edges of one colour. */
static bool make_forest(const SlipMpiProblem *part, const SlipiRecords *edges, int32_t colour,
                        PetscSF *forest) {
  PetscInt count = 0;
  for (int64_t k = 0; k < edges->count; k++)
    count += ((const Edge *)slipi_record(edges, k))->colour == colour;
  PetscInt *leaf = malloc((size_t)count * sizeof *leaf + 1);
  PetscSFNode *root = malloc((size_t)count * sizeof *root + 1);
  bool made = leaf && root;
  count = 0;
  for (int64_t k = 0; k < edges->count && made; k++) {
    const Edge *edge = slipi_record(edges, k);
    if (edge->colour != colour)
      continue;
    leaf[count] = edge->place;
    root[count++] = (PetscSFNode){.rank = edge->rank, .index = edge->root};
  }
  made = slipi_mpi_all(part->comm, made) && PetscSFCreate(part->comm, forest) == 0 &&
         PetscSFSetGraph(*forest, part->nb, count, leaf, PETSC_COPY_VALUES, root,
                         PETSC_COPY_VALUES) == 0 &&
         PetscSFSetUp(*forest) == 0;
  free(leaf);
  free(root);
  return made;
}

static SlipStatus make_halos(SlipMpiProblem *part, const SlipiRecords *edges, SlipError *error) {
  bool made = true;
  MPI_Type_contiguous(part->n, MPI_DOUBLE, &part->unit);
  MPI_Type_commit(&part->unit);
  part->has_unit = true;
  for (int32_t c = 0; c < part->chunks.colours && made; c++) {
    made = make_forest(part, edges, c, &part->halo[c]);
    part->halos = c + 1;
  }
  made = made && make_forest(part, edges, SPREAD, &part->spread);
  for (int32_t b = 0; b < part->nb; b++)
    part->settler[b] = part->rank; /* of bodies that nothing touches */
  for (int64_t k = 0; k < edges->count; k++) {
    const Edge *edge = slipi_record(edges, k);
    if (edge->colour == SETTLER)
      part->settler[edge->place] = edge->rank;
  }
  return made ? SLIP_OK : slipi_fail_memory(error, "the halos of bodies");
}

/* ---- The chunks of this process ---- */

/* Those of each colour that change a body of another process come first. */
static void sort_borders(SlipMpiProblem *part, const bool *border, int32_t *inner) {
  SlipiChunks *chunks = &part->chunks;
  for (int32_t c = 0; c < chunks->colours; c++) {
    int32_t place = chunks->start[c];
    for (int32_t k = place; k < chunks->start[c + 1]; k++) {
      int32_t chunk = chunks->list[k];
      if (!border[chunk])
        continue;
      memmove(chunks->list + place + 1, chunks->list + place,
              (size_t)(k - place) * sizeof *chunks->list);
      chunks->list[place++] = chunk;
    }
    inner[c] = place;
  }
  chunks->inner = inner;
}

static SlipStatus make_chunks(SlipMpiProblem *part, const int8_t *colour, SlipError *error) {
  const SlipiLayout *layout = &part->layout;
  int64_t from = slipi_layout_first_chunk(layout, part->rank);
  SlipiChunks *chunks = &part->chunks;
  *chunks =
      (SlipiChunks){.nc = part->nc,
                    .size = layout->size,
                    .count = (int32_t)(slipi_layout_first_chunk(layout, part->rank + 1) - from),
                    .many = layout->chunks > 1};
  for (int64_t c = 0; c < layout->chunks; c++)
    chunks->colours = colour[c] >= chunks->colours ? colour[c] + 1 : chunks->colours;
  chunks->list = SLIPI_ARENA_NEW(&part->arena, int32_t, chunks->count);
  chunks->start = SLIPI_ARENA_NEW(&part->arena, int32_t, SLIPI_COLOURS_MOST + 1);
  part->first = SLIPI_ARENA_NEW(&part->arena, int64_t, chunks->count);
  part->settler = SLIPI_ARENA_NEW(&part->arena, int32_t, part->nb);
  if (part->arena.failed)
    return slipi_fail_memory(error, "the chunks of a process");
  for (int32_t k = 0; k < chunks->count; k++)
    part->first[k] = (from + k) * layout->size;
  slipi_chunks_sort(chunks, colour + from);
  return SLIP_OK;
}

static SlipStatus finish_chunks(SlipMpiProblem *part, const SlipiRecords *edges, SlipError *error) {
  int64_t from = slipi_layout_first_chunk(&part->layout, part->rank);
  int32_t *inner = SLIPI_ARENA_NEW(&part->arena, int32_t, SLIPI_COLOURS_MOST + 1);
  bool *border = SLIPI_ARENA_NEW(&part->arena, bool, part->chunks.count);
  if (part->arena.failed)
    return slipi_fail_memory(error, "the chunks of a process");
  for (int64_t k = 0; k < edges->count; k++) {
    const Edge *edge = slipi_record(edges, k);
    if (edge->colour == BORDER)
      border[edge->place - from] = true;
  }
  sort_borders(part, border, inner);
  return SLIP_OK;
}

static SlipStatus connect_chunks(SlipMpiProblem *part, const int8_t *colour, SlipError *error) {
  SlipiRecords edges = {0};
  for (int64_t k = 0; k < part->visit_count; k++)
    part->visits[k].colour = (unsigned char)colour[part->visits[k].chunk]; /* not negative */
  if (part->visit_count > 0)
    qsort(part->visits, (size_t)part->visit_count, sizeof *part->visits, compare_visits);
  SlipStatus status = slipi_mpi_agree(part->comm, make_chunks(part, colour, error), error);
  if (status == SLIP_OK)
    status = send_edges(part, &edges, error);
  if (status == SLIP_OK)
    status = slipi_mpi_agree(part->comm, make_halos(part, &edges, error), error);
  if (status == SLIP_OK)
    status = slipi_mpi_agree(part->comm, finish_chunks(part, &edges, error), error);
  slipi_records_free(&edges);
  return status;
}

SlipStatus slipi_part_connect(SlipMpiProblem *part, bool *fits, SlipError *error) {
  SlipiRecords home = {0};
  int8_t *colour = NULL, one = 0;
  SlipStatus status = gather_visits(part, &home, error);
  *fits = true;
  if (status == SLIP_OK)
    find_degree(part);
  if (status == SLIP_OK && part->layout.chunks > 1)
    status = find_colours(part, &colour, fits, error);
  if (status == SLIP_OK && *fits)
    status = connect_chunks(part, colour ? colour : &one, error);
  free(colour);
  free(home.rank); /* the records stay as part->visits */
  if (!*fits || status != SLIP_OK) {
    free(home.data);
    part->visits = NULL;
    part->visit_count = 0;
  }
  return status;
}
