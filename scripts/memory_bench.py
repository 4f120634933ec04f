#!/usr/bin/env python3
"""Measures load latency and read bandwidth by footprint; writes docs/results/memory.md and docs/results/memory.svg.

    scripts/memory_bench.py [--config tea4] [--size large]

Runs the workloads memlat and membw on a configuration and holds the plateaus (L1, LLC, DRAM) against what its keys say.
Nothing here passes or fails.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIPOFF = ROOT / "build/bin/tipoff"
LINE = 64
LOAD_TO_USE = 4  # cycles of a load that hits the L1 (docs/reference/pipeline.md)
LOADS_A_CYCLE = 2
WORD = 8


def run(config, program):
    """(console lines, statistics) of a run."""
    print(f"  BENCH {config} {program}", flush=True)
    with tempfile.NamedTemporaryFile(suffix=".json") as stats:
        done = subprocess.run(
            [TIPOFF, "run", "--config", config, "--quiet", "--no-cosim", "--no-oracle", "--stats", stats.name, ROOT / f"build/workloads/{program}.elf"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        if done.returncode != 0:
            sys.exit(f"memory_bench: {program} on {config}: status {done.returncode}")
        return done.stdout.splitlines(), json.load(open(stats.name))


def measured(lines, kind):
    """{bytes: {name: value}} of the lines that a workload printed."""
    rows = {}
    for line in lines:
        if line.startswith(kind + " "):
            values = dict(re.findall(r"(\w+)=([\d.]+)", line))
            rows[int(values.pop("bytes"))] = {name: float(value) for name, value in values.items()}
    if not rows:
        sys.exit(f"memory_bench: no line '{kind} ...' on the console")
    return rows


def human(count):
    return f"{count // 2**20} MiB" if count >= 2**20 else f"{count // 2**10} KiB"


class Levels:
    """What the keys say: latencies in core cycles, footprints of the levels."""

    def __init__(self, config):
        self.config = config
        self.l1 = config["l1d.sets"] * config["l1d.ways"] * LINE
        self.l2 = config["l2.kib"] * 1024
        self.llc = config["llc.kib"] * 1024
        self.ratio = config["clock.mhz"] / config["dram.mhz"]
        self.burst = LINE * config["clock.mhz"] / config["dram.mb_per_s"]  # core cycles a line
        self.bus = LINE / self.burst  # bytes a core cycle

    def dram(self, row):
        """Core cycles from the LLC's miss to the line: row hit, miss or conflict."""
        key = self.config
        clocks = {"hit": 0, "miss": key["dram.trcd"], "conflict": key["dram.trp"] + key["dram.trcd"]}[row] + key["dram.tcas"]
        return clocks * self.ratio + self.burst + key["dram.latency"]

    def plateaus(self, footprints):
        """(name, footprints inside it, cycles below the L1 that the keys say). At a level's size itself it also holds
        code and stack, and up to twice the size it still holds a part: both are left out."""
        key, result = self.config, []
        result.append(("L1", [f for f in footprints if f < self.l1], 0))
        below = 0
        if self.l2:
            below += key["l2.latency"]
            result.append(("L2", [f for f in footprints if self.l1 < f < self.l2], below))
        below += key["llc.latency"]
        result.append(("LLC", [f for f in footprints if max(self.l1, self.l2) < f < self.llc], below))
        result.append(("DRAM", [f for f in footprints if f > 2 * self.llc], below + self.dram("conflict")))
        return [(name, inside, cycles) for name, inside, cycles in result if inside]


def mean(values):
    return sum(values) / len(values)


# ---- plot ----
class Panel:
    """One log-log chart of an SVG, x: footprint."""

    WIDTH, HEIGHT, LEFT, TOP = 400, 250, 60, 40

    def __init__(self, x, title, footprints, low, high):
        self.x, self.title, self.footprints, self.low, self.high = x, title, footprints, low, high
        self.parts = []

    def at(self, footprint, value):
        first, last = math.log2(self.footprints[0]), math.log2(self.footprints[-1])
        return (
            self.x + self.LEFT + self.WIDTH * (math.log2(footprint) - first) / (last - first),
            self.TOP + self.HEIGHT * (1 - math.log(value / self.low) / math.log(self.high / self.low)),
        )

    def text(self, x, y, text, anchor="middle", size=12, colour="#333"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{text}</text>')

    def line(self, x1, y1, x2, y2, colour, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dashes}/>')

    def axes(self, ticks):
        self.text(self.x + self.LEFT, self.TOP - 16, self.title, "start", 14, "#111")
        for value in ticks:
            x, y = self.at(self.footprints[0], value)
            self.line(x, y, x + self.WIDTH, y, "#e4e4e4")
            self.text(x - 8, y + 4, f"{value:g}", "end")
        for i, footprint in enumerate(self.footprints):
            x, y = self.at(footprint, self.low)
            self.line(x, y, x, y + 4, "#888")
            if i % 2 == 0:
                self.text(x, y + 18, human(footprint).replace("iB", "").replace(" ", ""))
        x, y = self.at(self.footprints[0], self.low)
        self.line(x, y, x + self.WIDTH, y, "#888")
        self.text(x + self.WIDTH / 2, y + 36, "footprint, bytes")

    def level(self, footprint, name):
        x, y = self.at(footprint, self.low)
        self.line(x, self.TOP, x, y, "#b0b0b0", "2 3")
        self.text(x - 4, self.TOP + 10, name, "end", 11, "#777")

    def limit(self, value, text, first, last, below=False):
        (x1, y), (x2, _) = self.at(first, value), self.at(last, value)
        self.line(x1, y, x2, y, "#c2410c", "6 3")
        self.text(x1, y + 14 if below else y - 5, text, "start", 11, "#c2410c")

    def curve(self, points, colour, name):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(*p) for p in points))
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        self.parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in (self.at(*p) for p in points)]
        if name:
            x, y = self.at(*points[0])
            self.text(x + 6, y - 8, name, "start", 12, colour)


