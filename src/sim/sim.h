/* The inside of a simulation.
 *
 * A body moves as its mass does: `x` is its centre of mass, `q` the rotation of its principal axes,
 * `v` the velocity of the centre, `L` the angular momentum about it in world axes, which no free
 * motion changes. Position, rotation, velocity and spin of the frame its shapes are given in follow
 * from these (sim/motion.c). Obstacles have their frame for both. In 2D everything is the same with
 * z = 0 and turns about z.
 *
 * Files: create (a simulation, materials, rules), names, mass, body, joint, state (what is read and
 * set), rotation (free turning), motion (positions in time), touch (which points touch), rows
 * (blocks of joints), assemble (the contact problem), impulse (velocities), yield (contacts that
 * give way), roll (moments of contacts), restitution, project (drift and penetration), repay
 * (what joints make), ledger (energy), step, snapshot. */
#ifndef SLIPI_SIM_SIM_H
#define SLIPI_SIM_SIM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/room.h"
#include "base/team.h"
#include "geom/broad.h"
#include "geom/collide.h"
#include "solver/settings.h"
#include <slipcone/sim.h>

/* ---- Bodies ---- */

/* Arrays over the slots of bodies: type, name, values a slot. */
#define SLIPI_BODY_ARRAYS(ARRAY)                                                                   \
  ARRAY(uint8_t, present, 1)                                                                       \
  ARRAY(uint8_t, motion, 1)                                                                        \
  ARRAY(uint8_t, jointed, 1)     /* has, or had, a joint */                                        \
  ARRAY(uint32_t, generation, 1) /* of the body that is there, or was the last one */              \
  ARRAY(int32_t, material, 1)                                                                      \
  ARRAY(int32_t, first_part, 1)                                                                    \
  ARRAY(int32_t, part_count, 1)                                                                    \
  ARRAY(int32_t, told, 1)        /* its place in sim->told, or -1 */                               \
  ARRAY(int32_t, next_name, 1)   /* in the chain of the same bucket, or -1 */                      \
  ARRAY(int32_t, number, 1)      /* in the contact problem, or -1 */                               \
  ARRAY(char *, name, 1)         /* owned, or NULL */                                              \
  ARRAY(SlipiArena *, shapes, 1) /* of hulls and meshes, owned, or NULL */                         \
  ARRAY(double, mass, 1)                                                                           \
  ARRAY(double, moment, 3) /* principal moments of inertia; 2D: the last */                        \
  ARRAY(double, centre, 3) /* of mass, in the body's frame */                                      \
  ARRAY(double, axes, 4)   /* principal axes, in the body's frame */                               \
  ARRAY(double, radius, 1) /* of a sphere about the centre that holds it, or infinity */           \
  ARRAY(double, x, 3)                                                                              \
  ARRAY(double, q, 4)                                                                              \
  ARRAY(double, v, 3)                                                                              \
  ARRAY(double, L, 3)                                                                              \
  ARRAY(double, position, 3)                                                                       \
  ARRAY(double, rotation, 4)                                                                       \
  ARRAY(double, velocity, 3)                                                                       \
  ARRAY(double, spin, 3)                                                                           \
  ARRAY(double, force, 3) /* applied for the next step */                                          \
  ARRAY(double, torque, 3)                                                                         \
  ARRAY(double, mid_x, 3) /* x and q predicted for the middle of the step */                       \
  ARRAY(double, mid_q, 4)                                                                          \
  ARRAY(double, mid_v, 3) /* velocity there before forces and impulses */                          \
  ARRAY(double, mid_spin, 3)                                                                       \
  ARRAY(double, load, 3) /* all forces of this step, gravity included */                           \
  ARRAY(double, moment_load, 3)                                                                    \
  ARRAY(double, push, 6)  /* sum of the impulses of contacts and joints, and of moments */         \
  ARRAY(double, end_v, 3) /* velocity after them, still in the middle of the step */               \
  ARRAY(double, end_spin, 3)                                                                       \
  ARRAY(double, start, 4) /* x and kinetic energy at the start of the step */

#define SLIPI_BODY_MEMBER(type, name, count) type *name;
typedef struct SlipiBodies {
  int32_t count, capacity; /* slots */
  SLIPI_BODY_ARRAYS(SLIPI_BODY_MEMBER)
} SlipiBodies;
#undef SLIPI_BODY_MEMBER

