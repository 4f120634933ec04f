#!/usr/bin/env python3
"""scripts/stale.py: which binaries a test uses, and which of them make would build again, in a tree with files of known times."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import stale  # noqa: E402

MAKEFILE = """
build/bin/tipoff: csrc/main.c
build/small2/model.so build/odd3/model.so: rtl/core.sv
build/tests/unit/base/test_a: csrc/a.c
build/tests/unit/rtl/rob$(UNIT_SUFFIX)/run: rtl/$(or $(UNIT_CONFIG),core).sv
ifdef SAN
build/bin/tipoff-san: csrc/main.c
else
build/bin/tipoff-san: csrc/nobody-has-this.c
endif
build/%:
\tfalse
"""
OLD, BUILT, NEW = 1000000000, 1000000100, 1000000200  # times of files, in seconds
BINARIES = [
    "build/bin/tipoff",
    "build/bin/tipoff-san",
    "build/small2/model.so",
    "build/odd3/model.so",
    "build/tests/unit/base/test_a",
    "build/tests/unit/rtl/rob/run",
    "build/tests/unit/rtl/rob.odd3/run",
]
SOURCES = ["csrc/main.c", "csrc/a.c", "rtl/core.sv", "rtl/odd3.sv"]


class Stale(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tree = pathlib.Path(self.folder.name)
        for name, when in (
            [(name, BUILT) for name in BINARIES]
            + [(name, OLD) for name in SOURCES]
            + [(f"tables/config/{name}.toml", OLD) for name in ("small2", "odd3", "wide8")]
        ):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / name).write_text("")
            os.utime(self.tree / name, (when, when))
        (self.tree / "Makefile").write_text(MAKEFILE)

    def tearDown(self):
        self.folder.cleanup()

    def changed(self, *names):
        for name in names:
            os.utime(self.tree / name, (NEW, NEW))

    def test_used(self):
        """What is named, the command, the models of named configurations; small2 where a script of tests/ names none; only what exists."""
        for command, used in (
            ("build/tests/unit/base/test_a", ["build/tests/unit/base/test_a"]),
            ("build/tests/unit/rtl/rob.odd3/run", ["build/tests/unit/rtl/rob.odd3/run"]),
            ("build/bin/tipoff run --config odd3 --quiet x.elf", ["build/bin/tipoff", "build/odd3/model.so"]),
            ("tests/fuzz/run_seeds.py small2 1 2", ["build/bin/tipoff", "build/small2/model.so"]),
            ("tests/workers/test_faults.py", ["build/bin/tipoff", "build/small2/model.so"]),
            ("build/bin/tipoff run --config wide8 x.elf", ["build/bin/tipoff"]),
            ("build/bin/tipoff iss --quiet x.elf", ["build/bin/tipoff"]),
            ("python3 tests/unit/gen/test_gen.py small2; scripts/layout.py --check", []),
            ("TIPOFF=tipoff-san tests/cli/test_cli.py && build/bin/tipoff-san report x", ["build/bin/tipoff", "build/bin/tipoff-san", "build/small2/model.so"]),
        ):
            self.assertEqual(stale.used_by([command], self.tree), used, command)
        self.assertEqual(stale.used_by([], self.tree), [])

    def test_stale(self):
        self.assertEqual(stale.stale(BINARIES, self.tree), [])
        self.changed("rtl/odd3.sv")
        self.assertEqual(stale.stale(BINARIES, self.tree), ["build/tests/unit/rtl/rob.odd3/run"])
        self.changed("rtl/core.sv")
        self.assertEqual(
            stale.stale(BINARIES, self.tree),
            ["build/odd3/model.so", "build/small2/model.so", "build/tests/unit/rtl/rob.odd3/run", "build/tests/unit/rtl/rob/run"],
        )
        self.changed("build/odd3/model.so")
        self.assertNotIn("build/odd3/model.so", stale.stale(BINARIES, self.tree))

    def test_under_make(self):
        """The flags of a make that runs the suite are not those of the question: `make -B test` has built all again."""
        self.changed("csrc/a.c")
        before = dict(os.environ)
        os.environ.update(MAKEFLAGS="B", MAKELEVEL="1")
        try:
            self.assertEqual(stale.stale(["build/tests/unit/base/test_a", "build/bin/tipoff"], self.tree), ["build/tests/unit/base/test_a"])
        finally:
            os.environ.clear()
            os.environ.update(before)

    def test_suite(self):
        """A line for each, with what to type, before the tests and after them; the status is the tests' own."""
        (self.tree / "scripts").mkdir()
        for name in ("run_tests.py", "junit_xml.py", "stale.py"):
            shutil.copy(ROOT / "scripts" / name, self.tree / "scripts")
        shutil.copytree(ROOT / "scripts/suite", self.tree / "scripts/suite")
        (self.tree / "tests/suite.toml").parent.mkdir(exist_ok=True)
        (self.tree / "tests/suite.toml").write_text('[[group]]\nname = "one"\ncommand = "true tests/cli/x.py odd3; true build/bin/tipoff-san"\n')

        def run():
            done = subprocess.run([sys.executable, self.tree / "scripts/run_tests.py"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout.splitlines()

        self.assertEqual(run()[1:], ["1 passed, 0 failed"])
        self.changed("csrc/main.c", "rtl/core.sv")
        lines = [
            f"stale: {path} is older than what it is built from: make {typed}"
            for path, typed in (
                ("build/bin/tipoff", "build/bin/tipoff"),
                ("build/bin/tipoff-san", "SAN=1 build/bin/tipoff-san"),
                ("build/odd3/model.so", "build/odd3/model.so"),
            )
        ]
        out = run()
        self.assertEqual(out[:3], lines)
        self.assertEqual(out[4:], [*lines, "1 passed, 0 failed"])


if __name__ == "__main__":
    unittest.main()
