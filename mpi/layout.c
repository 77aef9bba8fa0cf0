#include "mpi/part.h"

#include <stdlib.h>

SlipiLayout slipi_layout_one(int64_t contacts, int ranks) {
  return (SlipiLayout){
      .contacts = contacts, .chunks = 1, .size = (int32_t)contacts, .ranks = ranks};
}

SlipiLayout slipi_layout_of(int64_t contacts, int32_t chunk, int ranks) {
  if (contacts / chunk < 2)
    return slipi_layout_one(contacts, ranks);
  return (SlipiLayout){
      .contacts = contacts, .chunks = contacts / chunk, .size = chunk, .ranks = ranks};
}

SlipiLayout slipi_layout(int64_t contacts, int ranks) {
  return contacts < SLIPI_CHUNKS_FROM ? slipi_layout_one(contacts, ranks)
                                      : slipi_layout_of(contacts, SLIPI_CHUNK, ranks);
}

int64_t slip_mpi_first_contact(int64_t contacts, int rank, int ranks) {
  SlipiLayout layout = slipi_layout(contacts, ranks);
  return slipi_layout_first_contact(&layout, rank);
}

static int compare_numbers(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

int32_t slipi_part_find_body(const SlipMpiProblem *part, int64_t body) {
  const int64_t *found =
      bsearch(&body, part->body, (size_t)part->nb, sizeof *part->body, compare_numbers);
  return found ? (int32_t)(found - part->body) : -1;
}
