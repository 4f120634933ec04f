#!/usr/bin/env python3
"""`tipoff run --sample-from POSITION --sample-to POSITION`: a part of a run, to the cycle.

    tests/cli/test_regions.py [--only TEXT]

Regions side by side are together the whole run: cycle by cycle, event by event, and in the Oracle's profile unit by unit, wherever they are cut.
Where a region begins and ends is found a second time in the trace of commit bundles. Needs build/bin/tipoff, the small workloads and the model of small2.
"""
import collections
import csv
import functools
import io
import json
import subprocess
import sys

import cli
from cli import ROOT, RUN, check, main, refused, test, tipoff

sys.path.append(str(ROOT / "tests/profile"))
from sum_trace import read_trace, spans  # noqa: E402

WORKLOADS = ROOT / "build/workloads"
SORT = WORKLOADS / "sort.small.elf"
QUEENS = WORKLOADS / "queens.small.elf"  # place() calls itself
END = 50_000
STATES = ("Computing", "Stalled", "Flushed", "Drained")
RAN_OUT = 124
ADDITIVE = ("events", "memory", "state_cycles")

measured = functools.partial(cli.measured, status=RAN_OUT)


def added(parts):
    total = collections.Counter()
    for part in parts:
        total.update(part)
    return dict(total)


def same(parts, whole, said):
    off = {key: (value, whole.get(key, 0)) for key, value in parts.items() if abs(value - whole.get(key, 0)) > 1e-6}
    check(parts and not off and set(whole) <= set(parts), f"{said}: {len(off)} differ; the parts together, the whole: {dict(list(off.items())[:5])}")


def side_by_side(folder, program, edges, whole, end=END):
    """Regions between `edges` add up to the whole, which ends by itself with --max-cycles `end`."""
    edges, parts = [None, *edges, None], []
    for first, last in zip(edges, edges[1:]):
        where = (["--sample-from", first] if first is not None else []) + (["--sample-to", last] if last is not None else [])
        parts.append(measured(folder, *where, "--max-cycles", end, program))
        done = parts[-1][0]
        check(
            done.get("to_cycle", done["from_cycle"] + done["cycles"]) == done["from_cycle"] + done["cycles"],
            f"{where}: {done['from_cycle']} and {done['cycles']} cycles",
        )
        check(done["checks"]["cycles"] == done["cycles"] > 0, f"{where}: {done['cycles']} cycles, {done['checks']['cycles']} checked")
    said = f"{program.name} {edges}"
    for before, after in zip(parts, parts[1:]):
        check(before[0]["to_cycle"] == after[0]["from_cycle"], f"{said}: {before[0]['to_cycle']}, {after[0]['from_cycle']}")
    for what in "cycles", "instructions":
        check(sum(part[0][what] for part in parts) == whole[0][what], f"{said}: {what}: {[part[0][what] for part in parts]}, whole {whole[0][what]}")
    for what in ADDITIVE:
        same(added([part[0][what] for part in parts]), whole[0][what], f"{said}: {what}")
    same(
        added([{row["psv"]: row["count"] for row in part[0]["executions"]} for part in parts]),
        {row["psv"]: row["count"] for row in whole[0]["executions"]},
        f"{said}: executions",
    )
    profiles = [part[1] for part in [*parts, whole]]
    if len({len(row) for rows in profiles for row in rows}) > 1:  # no mode and space in the profile of a region that had only one
        profiles = [added([{row[:3]: weight} for row, weight in rows.items()]) for rows in profiles]
    same(added(profiles[:-1]), profiles[-1], f"{said}: the Oracle's profile")
    return parts


