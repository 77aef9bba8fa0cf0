/* Deformable bodies as others see them: their state, and the contact problem in global form. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "contact/bodies.h"
#include "sim/soft.h"

void slipi_soft_look(SlipiSoft *soft, SlipDeformableState *state) {
  const SlipiFemMesh *mesh = soft->mesh;
  int d = mesh->d;
  double elastic = 0;
  slipi_soft_displacement(soft, soft->x, soft->R, soft->work[0]);
  slipi_csr_multiply(&soft->matrices.K, soft->work[0], soft->work[1]);
  for (int64_t k = 0; k < soft->nodes; k++)
    for (int c = 0; c < 3; c++) {
      soft->shown[3 * k + c] = c < d ? soft->work[0][d * k + c] : 0;
      elastic += c < d ? soft->work[0][d * k + c] * soft->work[1][d * k + c] / 2 : 0;
    }
  slipi_fem_node_stress(mesh, &soft->elasticity, soft->shown, soft->stress, soft->room);
  *state = slip_default_deformable_state();
  state->nodes = mesh->nodes;
  state->elements = mesh->elements;
  state->faces = mesh->faces;
  state->rest = mesh->x;
  state->position = soft->x;
  state->velocity = soft->v;
  state->displacement = soft->shown;
  state->stress = soft->stress;
  state->force = soft->force;
  state->area = soft->area;
  state->element_kind = mesh->kind;
  state->element_first = mesh->first;
  state->element_node = mesh->node;
  state->face_first = mesh->face_first;
  state->face_node = mesh->face_node;
  state->elastic = elastic;
}

SlipStatus slip_sim_deformable(SlipSim *sim, SlipBodyId body, SlipDeformableState *state,
                               SlipError *error) {
  int32_t slot = -1;
  slipi_error_clear(error);
  if (!sim || !state)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or state is null");
  SlipStatus status = slipi_versioned_check("deformable_state", state, error);
  if (status == SLIP_OK)
    status = slipi_sim_slot(sim, body, &slot, error);
  if (status != SLIP_OK)
    return status;
  SlipiSoft *soft = slipi_soft_of(sim, slot);
  if (!soft)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "body %d is not deformable", (int)slot);
  SlipDeformableState known;
  slipi_soft_look(soft, &known);
  slipi_versioned_write(&known, state, sizeof known);
  return SLIP_OK;
}

/* ---- The global problem ---- */

/* Entries row by row, in the order in which they come. */
typedef struct Entries {
  int32_t *row, *column;
  double *x;
  int64_t count, room;
} Entries;

static bool entries_make(SlipiArena *arena, int64_t room, Entries *entries) {
  *entries = (Entries){.room = room};
  entries->row = SLIPI_ARENA_RAW(arena, int32_t, room);
  entries->column = SLIPI_ARENA_RAW(arena, int32_t, room);
  entries->x = SLIPI_ARENA_RAW(arena, double, room);
  return !arena->failed;
}

static void entries_add(Entries *entries, int32_t row, int32_t column, double x) {
  entries->row[entries->count] = row;
  entries->column[entries->count] = column;
  entries->x[entries->count++] = x;
}

static SlipMatrix entries_view(const Entries *entries, int32_t rows, int32_t cols) {
  return (SlipMatrix){.layout = SLIP_TRIPLET,
                      .rows = rows,
                      .cols = cols,
                      .nnz = entries->count,
                      .i = entries->row,
                      .p = entries->column,
                      .x = entries->x};
}

typedef struct Whole {
  const SlipSim *sim;
  Entries M, H;
  double *f, *w;
  int32_t *first; /* degree of freedom of each deformable body */
  int32_t dof;
} Whole;

static bool whole_make(Whole *whole, SlipiArena *arena) {
  const SlipSim *sim = whole->sim;
  int d = sim->def.dimension, n = slipi_body_dof(d);
  int64_t inM = (int64_t)sim->rows.bodies * n * n, inH = 2 * (int64_t)sim->rows.count * d * n;
  whole->first = SLIPI_ARENA_NEW(arena, int32_t, sim->softs->count);
  whole->dof = sim->rows.bodies * n;
  for (int32_t s = 0; s < sim->softs->count && whole->first; s++) {
    const SlipiSoft *soft = sim->softs->at[s];
    whole->first[s] = whole->dof;
    whole->dof += soft->free;
    inM += soft->matrices.K.p[soft->matrices.K.rows];
  }
  inH += (int64_t)sim->softs->entries * d * d;
  whole->f = SLIPI_ARENA_NEW(arena, double, whole->dof);
  whole->w = SLIPI_ARENA_NEW(arena, double, (int64_t)d * sim->rows.count);
  return entries_make(arena, inM, &whole->M) && entries_make(arena, inH, &whole->H);
}

