/* Deformable bodies in a step.
 *
 * In the axes of a frame R' between its start and its end, with s for velocities there and s_p for
 * those of the rigid motion that turns the frame,
 *
 *     M (s+ - s) + h C (s_t - s_p) + h K (u + theta h (s_t - s_p)) = h F + H r,
 *
 * s_t = (1 - theta) s + theta s+: the displacement u in the frame grows with what is not rigid
 * motion. Positions move by h times the velocity at theta. */
#include <math.h>
#include <string.h>

#include "sim/soft.h"

bool slipi_sim_is_static(const SlipSim *sim) {
  return sim->def.inertia != SLIP_INERTIA_FULL;
}

static double theta_of(const SlipSim *sim) {
  return slipi_sim_is_static(sim) ? 1 : sim->def.theta;
}

void slipi_soft_factors(const SlipSim *sim, const SlipiSoft *soft, double h, double *M, double *K) {
  double theta = theta_of(sim);
  *M = (slipi_sim_is_static(sim) ? 0 : 1) + h * theta * soft->damping[0];
  *K = h * theta * soft->damping[1] + h * h * theta * theta;
}

/* ---- The matrix ---- */

static SlipStatus make_factor(const SlipSim *sim, SlipiSoft *soft, double h, SlipError *error) {
  double a, b;
  slipi_soft_factors(sim, soft, h, &a, &b);
  if (soft->factor && soft->factor_M == a && soft->factor_K == b)
    return SLIP_OK;
  SlipiArena *scratch = &sim->softs->scratch;
  SlipiCsr A;
  slipi_soft_forget(soft);
  SlipStatus status = slipi_fem_combine(&soft->matrices, a, b, soft->number, scratch, &A, error);
  if (status == SLIP_OK && A.rows > 0)
    status = slipi_factor_create(&A, "the matrix of a deformable body", NULL, NULL, &soft->factor,
                                 error);
  slipi_arena_reset(scratch);
  soft->factor_M = a;
  soft->factor_K = b;
  return status;
}

/* s (d a node, in the frame) of A s = right + push, with what is given where nodes are held. */
static SlipStatus solve(SlipiSoft *soft, const double *push, double *s, SlipError *error) {
  int64_t n = slipi_soft_d(soft) * (int64_t)soft->nodes;
  double *b = soft->solve[0], *x = soft->solve[1];
  for (int64_t k = 0; k < n; k++) {
    if (soft->number[k] >= 0)
      b[soft->number[k]] = soft->right[k] + (push ? push[k] : 0);
  }
  SlipStatus status = soft->factor ? slipi_factor_solve(soft->factor, b, x, error) : SLIP_OK;
  for (int64_t k = 0; k < n; k++)
    s[k] = soft->number[k] >= 0 ? x[soft->number[k]] : soft->given[k];
  return status;
}

/* ---- Before the impulses ---- */

/* The frame's turn over the step and the frame between its ends; the rigid motion's velocities in
 * the latter's axes. */
static void predict_frame(const SlipSim *sim, SlipiSoft *soft, double h, double *rigid) {
  int d = slipi_soft_d(soft);
  memset(rigid, 0, (size_t)(d * (int64_t)soft->nodes) * sizeof *rigid);
  memcpy(soft->mid_R, soft->R, sizeof soft->R);
  memcpy(soft->end_R, soft->R, sizeof soft->R);
  if (soft->held)
    return;
  double spin[3], theta = theta_of(sim), Q[9], P[9], c[3];
  slipi_soft_spin(soft, soft->x, soft->v, soft->R, spin);
  double rate = slipi_length(spin);
  if (!(rate > 0))
    return;
  double angle = 2 * atan(h * rate / 2); /* by which the midpoint rule turns */
  for (int k = 0; k < 3; k++)
    spin[k] /= rate;
  slipi_rotation_about(spin, angle, Q);
  slipi_rotation_about(spin, atan2(theta * sin(angle), 1 - theta + theta * cos(angle)), P);
  slipi_rotation_product(P, soft->R, soft->mid_R);
  slipi_rotation_product(Q, soft->R, soft->end_R);
  slipi_soft_centre(soft, soft->x, c);
  for (int64_t k = 0; k < soft->nodes; k++) {
    double arm[3], turned[3];
    slipi_sub(soft->x + 3 * k, c, arm);
    slipi_rotate(Q, arm, turned);
    for (int i = 0; i < 3; i++)
      turned[i] = (turned[i] - arm[i]) / h;
    slipi_rotate_back(soft->mid_R, turned, turned);
    for (int i = 0; i < d; i++)
      rigid[d * k + i] = turned[i];
  }
}

