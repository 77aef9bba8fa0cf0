/* Figures of what is picked. */

const vectorText = (v, unitName) => `(${v.map((x) => shortNumber(x, 4)).join(", ")}) ${unitName}`;

function bodyRows(trajectory, contacts, frame, body) {
  const { motion, time, dimension } = trajectory, near = clamp(Math.round(frame), 0, trajectory.frames - 1);
  const a = Math.max(near - 1, 0), b = Math.min(near + 1, trajectory.frames - 1), span = time[b] - time[a];
  if (![a, near, b].every((k) => motion.block(k)?.done)) return [];
  const here = motion.pose(near, body), before = motion.pose(a, body), after = motion.pose(b, body);
  const velocity = span > 0 ? scaled(sub(after.position, before.position), 1 / span) : [0, 0, 0];
  const half = Math.min(Math.abs(before.rotation.reduce((sum, part, k) => sum + part * after.rotation[k], 0)), 1);
  const spin = span > 0 ? (2 * Math.acos(half)) / span : 0, flat = (v) => v.slice(0, dimension);
  const rows = [["Position", vectorText(flat(here.position), "m")],
    ["Velocity", trajectory.moves[body] ? vectorText(flat(velocity), "m/s") : "does not move"]];
  if (trajectory.moves[body]) rows.push(["Speed", `${shortNumber(norm(velocity))} m/s`], ["Spin", `${shortNumber(spin)} rad/s`]);
  if (trajectory.soft?.has(body))
    FIELDS.forEach(([, , title, unitName], field) => rows.push([title, `at most ${withUnit(trajectory.soft.mostOf(body, field), unitName)}`]));
  const set = contacts.of(near);
  if (set) {
    let count = 0, sum = [0, 0, 0];
    for (let k = 0; k < set.count; k++) {
      const [first, second] = [set.column[0][set.first + k], set.column[1][set.first + k]];
      if (first !== body && second !== body) continue;
      count++;
      sum = add(sum, contacts.get(set, k).impulse, first === body ? 1 : -1);
    }
    rows.push(["Contacts", String(count)], ["Impulse on it", vectorText(flat(sum), "N s")]);
  }
  return rows;
}

function contactRows(trajectory, contacts, frame, number) {
  const set = contacts.of(frame);
  if (!set || number >= set.count) return null;
  const contact = contacts.get(set, number), name = (body) => trajectory.names[body] || (body >= 0 ? `body ${body}` : "world");
  const along = dot(contact.impulse, contact.normal), across = norm(add(contact.impulse, contact.normal, -along));
  const flat = (v) => v.slice(0, trajectory.dimension);
  return [["Status", STATUS[contact.status]], ["Between", contact.bodies.map(name).join(" and ")],
    ["Position", vectorText(flat(contact.position), "m")], ["Normal", vectorText(flat(contact.normal), "")],
    ["Normal impulse", `${shortNumber(along)} N s`], ["Friction impulse", `${shortNumber(across)} N s`],
    ["Ratio", along > 0 ? shortNumber(across / along) : "–"], ["Gap", `${shortNumber(contact.gap, 2)} m`]];
}

/* Rows of names and values into a list; what is the same is left alone. */
function showRows(list, rows) {
  const wanted = rows.flat();
  if (list.children.length !== wanted.length)
    list.replaceChildren(...wanted.map((_, k) => document.createElement(k % 2 ? "dd" : "dt")));
  wanted.forEach((text, k) => {
    const node = list.children[k];
    if (node.textContent !== text) node.textContent = text;
    if (k % 2 === 0) return;
    node.dataset.status = STATUS.includes(text) ? text : "";
  });
}
