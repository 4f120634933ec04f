#!/usr/bin/env python3
"""Positions in a run: the cycle that each form means, found a second time in the trace of commit bundles and in the list of samples.

    tests/cli/test_positions.py [--only TEXT]

--around, --trace-from, --trace-to, --fst-from, --fst-to. Needs build/bin/tipoff, the small workloads and the model of small2.
"""
import csv
import io
import struct
import subprocess
import sys

from cli import ROOT, RUN, SMALL, check, main, refused, test, tipoff

SAMPLING = ["--period", 97, "--seed", 5, "--jitter=4"]
END = ["--max-cycles", 20_000]
RAN_OUT = 124


def symbols():
    lines = subprocess.run(["riscv64-unknown-elf-nm", SMALL], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[2]: int(line.split()[0], 16) for line in lines}


def traced(folder, *options):
    """{cycle: [addresses that commit in it]}, by the trace of bundles."""
    path = folder / "bundles.csv"
    status, _, err = tipoff(*RUN, "--quiet", *options, "--trace", path, "--trace-format", "csv", SMALL)
    check(status == RAN_OUT, f"{options}: status {status}: {err}")
    rows = {}
    for row in csv.DictReader(path.open()):
        lanes = [i for i in range(2) if row[f"commit{i}"] == "1"]
        rows[int(row["cycle"])] = [int(row[f"pc{i}"], 16) for i in lanes]
    return rows


def commits(rows, address):
    return [cycle for cycle, pcs in rows.items() for pc in pcs if pc == address]


def listed(folder):
    """[(cycle, its addresses)] of the samples."""
    path = folder / "run.tips"
    tipoff(*RUN, "--quiet", *SAMPLING, *END, "--samples", path, SMALL)
    rows = csv.DictReader(io.StringIO(tipoff("samples", path)[1]))
    return [(int(row["cycle"]), {int(row[f"addr{i}"], 16) for i in range(2) if row[f"addr{i}"]}) for row in rows]


def around(folder, position, cycles=10):
    """First and last cycle that --around writes, what it says, and the log of the pipeline view."""
    log = folder / "view.log"
    path = folder / "around.csv"
    status, out, err = tipoff(*RUN, *SAMPLING, *END, "--around", f"{position},{cycles}", "--kanata", log, "--trace", path, "--trace-format", "csv", SMALL)
    check(status == RAN_OUT and not out.startswith("interp"), f"{position}: status {status}: {out}{err}")
    rows = [int(line.split(",")[0]) for line in path.read_text().splitlines()[1:]]
    return rows[0], rows[-1], err, log.read_text()


@test
def around_a_sample(folder):
    """The N-th row of `tipoff samples`; the N-th that has the instruction's address in it. The view shows its mark."""
    samples = listed(folder)
    main_at = symbols()["main"]
    inside = sorted({address for _, addresses in samples for address in addresses if address >= main_at})
    often = max(inside, key=lambda address: sum(address in addresses for _, addresses in samples))
    named = [cycle for cycle, addresses in samples if often in addresses]
    check(len(samples) > 50 and len(named) > 5, f"{len(samples)} samples, {len(named)} of {often:#x}")
    cases = [(f"sample:{n}", samples[n - 1][0]) for n in (1, 2, 40)]
    cases += [(f"main+{often - main_at}@sample:{n}", named[n - 1]) for n in (1, 3, len(named))] + [(f"{often:#x}@sample:2", named[1])]
    for position, cycle in cases:
        first, last, err, _ = around(folder, position)
        check(
            (first, last) == (max(0, cycle - 10), cycle + 10) and f"{position} is in cycle {cycle}:" in err,
            f"{position}: {cycle}, not {first} to {last}: {err}",
        )
    for position, cycle in cases[1:]:
        first, last, err, log = around(folder, position, 400)  # the instruction entered the ROB in it
        check(f"sampled in cycle {cycle}:" in log, f"{position}: no mark of cycle {cycle} in {first} to {last}")
    refused(
        [*RUN, "--quiet", *SAMPLING, *END, "--around", f"{often:#x}@sample:{len(named) + 1}", "--kanata", folder / "x", SMALL],
        "the run ends before it: choose an earlier one",
    )


@test
def around_an_execution(folder):
    """The cycle in which an instruction commits for the N-th time; what is in flight at the region's end leaves as in the whole run."""
    rows = traced(folder, *END)
    main_at = symbols()["main"]
    again = max(set(sum(rows.values(), [])), key=lambda pc: len(commits(rows, pc)) if pc >= main_at else 0)
    times = commits(rows, again)
    check(len(times) > 20, f"{again:#x} commits {len(times)} times")
    for position, cycle in (
        ("main", commits(rows, main_at)[0]),
        (f"{again:#x}", times[0]),
        (f"main+{again - main_at:#x}:7", times[6]),
        (f"{again:#x}:{len(times) - 3}", times[-4]),
        ("3000", 3000),
    ):
        first, last, err, _ = around(folder, position)
        check((first, last) == (cycle - 10, cycle + 10), f"{position}: {cycle}, not {first} to {last}: {err}")
    tipoff(*RUN, "--quiet", *END, "--kanata", folder / "whole", "--trace-from", 2990, "--trace-to", 3010, SMALL)
    tipoff(*RUN, "--quiet", "--around", "3000,10", "--kanata", folder / "part", SMALL)
    check((folder / "whole").read_text() == (folder / "part").read_text() and "\tC\n" in (folder / "part").read_text(), "another view of the same cycles")


