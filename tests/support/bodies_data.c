#include "bodies_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *copy(const void *from, int64_t count, size_t size) {
  void *to = malloc((size_t)count * size + 1);
  assert_non_null(to);
  if (count > 0)
    memcpy(to, from, (size_t)count * size);
  return to;
}

static void *zeros(int64_t count, size_t size) {
  void *to = calloc((size_t)count + 1, size);
  assert_non_null(to);
  return to;
}

static void split_mass(const SlipMatrix *M, int32_t n, double *to) {
  for (int32_t row = 0; row < M->rows; row++)
    for (int32_t k = M->p[row]; k < M->p[row + 1]; k++) {
      assert_int_equal(M->i[k] / n, row / n);
      to[(int64_t)row * n + M->i[k] % n] = M->x[k];
    }
}

/* Which side of a contact a body is, a new one where it has none yet. */
static int side_of(int32_t *body, int32_t wanted) {
  for (int side = 0; side < 2; side++) {
    if (body[side] < 0)
      body[side] = wanted;
    if (body[side] == wanted)
      return side;
  }
  fail_msg("a contact touches more than two bodies");
  return 0;
}

static void split_H(const SlipMatrix *H, int32_t d, int32_t n, BodiesData *bodies) {
  for (int32_t row = 0; row < H->rows; row++)
    for (int32_t k = H->p[row]; k < H->p[row + 1]; k++) {
      int64_t contact = H->i[k] / d, c = H->i[k] % d;
      int side = side_of(bodies->body + 2 * contact, row / n);
      bodies->H[((2 * contact + side) * d + c) * n + row % n] = H->x[k];
    }
}

void bodies_data_of(const SlipProblem *global, BodiesData *to) {
  SlipGlobalData data = slip_default_global_data();
  BodiesData made = {.data = slip_default_bodies_data(), .laws = slip_default_laws()};
  assert_int_equal(slip_problem_global_data(global, &data, NULL), SLIP_OK);
  int32_t d = data.dimension, n = d == 3 ? 6 : 3, dof = data.M.rows, nc = data.contacts;
  made.M = zeros((int64_t)dof * n, sizeof(double));
  made.H = zeros((int64_t)2 * nc * d * n, sizeof(double));
  made.body = zeros(2 * (int64_t)nc, sizeof(int32_t));
  made.frame = zeros((int64_t)nc * d * d, sizeof(double));
  made.key = zeros(nc, sizeof(uint64_t));
  made.f = copy(data.f, dof, sizeof(double));
  made.w = copy(data.w, (int64_t)d * nc, sizeof(double));
  made.mu = copy(data.laws->mu, nc, sizeof(double));
  made.kind = copy(data.laws->kind, nc, sizeof(int32_t));
  memset(made.body, -1, 2 * (size_t)nc * sizeof *made.body);
  split_mass(&data.M, n, made.M);
  split_H(&data.H, d, n, &made);
  for (int32_t a = 0; a < nc; a++) {
    made.key[a] = (uint64_t)a + 1;
    for (int32_t k = 0; k < d; k++)
      made.frame[(int64_t)a * d * d + (int64_t)k * (d + 1)] = 1;
  }
  made.laws.mu = made.mu;
  made.laws.kind = made.kind;
  made.data.dimension = d;
  made.data.bodies = dof / n;
  made.data.contacts = nc;
  made.data.M = made.M;
  made.data.body = made.body;
  made.data.H = made.H;
  made.data.f = made.f;
  made.data.w = made.w;
  made.data.key = made.key;
  made.data.frame = made.frame;
  *to = made;
  to->data.laws = &to->laws;
}

void bodies_data_free(BodiesData *bodies) {
  free(bodies->M);
  free(bodies->H);
  free(bodies->f);
  free(bodies->w);
  free(bodies->mu);
  free(bodies->frame);
  free(bodies->body);
  free(bodies->kind);
  free(bodies->key);
}
