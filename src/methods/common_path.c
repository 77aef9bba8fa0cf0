#include "methods/common_path.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "methods/common_path_slide.h"

/* The statuses a contact may go to: its functions, positive while it stays as it is. */
typedef enum Event { TO_OPEN, TO_SLIDE, TO_STICK } Event;

/* What a step ends at: an event of a contact, the target of the parameter, or nothing. */
typedef enum AimKind { AIM_NOWHERE, AIM_EVENT, AIM_TARGET } AimKind;
typedef struct Aim {
  AimKind kind;
  int32_t contact;
  Event to;
} Aim;

/* |F| of a point on the curve, relative to |r|. */
static const double EXACT = 1e-11;
/* Rounding of the parameter. */
static const double ROUNDING = 1e-12;
/* A function below this has changed its sign. */
static const double CROSSED = -1e-12;
/* Beyond this the curve is taken to lead away. */
static const double FAR = 100;
/* A step may change kappa by this share, and r by this share of its size. */
static const double KAPPA_MOST = 0.5, R_MOST = 0.3;
/* A point of a step lies ahead by this share of it at least, and at most. */
static const double AHEAD_LEAST = 0.01, AHEAD_MOST = 3;
/* A step is cut by this where Newton's method does not bring |F| down by CONVERGES; the next ones
 * may be longer by GROWTH again. */
static const double CUT = 0.3, CONVERGES = 0.5, GROWTH = 3;
/* The same with factors of a point nearby: where |F| falls by less, J is factored anew. */
static const double CONVERGES_NEAR = 0.2;
enum { CORRECTIONS = 12, TRIES = 40, PATIENT = 3, REFINEMENTS = 4 };
/* Contacts that change their statuses in turns, so many times at one point, do so for ever. */
enum { IDLE = 30 };

/* ---- The equations of one contact ---- */

/* Whether kappa of a contact is the parameter. */
static bool is_kappa(const SlipiPath *path, int32_t a) {
  return path->parameter == SLIPI_PATH_KAPPA && path->in_turn[a] && path->p >= path->least[a] &&
         path->p <= path->most[a];
}

static bool is_flow(const SlipiPath *path, int32_t a) {
  return path->parameter == SLIPI_PATH_FLOW && path->in_turn[a];
}

/* phi u_N = (1 - phi) s, r_N = kappa t, r_T across e = 0. */
static void sliding(const SlipiPath *path, int32_t a, const double u[3], const double r[3],
                    double F[3], double F_p[3], double A[9], double B[9]) {
  SlipiSlide at = slipi_path_slide_at(u, r);
  double kappa = path->kappa[a], size = fmax(1, kappa), p[2] = {-at.e[1], at.e[0]};
  double phi = path->flow[a], u_across = at.e[0] * u[2] - at.e[1] * u[1];
  F[0] = phi * u[0] - (1 - phi) * at.s;
  F_p[0] = is_flow(path, a) ? u[0] + at.s : 0;
  A[0] = phi;
  F[1] = (r[0] - kappa * at.t) / size;
  F_p[1] = is_kappa(path, a) ? -at.t / size : 0;
  B[3] = 1 / size;
  F[2] = at.across;
  for (int k = 0; k < 2; k++) {
    double along = at.across * p[k] / at.z, turn = at.t * p[k] / at.z;
    double yaw = u_across * p[k] / at.z; /* ds = -e du - yaw (dr - du) */
    A[1 + k] = (1 - phi) * (at.e[k] - yaw);
    B[1 + k] = (1 - phi) * yaw;
    B[4 + k] = -kappa / size * (at.e[k] + along); /* dt = e dr + along (dr - du) */
    A[4 + k] = kappa / size * along;
    B[7 + k] = p[k] - turn; /* d across = p dr - turn (dr - du) */
    A[7 + k] = turn;
  }
}

/* u or r is 0, component by component. */
static void flat(const bool moves[3], const double u[3], const double r[3], double F[3],
                 double A[9], double B[9]) {
  for (int k = 0; k < 3; k++) {
    F[k] = moves[k] ? r[k] : u[k];
    (moves[k] ? B : A)[4 * k] = 1;
  }
}

