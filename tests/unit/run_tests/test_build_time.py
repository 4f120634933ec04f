#!/usr/bin/env python3
"""scripts/build_time.py: each need belongs to one part, nothing is built twice or left out, and the table has their sum."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import build_time  # noqa: E402

PLAIN = (
    "build/small2/model.so build/small2/model-fst.so build/tea4/model.so build/tests/unit/rtl/lfsr/run build/tests/unit/base/test_heap build/tests/fuzz/vm-1.elf "
    "need-isa need-small build/workloads/interp.large.elf build/bin/tipoff kernels build/small2/rivals.so"
).split()


class Parts(unittest.TestCase):
    def test_each_need_once(self):
        parts = dict(build_time.parts(PLAIN, ["build/bin/tipoff-san"], ["wide5"]))
        self.assertEqual(sorted(target for name, words in parts.items() if not name.startswith(("lint", "command and")) for target in words), sorted(PLAIN))
        self.assertEqual(parts["model small2/model-fst"], ["build/small2/model-fst.so"])
        self.assertEqual(parts["RTL benches"], ["build/tests/unit/rtl/lfsr/run"])
        self.assertEqual(parts["unit tests"], ["build/tests/unit/base/test_heap"])
        self.assertEqual(parts["rest"], ["build/small2/rivals.so"])
        self.assertEqual(parts["lint-rtl"], ["lint-rtl", "CONFIGS=wide5"])
        self.assertEqual(parts["command and unit tests with sanitizers"], ["SAN=1", "build/bin/tipoff-san"])

    def test_table(self):
        text = build_time.table([("a", 10.4, 6.0), ("b", 20.4, 11.0)])
        self.assertIn("| all | 31 | 17 |", text)
        page = f"# T\n\nwords\n{build_time.BEGIN}\nold\n{build_time.END}\nmore\n"
        self.assertEqual(build_time.with_table(page, "new"), page.replace("old", "new"))
        with self.assertRaises(SystemExit):
            build_time.with_table("# T\n", "new")


if __name__ == "__main__":
    unittest.main()
