/* Problems told body by body: checked, copied, refilled in place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "contact/bodies.h"

static SlipStatus check_sizes(const SlipBodiesData *data, SlipError *error) {
  SlipStatus status = slipi_problem_check_sizes(data->dimension, data->contacts, error);
  if (status != SLIP_OK)
    return status;
  int32_t n = slipi_body_dof(data->dimension);
  if (data->bodies < 0 || data->bodies > INT32_MAX / n)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "the number of bodies is %d but must be between 0 and %d", (int)data->bodies,
                      (int)(INT32_MAX / n));
  if ((!data->M && data->bodies > 0) || ((!data->body || !data->H) && data->contacts > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s is null",
                      !data->M && data->bodies > 0 ? "M"
                      : !data->body                ? "body"
                                                   : "H");
  return SLIP_OK;
}

static SlipStatus check_mass(const SlipBodiesData *data, SlipError *error) {
  int32_t n = slipi_body_dof(data->dimension), size = n * n;
  int64_t count = (int64_t)data->bodies * size, bad = slipi_find_not_finite(data->M, count);
  if (bad < count)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "M(%d, %d) of body %d is %g, which is not a finite number",
                      (int)(bad % size / n), (int)(bad % n), (int)(bad / size), data->M[bad]);
  for (int32_t b = 0; b < data->bodies; b++) {
    const double *M = data->M + (int64_t)b * size;
    for (int32_t k = 0; k < n; k++) {
      if (!(M[k * n + k] > 0))
        return slipi_fail(error, SLIP_ERROR_PROBLEM,
                          "M of body %d is not positive definite: its diagonal entry %d is %g",
                          (int)b, (int)k, M[k * n + k]);
    }
  }
  return SLIP_OK;
}

/* Which bodies contacts touch. */
static SlipStatus check_bodies(const SlipBodiesData *data, SlipError *error) {
  for (int64_t k = 0; k < 2 * (int64_t)data->contacts; k++) {
    int32_t body = data->body[k];
    if (body < -1 || body >= data->bodies)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "body[%lld], of contact %d, is %d but must be -1 or below %d", (long long)k,
                        (int)(k / 2), (int)body, (int)data->bodies);
  }
  return SLIP_OK;
}

/* Whether blocks of `size` values have a finite sum: then each value is finite. A sum for each
 * place of a block, because one addition need not wait for another; `size` is a constant where this
 * is called. */
static inline bool blocks_are_finite(const SlipBodiesData *data, int32_t size) {
  double sum[18] = {0}, total = 0;
  const double *block = data->H;
  for (int64_t k = 0; k < 2 * (int64_t)data->contacts; k++, block += size) {
    for (int32_t i = 0; data->body[k] >= 0 && i < size; i++)
      sum[i] += block[i];
  }
  for (int32_t i = 0; i < size; i++)
    total += sum[i];
  return isfinite(total);
}

static SlipStatus check_blocks(const SlipBodiesData *data, SlipError *error) {
  int32_t d = data->dimension, size = d * slipi_body_dof(d);
  if (d == 3 ? blocks_are_finite(data, 18) : blocks_are_finite(data, 6))
    return SLIP_OK;
  for (int64_t k = 0; k < 2 * (int64_t)data->contacts; k++) {
    int contact = (int)(k / 2), side = (int)(k % 2), body = (int)data->body[k];
    int64_t bad = body < 0 ? size : slipi_find_not_finite(data->H + k * size, size);
    if (bad < size)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "H of contact %d, side %d, row %d, is %g, which is not a finite number",
                        contact, side, (int)(bad / slipi_body_dof(d)), data->H[k * size + bad]);
  }
  return SLIP_OK;
}

static SlipStatus check_data(const SlipBodiesData *data, SlipError *error) {
  SlipStatus status = check_sizes(data, error);
  if (status == SLIP_OK)
    status = check_mass(data, error);
  if (status == SLIP_OK)
    status = check_bodies(data, error);
  if (status == SLIP_OK)
    status = check_blocks(data, error);
  if (status == SLIP_OK)
    status = slipi_problem_check_vector("f", data->f,
                                        data->bodies * slipi_body_dof(data->dimension), error);
  if (status == SLIP_OK && data->w)
    status = slipi_problem_check_vector("w", data->w, data->dimension * data->contacts, error);
  if (status == SLIP_OK && data->frame && data->contacts > INT32_MAX / 9)
    status = slipi_fail(error, SLIP_ERROR_PROBLEM, "%d contacts are too many to have frames",
                        (int)data->contacts);
  if (status == SLIP_OK && data->frame)
    status = slipi_problem_check_vector("frame", data->frame,
                                        data->dimension * data->dimension * data->contacts, error);
  return status;
}