/* b: what does not depend on the new velocities. */
static void set_right(const SlipSim *sim, SlipiSoft *soft, double h) {
  int d = slipi_soft_d(soft);
  int64_t n = d * (int64_t)soft->nodes, slot = soft->slot;
  double theta = theta_of(sim), a, b, pull[3], *rigid = soft->work[0], *s = soft->work[1],
         *forM = soft->work[2], *forK = soft->free_v; /* free_v is room until it is known */
  const double *alpha = soft->damping;
  bool still = slipi_sim_is_static(sim);
  slipi_soft_factors(sim, soft, h, &a, &b);
  predict_frame(sim, soft, h, rigid);
  slipi_soft_displacement(soft, soft->x, soft->R, soft->u);
  slipi_soft_to_frame(soft, soft->mid_R, soft->v, s);
  for (int k = 0; k < 3; k++)
    pull[k] = sim->bodies.load[3 * slot + k] / soft->mass; /* gravity, and forces on the body */
  slipi_rotate_back(soft->mid_R, pull, pull);
  double rest = still ? 0 : 1 - theta;
  for (int64_t k = 0; k < n; k++) {
    double old = still ? 0 : s[k];
    forM[k] = old - h * rest * alpha[0] * old - a * soft->given[k] + h * pull[k % d];
    forK[k] = -h * soft->u[k] - (h * alpha[1] + h * h * theta) * (rest * old - rigid[k]) -
              b * soft->given[k];
  }
  slipi_csr_multiply(&soft->matrices.M, forM, soft->right);
  slipi_csr_multiply(&soft->matrices.K, forK, forM);
  for (int64_t k = 0; k < n; k++)
    soft->right[k] += forM[k];
  slipi_soft_to_frame(soft, soft->mid_R, soft->load, s);
  for (int64_t k = 0; k < n; k++)
    soft->right[k] += h * s[k];
  if (!soft->held) {
    slipi_csr_multiply(&soft->matrices.K, soft->u, forM);
    slipi_soft_balance(soft, soft->u, forM, h, soft->right);
  }
}

static SlipStatus check_static(const SlipSim *sim, SlipError *error) {
  for (int32_t slot = 0; slot < sim->bodies.count; slot++) {
    if (slipi_sim_is_free(sim, slot))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "body %d is rigid and free: without inertia nothing says how it moves",
                        (int)slot);
  }
  for (int32_t k = 0; sim->softs && k < sim->softs->count; k++) {
    const SlipiSoft *soft = sim->softs->at[k];
    if (!soft->held && !(soft->damping[0] > 0))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "deformable body %d is not held: without inertia its stiffness alone does "
                        "not say how it moves",
                        (int)soft->slot);
  }
  return SLIP_OK;
}

SlipStatus slipi_soft_predict(SlipSim *sim, double time, double h, SlipError *error) {
  bool still = slipi_sim_is_static(sim);
  SlipStatus status = still ? check_static(sim, error) : SLIP_OK;
  for (int32_t k = 0; sim->softs && k < sim->softs->count && status == SLIP_OK; k++) {
    SlipiSoft *soft = sim->softs->at[k];
    slipi_soft_set_loads(soft, still ? time + h : time + h / 2);
    slipi_soft_set_given(soft, time, h);
    status = make_factor(sim, soft, h, error);
    if (status != SLIP_OK)
      break;
    set_right(sim, soft, h);
    memcpy(soft->step_right, soft->right,
           (size_t)(slipi_soft_d(soft) * (int64_t)soft->nodes) * sizeof *soft->right);
    status = solve(soft, NULL, soft->work[0], error);
    slipi_soft_to_world(soft, soft->mid_R, soft->work[0], soft->free_v);
    memcpy(soft->end_v, soft->free_v, 3 * (size_t)soft->nodes * sizeof *soft->end_v);
    memset(soft->push, 0, 3 * (size_t)soft->nodes * sizeof *soft->push);
    for (int64_t i = 0; i < 3 * (int64_t)soft->nodes; i++)
      soft->mid_x[i] = soft->x[i] + (still ? 0 : h / 2 * soft->v[i]);
  }
  return status;
}

