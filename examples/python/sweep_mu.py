"""From which friction on does a wall stand? One solver, many coefficients, each run from the last.

A brick wall is shaken sideways. With little friction bricks slide; with more they stick. The solver
keeps its memory and starts each run from the impulses of the one before.
"""

# %% The wall, and a solver for all runs
import numpy as np

import slipcone

problem, _ = slipcone.generate("wall", contacts=120, mu=0.1)
solver = slipcone.Solver(problem, tol=1e-8)

# %% The sweep
print("  mu  open stick  slip  iterations  dissipated")
sliding, iterations = [], []
for mu in np.linspace(0.05, 1.0, 20):
    solver.update(mu=mu)
    solver.warm_start()
    result = solver.solve()
    assert result.solved
    r, u = result.impulses, result.velocities
    dissipated = -np.sum(r[:, 1:] * u[:, 1:])  # by friction, in this step
    print(f"{mu:4.2f}  {result.open:4d}  {result.stick:4d}  {result.slip:4d}  "
          f"{result.iterations:10d}  {dissipated:10.3g}")
    sliding.append(result.slip)
    iterations.append(result.iterations)

# %% More friction, fewer that slide
assert sliding[-1] < sliding[0]
assert dissipated > -1e-9
