#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"

static const CliFlag *find_flag(const CliCommand *command, const char *name, size_t length) {
  for (int k = 0; k < command->flag_count; k++)
    if (strlen(command->flags[k].name) == length && !strncmp(command->flags[k].name, name, length))
      return &command->flags[k];
  return NULL;
}

/* "slipcone" or "slipcone solve", for messages. */
static const char *called(const CliCommand *command, char *buffer, size_t size) {
  snprintf(buffer, size, "slipcone%s%s", *command->name ? " " : "", command->name);
  return buffer;
}

static const char *flag_name(int k, const void *command) {
  const CliCommand *of = command;
  return k < of->flag_count ? of->flags[k].name : NULL;
}

static int unknown_flag(const CliCommand *command, const char *text, size_t length) {
  char name[64], word[64];
  size_t dashes = strspn(text, "-");
  snprintf(word, sizeof word, "%.*s", (int)(length - dashes), text + dashes);
  const char *near = cli_nearest(word, flag_name, command);
  if (near)
    return cli_complain("unknown flag '%.*s'; did you mean '--%s'?", (int)length, text, near);
  return cli_complain("unknown flag '%.*s'; see '%s --help'", (int)length, text,
                      called(command, name, sizeof name));
}

/* One argument that begins with a dash; *k moves on when it takes the next as its value. */
static int parse_flag(const CliCommand *command, int argc, char **argv, int *k, CliGiven *given) {
  const char *text = argv[*k];
  if (!strcmp(text, "-h"))
    text = "--help";
  const char *equals = strchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  if (strncmp(text, "--", 2) != 0 || !(given->flag = find_flag(command, text + 2, length - 2)))
    return unknown_flag(command, text, length);
  if (given->flag->kind == CLI_SWITCH) {
    if (equals)
      return cli_complain("the flag --%s takes no value, not '%s'", given->flag->name, equals + 1);
    given->value = NULL;
  } else if (equals) {
    given->value = equals + 1;
  } else if (*k + 1 < argc) {
    given->value = argv[++*k];
  } else {
    return cli_complain("the flag --%s needs a value, %s", given->flag->name,
                        given->flag->argument);
  }
  return 0;
}

int cli_args_parse(const CliCommand *command, int argc, char **argv, CliArgs *args) {
  *args = (CliArgs){.command = command};
  size_t most = argc > 0 ? (size_t)argc : 1;
  args->given = calloc(most, sizeof *args->given);
  args->operands = calloc(most, sizeof *args->operands);
  if (!args->given || !args->operands) {
    cli_args_free(args);
    return cli_complain("no memory for %d arguments", argc);
  }
  int flags_over = 0;
  for (int k = 0; k < argc; k++) {
    if (!flags_over && !strcmp(argv[k], "--")) {
      flags_over = 1;
    } else if (flags_over || argv[k][0] != '-' || !argv[k][1]) {
      args->operands[args->operand_count++] = argv[k];
    } else if (parse_flag(command, argc, argv, &k, &args->given[args->given_count++])) {
      cli_args_free(args);
      return CLI_BAD;
    }
  }
  return 0;
}

int cli_args_check(const CliArgs *args) {
  const CliCommand *command = args->command;
  char name[64];
  if (args->operand_count < command->min_operands)
    return cli_complain("missing operand: %s %s; see '%s --help'",
                        called(command, name, sizeof name), command->operands, name);
  if (command->max_operands >= 0 && args->operand_count > command->max_operands)
    return cli_complain("'%s' is one operand too many: %s %s; see '%s --help'",
                        args->operands[command->max_operands], called(command, name, sizeof name),
                        command->operands, name);
  return 0;
}

void cli_args_free(CliArgs *args) {
  free(args->given);
  free(args->operands);
  *args = (CliArgs){0};
}

const char *cli_args_value(const CliArgs *args, const char *name) {
  for (int k = args->given_count - 1; k >= 0; k--) {
    const CliGiven *given = &args->given[k];
    if (!strcmp(given->flag->name, name))
      return given->flag->kind == CLI_SWITCH ? given->flag->name : given->value;
  }
  return NULL;
}

/* ---- Numbers ------------------------------------------------------------------------------ */

/* strtol and its kin skip blanks, so the first character is checked as well as the end. */
static int whole(const char *text, const char *end) {
  return *text && !strchr(" \t\n\v\f\r", *text) && !*end && errno == 0;
}

int cli_parse_int32(const char *text, int32_t *value) {
  char *end;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  if (!whole(text, end) || number < INT32_MIN || number > INT32_MAX)
    return 0;
  *value = (int32_t)number;
  return 1;
}

int cli_parse_uint64(const char *text, uint64_t *value) {
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (!whole(text, end) || strchr(text, '-')) /* strtoull wraps negative numbers */
    return 0;
  *value = number;
  return 1;
}

int cli_parse_real(const char *text, double *value) {
  char *end;
  errno = 0;
  double number = strtod(text, &end);
  if (errno == ERANGE && fabs(number) < 1) /* underflow is a rounding, not a mistake */
    errno = 0;
  if (!whole(text, end) || !isfinite(number))
    return 0;
  *value = number;
  return 1;
}
