#!/usr/bin/env python3
"""What random programs reach on a core model, which takes interrupts when it will: by the trace of the commit bundle.

    tests/fuzz/run_reach.py CONFIG FIRST LAST KIND

Prints how often the handlers' parts were entered, how often between an LR and its SC, and what else KIND is for. Exit
status 1 if the seeds together have less of something than MUST says; fewer than 30 seeds, half of
their share of it: programs differ.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

from run_seeds import MAX_CYCLES, options

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PARTS = ("timer", "software", "external", "overflow", "s_interrupt", "s_overflow")  # labels of handlers.py and vm_handlers.py
PATCHED = 4096  # bytes of a page
# By kind: at least that many in 30 programs.
MUST = {
    "seed": {"timer": 300, "software": 60, "external": 100, "an interrupt between LR and SC": 30, "written code in another page": 300},
    "pmu": {"overflow": 150, "external": 100, "an interrupt between LR and SC": 30},
    "fpvm": {"exception of a floating-point load or store": 100, "external": 30, "s_interrupt": 10, "written code in another page": 100},
    "pmuvm": {"overflow": 10, "s_overflow": 5, "external": 30, "s_interrupt": 10},
}


def tool(name, *arguments):
    return subprocess.run([f"riscv64-unknown-elf-{name}", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


class Program:
    """Addresses of a program that mean something here."""

    def __init__(self, path):
        symbols = {row[2]: int(row[0], 16) for row in map(str.split, tool("nm", path).splitlines())}
        self.parts = {symbols[name]: name for name in PARTS if name in symbols}
        self.patched = symbols["patched"]
        self.of = collections.defaultdict(set)
        for at, name in re.findall(r"^\s*([0-9a-f]+):\s+\S+\s+(\S+)", tool("objdump", "-d", path), re.MULTILINE):
            self.of["lr" if name.startswith("lr.") else "sc" if name.startswith("sc.") else "fp" if name in ("flw", "fld", "fsw", "fsd") else ""].add(
                int(at, 16)
            )


def committed(header, fields):
    """Program counters that commit in this cycle, oldest first."""
    lanes, oldest = header["lanes"], int(fields[header["oldest"]])
    for i in range(len(lanes)):
        at = lanes[(oldest + i) % len(lanes)]
        if fields[at] == "1":
            yield int(fields[at + 1], 16)


def count(program, lines, found):
    names = lines[0].split(",")
    header = {"oldest": names.index("oldest"), "exception": names.index("exception"), "lanes": [i for i, name in enumerate(names) if name.startswith("commit")]}
    reserved = False
    for line in lines[1:]:
        fields = line.split(",")
        if len(fields) != len(names):
            continue  # what the program printed
        for pc in committed(header, fields):
            part = program.parts.get(pc)
            if part:
                found[part] += 1
                found["an interrupt between LR and SC"] += reserved
            found["written code in another page"] += program.patched <= pc < program.patched + PATCHED
            reserved = pc in program.of["lr"] or (reserved and pc not in program.of["sc"])
        if fields[header["exception"]] == "1":
            found["exception of a floating-point load or store"] += int(fields[header["exception"] + 1], 16) in program.of["fp"]


def main():
    if len(sys.argv) != 5 or sys.argv[4] not in MUST:
        raise SystemExit(__doc__)
    config, first, last, kind = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    programs = {seed: f"build/tests/fuzz/{kind}-{seed}.elf" for seed in range(first, last + 1)}
    subprocess.run(["make", "-s", *programs.values()], cwd=ROOT, check=True)
    found = collections.Counter()
    for seed, path in programs.items():
        with tempfile.NamedTemporaryFile("r", suffix=".csv", encoding="utf-8") as trace:
            command = f"build/bin/tipoff run --config {config} --quiet --max-cycles {MAX_CYCLES} {options(seed)} --trace {trace.name} --trace-format csv {path}"
            subprocess.run(command.split(), cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
            count(Program(path), trace.read().splitlines(), found)
    for what in sorted(found):
        print(f"{found[what]:8}  {what}")
    wanted = {what: least if len(programs) >= 30 else least * len(programs) // 60 for what, least in MUST[kind].items()}
    missed = [f"{what}: {found[what]} of {least}" for what, least in wanted.items() if found[what] < least]
    print(f"{len(programs)} programs, missed: {', '.join(missed) or 'nothing'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
