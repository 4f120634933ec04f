#!/usr/bin/env python3
"""scripts/evidence: what is claimed of verdicts, the order and the end of a fault's tests, hangs, what is on record and read back, the second tree."""
import collections
import contextlib
import fnmatch
import io
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts/evidence")]
import c_room  # noqa: E402
import evidence  # noqa: E402
import score  # noqa: E402
import second_tree  # noqa: E402
import trials  # noqa: E402
from findings import Book, Verdict, rows  # noqa: E402
from c_mutate import Mutant  # noqa: E402
from fault import Fault, half  # noqa: E402

REST = {"slow/one", "slow/two"}


def fault(number, fault_id="0123456789", room="report", path="csrc/report/csv.c"):
    return Fault(number, fault_id, room, path, "write", "no statement", "puts(x)", "c0de")


def verdict(reached, *ran):
    made = Verdict("c0de")
    made.reached = reached
    for name, found in ran:
        made.add(name, found, 1.0)
    return made


class Score(unittest.TestCase):
    def test_wilson_is_the_published_interval(self):
        """Newcombe 1998, table I: 81 of 263 and 15 of 148, method 3."""
        for hits, of, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)):
            for got, expected in zip(score.wilson(hits, of), (low, high)):
                self.assertAlmostEqual(got, expected, places=4)
        self.assertIsNone(score.wilson(0, 0))

    def test_claim_counts_each_kind(self):
        verdicts = {
            "short": verdict(3, ("quick", 1)),
            "escaped": verdict(2, ("quick", 0), ("slow/one", 1)),
            "unfinished": verdict(3, ("quick", 0), ("slow/one", 1)),
            "survives": verdict(2, ("quick", 0), ("slow/one", 0)),
            "unreached": verdict(0),
        }
        claim = score.claim([*verdicts, "not begun"], verdicts, REST)
        self.assertEqual((claim.drawn, claim.reached, claim.found, claim.short), (6, 4, 3, 1))
        self.assertEqual((claim.open, claim.escaped), (["unfinished", "not begun"], ["escaped"]))

    def test_first_and_only_finders(self):
        first, alone = score.firsts([verdict(2, ("a", 0), ("b", 1)), verdict(3, ("b", 1), ("c", 1), ("a", 0)), verdict(4, ("c", 1))])
        self.assertEqual(first, collections.Counter(b=2, c=1))
        self.assertEqual(alone, collections.Counter(b=1))  # of c's fault not all tests have run

    def test_unit_tests_are_told_apart_by_library(self):
        tests = [trials.Test("unit/iss/test_fp", "", False, "unit/{test}/{stem}"), trials.Test("isa/add", "", False, "isa/{stem}")]
        self.assertEqual([score.group_of(test) for test in tests], ["unit/iss", "isa/{stem}"])

    def test_tests_of_the_sanitizers_count_without_them(self):
        self.assertEqual(trials.plain("build/tests/unit-san/iss/test_fp"), "build/tests/unit/iss/test_fp")
        self.assertEqual(trials.plain("TIPOFF=tipoff-san tests/cli/test_cli.py"), "TIPOFF=tipoff tests/cli/test_cli.py")
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "build/tests/unit/iss").mkdir(parents=True)
            (tree / "build/tests/unit/iss/test_fp").touch()
            for name in ("iss/test_fp.c", "iss/test_mmu.c"):
                (tree / "tests/unit" / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / "tests/unit" / name).touch()
            found = trials.listed(tree, frozenset({"csrc/iss/fp_arith.c"}))
        units = [(name, test.rest) for name, test in found.items() if name.startswith(("unit/", "unit-"))]
        self.assertEqual(units, [("unit-san/iss/test_fp", False)])  # the plain one is make test-all's alone; test_mmu is not built
        self.assertFalse([name for name in found if fnmatch.fnmatch(name, "rtl/*") or name == "layout"])

    def test_halves_are_halves(self):
        ids = [c_room.c_mutate.hashlib.sha256(str(n).encode()).hexdigest()[:10] for n in range(2000)]
        self.assertAlmostEqual(sum(half(i) == "state" for i in ids), 1000, delta=100)


class Made:
    """A tree of one's own: tests are commands."""

    TITLE = "made up"

    def __init__(self, folder):
        self.folder = folder

    def notes(self, path):
        return {"NOTES": str(path)}, lambda: [1, 2]


