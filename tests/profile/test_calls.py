#!/usr/bin/env python3
"""Call stacks of a program against what the compiler says of its frames.

    tests/profile/test_calls.py CONFIG

tests/profile/calls.c has recursion, tail calls, calls by pointer, frames of variable size, longjmp, traps, interrupts and a second stack. It
runs twice: on the core with samples and the Oracle, whose stacks are kept from calls and returns; and on the ISS, whose trace of registers
and stores is replayed here, and at each instruction the callers are found as a debugger finds them: by .debug_frame, which readelf
decodes (DWARF 5, section 6.4). Every instruction that executes commits, and commits have time. So

- what the Oracle has time of must be exactly the pairs of callers and instruction that the debugger's way finds below main,
- each sample must be one of them,
- the time of main and of what is not below it is all time, and a function's inclusive time is what the stacks with it add up to.

The program is built in several ways: frames differ with each (-O0: by s0; -msave-restore: made and taken down by routines of the compiler).
"""
import bisect
import collections
import csv
import json
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
FLAGS = (["-O0"], ["-O2"], ["-Os", "-msave-restore"])
NAMES = {f"x{n}": name for n, name in enumerate("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6".split())}
OUTERMOST = ("main", "other")  # nothing is asked about what calls these
HANDLER = "on_trap"
# Where the registers change that say who called, there are no rows: in longjmp, between two stacks, and in the compiler's own routines; and
# at the jumps to these GCC 12 has wrong ones.
WITHOUT_ROWS = ("longjmp", "change", "__riscv_save_", "__riscv_restore_")


def run(*command):
    done = kept.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr}")
    return done.stdout


class Frames:
    """.debug_frame: for each address where the CFA is, and the registers that a function keeps."""

    def __init__(self, elf):
        self.rows = {}  # first address: end, CFA, registers
        columns, end = [], 0
        for line in run("riscv64-unknown-elf-readelf", "--debug-dump=frames-interp", elf).splitlines():
            words = line.split()
            fde = re.search(r"FDE .* pc=(\w+)\.\.(\w+)", line)
            if fde:
                end = int(fde.group(2), 16)
                self.rows[int(fde.group(1), 16)] = (end, "sp+0", {})
            elif " CIE " in line:
                end = 0
            elif words[:2] == ["LOC", "CFA"]:
                columns = words[2:]
            elif end and words and re.fullmatch(r"[0-9a-f]{16}", words[0]):
                self.rows[int(words[0], 16)] = (end, words[1], dict(zip(columns, words[2:])))
        self.starts = sorted(self.rows)

    def find(self, pc):
        """(CFA, registers) at pc; a routine without frames is one whose registers are as they were at its call."""
        i = bisect.bisect_right(self.starts, pc) - 1
        if i < 0 or pc >= self.rows[self.starts[i]][0]:
            return "sp+0", {}
        return self.rows[self.starts[i]][1:]


class Program:
    def __init__(self, elf):
        self.frames = Frames(elf)
        symbols = [line.split() for line in run("riscv64-unknown-elf-nm", "-n", elf).splitlines()]
        self.symbols = [(int(words[0], 16), words[2]) for words in symbols if words[1] in "tTwW" and not words[2].startswith((".", "$"))]
        self.addresses = [address for address, _ in self.symbols]
        self.length, self.wrong = {}, set()  # bytes of each instruction; those with wrong rows
        for line in run("riscv64-unknown-elf-objdump", "-d", elf).splitlines():
            match = re.match(r"\s*([0-9a-f]+):\s+([0-9a-f]+)\s", line)
            if match:
                self.length[int(match.group(1), 16)] = len(match.group(2)) // 2
                if "<__riscv_restore_" in line:
                    self.wrong.add(int(match.group(1), 16))

    def function(self, pc):
        i = bisect.bisect_right(self.addresses, pc) - 1
        return self.symbols[i][1] if i >= 0 else ""

    def has_rows(self, pc):
        return pc not in self.wrong and not self.function(pc).startswith(WITHOUT_ROWS)


