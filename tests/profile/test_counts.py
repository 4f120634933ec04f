#!/usr/bin/env python3
"""`tipoff run --count`: the hardware counters agree with what the C side counted from the bundles.

    tests/profile/test_counts.py CONFIG PROGRAM.elf

Programs the counters of the harness's own unit, runs once with every event and once, while samples are taken, with
cycles and instructions by mode, and compares with the statistics of the same run: events and states by the Oracle's
side, traps and instructions by lockstep, slots of dispatch by the worker topdown.
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATES = {"COMPUTING": "Computing", "STALLED": "Stalled", "FLUSHED": "Flushed", "DRAINED": "Drained"}
OTHERS = ["CYCLES", "INSTRUCTIONS", "EXCEPTIONS", "INTERRUPTS", "FLUSHES", "BRANCHES"]
# Of the worker topdown's statistics: objects and keys.
SLOTS = {
    "DISPATCHED": ("dispatched",),
    "FETCH_LATENCY": ("by_counters", "latency"),
    "FETCH_BANDWIDTH": ("by_counters", "bandwidth"),
    "MEMORY_BOUND": ("by_counters", "memory"),
    "RECOVERY_BRANCH": ("recovery", "branches"),
    "RECOVERY_CLEAR": ("recovery", "clears"),
    "BRANCH_REDIRECTS": ("redirects", "branches"),
    "CLEARS": ("redirects", "clears"),
}
faults = []


def rows(name, column=0):
    lines = (ROOT / "tables" / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[column] for line in lines if line and not line.startswith("#")][1:]


def run(config, program, count, *more):
    stats = ROOT / f"build/tests/counts-{config}-{pathlib.Path(program).stem}.json"
    command = [ROOT / "build/bin/tipoff", "run", "--config", config, "--stats", stats, "--count", ",".join(count), *more, program]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr}")
    statistics = json.loads(stats.read_text(encoding="utf-8"))
    counts = statistics["counts"]
    for name in count:  # what is printed is what is in the file
        line = f"{counts[name]:20,d}  {name}"
        if line not in done.stderr.splitlines():
            faults.append(f"not printed: '{line}'")
    return statistics, counts


def expect(what, got, expected):
    if got != expected:
        faults.append(f"{what}: counted {got}, expected {expected}")


def main():
    config, program = sys.argv[1:]
    tea = [name for name, key in zip(rows("events.tsv"), rows("events.tsv", 4)) if key == "-"]  # of every core
    own = [name for name, key in zip(rows("pmu_events.tsv", 1), rows("pmu_events.tsv", 2)) if key == "-"]
    if sorted(own) != sorted([*STATES, *OTHERS, *SLOTS]):
        sys.exit("tables/pmu_events.tsv has other rows than this test compares: extend it")

    s, counts = run(config, program, [*OTHERS, *STATES, *tea])
    late = counts["from_cycle"]  # the core was fetching its first instruction meanwhile: Drained
    expect("from_cycle", late <= len([*OTHERS, *STATES, *tea]) + 8, True)
    for name in tea:
        expect(name, counts[name], s["events"][name])
    for name, state in STATES.items():
        expect(name, counts[name], s["state_cycles"][state] - (late if name == "DRAINED" else 0))
    expect("CYCLES", counts["CYCLES"], s["cycles"] - late)
    expect("INSTRUCTIONS", counts["INSTRUCTIONS"], s["checks"]["instructions"])
    expect("EXCEPTIONS and INTERRUPTS", counts["EXCEPTIONS"] + counts["INTERRUPTS"], s["checks"]["traps"])
    expect("FL_EX", counts["FL_EX"], s["checks"]["traps"])
    expect("BRANCHES at least FL_MB", counts["BRANCHES"] >= counts["FL_MB"], True)
    if not counts["FL_MB"]:
        faults.append("no misprediction in the whole program: it tests nothing")
    samples = s["samples"]
    expect("samples", samples, 0)

    causes = ["EXCEPTIONS", "INTERRUPTS", "FLUSHES", "FL_MO", "FL_MB"]
    s, counts = run(config, program, [*SLOTS, *causes], "--worker", "topdown")
    late = counts["from_cycle"]  # so early that nothing has dispatched
    keys = json.loads((ROOT / f"build/{config}/gen/config.json").read_text(encoding="utf-8"))
    for name, path in SLOTS.items():
        expected = s["topdown"]
        for key in path:
            expected = expected[key]
        expect(name, counts[name], expected - (late * keys["core.width"] if name == "FETCH_LATENCY" else 0))
    replays = counts["CLEARS"] - counts["EXCEPTIONS"] - counts["INTERRUPTS"] - counts["FLUSHES"]
    expect("CLEARS that are replays", replays, counts["FL_MO"])  # and of pages whose A or D was set, which no configuration here does
    expect("BRANCH_REDIRECTS at least FL_MB", counts["BRANCH_REDIRECTS"] >= counts["FL_MB"], True)

    by_mode = [f"{name}:{mode}" for name in ("CYCLES", "INSTRUCTIONS") for mode in "msu"]
    samples = f"build/tests/counts-{config}-{pathlib.Path(program).stem}.tips"
    s, counts = run(config, program, [*by_mode, "INSTRUCTIONS:mu", "FL_EX:u"], "--period", "97", "--samples", samples)
    late = counts["from_cycle"]
    expect("cycles of all modes", sum(counts[f"CYCLES:{mode}"] for mode in "msu"), s["cycles"] - late)
    expect("instructions of all modes", sum(counts[f"INSTRUCTIONS:{mode}"] for mode in "msu"), s["instructions"])
    expect("INSTRUCTIONS:mu", counts["INSTRUCTIONS:mu"], counts["INSTRUCTIONS:m"] + counts["INSTRUCTIONS:u"])
    expect("samples beside counts", s["samples"] > 10, True)
    if "syscalls" in program:  # user tasks over a kernel: both count, and its traps come from user mode
        expect("instructions in user mode", counts["INSTRUCTIONS:u"] > 1000, True)
        expect("FL_EX:u", counts["FL_EX:u"], s["checks"]["traps"])

    print("\n".join(faults) or f"{s['cycles']} cycles: all counts agree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