static void linearise(SlipiPath *path, int32_t a) {
  int64_t at = 3 * (int64_t)a;
  const double *u = path->u + at, *r = path->r + at;
  double *F = path->F + at, *F_p = path->F_p + at, *A = path->A + 3 * at, *B = path->B + 3 * at;
  SlipiPathStatus status = path->status[a];
  bool moves[3];
  memset(F_p, 0, 3 * sizeof *F_p);
  memset(A, 0, 9 * sizeof *A);
  memset(B, 0, 9 * sizeof *B);
  if (status == SLIPI_PATH_SLIDE && slipi_path_has_friction(path, a)) {
    sliding(path, a, u, r, F, F_p, A, B);
  } else {
    for (int k = 0; k < 3; k++)
      moves[k] = status == SLIPI_PATH_OPEN || (status == SLIPI_PATH_SLIDE && k > 0) ||
                 (status == SLIPI_PATH_HELD &&
                  slipi_law_axis(&path->scaled->law[a], k) != SLIPI_AXIS_FREE);
    flat(moves, u, r, F, A, B);
  }
  for (int k = 0; k < 9; k++) {
    B[k] += path->weight[a] * A[k];
    F_p[k / 3] += A[k] * path->u_p[at + k % 3];
  }
}

double slipi_path_evaluate(SlipiPath *path) {
  double square = 0;
  slipi_scaled_velocity(path->scaled, path->r, path->u);
  for (int32_t a = 0; a < path->nc; a++) {
    if (path->in_turn[a] && path->parameter == SLIPI_PATH_PORTION)
      path->portion[a] = path->p;
    else if (path->in_turn[a] && path->parameter == SLIPI_PATH_FLOW)
      path->flow[a] = path->p;
    else if (path->in_turn[a])
      path->kappa[a] = fmin(fmax(path->p, path->least[a]), path->most[a]);
    double p = path->portion[a], first = path->weight_first[a], last = path->weight_last[a];
    path->weight[a] = (1 - p) * first + p * last;
    for (int32_t k = 3 * a; k < 3 * a + 3; k++) {
      double before = first * (path->r[k] - path->r_0[k]) + path->c[k];
      double after = last * (path->r[k] - path->r_1[k]);
      double offset = (1 - p) * before + p * after;
      path->u[k] += offset;
      square += offset * offset;
      path->u_p[k] = path->parameter == SLIPI_PATH_PORTION && path->in_turn[a] ? after - before : 0;
    }
    linearise(path, a);
  }
  path->offset = sqrt(square);
  return slipi_norm(path->F, path->m);
}

/* ---- Events ---- */

static int events_of(const SlipiPath *path, int32_t a, Event to[2]) {
  to[0] = path->status[a] == SLIPI_PATH_SLIDE ? TO_OPEN : TO_SLIDE;
  to[1] = TO_STICK;
  if (path->status[a] == SLIPI_PATH_HELD)
    return 0;
  return path->status[a] == SLIPI_PATH_SLIDE && slipi_path_has_friction(path, a) ? 2 : 1;
}

/* The function of an event, and its slope along (x, v, dp), v being the change of u. */
typedef struct Function {
  double value, slope;
} Function;

