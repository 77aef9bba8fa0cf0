"""Every function of the public headers is reached from Python: the other tests run once more in
this process, with a library that notes which of its functions are called."""

import importlib
import importlib.machinery
import os
import pathlib
import re
import sys
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent


class Noting:
    """Stands for the library and notes which functions are called."""

    def __init__(self, lib):
        self._lib, self.called = lib, set()

    def __getattr__(self, name):
        value = getattr(self._lib, name)
        if not callable(value):
            return value

        def function(*arguments):
            self.called.add(name)
            return value(*arguments)

        setattr(self, name, function)
        return function


def load_noting():
    """Load the package with a library that notes; the module that opens it comes first."""
    spec = importlib.machinery.PathFinder.find_spec("slipcone")
    sys.modules["slipcone"] = types.ModuleType("slipcone")
    sys.modules["slipcone"].__path__ = spec.submodule_search_locations
    module = importlib.import_module("slipcone._library")
    module.lib = Noting(module.lib)
    del sys.modules["slipcone"]
    importlib.import_module("slipcone")
    return module.lib


class Cover(unittest.TestCase):
    def test_every_public_function_is_called(self):
        lib = load_noting()
        sys.path.insert(0, str(HERE))
        suite = unittest.TestSuite()
        for name in ("test_problem", "test_solver", "test_tables", "test_files", "test_sim"):
            suite.addTests(unittest.defaultTestLoader.loadTestsFromName(name))
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            result = unittest.TextTestRunner(stream=nowhere).run(suite)
        self.assertEqual([str(test) for test, _ in result.errors + result.failures], [])
        folder = pathlib.Path(os.environ["SLIPCONE_SOURCE"]) / "include" / "slipcone"
        text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.h"))
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        functions = set(re.findall(r"SLIP_API [^;()]*?\b(slip_\w+)\(", text))
        self.assertGreater(len(functions), 100)
        self.assertEqual(sorted(functions - lib.called), [])


if __name__ == "__main__":
    unittest.main()
