"""A gripper: two fingers close on a ball, lift it, and hold it if friction allows.

Fingers are boxes on sliders with motors of limited force. The weight of the ball must be carried by
friction at two contacts: it is held where 2 mu F >= m g.
"""

# %% The scene, built in Python
import slipcone
from slipcone import Shape, Sim


def grip(mu, squeeze):
    """How far a ball is lifted in half a second, and whether its contacts stick in the end."""
    sim = Sim(gravity=(0, 0, -9.81), step=0.002)
    sim.add_rule(friction=mu)
    sim.add_body(Shape.half_space(), motion="fixed", name="table")
    ball = sim.add_body(Shape.sphere(0.03), position=(0, 0, 0.03), mass=0.2, name="ball")
    hand = sim.add_body(Shape.box(0.2, 0.05, 0.02), position=(0, 0, 0.12), mass=1.0, name="hand")
    lift = sim.add_joint("slider", hand, at=(0, 0, 0.12), axis=(0, 0, 1), motor=True,
                         motor_speed=0.0, motor_effort=200.0)
    for side in (-1, 1):
        finger = sim.add_body(Shape.box(0.01, 0.04, 0.07), position=(0.045 * side, 0, 0.06),
                              mass=0.1, name=f"finger {side:+d}")
        sim.add_joint("slider", finger, hand, at=(0.045 * side, 0, 0.06), axis=(-side, 0, 0),
                      motor=True, motor_speed=0.1, motor_effort=squeeze)
    sim.run(0.5, progress=False)  # the fingers close
    lift.remove()
    sim.add_joint("slider", hand, at=tuple(hand.position), axis=(0, 0, 1), motor=True,
                  motor_speed=0.1, motor_effort=200.0)
    before = ball.position[2]
    sim.run(1.0, progress=False)
    status = [slipcone.OPEN if not len(sim.contacts) else one for one in sim.contacts["status"]]
    return ball.position[2] - before, status


# %% Enough friction, and too little
weight = 0.2 * 9.81
for mu, squeeze in ((0.5, 5.0), (0.5, 1.0), (0.1, 5.0), (0.25, 5.0)):
    lifted, status = grip(mu, squeeze)
    enough = 2 * mu * squeeze > weight
    print(f"mu {mu}, squeezed with {squeeze} N: friction bears up to {2 * mu * squeeze:.2f} N of "
          f"{weight:.2f} N; lifted by {1000 * lifted:.1f} mm")
    assert (lifted > 0.04) == enough