/* The motion of a slot that a deformable body has (sim/soft.h); none of SlipMotion. */
enum { SLIPI_MOTION_SOFT = 3 };

typedef struct SlipiSoft SlipiSoft;
typedef struct SlipiSofts SlipiSofts;
typedef struct SlipiWhole SlipiWhole;

/* One shape of a body. */
typedef struct SlipiPart {
  SlipiShape shape;
  SlipiPose local; /* in the body's frame */
  SlipiPose pose;  /* in the middle of the step */
  int32_t body;    /* -1: removed */
  int32_t material;
  uint32_t serial; /* tells it from all other shapes there ever were */
} SlipiPart;

/* What an obstacle is told beside its velocity and spin. */
typedef struct SlipiTold {
  int32_t body;
  double base[3]; /* its position without the sine */
  double axis[3], amplitude, frequency;
  double from; /* it rests until then */
} SlipiTold;

/* ---- Joints ---- */

/* Blocks of a joint in the contact problem: points, turns, two limits, motor. */
enum {
  SLIPI_JOINT_POINT,
  SLIPI_JOINT_TURN,
  SLIPI_JOINT_LOWER,
  SLIPI_JOINT_UPPER,
  SLIPI_JOINT_MOTOR,
  SLIPI_JOINT_BLOCKS
};

typedef struct SlipiJoint {
  uint32_t generation;
  bool present, limited, motor, collide;
  int32_t kind, body[2]; /* slots; -1: the world */
  double anchor[2][3];   /* from the centre of mass, along the principal axes */
  double axes[2][4];     /* of the joint, its axis first, along the principal axes */
  double length;         /* of a distance joint */
  double lever;          /* by which turns are multiplied to be lengths */
  double lower, upper, speed, effort;
  double turned; /* angle of a hinge, kept over whole turns */
  double credit; /* energy that holding it has lost, and not made again (repay.c) */
  double impulse[SLIPI_JOINT_BLOCKS][3];
  char *name;
} SlipiJoint;

typedef struct SlipiForce {
  int32_t body;
  uint32_t generation;
  double force[3], torque[3], from, until;
} SlipiForce;

/* ---- Contacts ---- */

typedef struct SlipiContact {
  int32_t part[2], body[2]; /* the normal points into the first */
  int32_t soft;             /* 1 + its place among touches of deformable bodies, or 0 */
  uint32_t serial[2];       /* of the parts: in the same order, also after bodies were removed */
  uint64_t feature, key;    /* of the shapes' features alone; of the contact as long as it lasts */
  double point[3], frame[3][3], gap;
  double local[3]; /* the point from the first body's centre, along its principal axes */
  double mu, restitution, tolerance;
  int32_t law, flow, status;
  int32_t rule;        /* of its materials; -1: none */
  int32_t own;         /* its place in sim->own_rule, where a function gives rules; else -1 */
  bool bonded, broken; /* it has closed and holds a pull since; it has yielded too far for that */
  double plastic;      /* what it has yielded along the normal */
  double slid;         /* and the way it has slid */
  double elastic[3];   /* stretch of its springs, world axes, after the impulses */
  double stretch[3];   /* and before them, along the frame */
  double flowed[3];    /* the velocity that its law sees: the rate at which it yields */
  bool lowered;        /* its restitution, for this step */
  bool even;           /* its law is about the velocity in the middle of this step */
  double drive[3];     /* share of obstacles in the relative velocity */
  double before[3];    /* relative velocity before the impulses */
  double after[3];     /* and after them */
  double impulse[3];   /* world axes, on the first body */
  double late;         /* its bodies end along the velocities after the impulses by this more */
  double moment[3];    /* the same, of contacts that resist rolling */
  double lever;        /* of these, by which turns are multiplied to be lengths */
} SlipiContact;

typedef struct SlipiContacts {
  SlipiContact *at;
  int32_t count, capacity;
} SlipiContacts;

enum { SLIPI_FROM_CONTACT = -1, SLIPI_FROM_MOMENTS = -2 };

