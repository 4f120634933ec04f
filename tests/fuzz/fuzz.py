#!/usr/bin/env python3
"""Random programs for lockstep and for the comparison with QEMU: assembly on stdout, the same for the same seed.

    tests/fuzz/fuzz.py --seed N [--length ITEMS] [--with CLASS,...] [--without CLASS,...] [--fp] [--vm] [--pmu] [--ctr] [--triggers] [--qemu]

A program is a random sequence of items (straight code, loops with a bounded trip count, calls, switches, excursions to
user mode ...) that always ends by writing 1 to tohost. Its trap handler skips the instruction that raised an exception,
and serves and re-arms interrupts: of the timer, software, the UART by the PLIC, and with --pmu of counters. At its end it
reads memory back. --qemu leaves out what QEMU's machine does otherwise: interrupts, counters, misaligned accesses (QEMU
makes them), faulting atomics, CSRs with other masks, wfi, random bits of mstatus.

Registers that random code only reads: sp, gp, tp (pointers into the buffer), x1 and x5 (links), x26 and x27 (loops).
"""
import argparse
import csv
import pathlib
import random
import sys

from handlers import ECALL_TO_MACHINE, MEDDLE, MSIP, MTIME, MTIMECMP, SCRATCH, finish, trap
from system_items import SystemItems

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FP_CLASSES = ["fp", "fpvalue", "fpmemory", "fpcsr", "fpoff"]  # only with --fp
CLASSES = [
    "alu",
    "muldiv",
    "memory",
    "alias",
    "far",
    "branch",
    "loop",
    "call",
    "switch",
    "amo",
    "lrsc",
    "csr",
    "fence",
    "smc",
    "illegal",
    "ecall",
    "hint",
    "fault",
    "misaligned",
    "user",
    "counters",
    "interrupt",
    "wfi",
    "external",
    "mtvec",
    "mscratch",
    "status",
    "smcloop",
]
PMU_CLASSES = ["pmu"]  # only with --pmu
CTR_CLASSES = ["ctr"]  # only with --ctr
TRIGGER_CLASSES = ["trigger"]  # only with --triggers
NOT_QEMU = {"misaligned", "counters", "interrupt", "wfi", "external", "status", "pmu", "ctr", "trigger", "amofault", "csrmask"}
DESTINATIONS = [0, 6, 7, *range(8, 26), 28, 29, 30, 31]
BUFFER_BYTES = 1 << 17
CORNERS = [
    0,
    1,
    2,
    3,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0x8000,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    0x100000000,
    0x7FFFFFFFFFFFFFFF,
    0x8000000000000000,
    0xFFFFFFFF80000000,
    0xFFFFFFFFFFFFFFFE,
    0xFFFFFFFFFFFFFFFF,
    0x5555555555555555,
    0xAAAAAAAAAAAAAAAA,
]
FP_CORNERS = [
    0x0000000000000000,
    0x8000000000000000,
    0x0000000000000001,
    0x800FFFFFFFFFFFFF,
    0x0010000000000000,
    0x3FF0000000000000,
    0xBFEFFFFFFFFFFFFF,
    0x4000000000000000,
    0x3FE0000000000000,
    0x41DFFFFFFFC00000,
    0xC1E0000000000000,
    0x43E0000000000000,
    0x43F0000000000000,
    0x7FEFFFFFFFFFFFFF,
    0x7FF0000000000000,
    0xFFF0000000000000,
    0x7FF8000000000000,
    0x7FF0000000000001,
    0x36A0000000000000,
    0x3810000000000000,
    0x47EFFFFFE0000000,
    0x47EFFFFFF0000000,
    0xFFFFFFFF00000000,
    0xFFFFFFFF80000000,
    0xFFFFFFFF00000001,
    0xFFFFFFFF807FFFFF,
    0xFFFFFFFF00800000,
    0xFFFFFFFF3F800000,
    0xFFFFFFFFBF7FFFFF,
    0xFFFFFFFF4F000000,
    0xFFFFFFFF5F000000,
    0xFFFFFFFF7F7FFFFF,
    0xFFFFFFFF7F800000,
    0xFFFFFFFF7FC00000,
    0xFFFFFFFF7F800001,
    0x000000003F800000,
]
ROUNDING = ["rne", "rtz", "rdn", "rup", "rmm"]
SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}
UNMAPPED = 0x20000


