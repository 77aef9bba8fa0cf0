/* slipcone solve. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipcone/check.h>

#include "command.h"
#include "history.h"
#include "library.h"
#include "output.h"
#include "progress.h"
#include "reading.h"
#include "targets.h"

/* One call of the command: its flags, and the files that are open while problems are solved. */
typedef struct Call {
  const CliArgs *args;
  SlipWantForm form;
  int json, warm_start, diagnose, table, quiet, verbose;
  SlipSettings *settings;
  double tol;
  char **targets;    /* NULL without --out */
  CliTextFile trace; /* stream NULL without --trace */
  const char *plot;  /* NULL without --plot */
  CliHistory history;
  int done, solved;
} Call;

/* ---- Settings ----------------------------------------------------------------------------- */

/* --set KEY=VALUE */
static SlipStatus set_pair(SlipSettings *settings, const char *pair, SlipError *error) {
  const char *equals = strchr(pair, '=');
  char *name = equals ? cli_format("%.*s", (int)(equals - pair), pair) : NULL;
  SlipStatus status;
  if (name) {
    status = slip_settings_set(settings, name, equals + 1, error);
  } else {
    status = error->status = equals ? SLIP_ERROR_MEMORY : SLIP_ERROR_ARGUMENT;
    snprintf(error->text, sizeof error->text, "%s",
             equals ? "no memory" : "KEY=VALUE is wanted, and there is no '='");
  }
  free(name);
  return status;
}

/* The options of a method, its own and then the common ones, up to NULL. */
static const char *option_name(int index, const void *user) {
  const SlipMethodInfo *method = user;
  int count = 0;
  const SlipOptionInfo *common = slip_common_options(&count);
  if (index < method->option_count)
    return method->options[index].name;
  index -= method->option_count;
  return index < count ? common[index].name : NULL;
}

/* Whether `pair` begins with the name of an option; otherwise the nearest and all are named. */
static int check_option(const SlipSettings *settings, const char *pair) {
  const SlipMethodInfo *method = slip_method_find(slip_settings_method(settings));
  int length = (int)strcspn(pair, "=");
  const char *name;
  for (int k = 0; (name = option_name(k, method)); k++)
    if ((int)strlen(name) == length && !strncmp(name, pair, (size_t)length))
      return 0;
  char near[96] = "", *given = cli_format("%.*s", length, pair), all[1024] = "";
  for (int k = 0; (name = option_name(k, method)); k++) {
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", name);
  }
  if (given)
    cli_suggestion(given, option_name, method, near, sizeof near);
  cli_complain("--set %s: method %s has no option '%s'%s\nIts options are %s.", pair, method->name,
               given ? given : "", *near ? near : ".", all);
  free(given);
  return CLI_BAD;
}

/* The flags that set options, in the order given, so that the last one counts. */
static int apply_flags(const CliArgs *args, SlipSettings *settings) {
  for (int k = 0; k < args->given_count; k++) {
    const CliGiven *given = &args->given[k];
    SlipError error;
    SlipStatus status = SLIP_OK;
    if (given->flag->kind == CLI_SETTING && strchr(given->value, '=') &&
        check_option(settings, given->value))
      return CLI_BAD;
    if (given->flag->kind == CLI_SETTING)
      status = set_pair(settings, given->value, &error);
    else if (!given->flag->help) /* named after a common option */
      status = slip_settings_set(settings, given->flag->name, given->value, &error);
    if (status)
      return cli_complain("--%s %s: %s", given->flag->name, given->value, error.text);
  }
  return 0;
}

static int read_settings(Call *call) {
  const char *method = cli_args_value(call->args, "method");
  SlipError error;
  if (method && !cli_find_method(method))
    return CLI_BAD;
  if (slip_settings_create(method, &call->settings, &error))
    return cli_complain("%s", error.text);
  if (apply_flags(call->args, call->settings))
    return CLI_BAD;
  if (slip_settings_get_real(call->settings, "tol", &call->tol, &error))
    return cli_complain("%s", error.text);
  return 0;
}

/* ---- Reports ------------------------------------------------------------------------------ */

/* The value of each option of the run. */
static void print_options(const SlipSettings *settings) {
  const SlipMethodInfo *method = slip_method_find(slip_settings_method(settings));
  int count = 0;
  const SlipOptionInfo *common = slip_common_options(&count);
  printf("  %-11s", "options");
  for (int k = 0; k < method->option_count + count; k++) {
    const SlipOptionInfo *option =
        k < method->option_count ? &method->options[k] : &common[k - method->option_count];
    char text[SLIP_NUMBER_TEXT];
    double value;
    if (slip_settings_get_real(settings, option->name, &value, NULL))
      continue;
    if (option->type == SLIP_OPTION_CHOICE)
      printf(" %s=%s", option->name, option->choices[(int)value]);
    else if (option->type == SLIP_OPTION_BOOL)
      printf(" %s=%s", option->name, value != 0 ? "on" : "off");
    else
      printf(" %s=%s", option->name, slip_number_text(value, text));
  }
  putchar('\n');
}

