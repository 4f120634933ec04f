#!/usr/bin/env python3
"""The coherence protocol in a toy (hub_model.c): with all rules nothing breaks in any state, and without a rule the property breaks that it protects.

    tests/coherence/test_hub_model.py [TEXT]     rows of rules.tsv that contain TEXT; prints how many states each has
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE.parents[1] / "build/tests/coherence/hub_model"


def run(arguments):
    return subprocess.run([MODEL, *arguments], capture_output=True, text=True)


def rows():
    lines = [line for line in (HERE / "rules.tsv").read_text().splitlines() if line and not line.startswith("#")]
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]


def command(row):
    left_out = [] if row["without"] == "-" else row["without"].split(",")
    return [argument for rule in left_out for argument in ("--without", rule)] + row["options"].split()


def wrong(row):
    """What differs from the row, or nothing."""
    result = run(command(row))
    said = result.stdout.split()
    good = len(said) == 3 and said[0] == row["breaks"] and result.returncode == (said[0] != "-")
    print(f"{'ok  ' if good else 'FAIL'} {row['without']}: {result.stdout.strip() or result.stderr.strip()}")
    if not good:
        print(f"     {row['breaks']} is due: {MODEL} --trace {' '.join(command(row))}")
    return not good


def unnamed(table):
    """Rules of the model without a row."""
    rules = set(re.findall(r'X\([A-Z_]+, "([a-z-]+)"\)', (HERE / "protocol.h").read_text()))
    return sorted(rules - {rule for row in table for rule in row["without"].split(",")})


def main():
    table = rows()
    bad = sum(wrong(row) for row in table if len(sys.argv) < 2 or any(sys.argv[1] in text for text in row.values()))
    for rule in unnamed(table):
        print(f"FAIL {rule}: rules.tsv has no row")
        bad += 1
    for arguments in (["--without", "no-such-rule", "loads"], ["--harts", "4", "loads"], ["no-such-operation"]):
        result = run(arguments)
        if result.returncode != 2 or not result.stderr.startswith("hub_model: "):
            print(f"FAIL {arguments}: status {result.returncode}, {result.stderr!r}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
