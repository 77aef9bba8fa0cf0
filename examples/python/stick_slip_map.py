"""Which part of a surface sticks, and when: an elastic block is pressed on a foundation, and dragged.

One line for each step of scenes/block-dragged.yaml, one letter for each contact from left to right: o where it sticks,
> where it slips, and a blank where it is open.
"""

# %% The scene
import pathlib

import numpy as np
from slipcone import Sim

folder = pathlib.Path(__file__).resolve().parents[2]
sim = Sim(str(folder / "scenes" / "block-dragged.yaml"))

# %% The map
stuck = []
for step in range(1, sim.scene.steps + 1):
    sim.step()
    status = sim.contacts["status"][np.argsort(sim.contacts["position"][:, 0])]
    stuck.append(status == 1)
    print(f"{step:3} |{''.join(' o>'[k] for k in status)}|")

# %% It slides from the leading end on
widths = [int(line.sum()) for line in stuck]
leading = [int(np.flatnonzero(line).max()) for line in stuck if line.any()]
print(f"at most {max(widths)} of {len(stuck[0])} contacts stick; from step {widths.index(0) + 1} on none does")
assert leading == sorted(leading, reverse=True)  # what slips at the right end only grows
assert widths[0] > 10 and widths[-1] == 0
