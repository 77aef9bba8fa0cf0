/* Simulation: rigid bodies with shapes, joints and contacts, stepped in time with exact Coulomb
 * friction at every contact point.
 *
 * One SlipSim owns everything. Bodies and joints are named by small handles with a generation: a
 * handle of a body that was removed is refused with a sentence, it never dangles. slip_sim_step is
 * one time step of Moreau and Jean's scheme; docs/simulator.md has the equations.
 *
 *   - Vectors have three components, also in 2D, where z is 0, rotations are about z and the
 *     third component of `spin` is the angular velocity.
 *   - Rotations are unit quaternions (w, x, y, z). Spins are angular velocities in world axes.
 *   - SI units are assumed nowhere; any consistent ones do. No length is absolute: tolerances come
 *     from the sizes of the shapes.
 *   - The position of a body is that of its frame, in which its shapes are given; its centre of
 * mass may be elsewhere.
 *   - The same calls give the same bits, whatever the number of threads.
 *
 * The conventions of slipcone/slipcone.h hold here too. */
#ifndef SLIPCONE_SIM_H
#define SLIPCONE_SIM_H

#include <math.h>

#include <slipcone/check.h>
#include <slipcone/slipcone.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SlipSim SlipSim;

/* ---- Shapes ------------------------------------------------------------------------------ */

typedef enum SlipShapeKind {
  SLIP_SHAPE_SPHERE,     /* radius */
  SLIP_SHAPE_BOX,        /* edges */
  SLIP_SHAPE_CAPSULE,    /* radius; length of the cylindrical part, along z */
  SLIP_SHAPE_CYLINDER,   /* radius, length along z */
  SLIP_SHAPE_HALF_SPACE, /* below the plane through its origin with the outward `normal` */
  SLIP_SHAPE_HULL,       /* convex hull of `points` */
  SLIP_SHAPE_MESH,       /* triangles, seen from the side their normals point to: obstacles only */
  SLIP_SHAPE_DISC,       /* 2D: radius */
  SLIP_SHAPE_POLYGON,    /* 2D: convex hull of `points` */
  SLIP_SHAPE_SEGMENT     /* 2D: points[0] to points[1]; has no mass */
} SlipShapeKind;

/* A half-space serves 2D as well; the other solids are 3D. */
typedef struct SlipShapeDef {
  size_t size;
  int32_t kind; /* SlipShapeKind */
  double radius, length, edges[3], normal[3];
  const double *points; /* 3 each */
  int32_t point_count;
  const int32_t *triangles; /* 3 indices of points each, counterclockwise from outside */
  int32_t triangle_count;
  double position[3], rotation[4]; /* in the body's frame */
  int32_t material;                /* of slip_sim_add_material; -1: the body's */
} SlipShapeDef;

static inline SlipShapeDef slip_default_shape_def(void) {
  SlipShapeDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.rotation[0] = 1;
  def.material = -1;
  return def;
}

/* ---- Materials and what happens between them --------------------------------------------- */

typedef struct SlipMaterialDef {
  size_t size;
  const char *name;
  double density;
} SlipMaterialDef;

static inline SlipMaterialDef slip_default_material_def(void) {
  SlipMaterialDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.density = 1000;
  return def;
}

/* What holds for contacts between two materials: of all rules the first that matches counts; where
 * none does there is neither friction nor restitution. */
typedef struct SlipContactRule {
  size_t size;
  int32_t materials[2]; /* in any order; -1 matches every material */
  int32_t law;  /* SLIP_COULOMB, SLIP_FRICTIONLESS, SLIP_COHESIVE, SLIP_ROUNDED, SLIP_CAPPED */
  int32_t flow; /* SlipFlow, of laws that have one */
  double friction, restitution;
  /* Forces in N (SlipLaws has them as impulses): the pull of SLIP_COHESIVE; half-axes of
   * SLIP_ROUNDED and SLIP_CAPPED along the normal and the tangents; the largest push of
   * SLIP_CAPPED. */
  double cohesion, ball[2], cap;
  /* Springs along the normal and the tangents, N/m, 0: rigid; and dampers beside them, of
   * damping_time (s) times the stiffness. Without restitution. */
  double stiffness[2], damping_time;
  double breaks_at; /* m: a contact that has yielded by more along the normal pulls no longer */
  /* Springs and dampers that couple the components, in place of the two numbers and the time: 3 x 3
   * along the contact's frame (normal, tangents), row-major, N/m and N s/m; both symmetric, springs
   * positive definite, dampers semidefinite. In 2D the first two rows and columns. All 0: none. */
  double stiffness_matrix[9], damping_matrix[9];
  /* Resistance to rolling and, in 3D, spinning, m: the moment that a contact bears is at most so
   * many times the normal force. Of SLIP_COULOMB, SLIP_FRICTIONLESS and SLIP_COHESIVE, with
   * Coulomb's flow; 0: none. */
  double rolling, spinning;
} SlipContactRule;

