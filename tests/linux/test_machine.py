#!/usr/bin/env python3
"""The machine at a program's first instruction, which `tipoff linux` hands to a core: it has no name, so that nothing of it is left however the run ends,
and no link that somebody has put there leads it elsewhere; a run that a check stops gives it one.

    tests/linux/test_machine.py CONFIG [--only TEXT]

Needs what test_core.py needs.
"""
import os
import pathlib
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "workers"))
from cli import ROOT, TIMEOUT, TIPOFF, check, main, test  # noqa: E402
from test_faults import make_model  # noqa: E402

CONFIG = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "small2"
# File systems that have no files without a name.
NO_TMPFILE = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
"""


def probe(folder):
    program = folder / "probe"
    subprocess.run(["riscv64-linux-gnu-gcc", "-O2", "-static", "-o", program, ROOT / "tests/linux/probe.c", "-lm"], check=True)
    return program


def without_tmpfile(folder):
    library = folder / "no_tmpfile.so"
    subprocess.run(["clang", "-O1", "-Wall", "-fPIC", "-shared", "-x", "c", "-o", library, "-"], input=NO_TMPFILE, text=True, check=True)
    return {"LD_PRELOAD": str(library)}


def temporary(folder):
    place = folder / "temporary"
    place.mkdir()
    return place


def catches(process, number):
    """Whether the process has a handler for that signal; of SIGKILL nobody has one."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    caught = int(re.search(r"^SigCgt:\s*(\w+)", status, re.MULTILINE)[1], 16)
    return number == signal.SIGKILL or caught >> number - 1 & 1 == 1


def started(folder, place, program, number, more):
    """A run whose core has begun, ready for that signal: before that one it has died of it like any command. Nothing may have had a name on the way
    there, but where a file has to lose its own."""
    command = [TIPOFF, "linux", "--config", CONFIG, "--quiet", "--", program, "memory"]
    process = subprocess.Popen(
        list(map(str, command)),
        env={**os.environ, "TMPDIR": str(place), **more},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=(folder / "err").open("wb"),
    )
    end = time.monotonic() + TIMEOUT
    ready = False
    while process.poll() is None and time.monotonic() < end and not ready:
        ready = "/model.so" in pathlib.Path(f"/proc/{process.pid}/maps").read_text(encoding="utf-8") and catches(process, number)
        check(more or not os.listdir(place), f"has a name: {os.listdir(place)}")
        time.sleep(0.003)
    check(ready and process.poll() is None, f"ended by itself: {process.returncode}: {(folder / 'err').read_text()}")
    return process


def killed_by(folder, place, program, number, more):
    process = started(folder, place, program, number, more)
    process.send_signal(number)
    status = process.wait(TIMEOUT)
    check(status == (-number if number == signal.SIGKILL else 128 + number), f"{number}: status {status}: {(folder / 'err').read_text()}")
    check(not os.listdir(place), f"{number}: left in the temporary folder: {os.listdir(place)}")


@test
def killed(folder):
    """By any signal, in the middle: nothing is left; likewise where a file has to lose its name first."""
    program, place = probe(folder), temporary(folder)
    subprocess.run([TIPOFF, "linux", "--iss", "--", program], stdin=subprocess.DEVNULL, capture_output=True, check=False)  # the first one boots
    for number in signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        killed_by(folder, place, program, number, {})
    killed_by(folder, place, program, signal.SIGKILL, without_tmpfile(folder))


