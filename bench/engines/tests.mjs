// Tests whose answers are known. Each takes a function run(scene, steps, every) and returns numbers;
// docs/engines.md says what they mean.
import * as piles from './piles.mjs';
import {
  inverse,
  kineticEnergy,
  position,
  potentialEnergy,
  rotation,
  spin,
  tilt,
  turn,
  velocity,
} from './scene.mjs';

const G = 9.81;
const STEP = 0.005;
const DOWN = [0, 0, -G];
const radians = (degrees) => (degrees * Math.PI) / 180;
const last = (frames) => frames[frames.length - 1];

const ground = (friction, half = 30) => ({
  shape: 'box',
  half: [half, half, 0.5],
  position: [0, 0, -0.5],
  fixed: true,
  friction,
});
const block = (changes = {}) => ({
  shape: 'box',
  half: [0.2, 0.2, 0.1],
  position: [0, 0, 0.1],
  mass: 32,
  ...changes,
});
const scene = (bodies, { gravity = DOWN, step = STEP } = {}) => ({ gravity, step, bodies });

// ---- Friction ------------------------------------------------------------------------------------

/** Creep of a block on a slope of 20 degrees, mm/s; and its speed after 10 s, just above and below
 * the friction that holds it, mm/s. Gravity is turned, not the ground. */
async function slope(run) {
  const angle = radians(20);
  const gravity = [G * Math.sin(angle), 0, -G * Math.cos(angle)];
  const slide = async (mu) =>
    (await run(scene([ground(mu), block({ friction: mu })], { gravity }), 2000)).frames;
  const frames = await slide(0.5);
  const result = { creep: (1000 * (position(last(frames))[0] - position(frames[400])[0])) / 8 };
  for (const [name, share] of [
    ['holds', 1.001],
    ['slides', 0.999],
  ])
    result[name] = 1000 * velocity(last(await slide(Math.tan(angle) * share)))[0];
  return result;
}

/** A block thrown at 3 m/s: error of its way and how far it lifts off, mm. */
async function stop(run) {
  const result = {};
  for (const step of [0.005, 0.02]) {
    const thrown = scene([ground(0.5), block({ velocity: [3, 0, 0] })], { step });
    const { frames } = await run(thrown, Math.round(3 / step));
    result[`error${1000 * step}`] = 1000 * (position(last(frames))[0] - 9 / G);
    result[`lift${1000 * step}`] = 1000 * Math.max(...frames.map((frame) => frame[2] - 0.1));
  }
  return result;
}

/** A flat block that slides with 2 m/s and spins with 10 rad/s: when each ends, s. */
async function slideAndSpin(run) {
  const step = 0.001;
  const flat = { half: [0.2, 0.2, 0.05], position: [0, 0, 0.05], mass: 16 };
  const thrown = block({ ...flat, velocity: [2, 0, 0], spin: [0, 0, 10] });
  const { frames } = await run(scene([ground(0.5), thrown], { step }), 1500);
  const first = (below) => {
    const k = frames.findIndex(below);
    return k < 0 ? null : k * step;
  };
  return {
    slide: first((frame) => Math.hypot(frame[7], frame[8]) < 0.02),
    spin: first((frame) => Math.abs(frame[12]) < 0.05),
  };
}

/** Ways of a block thrown in three directions, m; and the largest error of direction, degrees. */
async function directions(run) {
  const ways = [];
  let off = 0;
  for (const degrees of [0, 22.5, 45]) {
    const angle = radians(degrees);
    const thrown = block({ velocity: [3 * Math.cos(angle), 3 * Math.sin(angle), 0] });
    const [x, y] = position(last((await run(scene([ground(0.5), thrown]), 400)).frames));
    ways.push(Math.hypot(x, y));
    off = Math.max(off, Math.abs((Math.atan2(y, x) - angle) / radians(1)));
  }
  return { ways, off };
}

