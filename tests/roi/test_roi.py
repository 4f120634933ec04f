#!/usr/bin/python3
"""A program that measures its regions in itself (runtime/roi.c): its table has the counts of the regions file, and what it measures is what the
full run of the same program without a table took, but for what an interrupt costs.

    tests/roi/test_roi.py [--only TEXT]

Needs build/bin/tipoff, build/bin/tipoff-cc and build/roi2/model.so.
"""
import csv
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/cli"))
from cli import check, main, refused, test, tipoff  # noqa: E402

CYCLES, INSTRUCTIONS = 400, 80  # at most, that the two interrupts of a region add: some 40 instructions, and their misses


def prepare(folder, method=("--method", "looppoint", "--slice", 10000)):
    program = folder / "phases.elf"
    built = tipoff("-o", program, ROOT / "tests/roi/phases.c", "-I", ROOT / "runtime", ROOT / "runtime/roi.c", command=ROOT / "build/bin/tipoff-cc")
    check(built[0] == 0, built[2])
    status, _, err = tipoff("regions", "find", *method, "--format", "json", "-o", "some.regions", program, cwd=folder)
    check(status == 0, err)
    regions = json.loads((folder / "some.regions").read_text())
    return program, sorted(regions["regions"], key=lambda region: region["begin"])


def table(folder, *more):
    status, out, err = tipoff("regions", "table", *more, "some.regions", cwd=folder)
    check(status == 0, err)
    return [line.split() for line in out.splitlines() if line[0] != "#"]


@test
def counts_from_place_to_place(folder):
    """Where an address is that of the place before, too, the count is the difference of the two counts of the run."""
    compared = 0
    _, regions = prepare(folder)
    rows = table(folder)
    check(len(rows) == len(regions), f"{len(rows)} rows, {len(regions)} regions")
    places = [place for region in regions for place in (region.get("start"), region.get("end"))]
    counts = [int(count) for row in rows for count in (row[1], row[3])]
    for before, place, count in zip(places, places[1:], counts[1:]):
        if not before or not place or before["pc"] != place["pc"]:
            continue
        check(count == place["count"] - before["count"], f"{before} to {place}: {count}")
        compared += 1
    check(compared > 3, f"{compared} compared")
    check(all(row[2] == "0x0" and int(row[3]) == region["instructions"] for row, region in zip(table(folder, "--hybrid"), regions)), "--hybrid")


@test
def inside_and_outside(folder):
    program, regions = prepare(folder)
    run = ["run", "--config", "roi2", "--quiet"]
    status, _, err = tipoff(*run, "--no-oracle", "--worker", "slices:file=full.csv,at=some.regions", program, cwd=folder)
    check(status == 0, err)
    with open(folder / "full.csv", encoding="utf-8") as file:
        full = {int(row["begin"]): row for row in csv.DictReader(file)}
    (folder / "roi.table").write_text("\n".join(" ".join(row) for row in table(folder)) + "\n")
    status, out, err = tipoff(*run, program, cwd=folder)  # in lockstep, with the check of counters and interrupts
    check(status == 0, err)
    rows = [line.split(",") for line in (out + err).splitlines() if line.startswith("roi,")]
    check(rows[-1][:2] == ["roi", "all"] and rows[-1][4] == f"{len(regions)} of {len(regions)}", rows[-1])
    for row, region in zip(rows[:-1], regions):
        if region["begin"] == 0 or "end" not in region:  # begins with main's preparation; ends with the library's end
            continue
        outside = full[region["begin"]]
        more, longer = int(row[3]) - int(outside["instructions"]), int(row[2]) - int(outside["cycles"])
        check(0 <= more <= INSTRUCTIONS, f"region {row[1]}: {more} instructions more inside")
        check(abs(longer) <= CYCLES, f"region {row[1]}: {longer} cycles more inside")


@test
def refusals(folder):
    prepare(folder, ("--interval", 10000))
    refused(["regions", "table", folder / "some.regions"], "has no marker: find regions with --method looppoint or viper")
    refused(["regions", "table"], "name REGIONS", lines=0)
    refused(["regions", "table", "--events", "1,2,3,4,5", folder / "some.regions"], "4 at most", lines=0)


if __name__ == "__main__":
    main()
