/* H c over all processes, for a c that has normal components only, with the bits of one process:
 * who settles a body has the first chunk that touches it, so contacts of other processes come after
 * its own, and are added in the order of their numbers. */
#include <string.h>

#include "contact/bodies.h"
#include "mpi/part.h"

/* To who settles a body: one contact's part of H c, or the wish to know the whole. */
typedef struct Term {
  int64_t body;
  int32_t place; /* of the body where the whole is to go; -1: a contact's part */
  double x[SLIPI_BODY_MOST];
} Term;

static void put_term(SlipiRecords *terms, int32_t to, const Term *term) {
  if (terms->data) {
    memcpy(slipi_record(terms, terms->count), term, sizeof *term);
    terms->rank[terms->count] = to;
  }
  terms->count++;
}

/* The parts of the own contacts: at once into p where this process settles the body. */
static void list_terms(const SlipMpiProblem *part, const double *c, SlipiRecords *terms,
                       double *p) {
  const SlipProblem *problem = part->problem;
  int32_t d = part->d, n = part->n;
  terms->count = 0;
  for (int64_t k = 0; k < 2 * (int64_t)part->nc; k++) {
    int32_t body = problem->body[k];
    double normal = c[k / 2 * d];
    const double *block = problem->blocks + k * d * n; /* its first row is the normal's */
    if (body < 0 || normal == 0)
      continue;
    Term term = {.body = part->body[body], .place = -1};
    for (int32_t i = 0; i < n; i++)
      term.x[i] = block[i] * normal;
    if (part->settler[body] != part->rank)
      put_term(terms, part->settler[body], &term);
    for (int32_t i = 0; p && part->settler[body] == part->rank && i < n; i++)
      p[(int64_t)body * n + i] += term.x[i];
  }
  for (int32_t b = 0; b < part->nb; b++)
    if (part->settler[b] != part->rank)
      put_term(terms, part->settler[b], &(Term){.body = part->body[b], .place = b});
}

/* Add what has come, and answer with the sums. */
static void answer(const SlipMpiProblem *part, SlipiRecords *got, double *p) {
  size_t n = (size_t)part->n;
  for (int64_t k = 0; k < got->count; k++) {
    const Term *term = slipi_record(got, k);
    double *sum = p + n * (size_t)slipi_part_find_body(part, term->body);
    for (size_t i = 0; i < n && term->place < 0; i++)
      sum[i] += term->x[i];
  }
  for (int64_t k = 0; k < got->count; k++) {
    Term *term = slipi_record(got, k);
    memcpy(term->x, p + n * (size_t)slipi_part_find_body(part, term->body), n * sizeof *p);
  }
}

SlipStatus slipi_part_gather(void *user, const double *c, double *p, SlipError *error) {
  const SlipMpiProblem *part = user;
  size_t n = (size_t)part->n;
  SlipiRecords count = {.size = sizeof(Term)}, out, in = {0}, back = {0};
  memset(p, 0, (size_t)part->nb * n * sizeof *p);
  list_terms(part, c, &count, NULL);
  bool room = slipi_records_new(&out, count.count, sizeof(Term));
  SlipStatus status = slipi_mpi_agree(
      part->comm, room ? SLIP_OK : slipi_fail_memory(error, "the loads of bodies"), error);
  if (status == SLIP_OK) {
    list_terms(part, c, &out, p);
    status = slipi_mpi_route(part->comm, &out, &in, error);
  }
  if (status == SLIP_OK) {
    answer(part, &in, p);
    status = slipi_mpi_route(part->comm, &in, &back, error);
  }
  for (int64_t k = 0; k < back.count; k++) {
    const Term *term = slipi_record(&back, k);
    if (term->place >= 0)
      memcpy(p + n * (size_t)term->place, term->x, n * sizeof *p);
  }
  slipi_records_free(&out);
  slipi_records_free(&in);
  slipi_records_free(&back);
  return status;
}
