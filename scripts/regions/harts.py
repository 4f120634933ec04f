#!/usr/bin/env python3
"""docs/results/regions-harts.md: what regions project of parallel kernels of several harts, on the fast model, each cut out of the full run.

    scripts/regions/harts.py [--harts 8] [--size medium] [--jobs 2] [--write] [KERNEL ...]

Each kernel in both ways to wait; LoopPoint, and SimPoint of all harts as if they were one. What was measured is kept in build/regions/harts and taken from
there while program, command and table of resources are as they were. --write: the page and its CSV, of what has been measured.
"""
import argparse
import concurrent.futures
import csv
import io
import json
import math
import pathlib
import re
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]
import page_head  # noqa: E402
from reference import ROOT, TIPOFF, is_newer, run  # noqa: E402

PAGE, TABLE = (ROOT / f"docs/results/regions-harts.{ending}" for ending in ("md", "csv"))
KEPT = ROOT / "build/regions/harts"
CONFIG = "tea4c"
SLICE = 20000  # instructions that count, of a hart: the publication's 100 million by 5,000
SEED = 1
METHODS = {"looppoint": ["--slice", str(SLICE)], "simpoint": []}  # of the latter, slices are as long
WAITS = {"active": "", "passive": ".passive"}
DYNAMIC = {"mandelbrot", "quicksort"}  # which hart does what is a matter of time
PUBLISHED = {("looppoint", "active"): "2.33", ("looppoint", "passive"): "2.23", ("simpoint", "active"): "25"}
COLUMNS = [
    "kernel",
    "waits",
    "method",
    "harts",
    "instructions",
    "counted",
    "slices",
    "regions",
    "cycles",
    "projected",
    "error",
    "serial",
    "parallel",
    "seconds",
]


def kernels():
    return sorted(path.stem for path in (ROOT / "tests/parallel").glob("*.c") if path.stem != "parallel")


def measure(kernel, waits, method, options):
    """A row, or why there is none."""
    name = f"{kernel}.{options.size}{WAITS[waits]}"
    program, kept = ROOT / f"build/parallel/{name}.elf", KEPT / f"{name}.{options.harts}.{method}.json"
    if is_newer(kept, program, TIPOFF, ROOT / f"build/{CONFIG}/gen/gus.tsv"):
        return json.loads(kept.read_text(encoding="utf-8"))
    regions, begun = kept.with_suffix(".regions"), time.monotonic()
    harts = ["--harts", options.harts]
    settings = METHODS[method] or ["--interval", SLICE * options.harts]
    try:
        run(TIPOFF, "regions", "find", "--method", method, *settings, "--seed", SEED, *harts, "--format", "json", "--output", regions, program)
        text = run(TIPOFF, "gus", "--config", CONFIG, *harts, "--regions", regions, program)
    except SystemExit as fault:
        return {"kernel": kernel, "waits": waits, "method": method, "fault": str(fault)}
    found = json.loads(regions.read_text(encoding="utf-8"))
    row = {"kernel": kernel, "waits": waits, "method": method, "harts": options.harts, "slices": len(found["slices"]), "regions": len(found["regions"])}
    row |= {"missing": 0} | {key: found[key] for key in ("instructions", "counted")}
    said, missing = re.search(r"(\d+) cycles projected, the run took (\d+)", text), re.search(r"(\d+) of \d+ regions are left out", text)
    if not said:
        return row | {"fault": text.strip().splitlines()[-1]}
    speed = re.search(r"count: ([\d.]+) one after the other, ([\d.]+) side by side", text)
    row |= {"missing": int(missing[1])} if missing else {}
    row |= {"projected": int(said[1]), "cycles": int(said[2]), "error": int(said[1]) / int(said[2]) - 1}
    row |= {"serial": float(speed[1]), "parallel": float(speed[2]), "seconds": round(time.monotonic() - begun, 1)}
    kept.write_text(json.dumps(row), encoding="utf-8")
    return row


def percent(value):
    return f"{100 * value:+.2f}"


def of(rows, method, waits):
    return {row["kernel"]: row for row in rows if (row["method"], row["waits"]) == (method, waits)}


