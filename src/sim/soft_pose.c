/* The contact problem of a step with deformable bodies, in local form: W = H' A^-1 H.
 *
 * A of a deformable body is the matrix of its step in the axes of its frame, where it stays the
 * same from step to step. So do its factors, and the blocks of A^-1 between nodes that contacts
 * have asked for: W is made of them by turning. Rigid bodies add their share by their masses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/bodies.h"
#include "linalg/root_lu.h"
#include "sim/soft.h"

/* Rows (contacts and joints) of each body: rigid ones first, then deformable ones. */
typedef struct Meeting {
  SlipSim *sim;
  SlipiSimRows *rows;
  int32_t bodies; /* rigid and deformable */
  int32_t *p, *row;
  int32_t *list, *at; /* rows that meet one row, and where their blocks begin in x */
  double *Minv;       /* of rigid bodies */
  double *Y;          /* d x d known of one row and body */
  double *F;          /* frames of both sides of each row in the axes of a deformable body */
  SlipiCsr W;
  double *q;
} Meeting;

static const SlipiSoftTouch *touch_of(const Meeting *m, int32_t row) {
  const int32_t *from = m->rows->from + 2 * (int64_t)row;
  int32_t soft = from[0] >= 0 ? 0 : m->sim->contacts.at[from[1]].soft;
  return soft > 0 ? &m->sim->softs->touch[soft - 1] : NULL;
}

/* The body of one side of a row, or -1. */
static int32_t body_of(const Meeting *m, int32_t row, int side) {
  const SlipiSoftTouch *touch = touch_of(m, row);
  if (touch && touch->soft[side] >= 0)
    return m->rows->bodies + touch->soft[side];
  return m->rows->body[2 * (int64_t)row + side];
}

static bool list_rows(Meeting *m, SlipiArena *arena) {
  int32_t count = m->rows->count;
  m->bodies = m->rows->bodies + m->sim->softs->count;
  m->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)m->bodies + 2);
  m->row = SLIPI_ARENA_NEW(arena, int32_t, 2 * (int64_t)count);
  m->list = SLIPI_ARENA_NEW(arena, int32_t, count);
  m->at = SLIPI_ARENA_NEW(arena, int32_t, count);
  if (arena->failed)
    return false;
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t k = 0; k < count; k++)
      for (int side = 0; side < 2; side++) {
        int32_t body = body_of(m, k, side);
        if (body < 0 || (side == 1 && body == body_of(m, k, 0)))
          continue;
        if (pass == 0)
          m->p[body + 2]++;
        else
          m->row[m->p[body + 1]++] = k;
      }
    for (int32_t b = 0; pass == 0 && b < m->bodies; b++)
      m->p[b + 2] += m->p[b + 1];
  }
  return true;
}

/* Rows that share a body with one, ascending: those of its two bodies, merged. */
static int32_t meet(const Meeting *m, int32_t row) {
  int32_t count = 0, at[2] = {0, 0}, end[2] = {0, 0};
  for (int side = 0; side < 2; side++) {
    int32_t body = body_of(m, row, side);
    if (body < 0 || (side == 1 && body == body_of(m, row, 0)))
      continue;
    at[side] = m->p[body];
    end[side] = m->p[body + 1];
  }
  if (at[0] == end[0] && at[1] == end[1]) { /* between obstacles */
    m->list[0] = row;
    return 1;
  }
  while (at[0] < end[0] || at[1] < end[1]) {
    int32_t a = at[0] < end[0] ? m->row[at[0]] : INT32_MAX;
    int32_t b = at[1] < end[1] ? m->row[at[1]] : INT32_MAX;
    m->list[count++] = a < b ? a : b;
    at[0] += a <= b;
    at[1] += b <= a;
  }
  return count;
}

/* The frame of a row in the axes of the deformable body on one side, d x d, with its sign. */
static double *frame_of(const Meeting *m, int32_t row, int side) {
  return m->F + 9 * (2 * (int64_t)row + side);
}

