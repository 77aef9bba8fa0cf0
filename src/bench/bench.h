/* Declarations that the files of the bench share. */
#ifndef SLIPI_BENCH_BENCH_H
#define SLIPI_BENCH_BENCH_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include <slipcone/bench.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

enum {
  SLIPI_BENCH_TRACE = 40,   /* most points of a trace in a results file */
  SLIPI_BENCH_NAME = 1024,  /* most bytes of a method's name with its options */
  SLIPI_BENCH_OUTCOME = 32, /* most bytes of an outcome */
  SLIPI_BENCH_REASON = 512, /* most bytes of a reason */
  SLIPI_BENCH_COLUMNS = 20,
  SLIPI_BENCH_OLD_COLUMNS = 17 /* of files of version 0.1: without content, reason and physical */
};

/* ---- Text (text.c) ------------------------------------------------------------------------- */

/* A field of a CSV file (RFC 4180). */
void slipi_text_add_field(SlipiText *text, const char *field);

/* The whole of a file that is open for reading, or of a named one. */
SlipStatus slipi_text_read_stream(FILE *stream, const char *path, SlipiText *text,
                                  SlipError *error);
SlipStatus slipi_text_read(const char *path, SlipiText *text, SlipError *error);

char *slipi_arena_text(SlipiArena *arena, const char *bytes, size_t length);

/* ---- Results (results.c) ------------------------------------------------------------------- */

/* Rows of a file's text; `whole` receives how many bytes complete rows take. */
SlipStatus slipi_results_parse(const char *path, const SlipiText *text, SlipBenchResults **results,
                               size_t *whole, SlipError *error);
/* How many columns the file has: SLIPI_BENCH_COLUMNS, or those of an older one. */
int slipi_results_columns(const SlipBenchResults *results);
/* The first line of a results file. */
void slipi_results_header(SlipiText *text);
void slipi_results_row(SlipiText *text, const SlipBenchRow *row, int columns);
/* "iteration:error:seconds;..." both ways; at most SLIPI_BENCH_TRACE points are written, close
 * together where the run begins. */
void slipi_trace_add(SlipiText *text, const SlipTracePoint *trace, int32_t count, double later);
/* NULL when memory is out; a point that cannot be read ends the trace. */
SlipTracePoint *slipi_trace_parse(SlipiArena *arena, const char *text, int32_t *count);

/* A caller's options, NULL for the defaults, as this version knows them (profile.c). */
SlipStatus slipi_plot_options(const SlipPlotOptions *given, SlipPlotOptions *known,
                              SlipError *error);

/* Tolerances are the same though one has been through a file. */
static inline bool slipi_same_tol(double a, double b) {
  return fabs(a - b) <= 1e-9 * fabs(a);
}

/* ---- Problems (problems.c) ----------------------------------------------------------------- */

typedef struct SlipiBenchProblem {
  const char *path, *name, *family;
  bool looked_at;   /* whether `content` has been worked out */
  char content[17]; /* 16 hexadecimal digits; "": not known */
  bool unreadable;  /* because the file cannot be read */
} SlipiBenchProblem;

typedef struct SlipiBenchProblems {
  SlipiBenchProblem *items; /* by name */
  int32_t count, room;
  SlipiArena arena; /* of the strings */
} SlipiBenchProblems;

/* Files, and directories searched to any depth for .hdf5, .h5 and .dat. */
SlipStatus slipi_problems_find(const char *const *paths, int count, SlipiBenchProblems *problems,
                               SlipError *error);
void slipi_problems_free(SlipiBenchProblems *problems);

/* ---- Content of problems (content.c) --------------------------------------------------------- */

/* A fingerprint of the data of a problem, whatever the file and its format. */
uint64_t slipi_content_hash(const SlipProblem *problem);
/* Read the file, once, for problem->content. */
void slipi_content_find(SlipiBenchProblem *problem);

/* ---- Methods (methods.c) ------------------------------------------------------------------- */

/* "name[key=value,...]" as settings; fails with a sentence. */
SlipStatus slipi_bench_settings(const char *name, SlipSettings **settings, SlipError *error);
/* 1 for "peer:SOLVER". */
bool slipi_bench_is_peer(const char *name);

/* ---- One run (child.c) --------------------------------------------------------------------- */

/* One cell of the plan. */
typedef struct SlipiBenchCell {
  SlipiBenchProblem *problem;
  const char *method;
  int32_t method_index;
  const SlipBenchRunner *runner; /* NULL: the library's method or a peer's */
  double tol, time_limit;
  bool done;
} SlipiBenchCell;

/* A process at work on a cell. */
typedef struct SlipiBenchChild {
  SlipiBenchCell *cell; /* NULL: none */
  int pid, pipe;
  double forked, started; /* clock; started: NaN until the solver has begun */
  double deadline;
  const char *killed; /* the outcome of a child that was killed; NULL: it was not */
  SlipiText said;     /* the output so far */
  size_t heard;       /* bytes of `said` that have been acted upon */
} SlipiBenchChild;

SlipStatus slipi_child_start(const SlipCampaign *campaign, SlipiBenchCell *cell,
                             SlipiBenchChild *child, SlipError *error);
/* Read all bytes that are there; true when the child has closed its end. */
bool slipi_child_listen(const SlipCampaign *campaign, SlipiBenchChild *child);
/* Kill it when it is past its limits. */
void slipi_child_police(const SlipCampaign *campaign, SlipiBenchChild *child, double now);
void slipi_child_kill(SlipiBenchChild *child);
/* Wait for its end and fill the row (trace from the arena). */
void slipi_child_finish(const SlipCampaign *campaign, SlipiBenchChild *child, SlipiArena *arena,
                        SlipBenchRow *row);

#endif
