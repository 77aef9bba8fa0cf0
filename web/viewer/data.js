/* The data of the page: parts that are compressed and in base64, unpacked when they are wanted. */

const has = (id) => document.getElementById(id) !== null;

async function inflate(id) {
  const text = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

async function texts(id) {
  const all = new TextDecoder().decode(await inflate(id)).split("\0");
  all.pop();
  return all;
}

const reals = async (id) => new Float64Array(await inflate(id));

/* Whole numbers by planes of bytes, as the library packs them. */
class Integers {
  constructor(buffer, at = 0) {
    this.bytes = new Uint8Array(buffer);
    this.at = at;
  }

  take(count) {
    const planes = this.bytes[this.at++], numbers = new Int32Array(count);
    for (let plane = 0; plane < planes; plane++) {
      const from = this.at + plane * count, shift = 8 * plane;
      for (let k = 0; k < count; k++) numbers[k] |= this.bytes[from + k] << shift;
    }
    this.at += planes * count;
    if (planes > 0) for (let k = 0; k < count; k++) numbers[k] = (numbers[k] >>> 1) ^ -(numbers[k] & 1);
    return numbers;
  }

  /* Numbers that were packed as differences along the list. */
  takeSums(count) {
    const numbers = this.take(count);
    for (let k = 1; k < count; k++) numbers[k] += numbers[k - 1];
    return numbers;
  }
}

/* Positions and rotations of all bodies. Blocks of frames are unpacked when they are needed, and the
   oldest forgotten where they take too much memory. */
class Motion {
  constructor(bodies, frames, [length, quantum, ...low], turns) {
    Object.assign(this, { bodies, frames, length, quantum, low, turns });
    this.blocks = new Map();
    this.most = Math.max(3, Math.floor(4e8 / (20 * bodies * length + 1)));
  }

  block(frame) {
    return this.blocks.get(Math.floor(frame / this.length));
  }

  async load(frame) {
    const number = Math.floor(frame / this.length);
    let block = this.blocks.get(number);
    if (!block) {
      block = { ready: null, done: false };
      this.blocks.set(number, block);
      block.ready = inflate(`motion-${number}`).then((buffer) => this.unpack(block, number, buffer));
    } else {
      this.blocks.delete(number);
      this.blocks.set(number, block);
    }
    for (const old of this.blocks.keys()) {
      if (this.blocks.size <= this.most) break;
      if (old !== number && old !== number + 1) this.blocks.delete(old);
    }
    await block.ready;
  }

  unpack(block, number, buffer) {
    const { bodies, quantum, low } = this, held = Math.min(this.length, this.frames - number * this.length);
    const from = new Integers(buffer), rest = Math.max(held - 2, 0);
    block.position = new Float32Array(3 * bodies * held);
    block.rotation = new Int16Array(4 * bodies * held);
    for (let place = 0; place < 7; place++) {
      const spot = place < 3, width = spot ? 3 : 4, to = spot ? block.position : block.rotation;
      const scale = spot ? quantum : 1, origin = spot ? low[place] : 0;
      const first = from.takeSums(bodies), change = from.take(bodies), second = from.take(bodies * rest);
      for (let body = 0; body < bodies; body++) {
        let at = body * width + (spot ? place : place - 3), x = first[body], dx = change[body];
        to[at] = origin + scale * x;
        for (let k = 1; k < held; k++) {
          if (k > 1) dx += second[body * rest + k - 2];
          x += dx;
          at += bodies * width;
          to[at] = origin + scale * x;
        }
      }
    }
    block.first = number * this.length;
    block.done = true;
  }

  /* Poses between two frames: eight numbers for each body (position, speed, quaternion). False where
     a block is still missing. */
  read(when, interval, poses) {
    const frame = Math.min(Math.floor(when), this.frames - 1), next = Math.min(frame + 1, this.frames - 1);
    const a = this.block(frame), b = this.block(next), t = when - frame;
    if (!a || !a.done || !b || !b.done) return false;
    const pa = a.position, pb = b.position, ra = a.rotation, rb = b.rotation;
    let i = 3 * this.bodies * (frame - a.first), j = 3 * this.bodies * (next - b.first);
    let k = 4 * this.bodies * (frame - a.first), l = 4 * this.bodies * (next - b.first);
    for (let to = 0; to < 8 * this.bodies; to += 8, i += 3, j += 3, k += 4, l += 4) {
      const dx = pb[j] - pa[i], dy = pb[j + 1] - pa[i + 1], dz = pb[j + 2] - pa[i + 2];
      poses[to] = pa[i] + t * dx;
      poses[to + 1] = pa[i + 1] + t * dy;
      poses[to + 2] = pa[i + 2] + t * dz;
      poses[to + 3] = interval > 0 ? Math.sqrt(dx * dx + dy * dy + dz * dz) / interval : 0;
      const sign = ra[k] * rb[l] + ra[k + 1] * rb[l + 1] + ra[k + 2] * rb[l + 2] + ra[k + 3] * rb[l + 3] < 0 ? -t : t;
      const w = (1 - t) * ra[k] + sign * rb[l], x = (1 - t) * ra[k + 1] + sign * rb[l + 1];
      const y = (1 - t) * ra[k + 2] + sign * rb[l + 2], z = (1 - t) * ra[k + 3] + sign * rb[l + 3];
      const scale = 1 / (Math.sqrt(w * w + x * x + y * y + z * z) || 1);
      poses[to + 4] = w * scale;
      poses[to + 5] = x * scale;
      poses[to + 6] = y * scale;
      poses[to + 7] = z * scale;
    }
    return true;
  }

  /* One body's pose of a frame that is there. */
  pose(frame, body) {
    const block = this.block(frame);
    const at = 3 * (this.bodies * (frame - block.first) + body), turn = 4 * (this.bodies * (frame - block.first) + body);
    const q = Array.from(block.rotation.subarray(turn, turn + 4)), length = Math.hypot(...q) || 1;
    return { position: Array.from(block.position.subarray(at, at + 3)), rotation: q.map((part) => part / length) };
  }
}

/* The unit vector of a point on the square that the sphere was folded onto. */
function fromOctahedral(x, y) {
  x /= 2047;
  y /= 2047;
  const z = 1 - Math.abs(x) - Math.abs(y);
  return z >= 0 ? unit([x, y, z])
    : unit([(1 - Math.abs(y)) * Math.sign(x || 1), (1 - Math.abs(x)) * Math.sign(y || 1), z]);
}

const floatBits = new DataView(new ArrayBuffer(4));

function fromShortFloat(bits) {
  floatBits.setUint32(0, (bits & 0xffff) << 16 >>> 0);
  return floatBits.getFloat32(0);
}

const STATUS = ["open", "stick", "slip"];

/* Contacts of every so many frames. */
class Contacts {
  constructor([stride, parts], motion) {
    Object.assign(this, { stride, parts, motion });
    this.frames = []; /* of each frame that has them: list of contacts */
    this.ready = stride > 0 ? this.load() : Promise.resolve();
  }

  async load() {
    for (let part = 0; part < this.parts; part++) {
      this.unpack(await inflate(`contacts-${part}`));
      if (this.onpart) this.onpart();
    }
  }

  unpack(buffer) {
    const frames = new DataView(buffer).getInt32(0, true), counts = new Int32Array(buffer.slice(4, 4 + 4 * frames));
    let total = 0;
    for (const count of counts) total += count;
    const from = new Integers(buffer, 4 + 4 * frames), column = [];
    for (let c = 0; c < 12 && total > 0; c++)
      column.push(c < 2 || (c >= 3 && c < 6) ? from.takeSums(total) : from.take(total));
    let first = 0;
    for (const count of counts) {
      this.frames.push({ column, first, count });
      first += count;
    }
  }

  /* The frame whose contacts are shown at a frame, or -1. */
  frameFor(frame) {
    if (!this.stride) return -1;
    const number = Math.floor(frame / this.stride + 1e-9);
    return number < this.frames.length ? number * this.stride : -1;
  }

  of(frame) {
    const at = this.frameFor(frame);
    return at < 0 ? null : this.frames[at / this.stride];
  }

  get(set, k) {
    const c = set.column, at = set.first + k, { quantum, low } = this.motion;
    const size = fromShortFloat(c[10][at]);
    return {
      bodies: [c[0][at], c[1][at]], status: clamp(c[2][at], 0, 2),
      position: [0, 1, 2].map((axis) => low[axis] + quantum * c[3 + axis][at]),
      normal: fromOctahedral(c[6][at], c[7][at]),
      impulse: scaled(fromOctahedral(c[8][at], c[9][at]), size), size, gap: fromShortFloat(c[11][at]),
    };
  }

  /* A typical size of impulses, for the length of arrows: nine in ten are smaller. */
  typical() {
    const sizes = [];
    for (const set of this.frames)
      for (let k = 0; k < set.count; k += Math.max(1, Math.floor(set.count / 50))) {
        const size = fromShortFloat(set.column[10][set.first + k]);
        if (size > 0) sizes.push(size);
      }
    sizes.sort((a, b) => a - b);
    return sizes.length ? sizes[Math.floor(0.9 * (sizes.length - 1))] : 1;
  }
}

const CURVES = ["kinetic", "potential", "elastic", "applied", "friction", "impact", "damping", "plastic", "projection",
  "imbalance", "throughput", "error", "iterations", "contacts", "seconds", "solved",
  "lowX", "lowY", "lowZ", "highX", "highY", "highZ"];

async function loadTrajectory([, title, version, scene, set]) {
  const [[dimension, bodies, frames], time, curveBytes, names, moves, shapes] = await Promise.all([
    reals("figures"), reals("time"), inflate("curves"), texts("names"), inflate("moves"), reals("shapes")]);
  const [sizes, points, polygons, turns] = await Promise.all(
    ["surface-sizes", "surface-points", "surface-polygons", "motion-turns"].map(inflate));
  const curve = {}, all = new Float32Array(curveBytes);
  CURVES.forEach((name, k) => { curve[name] = all.subarray(k * frames, (k + 1) * frames); });
  const motion = new Motion(bodies, frames, await reals("motion-figures"), new Float32Array(turns));
  const soft = await loadSoft(frames);
  const contacts = new Contacts(await reals("contact-figures"), motion);
  const surfaces = readSurfaces(new Int32Array(sizes), new Float32Array(points), new Int32Array(polygons));
  return { title: titleOf(scene) || title || "Slipcone", version, scene, set, dimension, bodies, frames, time, curve,
    names, moves: new Uint8Array(moves), shapes: readShapes(shapes), surfaces, motion, soft, contacts };
}

function titleOf(scene) {
  const found = /^title:\s*(?:"([^"]*)"|'([^']*)'|([^#\n]*))/m.exec(scene);
  return found ? (found[1] ?? found[2] ?? found[3]).trim() : "";
}

function readShapes(rows) {
  const list = [], slice = (at, count) => Array.from(rows.subarray(at, at + count));
  for (let at = 0; at + 18 <= rows.length; at += 18)
    list.push({ body: rows[at], kind: rows[at + 1], radius: rows[at + 2], length: rows[at + 3], edges: slice(at + 4, 3),
      normal: slice(at + 7, 3), position: slice(at + 10, 3), rotation: slice(at + 13, 4), surface: rows[at + 17] });
  return list;
}

function readSurfaces(sizes, points, polygons) {
  const list = [];
  let point = 0, at = 0;
  for (let k = 0; k < sizes.length; k += 2) {
    const faces = [];
    for (let face = 0; face < sizes[k + 1]; face++) {
      faces.push(Array.from(polygons.subarray(at + 1, at + 1 + polygons[at])));
      at += 1 + polygons[at];
    }
    list.push({ points: points.subarray(3 * point, 3 * (point + sizes[k])), faces });
    point += sizes[k];
  }
  return list;
}