/** The friction at which a ladder slips, as a share of the true one. */
async function ladder(run) {
  const [length, width, angle] = [2, 0.02, radians(50)];
  const critical = (1 / Math.tan(angle) - width / length) / 2;
  const lean = Math.PI / 2 - angle;
  const centre = [
    (-length * Math.cos(angle) - width * Math.sin(angle)) / 2,
    0,
    (length * Math.sin(angle) + width * Math.cos(angle)) / 2,
  ];
  const slips = async (share) => {
    const friction = critical * share;
    const wall = { shape: 'box', half: [0.5, 10, 10], position: [0.5, 0, 9.5], fixed: true };
    const leaning = {
      shape: 'box',
      half: [width / 2, 0.2, length / 2],
      position: centre,
      rotation: [0, Math.sin(lean / 2), 0, Math.cos(lean / 2)],
      mass: 10,
      friction,
    };
    const bodies = [ground(friction, 10), { ...wall, friction: 0 }, leaning];
    const { frames } = await run(scene(bodies), 800, 40);
    return Math.abs(position(last(frames))[0] - centre[0]) > 0.1;
  };
  let [slipping, standing] = [0.5, 1.6];
  if (!(await slips(slipping))) return { ratio: '< 0.5' };
  if (await slips(standing)) return { ratio: '> 1.6' };
  for (let k = 0; k < 10; k++) {
    const middle = (slipping + standing) / 2;
    if (await slips(middle)) slipping = middle;
    else standing = middle;
  }
  return { ratio: (slipping + standing) / 2 };
}

// ---- Buildings -----------------------------------------------------------------------------------

/** Ten cubes, masses growing upwards, for 60 s: when the stack falls, else how far its top sinks and
 * drifts, mm. */
async function stack(run) {
  const result = {};
  for (const [name, factor] of [
    ['m100', 100 ** (1 / 9)],
    ['m512', 2],
  ]) {
    const cubes = Array.from({ length: 10 }, (_, k) => ({
      shape: 'box',
      half: [0.25, 0.25, 0.25],
      position: [0, 0, 0.25 + 0.5 * k],
      mass: factor ** k,
    }));
    const { frames } = await run(scene([ground(0.5), ...cubes]), 12000, 200);
    const away = (frame, k) => !(Math.hypot(frame[13 * k], frame[13 * k + 1]) < 0.3);
    const leans = (frame, k) => !(tilt(frame, k) < radians(10));
    const broken = (frame) => cubes.some((_, k) => away(frame, k) || leans(frame, k));
    const fell = frames.findIndex(broken);
    const [x, y, z] = position(last(frames), 9);
    result[name] =
      fell < 0 ? { sinks: 1000 * (4.75 - z), drifts: 1000 * Math.hypot(x, y) } : { falls: fell };
  }
  return result;
}

/** Voussoirs of a semicircular arch, in their own frame: x outwards, y along its depth. */
function archOf(friction, stones = 17, radius = 2, thickness = 0.36, depth = 0.5) {
  const half = Math.PI / stones / 2;
  const slant = Math.tan(half);
  const [inner, outer] = [-1, 1].map((s) => (radius + (s * thickness) / 2) * Math.cos(half));
  // Moments of the trapezoid, whose width at x is 2 x tan(half).
  const power = (k) => (outer ** (k + 1) - inner ** (k + 1)) / (k + 1);
  const area = 2 * slant * power(1);
  const centre = (2 * slant * power(2)) / area;
  const mass = 1000 * area * depth;
  const [xx, zz] = [power(3) / power(1) - centre ** 2, (slant ** 2 * power(3)) / power(1) / 3];
  const yy = depth ** 2 / 12;
  const section = [
    [inner, -1],
    [outer, -1],
    [outer, 1],
    [inner, 1],
  ];
  const points = [-depth / 2, depth / 2].flatMap((y) =>
    section.map(([x, side]) => [x - centre, y, side * x * slant]),
  );
  const stone = {
    shape: 'hull',
    points,
    ...sidesOf(points),
    mass,
    inertia: [mass * (yy + zz), mass * (xx + zz), mass * (xx + yy)],
    friction,
  };
  const place = (k) => {
    const angle = ((k + 0.5) * Math.PI) / stones;
    const rotation = [0, -Math.sin(angle / 2), 0, Math.cos(angle / 2)];
    return { position: [centre * Math.cos(angle), 0, centre * Math.sin(angle)], rotation };
  };
  return scene([
    ground(friction),
    ...Array.from({ length: stones }, (_, k) => ({ ...stone, ...place(k) })),
  ]);
}

/** Planes and faces of a block with eight corners, faces counterclockwise from outside. */
function sidesOf(points) {
  const plane = ([a, b, c]) => {
    const [p, u, v] = [points[a], minus(points[b], points[a]), minus(points[c], points[a])];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const unit = n.map((x) => x / Math.hypot(...n));
    return [...unit, unit[0] * p[0] + unit[1] * p[1] + unit[2] * p[2]];
  };
  const minus = (a, b) => a.map((x, k) => x - b[k]);
  const rings = [
    [0, 1, 2, 3],
    [7, 6, 5, 4],
    [0, 4, 5, 1],
    [1, 5, 6, 2],
    [2, 6, 7, 3],
    [3, 7, 4, 0],
  ];
  const faces = rings.map((ring) => (plane(ring)[3] < 0 ? [...ring].reverse() : ring));
  return { faces, planes: faces.map(plane) };
}

