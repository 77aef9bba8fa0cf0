/* Contact problems of single steps as FCLIB files: to be solved again, checked, or sent to a
 * colleague. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <slipcone/io.h>

#include "library.h"
#include "output.h"
#include "simrun.h"

/* ---- Flags -------------------------------------------------------------------------------------
 */

static int read_rule(const char *text, CliDump *dump) {
  static const struct {
    const char *name;
    CliDumpRule rule;
  } known[] = {{"every:", CLI_DUMP_EVERY}, {"hard:", CLI_DUMP_HARD}};
  int32_t number = 0;
  if (!strcmp(text, "failed"))
    return 0;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    size_t length = strlen(known[k].name);
    if (strncmp(text, known[k].name, length) != 0)
      continue;
    if (!cli_parse_int32(text + length, &number) || number < 1)
      return cli_complain("--dump %s: a whole number of at least 1 is wanted after '%s'", text,
                          known[k].name);
    dump->rule = known[k].rule;
    dump->number = number;
    return 0;
  }
  return cli_complain("--dump %s: every:N, hard:N or failed is wanted", text);
}

int cli_dump_begin(const CliArgs *args, CliDump *dump) {
  const char *rule = cli_args_value(args, "dump");
  dump->folder = cli_args_value(args, "dump-problems");
  if (rule && !dump->folder)
    return cli_complain("--dump needs --dump-problems DIR, the folder to write to");
  if (rule && read_rule(rule, dump))
    return CLI_BAD;
  if (dump->folder && !cli_is_directory(dump->folder) && mkdir(dump->folder, 0777) != 0)
    return cli_complain("%s cannot be made a folder", dump->folder);
  if (dump->rule == CLI_DUMP_HARD) {
    dump->hard = calloc((size_t)dump->number, sizeof *dump->hard);
    if (!dump->hard)
      return cli_complain("no memory for the %" PRId64 " hardest problems", dump->number);
  }
  return 0;
}

void cli_dump_free(CliDump *dump) {
  for (int64_t k = 0; k < dump->hard_count; k++)
    free(dump->hard[k].path);
  free(dump->hard);
  free(dump->failed);
}

/* ---- Files -------------------------------------------------------------------------------------
 */

static char *file_name(const CliDump *dump, const SlipStepInfo *info) {
  return cli_format("%s%s%s-step%06" PRId64 "-%" PRId32 ".hdf5", dump->folder ? dump->folder : "",
                    dump->folder ? "/" : "", dump->name, info->step, info->contacts);
}

/* What the solve of a step began from, as a guess: with it the file repeats the step, its time too.
 * The velocities are the caller's to free; NULL without impulses, or where M cannot be factored. */
static double *guess_of(const SlipSim *sim, SlipSolution *guess) {
  const SlipProblem *problem = slip_sim_problem(sim);
  const double *start = slip_sim_start(sim);
  int32_t contacts = slip_problem_contacts(problem), d = slip_problem_dimension(problem);
  bool some = false;
  for (int64_t k = 0; start && k < (int64_t)contacts * d; k++)
    some = some || start[k] != 0;
  double *u = some ? malloc((size_t)contacts * (size_t)d * sizeof *u) : NULL;
  SlipError error;
  if (u && slip_problem_velocity(problem, start, u, NULL, &error)) {
    free(u);
    u = NULL;
  }
  *guess = slip_default_solution();
  guess->contacts = contacts;
  guess->dimension = d;
  guess->r = start;
  guess->u = u;
  return u;
}

/* NULL after a complaint. */
static char *write_problem(CliDump *dump, const SlipSim *sim, const SlipStepInfo *info) {
  const SlipProblem *problem = slip_sim_problem(sim);
  const SlipResult *result = slip_sim_result(sim);
  char *path = file_name(dump, info);
  char *title = cli_format("%s, step %" PRId64, dump->name, info->step);
  char *about = cli_format("time %.9g, contact problem of one step", info->time);
  SlipSolution solution = slip_default_solution(), guess;
  const SlipSolution *guesses = &guess;
  double *u = guess_of(sim, &guess);
  SlipWrite content = slip_default_write();
  SlipError error;
  content.problem = problem;
  content.title = title;
  content.description = about;
  if (result && result->r && result->outcome == SLIP_SOLVED) {
    solution = cli_solution_of(result);
    content.solution = &solution;
  }
  if (u) {
    content.guesses = &guesses;
    content.guess_count = 1;
  }
  int failed = !path || !title || !about;
  if (failed)
    cli_complain("no memory to write a problem");
  else if (slip_file_write(path, &content, &error)) {
    failed = 1;
    cli_complain("%s", error.text);
  }
  free(title);
  free(about);
  free(u);
  if (failed) {
    free(path);
    return NULL;
  }
  dump->written++;
  return path;
}

/* Keep the hardest: the easiest of those kept makes room for a harder one. */
static int keep_hard(CliDump *dump, const SlipSim *sim, const SlipStepInfo *info) {
  double work = (double)info->iterations * info->contacts;
  int64_t least = 0;
  for (int64_t k = 1; k < dump->hard_count; k++)
    if (dump->hard[k].work < dump->hard[least].work)
      least = k;
  int full = dump->hard_count == dump->number;
  if (full && work <= dump->hard[least].work)
    return 0;
  char *path = write_problem(dump, sim, info);
  if (!path)
    return CLI_BAD;
  CliHard *place = full ? &dump->hard[least] : &dump->hard[dump->hard_count++];
  if (full && place->path) {
    remove(place->path);
    free(place->path);
    dump->written--;
  }
  place->work = work;
  place->path = path;
  return 0;
}

int cli_dump_step(CliDump *dump, const SlipSim *sim, const SlipStepInfo *info) {
  if (!slip_sim_problem(sim) || info->contacts == 0)
    return 0;
  if (info->outcome != SLIP_SOLVED) {
    free(dump->failed);
    dump->failed = write_problem(dump, sim, info);
    return dump->failed ? 0 : CLI_BAD;
  }
  if (!dump->folder || dump->rule == CLI_DUMP_FAILED)
    return 0;
  if (dump->rule == CLI_DUMP_HARD)
    return keep_hard(dump, sim, info);
  if (info->step % dump->number != 0)
    return 0;
  char *path = write_problem(dump, sim, info);
  free(path);
  return path ? 0 : CLI_BAD;
}
