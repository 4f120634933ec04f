#!/usr/bin/env python3
"""tipoff profileme --paths and --path-success, on a program whose paths are known by construction (paths.S), and on workloads.

    tests/cli/test_profileme_paths.py [--only TEXT]

Needs build/bin/tipoff, build/full2/model.so, build/workloads/{cmark,interp}.small.elf.
"""
import csv
import functools
import json
import math
import pathlib
import sys
import tempfile

from cli import ROOT, SMALL, assembled, check, main, refused, test, tipoff

CMARK = ROOT / "build/workloads/cmark.small.elf"
CORE = ["run", "--config", "full2", "--quiet"]
FOLDER = tempfile.TemporaryDirectory()
ROUNDS, LEAF = 2000, 13  # of paths.S; instructions of its leaf
SIGMAS = 4
PAPERS = ("execution counts", "history bits", "history bits and pairs")
OURS = ("all 16 bits and pairs", "the same, then counts")


@functools.lru_cache(None)
def program():
    return assembled(pathlib.Path(FOLDER.name), "paths.S", name="paths.elf")


@functools.lru_cache(None)
def run(elf, settings, *options):
    tips = pathlib.Path(FOLDER.name) / f"{elf.stem}-{settings}{'-'.join(options)}.tips"
    status, _, err = tipoff(*CORE, "--profileme", settings, *options, "--samples", tips, elf)
    check(status == 0, f"{elf}: {err}")
    return tips


def sampled(elf, settings="24,jitter=4"):
    return run(elf, settings, "--worker", "branch-history")


def viewed(tips, *options):
    status, out, err = tipoff("profileme", "--format", "json", *options, tips)
    check(status == 0 and not err, f"{options}: status {status}: {err}")
    return json.loads(out)


def way(start, *steps):
    """As the column steps has it: pairs of offsets from _start."""
    return " ".join(f"0x{start + a:08x}>0x{start + b:08x}" for a, b in steps)


@test
def two_ways_to_the_leaf(folder):
    """After the branch that goes back, taken: the other one, either way, and a call from there."""
    view = viewed(sampled(program()), "--paths=2", "--across")
    rows = [r for r in view["rows"] if r["function"].startswith("leaf")]
    start = next(int(r["address"], 16) for r in view["rows"] if r["function"] == "_start+0x4") - 4
    leaf = int(rows[0]["address"], 16) - start
    left, right = way(start, (28, 4), (8, 12), (12, leaf)), way(start, (28, 4), (8, 20), (20, leaf))
    found = {r["steps"]: r for r in rows}
    check(set(found) == {left, right}, f"ways to the leaf: {[r['way'] for r in rows]}")
    check({found[left]["way"], found[right]["way"]} == {"_start +0x1c+ +0x8- -> leaf", "_start +0x1c+ +0x8+ -> leaf"}, f"{[r['way'] for r in rows]}")
    samples = [found[w]["samples"] for w in (left, right)]
    check(abs(samples[0] - samples[1]) <= SIGMAS * math.sqrt(sum(samples)) and sum(samples) > 500, f"{samples} samples of two ways that alternate")
    for r in rows:
        deviation = view["interval"] * math.sqrt(r["samples"]) / LEAF
        check(
            abs(r["executions"] - ROUNDS / 2) <= SIGMAS * deviation + 2,
            f"{r['way']}: {r['executions']} executions, {ROUNDS / 2} expected, deviation {deviation:.0f}",
        )
        check(
            abs(r["executions"] - view["interval"] * r["samples"] / LEAF) < 1 and abs(r["executions_95"] - 1.96 * deviation) < 1,
            f"{r['way']}: not k S of {LEAF} instructions",
        )
        check(r["sure"] == r["samples"] and r["of_samples"] >= sum(samples), f"{r['way']}: {r['sure']} sure of {r['samples']}, {r['of_samples']} of all")
    check(view["several"] == 0 and view["none"] <= 0.01 * view["retired"], f"{view['several']} with several paths, {view['none']} with none")
    check(view["one_known"] > 0.95 * view["retired"] and view["one_right"] == view["one_known"], f"{view['one_right']} of {view['one_known']} right")


@test
def behind_the_calls(folder):
    """A path that enters the leaf at its return leaves it by the call that the return is behind."""
    view = viewed(sampled(program()), "--paths=1")
    rows = {r["function"]: r for r in view["rows"]}
    start, leaf = (int(rows[name]["address"], 16) - offset for name, offset in (("_start+0x4", 4), ("leaf", 0)))
    end = leaf - start + 4 * (LEAF - 1)
    check(rows["_start+0x10"]["steps"] == way(start, (8, 12), (12, leaf - start), (end, 16)), f"after the left call: {rows['_start+0x10']['way']}")
    check(rows["_start+0x10"]["way"].split() == "_start +0x8- -> leaf <- _start".split(), rows["_start+0x10"]["way"])
    check(rows["leaf"]["branches"] == 0 and rows["leaf"]["way"] == "leaf", f"the leaf begins a procedure: {rows['leaf']}")
    joined = [r for r in view["rows"] if r["function"] == "_start+0x18"]
    check(len(joined) == 2 and all(r["branches"] == 1 for r in joined), f"{[r['way'] for r in joined]}")


