#!/usr/bin/env python3
"""make STRICT=0: lint findings of a scratch edit are warnings, assertions stay, and the next make without it builds again."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BENCH = "build/tests/unit/rtl/lfsr/run"
EDIT = "\n  logic [3:0] scratch;\n  assign scratch = 5'd1;\nendmodule"  # WIDTHTRUNC, UNUSEDSIGNAL: benches leave the second out


class Strict(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tree = pathlib.Path(self.folder.name)
        for name in ("sim", "csrc", "harness", "html", "tests", "tables", "attach"):
            (self.tree / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "scripts", self.tree / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "rtl", self.tree / "rtl")
        shutil.copy(ROOT / "Makefile", self.tree)

    def tearDown(self):
        self.folder.cleanup()

    def make(self, *arguments):
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")}
        done = subprocess.run(
            ["make", *arguments],
            cwd=self.tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    def test_bench(self):
        module = self.tree / "rtl/prim/lfsr.sv"
        text = module.read_text()
        module.write_text(text.replace("\nendmodule", EDIT))
        status, out = self.make(BENCH)
        self.assertEqual(status, 2, out)
        self.assertIn("%Warning-WIDTH", out)
        self.assertFalse((self.tree / BENCH).exists())

        status, out = self.make("STRICT=0", BENCH)
        self.assertEqual(status, 0, out)
        self.assertIn("%Warning-WIDTH", out)
        self.assertTrue((self.tree / BENCH).exists())
        self.assertEqual(self.make("STRICT=0", "-q", BENCH)[0], 0, "it is current for another make like that")
        self.assertEqual(self.make("-q", BENCH)[0], 1, "it is not for a make without STRICT=0")
        for _ in range(2):
            status, out = self.make(BENCH)
            self.assertEqual(status, 2, f"nor after one that has failed: {out}")

        module.write_text(text)
        status, out = self.make(BENCH)
        self.assertEqual(status, 0, out)
        self.assertEqual(subprocess.run([self.tree / BENCH], cwd=self.tree, capture_output=True, check=False).returncode, 0)
        self.assertEqual(self.make("-q", BENCH)[0], 0)

    def test_what_is_no_value(self):
        status, out = self.make("STRICT=no", BENCH)
        self.assertEqual((status, len(out.splitlines())), (2, 1), out)
        self.assertIn("STRICT=no: write STRICT=0", out)

    def test_assertions_stay(self):
        """What Verilator is called with for a model: without STRICT=0, and one word more with it."""
        words = {}
        for given in ((), ("STRICT=0",)):
            status, out = self.make("-n", *given, "build/small2/model-check/Vsim_top.mk")
            self.assertEqual(status, 0, out)
            line = next(line for line in out.replace("\\\n", " ").splitlines() if line.startswith("verilator "))
            words[given] = line.split(" rtl/core.sv")[0].split()
        self.assertIn("--assert", words[()])
        self.assertNotIn("-Wno-fatal", words[()])
        self.assertEqual([word for word in words[("STRICT=0",)] if word != "-Wno-fatal"], words[()])
        self.assertIn("-Wno-fatal", words[("STRICT=0",)])


if __name__ == "__main__":
    unittest.main()
