#!/usr/bin/env python3
"""What a report says of its own accuracy comes true: the error that it expects by chance is TIP's error against the Oracle, on average over seeds.

    tests/profile/test_confidence.py CONFIG

Two programs, eight seeds of the jitter each. By instruction and by basic block the mean error (`tipoff compare`) is within a quarter of the mean
that `tipoff report` foretells from the samples alone. And the period that it asks for gives what it promises.
"""
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
SEEDS, PERIOD = 8, 97


def tipoff(*words):
    return subprocess.run([TIPOFF, *map(str, words)], check=True, capture_output=True, text=True, cwd=ROOT).stdout


def run(config, program, seed, period, path):
    jitter = max(0, period.bit_length() - 2)
    tipoff(
        "run",
        "--config",
        config,
        "--quiet",
        "--period",
        period,
        f"--jitter={jitter}",
        "--seed",
        seed,
        "--samples",
        path,
        ROOT / f"build/workloads/{program}.small.elf",
    )


def error(path, granularity):
    rows = csv.DictReader(io.StringIO(tipoff("compare", "--format", "csv", path)))
    return next(float(row["error"]) for row in rows if (row["profiler"], row["granularity"], row["components"]) == ("TIP", granularity, "time"))


def main():
    config, faults = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.tips"
        for program in "interp", "hash":
            sums = {granularity: [0.0, 0.0] for granularity in ("instruction", "block")}
            asked = 0.0
            for seed in range(1, SEEDS + 1):
                run(config, program, seed, PERIOD, path)
                for granularity, both in sums.items():
                    both[0] += json.loads(tipoff("report", "--format", "json", "--granularity", granularity, path))["by_chance"] / SEEDS
                    both[1] += error(path, granularity) / SEEDS
                text = tipoff("report", path)
                wanted = re.search(r"too few samples to compare instructions: --period (\d+), .* reduces this error to 5 %", text)
                asked += (int(wanted[1]) if wanted else PERIOD) / SEEDS
            for granularity, (foretold, found) in sums.items():
                print(f"{program} by {granularity}: {100 * foretold:.2f} % foretold, {100 * found:.2f} % found")
                if not 0.75 < found / foretold < 1.25:
                    faults.append(f"{program} by {granularity}: {100 * foretold:.2f} % foretold, {100 * found:.2f} % found")
            found = 0.0
            for seed in range(1, SEEDS + 1):
                run(config, program, seed, round(asked), path)
                found += error(path, "instruction") / SEEDS
            print(f"{program} every {asked:.0f} cycles: {100 * found:.2f} % at another instruction, 5 % were promised")
            if found > 0.065:
                faults.append(f"{program}: a period of {asked:.0f} was to give 5 %, and gives {100 * found:.2f} %")
    for fault in faults:
        print(f"FAILED: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
