"""Simulations: built in Python and from scenes, callbacks, records, the same bits as the tool."""

import math
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import unittest
import unittest.mock
from xml.etree import ElementTree

import numpy as np

import slipcone
from slipcone import Shape, Sim

SCENES = pathlib.Path(os.environ["SLIPCONE_SOURCE"]) / "scenes"
SINE, COSINE = math.sin(math.radians(20)), math.cos(math.radians(20))


def slope():
    """A box that slides and a ball that rolls, seen along the slope: examples/simulate.c."""
    sim = Sim(gravity=(9.81 * SINE, 0, -9.81 * COSINE))
    sim.add_rule(friction=0.3)
    sim.add_body(Shape.half_space(), name="slope", motion="fixed")
    sim.add_body(Shape.box(0.2, 0.2, 0.2), position=(0, 0, 0.1), name="box")
    sim.add_body(Shape.sphere(0.1), position=(0, 1, 0.1), name="ball")
    return sim


class Built(unittest.TestCase):
    def test_known_motion(self):
        sim = slope()
        run = sim.run(1.0, progress=False)
        self.assertEqual((run.steps, sim.steps, run.unsolved), (200, 200, 0))
        self.assertAlmostEqual(sim["box"].velocity[0], 9.81 * (SINE - 0.3 * COSINE), places=6)
        self.assertAlmostEqual(sim["ball"].velocity[0], 9.81 * SINE * 5 / 7, places=6)
        self.assertEqual(sim.names, ["slope", "box", "ball"])
        self.assertEqual(sim.position.shape, (3, 3))
        self.assertEqual(sim.rotation.shape, (3, 4))
        self.assertEqual(sim.velocity[1].tolist(), sim["box"].velocity.tolist())
        self.assertEqual(sim.spin[2].tolist(), sim["ball"].spin.tolist())
        self.assertEqual(sim.present.tolist(), [True] * 3)
        self.assertEqual(len(sim.contacts), 5)
        self.assertEqual(sim.contacts["bodies"].shape, (5, 2))
        self.assertLess(abs(sim.energy.imbalance), 1e-9)
        self.assertEqual(sim.problem.contacts, 5)
        self.assertEqual(sim.problem.residual(sim.result.r) < 1e-7, True)
        before = sim.result.r
        sim.step()
        self.assertTrue(np.allclose(sim.start, before, rtol=0, atol=1e-9 * abs(before).max()))
        self.assertEqual([s.kind for s in sim.shapes], ["half-space", "box", "sphere"])
        self.assertAlmostEqual(sim["ball"].mass, 4 / 3 * math.pi * 1e-3 * 1000)
        self.assertEqual(sim["ball"].centre.tolist(), [0, 0, 0])
        self.assertEqual([b.slot for b in sim.bodies], [0, 1, 2])
        for shown in (sim, run, run.info, sim.energy, sim["box"]):
            self.assertTrue(repr(shown))
        self.assertIn("<table>", run._repr_html_())
        self.assertEqual((sim.dimension, run.time), (3, sim.time))

    def test_arrays_follow_the_simulation_and_outlive_it(self):
        sim = slope()
        position = sim.position
        before = position.copy()
        sim.step(10)
        self.assertGreater(position[1, 0], before[1, 0])
        with self.assertRaises(ValueError):
            position[0] = 0
        with self.assertRaisesRegex(slipcone.StaleError, "still in use"):
            sim.add_body(Shape.sphere(1))
        del sim
        self.assertGreater(position[1, 0], before[1, 0])

    def test_bodies_come_and_go(self):
        sim = slope()
        body = sim.add_body(Shape.sphere(0.1), position=(5, 5, 5))
        self.assertIsNone(body.name)
        self.assertEqual(body.position.tolist(), [5, 5, 5])
        body.position = (6, 6, 6)
        body.velocity = (1, 2, 3)
        body.spin = (0, 0, 1)
        body.rotation = (0, 1, 0, 0)
        self.assertEqual(body.position.tolist(), [6, 6, 6])
        self.assertEqual(body.velocity.tolist(), [1, 2, 3])
        self.assertEqual(body.spin.tolist(), [0, 0, 1])
        self.assertEqual(np.abs(body.rotation).tolist(), [0, 1, 0, 0])
        body.remove()
        for call in (lambda: body.position, lambda: body.mass, body.remove, body.apply,
                     lambda: sim.set_pose(body, (0, 0, 0))):
            with self.assertRaises(slipcone.Error):
                call()
        self.assertFalse(sim.present[3])
        with self.assertRaisesRegex(slipcone.ArgumentError, "did you mean 'ball'"):
            sim["bal"]
        other = slope()
        with self.assertRaisesRegex(slipcone.ArgumentError, "another simulation"):
            sim.apply(other["box"], (1, 0, 0))

    def test_rolling_friction(self):
        sim = Sim(gravity=(0, 0, -9.81), step=0.01, tol=1e-11)
        sim.add_rule(friction=0.5, rolling=0.02, spinning=0.01)
        sim.add_body(Shape.half_space((0, 0, 1)), motion="fixed")
        ball = sim.add_body(Shape.sphere(0.1), position=(0, 0, 0.1), velocity=(1, 0, 0),
                            spin=(0, 10, 0), name="ball")
        sim.step(10)  # slowed down by g (0.02/0.1)/(1 + 2/5)
        self.assertAlmostEqual(ball.velocity[0], 1 - 0.1 * 9.81 * 0.2 / 1.4, delta=1e-8)
        moment = np.abs(sim.contacts["moment"][0])
        self.assertAlmostEqual(moment[1] / (0.02 * ball.mass * 9.81 * 0.01), 1, delta=1e-8)

    def test_joints_materials_forces(self):
        sim = Sim(gravity=(0, 0, -9.81), step=0.001, method="auto", tol=1e-10)
        steel = sim.add_material("steel", density=7800)
        self.assertEqual(steel, 0)
        sim.add_rule(materials=("steel", None), friction=0.1, restitution=0.5)
        turned = (math.sqrt(0.5), 0, math.sqrt(0.5), 0)
        rod = sim.add_body(Shape.capsule(0.02, 1.0), rotation=turned, position=(0.5, 0, 0),
                           material="steel", name="rod")
        joint = sim.add_joint("hinge", rod, at=(0, 0, 0), axis=(0, 1, 0))
        sim.add_force("rod", force=(0, 0, 9.81 * rod.mass))
        sim.step(100)
        self.assertLess(np.abs(rod.velocity).max(), 1e-9)  # held up by the force
        joint.remove()
        sim.apply("rod", force=(rod.mass, 0, 0))
        sim.step()
        self.assertAlmostEqual(rod.velocity[0], 0.001, places=9)
        self.assertEqual(sim.settings.tol, 1e-10)

    def test_deformable(self):
        sim = Sim(inertia="none", step=1.0, gravity=(0, 0, 0), tol=1e-10)
        sim.add_body(Shape.half_space(), motion="fixed")
        block = sim.add_deformable(box=(1, 1, 2), cells=(2, 2, 3), young=1e6, poisson=0,
                                   position=(0, 0, 1), name="block")
        sim.add_support("block", "zmax", velocity=(0, 0, -1e-3))
        sim.add_load(block, "xmax", pressure=0.0)
        self.assertEqual(sim.step().contacts, 9)
        state = block.deformable
        np.testing.assert_allclose(state["stress"][:, 2], -500, rtol=1e-6)
        self.assertAlmostEqual(state["elastic"], 0.5 * 500 * 1e-3, places=6)
        with tempfile.TemporaryDirectory() as folder:
            block.export_vtu(os.path.join(folder, "block.vtu"))
            grid = ElementTree.parse(os.path.join(folder, "block.vtu")).find(".//Piece")
        self.assertEqual((grid.get("NumberOfPoints"), grid.get("NumberOfCells")), ("36", "12"))
        arrays = {one.get("Name"): one.text.split() for one in grid.iter("DataArray")}
        self.assertEqual((len(arrays["stress"]), len(arrays["connectivity"])), (6 * 36, 8 * 12))
        self.assertAlmostEqual(float(arrays["von_mises"][0]), 500, places=3)
        bottom = (state["rest"] == [0, 0, -1]).all(axis=1)
        self.assertEqual(bottom.sum(), 1)
        pressure = np.array(arrays["contact_pressure"], float)
        np.testing.assert_allclose(pressure[bottom], 500, rtol=1e-6)
        with tempfile.TemporaryDirectory() as folder:
            slipcone.Recorder(os.path.join(folder, "run.h5"), sim).finish()
            run = slipcone.Trajectory(os.path.join(folder, "run.h5"))
            read = run.deformable(0, block.slot)
            with self.assertRaisesRegex(slipcone.Error, "body 0 is not deformable"):
                run.deformable(0, 0)
        np.testing.assert_allclose(read["stress"], state["stress"], rtol=1e-6, atol=1e-3)
        np.testing.assert_allclose(read["position"], state["position"], atol=1e-9)
        self.assertEqual(sim.problem.form, "local")
        self.assertEqual((sim.global_problem.form, sim.global_problem.dof), ("global", 81))
        tetrahedron = sim.add_deformable(points=np.eye(4, 3, -1) + [5, 0, 0], elements=[0, 1, 2, 3],
                                         element="t4", young=1e6)
        self.assertEqual(len(tetrahedron.deformable["rest"]), 4)
        with self.assertRaisesRegex(slipcone.Error, "young"):
            sim.add_deformable(box=(1, 1, 1))

    def test_two_dimensions(self):
        sim = Sim(dimension=2, gravity=(0, -9.81, 0))
        sim.add_body(Shape.segment((-5, 0), (5, 0)), motion="fixed")
        disc = sim.add_body(Shape.disc(0.5), position=(0, 0.5, 0))
        sim.add_body(Shape.polygon([(0, 0), (1, 0), (0, 1)]), position=(2, 0, 0))
        sim.step(20)
        self.assertAlmostEqual(disc.position[1], 0.5, places=6)

    def test_other_shapes(self):
        cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
        sim = Sim()
        sim.add_body(Shape.hull(cube, material=None), position=(0, 0, 3))
        sim.add_body(Shape.cylinder(1, 2), position=(5, 0, 0))
        floor = Shape.mesh([(-9, -9, 0), (9, -9, 0), (0, 9, 0)], [[0, 1, 2]])
        sim.add_body(floor, motion="fixed", position=(0, 0, -3))
        self.assertEqual(sim.shapes[2].triangles.tolist(), [[0, 1, 2]])
        self.assertEqual(sim.shapes[0].points.shape, (8, 3))
        sim.step()

    def test_wrong(self):
        sim = slope()
        cases = [
            (lambda: Shape("spere", radius=1), "no kind of shape 'spere'; did you mean 'sphere'"),
            (lambda: Shape("sphere", radios=1), "did you mean 'radius'"),
            (lambda: Shape.sphere("x"), "radius"),
            (lambda: Shape.hull([1, 2, 3]), "points has shape"),
            (lambda: Shape.box(1, 2, None), "edges"),
            (lambda: sim.add_body(3), "a Shape is wanted"),
            (lambda: sim.add_body(Shape.sphere(1), positon=(0, 0, 0)), "did you mean 'position'"),
            (lambda: sim.add_body(Shape.sphere(1), position=(0, 0)), "position has 2 values"),
            (lambda: sim.add_body(Shape.sphere(1), motion="fre"), "did you mean 'free'"),
            (lambda: sim.add_body(Shape.sphere(1), material="wood"), "no material 'wood'"),
            (lambda: sim.add_body(Shape.sphere(-1)), "radius"),
            (lambda: sim.add_joint("bal", "box"), "did you mean 'ball'"),
            (lambda: sim.add_rule(friction=-1), "friction"),
            (lambda: sim.add_rule(materials=(1,)), "materials"),
            (lambda: sim.add_material(3), "name must be a str"),
            (lambda: Sim(gravty=(0, 0, 1)), "gravty"),
            (lambda: Sim(step=-1), "step"),
            (lambda: Sim(set={}), "there is none"),
            (lambda: Sim(str(SCENES / "wall.yaml"), tol=1), "use set"),
            (lambda: Sim("slipcone: 1\nbodie: []\n"), "2:1: unknown key 'bodie'"),
            (lambda: Sim("nowhere.yaml"), "nowhere"),
            (lambda: Sim(str(SCENES / "wall.yaml"), set={"x": object()}), "a value in set"),
            (lambda: sim.on_force(3), "a function is wanted"),
            (lambda: sim.restore(b"nothing"), "snapshot|bytes"),
            (lambda: sim.run(), "needs a time or steps"),
            (lambda: sim.run(1, steps=3), "not both"),
        ]
        for call, pattern in cases:
            with self.assertRaisesRegex(slipcone.Error, pattern):
                call()

    def test_a_step_that_fails(self):
        sim = Sim(gravity=(0, 0, -9.81), on_failure="stop", max_iter=0, tol=1e-14)
        sim.add_rule(friction=0.5)
        sim.add_body(Shape.half_space(), motion="fixed")
        for k in range(3):
            sim.add_body(Shape.box(1, 1, 1), position=(0.1 * k, 0, 0.5 + k))
        with self.assertRaises(slipcone.Error) as caught:
            sim.step(50)
        self.assertNotEqual(caught.exception.step.outcome, "SOLVED")


