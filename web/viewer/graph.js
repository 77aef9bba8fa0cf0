/* A contact problem as a graph: contacts are nodes; bodies (or blocks of W) join them. */

async function loadProblem([, title, version]) {
  const [[dimension, contacts, groups, residual, dof], first, to, impulses, velocities, errors, statuses, frictions] = await Promise.all([
    reals("figures"), inflate("graph-first"), inflate("graph-to"), reals("impulses"), reals("velocities"), reals("errors"),
    inflate("statuses"), reals("frictions")]);
  return { title, version, dimension, contacts, groups, residual, dof, impulses, velocities, errors, frictions,
    statuses: new Int32Array(statuses), first: new Int32Array(first), to: new Int32Array(to) };
}

/* Nodes and edges: contacts first, then the bodies that join them. */
function graphOf({ contacts, groups, first, to }) {
  const edges = [];
  for (let a = 0; a < contacts; a++)
    for (let k = first[a]; k < first[a + 1]; k++)
      if (groups) edges.push([a, contacts + to[k]]);
      else if (to[k] < a) edges.push([a, to[k]]);
  const nodes = contacts + groups, near = Array.from({ length: nodes }, () => []);
  for (const [a, b] of edges) {
    near[a].push(b);
    near[b].push(a);
  }
  return { nodes, edges, near };
}

function distancesFrom(near, start, members) {
  const away = new Map([[start, 0]]), queue = [start];
  for (let k = 0; k < queue.length; k++)
    for (const other of near[queue[k]])
      if (!away.has(other)) {
        away.set(other, away.get(queue[k]) + 1);
        queue.push(other);
      }
  return members ? Float64Array.from(members, (node) => away.get(node)) : queue;
}

/* Places for the nodes of one component, from their distances to a few pivots (Brandes and Pich 2007,
   "Eigensolver methods for progressive multidimensional scaling"). */
function pivotLayout(near, members) {
  const count = members.length, pivots = Math.min(40, count), columns = [];
  let next = 0;
  const least = new Float64Array(count).fill(Infinity);
  for (let p = 0; p < pivots; p++) {
    const away = distancesFrom(near, members[next], members);
    columns.push(away.map((d) => d * d));
    for (let k = 0; k < count; k++) least[k] = Math.min(least[k], away[k]);
    next = least.reduce((best, d, k) => (d > least[best] ? k : best), 0);
  }
  const rowMean = new Float64Array(count);
  for (const column of columns) for (let k = 0; k < count; k++) rowMean[k] += column[k] / pivots;
  const all = rowMean.reduce((sum, x) => sum + x, 0) / count;
  for (const column of columns) {
    const mean = column.reduce((sum, x) => sum + x, 0) / count;
    for (let k = 0; k < count; k++) column[k] = -0.5 * (column[k] - rowMean[k] - mean + all);
  }
  const square = columns.map((a) => columns.map((b) => a.reduce((sum, x, k) => sum + x * b[k], 0)));
  const axes = [], place = Array.from({ length: count }, () => [0, 0, 0]);
  for (let axis = 0; axis < Math.min(3, pivots); axis++) {
    let v = Float64Array.from({ length: pivots }, (_, k) => Math.sin(1 + 7 * k + 3 * axis)), length = 0;
    for (let turn = 0; turn < 60; turn++) {
      for (const other of axes) {
        const along = other.reduce((sum, x, k) => sum + x * v[k], 0);
        v = v.map((x, k) => x - along * other[k]);
      }
      const w = Float64Array.from(square, (row) => row.reduce((sum, x, k) => sum + x * v[k], 0));
      length = Math.max(Math.hypot(...w), 1e-12 * count * count);
      v = w.map((x) => x / length);
    }
    axes.push(v);
    const scale = (count / pivots / length) ** 0.25; /* as from all distances, not those to pivots only */
    for (let k = 0; k < count; k++) place[k][axis] = columns.reduce((sum, column, p) => sum + column[k] * v[p], 0) * scale;
  }
  return place;
}