static Function function(const SlipiPath *path, int32_t a, Event to, const double *along,
                         const double *change, double dp) {
  int64_t at = 3 * (int64_t)a;
  const double *u = path->u + at, *r = path->r + at, *x = along + at, *v = change + at;
  double phi = path->flow[a], by_flow = is_flow(path, a) ? dp : 0;
  if (path->status[a] == SLIPI_PATH_OPEN) {
    double s = sqrt(u[1] * u[1] + u[2] * u[2]);
    double ds = s > 0 ? (u[1] * v[1] + u[2] * v[2]) / s : sqrt(v[1] * v[1] + v[2] * v[2]);
    return (Function){phi * u[0] - (1 - phi) * s,
                      phi * v[0] - (1 - phi) * ds + by_flow * (u[0] + s)};
  }
  if (path->status[a] == SLIPI_PATH_STICK) {
    double kappa = path->kappa[a], size = fmax(1, kappa), t = sqrt(r[1] * r[1] + r[2] * r[2]);
    double dt = t > 0 ? (r[1] * x[1] + r[2] * x[2]) / t : sqrt(x[1] * x[1] + x[2] * x[2]);
    double by_kappa = is_kappa(path, a) ? dp * t : 0;
    return (Function){(r[0] - kappa * t) / size, (x[0] - kappa * dt - by_kappa) / size};
  }
  if (!slipi_path_has_friction(path, a))
    return (Function){r[0], x[0]};
  SlipiSlide now = slipi_path_slide_at(u, r);
  double turn = (now.e[0] * (x[2] - v[2]) - now.e[1] * (x[1] - v[1])) / now.z;
  if (to == TO_OPEN)
    return (Function){now.t, now.e[0] * x[1] + now.e[1] * x[2] + turn * now.across};
  double u_across = now.e[0] * u[2] - now.e[1] * u[1];
  double ds = -now.e[0] * v[1] - now.e[1] * v[2] - turn * u_across;
  return (Function){(1 - phi) * u[0] + phi * now.s,
                    (1 - phi) * v[0] + phi * ds + by_flow * (now.s - u[0])};
}

static double value(const SlipiPath *path, int32_t a, Event to) {
  return function(path, a, to, path->r, path->u, 0).value;
}

/* The next event in a straight line, or the target: its distance. `left`: the event that would take
 * back the last one. */
static double next_event(const SlipiPath *path, const Aim *left, Aim *next) {
  double least = INFINITY, way = path->target - path->p;
  *next = (Aim){.kind = AIM_NOWHERE};
  for (int32_t a = 0; a < path->nc; a++) {
    Event to[2];
    for (int k = 0, n = events_of(path, a, to); k < n; k++) {
      if (left->kind == AIM_EVENT && a == left->contact && to[k] == left->to)
        continue;
      Function f = function(path, a, to[k], path->dr, path->du, path->dp);
      double h = f.slope < 0 ? fmax(0, f.value) / -f.slope : INFINITY;
      if (h < least) {
        least = h;
        *next = (Aim){AIM_EVENT, a, to[k]};
      }
    }
  }
  if (way * path->dp > 0 && way / path->dp < least) {
    least = way / path->dp;
    *next = (Aim){.kind = AIM_TARGET};
  }
  return least;
}

static void remember(SlipiPath *path) {
  memcpy(path->r_before, path->r, (size_t)path->m * sizeof *path->r);
  for (int32_t a = 0; a < path->nc; a++) {
    Event to[2];
    for (int k = 0, n = events_of(path, a, to); k < n; k++)
      path->sign_before[2 * (int64_t)a + k] = value(path, a, to[k]);
  }
}

/* The event that a step from parameter p has passed first beside the one it was aimed at, and at
 * which share of it, in a straight line; INFINITY: none. */
static double first_passed(const SlipiPath *path, const Aim *but, const Aim *left, double p,
                           Aim *first) {
  double least = INFINITY;
  if (but->kind != AIM_TARGET && (p - path->target) * (path->p - path->target) < 0) {
    least = (path->target - p) / (path->p - p);
    *first = (Aim){.kind = AIM_TARGET};
  }
  for (int32_t a = 0; a < path->nc; a++) {
    Event to[2];
    for (int k = 0, n = events_of(path, a, to); k < n; k++) {
      double after = value(path, a, to[k]), before = path->sign_before[2 * (int64_t)a + k];
      if (after >= CROSSED || (but->kind == AIM_EVENT && a == but->contact && to[k] == but->to))
        continue;
      if (left->kind == AIM_EVENT && a == left->contact && to[k] == left->to) {
        *first = (Aim){.kind = AIM_NOWHERE}; /* it began at 0: the step is too long */
        return CUT;
      }
      double share = before > 0 ? before / (before - after) : 0;
      if (share < least) {
        least = share;
        *first = (Aim){AIM_EVENT, a, to[k]};
      }
    }
  }
  return least;
}

/* ---- Steps ---- */

