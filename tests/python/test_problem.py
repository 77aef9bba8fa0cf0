"""Problems, one-shot solves, wrong arguments, and the same bits as the tool."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import slipcone
from slipcone._library import call, ffi, lib

try:
    import scipy.sparse as sparse
except ImportError:
    sparse = None

EYE, Q = np.eye(3), np.array([-1, 0.8, 0])


def tool(*arguments):
    """What the tool prints."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run([os.environ["SLIPCONE"], *arguments], stdout=subprocess.PIPE, text=True,
                          env=environment, check=False)
    assert done.returncode in (0, 1), done.returncode  # 1: not every problem was solved
    return done.stdout


def global_problem():
    """Two unit masses with a contact each, one of them sliding."""
    M, H = np.eye(6), np.eye(6)
    f = np.array([-1, 0.8, 0, -1, 0.2, 0])
    return {"M": M, "H": H, "f": f, "w": np.zeros(6), "mu": 0.5}


class Solves(unittest.TestCase):
    def test_a_block_that_slides(self):
        result = slipcone.solve(EYE, Q, 0.5, tol=1e-12)
        self.assertTrue(result.solved)
        self.assertEqual(result.r.tolist(), [1, -0.5, 0])
        self.assertTrue(np.allclose(result.u, [0, 0.3, 0], atol=1e-15))
        self.assertEqual(result.status.tolist(), [slipcone.SLIP])
        self.assertIsNone(result.v)
        self.assertIn("by auto", repr(result))
        self.assertIn("<td>slip</td>", result._repr_html_())

    def test_skew(self):
        problem = slipcone.Problem(W=np.eye(3), q=[-1, 2, 0], mu=0.5)
        skewed = problem.skew(np.diag([4.0, 1, 1]))
        self.assertTrue(np.allclose(skewed.W.toarray(), np.diag([4, 1, 1])))
        result = slipcone.solve(skewed, tol=1e-12)
        self.assertLess(skewed.residual(result.r), 1e-12)
        self.assertEqual(slipcone.check(skewed).internal, "no")
        with self.assertRaisesRegex(slipcone.ProblemError, "not positive definite"):
            problem.skew(np.zeros((3, 3)))

    def test_forms_agree(self):
        data = global_problem()
        result = slipcone.solve(**data, tol=1e-12)
        self.assertTrue(np.allclose(result.r, [1, -0.5, 0, 1, -0.2, 0]))
        self.assertTrue(np.allclose(result.v, data["f"] + result.r))
        local = slipcone.Problem(**data).reduce()
        self.assertTrue(np.allclose(slipcone.solve(local, tol=1e-12).r, result.r))
        bodies = slipcone.Problem(
            M=np.eye(6)[None], body=[[0, -1]], H=np.eye(3, 6)[None, None] * [[[[1]]], [[[0]]]],
            f=np.append(Q, [0, 0, 0])[None], mu=0.5)
        self.assertEqual(bodies.form, "bodies")
        self.assertTrue(np.allclose(bodies.solve(tol=1e-12).r, [1, -0.5, 0]))
        self.assertEqual(bodies.assemble().form, "global")
        self.assertEqual(bodies.body.tolist(), [[0, -1]])
        self.assertEqual(bodies.M.shape, (1, 6, 6))
        self.assertEqual(bodies.H.shape, (1, 2, 3, 6))

    def test_two_dimensions_and_shapes_of_q(self):
        W = np.eye(4)
        for q, more in (([[-1, 0.8], [-1, 0.2]], {}), ([-1, 0.8, -1, 0.2], {"dimension": 2})):
            self.assertTrue(np.allclose(slipcone.solve(W, q, 0.5, **more).r, [1, -0.5, 1, -0.2]))
        self.assertEqual(slipcone.Problem(W, [-1, 0.8, -1, 0.2], [0.5, 0.5]).dimension, 2)

    def test_laws_by_name(self):
        q = np.tile(Q, 4)
        result = slipcone.solve(np.eye(12), q, 0.5, radius=0.1, tol=1e-12,
                                law=["coulomb", "frictionless", "bilateral", "tresca"])
        expected = [[1, -0.5, 0], [1, 0, 0], [1, -0.8, 0], [1, -0.1, 0]]
        self.assertTrue(np.allclose(result.impulses, expected))
        problem = slipcone.Problem(EYE, Q, law="bilateral", bound=1)
        self.assertEqual((problem.law, problem.bound.tolist()), (["bilateral"], [1]))
        self.assertIsNone(problem.radius)
        self.assertIn("bound", dir(problem))
        self.assertTrue(np.allclose(problem.solve().r, [1, 0, 0]))
        held = slipcone.solve(EYE, [0.05, 0, 0], 0.5, law="cohesive", cohesion=0.1, tol=1e-12)
        self.assertTrue(np.allclose(held.r, [-0.05, 0, 0]))  # pulled, and not let go
        problem = slipcone.Problem(EYE, Q, 0.5, flow="associated", compliance=np.zeros((1, 3, 3)))
        self.assertEqual(problem.flow.tolist(), [1])
        self.assertEqual(problem.compliance.shape, (1, 3, 3))
        self.assertGreater(problem.solve().u[0], 0.1)  # the relaxation lifts what slides

    def test_empty_problem(self):
        result = slipcone.solve(np.zeros((0, 0)), [], [])
        self.assertTrue(result.solved)
        self.assertEqual(result.r.shape, (0,))
        self.assertIn("0 contacts", repr(result))

    def test_large_table_is_cut(self):
        problem, _ = slipcone.generate("pile", contacts=60)
        result = problem.solve()
        self.assertLess(len(repr(result).splitlines()), 20)
        self.assertIn("...", repr(result))


