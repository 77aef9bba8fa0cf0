/* Deformable bodies of a simulation.
 *
 * A body is a mesh whose nodes have positions x and velocities v in world axes, and a frame R that
 * turns with it: the rotation nearest to the deformation in the metric of the mass. Its elastic
 * energy is u.K u/2 with u = R'(x - c) - X. A step is linear in the new velocities, with the frame
 * predicted for it and the matrix M + h theta C + h^2 theta^2 K in the axes of the frame, where it
 * does not change: factors, and the part of the inverse that contacts have asked for, are kept.
 *
 * A body with nodes that are held keeps the frame it was made in.
 *
 * Files: soft (bodies, supports, loads), soft_frame (the frame), soft_motion (the step),
 * soft_touch (nodes on rigid shapes), soft_mortar (surfaces on each other), soft_choice (W, or the
 * factors in its place), soft_inverse (A^-1 between nodes), soft_pose (the contact problem),
 * soft_state (what is read and saved). */
#ifndef SLIPI_SIM_SOFT_H
#define SLIPI_SIM_SOFT_H

#include "contact/problem.h"
#include "fem/assemble.h"
#include "linalg/factor.h"
#include "sim/sim.h"

typedef struct SlipiSupport {
  double velocity[3], axis[3], amplitude, frequency;
  int32_t count;
  int32_t *node;
  uint8_t held[3];
} SlipiSupport;

typedef struct SlipiLoad {
  double from, full, until;
  double *force; /* 3 a node, world axes */
} SlipiLoad;

struct SlipiSoft {
  int32_t slot;
  SlipiFemMesh *mesh;
  SlipiElasticity elasticity;
  double damping[2], mass, size; /* size: the least extent */
  SlipiArena arena;
  SlipiFemMatrices matrices;
  int32_t nodes;
  double centre[3]; /* of mass, in the body's frame at rest */
  double *X;        /* from there */
  double *MX;       /* M times X, 3 a node */
  double *area;     /* of the surface around each node at rest */
  uint8_t *on_surface;
  int32_t facets, *facet;       /* of the surface, 4 nodes each; -1 where there are fewer */
  int32_t triangles, *triangle; /* to draw it by: of the surface, in 2D of the elements */
  /* State, world axes, 3 a node. */
  double *x, *v;
  double R[9];
  double *force; /* of the contacts, at the end of the last step */
  /* The step. */
  double *mid_x;  /* where contacts are looked for */
  double *free_v; /* velocities without contacts */
  double *end_v;
  double *push; /* impulses of contacts */
  double mid_R[9], end_R[9];
  double *load;                  /* forces of the loads, world axes */
  double *given;                 /* velocities of held degrees of freedom, in the frame; d a node */
  double *right;                 /* b of A v = b + H r, d a node, in the frame */
  double *work[3];               /* d a node */
  double *u;                     /* displacements in the frame, d a node */
  double *stress, *room, *shown; /* what a user looks at */
  /* Degrees of freedom. */
  bool held;
  int32_t *number, free; /* of each, or -1 where it is held; how many are free */
  SlipiFactor *factor;
  double factor_M, factor_K; /* of what: factor_M M + factor_K K */
  double *solve[2];          /* free values each */
  /* The inverse of that between nodes that contacts have asked for. */
  int32_t known, known_capacity, *place; /* place of a node among them, or -1 */
  int32_t (*known_node)[2]; /* each, and the place of the first of those that came with it */
  /* Those of a snapshot, to be asked for in the same order, so that bits are the same; and of what.
   */
  int32_t (*replay)[2];
  int64_t replays;
  double replay_M, replay_K;
  double *inverse; /* (d known_capacity) squared, row-major */
  double *own; /* its d x d blocks of nodes, where W is not formed: NaN of others; may be NULL */
  SlipiSupport *support;
  SlipiLoad *loads;
  int32_t supports, support_capacity, load_count, load_capacity;
  double kinetic, elastic, height; /* energies at the start of the step; height: of gravity */
  double *outer; /* forces of loads and supports at the end of the last step, world axes */
  double applied, pushed, damped, moved, taken; /* work in this step; moved: sum of amounts */
  double *step_right;                           /* `right` of the last step */
};

/* A contact's share of nodes: entries first .. end-1 of the lists below, for each side that is
 * deformable. */
typedef struct SlipiSoftTouch {
  int32_t soft[2], first[2], end[2];
} SlipiSoftTouch;

typedef struct SlipiSofts {
  SlipiSoft **at;
  int32_t count, capacity;
  SlipiSoftTouch *touch;
  int32_t touches, touch_capacity;
  int32_t *node; /* entries */
  double *weight;
  int32_t entries, node_capacity, weight_capacity;
  SlipiArena scratch;
  /* W, velocities without contacts, and q, of this step's problem. */
  bool posed;
  SlipiArena kept;
  SlipiCsr W;
  double *free_u, *q;
  SlipiTouchList list;
  /* Where W is not formed: what the solver borrows; its solver and that of the other way change
   * places. */
  bool factored, refused; /* rows.solver is of this way; it has failed in this step */
  SlipiLent lent;
  SlipSolver *idle;
  struct SlipiKeyed *keyed; /* contacts of the last step by key */
  int32_t keyed_count, keyed_capacity;
} SlipiSofts;

/* 2 or 3. */
static inline int slipi_soft_d(const SlipiSoft *soft) {
  return soft->mesh->d == 2 ? 2 : 3;
}

/* ---- soft.c ---- */

