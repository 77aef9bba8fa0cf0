/* A campaign's definition as text: one statement per line, words parted by blanks, '#' begins a
 * remark.
 *
 *   run PATTERN TOL LIMIT   families the pattern fits: this tolerance, this many seconds
 *   methods LIST            as --methods takes it
 *   memory MIB, grace SECONDS, load SECONDS, repeat N
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

typedef struct Made {
  SlipCampaignFile file; /* first, so that a pointer to it is a pointer to this */
  SlipBenchRule *rules;
  SlipiArena arena;
} Made;

enum { WORDS = 5 };

typedef struct Line {
  const char *path;
  int number;
  char *word[WORDS];
  int words;
} Line;

static void split(char *text, Line *line) {
  char *save;
  line->words = 0;
  text[strcspn(text, "#\r")] = '\0';
  for (char *word = strtok_r(text, " \t", &save); word && line->words < WORDS;
       word = strtok_r(NULL, " \t", &save))
    line->word[line->words++] = word;
}

static SlipStatus complain(const Line *line, const char *wanted, SlipError *error) {
  return slipi_fail(error, SLIP_ERROR_FORMAT, "%s: line %d: '%s' should be %s", line->path,
                    line->number, line->word[0], wanted);
}

static bool positive(const char *text, double *value) {
  char *end;
  *value = strtod(text, &end);
  return end != text && !*end && *value > 0;
}

static SlipStatus read_rule(Made *made, const Line *line, SlipError *error) {
  SlipBenchRule rule;
  if (line->words != 4 || !positive(line->word[2], &rule.tol) || !isfinite(rule.tol) ||
      !positive(line->word[3], &rule.time_limit))
    return complain(line, "'run PATTERN TOL LIMIT' with numbers above 0", error);
  rule.family = slipi_arena_text(&made->arena, line->word[1], strlen(line->word[1]));
  made->rules[made->file.rule_count++] = rule;
  return SLIP_OK;
}

static SlipStatus read_line(Made *made, const Line *line, SlipError *error) {
  SlipCampaignFile *file = &made->file;
  const char *what = line->word[0];
  double number;
  if (!strcmp(what, "run"))
    return read_rule(made, line, error);
  if (!strcmp(what, "methods")) {
    if (line->words != 2)
      return complain(line, "'methods LIST' without blanks in the list", error);
    file->methods = slipi_arena_text(&made->arena, line->word[1], strlen(line->word[1]));
    return SLIP_OK;
  }
  if (strcmp(what, "memory") != 0 && strcmp(what, "grace") != 0 && strcmp(what, "load") != 0 &&
      strcmp(what, "repeat") != 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s: line %d: '%s' is none of run, methods, memory, grace, load and repeat",
                      line->path, line->number, what);
  if (line->words != 2 || !positive(line->word[1], &number) || !isfinite(number))
    return complain(line, "followed by one number above 0", error);
  if (!strcmp(what, "memory"))
    file->memory = number;
  else if (!strcmp(what, "grace"))
    file->grace = number;
  else if (!strcmp(what, "load"))
    file->load = number;
  else if (number == floor(number) && number <= 1000)
    file->repeat = (int)number;
  else
    return complain(line, "followed by a whole number up to 1000", error);
  return SLIP_OK;
}

static SlipStatus read_lines(Made *made, const char *path, char *text, SlipError *error) {
  Line line = {.path = path};
  SlipStatus status = SLIP_OK;
  for (char *next; status == SLIP_OK && text; text = next) {
    next = strchr(text, '\n');
    if (next)
      *next++ = '\0';
    line.number++;
    split(text, &line);
    if (line.words > 0)
      status = read_line(made, &line, error);
  }
  if (status == SLIP_OK && made->arena.failed)
    status = slipi_fail_memory(error, path);
  return status;
}

SlipStatus slip_campaign_file_read(const char *path, SlipCampaignFile **file, SlipError *error) {
  slipi_error_clear(error);
  if (!file)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "file is null");
  *file = NULL;
  if (!path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path is null");
  SlipiText text = {0};
  SlipStatus status = slipi_text_read(path, &text, error);
  if (status != SLIP_OK) {
    slipi_text_free(&text);
    return status;
  }
  size_t lines = 1;
  for (size_t k = 0; k < text.length; k++)
    lines += text.bytes[k] == '\n';
  Made *made = calloc(1, sizeof *made);
  SlipBenchRule *rules = made ? calloc(lines, sizeof *rules) : NULL;
  if (!rules) {
    status = slipi_fail_memory(error, path);
  } else {
    made->rules = rules;
    made->file = (SlipCampaignFile){
        .size = sizeof made->file, .rules = rules, .memory = NAN, .grace = NAN, .load = NAN};
    status = read_lines(made, path, text.bytes, error);
  }
  slipi_text_free(&text);
  if (status == SLIP_OK)
    *file = &made->file;
  else
    slip_campaign_file_free(made ? &made->file : NULL);
  return status;
}

void slip_campaign_file_free(SlipCampaignFile *file) {
  Made *made = (Made *)file;
  if (!made)
    return;
  free(made->rules);
  slipi_arena_free(&made->arena);
  free(made);
}