/* x = -J^-1 f with the factors of J there are. */
static SlipStatus solve(SlipiPath *path, const double *f, double *x, SlipError *error) {
  SlipStatus status = slipi_path_factors_solve(&path->factors, f, x, error);
  for (int32_t k = 0; k < path->m; k++)
    x[k] = -x[k];
  return status;
}

/* The equations of a contact that slides turn det dF/dr around: those of z = r - u, one function
 * for all statuses, have their sign without it. */
static int slides_turn(const SlipiPath *path) {
  int turn = 1;
  for (int32_t a = 0; a < path->nc; a++)
    turn = path->status[a] == SLIPI_PATH_SLIDE && slipi_path_has_friction(path, a) ? -turn : turn;
  return turn;
}

/* b: the change of r along the curve with dp = 1. *regular is false where there is none. Not
 * `exact`: with the factors of a point nearby. */
static SlipStatus solve_along(SlipiPath *path, bool exact, bool *regular, SlipError *error) {
  int sign;
  if (!exact)
    slipi_path_factors_near(&path->factors, path->weight, path->A, path->B);
  SlipStatus status = slipi_path_factors_set(&path->factors, path->A, path->B, &sign, error);
  *regular = status == SLIP_OK && sign != 0;
  path->sign = sign * slides_turn(path);
  return *regular ? solve(path, path->F_p, path->b, error) : status;
}

/* b, and a: the change of r that takes F to 0 with the parameter held. */
static SlipStatus solve_both(SlipiPath *path, bool exact, bool *regular, SlipError *error) {
  SlipStatus status = solve_along(path, exact, regular, error);
  return *regular && status == SLIP_OK ? solve(path, path->F, path->a, error) : status;
}

/* The change of a contact's u with that of r and of the parameter. */
static void velocity_of_contact(const SlipiPath *path, int32_t a, const double *x, double dp,
                                double *v) {
  slipi_bsr_row(&path->scaled->W, a, x, v + 3 * (int64_t)a);
  for (int64_t k = 3 * (int64_t)a; k < 3 * (int64_t)a + 3; k++)
    v[k] += path->weight[a] * x[k] + dp * path->u_p[k];
}

static void velocity_of(const SlipiPath *path, const double *x, double dp, double *v) {
  for (int32_t a = 0; a < path->nc; a++)
    velocity_of_contact(path, a, x, dp, v);
}

/* How far a point is from what a step aims at, and the slopes of that along a and b. */
typedef struct Miss {
  double value, along_a, along_b;
} Miss;

static double miss_value(const SlipiPath *path, const Aim *aim) {
  if (aim->kind == AIM_EVENT)
    return value(path, aim->contact, aim->to);
  return aim->kind == AIM_TARGET ? path->p - path->target : 0;
}

static Miss miss_at(SlipiPath *path, const Aim *aim) {
  Miss miss = {.value = miss_value(path, aim), .along_b = 1};
  if (aim->kind == AIM_EVENT) {
    velocity_of_contact(path, aim->contact, path->a, 0, path->v);
    miss.along_a = function(path, aim->contact, aim->to, path->a, path->v, 0).slope;
    velocity_of_contact(path, aim->contact, path->b, 1, path->v);
    miss.along_b = function(path, aim->contact, aim->to, path->b, path->v, 1).slope;
  } else if (aim->kind == AIM_NOWHERE) { /* across the direction */
    miss.along_a = slipi_dot(path->dr, path->a, path->m);
    miss.along_b = slipi_dot(path->dr, path->b, path->m) + path->dp;
  }
  return miss;
}

/* Newton's method from a predicted point to the curve, at what is aimed at. */
static SlipStatus correct(SlipiPath *path, const Aim *aim, bool *done, SlipError *error) {
  double size = 1 + slipi_norm(path->r, path->m), last = INFINITY;
  bool exact = false;
  *done = false;
  for (int k = 0; k < CORRECTIONS; k++) {
    bool regular;
    double norm = slipi_path_evaluate(path) + fabs(miss_value(path, aim));
    bool slow = k > 1 && norm > (exact ? CONVERGES : CONVERGES_NEAR) * last;
    *done = norm <= EXACT * size;
    if (*done || !(norm <= size) || (slow && exact))
      return SLIP_OK;
    exact = exact || slow;
    last = norm;
    SlipStatus status = solve_both(path, exact, &regular, error);
    if (status != SLIP_OK || !regular)
      return status;
    Miss miss = miss_at(path, aim);
    double d = -(miss.value + miss.along_a) / miss.along_b;
    if (!isfinite(d))
      return SLIP_OK;
    path->p += d;
    for (int32_t i = 0; i < path->m; i++)
      path->r[i] += path->a[i] + d * path->b[i];
  }
  return SLIP_OK;
}

