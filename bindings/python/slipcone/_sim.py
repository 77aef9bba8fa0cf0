"""Simulations: rigid bodies with exact Coulomb friction at every contact point."""

import _thread
import contextlib
import os
import types
import weakref

import numpy as np

from . import _arrays
from ._arrays import Fields, Lease, arrays_live, dtype_of, view
from ._library import (ArgumentError, Error, StaleError, call, enumeration, fail, ffi, lib, own,
                       path_bytes, string, struct, text, unknown)
from ._problem import Problem, copy_of
from ._result import Result, outcome_name
from ._scene import Scene
from ._shapes import Shape, ShapeInfo, fill
from ._solver import Watch, check_watch
from ._tables import FLOWS, Settings, laws

CONTACT = dtype_of("SlipSimContact")
ENERGY = dtype_of("SlipEnergy")
_MOTIONS = enumeration("SlipMotion", "SLIP_MOTION_")
_JOINTS = enumeration("SlipJointKind", "SLIP_JOINT_")
_ON_FAILURE = enumeration("SlipOnFailure", "SLIP_ON_FAILURE_")
_GYROSCOPIC = enumeration("SlipGyroscopic", "SLIP_GYROSCOPIC_")
_INERTIA = enumeration("SlipInertia", "SLIP_INERTIA_")
_ELEMENTS = enumeration("SlipElement", "SLIP_ELEMENT_")
BODIES_WATCHED = 1000  # from here on a step looks after signals such as Ctrl-C


class Energy(Fields):
    """The ledger of energy: kinetic, potential, friction, ..., and the imbalance left over."""

    _struct = "SlipEnergy"


class StepInfo(Fields):
    """What a step was like: contacts, iterations, residual, penetration, energy, ..."""

    _struct = "SlipStepInfo"
    _names = {"outcome": outcome_name, "verdict": lambda v: text(lib.slip_verdict_name(v))}

    @property
    def energy(self):
        """The ledger after the step."""
        return Energy(self._c.energy, self._c)


def deformable_arrays(lease, c):
    """Copies of what a SlipDeformableState of a simulation or a trajectory has."""
    made = {name: view(lease, getattr(c, name), (c.nodes, 3), np.float64).copy()
            for name in ("rest", "position", "displacement", "force")}
    made["stress"] = view(lease, c.stress, (c.nodes, 6), np.float64).copy()
    made["area"] = view(lease, c.area, (c.nodes,), np.float64).copy()
    first = view(lease, c.face_first, (c.faces + 1,), np.int32).copy()
    made["face_first"] = first
    made["face_node"] = view(lease, c.face_node, (int(first[-1]),), np.int32).copy()
    return made


