#include "base/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Looks at full speed, some ten microseconds, before a thread goes to sleep. */
enum { LOOKS = 1000 };

/* A list being worked through. Pieces are taken in order and counted when they are done: where none
 * is begun before all of the stages before its own are done, the count says when that is. Else each
 * piece has a count of its own, of passes. Whatever a piece waits for has been taken before it: the
 * first of those under way never waits. */
typedef struct Job {
  const SlipiStages *stages;
  int64_t count; /* pieces of all passes */
  _Atomic int64_t taken, done;
} Job;

struct SlipiTeam {
  pthread_mutex_t lock;
  pthread_cond_t begun;    /* a job is there, or the end */
  pthread_cond_t advanced; /* a stage is done, or a worker has left a job */
  pthread_t *worker;
  int workers;
  Job *job;             /* under the lock; NULL: none is open */
  bool ends;            /* under the lock */
  _Atomic int64_t jobs; /* so many have been opened */
  _Atomic int active;   /* workers within the job */
  _Atomic int sleepers; /* who sleeps until something has advanced */
};

static void breathe(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Sleepers look again under the lock after they have said so, others look for sleepers after they
 * have changed what those look at: nobody is missed. */
static void wake(SlipiTeam *team) {
  if (atomic_load(&team->sleepers) == 0)
    return;
  pthread_mutex_lock(&team->lock);
  pthread_cond_broadcast(&team->advanced);
  pthread_mutex_unlock(&team->lock);
}

/* A piece in its turn. */
typedef struct Turn {
  int pass;
  int32_t piece;
  int64_t before; /* pieces of the stages and passes before */
} Turn;

static bool may_begin(Job *job, const Turn *turn) {
  const SlipiNear *near = job->stages->near;
  if (!near)
    return atomic_load(&job->done) >= turn->before;
  bool may = atomic_load(&near->done[turn->piece]) >= turn->pass;
  for (int32_t k = near->near_p[turn->piece]; may && k < near->near_p[turn->piece + 1]; k++) {
    int32_t other = near->near[k];
    may = atomic_load(&near->done[other]) >= turn->pass + (other < turn->piece);
  }
  return may;
}

static void wait_turn(SlipiTeam *team, Job *job, const Turn *turn) {
  for (int look = 0; look < LOOKS; look++) {
    if (may_begin(job, turn))
      return;
    breathe();
  }
  pthread_mutex_lock(&team->lock);
  atomic_fetch_add(&team->sleepers, 1);
  while (!may_begin(job, turn))
    pthread_cond_wait(&team->advanced, &team->lock);
  atomic_fetch_sub(&team->sleepers, 1);
  pthread_mutex_unlock(&team->lock);
}

/* A piece is done; who waits for it, or for its stage, wakes up. */
static void note_done(SlipiTeam *team, Job *job, const Turn *turn, int64_t stage_end) {
  const SlipiNear *near = job->stages->near;
  if (near)
    atomic_store(&near->done[turn->piece], turn->pass + 1);
  if (atomic_fetch_add(&job->done, 1) + 1 == stage_end || near)
    wake(team);
}

static void work(SlipiTeam *team, Job *job) {
  const SlipiStages *list = job->stages;
  int64_t pieces = list->start[list->stages];
  int32_t stage = 0;
  int last = 0;
  for (;;) {
    int64_t next = atomic_fetch_add(&job->taken, 1);
    if (next >= job->count)
      return;
    int pass = (int)(next / pieces);
    int32_t piece = (int32_t)(next % pieces);
    stage = pass > last ? 0 : stage;
    last = pass;
    while (piece >= list->start[stage + 1])
      stage++;
    Turn turn = {pass, piece, pass * pieces + list->start[stage]};
    wait_turn(team, job, &turn);
    list->visit(list->user, pass, piece);
    note_done(team, job, &turn, pass * pieces + list->start[stage + 1]);
  }
}

/* The next job after `seen` of them; NULL at the end. */
static Job *enter(SlipiTeam *team, int64_t *seen) {
  for (int look = 0; look < LOOKS && atomic_load(&team->jobs) == *seen; look++)
    breathe();
  pthread_mutex_lock(&team->lock);
  while (!team->ends && !(team->job && atomic_load(&team->jobs) != *seen))
    pthread_cond_wait(&team->begun, &team->lock);
  Job *job = team->ends ? NULL : team->job;
  *seen = atomic_load(&team->jobs);
  if (job)
    atomic_fetch_add(&team->active, 1);
  pthread_mutex_unlock(&team->lock);
  return job;
}

static void *serve(void *user) {
  SlipiTeam *team = user;
  int64_t seen = 0;
  for (Job *job = enter(team, &seen); job; job = enter(team, &seen)) {
    work(team, job);
    atomic_fetch_sub(&team->active, 1);
    wake(team);
  }
  return NULL;
}

static void open_job(SlipiTeam *team, Job *job) {
  pthread_mutex_lock(&team->lock);
  team->job = job;
  atomic_fetch_add(&team->jobs, 1);
  pthread_cond_broadcast(&team->begun);
  pthread_mutex_unlock(&team->lock);
}

/* Let nobody in any more, and wait for those who are in. */
static void close_job(SlipiTeam *team) {
  pthread_mutex_lock(&team->lock);
  team->job = NULL;
  pthread_mutex_unlock(&team->lock);
  for (int look = 0; look < LOOKS && atomic_load(&team->active) > 0; look++)
    breathe();
  if (atomic_load(&team->active) == 0)
    return;
  pthread_mutex_lock(&team->lock);
  atomic_fetch_add(&team->sleepers, 1);
  while (atomic_load(&team->active) > 0)
    pthread_cond_wait(&team->advanced, &team->lock);
  atomic_fetch_sub(&team->sleepers, 1);
  pthread_mutex_unlock(&team->lock);
}

void slipi_team_stages(SlipiTeam *team, const SlipiStages *stages) {
  int32_t pieces = stages->start[stages->stages];
  if (!team || pieces <= 1) {
    for (int pass = 0; pass < stages->passes; pass++)
      for (int32_t piece = 0; piece < pieces; piece++)
        stages->visit(stages->user, pass, piece);
    return;
  }
  Job job = {.stages = stages, .count = (int64_t)stages->passes * pieces};
  for (int32_t piece = 0; stages->near && piece < pieces; piece++)
    atomic_store_explicit(&stages->near->done[piece], 0, memory_order_relaxed);
  open_job(team, &job);
  work(team, &job);
  close_job(team);
}

typedef struct Each {
  void (*visit)(void *user, int32_t piece);
  void *user;
} Each;

static void visit_each(void *user, int pass, int32_t piece) {
  const Each *each = user;
  (void)pass;
  each->visit(each->user, piece);
}

void slipi_team_each(SlipiTeam *team, int32_t count, void (*visit)(void *user, int32_t piece),
                     void *user) {
  const int32_t start[2] = {0, count};
  Each each = {visit, user};
  slipi_team_stages(team, &(SlipiStages){start, 1, 1, visit_each, &each, NULL});
}

/* Signals are for the threads of the program. */
static void start_workers(SlipiTeam *team, int wanted) {
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
    return;
  while (team->workers < wanted &&
         pthread_create(&team->worker[team->workers], NULL, serve, team) == 0)
    team->workers++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

SlipStatus slipi_team_create(int threads, SlipiTeam **team, SlipError *error) {
  *team = NULL;
  if (threads <= 1)
    return SLIP_OK;
  SlipiTeam *made = calloc(1, sizeof *made);
  pthread_t *worker = calloc((size_t)threads, sizeof *worker);
  if (!made || !worker) {
    free(made);
    free(worker);
    return slipi_fail_memory(error, "a team of threads");
  }
  made->worker = worker;
  pthread_mutex_init(&made->lock, NULL);
  pthread_cond_init(&made->begun, NULL);
  pthread_cond_init(&made->advanced, NULL);
  start_workers(made, threads - 1);
  *team = made;
  return SLIP_OK;
}

int slipi_team_threads(const SlipiTeam *team) {
  return team ? team->workers + 1 : 1;
}

void slipi_team_free(SlipiTeam *team) {
  if (!team)
    return;
  pthread_mutex_lock(&team->lock);
  team->ends = true;
  pthread_cond_broadcast(&team->begun);
  pthread_mutex_unlock(&team->lock);
  for (int k = 0; k < team->workers; k++)
    pthread_join(team->worker[k], NULL);
  pthread_cond_destroy(&team->advanced);
  pthread_cond_destroy(&team->begun);
  pthread_mutex_destroy(&team->lock);
  free(team->worker);
  free(team);
}

/* ---- Whether to end ---- */

static SlipOutcome ask(void *user, double ahead) {
  SlipiTeamStop *shared = user;
  if (!pthread_equal(pthread_self(), shared->asker))
    return (SlipOutcome)atomic_load(&shared->answer);
  SlipOutcome answer = shared->own.ask(shared->own.user, ahead);
  if (answer != SLIP_NOT_RUN)
    atomic_store(&shared->answer, (int)answer);
  return answer;
}

SlipiStop slipi_team_stop(SlipiTeamStop *shared, SlipiStop own) {
  shared->own = own;
  shared->asker = pthread_self();
  atomic_init(&shared->answer, (int)SLIP_NOT_RUN);
  return (SlipiStop){own.ask ? ask : NULL, shared};
}
