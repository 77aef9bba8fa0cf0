"""A scene by Siconos 4.4: siconos_scene.py [tol=1e-8] [iterations=1000], with the scene on standard
input as child.mjs writes it. Writes doubles to standard output: milliseconds of processor time a
step, then the frames (13 numbers a body: position, rotation x y z w, velocity, spin).

Contacts come from Bullet, time stepping is Moreau and Jean's with theta = 1/2, contact problems are
solved by nonsmooth Gauss-Seidel. Needs python3-siconos, python3-h5py and python3-scipy."""
import os
import sys
import tempfile
import time

import numpy as np

answer = os.dup(1)
os.dup2(2, 1)  # the library prints; standard output is for the frames

import h5py  # noqa: E402
import siconos.kernel as kernel  # noqa: E402
import siconos.numerics as numerics  # noqa: E402
from siconos.io.mechanics_run import MechanicsHdf5Runner  # noqa: E402
from siconos.mechanics.collision.bullet import SiconosBulletOptions  # noqa: E402
from siconos.mechanics.collision.tools import Contactor  # noqa: E402


class Words:
    """Numbers and words of the input, one after another."""

    def __init__(self, text):
        self.words = iter(text.split())

    def word(self):
        return next(self.words)

    def number(self):
        return float(next(self.words))

    def numbers(self, count):
        return [self.number() for _ in range(count)]

    def whole(self):
        return int(next(self.words))


def read_body(words):
    body = {"fixed": words.whole() == 1, "shape": words.word(), "size": words.numbers(3)}
    for key, count in (("position", 3), ("rotation", 4), ("velocity", 3), ("spin", 3)):
        body[key] = words.numbers(count)
    body["mass"], body["inertia"] = words.number(), words.numbers(3)
    body["friction"] = words.number()
    if body["shape"] == "hull":
        body["points"] = np.array(words.numbers(3 * int(body["size"][0]))).reshape(-1, 3)
        planes = words.whole()
        words.numbers(4 * planes)  # Siconos finds faces itself
        for _ in range(planes):
            words.numbers(words.whole())
    return body


def matrix(q):
    x, y, z, w = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def add_shape(io, name, body, margin):
    if body["shape"] == "box":
        inside = min(margin, 0.2 * min(body["size"]))
        io.add_primitive_shape(name, "Box", [2 * x for x in body["size"]], insideMargin=inside,
                               outsideMargin=margin)
    elif body["shape"] == "sphere":
        io.add_primitive_shape(name, "Sphere", (body["size"][0],), insideMargin=0.,
                               outsideMargin=margin)
    else:
        io.add_convex_shape(name, body["points"], insideMargin=margin, outsideMargin=margin)


def add_body(io, k, body, group):
    x, y, z, w = body["rotation"]
    contactor = [Contactor("shape%d" % k, collision_group=group)]
    place = {"translation": body["position"], "orientation": [w, x, y, z]}
    if body["fixed"]:
        io.add_object("body%d" % k, contactor, **place)
        return
    body["local spin"] = matrix(body["rotation"]).T.dot(body["spin"])  # as Siconos has it
    io.add_object("body%d" % k, contactor, mass=body["mass"], inertia=np.diag(body["inertia"]),
                  velocity=list(body["velocity"]) + list(body["local spin"]), **place)


def write_scene(path, bodies, restitution, margin):
    frictions = sorted({body["friction"] for body in bodies})
    with MechanicsHdf5Runner(io_filename=path, mode="w") as io:
        for k, body in enumerate(bodies):
            add_shape(io, "shape%d" % k, body, margin)
            add_body(io, k, body, frictions.index(body["friction"]))
        for i, a in enumerate(frictions):
            for j, b in enumerate(frictions[i:], i):
                io.add_Newton_impact_friction_nsl("law%d_%d" % (i, j), mu=min(a, b), e=restitution,
                                                  collision_group1=i, collision_group2=j)


def bullet_options(spheres):
    options = SiconosBulletOptions()
    options.worldScale = 1.0
    options.contactBreakingThreshold = 0.02
    # Perturbed positions give faces all their points, but false points to spheres.
    options.perturbationIterations = 0 if spheres else 12
    options.minimumPointsPerturbationThreshold = 0 if spheres else 12
    return options


def simulate(path, gravity, step, steps, every, settings, spheres):
    """Processor seconds."""
    options = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = int(settings.get("iterations", 1000))
    options.dparam[numerics.SICONOS_DPARAM_TOL] = float(settings.get("tol", 1e-8))

    def weight(body):
        body.setFExtPtr([body.scalarMass() * g for g in gravity])

    with MechanicsHdf5Runner(io_filename=path, mode="r+") as io:
        begun = time.process_time()
        io.run(with_timer=False, verbose=False, verbose_progress=False, gravity_scale=1.0, t0=0,
               T=steps * step + step * 1e-3, h=step, theta=0.50001, Newton_max_iter=1,
               set_external_forces=weight, solver_options=options, output_frequency=every,
               bullet_options=bullet_options(spheres), osi=kernel.MoreauJeanOSI,
               constraint_activation_threshold=0.0)
        return time.process_time() - begun


def read_frames(path, bodies, step, every):
    free = [body for body in bodies if not body["fixed"]]
    with h5py.File(path, "r") as file:
        places, speeds = file["data"]["dynamic"][:], file["data"]["velocities"][:]
    places, speeds = places[places[:, 1] > 0], speeds[speeds[:, 1] > 0]
    for t in np.unique(places[:, 0]):
        if round(t / step) % every:  # the first step is written whatever `every` is
            continue
        place = places[places[:, 0] == t]
        speed = speeds[np.abs(speeds[:, 0] - t) < 0.5 * step]
        place, speed = place[np.argsort(place[:, 1])], speed[np.argsort(speed[:, 1])]
        if len(speed) < len(free):  # velocities of the start are not written
            speed = np.array([[t, 1, *b["velocity"], *b["local spin"]] for b in free])
        frame = np.zeros((len(free), 13))
        frame[:, 0:3], frame[:, 3:6], frame[:, 6] = place[:, 2:5], place[:, 6:9], place[:, 5]
        frame[:, 7:10] = speed[:, 2:5]
        for k in range(len(free)):
            frame[k, 10:13] = matrix(frame[k, 3:7]).dot(speed[k, 5:8])
        yield frame.ravel()


def main():
    settings = dict(word.split("=") for word in sys.argv[1:])
    words = Words(sys.stdin.read())
    gravity, step, restitution = words.numbers(3), words.number(), words.number()
    steps, every = words.whole(), words.whole()
    bodies = [read_body(words) for _ in range(words.whole())]
    spheres = any(body["shape"] == "sphere" for body in bodies)
    handle, path = tempfile.mkstemp(suffix=".hdf5")
    os.close(handle)
    try:
        write_scene(path, bodies, restitution, 0. if spheres else 0.005)
        seconds = simulate(path, gravity, step, steps, every, settings, spheres)
        frames = list(read_frames(path, bodies, step, every))
    finally:
        os.unlink(path)
    with os.fdopen(answer, "wb") as out:
        out.write(np.concatenate([[1e3 * seconds / steps]] + frames).astype("<f8").tobytes())


main()
