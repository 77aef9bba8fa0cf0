"""The C library: where it is, its structs, its errors.

The interface comes from _definitions.py, which is made of the public headers. Where cffi was there
at package time, _cffi.py holds the same, read ahead: it loads in a tenth of the time.
"""

import difflib
import os
import pathlib
import sysconfig

from . import _definitions

try:
    from ._cffi import ffi
except ImportError:
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(_definitions.CDEF)

# ---- Errors --------------------------------------------------------------------------------------


class Error(Exception):
    """A call that failed, with the library's sentence. `status` is its name in C."""

    status = "SLIP_ERROR"


class ArgumentError(Error, ValueError, TypeError):
    """An unknown name, a value out of range, an array of the wrong shape or type."""

    status = "SLIP_ERROR_ARGUMENT"


class OutOfMemory(Error, MemoryError):
    """An allocation failed."""

    status = "SLIP_ERROR_MEMORY"


class ProblemError(Error, ValueError):
    """The problem's data are inconsistent."""

    status = "SLIP_ERROR_PROBLEM"


class MismatchError(Error, ValueError):
    """This method cannot treat this problem; the sentence names alternatives."""

    status = "SLIP_ERROR_MISMATCH"


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""

    status = "SLIP_ERROR_FILE"


class FormatError(Error, ValueError):
    """The content of a file breaks the rules of its format."""

    status = "SLIP_ERROR_FORMAT"


class NumericError(Error, ArithmeticError):
    """A factorisation failed."""

    status = "SLIP_ERROR_NUMERIC"


class StaleError(Error, RuntimeError):
    """A result that a later run has replaced, or an object that is in use elsewhere."""

    status = "SLIP_ERROR_ARGUMENT"


for _kind in (Error, *Error.__subclasses__()):
    _kind.__module__ = "slipcone"  # as users know it

_by_status = {kind.status: kind for kind in (ArgumentError, OutOfMemory, ProblemError,
                                             MismatchError, FileError, FormatError, NumericError)}


def fail(error):
    """Raise what a SlipError says."""
    name = text(lib.slip_status_name(error.status))
    raise _by_status.get(name, Error)(text(error.text))


def call(function, *arguments):
    """Call a function whose last parameter is a SlipError; raise where it fails."""
    error = ffi.new("SlipError *")
    if function(*arguments, error):
        fail(error)


def unknown(what, name, known, among=None):
    """An ArgumentError about a name that is not among the known ones, with the nearest of them."""
    known = list(known)
    name = str(name)
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
    near += [other for other in known if len(min(name, other, key=len)) > 2
             and (name.startswith(other) or other.startswith(name))]
    near += difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(known)}"
    return ArgumentError(f"{among or 'there'} {'has' if among else 'is'} no {what} '{name}'{hint}")


# ---- The library ---------------------------------------------------------------------------------


def _places():
    """Where the library may be: said by the user, in the wheel, beside an installed package or in
    the folder of a build, and wherever the dynamic linker looks."""
    name = "libslipcone.so." + ".".join(_definitions.VERSION.split(".")[:2])
    said = os.environ.get("SLIPCONE_LIBRARY")
    if said:
        return [said]
    here = pathlib.Path(__file__).resolve().parent
    folders = [here, here.parent.parent]  # wheel; BUILD/python/slipcone
    if len(here.parents) > 2:  # LIBDIR/python3/dist-packages/slipcone
        multiarch = sysconfig.get_config_var("MULTIARCH") or ""
        folders += [here.parents[2], here.parents[2] / multiarch]
    return [str(folder / name) for folder in folders if (folder / name).exists()] + [name]


def _open():
    tried = []
    for place in _places():
        try:
            return ffi.dlopen(place)
        except OSError as error:
            tried.append(str(error).split("  Additionally")[0])
    raise ImportError("the library of Slipcone cannot be loaded: " + "; ".join(tried) +
                      " (SLIPCONE_LIBRARY may name the file)")


lib = _open()


def text(pointer):
    """A C string, or None."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def path_bytes(path):
    """A path as C wants it; refuses what is none."""
    try:
        encoded = os.fsencode(path)
    except TypeError:
        raise ArgumentError(f"a path is wanted, not {type(path).__name__}") from None
    if b"\0" in encoded:
        raise ArgumentError("a path cannot hold a zero byte")
    return encoded


def string(value, name):
    """A str as a C string that the caller keeps alive."""
    if not isinstance(value, str):
        raise ArgumentError(f"{name} must be a str, not {type(value).__name__}")
    encoded = value.encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise ArgumentError(f"{name} cannot hold a zero byte")
    return ffi.new("char[]", encoded)


def __version__():
    return text(lib.slip_version())


if __version__().split(".")[:2] != _definitions.VERSION.split(".")[:2]:
    raise ImportError(f"this package is for Slipcone {_definitions.VERSION}, and the library is of "
                      f"version {__version__()}")

# ---- Structs and enumerations --------------------------------------------------------------------


def _assign(struct, field, value):
    name, _, index = field.partition("[")
    value = getattr(lib, value) if isinstance(value, str) else value
    if index:
        getattr(struct, name)[int(index[:-1])] = value
    elif not isinstance(value, list):
        setattr(struct, name, value)


def struct(kind):
    """A new struct as slip_default_...() makes it."""
    made = ffi.new(kind + " *")
    made.size = ffi.sizeof(kind)
    for field, value in _definitions.DEFAULTS[kind].items():
        _assign(made, field, value)
    return made


def own(pointer, free, *keep):
    """An object of the library's that is freed with the last reference to it; what it needs is kept
    until then."""
    return ffi.gc(pointer, lambda p, _keep=keep: free(p))


def create(kind, function, *arguments, free, keep=()):
    """Call a function that makes an object of the library's, and own it."""
    made = ffi.new(kind + " **")
    call(function, *arguments, made)
    return own(made[0], free, *keep)


def enumeration(kind, prefix):
    """The names of an enumeration as people write them, {'half-space': 4}."""
    elements = ffi.typeof(kind).elements
    return {name[len(prefix):].lower().replace("_", "-"): value
            for value, name in sorted(elements.items())}


def choose(value, names, what):
    """The number of a name out of an enumeration; underscores may stand for hyphens."""
    if isinstance(value, str):
        name = value.replace("_", "-").lower()
        if name in names:
            return names[name]
    elif isinstance(value, int) and value in names.values():
        return value
    raise unknown(what, value, names)
