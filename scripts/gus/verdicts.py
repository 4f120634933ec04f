#!/usr/bin/env python3
"""Four verdicts on each program: TEA's stacks, top-down, Gus, and the core itself with one part ideal, as truth.

    scripts/gus/verdicts.py [--config NAME] [--jobs N] [--only TEXT] [--write]     prints docs/verdicts.md, or writes it

Needs build/bin/tipoff, the workloads, build/NAME/model.so and its model with sockets, which `tipoff sensitivity` builds (make verdicts).
"""
import argparse
import concurrent.futures
import csv
import json
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"
PARTS = ("branches", "l1i", "l1d", "tlb", "memory_order")
WORTH = 0.03  # a part that gains less of the time is not called the bottleneck
# A cycle that several events share is the first one's: what had to end before the others could.
EVENTS = (("branches", {"FL_MB"}), ("tlb", {"DR_TLB", "ST_TLB"}), ("l1i", {"DR_L1"}), ("l1d", {"ST_L1", "ST_LLC", "DR_SQ"}), ("memory_order", {"FL_MO"}))
OF_GUS = {"redirect": "branches", "llc.latency": "l1d", "row_hit": "l1d", "row_miss": "l1d", "mshrs": "l1d", "llc": "l1d", "dram": "l1d", "drain": "l1d"}


