#!/usr/bin/env python3
"""ISA tests: one self-checking program for every row of tables/instructions.tsv, and some for what belongs to no row.

    tests/isa/gen_isa.py --list           names of the programs
    tests/isa/gen_isa.py NAME             assembly of one on stdout
    tests/isa/gen_isa.py --all FOLDER     assembly of all, FOLDER/NAME.S; a file that is like that already is left alone

A program writes 1 to tohost if all is well, else (number of the failing check, at most 255) << 1 | 1. Expected values
come from isa_model.py or are written out here. A row that nothing here knows how to test is an error: its program cannot be made.
"""
import csv
import itertools
import pathlib
import sys

import isa_bus
import isa_ctr
import isa_fp
import isa_model as model
import isa_pmp
import isa_priv
import isa_system
import isa_vm
import isa_vm_ad
import isa_vm_asid
import isa_vm_more
import isa_window

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CORNERS = [
    0,
    1,
    2,
    7,
    0x1F,
    0x20,
    0x3F,
    0x40,
    0x7FF,
    0x800,
    0x7FFFFFFF,
    0x80000000,
    0x80000001,
    0xFFFFFFFF,
    0x100000000,
    0x123456789ABCDEF0,
    0x7FFFFFFFFFFFFFFF,
    0x8000000000000000,
    0x8000000000000001,
    0xFFFFFFFF7FFFFFFF,
    0xFFFFFFFF80000000,
    0xFFFFFFFFFFFFFFFE,
    0xFFFFFFFFFFFFFFFF,
]
IMMEDIATES = [0, 1, 2, 0x555, 2047, -1, -2, -0x556, -2047, -2048]
PATTERN = bytes([0x81, 0x02, 0x7F, 0xFE, 0x55, 0xAA, 0x80, 0x7F, 0x10, 0xF0, 0xC3, 0x3C, 0xFF, 0x00, 0x01, 0x80])
SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}


