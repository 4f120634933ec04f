#!/usr/bin/env python3
"""Full runs with what each slice took: vectors and cycles of each program in build/regions/CONFIG; programs that are up to date are skipped.

    scripts/regions/reference.py [--config small2] [--base 5000] [NAME.SIZE ...]

NAME.SIZE.bb has a vector for each slice of `--base` instructions, NAME.SIZE.slices.csv its instructions, cycles, states and events (worker `slices`).
"""
import argparse
import csv
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"


class Refused(Exception):
    """A command ended with a fault; what it said."""


def run(*command):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"{' '.join(str(word) for word in command)}: status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def begins(table):
    """Where slices begin, of the table of `tipoff bbv --format csv`."""
    return sorted({int(row["begin"]) for row in csv.DictReader(table.splitlines())})


def programs():
    """Those that are built."""
    return sorted(path.name[: -len(".elf")] for path in (ROOT / "build/workloads").glob("*.large.elf"))


def is_newer(path, *sources):
    return path.exists() and all(path.stat().st_mtime > source.stat().st_mtime for source in sources)


def measure(name, config, base, folder):
    program, vectors, slices = ROOT / f"build/workloads/{name}.elf", folder / f"{name}.bb", folder / f"{name}.slices.csv"
    if is_newer(slices, program) and is_newer(vectors, program):
        return False
    cuts, unfinished = folder / f"{name}.begins", folder / f"{name}.slices.new"
    run(TIPOFF, "bbv", "--interval", base, "--format", "simpoint", "--output", vectors, program)
    cuts.write_text("".join(f"{begin}\n" for begin in begins(run(TIPOFF, "bbv", "--interval", base, "--format", "csv", program))), encoding="utf-8")
    checks = ("--no-cosim", "--no-oracle", "--no-call-graph")
    run(TIPOFF, "run", "--quiet", "--config", config, *checks, "--threads", 1, "--worker", f"slices:file={unfinished},at={cuts}", program)
    os.replace(unfinished, slices)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--config", default="small2")
    parser.add_argument("--base", type=int, default=5000, help="instructions of a slice (default: 5000)")
    parser.add_argument("programs", nargs="*", help="default: every build/workloads/*.large.elf")
    arguments = parser.parse_args()
    folder = ROOT / "build/regions" / arguments.config
    folder.mkdir(parents=True, exist_ok=True)
    for name in arguments.programs or programs():
        try:
            if measure(name, arguments.config, arguments.base, folder):
                print(f"  FULL {arguments.config} {name}", flush=True)
        except Refused as refused:
            raise SystemExit(f"scripts/regions/reference.py: {refused}") from refused


if __name__ == "__main__":
    main()
