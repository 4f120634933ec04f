#!/usr/bin/env python3
"""Every row of tables/instructions.tsv has its ISA test, built, and that program really contains the instruction.

What an instruction is, this script reads from the bits of the disassembled program (objdump) and the table's mask and
match; the generator's own idea of what it tests does not count.
"""
import pathlib
import re
import subprocess
import sys

import gen_isa

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FEWEST = 3  # times that the instruction is written in its program
WORD = re.compile(r"^\s*[0-9a-f]+:\s+([0-9a-f]{8})\s")


def words(path):
    text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "-M", "no-aliases", str(path)], stdout=subprocess.PIPE, check=True, text=True).stdout
    return [int(found[1], 16) for found in map(WORD.match, text.splitlines()) if found]


def main():
    failed, rows = 0, gen_isa.rows()
    for row in rows:
        path = ROOT / "build" / "tests" / "isa" / (row["name"].replace(".", "_") + ".elf")
        if not path.exists():
            print(f"FAIL {row['name']}: {path.relative_to(ROOT)} is missing: make -s {path.relative_to(ROOT)}")
            failed += 1
            continue
        mask, match = int(row["mask"], 0), int(row["match"], 0)
        count = sum(word & mask == match for word in words(path))
        if count < FEWEST:
            print(f"FAIL {row['name']}: {count} times in {path.relative_to(ROOT)}: extend tests/isa/gen_isa.py")
            failed += 1
    print(f"{len(rows) - failed} passed, {failed} failed")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
