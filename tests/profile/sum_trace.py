#!/usr/bin/env python3
"""Sum a trace up a second time, and compare it with the Oracle's profile.

    tests/profile/sum_trace.py TRACE.csv PROFILE.csv
    tests/profile/sum_trace.py --run CONFIG PROGRAM.elf     makes both first, sampled beside it

TRACE is `tipoff run --trace TRACE --trace-format csv`, PROFILE is --profile of the same run. Every cycle is given to
instructions by the rules of time-proportional attribution (docs/guide/profiling.md), written here again and in another way
than the Oracle: the Oracle holds time back while the run goes on, this reads the run as a list of cycles and looks up
what came later. All rows (address, state, vector) must agree to the unit. Status: 0 they agree, 1 they do not, 2 bad
usage or files that cannot be read.
"""
import argparse
import csv
import math
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter, namedtuple

END = "end of run"
ROOT = pathlib.Path(__file__).resolve().parents[2]

Lane = namedtuple("Lane", "valid commit pc mispredict flush psv")
Cycle = namedtuple("Cycle", "number empty oldest exception exception_pc lanes dispatched dispatch_pc")


class BadFile(Exception):
    """A file that is not what it should be: text names it."""


def read_trace(path):
    """Yields the cycles of a trace, and checks that none is missing."""
    with open(path, newline="", encoding="ascii") as file:
        rows = csv.DictReader(file)
        columns = rows.fieldnames or []
        width = sum(name.startswith("valid") for name in columns)
        if "rob_empty" not in columns or width == 0:
            raise BadFile(f"{path}: not a trace in CSV: use --trace-format csv")
        lane_fields = [
            [(f"valid{i}", 10), (f"commit{i}", 10), (f"pc{i}", 16), (f"mispredict{i}", 10), (f"flush{i}", 10), (f"psv{i}", 10)] for i in range(width)
        ]
        expected = 0
        for row in rows:
            number = int(row["cycle"])
            if number != expected:
                raise BadFile(f"{path}: cycle {expected} is missing, {number} stands in its place: record it again")
            expected += 1
            lanes = [Lane(*(int(row[name], base) for name, base in fields)) for fields in lane_fields]
            yield width, Cycle(
                number,
                row["rob_empty"] == "1",
                int(row["oldest"]),
                row["exception"] == "1",
                int(row["exception_pc"], 16),
                lanes,
                row["dispatch_valid0"] == "1",
                int(row["dispatch_pc0"], 16),
            )


def spans(cycles):
    """The run as spans: (state, owners, cycles), owners a list of (pc, vector), or None until somebody is known.

    A Stalled or Drained span ends with the instruction that it waited for; the caller gives it the vector of that end.
    """
    left = None  # the instruction that left the ROB last: pc, vector, whether it flushed
    for width, c in cycles:
        committing = [i for i in ((c.oldest + k) % width for k in range(width)) if c.lanes[i].commit]
        if committing:
            owners = [(c.lanes[i].pc, c.lanes[i].psv) for i in committing]
            yield "Computing", owners, c
            youngest = c.lanes[committing[-1]]
            left = (youngest.pc, youngest.psv, bool(youngest.mispredict or youngest.flush))
        elif not c.empty:
            head = c.lanes[c.oldest]
            if c.exception and head.pc != c.exception_pc:
                raise BadFile(f"cycle {c.number}: the exception has pc 0x{c.exception_pc:x}, the head is 0x{head.pc:x}")
            yield "Stalled", [(head.pc, head.psv)], c
            if c.exception:
                left = (head.pc, head.psv, True)
        elif left and left[2]:
            yield "Flushed", [left[:2]], c
        else:
            yield "Drained", None, c


