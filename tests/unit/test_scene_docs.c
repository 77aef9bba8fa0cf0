/* The reference in docs/scene.md is the table of keys. SLIPCONE_SHOW_REFERENCE=1 prints it as it
 * should be. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/schema.h"
#include "scratch.h"

static const char begin[] = "<!-- reference: begin -->\n", end[] = "<!-- reference: end -->\n";

static void write_key(FILE *out, const SlipiKey *key) {
  char expects[256];
  slipi_key_expects(key, key->dimension, expects, sizeof expects);
  fprintf(out, "| `%s` | %s%s%s", key->name, expects, key->unit ? ", " : "",
          key->unit ? key->unit : "");
  if (key->of && strcmp(key->of, key->name) != 0)
    fprintf(out, " ([%s](#%s))", key->of, key->of);
  fprintf(out, " | %s%s%s | %s%s |\n", key->initial ? "`" : "",
          key->initial    ? key->initial
          : key->required ? "must be given"
                          : "",
          key->initial ? "`" : "", key->help,
          key->dimension == 2   ? "; 2D"
          : key->dimension == 3 ? "; 3D"
                                : "");
}

static char *make_reference(void) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  for (int b = 0; slipi_blocks[b]; b++) {
    const SlipiBlock *block = slipi_blocks[b];
    fprintf(out, "\n### %s\n\n", block->name);
    if (block->help[0])
      fprintf(out, "%c%s.\n\n", block->help[0] + 'A' - 'a', block->help + 1);
    fprintf(out, "| key | value | default | meaning |\n|---|---|---|---|\n");
    for (int32_t k = 0; k < block->count; k++)
      write_key(out, &block->keys[k]);
  }
  fputc('\n', out);
  fclose(out);
  return text;
}

static void test_reference(void **state) {
  (void)state;
  char *reference = make_reference(), *document = source_text("docs/scene.md");
  if (getenv("SLIPCONE_SHOW_REFERENCE"))
    printf("%s", reference);
  char *from = strstr(document, begin), *to = strstr(document, end);
  assert_non_null(from);
  assert_non_null(to);
  from += strlen(begin);
  *to = '\0';
  assert_string_equal(from, reference);
  free(reference);
  free(document);
}

/* Every scene that is shipped is in the table. */
static void test_scenes(void **state) {
  (void)state;
  char *document = source_text("docs/scene.md");
  DIR *folder = opendir(SLIPCONE_SOURCE_DIR "/scenes");
  int count = 0;
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    const char *dot = strstr(entry->d_name, ".yaml");
    char name[256];
    if (!dot)
      continue;
    snprintf(name, sizeof name, "%.*s", (int)(dot - entry->d_name), entry->d_name);
    if (!strstr(document, name))
      fail_msg("docs/scene.md does not name the scene %s", name);
    count++;
  }
  closedir(folder);
  assert_true(count > 0);
  free(document);
}

/* The tables themselves: names are unique, each key has help, defaults lie within their ranges. */
static void test_tables(void **state) {
  (void)state;
  for (int b = 0; slipi_blocks[b]; b++) {
    const SlipiBlock *block = slipi_blocks[b];
    for (int32_t k = 0; k < block->count; k++) {
      const SlipiKey *key = &block->keys[k];
      assert_non_null(key->name);
      assert_true(key->help && key->help[0]);
      for (int32_t j = 0; j < k; j++)
        assert_string_not_equal(key->name, block->keys[j].name);
      if (key->initial && (key->type == SLIPI_KEY_REAL || key->type == SLIPI_KEY_WHOLE))
        assert_true(atof(key->initial) >= key->range.least &&
                    atof(key->initial) <= key->range.most);
      assert_false(key->initial && key->required);
      assert_int_equal(key->type == SLIPI_KEY_WORD, key->choices != NULL);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reference),
      cmocka_unit_test(test_scenes),
      cmocka_unit_test(test_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
