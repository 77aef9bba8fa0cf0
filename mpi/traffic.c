/* What parts send each other in a sweep, counted from the bodies and the chunks that touch them:
 * for the processes there are, or for any number of parts. */
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "mpi/part.h"

typedef struct Counts {
  int64_t *bytes, *ghosts; /* of each part */
  int64_t *messages;       /* source, colour and target as one number, each once */
  int64_t message_count, room;
} Counts;

static int part_of(const SlipMpiProblem *part, const SlipiVisit *visit, int32_t parts) {
  return slipi_layout_part(&part->layout, visit->chunk, parts);
}

static void count_body(const SlipMpiProblem *part, const SlipiVisit *visits, int64_t count,
                       int32_t parts, Counts *counts) {
  for (int64_t k = 0; k < count; k++) {
    int from = part_of(part, &visits[k], parts);
    int to = part_of(part, &visits[(k + 1) % count], parts);
    bool first = true, shared = false;
    for (int64_t j = 0; j < count; j++) {
      int other = part_of(part, &visits[j], parts);
      first = first && !(j < k && other == from);
      shared = shared || other != from;
    }
    counts->ghosts[from] += first && shared;
    if (from == to)
      continue;
    counts->bytes[from] += part->n * (int64_t)sizeof(double);
    counts->messages[counts->message_count++] =
        ((int64_t)from * SLIPI_COLOURS_MOST + visits[k].colour) * parts + to;
  }
}

static int compare_numbers(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

static int64_t keep_once(int64_t *list, int64_t count) {
  int64_t kept = 0;
  if (count > 0)
    qsort(list, (size_t)count, sizeof *list, compare_numbers);
  for (int64_t k = 0; k < count; k++)
    if (k == 0 || list[k] != list[k - 1])
      list[kept++] = list[k];
  return kept;
}

/* The messages of all homes, each once: where they meet is told by the number. */
static SlipStatus count_messages(const SlipMpiProblem *part, const Counts *counts, int32_t parts,
                                 int64_t *sent, SlipError *error) {
  SlipiRecords out, in = {0};
  bool room = slipi_records_new(&out, counts->message_count, sizeof(int64_t));
  for (int64_t k = 0; k < counts->message_count && room; k++) {
    memcpy(slipi_record(&out, k), &counts->messages[k], sizeof(int64_t));
    out.rank[k] = (int32_t)(counts->messages[k] % part->ranks);
  }
  SlipStatus status = slipi_mpi_agree(
      part->comm, room ? SLIP_OK : slipi_fail_memory(error, "the counts of messages"), error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(part->comm, &out, &in, error);
  int64_t kept = keep_once((int64_t *)(void *)in.data, in.count);
  for (int64_t k = 0; k < kept; k++) {
    int64_t message = *(const int64_t *)slipi_record(&in, k);
    sent[message / parts / SLIPI_COLOURS_MOST]++;
  }
  slipi_records_free(&out);
  slipi_records_free(&in);
  return status;
}

static int64_t largest(const int64_t *x, int32_t count) {
  int64_t most = 0;
  for (int32_t k = 0; k < count; k++)
    most = x[k] > most ? x[k] : most;
  return most;
}

static SlipStatus fill(const SlipMpiProblem *part, int32_t parts, Counts *counts, int64_t *sent,
                       SlipMpiTraffic *known, SlipError *error) {
  for (int64_t k = 0, end; k < part->visit_count; k = end) {
    for (end = k; end < part->visit_count && part->visits[end].body == part->visits[k].body;)
      end++;
    if (part->visits[k].body < part->bodies)
      count_body(part, part->visits + k, end - k, parts, counts);
  }
  counts->message_count = keep_once(counts->messages, counts->message_count);
  SlipStatus status = count_messages(part, counts, parts, sent, error);
  if (status != SLIP_OK)
    return status;
  int64_t *all[] = {counts->bytes, counts->ghosts, sent};
  for (int k = 0; k < 3; k++)
    MPI_Allreduce(MPI_IN_PLACE, all[k], parts, MPI_INT64_T, MPI_SUM, part->comm);
  known->parts = parts;
  known->chunks = part->layout.chunks;
  known->colours = part->chunks.colours;
  for (int32_t p = 0; p < parts; p++) {
    SlipiLayout layout = part->layout;
    layout.ranks = parts;
    int64_t own =
        slipi_layout_first_contact(&layout, p + 1) - slipi_layout_first_contact(&layout, p);
    known->contacts_most = own > known->contacts_most ? own : known->contacts_most;
    known->bytes_all += counts->bytes[p];
  }
  known->bytes_most = largest(counts->bytes, parts);
  known->ghosts_most = largest(counts->ghosts, parts);
  known->messages_most = largest(sent, parts);
  return SLIP_OK;
}

SlipStatus slip_mpi_problem_traffic(const SlipMpiProblem *problem, int32_t parts,
                                    SlipMpiTraffic *traffic, SlipError *error) {
  slipi_error_clear(error);
  if (!problem || !traffic || parts < 1)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "problem or traffic is null, or there is no part");
  if (problem->coupled)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "M couples degrees of freedom: the problem is not swept");
  SlipMpiTraffic known = slip_default_mpi_traffic();
  Counts counts = {.bytes = calloc((size_t)parts, sizeof(int64_t)),
                   .ghosts = calloc((size_t)parts, sizeof(int64_t)),
                   .messages = malloc((size_t)problem->visit_count * sizeof(int64_t) + 1)};
  int64_t *sent = calloc((size_t)parts, sizeof *sent);
  bool room = counts.bytes && counts.ghosts && counts.messages && sent;
  SlipStatus status = slipi_versioned_check("mpi_traffic", traffic, error);
  if (status == SLIP_OK && !room)
    status = slipi_fail_memory(error, "the counts of messages");
  status = slipi_mpi_agree(problem->comm, status, error);
  if (status == SLIP_OK)
    status = fill(problem, parts, &counts, sent, &known, error);
  if (status == SLIP_OK)
    slipi_versioned_write(&known, traffic, sizeof known);
  free(counts.bytes);
  free(counts.ghosts);
  free(counts.messages);
  free(sent);
  return status;
}