def callers(program, pc, registers, memory, interrupted):
    """Return addresses, innermost first, up to a function of OUTERMOST; None: there is none."""
    found = []
    registers = dict(registers)
    interrupted = list(interrupted)
    exact = True  # pc belongs to an instruction that is to execute, not after a call
    while True:
        function = program.function(pc if exact else pc - 1)
        if function in OUTERMOST:
            return tuple(found)
        if len(found) > 200 or pc == 0:
            return None
        cfa, rules = program.frames.find(pc if exact else pc - 1)
        base, offset = re.fullmatch(r"(\w+)([+-]\d+)", cfa).groups()
        cfa = registers[base] + int(offset)
        for name, rule in rules.items():
            if rule.startswith("c"):
                registers[name] = memory.get(cfa + int(rule[1:]), 0)
        registers["sp"] = cfa
        if function == HANDLER:
            pc = interrupted.pop()
            exact = True
            found.append(("trap", pc))
        else:
            pc = registers["ra"]
            exact = False
            found.append(("call", pc))


def executed(program, trace):
    """All (callers, address) below OUTERMOST, by function of the address."""
    registers = dict.fromkeys(NAMES.values(), 0)
    memory, interrupted, pairs = {}, [], set()
    entered = False
    for line in trace:
        words = line.split()
        pc = int(words[1], 16)
        entered = entered or program.function(pc) == "main"
        if entered and program.has_rows(pc) and words[2] != "interrupt":
            found = callers(program, pc, registers, memory, interrupted)
            if found is not None:
                pairs.add((found, pc))
        if "cause=" in line:
            interrupted.append(int(re.search(r"epc=(\w+)", line).group(1), 16))
            continue
        if words[2] == "0x30200073":
            interrupted.pop()
        for word in words[3:]:
            written = re.fullmatch(r"(x\d+)=(\w+)", word)
            stored = re.fullmatch(r"store8\[(\w+)\]=(\w+)", word)
            if written:
                registers[NAMES[written.group(1)]] = int(written.group(2), 16)
            if stored:
                memory[int(stored.group(1), 16)] = int(stored.group(2), 16)
    return pairs


def reported(program, folded, traps):
    """The same from collapsed stacks of addresses."""
    pairs = set()
    for line in folded.splitlines():
        if not line.startswith("0x"):
            continue
        addresses = [int(word, 16) for word in line.split(" ")[0].split(";")]
        *sites, pc = addresses
        found = []
        if not program.has_rows(pc):
            continue
        functions = [program.function(site) for site in addresses]
        outermost = max((i for i, name in enumerate(functions) if name in OUTERMOST), default=None)
        if outermost is None:
            continue
        for site in reversed(sites[outermost:]):
            # Which of two, the instruction says: it is one that traps, or a call.
            found.append(("trap", site) if site in traps else ("call", site + program.length[site]))
        pairs.add((tuple(found), pc))
    return pairs


def one_by_one(text):
    """The list of samples as collapsed stacks, a line for each instruction of each."""
    lines = []
    for row in csv.DictReader(text.splitlines()):
        lanes = sum(name.startswith("addr") for name in row)
        lines += [";".join(filter(None, (row[f"stack{i}"], row[f"addr{i}"]))) for i in range(lanes) if row[f"addr{i}"]]
    return "\n".join(lines)


