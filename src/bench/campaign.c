/* A campaign: every method on every problem at every tolerance, each in a process of its own, one
 * row in the results file as each ends. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/versioned.h"
#include "bench/bench.h"
#include "bench/machine.h"

enum { TICK = 50 }; /* milliseconds between two looks at limits and progress */

typedef struct Campaign {
  const SlipCampaign *asked;
  SlipCampaignSummary *summary;
  SlipiBenchProblems problems;
  SlipiBenchCell *cells; /* the plan, in the order it is done */
  int32_t cell_count, next, running;
  SlipiBenchChild *children; /* asked->jobs */
  struct pollfd *polls;
  double *method_seconds; /* of each method: the sum over its runs of this call */
  int32_t *method_runs, *method_left;
  int out;     /* descriptor of the results file */
  int columns; /* of it: an older file keeps its own */
  SlipiMachine machine;
  double began;
  const char *last_problem, *last_method;
  SlipiArena arena;
} Campaign;

/* ---- Checks --------------------------------------------------------------------------------- */

static const SlipBenchRunner *find_runner(const SlipCampaign *asked, const char *name) {
  for (int k = 0; k < asked->runner_count; k++)
    if (!strcmp(asked->runners[k].name, name))
      return &asked->runners[k];
  return NULL;
}

static SlipStatus check_method(const SlipCampaign *asked, const char *name, SlipError *error) {
  if (find_runner(asked, name))
    return SLIP_OK;
  if (strlen(name) >= SLIPI_BENCH_NAME)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a method's name has %zu characters",
                      strlen(name));
  if (slipi_bench_is_peer(name)) {
    if (asked->peer_tool && access(asked->peer_tool, X_OK) == 0)
      return SLIP_OK;
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s: the peers' program %s is not there", name,
                      asked->peer_tool ? asked->peer_tool : "");
  }
  SlipSettings *settings;
  SlipStatus status = slipi_bench_settings(name, &settings, error);
  slip_settings_free(settings);
  return status;
}

/* All pointers of the campaign are there. */
static SlipStatus check_pointers(const SlipCampaign *asked, SlipError *error) {
  if (!asked->out || (!asked->paths && asked->path_count > 0) ||
      (!asked->methods && asked->method_count > 0) || (!asked->rules && asked->rule_count > 0) ||
      (!asked->runners && asked->runner_count > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "out, paths, methods, rules or runners is null");
  for (int k = 0; k < asked->path_count; k++)
    if (!asked->paths[k])
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path %d is null", k);
  for (int k = 0; k < asked->method_count; k++)
    if (!asked->methods[k])
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "method %d is null", k);
  for (int k = 0; k < asked->rule_count; k++)
    if (!asked->rules[k].family)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the family of rule %d is null", k);
  for (int k = 0; k < asked->runner_count; k++)
    if (!asked->runners[k].name || !asked->runners[k].run)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "runner %d has no name or no function", k);
  return SLIP_OK;
}

static SlipStatus check(const SlipCampaign *asked, SlipError *error) {
  SlipStatus status = check_pointers(asked, error);
  if (status != SLIP_OK)
    return status;
  if (asked->repeat < 1 || asked->jobs < 1 || asked->jobs > 1024)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "repeat (%d) must be 1 or more, jobs (%d) 1 to 1024", asked->repeat,
                      asked->jobs);
  if (!(asked->grace >= 0) || !(asked->memory >= 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "grace (%g) and memory (%g) must be 0 or more",
                      asked->grace, asked->memory);
  if (!(asked->load > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "load (%g) must be above 0", asked->load);
  if (asked->shards < 0 ||
      (asked->shards > 0 && (asked->shard < 1 || asked->shard > asked->shards)))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "shard %d of %d: it must be 1 to their number",
                      asked->shard, asked->shards);
  if (asked->method_count < 1 || asked->rule_count < 1)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a campaign needs a method and a tolerance");
  for (int k = 0; k < asked->rule_count; k++)
    if (!(asked->rules[k].tol > 0) || !isfinite(asked->rules[k].tol) ||
        !(asked->rules[k].time_limit > 0))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "tolerance %g and time limit %g must be above 0", asked->rules[k].tol,
                        asked->rules[k].time_limit);
  for (int k = 0; status == SLIP_OK && k < asked->method_count; k++)
    status = check_method(asked, asked->methods[k], error);
  return status;
}

