#!/usr/bin/env python3
"""Programs of programs.toml on a core, region behind region, in lockstep with the ISS and under every check; what was compared goes on record.

    scripts/programs/record.py [--config small2,tea4,wide8] [--only NAME]... [--instructions 2000000] [--minutes 60]
    scripts/programs/record.py --table        # sums of the record, as docs/results/programs.md shows them
    scripts/programs/record.py --widths       # regions on record for several cores
    scripts/programs/record.py --widths --at 2000000 --instructions 1000000    # one region of each, run now, as docs/results/widths.md shows them; nothing goes on record

A region begins where the last of that program and core ended: the ISS leads there, the core takes over, with empty caches. A row of tests/linux/lockstep.tsv
for each: the one that has least comes first. A program whose end was reached is left out. A difference, or a check that fails, is a row, too;
its machine is kept, and the status is 1.
"""
import argparse
import collections
import csv
import json
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from iss import advance, start  # noqa: E402
from programs import FOLDER, ROOT, TIPOFF, load  # noqa: E402

RECORD = ROOT / "tests/linux/lockstep.tsv"
COLUMNS = ("program", "config", "commit", "date", "first", "instructions", "cycles", "traps", "ended", "differences")
LINUX = ROOT / "build/linux/linux.elf"
INSTRUCTIONS_RAN_OUT = 124


def rows():
    lines = [line for line in RECORD.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def append(row):
    with open(RECORD, "a", encoding="utf-8") as file:
        file.write("\t".join(str(row[column]) for column in COLUMNS) + "\n")


def commit():
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    return git("rev-parse", "--short", "HEAD") + "+" * bool(git("status", "--porcelain", "csrc", "harness", "rtl", "sim", "tables"))


def region(program, config, first, most):
    """The row of one region."""
    machine, beginning = program.folder / f"record-{config}.machine", program.folder / f"record-{config}-start.machine"
    if not beginning.exists() or beginning.stat().st_mtime < max(path.stat().st_mtime for path in (LINUX, TIPOFF, program.guest)):
        start(program, beginning, "--config", config)
    stats = program.folder / f"record-{config}.json"
    stats.unlink(missing_ok=True)
    if first:
        advance(beginning, first, machine)
    command = [TIPOFF, "run", "--config", config, "--quiet", "--restore", machine if first else beginning, "--max-insns", str(most), "--stats", stats]
    done = subprocess.run([*map(str, command)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if not stats.exists():
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
    statistics = json.loads(stats.read_text(encoding="utf-8"))
    checks = statistics["checks"]
    good = checks["passed"] and checks["instructions"] >= statistics["instructions"] > 0
    if not good:
        print(done.stderr.decode(errors="replace"), file=sys.stderr)
    return {
        "program": program.name,
        "config": config,
        "commit": commit(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "first": first,
        "instructions": statistics["instructions"],
        "cycles": statistics["cycles"],
        "traps": checks["traps"],
        "ended": "no" if done.returncode == INSTRUCTIONS_RAN_OUT else "yes",
        "differences": 0 if good else 1,
    }


def table():
    sums = collections.defaultdict(collections.Counter)
    for row in rows():
        sums[row["program"], row["config"]].update(
            {name: int(row[name]) for name in ("instructions", "cycles", "traps", "differences")}, regions=1, ended=row["ended"] == "yes"
        )
    print("| program | core | regions | instructions | traps | cycles | differences |\n|---|---|---:|---:|---:|---:|---:|")
    total = collections.Counter()
    for (program, config), sum_ in sorted(sums.items()):
        total.update(sum_)
        print(
            f"| {program}{', to its end' * bool(sum_['ended'])} | {config} | {sum_['regions']} | {sum_['instructions']:,} | {sum_['traps']:,} | {sum_['cycles']:,} | {sum_['differences']} |"
        )
    print(f"| all | | {total['regions']} | {total['instructions']:,} | {total['traps']:,} | {total['cycles']:,} | {total['differences']} |")


def run_each(programs, configs, first, most):
    """Rows of this region of each program on each core, for no record."""
    for program in programs.values():
        for config in configs:
            row = region(program, config, first, most)
            print("  RUN", *(row[column] for column in ("program", "config", "instructions", "cycles", "differences")), file=sys.stderr, flush=True)
            yield row


def widths(configs, found):
    """Cycles of the regions that all of these cores have, where they begin at the same place and are as long."""
    cycles = collections.defaultdict(dict)
    for row in found:
        cycles[row["program"], int(row["first"]) // 1000, int(row["instructions"]) // 1000][row["config"]] = int(row["cycles"])
    sums = collections.defaultdict(collections.Counter)
    for (program, _, _), of in cycles.items():
        if all(config in of for config in configs):
            sums[program].update(of, regions=1, slower=sum(of[wide] > of[narrow] for narrow, wide in zip(configs, configs[1:])))
    print(
        f"| program | regions | {' | '.join(configs)} | times as fast | regions in which the wider core is slower |\n|---|---:|{'---:|' * len(configs)}---:|---:|"
    )
    for program, sum_ in sorted(sums.items()):
        faster = ", ".join(f"{sum_[narrow] / sum_[wide]:.2f}" for narrow, wide in zip(configs, configs[1:]))
        print(f"| {program} | {sum_['regions']} | {' | '.join(f'{sum_[config]:,}' for config in configs)} | {faster} | {sum_['slower']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="small2,tea4,wide8")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--instructions", type=int, default=2_000_000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--widths", action="store_true")
    parser.add_argument("--at", type=int, metavar="INSTRUCTION")
    arguments = parser.parse_args()
    configs = arguments.config.split(",")
    if arguments.table:
        return table()
    if arguments.widths and arguments.at is None:
        return widths(configs, rows())
    programs = {name: program for name, program in load().items() if program.built() and (not arguments.only or name in arguments.only)}
    if not programs:
        sys.exit(f"scripts/programs/record.py: {FOLDER}: none of them is built: make linux-programs")
    if arguments.widths:
        return widths(configs, run_each(programs, configs, arguments.at, arguments.instructions))
    before, until, done = rows(), time.monotonic() + 60 * arguments.minutes, 0
    reached = {(name, config): [0, False] for name in programs for config in configs}
    for row in before:
        if (row["program"], row["config"]) in reached:
            reached[row["program"], row["config"]] = [int(row["first"]) + int(row["instructions"]), row["ended"] == "yes"]
    while time.monotonic() < until and not all(ended for _, ended in reached.values()):
        (name, config), (first, _) = min(((key, value) for key, value in reached.items() if not value[1]), key=lambda pair: pair[1][0])
        row = region(programs[name], config, first, arguments.instructions)
        append(row)
        done += row["instructions"]
        print("\t".join(str(row[column]) for column in COLUMNS), flush=True)
        if row["differences"]:
            sys.exit(f"scripts/programs/record.py: {name} on {config}: A CHECK FAILED: the machine is kept in {programs[name].folder}")
        reached[name, config] = [first + row["instructions"], row["ended"] == "yes"]
    print(f"{done:,} instructions more, all equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
