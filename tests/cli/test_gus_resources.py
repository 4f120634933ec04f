#!/usr/bin/env python3
"""Every resource of tables/gus.tsv has a program that it limits by construction: on a core with plenty of all others, Gus names it.

    tests/cli/test_gus_resources.py [--only TEXT]

Needs build/bin/tipoff and build/{small2,tea4}/gen. The core is Gus's: tea4's table with all rates eight times as high, a thousand entries of everything, and delays
of one cycle; but for the resource in question. With build/small2/model.so, programs that need no such table run on the core of small2, too: it
takes as long as Gus says. Of the programs of tests/sensitivity/one_resource.S, which one step makes faster on the core, Gus names the resource, where it has one.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from cli import ROOT, TIPOFF, check, main, test, tipoff

PLENTY = {
    "rate": lambda v: 8 * v,
    "every": lambda v: 1,
    "unit": lambda v: 8 * v,
    "slots": lambda v: 1000,
    "queue": lambda v: 1000,
    "pool": lambda v: 1000,
    "delay": lambda v: 1,
}
SMALL_CACHES = {"llc.kib": 64, "llc.ways": 4}  # the pages are 1 MiB
CHASE = "ld x10, 8(x10)"  # line by line
MISS = "ld x11, 0(x22); addi x22, x22, 64"  # the same, side by side
COIN = "mul x10, x10, x20; addi x10, x10, 7; srli x11, x10, 37; andi x11, x11, 1; beqz x11, 9f; nop; 9:"
WALK = "ld x11, 0(x22); add x22, x22, x25"  # page by page
AROUND = "li x25, 4096"
DEVICE = "li x22, 0x2004000"  # CLINT, mtimecmp


class Case:
    """A body; rows of the table that are otherwise: a number, or (type, number); what is faster with it, or instead of it."""

    def __init__(self, body, edits, setup="nop", also=(), repeat=16, rounds=64, translated=False, without=()):
        self.body, self.edits, self.setup, self.also = body, edits, setup, set(also)
        self.repeat, self.rounds, self.translated, self.without = repeat, rounds, translated, ("late_training", "l1d.prefetch", *without)


CASES = {
    # bandwidth
    "fetch": Case("j 9f; nop; 9:", {"fetch": 1}),
    "dispatch": Case("li x11, 1", {"dispatch": 1}),
    "commit": Case("li x11, 1", {"commit": 1}),
    "drain": Case("sd x0, 0(x18)", {"drain": ("every", 4), "stores": 64}),
    "llc": Case(MISS, {"llc": ("every", 16)}),
    "dram": Case(MISS, {"dram": ("every", 16)} | SMALL_CACHES),
    "int_ports": Case("li x11, 1", {"int_ports": 1}),
    "mem_ports": Case("ld x11, 0(x18)", {"mem_ports": 1}),
    "fp_ports": Case("fadd.d f1, f2, f3", {"fp_ports": 1}),
    "branch_ports": Case("bnez x0, 9f; 9:", {"branch_ports": 1}),
    "multiplier": Case("mul x11, x20, x21", {"multiplier": 1}),
    "cache_ports": Case("ld x11, 0(x18)", {"cache_ports": 1}, also=["mem_ports"]),
    "again": Case("ld x11, 8(x22);" * 14 + WALK, {"again": ("every", 8), "l2_tlb_entries": 0, "dtlb_entries": 4}, AROUND, translated=True, repeat=4, rounds=30),
    "walker": Case(
        WALK, {"walker": 1, "walk_read": 10, "l2_tlb_entries": 0, "dtlb_entries": 4}, AROUND, also=["walk_read"], translated=True, repeat=4, rounds=60
    ),
    "divider": Case("div x11, x20, x21", {"divider": 1}, also=["latency"]),
    "fp_divider": Case("fdiv.d f1, f2, f3", {"fp_divider": 1}, also=["latency"]),
    # entries; eight are ten with 15 % more
    "window": Case(MISS, {"window": 8, "llc.latency": 40}),
    "buffer": Case("li x11, 1", {"buffer": 16, "front": 40}, repeat=400, rounds=6),
    "stores": Case("sd x0, 0(x18)", {"stores": 8, "drained": 40}),
    "loads": Case(MISS, {"loads": 8, "llc.latency": 40}),
    "branches": Case("bnez x0, 9f; 9:", {"branches": 8, "leave": 40}),
    "int_registers": Case("li x11, 1", {"int_registers": 8, "leave": 40}),
    "fp_registers": Case("fadd.d f1, f2, f3", {"fp_registers": 8, "leave": 40}),
    "packets": Case("j 9f; nop; 9:", {"packets": 8, "leave": 40}),
    "mshrs": Case(MISS, {"mshrs": 8, "llc.latency": 40}),
    "fetch_mshrs": Case("nop", {"fetch_mshrs": 1, "llc.latency": 40}, repeat=20000, rounds=2),
    "l2.mshrs": Case(MISS, {"l2.mshrs": 8, "llc.latency": 40, "l2.kib": 64, "l2.ways": 4}),
    "llc.mshrs": Case(MISS, {"llc.mshrs": 8, "row_hit": 40} | SMALL_CACHES, without=["dram_rows"]),
    "int_queue": Case(
        "ld x11, 0(x18); addi x12, x11, 1",
        {
            "int_queue": 8,
            "load": ("kind", 40),
        },
    ),
    "mem_queue": Case("mul x11, x18, x23; ld x12, 0(x11)", {"mem_queue": 8, "mul": ("kind", 40)}),
    "fp_queue": Case("fld f1, 0(x18); fadd.d f2, f1, f1", {"fp_queue": 8, "fld": ("kind", 40)}),
    # delays
    "front": Case(COIN, {"front": 40}, rounds=20),
    "redirect": Case(COIN, {"redirect": 40}, rounds=20),
    "free": Case("csrr x11, mscratch", {"free": 40}),
    "issue": Case("csrr x11, mscratch", {"issue": 40}),
    "leave": Case("csrr x11, mscratch", {"leave": 40}),
    "way": Case(CHASE, {"way": 40}),
    "device": Case("ld x11, 0(x22)", {"device": 40}, DEVICE),
    "drained": Case("sd x0, 0(x22); ld x11, 0(x22)", {"drained": 40}, DEVICE),
    "second_tlb": Case("ld x10, 0(x10)", {"second_tlb": 40, "dtlb_entries": 4}, translated=True, repeat=8),
    "walk_read": Case("ld x10, 0(x10)", {"walk_read": 40, "dtlb_entries": 4, "l2_tlb_entries": 0}, translated=True, repeat=8),
    "fetch_walk": Case("jalr x1, x22", {"fetch_walk": 40, "itlb_entries": 4}, "li x22, 0x40000000", translated=True, repeat=2),
    "l2.latency": Case(CHASE, {"l2.latency": 40, "l2.kib": 2048, "l2.ways": 4}),
    "llc.latency": Case(CHASE, {"llc.latency": 40}),
    "row_hit": Case(CHASE, {"row_hit": 40} | SMALL_CACHES, without=["dram_rows"]),
    "row_miss": Case(CHASE, {"row_miss": 40, "dram.banks": 1, "dram.row_bytes": 64} | SMALL_CACHES),
    "latency": Case("mul x10, x10, x21", {}),
}
# On the core as it is, too: of small2, whose cycles Gus has to know within that many per cent.
ON_THE_CORE = {
    "dispatch": 5,
    "drain": 5,
    "int_ports": 5,
    "mem_ports": 5,
    "fp_ports": 5,
    "multiplier": 5,
    "divider": 5,
    "fp_divider": 5,
    "branch_ports": 10,
    "latency": 5,
    "leave": 5,
    "llc.latency": 5,
    "mshrs": 15,
    "front": 15,
}


# Programs of tests/sensitivity/one_resource.S: how often, what Gus names on small2, and the rows that are otherwise.
STEPS = {
    "FETCH_WIDTH": (200, {"fetch"}, {}),
    "MEM_PORTS": (200, {"mem_ports"}, {}),
    "FP_PORTS": (200, {"fp_ports"}, {}),
    "INT_PORTS": (200, {"int_ports"}, {"int_ports": 1}),
    "SNAPSHOTS": (100, {"branches"}, {}),
    "FP_QUEUE": (100, {"fp_queue"}, {}),
    "STORE_QUEUE": (100, {"stores"}, {}),
    "MSHRS": (150, {"mshrs"}, {}),
    "LLC_MSHRS": (50, {"llc.mshrs"}, {"llc.mshrs": 2}),
    "DRAM_BANDWIDTH": (50, {"dram"}, {"dram": 102}),
    "DRAM_LATENCY": (50, {"row_hit", "row_miss"}, {}),
    "LLC": (400, {"llc.latency"}, {}),
    "ITLB": (1500, {"second_tlb", "fetch_walk"}, {}),
}

# Those whose cycles, from reset to the end, Gus has to know within that many per cent.
STEPS_ON_THE_CORE = {"ITLB": 1, "DRAM_LATENCY": 2}


def rows(config="tea4"):
    return [line.split("\t") for line in (ROOT / f"build/{config}/gen/gus.tsv").read_text().splitlines() if line and line[0] != "#"]


def table(case, path):
    """Plenty of everything, and the case's rows."""
    left, lines = dict(case.edits), []
    for kind, name, value, uses, source in rows():
        if kind in PLENTY:
            value = PLENTY[kind](int(value))
            kind = "rate" if kind == "every" else kind
        edit = left.get(name)
        if edit is not None and (isinstance(edit, tuple) == (kind == "kind") or kind not in ("kind", "done")):
            kind, value = edit if isinstance(edit, tuple) else (kind, edit)
            left.pop(name)
        lines.append("\t".join((kind, name, str(value), uses, source)))
    check(not left, f"rows that the table has not: {left}")
    path.write_text("\n".join(lines) + "\n")


