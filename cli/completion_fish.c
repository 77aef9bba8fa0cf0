/* The fish completion script, from the table. */
#include <stdio.h>

#include "completion.h"

/* Text inside single quotes. */
static void print_escaped(const char *text) {
  for (; *text; text++) {
    if (*text == '\'' || *text == '\\')
      putchar('\\');
    putchar(*text);
  }
}

static void print_flag(const char *condition, const char *command, const CliFlag *flag) {
  char help[512];
  cli_flag_text(flag, help, sizeof help);
  printf("complete -c slipcone -n '%s%s%s' -l %s", condition, *command ? " " : "", command,
         flag->name);
  if (flag->kind == CLI_FILE) {
    fputs(" -r -F", stdout);
  } else if (flag->kind != CLI_SWITCH) {
    fputs(" -x -a '", stdout);
    cli_completion_words(flag->kind);
    putchar('\'');
  }
  fputs(" -d '", stdout);
  print_escaped(help);
  puts("'");
}

static void print_command(const CliCommand *command) {
  const char *seen = "__fish_seen_subcommand_from";
  printf("complete -c slipcone -n __fish_use_subcommand -a %s -d '", command->name);
  print_escaped(command->summary);
  puts("'");
  for (int k = 0; k < command->flag_count; k++)
    print_flag(seen, command->name, &command->flags[k]);
  printf("complete -c slipcone -n '%s %s'", seen, command->name);
  if (command->operand_kind == CLI_FILE) {
    puts(" -F");
    return;
  }
  fputs(" -a '", stdout);
  cli_completion_words(command->operand_kind);
  puts("'");
}

void cli_print_fish_completion(void) {
  puts("# fish completion for slipcone, written by 'slipcone --completion fish'\n"
       "complete -c slipcone -f");
  for (int k = 0; k < cli_tool.flag_count; k++)
    print_flag("__fish_use_subcommand", "", &cli_tool.flags[k]);
  for (int k = 0; k < cli_command_count; k++)
    print_command(&cli_commands[k]);
}
