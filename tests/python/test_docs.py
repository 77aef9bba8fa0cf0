"""The lines of the documents, pasted into a new interpreter, give the output that is printed there.
The interpreter runs in a folder with nothing but the scene of the README."""

import doctest
import os
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(os.environ["SLIPCONE_SOURCE"])


def blocks(path, language):
    text = (SOURCE / path).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.S | re.M)


def paste(lines):
    """What a new interpreter prints, errors after what came before them."""
    no_prompt = "import sys; sys.ps1 = sys.ps2 = ''"
    done = subprocess.run([sys.executable, "-q", "-i", "-u", "-c", no_prompt], input=lines,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, timeout=200)
    return done.stdout


def without_frames(text):
    """Tracebacks without their frames, as documents show them."""
    return re.sub(r"(Traceback \(most recent call last\):\n)(?:[ ]+.*\n)+", r"\1  ...\n", text)


class Documents(unittest.TestCase):
    def setUp(self):
        pathlib.Path("arch.yaml").write_text(blocks("README.md", "yaml")[0], encoding="utf-8")

    def check(self, path, least):
        examples = doctest.DocTestParser().get_examples("".join(blocks(path, "python")))
        self.assertGreaterEqual(len(examples), least)
        lines = "".join(one.source + "\n" * (one.source.count("\n") > 1) for one in examples)
        expected = "".join(one.want for one in examples)
        self.assertEqual(without_frames(paste(lines)).strip(), expected.strip())

    def test_readme(self):
        self.check("README.md", 6)

    def test_readme_of_the_package(self):
        self.check("bindings/python/README.md", 2)

    def test_python_page(self):
        self.check("docs/python.md", 40)

    def test_documentation_of_the_package(self):
        import slipcone

        failed, count = doctest.testmod(slipcone)
        self.assertEqual(failed, 0)
        self.assertGreaterEqual(count, 3)


if __name__ == "__main__":
    unittest.main()
