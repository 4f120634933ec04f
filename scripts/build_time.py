#!/usr/bin/env python3
"""Where the minutes go from an empty clone to all that `make test` needs: each part alone, one after the other.

    scripts/build_time.py [--only TEXT] [--jobs N] [--write]     --only: parts with TEXT in their name; --write: the table of docs/results/build-time.md

Clones this tree's commit into a temporary folder and has make build there what scripts/run_tests.py --needs lists. Seconds of processor time (user and
system, all processes) and by the clock; on a busy machine the first are the ones to compare. Some ten minutes on two idle cores.
"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/results/build-time.md"
COMMAND = "scripts/build_time.py --write"
BEGIN, END = "<!-- begin: scripts/build_time.py -->", "<!-- end -->"
PARTS = (  # name, what of the needs is its; the first that fits. {}: what the pattern's group has found
    ("model {}", r"build/(\w+/model(?:-fst)?)\.so"),
    ("RTL benches", r"build/tests/unit/rtl/|build/lib/verilated-bench"),
    ("unit tests", r"build/tests/unit/|build/tests/unit-tsan/"),
    ("ISA tests, random and other programs", r"build/tests/|need-isa|need-counting"),
    ("workloads", r"need-small|need-workloads|build/workloads/"),
    ("page of reports", r"need-page|need-html"),
    ("kernels", r"(?:need-)?kernels$"),
    ("command", r"build/bin/tipoff"),
    ("rest", r""),
)


def part_of(target):
    for name, pattern in PARTS:
        found = re.match(pattern, target)
        if found:
            return name.format(*found.groups())
    raise AssertionError(target)


def parts(plain, san, linted):
    """[(name, words for make)] in the order of building. linted: configurations that make test lints beside those whose models it builds."""
    found = {}
    for target in plain:
        found.setdefault(part_of(target), []).append(target)
    lint = [("lint-rtl", ["lint-rtl", f"CONFIGS={' '.join(linted)}"]), ("lint-c", ["lint-c"]), ("lint-python", ["lint-python"]), ("lint-html", ["lint-html"])]
    first = [name for name in ("command", "workloads", "page of reports") if name in found]
    models = sorted(name for name in found if name.startswith("model "))
    others = [name for name in found if name not in (*first, *models)]
    built = [(name, found[name]) for name in (*first, *models, *others)]
    return lint + built + ([("command and unit tests with sanitizers", ["SAN=1", *san])] if san else [])


def measure(words, folder, jobs):
    """Seconds of the processors and by the clock of a call of make."""

    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before, begun = used(), time.monotonic()
    done = subprocess.run(["make", "-s", f"-j{jobs}", f"JOBS={jobs}", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise SystemExit(f"build_time.py: make {' '.join(words)[:200]} fails in a clone of {ROOT}:\n{done.stdout.decode(errors='replace')[-2000:]}")
    return used() - before, time.monotonic() - begun


def table(rows):
    """Markdown of [(part, processor seconds, seconds)], with their sum."""
    total = ("all", sum(row[1] for row in rows), sum(row[2] for row in rows))
    return "\n".join(
        ["| part | processors, s | clock, s |", "|---|---|---|", *(f"| {name} | {cpu:.0f} | {clock:.0f} |" for name, cpu, clock in [*rows, total])]
    )


def with_table(page, text):
    """The page with this table between its two marks."""
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        raise SystemExit(f"build_time.py: {PAGE}: needs a line '{BEGIN}' and a line '{END}', once each")
    return page[: page.index(BEGIN) + len(BEGIN)] + "\n" + text + "\n" + page[page.index(END) :]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="parts with TEXT in their name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.relative_to(ROOT)}")
    arguments = parser.parse_args()
    if arguments.write and arguments.only:
        parser.error("--write writes all parts: omit --only")
    with tempfile.TemporaryDirectory(prefix="tipoff-build-") as name:
        folder = pathlib.Path(name) / "tree"
        subprocess.run(["git", "clone", "-q", ROOT, folder], check=True)
        listed = subprocess.run([sys.executable, "scripts/run_tests.py", "--needs"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout.split(
            "\n"
        )
        linted = re.search(r"^LINT_FEW *= *(.*)$", (folder / "tests/tests.mk").read_text(encoding="utf-8"), re.MULTILINE)[1].split()
        wanted = [part for part in parts(listed[0].split(), listed[1].split(), linted) if arguments.only in part[0]]
        if not wanted:
            parser.error(f"--only {arguments.only}: no such part")
        rows = []
        for part, words in wanted:
            rows.append((part, *measure(words, folder, arguments.jobs)))
            print(f"{rows[-1][1]:7.1f} s of processors {rows[-1][2]:7.1f} s  {part}", flush=True)
    if arguments.write:
        page_head.write(PAGE, with_table(PAGE.read_text(encoding="utf-8"), table(rows)), COMMAND)
    return 0


if __name__ == "__main__":
    sys.exit(main())
