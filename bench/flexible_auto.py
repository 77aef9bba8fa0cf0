#!/usr/bin/python3
"""Problems of deformable bodies at 1e-8: Newton steps of nsn-ac-hybrid, and `auto` beside the best single method.

    cmake --build build --target bench_methods_each slipcone
    PYTHONPATH=build/python SLIPCONE_LIBRARY=$PWD/build/libslipcone.so bench/flexible_auto.py BUILD [FOLDER [SCENE ...]]

Steps the flexible scenes and takes problems of evenly spaced steps, adds `slipcone generate elastic` and the
flexible files of FOLDER (Cubes_H8*, LowWall_FEM*; "-": none), solves each by a method of every family and by `auto`
(bench/methods_each.c: processor time, one thread, methods in turn), and prints a table and verdicts.
"""

import collections
import math
import pathlib
import subprocess
import sys
import tempfile

import slipcone

SCENES = pathlib.Path(__file__).resolve().parent.parent / "scenes"
# How many of the steps with contacts are taken.
TAKEN = {"cubes-h8-2": 8, "cubes-h8-5": 8, "low-wall-fem": 8, "cubes-h8-20": 6, "gripper": 4, "block-dragged": 4,
         "indenter": 4, "soft-ball-stairs": 4}
FAMILIES = ["few", "nsgs", "nsgs-accelerated", "nsn-ac-hybrid", "alm", "ipm"]
LIMIT = 2


def scene_problems(name, folder):
    sim = slipcone.Sim(str(SCENES / f"{name}.yaml"))
    steps = sim.scene.steps
    for step in range(steps):
        info = sim.step()
        every = max(1, steps // TAKEN[name])
        if info.contacts == 0 or (step + 1) % every:
            continue
        path = folder / f"{name}-{step + 1:03}.hdf5"
        sim.problem.write(str(path))
        yield path


def problems(build, folder, shared, scenes):
    for name in scenes:
        yield from scene_problems(name, folder)
    for contacts in (4, 16, 64, 196):
        path = folder / f"elastic-{contacts}.hdf5"
        subprocess.run([build / "slipcone", "generate", "elastic", "--contacts", str(contacts), "--out", path],
                       check=True, stdout=subprocess.DEVNULL)
        yield path
    if shared != "-":
        for pattern in ("Cubes_H8*/*.hdf5", "LowWall_FEM*/*.hdf5"):
            yield from sorted(pathlib.Path(shared).glob(pattern))


def main():
    build, shared = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else "-"
    scenes = sys.argv[3:] or list(TAKEN)
    rows = collections.defaultdict(dict)
    contacts = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in problems(build, pathlib.Path(folder), shared, scenes):
            told = subprocess.run([build / "tests/bench_methods_each", "any", "1e-8", str(LIMIT),
                                   ",".join(["auto", *FAMILIES]), path], check=True, text=True,
                                  stdout=subprocess.PIPE).stdout
            key = f"{path.parent.name}/{path.stem}" if path.parent != pathlib.Path(folder) else path.stem
            for line in told.splitlines():
                _, count, method, outcome, iterations, micros = line.rsplit(" ", 5)
                contacts[key] = int(count)
                rows[key][method] = (outcome, int(iterations), float(micros))
            show(key, contacts[key], rows[key])
    verdict(rows)


def best_of(row):
    solved = {m: t for m, (o, _, t) in row.items() if o == "SOLVED" and m != "auto"}
    return min(solved, key=solved.get) if solved else None


def show(key, count, row):
    if not show.begun:
        print("| problem | contacts | nsn-ac-hybrid: Newton steps | auto, us | best, us | its name | auto / best |")
        print("|---|---|---|---|---|---|---|")
        show.begun = True
    best, (outcome, _, micros) = best_of(row), row["auto"]
    newton = row["nsn-ac-hybrid"]
    ratio = micros / row[best][2] if best else float("nan")
    print(f"| {key} | {count} | {newton[1]}{'' if newton[0] == 'SOLVED' else ' ' + newton[0]} | "
          f"{micros:.0f}{'' if outcome == 'SOLVED' else ' ' + outcome} | {row[best][2] if best else math.nan:.0f} | "
          f"{best} | {ratio:.2f} |", flush=True)


show.begun = False


def verdict(rows):
    ratios, newton = [], []
    for row in rows.values():
        best = best_of(row)
        if best and row["auto"][0] == "SOLVED":
            ratios.append(row["auto"][2] / row[best][2])
        elif best:
            ratios.append(math.inf)
        newton.append(row["nsn-ac-hybrid"])
    as_fast = sum(ratio <= 1.02 for ratio in ratios)
    near = sum(ratio <= 1.1 for ratio in ratios)
    print(f"\nnsn-ac-hybrid: {sum(o == 'SOLVED' for o, _, _ in newton)} of {len(newton)} solved, at most "
          f"{max(n for o, n, _ in newton if o == 'SOLVED')} Newton steps (asked: all, fewer than 30)")
    print(f"auto: at least as fast as the best single method (within 2 %, the timer's scatter) on {as_fast} of "
          f"{len(ratios)} ({as_fast / len(ratios):.0%}; asked: 90 %), within 10 % on {near}, slowest {max(ratios):.2f} times (asked: 1.3)")


if __name__ == "__main__":
    main()
