// The engines and the settings they are run with: their defaults but for sleeping and damping, which
// are off.
import { ode, siconos, slipcone } from './child.mjs';
import { FRAME, freeBodies } from './scene.mjs';

export const ENGINES = {
  slipcone: { title: 'Slipcone', program: slipcone },
  'mujoco-pyramid': { title: 'MuJoCo, pyramidal cone', module: './mujoco.mjs' },
  mujoco: {
    title: 'MuJoCo, elliptic cone',
    module: './mujoco.mjs',
    options: { option: 'cone="elliptic"' },
  },
  rapier: { title: 'Rapier', module: './rapier.mjs' },
  jolt: { title: 'Jolt', module: './jolt.mjs' },
  physx: { title: 'PhysX, PGS', module: './physx.mjs' },
  'physx-tgs': { title: 'PhysX, TGS', module: './physx.mjs', options: { temporal: true } },
  bullet: { title: 'Bullet', module: './bullet.mjs' },
  havok: { title: 'Havok', module: './havok.mjs' },
  ode: { title: 'ODE, quick step', program: ode, options: { method: 'quick' } },
  siconos: { title: 'Siconos', program: siconos },
};

/** Milliseconds of processor time of this process. */
function spent() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The frames of a run, that of the start first, and milliseconds a step. */
export async function run(name, scene, steps, every = 1) {
  const { program, module, options = {} } = ENGINES[name];
  if (program) return program(scene, steps, every, options);
  const engine = await (await import(module)).build(scene, options);
  const count = freeBodies(scene).length;
  const frames = [];
  let milliseconds = 0;
  for (let k = 0; k <= steps; k++) {
    const begun = spent();
    if (k > 0) engine.step();
    milliseconds += spent() - begun;
    if (k % every) continue;
    const frame = new Float64Array(FRAME * count);
    for (let body = 0; body < count; body++) frame.set(engine.read(body), FRAME * body);
    frames.push(frame);
  }
  engine.free();
  return { frames, milliseconds: milliseconds / steps };
}