class Body:
    """A body of a simulation. Its pose and velocity can be read and set."""

    def __init__(self, sim, c):
        self._sim, self._c = sim, c

    slot = property(lambda self: self._c.index, doc="its row in the arrays of the simulation")

    def _read(self, field, count):
        sim = self._sim
        with sim._entered(reading=True):
            state = sim._state()
            here = lib.slip_sim_body_at(sim._c, self._c.index)
            if here.generation != self._c.generation:
                raise StaleError(f"body {self._c.index} has been removed")
            address = getattr(state, field) + count * self._c.index
            return np.array(ffi.unpack(address, count))

    @property
    def name(self):
        with self._sim._entered(reading=True):
            return text(lib.slip_sim_body_name(self._sim._c, self._c.index))

    @property
    def position(self):
        """Of its frame."""
        return self._read("position", 3)

    @position.setter
    def position(self, value):
        self._sim.set_pose(self, value, self.rotation)

    @property
    def rotation(self):
        """A unit quaternion (w, x, y, z)."""
        return self._read("rotation", 4)

    @rotation.setter
    def rotation(self, value):
        self._sim.set_pose(self, self.position, value)

    @property
    def velocity(self):
        """Of its frame's origin."""
        return self._read("velocity", 3)

    @velocity.setter
    def velocity(self, value):
        self._sim.set_velocity(self, value, self.spin)

    @property
    def spin(self):
        """Angular velocity in world axes."""
        return self._read("spin", 3)

    @spin.setter
    def spin(self, value):
        self._sim.set_velocity(self, self.velocity, value)

    def _mass(self):
        mass, centre = ffi.new("double *"), ffi.new("double[3]")
        with self._sim._entered(reading=True):
            call(lib.slip_sim_mass, self._sim._c, self._c, mass, centre)
        return mass[0], np.array(list(centre))

    mass = property(lambda self: self._mass()[0])
    centre = property(lambda self: self._mass()[1], doc="centre of mass in its frame")

    @property
    def deformable(self):
        """Of a deformable body: copies of its arrays by name (rest, position, velocity,
        displacement, force: (nodes, 3); stress: (nodes, 6) xx, yy, zz, xy, yz, zx; area: (nodes,);
        face_first, face_node), and its elastic energy."""
        c = struct("SlipDeformableState")
        with self._sim._entered(reading=True) as sim:
            call(lib.slip_sim_deformable, sim, self._c, c)
            made = deformable_arrays(self._sim._lease, c)
            made["velocity"] = view(self._sim._lease, c.velocity, (c.nodes, 3), np.float64).copy()
        return {**made, "elastic": c.elastic}

    def export_vtu(self, path):
        """Of a deformable body: its elements with displacement, stress and traction, for ParaView."""
        with self._sim._entered() as sim:
            call(lib.slip_sim_export_vtu, sim, self._c, path_bytes(path))

    def apply(self, force=(0, 0, 0), torque=(0, 0, 0)):
        """A force and torque at the centre of mass during this step: for force functions."""
        self._sim.apply(self, force, torque)

    def remove(self):
        """Take it out of the simulation, with its joints and forces."""
        with self._sim._entered():
            call(lib.slip_sim_remove_body, self._sim._c, self._c)

    def __repr__(self):
        return f"<body {self.name or self._c.index!r}>"


class Joint:
    """A joint of a simulation."""

    def __init__(self, sim, c):
        self._sim, self._c = sim, c

    def remove(self):
        """Take it out of the simulation."""
        with self._sim._entered():
            call(lib.slip_sim_remove_joint, self._sim._c, self._c)


