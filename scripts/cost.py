#!/usr/bin/env python3
"""What each worker costs, in instructions of the machine that simulates for a cycle of the one that is simulated.

    scripts/cost.py [--config small2] [--program interp.small] [--from 5000] [--to 20000]

Runs a program up to two cycles under callgrind and takes the difference, so that start and end count for nothing: bare, with everything
on, and with each worker taken out (and those that stand on it). Counts, not times: the same on every machine that has the same compiler,
however busy it is; two runs differ by less than a tenth of a percent. On one CPU everything is in the model's thread (`--threads 1`);
on two, what counts is what is left in it beside the thread of the workers (`--threads 2`). `make cost` builds what it needs: valgrind does not know all
instructions of new machines, so that the command and the model are for x86-64-v3; `make cost COST_CONFIG=tea4` does so for another core.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COST = ROOT / "build/cost"
GOALS = {"1": 8, "2": 3}  # percent of the bare model's instructions, everything on, in the model's thread; by --threads
BARE = ["--no-cosim", "--no-oracle"]
PERIOD = 997


def standard_workers(tipoff):
    """Names of the workers that run without being named."""
    lines = subprocess.run([tipoff, "workers"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[1] for line in lines if line.startswith("+ ")]


def prepare(config):
    """A copy of the command that valgrind can read (it stumbles over clang's debug information), in a folder like the one it comes from."""
    (COST / "bin").mkdir(parents=True, exist_ok=True)
    (COST / config).mkdir(exist_ok=True)
    subprocess.run(["strip", "-g", "-o", COST / "bin/tipoff", ROOT / "build/bin/tipoff-x86-64-v3"], check=True)
    for name, target in (("gen", "gen"), ("model.so", "model-x86-64-v3.so")):
        link = COST / config / name
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(ROOT / "build" / config / target, link.parent))
    return COST / "bin/tipoff"


def instructions(tipoff, config, program, cycles, options):
    """Of the model's thread, and of all others: of the whole command, run up to `cycles`."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        command = [
            "valgrind",
            "--tool=callgrind",
            "--separate-threads=yes",
            f"--callgrind-out-file={out}",
            tipoff,
            "run",
            "--config",
            config,
            "--quiet",
            "--max-cycles",
            str(cycles),
            *options,
            ROOT / f"build/workloads/{program}.elf",
        ]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        counts = [re.search(r"^(?:summary|totals): (\d+)", path.read_text(), re.M) for path in sorted(out.parent.glob("out-*"))]
    if done.returncode != 124 or not counts or not all(counts):
        sys.exit(
            f"cost: {program} on {config}, {cycles} cycles: status {done.returncode} where 124 is due (the program must be longer than --to):\n{done.stderr}"
        )
    first, *others = (int(count[1]) for count in counts)
    return first, sum(others)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="small2")
    parser.add_argument("--program", default="interp.small")
    parser.add_argument("--from", dest="first", type=int, default=5000, metavar="CYCLE")
    parser.add_argument("--to", dest="last", type=int, default=20000, metavar="CYCLE")
    parser.add_argument("--brief", action="store_true", help="the totals alone")
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("cost: no valgrind: make deps installs it")
    if arguments.first >= arguments.last:
        sys.exit(f"cost: --from {arguments.first} does not lie before --to {arguments.last}: swap them")
    tipoff = prepare(arguments.config)

    def both_per_cycle(options):
        first, last = (instructions(tipoff, arguments.config, arguments.program, cycles, options) for cycles in (arguments.first, arguments.last))
        return [(b - a) / (arguments.last - arguments.first) for a, b in zip(first, last)]

    def per_cycle(options):
        return both_per_cycle(["--threads", "1", *options])[0]

    bare = per_cycle(BARE)

    def row(name, value):
        print(f"| {name} | {value:.0f} | {100 * value / bare:.2f} % |", flush=True)

    print(
        f"{arguments.program} on {arguments.config}, cycles {arguments.first} to {arguments.last}: instructions a cycle\n\n| what | instructions | of the bare model |\n|---|---|---|"
    )
    row("the bare model", bare)
    total = per_cycle([])
    row("all workers", total - bare)
    sampling = per_cycle(["--period", str(PERIOD)])
    row(f"all workers, sampling every {PERIOD} cycles", sampling - bare)
    row("lockstep and the checks alone", per_cycle(["--no-oracle"]) - bare)
    row("Oracle, profilers and counts alone", per_cycle(["--no-cosim"]) - bare)
    left, away = both_per_cycle(["--threads", "2", "--period", str(PERIOD)])
    row("all that, the workers in their own thread: in the model's", left - bare)
    row("... and in theirs", away)
    if not arguments.brief:
        print(
            "\nWhat goes when one is taken out, with all that stands on it (lockstep: all checks but the Oracle; shadow-rob: event-vectors):\n\n| worker | instructions | of the bare model |\n|---|---|---|"
        )
        for worker in standard_workers(tipoff):
            row(worker, sampling - per_cycle(["--period", str(PERIOD), "--worker", f"{worker}:on=no"]))
    for threads, name, count in (("1", "in one thread", sampling), ("2", "in the model's thread, beside that of the workers", left)):
        cost = 100 * (count - bare) / bare
        print(f"\nEverything on costs {cost:.1f} % {name} (goal: {GOALS[threads]} % at most: {'met' if cost <= GOALS[threads] else 'missed'}).")


if __name__ == "__main__":
    main()
