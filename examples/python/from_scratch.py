"""A contact problem from scratch: two blocks on top of each other, the lower one pushed.

The unknowns are the impulses r of the contacts in one time step, the normal first. Each block has
the mass 1 and moves in three directions; a contact sees the relative velocity u of what it joins.
"""

# %% The bodies, their contacts, and what acts on them in a step of 0.01 s
import numpy as np

import slipcone

step, gravity, push = 0.01, 9.81, 20.0
M = np.eye(6)  # two blocks of mass 1, three velocities each: z, x, y
lower, upper = np.eye(6)[:, :3], np.eye(6)[:, 3:]
H = np.hstack([lower, upper - lower])  # ground to lower block, lower to upper block
f = step * np.array([-gravity, push, 0, -gravity, 0, 0])

# %% Solve it: does the upper block go along?
result = slipcone.solve(M=M, H=H, f=f, mu=[0.3, 0.5], tol=1e-12)
print(result)

# %% The figures, by hand
normal = step * gravity
assert np.allclose(result.impulses[:, 0], [2 * normal, normal])  # the weights
assert result.status[0] == slipcone.SLIP  # 0.3 * 2 * 9.81 = 5.9 is less than 20
velocity = result.v.reshape(2, 3)[:, 1]
if result.status[1] == slipcone.STICK:
    print(f"both move at {velocity[0]:.4f} m/s")
else:
    print(f"the lower block moves at {velocity[0]:.4f} m/s, the upper one at {velocity[1]:.4f} m/s")

# %% The same in the local form u = W r + q, with W = H' M^-1 H
problem = slipcone.Problem(M=M, H=H, f=f, mu=[0.3, 0.5]).reduce()
print(problem, "W =", problem.W.toarray(), sep="\n")
again = slipcone.solve(problem, tol=1e-12)
assert np.allclose(again.r, result.r)

# %% Is it a solution? The natural-map error says so, and so does every line of Coulomb's law
r, u, mu = again.impulses, again.velocities, np.array([0.3, 0.5])
print("error", problem.residual(again.r))
assert np.all(r[:, 0] >= 0) and np.all(u[:, 0] > -1e-12)  # contacts push, bodies do not enter
tangent = np.linalg.norm(r[:, 1:], axis=1)
assert np.all(tangent <= mu * r[:, 0] * (1 + 1e-12))  # friction is bounded
