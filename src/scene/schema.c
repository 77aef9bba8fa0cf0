#include "scene/schema.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/phrase.h"

#define KEYS(table) table, (int32_t)(sizeof table / sizeof table[0])
#define FROM(least, most)                                                                          \
  { least, most, false }
#define ANY                                                                                        \
  { -DBL_MAX, DBL_MAX, false }
#define POSITIVE                                                                                   \
  { 0, DBL_MAX, true }
#define NOT_NEGATIVE                                                                               \
  { 0, DBL_MAX, false }
#define WITH(arrangement) (1u << SLIPI_MANY_##arrangement)

enum { MOST_BODIES = 10000000 }; /* of one arrangement */

static const SlipiKey scene_keys[SLIPI_SCENE_KEYS] = {
    [SLIPI_SCENE_VERSION] = {"slipcone", SLIPI_KEY_WHOLE, true, FROM(1, 1),
                             .help = "version of this format"},
    [SLIPI_SCENE_TITLE] = {"title", SLIPI_KEY_TEXT, .help = "one line"},
    [SLIPI_SCENE_DESCRIPTION] = {"description", SLIPI_KEY_TEXT, .help = "as long as needed"},
    [SLIPI_SCENE_DIMENSION] = {"dimension", SLIPI_KEY_WHOLE, false, FROM(2, 3), .initial = "3",
                               .help = "2 or 3"},
    [SLIPI_SCENE_LET] = {"let", SLIPI_KEY_BLOCK,
                         .help = "named values, each an expression over those before it"},
    [SLIPI_SCENE_GRAVITY] = {"gravity", SLIPI_KEY_VECTOR, false, ANY, "m/s²",
                             .help = "acceleration of free fall"},
    [SLIPI_SCENE_TIME] = {"time", SLIPI_KEY_BLOCK, true, .of = "time", .help = "time step and end"},
    [SLIPI_SCENE_SOLVER] = {"solver", SLIPI_KEY_BLOCK, .of = "solver",
                            .help = "method and options of the contact solver"},
    [SLIPI_SCENE_COLLISION] = {"collision", SLIPI_KEY_BLOCK, .of = "collision",
                               .help = "tolerances of collision detection"},
    [SLIPI_SCENE_MATERIALS] = {"materials", SLIPI_KEY_BLOCK, .of = "material",
                               .help = "a mapping from names to materials"},
    [SLIPI_SCENE_CONTACTS] = {"contacts", SLIPI_KEY_LIST, .of = "contact",
                              .help = "rules for contacts, of which the first that matches counts"},
    [SLIPI_SCENE_BODIES] = {"bodies", SLIPI_KEY_LIST, true, .of = "body",
                            .help = "bodies and obstacles"},
    [SLIPI_SCENE_JOINTS] = {"joints", SLIPI_KEY_LIST, .of = "joint", .help = "joints"},
    [SLIPI_SCENE_FORCES] = {"forces", SLIPI_KEY_LIST, .of = "force", .help = "forces on bodies"},
    [SLIPI_SCENE_RECORD] = {"record", SLIPI_KEY_BLOCK, .of = "record",
                            .help = "contents of the trajectory"},
};

static const char *const gyroscopic_words[] = {"explicit", "implicit", NULL};

static const char *const inertia_words[] = {"full", "none", "none-gap", NULL};

static const SlipiKey time_keys[SLIPI_TIME_KEYS] = {
    [SLIPI_TIME_STEP] = {"step", SLIPI_KEY_REAL, true, POSITIVE, "s", .help = "time step"},
    [SLIPI_TIME_END] = {"end", SLIPI_KEY_REAL, true, POSITIVE, "s",
                        .help = "end of the simulation, a multiple of the step"},
    [SLIPI_TIME_THETA] = {"theta", SLIPI_KEY_REAL, false, FROM(0.5, 1), .initial = "0.5",
                          .help = "θ of the time stepping: ½ keeps energy, 1 damps"},
    [SLIPI_TIME_GYROSCOPIC] = {"gyroscopic", SLIPI_KEY_WORD, .initial = "explicit",
                               .choices = gyroscopic_words, .help = "how gyroscopic terms enter"},
    [SLIPI_TIME_INERTIA] = {"inertia", SLIPI_KEY_WORD, .initial = "full", .choices = inertia_words,
                            .help = "of deformable bodies: `none` and `none-gap` are quasi-static, "
                                    "contacts by velocities or by gaps"},
};

static const char *const failure_words[] = {"stop", "warn", "halve", NULL};

static const SlipiKey solver_keys[SLIPI_SOLVER_KEYS] = {
    [SLIPI_SOLVER_METHOD] = {"method", SLIPI_KEY_TEXT, .initial = "auto",
                             .help = "a method of `slipcone list`; all its options may stand "
                                     "beside this key, by their names: `tol`, `max-iter`, …"},
    [SLIPI_SOLVER_ON_FAILURE] = {"on_failure", SLIPI_KEY_WORD, .initial = "stop",
                                 .choices = failure_words,
                                 .help = "policy for a step that is not solved"},
};

