/* One run in a process of its own. The child tells its parent, through a pipe, in lines of text:
 *
 *   size CONTACTS DOF DIMENSION     the problem was read
 *   start                           a solver begins: its time counts from here
 *   solved                          it has ended
 *   result OUTCOME ERROR ITERATIONS SECONDS
 *   physical MEASURE                of the same r
 *   trace ITERATION:ERROR:SECONDS;...
 *   reason SENTENCE                 of a failure, or of what a relaxation has solved
 *   end
 *
 * A peer's tool tells the same on descriptor 3. A child that ends before `end` has crashed. */
#define _DEFAULT_SOURCE 1 /* NOLINT: wait4 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <slipcone/io.h>

#include "base/clock.h"
#include "bench/bench.h"

static const double check_limit = 300; /* seconds to recompute an error */
static const double accuracy = 1e-3;   /* two ways to compute an error may differ by this part */
enum { PEER_DESCRIPTOR = 3, CANNOT_EXECUTE = 127 };

/* There when the BLAS is OpenBLAS: its threads would take what other runs need. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

/* ---- In the child --------------------------------------------------------------------------- */

static void tell(int pipe, const SlipiText *text) {
  size_t sent = 0;
  while (!text->failed && sent < text->length) {
    ssize_t done = write(pipe, text->bytes + sent, text->length - sent);
    if (done < 0 && errno != EINTR)
      return; /* nobody listens any more */
    sent += done > 0 ? (size_t)done : 0;
  }
}

static void tell_word(int pipe, const char *word) {
  SlipiText text = {0};
  slipi_text_add(&text, "%s\n", word);
  tell(pipe, &text);
  slipi_text_free(&text);
}

/* The result of a run: of the fastest, where it is repeated. */
typedef struct Report {
  const char *outcome;
  double error, physical, seconds;
  int64_t iterations;
  bool relaxed;         /* the trace is about the convex relaxation's error, */
  double relaxed_error; /* which is this */
  SlipiText trace;
} Report;

static const char *failure_name(SlipStatus status) {
  if (status == SLIP_ERROR_MEMORY)
    return "MEMORY";
  return status == SLIP_ERROR_MISMATCH ? "REFUSED" : "ERROR";
}

/* One run of a method of the library. The clock runs from the problem in memory to r, so that what
 * a method prepares counts. */
static SlipStatus run_method(const SlipProblem *problem, const SlipSettings *settings, int pipe,
                             double *r, Report *report, SlipError *error) {
  SlipSolver *solver;
  tell_word(pipe, "start");
  double begun = slipi_clock_seconds();
  SlipStatus status = slip_solver_create(problem, settings, &solver, error);
  double created = slipi_clock_seconds();
  if (status == SLIP_OK)
    status = slip_solver_run(solver, error);
  double seconds = slipi_clock_seconds() - begun;
  tell_word(pipe, "solved");
  if (status == SLIP_OK) {
    const SlipResult *result = slip_solver_result(solver);
    size_t size = (size_t)result->dimension * (size_t)result->contacts;
    if (size > 0)
      memcpy(r, result->r, size * sizeof *r);
    report->iterations = result->iterations;
    report->outcome = slip_outcome_name(result->outcome);
    report->relaxed = result->relaxed;
    report->relaxed_error = result->residual;
    if (!(report->seconds <= seconds)) {
      report->seconds = seconds;
      report->trace.length = 0;
      slipi_trace_add(&report->trace, result->trace, result->trace_count, created - begun);
    }
  }
  slip_solver_free(solver);
  return status;
}

static SlipStatus run_runner(const SlipProblem *problem, const SlipiBenchCell *cell, int pipe,
                             double *r, Report *report, SlipError *error) {
  SlipBenchRun run = {.size = sizeof run, .outcome = SLIP_NOT_RUN, .iterations = -1};
  tell_word(pipe, "start");
  double begun = slipi_clock_seconds();
  SlipStatus status =
      cell->runner->run(problem, cell->tol, cell->time_limit, r, &run, cell->runner->user, error);
  double seconds = slipi_clock_seconds() - begun;
  tell_word(pipe, "solved");
  report->iterations = run.iterations;
  report->outcome = slip_outcome_name(run.outcome);
  if (!(report->seconds <= seconds))
    report->seconds = seconds;
  return status;
}

