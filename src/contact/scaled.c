#include "contact/scaled.h"

#include <string.h>

#include "contact/onecontact.h"
#include "contact/residual.h"

/* Folding divides by mu: the least it may be. */
static const double MU_LEAST = 1e-8;
/* Blocks without stiffness are scaled as if they had this share of the stiffest. */
static const double SIZE_LEAST = 1e-12;

/* A 3x3 block of the original W: a 2D one gets a third direction on the diagonal only. */
static void block3(const SlipiScaled *s, int32_t row, int32_t k, double block[9]) {
  double x[9];
  bool diagonal = s->original->j[k] == row;
  if (s->op->share)
    slipi_operator_diagonal(s->op, row, x, NULL); /* of the velocity form, which cannot fail */
  else
    slipi_operator_block(s->op, row, k, x);
  if (s->d == 3) {
    memcpy(block, x, 9 * sizeof *block);
  } else if (diagonal) {
    slipi_one_contact_pad(x, block);
  } else {
    const double padded[9] = {x[0], x[1], 0, x[2], x[3], 0, 0, 0, 0};
    memcpy(block, padded, sizeof padded);
  }
}

/* The pattern of a diagonal. */
static SlipStatus make_diagonal(SlipiScaled *s, SlipiArena *arena, SlipError *error) {
  SlipiBsr *W = &s->diagonal;
  *W = (SlipiBsr){.d = s->d, .n = s->nc};
  W->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)s->nc + 1);
  W->j = SLIPI_ARENA_NEW(arena, int32_t, s->nc);
  W->diagonal = W->j;
  if (arena->failed)
    return slipi_fail_memory(error, "a scaled problem");
  for (int32_t c = 0; c < s->nc; c++) {
    W->p[c + 1] = c + 1;
    W->j[c] = c;
  }
  s->original = W;
  return SLIP_OK;
}

SlipStatus slipi_scaled_create(SlipiOperator *op, bool fold, SlipiArena *arena, SlipiScaled **made,
                               SlipError *error) {
  *made = NULL;
  SlipiScaled *s = SLIPI_ARENA_NEW(arena, SlipiScaled, 1);
  if (!s)
    return slipi_fail_memory(error, "a scaled problem");
  *s = (SlipiScaled){.d = op->d, .nc = op->nc, .fold = fold, .op = op};
  if (op->nc > INT32_MAX / 3)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%d contacts are too many for a scaled problem",
                      (int)op->nc);
  s->m = 3 * op->nc;
  SlipStatus status =
      op->share ? make_diagonal(s, arena, error) : slipi_operator_matrix(op, &s->original, error);
  if (status != SLIP_OK)
    return status;
  s->W = *s->original;
  s->W.d = 3;
  s->W.x = SLIPI_ARENA_NEW(arena, double, 9 * (int64_t)s->W.p[op->nc]);
  s->q = SLIPI_ARENA_NEW(arena, double, s->m);
  s->a = SLIPI_ARENA_NEW(arena, double, s->m);
  s->b = SLIPI_ARENA_NEW(arena, double, s->m);
  s->root = SLIPI_ARENA_NEW(arena, double, s->m);
  s->law = SLIPI_ARENA_NEW(arena, SlipiLaw, op->nc);
  s->size = SLIPI_ARENA_NEW(arena, double, op->nc);
  if (arena->failed)
    return slipi_fail_memory(error, "a scaled problem");
  *made = s;
  return SLIP_OK;
}

/* The factor mu of a contact's tangents. */
static double fold(const SlipiScaled *s, const SlipiLaw *law) {
  return s->fold && slipi_law_is_second_order(law) ? fmax(law->mu, MU_LEAST) : 1;
}

/* Components that bear no impulse have no part in the scaled problem: their row and column of W and
 * their q are 0. Folded, the cone of a contact without friction keeps tangents that nothing moves:
 * thin cones in their place, whose tangents are dropped in the end, would leave an error of that
 * width times W, much where light bodies bear heavy ones. */
static bool is_left_out(const SlipiScaled *s, const SlipiLaw *law, int component) {
  bool bears = slipi_law_axis(law, component) != SLIPI_AXIS_NONE;
  if (slipi_law_is_second_order(law))
    return s->fold && component > 0 && !(bears && law->mu > 0);
  return !bears;
}

