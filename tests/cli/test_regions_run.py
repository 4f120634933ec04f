#!/usr/bin/python3
"""`tipoff regions run`: sums of what regions measure, times their multipliers; all slices, and one region that is the whole run; what is kept; what is refused.

    tests/cli/test_regions_run.py [--only TEXT]

Needs build/bin/tipoff, build/small2/model.so and build/workloads/sort.small.elf.
"""
import csv
import io
import json
import os
import signal
import subprocess
import sys

from cli import ROOT, RUN, TINY, TIPOFF, check, main, refused, test, tipoff
from regions_files import SORT, all_slices, changed, found, one_region, run


@test
def sums_of_products(folder):
    path = found(folder, "--checkpoints", folder / "r", "--warmup", 3000)
    projected, rows = run(path, "--count", "BRANCHES")
    regions = json.loads(path.read_text())["regions"]
    check(len(rows) == len(regions) >= 2, rows)
    for region, row in zip(regions, rows):
        own = ["--warmup", region["warmup"]] * (region["warmup"] > 0)
        start = ["--restore", region["checkpoint"]] if region["begin"] > region["warmup"] else [SORT]
        stats = folder / "own.json"
        length = ["--max-insns", region["instructions"], "--stats", stats, "--count", "BRANCHES"]
        status, _, err = tipoff(*RUN, "--quiet", *own, *length, *start)
        check(status in (0, 124), err)
        own = json.loads(stats.read_text())
        check(row["measured"]["cycles"] == own["cycles"] == row["cycles"], f"by hand {own['cycles']} cycles: {row}")
        check(row["measured"]["events.FL_MB"] == own["events"]["FL_MB"] and row["measured"]["counts.BRANCHES"] == own["counts"]["BRANCHES"], row)
    for name in ("cycles", "events.FL_MB", "memory.reads", "counts.BRANCHES", "state_cycles.Computing"):
        summed = sum(region["multiplier"] * row["measured"][name] for region, row in zip(regions, rows))
        check(abs(projected[name] - summed) <= 1e-9 * summed, f"{name}: {projected[name]}, not {summed}")
    check(projected["instructions"] == sum(s[2] for s in json.loads(path.read_text())["slices"]), "instructions are known")
    check(not any(name.startswith(("checks", "ipc", "from_", "counts.from_")) or name.endswith("khz") for name in projected), "no number that does not add up")


@test
def all_slices_project_to_their_sum(folder):
    path = changed(found(folder), "all.regions", all_slices)
    projected, rows = run(path)
    check(len(rows) == 6, rows)
    for name in ("cycles", "events.FL_MB", "state_cycles.Stalled"):
        check(projected[name] == sum(row["measured"][name] for row in rows), name)
    over = sum(row["instructions"] for row in rows) - 114438
    check(0 <= over < len(rows) and projected["instructions"] == 114438, f"a core of width 2 commits one more at most: {over}")


@test
def one_region_is_the_whole_run(folder):
    path = changed(found(folder), "one.regions", one_region)
    projected, _ = run(path)
    status, _, err = tipoff(*RUN, "--quiet", "--stats", folder / "full.json", SORT)
    check(status == 0, err)
    full = json.loads((folder / "full.json").read_text())
    check(projected["cycles"] == full["cycles"] and projected["instructions"] == full["instructions"], f"{projected['cycles']} of {full['cycles']} cycles")
    for event, count in full["events"].items():
        check(projected[f"events.{event}"] == count, f"{event}: {projected[f'events.{event}']}, not {count}")


@test
def warmup_makes_checkpoints(folder):
    path = changed(found(folder), "all.regions", all_slices)
    cold, _ = run(path)
    warm, rows = run(path, "--warmup", 15000)
    check([row["warmup"] for row in rows] == [0] + [15000] * 5, rows)
    check(warm["cycles"] < cold["cycles"], f"{warm['cycles']} cycles warm, {cold['cycles']} cold")
    made, _ = run(found(folder, "--checkpoints", folder / "w", "--warmup", 15000, name="w.regions"))
    check(made == run(found(folder, name="n.regions"), "--warmup", 15000)[0], "checkpoints of find and of run are alike")


