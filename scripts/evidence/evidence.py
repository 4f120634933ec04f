#!/usr/bin/env python3
"""Which tests find faults, and whether `make test` finds what `make test-all` finds: over a fixed sample of small faults of the C side and the RTL.

    scripts/evidence/evidence.py [--build c|rtl]... [--tests PATTERN]... [--minutes N] [--budget SECONDS] [--all N] [--record] [--jobs N]
    scripts/evidence/evidence.py --list         the faults, nothing is run
    scripts/evidence/evidence.py --only ID      one fault again: what each test says of it
    scripts/evidence/evidence.py --suite        what is known, for tests/suite.toml: tests to come back, tests that find nothing

The sample is drawn by the faults' own names (c_room.py, rtl_room.py), all of a build in one command or model, chosen by a number when it starts.
Each test of the suite runs once without a fault: it must pass, and says which faults make a difference where they stand. A fault then runs
those tests that come to it, the last finder first, then the cheapest, until one of `make test` finds it or none is left; --all: the first N faults
of the sample run all. One whose tests take longer than --budget is left open, and goes on when the command is called again. What was run is
kept in build/evidence, and with --record in tests/evidence and docs/results/evidence.md. --tests: those tests alone. Status 1 if a test fails without a fault.
"""
import argparse
import fnmatch
import pathlib
import signal
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/evidence")]
import c_room  # noqa: E402
import page  # noqa: E402
import rtl_room  # noqa: E402
import trials  # noqa: E402
from findings import Book  # noqa: E402

ROOM = ROOT / "build/evidence"
RECORD = ROOT / "tests/evidence"
BUILDS = {"c": c_room, "rtl": rtl_room}


class Ground:
    """One build with its faults: its tests, what they do without a fault, and the book of verdicts."""

    def __init__(self, name, options):
        self.module, self.name = BUILDS[name], name
        self.tree, self.faults = self.module.build(options.jobs)
        self.tests = trials.listed(self.tree, frozenset(fault.path for fault in self.faults))
        self.baseline = trials.Baseline(ROOM / name / "baseline.jsonl", self.module.digest())
        self.book = Book(ROOM / f"{name}.jsonl", RECORD, self.faults, set(self.tests))
        self.last = {}  # by file: the test that found its last fault
        self.failing = []

    def known(self):
        """The tests that pass without a fault."""
        return {name: test for name, test in self.tests.items() if (seen := self.baseline.seen.get(name)) and seen.status == 0}

    def measure(self, patterns, until):
        """Runs what has not been run without a fault yet; no test but one that passes can find any."""
        for test in self.tests.values():
            if test.name in self.baseline.seen or not any(fnmatch.fnmatch(test.name, pattern) for pattern in patterns):
                continue
            if time.monotonic() > until:
                return
            seen = self.baseline.measure(self.tree, test, lambda: self.module.notes(ROOM / self.name / "notes"))
            print(f"  {test.name}: {seen.seconds:.1f} s, {len(seen.reached)} faults{'' if seen.status == 0 else ', FAILS without a fault'}", flush=True)

    def candidates(self, fault, everything):
        """Tests that come to the fault and have not been run with it, in the order in which to run them."""
        ran = self.book.of(fault).ran
        reaching = [t for name, t in self.known().items() if fault.number in self.baseline.seen[name].reached]
        recent = [self.last.get(fault.path), self.last.get("")]
        todo = [test for test in reaching if test.name not in ran]
        if not everything and self.found_short(fault):
            todo = []
        key = lambda test: (recent.index(test.name) if test.name in recent else len(recent), self.baseline.seen[test.name].seconds)
        return sorted(todo, key=key), len(reaching)

    def found_short(self, fault):
        """Whether a test of `make test` finds it."""
        return any(name in self.tests and not self.tests[name].rest for name in self.book.of(fault).finders)

    def judge(self, fault, everything, budget):
        """Runs the tests of one fault; returns what is to be said."""
        todo, reaching = self.candidates(fault, everything)
        ran, spent = [], 0.0
        for test in todo:
            if spent > budget:
                break
            found, seconds = self.baseline.says(self.tree, test, fault.number)
            ran.append((test.name, found, seconds))
            spent += seconds
            if found:
                self.last[fault.path] = self.last[""] = test.name
                if not everything and not test.rest:
                    break
        if ran or not self.book.of(fault).said or self.book.of(fault).reached != reaching:
            self.book.say(fault, reaching, ran)
        return ran, spent

    def run(self, options, until):
        drawn = sorted(self.faults, key=lambda fault: fault.id)
        everything = {fault.id for fault in drawn[: options.all]}
        for fault in sorted(
            drawn, key=lambda fault: bool(self.book.of(fault).ran)
        ):  # what has not begun comes first: a run that is ended says something of most
            if time.monotonic() > until:
                return
            ran, spent = self.judge(fault, fault.id in everything, options.budget)
            if ran:
                finders = self.book.of(fault).finders
                says = f"found by {finders[0]}" if finders else "not found"
                print(f"  {fault.id} {fault.path}:{fault.function}: {fault.what}: {len(ran)} tests, {spent:.1f} s: {says}", flush=True)