class Sim:
    """A simulation.

    Sim("arch.yaml"), Sim(yaml_text), Sim(scene)     of a scene; `set` changes values of it
    Sim(gravity=(0, 0, -9.81), step=0.005)           empty, to be filled by add_body, ...

    Keywords without a scene are those of SlipSimDef (dimension, gravity, step, theta, gyroscopic,
    on_failure, penetration, reach), `method` and options of the solver. position, rotation,
    velocity and spin are arrays over the slots of bodies that look at the simulation's own memory:
    each step changes them in place. Bodies cannot be added while such an array is in use.
    """

    def __init__(self, scene=None, *, set=None, method=None, **keywords):
        self._lock, self._inside, self._keep = _thread.allocate_lock(), None, {}
        self._continues = None
        if scene is None:
            if set is not None:
                raise ArgumentError("set changes values of a scene, and there is none")
            self.scene, self._materials = None, {}
            made = self._create(method, keywords)
        else:
            if method is not None or keywords:
                raise ArgumentError("a scene says all of its simulation: use set, such as "
                                    '{"solver.tol": 1e-8}')
            if isinstance(scene, Scene) and set is not None:
                raise ArgumentError("set is for reading a scene; this one has been read")
            self.scene = scene if isinstance(scene, Scene) else Scene(scene, set=set)
            self._materials, self.step_size = {}, self.scene.step
            made = ffi.new("SlipSim **")
            call(lib.slip_scene_build, self.scene._c, made)
        self._c = own(made[0], lib.slip_sim_free)
        self._lease = Lease(self._c)
        self._error = ffi.new("SlipError *")
        self._watch = None

    def _create(self, method, keywords):
        fields = [name for name, _ in ffi.typeof("SlipSimDef").fields]
        own_values = {name: keywords.pop(name) for name in list(keywords) if name in fields}
        keep, c = [], struct("SlipSimDef")
        fill(c, "SlipSimDef", own_values, "a simulation", keep,
             {"on_failure": _ON_FAILURE, "gyroscopic": _GYROSCOPIC, "inertia": _INERTIA})
        if method is not None or keywords:
            if not isinstance(method, Settings):
                keywords.setdefault("tol", 1e-8)  # as of a simulation that says nothing
            self.settings = Settings(method, **keywords)
            c.settings = self.settings._c
        self.step_size = c.step
        made = ffi.new("SlipSim **")
        call(lib.slip_sim_create, c, made)
        return made

    @contextlib.contextmanager
    def _entered(self, reading=False):
        """The library's simulation for one thread at a time; a force function may read and apply
        forces while its step is under way."""
        if not self._lock.acquire(False):
            if reading and self._inside == _thread.get_ident():
                yield self._c
                return
            raise StaleError("the simulation is in use by another thread, or by the step that "
                             "called this")
        try:
            yield self._c
        finally:
            self._lock.release()

    # ---- What is in it -------------------------------------------------------------------------

    def add_material(self, name, density=1000.0):
        """A material; returns its number. Bodies and rules may name it."""
        keep, c, number = [], struct("SlipMaterialDef"), ffi.new("int32_t *")
        fill(c, "SlipMaterialDef", {"name": name, "density": density}, "a material", keep)
        with self._entered() as sim:
            call(lib.slip_sim_add_material, sim, c, number)
        self._materials[name] = number[0]
        return number[0]

    def _material(self, material):
        if material is None:
            return -1
        if isinstance(material, str):
            if material not in self._materials:
                raise unknown("material", material, self._materials)
            return self._materials[material]
        return material

    def add_rule(self, *, materials=(None, None), **fields):
        """What holds between two materials (None: any); the first rule that matches counts.
        Keywords are those of SlipContactRule: friction, restitution, law, flow, ..."""
        if np.shape(materials) != (2,):
            raise ArgumentError("materials must be two names, numbers or None")
        c = struct("SlipContactRule")
        c.materials = [self._material(one) for one in materials]
        fill(c, "SlipContactRule", fields, "a rule", [], {"law": laws(), "flow": FLOWS})
        with self._entered() as sim:
            call(lib.slip_sim_add_rule, sim, c)

    def add_body(self, *shapes, name=None, motion="free", material=None, **fields):
        """A body of shapes: add_body(Shape.box(1, 1, 1), position=(0, 0, 2), name="box"). `motion`
        is "free", "fixed" or "told". Other keywords are those of SlipBodyDef: position, rotation,
        velocity, spin, mass, inertia, sine_axis, sine_amplitude, sine_frequency."""
        keep, c, made = [], struct("SlipBodyDef"), ffi.new("SlipBodyId *")
        if name is not None:
            fields["name"] = name
        fields.update(motion=motion, material=self._material(material))
        fill(c, "SlipBodyDef", fields, "a body", keep, {"motion": _MOTIONS})
        rows = ffi.new("SlipShapeDef[]", max(len(shapes), 1))
        for k, shape in enumerate(shapes):
            if not isinstance(shape, Shape):
                raise ArgumentError(f"a Shape is wanted, not {type(shape).__name__}")
            rows[k] = shape._c[0]
            rows[k].material = self._material(shape.material)
        c.shapes, c.shape_count = rows, len(shapes)
        with self._entered() as sim:
            if arrays_live(self._lease):
                raise StaleError("arrays of this simulation are still in use, and another body "
                                 "could move their memory: let go of them, or keep copies")
            call(lib.slip_sim_add_body, sim, c, made)
        return Body(self, made[0])

    def add_joint(self, kind, first, second=None, **fields):
        """A joint of two bodies, or of one with the world: kind "ball", "hinge", "slider", "fixed"
        or "distance". Keywords are those of SlipJointDef: at, axis, other, limited, lower, upper,
        motor, motor_speed, motor_effort, collide, name."""
        keep, c, made = [], struct("SlipJointDef"), ffi.new("SlipJointId *")
        fields["kind"] = kind
        fill(c, "SlipJointDef", fields, "a joint", keep, {"kind": _JOINTS})
        c.bodies[0] = self._body(first)._c
        if second is not None:
            c.bodies[1] = self._body(second)._c
        with self._entered() as sim:
            call(lib.slip_sim_add_joint, sim, c, made)
        return Joint(self, made[0])

    def add_force(self, body, force=(0, 0, 0), torque=(0, 0, 0), start=0.0, until=float("inf")):
        """A force and torque at a body's centre of mass during some time."""
        c = struct("SlipForceDef")
        fill(c, "SlipForceDef", {"force": force, "torque": torque, "from": start, "until": until},
             "a force", [])
        c.body = self._body(body)._c
        with self._entered() as sim:
            call(lib.slip_sim_add_force, sim, c)

    def add_deformable(self, *, name=None, material=None, cells=(1, 1, 1), points=None,
                       elements=None, **fields):
        """An elastic body: add_deformable(box=(1, 1, 1), cells=(4, 4, 4), young=1e6, poisson=0.3).
        Instead of a box: radius and length of a cylinder, radius of a ball, or points and elements
        (nodes of one after the other). Other keywords are those of SlipDeformableDef: element ("h8",
        "t4", "t10", "q4", "t3"), damping, plane_stress, position, rotation, velocity, spin."""
        keep, c, made = [], struct("SlipDeformableDef"), ffi.new("SlipBodyId *")
        if name is not None:
            fields["name"] = name
        fields["material"] = self._material(material)
        fill(c, "SlipDeformableDef", fields, "a deformable body", keep, {"element": _ELEMENTS})
        c.cells = [int(n) for n in cells]
        if points is not None:
            points = np.ascontiguousarray(points, np.float64).reshape(-1, 3)
            elements = _arrays.whole(elements, "elements")
            c.points, c.point_count = _arrays.pointer(points, keep), len(points)
            c.elements = _arrays.pointer(elements, keep)
            c.element_count = elements.size // {"t3": 3, "q4": 4, "t4": 4, "t10": 10, "h8": 8}[
                {number: one for one, number in _ELEMENTS.items()}[c.element]]
        with self._entered() as sim:
            if arrays_live(self._lease):
                raise StaleError("arrays of this simulation are still in use, and another body "
                                 "could move their memory: let go of them, or keep copies")
            call(lib.slip_sim_add_deformable, sim, c, made)
        return Body(self, made[0])

    def add_support(self, body, where, *, free=(False, False, False), **fields):
        """Hold the nodes of a deformable body of a set ("zmin", "surface", ...), but for the axes
        that are free. Keywords are those of SlipSupportDef: velocity, sine_axis, sine_amplitude,
        sine_frequency."""
        keep, c = [], struct("SlipSupportDef")
        fill(c, "SlipSupportDef", dict(fields, where=where), "a support", keep)
        c.free = [int(axis) for axis in free]
        c.body = self._body(body)._c
        with self._entered() as sim:
            call(lib.slip_sim_add_support, sim, c)

    def add_load(self, body, where, *, start=0.0, **fields):
        """Forces on nodes of a deformable body. Keywords are those of SlipLoadDef: force (on each
        node), traction, pressure (on faces), full, until."""
        keep, c = [], struct("SlipLoadDef")
        fields.update({"where": where, "from": start})
        fill(c, "SlipLoadDef", fields, "a load", keep)
        c.body = self._body(body)._c
        with self._entered() as sim:
            call(lib.slip_sim_add_load, sim, c)

    def _body(self, body):
        if isinstance(body, Body):
            if body._sim is not self:
                raise ArgumentError(f"{body!r} belongs to another simulation")
            return body
        return self[body]

    def __getitem__(self, name):
        """A body by its name (the first of them) or its slot."""
        with self._entered(reading=True) as sim:
            if isinstance(name, str):
                c = lib.slip_sim_find_body(sim, string(name, "name"))
            else:
                c = lib.slip_sim_body_at(sim, int(name))
        if c.generation == 0:
            raise unknown("body", name, [n for n in self.names if n])
        return Body(self, c)

    # ---- Its state -----------------------------------------------------------------------------

    def _state(self):
        state = struct("SlipSimState")
        call(lib.slip_sim_state, self._c, state)
        return state

    def _array(self, name, count):
        with self._entered(reading=True):
            state = self._state()
            return view(self._lease, getattr(state, name), (state.bodies, count), np.float64)

    position = property(lambda self: self._array("position", 3), doc="(slots, 3), without a copy")
    rotation = property(lambda self: self._array("rotation", 4), doc="(slots, 4): w, x, y, z")
    velocity = property(lambda self: self._array("velocity", 3), doc="(slots, 3)")
    spin = property(lambda self: self._array("spin", 3), doc="(slots, 3), in world axes")

    @property
    def present(self):
        """Which slots hold a body."""
        with self._entered(reading=True):
            state = self._state()
            return view(self._lease, state.present, (state.bodies,), np.bool_)

    @property
    def contacts(self):
        """The contact points of the last step, an array of records (a copy: their number changes):
        bodies, status, key, position, normal, impulse, gap, moment."""
        with self._entered(reading=True):
            state = self._state()
            return view(self._lease, state.contact, (state.contacts,), CONTACT).copy()

    @property
    def names(self):
        """Of the bodies, slot by slot."""
        with self._entered(reading=True) as sim:
            return [text(lib.slip_sim_body_name(sim, k)) for k in range(self._state().bodies)]

    @property
    def bodies(self):
        """All bodies."""
        return [self[int(slot)] for slot in np.flatnonzero(self.present)]

    @property
    def shapes(self):
        """All shapes, with the slot of their body (-1: removed)."""
        made, slot = [], ffi.new("int32_t *")
        with self._entered(reading=True) as sim:
            for k in range(lib.slip_sim_shape_count(sim)):
                c = struct("SlipShapeDef")
                call(lib.slip_sim_shape, sim, k, c, slot)
                made.append(ShapeInfo(c, slot[0]))
        return made

    time = property(lambda self: lib.slip_sim_time(self._c), doc="seconds")
    steps = property(lambda self: lib.slip_sim_steps(self._c), doc="that were made")
    dimension = property(lambda self: lib.slip_sim_dimension(self._c), doc="2 or 3")

    @property
    def energy(self):
        """The ledger as it is now."""
        c = ffi.new("SlipEnergy *")
        with self._entered(reading=True) as sim:
            lib.slip_sim_energy(sim, c)
        return Energy(c)

    @property
    def problem(self):
        """The contact problem of the last step, a copy; None where nothing touched."""
        with self._entered(reading=True) as sim:
            c = lib.slip_sim_problem(sim)
            return None if c == ffi.NULL else copy_of(c)

    @property
    def global_problem(self):
        """The same in global form, with M + h theta C + h^2 theta^2 K of deformable bodies."""
        made = ffi.new("SlipProblem **")
        with self._entered(reading=True) as sim:
            call(lib.slip_sim_global_problem, sim, made)
        return Problem._of(own(made[0], lib.slip_problem_free))

    @property
    def result(self):
        """The solution of that problem, a copy; joints come first, then the contacts."""
        with self._entered(reading=True) as sim:
            c = lib.slip_sim_result(sim)
            return None if c == ffi.NULL else Result(c, Lease(None)).copy()

    @property
    def start(self):
        """The impulses that this solution began from, an array; None where nothing touched."""
        with self._entered(reading=True) as sim:
            r, problem = lib.slip_sim_start(sim), lib.slip_sim_problem(sim)
            if r == ffi.NULL:
                return None
            count = lib.slip_problem_contacts(problem) * lib.slip_problem_dimension(problem)
            return np.frombuffer(ffi.buffer(r, 8 * count)).copy() if count else np.zeros(0)

    def set_pose(self, body, position, rotation=(1, 0, 0, 0)):
        """Put a body somewhere."""
        body = self._body(body)
        position, rotation = (_arrays.vector3(position, "position"),
                              _arrays.vector3(rotation, "rotation", 4))
        with self._entered() as sim:
            call(lib.slip_sim_set_pose, sim, body._c, position, rotation)

    def set_velocity(self, body, velocity, spin=(0, 0, 0)):
        """Give a body a velocity and a spin."""
        body = self._body(body)
        velocity, spin = _arrays.vector3(velocity, "velocity"), _arrays.vector3(spin, "spin")
        with self._entered() as sim:
            call(lib.slip_sim_set_velocity, sim, body._c, velocity, spin)

    def save(self):
        """Everything that decides the future, as bytes."""
        made, size = ffi.new("void **"), ffi.new("size_t *")
        with self._entered() as sim:
            call(lib.slip_sim_save, sim, made, size)
        try:
            return bytes(ffi.buffer(made[0], size[0]))
        finally:
            lib.slip_sim_bytes_free(made[0])

    def restore(self, content):
        """Go back to what save() gave; the simulation goes on with the same bits."""
        content = bytes(content)
        with self._entered() as sim:
            call(lib.slip_sim_restore, sim, content, len(content))

    # ---- Functions of the user's ---------------------------------------------------------------

    def on_force(self, function):
        """Call function(sim, time) at the start of each step; it may call apply of bodies. Serves
        as a decorator; None takes it away."""
        self._set_function("force", "SlipForceFunction", lib.slip_sim_set_force_function, function,
                           lambda sim: lambda _user, _sim, time: _nothing(function(sim(), time)))
        return function

    def on_pair(self, function):
        """Ask function(a, b), which gets two bodies, whether they may touch; it must give the same
        answer for the same pair. None takes it away."""
        def asked(sim):
            return lambda _user, a, b: int(bool(function(Body(sim(), _copy_id(a)),
                                                         Body(sim(), _copy_id(b)))))

        self._set_function("pair", "SlipFilterFunction", lib.slip_sim_set_filter, function, asked)
        return function

    def on_rule(self, function):
        """Ask function(contact) for the rule of every contact in every step, so that its law may
        follow what has become of it: hardening, softening, wear. The contact has the attributes of
        SlipRuleContact (bodies, key, time, position, normal, tangents, gap, impulse, drawn, slid,
        holds); the function returns the fields of the rule that are to change, {"friction": 0.2},
        or None. It must give the same answer for the same contact. None takes it away."""
        def asked(sim):
            def answer(_user, contact, rule):
                changed = function(_rule_contact(sim(), contact)) or {}
                fill(rule, "SlipContactRule", dict(changed), "a rule", [],
                     {"law": laws(), "flow": FLOWS})

            return answer

        self._set_function("rule", "SlipRuleFunction", lib.slip_sim_set_rule_function, function,
                           asked)
        return function

    def _set_function(self, key, kind, setter, function, make):
        if function is not None and not callable(function):
            raise ArgumentError(f"a function is wanted, not {type(function).__name__}")
        made, result = ffi.NULL, 1 if kind == "SlipFilterFunction" else None
        if function is not None:
            made = ffi.callback(kind, make(weakref.ref(self)), **_caught(weakref.ref(self), result))
        with self._entered() as sim:
            setter(sim, made, ffi.NULL)
            self._keep[key] = made

    def on_progress(self, function):
        """Call a function with a Progress while the contact problem of a step is solved; where it
        returns something true, the step ends as not solved. None takes it away."""
        watch = Watch(check_watch(function)) if function is not None else None
        with self._entered() as sim:
            lib.slip_sim_set_progress(sim, watch.c if watch else ffi.NULL, ffi.NULL)
            self._watch = watch

    def apply(self, body, force=(0, 0, 0), torque=(0, 0, 0)):
        """A force and torque at a body's centre of mass that last for one step."""
        body = self._body(body)
        force, torque = _arrays.vector3(force, "force"), _arrays.vector3(torque, "torque")
        with self._entered(reading=True) as sim:
            call(lib.slip_sim_apply, sim, body._c, force, torque)

    # ---- Stepping ------------------------------------------------------------------------------

    def step(self, count=1):
        """Make one step, or several; returns the StepInfo of the last. A step that fails leaves the
        state before it, and its StepInfo in the attribute `step` of the error."""
        info = struct("SlipStepInfo")
        for _ in range(count):
            self._step(info)
        return StepInfo(info)

    def _step(self, info):
        self._look_after_signals()
        with self._entered() as sim:
            self._inside, self._trouble = _thread.get_ident(), None
            try:
                status = lib.slip_sim_step(sim, info, self._error)
            finally:
                self._inside = None
            trouble, self._trouble = self._trouble, None
        if self._watch:
            self._watch.settle()
        if trouble is not None:
            raise trouble
        if status:
            try:
                fail(self._error)
            except Error as error:
                error.step = StepInfo(info)
                raise

    def _look_after_signals(self):
        if self._watch is None and self.steps == 0 and self._state().bodies >= BODIES_WATCHED:
            self.on_progress(lambda _: False)

    def run(self, until=None, **keywords):
        """Step up to a time: see slipcone.run."""
        from ._run import run

        return run(self, until, **keywords)

    def view(self, path="sim.html", until=None, **keywords):
        """Run as run() does, record that beside the page `path`, and show the page in a browser.
        Returns the Trajectory."""
        from ._trajectory import Trajectory

        record = os.path.splitext(os.fspath(path))[0] + ".h5"
        self.run(until, record=record, **keywords)
        trajectory = Trajectory(record)
        trajectory.view(path)
        return trajectory

    @classmethod
    def restart(cls, path, time=float("inf"), set=None):
        """The simulation of a trajectory as it was at its last snapshot before `time`. A run that
        records to the same path goes on from there, with the same bits."""
        from ._trajectory import Trajectory

        trajectory = Trajectory(path)
        sim = cls(trajectory.scene_with(set))
        sim.restore(trajectory.snapshot(time))
        sim._continues = path
        return sim

    def __repr__(self):
        state = self._state()
        return (f"<simulation of {state.bodies} bodies at {self.time:.6g} s, {state.contacts} "
                f"contacts>")


def _nothing(_):
    return None


def _copy_id(c):
    made = ffi.new("SlipBodyId *", {"index": c.index, "generation": c.generation})
    return made[0]


def _rule_contact(sim, c):
    """What a function of on_rule gets."""
    vectors = {name: np.array(list(getattr(c, name)))
               for name in ("position", "normal", "impulse")}
    return types.SimpleNamespace(
        bodies=tuple(Body(sim, _copy_id(c.bodies[k])) for k in range(2)), key=c.key, time=c.time,
        gap=c.gap, drawn=c.drawn, slid=c.slid, holds=bool(c.holds),
        tangents=np.array([list(c.tangents[k]) for k in range(2)]), **vectors)


def _caught(sim, result):
    """For a function that C calls: what it raises is kept until the step is over, and C gets
    `result`; None where C wants nothing."""
    def keep(_kind, error, _trace):
        sim()._trouble = error  # also KeyboardInterrupt

    return {"onerror": keep} if result is None else {"onerror": keep, "error": result}
