#!/usr/bin/env python3
"""The rival profilers' units agree with their C models at every sample, on whole programs and on random ones.

    tests/profile/test_rivals.py CONFIG [--few | PROGRAM.elf...]

Runs each program with worker `rivals` (build/CONFIG/rivals.so), which ends the run at the first difference, at a short and a long
period with jitter. --few: some of them, at the short one. Prints samples and triggers by unit, over all runs. With the standard programs every unit must have met what is
to be compared: samples, further triggers of one sample, tags that were squashed or found in use. Last line: 'N passed, M failed'.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PERIODS = [17, 211]
DIRECTED = [
    "build/tests/events/fl_mo",
    "build/tests/events/fl_ex",
    "build/tests/isa/interrupts",
    "build/workloads/chase.small",
    "build/workloads/interp.small",
    "build/workloads/membw.small",
    "build/workloads/vm_paging.small",
]
RANDOM = [
    "build/tests/fuzz/seed-3",
    "build/tests/fuzz/seed-4",
    "build/tests/fuzz/vm-1",
    "build/tests/fuzz/vm-2",
    "build/tests/fuzz/fpvm-1",
    "build/tests/fuzz/pmuvm-1",
]
FEW = ("fl_mo", "interrupts", "chase", "interp", "vm_paging", "seed-4", "vm-1", "fpvm-1")
TAGGING = ("Dispatch", "IBS", "SPE", "Fetch", "RIS")


def run(config, program, period, stats):
    command = [
        ROOT / "build/bin/tipoff",
        "run",
        "--config",
        config,
        "--no-cosim",
        "--quiet",
        "--period",
        str(period),
        "--jitter",
        "--seed",
        "3",
        "--worker",
        "rivals",
        "--stats",
        stats,
        program,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace", timeout=1200)
    try:
        return done.returncode, json.loads(stats.read_text(encoding="utf-8")), done.stderr.strip().split("\n")[0]
    except (OSError, ValueError):
        return done.returncode, {}, done.stderr.strip().split("\n")[0]


def programs(config):
    floating = json.loads((ROOT / f"build/{config}/gen/config.json").read_text(encoding="utf-8"))["core.fp"]
    return [ROOT / f"{name}.elf" for name in DIRECTED + RANDOM if floating or "/fp" not in name]


def main():
    config, few = sys.argv[1], sys.argv[2:] == ["--few"]
    named = [pathlib.Path(name).resolve() for name in sys.argv[2:] if not few]
    passed = failed = runs = triggers = 0
    totals = {}
    with tempfile.TemporaryDirectory() as folder:
        for program in named or [path for path in programs(config) if not few or path.stem.split(".")[0] in FEW]:
            for period in PERIODS[: 1 if few else None]:
                stats = pathlib.Path(folder) / f"{program.stem}-{period}.json"
                status, found, line = run(config, program, period, stats)
                units = found.get("rival_units")
                if units is None or "rivals:" in line:
                    failed += 1
                    print(f"FAIL  {program.name}, period {period}: status {status}: {line}")
                    continue
                passed, runs, triggers = passed + 1, runs + 1, triggers + found["triggers"]
                for name, counts in units.items():
                    total = totals.setdefault(name, {"samples": 0, "triggers": 0})
                    total["samples"] += counts["samples"]
                    total["triggers"] += counts["triggers"]
    print(f"{runs} runs, {triggers} triggers")
    for name, total in totals.items():
        print(f"  {name:10} {total['samples']:8} samples for {total['triggers']:8} triggers")
        further = total["triggers"] - total["samples"]
        met = named or total["samples"] > 10000 and (name == "LCI" or further > (5000 if name in TAGGING else 500)) and triggers - total["triggers"] < 20 * runs
        passed, failed = passed + bool(met), failed + (not met)
        if not met:
            print(f"FAIL  {name}: too little of what is to be compared, or triggers that nobody was given")
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
