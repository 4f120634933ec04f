#!/usr/bin/env python3
"""Run the test suite of tests/suite.toml and print one line a test and 'N passed, N failed'.

    scripts/run_tests.py [--jobs N] [--only TEXT | --rest [--record]] [--list] [--junit FILE]

A test is a command; status 0 passes. Its output is kept in build/tests/log/NAME.log and shown if it fails,
with the command that reruns just that. A group that finds no test, or fewer than it has sources, fails: a suite must not pass by
being empty. One with `optional` is left out instead, and the end says so. Nothing is built here: `make test` does, and `make test ONLY=TEXT` builds and runs what has TEXT in its name.
A group with `short`, a list of patterns, runs the tests whose names match one; --rest runs the others, --only both, and the end
says how many there are and when they last ran: --record puts that on record (rest.tsv beside the suite).
How long each test took last is kept in build/tests/times.json; the slowest are printed. --junit: results as JUnit XML, replaced
after each test. Binaries that are older than their sources are named, with what builds them. Ctrl-C ends what runs; the lines of the end and the file say what has not run.
"""
import argparse
import collections
import concurrent.futures
import datetime
import fnmatch
import glob
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib

import stale
from junit_xml import JunitFile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOG = ROOT / "build" / "tests" / "log"
TIMES = ROOT / "build" / "tests" / "times.json"
SLOWEST = 10
SUITE, REST, ALL = "suite", "rest", "all"


def expand(group):
    """(name, command, timeout) of every test of a group."""
    items = [{}]
    if "glob" in group:
        items = [
            {"path": p, "stem": pathlib.Path(p).stem, "test": pathlib.Path(p).parent.name}
            for p in sorted(glob.glob(group["glob"], root_dir=ROOT))
            if not p.endswith((".d", ".log")) and not any(fnmatch.fnmatch(p, pattern) for pattern in group.get("except", []))
        ]
    elif "seeds" in group:
        first, last = group["seeds"]
        step = group.get("batch", 1)
        items = [{"first": n, "last": min(n + step - 1, last)} for n in range(first, last + 1, step)]
    for axis, values in group.get("for", {}).items():
        items = [dict(item, **{axis: value}) for item in items for value in values]
    if not items and "optional" not in group:
        yield f"{group['name']} (empty)", f"echo 'no test found for this group: {group['glob']} is made by make test'; false", 10
    for item in items:
        name = group["name"].format(**item)
        if name == group["name"] and item:
            name += "/" + "-".join(str(item[key]) for key in item if key not in ("path", "test"))
        yield name, group["command"].format(**item), group.get("timeout", 600)


def in_part(group, name, part):
    """Whether a test belongs to what runs: the suite, the rest that it leaves out for time, or all. A group without tests is the suite's."""
    if part == ALL:
        return True
    short = "short" not in group or name.endswith(" (empty)") or any(fnmatch.fnmatch(name, pattern) for pattern in group["short"])
    return short == (part == SUITE)


def idle_patterns(groups):
    """Patterns of `short` that no test matches: what they were to keep in the suite has another name."""
    found = []
    for group in groups:
        names = [name for name, _, _ in expand(group)]
        if not any(name.endswith(" (empty)") for name in names):
            found += [f"{group['name']}: {pattern}" for pattern in group.get("short", []) if not fnmatch.filter(names, pattern)]
    return found


def wanted(groups, only, part=ALL):
    """The tests with `only` in their name. A group that has none yet counts where a name of it could hold the text."""
    tests = []
    for group in groups:
        there = list(expand(group))
        found = [test for test in there if in_part(group, test[0], part)]
        sources = len(glob.glob(group["sources"], root_dir=ROOT)) if "sources" in group and not only and part != REST else 0
        if len(there) < sources:
            found.append((f"{group['name']} (incomplete)", f"echo '{len(there)} of {sources} tests are built'; false", 10))
        for test in found:
            could = re.escape(group["name"])
            could = re.sub(r"\\\{\w+\\\}", ".*", could)
            empty = test[0].endswith(" (empty)") and (only in group["name"] or re.fullmatch(could, only) or re.fullmatch(could, f"{only}x"))
            if only in test[0] or empty:
                tests.append(test)
    return tests


