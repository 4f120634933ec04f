#!/usr/bin/env python3
"""FILE=: the tests that are nearest to a file (scripts/suite/nearest.py), by a small tree, and by example of this one."""
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(ROOT / "tests/unit/run_tests"))
import stale  # noqa: E402
import test_inputs  # noqa: E402
from suite import groups, inputs, nearest  # noqa: E402


class SmallTree(test_inputs.Tree):
    """A unit test runs as `true NAME` there, so that only what scripts and names say can be near."""

    def chosen(self, files):
        done = self.run_tests("--file", files, "--list").stdout
        return sorted(line.split("\t")[0] for line in done.splitlines())

    def test_a_script_and_what_it_imports(self):
        self.assertEqual(self.chosen("tests/x/test_x.py"), ["script"])
        self.assertEqual(self.chosen("tests/x/helper.py"), ["script"])

    def test_what_no_test_is_near_to(self):
        """All of make test that read it; of what make test leaves out only where it reads nothing of it; those that always run where nobody names it."""
        self.assertEqual(self.chosen("rtl/core.sv"), ["core/small2", "core/tea4"])
        self.assertEqual(self.chosen("html/page.ts"), ["page"])
        self.assertEqual(self.chosen("csrc/cli/other.c"), ["always"])

    def test_several(self):
        self.assertEqual(self.chosen("rtl/rivals/r.sv,tests/x/a.txt html/page.ts"), ["page", "rivals", "script"])

    def test_unknown(self):
        for text, said in (
            ("rtl/coer.sv", "FILE=rtl/coer.sv: there is no such file in the tree: did you mean rtl/core.sv"),
            ("elsewhere/core.sv", "did you mean rtl/core.sv"),
            ("html/page.ts,rtl", "FILE=rtl: is a folder: name files of it"),
            (",", "name files of the tree"),
            ("/etc/passwd", "FILE=/etc/passwd: there is no such file in the tree"),
        ):
            self.assertIn(said, self.run_tests("--file", text, "--needs", status=2).stderr)

    def test_what_is_left_out(self):
        done = self.run_tests("--file", "tests/x/test_x.py").stdout.splitlines()
        self.assertEqual(done[0], "tests/x/test_x.py: 1 test of 1 group: it is named after it")
        self.assertEqual(done[-2:], ["1 passed, 0 failed", "left out: lint; no other test reads it"])
        done = self.run_tests("--file", "csrc/base/a.h").stdout.splitlines()
        self.assertEqual(done[-1], "left out: lint; no other test reads it")  # none is near: all run


class ThisTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        suite = groups.load(ROOT / "tests/suite.toml")
        cls.short = {test.name for test in groups.wanted(suite["group"])}
        cls.tests = groups.wanted(suite["group"], part=groups.ALL)
        cls.near = nearest.Nearest(cls.tests, cls.short, inputs.Inputs(suite, inputs.tree()), stale.known())

    def names(self, path):
        return [test.name for test in self.near.of(path)[0]]

    def test_the_bench_the_unit_test_and_the_proofs(self):
        self.assertEqual(self.names("rtl/profile/sample_select.sv"), ["rtl/sample_select", "proofs of the file/sample_select"])
        self.assertEqual(self.near.of("rtl/profile/sample_select.sv")[0][1].command, "scripts/formal/prove.py --recorded 2")
        self.assertEqual(self.names("rtl/commit/rob.sv"), ["rtl/rob", "rtl/rob_tea4", "proofs of the file/rob"])
        self.assertIn("prove_psv.py --recorded rob1 rob2 gate1", self.near.of("rtl/commit/rob.sv")[0][2].command)
        self.assertEqual(self.names("tests/unit/rtl/sample_select/sources.f"), ["rtl/sample_select"])
        self.assertEqual(self.names("csrc/base/error.h"), ["unit/base/test_error"])
        self.assertEqual(self.names("tests/unit/base/test_crc32c.c"), ["unit/base/test_crc32c"])
        self.assertEqual(self.names("csrc/cli/cmd_gus.c"), ["cli/test_gus"])
        self.assertEqual(self.names("scripts/stale.py"), ["run-tests"])

    def test_what_it_leaves_reads_it(self):
        chosen, left, _ = self.near.of("rtl/profile/sample_select.sv")
        self.assertGreater(len(left), 100)
        self.assertTrue({test.name for test in chosen}.isdisjoint(test.name for test in left))
        self.assertIn("rtl/profile_top", {test.name for test in left})

    def test_each_module_with_a_bench(self):
        """A bench in the folder of a module's name is what FILE= of the module runs."""
        modules = {path.stem: str(path.relative_to(ROOT)) for path in (ROOT / "rtl").rglob("*.sv")}
        benches = [path.parent.name for path in (ROOT / "tests/unit/rtl").glob("*/sources.f") if path.parent.name in modules]
        self.assertGreater(len(benches), 60)
        for bench in benches:
            names = self.names(modules[bench])
            self.assertTrue([name for name in names if name.split(".")[0] == f"rtl/{bench}"], f"{bench}: {names}")

    def test_make(self):
        done = subprocess.run(["make", "-n", "test", "FILE=a", "CHANGED=HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("choose by name or by change or by file", done.stderr)


if __name__ == "__main__":
    unittest.main()
