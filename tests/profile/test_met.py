#!/usr/bin/env python3
"""How often each instruction met each event, and was executed, as reports say it: against a trace of every cycle.

    tests/profile/test_met.py CONFIG PROGRAM.elf...

Counts the commits and exceptions of a trace by address and vector. The statistics' `met` has to be that, and `executions` and `met` of
`tipoff report --format json` what follows from it. (Of an ecall, which counts as executed, the trace shows an exception.)
"""
import collections
import csv
import json
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
faults = []


def tipoff(*words):
    done = kept.run([TIPOFF, *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"tipoff {' '.join(map(str, words))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def traced(path):
    """(address, vector) -> how many left with it; address -> commits"""
    met, commits, last = collections.Counter(), collections.Counter(), None
    with path.open(encoding="ascii") as file:
        rows = csv.reader(file)
        header = next(rows)
        at = {name: i for i, name in enumerate(header)}
        lanes = [(at[f"commit{i}"], at[f"pc{i}"], at[f"psv{i}"]) for i in range(sum(name.startswith("commit") for name in header))]
        for row in rows:
            for commit, pc, psv in lanes:
                if row[commit] == "1":
                    commits[int(row[pc], 16)] += 1
                    met[int(row[pc], 16), int(row[psv])] += 1
            if row[at["exception"]] == "1":  # its vector stands in the oldest lane
                last = int(row[at["exception_pc"]], 16), int(row[lanes[int(row[at["oldest"]])][2]])
                met[last] += 1
    return met, commits


def compare(config, program, folder):
    trace, stats, samples = folder / "x.csv", folder / "x.json", folder / "x.tips"
    tipoff("run", "--config", config, "--quiet", "--period", 97, "--samples", samples, "--stats", stats, "--trace", trace, "--trace-format", "csv", program)
    expected, commits = traced(trace)
    emitted = collections.Counter()
    for group in json.loads(stats.read_text(encoding="utf-8"))["met"]:
        for line in group["met"]:
            pc, psv, count = line.split()
            emitted[int(pc, 16), int(psv, 16)] += int(count)
    wrong = {(hex(pc), psv): (emitted[pc, psv], count) for (pc, psv), count in (emitted | expected).items() if psv and emitted[pc, psv] != expected[pc, psv]}
    if wrong:
        faults.append(f"{program}: (address, vector): (statistics, trace): {dict(list(wrong.items())[:5])} and {max(0, len(wrong) - 5)} more")
    report = json.loads(tipoff("report", "--format", "json", "--profiler", "Oracle", samples))
    checked = 0
    for unit in report["units"]:
        if unit["unit"] == "end of run" or "ecall" in unit.get("instruction", ""):
            continue
        pc = int(unit["unit"], 16)
        by_event = collections.Counter()
        for (address, psv), count in expected.items():
            if address == pc:
                by_event.update({name: count for i, name in enumerate(report["events"]) if psv >> i & 1})
        if unit["met"] != by_event or unit["executions"] != commits[pc]:
            faults.append(f"{program}: {unit['unit']}: {unit['executions']} executions, {unit['met']}; in the trace {commits[pc]}, {dict(by_event)}")
        checked += len(by_event)
    print(
        f"{pathlib.Path(program).name} on {config}: {sum(count for (_, psv), count in emitted.items() if psv)} executions with an event at {len({pc for pc, _ in emitted})} instructions"
    )
    return checked


def main():
    config, *programs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        checked = sum(compare(config, program, pathlib.Path(folder)) for program in programs)
    if checked < 50:
        faults.append(f"{checked} instructions with an event: too few to show anything")
    print("\n".join(faults[:10]) or f"{checked} counts of events as in the trace")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