def configurations(groups, only):
    """Those of tables/config whose models the wanted tests name, built or not."""
    known = {path.stem for path in (ROOT / "tables/config").glob("*.toml")}
    named = set()
    for group in groups:
        chosen = wanted([group], only)
        texts = [f"{name} {command}" for name, command, _ in chosen if not name.endswith(" (empty)")]
        for config in group.get("for", {}).get("config", []):
            if only in group["name"].replace("{config}", config):  # its files are not there yet
                texts.append(config)
        named.update(word for text in texts for word in re.findall(r"[a-z]+[0-9]+", text))
    return sorted(named & known)


def needs(groups, only):
    """What make has to build for the wanted tests: targets, or "all" where a group does not say or nothing is found yet. Benches and unit tests are built by name."""
    if not wanted(groups, only):
        return ["all"]
    return sorted(
        {
            target
            for group in groups
            if any(not name.startswith(("unit/", "rtl/")) or "glob" not in group for name, _, _ in wanted([group], only))
            for target in group.get("needs", ["all"])
        }
    )


def left_out(groups, only):
    """(name, how it is built) of the optional groups that are not built."""
    return [(group["name"], group["optional"]) for group in groups if "optional" in group and only in group["name"] and not list(expand(group))]


def on_record(book):
    """When the tests that the suite leaves out last ran, in words."""
    rows = [line.split("\t") for line in book.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")] if book.exists() else []
    if len(rows) < 2:
        return "never on record"
    last = dict(zip(rows[0], rows[-1]))
    return f"last on record: {last['passed']} passed, {last['failed']} failed at {last['commit']}, {last['date']}"


def record(book, passed, failed, seconds):
    """A row of the record: what ran, on which commit."""
    git = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=8"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    with book.open("a", encoding="utf-8") as file:
        print(git, datetime.date.today().isoformat(), passed, failed, round(seconds / 60), sep="\t", file=file)


class Ended(BaseException):
    """A signal has ended the suite."""


def on_signal(number, _frame):
    raise Ended(number)


class Runner:
    """Runs tests, several at once, each in a process group of its own."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.ended = False

    @staticmethod
    def kill(process):
        """Ends a test with all that it has started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def end(self):
        """Ends all that runs; what has not begun does not begin."""
        with self.lock:
            self.ended = True
            for process in self.running:
                self.kill(process)

    def run(self, test):
        """(command, status, output, seconds), or None where the suite was ended before or meanwhile."""
        name, command, timeout = test
        started = time.monotonic()
        with self.lock:
            if self.ended:
                return None
            process = subprocess.Popen(
                ["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
            )
            self.running.add(process)
        try:
            output, _ = process.communicate(timeout=timeout)
            status = process.returncode
        except subprocess.TimeoutExpired:
            self.kill(process)
            output, _ = process.communicate()
            output, status = output + f"\nkilled after {timeout} s (hang guard)\n".encode(), 124
        with self.lock:
            self.running.remove(process)
            if self.ended:
                return None
        (LOG / (name.replace("/", "_") + ".log")).write_bytes(output)
        return command, status, output.decode(errors="replace"), time.monotonic() - started


def read_times():
    try:
        return json.loads(TIMES.read_text())
    except (OSError, ValueError):
        return {}


def print_list(tests, rest):
    """For a pipe, too: a reader that has seen enough is no fault. rest: names of tests that the suite leaves out."""
    times = read_times()
    try:
        for name, command, _ in tests:
            notes = [f"{seconds:.1f} s" for seconds in [times.get(name)] if seconds is not None] + ["make test-all"] * (name in rest)
            print(f"{name}\t{command}" + (f"\t# {', '.join(notes)}" if notes else ""))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Results:
    """What came of the tests so far: printed, kept, and written to the JUnit file where there is one."""

    def __init__(self, junit):
        self.junit = junit
        self.failed, self.seconds_of = [], {}

    def take(self, name, command, status, output, seconds):
        self.seconds_of[name] = round(seconds, 1)
        print(f"{'PASS' if status == 0 else 'FAIL'}  {name}  ({seconds:.1f} s)", flush=True)
        if status == 0:
            if self.junit:
                self.junit.passed(name, seconds)
            return
        self.failed.append(name)
        how = f"status {status}; rerun: {command}"
        print("  " + "\n  ".join([*output.splitlines()[-40:], how]), flush=True)
        if self.junit:
            self.junit.failed(name, seconds, how, output)


def run_all(tests, jobs, results):
    """Runs them; returns the signal that ended the suite, or 0."""
    runner = Runner()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, on_signal)
            names = {pool.submit(runner.run, test): test[0] for test in tests}
            for future in concurrent.futures.as_completed(names):
                results.take(names[future], *future.result())
        except BaseException as reason:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)
            runner.end()
            if not isinstance(reason, Ended):
                raise
            return reason.args[0]
    return 0


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
    if any(name.endswith((" (empty)", " (incomplete)")) for name in failed):
        print(f"  what is missing is built by: make test{f' ONLY={only}' if only else ''}")


