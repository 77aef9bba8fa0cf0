/* slipcone info: the features of a problem (Acary, Brémond, Huber 2018, Table 5). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slipcone/bench.h>

#include "command.h"
#include "library.h"
#include "output.h"

/* ---- Text --------------------------------------------------------------------------------- */

enum { LABEL = 12 };

/* A file's own text, its later lines under the first; other control characters, which could
 * upset a terminal, are shown as '?'. */
static void print_text(const char *label, const char *text) {
  if (!text || !*text)
    return;
  printf("  %-*s ", LABEL, label);
  for (; *text; text++)
    if (*text == '\n')
      printf("\n%*s", LABEL + 3, "");
    else
      putchar((unsigned char)*text < ' ' || *text == 127 ? '?' : *text);
  putchar('\n');
}

static void print_count(const char *label, int64_t count, const char *remark) {
  if (count < 0)
    printf("  %-*s unknown\n", LABEL, label);
  else
    printf("  %-*s %" PRId64 "%s\n", LABEL, label, count, remark);
}

static void print_real(const char *label, double value, const char *remark) {
  if (isnan(value))
    printf("  %-*s unknown\n", LABEL, label);
  else
    printf("  %-*s %.6g%s\n", LABEL, label, value, remark);
}

static const char *held(const SlipFile *file) {
  if (file->has_local && file->has_global)
    return " (the file also holds the other form)";
  return "";
}

static void print_size(const SlipFile *file, const SlipFeatures *features) {
  printf("  %-*s %s%s\n", LABEL, "form", cli_form_name(features->form), held(file));
  print_count("dimension", features->dimension, "");
  print_count("contacts", features->contacts, "");
  if (file->equalities > 0)
    print_count("equalities", file->equalities, " (bilateral contacts, the last ones)");
  if (features->form == SLIP_FORM_GLOBAL) {
    print_count("dof", features->dof, "");
    print_real("density", features->density, " contact components per degree of freedom");
  }
  if (features->contacts == 0)
    return;
  if (features->mu_min == features->mu_max)
    print_real("mu", features->mu_min, "");
  else
    printf("  %-*s %g to %g\n", LABEL, "mu", features->mu_min, features->mu_max);
}

static void print_matrix(const SlipFeatures *features) {
  char of[64];
  snprintf(of, sizeof of, " of %" PRId64 "%s", (int64_t)features->dimension * features->contacts,
           features->rank_exact ? "" : " (estimated)");
  print_count("non-zeros", features->nonzeros, "");
  print_count("blocks", features->blocks, "");
  print_real("|W|", features->norm, "");
  print_real("|W - W'|", features->asymmetry, "");
  print_count("rank", features->rank, of);
  print_real("condition", features->condition, features->rank_exact ? "" : " or more (estimated)");
  print_real("LSMR cond.", features->condition_lsmr, " (estimated)");
}

static void print_info(const char *path, const SlipFile *file, const SlipFeatures *features) {
  printf("%s\n", path);
  print_text("title", file->title);
  print_text("description", file->description);
  print_text("notes", file->math_info);
  print_size(file, features);
  print_matrix(features);
  printf("  %-*s %s\n", LABEL, "solution", file->solution ? "yes" : "no");
  print_count("guesses", file->guess_count, "");
}

/* ---- JSON --------------------------------------------------------------------------------- */

static json_t *forms_json(const SlipFile *file) {
  json_t *forms = json_array();
  if (file->has_local)
    json_array_append_new(forms, json_string("local"));
  if (file->has_global)
    json_array_append_new(forms, json_string("global"));
  return forms;
}

/* A count that is not known is -1. */
static json_t *count_json(int64_t count) {
  return count < 0 ? json_null() : json_integer(count);
}

static int print_json(const char *path, const SlipFile *file, const SlipFeatures *features) {
  json_t *object = json_pack(
      "{s:o, s:s, s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:i}", "file", cli_json_text(path), "form",
      cli_form_name(features->form), "forms", forms_json(file), "title", cli_json_text(file->title),
      "description", cli_json_text(file->description), "math_info", cli_json_text(file->math_info),
      "dimension", (int)features->dimension, "contacts", (int)features->contacts, "equalities",
      (int)file->equalities, "dof", (int)features->dof);
  json_t *numbers = json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:b, s:i}", "mu_min",
      cli_json_real(features->mu_min), "mu_max", cli_json_real(features->mu_max), "density",
      cli_json_real(features->density), "nonzeros", count_json(features->nonzeros), "blocks",
      count_json(features->blocks), "norm", cli_json_real(features->norm), "asymmetry",
      cli_json_real(features->asymmetry), "rank", count_json(features->rank), "rank_exact",
      features->rank_exact, "rank_ratio", cli_json_real(features->rank_ratio), "condition",
      cli_json_real(features->condition), "condition_lsmr", cli_json_real(features->condition_lsmr),
      "solution", file->solution != NULL, "guesses", (int)file->guess_count);
  if (!object || !numbers || json_object_update(object, numbers)) {
    json_decref(object);
    object = NULL;
  }
  json_decref(numbers);
  return cli_json_print(object);
}

