"""Types of slipcone.bench."""

from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import Path, Reals, Result

class Row:
    problem: str
    family: str
    contacts: int
    dof: int
    dimension: int
    method: str
    tol: float
    outcome: str
    solved: int
    error: float
    iterations: int
    seconds: float
    peak_kib: int
    trace_count: int
    commit: str
    compiler: str
    cpu: str
    version: str
    content: str
    reason: str
    physical: float
    trace: NDArray[np.void]
    def asdict(self) -> dict[str, Any]: ...

class Results:
    truncated: bool
    def __init__(self, path: Path) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, k: int) -> Row: ...
    def profile(self, **options: Any) -> Profile: ...
    def table6(self) -> list[dict[str, Any]]: ...

class Profile:
    problems: list[str]
    solvers: list[str]
    cost: Reals
    place: Reals
    tol: Reals
    best: Reals
    unsolved: int
    def __init__(self, results: Results, **options: Any) -> None: ...
    def value(self, solver: Optional[str], x: float) -> float: ...

class Summary:
    total: int
    resumed: int
    run: int
    solved: int
    unreadable: int
    interrupted: int
    def asdict(self) -> dict[str, Any]: ...

class Progress:
    done: int
    total: int
    resumed: int
    running: int
    seconds: float
    seconds_left: float
    problem: Optional[str]
    method: Optional[str]
    def asdict(self) -> dict[str, Any]: ...

def read(path: Path) -> Results: ...
def merge(paths: Union[Path, Iterable[Path]], out_csv: Path) -> int: ...
def table5(paths: Union[Path, Iterable[Path]]) -> list[dict[str, Any]]: ...
def report(results_csv: Path, out_html: Path) -> None: ...
def plot(results_csv: Path, out_svg: Path, **options: Any) -> None: ...
def trace_plot(results: Mapping[str, Result], out_svg: Path, tol: float = 1e-6) -> None: ...
def methods(names: str) -> list[str]: ...
def read_campaign(path: Path) -> dict[str, Any]: ...
def campaign(paths: Union[Path, Iterable[Path]], methods: Sequence[str], out: Path, *,
             rules: Optional[Sequence[tuple[str, float, float]]] = None,
             progress: Optional[Callable[[Progress], Any]] = None,
             **limits: float) -> Summary: ...