static const SlipiKey collision_keys[SLIPI_COLLISION_KEYS] = {
    [SLIPI_COLLISION_PENETRATION] = {"penetration", SLIPI_KEY_REAL, false, FROM(0, 1),
                                     .initial = "1e-6",
                                     .help = "share of the smaller shape's size beyond which "
                                             "penetration is projected out"},
    [SLIPI_COLLISION_REACH] = {"reach", SLIPI_KEY_REAL, false, FROM(0, 10), .initial = "0.01",
                               .help = "share of the smaller shape's size within which pairs are "
                                       "looked at"},
};

static const SlipiKey record_keys[SLIPI_RECORD_KEYS] = {
    [SLIPI_RECORD_EVERY] = {"every", SLIPI_KEY_WHOLE, false, FROM(1, 1e15), .initial = "1",
                            .help = "steps between two records"},
    [SLIPI_RECORD_CONTACTS] = {"contacts", SLIPI_KEY_SWITCH, .initial = "true",
                               .help = "whether contacts are recorded"},
};

static const SlipiKey material_keys[SLIPI_MATERIAL_KEYS] = {
    [SLIPI_MATERIAL_DENSITY] = {"density", SLIPI_KEY_REAL, false, POSITIVE, "kg/m³ (2D: kg/m²)",
                                .initial = "1000", .help = "mass of a unit of volume"},
};

static const char *const law_words[] = {"coulomb", "frictionless", "cohesive",
                                        "rounded", "capped",       NULL};
static const char *const flow_words[] = {"coulomb", "associated", NULL};

static const SlipiKey contact_keys[SLIPI_CONTACT_KEYS] = {
    [SLIPI_CONTACT_BETWEEN] = {"between", SLIPI_KEY_PAIR,
                               .help = "two materials in any order, `any` for all; without it the "
                                       "rule matches every contact"},
    [SLIPI_CONTACT_FRICTION] =
        {"friction", SLIPI_KEY_REAL, false, NOT_NEGATIVE,
         .help = "coefficient μ; must be given unless the law is `frictionless`"},
    [SLIPI_CONTACT_RESTITUTION] = {"restitution", SLIPI_KEY_REAL, false, FROM(0, 1), .initial = "0",
                                   .help = "Newton's e: the share of the speed that returns"},
    [SLIPI_CONTACT_LAW] = {"law", SLIPI_KEY_WORD, .initial = "coulomb", .choices = law_words,
                           .help = "law of contact"},
    [SLIPI_CONTACT_FLOW] = {"flow", SLIPI_KEY_WORD, .initial = "coulomb", .choices = flow_words,
                            .help = "sliding along the plane of contact, or normal to the cone"},
    [SLIPI_CONTACT_COHESION] = {"cohesion", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "N",
                                .help = "the pull that a contact holds; of the law `cohesive`"},
    [SLIPI_CONTACT_BALL] = {"ball", SLIPI_KEY_AXIAL, false, NOT_NEGATIVE, "N",
                            .help = "half-axes of the ball that rounds the cone; of the laws "
                                    "`rounded` and `capped`"},
    [SLIPI_CONTACT_CAP] = {"cap", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "N",
                           .help =
                               "the push under which a contact is crushed; of the law `capped`"},
    [SLIPI_CONTACT_BREAKS_AT] = {"breaks_at", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "m",
                                 .help = "a contact that was drawn out by more pulls no longer; "
                                         "without it, as long as the shapes are near"},
    [SLIPI_CONTACT_STIFFNESS] = {"stiffness", SLIPI_KEY_AXIAL, false, POSITIVE, "N/m",
                                 .help = "of the springs in a contact that gives way; without it "
                                         "contacts are rigid"},
    [SLIPI_CONTACT_DAMPING_TIME] = {"damping_time", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "s",
                                    .initial = "0",
                                    .help = "times the stiffness: dampers beside the springs"},
    [SLIPI_CONTACT_STIFFNESS_MATRIX] = {"stiffness_matrix", SLIPI_KEY_ROWS, false, ANY, "N/m",
                                        .help = "springs that couple normal and tangents, in place "
                                                "of `stiffness`: symmetric, positive definite"},
    [SLIPI_CONTACT_DAMPING_MATRIX] = {"damping_matrix", SLIPI_KEY_ROWS, false, ANY, "N s/m",
                                      .help = "dampers beside these springs: symmetric, positive "
                                              "semidefinite"},
    [SLIPI_CONTACT_ROLLING] = {"rolling", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "m", .initial = "0",
                               .help = "resistance to rolling: the largest moment, divided by the "
                                       "normal force"},
    [SLIPI_CONTACT_SPINNING] = {"spinning", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "m",
                                .initial = "0", .help = "the same about the normal, in 3D"},
};

