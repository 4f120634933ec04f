#!/usr/bin/env python3
"""A pipeline view holds what happened: its log against the trace of commit bundles of the same run.

    tests/trace/check_kanata.py CONFIG PROGRAM.elf

Runs the program with --kanata and --trace-format csv. The log keeps the rules of Kanata 0004 (time never goes back, every
instruction begins once and leaves once, stages begin in the order F Q X C); what leaves without a flush is exactly what
commits in the trace, in the same order and cycles; and some are flushed. Arrows lead to each instruction that commits from exactly those
in flight whose registers it reads, by the operands that objdump shows. Every sample that `tipoff samples` lists is a mark on its instructions, and
there are no other marks. Then twice with a region, by cycles and by symbol.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAGES = "FQXC"


def read(path):
    """[(pc, begin cycle, {stage: cycle}, end cycle, flushed, id, ids of producers, [(cycle, state) of samples])] in the order of leaving."""
    lines = path.read_text().splitlines()
    assert lines[0] == "Kanata\t0004", lines[0]
    cycle, alive, left, retired, marks = None, {}, [], 0, []
    for number, line in enumerate(lines[1:], 2):
        kind, *rest = line.split("\t")
        where = f"{path.name}:{number}: {line}"
        if kind == "C=":
            assert cycle is None, where
            cycle = int(rest[0])
        elif kind == "C":
            assert int(rest[0]) > 0, where
            cycle += int(rest[0])
        elif kind == "I":
            assert rest[0] not in alive and cycle is not None, where
            alive[rest[0]] = {"begin": cycle, "stages": {}, "pc": None, "producers": set(), "samples": []}
        elif kind == "L":
            assert rest[1] in "01", where
            if rest[1] == "0" and alive[rest[0]]["pc"] is None:
                alive[rest[0]]["pc"] = int(rest[2].split(":")[0], 16)
            elif rest[1] == "0":
                marks.append(rest[2])
            elif sampled := re.fullmatch(r"\\nsampled in cycle (\d+): (\w+)", rest[2]):
                assert marks.pop() == f"  <- sampled: {sampled[2]}", where
                alive[rest[0]]["samples"].append((int(sampled[1]), sampled[2]))
        elif kind == "W":
            assert rest[2] == "0" and int(rest[1]) < int(rest[0]) and rest[1] not in alive[rest[0]]["producers"], where
            assert alive[rest[0]]["stages"]["X"] == cycle, where
            alive[rest[0]]["producers"].add(rest[1])
        elif kind == "S":
            stages = alive[rest[0]]["stages"]
            assert rest[2] in STAGES and rest[2] not in stages, where
            assert all(STAGES.index(s) < STAGES.index(rest[2]) for s in stages), where
            stages[rest[2]] = cycle
        elif kind == "R":
            one, flushed = alive.pop(rest[0]), rest[2] == "1"
            assert int(rest[1]) == retired, where
            retired += not flushed
            left.append((one["pc"], one["begin"], one["stages"], cycle, flushed, rest[0], one["producers"], one["samples"]))
        else:
            raise AssertionError(f"unknown line {where}")
    assert not alive and not marks, f"{len(alive)} instructions never leave"
    return left


def commits(path):
    """[(cycle, pc)] of the trace, in order."""
    found = []
    with path.open() as file:
        rows = csv.DictReader(file)
        width = sum(name.startswith("commit") for name in rows.fieldnames)
        for row in rows:
            oldest = int(row["oldest"])
            for k in range(width):
                lane = (oldest + k) % width
                if row[f"commit{lane}"] == "1":
                    found.append((int(row["cycle"]), int(row[f"pc{lane}"], 16)))
    return found


READS_ALL = {
    "sb",
    "sh",
    "sw",
    "sd",
    "fsw",
    "fsd",
    "c.sw",
    "c.sd",
    "c.swsp",
    "c.sdsp",
    "c.fsd",
    "c.fsdsp",
    "beq",
    "bne",
    "blt",
    "bge",
    "bltu",
    "bgeu",
    "c.beqz",
    "c.bnez",
    "c.jr",
}
READS_RD = {"c.addi", "c.addiw", "c.addi16sp", "c.slli", "c.srli", "c.srai", "c.andi", "c.add", "c.sub", "c.xor", "c.or", "c.and", "c.subw", "c.addw"}


def operands(program):
    """{address: (register written or None, registers read)} of the program, by objdump's text."""
    text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "-M", "no-aliases,numeric", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        match = re.match(r"\s*([0-9a-f]+):\t[0-9a-f ]+\t(\S+)(?:\t([^<#]*))?", line)
        if not match:
            continue
        name, registers = match[2], re.findall(r"\b[xf]\d+\b", match[3] or "")
        if name == "c.jalr":
            rd, reads = "x1", registers
        elif name in READS_ALL or name.startswith(("prefetch", "sfence", "fence")):
            rd, reads = None, registers
        else:
            rd, reads = next(iter(registers), None), registers if name in READS_RD else registers[1:]
        found[int(match[1], 16)] = (None if rd == "x0" else rd, {register for register in reads if register != "x0"})
    return found


