#!/usr/bin/python3
"""Profiles blame the instruction that provokes an event, with that event.

    tests/profile/test_events.py CONFIG NAME

Runs build/tests/events/NAME.elf (tests/profile/events) and looks at the profiles of TEA and of the
Oracle in the sample file. The program's header names the combination of events; only instructions whose label begins with `blame` may
be blamed for it:
  - the combination is a good part of the run's time, which gives something to see;
  - nearly all of its time is on them (start-up code meets events, too: a few cold misses);
  - the instruction with most of that time is one of them, and it is its own largest component, as in `blame` itself.
Where it says "# harts: N", N harts run it, and hart 0's samples are looked at.
Where the header counts executions ("# count: EVENT N"), that many have met the event, and no other: not, say, the
instruction that is fetched again.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts"), str(ROOT / "python")]
from suite import kept  # noqa: E402
from tipoff import Samples  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
PERIOD = 29
OF_RUN = 0.10  # least share of the run under the combination
ON_BLAMED = {"Oracle": 0.95, "TEA": 0.90}  # least share of that on the blamed instructions


def tipoff(*arguments):
    done = kept.run([TIPOFF, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False, cwd=ROOT)
    if done.returncode:
        sys.exit(f"tipoff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def blamed_addresses(program):
    symbols = subprocess.run(["riscv64-unknown-elf-nm", program], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1]: int(line.split()[0], 16) for line in symbols.splitlines() if line.split()[-1].startswith("blame")}


def check(what, rows, combination, blamed, least):
    total = sum(row.weight for row in rows)
    stacks = collections.defaultdict(collections.Counter)  # time by address and events
    for row in rows:
        stacks[row.address][row.events] += row.weight
    of = {address: stack[combination] for address, stack in stacks.items() if combination in stack}
    largest = {address: stack.most_common(1)[0][0] for address, stack in stacks.items()}
    time = sum(of.values())
    if not time:
        return [f"{what}: no time under {'+'.join(combination)}"]
    top, addresses = max(of, key=of.get), set(blamed.values())
    right = sum(weight for address, weight in of.items() if address in addresses)
    print(f"{what}: {100 * time / total:.1f} % of the time is {'+'.join(combination)}, {100 * right / time:.1f} % of that on the blamed, most at {top:#x}")
    faults = []
    if time < OF_RUN * total:
        faults.append(f"{what}: only {100 * time / total:.1f} % of the time is {'+'.join(combination)}: the program does not provoke it")
    if right < least * time:
        others = sorted(((w, hex(a)) for a, w in of.items() if a not in addresses), reverse=True)[:3]
        faults.append(f"{what}: {100 * right / time:.1f} % of it is on the blamed instructions; others: {others}")
    if top not in addresses:
        faults.append(f"{what}: most of it is at {top:#x}, which is not to blame")
    elif largest[top] != combination:
        faults.append(f"{what}: the largest component of {top:#x} is {'+'.join(largest[top]) or 'Base'}")
    if largest.get(blamed.get("blame", top)) != combination:
        faults.append(f"{what}: {'+'.join(combination)} is not the largest component of blame")
    return faults


def main():
    config, name = sys.argv[1:]
    source = (ROOT / "tests/profile/events" / f"{name}.S").read_text(encoding="utf-8")
    combination = re.search(r"^# event: (\S+)$", source, re.M).group(1).split("+")
    program = ROOT / "build/tests/events" / f"{name}.elf"
    samples = ROOT / "build/tests/events" / f"{config}-{name.replace('/', '-')}.tips"
    harts = re.search(r"^# harts: (\d+)$", source, re.M)
    blamed = blamed_addresses(program)
    if not blamed:
        sys.exit(f"{name}: no label begins with blame")
    stats = samples.with_suffix(".json")
    more = ["--harts", harts.group(1)] if harts else []
    tipoff("run", "--config", config, *more, "--period", PERIOD, "--jitter", "--samples", samples, "--stats", stats, "--quiet", program)
    if harts:
        samples, stats = samples.with_suffix(".hart0.tips"), stats.with_suffix(".hart0.json")
    faults = []
    for event, count in re.findall(r"^# count: (\S+) (\d+)$", source, re.M):
        met = json.loads(stats.read_text(encoding="utf-8"))["events"][event]
        print(f"{met} executions met {event}")
        if met != int(count):
            faults.append(f"{met} executions met {event}, not {count}")
    run = Samples(samples)
    combination = tuple(e for e in run.events if e in combination)  # in the order of the table
    for profiler, least in ON_BLAMED.items():
        faults += check(profiler, run.profiles[profiler], combination, blamed, least)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