/* Solve `repeat` times, from 0 each time; a run without solution is not repeated. */
static SlipStatus run_repeats(const SlipProblem *problem, const SlipiBenchCell *cell, int repeat,
                              int pipe, double *r, Report *report, SlipError *error) {
  SlipSettings *settings = NULL;
  SlipStatus status = SLIP_OK;
  if (!cell->runner) {
    status = slipi_bench_settings(cell->method, &settings, error);
    if (status == SLIP_OK)
      status = slip_settings_set_real(settings, "tol", cell->tol, error);
    if (status == SLIP_OK)
      status = slip_settings_set_real(settings, "time-limit", cell->time_limit, error);
  }
  for (int k = 0; status == SLIP_OK && k < repeat; k++) {
    status = cell->runner ? run_runner(problem, cell, pipe, r, report, error)
                          : run_method(problem, settings, pipe, r, report, error);
    if (strcmp(report->outcome, slip_outcome_name(SLIP_SOLVED)) != 0)
      break;
  }
  slip_settings_free(settings);
  return status;
}

/* Of a relaxation's run only the end is known in the error that the campaign is about. */
static void end_trace(Report *report) {
  SlipTracePoint last = {report->iterations, report->error, report->seconds};
  if (!report->relaxed)
    return;
  report->trace.length = 0;
  slipi_trace_add(&report->trace, &last, 1, 0);
}

/* The outcome as the bench itself judges it, whatever the solver says. */
static SlipStatus judge(const SlipProblem *problem, const SlipiBenchCell *cell, const double *r,
                        Report *report, SlipError *error) {
  SlipStatus status = slip_problem_residual(problem, r, &report->error, NULL, error);
  if (status == SLIP_OK && slip_problem_physical(problem, r, &report->physical, NULL) != SLIP_OK)
    report->physical = NAN;
  end_trace(report);
  if (strcmp(report->outcome, slip_outcome_name(SLIP_SOLVED)) != 0)
    return SLIP_OK;
  if (status == SLIP_OK && !(report->error <= cell->tol * (1 + accuracy)))
    report->outcome = "INACCURATE";
  else if (report->seconds > cell->time_limit)
    report->outcome = slip_outcome_name(SLIP_TIME_LIMIT);
  return status;
}

static void tell_report(int pipe, const Report *report) {
  SlipiText text = {0};
  slipi_text_add(&text, "result %s %.17g %" PRId64 " %.9g\n", report->outcome, report->error,
                 report->iterations, report->seconds);
  slipi_text_add(&text, "physical %.17g\n", report->physical);
  if (report->relaxed)
    slipi_text_add(
        &text,
        "reason the convex relaxation (flow normal to the cone) is what was solved, with "
        "an error of %.3g; with Coulomb's law it is %.3g\n",
        report->relaxed_error, report->error);
  slipi_text_add(&text, "trace %s\nend\n", report->trace.length ? report->trace.bytes : "");
  tell(pipe, &text);
  slipi_text_free(&text);
}

static SlipStatus run_problem(const SlipProblem *problem, const SlipiBenchCell *cell, int repeat,
                              int pipe, Report *report, SlipError *error) {
  SlipiText size = {0};
  slipi_text_add(&size, "size %" PRId32 " %" PRId32 " %" PRId32 "\n",
                 slip_problem_contacts(problem), slip_problem_dof(problem),
                 slip_problem_dimension(problem));
  tell(pipe, &size);
  slipi_text_free(&size);
  size_t m = (size_t)slip_problem_dimension(problem) * (size_t)slip_problem_contacts(problem);
  double *r = calloc(m + 1, sizeof *r);
  if (!r)
    return slipi_fail_memory(error, "a solution");
  SlipStatus status = run_repeats(problem, cell, repeat, pipe, r, report, error);
  if (status == SLIP_OK)
    status = judge(problem, cell, r, report, error);
  free(r);
  return status;
}

