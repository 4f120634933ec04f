#!/usr/bin/env python3
"""Does the netlist do what the RTL does? The complete unit in cells of the library beside its RTL, cycle by cycle on random stimuli, in one Verilator model.

    scripts/overhead/simulate.py [--unit TEA] [--lanes 2] [--cycles 100000] [--seed 1] [--broken 100]

Both get bundles that keep the bundle's rules, triggers, and random reads and writes of the unit's CSRs; outputs must be alike in each cycle. Then one
gate after another, --broken of them from all over the netlist, is exchanged for another kind: LEAST of them must be found within the same number of
cycles, at most FAULT_CYCLES. Those that are not are printed with what they lead to: carries far up in 64-bit counters, and what is redundant. --all: each gate.
The bench is tests/unit/overhead/gates; same.py proves a part of this instead.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys

import designs
import flow
import gates
import library
import same
import state

ROOT = library.ROOT
BENCH = ROOT / "tests/unit/overhead/gates"
FAULT_CYCLES = 20000
LEAST = 0.7  # of the broken gates that are found: a fifth serves carries of 64-bit counters that no run of this length reaches


def built(unit, lanes, broken, cells):
    """(program, module of the netlist, broken gates' names): the model of RTL and netlist; broken: how many gates can be."""
    folder, top = same.mapped(unit, cells, lanes)
    module = json.loads((folder / "names.json").read_text())["modules"][top]
    names = gates.spread(gates.breakable(module), broken)
    room = folder / f"pair-{len(names)}"
    room.mkdir(exist_ok=True)
    (room / "gates.v").write_text(gates.verilog(module, "gates", names))
    (room / "cells.v").write_text(gates.models(cells))
    design, _ = designs.design_of(unit, lanes)
    sources = [path for path in design["files"] if path.endswith(".sv")]
    program = room / "run"
    flow.run(
        [
            "verilator",
            "--cc",
            "--exe",
            "-O3",
            "--x-initial",
            "unique",
            "--x-assign",
            "unique",
            "--assert",
            "--prefix",
            "Vtop",
            "--top-module",
            "gate_pair",
            "-Wno-fatal",
            "-Wno-lint",
            "-Wno-style",
            "--Mdir",
            room / "obj",
            f"-I{ROOT}/rtl/prim",
            "-CFLAGS",
            f"-std=gnu++20 -I{ROOT}/csrc -I{ROOT}/build/gen",
            *sources,
            ROOT / "sim/bundle_rules.sv",
            room / "cells.v",
            room / "gates.v",
            BENCH / "gate_pair.sv",
            BENCH / "test_gates.cpp",
            "-o",
            program,
        ],
        room / "verilate.log",
        cwd=ROOT,
    )
    flow.run(
        ["make", "-s", "-C", room / "obj", "-f", ROOT / "sim/bench.mk", "CXX=clang++", "LINK=clang++", "OPT_FAST=-O1", "OPT_SLOW=-O0"],
        room / "build.log",
        cwd=ROOT,
    )
    return program, module, names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unit", choices=("TIP", "TEA"), default="TEA")
    parser.add_argument("--lanes", type=int, default=2)
    parser.add_argument("--cycles", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"), help="printed; default: another one each time")
    parser.add_argument("--broken", type=int, default=100, metavar="GATES")
    parser.add_argument("--all", action="store_true", help="break each gate")
    arguments = parser.parse_args()
    library.ROOM.mkdir(parents=True, exist_ok=True)
    flow.install_front_end()
    subprocess.run(["make", "-s", "build/gen/.stamp"], cwd=ROOT, check=True)
    cells = library.fetched()
    unit = next(row for row in state.rows("units.tsv") if row["unit"] == arguments.unit)
    program, module, names = built(unit, arguments.lanes, (1 << gates.FAULT_BITS) - 1 if arguments.all else arguments.broken, cells)
    what = f"{arguments.unit} at {arguments.lanes} lanes"
    again = f"scripts/overhead/simulate.py --unit {arguments.unit} --lanes {arguments.lanes} --cycles {arguments.cycles} --seed {arguments.seed} --broken {len(names)}"
    passed = failed = 0

    def check(text, holds):
        nonlocal passed, failed
        passed, failed = passed + holds, failed + (not holds)
        print(f"{'PASS' if holds else 'FAIL'}  {what}: {text}", flush=True)

    done = subprocess.run([program, str(arguments.seed), str(arguments.cycles)], capture_output=True, text=True, check=False)
    print(done.stdout, end="")
    check(
        f"netlist of {len(module['cells']):,} cells and RTL alike for {arguments.cycles:,} cycles, seed {arguments.seed}",
        done.returncode == 0 and f"{arguments.cycles} cycles alike" in done.stdout,
    )
    if names and not failed:
        done = subprocess.run(
            [program, str(arguments.seed), str(min(arguments.cycles, FAULT_CYCLES)), str(len(names))], capture_output=True, text=True, check=False
        )
        found = {int(number): int(cycle) for number, cycle in re.findall(r"^broken (\d+) (-?\d+)$", done.stdout, re.MULTILINE)}
        seen = [cycle for cycle in found.values() if cycle >= 0]
        for number, cycle in found.items():
            if cycle < 0:
                name = names[number - 1]
                kind = module["cells"][name]["type"]
                print(f"      not found: {name}, {gates.OTHER[kind]} for {kind}, on the way to {gates.register_near(module, name)}")
        check(
            f"{len(seen):,} of {len(names):,} broken gates found" + (f", half of them within {statistics.median(seen):.0f} cycles" if seen else ""),
            len(found) == len(names) and len(seen) >= LEAST * len(names),
        )
    if failed:
        print(f"again: {again}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
