"""Runs of simulations: many steps, with a bar and a record."""

import sys
import time as clock

from ._arrays import shown, table_html, table_text
from ._library import ArgumentError
from ._trajectory import Recorder

WIDTH = 30


class Bar:
    """A line on the standard error that is written anew a few times a second."""

    def __init__(self, total, stream=None):
        self.total, self.stream = max(total, 1), stream or sys.stderr
        self.started, self.written = clock.monotonic(), 0.0

    def show(self, done, info):
        now = clock.monotonic()
        if done < self.total and now - self.written < 0.2:
            return
        self.written = now
        full = WIDTH * done // self.total
        left = (now - self.started) * (self.total - done) / max(done, 1)
        bar = "#" * full + "." * (WIDTH - full)
        self.stream.write(f"\r{bar} {info.time:.4g} s, {info.contacts} contacts, "
                          f"error {info.residual:.1e}, {left:.0f} s left ")
        self.stream.flush()

    def end(self):
        if self.written:
            self.stream.write("\n")


class Run:
    """What a run was like: `steps`, `time`, `seconds`, the most `contacts`, `iterations` in all,
    the worst `residual` and `penetration`, steps not `solved`, and the last `info`."""

    def __init__(self, sim):
        self.sim, self.info = sim, None
        self.steps = self.contacts = self.iterations = self.unsolved = 0
        self.residual = self.penetration = self.seconds = 0.0

    def add(self, info):
        self.info = info
        self.steps += 1
        self.contacts = max(self.contacts, info.contacts)
        self.iterations += info.iterations
        self.seconds += info.seconds
        self.penetration = max(self.penetration, info.penetration)
        if info.contacts:
            self.residual = max(self.residual, info.residual)
            self.unsolved += info.outcome != "SOLVED"

    time = property(lambda self: self.sim.time)

    def _rows(self):
        energy = self.sim.energy
        return [("steps", f"{self.steps} to {shown(self.sim.time)} s in {self.seconds:.3g} s"),
                ("contacts", f"at most {self.contacts}"),
                ("iterations", self.iterations), ("not solved", self.unsolved),
                ("error", f"{self.residual:.2g} at worst"),
                ("penetration", f"{self.penetration:.2g} at most"),
                ("energy", f"kinetic {energy.kinetic:.4g}, potential {energy.potential:.4g}, "
                           f"friction {energy.friction:.4g}, imbalance {energy.imbalance:.2g}")]

    def __repr__(self):
        return table_text(self._rows())

    def _repr_html_(self):
        return table_html(self._rows())


def _steps(sim, until, steps):
    if steps is not None:
        if until is not None:
            raise ArgumentError("a run takes a time or a number of steps, not both")
        return int(steps)
    if until is None:
        if sim.scene is None:
            raise ArgumentError("a run of a simulation without a scene needs a time or steps")
        return max(sim.scene.steps - sim.steps, 0)
    return max(round((until - sim.time) / sim.step_size), 0)


def run(sim, until=None, *, steps=None, record=None, every=None, contacts=None, snapshot_every=100,
        progress=None, each=None):
    """Step a simulation up to the time `until`, or by so many `steps`, or to the end of its scene.

    `record` is the path of a trajectory to write (a frame `every` so many steps); `progress` shows
    a bar (None: on a terminal only); `each` is a function that is called with the StepInfo of each
    step and ends the run where it returns something true. Returns a Run.
    """
    total, summary = _steps(sim, until, steps), Run(sim)
    shows = sys.stderr.isatty() if progress is None else progress
    bar = Bar(total) if shows else None
    recorder = None
    if record is not None:
        recorder = Recorder(record, sim, every=every, contacts=contacts,
                            snapshot_every=snapshot_every)
    try:
        for done in range(1, total + 1):
            info = sim.step()
            summary.add(info)
            if recorder:
                recorder.step(info)
            if bar:
                bar.show(done, info)
            if each and each(info):
                break
    finally:
        if bar:
            bar.end()
        if recorder:
            recorder.finish()
    return summary