/* ---- The plan ------------------------------------------------------------------------------- */

/* The pattern whose rules a family takes; NULL: none fits. */
static const char *pattern_of(const SlipCampaign *asked, const char *family) {
  for (int k = 0; k < asked->rule_count; k++)
    if (fnmatch(asked->rules[k].family, family, 0) == 0)
      return asked->rules[k].family;
  return NULL;
}

static void add_cells(Campaign *campaign, SlipiBenchProblem *problem, const SlipBenchRule *rule) {
  const SlipCampaign *asked = campaign->asked;
  for (int k = 0; k < asked->method_count; k++) {
    campaign->cells[campaign->cell_count++] =
        (SlipiBenchCell){.problem = problem,
                         .method = asked->methods[k],
                         .method_index = k,
                         .runner = find_runner(asked, asked->methods[k]),
                         .tol = rule->tol,
                         .time_limit = rule->time_limit};
  }
}

/* The plan of one shard: its cells of the whole, by turns. */
static void keep_shard(Campaign *campaign) {
  const SlipCampaign *asked = campaign->asked;
  int32_t kept = 0;
  if (asked->shards == 0)
    return;
  for (int32_t k = asked->shard - 1; k < campaign->cell_count; k += asked->shards)
    campaign->cells[kept++] = campaign->cells[k];
  campaign->cell_count = kept;
}

static SlipStatus make_plan(Campaign *campaign, SlipError *error) {
  const SlipCampaign *asked = campaign->asked;
  size_t most = (size_t)campaign->problems.count, methods = (size_t)asked->method_count;
  if (most > INT32_MAX / methods / (size_t)asked->rule_count)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "%zu problems, %zu methods and %d rules are "
                      "more than a campaign can hold",
                      most, methods, asked->rule_count);
  most *= methods * (size_t)asked->rule_count;
  SlipiArena *arena = &campaign->arena;
  campaign->cells = SLIPI_ARENA_NEW(arena, SlipiBenchCell, most);
  campaign->children = SLIPI_ARENA_NEW(arena, SlipiBenchChild, asked->jobs);
  campaign->polls = SLIPI_ARENA_NEW(arena, struct pollfd, asked->jobs);
  campaign->method_seconds = SLIPI_ARENA_NEW(arena, double, methods);
  campaign->method_runs = SLIPI_ARENA_NEW(arena, int32_t, methods);
  campaign->method_left = SLIPI_ARENA_NEW(arena, int32_t, methods);
  if (arena->failed)
    return slipi_fail_memory(error, "a campaign");
  for (int32_t p = 0; p < campaign->problems.count; p++) {
    SlipiBenchProblem *problem = &campaign->problems.items[p];
    const char *pattern = pattern_of(asked, problem->family);
    if (!pattern)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "no rule fits the family '%s' of %s",
                        problem->family, problem->path);
    for (int k = 0; k < asked->rule_count; k++)
      if (!strcmp(asked->rules[k].family, pattern))
        add_cells(campaign, problem, &asked->rules[k]);
  }
  keep_shard(campaign);
  return SLIP_OK;
}

/* ---- The results file ----------------------------------------------------------------------- */

static int compare_keys(const char *problem_a, const char *method_a, double tol_a,
                        const char *problem_b, const char *method_b, double tol_b) {
  int order = strcmp(problem_a, problem_b);
  if (!order)
    order = strcmp(method_a, method_b);
  return order ? order : (tol_a > tol_b) - (tol_a < tol_b);
}

static int compare_rows(const void *a, const void *b) {
  const SlipBenchRow *x = *(const SlipBenchRow *const *)a, *y = *(const SlipBenchRow *const *)b;
  return compare_keys(x->problem, x->method, x->tol, y->problem, y->method, y->tol);
}

