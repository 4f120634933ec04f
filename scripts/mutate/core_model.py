"""Models of small2 with every mutant of the core in them, for core.py: one that is changed by the mutant whose number it
starts with (MUTANT in the environment), and one that is never changed but writes (to the file MUTANT_NOTES) the numbers of
those that would have made a difference where they stand, after the file's contents."""
import hashlib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal")]
import prove  # noqa: E402
from benches import NUMBER, SELECTOR, run  # noqa: E402

NOTE = SELECTOR + '  import "DPI-C" function int mutant_note(input int number, input int differs);\n'
NOTES = (
    NUMBER
    + r"""
#include <cstdio>
#include <set>
namespace {
struct Notes {
    std::set<int> numbers;
    ~Notes() {
        const char *path = getenv("MUTANT_NOTES");
        FILE *file = path ? fopen(path, "a") : nullptr;  // a test may run several programs
        if (!file) return;
        for (int number : numbers) fprintf(file, "%d\n", number);
        fclose(file);
    }
} notes;
char seen[1 << 16];
}
extern "C" int mutant_note(int number, int differs) {
    if (differs && !seen[number]) {
        seen[number] = 1;
        notes.numbers.insert(number);
    }
    return 0;
}
"""
)
GEN = "build/small2/gen"
SHIM = "harness/model_shim.cpp"
CIRCLES = ["-Wno-UNOPTFLAT"]  # a note looks at both sides where the original looks at one: circles that no signal goes round
VERILATOR = [
    "verilator",
    "--assert",
    "--x-assign",
    "unique",
    "--x-initial",
    "unique",
    "--output-split",
    "15000",
    "--output-split-cfuncs",
    "3000",
    "-Wno-lint",
    "-Wno-style",
    "-Wno-ENUMVALUE",
    "-Irtl/prim",
    "-Ibuild/gen",
    "sim/lint.vlt",
    "--prefix",
    "Vsim_top",
    "--top-module",
    "sim_top",
]


def sources(mutated):
    """Paths of the model's sources in the order of compilation, as the Makefile has them, with copies for the modules in `mutated` (path: copy)."""

    def modules(*patterns):
        return [str(p.relative_to(ROOT)) for p in sorted(p for pattern in patterns for p in ROOT.glob(pattern)) if not p.name.endswith("_pkg.sv")]

    packages = [
        f"{GEN}/{name}_pkg.sv" for name in ("config", "events", "csrs", "memory_map", "instructions", "records", "instruction_sample")
    ] + prove.rtl_packages()
    rtl, sim = modules("rtl/*/*.sv", "rtl/*.sv"), modules("sim/*.sv")
    return [*packages, *(str(mutated.get(path, path)) for path in rtl), *(str(p.relative_to(ROOT)) for p in sorted(ROOT.glob("sim/*_pkg.sv"))), *sim]


def write_copies(found, copies, noting):
    """{path of a module: its copy that holds all mutants}."""
    copies.mkdir(parents=True, exist_ok=True)
    mutated = {module.path: copies / pathlib.Path(module.path).name for module in found}
    for module in found:
        mutated[module.path].write_text(module.schemata(NOTE if noting else SELECTOR, noting))
    return mutated


def build(found, room, noting, chooser=NUMBER):
    """The model of the modules `found` in the folder `room`: its path and the digest of what it is made of. chooser: C++ that says which mutants are chosen."""
    copies = room / "sources"
    mutated = write_copies(found, copies, noting)
    (room / "mutant.cpp").write_text(NOTES if noting else chooser)
    inputs, shim, objects = sources(mutated), [SHIM, str(room / "mutant.cpp")], room / "obj"
    digest = hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in [*inputs, *shim, "rtl/prim/assert.svh", "build/gen/signals.svh"])).hexdigest()[:16]
    model, stamp = room / "model.so", room / "inputs"
    if model.exists() and stamp.exists() and stamp.read_text() == digest:
        return model, digest
    include = run(["verilator", "--getenv", "VERILATOR_ROOT"]).stdout.strip() + "/include"
    flags = [
        "-std=gnu++17",
        "-O1",
        "-fPIC",
        f"-I{objects}",
        "-I.",
        "-Icsrc",
        "-Ibuild/gen",
        f"-I{GEN}",
        f"-I{include}",
        f"-I{include}/vltstd",
    ]
    steps = [
        [*VERILATOR, "--cc", "-O3", *(CIRCLES if noting else []), "--Mdir", str(objects), *inputs],
        [
            "make",
            "-s",
            "-j2",
            "-C",
            str(objects),
            "-f",
            "Vsim_top.mk",
            "CXX=clang++ -Wno-parentheses-equality",
            "LINK=clang++",
            "OPT_FAST=-O1 -fPIC",
            "OPT_SLOW=-O0 -fPIC",
            "OPT_GLOBAL=-O1 -fPIC",
            "Vsim_top__ALL.a",
        ],
        [
            "clang++",
            *flags,
            "-shared",
            "-o",
            str(model),
            *shim,
            str(objects / "Vsim_top__ALL.a"),
            *(f"{include}/{f}.cpp" for f in ("verilated", "verilated_dpi", "verilated_threads")),
            "-lpthread",
            "-latomic",
        ],
    ]
    for step in steps:
        done = run(step)
        if done.returncode:
            raise SystemExit(f"core.py: {step[0]} fails on the sources with the mutants ({copies}):\n{done.stdout[:3000]}")
    stamp.write_text(digest)
    return model, digest
