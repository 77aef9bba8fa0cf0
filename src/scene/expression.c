#include "scene/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/nearest.h"
#include "scene/tree.h"

enum { DEEPEST = 64 };

typedef struct Parser {
  const char *at;
  const SlipiLet *let;
  char *complaint;
  int depth;
} Parser;

static bool sum(Parser *p, double *value);

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static double degrees(double x) {
  return x * SLIPI_DEGREE;
}

typedef struct Function {
  const char *name;
  double (*call)(double);
} Function;

static const Function functions[] = {
    {"sqrt", sqrt}, {"sin", sin}, {"cos", cos}, {"tan", tan}, {"deg", degrees}};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

typedef struct Constant {
  const char *name;
  double value;
} Constant;

static const Constant constants[] = {{"pi", SLIPI_PI}, {"inf", INFINITY}, {"nan", NAN}};

enum { CONSTANTS = sizeof constants / sizeof constants[0] };

static const Function *find_function(const char *name) {
  for (int k = 0; k < FUNCTIONS; k++)
    if (strcmp(functions[k].name, name) == 0)
      return &functions[k];
  return NULL;
}

static const Constant *find_constant(const char *name) {
  for (int k = 0; k < CONSTANTS; k++)
    if (strcmp(constants[k].name, name) == 0)
      return &constants[k];
  return NULL;
}

bool slipi_expression_name(const char *text) {
  if (!is_letter(text[0]) || find_function(text) || find_constant(text))
    return false;
  for (const char *at = text; *at; at++)
    if (!is_letter(*at) && !is_digit(*at))
      return false;
  return true;
}

static void skip_space(Parser *p) {
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n')
    p->at++;
}

static bool complain_here(Parser *p) {
  char shown[SLIPI_SHOWN];
  if (*p->at)
    snprintf(p->complaint, SLIPI_COMPLAINT, "'%s' was not expected", slipi_shown(p->at, shown));
  else
    snprintf(p->complaint, SLIPI_COMPLAINT, "it ends too early");
  return false;
}

static bool complain_name(Parser *p, const char *name) {
  char suggestion[96], shown[SLIPI_SHOWN];
  SlipiNearest nearest = slipi_nearest_start(name);
  for (int32_t k = 0; k < p->let->names.capacity; k++)
    if (p->let->names.name[k])
      slipi_nearest_offer(&nearest, p->let->names.name[k]);
  for (int k = 0; k < FUNCTIONS; k++)
    slipi_nearest_offer(&nearest, functions[k].name);
  snprintf(p->complaint, SLIPI_COMPLAINT, "'%s' is no name of let%s", slipi_shown(name, shown),
           slipi_nearest_text(&nearest, suggestion, sizeof suggestion));
  return false;
}

static bool expect(Parser *p, char c) {
  skip_space(p);
  if (*p->at != c)
    return complain_here(p);
  p->at++;
  return true;
}

static bool number(Parser *p, double *value) {
  char *end;
  *value = strtod(p->at, &end);
  if (end == p->at)
    return complain_here(p);
  p->at = end;
  return !is_letter(*p->at) && *p->at != '.' ? true : complain_here(p);
}

/* A name of let, a constant, or a function with its argument. */
static bool name(Parser *p, double *value) {
  char word[SLIPI_SHOWN];
  size_t length = 0;
  while (is_letter(p->at[length]) || is_digit(p->at[length]))
    length++;
  if (length >= sizeof word)
    return complain_here(p);
  memcpy(word, p->at, length);
  word[length] = '\0';
  p->at += length;
  const Function *function = find_function(word);
  if (function) {
    if (!expect(p, '(') || !sum(p, value) || !expect(p, ')'))
      return false;
    *value = function->call(*value);
    return true;
  }
  const Constant *constant = find_constant(word);
  int32_t k = slipi_names_find(&p->let->names, word);
  if (!constant && k < 0)
    return complain_name(p, word);
  *value = constant ? constant->value : p->let->values[k];
  return true;
}

static bool factor(Parser *p, double *value) {
  bool fine;
  skip_space(p);
  if (++p->depth > DEEPEST) {
    snprintf(p->complaint, SLIPI_COMPLAINT, "nested more than %d deep", DEEPEST);
    return false;
  }
  if (*p->at == '+' || *p->at == '-') {
    double sign = *p->at++ == '-' ? -1 : 1;
    fine = factor(p, value);
    *value *= sign;
  } else if (*p->at == '(') {
    p->at++;
    fine = sum(p, value) && expect(p, ')');
  } else
    fine = is_letter(*p->at) ? name(p, value) : number(p, value);
  p->depth--;
  return fine;
}

static bool product(Parser *p, double *value) {
  double other = 0;
  if (!factor(p, value))
    return false;
  for (skip_space(p); *p->at == '*' || *p->at == '/'; skip_space(p)) {
    char operation = *p->at++;
    if (!factor(p, &other))
      return false;
    *value = operation == '*' ? *value * other : *value / other;
  }
  return true;
}

static bool sum(Parser *p, double *value) {
  double other = 0;
  if (!product(p, value))
    return false;
  for (skip_space(p); *p->at == '+' || *p->at == '-'; skip_space(p)) {
    char operation = *p->at++;
    if (!product(p, &other))
      return false;
    *value += operation == '+' ? other : -other;
  }
  return true;
}

bool slipi_expression(const char *text, const SlipiLet *let, double *value,
                      char complaint[SLIPI_COMPLAINT]) {
  Parser parser = {text, let, complaint, 0};
  *value = 0;
  if (!sum(&parser, value))
    return false;
  return *parser.at ? complain_here(&parser) : true;
}
