/* A scene by the Open Dynamics Engine: ode_run quick|step, with the scene on standard input as
 * child.mjs writes it. Writes doubles to standard output: milliseconds of processor time a step,
 * then the frames (13 numbers a body: position, rotation x y z w, velocity, spin). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ode/ode.h>

enum { POINTS = 16 }; /* contact points of a pair, at most */

typedef struct {
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
  double restitution, *friction; /* by number of body, which a geometry has as its data */
  dBodyID *free;
  int free_count;
} Engine;

static void read_numbers(double *values, int count) {
  for (int k = 0; k < count; k++)
    if (scanf("%lf", values + k) != 1) {
      fputs("ode_run: the scene ends too early\n", stderr);
      exit(2);
    }
}

static int read_whole(void) {
  double value;
  read_numbers(&value, 1);
  return (int)value;
}

static double *read_array(int count) {
  double *values = malloc(sizeof(double) * (size_t)(count + 1));
  if (!values)
    exit(3);
  read_numbers(values, count);
  return values;
}

/* Arrays of a hull belong to the geometry, which lives as long as the program. */
static dGeomID read_hull(dSpaceID space, int points) {
  double *vertices = read_array(3 * points);
  int planes = read_whole(), used = 0;
  double *sides = read_array(4 * planes);
  unsigned *faces = malloc(sizeof(unsigned) * (size_t)(planes * (points + 1) + 1));
  if (!faces)
    exit(3);
  for (int k = 0; k < planes; k++) {
    int corners = read_whole();
    faces[used++] = (unsigned)corners;
    while (corners-- > 0)
      faces[used++] = (unsigned)read_whole();
  }
  return dCreateConvex(space, sides, (unsigned)planes, vertices, (unsigned)points, faces);
}

static void add_body(Engine *engine, dGeomID geom, const double *at, const double *mass) {
  const double *q = at + 3, *v = at + 7, *w = at + 10;
  const dQuaternion turned = {q[3], q[0], q[1], q[2]};
  dBodyID body = dBodyCreate(engine->world);
  dMass m;
  dMassSetParameters(&m, mass[0], 0, 0, 0, mass[1], mass[2], mass[3], 0, 0, 0);
  dBodySetMass(body, &m);
  dGeomSetBody(geom, body);
  dBodySetPosition(body, at[0], at[1], at[2]);
  dBodySetQuaternion(body, turned);
  dBodySetLinearVel(body, v[0], v[1], v[2]);
  dBodySetAngularVel(body, w[0], w[1], w[2]);
  dBodySetAutoDisableFlag(body, 0);
  engine->free[engine->free_count++] = body;
}

static void read_body(Engine *engine, int number) {
  int fixed = read_whole();
  char shape[16];
  double size[3], at[13], mass[4];
  if (scanf("%15s", shape) != 1)
    exit(2);
  read_numbers(size, 3);
  read_numbers(at, 13);
  read_numbers(mass, 4);
  read_numbers(engine->friction + number, 1);
  dGeomID geom;
  if (strcmp(shape, "box") == 0)
    geom = dCreateBox(engine->space, 2 * size[0], 2 * size[1], 2 * size[2]);
  else if (strcmp(shape, "sphere") == 0)
    geom = dCreateSphere(engine->space, size[0]);
  else
    geom = read_hull(engine->space, (int)size[0]);
  dGeomSetData(geom, (void *)(size_t)number);
  if (!fixed) {
    add_body(engine, geom, at, mass);
    return;
  }
  const dQuaternion turned = {at[6], at[3], at[4], at[5]};
  dGeomSetPosition(geom, at[0], at[1], at[2]);
  dGeomSetQuaternion(geom, turned);
}

static void touch(void *data, dGeomID a, dGeomID b) {
  Engine *engine = data;
  dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
  dContact points[POINTS];
  if (!first && !second)
    return;
  double fa = engine->friction[(size_t)dGeomGetData(a)];
  double fb = engine->friction[(size_t)dGeomGetData(b)];
  int count = dCollide(a, b, POINTS, &points[0].geom, sizeof points[0]);
  for (int k = 0; k < count; k++) {
    dSurfaceParameters *surface = &points[k].surface;
    memset(surface, 0, sizeof *surface);
    surface->mode = dContactApprox1; /* friction in proportion to the normal force */
    surface->mu = fa < fb ? fa : fb;
    if (engine->restitution > 0) {
      surface->mode |= dContactBounce;
      surface->bounce = engine->restitution;
      surface->bounce_vel = 1e-4;
    }
    dJointAttach(dJointCreateContact(engine->world, engine->contacts, points + k), first, second);
  }
}

static void write_frame(const Engine *engine, FILE *out) {
  for (int k = 0; k < engine->free_count; k++) {
    dBodyID body = engine->free[k];
    const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    const double row[13] = {p[0], p[1], p[2], q[1], q[2], q[3], q[0],
                            v[0], v[1], v[2], w[0], w[1], w[2]};
    fwrite(row, sizeof row, 1, out);
  }
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static double step(Engine *engine, int quick, double h) {
  double begun = milliseconds();
  dSpaceCollide(engine->space, engine, touch);
  if (quick)
    dWorldQuickStep(engine->world, h);
  else
    dWorldStep(engine->world, h);
  dJointGroupEmpty(engine->contacts);
  return milliseconds() - begun;
}

int main(int argc, char **argv) {
  Engine engine = {0};
  double head[5], spent = 0; /* gravity, step, restitution */
  if (argc != 2) {
    fputs("usage: ode_run quick|step < SCENE\n", stderr);
    return 2;
  }
  read_numbers(head, 5);
  int steps = read_whole(), every = read_whole(), bodies = read_whole();
  dInitODE2(0);
  engine.world = dWorldCreate();
  engine.space = dHashSpaceCreate(0);
  engine.contacts = dJointGroupCreate(0);
  engine.restitution = head[4];
  engine.friction = calloc((size_t)bodies, sizeof(double));
  engine.free = calloc((size_t)bodies, sizeof(dBodyID));
  FILE *frames = tmpfile(); /* the time, which comes first, is known at the end */
  if (!engine.friction || !engine.free || !frames)
    return 3;
  dWorldSetGravity(engine.world, head[0], head[1], head[2]);
  dRandSetSeed(0);
  for (int k = 0; k < bodies; k++)
    read_body(&engine, k);
  write_frame(&engine, frames);
  for (int k = 1; k <= steps; k++) {
    spent += step(&engine, strcmp(argv[1], "quick") == 0, head[3]);
    if (k % every == 0)
      write_frame(&engine, frames);
  }
  spent /= steps;
  fwrite(&spent, sizeof spent, 1, stdout);
  rewind(frames);
  for (int c = fgetc(frames); c != EOF; c = fgetc(frames))
    putchar(c);
  return 0;
}
