"""Methods compared on one problem: iterations, time and error, and the history as a picture."""

# %% A problem
import numpy as np

import slipcone

problem, _ = slipcone.generate("pile", contacts=200, seed=1)
print(problem)

# %% Methods of different families, with options of their own
choices = {"auto": "auto", "Gauss-Seidel": "nsgs",
           "over-relaxed": slipcone.methods().psor(omega=1.3), "Newton": "alm",
           "interior point": "ipm", "ADMM": "admm"}
results = {}
print(f"{'':15s} {'outcome':>9s} {'iterations':>10s} {'seconds':>8s}  error")
for name, method in choices.items():
    result = slipcone.solve(problem, method=method, tol=1e-6, time_limit=20)
    results[name] = result
    print(f"{name:15s} {result.outcome:>9s} {result.iterations:10d} {result.seconds:8.4f}  "
          f"{result.residual:.1e}")
assert results["auto"].solved

# %% With friction a problem may have many solutions, and each method finds one of its own
for name, result in results.items():
    assert not result.solved or problem.residual(result.r) <= 1e-6
    distance = np.linalg.norm(result.r - results["auto"].r) / np.linalg.norm(results["auto"].r)
    print(f"{name:15s} impulses differ from those of auto by {distance:.1e} of their size")

# %% The history of each
slipcone.bench.trace_plot(results, "history.svg", tol=1e-6)
print("history.svg shows the error against iterations and seconds")

# %% What a method can be told
print(slipcone.options("psor"))
