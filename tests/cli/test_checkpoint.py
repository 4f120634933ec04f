#!/usr/bin/python3
"""Checkpoints by the command line: a restored run does what the uninterrupted one does, to the last instruction, on the ISS and, in
lockstep with every check, on the core; places, bad input.

    tests/cli/test_checkpoint.py [--only TEXT]

Needs build/bin/tipoff, the small workloads and the model of small2.
"""
import json
import os
import re
import subprocess
import sys

from cli import ROOT, RUN, SMALL, TIPOFF, assembled, check, main, refused, test, tipoff

sys.path.insert(0, str(ROOT / "python"))
from tipoff import Samples  # noqa: E402

WORKLOADS = ROOT / "build/workloads"
FROM_RESET = (4000, 777)  # of these
BOOT_ROM = 5  # instructions, which are not gone on with
CASES = [("vm_procs", (1, 3, 4000, 50001)), ("syscalls", (777, 20000)), ("fft", (9999,)), ("vm_paging", (60000,))]  # program, instructions


def lines(path):
    return path.read_text().splitlines()


def saved(folder, at, program, name="machine", *options):
    path = folder / name
    status, _, err = tipoff("iss", "--checkpoint", path, "--at", at, *options, program)
    check(status == 0 and err.count("\n") == 1, f"--at {at}: status {status}: {err}")
    return path


@test
def same_stream(folder):
    """The trace of the restored run is the rest of the whole one's."""
    for name, places in CASES:
        program, whole, rest = WORKLOADS / f"{name}.small.elf", folder / "whole", folder / "rest"
        status, full, _ = tipoff("iss", "--quiet", "--trace", whole, program)
        check(status == 0, f"{name}: status {status}")
        for at in places:
            checkpoint = saved(folder, at, program)
            status, out, err = tipoff("iss", "--quiet", "--restore", checkpoint, "--trace", rest)
            check(status == 0 and full.endswith(out), f"{name} at {at}: status {status}: {out!r}: {err}")
            check(lines(whole)[at:] == lines(rest), f"{name} at {at}: another stream of instructions")


