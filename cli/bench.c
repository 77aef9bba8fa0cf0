/* slipcone bench: every method on every problem. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slipcone/bench.h>

#include "benchview.h"
#include "command.h"
#include "output.h"
#include "peers.h"
#include "progress.h"

/* One call of the command. */
typedef struct Call {
  const CliArgs *args;
  SlipCampaign campaign;
  SlipCampaignFile *file; /* NULL without --campaign */
  SlipBenchNames *methods;
  CliPeers peers;
  const char **names; /* methods and peers */
  SlipBenchRule *rules;
  int unreadable; /* problems that cannot be read */
} Call;

/* ---- Rules: tolerances and time limits ------------------------------------------------------ */

enum { TOLERANCES = 32 };

/* "1e-4,1e-8" */
static int parse_tolerances(const char *text, double *tol, int *count) {
  *count = 0;
  for (const char *at = text;; at++) {
    char *end;
    double value = strtod(at, &end);
    if (end == at || (*end && *end != ',') || !(value > 0) || isinf(value))
      return cli_complain("--tol wants numbers above 0 parted by commas, not '%s'", text);
    if (*count == TOLERANCES)
      return cli_complain("--tol takes at most %d numbers", TOLERANCES);
    tol[(*count)++] = value;
    if (!*end)
      return 0;
    at = end;
  }
}

/* Each of the tolerances on every family. */
static int rules_of_flags(Call *call, const char *tolerances, double limit) {
  double tol[TOLERANCES];
  int count;
  if (parse_tolerances(tolerances, tol, &count))
    return CLI_BAD;
  call->rules = calloc((size_t)count + 1, sizeof *call->rules);
  if (!call->rules)
    return cli_complain("no memory for the campaign");
  for (int k = 0; k < count; k++)
    call->rules[k] = (SlipBenchRule){"*", tol[k], limit};
  call->campaign.rules = call->rules;
  call->campaign.rule_count = count;
  return 0;
}

/* The rules of the campaign with another time limit. */
static int rules_with_limit(Call *call, double limit) {
  int count = call->campaign.rule_count;
  call->rules = calloc((size_t)count + 1, sizeof *call->rules);
  if (!call->rules)
    return cli_complain("no memory for the campaign");
  for (int k = 0; k < count; k++) {
    call->rules[k] = call->campaign.rules[k];
    call->rules[k].time_limit = limit;
  }
  call->campaign.rules = call->rules;
  return 0;
}

/* --tol replaces the campaign's rules, --time-limit alone their limits. */
static int read_rules(Call *call) {
  const char *tolerances = cli_args_value(call->args, "tol");
  const char *seconds = cli_args_value(call->args, "time-limit");
  double limit = 60;
  if (seconds && (!cli_parse_real(seconds, &limit) || !(limit > 0)))
    return cli_complain("--time-limit wants a number of seconds above 0, not '%s'", seconds);
  if (tolerances)
    return rules_of_flags(call, tolerances, limit);
  return seconds ? rules_with_limit(call, limit) : 0;
}

/* ---- Other flags ---------------------------------------------------------------------------- */

static int read_count(const CliArgs *args, const char *name, int *value) {
  const char *text = cli_args_value(args, name);
  int32_t number;
  if (!text)
    return 0;
  if (!cli_parse_int32(text, &number) || number < 1 || number > 1000)
    return cli_complain("--%s wants a whole number from 1 to 1000, not '%s'", name, text);
  *value = (int)number;
  return 0;
}

/* "3/16" */
static int read_shard(Call *call) {
  const char *text = cli_args_value(call->args, "shard");
  char *end;
  if (!text)
    return 0;
  long shard = strtol(text, &end, 10), shards = *end == '/' ? strtol(end + 1, &end, 10) : 0;
  if (*end || end == text || shard < 1 || shards < shard || shards > 1000000)
    return cli_complain("--shard wants K/N with K from 1 to N, as in 3/16, not '%s'", text);
  call->campaign.shard = (int)shard;
  call->campaign.shards = (int)shards;
  return 0;
}

static int read_limits(Call *call) {
  const char *memory = cli_args_value(call->args, "memory");
  if (memory && (!cli_parse_real(memory, &call->campaign.memory) || !(call->campaign.memory >= 0)))
    return cli_complain("--memory wants a number of MiB, not '%s'", memory);
  int code = read_shard(call);
  if (!code)
    code = read_count(call->args, "repeat", &call->campaign.repeat);
  return code ? code : read_count(call->args, "jobs", &call->campaign.jobs);
}

static int read_campaign(Call *call) {
  const char *path = cli_args_value(call->args, "campaign");
  SlipError error;
  if (!path)
    return 0;
  if (slip_campaign_file_read(path, &call->file, &error))
    return cli_complain_file(path, error.text);
  const SlipCampaignFile *file = call->file;
  if (file->rule_count > 0) {
    call->campaign.rules = file->rules;
    call->campaign.rule_count = file->rule_count;
  }
  if (!isnan(file->memory))
    call->campaign.memory = file->memory;
  if (!isnan(file->grace))
    call->campaign.grace = file->grace;
  if (!isnan(file->load))
    call->campaign.load = file->load;
  if (file->repeat > 0)
    call->campaign.repeat = file->repeat;
  return 0;
}

