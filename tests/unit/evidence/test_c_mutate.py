#!/usr/bin/env python3
"""scripts/evidence/c_mutate.py: which changes of C it makes and which it leaves alone, and that the copy with all of them is the original, and
each of them, when it is compiled and run."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts/evidence")]
import c_mutate  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FILES = ("made_up.c", "made_up.h")
# By function: what each change makes of what main prints of it, worked out by hand; a set where it is one of several changes in that function.
ORIGINAL = "0 1 7 2 12 0 0 40 0 5 12 13 2 5 2 1 21 14 8 3 1 1"
PRINTED = "less equal sum masked shifted both negated constant zero condition chosen statement counted stopped pointers nothing cases in_macro from_header low at_most"
COLUMN = {name: at for at, name in enumerate(PRINTED.split())}
EXPECTED = {
    ("less", "< is <="): "1",
    ("less", "< is >="): "1",
    ("equal", "== is !="): "0",
    ("sum", "+ is -"): "-1",
    ("masked", "& is |"): "7",
    ("shifted", "<< is >>"): "0",
    ("shifted", "constant + 1"): "24",
    ("shifted", "constant - 1"): "6",
    ("both", "&& is ||"): "1",
    ("both", "&& has its left side alone"): "1",
    ("both", "&& has its right side alone"): "0",
    ("negated", "! dropped"): "1",
    ("constant", "constant + 1"): "41",
    ("constant", "constant - 1"): "39",
    ("zero", "constant + 1"): "1",
    ("condition", "condition negated"): "6",
    ("chosen", "condition negated"): "11",
    ("pointers", "+ is -"): "-2",
    ("from_header", "+ is -"): "-6",
    ("from_header", "constant + 1"): "9",
    ("from_header", "constant - 1"): "7",
}
DROPPED = {"a = 9": "5", "a += 4": "9", "continue": "3", "break": "100"}


def wanted(path):
    name = pathlib.Path(path).name
    return name if name in FILES else None


class Mutator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tipoff-c-mutate-"))
        cls.mutants = c_mutate.identify(c_mutate.Unit(HERE / "made_up.c", ["-std=gnu17"], wanted).found.values())
        cls.mutants = sorted(cls.mutants, key=lambda m: m.id)
        for number, mutant in enumerate(cls.mutants, 1):
            mutant.number = number
        for name in FILES:
            own = [mutant for mutant in cls.mutants if mutant.path == name]
            (cls.folder / name).write_bytes(c_mutate.switched((HERE / name).read_bytes(), own))
        (cls.folder / "mutant.h").write_text(c_mutate.SWITCH)
        (cls.folder / "mutant.c").write_text(c_mutate.DEFINITIONS)
        command = ["clang", "-std=gnu17", "-D_GNU_SOURCE", "-w", "-include", "mutant.h", "-o", "made_up", "made_up.c", "mutant.c"]
        done = subprocess.run(command, cwd=cls.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_it(self, **environment):
        done = subprocess.run(["./made_up"], cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=20)
        return done.stdout.strip()

    def one(self, function, what, original=None):
        found = [m for m in self.mutants if m.function == function and m.what == what and original in (None, m.original)]
        self.assertEqual(len(found), 1, f"{function}: {what}: {[m.original for m in found]}")
        return found[0]

    def test_without_a_mutant_it_is_the_original(self):
        plain = self.folder / "plain"
        subprocess.run(["clang", "-std=gnu17", "-o", plain, HERE / "made_up.c"], check=True)
        self.assertEqual(subprocess.run([plain], capture_output=True, text=True, check=True).stdout.strip(), ORIGINAL)
        self.assertEqual(self.run_it(), ORIGINAL)
        self.assertEqual(self.run_it(MUTANT="0"), ORIGINAL)

    def test_each_change_does_what_it_says_and_nothing_else(self):
        for (function, what), expected in EXPECTED.items():
            with self.subTest(function=function, what=what):
                words = ORIGINAL.split()
                words[COLUMN[function]] = expected
                self.assertEqual(self.run_it(MUTANT=str(self.one(function, what).number)), " ".join(words))

    def test_a_statement_is_dropped(self):
        for original, expected in DROPPED.items():
            with self.subTest(original=original):
                mutant = next(m for m in self.mutants if m.what == "no statement" and m.original == original)
                words = ORIGINAL.split()
                words[COLUMN[mutant.function]] = expected
                self.assertEqual(self.run_it(MUTANT=str(mutant.number)), " ".join(words))

    def test_what_the_compiler_must_know_is_left_alone(self):
        cases = sorted(m.original for m in self.mutants if m.function == "cases")
        self.assertEqual(cases, ["0", "1", "1", "31", "31", "32", "32"])  # both indices, and the array that is not static; no label, no size
        self.assertFalse([m for m in self.mutants if m.function == "nothing"])  # a null pointer
        self.assertFalse([m for m in self.mutants if not m.function])  # outside of functions

    def test_the_body_of_a_macro_is_left_alone_and_its_argument_is_not(self):
        found = sorted((m.what, m.original) for m in self.mutants if m.function == "in_macro")
        self.assertEqual(found, [("+ is -", "TWICE(a) + SAME(a - 1)"), ("- is +", "a - 1"), ("constant + 1", "1"), ("constant - 1", "1")])
        words = ORIGINAL.split()
        words[COLUMN["in_macro"]] = "16"
        self.assertEqual(self.run_it(MUTANT=str(self.one("in_macro", "- is +").number)), " ".join(words))

    def test_pointers_have_no_sum(self):
        self.assertFalse([m for m in self.mutants if m.function == "pointers" and m.what == "- is +"])

    def test_several_are_chosen_at_a_time(self):
        words = ORIGINAL.split()
        words[COLUMN["equal"]], words[COLUMN["negated"]] = "0", "1"
        chosen = [self.one("equal", "== is !="), self.one("negated", "! dropped")]
        self.assertEqual(self.run_it(MUTANT=",".join(str(mutant.number) for mutant in chosen)), " ".join(words))

    def test_ids_stay_when_lines_move(self):
        moved = self.folder / "moved"
        moved.mkdir()
        (moved / "made_up.h").write_bytes((HERE / "made_up.h").read_bytes())
        (moved / "made_up.c").write_text("// One line more.\n" + (HERE / "made_up.c").read_text())
        again = c_mutate.identify(c_mutate.Unit(moved / "made_up.c", ["-std=gnu17"], wanted).found.values())
        self.assertEqual({(m.id, m.code) for m in again}, {(m.id, m.code) for m in self.mutants})
        self.assertEqual(len({m.id for m in again}), len(again))
        edited = (HERE / "made_up.c").read_text().replace("return 40;", "return 43;")
        (moved / "made_up.c").write_text(edited)
        again = c_mutate.identify(c_mutate.Unit(moved / "made_up.c", ["-std=gnu17"], wanted).found.values())
        changed = {m.function for m in again if (m.id, m.code) not in {(n.id, n.code) for n in self.mutants}}
        self.assertEqual(changed, {"constant"})

    def test_what_does_not_compile_says_where(self):
        broken = self.folder / "broken.c"
        broken.write_text("int f(void) { return x; }\n")
        with self.assertRaisesRegex(SystemExit, re.escape(f"{broken}: does not compile")):
            c_mutate.Unit(broken, [], lambda path: None)


if __name__ == "__main__":
    unittest.main()