/* How many components of r the statuses leave free at least: all of a Coulomb contact that sticks,
 * and of another one that is closed the size of its impulse. */
static int64_t free_components(const SlipLaws *laws, const SlipResult *result) {
  int64_t count = 0;
  for (int32_t c = 0; c < result->contacts; c++) {
    int cone = !laws->kind || laws->kind[c] == SLIP_COULOMB;
    if (result->status[c] == SLIP_CONTACT_STICK && cone && laws->mu[c] > 0)
      count += result->dimension;
    else
      count += result->status[c] != SLIP_CONTACT_OPEN;
  }
  return count;
}

/* The rank of a local problem's W, which takes some milliseconds up to so many rows; -1: not known.
 */
static int64_t local_rank(const SlipProblem *problem, const SlipResult *result) {
  enum { ROWS_MOST = 300 };
  SlipFeatures features = slip_default_features();
  if (result->contacts * result->dimension > ROWS_MOST ||
      slip_problem_features(problem, &features, NULL) || !features.rank_exact)
    return -1;
  return features.rank;
}

/* W has at most as many dimensions as there are degrees of freedom: where the closed contacts have
 * more components, impulses can be exchanged among them and move nothing, and the statuses are
 * those of one solution of many. Without M the rank of W tells, where it is quickly found. */
static void print_uniqueness(const SlipProblem *problem, const SlipResult *result) {
  SlipGlobalData global = slip_default_global_data();
  SlipLocalData local = slip_default_local_data();
  const SlipLaws *laws = NULL;
  int64_t most = -1;
  if (result->outcome != SLIP_SOLVED)
    return;
  if (slip_problem_global_data(problem, &global, NULL) == SLIP_OK && !global.compliance) {
    laws = global.laws;
    most = result->dof;
  } else if (slip_problem_local_data(problem, &local, NULL) == SLIP_OK && !local.compliance) {
    laws = local.laws;
    most = local_rank(problem, result);
  }
  int64_t components = most >= 0 ? free_components(laws, result) : 0;
  if (most >= 0 && components > most)
    printf("  %-11s not unique: %" PRId64 " components of closed contacts, %s%" PRId64 "%s\n",
           "impulses", components, local.W.rows > 0 ? "W of rank " : "", most,
           local.W.rows > 0 ? "" : " degrees of freedom");
}

static void print_summary(const Call *call, const char *path, const SlipResult *result) {
  char tol[SLIP_NUMBER_TEXT];
  if (call->done > 0)
    putchar('\n');
  printf("%s: %s%s\n", path, slip_outcome_name(result->outcome),
         result->relaxed ? " (the convex relaxation, not Coulomb's law)" : "");
  printf("  %-11s %" PRId32 " %s in %dD", "size", result->contacts,
         cli_plural(result->contacts, "contact", "contacts"), (int)result->dimension);
  if (result->dof > 0)
    printf(", %" PRId32 " %s of freedom", result->dof,
           cli_plural(result->dof, "degree", "degrees"));
  printf("\n  %-11s %s\n", "method", result->method);
  printf("  %-11s %" PRId64 " in %.3g s, set up in %.3g s\n", "iterations", result->iterations,
         result->seconds, result->setup_seconds);
  printf("  %-11s %.3e%s (tol %s)\n", "error", result->residual,
         result->relaxed ? " of the relaxation" : "", slip_number_text(call->tol, tol));
  if (result->relaxed)
    printf("  %-11s %.3e, the error with Coulomb's law\n", "coulomb", result->coulomb_residual);
  if (call->tol < result->floor)
    printf("  %-11s %.3e, what rounding leaves of the error\n", "floor", result->floor);
  printf("  %-11s %" PRId32 " open, %" PRId32 " stick, %" PRId32 " slip\n", "contacts",
         result->open, result->stick, result->slip);
  if (call->verbose)
    print_options(call->settings);
  if (call->verbose)
    printf("  %-11s %.3e (bipotential)\n", "gap", result->gap);
  if ((result->outcome != SLIP_SOLVED || call->verbose) && result->reason)
    printf("  %-11s %s\n", "reason", result->reason);
}

