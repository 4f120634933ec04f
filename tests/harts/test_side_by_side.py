#!/usr/bin/python3
"""Harts of core models in one thread and in several: the same status, words and files, byte for byte, but for seconds and kHz.

    tests/harts/test_side_by_side.py [--more] [--only TEXT]

Programs with locks, false sharing and interrupts from hart to hart; ends by one hart, by limits, by what a check finds. --more: longer ones, on up to 8
harts. Last line: 'N passed, M failed'.
"""
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TESTS, TIMEOUT, TIPOFF, check, main, refused, test, tipoff  # noqa: E402
from test_harts import HERE, built, together  # noqa: E402
from test_threads import contents, difference, plain  # noqa: E402

TESTS.clear()  # those of the modules
RUN = ["run", "--config", "small2c", "--harts"]
FILES = ["--period", 97, "--samples", "a.tips", "--stats", "a.json", "--profile", "a.csv"]
more = "--more" in sys.argv


def results(folder, harts, threads, *options):
    """Status, what is printed, and every file of a run in a folder of its own; the command names no folder."""
    place = folder / f"{harts}-{threads}"
    place.mkdir()
    status, out, err = tipoff(*RUN, harts, "--threads", threads, *options, cwd=place)
    return status, plain(out), plain(err), {path.name: contents(path) for path in sorted(place.iterdir())}


def same(folder, harts, threads, *options, status=0):
    """In one thread and in each number of `threads`."""
    first, *others = (results(folder, harts, number, *options) for number in (1, *threads))
    check(first[0] == status, f"status {first[0]}, {status} expected: {first[2]}")
    for number, one in zip(threads, others):
        what = f"{harts} harts in {number} threads"
        check(one[0] == status, f"{what}: status {one[0]}: {one[2]}")
        for name, a, b in (("stdout", first[1], one[1]), ("stderr", first[2], one[2])):
            check(a == b, f"{what}: {name}: {difference(a, b)}")
        check(first[3].keys() == one[3].keys(), f"{what}: files {list(first[3])} and {list(one[3])}")
        for name, text in first[3].items():
            check(text == one[3][name], f"{what}: {name}: {difference(text, one[3][name])}")
    return first


def shared(folder, harts, rounds):
    return built(folder, f"-DHARTS={harts}", f"-DROUNDS={rounds}", HERE / "start.S", HERE / "shared.c")


@test
def sharing(folder):
    """Counters, a lock, neighbours in one line, a mailbox."""
    for harts, threads in ((2, [3]), (4, [2, 4])) + (((3, [2, 4]), (8, [2, 3, 9])) if more else ()):
        program = shared(folder, harts, 40 if more else 4)
        _, out, said, files = same(folder, harts, threads, *FILES, program)
        check("added " in out and "\nHottest instructions" in out, f"stdout: {out}")
        check(said.count("memory-order, devices: all agree") == harts, f"lockstep: {said}")
        check(len(files) == 3 * harts + 1 and all(files.values()), f"files: {list(files)}")


@test
def devices(folder):
    """Harts wake each other and print to one UART; one ends the run. Nothing is compared: no line of a cache is shared."""
    harts = 5 if more else 3
    program = built(folder, f"-DHARTS={harts}", HERE / "wake.S")
    _, out, _, files = same(folder, harts, [2, harts], "--no-cosim", "--no-oracle", "--stats", "a.json", "--max-cycles", 10000, program, status=7)
    check(out.startswith("120" if harts == 3 else "12340") and len(files) == harts + 1, f"stdout: {out}")


@test
def code_and_tables(folder):
    """Locks, messages, timers, code and page tables that another hart changes."""
    limit = [] if more else ["--max-cycles", 20000]
    _, out, said, _ = same(folder, 2, [3], *FILES, *limit, together(folder), status=0 if more else 124)
    check(("lines 20\n" in out) == more and said.count("all agree") == 2, f"stdout: {out}, stderr: {said}")


@test
def restored(folder):
    """From a checkpoint of the ISS, whose harts enter the program in cycles near each other."""
    program, machine = shared(folder, 3, 4), folder / "machine"
    status, _, err = tipoff("iss", "--quiet", "--harts", 3, "--checkpoint", machine, "--at", 300, program)
    check(status == 0, f"a checkpoint: status {status}: {err}")
    _, out, said, _ = same(folder, 3, [2, 3], *FILES, "--restore", machine)
    check("added " in out and said.count("all agree") == 3, f"stdout: {out}, stderr: {said}")


@test
def random_programs(folder):
    for seed, harts in ((7, 2), (9, 4)) + (((11, 3), (13, 4)) if more else ()):
        source = folder / "random.S"
        fuzz = [ROOT / "tests/fuzz/harts_fuzz.py", "--seed", str(seed), "--harts", str(harts), "--length", "200" if more else "40"]
        source.write_text(subprocess.run(fuzz, capture_output=True, text=True, check=True).stdout)
        place = folder / str(seed)
        place.mkdir()
        same(place, harts, [2], *FILES, "--seed", seed, built(place, source))


@test
def what_a_check_finds(folder):
    """A store that stays where it is for longer than is allowed: the same words of the same hart."""
    program = shared(folder, 3, 4)
    _, _, said, _ = same(folder, 3, [3, 4], "--stats", "a.json", "--worker", "memory-order:patience=20", program, status=3)
    check("the progress axiom is broken" in said and "The last events of line" in said and "Waveforms around it" in said, said)
    sleeps = built(folder, "-DBY=0", "-DFOREVER", HERE / "ends.S", name="sleeps.elf")
    _, _, said, _ = same(folder, 2, [3], "--stats", "a.json", sleeps, status=5)
    check("all harts wait for an interrupt (wfi), and none will come" in said, said)


@test
def limits(folder):
    program = shared(folder, 2, 4)
    for name, limit in (("--max-cycles", 3001), ("--max-insns", 400)):
        place = folder / name
        place.mkdir()
        _, _, said, _ = same(place, 2, [3], *FILES, name, limit, program, status=124)
        check(name in said, said)


def ticks_of(process):
    """Processor time of all its threads (proc(5): fields 14 and 15 of stat)."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@test
def interrupted(folder):
    """By a signal while they run: every hart has its summary, and its files."""
    program = shared(folder, 3, 100000000)
    command = [TIPOFF, *map(str, [*RUN, 3, "--threads", 4, *FILES, program])]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
    try:
        while ticks_of(process) < 30 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
    check(process.returncode == 130 and said.count("interrupted") == 3 and said.count("all agree") == 3, f"status {process.returncode}: {said}")
    check(len(list(folder.glob("a.hart?.*"))) == 9, f"files: {sorted(folder.iterdir())}")


@test
def bad_numbers(folder):
    program = shared(folder, 2, 1)
    for harts, values, text in ((2, ("0", "4", "x", ""), "auto, 1, 2, 3"), (4, ("6", "9"), "auto, 1, 2, 3, 4, 5")):
        for value in values:
            refused([*RUN, harts, "--threads", value, program], f"--threads {value}: use one of {text}\n", lines=0)


if __name__ == "__main__":
    if more:
        sys.argv.remove("--more")
    sys.exit(main())