static void tell_reason(int pipe, const SlipError *error) {
  SlipiText text = {0};
  slipi_text_add(&text, "reason ");
  for (const char *at = error->text; *at; at++)
    slipi_text_add_bytes(&text, *at == '\n' ? " " : at, 1);
  slipi_text_add_bytes(&text, "\n", 1);
  tell(pipe, &text);
  slipi_text_free(&text);
}

static void run_in_process(const SlipCampaign *campaign, const SlipiBenchCell *cell, int pipe) {
  Report report = {
      .outcome = "ERROR", .error = NAN, .physical = NAN, .seconds = NAN, .iterations = -1};
  SlipError error = {0};
  SlipFile *file;
  SlipStatus status = slip_file_read(cell->problem->path, SLIP_WANT_ANY, &file, &error);
  if (status == SLIP_OK)
    status = run_problem(file->problem, cell, campaign->repeat, pipe, &report, &error);
  if (status != SLIP_OK) {
    report.outcome = failure_name(status);
    tell_reason(pipe, &error);
  }
  tell_report(pipe, &report);
  slipi_text_free(&report.trace);
  slip_file_free(file);
}

static void run_peer(const SlipCampaign *campaign, const SlipiBenchCell *cell, int pipe) {
  char tol[32], limit[32], repeat[16];
  snprintf(tol, sizeof tol, "%.17g", cell->tol);
  snprintf(limit, sizeof limit, "%.17g", cell->time_limit);
  snprintf(repeat, sizeof repeat, "%d", campaign->repeat);
  const char *solver = strchr(cell->method, ':') + 1;
  if (pipe == PEER_DESCRIPTOR ? fcntl(pipe, F_SETFD, 0) < 0 : dup2(pipe, PEER_DESCRIPTOR) < 0)
    return;
  execl(campaign->peer_tool, campaign->peer_tool, cell->problem->path, solver, tol, limit, repeat,
        (char *)NULL);
}

/* Pages of data a process has, from the kernel's figures; -1 when they are not there. */
static double data_bytes(void) {
  FILE *stream = fopen("/proc/self/statm", "r");
  double figure[6] = {0};
  int got = 0;
  while (stream && got < 6 && fscanf(stream, "%lf", &figure[got]) == 1)
    got++;
  if (stream)
    fclose(stream);
  return got == 6 ? figure[5] * (double)sysconf(_SC_PAGESIZE) : -1;
}

static void limit_resource(int resource, double amount) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0)
    return;
  rlim_t wanted = amount < 1e18 ? (rlim_t)amount : RLIM_INFINITY;
  if (limit.rlim_max == RLIM_INFINITY || wanted <= limit.rlim_max)
    limit.rlim_cur = wanted;
  setrlimit(resource, &limit);
}

/* Limits the kernel keeps, beside those the parent does. */
static void set_limits(const SlipCampaign *campaign, const SlipiBenchCell *cell) {
  double seconds =
      campaign->load + check_limit + campaign->repeat * (cell->time_limit + campaign->grace);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  limit_resource(RLIMIT_CORE, 0);
  limit_resource(RLIMIT_CPU, ceil(seconds) * (double)(processors > 0 ? processors : 1));
  double data = data_bytes();
  if (campaign->memory > 0 && data >= 0)
    limit_resource(RLIMIT_DATA, data + campaign->memory * 1048576);
}

/* Signals as at the start of a program, whatever handlers the caller has; no terminal; and no life
 * after the parent's. */
static void settle(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int k = 1; k < 32; k++)
    sigaction(k, &action, NULL); /* fails for SIGKILL and SIGSTOP, which have no handlers */
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  int null = open("/dev/null", O_RDWR);
  for (int k = 0; null >= 0 && k < 3; k++)
    dup2(null, k);
  if (null > 2)
    close(null);
}

