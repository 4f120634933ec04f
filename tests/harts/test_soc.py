#!/usr/bin/env python3
"""Two harts as two models in lockstep, and as one model of both tiles, their links and the hub (rtl/soc/soc.sv): the same cycles.

    tests/harts/test_soc.py [--only TEXT]

What leaves each hart (instruction, what it writes, trap) is compared in every cycle up to the program's end (tests/harts/soc). Needs
build/small2c/soc-bench, the command and its model.
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, check, main, test  # noqa: E402
from programs import built  # noqa: E402

HERE = ROOT / "tests/harts"
BENCH = ROOT / "build/small2c/soc-bench"
# The least that each is to have compared, of both harts.
PROGRAMS = {"shared.c": 3000, "progress.c": 6000, "prefetch.c": 5000, "stale.c": 40000, "evicted.S": 10000, "peeked.S": 40000}


def bench(*options):
    done = subprocess.run([BENCH, *map(str, options)], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


@test
def same_cycles(folder):
    for name, least in PROGRAMS.items():
        start = [HERE / "start.S"] if name.endswith(".c") else []
        program = built(folder, "-DHARTS=2", "-DTOTAL=60", *start, HERE / name)
        status, out, err = bench(program)
        same = [int(count) for count in re.findall(r"^hart [01]: (\d+) instructions and traps in the same cycles$", out, re.M)]
        check(status == 0 and len(same) == 2 and sum(same) >= least, f"{name}: status {status}: {out}{err}")


@test
def differences(folder):
    """A memory of another latency on one side alone: the bench says where."""
    program = built(folder, "-DHARTS=2", HERE / "start.S", HERE / "prefetch.c")
    status, out, err = bench("--set", "llc.latency=21", program)
    check(status == 3 and "hart 0 differs after" in out and "hart 1 differs after" in out, f"status {status}: {out}{err}")


if __name__ == "__main__":
    sys.exit(main())
