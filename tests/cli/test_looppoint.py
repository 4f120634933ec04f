#!/usr/bin/python3
"""`--method looppoint` and `bbv --markers`: slices end where the trace has the marker for that time, at any quantum; which markers there are; sums; checkpoints.

    tests/cli/test_looppoint.py [--only TEXT]

Needs build/bin/tipoff and tipoff-cc, and build/workloads/interp.tiny.elf.
"""
import collections
import csv
import io
import json
import re
import subprocess
import sys

from cli import ROOT, TINY, assembled, check, main, refused, test, tipoff

HARTS = 3
SLICE = 2000  # counted instructions a hart
QUANTA = (64, 256, 1000, 4096)


def built(folder):
    program = folder / "looppoint.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", ROOT / "tests/cli/looppoint.c", "-o", program], check=True)
    return program


def slices(program, *options):
    """Of each slice: where it begins, before what it ends, and its instructions by (hart, address)."""
    status, out, err = tipoff(
        "bbv", "--markers", "--format", "csv", "--harts", HARTS, "--interval", HARTS * SLICE, "--quanta", ",".join(map(str, QUANTA)), *options, program
    )
    check(status == 0, f"status {status}: {err}")
    found = []
    for row in csv.DictReader(io.StringIO(out)):
        if int(row["slice"]) == len(found):
            found.append((int(row["begin"]), (int(row["end"], 16), int(row["count"])), {}))
        found[-1][2][int(row["hart"]), int(row["address"], 16)] = int(row["instructions"])
    return found, err


def trace(folder, program, *options):
    """The pc of each instruction, None for a trap, in the order of the run."""
    path = folder / "trace.txt"
    status, _, err = tipoff("iss", "--quiet", "--harts", HARTS, *options, "--trace", path, program)
    check(status == 0, err)
    lines = path.read_text().splitlines()
    path.unlink()
    got = [re.match(r"[0-9]+ [MSU] 0x([0-9a-f]{16}) ", line) for line in lines]
    return [int(match[1], 16) if match else None for match in got]


def marker(region, which):
    got = region.get(which)
    return (int(got["pc"], 16), got["count"]) if got else (0, 0)


def lines_of(program, name):
    """First and last address of a function."""
    out = subprocess.run(["riscv64-unknown-elf-nm", "-S", program], capture_output=True, text=True, check=True).stdout
    got = re.search(rf"^([0-9a-f]+) ([0-9a-f]+) [A-Za-z] {name}$", out, re.M)
    return int(got[1], 16), int(got[1], 16) + int(got[2], 16)


@test
def slices_end_where_the_trace_says(folder):
    """The marker's count in the trace, and the instructions and traps before it, are those of the slice."""
    program = built(folder)
    for quantum in (64, 1000):
        found, _ = slices(program, "--quantum", quantum)
        check(len(found) > 8, f"{len(found)} slices")
        done = trace(folder, program, "--quantum", quantum)
        where = collections.defaultdict(list)
        for step, pc in enumerate(done):
            where[pc].append(step)
        for number, (_, (pc, count), _) in enumerate(found[:-1]):
            check(where[pc][count - 1] == found[number + 1][0], f"slice {number} ends before the {count}. execution of {pc:#x}")
        check(found[-1][1] == (0, 0), "the last one ends with the run")


@test
def markers_are_the_same_at_any_quantum(folder):
    """Each (pc, count) is reached, and the final counts are the same: independent counts, of traces."""
    program = built(folder)
    found, err = slices(program)
    pcs = {end[0] for _, end, _ in found if end[0]}
    counts = [collections.Counter(trace(folder, program, "--quantum", quantum)) for quantum in QUANTA]
    for pc in pcs:
        check(len({count[pc] for count in counts}) == 1, f"{pc:#x} is executed {[count[pc] for count in counts]} times")
    # Hart h goes 4 times through 40 (h + 1) rounds, ROUNDS times; main has WORDS rounds.
    inner = max(pcs, key=lambda pc: counts[0][pc])
    check(counts[0][inner] == 12 * 4 * 40 * (1 + 2 + 3), f"the innermost loop: {counts[0][inner]} times")
    first, end = lines_of(program, "waits")
    check(not any(first <= pc < end for pc in pcs), "a loop that waits is no marker")
    got = re.search(r"tipoff: ([0-9]+) markers of ([0-9]+) executed loop entries: .* (?:\((.*)\+0x[0-9a-f]+: ([0-9]+) to ([0-9]+) times\))", err)
    check(got is not None and int(got[2]) >= int(got[1]) + 1 and got[3] == "waits", err)
    low, high = min(count[pc] for count in counts for pc in range(first, end, 2) if count[pc]), max(
        count[pc] for count in counts for pc in range(first, end, 2)
    )
    check(low < high and int(got[4]) < int(got[5]) <= high, f"{err} ({low} to {high})")


