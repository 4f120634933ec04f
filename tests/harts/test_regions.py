#!/usr/bin/python3
"""`tipoff regions run` on several harts of the core: regions begin and end with executions of their markers, by all harts.

    tests/harts/test_regions.py [--only TEXT]

looppoint.c of tests/cli on two harts of small2c, whose runs meet at other times than the simulator's. Which execution ends a region is known from two traces: the
simulator's up to the checkpoint, and the core's from there on.
"""
import collections
import csv
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TESTS, check, main, refused, test, tipoff  # noqa: E402
from regions_files import all_slices, changed  # noqa: E402

TESTS.clear()  # its own

HARTS, WIDTH, SLICE = 2, 2, 6000
CONFIG = ("--config", "small2c")
scratch = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(scratch.name)


@functools.cache
def program():
    built = FOLDER / "looppoint.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", ROOT / "tests/cli/looppoint.c", "-o", built], check=True)
    return built


@functools.cache
def found():
    path = FOLDER / "r.regions"
    find = ["--method", "looppoint", "--harts", HARTS, "--slice", SLICE, "--format", "json", "--output", path]
    status, _, err = tipoff("regions", "find", *find, program())
    check(status == 0, err)
    return path


def run(path, *options):
    status, out, err = tipoff("regions", "run", *CONFIG, "--jobs", 1, "--format", "json", *options, path)
    check(status == 0 and err == "", f"regions run {options}: status {status}: {err}")
    got = json.loads(out)
    check(got["missed"] == 0, "every end is met")
    return got["projected"], got["regions"]


@functools.cache
def full():
    stats = FOLDER / "full.json"
    status, _, err = tipoff("run", *CONFIG, "--harts", HARTS, "--quiet", "--stats", stats, program())
    check(status == 0, err)
    return json.loads(stats.read_text())


def executions(path):
    """How often each instruction was executed, by the simulator up to a checkpoint."""
    lines = path.read_text().splitlines()
    path.unlink()
    return collections.Counter(int(match[1], 16) for match in (re.match(r"[0-9]+ [MSU] 0x([0-9a-f]{16}) ", line) for line in lines) if match)


def commits(path):
    """(cycle, pc) of what both harts have committed."""
    got = []
    for hart in range(HARTS):
        with open(path.with_suffix(f".hart{hart}.csv")) as lines:
            for row in csv.DictReader(lines):
                got += [(int(row["cycle"]), int(row[f"pc{lane}"], 16)) for lane in range(WIDTH) if row[f"commit{lane}"] == "1"]
    return sorted(got)


def one_region(content):
    numbers = [content[key] for key in ("steps", "instructions", "counted")]
    content["slices"] = [[0, *numbers, 0]]
    region = dict(zip(("begin", "steps", "instructions", "counted"), [0, *numbers]))
    content["regions"] = [{"slice": 0, "cluster": 0, **region, "multiplier": 1}]


@test
def one_region_is_the_whole_run(_):
    projected, _ = run(changed(found(), "one.regions", one_region))
    check(projected["cycles"] == full()["cycles"], f"{projected['cycles']} of {full()['cycles']} cycles")
    for event, count in full()["events"].items():
        check(projected[f"events.{event}"] == count, f"{event}: {projected[f'events.{event}']}, not {count}")


@test
def all_slices_are_the_full_run(folder):
    """Each slice cut out of a run from the program's beginning, between its markers."""
    regions = json.loads(found().read_text())
    status, out, err = tipoff("bbv", "--markers", "--format", "csv", "--harts", HARTS, "--interval", HARTS * SLICE, program())
    check(status == 0, err)
    ends = {int(row["slice"]): f"{row['end']}:{row['count']}" for row in csv.DictReader(out.splitlines())}
    check(len(ends) == len(regions["slices"]) >= 4, ends)
    cycles = 0
    for number in ends:
        edges = (["--sample-from", ends[number - 1]] if number else []) + (["--sample-to", ends[number]] if number + 1 < len(ends) else [])
        stats = folder / "slice.json"
        status, _, err = tipoff("run", *CONFIG, "--harts", HARTS, "--quiet", "--stats", stats, *edges, program())
        check(status in (0, 124), err)
        got = json.loads(stats.read_text())
        check(got["from_cycle"] == cycles, f"slice {number} begins in {got['from_cycle']}, the one before it ends in {cycles}")
        cycles += got["cycles"]
    check(cycles == full()["cycles"], f"all slices have {cycles} of {full()['cycles']} cycles")