static inline SlipContactRule slip_default_contact_rule(void) {
  SlipContactRule rule;
  memset(&rule, 0, sizeof rule);
  rule.size = sizeof rule;
  rule.materials[0] = rule.materials[1] = -1;
  rule.law = SLIP_COULOMB;
  rule.flow = SLIP_FLOW_COULOMB;
  rule.breaks_at = HUGE_VAL;
  return rule;
}

/* ---- Bodies ------------------------------------------------------------------------------ */

typedef struct SlipBodyId {
  int32_t index;
  uint32_t generation; /* 0: no body */
} SlipBodyId;

typedef enum SlipMotion {
  SLIP_MOTION_FREE,  /* has mass and is moved by forces and impulses */
  SLIP_MOTION_FIXED, /* an obstacle at rest */
  SLIP_MOTION_TOLD   /* an obstacle that moves with `velocity` and `spin`, and with the sine */
} SlipMotion;

typedef struct SlipBodyDef {
  size_t size;
  const char *name; /* may be NULL; copied */
  int32_t motion;   /* SlipMotion */
  int32_t material; /* of its shapes; -1: density 1000, matched by rules for every material */
  const SlipShapeDef *shapes;
  int32_t shape_count;
  double position[3], rotation[4], velocity[3], spin[3]; /* velocity: of the frame's origin */
  double mass;       /* 0: from the shapes and their densities */
  double inertia[3]; /* principal moments along the frame's axes about the centre of mass, which
                        then is the frame's origin; 0: from the shapes, scaled to `mass` */
  /* Of SLIP_MOTION_TOLD: displacement amplitude * axis * sin(2 pi frequency t) on top. */
  double sine_axis[3], sine_amplitude, sine_frequency;
  double moves_from; /* s, of SLIP_MOTION_TOLD: it rests until then, and the sine begins there */
} SlipBodyDef;

static inline SlipBodyDef slip_default_body_def(void) {
  SlipBodyDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.motion = SLIP_MOTION_FREE;
  def.material = -1;
  def.rotation[0] = 1;
  return def;
}

/* ---- Joints ------------------------------------------------------------------------------ */

typedef struct SlipJointId {
  int32_t index;
  uint32_t generation;
} SlipJointId;

typedef enum SlipJointKind {
  SLIP_JOINT_BALL,    /* a point in common */
  SLIP_JOINT_HINGE,   /* a point and an axis in common */
  SLIP_JOINT_SLIDER,  /* moves along the axis, does not turn */
  SLIP_JOINT_FIXED,   /* does neither */
  SLIP_JOINT_DISTANCE /* keeps the distance between two points */
} SlipJointKind;

typedef struct SlipJointDef {
  size_t size;
  const char *name;
  int32_t kind;         /* SlipJointKind */
  SlipBodyId bodies[2]; /* generation 0 for the second: the world */
  double at[3];         /* the point in common, in world axes as the bodies are now */
  double other[3];      /* of a distance joint: the point of the second body */
  double axis[3];       /* of a hinge or slider, in world axes */
  /* 1: angle (hinge) or travel (slider) of the first body against the second, 0 now, within
   * [lower, upper] */
  int32_t limited;
  double lower, upper;
  int32_t motor; /* 1: driven at motor_speed with at most motor_effort (torque or force) */
  double motor_speed, motor_effort;
  int32_t collide; /* 1: its two bodies may touch each other */
} SlipJointDef;

static inline SlipJointDef slip_default_joint_def(void) {
  SlipJointDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  return def;
}

/* A force during some time, at the centre of mass, in world axes. */
typedef struct SlipForceDef {
  size_t size;
  SlipBodyId body;
  double force[3], torque[3];
  double from, until;
} SlipForceDef;