static int compare_cell(const void *key, const void *row) {
  const SlipiBenchCell *cell = key;
  const SlipBenchRow *y = *(const SlipBenchRow *const *)row;
  return compare_keys(cell->problem->name, cell->method, cell->tol, y->problem, y->method, y->tol);
}

/* Whether a row is one of the problem as it is now. A file without contents cannot tell. */
static bool is_current(const Campaign *campaign, SlipiBenchCell *cell, const SlipBenchRow *row) {
  if (campaign->columns <= SLIPI_BENCH_OLD_COLUMNS)
    return true;
  slipi_content_find(cell->problem);
  return !strcmp(cell->problem->content, row->content);
}

/* Mark what the file already holds. */
static SlipStatus mark_done(Campaign *campaign, const SlipBenchResults *results, SlipError *error) {
  size_t count = (size_t)results->count;
  const SlipBenchRow **sorted = calloc(count + 1, sizeof(const SlipBenchRow *));
  if (!sorted)
    return slipi_fail_memory(error, "a campaign");
  for (size_t k = 0; k < count; k++)
    sorted[k] = &results->rows[k];
  qsort(sorted, count, sizeof(const SlipBenchRow *), compare_rows);
  for (int32_t k = 0; k < campaign->cell_count; k++) {
    SlipiBenchCell *cell = &campaign->cells[k];
    const SlipBenchRow **found =
        bsearch(cell, sorted, count, sizeof(const SlipBenchRow *), compare_cell);
    cell->done = found && is_current(campaign, cell, *found);
    campaign->summary->resumed += cell->done;
    campaign->summary->solved += cell->done && (*found)->solved;
    if (!cell->done)
      campaign->method_left[cell->method_index]++;
  }
  free(sorted);
  return SLIP_OK;
}

static SlipStatus cannot_write(const Campaign *campaign, SlipError *error) {
  return slipi_fail(error, SLIP_ERROR_FILE, "%s cannot be written: %s", campaign->asked->out,
                    strerror(errno));
}

/* One write for a whole row, so that a campaign that is killed leaves whole rows. */
static SlipStatus append(Campaign *campaign, const SlipiText *text, SlipError *error) {
  if (text->failed)
    return slipi_fail_memory(error, "a row");
  size_t done = 0;
  while (done < text->length) {
    ssize_t got = write(campaign->out, text->bytes + done, text->length - done);
    if (got < 0 && errno != EINTR)
      return cannot_write(campaign, error);
    done += got > 0 ? (size_t)got : 0;
  }
  return SLIP_OK;
}

static SlipStatus read_out(Campaign *campaign, SlipiText *text, SlipError *error) {
  char part[8192];
  ssize_t got;
  slipi_text_add_bytes(text, "", 0);
  while ((got = read(campaign->out, part, sizeof part)) != 0) {
    if (got > 0)
      slipi_text_add_bytes(text, part, (size_t)got);
    else if (errno != EINTR)
      return slipi_fail(error, SLIP_ERROR_FILE, "%s cannot be read: %s", campaign->asked->out,
                        strerror(errno));
  }
  return text->failed ? slipi_fail_memory(error, campaign->asked->out) : SLIP_OK;
}

/* Drop a row that was cut, and begin a file that is new. */
static SlipStatus mend(Campaign *campaign, size_t length, size_t whole, SlipError *error) {
  if (whole < length && ftruncate(campaign->out, (off_t)whole) != 0)
    return cannot_write(campaign, error);
  SlipiText header = {0};
  SlipStatus status = SLIP_OK;
  if (whole == 0) {
    slipi_results_header(&header);
    status = append(campaign, &header, error);
  }
  slipi_text_free(&header);
  return status;
}

/* A file that holds part of the first line and nothing else was cut there. */
static bool is_cut_header(const SlipiText *text) {
  SlipiText header = {0};
  slipi_results_header(&header);
  bool cut = !header.failed && text->length < header.length &&
             !strncmp(text->bytes, header.bytes, text->length);
  slipi_text_free(&header);
  return cut;
}