/* The deformable body of a slot, or NULL. */
SlipiSoft *slipi_soft_of(const SlipSim *sim, int32_t slot);
int32_t slipi_soft_index(const SlipSim *sim, int32_t slot);
void slipi_soft_remove(SlipSim *sim, int32_t slot);
void slipi_softs_free(SlipSim *sim);
/* Factors and what is known of the inverse no longer hold. */
void slipi_soft_forget(SlipiSoft *soft);
/* Forces of the loads at a time; velocities of held nodes over a step. */
void slipi_soft_set_loads(SlipiSoft *soft, double time);
void slipi_soft_set_given(SlipiSoft *soft, double time, double h);

/* ---- soft_frame.c ---- */

/* Pack 3 values a node in world axes to d in the axes of R, and back. */
void slipi_soft_to_frame(const SlipiSoft *soft, const double R[9], const double *x, double *y);
void slipi_soft_to_world(const SlipiSoft *soft, const double R[9], const double *y, double *x);
void slipi_soft_centre(const SlipiSoft *soft, const double *x, double c[3]);
/* Displacements in the frame, d a node. */
void slipi_soft_displacement(const SlipiSoft *soft, const double *x, const double R[9], double *u);
/* Turn R to the rotation nearest to x. */
void slipi_soft_fit(const SlipiSoft *soft, const double *x, double R[9]);
/* The spin of that frame. */
void slipi_soft_spin(const SlipiSoft *soft, const double *x, const double *v, const double R[9],
                     double spin[3]);
/* Forces (d a node, added, in the frame) that the turning of the frame brings, times h: with them
 * elastic forces have no moment. Ku is K times u. */
void slipi_soft_balance(const SlipiSoft *soft, const double *u, const double *Ku, double h,
                        double *b);
void slipi_rotation_about(const double axis[3], double angle, double R[9]);
void slipi_rotation_product(const double A[9], const double B[9], double C[9]);

/* ---- soft_motion.c ---- */

/* Positions in the middle, right-hand sides, free velocities. */
SlipStatus slipi_soft_predict(SlipSim *sim, double time, double h, SlipError *error);
/* Velocities after the impulses of a result, NULL: without any. */
SlipStatus slipi_soft_kick(SlipSim *sim, const SlipResult *result, SlipError *error);
void slipi_soft_advance(SlipSim *sim, double h);
bool slipi_sim_is_static(const SlipSim *sim);
/* The matrix of a step: M's and K's factors. */
void slipi_soft_factors(const SlipSim *sim, const SlipiSoft *soft, double h, double *M, double *K);

/* ---- soft_touch.c ---- */

SlipStatus slipi_soft_touch(SlipSim *sim, double h, SlipError *error);
/* A contact more, of two sides whose entries were just added; false without memory. It counts where
 * it is near or closing; else its entries are dropped. */
bool slipi_soft_contact(SlipSim *sim, const SlipiContact *contact, const SlipiSoftTouch *touch,
                        double size, double h);
void slipi_soft_rule(const SlipSim *sim, int32_t a, int32_t b, SlipiContact *contact);
bool slipi_soft_entry(SlipSim *sim, int32_t node, double weight);
/* The velocity of one side of a contact, world axes. */
void slipi_soft_velocity(const SlipSim *sim, const SlipiContact *contact, int side, bool after,
                         double v[3]);

/* A contact does the work p.u_t on its bodies, u_t the velocity at theta, and its law is about the
 * velocity at the end: where that work turns out positive the law is made to be about u_t, and true
 * is returned; with `all` for every contact that touches a deformable body. */
bool slipi_soft_even(SlipSim *sim, bool all);

/* ---- soft_mortar.c ---- */

/* Contacts of two deformable bodies, whose facets may be `by` apart; the first is the finer one. */
bool slipi_soft_mortar(SlipSim *sim, int32_t fine, int32_t other, double by, double h);

/* ---- soft_inverse.c ---- */

/* Know A^-1 between all nodes that contacts have: the same bits for any number of threads. */
SlipStatus slipi_soft_know_nodes(SlipSim *sim, SlipError *error);

/* ---- soft_choice.c ---- */

/* Whether the factors are to be used as they are, or W to be formed. */
SlipStatus slipi_soft_choose(SlipSim *sim, const SlipiSimRows *rows, const SlipSettings *settings,
                             bool *factored, SlipError *error);
SlipStatus slipi_soft_pose_factored(SlipSim *sim, SlipiSimRows *rows, const SlipSettings *given,
                                    SlipError *error);
void slipi_soft_take_solver(SlipiSofts *softs, SlipiSimRows *rows, bool factored);
/* After a run: whether it was without W and has failed, so that W is to be formed in this step. */
bool slipi_soft_refuse(SlipSim *sim, const SlipResult *result);

/* ---- soft_pose.c ---- */

SlipStatus slipi_soft_pose(SlipSim *sim, SlipiSimRows *rows, const SlipSettings *settings,
                           const SlipLaws *laws, SlipError *error);

/* ---- soft_state.c ---- */

/* The problem of the step in global form, each body in the axes of its frame. */
SlipStatus slipi_soft_global(const SlipSim *sim, SlipProblem **problem, SlipError *error);

/* What a user sees of a body: rooms of its own are filled, nothing that decides the future. */
void slipi_soft_look(SlipiSoft *soft, SlipDeformableState *state);

/* ---- soft_ledger.c ---- */

void slipi_soft_start(SlipSim *sim);
/* Add their kinetic and potential energy. */
void slipi_soft_levels(const SlipSim *sim, SlipEnergy *energy);
/* Work of loads, supports, contacts and damping in a step, before it moves the body; what the step
 * has gained is taken away after that. */
void slipi_soft_work(SlipSim *sim, SlipiSoft *soft, double h);
void slipi_soft_guard(SlipSim *sim, SlipiSoft *soft);
/* Book the step; `change` gets what kinetic and potential energy have changed by. */
void slipi_soft_book(SlipSim *sim, SlipiBooking *booking, double *change);

#endif