static void turn_frames(const Meeting *m, int32_t row) {
  const SlipiSoftTouch *touch = touch_of(m, row);
  int d = m->sim->def.dimension == 2 ? 2 : 3;
  for (int side = 0; touch && side < 2; side++) {
    if (touch->soft[side] < 0)
      continue;
    const SlipiContact *contact = &m->sim->contacts.at[m->rows->from[2 * (int64_t)row + 1]];
    double *F = frame_of(m, row, side);
    for (int c = 0; c < d; c++) {
      double turned[3];
      slipi_rotate_back(m->sim->softs->at[touch->soft[side]]->mid_R, contact->frame[c], turned);
      for (int k = 0; k < d; k++)
        F[d * c + k] = (side == 0 ? 1 : -1) * turned[k];
    }
  }
}

/* Y = (weights of a row) A^-1 at all known nodes: d rows of d known, the rows of the inverse, which
 * is symmetric. */
static void spread_row(const Meeting *m, const SlipiSoftTouch *touch, int side,
                       const SlipiSoft *soft, double *Y) {
  int d = m->sim->def.dimension;
  int64_t n = (int64_t)d * soft->known, stride = (int64_t)d * soft->known_capacity;
  const SlipiSofts *softs = m->sim->softs;
  memset(Y, 0, (size_t)(n * d) * sizeof *Y);
  for (int32_t e = touch->first[side]; e < touch->end[side]; e++) {
    const double *from = soft->inverse + d * soft->place[softs->node[e]] * stride;
    double weight = softs->weight[e];
    for (int c = 0; c < d; c++)
      for (int64_t k = 0; k < n; k++)
        Y[c * n + k] += weight * from[c * stride + k];
  }
}

/* Add F_k Z F_l', Z the sum of the weights of row l times Y, to the block of rows k and l. */
static void add_soft_block(const Meeting *m, int32_t l, int side, const SlipiSoft *soft,
                           const double *Fk, double *to, int64_t stride) {
  const SlipiSoftTouch *touch = touch_of(m, l);
  const SlipiSofts *softs = m->sim->softs;
  int d = m->sim->def.dimension == 2 ? 2 : 3;
  int64_t n = (int64_t)d * soft->known;
  const double *Fl = frame_of(m, l, side);
  double Z[9] = {0}, FZ[9];
  for (int32_t e = touch->first[side]; e < touch->end[side]; e++) {
    const double *y = m->Y + (int64_t)d * soft->place[softs->node[e]];
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++)
        Z[d * i + j] += softs->weight[e] * y[i * n + j];
  }
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      FZ[d * i + j] = 0;
      for (int k = 0; k < d; k++)
        FZ[d * i + j] += Fk[d * i + k] * Z[d * k + j];
    }
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      for (int k = 0; k < d; k++)
        to[i * stride + j] += FZ[d * i + k] * Fl[d * j + k];
}

static void add_soft(Meeting *m, int32_t k, int side, int64_t width) {
  const SlipiSoftTouch *touch = touch_of(m, k);
  const SlipiSoft *soft = m->sim->softs->at[touch->soft[side]];
  int32_t body = m->rows->bodies + touch->soft[side];
  const double *F = frame_of(m, k, side);
  spread_row(m, touch, side, soft, m->Y);
  for (int32_t i = m->p[body]; i < m->p[body + 1]; i++) {
    int32_t l = m->row[i];
    for (int other = 0; other < 2; other++) {
      if (body_of(m, l, other) == body)
        add_soft_block(m, l, other, soft, F, m->W.x + m->at[l], width);
    }
  }
}

static void add_rigid(Meeting *m, int32_t k, int side, int64_t width) {
  int d = m->sim->def.dimension, n = slipi_body_dof(d);
  int32_t body = m->rows->body[2 * (int64_t)k + side];
  const double *H = m->rows->H + (2 * (int64_t)k + side) * d * n;
  const double *Minv = m->Minv + (int64_t)body * n * n;
  double T[18];
  for (int c = 0; c < d; c++)
    for (int j = 0; j < n; j++) {
      T[c * n + j] = 0;
      for (int i = 0; i < n; i++)
        T[c * n + j] += H[c * n + i] * Minv[i * n + j];
    }
  for (int32_t i = m->p[body]; i < m->p[body + 1]; i++) {
    int32_t l = m->row[i];
    for (int other = 0; other < 2; other++) {
      if (m->rows->body[2 * (int64_t)l + other] != body)
        continue;
      const double *G = m->rows->H + (2 * (int64_t)l + other) * d * n;
      double *to = m->W.x + m->at[l];
      for (int c = 0; c < d; c++)
        for (int e = 0; e < d; e++)
          for (int j = 0; j < n; j++)
            to[c * width + e] += T[c * n + j] * G[e * n + j];
    }
  }
}

