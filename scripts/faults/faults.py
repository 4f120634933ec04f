#!/usr/bin/env python3
"""Fault injection: which check of `tipoff run` stops a core that reports wrong facts to its observers, and how soon?

    scripts/faults/faults.py [--table faults|numbers] [--only ROW]... [--jobs N] [--write FILE]

Each row of tests/faults/faults.tsv is a fault in the RTL that feeds the commit bundle, each of numbers.tsv one that changes a number
which a user sees. A copy of the tree holds all of a table, and a file `fault` in the folder of the run chooses one: one model, built
once (build/faults). Every fault runs some programs with all checks on, those of numbers.tsv while events are counted and instructions
and cycles sampled. Verdict of a program:
    stopped   a check ends the run: which one, in which cycle
    equal     ends like the fault-free run: same cycles, and the Oracle's profile differs by 0.1 % of the time at most; of numbers.tsv:
              no number of the statistics and no sample or record is another one
    slower    ends well after another number of cycles, or with other states, slots or memory accesses in as many: the core itself
              behaves differently, and its numbers are true to that
    WRONG     same cycles, another profile or number, and no check fails
    hangs     does not end within twice the fault-free cycles
Prints a table by fault, writes it as Markdown with --write. Status 1 if a fault is WRONG somewhere, even where another program is
stopped, or if a row cannot be applied.
"""
import argparse
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import outcome
import planting

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOM = ROOT / "build/faults"
TREE = ROOM / "tree"
TABLE = ROOT / "tests/faults/faults.tsv"
CONFIG = "small2"
OPTIONS = ["--period", "97", "--jitter=none"]
NUMBERS = False  # all numbers of a run are compared
COPIED = (
    "python/tipoff/version.py",
    "rtl/",
    "attach/",
    "sim/",
    "tables/",
    "scripts/",
    "harness/",
    "csrc/",
    "Makefile",
    "html/html.mk",
    "tests/tests.mk",
    "tests/workloads/",
    "tests/isa/",
    "tests/fuzz/",
    "tests/profile/",
)
PROGRAMS = [
    "workloads/interp.small",
    "workloads/chase.small",
    "workloads/fft.small",
    "workloads/vm_paging.small",
    "tests/fuzz/fpvm-1",
    "tests/fuzz/pmuvm-1",
    "tests/events/fl_mo",
]
NUMBERS_PROGRAMS = [
    "workloads/interp.small",
    "workloads/syscalls.small",
    "tests/fuzz/pmuvm-1",
    "tests/fuzz/ctrvm-1",
    "tests/fuzz/ctrvm-2",
    "tests/events/fl_mo",
    "tests/counting/overflow",
    "tests/counting/registers",
    "tests/counting/traps",
    *(f"tests/isa/{name}" for name in ("counters", "ctr", "interrupts", "pmp", "bus_error", "sc_d", "trap_state", "lcofi_s", "clint")),
    *(f"tests/isa/{name}" for name in ("vm_asid", "vm_fault", "vm_mprv", "vm_sfence", "vm_translate", "vm_straddle")),
]
NUMBERS_LIMIT = 160000  # cycles of a program


