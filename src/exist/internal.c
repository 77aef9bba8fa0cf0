/* Internal forces: impulses in K other than 0 that are in balance, W r = 0 (of a global problem
 * H r = 0). Where there are none, solutions form a bounded set whatever the load is, and so do
 * those of non-associated flow that dilates less (docs/theory.md).
 *
 * There are none where some velocity separates all contacts: H' v inside K*, with no w. That is the
 * alternative of the criterion's program, whose margin has no bound then. */
#include <string.h>

#include "exist/exist.h"
#include "exist/separate.h"

/* A local W that is no H' M^-1 H but for rounding: the kernel of W and that of W' differ. */
static SlipStatus is_skewed(SlipiCheck *check, bool *skewed, SlipError *error) {
  static const double ROUNDING = 1e-10;
  double asymmetry = 0, norm = 0;
  SlipStatus status = SLIP_OK;
  if (check->problem->form == SLIP_FORM_LOCAL)
    status = slipi_csr_asymmetry(check->data.Ht, &check->stop, &asymmetry, &norm, error);
  *skewed = asymmetry > ROUNDING * norm;
  return status;
}

/* Whether the program finds velocities that separate all contacts, or impulses in balance. */
static SlipStatus ask_program(SlipiCheck *check, const SlipiKinematics *kin, SlipError *error) {
  SlipiProgram program = {0};
  SlipiProgramEnd end = SLIPI_PROGRAM_STALLED;
  SlipStatus status = slipi_program_create(&check->work, kin, &program, error);
  if (status == SLIP_OK)
    status = slipi_program_solve(&program, &check->stop, &end, error);
  if (status == SLIP_OK && end == SLIPI_PROGRAM_OPTIMAL)
    check->result.internal = SLIP_ANSWER_YES;
  if (status == SLIP_OK && end == SLIPI_PROGRAM_UNBOUNDED && !check->bilateral)
    check->result.internal = SLIP_ANSWER_NO;
  slipi_program_free(&program);
  return status;
}

/* W' in the place of W, and no w: velocities W' x inside K* say that W r = 0 has no r in K. */
static SlipStatus ask_transposed(SlipiCheck *check, SlipError *error) {
  SlipiAffine data = check->data;
  SlipiKinematics kin;
  SlipiSeparation answer = SLIPI_SEPARATE_UNKNOWN;
  data.Ht = check->data.H;
  data.H = check->data.Ht;
  data.w = SLIPI_ARENA_NEW(&check->work, double, (int64_t)data.d *data.nc);
  data.size = 1;
  if (!data.w)
    return slipi_fail_memory(error, "an existence check");
  SlipStatus status = slipi_kinematics_create(&check->work, &data, false, NULL, &kin, error);
  if (status == SLIP_OK && !check->bilateral) {
    int steps = 0;
    double margin, *x = SLIPI_ARENA_NEW(&check->work, double, kin.n);
    if (!x)
      return slipi_fail_memory(error, "an existence check");
    status = slipi_separate(&check->work, &kin, &check->stop, x, &margin, &answer, &steps, error);
  }
  if (status == SLIP_OK && answer != SLIPI_SEPARATE_UNKNOWN)
    check->result.internal = SLIP_ANSWER_NO;
  else if (status == SLIP_OK && check->options.margin)
    status = ask_program(check, &kin, error);
  return status;
}

SlipStatus slipi_check_internal(SlipiCheck *check, SlipError *error) {
  SlipCheck *result = &check->result;
  bool skewed;
  if (check->no_cone >= 0 || slipi_is_stopped(&check->stop))
    return SLIP_OK;
  SlipStatus status = is_skewed(check, &skewed, error);
  if (status != SLIP_OK)
    return status;
  if (result->margin_known && isinf(result->margin) && !check->bilateral)
    result->internal = SLIP_ANSWER_NO; /* of W positive definite too, symmetric or not */
  else if (skewed)
    status = ask_transposed(check, error);
  else if (result->margin_known && isfinite(result->margin))
    result->internal = SLIP_ANSWER_YES;
  return status;
}
