#!/usr/bin/env python3
"""Compares the speed of two builds of the ISS, on a machine that others use too: by their processor time in turn, and by host instructions.

    scripts/iss_speed.py OLD NEW PROGRAM...                two commands `tipoff`; ELF files, or machines (of --checkpoint)
    scripts/iss_speed.py --host-instructions OLD NEW PROGRAM...   by callgrind (Debian's valgrind); it does not know all
                                                           instructions, and stumbles over debug information: both built by make MARCH=x86-64-v3 build/bin/tipoff-x86-64-v3, and strip -g

A row: the program, its instructions, nanoseconds of processor time (or host instructions) for one of them on OLD and NEW, and how many times as fast NEW is. What starting
costs is subtracted: the same command with --max-insns 1000. The least of --repeats runs counts. How it came out: docs/results/benchmarks.md.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FIRST = 1000  # instructions: the start


def arguments(program, most):
    options = ["iss"] + (["--max-insns", str(most)] if most else [])
    return options + (["--restore", program] if program.endswith(".machine") else [program])


def instructions_in(text):
    found = re.search(r"([\d,]+) instructions in ", text)
    if not found:
        sys.exit(f"iss_speed: {text[-500:]}")
    return int(found[1].replace(",", ""))


def processor_time(command, program, most):
    """Instructions, and user and system seconds."""
    with tempfile.TemporaryFile("w+") as closing:
        child = subprocess.Popen([command, *arguments(program, most)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=closing)
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = 0  # it has been waited for
        closing.seek(0)
        return instructions_in(closing.read()), usage.ru_utime + usage.ru_stime


def host_instructions(command, program, most):
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", command, *arguments(program, most)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if not collected:
        sys.exit(f"iss_speed: {done.stderr[-500:]}")
    return instructions_in(done.stderr), int(collected[1])


def for_one(measure, commands, program, most, repeats):
    """Instructions, and of each command the cost of one of them."""
    whole, start = [[] for _ in commands], [[] for _ in commands]
    for _ in range(repeats):
        for i, command in enumerate(commands):
            whole[i].append(measure(command, program, most))
            start[i].append(measure(command, program, FIRST))
    count = whole[0][0][0]
    if any(instructions != count for runs in whole for instructions, _ in runs):
        sys.exit(f"iss_speed: {program}: not as many instructions in all runs")
    costs = [min(cost for _, cost in whole[i]) - min(cost for _, cost in start[i]) for i in range(len(commands))]
    return count, [cost / (count - FIRST) for cost in costs]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("programs", metavar="PROGRAM", nargs="+")
    parser.add_argument("--repeats", type=int, default=9, metavar="N", help="runs of each (default: 9)")
    parser.add_argument("--host-instructions", action="store_true", help="count instead, once")
    args = parser.parse_args()
    counted = args.host_instructions
    print("| program | instructions | old, %s | new | times as fast |\n|---|---:|---:|---:|---:|" % ("host instructions each" if counted else "ns each"))
    for program in args.programs:
        measure, most, repeats = (host_instructions, 3_000_000, 1) if counted else (processor_time, None, args.repeats)
        count, (old, new) = for_one(measure, [args.old, args.new], program, most, repeats)
        unit = 1 if counted else 1e9
        print(f"| {pathlib.Path(program).name} | {count:,} | {old * unit:.2f} | {new * unit:.2f} | {old / new:.2f} |", flush=True)


if __name__ == "__main__":
    main()
