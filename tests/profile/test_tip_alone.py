#!/usr/bin/python3
"""TIP alone (configuration tip2) is small2 without vectors: the same cycles, the same time of each instruction, no event.

    tests/profile/test_tip_alone.py PROGRAM

Both runs have lockstep, Oracle and the cross-check of every sample. The two are triggered in the same cycles and lose no trigger:
what TEA counts as one more of the instruction that it waits for, TIP takes as a sample of its own. So they must name the same
instructions, in the same states, for the same time.
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts"), str(ROOT / "python")]
from suite import kept  # noqa: E402
from tipoff import Samples  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
PERIOD = 4999


def tipoff(*arguments):
    done = kept.run([TIPOFF, *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False, cwd=ROOT)
    if done.returncode:
        sys.exit(f"tipoff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def observe(config, program):
    """Cycles, time by profiler, instruction and state, and the vectors that occur."""
    samples, stats = (ROOT / f"build/tests/tip-alone-{program}-{config}.{kind}" for kind in ("tips", "json"))
    tipoff("run", "--config", config, "--quiet", "--period", PERIOD, "--samples", samples, "--stats", stats, f"build/workloads/{program}.small.elf")
    time, vectors, profiles = {}, set(), Samples(samples).profiles
    for profiler in ("TIP", "Oracle"):
        for row in profiles[profiler]:
            vectors.add(row.events)
            key = (profiler, row.address, row.state)
            time[key] = time.get(key, 0) + row.weight
    return json.loads(stats.read_text())["cycles"], {key: weight for key, weight in time.items() if weight}, vectors


def main():
    program = sys.argv[1]
    cycles, time, vectors = observe("tip2", program)
    with_cycles, with_time, with_vectors = observe("small2", program)
    differ = {key: (time.get(key), with_time.get(key)) for key in time.keys() | with_time.keys() if time.get(key) != with_time.get(key)}
    print(f"{program}: {cycles} and {with_cycles} cycles, {len(time)} rows, {len(differ)} differ, vectors {sorted(vectors)} and {len(with_vectors)} kinds")
    for key, pair in sorted(differ.items())[:10]:
        print("  differs:", *key, *pair)
    return not (cycles == with_cycles and not differ and vectors == {()} and len(with_vectors) > 1)


if __name__ == "__main__":
    sys.exit(main())