def fst_times(path):
    """First and last time of a waveform file, half cycles: the first words of its header block."""
    data = path.read_bytes()
    check(data[0] == 0, f"block {data[0]}, not a header")
    return struct.unpack(">QQ", data[9:25])


@test
def waveforms(folder):
    """They begin after the cycle in which the edge is met, and end with that of the other; around a sample to the cycle."""
    rows, fst = traced(folder, *END), folder / "w.fst"
    main_at = symbols()["main"]

    def times(*options):
        status, _, err = tipoff(*RUN, "--quiet", *SAMPLING, *END, "--fst", fst, *options, SMALL)
        check(status == RAN_OUT, f"{options}: status {status}: {err}")
        return fst_times(fst)

    first, last = times("--fst-from", 1000, "--fst-to", 1200)
    reset = first - 2000  # half cycles before cycle 0
    check(last == 2 * 1200 + 1 + reset, f"cycles 1000 to 1200: times {first} to {last}")
    begin = commits(rows, main_at)[0]
    later = [pc for cycle in range(begin + 30, begin + 900) for pc in rows[cycle]][-1]
    end = next(cycle for cycle in commits(rows, later) if cycle > begin)
    got = times("--fst-from", "main", "--fst-to", f"{later:#x}")
    check(got == (2 * (begin + 1) + reset, 2 * end + 1 + reset), f"cycles {begin + 1} to {end}: times {got}, reset {reset}")
    cycle = listed(folder)[8][0]
    # The unit shows its sample a cycle after the sample's: there the edge is met.
    check(
        times("--fst-from", "sample:9", "--fst-to", cycle + 5) == (2 * (cycle + 2) + reset, 2 * (cycle + 5) + 1 + reset), f"after the sample of cycle {cycle}"
    )
    check(times("--around", "sample:9,30") == (2 * (cycle - 30) + reset, 2 * (cycle + 30) + 1 + reset), f"around the sample of cycle {cycle}")


@test
def samples_of_a_file(folder):
    """sample:N of a trace's region counts samples, not triggers that came while one waited."""
    path, program = folder / "x.tips", ROOT / "build/workloads/chase.small.elf"
    tipoff(*RUN, "--quiet", "--period", 16, *END, "--samples", path, program)
    rows = list(csv.DictReader(io.StringIO(tipoff("samples", path)[1])))
    number = next(i for i, row in enumerate(rows, 1) if sum(int(r["repeats"]) for r in rows[: i - 1]) > 20)
    shown = folder / "x.csv"
    tipoff(*RUN, "--quiet", "--period", 16, *END, "--worker", f"csv:file={shown},from=sample:{number}", program)
    first = int(shown.read_text().splitlines()[1].split(",")[0])
    check(first == int(rows[number - 1]["cycle"]) + 1, f"sample:{number} belongs to cycle {rows[number - 1]['cycle']}: from cycle {first}")


@test
def bad_input(folder):
    log = ["--kanata", folder / "x"]
    for position, text in (
        ("nosuch", "no symbol 'nosuch'"),
        ("main+x", "not a number of bytes"),
        ("12x", "not a cycle"),
        ("main:0", "the first is 1"),
        ("sample:0", "the first is sample:1"),
        ("sample:3", "give --period"),
        ("main@sample:3", "give --period"),
        ("main:1000000", "the run ends before it"),
    ):
        refused([*RUN, "--quiet", "--around", position, *log, SMALL], f"--around {position}: ", text)
    refused([*RUN, "--around", "main", SMALL], "--around needs --trace, --kanata or --fst", lines=0)
    refused([*RUN, "--around", "main,x", *log, SMALL], "not a number", lines=0)
    refused([*RUN, "--around", "", *log, SMALL], "names no position", lines=0)
    for option in "--trace-from", "--trace-to", "--fst-from", "--fst-to":
        refused([*RUN, "--around", "main", option, 5, *log, SMALL], "omit --trace-from", lines=0)
    for option, other in ("--fst-from", "--fst-to"), ("--trace-from", "--trace-to"):
        refused([*RUN, "--fst", folder / "y", *log, option, "main@sample:3", SMALL], "no sample of an instruction here")
        refused([*RUN, "--fst", folder / "y", *log, option, "main:4", other, "main:3", SMALL], f"{option} main:4 is after {other} main:3")
        refused([*RUN, "--fst", folder / "y", *log, option, "sample:3", SMALL], "give --period")
    refused([*RUN, "--around", "main", "--input", "/dev/zero", *log, SMALL], "/dev/zero: cannot be read twice", lines=1)
    check(not list(folder.iterdir()), "bad input has made a file")


if __name__ == "__main__":
    sys.exit(main())
