"""Floating-point half of the ISA tests: a program for every row of F and D, and one for fcsr and mstatus.FS.

Each program first sees that its instruction is illegal while FS is Off. On a core without F and D (see misa) that
is all it can do. Results and flags come from isa_fp_model.py; `other` values of the NaN box rules are written out.
"""
import itertools

import isa_fp_model as model

ONES = 0xFFFFFFFF00000000
NUMBERS = {"a0": 10, "a2": 12, "fa0": 10, "fa4": 14}
MODES = ["rne", "rtz", "rdn", "rup", "rmm"]
CORNERS = {
    "s": [
        0x00000000,
        0x80000000,
        0x00000001,
        0x807FFFFF,
        0x00800000,
        0x3F800000,
        0xBF800001,
        0x3F000000,
        0x40490FDB,
        0x4B7FFFFF,
        0xCF000000,
        0x5F7FFFFF,
        0x7F7FFFFF,
        0xFF7FFFFF,
        0x7F800000,
        0xFF800000,
        0x7FC00000,
        0xFFC12345,
        0x7F800001,
        0x33800000,
        0xBEFFFFFF,
    ],
    "d": [
        0x0000000000000000,
        0x8000000000000000,
        0x0000000000000001,
        0x800FFFFFFFFFFFFF,
        0x0010000000000000,
        0x3FF0000000000000,
        0xBFF0000000000001,
        0x3FE0000000000000,
        0x400921FB54442D18,
        0x433FFFFFFFFFFFFF,
        0xC3E0000000000000,
        0x41DFFFFFFFC00000,
        0x43EFFFFFFFFFFFFF,
        0x7FEFFFFFFFFFFFFF,
        0xFFEFFFFFFFFFFFFF,
        0x7FF0000000000000,
        0xFFF0000000000000,
        0x7FF8000000000000,
        0xFFF8000000012345,
        0x7FF0000000000001,
        0x3CA0000000000000,
        0x36A0000000000000,
        0x47EFFFFFF0000000,
        0xB80FFFFFFFFFFFFF,
    ],
}
INTEGERS = [
    0,
    1,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    0x1000001,
    0x1000003,
    0x20000000000001,
    0x20000000000003,
    0x7FFFFFFFFFFFFFFF,
    0x8000000000000000,
    0x8000000000000401,
    0xFFFFFFFFFFFFFFFF,
    0xFFFFFFFFFFFFFBFF,
    0x8000004000000001,
    0x00FFFFFF80000000,
    0xFFFFFF7FFFFFFFFF,
    0xFFFFFFFFFEFFFFFF,
]


def boxed(form, bits):
    return bits | ONES if form == "s" else bits


def result_of(name, a, b, c, x, mode):
    """(what the destination holds, flags) of the instruction; a, b, c: encodings, x: an integer register."""
    stem, *rest = name.split(".")
    form = rest[0]
    if stem == "fcvt":
        to, source = rest
        if to in model.INTEGERS:
            return model.to_integer(source, to, a, mode)
        bits, flags = model.from_integer(to, source, x, mode) if source in model.INTEGERS else model.convert(to, source, a, mode)
        return boxed(to, bits), flags
    if stem in ("feq", "flt", "fle"):
        return model.compare(form, stem, a, b)
    if stem == "fclass":
        return model.classify(form, a), 0
    if stem in ("fmadd", "fmsub", "fnmsub", "fnmadd"):
        if stem in ("fnmsub", "fnmadd"):
            a = model.flip(form, a)
        bits, flags = model.fma(form, a, b, model.flip(form, c) if stem in ("fmsub", "fnmadd") else c, mode)
    elif stem.startswith("fsgnj"):
        bits, flags = model.inject(form, stem, a, b)
    elif stem in ("fmin", "fmax"):
        bits, flags = model.extreme(form, stem, a, b)
    elif stem == "fsqrt":
        bits, flags = model.sqrt(form, a, mode)
    else:
        bits, flags = (
            model.add(form, a, model.flip(form, b), mode)
            if stem == "fsub"
            else {"fadd": model.add, "fmul": model.mul, "fdiv": model.div}[stem](form, a, b, mode)
        )
    return boxed(form, bits), flags


