#!/usr/bin/env python3
"""What instructions that stall the core wait for, a second time: from the pipeline view, a trace of every cycle and the program's text.

    tests/profile/test_waits.py CONFIG PROGRAM...

The pipeline view says when each instruction entered the ROB and completed; the trace, who was the oldest and for how long; objdump's text, which registers are
read and written, and which instructions share a cycle; addresses follow from registers (`tipoff iss --trace`). From these the pairs of
csrc/oracle/waits.h have to come out, to the cycle. Programs without interrupts; a C file is built by tipoff-cc.
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
sys.path.insert(0, str(ROOT / "tests/trace"))
import check_kanata  # noqa: E402

LONG = re.compile(
    r"(c\.)?(l[bhwd]u?(sp)?|fl[wd](sp)?|s[bhwd](sp)?|fs[wd](sp)?|mulh?s?u?w?|divu?w?|remu?w?|lr\.\w+|sc\.\w+|amo\S*|csr\S*|f\S*\.[sdxwl]u?\S*|fence\S*|fmv\S*)$"
)
BYTES = {"b": 1, "h": 2, "w": 4, "d": 8}
STORES = 63  # that the worker looks back over
faults = []


def run(*words):
    done = subprocess.run([*map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def text_of(program):
    """address -> (mnemonic, operands)"""
    text = run("riscv64-unknown-elf-objdump", "-d", "-M", "no-aliases,numeric", program)
    return {int(a, 16): (name, operands.strip()) for a, name, operands in re.findall(r"^\s*([0-9a-f]+):\t[0-9a-f ]+\t(\S+)\t?([^<#\n]*)", text, re.M)}


def accesses(program, text):
    """[(address of the instruction, kind, address, bytes)] of the whole run, in order; kind: load, store or empty."""
    registers, found = collections.defaultdict(int), []
    for line in run(TIPOFF, "iss", "--quiet", "--trace", "-", program).splitlines():
        match = re.match(r"\w 0x([0-9a-f]+) 0x[0-9a-f]+(.*)", line)
        if not match:
            continue
        pc, effects = int(match[1], 16), match[2]
        name, operands = text.get(pc, ("", ""))
        kind, address, size = "", 0, 0
        memory = re.search(r"(-?\d+)\((x\d+)\)", operands)
        access = re.fullmatch(r"(?:c\.)?f?([ls])([bhwd])u?(?:sp)?", name)
        if memory and access:
            kind = "load" if access[1] == "l" else "store"
            address, size = registers[memory[2]] + int(memory[1]) & (1 << 64) - 1, BYTES[access[2]]
        elif name.startswith("amo") or "store" in effects:
            kind = "store"
            stored = re.search(r"store(\d)\[0x([0-9a-f]+)\]", effects)
            address, size = (int(stored[2], 16), int(stored[1])) if stored else (0, 0)
        found.append((pc, kind, address, size))
        for register, value in re.findall(r"\b(x\d+)=0x([0-9a-f]+)", effects):
            registers[register] = int(value, 16)
    return found


def stalls(trace):
    """[(cycle, pc, cycles that it was the oldest before that, vector)] of all that commit, in order."""
    left, headed, found_empty = [], 0, True
    with trace.open(encoding="ascii") as file:
        rows = csv.reader(file)
        header = next(rows)
        at = {name: i for i, name in enumerate(header)}
        width = sum(name.startswith("commit") for name in header)
        lanes = [(at[f"commit{i}"], at[f"pc{i}"], at[f"psv{i}"]) for i in range(width)]
        for row in rows:
            cycle, oldest = int(row[0]), int(row[at["oldest"]])
            if row[at["rob_empty"]] == "1":
                found_empty = True
                continue
            if found_empty:
                headed, found_empty = cycle, False
            first = True
            for k in range(width):
                commit, pc, psv = lanes[(oldest + k) % width]
                if row[commit] == "1":
                    left.append((cycle, int(row[pc], 16), cycle - headed if first else 0, int(row[psv])))
                    first = False
            if not first or row[at["exception"]] == "1":
                headed = cycle + 1
    return left


def expected(view, left, memory, text, misses):
    """(instruction, what it waits for) -> [times, cycles, chained]"""
    pairs = collections.defaultdict(lambda: [0, 0, 0])
    known, stores = {}, []  # id -> (position, pc, completed, simple, its origin or None)
    instructions = [one for one in check_kanata.read(view) if not one[4]]
    assert len(instructions) == len(left), (len(instructions), len(left))
    step = 0
    for i, ((pc, _, stages, end, _, number, producers, _), (cycle, other, stalled, psv)) in enumerate(zip(instructions, left)):
        assert pc == other and end == cycle, (hex(pc), hex(other), end, cycle)
        kind, address, size = "", 0, 0
        if step < len(memory) and memory[step][0] == pc:  # else it goes round once more than on the ISS, which has no time: waits for a device
            kind, address, size = memory[step][1:]
            step += 1
        late = [known[p] for p in producers if known[p][2] > stages["Q"]]
        last = max(late, key=lambda p: (p[2], p[0]), default=None)
        chained = last is not None and last[3] and last[4] is not None
        origin = None if last is None else last[4] if chained else last[1]
        known[number] = (i, pc, stages["C"], not LONG.match(text.get(pc, ("", ""))[0]), origin)
        source, whole = None, False
        if kind == "load" and not psv & misses:
            for where, begin, length, when in reversed(stores[-STORES:]):
                if when < stages["Q"]:
                    break
                if begin < address + size and address < begin + length:
                    source, whole = where, begin <= address and address + size <= begin + length
                    break
        by_store = source is not None and (not whole or origin is None)
        if stalled and (by_store or origin is not None):
            for k, value in enumerate((1, stalled, int(not by_store and chained))):
                pairs[pc, source if by_store else origin][k] += value
        if kind == "store":
            stores.append((pc, address, size, cycle))
    assert step == len(memory), f"the core left the ISS's way at step {step} of {len(memory)}"
    return {key: tuple(value) for key, value in pairs.items()}


def compare(config, program, folder):
    if program.endswith(".c"):
        source, program = program, folder / "x.elf"
        run(ROOT / "build/bin/tipoff-cc", source, "-o", program)
    trace, view, stats = folder / "x.csv", folder / "x.kanata", folder / "x.json"
    run(
        TIPOFF,
        "run",
        "--config",
        config,
        "--quiet",
        "--stats",
        stats,
        "--trace",
        trace,
        "--trace-format",
        "csv",
        "--kanata",
        view,
        "--worker",
        "stall-causes",
        program,
    )
    statistics = json.loads(stats.read_text(encoding="utf-8"))
    said = {}
    for group in statistics["waits"]:
        for line in group["pairs"]:
            x, origin, *counts = line.split()
            said[int(x, 16), int(origin, 16)] = tuple(map(int, counts))
    names, text = list(statistics["events"]), text_of(program)
    misses = sum(1 << names.index(name) for name in ("ST_L1", "ST_TLB", "ST_LLC"))
    left = stalls(trace)
    found = expected(view, left, accesses(program, text), text, misses)
    wrong = [
        (hex(x), hex(origin), said.get((x, origin)), found.get((x, origin)))
        for x, origin in said.keys() | found.keys()
        if said.get((x, origin)) != found.get((x, origin))
    ]
    if wrong:
        faults.append(f"{program}: (instruction, waits for, statistics, found): {sorted(wrong)[:6]} and {max(0, len(wrong) - 6)} more")
    waited, stalled = sum(counts[1] for counts in said.values()), sum(one[2] for one in left)
    print(f"{pathlib.Path(program).name} on {config}: {len(said)} pairs, {waited} of {stalled} cycles in which the oldest instruction waits")
    return len(said)


def main():
    config, *programs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        count = sum(compare(config, program, pathlib.Path(folder)) for program in programs)
    if count < 100:
        faults.append(f"{count} pairs: too few to show anything")
    print("\n".join(faults) or f"{count} pairs, to the cycle")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
