#!/usr/bin/env python3
"""Speed of the SystemC simulation beside the C harness's, on one model: a table in docs/guide/systemc.md, with the machine.

    scripts/systemc_speed.py [--repeats 5]

Simulated cycles a second of the processor's own time (user and system), one thread, so that other work on the machine counts little; the
median of several runs, taken in turn. Nothing here passes or fails.
"""
import argparse
import os
import statistics
import subprocess
import sys

import bench
import page_head

PAGE = bench.ROOT / "docs/guide/systemc.md"
BEGIN, END = "<!-- table by scripts/systemc_speed.py -->\n", "<!-- end of table -->"
CONFIG, PROGRAM = "small2", "interp.medium"
COMMANDS = [("C harness", "build/bin/tipoff"), ("SystemC", "build/bin/tipoff-systemc")]
VARIANTS = [("nothing checked", ["--no-cosim", "--no-oracle"]), ("every check, sampled every 997 cycles", ["--period", "997"])]


def seconds(command, options):
    before = os.times()
    done = subprocess.run(
        [command, "run", "--config", CONFIG, "--quiet", "--threads", "1", *options, f"build/workloads/{PROGRAM}.elf"],
        cwd=bench.ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    after = os.times()
    if done.returncode != 0:
        sys.exit(f"scripts/systemc_speed.py: {command}: status {done.returncode}: {done.stderr.decode()}")
    return after.children_user - before.children_user + after.children_system - before.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    cycles = bench.run(CONFIG, PROGRAM, ["--no-cosim", "--no-oracle"])["cycles"]
    took = {(command, name): [] for _, command in COMMANDS for name, _ in VARIANTS}
    for _ in range(repeats):
        for name, options in VARIANTS:
            for _, command in COMMANDS:
                took[command, name].append(seconds(command, options))
    khz = {key: cycles / statistics.median(values) / 1e3 for key, values in took.items()}
    lines = ["| kHz (of processor time) | " + " | ".join(name for name, _ in VARIANTS) + " |\n", "|---|" + "---:|" * len(VARIANTS) + "\n"]
    lines += [f"| {title} | " + " | ".join(f"{khz[command, name]:.0f}" for name, _ in VARIANTS) + " |\n" for title, command in COMMANDS]
    lines.append(
        "| cost of SystemC | " + " | ".join(f"{100 * (1 - khz[COMMANDS[1][1], name] / khz[COMMANDS[0][1], name]):.0f} %" for name, _ in VARIANTS) + " |\n"
    )
    lines += [
        "\n",
        f"{PROGRAM} on {CONFIG}, {cycles:,} cycles, one thread, median of {repeats} runs.\n\n",
        page_head.sentence("make systemc-speed") + "\n",
    ]
    print("".join(lines), end="")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + "".join(lines) + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