static const SlipiKey body_keys[SLIPI_BODY_KEYS] = {
    [SLIPI_BODY_NAME] = {"name", SLIPI_KEY_NAME,
                         .help = "unique; `bodyN` without, N its place in the list from 0"},
    [SLIPI_BODY_MATERIAL] = {"material", SLIPI_KEY_NAME,
                             .help = "of its shapes; without one the density is 1000"},
    [SLIPI_BODY_SHAPE] = {"shape", SLIPI_KEY_BLOCK, .of = "shape",
                          .help = "form; not given with `arch`"},
    [SLIPI_BODY_POSITION] = {"position", SLIPI_KEY_VECTOR, false, ANY, "m",
                             .help = "of the frame in which its shapes are given"},
    [SLIPI_BODY_ROTATION] = {"rotation", SLIPI_KEY_BLOCK, .of = "rotation",
                             .help = "of that frame"},
    [SLIPI_BODY_VELOCITY] = {"velocity", SLIPI_KEY_VECTOR, false, ANY, "m/s",
                             .help = "of the frame's origin, at the start"},
    [SLIPI_BODY_SPIN] = {"spin", SLIPI_KEY_TURNING, false, ANY, "rad/s",
                         .help = "angular velocity in world axes, at the start"},
    [SLIPI_BODY_MASS] = {"mass", SLIPI_KEY_REAL, false, POSITIVE, "kg",
                         .help = "instead of the density's"},
    [SLIPI_BODY_INERTIA] = {"inertia", SLIPI_KEY_TURNING, false, POSITIVE, "kg m²",
                            .help = "principal moments along the frame's axes about the centre of "
                                    "mass, which then is the frame's origin; needs `mass`"},
    [SLIPI_BODY_FIXED] = {"fixed", SLIPI_KEY_SWITCH, .initial = "false",
                          .help = "an obstacle at rest"},
    [SLIPI_BODY_MOVES] = {"moves", SLIPI_KEY_BLOCK, .of = "moves",
                          .help = "an obstacle that moves as told"},
    [SLIPI_BODY_MANY] = {"many", SLIPI_KEY_BLOCK, .of = "many",
                         .help = "many bodies of this kind, named `name/0`, `name/1`, …"},
    [SLIPI_BODY_DEFORMABLE] = {"deformable", SLIPI_KEY_BLOCK, .of = "deformable",
                               .help = "an elastic body, instead of a shape"},
};

static const SlipiKey shape_keys[SLIPI_SHAPE_KEYS] = {
    [SLIPI_SHAPE_SPHERE] = {"sphere", SLIPI_KEY_REAL, false, POSITIVE, "m", .dimension = 3,
                            .help = "radius"},
    [SLIPI_SHAPE_BOX] = {"box", SLIPI_KEY_VECTOR, false, POSITIVE, "m",
                         .help = "edges; in 2D a rectangle"},
    [SLIPI_SHAPE_CAPSULE] = {"capsule", SLIPI_KEY_BLOCK, .of = "round", .dimension = 3,
                             .help = "a cylinder along z with half a sphere at both ends"},
    [SLIPI_SHAPE_CYLINDER] = {"cylinder", SLIPI_KEY_BLOCK, .of = "round", .dimension = 3,
                              .help = "along z"},
    [SLIPI_SHAPE_PLANE] = {"plane", SLIPI_KEY_VECTOR, false, ANY,
                           .help = "outward normal of the half-space below it, of any length; for "
                                   "obstacles"},
    [SLIPI_SHAPE_HULL] = {"hull", SLIPI_KEY_LIST, .dimension = 3,
                          .help = "points, of which the convex hull is taken"},
    [SLIPI_SHAPE_MESH] = {"mesh", SLIPI_KEY_TEXT, .dimension = 3,
                          .help = "file with triangles, STL or OBJ, beside the scene; for "
                                  "obstacles"},
    [SLIPI_SHAPE_DISC] = {"disc", SLIPI_KEY_REAL, false, POSITIVE, "m", .dimension = 2,
                          .help = "radius"},
    [SLIPI_SHAPE_POLYGON] = {"polygon", SLIPI_KEY_LIST, .dimension = 2,
                             .help = "points, of which the convex hull is taken"},
    [SLIPI_SHAPE_SEGMENT] = {"segment", SLIPI_KEY_LIST, .dimension = 2,
                             .help = "two points; for obstacles"},
    [SLIPI_SHAPE_COMPOUND] = {"compound", SLIPI_KEY_LIST, .of = "shape",
                              .help = "several shapes that move as one"},
    [SLIPI_SHAPE_POSITION] = {"position", SLIPI_KEY_VECTOR, false, ANY, "m",
                              .help = "in the frame of the body, or of the compound"},
    [SLIPI_SHAPE_ROTATION] = {"rotation", SLIPI_KEY_BLOCK, .of = "rotation",
                              .help = "in that frame"},
    [SLIPI_SHAPE_MATERIAL] = {"material", SLIPI_KEY_NAME, .help = "instead of the body's"},
    [SLIPI_SHAPE_MANY] = {"many", SLIPI_KEY_BLOCK, .of = "many",
                          .help = "many shapes of this kind in one body"},
};

