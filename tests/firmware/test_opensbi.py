#!/usr/bin/env python3
"""OpenSBI finds the same counters whether or not the harness samples, and runs the same to the cycle.

    tests/firmware/test_opensbi.py CONFIG sampled|both

Debian's fw_jump boots to S-mode, where a payload (tests/firmware/payload.S) asks it how many counters there are: numbers 0 to 2
(cycle, the place of time, instret), all programmable ones of the configuration, and 16 of the firmware's own (SBI
specification, PMU extension: firmware counters; OpenSBI 1.1, SBI_PMU_FW_CTR_MAX). The run with --period must print the same, end with the same number, and take
the same cycles and instructions: `both`. `sampled`: that run alone.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BESIDE = 3 + 16  # fixed places and the firmware's own
PROGRAM = "build/tests/firmware/opensbi.elf"


def boot(config, *options):
    stats = ROOT / f"build/tests/firmware/{config}.json"
    command = [str(ROOT / "build/bin/tipoff"), "run", "--config", config, "--quiet", "--max-cycles", "60000000", "--stats", str(stats), *options, PROGRAM]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=1200)
    statistics = json.loads(stats.read_text(encoding="utf-8")) if stats.exists() else {}
    return done, statistics


def main():
    config, runs = sys.argv[1:]
    keys = json.loads((ROOT / f"build/{config}/gen/config.json").read_text(encoding="utf-8"))
    sampled, sampling = boot(config, "--period", "997", "--jitter")
    plain, plainly = boot(config) if runs == "both" else (sampled, sampling)
    found = re.search(r"MHPM Count\s*: (\d+)", plain.stdout)
    faults = [] if sampling.get("samples") else [f"no samples: status {sampled.returncode}"]
    if plain.stderr or sampled.stderr:
        faults.append(f"said: {plain.stderr}{sampled.stderr}")
    if not found or int(found[1]) != keys["profile.counters"]:
        faults.append(f"the banner names {found and found[1]} counters, the configuration has {keys['profile.counters']}:\n{plain.stdout}")
    if plain.returncode != BESIDE + keys["profile.counters"]:
        faults.append(f"the payload was shown {plain.returncode} counters, {BESIDE + keys['profile.counters']} exist")
    if sampled.stdout != plain.stdout or sampled.returncode != plain.returncode:
        faults.append(f"with --period: status {sampled.returncode} and other output:\n{sampled.stdout}")
    for key in ("cycles", "instructions"):
        if sampling.get(key) != plainly.get(key):
            faults.append(f"{key}: {plainly.get(key)}, with --period {sampling.get(key)}")
    print(
        "\n".join(faults) or f"{plainly['instructions']} instructions, {plainly['cycles']} cycles, {sampling['samples']} samples, {plain.returncode} counters"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
