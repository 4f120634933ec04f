#!/usr/bin/env python3
"""Where Pac-Sim's error comes from: its steps replaced by oracles in turn, from files of `tipoff regions live --full --format json`, one hart.

    scripts/regions/live_oracles.py LIVE.json ...    a row of Markdown each, in percent of the cycles of the run in detail; then the mean of sizes

    error             what is printed
    prediction        of it, by regions that were not simulated and belong to another cluster than was predicted: gone if each took what it takes
    clusters          likewise, by regions whose prediction was right: gone if regions of a cluster were alike
    representatives   of the latter, what goes if a region stands for the mean of its cluster instead of for itself
    in detail         by warm-up: regions in detail take something else than within the whole run

error = prediction + clusters + in detail.
"""
import json
import sys

COLUMNS = ("error", "prediction", "clusters", "representatives", "in detail")


def shares(live):
    regions = live["list"]
    means = {}
    for region in regions:
        cycles, instructions = means.get(region["cluster"], (0.0, 0))
        means[region["cluster"]] = (cycles + region["full"], instructions + region["most"])
    sums = dict.fromkeys(COLUMNS, 0.0)
    for region in regions:
        off = region["cycles"] - region["full"]
        right = region["cluster"] is not None and region["predicted"] == region["cluster"]
        sums["error"] += off
        sums["in detail" if region["detailed"] else "clusters" if right else "prediction"] += off
        if not region["detailed"] and right:
            cycles, instructions = means[region["cluster"]]
            sums["representatives"] += region["cycles"] - cycles / instructions * region["most"]
    whole = sum(region["full"] for region in regions)
    return {column: 100 * value / whole for column, value in sums.items()}


def main(paths):
    if not paths:
        sys.exit(__doc__)
    found = []
    print(f"| program | {' | '.join(COLUMNS)} | simulated in detail | predictions right |")
    print("|---|" + "--:|" * (len(COLUMNS) + 2))
    for path in paths:
        with open(path, encoding="utf-8") as file:
            live = json.load(file)
        if any(region.get("full") is None for region in live["list"]):
            sys.exit(f"{path}: has no cycles of the whole run: make it with --full, of one hart")
        found.append({**shares(live), "share": 100 * live["in_detail"] / live["instructions"], "right": 100 * live["right"] / max(live["predicted"], 1)})
        name = live["program"].rsplit("/", 1)[-1].removesuffix(".elf").removesuffix(".large")
        row = [f"{found[-1][column]:+.2f}" for column in COLUMNS]
        print(f"| {name} | {' | '.join(row)} | {found[-1]['share']:.1f} | {found[-1]['right']:.1f} |")
    means = [sum(abs(one[column]) for one in found) / len(found) for column in (*COLUMNS, "share", "right")]
    print(f"| mean of sizes | {' | '.join(f'{mean:.2f}' for mean in means[:5])} | {means[5]:.1f} | {means[6]:.1f} |")


if __name__ == "__main__":
    main(sys.argv[1:])
