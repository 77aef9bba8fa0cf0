#include "equality_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "h5_edit.h"

/* A block of mass 2 is drawn over the ground (mu 0.5) by a rod at a slope, whose length changes at
 * the speed -b: 0.6 v_x + 0.8 v_z = 0.6. Then v_x = 1, r = (4.4, -2.2) and the rod bears 7. */
#define DRAWN_2D                                                                                   \
  .dimension = 2, .dof = 2, .M = {2, 2}, .f = {0, -10}, .H = {{0, 1}, {1, 0}}, .mu = 0.5,          \
  .r = {4.4, -2.2}, .u = {0, 1}, .v = {1, 0}
#define DRAWN_3D                                                                                   \
  .dimension = 3, .dof = 3, .M = {2, 2, 2}, .f = {0, 0, -10},                                      \
  .H = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, .mu = 0.5, .r = {4.4, -2.2, 0}, .u = {0, 1, 0},          \
  .v = {1, 0, 0}

/* A bar of half length 1, with a joint at one end; the other lies on the ground. In 2D the joint is
 * moved along; in 3D it stays and the bar is turned about the vertical by a torque of 7. Either
 * end bears half the weight of 8. */
#define BAR_2D                                                                                     \
  .dimension = 2, .dof = 3, .M = {2, 2, 1}, .f = {0, -8, 0}, .H = {{0, 1}, {1, 0}, {1, 0}},        \
  .mu = 0.5, .r = {4, -2}, .u = {0, 1}, .v = {1, 0, 0}
#define BAR_3D                                                                                     \
  .dimension = 3, .dof = 6, .M = {2, 2, 2, 1, 1, 1}, .f = {0, 0, -8, 0, 0, 7},                     \
  .H = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 0, 0}, {-1, 0, 0}, {0, 0, 1}}, .mu = 0.5,             \
  .r = {4, 0, -2}, .u = {0, 0, 2}, .v = {0, 1, 0, 0, 0, 1}

const EqualityCase equality_cases[EQUALITY_CASES] = {
    {"rod 2D", DRAWN_2D, .count = 1, .G = {{0.6}, {0.8}}, .b = {-0.6}, .l = {7}},
    {"rod 3D", DRAWN_3D, .count = 1, .G = {{0.6}, {0}, {0.8}}, .b = {-0.6}, .l = {7}},
    {"joint 2D", BAR_2D, .count = 2, .G = {{1, 0}, {0, 1}, {0, -1}}, .b = {-1, 0}, .l = {4, 4}},
    {"joint 3D", BAR_3D, .count = 3,
     .G = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {0, 0, 1}, {0, -1, 0}}, .l = {0, 4, 4}},
    /* Two rods that do the same, of which the second has twice the length in G. */
    {"two rods 2D", DRAWN_2D, .count = 2, .G = {{0.6, 1.2}, {0.8, 1.6}}, .b = {-0.6, -1.2},
     .l = {1.4, 2.8}},
    /* The joint twice, and a rod along the bar. */
    {"joints 3D", BAR_3D, .count = 7,
     .G = {{1, 0, 0, 1, 0, 0, 1},
           {0, 1, 0, 0, 1, 0, 0},
           {0, 0, 1, 0, 0, 1, 0},
           {0, 0, 0, 0, 0, 0, 0},
           {0, 0, 1, 0, 0, 1, 0},
           {0, -1, 0, 0, -1, 0, 0}},
     .l = {0, 2, 2, 0, 2, 2, 0}},
    {"joint and rod 2D", BAR_2D, .count = 3, .G = {{1, 0, 1}, {0, 1, 0}, {0, -1, 0}},
     .b = {-1, 0, -1}, .l = {2, 4, 2}},
};

void equality_put_matrix(const char *path, const char *name, int32_t rows, int32_t cols,
                         const double *x) {
  int32_t row[64], col[64], nz = 0;
  double value[64];
  char place[64];
  for (int32_t k = 0; k < rows * cols; k++)
    if (x[k] != 0) {
      assert_true(nz < 64);
      row[nz] = k / cols;
      col[nz] = k % cols;
      value[nz++] = x[k];
    }
  h5_edit_group(path, name);
  const struct {
    const char *name;
    int32_t value;
  } sizes[] = {{"nzmax", nz}, {"m", rows}, {"n", cols}, {"nz", nz}};
  for (int k = 0; k < 4; k++) {
    snprintf(place, sizeof place, "%s/%s", name, sizes[k].name);
    h5_edit_ints(path, place, 1, &sizes[k].value);
  }
  snprintf(place, sizeof place, "%s/p", name);
  h5_edit_ints(path, place, nz, col);
  snprintf(place, sizeof place, "%s/i", name);
  h5_edit_ints(path, place, nz, row);
  snprintf(place, sizeof place, "%s/x", name);
  h5_edit_reals(path, place, nz, value);
}

