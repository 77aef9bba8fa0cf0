/* Threads that work through a list of pieces together with the thread that asks.
 *
 * OpenMP's threads wait for each other at full speed at the end of every loop: beside another
 * process, which takes a core away for milliseconds, the others burn the time in which the one that
 * is missing could run. Here pieces are taken one by one, whoever comes; nobody waits for a thread,
 * only for pieces that are under way, and who waits does so for microseconds at full speed and then
 * sleeps, which leaves its core to the thread it waits for. The one who asks works as well, and
 * begins at once: threads that come late find nothing to do.
 *
 * The cut into pieces is the caller's and does not depend on the number of threads: who does a
 * piece changes no bit of the result. */
#ifndef SLIPI_BASE_TEAM_H
#define SLIPI_BASE_TEAM_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/error.h"
#include "base/stop.h"

typedef struct SlipiTeam SlipiTeam;

/* A team of so many threads, the caller's own included; NULL, which works alone, for one. Where the
 * system has no more threads the team is smaller. */
SlipStatus slipi_team_create(int threads, SlipiTeam **team, SlipError *error);
void slipi_team_free(SlipiTeam *team);
/* How many visits can be under way at the same time. */
int slipi_team_threads(const SlipiTeam *team);

/* Pieces 0 to count - 1, in any order and at the same time. */
void slipi_team_each(SlipiTeam *team, int32_t count, void (*visit)(void *user, int32_t piece),
                     void *user);

/* Which pieces have something in common: piece k with near[near_p[k]]..near[near_p[k + 1] - 1], and
 * each of these with k; k itself may be among them. Where there is one pass those before k are
 * enough: what it waits for. `done` is room for all pieces. */
typedef struct SlipiNear {
  const int32_t *near_p, *near;
  _Atomic int32_t *done;
} SlipiNear;

/* Pieces in stages: those from start[s] to start[s + 1] - 1 begin when all of the stages before s
 * are done, or, where it is known, those of them that have something in common with the piece. The
 * whole list is gone through `passes` times; each pass begins after the one before, in the same
 * sense. */
typedef struct SlipiStages {
  const int32_t *start; /* stages + 1 */
  int32_t stages;
  int passes;
  void (*visit)(void *user, int pass, int32_t piece);
  void *user;
  const SlipiNear *near; /* NULL: not known */
} SlipiStages;

void slipi_team_stages(SlipiTeam *team, const SlipiStages *stages);

/* The question whether to end (base/stop.h) for pieces of long work: the thread that asked for the
 * work puts it, as the user's progress function is to be called from there only; the others learn
 * the answer. */
typedef struct SlipiTeamStop {
  SlipiStop own;
  pthread_t asker;
  _Atomic int answer; /* SlipOutcome */
} SlipiTeamStop;

/* Begin with the calling thread as the one that asks. What is returned is valid as long as
 * `shared`. */
SlipiStop slipi_team_stop(SlipiTeamStop *shared, SlipiStop own);

#endif