def only(grounds, fault_id):
    for ground in grounds:
        for fault in ground.faults:
            if fault.id == fault_id:
                print(f"{fault.path}: {fault.function}: {fault.original}: {fault.what} (MUTANT={fault.number}, {ground.tree})")
                for name, test in ground.known().items():
                    if fault.number in ground.baseline.seen[name].reached:
                        found, seconds = ground.baseline.says(ground.tree, test, fault.number)
                        print(f"  {'finds it' if found else 'passes  '}  {name}  ({seconds:.1f} s)", flush=True)
                return 0
    print(f"evidence.py: {fault_id}: no such fault: --list prints them", file=sys.stderr)
    return 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", action="append", choices=sorted(BUILDS), help="faults of that build alone (default: all)")
    parser.add_argument("--tests", nargs="+", default=["*"], metavar="PATTERN", help="measure the tests whose names match one (default: all)")
    parser.add_argument("--minutes", type=float, default=360, help="stop after so many (default %(default)s)")
    parser.add_argument("--budget", type=float, default=120, metavar="SECONDS", help="of one fault, each time (default %(default)s)")
    parser.add_argument("--all", type=int, default=0, metavar="N", help="the first N faults of a build run all their tests")
    parser.add_argument("--record", action="store_true", help="write tests/evidence and docs/results/evidence.md")
    parser.add_argument("--jobs", type=int, default=2, help="compilers at once; tests run one after the other (default %(default)s)")
    parser.add_argument("--list", action="store_true", help="print the faults, run nothing")
    parser.add_argument("--only", metavar="ID", help="run all tests that come to that fault")
    parser.add_argument("--suite", action="store_true", help="print what is known for the choice of the short suite, run nothing")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # and what runs ends with it
    until = time.monotonic() + 60 * options.minutes
    ROOM.mkdir(parents=True, exist_ok=True)
    grounds = [Ground(name, options) for name in options.build or BUILDS]
    if options.list:
        for fault in (fault for ground in grounds for fault in ground.faults):
            print(f"{fault.id}  {fault.path}  {fault.function}  {fault.what}: {fault.original}")
        return 0
    if options.only:
        return only(grounds, options.only)
    if not options.suite:
        for ground in grounds:
            ground.measure(options.tests, until)
            ground.run(options, until)
    if options.record:
        for ground in grounds:
            ground.book.record()
    page.write(grounds, options.record, options.suite)
    failing = sorted({name for ground in grounds for name, seen in ground.baseline.seen.items() if seen.status and name in ground.tests})
    if failing:
        print(f"evidence.py: without a fault these fail, and find none: {', '.join(failing)}", file=sys.stderr)
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
