#!/usr/bin/env python3
"""Random programs of these seeds, on a core model in lockstep with the ISS, sampled at short periods.

    tests/fuzz/run_seeds.py CONFIG FIRST LAST [KIND]

KIND: seed (the default), fp, float, vm, fpvm, pmu, pmuvm, ctr, ctrvm, trigger, harts or qemu-devices (tests/fuzz/fuzz.mk). The seed also gives the period of
the samples and their jitter, and what registers and memories hold when the core powers up. The console receives a text. Of harts it gives the number;
their cores count all events of coherence, which lockstep compares.
CONFIG iss: the ISS alone.

Prints what the run of a failing seed said and the command that repeats it. Last line: 'N passed, M failed'.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MAX_CYCLES = 5000000  # a program of these takes some ten thousand
HANG_GUARD = 120  # seconds
CONSOLE = "tests/fuzz/fuzz.py"  # any text
EVENTS = "tables/pmu_events.tsv"


def options(seed):
    """Of `tipoff run` for that program."""
    return f"--period {16 + seed % 50} --jitter --seed {seed} --input {CONSOLE}"


def command_of(config, kind, seed, program):
    harts = f"--harts {2 + seed % 3} " if kind == "harts" else ""  # as harts_fuzz.py has it
    if harts and config != "iss":
        rows = [line.split("\t") for line in (ROOT / EVENTS).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        harts += f"--count {','.join(row[1] for row in rows if row[2] == 'harts.coherent')} "
    if config == "iss":
        return f"build/bin/tipoff iss --max-insns {MAX_CYCLES} {harts}{program}"
    return f"build/bin/tipoff run --config {config} --quiet --max-cycles {MAX_CYCLES} {options(seed)} {harts}{program}"


def run(config, kind, seed):
    program = f"build/tests/fuzz/{kind}-{seed}.elf"
    command = command_of(config, kind, seed, program)
    done = subprocess.run(["timeout", str(HANG_GUARD), *command.split()], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode == 0:
        return True
    print(f"FAIL {kind} {seed} on {config}: status {done.returncode}\n{done.stdout.decode(errors='replace')}")
    print(f"  rerun: make -s {program} && {command}")
    return False


def main():
    if len(sys.argv) not in (4, 5) or int(sys.argv[2]) > int(sys.argv[3]):
        raise SystemExit(__doc__)
    config, seeds = sys.argv[1], range(int(sys.argv[2]), int(sys.argv[3]) + 1)
    kind = sys.argv[4] if len(sys.argv) == 5 else "seed"
    missing = [path for path in (f"build/tests/fuzz/{kind}-{seed}.elf" for seed in seeds) if not (ROOT / path).exists()]
    if missing:
        subprocess.run(["make", "-s", *missing], cwd=ROOT, check=True)
    passed = sum(run(config, kind, seed) for seed in seeds)
    print(f"{passed} passed, {len(seeds) - passed} failed")
    return 0 if passed == len(seeds) else 1


if __name__ == "__main__":
    sys.exit(main())
