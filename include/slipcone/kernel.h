/* One contact at a time, for people with a loop of their own: the solver that Slipcone's sweeps
 * call, without problems, solvers or memory around it.
 *
 *     K* ∋ u + g(u) ⟂ r ∈ K,   u = W r + q,   K = {|r_T| <= mu r_N},   g(u) = (mu |u_T|, 0, 0)
 *
 * with W the contact's own block, normal first, and q the velocity it would have without its own
 * impulse. What depends on W alone is prepared once, in memory of the caller; a solve allocates
 * nothing, takes some tens of nanoseconds and is exact to rounding. Nothing is shared: threads may
 * solve different contacts at the same time.
 *
 *     SlipKernel kernel;
 *     slip_kernel_prepare(&kernel, 3, W, 0.5, SLIP_FLOW_COULOMB, &error);
 *     slip_kernel_solve(&kernel, q, r);     // r: in, where to start from (0, or the last one); out
 *
 * docs/onecontact.md has a Gauss-Seidel loop around it. */
#ifndef SLIPCONE_KERNEL_H
#define SLIPCONE_KERNEL_H

#include <slipcone/slipcone.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A prepared contact. Its content is the library's own; it may be copied, and needs no freeing. */
typedef struct SlipKernel {
  double data[33];
} SlipKernel;

/* Prepare for a block W (row-major, dimension x dimension, 2 or 3; symmetric or not) and friction
 * mu >= 0. What was prepared before is lost. */
SLIP_API SlipStatus slip_kernel_prepare(SlipKernel *kernel, int32_t dimension, const double *W,
                                        double mu, SlipFlow flow, SlipError *error);

/* `count` of them: blocks one after the other in W, a friction coefficient each. An error names the
 * contact, counted from 0; those before it are prepared. */
SLIP_API SlipStatus slip_kernel_prepare_many(SlipKernel *kernels, int64_t count, int32_t dimension,
                                             const double *W, const double *mu, SlipFlow flow,
                                             SlipError *error);

/* Solve for r. Where there are several solutions, the one nearest to the r that comes in is taken
 * (where friction is not coupled strongly to the normal, there is one). Returns 1, or 0 where none
 * was found: rods that jam may have none. r is then no worse than it came in. 0 also for a null
 * pointer, a kernel that was not prepared, and q or r that are not finite; r is left alone then. */
SLIP_API int slip_kernel_solve(SlipKernel *kernel, const double *q, double *r);

/* Where values of a contact stand: component k of contact a at a * contact + k * component. */
typedef struct SlipKernelLayout {
  ptrdiff_t contact, component;
} SlipKernelLayout;

/* Arrays of structures: the components of a contact together. */
static inline SlipKernelLayout slip_kernel_by_contact(int32_t dimension) {
  SlipKernelLayout layout = {dimension, 1};
  return layout;
}

/* Structure of arrays: all normals, then all first tangents, ... */
static inline SlipKernelLayout slip_kernel_by_component(int64_t count) {
  SlipKernelLayout layout = {1, (ptrdiff_t)count};
  return layout;
}

/* Solve `count` contacts that do not depend on each other, as in a colour of Gauss-Seidel or a
 * step of Jacobi: q and r both in this layout, `solved` (may be NULL) gets what slip_kernel_solve
 * returns. Returns how many were solved. */
SLIP_API int64_t slip_kernel_solve_many(SlipKernel *kernels, int64_t count, SlipKernelLayout layout,
                                        const double *q, double *r, int32_t *solved);

/* How far r is from a solution: the natural map in units of velocity, relative to the larger of
 * |q| and |W||r|; 1e-16 is what double precision allows. NaN for what is not a kernel. */
SLIP_API double slip_kernel_error(const SlipKernel *kernel, const double *q, const double *r);

/* Whether the contact of a solution r opens, sticks or slips; SLIP_CONTACT_OPEN for what is not a
 * kernel. */
SLIP_API SlipContactStatus slip_kernel_status(const SlipKernel *kernel, const double *q,
                                              const double *r);

#ifdef __cplusplus
}
#endif

#endif
