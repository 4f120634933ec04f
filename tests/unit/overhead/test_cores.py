#!/usr/bin/env python3
"""scripts/overhead, cores: which memories are macros, netlists of modules, registers by name, reports of paths through several modules."""
import pathlib
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/overhead"))
import activity  # noqa: E402
import document_cores  # noqa: E402
import fingerprint  # noqa: E402
import flow_cores  # noqa: E402
import flow_timing  # noqa: E402
import gate_activity  # noqa: E402
import hierarchy  # noqa: E402
import library  # noqa: E402
import macros  # noqa: E402
import structural  # noqa: E402


def memory(words, width, reads, writes, fixed_reads=0, fixed_writes=0, clocked=0):
    """A $mem_v2 as Yosys writes it to JSON; its wires are numbered from 10 on."""
    abits = (words - 1).bit_length()
    count = iter(range(10, 100000))

    def wires(size, fixed=0):
        return ["0"] * (abits * fixed) + [next(count) for _ in range(size - abits * fixed)]

    parameters = {"MEMID": "\\array_q", "SIZE": words, "WIDTH": width, "ABITS": abits, "RD_PORTS": reads, "WR_PORTS": writes, "RD_CLK_ENABLE": 2**clocked - 1}
    return {
        "type": "$mem_v2",
        "parameters": {key: value if isinstance(value, str) else f"{value:032b}" for key, value in parameters.items()},
        "connections": {
            "RD_ADDR": wires(abits * reads, fixed_reads),
            "RD_DATA": wires(width * reads),
            "WR_ADDR": wires(abits * writes, fixed_writes),
            "WR_DATA": wires(width * writes),
            "WR_EN": [5] * width * writes,
            "WR_CLK": [2] * writes,
            "RD_CLK": [2] * reads,
        },
    }


class Macros(unittest.TestCase):
    def test_which(self):
        for expected, cell in (
            (True, memory(32, 16, 2, 1)),
            (False, memory(4, 512, 1, 1)),
            (False, memory(16, 70, 16, 1, fixed_reads=16)),
            (False, memory(12, 48, 2, 2)),
            (True, memory(120, 64, 9, 7, fixed_writes=1)),
            (False, memory(64, 8, 2, 0)),
        ):
            self.assertEqual(macros.is_macro(macros.ports(cell)), expected)

    def test_writes_at_reset_are_no_ports(self):
        self.assertEqual(macros.shape(macros.ports(memory(120, 64, 9, 70, fixed_writes=64))), (120, 64, 9, 0, 6))

    def test_gates(self):
        self.assertAlmostEqual(macros.gates((64, 10, 0, 1, 1)), 640 * 0.4)
        self.assertAlmostEqual(macros.gates((64, 10, 2, 0, 1)), 640 * 3.0)
        self.assertGreater(macros.gates((64, 10, 2, 0, 2)), macros.gates((64, 10, 2, 0, 1)))

    def test_pins_are_those_of_the_liberty_cell(self):
        found = macros.ports(memory(32, 3, 2, 1, clocked=1))
        text = macros.liberty({macros.shape(found)}, 0.1, lambda words: 0.5)
        for pin, _ in macros.pins(found):
            self.assertIn(f"pin ({pin})", text)
        self.assertEqual([pin for pin, _ in macros.pins(found) if pin.startswith("W0E")], ["W0E0"])  # its bits are written together
        self.assertIn('related_pin : "A0A0 A0A1 A0A2 A0A3 A0A4"', text)


