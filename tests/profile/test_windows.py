#!/usr/bin/env python3
"""`tipoff report --by window`: what each window of the run has, against the run's trace, and where its phases begin.

    tests/profile/test_windows.py CONFIG

Every cycle of the trace is given to its instruction in Python (the rules of docs/guide/profiling.md, as sum_trace.py has them), and the window is the cycle's own.

- Sampled every 16 cycles, the cycles up to each trigger are as the trigger's own. Each window has exactly these states, events and functions: phases.c
  and the workload sort, in several lengths of windows.
- Sampled every 61 cycles, the trace's share lies in the interval that is printed as often as it says: 95 % of the time, less what a few samples are worth.
- phases.c divides, adds, and divides again: the phases begin where the trace has another function.
"""
import bisect
import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/profile"))
import sum_trace  # noqa: E402

sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
STATES = "Computing", "Stalled", "Flushed", "Drained"
PERIOD = 16  # the shortest one allowed
COVERED = 0.90  # of the intervals hold the true share, at least


def run(*command):
    done = kept.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def attribute(trace):
    """[(state, [(pc, vector, part of it)])] of each cycle."""
    found, waiting, last = [], [], None

    def close(owner):
        nonlocal last
        for number in waiting:
            found[number] = (found[number][0], [(*owner, 1)])
        waiting.clear()
        last = None

    for state, owners, c in sum_trace.spans(sum_trace.read_trace(trace)):
        found.append((state, []))
        if state == "Computing":
            close(owners[0])
            found[-1] = (state, [(*owner, 1 / len(owners)) for owner in owners])
        elif state == "Stalled":
            waiting.append(c.number)
            last = owners[0]
            if c.exception:
                close(last)
        else:
            if any(found[number][0] == "Stalled" for number in waiting):
                close(last)
            if state == "Flushed":
                found[-1] = (state, [(*owners[0], 1)])
            else:
                waiting.append(c.number)
                last = (c.dispatch_pc, 0) if c.dispatched else None
    close(last or (sum_trace.END, 0))
    return found


class Functions:
    def __init__(self, elf):
        lines = [line.split() for line in run("riscv64-unknown-elf-nm", "-n", elf).splitlines()]
        symbols = [(int(words[0], 16), words[2]) for words in lines if words[1] in "tT" and not words[2].startswith((".", "$"))]
        self.starts, self.names = [start for start, _ in symbols], [name for _, name in symbols]
        self.known = dict(zip(self.names, self.starts))

    def name(self, pc):
        if pc == sum_trace.END:
            return "end of run"
        return self.names[bisect.bisect_right(self.starts, pc) - 1] if pc >= self.starts[0] else "[boot ROM]"

    def one(self, key):
        """A function's address in place of its name: it may have several. The compiler's own routines run into each other, and are one here."""
        if key[1].startswith("__riscv_"):
            return key[0], "__riscv_"
        return (key[0], self.known.get(key[1], key[1])) if key[0] == "function" else key


def held(cycles, samples):
    """Each cycle as the one of the next trigger: these are PERIOD apart, and a sample has the cycles before its own."""
    first = int(next(csv.DictReader(run(TIPOFF, "samples", samples).splitlines()))["cycle"])
    triggers = range(first, len(cycles), PERIOD)
    return [cycles[trigger] for before, trigger in zip([0, *triggers], triggers) for _ in range(trigger - before)]


def expected(cycles, functions, events, first, end):
    sums = collections.Counter({("time", "time"): end - first})
    for state, owners in cycles[first:end]:
        sums["state", state] += 1
        for pc, vector, part in owners:
            sums[functions.one(("function", functions.name(pc)))] += part
            for i, event in enumerate(events):
                if vector >> i & 1:
                    sums["event", event] += part
    return sums


def windows(samples, *options):
    """{window: rows}, by (kind, name)."""
    found = collections.defaultdict(dict)
    text = run(TIPOFF, "report", "--by", "window", "--format", "csv", *options, samples)
    for row in csv.DictReader(text.splitlines()):
        found[int(row["window"])][row["kind"], row["name"]] = row
    return found


def check_exact(name, samples, cycles, functions, events, options, faults):
    found = windows(samples, *options)
    following = 0
    for number, rows in sorted(found.items()):
        time = rows["time", "time"]
        first, end = int(time["first_cycle"]), int(time["end_cycle"])
        if first != following:
            faults.append(f"{name} {options}: window {number} begins at {first}, the one before ends at {following}")
        following = end
        want = expected(cycles, functions, events, first, end)
        got = collections.Counter()
        for key, row in rows.items():
            got[functions.one(key)] += float(row["cycles"])
        for key in want.keys() | got.keys():
            if abs(want[key] - got[key]) > 1e-6:
                faults.append(f"{name} {options}: window {number}, {key}: {got[key]}, the trace has {want[key]}")
    if len(cycles) != following:
        faults.append(f"{name} {options}: ends at {following} of {len(cycles)}")
    return len(found)


