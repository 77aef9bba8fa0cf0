#include "reading.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "library.h"
#include "progress.h"

static const long LOOK_AGAIN = 20000000; /* nanoseconds between two looks for an interrupt */

/* What the thread works on. It outlives the wait where that is given up. */
typedef struct Reading {
  const char *path;
  SlipWantForm form;
  SlipFile *file;
  SlipError error;
  SlipStatus status;
  sem_t done;
} Reading;

static int given_up;

static void *read_in_thread(void *argument) {
  Reading *reading = argument;
  reading->status = cli_file_read(reading->path, reading->form, &reading->file, &reading->error);
  sem_post(&reading->done);
  return NULL;
}

/* Signals are for the thread that waits: two handlers at once would not know which came first. */
static int start_thread(pthread_t *thread, Reading *reading) {
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
    return -1;
  int status = pthread_create(thread, NULL, read_in_thread, reading);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return status;
}

/* 1 when the thread has read, 0 when an interrupt came before. */
static int wait_for(Reading *reading) {
  for (;;) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_AGAIN;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (sem_timedwait(&reading->done, &until) == 0)
      return 1;
    if (cli_progress_interrupted())
      return 0;
  }
}

static void discard(Reading *reading) {
  sem_destroy(&reading->done);
  free(reading);
}

SlipStatus cli_reading_file(const char *path, SlipWantForm form, SlipFile **file,
                            SlipError *error) {
  Reading *reading = calloc(1, sizeof *reading);
  pthread_t thread;
  *file = NULL;
  if (!reading || sem_init(&reading->done, 0, 0) != 0) {
    free(reading);
    return cli_file_read(path, form, file, error);
  }
  reading->path = path;
  reading->form = form;
  if (start_thread(&thread, reading) != 0) {
    discard(reading);
    return cli_file_read(path, form, file, error);
  }
  if (!wait_for(reading)) {
    pthread_detach(thread);
    given_up = 1;
    return SLIP_OK;
  }
  pthread_join(thread, NULL);
  SlipStatus status = reading->status;
  *file = reading->file;
  *error = reading->error;
  discard(reading);
  return status;
}

int cli_reading_given_up(void) {
  return given_up;
}