static const char *const element_words[] = {"t3", "q4", "t4", "t10", "h8", NULL};
static const char *const plane_words[] = {"strain", "stress", NULL};

static const SlipiKey deformable_keys[SLIPI_DEFORMABLE_KEYS] = {
    [SLIPI_DEFORMABLE_BOX] = {"box", SLIPI_KEY_VECTOR, false, POSITIVE, "m",
                              .help = "edges; its centre is the frame's origin"},
    [SLIPI_DEFORMABLE_CYLINDER] = {"cylinder", SLIPI_KEY_BLOCK, .of = "round", .dimension = 3,
                                   .help = "along z"},
    [SLIPI_DEFORMABLE_BALL] = {"ball", SLIPI_KEY_REAL, false, POSITIVE, "m",
                               .help = "radius; a disc in 2D"},
    [SLIPI_DEFORMABLE_MESH] = {"mesh", SLIPI_KEY_TEXT,
                               .help = "file .msh of Gmsh (4.1, text), beside the scene; its "
                                       "physical groups can be held and loaded"},
    [SLIPI_DEFORMABLE_CELLS] = {"cells", SLIPI_KEY_COUNTS, false, FROM(1, 10000),
                                .help =
                                    "of a box along each axis, of a cylinder across (the first) "
                                    "and along (the last), of a ball across (the first)"},
    [SLIPI_DEFORMABLE_ELEMENT] = {"element", SLIPI_KEY_WORD, .initial = "h8",
                                  .choices = element_words,
                                  .help = "of a mesh that is made here; `q4` without it in 2D"},
    [SLIPI_DEFORMABLE_YOUNG] = {"young", SLIPI_KEY_REAL, true, POSITIVE, "Pa",
                                .help = "Young's modulus"},
    [SLIPI_DEFORMABLE_POISSON] =
        {"poisson", SLIPI_KEY_REAL, true, {-1, 0.4999999, true}, .help = "Poisson's ratio"},
    [SLIPI_DEFORMABLE_DAMPING] = {"damping", SLIPI_KEY_NUMBERS, false, NOT_NEGATIVE, "1/s, s",
                                  .count = 2, .help = "Rayleigh's: of the mass, of the stiffness"},
    [SLIPI_DEFORMABLE_PLANE] = {"plane", SLIPI_KEY_WORD, .initial = "strain",
                                .choices = plane_words, .dimension = 2,
                                .help = "plane strain or stress; the thickness is 1"},
    [SLIPI_DEFORMABLE_HOLD] = {"hold", SLIPI_KEY_LIST, .of = "hold",
                               .help = "nodes that are held, or move as told"},
    [SLIPI_DEFORMABLE_LOADS] = {"loads", SLIPI_KEY_LIST, .of = "load", .help = "forces on nodes"},
};

#define NODES_AT                                                                                   \
  "nodes: `all`, `surface`, `xmin`, `xmax`, …, of the mesh in its frame, or a physical group"

static const SlipiKey hold_keys[SLIPI_HOLD_KEYS] = {
    [SLIPI_HOLD_AT] = {"at", SLIPI_KEY_TEXT, true, .help = NODES_AT},
    [SLIPI_HOLD_AXES] = {"axes", SLIPI_KEY_TEXT, .initial = "xyz",
                         .help = "of the body's frame, along which they are held"},
    [SLIPI_HOLD_VELOCITY] = {"velocity", SLIPI_KEY_VECTOR, false, ANY, "m/s",
                             .help = "with which they move, world axes"},
    [SLIPI_HOLD_SINE] = {"sine", SLIPI_KEY_BLOCK, .of = "sine", .help = "to and fro on top"},
};

