/* The one-contact solver of the sweeps for loops of other people (slipcone/kernel.h): what is added
 * is checks, 2D, and layouts. */
#include <slipcone/kernel.h>

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "contact/onecontact_exact.h"
#include "linalg/dense3.h"

/* What a SlipKernel holds. */
typedef struct Kernel {
  SlipiOneContact one;
  int32_t dimension; /* 0: it was not prepared */
  uint32_t mark;
} Kernel;

_Static_assert(sizeof(Kernel) <= sizeof(SlipKernel), "a prepared contact fits");

enum { MARK = 0x511c0e };

/* To rounding; the iterations are those of a sweep's. */
static const SlipiOneContactRule RULE = {SLIPI_ONE_HYBRID, 1e-14, 100};
static const double SOLVED = 1e-12; /* the error of what counts as one, times 1 + mu */

static bool is_kernel(const Kernel *kernel) {
  return kernel && kernel->mark == MARK && (kernel->dimension == 2 || kernel->dimension == 3);
}

/* ---- Preparing ---- */

static SlipStatus check_block(int32_t dimension, const double *W, double mu, SlipFlow flow,
                              SlipError *error) {
  for (int32_t k = 0; k < dimension * dimension; k++) {
    if (!isfinite(W[k]))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "W has %g in row %d, column %d", W[k],
                        (int)(k / dimension), (int)(k % dimension));
  }
  for (int32_t k = 0; k < dimension; k++) {
    if (!(W[k * dimension + k] >= 0))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "W has %g on its diagonal, in row %d: it cannot be positive semidefinite",
                        W[k * dimension + k], (int)k);
  }
  if (!(mu >= 0 && isfinite(mu)))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "mu is %g, not a number from 0 on", mu);
  if (flow != SLIP_FLOW_COULOMB && flow != SLIP_FLOW_ASSOCIATED)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no flow %d", (int)flow);
  return SLIP_OK;
}

static void prepare(Kernel *kernel, int32_t dimension, const double *W, double mu, SlipFlow flow) {
  double block[9];
  SlipiLaw law = slipi_law(SLIP_COULOMB, mu);
  law.flow = (unsigned char)flow;
  if (dimension == 2)
    slipi_one_contact_pad(W, block);
  else
    memcpy(block, W, sizeof block);
  memset(kernel, 0, sizeof *kernel);
  slipi_one_contact_prepare(&kernel->one, block, law);
  kernel->dimension = dimension;
  kernel->mark = MARK;
}

SlipStatus slip_kernel_prepare_many(SlipKernel *kernels, int64_t count, int32_t dimension,
                                    const double *W, const double *mu, SlipFlow flow,
                                    SlipError *error) {
  slipi_error_clear(error);
  if (count < 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the number of contacts is %lld",
                      (long long)count);
  if (count > 0 && (!kernels || !W || !mu))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "kernels, W or mu is null");
  if (dimension != 2 && dimension != 3)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the dimension is %d, not 2 or 3",
                      (int)dimension);
  for (int64_t a = 0; a < count; a++) {
    const double *block = W + a * dimension * dimension;
    SlipStatus status = check_block(dimension, block, mu[a], flow, error);
    if (status != SLIP_OK) {
      slipi_error_prefix(error, "contact %lld", (long long)a);
      return status;
    }
    prepare((Kernel *)&kernels[a], dimension, block, mu[a], flow);
  }
  return SLIP_OK;
}

SlipStatus slip_kernel_prepare(SlipKernel *kernel, int32_t dimension, const double *W, double mu,
                               SlipFlow flow, SlipError *error) {
  return slip_kernel_prepare_many(kernel, 1, dimension, W, &mu, flow, error);
}

/* ---- Solving ---- */

static inline void load(const double *x, ptrdiff_t component, int32_t dimension, double to[3]) {
  to[0] = x[0];
  to[1] = x[component];
  to[2] = dimension == 3 ? x[2 * component] : 0;
}

static inline void store(const double from[3], ptrdiff_t component, int32_t dimension, double *x) {
  x[0] = from[0];
  x[component] = from[1];
  if (dimension == 3)
    x[2 * component] = from[2];
}

static bool is_finite(const double x[3]) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* Of components that stand `component` apart. */
static int solve(Kernel *kernel, ptrdiff_t component, const double *at, double *x) {
  double q[3], r[3];
  load(at, component, kernel->dimension, q);
  load(x, component, kernel->dimension, r);
  if (!is_finite(q) || !is_finite(r))
    return 0;
  bool exact = slipi_one_contact_settle(&kernel->one, &RULE, true, q, r);
  store(r, component, kernel->dimension, x);
  return exact || slipi_one_contact_error(&kernel->one, q, r) <= SOLVED * (1 + kernel->one.law.mu);
}

int slip_kernel_solve(SlipKernel *kernel, const double *q, double *r) {
  Kernel *own = (Kernel *)kernel;
  return is_kernel(own) && q && r ? solve(own, 1, q, r) : 0;
}

int64_t slip_kernel_solve_many(SlipKernel *kernels, int64_t count, SlipKernelLayout layout,
                               const double *q, double *r, int32_t *solved) {
  int64_t good = 0;
  if (!kernels || !q || !r)
    return 0;
  for (int64_t a = 0; a < count; a++) {
    Kernel *own = (Kernel *)&kernels[a];
    ptrdiff_t at = (ptrdiff_t)a * layout.contact;
    int done = is_kernel(own) ? solve(own, layout.component, q + at, r + at) : 0;
    good += done;
    if (solved)
      solved[a] = done;
  }
  return good;
}

/* ---- Judging ---- */

double slip_kernel_error(const SlipKernel *kernel, const double *q, const double *r) {
  const Kernel *own = (const Kernel *)kernel;
  double at[3], x[3];
  if (!is_kernel(own) || !q || !r)
    return NAN;
  load(q, 1, own->dimension, at);
  load(r, 1, own->dimension, x);
  return slipi_one_contact_error(&own->one, at, x);
}

SlipContactStatus slip_kernel_status(const SlipKernel *kernel, const double *q, const double *r) {
  const Kernel *own = (const Kernel *)kernel;
  double at[3], x[3], z[3], p[3];
  if (!is_kernel(own) || !q || !r)
    return SLIP_CONTACT_OPEN;
  load(q, 1, own->dimension, at);
  load(r, 1, own->dimension, x);
  slipi_dense3_multiply(own->one.W, x, z);
  for (int k = 0; k < 3; k++)
    z[k] += at[k];
  z[0] += slipi_law_g(&own->one.law, z);
  for (int k = 0; k < 3; k++)
    z[k] = x[k] - own->one.rho * z[k];
  return slipi_law_project(&own->one.law, z, p);
}
