#!/usr/bin/python3
"""Problems of deformable bodies at 1e-8: Newton steps of nsn-ac-hybrid, and `auto` beside the best single method.

    cmake --build build --target slipcone_cli bench_methods_each slipcone_python libslipcone.so
    PYTHONPATH=build/python SLIPCONE_LIBRARY=$PWD/build/libslipcone.so bench/flexible_auto.py BUILD [FOLDER [SCENE ...]]

Problems are those of evenly spaced steps of the flexible scenes, `slipcone generate elastic`, and the flexible files
of FOLDER (Cubes_H8*, LowWall_FEM*, local and global; "-": none). Those of scenes are kept in BUILD/flexible: remove
it to step them anew. Each is solved by a method of every family and by `auto` (bench/methods_each.c: processor time,
one thread, methods in turn, the least of several, methods that take five times as long as `auto` cut); twice more
where `auto` is near a limit, and the least of all counts. With more problems than SECONDS (environment, 600) allow, those that are looked at are spread evenly over the
sizes. `auto` counts as being as fast as the best single method where it takes at most 5 % longer: two runs of the same
method differ by as much.
"""

import math
import os
import pathlib
import subprocess
import sys
import time

try:
    import slipcone
except ImportError as missing:
    sys.exit(f"{missing}\nbuild the targets slipcone_python and libslipcone.so, and say where they are: "
             "PYTHONPATH=BUILD/python SLIPCONE_LIBRARY=BUILD/libslipcone.so")

SCENES = pathlib.Path(__file__).resolve().parent.parent / "scenes"
# How many of the steps with contacts are taken.
TAKEN = {"cubes-h8-2": 8, "cubes-h8-5": 8, "low-wall-fem": 8, "cubes-h8-20": 6, "gripper": 4, "block-dragged": 4,
         "indenter": 4, "soft-ball-stairs": 4}
FAMILIES = ["few", "nsgs", "nsgs-accelerated", "nsn-ac-hybrid", "alm", "ipm"]
LIMIT = 12  # seconds on the clock, of a run
AS_FAST = 1.05  # times the best: the scatter of two runs of one method
UNSURE = (1.0, 1.4)  # ratios near the limits: all methods are measured again
AGAIN = 2  # times