static const SlipiKey load_keys[SLIPI_LOAD_KEYS] = {
    [SLIPI_LOAD_AT] = {"at", SLIPI_KEY_TEXT, true, .help = NODES_AT},
    [SLIPI_LOAD_FORCE] = {"force", SLIPI_KEY_VECTOR, false, ANY, "N",
                          .help = "on each node, world axes"},
    [SLIPI_LOAD_TRACTION] = {"traction", SLIPI_KEY_VECTOR, false, ANY, "Pa",
                             .help = "on the faces of these nodes, world axes"},
    [SLIPI_LOAD_PRESSURE] = {"pressure", SLIPI_KEY_REAL, false, ANY, "Pa", .initial = "0",
                             .help = "against the faces' outward normal at the start"},
    [SLIPI_LOAD_FROM] = {"from", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "s", .initial = "0",
                         .help = "when it begins"},
    [SLIPI_LOAD_FULL] = {"full", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "s", .initial = "0",
                         .help = "when it has grown to its full size, from 0 on"},
    [SLIPI_LOAD_UNTIL] = {"until",
                          SLIPI_KEY_REAL,
                          false,
                          {0, INFINITY, false},
                          "s",
                          .initial = "inf",
                          .help = "when it ends"},
};

static const SlipiKey round_keys[SLIPI_ROUND_KEYS] = {
    [SLIPI_ROUND_RADIUS] = {"radius", SLIPI_KEY_REAL, true, POSITIVE, "m", .help = "radius"},
    [SLIPI_ROUND_LENGTH] = {"length", SLIPI_KEY_REAL, true, POSITIVE, "m",
                            .help = "of the cylindrical part"},
};

static const SlipiKey rotation_keys[SLIPI_ROTATION_KEYS] = {
    [SLIPI_ROTATION_AXIS] = {"axis", SLIPI_KEY_VECTOR, false, ANY, .dimension = 3,
                             .help = "of any length; z in 2D"},
    [SLIPI_ROTATION_DEGREES] = {"degrees", SLIPI_KEY_REAL, false, ANY, "°",
                                .help = "angle about the axis"},
    [SLIPI_ROTATION_QUATERNION] = {"quaternion", SLIPI_KEY_NUMBERS, false, ANY, .count = 4,
                                   .dimension = 3,
                                   .help = "w, x, y, z, of any length, instead of axis and angle"},
};

static const SlipiKey moves_keys[SLIPI_MOVES_KEYS] = {
    [SLIPI_MOVES_VELOCITY] = {"velocity", SLIPI_KEY_VECTOR, false, ANY, "m/s",
                              .help = "constant velocity of the frame's origin"},
    [SLIPI_MOVES_SPIN] = {"spin", SLIPI_KEY_TURNING, false, ANY, "rad/s",
                          .help = "constant angular velocity about it"},
    [SLIPI_MOVES_SINE] = {"sine", SLIPI_KEY_BLOCK, .of = "sine", .help = "to and fro on top"},
    [SLIPI_MOVES_FROM] = {"from", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "s", .initial = "0",
                          .help = "when it begins to move"},
};

static const SlipiKey sine_keys[SLIPI_SINE_KEYS] = {
    [SLIPI_SINE_AXIS] = {"axis", SLIPI_KEY_VECTOR, true, ANY, .help = "direction, of any length"},
    [SLIPI_SINE_AMPLITUDE] = {"amplitude", SLIPI_KEY_REAL, true, NOT_NEGATIVE, "m",
                              .help = "largest displacement"},
    [SLIPI_SINE_FREQUENCY] = {"frequency", SLIPI_KEY_REAL, true, POSITIVE, "Hz",
                              .help = "displacement amplitude · sin(2π frequency t)"},
};

