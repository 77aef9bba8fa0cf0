/* Deformable bodies: their surfaces as they are between two frames, coloured by a field. */

const FIELDS = [["displacement", "by displacement", "Displacement", "m"], ["stress", "by stress", "Von Mises stress", "Pa"],
  ["pressure", "by contact pressure", "Contact pressure", "Pa"]];
const CREASE = Math.cos((40 * Math.PI) / 180); /* edges that are sharper at rest stay sharp */

class Soft {
  constructor([length, quantum, levels, ...rest], nodes, frames) {
    Object.assign(this, { length, quantum, levels, frames, most: rest.slice(0, 3), bodies: [], blocks: new Map() });
    let first = 0;
    for (let k = 3; k + 3 <= rest.length; k += 3) {
      const [body, shape, vertices] = rest.slice(k, k + 3);
      this.bodies.push({ body, shape, first, vertices, node: nodes.subarray(first, first + vertices) });
      first += vertices;
    }
    this.vertices = first;
    this.value = new Float32Array(6 * first); /* of the moment: displacement (3), shares of the fields (3) */
  }

  /* ---- Blocks of frames ---- */

  async load(frame) {
    const number = Math.floor(frame / this.length);
    let block = this.blocks.get(number);
    if (!block) {
      block = { done: false };
      block.ready = inflate(`soft-${number}`).then((buffer) => this.unpack(block, number, buffer));
    }
    this.blocks.delete(number);
    this.blocks.set(number, block);
    for (const old of this.blocks.keys()) {
      if (this.blocks.size <= 6) break;
      if (old !== number && old !== number + 1) this.blocks.delete(old);
    }
    await block.ready;
  }

  unpack(block, number, buffer) {
    const { vertices } = this, held = Math.min(this.length, this.frames - number * this.length), from = new Integers(buffer);
    block.first = number * this.length;
    block.value = new Float32Array(6 * vertices * held);
    for (let place = 0; place < 6; place++) {
      const fresh = from.take(vertices), change = from.take(vertices * (held - 1));
      const scale = place < 3 ? this.quantum : 1 / this.levels;
      for (let v = 0; v < vertices; v++)
        for (let k = 0, x = fresh[v]; k < held; k++) {
          if (k > 0) x += change[v * (held - 1) + k - 1];
          block.value[6 * (k * vertices + v) + place] = scale * x;
        }
    }
    block.done = true;
  }

  /* The values between two frames; false where a block is still missing. */
  read(when) {
    const frame = Math.min(Math.floor(when), this.frames - 1), next = Math.min(frame + 1, this.frames - 1), t = when - frame;
    const a = this.blocks.get(Math.floor(frame / this.length)), b = this.blocks.get(Math.floor(next / this.length));
    if (!a?.done || !b?.done) return false;
    const i = 6 * this.vertices * (frame - a.first), j = 6 * this.vertices * (next - b.first);
    for (let k = 0; k < this.value.length; k++) this.value[k] = (1 - t) * a.value[i + k] + t * b.value[j + k];
    return true;
  }

  /* ---- Triangles ---- */

  /* Corners as vertices and, of plane bodies, the side of the slab: -1 or 1. */
  build(trajectory, depth) {
    const flat = trajectory.dimension === 2;
    for (const body of this.bodies) {
      const { points, faces } = trajectory.surfaces[trajectory.shapes[body.shape].surface], place = new Map();
      body.node.forEach((node, v) => place.set(node, v));
      body.rest = new Float32Array(3 * body.vertices);
      body.node.forEach((node, v) => body.rest.set(points.subarray(3 * node, 3 * node + 3), 3 * v));
      const corners = flat ? slabCorners(faces) : faces.flatMap((face) => face.slice(2).flatMap((c, k) => [[face[0], 0], [face[k + 1], 0], [c, 0]]));
      body.corner = Int32Array.from(corners, ([node]) => place.get(node));
      body.side = Float32Array.from(corners, ([, side]) => side * depth);
      body.array = new Float32Array(8 * corners.length);
      body.place = new Float32Array(3 * body.vertices);
      body.normal = new Float32Array(corners.length);
      body.place.set(body.rest);
      trianglesOf(body);
      this.findCreases(body);
    }
  }

