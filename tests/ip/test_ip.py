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

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/overhead"))
import flow  # noqa: E402

# Two of another width and kind, by prefix: what else release.py gets.
RELEASES = {"tipoff": ["--lanes", "2", "--rob", "32", "--counters", "4"], "wide": ["--lanes", "4", "--rob", "64", "--counters", "1", "--tea", "0"]}
# Formats of manifests: a mapping by its keys (others are refused; ANY: any key), a list by its entries, a value by its type; several: one of them.
ANY = object()
# The part of FuseSoC's schema (CAPI2: fusesoc/capi2/json_schema.py of its sources) that releases use.
CAPI2 = {
    "name": str,
    "description": str,
    "filesets": {
        ANY: {"files": [(str, {ANY: {"is_include_file": bool, "include_path": str, "file_type": str}})], "file_type": str, "logical_name": str, "depend": [str]}
    },
    "targets": {ANY: {"filesets": [str], "toplevel": (str, [str]), "description": str, "flow": str, "flow_options": {ANY: (str, int, bool, list, dict)}}},
}
# Bender's manifest (its README, "Manifest Format").
BENDER = {
    "package": {"name": str, "authors": [str]},
    "export_include_dirs": [str],
    "sources": [(str, {"include_dirs": [str], "files": [str], "target": str, "defines": {ANY: (str, type(None))}})],
}


def misfit(value, form, where=""):
    """Where the value does not have that form; None: it has."""
    if isinstance(form, tuple):
        wrong = [misfit(value, one, where) for one in form]
        return None if None in wrong else wrong[-1]
    if isinstance(form, dict) and isinstance(value, dict):
        return next(
            (
                found
                for key, inner in value.items()
                if (
                    found := misfit(inner, form[key], f"{where}/{key}")
                    if key in form
                    else misfit(inner, form[ANY], f"{where}/{key}")
                    if ANY in form
                    else f"{where}/{key}"
                )
            ),
            None,
        )
    if isinstance(form, list) and isinstance(value, list):
        return next((found for number, inner in enumerate(value) if (found := misfit(inner, form[0], f"{where}/{number}"))), None)
    return None if isinstance(form, type) and isinstance(value, form) else where or "/"


CLASHES = """package config_pkg; endpackage
package records_pkg; endpackage
`define ASSERT(a, b, c) initial if (!(b)) $display(a, c);
module lfsr; endmodule
module pmu; lfsr u_lfsr (); endmodule
"""


