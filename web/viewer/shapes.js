/* Shapes as triangles. A geometry has eight numbers for each corner: position, normal, and two for
   `cap`: the end of a capsule it belongs to, and whether it is round (1: shows how it turns). */

const SPHERE = 0, BOX = 1, CAPSULE = 2, CYLINDER = 3, HALF_SPACE = 4, HULL = 5, MESH = 6, DISC = 7, POLYGON = 8, SEGMENT = 9;

class Geometry {
  constructor() {
    this.corners = [];
    this.count = 0;
  }

  put(p, n, cap = 0, round = 0) {
    this.corners.push(p[0], p[1], p[2], n[0], n[1], n[2], cap, round);
    this.count++;
  }

  /* A convex polygon as a fan. */
  face(points, normal, round = 0) {
    for (let k = 2; k < points.length; k++)
      for (const p of [points[0], points[k - 1], points[k]]) this.put(p, normal, 0, round);
  }

  array() {
    return new Float32Array(this.corners);
  }
}

/* Twice the area of a polygon, along its normal. */
function areaOf(points) {
  let area = [0, 0, 0];
  for (let k = 0; k < points.length; k++)
    area = add(area, cross(sub(points[k], points[0]), sub(points[(k + 1) % points.length], points[0])));
  return area;
}

function boxGeometry() {
  const made = new Geometry();
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1]) {
      const n = [0, 0, 0], a = [0, 0, 0], b = [0, 0, 0];
      n[axis] = side;
      a[(axis + 1) % 3] = 1;
      b[(axis + 2) % 3] = side;
      made.face([[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([s, t]) => add(add(n, a, s), b, t)), n);
    }
  return made;
}

function circle(count) {
  return Array.from({ length: count }, (_, k) => [Math.cos((2 * Math.PI * k) / count), Math.sin((2 * Math.PI * k) / count)]);
}

/* Radius 1, from -1 to 1 along z. */
function cylinderGeometry(around = 48, round = 1) {
  const made = new Geometry(), ring = circle(around);
  for (let k = 0; k < around; k++) {
    const [a, b] = [ring[k], ring[(k + 1) % around]];
    for (const [p, z] of [[a, -1], [b, -1], [b, 1], [a, -1], [b, 1], [a, 1]]) made.put([p[0], p[1], z], [p[0], p[1], 0], 0, round);
  }
  made.face(ring.map(([x, y]) => [x, y, 1]), [0, 0, 1], round);
  made.face(ring.map(([x, y]) => [x, y, -1]).reverse(), [0, 0, -1], round);
  return made;
}

/* A sphere whose halves are moved apart by `cap`. */
function capsuleGeometry(around = 32, rings = 16) {
  const made = new Geometry();
  const at = (i, k) => {
    const polar = (Math.PI * i) / rings, turn = (2 * Math.PI * k) / around;
    return [Math.sin(polar) * Math.cos(turn), Math.sin(polar) * Math.sin(turn), Math.cos(polar)];
  };
  const rows = [];
  for (let i = 0; i <= rings; i++) {
    rows.push([i, 1]);
    if (i === rings / 2) rows.push([i, -1]);
  }
  for (let r = 0; r < rows.length; r++) if (r > rings / 2) rows[r][1] = -1;
  for (let r = 0; r + 1 < rows.length; r++)
    for (let k = 0; k < around; k++) {
      const [i, top] = rows[r], [j, bottom] = rows[r + 1];
      for (const [row, turn, cap] of [[i, k, top], [j, k, bottom], [j, k + 1, bottom], [i, k, top], [j, k + 1, bottom], [i, k + 1, top]])
        made.put(at(row, turn), at(row, turn), cap, 1);
    }
  return made;
}

function surfaceGeometry({ points, faces }) {
  const made = new Geometry(), point = (k) => [points[3 * k], points[3 * k + 1], points[3 * k + 2]];
  for (const face of faces) {
    const corners = face.map(point);
    made.face(corners, unit(areaOf(corners)));
  }
  return made;
}

