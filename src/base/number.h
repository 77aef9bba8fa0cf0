/* Numbers as people write them. */
#ifndef SLIPI_BASE_NUMBER_H
#define SLIPI_BASE_NUMBER_H

enum { SLIPI_NUMBER_TEXT = 32 };

/* The fewest digits that read back as the same double, with a decimal point in every locale and no
 * zeros in the exponent: 1e-6, 0.25, 1e22. Not finite: nan, inf, -inf. */
const char *slipi_number_text(double value, char text[SLIPI_NUMBER_TEXT]);

#endif