def rows():
    lines = [line for line in (ROOT / "tables" / "instructions.tsv").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def dwords(values):
    return ".dword " + ", ".join(f"0x{v & model.M64:x}" for v in values)


class Program(isa_system.Checks):
    """Lines of text and of data. Register use: s0 number of the check, s1 table pointer, s2.. see Checks."""

    def table(self, records, body):
        """Runs body for every record; s1 points at it."""
        start, end, loop = self.label("table"), self.label("end"), self.label("loop")
        self.data += [".balign 8", f"{start}:", *map(dwords, records), f"{end}:"]
        size = 8 * len(records[0])
        self.lines += [f"la s1, {start}", f"{loop}:", "addi s0, s0, 1", *body, f"addi s1, s1, {size}", f"la t6, {end}", f"bltu s1, t6, {loop}"]

    # ---- by unit and format ----
    def register_register(self, name):
        pairs = list(itertools.product(CORNERS, CORNERS))
        self.table(
            [(a, b, model.compute(name, a, b)) for a, b in pairs], ["ld a0, 0(s1)", "ld a1, 8(s1)", "ld a3, 16(s1)", f"{name} a2, a0, a1", "bne a2, a3, fail"]
        )
        same = [(a, model.compute(name, a, a)) for a in CORNERS]
        self.table(same, ["ld a0, 0(s1)", "ld a3, 8(s1)", f"{name} a2, a0, a0", "bne a2, a3, fail", f"{name} a0, a0, a0", "bne a0, a3, fail"])
        for lines in ([f"{name} a0, a0, a1", "bne a0, a3, fail"], [f"{name} a1, a0, a1", "bne a1, a3, fail"], [f"{name} x0, a0, a1", "bnez x0, fail"]):
            self.table([(a, b, model.compute(name, a, b)) for a, b in pairs[::37]], ["ld a0, 0(s1)", "ld a1, 8(s1)", "ld a3, 16(s1)", *lines])
        self.table(
            [(a, model.compute(name, a, 0), model.compute(name, 0, a)) for a in CORNERS],
            ["ld a0, 0(s1)", "ld a3, 8(s1)", "ld a4, 16(s1)", f"{name} a2, a0, x0", "bne a2, a3, fail", f"{name} a2, x0, a0", "bne a2, a4, fail"],
        )

    def register_immediate(self, name, immediates=None):
        for imm in immediates or IMMEDIATES:
            self.table(
                [(a, model.compute(name, a, imm)) for a in CORNERS],
                [
                    "ld a0, 0(s1)",
                    "ld a3, 8(s1)",
                    f"{name} a2, a0, {imm}",
                    "bne a2, a3, fail",
                    f"{name} a0, a0, {imm}",
                    "bne a0, a3, fail",
                    f"{name} x0, a3, {imm}",
                    "bnez x0, fail",
                ],
            )
            self.check("a2", model.compute(name, 0, imm), [f"{name} a2, x0, {imm}"])

    def upper(self, name):
        for imm in (0, 1, 0x7FFFF, 0x80000, 0xABCDE, 0xFFFFF):
            value = model.s(imm << 12, 32)
            if name == "lui":
                self.check("a2", value, [f"lui a2, 0x{imm:x}", "lui x0, 1"])
            else:
                self.lines += ["addi s0, s0, 1", f"1: auipc a2, 0x{imm:x}", "la a3, 1b", f"li a4, {value}", "add a3, a3, a4", "bne a2, a3, fail"]

    def branch(self, name):
        for a, b in (("a0", "a1"), ("a1", "a0")):
            pairs = [(x, y, int(model.TAKEN[name](*((x, y) if a == "a0" else (y, x))))) for x, y in itertools.product(CORNERS, CORNERS)]
            self.table(pairs, ["ld a0, 0(s1)", "ld a1, 8(s1)", "ld a3, 16(s1)", "li a2, 1", f"{name} {a}, {b}, 1f", "li a2, 0", "1: bne a2, a3, fail"])
        same = int(model.TAKEN[name](5, 5))
        self.check("a2", same, ["li a0, 5", "li a2, 1", f"{name} a0, a0, 1f", "li a2, 0", "1:"])
        less, more = (5, 5) if name in ("beq", "bge", "bgeu") else (3, 5)
        self.far_jumps([f"li a0, {less}", f"li a1, {more}"], f"{name} a0, a1, ", 4000)

    def far_jumps(self, before, jump, distance):
        """Forward over the distance, and back."""
        forward, back, done = self.label("forward"), self.label("back"), self.label("done")
        self.lines += [
            "addi s0, s0, 1",
            *before,
            ".option push",
            ".option norvc",
            "li a2, 0",
            "j 1f",
            f"{back}: ori a2, a2, 2",
            f"j {done}",
            "1:",
            f"{jump}{forward}",
            "j fail",
            f".zero {distance - 100}",
            f"{forward}: ori a2, a2, 1",
            f"{jump}{back}",
            "j fail",
            f"{done}:",
            "li a3, 3",
            "bne a2, a3, fail",
            ".option pop",
        ]

    def jal(self, name):
        self.far_jumps([], f"{name} x0, ", 60000)
        self.lines += ["addi s0, s0, 1", f"{name} a0, 2f", "1: j fail", "2: la a1, 1b", "bne a0, a1, fail"]
        self.lines += ["addi s0, s0, 1", ".option push", ".option norvc", f"{name} ra, 2f", "1: j fail", "2: la a1, 1b", "bne ra, a1, fail", ".option pop"]

    def jalr(self, name):
        for offset, odd in ((0, 0), (0, 1), (4, 0), (-4, 0), (2047, 1), (-2048, 0)):
            self.lines += [
                "addi s0, s0, 1",
                "la a0, 2f",
                f"addi a0, a0, {odd}",
                f"li a2, {offset}",
                "sub a0, a0, a2",
                ".option push",
                ".option norvc",
                f"{name} a1, {offset}(a0)",
                "1: j fail",
                ".option pop",
                "2: la a3, 1b",
                "bne a1, a3, fail",
            ]
        self.lines += ["addi s0, s0, 1", "la a0, 2f", f"{name} a0, 0(a0)", "1: j fail", "2: la a3, 1b", "bne a0, a3, fail"]
        self.lines += ["addi s0, s0, 1", "la a0, 2f", f"{name} x0, 0(a0)", "j fail", "2:"]

    def load(self, name):
        size = SIZES[name[1]]
        self.data += [".balign 16", "pattern:", ".byte " + ", ".join(map(str, PATTERN))]
        for offset in range(0, 17 - size, size):
            expected = model.load(name, PATTERN[offset : offset + size])
            self.check("a2", expected, ["la a0, pattern", f"{name} a2, {offset}(a0)"])
            self.check("a0", expected, [f"la a0, pattern + {offset}", f"{name} a0, 0(a0)"])
            for distance in (-2048, 2040, -8):
                self.check("a2", expected, [f"la a0, pattern + {offset} - ({distance})", f"{name} a2, {distance}(a0)"])
        self.lines += ["la a0, pattern", f"{name} x0, 0(a0)", "bnez x0, fail"]
        self.bad_accesses(name, size, misaligned=4, fault=5)

    def store(self, name):
        size = SIZES[name[1]]
        self.data += [".balign 8", "canvas:", dwords([0, 0, 0])]
        value, blank = 0x8192A3B4C5D6E7F8, bytes(range(0x11, 0x11 + 24))
        for offset, distance in itertools.product(range(0, 25 - size, size), (0, -2048, 2040)):
            after = bytearray(blank)
            after[offset : offset + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
            words = [int.from_bytes(blank[i : i + 8], "little") for i in (0, 8, 16)]
            self.lines += ["la a0, canvas", *(line for i, v in enumerate(words) for line in (f"li a1, 0x{v:x}", f"sd a1, {8 * i}(a0)"))]
            self.lines += [f"li a1, 0x{value:x}", f"la a3, canvas + {offset} - ({distance})", f"{name} a1, {distance}(a3)"]
            for i in (0, 8, 16):
                self.check("a2", int.from_bytes(after[i : i + 8], "little"), [f"ld a2, {i}(a0)"])
        self.lines += ["la a0, canvas + 8", f"{name} x0, 0(a0)"]
        self.check("a2", 0, [f"{'l' + name[1:]} a2, 0(a0)"])
        self.bad_accesses(name, size, misaligned=6, fault=7)

    def prefetch(self, name):
        """Nothing but time: registers, memory and traps are as if it were a nop, whatever is at the address."""
        selector = {"i": 0, "r": 1, "w": 3}[name[-1]]
        self.data += [".balign 64", "line:", dwords(range(1, 9))]
        for distance in (-2048, -32, 0, 32, 2016):
            hint = f"ori x0, a0, {distance | selector}"
            self.check("a2", 3, [f"la a0, line - ({distance})", hint, "ld a2, line + 16"])
            self.check("a2", 0x77, [f"la a0, line - ({distance})", "la a3, line", "li a1, 0x77", "sd a1, 40(a3)", hint, "ld a2, 40(a3)"])
            self.check("a2", 0x78, [f"la a0, line - ({distance})", "la a3, line", hint, "li a1, 0x78", "sd a1, 40(a3)", "ld a2, 40(a3)"])
        for address in (1, 0x1000, 0x20000, 0x2000000, 0x10000000, 0x7FFEFFF8, 0x90000000, -8):
            self.check("a0", address % (1 << 64), [f"li a0, {address}", f"ori x0, a0, {selector}"])

    def bad_accesses(self, name, size, misaligned, fault):
        self.data += [".balign 8", "somewhere:", dwords([0, 0])]
        for offset in range(1, size):
            self.expect_trap(misaligned, "a0", [f"la a0, somewhere + {offset}"], f"{name} a1, 0(a0)")
            self.expect_trap(misaligned, "a0", [f"li a0, 0x20000 + {offset}"], f"{name} a1, 0(a0)")  # before the access fault
        for address in (0x20000, 0x7FFEFFF8, 0x90000000, -8):
            self.expect_trap(fault, "a0", [f"li a0, {address}"], f"{name} a1, 0(a0)")

    def amo(self, row):
        name, width = row["name"].split(".")
        bits = 32 if width == "w" else 64
        size = bits // 8
        self.data += [".balign 8", "cell:", dwords([0])]
        if name in ("lr", "sc"):
            isa_system.load_reserved(self, width)
        else:
            records = []
            for memory, register in itertools.product(CORNERS, CORNERS):
                new = memory & ~((1 << bits) - 1) | model.amo(name, memory, register, bits)
                records.append((memory, register, model.s(memory, bits), new))
            order = ("", ".aq", ".rl", ".aqrl")
            for i, suffix in enumerate(order):
                self.table(
                    records if i == 0 else records[i::23],
                    [
                        "la a0, cell",
                        "ld a1, 0(s1)",
                        "sd a1, 0(a0)",
                        "ld a1, 8(s1)",
                        f"{name}.{width}{suffix} a2, a1, (a0)",
                        "ld a3, 16(s1)",
                        "bne a2, a3, fail",
                        "ld a2, 0(a0)",
                        "ld a3, 24(s1)",
                        "bne a2, a3, fail",
                    ],
                )
            self.table(
                records[::31],
                [
                    "la a0, cell",
                    "ld a1, 0(s1)",
                    "sd a1, 0(a0)",
                    "ld a1, 8(s1)",
                    f"{name}.{width} x0, a1, (a0)",
                    "ld a2, 0(a0)",
                    "ld a3, 24(s1)",
                    "bne a2, a3, fail",
                ],
            )
            self.table(
                records[::31],
                ["la a0, cell", "ld a1, 0(s1)", "sd a1, 0(a0)", "ld a1, 8(s1)", f"{name}.{width} a1, a1, (a0)", "ld a3, 16(s1)", "bne a1, a3, fail"],
            )
        text = f"{name}.{width} a1, (a0)" if name == "lr" else f"{name}.{width} a1, a2, (a0)"
        for offset in range(1, size):
            self.expect_trap(4 if name == "lr" else 6, "a0", [f"la a0, cell + {offset}"], text)
        for address in (0x20000, 0x2000000, 0x10000000, -8):
            self.expect_trap(5 if name == "lr" else 7, "a0", [f"li a0, {address}"], text)


def write_row(program, row):
    unit, form, name = row["unit"], row["format"], row["name"]
    if row["ext"] == "Zicbop":
        program.prefetch(name)
    elif row["ext"] in ("F", "D"):
        isa_fp.write_row(program, row)
    elif unit in ("alu", "mul", "div") and form == "R":
        program.register_register(name)
    elif unit == "alu" and form == "I":
        program.register_immediate(name)
    elif unit == "alu" and form in ("SH5", "SH6"):
        program.register_immediate(name, [0, 1, 15, 30, 31] + ([32, 33, 47, 62, 63] if form == "SH6" else []))
    elif unit == "alu" and form == "U":
        program.upper(name)
    elif unit in ("branch", "jal", "jalr", "load", "store"):
        getattr(program, unit)(name)
    elif unit == "amo":
        program.amo(row)
    elif name in isa_system.SYSTEM:
        isa_system.SYSTEM[name](program)
    else:
        raise SystemExit(f"gen_isa.py: no test for '{name}' (unit {unit}, format {form}): write one")


def programs():
    """name: function that makes it"""
    result = {row["name"].replace(".", "_"): lambda p, row=row: write_row(p, row) for row in rows()}
    result.update(isa_system.EXTRA)
    for module in (isa_vm, isa_vm_more, isa_vm_ad, isa_vm_asid, isa_priv, isa_pmp, isa_bus, isa_window, isa_ctr):
        result.update(module.PROGRAMS)
    result["fp_state"] = isa_fp.state
    return result


def assembly(name, known):
    """The text of a program. known: the existing ones."""
    if name not in known:
        raise SystemExit(f"gen_isa.py: no program '{name}': see --list")
    program = Program()
    known[name](program)
    if program.is_empty():
        raise SystemExit(f"gen_isa.py: the program '{name}' checks nothing")
    return program.text(name) + "\n"


def write_all(folder, known):
    folder.mkdir(parents=True, exist_ok=True)
    for name in known:
        path, text = folder / f"{name}.S", assembly(name, known)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def main():
    known, words = programs(), sys.argv[1:]
    if words == ["--list"]:  # each start of make asks for it: nothing is made here
        print("\n".join(known))
    elif len(words) == 2 and words[0] == "--all":
        write_all(pathlib.Path(words[1]), known)
    elif len(words) == 1:
        print(assembly(words[0], known), end="")
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
