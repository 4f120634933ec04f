#!/usr/bin/env python3
"""Run the test suite of tests/suite.toml and print one line a test and 'N passed, N failed'.

    scripts/run_tests.py [--jobs N] [--only TEXT] [--list]

A test is a command; status 0 passes. Its output is kept in build/tests/log/NAME.log and shown if it fails,
with the command that reruns just that. A group that finds no test, or fewer than it has sources, fails: a suite must not pass by
being empty. One with `optional` is left out instead, and the end says so. Nothing is built here: `make test` does, and `make test ONLY=TEXT` builds and runs what has TEXT in its name.
How long each test took last is kept in build/tests/times.json; the slowest are printed.
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOG = ROOT / "build" / "tests" / "log"
TIMES = ROOT / "build" / "tests" / "times.json"
SLOWEST = 10


def expand(group):
    """(name, command, timeout) of every test of a group."""
    items = [{}]
    if "glob" in group:
        items = [{"path": p, "stem": pathlib.Path(p).stem, "test": pathlib.Path(p).parent.name} for p in sorted(glob.glob(group["glob"], root_dir=ROOT))
                 if not p.endswith((".d", ".log")) and not any(fnmatch.fnmatch(p, pattern) for pattern in group.get("except", []))]
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


def wanted(groups, only):
    """The tests with `only` in their name. A group that has none yet counts where a name of it could hold the text."""
    tests = []
    for group in groups:
        found = list(expand(group))
        sources = len(glob.glob(group["sources"], root_dir=ROOT)) if "sources" in group and not only else 0
        if len(found) < sources:
            found.append((f"{group['name']} (incomplete)", f"echo '{len(found)} of {sources} tests are built'; false", 10))
        for test in found:
            could = re.escape(group["name"])
            could = re.sub(r"\\\{\w+\\\}", ".*", could)
            empty = test[0].endswith(" (empty)") and (only in group["name"] or re.fullmatch(could, only) or re.fullmatch(could, f"{only}x"))
            if only in test[0] or empty:
                tests.append(test)
    return tests


def left_out(groups, only):
    """Lines on the optional groups that are not built."""
    return [f"left out, not built: {group['name']} ({group['optional']})" for group in groups if "optional" in group and only in group["name"] and not list(expand(group))]


def end(process):
    """Ends a test with all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(test):
    name, command, timeout = test
    started = time.monotonic()
    log = LOG / (name.replace("/", "_") + ".log")
    process = subprocess.Popen(["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
        status = process.returncode
    except subprocess.TimeoutExpired:
        end(process)
        output, _ = process.communicate()
        output, status = output + f"\nkilled after {timeout} s (hang guard)\n".encode(), 124
    except BaseException:
        end(process)
        raise
    log.write_bytes(output)
    return name, command, status, output.decode(errors="replace"), time.monotonic() - started


def read_times():
    try:
        return json.loads(TIMES.read_text())
    except (OSError, ValueError):
        return {}


def print_list(tests):
    """For a pipe, too: a reader that has seen enough is no fault."""
    times = read_times()
    try:
        for name, command, _ in tests:
            print(f"{name}\t{command}" + (f"\t# {times[name]:.1f} s" if name in times else ""))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run_all(tests, jobs):
    """Runs them; returns the names of those that failed and the seconds of each."""
    failed, seconds_of = [], {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, command, status, output, seconds in pool.map(run, tests):
            seconds_of[name] = round(seconds, 1)
            print(f"{'PASS' if status == 0 else 'FAIL'}  {name}  ({seconds:.1f} s)", flush=True)
            if status:
                failed.append(name)
                print("  " + "\n  ".join(output.splitlines()[-40:]))
                print(f"  status {status}; rerun: {command}", flush=True)
    return failed, seconds_of


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="run the tests whose name contains TEXT")
    parser.add_argument("--list", action="store_true", help="print the tests, run nothing")
    parser.add_argument("--suite", type=pathlib.Path, default=ROOT / "tests" / "suite.toml", help="groups of tests (default: tests/suite.toml)")
    arguments = parser.parse_args()
    groups = tomllib.loads(arguments.suite.read_text(encoding="utf-8"))["group"]
    tests = wanted(groups, arguments.only)
    if not tests:
        print(f"run_tests.py: no test that is built has '{arguments.only}' in its name: --list prints them all, make test ONLY={arguments.only} builds what is missing", file=sys.stderr)
        return 2
    if arguments.list:
        print_list(tests)
        return 0
    LOG.mkdir(parents=True, exist_ok=True)
    failed, seconds_of = run_all(tests, arguments.jobs)
    TIMES.write_text(json.dumps(read_times() | seconds_of, indent=1, sort_keys=True) + "\n")
    slowest = sorted(seconds_of, key=seconds_of.get, reverse=True)[:SLOWEST]
    if len(tests) > SLOWEST:
        print("slowest: " + ", ".join(f"{name} {seconds_of[name]:.0f} s" for name in slowest))
    print("".join(f"{line}\n" for line in left_out(groups, arguments.only)), end="")
    print(f"{len(tests) - len(failed)} passed, {len(failed)} failed")
    for name in failed:
        print(f"  failed: {name}")
    if any(name.endswith((" (empty)", " (incomplete)")) for name in failed):
        print(f"  what is missing is built by: make test{f' ONLY={arguments.only}' if arguments.only else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
