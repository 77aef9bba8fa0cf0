/* slipcone convert: any format that can be read to FCLIB HDF5 or Siconos text. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "library.h"
#include "output.h"

static int check_paths(const char *from, const char *to) {
  if (cli_same_file(from, to))
    return cli_complain("%s would be written over, and it is the input", to);
  return cli_check_target(to);
}

/* Without its v, which a local problem has no place for; r and u are those of the local form. */
static SlipSolution without_v(const SlipSolution *given) {
  SlipSolution solution = *given;
  solution.dof = 0;
  solution.v = NULL;
  return solution;
}

/* Solutions and the pointers to them that SlipWrite takes. */
typedef struct Guesses {
  SlipSolution *items;
  const SlipSolution **places;
} Guesses;

static void free_guesses(Guesses *guesses) {
  free(guesses->items);
  free(guesses->places);
}

static int local_guesses(const SlipFile *file, Guesses *guesses) {
  size_t count = (size_t)file->guess_count;
  guesses->items = calloc(count + 1, sizeof *guesses->items);
  guesses->places = calloc(count + 1, sizeof(SlipSolution *));
  if (!guesses->items || !guesses->places)
    return cli_complain("no memory to reduce the problem");
  for (size_t k = 0; k < count; k++) {
    guesses->items[k] = without_v(file->guesses[k]);
    guesses->places[k] = &guesses->items[k];
  }
  return 0;
}

static int write_reduced(const char *to, const SlipFile *file) {
  SlipError error;
  SlipProblem *local = NULL;
  SlipSolution solution = slip_default_solution();
  if (file->solution)
    solution = without_v(file->solution);
  Guesses guesses = {0};
  int code = local_guesses(file, &guesses);
  if (!code && slip_problem_reduce(file->problem, &local, &error))
    code = cli_complain_file(to, error.text);
  if (!code) {
    SlipWrite content = cli_write_content(file, local, file->solution ? &solution : NULL);
    content.guesses = guesses.places;
    content.format = cli_format_of(to);
    if (slip_file_write(to, &content, &error))
      code = cli_complain_file(to, error.text);
  }
  free_guesses(&guesses);
  slip_problem_free(local);
  return code;
}

static int write_same(const char *to, const SlipFile *file) {
  SlipError error;
  SlipWrite content = cli_write_content(file, file->problem, file->solution);
  content.format = cli_format_of(to);
  if (slip_file_write(to, &content, &error))
    return cli_complain_file(to, error.text);
  return 0;
}

static int convert(const char *from, const char *to, SlipWantForm form, int reduce) {
  SlipError error;
  SlipFile *file = NULL;
  if (cli_file_read(from, form, &file, &error))
    return cli_complain_file(from, error.text);
  if (form == SLIP_WANT_ANY && file->has_local && file->has_global)
    cli_note("%s holds both forms; the local one is written (--form global for the other)", from);
  if (cli_format_of(to) == SLIP_FORMAT_SICONOS &&
      (file->solution || file->guess_count > 0 || file->title || file->description))
    cli_note("%s holds more than Siconos text can: only the problem is written", from);
  int code = reduce ? write_reduced(to, file) : write_same(to, file);
  slip_file_free(file);
  return code;
}

int cli_run_convert(const CliArgs *args) {
  SlipWantForm form;
  if (cli_form_wanted(args, &form))
    return CLI_BAD;
  int reduce = cli_args_value(args, "reduce") != NULL;
  if (reduce && form == SLIP_WANT_LOCAL)
    return cli_complain(
        "--reduce starts from the global form, so --form local does not go with it");
  if (reduce)
    form = SLIP_WANT_GLOBAL;
  const char *from = args->operands[0], *to = args->operands[1];
  int code = check_paths(from, to);
  return code ? code : convert(from, to, form, reduce);
}
