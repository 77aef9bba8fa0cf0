// Bullet: sequential impulses. Friction and restitution of a pair are products, so that each body has
// the root of both.
import { createRequire } from 'node:module';
import { complete } from './scene.mjs';

let A;

/** The module is a "thenable" that resolves to itself for ever: its `then` has to go. */
function load() {
  const start = createRequire(import.meta.url)('ammojs-typed');
  return new Promise((resolve) =>
    start().then((made) => {
      delete made.then;
      A = made;
      resolve();
    }),
  );
}

function shapeOf(body) {
  if (body.shape === 'sphere') return new A.btSphereShape(body.radius);
  if (body.shape === 'box') {
    const box = new A.btBoxShape(new A.btVector3(...body.half));
    const least = Math.min(...body.half);
    if (least < 0.2) box.setMargin(Math.min(0.04, 0.1 * least));
    return box;
  }
  const hull = new A.btConvexHullShape();
  for (const point of body.points) hull.addPoint(new A.btVector3(...point));
  hull.setMargin(0.001);
  return hull;
}

function createBody(body, restitution) {
  const place = new A.btTransform();
  place.setIdentity();
  place.setOrigin(new A.btVector3(...body.position));
  place.setRotation(new A.btQuaternion(...body.rotation));
  const [mass, inertia] = body.fixed ? [0, [0, 0, 0]] : [body.mass, body.inertia];
  const state = new A.btDefaultMotionState(place);
  const rigid = new A.btRigidBody(
    new A.btRigidBodyConstructionInfo(mass, state, shapeOf(body), new A.btVector3(...inertia)),
  );
  const neverSleeps = 4;
  rigid.setFriction(Math.sqrt(body.friction));
  rigid.setRestitution(Math.sqrt(restitution));
  rigid.setActivationState(neverSleeps);
  if (!body.fixed) {
    rigid.setLinearVelocity(new A.btVector3(...body.velocity));
    rigid.setAngularVelocity(new A.btVector3(...body.spin));
  }
  return rigid;
}

export async function build(scene) {
  if (!A) await load();
  const settings = new A.btDefaultCollisionConfiguration();
  const world = new A.btDiscreteDynamicsWorld(
    new A.btCollisionDispatcher(settings),
    new A.btDbvtBroadphase(),
    new A.btSequentialImpulseConstraintSolver(),
    settings,
  );
  const free = [];
  world.setGravity(new A.btVector3(...scene.gravity));
  for (const body of scene.bodies.map(complete)) {
    const rigid = createBody(body, scene.restitution ?? 0);
    world.addRigidBody(rigid);
    if (!body.fixed) free.push(rigid);
  }
  const xyz = (v) => [v.x(), v.y(), v.z()];
  return {
    step: () => world.stepSimulation(scene.step, 0, scene.step),
    read(k) {
      const pose = free[k].getWorldTransform();
      const q = pose.getRotation();
      const speeds = [...xyz(free[k].getLinearVelocity()), ...xyz(free[k].getAngularVelocity())];
      return [...xyz(pose.getOrigin()), ...xyz(q), q.w(), ...speeds];
    },
    free() {},
  };
}
