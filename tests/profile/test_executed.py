#!/usr/bin/env python3
"""How often instructions, blocks and loops were executed, and where blocks went on: exactly.

    tests/profile/test_executed.py CONFIG [PROGRAM.elf...]

tests/profile/loops.S has loops whose entries and iterations are known by construction: `tipoff report --by loop` has to say them, to one, and
no other loop but those of the runtime. Of that program and of each PROGRAM the executions of every instruction, from the edges in the statistics,
and those of `--by block` are compared with the commits in a trace of every cycle; what `--by block` says of where a block
goes on has to add up to its executions.
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
RUNTIME = [ROOT / "tests/workloads/runtime" / name for name in ("crt0.S", "tohost.S", "console.c", "string.c", "trap.c")]
ECALL = "ecall"  # traps: the trace shows it as an exception, not as a commit
faults = []


def run(*command):
    done = kept.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def rows(text):
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def build(folder):
    program = folder / "loops.elf"
    run(
        "riscv64-unknown-elf-gcc",
        "-march=rv64imac_zicsr_zifencei",
        "-mabi=lp64",
        "-mcmodel=medany",
        "-O2",
        "-g",
        "-ffreestanding",
        "-nostdlib",
        "-static",
        '-DWORKLOAD="loops"',
        "-Itests/workloads/runtime",
        "-T",
        "tests/workloads/runtime/link.ld",
        "-Wl,--no-warn-rwx-segments",
        "-Wl,--build-id",
        "tests/profile/loops.S",
        *RUNTIME,
        "-lgcc",
        "-o",
        program,
    )
    return program


class Steps:
    """Sums up to an address."""

    def __init__(self, counts):
        self.places = sorted(counts)
        self.sums = [0]
        for place in self.places:
            self.sums.append(self.sums[-1] + counts[place])

    def up_to(self, place):
        return self.sums[bisect.bisect_right(self.places, place)]

    def before(self, place):
        return self.sums[bisect.bisect_left(self.places, place)]


def traced(config, program, folder):
    """Runs it; returns the commits by address, and what the edges make them."""
    run(
        TIPOFF,
        "run",
        "--config",
        config,
        "--quiet",
        "--period",
        97,
        "--samples",
        folder / "x.tips",
        "--stats",
        folder / "x.json",
        "--trace",
        folder / "x.csv",
        "--trace-format",
        "csv",
        program,
    )
    commits = collections.Counter()
    with open(folder / "x.csv", encoding="utf-8") as trace:
        reader = csv.reader(trace)
        header = next(reader)
        lanes = [(header.index(name), header.index(f"pc{name[6:]}")) for name in header if re.fullmatch(r"commit\d", name)]
        for row in reader:
            for commit, pc in lanes:
                if row[commit] == "1":
                    commits[int(row[pc], 16)] += 1
    arrivals, departures = collections.Counter(), collections.Counter()
    for group in json.loads((folder / "x.json").read_text(encoding="utf-8"))["edges"]:
        for edge in group["taken"]:
            start, end, count = edge.split()
            if end != "-":
                arrivals[int(end, 16)] += int(count)
            if start != "-":
                departures[int(start, 16)] += int(count)
    arrived, left = Steps(arrivals), Steps(departures)
    return commits, lambda pc: arrived.up_to(pc) - left.before(pc)


def trap_returns(program):
    """Addresses of trap returns, and (address in hex, n) -> address of the n-th instruction from there on. Where a trap returns to what it
    interrupted, the flow goes on as if there had been none: that is no edge."""
    places = [
        (int(found[1], 16), found[2]) for found in re.finditer(r"^ *([0-9a-f]+):\t[0-9a-f]+ *\t(\S+)", run("riscv64-unknown-elf-objdump", "-d", program), re.M)
    ]
    listing = {(hex(pc), n + 1): places[i + n][0] for i, (pc, _) in enumerate(places) for n in range(min(40, len(places) - i))}
    return {pc for pc, name in places if name in ("mret", "sret")}, listing


def compare(config, program, folder):
    commits, executed = traced(config, program, folder)
    report = rows(run(TIPOFF, "report", "--profiler", "Oracle", "--format", "csv", folder / "x.tips"))
    ecalls = {int(row["unit"], 16) for row in report if row["instruction"] == ECALL}
    wrong = {hex(pc): (count, executed(pc)) for pc, count in commits.items() if pc not in ecalls and executed(pc) != count}
    if wrong:
        faults.append(f"{program}: (commits, executions): {wrong}")
    blocks = {row["unit"]: row for row in rows(run(TIPOFF, "report", "--profiler", "Oracle", "--by", "block", "--format", "csv", folder / "x.tips"))}
    for unit, row in blocks.items():
        if unit == "end of run":
            continue
        pc, count = int(unit, 16), int(row["executions"])
        if pc not in ecalls and commits[pc] != count:
            faults.append(f"{program}: block {unit}: {count} executions, {commits[pc]} commits of its first instruction")
    returns, listing = trap_returns(program)
    goes_on = [row for row in blocks.values() if row["edges"] and not {listing.get((row["unit"], int(row["instructions"])))} & returns]
    for row in goes_on:
        total = sum(int(edge.split(":")[1]) for edge in row["edges"].split())
        if abs(total - int(row["executions"])) > 1:  # the run ends in one
            faults.append(f"{program}: block {row['unit']}: {row['executions']} executions, edges {row['edges']}")
    return len(commits), len(goes_on)


def loops(program, folder):
    known = {}
    for line in run("riscv64-unknown-elf-nm", program).splitlines():
        found = re.fullmatch(r"(\w+) \w (\w+)_d(\d+)_e(\d+)_i(\d+)", line)
        if found:
            address, name, *counts = found.groups()
            known[int(address, 16)] = (name, *counts)
    functions = "main|nested|tested_first|tested_last|continued|calling|short|cases|irreducible|recursive|interrupted|two_exits"
    found = {
        int(row["unit"], 16): row
        for row in rows(run(TIPOFF, "report", "--profiler", "Oracle", "--by", "loop", "--format", "csv", folder / "x.tips"))
        if row["unit"].startswith("0x") and re.match(rf"({functions})\b", row["name"])
    }
    irreducible = [row for row in found.values() if row["note"]]
    if len(irreducible) != 1:
        faults.append(f"{len(irreducible)} loops that are entered at several places, one expected")
    for pc, row in found.items():
        expected = known.get(pc)
        said = (row["depth"], row["entries"], row["iterations"])
        if not expected or expected[1:] != said:
            faults.append(f"loop {row['name']} at {row['unit']}: depth, entries, iterations {said}, expected {expected}")
        time = int(row["cycles_with_inner"])
        if abs(float(row["cycles_per_iteration"]) - time / int(row["iterations"])) > 0.01 + 0.5 / int(row["iterations"]):
            faults.append(f"loop {row['name']}: {row['cycles_per_iteration']} cycles each of {row['iterations']} in {time}")
    missing = {name for pc, (name, *_) in known.items() if pc not in found} - {"one", "either"}
    if missing:
        faults.append(f"loops that were not found: {missing}")
    outer, inner = (next(row for pc, row in found.items() if known.get(pc, " ")[0] == name) for name in ("outer", "inner"))
    if not int(outer["cycles_with_inner"]) > int(inner["cycles_with_inner"]) > 0:
        faults.append("the time of a loop leaves out those inside it")
    ticks = int(
        next(
            row["executions"]
            for row in rows(run(TIPOFF, "report", "--profiler", "Oracle", "--by", "block", "--format", "csv", folder / "x.tips"))
            if row["name"] == "tick"
        )
    )
    if ticks < 20:
        faults.append(f"{ticks} interrupts: too few to show anything")
    return len(found), ticks


def main():
    config, *programs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = build(folder)
        instructions, blocks = compare(config, program, folder)
        count, ticks = loops(program, folder)
        for more in programs:
            a, b = compare(config, more, folder)
            instructions, blocks = instructions + a, blocks + b
    print("\n".join(faults) or f"{instructions} instructions, {blocks} blocks, {count} loops, {ticks} interrupts in one of them")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
