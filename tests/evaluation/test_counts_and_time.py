#!/usr/bin/env python3
"""The sensitivity page: its arithmetic on programs made up by hand, and `make counts-and-time QUICK=1` on three short ones.

    tests/evaluation/test_counts_and_time.py

Needs build/bin/tipoff, the small workloads, the model of small2 and gnuplot.
"""
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/evaluation"))
import events  # noqa: E402

A, B, C = 1, 2, 4


def program(*units):
    """Units: (instruction, met, stack, waits)."""
    return {
        "program": "made up",
        "events": ["A", "B", "C"],
        "instructions": [{"instruction": w, "executions": 1, "met": m, "stack": s, "waits": q} for w, m, s, q in units],
    }


# 40 cycles lost with A, 30 with A and B, 20 with C, 10 without: of 100.
MADE_UP = program(
    ("lw a0, 0(a1)", {"A": 4}, [["Computing", 0, 5], ["Stalled", A, 40]], []),
    ("lw a2, 0(a1)", {"A": 3, "B": 9}, [["Stalled", A | B, 30]], []),
    ("beq a0, a1, x", {"C": 2}, [["Flushed", C, 20]], []),
    ("add a0, a0, a1", {}, [["Stalled", 0, 10]], [["fmul.d", 6]]),
)


class Arithmetic(unittest.TestCase):
    def test_pearson(self):
        pairs = [(1, 2.0), (2, 3.5), (4, 1.0), (9, 12.0)]
        self.assertAlmostEqual(events.pearson(pairs), statistics.correlation(*zip(*pairs)))
        self.assertIsNone(events.pearson([(1, 2.0), (1, 3.0)]))

    def test_a_count_goes_with_the_time_of_its_event_alone(self):
        units = [("lw", {"A": n, "B": 7}, [["Stalled", A, 10 * n], ["Stalled", 0, 1000 - 50 * n], ["Drained", B, 3]], []) for n in (1, 2, 5)]
        self.assertAlmostEqual(events.correlation(program(*units), "A"), 1)
        self.assertIsNone(events.correlation(program(*units), "B"))
        self.assertIsNone(events.correlation(program(*units[:2]), "A"))

    def test_the_best_sets(self):
        found = events.subsets([MADE_UP])
        self.assertEqual([names for _, names, _ in found], [["A"], ["A", "C"], ["A", "B", "C"]])
        for (_, _, share), expected in zip(found, (0.7, 0.9, 0.9)):
            self.assertAlmostEqual(share, expected)

    def test_the_rest_sums_up(self):
        found = events.unexplained([MADE_UP])
        self.assertAlmostEqual(sum(found.values()), 0.1)
        self.assertAlmostEqual(found["waits for: floating-point operation"], 0.06)
        self.assertAlmostEqual(found["is itself slow, or has just come: integer operation"], 0.04)

    def test_kinds(self):
        for word, expected in (
            ("fsqrt.d", "division or square root"),
            ("fsub.d", "floating-point operation"),
            ("fsd", "store"),
            ("fld", "load"),
            ("fsflags", "CSR access"),
            ("sub", "integer operation"),
            ("remw", "division or square root"),
            ("lr.w", "atomic or fence"),
            ("sll", "integer operation"),
            ("bnez", "branch or jump"),
            ("mulw", "multiplication"),
        ):
            self.assertEqual(events.kind(word), expected, word)


class Page(unittest.TestCase):
    def test_three_programs(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            command = [
                ROOT / "scripts/evaluation/counts_and_time.py",
                "--set",
                "quick",
                "--only",
                "ch",
                "--output",
                folder / "page.md",
                "--folder",
                folder / "runs",
            ]
            subprocess.run([*map(str, command)], check=True, capture_output=True)
            page = (folder / "page.md").read_text()
            kept = [json.loads(path.read_text()) for path in sorted((folder / "runs/exposed").glob("*.json"))]
            self.assertEqual([row["program"] for row in kept], ["chase", "strsearch", "vm_chase"])
            for row in kept:  # every cycle is somebody's
                self.assertAlmostEqual(sum(cycles for unit in row["instructions"] for _, _, cycles in unit["stack"]), row["cycles"], delta=1e-6 * row["cycles"])
            share = events.explained(kept, (1 << 9) - 1)
            self.assertIn(f"| {100 * share:.1f} |", next(line for line in page.splitlines() if line.startswith("| 9 |")))
            self.assertAlmostEqual(sum(events.unexplained(kept).values()), 1 - share, places=9)
            for picture in "counts", "sets", "cores":
                self.assertIn(f"page-{picture}.svg", page)
                self.assertGreater((folder / f"page-{picture}.svg").stat().st_size, 2000)
                self.assertGreater(len(list(csv.reader((folder / f"page-{picture}.csv").read_text().splitlines()))), 1)
            before = [path.stat().st_mtime_ns for path in sorted((folder / "runs/exposed").glob("*.json"))]
            subprocess.run([*map(str, command)], check=True, capture_output=True)
            self.assertEqual(before, [path.stat().st_mtime_ns for path in sorted((folder / "runs/exposed").glob("*.json"))])


if __name__ == "__main__":
    unittest.main(verbosity=1)
