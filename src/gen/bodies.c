#include "gen/bodies.h"

#include <math.h>

SlipStatus slipi_bodies_check(const SlipGenerate *options, int64_t contacts, SlipError *error) {
  int64_t most = INT32_MAX / (2 * options->dimension * slipi_body_dof(options->dimension));
  if (contacts <= most)
    return SLIP_OK;
  return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%lld contacts are too many, %lld are possible",
                    (long long)contacts, (long long)most);
}

SlipStatus slipi_bodies_start(SlipiDraft *draft, const SlipGenerate *options, int64_t bodies,
                              int64_t contacts, SlipError *error) {
  int n = slipi_body_dof(options->dimension);
  SlipStatus status = slipi_bodies_check(options, contacts, error);
  if (status != SLIP_OK)
    return status;
  draft->form = SLIP_FORM_GLOBAL;
  draft->d = options->dimension;
  draft->nc = (int32_t)contacts;
  draft->dof = (int32_t)(n * bodies);
  status = slipi_entries_alloc(draft, &draft->H, 2 * n * draft->d * contacts, error);
  if (status == SLIP_OK)
    status = slipi_entries_alloc(draft, &draft->M, n * bodies, error);
  return status == SLIP_OK ? slipi_draft_vectors(draft, options->mu, error) : status;
}

void slipi_bodies_mass(SlipiDraft *draft, int32_t body, double mass, const double *inertia,
                       const double *velocity) {
  int d = draft->d, n = slipi_body_dof(d);
  for (int k = 0; k < n; k++) {
    slipi_entries_add(&draft->M, n * body + k, n * body + k, k < d ? mass : inertia[k - d]);
    draft->f[n * body + k] = k < d ? mass * velocity[k] : 0;
  }
}

void slipi_bodies_block(int d, const SlipiTouch *touch, bool into, double *block) {
  const double *centre = into ? touch->into_centre : touch->from_centre;
  double frame[3][3] = {{0}}, arm[3] = {0}, size = 1;
  slipi_contact_frame(d, touch->normal, frame);
  for (int k = 0; k < d; k++) {
    arm[k] = touch->point[k] - centre[k];
    size = fmax(size, fabs(arm[k]));
  }
  slipi_contact_arm(d, arm, frame, into ? 1 : -1, block);
  for (int k = 0; k < d * slipi_body_dof(d); k++)
    if (!(fabs(block[k]) > 1e-14 * size)) /* a normal through the centre turns nothing */
      block[k] = 0;
}

static void add_block(SlipiDraft *draft, int32_t body, int32_t contact, const SlipiTouch *touch,
                      bool into) {
  int d = draft->d, n = slipi_body_dof(d);
  double block[3 * SLIPI_BODY_MOST];
  slipi_bodies_block(d, touch, into, block);
  for (int k = 0; k < d * n; k++)
    if (block[k] != 0)
      slipi_entries_add(&draft->H, n * body + k % n, d * contact + k / n, block[k]);
}

void slipi_bodies_touch(SlipiDraft *draft, int32_t contact, const SlipiTouch *touch) {
  if (touch->into >= 0)
    add_block(draft, touch->into, contact, touch, true);
  if (touch->from >= 0)
    add_block(draft, touch->from, contact, touch, false);
}

void slipi_bodies_drive(SlipiDraft *draft, int32_t contact, const double *normal,
                        const double *velocity) {
  double frame[3][3] = {{0}};
  int d = draft->d;
  slipi_contact_frame(d, normal, frame);
  for (int c = 0; c < d; c++)
    for (int k = 0; k < d; k++)
      draft->w[d * contact + c] -= frame[c][k] * velocity[k];
}
