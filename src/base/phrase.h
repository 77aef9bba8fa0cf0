/* Short texts put together piece by piece, in a tenth of the time of snprintf: a run on one contact
 * should not spend most of its time on its reason. */
#ifndef SLIPI_BASE_PHRASE_H
#define SLIPI_BASE_PHRASE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A buffer of `size` bytes, of which `used` hold a string, its end not counted; a text that does
 * not fit is left out. */
typedef struct SlipiPhrase {
  char *at;
  size_t size, used;
} SlipiPhrase;

/* Here, so that pieces of a text known to the compiler cost a few moves. */
static inline void slipi_phrase_append(SlipiPhrase *phrase, const char *from, size_t count) {
  if (phrase->used + count >= phrase->size)
    count = phrase->size - phrase->used - 1;
  memcpy(phrase->at + phrase->used, from, count);
  phrase->used += count;
  phrase->at[phrase->used] = '\0';
}

static inline void slipi_phrase_add(SlipiPhrase *phrase, const char *string) {
  slipi_phrase_append(phrase, string, strlen(string));
}
void slipi_phrase_add_int(SlipiPhrase *phrase, int64_t value);
/* As "%.3g" of printf, up to the rounding of numbers midway between two texts, with exponents as
 * people write them (base/number.h). */
void slipi_phrase_add_real(SlipiPhrase *phrase, double value);

#endif
