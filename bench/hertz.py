#!/usr/bin/python3
"""A rigid sphere on an elastic block against Hertz, and dragged against Cattaneo and Mindlin.

    PYTHONPATH=build/python SLIPCONE_LIBRARY=build/libslipcone.so bench/hertz.py [CELLS ...]

CELLS are those across 1.4 times Hertz's radius of contact; around them cells grow, to a block of 120
radii. A quarter of it is meshed, half of it for the sphere that is dragged.
"""

import math
import sys

import numpy as np

import slipcone

YOUNG, POISSON, RADIUS, MU = 1e6, 0.3, 1.0, 0.3
STIFF = YOUNG / (1 - POISSON**2)


def axis(cells, contact, size):
    growth, step, points = 1.0 + 3.6 / (cells + 0.0), 1.4 * contact / cells, [0.0]
    growth = max(1.4, min(1.8, growth))
    while points[-1] < size:
        if len(points) > cells:
            step *= growth
        points.append(points[-1] + step)
    return np.array(points)


def block(sim, x, y, z):
    """Hexahedra between these planes."""
    shape = (len(x), len(y), len(z))
    points = np.stack(np.meshgrid(x, y, z, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(points)).reshape(shape)
    corner = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    elements = np.stack([number[i:shape[0] - 1 + i, j:shape[1] - 1 + j, k:shape[2] - 1 + k].ravel()
                         for i, j, k in corner], -1)
    return sim.add_deformable(points=points, elements=elements.astype(np.int32), young=YOUNG,
                              poisson=POISSON, name="block")


def hertz(cells, depth=0.0025):
    contact = math.sqrt(RADIUS * depth)
    line = axis(cells, contact, 120 * contact)
    sim = slipcone.Sim(inertia="none-gap", step=1.0, gravity=(0, 0, 0), reach=1e-5, tol=1e-8)
    body = block(sim, line, line, -line[::-1])
    sim.add_support(body, "zmin")
    sim.add_support(body, "xmin", free=(False, True, True))
    sim.add_support(body, "ymin", free=(True, False, True))
    sim.add_body(slipcone.Shape.sphere(RADIUS), motion="told", position=(0, 0, RADIUS),
                 velocity=(0, 0, -depth / 4))
    for _ in range(4):
        sim.step()
    state = body.deformable
    force = -4 * state["force"][:, 2].sum()
    top = state["rest"][:, 2] == 0
    far = np.hypot(state["position"][:, 0], state["position"][:, 1])
    closed = state["force"][:, 2] < 0
    radius = (far[closed].max() + far[top & ~closed].min()) / 2
    print(f"| {cells} | {3 * len(far)} | {force / (4 / 3 * STIFF * math.sqrt(RADIUS) * depth**1.5) - 1:+.3f}"
          f" | {radius / contact - 1:+.3f} |", flush=True)


def mindlin(cells, depth=0.0025):
    """Pressed without friction, then dragged with it."""
    contact = math.sqrt(RADIUS * depth)
    line = axis(cells, contact, 40 * contact)
    sim = slipcone.Sim(inertia="none-gap", step=1.0, gravity=(0, 0, 0), reach=1e-5, tol=1e-8)
    both = np.concatenate([-line[:0:-1], line])
    body = block(sim, both, line, -line[::-1])
    sim.add_support(body, "zmin")
    sim.add_support(body, "ymin", free=(True, False, True))
    sphere = sim.add_body(slipcone.Shape.sphere(RADIUS), motion="told", position=(0, 0, RADIUS),
                          velocity=(0, 0, -depth / 4))

    sim.on_rule(lambda contact: {"friction": MU if contact.time > 3.5 else 0.0})
    for _ in range(4):
        sim.step()
    for _ in range(6):
        sim.set_velocity(sphere, (MU * depth / 9, 0, 0))
        sim.step()
        state = body.deformable
        tangential, normal = state["force"][:, 0].sum(), -state["force"][:, 2].sum()
        touching = sim.contacts[np.hypot(*sim.contacts["impulse"].T[:2]) + np.abs(sim.contacts["impulse"][:, 2]) > 0]
        far = np.hypot(touching["position"][:, 0], touching["position"][:, 1])
        stuck = touching["status"] == 1
        share = abs(tangential) / (MU * normal)
        if 0 < share < 1 and stuck.any() and (~stuck).any():
            radius = math.sqrt(stuck.mean())
            middle = (far[stuck].max() + far[~stuck].min()) / 2 / contact
            print(f"| {cells} | {share:.3f} | {(1 - share)**(1 / 3):.3f} | {radius:.3f} | {middle:.3f} |",
                  flush=True)


def main():
    cells = [int(word) for word in sys.argv[1:]] or [5, 8, 12]
    print("| cells | dof | force - Hertz | radius - Hertz |\n|---|---|---|---|")
    for count in cells:
        hertz(count)
    print("\n| cells | Q/(mu P) | stick radius, Cattaneo and Mindlin | by number of nodes | by radius |"
          "\n|---|---|---|---|---|")
    mindlin(cells[min(1, len(cells) - 1)])


if __name__ == "__main__":
    main()