def check_intervals(samples, cycles, functions, events):
    """(how many intervals hold the trace's share, of how many)."""
    within = judged = 0
    for rows in windows(samples, "--windows", 25).values():
        time = rows["time", "time"]
        want = expected(cycles, functions, events, int(time["first_cycle"]), int(time["end_cycle"]))
        for key, row in rows.items():
            if int(row["samples"]) < 10 or float(row["deviation"]) == 0 or key[1].startswith("__riscv_"):
                continue
            judged += 1
            within += abs(float(row["cycles"]) - want[functions.one(key)]) <= 1.96 * float(row["deviation"])
    return within, judged


def check_phases(samples, cycles, functions, faults):
    """Windows that hold one function alone are in one phase with their neighbours of that function, and in another one than those of another function."""
    report = json.loads(run(TIPOFF, "report", "--by", "window", "--windows", 25, "--format", "json", samples))
    alone, before = [], 0
    for window in report["windows"]:
        if window["phase"] - before not in (0, 1):
            faults.append(f"phase {window['phase']} behind {before}")
        before = window["phase"]
        part = collections.Counter(functions.name(pc) for _, owners in cycles[window["first_cycle"] : window["end_cycle"]] for pc, _, _ in owners[:1])
        ((name, count),) = part.most_common(1)
        if count == sum(part.values()) and name in ("divide", "add"):
            alone.append((name, window["phase"]))
    for (a, phase), (b, after) in zip(alone, alone[1:]):
        if (a == b) != (phase == after):
            faults.append(f"a window of {a} is in phase {phase}, the next one, of {b}, in {after}")
    order = [name for i, (name, _) in enumerate(alone) if not i or alone[i - 1][0] != name]
    if order != ["divide", "add", "divide"] or report["phases"] > 7:  # those three, with what is between and around
        faults.append(f"{order} in {report['phases']} phases")
    text = run(TIPOFF, "report", "--by", "window", "--windows", 25, samples)
    if text.count("\n     1  ") < 1 or f"(25 of 25, in {report['phases']} phases)" not in text:
        faults.append(f"the text: {text}")
    return report["phases"]


def check_refusals(samples, faults):
    for options, words in (
        (("--by", "window", "--windows", "0"), "--windows 0: not a number from 1"),
        (("--by", "window", "--windows", "x"), "--windows x: not a number from 1"),
        (("--by", "window", "--windows", "2", "--window-cycles", "9"), "not both"),
        (("--windows", "2"), "need --by window"),
        (("--by", "window", "--window-cycles", "1"), "make them longer"),
        (("--by", "window", "--profiler", "Oracle"), "leave --profiler out"),
        (("--by", "window", "--format", "html"), "has text, csv, json"),
    ):
        done = subprocess.run([TIPOFF, "report", *options, str(samples)], capture_output=True, text=True, check=False)
        if done.returncode != 2 or done.stdout or words not in done.stderr.splitlines()[0]:
            faults.append(f"{options}: status {done.returncode}, {done.stderr!r}")
    done = subprocess.run([TIPOFF, "diff", "--by", "window", str(samples), str(samples)], capture_output=True, text=True, check=False)
    if done.returncode != 2 or "needs a single run" not in done.stderr:
        faults.append(f"diff: status {done.returncode}, {done.stderr!r}")


def main():
    config, faults, counts = sys.argv[1], [], []
    within = judged = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(ROOT / "runtime/tipoff-cc", "-O2", "tests/profile/phases.c", "-o", folder / "phases.elf")
        for program in folder / "phases.elf", ROOT / "build/workloads/sort.small.elf":
            trace, every, some = folder / "x.csv", folder / "every.tips", folder / "some.tips"
            run(TIPOFF, "run", "--config", config, "--quiet", "--period", PERIOD, "--samples", every, "--trace", trace, "--trace-format", "csv", program)
            run(TIPOFF, "run", "--config", config, "--quiet", "--period", 61, "--jitter=4", "--samples", some, program)
            cycles, functions = attribute(trace), Functions(program)
            events = json.loads(run(TIPOFF, "report", "--format", "json", every))["events"]
            for options in (), ("--windows", "7"), ("--window-cycles", "1000"):
                counts.append(check_exact(program.name, every, held(cycles, every), functions, events, options, faults))
            some_within, some_judged = check_intervals(some, cycles, functions, events)
            within, judged = within + some_within, judged + some_judged
            if program.name == "phases.elf":
                phases = check_phases(some, cycles, functions, faults)
                check_refusals(some, faults)
    if judged < 100 or within < COVERED * judged:
        faults.append(f"{within} of {judged} intervals hold the trace's share")
    print("\n".join(faults[:20]) or f"{counts} windows as in the trace; {within} of {judged} intervals hold its share; {phases} phases")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
