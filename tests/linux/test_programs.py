#!/usr/bin/env python3
"""Programs of Debian's source packages on the ISS, under Linux: what the same sources, built for this machine, print and end with.

    tests/linux/test_programs.py [--only NAME]... [--skip-unbuilt]

Needs build/bin/tipoff, build/linux/linux.elf (make linux) and scripts/programs/build.py (make linux-programs). A program that is not
built is a fault, or, with --skip-unbuilt, named in a line of its own. Each runs twice: at once, and from a checkpoint at its first instruction, which counts its instructions.
"""
import argparse
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/programs"))
from iss import on_iss, whole_run  # noqa: E402
from programs import load  # noqa: E402

LEAST = 1_000_000  # instructions: less is no work


def differs(what, got, want):
    if got == want:
        return []
    at = next((i for i, (a, b) in enumerate(zip(got[1], want[1])) if a != b), min(len(got[1]), len(want[1])))
    return [
        f"{what}: status {got[0]}, {len(got[1])} bytes; on this machine {want[0]}, {len(want[1])} bytes; first difference at byte {at}: "
        f"{got[1][at:at + 60]!r}, not {want[1][at:at + 60]!r}"
    ]


def check(program, folder):
    if not program.built():
        return [f"{program.name}: NOT BUILT, not tested: make linux-programs"]
    want = program.run_native()
    faults = differs(f"{program.name}: the native program, run again", want, program.expected())
    faults += differs(f"{program.name}: tipoff linux --iss", whole_run(program), want)
    machine = folder / f"{program.name}.machine"
    status, output, instructions, mips = on_iss(program, machine)
    machine.unlink()
    faults += differs(f"{program.name}: from a checkpoint", (status, output), want)
    if instructions < LEAST:
        faults.append(f"{program.name}: {instructions} instructions only")
    print(
        f"  {program.name:15} {instructions:12,} instructions {mips:6.1f} MIPS, status {status}, {len(output):8,} bytes {'as on this machine' if not faults else 'WRONG'}",
        flush=True,
    )
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--skip-unbuilt", action="store_true")
    arguments = parser.parse_args()
    chosen = [program for name, program in load().items() if not arguments.only or name in arguments.only]
    missing = [program for program in chosen if not program.built()] if arguments.skip_unbuilt else []
    if missing:
        print(f"  SKIPPED, NOT BUILT, NOTHING TESTED: {', '.join(program.name for program in missing)}; make linux-programs", flush=True)
        chosen = [program for program in chosen if program.built()]
    with tempfile.TemporaryDirectory() as name:
        faults = [fault for program in chosen for fault in check(program, pathlib.Path(name))]
    print("\n".join(faults) or f"{len(chosen)} programs")
    return 1 if faults or not (chosen or missing) else 0


if __name__ == "__main__":
    sys.exit(main())
