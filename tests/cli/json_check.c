/* json_check EXPECTATION... <LINES: every line of the input must be one JSON object that meets
 * every expectation, and there must be at least one line.
 *
 *   KEY         the object has the key
 *   KEY=VALUE   and its value is this string, or this when written as compact JSON
 *   KEY<NUMBER  and its value is a number below this one
 *   -lines=N    the input has N lines
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static int is_text(const json_t *value, const char *text) {
  if (json_is_string(value))
    return !strcmp(json_string_value(value), text);
  char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
  int same = dump && !strcmp(dump, text);
  free(dump);
  return same;
}

static int meets(const json_t *object, const char *expectation) {
  char key[256];
  size_t length = strcspn(expectation, "=<");
  if (length >= sizeof key)
    return 0;
  memcpy(key, expectation, length);
  key[length] = '\0';
  const json_t *value = json_object_get(object, key);
  if (!value)
    return 0;
  if (expectation[length] == '=')
    return is_text(value, expectation + length + 1);
  if (expectation[length] == '<')
    return json_is_number(value) &&
           json_number_value(value) < strtod(expectation + length + 1, NULL);
  return 1;
}

static int check_line(const char *line, int count, char **expectations) {
  json_error_t error;
  json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
  if (!json_is_object(object)) {
    printf("not a JSON object (%s): %s\n", object ? "another value" : error.text, line);
    json_decref(object);
    return 1;
  }
  int failures = 0;
  for (int k = 0; k < count; k++)
    if (expectations[k][0] != '-' && !meets(object, expectations[k])) {
      printf("%s does not hold for: %s\n", expectations[k], line);
      failures = 1;
    }
  json_decref(object);
  return failures;
}

int main(int argc, char **argv) {
  char *line = NULL;
  size_t size = 0;
  long lines = 0;
  int failures = 0;
  while (getline(&line, &size, stdin) >= 0) {
    line[strcspn(line, "\n")] = '\0';
    failures |= check_line(line, argc - 1, argv + 1);
    lines++;
  }
  free(line);
  if (lines == 0)
    failures |= puts("no line at all") >= 0;
  for (int k = 1; k < argc; k++)
    if (!strncmp(argv[k], "-lines=", 7) && strtol(argv[k] + 7, NULL, 10) != lines)
      failures |= printf("%ld lines, not %s\n", lines, argv[k] + 7) >= 0;
  return failures;
}