def program(name, case, folder, times=1):
    path = folder / f"{name}.elf"
    defines = [
        f"-DBODY={case.body}",
        f"-DSETUP={case.setup}",
        f"-DREPEAT={case.repeat}",
        f"-DROUNDS={times * case.rounds}",
        *(["-DTRANSLATED"] if case.translated else []),
    ]
    subprocess.run(
        [
            "riscv64-unknown-elf-gcc",
            "-march=rv64imafd_zicsr_zifencei",
            "-mabi=lp64d",
            "-mcmodel=medany",
            "-nostdlib",
            "-static",
            "-T",
            ROOT / "tests/workloads/runtime/link.ld",
            "-Wl,--no-warn-rwx-segments",
            *defines,
            "-o",
            path,
            ROOT / "tests/cli/resources.S",
        ],
        check=True,
    )
    return path


REGION = ("--from", "body", "--to", "finish", "--format", "json")


@test
def all_resources_have_a_case(_folder):
    names = {name for kind, name, *_ in rows() if kind in PLENTY} | {"latency"}
    check(names == set(CASES), f"resources without a case, or the other way round: {names ^ set(CASES)}")


def limits(name, folder):
    """The resource of that name alone gains most, and more the faster it is; nothing that is faster makes it slower."""
    case = CASES[name]
    own = folder / f"{name}.tsv"
    table(case, own)
    without = [word for option in case.without for word in ("--without", option)]
    status, out, err = tipoff("gus", "--config", "tea4", "--table", own, *without, "--sensitivity", *REGION, program(name, case, folder))
    check(status == 0, f"{name}: {err}")
    variants = json.loads(out)["variants"]
    gains = {}
    for v in variants:
        if len(v["resources"]) == 1:
            gains.setdefault(v["resources"][0], {})[v["percent"]] = v["gain"]
    best = max(gains, key=lambda r: gains[r][15])
    expected = {name} | case.also
    check(
        best in expected and gains[best][15] > 0.05,
        f"{name}: {best} gains {gains[best][15]:.3f}, {name} {gains[name][15]:.3f}: {json.loads(out)['cycles']:.0f} cycles",
    )
    others = {r: g[15] for r, g in gains.items() if r not in expected}
    check(max(others.values()) < gains[best][15], f"{name}: as much as others: {others}")
    steps = [gains[best][percent] for percent in sorted(gains[best])]
    check(steps == sorted(steps) and steps[0] >= 0, f"{name}: more is less: {steps}")
    check(min(v["gain"] for v in variants) > -1e-9, f"{name}: what is faster makes it slower")


