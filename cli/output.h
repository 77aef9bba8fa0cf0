/* The output of the tool: messages, JSON, and text files that appear only when whole. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>
#include <slipcone/slipcone.h>

#if defined(__GNUC__)
#define CLI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define CLI_PRINTF(fmt, args)
#endif

/* One sentence on stderr, after the tool's name; returns CLI_BAD. */
int cli_complain(const char *format, ...) CLI_PRINTF(1, 2);
/* A complaint made of the library's sentence about a file, naming the file once. */
int cli_complain_file(const char *file, const char *text);
/* Print no remarks from now on. */
void cli_be_quiet(void);
/* A remark that changes no exit code. */
void cli_note(const char *format, ...) CLI_PRINTF(1, 2);

/* The form of a word that goes with a count. */
const char *cli_plural(int64_t count, const char *one, const char *many);

/* Flush stdout; the exit code, which becomes CLI_BAD when stdout could not be written. */
int cli_finish(int code);
/* Flush stdout; 1 when nothing more can be written to it. */
int cli_stdout_broken(void);

/* The name that a slip of the finger may have changed into this one, NULL when none is near. */
typedef const char *(*CliNameAt)(int index, const void *user); /* NULL at the end */
const char *cli_nearest(const char *name, CliNameAt names, const void *user);
/* "; did you mean 'x'?" for the nearest name, or "" when there is none, in the caller's buffer. */
const char *cli_suggestion(const char *name, CliNameAt names, const void *user, char *buffer,
                           size_t size);

/* ---- JSON --------------------------------------------------------------------------------- */

/* A copy of the text with bytes that are no UTF-8 replaced, since JSON holds nothing else; NULL
 * without memory. */
char *cli_utf8(const char *text);
/* The text as a JSON string, bytes that are no UTF-8 replaced; NULL text gives null. */
json_t *cli_json_text(const char *text);
/* NaN and infinities, which JSON cannot hold, give null. */
json_t *cli_json_real(double value);
/* Print the object on one line and release it; 0 or CLI_BAD. */
int cli_json_print(json_t *object);
int cli_json_print_error(const char *file, const char *message);

/* ---- Text files --------------------------------------------------------------------------- */

/* A text file written under a temporary name beside its place. */
typedef struct CliTextFile {
  FILE *stream; /* NULL: not open */
  char *path, *temporary;
} CliTextFile;

int cli_text_open(CliTextFile *file, const char *path);
/* Rename it to its place; 0 or CLI_BAD. */
int cli_text_commit(CliTextFile *file);
/* Remove the temporary file where it was not committed. */
void cli_text_discard(CliTextFile *file);

/* ---- Paths -------------------------------------------------------------------------------- */

char *cli_format(const char *format, ...) CLI_PRINTF(1, 2); /* NULL: no memory */
const char *cli_base_name(const char *path);
int cli_is_directory(const char *path);
/* 1 when both exist and are one file, also through links. */
int cli_same_file(const char *a, const char *b);
/* 0 when a file can be put at `path`; CLI_BAD after a sentence when its directory is missing or
 * closed to us, or when something that is not a plain file stands there. */
int cli_check_target(const char *path);

#endif
