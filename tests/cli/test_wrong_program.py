#!/usr/bin/env python3
"""What was named is no program of the bare machine, or an option is mistyped: one line says what it is and what to do, before anything is booted."""
import shutil

from cli import RUN, TINY, check, main, refused, test


@test
def another_machine(folder):
    """The host's own program."""
    host = folder / "host"
    shutil.copy("/bin/true", host)
    refused([*RUN, host], f"{host}: wrong machine: ELF machine 62, not RISC-V", "build it with tipoff-cc, or for Linux with riscv64-linux-gnu-gcc")


@test
def script(folder):
    """Of run, and of linux, whose guest has no shell: each says what runs it."""
    path = folder / "hello.sh"
    path.write_text("#!/bin/sh\necho hello\n")
    refused([*RUN, path], f"{path}: a script, not a program", f"tipoff linux --file {path} -- INTERPRETER")
    refused(["linux", "--iss", "--", path], f"{path}: a script", "--file SCRIPT")


@test
def mistyped_option(folder):
    """`tipoff linux` speaks for itself, whether or not there is a program, a kernel or --iss; an option of run is run's to judge, at once."""
    for more in ([], ["--iss"], ["--checkpoint", folder / "x"]):
        refused(["linux", *more, "--isss", "--", folder / "nothing"], "tipoff linux: unrecognized option '--isss'", "tipoff linux --help", lines=2)
    refused(["linux", "--period", "x", "--", folder / "nothing"], "tipoff linux: --period x: not a number", lines=2)
    refused(["linux", "--config", "small2", "--max-cycles", "0", "--", folder / "nothing"], "tipoff linux: --max-cycles 0: not a number", lines=2)
    refused(["linux", "--iss", "--period", "97", "--", folder / "nothing"], "an option of `tipoff run`, which does not run here: --period", lines=2)
    refused(["linux", "--worker", "nosuch", "--", folder / "nothing"], "nosuch", lines=0)


@test
def function_forgotten(folder):
    """--annotate takes a function, then comes the file."""
    path = folder / "p2.tips"
    path.write_text("")
    refused(["report", "--annotate", path], f"--annotate {path}: a file: name the function before it: --annotate FUNCTION {path}", lines=2)
    refused(["report", "--annotate", "main"], "name a sample file", lines=2)
    check(TINY.exists(), "the program of the other tests")


if __name__ == "__main__":
    main()
