#!/usr/bin/env python3
"""What a run that a check stops leaves: the machine some thousand instructions before, and a command that goes on from there.

    tests/workers/test_failure.py [--config CONFIG] [--only TEXT]

A core that gets one result wrong (tests/workers/inject.c), late in a program. The checkpoint has to be the machine at that place of the
program, to the last bit: on the ISS it executes the rest of the instructions, and on a core without the fault it ends as the program does. The command has to fail
at the same instruction, with a waveform. Last line: 'N passed, M failed'.
"""
import argparse
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TIPOFF, assembled, check  # noqa: E402
from test_faults import make_model  # noqa: E402

WINDOW, LATE = 10_000, 300  # instructions: csrc/workers/replay_checkpoint.c; what a core may go on with until it can begin
WORKLOADS = ROOT / "build/workloads"
PROGRAMS = [  # programs, their first wrong instruction as a share of all
    (WORKLOADS / "sort.small.elf", 0.9),
    (WORKLOADS / "syscalls.small.elf", 0.8),
    (WORKLOADS / "fft.small.elf", 0.6),
    (WORKLOADS / "vm_paging.small.elf", 0.7),
]
STEP = re.compile(r"^. (0x[0-9a-f]+) 0x[0-9a-f]{8} x\d+=(0x[0-9a-f]{5,})\b")
SAID = re.compile(r"The machine (\d+) instructions and traps before it is in (\S+)\. That part alone, with waveforms:\n  (.*)\n")


class Core:
    """A model with faults, in a folder of its own."""

    def __init__(self, config, folder):
        self.config, self.folder = config, folder
        self.model, self.library = make_model(config, folder, "model-fst.so")

    def run(self, value, *options, command=None, limit=None):
        """value: the result that is wrong, None: none. Status, stdout, stderr."""
        command = command or [TIPOFF, "run", "--config", self.config, "--model", self.model, "--no-oracle", "--quiet", *options]
        environment = {
            **os.environ,
            "LD_PRELOAD": str(self.library),
            "TIPOFF_FAULT": "a value" if value else "",
            "TIPOFF_FAULT_VALUE": value or "",
            "TMPDIR": str(self.folder),
        }
        done = subprocess.run(
            [*map(str, command)], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False, preexec_fn=limit
        )
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def iss(*options):
    done = subprocess.run([TIPOFF, "iss", "--quiet", *map(str, options)], capture_output=True, timeout=300, check=False)
    return done.returncode, done.stdout.decode(errors="replace")


def late_value(trace, share):
    """A result that an instruction after that share of them has, and none before; where, and its pc."""
    place, seen = int(share * len(trace)), set()
    for at, line in enumerate(trace):
        step = STEP.match(line)
        if step and at >= place and step[2] not in seen:
            return step[2], at, hex(int(step[1], 16))
        if step:
            seen.add(step[2])
    raise AssertionError("no result of its own")


def failed(core, program, value, pc, *options):
    """The run stops at that instruction: instructions before, file, command."""
    machine = core.folder / "failure.machine"
    status, _, err = core.run(value, "--failure-checkpoint", machine, *options, program)
    said = SAID.search(err)
    check(status == 3 and f"pc {pc} " in err.splitlines()[-1] and "destination value" in err.splitlines()[-1], f"{program.name}: status {status}: {err}")
    check(said and said[2] == str(machine) and machine.exists(), f"{program.name}: no checkpoint: {err}")
    return int(said[1]), machine, shlex.split(said[3])


def fails_again(core, value, pc, command, cycles):
    """The command, as it was printed, stops at the same instruction and leaves a waveform."""
    waves = core.folder / "failure.fst"
    status, _, err = core.run(value, command=[*command, "--no-oracle", "--quiet"])
    last = err.splitlines()[-1]
    check(status == 3 and f"pc {pc} " in last and "destination value" in last, f"{command}: status {status}: {err}")
    check(waves.exists() and waves.stat().st_size > 10_000, f"{command}: no waveform")
    waves.unlink()
    again = int(re.search(r"lockstep: cycle (\d+)", last)[1])
    check(again < cycles, f"{command}: {again} cycles, {cycles} in the whole run")


