#!/usr/bin/python3
"""`tipoff bbv`: the vectors against an account of the trace, the same sums however a run is cut, SimPoint's form, several harts, and what is refused.

    tests/cli/test_bbv.py [--only TEXT]

Needs build/bin/tipoff and build/workloads/{interp.tiny,interp.small,syscalls.small}.elf.
"""
import collections
import csv
import io
import re
import subprocess
import sys

from cli import SMALL, TINY, assembled, check, main, refused, test, tipoff

# A jump or a branch (also compressed), and what else ends a block: system instructions, and writes of a CSR, which the trace shows.
JUMPS = {0x63, 0x67, 0x6F}
PAGE, DRAM = 4096, 0x80000000


def slices(*arguments, program=TINY):
    """Of each slice the instructions by block: (hart, mode, address)."""
    status, out, err = tipoff("bbv", "--format", "csv", *arguments, program)
    check(status == 0, f"bbv {arguments}: status {status}: {err}")
    found = collections.defaultdict(dict)
    for row in csv.DictReader(io.StringIO(out)):
        found[int(row["slice"])][int(row["hart"]), row["mode"], int(row["address"], 16)] = int(row["instructions"])
    return [found[number] for number in sorted(found)]


def whole(parts):
    total = collections.Counter()
    for part in parts:
        total.update(part)
    return total


def address_of(program, place):
    """By nm, of SYMBOL+0xBYTES."""
    name, offset = place.split("+")
    symbols = subprocess.run(["riscv64-unknown-elf-nm", program], capture_output=True, text=True, check=True).stdout
    return int(re.search(rf"^([0-9a-f]+) [A-Za-z] {re.escape(name)}$", symbols, re.M)[1], 16) + int(offset, 16)


def ends_block(insn, pc, csr):
    if insn & 3 == 3:
        size, ends = 4, insn & 0x7F in JUMPS or csr or (insn & 0x7F == 0x73 and insn >> 12 & 7 == 0)
    else:
        kind = (insn & 3, insn >> 13)
        size = 2
        ends = kind in ((1, 5), (1, 6), (1, 7)) or (kind == (2, 4) and insn >> 2 & 31 == 0 and insn >> 7 & 31 != 0) or insn == 0x9002
    after = pc + size
    return ends or after // PAGE != pc // PAGE


def from_trace(folder, program):
    """The blocks of a whole run by what each instruction is: no fact of the simulator's about blocks."""
    found, begin, trace = collections.Counter(), None, folder / "trace.txt"
    status, _, err = tipoff("iss", "--quiet", "--trace", trace, program)
    check(status == 0, err)
    for line in trace.read_text().splitlines():
        got = re.match(r"([MSU]) 0x([0-9a-f]{16}) 0x([0-9a-f]+)(.*)", line)
        if not got:  # a trap
            begin = None
            continue
        mode, pc, insn, rest = got[1], int(got[2], 16), int(got[3], 16), got[4]
        if begin is None or insn & 3 == 3 and pc % PAGE == PAGE - 2:
            begin = pc
        found[0, mode, begin] += 1
        address = re.search(r"(?:load|store)\d\[0x([0-9a-f]+)\]", rest)
        outside = address is not None and int(address[1], 16) < DRAM
        begin = None if ends_block(insn, pc, "csr[" in rest) or outside else begin
    return found


@test
def blocks_are_those_of_the_trace(folder):
    expected, got = from_trace(folder, TINY), whole(slices("--interval", 3000))
    check(sum(expected.values()) > 20000, "the trace has the run")
    wrong = {key: (got[key], expected[key]) for key in got | expected if got[key] != expected[key]}
    check(not wrong, f"blocks differ, bbv's and the trace's instructions: {dict(list(wrong.items())[:5])}")


@test
def slices_add_up(_folder):
    status, _, err = tipoff("iss", SMALL)
    total = int(re.search(r"([0-9,]+) instructions", err)[1].replace(",", ""))
    sums = whole(slices("--interval", 10**9, program=SMALL))
    check(status == 0 and sum(sums.values()) == total, f"{sum(sums.values())} of {total} instructions: {err}")
    for interval in (1, 777, 10000):
        parts = slices("--interval", interval, program=TINY if interval == 1 else SMALL)
        lengths = [sum(part.values()) for part in parts]
        check(all(length >= interval for length in lengths[:-1]), f"a slice of less than {interval} instructions")
        check(max(lengths) < interval + 2048, f"a slice of {max(lengths)} instructions: a block has at most 2,048 of them")
        check(interval == 1 or whole(parts) == sums, f"--interval {interval}: other sums")


