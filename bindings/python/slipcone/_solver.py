"""Solvers: a method made ready for a problem, run again and again with new data."""

import _thread

import numpy as np

from . import _arrays
from ._arrays import Lease, arrays_live
from ._library import ArgumentError, StaleError, call, create, fail, ffi, lib, struct
from ._problem import _KEYWORDS, PARAMETERS, Problem
from ._result import Result
from ._tables import Settings, documented

# From this many contacts on, runs look after signals such as Ctrl-C between iterations, which
# then take far longer than the look.
CONTACTS_WATCHED = 1000

_ndarray, _float64 = np.ndarray, np.dtype(np.float64)


class Progress:
    """Where a run is: iteration, residual, tol, seconds, and whether it is being set up."""

    __slots__ = ("iteration", "residual", "tol", "seconds", "set_up")

    def __init__(self, c):
        self.iteration, self.residual, self.tol = c.iteration, c.residual, c.tol
        self.seconds, self.set_up = c.seconds, bool(c.set_up)

    def __repr__(self):
        return f"iteration {self.iteration}, error {self.residual:.2g}, {self.seconds:.2g} s"


class Watch:
    """A function of the user's that is called while the library works. What it raises ends the
    work and is raised again after it."""

    def __init__(self, function=None):
        self.function, self.error = function, None
        self.c = ffi.callback("SlipProgressFunction", self._call, error=1, onerror=self._caught)

    def _call(self, progress, _):
        return int(bool(self.function and self.function(Progress(progress))))

    def _caught(self, _kind, error, _trace):
        self.error = error  # also KeyboardInterrupt; C gets 1

    def settle(self):
        """After the library's call."""
        error, self.error = self.error, None
        if error is not None:
            raise error


def check_watch(function):
    if function is not None and not callable(function):
        raise ArgumentError("progress must be a function of one argument, which gets a Progress")
    return function


