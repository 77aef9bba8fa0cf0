#!/usr/bin/python3
"""A rigid sphere on an elastic block against Hertz, and dragged against Cattaneo and Mindlin.

    PYTHONPATH=build/python SLIPCONE_LIBRARY=build/libslipcone.so bench/hertz.py [CELLS ...]

CELLS are those across 1.4 times Hertz's radius of contact a; around them cells grow, the less the finer the mesh
is, so that all of it is refined, to a block of BLOCK radii. A quarter of it is meshed, half of it for the sphere
that is dragged.

A block is stiffer than the half-space of the theory by a share of the order a/BLOCK. It is measured on the
coarsest mesh with blocks of half the size, and taken off: both forces are printed. Radii of contact are by
moments of the nodal forces f, which mesh lines do not round: a^2 = 5/2 sum f r^2 / sum f for Hertz's pressure.
"""

import math
import sys

import numpy as np

import slipcone

YOUNG, POISSON, RADIUS, MU, DEPTH, BLOCK = 1e6, 0.3, 1.0, 0.3, 0.0025, 40
STIFF = YOUNG / (1 - POISSON**2)
CONTACT = math.sqrt(RADIUS * DEPTH)
GROWTH = 2.8  # cells grow by GROWTH / CELLS


def axis(cells, size):
    step, points = 1.4 * CONTACT / cells, [0.0]
    while points[-1] < size:
        if len(points) > cells:
            step *= 1 + GROWTH / cells
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


def hertz(cells, size=BLOCK):
    """Degrees of freedom, size of the block in radii, force and radius over Hertz's."""
    line = axis(cells, size * CONTACT)
    sim = slipcone.Sim(inertia="none-gap", step=1.0, gravity=(0, 0, 0), reach=1e-5, tol=1e-8)
    body = block(sim, line, line, -line[::-1])
    sim.add_support(body, "zmin")
    sim.add_support(body, "xmin", free=(False, True, True))
    sim.add_support(body, "ymin", free=(True, False, True))
    sim.add_body(slipcone.Shape.sphere(RADIUS), motion="told", position=(0, 0, RADIUS),
                 velocity=(0, 0, -DEPTH / 4))
    for _ in range(4):
        sim.step()
    state = body.deformable
    force = -state["force"][:, 2]
    far = np.hypot(state["position"][:, 0], state["position"][:, 1])
    radius = math.sqrt(2.5 * (force * far**2).sum() / force.sum())
    return (3 * len(far), line[-1] / CONTACT, 4 * force.sum() / (4 / 3 * STIFF * math.sqrt(RADIUS) * DEPTH**1.5),
            radius / CONTACT)


def mindlin(cells):
    """Pressed without friction, then dragged with it: stick radii."""
    line = axis(cells, BLOCK / 2 * CONTACT)
    sim = slipcone.Sim(inertia="none-gap", step=1.0, gravity=(0, 0, 0), reach=1e-5, tol=1e-8)
    both = np.concatenate([-line[:0:-1], line])
    body = block(sim, both, line, -line[::-1])
    sim.add_support(body, "zmin")
    sim.add_support(body, "ymin", free=(True, False, True))
    sphere = sim.add_body(slipcone.Shape.sphere(RADIUS), motion="told", position=(0, 0, RADIUS),
                          velocity=(0, 0, -DEPTH / 4))
    sim.on_rule(lambda contact: {"friction": MU if contact.time > 3.5 else 0.0})
    for _ in range(4):
        sim.step()
    worst = 0
    for _ in range(6):
        sim.set_velocity(sphere, (MU * DEPTH / 9, 0, 0))
        sim.step()
        state = body.deformable
        tangential, normal = state["force"][:, 0].sum(), -state["force"][:, 2].sum()
        touching = sim.contacts[np.hypot(*sim.contacts["impulse"].T[:2]) + np.abs(sim.contacts["impulse"][:, 2]) > 0]
        area = np.interp(np.abs(touching["position"][:, 1]), [0, 1e-9], [0.5, 1])  # half a node on the cut
        stuck = touching["status"] == 1
        share = abs(tangential) / (MU * normal)
        if 0 < share < 1 and stuck.any() and (~stuck).any():
            truth, radius = (1 - share)**(1 / 3), math.sqrt(area[stuck].sum() / area.sum())
            worst = max(worst, abs(radius / truth - 1))
            print(f"| {cells} | {share:.3f} | {truth:.3f} | {radius:.3f} | {radius / truth - 1:+.3f} |", flush=True)
    print(f"\nstick radius: at most {worst:.1%} off (asked: 5 %)")


def main():
    cells = [int(word) for word in sys.argv[1:]] or [5, 8, 12]
    _, wide, whole, _ = hertz(cells[0])
    _, narrow, half, _ = hertz(cells[0], BLOCK / 2)
    slope = (half - whole) / (1 / narrow - 1 / wide)
    print(f"a block of B radii is stiffer by {slope / whole:.3f}/B\n")
    print("| cells | dof | force - Hertz | of the half-space | radius - Hertz |\n|---|---|---|---|---|")
    for count in cells:
        dof, wide, force, radius = hertz(count)
        true = force - slope / wide
        print(f"| {count} | {dof} | {force - 1:+.4f} | {true - 1:+.4f} | {radius - 1:+.4f} |", flush=True)
    print(f"\nfinest: force {true - 1:+.1%}, radius {radius - 1:+.1%} (asked: 3 %)\n")
    print("| cells | Q/(mu P) | stick radius, Cattaneo and Mindlin | by the area of nodes | off |\n|---|---|---|---|---|")
    mindlin(cells[min(1, len(cells) - 1)])


if __name__ == "__main__":
    main()
