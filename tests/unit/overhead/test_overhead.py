#!/usr/bin/env python3
"""scripts/overhead: flip-flops are accounted for by name, reports of OpenSTA are read right, and the page follows from its data."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts/overhead"), str(ROOT / "scripts")]
import document  # noqa: E402
import flow  # noqa: E402
import library  # noqa: E402
import page_head  # noqa: E402
import state  # noqa: E402

KNOWN = {"W": 1, "V": 1, "PsvBits": 9, "LaneBits": 1, "SpaceBits": 44, "AddressBits": 40, "Counters": 1, "PmuEvents": 32}

REPORT = """Startpoint: g7 (rising edge-triggered flip-flop clocked by clock)
Endpoint: g9 (rising edge-triggered flip-flop clocked by clock)
Path Group: clock
Path Type: max

   Delay     Time   Description
---------------------------------------------------------------
  0.0000   0.0000   clock clock (rise edge)
  0.0000   0.0000 ^ g7/CLK (DFFPOSX1)
  0.2000   0.2000 ^ g7/Q (DFFPOSX1)
  0.1000   0.3000 v g8/Y (INVX1)
  0.2500   0.5500 ^ g3/Y (NAND2X1)
  0.0000   0.5500 ^ g9/D (DFFPOSX1)
           0.5500   data arrival time

1000.0000 1000.0000   clock clock (rise edge)
 -0.0800 999.9200   library setup time
         999.9200   data required time
"""


def flops_of(table):
    return [
        [f"{state.TOP}{row['register'].replace('gen_*.u_t*_unit', 'gen_tea.u_tea_unit')}[{bit}]"]
        for row in table
        for bit in range(state.value(row["bits"], KNOWN))
    ]


class Netlist(unittest.TestCase):
    def test_made_once(self):
        """A netlist that has been made is not made again, one that was given up half-way is, and one of other sources too."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            liberty, source = folder / "cells.lib", folder / "top.sv"
            liberty.write_text("")
            source.write_text("module top; endmodule\n")
            design, cells, made = {"top": "top", "files": [source]}, unittest.mock.Mock(liberty=liberty), []
            with unittest.mock.patch.multiple(flow, ROOM=folder, elaborate=lambda *_: made.append("il"), map_to_gates=unittest.mock.DEFAULT) as parts:
                parts["map_to_gates"].side_effect = SystemExit
                with self.assertRaises(SystemExit):
                    flow.mapped(design, cells)
                parts["map_to_gates"].side_effect = None
                first = flow.mapped(design, cells)
                self.assertEqual((flow.mapped(design, cells), len(made), parts["map_to_gates"].call_count), (first, 2, 2))
                source.write_text("module top; wire w; endmodule\n")
                self.assertNotEqual(flow.mapped(design, cells), first)
                self.assertEqual(len(made), 3)


class State(unittest.TestCase):
    def setUp(self):
        self.flops = flops_of(state.rows("state.tsv"))

    def test_all_accounted(self):
        self.assertEqual(state.differences(self.flops, KNOWN), [])
        self.assertEqual(sum(state.by_purpose(self.flops, KNOWN).values()), len(self.flops))

    def test_one_missing(self):
        self.flops.remove([f"{state.TOP}u_oir_update.oir_q[5]"])
        self.assertEqual(len(state.differences(self.flops, KNOWN)), 1)
        self.assertIn("u_oir_update.oir_q: 98 flip-flops", state.differences(self.flops, KNOWN)[0])

    def test_a_stranger(self):
        wrong = state.differences([*self.flops, ["u_profile_top.u_pmu.more_q[3]"], []], KNOWN)
        self.assertEqual(len(wrong), 2)
        self.assertIn("more_q", wrong[0])

    def test_any_of_its_names(self):
        self.assertEqual(state.register(["lcofi_o", f"{state.TOP}u_sample_delivery.story_q[3]"], state.rows("state.tsv"))["purpose"], "story")

    def test_sums_of_products_only(self):
        self.assertEqual(state.value("1 + 2 * W + PsvBits", KNOWN), 12)
        for text in ("open('x')", "Other", "W.real"):
            with self.assertRaises(SystemExit):
                state.value(text, KNOWN)