class Functions(unittest.TestCase):
    def test_force(self):
        sim, times = slope(), []

        @sim.on_force
        def push(sim, now):
            times.append(now)
            self.assertEqual(sim.position.shape, (3, 3))
            sim["box"].apply((100, 0, 0))

        sim.step(3)
        plain = slope()
        plain.step(3)
        self.assertEqual(len(times), 3)
        self.assertGreater(sim["box"].velocity[0], plain["box"].velocity[0])
        sim.on_force(None)
        sim.step()
        self.assertEqual(len(times), 3)

    def test_what_functions_raise_comes_out(self):
        sim = slope()

        @sim.on_force
        def bad(sim, now):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            sim.step()
        sim.on_force(lambda sim, now: sim.step())
        with self.assertRaisesRegex(slipcone.StaleError, "in use"):
            sim.step()
        sim.on_force(lambda sim, now: sim.add_body(Shape.sphere(1)))
        with self.assertRaisesRegex(slipcone.StaleError, "in use"):
            sim.step()
        sim.on_force(None)
        sim.on_pair(lambda a, b: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            sim.step()
        sim.on_pair(None)
        sim.step()

    def test_pairs(self):
        sim = slope()
        sim.on_pair(lambda a, b: "box" not in (a.name, b.name))
        sim.step(20)
        self.assertLess(sim["box"].position[2], 0.09)
        self.assertAlmostEqual(sim["ball"].position[2], 0.1, places=6)

    def test_rules(self):
        sim, seen = slope(), []

        @sim.on_rule
        def wet(contact):
            seen.append(contact)
            if "box" in [body.name for body in contact.bodies]:
                return {"friction": 0}

        sim.step(20)
        self.assertAlmostEqual(sim["box"].velocity[0], 9.81 * SINE * 0.1, places=8)
        self.assertEqual(abs(seen[0].normal).tolist(), [0, 0, 1])
        self.assertEqual(seen[0].tangents.shape, (2, 3))
        self.assertGreater(max(contact.slid for contact in seen), 0)
        sim.on_rule(lambda contact: {"friction": -1})
        with self.assertRaisesRegex(slipcone.ArgumentError, "friction is -1"):
            sim.step()
        sim.on_rule(lambda contact: {"frction": 1})
        with self.assertRaisesRegex(slipcone.ArgumentError, "friction"):
            sim.step()
        sim.on_rule(None)
        sim.step()

    def test_progress(self):
        sim, seen = Sim(SCENES / "arch-falls.yaml"), []
        sim.on_progress(lambda progress: seen.append(progress.iteration))
        sim.step(5)
        self.assertTrue(seen)
        sim.on_progress(lambda progress: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            sim.step(5)
        sim.on_progress(None)
        sim.step()


class Runs(unittest.TestCase):
    def test_bits_of_the_tool(self):
        scene = SCENES / "arch-falls.yaml"
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        subprocess.run([os.environ["SLIPCONE"], "sim", "--quiet", scene, "--end", "0.1", "--out",
                        "tool.h5"], check=True, env=environment)
        sim = Sim(scene, set={"time.end": 0.1})
        sim.run(record="ours.h5", progress=False)
        tool, ours = slipcone.Trajectory("tool.h5"), slipcone.Trajectory("ours.h5")
        self.assertEqual(len(tool), len(ours))
        self.assertEqual(tool[-1].position.tobytes(), ours[-1].position.tobytes())
        self.assertEqual(tool[-1].velocity.tobytes(), ours[-1].velocity.tobytes())
        self.assertEqual(tool.energy.tobytes(), ours.energy.tobytes())
        self.assertEqual(ours[-1].position.tobytes(), sim.position.tobytes())

    def test_trajectory(self):
        sim = Sim(SCENES / "bouncing-ball.yaml", set={"time.end": 0.2})
        self.assertIn("bodies", repr(sim.scene))
        with slipcone.Recorder("run.h5", sim, every=2, flush_seconds=0.1) as recorder:
            for _ in range(20):
                recorder.step(sim.step())
            recorder.flush()
        with self.assertRaisesRegex(slipcone.StaleError, "finished"):
            recorder.flush()
        dropped = slipcone.Recorder("dropped.h5", sim)
        dropped.step(sim.step())
        del dropped  # closes the file
        self.assertEqual(slipcone.Trajectory("dropped.h5").steps, 1)
        trajectory = slipcone.Trajectory("run.h5")
        self.assertEqual(len(trajectory), 11)
        self.assertEqual((trajectory.steps, trajectory.dimension), (20, sim.dimension))
        self.assertEqual(trajectory.names, sim.names)
        self.assertEqual(trajectory.time[0], 0)
        self.assertEqual(trajectory.at(trajectory.time[3] + 1e-9).time, trajectory.time[3])
        self.assertEqual(len(list(trajectory)), 11)
        self.assertEqual(trajectory.step_outcome[0], "SOLVED")
        for name in ("contacts", "iterations", "residual", "seconds"):
            self.assertEqual(len(getattr(trajectory, f"step_{name}")), 20)
        self.assertGreaterEqual(len(trajectory.snapshot_time), 1)
        self.assertEqual(len(trajectory.shapes), len(sim.shapes))
        self.assertTrue(trajectory.scene and trajectory.version and repr(trajectory[0]))
        self.assertIn("time.end", trajectory.set)
        trajectory.draw("frame.svg", azimuth=10, elevation=5)
        trajectory.export_vtk("vtk", every=5)
        trajectory.export_xdmf("xdmf", every=5)
        self.assertTrue(pathlib.Path("xdmf/run-frames.h5").exists())
        trajectory.page("page.html", title="A ball", every=2)
        self.assertIn("<html", pathlib.Path("page.html").read_text(encoding="utf-8"))
        with self.assertRaisesRegex(slipcone.ArgumentError, "did you mean 'every'"):
            trajectory.page("page.html", evry=2)
        self.assertTrue(pathlib.Path("vtk/run.pvd").exists())
        self.assertIn("<svg", pathlib.Path("frame.svg").read_text(encoding="utf-8"))
        self.assertRaises(IndexError, trajectory.__getitem__, 11)
        with self.assertRaises(slipcone.Error):
            slipcone.Trajectory("nowhere.h5")
        energy = trajectory.energy
        del trajectory
        self.assertEqual(energy["kinetic"].shape, (11,))

    def test_view_opens_a_page(self):
        opened = []
        sim = Sim(SCENES / "bouncing-ball.yaml")
        with unittest.mock.patch("webbrowser.open", opened.append):
            trajectory = sim.view("ball.html", 0.05, progress=False)
        self.assertGreater(len(trajectory), 1)
        self.assertTrue(opened[0].startswith("file://") and opened[0].endswith("/ball.html"))
        self.assertTrue(pathlib.Path("ball.html").exists() and pathlib.Path("ball.h5").exists())

    def test_restart_goes_on_with_the_same_bits(self):
        whole = Sim(SCENES / "arch-falls.yaml", set={"time.end": 0.1})
        whole.run(progress=False)
        sim = Sim(SCENES / "arch-falls.yaml", set={"time.end": 0.05})
        sim.run(record="half.h5", progress=False)
        again = Sim.restart("half.h5", set={"time.end": 0.1})
        self.assertEqual(again.steps, sim.steps)
        again.run(record="half.h5", progress=False)
        self.assertEqual(again.position.tobytes(), whole.position.tobytes())
        self.assertEqual(slipcone.Trajectory("half.h5").steps, whole.steps)

    def test_save_and_restore(self):
        sim = slope()
        sim.step(5)
        saved = sim.save()
        sim.step(5)
        expected = sim.position.copy()
        sim.restore(saved)
        sim.step(5)
        self.assertEqual(sim.position.tobytes(), expected.tobytes())

    def test_scene_text_and_many_simulations_of_one(self):
        text = (SCENES / "block-on-slope.yaml").read_text(encoding="utf-8")
        scene = slipcone.Scene(text, set={"time.end": 0.05})
        self.assertEqual(scene.text, text)
        first, second = scene.build(), scene.build()
        first.run(progress=False)
        second.run(progress=False)
        self.assertEqual(first.position.tobytes(), second.position.tobytes())
        for name in ("title", "description", "end", "step", "steps", "bodies", "joints", "rules",
                     "materials", "forces", "record_every", "record_contacts", "name"):
            self.assertIsNotNone(getattr(scene, name))

    def test_progress_bar_and_ends(self):
        import contextlib
        import io

        sim, stream = slope(), io.StringIO()
        with contextlib.redirect_stderr(stream):
            run = sim.run(steps=10, progress=True, each=lambda info: info.step >= 5)
        self.assertEqual(run.steps, 5)
        self.assertIn("contacts", stream.getvalue())

    def test_one_thread_at_a_time(self):
        sim = slope()
        started = threading.Event()

        @sim.on_force
        def slow(sim, now):
            started.set()
            time.sleep(0.5)

        thread = threading.Thread(target=sim.step)
        thread.start()
        started.wait()
        for call in (sim.step, lambda: sim.position, lambda: sim.contacts, sim.save,
                     lambda: sim.add_body(Shape.sphere(1)), lambda: sim.apply(sim["box"])):
            with self.assertRaisesRegex(slipcone.StaleError, "another thread"):
                call()
        thread.join()


if __name__ == "__main__":
    unittest.main()
