#!/usr/bin/env python3
"""--memory: how much of it there is, on ISS and core, in checkpoints, and the messages for sizes that cannot be.

    tests/cli/test_memory.py [--only TEXT]

Needs build/bin/tipoff and the model of small2.
"""
import resource

from cli import RUN, assembled, check, main, refused, test, tipoff

WAYS = (["iss", "--quiet"], [*RUN, "--quiet"])
SIZES = {"16M": 0, "32768K": 1, "256M": 4, "512M": 5, "2G": 7}  # of the program: 16 MiB << that


@test
def end_of_memory(folder):
    """Its last bytes exist, and the first ones after it are access faults, in lockstep. Without the option it ends where it always did."""
    program = assembled(folder, "memory_end.S")
    for way in WAYS:
        for options, status in (([], 4), *((["--memory", size], n) for size, n in SIZES.items())):
            got, out, err = tipoff(*way, *options, program)
            check(got == status, f"{way} {options}: status {status} expected, got {got}: {out}{err}")


@test
def checkpoints(folder):
    """The size is the checkpoint's: of ISS and core, kept by a checkpoint of a checkpoint; another one is refused."""
    program, machine, again = assembled(folder, "memory_end.S"), folder / "machine", folder / "again"
    check(tipoff("iss", "--memory", "1G", "--checkpoint", machine, "--at", 20, program)[0] == 0, "checkpoint")
    check(tipoff("iss", "--restore", machine, "--checkpoint", again, "--at", 20)[0] == 0, "checkpoint of a checkpoint")
    for way in WAYS:
        for file, options in ((machine, []), (again, []), (again, ["--memory", "1G"])):
            got, _, err = tipoff(*way, "--restore", file, *options)
            check(got == 6, f"{way} {file} {options}: status 6 expected, got {got}: {err}")
        refused([*way, "--restore", machine, "--memory", "256M"], "with memory of 1G, not of 256M: omit --memory")
    check(tipoff("iss", "--checkpoint", machine, "--at", 20, program)[0] == 0, "checkpoint of the usual size")
    check(b'"memory"' not in machine.read_bytes(), "the usual size is not written: it would change today's checkpoints")
    refused(["iss", "--restore", machine, "--memory", "1G"], "with memory of 256M, not of 1G: omit --memory")


@test
def other_commands(folder):
    """What else runs a program on the ISS takes the option, too."""
    program = assembled(folder, "memory_end.S", "-Wl,--section-start=.far=0x90000000", "-DFAR")
    machine = folder / "machine"
    for command in (["mix", "--exact"], ["gus", "--config", "small2"]):
        refused([*command, program], "does not fit into memory of 256M", "run with --memory 512M")
        refused([*command, "--memory", "3G", program], "--memory 3G: ", lines=0)
        status, out, err = tipoff(*command, "--memory", "512M", program)
        check(status in (0, 5) and "instructions" in out, f"{command}: status {status}: {out}{err}")
    check(tipoff("iss", "--memory", "512M", "--checkpoint", machine, "--at", 20, program)[0] == 0, "checkpoint")
    check(tipoff("mix", "--exact", "--restore", machine)[0] in (0, 5), "mix --restore")
    refused(["mix", "--exact", "--restore", machine, "--memory", "1G"], "with memory of 512M, not of 1G: omit --memory")


@test
def refusals(folder):
    program = assembled(folder, "memory_end.S")
    accepted = "a power of two from 16M to 2G"
    for command in ("iss", "run", "gus", "mix"):
        check(accepted in " ".join(tipoff(command, "--help")[1].split()), f"{command} --help: {accepted!r} expected")
    for way in WAYS:
        for value, fault in (
            ("300M", "no size of a memory"),
            ("17M", "no size of a memory"),
            ("8M", "too little"),
            ("0G", "too little"),
            ("4G", "too much"),
            ("99999999999999999999K", "too much"),
            ("18014398509481984K", "too much"),  # 2^64 bytes
            ("512", "no size such as 512M or 1G"),
            ("512MB", "no size such as"),
            ("1g", "no size such as"),
            ("-1G", "no size such as"),
            (" 1G", "no size such as"),
            ("0x10M", "no size such as"),
            ("much", "no size such as"),
            ("", "no size such as"),
        ):
            refused([*way, "--memory", value, program], f"--memory {value}: ", fault, accepted, lines=0)


@test
def programs_that_do_not_fit(folder):
    """The remedy names the size that it needs."""
    for at, needs in ((0x8F000000, "256M"), (0x90000000, "512M"), (0xF0000000, "2G")):
        program = assembled(folder, "memory_end.S", f"-Wl,--section-start=.far={at:#x}", "-DFAR", name=f"{needs}.elf")
        for way in WAYS:
            for options, has in (([], "256M"), (["--memory", "128M"], "128M")):
                if (has, needs) == ("256M", "256M"):
                    continue
                refused([*way, *options, program], f"does not fit into memory of {has}", f"to {at + 7:#x}: run with --memory {needs}")
            check(tipoff(*way, "--memory", needs, program)[0] < 8, f"{way}: {needs} is enough")


@test
def no_address_space(folder):
    """Of a host that limits it: one line. And memory that the program does not use takes none of the host's."""
    program = assembled(folder, "memory_end.S")
    limit = 1 << 30
    for way in WAYS:
        refused(
            [*way, "--memory", "2G", program],
            "no address space for the machine's memory of 2G",
            "a smaller --memory",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        )
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    check(tipoff("iss", "--memory", "2G", program)[0] == 7, "status 7 expected")
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    check(after < 1 << 20 or after == before, f"2 GiB of memory: {after} KiB of the host's")


if __name__ == "__main__":
    raise SystemExit(main())
