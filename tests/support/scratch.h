/* A folder of a test's own, and texts of the source tree. Failures are cmocka assertions. */
#ifndef SLIPCONE_TESTS_SCRATCH_H
#define SLIPCONE_TESTS_SCRATCH_H

/* Set-up and tear-down of a group: a new folder below the current one, removed with all it holds.
 */
int scratch_make(void **state);
int scratch_remove(void **state);

/* The same, with the names of what may be left: anything else makes it fail. Folders come last. */
int scratch_remove_only(const char *const *names, int count);

/* The path of a name in the folder; the last four stay valid. */
const char *scratch_place(const char *name);

/* A file of the source tree, up to 1 MiB, for the caller to free. */
char *source_text(const char *path);

#endif
