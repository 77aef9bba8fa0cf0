/* Completion scripts: the words they offer, and the script of bash. */
#include <stdio.h>
#include <string.h>

#include <slipcone/generate.h>
#include <slipcone/slipcone.h>

#include "command.h"
#include "completion.h"

static void method_names(void) {
  const SlipMethodInfo *method;
  for (int k = 0; (method = slip_method_info(k)); k++)
    printf("%s%s", k ? " " : "", method->name);
}

static void generator_names(void) {
  const SlipGenerateInfo *kind;
  for (int k = 0; (kind = slip_generate_info(k)); k++)
    printf("%s%s", k ? " " : "", kind->name);
}

/* Whether one of the first `methods` methods has an option of this name. */
static int named_before(const char *name, int methods) {
  for (int k = 0; k < methods; k++) {
    const SlipMethodInfo *method = slip_method_info(k);
    for (int j = 0; j < method->option_count; j++)
      if (strcmp(method->options[j].name, name) == 0)
        return 1;
  }
  return 0;
}

/* Every option of every method, once, with the equals sign. */
static void setting_names(void) {
  int count = 0;
  const SlipOptionInfo *common = slip_common_options(&count);
  for (int k = 0; k < count; k++)
    printf("%s= ", common[k].name);
  const SlipMethodInfo *method;
  for (int k = 0; (method = slip_method_info(k)); k++)
    for (int j = 0; j < method->option_count; j++)
      if (!named_before(method->options[j].name, k))
        printf("%s= ", method->options[j].name);
}

void cli_completion_words(CliKind kind) {
  switch (kind) {
  case CLI_METHOD:
    method_names();
    break;
  case CLI_SETTING:
    setting_names();
    break;
  case CLI_FORM:
    fputs("local global", stdout);
    break;
  case CLI_GENERATOR:
    generator_names();
    break;
  case CLI_SHELL:
    fputs("bash zsh fish", stdout);
    break;
  case CLI_PEER:
    fputs("siconos", stdout);
    break;
  case CLI_MEASURE:
    fputs("time time-per-contact error-at-budget", stdout);
    break;
  case CLI_TEXT:
  case CLI_SWITCH:
  case CLI_NUMBER:
  case CLI_WHOLE:
  case CLI_FILE:
    break;
  }
}

static void flag_words(const CliCommand *command) {
  for (int k = 0; k < command->flag_count; k++)
    printf("%s--%s", k ? " " : "", command->flags[k].name);
}

static void value_cases(const CliCommand *command) {
  for (int k = 0; k < command->flag_count; k++) {
    const CliFlag *flag = &command->flags[k];
    if (flag->kind == CLI_SWITCH)
      continue;
    printf("    '%s --%s') ", command->name, flag->name);
    if (flag->kind == CLI_FILE) {
      puts("files=1 ;;");
    } else {
      fputs("words='", stdout);
      cli_completion_words(flag->kind);
      puts("' ;;");
    }
  }
}

static void operand_case(const CliCommand *command) {
  printf("    '%s') ", command->name);
  if (command->operand_kind == CLI_FILE) {
    puts("files=1 ;;");
    return;
  }
  fputs("words='", stdout);
  if (command == &cli_tool)
    for (int k = 0; k < cli_command_count; k++)
      printf("%s%s", k ? " " : "", cli_commands[k].name);
  else
    cli_completion_words(command->operand_kind);
  puts("' ;;");
}

void cli_print_bash_completion(void) {
  puts("# bash completion for slipcone, written by 'slipcone --completion bash'\n"
       "_slipcone() {\n"
       "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
       "  local command='' words='' files=0\n"
       "  [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]] && command=${COMP_WORDS[1]}\n"
       "  case \"$command $previous\" in");
  value_cases(&cli_tool);
  for (int k = 0; k < cli_command_count; k++)
    value_cases(&cli_commands[k]);
  puts("    *)\n"
       "    case \"$command $current\" in");
  printf("    ' -'*) words='");
  flag_words(&cli_tool);
  puts("' ;;");
  for (int k = 0; k < cli_command_count; k++) {
    printf("    '%s -'*) words='", cli_commands[k].name);
    flag_words(&cli_commands[k]);
    puts("' ;;");
  }
  puts("    *)\n"
       "    case \"$command\" in");
  operand_case(&cli_tool);
  for (int k = 0; k < cli_command_count; k++)
    operand_case(&cli_commands[k]);
  puts("    esac ;;\n"
       "    esac ;;\n"
       "  esac\n"
       "  COMPREPLY=()\n"
       "  if [[ $files = 1 ]]; then\n"
       "    compopt -o filenames 2>/dev/null\n"
       "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
       "  else\n"
       "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
       "    [[ ${COMPREPLY[0]} = *= ]] && compopt -o nospace 2>/dev/null\n"
       "  fi\n"
       "  return 0\n"
       "}\n"
       "complete -F _slipcone slipcone");
}
