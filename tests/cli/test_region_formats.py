#!/usr/bin/python3
"""`tipoff regions find --format looppoint|gem5`: read as gem5's reader does, they have the markers and multipliers of our own file; what is refused.

    tests/cli/test_region_formats.py [--only TEXT]

Needs build/bin/tipoff and tipoff-cc, and build/workloads/interp.tiny.elf.
"""
import json
import subprocess
import sys

from cli import ROOT, TINY, check, main, refused, test, tipoff

FIND = ["regions", "find", "--method", "looppoint", "--harts", 3, "--slice", 2000]


def found(folder, form):
    program = folder / "looppoint.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", ROOT / "tests/cli/looppoint.c", "-o", program], check=True)
    status, out, err = tipoff(*FIND, "--format", form, program)
    check(status == 0, err)
    return out, program


def entry(program):
    out = subprocess.run(["riscv64-unknown-elf-readelf", "-h", program], capture_output=True, text=True, check=True).stdout
    return int(out.split("Entry point address:")[1].split()[0], 16)


def expected(folder):
    """Of each region: start, end, how often the end comes within it where that is known, instructions that count, multiplier."""
    out, program = found(folder, "json")
    regions = []
    for region in json.loads(out)["regions"]:
        start, end = ((int(m["pc"], 16), m["count"]) if m else None for m in (region.get("start"), region.get("end")))
        within = end[1] - start[1] if start and end and start[0] == end[0] else 0
        regions.append((start or (entry(program), 1), end or (0, 0), within, region["counted"], region["multiplier"]))
    check(len(regions) >= 2, regions)
    return regions


@test
def looppoint_table(folder):
    regions, rows = expected(folder), found(folder, "looppoint")[0].splitlines()
    check(rows[0].startswith("#") and len(rows) == len(regions) + 1, rows)
    for number, (row, (start, end, within, counted, multiplier)) in enumerate(zip(rows[1:], regions), 1):
        words = row.split(" ")
        check(words[0] == "cluster" and len(words) == 5 and row.count(",") == 15 and row.endswith(",simulation"), row)
        data = words[4].split(",")  # as gem5.resources.looppoint takes it
        check(int(data[2]) == number, row)
        check((int(data[3], 16), int(data[6])) == start and (int(data[7], 16), int(data[10])) == end, row)
        check(int(data[11]) == within and int(data[12]) == counted and abs(float(data[14]) / multiplier - 1) < 1e-8, row)
    check(abs(sum(float(row.split(",")[13]) for row in rows[1:]) - 1) < 1e-6, "weights are shares of all instructions that count")


@test
def gem5_json(folder):
    regions, got = expected(folder), json.loads(found(folder, "gem5")[0])
    check(list(got) == [str(number) for number in range(1, len(regions) + 1)], list(got))
    for region, (start, end, within, _, multiplier) in zip(got.values(), regions):
        simulation = region["simulation"]
        check((simulation["start"]["pc"], simulation["start"]["global"]) == start, region)
        check((simulation["end"]["pc"], simulation["end"]["global"]) == end, region)
        check(simulation["end"].get("relative", 0) == within and region["multiplier"] == multiplier, region)


@test
def bad_input(_folder):
    for form in ("looppoint", "gem5"):
        refused(["regions", "find", "--format", form, TINY], "--format", "--method looppoint", lines=0)


if __name__ == "__main__":
    sys.exit(main())
