"""Problems: u = W r + q with a law of contact for each block of r and u."""

import _thread
import contextlib

import numpy as np

from . import _arrays
from ._arrays import Fields, Lease, real, view, whole
from ._library import (ArgumentError, StaleError, call, create, enumeration, ffi, lib, path_bytes,
                       string, struct, unknown)
from ._tables import flow_number, law_number, laws

FORMS = {number: name for name, number in enumeration("SlipForm", "SLIP_FORM_").items()}


class Features(Fields):
    """Sizes, rank and condition of a problem (docs/features.md). NaN, of a count -1, where it is
    not known."""

    _struct = "SlipFeatures"
    _names = {"form": lambda form: FORMS[form]}


def _numbers(value, number, name, count):
    """One number a contact from names, numbers, or one of them for all."""
    if isinstance(value, str) or np.ndim(value) == 0:
        return whole(np.full(count, number(value)), name, count)
    return whole([number(one) for one in value], name, count)


# The parameters of laws beside mu, {name: type of a value}: whatever SlipLaws has.
PARAMETERS = {name: field.type.item.cname for name, field in ffi.typeof("SlipLaws").fields
              if name not in ("size", "kind", "mu")}


def _fill_laws(mu, given, count, keep):
    """A SlipLaws of mu, law and parameters."""
    c, given = struct("SlipLaws"), dict(given)
    law = given.pop("law")
    if law is not None:
        c.kind = _arrays.pointer(_numbers(law, law_number, "law", count), keep)
    if mu is not None:
        c.mu = _arrays.pointer(_arrays.each(mu, "mu", count), keep)
    for name, value in given.items():
        if name not in PARAMETERS:
            raise unknown("keyword", name, [*_KEYWORDS, *PARAMETERS], "a problem")
        if value is not None:
            setattr(c, name, _arrays.pointer(_parameter(name, value, count), keep))
    keep.append(c)
    return c


def _parameter(name, value, count):
    """One value of a parameter for each contact."""
    if name == "flow":
        return _numbers(value, flow_number, name, count)
    if PARAMETERS[name] == "double":
        return _arrays.each(value, name, count)
    value = _arrays.numbers(value, name)
    return whole(np.full(count, value) if value.ndim == 0 else value, name, count)


def _dimension(said, value, name, mu):
    """Components a contact: said, or from the shape (contacts, dimension) of q or w, or from the
    number of coefficients of friction, or 3."""
    if said is not None:
        if said not in (2, 3):
            raise ArgumentError(f"dimension is {said!r}; 2 or 3 is wanted")
        return said
    value = _arrays.numbers(value, name)
    if value.ndim == 2:
        return value.shape[1]
    mu = _arrays.numbers(0 if mu is None else mu, "mu")
    size, count = value.size, mu.size if mu.ndim == 1 else 0
    if count and size in (2 * count, 3 * count):
        return size // count
    if size % 3:
        raise ArgumentError(f"{name} has {size} values, which is no multiple of 3 (dimension=2 "
                            "says that contacts have two components)")
    return 3


_CHANGING = -1


