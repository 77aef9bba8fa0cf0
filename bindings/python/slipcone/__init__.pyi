"""Types of the package. tests/python/test_tables.py compares every name and parameter with it."""

from os import PathLike
from typing import (Any, Callable, Dict, Iterable, Iterator, Mapping, Optional, Sequence, Tuple,
                    Union)

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import bench as bench

Path = Union[str, bytes, PathLike[str]]
Matrix = Any  # an array, or a sparse matrix of SciPy's
OptionValue = Union[float, int, bool, str]
Names = Union[str, int, Sequence[Union[str, int]]]
Reals = NDArray[np.float64]
Ints = NDArray[np.int32]

__version__: str
OPEN: int
STICK: int
SLIP: int

class Error(Exception):
    status: str

class ArgumentError(Error, ValueError, TypeError): ...
class OutOfMemory(Error, MemoryError): ...
class ProblemError(Error, ValueError): ...
class MismatchError(Error, ValueError): ...
class FileError(Error, OSError): ...
class FormatError(Error, ValueError): ...
class NumericError(Error, ArithmeticError): ...
class StaleError(Error, RuntimeError): ...

# ---- Tables --------------------------------------------------------------------------------------

class Table(dict[str, Any]):
    def __getattr__(self, name: str) -> Any: ...

class Option:
    name: str
    type: str
    default: OptionValue
    range: Optional[tuple[float, float]]
    choices: Optional[tuple[str, ...]]
    help: str
    def __init__(self, c: Any, default: str) -> None: ...

class Settings:
    def __init__(self, method: Union[str, Settings, None] = None,
                 **options: OptionValue) -> None: ...
    @property
    def method(self) -> str: ...
    def asdict(self) -> dict[str, OptionValue]: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: OptionValue) -> None: ...

class Method:
    name: str
    family: str
    summary: str
    associated: bool
    options: Table
    all_options: Table
    def __init__(self, c: Any) -> None: ...
    def takes(self, law: Union[str, int] = "coulomb", flow: Union[str, int] = "coulomb",
              dimension: int = 3) -> bool: ...
    def __call__(self, **options: OptionValue) -> Settings: ...

def methods() -> Table: ...
def options(method: str = "auto") -> Table: ...
def common_options() -> Table: ...
def laws() -> Table: ...
def law_flows(law: Union[str, int]) -> bool: ...
def kinds() -> Table: ...

# ---- Problems ------------------------------------------------------------------------------------

class Features:
    form: str
    dimension: int
    contacts: int
    dof: int
    mu_min: float
    mu_max: float
    density: float
    nonzeros: int
    blocks: int
    asymmetry: float
    norm: float
    rank: int
    rank_ratio: float
    condition: float
    condition_lsmr: float
    rank_exact: int
    def asdict(self) -> dict[str, Any]: ...

