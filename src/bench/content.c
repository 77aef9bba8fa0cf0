/* The content of a problem as a fingerprint: rows of a results file belong to it, not to the name
 * of a file that may have changed since. */
#include <inttypes.h>

#include <slipcone/io.h>

#include "base/hash.h"
#include "bench/bench.h"

static uint64_t hash_matrix(uint64_t hash, const SlipMatrix *matrix) {
  hash = slipi_hash_word(hash, (uint32_t)matrix->rows);
  hash = slipi_hash_word(hash, (uint32_t)matrix->cols);
  hash = slipi_hash_ints(hash, matrix->p, (size_t)matrix->rows + 1); /* problems hold rows */
  hash = slipi_hash_ints(hash, matrix->i, (size_t)matrix->nnz);
  return slipi_hash_reals(hash, matrix->x, (size_t)matrix->nnz);
}

static uint64_t hash_laws(uint64_t hash, const SlipLaws *laws, int32_t contacts) {
  size_t count = (size_t)contacts;
  hash = slipi_hash_ints(hash, laws ? laws->kind : NULL, count);
  hash = slipi_hash_reals(hash, laws ? laws->mu : NULL, count);
  hash = slipi_hash_ints(hash, laws ? laws->flow : NULL, count);
  hash = slipi_hash_ints(hash, laws ? laws->bound : NULL, count);
  return slipi_hash_reals(hash, laws ? laws->radius : NULL, count);
}

static size_t compliance_length(const SlipProblem *problem) {
  size_t d = (size_t)slip_problem_dimension(problem);
  return d * d * (size_t)slip_problem_contacts(problem);
}

static uint64_t hash_local(uint64_t hash, const SlipProblem *problem) {
  SlipLocalData data = slip_default_local_data();
  if (slip_problem_local_data(problem, &data, NULL) != SLIP_OK)
    return hash;
  hash = hash_matrix(hash, &data.W);
  hash = slipi_hash_reals(hash, data.q, (size_t)data.W.rows);
  hash = slipi_hash_reals(hash, data.compliance, compliance_length(problem));
  return hash_laws(hash, data.laws, data.contacts);
}

static uint64_t hash_global(uint64_t hash, const SlipProblem *problem) {
  SlipGlobalData data = slip_default_global_data();
  if (slip_problem_global_data(problem, &data, NULL) != SLIP_OK)
    return hash;
  hash = hash_matrix(hash, &data.M);
  hash = hash_matrix(hash, &data.H);
  hash = slipi_hash_reals(hash, data.f, (size_t)data.M.rows);
  hash = slipi_hash_reals(hash, data.w, (size_t)data.H.cols);
  hash = slipi_hash_reals(hash, data.compliance, compliance_length(problem));
  return hash_laws(hash, data.laws, data.contacts);
}

uint64_t slipi_content_hash(const SlipProblem *problem) {
  bool local = slip_problem_form(problem) == SLIP_FORM_LOCAL;
  uint64_t hash = slipi_hash_word(0, local ? 0 : 1);
  hash = slipi_hash_word(hash, (uint32_t)slip_problem_dimension(problem));
  hash = slipi_hash_word(hash, (uint32_t)slip_problem_contacts(problem));
  return local ? hash_local(hash, problem) : hash_global(hash, problem);
}

void slipi_content_find(SlipiBenchProblem *problem) {
  SlipFile *file;
  if (problem->looked_at)
    return;
  problem->looked_at = true;
  SlipStatus status = slip_file_read(problem->path, SLIP_WANT_ANY, &file, NULL);
  problem->unreadable = status != SLIP_OK && status != SLIP_ERROR_MEMORY;
  if (status == SLIP_OK)
    snprintf(problem->content, sizeof problem->content, "%016" PRIx64,
             slipi_content_hash(file->problem));
  slip_file_free(file);
}