@test
def simpoint_form(folder):
    path = folder / "v.bb"
    status, out, err = tipoff("bbv", "--interval", 5000, "--format", "simpoint", "--output", path, SMALL)
    check(status == 0 and out == "", f"status {status}: {err}")
    lines = path.read_text().splitlines()
    check(all(re.fullmatch(r"T(:[1-9][0-9]*:[1-9][0-9]* )+", line) for line in lines), lines[0][:80])
    parts = slices("--interval", 5000, program=SMALL)
    check(
        [sorted(int(count) for _, count in re.findall(r":(\d+):(\d+)", line)) for line in lines] == [sorted(part.values()) for part in parts],
        "CSV and SimPoint's form have the same numbers",
    )


@test
def text_is_for_people(_folder):
    status, out, err = tipoff("bbv", "--interval", 10000, SMALL)
    lines = out.splitlines()
    check(status == 0 and lines[0].split()[:3] == ["slice", "instructions", "blocks"], out)
    parts = slices("--interval", 10000, program=SMALL)
    shown = [line.split() for line in lines[1:]]
    for number, part in enumerate(parts):
        total = sum(part.values())
        expected = [str(number), str(total), str(len(part)), f"{100 * max(part.values()) / total:.1f}", "%"]
        check(shown[number][:5] == expected, f"{shown[number]}, not {expected}")
        place = shown[number][5]
        hottest = {pc for (_, _, pc), count in part.items() if count == max(part.values())}
        check(address_of(SMALL, place) in hottest, f"slice {number}: {place} is the hottest block")
    blocks = len({key for part in parts for key in part})
    check(err == f"tipoff: {len(parts)} slices, {sum(map(sum, (part.values() for part in parts)))} instructions, {blocks} blocks\n", err)


@test
def several_harts(folder):
    program = assembled(folder, "hart.S")
    found = whole(slices("--harts", 2, "--quantum", 64, "--interval", 100, program=program))
    loop = {hart: max(count for (of, _, _), count in found.items() if of == hart) for hart in (0, 1)}
    check(loop[0] == 99 * 2, f"hart 0 goes 99 times through the loop of 2 instructions as a block of its own, not {loop[0] / 2}")
    check(64 < loop[1] <= 99 * 2, f"hart 1 is on its way through it: {loop[1]} instructions, which turns do not cut into blocks")
    check({key[1:] for key in found if key[0] == 1} <= {key[1:] for key in found if key[0] == 0}, "hart 1 executes no block that hart 0 does not")
    refused(["bbv", "--quantum", 64, program], "--harts", lines=0)


@test
def goes_on_from_a_checkpoint(folder):
    saved = folder / "c.ckpt"
    status, _, err = tipoff("iss", "--quiet", "--at", 15000, "--checkpoint", saved, TINY)
    check(status == 0, err)
    rest = slices("--restore", saved, "--interval", 1000)
    check(sum(sum(part.values()) for part in rest) == sum(from_trace(folder, TINY).values()) - 15000, "what is left of the run")


@test
def slices_begin_where_a_checkpoint_can(folder):
    """Also behind traps, which are no instructions."""
    program, saved = SMALL.with_name("syscalls.small.elf"), folder / "s.ckpt"
    status, out, err = tipoff("bbv", "--format", "csv", "--interval", 7000, program)
    check(status == 0, err)
    rows = list(csv.DictReader(io.StringIO(out)))
    begin = {int(row["slice"]): int(row["begin"]) for row in rows}
    parts = slices("--interval", 7000, program=program)
    number = len(parts) // 2
    before = sum(sum(part.values()) for part in parts[:number])
    check(begin[number] > before, f"the program traps: {begin[number]} instructions and traps, {before} instructions")
    status, _, err = tipoff("iss", "--quiet", "--at", begin[number], "--checkpoint", saved, program)
    check(status == 0, err)
    check(slices("--interval", 7000, "--restore", saved, program=program) == parts[number:], f"from slice {number} on the same vectors")


@test
def bad_input(folder):
    refused(["bbv", "--interval", 0, TINY], "interval", lines=0)
    refused(["bbv", "--format", "bb", TINY], "text", "simpoint", "csv", lines=0)
    refused(["bbv"], "name a program", lines=0)
    refused(["bbv", folder / "none.elf"], "none.elf")
    copy = folder / "program.elf"
    copy.write_bytes(TINY.read_bytes())
    refused(["bbv", "--output", copy, copy], "--output")
    check(copy.read_bytes() == TINY.read_bytes(), "the program is as it was")
    status, _, err = tipoff("bbv", "--max-insns", 5000, "--interval", 1000, TINY)
    check(status == 124 and "5 slices" in err, f"status {status}: {err}")


if __name__ == "__main__":
    sys.exit(main())
