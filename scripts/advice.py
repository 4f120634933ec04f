#!/usr/bin/env python3
"""Does the report's advice lead right? Runs the programs of docs/results/advice.md before and after the change, and writes the page's figures.

    scripts/advice.py [--config tea4] [--only NAME]... [--write]

Each program of tests/advice/programs.toml is built twice by tipoff-cc, the second time with FIXED, and run on the core with every check and a
sample every 97 cycles. Printed, and with --write put into the page: what the report of the first says, the gain that it
predicts if all time of that advice went, 1 / (1 - share), with the 95 % interval of the share, and the gain that was measured. A program that fails, or prints something else after the change, ends
it with status 1.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tomllib

import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build/bin"
SOURCES = ROOT / "tests/advice"
PAGE = ROOT / "docs/results/advice.md"
PERIOD = 97
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def run(*words):
    done = subprocess.run([*map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def programs():
    return tomllib.loads((SOURCES / "programs.toml").read_text(encoding="utf-8"))


def rules():
    """(state, events) -> texts of all rules with them, by unit."""
    found = {}
    for line in (ROOT / "tables/advice.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "state\t")):
            state, events, unit, text, _ = line.split("\t")
            found[state, events, unit] = text
    return found


def side(name, fixed, config, folder):
    """Builds and runs one; what it printed, and its sample file."""
    elf, samples = folder / f"{name}.{'after' if fixed else 'before'}.elf", folder / f"{name}.{'after' if fixed else 'before'}.{config}.tips"
    run(
        BIN / "tipoff-cc",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-ffp-contract=off",
        *(["-DFIXED"] if fixed else []),
        (SOURCES / f"{name}.c").relative_to(ROOT),
        "-o",
        elf,
    )
    printed = run(BIN / "tipoff", "run", "--config", config, "--quiet", "--period", PERIOD, "--jitter=4", "--worker", "stall-causes", "--samples", samples, elf)
    return printed, samples


class Measured:
    """Both runs of a program, and what the report of the first says."""

    def __init__(self, name, config, folder):
        self.name = name
        self.entry = programs()[name]
        folder.mkdir(parents=True, exist_ok=True)
        printed = []
        self.reports = []
        for fixed in (False, True):
            out, samples = side(name, fixed, config, folder)
            printed.append(out)
            self.reports.append(json.loads(run(BIN / "tipoff", "report", "--format", "json", samples)))
            if not fixed:
                self.text = run(BIN / "tipoff", "report", "--top", 0, samples)
        if printed[0] != printed[1]:
            raise SystemExit(f"{name}: prints {printed[0]!r} before the change, {printed[1]!r} after it")
        self.cycles = [report["cycles"] for report in self.reports]
        self.gain = self.cycles[0] / self.cycles[1]
        text = rules()[tuple(self.entry["rule"])]
        self.rank = next((i + 1 for i, a in enumerate(self.reports[0]["advice"]) if a["text"] == text), 0)
        self.share, self.half = self.share_in(0, text)
        self.share_after = self.share_in(1, text)[0]

    def share_in(self, which, text):
        """The advice's share of the time, and half of its 95 % interval."""
        report = self.reports[which]
        share = sum(a["weight"] for a in report["advice"] if a["text"] == text) / report["weight"]
        return share, 1.96 * math.sqrt(share * (1 - share) / report["samples"])

    @property
    def advice(self):
        return self.reports[0]["advice"][self.rank - 1]

    @property
    def predicted(self):
        return 1 / (1 - self.share)

    @property
    def verdict(self):
        ratio = self.gain / self.predicted
        return "as predicted" if 0.9 <= ratio <= 1.1 else "more" if ratio > 1.1 else "less"

    def lines(self):
        """What the report says of the advice's hottest instruction and of the advice, word by word, without the bar."""
        unit = self.advice["examples"][0]
        row = next(line for line in self.text.splitlines() if f" {unit} " in line and "%" in line[:10])
        row = re.sub(r" {2,}[█▓▒░CSFD]+ *", "  ", row)
        block = self.text[self.text.index("What to do") :].split("\n\n")[0].splitlines()
        first = next(i for i, line in enumerate(block) if self.advice["text"] in line)
        return [re.sub(r" {3,}", "   ", row).rstrip(), *block[first - 1 : first + 1]]

    def row(self):
        low, high = (1 / (1 - min(0.99, self.share + sign * self.half)) for sign in (-1, 1))
        return (
            f"| [{self.name}](#{self.name}) | {self.entry['cause']} | {self.rank} | {100 * self.share:.0f} ± {100 * self.half:.0f} % | {self.predicted:.2f} ({low:.2f} to {high:.2f}) | "
            f"{self.cycles[0]:,}, {self.cycles[1]:,} | {self.gain:.2f} | {self.verdict} |"
        )

    def section(self):
        said = "\n".join(self.lines())
        differs = "Predicted" if self.verdict == "as predicted" else "Why " + self.verdict
        return (
            f"### {self.name}\n{self.entry['cause'][0].upper()}{self.entry['cause'][1:]} (`tests/advice/{self.name}.c`). The report:\n\n```\n{said}\n```\n\n"
            f"The change: {self.entry['fix']}. Predicted {self.predicted:.2f} times as fast, measured {self.gain:.2f}. {differs}: {self.entry['why'][0].lower()}{self.entry['why'][1:]}\n"
        )


HEAD = "| program | cause | advice no. | its share of the time | predicted, if all of it went | cycles before, after | measured | |\n|---|---|---|---|---|---|---|---|"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="tea4", help="the core (default: %(default)s)")
    parser.add_argument("--only", action="append", metavar="NAME", help="this program alone; any number of times")
    parser.add_argument("--write", action="store_true", help="put all of it into docs/results/advice.md")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/advice", help="where programs and samples go (default: build/advice)")
    options = parser.parse_args()
    names = options.only or list(programs())
    if unknown := set(names) - set(programs()):
        parser.error(f"no program {', '.join(sorted(unknown))}: there are {', '.join(programs())}")
    if options.write and (options.only or options.config != "tea4"):
        parser.error("the page has all programs, on tea4: --write alone")
    measured = []
    for name in names:
        measured.append(Measured(name, options.config, options.folder))
        print(measured[-1].row(), flush=True)
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        text = "\n".join([HEAD, *(m.row() for m in measured)]) + "\n\n" + "\n".join(m.section() for m in measured)
        before, after = page[: page.index(BEGIN) + len(BEGIN)], page[page.index(END) :]
        page_head.write(PAGE, f"{before}\n{text}\n{after}", "make advice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
