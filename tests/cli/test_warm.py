#!/usr/bin/env python3
"""`tipoff run --warm`: caches filled by the accesses that a checkpoint has recorded; every check agrees, and the slice costs what it does in the whole run.

    tests/cli/test_warm.py [--only TEXT]

Needs build/bin/tipoff, the small workloads, sort.medium and the model of small2.
"""
import json
import sys

from cli import ROOT, RUN, check, main, refused, test, tipoff

WORKLOADS = ROOT / "build/workloads"
SORT = WORKLOADS / "sort.medium.elf"
MAX_INSNS_RAN_OUT = 124
AT, LENGTH = 300_000, 20_000


def recorded(folder, program=SORT, at=AT, *options):
    path = folder / f"{program.name}.{at}.ckpt"
    status, _, err = tipoff("iss", "--quiet", "--checkpoint", path, "--at", at, "--accesses", *options, program)
    check(status == 0, err)
    return path


def measured(folder, *options, status=MAX_INSNS_RAN_OUT):
    """Statistics; lockstep, the Oracle and all else have agreed."""
    stats = folder / "stats.json"
    got, out, err = tipoff(*RUN, "--stats", stats, *options)
    check(got == status and "all agree" in err, f"{options}: status {got}: {err}")
    return json.loads(stats.read_text()) | {"out": out}


def missed(stats):
    return stats["memory"]["llc_misses"]


@test
def as_in_the_whole_run(folder):
    """Cycles: within 2 % of the slice cut out of the whole run, whose caches are as full; without, many more. The LLC misses as there."""
    path, ends = recorded(folder), ("--max-insns", LENGTH)
    before, with_it = (measured(folder, "--max-insns", most, SORT) for most in (AT, AT + LENGTH))
    true = with_it["cycles"] - before["cycles"]
    none, memory, both = (measured(folder, "--restore", path, *warm, *ends) for warm in ([], ["--warm", "memory"], ["--warm", "all"]))
    said = f"{true} cycles; none {none['cycles']}, memory {memory['cycles']}, all {both['cycles']}"
    check(abs(both["cycles"] / true - 1) < 0.02 < none["cycles"] / true - 1, said)
    check(none["cycles"] > memory["cycles"] >= both["cycles"], said)
    check(missed(both) == missed(memory) == missed(with_it) - missed(before) < missed(none), f"misses: {missed(both)}, {missed(memory)}, {missed(none)}")
    check(both["memory"]["reads"] < memory["memory"]["reads"], f"the L1 caches are full, too: {both['memory']['reads']} reads")


@test
def to_the_end(folder):
    """Programs end as without, also those that jump to and fro in Sv39's modes, and write what is warm."""
    for name, at in ("sort.small", 60_000), ("bigcode.small", 50_000), ("vm_procs.small", 40_000), ("chase.small", 70_000):
        program = WORKLOADS / f"{name}.elf"
        done = measured(folder, "--restore", recorded(folder, program, at), "--warm", "all", status=0)
        status, out, _ = tipoff("iss", program)
        check(status == 0 and done["out"].startswith(out) and done["exited"], f"{name}: {done['out']!r}, not {out!r}")


@test
def same_machine(folder):
    """A checkpoint with the record restores what one without does."""
    with_it, without = recorded(folder), folder / "without.ckpt"
    tipoff("iss", "--quiet", "--checkpoint", without, "--at", AT, SORT)
    traces = []
    for path in with_it, without:
        status, out, err = tipoff("iss", "--quiet", "--restore", path, "--max-insns", 2000, "--trace", "-")
        check(status == MAX_INSNS_RAN_OUT, err)
        traces.append(out)
    check(traces[0] == traces[1] and traces[0].count("\n") >= 2000, "the same instructions")
    cycles = [measured(folder, "--restore", path, "--max-insns", 2000)["cycles"] for path in (with_it, without)]
    check(cycles[0] == cycles[1], f"without --warm nothing is filled: {cycles}")


@test
def bad_input(folder):
    path, none = recorded(folder, WORKLOADS / "sort.small.elf", 5000), folder / "none.ckpt"
    tipoff("iss", "--quiet", "--checkpoint", none, "--at", 5000, SORT)
    refused([*RUN, "--warm", "all", SORT], "--warm needs --restore", lines=0)
    refused([*RUN, "--restore", path, "--warm", "tlb"], "--warm tlb: use one of all, memory", lines=0)
    refused([*RUN, "--restore", none, "--warm", "all"], str(none), "holds no record of accesses", "--accesses")
    refused(["iss", "--accesses", SORT], "--accesses", "checkpoint", lines=0)
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[-200] ^= 1
    for name, content in ("damaged", bytes(damaged)), ("short", whole[:-100]):
        bad = folder / f"{name}.ckpt"
        bad.write_bytes(content)
        refused([*RUN, "--restore", bad, "--warm", "all"], str(bad))


sys.exit(main())
