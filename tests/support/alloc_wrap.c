#include "alloc_wrap.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <SuiteSparse_config.h>
#include <cmocka.h>
#include <jansson.h>

/* The linker sends the library's malloc to __wrap_malloc and our __real_malloc to the true one
 * (option --wrap). These names are the linker's. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
void __wrap_free(void *block);

enum { TABLE = 1 << 16, GONE = 1 };

static struct {
  bool counting;
  bool in_library;    /* the failed one was asked for by another library */
  long count;         /* allocations since the scenario began */
  long fail_at;       /* the one that fails */
  long live;          /* blocks not freed yet */
  void *table[TABLE]; /* those blocks: open addressing, GONE marks a removed one */
} state;

static size_t slot_of(const void *block) {
  return ((size_t)block >> 4) * 0x9e3779b97f4a7c15u >> 48;
}

static void *note(void *block) {
  if (!state.counting || !block)
    return block;
  size_t slot = slot_of(block);
  for (size_t tried = 0; (size_t)state.table[slot] > GONE; slot = (slot + 1) % TABLE)
    assert_true(++tried < TABLE);
  state.table[slot] = block;
  state.live++;
  return block;
}

static void forget(const void *block) {
  if (!block)
    return;
  size_t slot = slot_of(block);
  for (size_t tried = 0; state.table[slot] && tried < TABLE; slot = (slot + 1) % TABLE, tried++)
    if (state.table[slot] == block) {
      state.table[slot] = (void *)GONE;
      state.live--;
      return;
    }
}

static bool fails(void) {
  if (!state.counting || ++state.count != state.fail_at)
    return false;
  errno = ENOMEM;
  return true;
}

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : note(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : note(__real_calloc(count, size));
}

static void *note_moved(const void *old, void *block) {
  if (block)
    forget(old);
  return note(block);
}

void *__wrap_realloc(void *old, size_t size) {
  return fails() ? NULL : note_moved(old, __real_realloc(old, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : note(__real_aligned_alloc(alignment, size));
}

char *__wrap_strndup(const char *text, size_t size) {
  size_t length = strnlen(text, size);
  char *copy = __wrap_malloc(length + 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

char *__wrap_strdup(const char *text) {
  return __wrap_strndup(text, strlen(text));
}

void __wrap_free(void *block) {
  forget(block);
  __real_free(block);
}

/* What other libraries allocate with: they may do without what they do not get (CHOLMOD tries
 * several orderings), so such a failure need not show. */
static bool library_fails(void) {
  bool failing = fails();
  state.in_library |= failing;
  return failing;
}

static void *library_malloc(size_t size) {
  return library_fails() ? NULL : note(__real_malloc(size));
}

static void *library_calloc(size_t count, size_t size) {
  return library_fails() ? NULL : note(__real_calloc(count, size));
}

static void *library_realloc(void *old, size_t size) {
  return library_fails() ? NULL : note_moved(old, __real_realloc(old, size));
}

static void redirect_libraries(void) {
#if defined(SUITESPARSE_VERSION) && SUITESPARSE_VERSION >= SUITESPARSE_VER_CODE(6, 0)
  SuiteSparse_config_malloc_func_set(library_malloc);
  SuiteSparse_config_calloc_func_set(library_calloc);
  SuiteSparse_config_realloc_func_set(library_realloc);
  SuiteSparse_config_free_func_set(__wrap_free);
#else
  SuiteSparse_config.malloc_func = library_malloc;
  SuiteSparse_config.calloc_func = library_calloc;
  SuiteSparse_config.realloc_func = library_realloc;
  SuiteSparse_config.free_func = __wrap_free;
#endif
  json_set_alloc_funcs(library_malloc, __wrap_free);
}

void alloc_count_start(void) {
  redirect_libraries();
  memset(&state, 0, sizeof state);
  state.counting = true;
}

long alloc_count(void) {
  return state.count;
}

static long fail_in_turn(AllocScenario scenario, void *user, bool may_succeed) {
  redirect_libraries();
  for (long n = 1;; n++) {
    SlipError error;
    memset(&error, 0, sizeof error);
    memset(&state, 0, sizeof state);
    state.fail_at = n;
    state.counting = true;
    SlipStatus status = scenario(user, &error);
    state.counting = false;
    if (state.live != 0)
      fail_msg("%ld blocks left after failing allocation %ld", state.live, n);
    if (state.count < n) {
      assert_int_equal(status, SLIP_OK);
      return n - 1;
    }
    if (status == SLIP_OK && (state.in_library || may_succeed))
      continue;
    if (status != SLIP_ERROR_MEMORY)
      fail_msg("failing allocation %ld gave %s: %s", n, slip_status_name(status), error.text);
    assert_int_equal(error.status, SLIP_ERROR_MEMORY);
    assert_true(error.text[0] != '\0');
  }
}

long alloc_fail_each(AllocScenario scenario, void *user) {
  return fail_in_turn(scenario, user, false);
}

long alloc_fail_most(AllocScenario scenario, void *user) {
  return fail_in_turn(scenario, user, true);
}