class Runs(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.TemporaryDirectory(prefix="tipoff-evidence-")
        self.addCleanup(self.room.cleanup)
        self.tree = pathlib.Path(self.room.name)
        (self.tree / "build").mkdir()
        self.ground = evidence.Ground.__new__(evidence.Ground)
        self.ground.name, self.ground.module, self.ground.tree, self.ground.last = "made", Made(self.tree), self.tree, {}
        self.ground.faults = [fault(1, "0000000001"), fault(2, "0000000002"), fault(3, "0000000003", path="csrc/report/json.c")]
        self.ground.baseline = trials.Baseline(self.tree / "baseline.jsonl", "now")
        self.ground.book = Book(self.tree / "made.jsonl", self.tree / "record", self.ground.faults)
        self.ground.tests = {}

    def add(self, name, command, seconds, reached, rest=False):
        self.ground.tests[name] = trials.Test(name, command, rest)
        self.ground.baseline.seen[name] = trials.Seen(0, seconds, 0.1, frozenset(reached))

    def judge(self, number, everything=False, budget=100):
        ran, _ = self.ground.judge(self.ground.faults[number - 1], everything, budget)
        return [(name, found) for name, found, _ in ran]

    def test_cheapest_first_until_one_finds_it(self):
        self.add("dear", "exit 1", 3, [1])
        self.add("cheap", "exit 0", 1, [1])
        self.add("middle", '[ "$MUTANT" != 1 ]', 2, [1])
        self.add("elsewhere", "exit 1", 0.1, [2])
        self.assertEqual(self.judge(1), [("cheap", 0), ("middle", 1)])
        self.assertEqual(self.judge(1), [])  # it is known
        self.assertEqual(self.judge(1, everything=True), [("dear", 1)])

    def test_what_test_all_alone_finds_goes_on_to_the_tests_of_make_test(self):
        self.add("slow/one", "exit 1", 1, [1], rest=True)
        self.add("quick", "exit 0", 2, [1])
        self.assertEqual(self.judge(1), [("slow/one", 1), ("quick", 0)])

    def test_the_last_finder_is_first(self):
        self.add("cheap", "exit 0", 1, [1, 2])
        self.add("dear", "exit 1", 3, [1, 2])
        self.assertEqual(self.judge(1), [("cheap", 0), ("dear", 1)])
        self.assertEqual(self.judge(2), [("dear", 1)])

    def test_beyond_the_budget_it_stays_open_and_goes_on(self):
        self.add("a", "sleep 0.2", 1, [1])
        self.add("b", "sleep 0.2", 2, [1])
        self.assertEqual(self.judge(1, budget=0.1), [("a", 0)])
        self.assertFalse(self.ground.book.of(self.ground.faults[0]).whole())
        self.ground.book = Book(self.tree / "made.jsonl", self.tree / "record", self.ground.faults)  # as another start reads it
        self.assertEqual(self.judge(1, budget=0.1), [("b", 0)])
        self.assertTrue(self.ground.book.of(self.ground.faults[0]).whole())

    def test_a_test_that_fails_without_a_fault_finds_none(self):
        self.ground.tests["broken"] = trials.Test("broken", "exit 1", False)
        with contextlib.redirect_stdout(io.StringIO()):
            self.ground.measure(["*"], time.monotonic() + 60)
        self.assertEqual(self.ground.known(), {})
        self.assertEqual(self.judge(1), [])
        self.assertEqual(trials.Baseline(self.tree / "baseline.jsonl", "now").seen, {})  # and runs again

    def test_the_baseline_holds_for_its_draw_alone(self):
        self.ground.tests["fine"] = trials.Test("fine", "true", False)
        with contextlib.redirect_stdout(io.StringIO()):
            self.ground.measure(["*"], time.monotonic() + 60)
        self.assertEqual(trials.Baseline(self.tree / "baseline.jsonl", "now").seen["fine"].reached, {1, 2})
        self.assertEqual(trials.Baseline(self.tree / "baseline.jsonl", "another").seen, {})

    def test_what_hangs_has_failed(self):
        started = time.monotonic()
        self.assertNotEqual(trials.run(self.tree, "while :; do :; done", {}, processor=1, idle=60)[0], 0)
        self.assertNotEqual(trials.run(self.tree, "sleep 50 & wait", {}, processor=5, idle=2)[0], 0)
        self.assertLess(time.monotonic() - started, 40)

    def test_what_works_on_a_busy_machine_has_not_hung(self):
        self.assertEqual(trials.run(self.tree, "for i in 1 2 3 4 5 6; do sleep 0.5; true; done", {}, processor=5, idle=2.5)[0], 0)


class Record(unittest.TestCase):
    def test_a_row_a_fault_in_the_order_of_ids_and_read_back(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            faults = [fault(1, "00000000bb"), fault(2, "00000000aa"), fault(3, "00000000cc", room="iss")]
            book = Book(folder / "x.jsonl", folder / "record", faults)
            book.say(faults[0], 4, [("a", 0, 1.5), ("b", 1, 2.0)])
            book.say(faults[1], 1, [("a", 0, 1.0)])
            book.say(faults[2], 2, [("c", 1, 1.0), ("d", 1, 1.0)])
            book.record()
            found = rows(folder / "record/report.tsv")
            self.assertEqual([row["id"] for row in found], ["00000000aa", "00000000bb"])
            self.assertEqual([found[1][key] for key in ("first", "seconds", "finders", "ran", "reached")], ["b", "3.5", "b", "2", "4"])
            (folder / "x.jsonl").unlink()
            again = Book(folder / "x.jsonl", folder / "record", faults)
            self.assertEqual(again.of(faults[2]).finders, ["c", "d"])
            self.assertEqual(again.of(faults[0]).counts(), (2, 4))
            before = (folder / "record/report.tsv").read_text()
            again.record()
            self.assertEqual((folder / "record/report.tsv").read_text(), before)
            fewer = Book(folder / "x.jsonl", folder / "record", faults, {"a", "b", "d"})  # the test c has gone, and what it found
            self.assertEqual((fewer.of(faults[2]).finders, fewer.of(faults[0]).finders), ([], ["b"]))
            edited = [one._replace(code="0ther") for one in faults]
            self.assertEqual(Book(folder / "x.jsonl", folder / "record", edited).verdicts, {})


class SecondTree(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory(prefix="tipoff-evidence-")
        self.addCleanup(room.cleanup)
        self.root, self.tree = pathlib.Path(room.name) / "root", pathlib.Path(room.name) / "tree"
        for name in ("csrc/iss/a.c", "csrc/iss/b.c", "tests/x.py", "build/small2/model.so", "build/small2/gen/config.json", "build/tests/isa/add.elf"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(name)
        for name in ("build/tests/isa/qemu_compare", "build/tests/unit/iss/test_a", "build/evidence/c.jsonl"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(name)
        (self.root / ".gitignore").write_text("build/\n")
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        self.tree.mkdir()
        patched = mock.patch.object(second_tree, "ROOT", self.root)
        patched.start()
        self.addCleanup(patched.stop)

    def test_files_are_copies_but_for_those_that_have_faults(self):
        second_tree.copy_files(self.tree, {"csrc/iss/a.c": b"faulty", "csrc/base/more.c": b"more"})
        self.assertEqual((self.tree / "csrc/iss/a.c").read_text(), "faulty")
        self.assertEqual((self.tree / "csrc/base/more.c").read_text(), "more")
        self.assertEqual((self.tree / "csrc/iss/b.c").read_text(), "csrc/iss/b.c")
        self.assertEqual((self.tree / "csrc/iss/b.c").stat().st_mtime_ns, (self.root / "csrc/iss/b.c").stat().st_mtime_ns)
        self.assertFalse((self.tree / "tests/x.py").is_symlink())  # a test looks for the tree from its own place
        before = (self.tree / "csrc/iss/a.c").stat().st_mtime_ns
        (self.root / "csrc/iss/b.c").unlink()
        second_tree.copy_files(self.tree, {}, keep={"csrc/iss/a.c", "csrc/base/more.c"})
        self.assertEqual((self.tree / "csrc/iss/a.c").read_text(), "faulty")
        self.assertEqual((self.tree / "csrc/iss/a.c").stat().st_mtime_ns, before)
        self.assertFalse((self.tree / "csrc/iss/b.c").exists())

    def test_what_is_built_is_linked_but_for_what_the_faults_are_in(self):
        second_tree.link_build(self.tree, own=("small2",))
        second_tree.link(self.tree / "build/small2/model.so", self.root / "build/tests/isa/add.elf")  # another model
        self.assertEqual((self.tree / "build/small2/model.so").read_text(), "build/tests/isa/add.elf")
        self.assertEqual((self.root / "build/small2/model.so").read_text(), "build/small2/model.so")
        self.assertEqual((self.tree / "build/small2/gen/config.json").read_text(), "build/small2/gen/config.json")
        self.assertTrue((self.tree / "build/tests/isa/add.elf").is_symlink())
        (self.tree / "build/tests/written").write_text("by a test")
        self.assertFalse((self.root / "build/tests/written").exists())
        for name in ("isa/qemu_compare", "unit/iss/test_a"):
            self.assertFalse((self.tree / "build/tests" / name).exists(), name)
        self.assertFalse((self.tree / "build/evidence").exists())


class Draw(unittest.TestCase):
    def test_a_mutant_on_a_line_that_the_compiler_refuses_is_refused(self):
        mutants = []
        for number, (line, original) in enumerate(((3, "x"), (5, "f(a,\n b)"), (9, "y"))):
            mutant = Mutant(("csrc/iss/trap.c", 0, 1), "", "no statement")
            mutant.path, mutant.line, mutant.original, mutant.id = "csrc/iss/trap.c", line, original, str(number)
            mutants.append(mutant)
        output = "csrc/iss/trap.c:6:4: error: void\ncsrc/iss/csr.c:9:1: error: other\ncsrc/iss/trap.c:3:1: note: here\n"
        self.assertEqual(c_room.refused_by(output, mutants), {"1"})

    def test_no_draw_depends_on_what_else_there_is(self):
        orders = sorted(("a1", "b2", "c3", "d4"), key=lambda name: c_room.random.Random(name).random())
        fewer = sorted(("a1", "c3", "d4"), key=lambda name: c_room.random.Random(name).random())
        self.assertEqual([name for name in orders if name != "b2"], fewer)


if __name__ == "__main__":
    unittest.main()
