"""Problems in files and built in, the existence check, one contact, the bench."""

import pathlib
import unittest

import numpy as np

import slipcone

EYE, Q = np.eye(3), np.array([-1, 0.8, 0])


class Files(unittest.TestCase):
    def test_fclib_there_and_back(self):
        problem, _ = slipcone.generate("pile", contacts=10)
        result = problem.solve()
        slipcone.write("pile.hdf5", problem, solution=result, guesses=[np.zeros_like(result.r)],
                       title="A pile", description="of ten", math_info="none")
        file = slipcone.read("pile.hdf5")
        self.assertEqual((file.title, file.description), ("A pile", "of ten"))
        self.assertEqual(file.math_info, "none")
        self.assertTrue(file.has_global and not file.has_local)
        self.assertEqual(file.solution.r.tobytes(), result.r.tobytes())
        self.assertEqual(file.solution.v.tobytes(), result.v.tobytes())
        self.assertEqual(file.guesses[0].r.tolist(), [0] * result.r.size)
        self.assertEqual(file.equalities, 0)
        self.assertIn("A pile", repr(file))
        problem, solution = file.problem, file.solution
        del file
        self.assertEqual(problem.solve().r.tobytes(), result.r.tobytes())
        slipcone.write("again.hdf5", problem, solution=solution)
        content = pathlib.Path("again.hdf5").read_bytes()
        again = slipcone.read_bytes(content, name="again")
        self.assertEqual(again.solution.r.tobytes(), result.r.tobytes())

    def test_siconos_text(self):
        problem = slipcone.Problem(EYE, Q, 0.5)
        problem.write("one.dat", format="siconos")
        self.assertEqual(slipcone.read("one.dat", "local").problem.q.tolist(), Q.tolist())

    def test_wrong_files(self):
        with self.assertRaisesRegex(slipcone.FileError, "nowhere"):
            slipcone.read("nowhere.hdf5")
        with self.assertRaises(slipcone.FormatError):
            slipcone.read_bytes(b"nothing of use")
        with self.assertRaisesRegex(slipcone.ArgumentError, "'globl'; did you mean 'global'"):
            slipcone.read("x", "globl")
        with self.assertRaisesRegex(slipcone.ArgumentError, "a path is wanted"):
            slipcone.read(3)
        with self.assertRaisesRegex(slipcone.ArgumentError, "zero byte"):
            slipcone.read("a\0b")
        with self.assertRaisesRegex(slipcone.ArgumentError, "Problem is wanted"):
            slipcone.write("x.hdf5", 3)
        with self.assertRaises(slipcone.FileError):
            slipcone.Problem(EYE, Q, 0.5).write("no/such/folder/x.hdf5")

    def test_numbers(self):
        self.assertEqual(slipcone.number_text(0.1), "0.1")


class Generate(unittest.TestCase):
    def test_every_kind(self):
        for name, kind in slipcone.kinds().items():
            problem, r = slipcone.generate(name, contacts=min(kind.defaults["contacts"], 5))
            self.assertEqual(r is not None, kind.known_solution, name)
            if r is not None:
                self.assertLess(problem.residual(r), 1e-8)
            self.assertIn("contacts", kind.defaults)
            self.assertIn(name, repr(kind))

    def test_options(self):
        problem = slipcone.generate("pile", contacts=30, mu=0.2, dimension=2, seed=7).problem
        self.assertEqual((problem.dimension, problem.mu[0]), (2, 0.2))
        generated = slipcone.generate("random", contacts=4)
        self.assertIn("with a solution", repr(generated))
        r = generated.r
        del generated
        self.assertEqual(r.shape, (12,))
        for bad in ({"contacts": "x"}, {"contacts": 10**12}, {"colour": 1}, {"contacts": -1}):
            with self.assertRaises(slipcone.ArgumentError):
                slipcone.generate("pile", **bad)
        with self.assertRaisesRegex(slipcone.ArgumentError, "did you mean 'pile'"):
            slipcone.generate("piles")
        with self.assertRaises(slipcone.ArgumentError):
            slipcone.generate(3)


