"""Solvers: their life, their memory, threads, interrupts."""

import gc
import os
import signal
import sys
import threading
import time
import unittest

import numpy as np

import slipcone

EYE, Q = np.eye(3), np.array([-1, 0.8, 0])


def pile(contacts=100, **more):
    return slipcone.generate("pile", contacts=contacts, **more).problem


class Life(unittest.TestCase):
    def test_new_data(self):
        solver = slipcone.Solver(EYE, Q, 0.5, tol=1e-12)
        self.assertEqual(solver.solve().r.tolist(), [1, -0.5, 0])
        self.assertEqual(solver.solve(np.array([-1, 0.2, 0])).r.tolist(), [1, -0.2, 0])
        self.assertEqual(solver.solve([-1, 0.8, 0]).r.tolist(), [1, -0.5, 0])
        self.assertEqual(solver.solve(q=Q[None]).r.tolist(), [1, -0.5, 0])
        self.assertEqual(solver.solve(np.array([-2, 0, 0])).r.tolist(), [2, 0, 0])
        self.assertEqual(solver.solve(Q, mu=0.25).r.tolist(), [1, -0.25, 0])
        solver.update(mu=[0.1], W=2 * EYE)
        self.assertTrue(np.allclose(solver.solve().r, [0.5, -0.05, 0]))
        self.assertEqual(solver.method, "auto")
        self.assertIn("auto", repr(solver))

    def test_update_of_a_global_problem(self):
        problem = pile(20)
        solver = slipcone.Solver(problem, tol=1e-10)
        first = solver.solve().copy()
        second = solver.solve(f=2 * problem.f, w=2 * problem.w)
        self.assertTrue(np.allclose(second.r, 2 * first.r, atol=1e-6 * np.abs(first.r).max()))
        with self.assertRaisesRegex(slipcone.Error, "q"):
            solver.solve(np.zeros(problem.dimension * problem.contacts))

    def test_setup_later_as_others_do(self):
        solver = slipcone.Solver()
        self.assertIn("without a problem", repr(solver))
        for call in (solver.solve, solver.warm_start, lambda: solver.result, solver.update,
                     lambda: solver.set_problem(pile(5)), lambda: solver.on_progress(None)):
            with self.assertRaisesRegex(slipcone.StaleError, "setup"):
                call()
        self.assertIs(solver.setup(EYE, Q, 0.5, method="nsgs", tol=1e-12), solver)
        self.assertEqual(solver.solve().method, "nsgs")
        with self.assertRaisesRegex(slipcone.ArgumentError, "setup"):
            slipcone.Solver(method="nsgs")

    def test_setup_that_fails_leaves_the_solver_as_it_was(self):
        solver = slipcone.Solver(EYE, Q, 0.5, tol=1e-12)

        def refuse(progress):
            raise KeyError("mine")

        problem, _ = slipcone.generate("unsymmetric", contacts=5)
        with self.assertRaises(slipcone.MismatchError):
            solver.setup(problem, method="soclcp-socp")
        with self.assertRaises(slipcone.ArgumentError):
            solver.setup(EYE, Q)
        try:
            solver.setup(pile(2000), method="alm", progress=refuse)
        except KeyError:
            pass
        else:
            self.skipTest("nobody asked while this was set up")
        self.assertEqual(solver.solve().r.tolist(), [1, -0.5, 0])

    def test_a_problem_that_is_refused(self):
        solver = slipcone.Solver(pile(5).reduce(), method="soclcp-socp")
        self.assertTrue(solver.solve().solved)
        with self.assertRaises(slipcone.MismatchError):
            solver.set_problem(slipcone.generate("unsymmetric", contacts=5).problem)
        size = 3 * pile(5).contacts
        for call in (solver.solve, lambda: solver.solve(np.zeros(size)), solver.warm_start,
                     lambda: solver.warm_start(np.zeros(size)), lambda: solver.update(mu=0.1)):
            with self.assertRaises(slipcone.Error):
                call()
        solver.set_problem(pile(5).reduce())
        self.assertTrue(solver.solve().solved)

    def test_warm_start(self):
        problem = pile(100)
        solver = slipcone.Solver(problem, method="nsgs", tol=1e-6)
        cold = solver.solve().copy()
        solver.warm_start()
        self.assertLess(solver.solve().iterations, cold.iterations)
        solver.warm_start(cold.r)
        self.assertLess(solver.solve().iterations, cold.iterations)
        self.assertEqual(solver.solve().r.tobytes(), cold.r.tobytes())

    def test_another_problem_gives_the_bits_of_a_new_solver(self):
        solver = slipcone.Solver(pile(30))
        solver.solve()
        for contacts in (80, 10):
            problem = pile(contacts, seed=contacts)
            solver.set_problem(problem)
            self.assertIs(solver.problem, problem)
            self.assertEqual(solver.solve().r.tobytes(), problem.solve().r.tobytes())
        with self.assertRaisesRegex(slipcone.ArgumentError, "Problem is wanted"):
            solver.set_problem(3)

    def test_settings_object(self):
        settings = slipcone.Settings("psor", omega=1.4)
        result = pile(10).solve(settings, tol=1e-5)
        self.assertEqual(result.method, "psor")

    def test_wrong_data(self):
        solver = slipcone.Solver(EYE, Q, 0.5)
        for bad in ([1, 2], np.zeros((2, 3)), np.zeros(3) * 1j, "abc", np.array(1.0)):
            with self.assertRaises(slipcone.ArgumentError):
                solver.solve(bad)
        with self.assertRaisesRegex(slipcone.Error, "nan"):
            solver.solve(np.array([np.nan, 0, 0]))
        with self.assertRaises(slipcone.Error):
            solver.update(mu=-1)
        with self.assertRaises(slipcone.Error):
            solver.warm_start([1, 2])
        with self.assertRaises(TypeError):
            solver.solve(Q, friction=1)
        with self.assertRaisesRegex(slipcone.ArgumentError, "not both"):
            slipcone.Solver(slipcone.Problem(EYE, Q, 0.5), Q)
        self.assertTrue(solver.solve(Q).solved)


