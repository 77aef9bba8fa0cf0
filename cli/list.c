/* slipcone list: methods and their options. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "library.h"
#include "output.h"

static const char *type_name(SlipOptionType type) {
  switch (type) {
  case SLIP_OPTION_REAL:
    return "real";
  case SLIP_OPTION_INT:
    return "int";
  case SLIP_OPTION_BOOL:
    return "bool";
  case SLIP_OPTION_CHOICE:
    return "choice";
  }
  return "unknown";
}

/* ---- Text --------------------------------------------------------------------------------- */

static void print_bound(double value) {
  char text[SLIP_NUMBER_TEXT];
  fputs(slip_number_text(value, text), stdout);
}

static void print_range(const SlipOptionInfo *option) {
  switch (option->type) {
  case SLIP_OPTION_BOOL:
    fputs("on or off", stdout);
    break;
  case SLIP_OPTION_CHOICE:
    for (int k = 0; option->choices[k]; k++)
      printf("%s%s", k ? ", " : "", option->choices[k]);
    break;
  case SLIP_OPTION_REAL:
  case SLIP_OPTION_INT:
    print_bound(option->min);
    if (option->max >= 9007199254740992.0) { /* 2^53: no bound anybody meets */
      fputs(" or more", stdout);
      break;
    }
    fputs(" to ", stdout);
    print_bound(option->max);
    break;
  }
}

/* method NULL: the common options. */
static const char *default_of(const SlipMethodInfo *method, const SlipOptionInfo *options, int k) {
  return method ? slip_method_default(method, k) : options[k].initial;
}

static void print_options(const SlipMethodInfo *method, const SlipOptionInfo *options, int count) {
  for (int k = 0; k < count; k++) {
    printf("  %s=%s  (%s: ", options[k].name, default_of(method, options, k),
           type_name(options[k].type));
    print_range(&options[k]);
    printf(")\n      %s\n", options[k].help);
  }
}

/* The law or law with flow of this number, in the order in which they are told, as words; false
 * behind the last. "" where the method does not take it, or the law has no flow of its own. */
static bool law_words(const SlipMethodInfo *method, int number, char words[64]) {
  int law = number / 2, relaxed = number % 2;
  const char *name = slip_law_name(law);
  words[0] = '\0';
  if (name && relaxed && !slip_law_flows((SlipLaw)law))
    return true;
  SlipFlow flow = relaxed ? SLIP_FLOW_ASSOCIATED : SLIP_FLOW_COULOMB;
  if (name && slip_method_takes_law(method, (SlipLaw)law, flow))
    snprintf(words, 64, "%s%s", name, relaxed ? " with associated flow" : "");
  return name != NULL;
}

static void print_capabilities(const SlipMethodInfo *method) {
  char words[64];
  const char *comma = "";
  fputs("  Laws: ", stdout);
  for (int k = 0; law_words(method, k, words); k++) {
    if (words[0]) {
      printf("%s%s", comma, words);
      comma = ", ";
    }
  }
  bool flat = slip_method_takes_dimension(method, 2),
       space = slip_method_takes_dimension(method, 3);
  printf("\n  Dimensions: %s\n", flat && space ? "2, 3" : flat ? "2" : "3");
}

static const char paper_text[] =
    "Numbers of algorithms and equations are those of Acary, Bremond and Huber, \"On solving\n"
    "contact problems with Coulomb friction: formulations and numerical comparisons\", 2018.";

static bool has_number(const char *text) {
  return strstr(text, "eq.") || strstr(text, "eqs.") || strstr(text, "Algorithm");
}

/* Whether what is told of a method has numbers of the paper. */
static bool cites(const SlipMethodInfo *method) {
  bool any = has_number(method->summary);
  for (int k = 0; k < method->option_count; k++)
    any = any || has_number(method->options[k].help);
  return any;
}

static void print_method(const SlipMethodInfo *method) {
  printf("%s (%s)\n  %s\n", method->name, method->family, method->summary);
  print_capabilities(method);
  if (method->option_count > 0)
    printf("\nOptions of %s, as 'slipcone solve --method %s --set KEY=VALUE' takes them:\n",
           method->name, method->name);
  print_options(method, method->options, method->option_count);
  int count = 0;
  const SlipOptionInfo *common = slip_common_options(&count);
  puts("\nOptions of every method:");
  print_options(NULL, common, count);
  if (cites(method))
    printf("\n%s\n", paper_text);
}

/* ---- Families ----------------------------------------------------------------------------- */

enum { NAME_WIDTH = 24 };

/* Presets and variants are shown on request: NAME-suffix beside NAME, soclcp-NAME beside NAME. */
static int is_shown(const SlipMethodInfo *method, int all) {
  const SlipMethodInfo *other;
  if (all)
    return 1;
  if (method->preset ||
      (!strncmp(method->name, "soclcp-", 7) && slip_method_find(method->name + 7)))
    return 0;
  for (int k = 0; (other = slip_method_info(k)); k++) {
    size_t length = strlen(other->name);
    if (!strcmp(other->family, method->family) && !strncmp(other->name, method->name, length) &&
        method->name[length] == '-')
      return 0;
  }
  return 1;
}

/* Whether no method before this one is of its family. */
static int begins_family(int index) {
  const SlipMethodInfo *method = slip_method_info(index);
  for (int k = 0; k < index; k++)
    if (!strcmp(slip_method_info(k)->family, method->family))
      return 0;
  return 1;
}

