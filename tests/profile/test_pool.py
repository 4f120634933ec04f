#!/usr/bin/env python3
"""Pooled profiles (`tipoff report --pool`, csrc/analysis/pool.h), made again here from the single samples; and what they are for: less error than the samples have.

    tests/profile/test_pool.py CONFIG

Three programs. Each row of `--pool blocks` and `--pool counts` is the one that follows from `tipoff samples`, from the blocks of `report --granularity block`, and from the commits in a trace of every cycle.
As much time in each state as the samples have. `compare --pool` has the error of these rows; on each program it is less than that of the samples, and with exact counts less than chance's by a fifth.
"""
import collections
import csv
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
sys.path.insert(0, str(ROOT / "python"))
sys.path.append("/usr/lib/python3/dist-packages")  # where zstandard is, for another Python than Debian's own
from tipoff import samples as tipoff_samples  # noqa: E402

PROGRAMS = ("interp.small", "sort.small", "hash.small")
PERIOD, JITTER = 37, 2


def tipoff(*words):
    return kept.run([TIPOFF, *map(str, words)], check=True, capture_output=True, text=True, cwd=ROOT).stdout


def check(condition, message):
    if not condition:
        sys.exit(f"FAIL {message}")


def rows(text):
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def executed(path):
    """Commits by address, from a trace."""
    found = collections.Counter()
    with open(path, encoding="utf-8") as trace:
        reader = csv.reader(trace)
        head = next(reader)
        lanes = [(head.index(name), head.index(f"pc{name[6:]}")) for name in head if re.fullmatch(r"commit\d", name)]
        for row in reader:
            for commit, pc in lanes:
                if row[commit] == "1":
                    found[int(row[pc], 16)] += 1
    return found


class Samples:
    """Time by state and address, sampled commits, and half a sample, in cycles."""

    def __init__(self, path):
        self.time, self.commits, self.all, triggers = collections.Counter(), collections.Counter(), 0, 0
        for one in tipoff_samples.Samples(path).samples:
            lanes = [lane.address for lane in one.lanes]
            self.all += one.cycles
            triggers += 1 + one.repeats + one.stalled
            for pc in lanes:
                self.time[one.state, pc] += (one.cycles - one.stalled_cycles) / len(lanes)
                if one.state == "Computing":
                    self.commits[pc] += one.cycles
            if not lanes:
                self.time[one.state, None] += one.cycles - one.stalled_cycles
            if one.stalled_cycles:
                self.time["Stalled", lanes[0] if lanes else None] += one.stalled_cycles
        self.half = self.all / triggers / 2


def pooled(s, executions):
    """Time in Computing by address: by the formula of pool.h."""
    sampled = sum(time for (state, _), time in s.time.items() if state == "Computing")
    usual = sampled / sum(s.commits.values())
    found = {pc: many * (s.time["Computing", pc] + s.half * usual) / (s.commits[pc] + s.half) for pc, many in executions.items() if many}
    return {pc: time * sampled / sum(found.values()) for pc, time in found.items()}


def by_block(s, blocks):
    """The mean of the sampled commits of its instructions, for each instruction of a sampled block."""
    found = {}
    for start, pcs in blocks.items():
        commits = sum(s.commits[pc] for pc in pcs)
        found |= {pc: commits / len(pcs) for pc in pcs if commits}
    return found


def compare_rows(program, kind, report, expected, s, units):
    got, states = collections.Counter(), collections.Counter()
    for row in report:
        states[row["state"]] += float(row["cycles"])
        if row["state"] == "Computing":
            got[int(row["unit"], 16)] += float(row["cycles"])
    for state in ("Computing", "Stalled", "Flushed", "Drained"):
        time = sum(time for (which, _), time in s.time.items() if which == state)
        check(abs(states[state] - time) < 0.01, f"{program}: --pool {kind}: {states[state]} cycles {state}, {time} sampled")
    for pc in got.keys() | expected.keys():
        check(
            abs(got[pc] - expected.get(pc, 0)) <= 2 / units, f"{program}: --pool {kind}: {pc:#x} has {got[pc]:.3f} cycles, {expected.get(pc, 0):.3f} expected"
        )
    return len(expected)


def one(config, program, folder):
    tips, trace = folder / "x.tips", folder / "x.csv"
    tipoff(
        "run",
        "--config",
        config,
        "--quiet",
        "--period",
        PERIOD,
        f"--jitter={JITTER}",
        "--samples",
        tips,
        "--trace",
        trace,
        "--trace-format",
        "csv",
        ROOT / f"build/workloads/{program}.elf",
    )
    s, commits = Samples(tips), executed(trace)
    listed = sorted({int(row["unit"], 16) for row in rows(tipoff("report", "--format", "csv", "--granularity", "block", "--pool", "counts", tips))})
    blocks = collections.defaultdict(list)
    for pc in sorted(commits):
        starts = [start for start in listed if start <= pc]
        blocks[starts[-1] if starts else None].append(pc)
    errors = {
        row["profiler"]: row
        for row in rows(tipoff("compare", "--format", "csv", "--pool", "blocks", "--pool", "counts", tips))
        if row["granularity"] == "instruction" and row["components"] == "time"
    }
    many = {}
    for kind, executions in (("blocks", by_block(s, blocks)), ("counts", commits)):
        report = tipoff("report", "--format", "csv", "--comments", "--pool", kind, tips)
        units = int(re.search(r"U=(\d+)", report).group(1))
        many[kind] = compare_rows(program, kind, rows(report), pooled(s, executions), s, units)
    error = {name: float(errors[name]["error"]) for name in ("TIP", "TIP (blocks)", "TIP (counts)")}
    chance = float(errors["TIP"]["chance"])
    check(error["TIP (blocks)"] < error["TIP"] and error["TIP (counts)"] < error["TIP"], f"{program}: {error}")
    check(error["TIP (counts)"] < 0.8 * chance, f"{program}: {error}, chance {chance}")
    print(
        f"{program}: {many['blocks']} and {many['counts']} instructions; "
        + ", ".join(f"{name} {100 * value:.2f} %" for name, value in error.items())
        + f", chance {100 * chance:.2f} %"
    )


def main():
    with tempfile.TemporaryDirectory(prefix="pool-") as name:
        for program in PROGRAMS:
            one(sys.argv[1], program, pathlib.Path(name))


if __name__ == "__main__":
    main()
