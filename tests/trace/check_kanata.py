#!/usr/bin/env python3
"""A pipeline view holds what happened: its log against the trace of commit bundles of the same run.

    tests/trace/check_kanata.py CONFIG PROGRAM.elf

Runs the program with --kanata and --trace-format csv. The log keeps the rules of Kanata 0004 (time never goes back, every
instruction begins once and leaves once, stages begin in the order F Q X C); what leaves without a flush is exactly what
commits in the trace, in the same order and cycles; and some are flushed. Then twice with a window, by cycles and by symbol.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAGES = "FQXC"


def read(path):
    """[(pc, begin cycle, {stage: cycle}, end cycle, flushed)] in the order of leaving."""
    lines = path.read_text().splitlines()
    assert lines[0] == "Kanata\t0004", lines[0]
    cycle, alive, left, retired = None, {}, [], 0
    for number, line in enumerate(lines[1:], 2):
        kind, *rest = line.split("\t")
        where = f"{path.name}:{number}: {line}"
        if kind == "C=":
            assert cycle is None, where
            cycle = int(rest[0])
        elif kind == "C":
            assert int(rest[0]) > 0, where
            cycle += int(rest[0])
        elif kind == "I":
            assert rest[0] not in alive and cycle is not None, where
            alive[rest[0]] = {"begin": cycle, "stages": {}, "pc": None}
        elif kind == "L":
            assert rest[1] in "01", where
            if rest[1] == "0":
                alive[rest[0]]["pc"] = int(rest[2].split(":")[0], 16)
        elif kind == "S":
            stages = alive[rest[0]]["stages"]
            assert rest[2] in STAGES and rest[2] not in stages, where
            assert all(STAGES.index(s) < STAGES.index(rest[2]) for s in stages), where
            stages[rest[2]] = cycle
        elif kind == "R":
            one, flushed = alive.pop(rest[0]), rest[2] == "1"
            assert int(rest[1]) == retired, where
            retired += not flushed
            left.append((one["pc"], one["begin"], one["stages"], cycle, flushed))
        else:
            raise AssertionError(f"unknown line {where}")
    assert not alive, f"{len(alive)} instructions never leave"
    return left


def commits(path):
    """[(cycle, pc)] of the trace, in order."""
    found = []
    with path.open() as file:
        rows = csv.DictReader(file)
        width = sum(name.startswith("commit") for name in rows.fieldnames)
        for row in rows:
            oldest = int(row["oldest"])
            for k in range(width):
                lane = (oldest + k) % width
                if row[f"commit{lane}"] == "1":
                    found.append((int(row["cycle"]), int(row[f"pc{lane}"], 16)))
    return found


def run(config, program, *options):
    subprocess.run([ROOT / "build/bin/tipoff", "run", "--config", config, "--quiet", *options, program], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)


def main():
    config, program = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        log, trace = pathlib.Path(folder) / "log", pathlib.Path(folder) / "trace"
        run(config, program, "--kanata", log, "--trace", trace, "--trace-format", "csv")
        left, expected = read(log), commits(trace)
        shown = [(end, pc) for pc, _, _, end, flushed in left if not flushed]
        assert shown == expected, f"{len(shown)} instructions leave, {len(expected)} commit; first difference {next(((a, b) for a, b in zip(shown, expected) if a != b), None)}"
        flushed = sum(1 for one in left if one[4])
        assert flushed > 100, f"only {flushed} are flushed"
        for pc, begin, stages, end, gone in left:
            assert stages["F"] == begin < stages["Q"] <= end, (hex(pc), begin, stages, end)
            assert gone or "C" in stages and stages["C"] < end, (hex(pc), begin, stages, end)
        # A window of cycles: those that are dispatched in it, with the same story.
        first, last = expected[len(expected) // 2][0], expected[len(expected) // 2][0] + 200
        run(config, program, "--kanata", log, "--trace-from", str(first), "--trace-to", str(last))
        inside = [one for one in left if first <= one[2]["Q"] <= last]
        assert sorted(read(log), key=str) == sorted(inside, key=str) and inside, "the window of cycles shows something else"
        # From a function on: nothing is dispatched before its first commit.
        symbols = subprocess.run(["riscv64-unknown-elf-nm", program], stdout=subprocess.PIPE, text=True, check=True).stdout
        main_pc = int(re.search(r"^(\w+) T main$", symbols, re.M)[1], 16)
        start = next(cycle for cycle, pc in expected if pc == main_pc)
        run(config, program, "--kanata", log, "--trace-from", "main")
        assert min(one[2]["Q"] for one in read(log)) >= start, "something is dispatched before main commits"
        print(f"{len(shown)} instructions leave, {flushed} are flushed, as in the trace")


if __name__ == "__main__":
    main()
