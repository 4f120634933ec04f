#!/usr/bin/env python3
"""Measures simulation speed, IPC, ISS speed, build times and, where it is built, Linux; writes docs/results/benchmarks.md with the machine it ran on.

Every speed is the median of several runs, the variants taken in turn, so that a change of the machine's load falls on
all of them. Nothing here passes or fails.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import bench_harts
import bench_linux
import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIPOFF = ROOT / "build/bin/tipoff"
CONFIGS = ["small2", "tea4"]
SPEED_PROGRAM = "interp.medium"

# kHz with everything on, and IPC of Dhrystone on the same width: the goals of the project.
GOAL_KHZ = {"small2": 250, "tea4": 60}
GOAL_DHRYSTONE = {"small2": 1.75, "medium2": 1.75, "tea4": 2.74}
GOAL_CHECKING = {1: 8, 2: 3}  # percent of the bare model's speed, by threads
GOAL_MIPS = 100

# For scale, not a goal: SonicBOOM (CARRV 2020), 4 wide; CoreMark's instructions an iteration with gcc -O2 on RV64, about.
SONICBOOM_COREMARK_MHZ = 6.2
COREMARK_INSTRUCTIONS = 300_000

RECORDS = "# Records"  # from this heading on the page is written by hand, and kept

CHECKS = ["watchdog", "interrupts", "fflags", "rob-head", "shadow-rob", "event-vectors", "counters", "memory", "devices", "fetch"]  # docs/reference/workers.md


def without(*workers):
    return [option for name in workers for option in ("--worker", f"{name}:on=no")]


EVERYTHING = "lockstep, all checks, Oracle, sampling every 997 cycles"
THREADED = "the same, workers in their own thread"
VARIANTS = (
    [  # name, options (one thread, where they do not say otherwise); each check alone beside lockstep (event-vectors with the shadow ROB, on which it stands)
        ("bare", ["--no-cosim", "--no-oracle"]),
        ("lockstep alone", ["--no-oracle", *without(*CHECKS)]),
        *(
            (f"lockstep, {name}", ["--no-oracle", *without(*(c for c in CHECKS if c != name and not (name == "event-vectors" and c == "shadow-rob")))])
            for name in CHECKS
        ),
        ("lockstep, all checks", ["--no-oracle"]),
        ("Oracle", ["--no-cosim"]),
        ("lockstep, all checks, Oracle", []),
        (EVERYTHING, ["--period", "997"]),
        (THREADED, ["--threads", "2", "--period", "997"]),
    ]
)


def output(command):
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def run(config, program, options, model=None):
    """Statistics of one run."""
    with tempfile.NamedTemporaryFile(suffix=".json") as stats:
        command = [TIPOFF, "run", "--config", config, "--quiet", "--stats", stats.name, *options]
        if model:
            command += ["--model", model]
        done = subprocess.run([*command, ROOT / f"build/workloads/{program}.elf"], stdout=subprocess.DEVNULL, cwd=ROOT)
        if done.returncode != 0:
            sys.exit(f"bench: {program} on {config}: status {done.returncode}")
        return json.load(open(stats.name))


def progress(text):
    print(f"  BENCH {text}", flush=True)


def memory():
    return int(re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text())[1]) / 2**20


def tools():
    return f"{output(['verilator', '--version'])}; {output(['clang', '--version']).splitlines()[0]}"


def verdict(value, goal, unit):
    if value >= goal:
        return f"goal {goal:g} {unit}: met"
    return f"goal {goal:g} {unit}: missed by {100 * (goal - value) / goal:.0f} %"


def speed_tables(repeats):
    lines = []
    for config in CONFIGS:
        fast = ROOT / f"build/{config}/model-fast.so"
        variants = [(name, options, None) for name, options in VARIANTS]
        variants.insert(0, ("bare, assertions compiled out (SIM=fast)", VARIANTS[0][1], fast))
        khz = {name: [] for name, _, _ in variants}
        for i in range(repeats):
            for name, options, model in variants:
                progress(f"speed {config}, {name}, {i + 1}/{repeats}")
                khz[name].append(run(config, SPEED_PROGRAM, ["--threads", "1", *options], model)["khz"])
        bare = statistics.median(khz["bare"])
        lines += ["", f"### {config}", "", "| what is on | kHz | spread | cost of it |", "|---|---|---|---|"]
        for name, _, _ in variants:
            median = statistics.median(khz[name])
            cost = "" if name.startswith("bare") else f"{100 * (1 - median / bare):.1f} %"
            lines.append(f"| {name} | {median:.0f} | {min(khz[name]):.0f}..{max(khz[name]):.0f} | {cost} |")
        one, two = (statistics.median(khz[name]) for name in (EVERYTHING, THREADED))
        lines += ["", f"All checks on: {two:.0f} kHz with a thread of their own ({verdict(two, GOAL_KHZ[config], 'kHz')})."]
        for threads, total in ((1, one), (2, two)):
            cost, goal = 100 * (1 - total / bare), GOAL_CHECKING[threads]
            lines.append(
                f"Checking costs {cost:.1f} % of the bare model's speed with {threads} thread{'s'[:threads - 1]} (goal: {goal} % at most: "
                f"{'met' if cost <= goal else 'missed'})."
            )
    return lines


def ipc_table(names):
    lines = ["", "| workload (medium) | " + " | ".join(f"{c} IPC | C / S / F / D %" for c in CONFIGS) + " |", "|---|" + "---|---|" * len(CONFIGS)]
    dhrystone, cmark = {}, {}
    for name in names:
        cells = []
        for config in CONFIGS:
            progress(f"IPC {config}, {name}")
            stats = run(config, f"{name}.medium", ["--no-cosim"])
            shares = [100 * v / stats["cycles"] for v in stats["state_cycles"].values()]
            cells.append(f"{stats['ipc']:.3f} | " + " / ".join(f"{s:.0f}" for s in shares))
            if name == "dhry":
                dhrystone[config] = stats["ipc"]
            if name == "cmark":
                cmark[config] = stats["ipc"]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    progress("IPC medium2, dhry")
    dhrystone["medium2"] = run("medium2", "dhry.medium", ["--no-cosim"])["ipc"]
    lines.append("")
    lines.append("C, S, F, D: share of the cycles in the states Computing, Stalled, Flushed, Drained.")
    lines.append("medium2 is small2 with the queues of a medium BOOM: what small2 misses, it misses by its size.")
    for config, ipc in dhrystone.items():
        lines.append("")
        lines.append(
            f"Dhrystone on {config}: {ipc:.2f} ({verdict(ipc, GOAL_DHRYSTONE[config], 'instructions a cycle')}; " "the goal is a generated BOOM of that width)."
        )
    lines += [
        "",
        f"cmark, a work-alike of CoreMark, on tea4: {cmark['tea4']:.2f}. A reference that is not the same program: SonicBOOM's "
        f"published {SONICBOOM_COREMARK_MHZ} CoreMark/MHz (its branches over few instructions predicated; 4.9 without) amount, at about "
        f"{COREMARK_INSTRUCTIONS / 1e6:g} million instructions an iteration, to {SONICBOOM_COREMARK_MHZ} * {COREMARK_INSTRUCTIONS / 1e6:g} = "
        f"{SONICBOOM_COREMARK_MHZ * COREMARK_INSTRUCTIONS / 1e6:.2f} instructions a cycle.",
    ]
    return lines


def iss_line(repeats):
    mips = []
    for i in range(repeats):
        progress(f"ISS {i + 1}/{repeats}")
        text = subprocess.run([TIPOFF, "iss", ROOT / "build/workloads/interp.large.elf"], capture_output=True, text=True)
        mips.append(float(re.search(r"([\d.]+) MIPS", text.stderr)[1]))
    median = statistics.median(mips)
    return f"Golden ISS alone, interp.large: {median:.0f} million instructions a second ({verdict(median, GOAL_MIPS, 'MIPS')})."


def build_table():
    """Builds in a scratch copy of the sources, from nothing."""
    lines = ["| build step, from nothing | seconds |", "|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for name in output(["git", "ls-files", "-co", "--exclude-standard"]).splitlines():
            if (ROOT / name).is_file():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, tree / name)
        for target in ["build/bin/tipoff"] + [f"build/{c}/model.so" for c in CONFIGS]:
            progress(f"build {target}")
            start = time.monotonic()
            subprocess.run(["make", "-s", f"-j{os.cpu_count()}", target], cwd=tree, check=True, stdout=subprocess.DEVNULL)
            lines.append(f"| `make {target}` | {time.monotonic() - start:.0f} |")
    return lines


def sections(args):
    """Title: what measures it, in the order of the page."""
    names = sorted(p.name.split(".")[0] for p in (ROOT / "build/workloads").glob("*.medium.elf"))
    text = (
        f"{SPEED_PROGRAM}, median of {args.repeats} runs taken in turn. Assertions are live "
        "except where said. The reference is a generated BOOM, Verilated alike on such a machine, without any check: "
        "41 kHz 2 wide, 6 kHz 4 wide with a 128-entry ROB."
    )
    return {
        "Simulation speed": lambda: [text, *speed_tables(args.repeats)],
        "Instructions per cycle": lambda: ipc_table(names),
        "Golden ISS": lambda: [iss_line(args.repeats)],
        "Build": build_table,
        "Linux": lambda: bench_linux.section(args.repeats, []),
        "Harts": lambda: bench_harts.section(args.repeats),
    }


def kept(page, title):
    """The section as the page has it."""
    found = re.search(rf"^## {re.escape(title)}\n+(.*?)\n*(?=^##? )", page, flags=re.M | re.S)
    return [found[1]] if found else ["Not measured."]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5, help="runs of each speed (default 5)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/results/benchmarks.md")
    parser.add_argument("--only", nargs="+", metavar="SECTION", help="measure these sections of the page, by the first words of their titles; keep the others")
    args = parser.parse_args()
    every = sections(args)
    chosen = [title for title in every if not args.only or any(title.lower().startswith(word.lower()) for word in args.only)]
    for word in args.only or []:
        if not any(title.lower().startswith(word.lower()) for title in every):
            parser.error(f"--only {word}: no such section: use {', '.join(every)}")
    if "Simulation speed" in chosen:
        for config in CONFIGS:
            subprocess.run(["make", "-s", f"build/{config}/model-fast.so", "SIM=fast"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    if "Instructions per cycle" in chosen:
        subprocess.run(["make", "-s", "build/medium2/model.so"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    page = args.output.read_text() if args.output.exists() else ""
    lines = ["# Benchmarks", "", f"Measured, never asserted; {memory():.0f} GiB of memory, {tools()}. Each section names its commit.", ""]
    for title, measure in every.items():
        text = ["\n".join([*measure(), "", page_head.sentence("make bench")])] if title in chosen else kept(page, title)
        lines += [f"## {title}", "", *text, ""]
    before, found, records = page.partition(RECORDS)
    page_head.write(args.output, "\n".join(lines) + "\n" + found + records, "make bench")
    print(args.output.read_text())


if __name__ == "__main__":
    main()
