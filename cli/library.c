#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

/* ---- Standard input ----------------------------------------------------------------------- */

/* All of it, kept until the tool ends, since a command may look at it twice. */
static SlipStatus read_input(const char **bytes, size_t *size, SlipError *error) {
  static char *content;
  static size_t length, room;
  while (!feof(stdin) && !ferror(stdin)) {
    if (length == room) {
      char *larger = realloc(content, 2 * room + (1 << 16));
      if (!larger) {
        error->status = SLIP_ERROR_MEMORY;
        snprintf(error->text, sizeof error->text, "no memory for standard input");
        return SLIP_ERROR_MEMORY;
      }
      content = larger;
      room = 2 * room + (1 << 16);
    }
    length += fread(content + length, 1, room - length, stdin);
  }
  *bytes = content;
  *size = length;
  return SLIP_OK;
}

SlipStatus cli_file_read(const char *path, SlipWantForm form, SlipFile **file, SlipError *error) {
  const char *bytes = NULL;
  size_t size = 0;
  if (strcmp(path, "-") != 0)
    return slip_file_read(path, form, file, error);
  *file = NULL;
  SlipStatus status = read_input(&bytes, &size, error);
  return status ? status : slip_file_read_memory("standard input", bytes, size, form, file, error);
}

/* ---- Names -------------------------------------------------------------------------------- */

static const char *method_name(int index, const void *user) {
  (void)user;
  const SlipMethodInfo *method = slip_method_info(index);
  return method ? method->name : NULL;
}

const SlipMethodInfo *cli_find_method(const char *name) {
  const SlipMethodInfo *method = slip_method_find(name);
  if (!method) {
    char near[96];
    cli_suggestion(name, method_name, NULL, near, sizeof near);
    cli_complain("unknown method '%s'%s", name, *near ? near : "; 'slipcone list' names them");
  }
  return method;
}

int cli_form_wanted(const CliArgs *args, SlipWantForm *form) {
  const char *text = cli_args_value(args, "form");
  if (!text)
    *form = SLIP_WANT_ANY;
  else if (!strcmp(text, "local"))
    *form = SLIP_WANT_LOCAL;
  else if (!strcmp(text, "global"))
    *form = SLIP_WANT_GLOBAL;
  else
    return cli_complain("--form must be local or global, not '%s'", text);
  return 0;
}

const char *cli_form_name(SlipForm form) {
  return form == SLIP_FORM_LOCAL ? "local" : form == SLIP_FORM_GLOBAL ? "global" : "bodies";
}

SlipSolution cli_solution_of(const SlipResult *result) {
  SlipSolution solution = slip_default_solution();
  solution.contacts = result->contacts;
  solution.dimension = result->dimension;
  solution.dof = result->v ? result->dof : 0;
  solution.r = result->r;
  solution.u = result->u;
  solution.v = result->v;
  return solution;
}

SlipFormat cli_format_of(const char *path) {
  size_t length = strlen(path);
  return length > 4 && !strcmp(path + length - 4, ".dat") ? SLIP_FORMAT_SICONOS : SLIP_FORMAT_FCLIB;
}

SlipWrite cli_write_content(const SlipFile *file, const SlipProblem *problem,
                            const SlipSolution *solution) {
  SlipWrite content = slip_default_write();
  content.problem = problem;
  content.title = file->title;
  content.description = file->description;
  content.math_info = file->math_info;
  content.solution = solution;
  content.guesses = file->guesses;
  content.guess_count = file->guess_count;
  return content;
}