class Sparse(unittest.TestCase):
    @unittest.skipUnless(sparse, "without SciPy")
    def test_any_format_gives_the_same_bits(self):
        problem, _ = slipcone.generate("random", contacts=20, seed=3)
        W, q, mu = problem.W, problem.q, problem.mu
        expected = slipcone.solve(W.toarray(), q, mu).r.tobytes()
        for format in ("csr", "csc", "coo", "bsr", "lil", "dok"):
            r = slipcone.solve(W.asformat(format), q, mu).r
            self.assertEqual(r.tobytes(), expected, format)
        self.assertEqual(slipcone.solve(sparse.csr_array(W), q, mu).r.tobytes(), expected)
        self.assertEqual(slipcone.solve(W.toarray().T.copy().T, q, mu).r.tobytes(), expected)

    @unittest.skipUnless(sparse, "without SciPy")
    def test_global_with_sparse_matrices(self):
        data = global_problem()
        data.update(M=sparse.csc_matrix(data["M"]), H=sparse.coo_matrix(data["H"]))
        self.assertTrue(np.allclose(slipcone.solve(**data).r, [1, -0.5, 0, 1, -0.2, 0]))

    @unittest.skipUnless(sparse, "without SciPy")
    def test_broken_sparse_matrices_are_refused(self):
        W = sparse.csr_matrix(np.eye(3))
        W.indices = np.array([0, 7, 2], dtype=np.int32)
        with self.assertRaises(slipcone.Error):
            slipcone.solve(W, Q, 0.5)
        W = sparse.csr_matrix(np.eye(3))
        W.indptr = W.indptr[:2]
        with self.assertRaises(slipcone.Error):
            slipcone.solve(W, Q, 0.5)
        with self.assertRaisesRegex(slipcone.ArgumentError, "real numbers, not complex128"):
            slipcone.solve(sparse.csr_matrix(np.eye(3) * 1j), Q, 0.5)

    def test_without_scipy_matrices_have_a_class_of_their_own(self):
        from slipcone._arrays import Csr

        made = Csr(np.array([1.0, 2.0]), np.array([0, 1], np.int32), np.array([0, 1, 2], np.int32),
                   (2, 2))
        self.assertEqual(made.toarray().tolist(), [[1, 0], [0, 2]])


class SameBits(unittest.TestCase):
    def test_as_the_tool(self):
        for kind, method in (("pile", "auto"), ("random", "nsgs"), ("slope", "alm"),
                             ("unsymmetric", "auto"), ("walls", "ipm")):
            problem, _ = slipcone.generate(kind, contacts=30, seed=5)
            problem.write("bits.hdf5")
            tool("solve", "--quiet", "--method", method, "--tol", "1e-8", "--out", "solved.hdf5",
                 "bits.hdf5")
            solved = slipcone.read("solved.hdf5")
            result = slipcone.read("bits.hdf5").problem.solve(method, tol=1e-8)
            self.assertEqual(result.r.tobytes(), solved.solution.r.tobytes(), kind)
            self.assertEqual(result.u.tobytes(), solved.solution.u.tobytes(), kind)
            os.remove("solved.hdf5")

    def test_as_slip_solve(self):
        problem, _ = slipcone.generate("wall", contacts=40)
        r, u = (np.zeros(problem.dimension * problem.contacts) for _ in range(2))
        outcome = ffi.new("SlipOutcome *")
        call(lib.slip_solve, problem._c, 1e-7, ffi.from_buffer("double[]", r),
             ffi.from_buffer("double[]", u), outcome)
        result = problem.solve(tol=1e-7)
        self.assertEqual((result.r.tobytes(), result.u.tobytes()), (r.tobytes(), u.tobytes()))

    def test_json_is_the_tools(self):
        problem, _ = slipcone.generate("pile", contacts=20)
        problem.write("p.hdf5")
        ours = json.loads(slipcone.read("p.hdf5").problem.solve().json("p.hdf5", 1e-6))
        theirs = json.loads(tool("solve", "--json", "p.hdf5"))
        for name in theirs:
            if "seconds" not in name and name != "trace":
                self.assertEqual(ours.get(name), theirs[name], name)

    def test_threads_give_the_same_bits(self):
        problem, _ = slipcone.generate("wall", contacts=300)
        one, two = (problem.solve("nsgs", threads=n, max_iter=50).r.tobytes() for n in (1, 2))
        self.assertEqual(one, two)