static inline SlipForceDef slip_default_force_def(void) {
  SlipForceDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.until = HUGE_VAL;
  return def;
}

/* ---- Deformable bodies ------------------------------------------------------------------- */

/* Elements, with their nodes in the order of VTK. The mesh is given in the body's frame. */
typedef enum SlipElement {
  SLIP_ELEMENT_T3, /* 2D */
  SLIP_ELEMENT_Q4, /* 2D */
  SLIP_ELEMENT_T4,
  SLIP_ELEMENT_T10,
  SLIP_ELEMENT_H8
} SlipElement;

/* A named set of nodes of a mesh. */
typedef struct SlipNodeSet {
  const char *name;
  const int32_t *nodes;
  int32_t node_count;
} SlipNodeSet;

/* A linear elastic solid in a frame that turns with it. Its mesh is one of: a box (`box`, with
 * `cells` along each axis), a cylinder along z (`radius`, `length`; cells[0] across, cells[2]
 * along), a ball or, in 2D, a disc (`radius`; cells[0] across), or elements (`points`, `elements`),
 * all of one kind or with a kind for each (`kinds`). */
typedef struct SlipDeformableDef {
  size_t size;
  const char *name;
  int32_t material; /* of slip_sim_add_material: density and rules; -1: density 1000 */
  double young, poisson;
  double damping[2];    /* Rayleigh's: C = damping[0] M + damping[1] K */
  int32_t plane_stress; /* 2D: 1: plane stress, else plane strain; the thickness is 1 */
  int32_t element;      /* SlipElement */
  double box[3], radius, length;
  int32_t cells[3];
  const double *points; /* 3 each */
  int32_t point_count;
  const int32_t *elements; /* nodes of one element after the other */
  int32_t element_count;
  const int32_t *kinds; /* SlipElement of each, or NULL */
  const SlipNodeSet *sets;
  int32_t set_count;
  double position[3], rotation[4], velocity[3], spin[3]; /* of the frame, at the start */
} SlipDeformableDef;

static inline SlipDeformableDef slip_default_deformable_def(void) {
  SlipDeformableDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.material = -1;
  def.element = SLIP_ELEMENT_H8;
  def.rotation[0] = 1;
  return def;
}

/* Nodes that are held, or move as told: velocity and, on top, amplitude * axis * sin(2 pi frequency
 * t), in world axes. A body with such nodes does not turn as a whole. The nodes are those of a set
 * of its mesh, or of "all", "surface", "xmin", "xmax", "ymin", ... of the mesh as it was made. */
typedef struct SlipSupportDef {
  size_t size;
  SlipBodyId body;
  const char *where;
  int32_t free[3]; /* 1: free along this axis of the body's frame */
  double velocity[3];
  double sine_axis[3], sine_amplitude, sine_frequency;
} SlipSupportDef;

static inline SlipSupportDef slip_default_support_def(void) {
  SlipSupportDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  return def;
}

/* Forces on nodes: `force` on each of the set, `traction` (a force on an area, world axes) and
 * `pressure` (against the outward normal) on the faces all of whose nodes are of the set. They grow
 * from 0 at `from` to their full size at `full`, and end at `until`. */
typedef struct SlipLoadDef {
  size_t size;
  SlipBodyId body;
  const char *where;
  double force[3], traction[3], pressure;
  double from, full, until;
} SlipLoadDef;

static inline SlipLoadDef slip_default_load_def(void) {
  SlipLoadDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.until = HUGE_VAL;
  return def;
}

/* ---- A simulation ------------------------------------------------------------------------ */

/* What becomes of a step whose contact problem is not solved to the tolerance. */
typedef enum SlipOnFailure {
  SLIP_ON_FAILURE_STOP, /* slip_sim_step fails, and the state is that before the step */
  SLIP_ON_FAILURE_WARN, /* go on with the best point found; the step says so */
  SLIP_ON_FAILURE_HALVE /* try again in two halves, up to 2^6, then stop */
} SlipOnFailure;

typedef enum SlipGyroscopic { SLIP_GYROSCOPIC_EXPLICIT, SLIP_GYROSCOPIC_IMPLICIT } SlipGyroscopic;

/* With inertia, or quasi-static: every deformable body is in equilibrium at the end of each step,
 * and contacts are told by their velocities, or by their gaps, which then are not negative. Bodies
 * must be held, and there are no free rigid ones. */
