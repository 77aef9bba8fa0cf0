"""The definitions of the package are those of the headers and of the C compiler."""

import os
import pathlib
import subprocess
import sys
import unittest

from slipcone import _definitions
from slipcone._library import ffi, struct

SOURCE = pathlib.Path(os.environ["SLIPCONE_SOURCE"])
sys.path.insert(0, str(SOURCE / "bindings" / "python" / "backend"))
import slipcone_definitions  # noqa: E402


def structs():
    """The structs whose fields are known."""
    names = [name for name in ffi.list_types()[0] if name.startswith("Slip")]
    return [name for name in names
            if ffi.typeof(name).kind == "struct" and ffi.typeof(name).fields is not None]


def in_c(lines):
    """What a C program of these lines prints."""
    headers = sorted((SOURCE / "include" / "slipcone").glob("*.h"))
    text = "".join(f"#include <slipcone/{path.name}>\n" for path in headers)
    text += "#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n"
    pathlib.Path("definitions.c").write_text(text, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    subprocess.run([os.environ["CC"], "-I", SOURCE / "include", "definitions.c", "-o",
                    "definitions"], check=True, env=environment)
    return subprocess.run(["./definitions"], check=True, stdout=subprocess.PIPE, env=environment,
                          text=True).stdout.splitlines()


class Definitions(unittest.TestCase):
    def test_package_has_what_the_headers_say_now(self):
        folder = SOURCE / "include" / "slipcone"
        made = {}
        exec(slipcone_definitions.module(folder), made)
        self.assertEqual(_definitions.CDEF, made["CDEF"])
        self.assertEqual(_definitions.DEFAULTS, made["DEFAULTS"])
        self.assertEqual(_definitions.VERSION, made["VERSION"])

    def test_every_function_of_the_headers_is_defined(self):
        for path in (SOURCE / "include" / "slipcone").glob("*.h"):
            text = slipcone_definitions.without_comments(path.read_text(encoding="utf-8"))
            for part in text.split("SLIP_API ")[1:]:
                name = part.split("(")[0].split()[-1].lstrip("*")
                if name != "__attribute__":  # of the macro itself
                    self.assertTrue(f"{name}(" in _definitions.CDEF, name)

    def test_sizes_and_places_of_fields_are_the_compilers(self):
        lines, expected = [], []
        for name in structs():
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            expected.append(f"{name} {ffi.sizeof(name)}")
            for field, place in ffi.typeof(name).fields:
                lines.append(f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));')
                expected.append(f"{name}.{field} {place.offset}")
        self.assertGreater(len(structs()), 40)
        self.assertEqual(in_c(lines), expected)

    def test_enumerators_are_the_compilers(self):
        lines, expected = [], []
        for name in ffi.list_types()[0]:
            if ffi.typeof(name).kind == "enum":
                for value, element in ffi.typeof(name).elements.items():
                    lines.append(f'printf("{element} %d\\n", (int){element});')
                    expected.append(f"{element} {value}")
        self.assertGreater(len(lines), 60)
        self.assertEqual(in_c(lines), expected)

    def test_defaults_are_those_of_c(self):
        lines, expected = [], []
        for kind in _definitions.DEFAULTS:
            made = struct(kind)
            numbers = [(name, field.type) for name, field in ffi.typeof(kind).fields
                       if field.type.kind in ("primitive", "enum")]
            lines.append("{")
            function = slipcone_defaults()[kind]
            lines.append(f"{kind} c = {function}();")
            for name, _ in numbers:
                lines.append(f'printf("{kind}.{name} %.17g\\n", (double)c.{name});')
                expected.append(f"{kind}.{name} {float(getattr(made, name)):.17g}")
            lines.append("}")
        self.assertGreater(len(expected), 80)
        self.assertEqual(in_c(lines), expected)

    def test_what_is_not_understood_is_refused(self):
        bad = "  SlipX x;\n  x.size = sizeof x;\n  x.tol = compute();\n  return x;\n"
        with self.assertRaises(slipcone_definitions.Unknown):
            slipcone_definitions.defaults_of("slip_default_x", bad)


def slipcone_defaults():
    """{struct: the function that makes it}."""
    made = {}
    for _, text in slipcone_definitions.in_order(SOURCE / "include" / "slipcone"):
        for kind, function, parameters, _ in slipcone_definitions.INLINE.findall(text):
            if parameters == "void":
                made[kind] = function
    return made


if __name__ == "__main__":
    unittest.main()
