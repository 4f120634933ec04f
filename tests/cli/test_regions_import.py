#!/usr/bin/python3
"""`tipoff regions import`: what `regions find` wrote for other tools comes back as the same regions; dialects by hand; what is refused.

    tests/cli/test_regions_import.py [--only TEXT]

Needs build/bin/tipoff and tipoff-cc, and build/workloads/interp.tiny.elf.
"""
import json
import subprocess
import sys

from cli import ROOT, TINY, check, main, refused, test, tipoff

HARTS = ["--harts", 3]
FIND = ["regions", "find", "--method", "looppoint", "--slice", 2000, *HARTS]
SAME = ("begin", "steps", "instructions", "start", "end")


def said(*arguments):
    status, out, err = tipoff(*arguments)
    check(status == 0, f"{arguments}: status {status}: {err}")
    return out


def parallel(folder):
    program = folder / "looppoint.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", ROOT / "tests/cli/looppoint.c", "-o", program], check=True)
    return program


def imported(folder, *arguments):
    file = folder / "imported.regions"
    status, out, err = tipoff("regions", "import", *arguments, "-o", file)
    check(status == 0 and out == "", f"status {status}: {err}")
    return json.loads(file.read_text()), err


def in_order(regions):
    return sorted(regions, key=lambda region: region["begin"])


def compare(found, got):
    check(found["digest"] == got["digest"] and found["instructions"] == got["instructions"], "another run")
    check(len(found["regions"]) == len(got["regions"]) >= 2, f"{len(got['regions'])} regions")
    for ours, theirs in zip(in_order(found["regions"]), in_order(got["regions"])):
        if "start" in theirs and "start" not in ours:  # the run's begin is named by its entry: some instructions of the boot ROM later
            check(theirs["start"]["count"] == 1 and 0 < theirs["begin"] < 50, theirs)
            continue
        check(all(ours.get(key) == theirs.get(key) for key in SAME), f"{ours}, imported as {theirs}")


@test
def from_looppoint(folder):
    """A table with a warm-up's row and without our first line, as LoopPoint's tool leaves it."""
    program = parallel(folder)
    found = json.loads(said(*FIND, "--format", "json", program))
    rows = said(*FIND, "--format", "looppoint", program).splitlines()
    table = folder / "theirs.csv"
    warmup = "Warmup for regionid 1,global,1,0x1,x,0x1,1,0x1,x,0x1,2,0,1,0,0,warmup:1"
    table.write_text("\n".join(["# comment", "", warmup, *rows[1:]]) + "\n")
    got, err = imported(folder, *HARTS, table, program)
    compare(found, got)
    check("1 warm-ups of the file are not taken over" in err, err)
    for ours, theirs in zip(in_order(found["regions"]), in_order(got["regions"])):
        check(abs(ours["multiplier"] / theirs["multiplier"] - 1) < 1e-8, f"{ours['multiplier']} is {theirs['multiplier']}")
    lengths = {region["instructions"] for region in got["regions"]}
    check(len(lengths) > 1, lengths)
    shares = [region["multiplier"] / sum(r["multiplier"] for r in got["regions"]) for region in got["regions"]]
    wanted = [f"{share * got['instructions'] / region['instructions']:.4f}" for share, region in zip(shares, got["regions"])]
    check([line.split()[-1] for line in err.splitlines()[-len(wanted) :]] == wanted, f"formula 3.2: {wanted}: {err}")


@test
def from_gem5(folder):
    program = parallel(folder)
    found = json.loads(said(*FIND, "--format", "json", program))
    table = folder / "theirs.json"
    table.write_text(said(*FIND, "--format", "gem5", program))
    got, _ = imported(folder, *HARTS, table, program)
    compare(found, got)
    text = table.read_text().replace('"global"', '"count"')  # of other versions of its reader
    table.write_text(text)
    check(imported(folder, *HARTS, table, program)[0] == got, "counts by another name")


@test
def from_simpoint(folder):
    found = json.loads(said("regions", "find", "--interval", 3000, "--simpoint", folder / "theirs", "--format", "json", TINY))
    got, _ = imported(folder, "--interval", 3000, folder / "theirs.simpoints", TINY)
    compare(found, got)
    weights = {int(label): float(weight) for weight, label in map(str.split, (folder / "theirs.weights").read_text().splitlines())}
    for ours, theirs in zip(in_order(found["regions"]), in_order(got["regions"])):
        wanted = weights[ours["cluster"]] * got["instructions"] / theirs["instructions"]
        check(abs(theirs["multiplier"] / wanted - 1) < 1e-8, f"{theirs['multiplier']}, not {wanted}")
    # Measured, it says of the run what those multipliers make of its regions.
    status, out, err = tipoff("regions", "run", "--on", "gus", "--config", "small2", "--format", "json", folder / "imported.regions")
    check(status == 0 and len(json.loads(out)["regions"]) == len(got["regions"]), f"status {status}: {out} {err}")


@test
def bad_input(folder):
    program, table = parallel(folder), folder / "theirs.csv"
    row = said(*FIND, "--format", "looppoint", program).splitlines()[2].split(",")

    def refuse(changes, *texts, rows=1, name=table):
        cells = list(row)
        for column, cell in changes.items():
            cells[column] = cell
        name.write_text("\n".join([",".join(cells)] * rows) + "\n")
        refused(["regions", "import", *HARTS, name, program], str(name), *texts)

    refuse({6: "0"}, "theirs.csv:1: counts go from 1 on")
    refuse({3: "12"}, "theirs.csv:1: a pc (4th, 8th column) is no 0x...")
    refuse({6: "99999999"}, "region 2: the run ends before it")
    refuse({10: "99999999"}, "region 2: the run ends before its end")
    refuse({10: row[6], 7: row[3]}, "region 2: ends where it begins")
    refuse({14: "-1"}, "theirs.csv:1: the multiplier (15th column) is not above 0")
    refuse({15: "other"}, "theirs.csv:1: the 16th column")
    refuse({}, "region 2 is in it twice", rows=2)
    refuse({15: "simulation,more"}, "theirs.csv:1: a region has 16 columns")
    inside = list(row)
    inside[2], inside[7], inside[10] = "3", "0x0", "0"  # from the same place to the run's end
    table.write_text(",".join(row) + "\n" + ",".join(inside) + "\n")
    refused(["regions", "import", *HARTS, table, program], "region 3: another one begins or ends within it")
    for text, what in (("", "has no regions"), ("# nothing\n", "has no regions")):
        table.write_text(text)
        refused(["regions", "import", table, program], what)
    broken = folder / "theirs.json"
    for text, what in (("{", "no JSON of regions"), ("[]", "no JSON of regions"), ("{}", "has no regions"), ('{"x": {}}', "its name is no number")):
        broken.write_text(text)
        refused(["regions", "import", broken, program], "theirs.json", what)
    points = folder / "theirs.simpoints"
    points.write_text("999999 0\n")
    points.with_suffix(".weights").write_text("1 0\n")
    refused(["regions", "import", "--interval", 3000, points, TINY], "region 0: the run ends before it")
    refused(["regions", "import", points, TINY], "--interval: say how many instructions", lines=0)
    refused(["regions", "import", folder / "theirs", TINY], "give --format", lines=0)
    refused(["regions", "import", points], "name a program", lines=0)


if __name__ == "__main__":
    sys.exit(main())
