/* A trajectory on the stage: instances of its shapes, half-spaces, colours, where to look. */

const PALETTE = ["#d9744f", "#4f86c6", "#6aa67f", "#e0b04c", "#8d76c4", "#c65b74", "#4fa3a5", "#a78b6b"];
const LAYERS = ["#3f6fb0", "#4fa3a5", "#e8c468", "#e08a4c", "#b94f5c"];
const RAMP = ["#30375f", "#2f6f9f", "#45a58d", "#b8c85a", "#f2b14a", "#d9503f"];

const LOOKS = {
  light: { background: "#e4e8ee", backgroundTop: "#f8f9fb", plane: "#e9e9e6", line: "#8f949c", still: "#b9b7b0",
    sky: [0.52, 0.56, 0.62], ground: [0.34, 0.32, 0.30], sunColour: [0.66, 0.62, 0.56], status: ["#8a8f98", "#1f6fd6", "#e0491f", "#f2b705"] },
  dark: { background: "#16181d", backgroundTop: "#23262d", plane: "#2c2f36", line: "#5c626d", still: "#62656d",
    sky: [0.30, 0.34, 0.42], ground: [0.13, 0.13, 0.14], sunColour: [0.75, 0.71, 0.64], status: ["#9aa0ab", "#5aa5ff", "#ff7a45", "#ffd84a"] },
};

const bytesOf = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
const plainColour = (hex) => bytesOf(hex).map((byte) => byte / 255);
const RAMP_COLOURS = RAMP.flatMap(plainColour);
const linearColour = (hex) => plainColour(hex).map((part) => part ** 2.2);

function lookOf(theme, flat) {
  const look = LOOKS[theme];
  return { ...look, up: flat ? [0, 1, 0] : [0, 0, 1], sun: unit(flat ? [-0.35, 0.6, 0.9] : [0.5, -0.62, 1.15]),
    background: plainColour(look.background), backgroundTop: plainColour(look.backgroundTop),
    plane: linearColour(look.plane), line: linearColour(look.line), status: look.status.map(linearColour) };
}

function ramp(value) {
  const at = clamp(value, 0, 1) * (RAMP.length - 1), k = Math.min(Math.floor(at), RAMP.length - 2);
  const a = bytesOf(RAMP[k]), b = bytesOf(RAMP[k + 1]);
  return a.map((part, c) => Math.round(mix(part, b[c], at - k)));
}

class Stage {
  constructor(trajectory, renderer) {
    Object.assign(this, { trajectory, renderer, flat: trajectory.dimension === 2 });
    renderer.setBodies(trajectory.bodies);
    this.findSizes();
    this.findBox();
    this.depth = 0.03 * this.size;
    this.findGlass();
    this.addShapes();
    this.addPlanes();
  }

  /* How far each body reaches from its origin, its shapes but for half-spaces. */
  findSizes() {
    const { trajectory } = this;
    this.reach = new Float64Array(trajectory.bodies);
    for (const shape of trajectory.shapes) {
      if (shape.body < 0 || shape.kind === HALF_SPACE) continue;
      const { kind, radius, length, edges, surface } = shape;
      let own = radius;
      if (kind === BOX) own = norm(edges) / 2;
      else if (kind === CAPSULE || kind === CYLINDER) own = radius + length / 2;
      else if (surface >= 0) {
        const { points } = trajectory.surfaces[surface];
        own = 0;
        for (let k = 0; k < points.length; k += 3) own = Math.max(own, Math.hypot(points[k], points[k + 1], points[k + 2]));
      }
      this.reach[shape.body] = Math.max(this.reach[shape.body], norm(shape.position) + own);
    }
  }