static const SlipiKey many_keys[SLIPI_MANY_KEYS] = {
    [SLIPI_MANY_GRID] = {"grid", SLIPI_KEY_COUNTS, false, FROM(1, MOST_BODIES),
                         .help = "so many along +x, +y, +z; x runs fastest"},
    [SLIPI_MANY_RANDOM] = {"random", SLIPI_KEY_WHOLE, false, FROM(1, MOST_BODIES),
                           .help = "so many at random in a region, without overlap of their "
                                   "bounding spheres"},
    [SLIPI_MANY_STACK] = {"stack", SLIPI_KEY_WHOLE, false, FROM(1, MOST_BODIES),
                          .help = "so many on top of each other, along +z (2D: +y)"},
    [SLIPI_MANY_WALL] = {"wall", SLIPI_KEY_NUMBERS, false, FROM(1, MOST_BODIES), .count = 2,
                         .help = "boxes in running bond: bricks along x, courses; odd courses are "
                                 "shifted by half a brick and end in half ones"},
    [SLIPI_MANY_ARCH] = {"arch", SLIPI_KEY_WHOLE, false, FROM(1, MOST_BODIES),
                         .help = "so many equal voussoirs; the arch stands in the x–z plane (2D: "
                                 "x–y), symmetric, its centre at the position"},
    [SLIPI_MANY_ALONG] = {"along", SLIPI_KEY_WHOLE, false, FROM(1, MOST_BODIES),
                          .help = "so many along a line (`to`) or a circle (`radius`)"},
    [SLIPI_MANY_SPACING] = {"spacing", SLIPI_KEY_SPACING, false, POSITIVE, "m",
                            .with = WITH(GRID) | WITH(STACK),
                            .help = "between neighbours of a grid (must be given), or of a stack "
                                    "(the height of the shape)"},
    [SLIPI_MANY_JITTER] = {"jitter", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "m", .initial = "0",
                           .with = WITH(GRID) | WITH(STACK) | WITH(ALONG),
                           .help = "largest random displacement along each axis"},
    [SLIPI_MANY_SEED] = {"seed", SLIPI_KEY_WHOLE, false, FROM(0, 9007199254740992.0),
                         .initial = "1",
                         .with = WITH(GRID) | WITH(STACK) | WITH(ALONG) | WITH(RANDOM),
                         .help = "of the random numbers"},
    [SLIPI_MANY_REGION] = {"region", SLIPI_KEY_LIST, .with = WITH(RANDOM),
                           .help = "two opposite corners of the box that holds the bodies whole, "
                                   "from the position; must be given"},
    [SLIPI_MANY_TURNED] = {"turned", SLIPI_KEY_SWITCH, .initial = "false", .with = WITH(RANDOM),
                           .help = "whether each has a random rotation"},
    [SLIPI_MANY_TURN] = {"turn", SLIPI_KEY_REAL, false, ANY, "°", .initial = "0",
                         .with = WITH(STACK) | WITH(ALONG),
                         .help = "each is turned by so much more than the one before, about z"},
    [SLIPI_MANY_GAP] = {"gap", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "m", .initial = "0",
                        .with = WITH(WALL), .help = "between bricks"},
    [SLIPI_MANY_RADIUS] = {"radius", SLIPI_KEY_REAL, false, POSITIVE, "m",
                           .with = WITH(ARCH) | WITH(ALONG),
                           .help =
                               "of the middle line of an arch (must be given), or of the circle"},
    [SLIPI_MANY_THICKNESS] = {"thickness", SLIPI_KEY_REAL, false, POSITIVE, "m", .with = WITH(ARCH),
                              .help = "across the arch; must be given"},
    [SLIPI_MANY_DEPTH] = {"depth", SLIPI_KEY_REAL, false, POSITIVE, "m", .initial = "1",
                          .with = WITH(ARCH), .dimension = 3, .help = "along y"},
    [SLIPI_MANY_DEGREES] = {"degrees",
                            SLIPI_KEY_REAL,
                            false,
                            {0, 360, true},
                            "°",
                            .with = WITH(ARCH) | WITH(ALONG),
                            .help = "of the arch (180), or of the circle (360), which a last one "
                                    "ends where it is not full"},
    [SLIPI_MANY_TO] = {"to", SLIPI_KEY_VECTOR, false, ANY, "m", .with = WITH(ALONG),
                       .help = "where the last one stands; the first is at the position"},
    [SLIPI_MANY_AXIS] = {"axis", SLIPI_KEY_VECTOR, false, ANY, .with = WITH(ALONG), .dimension = 3,
                         .help = "of the circle, z without; the first is on the side of +x (+y "
                                 "where the axis is x), and all are turned with it"},
    [SLIPI_MANY_MASSES] = {"masses", SLIPI_KEY_NUMBERS, false, POSITIVE, "kg", .count = 2,
                           .help = "of the first and the last body, each the same factor heavier "
                                   "than the one before"},
    [SLIPI_MANY_ROTATION] = {"rotation", SLIPI_KEY_BLOCK, .of = "rotation",
                             .help = "turns the arrangement as a whole about the position; the "
                                     "body's own rotation turns each in its place"},
};

static const SlipiKey joint_keys[SLIPI_JOINT_KEYS] = {
    [SLIPI_JOINT_BALL] = {"ball", SLIPI_KEY_PAIR,
                          .help = "two bodies with a point in common; here and below `world` may "
                                  "stand for the second"},
    [SLIPI_JOINT_HINGE] = {"hinge", SLIPI_KEY_PAIR,
                           .help = "two bodies with a point and an axis in common"},
    [SLIPI_JOINT_SLIDER] = {"slider", SLIPI_KEY_PAIR,
                            .help = "two bodies that move along an axis and do not turn"},
    [SLIPI_JOINT_FIXED] = {"fixed", SLIPI_KEY_PAIR, .help = "two bodies that move as one"},
    [SLIPI_JOINT_DISTANCE] = {"distance", SLIPI_KEY_PAIR,
                              .help = "two bodies with points that keep their distance"},
    [SLIPI_JOINT_NAME] = {"name", SLIPI_KEY_NAME, .help = "name"},
    [SLIPI_JOINT_AT] = {"at", SLIPI_KEY_VECTOR, false, ANY, "m",
                        .help = "the point in common, or of the first body, in world axes; must be "
                                "given but for `fixed`"},
    [SLIPI_JOINT_OTHER] = {"other", SLIPI_KEY_VECTOR, false, ANY, "m",
                           .help = "of a distance: the point of the second body"},
    [SLIPI_JOINT_AXIS] = {"axis", SLIPI_KEY_VECTOR, false, ANY,
                          .help = "of a slider, or of a hinge in 3D; of any length"},
    [SLIPI_JOINT_LIMITS] = {"limits", SLIPI_KEY_NUMBERS, false, ANY, "° (hinge), m (slider)",
                            .count = 2, .help = "least and most angle or travel from the start"},
    [SLIPI_JOINT_MOTOR] = {"motor", SLIPI_KEY_BLOCK, .of = "motor",
                           .help = "drives a hinge or slider"},
    [SLIPI_JOINT_COLLIDE] = {"collide", SLIPI_KEY_SWITCH, .initial = "false",
                             .help = "whether its two bodies may touch"},
};

