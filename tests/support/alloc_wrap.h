/* Failing allocations on purpose, or counting them, for tests named test_alloc_* and test_count_*:
 * those are linked so that every allocation of the library comes through here, and those of
 * CHOLMOD, UMFPACK and jansson too. */
#ifndef SLIPCONE_TESTS_ALLOC_WRAP_H
#define SLIPCONE_TESTS_ALLOC_WRAP_H

#include <slipcone/slipcone.h>

/* Something that allocates, frees all it has made whatever happens, and says how it went. */
typedef SlipStatus (*AllocScenario)(void *user, SlipError *error);

/* Run the scenario with its first allocation failing, then its second, and so on until it runs
 * without reaching the one that would fail. Checks with cmocka that each run but the last gives
 * SLIP_ERROR_MEMORY with a sentence (or SLIP_OK where another library did without the memory it was
 * refused), the last SLIP_OK, and that no run leaves memory behind. Returns how many allocations
 * were failed. */
long alloc_fail_each(AllocScenario scenario, void *user);
/* Like alloc_fail_each, for a scenario that may do without some of its memory and checks its own
 * result: SLIP_OK is accepted from any run. */
long alloc_fail_most(AllocScenario scenario, void *user);

/* How many allocations the current scenario has asked for: a call that allocates nothing leaves it.
 */
long alloc_count(void);

/* Count from 0 on, and fail nothing, until the next call of alloc_fail_*. */
void alloc_count_start(void);

#endif
