#!/usr/bin/env python3
"""Programs with known answers, one for each state of a cycle, on any core that has a model: what an adapter gets wrong, they show.

    attach/answers/answers.py --config NAME [--model FILE] [--only PROGRAM] [-- OPTION...]    options of `tipoff run`

The answers stand in the programs (attach/answers/*.S), in lines `#: STATE [at SYMBOL..SYMBOL] LEAST..MOST % of all|STATE`: shares of the Oracle's
profile, which follows from the commit bundle alone. They hold for any core by the program's construction, not by what ours does.
Needs build/answers/*.elf: `make build/answers/.all`.
"""
import argparse
import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
ANSWER = re.compile(r"#: (\w+)(?: at (\w+)\.\.(\w+))? (\d+)\.\.(\d+) % of (\w+)$")
LONGEST = 300  # seconds, of a program
PROGRAMS = sorted(path.stem for path in HERE.glob("*.S") if path.stem != "finish")


def answers(program):
    """(line, state, first symbol, symbol after the last, least, most, of what) of each answer of a program."""
    lines = [line.rstrip() for line in (HERE / f"{program}.S").read_text().splitlines() if line.startswith("#:")]
    found = [ANSWER.match(line) for line in lines]
    if not lines or None in found:
        raise SystemExit(f"answers.py: {program}.S: no answer, or one that is not: #: STATE [at A..B] LEAST..MOST % of all|STATE")
    return [(line[3:], match[1], match[2], match[3], int(match[4]), int(match[5]), match[6]) for line, match in zip(lines, found)]


def symbols(elf):
    listing = subprocess.run(["riscv64-unknown-elf-nm", elf], capture_output=True, text=True, check=True).stdout
    return {name: int(address, 16) for address, _, name in (line.split() for line in listing.splitlines())}


def measured(elf, options, env=None):
    """{(address, state): weight} of the region, and what the command said."""
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(subprocess.TimeoutExpired):
        profile = pathlib.Path(folder) / "profile.csv"
        done = subprocess.run(
            [
                ROOT / "build/bin/tipoff",
                "run",
                *options,
                "--no-cosim",
                "--quiet",
                "--max-cycles",
                "5000000",
                "--sample-from",
                "measured",
                "--sample-to",
                "ended",
                "--profile",
                profile,
                elf,
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST,
            env=env,
        )
        said = (done.stdout + done.stderr).strip()
        rows = {}
        if done.returncode in (0, 124) and profile.exists():
            for line in profile.read_text().splitlines()[2:]:
                pc, state, _, weight, *_ = line.split(",")
                rows[int(pc, 16), state] = rows.get((int(pc, 16), state), 0) + int(weight)
        return rows, said
    return {}, f"no end within {LONGEST} s"


def share(rows, state, low, high):
    return sum(weight for (pc, s), weight in rows.items() if s == state and low <= pc < high)


def judge(program, options, env=None):
    """[(answer, found in per cent, whether it is within)], or a fault as text."""
    elf = ROOT / f"build/answers/{program}.elf"
    rows, said = measured(elf, options, env)
    if not rows:
        return said or "no profile"
    at, found = symbols(elf), []
    for line, state, first, behind, least, most, of in answers(program):
        total = sum(rows.values()) if of == "all" else share(rows, of, 0, 1 << 64)
        part = share(rows, state, at[first] if first else 0, at[behind] if behind else 1 << 64)
        percent = 100 * part / total if total else 0.0
        found.append((line, percent, least <= percent <= most))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", required=True)
    parser.add_argument("--model")
    parser.add_argument("--only", choices=PROGRAMS)
    parser.add_argument("options", nargs="*", help="of tipoff run, behind --")
    arguments = parser.parse_args()
    options = ["--config", arguments.config, *(["--model", arguments.model] if arguments.model else []), *arguments.options]
    wrong = 0
    for program in [arguments.only] if arguments.only else PROGRAMS:
        found = judge(program, options)
        if isinstance(found, str):
            print(f"WRONG  {program}: {found}")
            wrong += 1
            continue
        for line, percent, good in found:
            print(f"{'right' if good else 'WRONG'}  {program:11} {percent:6.2f} %  {line}")
            wrong += not good
    print(f"{wrong} wrong" if wrong else "all right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
