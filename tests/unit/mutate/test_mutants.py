#!/usr/bin/env python3
"""scripts/mutate/mutants.py: which changes it makes and which it leaves alone, and that the copy with all of them is the
original, and each of them, when Verilator runs it."""
import contextlib
import functools
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal")]
from mutants import Module  # noqa: E402
import benches  # noqa: E402
import core_benches  # noqa: E402
import core_draw  # noqa: E402
import core_equal  # noqa: E402
import core_model  # noqa: E402
import core_report  # noqa: E402
import equivalence  # noqa: E402
import mutate  # noqa: E402
import records  # noqa: E402
import units  # noqa: E402
from places import key  # noqa: E402

UNIT = """// A comment with a && b that is none.
module unit #(
  parameter int unsigned Rows = 4
) (
  input  logic       clk_i,
  input  logic       a_i,
  input  logic       b_i,
  output logic [3:0] y_o
);
  localparam int unsigned Last = Rows - 1;
  logic [3:0] q;
  assign y_o = (a_i && b_i) ? q : 4'd3;
  always_ff @(posedge clk_i) begin
    if (a_i) q <= q + 4'd1;
  end
%s
  `include "assert.svh"
  `ASSERT(Small, q < 4'd15)
endmodule
"""
# What can go wrong in the two statements, by hand.
EXPECTED = {
    "(a_i || b_i) ? q : 4'd3",
    "(a_i) ? q : 4'd3",
    "(b_i) ? q : 4'd3",
    "q",
    "4'd3",
    "(a_i && b_i) ? 4'd3 : q",
    "(a_i && b_i) ? q : 4'd4",
    "(a_i && b_i) ? q : 4'd2",
    "'0",
    "~((a_i && b_i) ? q : 4'd3)",
    "((a_i && b_i) ? q : 4'd3) & ('1 << 1)",
    "((a_i && b_i) ? q : 4'd3) & ('1 >> 1)",
    "if (!(a_i)) q <= q + 4'd1;",
    "if (1'b1) q <= q + 4'd1;",
    "if (1'b0) q <= q + 4'd1;",
    "if (a_i) q <= q - 4'd1;",
    "if (a_i) q <= q;",
    "if (a_i) q <= 4'd1;",
    "if (a_i) q <= q + 4'd2;",
    "if (a_i) q <= q + 4'd0;",
    "if (a_i) q <= ~(q + 4'd1);",
    "if (a_i) q <= '0;",
    "if (a_i) q <= (q + 4'd1) & ('1 << 1);",
    "if (a_i) q <= (q + 4'd1) & ('1 >> 1);",
    "if (a_i) ;",
}


@functools.cache
def drawn():
    """The modules of the core with their mutants, drawn once for all tests here; none changes them."""
    return core_draw.draw()[0]


def module(more=""):
    return Module("unit.sv", UNIT % more, set())


def changed(unit, mutant):
    """The statement that the mutant stands in, as it reads with it."""
    text, line = unit.applied(mutant), unit.line(mutant)
    return text.split("\n")[line - 1].strip().removeprefix("assign y_o = ").removesuffix(";" if "assign" in text.split("\n")[line - 1] else "")


