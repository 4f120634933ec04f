#!/usr/bin/env python3
"""Two processes at one virtual address are distinguished by everything that books time.

    tests/profile/test_spaces.py CONFIG

tests/profile/spaces.c: process 1 divides three times as often as process 0, at the same virtual address, each in turns. So the instruction
must have two rows, and one has three times the other's time (a division's length depends on its operands, which are the same), in the
Oracle's profile and in every profiler's; and what the rows of one address space add up to is what the summary by mode and process says.
"""
import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
PROGRAM = "build/tests/spaces.elf"
MORE = 3
NEAR = {"Oracle": 0.01, "TIP": 0.1, "TEA": 0.1, "NCI": 0.1}  # of that ratio; sampled ones by chance


def tipoff(*arguments):
    done = kept.run([TIPOFF, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"tipoff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def rows(text):
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def main():
    config, faults = sys.argv[1], []
    subprocess.run(["make", "-s", PROGRAM], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as name:
        samples, profile = pathlib.Path(name, "x.tips"), pathlib.Path(name, "x.csv")
        tipoff("run", "--config", config, "--quiet", "--period", 97, "--jitter", "--samples", samples, "--profile", profile, PROGRAM)
        for profiler, near in NEAR.items():
            time = collections.Counter()
            for row in rows(tipoff("report", "--format", "csv", "--profiler", profiler, samples)):
                if row["instruction"].startswith("divu") and row["name"].startswith("work"):
                    time[row["space"], row["mode"]] += float(row["cycles"])
            shares = sorted(time.values())
            if len(shares) != 2 or {mode for _, mode in time} != {"user"} or abs(shares[1] / shares[0] / MORE - 1) > near:
                faults.append(f"{profiler}: the division's time by address space: {time}")
        exact = collections.Counter()
        for row in rows(profile.read_text()):
            if row["pc"] != "end of run":
                exact[row["mode"], row["space"]] += int(row["weight"])
        report = json.loads(tipoff("report", "--format", "json", "--profiler", "Oracle", samples))
        said = {(c["mode"][0].upper(), c["space"]): c["weight"] for c in report["contexts"] if "mode" in c}
        if said != dict(exact) or len([1 for mode, _ in said if mode == "U"]) != 2:
            faults.append(f"by mode and process {said}, the profile has {exact}")
        applications = {row["space"] for row in rows(tipoff("report", "--format", "csv", "--granularity", "application", "--profiler", "Oracle", samples))}
        if len(applications) < 3:
            faults.append(f"applications: {applications}")
    print("\n".join(faults) or f"{len(said)} contexts, {max(said.values())} the most time of one")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
