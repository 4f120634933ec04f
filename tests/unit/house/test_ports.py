#!/usr/bin/env python3
"""No module of rtl/ has more than 25 ports: where one would, a struct is missing."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
MOST = 25


def ports(text):
    """(module, number of its ports) for each module of a source file."""
    text = re.sub(r"/\*.*?\*/", "", re.sub(r"//.*", "", text), flags=re.S)
    for module, header in re.findall(r"^module (\w+)(.*?)^\);", text, flags=re.M | re.S):
        declared = [re.sub(r"\[[^\]]*\]", "", line) for line in header.split("\n") if re.match(r"\s*(input|output|inout)\b", line)]
        yield module, sum(1 + line.rstrip().rstrip(",").count(",") for line in declared)


class Ports(unittest.TestCase):
    def test_counts(self):
        example = (
            "module a\n  import b::*;\n(\n  input logic clk_i, rst_ni, // two, with a comma here, and one there\n  output logic [3:0] x_o [2]\n);\nendmodule\n"
        )
        self.assertEqual(list(ports(example)), [("a", 3)])

    def test_no_module_has_too_many(self):
        seen = dict(found for path in sorted((ROOT / "rtl").rglob("*.sv")) for found in ports(path.read_text(encoding="utf-8")))
        self.assertGreater(len(seen), 80)
        for module, number in seen.items():
            self.assertLessEqual(number, MOST, f"{module}: {number} ports")


if __name__ == "__main__":
    unittest.main()