/* Arrays over the blocks of a contact problem: type, name, values a block in 3D. */
#define SLIPI_ROW_ARRAYS(ARRAY)                                                                    \
  ARRAY(int32_t, body, 2)                                                                          \
  ARRAY(int32_t, kind, 1)                                                                          \
  ARRAY(int32_t, flow, 1)                                                                          \
  ARRAY(int32_t, bound, 1)                                                                         \
  /* A joint and which of its blocks; SLIPI_FROM_CONTACT, or SLIPI_FROM_MOMENTS, and a contact. */ \
  ARRAY(int32_t, from, 2)                                                                          \
  ARRAY(uint64_t, key, 1)                                                                          \
  ARRAY(double, H, 36)                                                                             \
  ARRAY(double, w, 3)                                                                              \
  ARRAY(double, mu, 1)                                                                             \
  ARRAY(double, radius, 1)                                                                         \
  ARRAY(double, cohesion, 1)                                                                       \
  ARRAY(double, ball, 1)                                                                           \
  ARRAY(double, ball_tangential, 1)                                                                \
  ARRAY(double, cap, 1)                                                                            \
  ARRAY(double, spinning, 1)                                                                       \
  ARRAY(double, frame, 9)                                                                          \
  ARRAY(double, compliance, 9)                                                                     \
  ARRAY(double, r, 3) /* where the solver starts */

/* A contact problem being put together, in memory that is kept. */
#define SLIPI_ROW_MEMBER(type, name, count) type *name;
typedef struct SlipiSimRows {
  int32_t count, capacity, joints; /* blocks, and those of joints among them */
  bool gives, holds;               /* some block has a compliance; a law that holds a pull */
  bool rolls;                      /* some block is one of moments */
  SLIPI_ROW_ARRAYS(SLIPI_ROW_MEMBER)
  int32_t bodies, body_capacity;
  int32_t *slot; /* of each body */
  double *M, *f;
  SlipProblem *problem;
  SlipSolver *solver;
} SlipiSimRows;
#undef SLIPI_ROW_MEMBER

struct SlipSim {
  SlipSimDef def;
  SlipSettings settings;
  /* Materials and rules; rule_of has a rule or -1 for each pair of materials, which count from 1.
   */
  int32_t materials, material_capacity, rules, rule_capacity, *rule_of;
  double *density;
  char **material_name;
  SlipContactRule *rule;
  SlipiBodies bodies;
  int32_t *free_slot, free_slots, free_capacity;
  int32_t *bucket, *bucket_end, buckets, named; /* chains of bodies by name */
  SlipiPart *part;
  int32_t parts, part_capacity, parts_removed;
  uint32_t part_serial;
  SlipiTold *told;
  int32_t told_count, told_capacity;
  SlipiJoint *joint;
  uint64_t *apart; /* pairs of bodies that do not touch because of a joint, sorted */
  int32_t joints, joint_capacity, joints_present, apart_count, apart_capacity;
  bool apart_stale;          /* joints have changed since the list was made */
  bool has_problem, bounces; /* of the last step; bounces: a contact of it has restitution */
  SlipiForce *given;
  int32_t forces, force_capacity;
  SlipForceFunction force_function;
  SlipFilterFunction filter;
  SlipRuleFunction rule_function;
  void *force_user, *filter_user, *rule_user;
  SlipContactRule *own_rule; /* of each contact of the step, where a function gives them */
  int32_t own_capacity;
  int64_t steps; /* time is steps * def.step */
  SlipEnergy energy;
  /* Collision. */
  SlipiTeam *team;
  SlipiBroad *broad;
  double *low, *high, *reach;
  int32_t *group;
  uint8_t *still;
  SlipiTouchList *list; /* one for each piece of the pairs */
  uint8_t *lost;        /* a piece: memory was out */
  int32_t *place;       /* where each pair's points end in the list of its piece */
  uint8_t *taken;       /* of the last contacts: found again */
  int32_t box_capacity, list_capacity, place_capacity, taken_capacity;
  SlipiContacts contacts, last;
  double last_step; /* with which `last` was made */
  SlipSimContact *shown;
  int32_t shown_count, shown_capacity;
  SlipiWhole *whole; /* of connected bodies, where there are joints (repay.c) */
  int32_t whole_capacity;
  /* The contact problem, and that of projections. */
  SlipiSimRows rows, corrections;
  SlipiSofts *softs; /* deformable bodies, NULL where there never was one */
};

/* ---- create.c ---- */