@test
def ends_are_those_executions(folder):
    """From a checkpoint, with a warm-up: as many executions of the markers as in the run, those before it included."""
    warm = 1500
    projected, rows = run(found(), "--warmup", warm, "--keep", folder / "kept")
    regions = json.loads(found().read_text())["regions"]
    check(len(rows) == len(regions) >= 3, rows)
    for region, row in zip(regions, rows):
        if region["begin"] == 0 or "end" not in region:
            continue
        checkpoint = next(path for path in (folder / "kept").glob(f"*.{region['cluster']}.ckpt"))
        trace, core = folder / "before.txt", folder / "core.csv"
        status, _, err = tipoff("iss", "--quiet", "--harts", HARTS, "--max-insns", region["begin"] - warm, "--trace", trace, program())
        check(status in (0, 124), err)
        before = executions(trace)
        own = {key: (int(region[key]["pc"], 16), region[key]["count"]) for key in ("start", "end")}
        edges = [f"--sample-{way}={pc:#x}:{count - before[pc]}" for way, (pc, count) in zip(("from", "to"), own.values())]
        stats = folder / "region.json"
        status, _, err = tipoff("run", *CONFIG, "--quiet", "--stats", stats, "--worker", f"csv:file={core}", "--restore", checkpoint, *edges)
        check(status == 124, f"status {status}: {err}")
        measured = json.loads(stats.read_text())
        check(measured["cycles"] == row["cycles"], f"by hand {measured['cycles']} cycles: {row}")
        left = commits(core)
        for edge, (pc, count) in zip((measured["from_cycle"], measured["from_cycle"] + measured["cycles"]), own.values()):
            at = [cycle for cycle, one in left if one == pc][count - before[pc] - 1]
            check(at < edge <= at + 8, f"{pc:#x} is executed the {count}. time in {at}: the edge is {edge}")
    summed = sum(region["multiplier"] * row["cycles"] for region, row in zip(regions, rows))
    check(abs(projected["cycles"] - summed) <= 1e-6 * summed, "formula 3.1")


@test
def caches_filled_by_accesses(folder):
    """As the checkpoint's last accesses leave them, coherent: all checks agree from the first load on, and the caches miss less."""
    (cold, _), (warm, rows) = (run(found(), "--keep", folder / "kept", *warmup) for warmup in ([], ["--warmup", "mtr"]))
    check(warm["memory.llc_misses"] < cold["memory.llc_misses"], f"{warm['memory.llc_misses']} misses, cold {cold['memory.llc_misses']}")
    check(
        abs(warm["cycles"] / full()["cycles"] - 1) < abs(cold["cycles"] / full()["cycles"] - 1),
        f"{warm['cycles']}, cold {cold['cycles']}, full {full()['cycles']}",
    )
    checkpoint = next((folder / "kept").glob(f"*.{json.loads(found().read_text())['regions'][1]['cluster']}.ckpt"))
    for options in (["--warm", "memory"], ["--warm", "all"], ["--warm", "all", "--threads", 2]):
        status, out, err = tipoff("run", *CONFIG, "--restore", checkpoint, *options)
        check(status == 0 and "memory-order" in err and "all agree" in err, f"{options}: status {status}: {err}")
        check(out.endswith(tipoff("iss", "--harts", HARTS, program())[1]), f"{options}: its answer, {out!r}")


@test
def bad_input(folder):
    refused(["regions", "run", *CONFIG, changed(found(), "all.regions", all_slices)], "2 harts", "--method looppoint")
    other = changed(found(), "count.regions", lambda content: content["regions"][-1].get("start", content["regions"][-1].get("end")).update(count=10**9))
    status, _, err = tipoff("regions", "run", *CONFIG, "--keep", folder / "kept", other)
    check(status == 2 and "as often as it says" in err, f"status {status}: {err}")
    refused(["regions", "run", "--config", "small2", found(), "--keep", folder / "kept"], "coherent")
    refused(["regions", "run", *CONFIG, "--period", 97, "--samples", folder / "s.tips", found()], "2 harts", "--samples")


if __name__ == "__main__":
    sys.exit(main())
