/* slipcone view: a trajectory, or a problem and its solution, as a page to look at. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <slipcone/io.h>
#include <slipcone/record.h>

#include "command.h"
#include "library.h"
#include "output.h"

static int read_whole(const CliArgs *args, const char *flag, int32_t least, int64_t *value) {
  const char *text = cli_args_value(args, flag);
  int32_t number = 0;
  if (text && (!cli_parse_int32(text, &number) || number < least))
    return cli_complain("--%s %s: a whole number of at least %d is wanted", flag, text, least);
  if (text)
    *value = number;
  return 0;
}

static void say_done(const CliArgs *args, const char *out, const char *content) {
  struct stat about;
  double size = stat(out, &about) == 0 ? (double)about.st_size : 0;
  printf("%s: %s, %.3g MB; open %s in a browser\n", args->operands[0], content, 1e-6 * size, out);
}

static int view_trajectory(const CliArgs *args, SlipTrajectory *trajectory, const char *out) {
  SlipPageDef def = slip_default_page_def();
  const SlipTrajectoryInfo *info = slip_trajectory_info(trajectory);
  SlipError error;
  def.title = cli_base_name(args->operands[0]);
  if (read_whole(args, "every", 1, &def.every) || read_whole(args, "contacts", 0, &def.contacts))
    return CLI_BAD;
  if (slip_trajectory_page(trajectory, &def, out, &error))
    return cli_complain("%s", error.text);
  int64_t frames = (info->frames - 1) / def.every + 1;
  char *content = cli_format("%" PRId32 " %s, %" PRId64 " %s", info->bodies,
                             cli_plural(info->bodies, "body", "bodies"), frames,
                             cli_plural(frames, "frame", "frames"));
  say_done(args, out, content ? content : "done");
  free(content);
  return 0;
}

/* ---- Problems ---------------------------------------------------------------------------------
 */

static int write_problem(const CliArgs *args, const SlipFile *file, const double *r,
                         const char *out) {
  SlipError error;
  const char *title = file->title && *file->title ? file->title : cli_base_name(args->operands[0]);
  if (slip_problem_page(file->problem, r, title, out, &error))
    return cli_complain("%s", error.text);
  int32_t contacts = slip_problem_contacts(file->problem);
  char *content =
      cli_format("%" PRId32 " %s", contacts, cli_plural(contacts, "contact", "contacts"));
  say_done(args, out, content ? content : "done");
  free(content);
  return 0;
}

static int solve_and_write(const CliArgs *args, const SlipFile *file, const char *out) {
  SlipSettings *settings = NULL;
  SlipSolver *solver = NULL;
  SlipError error;
  const char *tol = cli_args_value(args, "tol");
  SlipStatus status = slip_settings_create("auto", &settings, &error);
  if (status == SLIP_OK && tol)
    status = slip_settings_set(settings, "tol", tol, &error);
  if (status == SLIP_OK)
    status = slip_solver_create(file->problem, settings, &solver, &error);
  if (status == SLIP_OK)
    status = slip_solver_run(solver, &error);
  int code = status == SLIP_OK ? write_problem(args, file, slip_solver_result(solver)->r, out)
                               : cli_complain("%s", error.text);
  slip_solver_free(solver);
  slip_settings_free(settings);
  return code;
}

static int view_problem(const CliArgs *args, const char *out) {
  SlipFile *file = NULL;
  SlipError error;
  SlipWantForm form;
  if (cli_form_wanted(args, &form))
    return CLI_BAD;
  if (cli_file_read(args->operands[0], form, &file, &error))
    return cli_complain_file(args->operands[0], error.text);
  int code;
  if (cli_args_value(args, "solve"))
    code = solve_and_write(args, file, out);
  else if (file->solution)
    code = write_problem(args, file, file->solution->r, out);
  else
    code = cli_complain("%s holds no solution; --solve finds one", args->operands[0]);
  slip_file_free(file);
  return code;
}

int cli_run_view(const CliArgs *args) {
  const char *out = cli_args_value(args, "out");
  SlipTrajectory *trajectory = NULL;
  SlipError error;
  if (!out)
    return cli_complain("--out PAGE.html is wanted: where to write to");
  if (cli_check_target(out))
    return CLI_BAD;
  int code;
  if (slip_trajectory_open(args->operands[0], &trajectory, &error) == SLIP_OK)
    code = view_trajectory(args, trajectory, out);
  else /* what is no trajectory may be a problem; what cannot be opened is neither */
    code = error.status == SLIP_ERROR_FORMAT ? view_problem(args, out)
                                             : cli_complain("%s", error.text);
  slip_trajectory_free(trajectory);
  return cli_finish(code);
}
