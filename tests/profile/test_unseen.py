#!/usr/bin/env python3
"""The harness samples, and the program cannot tell.

    tests/profile/test_unseen.py CONFIG PROGRAM.elf...

Runs each program without sampling and with --period 97, in lockstep: exit status and console are the same, and so is the
commit bundle of every cycle (the trace as CSV, all of its lines). The harness has a sampling unit of its own (sim/sim_top.sv); a
program that sets counters off, looks at OF, or has interrupts of its own sees nothing of it.
"""
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLING = ["--period", "97"]
MOST = "20000000"  # cycles


def digest(fifo, result):
    with open(fifo, "rb") as trace:
        lines, summary = 0, hashlib.sha256()
        while block := trace.read(1 << 20):
            summary.update(block)
            lines += block.count(b"\n")
    result.update(lines=lines, trace=summary.hexdigest())


def run(config, program, options):
    """Status, console, and the trace's lines and digest."""
    with tempfile.TemporaryDirectory() as folder:
        fifo, result = os.path.join(folder, "trace"), {}
        os.mkfifo(fifo)
        reader = threading.Thread(target=digest, args=(fifo, result), daemon=True)
        reader.start()
        command = [ROOT / "build/bin/tipoff", "run", "--config", config, *options, "--trace", fifo, "--trace-format", "csv", "--quiet", "--max-cycles", MOST, program]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        reader.join(timeout=10)
        return dict(result, status=done.returncode, console=done.stdout, messages=done.stderr)


def main():
    config, *programs = sys.argv[1:]
    failed = 0
    for program in programs:
        without, sampled = run(config, program, []), run(config, program, SAMPLING)
        differences = [f"{key}: {without.get(key)} without sampling, {sampled.get(key)} with" for key in ("status", "console", "messages", "lines", "trace") if without.get(key) != sampled.get(key)]
        differences += ["no trace"] * (without.get("lines", 0) < 100) + [without["messages"]] * bool(without["messages"])
        print(f"{program}: {without.get('lines')} cycles in the trace, status {without['status']}: {'; '.join(differences) or 'the same'}")
        failed += bool(differences)
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
