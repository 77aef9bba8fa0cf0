#!/usr/bin/python3
"""One step after another of two elastic plates with 2116 contacts and 203,136 degrees of freedom.

    PYTHONPATH=build/python SLIPCONE_LIBRARY=build/libslipcone.so bench/flexible_large.py [STEPS] [CELLS]
"""

import resource
import sys
import time

import slipcone


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 45
    sim = slipcone.Sim(gravity=(0, 0, -9.81), step=1e-3)
    sim.add_rule(friction=0.3)
    size = {"box": (1, 1, 0.33), "cells": (n, n, max(1, n // 3)), "young": 1e6, "poisson": 0.3}
    sim.add_deformable(velocity=(0, 0, 0.5), **size)
    sim.add_deformable(position=(0, 0, 0.3301), velocity=(0.05, 0, 0), **size)
    for step in range(steps):
        before = time.process_time()
        info = sim.step()
        dof = sim.global_problem.dof if step == 0 and info.contacts else 0
        print(f"step {step}: {info.contacts} contacts{f', {dof} dof' if dof else ''}, "
              f"{info.iterations} iterations, error {info.residual:.1e}, "
              f"{time.process_time() - before:.2f} s of the processor, "
              f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB", flush=True)


if __name__ == "__main__":
    main()
