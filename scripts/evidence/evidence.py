#!/usr/bin/env python3
"""Which tests find faults, and whether `make test` finds what `make test-all` finds: over a fixed sample of small faults of the C side and the RTL.

    scripts/evidence/evidence.py [--build c|rtl]... [--tests PATTERN]... [--minutes N] [--all N] [--alone N] [--record] [--jobs N]
    scripts/evidence/evidence.py --list         the faults, nothing is run
    scripts/evidence/evidence.py --only ID      one fault again: what each test says of it
    scripts/evidence/evidence.py --suite        what is known, for tests/suite.toml: tests to come back, tests that find nothing

The sample is drawn by the faults' own names (c_room.py, rtl_room.py), all of a build in one command or model, chosen by their numbers when it starts.
A test runs with all faults at once that no test of `make test` has found yet. If it passes it finds none of them; if it fails, it runs without a fault,
must pass, and then with one half of them, and so on, down to single ones. Tests of `make test` come first, the cheapest first; then of the others one of
each group, then the next of each. With --jobs 2 or more the builds run side by side. --all: then the first N
faults of the sample run alone through all tests, for all their finders. --alone: N pairs of a fault that some test finds and a test that passed with it
among others run again, with that fault alone: whether faults hide each other. What was run is kept in build/evidence, and with --record in
tests/evidence and docs/results/evidence.md. --tests: those tests alone. Status 1 if a test fails without a fault.
"""
import argparse
import fnmatch
import json
import multiprocessing
import pathlib
import random
import signal
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/evidence")]
import c_room  # noqa: E402
import page  # noqa: E402
import rtl_room  # noqa: E402
import trials  # noqa: E402
from fault import layers  # noqa: E402
from findings import Book  # noqa: E402

ROOM = ROOT / "build/evidence"
RECORD = ROOT / "tests/evidence"
BUILDS = {"c": c_room, "rtl": rtl_room}


class TimeIsOver(Exception):
    pass


class Ground:
    """One build with its faults: its tests, what they do without a fault, and the book of verdicts."""

    def __init__(self, name, options):
        self.module, self.name = BUILDS[name], name
        self.tree, self.faults = self.module.build(options.jobs)
        self.tests = trials.listed(self.tree, frozenset(fault.path for fault in self.faults), self.module.MODEL)
        self.baseline = trials.Baseline(ROOM / name / "baseline.jsonl", self.module.digest())
        self.failing, self.joint, self.until = [], 0, 0.0
        self.read()

    def read(self):
        """What is known, as it is on disk."""
        self.baseline = trials.Baseline(self.baseline.path, self.baseline.of)
        self.book = Book(ROOM / f"{self.name}.jsonl", RECORD, self.faults, set(self.tests))

    def wanted(self, patterns):
        """The tests in the order in which to run them. None is run for it: one that passes with the faults need not run without."""
        known = trials.times() | {name: seen.processor for name, seen in self.baseline.seen.items()}
        wanted = [test for name, test in self.tests.items() if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]
        return trials.in_order(wanted, lambda name: known.get(name, 0))

    def good(self, test):
        """Whether it passes without a fault; one that does not is out, and found none."""
        if test.name not in self.baseline.seen:
            self.in_time()
            seen = self.baseline.measure(self.tree, test)
            print(f"  {test.name}: {seen.seconds:.1f} s{'' if seen.status == 0 else ', FAILS without a fault'}", flush=True)
            if seen.status:
                self.failing.append(test.name)
                self.book.without_one()
                del self.tests[test.name]
        return test.name in self.tests

    def in_time(self):
        if time.monotonic() > self.until:
            raise TimeIsOver

    def found_short(self, fault):
        """Whether a test of `make test` finds it."""
        return any(name in self.tests and not self.tests[name].rest for name in self.book.of(fault).finders)

    def passes(self, test, faults):
        self.in_time()
        return self.baseline.passes(self.tree, test, [fault.number for fault in faults])

    def narrow(self, test, faults, failing=False):
        """Those of the faults that the test finds, alone. failing: it fails with all of them, or so it must be."""
        if (not failing or len(faults) == 1) and self.passes(test, faults):
            return []
        if len(faults) == 1:
            return faults
        half = len(faults) // 2
        first = self.narrow(test, faults[:half])
        return first + self.narrow(test, faults[half:], failing=not first)

    def ask(self, test, faults):
        """The book records the faults that the test finds; all at once where they do not affect each other."""
        found = []
        for layer in layers(faults):
            if test.name not in self.baseline.seen and self.passes(test, layer):
                continue
            if not self.good(test):
                return
            if not self.passes(test, layer):
                here = self.narrow(test, layer, failing=True)
                self.joint += not here
                found += here
        self.book.say(test.name, faults, found)
        said = ", ".join(f"{fault.id} {fault.path}:{fault.function}" for fault in found)
        print(f"  {test.name}: {len(found)} of {len(faults)}{': ' + said if found else ''}", flush=True)

    def run(self, options):
        """Whether all is done."""
        drawn = sorted(self.faults, key=lambda fault: fault.id)
        try:
            tests = self.wanted(options.tests)
            for test in tests:
                asked = [fault for fault in drawn if test.name not in self.book.of(fault).ran and not self.found_short(fault)]
                if asked:
                    self.ask(test, asked)
            for fault in drawn[: options.all]:
                for test in tests:
                    if test.name in self.tests and test.name not in self.book.of(fault).ran:
                        self.ask(test, [fault])
            self.check_alone(options.alone)
        except TimeIsOver:
            return False
        return True

    def check_alone(self, count):
        """Draws pairs of a fault that is found somewhere and a test that passed with it among others, and runs them alone."""
        path = ROOM / f"{self.name}.alone"
        done = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        known = {(fault_id, test) for fault_id, test, _ in done}
        pairs = [(fault, test) for fault in self.faults if self.book.of(fault).finders for test, found in self.book.of(fault).ran.items() if not found]
        pairs = sorted((pair for pair in pairs if pair[1] in self.tests), key=lambda pair: random.Random(pair[0].id + pair[1]).random())
        for fault, name in pairs[:count]:
            if (fault.id, name) not in known:
                self.good(self.tests[name])
                passes = self.passes(self.tests[name], [fault])
                with path.open("a") as file:
                    print(json.dumps([fault.id, name, passes]), file=file)

    def alone(self):
        """(pairs that ran again alone, those of them in which the test finds the fault)."""
        path = ROOM / f"{self.name}.alone"
        said = [json.loads(line)[2] for line in path.read_text().splitlines()] if path.exists() else []
        return len(said), said.count(False)


