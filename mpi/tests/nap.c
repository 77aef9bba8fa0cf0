/* Loaded before the other libraries where more processes run than there are cores, or where others
 * use them: a process of MPI that waits asks sched_yield for the next one to run, and where that
 * computes, as another program does, it is not asked again for milliseconds. A short nap takes as
 * little of the core and ends in time. */
#include <sched.h>
#include <time.h>

int sched_yield(void) {
  static const struct timespec NAP = {0, 30000};
  nanosleep(&NAP, NULL);
  return 0;
}