@test
def loops_are_those_of_the_trace(folder):
    """Iterations as often as the trace has the header; the nest of looppoint.c with the numbers that it has by hand."""
    program = built(folder)
    status, out, err = tipoff("bbv", "--harts", HARTS, "--format", "loops", program)
    check(status == 0, err)
    rows = list(csv.DictReader(io.StringIO(out)))
    count = collections.Counter(trace(folder, program))
    check(len(rows) > 8, f"{len(rows)} loops")
    for row in rows:
        check(count[int(row["address"], 16)] == int(row["iterations"]) >= int(row["entries"]), f"{row}: {count[int(row['address'], 16)]} times in the trace")
        parent = rows[int(row["parent"])] if row["parent"] else None
        check(int(row["depth"]) == (int(parent["depth"]) + 1 if parent else 1), f"{row} in {parent}")
    within = [row for row in rows if row["place"].startswith("inner+")]
    shown = {(int(row["depth"]), int(row["entries"]), int(row["iterations"])) for row in within}
    check(shown == {(1, 12 * HARTS, 12 * HARTS * 4), (2, 12 * HARTS * 4, 12 * 4 * 40 * (1 + 2 + 3))}, f"{within}")
    waits = [row for row in rows if row["place"].startswith("waits+")]
    check(len(waits) == 1 and int(waits[0]["entries"]) == 12 * (HARTS - 1), f"{waits}")


@test
def vectors_are_without_synchronisation(folder):
    """Its instructions run, but are not in the vectors; with --sync of nothing they are."""
    program = built(folder)
    found, _ = slices(program)
    everything, _ = slices(program, "--sync", "none")
    total = collections.Counter(trace(folder, program))
    counted = sum(sum(part.values()) for _, _, part in found)
    run = sum(sum(part.values()) for _, _, part in everything)
    check(run == sum(count for pc, count in total.items() if pc is not None), "all instructions of the trace")
    check(0.3 * run < counted < run, f"{counted} of {run} instructions count")
    for _, _, part in found[:-1]:
        check(sum(part.values()) >= HARTS * SLICE, "a slice has as many counted instructions, at least")
    more, _ = slices(program, "--quantum", 4096)
    again = sum(sum(part.values()) for _, _, part in more)
    check(abs(again - counted) < 0.02 * counted or again > counted, "what is counted depends on the quantum by waits() alone")
    only, _ = slices(program, "--sync", "tipoff_*,waits")
    other, _ = slices(program, "--sync", "tipoff_*,waits", "--quantum", 4096)
    a, b = (sum(sum(part.values()) for _, _, part in each) for each in (only, other))
    check(abs(a - b) < 0.01 * a, f"without all that waits, {a} and {b} instructions at two quanta")


@test
def regions_stand_for_the_run(folder):
    program, path = built(folder), folder / "r.regions"
    status, out, err = tipoff("regions", "find", "--method", "looppoint", "--harts", HARTS, "--slice", SLICE, "--format", "json", "-o", path, program)
    check(status == 0 and out == "", err)
    file = json.loads(path.read_text())
    found, _ = slices(program)
    check(file["method"] == "looppoint" and file["harts"] == HARTS, file["method"])
    projected = sum(region["multiplier"] * region["counted"] for region in file["regions"])
    counted = sum(sum(part.values()) for _, _, part in found)
    check(abs(projected / counted - 1) < 1e-9, f"counted instructions project to {projected} of {counted}")
    for region in file["regions"]:
        number = region["slice"]
        begin, end, part = found[number]
        check(region["begin"] == begin and region["counted"] == sum(part.values()), f"slice {number}: {region}")
        check(marker(region, "end") == end, f"slice {number} ends before {end}: {region}")
        check(number == 0 or marker(region, "start") == found[number - 1][1], f"slice {number} begins there")


