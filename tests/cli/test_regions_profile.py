#!/usr/bin/python3
"""`tipoff regions validate --profile`: what a projected profile misplaces, by shares worked out again; nothing where the region is the run; what is refused.

    tests/cli/test_regions_profile.py [--only TEXT]

Needs build/bin/tipoff, build/small2/model.so and build/workloads/sort.small.elf.
"""
import csv
import io
import json
import sys

from cli import RUN, TINY, check, main, refused, test, tipoff
from regions_files import SORT, changed, found, one_region

PERIOD = 97


def full(folder, *arguments, program=SORT, name="full"):
    tips, stats = folder / f"{name}.tips", folder / f"{name}.json"
    status, _, err = tipoff(*RUN, "--quiet", "--stats", stats, "--samples", tips, *(arguments or ("--period", PERIOD)), program)
    check(status == 0, err)
    return tips, stats


def validate(path, tips, stats, *arguments):
    status, out, err = tipoff("regions", "validate", "--config", "small2", "--format", "json", "--reference", stats, "--profile", tips, *arguments, path)
    check(status == 0 and err == "", f"validate {arguments}: status {status}: {err}")
    return {(row["unit"], row["components"]): row for row in json.loads(out)["profile"]}


def shares(tips, unit, profiler, *key):
    """Time by unit, and by event vector with key, as a part of all."""
    status, out, err = tipoff("report", "--format", "csv", "--by", unit, "--top", 0, "--profiler", profiler, tips)
    check(status == 0, err)
    weights = {}
    for row in csv.DictReader(out.splitlines()):
        name = row["unit"], *(row[k] for k in key)
        weights[name] = weights.get(name, 0) + float(row["cycles"])
    return {name: weight / sum(weights.values()) for name, weight in weights.items()}


@test
def shares_by_hand(folder):
    path = found(folder)
    tips, stats = full(folder)
    rows = validate(path, tips, stats, "--warmup", 2000)
    projected = folder / "projected.tips"
    status, _, err = tipoff("regions", "run", "--config", "small2", "--warmup", 2000, "--period", PERIOD, "--samples", projected, path)
    check(status == 0, err)
    for unit, kind, key in (("instruction", "time", ()), ("function", "time", ()), ("function", "events", ("psv",))):
        own, sampled, whole, whole_sampled = (shares(p, unit, profiler, *key) for p in (projected, tips) for profiler in ("Oracle", "TIP"))
        for column, a, b in (("regions", own, whole), ("samples", sampled, whole), ("sampling", sampled, own), ("full_samples", whole_sampled, whole)):
            expected = 100 * (1 - sum(min(share, b.get(name, 0)) for name, share in a.items()))
            got = rows[unit, kind][f"{column}_percent"]
            check(abs(got - expected) < 0.01, f"{unit}, {kind}, {column}: {got}, not {expected}")
    check(not list((folder / "r.regions.run").glob("*projected*")), "the projected profile is not kept")


@test
def one_region_misplaces_nothing(folder):
    path = changed(found(folder), "one.regions", one_region)
    tips, stats = full(folder)
    for key, row in validate(path, tips, stats).items():
        check(row["regions_percent"] == 0, f"{key}: {row}")
        check(row["samples_percent"] == row["sampling_percent"], f"{key}: {row}")


@test
def csv_and_text(folder):
    path = found(folder)
    tips, stats = full(folder)
    rows = validate(path, tips, stats)
    arguments = ["regions", "validate", "--config", "small2", "--reference", stats, "--profile", tips, path]
    status, out, err = tipoff(*arguments, "--format", "csv")
    table = list(csv.DictReader(io.StringIO(out)))
    check(status == 0 and {(row["unit"], row["components"]) for row in table} == rows.keys(), err)
    for row in table:
        check(float(row["regions_percent"]) == rows[row["unit"], row["components"]]["regions_percent"], row)
    status, out, err = tipoff(*arguments)
    check(status == 0 and "Time that the projected profile misplaces: " in out, err or out)


@test
def refusals(folder):
    path = found(folder)
    tips, stats = full(folder)
    common = ["regions", "validate", "--config", "small2", "--reference", stats, path]
    refused([*common, "--period", 97], "--period", "--profile", lines=0)
    refused([*common, "--profile", folder / "none.tips"], "none.tips")
    refused([*common, "--profile", stats], "full.json")
    other, _ = full(folder, program=TINY, name="other")
    refused([*common, "--profile", other], "other.tips", "name the full run's samples")
    bare, _ = full(folder, "--period", PERIOD, "--no-oracle", name="bare")
    refused([*common, "--profile", bare], "bare.tips", "Oracle")
    refused([*common, "--profile", tips, "--output", tips], "full.tips")


if __name__ == "__main__":
    sys.exit(main())