class Memory(unittest.TestCase):
    def test_arrays_keep_their_owner_alive(self):
        result = slipcone.solve(EYE, Q, 0.5, tol=1e-12)
        r, u, status, trace = result.r, result.u, result.status, result.trace
        impulses = result.impulses[:1]
        del result
        gc.collect()
        hold = [np.zeros(100) for _ in range(100)]  # somebody else would take freed memory
        self.assertEqual(r.tolist(), [1, -0.5, 0])
        self.assertEqual(impulses.tolist(), [[1, -0.5, 0]])
        self.assertEqual(status.tolist(), [2])
        self.assertEqual(trace["iteration"][0], 0)
        self.assertTrue(np.allclose(u, [0, 0.3, 0]))
        self.assertFalse(r.flags.writeable or r.flags.owndata)
        del hold

    def test_no_copy(self):
        solver = slipcone.Solver(EYE, Q, 0.5, tol=1e-12)
        r = solver.solve().r
        address = r.__array_interface__["data"][0]
        again = solver.solve(np.array([-3.0, 0, 0])).r
        self.assertEqual(again.__array_interface__["data"][0], address)
        self.assertEqual(r.tolist(), [3, 0, 0])  # the same memory

    def test_replaced_results_refuse(self):
        solver = slipcone.Solver(EYE, Q, 0.5, tol=1e-12)
        first = solver.solve()
        kept = first.copy()
        solver.solve(np.array([-3.0, 0, 0]))
        for name in ("r", "u", "status", "outcome", "residual", "trace", "reason"):
            with self.assertRaisesRegex(slipcone.StaleError, "replaced"):
                getattr(first, name)
        self.assertRaises(slipcone.StaleError, repr, first)
        self.assertEqual(kept.r.tolist(), [1, -0.5, 0])
        self.assertEqual(kept.copy().reason, kept.reason)
        self.assertEqual(kept.trace.dtype.names, ("iteration", "residual", "seconds"))
        second = solver.result
        solver.update(mu=0.1)
        with self.assertRaises(slipcone.StaleError):
            second.r

    def test_another_problem_waits_for_arrays(self):
        solver = slipcone.Solver(pile(10))
        r = solver.solve().r
        with self.assertRaisesRegex(slipcone.StaleError, "still in use"):
            solver.set_problem(pile(20))
        self.assertEqual(r.tobytes(), solver.result.r.tobytes())
        del r
        solver.set_problem(pile(20))

    def test_a_solver_keeps_its_problem(self):
        solver = slipcone.Solver(EYE, Q, 0.5)
        gc.collect()
        self.assertTrue(solver.solve().solved)