static const SlipiKey motor_keys[SLIPI_MOTOR_KEYS] = {
    [SLIPI_MOTOR_SPEED] = {"speed", SLIPI_KEY_REAL, true, ANY, "rad/s (hinge), m/s (slider)",
                           .help = "speed it aims at"},
    [SLIPI_MOTOR_EFFORT] = {"effort", SLIPI_KEY_REAL, true, POSITIVE, "N m (hinge), N (slider)",
                            .help = "most it exerts"},
};

static const SlipiKey force_keys[SLIPI_FORCE_KEYS] = {
    [SLIPI_FORCE_ON] = {"on", SLIPI_KEY_TEXT, true, .help = "a body"},
    [SLIPI_FORCE_FORCE] = {"force", SLIPI_KEY_VECTOR, false, ANY, "N",
                           .help = "at the centre of mass, world axes"},
    [SLIPI_FORCE_TORQUE] = {"torque", SLIPI_KEY_TURNING, false, ANY, "N m", .help = "world axes"},
    [SLIPI_FORCE_FROM] = {"from", SLIPI_KEY_REAL, false, NOT_NEGATIVE, "s", .initial = "0",
                          .help = "when it begins"},
    [SLIPI_FORCE_UNTIL] = {"until",
                           SLIPI_KEY_REAL,
                           false,
                           {0, INFINITY, false},
                           "s",
                           .initial = "inf",
                           .help = "when it ends"},
};

const SlipiBlock slipi_block_scene = {"scene", "the document itself", KEYS(scene_keys)};
const SlipiBlock slipi_block_time = {"time", "", KEYS(time_keys)};
const SlipiBlock slipi_block_solver = {"solver", "", KEYS(solver_keys)};
const SlipiBlock slipi_block_collision = {"collision", "", KEYS(collision_keys)};
const SlipiBlock slipi_block_record = {"record", "", KEYS(record_keys)};
const SlipiBlock slipi_block_material = {"material", "each of `materials`", KEYS(material_keys)};
const SlipiBlock slipi_block_contact = {"contact", "each of `contacts`", KEYS(contact_keys)};
const SlipiBlock slipi_block_body = {"body", "each of `bodies`", KEYS(body_keys)};
const SlipiBlock slipi_block_shape = {
    "shape", "of a body, or a part of a compound: exactly one of the kinds up to `compound`",
    KEYS(shape_keys)};
const SlipiBlock slipi_block_deformable = {
    "deformable", "of a body: exactly one of the meshes up to `mesh`", KEYS(deformable_keys)};
const SlipiBlock slipi_block_hold = {"hold", "each of `hold`", KEYS(hold_keys)};
const SlipiBlock slipi_block_load = {"load", "each of `loads`", KEYS(load_keys)};
const SlipiBlock slipi_block_round = {"round", "of `capsule` and `cylinder`", KEYS(round_keys)};
const SlipiBlock slipi_block_rotation = {
    "rotation", "of a body, shape or arrangement: axis and angle, or a quaternion",
    KEYS(rotation_keys)};
const SlipiBlock slipi_block_moves = {"moves", "of an obstacle", KEYS(moves_keys)};
const SlipiBlock slipi_block_sine = {"sine", "of `moves`", KEYS(sine_keys)};
const SlipiBlock slipi_block_many = {
    "many", "of a body or shape: exactly one of the arrangements up to `along`", KEYS(many_keys)};
const SlipiBlock slipi_block_joint = {
    "joint", "each of `joints`: exactly one of the kinds up to `distance`", KEYS(joint_keys)};
const SlipiBlock slipi_block_motor = {"motor", "of a joint", KEYS(motor_keys)};
const SlipiBlock slipi_block_force = {"force", "each of `forces`", KEYS(force_keys)};

