"""Builds the Python package; a PEP 517 backend that needs nothing but Python.

    pip install ./bindings/python                    a wheel, with the library where one was built
    python3 slipcone_backend.py stage FOLDER         the package in a folder, for CMake
    python3 slipcone_backend.py wheel FOLDER         a wheel

The definitions for cffi are made of the public headers here. The wheel holds libslipcone too where
SLIPCONE_LIBRARY names it or ../../build has it; without it, the package looks for an installed
library when it is loaded.
"""

import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

import slipcone_definitions

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Of the files in a wheel, so that the same sources give the same wheel.
EPOCH = (1980, 1, 1, 0, 0, 0)


def headers():
    """The public headers: beside this folder in a source package, else those of the project."""
    for folder in (ROOT / "include" / "slipcone", ROOT.parent.parent / "include" / "slipcone"):
        if folder.is_dir():
            return folder
    raise SystemExit("the headers of Slipcone are not here: build from the project's folder")


def version():
    return slipcone_definitions.version(headers())


def read_ahead(definitions):
    """What cffi makes of the definitions, by the Python that the package is for; None where it has
    no cffi yet. pip hides the packages of that Python from this process, not from another one."""
    program = ("import cffi, contextlib, os, sys, tempfile\n"
               "values = {}\n"
               "exec(sys.stdin.read(), values)\n"
               "made = cffi.FFI()\n"
               "made.cdef(values['CDEF'])\n"
               "made.set_source('_cffi', None)\n"
               "with tempfile.TemporaryDirectory() as folder:\n"
               "    path = os.path.join(folder, '_cffi.py')\n"
               "    with contextlib.redirect_stdout(sys.stderr):\n"
               "        made.emit_python_code(path)\n"
               "    sys.stdout.write(open(path).read())\n")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([sys.executable, "-c", program], input=definitions, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
                          check=False)
    return done.stdout if done.returncode == 0 else None


def package_files():
    """{path in the package: content} of everything but the library."""
    files = {f"slipcone/{path.name}": path.read_bytes()
             for path in sorted((ROOT / "slipcone").iterdir())
             if path.suffix in (".py", ".pyi") or path.name == "py.typed"}
    definitions = slipcone_definitions.module(headers())
    files["slipcone/_definitions.py"] = definitions.encode()
    ahead = read_ahead(definitions)
    if ahead is not None:
        files["slipcone/_cffi.py"] = ahead.encode()
    return files


def library():
    """(name, content) of the library that a wheel takes along, or None."""
    name = "libslipcone.so." + ".".join(version().split(".")[:2])
    said = os.environ.get("SLIPCONE_LIBRARY")
    path = pathlib.Path(said) if said else ROOT.parent.parent / "build" / name
    if said and not path.is_file():
        raise SystemExit(f"SLIPCONE_LIBRARY names {path}, which is not there")
    return (name, path.read_bytes()) if path.is_file() else None


def dist_info():
    return f"slipcone-{version()}.dist-info"


def metadata():
    lines = ["Metadata-Version: 2.1", "Name: slipcone", f"Version: {version()}",
             "Summary: Contact problems and simulations with exact Coulomb friction",
             "License: MIT", "Requires-Python: >=3.9", "Requires-Dist: numpy",
             "Requires-Dist: cffi", "Description-Content-Type: text/markdown", ""]
    return "\n".join(lines) + "\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def wheel_text(tag):
    pure = "true" if tag == "py3-none-any" else "false"
    return f"Wheel-Version: 1.0\nGenerator: slipcone_backend\nRoot-Is-Purelib: {pure}\nTag: {tag}\n"


def write_wheel(folder, files, tag):
    """A wheel of files, with its record of them."""
    files = dict(files)
    files[f"{dist_info()}/METADATA"] = metadata().encode()
    files[f"{dist_info()}/WHEEL"] = wheel_text(tag).encode()
    rows = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(content)}")
    record = f"{dist_info()}/RECORD"
    files[record] = "\n".join(rows + [f"{record},,", ""]).encode()
    name = f"slipcone-{version()}-{tag}.whl"
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files, found = package_files(), library()
    tag = "py3-none-any"
    if found:
        files[f"slipcone/{found[0]}"] = found[1]
        tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return write_wheel(wheel_directory, files, tag)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that points to this folder, in which the generated modules are put."""
    for path, content in package_files().items():
        target = ROOT / path
        if not target.exists() or target.read_bytes() != content:
            target.write_bytes(content)
    return write_wheel(wheel_directory, {"slipcone.pth": f"{ROOT}\n".encode()}, "py3-none-any")


def build_sdist(sdist_directory, config_settings=None):
    base = f"slipcone-{version()}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for name in ("pyproject.toml", "README.md", "backend", "slipcone"):
            archive.add(ROOT / name, f"{base}/{name}", filter=_no_leftovers)
        archive.add(headers(), f"{base}/include/slipcone")
    return f"{base}.tar.gz"


def _no_leftovers(entry):
    name = pathlib.PurePath(entry.name).name
    return None if name in ("__pycache__", "_definitions.py", "_cffi.py") else entry


def stage(folder):
    """The package and its metadata in a folder; only files that differ are written."""
    files = package_files()
    files[f"{dist_info()}/METADATA"] = metadata().encode()
    files[f"{dist_info()}/INSTALLER"] = b"slipcone\n"
    for path, content in files.items():
        target = pathlib.Path(folder) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != content:
            target.write_bytes(content)
    for old in (pathlib.Path(folder) / "slipcone").glob("*"):
        if old.is_file() and f"slipcone/{old.name}" not in files:
            old.unlink()


if __name__ == "__main__":
    commands = {"stage": stage, "wheel": build_wheel}
    if len(sys.argv) != 3 or sys.argv[1] not in commands:
        sys.exit("usage: slipcone_backend.py stage|wheel FOLDER")
    made = commands[sys.argv[1]](sys.argv[2])
    if made:
        print(made)