/* A' M^-1 B, with a rows of A and b of B used, both in columns of `a_step` and `b_step` values. */
static void reduce(const EqualityCase *c, const double *A, int32_t a, int32_t a_step,
                   const double *B, int32_t b, int32_t b_step, double *product) {
  for (int32_t i = 0; i < a; i++)
    for (int32_t j = 0; j < b; j++) {
      product[i * b + j] = 0;
      for (int32_t k = 0; k < c->dof; k++)
        product[i * b + j] += A[k * a_step + i] * B[k * b_step + j] / c->M[k];
    }
}

static void write_local(const char *path, const EqualityCase *c) {
  double x[EQUALITY_MAX * EQUALITY_MAX] = {0}, y[EQUALITY_MAX] = {0};
  const double *H = &c->H[0][0], *G = &c->G[0][0];
  int32_t d = c->dimension, n = c->count;
  h5_edit_group(path, "fclib_local");
  h5_edit_group(path, "fclib_local/vectors");
  h5_edit_ints(path, "fclib_local/spacedim", 1, &d);
  reduce(c, H, d, 3, H, d, 3, x);
  equality_put_matrix(path, "fclib_local/W", d, d, x);
  reduce(c, H, d, 3, G, n, EQUALITY_MAX, x);
  equality_put_matrix(path, "fclib_local/V", d, n, x);
  reduce(c, G, n, EQUALITY_MAX, G, n, EQUALITY_MAX, x);
  equality_put_matrix(path, "fclib_local/R", n, n, x);
  reduce(c, H, d, 3, c->f, 1, 1, y);
  for (int32_t k = 0; k < d; k++)
    y[k] += c->w[k];
  h5_edit_reals(path, "fclib_local/vectors/q", d, y);
  reduce(c, G, n, EQUALITY_MAX, c->f, 1, 1, y);
  for (int32_t k = 0; k < n; k++)
    y[k] += c->b[k];
  h5_edit_reals(path, "fclib_local/vectors/s", n, y);
  h5_edit_reals(path, "fclib_local/vectors/mu", 1, &c->mu);
}

static void write_global(const char *path, const EqualityCase *c) {
  double x[EQUALITY_DOF * EQUALITY_MAX] = {0};
  int32_t d = c->dimension, n = c->count;
  h5_edit_group(path, "fclib_global");
  h5_edit_group(path, "fclib_global/vectors");
  h5_edit_ints(path, "fclib_global/spacedim", 1, &d);
  for (int32_t k = 0; k < c->dof; k++)
    x[k * c->dof + k] = c->M[k];
  equality_put_matrix(path, "fclib_global/M", c->dof, c->dof, x);
  for (int32_t k = 0; k < c->dof * d; k++)
    x[k] = c->H[k / d][k % d];
  equality_put_matrix(path, "fclib_global/H", c->dof, d, x);
  for (int32_t k = 0; k < c->dof * n; k++)
    x[k] = c->G[k / n][k % n];
  equality_put_matrix(path, "fclib_global/G", c->dof, n, x);
  h5_edit_reals(path, "fclib_global/vectors/f", c->dof, c->f);
  h5_edit_reals(path, "fclib_global/vectors/w", d, c->w);
  h5_edit_reals(path, "fclib_global/vectors/b", n, c->b);
  h5_edit_reals(path, "fclib_global/vectors/mu", 1, &c->mu);
}

static void write_solution(const char *path, const char *group, const EqualityCase *c, int with_v) {
  char place[64];
  h5_edit_group(path, group);
  snprintf(place, sizeof place, "%s/u", group);
  h5_edit_reals(path, place, c->dimension, c->u);
  snprintf(place, sizeof place, "%s/r", group);
  h5_edit_reals(path, place, c->dimension, c->r);
  snprintf(place, sizeof place, "%s/l", group);
  h5_edit_reals(path, place, c->count, c->l);
  snprintf(place, sizeof place, "%s/v", group);
  if (with_v)
    h5_edit_reals(path, place, c->dof, c->v);
}

void equality_write(const char *path, const EqualityCase *c, SlipForm form) {
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(file >= 0 && H5Fclose(file) >= 0);
  if (form == SLIP_FORM_LOCAL)
    write_local(path, c);
  else
    write_global(path, c);
  write_solution(path, "solution", c, form != SLIP_FORM_LOCAL);
  h5_edit_group(path, "guesses");
  h5_edit_ints(path, "guesses/number_of_guesses", 1, (int32_t[]){1});
  write_solution(path, "guesses/1", c, form != SLIP_FORM_LOCAL);
}
