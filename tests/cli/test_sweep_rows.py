#!/usr/bin/env python3
"""`tipoff sweep FILE.toml`: each row is what a run by hand says, and what `tipoff compare` says of its samples.

    tests/cli/test_sweep_rows.py [--only TEXT]

Needs build/bin/tipoff, the small workloads and the model of small2.
"""
import csv
import io
import itertools
import json
import sys

from cli import ROOT, check, main, test, tipoff
from sweeps import swept, written


@test
def rows_are_runs(folder):
    """Every combination, in order; what a run of the same options says of it."""
    rows, _, err = swept(written(folder))
    wanted = itertools.product(("interp.small", "queens.small"), ("97", "397"), ("20", "60"))
    check([(row["program"], row["period"], row["llc.latency"]) for row in rows] == list(wanted), f"{rows}")
    check("8 points: 0 finished before, 8 run now, 0 not finished" in err, err)
    for row in rows[1::3]:
        stats, tips = folder / "stats.json", folder / "run.tips"
        program = ROOT / f"build/workloads/{row['program']}.elf"
        status, _, err = tipoff(
            "run",
            "--config",
            "small2",
            "--quiet",
            "--period",
            row["period"],
            "--max-cycles",
            row["max_cycles"],
            "--set",
            f"llc.latency={row['llc.latency']}",
            "--stats",
            stats,
            "--samples",
            tips,
            program,
        )
        said = json.loads(stats.read_text())
        for key in "status", "cycles", "instructions", "ipc", "samples", "effective_samples":
            check(float(row[key]) == said[key], f"{row['program']}: {key}: {row[key]}, {said[key]}")
        for group in "events", "memory", "state_cycles":
            check(said[group] and all(float(row[f"{group}.{name}"]) == value for name, value in said[group].items()), f"{group}: {row}")
        compared = [
            line
            for line in csv.DictReader(io.StringIO(tipoff("compare", "--format", "csv", "--pool", "blocks", "--pool", "counts", tips)[1]))
            if line["components"] == "time"
        ]
        for line in (line for line in compared if line["profiler"] == "TIP"):
            check(
                float(row[f"chance.{line['granularity']}"]) == float(line["chance"])
                and float(row[f"chance_deviation.{line['granularity']}"]) == float(line["chance_deviation"]),
                f"chance: {row}",
            )
        check(
            float(row["chance.instruction"]) > float(row["chance.function"]) > 0
            and float(row["chance_stacks.instruction"]) >= float(row["chance.instruction"]),
            f"chance: {row}",
        )
        check(
            status == 124
            and len(compared) > 20
            and all(float(row[f"error.{line['profiler']}.{line['granularity']}"]) == float(line["error"]) for line in compared),
            f"errors: {row}",
        )
    check(
        len({row["cycles"] for row in rows}) == 1 and len({row["instructions"] for row in rows}) == 4,
        "the latency changes what is done in as many cycles, the period does not",
    )
    check(not {"wall_seconds", "khz"} & set(rows[0]), "a column that differs from run to run")


if __name__ == "__main__":
    sys.exit(main())
