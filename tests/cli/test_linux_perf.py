#!/usr/bin/env python3
"""What tipoff linux --perf refuses: no perf in the guest yet, no program, another kind of program, an output that is an input. (What it does: tests/linux/test_perf.py.)

    tests/cli/test_linux_perf.py [--only TEXT]
"""
import pathlib
import struct
import subprocess
import sys

from cli import ROOT, check, main, test


def perf(build, *words):
    """Its script as the command runs it, of a folder of what is built."""
    done = subprocess.run(
        ["python3", "-IB", ROOT / "python/linux_perf", "--build", build, *words],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr


def built(folder):
    (folder / "linux").mkdir()
    for name in ("linux.elf", "perf", "perf-start"):
        (folder / "linux" / name).touch()
    program = folder / "program"
    program.write_bytes(b"\x7fELF" + bytes(14) + struct.pack("<H", 243) + bytes(40))
    return program


@test
def nothing_is_built(folder):
    for name in ("linux.elf", "perf", "perf-start"):
        status, said = perf(folder, "--", "program")
        check((status, said) == (2, f"tipoff: {folder}/linux/{name}: No such file or directory: make it with `make linux-perf`\n"), f"{status} {said}")
        (folder / "linux").mkdir(exist_ok=True)
        (folder / "linux" / name).touch()


@test
def programs(folder):
    program = built(folder)
    for words, said in (
        ([], "name a program after --"),
        (["--"], "name a program after --"),
        (["--period", "0", "--", program], "--period 0: not a number from 1 on"),
        (["--show", "all", "--", program], "invalid choice: 'all'"),
        (["--", folder / "none"], "none: No such file or directory: name a RISC-V Linux program"),
        (["--", "/bin/sh"], "/bin/sh: not a RISC-V program"),
        (["--", __file__], "not a RISC-V program"),
        (["--output", program, "--", program], "program: is an input, too: choose another --output"),
        (["--file", f"{program}:/x", "-o", program, "--", program], "is an input, too"),
    ):
        status, text = perf(folder, *words)
        check(status == 2 and said in text, f"{words}: {status} {text}")
    status, text = perf(folder, "-o", folder / "none/perf.data", "--", program)
    check(status == 4 and f"there is no folder {folder}/none" in text, f"{status} {text}")


@test
def the_command_has_it(folder):
    """The option may stand anywhere before --; after it, it is the program's."""
    tipoff = pathlib.Path(ROOT / "build/bin/tipoff")
    for words in (["--perf", "--help"], ["--config", "small2", "--perf", "--help"]):
        done = subprocess.run([tipoff, "linux", *words], capture_output=True, text=True, timeout=60, check=False)
        check(done.returncode == 0 and done.stdout.startswith("Usage: tipoff linux --perf"), done.stdout + done.stderr)
    done = subprocess.run([tipoff, "linux", "--iss", "--", folder / "none", "--perf", "--help"], capture_output=True, text=True, timeout=60, check=False)
    check(done.returncode == 2 and "none" in done.stderr and "Usage" not in done.stdout, done.stdout + done.stderr)


if __name__ == "__main__":
    sys.exit(main())