def same_machine(program, share, core, folder):
    """At the place that is named, the machine of the program, to the last instruction; and it fails again there."""
    whole, rest = folder / "whole", folder / "rest"
    want, output = iss("--trace", whole, program)
    trace = whole.read_text().splitlines()
    value, place, pc = late_value(trace, share)
    before, machine, command = failed(core, program, value, pc)
    status, more = iss("--restore", machine, "--trace", rest)
    at = len(trace) - len(rest.read_text().splitlines())
    check(0 <= place - at - before < 8, f"{program.name}: {before} instructions before {place} are not {at}")  # of its own group
    check(WINDOW - LATE < before < 2 * WINDOW + 8, f"{program.name}: {before} instructions before")
    check(status == want and output.endswith(more), f"{program.name}: on the ISS: status {status}: {more!r}")
    check(trace[at:] == rest.read_text().splitlines(), f"{program.name}: another stream of instructions from {at} on")
    fails_again(core, value, pc, command, 60 * before)
    status, more, err = core.run(None, "--restore", machine)
    check(status == want and output.endswith(more), f"{program.name}: on a core: status {status}: {more!r}: {err}")


def of_a_restored_run(core, folder):
    """The run began with a checkpoint itself, and had console input: both go on where they were."""
    typed, program, first = folder / "typed", assembled(folder, "htif_console.c", "-DREADS", "-DSLOW=5000"), folder / "first"
    typed.write_text("read.")
    whole = folder / "whole"
    want, output = iss("--input", typed, "--trace", whole, program)
    count = len(whole.read_text().splitlines())
    check(count > 5 * WINDOW, f"{count} instructions only")
    check(iss("--checkpoint", first, "--at", count // 5, "--input", typed, program)[0] == 0, "no first checkpoint")
    tail = folder / "tail"
    iss("--restore", first, "--input", typed, "--trace", tail)
    value, _, pc = late_value(tail.read_text().splitlines(), 0.8)
    _, machine, command = failed(core, program, value, pc, "--restore", first, "--input", typed)
    check(command[command.index("--input") + 1] == str(typed), f"without its input: {command}")
    fails_again(core, value, pc, command, 60 * 2 * WINDOW)
    for restored in (iss("--restore", machine, "--input", typed), core.run(None, "--restore", machine, "--input", typed)[:2]):
        check(restored[0] == want and output.endswith(restored[1]), f"goes on with {restored}, not to status {want}, {output!r}")


def with_host_files(core, folder):
    """A file of the host is open, and the console half read, by system calls: both go on where they were."""
    program, text, typed, whole = folder / "host_files.elf", folder / "text", folder / "typed", folder / "whole"
    text.write_text("...from a file")
    typed.write_text("typed by hand")
    subprocess.run([ROOT / "build/bin/tipoff-cc", f'-DTEXT="{text}"', ROOT / "tests/workers/host_files.c", "-o", program], check=True)
    files = ("--input", typed, "--file-root", folder)
    want, output = iss(*files, "--trace", whole, program)
    check(want == 43 and output.count("\n") == 11, f"status {want}: {output!r}")
    value, _, pc = late_value(whole.read_text().splitlines(), 0.7)
    _, machine, command = failed(core, program, value, pc, *files)
    fails_again(core, value, pc, command, 60 * 2 * WINDOW)
    for restored in (iss("--restore", machine, *files), core.run(None, "--restore", machine, *files)[:2]):
        check(restored[0] == want and restored[1] and output.endswith(restored[1]), f"goes on with {restored}, not to status {want}, {output!r}")


def with_interrupts(core, folder):
    """The timer interrupts it, at other instructions than on the ISS: the machine has had the core's interrupts, and what goes on from it ends as it should."""
    program = assembled(folder, "ticks.S", "-DROUNDS=20000")
    want, _ = iss("--trace", folder / "whole", program)
    trace = (folder / "whole").read_text().splitlines()
    check(want == 0 and sum(" interrupt " in line for line in trace) > 10, f"status {want}")
    value, _, pc = late_value(trace, 0.8)
    _, machine, command = failed(core, program, value, pc)
    fails_again(core, value, pc, command, 60 * 2 * WINDOW)
    for restored in (iss("--restore", machine), core.run(None, "--restore", machine)[:2]):
        check(restored == (0, ""), f"goes on with {restored}")


def says_how_far(core, value, program):
    """The model has gone on when a check stops it: the summary has the cycle of the difference, and states of the cycles that were checked."""
    status, _, err = core.run(value, command=[TIPOFF, "run", "--config", core.config, "--model", core.model, program])
    at = re.search(r"lockstep: cycle (\d+)", err)
    said = re.search(r"^  checked up to cycle ([\d,]+); the model has gone on to:\n  ([\d,]+) cycles", err, re.M)
    check(status == 3 and at and said, f"status {status}: {err}")
    checked, passed = (int(text.replace(",", "")) for text in said.groups())
    check(checked == int(at[1]) <= passed, f"{checked}, {at[1]}, {passed}")
    states = re.search(r"^  Computing ([\d.]+) %, Stalled ([\d.]+) %, Flushed ([\d.]+) %, Drained ([\d.]+) %$", err, re.M)
    check(states and abs(sum(map(float, states.groups())) - 100) < 0.25, f"states: {err}")
    check("report:" not in err, err)
    for left in core.folder.glob("*.tips"):
        left.unlink()


def by_itself(core, folder):
    """A run of a million instructions leaves one unasked, under a name of its own; a shorter one, or one that may not, none."""
    program, short = WORKLOADS / "sort.medium.elf", WORKLOADS / "sort.small.elf"
    _, _ = iss("--trace", folder / "whole", program)
    trace = (folder / "whole").read_text().splitlines()
    value, _, pc = late_value(trace, 1_050_000 / len(trace))
    status, _, err = core.run(value, program)
    said = SAID.search(err)
    check(status == 3 and said and pathlib.Path(said[2]).parent == core.folder, f"status {status}: {err}")
    fails_again(core, value, pc, shlex.split(said[3]), 60 * 2 * WINDOW)
    pathlib.Path(said[2]).unlink()
    iss("--trace", folder / "whole", short)
    value, _, _ = late_value((folder / "whole").read_text().splitlines(), 0.9)
    status, _, err = core.run(value, short)
    check(status == 3 and not SAID.search(err) and not list(core.folder.glob("tipoff-failure*")), f"a short run: status {status}: {err}")
    says_how_far(core, value, short)
    plain, _ = make_model(core.config, folder)
    status, _, err = core.run(value, "--model", plain, "--failure-checkpoint", folder / "y", short)
    check(status == 3 and "That part alone:\n" in err and "--fst failure.fst" not in err, f"a model that is named, without waveforms: status {status}: {err}")
    status, _, err = core.run(value, "--failure-checkpoint", folder / "x", "--worker", "replay-checkpoint:on=no", short)
    check(status == 3 and "the worker replay-checkpoint is off" in err and not (folder / "x").exists(), f"status {status}: {err}")
    value, _, _ = late_value((folder / "whole").read_text().splitlines(), 0.02)
    status, _, err = core.run(value, "--failure-checkpoint", folder / "x", short)
    check(status == 3 and "the run is too short" in err and not (folder / "x").exists(), f"status {status}: {err}")


def bad_files(core, folder):
    """Never over an input; a disk that is full changes nothing of what the run says."""
    program, copy = WORKLOADS / "sort.small.elf", folder / "program.elf"
    copy.write_bytes(program.read_bytes())
    status, _, err = core.run(None, "--failure-checkpoint", copy, copy)
    check(status == 2 and "--failure-checkpoint" in err and copy.read_bytes() == program.read_bytes(), f"status {status}: {err}")
    status, _, err = core.run(None, "--failure-checkpoint", folder / "no/such", copy)
    check(status in (2, 4) and "no/such" in err, f"status {status}: {err}")
    status, _, err = core.run(None, "--failure-checkpoint", folder / "x", "--no-cosim", copy)
    check(status == 2 and "leave --no-cosim out" in err, f"status {status}: {err}")
    iss("--trace", folder / "whole", program)
    value, _, pc = late_value((folder / "whole").read_text().splitlines(), 0.9)

    def full():
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    status, _, err = core.run(value, "--failure-checkpoint", folder / "x", program, limit=full)
    check(status == 3 and f"pc {pc} " in err and "No checkpoint of the machine before it: " in err, f"status {status}: {err}")
    check(not [path for path in folder.iterdir() if path.name.startswith("x")], f"something is left: {list(folder.iterdir())}")
    check(core.run(None, "--failure-checkpoint", folder / "x", program)[0] == 0 and not (folder / "x").exists(), "a run that is right leaves one")


TESTS = {
    **{f"same_machine_{program.stem.split('.')[0]}": functools.partial(same_machine, program, share) for program, share in PROGRAMS},
    **{test.__name__: test for test in (of_a_restored_run, with_host_files, with_interrupts, by_itself, bad_files)},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", default="small2")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    passed = broken = 0
    for title, test in TESTS.items():
        if args.only not in title:
            continue
        with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as own:
            try:
                test(Core(args.config, pathlib.Path(own)), pathlib.Path(name))
                passed += 1
            except (AssertionError, subprocess.SubprocessError, OSError, ValueError, IndexError) as error:
                broken += 1
                print(f"FAIL {title}: {type(error).__name__}: {error}\n  rerun: {sys.argv[0]} --only {title}", flush=True)
    print(f"{passed} passed, {broken} failed")
    return 1 if broken or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
