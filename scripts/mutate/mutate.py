#!/usr/bin/env python3
"""Mutation testing of the profiling units and of the ROB's head logic: does a test or a proof see each small fault?

    scripts/mutate/mutate.py [--sample N] [--module NAME]... [--jobs N] [--no-proofs | --prove]
    scripts/mutate/mutate.py --only K           reruns mutant K alone and shows what it changes
    scripts/mutate/mutate.py --list             all mutants, nothing is run

Every place of a module that can be changed (scripts/mutate/mutants.py) is a mutant; the list is the same each time. The
unit tests of the modules are built once with copies of the sources that hold all mutants, and run once a mutant until
one fails, the quickest first. Verdicts are kept as they come (build/mutate/verdicts.tsv): a run that is interrupted is
taken up again where it stood. What survives goes to the proofs of scripts/formal: a counterexample kills it, a proof by induction shows it
equivalent. What was shown so is kept in tests/mutate/proved with the digest of all that the proof depends on, and is
run and proved again when that changes, or with --prove. What is left must stand in tests/mutate/equivalent with the reason why nothing can see it.
Result: build/mutate/result.txt and result.json. Status 1 if a survivor is unexplained, a row of the table is idle, or
the share killed is below the goal.
"""
import argparse
import concurrent.futures
import difflib
import functools
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal")]
import equivalence  # noqa: E402
import records  # noqa: E402
from mutants import Module  # noqa: E402

ROOM = ROOT / "build/mutate"
TABLE = ROOT / "tests/mutate/equivalent"
PROVED = ROOT / "tests/mutate/proved"
VERDICTS = ROOM / "verdicts.tsv"
MODULES = [
    *(
        f"rtl/profile/{name}.sv"
        for name in ("oir_update", "sample_select", "tip_unit", "tea_unit", "sample_delivery", "tip_csrs", "profile_top", "pmu", "pmu_events", "pmu_slots")
    ),
    *(f"rtl/commit/{name}.sv" for name in ("rob", "rob_bank", "commit_ctrl", "exception_reg")),
    *(f"rtl/profile/{name}.sv" for name in ("profileme", "profileme_select", "profileme_tag")),
    "rtl/fetch/branch_history.sv",
    "rtl/profile/ctr.sv",
    "rtl/profile/ctr_transfers.sv",
    "rtl/profile/sample_reload.sv",
    "rtl/profile/csr_window.sv",
    "rtl/commit/vector_gate.sv",
    "rtl/prim/wide_counter.sv",
]
UNCOMPARED = {
    "profileme",
    "profileme_select",
    "profileme_tag",
    "branch_history",
    "ctr",
    "ctr_transfers",
    "sample_reload",
    "csr_window",
    "vector_gate",
    "wide_counter",
}  # the solver is not asked about these: what survives needs a reason
BENCHES = [
    "oir_update",
    "sample_select",
    "tip_unit",
    "tea_unit",
    "sample_delivery",
    "tip_csrs",
    "tip_csrs_wide8",
    "pmu",
    "pmu_wide8",
    "pmu_slots",
    "rob",
    "rob_tea4",
    "profile_top",
    "profile_top_tip2",
    "profile_top_odd3",
    "profile_top_tea4",
    "profileme",
    "profileme_full4",
    "branch_history",
    "ctr",
    "vector_gate",
    "wide_counter",
    "sample_reload",
]
OTHERS = [("vector_gate", "small2")]  # benches at another configuration than the first of theirs, where a module is something else
OWN = {"ctr": "ctr", "ctr_transfers": "ctr"}  # modules whose mutants are in that bench alone, and not in those of what is around them
GOAL = 95.0  # percent of the mutants killed
HANG = 300  # seconds: a run that takes longer has lost its way, and is seen to, on a busy machine as well
SEED = 4  # of the sample
VERILATOR = ("-Wno-lint", "-Wno-style", "-Wno-ENUMVALUE", "-Irtl/prim", "sim/lint.vlt")
SELECTOR = '  import "DPI-C" function int mutant();\n  int mutant_sel;\n  initial mutant_sel = mutant();\n'
NUMBER = '#include <cstdlib>\nextern "C" int mutant() {\n    const char *text = getenv("MUTANT");\n' "    return text ? atoi(text) : 0;\n}\n"


def run(command, **options):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)


def fields_of_records():
    """Names of the one-bit fields of records that packages declare."""
    packages = [ROOT / "build/small2/gen/records_pkg.sv", *ROOT.glob("rtl/*/*_pkg.sv")]
    return {name for package in packages for name in re.findall(r"logic\s+(\w+);", package.read_text())}


def modules():
    """All modules with their mutants numbered."""
    fields, found, number = fields_of_records(), [], 1
    for path in MODULES:
        module = Module(path, (ROOT / path).read_text(), fields)
        number = module.number_from(number)
        found.append(module)
    return found


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


