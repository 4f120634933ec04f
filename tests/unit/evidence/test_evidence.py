#!/usr/bin/env python3
"""scripts/evidence: what is claimed of verdicts, how the faults that a test finds are found among many, hangs, what is on record and read back, the
second tree."""
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
import rtl_room  # noqa: E402
import score  # noqa: E402
import second_tree  # noqa: E402
import trials  # noqa: E402
from findings import Book, Verdict, rows  # noqa: E402
from c_mutate import Mutant  # noqa: E402
from fault import Fault, half, layers  # noqa: E402

REST = {"slow/one", "slow/two"}


def fault(number, fault_id="0123456789", room="report", path="csrc/report/csv.c", place=None):
    start, end = place or (10 * number, 10 * number + 5)
    return Fault(number, fault_id, room, path, "write", "no statement", "puts(x)", "c0de", start, end)


def verdict(of, *ran):
    made = Verdict("c0de")
    made.of, made.ran = of, dict(ran)
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
            "no test": verdict(0),
        }
        claim = score.claim([*verdicts, "not begun"], verdicts, REST)
        self.assertEqual((claim.drawn, claim.found, claim.short), (6, 3, 1))
        self.assertEqual((claim.open, claim.escaped), (["unfinished", "no test", "not begun"], ["escaped"]))

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
        self.assertFalse([name for name in found if fnmatch.fnmatch(name, "rtl/*") or name in ("layout", "kept-runs", "report/new-view")])

    def test_halves_are_halves(self):
        ids = [c_room.c_mutate.hashlib.sha256(str(n).encode()).hexdigest()[:10] for n in range(2000)]
        self.assertAlmostEqual(sum(half(i) == "state" for i in ids), 1000, delta=100)


class Layers(unittest.TestCase):
    def test_no_fault_is_inside_another_of_its_layer(self):
        places = {1: (0, 50), 2: (10, 20), 3: (10, 20), 4: (12, 15), 5: (20, 30), 6: (60, 70)}
        faults = [fault(number, place=place) for number, place in places.items()] + [fault(7, path="csrc/report/json.c", place=(12, 15))]
        made = layers(faults)
        self.assertEqual(sorted(one.number for layer in made for one in layer), [1, 2, 3, 4, 5, 6, 7])
        for layer in made:
            for a in layer:
                for b in layer:
                    self.assertTrue(a is b or a.path != b.path or a.end <= b.start or b.end <= a.start, (a, b))
        self.assertEqual(len(made), 4)  # 1, 2, 3 and 4 stand in one another


class Made:
    """A tree of one's own: tests are commands, which see the chosen faults as ,1,2,3, in $SET."""

    TITLE = "made up"


def finds(*numbers):
    """A test that notes each time it runs, and fails with one of these faults."""
    return 'SET=",$MUTANT,"; echo "$MUTANT" >> runs; ' + " ".join(f"[[ $SET != *,{number},* ]] &&" for number in numbers) + " true"


