/* Parts that all SVG pictures share. */
#ifndef SLIPI_BENCH_SVG_H
#define SLIPI_BENCH_SVG_H

#include "bench/bench.h"

/* Everything up to the white ground; slipi_text_add of "</svg>" ends the picture. The classes grid
 * and axis are for lines. */
void slipi_svg_begin(SlipiText *svg, int width, int height, const char *title);

/* At most about `most` bytes of a string; characters that XML does not have become U+FFFD. */
void slipi_svg_add_words(SlipiText *svg, const char *string, size_t most);

/* Attributes of the nth curve: colours, and dashes where they are used up. */
void slipi_svg_stroke(SlipiText *svg, int32_t rank);

#endif