typedef enum SlipInertia {
  SLIP_INERTIA_FULL,
  SLIP_INERTIA_NONE,    /* quasi-static, (4.21)-(4.22) of Acary, Cadoux 2013 */
  SLIP_INERTIA_NONE_GAP /* quasi-static with incremental gaps, (4.26)-(4.28) */
} SlipInertia;

typedef struct SlipSimDef {
  size_t size;
  int32_t dimension; /* 2 or 3 */
  double gravity[3];
  double step;  /* seconds */
  double theta; /* from 1/2 to 1 */
  int32_t gyroscopic;
  int32_t on_failure;
  const SlipSettings *settings; /* method and options of the solver; NULL: auto, tolerance 1e-8 */
  /* Penetration of contacts that do not separate is projected out beyond this share of the size of
   * the smaller shape. */
  double penetration;
  /* Pairs without restitution that are nearer than this share of the smaller shape's size may not
   * come closer than to touch by the middle of the next step; nor may pairs further apart that else
   * would. */
  double reach;
  int32_t inertia; /* SlipInertia */
} SlipSimDef;

static inline SlipSimDef slip_default_sim_def(void) {
  SlipSimDef def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.dimension = 3;
  def.step = 0.005;
  def.theta = 0.5;
  def.penetration = 1e-6;
  def.reach = 0.01;
  return def;
}

SLIP_API SlipStatus slip_sim_create(const SlipSimDef *def, SlipSim **sim, SlipError *error);
SLIP_API void slip_sim_free(SlipSim *sim);

/* The number of the material, from 0. */
SLIP_API SlipStatus slip_sim_add_material(SlipSim *sim, const SlipMaterialDef *def,
                                          int32_t *material, SlipError *error);
SLIP_API SlipStatus slip_sim_add_rule(SlipSim *sim, const SlipContactRule *rule, SlipError *error);
SLIP_API SlipStatus slip_sim_add_body(SlipSim *sim, const SlipBodyDef *def, SlipBodyId *body,
                                      SlipError *error);
/* Its joints and forces go with it. */
SLIP_API SlipStatus slip_sim_remove_body(SlipSim *sim, SlipBodyId body, SlipError *error);
SLIP_API SlipStatus slip_sim_add_joint(SlipSim *sim, const SlipJointDef *def, SlipJointId *joint,
                                       SlipError *error);
SLIP_API SlipStatus slip_sim_remove_joint(SlipSim *sim, SlipJointId joint, SlipError *error);
SLIP_API SlipStatus slip_sim_add_force(SlipSim *sim, const SlipForceDef *def, SlipError *error);

SLIP_API SlipStatus slip_sim_add_deformable(SlipSim *sim, const SlipDeformableDef *def,
                                            SlipBodyId *body, SlipError *error);
SLIP_API SlipStatus slip_sim_add_support(SlipSim *sim, const SlipSupportDef *def, SlipError *error);
SLIP_API SlipStatus slip_sim_add_load(SlipSim *sim, const SlipLoadDef *def, SlipError *error);

/* Of the bodies of that name the one added first; generation 0 where there is none. */
SLIP_API SlipBodyId slip_sim_find_body(const SlipSim *sim, const char *name);

/* ---- Callbacks --------------------------------------------------------------------------- */

/* At the start of a step: may call slip_sim_apply, which lasts for this step. */
typedef void (*SlipForceFunction)(void *user, SlipSim *sim, double time);
/* 0: these two bodies do not touch. Must give the same answer for the same pair. */
typedef int (*SlipFilterFunction)(void *user, SlipBodyId a, SlipBodyId b);

/* A contact that a rule is wanted for; the library's, for the call. */
typedef struct SlipRuleContact {
  size_t size;
  SlipBodyId bodies[2]; /* the normal points into the first */
  uint64_t key;         /* the same as long as the contact lasts */
  double time;          /* at the start of the step */
  double position[3], normal[3], tangents[2][3], gap;
  double impulse[3]; /* of the last step, on the first body, world axes */
  double drawn;      /* m: what it has yielded along the normal: drawn out, or crushed, below 0 */
  double slid;       /* m: the way it has slid */
  int32_t holds;     /* 1: it has closed under a law that holds a pull, and has not broken */
} SlipRuleContact;

