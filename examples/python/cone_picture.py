"""A picture of friction cones: impulses of all contacts of a pile, in units of their normal part.

Coulomb's law keeps |r_T| <= mu r_N: in this picture all points are within the circle of radius mu,
those of sliding contacts on it, those that stick inside. It is written as SVG by hand, so that
nothing but NumPy is needed.
"""

# %% A pile that settles
import numpy as np

import slipcone

mu = 0.15
problem, _ = slipcone.generate("pile", contacts=400, mu=mu)
result = slipcone.solve(problem, tol=1e-10)
print(f"{result.outcome}: {result.open} open, {result.stick} stick, {result.slip} slip")

# %% The tangential impulses of those that push, divided by the normal ones
r, status = result.impulses, result.status
push = r[:, 0] > 1e-9 * r[:, 0].max()
x, y = (r[push, 1:] / r[push, :1]).T
sliding = status[push] == slipcone.SLIP
radius = np.hypot(x, y)
assert radius.max() <= mu * (1 + 1e-6)

# %% The picture
SIZE, SCALE = 400, 180 / mu


def circle(cx, cy, radius, style):
    return f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{radius:.1f}" {style}/>'


lines = ['<svg xmlns="http://www.w3.org/2000/svg" '
         f'viewBox="0 0 {SIZE} {SIZE + 30}" width="{SIZE}">',
         f'<rect width="{SIZE}" height="{SIZE + 30}" fill="white"/>',
         circle(SIZE / 2, SIZE / 2, SCALE * mu, 'fill="#eef3fa" stroke="#345"')]
for px, py, slides in zip(x, y, sliding):
    colour = "#c0392b" if slides else "#2471a3"
    lines.append(circle(SIZE / 2 + SCALE * px, SIZE / 2 - SCALE * py, 2.5, f'fill="{colour}"'))
lines += [f'<text x="12" y="{SIZE + 16}" font-family="sans-serif" font-size="14">mu = {mu}: '
          f'{sliding.sum()} slide (red), {(~sliding).sum()} do not</text>', "</svg>"]
with open("cones.svg", "w", encoding="utf-8") as file:
    file.write("\n".join(lines))
print("cones.svg shows", push.sum(), "contacts")
