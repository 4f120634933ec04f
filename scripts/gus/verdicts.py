#!/usr/bin/env python3
"""Four verdicts on each program: TEA's stacks, top-down, Gus, and the core itself with one part ideal or larger, as truth: docs/results/verdicts.md.

    scripts/gus/verdicts.py [--config NAME ...] [--only TEXT] [--jobs N] [--kept] [--write]

The small workloads from reset to the end, and kernels (`make kernels`) from kernel_begin to kernel_end, every run with all checks. Models of
changed cores are built in build/sensitivity where they are missing or out of date, as `tipoff sensitivity` does. What was run is kept in
build/verdicts and not run again unless program, model or command changed: a run that is interrupted goes on where it ended. --kept: runs
nothing, and takes the programs with complete results. --write: into docs/results/verdicts.md and its plot.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import verdicts_page
from kept import Kept, digest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/kernels"), str(ROOT / "python/sensitivity")]
import changes  # noqa: E402  of the core
import kernels  # noqa: E402  the table
import models  # noqa: E402

TIPOFF = ROOT / "build/bin/tipoff"
FOLDER = ROOT / "build/verdicts"
IDEAL = ("branches", "l1i", "l1d", "tlb", "memory_order")
# The part that a change of tables/sensitivity.tsv makes ideal, or larger; each but those of IDEAL takes a model, so not all of them.
TRUTH = {"small2": (*IDEAL, "width", "fetch_width", "window", "int_ports", "mem_ports", "fp_ports"), "tea4": (*IDEAL, "width", "window", "int_ports")}
# A cycle that several events share is the first one's: what had to end before the others could.
EVENTS = (("branches", {"FL_MB"}), ("tlb", {"DR_TLB", "ST_TLB"}), ("l1i", {"DR_L1"}), ("l1d", {"ST_L1", "ST_LLC", "DR_SQ"}), ("memory_order", {"FL_MO"}))
# Gus's resources (`tipoff gus --sensitivity`): the part of each. The others belong to no part that the core was asked about: latencies
# of units and of stages, which no key makes shorter, and queues.
OF_GUS = {
    "redirect": "branches",
    "front": "branches",  # what a refill takes
    "llc.latency": "l1d",
    "l2.latency": "l1d",
    "row_hit": "l1d",
    "row_miss": "l1d",
    "mshrs": "l1d",
    "l2.mshrs": "l1d",
    "llc.mshrs": "l1d",
    "llc": "l1d",
    "dram": "l1d",
    "drain": "l1d",
    "fetch_mshrs": "l1i",
    "walker": "tlb",
    "walk_read": "tlb",
    "second_tlb": "tlb",
    "fetch_walk": "tlb",
    "again": "memory_order",
    "dispatch": "width",
    "commit": "width",
    "fetch": "fetch_width",
    "buffer": "fetch_width",
    "packets": "fetch_width",
    "window": "window",
    "int_registers": "window",
    "fp_registers": "window",
    "int_ports": "int_ports",
    "branch_ports": "int_ports",
    "mem_ports": "mem_ports",
    "cache_ports": "mem_ports",
    "fp_ports": "fp_ports",
}
# Gus makes a resource 15 % faster, which takes 15/115 of its time away.
PERCENT = 15
WHOLE = (100 + PERCENT) / PERCENT


# ---- what runs ----
def is_kernel(program):
    return program.parent.name == "kernels"


def run(config, program, folder, *options):
    stats = folder / "stats.json"
    region = ["--sample-from", "kernel_begin", "--sample-to", "kernel_end"] if is_kernel(program) else []
    done = subprocess.run(
        [TIPOFF, "run", "--quiet", "--threads", "1", "--config", config, "--stats", stats, *region, *options, program],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in ((0, 124) if region else (0,)):  # 124: it ends at kernel_end
        raise SystemExit(f"{program.name} on {config}: status {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
    return json.loads(stats.read_text())


def shadows(statistics):
    """Cycles of mispredictions: of the empty ROB, with the wait after it, and all by which the right paths are late (docs/reference/workers.md)."""
    total = [0, 0, 0]
    for group in statistics["refills"]:
        for pair in group["pairs"]:
            flushed, waited, late = (int(word) for word in pair.split()[3:6])
            total = [total[0] + flushed, total[1] + flushed + waited, total[2] + late]
    return total


def tea_stack(profile, events):
    """{part: share of the time} by the vectors of the Oracle's profile: what TEA's stack shows without chance."""
    found, total = dict.fromkeys(IDEAL, 0), 0
    with open(profile, encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            psv, weight = int(row["psv"], 0), float(row["weight"])
            total += weight
            names = {name for bit, name in enumerate(events) if psv >> bit & 1}
            part = next((part for part, of in EVENTS if names & of), None)
            if part and row["state"] != "Computing":
                found[part] += weight
    return {part: weight / total for part, weight in found.items()}


def topdown(statistics):
    """{part: share of the slots}. The one place that knows where top-down's figures come from."""
    t = statistics["topdown"]
    slots = t["slots"]
    return {
        "branches": t["bad_speculation"]["mispredictions"] / slots,
        "memory_order": t["bad_speculation"]["clears"] / slots,
        "l1i": t["frontend"]["latency"] / slots,
        "bandwidth": t["frontend"]["bandwidth"] / slots,
        "l1d": t["backend"]["memory"] / slots,
        "core": t["backend"]["core"] / slots,
    }


