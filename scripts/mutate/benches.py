"""Unit tests of modules, built with copies of the sources that hold all mutants."""
import functools
import hashlib
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal")]
import equivalence  # noqa: E402

ROOM = ROOT / "build/mutate"
OWN = {"ctr": "ctr", "ctr_transfers": "ctr"}  # modules whose mutants are in that bench alone, and not in those of what is around them
HANG = 300  # seconds: a run that takes longer has lost its way, and is seen to, on a busy machine as well
VERILATOR = ("-Wno-lint", "-Wno-style", "-Wno-ENUMVALUE", "-Irtl/prim", "sim/lint.vlt")
SELECTOR = '  import "DPI-C" function int mutant();\n  int mutant_sel;\n  initial mutant_sel = mutant();\n'
NUMBER = '#include <cstdlib>\nextern "C" int mutant() {\n    const char *text = getenv("MUTANT");\n' "    return text ? atoi(text) : 0;\n}\n"


def run(command, **options):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)


@functools.lru_cache(maxsize=None)
def generated(config):
    """Folder of that configuration's packages, made if they are missing."""
    done = run(["make", "-s", f"build/{config}/gen/.stamp"])
    if done.returncode:
        raise SystemExit(f"mutate.py: {done.stdout}")
    return f"build/{config}/gen"


class Bench:
    """A unit test, built with sources that hold all mutants."""

    def __init__(self, name, room=ROOM, config=None):
        """room: where it is built; config: another than the first of those that the test is for."""
        self.folder, self.room = ROOT / "tests/unit/rtl" / name, room
        self.configs = (self.folder / "config").read_text().split() if (self.folder / "config").exists() else ["small2"]
        self.config = config or self.configs[0]
        self.name = name if self.config == self.configs[0] else f"{name}.{self.config}"
        self.sources = [line for line in (self.folder / "sources.f").read_text().split("\n") if line and not line.startswith("//")]
        self.program = room / self.name / "run"
        self.digest = self.seconds = None  # of what it was built from; of a run without a mutant

    def covers(self, module):
        return module.path in self.sources and self.mutates(module.path)

    def mutates(self, path):
        return self.name.split(".")[0] == OWN.get(pathlib.Path(path).stem, self.name.split(".")[0])

    def inputs(self, mutated):
        """What Verilator reads, its top module included; the bench's own files in C++."""
        gen = generated(self.config)
        packages = [f"{gen}/{p}_pkg.sv" for p in ("config", "events", "csrs", "memory_map", "instructions", "records", "instruction_sample")]
        packages += equivalence.prove.rtl_packages()
        sources = [str(mutated[s]) if s in mutated and self.mutates(s) else s.replace("%GEN%", gen) for s in self.sources]
        tops = list(self.folder.glob("*_tb.sv"))
        return ["--top-module", tops[0].stem if tops else self.folder.name, *packages, *sources, *map(str, tops)], sorted(self.folder.resolve().glob("*.cpp"))

    def build(self, mutated):
        verilog, programs = self.inputs(mutated)
        objects = self.program.parent / "obj"
        objects.mkdir(parents=True, exist_ok=True)
        inputs = [
            *verilog[2:],
            *map(str, programs),
            *map(str, sorted(self.folder.glob("*.h"))),
            *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("tests/unit/rtl/*.h")),
        ]
        stamp = self.program.parent / "inputs"
        text = "".join((ROOT / name).read_text() for name in inputs)
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        if self.program.exists() and stamp.exists() and stamp.read_text() == text:
            return
        done = run(
            [
                "verilator",
                "--cc",
                "--exe",
                "-O3",
                "--assert",
                *VERILATOR,
                "--prefix",
                "Vtop",
                "--Mdir",
                str(objects),
                "-CFLAGS",
                f"-I{ROOT}/tests/unit/rtl -I{ROOT}/csrc -I{ROOT}/build/gen -I{ROOT}/{generated(self.config)} -std=gnu++17 -DBENCH_FIRST_FAILURE_ENDS",
                *verilog,
                *map(str, programs),
                str(self.room / "mutant.cpp"),
                "-o",
                str(self.program),
            ]
        )
        if done.returncode == 0:
            done = run(
                [
                    "make",
                    "-s",
                    "-C",
                    str(objects),
                    "-f",
                    str(ROOT / "sim/bench.mk"),
                    "CXX=clang++",
                    "LINK=clang++",
                    "OPT_FAST=-O1",
                    "OPT_SLOW=-O0",
                    "VM_GLOBAL_FAST=",
                    f"LOADLIBES={ROOT}/build/lib/verilated-bench.a",
                ]
            )
        if done.returncode:
            raise SystemExit(f"mutate.py: {self.name} does not build with the mutants:\n{done.stdout[-4000:]}")
        stamp.write_text(text)

    def kills(self, number):
        """The test fails, or hangs, with that mutant."""
        try:
            done = run([str(self.program)], env=dict(os.environ, MUTANT=str(number)), timeout=HANG)
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0


def write_copies(found, folder):
    """{path of a module: its copy that holds all mutants}."""
    copies = {module.path: folder / pathlib.Path(module.path).name for module in found}
    folder.mkdir(parents=True, exist_ok=True)
    for module in found:
        copies[module.path].write_text(module.schemata(SELECTOR))
    return copies


def build(found, benches):
    ROOM.mkdir(parents=True, exist_ok=True)
    (ROOM / "mutant.cpp").write_text(NUMBER)
    mutated = write_copies(found, ROOM / "sources")
    for bench in benches:
        started = time.monotonic()
        bench.build(mutated)
        built = time.monotonic()
        if bench.kills(0):
            raise SystemExit(f"mutate.py: {bench.name} fails without a mutant")
        bench.seconds = time.monotonic() - built
        print(f"  built {bench.name:<18} {bench.config:<7} {time.monotonic() - started:5.1f} s", flush=True)
