/* Broken scenes: each file of tests/data/wrong_scenes says in its first line the sentence it must
 * give, from the line and column on: "# expect: 5:6: unknown key ...". */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/scene.h>

#define FOLDER SLIPCONE_TEST_DATA "/wrong_scenes"

static const char mark[] = "# expect: ";

/* The first line of the file. */
static void read_expected(const char *path, char *line, int size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_non_null(fgets(line, size, file));
  fclose(file);
  line[strcspn(line, "\n")] = '\0';
  if (strncmp(line, mark, sizeof mark - 1) != 0)
    fail_msg("%s does not begin with '%s'", path, mark);
}

static void check_file(const char *name) {
  char path[1024], line[1024], expected[2048];
  SlipScene *scene = (SlipScene *)path; /* something that is not NULL */
  SlipError error;
  snprintf(path, sizeof path, "%s/%s", FOLDER, name);
  read_expected(path, line, sizeof line);
  SlipStatus status = slip_scene_read(path, NULL, &scene, &error);
  if (status == SLIP_OK)
    fail_msg("%s was read", path);
  assert_null(scene);
  assert_int_equal(error.status, status);
  assert_int_equal(status, SLIP_ERROR_FORMAT);
  snprintf(expected, sizeof expected, "%s:%s", path, line + sizeof mark - 1);
  assert_string_equal(error.text, expected);
  /* Without anybody to tell the status is the same. */
  assert_int_equal(slip_scene_read(path, NULL, &scene, NULL), status);
}

static void test_sentences(void **state) {
  (void)state;
  struct dirent **files;
  int count = scandir(FOLDER, &files, NULL, alphasort), checked = 0;
  assert_true(count > 0);
  for (int k = 0; k < count; k++) {
    if (files[k]->d_name[0] != '.') {
      check_file(files[k]->d_name);
      checked++;
    }
    free(files[k]);
  }
  free(files);
  assert_true(checked >= 200);
}

/* ---- Cases that are no files ---------------------------------------------------------------- */

static void assert_refused(const void *bytes, size_t size, const char *expected) {
  SlipScene *scene;
  SlipError error;
  assert_int_equal(slip_scene_read_memory("name", bytes, size, NULL, &scene, &error),
                   SLIP_ERROR_FORMAT);
  assert_null(scene);
  assert_string_equal(error.text, expected);
}

static void test_bytes(void **state) {
  (void)state;
  static const char sixteen[] = "\xff\xfe"
                                "a\0:\0\n\0";
  assert_refused("", 0, "name:1:1: there is nothing in it");
  assert_refused(NULL, 0, "name:1:1: there is nothing in it");
  assert_refused("---\n", 4, "name:2:1: the scene must be a mapping, not nothing");
  assert_refused("\0", 1, "name:1:1: not a text: control characters are not allowed (0)");
  assert_refused(sixteen, sizeof sixteen - 1,
                 "name:1:1: not a text: invalid leading UTF-8 octet (255)");
  assert_refused("\xef\xbb\xbfslipcone: 2\n", 15, "name:1:12: slipcone must be 1, not '2'");
}

static const char sound[] = "slipcone: 1\n"
                            "let: {mu: 0.5}\n"
                            "time: {step: 0.01, end: 1}\n"
                            "contacts: [{friction: mu}]\n"
                            "bodies:\n"
                            "  - {name: ball, shape: {sphere: 1}, position: [0, 0, 1]}\n";

/* Every beginning of a sound scene is read or refused with a place, and nothing else happens. */
static void test_every_beginning(void **state) {
  (void)state;
  for (size_t size = 0; size < sizeof sound; size++) {
    char *exact = malloc(size > 0 ? size : 1);
    SlipScene *scene;
    SlipError error;
    assert_non_null(exact);
    memcpy(exact, sound, size);
    SlipStatus status = slip_scene_read_memory("name", exact, size, NULL, &scene, &error);
    assert_true((status == SLIP_OK) == (scene != NULL));
    if (status != SLIP_OK)
      assert_int_equal(strncmp(error.text, "name:", 5), 0);
    slip_scene_free(scene);
    free(exact);
  }
}

static void assert_set_refused(const char *name, const char *value, const char *expected) {
  SlipSceneOptions options = slip_default_scene_options();
  SlipOptionValue set = {name, value};
  SlipScene *scene;
  SlipError error;
  options.set = &set;
  options.set_count = 1;
  assert_int_equal(
      slip_scene_read_memory("name", sound, sizeof sound - 1, &options, &scene, &error),
      SLIP_ERROR_FORMAT);
  assert_string_equal(error.text, expected);
}

