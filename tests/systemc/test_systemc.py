#!/usr/bin/env python3
"""The tile as a SystemC module (docs/guide/systemc.md): status, words and files of a run are those of `tipoff run`, byte for byte, but for
seconds and kHz.

    tests/systemc/test_systemc.py [--only TEXT]

Both commands run from the same path, one after the other: files say how they were made. Last line: 'N passed, M failed'.
"""
import json
import os
import pathlib
import re
import shutil
import sys
from itertools import zip_longest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / folder) for folder in ("tests/cli", "python")]
sys.path.append("/usr/lib/python3/dist-packages")  # where zstandard is, for another Python than Debian's own
from cli import ROOT, RUN, SMALL, assembled, check, copy_of_build, main, test, tipoff  # noqa: E402
from tipoff.container import HEADER, Container  # noqa: E402
from tipoff.result_names import RESULTS  # noqa: E402
from tipoff.samples import NEWEST, OLDEST, RESULT, SAMPLES, STACKS, Samples  # noqa: E402

SYSTEMC = ROOT / "build/bin/tipoff-systemc"
QUIET = dict(os.environ, SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
FILES = ["--samples", "run.tips", "--stats", "run.json", "--profile", "run.csv"]


def timeless(text):
    """Statistics without seconds and kHz."""
    statistics = json.loads(text)
    check(statistics.pop("wall_seconds") >= 0 and statistics.pop("khz") >= 0, "seconds and kHz are in it")
    return json.dumps(statistics).encode()


def blocks(path):
    """The bytes of a sample file, by type of block, and of results by name. When a block of samples or call stacks is full is a matter of
    the clock on the wall, too: those of one type are joined, without what each begins with. How fast a run was is one result of its own."""
    joined = {}
    for number, data in Container(path, "samples", OLDEST, NEWEST).blocks():
        name = RESULTS[int.from_bytes(data[2:4], "little")][0] if number == RESULT else number
        start = {SAMPLES: 2, STACKS: 4}.get(number, 0)
        joined[name] = joined.get(name, b"") + data[start:]
    check({HEADER, SAMPLES, "run_outcome", "run_speed"} <= joined.keys() and len(joined[SAMPLES]) > 1000, f"blocks {list(joined)}")
    joined["run_speed"] = timeless(json.dumps(Samples(path).statistics))
    return joined


def contents(path):
    return blocks(path) if path.suffix == ".tips" else timeless(path.read_text()) if path.suffix == ".json" else path.read_bytes()


def results(command, folder, *options):
    """Status, what is printed, and every file of a run in a folder of its own."""
    place = folder / "run"
    place.mkdir()
    status, out, err = tipoff(*RUN, *options, command=command, cwd=place, env=QUIET)
    files = {path.name: contents(path) for path in sorted(place.iterdir())}
    shutil.rmtree(place)
    return status, out, re.sub(r"[\d.]+ s, [\d.]+ kHz", "", err), files


def same(folder, *options, status=0, files=3):
    """What `tipoff run` and the SystemC simulation leave is equal; returns it."""
    command = copy_of_build(folder)
    plain = results(command, folder, *options)
    shutil.copy(SYSTEMC, command)
    systemc = results(command, folder, *options)
    check(plain[0] == status, f"tipoff run: status {plain[0]}: {plain[2]}")
    check(len(plain[3]) == files, f"files of tipoff run: {list(plain[3])}")
    for what, a, b in (
        ("status", plain[0], systemc[0]),
        ("stdout", plain[1], systemc[1]),
        ("stderr", plain[2], systemc[2]),
        ("files", list(plain[3]), list(systemc[3])),
    ):
        differ = zip_longest(*(value.splitlines() if isinstance(value, str) else [value] for value in (a, b)))
        first = next((pair for pair in differ if pair[0] != pair[1]), None)
        check(not first, f"{what}: {first and first[0]!r} of tipoff run, {first and first[1]!r} of the SystemC simulation")
    for name, text in plain[3].items():
        check(text == systemc[3][name], f"{name} differs")
    return plain


@test
def the_interpreter_is_sampled_alike(folder):
    """With the report, and the way of every instruction through the pipeline."""
    same(folder, "--period", "97", *FILES, "--worker", "kanata:file=kanata,to=20000", "--worker", "signals:group=lsu,file=lsu.csv,to=20000", SMALL, files=5)


@test
def memory_is_as_far_away(folder):
    """A program that misses every cache, with jitter: responses, write-backs, and a last-level cache that is not ready."""
    done = same(
        folder, "--period", "211", "--jitter", *FILES, "--max-cycles", "400000", "--set", "llc.mshrs=2", ROOT / "build/workloads/membw.medium.elf", status=124
    )
    check(json.loads(done[3]["run.json"])["cycles"] == 400000, "it runs to --max-cycles")


@test
def devices_interrupt_alike(folder):
    """Paging, traps and the timer; the console."""
    same(folder, "--period", "97", *FILES, ROOT / "build/workloads/vm_procs.small.elf")


@test
def a_core_that_hangs_is_seen_in_the_same_cycle(folder):
    done = same(folder, "--stats", "run.json", "--worker", "watchdog:limit=1000", assembled(folder, "wfi.S", "-DWAKERS=0"), status=5, files=1)
    check("watchdog: cycle" in done[2], done[2])


@test
def a_status_is_passed_on(folder):
    same(folder, assembled(folder, "exit7.S"), "--quiet", status=7, files=0)


@test
def without_a_command(_):
    status, out, err = tipoff(command=SYSTEMC, env=QUIET)
    check(status == 2 and out == "" and "Usage: tipoff-systemc run" in err, f"status {status}: {err}")


if __name__ == "__main__":
    sys.exit(main())
