// Havok.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { complete } from './scene.mjs';

let H;

async function load() {
  const entry = createRequire(import.meta.url).resolve('@babylonjs/havok');
  const folder = entry.slice(0, entry.lastIndexOf('havok') + 'havok'.length);
  const wasmBinary = readFileSync(join(folder, 'lib', 'esm', 'HavokPhysics.wasm'));
  H = await (await import('@babylonjs/havok')).default({ wasmBinary });
}

function shapeOf(body) {
  const [origin, unturned] = [
    [0, 0, 0],
    [0, 0, 0, 1],
  ];
  if (body.shape === 'sphere') return H.HP_Shape_CreateSphere(origin, body.radius)[1];
  if (body.shape === 'box') {
    const edges = body.half.map((x) => 2 * x);
    return H.HP_Shape_CreateBox(origin, unturned, edges)[1];
  }
  const { length } = body.points;
  const memory = H._malloc(12 * length);
  new Float32Array(H.HEAPU8.buffer, memory, 3 * length).set(body.points.flat());
  return H.HP_Shape_CreateConvexHull(memory, length)[1];
}

function addBody(world, body, restitution) {
  const shape = shapeOf(body);
  const least = H.MaterialCombine.MINIMUM;
  H.HP_Shape_SetMaterial(shape, [body.friction, body.friction, restitution, least, least]);
  const [, made] = H.HP_Body_Create();
  H.HP_Body_SetShape(made, shape);
  H.HP_Body_SetMotionType(made, body.fixed ? H.MotionType.STATIC : H.MotionType.DYNAMIC);
  H.HP_Body_SetQTransform(made, [body.position, body.rotation]);
  if (!body.fixed) {
    const perMass = body.inertia.map((x) => x / body.mass);
    H.HP_Body_SetMassProperties(made, [[0, 0, 0], body.mass, perMass, [0, 0, 0, 1]]);
    H.HP_Body_SetLinearDamping(made, 0);
    H.HP_Body_SetAngularDamping(made, 0);
  }
  H.HP_World_AddBody(world, made, false);
  if (!body.fixed) {
    H.HP_Body_SetActivationControl(made, H.ActivationControl.ALWAYS_ACTIVE);
    H.HP_Body_SetLinearVelocity(made, body.velocity);
    H.HP_Body_SetAngularVelocity(made, body.spin);
  }
  return made;
}

export async function build(scene) {
  if (!H) await load();
  const [, world] = H.HP_World_Create();
  const free = [];
  H.HP_World_SetGravity(world, scene.gravity);
  H.HP_World_SetIdealStepTime(world, scene.step);
  H.HP_World_SetSpeedLimit(world, 1e4, 1e4);
  for (const body of scene.bodies.map(complete)) {
    const made = addBody(world, body, scene.restitution ?? 0);
    if (!body.fixed) free.push(made);
  }
  return {
    step: () => H.HP_World_Step(world, scene.step),
    read(k) {
      const [, [place, turned]] = H.HP_Body_GetQTransform(free[k]);
      const speed = H.HP_Body_GetLinearVelocity(free[k])[1];
      return [...place, ...turned, ...speed, ...H.HP_Body_GetAngularVelocity(free[k])[1]];
    },
    free: () => H.HP_World_Release(world),
  };
}