class Netlist(unittest.TestCase):
    def setUp(self):
        self.cells = types.SimpleNamespace(area={"DFFPOSX1": 96, "NAND2X1": 24})
        self.module = {
            "ports": {
                "clk_i": {"direction": "input", "bits": [2]},
                "a_i": {"direction": "input", "bits": [3, 4]},
                "y_o": {"direction": "output", "bits": [6, "1"]},
            },
            "netnames": {"clk_i": {"bits": [2]}, "count_q": {"bits": [6]}, "y_o": {"bits": [6, "1"]}, "$1": {"hide_name": 1, "bits": [5]}},
            "cells": {
                "g": {"type": "NAND2X1", "connections": {"A": [3], "B": [4], "Y": [5]}},
                "f": {"type": "DFFPOSX1", "connections": {"CLK": [2], "D": [5], "Q": [6]}},
                "gen[0].u_sub": {"type": "child0", "connections": {"x_i": [5, 6]}},
                "array_q": memory(8, 1, 1, 1),
            },
        }

    def test_written(self):
        text, summary = structural.written(self.module, self.cells)
        self.assertEqual(summary, {"cells": {"NAND2X1": 1, "DFFPOSX1": 1}, "registers": {"count_q": 1}, "memories": {"array_q": [8, 1, 1, 0, 1]}})
        for line in (
            "module m (clk_i_0_, a_i_0_, a_i_1_, y_o_0_, y_o_1_);",
            "NAND2X1 g0 (.A(a_i_0_), .B(a_i_1_), .Y(n5));",
            "DFFPOSX1 count_q_b0_ (.CLK(clk_i_0_), .D(n5), .Q(n6));",
            "child0 gen_0__u_sub (.x_i_0_(n5), .x_i_1_(n6));",
            "assign y_o_1_ = 1'b1;",
        ):
            self.assertIn(line, text)

    def test_a_register_of_a_macro_that_is_an_output(self):
        """The netlist knows it by the output's name, the source by its own: it is part of the macro by either."""
        nets = {"data_o": {"bits": [5, 6]}, "gen_read[0].data_q": {"bits": [5, 6]}, "other_q": {"bits": [7]}}
        module = {"ports": {"data_o": {"direction": "output", "bits": [5, 6]}, "more_o": {"direction": "output", "bits": [7]}}, "netnames": nets}
        self.assertEqual(flow_cores.held_registers({"held": ["data_o"]}, module), {"data_o", "gen_read[0].data_q"})

    def test_a_cell_of_no_library(self):
        self.module["cells"]["g"]["type"] = "$and"
        with self.assertRaises(SystemExit):
            structural.written(self.module, self.cells)

    def test_children_get_their_names(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = pathlib.Path(folder)
            (kept / "1.v").write_text("module m (a);\nchild0 u_sub (.x(a));\nendmodule\n")
            (kept / "2.v").write_text("module m (x);\nendmodule\n")
            whole = "".join(structural.whole("top", {"top": {"key": "1", "children": ["sub$top.u_sub"]}, "sub$top.u_sub": {"key": "2", "children": []}}, kept))
        self.assertEqual(whole, "module top (a);\nsub_1 u_sub (.x(a));\nendmodule\nmodule sub_1 (x);\nendmodule\n")


class Modules(unittest.TestCase):
    def test_equal_but_for_numbers_and_place(self):
        texts = {
            name: f"module \\{name}\n  wire width 2 input 1 \\a_i\n  cell \\{child} \\u_sub\n    connect \\x $and$f.sv:1${number}_Y\n  end\nend\n"
            for name, child, number in (("a$t.u_a", "s$t.u_a.u_sub", 12), ("a$t.u_b", "s$t.u_b.u_sub", 345))
        }
        texts.update({name: f"module \\{name}\n  wire input 1 \\x\nend\n" for name in ("s$t.u_a.u_sub", "s$t.u_b.u_sub")})
        one, two = (hierarchy.canonical(name, texts) for name in ("a$t.u_a", "a$t.u_b"))
        self.assertEqual(one, two)
        self.assertIn("attribute \\blackbox 1\nmodule \\child0\n  wire input 1 \\x\nend\n", one)


def module(first, second, swapped=False, inverted=False):
    """y = reg(a + b), and not of it where inverted; private names, order and the sum's operands as asked."""

    def cell(kind, wires, outputs, widths=()):
        return {
            "type": kind,
            "parameters": {**{f"{side}_WIDTH": "1" for side in widths}, **{f"{side}_SIGNED": "0" for side in widths if side != "Y"}},
            "connections": wires,
            "port_directions": {port: "output" if port in outputs else "input" for port in wires},
        }

    sides = {"A": [3], "B": [2]} if swapped else {"A": [2], "B": [3]}
    cells = [
        (first, cell("$add", {**sides, "Y": [first]}, "Y", "ABY")),
        (second, cell("$not" if inverted else "$pos", {"A": [first], "Y": [second]}, "Y", "AY")),
        ("ff", cell("$dff", {"CLK": [1], "D": [second], "Q": [9]}, "Q")),
    ]
    return {
        "ports": {
            **{name: {"direction": "input", "bits": [bit]} for name, bit in (("clk_i", 1), ("a_i", 2), ("b_i", 3))},
            "y_o": {"direction": "output", "bits": [9]},
        },
        "netnames": {"sum_q": {"bits": [9]}},
        "cells": {f"$c{name}": what for name, what in (reversed(cells) if swapped else cells)},
    }


class Fingerprints(unittest.TestCase):
    def test_neither_order_nor_numbers(self):
        self.assertEqual(fingerprint.fingerprint(module(20, 21), {}), fingerprint.fingerprint(module(77, 31, swapped=True), {}))

    def test_another_function(self):
        self.assertNotEqual(fingerprint.fingerprint(module(20, 21), {}), fingerprint.fingerprint(module(20, 21, inverted=True), {}))


WAVES = """$scope module top $end
$scope module u_a $end
$var logic 2 ! count_q [1:0] $end
$scope struct info_q[0] $end
$var logic 1 " valid $end
$var logic 2 # kind [1:0] $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
b0 !
0"
b10 #
#10
b1 !
1"
#20
b10 !
#40
"""


class Activity(unittest.TestCase):
    def test_changes_and_time(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "w.vcd"
            path.write_text(WAVES)
            found, ticks = activity.read(path, ("top.u_a",))
        self.assertEqual(ticks, 40)
        self.assertEqual(activity.bits(found["top.u_a"], "count_q"), [(2, 10), (1, 20)])
        self.assertEqual(activity.bits(found["top.u_a"], "info_q[0]"), [(0, 0), (0, 40), (1, 30)])  # the last field's bits first
        self.assertEqual(activity.bits(found["top.u_a"], "other"), [])

    def test_order_of_bits(self):
        one = lambda: activity.Variable(2)
        found = {
            "port_i[0].b": one(),
            "port_i[0].a": one(),
            "port_i[1].b": one(),
            "port_i[1].a": one(),
            "room_o.free": one(),
            "room_o.place[0].idx": one(),
            "room_o.place[1].idx": one(),
        }
        self.assertEqual(activity.keys(found, "port_i"), ["port_i[1].a", "port_i[1].b", "port_i[0].a", "port_i[0].b"])  # unpacked: the last element is lowest
        self.assertEqual(activity.keys(found, "room_o"), ["room_o.place[0].idx", "room_o.place[1].idx", "room_o.free"])  # packed: the first one

    def test_values_before_the_clock(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "w.vcd"
            path.write_text(
                "$scope module top $end\n$var wire 1 ! clk_i $end\n$var wire 3 a count_q [2:0] $end\n$upscope $end\n#0\n0!\nb1 a\n#1\n1!\nb10 a\n#2\n0!\n#3\n1!\nb11 a\n#4\n0!\n#5\n1!\n"
            )
            found, _ = activity.read(path, ("top",), "clk_i")
        self.assertEqual(activity.by_cycle(found["top"], "count_q"), ["100", "010", "110"])  # bit 0 first
        self.assertEqual(activity.busy(found["top"], "count_q"), (2, 2))


PIPELINE = """module top (clk_i_0_, a_i_0_);
input clk_i_0_;
input a_i_0_;
core u_core (.c(clk_i_0_), .a(a_i_0_));
endmodule
module core (c, a);
input c;
input a;
part u_decode_stage (.c(c), .d(a), .q(n1));
rename u_rename_stage (.c(c), .d(n1), .q(n2));
part u_other (.c(c), .d(n2), .q(n3));
endmodule
module part (c, d, q);
input c;
input d;
output q;
INVX1 g0 (.A(d), .Y(n1));
INVX1 g1 (.A(n1), .Y(n2));
INVX1 g2 (.A(n2), .Y(n3));
DFFPOSX1 uop_q_b0_ (.CLK(c), .D(n3), .Q(q));
endmodule
module rename (c, d, q);
input c;
input d;
output q;
INVX1 g0 (.A(d), .Y(n1));
rat u_map_table (.c(c), .d(n1), .q(q));
endmodule
module rat (c, d, q);
input c;
input d;
output q;
NAND2X1 g0 (.A(d), .B(q), .Y(n1));
DFFPOSX1 map_q_b0_ (.CLK(c), .D(n1), .Q(q));
endmodule
"""


class Own(unittest.TestCase):
    def test_from_register_to_register(self):
        """What is compared with the units is the core's own work from these registers to those, not what else is longer, and nothing where it has none."""
        cells = library.fetched()
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "gates.v").write_text(PIPELINE)
            (folder / "macros.lib").write_text(macros.liberty(set(), 0.1, lambda words: 0.5))
            found = flow_timing.own("top", folder, cells)
        self.assertEqual(list(found), ["rename of a packet"])
        path = found["rename of a packet"]
        self.assertEqual((path["start"], path["end"], path["gates"]), ("u_core/u_decode_stage/uop_q", "u_core/u_rename_stage/u_map_table/map_q", 2))
        self.assertGreater(path["ns"], 0.2)


MODULES = {
    "top": """module m (clk_i_0_, a_i_0_, y_o_0_, v_o_0_);
input clk_i_0_;
input a_i_0_;
output y_o_0_;
output v_o_0_;
DFFPOSX1 count_q_b0_ (.CLK(clk_i_0_), .D(n1), .Q(n2));
DFFPOSX1 psv_q_b0_ (.CLK(clk_i_0_), .D(n4), .Q(n5));
child0 u_x (.x_i_0_(a_i_0_), .x_i_1_(n2), .y_o_0_(n1));
NAND2X1 g0 (.A(n2), .B(a_i_0_), .Y(n3));
INVX1 g1 (.A(n3), .Y(n4));
assign y_o_0_ = n2;
assign v_o_0_ = n5;
endmodule
""",
    "x$top.u_x": """module m (x_i_0_, x_i_1_, y_o_0_);
input x_i_0_;
input x_i_1_;
output y_o_0_;
XOR2X1 g0 (.A(x_i_0_), .B(x_i_1_), .Y(n7));
assign y_o_0_ = n7;
endmodule
""",
}


class GateActivity(unittest.TestCase):
    """A bit that adds up its input, and a vector of one bit beside it, in two modules."""

    def worked_out(self, count):
        def variable(text):
            found = activity.Variable(1)
            found.cycles = list(text)
            return found

        variables = {
            "clk_i": variable("0000"),
            "a_i": variable("1011"),
            "count_q": variable(count),
            "psv_q": variable("0001"),
            "y_o": variable(count),
            "v_o": variable("0001"),
        }
        summaries = {name: {"key": name, "registers": {"count_q": 1, "psv_q": 1} if name == "top" else {}} for name in MODULES}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in MODULES.items():
                (pathlib.Path(folder) / f"{name}.v").write_text(text)
            liberty = pathlib.Path(folder) / "cells.lib"
            liberty.write_text(
                "".join(
                    f'cell ({name}) {{\n pin(Y)  {{\n direction : output;\n function : "{text}";\n }}\n}}\n'
                    for name, text in (("NAND2X1", "(!(A B))"), ("INVX1", "(!A)"), ("XOR2X1", "(A^B)"))
                )
            )
            return gate_activity.worked_out("top", summaries, pathlib.Path(folder), variables, types.SimpleNamespace(liberty=liberty))

    def test_alike(self):
        found = self.worked_out("0110")
        self.assertEqual(found["differ"], [])
        self.assertEqual(found["pins"]["u_x/g0/Y"], (2 / 3, 0.75))
        self.assertEqual(found["pins"]["count_q_b0_/Q"], (2 / 3, 0.5))
        self.assertEqual(found["vectors"], (["psv_q_b0_"], ["g0", "g1"]))

    def test_a_register_that_the_netlist_would_not_give(self):
        self.assertEqual(self.worked_out("0111")["differ"], ["count_q_b0_"])

    def test_functions_of_a_library(self):
        for text, a, b, c, due in (("(!((A B)+C))", 3, 5, 8, 6), ("((!A B) + C)", 3, 5, 8, 12), ("(!(A^B))", 3, 5, 0, 9)):
            with tempfile.TemporaryDirectory() as folder:
                liberty = pathlib.Path(folder) / "cells.lib"
                liberty.write_text(f'cell (X) {{\n pin(Y)  {{\n function : "{text}";\n }}\n}}\n')
                expression = gate_activity.functions(types.SimpleNamespace(liberty=liberty))["X"]["Y"]
            self.assertEqual(eval(expression, {"A": a, "B": b, "C": c, "M": 15}) & 15, due)


class Registers(unittest.TestCase):
    def test_left_over_by_name(self):
        found = {
            "registers": {"a_q": 3, "words_q[0]": 2, "words_q[1]": 2},
            "memories": {"array": [8, 4, 0, 1, 1]},
            "source": {"words_q": 4, "a_q": 4, "array": 32, "data_q": 4, "b_q": 1},
            "in macros": ["data_q"],
        }
        self.assertEqual(flow_cores.differences(found), ({"data_q": -4}, {"a_q": -1, "b_q": -1}))

    def test_by_the_source_s_names(self):
        module = {
            "ports": {"y_o": {"direction": "output", "bits": [6, 7]}},
            "netnames": {"y_o": {"bits": [6, 7]}, "count_q": {"bits": [6]}, "flag_q": {"bits": [7]}},
            "cells": {},
        }
        with tempfile.TemporaryDirectory() as folder:
            kept, hierarchy.KEPT = hierarchy.KEPT, pathlib.Path(folder)
            (hierarchy.KEPT / "1.v").write_text("DFFPOSX1 y_o_b0_ (.Q(a));\nDFFPOSX1 y_o_b1_ (.Q(b));\nDFFPOSX1 other_q_b0_ (.Q(c));\n")
            found = flow_cores.netlist_registers({"key": "1", "registers": {"y_o": 2, "other_q": 1}}, module)
            hierarchy.KEPT = kept
        self.assertEqual(found, {"count_q": 1, "flag_q": 1, "other_q": 1})

    def test_purposes(self):
        for name, what in (
            ("gen_units.u_profile_top.u_oir_update.oir_q", "OIR"),
            ("u_core.u_commit_stage.u_rob.psv_q", "ROB vectors"),
            ("u_core.u_lsu.u_load_queue.x_q", "LSU"),
            ("u_core.u_x.y_q", "rest"),
        ):
            self.assertEqual(document_cores.purpose(name), what)


class Paths(unittest.TestCase):
    def test_where_time_is_spent(self):
        steps = [("u_core/u_a/x_q_b3_", "DFFPOSX1", 0.2), ("u_core/u_a/g1", "NAND2X1", 0.1), ("u_core/u_a/gen_0__u_b/g1", "INVX1", 0.3), ("g7", "INVX1", 0.1)]
        self.assertEqual(flow_timing.by_place(steps), [("u_a", 0.3), ("u_a.gen_0__u_b", 0.3), ("(ports)", 0.1)])

    def test_registers(self):
        self.assertEqual([flow_timing.register(name) for name in ("u/head_q_b3_", "u/array_q_2__b11___2", "data_i_7_")], ["u/head_q", "u/array_q_2_", "data_i"])


if __name__ == "__main__":
    unittest.main()