/* Whether forces move the body in a slot: it is there, and no obstacle. */
static inline bool slipi_sim_is_free(const SlipSim *sim, int32_t slot) {
  return slot >= 0 && sim->bodies.present[slot] && sim->bodies.motion[slot] == SLIP_MOTION_FREE;
}

/* Refuse numbers that are not finite: `what` names the vector; and, in 2D, vectors out of the plane
 * or turns (moments too) of another axis than z. */
SlipStatus slipi_sim_finite(const char *what, const double *x, int count, SlipError *error);
SlipStatus slipi_sim_planar(int dimension, const char *what, const double x[3], bool turn,
                            SlipError *error);

/* Whether a rule makes sense, whatever materials it is for. */
SlipStatus slipi_sim_check_rule(const SlipSim *sim, const SlipContactRule *rule, SlipError *error);

/* The time at the start of the next step. */
double slipi_sim_now(const SlipSim *sim);

/* ---- names.c ---- */

/* bodies.name is set. */
bool slipi_names_add(SlipSim *sim, int32_t slot);
void slipi_names_remove(SlipSim *sim, int32_t slot);
char *slipi_name_copy(const char *name);

/* ---- mass.c ---- */

/* Mass, centre, principal axes and moments of the body in `slot` from its parts and definition. */
SlipStatus slipi_body_mass(SlipSim *sim, int32_t slot, const SlipBodyDef *def, SlipError *error);

/* ---- body.c ---- */

/* The slot of a handle. */
SlipStatus slipi_sim_slot(const SlipSim *sim, SlipBodyId body, int32_t *slot, SlipError *error);
/* Close the holes that removed bodies have left among the shapes. */
void slipi_sim_pack_parts(SlipSim *sim);

/* ---- joint.c ---- */

/* The joint's definition was checked: remove all of a body. */
void slipi_sim_drop_joints(SlipSim *sim, int32_t slot);
/* Make the list of pairs that joints keep from touching, where joints have changed. */
SlipStatus slipi_sim_list_apart(SlipSim *sim, SlipError *error);
bool slipi_sim_are_apart(const SlipSim *sim, int32_t a, int32_t b);

/* ---- rotation.c ---- */

/* q turned freely for a time t with the angular momentum L, which stays, as does the energy. */
void slipi_rotate_free(const double moment[3], const double L[3], double t, int dimension,
                       double q[4]);
/* The rotation with these columns. */
void slipi_quaternion_of(const double R[9], double q[4]);
void slipi_quaternion_conjugate(const double q[4], double out[4]);
/* q turned by a rotation vector in world axes. */
void slipi_rotate_by(const double turn[3], double q[4]);
void slipi_quaternion_normalise(double q[4]);
/* spin = J^-1 L and L = J spin, with J of principal axes q. */
void slipi_spin_of(const double moment[3], const double q[4], int dimension, const double L[3],
                   double spin[3]);
void slipi_momentum_of(const double moment[3], const double q[4], int dimension,
                       const double spin[3], double L[3]);

/* ---- motion.c ---- */

/* Mass state from the frame's and back, of one body. */
void slipi_body_from_frame(SlipSim *sim, int32_t slot);
void slipi_body_to_frame(SlipSim *sim, int32_t slot);
/* The pose of the frame whose centre of mass is x and whose principal axes are q. */
void slipi_body_pose(const SlipSim *sim, int32_t slot, const double x[3], const double q[4],
                     SlipiPose *pose);
/* Predict the middle of a step of length h from `time` on: mid_x, mid_q, mid_v, mid_spin. */
void slipi_sim_predict(SlipSim *sim, double time, double h);
/* Positions at the end of the step, from the velocities end_v and end_spin in its middle. */
void slipi_sim_advance(SlipSim *sim, double time, double h);

/* ---- touch.c ---- */

SlipStatus slipi_sim_touch(SlipSim *sim, double h, SlipError *error);

/* ---- rows.c ---- */

/* How far a joint is from holding (d components a block), and its rows there: d x n for each body.
 * x and q of the two bodies; the blocks that the joint has are a set of bits. */
typedef struct SlipiJointRows {
  int blocks;
  double value[SLIPI_JOINT_BLOCKS][3];
  double H[SLIPI_JOINT_BLOCKS][2][18];
} SlipiJointRows;

void slipi_joint_rows(const SlipSim *sim, const SlipiJoint *joint, const double *const x[2],
                      const double *const q[2], SlipiJointRows *rows);
