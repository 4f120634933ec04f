#!/usr/bin/env python3
"""Measures programs of programs.toml on a core, with every check, and says what TIP finds: a row of docs/results/programs.md each.

    scripts/programs/measure.py [--config tea4] [--cycles 600000] [--period 197] [--only NAME]... [--changes | --table]

A region: the ISS runs to the middle of the program, a core takes over from there. --changes: instead, for the rows that have a change,
both sides of it, whole, from the first instruction to the end; their output and status are compared with the native program's. What
was measured is kept in build/linux/programs/NAME/CONFIG.json, and the samples beside it; --table prints it as the page shows it. Any
check that fails ends it with status 1.
"""
import argparse
import bisect
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from iss import advance, on_iss, start  # noqa: E402
from programs import FOLDER, ROOT, TIPOFF, load, sides  # noqa: E402

VMLINUX = ROOT / "build/linux/kernel/vmlinux"
MAX_CYCLES_RAN_OUT = 124
FIRMWARE = 0x8000_0000  # physical; a static program lies below it, and above it the ROM that a restored machine begins in
VDSO, KERNEL = 0x8800_0000, 1 << 63


class Symbols:
    """Functions of the program and of the kernel, by address."""

    def __init__(self, program):
        self.names, self.end = [], 0
        for file, prefix in (program.guest, ""), (VMLINUX, "kernel: "):
            lines = subprocess.run(["riscv64-linux-gnu-nm", file], capture_output=True, text=True, check=True).stdout.splitlines()
            self.end = self.end or max(int(line.split()[0], 16) for line in lines if line.endswith(" _end"))
            self.names += [
                (int(a, 16), prefix + n) for a, t, n in (line.split() for line in lines if line[:1] != " ") if t in "tTwW" and not n.startswith((".", "$"))
            ]
        self.names.sort()
        self.program = program

    def function(self, address):
        if self.end <= address < KERNEL:
            return "ROM" if address < FIRMWARE else "firmware" if address < VDSO else "vDSO"
        at = bisect.bisect(self.names, (address, "\U0010ffff")) - 1
        return self.names[at][1] if at >= 0 else hex(address)

    def line(self, address):
        out = subprocess.run(
            ["riscv64-linux-gnu-addr2line", "-e", self.program.guest, hex(address)], capture_output=True, text=True, check=True
        ).stdout.split()[0]
        return "" if out.startswith("??") else out.rsplit("/", 1)[-1]


def run(options, config, machine, statistics, samples, period):
    command = [
        TIPOFF,
        "run",
        "--config",
        config,
        "--quiet",
        "--period",
        str(period),
        f"--jitter={period.bit_length() - 3}",  # less than a quarter of the period
        "--restore",
        machine,
        "--stats",
        statistics,
        "--samples",
        samples,
        *options,
    ]
    statistics.unlink(missing_ok=True)
    done = subprocess.run([*map(str, command)], capture_output=True, check=False)
    if not statistics.exists():
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr.decode()[-2000:]}")
    return done, json.loads(statistics.read_text(encoding="utf-8"))


def report(samples, symbols):
    """Shares of functions and of instructions, by TIP's samples."""
    text = subprocess.run([TIPOFF, "report", "--format", "json", "--top", "0", samples], capture_output=True, text=True, check=True).stdout
    data = json.loads(text)
    functions, instructions = {}, []
    for unit in data["units"]:
        if not unit["unit"].startswith("0x"):  # the end of the run
            continue
        address = int(unit["unit"], 16)
        name = symbols.function(address)
        functions[name] = functions.get(name, 0) + unit["share"]
        instructions.append((unit["share"], address, name, unit["why"].split(";")[0]))
    instructions.sort(reverse=True)
    total = sum(data["states"].values())
    return {
        "functions": sorted(((share, name) for name, share in functions.items()), reverse=True)[:6],
        "instructions": [(share, hex(a), name, symbols.line(a), why) for share, a, name, why in instructions[:6]],
        "kernel": sum(share for name, share in functions.items() if name.startswith("kernel: ")),
        "states": {state: weight / total for state, weight in data["states"].items()},
    }


def own_cycles(samples, symbols):
    """The cycles that the Oracle books to the program's own instructions, not the kernel's: exact."""
    text = subprocess.run(
        [TIPOFF, "report", "--format", "json", "--top", "0", "--profiler", "Oracle", samples], capture_output=True, text=True, check=True
    ).stdout
    return round(sum(unit["cycles"] for unit in json.loads(text)["units"] if unit["unit"].startswith("0x") and int(unit["unit"], 16) < symbols.end))


def checked(statistics, what):
    checks = statistics["checks"]
    if not checks["passed"] or checks["instructions"] != statistics["instructions"]:
        raise SystemExit(f"{what}: A CHECK FAILED: {checks}")
    return checks["instructions"]