class Runs(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.TemporaryDirectory(prefix="tipoff-evidence-")
        self.addCleanup(self.room.cleanup)
        self.tree = pathlib.Path(self.room.name)
        (self.tree / "build").mkdir()
        patched = mock.patch.object(evidence, "ROOM", self.tree)
        patched.start()
        self.addCleanup(patched.stop)
        self.faults = [fault(number, f"{number:010}", path=f"csrc/report/{number % 2}.c") for number in range(1, 9)]
        self.start({})

    def start(self, tests):
        """As a start of the command: what is known is on disk alone."""
        self.ground = evidence.Ground.__new__(evidence.Ground)
        self.ground.name, self.ground.module, self.ground.tree = "made", Made, self.tree
        self.ground.failing, self.ground.joint, self.ground.until = [], 0, time.monotonic() + 60
        self.ground.faults = self.faults
        self.ground.tests = {name: trials.Test(name, command, name.startswith("slow/")) for name, command in tests.items()}
        self.ground.baseline = trials.Baseline(self.tree / "baseline.jsonl", "now")
        self.ground.book = Book(self.tree / "made.jsonl", self.tree / "record", self.faults, set(tests))

    def run_all(self, everything=0, alone=0):
        options = mock.Mock(tests=["*"], all=everything, alone=alone)
        with contextlib.redirect_stdout(io.StringIO()):
            return self.ground.run(options)

    def finders(self):
        return {one.number: self.ground.book.of(one).finders for one in self.faults}

    def runs(self):
        path = self.tree / "runs"
        return [line for line in path.read_text().splitlines() if line] if path.exists() else []

    def test_each_fault_is_found_by_the_test_that_finds_it_alone(self):
        self.start({"a": finds(2, 3, 7), "b": finds(3, 8), "slow/c": finds(1, 2)})
        self.assertTrue(self.run_all())
        found = self.finders()
        self.assertEqual({number for number, names in found.items() if names}, {1, 2, 3, 7, 8})
        self.assertEqual((found[1], found[2], found[8]), (["slow/c"], ["a"], ["b"]))  # 2 is found: the slow one is not asked
        self.assertEqual(self.ground.joint, 0)
        self.assertTrue(all(self.ground.book.of(one).whole() for one in self.faults if one.number in (4, 5, 6)))

    def test_a_test_that_passes_with_all_runs_once_with_them(self):
        self.start({"a": finds(), "slow/b": finds()})
        self.run_all()
        self.assertEqual([len(line.split(",")) for line in self.runs()], [8, 8])  # nor without a fault

    def test_what_has_run_is_not_run_again(self):
        tests = {"a": finds(2), "slow/b": finds(3)}
        self.start(tests)
        self.run_all()
        before = self.runs()
        self.start(tests)
        self.assertTrue(self.run_all())
        self.assertEqual(self.runs(), before)
        self.assertEqual((self.finders()[2], self.finders()[3]), (["a"], ["slow/b"]))

    def test_all_finders_of_the_first(self):
        self.start({"a": finds(1), "b": finds(1), "slow/c": finds(1)})
        self.run_all(everything=1)
        self.assertEqual(sorted(self.finders()[1]), ["a", "b", "slow/c"])

    def test_faults_that_fail_together_alone_are_found_by_none(self):
        self.start({"a": '[[ ",$MUTANT," != *,1,* || ",$MUTANT," != *,8,* ]]'})
        self.run_all()
        self.assertFalse(any(self.finders().values()))
        self.assertEqual(self.ground.joint, 1)

    def test_a_fault_that_another_hides_is_seen_when_it_runs_alone(self):
        self.start({"a": '[[ ",$MUTANT," != *,2,* || ",$MUTANT," == *,3,* ]]', "slow/b": finds(2)})
        self.run_all(alone=50)
        self.assertEqual(self.finders()[2], ["slow/b"])
        self.assertEqual(self.ground.alone(), (1, 1))

    def test_the_time_is_over(self):
        self.start({"a": finds(1)})
        self.ground.until = time.monotonic() - 1
        self.assertFalse(self.run_all())
        self.assertEqual(self.runs(), [])

    def test_a_test_that_fails_without_a_fault_finds_none(self):
        self.start({"broken": "false", "slow/broken": "false", "fine": finds(1)})
        self.run_all()
        self.assertEqual(sorted(self.ground.failing), ["broken", "slow/broken"])
        self.assertEqual({number for number, names in self.finders().items() if names}, {1})
        self.assertTrue(self.ground.book.of(self.faults[1]).whole())
        self.assertEqual(set(trials.Baseline(self.tree / "baseline.jsonl", "now").seen), {"fine"})  # and runs again

    def test_the_baseline_holds_for_its_draw_alone(self):
        self.start({"fine": finds(1)})
        self.run_all()
        self.assertEqual(set(trials.Baseline(self.tree / "baseline.jsonl", "now").seen), {"fine"})
        self.assertEqual(trials.Baseline(self.tree / "baseline.jsonl", "another").seen, {})

    def test_what_hangs_has_failed(self):
        started = time.monotonic()
        self.assertNotEqual(trials.run(self.tree, "while :; do :; done", {}, processor=1, idle=60)[0], 0)
        self.assertNotEqual(trials.run(self.tree, "sleep 50 & wait", {}, processor=5, idle=2)[0], 0)
        self.assertLess(time.monotonic() - started, 40)

    def test_memory_counts_where_it_is_used(self):
        (self.tree / "build").mkdir(exist_ok=True)
        reserve = "import mmap, time; held = mmap.mmap(-1, 1 << 35, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)"
        with mock.patch.object(trials, "MEMORY", 200 << 20):
            self.assertEqual(trials.run(self.tree, f"python3 -c '{reserve}; time.sleep(1)'", {}, processor=5)[0], 0)
            self.assertNotEqual(trials.run(self.tree, "python3 -c 'import time; held = b\"x\" * (300 << 20); time.sleep(20)'", {}, processor=5)[0], 0)

    def test_what_works_on_a_busy_machine_has_not_hung(self):
        self.assertEqual(trials.run(self.tree, "for i in 1 2 3 4 5 6; do sleep 0.5; true; done", {}, processor=5, idle=2.5)[0], 0)


class Record(unittest.TestCase):
    def test_a_row_a_fault_in_the_order_of_ids_and_read_back(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            faults = [fault(1, "00000000bb"), fault(2, "00000000aa"), fault(3, "00000000cc", room="iss")]
            book = Book(folder / "x.jsonl", folder / "record", faults, {"a", "b", "c", "d"})
            book.say("a", faults[:2], [])
            book.say("b", faults[:1], faults[:1])
            book.say("c", faults[2:], faults[2:])
            book.say("d", faults[2:], faults[2:])
            book.record()
            found = rows(folder / "record/report.tsv")
            self.assertEqual([row["id"] for row in found], ["00000000aa", "00000000bb"])
            self.assertEqual([found[1][key] for key in ("first", "finders", "ran", "of")], ["b", "b", "2", "4"])
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
    def test_a_fault_of_the_rtl_is_a_bit_of_its_modules_set(self):
        selector = rtl_room.SELECTOR
        text = rtl_room.chosen_by_set(selector + "((mutant_sel == 12) ? (a) : (b)) if (mutant_sel != 345) c; mutant_sel == 12")
        self.assertIn("((mutant_set[0]) ? (a) : (b)) if (!mutant_set[1]) c; mutant_set[0]", text)
        self.assertIn("bit [1:0] mutant_set;", text)
        self.assertEqual([text.count(f"mutant_set[{at}] = mutant({number}) != 0;") for at, number in ((0, 12), (1, 345))], [1, 1])

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