@test
def checkpoints_reach_the_same_end(folder):
    """From each region's checkpoint, its end marker comes after as many instructions as the region has, and as many executions of it."""
    program, path = built(folder), folder / "c.regions"
    options = ["--method", "looppoint", "--harts", HARTS, "--slice", SLICE, "--checkpoints", folder / "c", "--format", "json"]
    status, _, err = tipoff("regions", "find", *options, "-o", path, program)
    check(status == 0, err)
    regions = json.loads(path.read_text())["regions"]
    whole = trace(folder, program)
    for region in regions:
        rest = trace(folder, program, "--restore", region["checkpoint"])
        check(rest == whole[region["begin"] :], f"region of slice {region['slice']}: the rest of the run")
        pc, count = marker(region, "end")
        if pc == 0:
            continue
        before = sum(1 for one in whole[: region["begin"]] if one == pc)
        at = [step for step, one in enumerate(rest) if one == pc][count - before - 1]
        check(at == region["steps"], f"its end after {at} steps, not {region['steps']}")


@test
def on_the_fast_model_regions_end_with_their_markers(folder):
    """From each checkpoint as many executions as the trace has left; the program as one region takes what it takes."""
    program, path, kept = built(folder), folder / "g.regions", folder / "kept"
    find = ["--method", "looppoint", "--harts", HARTS, "--slice", 3 * SLICE, "--format", "json", "-o", path]
    status, _, err = tipoff("regions", "find", *find, program)
    check(status == 0, err)
    run = ["regions", "run", "--on", "gus", "--config", "small2c", "--format", "json", "--keep", kept]
    gus = ["gus", "--config", "small2c", "--format", "json"]
    status, out, err = tipoff(*run, path)
    check(status == 0 and err == "", err)
    content, rows, whole = json.loads(path.read_text()), json.loads(out)["regions"], trace(folder, program)
    for region, row in zip(content["regions"], rows):
        pc, count = marker(region, "end")
        if not pc or not region["begin"]:
            continue
        left = count - sum(1 for one in whole[: region["begin"]] if one == pc)
        checkpoint = next(kept.glob(f"*.{region['cluster']}.ckpt"))
        status, out, err = tipoff(*gus, "--restore", checkpoint, "--to", f"{pc:#x}:{left}", program)
        check(status == 0, err)
        got = json.loads(out)
        met = [one["executions"] for one in got["rows"] if int(one["address"], 16) == pc]
        check(met == [left] and not got["exited"], f"slice {region['slice']}: {pc:#x} is executed {met} times, not {left}")
        check(abs(got["cycles"] - row["cycles"]) < 1, f"{got['cycles']} cycles: {row}")
    numbers = [content[key] for key in ("steps", "instructions", "counted")]
    region = dict(zip(("begin", "steps", "instructions", "counted"), [0, *numbers]))
    path.write_text(json.dumps(content | {"slices": [[0, *numbers, 0]], "regions": [{"slice": 0, "cluster": 0, **region, "multiplier": 1}]}))
    status, out, err = tipoff(*run, path)
    full = tipoff(*gus, "--harts", HARTS, program)[1]
    check(status == 0 and abs(json.loads(out)["projected"]["cycles"] - json.loads(full)["cycles"]) < 0.01, f"{err}: the whole run")


@test
def bad_input(folder):
    find = ["regions", "find", "--method", "looppoint"]
    program = built(folder)
    refused([*find, "--harts", HARTS, "--slice", 10**9, program], "too few to choose from", lines=2)
    refused([*find, "--quanta", "63", program], "--quanta", lines=0)
    refused([*find, "--quanta", "", program], "--quanta", lines=0)
    refused([*find, "--slice", 0, program], "--slice", lines=0)
    refused(["regions", "find", "--slice", 5, program], "--slice", lines=0)
    refused(["regions", "find", "--sync", "f", program], "--method looppoint", lines=0)
    refused(["bbv", "--sync", "f", program], "--markers", lines=0)
    refused([*find, "--vectors", folder / "v.bb"], "--vectors", lines=0)
    refused([*find, folder / "none.elf"], "none.elf")
    status, _, err = tipoff(*find, assembled(folder, "exit7.S", name="straight.elf"))
    check(status == 2 and "no loop of its own" in err and "simpoint" in err, f"status {status}: {err}")
    status, _, err = tipoff("bbv", "--markers", "--interval", 5000, TINY)
    check(status == 0, err)


if __name__ == "__main__":
    sys.exit(main())