def rows(text):
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def check_times(report, calls, folded, units, faults):
    """Inclusive and exclusive times, and those of calls, from the collapsed stacks."""
    inclusive, exclusive, edges = collections.Counter(), collections.Counter(), collections.Counter()
    stacks = [line.rsplit(" ", 1)[0] for line in folded.splitlines()]
    if len(set(stacks)) != len(stacks):
        faults.append("a stack has several lines")
    for line in folded.splitlines():
        stack, weight = line.rsplit(" ", 1)
        functions = [name.split(" [")[0] if not name.startswith("[") else name for name in stack.split(";")]
        exclusive[functions[-1]] += int(weight)
        for name in set(functions):
            inclusive[name] += int(weight)
        for edge in set(zip([None, *functions], functions)):
            edges[edge] += int(weight)
    if edges != {(call["caller"], call["callee"]): call["inclusive"] for call in calls}:
        faults.append("the calls' times are not those of the stacks")
    said = {row["function"]: row for row in rows(report)}
    for name, row in said.items():
        if [round(units * float(row[key])) for key in ("inclusive_cycles", "exclusive_cycles")] != [inclusive[name], exclusive[name]]:
            faults.append(
                f"{name}: {row['inclusive_cycles']} and {row['exclusive_cycles']}, the stacks have {inclusive[name]} and {exclusive[name]}, of {units} a cycle"
            )
    if set(said) != set(inclusive):
        faults.append(f"functions {set(said) ^ set(inclusive)}")
    return sum(exclusive.values())


def check(config, flags, folder):
    faults = []
    elf, samples, stats, trace = (pathlib.Path(folder, name) for name in ("calls.elf", "calls.tips", "calls.json", "calls.trace"))
    run(ROOT / "runtime/tipoff-cc", *flags, "tests/profile/calls.c", "-o", elf)
    run(TIPOFF, "iss", "--quiet", f"--trace={trace}", elf)
    run(TIPOFF, "run", "--config", config, "--quiet", "--period", 17, "--samples", samples, "--stats", stats, elf)
    program = Program(elf)
    lines = trace.read_text().splitlines()
    traps = {int(re.search(r"epc=(\w+)", line).group(1), 16) for line in lines if "cause=" in line}
    want = executed(program, lines)
    folded = run(TIPOFF, "report", "--profiler", "Oracle", "--format", "folded", "--by", "instruction", samples)
    got = reported(program, folded, traps)
    for what, pairs in (("executed, but without time", want - got), ("has time, but never executed", got - want)):
        for found, pc in sorted(pairs, key=str)[:3]:
            faults.append(f"{what}: {program.function(pc)} {pc:#x} from {[(kind, program.function(back - 1), hex(back)) for kind, back in found]}")
        if pairs:
            faults.append(f"{what}: {len(pairs)} of {len(want)}")
    sampled = reported(program, run(TIPOFF, "report", "--format", "folded", "--by", "instruction", samples), traps)
    if not sampled or sampled - want:
        faults.append(f"{len(sampled - want)} of {len(sampled)} sampled pairs are none that executed")
    listed = reported(program, one_by_one(run(TIPOFF, "samples", samples)), traps)
    if listed != sampled:
        faults.append(f"{len(listed ^ sampled)} pairs are in one only of the list of samples and their collapsed stacks")
    for profiler in ("TIP", "Oracle"):
        report = run(TIPOFF, "report", "--profiler", profiler, "--children", "--top", 0, "--format", "csv", samples)
        calls = json.loads(run(TIPOFF, "report", "--profiler", profiler, "--children", "--format", "json", samples))["calls"]
        whole = json.loads(run(TIPOFF, "report", "--profiler", profiler, "--format", "json", samples))
        weight = whole["weight"]
        total = check_times(report, calls, run(TIPOFF, "report", "--profiler", profiler, "--format", "folded", samples), whole["U"], faults)
        if total != weight:
            faults.append(f"{profiler}: the stacks have {total} of {weight}")
    counts = json.loads(stats.read_text())["call_stacks"]
    # Three longjmps, and the second stack's first time; it is the second root.
    if (counts["roots"], counts["unmatched"], counts["lost"]) != (2, 4, 0) or counts["switches"] < 20:
        faults.append(f"{counts}")
    return faults, len(want), len(sampled)


def main():
    faults = []
    for flags in FLAGS:
        with tempfile.TemporaryDirectory() as folder:
            found, pairs, sampled = check(sys.argv[1], flags, folder)
        faults += [f"{' '.join(flags)}: {fault}" for fault in found]
        print(f"{' '.join(flags)}: {pairs} pairs of callers and instruction, {sampled} of them sampled")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