  /* Where things happen: bodies that move, most of the time; one that falls for ever does not count. */
  findBox() {
    const { trajectory } = this, { curve, motion } = trajectory;
    const part = (values, share) => {
      const sorted = Array.from(values).filter(Number.isFinite).sort((a, b) => a - b);
      return sorted.length ? sorted[Math.round(share * (sorted.length - 1))] : NaN;
    };
    const sizes = Array.from(this.reach).filter((r, body) => r > 0 && trajectory.moves[body]).sort((a, b) => a - b);
    const margin = sizes.length ? sizes[Math.floor(0.9 * (sizes.length - 1))] : 0;
    this.bodySize = sizes.length ? sizes[Math.floor(sizes.length / 2)] : 0;
    this.low = ["lowX", "lowY", "lowZ"].map((name) => Math.min(part(curve[name], 0.1), curve[name].at(0)) - margin);
    this.high = ["highX", "highY", "highZ"].map((name) => Math.max(part(curve[name], 0.9), curve[name].at(0)) + margin);
    const found = this.low.every(Number.isFinite) && this.high.every(Number.isFinite);
    if (!found) [this.low, this.high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    const span = found ? Math.max(...sub(this.high, this.low)) : 0;
    for (let body = 0; body < trajectory.bodies; body++) {
      const r = this.reach[body];
      if (trajectory.soft?.has(body)) {
        this.widen(...this.softBox(body), 1);
        continue;
      }
      const large = trajectory.moves[body] && r > 4 * this.bodySize; /* such as a drum that turns */
      if ((trajectory.moves[body] && !large) || r === 0 || (found && r > 1.2 * span)) continue;
      const { position } = motion.pose(0, body);
      this.widen(add(position, [1, 1, this.flat ? 0 : 1], -r), add(position, [1, 1, this.flat ? 0 : 1], r), found ? 0.7 : 1);
    }
    if (!this.low.every(Number.isFinite)) [this.low, this.high] = [[-1, -1, -1], [1, 1, 1]];
    if (this.flat) this.low[2] = this.high[2] = 0;
    this.size = Math.max(...sub(this.high, this.low)) || 1;
    this.bodySize ||= this.size / 10;
  }

  /* Where the surface of a deformable body is at first, but for its displacements. */
  softBox(number) {
    const { motion, shapes, soft, surfaces } = this.trajectory, { position, rotation } = motion.pose(0, number);
    const { node, shape } = soft.bodies.find(({ body }) => body === number), { points } = surfaces[shapes[shape].surface];
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const k of node) {
      const at = add(position, rotate(rotation, Array.from(points.subarray(3 * k, 3 * k + 3))));
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis], at[axis]);
        high[axis] = Math.max(high[axis], at[axis]);
      }
    }
    return [low, high];
  }

  widen(low, high, share) {
    const middle = scaled(add(low, high), 0.5);
    for (let axis = 0; axis < 3; axis++) {
      this.low[axis] = Math.min(this.low[axis], mix(middle[axis], low[axis], share));
      this.high[axis] = Math.max(this.high[axis], mix(middle[axis], high[axis], share));
    }
  }

  get centre() {
    return scaled(add(this.low, this.high), 0.5);
  }

  /* Bodies around the others (a drum, a funnel) are drawn as glass. */
  findGlass() {
    const { trajectory } = this, { motion } = trajectory;
    this.glass = new Uint8Array(trajectory.bodies);
    const several = new Map();
    for (const { body, kind } of trajectory.shapes) if (body >= 0 && kind !== HALF_SPACE) several.set(body, (several.get(body) || 0) + 1 + (kind === MESH));
    const places = [];
    for (let body = 0; body < trajectory.bodies; body++) if (trajectory.moves[body]) places.push([body, motion.pose(0, body).position]);
    if (places.length < 4 || this.flat) return;
    for (const [body, shapes] of several) {
      if (shapes < 2 || this.reach[body] < 4 * this.bodySize) continue;
      const centre = motion.pose(0, body).position;
      const inside = places.filter(([other, at]) => other !== body && norm(sub(at, centre)) < this.reach[body]).length;
      if (inside > 0.6 * (places.length - 1)) this.glass[body] = 1;
    }
  }

  addShapes() {
    const { trajectory, renderer } = this, groups = new Map();
    const { soft } = trajectory;
    for (const [number, shape] of trajectory.shapes.entries()) {
      if (shape.body < 0 || soft?.bodies.some((body) => body.shape === number)) continue;
      const piece = this.pieceFor(shape);
      if (!piece) continue;
      const glass = this.glass[shape.body] === 1, key = `${piece.name} ${glass}`;
      if (!groups.has(key)) groups.set(key, { piece, glass, instances: [] });
      groups.get(key).instances.push({ body: shape.body, scale: piece.scale, position: piece.position || shape.position,
        rotation: piece.rotation || shape.rotation });
    }
    for (const { piece, glass, instances } of groups.values())
      renderer.addInstances(piece.make ? piece.make() : null, instances, glass);
    soft?.build(trajectory, this.depth);
    for (const body of soft?.bodies || []) body.draw = renderer.addSoft(body.body, body.corner.length);
  }

  /* Surfaces of deformable bodies as they are; `field`: the number of the one that colours them, or -1. */
  deform(field) {
    const { soft } = this.trajectory;
    for (const body of soft.bodies) this.renderer.setSoft(body.draw, soft.arrayOf(body, field));
  }

  pieceFor(shape) {
    const { trajectory, depth } = this;
    if (shape.kind === SEGMENT) {
      const piece = segmentPiece(shape, trajectory, depth);
      return { ...piece, position: add(shape.position, rotate(shape.rotation, piece.position)),
        rotation: productOf(shape.rotation, piece.rotation) };
    }
    if (shape.kind === HALF_SPACE && this.flat) {
      const n = unit(rotate(shape.rotation, shape.normal)), angle = (Math.atan2(n[1], n[0]) - Math.PI / 2) / 2;
      const thick = 0.05 * this.size;
      return { name: "box", make: boxGeometry, scale: [4 * this.size, thick, 1.5 * depth, 0], position: add(shape.position, n, -thick),
        rotation: [Math.cos(angle), 0, 0, Math.sin(angle)] };
    }
    return pieceOf(shape, trajectory, depth);
  }

  addPlanes() {
    if (this.flat) return;
    const { trajectory, renderer } = this;
    const grid = niceStep(this.size, 14), lead = Math.round(grid / 10 ** Math.floor(Math.log10(grid) + 1e-9));
    this.grid = grid;
    this.coarser = { 1: 10, 2: 5, 5: 10 }[lead] || 10;
    this.halfSpaces = trajectory.shapes.filter(({ kind, body }) => kind === HALF_SPACE && body >= 0);
    renderer.planes = this.halfSpaces.map(() => ({ grid, coarser: this.coarser, extent: 4 * this.size }));
    renderer.planes.forEach((plane) => { plane.seen = ({ eye }) => dot(plane.normal, eye[3] ? sub(eye, plane.origin) : eye) > 0; });
    this.hasFloor = this.halfSpaces.length > 0;
    if (this.hasFloor) return;
    const origin = [this.centre[0], this.centre[1], this.low[2] - 0.02 * this.size];
    renderer.planes.push({ grid, coarser: this.coarser, extent: 2.2 * this.size, wall: true, origin, normal: [0, 0, 1], across: [1, 0, 0], along: [0, 1, 0],
      middle: origin, seen: () => true });
  }

  /* Half-spaces where their bodies are now. */
  placePlanes() {
    const { renderer } = this, poses = renderer.poseStore;
    (this.halfSpaces || []).forEach((shape, k) => {
      const at = 8 * shape.body, q = Array.from(poses.subarray(at + 4, at + 8)), plane = renderer.planes[k];
      const n = unit(rotate(q, rotate(shape.rotation, shape.normal)));
      const origin = add(Array.from(poses.subarray(at, at + 3)), rotate(q, shape.position));
      const across = unit(Math.abs(n[2]) > 0.999 ? [1, 0, 0] : cross([0, 0, 1], n));
      const middle = add(this.centre, n, -dot(sub(this.centre, origin), n));
      Object.assign(plane, { normal: n, origin: middle, across, along: cross(n, across), middle, wall: n[2] < 0.3 });
      plane.extent = (plane.wall ? 1.6 : 4) * this.size;
    });
  }

  /* Colours of all bodies: "bodies" or "speed". */
  colour(mode, theme) {
    const { trajectory, renderer } = this, store = renderer.colourStore;
    const still = bytesOf(LOOKS[theme].still), own = this.ownColours();
    let fastest = 1e-9;
    for (let body = 0; mode === "speed" && body < trajectory.bodies; body++) fastest = Math.max(fastest, renderer.poseStore[8 * body + 3]);
    this.fastest = Math.max(fastest, 0.97 * (this.fastest || 0));
    for (let body = 0; body < trajectory.bodies; body++) {
      let c = own[body];
      if (!this.hasColour(body) || this.glass[body]) c = still;
      else if (mode === "speed") c = ramp(Math.sqrt(renderer.poseStore[8 * body + 3] / this.fastest));
      store.set(c, 4 * body);
    }
    renderer.uploadColours();
  }

  hasColour(body) {
    return this.trajectory.moves[body] || this.trajectory.soft?.has(body);
  }

  /* Few bodies of a kind have a colour each, many show where they were at the start: layers that mix. */
  ownColours() {
    if (this.colours) return this.colours;
    const { trajectory } = this, { motion } = trajectory, groups = new Map(), axis = this.flat ? 1 : 2;
    for (let body = 0; body < trajectory.bodies; body++) {
      if (!this.hasColour(body)) continue;
      const group = trajectory.names[body].split("/")[0];
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(body);
    }
    this.colours = new Array(trajectory.bodies).fill([180, 180, 180]);
    let next = 0;
    for (const bodies of groups.values()) {
      const many = bodies.length > 60, order = many ? [...bodies].sort((a, b) => motion.pose(0, a).position[axis] - motion.pose(0, b).position[axis]) : bodies;
      order.forEach((body, k) => {
        const list = many ? LAYERS : PALETTE, c = bytesOf(many ? list[Math.floor((k * list.length) / order.length)] : list[next++ % list.length]);
        const shade = 0.93 + 0.14 * ((body * 0.61803) % 1);
        this.colours[body] = c.map((part) => clamp(Math.round(part * shade), 0, 255));
      });
    }
    return this.colours;
  }

  /* The sun's shadow covers what moves. */
  setBounds() {
    const radius = 0.62 * norm(sub(this.high, this.low)) + this.bodySize;
    this.renderer.bounds = { centre: this.centre, radius: Math.max(radius, 1e-9) };
    this.renderer.occlusionRadius = clamp(1.6 * this.bodySize, 0.02 * this.size, 0.12 * this.size);
  }
}

function productOf(p, q) {
  return [p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]];
}
