/* Finding problem files; a file's family is the folder that holds it. */
#define _DEFAULT_SOURCE 1 /* NOLINT: realpath */

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/bench.h"

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Without the slashes at the end of a folder's name. */
static size_t length_of(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  return length;
}

static bool is_problem_name(const char *name) {
  const char *dot = strrchr(name, '.');
  return name[0] != '.' && dot &&
         (!strcmp(dot, ".hdf5") || !strcmp(dot, ".h5") || !strcmp(dot, ".dat"));
}

/* The name of the folder that holds `path`, also for "x.hdf5" and "../x.hdf5". */
static SlipStatus family_of(const char *path, SlipiText *family, SlipError *error) {
  size_t length = (size_t)(base_name(path) - path);
  SlipiText folder = {0};
  slipi_text_add_bytes(&folder, length ? path : ".", length ? length : 1);
  char *whole = folder.failed ? NULL : realpath(folder.bytes, NULL);
  SlipStatus status = SLIP_OK;
  if (folder.failed || (!whole && errno == ENOMEM))
    status = slipi_fail_memory(error, "a list of problems");
  else if (!whole)
    status = slipi_fail(error, SLIP_ERROR_FILE, "the folder of %s cannot be found: %s", path,
                        strerror(errno));
  else
    slipi_text_add(family, "%s", *base_name(whole) ? base_name(whole) : "root");
  free(whole);
  slipi_text_free(&folder);
  return status;
}

static SlipStatus add(SlipiBenchProblems *problems, const char *path, SlipError *error) {
  if (problems->count == problems->room) {
    int32_t room = problems->room ? 2 * problems->room : 64;
    SlipiBenchProblem *items = NULL;
    if (problems->room < INT32_MAX / 2)
      items = realloc(problems->items, (size_t)room * sizeof *items);
    if (!items)
      return slipi_fail_memory(error, "a list of problems");
    problems->items = items;
    problems->room = room;
  }
  SlipiText family = {0}, name = {0};
  SlipStatus status = family_of(path, &family, error);
  if (status == SLIP_OK) {
    slipi_text_add(&name, "%s/%s", family.bytes ? family.bytes : "", base_name(path));
    if (family.failed || name.failed) {
      status = slipi_fail_memory(error, "a list of problems");
    } else {
      SlipiArena *arena = &problems->arena;
      problems->items[problems->count++] =
          (SlipiBenchProblem){.path = slipi_arena_text(arena, path, strlen(path)),
                              .name = slipi_arena_text(arena, name.bytes, name.length),
                              .family = slipi_arena_text(arena, family.bytes, family.length)};
      if (arena->failed)
        status = slipi_fail_memory(error, "a list of problems");
    }
  }
  slipi_text_free(&family);
  slipi_text_free(&name);
  return status;
}

static SlipStatus search(SlipiBenchProblems *problems, const char *path, int depth,
                         SlipError *error);

static SlipStatus search_folder(SlipiBenchProblems *problems, const char *path, int depth,
                                SlipError *error) {
  DIR *folder = depth < 64 ? opendir(path) : NULL;
  if (!folder)
    return slipi_fail(error, SLIP_ERROR_FILE, "the folder %s cannot be read: %s", path,
                      depth < 64 ? strerror(errno) : "it is too deep");
  SlipStatus status = SLIP_OK;
  const struct dirent *entry;
  while (status == SLIP_OK && (entry = readdir(folder))) {
    struct stat about;
    SlipiText inner = {0};
    if (entry->d_name[0] == '.')
      continue;
    slipi_text_add(&inner, "%s/%s", path, entry->d_name);
    if (inner.failed)
      status = slipi_fail_memory(error, "a list of problems");
    else if (stat(inner.bytes, &about) == 0 &&
             (S_ISDIR(about.st_mode) || is_problem_name(entry->d_name)))
      status = search(problems, inner.bytes, depth + 1, error);
    slipi_text_free(&inner);
  }
  closedir(folder);
  return status;
}

/* A folder of Matrix Market files is one problem; mu.mtx is in all of them. */
static SlipStatus is_market_folder(const char *path, bool *market, SlipError *error) {
  struct stat about;
  SlipiText mu = {0};
  slipi_text_add(&mu, "%s/mu.mtx", path);
  *market = !mu.failed && stat(mu.bytes, &about) == 0 && S_ISREG(about.st_mode);
  SlipStatus status = mu.failed ? slipi_fail_memory(error, "a list of problems") : SLIP_OK;
  slipi_text_free(&mu);
  return status;
}

static SlipStatus search(SlipiBenchProblems *problems, const char *path, int depth,
                         SlipError *error) {
  struct stat about;
  bool market = false;
  if (stat(path, &about) != 0)
    return slipi_fail(error, SLIP_ERROR_FILE, "%s cannot be opened: %s", path, strerror(errno));
  SlipStatus status = S_ISDIR(about.st_mode) ? is_market_folder(path, &market, error) : SLIP_OK;
  if (status != SLIP_OK || market)
    return status == SLIP_OK ? add(problems, path, error) : status;
  return S_ISDIR(about.st_mode) ? search_folder(problems, path, depth, error)
                                : add(problems, path, error);
}

static int compare(const void *a, const void *b) {
  const SlipiBenchProblem *x = a, *y = b;
  int order = strcmp(x->family, y->family);
  return order ? order : strcmp(x->name, y->name);
}

/* Rows are told apart by these names. */
static SlipStatus check_distinct(const SlipiBenchProblems *problems, SlipError *error) {
  for (int32_t k = 1; k < problems->count; k++)
    if (!strcmp(problems->items[k - 1].name, problems->items[k].name))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s and %s would both be called %s",
                        problems->items[k - 1].path, problems->items[k].path,
                        problems->items[k].name);
  return SLIP_OK;
}

SlipStatus slipi_problems_find(const char *const *paths, int count, SlipiBenchProblems *problems,
                               SlipError *error) {
  *problems = (SlipiBenchProblems){0};
  SlipStatus status = SLIP_OK;
  for (int k = 0; status == SLIP_OK && k < count; k++) {
    int32_t before = problems->count;
    SlipiText path = {0};
    slipi_text_add_bytes(&path, paths[k], length_of(paths[k]));
    status = path.failed ? slipi_fail_memory(error, "a list of problems")
                         : search(problems, path.bytes, 0, error);
    slipi_text_free(&path);
    if (status == SLIP_OK && problems->count == before)
      status = slipi_fail(
          error, SLIP_ERROR_ARGUMENT,
          "%s holds no problems (files that end in .hdf5, .h5 or .dat, folders with mu.mtx)",
          paths[k]);
  }
  if (status == SLIP_OK && problems->count == 0)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "there are no problems");
  if (status == SLIP_OK) {
    qsort(problems->items, (size_t)problems->count, sizeof *problems->items, compare);
    status = check_distinct(problems, error);
  }
  if (status != SLIP_OK)
    slipi_problems_free(problems);
  return status;
}

void slipi_problems_free(SlipiBenchProblems *problems) {
  free(problems->items);
  slipi_arena_free(&problems->arena);
  *problems = (SlipiBenchProblems){0};
}