class Samplers(unittest.TestCase):
    """Tables of what samples instructions and records branches."""

    def flops(self, name, **sizes):
        known = {
            "W": 2,
            "PsvBits": 9,
            "SpaceBits": 44,
            "FetchBuffer": 12,
            "FetchWidth": 4,
            "FtqEntries": 16,
            "RobIdxBits": 6,
            "PregBits": 7,
            "CtrDepth": 16,
            **sizes,
        }
        return [
            [f"{row['register'].replace('gen_tag*', 'gen_tag[0]')}[{bit}]"] if row["register"] != "(no name)" else []
            for row in state.rows(name)
            for bit in range(state.value(row["bits"], known))
        ], known

    def test_all_accounted(self):
        for tags, records, due in ((1, 1, 1449), (2, 4, 3215), (4, 4, 4097)):
            flops, known = self.flops("state_profileme.tsv", Tags=tags, Records=records, Pairs=min(tags // 2, 1), Seconds=tags // 2)
            self.assertEqual(state.differences(flops, known, "state_profileme.tsv"), [])
            self.assertEqual(len(flops), due)
        for name, due in (("state_ctr.tsv", 2809), ("state_history.tsv", 336)):
            flops, known = self.flops(name)
            self.assertEqual(state.differences(flops, known, name), [])
            self.assertEqual(len(flops), due)

    def test_one_missing_and_a_stranger(self):
        flops, known = self.flops("state_ctr.tsv")
        flops.remove(["live_q[3]"])
        wrong = state.differences([*flops, ["more_q"], []], known, "state_ctr.tsv")
        self.assertEqual([line.split(":")[0] for line in wrong], ["live_q", "more_q", "(a flip-flop without a name)"])

    def test_bits_of_a_number(self):
        self.assertEqual([state.value(f"bits({n})", {}) for n in (1, 2, 3, 4, 5, 15, 16, 17)], [0, 1, 2, 2, 3, 4, 4, 5])
        with self.assertRaises(SystemExit):
            state.value("bits(1, 2)", {})


class Timing(unittest.TestCase):
    def test_path(self):
        path = flow.read_path(REPORT)
        self.assertAlmostEqual(path["ns"], 0.55 + 0.08)  # what the register at its end needs is part of the cycle
        self.assertEqual((path["start"], path["end"], path["gates"], path["kinds"]), ("g7", "g9", 2, ["INVX1", "NAND2X1"]))

    def test_no_path(self):
        with self.assertRaises(SystemExit):
            flow.read_path("No paths found.\n")

    def test_library(self):
        with tempfile.TemporaryDirectory() as folder:
            liberty = pathlib.Path(folder) / (library.FILES + ".lib")
            liberty.parent.mkdir(parents=True)
            liberty.write_text(
                "library(small) {\n"
                + "".join(f"cell ({cell}) {{\n  cell_footprint : x;\narea : {area};\n}}\n" for cell, area in (("NAND2X1", 24), ("DFFPOSX1", 96), ("BUFX2", 24)))
                + "}\n"
            )
            cells = library.Library(pathlib.Path(folder))
            self.assertEqual((cells.name, cells.gates(96)), ("small", 4))
            liberty.write_text("library(none) {\n}\n")
            with self.assertRaises(SystemExit):
                library.Library(pathlib.Path(folder))


class Page(unittest.TestCase):
    def test_page_follows_from_its_data(self):
        results = json.loads((ROOT / "docs/results/overhead.json").read_text())
        self.assertEqual("\n".join(document.text(results)).rstrip("\n") + "\n", page_head.body((ROOT / "docs/results/overhead.md").read_text()))
        units = state.rows("units.tsv")
        self.assertEqual(
            {(row["unit"], row["lanes"]) for row in results["units"]}, {(row["unit"], int(width)) for row in units for width in row["widths"].split()}
        )
        for row in results["units"]:
            if "bits by purpose" in row:
                self.assertEqual(sum(row["bits by purpose"].values()), row["flip-flops"])

    def test_unknown_unit(self):
        done = subprocess.run([ROOT / "scripts/overhead/overhead.py", "--only", "nobody"], capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("units.tsv", done.stderr)


if __name__ == "__main__":
    unittest.main()