/* ---- Copies ---- */

/* One piece of memory for all arrays that are copied as they are. Without memory it only counts. */
typedef struct Room {
  char *memory;
  size_t used;
} Room;

enum { ALIGN = 64 };

static void *take(Room *room, int64_t count, size_t size) {
  void *piece = room->memory ? room->memory + room->used : NULL;
  room->used += ((size_t)count * size + ALIGN - 1) / ALIGN * ALIGN;
  return piece;
}

static void *take_copy(Room *room, const void *from, int64_t count, size_t size) {
  void *to = from ? take(room, count, size) : NULL;
  if (to && count > 0)
    memcpy(to, from, (size_t)count * size);
  return to;
}

/* Blocks of no body, which nobody has looked at, become 0. */
static void copy_blocks(const SlipProblem *problem, const double *H) {
  size_t size = (size_t)problem->d * (size_t)problem->n;
  double *to = problem->blocks;
  for (int64_t k = 0; k < 2 * (int64_t)problem->nc; k++, to += size, H += size) {
    if (problem->body[k] < 0)
      memset(to, 0, size * sizeof *to);
    else if (size == 18) /* a length that the compiler knows */
      memcpy(to, H, 18 * sizeof *to);
    else
      memcpy(to, H, size * sizeof *to);
  }
}

/* The arrays that need no memory but this; d, nc and dof are set. */
static void take_arrays(SlipProblem *problem, const SlipBodiesData *data, Room *room) {
  int64_t d = problem->d, n = problem->n, nc = problem->nc;
  problem->body_mass = take_copy(room, data->M, problem->dof * n, sizeof *data->M);
  problem->body = take_copy(room, data->body, 2 * nc, sizeof *data->body);
  problem->f = take_copy(room, data->f, problem->dof, sizeof *data->f);
  problem->key = take_copy(room, data->key, nc, sizeof *data->key);
  problem->frame = take_copy(room, data->frame, nc * d * d, sizeof *data->frame);
  problem->blocks = take(room, 2 * nc * d * n, sizeof *data->H);
  if (problem->blocks)
    copy_blocks(problem, data->H);
  problem->w = take(room, problem->m, sizeof *data->w);
  if (problem->w && problem->m > 0 && data->w)
    memcpy(problem->w, data->w, (size_t)problem->m * sizeof *data->w);
  else if (problem->w)
    memset(problem->w, 0, (size_t)problem->m * sizeof *problem->w);
}

/* The arrays of `next` in the memory of those of `problem`, or in more of it where that is too
 * little: the one way in which this can fail, and then all is as it was. */
static SlipStatus fill_room(SlipProblem *problem, SlipProblem *next, const SlipBodiesData *data,
                            SlipError *error) {
  Room room = {0};
  take_arrays(next, data, &room);
  if (room.used > problem->room_size || !problem->room) {
    SlipiArena larger = {0};
    size_t size = room.used + room.used / 4; /* bodies that come one by one seldom ask for more */
    char *memory = SLIPI_ARENA_RAW(&larger, char, size);
    if (!memory)
      return slipi_fail_memory(error, "a problem");
    slipi_arena_free(&problem->room_arena);
    problem->room_arena = larger;
    problem->room = memory;
    problem->room_size = size;
  }
  room = (Room){.memory = problem->room};
  take_arrays(next, data, &room);
  next->room_arena = problem->room_arena;
  next->room = problem->room;
  next->room_size = problem->room_size;
  return SLIP_OK;
}

/* What has to be made of the data, and may be refused, goes to another arena than the last time. */
static SlipStatus fill_spare(SlipProblem *next, const SlipBodiesData *data, SlipError *error) {
  slipi_arena_reset(&next->arena);
  SlipStatus status = slipi_problem_copy_laws(next, data->laws, error);
  return status == SLIP_OK ? slipi_compliance_copy(&next->arena, data->compliance, next->d,
                                                   next->nc, &next->compliance, &next->C, error)
                           : status;
}