@test
def again_and_again(folder):
    """A checkpoint of a restored run; with the program named, and in the middle of its console input."""
    typed = folder / "typed"
    typed.write_text("read.")
    program = assembled(folder, "htif_console.c", "-DREADS")
    status, out, _ = tipoff("iss", "--quiet", "--input", typed, program)
    whole = folder / "whole"
    tipoff("iss", "--quiet", "--input", typed, "--trace", whole, program)
    count = len(lines(whole))
    for at in range(count // 5, count - 50, count // 5):
        first = saved(folder, at, program, "first", "--input", typed)
        second = folder / "second"
        status, printed, err = tipoff("iss", "--restore", first, "--input", typed, "--checkpoint", second, "--at", 50, program)
        check(status == 0, f"at {at}: status {status}: {err}")
        rest = folder / "rest"
        status, more, err = tipoff("iss", "--quiet", "--restore", second, "--input", typed, "--trace", rest, program)
        check(status == 41 and out.endswith(printed + more), f"at {at}: status {status}: {printed!r} {more!r}: {err}")
        check(lines(whole)[at + 50 :] == lines(rest), f"at {at}: another stream of instructions")


@test
def places(folder):
    """A symbol, a symbol's COUNTth arrival, an address, a marker: the next instruction is the one that was asked for."""
    program, whole, rest = assembled(folder, "markers.S"), folder / "whole", folder / "rest"
    status, _, err = tipoff("iss", "--quiet", "--trace", whole, program)
    check(status == 0, f"status {status}: {err}")
    full = lines(whole)
    step = int(
        subprocess.run(f"riscv64-unknown-elf-nm {program} | grep ' step$'", shell=True, check=True, capture_output=True, text=True).stdout.split()[0], 16
    )
    arrivals = [i for i, line in enumerate(full) if line.startswith(f"M {step:#018x}")]
    marked = [i + 1 for i, line in enumerate(full) if " 0x00302013" in line or " 0x00902013" in line]  # slti x0, x0, 3 or 9
    check(len(arrivals) == 5 and len(marked) == 10, f"{len(arrivals)} arrivals, {len(marked)} markers")
    cases = [
        ("step", arrivals[0]),
        ("step:1", arrivals[0]),
        ("step:4", arrivals[3]),
        (f"{step:#x}:2", arrivals[1]),
        ("marker", marked[0]),
        ("marker:3", marked[0]),
        ("marker:9", marked[1]),
    ]
    for at, want in cases:
        checkpoint = saved(folder, at, program)
        status, _, err = tipoff("iss", "--quiet", "--restore", checkpoint, "--trace", rest)
        check(status == 0 and lines(rest) == full[want:], f"--at {at}: goes on with {lines(rest)[:1]}, not {full[want:want + 1]}")
    for at in ("step:6", "marker:4", "100000"):
        refused(["iss", "--checkpoint", folder / "none", "--at", at, program], "ended before --at")
        check(not (folder / "none").exists(), f"{at}: a checkpoint all the same")


@test
def on_the_core(folder):
    """From user, supervisor and machine mode, with every check: the same output and status, and the rest of the instructions."""
    for name, places_ in CASES:
        program = WORKLOADS / f"{name}.small.elf"
        _, full, _ = tipoff("iss", "--quiet", program)
        for at in places_:
            checkpoint, stats = saved(folder, at, program), folder / "stats"
            rest = folder / "rest"
            tipoff("iss", "--quiet", "--restore", checkpoint, "--trace", rest)
            status, out, err = tipoff(*RUN, "--quiet", "--period", 97, "--samples", folder / "x.tips", "--stats", stats, "--restore", checkpoint)
            said = f"{name} at {at}: status {status}: {out!r}: {err}"
            check(status == 0 and full.endswith(out) and err == "", said)
            done = json.loads(stats.read_text())
            check(done["checks"]["instructions"] == done["instructions"] > 200, f"{said}: not all was checked")
            check(done["checks"]["cycles"] == done["cycles"], f"{said}: not every cycle was checked")
            counts_from_its_first_instruction(folder, checkpoint, at, done, f"{name} at {at}")
            if at in FROM_RESET:
                counts_from_reset(folder, checkpoint, done, f"{name} at {at}")


@test
def halves_of_a_command(folder):
    """Between the two stores of one command to tohost: what the first has said is not lost, nor acted on, before the second comes."""
    prints = "li t1, 'a'; sw t1, 0(t0); .rept 8; nop; .endr; li t3, 0x01010000; sw t3, 4(t0); 3: ld t3, 0(t0); bnez t3, 3b"  # alone, 'a' ends the run
    program = assembled(folder, "htif_end.S", "-DINIT=0", "-DONCE", f"-DSTORE=auipc t2, 0; {prints}; li t1, 7; sd t1, 0(t0)")
    trace = folder / "trace"
    tipoff("iss", "--quiet", "--trace", trace, program)
    first = next(i for i, line in enumerate(lines(trace)) if "0x0062a023" in line)
    for at in (first, first + 1, first + 5, first + 9):  # t2 is near: a core can begin at each
        checkpoint = saved(folder, at, program)
        for command in (["iss", "--quiet"], RUN):
            status, out, err = tipoff(*command, "--restore", checkpoint, program)
            check(status == 3 and out.startswith("a"), f"{command[0]} at {at}: status {status}: {out!r} {err}")


@test
def console_input_on_the_core(folder):
    """Goes on where it was: no byte is lost or read twice."""
    typed = folder / "typed"
    typed.write_text("read.")
    program = assembled(folder, "htif_console.c", "-DREADS", "-DSLOW=100")
    status, full, err = tipoff("iss", "--input", typed, program)
    count = int(re.search(r"([\d,]+) instructions", err)[1].replace(",", ""))
    for at in count // 3, count * 2 // 3, count * 5 // 6:
        checkpoint = saved(folder, at, program, "machine", "--input", typed)
        _, want, _ = tipoff("iss", "--quiet", "--restore", checkpoint, "--input", typed)
        got, out, err = tipoff(*RUN, "--quiet", "--restore", checkpoint, "--input", typed)
        check(got == status == 41 and out == want and full.endswith(out), f"at {at}: status {got}: {out!r}, not {want!r}: {err}")


def counts_from_its_first_instruction(folder, checkpoint, at, done, said):
    """Instructions are those of the restored program alone, as the ISS has them; samples are of none before."""
    _, _, err = tipoff("iss", "--restore", checkpoint)
    executed = int(re.search(r"([\d,]+) instructions", err)[1].replace(",", ""))  # and traps
    both = done["instructions"] + done["checks"]["traps"]
    check(both + max(0, BOOT_ROM - at) == executed, f"{said}: {both} instructions and traps, the ISS has {executed}")
    for profiler in "TIP", "Oracle":
        places = {row.address for row in Samples(folder / "x.tips").profiles[profiler] if row.mode == "M" and row.address is not None}
        rom = [hex(place) for place in places if place >> 12 == 0x7FFF0 or place == 0x1000]
        check(not rom, f"{said}: {profiler} has time of the ROM: {rom}")


def counts_from_reset(folder, checkpoint, done, said):
    """--from-reset adds the ROM's."""
    full = folder / "full"
    tipoff(*RUN, "--quiet", "--from-reset", "--restore", checkpoint, "--stats", full)
    all_ = json.loads(full.read_text())
    check(200 < all_["instructions"] - done["instructions"] < 1000, f"{said}: {all_['instructions']} from reset")
    check(all_["cycles"] - done["cycles"] > 1000, f"{said}: {all_['cycles']} cycles from reset, {done['cycles']} without")


@test
def goes_on_to_where_a_core_can_begin(folder):
    """In machine mode far from everything, the machine goes on a little, and reports it; where the program ends before, that is reported."""
    checkpoint = saved(folder, "main", WORKLOADS / "sort.small.elf")
    _, want, _ = tipoff("iss", "--quiet", WORKLOADS / "sort.small.elf")
    status, out, err = tipoff(*RUN, "--restore", checkpoint)
    check(status == 0 and out == want, f"status {status}: {out!r}: {err}")


@test
def beside_links(folder):
    """A checkpoint is written to a new file, which gets its name when it is whole: a link of the name that its process could have chosen, and one of its own, lead nowhere."""
    victim, path = folder / "victim", folder / "x.machine"
    victim.write_text("unharmed")
    path.symlink_to(victim)
    script = 'ln -s "$0" "$1.$$" && exec "$2" iss --checkpoint "$1" --at 777 "$3"'
    done = subprocess.run(["sh", "-c", script, victim, path, TIPOFF, SMALL], capture_output=True, timeout=60, check=False)
    left = sorted(file.name for file in folder.iterdir())
    check(done.returncode == 0 and victim.read_bytes() == b"unharmed", f"status {done.returncode}: {done.stderr}: {victim.read_bytes()[:20]}")
    check(not path.is_symlink() and len(left) == 3, f"{left}")
    check(tipoff("iss", "--quiet", "--restore", path)[0] == 0, "no checkpoint")


@test
def bad_input(folder):
    checkpoint = saved(folder, 1000, SMALL)
    other = WORKLOADS / "sort.small.elf"
    data = checkpoint.read_bytes()
    broken, short = folder / "broken", folder / "short"
    broken.write_bytes(data[:2000] + bytes([data[2000] ^ 1]) + data[2001:])
    short.write_bytes(data[:-30])
    for command in (["iss"], RUN):
        refused([*command, "--restore", folder / "none"], str(folder / "none"), "cannot open")
        refused([*command, "--restore", SMALL], "not a tipoff file")
        refused([*command, "--restore", broken], str(broken), "damaged", "make it again")
        refused([*command, "--restore", short], str(short), "cut short", "make it again")
        refused([*command, "--restore", checkpoint, other], str(checkpoint), "not of", str(other))
    refused(["run", "--config", "odd3", "--restore", checkpoint], "fp 1", "choose one") if (ROOT / "build/odd3/model.so").exists() else None
    refused(["iss", "--checkpoint", folder / "x", SMALL], "go together", lines=0)
    refused(["iss", "--at", "5", SMALL], "go together", lines=0)
    for at in ("", "x:0", "main:", "1x", "nosuch", "marker:x", "-5", "99999999999999999999"):
        refused(["iss", "--checkpoint", folder / "x", "--at", at, SMALL], f"--at {at}:", "marker[:NUMBER]")
    refused(["iss", "--restore", checkpoint, "--checkpoint", checkpoint, "--at", 5], "--checkpoint")
    refused(["iss", "--restore", checkpoint, "--checkpoint", folder / "x", "--at", "main"], "need the PROGRAM")
    refused(["iss", "--checkpoint", folder / "no/such/folder", "--at", 5, SMALL], "no/such/folder", status=4)
    check(checkpoint.read_bytes() == data and sorted(os.listdir(folder)) == ["broken", "machine", "short"], f"something was touched: {os.listdir(folder)}")


if __name__ == "__main__":
    sys.exit(main())
