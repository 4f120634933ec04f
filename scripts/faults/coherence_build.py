"""What the campaign of tests/faults/coherence.tsv runs: unit tests and models with all its faults in them, each built once.

A file `fault` in the folder of a run chooses one. In the models a file `unasserted` there takes all assertions away: what is then
left to find a fault is lockstep.
"""
import functools
import hashlib
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/faults"), str(ROOT / "scripts/mutate"), str(ROOT / "tests/fuzz")]
import benches  # noqa: E402
import faults  # noqa: E402
import planting  # noqa: E402

CONFIG = "small2c"
ROOM = ROOT / "build/faults/coherence"
TREE = ROOM / "tree"
TABLE = ROOT / "tests/faults/coherence.tsv"
SEEDS, LATE_SEEDS = range(1, 13), range(1, 4)
HARTS = {  # of tests/harts
    "evicted-2": (2, ["evicted.S"]),
    "forwarded-2": (2, ["forwarded.S"]),
    "peeked-2": (2, ["peeked.S"]),
    "shared-2": (2, ["-DHARTS=2", "-DROUNDS=24", "start.S", "shared.c"]),
    "shared-4": (4, ["-DHARTS=4", "-DROUNDS=24", "start.S", "shared.c"]),
    "together-2": (2, ["start.S", "together.c"]),
}
FATAL = '$fatal(1, "%m: assertion failed");'
UNLESS = 'begin automatic int unasserted; unasserted = $fopen("unasserted", "r"); if (unasserted == 0) ' + FATAL + " else $fclose(unasserted); end"


def state():
    """Digest of what verdicts depend on beside the fault."""
    read = ("rtl/", "sim/", "harness/", "csrc/", "tests/unit/rtl/", "tests/harts/", "tests/litmus/harts/", "tests/fuzz/harts_fuzz.py", "tables/")
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = hashlib.sha256()
    for name in sorted(listed.stdout.split("\n")):
        if name.startswith(read) and (ROOT / name).is_file():
            found.update(name.encode() + b"\0" + (ROOT / name).read_bytes())
    return found.hexdigest()


def make(folder, *words):
    done = subprocess.run(faults.bound(["make", "-s", *words]), cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"coherence.py: {words[-1]} does not build:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def plant(table):
    """The copy of the tree, with the faults in it; what stays as it was keeps its time."""
    faults.ROOM, faults.TREE = ROOM, TREE
    macro = TREE / "rtl/prim/assert.svh"
    before = {path: (path.read_bytes(), path.stat()) for path in [macro, *(TREE / row["file"] for row in table)] if path.exists()}
    faults.copy_tree()
    planting.apply_faults(table, TREE)
    text = macro.read_text(encoding="utf-8")
    if text.count(FATAL) != 1:
        sys.exit(f"coherence.py: rtl/prim/assert.svh has no '{FATAL}': say here what ends a run")
    macro.write_text(text.replace(FATAL, UNLESS), encoding="utf-8")
    for path, (content, stat) in before.items():
        if path.read_bytes() == content:
            faults.os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def build_models():
    make(TREE, "STRICT=0", f"CONFIGS={CONFIG}", f"MODEL_RUNTIME={ROOT}/build/lib/verilated-model.a", f"build/{CONFIG}/model.so", f"build/{CONFIG}/hub.so")
    command = TREE / "build/bin/tipoff"  # this one, whatever is built meanwhile
    command.parent.mkdir(parents=True, exist_ok=True)
    command.unlink(missing_ok=True)
    faults.shutil.copy(ROOT / "build/bin/tipoff", command)


def build_benches(table):
    """{name: unit test}, of all that rows name."""
    room, found = ROOM / "benches", {}
    room.mkdir(parents=True, exist_ok=True)
    (room / "mutant.cpp").write_text("// The file `fault` chooses.\n", encoding="utf-8")
    mutated = {row["file"]: TREE / row["file"] for row in table}
    for name in sorted({row["bench"] for row in table}):
        configs = benches.Bench(name).configs
        found[name] = benches.Bench(name, room, CONFIG if CONFIG in configs else None)
        found[name].build(mutated)
    return found


@functools.lru_cache(maxsize=None)
def programs():
    """{name: words of `tipoff` that run it}: random programs, and those of tests/harts."""
    make(ROOT, *(f"build/tests/fuzz/harts-{seed}.elf" for seed in SEEDS))
    run = ["run", "--config", CONFIG, "--quiet", "--no-oracle", "--worker", "memory-order:patience=5000"]
    found = {f"harts-{seed}": [*run, "--harts", 2 + seed % 3, "--seed", seed, ROOT / f"build/tests/fuzz/harts-{seed}.elf"] for seed in SEEDS}
    for name, (harts, words) in HARTS.items():
        program = ROOM / f"{name}.elf"
        command = ["riscv64-unknown-elf-gcc", "-march=rv64ima_zicsr_zifencei", "-mabi=lp64", "-mcmodel=medany", "-ffreestanding", "-O2", "-nostdlib", "-static"]
        command += ["-T", ROOT / "tests/fuzz/link.ld", "-Wl,--no-warn-rwx-segments,--defsym=finisher=0x100000"]
        command += ["-Wl,--defsym=__global_pointer$=0x80000800", *words, "-o", program]
        subprocess.run(command, cwd=ROOT / "tests/harts", check=True)
        found[name] = [*run, "--harts", harts, program]
    # Memory that answers after all snoops.
    found |= {f"late-{seed}": [*found[f"harts-{seed}"][:-1], "--set", "llc.latency=80", found[f"harts-{seed}"][-1]] for seed in LATE_SEEDS}
    return found


def litmus_tests():
    """Words of `tipoff` that run all litmus tests of tests/litmus/run_rtl.py, some iterations of each."""
    folder = ROOM / "litmus"
    folder.mkdir(exist_ok=True)
    subprocess.run([ROOT / "scripts/litmus_cycles.py", folder], check=True)
    files = sorted(folder.glob("*.litmus")) + sorted((ROOT / "tests/litmus/harts").glob("*.litmus"))
    return ["litmus", "--on", "rtl", "--config", CONFIG, "--iterations", "2", *files]
