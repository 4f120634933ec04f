#!/usr/bin/python3
"""CSV of every command that writes tables: what csv.DictReader, pandas.read_csv and a spreadsheet expect of it.

The first line is the heading, no name stands in it twice, every row has as many cells, and time is in cycles: the rows
of a report add up to the cycles of the run, which its text says, or to the part that a filter leaves.
"""
import csv
import io
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import TINY, check, main, refused, test, tipoff  # noqa: E402,F401

STATES = ("Computing", "Stalled", "Flushed", "Drained", "Unknown")
UNITS = ("instruction", "line", "block", "function", "loop", "inline", "file", "module", "mode", "process")


def sampled(folder, config="small2", program=TINY):
    path = folder / f"{config}.tips"
    if not path.exists():
        status, _, err = tipoff("run", "--config", config, "--quiet", "--period", 97, "--samples", path, program)
        check(status == 0, err)
    return path


def table(*command):
    """The rows of a command's CSV, which are checked as such."""
    status, out, err = tipoff(command[0], "--format", "csv", *command[1:])
    check(status == 0 and (not err or "; shares refer to it" in err), f"{command}: {status} {err}")
    heading, *rows = csv.reader(io.StringIO(out))
    check(heading and all(heading) and len(set(heading)) == len(heading), f"{command}: heading {heading}")
    check(not out.startswith("#") and "weight" not in heading, f"{command}: {heading}")
    check(all(len(row) == len(heading) for row in rows), f"{command}: rows of other lengths than {heading}")
    check(rows, f"{command}: no rows")
    return list(csv.DictReader(io.StringIO(out)))


def cycles(rows, column="cycles"):
    return sum(float(row[column]) for row in rows)


def near(found, expected, what):
    check(abs(found - expected) < 1e-6 * max(abs(expected), 1), f"{what}: {found}, not {expected}")


def shown(path, *options):
    """Cycles that the report's text adds up to: those of the whole run, or what a filter leaves."""
    report = json.loads(tipoff("report", "--format", "json", *options, path)[1])
    return report["weight"] / report["U"]


@test
def all_units_add_up(folder):
    for config, profiler in (("small2", "NCI"), ("small2", "TIP"), ("tea4", "Oracle")):
        path = sampled(folder, config)
        of_run = shown(path, "--profiler", profiler)
        for unit in UNITS if profiler != "NCI" else ("function",):
            near(cycles(table("report", "--by", unit, "--profiler", profiler, path)), of_run, f"{config} --by {unit}, {profiler}")
        near(cycles(table("report", "--by", "instruction", "--profiler", profiler, path)), of_run, f"{config}, {profiler}")
    text = tipoff("report", "--profiler", "Oracle", path)[1]
    check(f"{of_run:,.0f} cycles" in text, f"the text says other cycles than {of_run}: {text[:200]}")


@test
def stacks(folder):
    path = sampled(folder)
    for unit in ("instruction", "block", "function"):
        rows = table("report", "--stacks", "--by", unit, path)
        near(cycles(rows), shown(path), f"--stacks of {unit}")
        heights = {(row["unit"], row["mode"], row["space"]): float(row["unit_cycles"]) for row in rows}
        near(sum(heights.values()), shown(path), f"--stacks of {unit}: heights")
        for row in rows:
            near(sum(float(row[state]) for state in STATES), float(row["cycles"]), f"states of {row}")
    names = json.loads(tipoff("report", "--format", "json", path)[1])["events"]
    for row in table("report", path):
        met = [name for bit, name in enumerate(names) if int(row["psv"]) >> bit & 1]
        check(row["events"] == ("+".join(met) or "Base"), f"{row}")
    check({row["events"] for row in table("report", "--profiler", "NCI", path)} == {""}, "a profile without events has none")


@test
def calls(folder):
    path = sampled(folder)
    rows = table("report", "--children", path)
    near(cycles(rows, "exclusive_cycles"), shown(path), "--children")
    check(max(float(row["inclusive_cycles"]) for row in rows) <= shown(path), "--children: more than all")
    whole = {row["function"]: float(row["inclusive_cycles"]) for row in rows}
    near(cycles(table("report", "--callers", "_start", path), "inclusive_cycles"), whole["_start"], "--callers")
    edges = table("report", "--callees", "_start", path)
    check(0 < cycles(edges, "inclusive_cycles") <= whole["_start"], f"--callees: {edges}")


@test
def filters(folder):
    path = sampled(folder)
    for options in (("--focus", "main"), ("--ignore", "main"), ("--mode", "machine")):
        near(cycles(table("report", *options, path)), shown(path, *options), f"{options}")


@test
def other_tables(folder):
    path = sampled(folder)
    for unit in ("window", "data", "event", "mix", "misprediction"):
        if f"\n{unit} " in "\n" + tipoff("report", "--by", "help")[1]:
            table("report", "--by", unit, path)
    windows = [row for row in table("report", "--by", "window", path) if row["kind"] == "time"]
    check(len(windows) == 20, f"{len(windows)} windows")
    for row in table("diff", path, path):
        near(float(row["change"]), 0, f"{row}")
    errors = table("compare", path)
    check({row["profiler"] for row in errors} >= {"TIP", "NCI"}, f"{errors}")
    total = {float(row["total_cycles"]) for row in errors}
    check(total == {shown(path, "--profiler", "Oracle")}, f"compare: {total}")
    table("mix", "--exact", TINY)
    table("gus", TINY)
    table("gus", "--sensitivity", TINY)
    table("results", path)


@test
def comments(folder):
    """The only way to get lines that are no table, and other formats have none."""
    path = sampled(folder)
    plain = tipoff("report", "--format", "csv", path)[1]
    status, out, _ = tipoff("report", "--format", "csv", "--comments", path)
    head, rest = out.split("\n", 1)
    report = json.loads(tipoff("report", "--format", "json", path)[1])
    check(status == 0 and rest == plain and head == f"# U={report['U']} cycles={report['cycles']} samples={report['samples']}", head)
    refused(["report", "--comments", path], "--comments: needs --format csv", lines=0)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    main()
