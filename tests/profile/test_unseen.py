#!/usr/bin/env python3
"""The harness samples, and the program cannot notice.

    tests/profile/test_unseen.py [--end] CONFIG PROGRAM.elf...

Runs each program without sampling and with --period 97, in lockstep: exit status and console are the same, and so is the
commit bundle of every cycle (the trace as CSV, all of its lines). The harness has a sampling unit of its own (sim/sim_top.sv); a
program that sets counters off, looks at OF, or has interrupts of its own sees nothing of it.
--end: with periods that put the only sample into each of the last cycles of the run, and of one that --max-cycles ends: it has no cycle more.
"""
import hashlib
import json
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
        command = [
            ROOT / "build/bin/tipoff",
            "run",
            "--config",
            config,
            *options,
            "--trace",
            fifo,
            "--trace-format",
            "csv",
            "--quiet",
            "--max-cycles",
            MOST,
            program,
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        reader.join(timeout=10)
        return dict(result, status=done.returncode, console=done.stdout, messages=done.stderr)


def cycles(config, program, options):
    with tempfile.TemporaryDirectory() as folder:
        stats = os.path.join(folder, "stats.json")
        subprocess.run(
            [ROOT / "build/bin/tipoff", "run", "--config", config, *options, "--stats", stats, "--quiet", program],
            capture_output=True,
            timeout=300,
            check=False,
        )
        result = json.loads(pathlib.Path(stats).read_text(encoding="utf-8"))
        return result["cycles"], result["samples"]


def at_the_end(config, program):
    """Differences in the number of cycles, where a sample is ready in the last one."""
    whole = cycles(config, program, [])[0]
    taken = 0
    for limit in (whole, whole // 2):
        options = [] if limit == whole else ["--max-cycles", str(limit)]
        for period in range(limit - 12, limit + 1):
            got, samples = cycles(config, program, [*options, "--period", str(period)])
            taken += samples
            if got != limit:
                yield f"{got} cycles with --period {period}, {limit} without"
    if not taken:
        yield "no sample was taken"


def main():
    if sys.argv[1] == "--end":
        wrong = [f"{program}: {text}" for program in sys.argv[3:] for text in at_the_end(sys.argv[2], program)]
        print("\n".join(wrong) or "the same")
        return 1 if wrong or not sys.argv[3:] else 0
    config, *programs = sys.argv[1:]
    failed = 0
    for program in programs:
        without, sampled = run(config, program, []), run(config, program, SAMPLING)
        differences = [
            f"{key}: {without.get(key)} without sampling, {sampled.get(key)} with"
            for key in ("status", "console", "messages", "lines", "trace")
            if without.get(key) != sampled.get(key)
        ]
        differences += ["no trace"] * (without.get("lines", 0) < 100) + [without["messages"]] * bool(without["messages"])
        print(f"{program}: {without.get('lines')} cycles in the trace, status {without['status']}: {'; '.join(differences) or 'the same'}")
        failed += bool(differences)
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