class Problem:
    def __init__(self, W: Optional[Matrix] = None, q: Optional[ArrayLike] = None,
                 mu: Optional[ArrayLike] = None, *, M: Optional[Matrix] = None,
                 H: Optional[Matrix] = None, f: Optional[ArrayLike] = None,
                 w: Optional[ArrayLike] = None, body: Optional[ArrayLike] = None,
                 dimension: Optional[int] = None, law: Optional[Names] = None,
                 compliance: Optional[ArrayLike] = None, key: Optional[ArrayLike] = None,
                 frame: Optional[ArrayLike] = None, **parameters: Any) -> None: ...
    form: str
    dimension: int
    contacts: int
    dof: int
    W: Matrix
    M: Matrix
    H: Matrix
    q: Reals
    f: Reals
    w: Optional[Reals]
    mu: Optional[Reals]
    law: list[str]
    def __getattr__(self, name: str) -> Any: ...
    body: Ints
    key: Optional[NDArray[np.uint64]]
    frame: Optional[Reals]
    compliance: Optional[Reals]
    def residual(self, r: ArrayLike, each: bool = False) -> Any: ...
    def physical(self, r: ArrayLike) -> float: ...
    def velocity(self, r: ArrayLike) -> tuple[Reals, Optional[Reals]]: ...
    def page(self, path: Path, r: ArrayLike, title: str = ...) -> None: ...
    def features(self) -> Features: ...
    def reduce(self) -> Problem: ...
    def skew(self, H: ArrayLike) -> Problem: ...
    def assemble(self) -> Problem: ...
    def set_bodies(self, *, M: ArrayLike, body: ArrayLike, H: ArrayLike, f: ArrayLike,
                   w: Optional[ArrayLike] = None, mu: Optional[ArrayLike] = None,
                   dimension: Optional[int] = None, law: Optional[Names] = None,
                   compliance: Optional[ArrayLike] = None, key: Optional[ArrayLike] = None,
                   frame: Optional[ArrayLike] = None, **parameters: Any) -> None: ...
    def solve(self, method: Union[str, Settings, None] = None, **options: Any) -> Result: ...
    def check(self, **options: Any) -> Check: ...
    def write(self, path: Path, **options: Any) -> None: ...

class Result:
    def __init__(self, c: Any, lease: Any) -> None: ...
    outcome: str
    solved: bool
    r: Reals
    u: Reals
    v: Optional[Reals]
    impulses: Reals
    velocities: Reals
    status: Ints
    contact_residual: Reals
    trace: NDArray[np.void]
    trace_count: int
    method: str
    reason: str
    relaxed: bool
    residual: float
    floor: float
    residual_scale: float
    gap: float
    iterations: int
    seconds: float
    dimension: int
    contacts: int
    dof: int
    open: int
    stick: int
    slip: int
    physical: float
    setup_seconds: float
    coulomb_residual: float
    def copy(self) -> Result: ...
    def json(self, file: Any = "", tol: float = 0.0) -> str: ...

class Progress:
    def __init__(self, c: Any) -> None: ...
    iteration: int
    residual: float
    tol: float
    seconds: float
    set_up: bool

ProgressFunction = Callable[[Progress], Any]

class Solver:
    settings: Settings
    problem: Problem
    method: str
    def __init__(self, *problem: Any, method: Union[str, Settings, None] = None,
                 progress: Optional[ProgressFunction] = None, **options: Any) -> None: ...
    def setup(self, *problem: Any, method: Union[str, Settings, None] = None,
              progress: Optional[ProgressFunction] = None, **options: Any) -> Solver: ...
    def solve(self, q: Optional[ArrayLike] = None, **data: Any) -> Result: ...
    @property
    def result(self) -> Result: ...
    def update(self, *, q: Optional[ArrayLike] = None, mu: Optional[ArrayLike] = None,
               W: Optional[Matrix] = None, f: Optional[ArrayLike] = None,
               w: Optional[ArrayLike] = None) -> None: ...
    def warm_start(self, r: Optional[ArrayLike] = None) -> None: ...
    def set_problem(self, problem: Problem) -> None: ...
    def on_progress(self, function: Optional[ProgressFunction]) -> None: ...

def solve(W: Union[Matrix, Problem, None] = None, q: Optional[ArrayLike] = None,
          mu: Optional[ArrayLike] = None, *, method: Union[str, Settings, None] = None,
          progress: Optional[ProgressFunction] = None, **options: Any) -> Result: ...

class Found:
    r: Reals
    u: Reals
    status: Ints
    continuum: bool
    def __init__(self, lease: Any, c: Any, size: int, contacts: int) -> None: ...

class Check:
    verdict: str
    answer: str
    ground: str
    dimension: int
    contacts: int
    dof: int
    scale: float
    margin_known: int
    margin: float
    certified: float
    work: float
    imbalance: float
    search: int
    iterations: int
    fill: float
    seconds: float
    mass_verified: int
    enumerated: int
    nodes: int
    found_count: int
    reason: str
    internal: str
    v: Optional[Reals]
    r: Optional[Reals]
    found: list[Found]
    def asdict(self) -> dict[str, Any]: ...