def table():
    rows = [line for line in (ROOT / "tables" / "instructions.tsv").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(rows, delimiter="\t"))


class Fuzzer(SystemItems):
    def __init__(self, seed, classes, extra):
        self.random = random.Random(seed)
        self.classes, self.extra, self.labels = classes, extra, 0
        rows = [r for r in table() if r["ext"] not in ("F", "D")]
        self.fp = [r for r in table() if r["unit"] == "fp"]
        self.fp_accesses = [(r["name"], 4 if r["name"].endswith("w") else 8) for r in table() if r["ext"] in ("F", "D") and r["unit"] != "fp"]
        self.alu = [r for r in rows if r["unit"] == "alu"]
        self.muldiv = [r for r in rows if r["unit"] in ("mul", "div")]
        self.branches = [r["name"] for r in rows if r["unit"] == "branch"]
        self.loads = [r["name"] for r in rows if r["unit"] == "load" and r["ext"] != "Zicbop"]
        self.stores = [r["name"] for r in rows if r["unit"] == "store"]
        self.amos = [r["name"] for r in rows if r["unit"] == "amo" and not r["name"].startswith(("lr", "sc"))]
        self.link = None  # register that returns from the function being made, None in the main program
        self.loops, self.in_user = 0, False

    # ---- small choices ----
    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(items)

    def rd(self):
        return f"x{self.pick(DESTINATIONS)}"

    def rs(self):
        return f"x{self.random.randrange(32)}" if self.chance(0.2) else f"x{self.pick(DESTINATIONS)}"

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def value(self):
        if self.chance(0.6):
            return self.pick(CORNERS)
        return self.random.getrandbits(self.pick([6, 12, 20, 32, 48, 64]))

    # ---- items: each a list of lines ----
    def compute(self, rows):
        row = self.pick(rows)
        name, form = row["name"], row["format"]
        if form == "R":
            return [f"{name} {self.rd()}, {self.rs()}, {self.rs()}"]
        if form in ("SH5", "SH6"):
            return [f"{name} {self.rd()}, {self.rs()}, {self.random.randrange(32 if form == 'SH5' else 64)}"]
        if form == "U":
            return [f"{name} {self.rd()}, {self.pick([0, 1, 0x7ffff, 0x80000, 0xfffff, self.random.getrandbits(20)])}"]
        imm = self.pick([-2048, -1, 0, 1, 2047, self.random.randrange(-32, 32), self.random.randrange(-2048, 2048)])
        return [f"{name} {self.rd()}, {self.rs()}, {imm}"]

    def item_alu(self):
        if self.chance(0.12):
            return [f"li {self.rd()}, {self.value()}"]
        if self.chance(0.25):  # two-operand forms that the assembler compresses
            r = f"x{self.random.randrange(8, 16)}"
            return [f"{self.pick(['add', 'sub', 'xor', 'or', 'and', 'addw', 'subw'])} {r}, {r}, x{self.random.randrange(8, 16)}"]
        return self.compute(self.alu)

    def item_muldiv(self):
        return self.compute(self.muldiv)

    def access(self, name, address):
        return f"{name} {self.rs() if name[0] == 's' else self.rd()}, {address}"

    def item_memory(self):
        name = self.pick(self.loads + self.stores)
        size = SIZES[name[1]]
        base, offset = self.pick(["sp", "gp", "tp"]), self.random.randrange(0, 512, size)
        return [self.access(name, f"{offset}({base})")]

    def item_alias(self):
        """A burst of accesses of all sizes to two words: forwarding, partial overlap, ordering violations."""
        word, lines = self.random.randrange(0, 256, 8), []
        for _ in range(self.random.randrange(2, 7)):
            name = self.pick(self.loads + self.stores)
            offset = word + self.random.randrange(0, 16, SIZES[name[1]])
            if self.chance(0.4):  # an address that is known late
                lines += [
                    f"{self.pick(['mul', 'div', 'rem'])} x{SCRATCH}, {self.rs()}, {self.rs()}",
                    f"andi x{SCRATCH}, x{SCRATCH}, 8",
                    f"add x{SCRATCH}, x{SCRATCH}, gp",
                ]
                offset -= offset & 8
                lines.append(self.access(name, f"{offset}(x{SCRATCH})"))
            else:
                lines.append(self.access(name, f"{offset}(gp)"))
        return lines

    def item_far(self):
        name = self.pick(self.loads + self.stores)
        shift = self.random.randrange(3, 7)
        return [
            f"andi x{SCRATCH}, {self.rs()}, {self.pick([0x3f, 0x1f8, 0x3f8, 0x7f8])}",
            f"slli x{SCRATCH}, x{SCRATCH}, {shift}",
            f"add x{SCRATCH}, x{SCRATCH}, gp",
            self.access(name, f"{self.random.randrange(0, 64, SIZES[name[1]])}(x{SCRATCH})"),
        ]

    def item_misaligned(self):
        name = self.pick([n for n in self.loads + self.stores if SIZES[n[1]] > 1])
        size = SIZES[name[1]]
        return [self.access(name, f"{self.random.randrange(0, 128, size) + self.random.randrange(1, size)}(gp)")]

    def item_fault(self):
        if self.chance(0.7) or self.link:
            return [f"li x{SCRATCH}, {self.pick([UNMAPPED, 0xFFFFFFFFFFFF8000])}", self.access(self.pick(self.loads + self.stores), f"0(x{SCRATCH})")]
        return [f"li x{SCRATCH}, {UNMAPPED}", f"jalr x1, 0(x{SCRATCH})"]  # the handler returns to x1

    def item_branch(self):
        skip, lines = self.label(), []
        name = self.pick(self.branches)
        for _ in range(self.random.randrange(1, 5)):
            lines += self.simple()
        return [f"{name} {self.rs()}, {self.rs()}, {skip}", *lines, f"{skip}:"]

    def item_loop(self):
        if self.loops == 2:
            return self.item_alu()
        counter, head = f"x{26 + self.loops}", self.label()
        self.loops += 1
        body = self.block(self.random.randrange(2, 8))
        self.loops -= 1
        return [
            f"li {counter}, {self.random.randrange(1, 12 if self.loops == 0 else 5)}",
            f"{head}:",
            *body,
            f"addi {counter}, {counter}, -1",
            f"bnez {counter}, {head}",
        ]

    def item_call(self):
        if self.link == "x5":
            return self.item_alu()
        target = f"leaf{self.random.randrange(3)}" if self.link else f"function{self.random.randrange(4)}"
        link = "x5" if self.link else "x1"
        if self.chance(0.5):
            return [f"jal {link}, {target}"]
        return [f"la x{SCRATCH}, {target}", f"jalr {link}, 0(x{SCRATCH})"]

    def item_switch(self):
        ways, end = [self.label() for _ in range(4)], self.label()
        entry = self.label()
        lines = [
            f"andi x{SCRATCH}, {self.rs()}, 3",
            f"slli x{SCRATCH}, x{SCRATCH}, 3",
            f"la x31, {entry}",
            f"add x31, x31, x{SCRATCH}",
            "ld x31, 0(x31)",
            "jr x31",
            ".pushsection .data",
            ".balign 8",
            f"{entry}: .dword {', '.join(ways)}",
            ".popsection",
        ]
        for way in ways:
            lines += [f"{way}:", *self.simple(), f"j {end}"]
        return [*lines, f"{end}:"]

    def atomic_address(self, size):
        return [f"addi x{SCRATCH}, gp, {self.random.randrange(0, 256, size)}"]

    def item_amo(self):
        name = self.pick(self.amos)
        lines = self.atomic_address(SIZES[name[-1]])
        if "amofault" in self.extra and self.chance(0.1):
            lines = [f"addi x{SCRATCH}, gp, {self.random.randrange(256)}"] if self.chance(0.5) else [f"li x{SCRATCH}, {self.pick([UNMAPPED, MSIP])}"]
        return lines + [f"{name}{self.pick(['', '.aq', '.rl', '.aqrl'])} {self.rd()}, {self.rs()}, (x{SCRATCH})"]

    def item_lrsc(self):
        size = self.pick("wd")
        soon = "interrupt" in self.classes and self.chance(0.6)  # one comes while the reservation stands, or about then
        lines = (self.item_interrupt() if soon else []) + self.atomic_address(SIZES[size]) + [f"lr.{size} {self.pick(['x6', 'x7', 'x12'])}, (x{SCRATCH})"]
        lines += [f"div x14, {self.rs()}, x15"] * (self.random.randrange(4) if soon else 0)
        for _ in range(self.random.randrange(3)):
            lines += [line for line in self.compute(self.alu) if f" x{SCRATCH}," not in line]
        lines.append(f"sc.{size} {self.pick(['x6', 'x7', 'x12', 'x0'])}, {self.rs()}, (x{SCRATCH})")
        if self.chance(0.4):  # without a reservation: fails
            lines.append(f"sc.{size} x13, {self.rs()}, (x{SCRATCH})")
        return lines

    def item_csr(self):
        csr = self.pick(["mepc", "mtval"])
        lines = []
        if "csrmask" in self.extra and self.chance(0.5):
            csr = self.pick(["mcause", "mcounteren", "misa", "mvendorid", "mhartid", "mepc", "mtvec", "mie"])
        if csr in ("misa", "mvendorid", "mhartid", "mtvec", "mie"):
            return [f"csrr {self.rd()}, {csr}"]
        if csr == "mepc" and "csrmask" not in self.extra:
            return [f"andi x{SCRATCH}, {self.rs()}, -2", f"csrrw {self.rd()}, mepc, x{SCRATCH}"]
        if self.chance(0.5):
            return lines + [f"{self.pick(['csrrw', 'csrrs', 'csrrc'])} {self.rd()}, {csr}, {self.rs()}"]
        return lines + [f"{self.pick(['csrrwi', 'csrrsi', 'csrrci'])} {self.rd()}, {csr}, {self.random.randrange(32) & (30 if csr == 'mepc' else 31)}"]

    def item_counters(self):
        return [f"csrr {self.rd()}, {self.pick(['cycle', 'instret', 'time', 'mcycle', 'minstret', 'hpmcounter3', 'mhpmcounter4', 'mip'])}"]

    def item_fence(self):
        return [self.pick(["fence", "fence rw, w", "fence.i"])]

    def item_smc(self):
        """Overwrites an instruction ahead, then executes it."""
        spot, rd = self.label(), self.pick([6, 7, 10, 28])
        word = self.random.getrandbits(12) << 20 | rd << 7 | 0x13  # addi rd, x0, imm
        return [
            f"li x{SCRATCH}, {word}",
            f"la x31, {spot}",
            f"sw x{SCRATCH}, 0(x31)",
            "fence.i",
            ".option push",
            ".option rvc",
            ".balign 4",
            ".option norvc",
            f"{spot}: addi x{rd}, x0, 0",
            ".option pop",
        ]

    def item_illegal(self):
        compressed = ".half 0x8002" if "fp" in self.classes else ".half 0x2000"  # c.fld
        sret = ".word 0x10200073" if self.in_user and not self.link else ".half 0"
        return [
            self.pick(
                [
                    ".half 0",
                    ".half 0x8002",
                    compressed,
                    ".half 0x6081",
                    ".word 0xffffffff",
                    ".word 0x00007053",
                    sret,
                    ".word 0x00200073",
                    ".word 0x0000707b",
                    ".word 0x02a5f533 ^ 0x80000000",
                    "csrr x10, 0x123",
                    "csrw mvendorid, x10",
                    ".half 0x9c41",
                    ".half 0x4002",
                ]
            )
        ]

    def item_ecall(self):
        return ["li x17, 0", self.pick(["ecall", "ebreak", ".half 0x9002"])]

    def item_hint(self):
        if self.chance(0.5):  # prefetch.i, .r, .w: of the buffer, and of whatever a register holds
            base = self.pick(["gp", "sp", self.rs()])
            return [f"ori x0, {base}, {32 * self.random.randrange(-64, 64) + self.pick([0, 1, 3])}"]
        return [f".half {self.pick([0x0005, 0x4005, 0x6005, 0x0006, 0x8006, 0x9006, 0x1002])}"]

    def item_wfi(self):
        """Waits for the timer, which stays pending. In U-mode wfi is illegal."""
        if self.in_user and not self.link:
            return ["wfi"]
        return ["csrci mstatus, 8", *self.arm_timer(), "li x31, 0x80", "csrs mie, x31", "wfi"] + (["csrsi mstatus, 8"] if "interrupt" in self.classes else [])

    def arm_timer(self):
        ticks = self.random.randrange(1, 6)
        return [f"li x{SCRATCH}, {MTIME}", f"ld x31, 0(x{SCRATCH})", f"addi x31, x31, {ticks}", f"li x{SCRATCH}, {MTIMECMP}", f"sd x31, 0(x{SCRATCH})"]

    def item_interrupt(self):
        if self.chance(0.3):
            return [f"li x{SCRATCH}, {MSIP}", "li x31, 1", f"sw x31, 0(x{SCRATCH})"]
        return self.arm_timer()

    # ---- floating point ----
    def fp_register(self):
        return f"f{self.random.randrange(12)}"  # few, so that results are used

    def item_fp(self):
        row = self.pick(self.fp)
        name, form = row["name"], row["format"]
        f = self.fp_register
        operands = {
            "FR4": lambda: [f(), f(), f(), f()],
            "FR": lambda: [f(), f(), f()],
            "F1": lambda: [f(), f()],
            "FRX": lambda: [self.rd(), f(), f()],
            "F1X": lambda: [self.rd(), f()],
            "X1F": lambda: [f(), self.rs()],
        }[form]()
        rounds = not int(row["mask"], 0) & 0x7000
        if rounds and (self.chance(0.04) or name in ("fcvt.d.w", "fcvt.d.wu", "fcvt.d.s")):  # modes that the assembler does not write
            numbers = [int(o[1:]) << shift for o, shift in zip(operands, (7, 15, 20, 27))]
            return [f".word 0x{int(row['match'], 0) | sum(numbers) | self.pick([0, 1, 2, 3, 4, 5, 6, 7]) << 12:x}"]
        if rounds and self.chance(0.5):
            operands.append(self.pick(ROUNDING))
        return [f"{name} {', '.join(operands)}"] + ([f"csrr {self.rd()}, fflags"] if self.chance(0.3) else [])

    def fp_value(self):
        if self.chance(0.5):
            return self.pick(FP_CORNERS)
        double = self.chance(0.5)
        fraction_bits, top = (52, 2047) if double else (23, 255)
        biased = self.pick(
            [self.random.randrange(top), top // 2 + self.random.randrange(-fraction_bits - 3, fraction_bits + 3), self.random.randrange(3), top - 1]
        )
        fraction = self.pick(
            [
                self.random.getrandbits(fraction_bits),
                self.random.getrandbits(3),
                (1 << fraction_bits) - 1 - self.random.getrandbits(3),
                self.random.getrandbits(3) << (fraction_bits - 3),
            ]
        )
        bits = (self.random.getrandbits(1) * (top + 1) + max(biased, 0)) << fraction_bits | fraction
        return bits if double else 0xFFFFFFFF00000000 | bits

    def item_fpvalue(self):
        return [f"li x{SCRATCH}, 0x{self.fp_value():x}", f"fmv.d.x {self.fp_register()}, x{SCRATCH}"]

    def item_fpmemory(self):
        name, size = self.pick(self.fp_accesses)
        return [f"{name} {self.fp_register()}, {self.random.randrange(0, 256, size)}({self.pick(['sp', 'gp', 'tp'])})"]

    def item_fpcsr(self):
        csr = self.pick(["fflags", "frm", "fcsr"])
        if csr == "frm" and self.chance(0.8):
            return [f"csrwi frm, {self.random.randrange(5)}"]
        if self.chance(0.4):
            return [f"csrr {self.rd()}, {csr}"]
        if self.chance(0.5):
            return [f"{self.pick(['csrrw', 'csrrs', 'csrrc'])} {self.rd()}, {csr}, {self.rs()}", f"csrwi frm, {self.random.randrange(5)}"]
        return [f"{self.pick(['csrrwi', 'csrrsi', 'csrrci'])} {self.rd()}, {csr}, {self.random.randrange(32)}"]

    def item_fpoff(self):
        """Without FS all of it is illegal."""
        if self.in_user or self.link:
            return self.item_fp()
        inside = [line for _ in range(3) for line in getattr(self, "item_" + self.pick(["fp", "fpmemory", "fpcsr"]))()]
        return [
            f"li x{SCRATCH}, 0x6000",
            f"csrc mstatus, x{SCRATCH}",
            *inside,
            f"li x{SCRATCH}, 0x{self.pick([0x2000, 0x4000, 0x6000]):x}",
            f"csrs mstatus, x{SCRATCH}",
        ]

    def item_user(self):
        """Runs a block in user mode. Interrupts are off until mret, which needs mepc."""
        if self.in_user:
            return self.item_alu()
        inside = self.label()
        self.in_user = True
        body = self.block(self.random.randrange(3, 12))
        self.in_user = False
        return [
            "csrci mstatus, 8",
            f"la x{SCRATCH}, {inside}",
            f"csrw mepc, x{SCRATCH}",
            f"li x{SCRATCH}, 0x1800",
            f"csrc mstatus, x{SCRATCH}",
            f"li x{SCRATCH}, 0x80",
            f"csrs mstatus, x{SCRATCH}",
            "mret",
            f"{inside}:",
            *body,
            f"li x17, {ECALL_TO_MACHINE}",
            "ecall",
        ]

    # ---- composition ----
    def simple(self):
        """An item without labels or control flow."""
        kinds = [k for k in ("alu", "muldiv", "memory") if k in self.classes] or ["alu"]
        return getattr(self, "item_" + self.pick(kinds))()

    def item(self):
        weights = {
            "alu": 14,
            "muldiv": 4,
            "memory": 10,
            "alias": 4,
            "far": 4,
            "branch": 8,
            "loop": 2,
            "call": 3,
            "switch": 1,
            "illegal": 0.6,
            "ecall": 0.6,
            "fault": 0.6,
            "misaligned": 0.8,
            "fence": 0.5,
            "smc": 0.4,
            "user": 0.5,
            "interrupt": 0.8,
            "external": 0.7,
            "mtvec": 0.4,
            "mscratch": 0.4,
            "status": 0.4,
            "smcloop": 0.3,
            "pmu": 4,
            "ctr": 8,
            "trigger": 6,
            "fp": 24,
            "fpvalue": 6,
            "fpmemory": 6,
            "fpcsr": 3,
            "fpoff": 0.3,
        }
        kinds = [c for c in self.classes if not (self.link and c in ("user", "loop", "smcloop"))]
        return getattr(self, "item_" + self.random.choices(kinds, [weights.get(k, 1) for k in kinds])[0])()

    def block(self, items):
        lines = []
        for _ in range(items):
            lines += [".option push", ".option norvc", *self.item(), ".option pop"] if self.chance(0.3) else self.item()
        return lines

    def functions(self):
        lines = []
        for prefix, count, link in (("function", 4, "x1"), ("leaf", 3, "x5")):
            self.link = link
            for i in range(count):
                lines += [f"{prefix}{i}:", *self.block(self.random.randrange(2, 8)), f"jr {link}"]
        self.link = None
        return lines

    def program(self, length):
        registers = [f"li x{i}, {self.value()}" for i in DESTINATIONS[1:]]
        irq = ["li x31, 0x88", "csrw mie, x31", "csrsi mstatus, 8"] if "interrupt" in self.classes else []
        setup = [
            "la x31, 1f",
            "csrw mtvec, x31",
            "li x31, -1",
            "csrw pmpaddr0, x31",
            "csrw scounteren, x31",
            "li x31, 0x1f",
            "csrw pmpcfg0, x31",
            ".balign 4",
            "1:",
            "la x31, trap",
            "csrw mtvec, x31",
            "la x31, frame",
            "csrw mscratch, x31",
            "la gp, buffer",
            f"addi tp, gp, {8 * self.random.randrange(32)}",
            f"addi sp, gp, {16 * self.random.randrange(16)}",
            "li x1, 0",
            "li x5, 0",
            "li x26, 0",
            "li x27, 0",
        ]
        fp = []
        if "fp" in self.classes:
            fp = [".option arch, +d", "li x31, 0x2000", "csrs mstatus, x31"]
            fp += [line for i in range(32) for line in (f"li x31, 0x{self.fp_value():x}", f"fmv.d.x f{i}, x31")]
        counters = ["li x31, -1", "csrw mcounteren, x31"] if "counters" in self.classes else []
        functions = self.functions()
        body = self.block(length)
        end = finish([("buffer", 64, 64, 8), (f"buffer + {8 * self.random.randrange(128)}", BUFFER_BYTES // 1024, 1024, 1)])
        return [
            '.section .text.start, "ax"',
            ".globl _start",
            "_start:",
            *setup,
            *irq,
            *counters,
            *fp,
            *registers,
            *body,
            "j finish",
            *functions,
            *self.patched(),
            end,
            trap(self.pick(MEDDLE) if "interrupt" in self.classes else ""),
            ".bss",
            ".balign 64",
            "buffer:",
            f".zero {BUFFER_BYTES}",
        ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--length", type=int, default=250, help="items of the main program")
    parser.add_argument("--with", dest="only", default="", help="only these classes of: " + " ".join(CLASSES))
    parser.add_argument("--without", default="", help="all but these classes")
    parser.add_argument("--fp", action="store_true", help="floating point, too: the classes " + " ".join(FP_CLASSES))
    parser.add_argument("--vm", action="store_true", help="virtual memory, too: the classes of vm_fuzz.py (link with vm_link.ld)")
    parser.add_argument("--pmu", action="store_true", help="counters and their overflow interrupt, too: the classes " + " ".join(PMU_CLASSES))
    parser.add_argument("--ctr", action="store_true", help="control transfer records, too, for cores that have them: the classes " + " ".join(CTR_CLASSES))
    parser.add_argument(
        "--triggers", action="store_true", help="triggers on addresses, too, for cores that have them: the classes " + " ".join(TRIGGER_CLASSES)
    )
    parser.add_argument("--qemu", action="store_true", help="only what QEMU's machine does alike")
    a = parser.parse_args()
    own = (FP_CLASSES if a.fp else []) + (PMU_CLASSES if a.pmu else []) + (CTR_CLASSES if a.ctr else [])
    make, all_classes = Fuzzer, CLASSES + own + (TRIGGER_CLASSES if a.triggers else [])
    if a.vm:
        import vm_fuzz

        make, all_classes = vm_fuzz.VmFuzzer, all_classes + vm_fuzz.VM_CLASSES
    only, without = set(filter(None, a.only.split(","))), set(filter(None, a.without.split(",")))
    unknown = (only | without) - set(all_classes)
    if unknown:
        parser.error(f"no such class: {', '.join(sorted(unknown))}; there are: {' '.join(all_classes)}")
    if a.qemu:
        without |= NOT_QEMU
    classes = [c for c in all_classes if (not only or c in only) and c not in without]
    if not classes:
        parser.error("no class left")
    extra = set() if a.qemu else {"amofault", "csrmask"}
    lines = make(a.seed, classes, extra).program(a.length)
    print(f"# tests/fuzz/fuzz.py {' '.join(sys.argv[1:])}")
    print("\n".join(line if line.endswith(":") or line.startswith(("\n", ".section")) else f"    {line}" for line in lines))


if __name__ == "__main__":
    main()
