#!/usr/bin/env python3
"""What `tipoff compare` says of chance, against drawn samples: cycles drawn at random from a trace of every cycle, booked and held against all cycles here.

    tests/profile/test_chance.py CONFIG

Three programs. The mean error of 60 profiles of as many independent draws as the run has triggers is what `compare` foretells by instruction, within a twentieth (of time) and a tenth
(of cycle stacks); nine of ten profiles lie within two deviations. TIP's error is no more than that; LCI's and Dispatch's are.
"""
import csv
import io
import math
import pathlib
import random
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
sys.path.insert(0, str(ROOT / "python"))
sys.path.append("/usr/lib/python3/dist-packages")  # where zstandard is, for another Python than Debian's own
from tipoff.traces import Trace  # noqa: E402

PROFILES, PERIOD, JITTER = 60, 97, 5


def tipoff(*words):
    return kept.run([TIPOFF, *map(str, words)], check=True, capture_output=True, text=True, cwd=ROOT).stdout


class Owners:
    """Who owns each cycle, by docs/guide/profiling.md: (how many cycles, ((address, vector), ...)); what waits is booked when its vector is complete."""

    def __init__(self):
        self.cycles, self.held, self.last = [], 0, None

    def release(self, who):
        if self.held:
            self.cycles.append((self.held, (who,)))
            self.held = 0

    def step(self, c):
        lanes = [(c.oldest + i) % len(c.pc) for i in range(len(c.pc))]
        group = [lane for lane in lanes if c.commit[lane]]
        if group:
            self.release((c.pc[group[0]], c.psv[group[0]]))
            self.cycles.append((c.count, tuple((c.pc[lane], c.psv[lane]) for lane in group)))
            youngest = group[-1]
            self.last = (c.pc[youngest], c.psv[youngest]) if c.mispredict[youngest] or c.flush[youngest] else None
        elif not c.rob_empty:
            self.held += c.count
            if c.exception:
                self.release((c.exception_pc, c.exception_psv))
                self.last = (c.exception_pc, c.exception_psv)
        elif self.last:
            self.cycles.append((c.count, (self.last,)))
        else:
            self.held += c.count


def owners(path):
    found = Owners()
    for cycle in Trace(path):
        found.step(cycle)
    found.release((-1, 0))
    return found.cycles


def profile(draws, events):
    time = {}
    for count, group in draws:
        for address, vector in group:
            key = (address, vector) if events else address
            time[key] = time.get(key, 0.0) + count / len(group)
    total = sum(time.values())
    return {key: value / total for key, value in time.items()}


def errors(cycles, draws, events, seed):
    rng, truth = random.Random(seed), profile(cycles, events)
    weights = [count for count, _ in cycles]
    found = []
    for _ in range(PROFILES):
        drawn = profile([(1, cycles[i][1]) for i in rng.choices(range(len(cycles)), weights, k=draws)], events)
        found.append(1 - sum(min(value, drawn.get(key, 0)) for key, value in truth.items()))
    return found


def check(condition, message):
    if not condition:
        sys.exit(f"FAIL {message}")


def compared(tips):
    rows = csv.DictReader(io.StringIO(tipoff("compare", "--format", "csv", tips)))
    return {
        (row["profiler"], row["components"]): {key: float(row[key]) for key in ("error", "chance", "chance_deviation")}
        for row in rows
        if row["granularity"] == "instruction"
    }


def one(config, program, folder):
    tips, trace, stats = folder / "x.tips", folder / "x.trace", folder / "x.json"
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
        "--stats",
        stats,
        ROOT / f"build/workloads/{program}.small.elf",
    )
    rows, cycles = compared(tips), owners(trace)
    draws = sum(count for count, _ in cycles) // PERIOD
    for profiler, components, near in ("TIP", "time", 0.05), ("TEA", "events", 0.10):
        said, found = rows[profiler, components], errors(cycles, draws, components == "events", program)
        mean = statistics.fmean(found)
        within = sum(abs(error - said["chance"]) < 2 * said["chance_deviation"] for error in found)
        print(
            f"{program} by {components}: {100 * mean:.2f} % drawn, {100 * said['chance']:.2f} % foretold; deviation {100 * statistics.stdev(found):.2f} %, {100 * said['chance_deviation']:.2f} % foretold"
        )
        check(
            abs(mean / said["chance"] - 1) < near + 3 * statistics.stdev(found) / mean / math.sqrt(PROFILES), f"{program} by {components}: {mean} drawn, {said}"
        )
        check(within >= 0.9 * PROFILES, f"{program} by {components}: {within} of {PROFILES} within two deviations")
        check(said["error"] < said["chance"] + 2 * said["chance_deviation"], f"{program}: {profiler} has more than chance: {said}")
    for name in "LCI", "Dispatch":
        check(
            rows[name, "time"]["error"] > rows[name, "time"]["chance"] + 5 * rows[name, "time"]["chance_deviation"],
            f"{program}: {name} has no bias: {rows[name, 'time']}",
        )


def main():
    with tempfile.TemporaryDirectory() as folder:
        for program in "interp", "matmul", "cmark":
            one(sys.argv[1], program, pathlib.Path(folder))


if __name__ == "__main__":
    main()
