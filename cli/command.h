/* The subcommands and their flags, in one table: parsing, --help, the man page and the shell
 * completion all come from it. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stddef.h>
#include <stdint.h>

/* Exit codes. Where files differ the greatest wins, except that bad input wins over all. */
enum { CLI_SOLVED = 0, CLI_UNSOLVED = 1, CLI_BAD = 2, CLI_NONE = 3 };

/* The kind of a flag's value or of an operand: names it in the help and tells the completion what
 * to offer. */
typedef enum CliKind {
  CLI_SWITCH, /* no value */
  CLI_NUMBER,
  CLI_WHOLE, /* a whole number */
  CLI_FILE,
  CLI_METHOD,
  CLI_SETTING, /* key=value */
  CLI_FORM,
  CLI_GENERATOR,
  CLI_SHELL,
  CLI_TEXT, /* free */
  CLI_PEER,
  CLI_MEASURE
} CliKind;

typedef struct CliFlag {
  const char *name; /* without the dashes */
  CliKind kind;
  const char *argument; /* the name of the value in the help; NULL for a switch */
  const char *help;     /* NULL: the flag sets the common option of the same name */
} CliFlag;

typedef struct CliArgs CliArgs;

typedef struct CliCommand {
  const char *name;
  const char *operands; /* as the usage line shows them */
  CliKind operand_kind;
  int min_operands, max_operands; /* max -1: any number */
  int flag_count;
  const CliFlag *flags;
  const char *summary;     /* one line */
  const char *description; /* paragraphs parted by '\n' */
  const char *examples;    /* one per line */
  const char *exit_text;   /* NULL: 0, or 2 for wrong usage */
  int (*run)(const CliArgs *args);
} CliCommand;

extern const CliCommand cli_commands[];
extern const int cli_command_count;
/* The tool itself: its flags and operands when no subcommand is named. */
extern const CliCommand cli_tool;

const CliCommand *cli_command_find(const char *name);
/* The help of the flag, with its default. */
void cli_flag_text(const CliFlag *flag, char *text, size_t size);
const char *cli_exit_text(const CliCommand *command);

/* ---- Parsed arguments --------------------------------------------------------------------- */

typedef struct CliGiven {
  const CliFlag *flag;
  const char *value; /* NULL for a switch */
} CliGiven;

/* Flags in the order they were given, then operands; the strings are argv's. */
struct CliArgs {
  const CliCommand *command;
  CliGiven *given;
  int given_count;
  const char **operands;
  int operand_count;
};

/* Parse argv[0..argc); 0, or CLI_BAD after a sentence on stderr. Numbers of operands are checked
 * by cli_args_check, so that --help works without them. */
int cli_args_parse(const CliCommand *command, int argc, char **argv, CliArgs *args);
int cli_args_check(const CliArgs *args);
void cli_args_free(CliArgs *args);

/* The last value given for a flag, or NULL; for a switch, its name. */
const char *cli_args_value(const CliArgs *args, const char *name);

/* The whole of `text` as a number; 0 when it is not one or out of range. */
int cli_parse_int32(const char *text, int32_t *value);
int cli_parse_uint64(const char *text, uint64_t *value);
int cli_parse_real(const char *text, double *value);

/* ---- Texts made from the table, and the subcommands --------------------------------------- */

void cli_print_usage(const CliCommand *command);
void cli_print_help(const CliCommand *command);
void cli_print_man(void);
void cli_print_bash_completion(void);
void cli_print_zsh_completion(void);
void cli_print_fish_completion(void);

int cli_run_solve(const CliArgs *args);
int cli_run_info(const CliArgs *args);
int cli_run_check(const CliArgs *args);
int cli_run_convert(const CliArgs *args);
int cli_run_generate(const CliArgs *args);
int cli_run_list(const CliArgs *args);
int cli_run_bench(const CliArgs *args);
int cli_run_profile(const CliArgs *args);
int cli_run_sim(const CliArgs *args);
int cli_run_export(const CliArgs *args);
int cli_run_view(const CliArgs *args);

#endif
