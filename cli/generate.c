/* slipcone generate: the built-in problems. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipcone/generate.h>

#include "command.h"
#include "library.h"
#include "output.h"

static const char *kind_name(int index, const void *user) {
  (void)user;
  const SlipGenerateInfo *kind = slip_generate_info(index);
  return kind ? kind->name : NULL;
}

static const SlipGenerateInfo *find_kind(const char *name) {
  const SlipGenerateInfo *kind;
  for (int k = 0; (kind = slip_generate_info(k)); k++)
    if (!strcmp(kind->name, name))
      return kind;
  char near[96];
  cli_suggestion(name, kind_name, NULL, near, sizeof near);
  cli_complain("unknown kind '%s'%s", name,
               *near ? near : "; 'slipcone generate --list' names them");
  return NULL;
}

/* The command line that makes the problem again. */
static void command_line(const SlipGenerateInfo *kind, const SlipGenerate *options, char *text,
                         size_t size) {
  char number[SLIP_NUMBER_TEXT];
  int used = snprintf(text, size,
                      "slipcone generate %s --contacts %" PRId32 " --dimension %" PRId32
                      " --mu %s --seed %" PRIu64,
                      kind->name, options->contacts, options->dimension,
                      slip_number_text(options->mu, number), options->seed);
  const struct {
    const char *name;
    double value;
    int there;
  } more[] = {{"condition", options->condition, options->condition > 0},
              {"angle", options->angle, kind->takes & SLIP_TAKES_ANGLE},
              {"speed", options->speed, kind->takes & SLIP_TAKES_SPEED},
              {"gravity", options->gravity, kind->takes & SLIP_TAKES_GRAVITY}};
  for (size_t k = 0; k < sizeof more / sizeof more[0]; k++)
    if (more[k].there && used > 0 && (size_t)used < size)
      used += snprintf(text + used, size - (size_t)used, " --%s %s", more[k].name,
                       slip_number_text(more[k].value, number));
}

static int list_kinds(void) {
  const SlipGenerateInfo *kind;
  for (int k = 0; (kind = slip_generate_info(k)); k++) {
    SlipGenerate options = slip_default_generate();
    SlipError error;
    char text[512];
    if (slip_generate_defaults(kind->name, &options, &error))
      return cli_complain("%s", error.text);
    command_line(kind, &options, text, sizeof text);
    printf("%s\n  %s%s\n  %s\n", kind->name, kind->summary,
           kind->known_solution ? " (solution known)" : "", text);
  }
  return 0;
}

/* One flag into its field; 1 when its value is a number of the right kind. */
static int set_field(SlipGenerate *options, const char *name, const char *value) {
  if (!strcmp(name, "contacts"))
    return cli_parse_int32(value, &options->contacts);
  if (!strcmp(name, "dimension"))
    return cli_parse_int32(value, &options->dimension);
  if (!strcmp(name, "mu"))
    return cli_parse_real(value, &options->mu);
  if (!strcmp(name, "seed"))
    return cli_parse_uint64(value, &options->seed);
  if (!strcmp(name, "condition"))
    return cli_parse_real(value, &options->condition);
  if (!strcmp(name, "angle"))
    return cli_parse_real(value, &options->angle);
  if (!strcmp(name, "speed"))
    return cli_parse_real(value, &options->speed);
  if (!strcmp(name, "gravity"))
    return cli_parse_real(value, &options->gravity);
  return 1; /* --out and the switches */
}

static int read_options(const CliArgs *args, SlipGenerate *options) {
  for (int k = 0; k < args->given_count; k++) {
    const CliGiven *given = &args->given[k];
    if (given->value && !set_field(options, given->flag->name, given->value))
      return cli_complain("--%s needs a %s, not '%s'", given->flag->name,
                          given->flag->kind == CLI_WHOLE ? "whole number" : "number", given->value);
  }
  return 0;
}

/* u and v of the known r, in one block of memory that the caller frees. */
static SlipStatus complete_solution(const SlipProblem *problem, const double *r, double **memory,
                                    SlipSolution *solution, SlipError *error) {
  solution->contacts = slip_problem_contacts(problem);
  solution->dimension = slip_problem_dimension(problem);
  solution->dof = slip_problem_dof(problem);
  size_t components = (size_t)solution->contacts * (size_t)solution->dimension;
  double *u = calloc(components + (size_t)solution->dof + 1, sizeof *u);
  *memory = u;
  if (!u) {
    error->status = SLIP_ERROR_MEMORY;
    snprintf(error->text, sizeof error->text, "no memory for the solution");
    return error->status;
  }
  double *v = solution->dof > 0 ? u + components : NULL;
  solution->r = r;
  solution->u = u;
  solution->v = v;
  return slip_problem_velocity(problem, r, u, v, error);
}

static SlipStatus write_problem(const SlipGenerateInfo *kind, const SlipGenerate *options,
                                const char *path, SlipProblem *problem, const double *r,
                                SlipError *error) {
  char description[512];
  command_line(kind, options, description, sizeof description);
  double *memory = NULL;
  SlipSolution solution = slip_default_solution();
  SlipWrite content = slip_default_write();
  content.problem = problem;
  content.title = kind->name;
  content.description = description;
  content.format = cli_format_of(path);
  SlipStatus status = SLIP_OK;
  if (r && content.format == SLIP_FORMAT_FCLIB) { /* text has no place for a solution */
    status = complete_solution(problem, r, &memory, &solution, error);
    content.solution = &solution;
  }
  if (!status)
    status = slip_file_write(path, &content, error);
  free(memory);
  return status;
}

static int generate(const SlipGenerateInfo *kind, const SlipGenerate *options, const char *path) {
  SlipError error;
  SlipProblem *problem = NULL;
  double *r = NULL;
  SlipStatus status = slip_generate(kind->name, options, &problem, &r, &error);
  if (!status)
    status = write_problem(kind, options, path, problem, r, &error);
  int code = 0;
  if (status)
    code = cli_complain("%s: %s", kind->name, error.text);
  else
    printf("%s: %s, %s problem, %" PRId32 " %s in %dD%s\n", path, kind->name,
           cli_form_name(slip_problem_form(problem)), slip_problem_contacts(problem),
           cli_plural(slip_problem_contacts(problem), "contact", "contacts"),
           (int)slip_problem_dimension(problem), r ? ", with its solution" : "");
  slip_generate_free_r(r);
  slip_problem_free(problem);
  return code;
}

int cli_run_generate(const CliArgs *args) {
  if (cli_args_value(args, "list"))
    return list_kinds();
  const char *path = cli_args_value(args, "out");
  if (args->operand_count == 0)
    return cli_complain("name a kind to generate; 'slipcone generate --list' names them");
  const SlipGenerateInfo *kind = find_kind(args->operands[0]);
  if (!kind)
    return CLI_BAD;
  if (!path)
    return cli_complain("say where to write the problem with --out FILE");
  SlipGenerate options = slip_default_generate();
  SlipError error;
  if (slip_generate_defaults(kind->name, &options, &error))
    return cli_complain("%s", error.text);
  if (read_options(args, &options) || cli_check_target(path))
    return CLI_BAD;
  return generate(kind, &options, path);
}