/* ---- Masses of rigid bodies ---- */

static SlipStatus invert_masses(Meeting *m, SlipError *error) {
  int n = slipi_body_dof(m->sim->def.dimension);
  for (int32_t b = 0; b < m->rows->bodies; b++) {
    const double *M = m->rows->M + (int64_t)b * n * n;
    double lu[36], *to = m->Minv + (int64_t)b * n * n, diagonal[6];
    memcpy(lu, M, (size_t)(n * n) * sizeof *lu);
    if (slipi_root_lu(lu, n) < n)
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "the mass of body %d is not positive definite",
                        (int)m->rows->slot[b]);
    for (int i = 0; i < n; i++)
      diagonal[i] = lu[i * n + i];
    SlipiRootLu block = {.lu = lu, .diagonal = diagonal, .n = n};
    for (int j = 0; j < n; j++) {
      double y[6] = {0};
      y[j] = 1;
      slipi_root_lu_lower(&block, y);
      slipi_root_lu_upper(&block, y);
      for (int i = 0; i < n; i++)
        to[i * n + j] = y[i];
    }
  }
  return SLIP_OK;
}

/* q = H' (free velocity), without w. */
static void set_free(const Meeting *m, int32_t k) {
  const SlipSim *sim = m->sim;
  const SlipiSimRows *rows = m->rows;
  int d = sim->def.dimension, n = slipi_body_dof(d);
  const SlipiSoftTouch *touch = touch_of(m, k);
  double *q = m->q + (int64_t)d * k;
  memset(q, 0, (size_t)d * sizeof *q);
  for (int side = 0; side < 2; side++) {
    int32_t body = rows->body[2 * (int64_t)k + side];
    if (touch && touch->soft[side] >= 0) {
      const SlipiContact *contact = &sim->contacts.at[rows->from[2 * (int64_t)k + 1]];
      const double *v = sim->softs->at[touch->soft[side]]->free_v;
      for (int32_t e = touch->first[side]; e < touch->end[side]; e++)
        for (int c = 0; c < d; c++)
          q[c] += (side == 0 ? 1 : -1) * sim->softs->weight[e] *
                  slipi_dot3(contact->frame[c], v + 3 * (int64_t)sim->softs->node[e]);
    } else if (body >= 0) {
      const double *Minv = m->Minv + (int64_t)body * n * n, *f = rows->f + (int64_t)body * n;
      const double *H = rows->H + (2 * (int64_t)k + side) * d * n;
      for (int i = 0; i < n; i++) {
        double v = 0;
        for (int j = 0; j < n; j++)
          v += Minv[i * n + j] * f[j];
        for (int c = 0; c < d; c++)
          q[c] += H[c * n + i] * v;
      }
    }
  }
}