class Mutants(unittest.TestCase):
    def test_every_change(self):
        unit = module()
        self.assertEqual({changed(unit, mutant) for mutant in unit.mutants}, EXPECTED)
        self.assertEqual(len(unit.mutants), len(EXPECTED))

    def test_what_simulation_checks(self):
        unit = module()
        self.assertFalse([m for m in unit.mutants if m.start > unit.text.index("assert.svh")])
        text = UNIT % ""
        for wrong in ("  function automatic logic odd();\n    odd = 1'b1;\n  endfunction\n", "  assign y_o = q;\n", "  always_ff @(posedge clk_i) q <= '0;\n"):
            moved = text.replace("endmodule", wrong + "endmodule").replace("q + 4'd1", "q + 4'(odd())" if "odd" in wrong else "q + 4'd1")
            with self.assertRaisesRegex(SystemExit, "after the include of assert.svh"):
                Module("unit.sv", moved, set())
        Module("unit.sv", text.replace("endmodule", "  logic small;\n  assign small = q < 4'd15;\n  `ASSERT(SmallToo, small)\nendmodule"), set())

    def test_key(self):
        """What is proved of a mutant is not said of another, even where lines are alike; nor does it matter where the line stands."""
        alike = "  always_ff @(posedge clk_i) begin\n    if (a_i) q <= q + 4'd1;\n  end\n"
        unit, again = module(), module(alike)
        keys = [key(again, mutant) for mutant in again.mutants]
        self.assertEqual(len(set(keys)), len(keys))
        self.assertLess({key(unit, mutant) for mutant in unit.mutants}, set(keys))
        moved = Module("unit.sv", "// one line more\n" + unit.text, set())
        self.assertEqual([key(unit, mutant) for mutant in unit.mutants], [key(moved, mutant) for mutant in moved.mutants])

    def test_digest(self):
        """What was proved is proved again when a package, the specification or a script of the proof changes; the size is reported."""
        names = ("commit_ctrl", "pmu_events", "tip_unit")
        before = {name: units.digest(name) for name in names}
        dependencies = equivalence.dependencies
        for name in names:
            parts = dependencies(name, [path for path in units.MODULES if pathlib.Path(path).stem in (name, equivalence.OUTER.get(name))])
            self.assertIn((ROOT / "scripts/mutate/miter.mjs").read_bytes(), parts)
            self.assertTrue(any(b"package config_pkg" in part for part in parts))
            self.assertTrue(any(f"module {name}".encode() in part for part in parts))
            self.assertFalse(any(b"localparam logic [11:0] CsrFflags" in part for part in parts), "what none of these names")
            for i in range(len(parts)):
                equivalence.dependencies = lambda *_, parts=parts, i=i: [part + b" " * (j == i) for j, part in enumerate(parts)]
                units.digest.cache_clear()
                self.assertNotEqual(units.digest(name), before[name])
            equivalence.dependencies = dependencies
        units.digest.cache_clear()
        self.assertEqual({name: units.digest(name) for name in names}, before)
        self.assertEqual(equivalence.size("commit_ctrl"), "width 3, 9 entries of the ROB")

    def test_targets(self):
        """Of a concatenation that is assigned only indices change; nor is the number of a replication changed, which is a constant."""
        unit = module("  logic [7:0] sum;\n  logic over;\n  logic [1:0] at;\n  assign {over, sum[at]} = {4{a_i}};")
        start = unit.text.index("assign {over")
        self.assertEqual(
            {(unit.text[m.start : m.end], m.text) for m in unit.mutants if m.start > start},
            {("at", "'0"), ("{4{a_i}}", "'0"), ("{4{a_i}}", "~({4{a_i}})"), ("{4{a_i}}", "({4{a_i}}) & ('1 << 1)"), ("{4{a_i}}", "({4{a_i}}) & ('1 >> 1)")},
        )

    def test_reductions(self):
        """What is one bit stays one: dropped, a reduction in a concatenation would move what stands beside it, in the copy even of the original."""
        unit = module("  logic [2:0] r;\n  assign r = {&q[3:2], ^q};")
        start = unit.text.index("{&q")
        self.assertLessEqual({("&q[3:2]", "|q[3:2]"), ("^q", "|q")}, {(unit.text[m.start : m.end], m.text) for m in unit.mutants if m.start > start})
        self.assertNotIn("q", {m.text for m in unit.mutants if m.start > start})

    def test_table(self):
        """Each row of the table of equivalent mutants is one: of a line that has changed the reason is given again."""
        mutants = {key(module, mutant) for module in units.modules() for mutant in module.mutants}
        self.assertEqual([row for row in units.read_table() if row not in mutants], [])

    def test_records(self):
        """A file a module; two branches that write of the same mutants, or others, merge without a conflict; a row that is none is reported."""
        head, comment = ["digest", "module", "line"], "What is proved"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            room = folder / "proved"

            def git(*words):
                subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, capture_output=True, check=True)

            def write(*rows):
                records.write(room, comment, head, list(rows))
                git("add", "-A")
                git("commit", "-qm", "rows")

            (folder / ".gitattributes").write_text((ROOT / ".gitattributes").read_text().replace("tests/mutate/", ""))
            git("init", "-q", "-b", "left")
            write(["1", "rob", "a"], ["1", "rob", "b"], ["1", "pmu", "c"])
            self.assertEqual(sorted(path.name for path in room.iterdir()), ["pmu.tsv", "rob.tsv"])
            git("checkout", "-q", "-b", "right")
            write(["2", "rob", "a"], ["1", "rob", "b"], ["1", "pmu", "c"], ["2", "ctr", "e"])
            git("checkout", "-q", "left")
            write(["3", "rob", "a"], ["3", "rob", "b"], ["3", "ctr", "d"])
            git("merge", "-q", "-m", "both", "right")
            rows = records.read(room)
            for row in (["2", "rob", "a"], ["3", "rob", "a"], ["3", "rob", "b"], ["3", "ctr", "d"], ["2", "ctr", "e"]):
                self.assertIn(row, rows)
            self.assertNotIn(head, rows)
            self.assertFalse((room / "pmu.tsv").exists(), "the file of a module without rows")
            (room / "rob.tsv").write_text("digest\tmodule\tline\n<<<<<<< HEAD\n")
            with self.assertRaisesRegex(SystemExit, "rob.tsv:2: 1 fields"):
                records.read(room)

    def test_local_enums(self):
        """A module's own states, where logic behind assert.svh is allowed."""
        text = "module unit (\n  input logic clk_i\n);\n  typedef enum logic {A, B} state_e;\n  state_e q;\n  always_ff @(posedge clk_i) begin\n    logic n;\n    n = 1'b1;\n    q <= A;\n    ;\n  end\nendmodule\n"
        self.assertIn("B", {m.text for m in Module("unit.sv", text, set(), whole=False).mutants})

    def test_include_above(self):
        """A module that includes assert.svh above itself is mutated as any other."""
        text = '`include "assert.svh"\n' + (UNIT % "").replace('  `include "assert.svh"\n', "")
        self.assertEqual(len(Module("unit.sv", text, set(), whole=False).mutants), len(EXPECTED))
        text = text.replace("endmodule", "  `ASSERT(Lines, (a_i ||\n                  b_i))\nendmodule")
        self.assertEqual(len(Module("unit.sv", text, set(), whole=False).mutants), len(EXPECTED))
        for cut in ("assign x = a_i", "localparam int X = 1"):
            with self.assertRaises(SystemExit):
                Module("unit.sv", text.replace("endmodule", cut), set(), whole=False)

    def test_draw(self):
        """Every module of the core that works has mutants, and what comes later leaves the others' numbers alone."""
        found = drawn()
        self.assertEqual([module.path for module in found if not module.mutants], [])
        self.assertEqual([m.number for module in found for m in module.mutants], list(range(1, 1 + sum(len(module.mutants) for module in found))))
        self.assertGreater(sum(len(module.mutants) for module in found), 2000)

    def test_choices(self):
        """Mutants that a choice between them and the original would change, or that Verilator refuses there, are not drawn."""
        text = (
            "module unit (\n  input logic [7:0] a_i,\n  input word_t rows_i [2],\n  input logic signed [3:0] t_i,\n  output logic [7:0] y_o, z_o,\n  output pair_t p_o\n);\n  logic signed [7:0] s;\n"
            "  assign y_o = $signed(a_i) >>> 1;\n  assign z_o = s + 1;\n  assign w_o = {{4{a_i[0]}}, a_i[3:0]};\n  part u_part (.rows_i(rows_i), .a_i(a_i));\n"
            "  assign p_o = a_i[0] ? '0 : '{x: a_i[2]};\nendmodule\n"
        )
        unit = Module("unit.sv", text, set(), whole=False)
        choices = core_draw.Choices(unit)
        left = {(text[m.start : m.end], m.text) for m in unit.mutants if choices.allows(m)}
        self.assertIn(("a_i", "'0"), left)
        for original, _ in left:
            self.assertNotIn(original, ("rows_i", "4", "s + 1", "$signed(a_i) >>> 1", "s", "1"))
            self.assertNotIn("'{", original)

    def test_benches(self):
        """Every unit test of a module with mutants is run, at each of its configurations; its result belongs to the test and the module."""
        found = drawn()
        every = core_benches.benches(found)
        names = [bench.name for bench in every]
        self.assertLessEqual({"tlb", "lsu", "lsu.tea4", "fp_unit", "rename"}, set(names))
        self.assertEqual(len(names), len(set(names)))
        self.assertNotIn("tip_unit", names)  # mutate.py's
        self.assertGreater(sum(any(bench.covers(module) for bench in every) for module in found), 60)

    def test_pair(self):
        """The copy that the proofs compare has one input more, which chooses, and no mutant but those asked for."""
        found = drawn()
        module = next(module for module in found if module.path.endswith("/busy_table.sv"))
        pair = core_equal.Pair(module)
        text = pair.with_choice(module.schemata(""))
        self.assertRegex(text, r"\n  , input logic \[31:0\] mutant_sel\n\);")
        self.assertEqual(text.count("mutant_sel == ") + text.count("mutant_sel != "), len(module.mutants))
        self.assertIn("rtl/execute/fp_round.sv", core_equal.inside("rtl/execute/fp_lane.sv"))
        self.assertNotIn("rtl/execute/fp_lane.sv", core_equal.inside("rtl/execute/fp_lane.sv"))

    def test_report(self):
        """What is proved equal is no fault: the share killed refers to the rest."""
        unit = Module("rtl/fetch/unit.sv", UNIT % "", set())
        unit.number_from(1)
        chosen = [(unit, mutant) for mutant in unit.mutants[:8]]
        said = {mutant.number: ("unreached", "", "", 0) for _, mutant in chosen}
        said |= {1: ("killed", "vm-3", "lockstep", 10), 2: ("speed", "lb", "only cycles differ", 10)}
        verdicts = core_report.Verdicts(said, {3: ("ras", "failed check")}, {4, 5, 6, 7})
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(None):
            core_report.ROOM, room = pathlib.Path(folder), core_report.ROOM
            share, text = core_report.report([unit], 25, chosen, verdicts, 1000, 1)
            core_report.ROOM = room
        self.assertEqual(share, 50)
        self.assertRegex(text, r"rtl/fetch +8 mutants +2 killed .* 1 by unit tests, +1 by programs; +4 equal by proof, +1 change speed alone, +1 not reached")
        self.assertEqual(core_report.kind_of("fpvm-12"), "random fpvm")
        self.assertEqual(core_report.kind_of("sort"), "ISA tests and workloads")

    def test_errors(self):
        with self.assertRaisesRegex(SystemExit, "unit.sv:16: 'q' where ';' should be"):
            module("  assign y_o = q q;")

    def test_copy(self):
        """The copy with mutant K, cycle by cycle beside the source with that one change and beside the original."""
        unit = module()
        unit.number_from(1)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            copy = unit.schemata('  int mutant_sel;\n  initial if (!$value$plusargs("mutant=%d", mutant_sel)) mutant_sel = 0;\n')
            sides = [copy.replace("module unit", "module copy")]
            for mutant in [None, *unit.mutants]:
                text = unit.applied(mutant) if mutant else unit.text
                sides.append(text.replace("module unit", f"module unit{mutant.number if mutant else 0}"))
            count = len(unit.mutants)
            rows = "".join(f"  unit{k} u{k} (.clk_i(clk), .a_i(a), .b_i(b), .y_o(y[{k}]));\n" for k in range(count + 1))
            (folder / "top.sv").write_text(
                "\n".join(sides).replace('`include "assert.svh"', "").replace("`ASSERT(Small, q < 4'd15)", "")
                + f"""
module top;
  bit clk, a, b;
  logic [3:0] y [{count + 1}], z;
  int mutant_sel, differs, wrong;
{rows}  copy u_copy (.clk_i(clk), .a_i(a), .b_i(b), .y_o(z));
  initial begin
    if (!$value$plusargs("mutant=%d", mutant_sel)) mutant_sel = 0;
    for (int n = 0; n < 400; n++) begin
      a = 1'(n * 7 / 3 + n / 5);
      b = 1'(n * 5 / 7 + n / 3);
      #1 if (z !== y[mutant_sel]) wrong++;
      if (z !== y[0]) differs++;
      clk = 1; #1 clk = 0;
    end
    $display("%0d wrong %0d differs", wrong, differs);
    $finish;
  end
endmodule
"""
            )
            built = subprocess.run(
                [
                    "verilator",
                    "--binary",
                    "-MAKEFLAGS",
                    "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
                    "-Wno-lint",
                    "-Wno-style",
                    "--Mdir",
                    folder / "obj",
                    "--top-module",
                    "top",
                    folder / "top.sv",
                ],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(built.returncode, 0, built.stderr[-2000:])
            for number in range(count + 1):
                out = subprocess.run([folder / "obj/Vtop", f"+mutant={number}"], capture_output=True, text=True, check=True).stdout.split("\n")[0].split()
                self.assertEqual(out[0], "0", f"mutant {number}: the copy is not what applied() says")
                self.assertEqual(out[2] != "0", number != 0, f"mutant {number} of {count} behaves as the original")


class Copies(unittest.TestCase):
    """What takes Verilator a minute."""

    def test_copies(self):
        """Verilator understands the copies of all modules of mutate.py, in benches that have each of them at least once."""
        found = units.modules()
        with tempfile.TemporaryDirectory() as name:
            copies = benches.write_copies(found, pathlib.Path(name))
            for module in found:
                self.assertTrue(any(benches.Bench(bench).covers(module) for bench in mutate.BENCHES), module.path)
            for bench in map(benches.Bench, ("profile_top_tip2", "profileme_narrow1", "ctr", "rob", "branch_history", "vector_gate", "wide_counter")):
                done = benches.run(["verilator", "--lint-only", *benches.VERILATOR, *bench.inputs(copies)[0]])
                self.assertEqual(done.returncode, 0, f"{bench.name}: {done.stdout[:2000]}")

    def test_core_copies(self):
        """Verilator understands the model whose modules hold all mutants and note them: its sources are the Makefile's."""
        found = drawn()
        with tempfile.TemporaryDirectory() as name:
            copies = core_model.write_copies(found, pathlib.Path(name), True)
            done = benches.run([*core_model.VERILATOR, *core_model.CIRCLES, "--lint-only", *core_model.sources(copies)])
        self.assertEqual(done.returncode, 0, done.stdout[:2000])


if __name__ == "__main__":
    unittest.main()
