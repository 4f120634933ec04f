#!/usr/bin/env python3
"""Positions in a run under Linux: symbols are those of the program, and a region is what its commits say.

    tests/linux/test_regions.py CONFIG [--only TEXT]

Needs build/linux/linux.elf, the model of CONFIG and gcc-riscv64-linux-gnu.
"""
import csv
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import check, main, test, tipoff  # noqa: E402

CONFIG = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "small2"
SOURCE = """
__attribute__((noinline)) int work(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main(void) { int s = 0; for (int i = 0; i < 20; i++) s += work(50); return s == 20 * 1225 ? 0 : 1; }
"""
RAN_OUT = 124


def linux(program, *options, status=RAN_OUT):
    got, _, err = tipoff("linux", "--config", CONFIG, "--quiet", *options, "--", program)
    check(got == status, f"{options}: status {got}: {err}")
    return err


@test
def symbols_of_the_program(folder):
    program, trace, stats, view = folder / "program", folder / "trace.csv", folder / "stats.json", folder / "view"
    subprocess.run(["riscv64-linux-gnu-gcc", "-O1", "-static", "-x", "c", "-o", program, "-"], input=SOURCE, text=True, check=True)
    nm = subprocess.run(["riscv64-linux-gnu-nm", program], check=True, capture_output=True, text=True).stdout
    work = int(next(line for line in nm.splitlines() if line.endswith(" work")).split()[0], 16)
    linux(
        program,
        "--worker",
        f"csv:file={trace},from=main,to=work:6",
        "--sample-from",
        "work:3",
        "--sample-to",
        "work:5",
        "--stats",
        stats,
        "--max-cycles",
        4_000_000,
    )
    rows = list(csv.DictReader(trace.open()))
    lanes = [i for i in range(8) if f"pc{i}" in rows[0]]
    times = [int(row["cycle"]) for row in rows for i in lanes if row[f"commit{i}"] == "1" and int(row[f"pc{i}"], 16) == work]
    said = json.loads(stats.read_text())
    check(
        len(times) >= 4 and (said["from_cycle"], said["to_cycle"]) == (times[2], times[4]),
        f"work is called in cycles {times}: {said['from_cycle']} to {said['to_cycle']}",
    )
    check(
        said["cycles"] == times[4] - times[2] and 400 < said["instructions"] < 1200,
        f"{said['cycles']} cycles, {said['instructions']} instructions of two calls",
    )
    err = tipoff("linux", "--config", CONFIG, "--period", 61, "--around", "work:4,200", "--kanata", view, "--", program)[2]
    check(f"work:4 is in cycle {times[3]}: from cycle {times[3] - 200} to {times[3] + 200}" in err and f"{work:x}:" in view.read_text(), err[:400])


if __name__ == "__main__":
    sys.exit(main())
