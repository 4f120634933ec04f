#!/usr/bin/python3
"""`tipoff run --warmup N`: what is measured begins behind N instructions, to the cycle, and nothing of it is lost or counted twice.

    tests/cli/test_warmup.py [--only TEXT]

A run with a warm-up, and one that --max-cycles ends where that one begins to measure, are together the whole run: cycle by cycle,
event by event, and in the Oracle's profile unit by unit. Needs build/bin/tipoff, the small workloads and the model of small2.
"""
import sys

from cli import ROOT, RUN, check, main, measured, refused, test, tipoff

sys.path.insert(0, str(ROOT / "python"))
from tipoff import Samples  # noqa: E402

WORKLOADS = ROOT / "build/workloads"
SORT = WORKLOADS / "sort.small.elf"
MAX_CYCLES_RAN_OUT = 124
SOME = 20  # cycles that programming counters may take
WIDTH = 2


def added(a, b):
    return {key: a.get(key, 0) + b.get(key, 0) for key in {**a, **b}}


def same_numbers(parts, whole, said):
    off = {key: (parts[key], whole.get(key)) for key in parts if abs(parts[key] - whole.get(key, 0)) > 1e-6}
    check(parts and not off, f"{said}: the parts together, the whole: {off}")


def two_parts(folder, warmup, *options):
    end = ("--max-cycles", 60_000)
    whole, whole_rows, _ = measured(folder, *end, *options, status=MAX_CYCLES_RAN_OUT)
    rest, rest_rows, err = measured(folder, "--warmup", warmup, *end, *options, status=MAX_CYCLES_RAN_OUT)
    begins, said = rest["from_cycle"], f"--warmup {warmup} {options}"
    first, first_rows, _ = measured(folder, "--max-cycles", begins, *options, status=MAX_CYCLES_RAN_OUT)
    check(f"measured from cycle {begins:,}, after" in err, f"{said}: {err}")
    check(0 <= first["instructions"] - warmup < WIDTH, f"{said}: {first['instructions']} instructions before")
    check(rest["from_instruction"] - whole["from_instruction"] == first["instructions"], f"{said}: begins behind {rest['from_instruction']}")
    for what in "cycles", "instructions":
        check(first[what] + rest[what] == whole[what] > first[what] > 0, f"{said}: {what}: {first[what]}, {rest[what]}, whole {whole[what]}")
        check(rest["checks"][what] == rest[what], f"{said}: {rest['checks'][what]} {what} checked of {rest[what]}")
    for what in "events", "memory", "state_cycles":
        same_numbers(added(first[what], rest[what]), whole[what], f"{said}: {what}")
    executions = [{row["psv"]: row["count"] for row in part["executions"]} for part in (first, rest, whole)]
    same_numbers(added(*executions[:2]), executions[2], f"{said}: executions")
    same_numbers(added(first_rows, rest_rows), whole_rows, f"{said}: the Oracle's profile")
    return rest


@test
def two_parts_are_the_whole(folder):
    for warmup in 1, 1000, 20_001:
        two_parts(folder, warmup, SORT)
    two_parts(folder, 5000, WORKLOADS / "vm_procs.small.elf")  # traps, other modes and address spaces


@test
def behind_a_checkpoint(folder):
    """Counted from the restored program's first instruction; with --from-reset, from reset."""
    machine = folder / "machine"
    tipoff("iss", "--quiet", "--checkpoint", machine, "--at", 4000, WORKLOADS / "vm_procs.small.elf")
    at = two_parts(folder, 3000, "--restore", machine)["from_instruction"]
    reset = two_parts(folder, 3000, "--restore", machine, "--from-reset")["from_instruction"]
    none = measured(folder, "--restore", machine)[0]["from_instruction"]
    check(none > 200 and 0 <= at - none - 3000 < WIDTH and 0 <= reset - 3000 < WIDTH, f"measured from instruction {none}, {at}, {reset}")