/* The same with the bodies in the middle of the step, or as they are now. */
void slipi_sim_joint_at(const SlipSim *sim, const SlipiJoint *joint, bool middle,
                        SlipiJointRows *rows);
/* The components of a bilateral block that are bound. */
int slipi_joint_bound(const SlipSim *sim, const SlipiJoint *joint, int block);
/* Keep the angles of hinges, which count whole turns. */
void slipi_sim_keep_angles(SlipSim *sim);

/* ---- assemble.c ---- */

/* M of one body: mass, and inertia about its centre in world axes, of principal axes q. */
void slipi_body_mass_block(const SlipSim *sim, int32_t slot, const double q[4], double *M);

/* M and f of one body in this step. */
void slipi_body_equation(const SlipSim *sim, int32_t slot, double h, double *M, double *f);

/* A block more, cleared; -1 without memory. */
int32_t slipi_sim_rows_add(SlipiSimRows *rows, int d);
/* Number the free bodies that the blocks, which name them by slot, touch; room for M and f. */
bool slipi_sim_rows_number(SlipSim *sim, SlipiSimRows *rows);
/* The laws of all rows, as views. */
SlipLaws slipi_sim_rows_laws(const SlipiSimRows *rows);
/* Give the blocks to their problem and solver, which is made with the settings the first time. */
SlipStatus slipi_sim_rows_pose(SlipSim *sim, SlipiSimRows *rows, const SlipSettings *settings,
                               SlipError *error);
void slipi_sim_rows_free(SlipiSimRows *rows);

/* Joints turn with the velocities after the impulses, which impacts make differ from those before,
 * for which the problem was made: whether that changes w, which then is set. */
bool slipi_sim_hold_again(SlipSim *sim, double h);

/* Where bodies turn so far within a step that the prediction is wrong, or contacts jam them, joints
 * would add much energy: hold those, or all, with the rows of the middle, which adds none. Whether
 * that changes w. */
bool slipi_sim_let_go(SlipSim *sim, double h, bool all);

/* The contact problem of a step. */
SlipStatus slipi_sim_assemble(SlipSim *sim, double h, SlipError *error);

/* ---- impulse.c ---- */

/* Velocities with the forces of the step alone, and with the impulses of a result. */
void slipi_sim_kick_free(SlipSim *sim, double h);
SlipStatus slipi_sim_kick(SlipSim *sim, double h, const SlipResult *result, SlipError *error);
/* The same in two parts: a look at a result, which may be thrown away, and what it costs most, the
 * velocities of deformable bodies. */
SlipStatus slipi_sim_try(SlipSim *sim, double h, const SlipResult *result, SlipError *error);
SlipStatus slipi_sim_kick_soft(SlipSim *sim, const SlipResult *result, SlipError *error);
/* Relative velocity of a contact along its frame from velocities and spins (3 a slot). */
void slipi_contact_velocity(const SlipSim *sim, const SlipiContact *contact, const double *v,
                            const double *spin, double u[3]);

/* ---- rule.c ---- */

/* Ask the function that gives rules, where there is one, for that of every contact. */
SlipStatus slipi_sim_ask_rules(SlipSim *sim, SlipError *error);

/* ---- yield.c ---- */

/* NULL: none. */
const SlipContactRule *slipi_contact_rule(const SlipSim *sim, const SlipiContact *contact);
/* Whether contacts of a law can hold a pull, and whether one has springs. */
bool slipi_law_pulls(int32_t law);
bool slipi_contact_gives(const SlipSim *sim, const SlipiContact *contact);
/* Rigid and without memory, as most are: their impulses go to friction and impact. */
bool slipi_contact_is_plain(const SlipSim *sim, const SlipiContact *contact);
/* By how much it has been crushed for good at the end of the step. */
double slipi_contact_crushed(const SlipiContact *contact, double h);

/* Stretch of the springs before the impulses; whether the contact begins to hold. */
void slipi_yield_begin(const SlipSim *sim, SlipiContact *contact);
/* Compliance, lengths of the law and the tangents' share of w, of a contact's block. */
void slipi_yield_row(SlipSim *sim, const SlipiContact *contact, int64_t block, double h);
/* What is added to a normal velocity so that it must not be negative. A closed contact obeys
 * Newton's law of impact (004, eq. 16). An open one, which has no restitution, may close by the
 * middle of the next step and no sooner. Springs give way, and pulls hold by what has yielded. */
