#include "methods/nsgs_sphere.h"

#include <math.h>

#include "linalg/dense3.h"

static const double ROUNDING = 1e-14;

/* Whether nine values are those of a matrix with these diagonals, and nothing else, up to rounding.
 */
static bool is_diagonal(const double W[9], double normal, double tangent) {
  double most = ROUNDING * fmin(normal, tangent);
  bool is = normal > 0 && tangent > 0;
  for (int k = 0; k < 9; k++) {
    double expected = k == 0 ? normal : k % 4 == 0 ? tangent : 0;
    is = is && fabs(W[k] - expected) <= most;
  }
  return is;
}

/* Whether the three rows of a body, twelve values apart, are so many times directions of the frame,
 * up to rounding of `size`. */
static bool are_rows(const double *rows, const double times[3], const int direction[3],
                     const double frame[9], double size) {
  bool are = true;
  for (int i = 0; i < 3; i++) {
    const double *row = rows + (ptrdiff_t)12 * i, *e = frame + (ptrdiff_t)3 * direction[i];
    for (int k = 0; k < 3; k++)
      are = are && fabs(row[k] - times[i] * e[k]) <= ROUNDING * size;
  }
  return are;
}

/* What each body's rows are in terms of the frame. */
static bool find_side(SlipiSphere *s, const double *contact, const double *moments, int side) {
  const double *frame = s->frame;
  double move = slipi_dense3_dot(contact, frame), turn = slipi_dense3_dot(moments + 3, frame);
  double arm = slipi_dense3_dot(contact + 12 + 3, frame + 6);
  const double moves[3] = {move, move, move}, turns[3] = {turn, turn, turn};
  const double arms[3] = {0, arm, -arm}, none[3] = {0};
  static const int same[3] = {0, 1, 2}, turned[3] = {0, 2, 1};
  s->move[side] = move;
  s->turn[side] = turn;
  s->arm[side] = arm;
  return are_rows(contact, moves, same, frame, fabs(move)) &&
         are_rows(contact + 3, arms, turned, frame, fabs(arm)) &&
         are_rows(moments, none, same, frame, 0) &&
         are_rows(moments + 3, turns, same, frame, fabs(turn));
}

void slipi_sphere_prepare(SlipiSphere *s, const SlipiPairs *pairs, int32_t b,
                          const SlipiOneContact *contact, const SlipiOneContact *moments,
                          const double cross[9]) {
  const double *own = pairs->a + (ptrdiff_t)36 * (b - 1), *turns = own + 36;
  double size[2] = {slipi_dense3_norm(own), slipi_dense3_norm(own + 6)};
  int side = size[1] > size[0];
  s->applies = false;
  if (pairs->a != pairs->b || !contact->exact || !(size[side] > 0))
    return;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      s->frame[3 * i + k] = own[12 * i + 6 * side + k] / size[side];
  }
  const double *W = contact->W, *M = moments->W;
  s->cross = cross[7];
  const double crosses[9] = {0, 0, 0, 0, 0, -s->cross, 0, s->cross, 0};
  double most = 0;
  for (int k = 0; k < 9; k++)
    most = fmax(most, fabs(cross[k] - crosses[k]));
  s->applies = find_side(s, own, turns, 0) && find_side(s, own + 6, turns + 6, 1) &&
               is_diagonal(W, W[0], W[4]) && is_diagonal(M, M[0], M[4]) &&
               most <= ROUNDING * fabs(s->cross);
  s->side = side;
  s->single = s->move[1 - side] == 0 && s->turn[1 - side] == 0 && s->arm[1 - side] == 0;
  s->k[0] = 1 / W[0];
  s->k[1] = 1 / W[4];
  s->kappa[0] = 1 / M[0];
  s->kappa[1] = 1 / M[4];
}