def base(config, program):
    """The core as it is: cycles, and what TEA and top-down say of it."""
    with tempfile.TemporaryDirectory(prefix="verdicts-") as folder:
        profile = pathlib.Path(folder) / "profile.csv"
        found = run(config, program, pathlib.Path(folder), "--worker", "topdown", "--profile", profile)
        return {"cycles": found["cycles"], "tea": tea_stack(profile, list(found["events"])), "topdown": topdown(found), "shadow": shadows(found)}


def changed(config, program, change):
    """Cycles of the changed core."""
    with tempfile.TemporaryDirectory(prefix="verdicts-") as folder:
        sets = [word for key, value in change.run_keys.items() for word in ("--set", f"{key}={value}")]
        return run(f"sensitivity/{change.model}" if change.model else config, program, pathlib.Path(folder), *sets)["cycles"]


def gus(config, program):
    """{resource: gain at 15 %}."""
    region = ["--from", "kernel_begin", "--to", "kernel_end"] if is_kernel(program) else []
    done = subprocess.run(
        [TIPOFF, "gus", "--config", config, "--sensitivity", "--jobs", "1", "--format", "json", *region, program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{program.name} on {config}: tipoff gus: {done.stderr.decode(errors='replace').strip()}")
    variants = json.loads(done.stdout)["variants"]
    return {v["resources"][0]: v["gain"] for v in variants if len(v["resources"]) == 1 and v["percent"] == PERCENT}


# ---- all of it ----
def build(config, wanted):
    """The models of these changes."""
    builder = models.Builder(ROOT, config, 1)
    for name, keys in {change.model: change.model_keys for change in wanted if change.model}.items():
        builder.want(name, keys)
    while builder.running or builder.waiting:
        for name in builder.look():
            print(f"  model {name}", file=sys.stderr, flush=True)
        time.sleep(0.2)
    if builder.failed:
        raise SystemExit("; ".join(f"{name}: {line}" for name, line in builder.failed.items()))


def works(config, programs, wanted):
    """(program, name, key, function) of all that is to be known."""
    own = digest(ROOT / f"build/{config}/model.so")
    ahead = digest(ROOT / "csrc/iss/ahead.c", ROOT / "harness/ideal.c")
    keys = {change.name: digest(ROOT / f"build/sensitivity/{change.model}/model.so") + (ahead if change.name in IDEAL else "") for change in wanted}
    tool = digest(TIPOFF)
    for program in programs:
        code = kernels.code(program).hex()[:16]
        yield program, "base", f"{code} {own} {tool}", lambda p=program: base(config, p)
        yield program, "gus", f"{code} {tool} {digest(ROOT / f'build/{config}/gen/gus.tsv')}", lambda p=program: gus(config, p)
        for change in wanted:
            yield program, change.name, f"{code} {keys[change.name]}", lambda p=program, c=change: changed(config, p, c)


def row_of(program, found, wanted):
    cycles = found["base"]["cycles"]
    gains = {}
    for resource, gain in found["gus"].items():
        if (part := OF_GUS.get(resource)) in found:
            gains[part] = gains.get(part, 0.0) + gain
    return {
        "program": program.name.removesuffix(".elf"),
        "kernel": is_kernel(program),
        "cycles": cycles,
        "truth": {change.name: 1 - found[change.name] / cycles for change in wanted},
        "tea": found["base"]["tea"],
        "topdown": found["base"]["topdown"],
        "gus": {part: min(1.0, gain * WHOLE) for part, gain in gains.items()} or {"none": 0.0},
        "shadow": [late / cycles for late in found["base"]["shadow"]],
    }


def measure(config, programs, jobs, kept_only):
    by_name = {change.name: change for change in changes.all_of(ROOT, config)[1]}
    wanted = [by_name[name] for name in TRUTH[config]]
    if not kept_only:
        build(config, wanted)
    kept, found = Kept(FOLDER / f"{config}.json"), {}
    todo = []
    for program, name, key, function in works(config, programs, wanted):
        old = kept.get(program.stem, name, key)
        if old is None:
            todo.append((program, name, key, function))
        else:
            found[program, name] = old
    if kept_only:
        lost = {program for program, *_ in todo}
        programs, todo = [program for program in programs if program not in lost], []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(function): (program, name, key) for program, name, key, function in todo}
        try:
            for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
                program, name, key = futures[future]
                found[program, name] = future.result()
                kept.put(program.stem, name, key, found[program, name])
                print(f"\r  {config}: {done} of {len(todo)} runs ", end="", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if todo:
        print(file=sys.stderr)
    return [row_of(program, {name: value for (p, name), value in found.items() if p == program}, wanted) for program in programs]


def programs_of(only):
    """The small workloads, and of each kernel the program as its definition has it, with -O2."""
    table = [ROOT / f"build/kernels/{row.name}.O2.elf" for row in kernels.read().rows if not row.variant]
    workloads = sorted((ROOT / "build/workloads").glob("*.small.elf"))
    for path in table:
        if not path.exists():
            raise SystemExit(f"{path.relative_to(ROOT)}: is missing: run make kernels")
    return [path for path in workloads + table if only in path.name]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", nargs="+", default=list(TRUTH), choices=list(TRUTH))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="programs whose name contains this text")
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.write and (options.only or options.config != list(TRUTH)):
        parser.error("--write takes all programs and cores: leave --only and --config out")
    programs = programs_of(options.only)
    if not programs:
        parser.error(f"no program has {options.only} in its name")
    found = {config: measure(config, programs, options.jobs, options.kept) for config in options.config}
    if options.write:
        verdicts_page.write(found)
    else:
        print(verdicts_page.text(found))


if __name__ == "__main__":
    main()
