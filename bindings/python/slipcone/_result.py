"""Results of runs."""

import numpy as np

from ._arrays import Lease, dtype_of, table_html, table_text, view
from ._library import ArgumentError, StaleError, call, ffi, lib, text

OPEN, STICK, SLIP = lib.SLIP_CONTACT_OPEN, lib.SLIP_CONTACT_STICK, lib.SLIP_CONTACT_SLIP
STATUS = ("open", "stick", "slip")
TRACE = dtype_of("SlipTracePoint")
MOST_ROWS = 12  # of contacts in a printed table


def outcome_name(outcome):
    return text(lib.slip_outcome_name(outcome))


class Result:
    """The result of a run. r, u, v, status and contact_residual are arrays that look at the
    solver's own memory and keep it alive. They hold until the solver's next run or update, which
    writes new values there; a Result that has been replaced like this refuses to be asked.
    copy() gives one that stays."""

    __slots__ = ("_c", "_lease", "_turn")

    def __init__(self, c, lease):
        self._c, self._lease, self._turn = c, lease, lease.turn

    @property
    def _now(self):
        if self._turn != self._lease.turn:
            raise StaleError("this result has been replaced by a later run or update of its "
                             "solver; Result.copy() keeps one")
        return self._c

    def _view(self, name, shape, dtype=np.float64):
        mark = self._lease.mark  # held from before the look at the turn
        made = view(self._lease, getattr(self._now, name), shape, dtype)
        del mark
        return made

    @property
    def outcome(self):
        """"SOLVED", "MAX_ITER", ..."""
        return outcome_name(self._now.outcome)

    @property
    def solved(self):
        """Whether the problem was solved to the tolerance."""
        return self._now.outcome == lib.SLIP_SOLVED

    @property
    def r(self):
        """Impulses, dimension*contacts."""
        c = self._now
        return self._view("r", (c.dimension * c.contacts,))

    @property
    def u(self):
        """Relative velocities W r + q."""
        c = self._now
        return self._view("u", (c.dimension * c.contacts,))

    @property
    def v(self):
        """Velocities of the degrees of freedom; None for a local problem."""
        c = self._now
        return None if c.v == ffi.NULL else self._view("v", (c.dof,))

    @property
    def impulses(self):
        """r as (contacts, dimension): the normal, then the tangents."""
        return self.r.reshape(-1, self._now.dimension)

    @property
    def velocities(self):
        """u as (contacts, dimension)."""
        return self.u.reshape(-1, self._now.dimension)

    @property
    def status(self):
        """Of each contact slipcone.OPEN, STICK or SLIP."""
        return self._view("status", (self._now.contacts,), np.int32)

    @property
    def contact_residual(self):
        """Each contact's share of the error."""
        return self._view("contact_residual", (self._now.contacts,))

    @property
    def trace(self):
        """The error's history: iteration, residual and seconds."""
        return self._view("trace", (self._now.trace_count,), TRACE)

    @property
    def method(self):
        """The name of the method."""
        return text(self._now.method)

    @property
    def reason(self):
        """Why the run stopped, a sentence."""
        return text(self._now.reason)

    @property
    def relaxed(self):
        """Whether it is a method's for the convex relaxation."""
        return bool(self._now.relaxed)

    def copy(self):
        """A result of its own, which no later run changes."""
        lock = self._lease.lock
        if lock is None:
            return self._copied()
        if not lock.acquire(False):
            raise StaleError("the solver of this result is in use by another thread")
        try:
            return self._copied()
        finally:
            lock.release()

    def _copied(self):
        c, keep = ffi.new("SlipResult *", self._now[0]), []
        sizes = {"r": c.dimension * c.contacts, "u": c.dimension * c.contacts, "v": c.dof,
                 "status": c.contacts, "contact_residual": c.contacts, "trace": c.trace_count}
        for name, size in sizes.items():
            address = getattr(c, name)
            if address != ffi.NULL and size:
                kind = ffi.typeof(address).item.cname
                keep.append(ffi.new(f"{kind}[]", size))
                ffi.memmove(keep[-1], address, ffi.sizeof(keep[-1]))
                setattr(c, name, keep[-1])
        for name in ("method", "reason"):
            keep.append(ffi.new("char[]", ffi.string(getattr(c, name))))
            setattr(c, name, keep[-1])
        return Result(c, Lease((c, keep)))

    def json(self, file="", tol=0.0):
        """As `slipcone solve --json` prints it."""
        made, own = ffi.new("char **"), self.copy()
        call(lib.slip_result_json, str(file).encode(), tol, own._c, made)
        try:
            return text(made[0])
        finally:
            lib.slip_text_free(made[0])

    # ---- Tables --------------------------------------------------------------------------------

    def _summary(self):
        c = self._now
        size = f"{c.contacts} contact{'s' * (c.contacts != 1)}"
        steps = f"{c.iterations} iteration{'s' * (c.iterations != 1)}"
        return (f"{self.outcome} by {self.method}: {size} ({c.open} open, {c.stick} stick, "
                f"{c.slip} slip), {steps}, error {c.residual:.2g}")

    def _header(self):
        names = ("N", "T") if self._now.dimension == 2 else ("N", "T1", "T2")
        columns = [kind + name for kind in ("r_", "u_") for name in names]
        return ("contact", "status", *columns, "error")

    def _rows(self):
        c = self._now
        shown = list(range(c.contacts))
        if c.contacts > MOST_ROWS:
            shown = shown[: MOST_ROWS // 2] + [None] + shown[-MOST_ROWS // 2:]
        r, u, status, share = self.impulses, self.velocities, self.status, self.contact_residual
        for k in shown:
            if k is None:
                yield ("...",) * (3 + 2 * c.dimension)
            else:
                yield (str(k), STATUS[status[k]], *(f"{x:.6g}" for x in (*r[k], *u[k])),
                       f"{share[k]:.2g}")

    def __repr__(self):
        if self._now.outcome == lib.SLIP_NOT_RUN or not self._now.contacts:
            return self._summary()
        return self._summary() + "\n" + table_text(self._rows(), self._header())

    def _repr_html_(self):
        return table_html(self._rows(), self._header(), self._summary())


def _number(name, doc):
    return property(lambda self: getattr(self._now, name), doc=doc)


_DOCS = {"residual": "natural-map error (131)", "physical": "the second measure of the error",
         "gap": "bipotential gap (81)", "seconds": "of the run",
         "open": "open contacts", "stick": "sticking contacts", "slip": "sliding contacts"}
# The numbers of the struct, each once: those above with a name of their own stay as they are.
for _name, _field in ffi.typeof("SlipResult").fields:
    if _field.type.kind == "primitive" and _name != "size" and not hasattr(Result, _name):
        setattr(Result, _name, _number(_name, _DOCS.get(_name, "as in SlipResult of slipcone.h")))


def raise_unless_result(result):
    """For functions that are given results by users."""
    if not isinstance(result, Result):
        raise ArgumentError(f"a Result is wanted, not {type(result).__name__}")
    return result
