"""The package itself: pip without a network, the wheel, what happens when parts are missing."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import zipfile

SOURCE = pathlib.Path(os.environ["SLIPCONE_SOURCE"])
PACKAGE = SOURCE / "bindings" / "python"
BACKEND = PACKAGE / "backend" / "slipcone_backend.py"
BUILT = pathlib.Path(os.environ["PYTHONPATH"].split(os.pathsep)[0])
SOLVE = "import slipcone; print(slipcone.solve([[1,0,0],[0,1,0],[0,0,1]],[-1,.8,0],.5).r.tolist())"


def run(*command, **environment):
    """(status, output) of a command; a variable that is None is left out."""
    variables = {**os.environ, **environment}
    variables = {name: value for name, value in variables.items() if value is not None}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=variables, check=False)
    return done.returncode, done.stdout


def can_pip():
    return run(sys.executable, "-m", "pip", "--version", LD_PRELOAD=None)[0] == 0


class Package(unittest.TestCase):
    @unittest.skipUnless(can_pip(), "this Python has no pip")
    def test_pip_installs_it_without_a_network(self):
        status, output = run(sys.executable, "-m", "pip", "install", "--quiet", "--no-index",
                             "--no-deps", "--target", "site", str(PACKAGE), LD_PRELOAD=None,
                             PYTHONPATH=None)
        self.assertEqual(status, 0, output)
        self.assertTrue(pathlib.Path("site/slipcone/__init__.pyi").exists())
        self.assertTrue(pathlib.Path("site/slipcone/_cffi.py").exists())
        status, output = run(sys.executable, "-c", SOLVE, PYTHONPATH="site")
        self.assertEqual((status, output), (0, "[1.0, -0.5, 0.0]\n"))

    def test_the_wheel_holds_the_library(self):
        status, name = run(sys.executable, str(BACKEND), "wheel", "dist", PYTHONPATH=None)
        self.assertEqual(status, 0, name)
        with zipfile.ZipFile(pathlib.Path("dist") / name.strip()) as wheel:
            names = wheel.namelist()
            wheel.extractall("wheel")
        self.assertTrue(any(name.startswith("slipcone/libslipcone.so.") for name in names))
        self.assertTrue(any(name.endswith("RECORD") for name in names))
        status, output = run(sys.executable, "-c", SOLVE, PYTHONPATH="wheel", SLIPCONE_LIBRARY=None)
        self.assertEqual((status, output), (0, "[1.0, -0.5, 0.0]\n"))

    def test_source_package_builds_alone(self):
        program = ("import sys; sys.path.insert(0, sys.argv[1]); import slipcone_backend as b; "
                   "print(b.build_sdist('.'))")
        status, name = run(sys.executable, "-c", program, str(PACKAGE / "backend"))
        self.assertEqual(status, 0, name)
        shutil.unpack_archive(name.strip())
        backend = pathlib.Path(name.strip().removesuffix(".tar.gz")) / "backend"
        status, output = run(sys.executable, str(backend / BACKEND.name), "stage", "staged",
                             PYTHONPATH=None)
        self.assertEqual(status, 0, output)
        status, output = run(sys.executable, "-c", SOLVE, PYTHONPATH="staged")
        self.assertEqual((status, output), (0, "[1.0, -0.5, 0.0]\n"))

    def test_without_definitions_read_ahead(self):
        shutil.copytree(BUILT / "slipcone", "plain/slipcone")
        pathlib.Path("plain/slipcone/_cffi.py").unlink()
        status, output = run(sys.executable, "-c", SOLVE, PYTHONPATH="plain")
        self.assertEqual((status, output), (0, "[1.0, -0.5, 0.0]\n"))

    def test_without_scipy(self):
        program = ("import sys; sys.modules['scipy'] = sys.modules['scipy.sparse'] = None; "
                   "import slipcone; W = slipcone.generate('random', contacts=2).problem.W; "
                   "print(type(W).__name__, slipcone.solve(W, [-1, 0, 0, -1, 0, 0], 0.5).solved)")
        status, output = run(sys.executable, "-c", program)
        self.assertEqual((status, output), (0, "Csr True\n"))

    def test_without_the_library(self):
        status, output = run(sys.executable, "-c", SOLVE, SLIPCONE_LIBRARY="nowhere.so")
        self.assertEqual(status, 1)
        self.assertIn("ImportError: the library of Slipcone cannot be loaded: cannot load library "
                      "'nowhere.so'", output)
        self.assertIn("SLIPCONE_LIBRARY may name the file", output)

    def test_of_another_version(self):
        shutil.copytree(BUILT / "slipcone", "old/slipcone")
        path = pathlib.Path("old/slipcone/_definitions.py")
        text = path.read_text(encoding="utf-8")
        start = text.index('VERSION = "') + len('VERSION = "')
        path.write_text(text[:start] + "9.8.7" + text[text.index('"', start):], encoding="utf-8")
        status, output = run(sys.executable, "-c", SOLVE, PYTHONPATH="old")
        self.assertEqual(status, 1)
        self.assertIn("this package is for Slipcone 9.8.7, and the library is of version", output)


if __name__ == "__main__":
    unittest.main()