def check(problem: Problem, *, r: Optional[ArrayLike] = None,
          progress: Optional[ProgressFunction] = None, **options: Any) -> Check: ...

class OneContact:
    count: int
    continuum: bool
    r: Reals
    status: Ints
    def __init__(self, c: Any) -> None: ...

def one_contact(W: ArrayLike, q: ArrayLike, mu: float, form: str = "tan") -> OneContact: ...

class Kernels:
    count: int
    dimension: int
    def __init__(self, W: ArrayLike, mu: ArrayLike, flow: str = "coulomb") -> None: ...
    def solve(self, q: ArrayLike, r: Optional[ArrayLike] = None) -> tuple[Reals, Any]: ...
    def error(self, q: ArrayLike, r: ArrayLike) -> Reals: ...
    def status(self, q: ArrayLike, r: ArrayLike) -> Ints: ...

# ---- Files and built-in problems -----------------------------------------------------------------

class Solution:
    r: Reals
    u: Reals
    v: Optional[Reals]
    def __init__(self, lease: Any, c: Any) -> None: ...

class File:
    problem: Problem
    title: Optional[str]
    description: Optional[str]
    math_info: Optional[str]
    has_local: bool
    has_global: bool
    equalities: int
    solution: Optional[Solution]
    guesses: list[Solution]
    def __init__(self, c: Any) -> None: ...

def read(path: Path, form: str = "any") -> File: ...
def read_bytes(content: bytes, form: str = "any", name: str = "bytes") -> File: ...
def write(path: Path, problem: Problem, *, solution: Any = None, guesses: Iterable[Any] = (),
          title: Optional[str] = None, description: Optional[str] = None,
          math_info: Optional[str] = None, format: str = "fclib") -> None: ...
def number_text(value: float) -> str: ...

class Kind:
    name: str
    summary: str
    known_solution: bool
    defaults: dict[str, float]
    def __init__(self, c: Any) -> None: ...

class Generated:
    problem: Problem
    r: Optional[Reals]
    def __init__(self, problem: Problem, r: Optional[Reals]) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...

def generate(kind: str, **options: float) -> Generated: ...

# ---- Simulations ---------------------------------------------------------------------------------

class Shape:
    kind: str
    material: Union[int, str]
    def __init__(self, kind: str, *, points: Optional[ArrayLike] = None,
                 triangles: Optional[ArrayLike] = None, material: Union[int, str] = -1,
                 **fields: Any) -> None: ...
    @classmethod
    def sphere(cls, radius: float, **more: Any) -> Shape: ...
    @classmethod
    def box(cls, x: float, y: float, z: float, **more: Any) -> Shape: ...
    @classmethod
    def capsule(cls, radius: float, length: float, **more: Any) -> Shape: ...
    @classmethod
    def cylinder(cls, radius: float, length: float, **more: Any) -> Shape: ...
    @classmethod
    def half_space(cls, normal: ArrayLike = (0, 0, 1), **more: Any) -> Shape: ...
    @classmethod
    def hull(cls, points: ArrayLike, **more: Any) -> Shape: ...
    @classmethod
    def mesh(cls, points: ArrayLike, triangles: ArrayLike, **more: Any) -> Shape: ...
    @classmethod
    def disc(cls, radius: float, **more: Any) -> Shape: ...
    @classmethod
    def polygon(cls, points: ArrayLike, **more: Any) -> Shape: ...
    @classmethod
    def segment(cls, a: ArrayLike, b: ArrayLike, **more: Any) -> Shape: ...

class ShapeInfo:
    kind: str
    body: int
    radius: float
    length: float
    edges: Reals
    normal: Reals
    position: Reals
    rotation: Reals
    points: Reals
    triangles: Ints
    def __init__(self, c: Any, body: int) -> None: ...

