"""What the tests of exports share: a run with call stacks, what its CSV says, and the runner of tests/cli."""
import collections
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
from cli import check, main, refused, test, tipoff  # noqa: E402,F401

PROGRAM = ROOT / "build/workloads/compress.small.elf"
ENTERED = re.compile(r" \[(exception|interrupt|signal)\]$")  # after the name of a function that was not called


def sampled(folder, *options, program=PROGRAM, period=97):
    path = folder / "run.tips"
    status, _, err = tipoff("run", "--config", "small2", "--quiet", "--period", period, "--samples", path, *options, program)
    check(status == 0, f"the run failed: {err}")
    return path


def exported(name, path, *options, output=None):
    output = output or path.with_suffix("." + name)
    status, out, err = tipoff("report", "--format", name, "--output", output, *options, path)
    check((status, out, err) == (0, "", ""), f"--format {name}: {status} {out!r} {err!r}")
    return output


def table(path, *options):
    """(units of a cycle, rows) of a report as CSV."""
    status, out, err = tipoff("report", "--format", "csv", "--comments", *options, path)
    check(status == 0, f"{options}: {err}")
    lines = out.splitlines()
    return int(re.search(r"U=(\d+)", lines[0])[1]), list(csv.DictReader(line for line in lines if not line.startswith("# ")))


def functions(path, *options):
    """Of each function its inclusive and exclusive cycles."""
    _, rows = table(path, "--children", *options)
    return {row["function"]: (float(row["inclusive_cycles"]), float(row["exclusive_cycles"])) for row in rows}


def by(path, column, *options):
    """Cycles by a column of the profile's rows."""
    _, rows = table(path, *options)
    sums = collections.Counter()
    for row in rows:
        sums[row[column]] += float(row["cycles"])
    return sums


def plain(name):
    return ENTERED.sub("", name)


def sums_of(stacks):
    """Inclusive and exclusive weight by name: of (names root first, weight)."""
    inclusive, exclusive = collections.Counter(), collections.Counter()
    for names, weight in stacks:
        names = [plain(name) for name in names]
        exclusive[names[-1]] += weight
        for name in set(names):
            inclusive[name] += weight
    return inclusive, exclusive


def near(found, expected, bound, what):
    check(abs(found - expected) <= bound, f"{what}: {found}, not {expected} within {bound}")
