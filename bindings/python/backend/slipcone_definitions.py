"""The public headers as Python: text for cffi, and the values that slip_default_...() set.

    python3 slipcone_definitions.py INCLUDE_FOLDER > _definitions.py

The headers are the only place where the interface stands; nothing here names a function or a
struct. It needs neither a compiler nor other packages, so that pip can run it anywhere. It knows
the C that the headers are written in: comments, include guards, function-like macros, typedefs,
prototypes marked SLIP_API and `static inline` functions that fill a struct with constants. Whatever
else stands in a header is an error with the place, never left out silently.
"""

import ast
import pathlib
import re
import sys


class Unknown(Exception):
    """Something in a header that this generator does not understand."""


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def in_order(folder):
    """(name, text without comments) of each header, after those that it includes."""
    texts = {path.stem: without_comments(path.read_text(encoding="utf-8"))
             for path in sorted(pathlib.Path(folder).glob("*.h"))}
    done = {"version": None}  # only macros, which cffi has no use for

    def visit(name):
        if name not in done:
            for needed in re.findall(r"#include <slipcone/(\w+)\.h>", texts[name]):
                visit(needed)
            done[name] = texts[name]

    for name in texts:
        visit(name)
    return [(name, text) for name, text in done.items() if text is not None]


def split_directives(text):
    """The text without lines of the preprocessor, and its function-like macros:
    name -> (parameters, body)."""
    text = text.replace("\\\n", " ")
    # The C++ guards hold nothing of the interface.
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    macros = {}
    for name, parameters, body in re.findall(r"#define (\w+)\(([^)]*)\)(.*)", text):
        macros[name] = ([p.strip() for p in parameters.split(",")], body.strip())
    return re.sub(r"^\s*#.*$", "", text, flags=re.M), macros


def expand(text, macros):
    """Function-like macros in `text`, until there are none."""
    while True:
        for name, (parameters, body) in macros.items():
            call = re.search(rf"\b{name}\(([^()]*)\)", text)
            if call:
                arguments = [a.strip() for a in call.group(1).split(",")]
                made = body
                for parameter, argument in zip(parameters, arguments):
                    made = re.sub(rf"\b{parameter}\b", argument, made)
                made = re.sub(r"\s*##\s*", "", made)
                text = text[: call.start()] + made + text[call.end() :]
                break
        else:
            return text


INLINE = re.compile(r"static inline (\w+) (\w+)\(([^)]*)\) \{\n(.*?)^\}", flags=re.S | re.M)


def value_of(text, place):
    """A constant of C as a constant of Python, or as the name of an enumerator."""
    text = text.strip()
    if text == "HUGE_VAL":
        return float("inf")
    if re.fullmatch(r"[A-Z][A-Z_0-9]*", text):
        return text
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise Unknown(f"{place}: '{text}' is no constant") from None


def defaults_of(function, body):
    """The fields that slip_default_...() sets, beside the size: {path: value}. An array of the
    header's own is a list of tuples."""
    values, local, arrays = {}, None, {}
    for statement in re.split(r";\s*", body):
        statement = statement.strip()
        declaration = re.fullmatch(r"Slip\w+ (\w+)", statement)
        array = re.fullmatch(r"static const \w+ (\w+)\[\] = \{(.*)\}", statement, flags=re.S)
        if declaration:
            local = declaration.group(1)
        elif array:
            rows = array.group(2).replace("{", "(").replace("}", ")")
            arrays[array.group(1)] = list(ast.literal_eval(f"({rows},)"))
        elif not statement or statement.startswith(("memset", "return")):
            continue
        else:
            *targets, value = statement.split(" = ")
            for target in targets:
                if not local or not target.startswith(local + "."):
                    raise Unknown(f"{function}: '{statement}' is not understood")
                field = target[len(local) + 1 :]
                if field != "size":
                    values[field] = arrays.get(value) or value_of(value, function)
    return values


def read(folder):
    """(text for cffi, {struct: {field: value}}) of all headers."""
    cdef, defaults, macros = [], {}, {}
    for _, text in in_order(folder):
        text, own = split_directives(text)
        macros.update(own)
        for kind, function, parameters, body in INLINE.findall(text):
            if parameters == "void":
                defaults[kind] = defaults_of(function, body)
        text = expand(INLINE.sub("", text), macros).replace("SLIP_API ", "")
        text = re.sub(r"[ \t]+", " ", text)
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        cdef.append("\n".join(lines))
    return "\n".join(cdef) + "\n", defaults


def version(folder):
    text = (pathlib.Path(folder) / "version.h").read_text(encoding="utf-8")
    return re.search(r'SLIPCONE_VERSION "(.*)"', text).group(1)


def module(folder):
    """The text of slipcone/_definitions.py."""
    cdef, defaults = read(folder)
    lines = ['"""Made of the public headers by slipcone_definitions.py; not to be edited."""', "",
             f'VERSION = "{version(folder)}"', "", 'CDEF = """\\', cdef + '"""', "", "DEFAULTS = {"]
    for kind, values in defaults.items():
        inner = ", ".join(f'"{k}": {number(v)}' for k, v in values.items())
        lines.append(f'    "{kind}": {{{inner}}},')
    return "\n".join(lines + ["}", ""])


def number(value):
    return 'float("inf")' if value == float("inf") else repr(value)


if __name__ == "__main__":
    try:
        sys.stdout.write(module(sys.argv[1]))
    except Unknown as error:
        sys.exit(f"slipcone_definitions.py: {error}")
