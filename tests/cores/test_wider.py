#!/usr/bin/env python3
"""A wider core is no slower where loads and stores of the same few addresses follow each other closely (docs/results/widths.md).

These programs lost on tea4 against small2, or gained nothing, while a load that had broken the order once waited for the data of all
older stores: dgemm took 1.21 times as long, matmul and nbody 0.96 and 0.99. It waits for their addresses now, and for the data of the
store that it meets. The bounds lie halfway between.
"""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import widths  # noqa: E402

BOUNDS = {"dgemm": 0.89, "matmul": 0.85, "nbody": 0.78}  # of small2's cycles


class Wider(unittest.TestCase):
    def test_load_and_store_chains(self):
        for name, bound in BOUNDS.items():
            with self.subTest(name):
                program = ROOT / f"build/workloads/{name}.small.elf"
                narrow, wide = (widths.cycles(config, program)[0] for config in ("small2", "tea4"))
                self.assertLess(wide, bound * narrow, f"{name}: tea4 {wide:,} cycles, small2 {narrow:,}")


if __name__ == "__main__":
    unittest.main()