/* Polygons of the plane as a slab from -1 to 1 along z; edges that two of them share have no side. */
function prismGeometry({ points, faces }) {
  const made = new Geometry(), at = (k, z) => [points[3 * k], points[3 * k + 1], z];
  const edgesOf = (face) => face.map((a, k) => [a, face[(k + 1) % face.length]]);
  const edges = new Set(faces.flatMap(edgesOf).map(([a, b]) => `${a} ${b}`));
  for (const face of faces) {
    made.face(face.map((k) => at(k, 1)), [0, 0, 1]);
    made.face(face.map((k) => at(k, -1)).reverse(), [0, 0, -1]);
    for (const [a, b] of edgesOf(face)) {
      if (edges.has(`${b} ${a}`)) continue;
      const [p, q] = [at(a, 0), at(b, 0)];
      made.face([at(a, -1), at(b, -1), at(b, 1), at(a, 1)], unit([q[1] - p[1], p[0] - q[0], 0]));
    }
  }
  return made;
}

/* An arrow of length 1 along z: `cap` is 1 at the head, which keeps its shape whatever the length. */
function arrowGeometry(around = 12) {
  const made = new Geometry(), ring = circle(around);
  for (let k = 0; k < around; k++) {
    const a = ring[k], b = ring[(k + 1) % around], middle = unit([a[0] + b[0], a[1] + b[1], 0]);
    for (const [p, cap] of [[a, 0], [b, 0], [b, 1], [a, 0], [b, 1], [a, 1]])
      made.put([p[0] * 0.4, p[1] * 0.4, 0], [p[0], p[1], 0], cap);
    for (const p of [[a[0], a[1], 0], [b[0], b[1], 0], [0, 0, 2.6]]) made.put(p, unit(add(middle, [0, 0, 0.4])), 1);
    for (const p of [[b[0], b[1], 0], [a[0], a[1], 0], [0, 0, 0]]) made.put(p, [0, 0, -1], 1);
  }
  return made;
}

/* How a shape is drawn: the geometry's name, what makes it, and the scale of each instance. */
function pieceOf(shape, trajectory, depth) {
  const { kind, radius, length, edges, surface } = shape;
  switch (kind) {
    case SPHERE: return { name: "sphere", scale: [radius, radius, radius, 0] };
    case BOX: return { name: "box", make: boxGeometry, scale: [edges[0] / 2, edges[1] / 2, edges[2] / 2, 0] };
    case CAPSULE: return { name: "capsule", make: capsuleGeometry, scale: [radius, radius, radius, length / 2] };
    case CYLINDER: return { name: "cylinder", make: cylinderGeometry, scale: [radius, radius, length / 2, 0] };
    case DISC: return { name: "cylinder", make: cylinderGeometry, scale: [radius, radius, depth, 0] };
    case POLYGON: return { name: `prism-${surface}`, make: () => prismGeometry(trajectory.surfaces[surface]), scale: [1, 1, depth, 0] };
    case HULL: case MESH: {
      const flat = trajectory.dimension === 2;
      const make = () => (flat ? prismGeometry : surfaceGeometry)(trajectory.surfaces[surface]);
      return { name: `surface-${surface}`, make, scale: [1, 1, flat ? depth : 1, 0] };
    }
    default: return null; /* half-spaces and segments have drawings of their own */
  }
}

/* A segment of the plane is a thin box. */
function segmentPiece(shape, trajectory, depth) {
  const p = trajectory.surfaces[shape.surface].points, a = [p[0], p[1], 0], b = [p[3], p[4], 0];
  const angle = Math.atan2(b[1] - a[1], b[0] - a[0]) / 2;
  return { name: "box", make: boxGeometry, scale: [norm(sub(b, a)) / 2, depth / 8, depth, 0],
    position: scaled(add(a, b), 0.5), rotation: [Math.cos(angle), 0, 0, Math.sin(angle)] };
}
