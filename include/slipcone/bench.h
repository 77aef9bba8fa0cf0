/* The bench: campaigns of many methods on many problems, each run in a process of its own;
 * results as CSV; performance profiles; reports. docs/bench.md tells the whole. Numbers of
 * equations are those of Acary, Brémond, Huber 2018. */
#ifndef SLIPCONE_BENCH_H
#define SLIPCONE_BENCH_H

#include <slipcone/slipcone.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results ------------------------------------------------------------------------------ */

/* One run of one method on one problem: one row of the CSV file, whose columns are
 *   problem,family,contacts,dof,dimension,method,tol,outcome,error,iterations,seconds,peak_kib,
 *   trace,commit,compiler,cpu,version,content,reason
 * in this order; files of version 0.1 end with version. An unknown value is an empty field: NaN for
 * a real number, -1 for a count. Strings are never NULL. */
typedef struct SlipBenchRow {
  const char *problem; /* "family/file" */
  const char *family;  /* the name of the folder that holds the file */
  int32_t contacts, dof, dimension;
  const char *method; /* "nsgs", "nsgs[order=shuffle-once]", "siconos:NSGS" */
  double tol;
  /* A SlipOutcome's name, or: INACCURATE (said to be solved, but the error is above tol), FAILED
   * (a peer gave up), REFUSED (the method does not treat this problem), CRASH, TIMEOUT (killed),
   * MEMORY, ERROR. */
  const char *outcome;
  int solved;                  /* 1: outcome SOLVED */
  double error;                /* natural-map error, recomputed by the bench from r */
  int64_t iterations;          /* of the last run */
  double seconds;              /* from the problem in memory to r; the least of the repeats */
  int64_t peak_kib;            /* of the run's process */
  const SlipTracePoint *trace; /* in the file "iteration:error:seconds;...", at most 40 points; of a
                                  method for the convex relaxation the last one, with `error` */
  int32_t trace_count;
  const char *commit, *compiler, *cpu, *version; /* of the run */
  const char *content; /* of the problem, a fingerprint; "" where the file cannot be read */
  const char *reason;  /* of ERROR, REFUSED and MEMORY, a sentence; or "" */
  double physical;     /* slip_problem_physical of r; NaN where it is not known */
} SlipBenchRow;

typedef struct SlipBenchResults {
  size_t size;
  const SlipBenchRow *rows; /* in the order of the file; where a problem has changed and was run
                               again, only the last row of each method and tolerance */
  int32_t count;
  int truncated; /* 1: the file ends in the midst of a row, which was left out */
} SlipBenchResults;

SLIP_API SlipStatus slip_bench_read(const char *path, SlipBenchResults **results, SlipError *error);
SLIP_API void slip_bench_results_free(SlipBenchResults *results);

/* The rows of several results files in one, a row of each in turn: those of all shards of a
 * campaign in the order of the whole. Of rows with the same problem, method and tolerance the first
 * is kept. rows may be NULL. */
SLIP_API SlipStatus slip_bench_merge(const char *const *paths, int path_count, const char *out,
                                     int32_t *rows, SlipError *error);

/* ---- Performance profiles ----------------------------------------------------------------- */

typedef enum SlipMeasure {
  SLIP_MEASURE_TIME,             /* t_ps in seconds (133); the abscissa is the ratio r_ps (134) */
  SLIP_MEASURE_TIME_PER_CONTACT, /* t_ps / contacts; the abscissa is this time itself, since the
                                    ratio would be that of the times */
  SLIP_MEASURE_ERROR_AT_BUDGET   /* the least error seen within `budget` seconds, from the trace;
                                    the abscissa is this error */
} SlipMeasure;

typedef struct SlipPlotOptions {
  size_t size;
  double tol;         /* rows of this tolerance only; 0: of all, and each pair of a problem and a
                         tolerance counts as a problem */
  const char *family; /* rows of this family only; NULL: of all */
  SlipMeasure measure;
  double budget; /* seconds, of SLIP_MEASURE_ERROR_AT_BUDGET */
} SlipPlotOptions;

/* Everything, by time. */
static inline SlipPlotOptions slip_default_plot_options(void) {
  SlipPlotOptions options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.budget = 0.1;
  return options;
}

/* The data of performance profiles. Matrices are problems x solvers, row by row. A run that failed
 * or is missing has cost and place INFINITY. Names point into the results, which must live longer.
 */