class Scene:
    set: dict[str, Any]
    name: str
    title: str
    description: str
    text: str
    end: float
    step: float
    steps: int
    record_every: int
    record_contacts: bool
    bodies: int
    joints: int
    materials: int
    rules: int
    forces: int
    def __init__(self, scene: Optional[Path] = None, *, set: Optional[Mapping[str, Any]] = None,
                 most_bodies: int = 0, text: Optional[str] = None,
                 name: Optional[str] = None) -> None: ...
    def build(self) -> Sim: ...

class Energy:
    kinetic: float
    potential: float
    elastic: float
    applied: float
    friction: float
    impact: float
    damping: float
    plastic: float
    projection: float
    imbalance: float
    throughput: float
    def asdict(self) -> dict[str, float]: ...

class StepInfo:
    step: int
    time: float
    contacts: int
    joints: int
    halvings: int
    lowered: int
    outcome: str
    verdict: str
    iterations: int
    residual: float
    physical: float
    tol: float
    penetration: float
    drift: float
    energy: Energy
    seconds: float
    seconds_collide: float
    seconds_set_up: float
    seconds_solve: float
    reason: str
    seconds_project: float
    def asdict(self) -> dict[str, Any]: ...

class Body:
    def __init__(self, sim: Sim, c: Any) -> None: ...
    slot: int
    name: Optional[str]
    position: Reals
    rotation: Reals
    velocity: Reals
    spin: Reals
    mass: float
    centre: Reals
    deformable: Dict[str, Any]
    def export_vtu(self, path: Path) -> None: ...
    def apply(self, force: ArrayLike = (0, 0, 0), torque: ArrayLike = (0, 0, 0)) -> None: ...
    def remove(self) -> None: ...

class Joint:
    def __init__(self, sim: Sim, c: Any) -> None: ...
    def remove(self) -> None: ...

class Sim:
    scene: Optional[Scene]
    settings: Settings
    step_size: float
    position: Reals
    rotation: Reals
    velocity: Reals
    spin: Reals
    present: NDArray[np.bool_]
    contacts: NDArray[np.void]
    names: list[Optional[str]]
    bodies: list[Body]
    shapes: list[ShapeInfo]
    time: float
    steps: int
    dimension: int
    energy: Energy
    problem: Optional[Problem]
    global_problem: Problem
    result: Optional[Result]
    start: Optional[Reals]
    def __init__(self, scene: Union[Path, Scene, None] = None, *,
                 set: Optional[Mapping[str, Any]] = None,
                 method: Union[str, Settings, None] = None, **keywords: Any) -> None: ...
    def add_material(self, name: str, density: float = 1000.0) -> int: ...
    def add_rule(self, *, materials: Sequence[Any] = (None, None), **fields: Any) -> None: ...
    def add_body(self, *shapes: Shape, name: Optional[str] = None, motion: str = "free",
                 material: Union[int, str, None] = None, **fields: Any) -> Body: ...
    def add_joint(self, kind: str, first: Union[Body, str], second: Union[Body, str, None] = None,
                  **fields: Any) -> Joint: ...
    def add_force(self, body: Union[Body, str], force: ArrayLike = (0, 0, 0),
                  torque: ArrayLike = (0, 0, 0), start: float = 0.0,
                  until: float = float("inf")) -> None: ...
    def add_deformable(self, *, name: Optional[str] = None, material: Union[str, int, None] = None,
                       cells: ArrayLike = (1, 1, 1), points: Optional[ArrayLike] = None,
                       elements: Optional[ArrayLike] = None, **fields: Any) -> Body: ...
    def add_support(self, body: Union[Body, str], where: str, *,
                    free: Tuple[bool, bool, bool] = (False, False, False),
                    **fields: Any) -> None: ...
    def add_load(self, body: Union[Body, str], where: str, *, start: float = 0.0,
                 **fields: Any) -> None: ...
    def __getitem__(self, name: Union[str, int]) -> Body: ...
    def set_pose(self, body: Union[Body, str], position: ArrayLike,
                 rotation: ArrayLike = (1, 0, 0, 0)) -> None: ...
    def set_velocity(self, body: Union[Body, str], velocity: ArrayLike,
                     spin: ArrayLike = (0, 0, 0)) -> None: ...
    def save(self) -> bytes: ...
    def restore(self, content: bytes) -> None: ...
    def on_force(self, function: Any) -> Any: ...
    def on_pair(self, function: Any) -> Any: ...
    def on_rule(self, function: Any) -> Any: ...
    def on_progress(self, function: Optional[ProgressFunction]) -> None: ...
    def apply(self, body: Union[Body, str], force: ArrayLike = (0, 0, 0),
              torque: ArrayLike = (0, 0, 0)) -> None: ...
    def step(self, count: int = 1) -> StepInfo: ...
    def run(self, until: Optional[float] = None, **keywords: Any) -> Run: ...
    def view(self, path: Path = "sim.html", until: Optional[float] = None,
             **keywords: Any) -> Trajectory: ...
    @classmethod
    def restart(cls, path: Path, time: float = float("inf"),
                set: Optional[Mapping[str, Any]] = None) -> Sim: ...

