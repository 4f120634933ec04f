#!/usr/bin/env python3
"""Run the test suite of tests/suite.toml and print one line a test and 'N passed, N failed'.

    scripts/run_tests.py [--jobs N] [--only TEXT | --changed REV | --file FILES | --all [--record]] [--again] [--list] [--junit FILE]

A test is a command; status 0 passes. Its output is kept in build/tests/log/NAME.log and shown if it fails, with the command that
reruns just that. A group that finds no test fails: a suite must not pass by being empty. One with `optional` is left out instead, and
the end reports it. Nothing is built here: `make test` does (--needs: what it builds for it).

Of a group with `short`, a list of patterns, `make test` runs the tests whose names match one; --all runs the others, too. Each test that passes is
kept in build/tests/passed.tsv with a digest of its command and of the files that it reads (scripts/suite/inputs.py): --all runs no test that has passed at this state of its inputs,
unless --again is given. --record puts the result of --all on record, by commit: tests/rest.tsv. --changed runs the tests of `make test` whose inputs
differ from a revision of git, --file the tests that are nearest to files (scripts/suite/nearest.py). --trace-inputs runs tests under strace and says which files they read that their groups do not name.

How long each test took last is kept in build/tests/times.json; the slowest are printed. --junit: results as JUnit XML, replaced after each test. Binaries that are
older than their sources are named, with what builds them. Ctrl-C ends what runs; the lines of the end and the file say what has not run.
"""
import argparse
import datetime
import json
import os
import pathlib
import signal
import sys
import time

import stale
from junit_xml import JunitFile
from suite import groups, inputs, kept, passed, runner, trace
from suite.choice import Choice, counted, of_groups

ROOT = groups.ROOT
TIMES = ROOT / "build" / "tests" / "times.json"
SUITE_FILE = ROOT / "tests" / "suite.toml"
SLOWEST = 10


def fault(text):
    print(f"run_tests.py: {text}", file=sys.stderr)
    return 2


def read_times():
    try:
        return json.loads(TIMES.read_text())
    except (OSError, ValueError):
        return {}