def events():
    """All that a counter counts, and one event in a mode alone: as many as there are counters beside the sampling one."""
    names = []
    for table in ("pmu_events", "events"):
        with (ROOT / f"tables/{table}.tsv").open(encoding="utf-8") as file:
            names += [row["name"] for row in csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")]
    return ",".join([*names, "INSTRUCTIONS:u"])


def choose(table):
    """What a run of the campaign is, by its table of faults."""
    global ROOM, TREE, TABLE, CONFIG, OPTIONS, PROGRAMS, NUMBERS
    if table != "numbers":
        return
    ROOM, TABLE, CONFIG = ROOT / "build/faults/numbers", ROOT / "tests/faults/numbers.tsv", "full2"
    TREE, PROGRAMS, NUMBERS = ROOM / "tree", NUMBERS_PROGRAMS, True
    OPTIONS = ["--period", "41", "--jitter", "--profileme", "61,jitter=4,pairs=64", "--count", events(), "--worker", "topdown", "--samples", "of.tips"]


def bound(command):
    """The command, which ends with this process however that ends."""
    return ["setpriv", "--pdeathsig", "TERM", *map(str, command)]


def copy_tree():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    names = {name for name in listed if name.startswith(COPIED) and (ROOT / name).is_file()}
    for old in [path for folder in ("rtl", "sim") for path in (TREE / folder).rglob("*.sv") if str(path.relative_to(TREE)) not in names]:
        old.unlink()  # moved or gone since the copy was made
    for name in sorted(names):
        source, target = ROOT / name, TREE / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            shutil.copy(source, target)


def build(config, table):
    # The faults are put in afresh; what they leave as it was keeps its time, so that make builds no more than it must.
    before = {row["file"]: (TREE / row["file"]).read_bytes() for row in table if (TREE / row["file"]).exists()}
    times = {name: (TREE / name).stat() for name in before}
    copy_tree()
    planting.apply_faults(table, TREE)
    for name, text in before.items():
        if (TREE / name).read_bytes() == text:
            os.utime(TREE / name, ns=(times[name].st_atime_ns, times[name].st_mtime_ns))
    done = subprocess.run(bound(["make", "-s", f"CONFIGS={config}", f"build/{config}/model.so"]), cwd=TREE, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"faults: the model does not build:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    command = TREE / "build/bin/tipoff"  # this one, whatever is built meanwhile
    command.parent.mkdir(exist_ok=True)
    command.unlink(missing_ok=True)
    shutil.copy(ROOT / "build/bin/tipoff", command)
    return TREE / f"build/{config}/model.so"


def run(config, model, program, number, limit=None):
    folder = ROOM / f"run/{config}-{pathlib.Path(program).name}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fault").write_text(f"{number}\n", encoding="utf-8")
    stem = folder / "of"
    command = [
        str(TREE / "build/bin/tipoff"),
        "run",
        "--config",
        config,
        "--model",
        str(model),
        *OPTIONS,
        "--quiet",
        "--stats",
        f"{stem}.json",
        "--profile",
        f"{stem}.csv",
    ]
    command += ["--max-cycles", str(limit)] if limit else []
    for kind in ("json", "csv"):
        pathlib.Path(f"{stem}.{kind}").unlink(missing_ok=True)
    done = subprocess.run(bound([*command, ROOT / f"build/{program}.elf"]), cwd=folder, capture_output=True, text=True, check=False, errors="replace")
    try:
        stats = json.loads(pathlib.Path(f"{stem}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        stats = {}
    stopped = done.returncode in (3, 5) and re.search("^tipoff: ", done.stderr, re.M) is not None  # a program, too, may end with these
    return {
        "status": done.returncode,
        "stopped": stopped,
        "cycles": stats.get("cycles"),
        "instructions": stats.get("instructions"),
        "numbers": numbers(stats, folder) if NUMBERS and stats and not stopped else {},
        "profile": outcome.profile(f"{stem}.csv"),
        "text": (done.stdout + done.stderr)[-4000:],
    }


def numbers(stats, folder):
    """What a user sees: statistics, by name; what the program printed is its own business."""
    seen = {name: value for name, value in stats.items() if name not in ("wall_seconds", "khz")}
    for command in (["samples", "of.tips"], ["profileme", "--format", "csv", "of.tips"], ["compare", "of.tips"]):
        done = subprocess.run(bound([TREE / "build/bin/tipoff", *command]), cwd=folder, capture_output=True, check=False)
        seen[f"tipoff {command[0]}"] = hashlib.sha256(done.stdout).hexdigest() + f" {done.returncode}"
    return seen


def limit_of(good):
    """Cycles that a faulty run gets: twice those of the good one, or as many where that was cut off."""
    return good["cycles"] * (1 if good["status"] == 124 else 2)


def verdicts(config, model, number, good, first):
    """Of one fault, by program."""
    found = {}
    for program in PROGRAMS:
        found[program] = outcome.verdict(good[program], run(config, model, program, number, limit_of(good[program])))
        if first and found[program][0] == "stopped":
            break
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", choices=("faults", "numbers"), default="faults")
    parser.add_argument("--config", help="the core (default: small2; of numbers, full2)")
    parser.add_argument("--only", type=int, action="append", help="this row alone")
    parser.add_argument("--first", action="store_true", help="of each fault, only up to the first program that is stopped")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", type=pathlib.Path, help="the table as Markdown")
    arguments = parser.parse_args()
    choose(arguments.table)
    arguments.config = arguments.config or CONFIG
    table = planting.rows(TABLE)
    model = build(arguments.config, table)
    good = {program: run(arguments.config, model, program, 0, NUMBERS_LIMIT if NUMBERS else None) for program in PROGRAMS}
    for program, result in good.items():
        if result["stopped"] or result["status"] in ((2,) if NUMBERS else (2, 124)) or not result["profile"]:
            sys.exit(f"faults: {program} does not run without a fault:\n{result['text']}")
    chosen = [row for row in table if not arguments.only or row["number"] in arguments.only]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = {row["number"]: pool.submit(verdicts, arguments.config, model, row["number"], good, arguments.first) for row in chosen}
        results = {number: job.result() for number, job in jobs.items()}
    lines = ["| fault | where | verdict | check (cycle), first program | programs: stopped, equal, slower, hang, WRONG |", "|---|---|---|---|---|"]
    missed, stopped = [], 0
    for row in chosen:
        found = results[row["number"]]
        kinds = [kind for kind, _ in found.values()]
        stops = [f"{text}, {pathlib.Path(program).name}" for program, (kind, text) in found.items() if kind == "stopped"]
        wrong = [f"{pathlib.Path(program).name}: {text}" for program, (kind, text) in found.items() if kind == "WRONG"]
        overall = "WRONG" if wrong else "stopped" if stops else "hangs" if "hangs" in kinds else "core differs" if "slower" in kinds else "no effect"
        stopped += overall == "stopped"
        if overall == "WRONG":
            missed.append(row)
        counts = ", ".join(str(kinds.count(kind)) for kind in ("stopped", "equal", "slower", "hangs", "WRONG"))
        lines.append(f"| {row['number']} {row['text']} | {row['file']} | {overall} | {(wrong or stops or [''])[0]} | {counts} |")
    print("\n".join(lines))
    print(f"{len(chosen)} faults: {stopped} stopped, {len(missed)} wrong and unseen")
    if arguments.write:
        arguments.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for row in missed:
        print(f"faults: unseen: {row['number']} {row['text']}; rerun: scripts/faults/faults.py --table {arguments.table} --only {row['number']}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