class Run:
    sim: Sim
    info: Optional[StepInfo]
    steps: int
    contacts: int
    iterations: int
    unsolved: int
    residual: float
    penetration: float
    seconds: float
    time: float
    def __init__(self, sim: Sim) -> None: ...
    def add(self, info: StepInfo) -> None: ...

def run(sim: Sim, until: Optional[float] = None, *, steps: Optional[int] = None,
        record: Optional[Path] = None, every: Optional[int] = None, contacts: Optional[bool] = None,
        snapshot_every: int = 100, progress: Optional[bool] = None,
        each: Optional[Callable[[StepInfo], Any]] = None) -> Run: ...

class Recorder:
    def __init__(self, path: Path, sim: Sim, *, every: Optional[int] = None,
                 contacts: Optional[bool] = None, snapshot_every: Optional[int] = None,
                 flush_seconds: Optional[float] = None) -> None: ...
    def step(self, info: StepInfo) -> None: ...
    def flush(self) -> None: ...
    def finish(self) -> None: ...

class Frame:
    time: float
    position: Reals
    rotation: Reals
    velocity: Reals
    spin: Reals
    contacts: NDArray[np.void]
    def __init__(self, c: Any) -> None: ...

class Trajectory:
    path: Path
    dimension: int
    bodies: int
    steps: int
    snapshots: int
    scene: Optional[str]
    set: Optional[str]
    version: str
    names: list[str]
    time: Reals
    energy: NDArray[np.void]
    snapshot_time: Reals
    step_contacts: Ints
    step_iterations: NDArray[np.int64]
    step_residual: Reals
    step_seconds: Reals
    step_outcome: list[str]
    shapes: list[ShapeInfo]
    def __init__(self, path: Path) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, frame: int) -> Frame: ...
    def __iter__(self) -> Iterator[Frame]: ...
    def at(self, time: float) -> Frame: ...
    def deformable(self, frame: int, body: int) -> Dict[str, Any]: ...
    def snapshot(self, time: float = float("inf")) -> bytes: ...
    def scene_with(self, set: Optional[Mapping[str, Any]] = None) -> Scene: ...
    def export_vtk(self, folder: Path, every: int = 1) -> None: ...
    def export_xdmf(self, folder: Path, every: int = 1) -> None: ...
    def page(self, path: Path, **fields: Any) -> None: ...
    def view(self, path: Optional[Path] = None, **fields: Any) -> Path: ...
    def draw(self, path: Path, frame: int = -1, azimuth: Optional[float] = None,
             elevation: Optional[float] = None) -> None: ...
