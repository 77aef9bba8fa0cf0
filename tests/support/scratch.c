#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[32];

int scratch_make(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "scratch-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

int scratch_remove(void **state) {
  (void)state;
  char command[64];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return system(command);
}

int scratch_remove_only(const char *const *names, int count) {
  for (int k = 0; k < count; k++)
    remove(scratch_place(names[k]));
  return rmdir(folder);
}

const char *scratch_place(const char *name) {
  static char path[4][128];
  static int next;
  char *to = path[next++ % 4];
  snprintf(to, sizeof path[0], "%s/%s", folder, name);
  return to;
}

char *source_text(const char *path) {
  enum { MOST = 1 << 20 };
  char whole[1024];
  snprintf(whole, sizeof whole, "%s/%s", SLIPCONE_SOURCE_DIR, path);
  FILE *file = fopen(whole, "rb");
  assert_non_null(file);
  char *text = calloc(1, MOST);
  assert_non_null(text);
  assert_true(fread(text, 1, MOST - 1, file) > 0);
  fclose(file);
  return text;
}