static SlipStatus make_W(Meeting *m, SlipiArena *arena, SlipError *error) {
  int d = m->sim->def.dimension, n = slipi_body_dof(d);
  int32_t count = m->rows->count, known = 0;
  int64_t blocks = 0;
  if (!list_rows(m, arena))
    return slipi_fail_memory(error, "the contact problem of a step");
  for (int32_t k = 0; k < count; k++)
    blocks += meet(m, k);
  for (int32_t s = 0; s < m->sim->softs->count; s++)
    known = m->sim->softs->at[s]->known > known ? m->sim->softs->at[s]->known : known;
  if (blocks * d * d > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_MEMORY, "W of %d contacts has %lld entries, too many",
                      (int)count, (long long)(blocks * d * d));
  m->W = (SlipiCsr){.rows = d * count, .cols = d * count};
  m->W.p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)d * count + 1);
  m->W.i = SLIPI_ARENA_RAW(arena, int32_t, blocks * d * d);
  m->W.x = SLIPI_ARENA_NEW(arena, double, blocks *d *d);
  m->q = SLIPI_ARENA_NEW(arena, double, (int64_t)d *count);
  m->Y = SLIPI_ARENA_RAW(arena, double, (int64_t)d *d *known + 1);
  m->Minv = SLIPI_ARENA_RAW(arena, double, (int64_t)n *n * m->rows->bodies);
  m->F = SLIPI_ARENA_RAW(arena, double, 18 * (int64_t)count);
  if (arena->failed)
    return slipi_fail_memory(error, "the contact problem of a step");
  SlipStatus status = invert_masses(m, error);
  int32_t used = 0;
  for (int32_t k = 0; k < count; k++)
    turn_frames(m, k);
  for (int32_t k = 0; k < count && status == SLIP_OK; k++) {
    int32_t met = meet(m, k);
    int64_t width = (int64_t)d * met;
    for (int32_t i = 0; i < met; i++)
      m->at[m->list[i]] = used + d * i;
    for (int c = 0; c < d; c++) {
      for (int32_t i = 0; i < met * d; i++)
        m->W.i[used + c * width + i] = d * m->list[i / d] + i % d;
      m->W.p[d * k + c + 1] = (int32_t)(used + (c + 1) * width);
    }
    const SlipiSoftTouch *touch = touch_of(m, k);
    for (int side = 0; side < 2; side++) {
      if (touch && touch->soft[side] >= 0)
        add_soft(m, k, side, width);
      else if (m->rows->body[2 * (int64_t)k + side] >= 0)
        add_rigid(m, k, side, width);
    }
    set_free(m, k);
    used += (int32_t)(d * width);
  }
  return status;
}

/* W and the free velocities are made once a step; a problem that is solved again differs in w. */
static SlipStatus make_once(SlipSim *sim, SlipiSimRows *rows, SlipError *error) {
  SlipiSofts *softs = sim->softs;
  Meeting m = {.sim = sim, .rows = rows};
  if (softs->posed)
    return SLIP_OK;
  slipi_arena_reset(&softs->kept);
  SlipStatus status = slipi_soft_know_nodes(sim, error);
  if (status == SLIP_OK)
    status = make_W(&m, &softs->kept, error);
  softs->q = SLIPI_ARENA_RAW(&softs->kept, double, (int64_t)sim->def.dimension * rows->count);
  if (status == SLIP_OK && !softs->q)
    status = slipi_fail_memory(error, "the contact problem of a step");
  softs->W = m.W;
  softs->free_u = m.q;
  softs->posed = status == SLIP_OK;
  return status;
}

SlipStatus slipi_soft_pose(SlipSim *sim, SlipiSimRows *rows, const SlipSettings *settings,
                           const SlipLaws *laws, SlipError *error) {
  SlipiSofts *softs = sim->softs;
  bool factored;
  SlipStatus status = slipi_soft_choose(sim, rows, settings, &factored, error);
  if (status != SLIP_OK || factored)
    return status == SLIP_OK ? slipi_soft_pose_factored(sim, rows, settings, error) : status;
  slipi_soft_take_solver(softs, rows, false);
  status = make_once(sim, rows, error);
  SlipProblem *problem = NULL;
  if (status == SLIP_OK) {
    SlipLocalData data = slip_default_local_data();
    for (int64_t k = 0; k < (int64_t)sim->def.dimension * rows->count; k++)
      softs->q[k] = softs->free_u[k] + rows->w[k];
    data.dimension = sim->def.dimension;
    data.contacts = rows->count;
    data.W = slipi_csr_view(&softs->W);
    data.q = softs->q;
    data.laws = laws;
    data.compliance = rows->gives ? rows->compliance : NULL;
    status = slip_problem_create_local(&data, &problem, error);
  }
  if (status == SLIP_OK)
    status = rows->solver ? slip_solver_set_problem(rows->solver, problem, error)
                          : slip_solver_create(problem, settings, &rows->solver, error);
  if (status == SLIP_OK) {
    slip_problem_free(rows->problem);
    rows->problem = problem;
    return slip_solver_warm_start(rows->solver, rows->r, error);
  }
  slip_problem_free(problem);
  return status;
}
