"""Slipcone: contact problems and simulations with exact Coulomb friction.

>>> import slipcone
>>> result = slipcone.solve([[1, 0, 0], [0, 1, 0], [0, 0, 1]], q=[-1, 0.8, 0], mu=0.5)
>>> result.r
array([ 1. , -0.5,  0. ])

solve, Problem, Solver, check       problems: u = W r + q with friction at each contact
generate, read, write               problems built in, and in files
methods, options, laws, kinds       the library's tables
Sim, Scene, Shape, Trajectory       simulations
one_contact                         all solutions of one contact
Kernels                             contacts prepared once, for loops of your own
slipcone.bench                      campaigns and performance profiles

docs/python.md tells the whole. Exceptions are subclasses of slipcone.Error with the library's
sentence; calls let other threads run.
"""

from ._check import Check, Found, Kernels, OneContact, check, one_contact
from ._files import (File, Generated, Kind, Solution, generate, kinds, number_text, read,
                     read_bytes, write)
from ._library import (ArgumentError, Error, FileError, FormatError, MismatchError, NumericError,
                       OutOfMemory, ProblemError, StaleError)
from ._library import __version__ as _version
from ._problem import Features, Problem
from ._result import OPEN, SLIP, STICK, Result
from ._run import Run, run
from ._scene import Scene
from ._shapes import Shape, ShapeInfo
from ._sim import Body, Energy, Joint, Sim, StepInfo
from ._solver import Progress, Solver, solve
from ._tables import (Method, Option, Settings, Table, common_options, law_flows, laws, methods,
                      options)
from ._trajectory import Frame, Recorder, Trajectory
from . import bench

__version__ = _version()
__all__ = [name for name in dir() if not name.startswith("_")]