def begin(p, text):
    """FS is Off at reset. Without F nothing can follow."""
    p.lines += [".option arch, +d"]
    p.expect_trap(2, "insn", ["la a0, fp_cell"], text)
    p.data += [".balign 8", "fp_cell: .dword 0"]
    p.lines += ["csrr a0, misa", "andi a0, a0, 0x20", "beqz a0, pass", "li a0, 0x2000", "csrs mstatus, a0"]


def operands(row):
    """Lists of (a, b, c, x): what the registers hold, out of their boxes."""
    form, name = row["format"], row["name"]
    source = name.split(".")[-1]
    if form == "X1F":
        return [(0, 0, 0, x) for x in INTEGERS]
    corners = CORNERS[source]
    if form in ("F1", "F1X"):
        more = (
            [(i << 52 | 0x8000000000001) & (1 << 64) - 1 for i in range(0x3FD, 0x443, 3)]
            if source == "d"
            else [i << 23 | 0x400001 for i in range(0x7C, 0xC0, 3)]
        )
        return [(a, 0, 0, 0) for a in [*corners, *more, *(model.flip(source, m) for m in more)]]
    if form == "FR4":
        return [(a, b, c, 0) for a, b, c in itertools.product(corners, repeat=3)][:: 53 if source == "s" else 83]
    return [(a, b, 0, 0) for a, b in itertools.product(corners, repeat=2)]


def instruction(row, registers, mode):
    """registers: of rd, rs1, ...; mode: a name, or '' for the dynamic one and for instructions without one."""
    count = {"FR4": 4, "FR": 3, "FRX": 3}.get(row["format"], 2)
    if row["name"] in ("fcvt.d.w", "fcvt.d.wu", "fcvt.d.s"):  # exact: the assembler knows no mode, the instruction has one
        number = MODES.index(mode) if mode in MODES else 7
        return f".word 0x{int(row['match'], 0) | number << 12 | NUMBERS[registers[0]] << 7 | NUMBERS[registers[1]] << 15:x}"
    return f"{row['name']} " + ", ".join(registers[:count]) + (f", {mode}" if mode else "")


def compute(p, row):
    name, form = row["name"], row["format"]
    source = name.split(".")[-1]
    source = source if source in model.WIDTH else "d"
    to_x, from_x = form in ("FRX", "F1X"), form == "X1F"
    rounds = not int(row["mask"], 0) & 0x7000
    registers = ["a2" if to_x else "fa4", "a0" if from_x else "fa0", "fa1", "fa2"]
    begin(p, instruction(row, registers, ""))
    tuples = operands(row)
    load = ["fld fa0, 0(s1)", "fld fa1, 8(s1)", "fld fa2, 16(s1)", "ld a0, 24(s1)", "ld a3, 32(s1)", "ld a4, 40(s1)"]
    check = ([] if to_x else ["fmv.x.d a2, fa4"]) + ["bne a2, a3, fail", "csrr a2, fflags", "bne a2, a4, fail"]
    for mode in range(5 if rounds else 1):
        chosen = tuples if mode == 0 else tuples[mode::2]
        records = [(*(boxed(source, n) for n in t[:3]), t[3], *result_of(name, *t, mode)) for t in chosen]
        p.table(records, load + ["csrwi fflags, 0", instruction(row, registers, MODES[mode] if rounds else "")] + check)
        if rounds:
            p.table(
                records[::3],
                [f"csrwi fcsr, {mode} << 5" if mode == 0 else f"li a2, {mode << 5}; csrw fcsr, a2", *load, instruction(row, registers, "")] + check,
            )
    # Flags only accumulate, and a destination may be a source.
    records = [(*(boxed(source, n) for n in t[:3]), t[3], *result_of(name, *t, 0)) for t in tuples[::5]]
    static = "rne" if rounds else ""
    p.table(records, load + ["csrwi fflags, 0x1f", instruction(row, registers, static), "li a4, 0x1f"] + check)
    if not to_x and not from_x:
        p.table(records, load + ["csrwi fflags, 0", instruction(row, ["fa0", *registers[1:]], static), "fmv.d fa4, fa0"] + check)
    if source == "s" and not from_x:  # what is not in a box is the canonical NaN
        nan = 0x7FC00000
        for value in (0x3F800000, 0xFFFFFFFE3F800000, 0x7FFFFFFF3F800000):
            expected = result_of(name, nan, 0x40000000, 0x40400000, 0, 0)
            p.table([(value, ONES | 0x40000000, ONES | 0x40400000, 0, *expected)], load + ["csrwi fflags, 0", instruction(row, registers, static)] + check)
    if rounds:
        bad_modes(p, row, registers)


