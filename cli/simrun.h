/* A run of `slipcone sim`: what its parts share. */
#ifndef CLI_SIMRUN_H
#define CLI_SIMRUN_H

#include <slipcone/record.h>
#include <slipcone/scene.h>

#include "command.h"

/* ---- Problems written to files --------------------------------------------------------------- */

typedef enum CliDumpRule { CLI_DUMP_FAILED, CLI_DUMP_EVERY, CLI_DUMP_HARD } CliDumpRule;

/* One of the hardest problems so far. */
typedef struct CliHard {
  double work; /* iterations times contacts: the same on every machine */
  char *path;
} CliHard;

typedef struct CliDump {
  const char
      *folder;      /* NULL: only steps that fail, beside the trajectory or in the folder at hand */
  const char *name; /* of the scene, without folder and ending */
  CliDumpRule rule;
  int64_t number; /* every so many steps; the so many hardest */
  CliHard *hard;
  int64_t hard_count, written;
  char *failed; /* the file of the last step that failed, or NULL */
} CliDump;

/* --dump-problems and --dump; 0 or CLI_BAD. */
int cli_dump_begin(const CliArgs *args, CliDump *dump);
/* After a step; 0 or CLI_BAD. */
int cli_dump_step(CliDump *dump, const SlipSim *sim, const SlipStepInfo *info);
void cli_dump_free(CliDump *dump);

/* ---- The course of a run -----------------------------------------------------------------------
 */

/* Sums and extremes over the steps. */
typedef struct CliCourse {
  int64_t steps, solved;
  int64_t iterations, most_iterations, most_iterations_step;
  int64_t contacts; /* summed */
  int32_t most_contacts;
  double worst_error, most_penetration, most_drift;
  int64_t worst_step;
  double collide, set_up, solve, total; /* seconds */
  double began;                         /* on the clock */
  int64_t failed_step;                  /* the first that was not solved; 0: none */
  double failed_time;
  int32_t failed_outcome, failed_verdict;
  char failed_reason[SLIP_ERROR_TEXT];
  SlipStepInfo last;
} CliCourse;

void cli_course_add(CliCourse *course, const SlipStepInfo *info);

typedef struct CliSim {
  const CliArgs *args;
  SlipScene *scene;
  SlipSim *sim;
  SlipRecorder *recorder;
  CliDump dump;
  CliCourse course;
  const char *out; /* NULL: no trajectory */
  char *set;       /* NAME=VALUE lines */
  int64_t first;   /* step from which it goes on */
  int json, quiet, interrupted;
} CliSim;

void cli_sim_progress(const CliSim *run);
void cli_sim_progress_clear(void);
void cli_sim_summary(const CliSim *run);
int cli_sim_json(const CliSim *run);

double cli_clock(void);

#endif