static int read_methods(Call *call) {
  const char *list = cli_args_value(call->args, "methods");
  const char *peers = cli_args_value(call->args, "peers");
  SlipError error;
  if (!list)
    list = call->file && call->file->methods ? call->file->methods : "all";
  if (slip_bench_methods(list, &call->methods, &error))
    return cli_complain("--methods %s: %s", list, error.text);
  if (cli_peers_find(peers, &call->peers))
    return CLI_BAD;
  call->campaign.peer_tool = call->peers.tool;
  call->names =
      calloc((size_t)call->methods->count + (size_t)call->peers.count, sizeof *call->names);
  if (!call->names)
    return cli_complain("no memory for the campaign");
  int count = 0;
  for (int k = 0; k < call->methods->count; k++)
    call->names[count++] = call->methods->names[k];
  for (int k = 0; k < call->peers.count; k++)
    call->names[count++] = call->peers.names[k];
  call->campaign.methods = call->names;
  call->campaign.method_count = count;
  return 0;
}

static int prepare(Call *call) {
  const CliArgs *args = call->args;
  call->campaign = slip_default_campaign();
  call->campaign.paths = args->operands;
  call->campaign.path_count = args->operand_count;
  call->campaign.out = cli_args_value(args, "out");
  if (!call->campaign.out)
    return cli_complain("--out FILE is wanted: where the results go");
  int code = cli_check_target(call->campaign.out);
  if (!code)
    code = cli_bench_check_drawings(args, call->campaign.out);
  if (!code)
    code = read_campaign(call);
  if (!code)
    code = read_rules(call);
  if (!code)
    code = read_limits(call);
  return code ? code : read_methods(call);
}

/* ---- Progress ------------------------------------------------------------------------------- */

static void print_duration(FILE *stream, double seconds) {
  if (seconds < 90)
    fprintf(stream, "%.0f s", ceil(seconds));
  else if (seconds < 5400)
    fprintf(stream, "%.0f min", ceil(seconds / 60));
  else
    fprintf(stream, "%.1f h", seconds / 3600);
}

/* Short enough for one line of 80. */
static int show(const SlipBenchProgress *progress, void *user) {
  enum { WIDTH = 24 };
  const int *terminal = user;
  if (*terminal) {
    int filled = progress->total > 0 ? (int)((int64_t)WIDTH * progress->done / progress->total) : 0;
    fputs("\r\033[K[", stderr);
    for (int k = 0; k < WIDTH; k++)
      fputc(k < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %d/%d", (int)progress->done, (int)progress->total);
    if (!isnan(progress->seconds_left)) {
      fputs(", ", stderr);
      print_duration(stderr, progress->seconds_left);
      fputs(" left", stderr);
    }
    if (progress->problem)
      fprintf(stderr, ", %.16s", progress->method);
    fflush(stderr);
  }
  return cli_progress_interrupted();
}

/* ------------------------------------------------------------------------------------------- */

static int run_campaign(Call *call) {
  SlipCampaignSummary summary = slip_default_campaign_summary();
  SlipError error;
  int terminal = isatty(STDERR_FILENO);
  call->campaign.progress = show;
  call->campaign.user = &terminal;
  cli_progress_catch_interrupts();
  SlipStatus status = slip_campaign_run(&call->campaign, &summary, &error);
  if (terminal)
    fputs("\r\033[K", stderr);
  if (status)
    return cli_complain("%s", error.text);
  int32_t runs = summary.resumed + summary.run;
  printf("%d %s, %d of them there before, %d solved; results in %s\n", (int)runs,
         cli_plural(runs, "run", "runs"), (int)summary.resumed, (int)summary.solved,
         call->campaign.out);
  call->unreadable = (int)summary.unreadable;
  if (call->unreadable > 0)
    cli_note("%d of the problems cannot be read; the column reason of %s says why",
             call->unreadable, call->campaign.out);
  if (!summary.interrupted)
    return 0;
  cli_note("interrupted with %d of %d runs done; the same command goes on from there",
           (int)(summary.resumed + summary.run), (int)summary.total);
  return CLI_UNSOLVED;
}

/* --merge */
static int merge(const CliArgs *args) {
  const char *out = cli_args_value(args, "out");
  int32_t rows = 0;
  SlipError error;
  if (!out)
    return cli_complain("--out FILE is wanted: where the results go");
  int code = cli_check_target(out);
  if (!code)
    code = cli_bench_check_drawings(args, out);
  if (code)
    return code;
  if (slip_bench_merge(args->operands, args->operand_count, out, &rows, &error))
    return cli_complain("%s", error.text);
  printf("%d %s of %d %s; results in %s\n", (int)rows, cli_plural(rows, "run", "runs"),
         args->operand_count, cli_plural(args->operand_count, "file", "files"), out);
  return cli_bench_draw(args, out, NULL);
}

int cli_run_bench(const CliArgs *args) {
  Call call = {.args = args};
  if (cli_args_value(args, "merge"))
    return merge(args);
  int code = prepare(&call);
  if (!code)
    code = run_campaign(&call);
  if (!code)
    code = cli_bench_draw(args, call.campaign.out, NULL);
  if (!code && call.unreadable > 0)
    code = CLI_BAD;
  free(call.names);
  free(call.rules);
  cli_peers_free(&call.peers);
  slip_bench_names_free(call.methods);
  slip_campaign_file_free(call.file);
  return code;
}
