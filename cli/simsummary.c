/* What a person sees of a run of `slipcone sim`: a line while it goes on, a summary at its end. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slipcone/io.h>

#include "output.h"
#include "simrun.h"

double cli_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Counting ----------------------------------------------------------------------------------
 */

static void note_failure(CliCourse *course, const SlipStepInfo *info) {
  if (course->failed_step)
    return;
  course->failed_step = info->step;
  course->failed_time = info->time;
  course->failed_outcome = info->outcome;
  course->failed_verdict = info->verdict;
  memcpy(course->failed_reason, info->reason, sizeof course->failed_reason);
}

void cli_course_add(CliCourse *course, const SlipStepInfo *info) {
  course->steps++;
  course->solved += info->outcome == SLIP_SOLVED;
  if (info->outcome != SLIP_SOLVED)
    note_failure(course, info);
  course->iterations += info->iterations;
  if (info->iterations > course->most_iterations) {
    course->most_iterations = info->iterations;
    course->most_iterations_step = info->step;
  }
  course->contacts += info->contacts;
  if (info->contacts > course->most_contacts)
    course->most_contacts = info->contacts;
  if (info->residual > course->worst_error) {
    course->worst_error = info->residual;
    course->worst_step = info->step;
  }
  course->most_penetration = fmax(course->most_penetration, info->penetration);
  course->most_drift = fmax(course->most_drift, info->drift);
  course->collide += info->seconds_collide;
  course->set_up += info->seconds_set_up;
  course->solve += info->seconds_solve;
  course->total += info->seconds;
  course->last = *info;
}

/* ---- While it goes on --------------------------------------------------------------------------
 */

static double last_shown;
static int shown;

/* Of the energy there is: what rounding leaves of it over many steps. */
static const double ROUNDING = 1e-13;

/* The energy that is not accounted for, as a share of all that changed hands. */
static double imbalance(const SlipEnergy *energy) {
  return energy->throughput > 0 ? fabs(energy->imbalance) / energy->throughput : 0;
}

void cli_sim_progress(const CliSim *run) {
  double now = cli_clock(), past = now - run->course.began;
  if (run->quiet || past < 1 || now - last_shown < 0.2 || !isatty(STDERR_FILENO))
    return;
  const SlipStepInfo *info = &run->course.last;
  double left = past * (double)(run->scene->steps - info->step) / (double)run->course.steps;
  fprintf(stderr,
          "\r\033[K%.20s: %.4g of %.4g s, %.0f s left, %" PRId32
          " contacts, error %.1e, energy off %.0e",
          run->dump.name, info->time, run->scene->end, left, info->contacts, info->residual,
          imbalance(&info->energy));
  fflush(stderr);
  last_shown = now;
  shown = 1;
}

void cli_sim_progress_clear(void) {
  if (shown)
    fputs("\r\033[K", stderr);
  shown = 0;
}

/* ---- At the end --------------------------------------------------------------------------------
 */

static const char *verdict_text(int32_t verdict) {
  switch ((SlipVerdict)verdict) {
  case SLIP_VERDICT_ROBUST:
  case SLIP_VERDICT_EXISTS:
    return "a solution exists: more iterations, another method or a smaller step may find it";
  case SLIP_VERDICT_IMPOSSIBLE:
    return "no solution exists: the obstacles leave the bodies no room, or friction jams them";
  default:
    return "whether a solution exists is not known";
  }
}

static void print_failure(const CliSim *run) {
  const CliCourse *course = &run->course;
  printf("  %-11s step %" PRId64 " at %.6g s: %s; %s\n", "not solved", course->failed_step,
         course->failed_time, slip_outcome_name((SlipOutcome)course->failed_outcome),
         verdict_text(course->failed_verdict));
  if (*course->failed_reason)
    printf("  %-11s %s\n", "", course->failed_reason);
  if (run->dump.failed)
    printf("  %-11s its problem is in %s: slipcone check %s\n", "", run->dump.failed,
           run->dump.failed);
}

/* A mean with four digits, or all before the point: 17592, not 1.759e+04. */
static const char *mean_text(double sum, int64_t count, char text[SLIP_NUMBER_TEXT]) {
  double mean = count > 0 ? sum / (double)count : 0;
  snprintf(text, SLIP_NUMBER_TEXT, mean < 1000 ? "%.4g" : "%.0f", mean);
  return text;
}

static void print_steps(const CliSim *run) {
  const CliCourse *course = &run->course;
  char number[SLIP_NUMBER_TEXT];
  printf("  %-11s %s a step, at most %" PRId32 "\n", "contacts",
         mean_text((double)course->contacts, course->steps, number), course->most_contacts);
  printf("  %-11s %" PRId64 " of %" PRId64 " steps; %s iterations a step, at most %" PRId64
         " (step %" PRId64 ")\n",
         "solved", course->solved, course->steps,
         mean_text((double)course->iterations, course->steps, number), course->most_iterations,
         course->most_iterations_step);
  if (course->worst_step)
    printf("  %-11s %.2e at worst, step %" PRId64 " (tol %s)\n", "error", course->worst_error,
           course->worst_step, slip_number_text(course->last.tol, number));
  if (course->most_penetration > 0)
    printf("  %-11s %.2e m at most\n", "penetration", course->most_penetration);
  if (course->most_drift > 0)
    printf("  %-11s %.2e at most\n", "joint drift", course->most_drift);
}

