#!/usr/bin/python3
"""Workers in a thread of their own, and in the model's: the same status, words and files, byte for byte, but for seconds and kHz.

    tests/cli/test_threads.py [--only TEXT]

(Runs that a fault in the core ends: tests/workers/test_faults.py.) Last line: 'N passed, M failed'.
"""
import json
import os
import re
import subprocess
import sys

from cli import LARGE, ROOT, RUN, SMALL, TIMEOUT, TIPOFF, assembled, check, main, refused, test, tipoff

sys.path.insert(0, str(ROOT / "python"))
from tipoff import Samples  # noqa: E402

PAGING = ROOT / "build/workloads/vm_paging.small.elf"
TRACERS = [
    "csv:file=bundles.csv,from=1000,to=6000",
    "bin:file=bundles.trace,from=sample:3",
    "kanata:file=kanata,to=5000",
    "signals:group=lsu,file=lsu.csv,to=9000",
    "signals:group=rename,file=rename.bin,format=bin,from=5000",
    "autocounter:file=counts.csv,every=1000",
]


def plain(text):
    """Without what the clock on the wall says, and the option in command lines."""
    return re.sub(r"[\d.]+ s, [\d.]+ kHz|--threads \d", "", text)


def contents(path):
    """Of a file; a sample file by its samples and all that they are summed up in; statistics without seconds and kHz."""
    if path.suffix == ".tips":
        run = Samples(path)
        check(run.complete and len(run.profiles) > 1 and run.results.pop("run_speed"), f"{path}: incomplete")
        header = plain(json.dumps(run.header, sort_keys=True))
        return tipoff("samples", path)[1] + "\n".join(map(str, (header, run.profiles, run.stacks, run.results, run.losses)))
    if path.suffix != ".json":
        return path.read_bytes().decode(errors="backslashreplace")
    statistics = json.loads(path.read_text())
    check(statistics.pop("wall_seconds") >= 0 and statistics.pop("khz") >= 0, "seconds and kHz are in it")
    return json.dumps(statistics)


def results(folder, threads, *options):
    """Status, what is printed, and every file of a run in a folder of its own; the command names no folder."""
    place = folder / threads
    place.mkdir()
    status, out, err = tipoff(*RUN, "--threads", threads, *options, cwd=place)
    return status, plain(out), plain(err), {path.name: contents(path) for path in sorted(place.iterdir())}


def difference(a, b):
    """The first line that differs."""
    return next(
        (f"{x!r} in one thread, {y!r} in two" for x, y in zip(a.splitlines(), b.splitlines()) if x != y), f"{len(a)} characters in one thread, {len(b)} in two"
    )


def same(folder, *options, status=0):
    one, two = (results(folder, threads, *options) for threads in ("1", "2"))
    check(one[0] == status, f"status {one[0]}: {one[2]}")
    check(two[0] == status, f"status {one[0]} in one thread, {two[0]} in two: {two[2]}")
    for what, a, b in (("stdout", one[1], two[1]), ("stderr", one[2], two[2])):
        check(a == b, f"{what}: {difference(a, b)}")
    check(one[3].keys() == two[3].keys(), f"files {list(one[3])} and {list(two[3])}")
    for name, text in one[3].items():
        check(text == two[3][name], f"{name}: {difference(text, two[3][name])}")
    return one


@test
def everything(folder):
    """A whole run with all checks, samples, and all tracers."""
    workers = [option for tracer in TRACERS for option in ("--worker", tracer)]
    _, out, said, files = same(folder, "--period", "97", "--samples", "a.tips", "--stats", "a.json", "--profile", "a.csv", *workers, PAGING)
    check("all agree" in said and "Hottest instructions" in out, said)
    check(len(files) == 3 + len(TRACERS) and all(files.values()), f"files: {list(files)}")


@test
def cut_short(folder):
    same(folder, "--max-cycles", "12345", "--period", "31", "--samples", "a.tips", "--stats", "a.json", SMALL, status=124)


@test
def software_samples(folder):
    """Without the Oracle, and without the ISS; samples where the program says."""
    for name, option in (("iss", "--no-oracle"), ("oracle", "--no-cosim")):
        (folder / name).mkdir()
        same(folder / name, option, "--quiet", "--period", "program", "--stats", "a.json", "--max-cycles", "30000", SMALL, status=124)


@test
def nothing_on(folder):
    same(folder, "--no-cosim", "--no-oracle", "--stats", "a.json", "--max-cycles", "20000", SMALL, status=124)


@test
def no_progress(folder):
    """A core that hangs shows little: it is seen all the same, in the same cycle."""
    program = assembled(folder, "wfi.S", "-DWAKERS=0")
    status, _, said, files = same(folder, "--stats", "a.json", "--worker", "watchdog:limit=1000", program, status=5)
    check("watchdog: cycle" in said and "The last bundles" in said and "--fst-from" in said, said)
    check(json.loads(files["a.json"])["cycles"] < 3 * 16384, "it ends soon after that")


@test
def full_disk(folder):
    _, _, said, _ = same(folder, "--stats", "a.json", "--worker", "csv:file=/dev/full", SMALL, status=4)
    check("/dev/full: cannot write" in said, said)


@test
def refused_values(_):
    for value in ("0", "3", "two", "", "1x", "AUTO"):
        refused([*RUN, "--threads", value, SMALL], f"--threads {value}: use one of auto, 1, 2", lines=0)


def threads_of(*options, cpus=None):
    """How many threads a run has, while it goes on."""

    def pin():
        if cpus:
            os.sched_setaffinity(0, cpus)

    process = subprocess.Popen(
        [TIPOFF, *RUN, *options, "--kanata", "/dev/stderr", str(LARGE)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        preexec_fn=pin,
    )
    try:
        process.stderr.read(4096)  # it runs
        return len(os.listdir(f"/proc/{process.pid}/task"))
    finally:
        process.kill()
        process.communicate(timeout=TIMEOUT)


@test
def as_many_as_said(_):
    available = os.sched_getaffinity(0)
    extra = threads_of("--threads", "1") - 1  # those of a sanitizer
    check(threads_of("--threads", "2") == 2 + extra, "--threads 2")
    check(threads_of("--threads", "2", cpus={min(available)}) == 2 + extra, "--threads 2 on one CPU")
    check(threads_of(cpus={min(available)}) == 1 + extra, "one CPU: no thread")
    check(threads_of() == min(2, len(available)) + extra, f"auto on {len(available)} CPUs")


if __name__ == "__main__":
    sys.exit(main())
