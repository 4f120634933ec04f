#!/usr/bin/env python3
"""tipoff gus --regions: a run on the fast model, cut at regions.

    tests/cli/test_gus_regions.py [--only TEXT]

Cycles of regions that lie side by side are those of the run, whichever way their edges are named.
"""
import csv
import json
import re
import sys

from cli import ROOT, check, main, refused, test, tipoff

BARE = ROOT / "build/workloads/sort.small.elf"
HARTS = ROOT / "build/parallel/cg.tiny.elf"


def found(folder, program, *options):
    file = folder / "found.regions"
    status, _, err = tipoff("regions", "find", *options, "--format", "json", "--output", file, program)
    check(status == 0, f"status {status}: {err}")
    return json.loads(file.read_text())


def cut(folder, regions, program, *options):
    """Rows by region, and what the text says of the run: projected cycles, its own, and the error."""
    file = folder / "cut.regions"
    file.write_text(json.dumps(regions))
    status, out, err = tipoff("gus", "--config", "small2", "--regions", file, "--format", "csv", *options, program)
    check(status == 0, f"status {status}: {err}")
    status, text, err = tipoff("gus", "--config", "small2", "--regions", file, *options, program)
    check(status == 0, f"status {status}: {err}")
    said = re.search(r"(\d+) cycles projected, the run took (\d+): ([-+][\d.]+) %", text)
    check(said, text)
    return list(csv.DictReader(out.splitlines())), int(said[1]), int(said[2]), float(said[3])


FIELDS = ("begin", "steps", "instructions", "counted", "cluster")  # of a row of `slices`


def region(i, part, **edges):
    """Slice i, which stands for itself."""
    return {**dict(zip(FIELDS, part)), "slice": i, "cluster": i, "multiplier": 1, **edges}


def all_slices(regions):
    regions["slices"] = [[*part[:-1], i] for i, part in enumerate(regions["slices"])]
    regions["regions"] = [region(i, part) for i, part in enumerate(regions["slices"])]
    return regions


def run_alone(program, *options):
    status, out, err = tipoff("gus", "--config", "small2", "--format", "json", *options, program)
    check(status == 0, f"status {status}: {err}")
    return json.loads(out)


@test
def every_slice(folder):
    """Of one hart and of two, cut by instructions: nothing is projected, so nothing is wrong."""
    for program, options in ((BARE, []), (HARTS, ["--harts", 2])):
        rows, projected, whole, error = cut(folder, all_slices(found(folder, program, "--interval", 20000, *options)), program, *options)
        met = [row for row in rows if row["cycles"]]  # harts that wait for each other otherwise may take fewer instructions: the last ones
        check(len(met) > 4 and met == rows[: len(met)] and len(rows) - len(met) <= (3 if options else 0), f"{len(met)} of {len(rows)}")
        check(len(met) < len(rows) or (projected == whole and error == 0), f"{projected} of {whole}")
        own = sum(int(row["cycles"]) for row in met)
        check(own < whole if len(met) < len(rows) else abs(own - whole) <= len(rows), "cycles are those of the run")
        at = 0
        for row in met:
            check(abs(int(row["from_cycle"]) - at) <= len(rows), f"slice {row['slice']} begins where the one before ends")
            at += int(row["cycles"])
    check(round(run_alone(BARE)["cycles"]) == cut(folder, all_slices(found(folder, BARE, "--interval", 20000)), BARE)[2], "as without --regions")


@test
def formulas(folder):
    """What the text says of regions that stand for others: sums of its own rows, and instructions of the file."""
    regions = found(folder, HARTS, "--method", "looppoint", "--slice", 2000, "--harts", 2)
    rows, projected, whole, error = cut(folder, regions, HARTS, "--harts", 2)
    check(len(rows) == len(regions["regions"]) < len(regions["slices"]), "some stand for others")
    of = {region["cluster"]: region for region in regions["regions"]}
    by_hand = sum(int(row["cycles"]) * of[int(row["region"])]["multiplier"] for row in rows)
    check(abs(by_hand - projected) <= sum(region["multiplier"] for region in of.values()), f"{projected}, {by_hand} by hand")
    check(abs(100 * (projected / whole - 1) - error) < 0.006, f"{error} % of {projected} and {whole}")
    counted = [region["counted"] for region in of.values()]
    _, text, _ = tipoff("gus", "--config", "small2", "--regions", folder / "cut.regions", "--harts", 2, HARTS)
    said = re.search(r"count: ([\d.]+) one after the other, ([\d.]+) side by side", text)
    for got, expected in zip(said.groups(), (regions["counted"] / sum(counted), regions["counted"] / max(counted))):
        check(abs(float(got) - expected) < 0.06, f"{got}, {expected} by hand")


@test
def markers(folder):
    """Up to a marker and from it on: the whole run, on two harts."""
    regions = found(folder, HARTS, "--method", "looppoint", "--slice", 5000, "--harts", 2)
    inner = next(r for r in regions["regions"] if "start" in r and "end" in r)
    at, totals = inner["begin"], [regions[key] for key in FIELDS[1:-1]]
    regions["slices"] = [[0, at, at, at, 0], [at, *(total - at for total in totals), 1]]
    edges = {"end": inner["start"]}, {"start": inner["start"]}
    regions["regions"] = [region(i, part, **edges[i]) for i, part in enumerate(regions["slices"])]
    rows, projected, whole, error = cut(folder, regions, HARTS, "--harts", 2)
    check(projected == whole and error == 0, f"{projected} of {whole}")
    check(all(int(row["cycles"]) > 0 for row in rows), "both have a part")


@test
def bad_input(folder):
    file = folder / "a.regions"
    file.write_text(json.dumps(found(folder, HARTS, "--interval", 20000, "--harts", 2)))
    refused(["gus", "--regions", file, HARTS], "regions of 2 harts, but the program runs on 1: give --harts 2")
    refused(["gus", "--regions", file, "--harts", 2, BARE], "regions of another program")
    refused(["gus", "--regions", file, "--harts", 2, "--format", "json", HARTS], "--regions: has a table of its own")
    refused(["gus", "--regions", file, "--harts", 2, "--max-insns", 1000, HARTS], "--max-insns ended the program")
    refused(["gus", "--regions", file, "--harts", 2, "--output", file, HARTS], "--output")
    command = ["gus", "--config", "small2", "--regions", file, "--harts", 2, HARTS]

    def left_out():
        status, out, err = tipoff(*command)
        said = re.search(r"(\d+) of \d+ regions are left out: an end of theirs was not met in this run", out)
        check(status == 0, f"{status}: {out}{err}")
        return int(said[1]) if said else 0

    before = left_out()
    broken = json.loads(file.read_text())
    broken["regions"][0]["start"] = {"pc": "0x80000001", "count": 5}
    file.write_text(json.dumps(broken))
    check(left_out() == before + 1, f"{before} before")


if __name__ == "__main__":
    sys.exit(main())
