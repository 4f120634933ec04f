#!/usr/bin/env python3
"""What registers hold when the core is reset, which --seed draws, has no say in what it does: cycles, events and samples are the same.

    tests/profile/test_reset_state.py CONFIG PROGRAM.elf...

Last line: 'N passed, M failed'.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"
SEEDS = (1, 2, 3)
OF_THE_RUN = ("settings", "wall_seconds", "khz")  # of the statistics: the seed, and how fast it was


def told(config, program, seed, folder):
    """(statistics, samples as text) of a run."""
    stats, tips = folder / "stats.json", folder / "run.tips"
    done = subprocess.run(
        [
            TIPOFF,
            "run",
            "--config",
            config,
            "--quiet",
            "--no-oracle",
            "--period",
            "97",
            "--jitter=none",
            "--seed",
            str(seed),
            "--stats",
            stats,
            "--samples",
            tips,
            program,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return None, done.stderr
    found = json.loads(stats.read_text(encoding="utf-8"))
    samples = subprocess.run([TIPOFF, "samples", tips], capture_output=True, text=True, check=True).stdout
    return {key: value for key, value in found.items() if key not in OF_THE_RUN}, samples


def main():
    config, *programs = sys.argv[1:]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for program in programs:
            first, samples = told(config, program, SEEDS[0], pathlib.Path(name))
            good = first is not None and len(samples.splitlines()) > 100
            differs = "" if good else samples[-300:]
            for seed in SEEDS[1:]:
                other, others = told(config, program, seed, pathlib.Path(name))
                keys = [key for key in first or {} if other is None or other.get(key) != first[key]]
                if good and (keys or others != samples):
                    good = False
                    differs = f"seed {seed}: {', '.join(f'{k} {first[k]} and {(other or {}).get(k)}' for k in keys)[:200]} {'other samples' if others != samples else ''}"
            failed += not good
            print(
                f"{'PASS' if good else 'FAIL'}  {pathlib.Path(program).stem}: {differs or f'{len(SEEDS)} seeds, {len(samples.splitlines()) - 1} samples'}",
                flush=True,
            )
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
