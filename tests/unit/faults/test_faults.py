#!/usr/bin/env python3
"""The tables of faults fit the RTL as it is: each row names a place that there is once, and is a fault that can be put in there."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/faults"))
import faults  # noqa: E402


class Table(unittest.TestCase):
    def check(self, name, least):
        faults.TABLE = ROOT / f"tests/faults/{name}.tsv"
        rows = faults.rows()
        self.assertGreaterEqual(len(rows), least)
        for row in rows:
            with self.subTest(table=name, number=row["number"], file=row["file"], original=row["original"]):
                self.assertEqual((ROOT / row["file"]).read_text(encoding="utf-8").count(row["original"]), 1)
                changed = faults.place(row["original"], [row])
                self.assertIsNotNone(changed)
                self.assertIn(f"fault_sel == {row['number']}", changed)

    def test_faults_have_their_place(self):
        self.check("faults", 60)

    def test_faults_of_numbers_have_their_place(self):
        self.check("numbers", 58)


if __name__ == "__main__":
    unittest.main()