def check_arrows(left, program):
    known, writers, count = operands(program), {}, 0
    for pc, _, stages, end, flushed, number, producers, _ in left:
        if flushed:
            continue
        rd, reads = known.get(pc, (None, set()))
        expected = {writers[register][0] for register in reads if register in writers and writers[register][1] >= stages["Q"]}
        # What the boot ROM has written is not in the program.
        assert pc not in known or producers == expected or len(writers) < 8, f"0x{pc:x}, {number}: arrows from {producers}, not {expected}"
        count += len(producers)
        if rd:
            writers[rd] = number, end
    assert count > 1000, f"{count} arrows"
    return count


def check_samples(left, samples):
    """A row of `tipoff samples` is its first trigger; further ones of it (repeats, stalled) are marks on the same instruction, in later cycles."""
    marks = {}
    for pc, _, _, _, _, _, _, sampled in left:
        for cycle, state in sampled:
            marks.setdefault(cycle, []).append((state, pc))
    count = 0
    for row in csv.DictReader(samples.splitlines()):
        addresses = [int(value, 16) for name, value in row.items() if name.startswith("addr") and value]
        if not addresses:
            continue  # the end: nobody's
        got = marks.pop(int(row["cycle"]), [])
        assert sorted(got) == sorted((row["state"], pc) for pc in addresses), f"cycle {row['cycle']}: {row['state']} {addresses}, marks {got}"
        later = int(row["repeats"]) + int(row["stalled"])
        for cycle in sorted(cycle for cycle in marks if cycle > int(row["cycle"]))[:later]:
            assert [pc for _, pc in marks.pop(cycle)] == addresses, f"cycle {cycle}: a further trigger of the sample of cycle {row['cycle']}"
        count += 1
    assert count > 100 and not marks, f"{count} samples; marks without a sample: {sorted(marks.items())[:5]}"
    return count


def check_places(log, program):
    """A label names the symbol and the distance from it: what nm has for them is the address. As many as there are instructions of the program."""
    symbols = {}
    for line in subprocess.run(["riscv64-unknown-elf-nm", program], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        value, _, name = line.split()
        symbols.setdefault(name, set()).add(int(value, 16))
    named = 0
    for line in log.read_text().splitlines():
        if not line.startswith("L\t") or "\t0\t" not in line:
            continue
        found = re.search(r"\t0\t([0-9a-f]+): .*  <([^+>]+)(?:\+0x([0-9a-f]+))?>$", line)
        pc = int(line.split("\t")[3].split(":")[0], 16) if re.match(r"L\t\d+\t0\t[0-9a-f]+:", line) else 0
        assert found or pc < 0x80000000, line
        assert not found or any(value + int(found[3] or "0", 16) == pc for value in symbols[found[2]]), line
        named += bool(found)
    assert named > 1000, f"{named} labels with a symbol"


def run(config, program, *options):
    subprocess.run([ROOT / "build/bin/tipoff", "run", "--config", config, "--quiet", *options, program], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)


def main():
    config, program = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        log, trace = pathlib.Path(folder) / "log", pathlib.Path(folder) / "trace"
        samples = pathlib.Path(folder) / "samples"
        run(config, program, "--kanata", log, "--trace", trace, "--trace-format", "csv", "--period", "97", "--samples", samples)
        left, expected = read(log), commits(trace)
        shown = [(end, pc) for pc, _, _, end, flushed, *_ in left if not flushed]
        assert (
            shown == expected
        ), f"{len(shown)} instructions leave, {len(expected)} commit; first difference {next(((a, b) for a, b in zip(shown, expected) if a != b), None)}"
        flushed = sum(1 for one in left if one[4])
        assert flushed > 100, f"only {flushed} are flushed"
        for pc, begin, stages, end, gone, *_ in left:
            assert stages["F"] == begin < stages["Q"] <= end, (hex(pc), begin, stages, end)
            assert gone or "C" in stages and stages["C"] < end, (hex(pc), begin, stages, end)
        check_places(log, program)
        arrows = check_arrows(left, program)
        listed = subprocess.run([ROOT / "build/bin/tipoff", "samples", samples], stdout=subprocess.PIPE, text=True, check=True).stdout
        marked = check_samples(left, listed)
        # A region of cycles: those that are dispatched in it, with the same story.
        first, last = expected[len(expected) // 2][0], expected[len(expected) // 2][0] + 200
        run(config, program, "--kanata", log, "--trace-from", str(first), "--trace-to", str(last))
        inside = [one for one in left if first <= one[2]["Q"] <= last]
        assert (
            sorted((one[:5] for one in read(log)), key=str) == sorted((one[:5] for one in inside), key=str) and inside
        ), "the region of cycles shows something else"
        # From a function on: nothing is dispatched before its first commit.
        symbols = subprocess.run(["riscv64-unknown-elf-nm", program], stdout=subprocess.PIPE, text=True, check=True).stdout
        main_pc = int(re.search(r"^(\w+) T main$", symbols, re.M)[1], 16)
        start = next(cycle for cycle, pc in expected if pc == main_pc)
        run(config, program, "--kanata", log, "--trace-from", "main")
        assert min(one[2]["Q"] for one in read(log)) >= start, "something is dispatched before main commits"
        print(f"{len(shown)} instructions leave, {flushed} are flushed, as in the trace; {arrows} arrows, {marked} samples")


if __name__ == "__main__":
    main()
