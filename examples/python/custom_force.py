"""A force of one's own: a magnet that pulls a steel ball, and drag that slows it.

The function is called at the start of each step and may read the state and apply forces. Without
contacts the ball would swing through the magnet's place; here it rolls on a table to a stop.
"""

# %% A ball on a table
import numpy as np

import slipcone
from slipcone import Shape, Sim

sim = Sim(gravity=(0, 0, -9.81), step=0.002)
sim.add_rule(friction=0.4)
sim.add_body(Shape.half_space(), motion="fixed", name="table")
ball = sim.add_body(Shape.sphere(0.02), position=(0.3, 0, 0.02), mass=0.25, name="ball")
magnet = np.array([0.0, 0.0, 0.02])


# %% The force: a spring towards the magnet, and drag
@sim.on_force
def pull(sim, time):
    ball.apply(force=2.0 * (magnet - ball.position) - 0.8 * ball.velocity)


# %% Run and look
path = []
run = sim.run(5.0, progress=False, each=lambda info: path.append(ball.position[0]) and False)
print(run)
path = np.array(path)
crossings = np.count_nonzero(np.diff(np.sign(path)))
print(f"the ball passes the magnet {crossings} times and ends {1000 * abs(path[-1]):.2f} mm off")
assert abs(path[-1]) < 1e-2 and run.unsolved == 0

# %% It rolls: the spin about y is the velocity over the radius, and its contact sticks
print(f"spin {ball.spin[1]:.6f}, velocity / radius {ball.velocity[0] / 0.02:.6f}")
assert np.isclose(ball.spin[1], ball.velocity[0] / 0.02)
assert sim.contacts["status"].tolist() == [slipcone.STICK]

# %% Half a swing takes as long as that of an oscillator of mass 7/5 m, which a rolling ball has
steps = np.flatnonzero(np.diff(np.sign(path)))
measured = np.mean(np.diff(steps)) * sim.step_size
expected = np.pi / np.sqrt(2.0 / (1.4 * 0.25) - (0.8 / (2 * 1.4 * 0.25)) ** 2)
print(f"half a swing takes {measured:.3f} s; as computed, {expected:.3f} s")
assert abs(measured - expected) < 0.01 * expected