def place(module, mutant):
    """How the table and the result name a mutant: line, what stands there, and the change."""
    return f"{module.path}:{module.line(mutant)}", normal(module.text[mutant.start : mutant.end]), normal(mutant.text), mutant.what


def normal(text):
    return re.sub(r"\s+", " ", text).strip()


def source_line(module, mutant):
    first = module.text.rfind("\n", 0, mutant.start) + 1
    return normal(module.text[first : module.text.find("\n", mutant.start)])


def column(module, mutant):
    """Position in its line, white space taken together: distinguishes what occurs twice there."""
    first = module.text.rfind("\n", 0, mutant.start) + 1
    return len(normal(module.text[first : mutant.start]))


def show(module, mutant):
    changed = module.applied(mutant)
    print(
        "".join(difflib.unified_diff(module.text.splitlines(True), changed.splitlines(True), module.path, f"mutant {mutant.number}: {mutant.what}", n=2)),
        end="",
    )


def key(module, mutant):
    """What the tables know a mutant by: moves with its line. Where the file has such a line before, the column names it."""
    line = source_line(module, mutant)
    copies = sum(normal(other) == line for other in module.text[: mutant.start].split("\n")[:-1])
    return pathlib.Path(module.path).stem, line, f"{column(module, mutant)}{f' again {copies}' if copies else ''}", normal(mutant.text)


@functools.lru_cache(maxsize=None)
def digest(name):
    """Of all that a proof of a mutant of this module depends on, as far as it is used: RTL, packages as the tables make them, specification, scripts."""
    outer = equivalence.OUTER.get(name, name)  # where it is compared
    modules_of = [path for path in MODULES if pathlib.Path(path).stem in (name, outer)]
    return hashlib.sha256(b"\0".join(equivalence.dependencies(name, modules_of))).hexdigest()[:16]


def read_proved():
    """{key: what was shown} of this RTL."""
    return {tuple(row[1:5]): row[5] for row in records.read(PROVED) if row[0] == digest(row[1])}


def write_proved(proved):
    records.write(
        PROVED,
        "Mutants that the solver has shown equivalent (scripts/mutate/mutate.py), with the digest of what the proof depends on and the size it was made at.",
        ["digest", "module", "line", "column", "mutated", "shown", "size"],
        [[digest(row[0]), *row, shown, equivalence.size(row[0])] for row, shown in proved.items()],
    )


def read_table():
    return {tuple(row[:4]): row[4] for row in records.read(TABLE)}


def test(module, mutant, benches):
    """Name of what kills it among the tests, or None."""
    for bench in sorted(benches, key=lambda bench: bench.seconds):
        if bench.covers(module) and bench.kills(mutant.number):
            return bench.name
    return None


class Verdicts:
    """What the tests said of each mutant, on disk as it comes. Holds for the sources and tests that it was said with."""

    def __init__(self, found, benches):
        self.stamps = {module: hashlib.sha256("".join(bench.digest for bench in benches if bench.covers(module)).encode()).hexdigest()[:16] for module in found}
        lines = [line.split("\t") for line in VERDICTS.read_text().splitlines()] if VERDICTS.exists() else []
        self.said = {(row[0], int(row[1])): row[2] or None for row in lines if len(row) == 3 and row[0] in self.stamps.values()}
        self.file = VERDICTS.open("a")

    def of(self, module, mutant, benches):
        which = (self.stamps[module], mutant.number)
        if which not in self.said:
            self.said[which] = test(module, mutant, benches)
            self.file.write(f"{which[0]}\t{which[1]}\t{self.said[which] or ''}\n")
            self.file.flush()
        return self.said[which]


