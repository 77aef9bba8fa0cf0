/* The man page, in roff, from the table. */
#include <stdio.h>
#include <string.h>

#include <slipcone/version.h>

#include "command.h"

/* Plain text as roff: a backslash, a dash and a leading dot or quote mean something there. */
static void roff(const char *text, int length) {
  for (int k = 0; k < length; k++) {
    int starts_line = k == 0 || text[k - 1] == '\n';
    if (starts_line && (text[k] == '.' || text[k] == '\''))
      fputs("\\&", stdout);
    if (text[k] == '\\')
      fputs("\\e", stdout);
    else if (text[k] == '-')
      fputs("\\-", stdout);
    else if (text[k] == '\'')
      fputs("\\(aq", stdout);
    else
      putchar(text[k]);
  }
}

static void roff_line(const char *text) {
  roff(text, (int)strlen(text));
  putchar('\n');
}

static void paragraphs(const char *text) {
  while (*text) {
    int length = (int)strcspn(text, "\n");
    puts(".PP");
    roff(text, length);
    putchar('\n');
    text += length + (text[length] == '\n');
  }
}

static void flags(const CliCommand *command) {
  for (int k = 0; k < command->flag_count; k++) {
    const CliFlag *flag = &command->flags[k];
    fputs(".TP\n\\fB\\-\\-", stdout);
    roff(flag->name, (int)strlen(flag->name));
    fputs("\\fR", stdout);
    if (flag->argument) {
      fputs(" \\fI", stdout);
      roff(flag->argument, (int)strlen(flag->argument));
      fputs("\\fR", stdout);
    }
    putchar('\n');
    char help[512];
    cli_flag_text(flag, help, sizeof help);
    roff_line(help);
  }
}

static void command_section(const CliCommand *command) {
  printf(".SS \"slipcone %s [FLAGS] %s\"\n", command->name, command->operands);
  paragraphs(command->description);
  flags(command);
}

void cli_print_man(void) {
  printf(".TH SLIPCONE 1 \"\" \"slipcone %s\" \"User Commands\"\n", SLIPCONE_VERSION);
  puts(".SH NAME");
  fputs("slipcone \\- ", stdout);
  roff_line(cli_tool.summary);
  puts(".SH SYNOPSIS\n.B slipcone\n.I COMMAND\n[\\fIFLAGS\\fR] [\\fIOPERANDS\\fR]");
  puts(".SH DESCRIPTION");
  paragraphs(cli_tool.description);
  flags(&cli_tool);
  puts(".SH COMMANDS");
  for (int k = 0; k < cli_command_count; k++)
    command_section(&cli_commands[k]);
  puts(".SH \"EXIT STATUS\"");
  roff_line(cli_exit_text(&cli_tool));
  puts(".SH EXAMPLES\n.nf");
  for (int k = 0; k < cli_command_count; k++)
    roff_line(cli_commands[k].examples);
  puts(".fi");
}
