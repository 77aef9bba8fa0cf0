/* slipcone list: methods and their options. */
#include <math.h>
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
  if (fabs(value) < 1e15 && value == floor(value))
    printf("%.0f", value);
  else
    printf("%g", value);
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

static void print_method(const SlipMethodInfo *method) {
  printf("%s (%s)\n  %s\n", method->name, method->family, method->summary);
  if (method->option_count > 0)
    printf("\nOptions of %s, as 'slipcone solve --method %s --set KEY=VALUE' takes them:\n",
           method->name, method->name);
  print_options(method, method->options, method->option_count);
  int count = 0;
  const SlipOptionInfo *common = slip_common_options(&count);
  puts("\nOptions of every method:");
  print_options(NULL, common, count);
}

static void print_methods(void) {
  int width = 0;
  const SlipMethodInfo *method;
  for (int k = 0; (method = slip_method_info(k)); k++)
    if ((int)strlen(method->name) > width)
      width = (int)strlen(method->name);
  for (int k = 0; (method = slip_method_info(k)); k++)
    printf("%-*s  %s\n", width, method->name, method->summary);
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

static json_t *method_json(const SlipMethodInfo *method) {
  return json_pack("{s:s, s:s, s:s, s:b, s:o}", "name", method->name, "family", method->family,
                   "summary", method->summary, "associated", method->associated, "options",
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

int cli_run_list(const CliArgs *args) {
  int json = cli_args_value(args, "json") != NULL;
  if (args->operand_count == 0) {
    if (json)
      return cli_json_print(methods_json());
    print_methods();
    return 0;
  }
  const SlipMethodInfo *method = cli_find_method(args->operands[0]);
  if (!method)
    return CLI_BAD;
  if (json) {
    json_t *object = method_json(method);
    if (object)
      json_object_set_new(object, "common_options", common_json());
    return cli_json_print(object);
  }
  print_method(method);
  return 0;
}
