/* The keys of a scene, in one table: it makes the checks, the sentences about what was expected,
 * the suggestions for unknown keys and the reference in docs/scene.md. */
#ifndef SLIPI_SCENE_SCHEMA_H
#define SLIPI_SCENE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum SlipiKeyType {
  SLIPI_KEY_REAL,    /* a number */
  SLIPI_KEY_WHOLE,   /* a whole number */
  SLIPI_KEY_SWITCH,  /* true or false */
  SLIPI_KEY_TEXT,    /* any text */
  SLIPI_KEY_NAME,    /* a text that can be named elsewhere */
  SLIPI_KEY_VECTOR,  /* a number for each dimension */
  SLIPI_KEY_COUNTS,  /* a whole number for each dimension */
  SLIPI_KEY_SPACING, /* a number, or one for each dimension */
  SLIPI_KEY_TURNING, /* a vector in 3D, a number in 2D */
  SLIPI_KEY_AXIAL,   /* a number, or one along the normal and one along the tangents */
  SLIPI_KEY_NUMBERS, /* so many numbers */
  SLIPI_KEY_WORD,    /* one of some words */
  SLIPI_KEY_PAIR,    /* two names */
  SLIPI_KEY_BLOCK,   /* a mapping */
  SLIPI_KEY_LIST,    /* a list */
  SLIPI_KEY_ROWS     /* a square matrix, a row of numbers for each dimension */
} SlipiKeyType;

/* Finite numbers from least to most, the least itself only where it is not open. */
typedef struct SlipiRange {
  double least, most;
  bool open;
} SlipiRange;

typedef struct SlipiKey {
  const char *name;
  SlipiKeyType type;
  bool required;
  SlipiRange range;
  const char *unit;           /* NULL: none */
  const char *initial;        /* the default as text; NULL: none, zeros for vectors */
  const char *const *choices; /* of a word, up to NULL */
  int32_t count;              /* of numbers */
  const char *of;             /* the block of a mapping, or of the items of a list; NULL: other */
  int32_t dimension;          /* the only one it is for; 0: both */
  uint32_t with;              /* of `many`: the arrangements it goes with, as bits; 0: all */
  const char *help;
} SlipiKey;

typedef struct SlipiBlock {
  const char *name;
  const char *help;
  const SlipiKey *keys;
  int32_t count;
} SlipiBlock;

