#!/usr/bin/env python3
"""Call stacks of processes that fork under Linux: each goes on with its parent's, as the program's source has it.

    tests/linux/test_forks.py CONFIG

Needs what test_core.py needs. tests/linux/forks.c divides in one function a process; which calls lead there, its source says. Two children are
forked by one instruction with one stack pointer, but by two calls, before either runs: their registers distinguish them.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
BELOW = ("_start", "__libc_start_main", "__libc_start_call_main", "main")
WANT = {
    "in_child": ("fork_and", "nested"),
    "in_grandchild": ("fork_and", "nested", "fork_and"),
    "in_vfork": ("with_vfork",),
    "in_parent": ("with_vfork",),
    "first_of_two": ("first", "fork_only"),
    "second_of_two": ("second", "fork_only"),
}
FORKS = 5


def tipoff(*arguments, status=0):
    done = subprocess.run([TIPOFF, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1200, check=False)
    if done.returncode != status:
        sys.exit(f"tipoff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def check(config, folder):
    faults = []
    program, samples, stats = folder / "forks", folder / "x.tips", folder / "stats.json"
    subprocess.run(["riscv64-linux-gnu-gcc", "-O2", "-static", "-o", program, ROOT / "tests/linux/forks.c"], check=True)
    tipoff("linux", "--config", config, "--quiet", "--period", 499, "--jitter", "--samples", samples, "--stats", stats, "--", program, status=7)
    found = collections.defaultdict(collections.Counter)
    for line in tipoff("report", "--profiler", "Oracle", "--format", "folded", samples).splitlines():
        stack, _, weight = line.rpartition(" ")
        frames = [(re.match(r"\S+", frame)[0], "[kernel]" in frame) for frame in stack.split(";")]
        if not frames[-1][1]:
            found[frames[-1][0]][tuple(name for name, _ in frames[:-1])] += int(weight)
    for leaf, calls in WANT.items():
        if set(found[leaf]) != {(*BELOW, *calls)}:
            faults.append(f"{leaf}: called by {dict(found[leaf])}")
    counts = json.loads(stats.read_text(encoding="utf-8"))["call_stacks"]
    if counts["forks"] != FORKS or counts["lost"]:
        faults.append(f"{counts}: {FORKS} processes were forked")
    return faults, f"{counts['forks']} processes went on from the stack of the call that began them, {counts['roots']} stacks began"


def main():
    with tempfile.TemporaryDirectory() as name:
        faults, said = check(sys.argv[1], pathlib.Path(name))
    print("\n".join(faults or [said]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
