/* The zsh completion script, from the table. */
#include <stdio.h>

#include "completion.h"

/* Text inside a specification of _arguments, itself inside single quotes. */
static void print_escaped(const char *text) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (*text == '[' || *text == ']' || *text == ':' || *text == '\\')
      printf("\\%c", *text);
    else
      putchar(*text);
  }
}

/* ":MESSAGE:ACTION" of a value or an operand. */
static void print_action(const char *message, CliKind kind) {
  putchar(':');
  print_escaped(message);
  putchar(':');
  if (kind == CLI_FILE) {
    fputs("_files", stdout);
    return;
  }
  putchar('(');
  cli_completion_words(kind);
  putchar(')');
}

static void print_flags(const CliCommand *command) {
  for (int k = 0; k < command->flag_count; k++) {
    const CliFlag *flag = &command->flags[k];
    char help[512];
    cli_flag_text(flag, help, sizeof help);
    printf(" \\\n      '%s--%s[", flag->kind == CLI_SETTING ? "*" : "", flag->name);
    print_escaped(help);
    putchar(']');
    if (flag->kind != CLI_SWITCH)
      print_action(flag->argument, flag->kind);
    putchar('\'');
  }
}

static void print_command(const CliCommand *command) {
  printf("  %s)\n    _arguments", command->name);
  print_flags(command);
  printf(" \\\n      '*");
  print_action(command->operands, command->operand_kind);
  puts("' ;;");
}

void cli_print_zsh_completion(void) {
  puts("#compdef slipcone\n"
       "# zsh completion for slipcone, written by 'slipcone --completion zsh'\n"
       "_slipcone() {\n"
       "  if (( CURRENT == 2 )); then\n"
       "    local -a commands=(");
  for (int k = 0; k < cli_command_count; k++) {
    printf("      '%s:", cli_commands[k].name);
    print_escaped(cli_commands[k].summary);
    puts("'");
  }
  fputs("    )\n"
        "    _describe command commands\n"
        "    _arguments",
        stdout);
  print_flags(&cli_tool);
  puts("\n    return\n"
       "  fi\n"
       "  local command=$words[2]\n"
       "  shift words\n"
       "  (( CURRENT-- ))\n"
       "  case $command in");
  for (int k = 0; k < cli_command_count; k++)
    print_command(&cli_commands[k]);
  puts("  esac\n"
       "}\n"
       "_slipcone \"$@\"");
}
