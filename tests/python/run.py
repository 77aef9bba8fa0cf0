"""Run a test or an example in a folder of its own: run.py SCRIPT. Where numpy or cffi is missing it
ends with status 77, and ctest says that the test was skipped."""

import os
import runpy
import sys
import tempfile

for needed in ("numpy", "cffi"):
    try:
        __import__(needed)
    except ImportError:
        print(f"skipped: this Python has no {needed} (Debian: apt-get install python3-{needed})")
        sys.exit(77)

script = os.path.abspath(sys.argv[1])
sys.argv = [script]
sys.path.insert(0, os.path.dirname(script))
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        os.chdir("/")
