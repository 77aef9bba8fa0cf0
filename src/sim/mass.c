/* Mass, centre of mass and principal axes of a body, from its shapes or as given. */
#include <math.h>

#include "sim/sim.h"

/* Sums over the shapes of a body, in its frame. */
typedef struct Sums {
  double mass, centre[3], inertia[9]; /* inertia about the origin */
} Sums;

/* Add mass m at c to an inertia about the origin: m (|c|^2 1 - c c'). */
static void add_point(double m, const double c[3], double inertia[9]) {
  double square = slipi_dot3(c, c);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      inertia[3 * i + j] += m * ((i == j ? square : 0) - c[i] * c[j]);
}

static void add_part(const SlipiPart *part, double density, Sums *sums) {
  double volume, centre[3], inertia[9], turned[9];
  if (!slipi_shape_mass(&part->shape, &volume, centre, inertia))
    return;
  const double *R = part->local.R;
  for (int i = 0; i < 3; i++) /* R I R', by rows of R I */
    for (int j = 0; j < 3; j++)
      turned[3 * i + j] =
          R[3 * i] * inertia[j] + R[3 * i + 1] * inertia[3 + j] + R[3 * i + 2] * inertia[6 + j];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      sums->inertia[3 * i + j] += density * slipi_dot3(turned + 3 * i, R + 3 * j);
  slipi_pose_point(&part->local, centre, centre);
  add_point(density * volume, centre, sums->inertia);
  sums->mass += density * volume;
  for (int k = 0; k < 3; k++)
    sums->centre[k] += density * volume * centre[k];
}

/* Jacobi's rotations: the eigenvalues of a symmetric matrix on its diagonal, eigenvectors in the
 * columns of V. A matrix that is diagonal but for rounding keeps the axes. */
static void diagonalise(double A[9], double V[9]) {
  enum { SWEEPS = 30 };
  double trace = A[0] + A[4] + A[8];
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double off = fabs(A[1]) + fabs(A[2]) + fabs(A[5]);
    if (off <= (sweep == 0 ? 1e-13 : 1e-17) * trace)
      return;
    for (int p = 0; p < 2; p++) {
      for (int q = p + 1; q < 3; q++) {
        if (A[3 * p + q] == 0)
          continue;
        double theta = (A[4 * q] - A[4 * p]) / (2 * A[3 * p + q]);
        double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
        double c = 1 / hypot(t, 1), s = t * c;
        for (int k = 0; k < 3; k++) { /* columns p and q of A and V */
          double ap = A[3 * k + p], aq = A[3 * k + q], vp = V[3 * k + p], vq = V[3 * k + q];
          A[3 * k + p] = c * ap - s * aq;
          A[3 * k + q] = s * ap + c * aq;
          V[3 * k + p] = c * vp - s * vq;
          V[3 * k + q] = s * vp + c * vq;
        }
        for (int k = 0; k < 3; k++) { /* rows */
          double ap = A[3 * p + k], aq = A[3 * q + k];
          A[3 * p + k] = c * ap - s * aq;
          A[3 * q + k] = s * ap + c * aq;
        }
      }
    }
  }
}

static bool any(const double x[3]) {
  return x[0] != 0 || x[1] != 0 || x[2] != 0;
}

static SlipStatus check_given(const SlipSim *sim, const SlipBodyDef *def, SlipError *error) {
  SlipStatus status = slipi_sim_finite("inertia", def->inertia, 3, error);
  if (status != SLIP_OK)
    return status;
  if (!(def->mass >= 0) || !isfinite(def->mass))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the mass is %g but must be positive", def->mass);
  for (int k = sim->def.dimension == 3 ? 0 : 2; any(def->inertia) && k < 3; k++) {
    if (!(def->inertia[k] > 0))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "inertia[%d] is %g but must be positive", k,
                        def->inertia[k]);
  }
  const double *I = def->inertia;
  double sum = I[0] + I[1] + I[2];
  double largest = fmax(I[0], fmax(I[1], I[2]));
  if (sim->def.dimension == 3 && 2 * largest > sum * (1 + 1e-9))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "inertia is (%g, %g, %g): no moment can exceed the sum of the others", I[0],
                      I[1], I[2]);
  return SLIP_OK;
}

static void set_given(SlipSim *sim, int32_t slot, const SlipBodyDef *def) {
  SlipiBodies *bodies = &sim->bodies;
  for (int k = 0; k < 3; k++) {
    bodies->centre[3 * (int64_t)slot + k] = 0;
    bodies->moment[3 * (int64_t)slot + k] = def->inertia[k] > 0 ? def->inertia[k] : 1;
  }
}

/* From the sums of the shapes: about the centre, along principal axes. */
static void set_from_sums(SlipSim *sim, int32_t slot, double mass, Sums *sums) {
  SlipiBodies *bodies = &sim->bodies;
  double *centre = bodies->centre + 3 * (int64_t)slot, V[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int k = 0; k < 3; k++)
    centre[k] = sums->centre[k] / sums->mass;
  add_point(-sums->mass, centre, sums->inertia);
  if (sim->def.dimension == 3)
    diagonalise(sums->inertia, V);
  double scale = mass / sums->mass;
  for (int k = 0; k < 3; k++) {
    double moment = scale * sums->inertia[4 * k];
    bodies->moment[3 * (int64_t)slot + k] = moment > 0 ? moment : scale * sums->inertia[8];
  }
  double volume = V[0] * (V[4] * V[8] - V[5] * V[7]) - V[1] * (V[3] * V[8] - V[5] * V[6]) +
                  V[2] * (V[3] * V[7] - V[4] * V[6]);
  for (int k = 0; volume < 0 && k < 9; k += 3)
    V[k] = -V[k];
  slipi_quaternion_of(V, bodies->axes + 4 * (int64_t)slot);
}

SlipStatus slipi_body_mass(SlipSim *sim, int32_t slot, const SlipBodyDef *def, SlipError *error) {
  SlipiBodies *bodies = &sim->bodies;
  SlipStatus status = check_given(sim, def, error);
  if (status != SLIP_OK)
    return status;
  Sums sums = {0};
  for (int32_t k = 0; k < bodies->part_count[slot]; k++) {
    const SlipiPart *part = &sim->part[bodies->first_part[slot] + k];
    add_part(part, part->material >= 0 ? sim->density[part->material] : 1000, &sums);
  }
  double mass = def->mass > 0 ? def->mass : sums.mass;
  if (!(mass > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "a free body needs a mass, or a shape that has one");
  if (!any(def->inertia) && !(sums.mass > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "a free body whose shapes have no mass needs an inertia");
  bodies->mass[slot] = mass;
  if (any(def->inertia))
    set_given(sim, slot, def);
  else
    set_from_sums(sim, slot, mass, &sums);
  return SLIP_OK;
}