def scene_problems(name, folder):
    """Files of the problems of a scene, made unless they are there."""
    made = folder / f"{name}.made"
    if not made.exists():
        sim = slipcone.Sim(str(SCENES / f"{name}.yaml"))
        every = max(1, sim.scene.steps // TAKEN[name])
        for step in range(sim.scene.steps):
            if sim.step().contacts > 0 and (step + 1) % every == 0:
                sim.problem.write(str(folder / f"{name}-{step + 1:03}.hdf5"))
        made.touch()
    return sorted(folder.glob(f"{name}-[0-9][0-9][0-9].hdf5"))


def problems(build, shared, scenes):
    folder = build / "flexible"
    folder.mkdir(exist_ok=True)
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


def spread(paths):
    """All of them, in such an order that the first ones are spread evenly over the sizes."""
    paths = sorted(paths, key=lambda path: (path.stat().st_size, path))
    stride = 8
    taken = []
    while stride >= 1:
        taken += [k for k in range(0, len(paths), stride) if k not in taken]
        stride //= 2
    return [paths[k] for k in taken]


def measure(build, path):
    """Outcome, iterations and microseconds of each method, and the number of contacts."""
    told = subprocess.run([build / "tests/bench_methods_each", "any", "1e-8", str(LIMIT),
                           ",".join(["auto", *FAMILIES]), path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    row = {}
    for line in told.splitlines():
        _, count, method, outcome, iterations, micros = line.rsplit(" ", 5)
        row[method] = (outcome, int(iterations), float(micros))
    return row, count


def with_newton(path, row):
    """The row with the Newton steps of nsn-ac-hybrid, by a run of its own where the one beside `auto` was cut: its time
    is then one that it takes at least."""
    outcome, steps, micros = row["nsn-ac-hybrid"]
    if outcome == "TIME_LIMIT":
        result = slipcone.read(str(path)).problem.solve("nsn-ac-hybrid", tol=1e-8, time_limit=LIMIT)
        outcome, steps = result.outcome, result.iterations
    return {**row, "nsn-ac-hybrid": (outcome, steps, micros)}


PROGRAMS = {"slipcone": "slipcone_cli", "tests/bench_methods_each": "bench_methods_each"}  # and their targets


def check(build):
    """End with a sentence where a program is missing."""
    targets = [target for program, target in PROGRAMS.items() if not os.access(build / program, os.X_OK)]
    if targets:
        sys.exit(f"{build} lacks programs that this script runs: "
                 f"cmake --build {build} --target {' '.join(targets)}")


def main():
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} BUILD [FOLDER [SCENE ...]]")
    build, shared = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else "-"
    scenes = sys.argv[3:] or list(TAKEN)
    check(build)
    rows = {}
    paths = spread(problems(build, shared, scenes))
    end = time.monotonic() + float(os.environ.get("SECONDS", 600))
    for path in paths:
        if time.monotonic() > end:
            break
        key = f"{path.parent.name}/{path.stem}"
        rows[key], count = measure(build, path)
        for _ in range(AGAIN):
            if UNSURE[0] < ratio_of(rows[key]) < UNSURE[1]:
                again, _ = measure(build, path)
                rows[key] = {m: row[:2] + (min(row[2], again[m][2]),) for m, row in rows[key].items()}
        rows[key] = with_newton(path, rows[key])
        show(key, count, rows[key])
    print(f"\n{len(rows)} of {len(paths)} problems")
    verdict(rows)


def best_of(row):
    solved = {m: t for m, (o, _, t) in row.items() if o == "SOLVED" and m != "auto"}
    return min(solved, key=solved.get) if solved else None


def ratio_of(row):
    best = best_of(row)
    return row["auto"][2] / row[best][2] if best else math.nan


def show(key, count, row):
    if not show.begun:
        print("| problem | contacts | nsn-ac-hybrid: Newton steps | auto, us | best, us | its name | auto / best |")
        print("|---|---|---|---|---|---|---|")
        show.begun = True
    best, (outcome, _, micros) = best_of(row), row["auto"]
    newton = row["nsn-ac-hybrid"]
    ratio = ratio_of(row)
    print(f"| {key} | {count} | {newton[1]}{'' if newton[0] == 'SOLVED' else ' ' + newton[0]} | "
          f"{micros:.0f}{'' if outcome == 'SOLVED' else ' ' + outcome} | {row[best][2] if best else math.nan:.0f} | "
          f"{best} | {ratio:.2f} |", flush=True)


show.begun = False


def verdict(rows):
    ratios, newton = [], []
    for row in rows.values():
        best = best_of(row)
        if row["auto"][0] != "SOLVED":
            ratios.append(math.inf)
        else:  # where no other method has solved it in five times the time `auto` is the quickest
            ratios.append(row["auto"][2] / row[best][2] if best else 0)
        newton.append(row["nsn-ac-hybrid"])
    as_fast = sum(ratio <= AS_FAST for ratio in ratios)
    near = sum(ratio <= 1.1 for ratio in ratios)
    print(f"nsn-ac-hybrid: {sum(o == 'SOLVED' for o, _, _ in newton)} of {len(newton)} solved, at most "
          f"{max(n for o, n, _ in newton if o == 'SOLVED')} Newton steps (asked: all, fewer than 30)")
    print(f"auto: at least as fast as the best single method (at most 5 % longer) on {as_fast} of "
          f"{len(ratios)} ({as_fast / len(ratios):.0%}; asked: 90 %), within 10 % on {near}, slowest {max(ratios):.2f} times (asked: 1.3)")


if __name__ == "__main__":
    main()
