#!/usr/bin/env python3
"""scripts/evidence: in which order tests run, which ones come to a model, and builds side by side."""
import contextlib
import io
import pathlib
import sys
import tempfile
import time
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts/evidence")]
import evidence  # noqa: E402
import trials  # noqa: E402
from fault import Fault  # noqa: E402
from findings import Book  # noqa: E402


class Order(unittest.TestCase):
    def test_cheap_ones_of_make_test_then_one_of_each_group(self):
        prices = {"quick/b": 1, "quick/a": 2, "x/1": 1, "x/2": 2, "x/3": 3, "y/1": 50, "y/2": 60}
        tests = [trials.Test(name, "", not name.startswith("quick/"), name.split("/")[0]) for name in reversed(prices)]
        order = [test.name for test in trials.in_order(tests, prices.get)]
        self.assertEqual(order, ["quick/b", "quick/a", "x/1", "y/1", "x/2", "y/2", "x/3"])

    def test_times_of_make_test_are_read_where_there_are_some(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            self.assertEqual(trials.times(tree), {})
            (tree / "build/tests").mkdir(parents=True)
            (tree / "build/tests/times.json").write_text('{"a": 1.5}')
            self.assertEqual(trials.times(tree), {"a": 1.5})


class Comes(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.root = pathlib.Path(room.name)
        for name, text in (("tables/config/small2.toml", ""), ("tables/config/tea4.toml", ""), ("tests/a/one.py", ""), ("tests/a/two.py", 'RUN = ["small2"]')):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)

    def comes(self, command):
        return trials.comes_to(command, "small2", self.root)

    def test_what_names_another_configuration_alone_does_not_come(self):
        self.assertFalse(self.comes("build/bin/tipoff run --config tea4 add.elf"))
        self.assertFalse(self.comes("tests/a/one.py tea4 add"))

    def test_what_may_run_it_comes(self):
        self.assertTrue(self.comes("build/bin/tipoff run --config small2 add.elf"))
        self.assertTrue(self.comes("tests/a/one.py tea4 small2"))
        self.assertTrue(self.comes("tests/a/one.py"))  # runs small2 where the command names none
        self.assertTrue(self.comes("tests/a/two.py tea4"))  # says itself that it runs it
        self.assertTrue(self.comes("build/tests/unit/iss/test_fp"))


class SideBySide(unittest.TestCase):
    """Builds are made up: their tests are commands that see the chosen fault in $MUTANT."""

    def ground(self, name, tests):
        tree = self.room / name
        (tree / "build").mkdir(parents=True)
        ground = evidence.Ground.__new__(evidence.Ground)
        ground.name, ground.tree, ground.failing, ground.joint, ground.until = name, tree, [], 0, time.monotonic() + 120
        ground.faults = [Fault(1, f"{name}00000001", name, f"csrc/{name}/a.c", "write", "no statement", "puts(x)", "c0de", 10, 15)]
        ground.tests = {test: trials.Test(test, command, test.startswith("slow/"), test) for test, command in tests.items()}
        ground.baseline = trials.Baseline(self.room / f"{name}.baseline", "now")
        ground.book = Book(self.room / f"{name}.jsonl", self.room / "record", ground.faults, set(tests))
        return ground

    def run_all(self, jobs):
        """Tests that wait for each other: they pass where both builds run."""
        meet = "touch ../{0}.here; for i in $(seq {2}); do [ -e ../{1}.here ] && exit 0; sleep 0.1; done; false"
        wait = 600 if jobs > 1 else 1
        with tempfile.TemporaryDirectory(prefix="tipoff-evidence-") as room:
            self.room = pathlib.Path(room)
            with mock.patch.object(evidence, "ROOM", self.room), mock.patch.object(evidence, "RECORD", self.room / "record"):
                grounds = [
                    self.ground("p", {"meets": meet.format("p", "q", wait), "broken": "false", "finds": '[ -z "$MUTANT" ]'}),
                    self.ground("q", {"meets": meet.format("q", "p", wait)}),
                ]
                with contextlib.redirect_stdout(io.StringIO()):
                    evidence.run_all(grounds, mock.Mock(tests=["*"], all=0, alone=0, jobs=jobs))
            return grounds

    def test_both_run_at_a_time_and_what_they_say_is_known(self):
        p, q = self.run_all(jobs=2)
        self.assertEqual((p.failing, q.failing), (["broken"], []))  # had they not met, "meets" would be here
        self.assertEqual((p.book.of(p.faults[0]).finders, q.book.of(q.faults[0]).finders), (["finds"], []))
        self.assertTrue(q.book.of(q.faults[0]).whole())
        self.assertNotIn("broken", p.tests)
        self.assertIn("finds", p.baseline.seen)

    def test_with_one_job_one_runs_after_the_other(self):
        p, _ = self.run_all(jobs=1)
        self.assertIn("meets", p.failing)


if __name__ == "__main__":
    unittest.main()
