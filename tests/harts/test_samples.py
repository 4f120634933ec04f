#!/usr/bin/env python3
"""Samples of several harts: which data they wait for, and whose they are, in every report and format.

    tests/harts/test_samples.py [--only TEXT]

Two harts that take lines from each other (lines.c), on small2c; addresses are held to nm's. Needs build/bin/tipoff and the model.
"""
import collections
import csv
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, check, main, test, tipoff  # noqa: E402
from programs import built  # noqa: E402

sys.path.insert(0, str(ROOT / "python"))
import tipoff as module  # noqa: E402

HERE = ROOT / "tests/harts"
LINE = 64


def symbols(program):
    said = subprocess.run(["riscv64-unknown-elf-nm", program], check=True, capture_output=True, text=True).stdout
    return {name: int(address, 16) for address, _, name in (line.split() for line in said.splitlines())}


def sampled(folder):
    """Symbols, and the files of both harts."""
    program = built(folder, "-DHARTS=2", HERE / "start.S", HERE / "lines.c")
    status, _, err = tipoff("run", "--config", "small2c", "--harts", 2, "--period", 23, "--samples", folder / "run.tips", "--quiet", program)
    check(status == 0, f"status {status}: {err}")
    return symbols(program), [folder / f"run.hart{hart}.tips" for hart in range(2)]


@test
def data(folder):
    """Stalled on a load or an AMO: its own line; at a fence, or Drained as the store queue is full: the line of the store that drains."""
    at, files = sampled(folder)
    for hart, file in enumerate(files):
        waits = collections.defaultdict(collections.Counter)
        samples = module.Samples(file).samples
        check(all(s.hart == hart for s in samples), "each hart has a file")
        for s in samples:
            if s.state in ("Stalled", "Drained") and s.lanes:
                waits[s.state, s.lanes[0].address][s.data_of, s.data] += 1
            else:
                check(s.data_of is None and s.data is None, f"{s.state} waits for no data: {s}")
        for label, data_of, expected in (
            ("load_it", "access", at["loaded"]),
            ("add_it", "access", at["added"]),
            ("fence_it", "drain", at["fenced"] + 8 * hart),
        ):
            found = waits["Stalled", at[label]]
            check(found[data_of, expected] >= 10 and len(found) == 1, f"{label} of hart {hart}: 0x{expected:x} expected: {found}")
        full = collections.Counter()
        for (state, address), found in waits.items():
            if state == "Drained" and at["fill_it"] <= address < at["fill_it"] + 256:
                full += found
        drains = {address for (data_of, address), times in full.items() if data_of == "drain"}
        lines = {at["filled"] + LINE * i + 8 * hart for i in range(4)}
        check(drains == lines, f"DR_SQ of hart {hart}: {[hex(a) for a in lines]} expected: {full}")
        status, out, _ = tipoff("samples", file)
        rows = [(row["data_of"] or None, int(row["data"], 16) if row["data"] else None) for row in csv.DictReader(out.splitlines())]
        check(status == 0 and rows == [(s.data_of, s.data) for s in samples], "tipoff samples and the module read the same")


if __name__ == "__main__":
    sys.exit(main())
