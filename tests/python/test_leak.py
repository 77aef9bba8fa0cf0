"""No memory is lost: a million solves with new data, and many of everything else, in memory that
does not grow. SLIPCONE_LEAK_CALLS sets how many of everything else."""

import gc
import os
import unittest

import numpy as np

import slipcone

SANITIZED = bool(os.environ.get("SLIPCONE_SANITIZED"))
MANY = int(os.environ.get("SLIPCONE_LEAK_CALLS", "300" if SANITIZED else "3000"))
MILLION = 20_000 if SANITIZED else 1_000_000
ALLOWED = 1.0  # MiB, by which the heap of Python and the C library may move


def resident():
    """MiB of this process in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20


class Leak(unittest.TestCase):
    def lose_nothing(self, name, function, calls, allowed=ALLOWED):
        for _ in range(calls // 3):
            function()
        gc.collect()
        before = resident()
        for _ in range(calls):
            function()
        gc.collect()
        grown = resident() - before
        print(f"{name}: {grown:+.2f} MiB in {calls} calls")
        if not SANITIZED:  # the sanitizer keeps freed memory for a while
            self.assertLess(grown, allowed, name)

    def test_a_million_solves(self):
        solver = slipcone.Solver(np.eye(3), [-1, 0.8, 0], 0.5)
        q = np.array([-1, 0.7, 0.1])
        self.lose_nothing("Solver.solve(q).r", lambda: solver.solve(q).r, MILLION)

    def test_one_shot(self):
        self.lose_nothing("solve", lambda: slipcone.solve(np.eye(3), [-1, 0.8, 0], 0.5, tol=1e-9).u,
                          MANY)
        problem = slipcone.generate("pile", contacts=20).problem
        self.lose_nothing("a pile", lambda: problem.solve().copy().v, MANY)
        self.lose_nothing("Problem", lambda: problem.reduce().W, MANY)

    def test_errors(self):
        def fail():
            try:
                slipcone.solve(np.eye(3), [-1, np.nan, 0], 0.5)
            except slipcone.ProblemError:
                pass

        self.lose_nothing("errors", fail, MANY)

    def test_functions_of_the_user(self):
        problem = slipcone.generate("pile", contacts=10).problem
        self.lose_nothing("progress", lambda: slipcone.Solver(
            problem, method="nsgs", progress=lambda _: False).solve(), MANY)

    def test_files_and_checks(self):
        problem = slipcone.generate("pile", contacts=5).problem
        problem.write("leak.hdf5")
        few = max(MANY // 10, 20)
        self.lose_nothing("read", lambda: slipcone.read("leak.hdf5").problem.mu, few)
        self.lose_nothing("check", problem.check, MANY)
        self.lose_nothing("generate", lambda: slipcone.generate("random", contacts=5).r, MANY)

    def test_simulations(self):
        def simulate():
            sim = slipcone.Sim(gravity=(0, 0, -9.81))
            sim.add_body(slipcone.Shape.half_space(), motion="fixed")
            ball = sim.add_body(slipcone.Shape.sphere(0.1), position=(0, 0, 0.1))
            sim.on_force(lambda sim, now: ball.apply((1, 0, 0)))
            sim.step(2)
            return sim.position, sim.contacts

        self.lose_nothing("Sim", simulate, max(MANY // 3, 20))


if __name__ == "__main__":
    unittest.main()