/* Asked for every contact in every step (and part of a step): *rule is that of the materials, and
 * may be changed, so that the law of a contact follows what has become of it: hardening and
 * softening by `drawn` and `slid`, wear, places that are wet. Which points count as contacts the
 * rule of the materials decides. Must give the same answer for the same contact; a rule that makes
 * no sense ends the step with a sentence. */
typedef void (*SlipRuleFunction)(void *user, const SlipRuleContact *contact, SlipContactRule *rule);

SLIP_API void slip_sim_set_rule_function(SlipSim *sim, SlipRuleFunction function, void *user);
SLIP_API void slip_sim_set_force_function(SlipSim *sim, SlipForceFunction function, void *user);
SLIP_API void slip_sim_set_filter(SlipSim *sim, SlipFilterFunction function, void *user);
SLIP_API SlipStatus slip_sim_apply(SlipSim *sim, SlipBodyId body, const double force[3],
                                   const double torque[3], SlipError *error);

/* ---- Stepping ---------------------------------------------------------------------------- */

/* Sums since the start but for the first three, which are of the moment; joules. */
typedef struct SlipEnergy {
  double kinetic, potential, elastic;
  double applied; /* work of forces other than gravity, of motors and of moving obstacles */
  double friction, impact, damping, plastic, projection; /* dissipated */
  double imbalance;  /* what the others leave over: the scheme's own error */
  double throughput; /* sum of all amounts that changed hands, to compare the imbalance with */
} SlipEnergy;

typedef struct SlipStepInfo {
  size_t size;
  int64_t step;     /* number of the step that was made, or tried, from 1 */
  double time;      /* at its end */
  int32_t contacts; /* of the problem: contact points, their moments, and blocks of joints */
  int32_t joints;   /* of these, blocks of joints */
  int32_t halvings;
  int32_t lowered; /* contacts whose restitution was lowered in this step: Newton's law of impact
                      would have added energy, or left the problem without a solution */
  int32_t outcome; /* SlipOutcome of its contact problem */
  int32_t verdict; /* SlipVerdict on existence, of a problem that was not solved */
  int64_t iterations;
  double residual, physical;
  double tol;         /* that the solver was asked for */
  double penetration; /* largest after the step */
  double drift;       /* of joints, after the step */
  SlipEnergy energy;
  double seconds, seconds_collide, seconds_set_up, seconds_solve;
  char reason[SLIP_ERROR_TEXT]; /* why it was not solved, else empty */
  double seconds_project;       /* taking penetration and drift out of the positions */
} SlipStepInfo;

static inline SlipStepInfo slip_default_step_info(void) {
  SlipStepInfo info;
  memset(&info, 0, sizeof info);
  info.size = sizeof info;
  return info;
}

/* One time step; info may be NULL. */
SLIP_API SlipStatus slip_sim_step(SlipSim *sim, SlipStepInfo *info, SlipError *error);

/* Called while a step's contact problem is solved; another value than 0 ends the solve, and the
 * step with it, as not solved. */
SLIP_API void slip_sim_set_progress(SlipSim *sim, SlipProgressFunction function, void *user);

SLIP_API double slip_sim_time(const SlipSim *sim);
SLIP_API int64_t slip_sim_steps(const SlipSim *sim);

/* The contact problem of the last step (also of one that was not solved and not made), and its
 * solution: valid until the next step. NULL before the first, where nothing touched, and after
 * slip_sim_restore. Joints come first, then the contacts in the order of SlipSimState. */
SLIP_API const SlipProblem *slip_sim_problem(const SlipSim *sim);
SLIP_API const SlipResult *slip_sim_result(const SlipSim *sim);
/* The impulses that this solution began from, those of the step before where contacts stay: as many
 * as the problem has components. With them the solve of a step can be repeated elsewhere. */
SLIP_API const double *slip_sim_start(const SlipSim *sim);

/* ---- State ------------------------------------------------------------------------------- */

/* One contact point of the last step; an element of an array, so it does not grow. */
typedef struct SlipSimContact {
  int32_t bodies[2]; /* slots; the normal points into the first */
  int32_t status;    /* SlipContactStatus */
  uint64_t key;
  double position[3], normal[3], impulse[3]; /* world axes; the impulse is on the first body */
  double gap;
  double moment[3]; /* angular impulse on the first body, of contacts that resist rolling, N m s;
                       0 in frames of a trajectory, which do not have it */
} SlipSimContact;

