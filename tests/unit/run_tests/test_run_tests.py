#!/usr/bin/env python3
"""scripts/run_tests.py: what fails when nothing is found, what a test that hangs leaves behind, and its listing in a pipe."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
RUNNER = ROOT / "scripts/run_tests.py"
TIMES = ROOT / "build/tests/times.json"


class RunTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.suite = pathlib.Path(self.folder.name) / "suite.toml"
        self.times = TIMES.read_bytes() if TIMES.exists() else None

    def tearDown(self):
        if self.times is not None:
            TIMES.write_bytes(self.times)
        self.folder.cleanup()

    def run_suite(self, text, *arguments):
        self.suite.write_text(text)
        return subprocess.run([sys.executable, RUNNER, "--suite", self.suite, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def test_pass_and_fail(self):
        done = self.run_suite('[[group]]\nname = "self/good"\ncommand = "true"\n[[group]]\nname = "self/bad"\ncommand = "echo what; exit 3"\n')
        self.assertEqual(done.returncode, 1)
        self.assertIn("PASS  self/good", done.stdout)
        self.assertIn("what\n  status 3; rerun: echo what; exit 3", done.stdout)
        self.assertIn("1 passed, 1 failed\n  failed: self/bad", done.stdout)
        self.assertIn("self/good", json.loads(TIMES.read_text()))
        self.assertEqual(self.run_suite('[[group]]\nname = "self/good"\ncommand = "true"\n').returncode, 0)

    def test_empty_group(self):
        """No test, or none of that name: never a success; with the command that builds it where the group could have it."""
        suite = '[[group]]\nname = "self/{test}"\nglob = "build/nosuch/*/run"\ncommand = "{path}"\n[[group]]\nname = "other"\ncommand = "true"\n'
        done = self.run_suite(suite)
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAIL  self/{test} (empty)", done.stdout)
        done = self.run_suite(suite, "--only", "self/this")
        self.assertEqual(done.returncode, 1)
        self.assertIn("make test ONLY=self/this", done.stdout)
        self.assertNotIn("other", done.stdout)
        done = self.run_suite(suite, "--only", "nothing-like-it")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("make test ONLY=nothing-like-it", done.stderr)

    def test_optional_group(self):
        """Where it is not built it is left out, and that is said; built, it fails as any other; alone it is no success."""
        suite = '[[group]]\nname = "self/other"\ncommand = "true"\n[[group]]\nname = "self/opt"\nglob = "GLOB"\noptional = "make it"\ncommand = "false {path}"\n'
        done = self.run_suite(suite.replace("GLOB", "build/nosuch/*/run"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("left out, not built: self/opt (make it)\n1 passed, 0 failed", done.stdout)
        done = self.run_suite(suite.replace("GLOB", "scripts/gen.py"))
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("left out", done.stdout)
        self.assertIn("1 passed, 1 failed\n  failed: self/opt", done.stdout)
        self.assertEqual(self.run_suite(suite.replace("GLOB", "build/nosuch/*/run"), "--only", "self/opt").returncode, 2)

    def test_incomplete_group(self):
        suite = '[[group]]\nname = "self/{stem}"\nglob = "scripts/gen.py"\nsources = "scripts/*.py"\ncommand = "true"\n'
        done = self.run_suite(suite)
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAIL  self/{stem} (incomplete)", done.stdout)
        self.assertEqual(self.run_suite(suite, "--only", "self/gen").returncode, 0)

    def test_hang(self):
        """A test that hangs is ended with all that it has started."""
        left = pathlib.Path(self.folder.name) / "left"
        begun = time.monotonic()
        done = self.run_suite(f'[[group]]\nname = "self/hang"\ntimeout = 1\ncommand = "(sleep 4; touch {left}) & sleep 60; true"\n')
        self.assertEqual(done.returncode, 1)
        self.assertIn("killed after 1 s", done.stdout)
        self.assertLess(time.monotonic() - begun, 4)
        time.sleep(4.5)
        self.assertFalse(left.exists(), "a child of the test has lived on")

    def test_list_in_a_pipe(self):
        self.suite.write_text("".join(f'[[group]]\nname = "self/{n}"\ncommand = "true # {n * 100}"\n' for n in range(5000)))
        process = subprocess.Popen([sys.executable, RUNNER, "--suite", self.suite, "--list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"self/0\ttrue # 0\n")
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(), 0)


if __name__ == "__main__":
    os.makedirs(TIMES.parent, exist_ok=True)
    unittest.main()