def attribute(cycles, shares):
    """Adds a run up, in 1/U cycle; shares(n) is the part of one of n. Returns ({(pc, state, vector): weight}, cycles)."""
    weights, count = Counter(), 0
    waiting = Counter()  # cycles, by state, whose owner has not left the ROB yet
    last = None  # that owner, as far as it is known: pc, and its vector when it was last seen

    def close(pc, psv):
        nonlocal last
        for state, cycles_waited in waiting.items():
            weights[(pc, state, psv)] += cycles_waited * shares(1)
        waiting.clear()
        last = None

    for state, owners, c in spans(cycles):
        count += 1
        if state == "Computing":
            close(*owners[0])  # the oldest that commits is the one that was waited for
            for pc, psv in owners:
                weights[(pc, state, psv)] += shares(len(owners))
        elif state == "Stalled":
            waiting[state] += 1
            last = owners[0]
            if c.exception:
                close(*last)
        else:
            if waiting["Stalled"]:
                close(*last)  # the head went away without commit or exception: its time stays its own
            if state == "Flushed":
                pc, psv = owners[0]
                weights[(pc, state, psv)] += shares(1)
            else:
                waiting[state] += 1
                last = (c.dispatch_pc, 0) if c.dispatched else None
    close(*(last or (END, 0)))  # what is open belongs to whom it waited for, or to nobody
    return weights, count


def read_profile(path):
    """(U, cycles, {(pc, state, vector): weight}) of a --profile file, over all modes and address spaces."""
    with open(path, newline="", encoding="ascii") as file:
        first = file.readline().split()
        facts = dict(word.split("=", 1) for word in first[1:] if "=" in word)
        if not first or first[0] != "#" or "U" not in facts or "cycles" not in facts:
            raise BadFile(f"{path}: not a profile: its first line is not '# U=... cycles=...'")
        weights, seen = Counter(), set()
        for row in csv.DictReader(file):
            pc = END if row["pc"] == END else int(row["pc"], 16)
            key = (pc, row["state"], int(row["psv"]))
            where = (*key, row.get("mode"), row.get("space"))  # the trace does not have modes and address spaces: they are summed
            if where in seen:
                raise BadFile(f"{path}: two rows of {row['pc']},{row['state']},{row['psv']}")
            seen.add(where)
            weights[key] += int(row["weight"])
    return int(facts["U"]), int(facts["cycles"]), weights


def name(key):
    pc, state, psv = key
    return f"{pc if pc == END else hex(pc)},{state},{psv}"


def compare(trace, profile):
    units, cycles, expected = read_profile(profile)
    width = None

    def watch():
        nonlocal width
        for width, cycle in read_trace(trace):
            yield width, cycle

    def shares(n):
        if units % n:
            raise BadFile(f"{profile}: U = {units} does not divide by {n} committing instructions")
        return units // n

    weights, count = attribute(watch(), shares)
    faults = []
    if width and units != math.lcm(*range(1, width + 1)):
        faults.append(f"U is {units}, not lcm(1..{width}) = {math.lcm(*range(1, width + 1))}")
    if count != cycles:
        faults.append(f"the trace has {count} cycles, the profile {cycles}")
    for what, table in (("trace", weights), ("profile", expected)):
        if sum(table.values()) != count * units:
            faults.append(f"the {what} sums to {sum(table.values())} units, not to {count} cycles x {units}")
    for key in sorted(set(weights) | set(expected), key=str):
        if weights[key] != expected[key]:
            faults.append(f"{name(key)}: {weights[key]} by the trace, {expected[key]} in the profile")
    return faults, count, len(expected)


def record(config, program, folder):
    """Runs the program; returns the paths of its trace and of its profile."""
    trace, profile = f"{folder}/trace.csv", f"{folder}/profile.csv"
    command = [
        str(ROOT / "build/bin/tipoff"),
        "run",
        "--quiet",
        "--config",
        config,
        "--trace",
        trace,
        "--trace-format",
        "csv",
        "--profile",
        profile,
        "--period",
        "97",
        "--jitter",
        "--samples",
        f"{folder}/samples.tips",
        program,
    ]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise BadFile(f"{program}: the run ended with status {done.returncode}: {' '.join(command)}")
    return trace, profile


def report(trace, profile):
    faults, cycles, rows = compare(trace, profile)
    for fault in faults[:20]:
        print(fault)
    if len(faults) > 20:
        print(f"... and {len(faults) - 20} more")
    print(f"{cycles} cycles, {rows} rows: " + (f"{len(faults)} differences" if faults else "agree"))
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", metavar="CONFIG", help="run PROGRAM on this configuration first")
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    if len(arguments.files) != (1 if arguments.run else 2):
        parser.error("name a trace and a profile, or --run and a program")
    try:
        if not arguments.run:
            return report(*arguments.files)
        with tempfile.TemporaryDirectory() as folder:
            return report(*record(arguments.run, arguments.files[0], folder))
    except (BadFile, OSError, ValueError, KeyError) as error:
        print(f"sum_trace: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