/* The direction of the curve: on from the last one, or after an event to where it is not taken back
 * at once. Where two events fall together that may be the way back, all of the curve again: a curve
 * of a continuous function goes one way only as told by the sign of its determinant. Not *found
 * then. */
static SlipStatus find_direction(SlipiPath *path, const Aim *left, bool exact, bool *found,
                                 SlipError *error) {
  slipi_path_evaluate(path);
  SlipStatus status = solve_along(path, exact, found, error);
  if (status != SLIP_OK || !*found)
    return status;
  velocity_of(path, path->b, 1, path->du);
  double size = sqrt(1 + slipi_dot(path->b, path->b, path->m));
  double onward = left->kind == AIM_EVENT
                      ? function(path, left->contact, left->to, path->b, path->du, 1).slope
                      : slipi_dot(path->dr, path->b, path->m) + path->dp;
  if (path->orientation == 0 && path->dp == 0)
    onward = path->sign;
  double by = (onward > 0 ? 1 : -1) / size;
  *found = onward != 0 && isfinite(size);
  for (int32_t k = 0; k < path->m; k++) {
    path->dr[k] = by * path->b[k];
    path->du[k] *= by;
  }
  path->dp = by;
  double orientation = by > 0 ? path->sign : -path->sign;
  if (path->orientation == 0)
    path->orientation = orientation;
  *found = *found && orientation == path->orientation;
  return SLIP_OK;
}

/* Whether a corrected point lies ahead of where the step began, by about as much as it should:
 * Newton may have gone back to an event behind. */
static bool is_ahead(const SlipiPath *path, double p, double h) {
  double ahead = (path->p - p) * path->dp;
  for (int32_t k = 0; k < path->m; k++)
    ahead += (path->r[k] - path->r_before[k]) * path->dr[k];
  return ahead > AHEAD_LEAST * h && ahead < AHEAD_MOST * h;
}

static void place(SlipiPath *path, double p, double h) {
  for (int32_t k = 0; k < path->m; k++)
    path->r[k] = path->r_before[k] + h * path->dr[k];
  path->p = p + h * path->dp;
}

/* One step, at most h long, to *next; that becomes what the step has ended at: other events may
 * come before, for a curve is not straight. */
static SlipStatus advance(SlipiPath *path, const Aim *left, Aim *next, double h, bool *advanced,
                          SlipError *error) {
  double p = path->p;
  SlipStatus status = SLIP_OK;
  remember(path);
  *advanced = h == 0 && next->kind == AIM_EVENT;
  for (int k = 0; status == SLIP_OK && !*advanced && k < TRIES; k++) {
    bool done;
    Aim passed = *next;
    place(path, p, h);
    status = correct(path, next, &done, error);
    done = status == SLIP_OK && done && is_ahead(path, p, h);
    path->longest = done ? GROWTH * path->longest : CUT * h;
    double share = done ? first_passed(path, next, left, p, &passed) : 0;
    if (done && share == INFINITY) {
      *advanced = true;
    } else if (done && k % (PATIENT + 1) < PATIENT) {
      *next = passed;
      h *= fmin(share, 1);
      *advanced = h == 0;
    } else {
      *next = (Aim){.kind = AIM_NOWHERE};
      h *= CUT;
    }
    if (*advanced && h == 0) {
      place(path, p, 0);
      slipi_path_evaluate(path);
    }
  }
  return status;
}

