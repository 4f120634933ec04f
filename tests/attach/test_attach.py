#!/usr/bin/env python3
"""The profiling units on a core that is not like ours: attach/inorder, its adapter, the rules, the golden model, known answers.

Needs build/inorder/model.so, build/inorder/checked/model.so (with the golden model, and an adapter that makes mistakes on demand), the workloads and
programs that TESTED of attach/attach.mk names.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "attach/answers"))
import answers  # noqa: E402

CHECKED = ROOT / "build/inorder/checked/model.so"
WORKLOADS = ("sort", "interp", "queens", "crc", "chase")
FAULTS = ROOT / "build/tests/attach/faults.elf"
# Number in tests/attach/inorder_adapter.sv, the program that shows it, the rule that finds it, and in how many cycles at most.
MISTAKES = {
    "slots not compacted": (1, "sort", "FilledByDispatch", 200),
    "dead rows shown": (2, "sort", "EmptyAfterFlush", 200),
    "dead for one cycle": (3, "faults", "FilledByDispatch", 2000),
    "oldest of a bank, where ports have an age": (4, "sort", "Empty", 200),
    "valid that means finished": (5, "sort", "DispatchedIsOldest", 200),
    "mispredict never set": (6, "sort", "RedirectIsBlamed", 500),
    "flush never set": (7, "sort", "RedirectIsBlamed", 500),
    "an exception beside a commit": (9, "faults", "ExceptionAlone", 2000),
}
BLIND = 8  # neither redirect nor mispredict is shown: no rule sees it, the known answers do


def program(name):
    return FAULTS if name == "faults" else ROOT / f"build/workloads/rv64im/{name}.small.elf"


def run(elf, *options, model=None, **environment):
    done = subprocess.run(
        [
            ROOT / "build/bin/tipoff",
            "run",
            "--config",
            "inorder",
            *(["--model", model] if model else []),
            "--no-cosim",
            "--max-cycles",
            "3000000",
            *options,
            elf,
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env=os.environ | environment,
    )
    return done.returncode, done.stdout + done.stderr


class Attached(unittest.TestCase):
    def test_workloads(self):
        """Programs check their own results; each cycle's sample is the Oracle's, and the golden model's, which knows nothing of the adapter."""
        for name in WORKLOADS:
            with self.subTest(name):
                status, said = run(program(name), "--quiet", "--period", "97", model=CHECKED, TIPOFF_GOLDEN="1")
                self.assertEqual(status, 0, said)
                self.assertIn("PASS", said)
                self.assertGreater(int(re.search(r"golden: (\d+) cycles agree", said)[1]), 100000)

    def test_memory_is_fixed(self):
        """A core with a memory map of its own has one size of memory: another one is refused, and the usual one may be named."""
        status, output = run(program("sort"), "--memory", "512M")
        self.assertEqual(status, 2, output)
        self.assertIn("the memory of this model has a fixed size, 256M: omit --memory", output)
        self.assertEqual(run(program("sort"), "--memory", "256M")[0], 0)

    def test_faults(self):
        status, said = run(FAULTS, "--quiet", model=CHECKED, TIPOFF_GOLDEN="1")
        self.assertEqual(status, 0, said)
        self.assertIn("cycles agree", said)

    def test_each_mistake_is_found(self):
        for name, (number, where, rule, cycles) in MISTAKES.items():
            with self.subTest(name):
                status, said = run(program(where), "--quiet", model=CHECKED, TIPOFF_MISTAKE=str(number))
                self.assertEqual(status, 3, said)
                self.assertRegex(said, rf"\.{rule}: assertion failed")
                self.assertLess(int(re.search(r"failed at cycle (\d+)|cycle (\d+)", said[said.index("assertion failed") :])[0].split()[-1]), cycles)

    def test_golden_finds_mistakes(self):
        """The golden model sees what a rule sees, and what none does."""
        for name, (number, where, _, _) in MISTAKES.items():
            if name in ("mispredict never set", "flush never set", "dead for one cycle"):
                with self.subTest(name):
                    status, said = run(program(where), "--quiet", model=CHECKED, TIPOFF_MISTAKE=str(number), TIPOFF_GOLDEN="1")
                    self.assertEqual(status, 3, said)
                    self.assertIn("golden: cycle", said)
        status, said = run(program("sort"), "--quiet", model=CHECKED, TIPOFF_MISTAKE=str(BLIND), TIPOFF_GOLDEN="1")
        self.assertEqual(status, 3, said)
        self.assertIn("golden: cycle", said)

    def test_blind_spot_of_the_rules(self):
        """Without redirects the rules and the Oracle agree with an adapter that never says mispredict; the known answers do not."""
        status, said = run(program("sort"), model=CHECKED, TIPOFF_MISTAKE=str(BLIND))
        self.assertEqual(status, 0, said)
        self.assertIn("all agree", said)
        found = answers.judge("mispredict", ["--config", "inorder", "--model", str(CHECKED)], env=os.environ | {"TIPOFF_MISTAKE": str(BLIND)})
        self.assertTrue(any(not good for _, _, good in found), found)

    def test_known_answers(self):
        for name in answers.PROGRAMS:
            with self.subTest(name):
                found = answers.judge(name, ["--config", "inorder"])
                self.assertNotIsInstance(found, str)
                self.assertEqual([line for line, _, good in found if not good], [], found)

    def test_cycles_by_hand(self):
        """A quotient takes 67 cycles from issue to issue: one to execute, 64 bits, one to finish, one to commit, in which the next one issues.
        So the oldest waits in 66 and commits in one. The region begins when the first of 800 commits; and the first of each later loop is the
        oldest a cycle later, because the branch of the loop before it commits beside nothing in the cycle in which it enters."""
        rows, said = answers.measured(ROOT / "build/answers/stalled.elf", ["--config", "inorder"])
        at = answers.symbols(ROOT / "build/answers/stalled.elf")
        units = 2  # accounting units in a cycle: two lanes
        stalled = answers.share(rows, "Stalled", at["chain"], at["chain_end"]) / units
        self.assertEqual(stalled, 799 * 66 - 99, said)

    def test_report_and_rivals(self):
        """Report and comparison on a foreign core: the function that does the work, vectors from beside the core, and who is wrong by how much."""
        with tempfile.TemporaryDirectory() as folder:
            samples, stats = pathlib.Path(folder) / "a.tips", pathlib.Path(folder) / "a.json"
            status, said = run(program("chase"), "--period", "97", "--samples", samples, "--stats", stats)
            self.assertEqual(status, 0, said)
            self.assertIn("all agree", said)
            self.assertGreater(json.loads(stats.read_text())["instructions"], 100000)
            report = subprocess.run([ROOT / "build/bin/tipoff", "report", samples], capture_output=True, text=True, check=True).stdout
            self.assertRegex(report, r"missed the L1 data cache|misses the L1 data cache")
            compared = subprocess.run([ROOT / "build/bin/tipoff", "compare", samples], capture_output=True, text=True, check=True).stdout
            error = {name: float(value) for name, value in re.findall(r"^\s+([\w+-]+)\s+([\d.]+) %", compared, re.MULTILINE)}
            self.assertLess(error["TIP"], 2)
            self.assertGreater(error["LCI"], 10)


if __name__ == "__main__":
    unittest.main()