@test
def caches_filled_by_accesses(folder):
    """Each region is the run of its checkpoint with --warm; beside none at all the caches miss less."""
    path = found(folder, "--checkpoints", folder / "r")
    warm, rows = run(path, "--warmup", "mtr")
    cold, _ = run(path)
    check(warm["memory.llc_misses"] < cold["memory.llc_misses"], f"{warm['memory.llc_misses']} misses, cold {cold['memory.llc_misses']}")
    check(all(row["warmup"] == 0 for row in rows) and {row["warmup"] for row in run(path, "--warmup", "mtr:2000")[1]} >= {2000}, rows)
    refused(["regions", "run", path, "--on", "gus", "--warmup", "mtr"], "--warmup mtr", "--on rtl")


@test
def results_are_kept(folder):
    path = found(folder, "--checkpoints", folder / "r")
    first, _ = run(path, "--jobs", 2)
    kept = sorted(p for p in (folder / "r.regions.run").iterdir())
    check(len(kept) == len(json.loads(path.read_text())["regions"]) and all(p.suffix == ".json" for p in kept), kept)
    before = [p.stat().st_mtime_ns for p in kept]
    check(run(path)[0] == first and [p.stat().st_mtime_ns for p in kept] == before, "nothing is run twice")
    kept[0].write_text(kept[0].read_text()[:100])
    again, _ = run(path)
    check(again["cycles"] == first["cycles"] and kept[0].stat().st_mtime_ns != before[0], "what is damaged is run again")
    run(path, "--set", "llc.latency=40")
    check(len(list((folder / "r.regions.run").iterdir())) == 2 * len(kept), "other settings are other results")


