// Engines that run as programs of their own. A program reads a scene from its standard input and
// writes doubles to its standard output: milliseconds of processor time a step, then the frames.
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { complete, FRAME, freeBodies } from './scene.mjs';

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

function run(command, args, input, scene) {
  const limit = 1000 * Number(process.env.ENGINE_SECONDS ?? 600);
  const child = spawnSync(command, args, { input, maxBuffer: 1 << 30, timeout: limit });
  if (child.status !== 0) {
    const why = child.signal ? `ended by ${child.signal}` : String(child.stderr).slice(-400);
    throw new Error(`${basename(command)}: ${why || child.error}`);
  }
  const { buffer, byteOffset, length } = child.stdout;
  const numbers = new Float64Array(buffer.slice(byteOffset, byteOffset + length));
  const size = FRAME * freeBodies(scene).length;
  const frames = [];
  for (let k = 1; k + size <= numbers.length; k += size) frames.push(numbers.slice(k, k + size));
  return { frames, milliseconds: numbers[0] };
}

// ---- The text that ode_run and siconos_scene.py read ---------------------------------------------

function shapeText({ shape, half, radius, points }) {
  if (shape === 'box') return ['box', ...half];
  if (shape === 'sphere') return ['sphere', radius, 0, 0];
  return ['hull', points.length, 0, 0];
}

function bodyText(given) {
  const body = complete(given);
  const lines = [
    [
      body.fixed ? 1 : 0,
      ...shapeText(body),
      ...body.position,
      ...body.rotation,
      ...body.velocity,
      ...body.spin,
      ...(body.fixed ? [0, 0, 0, 0] : [body.mass, ...body.inertia]),
      body.friction,
    ],
  ];
  if (body.shape === 'hull') {
    lines.push(body.points.flat());
    lines.push([body.planes.length, ...body.planes.flat()]);
    lines.push(body.faces.flatMap((face) => [face.length, ...face]));
  }
  return lines.map((line) => line.join(' '));
}

export function sceneText(scene, steps, every) {
  const head = [...scene.gravity, scene.step, scene.restitution ?? 0, steps, every];
  const lines = [[...head, scene.bodies.length].join(' '), ...scene.bodies.flatMap(bodyText)];
  return lines.join('\n') + '\n';
}

// ---- The scene as Slipcone reads it --------------------------------------------------------------

const list = (values) => `[${values.join(', ')}]`;
const material = (friction) => `mu${String(friction).replace(/[^0-9a-z]/gi, '_')}`;

function shapeYaml({ shape, half, radius, points }) {
  if (shape === 'box') return `{box: ${list(half.map((x) => 2 * x))}}`;
  if (shape === 'sphere') return `{sphere: ${radius}}`;
  return `{hull: ${list(points.map(list))}}`;
}

function bodyYaml(given) {
  const body = complete(given);
  const [x, y, z, w] = body.rotation;
  const keys = [
    `material: ${material(body.friction)}`,
    `shape: ${shapeYaml(body)}`,
    `position: ${list(body.position)}`,
    `rotation: {quaternion: ${list([w, x, y, z])}}`,
  ];
  if (body.fixed) keys.push('fixed: true');
  else {
    keys.push(`velocity: ${list(body.velocity)}`, `spin: ${list(body.spin)}`);
    keys.push(`mass: ${body.mass}`, `inertia: ${list(body.inertia)}`);
  }
  return `  - {${keys.join(', ')}}`;
}

/** Friction of a pair is the lesser of its two bodies', as for the other engines. */
export function sceneYaml(scene, steps, options = {}) {
  const frictions = [...new Set(scene.bodies.map((body) => complete(body).friction))];
  const rules = frictions.flatMap((a, i) =>
    frictions.slice(i).map((b) => {
      const law = `friction: ${Math.min(a, b)}, restitution: ${scene.restitution ?? 0}`;
      return `  - {between: [${material(a)}, ${material(b)}], ${law}}`;
    }),
  );
  return [
    'slipcone: 1',
    `gravity: ${list(scene.gravity)}`,
    `time: {step: ${scene.step}, end: ${scene.step}*${steps}}`,
    `solver: {tol: ${options.tol ?? 1e-8}, on_failure: ${options.onFailure ?? 'halve'}}`,
    `materials: {${frictions.map((f) => `${material(f)}: {}`).join(', ')}}`,
    'contacts:',
    ...rules,
    'bodies:',
    ...scene.bodies.map(bodyYaml),
    '',
  ].join('\n');
}

export const ode = (scene, steps, every, { method }) =>
  run(beside('ode_run'), [method], sceneText(scene, steps, every), scene);

export const siconos = (scene, steps, every, { tol = 1e-8 }) =>
  run(
    process.env.PYTHON ?? 'python3',
    [beside('siconos_scene.py'), `tol=${tol}`],
    sceneText(scene, steps, every),
    scene,
  );

export const slipcone = (scene, steps, every, options) =>
  run(beside('slipcone_run'), [String(every)], sceneYaml(scene, steps, options), scene);