/* Neighbours towards a unit apart, all others that are near away from each other. */
function relax(place, edges, turns) {
  const count = place.length, push = Array.from({ length: count }, () => [0, 0, 0]);
  for (let turn = 0; turn < turns; turn++) {
    const heat = 0.4 * (1 - turn / turns), cells = new Map();
    place.forEach((p, k) => {
      push[k].fill(0);
      const key = p.map((x) => Math.floor(x / 1.5)).join();
      if (!cells.has(key)) cells.set(key, []);
      cells.get(key).push(k);
    });
    for (const [key, cell] of cells) {
      const [x, y, z] = key.split(",").map(Number);
      for (let side = 0; side < 27; side++) {
        const other = cells.get([x + (side % 3) - 1, y + (Math.floor(side / 3) % 3) - 1, z + Math.floor(side / 9) - 1].join());
        for (const b of (other || []).slice(0, 40))
          for (const a of cell) {
            if (a === b) continue;
            const d = sub(place[a], place[b]), far = norm(d);
            if (far > 1.5) continue;
            const way = far > 1e-9 ? scaled(d, 1 / far) : unit([Math.sin(a), Math.cos(3 * a), Math.sin(7 * a)]);
            for (let c = 0; c < 3; c++) push[a][c] += 0.5 * way[c] * (1.5 - far);
          }
      }
    }
    for (const [a, b] of edges) {
      const d = sub(place[b], place[a]), far = norm(d) || 1;
      for (let c = 0; c < 3; c++) {
        push[a][c] += (0.3 * d[c] * (far - 1)) / far;
        push[b][c] -= (0.3 * d[c] * (far - 1)) / far;
      }
    }
    place.forEach((p, k) => {
      const size = norm(push[k]), step = Math.min(heat, heat * size) / (size || 1);
      for (let c = 0; c < 3; c++) p[c] += step * push[k][c];
    });
  }
}

/* Components beside each other, the largest in the middle of a spiral. */
function layOutGraph({ nodes, edges, near }) {
  const seen = new Uint8Array(nodes), parts = [], place = new Array(nodes);
  for (let node = 0; node < nodes; node++) {
    if (seen[node]) continue;
    const members = distancesFrom(near, node, null);
    for (const one of members) seen[one] = 1;
    const at = members.length > 1 ? pivotLayout(near, members) : [[0, 0, 0]], number = new Map(members.map((one, k) => [one, k]));
    const own = members.flatMap((a) => near[a].filter((b) => b < a).map((b) => [number.get(a), number.get(b)]));
    if (members.length > 1) relax(at, own, members.length > 4000 ? 15 : 60);
    const middle = [0, 1, 2].map((c) => at.reduce((sum, p) => sum + p[c], 0) / at.length);
    at.forEach((p, k) => { at[k] = sub(p, middle); });
    parts.push({ members, at, radius: at.reduce((most, p) => Math.max(most, norm(p)), 0) + 1 });
  }
  parts.sort((a, b) => b.radius - a.radius || a.members[0] - b.members[0]);
  let turn = 0, out = 0;
  parts.forEach(({ members, at, radius }, k) => {
    if (k > 0) {
      out = Math.max(out, parts[0].radius + radius);
      const step = (2.1 * radius) / out;
      turn += step;
      out += (2.1 * radius * step) / (2 * Math.PI);
    }
    const centre = k > 0 ? [out * Math.cos(turn), 0, out * Math.sin(turn)] : [0, 0, 0];
    members.forEach((node, m) => { place[node] = add(at[m], centre); });
  });
  return place;
}

/* Rows for the contact that is picked. */
function problemRows(problem, k) {
  const d = problem.dimension, r = Array.from(problem.impulses.subarray(d * k, d * (k + 1))), u = Array.from(problem.velocities.subarray(d * k, d * (k + 1)));
  const across = (v) => Math.hypot(...v.slice(1));
  return [["Status", STATUS[clamp(problem.statuses[k], 0, 2)]], ["Error", shortNumber(problem.errors[k])],
    ["Share of the square", `${shortNumber((100 * problem.errors[k] ** 2) / (problem.residual ** 2 || 1))} %`],
    ["Friction μ", shortNumber(problem.frictions[k], 4)], ["Impulse r", vectorText(r, "")], ["Velocity u", vectorText(u, "")],
    ["|r_T| / r_N", r[0] > 0 ? shortNumber(across(r) / r[0]) : "–"], ["Sliding speed", shortNumber(across(u))]];
}
