/* --help and the usage line, from the table. */
#include <stdio.h>
#include <string.h>

#include "command.h"

enum { WIDTH = 79, INDENT = 2, HELP_COLUMN = 26 };

/* The text in lines of at most WIDTH, each after `indent` blanks; the first line is taken to
 * stand at `column` already. '\n' begins a new paragraph. */
static void print_wrapped(int indent, int column, const char *text) {
  const char *word = text;
  int first = 1;
  while (*word) {
    int length = (int)strcspn(word, " \n");
    if (!first && column + 1 + length > WIDTH) {
      printf("\n%*s", indent, "");
      column = indent;
      first = 1;
    }
    column += printf("%s%.*s", first ? "" : " ", length, word);
    first = 0;
    word += length;
    if (*word == '\n') {
      printf("\n%*s", indent, "");
      column = indent;
      first = 1;
    }
    if (*word)
      word++;
  }
  putchar('\n');
}

static void print_flag(const CliFlag *flag) {
  int column = printf("%*s--%s", INDENT, "", flag->name);
  if (flag->argument)
    column += printf(" %s", flag->argument);
  if (column + 2 > HELP_COLUMN) {
    putchar('\n');
    column = 0;
  }
  printf("%*s", HELP_COLUMN - column, "");
  char help[512];
  cli_flag_text(flag, help, sizeof help);
  print_wrapped(HELP_COLUMN, HELP_COLUMN, help);
}

static void print_examples(const char *examples) {
  puts("\nExamples:");
  for (const char *line = examples; *line;) {
    int length = (int)strcspn(line, "\n");
    printf("%*s%.*s\n", INDENT, "", length, line);
    line += length + (line[length] == '\n');
  }
}

void cli_print_usage(const CliCommand *command) {
  printf("Usage: slipcone %s%s[FLAGS] %s\n", command->name, *command->name ? " " : "",
         command->operands);
}

static void print_commands(void) {
  puts("\nCommands:");
  for (int k = 0; k < cli_command_count; k++)
    printf("%*s%-*s%s\n", INDENT, "", HELP_COLUMN - INDENT, cli_commands[k].name,
           cli_commands[k].summary);
}

void cli_print_help(const CliCommand *command) {
  cli_print_usage(command);
  putchar('\n');
  print_wrapped(0, 0, command->description);
  if (command == &cli_tool)
    print_commands();
  puts("\nFlags:");
  for (int k = 0; k < command->flag_count; k++)
    print_flag(&command->flags[k]);
  if (command->examples)
    print_examples(command->examples);
  fputs("\nExit code: ", stdout);
  print_wrapped(0, 11, cli_exit_text(command));
  if (command == &cli_tool)
    puts("\n'slipcone COMMAND --help' describes a command.");
}