def bad_modes(p, row, registers):
    word = int(row["match"], 0)
    for mode in (5, 6):
        p.expect_trap(2, "insn", [], f".word 0x{word | mode << 12:x}")
    for mode in (5, 6, 7):
        p.expect_trap(2, "insn", [f"csrwi frm, {mode}"], instruction(row, registers, "dyn"))
    p.lines += ["csrwi frm, 0"]


def move(p, row):
    name = row["name"]
    to_x = row["format"] == "F1X"
    begin(p, f"{name} a2, fa0" if to_x else f"{name} fa0, a2")
    for value in (0, 0x3F800000, 0xFFFFFFFFBF800000, 0x123456789ABCDEF0, 0x7FF0000000000001, 0x00000000FFFFFFFF, 0xFFFFFFFF7F800001):
        if to_x:
            low = value & 0xFFFFFFFF
            expected = value if name.endswith(".d") else low | (ONES if low >> 31 else 0)
            p.check("a2", expected, ["la a0, fp_cell", f"li a1, 0x{value:x}", "sd a1, 0(a0)", "fld fa0, 0(a0)", f"{name} a2, fa0"])
        else:
            expected = value if name == "fmv.d.x" else value & 0xFFFFFFFF | ONES
            p.check("a2", expected, ["la a0, fp_cell", f"li a1, 0x{value:x}", f"{name} fa0, a1", "fsd fa0, 0(a0)", "ld a2, 0(a0)"])
    p.check("a2", 0, ["csrr a2, fflags"])


def memory(p, row):
    name, size = row["name"], 4 if row["name"].endswith("w") else 8
    is_load = row["unit"] == "load"
    begin(p, f"{name} fa0, 0(a0)")
    value = 0x8192A3B4C5D6E7F8
    p.data += [".balign 16", f"fp_area: .dword 0x{value:x}, 0x{value ^ model.MASK:x}, 0x{value >> 8:x}"]
    words = [value, value ^ model.MASK, value >> 8]
    raw = b"".join(w.to_bytes(8, "little") for w in words)
    for offset, distance in itertools.product(range(0, 24, size), (0, -2048, 2040)):
        pointer = [f"la a0, fp_area + {offset} - ({distance})"]
        if is_load:
            loaded = int.from_bytes(raw[offset : offset + size], "little")
            p.check("a2", loaded | ONES if size == 4 else loaded, [*pointer, f"{name} fa3, {distance}(a0)", "fmv.x.d a2, fa3"])
        else:
            after = bytearray(24)
            after[offset : offset + size] = value.to_bytes(8, "little")[:size]
            p.lines += [
                "la a3, fp_area",
                *(f"sd x0, {i}(a3)" for i in (0, 8, 16)),
                f"li a1, 0x{value:x}",
                "fmv.d.x fa3, a1",
                *pointer,
                f"{name} fa3, {distance}(a0)",
            ]
            for i in (0, 8, 16):
                p.check("a2", int.from_bytes(after[i : i + 8], "little"), [f"ld a2, {i}(a3)"])
    for offset in range(1, size):
        p.expect_trap(4 if is_load else 6, "a0", [f"la a0, fp_area + {offset}"], f"{name} fa0, 0(a0)")
    for address in (0x20000, 0x90000000, -8):
        p.expect_trap(5 if is_load else 7, "a0", [f"li a0, {address}"], f"{name} fa0, 0(a0)")
    if size == 8:  # compressed: f8 to f15 by any of x8 to x15, any by sp
        p.lines += [".option push", ".option rvc", "la a0, fp_area", "mv a5, sp", "la sp, fp_area", f"li a1, 0x{value:x}"]
        p.data += [".balign 8", ".zero 512"]
        if is_load:
            p.check("a2", value, ["sd a1, 16(a0)", "c.fld fa0, 16(a0)", "fmv.x.d a2, fa0"])
            p.check("a2", value, ["sd a1, 248(a0)", "c.fld fs0, 248(a0)", "fmv.x.d a2, fs0"])
            p.check("a2", value, ["sd a1, 504(sp)", "c.fldsp ft11, 504(sp)", "fmv.x.d a2, ft11"])
        else:
            p.check("a2", value, ["fmv.d.x fa0, a1", "c.fsd fa0, 16(a0)", "ld a2, 16(a0)"])
            p.check("a2", value, ["fmv.d.x fs0, a1", "c.fsd fs0, 248(a0)", "ld a2, 248(a0)"])
            p.check("a2", value, ["fmv.d.x ft11, a1", "c.fsdsp ft11, 504(sp)", "ld a2, 504(sp)"])
        p.lines += ["mv sp, a5", ".option pop"]


