#!/usr/bin/env python3
"""Measures Linux: its boot and programs on the ISS, restoring a machine, and a program on the cores with and without checks; writes the section "Linux" of docs/results/benchmarks.md.

    scripts/bench_linux.py [--repeats 5]      part of make bench, where make linux and make linux-programs have been run

Seconds and MIPS are what the command's closing line says of the ISS alone; restoring is the whole command. Nothing here passes or fails.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts/programs"))
from iss import start  # noqa: E402
from programs import load  # noqa: E402

TIPOFF = ROOT / "build/bin/tipoff"
LINUX = ROOT / "build/linux/linux.elf"
PAGE = ROOT / "docs/results/benchmarks.md"
HEADING, BEHIND = "## Linux\n", "# Records"
GOAL_MIPS, GOAL_RESTORE = 300, 1
CONFIGS, PROGRAM, REGION = ("small2", "tea4"), "lua", 300_000
VARIANTS = [
    ("bare", ["--threads", "1", "--no-cosim", "--no-oracle"]),
    ("lockstep, all checks, Oracle, sampling every 997 cycles", ["--threads", "1", "--period", "997"]),
    ("the same, workers in their own thread", ["--threads", "2", "--period", "997"]),
]


def progress(text):
    print(f"  BENCH {text}", flush=True)


def iss(*arguments):
    """Instructions and MIPS of a run on the ISS."""
    done = subprocess.run([TIPOFF, "iss", *map(str, arguments)], capture_output=True, text=True, errors="replace", check=False)
    closing = re.search(r"([\d,]+) instructions in .*?, ([0-9.]+) MIPS", done.stderr)
    if not closing:
        sys.exit(f"bench: tipoff iss {' '.join(map(str, arguments))}: {done.stderr[-500:]}")
    return int(closing[1].replace(",", "")), float(closing[2])


def median_of(repeats, measure):
    return statistics.median(measure() for _ in range(repeats))


def seconds(*command):
    began = time.monotonic()
    subprocess.run([TIPOFF, *map(str, command)], capture_output=True, check=False)
    return time.monotonic() - began


def verdict(met):
    return "met" if met else "missed"


def on_iss(programs, folder, repeats):
    instructions = iss(LINUX)[0]
    boot = median_of(repeats, lambda: instructions / 1e6 / iss(LINUX)[1])
    lines = [
        "",
        f"The boot, firmware and kernel, from reset to the power-off: {instructions:,} instructions, {boot:.2f} s on the ISS.",
        "",
        "| program, to its end on the ISS | instructions | MIPS |",
        "|---|---:|---:|",
    ]
    rates = []
    for program in programs.values():
        progress(f"{program.name} on the ISS")
        start(program, folder / "p.machine")
        count = iss("--restore", folder / "p.machine")[0]
        rates.append(median_of(repeats, lambda: iss("--restore", folder / "p.machine")[1]))
        lines.append(f"| {program.name} | {count:,} | {rates[-1]:.0f} |")
    middle = statistics.median(rates)
    return [*lines, "", f"The median of them is {middle:.0f} million instructions a second (goal {GOAL_MIPS}: {verdict(middle >= GOAL_MIPS)})."]


def restoring(program, folder, repeats):
    progress("restoring")
    machine = folder / "p.machine"
    start(program, machine)
    time_ = median_of(repeats, lambda: seconds("iss", "--quiet", "--restore", machine, "--max-insns", 1))
    begin = median_of(repeats, lambda: seconds(*program.linux("--iss", "--max-insns", "1")[1:]))
    return [
        "",
        f"Restoring such a machine of 256 MiB, {machine.stat().st_size / 1e6:.1f} MB in its file: {time_:.2f} s, the whole command (goal {GOAL_RESTORE} s: {verdict(time_ < GOAL_RESTORE)}). "
        f"`tipoff linux` to the program's first instruction: {begin:.2f} s (goal 2 s: {verdict(begin < 2)}).",
    ]


def on_cores(program, folder, repeats):
    lines = [
        "",
        f"{REGION:,} instructions of {program.name} and of the kernel for it:",
        "",
        "| core | what is on | kHz | spread | cost of it |",
        "|---|---|---:|---|---:|",
    ]
    for config in CONFIGS:
        start(program, folder / "p.machine", "--config", config)
        khz = {name: [] for name, _ in VARIANTS}
        for i in range(repeats):
            for name, options in VARIANTS:
                progress(f"{program.name} on {config}, {name}, {i + 1}/{repeats}")
                stats = folder / "stats.json"
                subprocess.run(
                    [TIPOFF, "run", "--config", config, "--quiet", "--stats", stats, "--restore", folder / "p.machine", "--max-insns", str(REGION), *options],
                    capture_output=True,
                    check=False,
                )
                khz[name].append(json.loads(stats.read_text(encoding="utf-8"))["khz"])
        bare = statistics.median(khz["bare"])
        for name, values in khz.items():
            middle = statistics.median(values)
            lines.append(
                f"| {config} | {name} | {middle:.0f} | {min(values):.0f}..{max(values):.0f} | {'' if name == 'bare' else f'{100 * (1 - middle / bare):.1f} %'} |"
            )
    return lines


def section(repeats, machine):
    """Lines of the section; one that says what is missing where Linux or its programs are not built."""
    programs = {name: program for name, program in load().items() if program.built()} if LINUX.exists() else {}
    if PROGRAM not in programs:
        return ["Not measured: make linux-programs comes first."]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        return [
            f"By `scripts/bench_linux.py`, medians of {repeats} runs.",
            "",
            *machine,
            *on_iss(programs, folder, repeats),
            *restoring(programs[PROGRAM], folder, repeats),
            *on_cores(programs[PROGRAM], folder, repeats),
        ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    text = PAGE.read_text(encoding="utf-8")
    lines = "\n".join([HEADING, *section(repeats, [page_head.sentence("scripts/bench_linux.py")]), "", ""])
    before, found, behind = text.partition(HEADING)
    if found:
        rest = re.search(r"^#", behind, re.M)
        behind = behind[rest.start() :] if rest else ""
    else:
        before, mark, records = text.partition(BEHIND)
        behind = mark + records
    PAGE.write_text(before + lines + behind, encoding="utf-8")
    print(lines)


if __name__ == "__main__":
    main()
