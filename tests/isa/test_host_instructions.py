#!/usr/bin/env python3
"""Bounds the host instructions that the ISS takes for one of the guest: tests/isa/host_instructions.tsv says how many, and why these programs.

Counted within iss_run by callgrind (Debian's valgrind), which no other process and no clock disturbs; decoding is part of it. The binary is built for
x86-64-v3, whose instructions valgrind knows, without debug information, over which it stumbles.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COUNTED = ROOT / "build/tests/isa/host_instructions-x86-64-v3"
TABLE = pathlib.Path(__file__).with_suffix("").parent / "host_instructions.tsv"
ALLOWED = 1.02


def rows():
    lines = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(program, float(base)) for program, base, _ in lines[1:]]


def for_one(program):
    command = ["valgrind", "--tool=callgrind", "--toggle-collect=iss_run", "--callgrind-out-file=/dev/null", COUNTED, ROOT / f"build/workloads/{program}.elf"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    guest, host = re.search(r"^(\d+) instructions", done.stdout), re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not guest or not host:
        sys.exit(f"{program}: status {done.returncode}: {done.stdout}{done.stderr[-1000:]}")
    return int(host[1]) / int(guest[1])


def main():
    over = []
    for program, base in rows():
        counted = for_one(program)
        print(f"{program}: {counted:.3f} host instructions for one of the guest, at most {base * ALLOWED:.3f} ({base:.3f} and 2 %)")
        if not 1 < counted <= base * ALLOWED:  # fewer than one: nothing was counted
            over.append(program)
    if over:
        sys.exit(
            f"{', '.join(over)}: the ISS has become slower: find out by `callgrind_annotate`, or write the new base and its reason into {TABLE.relative_to(ROOT)}"
        )


if __name__ == "__main__":
    main()