static void test_set(void **state) {
  (void)state;
  assert_set_refused("time.stp", "1",
                     "--set time.stp=1: unknown key 'stp' in time; did you mean 'step'?");
  assert_set_refused("time.step", "-1",
                     "--set time.step=-1: time.step must be a number above 0 in s, not '-1'");
  assert_set_refused("time.step", "[1",
                     "--set time.step=[1: not YAML: did not find expected ',' or ']' (while "
                     "parsing a flow sequence)");
  assert_set_refused("time.step", "", "--set time.step=: there is nothing in it");
  assert_set_refused("let.mu", "nu",
                     "--set let.mu=nu: let.mu must be a number, not 'nu' ('nu' is no name of let)");
  assert_set_refused("bodies.1.mass", "1",
                     "--set bodies.1.mass=1: '1' is no number from 0 to 0 of a list");
  assert_set_refused("bodies.x", "1", "--set bodies.x=1: 'x' is no number from 0 to 0 of a list");
  assert_set_refused("slipcone.x", "1",
                     "--set slipcone.x=1: 'x' is looked for in a value that has no keys");
  assert_set_refused("time..step", "1", "--set time..step=1: a key is empty");
  assert_set_refused("", "1", "--set =1: a key is empty");
  /* The file's own place where the value that was set makes another one wrong. */
  assert_set_refused(
      "let.mu", "-1",
      "name:4:23: contacts[0].friction must be a number of at least 0, not 'mu' (that "
      "is -1)");
}

static void test_most_bodies(void **state) {
  (void)state;
  static const char text[] = "slipcone: 1\n"
                             "time: {step: 0.01, end: 1}\n"
                             "bodies:\n"
                             "  - {shape: {sphere: 1}, many: {grid: [5, 1, 1], spacing: 3}}\n"
                             "  - {shape: {sphere: 1}, many: {stack: 5}}\n";
  static const char *const expected[] = {
      "x:4:32: bodies[0].many would make 5 of them; at most 4 can be",
      "x:5:5: a scene has at most 5 bodies",
      "x:5:32: bodies[1].many would make 5 of them; at most 4 can be"};
  static const int32_t most[] = {4, 5, 9};
  SlipSceneOptions options = slip_default_scene_options();
  SlipScene *scene;
  SlipError error;
  for (int k = 0; k < 3; k++) {
    options.most_bodies = most[k];
    assert_int_equal(slip_scene_read_memory("x", text, sizeof text - 1, &options, &scene, &error),
                     SLIP_ERROR_FORMAT);
    assert_string_equal(error.text, expected[k]);
  }
  options.most_bodies = 10;
  assert_int_equal(slip_scene_read_memory("x", text, sizeof text - 1, &options, &scene, &error),
                   SLIP_OK);
  slip_scene_free(scene);
  options.most_bodies = -1;
  assert_int_equal(slip_scene_read_memory("x", text, sizeof text - 1, &options, &scene, &error),
                   SLIP_ERROR_ARGUMENT);
}

static void test_arguments(void **state) {
  (void)state;
  SlipScene *scene = (SlipScene *)&scene;
  SlipError error;
  SlipSceneOptions options = slip_default_scene_options();
  assert_int_equal(slip_scene_read(NULL, NULL, &scene, &error), SLIP_ERROR_ARGUMENT);
  assert_null(scene);
  assert_int_equal(slip_scene_read("x", NULL, NULL, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_scene_read_memory("x", NULL, 3, NULL, &scene, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_scene_read("no/such/file.yaml", NULL, &scene, &error), SLIP_ERROR_FILE);
  assert_string_equal(error.text, "no/such/file.yaml: cannot be opened: No such file or directory");
  assert_int_equal(slip_scene_read(FOLDER, NULL, &scene, &error), SLIP_ERROR_FILE);
  options.set_count = 1;
  assert_int_equal(slip_scene_read_memory("x", sound, 3, &options, &scene, &error),
                   SLIP_ERROR_ARGUMENT);
  options.set = &(SlipOptionValue){"time.step", NULL};
  assert_int_equal(slip_scene_read_memory("x", sound, 3, &options, &scene, &error),
                   SLIP_ERROR_ARGUMENT);
  options.size = 0;
  assert_int_equal(slip_scene_read_memory("x", sound, 3, &options, &scene, &error),
                   SLIP_ERROR_ARGUMENT);
  slip_scene_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sentences),       cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_every_beginning), cmocka_unit_test(test_set),
      cmocka_unit_test(test_most_bodies),     cmocka_unit_test(test_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
