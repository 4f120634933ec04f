#!/usr/bin/env python3
"""scripts/synth/install.sh: of several at once, one installs and the others wait until all is installed; what failed is not taken for installed."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCRIPT = "scripts/synth/install.sh"
NPM = """#!/bin/sh
echo "$@" >> ../calls
mkdir -p node_modules && printf 'half of ' > node_modules/program && sleep 0.5 && [ ! -e ../fail ] && echo all >> node_modules/program
"""


class Install(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("scripts/synth", "bin", "build"):
            (self.tree / name).mkdir(parents=True)
        shutil.copy(ROOT / SCRIPT, self.tree / SCRIPT)
        for name in ("package.json", "package-lock.json"):
            (self.tree / "scripts/synth" / name).write_text("{}", encoding="utf-8")
        npm = self.tree / "bin/npm"
        npm.write_text(NPM, encoding="utf-8")
        npm.chmod(0o755)

    def start(self, *options):
        return subprocess.Popen(
            [self.tree / SCRIPT, *options], env={**os.environ, "PATH": f"{self.tree / 'bin'}:{os.environ['PATH']}"}, stderr=subprocess.PIPE, text=True
        )

    def seen(self, *options):
        """(status, output, the program as it is then) of one run."""
        process = self.start(*options)
        said = process.communicate()[1]
        return process.returncode, said, (self.tree / "build/synth/node_modules/program").read_text(encoding="utf-8")

    def calls(self):
        return (self.tree / "build/calls").read_text(encoding="utf-8").splitlines()

    def test_several_at_once(self):
        for process in [self.start() for _ in range(4)]:
            self.assertEqual((process.communicate()[1], process.returncode), ("", 0))
            self.assertEqual((self.tree / "build/synth/node_modules/program").read_text(encoding="utf-8"), "half of all\n")
        self.assertEqual(len(self.calls()), 1)

    def test_failure(self):
        (self.tree / "build/fail").touch()
        status, said, program = self.seen()
        self.assertEqual((status, program), (1, "half of "))
        self.assertIn("npm could not install scripts/synth/package.json", said)
        (self.tree / "build/fail").unlink()
        self.assertEqual(self.seen(), (0, "", "half of all\n"))

    def test_new_lock(self):
        self.seen()
        (self.tree / "scripts/synth/package-lock.json").write_text('{"new": 1}', encoding="utf-8")
        self.seen()
        self.seen()
        self.assertEqual(len(self.calls()), 2)

    def test_all_is_more(self):
        every = ("scripts/synth", "build/synth")
        self.seen(*every, "--include=dev")
        self.seen(*every, "--omit=dev")
        self.assertEqual(len(self.calls()), 1)
        self.assertIn("--include=dev", self.calls()[0])
        self.assertIn("--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=2000", self.calls()[0])  # no minutes without a network


if __name__ == "__main__":
    unittest.main()