  /* Triangles around each corner whose normals make up its own. */
  findCreases(body) {
    const { corner, normal } = body, around = Array.from({ length: body.vertices }, () => []);
    const turn = (k) => Math.hypot(normal[k], normal[k + 1], normal[k + 2]) || 1;
    corner.forEach((v, k) => around[v].push(3 * Math.floor(k / 3)));
    body.crease = new Int32Array(corner.length + 1);
    const list = [];
    corner.forEach((v, k) => {
      const own = 3 * Math.floor(k / 3);
      for (const other of around[v]) {
        const product = normal[own] * normal[other] + normal[own + 1] * normal[other + 1] + normal[own + 2] * normal[other + 2];
        if (product > CREASE * turn(own) * turn(other)) list.push(other);
      }
      if (list.length === body.crease[k]) list.push(own); /* one without area */
      body.crease[k + 1] = list.length;
    });
    body.around = Int32Array.from(list);
  }

  /* Eight numbers a corner, as other geometries have; `cap` is the share of the field, and -1 where it colours. */
  arrayOf(body, field) {
    const { value } = this, { first: at, rest, place, corner, side, array, normal, crease, around } = body;
    for (let v = 0; v < body.vertices; v++)
      for (let c = 0; c < 3; c++) place[3 * v + c] = rest[3 * v + c] + value[6 * (at + v) + c];
    trianglesOf(body);
    for (let k = 0; k < corner.length; k++) {
      const v = corner[k], to = 8 * k;
      let x = 0, y = 0, z = 0;
      for (let n = crease[k]; n < crease[k + 1]; n++) {
        x += normal[around[n]];
        y += normal[around[n] + 1];
        z += normal[around[n] + 2];
      }
      const length = Math.hypot(x, y, z) || 1;
      array[to] = place[3 * v];
      array[to + 1] = place[3 * v + 1];
      array[to + 2] = place[3 * v + 2] + side[k];
      array[to + 3] = x / length;
      array[to + 4] = y / length;
      array[to + 5] = z / length;
      array[to + 6] = field < 0 ? 0 : value[6 * (at + v) + 3 + field];
      array[to + 7] = field < 0 ? 0 : -1;
    }
    return array;
  }

  /* The largest value of a field on a body at the moment. */
  mostOf(number, field) {
    const found = this.bodies.find(({ body }) => body === number);
    let most = 0;
    for (let v = 0; v < found.vertices; v++) most = Math.max(most, this.value[6 * (found.first + v) + 3 + field]);
    return most * this.most[field];
  }

  has(number) {
    return this.bodies.some(({ body }) => body === number);
  }
}

/* Normals of all triangles, as long as twice their areas. */
function trianglesOf({ corner, place, side, normal }) {
  for (let k = 0; k < corner.length; k += 3) {
    const a = 3 * corner[k], b = 3 * corner[k + 1], c = 3 * corner[k + 2];
    const px = place[b] - place[a], py = place[b + 1] - place[a + 1], pz = place[b + 2] + side[k + 1] - place[a + 2] - side[k];
    const qx = place[c] - place[a], qy = place[c + 1] - place[a + 1], qz = place[c + 2] + side[k + 2] - place[a + 2] - side[k];
    normal[k] = py * qz - pz * qy;
    normal[k + 1] = pz * qx - px * qz;
    normal[k + 2] = px * qy - py * qx;
  }
}

/* Triangles of the plane as a slab; edges that two of them share have no side. */
function slabCorners(faces) {
  const edgesOf = (face) => face.map((a, k) => [a, face[(k + 1) % face.length]]);
  const edges = new Set(faces.flatMap(edgesOf).map(([a, b]) => `${a} ${b}`)), corners = [];
  for (const face of faces) {
    for (let k = 2; k < face.length; k++) {
      corners.push([face[0], 1], [face[k - 1], 1], [face[k], 1]);
      corners.push([face[0], -1], [face[k], -1], [face[k - 1], -1]);
    }
    for (const [a, b] of edgesOf(face))
      if (!edges.has(`${b} ${a}`)) corners.push([a, -1], [b, -1], [b, 1], [a, -1], [b, 1], [a, 1]);
  }
  return corners;
}

async function loadSoft(frames) {
  if (!has("soft-figures")) return null;
  const [figures, nodes] = await Promise.all([reals("soft-figures"), inflate("soft-nodes")]);
  return new Soft(Array.from(figures), new Int32Array(nodes), frames);
}

/* 1.2e6 Pa as 1.2 MPa, 3e-4 m as 0.3 mm. */
function withUnit(value, unitName) {
  const prefixes = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
  const [scale, prefix] = prefixes.find(([least]) => value >= 0.9995 * least) || (value > 0 ? prefixes.at(-1) : [1, ""]);
  return `${Number((value / scale).toPrecision(3))} ${prefix}${unitName}`;
}