@test
def a_signal_ends_it(folder):
    path = changed(found(folder, program=ROOT / "build/workloads/interp.large.elf"), "one.regions", one_region)
    with subprocess.Popen([TIPOFF, "regions", "run", "--config", "small2", str(path)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        while not (children := (ROOT / f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()):
            check(child.poll() is None, "it runs for minutes")
        child.send_signal(signal.SIGTERM)
        out, err = child.communicate(timeout=60)
    check(child.returncode == 128 + signal.SIGTERM and out == err == b"", f"{child.returncode}: {out!r} {err!r}")
    check(not list((folder / "one.regions.run").iterdir()), "nothing half-written is left")
    check(not any(os.path.exists(f"/proc/{pid}") for pid in children), "its processes are gone")


@test
def csv_and_text(folder):
    path = found(folder)
    projected, _ = run(path)
    status, out, err = tipoff("regions", "run", "--config", "small2", "--format", "csv", path)
    check(status == 0 and err == "", err)
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(out))}
    check(rows.keys() == projected.keys(), "CSV has what JSON has")
    for name, row in rows.items():
        check(abs(float(row["projected"]) - projected[name]) <= 1e-6 * projected[name], row)
        check(abs(float(row["per_1000_instructions"]) - 1000 * projected[name] / 114438) <= 1e-6 * projected[name], row)
    status, out, err = tipoff("regions", "run", "--config", "small2", "--output", folder / "out.txt", path)
    head = (folder / "out.txt").read_text().splitlines()[0]
    cycles = f"{projected['cycles']:.0f} cycles projected, CPI {projected['cycles'] / projected['instructions']:.4f}"
    check(out == err == "" and head == f"{SORT} on small2: {cycles}", head)


@test
def on_the_fast_model(folder):
    path = found(folder, "--checkpoints", folder / "r", "--warmup", 3000)
    projected, rows = run(path, "--on", "gus")
    regions = json.loads(path.read_text())["regions"]
    for region, row in zip(regions, rows):
        start = ["--restore", region["checkpoint"]] if region["begin"] > region["warmup"] else [SORT]
        own = ["--warmup", region["warmup"]] * (region["warmup"] > 0)
        status, out, err = tipoff("gus", "--config", "small2", "--format", "json", "--max-insns", region["steps"], *own, *start)
        check(status == 0, err)
        by_hand = json.loads(out)
        check(row["measured"]["cycles"] == by_hand["cycles"] and row["instructions"] == region["steps"], row)
        check(row["measured"]["misses"] == sum(r["misses"] for r in by_hand["rows"]), row)
    summed = sum(region["multiplier"] * row["measured"]["cycles"] for region, row in zip(regions, rows))
    check(abs(projected["cycles"] - summed) <= 1e-9 * summed, projected)
    whole, _ = run(changed(path, "one.regions", one_region), "--on", "gus")
    status, out, err = tipoff("gus", "--config", "small2", "--format", "json", SORT)
    check(status == 0 and whole["cycles"] == json.loads(out)["cycles"], f"one region is the whole run: {whole['cycles']}")
    refused(["regions", "run", "--on", "gus", "--config", "small2", "--count", "BRANCHES", path], "--on rtl")


def profile(path, *arguments):
    """Time by instruction and state, in cycles."""
    status, out, err = tipoff("report", "--format", "csv", *arguments, path)
    check(status == 0 and err == "", err)
    rows = csv.DictReader(io.StringIO(out))
    found = {}
    for row in rows:
        key = row["unit"], row["state"], row["psv"]
        found[key] = found.get(key, 0) + float(row["cycles"])
    return found


@test
def profiles_are_weighted(folder):
    path = found(folder)
    status, _, err = tipoff("regions", "run", "--config", "small2", "--period", 97, "--samples", folder / "p.tips", path)
    check(status == 0 and err == "", err)
    content, kept = json.loads(path.read_text()), sorted((folder / "r.regions.run").glob("*.tips"))
    check(len(kept) == len(content["regions"]), kept)
    projected, rows = run(path)
    cycles = {row["cycles"]: region["multiplier"] for region, row in zip(content["regions"], rows)}
    for profiler in ("TIP", "Oracle"):
        summed = {}
        for one in kept:
            own = profile(one, "--profiler", profiler)
            of_one = profile(one, "--profiler", "Oracle")
            multiplier = cycles[round(sum(of_one.values()))]
            for key, weight in own.items():
                summed[key] = summed.get(key, 0) + multiplier * weight
        whole = profile(folder / "p.tips", "--profiler", profiler)
        check(whole.keys() == {key for key in summed if key in whole or summed[key] >= 1}, "the same instructions")
        misplaced = sum(abs(summed[key] - weight) for key, weight in whole.items())
        check(misplaced <= 0.5 * len(whole) + 591, f"{profiler}: {misplaced:.1f} of {sum(whole.values()):.0f} cycles are elsewhere: more than rounding")
        if profiler == "Oracle":
            check(abs(sum(whole.values()) - projected["cycles"]) <= len(whole), f"{sum(whole.values())} cycles, not {projected['cycles']}")
            check(misplaced <= len(whole), misplaced)
    status, out, err = tipoff("report", folder / "p.tips")
    check(status == 0 and f"of the run, projected from {len(kept)} regions of 6 slices (simpoint)" in out and "regions run" in out, out[:500])
    refused(["regions", "run", "--samples", folder / "q.tips", path], "--period", lines=0)


@test
def one_region_has_the_profile_of_the_run(folder):
    path = changed(found(folder), "one.regions", one_region)
    status, _, err = tipoff("regions", "run", "--config", "small2", "--period", 97, "--samples", folder / "p.tips", path)
    check(status == 0, err)
    status, _, err = tipoff(*RUN, "--quiet", "--period", 97, "--samples", folder / "full.tips", SORT)
    check(status == 0, err)
    for profiler in ("TIP", "Oracle"):
        check(profile(folder / "p.tips", "--profiler", profiler) == profile(folder / "full.tips", "--profiler", profiler), profiler)


@test
def bad_input(folder):
    path = found(folder, "--checkpoints", folder / "r")
    refused(["regions", "run"], "REGIONS", lines=0)
    refused(["regions", "run", folder / "none"], "none")
    refused(["regions", "run", "--on", "vhdl", path], "rtl", lines=0)
    refused(["regions", "run", "--config", "smll2", path], "smll2", "small2")
    refused(["regions", "run", "--config", "small2", "--count", "NOTHING", path], "NOTHING")
    refused(["regions", "run", "--config", "small2", "--output", path, path], "--output")
    cut = folder / "cut.regions"
    cut.write_text(path.read_text()[:-100])
    refused(["regions", "run", "--config", "small2", cut], "cut.regions", "not whole", "tipoff regions find")
    other = changed(path, "other.regions", lambda content: content.update(program=str(TINY)))
    refused(["regions", "run", "--config", "small2", other], "other.regions", "another program", "tipoff regions find")
    gone = changed(path, "gone.regions", lambda content: content.update(program=str(folder / "gone.elf")))
    refused(["regions", "run", "--config", "small2", gone], "gone.elf")
    harts = changed(path, "harts.regions", lambda content: content.update(harts=2))
    refused(["regions", "run", "--config", "small2", harts], "2 harts", "--method looppoint", "--on gus")
    (folder / "r.0.ckpt").unlink()
    refused(["regions", "run", "--config", "small2", path], "region 0", "r.0.ckpt", "--checkpoints")
    check(json.loads(path.read_text())["kind"] == "tipoff regions", "no output has destroyed an input")


if __name__ == "__main__":
    sys.exit(main())
