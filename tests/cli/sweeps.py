"""Sweeps that tests run: their file, and the table that comes of it."""
import csv
import io

from cli import check, tipoff

SWEEP = """program = ["interp.small", "queens.small"]
config = "small2"
period = [97, 397]
max_cycles = 10000

[set]
"llc.latency" = [20, 60]

[[plot]]
x = "llc.latency"
y = "ipc"
"""
FEW = SWEEP.replace("97, 397", "97")


def written(folder, text=SWEEP, name="sweep.toml"):
    path = folder / name
    path.write_text(text)
    return path


def swept(path, *options, status=0, **more):
    """Rows of the table, its text, stderr."""
    got, out, err = tipoff("sweep", path, *options, **more)
    check(got == status and out == "", f"{options}: status {got}: {out}{err}")
    text = path.with_suffix(".sweep").joinpath("table.csv").read_text()
    return list(csv.DictReader(io.StringIO(text))), text, err