class Problems(unittest.TestCase):
    def test_data_come_back_without_copies_and_outlive_their_problem(self):
        problem = slipcone.Problem(EYE, Q, 0.5)
        q, mu, W = problem.q, problem.mu, problem.W
        del problem
        self.assertEqual(q.tolist(), Q.tolist())
        self.assertEqual(mu.tolist(), [0.5])
        self.assertEqual(W.toarray().tolist(), EYE.tolist())
        self.assertFalse(q.flags.writeable)
        with self.assertRaises(ValueError):
            q[0] = 1

    def test_users_arrays_are_copied(self):
        q = Q.copy()
        problem = slipcone.Problem(EYE, q, 0.5)
        q[:] = 0
        self.assertEqual(problem.q.tolist(), Q.tolist())

    def test_measures(self):
        problem = slipcone.Problem(EYE, Q, 0.5)
        r = [1, -0.5, 0]
        self.assertEqual(problem.residual(r), 0)
        error, share = problem.residual([1, 0, 0], each=True)
        self.assertGreater(error, 0.1)
        self.assertTrue(np.isclose(np.linalg.norm(share), error))
        self.assertLess(problem.physical(r), 1e-15)
        u, v = problem.velocity(r)
        self.assertTrue(np.allclose(u, [0, 0.3, 0]))
        self.assertIsNone(v)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.html"
            problem.page(path, r, title="One contact")
            self.assertIn('id="errors"', path.read_text(encoding="utf-8"))
        features = problem.features()
        self.assertEqual((features.contacts, features.rank, features.form), (1, 3, "local"))
        self.assertIn("rank", repr(features))
        self.assertIn("rank", features._repr_html_())
        self.assertIn("condition", dir(features))
        with self.assertRaises(AttributeError):
            features.nothing

    def test_other_bodies_in_the_same_problem(self):
        def data(n):
            H = np.zeros((n, 2, 3, 6))
            H[:, 0] = np.eye(3, 6)
            return {"M": np.tile(np.eye(6), (n, 1, 1)), "H": H, "mu": 0.5,
                    "body": [[k, -1] for k in range(n)],
                    "f": np.tile([-1, 0.8, 0, 0, 0, 0], (n, 1)),
                    "key": np.arange(n, dtype=np.uint64) + np.uint64(2**63),
                    "frame": np.tile(np.eye(3), (n, 1, 1))}

        problem = slipcone.Problem(**data(2))
        solver = slipcone.Solver(problem, tol=1e-12)
        self.assertTrue(np.allclose(solver.solve().impulses, [[1, -0.5, 0]] * 2))
        problem.set_bodies(**data(5))
        with self.assertRaisesRegex(slipcone.StaleError, "set_problem"):
            solver.solve()
        solver.set_problem(problem)
        solver.warm_start()
        result = solver.solve()
        self.assertTrue(np.allclose(result.impulses, [[1, -0.5, 0]] * 5))
        self.assertEqual(problem.key[4], 2**63 + 4)
        self.assertEqual(problem.frame.shape, (5, 3, 3))
        M = problem.M
        with self.assertRaisesRegex(slipcone.StaleError, "still in use"):
            problem.set_bodies(**data(1))
        del M
        problem.set_bodies(**data(1))
        self.assertEqual(problem.contacts, 1)
        with self.assertRaises(slipcone.Error):
            slipcone.Problem(EYE, Q, 0.5).set_bodies(**data(1))


