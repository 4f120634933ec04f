#!/usr/bin/env python3
"""Run the test suite of tests/suite.toml and print one line a test and 'N passed, N failed'.

    scripts/run_tests.py [--jobs N] [--only TEXT] [--list]

A test is a command; status 0 passes. Its output is kept in build/tests/log/NAME.log and shown if it fails,
with the command that reruns just that. A group that finds no test fails: a suite must not pass by being empty.
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import pathlib
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOG = ROOT / "build" / "tests" / "log"


def expand(group):
    """(name, command) of every test of a group."""
    items = [{}]
    if "glob" in group:
        items = [{"path": p, "stem": pathlib.Path(p).stem, "test": pathlib.Path(p).parent.name} for p in sorted(glob.glob(group["glob"], root_dir=ROOT))
                 if not p.endswith((".d", ".log")) and not fnmatch.fnmatch(p, group.get("except", ""))]
    elif "seeds" in group:
        first, last = group["seeds"]
        step = group.get("batch", 1)
        items = [{"first": n, "last": min(n + step - 1, last)} for n in range(first, last + 1, step)]
    for axis, values in group.get("for", {}).items():
        items = [dict(item, **{axis: value}) for item in items for value in values]
    if not items:
        yield f"{group['name']} (empty)", "echo 'no test found for this group'; false", 10
    for item in items:
        name = group["name"].format(**item)
        if name == group["name"] and item:
            name += "/" + "-".join(str(item[key]) for key in item if key not in ("path", "test"))
        yield name, group["command"].format(**item), group.get("timeout", 600)


def run(test):
    name, command, timeout = test
    started = time.monotonic()
    log = LOG / (name.replace("/", "_") + ".log")
    try:
        done = subprocess.run(["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, check=False)
        output, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as error:
        output, status = (error.stdout or b"") + f"\nkilled after {timeout} s (hang guard)\n".encode(), 124
    log.write_bytes(output)
    return name, command, status, output.decode(errors="replace"), time.monotonic() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="run the tests whose name contains TEXT")
    parser.add_argument("--list", action="store_true", help="print the tests, run nothing")
    arguments = parser.parse_args()
    suite = tomllib.loads((ROOT / "tests" / "suite.toml").read_text(encoding="utf-8"))
    tests = [t for group in suite["group"] for t in expand(group) if arguments.only in t[0]]
    if arguments.list:
        print("\n".join(f"{name}\t{command}" for name, command, _ in tests))
        return 0
    LOG.mkdir(parents=True, exist_ok=True)
    failed = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name, command, status, output, seconds in pool.map(run, tests):
            print(f"{'PASS' if status == 0 else 'FAIL'}  {name}  ({seconds:.1f} s)", flush=True)
            if status:
                failed.append(name)
                print("  " + "\n  ".join(output.splitlines()[-40:]))
                print(f"  status {status}; rerun: {command}", flush=True)
    print(f"{len(tests) - len(failed)} passed, {len(failed)} failed")
    for name in failed:
        print(f"  failed: {name}")
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
