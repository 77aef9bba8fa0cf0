"""Problems in files: read FCLIB, look at the problem, solve it, write the solution beside it.

Takes the path of an FCLIB file; without one it makes a file first.
"""

# %% A file
import sys

import slipcone

if len(sys.argv) > 1:
    path = sys.argv[1]
else:
    path = "wall.hdf5"
    problem, _ = slipcone.generate("wall", contacts=100)
    slipcone.write(path, problem, title="A wall", description="shaken sideways")

# %% What is in it
file = slipcone.read(path)
print(file, file.title, file.description, sep="\n")
problem = file.problem
print(problem.features())

# %% Does it have a solution?
check = slipcone.check(problem)
print(check.answer, "-", check.reason)

# %% Solve it, from the solution in the file where it has one
solver = slipcone.Solver(problem, tol=1e-8)
if file.solution is not None:
    solver.warm_start(file.solution.r)
result = solver.solve()
print(result)

# %% Write it with the solution, and read it back
slipcone.write("solved.hdf5", problem, solution=result, title=file.title)
again = slipcone.read("solved.hdf5")
print("error of the solution in solved.hdf5:", again.problem.residual(again.solution.r))
assert again.solution.r.tobytes() == result.r.tobytes()

# %% Matrices are SciPy's where SciPy is installed
print(repr(problem.M), repr(problem.H), sep="\n")