static void print_line(const SlipMethodInfo *method) {
  printf("  %-*s %s\n", NAME_WIDTH, method->name, method->summary);
}

/* A family with its main methods, or with all; where all are presets the first stands for them. */
static void print_family(const char *family, int all) {
  const SlipMethodInfo *method, *first = NULL;
  int shown = 0, hidden = 0;
  printf("%s\n", family);
  for (int k = 0; (method = slip_method_info(k)); k++) {
    if (strcmp(method->family, family) != 0)
      continue;
    if (!first)
      first = method;
    if (is_shown(method, all))
      print_line(method);
    shown += is_shown(method, all);
    hidden += !is_shown(method, all);
  }
  if (!shown && first) {
    print_line(first);
    hidden--;
  }
  if (hidden > 0)
    printf("  and %d more: slipcone list %s%s%s\n", hidden, strchr(family, ' ') ? "'" : "", family,
           strchr(family, ' ') ? "'" : "");
}

static void print_methods(void) {
  puts("Start with auto, the default. nsgs is the classic, robust and fast to a few digits; alm "
       "and\n"
       "ipm reach high accuracy; soclcp methods solve the convex relaxation, another problem.\n");
  const SlipMethodInfo *method;
  for (int k = 0; (method = slip_method_info(k)); k++)
    if (begins_family(k))
      print_family(method->family, 0);
  printf("\n'slipcone list METHOD' shows the options of a method,\n"
         "'slipcone list FAMILY' all methods of a family.\n%s\n",
         paper_text);
}

/* Methods, then the families of all of them. */
static const char *name_at(int index, const void *user) {
  (void)user;
  int count = slip_method_count();
  const SlipMethodInfo *method = slip_method_info(index < count ? index : index - count);
  return !method ? NULL : index < count ? method->name : method->family;
}

static int is_family(const char *name) {
  const SlipMethodInfo *method;
  for (int k = 0; (method = slip_method_info(k)); k++)
    if (!strcmp(method->family, name))
      return 1;
  return 0;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static json_t *choices_json(const SlipOptionInfo *option) {
  if (option->type != SLIP_OPTION_CHOICE)
    return json_null();
  json_t *array = json_array();
  for (int k = 0; option->choices[k]; k++)
    json_array_append_new(array, json_string(option->choices[k]));
  return array;
}

static json_t *bound_json(const SlipOptionInfo *option, double bound) {
  if (option->type == SLIP_OPTION_INT)
    return json_integer((json_int_t)bound);
  return option->type == SLIP_OPTION_REAL ? cli_json_real(bound) : json_null();
}

static json_t *options_json(const SlipMethodInfo *method, const SlipOptionInfo *options,
                            int count) {
  json_t *array = json_array();
  for (int k = 0; k < count; k++) {
    const SlipOptionInfo *option = &options[k];
    json_array_append_new(
        array, json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:s}", "name", option->name, "type",
                         type_name(option->type), "default", default_of(method, options, k), "min",
                         bound_json(option, option->min), "max", bound_json(option, option->max),
                         "choices", choices_json(option), "help", option->help));
  }
  return array;
}

static json_t *laws_json(const SlipMethodInfo *method) {
  char words[64];
  json_t *array = json_array();
  for (int k = 0; law_words(method, k, words); k++)
    if (words[0])
      json_array_append_new(array, json_string(words));
  return array;
}

static json_t *dimensions_json(const SlipMethodInfo *method) {
  json_t *array = json_array();
  for (int d = 2; d <= 3; d++)
    if (slip_method_takes_dimension(method, d))
      json_array_append_new(array, json_integer(d));
  return array;
}

static json_t *method_json(const SlipMethodInfo *method) {
  return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:o}", "name", method->name, "family",
                   method->family, "summary", method->summary, "associated", method->associated,
                   "laws", laws_json(method), "dimensions", dimensions_json(method), "options",
                   options_json(method, method->options, method->option_count));
}

static json_t *common_json(void) {
  int count = 0;
  const SlipOptionInfo *common = slip_common_options(&count);
  return options_json(NULL, common, count);
}

static json_t *methods_json(void) {
  json_t *array = json_array();
  const SlipMethodInfo *method;
  for (int k = 0; (method = slip_method_info(k)); k++)
    json_array_append_new(array, method_json(method));
  return json_pack("{s:o, s:o}", "methods", array, "common_options", common_json());
}

/* ------------------------------------------------------------------------------------------- */

static int refuse(const char *name) {
  char near[96];
  cli_suggestion(name, name_at, NULL, near, sizeof near);
  return cli_complain("unknown method '%s'%s", name,
                      *near ? near : "; 'slipcone list' names methods and families");
}

int cli_run_list(const CliArgs *args) {
  int json = cli_args_value(args, "json") != NULL;
  if (args->operand_count == 0) {
    if (json)
      return cli_json_print(methods_json());
    print_methods();
    return 0;
  }
  if (!json && !slip_method_find(args->operands[0]) && is_family(args->operands[0])) {
    print_family(args->operands[0], 1);
    printf("\n%s\n", paper_text);
    return 0;
  }
  const SlipMethodInfo *method = slip_method_find(args->operands[0]);
  if (!method)
    return refuse(args->operands[0]);
  if (json) {
    json_t *object = method_json(method);
    if (object)
      json_object_set_new(object, "common_options", common_json());
    return cli_json_print(object);
  }
  print_method(method);
  return 0;
}
