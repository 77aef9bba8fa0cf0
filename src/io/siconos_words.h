/* A text cut into words at white space, and numbers read from them: the lexer of Siconos text, STL
 * and OBJ files. Complaints name the line and the array that is being read, whose name every reader
 * is given. */
#ifndef SLIPI_IO_SICONOS_WORDS_H
#define SLIPI_IO_SICONOS_WORDS_H

#include <stdbool.h>

#include "io/io.h"

typedef struct SlipiWords {
  const char *at, *end;
  long line;
  SlipiArena arena; /* of the arrays that are read */
  SlipError *error;
} SlipiWords;

typedef struct SlipiWord {
  const char *start;
  int length; /* 0 at the end of the file */
} SlipiWord;

SlipiWord slipi_words_next(SlipiWords *text);
bool slipi_word_is(SlipiWord word, const char *expected);

/* How many words are left, at most `limit`. */
int64_t slipi_words_left(const SlipiWords *text, int64_t limit);

/* "line 3: q: 'abc' is not a number", or that the file ends here where the word is empty. */
SlipStatus slipi_words_fail(const SlipiWords *text, const char *name, SlipiWord word,
                            const char *complaint);

/* Refuse to make room for more values than there can be: each takes a digit and a space. */
SlipStatus slipi_words_check_room(const SlipiWords *text, const char *name, int64_t count);

bool slipi_word_int(SlipiWord word, int32_t *value);
SlipStatus slipi_words_int(SlipiWords *text, const char *name, int32_t least, int32_t *value);
SlipStatus slipi_words_real(SlipiWords *text, const char *name, double *value);
/* The next word must be the expected one. */
SlipStatus slipi_words_mark(SlipiWords *text, const char *name, const char *expected);

/* Arrays are made in the arena of the text. */
SlipStatus slipi_words_ints(SlipiWords *text, const char *name, int64_t count, int32_t **values);
SlipStatus slipi_words_reals(SlipiWords *text, const char *name, int64_t count,
                             const double **values);

#endif
