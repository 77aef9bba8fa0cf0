/* slipcone info: what a problem is like (paper 004, Table 5). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "library.h"
#include "output.h"

/* ---- Text --------------------------------------------------------------------------------- */

static void print_text(const char *label, const char *text) {
  if (text && *text)
    printf("  %-12s %s\n", label, text);
}

static void print_real(const char *label, double value, const char *remark) {
  if (isnan(value))
    printf("  %-12s unknown\n", label);
  else
    printf("  %-12s %.6g%s\n", label, value, remark);
}

static const char *held(const SlipFile *file) {
  if (file->has_local && file->has_global)
    return " (the file also holds the other form)";
  return "";
}

static void print_size(const SlipFile *file, const SlipFeatures *features) {
  printf("  %-12s %s%s\n", "form", cli_form_name(features->form), held(file));
  printf("  %-12s %" PRId32 "\n", "dimension", features->dimension);
  printf("  %-12s %" PRId32 "\n", "contacts", features->contacts);
  if (features->form == SLIP_GLOBAL) {
    printf("  %-12s %" PRId32 "\n", "dof", features->dof);
    print_real("density", features->density, " contact components per degree of freedom");
  }
  if (features->contacts == 0)
    return;
  if (features->mu_min == features->mu_max)
    printf("  %-12s %g\n", "mu", features->mu_min);
  else
    printf("  %-12s %g to %g\n", "mu", features->mu_min, features->mu_max);
}

static void print_matrix(const SlipFeatures *features) {
  const char *how = features->rank_exact ? "" : " (estimated)";
  printf("  %-12s %" PRId64 " in %" PRId64 " blocks\n", "non-zeros", features->nonzeros,
         features->blocks);
  print_real("|W|", features->norm, "");
  print_real("|W - W'|", features->asymmetry, "");
  if (features->rank < 0)
    printf("  %-12s unknown\n", "rank");
  else
    printf("  %-12s %" PRId64 " of %" PRId64 "%s\n", "rank", features->rank,
           (int64_t)features->dimension * features->contacts, how);
  print_real("condition", features->condition, "");
  print_real("LSMR cond.", features->condition_lsmr, " (estimated)");
}

static void print_info(const char *path, const SlipFile *file, const SlipFeatures *features) {
  printf("%s\n", path);
  print_text("title", file->title);
  print_text("description", file->description);
  print_text("notes", file->math_info);
  print_size(file, features);
  print_matrix(features);
  printf("  %-12s %s\n", "solution", file->solution ? "yes" : "no");
  printf("  %-12s %" PRId32 "\n", "guesses", file->guess_count);
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

static json_t *rank_json(const SlipFeatures *features) {
  return features->rank < 0 ? json_null() : json_integer(features->rank);
}

static int print_json(const char *path, const SlipFile *file, const SlipFeatures *features) {
  json_t *object =
      json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:i, s:i, s:i}", "file", cli_json_text(path),
                "form", cli_form_name(features->form), "forms", forms_json(file), "title",
                cli_json_text(file->title), "description", cli_json_text(file->description),
                "math_info", cli_json_text(file->math_info), "dimension", (int)features->dimension,
                "contacts", (int)features->contacts, "dof", (int)features->dof);
  json_t *numbers = json_pack(
      "{s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:b, s:i}", "mu_min",
      cli_json_real(features->mu_min), "mu_max", cli_json_real(features->mu_max), "density",
      cli_json_real(features->density), "nonzeros", (json_int_t)features->nonzeros, "blocks",
      (json_int_t)features->blocks, "norm", cli_json_real(features->norm), "asymmetry",
      cli_json_real(features->asymmetry), "rank", rank_json(features), "rank_exact",
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

/* ------------------------------------------------------------------------------------------- */

static int bad_file(const char *path, const SlipError *error, int json) {
  if (json)
    cli_json_print_error(path, error->text);
  return cli_complain_file(path, error->text);
}

static int describe(const char *path, SlipWantForm form, int json) {
  SlipError error;
  SlipFile *file = NULL;
  SlipFeatures features;
  if (slip_file_read(path, form, &file, &error))
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

int cli_run_info(const CliArgs *args) {
  SlipWantForm form;
  int worst = cli_form_wanted(args, &form);
  if (worst)
    return worst;
  int json = cli_args_value(args, "json") != NULL;
  for (int k = 0; k < args->operand_count && !cli_stdout_broken(); k++) {
    if (k > 0 && !json)
      putchar('\n');
    int code = describe(args->operands[k], form, json);
    worst = code > worst ? code : worst;
  }
  return worst;
}