class Check(unittest.TestCase):
    def test_yes_and_no(self):
        self.assertEqual(slipcone.check(slipcone.Problem(EYE, Q, 0.5)).answer, "yes")
        crushed = slipcone.check(slipcone.generate("crushed").problem)
        self.assertEqual((crushed.answer, crushed.verdict), ("no", "NO SOLUTION"))
        self.assertIn("answer", repr(crushed))
        self.assertIsNotNone(crushed.r)
        problem = slipcone.generate("painleve-up").problem
        both = problem.check(enumerate=True, margin=True)
        self.assertEqual(len(both.found), 2)
        for found in both.found:
            self.assertLess(problem.residual(found.r), 1e-8)
            self.assertEqual(len(found.status), problem.contacts)
        robust = slipcone.check(slipcone.generate("pile", contacts=5).problem, margin=True)
        self.assertEqual(robust.v.size, slipcone.generate("pile", contacts=5).problem.dof)

    def test_options(self):
        problem = slipcone.Problem(EYE, Q, 0.5)
        with self.assertRaisesRegex(slipcone.ArgumentError, "did you mean 'margin'"):
            problem.check(margn=1)
        with self.assertRaisesRegex(slipcone.ArgumentError, "tol"):
            problem.check(tol="x")
        with self.assertRaisesRegex(slipcone.ArgumentError, "Problem is wanted"):
            slipcone.check(3)
        self.assertEqual(problem.check(r=[1, -0.5, 0], progress=lambda _: False).answer, "yes")

    def test_one_contact(self):
        for form in ("tan", "alpha"):
            found = slipcone.one_contact(EYE, Q, 0.5, form)
            self.assertTrue(np.allclose(found.r, [[1, -0.5, 0]]))
            self.assertEqual(found.status.tolist(), [slipcone.SLIP])
        with self.assertRaises(slipcone.ArgumentError):
            slipcone.one_contact(np.eye(2), Q, 0.5)
        with self.assertRaisesRegex(slipcone.ArgumentError, "no quartic"):
            slipcone.one_contact(EYE, Q, 0.5, "x")

    def test_kernels(self):
        one = slipcone.Kernels(EYE, 0.5)
        r, solved = one.solve(Q)
        self.assertTrue(solved.all() and np.allclose(r, [[1, -0.5, 0]]))
        self.assertEqual(one.status(Q, r).tolist(), [slipcone.SLIP])
        self.assertLess(one.error(Q, r)[0], 1e-14)
        many = slipcone.Kernels(np.array([np.eye(2), 2 * np.eye(2)]), [0.5, 0])
        self.assertEqual(repr(many), "<2 contacts in 2D>")
        r, solved = many.solve([[-1, 0.8], [-4, 3]], r=np.zeros((2, 2)))
        self.assertTrue(solved.all() and np.allclose(r, [[1, -0.5], [2, 0]]))
        for W, mu, flow, text in ((np.eye(4), 0.5, "coulomb", "dimension is 4"),
                                  (EYE, -1, "coulomb", "mu is -1"), (EYE, 1, "x", "flow"),
                                  (np.ones((2, 3)), 1, "coulomb", "count, d, d")):
            with self.assertRaisesRegex(slipcone.ArgumentError, text):
                slipcone.Kernels(W, mu, flow)


class Bench(unittest.TestCase):
    def test_a_small_campaign(self):
        pathlib.Path("set/piles").mkdir(parents=True)
        for seed in (1, 2):
            slipcone.generate("pile", contacts=8, seed=seed).problem.write(f"set/piles/{seed}.hdf5")
        seen = []
        summary = slipcone.bench.campaign(["set"], ["nsgs", "auto"], "out.csv",
                                          rules=[("*", 1e-4, 20.0)], progress=seen.append, jobs=1)
        self.assertEqual((summary.total, summary.solved), (4, 4))
        self.assertTrue(seen)
        results = slipcone.bench.read("out.csv")
        self.assertEqual(len(results), 4)
        row = results[0]
        self.assertEqual((row.outcome, row.family), ("SOLVED", "piles"))
        self.assertGreaterEqual(len(row.trace), 1)
        self.assertRaises(IndexError, results.__getitem__, 9)
        profile = results.profile(tol=1e-4)
        self.assertEqual(sorted(profile.solvers), ["auto", "nsgs"])
        self.assertEqual(profile.cost.shape, (2, 2))
        self.assertEqual(profile.value("auto", 1e9), 1)
        self.assertEqual(profile.value(None, 1), 1)
        with self.assertRaises(slipcone.ArgumentError):
            profile.value("none", 1)
        self.assertEqual(results.table6()[0]["problems"], 2)
        self.assertEqual(slipcone.bench.merge(["out.csv", "out.csv"], "merged.csv"), len(results))
        self.assertEqual(len(slipcone.bench.read("merged.csv")), len(results))
        self.assertEqual(slipcone.bench.table5(["set"])[0]["problems"], 2)
        slipcone.bench.report("out.csv", "report.html")
        slipcone.bench.plot("out.csv", "plot.svg", measure="time_per_contact", family="piles")
        slipcone.bench.plot("out.csv", "plot.svg", measure="error_at_budget", budget=0.5)
        for name in ("report.html", "plot.svg"):
            self.assertGreater(pathlib.Path(name).stat().st_size, 500)

    def test_rest(self):
        self.assertEqual(slipcone.bench.methods("nsgs,alm"), ["nsgs", "alm"])
        problem = slipcone.generate("pile", contacts=10).problem
        slipcone.bench.trace_plot({"auto": problem.solve(), "nsgs": problem.solve("nsgs")},
                                  "trace.svg")
        self.assertIn("<svg", pathlib.Path("trace.svg").read_text(encoding="utf-8"))
        text = "methods nsgs,auto\nmemory 512\nrepeat 2\nrun pile* 1e-4 10\n"
        pathlib.Path("campaign.txt").write_text(text, encoding="utf-8")
        read = slipcone.bench.read_campaign("campaign.txt")
        self.assertEqual(read, {"methods": ["nsgs", "auto"], "memory": 512, "repeat": 2,
                                "rules": [("pile*", 1e-4, 10)]})
        with self.assertRaises(slipcone.Error):
            slipcone.bench.campaign(["nothing"], ["nsgs"], "x.csv")
        with self.assertRaises(slipcone.ArgumentError):
            slipcone.bench.campaign(["nothing"], ["nsgs"], "x.csv", colour=1)
        with self.assertRaises(slipcone.ArgumentError):
            slipcone.bench.trace_plot({"x": 3}, "trace.svg")


if __name__ == "__main__":
    unittest.main()