typedef struct SlipProfile {
  size_t size;
  SlipMeasure measure;
  int32_t problems, solvers;
  const char *const *problem; /* names; with their tolerance in tol */
  const double *tol;
  const char *const *solver; /* names, in the order of their first row */
  const double *cost;        /* t_ps (133), or the measure's own figure */
  const double *place;       /* the abscissa from which p counts for s: r_ps (134), or the cost */
  const double *best;        /* of each problem: the least cost, the virtual best solver's */
  int32_t unsolved;          /* problems without a finite cost */
} SlipProfile;

/* Fails with SLIP_ERROR_ARGUMENT when no row is selected. */
SLIP_API SlipStatus slip_bench_profile(const SlipBenchResults *results,
                                       const SlipPlotOptions *options, SlipProfile **profile,
                                       SlipError *error);
SLIP_API void slip_profile_free(SlipProfile *profile);

/* rho_s(x) (135): the fraction of all problems with a place of at most x. solver -1: the virtual
 * best, the solver that would always choose the best. 0 where there is no such solver. */
SLIP_API double slip_profile_value(const SlipProfile *profile, int32_t solver, double x);

/* ---- Tables 5 and 6 of Acary, Brémond, Huber 2018 ------------------------------------------- */

typedef struct SlipRange {
  double min, max; /* NaN where nothing is known */
} SlipRange;

/* Table 5 of Acary, Brémond, Huber 2018: the features of the problems of a family. */
typedef struct SlipFamilyFeatures {
  const char *family;
  int32_t problems;
  SlipRange mu, dof, contacts, density, rank_ratio, condition, condition_lsmr;
  double asymmetry; /* mean of |W - W'| */
} SlipFamilyFeatures;

typedef struct SlipTable5 {
  size_t size;
  const SlipFamilyFeatures *rows; /* by name */
  int32_t count;
} SlipTable5;

/* Files, and directories searched to any depth. A file that cannot be read ends it. */
SLIP_API SlipStatus slip_bench_table5(const char *const *paths, int path_count, SlipTable5 **table,
                                      SlipError *error);
SLIP_API void slip_table5_free(SlipTable5 *table);

/* Table 6: how the fastest solver does on a family at a tolerance. */
typedef struct SlipFamilyTimes {
  const char *family;
  double tol;
  int32_t problems, unsolved;
  double mean, deviation;                         /* of the least time, in seconds */
  double mean_per_contact, deviation_per_contact; /* seconds divided by contacts */
} SlipFamilyTimes;

typedef struct SlipTable6 {
  size_t size;
  const SlipFamilyTimes *rows; /* by family, then tolerance, large ones first */
  int32_t count;
} SlipTable6;

/* Names point into the results, which must live longer. */
SLIP_API SlipStatus slip_bench_table6(const SlipBenchResults *results, SlipTable6 **table,
                                      SlipError *error);
SLIP_API void slip_table6_free(SlipTable6 *table);

/* ---- Reports ------------------------------------------------------------------------------ */

/* One self-contained HTML file of everything in a results file. */
SLIP_API SlipStatus slip_bench_report(const char *results_csv, const char *out_html,
                                      SlipError *error);
/* One profile as SVG; options NULL: everything, by time. */
SLIP_API SlipStatus slip_bench_plot(const char *results_csv, const SlipPlotOptions *options,
                                    const char *out_svg, SlipError *error);

/* One run's history for a plot; an element of an array, so it does not grow. */
typedef struct SlipTraceCurve {
  const char *name;
  const SlipTracePoint *points; /* SlipResult.trace */
  int32_t count;
  double physical; /* SlipResult.physical, or NaN */
} SlipTraceCurve;

/* The error of runs against iterations and against seconds as SVG, with the tolerances of both
 * measures as lines: tol of the natural-map error (131), 10 tol of the second one, whose last value
 * is a point. */
SLIP_API SlipStatus slip_trace_plot(const SlipTraceCurve *curves, int32_t count, double tol,
                                    const char *out_svg, SlipError *error);

/* ---- Campaigns ---------------------------------------------------------------------------- */

/* A tolerance and a time limit for the families a pattern names ('*' and '?' as in a shell). A
 * family takes all rules with the first pattern that fits it. */
typedef struct SlipBenchRule {
  const char *family;
  double tol;
  double time_limit;
} SlipBenchRule;

/* The result of a runner, in a struct of the library's. */
typedef struct SlipBenchRun {
  size_t size;
  SlipOutcome outcome;
  int64_t iterations;
} SlipBenchRun;

/* A method of the caller's, run in the child process: from `problem`, put impulses in r. For
 * solvers that are not in the library's table. */
