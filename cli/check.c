/* slipcone check: does a problem have a solution? */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <slipcone/check.h>

#include "command.h"
#include "library.h"
#include "output.h"

enum { LABEL = 11, SHOWN = 3 };

static const char *answer_name(SlipAnswer answer) {
  return answer == SLIP_ANSWER_YES ? "yes" : answer == SLIP_ANSWER_NO ? "no" : "undecided";
}

static const char *status_name(SlipContactStatus status) {
  return status == SLIP_CONTACT_OPEN ? "open" : status == SLIP_CONTACT_STICK ? "stick" : "slip";
}

static const char *internal_text(SlipAnswer internal) {
  if (internal == SLIP_ANSWER_UNDECIDED)
    return "forces: undecided (--margin looks further)";
  return internal == SLIP_ANSWER_YES ? "forces: impulses in K are in balance without a load"
                                     : "forces: none, solutions are bounded";
}

/* ---- Text --------------------------------------------------------------------------------- */

static void print_margin(const SlipCheck *check) {
  if (check->margin_known && isinf(check->margin))
    printf("  %-*s no bound\n", LABEL, "margin");
  else if (check->margin_known)
    printf("  %-*s %.10g (w has size %.6g)\n", LABEL, "margin", check->margin, check->scale);
  if (check->v)
    printf("  %-*s v with a margin of %.6g after rounding\n", LABEL, "certificate",
           check->certified);
  if (check->r)
    printf("  %-*s r in K with w'r = %.6g and |H r| = %.2g, sum |r| = 1\n", LABEL, "certificate",
           check->work, check->imbalance);
}

static void print_found(const SlipCheck *check) {
  if (check->enumerated)
    printf("  %-*s %d, after %" PRId64 " combinations\n", LABEL, "solutions", check->found_count,
           check->nodes);
  for (int k = 0; k < check->found_count && k < SHOWN; k++) {
    const SlipFound *found = &check->found[k];
    int count[3] = {0};
    for (int32_t c = 0; c < check->contacts; c++)
      count[found->status[c]]++;
    printf("  %-*s %d: %d open, %d stick, %d slip%s", LABEL, "solution", k + 1,
           count[SLIP_CONTACT_OPEN], count[SLIP_CONTACT_STICK], count[SLIP_CONTACT_SLIP],
           found->continuum ? ", one of infinitely many" : "");
    for (int c = 0; check->contacts == 1 && c < check->dimension; c++)
      printf("%s%.9g%s", c ? ", " : "; r = (", found->r[c], c + 1 == check->dimension ? ")" : "");
    putchar('\n');
  }
  if (check->found_count > SHOWN)
    printf("  %-*s %d more (--json lists them)\n", LABEL, "", check->found_count - SHOWN);
}