def add_test(name):
    def case(folder):
        limits(name, folder)

    case.__name__ = f"limited_by_{name}"
    test(case)


for _name in CASES:
    add_test(_name)


def single_gains(text):
    """{resource: gain at 15 %}."""
    return {v["resources"][0]: v["gain"] for v in json.loads(text)["variants"] if len(v["resources"]) == 1 and v["percent"] == 15}


def step_program(folder, kind, loops):
    path = folder / f"{kind}.elf"
    subprocess.run(
        [
            "riscv64-unknown-elf-gcc",
            "-march=rv64imafdc_zicsr_zifencei",
            "-mabi=lp64",
            "-mcmodel=medany",
            "-nostdlib",
            "-static",
            "-T",
            ROOT / "tests/workloads/runtime/link.ld",
            "-Wl,--no-warn-rwx-segments",
            f"-D{kind}",
            "-DMISSES",
            "-DFP",
            f"-DLOOPS={loops}",
            "-o",
            path,
            ROOT / "tests/sensitivity/one_resource.S",
        ],
        check=True,
    )
    return path


@test
def programs_of_steps(folder):
    for kind, (loops, names, edits) in STEPS.items():
        path, own = step_program(folder, kind, loops), folder / f"{kind}.tsv"
        own.write_text("".join("\t".join((row[0], row[1], str(edits.get(row[1], row[2])), *row[3:])) + "\n" for row in rows("small2")))
        status, out, err = tipoff("gus", "--config", "small2", "--table", own, "--sensitivity", "--format", "json", path)
        check(status == 0, f"{kind}: {err}")
        gains = single_gains(out)
        best = max(gains, key=gains.get)
        check(best in names and gains[best] > 0.05, f"{kind}: {best} gains {gains[best]:.3f}, not {names}: {gains}")


