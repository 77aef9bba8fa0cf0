// PhysX, with its projected Gauss-Seidel solver or, options.temporal, the one of small time steps.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { complete } from './scene.mjs';

/** The package believes itself in a browser: it must find no process and a window while it loads. */
async function load() {
  const entry = createRequire(import.meta.url).resolve('physx-js-webidl');
  const wasmBinary = readFileSync(join(dirname(entry), 'physx-js-webidl.wasm'));
  const node = process;
  const replace = (name, value) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  replace('process', undefined);
  replace('navigator', { userAgent: 'Chrome/120.0.0.0' });
  globalThis.window = globalThis;
  globalThis.document = { currentScript: null };
  globalThis.location = { href: 'file:///' };
  try {
    const printErr = (line) => node.stderr.write(`${line}\n`);
    return await (await import('physx-js-webidl')).default({ wasmBinary, print() {}, printErr });
  } finally {
    replace('process', node);
  }
}

let P;
let physics;
let scale;
let dispatcher;

async function start() {
  P = await load();
  const version = P.PHYSICS_VERSION;
  const errors = new P.PxDefaultErrorCallback();
  const foundation = P.CreateFoundation(version, new P.PxDefaultAllocator(), errors);
  scale = new P.PxTolerancesScale();
  physics = P.CreatePhysics(version, foundation, scale);
  dispatcher = P.DefaultCpuDispatcherCreate(0);
}

function createWorld(scene, options) {
  const settings = new P.PxSceneDesc(scale);
  const { eTGS, ePGS } = P.PxSolverTypeEnum;
  settings.set_gravity(new P.PxVec3(...scene.gravity));
  settings.set_cpuDispatcher(dispatcher);
  settings.set_filterShader(P.DefaultFilterShader());
  settings.set_solverType(options.temporal ? eTGS : ePGS);
  return physics.createScene(settings);
}

function hull(points) {
  const vertices = new P.PxArray_PxVec3(points.length);
  points.forEach((point, k) => vertices.set(k, new P.PxVec3(...point)));
  const mesh = new P.PxConvexMeshDesc();
  mesh.flags = new P.PxConvexFlags(P.PxConvexFlagEnum.eCOMPUTE_CONVEX);
  mesh.points.count = points.length;
  mesh.points.stride = 12;
  mesh.points.data = vertices.begin();
  const cook = P.CreateConvexMesh ?? P.PxTopLevelFunctions.prototype.CreateConvexMesh;
  return new P.PxConvexMeshGeometry(cook.call(P, new P.PxCookingParams(scale), mesh));
}

function geometry(body) {
  if (body.shape === 'box') return new P.PxBoxGeometry(...body.half);
  if (body.shape === 'sphere') return new P.PxSphereGeometry(body.radius);
  return hull(body.points);
}

function addBody(world, body, restitution) {
  const material = physics.createMaterial(body.friction, body.friction, restitution);
  material.setFrictionCombineMode(P.PxCombineModeEnum.eMIN);
  material.setRestitutionCombineMode(P.PxCombineModeEnum.eMIN);
  const flags = new P.PxShapeFlags(P.PxShapeFlagEnum.eSIMULATION_SHAPE);
  const shape = physics.createShape(geometry(body), material, true, flags);
  shape.setSimulationFilterData(new P.PxFilterData(1, 1, 0, 0));
  const place = new P.PxTransform(P.PxIDENTITYEnum.PxIdentity);
  place.set_p(new P.PxVec3(...body.position));
  place.set_q(new P.PxQuat(...body.rotation));
  const actor = body.fixed ? physics.createRigidStatic(place) : physics.createRigidDynamic(place);
  actor.attachShape(shape);
  if (!body.fixed) setMotion(actor, body);
  world.addActor(actor);
  if (!body.fixed) actor.setWakeCounter(1e9);
  return actor;
}

function setMotion(actor, body) {
  actor.setSleepThreshold(0);
  actor.setStabilizationThreshold(0);
  actor.setMass(body.mass);
  actor.setMassSpaceInertiaTensor(new P.PxVec3(...body.inertia));
  actor.setLinearDamping(0);
  actor.setAngularDamping(0);
  actor.setMaxAngularVelocity(500);
  actor.setLinearVelocity(new P.PxVec3(...body.velocity));
  actor.setAngularVelocity(new P.PxVec3(...body.spin));
}

export async function build(scene, options) {
  if (!P) await start();
  const world = createWorld(scene, options);
  const free = [];
  for (const body of scene.bodies.map(complete)) {
    const actor = addBody(world, body, scene.restitution ?? 0);
    if (!body.fixed) free.push(actor);
  }
  const xyz = (v) => [v.get_x(), v.get_y(), v.get_z()];
  return {
    step() {
      world.simulate(scene.step);
      world.fetchResults(true);
    },
    read(k) {
      const pose = free[k].getGlobalPose();
      const place = xyz(pose.get_p());
      const turned = [...xyz(pose.get_q()), pose.get_q().get_w()];
      const speed = xyz(free[k].getLinearVelocity());
      return [...place, ...turned, ...speed, ...xyz(free[k].getAngularVelocity())];
    },
    free: () => world.release(),
  };
}
