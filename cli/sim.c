/* slipcone sim: step a scene, record it, say how exact it was. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "output.h"
#include "progress.h"
#include "simrun.h"

/* ---- Values that take the place of the scene's
 * ---------------------------------------------------- */

/* Flags that stand for a value of the scene. */
static const struct {
  const char *flag, *name;
} stands_for[] = {{"end", "time.end"},
                  {"step", "time.step"},
                  {"method", "solver.method"},
                  {"tol", "solver.tol"},
                  {"threads", "solver.threads"}};

static const char *scene_name_of(const CliFlag *flag) {
  for (size_t k = 0; k < sizeof stands_for / sizeof *stands_for; k++)
    if (!strcmp(stands_for[k].flag, flag->name))
      return stands_for[k].name;
  return NULL;
}

/* All of them as NAME=VALUE lines: those of the trajectory that is continued, then the flags. */
static char *gather_set(const CliArgs *args, const char *before) {
  char *text = cli_format("%s", before ? before : "");
  for (int k = 0; text && k < args->given_count; k++) {
    const CliGiven *given = &args->given[k];
    const char *name = scene_name_of(given->flag);
    char *longer = NULL;
    if (name)
      longer = cli_format("%s%s=%s\n", text, name, given->value);
    else if (given->flag->kind == CLI_SETTING)
      longer = cli_format("%s%s\n", text, given->value);
    else
      continue;
    free(text);
    text = longer;
  }
  return text;
}

/* Cut NAME=VALUE lines apart, in place. NULL after a complaint. */
static SlipOptionValue *cut_set(char *text, int32_t *count) {
  int32_t lines = 0;
  for (const char *c = text; *c; c++)
    lines += *c == '\n';
  SlipOptionValue *values = calloc((size_t)lines + 1, sizeof *values);
  if (!values) {
    cli_complain("no memory for the values of --set");
    return NULL;
  }
  *count = 0;
  for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
    *end = '\0';
    char *equals = strchr(line, '=');
    if (!equals) {
      cli_complain("--set %s: KEY=VALUE is wanted, and there is no '='", line);
      free(values);
      return NULL;
    }
    *equals = '\0';
    values[*count].name = line;
    values[(*count)++].value = equals + 1;
  }
  return values;
}

/* ---- Reading
 * -------------------------------------------------------------------------------------- */

/* Where a run is taken up again. */
typedef struct Restart {
  SlipTrajectory *trajectory; /* NULL: it begins */
  char *path;
  double time;
} Restart;

/* PATH or PATH@TIME */
static int open_restart(const CliArgs *args, Restart *restart) {
  const char *given = cli_args_value(args, "restart");
  SlipError error;
  if (!given)
    return 0;
  const char *at = strrchr(given, '@');
  restart->time = HUGE_VAL;
  if (at && !cli_parse_real(at + 1, &restart->time))
    at = NULL;
  restart->path = at ? cli_format("%.*s", (int)(at - given), given) : cli_format("%s", given);
  if (!restart->path)
    return cli_complain("no memory for a path");
  if (slip_trajectory_open(restart->path, &restart->trajectory, &error))
    return cli_complain("%s", error.text);
  return 0;
}

static int read_scene(CliSim *run, const Restart *restart) {
  const SlipTrajectoryInfo *before = slip_trajectory_info(restart->trajectory);
  const char *path = run->args->operand_count ? run->args->operands[0] : NULL;
  if (!path && !(before && before->scene))
    return cli_complain("a scene is wanted: slipcone sim SCENE.yaml");
  run->set = gather_set(run->args, before ? before->set : NULL);
  char *cut = run->set ? cli_format("%s", run->set) : NULL;
  if (!cut)
    return cli_complain("no memory for the values of --set");
  SlipSceneOptions options = slip_default_scene_options();
  SlipError error;
  SlipOptionValue *values = cut_set(cut, &options.set_count);
  options.set = values;
  int code = values ? 0 : CLI_BAD;
  if (!code) {
    SlipStatus status =
        path ? slip_scene_read(path, &options, &run->scene, &error)
             : slip_scene_read_memory(restart->path, before->scene, strlen(before->scene), &options,
                                      &run->scene, &error);
    code = status ? cli_complain("%s", error.text) : 0;
  }
  free(values);
  free(cut);
  return code;
}

static int restore(CliSim *run, const Restart *restart) {
  void *bytes = NULL;
  size_t size = 0;
  SlipError error;
  SlipStatus status =
      slip_trajectory_snapshot(restart->trajectory, restart->time, &bytes, &size, &error);
  if (!status)
    status = slip_sim_restore(run->sim, bytes, size, &error);
  slip_sim_bytes_free(bytes);
  if (status)
    return cli_complain_file(restart->path, error.text);
  run->first = slip_sim_steps(run->sim);
  return 0;
}

