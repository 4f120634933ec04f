#!/usr/bin/env python3
"""Case studies: programs with one known fault each, what the report and its rivals say of it, and what the change gained; writes docs/results/cases.md.

    scripts/cases/cases.py [--only NAME]... [--config tea4] [--small] [--write] [--folder FOLDER]      make cases

tests/cases/cases.toml lists them. Without --write a summary is printed. --small: the small work that tests run. A run that was made before, with the same program, model, command and options, is not made again.
Status 1: a run failed, a check failed, or a side prints something else than the first.
"""
import argparse
import pathlib
import sys

sys.path[:0] = map(str, (pathlib.Path(__file__).resolve().parent, pathlib.Path(__file__).resolve().parents[1]))
import drawings  # noqa: E402
import page_head  # noqa: E402
from page import page  # noqa: E402
from runs import ROOT, Case, table  # noqa: E402

PAGE = ROOT / "docs/results/cases.md"


def say(case):
    low, high = case.predicted
    print(
        f"{case.name}: predicted {low:.2f} to {high:.2f}, measured " + ", ".join(f"{case.gain(side):.2f} ({side.name})" for side in case.sides[1:]), flush=True
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", metavar="NAME", help="this case alone; any number of times")
    parser.add_argument("--config", default="tea4", help="the core (default: %(default)s)")
    parser.add_argument("--small", action="store_true", help="the small work")
    parser.add_argument("--write", action="store_true", help="write docs/results/cases.md and its pictures")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/cases", help="where programs and samples go (default: build/cases)")
    options = parser.parse_args()
    names = options.only or list(table())
    if unknown := set(names) - set(table()):
        parser.error(f"no case {', '.join(sorted(unknown))}: there are {', '.join(table())}")
    if options.write and (options.only or options.small or options.config != "tea4"):
        parser.error("the page has all cases, on tea4: --write alone")
    cases = []
    for name in names:
        cases.append(Case(name, options.config, options.folder, options.small))
        say(cases[-1])
    if options.write:
        pictures = {case.name: drawings.draw(case, PAGE) for case in cases}
        page_head.write(PAGE, page(cases, pictures, options.config), "make cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
