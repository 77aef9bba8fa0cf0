/* A curve of solutions, followed from kink to kink.
 *
 * The problems along it are
 *
 *     u = W r + q + (1 - p_a) [alpha_a (r - r_0) + c] + p_a alpha'_a (r - r_1),
 *     the law of each contact a with kappa_a = 1/mu_a and a flow phi_a
 *
 * and one parameter changes on the way: kappa, phi, or the portion p, of the contacts that are in
 * turn. A contact that slides by s also lifts off, by (1 - phi)/phi s, and is open where it lifts
 * off by more than that: Coulomb's law for phi = 1. For phi = 0 nothing slips
 * (methods/common_stick.h). Where every contact keeps its status (open, sliding, sticking) the
 * solutions are a smooth curve in (r, parameter). Where one changes it there is a kink, at which
 * the curve may turn back: solutions for a smaller kappa then lie on a part of it that leads to a
 * larger one first. Newton's method finds none of them from this side, however small its steps are;
 * the curve leads there.
 *
 * After a kink the curve goes on to where the contact that has changed is in its new status. kappa
 * may go down to 0: a sliding contact has r_N = kappa |r_T|. Everything is in the units of
 * contact/scaled.h. */
#ifndef SLIPI_METHODS_COMMON_PATH_H
#define SLIPI_METHODS_COMMON_PATH_H

#include "contact/system.h"
#include "methods/common_path_factors.h"
#include "methods/method.h"

typedef enum SlipiPathStatus {
  SLIPI_PATH_OPEN,
  SLIPI_PATH_SLIDE,
  SLIPI_PATH_STICK,
  SLIPI_PATH_HELD /* a bilateral contact */
} SlipiPathStatus;

/* The parameter of a curve: kappa, phi or the portion p, of the contacts that are in turn. */
typedef enum SlipiPathParameter {
  SLIPI_PATH_KAPPA,
  SLIPI_PATH_FLOW,
  SLIPI_PATH_PORTION
} SlipiPathParameter;

typedef struct SlipiPath {
  int32_t nc, m;
  SlipiScaled *scaled;
  SlipiSystem *system; /* the operator's */
  SlipiPathFactors factors;
  SlipiStop stop;
  /* The problem. */
  double *kappa, *portion;            /* nc */
  double *weight_first, *weight_last; /* nc: alpha and alpha' */
  double *r_0, *r_1, *c;              /* m */
  double *flow;                       /* nc: phi */
  /* What changes. */
  SlipiPathParameter parameter;
  bool *in_turn;        /* nc */
  int32_t alone;        /* the only contact in turn, or -1 */
  double *least, *most; /* nc: bounds of kappa */
  double p, target;     /* the parameter, and where it is to get to */
  double far;           /* a portion below -far leads away */
  double apart;         /* how far points are moved away from ties of statuses */
  /* The point. */
  double *r, *u; /* m */
  SlipiPathStatus *status;
  /* The linear equations there: F, its derivatives by r (A W + B) and by the parameter. */
  double *F, *F_p;     /* m */
  double *A, *B;       /* 9 nc */
  double *weight;      /* nc: of r in u */
  double *u_p;         /* m: du/dp with r held */
  double *a, *b, *v;   /* m: solutions */
  double *dr, *du, dp; /* the direction of the curve */
  int sign;            /* of det dF/dr, as if all contacts had one function */
  double orientation;  /* sign times that of dp, the same all along a curve; 0: not known */
  double longest;      /* step for which Newton's method may converge */
  double *r_before, *sign_before; /* m and 2 nc: where a step began */
  int64_t steps;                  /* along all curves so far */
  /* Every point of a curve is a solution but for offsets of velocities, what c and the weights add
   * to them: their norm here, and the point of the last curve at which it is least. */
  double offset, offset_least, p_least;
  double *r_least;               /* m */
  SlipiPathStatus *status_least; /* nc */
  /* Where the curve began, and to which side of the parameter. */
  double p_start, dp_start;
  double *r_start;               /* m */
  SlipiPathStatus *status_start; /* nc */
} SlipiPath;

/* `apart` of a path that has just been made. In its units impulses and velocities are about 1. */
#define SLIPI_PATH_APART 1e-7

/* Whether all laws are Coulomb's, without friction or bilateral: others have no curves. */
bool slipi_path_treats(const SlipiRun *run);

/* Room for a path of the problem of a run, in `arena`. */
SlipStatus slipi_path_create(const SlipiRun *run, SlipiArena *arena, SlipiPath *path,
                             SlipError *error);

/* kappa of the run's laws, its least values those of mu where that is more. */
void slipi_path_roughen(SlipiPath *path, const SlipiRun *run, const double *mu);

/* A point near a solution becomes one exactly, with r_0 at it and c as small as it is near: by
 * statuses of r and of u = W r + q. */
void slipi_path_settle(SlipiPath *path);

/* A solution for the offsets c stays one, with r_0 at it, every contact moved away from other
 * statuses where it is between two: there a curve has no direction. */
void slipi_path_separate(SlipiPath *path);

/* From here to the target, in at most so many steps; direction, 1 or -1, is that of the parameter
 * at first, and 0 the one of orientation 1: of curves that come from where the solution is unique,
 * which have that orientation there and end nowhere but at the target. *arrived also where the only
 * contact in turn for kappa no longer slides, when a smaller kappa changes nothing. Else the point
 * is anywhere on the curve. */
SlipStatus slipi_path_follow(SlipiPath *path, double direction, int steps, bool *arrived,
                             SlipError *error);

/* The point becomes the one with the least offsets, where it has less; and go to that point. */
void slipi_path_keep_least(SlipiPath *path);
void slipi_path_go_to_least(SlipiPath *path);

/* The point is where a curve begins; and whether the last step, from p to path->p, has come by
 * there again, which then goes on for ever. */
void slipi_path_keep_start(SlipiPath *path);
bool slipi_path_is_loop(const SlipiPath *path, double p);

/* Newton steps at a point of the curve, parameter and statuses held, while they bring |F| down: to
 * rounding, where contacts with much friction need it. */
SlipStatus slipi_path_refine(SlipiPath *path, SlipError *error);

/* u, F and the derivatives at r and p; returns |F|. */
double slipi_path_evaluate(SlipiPath *path);

#endif