def run_all(grounds, options):
    """All builds, each in a process of its own where there are several to run and to run on. What they say is on disk; what is known here follows it."""
    if len(grounds) < 2 or options.jobs < 2:
        for ground in grounds:
            ground.run(options)
        return
    fork, running = multiprocessing.get_context("fork"), []
    for ground in grounds:
        here, there = fork.Pipe(duplex=False)
        process = fork.Process(target=run_for, args=(ground, options, there), daemon=True)  # ends with this one
        process.start()
        there.close()
        running.append((ground, process, here))
    for ground, process, here in running:
        try:
            ground.failing = here.recv()
        except EOFError:
            process.join()
            raise SystemExit(f"evidence.py: the run of {ground.name} ended: {process.exitcode}") from None
        process.join()
        for name in ground.failing:
            ground.tests.pop(name, None)
        ground.read()


def run_for(ground, options, there):
    ground.run(options)
    there.send(ground.failing)


def only(grounds, fault_id):
    for ground in grounds:
        ground.until = float("inf")
        for fault in ground.faults:
            if fault.id == fault_id:
                print(f"{fault.path}: {fault.function}: {fault.original}: {fault.what} (MUTANT={fault.number}, {ground.tree})")
                for test in ground.wanted(["*"]):
                    if ground.good(test):
                        print(f"  {'passes  ' if ground.passes(test, [fault]) else 'finds it'}  {test.name}", flush=True)
                return 0
    print(f"evidence.py: {fault_id}: no such fault: --list prints them", file=sys.stderr)
    return 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", action="append", choices=sorted(BUILDS), help="faults of that build alone (default: all)")
    parser.add_argument("--tests", nargs="+", default=["*"], metavar="PATTERN", help="measure the tests whose names match one (default: all)")
    parser.add_argument("--minutes", type=float, default=360, help="stop after this many minutes (default %(default)s)")
    parser.add_argument("--all", type=int, default=0, metavar="N", help="the first N faults of a build run all tests")
    parser.add_argument("--alone", type=int, default=100, metavar="N", help="of a build, pairs of fault and test to run again alone (default %(default)s)")
    parser.add_argument("--record", action="store_true", help="write tests/evidence and docs/results/evidence.md")
    parser.add_argument(
        "--jobs", type=int, default=2, help="compilers at once, and the builds side by side; a build's tests run one after the other (default %(default)s)"
    )
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
            ground.until = until
        run_all(grounds, options)
    if options.record:
        for ground in grounds:
            ground.book.record()
    page.write(grounds, options.record, options.suite)
    failing = sorted({name for ground in grounds for name in ground.failing})
    if failing:
        print(f"evidence.py: without a fault these fail, and find none: {', '.join(failing)}", file=sys.stderr)
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
