/* Siconos text: the layout of siconos_text.c, matrices as CSparse prints of triplets, numbers in as
 * many digits as they need to read back the same. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "io/io.h"

typedef struct Text {
  char *bytes;
  size_t length, room;
  bool failed;
} Text;

static void add(Text *text, const char *format, ...) SLIPI_PRINTF(2, 3);

/* Lines are short: `most` bytes hold what is added at a time. */
static void add(Text *text, const char *format, ...) {
  enum { MOST = 256 };
  if (text->room - text->length < MOST) {
    size_t room = 2 * text->room + 64 * (size_t)MOST;
    char *larger = text->failed ? NULL : realloc(text->bytes, room);
    text->failed = !larger;
    if (!larger)
      return;
    text->bytes = larger;
    text->room = room;
  }
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text->bytes + text->length, MOST, format, arguments);
  va_end(arguments);
  text->length += length > 0 ? (size_t)length : 0;
}

/* By rows, as problems hold matrices. */
static void add_matrix(Text *text, const SlipMatrix *matrix) {
  enum { SPARSE = 2, TRIPLET = 1 };
  add(text, "%d\n%d\n%d\n%d\n", SPARSE, matrix->rows, matrix->cols, TRIPLET);
  add(text, "CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n");
  add(text, "triplet: %d-by-%d, nzmax: %lld nnz: %lld\n", matrix->rows, matrix->cols,
      (long long)matrix->nnz, (long long)matrix->nnz);
  for (int32_t row = 0; row < matrix->rows; row++)
    for (int32_t k = matrix->p[row]; k < matrix->p[row + 1]; k++) {
      char number[SLIPI_NUMBER_TEXT];
      add(text, "    %d %d : %s\n", row, matrix->i[k], slipi_number_text(matrix->x[k], number));
    }
}

static void add_vector(Text *text, const double *values, int64_t count) {
  for (int64_t k = 0; k < count; k++) {
    char number[SLIPI_NUMBER_TEXT];
    add(text, "%s ", slipi_number_text(values[k], number));
  }
  add(text, "\n");
}

/* The format knows mu and nothing else: no friction is mu = 0. */
static void add_mu(Text *text, const SlipLaws *laws, int32_t contacts) {
  for (int32_t a = 0; a < contacts; a++) {
    char number[SLIPI_NUMBER_TEXT];
    double mu = laws->kind[a] == SLIP_COULOMB ? laws->mu[a] : 0;
    add(text, "%s ", slipi_number_text(mu, number));
  }
  add(text, "\n");
}

static SlipStatus check(const SlipLaws *laws, int32_t contacts, const double *compliance,
                        SlipError *error) {
  for (int32_t a = 0; a < contacts; a++) {
    if (laws->kind[a] != SLIP_COULOMB && laws->kind[a] != SLIP_FRICTIONLESS)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "contact %d is %s, which Siconos text has no place for", (int)a,
                        slip_law_name(laws->kind[a]));
    if (laws->flow && laws->kind[a] == SLIP_COULOMB && laws->flow[a] != SLIP_FLOW_COULOMB)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "contact %d has an associated flow, which Siconos text has no place for",
                        (int)a);
  }
  return compliance ? slipi_fail(error, SLIP_ERROR_ARGUMENT,
                                 "the contacts have a compliance, which Siconos text has no place "
                                 "for")
                    : SLIP_OK;
}

static SlipStatus add_local(Text *text, const SlipProblem *problem, SlipError *error) {
  SlipLocalData data = slip_default_local_data();
  SlipStatus status = slip_problem_local_data(problem, &data, error);
  if (status == SLIP_OK)
    status = check(data.laws, data.contacts, data.compliance, error);
  if (status != SLIP_OK)
    return status;
  add(text, "%d\n%d\n", data.dimension, data.contacts);
  add_matrix(text, &data.W);
  add_vector(text, data.q, data.W.rows);
  add_mu(text, data.laws, data.contacts);
  return SLIP_OK;
}

static SlipStatus add_global(Text *text, const SlipProblem *problem, SlipError *error) {
  SlipGlobalData data = slip_default_global_data();
  SlipStatus status = slip_problem_global_data(problem, &data, error);
  if (status == SLIP_OK)
    status = check(data.laws, data.contacts, data.compliance, error);
  if (status != SLIP_OK)
    return status;
  add(text, "%d\n%d\n", data.dimension, data.contacts);
  add_matrix(text, &data.M);
  add_matrix(text, &data.H);
  add_vector(text, data.f, data.M.rows);
  add_vector(text, data.w, data.H.cols);
  add_mu(text, data.laws, data.contacts);
  return SLIP_OK;
}

SlipStatus slipi_siconos_image(const SlipWrite *content, void **image, size_t *size,
                               SlipError *error) {
  Text text = {0};
  SlipStatus status = slip_problem_form(content->problem) == SLIP_FORM_LOCAL
                          ? add_local(&text, content->problem, error)
                          : add_global(&text, content->problem, error);
  if (status == SLIP_OK && text.failed)
    status = slipi_fail_memory(error, "the file's text");
  if (status != SLIP_OK) {
    free(text.bytes);
    return status;
  }
  *image = text.bytes;
  *size = text.length;
  return SLIP_OK;
}