/* ---- Families of problems (Table 5) ------------------------------------------------------- */

static void print_range(int width, SlipRange range, const char *format) {
  char low[32], high[32], both[72] = "-";
  snprintf(low, sizeof low, format, range.min);
  snprintf(high, sizeof high, format, range.max);
  if (!isnan(range.min))
    snprintf(both, sizeof both, strcmp(low, high) ? "%s:%s" : "%s", low, high);
  printf(" %-*s", width, both);
}

static void print_family(const SlipFamilyFeatures *row) {
  printf("%-20s %8" PRId32, row->family, row->problems);
  print_range(9, row->mu, "%.3g");
  print_range(13, row->dof, "%.0f");
  print_range(11, row->contacts, "%.0f");
  print_range(13, row->density, "%.3g");
  print_range(11, row->rank_ratio, "%.3g");
  print_range(17, row->condition, "%.1e");
  print_range(17, row->condition_lsmr, "%.1e");
  printf(" %.1e\n", row->asymmetry);
}

static json_t *range_json(SlipRange range) {
  return json_pack("[o, o]", cli_json_real(range.min), cli_json_real(range.max));
}

static int print_family_json(const SlipFamilyFeatures *row) {
  return cli_json_print(json_pack(
      "{s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "family", cli_json_text(row->family),
      "problems", (int)row->problems, "mu", range_json(row->mu), "dof", range_json(row->dof),
      "contacts", range_json(row->contacts), "density", range_json(row->density), "rank_ratio",
      range_json(row->rank_ratio), "condition", range_json(row->condition), "condition_lsmr",
      range_json(row->condition_lsmr), "asymmetry", cli_json_real(row->asymmetry)));
}

static int describe_folder(const char *path, int json) {
  SlipTable5 *table;
  SlipError error;
  if (slip_bench_table5(&path, 1, &table, &error))
    return cli_complain_file(path, error.text);
  int code = 0;
  if (!json)
    printf("%-20s %8s %-9s %-13s %-11s %-13s %-11s %-17s %-17s %s\n", "family", "problems", "mu",
           "dof", "contacts", "density", "rank ratio", "cond(W)", "cond(W) LSMR", "|W-W'|");
  for (int32_t k = 0; k < table->count; k++) {
    if (!json)
      print_family(&table->rows[k]);
    else if (print_family_json(&table->rows[k]))
      code = CLI_BAD;
  }
  slip_table5_free(table);
  return code;
}

/* ------------------------------------------------------------------------------------------- */

static int bad_file(const char *path, const SlipError *error, int json) {
  if (json)
    cli_json_print_error(path, error->text);
  return cli_complain_file(path, error->text);
}

static int describe(const char *path, SlipWantForm form, int json) {
  SlipError error;
  SlipFile *file = NULL;
  SlipFeatures features = slip_default_features();
  if (cli_file_read(path, form, &file, &error))
    return bad_file(path, &error, json);
  int code = 0;
  if (slip_problem_features(file->problem, &features, &error))
    code = bad_file(path, &error, json);
  else if (json)
    code = print_json(path, file, &features);
  else
    print_info(path, file, &features);
  slip_file_free(file);
  return code;
}

/* A folder of Matrix Market files is one problem; mu.mtx is in all of them. */
static int is_collection(const char *path) {
  char *mu = cli_format("%s/mu.mtx", path);
  int market = mu && access(mu, F_OK) == 0;
  free(mu);
  return !market && cli_is_directory(path);
}

int cli_run_info(const CliArgs *args) {
  SlipWantForm form;
  int worst = cli_form_wanted(args, &form);
  if (worst)
    return worst;
  int json = cli_args_value(args, "json") != NULL;
  for (int k = 0; k < args->operand_count && !cli_stdout_broken(); k++) {
    if (k > 0 && !json)
      putchar('\n');
    const char *path = args->operands[k];
    int code = is_collection(path) ? describe_folder(path, json) : describe(path, form, json);
    worst = code > worst ? code : worst;
  }
  return worst;
}
