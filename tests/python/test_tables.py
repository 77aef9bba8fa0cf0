"""Methods, options and laws as the library has them; the type stubs."""

import ast
import inspect
import os
import pathlib
import unittest

import slipcone
from slipcone._library import ffi, lib, text


class Tables(unittest.TestCase):
    def test_methods_are_the_librarys(self):
        names = [text(lib.slip_method_info(k).name) for k in range(lib.slip_method_count())]
        self.assertEqual(list(slipcone.methods()), names)
        psor = slipcone.methods()["psor"]
        self.assertIs(slipcone.methods().psor, psor)
        self.assertIn("nsgs_accelerated", dir(slipcone.methods()))
        self.assertIn("omega", psor.options)
        self.assertIn("relaxation", psor.__doc__)
        self.assertIn("omega", inspect.signature(psor).parameters)
        self.assertTrue(psor.takes("coulomb"))
        self.assertFalse(slipcone.methods().pana.takes("coulomb", "associated"))
        self.assertTrue(slipcone.methods()["spg"].associated)
        self.assertIn("omega", repr(psor))
        self.assertIn("<td>psor</td>", slipcone.methods()._repr_html_())
        with self.assertRaises(AttributeError):
            slipcone.methods().nothing

    def test_options_are_the_librarys(self):
        count = ffi.new("int *")
        table = lib.slip_common_options(count)
        for k in range(count[0]):
            option = slipcone.common_options()[text(table[k].name).replace("-", "_")]
            self.assertEqual(option.help, text(table[k].help))
        tol = slipcone.options("psor").tol
        self.assertEqual((tol.type, tol.default, tol.range[0]), ("real", 1e-6, 0))
        self.assertIn("block", slipcone.options().operator.choices)
        self.assertEqual(slipcone.options("psor").omega.default, 1.2)
        self.assertIn("omega", repr(slipcone.options("psor")))

    def test_functions_are_documented_from_the_table(self):
        for name, option in slipcone.common_options().items():
            self.assertIn(f"{name}=", slipcone.solve.__doc__)
            parameter = inspect.signature(slipcone.solve).parameters[name]
            self.assertEqual(parameter.default, option.default)

    def test_settings(self):
        settings = slipcone.Settings("psor", omega=1.5, local_solver="quartic-tan")
        settings.tol = 1e-9
        settings.max_iter = "77"
        self.assertEqual((settings.omega, settings.tol, settings.max_iter), (1.5, 1e-9, 77))
        self.assertEqual(settings.local_solver, "quartic-tan")
        self.assertIsInstance(settings.max_iter, int)
        copy = slipcone.Settings(settings, tol=1e-3)
        self.assertEqual((copy.omega, copy.tol, settings.tol), (1.5, 1e-3, 1e-9))
        self.assertIn("omega=1.5", repr(settings))
        self.assertIn("omega", dir(settings))
        self.assertEqual(settings.asdict()["omega"], 1.5)
        self.assertEqual(slipcone.methods().psor(omega=1.5).omega, 1.5)
        with self.assertRaisesRegex(slipcone.ArgumentError, "did you mean 'omega'"):
            settings.omgea = 1
        with self.assertRaisesRegex(slipcone.ArgumentError, "did you mean 'tol'"):
            settings.tolerance = 1
        with self.assertRaisesRegex(AttributeError, "did you mean 'omega'"):
            settings.omgea
        with self.assertRaises(slipcone.ArgumentError):
            settings.omega = -5
        with self.assertRaises(slipcone.ArgumentError):
            settings.local_solver = "none"

    def test_laws(self):
        names = []
        while lib.slip_law_name(len(names)) != ffi.NULL:
            names.append(text(lib.slip_law_name(len(names))))
        self.assertEqual(list(slipcone.laws()), names)
        self.assertTrue(slipcone.law_flows("coulomb"))
        self.assertFalse(slipcone.law_flows("bilateral"))

    def test_version(self):
        self.assertEqual(slipcone.__version__, text(lib.slip_version()))
        self.assertEqual(lib.SLIP_OK, 0)


def signature_of_stub(node):
    """(positional names, keyword-only names, *name, **name) of a function in a stub."""
    a = node.args
    return ([x.arg for x in a.posonlyargs + a.args], [x.arg for x in a.kwonlyargs],
            a.vararg and a.vararg.arg, a.kwarg and a.kwarg.arg)


def signature_of(function):
    if hasattr(function, "__signature__"):  # names out of the library's table are in **options
        function = function.__wrapped__ if hasattr(function, "__wrapped__") else function
    code = function.__code__
    names, positional = code.co_varnames, code.co_argcount
    keywords = positional + code.co_kwonlyargcount
    rest = list(names[keywords:])
    vararg = rest.pop(0) if code.co_flags & inspect.CO_VARARGS else None
    kwarg = rest.pop(0) if code.co_flags & inspect.CO_VARKEYWORDS else None
    return list(names[:positional]), list(names[positional:keywords]), vararg, kwarg


class Stubs(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(os.environ["SLIPCONE_SOURCE"]) / "bindings/python/slipcone"
        self.trees = {name: ast.parse((folder / f"{name}.pyi").read_text(encoding="utf-8"))
                      for name in ("__init__", "bench")}
        self.assertTrue((folder / "py.typed").exists())

    def compare(self, tree, module):
        stubs = {node.name: node for node in tree.body
                 if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        for name in dir(module):
            value = getattr(module, name)
            own = getattr(value, "__module__", "") or ""
            if name.startswith("_") or not own.startswith("slipcone"):
                continue
            if module is slipcone.bench and own != "slipcone.bench":
                continue
            if inspect.isclass(value) or inspect.isfunction(value):
                self.assertIn(name, stubs, f"{module.__name__} has {name}, the stub has not")
                self.compare_one(name, value, stubs.pop(name))
        self.assertEqual([name for name in stubs if not name.startswith("_")], [])

    def compare_one(self, name, value, node):
        if inspect.isfunction(value):
            self.assertEqual(signature_of_stub(node), signature_of(value), name)
            return
        members = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
        fields = {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
        for member, thing in vars(value).items():
            if member.startswith("_") and member != "__init__":
                continue
            thing = getattr(thing, "__func__", thing)
            if inspect.isfunction(thing):
                self.assertIn(member, members, f"{name}.{member}")
                self.assertEqual(signature_of_stub(members[member]), signature_of(thing),
                                 f"{name}.{member}")
            elif isinstance(thing, property):
                self.assertTrue(member in members or member in fields, f"{name}.{member}")
        source = "" if issubclass(value, Exception) else inspect.getsource(value)
        numbers = value._field_names() if hasattr(value, "_field_names") else ()
        for member in list(members) + list(fields):
            known = hasattr(value, member) or member in numbers
            self.assertTrue(known or f"self.{member}" in source or f'"{member}"' in source,
                            f"{name} has no {member}")

    def test_package(self):
        self.compare(self.trees["__init__"], slipcone)

    def test_bench(self):
        self.compare(self.trees["bench"], slipcone.bench)


if __name__ == "__main__":
    unittest.main()
