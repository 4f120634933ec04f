#!/usr/bin/env python3
"""What a warm-up that is too short does to the profile of a region: a row of docs/results/linux-costs.md, "Warm-up", for each program.

    scripts/programs/warmup.py [--config small2] [--instructions 300000] [--reference 3000000] [--only NAME]... [--table]

The region is the same instructions each time: those from the middle of the program on. For a warm-up of W instructions the machine is
saved on the ISS W instructions before that middle, and a core, whose caches, TLBs and predictors are empty, begins there with --warmup W. (One and
the same checkpoint with several values of --warmup would measure other instructions each time.) Traps between the two places, which --at counts and
--warmup does not, are taken off. Each is compared with the longest warm-up, --reference: cycles of the region; and the Oracle's profile by
instruction, as shares of its own time, by the measure of `tipoff compare`: the part of the time that is not at the same instruction, and, the second
figure, at the same instruction with the same events. Interrupts come at other instructions in each run: where a run had any, the row has a star, and its
regions are the same but for them. What was measured is kept in build/linux/programs/NAME/CONFIG.warmup.json; --table prints it.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from iss import advance, on_iss  # noqa: E402
from programs import FOLDER, TIPOFF, load  # noqa: E402

PROGRAMS = ["lua", "sqlite3", "lz4", "picosat", "glpk", "bzip2"]
WARMUPS = [0, 1_000, 10_000, 100_000, 1_000_000]
MAX_INSNS_RAN_OUT = 124


def traps(machine, instructions):
    """Traps in the first instructions after the checkpoint, as the ISS executes them."""
    command = [TIPOFF, "iss", "--quiet", "--restore", machine, "--max-insns", str(instructions), "--trace", "-"]
    done = subprocess.run(command, capture_output=True, check=False)
    return sum(1 for _ in re.finditer(rb"^[MSU] 0x\S+ (exception|interrupt) ", done.stdout, flags=re.M))


def measure(program, arguments, middle, warmup):
    """Cycles; time by instruction, and by instruction and events, as shares."""
    folder = program.folder
    machine, stats, profile = folder / "warmup.machine", folder / "warmup.stats.json", folder / "warmup.csv"
    advance(folder / "first.machine", middle - warmup, machine)
    begins = warmup - traps(machine, warmup) if warmup else 0
    command = [
        TIPOFF,
        "run",
        "--config",
        arguments.config,
        "--quiet",
        "--restore",
        machine,
        "--warmup",
        begins,
        "--max-insns",
        arguments.instructions,
        "--stats",
        stats,
        "--profile",
        profile,
    ]
    done = subprocess.run([*map(str, command)], capture_output=True, check=False)
    if done.returncode != MAX_INSNS_RAN_OUT:
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
    statistics = json.loads(stats.read_text(encoding="utf-8"))
    if statistics["checks"]["instructions"] != statistics["instructions"]:
        raise SystemExit(f"{program.name}: not every instruction was compared: {statistics['checks']}")
    time, events = {}, {}
    for line in profile.read_text(encoding="utf-8").splitlines()[2:]:
        pc, _, psv, weight, *context = line.split(",")
        for rows, key in (time, (pc, *context)), (events, (pc, psv, *context)):
            rows[key] = rows.get(key, 0) + int(weight)
    for path in machine, stats, profile:
        path.unlink()
    return (
        {"cycles": statistics["cycles"], "instructions": statistics["instructions"], "interrupts": statistics["checks"]["interrupts"]},
        shares(time),
        shares(events),
    )


def shares(rows):
    total = sum(rows.values())
    return {key: weight / total for key, weight in rows.items()}


def error(profile, reference):
    return 1 - sum(min(share, profile.get(key, 0)) for key, share in reference.items())


def row(program, arguments):
    status, output, instructions, _ = on_iss(program, program.folder / "first.machine")
    if (status, output) != program.expected():
        raise SystemExit(f"{program.name}: wrong result on the ISS: status {status}: {output[:300]!r}")
    middle = instructions // 2
    if middle < arguments.reference:
        raise SystemExit(f"{program.name}: {instructions} instructions: choose a --reference of at most {middle}")
    reference, time, events = measure(program, arguments, middle, arguments.reference)
    result = {"reference": {"warmup": arguments.reference, **reference}, "warmups": []}
    for warmup in WARMUPS:
        counts, its_time, its_events = measure(program, arguments, middle, warmup)
        result["warmups"].append(
            {
                "warmup": warmup,
                **counts,
                "cycle_error": counts["cycles"] / reference["cycles"] - 1,
                "error": error(its_time, time),
                "error_events": error(its_events, events),
            }
        )
        print(f"{program.name}: {result['warmups'][-1]}", flush=True)
    (program.folder / "first.machine").unlink()
    path(program.name, arguments).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def path(name, arguments):
    return FOLDER / name / f"{arguments.config}.warmup.json"


def table(names, arguments):
    print("| program | cycles, warm |" + "".join(f" {warmup:,} |" for warmup in WARMUPS) + "\n|---|---|" + "---|" * len(WARMUPS))
    for name in names:
        if not path(name, arguments).exists():
            print(f"| {name} | not measured |" + " |" * len(WARMUPS))
            continue
        result = json.loads(path(name, arguments).read_text(encoding="utf-8"))
        cells = [f"{100 * w['cycle_error']:+.1f} %; {100 * w['error']:.1f}, {100 * w['error_events']:.1f} %" for w in result["warmups"]]
        star = "*" if result["reference"]["interrupts"] or any(w["interrupts"] for w in result["warmups"]) else ""
        print(f"| {name}{star} | {result['reference']['cycles']:,} | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="small2")
    parser.add_argument("--instructions", type=int, default=300_000)
    parser.add_argument("--reference", type=int, default=3_000_000)
    parser.add_argument("--only", action="append", metavar="NAME", choices=list(load()))
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    names = arguments.only or PROGRAMS
    if not arguments.table:
        programs = load()
        for name in names:
            row(programs[name], arguments)
    table(names, arguments)


if __name__ == "__main__":
    if not FOLDER.exists():
        sys.exit("scripts/programs/warmup.py: no programs: make linux-programs")
    main()
