#!/usr/bin/env python3
"""A core from elsewhere through attach/attach.mk: folders of ATTACH, Verilog of FOREIGN in a list of files, whose lint is not fatal; packages or none.

Verilates tops of a few lines; what a whole model is, tests/attach/test_attach.py says.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "attached_by_a_test"
TOP = """// The core alone.
{0}
module {1}_top (
  input logic clk_i,
  input logic rst_ni
);
  foreign_core u_core (.clock(clk_i), .reset(!rst_ni){2});
endmodule
"""
# An unused signal, widths that differ, two modules in a file, a timescale: all that generated Verilog has.
FOREIGN = """`timescale 1ns/1ps
module inner(input clock, input [7:0] a, output [3:0] b);
  reg [3:0] q;
  always @(posedge clock) q <= a;
  assign b = q;
endmodule
module foreign_core(input clock, input reset);
  `include "width.vh"
  wire [3:0] b;
  wire unused = b[0] ^ `DEFINED_BY_THE_FOLDER;
  inner i(.clock(clock), .a({`WIDTH{reset}}), .b(b));
  always @(posedge clock) if (b == 4'hf) $display("full");
endmodule
"""


class Foreign(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.room.name) / NAME
        self.rtl = pathlib.Path(self.room.name) / "elsewhere/sources"
        self.folder.mkdir()
        self.rtl.mkdir(parents=True)
        shutil.copy(ROOT / "attach/inorder/inorder.toml", self.folder / f"{NAME}.toml")
        (self.folder / f"{NAME}.mk").write_text(f"{NAME}_VFLAGS := +define+DEFINED_BY_THE_FOLDER=1\n")
        (self.rtl / "core.v").write_text(FOREIGN)
        (self.rtl / "include").mkdir()
        (self.rtl / "include/width.vh").write_text("`define WIDTH 8\n")
        self.list = self.rtl.parent / "core.f"
        self.list.write_text("+incdir+sources/include\nsources/core.v\n")
        self.top()

    def tearDown(self):
        self.room.cleanup()
        shutil.rmtree(ROOT / "build" / NAME, ignore_errors=True)

    def top(self, head="", pins=""):
        (self.folder / f"{NAME}_top.sv").write_text(TOP.format(head, NAME, pins))

    def make(self, *words):
        done = subprocess.run(
            ["make", "--no-print-directory", "-C", ROOT, f"build/{NAME}/model-check/Vsim_top.mk", f"ATTACH={self.folder}", *words],
            env={name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")},  # of a make around this
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def test_list_of_files(self):
        self.assertEqual(self.make(f"FOREIGN={self.list}"), (0, f"  VERILATE {NAME}\n"))
        self.assertIn("UNUSEDSIGNAL", (ROOT / f"build/{NAME}/model-check/verilate.log").read_text())  # on record, if not on screen

    def test_list_in_the_folder_and_files(self):
        (self.folder / f"{NAME}.f").write_text("+incdir+../elsewhere/sources/include\n../elsewhere/sources/core.v\n")
        self.assertEqual(self.make()[0], 0)
        (self.folder / f"{NAME}.f").unlink()
        (self.rtl / "core.v").write_text(FOREIGN.replace('`include "width.vh"', "").replace("`WIDTH", "8"))
        self.assertEqual(self.make(f"FOREIGN={self.rtl}/core.v")[0], 0)

    def test_own_lint_is_fatal(self):
        self.top(pins=",\n    .clok(clk_i)")
        status, said = self.make(f"FOREIGN={self.list}")
        self.assertEqual(status, 2)
        self.assertRegex(said, rf"{NAME}_top.sv:\d+:\d+: Pin not found: 'clok'")
        (self.folder / f"{NAME}_top.sv").write_text(TOP.format("", NAME, "").replace("  foreign_core", "  logic useless;\n  foreign_core"))
        status, said = self.make(f"FOREIGN={self.list}")
        self.assertEqual(status, 2)
        self.assertRegex(said, rf"%Warning-UNUSEDSIGNAL: .*{NAME}_top.sv")
        self.assertNotIn("core.v", said)
        self.assertIn(f"attach.mk: {NAME}: lint of what is ours is fatal", said)

    def test_packages(self):
        (self.folder / "a_pkg.sv").write_text(f"// Uses the first.\npackage a_pkg;\n  localparam int Two = {NAME}_pkg::One + 1;\nendpackage\n")
        (self.folder / f"{NAME}_pkg.sv").write_text(f"// The first.\npackage {NAME}_pkg;\n  localparam int One = 1;\nendpackage\n")
        self.top(
            pins=');\n  logic [a_pkg::Two-1:0] two;\n  always_ff @(posedge clk_i) two <= {two[0], rst_ni};\n  always_ff @(posedge clk_i) if (two[1]) $display("two"'
        )
        status, said = self.make(f"FOREIGN={self.list}")
        self.assertEqual(status, 0, said)

    def test_no_verilog_of_the_core(self):
        status, said = self.make()
        self.assertEqual(status, 2)
        self.assertIn("foreign_core", said)
        with open(self.folder / f"{NAME}.mk", "a") as more:
            more.write(f"{NAME}_NEEDS := all of it\n")
        status, said = self.make()
        self.assertEqual(status, 2)
        self.assertIn(
            f"attach.mk: {NAME} needs Verilog of the core, which is not here: make build/{NAME}/model-check/Vsim_top.mk FOREIGN=FILE, all of it", said
        )

    def test_a_copy_of_the_example(self):
        """The first lines of the page, and a model of the copy as far as its lint."""
        page = (ROOT / "docs/guide/integration.md").read_text(encoding="utf-8").split("## Attach in an afternoon\n")[1].split("\n## ")[0]
        lines = [line.strip() for line in page.splitlines() if line.startswith("    ")]
        self.assertEqual([line.split()[0] for line in lines[:5]], ["cp", "mv", "mv", "sed", "make"])
        self.folder = pathlib.Path(self.room.name) / "copy" / NAME
        self.folder.parent.mkdir()
        for line in lines[:4]:
            line = line.replace("/tmp/mycore", str(self.folder)).replace("mycore", NAME)
            subprocess.run(line.split(), cwd=ROOT, check=True)
        self.assertEqual(self.make(), (0, f"  VERILATE {NAME}\n"))

    def test_boom_says_what_it_needs(self):
        done = subprocess.run(
            ["make", "-C", ROOT, "-n", "-W", "attach/boom/boom_top.sv", "build/boom/model-check/Vsim_top.mk"], capture_output=True, text=True, check=False
        )
        self.assertRegex(done.stdout, r"attach.mk: boom needs Verilog of the core.*\bDigitalTop\b")
        self.assertTrue(re.search(r"docs/guide/integration.md, section 6", done.stdout))


if __name__ == "__main__":
    unittest.main()
