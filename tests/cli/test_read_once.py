#!/usr/bin/env python3
"""Commands read a sample file once, from its beginning to its end: they give of a pipe what they give of the file.

    tests/cli/test_read_once.py [--only TEXT]

A second look at a pipe finds no writer, and hangs. Needs build/bin/tipoff, the small workloads and the model of small2.
"""
import os
import subprocess
import sys
import threading

from cli import ROOT, RUN, TIPOFF, check, main, test, tipoff

PROGRAM = ROOT / "build/workloads/sort.small.elf"
FORMATS = "text csv json folded flamegraph callgrind gecko perf-script pprof speedscope vcd html".split()
SECONDS = 20


def piped(samples, pipe, arguments):
    """What the command gives of the file's bytes through a pipe at that path, where the file was."""
    content = samples.read_bytes()
    os.mkfifo(pipe)

    def write():
        try:
            with open(pipe, "wb") as out:
                out.write(content)
        except BrokenPipeError:
            pass

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        done = subprocess.run([TIPOFF, *map(str, arguments)], capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as error:
        raise AssertionError(f"{arguments}: reads the file again") from error
    finally:
        pipe.unlink()
    writer.join(SECONDS)
    return done.returncode, done.stdout, done.stderr


def compare(folder, samples, *command):
    """The file and the pipe have the same path, since reports name it."""
    path = folder / "run.tips"
    arguments = [path if argument == "FILE" else argument for argument in command]
    path.write_bytes(samples.read_bytes())
    done = subprocess.run([TIPOFF, *map(str, arguments)], capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL)
    check(done.returncode == 0, f"{command}: status {done.returncode}: {done.stderr!r}")
    path.unlink()
    got = piped(samples, path, arguments)
    check(got == (0, done.stdout, done.stderr), f"{command}: of a pipe status {got[0]}, {got[2]!r}, {len(got[1])} bytes, not {len(done.stdout)}")


def sampled(folder, *options):
    samples = folder / "sampled"
    status, _, err = tipoff(*RUN, "--quiet", "--period", 61, "--jitter=none", "--samples", samples, *options, PROGRAM)
    check(status == 0, err)
    return samples


@test
def report(folder):
    samples = sampled(folder, "--worker", "edges")
    for name in FORMATS:
        compare(folder, samples, "report", "--format", name, "FILE")
    for options in (
        ["--stacks"],
        ["--by", "loop"],
        ["--by", "window"],
        ["--by", "line"],
        ["--children"],
        ["--pool", "counts"],
        ["--annotate", "main"],
        ["--profiler", "Oracle"],
    ):
        compare(folder, samples, "report", *options, "FILE")


@test
def others(folder):
    samples = sampled(folder, "--worker", "edges")
    other = folder / "other"
    other.write_bytes(samples.read_bytes())
    compare(folder, samples, "samples", "FILE")
    compare(folder, samples, "compare", "--pool", "blocks", "FILE")
    compare(folder, samples, "diff", "FILE", other)
    compare(folder, samples, "diff", other, "FILE")


@test
def mix(folder):
    compare(folder, sampled(folder, "--worker", "collections:ebs=101,lbr=11"), "mix", "FILE")


if __name__ == "__main__":
    sys.exit(main())