static void set_sizes(SlipiScaled *s, const SlipiLaw *law) {
  double largest = 0;
  for (int32_t c = 0; c < s->nc; c++) {
    double block[9], mu = fold(s, &law[c]), part[3], count = 0;
    block3(s, c, s->original->diagonal[c], block);
    for (int k = 0; k < 3; k++) {
      bool there = !is_left_out(s, &law[c], k);
      part[k] = there ? block[4 * k] : 0;
      count += there;
    }
    s->size[c] = (part[0] + mu * mu * (part[1] + part[2])) / fmax(count, 1);
    largest = fmax(largest, s->size[c]);
  }
  largest = slipi_share_most(s->op->share, largest);
  for (int32_t c = 0; c < s->nc; c++)
    s->size[c] = largest > 0 ? sqrt(fmax(s->size[c], SIZE_LEAST * largest)) : 1;
}

static void set_units(SlipiScaled *s, const SlipiLaw *law, double unit) {
  for (int32_t c = 0; c < s->nc; c++) {
    double mu = fold(s, &law[c]);
    for (int32_t k = 0; k < 3; k++) {
      s->a[3 * c + k] = unit / s->size[c] * (k > 0 ? mu : 1);
      s->b[3 * c + k] = unit * s->size[c] / (k > 0 ? mu : 1);
      if (is_left_out(s, &law[c], k))
        s->a[3 * c + k] = 0;
    }
    if (s->fold && slipi_law_is_second_order(&law[c]))
      s->law[c] = (SlipiLaw){.kind = SLIPI_COULOMB, .flow = law[c].flow, .mu = 1};
    else
      s->law[c] = slipi_law_scaled(law[c], unit / s->size[c], 1);
    if (law[c].kind == SLIPI_ROLLING) { /* moments and the impulse they depend on have two units */
      s->law[c].mu *= s->size[c] / s->size[c - 1];
      s->law[c].cap *= s->size[c] / s->size[c - 1];
    }
  }
}

/* W' = b^-1 W a: the common unit of a and b, here 1, cancels. */
static bool set_matrix(SlipiScaled *s) {
  double unasked = 0;
  memcpy(s->root, s->a, (size_t)s->m * sizeof *s->root);
  for (int32_t row = 0; row < s->nc; row++) {
    for (int32_t k = s->W.p[row]; k < s->W.p[row + 1]; k++) {
      double block[9], *to = s->W.x + 9 * (int64_t)k;
      const double *a = s->root + 3 * (int64_t)s->W.j[k], *b = s->root + 3 * (int64_t)row;
      block3(s, row, k, block);
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
          to[3 * i + j] = block[3 * i + j] * a[j] * b[i];
      }
    }
    if (slipi_stops_after(&s->op->stop, &unasked, 9.0 * (s->W.p[row + 1] - s->W.p[row]),
                          SLIPI_ASK_VISITS))
      return false;
  }
  return true;
}

SlipStatus slipi_scaled_set(SlipiScaled *s, const SlipiLaw *law, const double *q, bool laws_changed,
                            SlipError *error) {
  if (laws_changed || !s->whole) {
    set_sizes(s, law);
    set_units(s, law, 1);
    s->whole = set_matrix(s);
  }
  if (!s->whole)
    return slipi_fail_stopped(error);
  double unit = 0;
  set_units(s, law, 1);
  for (int32_t c = 0; c < s->nc; c++) {
    slipi_load(q, s->d, c, s->q + 3 * (int64_t)c);
    for (int32_t k = 3 * c; k < 3 * c + 3; k++) {
      s->q[k] = s->a[k] > 0 ? s->q[k] / s->b[k] : 0;
      unit = fmax(unit, fabs(s->q[k]));
    }
  }
  unit = slipi_share_most(s->op->share, unit);
  unit = unit > 0 ? unit : 1;
  set_units(s, law, unit);
  for (int32_t k = 0; k < s->m; k++)
    s->q[k] /= unit;
  return SLIP_OK;
}

void slipi_scaled_to(const SlipiScaled *s, const double *r, double *r_scaled) {
  for (int32_t c = 0; c < s->nc; c++) {
    double *x = r_scaled + 3 * (int64_t)c;
    slipi_load(r, s->d, c, x);
    for (int32_t k = 0; k < 3; k++)
      x[k] = s->a[3 * c + k] > 0 ? x[k] / s->a[3 * c + k] : 0;
  }
}

void slipi_scaled_back(const SlipiScaled *s, const double *r_scaled, double *r) {
  for (int32_t c = 0; c < s->nc; c++) {
    const double *x = r_scaled + 3 * (int64_t)c, *a = s->a + 3 * (int64_t)c;
    double block[3] = {x[0] * a[0], x[1] * a[1], x[2] * a[2]};
    slipi_store(block, s->d, c, r);
  }
}

void slipi_scaled_velocity(const SlipiScaled *s, const double *r, double *u) {
  slipi_bsr_multiply(&s->W, r, u, NULL);
  for (int32_t k = 0; k < s->m; k++)
    u[k] += s->q[k];
}