/* One line for each contact. */
static void print_table(const SlipResult *result) {
  static const char *const names[] = {"open", "stick", "slip"};
  static const char *const heads[] = {"r_N", "r_T1", "r_T2", "u_N", "u_T1", "u_T2"};
  int d = (int)result->dimension;
  printf("  %8s %-6s", "contact", "status");
  for (int k = 0; k < 2 * d; k++)
    printf(" %13s", heads[k < d ? k : 3 + k - d]);
  printf(" %10s\n", "error");
  for (int32_t c = 0; c < result->contacts; c++) {
    int32_t status = result->status[c];
    printf("  %8" PRId32 " %-6s", c, status >= 0 && status < 3 ? names[status] : "?");
    for (int k = 0; k < d; k++)
      printf(" %13.6e", result->r[(size_t)d * (size_t)c + (size_t)k]);
    for (int k = 0; k < d; k++)
      printf(" %13.6e", result->u[(size_t)d * (size_t)c + (size_t)k]);
    printf(" %10.3e\n", result->contact_residual[c]);
  }
}

static int print_json(const Call *call, const char *path, const SlipResult *result) {
  SlipError error;
  char *name = cli_utf8(path), *text = NULL;
  if (!name)
    return cli_complain("no memory for a JSON object");
  int code = 0;
  if (slip_result_json(name, call->tol, result, &text, &error))
    code = cli_complain_file(path, error.text);
  else
    puts(text);
  slip_text_free(text);
  free(name);
  return code;
}

/* A field of a CSV file (RFC 4180). */
static void print_csv_text(FILE *stream, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, stream);
    return;
  }
  fputc('"', stream);
  for (; *text; text++) {
    if (*text == '"')
      fputc('"', stream);
    fputc(*text, stream);
  }
  fputc('"', stream);
}

static void print_trace(Call *call, const char *path, const SlipResult *result) {
  FILE *stream = call->trace.stream;
  for (int32_t k = 0; stream && k < result->trace_count; k++) {
    const SlipTracePoint *point = &result->trace[k];
    if (call->args->operand_count > 1) {
      print_csv_text(stream, path);
      fputc(',', stream);
    }
    fprintf(stream, "%" PRId64 ",%.17g,%.6f,", point->iteration, point->residual, point->seconds);
    if (k + 1 == result->trace_count && isfinite(result->physical)) /* of the result */
      fprintf(stream, "%.17g", result->physical);
    fputc('\n', stream);
  }
}

static int open_trace(Call *call) {
  const char *path = cli_args_value(call->args, "trace");
  if (!path)
    return 0;
  if (cli_text_open(&call->trace, path))
    return CLI_BAD;
  fprintf(call->trace.stream, "%siteration,error,seconds,physical\n",
          call->args->operand_count > 1 ? "file," : "");
  return 0;
}

/* ---- One file ----------------------------------------------------------------------------- */

static SlipStatus warm_start(const char *path, const SlipFile *file, SlipSolver *solver,
                             SlipError *error) {
  const SlipSolution *from = file->solution;
  if (!from && file->guess_count > 0)
    from = file->guesses[0];
  if (from)
    return slip_solver_warm_start(solver, from->r, error);
  cli_note("%s holds neither a solution nor a guess, so the run starts from 0", path);
  return SLIP_OK;
}

/* Without a solution where the run was ended before the velocity of any point was known. */
static int write_result(const char *target, const SlipFile *file, const SlipResult *result) {
  SlipError error;
  int known = isfinite(result->residual);
  SlipSolution solution = cli_solution_of(result);
  SlipWrite content = cli_write_content(file, file->problem, known ? &solution : NULL);
  if (slip_file_write(target, &content, &error))
    return cli_complain_file(target, error.text);
  return 0;
}

/* A run that ends without a solution may have met a problem that has none: check that, in about
 * the time the run has taken, as far as the time limit leaves it. The outcome becomes NO_SOLUTION
 * only where that is proved. */
static void diagnose(const Call *call, const SlipFile *file, SlipResult *result, char *reason,
                     size_t size) {
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *check;
  double limit = HUGE_VAL, taken = result->seconds + result->setup_seconds;
  slip_settings_get_real(call->settings, "time-limit", &limit, NULL);
  if (taken >= limit)
    return;
  options.solve = 0;
  options.enumerate = result->dimension == 2 || result->contacts == 1;
  options.nodes = 20000;
  options.time_limit = fmin(fmin(fmax(result->seconds, 1), 10), limit - taken);
  options.progress = cli_progress_silent;
  if (slip_check(file->problem, &options, &check, NULL))
    return;
  if (check->answer == SLIP_ANSWER_NO)
    result->outcome = SLIP_NO_SOLUTION;
  snprintf(reason, size, "%s%s%s (existence: %s)", result->reason ? result->reason : "",
           result->reason ? "; " : "", check->reason, slip_verdict_name(check->verdict));
  result->reason = reason;
  slip_check_free(check);
}

