#!/usr/bin/env python3
"""The evaluation: how wrong each profiler is, by program, granularity and number of samples, against chance and against what was published; writes docs/evaluation.md.

    scripts/evaluation/evaluate.py [--set quick|full] [--only TEXT] [--periods N,...] [--output FILE.md] [--folder FOLDER] [--jobs N]      make evaluation [QUICK=1]

quick: all workloads in their small size on small2, at six periods (minutes). full: their medium size on tea4, down to a period that gives 10^5 samples (hours). Every point is
a point of a sweep (docs/sweeps.md) in FOLDER (default build/evaluation/SET): finished ones are not run again, so that the command goes on where it was ended.
--only: programs with that text in their name. --periods: those alone, the shortest first (the page then says less of rates). Status: 0; 1 when a point failed.
"""
import argparse
import csv
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import pictures  # noqa: E402
import tables  # noqa: E402

TIPOFF = ROOT / "build/bin/tipoff"
SETS = {
    "quick": {"size": "small", "config": "small2", "periods": (17, 37, 79, 163, 331, 661)},
    "full": {"size": "medium", "config": "tea4", "periods": (17, 53, 163, 499, 1511, 4649)},
}
SEED, JITTER = 1, 2  # jitter in bits of the period: docs/sampling.md
HEADLINE = 0  # the shortest period has most samples


def workloads(size, only):
    done = subprocess.run([TIPOFF, "workloads"], capture_output=True, text=True, check=True)
    names = [line.split()[0].removesuffix(".elf") for line in done.stdout.splitlines()[1:] if line.strip()]
    return [name for name in names if name.endswith(f".{size}") and only in name]


def swept(folder, name, text, jobs):
    """Rows of the sweep, numbers as numbers where they are; None: a point failed."""
    path = folder / f"{name}.toml"
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    done = subprocess.run([TIPOFF, "sweep", path, *(["--jobs", str(jobs)] if jobs else [])], stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode if done.returncode != 2 else 1)
    rows = []
    for row in csv.DictReader((path.with_suffix(".sweep") / "table.csv").open(encoding="utf-8")):
        rows.append({key: value if key in ("program", "config") else float(value) if value else None for key, value in row.items()})
    return rows


def toml(programs, config, periods):
    listed = ", ".join(f'"{name}"' for name in programs)
    return f'program = [{listed}]\nconfig = "{config}"\nperiod = {list(periods)}\njitter = {JITTER}\nseed = {SEED}\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, default="full")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--periods", metavar="N,...", type=lambda text: tuple(sorted(int(part) for part in text.split(","))))
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/evaluation.md", metavar="FILE.md")
    parser.add_argument("--folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--jobs", type=int, metavar="N")
    arguments = parser.parse_args()
    chosen = SETS[arguments.set]
    periods = arguments.periods or chosen["periods"]
    programs = workloads(chosen["size"], arguments.only)
    if not programs:
        sys.exit(f"scripts/evaluation/evaluate.py: no workload of size {chosen['size']} has '{arguments.only}' in its name: make build builds them, tipoff workloads lists them")
    folder = arguments.folder or ROOT / "build/evaluation" / arguments.set
    began = time.monotonic()
    rows = swept(folder, "profilers", toml(programs, chosen["config"], periods), arguments.jobs)
    took = time.monotonic() - began
    drawn = pictures.draw(rows, periods, arguments.output.with_suffix(""))
    text = tables.page(rows, periods, HEADLINE, f"`{chosen['config']}`, workloads of size {chosen['size']}", arguments.set, took, drawn)
    arguments.output.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