def by_state(trace, first, last, each):
    """Cycles of the trace from `first` to `last`: `each` of every state, spread evenly."""
    cycles = {}
    for state, _, c in spans(read_trace(trace)):
        if first <= c.number < last:
            cycles.setdefault(state, []).append(c.number)
    check(len(cycles) == len(STATES) and all(len(found) > 2 * each for found in cycles.values()), f"{({state: len(found) for state, found in cycles.items()})}")
    return {found[len(found) * (2 * i + 1) // (2 * each)]: state for state, found in cycles.items() for i in range(each)}


@test
def cut_anywhere(folder):
    """Before and after cycles of every state: Stalled, Drained, Flushed, a group that commits. A region of one cycle has its state."""
    trace = folder / "trace.csv"
    for program, first, end in (SORT, 3000, 15_000), (WORKLOADS / "vm_procs.small.elf", 2000, 20_000):
        whole = measured(folder, "--max-cycles", end, "--trace", trace, "--trace-format", "csv", program)
        states = by_state(trace, first, end - 100, 4)
        edges = sorted({edge for cycle in states for edge in (cycle, cycle + 1)})
        for part in side_by_side(folder, program, edges, whole, end=end):
            if (state := states.get(part[0]["from_cycle"])) and part[0]["cycles"] == 1:
                shown = {name: cycles for name, cycles in part[0]["state_cycles"].items() if cycles}
                check(shown == {state: 1}, f"{program.name}: cycle {part[0]['from_cycle']}: {shown}, by the trace {state}")
        side_by_side(folder, program, [end // 2, end // 2 + 1000], whole, end=end)  # long enough for all modes and spaces


@test
def cut_by_symbols(folder):
    """By executions of an instruction, and mixed with cycles; the cycles are those of the trace."""
    trace = folder / "trace.csv"
    whole = measured(folder, "--max-cycles", END, "--trace", trace, "--trace-format", "csv", QUEENS)
    address = int(
        next(
            line
            for line in subprocess.run(["riscv64-unknown-elf-nm", QUEENS], check=True, capture_output=True, text=True).stdout.splitlines()
            if line.endswith(" place")
        ).split()[0],
        16,
    )
    times = [int(row["cycle"]) for row in csv.DictReader(trace.open()) for i in (0, 1) if row[f"commit{i}"] == "1" and int(row[f"pc{i}"], 16) == address]
    check(len(times) > 50, f"place: {times[:9]}")
    parts = side_by_side(folder, QUEENS, ["place:3", "place:40"], whole)
    check([part[0]["from_cycle"] for part in parts[1:]] == [times[2], times[39]], f"{[part[0]['from_cycle'] for part in parts]}: {times[2]}, {times[39]}")
    side_by_side(folder, QUEENS, ["place:7", times[30] + 1, f"{address:#x}:45"], whole)
    one = measured(folder, "--sample-from", "place", "--sample-to", "place", QUEENS)[0]  # from one call to the next
    check((one["from_cycle"], one["to_cycle"]) == (times[0], times[1]), f"{one['from_cycle']} to {one['to_cycle']}: {times[:2]}")


@test
def samples_of_a_region(folder):
    """The triggers of its cycles alone; what samples and rival profilers book is the region's time up to the last of them."""
    path = folder / "x.tips"
    for program in SORT, WORKLOADS / "chase.small.elf":
        for first, last in (5000, 25_000), (5003, 17_001):
            done, _, err = measured(folder, "--sample-from", first, "--sample-to", last, "--period", 97, "--jitter=none", "--samples", path, program)
            said = f"{program.name} {first} to {last}"
            rows = list(csv.DictReader(io.StringIO(tipoff("samples", path)[1])))
            cycles = [int(row["cycle"]) for row in rows]
            check(
                first <= cycles[0] < first + 97 + 10 and last - 97 * 30 < cycles[-1] < last and done["samples"] == len(rows),
                f"{said}: samples from {cycles[0]} to {cycles[-1]}",
            )
            triggers = len(rows) + sum(int(row["repeats"]) + int(row["stalled"]) for row in rows)
            check(
                triggers == done["triggers"] and (last - first) // 97 - 1 <= triggers <= (last - first) // 97,
                f"{said}: {triggers} triggers, {done['triggers']} reported",
            )
            check("measured up to cycle" in err and "still running at --sample-to" in err, err)
            text = tipoff("report", path)[1]
            check(f"of the run, from {first} up to {last}\n" in text, text[:400])
            for profiler in "TIP", "Oracle", "NCI", "Dispatch":
                report = json.loads(tipoff("report", "--format", "json", "--top", "0", "--profiler", profiler, path)[1])
                check(report["region"] == f"from {first} up to {last}", f"{report.get('region')}")
                booked = sum(report["states"].values()) / report["U"]
                least = last - first if profiler == "Oracle" else 97 * triggers
                check(least <= booked + 1e-6 and booked <= last - first, f"{said}: {profiler}: {booked} cycles of {last - first}")


@test
def counts_of_a_region(folder):
    done = measured(folder, "--sample-from", 10_000, "--sample-to", 30_000, "--count", "cycles,instructions", SORT)[0]
    counts = done["counts"]
    check(0 <= 30_000 - counts["from_cycle"] - counts["CYCLES"] < 3 or 0 <= counts["CYCLES"] - (30_000 - counts["from_cycle"]) < 3, f"{counts}")
    check(abs(counts["INSTRUCTIONS"] - done["instructions"]) < 40, f"{counts['INSTRUCTIONS']} counted of {done['instructions']}")


@test
def behind_a_checkpoint(folder):
    machine = folder / "machine"
    tipoff("iss", "--quiet", "--checkpoint", machine, "--at", 4000, SORT)
    whole = measured(folder, "--restore", machine, "--max-cycles", END)[0]
    parts = [measured(folder, "--restore", machine, "--max-cycles", END, *where)[0] for where in (["--sample-to", 9000], ["--sample-from", 9000])]
    for what in "cycles", "instructions":
        check(sum(part[what] for part in parts) == whole[what], f"{what}: {[part[what] for part in parts]}, whole {whole[what]}")


@test
def same_in_one_thread_and_in_two(folder):
    results = [measured(folder, "--sample-from", 7001, "--sample-to", 21_002, "--threads", threads, SORT)[:2] for threads in (1, 2)]
    for key in "cycles", "instructions", "from_cycle", "to_cycle", "events", "state_cycles", "base_stalls", "edges":
        check(results[0][0][key] == results[1][0][key], f"{key}: {results[0][0][key]}, {results[1][0][key]}")
    check(results[0][1] == results[1][1], "another profile")


@test
def to_the_end(folder):
    """A region that the program does not reach the end of ends with it, with the program's status."""
    done = measured(folder, "--sample-from", 5000, "--sample-to", "main:9", SORT, status=0)[0]
    whole = measured(folder, SORT, status=0)[0]
    check(done["cycles"] == whole["cycles"] - 5000 and "to_cycle" not in done, f"{done['cycles']} of {whole['cycles']}")


@test
def bad_input(folder):
    for option in "--sample-from", "--sample-to":
        for position, text in (
            ("nosuch", "no symbol 'nosuch'"),
            ("12x", "not a cycle"),
            ("main:0", "the first is 1"),
            ("main@sample:3", "no sample of an instruction here"),
        ):
            refused([*RUN, option, position, SORT], text)
    refused([*RUN, "--warmup", 5, "--sample-from", 9, SORT], "omit it, or --sample-from", lines=0)
    refused([*RUN, "--sample-from", 9, "--sample-to", 8, SORT], "--sample-from 9 is after --sample-to 8: swap them")
    refused([*RUN, "--sample-from", "sample:3", SORT], "no symbol 'sample'")
    for where, text in (["--sample-from", "main:9"], "the run ended before --sample-from main:9: nothing was measured: choose an earlier one"), (
        ["--sample-from", "main", "--sample-to", "_start:1"],
        "the run came to --sample-to before --sample-from main: nothing was measured",
    ):
        status, _, err = tipoff(*RUN, "--quiet", *where, SORT)
        check(status == 2 and err.count("\n") == 1 and text in err, f"{where}: status {status}: {err}")


if __name__ == "__main__":
    sys.exit(main())
