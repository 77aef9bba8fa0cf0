#include "methods/nsgs_sphere.h"

#include <math.h>
#include <string.h>

#include "linalg/dense3.h"

static const double ROUNDING = 1e-14;

/* Whether the three rows of a body, twelve values apart, are so many times directions of the frame,
 * up to `most`. */
static bool are_rows(const double *rows, const double times[3], const int direction[3],
                     const double frame[9], double most) {
  bool are = true;
  for (int i = 0; i < 3; i++) {
    const double *row = rows + (ptrdiff_t)12 * i, *e = frame + (ptrdiff_t)3 * direction[i];
    for (int k = 0; k < 3; k++)
      are = are && fabs(row[k] - times[i] * e[k]) <= most;
  }
  return are;
}

static const int same[3] = {0, 1, 2}, turned[3] = {0, 2, 1};

bool slipi_sphere_rows(const double *own, double rounding, SlipiSphereRows *rows) {
  double size[2] = {slipi_dense3_norm(own), slipi_dense3_norm(own + 6)};
  bool are = size[0] > 0 || size[1] > 0;
  *rows = (SlipiSphereRows){.side = size[1] > size[0]};
  double *frame = rows->frame;
  for (int i = 0; are && i < 3; i++) {
    for (int k = 0; k < 3; k++)
      frame[3 * i + k] = own[12 * i + 6 * rows->side + k] / size[rows->side];
  }
  for (int side = 0; are && side < 2; side++) {
    const double *body = own + (ptrdiff_t)6 * side;
    double move = slipi_dense3_dot(body, frame), arm = slipi_dense3_dot(body + 12 + 3, frame + 6);
    const double moves[3] = {move, move, move}, arms[3] = {0, arm, -arm};
    rows->move[side] = move;
    rows->arm[side] = arm;
    are = are_rows(body, moves, same, frame, rounding * fabs(move)) &&
          are_rows(body + 3, arms, turned, frame, rounding * fabs(arm));
  }
  return are;
}

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

/* What the moments' rows of a body are in terms of the frame. */
static bool find_turn(SlipiSphere *s, const double *moments, int side) {
  double turn = slipi_dense3_dot(moments + 3, s->frame);
  const double turns[3] = {turn, turn, turn}, none[3] = {0};
  s->turn[side] = turn;
  return are_rows(moments, none, same, s->frame, 0) &&
         are_rows(moments + 3, turns, same, s->frame, ROUNDING * fabs(turn));
}

void slipi_sphere_prepare(SlipiSphere *s, const SlipiPairs *pairs, int32_t b,
                          const SlipiOneContact *contact, const SlipiOneContact *moments,
                          const double cross[9]) {
  const double *own = pairs->a + (ptrdiff_t)36 * (b - 1), *turns = own + 36;
  SlipiSphereRows rows;
  s->applies = false;
  if (pairs->a != pairs->b || !contact->exact || !slipi_sphere_rows(own, ROUNDING, &rows))
    return;
  memcpy(s->frame, rows.frame, sizeof s->frame);
  memcpy(s->move, rows.move, sizeof s->move);
  memcpy(s->arm, rows.arm, sizeof s->arm);
  const double *W = contact->W, *M = moments->W;
  s->cross = cross[7];
  const double crosses[9] = {0, 0, 0, 0, 0, -s->cross, 0, s->cross, 0};
  double most = 0;
  for (int k = 0; k < 9; k++)
    most = fmax(most, fabs(cross[k] - crosses[k]));
  s->applies = find_turn(s, turns, 0) && find_turn(s, turns + 6, 1) && is_diagonal(W, W[0], W[4]) &&
               is_diagonal(M, M[0], M[4]) && most <= ROUNDING * fabs(s->cross);
  int still = 1 - rows.side;
  s->side = rows.side;
  s->single = s->move[still] == 0 && s->turn[still] == 0 && s->arm[still] == 0;
  s->k[0] = 1 / W[0];
  s->k[1] = 1 / W[4];
  s->kappa[0] = 1 / M[0];
  s->kappa[1] = 1 / M[4];
}
