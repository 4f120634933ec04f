#!/usr/bin/env python3
"""Writes docs/results/instruction-tables.md from tables/measured/*.tsv: instructions that cost the same in one row, configurations side by side.

    scripts/instruction_tables/document.py [--check] [--measured]

--check: fails if the page is another. --measured: the tables have just been measured, here; without it the page's head stays.
"""
import argparse
import csv
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import page_head  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/results/instruction-tables.md"
COLUMNS = ("rs1", "rs2", "rs3", "longest", "every", "uses")
HEAD = """\
# What each instruction costs

    make instruction-tables                       # measures small2, tea4 and wide8, writes tables/measured/*.tsv and this page
    scripts/instruction_tables/measure.py --config small2 --only mul,div --output mul.tsv

Latency, throughput and resources of every instruction of `tables/instructions.tsv`, measured on the RTL by micro-programs that time
themselves with `rdcycle`, as uops.info does for x86. `tipoff gus` takes its latencies from here ([gus.md](../guide/gus.md)).

## How
Each figure is the slope between two lengths of a straight line of instructions, so that what begins and ends it cancels.

- **Latency** from an operand to the result: a chain through both, less what leads from the result's register back to the operand's. From x to f
  registers there is no chain without a way back, and only their sum can be measured: `fmv.d.x` is taken to be as long as `fadd.d`, as all
  results for f registers are. A load's latency is from its address; a load that a store feeds is under "Pairs".
- **longest**: with operands that take longest: all ones by one, 1/3, the root of 2. The other figures of divisions hold for operands that end at once (0/1, 1/1).
- **every**: cycles from one to the next of the same kind, when none waits for another. `ecall`, `ebreak`, `mret`, `sret`: from the trap or return
  until the next instruction, which `mtvec`, `mepc` or `sepc` names, is as far; what writes those is measured alone, and subtracted. `sret` goes to
  S-mode, from which an `ecall`, subtracted too, leads back. `wfi`: with an interrupt pending that is enabled in `mie` and not taken, so that nothing is waited for.
- **uses**: between copies of an instruction that keeps a resource busy, one more of another kind takes time only if it needs it, too. `NAME:2`:
  it takes the time of two of those copies. Integer ports are as many as the core is wide, so nothing can keep them busy that way: additions and
  copies of the instruction become ready in the same cycle, older than an addition at the head of a long chain, which comes the later the more ports they take.
  `serial`: it runs alone. `?`: none of these was found: a unit on one of many ports does not hinder the others. An instruction without operands cannot be made to wait, and jumps end a packet of fetch before they keep anything else busy.
"""
NOTES = """\
## What it shows
- Multiplications take a port that resolves branches, too, where the core has two such ports (`branch_ports` of `mul`).
- A division gives way to multiplications, with which it shares a port of the register file, until there are none left in the window: in a stream of
  multiplications it costs the time of several (`multiplier:N` of `div`).
- Of a word that an older store wrote in part a load waits until the store is in the cache ("sw, ld: more than it").

## Not measured
`sctrclr`: none of these cores has control transfer records.
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


def is_pair(name):
    return " " in name


def groups(tables):
    """Instructions with the same figures in all tables, by first appearance."""
    of_name = {}
    for rows in tables.values():
        for row in rows:
            of_name.setdefault(row["name"], []).append(tuple(row[c] for c in COLUMNS))
    found = {}
    for name, figures in of_name.items():
        if not is_pair(name):
            found.setdefault(tuple(figures), []).append(name)
    return found, {name: [f[COLUMNS.index("every")] for f in figures] for name, figures in of_name.items() if is_pair(name)}


def side_by_side(values):
    return values[0] if len(set(values)) == 1 else " / ".join(values)


def page():
    tables = {path.stem: read(path) for path in sorted((ROOT / "tables/measured").glob("*.tsv"))}
    rows, pairs = groups(tables)
    text = [
        HEAD,
        f"## Instructions\nCycles; where they differ: {' / '.join(tables)}.\n",
        "| instructions | rs1 | rs2 | rs3 | longest | every | uses |",
        "|---|---|---|---|---|---|---|",
    ]
    for figures, names in rows.items():
        cells = [side_by_side([f[i] for f in figures]) for i in range(len(COLUMNS))]
        text.append("| " + " | ".join([", ".join(f"`{n}`" for n in names), *cells]) + " |")
    text += [
        "",
        "## Pairs",
        "Cycles of all instructions that are named, in a chain where each waits for the one before.",
        "",
        "| | " + " | ".join(tables) + " |",
        "|---|" + "---|" * len(tables),
    ]
    text += ["| " + " | ".join([name, *values]) + " |" for name, values in pairs.items()]
    return "\n".join([*text, "", NOTES])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--measured", action="store_true")
    arguments = parser.parse_args()
    if not arguments.check:
        page_head.write(PAGE, page(), "make instruction-tables" if arguments.measured else None)
    elif page_head.body(PAGE.read_text(encoding="utf-8")) != page():
        sys.exit(f"{PAGE.relative_to(ROOT)} does not show tables/measured: scripts/instruction_tables/document.py writes it")


if __name__ == "__main__":
    main()