def run(config, program, folder, name, *options):
    stats = folder / f"{name}.json"
    done = subprocess.run([TIPOFF, "run", "--quiet", "--threads", "1", "--config", config, "--stats", stats, *options, program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{program}: {name}: {done.stderr.strip().splitlines()[-1:]}")
    return json.loads(stats.read_text())


def shadows(statistics_):
    """Cycles of mispredictions: of the empty ROB, with the wait behind it, and all by which the right paths are late (docs/workers.md)."""
    total = [0, 0, 0]
    for group in statistics_["refills"]:
        for pair in group["pairs"]:
            flushed, waited, late = (int(word) for word in pair.split()[3:6])
            total = [total[0] + flushed, total[1] + flushed + waited, total[2] + late]
    return total


def tea_stack(profile, events, cycles):
    """{part: share of the time} by the vectors of the Oracle's profile: what TEA's stack shows without chance."""
    found, total = dict.fromkeys(PARTS, 0), 0
    with open(profile, encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            psv, weight = int(row["psv"], 0), float(row["weight"])
            total += weight
            names = {name for bit, name in enumerate(events) if psv >> bit & 1}
            part = next((part for part, of in EVENTS if names & of), None)
            if part and row["state"] != "Computing":
                found[part] += weight
    return {part: weight / total for part, weight in found.items()}


def topdown(t):
    slots = t["slots"]
    return {"branches": t["bad_speculation"]["mispredictions"] / slots, "memory_order": t["bad_speculation"]["clears"] / slots, "l1i": t["frontend"]["latency"] / slots, "l1d": t["backend"]["memory"] / slots, "tlb": 0.0}


def gus(program, config):
    found = json.loads(subprocess.run([TIPOFF, "gus", "--config", config, "--sensitivity", "--jobs", "1", "--format", "json", program], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout)
    gains = dict.fromkeys(PARTS, 0.0)
    for variant in found["variants"]:
        part = OF_GUS.get(variant["resources"][0]) if len(variant["resources"]) == 1 and variant["percent"] == 15 else None
        if part:
            gains[part] += variant["gain"]
    return gains


def named(gains, worth=WORTH):
    best = max(gains, key=gains.get)
    return best if gains[best] >= worth else "none"


def verdicts(program, config):
    with tempfile.TemporaryDirectory(prefix="verdicts-") as scratch:
        folder = pathlib.Path(scratch)
        profile = folder / "profile.csv"
        base = run(config, program, folder, "base", "--worker", "topdown", "--profile", profile)
        truth = {part: 1 - run(f"sensitivity/{config}.ideal", program, folder, part, "--set", f"ideal.{part}=1")["cycles"] / base["cycles"] for part in PARTS}
        stack = tea_stack(profile, list(base["events"]), base["cycles"])
    return {"program": program.name.removesuffix(".elf"), "cycles": base["cycles"], "truth": truth, "tea": stack, "topdown": topdown(base["topdown"]), "gus": gus(program, config),
            "shadow": [cycles / base["cycles"] for cycles in shadows(base)]}


def percent(value):
    return f"{100 * value:.1f}"


def cell(gains, part):
    return f"{part}, {percent(gains[part])} %"


def verdict_of(row, method):
    """(part, how it is written). Gus makes a resource 15 % faster, not ideal: so much less is asked of its gain."""
    name = named(row[method], WORTH * (0.15 if method == "gus" else 1))
    return name, name if name == "none" or method == "gus" else cell(row[method], name)


def page(rows, config):
    methods = ("tea", "topdown", "gus")
    lines = ["# Four verdicts", "",
             f"What is a program's bottleneck? The core says it itself when one part of it is ideal ([sensitivity-rtl.md](sensitivity-rtl.md)). `make verdicts` compares with that what TEA's stacks, top-down and Gus",
             f"say without such a core, on `{config}` and the {len(rows)} small workloads, from reset to the end. A part that gains less than {100 * WORTH:.0f} % is not called a bottleneck.", "",
             "- **TEA**: share of the time in which nothing commits at instructions with an event of that part, by the Oracle's vectors.",
             "- **Top-down**: share of the dispatch slots (`--worker topdown`): mispredictions, latency of the front end, memory, machine clears. It has no TLB.",
             "- **Gus**: gain of the resources of that part at 15 % (`redirect`; LLC, DRAM and miss registers). It has neither TLB nor instruction misses as resources.", "",
             "| program | the core: part, gain | TEA | top-down | Gus |", "|---|---|---|---|---|"]
    for row in rows:
        true = named(row["truth"])
        cells = [verdict_of(row, method) for method in methods]
        lines.append(f"| {row['program']} | {true if true == 'none' else cell(row['truth'], true)} | " + " | ".join(f"{text}{' ✓' if name == true else ''}" for name, text in cells) + " |")
    hits = {m: sum(verdict_of(row, m)[0] == named(row["truth"]) for row in rows) for m in methods}
    lines += ["", f"The right part, or rightly none: TEA {hits['tea']}, top-down {hits['topdown']}, Gus {hits['gus']} of {len(rows)}.", "",
              "## How well the gain agrees", "Mean distance of the predicted gain from the core's, in points of a percent of the time, over all programs:", "", "| part | TEA | top-down |", "|---|---|---|"]
    for part in PARTS:
        errors = [statistics.fmean(abs(row[m][part] - row["truth"][part]) for row in rows) for m in ("tea", "topdown")]
        lines.append(f"| {part} | {percent(errors[0])} | {percent(errors[1]) if part != 'tlb' else '-'} |")
    lines += ["", "## Mispredictions: the refill's shadow", "What mispredictions cost by `refills` ([workers.md](workers.md)): the cycles of an empty ROB (Flushed); with the wait of the first instruction behind them; and all by which right paths are late,",
              "which is the cost if no other work overlaps it. Beside it what a core gains that mispredicts nothing, and top-down's share.", "",
              "| program | Flushed | with the wait | late paths | top-down | ideal.branches |", "|---|---|---|---|---|---|"]
    for row in rows:
        lines.append(f"| {row['program']} | " + " | ".join(percent(v) for v in (*row["shadow"], row["topdown"]["branches"], row["truth"]["branches"])) + " |")
    errors = [statistics.fmean(abs(row["shadow"][i] - row["truth"]["branches"]) for row in rows) for i in range(3)]
    lines += ["", f"Mean distance from ideal.branches: {percent(errors[0])}, {percent(errors[1])} and {percent(errors[2])} points; top-down {percent(statistics.fmean(abs(row['topdown']['branches'] - row['truth']['branches']) for row in rows))}.", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="small2")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    programs = [path for path in sorted((ROOT / "build/workloads").glob("*.small.elf")) if arguments.only in path.name]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(lambda program: verdicts(program, arguments.config), programs))
    text = page(rows, arguments.config)
    if arguments.write:
        (ROOT / "docs/verdicts.md").write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
