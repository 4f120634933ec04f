#!/usr/bin/env python3
"""What several harts have compared on record (scripts/harts_record.py): it goes on where it ended, adds up, and keeps a difference.

    tests/harts/test_record.py [--only TEXT]

Needs build/bin/tipoff and small2c's model.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, check, main, test  # noqa: E402

sys.path.insert(0, str(ROOT / "scripts"))
import harts_record as record  # noqa: E402

EMPTY = dict.fromkeys(record.COUNTED, 0)


def row(first, last, commit="a", **counts):
    return {**EMPTY, "kind": "random", "config": "small2c", "commit": commit, "date": "2026-11-28", "first": first, "last": last, **counts}


@test
def consecutive_seeds_are_one_row(_):
    rows = record.added([], row(1, 1, programs=1, instructions=10))
    rows = record.added(rows, row(2, 2, programs=1, instructions=5))
    check(rows == [row(1, 2, programs=2, instructions=15)], f"{rows}")
    for other in (row(3, 3, "b", programs=1), row(4, 4, programs=1), row(3, 3, programs=1, differences=1)):
        check(record.added(rows, other) == [*rows, other], f"{other} has gone into another row")
    check(record.next_seed(rows, "random", "small2c") == 3, "does not go on with the next seed")
    check(record.next_seed(rows, "litmus", "small2c") == record.FIRST_SEED, "another kind goes on with these seeds")


@test
def goes_on(folder):
    """Two runs, of a program each: what both commit, by the seeds' own statistics."""
    file, wanted = folder / "record.tsv", 0
    for _ in range(2):
        words = ["--kind", "random", "--config", "small2c", "--runs", "1", "--length", "10", "--record", file]
        subprocess.run([ROOT / "scripts/harts_record.py", *words], stdout=subprocess.DEVNULL, check=True)
    for seed in (record.FIRST_SEED, record.FIRST_SEED + 1):
        program = f"build/tests/harts/again/harts-{seed}.elf"
        subprocess.run(["make", "-s", "FUZZ_DIR=build/tests/harts/again", "FUZZ_LENGTH=10", program], cwd=ROOT, check=True)
        words = record.command_of("small2c", "harts", seed, program).split()
        subprocess.run([*words, "--stats", folder / "stats.json"], cwd=ROOT, check=True)
        harts = 2 + seed % 3
        wanted += sum(json.loads((folder / f"stats.hart{hart}.json").read_text(encoding="utf-8"))["instructions"] for hart in range(harts))
    (found,) = record.rows(file)
    counts = (found["first"], found["last"], found["programs"], found["instructions"], found["differences"])
    check(counts == (record.FIRST_SEED, record.FIRST_SEED + 1, 2, wanted, 0), f"{found}, {wanted} instructions by the statistics")


@test
def a_difference_ends_it(folder):
    file = folder / "record.tsv"
    results = iter([{"programs": 1, "instructions": 7}, {"programs": 1, "differences": 1}, {"programs": 1, "instructions": 9}])
    check(not record.go(file, {("random", "small2c"): lambda seed: next(results)}, 1, 3), "a difference does not end it")
    found = [(r["first"], r["instructions"], r["differences"]) for r in record.rows(file)]
    check(found == [(record.FIRST_SEED, 7, 0), (record.FIRST_SEED + 1, 0, 1)], f"{found}")


if __name__ == "__main__":
    main()
