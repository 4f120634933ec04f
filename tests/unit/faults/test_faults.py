#!/usr/bin/env python3
"""The table of faults fits the RTL as it is: each row names a place that there is once, and is a fault that can be put in there."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/faults"))
import faults  # noqa: E402


class Table(unittest.TestCase):
    def test_rows_have_their_place(self):
        rows = faults.rows()
        self.assertGreaterEqual(len(rows), 60)
        for row in rows:
            with self.subTest(number=row["number"], file=row["file"], original=row["original"]):
                self.assertEqual((ROOT / row["file"]).read_text(encoding="utf-8").count(row["original"]), 1)
                changed = faults.place(row["original"], [row])
                self.assertIsNotNone(changed)
                self.assertIn(f"fault_sel == {row['number']}", changed)


if __name__ == "__main__":
    unittest.main()