class Wrong(unittest.TestCase):
    def refuse(self, pattern, *arguments, kind=slipcone.Error, **keywords):
        with self.assertRaisesRegex(kind, pattern) as caught:
            slipcone.solve(*arguments, **keywords)
        self.assertTrue(caught.exception.status.startswith("SLIP_ERROR"))

    def test_shapes(self):
        self.refuse(r"W has shape \(3, 3\); \(6, 6\) is wanted", EYE, np.tile(Q, 2), 0.5)
        self.refuse("q has 4 values, which is no multiple of 3", np.eye(4), [1, 2, 3, 4], 0.5)
        self.refuse("mu has 2 values", EYE, Q, [0.5, 0.5, 0.5][:2], dimension=3)
        self.refuse(r"W has shape \(9,\)", np.ones(9), Q, 0.5)
        self.refuse("dimension is 4", EYE, Q, 0.5, dimension=4)
        self.refuse("H has shape", M=EYE, H=Q, f=Q, mu=0.5)
        self.refuse("w has 3 values", M=EYE, H=np.eye(3, 6), f=Q, w=Q, mu=0.5)
        self.refuse("M has shape", M=EYE, H=EYE, f=Q, body=[0, -1], mu=0.5)
        self.refuse("body has 3 values", M=np.eye(6)[None], H=EYE, f=Q, body=[0, 1, 2], mu=0.5)

    def test_types(self):
        self.refuse("real numbers, not complex128", EYE * 1j, Q, 0.5)
        self.refuse("real numbers, not <U1", EYE, ["a", "b", "c"], 0.5)
        self.refuse("real numbers, not object", EYE, [None, 1, 2], 0.5)
        self.refuse("q is no array|real numbers", EYE, [[1], [2, 3]], 0.5)
        self.refuse("bound must hold whole numbers", EYE, Q, law="bilateral", bound=[0.5])
        self.refuse("key must hold whole numbers, not float64", M=np.eye(6)[None],
                    H=np.zeros((1, 2, 3, 6)), f=np.zeros(6), body=[0, -1], mu=0.5, key=[0.0])
        self.refuse("q is missing", EYE)
        self.refuse("M is missing")
        self.refuse("takes no f", EYE, Q, 0.5, f=Q)

    def test_values(self):
        self.refuse(r"q\[1\] is nan", EYE, [1, np.nan, 0], 0.5, kind=slipcone.ProblemError)
        self.refuse(r"mu\[0\] is -1", EYE, Q, -1)
        self.refuse("mu", EYE, Q)
        self.refuse("body", M=np.eye(6)[None], H=np.zeros((1, 2, 3, 6)), f=np.zeros(6),
                    body=[7, -1], mu=0.5)

    def test_names(self):
        self.refuse("no law 'coulom'; did you mean 'coulomb'", EYE, Q, 0.5, law="coulom")
        with self.assertRaisesRegex(slipcone.ArgumentError, "did you mean 'radius'"):
            slipcone.Problem(EYE, Q, 0.5, radios=1)
        self.refuse("no flow 'x'; there are coulomb, associated", EYE, Q, 0.5, flow="x")
        self.refuse("no method 'nsgz'; did you mean 'nsgs'", EYE, Q, 0.5, method="nsgz")
        self.refuse("method psor has no option 'omgea'; did you mean 'omega'", EYE, Q, 0.5,
                    method="psor", omgea=1)
        self.refuse("a method is named by a str", EYE, Q, 0.5, method=3)
        self.refuse("takes a real, not list", EYE, Q, 0.5, tol=[])
        self.refuse("tol of auto must be", EYE, Q, 0.5, tol="small")
        self.refuse("time.limit", EYE, Q, 0.5, time_limit=-1)
        self.refuse("has its own q", slipcone.Problem(EYE, Q, 0.5), Q)

    def test_mismatch_names_alternatives(self):
        problem, _ = slipcone.generate("unsymmetric", contacts=5)
        with self.assertRaises(slipcone.MismatchError) as caught:
            problem.solve("soclcp-socp")
        self.assertEqual(caught.exception.status, "SLIP_ERROR_MISMATCH")

    def test_errors_are_pythons_too(self):
        for kind, other in ((slipcone.ArgumentError, ValueError),
                            (slipcone.ArgumentError, TypeError), (slipcone.FileError, OSError),
                            (slipcone.FormatError, ValueError),
                            (slipcone.NumericError, ArithmeticError),
                            (slipcone.OutOfMemory, MemoryError)):
            self.assertTrue(issubclass(kind, other) and issubclass(kind, slipcone.Error))
        with self.assertRaisesRegex(AttributeError, "a local problem has no M"):
            slipcone.Problem(EYE, Q, 0.5).M


if __name__ == "__main__":
    unittest.main()
