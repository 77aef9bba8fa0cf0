"""Problems from files, to files, and built in."""

import numpy as np

from . import _arrays
from ._arrays import Lease, view
from ._library import (ArgumentError, call, choose, create, enumeration, ffi, lib, path_bytes,
                       string, struct, text, unknown)
from ._problem import Problem
from ._result import Result
from ._tables import Table

# ---- Files ---------------------------------------------------------------------------------------


class Solution:
    """Impulses `r`, velocities `u` and `v` (or None) as a file holds them."""

    def __init__(self, lease, c):
        size = c.dimension * c.contacts
        self.r, self.u = (view(lease, a, (size,), np.float64) for a in (c.r, c.u))
        self.v = None if c.v == ffi.NULL else view(lease, c.v, (c.dof,), np.float64)

    def __repr__(self):
        return f"Solution(r={self.r})"


class File:
    """What a file holds: `problem`, `title`, `description`, `math_info`, `solution` (or None),
    `guesses`, and how many `equalities` its last contacts stand for."""

    def __init__(self, c):
        lease = Lease(c)
        self.problem = Problem._of(ffi.gc(c.problem, lambda p, _keep=c: None))
        self.title, self.description, self.math_info = (text(c.title), text(c.description),
                                                        text(c.math_info))
        self.has_local, self.has_global = bool(c.has_local), bool(c.has_global)
        self.equalities = c.equalities
        self.solution = None if c.solution == ffi.NULL else Solution(lease, c.solution)
        self.guesses = [Solution(lease, c.guesses[k]) for k in range(c.guess_count)]

    def __repr__(self):
        return f"<file{' ' + repr(self.title) if self.title else ''} with a {self.problem!r}>"


_FORMS = enumeration("SlipWantForm", "SLIP_WANT_")


def read(path, form="any"):
    """Read a problem: FCLIB HDF5, Siconos text or a folder of Matrix Market files, told by content.
    Returns a File. `form` is "any", "local" or "global", where a file holds both."""
    return File(create("SlipFile", lib.slip_file_read, path_bytes(path),
                       choose(form, _FORMS, "form"), free=lib.slip_file_free))


def read_bytes(content, form="any", name="bytes"):
    """The same from the content of a file; `name` stands for the path in messages."""
    content = bytes(content)
    return File(create("SlipFile", lib.slip_file_read_memory, path_bytes(name), content,
                       len(content), choose(form, _FORMS, "form"), free=lib.slip_file_free))


def _solution(problem, given, keep):
    """A SlipSolution of a Result, a Solution, or an array r, from which u and v follow."""
    c = struct("SlipSolution")
    if isinstance(given, (Result, Solution)):
        r, u, v = given.r, given.u, given.v
    else:
        r = _arrays.real(given, "r", problem.dimension * problem.contacts)
        u, v = problem.velocity(r)
    c.contacts, c.dimension, c.dof = problem.contacts, problem.dimension, problem.dof
    size = c.contacts * c.dimension
    c.r = _arrays.pointer(_arrays.real(r, "r", size), keep)
    c.u = _arrays.pointer(_arrays.real(u, "u", size), keep)
    if v is not None and c.dof:
        c.v = _arrays.pointer(_arrays.real(v, "v", c.dof), keep)
    keep.append(c)
    return c


def write(path, problem, *, solution=None, guesses=(), title=None, description=None, math_info=None,
          format="fclib"):
    """Write a problem, as "fclib" (HDF5) or "siconos" (text). `solution` and each of `guesses` is a
    Result, a Solution of a file, or impulses r."""
    if not isinstance(problem, Problem):
        raise ArgumentError(f"a Problem is wanted, not {type(problem).__name__}")
    keep, c = [], struct("SlipWrite")
    c.problem = problem._c
    c.format = choose(format, enumeration("SlipFormat", "SLIP_FORMAT_"), "format")
    for name, value in (("title", title), ("description", description), ("math_info", math_info)):
        if value is not None:
            keep.append(string(value, name))
            setattr(c, name, keep[-1])
    if solution is not None:
        c.solution = _solution(problem, solution, keep)
    made = [_solution(problem, guess, keep) for guess in guesses]
    keep.append(ffi.new("SlipSolution *[]", made))
    c.guesses, c.guess_count = ffi.cast("SlipSolution **", keep[-1]), len(made)
    with problem._used():
        call(lib.slip_file_write, path_bytes(path), c)


def number_text(value):
    """The fewest digits that read back as the same number."""
    room = ffi.new("char[]", lib.SLIP_NUMBER_TEXT)
    return text(lib.slip_number_text(float(_arrays.real(value, "value", 1)[0]), room))


# ---- Built-in problems ---------------------------------------------------------------------------


class Kind:
    """A kind of built-in problem: `name`, `summary`, whether its solution is known, its options
    with their defaults."""

    def __init__(self, c):
        self.name, self.summary = text(c.name), text(c.summary)
        self.known_solution = bool(c.known_solution)
        takes = {"angle": lib.SLIP_TAKES_ANGLE, "speed": lib.SLIP_TAKES_SPEED,
                 "gravity": lib.SLIP_TAKES_GRAVITY}
        values = struct("SlipGenerate")
        call(lib.slip_generate_defaults, c.name, values)
        self.defaults = {name: getattr(values, name)
                         for name, _ in ffi.typeof("SlipGenerate").fields
                         if name != "size" and (name not in takes or c.takes & takes[name])}

    def __repr__(self):
        return f"{self.name}: {self.summary} ({self.defaults})"


def kinds():
    """The kinds of built-in problems by name."""
    made = (Kind(lib.slip_generate_info(k)) for k in range(lib.slip_generate_count()))
    return Table((kind.name, kind) for kind in made)


class Generated:
    """A built-in problem: `problem`, and `r`, a solution of it, where that is known."""

    def __init__(self, problem, r):
        self.problem, self.r = problem, r

    def __iter__(self):
        return iter((self.problem, self.r))

    def __repr__(self):
        return f"<generated {self.problem!r}{'' if self.r is None else ' with a solution'}>"


def generate(kind, **options):
    """A built-in problem and, where it is known, a solution: problem, r = generate("pile",
    contacts=100). slipcone.kinds() has the kinds with their options."""
    name = string(kind, "kind")
    table = kinds()
    if kind not in table:
        raise unknown("kind", kind, table)
    values = struct("SlipGenerate")
    call(lib.slip_generate_defaults, name, values)
    for option, value in options.items():
        if option not in table[kind].defaults:
            raise unknown("option", option, table[kind].defaults, f"kind {kind}")
        try:
            setattr(values, option, value)
        except (TypeError, OverflowError) as error:
            raise ArgumentError(f"option {option}: {error}") from None
    made, r = ffi.new("SlipProblem **"), ffi.new("double **")
    call(lib.slip_generate, name, values, made, r)
    problem = Problem._of(ffi.gc(made[0], lib.slip_problem_free))
    if r[0] == ffi.NULL:
        return Generated(problem, None)
    lease = Lease(ffi.gc(r[0], lib.slip_generate_free_r))
    size = problem.dimension * problem.contacts
    return Generated(problem, view(lease, r[0], (size,), np.float64))