@test
def successes_that_are_known(folder):
    """The arms alternate: bits distinguish them, counts guess one of them, the same in every round: wrong in every other one, and always over some of them."""
    rows = viewed(sampled(program(), "96,jitter=5,pairs=32"), "--path-success")["rows"]
    of = {(r["procedures"], r["scheme"], r["branches"]): r for r in rows}
    check(len(of) == 2 * len(PAPERS + OURS) * 16, f"{len(of)} rows")
    for n in range(1, 17):
        for scheme in PAPERS[1:] + OURS:
            r = of["across", scheme, n]
            check(r["right"] == r["samples"] > 100, f"{scheme}, {n} branches: {r['right']} of {r['samples']}")
        for r in (of[p, s, n] for p in ("within", "across") for s in PAPERS + OURS):
            check(r["right"] + r["wrong"] + r["several"] + r["none"] == r["samples"] and abs(r["success"] - 100 * r["right"] / r["samples"]) < 0.051, f"{r}")
    for n, least, most in ((2, 30, 70), (7, 0, 0), (16, 0, 0)):
        got = of["across", "execution counts", n]["success"]
        check(least <= got <= most, f"execution counts, {n} branches: {got} %, {least} to {most} expected")


@test
def what_the_bits_say_is_so(folder):
    """One path that fits a history is the one taken: of real code, in every sample."""
    for elf in CMARK, SMALL:
        rows = viewed(sampled(elf, "128,jitter=7,pairs=64"), "--path-success")["rows"]
        for r in rows:
            if r["scheme"] in PAPERS[1:] + OURS[:1]:
                check(r["wrong"] <= 0.005 * r["samples"], f"{elf.stem}: {r}")
        right = {(r["procedures"], r["scheme"], r["branches"]): r["right"] for r in rows}
        for (procedures, scheme, n), k in right.items():
            if scheme == "history bits and pairs":
                check(k >= right[procedures, "history bits", n], f"{elf.stem} {procedures}, {n}: pairs lose paths")
            if scheme == OURS[0]:
                check(k >= right[procedures, "history bits and pairs", n], f"{elf.stem} {procedures}, {n}: older bits lose paths")


@test
def formats_agree(folder):
    tips = sampled(CMARK, "128,jitter=7,pairs=64")
    for options in (["--paths"], ["--paths=16", "--across"], ["--path-success"]):
        status, out, err = tipoff("profileme", "--format", "csv", *options, tips)
        rows, theirs = list(csv.DictReader(out.splitlines())), viewed(tips, *options)["rows"]
        check(status == 0 and len(rows) == len(theirs) and rows, f"{options}: {len(rows)} rows of CSV, {len(theirs)} of JSON: {err}")
        for mine, other in zip(rows, theirs):
            for key, value in other.items():
                check(
                    mine[key] == "" if value is None else mine[key] == value if isinstance(value, str) else float(mine[key]) == value,
                    f"{options}: {key}: {mine[key]!r}, {value!r}",
                )
    status, out, err = tipoff("profileme", "--paths=4", "--top", 3, tips)
    check(status == 0 and not err and "Paths of 4 conditional branches" in out and "(3 of " in out and "it is the one taken in 100.0 %" in out, f"{out}{err}")


@test
def without_the_ways(folder):
    """Records and the program are enough for paths; what was taken is then not known, nor, without lockstep, the likeliest."""
    plain = viewed(run(CMARK, "128,jitter=7,pairs=64"), "--paths=4")
    known = viewed(sampled(CMARK, "128,jitter=7,pairs=64"), "--paths=4")
    check(plain["one_known"] == 0 < known["one_known"] and plain["rows"] == known["rows"], "paths depend on the worker branch-history")
    alone = viewed(run(CMARK, "128,jitter=7,pairs=64", "--no-cosim", "--no-oracle"), "--paths=4")
    check(0 < alone["one"] <= alone["retired"] and all(r["sure"] == r["samples"] for r in alone["rows"]), "a likeliest path without counts")


@test
def what_cannot_be(folder):
    tips = sampled(program())
    refused(["profileme", "--path-success", run(CMARK, "128,jitter=7,pairs=64")], "paths that were taken", "--worker branch-history")
    refused(
        ["profileme", "--path-success", run(CMARK, "128,jitter=7,pairs=64", "--worker", "branch-history", "--no-cosim", "--no-oracle")],
        "no exact counts",
        "--no-cosim",
    )
    refused(["profileme", "--paths", "--program", SMALL, tips], "not the program that ran", "--program", lines=2)
    refused(["profileme", "--paths", run(program(), "20000")], "too few samples", "shorter interval")
    refused(["profileme", "--path-success", run(program(), "20000", "--worker", "branch-history")], "too few samples", "shorter interval")
    refused(["profileme", "--paths=17", tips], "--paths", "1 to 16", lines=0)
    refused(["profileme", "--paths=0", tips], "--paths", lines=0)
    refused(["profileme", "--across", tips], "needs --paths", lines=0)
    refused(["profileme", "--paths", "--pairs", tips], "one of --addresses", lines=0)
    refused(["profileme", "--paths", "--format", "svg", tips], "svg", "use text, csv or json")
    plain = folder / "plain.tips"
    check(tipoff(*CORE, "--period", 97, "--samples", plain, program())[0] == 0, "the run failed")
    refused(["profileme", "--paths", plain], "has no records of ProfileMe", "--profileme INTERVAL")


if __name__ == "__main__":
    sys.exit(main())
