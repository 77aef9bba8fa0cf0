#include "bench/svg.h"

#include <string.h>

#include "base/utf8.h"

/* Eight colours that differ for all kinds of sight, then the same with dashes. */
static const char *const colours[] = {"#2a78d6", "#e2571f", "#12946a", "#c88600",
                                      "#d4518a", "#00700c", "#4a3aa7", "#d63a3a"};
static const char *const dashes[] = {"", "7 3", "2 2", "9 3 2 3", "1 3"};

/* Control characters, U+FFFE and U+FFFF are not in XML. */
static bool is_xml(const char *character, size_t length) {
  unsigned char c = (unsigned char)*character;
  if (length == 1)
    return c >= 0x20 || c == '\t';
  return length > 0 &&
         (strncmp(character, "\xef\xbf", 2) != 0 || (unsigned char)character[2] < 0xbe);
}

void slipi_svg_add_words(SlipiText *svg, const char *string, size_t most) {
  for (size_t used = 0; *string && used < most;) {
    size_t length = slipi_utf8_length(string);
    if (!is_xml(string, length))
      slipi_text_add(svg, SLIPI_UTF8_REPLACEMENT);
    else if (length == 1 && strchr("<>&\"'", *string))
      slipi_text_add(svg, "&#%d;", *string);
    else
      slipi_text_add_bytes(svg, string, length);
    used += length ? length : 1;
    string += length ? length : 1;
  }
  if (*string)
    slipi_text_add(svg, "\xe2\x80\xa6"); /* ... */
}

void slipi_svg_stroke(SlipiText *svg, int32_t rank) {
  const char *dash = dashes[rank / 8 % 5];
  slipi_text_add(svg, "stroke=\"%s\" stroke-width=\"1.8\"", colours[rank % 8]);
  if (*dash)
    slipi_text_add(svg, " stroke-dasharray=\"%s\"", dash);
}

void slipi_svg_begin(SlipiText *svg, int width, int height, const char *title) {
  slipi_text_add(svg,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                 "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\" "
                 "fill=\"none\" role=\"img\">\n<title>",
                 width, height, width, height);
  slipi_svg_add_words(svg, title, SIZE_MAX);
  slipi_text_add(svg,
                 "</title>\n"
                 "<style>text{fill:#1b1b19}.grid{stroke:#e2e0da}.axis{stroke:#76746d}</style>\n"
                 "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
                 width, height);
}
