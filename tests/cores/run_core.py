#!/usr/bin/env python3
"""Whole programs in lockstep on a core that is not measured, but is built to be different: another width, other sizes.

    tests/cores/run_core.py CONFIG PART...

PART: isa (all of tests/isa), workloads (the small ones; without core.fp those that need no floating point), some (four of them), or a kind of
random program (tests/fuzz/run_seeds.py), seeds 1 to 15. Last line: 'N passed, M failed'.
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FP_WORKLOADS = {"nbody", "dgemm", "fft", "mandelbrot", "lbm", "meanshift", "molecular"}  # tests/workloads/workloads.mk
FP_SUPERVISOR = "vm_"  # the supervisor saves the f registers of its processes
SOME = {"chase", "interp", "syscalls", "vm_procs"}  # misses, branches, traps, processes
FP_KINDS = {"fp", "fpvm", "float"}
SEEDS = 15
MAX_CYCLES = 20000000
HANG_GUARD = 600  # seconds


def programs(part, has_fp):
    """Of the parts that are not random."""
    if part == "isa":
        return sorted(ROOT.glob("build/tests/isa/*.elf"))
    return [
        path
        for path in sorted(ROOT.glob("build/workloads/*.small.elf"))
        if (part == "workloads" or path.name.split(".")[0] in SOME)
        and (has_fp or not (path.name.split(".")[0] in FP_WORKLOADS or path.name.startswith(FP_SUPERVISOR)))
    ]


def run(config, part, has_fp):
    """(passed, failed)"""
    if part not in ("isa", "some", "workloads"):
        if part in FP_KINDS and not has_fp:
            raise SystemExit(f"run_core.py: {config} has no floating point: leave {part} out")
        done = subprocess.run(
            [ROOT / "tests/fuzz/run_seeds.py", config, "1", str(SEEDS), part], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        print(done.stdout, end="")
        passed, _, failed, _ = done.stdout.splitlines()[-1].split()
        return int(passed), int(failed)
    found, failed = programs(part, has_fp), 0
    if not found:
        raise SystemExit(f"run_core.py: no programs of {part}: make build, and the ISA tests")
    for path in found:
        command = f"build/bin/tipoff run --config {config} --quiet --max-cycles {MAX_CYCLES} --period 97 --jitter {path.relative_to(ROOT)}"
        if part == "isa":  # they look at the counters that samples are taken by
            command = command.replace(" --period 97 --jitter", "")
        done = subprocess.run(["timeout", str(HANG_GUARD), *command.split()], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            failed += 1
            print(f"FAIL {path.name} on {config}: status {done.returncode}\n{done.stdout.decode(errors='replace')[-2000:]}\n  rerun: {command}")
    return len(found) - failed, failed


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    config = sys.argv[1]
    has_fp = json.loads((ROOT / f"build/{config}/gen/config.json").read_text(encoding="utf-8"))["core.fp"]
    counts = [run(config, part, has_fp) for part in sys.argv[2:]]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
