/* A YAML scene from standard input, stepped to its end: slipcone_run EVERY. Writes doubles to
 * standard output: milliseconds of processor time a step, then a frame for the start and for every
 * EVERY-th step. A frame has 13 numbers for each body that is not fixed: position, rotation (x, y,
 * z, w), velocity, spin. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <slipcone/scene.h>

static char *read_all(FILE *file, size_t *size) {
  size_t room = 1 << 16;
  char *text = malloc(room);
  for (*size = 0; text;) {
    size_t got = fread(text + *size, 1, room - *size, file);
    *size += got;
    if (got == 0)
      return text;
    if (*size == room) {
      char *larger = realloc(text, room *= 2);
      if (!larger)
        free(text);
      text = larger;
    }
  }
  return NULL;
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static int is_free(const SlipSim *sim, int32_t slot) {
  double mass = 0, centre[3];
  return slip_sim_mass(sim, slip_sim_body_at(sim, slot), &mass, centre, NULL) == SLIP_OK &&
         mass > 0;
}

static void write_frame(const SlipSim *sim, FILE *out) {
  SlipSimState state = slip_default_sim_state();
  if (slip_sim_state(sim, &state, NULL) != SLIP_OK)
    return;
  for (int32_t k = 0; k < state.bodies; k++) {
    const double *q = state.rotation + 4 * k, xyzw[4] = {q[1], q[2], q[3], q[0]};
    if (!is_free(sim, k))
      continue;
    fwrite(state.position + 3 * k, sizeof(double), 3, out);
    fwrite(xyzw, sizeof(double), 4, out);
    fwrite(state.velocity + 3 * k, sizeof(double), 3, out);
    fwrite(state.spin + 3 * k, sizeof(double), 3, out);
  }
}

/* Frames go to a file first: the time, which comes before them, is known at the end. */
static SlipStatus step_all(SlipSim *sim, int64_t steps, int64_t every, FILE *frames, double *spent,
                           SlipError *error) {
  write_frame(sim, frames);
  for (int64_t k = 1; k <= steps; k++) {
    double begun = milliseconds();
    SlipStatus status = slip_sim_step(sim, NULL, error);
    *spent += milliseconds() - begun;
    if (status != SLIP_OK)
      return status;
    if (k % every == 0)
      write_frame(sim, frames);
  }
  return SLIP_OK;
}

static void copy(FILE *from, FILE *to) {
  char part[1 << 16];
  size_t got;
  rewind(from);
  while ((got = fread(part, 1, sizeof part, from)) > 0)
    fwrite(part, 1, got, to);
}

int main(int argc, char **argv) {
  size_t size;
  char *text = read_all(stdin, &size);
  int64_t every = argc > 1 ? atoll(argv[1]) : 1;
  double spent = 0;
  SlipScene *scene = NULL;
  SlipSim *sim = NULL;
  SlipError error;
  FILE *frames = tmpfile();
  if (!text || !frames || every < 1) {
    fputs("usage: slipcone_run EVERY < SCENE.yaml\n", stderr);
    return 2;
  }
  if (slip_scene_read_memory("scene", text, size, NULL, &scene, &error) != SLIP_OK ||
      slip_scene_build(scene, &sim, &error) != SLIP_OK ||
      step_all(sim, scene->steps, every, frames, &spent, &error) != SLIP_OK) {
    fprintf(stderr, "slipcone_run: %s\n", error.text);
    return 1;
  }
  spent /= (double)scene->steps;
  fwrite(&spent, sizeof spent, 1, stdout);
  copy(frames, stdout);
  fclose(frames);
  slip_sim_free(sim);
  slip_scene_free(scene);
  free(text);
  return 0;
}