static void be_child(const SlipCampaign *campaign, const SlipiBenchCell *cell, int pipe,
                     pid_t parent) {
  settle();
  if (getppid() != parent)
    _exit(1); /* it ended before we asked to end with it */
  set_limits(campaign, cell);
  if (!cell->runner && slipi_bench_is_peer(cell->method)) {
    run_peer(campaign, cell, pipe);
    _exit(CANNOT_EXECUTE);
  }
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  run_in_process(campaign, cell, pipe);
  _exit(0);
}

/* ---- In the parent -------------------------------------------------------------------------- */

SlipStatus slipi_child_start(const SlipCampaign *campaign, SlipiBenchCell *cell,
                             SlipiBenchChild *child, SlipError *error) {
  int ends[2];
  if (pipe(ends) != 0)
    return slipi_fail(error, SLIP_ERROR_FILE, "no pipe can be made: %s", strerror(errno));
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    close(ends[0]);
    be_child(campaign, cell, ends[1], parent);
  }
  int problem = errno;
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return slipi_fail(error, SLIP_ERROR_MEMORY, "no process can be started: %s", strerror(problem));
  }
  setpgid(pid, pid); /* also here: who comes first does not matter */
  child->said.length = 0;
  double now = slipi_clock_seconds();
  *child = (SlipiBenchChild){.cell = cell,
                             .pid = (int)pid,
                             .pipe = ends[0],
                             .forked = now,
                             .started = NAN,
                             .deadline = now + campaign->load,
                             .said = child->said};
  return SLIP_OK;
}

static void hear_line(const SlipCampaign *campaign, SlipiBenchChild *child, const char *line) {
  double now = slipi_clock_seconds();
  if (!strncmp(line, "start\n", 6)) {
    child->started = now;
    child->deadline = now + child->cell->time_limit + campaign->grace;
  } else if (!strncmp(line, "solved\n", 7)) {
    child->deadline = now + check_limit;
  }
}

bool slipi_child_listen(const SlipCampaign *campaign, SlipiBenchChild *child) {
  char part[4096];
  ssize_t got = read(child->pipe, part, sizeof part);
  if (got <= 0)
    return got == 0 || (errno != EAGAIN && errno != EINTR);
  slipi_text_add_bytes(&child->said, part, (size_t)got);
  if (child->said.failed)
    return true;
  char *line, *end;
  while (line = child->said.bytes + child->heard, (end = strchr(line, '\n'))) {
    hear_line(campaign, child, line);
    child->heard += (size_t)(end - line) + 1;
  }
  return false;
}

/* Bytes of memory a process holds; 0 when that is not known. */
static double resident_bytes(int pid) {
  char path[64];
  double size = 0, resident = 0;
  snprintf(path, sizeof path, "/proc/%d/statm", pid);
  FILE *stream = fopen(path, "r");
  if (stream && fscanf(stream, "%lf %lf", &size, &resident) != 2)
    resident = 0;
  if (stream)
    fclose(stream);
  return resident * (double)sysconf(_SC_PAGESIZE);
}

void slipi_child_kill(SlipiBenchChild *child) {
  kill(-child->pid, SIGKILL);
  kill(child->pid, SIGKILL);
}

void slipi_child_police(const SlipCampaign *campaign, SlipiBenchChild *child, double now) {
  /* The kernel limits the memory that is asked for, not the memory in use; this check catches the
   * rest. */
  double most = (1.25 * campaign->memory + 64) * 1048576;
  if (child->killed)
    return;
  if (now > child->deadline)
    child->killed = "TIMEOUT";
  else if (campaign->memory > 0 && resident_bytes(child->pid) > most)
    child->killed = "MEMORY";
  if (child->killed)
    slipi_child_kill(child);
}

/* ---- The row -------------------------------------------------------------------------------- */