/* Checked data in place of others, which are given up only when all is well. */
static SlipStatus replace(SlipProblem *problem, const SlipBodiesData *data, SlipError *error) {
  int32_t d = data->dimension, n = slipi_body_dof(d);
  SlipProblem next = {.alive = SLIPI_ALIVE_PROBLEM,
                      .form = SLIP_FORM_BODIES,
                      .d = d,
                      .nc = data->contacts,
                      .m = d * data->contacts,
                      .n = n,
                      .dof = n * data->bodies,
                      .arena = problem->spare};
  SlipStatus status = fill_spare(&next, data, error);
  if (status == SLIP_OK)
    status = fill_room(problem, &next, data, error);
  if (status != SLIP_OK) {
    problem->spare = next.arena;
    return status;
  }
  next.spare = problem->arena;
  *problem = next;
  return SLIP_OK;
}

static SlipStatus read_data(const SlipBodiesData *data, SlipBodiesData *known, SlipError *error) {
  *known = slip_default_bodies_data();
  if (!data)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "data is null");
  SlipStatus status = slipi_versioned_read("bodies_data", data, known, sizeof *known, error);
  return status == SLIP_OK ? check_data(known, error) : status;
}

SlipStatus slip_problem_create_bodies(const SlipBodiesData *data, SlipProblem **problem,
                                      SlipError *error) {
  SlipBodiesData known;
  slipi_error_clear(error);
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null");
  *problem = NULL;
  SlipStatus status = read_data(data, &known, error);
  if (status != SLIP_OK)
    return status;
  SlipProblem *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "a problem");
  made->alive = SLIPI_ALIVE_PROBLEM;
  status = replace(made, &known, error);
  if (status == SLIP_OK)
    *problem = made;
  else
    slip_problem_free(made);
  return status;
}

SlipStatus slip_problem_set_bodies(SlipProblem *problem, const SlipBodiesData *data,
                                   SlipError *error) {
  SlipBodiesData known;
  slipi_error_clear(error);
  if (!SLIPI_IS_PROBLEM(problem))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null or freed");
  if (problem->form != SLIP_FORM_BODIES)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the problem is %s: only one of bodies takes other bodies",
                      problem->form == SLIP_FORM_LOCAL ? "local" : "global");
  SlipStatus status = read_data(data, &known, error);
  return status == SLIP_OK ? replace(problem, &known, error) : status;
}

SlipStatus slip_problem_bodies_data(const SlipProblem *problem, SlipBodiesData *data,
                                    SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_PROBLEM(problem) || !data)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem or data is null, or the problem freed");
  SlipBodiesData known = slip_default_bodies_data();
  SlipStatus status = slipi_versioned_check("bodies_data", data, error);
  if (status != SLIP_OK)
    return status;
  slipi_versioned_write(&known, data, sizeof known);
  if (problem->form != SLIP_FORM_BODIES)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the problem is not one of bodies");
  known.dimension = problem->d;
  known.contacts = problem->nc;
  known.bodies = problem->n > 0 ? problem->dof / problem->n : 0;
  known.M = problem->body_mass;
  known.body = problem->body;
  known.H = problem->blocks;
  known.f = problem->f;
  known.w = problem->w;
  known.laws = &problem->laws;
  known.key = problem->key;
  known.frame = problem->frame;
  known.compliance = problem->compliance;
  slipi_versioned_write(&known, data, sizeof known);
  return SLIP_OK;
}

SlipStatus slip_problem_assemble(const SlipProblem *bodies, SlipProblem **global,
                                 SlipError *error) {
  slipi_error_clear(error);
  if (!global)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "global is null");
  *global = NULL;
  if (!SLIPI_IS_PROBLEM(bodies) || bodies->form != SLIP_FORM_BODIES)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the problem is not one of bodies");
  SlipiArena scratch = {0};
  SlipProblem view;
  SlipStatus status = slipi_problem_as_global(bodies, &scratch, &view, error);
  if (status == SLIP_OK) {
    SlipGlobalData data = slip_default_global_data();
    data.dimension = view.d;
    data.contacts = view.nc;
    data.M = slipi_csr_view(&view.M);
    data.H = slipi_csr_view(&view.H);
    data.f = view.f;
    data.w = view.w;
    data.laws = &view.laws;
    data.compliance = view.compliance;
    status = slip_problem_create_global(&data, global, error);
  }
  slipi_arena_free(&scratch);
  return status;
}
