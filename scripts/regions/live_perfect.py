#!/usr/bin/env python3
"""Pac-Sim with perfect warm-up: the regions of `tipoff regions live --format json`, whose cycles are cut out of a whole run.

    scripts/regions/live_perfect.py LIVE.json SLICES.csv ...    pairs; a line each, then the mean, geometric mean and greatest of the errors

SLICES.csv: of each slice of the whole run, in order, at least instructions, traps and cycles (a header names the columns; scripts/regions/reference.py
keeps such files). Within a slice cycles are spread evenly. What is simulated in detail and who stands for whom depends on what the program executes
alone, not on what simulates it: so one live run serves all cores.
"""
import bisect
import csv
import json
import math
import sys


def cumulated(rows):
    """(steps, cycles) at each end of a slice, from 0 on."""
    steps, cycles = [0], [0.0]
    for row in rows:
        steps.append(steps[-1] + int(row["instructions"]) + int(row["traps"]))
        cycles.append(cycles[-1] + float(row["cycles"]))
    return steps, cycles


def cycles_at(run, step):
    steps, cycles = run
    i = min(max(bisect.bisect_right(steps, step) - 1, 0), len(steps) - 2)
    return cycles[i] + (cycles[i + 1] - cycles[i]) * (min(step, steps[-1]) - steps[i]) / (steps[i + 1] - steps[i])


def projected(regions, full):
    """Cycles of the run from those of its regions in detail, as pacsim_estimate adds them up."""
    total = 0.0
    for i, region in enumerate(regions):
        if region["detailed"]:
            total += full[i]
        elif region["donor"] is not None:
            total += full[region["donor"]] * region["most"] / regions[region["donor"]]["most"]
        else:
            before = [k for k in range(i) if regions[k]["detailed"] and (region["rule"] == "any" or regions[k]["active"] == region["active"])]
            total += sum(full[k] for k in before) / sum(regions[k]["most"] for k in before) * region["most"]
    return total


def error_of(live, rows):
    """By how much the projection is off, as a share of the whole run."""
    run, regions = cumulated(rows), live["list"]
    ends = [cycles_at(run, region["begin"] + region["steps"]) for region in regions]
    full = [end - cycles_at(run, region["begin"]) for region, end in zip(regions, ends)]
    return projected(regions, full) / run[1][-1] - 1


def main(arguments):
    if not arguments or len(arguments) % 2:
        sys.exit(__doc__)
    errors = []
    for live_path, slices in zip(arguments[::2], arguments[1::2]):
        with open(live_path, encoding="utf-8") as live_file, open(slices, encoding="utf-8", newline="") as slices_file:
            live, rows = json.load(live_file), list(csv.DictReader(slices_file))
        errors.append(error_of(live, rows))
        print(f"{live['program']}: {100 * errors[-1]:+.2f} %, {100 * live['in_detail'] / live['instructions']:.1f} % in detail")
    sizes = [abs(error) for error in errors]
    middle = math.exp(sum(math.log(max(size, 1e-6)) for size in sizes) / len(sizes))
    print(f"mean {100 * sum(sizes) / len(sizes):.2f} %, geometric mean {100 * middle:.2f} %, greatest {100 * max(sizes):.2f} %")


if __name__ == "__main__":
    main(sys.argv[1:])
