"""Trajectories: what a simulation did, in HDF5. docs/trajectory.md lists what they hold."""

import _thread
import contextlib
import os
import pathlib
import webbrowser

import numpy as np

from ._arrays import Lease, view
from ._library import (ArgumentError, StaleError, call, create, ffi, lib, path_bytes, string,
                       struct, text)
from ._result import outcome_name
from ._scene import Scene
from ._shapes import ShapeInfo, fill
from ._sim import CONTACT, ENERGY, Sim, StepInfo, deformable_arrays


class Recorder:
    """Records a simulation: Recorder("run.h5", sim), step(info) after each step, finish(). As a
    context manager it finishes by itself."""

    def __init__(self, path, sim, *, every=None, contacts=None, snapshot_every=None,
                 flush_seconds=None):
        if not isinstance(sim, Sim):
            raise ArgumentError(f"a Sim is wanted, not {type(sim).__name__}")
        self._sim, keep, c = sim, [], struct("SlipRecordDef")
        scene = sim.scene
        if scene is not None:
            c.every, c.contacts = scene.record_every, scene.record_contacts
            keep += [string(scene.text, "scene"), string(scene._set_lines(), "set")]
            c.scene = keep[-2]
            c.set = keep[-1] if scene.set else ffi.NULL
        for name, value in (("every", every), ("contacts", contacts),
                            ("snapshot_every", snapshot_every), ("flush_seconds", flush_seconds)):
            if value is not None:
                setattr(c, name, value)
        if sim._continues is not None:
            keep.append(ffi.new("char[]", path_bytes(sim._continues)))
            c.continues = keep[-1]
        with sim._entered() as s:
            self._c = create("SlipRecorder", lib.slip_recorder_create, path_bytes(path), s, c,
                             free=lib.slip_recorder_free)

    def _open(self):
        if self._c is None:
            raise StaleError("the recorder has finished")
        return self._c

    def step(self, info):
        """After each step, with what it gave."""
        if not isinstance(info, StepInfo):
            raise ArgumentError(f"a StepInfo is wanted, not {type(info).__name__}")
        with self._sim._entered() as sim:
            call(lib.slip_recorder_step, self._open(), sim, info._c)

    def flush(self):
        """Bring everything to the disk now."""
        with self._sim._entered():
            call(lib.slip_recorder_flush, self._open())

    def finish(self):
        """Last snapshot, last flush, close."""
        with self._sim._entered() as sim:
            c, self._c = self._open(), None
            ffi.gc(c, None)  # whatever happens, it is gone after the call
            call(lib.slip_recorder_finish, c, sim)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._c is not None:
            self.finish()


class Frame:
    """One frame: time, position, rotation, velocity, spin and contacts, as arrays of its own."""

    def __init__(self, c):
        lease = Lease(None)
        self.time = c.time
        for name, count in (("position", 3), ("rotation", 4), ("velocity", 3), ("spin", 3)):
            seen = view(lease, getattr(c, name), (c.bodies, count), np.float64)
            setattr(self, name, seen.copy())
        self.contacts = view(lease, c.contact, (c.contacts,), CONTACT).copy()

    def __repr__(self):
        return (f"<frame at {self.time:.6g} s: {len(self.position)} bodies, "
                f"{len(self.contacts)} contacts>")


