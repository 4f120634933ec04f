#!/usr/bin/env python3
"""Outputs: none overwrites an input or another output, and one that cannot be written is reported with status 4.

    tests/cli/test_outputs.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.tiny.elf and the model of small2.
"""
import json
import os
import re
import resource
import shutil
import subprocess
import sys

from cli import ROOT, RUN, TINY, TIMEOUT, TIPOFF, assembled, check, main, refused, sampled, test, tipoff

NO_SPACE = "tipoff: {}: cannot write: No space left on device: free some space and "
OUTPUTS = ("--samples", "--stats", "--profile", "--trace", "--kanata", "--fst")


def options(option, path):
    return (["--period", 97] if option == "--samples" else []) + [option, path]


@test
def program_is_an_output(folder):
    """The program by its own name, by another way to it, by a hard and by a symbolic link: refused, and whole."""
    program = folder / "p.elf"
    shutil.copy(TINY, program)
    content = program.read_bytes()
    (folder / "there").mkdir()
    os.link(program, folder / "hard")
    (folder / "soft").symlink_to("p.elf")
    for name in ("p.elf", "there/../p.elf", "hard", "soft"):
        for option in OUTPUTS:
            refused([*RUN, *options(option, folder / name), program], f"{option} {folder}/{name}: is the program, too", "name another file")
        refused(["iss", "--trace", folder / name, program], "--trace", "is the program, too")
    refused([*RUN, "--input", program, "--stats", folder / "hard", TINY], "is --input, too")
    refused([*RUN, "--stats", ROOT / "build/small2/model.so", TINY], "is the model, too")
    refused([*RUN, "--stats", ROOT / "build/small2/gen/config.json", TINY], "is the configuration, too")
    check(program.read_bytes() == content, "the program was touched")


@test
def one_file_twice(folder):
    """Two outputs that are one file, there or not there yet, are refused before either is made."""
    (folder / "link").symlink_to("new")  # dangling: the file would be made by opening it
    for first, second in ("new", "new"), ("new", "./new"), ("new", "link"):
        refused([*RUN, "--period", 97, "--samples", folder / first, "--stats", f"{folder}/{second}", TINY], "--stats", "is --samples, too")
    refused([*RUN, "--trace", folder / "new", "--kanata", folder / "new", TINY], "is --trace, too")
    check([path.name for path in folder.iterdir()] == ["link"], f"files were made: {list(folder.iterdir())}")
    status, _, err = tipoff(*RUN, "--quiet", "--stats", "/dev/null", "--profile", "/dev/null", TINY)
    check(status == 0, f"/dev/null twice is no harm: status {status}: {err}")