/* Arrays over body slots, of which `present` tells those in use: the sim's, until it is changed. */
typedef struct SlipSimState {
  size_t size;
  int32_t bodies; /* slots */
  const uint8_t *present;
  const double *position, *rotation, *velocity, *spin; /* 3, 4, 3, 3 a slot: of the frame */
  int32_t contacts;
  const SlipSimContact *contact;
  double time;
} SlipSimState;

static inline SlipSimState slip_default_sim_state(void) {
  SlipSimState state;
  memset(&state, 0, sizeof state);
  state.size = sizeof state;
  return state;
}

SLIP_API SlipStatus slip_sim_state(const SlipSim *sim, SlipSimState *state, SlipError *error);
SLIP_API const char *slip_sim_body_name(const SlipSim *sim, int32_t slot);
SLIP_API SlipBodyId slip_sim_body_at(const SlipSim *sim, int32_t slot);
SLIP_API SlipStatus slip_sim_set_pose(SlipSim *sim, SlipBodyId body, const double position[3],
                                      const double rotation[4], SlipError *error);
SLIP_API SlipStatus slip_sim_set_velocity(SlipSim *sim, SlipBodyId body, const double velocity[3],
                                          const double spin[3], SlipError *error);
/* The ledger as it is now. */
SLIP_API void slip_sim_energy(const SlipSim *sim, SlipEnergy *energy);
SLIP_API int32_t slip_sim_dimension(const SlipSim *sim);

/* Shapes of all bodies, numbered in the order in which they came, those of deformable bodies after
 * the others, as meshes of their surface at rest (in 2D of their elements): the definition (its
 * points are the sim's) and the slot of the body, -1 where that has been removed. */
SLIP_API int32_t slip_sim_shape_count(const SlipSim *sim);
SLIP_API SlipStatus slip_sim_shape(const SlipSim *sim, int32_t shape, SlipShapeDef *def,
                                   int32_t *slot, SlipError *error);
/* Mass, and centre of mass in the body's frame. */
SLIP_API SlipStatus slip_sim_mass(const SlipSim *sim, SlipBodyId body, double *mass,
                                  double centre[3], SlipError *error);

/* A deformable body as it is: arrays of the sim's, until it is changed. */
typedef struct SlipDeformableState {
  size_t size;
  int32_t nodes, elements, faces;
  const double *rest;           /* 3 a node: the mesh as it was made, in the body's frame */
  const double *position;       /* 3 a node, world axes */
  const double *velocity;       /* 3 a node */
  const double *displacement;   /* 3 a node, in the turned frame */
  const double *stress;         /* 6 a node: xx, yy, zz, xy, yz, zx in the turned frame */
  const double *force;          /* 3 a node: of the contacts of the last step, world axes */
  const double *area;           /* of the surface around each node, 0 inside */
  const uint8_t *element_kind;  /* SlipElement */
  const int32_t *element_first; /* nodes of element k: element_node[element_first[k]] ... */
  const int32_t *element_node;
  const int32_t *face_first, *face_node; /* of the surface, outward; corners first */
  double elastic;                        /* energy */
} SlipDeformableState;

static inline SlipDeformableState slip_default_deformable_state(void) {
  SlipDeformableState state;
  memset(&state, 0, sizeof state);
  state.size = sizeof state;
  return state;
}

SLIP_API SlipStatus slip_sim_deformable(SlipSim *sim, SlipBodyId body, SlipDeformableState *state,
                                        SlipError *error);

/* The contact problem of the last step in global form: M v = H r + f with M + h theta C + h^2
 * theta^2 K of each deformable body that is in it, and with its nodes as they are held. For scenes
 * with deformable bodies slip_sim_problem is local. The caller frees it. */
SLIP_API SlipStatus slip_sim_global_problem(const SlipSim *sim, SlipProblem **problem,
                                            SlipError *error);

/* Everything that decides the future, warm starts included, as bytes of the caller's
 * (slip_sim_bytes_free). Restored into a simulation with the same bodies, shapes, joints and rules,
 * it goes on with the same bits. */
SLIP_API SlipStatus slip_sim_save(const SlipSim *sim, void **bytes, size_t *size, SlipError *error);
SLIP_API SlipStatus slip_sim_restore(SlipSim *sim, const void *bytes, size_t size,
                                     SlipError *error);
SLIP_API void slip_sim_bytes_free(void *bytes);

#ifdef __cplusplus
}
#endif

#endif