def plot(latency, bandwidth, levels, path_cycles):
    footprints = sorted(latency)
    sizes = [("L1", levels.l1), ("L2", levels.l2), ("LLC", levels.llc)]
    left = Panel(0, "Dependent loads: cycles a load", footprints, 1, 1000)
    left.axes([1, 3, 10, 30, 100, 300, 1000])
    for name, inside, below in levels.plateaus(footprints):
        expected = below + path_cycles if below else LOAD_TO_USE
        left.limit(expected, f"{name}: {expected:.0f}", inside[0], inside[-1], below=name != "DRAM")
    left.curve([(f, latency[f]["cycles"]) for f in footprints], "#1d4ed8", "")
    right = Panel(480, "Streamed reads: bytes a cycle", footprints, 1, 200)
    right.axes([1, 2, 5, 10, 20, 50, 100, 200])
    right.limit(LOADS_A_CYCLE * WORD, f"two loads a cycle: {LOADS_A_CYCLE * WORD}", levels.l1 * 4, footprints[-1])
    right.limit(levels.bus, f"DRAM bus: {levels.bus:g}", footprints[0], footprints[-1], below=True)
    right.curve([(f, bandwidth[f]["lines"]) for f in footprints], "#0f766e", "a word of each line")
    right.curve([(f, bandwidth[f]["words"]) for f in footprints], "#1d4ed8", "every word")
    for panel in (left, right):
        for name, size in sizes:
            if footprints[0] < size <= footprints[-1]:
                panel.level(size, name)
    body = "\n".join(left.parts + right.parts)
    return (
        f"<!-- Load latency and read bandwidth by footprint: the plot of memory.md, written by scripts/memory_bench.py. -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 350" font-family="sans-serif">\n'
        f'<rect width="960" height="350" fill="#fff"/>\n{body}\n</svg>\n'
    )


# ---- page ----
def latency_table(latency, levels, path_cycles):
    key = levels.config
    parts = {
        "L1": "load to use",
        "L2": f"way {path_cycles:.0f} + `l2.latency` {key['l2.latency']}",
        "LLC": f"way {path_cycles:.0f} + " + (f"`l2.latency` {key['l2.latency']} + " if levels.l2 else "") + f"`llc.latency` {key['llc.latency']}",
    }
    parts["DRAM"] = parts["LLC"] + (
        f" + `dram.latency` {key['dram.latency']} + (`trp` {key['dram.trp']} + `trcd` {key['dram.trcd']} + `tcas` {key['dram.tcas']}) x "
        f"{levels.ratio:g} + burst {levels.burst:g}"
    )
    lines = ["| plateau | footprints | measured, cycles a load | by the keys | made up of | difference |", "|---|---|---|---|---|---|"]
    for name, inside, below in levels.plateaus(sorted(latency)):
        got = mean([latency[f]["cycles"] for f in inside])
        expected = below + path_cycles if below else LOAD_TO_USE
        lines.append(
            f"| {name} | {human(inside[0])} to {human(inside[-1])} | {got:.1f} | {expected:.1f} | {parts[name]} | {100 * (got - expected) / expected:+.1f} % |"
        )
    return lines


def bandwidth_table(bandwidth, levels):
    lines = ["| plateau | footprints | every word | a word of each line | limit |", "|---|---|---|---|---|"]
    for name, inside, _ in levels.plateaus(sorted(bandwidth)):
        words, whole = mean([bandwidth[f]["words"] for f in inside]), mean([bandwidth[f]["lines"] for f in inside])
        if name == "DRAM":
            mhz = levels.config["clock.mhz"]
            limit = (
                f"bus {levels.bus:g} bytes a cycle: {levels.config['dram.mb_per_s'] / 1000:g} GB/s; reached {100 * whole / levels.bus:.0f} %, "
                f"{whole * mhz / 1000:.1f} GB/s, and {100 * words / levels.bus:.0f} %"
            )
        elif name == "L1":
            limit = f"every word: {LOADS_A_CYCLE} loads a cycle, {LOADS_A_CYCLE * WORD} bytes"
        else:
            limit = f"a line a cycle on the port; {levels.config['l1d.mshrs']} L1 MSHRs"
        lines.append(f"| {name} | {human(inside[0])} to {human(inside[-1])} | {words:.2f} | {whole:.2f} | {limit} |")
    return lines