@test
def stdout_is_an_output(folder):
    out = folder / "out"
    for arguments in ([*RUN, "--stats", out, TINY], ["iss", "--trace", out, TINY]):
        with out.open("wb") as stream:
            done = subprocess.run(
                [TIPOFF, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.PIPE, timeout=TIMEOUT, check=False, cwd=ROOT
            )
        check(done.returncode == 2 and b"stdout goes there, too" in done.stderr, f"status {done.returncode}: {done.stderr!r}")


@test
def no_file(folder):
    for option in OUTPUTS:
        refused([*RUN, *options(option, "-"), TINY], f"{option} -: stdout is not for this", "name a file")
        refused([*RUN, *options(option, folder), TINY], f"{option} {folder}: is a folder", "name a file")
        refused([*RUN, *options(option, folder / "none/x"), TINY], "none/x: cannot create", "another file", status=4)
    for command in (RUN, ["iss"]):
        refused([*command, "--input", folder, TINY], f"{folder}: is a folder", "name a file")
    check(not list(folder.iterdir()), "no file is made")


@test
def reports(folder):
    """report and compare do not write over what they read: the sample file, the program it names, --program."""
    program = folder / "p.elf"
    shutil.copy(TINY, program)
    content = program.read_bytes()
    tips = folder / "x.tips"
    status, _, err = tipoff(*RUN, "--quiet", "--period", 97, "--samples", tips, program)
    check(status == 0, err)
    samples = tips.read_bytes()
    for command in ("report", "compare"):
        refused([command, "--output", tips, tips], f"--output {tips}: is the sample file, too")
        refused([command, "--output", program, tips], f"--output {program}: is the program, too")
        refused([command, "--program", TINY, "--output", TINY, tips], "is --program, too")
        refused([command, "--output", folder, tips], "is a folder")
        refused([command, "--output", folder / "none/x", tips], "none/x: cannot create", status=4)
        refused([command, "--output", "/dev/full", tips], NO_SPACE.format("/dev/full"), status=4)
    for form in "html", "json", "csv", "pprof":
        refused(["report", "--format", form, "--output", "/dev/full", tips], NO_SPACE.format("/dev/full"), status=4)
    check(program.read_bytes() == content and tips.read_bytes() == samples, "an input was touched")


@test
def disk_full(folder):
    """A file that cannot be written is reported, with status 4; no space is no difference of the machine's."""
    for option in OUTPUTS:
        status, _, err = tipoff(*RUN, "--quiet", *options(option, "/dev/full"), "--max-cycles", 20000, TINY)
        check(
            status == 4 and "/dev/full: cannot write" in err and (option == "--fst" or "No space left" in err) and err.count("\n") == 1,
            f"{option} /dev/full: status {status}: {err}",
        )
    for option in ("--trace", "--kanata"):
        status, _, err = tipoff(*RUN, option, "/dev/full", "--trace-format", "csv", "--max-cycles", 20000, TINY)
        check(status == 4 and "stopped by an error" in err and "DIFFERENCE" not in err, f"{option} /dev/full: status {status}: {err}")
        check(": no difference up to there\n" in err and "all agree" not in err, f"{option} /dev/full: not all was compared: {err}")
    status, _, err = tipoff("iss", "--trace", "/dev/full", TINY)
    check(status == 4 and NO_SPACE.format("/dev/full") in err, f"iss --trace /dev/full: status {status}: {err}")
    check(not list(folder.iterdir()), "no file was asked for")


@test
def stdout_full(_):
    for arguments in ([*RUN, TINY], [*RUN, "--period", 97, TINY], ["iss", TINY], ["iss", "--trace", "-", "--max-insns", 1000, TINY]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [TIPOFF, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, timeout=TIMEOUT, check=False, cwd=ROOT
            )
        check(done.returncode == 4 and b"stdout: cannot write" in done.stderr, f"{arguments}: status {done.returncode}: {done.stderr!r}")


@test
def statuses_of_help(_):
    """--help names the statuses that a full disk and a run without progress give (disk_full, and trap_loop of test_ends.py)."""
    for command in ("run", "iss", "report", "samples", "compare", "diff", "profileme", "trace", "gus", "mix", "sensitivity", "sweep"):
        said = " ".join(tipoff(command, "--help")[1].split()).partition("Exit status: ")[2]
        for status in (2, 4, 5) if command in ("run", "iss") else (2, 4):
            check(re.search(rf"\b{status} (on|if|when) ", said), f"{command}: {status} is not in: {said}")


@test
def help_stdout_full(_):
    """What --help and lists print does not get lost without a word."""
    for command in (
        "--help",
        "--version",
        "run --help",
        "iss --usage",
        "config",
        "config small2",
        "workers",
        "workloads",
        "results",
        "report --by help",
        "sweep --help",
        "sensitivity --help",
    ):
        with open("/dev/full", "w") as full:
            done = subprocess.run([TIPOFF, *command.split()], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT)
        check(
            done.returncode == 4 and "stdout: cannot write" in done.stderr and done.stderr.count("\n") == 1,
            f"{command}: status {done.returncode}: {done.stderr}",
        )


@test
def no_streams(folder):
    """Closed standard streams: files do not get their numbers, and what cannot be printed shows in the status."""
    path, text = folder / "x.tips", folder / "x.txt"
    close = f"exec {TIPOFF} {' '.join(RUN)} --quiet --period 97 --samples {path} {TINY} <&- >&- 2>&-"
    check(subprocess.run(["bash", "-c", close]).returncode == 4, "what the program printed is lost: status 4")
    for command in "results", "config small2", f"report {path}", f"samples {path}", f"results {path}":
        done = subprocess.run(["bash", "-c", f"exec {TIPOFF} {command} >&-"], capture_output=True, text=True)
        remedy = "tipoff: stdout: cannot write: Bad file descriptor: open it and try again\n"
        check(done.returncode == 4 and done.stderr == remedy, f"{command}: status {done.returncode}: {done.stderr}")
    refused_not = subprocess.run([TIPOFF, "report", "--output", text, path], capture_output=True)
    check(refused_not.returncode == 0 and b"PASS" not in path.read_bytes(), "the sample file is whole")


@test
def two_writers(folder):
    """One process at a time writes a sample file; the second is refused before it has touched it."""
    path = folder / "x.tips"
    first = subprocess.Popen(
        [TIPOFF, *RUN, "--quiet", "--period", "97", "--samples", path, ROOT / "build/workloads/interp.large.elf"], stderr=subprocess.DEVNULL
    )
    try:
        while not path.exists() or path.stat().st_size == 0:
            check(first.poll() is None, "the first run has ended")
            os.sched_yield()
        refused([*RUN, "--quiet", "--period", "31", "--samples", path, TINY], f"{path}: another process is writing it", status=4)
    finally:
        first.terminate()
        first.wait()
    status, out, err = tipoff("samples", path)
    check(status == 0, f"status {status}: {err}")


@test
def documents_are_whole(folder):
    """A report that cannot be written leaves the old file; one that can keeps the file's mode, and follows links."""
    samples, old = sampled(folder), folder / "report.txt"
    old.write_text("old")
    old.chmod(0o640)
    (folder / "link").symlink_to("report.txt")
    status, _, err = tipoff("report", "--output", folder / "link", samples)
    check(status == 0 and (folder / "link").is_symlink() and "Hottest" in old.read_text() and old.stat().st_mode & 0o777 == 0o640, f"status {status}: {err}")
    old.write_text("old")
    command = [TIPOFF, "report", "--format", "json", "--output", old, samples]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    check(done.returncode == 4 and f"{old}: cannot write: File too large" in done.stderr, f"status {done.returncode}: {done.stderr}")
    check(
        old.read_text() == "old" and sorted(p.name for p in folder.iterdir()) == sorted(["link", "report.txt", samples.name]), f"left: {list(folder.iterdir())}"
    )
    trace = folder / "t.bin"
    tipoff(*RUN, "--quiet", "--trace", trace, "--max-cycles", 5000, TINY)
    for form in ("csv", "text", "json"):
        status, _, err = tipoff("trace", "--format", form, "--output", old, trace, preexec_fn=limited(1000))
        check(status == 4 and err.startswith(f"tipoff: {old}: cannot write: File too large") and old.read_text() == "old", f"{form}: status {status}: {err}")
    trace.unlink()
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    refused(["iss", "--checkpoint", pipe, "--at", 100, TINY], f"{pipe}: is no regular file", status=4)
    check(pipe.is_fifo(), "a checkpoint in the place of a pipe")


@test
def long_names(folder):
    """A name as long as names can be: what is written beside has another."""
    samples, name = sampled(folder), "r" * 255
    status, _, err = tipoff("report", "--output", folder / name, samples)
    check(status == 0 and "Hottest" in (folder / name).read_text(), f"status {status}: {err}")
    status, _, err = tipoff("iss", "--checkpoint", folder / ("c" + name[1:]), "--at", 100, TINY)
    check(status == 0 and len(list(folder.iterdir())) == 3, f"status {status}: {err} {list(folder.iterdir())}")


@test
def folder_without_new_files(folder):
    """A file that may be written in a folder that may not: whole or as it was, too."""
    samples, old = sampled(folder), folder / "kept/report.txt"
    old.parent.mkdir()
    old.write_text("old")
    old.chmod(0o666)
    old.parent.chmod(0o555)
    folder.chmod(0o755)
    nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    for wrong, status in (("--profiler=none", 2), ("--top=3", 0)):
        got, _, err = tipoff("report", wrong, "--output", old, samples, command=shutil.copy(TIPOFF, folder / "tipoff"), cwd=folder, **nobody)
        check(got == status and (old.read_text() == "old") == (status == 2), f"{wrong}: status {got}: {err}; {old.read_text()[:40]}")
    check("Hottest" in old.read_text(), "the report")
    old.parent.chmod(0o755)


@test
def report_stdout_full(folder):
    good = sampled(folder)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([TIPOFF, "report", good], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, timeout=TIMEOUT, check=False, cwd=ROOT)
    check(done.returncode == 4 and NO_SPACE.format("stdout").encode() in done.stderr, f"status {done.returncode}: {done.stderr!r}")


@test
def appended(folder):
    """`>> log`: what it holds stays, also where a writer opens its file by name; likewise --output /dev/fd/N."""
    trace, log = folder / "x.bin", folder / "log"
    status, _, err = tipoff(*RUN, "--quiet", "--trace", trace, "--max-cycles", 300, TINY)
    check(status == 124, err)
    for form in "text", "csv", "json", "folded":
        want = tipoff("trace", "--format", form, trace)[1]
        check(want.count("\n") > 1, f"{form}: {want!r}")
        for output in ">>", "--output /dev/fd/3 3>>":
            log.write_text("before\n")
            done = subprocess.run(["bash", "-c", f"exec {TIPOFF} trace --format {form} {trace} {output} {log}"], stdin=subprocess.DEVNULL, check=False)
            check(done.returncode == 0 and log.read_text() == "before\n" + want, f"{form} {output}: status {done.returncode}: {log.read_text()[:200]}")


@test
def closed_pipe(folder):
    """A reader that goes (| head) is no fault: the run goes on, its samples are whole, its status is the program's."""
    tips = folder / "x.tips"
    read, write = os.pipe()
    process = subprocess.Popen(
        [TIPOFF, *map(str, [*RUN, "--period", 97, "--samples", tips, TINY])], stdin=subprocess.DEVNULL, stdout=write, stderr=subprocess.PIPE, cwd=ROOT
    )
    os.close(write)
    os.close(read)
    _, err = process.communicate(timeout=TIMEOUT)
    check(process.returncode == 0, f"status {process.returncode}: {err!r}")
    check(json.loads(tipoff("report", "--format", "json", tips)[1])["complete"], "the sample file is whole")


def limited(limit):
    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return set_limit


@test
def waveforms(folder):
    """Waveforms that do not fit: the library maps its files and would die of SIGBUS, or end without a word."""
    fst = folder / "w.fst"
    old = folder / "old.fst"
    old.write_text("old")
    leaves = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")  # a writer that has failed cannot be closed: it would write
    for limit in (4 << 10, 40 << 10, 200 << 10, 700 << 10):
        stats = folder / "s.json"
        status, _, err = tipoff(*RUN, "--quiet", "--fst", fst, "--stats", stats, "--max-cycles", 6000, TINY, preexec_fn=limited(limit), env=leaves)
        check(status == 4 and f"{fst}: cannot write waveforms" in err and err.count("\n") == 1, f"{limit} bytes: status {status}: {err}")
        check(not fst.exists() and not (folder / "w.fst.hier").exists(), f"{limit} bytes: {list(folder.iterdir())}")
        check(json.loads(stats.read_text())["status"] == 4, "the statistics are written all the same")
    status, _, err = tipoff(*RUN, "--quiet", "--fst", old, "--max-cycles", 6000, TINY, preexec_fn=limited(40 << 10), env=leaves)
    names = sorted(path.name for path in folder.iterdir())
    check(status == 4 and old.read_text() == "old" and names == ["old.fst", "s.json"], f"the old file stays: status {status}: {names}")
    status, _, err = tipoff(*RUN, "--quiet", "--fst", fst, "--fst-from", 100, "--fst-to", 300, "--max-cycles", 1000, TINY)
    check(status == 124 and fst.stat().st_size > 1000, f"status {status}: {err}")
    refused([*RUN, "--fst", folder / "x.fst", "--fst-from", 10, "--fst-to", 5, TINY], "--fst-from 10 is after --fst-to 5", lines=0)


@test
def no_samples(folder):
    """A sample file without samples is reported, in the run and in each report."""
    program = assembled(folder, "exit7.S")
    tips = folder / "x.tips"
    status, _, err = tipoff(*RUN, "--quiet", "--period", 1000000, "--samples", tips, TINY)
    check(status == 2 and f"{tips}: holds no samples" in err and "--period" in err, f"status {status}: {err}")
    status, out, err = tipoff("report", tips)
    check(status == 0 and f"warning: {tips}: holds no samples" in err and "by the profile of Oracle" in out, f"status {status}: {err}")
    refused(["compare", tips], f"{tips}: holds no samples", "--period")
    status, _, err = tipoff(*RUN, "--quiet", "--period", 1000000, "--samples", tips, program)
    check(status == 7 and "holds no samples" in err, f"the program's own status stays: {status}: {err}")
    status, out, err = tipoff(*RUN, "--period", 1000000, TINY)
    check(status == 0, f"a sample file that nobody asked for: status {status}: {err}")


if __name__ == "__main__":
    sys.exit(main())