static int report(Call *call, int index, const SlipFile *file, const SlipResult *result) {
  const char *path = call->args->operands[index];
  int code = result->outcome == SLIP_SOLVED ? CLI_SOLVED : CLI_UNSOLVED;
  if (call->json && print_json(call, path, result))
    code = CLI_BAD;
  if (!call->json && !call->quiet)
    print_summary(call, path, result);
  if (!call->json && !call->quiet)
    print_uniqueness(file->problem, result);
  if (!call->json && call->table)
    print_table(result);
  call->done++;
  call->solved += result->outcome == SLIP_SOLVED;
  print_trace(call, path, result);
  if (call->plot && cli_history_add(&call->history, cli_base_name(path), result))
    code = CLI_BAD;
  if (!call->targets)
    return code;
  if (write_result(call->targets[index], file, result))
    return CLI_BAD;
  if (!call->json && !call->quiet)
    printf("  %-11s %s\n", "written to", call->targets[index]);
  return code;
}

static SlipStatus run(Call *call, const char *path, const SlipFile *file, SlipSolver **solver,
                      SlipError *error) {
  slip_settings_set_progress(call->settings, call->quiet ? cli_progress_silent : cli_progress_show,
                             (void *)cli_base_name(path));
  SlipStatus status = slip_solver_create(file->problem, call->settings, solver, error);
  if (!status && call->warm_start)
    status = warm_start(path, file, *solver, error);
  if (!status)
    status = slip_solver_run(*solver, error);
  cli_progress_clear();
  return status;
}

static int solve_file(Call *call, int index) {
  const char *path = call->args->operands[index];
  SlipError error;
  SlipFile *file = NULL;
  SlipSolver *solver = NULL;
  SlipStatus status = cli_reading_file(path, call->form, &file, &error);
  if (cli_reading_given_up())
    return CLI_UNSOLVED;
  if (!status)
    status = run(call, path, file, &solver, &error);
  int code;
  if (status) {
    if (call->json)
      cli_json_print_error(path, error.text);
    code = cli_complain_file(path, error.text);
  } else {
    char reason[3 * SLIP_ERROR_TEXT];
    SlipResult result = *slip_solver_result(solver);
    if (call->diagnose && result.outcome != SLIP_SOLVED && result.outcome != SLIP_INTERRUPTED &&
        result.outcome != SLIP_TIME_LIMIT)
      diagnose(call, file, &result, reason, sizeof reason);
    code = report(call, index, file, &result);
  }
  slip_solver_free(solver);
  slip_file_free(file);
  return code;
}

/* ---- All files ---------------------------------------------------------------------------- */

static int solve_all(Call *call) {
  int worst = CLI_SOLVED, count = call->args->operand_count, k;
  for (k = 0; k < count && !cli_progress_interrupted(); k++) {
    int code = solve_file(call, k);
    worst = code > worst ? code : worst;
    if (cli_reading_given_up())
      break;
    if (cli_stdout_broken())
      return CLI_BAD; /* nobody sees the rest; cli_finish says why */
  }
  if (k < count) {
    cli_note("interrupted; %d of %d files not tried", count - k, count);
    worst = worst > CLI_UNSOLVED ? worst : CLI_UNSOLVED;
  }
  if (count > 1 && !call->json && !call->quiet)
    printf("\n%d of %d files solved\n", call->solved, count);
  return worst;
}

static int prepare(Call *call) {
  int code = cli_form_wanted(call->args, &call->form);
  if (!code)
    code = read_settings(call);
  if (!code)
    code = cli_targets_plan(call->args, &call->targets);
  if (!code)
    code = open_trace(call);
  return code;
}

int cli_run_solve(const CliArgs *args) {
  Call call = {.args = args,
               .json = cli_args_value(args, "json") != NULL,
               .table = cli_args_value(args, "table") != NULL,
               .quiet = cli_args_value(args, "quiet") != NULL,
               .verbose = cli_args_value(args, "verbose") != NULL,
               .diagnose = cli_args_value(args, "no-diagnose") == NULL,
               .plot = cli_args_value(args, "plot"),
               .warm_start = cli_args_value(args, "warm-start") != NULL};
  if (call.quiet)
    cli_be_quiet();
  if (call.quiet && call.verbose)
    return cli_complain("--quiet and --verbose do not go together");
  if (call.json && call.table)
    return cli_complain("--json and --table do not go together");
  int code = prepare(&call);
  if (!code) {
    cli_progress_catch_interrupts();
    code = solve_all(&call);
    if (call.trace.stream && cli_text_commit(&call.trace))
      code = CLI_BAD;
    if (call.plot && cli_history_plot(&call.history, call.tol, call.plot))
      code = CLI_BAD;
  }
  cli_history_free(&call.history);
  cli_text_discard(&call.trace);
  cli_targets_free(call.targets, args->operand_count);
  slip_settings_free(call.settings);
  return code;
}
