#!/usr/bin/env python3
"""Idle cycles are skipped: `tipoff run --skip` writes what the run without it writes, and takes those cycles at all.

    tests/cli/test_skip.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.tiny.elf and the model of small2.
"""
import json
import re

from cli import RUN, TINY, assembled, check, main, refused, test, tipoff

SAMPLING = (("--period", 500), ("--period", 700, "--jitter=none"), ("--period", 900, "--jitter-kind", "golden"))


def files_of(folder, name, program, *options):
    """Trace, profile, report and statistics of a run, without what it took; and its messages."""
    paths = {kind: folder / f"{name}.{kind}" for kind in ("trace", "tips", "json", "csv")}
    status, out, err = tipoff(
        *RUN, *options, "--trace", paths["trace"], "--samples", paths["tips"], "--stats", paths["json"], "--profile", paths["csv"], program
    )
    check(status == 0, f"{name}: status {status}: {err}")
    statistics = {key: value for key, value in json.loads(paths["json"].read_text()).items() if key not in ("wall_seconds", "khz")}
    listed = tipoff("samples", paths["tips"])[1]
    return [paths["trace"].read_bytes(), paths["csv"].read_bytes(), listed, statistics], err


def skipped(err):
    return int(re.search(r"^ +([\d,]+) cycles, in which the core is idle", err, re.M).group(1).replace(",", ""))


@test
def same(folder):
    """Of a program that waits, most cycles are skipped; whatever samples, every file is that of all cycles."""
    idle = assembled(folder, "idle.S")
    for options in SAMPLING:
        plain, _ = files_of(folder, "plain", idle, *options)
        left_out, err = files_of(folder, "skip", idle, "--skip", *options)
        cycles = plain[3]["cycles"]
        check(skipped(err) > cycles // 3, f"{options}: {skipped(err)} of {cycles} cycles skipped")
        for name, a, b in zip(("trace", "profile", "samples", "statistics"), plain, left_out):
            check(a == b, f"{options}: {name} differ with --skip")


@test
def busy(folder):
    """A program that hardly waits is the same, too."""
    plain, _ = files_of(folder, "plain", TINY, "--period", 97)
    check(files_of(folder, "skip", TINY, "--skip", "--period", 97)[0] == plain, "files differ with --skip")


@test
def checked(folder):
    """The cycles themselves come to what skipping them does: as many are looked at."""
    idle = assembled(folder, "idle.S")
    _, err = files_of(folder, "check", idle, "--skip=check", "--period", 500)
    check(skipped(err) > 3000, f"{skipped(err)} cycles checked")
    refused(["run", "--skip=most", idle], "--skip=most", "write --skip or --skip=check", lines=2)


if __name__ == "__main__":
    raise SystemExit(main())
