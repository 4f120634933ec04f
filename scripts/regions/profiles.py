#!/usr/bin/python3
"""How much of the time profiles projected from regions misplace: one table of programs, by `tipoff regions validate --profile`.

    scripts/regions/profiles.py [--interval N] [--period P] [--warmup W] [--config C] PROGRAM.elf...

Each program: its full run, its regions (SimPoint), the regions simulated. What is kept in build/profiles is not run again.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = (("function", "time"), ("instruction", "time"), ("function", "events"), ("instruction", "events"), ("event", "events"), ("state", "time"))


def tipoff(*arguments):
    subprocess.run([ROOT / "build/bin/tipoff", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def measured(program, o):
    folder = ROOT / "build/profiles"
    folder.mkdir(parents=True, exist_ok=True)
    name = folder / f"{program.name.removesuffix('.elf')}.{o.config}.{o.interval}.{o.period}"
    regions, tips, stats, out = (name.with_name(f"{name.name}.{end}") for end in ("regions", "tips", "json", f"{o.warmup.replace(':', '-')}.out"))
    if not stats.exists():
        tipoff("run", "--config", o.config, "--quiet", "--period", o.period, "--samples", tips, "--stats", stats, program)
    if not regions.exists():
        tipoff("regions", "find", "--interval", o.interval, "--format", "json", "-o", regions, program)
    if not out.exists():
        warmup = ("--warmup", o.warmup) if o.warmup != "0" else ()
        tipoff(
            "regions",
            "validate",
            "--quiet",
            "--jobs",
            1,
            "--config",
            o.config,
            *warmup,
            "--reference",
            stats,
            "--profile",
            tips,
            "--format",
            "json",
            "-o",
            out,
            regions,
        )
    found, chosen = json.loads(out.read_text()), json.loads(regions.read_text())
    return found, len(chosen["regions"]), len(chosen["slices"])


def row(name, cells):
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--interval", type=int, default=1000)
    parser.add_argument("--period", type=int, default=17)
    parser.add_argument("--warmup", default="mtr:10000")
    parser.add_argument("--config", default="small2")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    o = parser.parse_args()
    row(
        "program",
        ["regions of slices", "cycles %", *(f"{unit}, {what}" for unit, what in ROWS), "samples: function", "instruction", "by sampling", "by chance"],
    )
    print("|---|" + "--:|" * (len(ROWS) + 6))
    sums = []
    for program in o.programs:
        found, regions, slices = measured(program, o)
        of = {(r["unit"], r["components"]): r for r in found["profile"]}
        values = [found["summary"]["error_percent"], *(of[key]["regions_percent"] for key in ROWS)]
        values += [of["function", "time"]["samples_percent"], *(of["instruction", "time"][f"{column}_percent"] for column in ("samples", "sampling", "chance"))]
        sums.append(values)
        row(program.name.removesuffix(".elf"), [f"{regions} of {slices}", *(f"{value:.2f}" for value in values)])
    row("mean", ["", *(f"{sum(column) / len(column):.2f}" for column in zip(*sums))])
    row("max", ["", *(f"{max(column):.2f}" for column in zip(*sums))])
    return 0


if __name__ == "__main__":
    sys.exit(main())
