#!/usr/bin/env python3
"""`tipoff report --format perf-data`, read by Debian's perf: totals by event, symbol and process are those of the CSV; call chains; a profile without
times; several harts are one file each.

perf ends with 0 where it has read nothing: only its totals say something.
"""
import collections
import os
import re
import subprocess
import sys

from exports import ROOT, by, check, exported, functions, main, near, sampled, table, test

LINE = re.compile(r" *(\S.*?) +(\d+)/(\d+) +\[(\d+)\] +(\d+)\.(\d+): +(\d+) +(tipoff:\w+): +([0-9a-f]+) +(.+) \((.+)\)$")


def perf(*arguments):
    run = subprocess.run(["perf", *map(str, arguments)], capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C", "PAGER": "cat"})
    check(run.returncode == 0, f"perf {arguments}: {run.stderr}")
    return run.stdout


def events(path):
    """(comm, pid, hart, nanoseconds, period, event, address, symbol) of each sample, as perf script has it."""
    out = perf("script", "-i", path, "--ns", "-G", "-F", "comm,pid,tid,cpu,time,period,event,ip,sym,dso")
    for line in out.splitlines():
        match = LINE.fullmatch(line)
        check(match, line)
        yield match[1], int(match[2]), int(match[4]), int(match[5]) * 10**9 + int(match[6]), int(match[7]), match[8], int(match[9], 16), match[10]


@test
def test_totals(folder):
    path = sampled(folder)
    _, rows = table(path)
    data = exported("perf-data", path)
    found = list(events(data))
    total = sum(float(row["cycles"]) for row in rows)
    check(sum(event[4] for event in found) == total, f"all cycles: {sum(event[4] for event in found)}, {total}")
    states, names, addresses = collections.Counter(), collections.Counter(), collections.Counter()
    for _, _, _, _, period, event, address, symbol in found:
        states[event] += period
        names[symbol] += period
        addresses[address] += period
    for state, cycles in by(path, "state").items():
        near(states["tipoff:" + state.lower()], cycles, 1 + len(found) / 2, state)
    wanted = {row["unit"]: 0 for row in rows}
    for row in rows:
        wanted[row["unit"]] += float(row["cycles"])
    for unit, cycles in wanted.items():
        near(addresses[int(unit, 16)], cycles, 1 + cycles / 50, unit)
    own = {name: cycles for name, (_, cycles) in functions(path).items()}
    named = {name: cycles for name, cycles in own.items() if name in names and cycles > total / 50}
    check(len(named) > 1, f"{own} {names}")
    for name, cycles in named.items():
        near(names[name], cycles, 1 + cycles / 50, name)
    times = [event[3] for event in found]
    check(times == sorted(times) and times[-1] > 10000, "in the order of time")


@test
def test_report(folder):
    """perf report's own sums, and the callers of a function."""
    path = sampled(folder)
    data = exported("perf-data", path)
    out = perf("report", "-i", data, "--stdio", "-g", "none", "--no-children", "--sort", "sym", "-F", "period,sym")
    found = sum(int(number) for number in re.findall(r"^ +(\d+) +\[\.\] ", out, re.M))
    _, rows = table(path)
    check(found == int(sum(float(row["cycles"]) for row in rows)), f"{found}: {out}")
    chains = perf("script", "-i", data, "-F", "ip,sym")
    check(re.search(r"[0-9a-f]+ main\n\s+[0-9a-f]+ _start", chains), "no chain from _start to main")


@test
def test_profile(folder):
    """Rows of a profile without times are a sample each."""
    path = sampled(folder)
    data = exported("perf-data", path, "--profiler", "Oracle")
    _, rows = table(path, "--profiler", "Oracle")
    found = list(events(data))
    check(sum(event[4] for event in found) == sum(float(row["cycles"]) for row in rows), "all cycles")
    check({event[3] for event in found} == {0}, "no times")


@test
def test_program_that_is_gone(folder):
    """Addresses alone: perf's sums are the same."""
    program = folder / "gone.elf"
    program.write_bytes((ROOT / "build/workloads/compress.small.elf").read_bytes())
    path = sampled(folder, program=program)
    _, rows = table(path)
    program.unlink()
    output = path.with_suffix(".perf")
    run = subprocess.run([ROOT / "build/bin/tipoff", "report", "--format", "perf-data", "-o", output, path], capture_output=True, text=True, check=True)
    check("addresses only" in run.stderr, run.stderr)
    check(sum(event[4] for event in events(output)) == sum(float(row["cycles"]) for row in rows), "all cycles")


if __name__ == "__main__":
    sys.exit(main())
