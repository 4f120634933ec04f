#!/usr/bin/env python3
"""The adapter for SonicBOOM, bound by gen_bind.py to a stub with BOOM's names: a story with partial rows, banks that enter alone and the walk back
after exceptions; wrong adapters, each found by a rule; stores to tohost, and the host at the serial port; every width that the adapter is for, by lint.

BOOM's Verilog is not here: names and meanings are those of Chipyard of July 2020, seen once in its MediumBoom and MegaBoom.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "scripts/formal")]
from prove import packages  # noqa: E402

COMMON = [
    "rtl/pkg/core_pkg.sv",
    "attach/boom/boom_pkg.sv",
    "attach/boom/boom_stores.sv",
    "attach/boom/boom_host.sv",
    "attach/psv_table.sv",
    "sim/bundle_rules.sv",
    "sim/blame_rule.sv",
]
# What is written instead of what, and the rule that finds it.
MISTAKES = [
    ("bundle_o.rob_empty ? '0 : oldest", "'0", "Empty"),
    ("LaneBits'(slot)", "LaneBits'(i)", "DispatchedIsOldest|FilledByDispatch"),
    ("gone_q != '0 || state_i == WalksBack", "state_i == WalksBack", "EmptyAfterFlush"),
    ("gone_q != '0 || state_i == WalksBack", "gone_q[0]", "FilledByDispatch"),
    ("branch_i[i] && source_i[i] == FromExecution", "1'b0", "RedirectIsBlamed"),
    ("bundle_o.flush = flush_i", "bundle_o.flush = '0", "RedirectIsBlamed"),
    ("bundle_o.exception = throw_i && !dead", "bundle_o.exception = 1'b0", "RedirectIsBlamed"),
]


def wrong(text):
    """The adapter, right without +mistake=N, with it wrong in the N-th way."""
    left = text.replace(
        "  logic [1:0] gone_q;", '  int unsigned mistake;\n  initial if ($value$plusargs("mistake=%d", mistake) == 0) mistake = 0;\n  logic [1:0] gone_q;'
    )
    assert left != text
    marks = {}
    for number, (old, new, _) in enumerate(MISTAKES, 1):
        assert old in text, old
        prefix, _, right = old.rpartition(" = ") if " = " in old else ("", "", old)
        value = new.rpartition(" = ")[2] if prefix else new
        before = marks.get(old, old)
        now = f"{prefix + ' = ' if prefix else ''}(mistake == {number} ? {value} : {before.rpartition(' = ')[2] if prefix else before})"
        left = left.replace(before, now)
        marks[old] = now
    return left


class Boom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.room.name)

    @classmethod
    def tearDownClass(cls):
        cls.room.cleanup()

    def sources(self, width, adapter):
        generated = packages(width, self.folder / f"gen{width}", rows=64 // width)
        bound = self.folder / f"bind{width}.sv"
        bound.write_text(subprocess.run([ROOT / "attach/boom/gen_bind.py", str(width)], capture_output=True, text=True, check=True).stdout)
        dpi = self.folder / "dpi_pkg.sv"
        wanted = re.findall(r"  import [^;]*? tipoff_(?:tohost|tohost_address|host_address|host_access)\([^;]*\);.*\n", (ROOT / "sim/dpi_pkg.sv").read_text())
        self.assertEqual(len(wanted), 4)  # all others would want a C side, too
        dpi.write_text(f"package dpi_pkg;\n{''.join(wanted)}endpackage\n")
        return [*map(str, generated), str(dpi), *(str(ROOT / name) for name in COMMON), str(adapter), str(bound)]

    def test_story_and_mistakes(self):
        adapter = self.folder / "boom_adapter.sv"
        adapter.write_text(wrong((ROOT / "attach/boom/boom_adapter.sv").read_text()))
        options = [
            "--cc",
            "--exe",
            "--assert",
            "-Wall",
            "-Wno-UNUSEDSIGNAL",
            "-Wno-UNUSEDPARAM",
            "-Wno-DECLFILENAME",
            "-Wno-UNDRIVEN",
            "-Wno-WIDTH",
            f"-I{ROOT}/rtl/prim",
            str(ROOT / "sim/lint.vlt"),
            "--prefix",
            "Vtop",
            "--top-module",
            "boom_tb",
            "--Mdir",
            str(self.folder / "obj"),
            "-CFLAGS",
            f"-I{ROOT}/tests/unit/rtl -I{ROOT}/build/gen -std=gnu++17",
            "-o",
            "run",
        ]
        subprocess.run(
            ["verilator", *options, *self.sources(2, adapter), str(HERE / "boom_stub.sv"), str(HERE / "boom_tb.sv"), str(HERE / "bench.cpp")], check=True
        )
        subprocess.run(
            ["make", "-s", "-C", str(self.folder / "obj"), "-f", "Vtop.mk", "CXX=clang++", "LINK=clang++", "OPT_FAST=-O0", "OPT_SLOW=-O0"],
            check=True,
            capture_output=True,
            env={"PATH": os.environ["PATH"]},
        )
        done = subprocess.run([self.folder / "obj/run"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"1\d\d passed, 0 failed")
        for number, (old, new, rule) in enumerate(MISTAKES, 1):
            with self.subTest(f"{old} -> {new}"):
                done = subprocess.run([self.folder / "obj/run", f"+mistake={number}"], capture_output=True, text=True, check=False)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stdout + done.stderr, rf"\.({rule}): assertion failed")

    def test_every_width(self):
        for width in (1, 2, 3, 4, 5):
            adapter = ROOT / "attach/boom/boom_adapter.sv"
            files = [name for name in self.sources(width, adapter) if "bind" not in name]
            done = subprocess.run(
                [
                    "verilator",
                    "--lint-only",
                    "-Wall",
                    f"-I{ROOT}/rtl/prim",
                    str(ROOT / "sim/lint.vlt"),
                    "--top-module",
                    "boom_adapter",
                    *files[:-1],
                    str(adapter),
                ],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""), width)

    def test_refuses(self):
        for words in ((), ("0",), ("two",), ("9",)):
            self.assertEqual(subprocess.run([ROOT / "attach/boom/gen_bind.py", *words], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()
