"""Does a problem have a solution? docs/existence.md explains the answers."""

import numpy as np

from . import _arrays
from ._arrays import Fields, Lease, view
from ._library import (ArgumentError, call, choose, create, enumeration, ffi, lib, struct, text,
                       unknown)
from ._problem import Problem
from ._solver import Watch, check_watch

ANSWERS = {number: name for name, number in enumeration("SlipAnswer", "SLIP_ANSWER_").items()}


class Found:
    """One solution, or one of infinitely many with these statuses (`continuum`)."""

    def __init__(self, lease, c, size, contacts):
        self.r, self.u = (view(lease, a, (size,), np.float64) for a in (c.r, c.u))
        self.status = view(lease, c.status, (contacts,), np.int32)
        self.continuum = bool(c.continuum)

    def __repr__(self):
        return f"Found(r={self.r}, continuum={self.continuum})"


class Check(Fields):
    """What a check found: `verdict` of the kinematics, `answer` ("yes", "no" or "undecided"),
    `reason`, certificates `v` and `r`, and the solutions `found`."""

    _struct = "SlipCheck"
    _names = {"verdict": lambda v: text(lib.slip_verdict_name(v)), "answer": lambda a: ANSWERS[a],
              "internal": lambda a: ANSWERS[a],
              "ground": lambda g: text(lib.slip_check_ground_name(g))}

    def _array(self, name, size):
        address = getattr(self._c, name)
        return None if address == ffi.NULL else view(self._lease, address, (size,), np.float64)

    @property
    def v(self):
        """Velocities that certify a solution, or None."""
        c = self._c
        return self._array("v", c.dof if c.dof else c.dimension * c.contacts)

    @property
    def r(self):
        """Impulses that certify that the criterion fails, or None."""
        return self._array("r", self._c.dimension * self._c.contacts)

    @property
    def found(self):
        """The solutions that were found."""
        c = self._c
        size = c.dimension * c.contacts
        return [Found(self._lease, c.found[k], size, c.contacts) for k in range(c.found_count)]


def check(problem, *, r=None, progress=None, **options):
    """Does a problem have a solution? Returns a Check.

    Options are those of SlipCheckOptions: tol, margin, enumerate, solve, mass, nodes, time_limit.
    `r` are impulses that may be a solution; `progress` is as for Solver.
    """
    if not isinstance(problem, Problem):
        raise ArgumentError(f"a Problem is wanted, not {type(problem).__name__}")
    keep, c = [], struct("SlipCheckOptions")
    numbers = [name for name, field in ffi.typeof("SlipCheckOptions").fields
               if field.type.kind == "primitive" and name != "size"]
    for name, value in options.items():
        if name not in numbers:
            raise unknown("option", name, numbers, "a check")
        try:
            setattr(c, name, value)
        except (TypeError, OverflowError) as error:
            raise ArgumentError(f"option {name}: {error}") from None
    if r is not None:
        c.r = _arrays.pointer(_arrays.real(r, "r", problem.dimension * problem.contacts), keep)
    watch = Watch(check_watch(progress))
    c.progress = watch.c
    with problem._used() as p:
        made = create("SlipCheck", lib.slip_check, p, c, free=lib.slip_check_free)
    watch.settle()
    return Check(made, Lease(made))


# ---- One contact ---------------------------------------------------------------------------------


class OneContact:
    """All solutions of a one-contact problem: impulses `r` (count, 3) and `status` of each;
    `continuum` says that there are infinitely many, and these are examples."""

    def __init__(self, c):
        self.count, self.continuum = c.count, bool(c.continuum)
        self.r = np.array([list(c.r[k]) for k in range(c.count)]).reshape(-1, 3)
        self.status = np.array(list(c.status)[: c.count], dtype=np.int32)

    def __repr__(self):
        return f"OneContact(r={self.r.tolist()}, continuum={self.continuum})"


def one_contact(W, q, mu, form="tan"):
    """All solutions of u = W r + q with one contact in 3D and W symmetric, by the exact enumeration
    of Bonnefon and Daviet. `form` names the quartic, "tan" or "alpha"."""
    forms = enumeration("SlipQuartic", "SLIP_QUARTIC_")
    if form not in forms:
        raise unknown("quartic", form, forms)
    keep, c = [], struct("SlipOneContact")
    W = _arrays.pointer(_arrays.real(W, "W", 9), keep)
    q = _arrays.pointer(_arrays.real(q, "q", 3), keep)
    mu = float(_arrays.real(mu, "mu", 1)[0])
    call(lib.slip_one_contact_enumerate, W, q, mu, forms[form], c)
    return OneContact(c)


class Kernels:
    """Contacts prepared once, each solved by itself and many times: for loops of your own.

    `W` are the contacts' own blocks (count, d, d), normal first; `mu` one for all or one each.
    """

    def __init__(self, W, mu, flow="coulomb"):
        W = _arrays.numbers(W, "W")
        W = W[None] if W.ndim == 2 else W
        if W.ndim != 3 or W.shape[1] != W.shape[2]:
            raise ArgumentError(f"W has the shape {_arrays.shape_text(W.shape)}; "
                                "(count, d, d) is wanted")
        self.count, self.dimension = W.shape[0], W.shape[1]
        flow = choose(flow, enumeration("SlipFlow", "SLIP_FLOW_"), "flow")
        mu, keep = _arrays.each(mu, "mu", self.count), []
        blocks = _arrays.real(W, "W")
        self._c = ffi.new("SlipKernel[]", max(self.count, 1))
        if self.count == 1:
            call(lib.slip_kernel_prepare, self._c, self.dimension, _arrays.pointer(blocks, keep),
                 mu[0], flow)
        else:
            call(lib.slip_kernel_prepare_many, self._c, self.count, self.dimension,
                 _arrays.pointer(blocks, keep), _arrays.pointer(mu, keep), flow)

    def _given(self, values, name, keep):
        array = _arrays.real(values, name, self.count * self.dimension)
        return array, _arrays.pointer(array, keep)

    def solve(self, q, r=None):
        """Impulses (count, d) for the velocities q that the contacts would have without their own
        impulses, from r (default: 0), and whether each was solved."""
        keep, solved = [], np.zeros(self.count, dtype=np.int32)
        _, c_q = self._given(q, "q", keep)
        start = np.zeros(self.count * self.dimension) if r is None else np.array(r, dtype=float)
        impulses, c_r = self._given(start, "r", keep)
        if self.count == 1:
            solved[0] = lib.slip_kernel_solve(self._c, c_q, c_r)
        else:
            layout = ffi.new("SlipKernelLayout *", {"contact": self.dimension, "component": 1})
            lib.slip_kernel_solve_many(self._c, self.count, layout[0], c_q, c_r,
                                       _arrays.pointer(solved, keep))
        return impulses.reshape(self.count, self.dimension), solved.astype(bool)

    def _judge(self, function, q, r, dtype):
        keep = []
        _, c_q = self._given(q, "q", keep)
        _, c_r = self._given(r, "r", keep)
        return np.array([function(self._c + a, c_q + a * self.dimension, c_r + a * self.dimension)
                         for a in range(self.count)], dtype=dtype)

    def error(self, q, r):
        """How far each contact is from a solution: the natural map, relative to |q| and |W||r|."""
        return self._judge(lib.slip_kernel_error, q, r, float)

    def status(self, q, r):
        """OPEN, STICK or SLIP of each contact."""
        return self._judge(lib.slip_kernel_status, q, r, np.int32)

    def __repr__(self):
        return f"<{self.count} contact{'' if self.count == 1 else 's'} in {self.dimension}D>"