class Trajectory:
    """A recorded simulation: len() frames, trajectory[k] or iteration for each; time, energy and
    the figures of each step as arrays without copies."""

    def __init__(self, path):
        self._lock = _thread.allocate_lock()
        self.path = path
        self._c = create("SlipTrajectory", lib.slip_trajectory_open, path_bytes(path),
                         free=lib.slip_trajectory_free)
        self._lease = Lease(self._c)
        self._info = lib.slip_trajectory_info(self._c)

    @contextlib.contextmanager
    def _entered(self):
        if not self._lock.acquire(False):
            raise StaleError("the trajectory is in use by another thread")
        try:
            yield self._c
        finally:
            self._lock.release()

    dimension = property(lambda self: self._info.dimension, doc="2 or 3")
    bodies = property(lambda self: self._info.bodies, doc="how many")
    steps = property(lambda self: self._info.steps, doc="how many")
    snapshots = property(lambda self: self._info.snapshots, doc="how many")
    scene = property(lambda self: text(self._info.scene), doc="its text, or None")
    set = property(lambda self: text(self._info.set), doc="NAME=VALUE lines, or None")
    version = property(lambda self: text(self._info.version), doc="of the library that wrote it")

    @property
    def names(self):
        """Of the bodies."""
        return [text(self._info.names[k]) for k in range(self._info.bodies)]

    def _array(self, name, count, dtype):
        return view(self._lease, getattr(self._info, name), (count,), dtype)

    time = property(lambda self: self._array("time", len(self), np.float64), doc="of each frame")
    energy = property(lambda self: self._array("energy", len(self), ENERGY), doc="of each frame")
    snapshot_time = property(lambda self: self._array("snapshot_time", self._info.snapshots,
                                                      np.float64))
    step_contacts = property(lambda self: self._array("step_contacts", self.steps, np.int32))
    step_iterations = property(lambda self: self._array("step_iterations", self.steps, np.int64))
    step_residual = property(lambda self: self._array("step_residual", self.steps, np.float64))
    step_seconds = property(lambda self: self._array("step_seconds", self.steps, np.float64))

    @property
    def step_outcome(self):
        """The name of the outcome of each step."""
        return [outcome_name(one) for one in self._array("step_outcome", self.steps, np.int32)]

    def __len__(self):
        return self._info.frames

    def __getitem__(self, frame):
        """One frame; negative numbers count from the end."""
        k = int(frame)
        if k < 0:
            k += len(self)
        if not 0 <= k < len(self):
            raise IndexError(f"there is no frame {frame}: the trajectory has {len(self)}")
        c = struct("SlipSimState")
        with self._entered() as trajectory:
            call(lib.slip_trajectory_frame, trajectory, k, c)
            return Frame(c)

    def deformable(self, frame, body):
        """A deformable body (its slot) in a frame: as Body.deformable, but without velocity and
        elastic energy."""
        c = struct("SlipDeformableState")
        with self._entered() as trajectory:
            call(lib.slip_trajectory_deformable, trajectory, frame, body, c)
            return deformable_arrays(self._lease, c)

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def at(self, time):
        """The last frame at or before a time."""
        return self[max(int(np.searchsorted(self.time, time, side="right")) - 1, 0)]

    @property
    def shapes(self):
        """All shapes, with the slot of their body."""
        made, body = [], ffi.new("int32_t *")
        with self._entered() as trajectory:
            for k in range(self._info.shapes):
                c = struct("SlipShapeDef")
                call(lib.slip_trajectory_shape, trajectory, k, c, body)
                made.append(ShapeInfo(c, body[0]))
        return made

    def snapshot(self, time=float("inf")):
        """The last snapshot at or before a time, for Sim.restore."""
        made, size = ffi.new("void **"), ffi.new("size_t *")
        with self._entered() as trajectory:
            call(lib.slip_trajectory_snapshot, trajectory, time, made, size)
        try:
            return bytes(ffi.buffer(made[0], size[0]))
        finally:
            lib.slip_sim_bytes_free(made[0])

    def scene_with(self, set=None):
        """Its scene, with other values."""
        if self.scene is None:
            raise ArgumentError(f"{self.path} holds no scene")
        before = dict(line.split("=", 1) for line in (self.set or "").splitlines())
        return Scene(text=self.scene, set={**before, **(set or {})}, name=str(self.path))

    def export_vtk(self, folder, every=1):
        """Files for ParaView."""
        with self._entered() as trajectory:
            call(lib.slip_trajectory_export_vtk, trajectory, path_bytes(folder), every)

    def export_xdmf(self, folder, every=1):
        """run.xdmf with run-frames.h5."""
        with self._entered() as trajectory:
            call(lib.slip_trajectory_export_xdmf, trajectory, path_bytes(folder), every)

    def page(self, path, **fields):
        """A page that plays it, one HTML file that needs no network. Keywords are those of
        SlipPageDef: title, every, contacts."""
        keep, c = [], struct("SlipPageDef")
        fill(c, "SlipPageDef", fields, "a page", keep)
        with self._entered() as trajectory:
            call(lib.slip_trajectory_page, trajectory, c, path_bytes(path))

    def view(self, path=None, **fields):
        """Make such a page, beside the trajectory unless `path` says where, and open it in a
        browser. Returns its path."""
        path = os.path.splitext(os.fspath(self.path))[0] + ".html" if path is None else path
        self.page(path, **fields)
        webbrowser.open(pathlib.Path(path).resolve().as_uri())
        return path

    def draw(self, path, frame=-1, azimuth=None, elevation=None):
        """One frame as a drawing, SVG, looked at from angles in degrees."""
        c = struct("SlipView")
        c.azimuth = c.azimuth if azimuth is None else azimuth
        c.elevation = c.elevation if elevation is None else elevation
        with self._entered() as trajectory:
            call(lib.slip_trajectory_draw, trajectory, frame % max(len(self), 1), c,
                 path_bytes(path))

    def __repr__(self):
        return f"<trajectory of {self.bodies} bodies, {len(self)} frames, {self.steps} steps>"
