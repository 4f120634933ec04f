#!/usr/bin/env python3
"""What each mispredicted branch and each flush costs, a second time: from a trace of every cycle and the pipeline view of the same run.

    tests/profile/test_refills.py CONFIG PROGRAM.elf...

The trace says in which cycles the ROB is empty, who commits and who was mispredicted; the pipeline view, when each instruction entered the ROB.
From these the cycles of each pair (mispredicted branch, or instruction that flushes; next instruction to leave) follow by the definition in csrc/oracle/refills.h, and have to be
those of the statistics, to the cycle. The cycles of the empty ROB are the Oracle's Flushed ones of that branch, too, and the
mispredictions those that the vectors count.
"""
import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
sys.path.insert(0, str(ROOT / "tests/trace"))
import check_kanata  # noqa: E402

faults = []


def tipoff(*words):
    done = kept.run([TIPOFF, *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"tipoff {' '.join(map(str, words))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def leaving(trace):
    """[(cycle, pc, "refills", "flushes" or "", excepted)] in program order, and how many cycles with an empty ROB there are up to each cycle."""
    left, empty = [], [0]
    with trace.open(encoding="ascii") as file:
        rows = csv.reader(file)
        header = next(rows)
        width = sum(name.startswith("commit") for name in header)
        at = {name: i for i, name in enumerate(header)}
        lanes = [(at[f"commit{i}"], at[f"pc{i}"], at[f"mispredict{i}"], at[f"flush{i}"]) for i in range(width)]
        for row in rows:
            cycle, oldest = int(row[0]), int(row[at["oldest"]])
            empty.append(empty[-1] + (row[at["rob_empty"]] == "1"))
            if row[at["exception"]] == "1":
                left.append((cycle, int(row[at["exception_pc"]], 16), "", True))
            for k in range(width):
                commit, pc, mispredict, flush = lanes[(oldest + k) % width]
                if row[commit] == "1":
                    left.append((cycle, int(row[pc], 16), "refills" if row[mispredict] == "1" else "flushes" if row[flush] == "1" else "", False))
    return left, empty


def entered(view, left):
    """The cycle in which each of `left` entered the ROB."""
    flushed = collections.defaultdict(list)
    commits, cycles = [], []
    for pc, _, stages, end, flush, *_ in check_kanata.read(view):
        if flush:
            flushed[pc, end].append(stages.get("Q"))
        else:
            commits.append((pc, end, stages["Q"]))
    commits = iter(commits)
    for cycle, pc, _, excepted in left:
        if excepted:  # flushed in the cycle of its exception, or as soon as the pipeline gets it; the oldest of them
            found = [q for late in (0, 1, 2) for q in flushed[pc, cycle + late] if q is not None]
            cycles.append(min(found))
            continue
        found = next(commits)
        assert found[:2] == (pc, cycle), f"the view has {found}, the trace 0x{pc:x} in cycle {cycle}"
        cycles.append(found[2])
    return cycles


def prices(left, entry, empty, wanted):
    """(branch, next) -> [times, flushed, shadow, late]; of mispredicted branches ("refills"), or of flushes."""
    pairs = collections.defaultdict(lambda: [0, 0, 0, 0])
    for i, (cycle, pc, kind, _) in enumerate(left[:-1]):
        if kind != wanted:
            continue
        then, first, _, excepted = left[i + 1]
        idle = then - cycle - 1 + excepted  # cycles in which nothing commits
        flushed = empty[then] - empty[cycle + 1]
        shadow = max(0, min(idle, entry[i + 1] - entry[i]) - flushed)
        for k, value in enumerate((1, flushed, shadow, entry[i + 1] - entry[i])):
            pairs[pc, first][k] += value
    return {key: tuple(value) for key, value in pairs.items()}


def told(statistics, kind="refills"):
    pairs = collections.defaultdict(lambda: (0, 0, 0, 0))
    for group in statistics[kind]:
        for line in group["pairs"]:
            branch, first, *counts = line.split()
            key = int(branch, 16), int(first, 16)
            pairs[key] = tuple(map(sum, zip(pairs[key], map(int, counts))))
    return dict(pairs)


def differences(program, kind, said, expected):
    wrong = [(hex(b), hex(f), said.get((b, f)), expected.get((b, f))) for b, f in said.keys() | expected.keys() if said.get((b, f)) != expected.get((b, f))]
    if wrong:
        faults.append(f"{program}: {kind} (branch, next, statistics, trace): {wrong[:4]} and {max(0, len(wrong) - 4)} more")


def compare(config, program, folder):
    trace, view, stats, samples = (folder / name for name in ("x.csv", "x.kanata", "x.json", "x.tips"))
    tipoff(
        "run",
        "--config",
        config,
        "--quiet",
        "--period",
        997,
        "--samples",
        samples,
        "--stats",
        stats,
        "--trace",
        trace,
        "--trace-format",
        "csv",
        "--kanata",
        view,
        program,
    )
    statistics = json.loads(stats.read_text(encoding="utf-8"))
    left, empty = leaving(trace)
    entry = entered(view, left)
    for kind in "flushes", "refills":
        said = told(statistics, kind)
        differences(program, kind, said, prices(left, entry, empty, kind))
    flushes = sum(counts[0] for counts in told(statistics, "flushes").values())
    times, flushed, shadow = (sum(counts[k] for counts in said.values()) for k in range(3))
    if not 0 <= statistics["events"]["FL_MB"] - times <= 1:  # nothing left after the last one
        faults.append(f"{program}: {times} refills, {statistics['events']['FL_MB']} instructions with FL_MB")
    empty_behind = collections.Counter()
    rows = csv.DictReader(tipoff("report", "--profiler", "Oracle", "--format", "csv", samples).splitlines())
    for row in rows:
        if row["state"] == "Flushed" and "FL_MB" in row["events"].split("+"):
            empty_behind[int(row["unit"], 16)] += int(float(row["cycles"]))
    mine = collections.Counter()
    for (branch, _), counts in said.items():
        mine[branch] += counts[1]
    if any(empty_behind[pc] != mine[pc] for pc in empty_behind | mine):
        faults.append(
            f"{program}: cycles of the empty ROB are not the Oracle's Flushed ones: {[(hex(pc), mine[pc], empty_behind[pc]) for pc in empty_behind | mine if empty_behind[pc] != mine[pc]][:4]}"
        )
    print(
        f"{pathlib.Path(program).name} on {config}: {times} mispredictions, {flushed} cycles of an empty ROB, {shadow} of waiting after them, of {statistics['cycles']}; {flushes} flushes"
    )
    return times


def against_no_mispredictions(config, folder):
    """What they really cost: the same instructions on the same numbers, which a predictor knows when they are sorted. Above what is seen of it at
    commit, and, since no other work overlaps it here, by a tenth at most from the delay of the correct paths."""
    runs = []
    for flags in (), ("-DSORTED",):
        program, stats = folder / "mispredicted.elf", folder / "m.json"
        subprocess.run([ROOT / "build/bin/tipoff-cc", *flags, ROOT / "tests/profile/mispredicted.c", "-o", program], check=True)
        tipoff("run", "--config", config, "--quiet", "--stats", stats, program)
        statistics = json.loads(stats.read_text(encoding="utf-8"))
        runs.append((statistics["cycles"], statistics["instructions"], *(sum(counts[k] for counts in told(statistics).values()) for k in range(4))))
    cycles, instructions, times, flushed, shadow, late = (a - b for a, b in zip(*runs))
    print(f"{times} mispredictions less are {cycles} cycles less on {config}: {flushed} of an empty ROB, {shadow} of waiting after them, {late} later at most")
    if instructions or times < 3000:
        faults.append(f"mispredicted.c: {instructions} instructions and {times} mispredictions more than sorted")
    if not (flushed < flushed + shadow < cycles and 0.9 < late / cycles < 1.1):
        faults.append(f"mispredicted.c: {cycles} cycles, {flushed} + {shadow} of them seen, {late} at most")


def main():
    config, *programs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        against_no_mispredictions(config, pathlib.Path(folder))
        times = sum(compare(config, program, pathlib.Path(folder)) for program in programs)
    if times < 1000:
        faults.append(f"{times} mispredictions: too few to show anything")
    print("\n".join(faults) or "every pair as in the trace")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
