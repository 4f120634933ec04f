"""A program on the instruction-set simulator: whole, from its first instruction on, and up to a place in it."""
import re
import subprocess

from programs import TIPOFF


def _failed(command, done):
    raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")


def whole_run(program):
    """Status, and output without what differs from run to run."""
    done = subprocess.run(program.linux("--iss"), input=program.input_bytes(), capture_output=True, timeout=1200, check=False)
    return done.returncode, program.cut(done.stdout)


def start(program, machine, *options):
    """The machine at the program's first instruction; options of `tipoff linux`: --config NAME, a machine for that core."""
    command = program.linux(*options, "--checkpoint", str(machine))
    done = subprocess.run(command, input=program.input_bytes(), capture_output=True, timeout=600, check=False)
    if done.returncode != 0:
        _failed(command, done)


def on_iss(program, machine):
    """Writes the machine at the first instruction; from there: status, output, instructions (the kernel's for it, too), MIPS."""
    start(program, machine)
    command = [TIPOFF, "iss", "--restore", machine]
    done = subprocess.run(command, capture_output=True, timeout=1200, check=False)
    closing = re.search(r"([\d,]+) instructions in .*?, ([0-9.]+) MIPS, exit status", done.stderr.decode(errors="replace"))
    if not closing:
        _failed(command, done)
    return done.returncode, program.cut(done.stdout), int(closing[1].replace(",", "")), float(closing[2])


def advance(machine, instructions, to):
    """The machine that many instructions on; its output up to there is dropped."""
    command = [TIPOFF, "iss", "--restore", machine, "--checkpoint", to, "--at", str(instructions)]
    done = subprocess.run(command, capture_output=True, timeout=1200, check=False)
    if done.returncode != 0:
        _failed(command, done)