@test
def samples_and_counts(folder):
    """They begin with it: as many triggers as fit into the measured cycles; no sample before; counters count from there."""
    samples = folder / "x.tips"
    done = measured(folder, "--warmup", 30_000, "--period", 97, "--jitter=none", "--samples", samples, "--count", "instructions,branches", SORT)[0]
    check(abs(done["triggers"] - done["cycles"] / 97) < 2 and done["samples"] > 100, f"{done['triggers']} triggers in {done['cycles']} cycles")
    counts = done["counts"]
    check(0 < counts["from_cycle"] - done["from_cycle"] < SOME, f"counted from cycle {counts['from_cycle']}, measured from {done['from_cycle']}")
    check(0 <= done["instructions"] - counts["INSTRUCTIONS"] < WIDTH * SOME, f"{counts['INSTRUCTIONS']} counted of {done['instructions']}")
    taken = Samples(samples)
    for profiler in "TIP", "Oracle", "NCI":
        cycles = sum(row.weight for row in taken.profiles[profiler]) / taken.units
        check(0.98 * done["cycles"] < cycles < 1.001 * done["cycles"], f"{profiler}: {cycles} cycles of {done['cycles']}")


@test
def ends_by_instructions(folder):
    """--max-insns counts what is measured: as many, and at most a group more; the cycle that it ends with is the first that has them."""
    machine = folder / "machine"
    tipoff("iss", "--quiet", "--checkpoint", machine, "--at", 4000, SORT)
    for options in [SORT], ["--warmup", 3001, SORT], ["--warmup", 500, "--restore", machine], ["--restore", machine]:
        for most in 1, 2, 777, 10_000:
            done, rows, err = measured(folder, "--max-insns", most, *options, status=MAX_CYCLES_RAN_OUT)
            said = f"--max-insns {most} {options}: {done['instructions']} in {done['cycles']} cycles: {err}"
            check(0 <= done["instructions"] - most < WIDTH and "still running at --max-insns" in err, said)
            less = measured(folder, "--max-cycles", done["from_cycle"] + done["cycles"] - 1, *options, status=2 if done["cycles"] == 1 else MAX_CYCLES_RAN_OUT)[
                0
            ]
            check(less["instructions"] < most, f"{said}: a cycle before it were {less['instructions']}")
    check(measured(folder, "--max-insns", 10_000_000, SORT)[0]["exited"], "a limit that is not reached")


@test
def same_in_one_thread_and_in_two(folder):
    results = [measured(folder, "--warmup", 7000, "--threads", threads, SORT)[:2] for threads in (1, 2)]
    for key in "cycles", "instructions", "from_cycle", "events", "state_cycles", "base_stalls":
        check(results[0][0][key] == results[1][0][key], f"{key}: {results[0][0][key]}, {results[1][0][key]}")
    check(results[0][1] == results[1][1], "another profile")


@test
def bad_input(folder):
    for text in ("", "x", "-1", "1.5", "99999999999999999999"):
        refused([*RUN, f"--warmup={text}", SORT], f"--warmup {text}: not a number", lines=0)
        refused([*RUN, f"--max-insns={text}", SORT], f"--max-insns {text}: not a number", lines=0)
    refused([*RUN, "--max-insns", 0, SORT], "from 1 to", lines=0)
    samples = folder / "x.tips"
    for options in [], ["--period", 97, "--samples", samples], ["--max-cycles", 5000], ["--no-cosim", "--no-oracle"]:
        status, _, err = tipoff(*RUN, "--quiet", "--warmup", 10_000_000, *options, SORT)
        check(
            status == 2 and err.count("\n") == 1 and "within --warmup 10000000: nothing was measured: choose a smaller one" in err,
            f"{options}: status {status}: {err}",
        )
    done, rows, err = measured(folder, "--warmup", 10_000_000, SORT, status=2)
    check(not rows and done["cycles"] == done["instructions"] == sum(done["events"].values()) == 0, f"measured all the same: {done}")
    machine = folder / "machine"
    tipoff("iss", "--quiet", "--checkpoint", machine, "--at", 4000, SORT)
    status, _, err = tipoff(*RUN, "--quiet", "--restore", machine, "--max-cycles", 100)
    check(status == 2 and err.count("\n") == 1 and "before the restored program's first instruction" in err, f"status {status}: {err}")


if __name__ == "__main__":
    sys.exit(main())
