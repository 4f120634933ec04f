#!/usr/bin/env python3
"""Commands read a sample file once, from its beginning to its end: they give of a pipe what they give of the file. They open it once, and the
program's ELF file once.

    tests/cli/test_read_once.py [--only TEXT]

A second look at a pipe finds no writer, and hangs. opens.c sees what is opened. Needs build/bin/tipoff, the small workloads, the models of
small2 and full2, and clang.
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


def opened_once(folder, samples, *command):
    """A process that opens the file of the run, or its program, twice may find two different ones."""
    library, log = folder / "opens.so", folder / "opens.log"
    if not library.exists():
        source = ROOT / "tests/cli/opens.c"
        subprocess.run(["clang", "-D_GNU_SOURCE", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source], check=True)
    log.unlink(missing_ok=True)
    arguments = [samples if argument == "FILE" else argument for argument in command]
    environment = {**os.environ, "LD_PRELOAD": str(library), "OPENS_LOG": str(log)}
    status, _, err = tipoff(*arguments, env=environment)
    check(status == 0, f"{command}: status {status}: {err!r}")
    opened = [line for line in log.read_text(encoding="utf-8").splitlines() if line.endswith((".elf", "/" + samples.name))]
    check(sorted(opened) == sorted([str(samples), str(PROGRAM)]), f"{command}: opens {opened}")


def sampled(folder, *options, run=RUN):
    samples = folder / "sampled"
    status, _, err = tipoff(*run, "--quiet", "--period", 61, "--jitter=none", "--samples", samples, *options, PROGRAM)
    check(status == 0, err)
    return samples


@test
def report(folder):
    samples = sampled(folder, "--worker", "edges")
    for name in FORMATS:
        compare(folder, samples, "report", "--format", name, "FILE")
        opened_once(folder, samples, "report", "--format", name, "FILE")
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
        opened_once(folder, samples, "report", *options, "FILE")


@test
def others(folder):
    samples = sampled(folder, "--worker", "edges")
    other = folder / "other"
    other.write_bytes(samples.read_bytes())
    compare(folder, samples, "samples", "FILE")
    compare(folder, samples, "results", "FILE")
    compare(folder, samples, "compare", "--pool", "blocks", "FILE")
    compare(folder, samples, "diff", "FILE", other)
    compare(folder, samples, "diff", other, "FILE")


@test
def mix(folder):
    samples = sampled(folder, "--worker", "collections:ebs=101,lbr=11")
    compare(folder, samples, "mix", "FILE")
    opened_once(folder, samples, "mix", "FILE")


@test
def profileme(folder):
    samples = sampled(folder, "--profileme", "64,jitter=3,pairs=64", run=["run", "--config", "full2"])
    for options in ([], ["--pairs"], ["--addresses"], ["--convergence"], ["--records"], ["--paths=2"]):
        compare(folder, samples, "profileme", *options, "FILE")
        opened_once(folder, samples, "profileme", *options, "FILE")


if __name__ == "__main__":
    sys.exit(main())
