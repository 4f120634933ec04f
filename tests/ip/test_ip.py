#!/usr/bin/env python3
"""The release folder of the profiling units (`make ip`), copied out of the tree: it lints, elaborates and simulates there, alone."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/overhead"))
import flow  # noqa: E402

# Two of another width and kind, by prefix: what else release.py is told.
RELEASES = {"tipoff": ["--lanes", "2", "--rob", "32", "--counters", "4"], "wide": ["--lanes", "4", "--rob", "64", "--counters", "1", "--tea", "0"]}
CLASHES = """package config_pkg; endpackage
package records_pkg; endpackage
`define ASSERT(a, b, c) initial if (!(b)) $display(a, c);
module lfsr; endmodule
module pmu; lfsr u_lfsr (); endmodule
"""


class Ip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = tempfile.TemporaryDirectory()
        cls.copies = pathlib.Path(cls.room.name) / "elsewhere"
        for prefix, options in RELEASES.items():
            made = pathlib.Path(cls.room.name) / "made" / prefix
            subprocess.run([ROOT / "scripts/ip/release.py", "--prefix", prefix, *options, made], check=True, stdout=subprocess.DEVNULL)
            shutil.copytree(made, cls.copies / prefix)
        shutil.rmtree(pathlib.Path(cls.room.name) / "made")

    @classmethod
    def tearDownClass(cls):
        cls.room.cleanup()

    def run_there(self, prefix, *command):
        """A tool in a copy, which is told nothing of this tree."""
        done = subprocess.run([str(word) for word in command], cwd=self.copies / prefix, env={"PATH": os.environ["PATH"]}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120)
        return done.returncode, done.stdout + done.stderr

    def simulate(self, prefix):
        status, said = self.run_there(prefix, "iverilog", "-g2005", "-Wall", "-o", "bench.vvp", f"verilog/{prefix}_flat.v", f"bench/{prefix}_flat_bench.v")
        self.assertEqual(status, 0, said)
        return self.run_there(prefix, "vvp", "-n", "bench.vvp")

    def test_lint(self):
        for prefix in RELEASES:
            for top, more in ((f"{prefix}_flat", []), (f"{prefix}_profile_top", []), (f"{prefix}_bundle_rules", [f"check/{prefix}_bundle_rules.sv"])):
                files = ["-f", "profile.f"] if not more else ["-Iinclude", *[f"rtl/{prefix}_{name}_pkg.sv" for name in ("config", "events", "records")], *more]
                waivers = ["-Wno-UNUSEDPARAM"] if more else []  # packages that the rules alone do not use up
                status, said = self.run_there(prefix, "verilator", "--lint-only", "-Wall", *waivers, *files, "--top-module", top)
                self.assertEqual((status, said), (0, ""), top)

    def test_synthesis_front_end(self):
        for prefix in RELEASES:
            copy = self.copies / prefix
            files = [copy / line for line in (copy / "profile.f").read_text().splitlines() if line.endswith(".sv")]
            flow.elaborate({"top": f"{prefix}_profile_top", "files": [*files, copy / f"include/{prefix}_assert.svh"]}, copy)
            self.assertIn("attribute \\top 1", (copy / "design.il").read_text())

    def test_simulation(self):
        for prefix in RELEASES:
            status, said = self.simulate(prefix)
            self.assertRegex(said, r"^\d+ passed, 0 failed")
            self.assertGreater(int(said.split()[0]), 25)
            self.assertEqual(status, 0)

    def test_bench_sees_a_fault(self):
        """A unit that knows nothing of mispredictions: the bench of the copy says so."""
        shutil.copytree(self.copies / "tipoff", self.copies / "broken")
        copy = self.copies / "broken"
        unit = copy / "rtl" / "tipoff_sample_select.sv"
        text = unit.read_text()
        unit.write_text(text.replace("oir_i.valid && (oir_i.mispredict ||", "oir_i.valid && (1'b0 ||"))
        self.assertNotEqual(unit.read_text(), text)
        files = [copy / line for line in (copy / "profile.f").read_text().splitlines() if line.endswith(".sv")]
        flow.elaborate({"top": "tipoff_flat", "files": [*files, copy / "include/tipoff_assert.svh"]}, copy)
        subprocess.run(["yosys", "-q", "-p", f"read_rtlil {copy}/design.il; write_verilog -noattr {copy}/verilog/tipoff_flat.v"], check=True)
        for path in (copy / "verilog", copy / "bench"):
            for file in path.iterdir():
                file.rename(file.with_name(file.name.replace("tipoff", "broken")))
        _, said = self.simulate("broken")
        self.assertIn("FAIL", said)
        self.assertIn("Flushed", said)

    def test_clashes_with_nobody(self):
        """Both releases, of two widths, beside another's packages, modules and macro of the usual names."""
        room = self.copies
        (room / "others.sv").write_text(CLASHES)
        (room / "chip.sv").write_text("module chip (input logic clk_i, rst_ni);\n" + "".join(
            f"  {prefix}_profile_top u_{prefix} (.clk_i, .rst_ni, .bundle_i('0), .trigger_i('0), .csr_req_i('0));\n" for prefix in RELEASES) + "  pmu u_pmu ();\nendmodule\n")
        done = subprocess.run(["verilator", "--lint-only", "others.sv", *[f"-I{prefix}/include" for prefix in RELEASES],
                               *[f"{prefix}/{line}" for prefix in RELEASES for line in (room / prefix / "profile.f").read_text().splitlines() if line.endswith(".sv")],
                               "chip.sv", "--top-module", "chip", "-Wno-PINMISSING"], cwd=room, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_lists_agree(self):
        for prefix in RELEASES:
            copy = self.copies / prefix
            listed = [line for line in (copy / "profile.f").read_text().splitlines() if line.endswith(".sv")]
            self.assertEqual(sorted(listed), sorted(str(path.relative_to(copy)) for path in (copy / "rtl").glob("*.sv")))
            for name in ("Bender.yml", f"{prefix}_profile.core"):
                text = (copy / name).read_text()
                self.assertEqual(re.findall(r"- (rtl/\S+)", text), listed, name)
                for path in re.findall(r"- ((?:rtl|check|include)/[\w./]+)", text):
                    self.assertTrue((copy / path.rstrip(":")).exists(), f"{name}: {path}")

    def test_names(self):
        """Every package, module and macro begins with the prefix; nothing speaks of this tree."""
        for prefix in RELEASES:
            for path in (self.copies / prefix).rglob("*.*v*"):
                if path.suffix not in (".sv", ".svh", ".v"):
                    continue
                text = re.sub(r"//.*", "", path.read_text())
                for name in re.findall(r"^\s*(?:module|package)\s+(\w+)", text, re.MULTILINE) if path.parent.name != "verilog" else ():
                    self.assertTrue(name.startswith(f"{prefix}_"), f"{path.name}: {name}")
                for name in re.findall(r"`define (\w+)", text):
                    self.assertTrue(name.startswith(prefix.upper() + "_"), f"{path.name}: {name}")
                self.assertNotIn(str(ROOT), text)

    def test_refuses(self):
        full = self.copies / "full"
        full.mkdir()
        (full / "mine").write_text("x")
        done = subprocess.run([ROOT / "scripts/ip/release.py", full], capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("is no release", done.stderr)
        self.assertTrue((full / "mine").exists())


if __name__ == "__main__":
    unittest.main()
