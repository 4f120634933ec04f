#!/usr/bin/env python3
"""What a report says of its own error, held against the Oracle's on loops of every length, sampled at five periods with and without jitter.

    scripts/beats.py [--config small2] [--cycles 16000] [--write]

A program of loops, each a function of its own that runs for a number of cycles: of 3 to 400 instructions that each need the one before, a cycle each, and some whose divisions have most of the time. Of each
loop `tipoff report --by loop` says what part of its time is likely to be at a wrong instruction, from the samples and the counts of executions; the true part is that by which the samples' profile of the loop differs from the
Oracle's, which accounts for every cycle of the same run. Chance: what as many independent draws from the Oracle's profile would have. --write: into its page of results.
"""
import argparse
import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIPOFF = ROOT / "build/bin/tipoff"
PAGE = ROOT / "docs/results/beats.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
LENGTHS, DIVISIONS = range(3, 401), range(25, 400, 15)
PERIODS = (31, 64, 97, 128, 199)
WAYS = ((), ("--jitter=none",))
OTHERS = ((97, ("--jitter-kind", "golden")), (97, ("--jitter=3",)))
BEAT = 3  # times chance


def run(*words):
    done = subprocess.run([*map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def function(name, rounds, body):
    return f".globl {name}\n{name}: li a2, {rounds}\n.balign 64\n{name}_head: {body}addi a2, a2, -1\nbnez a2, {name}_head\nret\n"


def program(lengths, divisions, cycles, folder):
    """One function a loop, called one after the other."""
    names, text = [], []
    for length in lengths:
        names.append(f"adds_{length}")
        text.append(function(names[-1], max(cycles // length, 2), f".rept {length - 1}\naddi a0, a0, 1\n.endr\n"))
    for length in divisions:
        names.append(f"divs_{length}")
        text.append(function(names[-1], max(cycles // length, 2), "div a0, a3, a1\n" * 2 + f".rept {length - 20}\naddi a0, a0, 1\n.endr\n"))
    calls = "".join(f"call {name}\n" for name in names)
    source, elf = folder / "loops.S", folder / "loops.elf"
    source.write_text(
        f".option norvc\n.globl main\nmain: addi sp, sp, -16\nsd ra, 0(sp)\nli a1, 3\nli a3, -1\n{calls}ld ra, 0(sp)\naddi sp, sp, 16\nli a0, 0\nret\n"
        + "".join(text)
    )
    run(ROOT / "build/bin/tipoff-cc", source, "-o", elf)
    return elf


def profile(tips, *options):
    """Of each function its time by instruction."""
    lines = run(TIPOFF, "report", "--format", "csv", "--by", "instruction", *options, tips).splitlines()
    found = {}
    for row in csv.DictReader(lines):
        times = found.setdefault(row["name"].split("+")[0].removesuffix("_head"), {})
        times[row["unit"]] = times.get(row["unit"], 0) + float(row["cycles"])
    return found


def apart(a, b):
    """The part of b's time that a has elsewhere; both of one loop."""
    whole, other = sum(b.values()), sum(a.values())
    return 1 - sum(min(a.get(key, 0) / other, value / whole) for key, value in b.items())


def deviation(draws, p):
    """Mean absolute deviation of a binomial number, of the draws: csrc/analysis/chance.h."""
    if p <= 0 or p >= 1:
        return 0
    m = min(math.floor(draws * p) + 1, draws)
    choose = math.lgamma(draws + 1) - math.lgamma(m + 1) - math.lgamma(draws - m + 1)
    return 2 * m * math.exp(choose + m * math.log(p) + (draws - m + 1) * math.log1p(-p)) / draws


def measured(config, elf, period, options, folder):
    """A row for each loop: its name, cycles of a round, samples, true error, reported one, and chance's."""
    tips = folder / "x.tips"
    run(TIPOFF, "run", "--config", config, "--quiet", "--period", period, *options, "--samples", tips, elf)
    samples, oracle = profile(tips), profile(tips, "--profiler", "Oracle")
    loops = {}
    for row in csv.DictReader(run(TIPOFF, "report", "--by", "loop", "--format", "csv", tips).splitlines()):
        loops[row["name"].split("+")[0].removesuffix("_head")] = row
    found = []
    for name, times in oracle.items():
        if not re.fullmatch("(adds|divs)_[0-9]+", name) or name not in loops or name not in samples:
            continue
        row, whole = loops[name], sum(times.values())
        draws = max(round(float(row["cycles_with_inner"]) / period), 1)
        chance = sum(deviation(draws, value / whole) for value in times.values()) / 2
        found.append((name, float(row["cycles_per_iteration"]), draws, apart(samples[name], times), float(row["sampling_error"]), chance))
    return found


def judged(rows):
    """(loops, those with at least half of the error reported, beats, those of them, median and greatest of reported over true)."""
    half = [said >= true / 2 for _, _, _, true, said, _ in rows]
    beats = [good for good, (_, _, _, true, _, chance) in zip(half, rows) if true >= BEAT * chance]
    ratio = sorted(said / true for _, _, _, true, said, _ in rows if true > 0)
    return len(rows), sum(half), len(beats), sum(beats), ratio[len(ratio) // 2], ratio[-1 - len(ratio) // 10]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="small2")
    parser.add_argument("--cycles", type=int, default=16000, help="of each loop")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    lines = [
        "| period | triggers | loops | greatest error | of it reported | half of the error reported | errors of three times chance | half of them reported | reported over true: median | nine of ten below |",
        "|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    every, missed = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        elf = program(LENGTHS, DIVISIONS, arguments.cycles, folder)
        for period, options in [*((period, options) for options in WAYS for period in PERIODS), *OTHERS]:
            rows = measured(arguments.config, elf, period, options, folder)
            every += rows
            missed += [(period, " ".join(options), *row) for row in rows if row[4] < row[3] / 2]
            loops, half, beats, beats_half, median, tenth = judged(rows)
            worst = max(rows, key=lambda row: row[3])
            lines.append(
                f"| {period} | {' '.join(options) or 'default'} | {loops} | {100 * worst[3]:.1f} % | {100 * worst[4]:.1f} % | {half} | {beats} | {beats_half} | {median:.2f} | {tenth:.2f} |"
            )
            print(lines[-1], flush=True)
    loops, half, beats, beats_half, *_ = judged(every)
    lines += [
        "",
        f"Of {loops} loops the report says half of the true error at least for {half}, {100 * half / loops:.2f} %; of the {beats} whose error is three times that of chance for {beats_half}.",
    ]
    print(lines[-1])
    for period, options, name, length, draws, true, said, chance in missed:
        print(
            f"  missed: period {period} {options}: {name}, {length} cycles, {draws} samples: {100 * true:.1f} % is, {100 * said:.1f} % said, chance {100 * chance:.1f} %"
        )
    if arguments.write:
        page = PAGE.read_text(encoding="utf-8")
        before, after = page[: page.index(BEGIN) + len(BEGIN)], page[page.index(END) :]
        page_head.write(PAGE, f"{before}\n" + "\n".join(lines) + f"\n{after}", "scripts/beats.py --write")
    return 0 if half >= 0.99 * loops and beats == beats_half else 1


if __name__ == "__main__":
    sys.exit(main())
