/* Vectors, quaternions (w, x, y, z) and 4 x 4 matrices (columns after each other, as WebGL wants). */

const add = (a, b, t = 1) => [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, t) => [a[0] * t, a[1] * t, a[2] * t];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => scaled(a, 1 / (norm(a) || 1));
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const mix = (a, b, t) => a + (b - a) * t;

function rotate(q, v) {
  const axis = [q[1], q[2], q[3]];
  return add(v, cross(axis, add(cross(axis, v), v, q[0])), 2);
}

/* The rotation that takes z to the unit vector n. */
function quaternionFromZ(n) {
  if (n[2] < -0.999999) return [0, 1, 0, 0];
  const q = [1 + n[2], -n[1], n[0], 0], length = Math.hypot(...q);
  return q.map((part) => part / length);
}

function multiply(a, b) {
  const c = new Float64Array(16);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++)
      for (let k = 0; k < 4; k++) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
  return c;
}

/* World to eye: right, up and back are the eye's axes. */
function lookFrom(eye, right, up, back) {
  const rows = [right, up, back], m = new Float64Array(16);
  for (let row = 0; row < 3; row++) {
    for (let k = 0; k < 3; k++) m[4 * k + row] = rows[row][k];
    m[12 + row] = -dot(rows[row], eye);
  }
  m[15] = 1;
  return m;
}

function perspective(tangent, aspect, near, far) {
  const m = new Float64Array(16);
  m[0] = 1 / (tangent * aspect);
  m[5] = 1 / tangent;
  m[10] = (far + near) / (near - far);
  m[11] = -1;
  m[14] = (2 * far * near) / (near - far);
  return m;
}

function parallel(halfWidth, halfHeight, near, far) {
  const m = new Float64Array(16);
  m[0] = 1 / halfWidth;
  m[5] = 1 / halfHeight;
  m[10] = 2 / (near - far);
  m[14] = (far + near) / (near - far);
  m[15] = 1;
  return m;
}

/* Of the projections above, which have few entries. */
function inverseProjection(m) {
  const inverse = new Float64Array(16);
  inverse[0] = 1 / m[0];
  inverse[5] = 1 / m[5];
  if (m[11] !== 0) {
    inverse[14] = -1;
    inverse[11] = 1 / m[14];
    inverse[15] = m[10] / m[14];
  } else {
    inverse[10] = 1 / m[10];
    inverse[14] = -m[14] / m[10];
    inverse[15] = 1;
  }
  return inverse;
}

function transform(m, p) {
  const q = [0, 0, 0, 0];
  for (let row = 0; row < 4; row++) q[row] = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
  return q;
}