static void add_rigid(Whole *whole) {
  const SlipiSimRows *rows = &whole->sim->rows;
  int d = whole->sim->def.dimension, n = slipi_body_dof(d);
  for (int32_t b = 0; b < rows->bodies; b++)
    for (int i = 0; i < n; i++) {
      whole->f[n * b + i] = rows->f[(int64_t)n * b + i];
      for (int j = 0; j < n; j++) {
        double x = rows->M[((int64_t)n * b + i) * n + j];
        if (x != 0)
          entries_add(&whole->M, n * b + i, n * b + j, x);
      }
    }
  for (int32_t k = 0; k < rows->count; k++)
    for (int side = 0; side < 2; side++) {
      int32_t body = rows->body[2 * (int64_t)k + side];
      const double *H = rows->H + (2 * (int64_t)k + side) * d * n;
      for (int e = 0; body >= 0 && e < d * n; e++) {
        if (H[e] != 0)
          entries_add(&whole->H, n * body + e % n, d * k + e / n, H[e]);
      }
    }
}

static SlipStatus add_softs(Whole *whole, SlipiArena *arena, SlipError *error) {
  const SlipSim *sim = whole->sim;
  SlipStatus status = SLIP_OK;
  for (int32_t s = 0; s < sim->softs->count && status == SLIP_OK; s++) {
    const SlipiSoft *soft = sim->softs->at[s];
    SlipiCsr A;
    status = slipi_fem_combine(&soft->matrices, soft->factor_M, soft->factor_K, soft->number, arena,
                               &A, error);
    for (int32_t row = 0; row < A.rows && status == SLIP_OK; row++)
      for (int32_t k = A.p[row]; k < A.p[row + 1]; k++)
        entries_add(&whole->M, whole->first[s] + row, whole->first[s] + A.i[k], A.x[k]);
    for (int32_t k = 0; k < slipi_soft_d(soft) * soft->nodes && status == SLIP_OK; k++) {
      if (soft->number[k] >= 0)
        whole->f[whole->first[s] + soft->number[k]] = soft->step_right[k];
    }
  }
  return status;
}

/* Columns of one contact; nodes that are held move as they are told. */
static void add_contact(Whole *whole, int32_t row, const SlipiContact *contact) {
  const SlipSim *sim = whole->sim;
  const SlipiSofts *softs = sim->softs;
  const SlipiSoftTouch *touch = &softs->touch[contact->soft - 1];
  int d = sim->def.dimension == 2 ? 2 : 3;
  for (int side = 0; side < 2; side++) {
    const SlipiSoft *soft = touch->soft[side] < 0 ? NULL : softs->at[touch->soft[side]];
    for (int c = 0; soft && c < d; c++) {
      double turned[3];
      slipi_rotate_back(soft->mid_R, contact->frame[c], turned);
      for (int32_t e = touch->first[side]; e < touch->end[side]; e++)
        for (int k = 0; k < d; k++) {
          int64_t dof = (int64_t)d * softs->node[e] + k;
          double x = (side == 0 ? 1 : -1) * softs->weight[e] * turned[k];
          if (soft->number[dof] >= 0 && x != 0)
            entries_add(&whole->H, whole->first[touch->soft[side]] + soft->number[dof], d * row + c,
                        x);
          else
            whole->w[(int64_t)d * row + c] += x * soft->given[dof];
        }
    }
  }
}

SlipStatus slipi_soft_global(const SlipSim *sim, SlipProblem **problem, SlipError *error) {
  *problem = NULL;
  const SlipiSimRows *rows = &sim->rows;
  /* Those of a step that was made have become the last ones. */
  const SlipiContacts *contacts = sim->contacts.count > 0 ? &sim->contacts : &sim->last;
  int d = sim->def.dimension;
  SlipiArena arena = {0};
  Whole whole = {.sim = sim};
  SlipStatus status = whole_make(&whole, &arena)
                          ? SLIP_OK
                          : slipi_fail_memory(error, "the global problem of a step");
  SlipLaws laws = slipi_sim_rows_laws(rows);
  if (status == SLIP_OK) {
    memcpy(whole.w, rows->w, (size_t)d * (size_t)rows->count * sizeof *whole.w);
    add_rigid(&whole);
    status = add_softs(&whole, &arena, error);
  }
  for (int32_t k = 0; k < rows->count && status == SLIP_OK; k++) {
    const int32_t *from = rows->from + 2 * (int64_t)k;
    const SlipiContact *contact = from[0] >= 0 ? NULL : &contacts->at[from[1]];
    if (contact && contact->soft > 0)
      add_contact(&whole, k, contact);
  }
  if (status == SLIP_OK) {
    SlipGlobalData data = slip_default_global_data();
    data.dimension = d;
    data.contacts = rows->count;
    data.M = entries_view(&whole.M, whole.dof, whole.dof);
    data.H = entries_view(&whole.H, whole.dof, d * rows->count);
    data.f = whole.f;
    data.w = whole.w;
    data.laws = &laws;
    data.compliance = rows->gives ? rows->compliance : NULL;
    status = slip_problem_create_global(&data, problem, error);
  }
  slipi_arena_free(&arena);
  return status;
}

SlipStatus slip_sim_global_problem(const SlipSim *sim, SlipProblem **problem, SlipError *error) {
  slipi_error_clear(error);
  if (problem)
    *problem = NULL;
  if (!sim || !problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or problem is null");
  if (!sim->has_problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the last step had no contact problem");
  return sim->softs && sim->softs->count > 0
             ? slipi_soft_global(sim, problem, error)
             : slip_problem_assemble(sim->rows.problem, problem, error);
}