double slipi_contact_shift(const SlipSim *sim, const SlipiContact *contact, double h);

/* What one step adds to the sums of energy; `elastic` is that stored after it. */
typedef struct SlipiBooking {
  double applied, friction, impact, damping, plastic, throughput, elastic;
} SlipiBooking;

/* Book a contact that gives way or holds, and take its state to the end of the step; false for any
 * other. */
bool slipi_yield_close(const SlipSim *sim, SlipiContact *contact, double h, SlipiBooking *booking);

/* ---- islands.c ---- */

/* Sets of bodies that contacts and joints of the problem connect: between join and forget every
 * body of the problem has the same root as those it is connected to. */
void slipi_islands_join(SlipSim *sim);
int32_t slipi_island_root(SlipiBodies *bodies, int32_t slot);
void slipi_islands_forget(SlipSim *sim);
int32_t slipi_contact_free_body(const SlipSim *sim, const SlipiContact *contact);
/* The slot of a body that forces move, of block k of the problem. */
int32_t slipi_block_free_body(const SlipiSimRows *rows, int64_t k);
/* The work p.(u- + u+)/2 of a contact's impulse. */
double slipi_contact_gain(const SlipSim *sim, const SlipiContact *contact);

/* ---- late.c ---- */

/* What a body may gain because gravity turns it around within the step. */
double slipi_body_turned(const SlipSim *sim, int32_t slot, double h);
/* Where contacts would gain energy by it, let the bodies end where they gain none; the energy that
 * was taken back. */
double slipi_sim_end_late(SlipSim *sim, double h);

/* ---- roll.c ---- */

bool slipi_contact_rolls(const SlipSim *sim, const SlipiContact *contact);
/* The block of moments, right behind that of the contact; false without memory. */
bool slipi_roll_add(SlipSim *sim, int32_t contact);
/* Keep the moments of a result. */
void slipi_roll_keep(const SlipSim *sim, SlipiContact *contact, const double *r);
void slipi_roll_book(const SlipSim *sim, const SlipiContact *contact, SlipiBooking *booking);

/* ---- restitution.c ---- */

/* Lower the coefficients of restitution of bodies in touch whose impacts would add energy, which
 * Newton's law with friction can; w is set. False where there are none. With `all` they become 0.
 */
bool slipi_sim_lower_restitution(SlipSim *sim, double h, bool all);
/* Leave it out where a problem was not solved. */
bool slipi_sim_drop_restitution(SlipSim *sim, double h, const SlipResult *result);
/* Whether any contact has restitution. */
bool slipi_sim_bounces(const SlipSim *sim);

/* ---- project.c ---- */

/* Take out drift of joints and penetration of contacts that do not separate; `added` is the energy
 * this adds. */
SlipStatus slipi_sim_project(SlipSim *sim, double h, double *added, SlipStepInfo *info,
                             SlipError *error);

/* ---- repay.c ---- */

/* Whether a block of a joint brings energy: it is a motor's, or of an obstacle that moves. */
bool slipi_joint_is_worked(const SlipSim *sim, int64_t block);
/* Take the energy that joints have made from the bodies they connect; false without memory. */
bool slipi_sim_repay(SlipSim *sim, double h);

/* ---- step.c ---- */

/* The contacts of the last step as the user sees them; false without memory. */
bool slipi_sim_show(SlipSim *sim);

/* ---- ledger.c ---- */

void slipi_ledger_start(SlipSim *sim);
/* Book the step: its forces, contacts and motors, what ending late has taken from impacts, and what
 * is left over. */
void slipi_ledger_close(SlipSim *sim, double h, double taken, double projected);
/* Kinetic and potential energy as they are. */
void slipi_ledger_levels(SlipSim *sim);
double slipi_body_kinetic(const SlipSim *sim, int32_t slot);
/* How kinetic and potential energy of a body have changed since slipi_ledger_start. */
double slipi_body_change(const SlipSim *sim, int32_t slot);
/* The work of the impulse that holds a block of a joint. */
double slipi_joint_work(const SlipSim *sim, int32_t block);
/* Whether a body of the joint is an obstacle that moves. */
bool slipi_joint_is_driven(const SlipSim *sim, const SlipiJoint *joint);

#endif