class Copies(unittest.TestCase):
    """Two releases, copied out of the tree: all of the first, and of the second what `elaborated` says."""

    elaborated = RELEASES  # those with verilog/ and proofs for the solver, which the front end makes

    @classmethod
    def setUpClass(cls):
        cls.room = tempfile.TemporaryDirectory()
        cls.copies = pathlib.Path(cls.room.name) / "elsewhere"
        for prefix, options in RELEASES.items():
            made = pathlib.Path(cls.room.name) / "made" / prefix
            less = [] if prefix in cls.elaborated else ["--no-verilog"]
            subprocess.run([ROOT / "scripts/ip/release.py", "--prefix", prefix, *options, *less, made], check=True, stdout=subprocess.DEVNULL)
            shutil.copytree(made, cls.copies / prefix)
        shutil.rmtree(pathlib.Path(cls.room.name) / "made")

    @classmethod
    def tearDownClass(cls):
        cls.room.cleanup()

    def run_there(self, prefix, *command, **environment):
        """A tool in a copy, which knows nothing of this tree."""
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.copies / prefix,
            env={"PATH": os.environ["PATH"], **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        return done.returncode, done.stdout + done.stderr

    def prove(self, prefix, *words):
        """proofs/prove.sh, with a Yosys that has the slang front end."""
        script = flow.SYNTH / "front_end.mjs"  # here, because modules are looked up from where the script is
        shutil.copy(ROOT / "tests/ip/front_end.mjs", script)
        return self.run_there(prefix, "proofs/prove.sh", *words, YOSYS=f"{flow.NODE} {script}")

    def simulate(self, prefix):
        status, said = self.run_there(prefix, "iverilog", "-g2005", "-Wall", "-o", "bench.vvp", f"verilog/{prefix}_flat.v", f"bench/{prefix}_flat_bench.v")
        self.assertEqual(status, 0, said)
        return self.run_there(prefix, "vvp", "-n", "bench.vvp")

    def elaborate(self, prefix):
        copy = self.copies / prefix
        files = [copy / line for line in (copy / "profile.f").read_text().splitlines() if line.endswith(".sv")]
        flow.elaborate({"top": f"{prefix}_profile_top", "files": [*files, copy / f"include/{prefix}_assert.svh"]}, copy)
        self.assertIn("attribute \\top 1", (copy / "design.il").read_text())

    def answers(self, prefix):
        status, said = self.simulate(prefix)
        self.assertRegex(said, r"^\d+ passed, 0 failed")
        self.assertGreater(int(said.split()[0]), 25)
        self.assertEqual(status, 0)


class Ip(Copies):
    elaborated = ("tipoff",)

    def test_lint(self):
        for prefix in RELEASES:
            for top, more in (
                (f"{prefix}_flat", []),
                (f"{prefix}_profile_top", []),
                (f"{prefix}_bundle_rules", [f"check/{prefix}_bundle_rules.sv"]),
                (f"{prefix}_blame_rule", [f"check/{prefix}_blame_rule.sv"]),
            ):
                files = ["-f", "profile.f"] if not more else ["-Iinclude", *[f"rtl/{prefix}_{name}_pkg.sv" for name in ("config", "events", "records")], *more]
                waivers = ["-Wno-UNUSEDPARAM"] if more else []  # packages that the rules alone do not use up
                status, said = self.run_there(prefix, "verilator", "--lint-only", "-Wall", *waivers, *files, "--top-module", top)
                self.assertEqual((status, said), (0, ""), top)

    def test_synthesis_front_end(self):
        self.elaborate("tipoff")

    def test_simulation(self):
        self.answers("tipoff")

    def test_bench_sees_a_fault(self):
        """A unit that knows nothing of mispredictions: the bench of the copy reports it."""
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

    def test_a_proof(self):
        """As it was released."""
        status, said = self.prove("tipoff", "sample_select: from")
        self.assertEqual((status, said.splitlines()[-1]), (0, "1 passed, 0 failed"), said)

    def test_proofs_say_what_is_missing(self):
        status, said = self.run_there("tipoff", "proofs/prove.sh", "--elaborate", YOSYS="false")
        self.assertEqual(status, 2)
        self.assertIn("slang front end", said)
        status, said = self.run_there("tipoff", "proofs/prove.sh", "no such run")
        self.assertEqual((status, said.strip()), (1, "0 passed, 0 failed"))

    def test_clashes_with_nobody(self):
        """Both releases, of two widths, beside another's packages, modules and macro of the usual names."""
        room = self.copies
        (room / "others.sv").write_text(CLASHES)
        (room / "chip.sv").write_text(
            "module chip (input logic clk_i, rst_ni);\n"
            + "".join(f"  {prefix}_profile_top u_{prefix} (.clk_i, .rst_ni, .bundle_i('0), .trigger_i('0), .csr_req_i('0));\n" for prefix in RELEASES)
            + "  pmu u_pmu ();\nendmodule\n"
        )
        done = subprocess.run(
            [
                "verilator",
                "--lint-only",
                "others.sv",
                *[f"-I{prefix}/include" for prefix in RELEASES],
                *[f"{prefix}/{line}" for prefix in RELEASES for line in (room / prefix / "profile.f").read_text().splitlines() if line.endswith(".sv")],
                "chip.sv",
                "--top-module",
                "chip",
                "-Wno-PINMISSING",
            ],
            cwd=room,
            capture_output=True,
            text=True,
            check=False,
        )
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

    def test_kit(self):
        for prefix in RELEASES:
            status, said = self.run_there(prefix, "verilator", "--lint-only", "-Wall", f"kit/{prefix}_psv_table.sv", "--top-module", f"{prefix}_psv_table")
            self.assertEqual((status, said), (0, ""))
            for program in sorted((self.copies / prefix / "answers").glob("*.S")):
                status, said = self.run_there(prefix, "riscv64-unknown-elf-gcc", "-march=rv64im_zicsr_zifencei", "-mabi=lp64", "-c", "-o", "answer.o", program)
                self.assertEqual((status, said), (0, ""), program.name)

    def test_page_word_by_word(self):
        """What the page names exists, nothing else of this tree, and its adapter compiles as it stands."""
        for prefix in RELEASES:
            copy = self.copies / prefix
            for page in ("doc/connecting.md", "README.md"):
                text = (copy / page).read_text()
                paths = re.findall(r"`([a-z]+/[\w./]*)`", text)
                self.assertTrue(paths)
                made = () if prefix in self.elaborated else ("verilog/",)  # which the simulation of Wide reads
                self.assertEqual([path for path in paths if not path.startswith(made) and not (copy / path).exists()], [], page)
                self.assertNotRegex(text, r"\b(attach|sim|tests|tables|csrc|harness|rtl/prim|rtl/profile)/\w", page)
        example = re.search(r"```systemverilog\n(.*?)```", (self.copies / "tipoff/doc/connecting.md").read_text(), re.DOTALL)[1]  # two lanes, as the release
        (self.copies / "tipoff/example.sv").write_text(example)
        status, said = self.run_there(
            "tipoff",
            "verilator",
            "--lint-only",
            "-Wall",
            "-Wno-UNUSEDPARAM",
            "-Wno-DECLFILENAME",
            "-Iinclude",
            *[f"rtl/tipoff_{name}_pkg.sv" for name in ("config", "events", "records")],
            "example.sv",
            "--top-module",
            "example_adapter",
        )
        self.assertEqual((status, said), (0, ""))

    def test_manifests_keep_to_their_formats(self):
        """Neither tool is in Debian: the files against the keys and types that the formats have, and their files against profile.f."""
        for prefix in RELEASES:
            copy = self.copies / prefix
            listed = [line for line in (copy / "profile.f").read_text().splitlines() if line.endswith(".sv")]
            text = (copy / f"{prefix}_profile.core").read_text()
            self.assertTrue(text.startswith("CAPI=2:\n"))
            core = yaml.safe_load(text)
            core.pop("CAPI=2")
            self.assertIsNone(misfit(core, CAPI2))
            self.assertIn("default", core["targets"])
            self.assertRegex(core["name"], r"^[\w-]+:[\w-]+:[\w-]+:\d+\.\d+\.\d+$")
            self.assertEqual([name for name in core["filesets"]["rtl"]["files"] if isinstance(name, str)], listed)
            for target in core["targets"].values():
                self.assertLessEqual(set(target["filesets"]), set(core["filesets"]))
            self.assertIn(f"fusesoc --cores-root . run --target lint {core['name'].rpartition(':')[0]}\n", (copy / "README.md").read_text())
            bender = yaml.safe_load((copy / "Bender.yml").read_text())
            self.assertIsNone(misfit(bender, BENDER))
            self.assertEqual([name for name in bender["sources"][0]["files"] if name.startswith("rtl/")], listed)
            named = [name if isinstance(name, str) else next(iter(name)) for part in core["filesets"].values() for name in part["files"]] + [
                name for part in bender["sources"] for name in part["files"]
            ]
            self.assertEqual([name for name in named if not (copy / name).exists()], [])
        self.assertEqual(misfit({**core, "target": {}}, CAPI2), "/target")
        self.assertEqual(misfit({**core, "filesets": {"rtl": {"files": "a.sv"}}}, CAPI2), "/filesets/rtl/files")
        self.assertEqual(misfit({**bender, "sources": [{"file": ["a.sv"]}]}, BENDER), "/sources/0/file")

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


class Wide(Copies):
    """What the front end, the simulator and the solver make of the other release, and proofs of faulty units."""

    def test_synthesis_front_end(self):
        self.elaborate("wide")

    def test_simulation(self):
        self.answers("wide")

    def test_proofs(self):
        """As they were released; and, elaborated again, of units with a fault each. All of them, of the same sources: scripts/formal/prove.py."""
        status, said = self.prove("tipoff", "sample_select")
        self.assertEqual((status, said.splitlines()[-1]), (0, "2 passed, 0 failed"), said)
        status, said = self.prove("wide", "oldest 3")
        self.assertEqual((status, said.splitlines()[-1]), (0, "2 passed, 0 failed"), said)
        shutil.copytree(self.copies / "tipoff", self.copies / "faulty")
        for unit, right, wrong in (
            ("sample_select", "oir_i.valid && (oir_i.mispredict ||", "oir_i.valid && (1'b0 ||"),
            ("oir_update", " || 32'(bundle_i.oldest) == after(i)", ""),
        ):
            path = self.copies / f"faulty/rtl/tipoff_{unit}.sv"
            text = path.read_text()
            self.assertIn(right, text)
            path.write_text(text.replace(right, wrong))
        for words in (["--elaborate", "sample_select: from"], ["oir_update: from"]):
            status, said = self.prove("faulty", *words)
            self.assertEqual((status, said.splitlines()[-1]), (1, "0 passed, 1 failed"), said)
            self.assertIn("Assert failed", said)


if __name__ == "__main__":
    unittest.main()