def state(p):
    """fcsr and its parts, mstatus.FS and SD."""
    begin(p, "csrrs a1, fcsr, x0")
    fs = ["csrr a2, mstatus", "srli a3, a2, 63", "srli a2, a2, 13", "andi a2, a2, 3", "slli a3, a3, 4", "or a2, a2, a3"]  # SD in bit 4
    clean = ["li a0, 0x6000", "csrc mstatus, a0", "li a0, 0x4000", "csrs mstatus, a0"]
    p.check("a2", 2, [*clean, *fs])
    p.check("a2", 2, [*clean, "csrr a0, fcsr", "fmv.x.d a0, fa0", *fs])
    for text in (
        "csrwi frm, 0",
        "csrwi fflags, 0",
        "csrwi fcsr, 0",
        "fmv.d.x fa0, x0",
        "fadd.d fa0, fa0, fa0",
        "fld fa0, 0(a1)",
        "flw fa0, 0(a1)",
        "fsgnj.s fa0, fa1, fa2",
    ):
        p.check("a2", 0x13, ["la a1, fp_cell", *clean, text, *fs])
    # A flag makes it dirty, although the destination is an integer register; and the same flag once more does.
    p.lines += ["csrwi fcsr, 0", "li a1, 0x3fe0000000000000", "fmv.d.x fa0, a1"]
    for _ in range(2):
        p.check("a2", 0x13, [*clean, "fcvt.w.d a1, fa0, rtz", *fs])
    p.check("a2", 1, ["csrr a2, fflags"])
    p.check("a2", 2, [*clean, "feq.d a1, fa0, fa0", *fs])
    for value in (0xFF, 0, 0xAA, 0x155, -1, 0):
        p.check("a2", value & 0xFF, [f"li a1, {value}", "csrw fcsr, a1", "csrr a2, fcsr"])
        p.check("a2", value >> 5 & 7, ["csrr a2, frm"])
        p.check("a2", value & 0x1F, ["csrr a2, fflags"])
        p.check("a2", (value & 7) << 5 | 0x15, ["csrwi fflags, 0x15", f"li a1, {value}", "csrw frm, a1", "csrr a2, fcsr"])
    p.check("a2", 0x1F, ["csrwi fcsr, 0", "csrrsi a0, fflags, 0x1f", "csrrci a0, frm, 7", "csrr a2, fcsr"])
    p.check("a2", 0x15, ["li a1, 0xa", "csrrc a0, fcsr, a1", "csrr a2, fcsr"])
    p.user_check("a2", 0x15, ["csrr a2, fcsr"])
    p.user_check("a2", 3, ["csrwi fflags, 3", "csrr a2, fflags"])
    for name in ("fflags", "frm", "fcsr"):
        p.expect_trap(2, "insn", ["li a0, 0x6000", "csrc mstatus, a0"], f"csrrs a1, {name}, x0")
        p.expect_trap(2, "insn", [], f"csrrwi a1, {name}, 3")
    p.check("a2", 3, ["li a0, 0x2000", "csrs mstatus, a0", "csrr a2, fcsr"])


def write_row(p, row):
    if row["unit"] in ("load", "store"):
        memory(p, row)
    elif row["name"].startswith("fmv"):
        move(p, row)
    else:
        compute(p, row)