static SlipStatus open_out(Campaign *campaign, SlipError *error) {
  const char *path = campaign->asked->out;
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  campaign->out = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (campaign->out < 0)
    return cannot_write(campaign, error);
  if (fcntl(campaign->out, F_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES))
    return slipi_fail(error, SLIP_ERROR_FILE, "another campaign is writing %s", path);
  SlipiText text = {0};
  SlipBenchResults *results = NULL;
  size_t whole = 0;
  SlipStatus status = read_out(campaign, &text, error);
  if (status == SLIP_OK)
    status = slipi_results_parse(path, &text, &results, &whole, error);
  if (status == SLIP_OK && whole == 0 && !is_cut_header(&text))
    status =
        slipi_fail(error, SLIP_ERROR_FORMAT, "%s is not a results file and is left alone", path);
  if (status == SLIP_OK) {
    campaign->columns = slipi_results_columns(results);
    status = mark_done(campaign, results, error);
  }
  if (status == SLIP_OK)
    status = mend(campaign, text.length, whole, error);
  slip_bench_results_free(results);
  slipi_text_free(&text);
  return status;
}

/* ---- The loop ------------------------------------------------------------------------------- */

/* Methods differ more than problems do, so each counts with the mean of its own runs. */
static double seconds_left(const Campaign *campaign) {
  double all = 0, left = 0;
  int32_t runs = 0;
  for (int k = 0; k < campaign->asked->method_count; k++) {
    all += campaign->method_seconds[k];
    runs += campaign->method_runs[k];
  }
  for (int k = 0; k < campaign->asked->method_count; k++)
    left += campaign->method_left[k] * (campaign->method_runs[k] > 0
                                            ? campaign->method_seconds[k] / campaign->method_runs[k]
                                            : all / runs); /* 0/0 is NaN: no estimate */
  return left / campaign->asked->jobs;
}

/* True when the caller wants to end. */
static bool report_progress(const Campaign *campaign) {
  const SlipCampaign *asked = campaign->asked;
  if (!asked->progress)
    return false;
  SlipBenchProgress progress = {.size = sizeof progress,
                                .done = campaign->summary->resumed + campaign->summary->run,
                                .total = campaign->cell_count,
                                .resumed = campaign->summary->resumed,
                                .running = campaign->running,
                                .seconds = slipi_clock_seconds() - campaign->began,
                                .seconds_left = seconds_left(campaign),
                                .problem = campaign->last_problem,
                                .method = campaign->last_method};
  return asked->progress(&progress, asked->user) != 0;
}

/* Start what there is room for. */
static SlipStatus start_children(Campaign *campaign, SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (int k = 0; status == SLIP_OK && k < campaign->asked->jobs; k++) {
    if (campaign->children[k].cell)
      continue;
    while (campaign->next < campaign->cell_count && campaign->cells[campaign->next].done)
      campaign->next++;
    if (campaign->next == campaign->cell_count)
      break;
    slipi_content_find(campaign->cells[campaign->next].problem);
    status = slipi_child_start(campaign->asked, &campaign->cells[campaign->next],
                               &campaign->children[k], error);
    if (status == SLIP_OK) {
      campaign->next++;
      campaign->running++;
    }
  }
  return status;
}

static SlipStatus finish_child(Campaign *campaign, SlipiBenchChild *child, SlipError *error) {
  SlipiBenchCell *cell = child->cell;
  SlipiArena arena = {0};
  SlipiText text = {0};
  SlipBenchRow row;
  double took = slipi_clock_seconds() - child->forked;
  slipi_child_finish(campaign->asked, child, &arena, &row);
  campaign->running--;
  row.commit = campaign->machine.commit;
  row.compiler = campaign->machine.compiler;
  row.cpu = campaign->machine.cpu;
  row.version = slip_version();
  slipi_results_row(&text, &row, campaign->columns);
  SlipStatus status = append(campaign, &text, error);
  slipi_text_free(&text);
  slipi_arena_free(&arena);
  cell->done = true;
  campaign->summary->run++;
  campaign->summary->solved += row.solved;
  campaign->method_seconds[cell->method_index] += took;
  campaign->method_runs[cell->method_index]++;
  campaign->method_left[cell->method_index]--;
  campaign->last_problem = cell->problem->name;
  campaign->last_method = cell->method;
  return status;
}