const SlipiBlock *const slipi_blocks[] = {
    &slipi_block_scene,      &slipi_block_time,     &slipi_block_solver,
    &slipi_block_collision,  &slipi_block_record,   &slipi_block_material,
    &slipi_block_contact,    &slipi_block_body,     &slipi_block_shape,
    &slipi_block_deformable, &slipi_block_hold,     &slipi_block_load,
    &slipi_block_round,      &slipi_block_rotation, &slipi_block_moves,
    &slipi_block_sine,       &slipi_block_many,     &slipi_block_joint,
    &slipi_block_motor,      &slipi_block_force,    NULL};

/* ---- Expected values ------------------------------------------------------------------------ */

/* " above 0", " from 0 to 1", " of at least 1", or nothing. */
static void add_range(SlipiPhrase *phrase, SlipiRange range) {
  char text[SLIPI_NUMBER_TEXT];
  bool below = range.least > -DBL_MAX, above = range.most < DBL_MAX;
  if (!below && !above)
    return;
  slipi_phrase_add(phrase, range.open ? " above " : above ? " from " : " of at least ");
  slipi_phrase_add(phrase, slipi_number_text(range.least, text));
  if (above) {
    slipi_phrase_add(phrase, range.open ? " up to " : " to ");
    slipi_phrase_add(phrase, slipi_number_text(range.most, text));
  }
}

static void add_words(SlipiPhrase *phrase, const char *const *words) {
  slipi_phrase_add(phrase, "one of ");
  for (int k = 0; words[k]; k++) {
    slipi_phrase_add(phrase, k > 0 ? ", " : "");
    slipi_phrase_add(phrase, words[k]);
  }
}

/* "3 numbers", "2 numbers", or "3 (2D: 2) numbers". */
static const char *vector_of(int32_t dimension, bool whole) {
  static const char *const words[2][4] = {
      {"3 (2D: 2) numbers", "", "2 numbers", "3 numbers"},
      {"3 (2D: 2) whole numbers", "", "2 whole numbers", "3 whole numbers"}};
  return words[whole][dimension];
}

static void add_numbers(SlipiPhrase *phrase, const SlipiKey *key, int32_t dimension) {
  char number[SLIPI_NUMBER_TEXT];
  static const char *const turning[] = {"3 numbers (2D: a number)", "", "a number", "3 numbers"};
  static const char *const rows_of[] = {"3 rows of 3 numbers (2D: 2 of 2)", "",
                                        "2 rows of 2 numbers", "3 rows of 3 numbers"};
  if (key->type == SLIPI_KEY_WHOLE && key->range.least == key->range.most) {
    slipi_phrase_add(phrase, slipi_number_text(key->range.least, number));
    return;
  }
  switch (key->type) {
  case SLIPI_KEY_WHOLE:
    slipi_phrase_add(phrase, "a whole number");
    break;
  case SLIPI_KEY_COUNTS:
    slipi_phrase_add(phrase, vector_of(dimension, true));
    break;
  case SLIPI_KEY_VECTOR:
    slipi_phrase_add(phrase, vector_of(dimension, false));
    break;
  case SLIPI_KEY_SPACING:
    slipi_phrase_add(phrase, "a number or ");
    slipi_phrase_add(phrase, vector_of(dimension, false));
    break;
  case SLIPI_KEY_TURNING:
    slipi_phrase_add(phrase, turning[dimension]);
    break;
  case SLIPI_KEY_AXIAL:
    slipi_phrase_add(phrase, "a number or two numbers (normal, tangential)");
    break;
  case SLIPI_KEY_ROWS:
    slipi_phrase_add(phrase, rows_of[dimension]);
    break;
  case SLIPI_KEY_NUMBERS:
    slipi_phrase_add_int(phrase, key->count);
    slipi_phrase_add(phrase, " numbers");
    break;
  default:
    slipi_phrase_add(phrase, "a number");
    break;
  }
  add_range(phrase, key->range);
}

const char *slipi_key_expects(const SlipiKey *key, int32_t dimension, char *text, size_t size) {
  SlipiPhrase phrase = {text, size, 0};
  text[0] = '\0';
  switch (key->type) {
  case SLIPI_KEY_SWITCH:
    slipi_phrase_add(&phrase, "true or false");
    break;
  case SLIPI_KEY_TEXT:
    slipi_phrase_add(&phrase, "a text");
    break;
  case SLIPI_KEY_NAME:
    slipi_phrase_add(&phrase, "a name");
    break;
  case SLIPI_KEY_PAIR:
    slipi_phrase_add(&phrase, "two names");
    break;
  case SLIPI_KEY_WORD:
    add_words(&phrase, key->choices);
    break;
  case SLIPI_KEY_BLOCK:
    slipi_phrase_add(&phrase, "a mapping");
    break;
  case SLIPI_KEY_LIST:
    slipi_phrase_add(&phrase, "a list");
    break;
  default:
    add_numbers(&phrase, key, dimension);
    break;
  }
  return text;
}
