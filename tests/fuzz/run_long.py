#!/usr/bin/env python3
"""Random programs by the ten thousand, on core models in lockstep with the ISS: what `make test` has no time for.

    tests/fuzz/run_long.py [--instructions N] [--seeds N] [--first SEED] [--configs small2,tea4,...] [--jobs N]

Goes on until both numbers are reached: committed instructions that lockstep compared, and seeds. Seed after seed takes
the kinds of program (tests/fuzz/fuzz.mk) in turn, and a configuration by the weights below. A failing seed is kept in
build/tests/long/ with what its run said and the command that repeats it; the others are deleted. Ctrl-C ends the run and
reports what was done. The result goes to build/tests/long/result.json. Last line: 'N passed, M failed'.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

from run_seeds import options

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = "build/tests/long"
# Kind of program, and its length that gives some ten thousand instructions.
KINDS = {"seed": 1050, "fp": 1050, "float": 7200, "vm": 210, "fpvm": 210, "pmu": 1050, "pmuvm": 210}
WEIGHTS = {"small2": 6, "tea4": 2, "tip4": 1, "wide8": 1}
MAX_CYCLES = 50000000
HANG_GUARD = 600  # seconds
BATCH = 96  # programs built by one make, which takes its time to begin


def schedule(first, configs):
    """(seed, kind, config), endlessly."""
    kinds, ring = list(KINDS), [c for c in configs for _ in range(WEIGHTS.get(c, 1))]
    seed = first
    while True:
        yield seed, kinds[seed % len(kinds)], ring[seed // len(kinds) % len(ring)]
        seed += 1


def build(jobs):
    for kind, length in KINDS.items():
        targets = [f"{FOLDER}/{kind}-{seed}.elf" for seed, k, _ in jobs if k == kind]
        if targets:
            subprocess.run(["make", "-s", f"FUZZ_DIR={FOLDER}", f"FUZZ_LENGTH={length}", *targets], cwd=ROOT, check=True)


def run(seed, kind, config):
    """(instructions, cycles, text of a failure or None)"""
    program, stats = f"{FOLDER}/{kind}-{seed}.elf", f"{FOLDER}/{kind}-{seed}.json"
    command = f"build/bin/tipoff run --config {config} --quiet --max-cycles {MAX_CYCLES} {options(seed)} {program}"
    done = subprocess.run(
        ["timeout", str(HANG_GUARD), *command.split(), "--stats", stats], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode != 0:
        rerun = f"make -s FUZZ_DIR={FOLDER} FUZZ_LENGTH={KINDS[kind]} {program} && {command}"
        return 0, 0, f"FAIL {kind} {seed} on {config}: status {done.returncode}\n{done.stdout.decode(errors='replace')}\n  rerun: {rerun}"
    found = json.loads((ROOT / stats).read_text(encoding="utf-8"))
    return found["instructions"], found["cycles"], None


def batch(jobs):
    build(jobs)
    results = []
    for seed, kind, config in jobs:
        results.append((config, kind, *run(seed, kind, config)))
        for suffix in ("S", "elf", "json"):
            if results[-1][-1] is None or suffix == "json":
                (ROOT / f"{FOLDER}/{kind}-{seed}.{suffix}").unlink(missing_ok=True)
    return results


class Tally:
    def __init__(self):
        self.by_config, self.by_kind, self.instructions, self.cycles, self.passed, self.failed = {}, {}, 0, 0, 0, 0

    def add(self, config, kind, instructions, cycles, failure):
        for table, key in ((self.by_config, config), (self.by_kind, kind)):
            row = table.setdefault(key, {"seeds": 0, "instructions": 0, "cycles": 0})
            row["seeds"] += 1
            row["instructions"] += instructions
            row["cycles"] += cycles
        self.instructions += instructions
        self.cycles += cycles
        self.passed += failure is None
        self.failed += failure is not None
        if failure:
            print(failure, flush=True)


def go(a, tally):
    jobs = schedule(a.first, a.configs)
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        waiting = {pool.submit(batch, [next(jobs) for _ in range(BATCH)]) for _ in range(a.jobs + 1)}
        try:
            while waiting:
                ended, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in ended:
                    for result in future.result():
                        tally.add(*result)
                print(
                    f"  {tally.passed + tally.failed} seeds, {tally.instructions / 1e6:.1f} M instructions, {tally.failed} failed", file=sys.stderr, flush=True
                )
                while len(waiting) <= a.jobs and (tally.instructions < a.instructions or tally.passed + tally.failed + len(waiting) * BATCH < a.seeds):
                    waiting.add(pool.submit(batch, [next(jobs) for _ in range(BATCH)]))
        except KeyboardInterrupt:
            for future in waiting:
                future.cancel()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instructions", type=float, default=1e8, help="at least that many (default 1e8)")
    parser.add_argument("--seeds", type=int, default=10000, help="at least that many (default 10000)")
    parser.add_argument("--first", type=int, default=1000000, help="first seed (default 1000000: none that make test runs)")
    parser.add_argument("--configs", default=",".join(WEIGHTS), help=f"default {','.join(WEIGHTS)}")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    a = parser.parse_args()
    a.configs = a.configs.split(",")
    missing = [c for c in a.configs if not (ROOT / f"build/{c}/model.so").exists()]
    if missing:
        sys.exit(f"run_long.py: no model of {', '.join(missing)}: make {' '.join(f'build/{c}/model.so' for c in missing)}")
    (ROOT / FOLDER).mkdir(parents=True, exist_ok=True)
    tally, start = Tally(), time.time()
    go(a, tally)
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    result = {
        "commit": commit,
        "first_seed": a.first,
        "seeds": tally.passed + tally.failed,
        "failed": tally.failed,
        "instructions": tally.instructions,
        "cycles": tally.cycles,
        "seconds": round(time.time() - start),
        "by_config": tally.by_config,
        "by_kind": tally.by_kind,
    }
    (ROOT / FOLDER / "result.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed or tally.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