/* Wait for news of the children, at most a moment. */
static SlipStatus attend(Campaign *campaign, bool *ended, SlipError *error) {
  int jobs = campaign->asked->jobs;
  for (int k = 0; k < jobs; k++)
    campaign->polls[k] = (struct pollfd){
        .fd = campaign->children[k].cell ? campaign->children[k].pipe : -1, .events = POLLIN};
  poll(campaign->polls, (nfds_t)jobs, TICK);
  double now = slipi_clock_seconds();
  SlipStatus status = SLIP_OK;
  for (int k = 0; status == SLIP_OK && k < jobs; k++) {
    SlipiBenchChild *child = &campaign->children[k];
    if (!child->cell)
      continue;
    if (campaign->polls[k].revents && slipi_child_listen(campaign->asked, child)) {
      status = finish_child(campaign, child, error);
      *ended = true;
    } else {
      slipi_child_police(campaign->asked, child, now);
    }
  }
  return status;
}

static void stop_children(Campaign *campaign) {
  for (int k = 0; k < campaign->asked->jobs; k++) {
    SlipiBenchChild *child = &campaign->children[k];
    if (child->cell) {
      SlipiArena arena = {0};
      SlipBenchRow row;
      slipi_child_kill(child);
      slipi_child_finish(campaign->asked, child, &arena, &row);
      slipi_arena_free(&arena);
    }
    slipi_text_free(&child->said);
  }
}

static SlipStatus run_all(Campaign *campaign, SlipError *error) {
  SlipStatus status = SLIP_OK;
  double shown = -1;
  bool stop = report_progress(campaign);
  while (status == SLIP_OK && !stop) {
    bool ended = false;
    status = start_children(campaign, error);
    if (status != SLIP_OK || campaign->running == 0)
      break;
    status = attend(campaign, &ended, error);
    double now = slipi_clock_seconds();
    if (status == SLIP_OK && (ended || now - shown > 1e-3 * TICK)) {
      stop = report_progress(campaign);
      shown = now;
    }
  }
  for (int32_t p = 0; p < campaign->problems.count; p++)
    campaign->summary->unreadable += campaign->problems.items[p].unreadable;
  campaign->summary->interrupted =
      stop && campaign->summary->resumed + campaign->summary->run < campaign->cell_count;
  stop_children(campaign);
  if (fsync(campaign->out) != 0 && errno != EINVAL && errno != EROFS && status == SLIP_OK)
    status = cannot_write(campaign, error);
  return status;
}

static SlipStatus run_campaign(const SlipCampaign *asked, SlipCampaignSummary *summary,
                               SlipError *error) {
  SlipStatus status = check(asked, error);
  if (status != SLIP_OK)
    return status;
  Campaign campaign = {
      .asked = asked, .summary = summary, .out = -1, .began = slipi_clock_seconds()};
  status = slipi_problems_find(asked->paths, asked->path_count, &campaign.problems, error);
  if (status == SLIP_OK)
    status = make_plan(&campaign, error);
  if (status == SLIP_OK)
    status = open_out(&campaign, error);
  if (status == SLIP_OK) {
    summary->total = campaign.cell_count;
    slipi_machine(&campaign.machine);
    status = run_all(&campaign, error);
  }
  if (campaign.out >= 0)
    close(campaign.out);
  slipi_problems_free(&campaign.problems);
  slipi_arena_free(&campaign.arena);
  return status;
}

SlipStatus slip_campaign_run(const SlipCampaign *asked, SlipCampaignSummary *summary,
                             SlipError *error) {
  SlipCampaign known = slip_default_campaign();
  SlipCampaignSummary done = slip_default_campaign_summary();
  slipi_error_clear(error);
  if (!asked)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "campaign is null");
  SlipStatus status = slipi_versioned_read("campaign", asked, &known, sizeof known, error);
  if (status == SLIP_OK && summary)
    status = slipi_versioned_check("campaign_summary", summary, error);
  if (status != SLIP_OK)
    return status;
  status = run_campaign(&known, &done, error);
  if (summary)
    slipi_versioned_write(&done, summary, sizeof done);
  return status;
}
