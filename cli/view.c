/* slipcone view: a trajectory as a page to look at. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <slipcone/record.h>

#include "command.h"
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

int cli_run_view(const CliArgs *args) {
  const char *out = cli_args_value(args, "out");
  SlipTrajectory *trajectory = NULL;
  SlipError error;
  if (!out)
    return cli_complain("--out PAGE.html is wanted: where to write to");
  if (cli_check_target(out))
    return CLI_BAD;
  if (slip_trajectory_open(args->operands[0], &trajectory, &error))
    return cli_complain("%s", error.text);
  int code = view_trajectory(args, trajectory, out);
  slip_trajectory_free(trajectory);
  return cli_finish(code);
}
