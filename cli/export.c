/* slipcone export: a trajectory for other programs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <slipcone/record.h>

#include "command.h"
#include "output.h"

static int
export_frames(const CliArgs *args, SlipTrajectory *trajectory, const char *flag, const char *list,
              SlipStatus (*write)(SlipTrajectory *, const char *, int64_t, SlipError *)) {
  const char *folder = cli_args_value(args, flag), *every_text = cli_args_value(args, "every");
  int32_t every = 1;
  SlipError error;
  if (!folder)
    return 0;
  if (every_text && (!cli_parse_int32(every_text, &every) || every < 1))
    return cli_complain("--every %s: a whole number of at least 1 is wanted", every_text);
  if (write(trajectory, folder, every, &error))
    return cli_complain("%s", error.text);
  int64_t frames = (slip_trajectory_info(trajectory)->frames + every - 1) / every;
  printf("%s: %" PRId64 " %s; open %s/%s in ParaView\n", args->operands[0], frames,
         cli_plural(frames, "frame", "frames"), folder, list);
  return 0;
}

/* AZIMUTH,ELEVATION */
static int read_view(const char *text, SlipView *view) {
  const char *comma = text;
  while (*comma && *comma != ',')
    comma++;
  char *first = cli_format("%.*s", (int)(comma - text), text);
  int good = first && *comma && cli_parse_real(first, &view->azimuth) &&
             cli_parse_real(comma + 1, &view->elevation);
  free(first);
  return good ? 0 : cli_complain("--view %s: AZIMUTH,ELEVATION in degrees is wanted", text);
}

/* The last frame at or before --at, or the last of all. */
static int find_frame(const CliArgs *args, const SlipTrajectoryInfo *info, int64_t *frame) {
  const char *at = cli_args_value(args, "at");
  double time;
  *frame = info->frames - 1;
  if (at && !cli_parse_real(at, &time))
    return cli_complain("--at %s: a time is wanted", at);
  while (at && *frame > 0 && info->time[*frame] > time)
    --*frame;
  return 0;
}

static int export_svg(const CliArgs *args, SlipTrajectory *trajectory, const char *path) {
  const char *view_text = cli_args_value(args, "view");
  SlipView view = slip_default_view();
  int64_t frame = 0;
  SlipError error;
  if ((view_text && read_view(view_text, &view)) ||
      find_frame(args, slip_trajectory_info(trajectory), &frame))
    return CLI_BAD;
  if (slip_trajectory_draw(trajectory, frame, &view, path, &error))
    return cli_complain("%s", error.text);
  printf("%s: %s shows it at %.6g s\n", args->operands[0], path,
         slip_trajectory_info(trajectory)->time[frame]);
  return 0;
}

int cli_run_export(const CliArgs *args) {
  const char *picture = cli_args_value(args, "svg");
  SlipTrajectory *trajectory = NULL;
  SlipError error;
  if (!cli_args_value(args, "vtk") && !cli_args_value(args, "xdmf") && !picture)
    return cli_complain("--vtk DIR, --xdmf DIR or --svg FILE is wanted: where to write to");
  if (slip_trajectory_open(args->operands[0], &trajectory, &error))
    return cli_complain("%s", error.text);
  int code = export_frames(args, trajectory, "vtk", "run.pvd", slip_trajectory_export_vtk);
  if (!code)
    code = export_frames(args, trajectory, "xdmf", "run.xdmf", slip_trajectory_export_xdmf);
  if (!code && picture)
    code = export_svg(args, trajectory, picture);
  slip_trajectory_free(trajectory);
  return cli_finish(code);
}
