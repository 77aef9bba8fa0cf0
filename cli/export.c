/* slipcone export: a trajectory for other programs. */
#include <inttypes.h>
#include <stdio.h>

#include <slipcone/record.h>

#include "command.h"
#include "output.h"

int cli_run_export(const CliArgs *args) {
  const char *path = args->operands[0], *folder = cli_args_value(args, "vtk");
  const char *every_text = cli_args_value(args, "every");
  int32_t every = 1;
  SlipTrajectory *trajectory = NULL;
  SlipError error;
  if (!folder)
    return cli_complain("--vtk DIR is wanted: the folder to write to");
  if (every_text && (!cli_parse_int32(every_text, &every) || every < 1))
    return cli_complain("--every %s: a whole number of at least 1 is wanted", every_text);
  if (slip_trajectory_open(path, &trajectory, &error))
    return cli_complain("%s", error.text);
  int code = slip_trajectory_export_vtk(trajectory, folder, every, &error)
                 ? cli_complain("%s", error.text)
                 : 0;
  if (!code) {
    int64_t frames = (slip_trajectory_info(trajectory)->frames + every - 1) / every;
    printf("%s: %" PRId64 " %s; open %s/run.pvd in ParaView\n", path, frames,
           cli_plural(frames, "frame", "frames"), folder);
  }
  slip_trajectory_free(trajectory);
  return cli_finish(code);
}
