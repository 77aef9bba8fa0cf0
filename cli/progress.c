#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slipcone/io.h>

static const double first_after = 1.0; /* seconds: shorter runs need no line */
static const double again_after = 0.2;

static volatile sig_atomic_t interrupted;
static struct timespec interrupted_at; /* by the first signal; handlers keep each other out */
static int terminal = -1;              /* whether stderr is one; -1: not asked yet */
static int line_shown;
static double last_shown;

/* The second signal ends the tool at once. One that comes right after the first is the same one:
 * timeout(1) and others send theirs to the process and to its group. */
static void on_interrupt(int signal_number) {
  static const double same_within = 0.3; /* seconds */
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double since = (double)(now.tv_sec - interrupted_at.tv_sec) +
                 1e-9 * (double)(now.tv_nsec - interrupted_at.tv_nsec);
  if (!interrupted) {
    interrupted_at = now;
    interrupted = 1;
  } else if (since > same_within) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
}

/* A signal our caller has told us to ignore (nohup, a background job) stays ignored. */
static void catch_signal(int signal_number) {
  struct sigaction action;
  if (sigaction(signal_number, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
    return;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(signal_number, &action, NULL);
}

void cli_progress_catch_interrupts(void) {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
}

int cli_progress_interrupted(void) {
  return interrupted != 0;
}

int cli_progress_silent(const SlipProgress *progress, void *user) {
  (void)progress, (void)user;
  return interrupted != 0;
}

int cli_progress_show(const SlipProgress *progress, void *user) {
  if (interrupted)
    return 1;
  if (progress->seconds < first_after)
    return 0;
  /* A new run's clock starts from 0, so the last time may lie ahead. */
  if (line_shown && fabs(progress->seconds - last_shown) < again_after)
    return 0;
  if (terminal < 0)
    terminal = isatty(STDERR_FILENO);
  if (!terminal)
    return 0;
  char tol[SLIP_NUMBER_TEXT];
  /* Short enough for one line of 80, since only one line can be removed again. */
  if (progress->set_up)
    fprintf(stderr, "\r\033[K%.20s: setting up, %.1f s", (const char *)user, progress->seconds);
  else
    fprintf(stderr, "\r\033[K%.20s: iteration %" PRId64 ", error %.2e (tol %s), %.1f s",
            (const char *)user, progress->iteration, progress->residual,
            slip_number_text(progress->tol, tol), progress->seconds);
  fflush(stderr);
  line_shown = 1;
  last_shown = progress->seconds;
  return 0;
}

void cli_progress_clear(void) {
  if (!line_shown)
    return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  line_shown = 0;
}
