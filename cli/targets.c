#include "targets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "library.h"
#include "output.h"

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && !strcmp(text + length - tail, end);
}

/* The input's own name in the directory; results are HDF5, so text inputs and folders change
 * theirs. */
static char *name_in_directory(const char *directory, const char *input) {
  const char *slash = ends_with(directory, "/") ? "" : "/", *name = input;
  size_t length = strlen(input);
  while (length > 1 && input[length - 1] == '/')
    length--;
  for (size_t k = 0; k < length; k++)
    name = input[k] == '/' ? input + k + 1 : name;
  length -= (size_t)(name - input);
  int folder = cli_is_directory(input), text = !folder && ends_with(name, ".dat");
  return cli_format("%s%s%.*s%s", directory, slash, (int)length - (text ? 4 : 0), name,
                    folder || text ? ".hdf5" : "");
}

/* A folder such as . or ../.. is named by the way to it, not by a name of its own. */
static int has_name(const char *input) {
  size_t length = strlen(input);
  while (length > 0 && input[length - 1] == '/')
    length--;
  size_t start = length;
  while (start > 0 && input[start - 1] != '/')
    start--;
  return strspn(input + start, ".") < length - start;
}

static int make_directory(const char *path) {
  if (mkdir(path, 0777) != 0 && !(errno == EEXIST && cli_is_directory(path)))
    return cli_complain("the directory %s cannot be made: %s", path, strerror(errno));
  return 0;
}

/* Two inputs with the same name would be written over each other: `target` is that of operand k. */
static int check_distinct(const CliArgs *args, char **targets, int k, const char *target) {
  for (int j = 0; j < k; j++)
    if (targets[j] && !strcmp(targets[j], target))
      return cli_complain("%s and %s would both be written to %s", args->operands[j],
                          args->operands[k], target);
  return 0;
}

/* Also the trace and the plot, which are files the run writes too. */
static int check_inputs_safe(const CliArgs *args, const char *target) {
  if (access(target, F_OK) != 0)
    return 0;
  for (int k = 0; k < args->operand_count; k++)
    if (cli_same_file(args->operands[k], target))
      return cli_complain("%s would be written over, and it is an input", target);
  return 0;
}

static int fill(const CliArgs *args, const char *out, int in_directory, char **targets) {
  for (int k = 0; k < args->operand_count; k++) {
    if (in_directory && !strcmp(args->operands[k], "-"))
      return cli_complain("--out %s is a directory, and standard input has no name to use in it",
                          out);
    if (in_directory && !has_name(args->operands[k]))
      return cli_complain("--out %s is a directory, and %s has no name to use in it: name the "
                          "folder, or give --out a file",
                          out, args->operands[k]);
    targets[k] = in_directory ? name_in_directory(out, args->operands[k]) : cli_format("%s", out);
    if (!targets[k])
      return cli_complain("no memory for the names of the results");
    if (in_directory && check_distinct(args, targets, k, targets[k]))
      return CLI_BAD;
  }
  return 0;
}

static int plan_out(const CliArgs *args, const char *out, char **targets) {
  if (!*out)
    return cli_complain("--out needs the name of a file or directory, not ''");
  int in_directory = args->operand_count > 1 || ends_with(out, "/") || cli_is_directory(out);
  if (fill(args, out, in_directory, targets))
    return CLI_BAD;
  if (!in_directory && cli_format_of(out) == SLIP_FORMAT_SICONOS)
    return cli_complain("%s would be Siconos text, which has no place for a solution: give --out a "
                        "name that ends in .hdf5",
                        out);
  if (in_directory && make_directory(out))
    return CLI_BAD;
  for (int k = 0; k < args->operand_count; k++)
    if (cli_check_target(targets[k]) || check_inputs_safe(args, targets[k]))
      return CLI_BAD;
  return 0;
}

/* The file of --trace or --plot. */
static int check_extra(const CliArgs *args, const char *flag, char **targets) {
  const char *path = cli_args_value(args, flag);
  if (!path)
    return 0;
  if (cli_check_target(path) || check_inputs_safe(args, path))
    return CLI_BAD;
  for (int k = 0; targets && k < args->operand_count; k++)
    if (targets[k] && (!strcmp(targets[k], path) || cli_same_file(targets[k], path)))
      return cli_complain("--out and --%s would both write %s", flag, path);
  return 0;
}

static int check_extras(const CliArgs *args, char **targets) {
  const char *trace = cli_args_value(args, "trace"), *plot = cli_args_value(args, "plot");
  if (check_extra(args, "trace", targets) || check_extra(args, "plot", targets))
    return CLI_BAD;
  if (trace && plot && (!strcmp(trace, plot) || cli_same_file(trace, plot)))
    return cli_complain("--trace and --plot would both write %s", plot);
  return 0;
}

int cli_targets_plan(const CliArgs *args, char ***targets) {
  const char *out = cli_args_value(args, "out");
  *targets = NULL;
  if (out && !(*targets = calloc((size_t)args->operand_count, sizeof **targets)))
    return cli_complain("no memory for the names of the results");
  if ((out && plan_out(args, out, *targets)) || check_extras(args, *targets)) {
    cli_targets_free(*targets, args->operand_count);
    *targets = NULL;
    return CLI_BAD;
  }
  return 0;
}

void cli_targets_free(char **targets, int count) {
  for (int k = 0; targets && k < count; k++)
    free(targets[k]);
  free(targets);
}