def all_table(latency, bandwidth):
    lines = ["| footprint | latency | every word | a word of each line |", "|---|---|---|---|"]
    for f in sorted(latency):
        cells = [f"{bandwidth[f][name]:.2f}" if f in bandwidth else "" for name in ("words", "lines")]
        lines.append(f"| {human(f)} | {latency[f]['cycles']:.2f} | {cells[0]} | {cells[1]} |")
    return lines


def page(name, size, latency, bandwidth, levels, path_cycles, runs):
    rows = {program: stats["memory"] for program, stats in runs.items()}
    dram = ["| run | lines read | lines written | row hits | row misses | row conflicts |", "|---|---|---|---|---|---|"]
    dram += [
        f"| {p}.{size} | {m['dram_reads']:.0f} | {m['dram_writes']:.0f} | {m['row_hits']:.0f} | {m['row_misses']:.0f} | {m['row_conflicts']:.0f} |"
        for p, m in rows.items()
    ]
    return "\n".join(
        [
            "# Memory beyond the L1 caches",
            "",
            f"Configuration {name}. Measured, never asserted.",
            "",
            "L2, last-level cache (LLC) and DRAM are C models at the L1s' miss ports, chosen by the configuration: changing",
            "them needs no new Verilator model: in the file, or for one run by `tipoff run --set llc.latency=40`. `harness/memory.h` describes the path of a request, `harness/cache_level.h` the caches",
            "(tags with LRU replacement, MSHRs; write-back, write-allocate), `harness/dram.h` the DDR3 banks, the FR-FCFS scheduler",
            "and what is not modelled. The keys are `l2.*`, `llc.*` and `dram.*` of `tables/config_keys.tsv`. Each latency of the",
            "models is held against hand-computed schedules by `tests/unit/harness`; this page shows what programs see of them.",
            "",
            "![latency and bandwidth by footprint](memory.svg)",
            "",
            "## Latency",
            "",
            f"`memlat.{size}`: a ring of lines in scattered order, each load's address is the one before's data.",
            "",
            *latency_table(latency, levels, path_cycles),
            "",
            f"The way from the load to the miss port and back ({path_cycles:.0f} cycles: load to use {LOAD_TO_USE}, and the L1's MSHR, request, response and",
            "refill) is taken from the first plateau beyond the L1, so that row agrees by construction and the later ones are the check. DRAM is reckoned as a row",
            f"conflict ({levels.dram('conflict'):.0f} cycles; a row miss takes {levels.dram('miss'):.0f}, a hit {levels.dram('hit'):.0f}): the ring jumps between rows, and write-backs of the ring's",
            "own lines open others. A plateau leaves out a level's own size, where code and stack compete, and for DRAM twice that.",
            "",
            "## Bandwidth",
            "",
            f"`membw.{size}`: bytes a core cycle; every word of an array read and summed, then one word of each line.",
            "",
            *bandwidth_table(bandwidth, levels),
            "",
            "One word of each line asks for more lines at once than every word does: the reorder buffer holds fewer lines when it also",
            "holds the loads and sums of all their words.",
            "",
            "## Rows",
            "",
            "Over the whole runs, set-up included:",
            "",
            *dram,
            "",
            "## All footprints",
            "",
            *all_table(latency, bandwidth),
            "",
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="tea4")
    parser.add_argument("--size", default="large", choices=("small", "medium", "large"), help="of the workloads; small and medium show no DRAM plateau")
    parser.add_argument(
        "--output", type=pathlib.Path, default=ROOT / "docs/results/memory.md", help="the plot goes beside it (default: docs/results/memory.md)"
    )
    arguments = parser.parse_args()
    config = json.loads((ROOT / f"build/{arguments.config}/gen/config.json").read_text(encoding="utf-8"))
    levels = Levels(config)
    runs, printed = {}, {}
    for program in ("memlat", "membw"):
        printed[program], runs[program] = run(arguments.config, f"{program}.{arguments.size}")
    latency, bandwidth = measured(printed["memlat"], "latency"), measured(printed["membw"], "bandwidth")
    behind = [p for p in levels.plateaus(sorted(latency)) if p[2]]
    if not behind:
        sys.exit(f"memory_bench: no footprint of memlat.{arguments.size} lies beyond the L1 of {arguments.config}: take a larger --size")
    _, inside, below = behind[0]
    path_cycles = round(mean([latency[f]["cycles"] for f in inside]) - below)
    page_head.write(arguments.output, page(arguments.config, arguments.size, latency, bandwidth, levels, path_cycles, runs), "scripts/memory_bench.py")
    arguments.output.with_suffix(".svg").write_text(plot(latency, bandwidth, levels, path_cycles), encoding="utf-8")
    print(arguments.output.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