def duplicates(tests):
    """Names that are there twice: a log, a time and a result are one test's."""
    return [name for name, times in collections.Counter(name for name, _, _ in tests).items() if times > 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="run the tests whose name contains TEXT")
    parser.add_argument("--rest", action="store_true", help="run the tests that the suite leaves out for time")
    parser.add_argument("--record", action="store_true", help="with --rest: append the result to rest.tsv beside the suite")
    parser.add_argument("--list", action="store_true", help="print all tests, run nothing")
    parser.add_argument("--configs", action="store_true", help="print the configurations that the tests need models of, run nothing")
    parser.add_argument("--needs", action="store_true", help="print what make has to build for the tests, run nothing")
    parser.add_argument("--suite", type=pathlib.Path, default=ROOT / "tests" / "suite.toml", help="groups of tests (default: tests/suite.toml)")
    parser.add_argument("--junit", type=pathlib.Path, metavar="FILE", help="write the results there, too, as JUnit XML")
    arguments = parser.parse_args()
    if arguments.rest and arguments.only or arguments.record and not arguments.rest:
        parser.error(
            "--only runs all tests of a name, --rest those that the suite leaves out, --record says how that went: --only TEXT, or --rest, or --rest --record"
        )
    part = REST if arguments.rest else ALL if arguments.only or arguments.list else SUITE
    groups = tomllib.loads(arguments.suite.read_text(encoding="utf-8"))["group"]
    if arguments.configs:
        print(*configurations(groups, arguments.only))
        return 0
    if arguments.needs:
        print(*needs(groups, arguments.only))
        return 0
    tests = wanted(groups, arguments.only, part)
    if not tests and arguments.rest:
        print(f"run_tests.py: {arguments.suite}: the suite leaves no test out")
        return 0
    if not tests:
        print(
            f"run_tests.py: no test that is built has '{arguments.only}' in its name: --list prints them all, make test ONLY={arguments.only} builds what is missing",
            file=sys.stderr,
        )
        return 2
    for name in duplicates(tests):
        print(f"run_tests.py: {arguments.suite}: two tests are called {name}: give one another name", file=sys.stderr)
        return 2
    if arguments.list:
        print_list(tests, {name for name, _, _ in wanted(groups, "", REST)})
        return 0
    idle = [] if arguments.only else idle_patterns(groups)
    if idle:
        print(f"run_tests.py: {arguments.suite}: `short` names tests that there are not: {', '.join(idle)}", file=sys.stderr)
        return 2
    missing = [] if arguments.rest else left_out(groups, arguments.only)
    junit = None
    if arguments.junit:
        try:
            if arguments.junit.resolve() == arguments.suite.resolve():
                raise OSError(f"{arguments.junit}: is the suite itself: name another file")
            junit = JunitFile(arguments.junit, [name for name, _, _ in tests], [(name, f"not built: {how}") for name, how in missing])
        except OSError as reason:
            print(f"run_tests.py: --junit: {reason}", file=sys.stderr)
            return 2
    LOG.mkdir(parents=True, exist_ok=True)
    results = Results(junit)
    old = stale.lines([command for _, command, _ in tests])
    for line in old:
        print(line, flush=True)
    book = arguments.suite.with_name("rest.tsv")
    started = time.monotonic()
    ended = run_all(tests, arguments.jobs, results)
    TIMES.write_text(json.dumps(read_times() | results.seconds_of, indent=1, sort_keys=True) + "\n")
    notes = old + [f"left out, not built: {name} ({how})" for name, how in missing]
    rest = len(wanted(groups, "", REST)) if part == SUITE else 0
    if rest:
        notes.append(f"left to make test-all, for time: {rest} tests ({on_record(book)})")
    if arguments.record and not ended:
        record(book, len(results.seconds_of) - len(results.failed), len(results.failed), time.monotonic() - started)
    print_end(tests, results, notes, ended, arguments.only)
    if junit and not junit.write():
        print(f"run_tests.py: --junit: {junit.fault}", file=sys.stderr)
        return 2
    return 128 + ended if ended else 1 if results.failed else 0


if __name__ == "__main__":
    sys.exit(main())