/* ---- After them ---- */

static void add_push(SlipSim *sim, const SlipiContact *contact) {
  const SlipiSofts *softs = sim->softs;
  const SlipiSoftTouch *touch = &softs->touch[contact->soft - 1];
  for (int side = 0; side < 2; side++) {
    if (touch->soft[side] < 0)
      continue;
    double *push = softs->at[touch->soft[side]]->push, sign = side == 0 ? 1 : -1;
    for (int32_t k = touch->first[side]; k < touch->end[side]; k++)
      for (int c = 0; c < 3; c++)
        push[3 * (int64_t)softs->node[k] + c] += sign * softs->weight[k] * contact->impulse[c];
  }
}

SlipStatus slipi_soft_kick(SlipSim *sim, const SlipResult *result, SlipError *error) {
  SlipStatus status = SLIP_OK;
  if (!sim->softs)
    return SLIP_OK;
  for (int32_t k = 0; k < sim->softs->count; k++)
    memset(sim->softs->at[k]->push, 0, 3 * (size_t)sim->softs->at[k]->nodes * sizeof(double));
  for (int32_t k = 0; result && k < sim->contacts.count; k++) {
    if (sim->contacts.at[k].soft > 0)
      add_push(sim, &sim->contacts.at[k]);
  }
  for (int32_t k = 0; k < sim->softs->count && status == SLIP_OK; k++) {
    SlipiSoft *soft = sim->softs->at[k];
    slipi_soft_to_frame(soft, soft->mid_R, soft->push, soft->work[1]);
    status = solve(soft, soft->work[1], soft->work[0], error);
    slipi_soft_to_world(soft, soft->mid_R, soft->work[0], soft->end_v);
  }
  return status;
}

/* Where the body's frame is, for those who look at bodies. */
static void show_frame(SlipSim *sim, const SlipiSoft *soft) {
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)soft->slot, k4 = 4 * (int64_t)soft->slot;
  double c[3], v[3], arm[3], spin[3], swing[3];
  slipi_soft_centre(soft, soft->x, c);
  slipi_soft_centre(soft, soft->v, v);
  slipi_soft_spin(soft, soft->x, soft->v, soft->R, spin);
  slipi_rotate(soft->R, soft->centre, arm);
  slipi_cross(spin, arm, swing);
  for (int k = 0; k < 3; k++) {
    b->position[i + k] = b->x[i + k] = c[k] - arm[k];
    b->velocity[i + k] = v[k] - swing[k];
    b->spin[i + k] = spin[k];
  }
  slipi_quaternion_of(soft->R, b->rotation + k4);
  memcpy(b->q + k4, b->rotation + k4, 4 * sizeof(double));
}

void slipi_soft_advance(SlipSim *sim, double h) {
  double theta = theta_of(sim);
  for (int32_t s = 0; sim->softs && s < sim->softs->count; s++) {
    SlipiSoft *soft = sim->softs->at[s];
    slipi_soft_work(sim, soft, h);
    for (int64_t k = 0; k < 3 * (int64_t)soft->nodes; k++) {
      soft->x[k] += h * ((1 - theta) * soft->v[k] + theta * soft->end_v[k]);
      soft->v[k] = soft->end_v[k];
      soft->force[k] = soft->push[k] / h;
    }
    memcpy(soft->R, soft->end_R, sizeof soft->R);
    if (!soft->held)
      slipi_soft_fit(soft, soft->x, soft->R);
    slipi_soft_guard(sim, soft);
    show_frame(sim, soft);
  }
}