# ---- the record of whole runs ----
def on_record(book):
    """When all tests last ran, in words."""
    rows = [line.split("\t") for line in book.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")] if book.exists() else []
    if len(rows) < 2:
        return "never on record"
    last = dict(zip(rows[0], rows[-1]))
    return f"last on record: {last['passed']} passed, {last['failed']} failed at {last['commit']}, {last['date']}"


def commit_of(book):
    """The commit that the tree is, and what keeps a result from being its own, or ""."""
    commit = inputs.git("rev-parse", "--short=8", "HEAD").strip()
    there = [line[3:] for line in inputs.git("status", "--porcelain").splitlines() if (ROOT / line[3:]) != book]
    return commit, f"the tree differs from {commit}: {', '.join(there[:3])}{' ...' if len(there) > 3 else ''}" if there else ""


def record(book, results, before, seconds):
    """A row of the record: what ran now and what had passed before, on which commit. Returns the message to print."""
    commit, why = commit_of(book)
    if why:
        return f"not put on record: {why}"
    ran, failed = len(results.seconds_of), len(results.failed)
    with book.open("a", encoding="utf-8") as file:
        print(commit, datetime.date.today().isoformat(), ran - failed + before, failed, before, round(seconds / 60), sep="\t", file=file)
    return f"put on record: {commit}, {ran} ran now, {before} had passed before at this state of their inputs"


# ---- what is printed ----
def print_list(tests, short):
    """For a pipe, too: a reader that has seen enough is no fault. short: names of tests that `make test` runs."""
    times = read_times()
    try:
        for test in tests:
            notes = [f"{seconds:.1f} s" for seconds in [times.get(test.name)] if seconds is not None] + ["make test-all"] * (test.name not in short)
            print(f"{test.name}\t{test.command}" + (f"\t# {', '.join(notes)}" if notes else ""))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Results:
    """What came of the tests so far: printed, kept, and written to the JUnit file where there is one. book, digests: where passes go, or None."""

    def __init__(self, junit, book, digests):
        self.junit = junit
        self.failed, self.seconds_of = [], {}
        self.book, self.digests = book, digests

    def take(self, test, command, status, output, seconds):
        name = test.name
        self.seconds_of[name] = round(seconds, 1)
        print(f"{'PASS' if status == 0 else 'FAIL'}  {name}  ({seconds:.1f} s)", flush=True)
        if status == 0:
            if self.junit:
                self.junit.passed(name, seconds)
            if self.book:
                self.keep(test, seconds)
            return
        self.failed.append(name)
        how = f"status {status}; rerun: {command}"
        print("  " + "\n  ".join([*output.splitlines()[-40:], how]), flush=True)
        if self.junit:
            self.junit.failed(name, seconds, how, output)

    def keep(self, test, seconds):
        """A pass, where no file of the tree was written since its digest was taken."""
        if self.digests.untouched():
            self.book.add(test.name, self.digests.of(test), seconds, self.digests.commit)


class Digests:
    """Those of the tests, all taken of one state of the tree."""

    def __init__(self, known):
        self.state = inputs.State(known)
        self.commit = inputs.git("describe", "--always", "--dirty", "--abbrev=8").strip()
        self.begun = self.state.stamp()
        self.known = {}

    def take(self, tests):
        self.known.update({test.name: self.state.of(test) for test in tests})

    def of(self, test):
        return self.known[test.name]

    def untouched(self):
        return self.state.stamp() == self.begun


def print_end(tests, results, notes, ended, only):
    seconds_of, failed = results.seconds_of, results.failed
    if len(seconds_of) > SLOWEST:
        print("slowest: " + ", ".join(f"{name} {seconds_of[name]:.0f} s" for name in sorted(seconds_of, key=seconds_of.get, reverse=True)[:SLOWEST]))
    for line in notes:
        print(line)
    rest = f", {len(tests) - len(seconds_of)} not run: ended by {signal.Signals(ended).name}" if ended else ""
    print(f"{len(seconds_of) - len(failed)} passed, {len(failed)} failed{rest}")
    for name in failed:
        print(f"  failed: {name}")
    if any(name.endswith(groups.EMPTY) for name in failed):
        print(f"  what is missing is built by: make test{f' ONLY={only}' if only else ''}")


def what_is_left(suite, book):
    """The line that says what `make test` does not run."""
    everything, short = groups.wanted(suite, part=groups.ALL), {test.name for test in groups.wanted(suite)}
    rest = [test for test in everything if test.name not in short]
    times = read_times()
    seconds = sum(times.get(test.name, 0) for test in rest)
    return [f"left to make test-all, for time: {of_groups(rest)}{f', {seconds / 60:.0f} minutes' if seconds > 60 else ''} ({on_record(book)})"] if rest else []


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--only", default="", help="run the tests whose name contains TEXT")
    which.add_argument("--changed", metavar="REV", help="run the tests of make test whose inputs differ from a revision")
    which.add_argument("--file", metavar="FILES", help="run the tests that are nearest to these files of the tree, separated by commas or blanks")
    which.add_argument("--all", action="store_true", help="run all tests that have not passed yet at this state of their inputs")
    parser.add_argument("--again", action="store_true", help="with --all: whether they have passed or not")
    parser.add_argument("--record", action="store_true", help="with --all: append the result to rest.tsv beside the suite")
    parser.add_argument("--list", action="store_true", help="print the tests, run nothing")
    parser.add_argument(
        "--needs", action="store_true", help="print what make has to build for the tests, what it builds with SAN=1 in a second line; run nothing"
    )
    parser.add_argument("--files", action="store_true", help="with --changed: print the files that differ, run nothing")
    parser.add_argument("--trace-inputs", action="store_true", help="run the tests under strace, print what they read and their groups do not name")
    parser.add_argument("--suite", type=pathlib.Path, default=SUITE_FILE, help="groups of tests (default: tests/suite.toml)")
    parser.add_argument("--passed", type=pathlib.Path, metavar="FILE", help="the book of passes (default: build/tests/passed.tsv; none for another suite)")
    parser.add_argument("--junit", type=pathlib.Path, metavar="FILE", help="write the results there, too, as JUnit XML")
    arguments = parser.parse_args()
    if (arguments.record or arguments.again) and not arguments.all or arguments.files and arguments.changed is None:
        parser.error("--record and --again go with --all, --files with --changed REV")
    if arguments.passed is None and arguments.suite.resolve() == SUITE_FILE:
        arguments.passed = passed.BOOK
    return arguments


def nothing_has(suite, only):
    """The fault of a name that no test has."""
    close = groups.close_names(suite, only)
    meant = f": did you mean {', '.join(close)}?" if close else ""
    return fault(f"no test has '{only}' in its name{meant}\n  scripts/run_tests.py --list prints them all, make test ONLY=TEXT builds what is missing")


def run(arguments, suite, choice):
    """Runs what is chosen; returns the status."""
    tests, book = choice.tests, arguments.suite.with_name("rest.tsv")
    passes, digests = None, None
    if arguments.passed:
        try:
            passes = passed.Passed(arguments.passed)
            digests = Digests(inputs.Inputs(suite, inputs.tree()))
            digests.take(tests)
        except inputs.NoGit:
            passes = None  # a tree without git: nothing is kept
    if arguments.all and passes and not arguments.again:
        tests = [test for test in tests if not passes.has(test.name, digests.of(test))]
    before = len(choice.tests) - len(tests)
    part = groups.ALL if arguments.only or arguments.all else groups.SUITE
    chosen = arguments.changed is not None or arguments.file is not None
    missing = [] if chosen else groups.left_out(choice.groups, arguments.only, part)
    junit = None
    if arguments.junit:
        try:
            if arguments.junit.resolve() == arguments.suite.resolve():
                raise OSError(f"{arguments.junit}: is the suite itself: name another file")
            junit = JunitFile(arguments.junit, [test.name for test in tests], [(name, f"not built: {how}") for name, how in missing])
        except OSError as reason:
            return fault(f"--junit: {reason}")
    runner.LOG.mkdir(parents=True, exist_ok=True)
    old = stale.lines([test.command for test in tests])
    for line in [*choice.before, *old]:
        print(line, flush=True)
    results = Results(junit, None if old else passes, digests)  # of a binary that is older than its sources nothing is kept
    started = time.monotonic()
    kept.begin(arguments.changed is not None)
    ended = runner.run_all(tests, arguments.jobs, results)
    TIMES.write_text(json.dumps(read_times() | results.seconds_of, indent=1, sort_keys=True) + "\n")
    notes = old + [f"left out, not built: {name} ({how})" for name, how in missing]
    if kept.used():
        notes.append(f"of {counted(kept.used(), 'run')} the kept result was used: same code, model, program and options (scripts/suite/kept.py)")
    if before:
        notes.append(f"had passed before at this state of their inputs: {counted(before, 'test')}")
    if not arguments.only and not arguments.all and not chosen:
        notes += what_is_left(choice.groups, book)
    if arguments.record and not ended:
        notes.append(record(book, results, before, time.monotonic() - started))
    print_end(tests, results, notes, ended, arguments.only)
    for line in choice.last:
        print(line)
    if junit and not junit.write():
        return fault(f"--junit: {junit.fault}")
    return 128 + ended if ended else 1 if results.failed else 0


def main():
    arguments = parse()
    try:
        suite = groups.load(arguments.suite)
        if arguments.files:
            print(*sorted(inputs.changed_since(arguments.changed)), sep="\n")
            return 0
        choice = Choice(arguments, suite)
        if arguments.needs:
            for goals in groups.goals(groups.to_build(choice.groups, choice.tests, arguments.only)):
                print(*kept.goals(goals))
            return 0
        if not choice.tests and arguments.changed is None and arguments.file is None:
            return nothing_has(choice.groups, arguments.only)
        for name in groups.duplicates(choice.tests):
            return fault(f"{arguments.suite}: two tests are called {name}: give one another name")
        if arguments.list:
            print_list(choice.tests, {test.name for test in groups.wanted(choice.groups)})
            return 0
        idle = [] if arguments.only or arguments.file is not None else groups.idle_patterns(choice.groups)
        if idle:
            return fault(f"{arguments.suite}: `short` names tests that do not exist: {', '.join(idle)}")
        if arguments.trace_inputs:
            return trace.compare(choice.tests, inputs.Inputs(suite, inputs.tree()), groups.tests_of(choice.groups))
        return run(arguments, suite, choice)
    except groups.SuiteError as reason:
        return fault(reason)


if __name__ == "__main__":
    sys.exit(main())