class Solver:
    """A method made ready for one problem.

    solver = Solver(W, q, mu)         or Solver(problem), or any arguments of Problem
    result = solver.solve()
    result = solver.solve(q=new_q)    new data, then a run
    solver.update(mu=0.3)             new data alone: q, mu, W; of global problems f and w
    solver.warm_start(r)              the next run starts from r; without r from the last result
    solver.set_problem(other)         another problem of any size in the same memory

    `method` is a name out of slipcone.methods(), or Settings; options are keywords. `progress` is
    a function that is called after each iteration with a Progress, and ends the run where it
    returns something true. One thread uses a solver at a time; another one is refused.
    """

    def __init__(self, *problem, method=None, progress=None, **options):
        self._lock = _thread.allocate_lock()
        self._c = None
        self._local = False
        if problem or options.keys() & _DATA:
            self.setup(*problem, method=method, progress=progress, **options)
        elif method is not None or progress is not None or options:
            raise ArgumentError("a Solver without a problem gets its method and options by setup()")

    def setup(self, *problem, method=None, progress=None, **options):
        """Make it ready for a problem, given as such or by the arguments of Problem."""
        data = {name: options.pop(name) for name in list(options) if name in _DATA}
        if problem and isinstance(problem[0], Problem):
            if len(problem) > 1 or data:
                raise ArgumentError("a Solver takes a Problem or the data of one, not both")
            problem = problem[0]
        else:
            problem = Problem(*problem, **data)
        settings = Settings(method, **options)
        watched = check_watch(progress) or problem.contacts >= CONTACTS_WATCHED
        watch = Watch(progress) if watched else None
        if not self._lock.acquire(False):
            raise _busy()
        try:
            self._create(problem, settings, watch)
        finally:
            self._lock.release()
        return self

    def _create(self, problem, settings, watch):
        """The library's solver. Where that fails, the one before stays."""
        lib.slip_settings_set_progress(settings._c, watch.c if watch else ffi.NULL, ffi.NULL)
        needs = [problem, watch]  # as long as the library's solver lives
        try:
            with problem._used() as c:
                version = problem._version
                made = create("SlipSolver", _create_solver, c, settings._c,
                              free=lib.slip_solver_free, keep=(needs,))
        finally:
            lib.slip_settings_set_progress(settings._c, ffi.NULL, ffi.NULL)
        if watch:
            watch.settle()
        self._problem, self.settings, self._watch, self._needs = problem, settings, watch, needs
        self._error, self._result = ffi.new("SlipError *"), lib.slip_solver_result(made)
        self._lease, self._c = Lease(made, self._lock), made
        self._make_room(version)

    def _make_room(self, version):
        """A place for new q, at an address that the struct of updates keeps."""
        problem = self._problem
        self._version, self._uses = version, problem._uses
        self._shape = (problem.dimension * problem.contacts,)
        self._q = np.zeros(self._shape)
        self._q_update = struct("SlipUpdate")
        self._q_address = ffi.from_buffer("double[]", self._q)
        self._q_update.q = self._q_address
        self._local = problem.form == "local" and self._shape[0] > 0

    # ---- Runs ----------------------------------------------------------------------------------

    def solve(self, q=None, **data):
        """Run, with new data where they are given: q, mu, W; of global problems f and w. Returns
        the Result."""
        if data or (q is not None and not (self._local and q.__class__ is _ndarray and
                                           q.dtype is _float64 and q.shape == self._shape)):
            self.update(q=q, **data)
            q = None
        if not self._lock.acquire(False):
            raise _busy()
        try:
            if self._c is None:
                raise self._unready()
            self._uses.append(None)
            lease = self._lease
            lease.turn += 1
            try:
                if self._version != self._problem._version:
                    raise self._unready()
                if q is not None:
                    self._q[:] = q
                    if lib_update(self._c, self._q_update, self._error):
                        fail(self._error)
                if lib_run(self._c, self._error):
                    fail(self._error)
            finally:
                self._uses.pop()
            if self._watch:
                self._watch.settle()
        finally:
            self._lock.release()
        return Result(self._result, lease)

    def _unready(self):
        if self._c is None:
            return StaleError("the solver has no problem yet: setup() gives it one")
        return StaleError("the problem has got other bodies since: Solver.set_problem() gives it "
                          "to the solver again")

    @property
    def result(self):
        """The result of the last run."""
        if self._c is None:
            raise self._unready()
        return Result(self._result, self._lease)

    problem = property(lambda self: self._problem, doc="the problem it is for")
    method = property(lambda self: self.settings.method, doc="the name of the method")

    # ---- New data ------------------------------------------------------------------------------

    def _call(self, function, *arguments):
        """A call that changes the solver, by one thread at a time."""
        if not self._lock.acquire(False):
            raise _busy()
        try:
            if self._c is None:
                raise self._unready()
            self._lease.turn += 1
            with self._problem._used():
                if self._version != self._problem._version:
                    raise self._unready()
                call(function, self._c, *arguments)
        finally:
            self._lock.release()

    def update(self, *, q=None, mu=None, W=None, f=None, w=None):
        """New data for the next runs; what is not given stays. W must have the same pattern."""
        if self._c is None:
            raise self._unready()
        keep, c, problem = [], struct("SlipUpdate"), self._problem
        size = self._shape[0]
        for name, value, count in (("q", q, size), ("w", w, size), ("f", f, problem.dof)):
            if value is not None:
                setattr(c, name, _arrays.pointer(_arrays.real(value, name, count), keep))
        if mu is not None:
            c.mu = _arrays.pointer(_arrays.each(mu, "mu", problem.contacts), keep)
        if W is not None:
            c.W = keep_matrix = ffi.new("SlipMatrix *")
            keep.append(keep_matrix)
            _arrays.matrix(W, "W", keep_matrix, size, size, keep)
        self._call(lib.slip_solver_update, c)

    def warm_start(self, r=None):
        """The next run starts from r; without it, from the last result, whose impulses go to the
        contacts with the same keys where the problem is another."""
        if r is None:
            self._call(lib.slip_solver_warm_start_last)
        else:
            if self._c is None:
                raise self._unready()
            keep = []
            r = _arrays.pointer(_arrays.real(r, "r", self._shape[0]), keep)
            self._call(lib.slip_solver_warm_start, r)

    def set_problem(self, problem):
        """Another problem, of any size and form, in the memory of this solver."""
        if not isinstance(problem, Problem):
            raise ArgumentError(f"a Problem is wanted, not {type(problem).__name__}")
        if self._c is None:
            raise StaleError("the solver has no problem yet: setup() gives it one")
        if not self._lock.acquire(False):
            raise _busy()
        try:
            self._lease.turn += 1
            if arrays_live(self._lease):
                self._lease.turn -= 1
                raise StaleError("arrays of a result are still in use, and another problem would "
                                 "take their memory: let go of them, or keep copies "
                                 "(Result.copy())")
            with problem._used() as c:
                version = problem._version
                self._needs.append(problem)
                call(lib.slip_solver_set_problem, self._c, c)
            self._problem = problem
            self._needs[:] = [problem, self._watch]
            self._make_room(version)
        finally:
            self._lock.release()

    def on_progress(self, function):
        """Call a function with a Progress after each iteration of the next runs; None: no more."""
        check_watch(function)
        if self._c is None:
            raise self._unready()
        if not self._lock.acquire(False):
            raise _busy()
        try:
            watch = Watch(function) if function else None
            lib.slip_solver_set_progress(self._c, watch.c if watch else ffi.NULL, ffi.NULL)
            self._watch = self._needs[1] = watch
        finally:
            self._lock.release()

    def __repr__(self):
        if self._c is None:
            return "<Solver without a problem>"
        return f"<Solver by {self.method} for {self._problem!r}>"


_DATA = frozenset((*_KEYWORDS, *PARAMETERS))
lib_update, lib_run, _create_solver = (lib.slip_solver_update, lib.slip_solver_run,
                                       lib.slip_solver_create)


def _busy():
    return StaleError("the solver is in use by another thread, or by the run that called this")


@documented
def solve(W=None, q=None, mu=None, *, method=None, progress=None, **options):
    """Solve a contact problem and return its Result.

    solve(W, q, mu)                      u = W r + q
    solve(M=M, H=H, f=f, w=w, mu=mu)     M v = H r + f, u = H' v + w
    solve(problem)                       one that was made before

    Arguments are those of Problem (law, flow, compliance, ...), `method` is a name out of
    slipcone.methods() or Settings, and options of the method are keywords.
    """
    if isinstance(W, Problem):
        if q is not None or mu is not None:
            raise ArgumentError("a problem has its own q and mu; Solver.solve takes new ones")
        return Solver(W, method=method, progress=progress, **options).solve()
    return Solver(W, q, mu, method=method, progress=progress, **options).solve()