/* One enum for each block, in the order of its keys. */
enum {
  SLIPI_SCENE_VERSION,
  SLIPI_SCENE_TITLE,
  SLIPI_SCENE_DESCRIPTION,
  SLIPI_SCENE_DIMENSION,
  SLIPI_SCENE_LET,
  SLIPI_SCENE_GRAVITY,
  SLIPI_SCENE_TIME,
  SLIPI_SCENE_SOLVER,
  SLIPI_SCENE_COLLISION,
  SLIPI_SCENE_MATERIALS,
  SLIPI_SCENE_CONTACTS,
  SLIPI_SCENE_BODIES,
  SLIPI_SCENE_JOINTS,
  SLIPI_SCENE_FORCES,
  SLIPI_SCENE_RECORD,
  SLIPI_SCENE_KEYS
};
enum {
  SLIPI_TIME_STEP,
  SLIPI_TIME_END,
  SLIPI_TIME_THETA,
  SLIPI_TIME_GYROSCOPIC,
  SLIPI_TIME_INERTIA,
  SLIPI_TIME_KEYS
};
enum { SLIPI_SOLVER_METHOD, SLIPI_SOLVER_ON_FAILURE, SLIPI_SOLVER_KEYS };
enum { SLIPI_COLLISION_PENETRATION, SLIPI_COLLISION_REACH, SLIPI_COLLISION_KEYS };
enum { SLIPI_RECORD_EVERY, SLIPI_RECORD_CONTACTS, SLIPI_RECORD_KEYS };
enum { SLIPI_MATERIAL_DENSITY, SLIPI_MATERIAL_KEYS };
enum {
  SLIPI_CONTACT_BETWEEN,
  SLIPI_CONTACT_FRICTION,
  SLIPI_CONTACT_RESTITUTION,
  SLIPI_CONTACT_LAW,
  SLIPI_CONTACT_FLOW,
  SLIPI_CONTACT_COHESION,
  SLIPI_CONTACT_BALL,
  SLIPI_CONTACT_CAP,
  SLIPI_CONTACT_BREAKS_AT,
  SLIPI_CONTACT_STIFFNESS,
  SLIPI_CONTACT_DAMPING_TIME,
  SLIPI_CONTACT_STIFFNESS_MATRIX,
  SLIPI_CONTACT_DAMPING_MATRIX,
  SLIPI_CONTACT_ROLLING,
  SLIPI_CONTACT_SPINNING,
  SLIPI_CONTACT_KEYS
};
enum {
  SLIPI_BODY_NAME,
  SLIPI_BODY_MATERIAL,
  SLIPI_BODY_SHAPE,
  SLIPI_BODY_POSITION,
  SLIPI_BODY_ROTATION,
  SLIPI_BODY_VELOCITY,
  SLIPI_BODY_SPIN,
  SLIPI_BODY_MASS,
  SLIPI_BODY_INERTIA,
  SLIPI_BODY_FIXED,
  SLIPI_BODY_MOVES,
  SLIPI_BODY_MANY,
  SLIPI_BODY_DEFORMABLE,
  SLIPI_BODY_KEYS
};
enum {
  SLIPI_SHAPE_SPHERE,
  SLIPI_SHAPE_BOX,
  SLIPI_SHAPE_CAPSULE,
  SLIPI_SHAPE_CYLINDER,
  SLIPI_SHAPE_PLANE,
  SLIPI_SHAPE_HULL,
  SLIPI_SHAPE_MESH,
  SLIPI_SHAPE_DISC,
  SLIPI_SHAPE_POLYGON,
  SLIPI_SHAPE_SEGMENT,
  SLIPI_SHAPE_COMPOUND,
  SLIPI_SHAPE_POSITION, /* the kinds of shapes stand before it */
  SLIPI_SHAPE_ROTATION,
  SLIPI_SHAPE_MATERIAL,
  SLIPI_SHAPE_MANY,
  SLIPI_SHAPE_KEYS
};
enum {
  SLIPI_DEFORMABLE_BOX,
  SLIPI_DEFORMABLE_CYLINDER,
  SLIPI_DEFORMABLE_BALL,
  SLIPI_DEFORMABLE_MESH,
  SLIPI_DEFORMABLE_CELLS, /* the meshes stand before it */
  SLIPI_DEFORMABLE_ELEMENT,
  SLIPI_DEFORMABLE_YOUNG,
  SLIPI_DEFORMABLE_POISSON,
  SLIPI_DEFORMABLE_DAMPING,
  SLIPI_DEFORMABLE_PLANE,
  SLIPI_DEFORMABLE_HOLD,
  SLIPI_DEFORMABLE_LOADS,
  SLIPI_DEFORMABLE_KEYS
};
enum { SLIPI_HOLD_AT, SLIPI_HOLD_AXES, SLIPI_HOLD_VELOCITY, SLIPI_HOLD_SINE, SLIPI_HOLD_KEYS };
enum {
  SLIPI_LOAD_AT,
  SLIPI_LOAD_FORCE,
  SLIPI_LOAD_TRACTION,
  SLIPI_LOAD_PRESSURE,
  SLIPI_LOAD_FROM,
  SLIPI_LOAD_FULL,
  SLIPI_LOAD_UNTIL,
  SLIPI_LOAD_KEYS
};
enum { SLIPI_ROUND_RADIUS, SLIPI_ROUND_LENGTH, SLIPI_ROUND_KEYS };
enum {
  SLIPI_ROTATION_AXIS,
  SLIPI_ROTATION_DEGREES,
  SLIPI_ROTATION_QUATERNION,
  SLIPI_ROTATION_KEYS
};
enum {
  SLIPI_MOVES_VELOCITY,
  SLIPI_MOVES_SPIN,
  SLIPI_MOVES_SINE,
  SLIPI_MOVES_FROM,
  SLIPI_MOVES_KEYS
};
enum { SLIPI_SINE_AXIS, SLIPI_SINE_AMPLITUDE, SLIPI_SINE_FREQUENCY, SLIPI_SINE_KEYS };
enum {
  SLIPI_MANY_GRID,
  SLIPI_MANY_RANDOM,
  SLIPI_MANY_STACK,
  SLIPI_MANY_WALL,
  SLIPI_MANY_ARCH,
  SLIPI_MANY_ALONG,
  SLIPI_MANY_SPACING, /* the arrangements stand before it */
  SLIPI_MANY_JITTER,
  SLIPI_MANY_SEED,
  SLIPI_MANY_REGION,
  SLIPI_MANY_TURNED,
  SLIPI_MANY_TURN,
  SLIPI_MANY_GAP,
  SLIPI_MANY_RADIUS,
  SLIPI_MANY_THICKNESS,
  SLIPI_MANY_DEPTH,
  SLIPI_MANY_DEGREES,
  SLIPI_MANY_TO,
  SLIPI_MANY_AXIS,
  SLIPI_MANY_MASSES,
  SLIPI_MANY_ROTATION,
  SLIPI_MANY_KEYS
};
enum {
  SLIPI_JOINT_BALL,
  SLIPI_JOINT_HINGE,
  SLIPI_JOINT_SLIDER,
  SLIPI_JOINT_FIXED,
  SLIPI_JOINT_DISTANCE,
  SLIPI_JOINT_NAME, /* the kinds of joints stand before it, in the order of SlipJointKind */
  SLIPI_JOINT_AT,
  SLIPI_JOINT_OTHER,
  SLIPI_JOINT_AXIS,
  SLIPI_JOINT_LIMITS,
  SLIPI_JOINT_MOTOR,
  SLIPI_JOINT_COLLIDE,
  SLIPI_JOINT_KEYS
};
enum { SLIPI_MOTOR_SPEED, SLIPI_MOTOR_EFFORT, SLIPI_MOTOR_KEYS };
enum {
  SLIPI_FORCE_ON,
  SLIPI_FORCE_FORCE,
  SLIPI_FORCE_TORQUE,
  SLIPI_FORCE_FROM,
  SLIPI_FORCE_UNTIL,
  SLIPI_FORCE_KEYS
};

extern const SlipiBlock slipi_block_scene, slipi_block_time, slipi_block_solver,
    slipi_block_collision, slipi_block_record, slipi_block_material, slipi_block_contact,
    slipi_block_body, slipi_block_shape, slipi_block_round, slipi_block_rotation, slipi_block_moves,
    slipi_block_sine, slipi_block_many, slipi_block_joint, slipi_block_motor, slipi_block_force,
    slipi_block_deformable, slipi_block_hold, slipi_block_load;

/* All blocks, up to NULL, in the order of the reference. */
extern const SlipiBlock *const slipi_blocks[];

/* "a number above 0", "3 numbers from 0 to 1", "one of explicit, implicit": what a key expects in
 * scenes of that dimension (0: of either). */
const char *slipi_key_expects(const SlipiKey *key, int32_t dimension, char *text, size_t size);

#endif