class Problem:
    """A contact problem: checked, then never changed, and safe to share among threads.

    Problem(W, q, mu)                        u = W r + q
    Problem(M=M, H=H, f=f, w=w, mu=mu)       M v = H r + f, u = H' v + w
    Problem(M=M, body=body, H=H, f=f, w=w, mu=mu)   rigid bodies, block by block

    W, M and H are NumPy arrays or SciPy sparse matrices of any format; q, w have one block of 2 or
    3 components a contact, the normal first, flat or as (contacts, dimension). mu is a number or
    one for each contact. `law` (slipcone.laws() names them) and parameters of laws are given once
    or for each contact: `flow` ("coulomb" or "associated"), `bound` (components of bilateral
    contacts, 1 + 2 + 4), `radius` (of Tresca's law), and whatever else SlipLaws of slipcone.h has.
    `compliance` is a block for each contact. Of bodies, M has the shape (bodies, n, n), H
    (contacts, 2, dimension, n), body (contacts, 2) with -1 for none; `key` and `frame` are for warm
    starts across problems.
    """

    def __init__(self, W=None, q=None, mu=None, *, M=None, H=None, f=None, w=None, body=None,
                 dimension=None, law=None, compliance=None, key=None, frame=None, **parameters):
        given = {"law": law, **parameters}
        rest = (mu, dimension, given, compliance)
        if W is not None or q is not None:
            _only("W and q", M=M, H=H, f=f, w=w, body=body, key=key, frame=frame)
            made = _create_local(W, q, *rest)
        elif body is not None:
            made = _create_bodies(M, H, f, w, body, key, frame, *rest)
        else:
            _only("M and H without body", key=key, frame=frame)
            made = _create_global(M, H, f, w, *rest)
        self._take(made)

    def _take(self, c):
        self._c = c
        self._lease = Lease(c)
        self._lock = _thread.allocate_lock()  # of set_bodies
        self._uses = []  # one entry for each call under way in the library
        self._version = 0  # of the data, which only set_bodies changes; _CHANGING meanwhile

    @classmethod
    def _of(cls, c):
        problem = cls.__new__(cls)
        problem._take(c)
        return problem

    @contextlib.contextmanager
    def _used(self):
        self._uses.append(None)
        try:
            if self._version == _CHANGING:
                raise StaleError("the problem is getting other bodies in another thread")
            yield self._c
        finally:
            self._uses.pop()

    form = property(lambda self: FORMS[lib.slip_problem_form(self._c)],
                    doc='"local", "global" or "bodies"')
    dimension = property(lambda self: lib.slip_problem_dimension(self._c), doc="2 or 3")
    contacts = property(lambda self: lib.slip_problem_contacts(self._c), doc="how many")
    dof = property(lambda self: lib.slip_problem_dof(self._c),
                   doc="degrees of freedom, the order of M; 0 for a local problem")

    def __repr__(self):
        size = f"{self.contacts} contact{'s' * (self.contacts != 1)} in {self.dimension}D"
        free = f", {self.dof} degree{'s' * (self.dof != 1)} of freedom" if self.dof else ""
        return f"<{self.form} problem, {size}{free}>"

    # ---- Its data, without copies -----------------------------------------------------------

    def _data(self):
        kind, function = {"local": ("SlipLocalData", lib.slip_problem_local_data),
                          "global": ("SlipGlobalData", lib.slip_problem_global_data),
                          "bodies": ("SlipBodiesData", lib.slip_problem_bodies_data)}[self.form]
        data = struct(kind)
        with self._used() as c:
            call(function, c, data)
        return data

    def _field(self, name):
        data = self._data()
        if not hasattr(data, name):
            raise AttributeError(f"a {self.form} problem has no {name}")
        return data, getattr(data, name)

    def _matrix(self, name):
        mark = self._lease.mark  # held from before the look at the data, as Lease says
        try:
            return self._matrix_of(name, *self._field(name))
        finally:
            del mark

    def _matrix_of(self, name, data, c):
        if self.form != "bodies":
            return _arrays.sparse(self._lease, c)
        n, d = (6, 3) if self.dimension == 3 else (3, 2)
        shape = (data.bodies, n, n) if name == "M" else (self.contacts, 2, d, n)
        return view(self._lease, c, shape, np.float64)

    def _vector(self, name, shape, dtype=np.float64):
        mark = self._lease.mark
        address = self._field(name)[1]
        made = None
        if address != ffi.NULL or 0 in shape:
            made = view(self._lease, address, shape, dtype)
        del mark
        return made

    def _of_law(self, name, dtype):
        mark = self._lease.mark
        c = self._data().laws
        address = ffi.NULL if c == ffi.NULL else getattr(c, name)
        made = None
        if address != ffi.NULL:
            made = view(self._lease, address, (self.contacts,), dtype)
        del mark
        return made

    @property
    def _size(self):
        return self.dimension * self.contacts

    W = property(lambda self: self._matrix("W"), doc="Delassus' matrix, of a local problem")
    M = property(lambda self: self._matrix("M"), doc="mass; of bodies their blocks")
    H = property(lambda self: self._matrix("H"), doc="contacts' directions; of bodies the blocks")
    q = property(lambda self: self._vector("q", (self._size,)), doc="velocities at r = 0")
    f = property(lambda self: self._vector("f", (self.dof,)), doc="impulses of forces")
    w = property(lambda self: self._vector("w", (self._size,)), doc="given relative velocities")
    compliance = property(lambda self: self._vector(
        "compliance", (self.contacts, self.dimension, self.dimension)), doc="or None")
    body = property(lambda self: self._vector("body", (self.contacts, 2), np.int32),
                    doc="the two bodies of each contact, -1 for none")
    key = property(lambda self: self._vector("key", (self.contacts,), np.uint64), doc="or None")
    frame = property(lambda self: self._vector(
        "frame", (self.contacts, self.dimension, self.dimension)), doc="or None")
    mu = property(lambda self: self._of_law("mu", np.float64), doc="coefficients of friction")

    def __getattr__(self, name):
        """A parameter of its laws, one value a contact, or None where nobody gave it."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in PARAMETERS:
            raise AttributeError(f"a {self.form} problem has no {name}")
        return self._of_law(name, np.float64 if PARAMETERS[name] == "double" else np.int32)

    def __dir__(self):
        return sorted({*object.__dir__(self), *PARAMETERS})

    @property
    def law(self):
        """The name of the law of each contact."""
        kinds = self._of_law("kind", np.int32)
        names = list(laws())
        return [names[0 if kinds is None else kinds[k]] for k in range(self.contacts)]

    # ---- Questions -----------------------------------------------------------------------------

    def residual(self, r, each=False):
        """The natural-map error of impulses r; with `each` also the share of each contact."""
        keep, value = [], ffi.new("double *")
        r = _arrays.pointer(real(r, "r", self._size), keep)
        share = np.zeros(self.contacts) if each else None
        with self._used() as c:
            call(lib.slip_problem_residual, c, r, value,
                 ffi.from_buffer("double[]", share) if each else ffi.NULL)
        return (value[0], share) if each else value[0]

    def physical(self, r):
        """The second measure of impulses r that a solution must meet, in units of velocity."""
        keep, value = [], ffi.new("double *")
        r = _arrays.pointer(real(r, "r", self._size), keep)
        with self._used() as c:
            call(lib.slip_problem_physical, c, r, value)
        return value[0]

    def velocity(self, r):
        """(u, v): u = W r + q and v = M^-1 (H r + f); v is None for a local problem."""
        keep = []
        r = _arrays.pointer(real(r, "r", self._size), keep)
        u, v = np.zeros(self._size), np.zeros(self.dof) if self.form != "local" else None
        with self._used() as c:
            call(lib.slip_problem_velocity, c, r, _arrays.pointer(u, keep),
                 ffi.NULL if v is None else _arrays.pointer(v, keep))
        return u, v

    def page(self, path, r, title=""):
        """A page (HTML) that shows the contacts at impulses r: a graph, their status and error."""
        keep = []
        r = _arrays.pointer(real(r, "r", self._size), keep)
        with self._used() as c:
            call(lib.slip_problem_page, c, r, string(title, "title"), path_bytes(path))

    def features(self):
        """Sizes, rank and condition."""
        c = struct("SlipFeatures")
        with self._used() as problem:
            call(lib.slip_problem_features, problem, c)
        return Features(c)

    def reduce(self):
        """The local problem of a global one, or one of bodies."""
        with self._used() as c:
            return Problem._of(_create(lib.slip_problem_reduce, c))

    def skew(self, H):
        """Non-associated plastic flow, u in -H^-1 N_K(r), with one symmetric positive definite block
        of H for each contact: the local problem of associated flow with H W and H q."""
        keep = []
        H = _arrays.pointer(real(H, "H", self.contacts * self.dimension ** 2), keep)
        with self._used() as c:
            return Problem._of(_create(lib.slip_problem_skew, c, H))

    def assemble(self):
        """The global problem of one of bodies, with sparse M and H."""
        with self._used() as c:
            return Problem._of(_create(lib.slip_problem_assemble, c))

    def set_bodies(self, *, M, body, H, f, w=None, mu=None, dimension=None, law=None,
                   compliance=None, key=None, frame=None, **parameters):
        """Other bodies and contacts, of any number, in the memory of this problem, which must be
        one of bodies. Solvers that have it must be given it again by Solver.set_problem."""
        given = {"law": law, **parameters}
        keep = []
        data = _bodies_data(M, H, f, w, body, key, frame, mu, dimension, given, compliance, keep)
        if not self._lock.acquire(False):
            raise StaleError("the problem is getting other bodies in another thread")
        version, self._version = self._version, _CHANGING
        try:
            if self._uses:
                raise StaleError("the problem is in use by a call in another thread")
            if _arrays.arrays_live(self._lease):
                raise StaleError("arrays of this problem are still in use, and new bodies would "
                                 "take their memory: let go of them, or keep copies")
            call(lib.slip_problem_set_bodies, self._c, data)
            version += 1
        finally:
            self._version = version
            self._lock.release()

    def solve(self, method=None, **options):
        """Solve it: see slipcone.solve."""
        from ._solver import Solver

        return Solver(self, method=method, **options).solve()

    def check(self, **options):
        """Does it have a solution? See slipcone.check."""
        from ._check import check

        return check(self, **options)

    def write(self, path, **options):
        """Write it to a file: see slipcone.write."""
        from ._files import write

        write(path, self, **options)


_KEYWORDS = ("W", "q", "mu", "M", "H", "f", "w", "body", "dimension", "law", "compliance", "key",
             "frame")


def _only(what, **others):
    extra = [name for name, value in others.items() if value is not None]
    if extra:
        raise ArgumentError(f"a problem of {what} takes no {', '.join(extra)}")


def _need(**values):
    for name, value in values.items():
        if value is None:
            raise ArgumentError(f"{name} is missing")


def _blocks(data, dimension, contacts, mu, given, compliance, keep):
    """What data of every form have."""
    data.dimension, data.contacts = dimension, contacts
    data.laws = _fill_laws(mu, given, contacts, keep)
    if compliance is not None:
        size = contacts * dimension * dimension
        data.compliance = _arrays.pointer(real(compliance, "compliance", size), keep)


def _create(function, *data):
    return create("SlipProblem", function, *data, free=lib.slip_problem_free)


def _count(size, dimension, name):
    if dimension not in (2, 3) or size % dimension:
        raise ArgumentError(f"{name} has {size} values, which is no multiple of dimension "
                            f"{dimension}")
    return size // dimension


def _create_local(W, q, mu, dimension, given, compliance):
    _need(W=W, q=q)
    keep, data = [], struct("SlipLocalData")
    d = _dimension(dimension, q, "q", mu)
    q = real(q, "q")
    _blocks(data, d, _count(q.size, d, "q"), mu, given, compliance, keep)
    _arrays.matrix(W, "W", data.W, q.size, q.size, keep)
    data.q = _arrays.pointer(q, keep)
    return _create(lib.slip_problem_create_local, data)


def _create_global(M, H, f, w, mu, dimension, given, compliance):
    _need(M=M, H=H, f=f)
    keep, data = [], struct("SlipGlobalData")
    f = real(f, "f")
    shape = H.shape if _arrays.is_sparse(H) else np.shape(H)
    if len(shape) != 2:
        raise ArgumentError(f"H has shape {_arrays.shape_text(shape)}; a matrix is wanted")
    if w is None:
        w = np.zeros(shape[1])
    d = _dimension(dimension, w, "w", mu)
    w = real(w, "w", shape[1])
    _blocks(data, d, _count(w.size, d, "w"), mu, given, compliance, keep)
    _arrays.matrix(M, "M", data.M, f.size, f.size, keep)
    _arrays.matrix(H, "H", data.H, f.size, w.size, keep)
    data.f, data.w = _arrays.pointer(f, keep), _arrays.pointer(w, keep)
    return _create(lib.slip_problem_create_global, data)


def _bodies_data(M, H, f, w, body, key, frame, mu, dimension, given, compliance, keep):
    _need(M=M, H=H, f=f)
    data = struct("SlipBodiesData")
    M, H = _arrays.numbers(M, "M"), _arrays.numbers(H, "H")
    n = M.shape[-1] if M.ndim == 3 else 0
    d = {6: 3, 3: 2}.get(n)
    if not d or (dimension is not None and d != dimension):
        raise ArgumentError(f"M has shape {_arrays.shape_text(M.shape)}; (bodies, n, n) with n = 6 "
                            "in 3D and 3 in 2D is wanted")
    body = whole(body, "body")
    contacts = _count(body.size, 2, "body")
    data.bodies = M.shape[0]
    _blocks(data, d, contacts, mu, given, compliance, keep)
    data.M = _arrays.pointer(real(M, "M", data.bodies * n * n), keep)
    data.H = _arrays.pointer(real(H, "H", contacts * 2 * d * n), keep)
    data.f = _arrays.pointer(real(f, "f", data.bodies * n), keep)
    data.body = _arrays.pointer(body, keep)
    if w is not None:
        data.w = _arrays.pointer(real(w, "w", contacts * d), keep)
    if key is not None:
        data.key = _arrays.pointer(whole(key, "key", contacts, np.uint64), keep)
    if frame is not None:
        data.frame = _arrays.pointer(real(frame, "frame", contacts * d * d), keep)
    return data


def _create_bodies(M, H, f, w, body, key, frame, mu, dimension, given, compliance):
    keep = []
    data = _bodies_data(M, H, f, w, body, key, frame, mu, dimension, given, compliance, keep)
    return _create(lib.slip_problem_create_bodies, data)


def copy_of(c):
    """A problem of its own with the data of one, of bodies or local, that belongs to somebody
    else."""
    if lib.slip_problem_form(c) == lib.SLIP_FORM_LOCAL:
        data = struct("SlipLocalData")
        call(lib.slip_problem_local_data, c, data)
        return Problem._of(_create(lib.slip_problem_create_local, data))
    data = struct("SlipBodiesData")
    call(lib.slip_problem_bodies_data, c, data)
    return Problem._of(_create(lib.slip_problem_create_bodies, data))
