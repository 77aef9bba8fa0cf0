/* Arithmetic on numbers and the names of a scene's `let`.
 *
 *     sum     = product { ("+" | "-") product }
 *     product = factor { ("*" | "/") factor }
 *     factor  = ("+" | "-") factor | number | name | function "(" sum ")" | "(" sum ")"
 *
 * Numbers are what C reads as numbers, in the "C" locale, and inf and nan; functions are sqrt, sin,
 * cos, tan (radians) and deg (degrees to radians); pi is a name. */
#ifndef SLIPI_SCENE_EXPRESSION_H
#define SLIPI_SCENE_EXPRESSION_H

#include "scene/names.h"

/* The values of names; those of `let` so far. */
typedef struct SlipiLet {
  SlipiNames names; /* index of the value */
  double *values;
} SlipiLet;

enum { SLIPI_COMPLAINT = 160 };

/* False: the text is no expression, and the complaint says why. strtod must read in the "C"
 * locale. */
bool slipi_expression(const char *text, const SlipiLet *let, double *value,
                      char complaint[SLIPI_COMPLAINT]);

/* Whether a text can be a name of `let`: letters, digits and underscores, and no word that means
 * something else. */
bool slipi_expression_name(const char *text);

#endif