def report(found, chosen, verdicts, started):
    """Text and JSON; the number of faults in the result."""
    table = read_table()
    lines, rows, faults = [], [], 0
    count = {"killed": 0, "equivalent": 0, "listed": 0, "survived": 0}
    by = {}
    used = set()
    for module, mutant in chosen:
        verdict, who = verdicts[mutant.number]
        if verdict == "survived" and key(module, mutant) in table:
            verdict, who = "listed", table[key(module, mutant)]
            used.add(key(module, mutant))
        count[verdict] += 1
        if verdict == "killed":
            by[who] = by.get(who, 0) + 1
        where, original, text, what = place(module, mutant)
        rows.append({"number": mutant.number, "place": where, "original": original, "mutated": text, "what": what, "verdict": verdict, "by": who})
        if verdict != "killed":
            lines.append(f"{verdict:<10} {mutant.number:>5}  {where}  {what}: {original}  =>  {text}" + (f"   ({who})" if who else ""))
        if verdict == "survived":
            lines.append("           table row: " + "\t".join(key(module, mutant)) + "\t")
    faults += count["survived"]
    everything = len(chosen) == sum(len(module.mutants) for module in found)
    if everything:
        for idle in sorted(set(table) - used):
            lines.append(f"idle row in {TABLE.relative_to(ROOT)}: " + " | ".join(idle))
            faults += 1
    lines.append("")
    for module in found:
        mine = [verdicts[mutant.number][0] for m, mutant in chosen if m is module]
        if mine:
            lines.append(f"  {module.path:<32} {len(mine):>5} mutants {mine.count('killed'):>5} killed")
    lines.append("  killed by " + ", ".join(f"{name} {n}" for name, n in sorted(by.items(), key=lambda item: -item[1])))
    total = len(chosen)
    share, able = 100 * count["killed"] / total, total - count["equivalent"] - count["listed"]
    lines.append(
        f"{total} mutants, {count['killed']} killed ({share:.2f} %), {count['equivalent']} equivalent by proof, {count['listed']} equivalent by the table's reason, "
        f"{count['survived']} survived; of those that can be seen {100 * count['killed'] / max(able, 1):.2f} % killed; {time.monotonic() - started:.0f} s"
    )
    if everything and share < GOAL:
        lines.append(f"below the goal of {GOAL:.0f} %")
        faults += 1
    print("\n".join(lines))
    (ROOM / "result.txt").write_text("\n".join(lines) + "\n")
    (ROOM / "result.json").write_text(
        json.dumps(
            {
                "mutants": total,
                "killed": count["killed"],
                "equivalent": count["equivalent"],
                "listed": count["listed"],
                "survived": count["survived"],
                "share_killed": round(share, 2),
                "killed_by": by,
                "results": rows,
            },
            indent=1,
        )
        + "\n"
    )
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=int, metavar="K", help="rerun mutant K and show its change")
    parser.add_argument("--sample", type=int, metavar="N", help=f"N mutants drawn with seed {SEED} instead of all")
    parser.add_argument("--module", action="append", metavar="NAME", help="mutants of this module alone; may be repeated")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-proofs", action="store_true", help="tests alone: what survives is not put to the proofs")
    parser.add_argument("--prove", action="store_true", help="prove all survivors again")
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    options = parser.parse_args()
    started = time.monotonic()
    if run(["make", "-s", "gen"]).returncode:
        raise SystemExit("mutate.py: make gen fails: mend that first")
    found = modules()
    chosen = [(module, mutant) for module in found for mutant in module.mutants if not options.module or pathlib.Path(module.path).stem in options.module]
    if options.only is not None:
        chosen = [(module, mutant) for module, mutant in chosen if mutant.number == options.only]
    if not chosen:
        raise SystemExit("mutate.py: no such mutant or module: --list prints them")
    if options.sample and options.sample < len(chosen):
        print(f"sample of {options.sample} of {len(chosen)} mutants, seed {SEED}")
        chosen = sorted(random.Random(SEED).sample(chosen, options.sample), key=lambda pair: pair[1].number)
    if options.list:
        for module, mutant in chosen:
            print(f"{mutant.number:>5}  {'  '.join(place(module, mutant))}")
        return 0
    if options.only is not None:
        show(*chosen[0])

    every = [*map(Bench, BENCHES), *(Bench(name, config=config) for name, config in OTHERS)]
    benches = [bench for bench in every if any(bench.covers(module) for module, _ in chosen)]
    build(found, benches)
    proved, last = read_proved(), time.monotonic()
    verdicts = {mutant.number: ("equivalent", proved[key(module, mutant)]) for module, mutant in chosen if key(module, mutant) in proved and not options.prove}
    tested = [(module, mutant) for module, mutant in chosen if mutant.number not in verdicts]
    said = Verdicts(found, benches)
    if options.only is not None:
        said.said.clear()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (module, mutant), who in zip(tested, pool.map(lambda pair: said.of(*pair, benches), tested)):
            verdicts[mutant.number] = ("killed", who) if who else ("survived", "")
            if time.monotonic() - last > 10:
                last = time.monotonic()
                print(f"  {len(verdicts)} of {len(chosen)}, {sum(v == 'survived' for v, _ in verdicts.values())} alive", flush=True)
    if not options.no_proofs:
        alive = [(module, mutant) for module, mutant in chosen if verdicts[mutant.number][0] == "survived"]
        for done, (module, mutant) in enumerate(alive, 1):
            if key(module, mutant) in read_table() or pathlib.Path(module.path).stem in UNCOMPARED:
                continue
            verdicts[mutant.number] = equivalence.judge(module, mutant)
            if verdicts[mutant.number][0] == "equivalent":
                proved[key(module, mutant)] = verdicts[mutant.number][1]
                write_proved(proved)
            print(
                f"  proof {done} of {len(alive)}: mutant {mutant.number}, {pathlib.Path(module.path).stem}: {' by '.join(filter(None, verdicts[mutant.number]))}",
                flush=True,
            )
    return 1 if report(found, chosen, verdicts, started) and options.only is None else 0


if __name__ == "__main__":
    sys.exit(main())
