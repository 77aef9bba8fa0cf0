"""Campaigns of many methods on many problems, performance profiles and reports: docs/bench.md."""

import numpy as np

from ._arrays import Fields, Lease, view
from ._library import (ArgumentError, _definitions, call, choose, create, enumeration, ffi, lib,
                       path_bytes, string, struct, text)
from ._result import TRACE, raise_unless_result

_MEASURES = {name.replace("-", "_"): number
             for name, number in enumeration("SlipMeasure", "SLIP_MEASURE_").items()}


class Row(Fields):
    """One run of one method on one problem, as in the CSV file; `trace` is its history."""

    _struct = "SlipBenchRow"

    @property
    def trace(self):
        return view(self._lease, self._c.trace, (self._c.trace_count,), TRACE)


class Results:
    """The rows of a results file."""

    def __init__(self, path):
        self._c = create("SlipBenchResults", lib.slip_bench_read, path_bytes(path),
                         free=lib.slip_bench_results_free)
        self.truncated = bool(self._c.truncated)

    def __len__(self):
        return self._c.count

    def __getitem__(self, k):
        if not 0 <= k < len(self):
            raise IndexError(f"there is no row {k}: there are {len(self)}")
        return Row(self._c.rows + k, Lease(self._c))

    def profile(self, **options):
        """A Profile of these runs; options are those of plot()."""
        return Profile(self, **options)

    def table6(self):
        """How the fastest solver does on each family and tolerance: a list of dicts."""
        c = create("SlipTable6", lib.slip_bench_table6, self._c, free=lib.slip_table6_free)
        return [_row(c.rows[k]) for k in range(c.count)]


def read(path):
    """The rows of a results file."""
    return Results(path)


def merge(paths, out_csv):
    """The rows of several results files, such as the shards of a campaign, in one; their number."""
    keep, rows = [], ffi.new("int32_t *")
    call(lib.slip_bench_merge, *_paths(paths, keep), path_bytes(out_csv), rows)
    return rows[0]


def _row(c):
    """A struct of an array as a dict: numbers, names, and ranges as pairs."""
    made = {}
    for name, _ in ffi.typeof(c).fields:
        value = getattr(c, name)
        if isinstance(value, ffi.CData):
            value = (value.min, value.max) if ffi.typeof(value).kind == "struct" else text(value)
        made[name] = value
    return made


def _plot_options(keep, tol=0.0, family=None, measure="time", budget=None):
    c = struct("SlipPlotOptions")
    c.tol = tol
    c.measure = choose(measure, {k.replace("_", "-"): v for k, v in _MEASURES.items()}, "measure")
    if family is not None:
        keep.append(string(family, "family"))
        c.family = keep[-1]
    if budget is not None:
        c.budget = budget
    return c


class Profile:
    """Data of performance profiles: `problems`, `solvers`, matrices `cost` and `place`, `best`."""

    def __init__(self, results, **options):
        keep = []
        chosen = _plot_options(keep, **options)
        c = create("SlipProfile", lib.slip_bench_profile, results._c, chosen,
                   free=lib.slip_profile_free, keep=(results._c,))
        self._c, lease = c, Lease(c)
        self.problems = [text(c.problem[k]) for k in range(c.problems)]
        self.solvers = [text(c.solver[k]) for k in range(c.solvers)]
        shape = (c.problems, c.solvers)
        self.cost, self.place = (view(lease, a, shape, np.float64) for a in (c.cost, c.place))
        self.tol, self.best = (view(lease, a, (c.problems,), np.float64) for a in (c.tol, c.best))
        self.unsolved = c.unsolved

    def value(self, solver, x):
        """The fraction of problems a solver has at x; None stands for the virtual best."""
        if solver is not None and solver not in self.solvers:
            raise ArgumentError(f"there is no solver '{solver}' in these results")
        number = -1 if solver is None else self.solvers.index(solver)
        return lib.slip_profile_value(self._c, number, x)


def _paths(paths, keep):
    paths = [paths] if isinstance(paths, str) or hasattr(paths, "__fspath__") else list(paths)
    texts = [ffi.new("char[]", path_bytes(path)) for path in paths]
    keep += texts
    keep.append(ffi.new("char *[]", texts))
    return keep[-1], len(paths)