static void print_check(const char *path, const SlipCheck *check) {
  printf("%s: %s\n", path, slip_verdict_name(check->verdict));
  printf("  %-*s %s, by %s\n", LABEL, "solution?", answer_name(check->answer),
         slip_check_ground_name(check->ground));
  printf("  %-*s %" PRId32 " %s in %dD", LABEL, "size", check->contacts,
         cli_plural(check->contacts, "contact", "contacts"), (int)check->dimension);
  if (check->dof > 0)
    printf(", %" PRId32 " %s of freedom", check->dof, cli_plural(check->dof, "degree", "degrees"));
  putchar('\n');
  print_margin(check);
  printf("  %-*s %s\n", LABEL, "internal", internal_text(check->internal));
  print_found(check);
  if (check->search > 0)
    printf("  %-*s %d steps\n", LABEL, "search", check->search);
  if (check->iterations > 0)
    printf("  %-*s %d, %.3g values in the factors\n", LABEL, "iterations", check->iterations,
           check->fill);
  printf("  %-*s %.3g s\n", LABEL, "time", check->seconds);
  printf("  %-*s %s\n", LABEL, "reason", check->reason);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static json_t *vector_json(const double *values, int64_t count) {
  if (!values)
    return json_null();
  json_t *array = json_array();
  for (int64_t k = 0; k < count; k++)
    json_array_append_new(array, cli_json_real(values[k]));
  return array;
}

static json_t *found_json(const SlipCheck *check) {
  json_t *list = json_array();
  int64_t m = (int64_t)check->dimension * check->contacts;
  for (int k = 0; k < check->found_count; k++) {
    const SlipFound *found = &check->found[k];
    json_t *status = json_array();
    for (int32_t c = 0; c < check->contacts; c++)
      json_array_append_new(status, json_string(status_name(found->status[c])));
    json_array_append_new(list, json_pack("{s:o, s:b, s:o, s:o}", "status", status, "continuum",
                                          found->continuum, "r", vector_json(found->r, m), "u",
                                          vector_json(found->u, m)));
  }
  return list;
}

static int print_json(const char *path, const SlipCheck *check) {
  int64_t m = (int64_t)check->dimension * check->contacts;
  int64_t n = check->dof > 0 ? check->dof : m;
  json_t *object = json_pack(
      "{s:o, s:s, s:s, s:s, s:s, s:i, s:i, s:i}", "file", cli_json_text(path), "verdict",
      slip_verdict_name(check->verdict), "solution_exists", answer_name(check->answer), "ground",
      slip_check_ground_name(check->ground), "reason", check->reason, "dimension",
      (int)check->dimension, "contacts", (int)check->contacts, "dof", (int)check->dof);
  json_t *more = json_pack(
      "{s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:o, s:o, s:b, s:b, s:I, s:s, s:o}",
      "margin", cli_json_real(check->margin_known ? check->margin : NAN), "margin_known",
      check->margin_known, "unbounded", check->margin_known && isinf(check->margin), "size",
      cli_json_real(check->scale), "certified", cli_json_real(check->certified), "v",
      vector_json(check->v, n), "r", vector_json(check->r, m), "work", cli_json_real(check->work),
      "imbalance", cli_json_real(check->imbalance), "search", check->search, "iterations",
      check->iterations, "fill", cli_json_real(check->fill), "seconds",
      cli_json_real(check->seconds), "mass_verified", check->mass_verified, "enumerated",
      check->enumerated, "nodes", (json_int_t)check->nodes, "internal_forces",
      answer_name(check->internal), "solutions", found_json(check));
  if (!object || !more || json_object_update(object, more)) {
    json_decref(object);
    object = NULL;
  }
  json_decref(more);
  return cli_json_print(object);
}

/* ------------------------------------------------------------------------------------------- */

static int read_options(const CliArgs *args, SlipCheckOptions *options) {
  const char *tol = cli_args_value(args, "tol"), *nodes = cli_args_value(args, "nodes");
  const char *limit = cli_args_value(args, "time-limit");
  uint64_t count = 0;
  *options = slip_default_check_options();
  options->margin = cli_args_value(args, "margin") != NULL;
  options->enumerate = cli_args_value(args, "enumerate") != NULL;
  options->mass = cli_args_value(args, "mass") != NULL;
  options->solve = cli_args_value(args, "no-solve") == NULL;
  if (tol && !cli_parse_real(tol, &options->tol))
    return cli_complain("--tol needs a number, not '%s'", tol);
  if (limit && !cli_parse_real(limit, &options->time_limit))
    return cli_complain("--time-limit needs a number, not '%s'", limit);
  if (nodes && (!cli_parse_uint64(nodes, &count) || count > INT64_MAX))
    return cli_complain("--nodes needs a whole number, not '%s'", nodes);
  if (nodes)
    options->nodes = (int64_t)count;
  return 0;
}

/* A global form says more, so it is read where a file holds both. */
static SlipStatus read_file(const char *path, SlipWantForm form, SlipFile **file,
                            SlipError *error) {
  SlipStatus status = cli_file_read(path, form, file, error);
  if (status || form != SLIP_WANT_ANY || !(*file)->has_global ||
      slip_problem_form((*file)->problem) == SLIP_FORM_GLOBAL)
    return status;
  slip_file_free(*file);
  return cli_file_read(path, SLIP_WANT_GLOBAL, file, error);
}

/* A stored solution, or else the first guess. */
static const double *stored(const SlipFile *file) {
  const SlipSolution *from = file->solution;
  if (!from && file->guess_count > 0)
    from = file->guesses[0];
  return from ? from->r : NULL;
}

static int check_file(const char *path, SlipWantForm form, SlipCheckOptions options, int json) {
  static const int codes[] = {[SLIP_ANSWER_YES] = CLI_SOLVED,
                              [SLIP_ANSWER_NO] = CLI_NONE,
                              [SLIP_ANSWER_UNDECIDED] = CLI_UNSOLVED};
  SlipError error;
  SlipFile *file = NULL;
  SlipCheck *check = NULL;
  SlipStatus status = read_file(path, form, &file, &error);
  if (!status) {
    options.r = stored(file);
    status = slip_check(file->problem, &options, &check, &error);
  }
  int code;
  if (status) {
    if (json)
      cli_json_print_error(path, error.text);
    code = cli_complain_file(path, error.text);
  } else {
    code = codes[check->answer];
    if (!json)
      print_check(path, check);
    else if (print_json(path, check))
      code = CLI_BAD;
  }
  slip_check_free(check);
  slip_file_free(file);
  return code;
}

/* Bad input, then no solution, then undecided. */
static int worse(int a, int b) {
  if (a == CLI_BAD || b == CLI_BAD)
    return CLI_BAD;
  return a > b ? a : b;
}

int cli_run_check(const CliArgs *args) {
  SlipWantForm form;
  SlipCheckOptions options = slip_default_check_options();
  int code = cli_form_wanted(args, &form);
  if (!code)
    code = read_options(args, &options);
  if (code)
    return code;
  int json = cli_args_value(args, "json") != NULL;
  for (int k = 0; k < args->operand_count && !cli_stdout_broken(); k++) {
    if (k > 0 && !json)
      putchar('\n');
    code = worse(code, check_file(args->operands[k], form, options, json));
  }
  return code;
}
