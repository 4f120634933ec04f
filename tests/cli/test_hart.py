#!/usr/bin/env python3
"""The hart's number: what mhartid reads and the boot ROM passes, on ISS and core, in samples and in checkpoints.

    tests/cli/test_hart.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.tiny.elf and the model of small2.
"""
import csv
import io

from cli import RUN, TINY, assembled, check, main, refused, test, tipoff


@test
def number(folder):
    program = assembled(folder, "hart.S")
    for options, status in (([], 0), (["--hart-id", 0], 0), (["--hart-id", 1], 1), (["--hart-id", "0x7b"], 0x7B)):
        check(tipoff("iss", *options, program)[0] == status, f"iss {options}: status {status} expected")
        check(tipoff(*RUN, *options, program)[0] == status, f"run {options}: status {status} expected")


@test
def samples(folder):
    path = folder / "x.tips"
    for options, number in (([], "0"), (["--hart-id", 200], "200")):
        status, _, err = tipoff(*RUN, "--quiet", "--period", 97, "--samples", path, *options, TINY)
        check(status == 0, f"{options}: status {status}: {err}")
        rows = list(csv.DictReader(io.StringIO(tipoff("samples", path)[1])))
        check(
            len(rows) > 100 and {row["hart"] for row in rows} == {number}, f"{options}: {len(rows)} samples, of harts {sorted({row['hart'] for row in rows})}"
        )


@test
def checkpoint(folder):
    """A machine that was saved keeps its hart's number; nobody passes it another."""
    program, machine = assembled(folder, "hart.S"), folder / "machine"
    check(tipoff("iss", "--hart-id", 9, "--checkpoint", machine, "--at", 50, program)[0] == 0, "checkpoint")
    check(tipoff("iss", "--restore", machine)[0] == 9, "iss --restore: status 9 expected")
    check(tipoff(*RUN, "--restore", machine)[0] == 9, "run --restore: status 9 expected")
    for command in (["iss"], RUN):
        refused([*command, "--restore", machine, "--hart-id", 3], "--hart-id", "the checkpoint determines it", lines=0, status=2)


@test
def refusals(folder):
    program = assembled(folder, "hart.S")
    for command in (["iss"], RUN):
        for value in ("256", "-1", "first", ""):
            refused([*command, "--hart-id", value, program], f"--hart-id {value}", "not a number from 0 to 255", lines=0)


if __name__ == "__main__":
    raise SystemExit(main())
