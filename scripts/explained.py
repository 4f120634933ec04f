#!/usr/bin/env python3
"""How much of the time the events explain: the table of docs/guide/profiling.md.

    scripts/explained.py [--config NAME ...] [--period N] [PROGRAM.elf ...]

Runs the small workloads (or PROGRAMs) on each configuration, sampled, under all checks, and prints a table: the error of TEA's
cycle stacks with its number of samples, the share of executions that met several events of those that met any, and the
stalls without an event: how many are shorter than 5.8 cycles (published: 99 %), the length that 99 % do not exceed, and
which instructions the longer ones are, by cycles. Nothing here passes or fails. With --write the table replaces
the one of docs/guide/profiling.md.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts/evaluation"))
import tables  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
PAGE = ROOT / "docs/guide/profiling.md"
BEGIN, END = "<!-- explained: begin (scripts/explained.py --write) -->\n", "<!-- explained: end -->\n"
LONG = math.ceil(tables.published()["base_stall", "TEA", "instruction", "percentile_99"])  # cycles: a stall of fewer no event needs to explain
SHORT_KINDS = {
    "floating-point operation": "fdiv, fsqrt",
    "divide": "divide",
    "load": "load",
    "atomic": "atomic",
    "fence": "fence",
    "CSR access": "CSR",
    "integer operation": "integer",
    "store": "store",
    "branch": "branch",
    "indirect jump": "jalr",
    "multiply": "multiply",
}


def tipoff(*arguments):
    done = subprocess.run([TIPOFF, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        sys.exit(f"tipoff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def kind_of(words):
    return next((short for begin, short in SHORT_KINDS.items() if words.startswith(begin)), words)


def measure(config, program, period):
    with tempfile.TemporaryDirectory() as folder:
        samples = pathlib.Path(folder) / "run.tips"
        tipoff("run", "--config", config, "--period", period, f"--jitter={int(period).bit_length() - 3}", "--samples", samples, "--quiet", program)
        stacks = json.loads(tipoff("report", samples, "--stacks", "--by", "process", "--format", "json"))
        compare = json.loads(tipoff("compare", samples, "--format", "json"))
    tea = next(row for row in compare["errors"] if (row["profiler"], row["granularity"], row["components"]) == ("TEA", "instruction", "events"))
    stalls, executions = stacks["base_stalls"], stacks["executions"]
    longer = sum(count for length, count in stalls["lengths"] if length >= LONG)
    kinds = {}
    for place in stalls["long"]:
        kinds[kind_of(place["kind"])] = kinds.get(kind_of(place["kind"]), 0) + place["cycles"]
    long_cycles = sum(kinds.values())
    return {
        "program": pathlib.Path(program).name.split(".")[0],
        "samples": tea["samples"],
        "error": tea["error"],
        "met": executions["with_event"] / executions["all"],
        "several": executions["combined_share"],
        "short": 1 - longer / max(stalls["count"], 1),
        "p99": stalls["p99"],
        "longest": stalls["longest"],
        "of_run": long_cycles / stacks["cycles"],
        "kinds": [f"{kind} {100 * cycles / long_cycles:.0f} %" for kind, cycles in sorted(kinds.items(), key=lambda k: -k[1]) if cycles >= 0.05 * long_cycles],
    }


def table(config, rows):
    text = f"`{config}`\n\n"
    text += "| program | samples | error of TEA | met an event | ... several | Base stalls < 5.8 | 99 % up to | longest | 6 and more: of the run | they are |\n"
    text += "|---|---|---|---|---|---|---|---|---|---|\n"
    for r in rows:
        text += (
            f"| {r['program']} | {r['samples']:,} | {100 * r['error']:.1f} % | {100 * r['met']:.2f} % | {100 * r['several']:.1f} % | {100 * r['short']:.1f} % | "
            f"{r['p99']} | {r['longest']} | {100 * r['of_run']:.1f} % | {', '.join(r['kinds'])} |\n"
        )
    n = len(rows)
    text += (
        f"| **mean** (worst) | | {100 * sum(r['error'] for r in rows) / n:.1f} % ({100 * max(r['error'] for r in rows):.1f} %) | | {100 * sum(r['several'] for r in rows) / n:.1f} % "
        f"| {100 * sum(r['short'] for r in rows) / n:.1f} % ({100 * min(r['short'] for r in rows):.1f} %) | | | {100 * sum(r['of_run'] for r in rows) / n:.1f} % | |\n\n"
    )
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", action="append")
    parser.add_argument("--period", type=int, default=197)
    parser.add_argument("--write", action="store_true", help="into docs/guide/profiling.md")
    parser.add_argument("program", nargs="*")
    arguments = parser.parse_args()
    programs = arguments.program or sorted(map(str, (ROOT / "build/workloads").glob("*.small.elf")))
    configs = arguments.config or ["small2", "tea4"]
    text = page_head.sentence("scripts/explained.py --write") + f" Small workloads, a sample every {arguments.period} cycles on average.\n\n"
    for config in configs:
        rows = []
        for program in programs:
            rows.append(measure(config, program, arguments.period))
            print(f"{config} {rows[-1]}", file=sys.stderr, flush=True)
        text += table(config, rows)
    if arguments.write:
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.split(END)[1], encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
