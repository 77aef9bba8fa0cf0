// One description of a scene for every engine, and the mechanics needed to judge what they make of it.
//
//   scene = { gravity: [x, y, z], step: seconds, restitution: e, bodies: [...] }
//   body  = { shape: 'box', half: [x, y, z] }  |  { shape: 'sphere', radius }  |
//           { shape: 'hull', points, planes, faces }
//           with position, rotation (x, y, z, w), velocity, spin (world axes), mass,
//           inertia (principal moments; found for boxes and spheres), friction, fixed
//
// A frame of a run is a Float64Array with 13 numbers for each body that is not fixed: position,
// rotation (x, y, z, w), velocity, spin, all in world axes.

export const FRAME = 13;

/** A body with everything that was left out filled in. */
export function complete(body) {
  const whole = {
    position: [0, 0, 0],
    rotation: [0, 0, 0, 1],
    velocity: [0, 0, 0],
    spin: [0, 0, 0],
    friction: 0.5,
    fixed: false,
    ...body,
  };
  if (!whole.fixed && !whole.inertia) whole.inertia = inertiaOf(whole);
  return whole;
}

export const freeBodies = (scene) => scene.bodies.filter((body) => !body.fixed);

function inertiaOf({ shape, mass, half, radius }) {
  if (shape === 'sphere') return [0, 1, 2].map(() => 0.4 * mass * radius ** 2);
  if (shape !== 'box') throw new Error(`a body of shape '${shape}' must have its inertia given`);
  const [a, b, c] = half.map((x) => x * x);
  return [(mass * (b + c)) / 3, (mass * (a + c)) / 3, (mass * (a + b)) / 3];
}

/** The vector v turned by the unit quaternion (x, y, z, w). */
export function turn([x, y, z, w], [a, b, c]) {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

export const inverse = ([x, y, z, w]) => [-x, -y, -z, w];

// ---- Parts of a frame ----------------------------------------------------------------------------

const part =
  (from, to) =>
  (frame, k = 0) =>
    Array.from(frame.slice(FRAME * k + from, FRAME * k + to));
export const position = part(0, 3);
export const rotation = part(3, 7);
export const velocity = part(7, 10);
export const spin = part(10, 13);

/** Angle between the body's third axis and the vertical, radians. */
export const tilt = (frame, k = 0) =>
  Math.acos(Math.min(1, turn(rotation(frame, k), [0, 0, 1])[2]));

export function kineticEnergy(scene, frame) {
  let sum = 0;
  freeBodies(scene).forEach((given, k) => {
    const body = complete(given);
    const local = turn(inverse(rotation(frame, k)), spin(frame, k));
    for (const v of velocity(frame, k)) sum += 0.5 * body.mass * v * v;
    local.forEach((w, axis) => (sum += 0.5 * body.inertia[axis] * w * w));
  });
  return sum;
}

export function potentialEnergy(scene, frame) {
  let sum = 0;
  freeBodies(scene).forEach(({ mass }, k) => {
    position(frame, k).forEach((x, axis) => (sum -= mass * scene.gravity[axis] * x));
  });
  return sum;
}
