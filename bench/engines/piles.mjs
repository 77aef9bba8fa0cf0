// Heaps to compare times with: spheres and boxes that fall into a box, at rest or nearly so at the
// end. The same for every engine; jitter by sines, so that no random numbers are needed.

/** A floor and four walls that enclose [-w, w] x [-w, w]. */
function tray(w, friction) {
  const wall = (half, position) => ({ shape: 'box', half, position, fixed: true, friction });
  return [
    wall([w + 2, w + 2, 0.5], [0, 0, -0.5]),
    wall([0.5, w + 1, 3.5], [w + 0.5, 0, 3]),
    wall([0.5, w + 1, 3.5], [-w - 0.5, 0, 3]),
    wall([w + 1, 0.5, 3.5], [0, w + 0.5, 3]),
    wall([w + 1, 0.5, 3.5], [0, -w - 0.5, 3]),
  ];
}

/** Places of a grid of `across` x `across` columns with a little disorder, from the floor up. */
function* grid(count, across, spacing, disorder) {
  for (let k = 0; k < count; k++) {
    const [i, j, layer] = [
      k % across,
      Math.floor(k / across) % across,
      Math.floor(k / across ** 2),
    ];
    const middle = (across - 1) / 2;
    yield [
      (i - middle) * spacing + disorder * Math.sin(k),
      (j - middle) * spacing + disorder * Math.cos(1.3 * k),
      0.625 * spacing + layer * spacing,
    ].map(Math.fround);
  }
}

export function spheres(count, across) {
  const [radius, friction, spacing] = [0.1, 0.5, 0.24];
  const bodies = tray((across * spacing) / 2 + 0.04, friction);
  const mass = (1000 * 4 * Math.PI * radius ** 3) / 3;
  for (const position of grid(count, across, spacing, 0.02))
    bodies.push({ shape: 'sphere', radius, mass, friction, position });
  return { gravity: [0, 0, -9.81], step: 0.005, bodies };
}

/** Cubes, each turned a little about the vertical. */
export function boxes(count, across) {
  const [half, friction, spacing] = [[0.1, 0.1, 0.1], 0.5, 0.3];
  const bodies = tray((across * spacing) / 2 + 0.04, friction);
  let k = 0;
  for (const position of grid(count, across, spacing, 0.01)) {
    const angle = 0.3 * Math.sin(2.1 * k++);
    const rotation = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    bodies.push({ shape: 'box', half, mass: 8, friction, position, rotation });
  }
  return { gravity: [0, 0, -9.81], step: 0.005, bodies };
}