def core_cycles(path, config, *options):
    with tempfile.TemporaryDirectory() as folder:
        stats = pathlib.Path(folder) / "stats.json"
        done = subprocess.run([TIPOFF, "run", "--quiet", "--config", config, *options, "--stats", stats, path], capture_output=True, check=False)
        check(done.returncode in (0, 124), done.stderr.decode())
        return json.loads(stats.read_text())["cycles"]


@test
def the_core_agrees(folder):
    if not (ROOT / "build/small2/model.so").exists():
        print("  without build/small2/model.so: not on the core")
        return
    for name, allowed in ON_THE_CORE.items():
        path = program(name, CASES[name], folder, times=10)  # Gus begins with an empty pipeline, the core does not
        compare(name, allowed, path, REGION[:4], ("--sample-from", "body", "--sample-to", "finish"))
    for name, allowed in STEPS_ON_THE_CORE.items():
        compare(name, allowed, step_program(folder, name, STEPS[name][0]), (), ())


def compare(name, allowed, path, region, sampled):
    status, out, err = tipoff("gus", "--config", "small2", *region, "--format", "json", path)
    check(status == 0, err)
    core, gus = core_cycles(path, "small2", *sampled), json.loads(out)["cycles"]
    error = 100 * (gus / core - 1)
    check(abs(error) <= allowed, f"{name}: core {core}, Gus {gus:.0f} ({error:+.1f} %, at most {allowed} %)")


if __name__ == "__main__":
    sys.exit(main())
