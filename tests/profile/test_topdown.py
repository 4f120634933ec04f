#!/usr/bin/env python3
"""`tipoff run --count topdown`: what the core's counters say of the slots of dispatch, against the worker topdown in the same run.

    tests/profile/test_topdown.py CONFIG PROGRAM.elf...

Both come from the same bundles, by hardware and by C. Equal to the slot: retiring, bad speculation, mispredictions and clears; and
the front end's and the back end's parts as the worker books them by the counters' rule. By its own rule the worker knows when the fetch
target queue is full, which no bundle shows: then empty slots are the back end's. The counters take all slots of a cycle for that if none
has an instruction while the ROB stalls. So the two front ends differ by the empty slots of the one kind less those of the other, exactly; the test prints how much that is.
User mode and the others add up to the whole. What is printed is what is in the file.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEVELS = {"bad_speculation": ("mispredictions", "clears"), "frontend": ("latency", "bandwidth"), "backend": ("memory", "core")}
NAMES = {
    "retiring": "retiring",
    "bad speculation": "bad_speculation",
    "mispredictions": "mispredictions",
    "machine clears": "clears",
    "front end": "frontend",
    "latency": "latency",
    "bandwidth": "bandwidth",
    "back end": "backend",
    "memory": "memory",
    "core": "core",
}
faults = []


def run(config, program, count, *more):
    stats = ROOT / f"build/tests/topdown-{config}-{pathlib.Path(program).stem}.json"
    stats.parent.mkdir(parents=True, exist_ok=True)
    command = [ROOT / "build/bin/tipoff", "run", "--config", config, "--stats", stats, "--count", count, *more, program]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr}")
    return json.loads(stats.read_text(encoding="utf-8")), done.stderr


def expect(what, got, expected):
    if abs(got - expected) > 1e-6 * max(1, abs(expected)):  # quotients
        faults.append(f"{what}: {got}, expected {expected}")


def check(config, program, width):
    name = pathlib.Path(program).stem
    s, printed = run(config, program, "topdown", "--worker", "topdown")
    t, g, counts = s["topdown"], s["count_groups"]["topdown"], s["counts"]
    late = counts["from_cycle"] * width  # slots, all of them empty, before the counters were set off
    expect(f"{name}: slots", g["slots"], t["slots"] - late)
    expect(f"{name}: retiring", g["retiring"], t["retiring"])
    for part in ("slots", "mispredictions", "clears"):
        expect(f"{name}: bad speculation, {part}", g["bad_speculation"][part], t["bad_speculation"][part])
    by = t["by_counters"]
    for level in ("frontend", "backend"):
        for part in LEVELS[level]:
            expect(f"{name}: {part}", g[level][part], by[part] - (late if part == "latency" else 0))
    expect(f"{name}: all slots", g["retiring"] + sum(g[level]["slots"] for level in LEVELS), g["slots"])
    for level, parts in LEVELS.items():
        expect(f"{name}: {level}", sum(g[level][part] for part in parts), g[level]["slots"])
        for part in parts:
            if g[level][part] < 0:
                faults.append(f"{name}: {part}: {g[level][part]} slots")
    empty = t["empty"]
    difference = g["frontend"]["slots"] - (t["frontend"]["slots"] - late)
    expect(f"{name}: the front end's difference", difference, empty["queue_full"] - empty["stalled"])
    if not empty["both"] <= min(empty["queue_full"], empty["stalled"]):
        faults.append(f"{name}: {empty}")
    without = empty["queue_full"] / g["slots"]
    text = {NAMES[label]: float(share) for label, share in re.findall(r"^ +([a-z ]+?) +(-?[0-9.]+) %", printed, re.M) if label in NAMES}
    flat = {
        "retiring": g["retiring"],
        **{level: g[level]["slots"] for level in LEVELS},
        **{part: g[level][part] for level, parts in LEVELS.items() for part in parts},
    }
    for key, slots in flat.items():
        if key not in text or abs(text[key] - 100 * slots / g["slots"]) > 0.0501:
            faults.append(f"{name}: {key} printed {text.get(key)}, {100 * slots / g['slots']} in the file")
    print(
        f"{name}: front end {100 * g['frontend']['slots'] / g['slots']:.1f} % of the slots, with the queue known {100 * (t['frontend']['slots'] - late) / g['slots']:.1f} %; "
        f"if it were not asked whether the ROB stalls {100 * ((t['frontend']['slots'] - late) / g['slots'] + without):.1f} %"
    )

    s, _ = run(config, program, "topdown:u,topdown:ms,CYCLES")
    user, rest = s["count_groups"]["topdown:u"], s["count_groups"]["topdown:ms"]
    expect(f"{name}: slots of all modes", user["slots"] + rest["slots"], s["counts"]["CYCLES"] * width)
    expect(f"{name}: retiring in all modes", user["retiring"] + rest["retiring"], g["retiring"])
    for level in LEVELS:
        if level != "bad_speculation":  # its split goes by the redirects and clears of the same mode
            for part in LEVELS[level]:
                before = counts["from_cycle"] - s["counts"]["from_cycle"] if part == "latency" else 0
                expect(f"{name}: {part} in all modes", user[level][part] + rest[level][part], g[level][part] + before * width)
    if "syscalls" in name and not user["slots"] > 1000:
        faults.append(f"{name}: {user}: nothing in user mode")


def main():
    config, *programs = sys.argv[1:]
    width = json.loads((ROOT / f"build/{config}/gen/config.json").read_text(encoding="utf-8"))["core.width"]
    for program in programs:
        check(config, program, width)
    print("\n".join(faults) or "counters and worker agree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