static void print_energy(const SlipEnergy *energy) {
  printf("  %-11s kinetic %.4g J, potential %.4g J; put in %.4g J; lost to friction %.4g J, "
         "impacts %.4g J",
         "energy", energy->kinetic, energy->potential, energy->applied, energy->friction,
         energy->impact);
  if (energy->damping != 0)
    printf(", dampers %.4g J", energy->damping);
  if (energy->plastic != 0)
    printf(", yielding %.4g J", energy->plastic);
  if (energy->projection != 0)
    printf(", projection %.3g J", energy->projection);
  printf("\n  %-11s %.1e J, ", "unaccounted", energy->imbalance);
  double stored = fabs(energy->kinetic) + fabs(energy->potential);
  bool is_rounding = fabs(energy->imbalance) <= ROUNDING * stored; /* much beside little traffic */
  if (is_rounding)
    printf("rounding of the %.4g J there are\n", stored);
  else
    printf("%.1e of what changed hands\n", imbalance(energy));
}

static void print_time(const CliSim *run) {
  const CliCourse *course = &run->course;
  double all = course->total > 0 ? course->total : 1;
  char number[SLIP_NUMBER_TEXT];
  if (course->steps > 0)
    printf("  %-11s %s ms a step: collision %.0f %%, set-up %.0f %%, solving %.0f %%\n", "time",
           mean_text(1e3 * course->total, course->steps, number), 100 * course->collide / all,
           100 * course->set_up / all, 100 * course->solve / all);
}

void cli_sim_summary(const CliSim *run) {
  const CliCourse *course = &run->course;
  printf("%s: %s%" PRId64 " %s to %.6g s in %.3g s\n", run->scene->name,
         run->interrupted ? "interrupted after " : "", course->steps,
         cli_plural(course->steps, "step", "steps"), slip_sim_time(run->sim),
         cli_clock() - course->began);
  printf("  %-11s %" PRId32 " %s, %" PRId32 " %s\n", "scene", run->scene->bodies,
         cli_plural(run->scene->bodies, "body", "bodies"), run->scene->joints,
         cli_plural(run->scene->joints, "joint", "joints"));
  if (course->steps > 0)
    print_steps(run);
  if (course->steps > 0)
    print_energy(&course->last.energy);
  print_time(run);
  if (course->failed_step)
    print_failure(run);
  if (run->dump.folder)
    printf("  %-11s %" PRId64 " in %s\n", "problems", run->dump.written, run->dump.folder);
  if (run->out)
    printf("  %-11s %s; to look at it: slipcone view %s --out run.html\n", "trajectory", run->out,
           run->out);
  if (run->out && run->interrupted)
    printf("  %-11s slipcone sim --restart %s\n", "to go on", run->out);
}

/* ---- The same for programs
 * ----------------------------------------------------------------------- */

static json_t *json_energy(const SlipEnergy *energy) {
  return json_pack("{s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f}", "kinetic", energy->kinetic,
                   "potential", energy->potential, "elastic", energy->elastic, "applied",
                   energy->applied, "friction", energy->friction, "impact", energy->impact,
                   "damping", energy->damping, "plastic", energy->plastic, "projection",
                   energy->projection, "imbalance", energy->imbalance, "throughput",
                   energy->throughput);
}

int cli_sim_json(const CliSim *run) {
  const CliCourse *course = &run->course;
  json_t *object = json_pack(
      "{s:s,s:I,s:I,s:f,s:f,s:I,s:i,s:I,s:I,s:f,s:I,s:f,s:f,s:o}", "scene", run->scene->name,
      "steps", (json_int_t)course->steps, "solved", (json_int_t)course->solved, "time",
      slip_sim_time(run->sim), "seconds", cli_clock() - course->began, "contacts",
      (json_int_t)course->contacts, "most_contacts", (int)course->most_contacts, "iterations",
      (json_int_t)course->iterations, "most_iterations", (json_int_t)course->most_iterations,
      "error", course->worst_error, "worst_step", (json_int_t)course->worst_step, "penetration",
      course->most_penetration, "drift", course->most_drift, "energy",
      json_energy(&course->last.energy));
  if (object && course->failed_step) {
    json_object_set_new(object, "failed_step", json_integer(course->failed_step));
    json_object_set_new(object, "outcome",
                        json_string(slip_outcome_name((SlipOutcome)course->failed_outcome)));
    json_object_set_new(object, "verdict",
                        json_string(slip_verdict_name((SlipVerdict)course->failed_verdict)));
    json_object_set_new(object, "reason", json_string(course->failed_reason));
    if (run->dump.failed)
      json_object_set_new(object, "problem", json_string(run->dump.failed));
  }
  if (object && run->out)
    json_object_set_new(object, "trajectory", json_string(run->out));
  int failed = !object || json_dumpf(object, stdout, JSON_COMPACT) != 0;
  json_decref(object);
  putchar('\n');
  return failed ? cli_complain("no memory for a JSON object") : 0;
}