def table5(paths):
    """The features of the problems of each family: a list of dicts."""
    keep = []
    c = create("SlipTable5", lib.slip_bench_table5, *_paths(paths, keep), free=lib.slip_table5_free)
    return [_row(c.rows[k]) for k in range(c.count)]


def report(results_csv, out_html):
    """One page of everything in a results file."""
    call(lib.slip_bench_report, path_bytes(results_csv), path_bytes(out_html))


def plot(results_csv, out_svg, **options):
    """One performance profile as SVG: tol, family, measure ("time", "time_per_contact" or
    "error_at_budget") and budget choose it."""
    keep = []
    call(lib.slip_bench_plot, path_bytes(results_csv), _plot_options(keep, **options),
         path_bytes(out_svg))


def trace_plot(results, out_svg, tol=1e-6):
    """The error of runs against iterations and seconds as SVG; `results` is {name: Result}."""
    keep, curves = [], ffi.new("SlipTraceCurve[]", max(len(results), 1))
    for curve, (name, result) in zip(curves, results.items()):
        c = raise_unless_result(result)._now
        keep.append(string(name, "a name"))
        curve.name, curve.points, curve.count = keep[-1], c.trace, c.trace_count
        curve.physical = c.physical
    call(lib.slip_trace_plot, curves, len(results), tol, path_bytes(out_svg))


# ---- Campaigns -----------------------------------------------------------------------------------


class Summary(Fields):
    """What a campaign did."""

    _struct = "SlipCampaignSummary"


class Progress(Fields):
    """Where a campaign is."""

    _struct = "SlipBenchProgress"


def methods(names):
    """The methods a list names: "nsgs,alm", "all", "family:splitting"."""
    c = create("SlipBenchNames", lib.slip_bench_methods, string(names, "names"),
               free=lib.slip_bench_names_free)
    return [text(c.names[k]) for k in range(c.count)]


def read_campaign(path):
    """A campaign's definition as keywords for campaign(): rules, methods, limits."""
    c = create("SlipCampaignFile", lib.slip_campaign_file_read, path_bytes(path),
               free=lib.slip_campaign_file_free)
    made = {"rules": [(text(r.family), r.tol, r.time_limit) for r in c.rules[0:c.rule_count]]}
    if c.methods != ffi.NULL:
        made["methods"] = methods(text(c.methods))
    if c.repeat:
        made["repeat"] = c.repeat
    made.update({name: getattr(c, name) for name in ("memory", "grace", "load")
                 if not np.isnan(getattr(c, name))})
    return made


def _rules(rules, keep):
    rows = ffi.new("SlipBenchRule[]", max(len(rules), 1))
    for row, (family, tol, limit) in zip(rows, rules):
        keep.append(string(family, "a family"))
        row.family, row.tol, row.time_limit = keep[-1], tol, limit
    keep.append(rows)
    return rows


def campaign(paths, methods, out, *, rules=None, progress=None, **limits):
    """Run methods on problems, each run in a process of its own, and write the results as CSV; rows
    that `out` holds already are not run again. `rules` are (family, tol, time limit); limits are
    grace, load, memory, repeat and jobs; `progress` is called with a Progress, and ends the
    campaign where it returns something true. Returns a Summary."""
    keep, c, made = [], struct("SlipCampaign"), struct("SlipCampaignSummary")
    c.paths, c.path_count = _paths(paths, keep)
    names = [string(name, "a method") for name in methods]
    keep += [names, ffi.new("char *[]", names)]
    c.methods, c.method_count = keep[-1], len(names)
    rules = _definitions.DEFAULTS["SlipCampaign"]["rules"] if rules is None else rules
    c.rules, c.rule_count = _rules(rules, keep), len(rules)
    keep.append(ffi.new("char[]", path_bytes(out)))
    c.out = keep[-1]
    for name, value in limits.items():
        if name not in ("grace", "load", "memory", "repeat", "jobs"):
            raise ArgumentError(f"a campaign has no limit '{name}'")
        setattr(c, name, value)
    trouble = []

    if progress is not None:
        keep.append(ffi.callback("SlipBenchProgressFunction",
                                 lambda state, _: int(bool(progress(Progress(state)))), error=1,
                                 onerror=lambda _kind, error, _trace: trouble.append(error)))
        c.progress = keep[-1]
    call(lib.slip_campaign_run, c, made)
    if trouble:
        raise trouble[0]
    return Summary(made)