static int begin_record(CliSim *run, const Restart *restart) {
  SlipRecordDef def = slip_default_record_def();
  SlipError error;
  run->out = cli_args_value(run->args, "out");
  if (!run->out && restart->trajectory)
    run->out = restart->path;
  if (!run->out)
    return 0;
  def.every = run->scene->record_every;
  def.contacts = run->scene->record_contacts;
  def.scene = run->scene->text;
  def.set = *run->set ? run->set : NULL;
  def.continues = restart->path;
  if (cli_check_target(run->out))
    return CLI_BAD;
  if (slip_recorder_create(run->out, run->sim, &def, &run->recorder, &error))
    return cli_complain("%s", error.text);
  return 0;
}

static int begin(CliSim *run, const Restart *restart) {
  SlipError error;
  if (slip_scene_build(run->scene, &run->sim, &error))
    return cli_complain("%s", error.text);
  if (restart->trajectory && restore(run, restart))
    return CLI_BAD;
  return begin_record(run, restart);
}

/* ---- Running
 * -------------------------------------------------------------------------------------- */

/* While a step is solved: an interrupt ends it. */
static int watch(const SlipProgress *progress, void *user) {
  (void)progress;
  cli_sim_progress(user);
  return cli_progress_interrupted();
}

/* One step; CLI_UNSOLVED where the run cannot go on. */
static int step(CliSim *run) {
  SlipStepInfo info = slip_default_step_info();
  SlipError error;
  SlipStatus status = slip_sim_step(run->sim, &info, &error);
  if (status && cli_progress_interrupted())
    return 0;
  if (info.step > 0)
    cli_course_add(&run->course, &info);
  if (info.step > 0 && cli_dump_step(&run->dump, run->sim, &info))
    return CLI_BAD;
  if (status) {
    cli_sim_progress_clear();
    cli_complain_file(run->scene->name, error.text);
    return CLI_UNSOLVED;
  }
  if (run->recorder && slip_recorder_step(run->recorder, run->sim, &info, &error))
    return cli_complain("%s", error.text);
  cli_sim_progress(run);
  return 0;
}

static int run_steps(CliSim *run) {
  int code = 0;
  run->course.began = cli_clock();
  slip_sim_set_progress(run->sim, watch, run);
  cli_progress_catch_interrupts();
  while (!code && slip_sim_steps(run->sim) < run->scene->steps && !cli_progress_interrupted())
    code = step(run);
  cli_sim_progress_clear();
  run->interrupted = cli_progress_interrupted();
  SlipError error;
  SlipRecorder *recorder = run->recorder;
  run->recorder = NULL;
  if (recorder && slip_recorder_finish(recorder, run->sim, &error))
    return cli_complain("%s", error.text);
  if (!code && (run->interrupted || run->course.solved < run->course.steps))
    code = CLI_UNSOLVED;
  return code;
}

static int check_only(const CliSim *run) {
  const SlipScene *scene = run->scene;
  if (!run->quiet)
    printf("%s: %s; %" PRId32 " %s, %" PRId32 " %s, %" PRId64 " steps of %.6g s\n", scene->name,
           *scene->title ? scene->title : "no title", scene->bodies,
           cli_plural(scene->bodies, "body", "bodies"), scene->joints,
           cli_plural(scene->joints, "joint", "joints"), scene->steps, scene->def.step);
  return 0;
}

/* "scenes/funnel.yaml": funnel */
static char *short_name(const char *path) {
  const char *base = cli_base_name(path);
  return cli_format("%.*s", (int)strcspn(base, "."), base);
}

static int simulate(CliSim *run, const Restart *restart) {
  int code = cli_dump_begin(run->args, &run->dump);
  if (!code)
    code = begin(run, restart);
  if (code)
    return code;
  if (cli_args_value(run->args, "check"))
    return check_only(run);
  code = run_steps(run);
  if (run->json)
    cli_sim_json(run);
  else if (!run->quiet)
    cli_sim_summary(run);
  return code;
}

int cli_run_sim(const CliArgs *args) {
  CliSim run = {.args = args,
                .json = cli_args_value(args, "json") != NULL,
                .quiet = cli_args_value(args, "quiet") != NULL};
  Restart restart = {0};
  char *name = NULL;
  int code = open_restart(args, &restart);
  if (!code)
    code = read_scene(&run, &restart);
  if (!code && run.scene)
    name = short_name(run.scene->name);
  if (!code && !name)
    code = cli_complain("no memory for a name");
  run.dump.name = name;
  if (!code)
    code = simulate(&run, &restart);
  slip_recorder_free(run.recorder);
  slip_sim_free(run.sim);
  slip_scene_free(run.scene);
  slip_trajectory_free(restart.trajectory);
  cli_dump_free(&run.dump);
  free(restart.path);
  free(run.set);
  free(name);
  return cli_finish(code);
}
