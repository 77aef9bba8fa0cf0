/* slipcone: the command-line tool. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <slipcone/slipcone.h>

#include "command.h"
#include "output.h"
#include "reading.h"

/* OpenBLAS's, where that is the BLAS in use. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

static const char *command_name(int index, const void *user) {
  (void)user;
  return index < cli_command_count ? cli_commands[index].name : NULL;
}

static int print_completion(const char *shell) {
  if (!strcmp(shell, "bash"))
    cli_print_bash_completion();
  else if (!strcmp(shell, "zsh"))
    cli_print_zsh_completion();
  else if (!strcmp(shell, "fish"))
    cli_print_fish_completion();
  else
    return cli_complain("there is no completion for the shell '%s', only for bash, zsh and fish",
                        shell);
  return 0;
}

/* The tool's own flags: the first that asks for something decides. */
static int run_tool(const CliArgs *args) {
  const char *shell = cli_args_value(args, "completion");
  if (args->operand_count > 0)
    return cli_complain("unexpected argument '%s'", args->operands[0]);
  if (cli_args_value(args, "help"))
    cli_print_help(&cli_tool);
  else if (cli_args_value(args, "version"))
    printf("slipcone %s\n", slip_version());
  else if (cli_args_value(args, "man"))
    cli_print_man();
  else if (shell)
    return print_completion(shell);
  return 0;
}

static int run_command(const CliArgs *args) {
  if (cli_args_value(args, "help")) {
    cli_print_help(args->command);
    return 0;
  }
  int code = cli_args_check(args);
  return code ? code : args->command->run(args);
}

static int run(int argc, char **argv) {
  if (argc < 2) {
    fputs("Usage: slipcone COMMAND [FLAGS] [OPERANDS]; see 'slipcone --help'\n", stderr);
    return CLI_BAD;
  }
  const CliCommand *command = &cli_tool;
  int first = 1;
  if (argv[1][0] != '-') {
    command = cli_command_find(argv[1]);
    first = 2;
  }
  if (!command) {
    char near[96];
    cli_suggestion(argv[1], command_name, NULL, near, sizeof near);
    return cli_complain("unknown command '%s'%s", argv[1],
                        *near ? near : "; see 'slipcone --help'");
  }
  CliArgs args;
  int code = cli_args_parse(command, argc - first, argv + first, &args);
  if (code)
    return code;
  code = command == &cli_tool ? run_tool(&args) : run_command(&args);
  cli_args_free(&args);
  return code;
}

int main(int argc, char **argv) {
  /* Its threads slow small factorisations down, and results must not depend on their number. */
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, seen when stdout is closed */
  int code = cli_finish(run(argc, argv));
  if (cli_reading_given_up())
    _exit(code);
  return code;
}
