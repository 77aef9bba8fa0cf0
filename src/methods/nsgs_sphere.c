#include "methods/nsgs_sphere.h"

#include <math.h>

#include "linalg/dense3.h"

static const double ROUNDING = 1e-14;

/* Whether nine values are those of a matrix with these diagonals, and nothing else, up to rounding.
 */
static bool is_diagonal(const double W[9], double normal, double tangent) {
  double most = 0;
  for (int k = 0; k < 9; k++) {
    double expected = k == 0 ? normal : k % 4 == 0 ? tangent : 0;
    most = fmax(most, fabs(W[k] - expected));
  }
  return normal > 0 && tangent > 0 && most <= ROUNDING * fmin(normal, tangent);
}

/* Whether the three rows of a body are the combinations `by` (3 x 3) of the frame, up to rounding
 * of `size`. */
static bool are_rows(const double *rows, const double by[9], const double frame[9], double size) {
  double most = 0;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      double sum =
          by[3 * i] * frame[k] + by[3 * i + 1] * frame[3 + k] + by[3 * i + 2] * frame[6 + k];
      most = fmax(most, fabs(rows[(ptrdiff_t)12 * i + k] - sum));
    }
  }
  return most <= ROUNDING * size;
}

/* What each body's rows are in terms of the frame. */
static bool find_side(SlipiSphere *s, const double *contact, const double *moments, int side) {
  const double *frame = s->frame;
  double move = slipi_dense3_dot(contact, frame), turn = slipi_dense3_dot(moments + 3, frame);
  double arm = slipi_dense3_dot(contact + 12 + 3, frame + 6);
  const double moves[9] = {move, 0, 0, 0, move, 0, 0, 0, move};
  const double turns[9] = {turn, 0, 0, 0, turn, 0, 0, 0, turn};
  const double arms[9] = {0, 0, 0, 0, 0, arm, 0, -arm, 0}, none[9] = {0};
  s->move[side] = move;
  s->turn[side] = turn;
  s->arm[side] = arm;
  return are_rows(contact, moves, frame, fabs(move)) &&
         are_rows(contact + 3, arms, frame, fabs(arm)) && are_rows(moments, none, frame, 0) &&
         are_rows(moments + 3, turns, frame, fabs(turn));
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