def show(result):
    states = " ".join(f"{name} {100 * share:.0f}" for name, share in result["states"].items())
    print(
        f"{result['name']}: {result['cycles']:,} cycles, {result['compared']:,} instructions in lockstep, IPC {result['ipc']:.2f}; {states}; kernel {100 * result['kernel']:.0f} %; "
        f"{result['samples']} samples, {result['khz']:.0f} kHz"
    )
    for share, name in result["functions"]:
        print(f"    {100 * share:5.1f} %  {name}")
    for share, address, name, line, why in result["instructions"]:
        print(f"      {100 * share:5.1f} %  {address} {name} {line}: {why}")
    sys.stdout.flush()


def finish(program, statistics, samples, more, path):
    result = {
        "name": program.name,
        "cycles": statistics["cycles"],
        "compared": checked(statistics, program.name),
        "ipc": statistics["ipc"],
        "khz": statistics["khz"],
        "samples": statistics["samples"],
        **report(samples, Symbols(program)),
        **more,
    }
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    show(result)
    return result


def region(program, arguments):
    folder = program.folder
    first, middle = folder / "first.machine", folder / "middle.machine"
    status, output, instructions, mips = on_iss(program, first)
    if (status, output) != program.expected():
        raise SystemExit(f"{program.name}: wrong result on the ISS: status {status}: {output[:300]!r}")
    advance(first, instructions // 2, middle)
    samples = folder / f"{arguments.config}.tips"
    done, statistics = run(["--max-cycles", arguments.cycles], arguments.config, middle, folder / f"{arguments.config}.stats.json", samples, arguments.period)
    if done.returncode not in (MAX_CYCLES_RAN_OUT, status):
        raise SystemExit(f"{program.name}: status {done.returncode}: {done.stderr.decode()[-2000:]}")
    for machine in first, middle:
        machine.unlink()
    return finish(program, statistics, samples, {"whole": instructions, "mips": mips}, folder / f"{arguments.config}.json")


def whole(program, arguments):
    """From its first instruction to its end, on the core; its result is compared, too."""
    folder = program.folder
    machine, samples = folder / "first.machine", folder / f"{arguments.config}.tips"
    start(program, machine)
    done, statistics = run([], arguments.config, machine, folder / f"{arguments.config}.stats.json", samples, arguments.period)
    if (done.returncode, program.cut(done.stdout)) != program.expected():
        raise SystemExit(f"{program.name}: wrong result on {arguments.config}: status {done.returncode}: {done.stdout[:300]!r} {done.stderr.decode()[-1000:]}")
    machine.unlink()
    return finish(program, statistics, samples, {"own": own_cycles(samples, Symbols(program))}, folder / f"{arguments.config}.json")


def place(result):
    """The instruction that takes most, in words."""
    share, address, name, line, why = result["instructions"][0]
    return f"`{name}` {line or address}, {100 * share:.1f} %: {why}"


def table(names, config):
    print(
        "| program | instructions | region: cycles, lockstep | IPC | Computing, Stalled, Flushed, Drained | functions by TIP | instruction by TIP |\n|---|---|---|---|---|---|---|"
    )
    for name in names:
        path = FOLDER / name / f"{config}.json"
        if not path.exists():
            print(f"| {name} | not measured | | | | | |")
            continue
        result = json.loads(path.read_text(encoding="utf-8"))
        states = ", ".join(f"{100 * result['states'][state]:.0f}" for state in ("Computing", "Stalled", "Flushed", "Drained"))
        functions = ", ".join(f"`{function}` {100 * share:.0f}" for share, function in result["functions"][:3])
        print(
            f"| {name} | {result['whole'] / 1e6:.1f} M | {result['cycles']:,}, {result['compared']:,} | {result['ipc']:.2f} | {states} % | {functions} % | {place(result)} |"
        )


def change(name, arguments):
    before, after = (whole(side, arguments) for side in sides(name))
    for what, label in ("cycles", "from the first instruction to the end"), ("own", "in the program itself, without the kernel"):
        print(f"{name}: {before[what]:,} cycles before, {after[what]:,} after: {before[what] / after[what]:.3f} times as fast {label}", flush=True)
    return before["compared"] + after["compared"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="tea4")
    parser.add_argument("--cycles", type=int, default=600_000)
    parser.add_argument("--period", type=int, default=197)
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--changes", action="store_true")
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    programs, compared = load(), 0
    if arguments.table:
        table(arguments.only or programs, arguments.config)
        return
    for name in arguments.only or programs:
        if arguments.changes and "change" in programs[name].row:
            compared += change(name, arguments)
        elif not arguments.changes:
            compared += region(programs[name], arguments)["compared"]
    print(f"{compared:,} instructions in lockstep on {arguments.config}, all equal")


if __name__ == "__main__":
    if not FOLDER.exists():
        sys.exit("scripts/programs/measure.py: no programs: make linux-programs")
    main()
