#!/usr/bin/env python3
"""Measures how fast several harts are simulated, in one thread and in several; writes the section "Harts" of docs/results/benchmarks.md.

    scripts/bench_harts.py [--repeats 5]      part of make bench

Each hart sorts numbers of its own (tests/harts/apart.c). kHz times harts is by the clock on the wall, and by processor time: the second is what the work
costs on a machine that does other work at the same time, and shows no gain of threads. Nothing here passes or fails.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIPOFF = ROOT / "build/bin/tipoff"
PAGE = ROOT / "docs/results/benchmarks.md"
HEADING, BEHIND = "## Harts\n", "# Records"
BARE = ["--no-cosim", "--no-oracle"]
VARIANTS = [  # configuration, harts, threads, options
    ("small2", 1, 1, []),
    ("small2", 1, 1, BARE),
    ("small2c", 1, 1, []),
    ("small2c", 2, 1, []),
    ("small2c", 2, 1, BARE),
    ("small2c", 2, 2, []),
    ("small2c", 4, 1, []),
    ("small2c", 4, 2, []),
]
GOALS = (0.9, 1.6)


def progress(text):
    print(f"  BENCH {text}", flush=True)


def built(folder, harts, rounds):
    program = folder / f"apart{harts}.elf"
    sources = [ROOT / "tests/harts" / name for name in ("start.S", "apart.c")]
    flags = [
        "-march=rv64ima_zicsr_zifencei",
        "-mabi=lp64",
        "-mcmodel=medany",
        "-ffreestanding",
        "-O2",
        "-nostdlib",
        "-static",
        "-T",
        ROOT / "tests/fuzz/link.ld",
    ]
    linked = "-Wl,--no-warn-rwx-segments,--defsym=__global_pointer$=0x80000800,--defsym=finisher=0x100000"
    subprocess.run(["riscv64-unknown-elf-gcc", *flags, linked, f"-DHARTS={harts}", f"-DROUNDS={rounds}", "-o", program, *sources], check=True)
    return program


def run(program, config, harts, threads, options):
    """Thousands of cycles of all harts: a second by the clock, a second of processor time."""
    stats = program.parent / "run.json"
    several = ["--harts", str(harts)] if harts > 1 else []
    command = [TIPOFF, "run", "--config", config, "--quiet", *several, "--threads", str(threads), *options, "--stats", stats, program]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"bench: {' '.join(map(str, command))}: status {status}")
    said = json.loads((program.parent / ("run.hart0.json" if several else "run.json")).read_text())
    return said["khz"] * harts, said["cycles"] * harts / 1000 / (used.ru_utime + used.ru_stime)


def median(pairs, which):
    return statistics.median(pair[which] for pair in pairs)


def section(repeats, rounds=8):
    seen = [[] for _ in VARIANTS]
    with tempfile.TemporaryDirectory() as name:
        programs = {harts: built(pathlib.Path(name), harts, rounds) for harts in (1, 2, 4)}
        for i in range(repeats):
            for of, (config, harts, threads, options) in zip(seen, VARIANTS):
                progress(f"harts: {config}, {harts} in {threads}, {i + 1}/{repeats}")
                of.append(run(programs[harts], config, harts, threads, options))
    lines = [
        f"Each hart sorts numbers of its own (`tests/harts/apart.c`), with lockstep, all checks and the Oracle unless it says bare; medians of {repeats} runs "
        f"taken in turn; {os.getloadavg()[0]:.0f} processes on average were ready to run at the end, on {os.cpu_count()} processors.",
        "",
        "| core | harts | threads | | kHz x harts | spread | by processor time |",
        "|---|---:|---:|---|---:|---|---:|",
    ]
    for of, (config, harts, threads, options) in zip(seen, VARIANTS):
        walls = [wall for wall, _ in of]
        bare = "bare" if options else ""
        lines.append(f"| {config} | {harts} | {threads} | {bare} | {median(of, 0):.0f} | {min(walls):.0f}..{max(walls):.0f} | {median(of, 1):.0f} |")
    alone, one = seen[0], {harts: seen[VARIANTS.index(("small2c", harts, 1, []))] for harts in (2, 4)}
    two = {harts: seen[VARIANTS.index(("small2c", harts, 2, []))] for harts in (2, 4)}
    lines.append("")
    for harts in (2, 4):
        shares = [median(one[harts], which) / median(alone, which) for which in (0, 1)]
        gain = median(two[harts], 0) / median(one[harts], 0)
        lines.append(
            f"{harts} harts in one thread: {shares[0]:.2f} times what one hart of small2 has (by processor time {shares[1]:.2f}; goal {GOALS[0]}); in two "
            f"threads {gain:.2f} times that (goal {GOALS[1]}, on two free processors)."
        )
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5, help="runs of each (default 5)")
    parser.add_argument("--rounds", type=int, default=8, help="times that each hart sorts (default 8)")
    args = parser.parse_args()
    text = "\n".join([HEADING, *section(args.repeats, args.rounds), "", page_head.sentence("scripts/bench_harts.py"), ""])
    page = PAGE.read_text()
    PAGE.write_text(re.sub(rf"(?:^{re.escape(HEADING)}.*?)?(?=^{BEHIND})", lambda _: text + "\n", page, count=1, flags=re.M | re.S))
    print(text)


if __name__ == "__main__":
    main()