/* The contact of an event changes its status; *left becomes the event that would take it back. */
static void change(SlipiPath *path, const Aim *at, Aim *left) {
  left->kind = at->kind;
  if (at->kind != AIM_EVENT)
    return;
  SlipiPathStatus *status = &path->status[at->contact], before = *status;
  left->contact = at->contact;
  left->to = before == SLIPI_PATH_OPEN ? TO_OPEN : before == SLIPI_PATH_STICK ? TO_STICK : TO_SLIDE;
  *status = before != SLIPI_PATH_SLIDE ? SLIPI_PATH_SLIDE
            : at->to == TO_OPEN        ? SLIPI_PATH_OPEN
                                       : SLIPI_PATH_STICK;
}

static double longest_step(const SlipiPath *path) {
  double share = path->parameter == SLIPI_PATH_KAPPA ? KAPPA_MOST * fmax(path->p, path->target)
                                                     : 1 + fabs(path->p);
  double most = fmin(share / fabs(path->dp), R_MOST * (1 + slipi_norm(path->r, path->m)));
  return fmin(most, path->longest);
}

/* Whether the parameter is where the problem has a meaning, and not too far away. */
static bool is_near(const SlipiPath *path) {
  double least = path->parameter == SLIPI_PATH_FLOW ? 0 : -FAR;
  if (path->parameter == SLIPI_PATH_PORTION)
    least = -path->far;
  return path->p >= least && path->p <= FAR;
}

/* Also where an event has ended a step there: both of its statuses hold. */
static bool is_at_target(const SlipiPath *path) {
  return fabs(path->p - path->target) <= ROUNDING * fabs(path->target);
}

SlipStatus slipi_path_follow(SlipiPath *path, double direction, int steps, bool *arrived,
                             SlipError *error) {
  Aim left = {.kind = AIM_NOWHERE}, next;
  int idle = 0;
  *arrived = false;
  memset(path->dr, 0, (size_t)path->m * sizeof *path->dr);
  path->dp = direction;
  path->orientation = 0;
  path->longest = path->offset_least = INFINITY;
  slipi_path_keep_start(path);
  for (int k = 0; k < steps && idle < IDLE && is_near(path) && !slipi_is_stopped(&path->stop);
       k++) {
    bool found, advanced;
    path->steps++;
    SlipStatus status = find_direction(path, &left, k == 0, &found, error);
    if (status == SLIP_OK && !found)
      status = find_direction(path, &left, true, &found, error);
    if (status != SLIP_OK || !found)
      return status;
    double p = path->p, h = next_event(path, &left, &next), most = longest_step(path);
    if (h > most) {
      h = most;
      next = (Aim){.kind = AIM_NOWHERE};
    }
    status = advance(path, &left, &next, h, &advanced, error);
    if (status != SLIP_OK || !advanced)
      return status;
    idle = path->p == p ? idle + 1 : 0;
    if (slipi_path_is_loop(path, p))
      return SLIP_OK;
    path->dp_start = k == 0 ? path->dp : path->dp_start;
    change(path, &next, &left);
    slipi_path_keep_least(path);
    *arrived = next.kind == AIM_TARGET || is_at_target(path) ||
               (path->parameter == SLIPI_PATH_KAPPA && path->alone >= 0 &&
                path->status[path->alone] != SLIPI_PATH_SLIDE);
    if (*arrived)
      return SLIP_OK;
  }
  return SLIP_OK;
}

SlipStatus slipi_path_refine(SlipiPath *path, SlipError *error) {
  SlipStatus status = SLIP_OK;
  double norm = slipi_path_evaluate(path);
  for (int k = 0; k < REFINEMENTS && status == SLIP_OK && norm > 0; k++) {
    bool regular;
    memcpy(path->r_before, path->r, (size_t)path->m * sizeof *path->r);
    status = solve_both(path, true, &regular, error);
    for (int32_t i = 0; status == SLIP_OK && regular && i < path->m; i++)
      path->r[i] += path->a[i];
    double after = slipi_path_evaluate(path);
    if (status != SLIP_OK || !regular || !(after < norm)) {
      memcpy(path->r, path->r_before, (size_t)path->m * sizeof *path->r);
      break;
    }
    norm = after;
  }
  return status;
}
