#!/usr/bin/env python3
"""ProfileMe beside TEA: which line of a program does each name, where the cause is known, and what its change gains is measured.

    scripts/beside_tea.py [--config full2] [--only NAME]... [--write]

The programs of tests/advice, slow for one reason each, whose line ends in "// cause" (docs/results/advice.md). Before the change each runs twice: sampled every 97 cycles and,
in the same run, one of 64 to 127 fetched instructions; and in pairs. Lines of source are ranked by their time (TEA), by the latency of their instructions (ProfileMe, fetch to retire ready, as in
the paper's figure 7) and by the issue slots that are wasted meanwhile (pairs). Printed, and with --write put into docs/guide/profileme-software.md: the place of the cause in each
order, and its part of the sum.
"""
import argparse
import collections
import csv
import io
import json
import subprocess

import advice
import page_head

PAGE = advice.ROOT / "docs/guide/profileme-software.md"
BEGIN, END = "<!-- beside TEA: begin -->", "<!-- beside TEA: end -->"
HEAD = "| program | cause | TEA: place, part of the time | latency: place, part | wasted slots: place, part | gain of the change |\n|---|---|---|---|---|---|"


def rows(*words):
    lines = advice.run(advice.BIN / "tipoff", *words).splitlines()
    return list(csv.DictReader(io.StringIO("\n".join(line for line in lines if not line.startswith("#")))))


def by_line(program, amounts):
    """Sums by line of the program's own source; what lies elsewhere is under its address's line, too, for it competes."""
    addresses = list(amounts)
    out = subprocess.run(["riscv64-unknown-elf-addr2line", "-e", program, *addresses], capture_output=True, text=True, check=True).stdout.split("\n")
    sums = collections.Counter()
    for address, place in zip(addresses, out):
        sums[place.split(" ")[0].split("/")[-1]] += amounts[address]
    return sums


def place(sums, cause):
    order = [line for line, _ in sums.most_common()]
    total = sum(amount for amount in sums.values() if amount > 0)
    return f"{order.index(cause) + 1}, {100 * sums[cause] / total:.0f} %" if sums.get(cause, 0) > 0 else "none"


def measure(name, config, folder):
    source = (advice.SOURCES / f"{name}.c").read_text(encoding="utf-8").splitlines()
    cause = f"{name}.c:{next(i + 1 for i, line in enumerate(source) if line.endswith('// cause'))}"
    cycles, elf = [], {}
    for fixed in (False, True):
        elf[fixed] = folder / f"{name}.{'after' if fixed else 'before'}.elf"
        advice.run(
            advice.BIN / "tipoff-cc",
            "-ffp-contract=off",
            *(["-DFIXED"] if fixed else []),
            (advice.SOURCES / f"{name}.c").relative_to(advice.ROOT),
            "-o",
            elf[fixed],
        )
        stats, tips = folder / "stats.json", folder / f"{name}.{fixed}.tips"
        advice.run(
            advice.BIN / "tipoff",
            "run",
            "--config",
            config,
            "--quiet",
            "--period",
            advice.PERIOD,
            "--jitter=4",
            "--profileme",
            "64,jitter=6",
            "--samples",
            tips,
            "--stats",
            stats,
            elf[fixed],
        )
        cycles.append(json.loads(stats.read_text())["cycles"])
    one, pairs = folder / f"{name}.False.tips", folder / f"{name}.pairs.tips"
    advice.run(advice.BIN / "tipoff", "run", "--config", config, "--quiet", "--profileme", "128,jitter=7,pairs=64", "--samples", pairs, elf[False])
    amounts = [collections.Counter() for _ in range(3)]
    for row in rows("report", "--format", "csv", one):
        amounts[0][row["unit"]] += float(row["cycles"])
    for row in rows("profileme", "--format", "csv", one):
        amounts[1][row["address"]] += float(row["latency"])
    for row in rows("profileme", "--pairs", "--format", "csv", pairs):
        amounts[2][row["address"]] += float(row["wasted_slots"])
    found = [place(by_line(elf[False], {a: n for a, n in amount.items() if a.startswith("0x")}), cause) for amount in amounts]
    return f"| {name} | {advice.programs()[name]['cause']} | {' | '.join(found)} | {cycles[0] / cycles[1]:.2f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="full2", help="the core (default: %(default)s)")
    parser.add_argument("--only", action="append", metavar="NAME", help="this program alone; any number of times")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.relative_to(advice.ROOT)}")
    options = parser.parse_args()
    folder = advice.ROOT / "build/beside-tea"
    folder.mkdir(parents=True, exist_ok=True)
    names = options.only or [name for name, entry in advice.programs().items() if options.config == "full4" or "core" not in entry]
    table = [HEAD]
    for name in names:
        table.append(measure(name, options.config, folder))
        print(table[-1], flush=True)
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        head, rest = page.split(BEGIN)
        measured = page_head.sentence("scripts/beside_tea.py --write")
        PAGE.write_text(head + BEGIN + "\n" + measured + "\n\n" + "\n".join(table) + "\n" + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