/** The largest friction of a list at which the arch falls within 10 s; 0.329 holds it. */
async function arch(run) {
  const moved = {};
  for (const mu of [0.6, 0.45, 0.35, 0.3]) {
    const { frames } = await run(archOf(mu), 2000, 100);
    const way = (k) => {
      const [from, to] = [position(frames[0], k), position(last(frames), k)];
      return Math.hypot(...to.map((x, axis) => x - from[axis]));
    };
    moved[mu] = 1000 * Math.max(...Array.from({ length: 17 }, (_, k) => way(k)));
    if (!(moved[mu] < 300)) return { falls: mu, moved };
  }
  return { falls: null, moved };
}

// ---- Energy --------------------------------------------------------------------------------------

/** A box in free space, spun about its middle axis for 60 s: change of energy, number of flips. */
async function freeBody(run) {
  const box = { shape: 'box', half: [0.1, 0.2, 0.4], mass: 10, spin: [0.05, 5, 0] };
  const alone = scene([box], { gravity: [0, 0, 0] });
  const { frames } = await run(alone, 12000);
  let [flips, sign] = [0, 1];
  for (const frame of frames) {
    if (turn(inverse(rotation(frame)), spin(frame))[1] * sign > -2) continue;
    flips++;
    sign = -sign;
  }
  const energy = kineticEnergy(alone, last(frames)) / kineticEnergy(alone, frames[0]) - 1;
  return { energy, flips };
}

/** Fifty rods thrown on a rough floor, one after another: how many gain more than a hundredth of
 * their energy, and the most that one gains. */
async function rods(run) {
  let seed = 12345;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  let [gained, most] = [0, 0];
  for (let k = 0; k < 50; k++) {
    const angle = radians(20 + 140 * random());
    const lean = angle - Math.PI / 2;
    const height = 0.5 * Math.abs(Math.sin(angle)) + 0.03 * Math.abs(Math.cos(angle));
    const rod = {
      shape: 'box',
      half: [0.03, 0.03, 0.5],
      position: [0, 0, height + 0.02],
      rotation: [0, Math.sin(lean / 2), 0, Math.cos(lean / 2)],
      velocity: [-5 + 10 * random(), 0, -3 * random()],
      spin: [0, -10 + 20 * random(), 0],
      mass: 1,
      friction: 1.5,
    };
    const thrown = scene([ground(1.5, 20), rod]);
    const { frames } = await run(thrown, 600);
    const energies = frames.map((f) => kineticEnergy(thrown, f) + potentialEnergy(thrown, f));
    let [least, rise] = [Infinity, 0];
    for (const energy of energies) {
      least = Math.min(least, energy);
      rise = Math.max(rise, (energy - least) / energies[0]);
    }
    if (rise > 0.01) gained++;
    most = Math.max(most, rise);
  }
  return { gained, most };
}

// ---- Heaps ---------------------------------------------------------------------------------------

/** Kinetic energy at the end, J, deepest overlap of two spheres, mm, and milliseconds a step. */
async function heap(run) {
  const falling = piles.spheres(500, 8);
  const { frames, milliseconds } = await run(falling, 2000, 200);
  const places = falling.bodies.filter((b) => !b.fixed).map((_, k) => position(last(frames), k));
  let deepest = 0;
  places.forEach((p, i) => {
    for (const q of places.slice(0, i))
      deepest = Math.max(deepest, 0.2 - Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
  });
  return { energy: kineticEnergy(falling, last(frames)), overlap: 1000 * deepest, milliseconds };
}

/** Milliseconds a step of two heaps, beside each other for Slipcone and Siconos. */
const pile = (make, count, across, steps) => async (run) => {
  const falling = make(count, across);
  const { frames, milliseconds } = await run(falling, steps, steps);
  return { milliseconds, energy: kineticEnergy(falling, last(frames)) };
};

export const TESTS = {
  slope,
  stop,
  slideAndSpin,
  directions,
  ladder,
  stack,
  arch,
  freeBody,
  rods,
  heap,
  spheres1000: pile(piles.spheres, 1000, 10, 100),
  boxes200: pile(piles.boxes, 200, 5, 80),
};
