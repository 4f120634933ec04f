#!/usr/bin/env python3
"""Cycles of each program on cores of different width, and which program a wider core is slower in: docs/results/widths.md.

    scripts/widths.py [--configs small2,tea4] [--size small] [--document] [FILE.elf]...

Programs: the workloads of that size, and those named, which may be anyone's for a machine without a kernel. Each runs whole, in lockstep with the ISS. Of one that prints
"mcycle = N" (riscv-tests' benchmarks do, of the part that they time) N counts. Slower: more cycles than on the narrower core before it. --document: writes
the table, and the machine, into docs/results/widths.md, between its marks; the rest of that page is written by hand. Nothing here passes or fails.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIPOFF = ROOT / "build/bin/tipoff"
PAGE = ROOT / "docs/results/widths.md"
BEGIN, END = "<!-- table by scripts/widths.py -->\n", "<!-- end of table -->"


def cycles(config, program):
    """Cycles, and whether they are those of the part that the program times."""
    with tempfile.NamedTemporaryFile(suffix=".json") as stats:
        done = subprocess.run(
            [TIPOFF, "run", "--config", config, "--quiet", "--no-oracle", "--stats", stats.name, program],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"scripts/widths.py: {program} on {config}: status {done.returncode}: {done.stderr}")
        timed = re.search(r"^mcycle = (\d+)", done.stdout, re.M)
        return (int(timed[1]), True) if timed else (json.loads(pathlib.Path(stats.name).read_text(encoding="utf-8"))["cycles"], False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--configs", default="small2,tea4", help="narrower ones first")
    parser.add_argument("--size", default="small", help="of the workloads; none: only those that are named")
    parser.add_argument("--document", action="store_true")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    configs = arguments.configs.split(",")
    lines = ["| program | " + " | ".join(configs) + " | times as fast |\n", "|---|" + "---:|" * (len(configs) + 1) + "\n"]
    slower = []
    for program in [*sorted((ROOT / "build/workloads").glob(f"*.{arguments.size}.elf")), *arguments.programs]:
        measured = [cycles(config, program) for config in configs]
        name = program.name.removesuffix(".elf").removesuffix(".riscv").removesuffix(f".{arguments.size}") + ", timed part" * measured[0][1]
        figures = [figure for figure, _ in measured]
        pairs = list(zip(configs, figures, configs[1:], figures[1:]))
        slower += [f"{name}: {wide} {after:,}, {narrow} {before:,}" for narrow, before, wide, after in pairs if after > before]
        lines.append(
            f"| {name} | "
            + " | ".join(f"{figure:,}" for figure in figures)
            + " | "
            + ", ".join(f"{before / after:.2f}" for _, before, _, after in pairs)
            + " |\n"
        )
        print(lines[-1], end="", flush=True)
    lines.append("\n" + ("Slower on the wider core: " + "; ".join(slower) if slower else "None is slower on the wider core") + ".\n")
    print(lines[-1], end="")
    if arguments.document:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        page_head.write(PAGE, before + BEGIN + "".join(lines) + END + rest.partition(END)[2], "make widths")


if __name__ == "__main__":
    main()
