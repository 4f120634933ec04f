#!/usr/bin/env python3
"""Lines of SystemVerilog and of Verilator's waivers: at most 120 columns, no blanks at their end, no name from the top of a model on.

    scripts/rtl_lines.py [FOLDER...]    default: rtl sim attach tests

Names file and line of each that breaks this; status 1 if there is one. `make lint` asks.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 120
ABSOLUTE = re.compile(r"\bsim_top\.(?!sv\b)")  # it would name one tile, however many a model has


def faults(text):
    """(number of a line, what is wrong with it) of a source file."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MOST:
            yield number, f"{len(line)} columns, of at most {MOST}: wrap it"
        if line != line.rstrip():
            yield number, "blanks at its end: take them out"
        if ABSOLUTE.search(line):
            yield number, "sim_top. names one tile only: begin with the instance that stands beside this one (u_tile.)"


def main(folders):
    found = 0
    for folder in folders or [ROOT / name for name in ("rtl", "sim", "attach", "tests")]:
        for path in sorted(path for path in pathlib.Path(folder).rglob("*") if path.suffix in (".sv", ".svh", ".vlt") and not path.is_symlink()):
            for number, fault in faults(path.read_text(encoding="utf-8")):
                print(f"{path}:{number}: {fault}", file=sys.stderr)
                found += 1
    return found != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