class Interrupts(unittest.TestCase):
    def test_progress_sees_iterations_and_can_end_the_run(self):
        seen = []

        def watch(progress):
            seen.append((progress.iteration, progress.tol, progress.set_up))
            return progress.iteration >= 3

        result = slipcone.Solver(pile(50), method="nsgs", tol=1e-12, progress=watch).solve()
        self.assertEqual(result.outcome, "INTERRUPTED")
        self.assertGreaterEqual(len(seen), 3)
        self.assertEqual(seen[-1][1], 1e-12)
        with self.assertRaisesRegex(slipcone.ArgumentError, "progress"):
            slipcone.Solver(EYE, Q, 0.5, progress=3)

    def test_what_progress_raises_comes_out(self):
        def bad(progress):
            if not progress.set_up:
                raise KeyError("mine")

        solver = slipcone.Solver(pile(50), method="nsgs", progress=bad)
        with self.assertRaisesRegex(KeyError, "mine"):
            solver.solve()
        solver.on_progress(None)
        self.assertTrue(solver.solve().solved)

    def test_a_run_does_not_enter_itself(self):
        solver = slipcone.Solver(pile(50), method="nsgs")
        solver.on_progress(lambda _: solver.solve())
        with self.assertRaisesRegex(slipcone.StaleError, "in use"):
            solver.solve()

    def test_ctrl_c_ends_a_long_run(self):
        solver = slipcone.Solver(pile(2000), method="nsgs", tol=0, max_iter=10**9)
        timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            solver.solve()
        timer.join()
        self.assertLess(time.monotonic() - began, 60)


class Threads(unittest.TestCase):
    def test_others_run_while_the_library_works(self):
        problem, counts = pile(300), [0]
        stop = threading.Event()

        def count():
            while not stop.is_set():
                counts[0] += 1

        solver = slipcone.Solver(problem, method="nsgs", tol=0, max_iter=10**9, time_limit=1.0)
        thread = threading.Thread(target=count)
        thread.start()
        time.sleep(0.05)
        before = counts[0]
        solver.solve()
        after = counts[0]
        stop.set()
        thread.join()
        self.assertGreater(after - before, 1000)

    def test_a_solver_is_for_one_thread_at_a_time(self):
        begun, go_on = threading.Event(), threading.Event()

        def wait(progress):
            if not progress.set_up:
                begun.set()
                go_on.wait()
            return begun.is_set()

        solver = slipcone.Solver(pile(300), method="nsgs", tol=0, progress=wait)
        thread = threading.Thread(target=solver.solve)
        thread.start()
        begun.wait()
        for call in (solver.solve, lambda: solver.update(mu=0.1), solver.warm_start,
                     lambda: solver.set_problem(pile(5)), lambda: solver.on_progress(None)):
            with self.assertRaisesRegex(slipcone.StaleError, "another thread"):
                call()
        go_on.set()
        thread.join()
        self.assertEqual(solver.result.outcome, "INTERRUPTED")

    def test_many_threads_share_a_problem(self):
        problem, bits = pile(100), []
        expected = problem.solve().r.tobytes()
        threads = [threading.Thread(target=lambda: bits.extend(
            problem.solve().r.tobytes() for _ in range(5))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(bits), 40)
        self.assertEqual(set(bits), {expected})

    def test_many_threads_fight_for_a_solver(self):
        solver, outcomes = slipcone.Solver(pile(20)), []
        problems = [pile(n) for n in (5, 40)]

        def fight(k):
            for _ in range(200):
                try:
                    if k % 4 == 3:
                        solver.set_problem(problems[k % 2])
                    else:
                        outcomes.append(solver.solve().copy().outcome)
                except slipcone.StaleError:
                    pass

        threads = [threading.Thread(target=fight, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(set(outcomes) <= {"SOLVED", "NOT_RUN"}, set(outcomes))


if __name__ == "__main__":
    sys.setswitchinterval(1e-5)
    unittest.main()