/* Reap it; a child that has closed its pipe but lives on is helped. */
static int reap(SlipiBenchChild *child, struct rusage *usage) {
  const struct timespec moment = {.tv_nsec = 1000000};
  int status = 0;
  for (int k = 0; k < 2000; k++) {
    pid_t got = wait4(child->pid, &status, WNOHANG, usage);
    if (got == child->pid)
      return status;
    if (got < 0 && errno != EINTR)
      return -1;
    nanosleep(&moment, NULL);
  }
  slipi_child_kill(child);
  while (wait4(child->pid, &status, 0, usage) < 0 && errno == EINTR) {
  }
  return status;
}

static void parse_line(const char *line, SlipiArena *arena, SlipBenchRow *row) {
  int32_t contacts, dof, dimension;
  char outcome[SLIPI_BENCH_OUTCOME];
  SlipBenchRow got;
  if (sscanf(line, "size %" SCNd32 " %" SCNd32 " %" SCNd32, &contacts, &dof, &dimension) == 3) {
    row->contacts = contacts;
    row->dof = dof;
    row->dimension = dimension;
  } else if (sscanf(line, "result %31s %lf %" SCNd64 " %lf", outcome, &got.error, &got.iterations,
                    &got.seconds) == 4) {
    row->outcome = slipi_arena_text(arena, outcome, strlen(outcome));
    row->error = got.error;
    row->iterations = got.iterations;
    row->seconds = got.seconds;
  } else if (sscanf(line, "physical %lf", &got.physical) == 1) {
    row->physical = got.physical;
  } else if (!strncmp(line, "trace ", 6)) {
    row->trace = slipi_trace_parse(arena, line + 6, &row->trace_count);
  } else if (!strncmp(line, "reason ", 7)) {
    row->reason = slipi_arena_text(arena, line + 7, strlen(line + 7));
  }
}

/* Read its output; true when it came to the end of it. */
static bool parse_said(SlipiBenchChild *child, SlipiArena *arena, SlipBenchRow *row) {
  bool ended = false;
  char *line = child->said.length > 0 ? child->said.bytes : NULL;
  for (char *next; line && (next = strchr(line, '\n')); line = next + 1) {
    *next = '\0';
    parse_line(line, arena, row);
    ended = !strcmp(line, "end");
  }
  return ended && !arena->failed;
}

/* Why a child ended before its end. */
static const char *cause(const SlipCampaign *campaign, const SlipiBenchChild *child, int status,
                         int64_t peak_kib) {
  if (child->killed)
    return child->killed;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return "TIMEOUT";
  if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_EXECUTE)
    return "ERROR";
  if (campaign->memory > 0 && (double)peak_kib > 0.9 * 1024 * campaign->memory)
    return "MEMORY";
  return "CRASH";
}

void slipi_child_finish(const SlipCampaign *campaign, SlipiBenchChild *child, SlipiArena *arena,
                        SlipBenchRow *row) {
  struct rusage usage = {0};
  double now = slipi_clock_seconds();
  int status = reap(child, &usage);
  close(child->pipe);
  *row = (SlipBenchRow){.problem = child->cell->problem->name,
                        .physical = NAN,
                        .family = child->cell->problem->family,
                        .contacts = -1,
                        .dof = -1,
                        .dimension = -1,
                        .method = child->cell->method,
                        .tol = child->cell->tol,
                        .outcome = "CRASH",
                        .error = NAN,
                        .iterations = -1,
                        .seconds = NAN,
                        .peak_kib = usage.ru_maxrss,
                        .content = child->cell->problem->content,
                        .reason = ""};
  if (!parse_said(child, arena, row)) {
    row->reason = "";
    row->outcome = cause(campaign, child, status, row->peak_kib);
    row->error = NAN;
    row->iterations = -1;
    row->seconds = now - child->started;
  }
  row->solved = !strcmp(row->outcome, slip_outcome_name(SLIP_SOLVED));
  child->cell = NULL;
}