def summary(rows):
    lines = [
        "| method | harts wait | kernels | mean % | geometric mean % | max % | published mean % | serial speed-up | parallel |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for method in METHODS:
        for waits in WAITS:
            good = [row for row in of(rows, method, waits).values() if "fault" not in row and row["kernel"] not in DYNAMIC]
            if not good:
                continue
            errors = [abs(row["error"]) for row in good]
            means = [sum(errors) / len(errors), math.exp(sum(math.log(max(e, 1e-6)) for e in errors) / len(errors)), max(errors)]
            speeds = [math.exp(sum(math.log(row[key]) for row in good) / len(good)) for key in ("serial", "parallel")]
            cells = [f"{100 * mean:.2f}" for mean in means] + [PUBLISHED.get((method, waits), "—")] + [f"{speed:.1f}" for speed in speeds]
            lines.append(f"| {method} | {waits} | {len(good)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def each(rows):
    head = [f"{method}, {waits}" for method in METHODS for waits in WAITS]
    lines = [f"| kernel | million instructions | {' | '.join(head)} |", f"|---|--:|{'--:|' * len(head)}"]
    for kernel in kernels():
        cells = []
        for method in METHODS:
            for waits in WAITS:
                row = of(rows, method, waits).get(kernel)
                cells.append(
                    "—" if not row else "none" if "fault" in row else f"{percent(row['error'])} ({row['regions'] - row['missing']} of {row['slices']})"
                )
        row = next((row for row in rows if row["kernel"] == kernel and "instructions" in row), None)
        if row:
            lines.append(f"| {kernel} | {row['instructions'] / 1e6:.0f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def millions(rows):
    return round(sum(row["instructions"] for row in rows) / len(rows) / 1e6)


def left_out(rows):
    counts = {method: sum(row.get("missing", 0) for row in rows if row["method"] == method) for method in METHODS}
    return ", ".join(f"{count} of {method}" for method, count in counts.items())


def page(rows, options):
    faults = [f"- {row['kernel']}, {row['waits']}, {row['method']}: {row['fault']}" for row in rows if "fault" in row]
    none = "\n\nNothing is projected of these:\n\n" + "\n".join(faults) if faults else ""
    return f"""# Regions of several harts

What regions project of parallel kernels ([tests/parallel](../../tests/parallel)) of {options.harts} harts, on the fast model of {CONFIG}
(`tipoff gus --harts {options.harts}`): the cycles of each region are cut out of the full run, between its markers, as if caches and predictors
were as warm as they can be. So an error is the choice of regions, and markers that another order of the harts reaches elsewhere. How it is done:
[regions](../guide/regions.md#looppoint).

{summary(rows)}

Means: of absolute values. Published: Sabu, HPCA 2022 (thesis, chapter 3): SPEC CPU2017 train of 8 threads on Sniper, slices of 800 million
instructions, simulated from the program's begin; ours are kernels of our own of some {millions(rows)} million instructions each, and slices of {SLICE * options.harts:,}: a
factor 5,000 below. `simpoint`: slices of as many instructions, wherever the harts are, which is what LoopPoint was made to replace; of the publication's
25 % the largest is 68 %. Speed-ups are by instructions that count (`serial`: all regions one after the other; `parallel`: the largest alone), geometric
means over the kernels; published, of simulated time: 9 and 303 on average.

## Each kernel
Error in percent, regions and slices. Negative: the projection is too short. In {" and ".join(sorted(DYNAMIC))} it is a matter of time which hart
does what; they are not among the means above, nor are such programs in the publication's. Regions whose ends the run in time does not meet, as it
executes another number of instructions, are left out: {left_out(rows)}.

{each(rows)}{none}
"""


def write(rows, options):
    text = io.StringIO()
    text.write("# Regions of parallel kernels on the fast model: what they project beside what the run took; by scripts/regions/harts.py.\n")
    table = csv.DictWriter(text, COLUMNS, extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows(row for row in rows if "fault" not in row)
    TABLE.write_text(text.getvalue(), encoding="utf-8")
    page_head.write(PAGE, page(rows, options), "make regions-harts")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harts", type=int, default=8)
    parser.add_argument("--size", default="medium", choices=["tiny", "small", "medium", "large"])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("kernels", nargs="*", help=f"default: {', '.join(kernels())}")
    options = parser.parse_args()
    unknown = set(options.kernels) - set(kernels())
    if unknown:
        parser.error(f"no kernel {', '.join(sorted(unknown))}: there are {', '.join(kernels())}")
    KEPT.mkdir(parents=True, exist_ok=True)
    wanted = [(kernel, waits, method) for kernel in options.kernels or kernels() for method in METHODS for waits in WAITS]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = []
        for row in pool.map(lambda one: measure(*one, options), wanted):
            rows.append(row)
            print(row["kernel"], row["waits"], row["method"], row.get("fault") or f"{percent(row['error'])} %", flush=True)
    if options.write:
        write(rows, options)


if __name__ == "__main__":
    main()