typedef SlipStatus (*SlipBenchRunFunction)(const SlipProblem *problem, double tol,
                                           double time_limit, double *r, SlipBenchRun *run,
                                           void *user, SlipError *error);

typedef struct SlipBenchRunner {
  const char *name;
  SlipBenchRunFunction run;
  void *user;
} SlipBenchRunner;

typedef struct SlipBenchProgress {
  size_t size;
  int32_t done, total; /* runs of the whole plan */
  int32_t resumed;     /* of those done, how many an earlier campaign had done */
  int32_t running;
  double seconds;               /* since this campaign began */
  double seconds_left;          /* an estimate; NaN while there is none */
  const char *problem, *method; /* of the run that ended last; NULL before */
} SlipBenchProgress;

/* Called when a run ends and a few times a second; a return value other than 0 ends the campaign:
 * runs that are under way are stopped and will be done again when the campaign is resumed. */
typedef int (*SlipBenchProgressFunction)(const SlipBenchProgress *progress, void *user);

/* slip_default_campaign() leaves the paths, the methods and out to the caller. */
typedef struct SlipCampaign {
  size_t size;
  const char *const *paths; /* files, and directories searched to any depth */
  int path_count;
  const char *const *methods; /* "nsgs", "nsgs[key=value,...]", "siconos:NSGS", a runner's name */
  int method_count;
  const SlipBenchRule *rules;
  int rule_count;
  const char *out;       /* the results file; rows it already holds are not run again */
  double grace;          /* seconds after the time limit until a run is killed */
  double memory;         /* MiB a run may use; 0: as much as there is */
  int repeat;            /* runs of each method and problem; the least time counts */
  int jobs;              /* runs at a time */
  const char *peer_tool; /* the program that runs the peers' solvers; NULL: there is none */
  const SlipBenchRunner *runners;
  int runner_count;
  SlipBenchProgressFunction progress;
  void *user;
  double load; /* seconds in which a run must begin: to read its problem, or to start a peer */
  /* Of all runs only every shards-th, from the shard-th (counted from 1) on, so that machines can
   * share a campaign, each with a results file of its own; shards 0: all. */
  int shard, shards;
} SlipCampaign;

/* 1e-4 and 1e-8 on all families, a minute for a run. */
static inline SlipCampaign slip_default_campaign(void) {
  static const SlipBenchRule rules[] = {{"*", 1e-4, 60}, {"*", 1e-8, 60}};
  SlipCampaign campaign;
  memset(&campaign, 0, sizeof campaign);
  campaign.size = sizeof campaign;
  campaign.rules = rules;
  campaign.rule_count = 2;
  campaign.grace = 5;
  campaign.load = 60;
  campaign.memory = 4096;
  campaign.repeat = 1;
  campaign.jobs = 1;
  return campaign;
}

typedef struct SlipCampaignSummary {
  size_t size;
  int32_t total, resumed, run, solved; /* solved: of all rows of the plan */
  int32_t unreadable;                  /* problems whose file cannot be read: rows of ERROR */
  int interrupted;
} SlipCampaignSummary;

static inline SlipCampaignSummary slip_default_campaign_summary(void) {
  SlipCampaignSummary summary;
  memset(&summary, 0, sizeof summary);
  summary.size = sizeof summary;
  return summary;
}

/* summary may be NULL. */
SLIP_API SlipStatus slip_campaign_run(const SlipCampaign *campaign, SlipCampaignSummary *summary,
                                      SlipError *error);

/* The methods a list names: names with options in brackets parted by commas, "all",
 * "family:NAME". */
typedef struct SlipBenchNames {
  size_t size;
  const char *const *names;
  int count;
} SlipBenchNames;

SLIP_API SlipStatus slip_bench_methods(const char *list, SlipBenchNames **names, SlipError *error);
SLIP_API void slip_bench_names_free(SlipBenchNames *names);

/* A campaign's definition as text (docs/bench.md): rules, methods, limits. Its strings live as
 * long as the definition. */
typedef struct SlipCampaignFile {
  size_t size;
  const SlipBenchRule *rules;
  int rule_count;
  const char *methods;  /* a list for slip_bench_methods; NULL where the file has none */
  double memory, grace; /* NaN where the file has none */
  int repeat;           /* 0 where the file has none */
  double load;          /* NaN where the file has none */
} SlipCampaignFile;

SLIP_API SlipStatus slip_campaign_file_read(const char *path, SlipCampaignFile **file,
                                            SlipError *error);
SLIP_API void slip_campaign_file_free(SlipCampaignFile *file);

#ifdef __cplusplus
}
#endif

#endif
