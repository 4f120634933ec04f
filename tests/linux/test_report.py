#!/usr/bin/env python3
"""What a report says of a Linux program: firmware, kernel and program by name, who had the time, and where the program begins.

    tests/linux/test_report.py CONFIG

Needs what test_core.py needs. tests/linux/spaces.c as a static program, and as a dynamically linked and position-independent one with its loader and library: its child divides three
times as often as itself at the same virtual address, so that the instruction must have two rows, and one has three times the other's
time. The functions that the kernel must have run (its trap entry, fork, the system call) appear by name; a function of the kernel and
one of the program can be listed; no time belongs to the code that loads the machine.
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
MORE = 3
FILES = [f"--file=/usr/riscv64-linux-gnu/lib/{name}:/lib/{name}" for name in ("ld-linux-riscv64-lp64d.so.1", "libc.so.6")]
KERNEL = ("handle_exception", "kernel_clone", "__riscv_sys_getppid|sys_getppid|__do_sys_getppid|__se_sys_getppid")


def tipoff(*arguments, status=0):
    done = subprocess.run([TIPOFF, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1200, check=False)
    if done.returncode != status:
        sys.exit(f"tipoff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def profile(samples, granularity):
    text = tipoff("report", "--profiler", "Oracle", "--format", "csv", "--granularity", granularity, samples)
    return list(csv.DictReader(text.splitlines()))


def look(config, folder, name, flags, files, faults):
    program, samples, stats = folder / name, folder / "x.tips", folder / "stats.json"
    subprocess.run(["riscv64-linux-gnu-gcc", "-O2", *flags, "-o", program, ROOT / "tests/linux/spaces.c"], check=True)
    out = tipoff("linux", "--config", config, "--quiet", "--period", 499, "--jitter", "--samples", samples, "--stats", stats, *files, "--", program, status=7)
    if out != "0\n":
        faults.append(f"{name}: printed {out!r}")
    division = collections.Counter()
    for row in profile(samples, "instruction"):
        if row["instruction"].startswith("divu") and row["name"].startswith("work"):
            division[row["space"]] += float(row["cycles"])
        if row["mode"] == "machine" and row["image"] != "firmware":
            faults.append(f"{name}: machine mode, but not firmware: {row}")
        if row["mode"] == "machine" and (row["unit"].startswith("0x7fff0") or row["unit"] == "0x1000"):
            faults.append(f"{name}: time of the code that loads the machine: {row}")
    shares = sorted(division.values())
    if len(shares) != 2 or abs(shares[1] / shares[0] / MORE - 1) > 0.05:
        faults.append(f"{name}: the division's time by address space: {division}")
    functions = {(row["name"], row["image"]) for row in profile(samples, "function")}
    for wanted in (*((pattern, "kernel") for pattern in KERNEL), ("work", name), ("main", name)):
        if not any(re.fullmatch(wanted[0], function) and image == wanted[1] for function, image in functions):
            faults.append(f"{name}: no function {wanted[0]} of {wanted[1]}")
    report = json.loads(tipoff("report", "--profiler", "Oracle", "--format", "json", samples))
    time = {(c["mode"], c["process"]): c["share"] for c in report["contexts"] if "mode" in c}
    if not (time.get(("user", name), 0) > 0.02 and time.get(("supervisor", name), 0) > 0.1) or abs(sum(c["share"] for c in report["contexts"]) - 1) > 1e-9:
        faults.append(f"{name}: time by mode and process: {time}")
    if len([1 for (mode, process) in time if mode == "user" and process.startswith(f"{name}'s child")]) != 1:
        faults.append(f"{name}: its child: {time}")
    text = tipoff("report", samples)
    for line in (rf"{name} on {config}", r"By mode and process", rf"{name}, in the kernel on its behalf", r"handle_exception \[kernel\]|\[kernel\]"):
        if not re.search(line, text):
            faults.append(f"{name}: the report has no '{line}'")
    for function, image, instruction in (("work", name, "divu"), ("handle_exception", "kernel", "csrr")):
        listing = tipoff("report", "--profiler", "Oracle", "--annotate", function, samples)
        if not listing.lstrip().startswith(f"{function} [{image}]:") or instruction not in listing:
            faults.append(f"{name}: the listing of {function}: {listing[:300]}")
    if json.loads(stats.read_text(encoding="utf-8"))["cycles"] != report["cycles"]:
        faults.append(f"{name}: the report's cycles are not the run's")
    return f"{name}: {len(functions)} functions, {time[('user', name)]:.1%} its own code, {time[('supervisor', name)]:.1%} in the kernel"


def main():
    config, faults = sys.argv[1], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        said = [look(config, folder, "fixed", ["-static"], [], faults), look(config, folder, "shared", ["-pie"], FILES, faults)]
    print("\n".join(faults or said))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
