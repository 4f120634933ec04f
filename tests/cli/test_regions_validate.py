#!/usr/bin/python3
"""`tipoff regions validate`: errors and speed-ups by their formulas, written out here once more; what each region adds to the error; what is refused.

    tests/cli/test_regions_validate.py [--only TEXT]

Needs build/bin/tipoff, build/small2/model.so and build/workloads/sort.small.elf.
"""
import json
import sys

from cli import RUN, TINY, check, main, refused, test, tipoff
from regions_files import SORT, changed, found, one_region, run


def near(got, expected, what):
    check(abs(got - expected) <= 1e-6 * max(abs(expected), 1e-3), f"{what}: {got}, not {expected}")


def full(folder, program=SORT):
    path = folder / "full.json"
    status, _, err = tipoff(*RUN, "--quiet", "--stats", path, program)
    check(status == 0, err)
    return path, json.loads(path.read_text())


def validate(path, reference, *arguments):
    status, out, err = tipoff("regions", "validate", "--config", "small2", "--format", "json", "--reference", reference, *arguments, path)
    check(status == 0 and err == "", f"regions validate {arguments}: status {status}: {err}")
    got = json.loads(out)
    return got["summary"], got["regions"], {row["name"]: row for row in got["counters"]}


def table(folder, content, cycles):
    """Slices that took as long in all as the run, each by another share."""
    weights = [i + 3 for i in range(len(content["slices"]))]
    each = [cycles * weight // sum(weights) for weight in weights]
    each[-1] += cycles - sum(each)
    path = folder / "slices.csv"
    path.write_text("slice,begin,instructions,traps,cycles\n" + "".join(f"{i},{s[0]},{s[2]},0,{c}\n" for i, (s, c) in enumerate(zip(content["slices"], each))))
    return path, each


@test
def errors_and_speedups(folder):
    path = found(folder, "--checkpoints", folder / "r", "--warmup", 3000)
    reference, known = full(folder)
    projected, rows = run(path)
    content = json.loads(path.read_text())
    regions, instructions = content["regions"], content["instructions"]
    summary, _, counters = validate(path, reference)
    near(summary["full_cycles"], known["cycles"], "full")
    near(summary["projected_cycles"], projected["cycles"], "projected")
    near(summary["error_percent"], 100 * abs(1 - projected["cycles"] / known["cycles"]), "error")
    lengths = [region["instructions"] for region in regions]
    warmed = [region["instructions"] + region["warmup"] for region in regions]
    cycles = [row["cycles"] for row in rows]
    for name, whole, parts in (("counted", instructions, lengths), ("with_warmup", instructions, warmed), ("cycles", known["cycles"], cycles)):
        near(summary[f"speedup_serial_{name}"], whole / sum(parts), name)
        near(summary[f"speedup_parallel_{name}"], whole / max(parts), name)
    row, events = counters["events.FL_MB"], known["events"]["FL_MB"]
    near(row["full"], events, "FL_MB")
    near(row["error_percent"], 100 * (projected["events.FL_MB"] / events - 1), "FL_MB")
    near(row["difference_per_1000"], 1000 * (projected["events.FL_MB"] - events) / instructions, "FL_MB")
    check("perfect_cycles" not in summary, "nothing is known of slices")


@test
def what_became_wrong_where(folder):
    path = found(folder)
    reference, known = full(folder)
    content = json.loads(path.read_text())
    slices, each = table(folder, content, known["cycles"])
    summary, rows, _ = validate(path, reference, "--slices", slices)
    perfect = sum(region["multiplier"] * each[region["slice"]] for region in content["regions"])
    near(summary["perfect_cycles"], perfect, "perfect")
    near(summary["perfect_error_percent"], 100 * abs(1 - perfect / known["cycles"]), "perfect")
    for region, row in zip(content["regions"], rows):
        own = each[region["slice"]]
        cluster = sum(c for s, c in zip(content["slices"], each) if s[4] == region["cluster"])
        near(row["own_cycles"], own, row)
        near(row["warmup_error_percent"], 100 * (row["cycles"] - own) * region["multiplier"] / known["cycles"], row)
        near(row["clustering_error_percent"], 100 * (own * region["multiplier"] - cluster) / known["cycles"], row)
    both = sum(row["warmup_error_percent"] + row["clustering_error_percent"] for row in rows)
    near(both, 100 * (summary["projected_cycles"] / known["cycles"] - 1), "the two make up the error")


@test
def one_region_has_no_error(folder):
    path = changed(found(folder), "one.regions", one_region)
    reference, known = full(folder)
    slices, _ = table(folder, json.loads(found(folder, name="s.regions").read_text()), known["cycles"])
    summary, rows, counters = validate(path, reference, "--slices", slices)
    check(summary["error_percent"] == summary["perfect_error_percent"] == 0, summary)
    check(rows[0]["warmup_error_percent"] == rows[0]["clustering_error_percent"] == 0, rows)
    # (What a run counts until the very end, it may count once more or less where --max-insns ends it.)
    check(all(row["difference_per_1000"] == 0 for name, row in counters.items() if name.startswith("events.")), counters)


@test
def bad_input(folder):
    path = found(folder)
    reference, known = full(folder)
    refused(["regions", "validate", path], "--reference", lines=0)
    refused(["regions", "validate", "--config", "small2", "--reference", path, path], "r.regions", "--stats")
    refused(["regions", "validate", "--config", "small2", "--reference", folder / "none", path], "none")
    other = folder / "other.json"
    other.write_text(json.dumps({**known, "config": "tea4"}))
    refused(["regions", "validate", "--config", "small2", "--reference", other, path], "other.json", "tea4", "--config")
    tiny, _ = full(folder, TINY)
    refused(["regions", "validate", "--config", "small2", "--reference", tiny, path], "full.json", "whole run")
    reference, known = full(folder)
    slices, _ = table(folder, json.loads(path.read_text()), known["cycles"])
    whole = slices.read_text()
    for text, fault in (
        (whole.replace("cycles", "cycle"), "begin"),
        (whole.replace("0,0,", "0,1,", 1), "from 0 on"),
        (whole.rsplit("\n", 2)[0] + "\n", "one run"),
        ("", "begin"),
    ):
        slices.write_text(text)
        refused(["regions", "validate", "--config", "small2", "--reference", reference, "--slices", slices, path], "slices.csv", fault)


if __name__ == "__main__":
    sys.exit(main())