@test
def moved(folder):
    """The booted machine goes on where its folder goes: it does not look for the kernel where that was."""
    program, tree, after = probe(folder), folder / "before", folder / "after"
    (tree / "build/bin").mkdir(parents=True)
    (tree / "build/linux").mkdir()
    shutil.copy(TIPOFF, tree / "build/bin/tipoff")
    for name in "linux.elf", "vmlinux", "firmware.elf", "vdso.so", "init":
        (tree / f"build/linux/{name}").symlink_to(ROOT / f"build/linux/{name}")
    (tree / f"build/{CONFIG}").symlink_to(ROOT / f"build/{CONFIG}")
    (tree / "build/gen").symlink_to(ROOT / "build/gen")

    def run(path):
        command = [path / "build/bin/tipoff", "linux", "--config", CONFIG, "--quiet", "--max-cycles", 5000, "--", program]
        return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, check=False)

    first = run(tree)
    tree.rename(after)
    second = run(after)
    check(first.returncode == 124 and "boots once" in first.stderr, f"status {first.returncode}: {first.stderr}")
    check(second.returncode == 124 and "boots once" not in second.stderr, f"status {second.returncode}: {second.stderr}")


def planted(folder, name, *arguments):
    """That command, in a folder where NAME, whose $$ is its process, leads to a file of somebody else: status, and what is in the folder."""
    place, victim = folder / "planted", folder / "victim"
    place.mkdir()
    victim.write_text("unharmed\n")
    script = f'for name in {name}; do ln -s "$0" "$TMPDIR/$name" || exit 99; done; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, victim, *map(str, arguments)],
        env={**os.environ, "TMPDIR": str(place)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    left = sorted(place.iterdir())
    check(victim.read_bytes() == b"unharmed\n", f"written through a link: {done.stderr}")
    check(all(path.is_symlink() and path.readlink() == victim for path in left), f"a link was replaced, or something is left: {left}")
    return done.returncode, len(left)


@test
def links(folder):
    """A link where the machine's name could be foretold, once with the libraries of a dynamically linked program, too."""
    program = folder / "dynamic"
    subprocess.run(["riscv64-linux-gnu-gcc", "-O2", "-o", program, ROOT / "tests/linux/probe.c", "-lm"], check=True)
    files = [f"--file=/usr/riscv64-linux-gnu/lib/{name}:/lib/{name}" for name in ("ld-linux-riscv64-lp64d.so.1", "libm.so.6", "libc.so.6")]
    got = planted(
        folder,
        "tipoff-linux-$$.machine tipoff-linux-$$.machine.$$",
        TIPOFF,
        "linux",
        "--config",
        CONFIG,
        "--quiet",
        "--max-cycles",
        5000,
        *files,
        "--",
        program,
    )
    check(got == (124, 2), f"status, links: {got}")


@test
def stopped_by_a_check(folder):
    """The machine gets a name, for its owner alone, and the command that is printed fails from there at the same place."""
    program, place = probe(folder), temporary(folder)
    model, library = make_model(CONFIG, folder)
    environment = {**os.environ, "LD_PRELOAD": str(library), "TIPOFF_FAULT": "mispredict never", "TMPDIR": str(place)}

    def run(*command):
        done = subprocess.run(
            [*map(str, command)], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, check=False, cwd=folder
        )
        return done.returncode, done.stderr

    status, err = run(TIPOFF, "linux", "--config", CONFIG, "--model", model, "--quiet", "--", program, "7")
    kept = re.search(r"^tipoff: the machine at the program's first instruction stays in (.*)$", err, re.MULTILINE)
    again = re.search(r"^The same again: (.*)$", err, re.MULTILINE)
    found = re.search(r"^tipoff: cross-check: cycle .*$", err, re.MULTILINE)
    check(status == 3 and kept and again and found, f"status {status}: {err}")
    machine = pathlib.Path(kept[1])
    check(
        list(place.iterdir()) == [machine] and stat.S_IMODE(machine.stat().st_mode) == 0o600 and again[1].endswith(f"--restore {machine}"),
        f"{machine}: {again[1]}",
    )
    check(str(os.getpid()) not in machine.name and "/proc/" not in err, err)
    status, more = run(*shlex.split(again[1]))
    check(status == 3 and found[0] in more, f"{again[1]}: status {status}, not {found[0]}: {more}")


if __name__ == "__main__":
    sys.exit(main())
