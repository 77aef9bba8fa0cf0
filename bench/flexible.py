#!/usr/bin/python3
"""Problems of deformable bodies beside the flexible families of Acary, Brémond, Huber 2018, Table 5.

    PYTHONPATH=build/python SLIPCONE_LIBRARY=build/libslipcone.so bench/flexible.py [SCENE ...]

Steps the scenes and prints, for each: degrees of freedom, contacts, density c, mu, whether every W that
is small enough for it has full rank, the most Newton steps that nsn-ac-hybrid takes at 1e-8 on the
problems of the steps, and the processor time of a step once all is warm.
"""

import pathlib
import sys
import time

import slipcone

SCENES = pathlib.Path(__file__).resolve().parent.parent / "scenes"
PAPER = {"cubes-h8-2": "162; 3 to 5; 0.02 to 0.09; 0.3", "cubes-h8-5": "1296; 17 to 36; 0.02 to 0.09; 0.3",
         "cubes-h8-20": "55566; 361 to 388; 0.019 to 0.021; 0.3",
         "low-wall-fem": "7212; 624 to 688; 0.28 to 0.29; 0.83"}
RANK_MOST = 300  # contacts: the rank is from singular values


def measure(name, every):
    sim = slipcone.Sim(str(SCENES / f"{name}.yaml"))
    dof, contacts, density, newton, full, seconds, unsolved = 0, [], [], 0, True, [], 0
    for step in range(sim.scene.steps):
        before = time.process_time()
        info = sim.step()
        seconds.append(time.process_time() - before)
        if info.contacts == 0 or step % every:
            continue
        problem = sim.problem
        dof = sim.global_problem.dof
        contacts.append(info.contacts)
        density.append(3 * info.contacts / dof)
        if info.contacts <= RANK_MOST:
            full = full and problem.features().rank == 3 * info.contacts
        result = problem.solve("nsn-ac-hybrid", tol=1e-8)
        newton = max(newton, result.iterations)
        unsolved += result.outcome != "SOLVED"
    mu = sim.problem.mu[0] if sim.problem is not None else float("nan")
    warm = sorted(seconds[len(seconds) // 2:])
    print(f"| {name} | {dof} | {min(contacts)} to {max(contacts)} | {min(density):.3f} to "
          f"{max(density):.3f} | {mu:g} | {'full' if full else 'NOT FULL'} | {newton}"
          f"{f' ({unsolved} not solved)' if unsolved else ''} | {warm[len(warm) // 2]:.3f} s | "
          f"{PAPER.get(name, '')} |", flush=True)


def main():
    names = sys.argv[1:] or ["cubes-h8-2", "cubes-h8-5", "low-wall-fem", "cubes-h8-20"]
    print("| scene | dof | contacts | density | mu | rank | most Newton steps | processor time a step | "
          "paper: dof; contacts; density; mu |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in names:
        measure(name, 1 if name != "cubes-h8-20" else 5)


if __name__ == "__main__":
    main()
